// SPDX-License-Identifier: MIT
//
// export_glb.c: a glTF binary of the surfaces, still or moving.
//
// The frames are read twice: once for the ranges that the description must state, once to be written. So memory holds
// two frames, however long the animation is.

#include "export_glb.h"

#include "export_pc2.h"
#include "file.h"
#include "normals.h"

#include <math.h>
#include <string.h>

#define MAX_BYTES 4000000000u  // glTF counts its bytes in 32 bits

// Where frames come from: a cache, or the snapshot itself.
typedef struct Source
{
    const rslPc2Info* cache;  // NULL: the snapshot
    const rslSnapshot* snapshot;
    bool notFinite;  // something was replaced by zero
} Source;

// Positions and normals of one frame, and of frame 0 to subtract.
typedef struct Buffers
{
    float *position, *basePosition;
    float *normal, *baseNormal;
    double* sums;
} Buffers;

float rslGlb_FrameTime(const rslGlb* glb, int index)
{
    return (float)(glb->frames[index] / glb->frameRate);
}

// ---- reading frames -------------------------------------------------------------------------------------------------

static bool ReadFrame(Source* source, int frame, float* xyz)
{
    size_t count = 3 * (size_t)source->snapshot->vertexCount;
    if (source->cache != NULL)
    {
        if (!rslPc2_ReadFrame(source->cache, frame, xyz))
        {
            return false;
        }
    }
    else
    {
        for (size_t i = 0; i < count; ++i)
        {
            xyz[i] = rslNarrow(source->snapshot->vertices[i]);
        }
    }
    for (size_t i = 0; i < count; ++i)
    {
        if (!isfinite(xyz[i]))
        {
            xyz[i] = 0.0f;
            source->notFinite = true;
        }
    }
    return true;
}

static void ComputeNormals(const rslSnapshot* s, const Buffers* buffers)
{
    rslNormals_Compute(s->triangles, s->triangleCount, buffers->position, s->vertexCount, buffers->sums);
    for (size_t i = 0; i < 3 * (size_t)s->vertexCount; ++i)
    {
        buffers->normal[i] = (float)buffers->sums[i];
    }
}

static void Subtract(float* values, const float* base, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        values[i] = rslNarrow((double)values[i] - (double)base[i]);
    }
}

// The next frame as the file holds it: frame 0 itself, the differences to it from then on.
static bool LoadFrame(const rslGlb* glb, Source* source, Buffers* buffers, int index, bool withNormals)
{
    size_t count = 3 * (size_t)glb->topology->vertexCount;
    if (!ReadFrame(source, glb->frames[index], buffers->position))
    {
        return false;
    }
    if (withNormals)
    {
        ComputeNormals(glb->topology, buffers);
    }
    if (index == 0)
    {
        memcpy(buffers->basePosition, buffers->position, count * sizeof(float));
        memcpy(buffers->baseNormal, buffers->normal, count * sizeof(float));
        return true;
    }
    Subtract(buffers->position, buffers->basePosition, count);
    if (withNormals)
    {
        Subtract(buffers->normal, buffers->baseNormal, count);
    }
    return true;
}

static rslGlbRange RangeOf(const float* xyz, int count)
{
    rslGlbRange range;
    memcpy(range.lower, xyz, sizeof range.lower);
    memcpy(range.upper, xyz, sizeof range.upper);
    for (size_t i = 3; i < 3 * (size_t)count; ++i)
    {
        size_t c = i % 3;
        range.lower[c] = xyz[i] < range.lower[c] ? xyz[i] : range.lower[c];
        range.upper[c] = xyz[i] > range.upper[c] ? xyz[i] : range.upper[c];
    }
    return range;
}

static bool FindRanges(rslGlb* glb, Source* source, Buffers* buffers)
{
    for (int f = 0; f < glb->frameCount; ++f)
    {
        if (!LoadFrame(glb, source, buffers, f, false))
        {
            return false;
        }
        glb->ranges[f] = RangeOf(buffers->position, glb->topology->vertexCount);
    }
    return true;
}

// ---- writing --------------------------------------------------------------------------------------------------------

static void Put32(rslFileStream* stream, uint32_t value)
{
    unsigned char bytes[4];
    rslStore32(bytes, value);
    rslFileStream_Put(stream, bytes, 4);
}

static void PutFloats(rslFileStream* stream, const float* values, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        Put32(stream, rslFloatBits(values[i]));
    }
}

