// SPDX-License-Identifier: MIT
//
// export_glb.h: what a glTF binary is made of, shared by the part that writes the arrays and the one that describes them.
//
// The binary chunk holds, in this order: the indices of all bodies (uint32), the vertex data (frame 0: positions,
// normals; every further frame: what is to be added to both), and for an animation the times and the weights.

#pragma once

#include "memory.h"
#include "resilin/export.h"

typedef struct rslGlbRange
{
    float lower[3], upper[3];
} rslGlbRange;

typedef struct rslGlb
{
    rslHooks hooks;
    const rslSnapshot* topology;
    uint32_t* indices;    // sorted by body
    int* bodyTriangles;   // triangles of every body
    int frameCount;       // kept
    int* frames;          // which ones they are in the cache
    rslGlbRange* ranges;  // of the positions of frame 0, of what is added for the others
    double frameRate;
} rslGlb;

static inline uint64_t rslGlb_IndexBytes(const rslGlb* glb)
{
    return 12 * (uint64_t)glb->topology->triangleCount;
}

// Positions and normals of all frames.
static inline uint64_t rslGlb_VertexBytes(const rslGlb* glb)
{
    return 24 * (uint64_t)glb->topology->vertexCount * (uint64_t)glb->frameCount;
}

// Times, then a row of weights for each.
static inline uint64_t rslGlb_AnimationBytes(const rslGlb* glb)
{
    uint64_t n = (uint64_t)glb->frameCount;
    return n > 1 ? 4 * n + 4 * n * (n - 1) : 0;
}

// The JSON chunk, padded with spaces to a multiple of 4 bytes; released by the caller. NULL when out of memory.
char* rslGlb_Describe(const rslGlb* glb, size_t* length);

// When a kept frame is shown [s].
float rslGlb_FrameTime(const rslGlb* glb, int index);
