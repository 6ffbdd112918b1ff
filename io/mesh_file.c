// SPDX-License-Identifier: MIT
//
// mesh_file.c: triangle meshes from OBJ, STL, PLY and glTF through assimp.
//
// Every mesh of the file is taken with the transforms of its nodes, polygons are cut into triangles, and vertices at the
// same place become one, whatever their normals and colours. assimp's answer is not trusted: a truncated STL "succeeds"
// without vertices, and indices and coordinates are checked here. It reads coordinates in single precision.

#include "polygon.h"
#include "resilin/io.h"

#include <stdlib.h>

static void* Allocate(const rslHooks* hooks, size_t bytes)
{
    bytes = bytes ? bytes : 1;
    return hooks != NULL && hooks->allocate != NULL && hooks->release != NULL ? hooks->allocate(bytes, hooks->user)
                                                                              : malloc(bytes);
}

static void Release(const rslHooks* hooks, void* memory)
{
    if (hooks != NULL && hooks->allocate != NULL && hooks->release != NULL)
    {
        if (memory != NULL)
        {
            hooks->release(memory, hooks->user);
        }
        return;
    }
    free(memory);
}

void rslMeshFile_Free(rslMeshFile* mesh, const rslHooks* hooks)
{
    if (mesh == NULL)
    {
        return;
    }
    Release(hooks, mesh->vertices);
    Release(hooks, mesh->triangles);
    *mesh = (rslMeshFile){ 0 };
}

#if !RSL_HAVE_ASSIMP

rslStatus rslMeshFile_Read(const char* path, const rslHooks* hooks, rslMeshFile* mesh, rslReport* report)
{
    (void)hooks;
    (void)Allocate;
    *mesh = (rslMeshFile){ 0 };
    rslReport_Add(report, rsl_error, (rslPlace){ 0, 0 },
                  "%s: reading mesh files needs the module assimp, which was left out of this build (libassimp-dev)",
                  path);
    return rsl_unsupported;
}

#else

#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum
{
    TRIANGLES_MOST = 50000000,
    NODES_DEEPEST = 256,
    CORNERS_MOST = RSL_POLYGON_MOST,
};

typedef struct Reader
{
    const char* path;
    const rslHooks* hooks;
    rslReport* report;
    const struct aiScene* scene;
    rslMeshFile* mesh;
    size_t vertices, triangles;  // counted first, then filled
    size_t others;               // points and lines
    bool filling;
} Reader;

static rslStatus Refuse(const Reader* reader, rslStatus status, const char* format, ...) RSL_PRINTF(3, 4);

static rslStatus Refuse(const Reader* reader, rslStatus status, const char* format, ...)
{
    char text[RSL_MESSAGE_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rslReport_Add(reader->report, rsl_error, (rslPlace){ 0, 0 }, "%s: %s", reader->path, text);
    return status;
}

// ---- before the library sees it -------------------------------------------------------------------------------------

static bool KnownExtension(const char* path)
{
    static const char* const known[] = { ".obj", ".stl", ".ply", ".gltf", ".glb" };
    const char *name = strrchr(path, '/'), *dot = strrchr(name ? name : path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof known / sizeof *known; ++i)
    {
        if (strcasecmp(dot, known[i]) == 0)
        {
            return true;
        }
    }
    return false;
}

static bool HasExtension(const char* path, const char* extension)
{
    const char* dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, extension) == 0;
}

static bool IsPlyType(const char* name)
{
    static const char* const known[] = { "char", "uchar", "short", "ushort", "int",   "uint",   "float",   "double",
                                         "int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64" };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    {
        if (strcmp(name, known[i]) == 0)
        {
            return true;
        }
    }
    return false;
}

// One line of a PLY header between the first and the last. Sets *promised for an element.
static bool IsPlyLine(const char* line, double* promised)
{
    char a[64], b[64], c[64], d[64], rest[2];
    *promised = 0.0;
    if (strncmp(line, "comment", 7) == 0 || strncmp(line, "obj_info", 8) == 0)
    {
        return true;
    }
    if (sscanf(line, "element %63s %lf %1s", a, promised, rest) == 2)
    {
        return true;
    }
    if (sscanf(line, "property list %63s %63s %63s %1s", a, b, c, rest) == 3)
    {
        return IsPlyType(a) && IsPlyType(b);
    }
    if (sscanf(line, "property %63s %63s %1s", a, b, rest) == 2)
    {
        return IsPlyType(a);
    }
    return sscanf(line, "format %63s %63s %1s", c, d, rest) == 2;
}

