// SPDX-License-Identifier: MIT
//
// export_glb_json.c: the JSON chunk of a glTF binary.
//
// glTF has y upwards and resilin z, so everything hangs on one root node that turns. All bodies share the vertex arrays
// and have triangles, a material and a node of their own. Frame f is shown by weight 1 of morph target f - 1.

#include "colour.h"
#include "export_glb.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum
{
    UNSIGNED_INT = 5125,
    FLOAT = 5126,
    ARRAY_BUFFER = 34962,
    ELEMENT_ARRAY_BUFFER = 34963,
};

typedef struct Json
{
    const rslHooks* hooks;
    char* text;
    size_t length, capacity;
    bool failed;
} Json;

// Room for more bytes and a final zero.
static bool Reserve(Json* json, size_t more)
{
    while (!json->failed && json->capacity < json->length + more + 1)
    {
        size_t wanted = json->capacity ? 2 * json->capacity : 4096;
        char* larger = rslAllocate(json->hooks, wanted, 1);
        if (larger == NULL)
        {
            json->failed = true;
            break;
        }
        if (json->text != NULL)
        {
            memcpy(larger, json->text, json->length);
            rslRelease(json->hooks, json->text);
        }
        json->text = larger;
        json->capacity = wanted;
    }
    return !json->failed;
}

