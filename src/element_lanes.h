// SPDX-License-Identifier: MIT
//
// element_lanes.h: hexahedra of lattices and tetrahedra, as many at a time as a vector has lanes.

#pragma once

#include "kernel_element.h"

// Where forces of elements are summed up, batches of elements and spans of nodes; false when out of memory.
bool RSL_NAME(rslElements_MakeLanes)(Kernel* kernel);

// Zeroed room for a number of every place; NULL when out of memory.
Real* RSL_NAME(rslElements_Places)(Kernel* kernel);

// Are the elements of a chunk in batches?
static inline bool HasBatches(const ElementKernel* e, const Chunk* chunk)
{
    return !e->singly && e->batchStart[chunk->index] < e->batchStart[chunk->index + 1];
}

// Of the batches of a chunk: forces added to sums, and what their dampers take [W]; energy [J].
double RSL_NAME(rslElements_LaneForces)(Kernel* kernel, const View* view, const Chunk* chunk);
double RSL_NAME(rslElements_LaneEnergy)(const Kernel* kernel, const View* view, const Chunk* chunk);

// Batches of triangles with angular springs (element_angle_lanes.c), after places; false when out of memory. Has a chunk any? Their forces.
bool RSL_NAME(rslAngles_Make)(Kernel* kernel);
static inline bool HasAngles(const ElementKernel* e, const Chunk* chunk)
{
    return !e->singly && e->angleStart != NULL && e->angleStart[chunk->index] < e->angleStart[chunk->index + 1];
}
double RSL_NAME(rslAngles_Forces)(Kernel* kernel, const View* view, const Chunk* chunk);

// Sums of count nodes from one on, which follow those of the first at these places, times a sign: added to out.
void RSL_NAME(rslElements_AddSpan)(Real* const sums[3], const int* places, const int* end, Real sign, int node,
                                   int count, Real* const out[3]);