static void PutAnimation(rslFileStream* stream, const rslGlb* glb)
{
    for (int f = 0; f < glb->frameCount; ++f)
    {
        Put32(stream, rslFloatBits(rslGlb_FrameTime(glb, f)));
    }
    for (int f = 0; f < glb->frameCount; ++f)
    {
        for (int target = 1; target < glb->frameCount; ++target)
        {
            Put32(stream, rslFloatBits(target == f ? 1.0f : 0.0f));
        }
    }
}

static bool PutBinary(rslFileStream* stream, const rslGlb* glb, Source* source, Buffers* buffers)
{
    for (size_t i = 0; i < 3 * (size_t)glb->topology->triangleCount; ++i)
    {
        Put32(stream, glb->indices[i]);
    }
    size_t count = 3 * (size_t)glb->topology->vertexCount;
    for (int f = 0; f < glb->frameCount; ++f)
    {
        if (!LoadFrame(glb, source, buffers, f, true))
        {
            return false;
        }
        PutFloats(stream, buffers->position, count);
        PutFloats(stream, buffers->normal, count);
    }
    if (glb->frameCount > 1)
    {
        PutAnimation(stream, glb);
    }
    return true;
}

static rslStatus WriteFile(const char* path, const rslGlb* glb, Source* source, Buffers* buffers, rslReport* report)
{
    size_t length = 0;
    char* json = rslGlb_Describe(glb, &length);
    if (json == NULL)
    {
        return rsl_outOfMemory;
    }
    rslFileStream stream;
    rslStatus status = rslFileStream_Open(&stream, path, report);
    if (status == rsl_ok)
    {
        uint64_t binary = rslGlb_IndexBytes(glb) + rslGlb_VertexBytes(glb) + rslGlb_AnimationBytes(glb);
        rslFileStream_Put(&stream, "glTF", 4);
        Put32(&stream, 2);
        Put32(&stream, (uint32_t)(12 + 8 + length + 8 + binary));
        Put32(&stream, (uint32_t)length);
        rslFileStream_Put(&stream, "JSON", 4);
        rslFileStream_Put(&stream, json, length);
        Put32(&stream, (uint32_t)binary);
        rslFileStream_Put(&stream, "BIN", 4);
        if (PutBinary(&stream, glb, source, buffers))
        {
            status = rslFileStream_Commit(&stream, report);
        }
        else
        {
            rslFileStream_Abandon(&stream);
            status = rsl_ioError;
        }
    }
    rslRelease(&glb->hooks, json);
    return status;
}

// ---- putting it together --------------------------------------------------------------------------------------------

// Triangles sorted by body, in their order within each.
static void SortTriangles(rslGlb* glb, size_t* next)
{
    const rslSnapshot* s = glb->topology;
    for (int t = 0; t < s->triangleCount; ++t)
    {
        glb->bodyTriangles[s->vertexBody[s->triangles[3 * (size_t)t]]] += 1;
    }
    size_t sum = 0;
    for (int b = 0; b < s->bodyCount; ++b)
    {
        next[b] = sum;
        sum += (size_t)glb->bodyTriangles[b];
    }
    for (int t = 0; t < s->triangleCount; ++t)
    {
        const int* corner = s->triangles + 3 * (size_t)t;
        uint32_t* sorted = glb->indices + 3 * next[s->vertexBody[corner[0]]]++;
        for (int i = 0; i < 3; ++i)
        {
            sorted[i] = (uint32_t)corner[i];
        }
    }
}

// Which frames of a cache are kept: all, or evenly fewer, always with the first and the last.
static void ChooseFrames(rslGlb* glb, int available)
{
    int64_t gaps = glb->frameCount > 1 ? glb->frameCount - 1 : 1;
    for (int i = 0; i < glb->frameCount; ++i)
    {
        glb->frames[i] = (int)((2 * (int64_t)i * (available - 1) + gaps) / (2 * gaps));
    }
}

static int CountFrames(const rslSnapshot* topology, int available)
{
    uint64_t frame = 24 * (uint64_t)topology->vertexCount;
    uint64_t fixed = 12 * (uint64_t)topology->triangleCount + (1u << 24);
    uint64_t most = fixed < MAX_BYTES ? (MAX_BYTES - fixed) / frame : 0;
    most = most < RSL_GLB_FRAMES ? most : RSL_GLB_FRAMES;
    return available < (int)most ? available : (int)most;
}