// assimp does not come back from some damaged PLY headers, and makes room for whatever number of elements they promise:
// each takes at least one byte of the file.
static rslStatus CheckPlyHeader(const Reader* reader, FILE* file, long long bytes)
{
    char line[512];
    for (int number = 1; number <= 1000 && fgets(line, sizeof line, file) != NULL; ++number)
    {
        size_t length = strcspn(line, "\r\n");
        if (line[length] == 0)
        {
            break;
        }
        line[length] = 0;
        double promised = 0.0;
        if (number > 1 && strcmp(line, "end_header") == 0)
        {
            return rsl_ok;
        }
        if (number == 1 ? strcmp(line, "ply") != 0 : !IsPlyLine(line, &promised))
        {
            return Refuse(reader, rsl_badInput, "line %d of the header is not PLY: '%.60s'", number, line);
        }
        if (!(promised >= 0.0 && promised <= (double)bytes))
        {
            return Refuse(reader, rsl_badInput,
                          "line %d of the header promises %.0f elements, and the file has %lld bytes", number, promised,
                          bytes);
        }
    }
    return Refuse(reader, rsl_badInput, "the header of the PLY file does not end with 'end_header'");
}

static rslStatus CheckFile(const Reader* reader)
{
    struct stat info;
    if (stat(reader->path, &info) != 0)
    {
        return Refuse(reader, rsl_ioError, "the mesh file cannot be opened: %s", strerror(errno));
    }
    if (S_ISDIR(info.st_mode))
    {
        return Refuse(reader, rsl_ioError, "expected a mesh file, found a directory");
    }
    if (!S_ISREG(info.st_mode))
    {
        return Refuse(reader, rsl_ioError, "expected a mesh file, found a device or pipe");
    }
    if (!KnownExtension(reader->path))
    {
        return Refuse(reader, rsl_badInput,
                      "unknown kind of mesh file: expected a name that ends in .obj, .stl, .ply, .gltf or .glb");
    }
    if (info.st_size == 0)
    {
        return Refuse(reader, rsl_badInput, "the mesh file is empty");
    }
    FILE* file = fopen(reader->path, "rb");
    if (file == NULL)
    {
        return Refuse(reader, rsl_ioError, "the mesh file cannot be opened: %s", strerror(errno));
    }
    rslStatus status =
        HasExtension(reader->path, ".ply") ? CheckPlyHeader(reader, file, (long long)info.st_size) : rsl_ok;
    fclose(file);
    return status;
}

// ---- the tree of nodes ----------------------------------------------------------------------------------------------

typedef struct Affine
{
    double m[3][4];
} Affine;

static Affine FromMatrix(const struct aiMatrix4x4* a)
{
    return (
        Affine){ { { a->a1, a->a2, a->a3, a->a4 }, { a->b1, a->b2, a->b3, a->b4 }, { a->c1, a->c2, a->c3, a->c4 } } };
}

static Affine Compose(const Affine* a, const Affine* b)
{
    Affine c;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 4; ++j)
        {
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j] +
                        (j == 3 ? a->m[i][3] : 0.0);
        }
    }
    return c;
}

// A mirror turns triangles over.
static bool Mirrors(const Affine* a)
{
    const double(*m)[4] = a->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0.0;
}

static void FillVertices(Reader* reader, const struct aiMesh* part, const Affine* at)
{
    for (unsigned v = 0; v < part->mNumVertices; ++v)
    {
        const double x[3] = { part->mVertices[v].x, part->mVertices[v].y, part->mVertices[v].z };
        double* out = reader->mesh->vertices + 3 * (reader->vertices + v);
        for (int i = 0; i < 3; ++i)
        {
            out[i] = at->m[i][0] * x[0] + at->m[i][1] * x[1] + at->m[i][2] * x[2] + at->m[i][3];
        }
    }
}

static rslStatus CheckPart(const Reader* reader, const struct aiMesh* part)
{
    for (unsigned v = 0; v < part->mNumVertices; ++v)
    {
        const double x[3] = { part->mVertices[v].x, part->mVertices[v].y, part->mVertices[v].z };
        for (int i = 0; i < 3; ++i)
        {
            if (!isfinite(x[i]))
            {
                return Refuse(reader, rsl_badInput, "vertex %zu has the coordinate %c = %s, expected a finite number",
                              reader->vertices + v + 1, "xyz"[i], isnan(x[i]) ? "nan" : "infinite");
            }
        }
    }
    for (unsigned f = 0; f < part->mNumFaces; ++f)
    {
        for (unsigned c = 0; c < part->mFaces[f].mNumIndices; ++c)
        {
            unsigned v = part->mFaces[f].mIndices[c];
            if (v >= part->mNumVertices)
            {
                return Refuse(reader, rsl_badInput, "face %u has the vertex index %u, and there are %u vertices", f + 1,
                              v, part->mNumVertices);
            }
        }
    }
    return rsl_ok;
}