// Texts and integers only: printf writes points as the locale does.
RSL_PRINTF(2, 3) static void Add(Json* json, const char* format, ...)
{
    char piece[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    RSL_ASSERT(length >= 0 && length < (int)sizeof piece);
    if (Reserve(json, (size_t)length))
    {
        memcpy(json->text + json->length, piece, (size_t)length);
        json->length += (size_t)length;
    }
}

static void AddNumber(Json* json, float value)
{
    char number[RSL_NUMBER_CAPACITY];
    rslNumber_Print((double)value, number);
    Add(json, "%s", number);
}

static void AddList(Json* json, const char* name, const float* values, int count)
{
    Add(json, "\"%s\":[", name);
    for (int i = 0; i < count; ++i)
    {
        Add(json, i > 0 ? "," : "");
        AddNumber(json, values[i]);
    }
    Add(json, "]");
}

// ---- where things are -----------------------------------------------------------------------------------------------

static bool HasMesh(const rslGlb* glb, int body)
{
    return glb->bodyTriangles[body] > 0;
}

static int MeshCount(const rslGlb* glb)
{
    int count = 0;
    for (int b = 0; b < glb->topology->bodyCount; ++b)
    {
        count += HasMesh(glb, b);
    }
    return count;
}

// Accessors: the indices of every mesh, then positions and normals of every frame, then times and weights.
static int PositionAccessor(int meshCount, int frame)
{
    return meshCount + 2 * frame;
}

// ---- the parts ------------------------------------------------------------------------------------------------------

static void AddNodes(Json* json, const rslGlb* glb, int meshCount)
{
    Add(json, "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"z is up\",\"rotation\":"
              "[-0.7071067811865476,0,0,0.7071067811865476],\"children\":[");
    for (int m = 0; m < meshCount; ++m)
    {
        Add(json, "%s%d", m > 0 ? "," : "", m + 1);
    }
    Add(json, "]}");
    for (int b = 0, mesh = 0; b < glb->topology->bodyCount; ++b)
    {
        if (HasMesh(glb, b))
        {
            Add(json, ",{\"name\":\"body %d\",\"mesh\":%d}", b + 1, mesh++);
        }
    }
    Add(json, "]");
}

static void AddTargets(Json* json, const rslGlb* glb, int meshCount)
{
    Add(json, ",\"targets\":[");
    for (int f = 1; f < glb->frameCount; ++f)
    {
        int position = PositionAccessor(meshCount, f);
        Add(json, "%s{\"POSITION\":%d,\"NORMAL\":%d}", f > 1 ? "," : "", position, position + 1);
    }
    Add(json, "]");
}

static void AddMeshes(Json* json, const rslGlb* glb, int meshCount)
{
    int position = PositionAccessor(meshCount, 0);
    Add(json, ",\"meshes\":[");
    for (int m = 0; m < meshCount; ++m)
    {
        Add(json, "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d},\"indices\":%d,\"material\":%d",
            m > 0 ? "," : "", position, position + 1, m, m);
        if (glb->frameCount > 1)
        {
            AddTargets(json, glb, meshCount);
        }
        Add(json, "}]}");
    }
    Add(json, "]");
}

static void AddMaterials(Json* json, const rslGlb* glb)
{
    Add(json, ",\"materials\":[");
    const char* comma = "";
    for (int b = 0; b < glb->topology->bodyCount; ++b)
    {
        if (HasMesh(glb, b))
        {
            rslColour c = rslColour_ToLight(rslColour_OfBody(b));
            const float factor[4] = { c.r, c.g, c.b, 1.0f };
            Add(json,
                "%s{\"doubleSided\":true,\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":0.55,",
                comma);
            AddList(json, "baseColorFactor", factor, 4);
            Add(json, "}}");
            comma = ",";
        }
    }
    Add(json, "]");
}

static void AddAnimation(Json* json, const rslGlb* glb, int meshCount)
{
    int times = PositionAccessor(meshCount, glb->frameCount);
    Add(json,
        ",\"animations\":[{\"name\":\"motion\",\"samplers\":[{\"input\":%d,\"output\":%d,"
        "\"interpolation\":\"LINEAR\"}],\"channels\":[",
        times, times + 1);
    for (int m = 0; m < meshCount; ++m)
    {
        Add(json, "%s{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"weights\"}}", m > 0 ? "," : "", m + 1);
    }
    Add(json, "]}]");
}

// ---- accessors and views --------------------------------------------------------------------------------------------

enum
{
    INDEX_VIEW,
    VERTEX_VIEW,
    ANIMATION_VIEW,
};

static void AddAccessor(Json* json, int view, uint64_t offset, uint64_t count, int type, const char* shape)
{
    Add(json, "{\"bufferView\":%d,\"byteOffset\":%llu,\"componentType\":%d,\"count\":%llu,\"type\":\"%s\"", view,
        (unsigned long long)offset, type, (unsigned long long)count, shape);
}

static void AddIndexAccessors(Json* json, const rslGlb* glb)
{
    uint64_t offset = 0;
    const char* comma = "";
    for (int b = 0; b < glb->topology->bodyCount; ++b)
    {
        if (HasMesh(glb, b))
        {
            uint64_t count = 3 * (uint64_t)glb->bodyTriangles[b];
            Add(json, "%s", comma);
            AddAccessor(json, INDEX_VIEW, offset, count, UNSIGNED_INT, "SCALAR");
            Add(json, "}");
            offset += 4 * count;
            comma = ",";
        }
    }
}

static void AddFrameAccessors(Json* json, const rslGlb* glb, int frame)
{
    uint64_t count = (uint64_t)glb->topology->vertexCount;
    uint64_t offset = 24 * count * (uint64_t)frame;
    Add(json, ",");
    AddAccessor(json, VERTEX_VIEW, offset, count, FLOAT, "VEC3");
    Add(json, ",");
    AddList(json, "min", glb->ranges[frame].lower, 3);
    Add(json, ",");
    AddList(json, "max", glb->ranges[frame].upper, 3);
    Add(json, "},");
    AddAccessor(json, VERTEX_VIEW, offset + 12 * count, count, FLOAT, "VEC3");
    Add(json, "}");
}

static void AddAnimationAccessors(Json* json, const rslGlb* glb)
{
    uint64_t n = (uint64_t)glb->frameCount;
    float first = rslGlb_FrameTime(glb, 0), last = rslGlb_FrameTime(glb, glb->frameCount - 1);
    Add(json, ",");
    AddAccessor(json, ANIMATION_VIEW, 0, n, FLOAT, "SCALAR");
    Add(json, ",");
    AddList(json, "min", &first, 1);
    Add(json, ",");
    AddList(json, "max", &last, 1);
    Add(json, "},");
    AddAccessor(json, ANIMATION_VIEW, 4 * n, n * (n - 1), FLOAT, "SCALAR");
    Add(json, "}");
}

static void AddAccessors(Json* json, const rslGlb* glb)
{
    Add(json, ",\"accessors\":[");
    AddIndexAccessors(json, glb);
    for (int f = 0; f < glb->frameCount; ++f)
    {
        AddFrameAccessors(json, glb, f);
    }
    if (glb->frameCount > 1)
    {
        AddAnimationAccessors(json, glb);
    }
    Add(json, "]");
}

static void AddViews(Json* json, const rslGlb* glb)
{
    uint64_t indices = rslGlb_IndexBytes(glb), vertices = rslGlb_VertexBytes(glb);
    uint64_t animation = rslGlb_AnimationBytes(glb);
    Add(json, ",\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":%llu,\"target\":%d}",
        (unsigned long long)indices, ELEMENT_ARRAY_BUFFER);
    Add(json, ",{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu,\"byteStride\":12,\"target\":%d}",
        (unsigned long long)indices, (unsigned long long)vertices, ARRAY_BUFFER);
    if (animation > 0)
    {
        Add(json, ",{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu}", (unsigned long long)(indices + vertices),
            (unsigned long long)animation);
    }
    Add(json, "],\"buffers\":[{\"byteLength\":%llu}]", (unsigned long long)(indices + vertices + animation));
}

char* rslGlb_Describe(const rslGlb* glb, size_t* length)
{
    Json json = { .hooks = &glb->hooks };
    int meshCount = MeshCount(glb);
    Add(&json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"resilin %s\"},", rslVersion());
    AddNodes(&json, glb, meshCount);
    AddMeshes(&json, glb, meshCount);
    AddMaterials(&json, glb);
    if (glb->frameCount > 1)
    {
        AddAnimation(&json, glb, meshCount);
    }
    AddAccessors(&json, glb);
    AddViews(&json, glb);
    Add(&json, "}");
    while (!json.failed && json.length % 4 != 0)
    {
        Add(&json, " ");
    }
    if (json.failed)
    {
        rslRelease(json.hooks, json.text);
        return NULL;
    }
    *length = json.length;
    return json.text;
}