static bool MakeGlb(rslGlb* glb, Buffers* buffers, rslArena* arena, int available)
{
    const rslSnapshot* s = glb->topology;
    size_t components = 3 * (size_t)s->vertexCount, bodies = (size_t)s->bodyCount;
    glb->indices = rslArena_Allocate(arena, 3 * (size_t)s->triangleCount, sizeof(uint32_t));
    glb->bodyTriangles = rslArena_Allocate(arena, bodies, sizeof(int));
    glb->frames = rslArena_Allocate(arena, (size_t)glb->frameCount, sizeof(int));
    glb->ranges = rslArena_Allocate(arena, (size_t)glb->frameCount, sizeof(rslGlbRange));
    size_t* next = rslArena_Allocate(arena, bodies, sizeof(size_t));
    float** arrays[] = { &buffers->position, &buffers->basePosition, &buffers->normal, &buffers->baseNormal };
    bool complete = glb->indices && glb->bodyTriangles && glb->frames && glb->ranges && next;
    for (int i = 0; i < 4; ++i)
    {
        *arrays[i] = rslArena_Allocate(arena, components, sizeof(float));
        complete = complete && *arrays[i];
    }
    buffers->sums = rslArena_Allocate(arena, components, sizeof(double));
    if (!complete || buffers->sums == NULL)
    {
        return false;
    }
    ChooseFrames(glb, available);
    SortTriangles(glb, next);
    return true;
}

static rslStatus WriteGlb(const char* path, Source* source, double frameRate, const rslHooks* hooks, rslReport* report)
{
    int available = source->cache ? source->cache->frameCount : 1;
    rslGlb glb = { .topology = source->snapshot, .frameRate = frameRate };
    if (source->snapshot->triangleCount == 0 || source->snapshot->vertexCount == 0 || available == 0)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%.300s: there is no surface to write", path);
        return rsl_badInput;
    }
    glb.hooks = rslHooks_Complete(hooks);
    glb.frameCount = CountFrames(source->snapshot, available);
    if (glb.frameCount == 0)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%.300s: the surface is too large for a .glb", path);
        return rsl_badInput;
    }
    rslArena arena = rslArena_Make(hooks);
    Buffers buffers = { 0 };
    rslStatus status = rsl_outOfMemory;
    if (MakeGlb(&glb, &buffers, &arena, available))
    {
        bool readable = FindRanges(&glb, source, &buffers);
        status = readable ? WriteFile(path, &glb, source, &buffers, report) : rsl_ioError;
    }
    rslArena_Free(&arena);
    if (status == rsl_ok && glb.frameCount < available)
    {
        rslReport_Add(report, rsl_note, (rslPlace){ 0 }, "%.300s shows %d of %d frames, evenly chosen", path,
                      glb.frameCount, available);
    }
    if (status == rsl_ok && source->notFinite)
    {
        rslReport_Add(report, rsl_warning, (rslPlace){ 0 }, "%.300s: positions that are not finite are zero", path);
    }
    return status;
}

rslStatus rslGlb_Write(const char* path, const rslSnapshot* snapshot, const rslHooks* hooks, rslReport* report)
{
    Source source = { .snapshot = snapshot };
    return WriteGlb(path, &source, 1.0, hooks, report);
}

rslStatus rslGlb_FromPc2(const char* path, const char* pc2Path, const rslSnapshot* topology, double frameRate,
                         const rslHooks* hooks, rslReport* report)
{
    if (!(frameRate > 0.0) || !isfinite(frameRate))
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%.300s: the frame rate is not positive", path);
        return rsl_badInput;
    }
    rslPc2Info info;
    rslStatus status = rslPc2_OpenToRead(pc2Path, &info, report);
    if (status != rsl_ok)
    {
        return status;
    }
    if (info.vertexCount != topology->vertexCount)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%.300s holds %d vertices, the surface has %d", pc2Path,
                      info.vertexCount, topology->vertexCount);
        status = rsl_mismatch;
    }
    else
    {
        Source source = { .cache = &info, .snapshot = topology };
        status = WriteGlb(path, &source, frameRate, hooks, report);
        if (status == rsl_ioError && report != NULL && report->errors == 0)
        {
            rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "cannot read %.300s to its end", pc2Path);
        }
    }
    rslPc2_CloseRead(&info);
    return status;
}