static void FillFace(Reader* reader, const struct aiMesh* part, const struct aiFace* face, bool mirrors)
{
    // the library's own triangulation is not used: it stops the program on some damaged files
    int* out = reader->mesh->triangles + 3 * reader->triangles;
    int corners = (int)face->mNumIndices;
    rslPolygon_Cut(&part->mVertices[0].x, face->mIndices, corners, out);
    for (int t = 0; t < corners - 2; ++t)
    {
        int* c = out + 3 * (size_t)t;
        for (int i = 0; i < 3; ++i)
        {
            c[i] = (int)(reader->vertices + face->mIndices[c[i]]);
        }
        int last = c[2];
        c[2] = mirrors ? c[0] : c[2];
        c[0] = mirrors ? last : c[0];
    }
}

static rslStatus AddMesh(Reader* reader, unsigned index, const Affine* at)
{
    if (index >= reader->scene->mNumMeshes)
    {
        return Refuse(reader, rsl_badInput, "a node names mesh %u of %u", index, reader->scene->mNumMeshes);
    }
    const struct aiMesh* part = reader->scene->mMeshes[index];
    rslStatus status = reader->filling ? rsl_ok : CheckPart(reader, part);
    for (unsigned f = 0; status == rsl_ok && f < part->mNumFaces; ++f)
    {
        const struct aiFace* face = &part->mFaces[f];
        if (face->mNumIndices < 3)
        {
            reader->others += 1;
            continue;
        }
        if (face->mNumIndices > CORNERS_MOST)
        {
            return Refuse(reader, rsl_badInput, "face %u has %u corners, more than %d", f + 1, face->mNumIndices,
                          CORNERS_MOST);
        }
        if (reader->filling)
        {
            FillFace(reader, part, face, Mirrors(at));
        }
        reader->triangles += face->mNumIndices - 2;
    }
    if (reader->filling)
    {
        FillVertices(reader, part, at);
    }
    reader->vertices += part->mNumVertices;
    if (status == rsl_ok && reader->vertices >= INT_MAX / 4)
    {
        return Refuse(reader, rsl_badInput, "the mesh file has too many vertices");
    }
    return status;
}

static rslStatus AddNode(Reader* reader, const struct aiNode* node, const Affine* above, int depth)
{
    if (depth > NODES_DEEPEST)
    {
        return Refuse(reader, rsl_badInput, "nodes are nested more than %d deep", NODES_DEEPEST);
    }
    Affine own = FromMatrix(&node->mTransformation), at = Compose(above, &own);
    for (unsigned i = 0; i < node->mNumMeshes; ++i)
    {
        rslStatus status = AddMesh(reader, node->mMeshes[i], &at);
        if (status != rsl_ok)
        {
            return status;
        }
    }
    for (unsigned i = 0; i < node->mNumChildren; ++i)
    {
        rslStatus status = AddNode(reader, node->mChildren[i], &at, depth + 1);
        if (status != rsl_ok)
        {
            return status;
        }
    }
    return rsl_ok;
}

static rslStatus AddAll(Reader* reader, bool filling)
{
    const Affine identity = { { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };
    reader->filling = filling;
    reader->vertices = reader->triangles = reader->others = 0;
    return AddNode(reader, reader->scene->mRootNode, &identity, 0);
}

// ---- one vertex a place ---------------------------------------------------------------------------------------------

typedef struct Place
{
    double x[3];
    int vertex;
} Place;

static int ComparePlaces(const void* a, const void* b)
{
    const Place *p = a, *q = b;
    for (int i = 0; i < 3; ++i)
    {
        if (p->x[i] != q->x[i])
        {
            return p->x[i] < q->x[i] ? -1 : 1;
        }
    }
    return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

// keep[v]: the lowest vertex at the place of v, or -1 when no triangle uses the place.
static void FindKept(const rslMeshFile* mesh, Place* places, int* keep)
{
    size_t n = (size_t)mesh->vertexCount;
    qsort(places, n, sizeof *places, ComparePlaces);
    for (size_t i = 0; i < n; ++i)
    {
        bool same = i > 0 && places[i].x[0] == places[i - 1].x[0] && places[i].x[1] == places[i - 1].x[1] &&
                    places[i].x[2] == places[i - 1].x[2];
        keep[places[i].vertex] = same ? keep[places[i - 1].vertex] : places[i].vertex;
    }
}

// Join and drop what no triangle uses; the order of first appearance stays.
static rslStatus JoinVertices(Reader* reader)
{
    rslMeshFile* mesh = reader->mesh;
    size_t n = (size_t)mesh->vertexCount, corners = 3 * (size_t)mesh->triangleCount;
    Place* places = Allocate(reader->hooks, n * sizeof *places);
    int* keep = Allocate(reader->hooks, n * sizeof *keep);
    int* number = Allocate(reader->hooks, n * sizeof *number);
    rslStatus status = places != NULL && keep != NULL && number != NULL ? rsl_ok : rsl_outOfMemory;
    if (status == rsl_ok)
    {
        for (size_t v = 0; v < n; ++v)
        {
            const double* x = mesh->vertices + 3 * v;
            places[v] = (Place){ { x[0], x[1], x[2] }, (int)v };
            number[v] = -1;
        }
        FindKept(mesh, places, keep);
        for (size_t c = 0; c < corners; ++c)
        {
            mesh->triangles[c] = keep[mesh->triangles[c]];
            number[mesh->triangles[c]] = 0;
        }
        int kept = 0;
        for (size_t v = 0; v < n; ++v)
        {
            if (number[v] == 0)
            {
                memmove(mesh->vertices + 3 * (size_t)kept, mesh->vertices + 3 * v, 3 * sizeof(double));
                number[v] = kept++;
            }
        }
        for (size_t c = 0; c < corners; ++c)
        {
            mesh->triangles[c] = number[mesh->triangles[c]];
        }
        mesh->vertexCount = kept;
    }
    Release(reader->hooks, places);
    Release(reader->hooks, keep);
    Release(reader->hooks, number);
    return status;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static rslStatus CheckCounts(const Reader* reader)
{
    if (reader->triangles == 0 && reader->others > 0)
    {
        return Refuse(reader, rsl_badInput, "the mesh file has only points or lines (%zu), no triangles",
                      reader->others);
    }
    if (reader->triangles == 0 && reader->vertices > 0)
    {
        return Refuse(reader, rsl_badInput, "the mesh file has %zu points and no triangles", reader->vertices);
    }
    if (reader->triangles == 0)
    {
        return Refuse(reader, rsl_badInput, "the mesh file has no triangles: it may be truncated");
    }
    if (reader->triangles > TRIANGLES_MOST)
    {
        return Refuse(reader, rsl_badInput, "the mesh file has %zu triangles, more than %d", reader->triangles,
                      TRIANGLES_MOST);
    }
    return rsl_ok;
}

static rslStatus CheckFinite(const Reader* reader)
{
    for (size_t i = 0; i < 3 * reader->vertices; ++i)
    {
        if (!isfinite(reader->mesh->vertices[i]))
        {
            return Refuse(reader, rsl_badInput, "vertex %zu has the coordinate %c = %g, expected a finite number",
                          i / 3 + 1, "xyz"[i % 3], reader -> mesh -> vertices[i]);
        }
    }
    return rsl_ok;
}

static rslStatus TakeScene(Reader* reader)
{
    rslStatus status = AddAll(reader, false);
    if (status == rsl_ok)
    {
        status = CheckCounts(reader);
    }
    if (status != rsl_ok)
    {
        return status;
    }
    rslMeshFile* mesh = reader->mesh;
    mesh->vertices = Allocate(reader->hooks, reader->vertices * 3 * sizeof(double));
    mesh->triangles = Allocate(reader->hooks, reader->triangles * 3 * sizeof(int));
    if (mesh->vertices == NULL || mesh->triangles == NULL)
    {
        return rsl_outOfMemory;
    }
    mesh->vertexCount = (int)reader->vertices;
    mesh->triangleCount = (int)reader->triangles;
    status = AddAll(reader, true);
    if (status == rsl_ok)
    {
        status = CheckFinite(reader);
    }
    return status == rsl_ok ? JoinVertices(reader) : status;
}

rslStatus rslMeshFile_Read(const char* path, const rslHooks* hooks, rslMeshFile* mesh, rslReport* report)
{
    Reader reader = { .path = path, .hooks = hooks, .report = report, .mesh = mesh };
    *mesh = (rslMeshFile){ 0 };
    rslStatus status = CheckFile(&reader);
    if (status != rsl_ok)
    {
        return status;
    }
    reader.scene = aiImportFile(path, 0);
    if (reader.scene == NULL || reader.scene->mRootNode == NULL)
    {
        const char* reason = aiGetErrorString();
        return Refuse(&reader, rsl_badInput, "the mesh file cannot be read: %s",
                      reason != NULL && reason[0] != 0 ? reason : "no reason was given");
    }
    status = TakeScene(&reader);
    aiReleaseImport(reader.scene);
    if (status == rsl_outOfMemory)
    {
        Refuse(&reader, status, "out of memory while reading the mesh file");
    }
    if (status != rsl_ok)
    {
        rslMeshFile_Free(mesh, hooks);
    }
    return status;
}

#endif
