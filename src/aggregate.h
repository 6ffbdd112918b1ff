// SPDX-License-Identifier: MIT
//
// aggregate.h: multigrid for networks by smoothed aggregation (Vanek, Mandel, Brezina 1996), on the levels of multigrid.h.
//
// Aggregates are nodes with all their neighbours, taken greedily in the order of nodes; what is left over joins an
// aggregate next to it. Coarse unknowns of an aggregate are the rigid motions of its nodes, six in space and three in the
// plane, made orthonormal: B = Q R, and Q is its part of the tentative P0. Motions that an aggregate does not have (turns of
// one node, a turn about the line of two) are columns of zeros. R says what the rigid motions of the whole are in coarse
// unknowns, so that the next level goes on in the same way. Last, P = (I - 4/(3 l) D^-1 A) P0, l the largest eigenvalue of
// D^-1 A: the energy of coarse functions falls, and rigid motions stay exact away from held nodes.
//
// A here has springs that are pressed as slack across (statics.h), so that no level loses its positive sign under load.
//
//   aggregate.c           aggregates, and which blocks there are: once a model
//   aggregate_modes.c     rigid motions: once a state
//   aggregate_galerkin.c  P and P^T A P: once a state

#pragma once

#include "ascending.h"
#include "multigrid.h"

#include "statics.h"

struct rslAggregates
{
    int* of;           // aggregate of every node; -1 for nodes that are held or have no neighbours
    int* memberStart;  // of every aggregate
    int* member;       // ascending
    float* tentative;  // P0 of every node, by columns
    double* modes;     // R of every aggregate, by columns
    rslVec3* centre;   // of every aggregate, about which its rigid motions turn
};

enum
{
    RSL_AGGREGATE_ROW = 4096  // coarse neighbours of one coarse node; some 50 in random networks, more around a hub
};

// False when out of memory. levelCount stays 1 where there is nothing to coarsen.
bool rslAggregate_Make(rslMultigrid* grid, const rslModel* model, const rslUnknowns* unknowns, void* kernel,
                       rslArena* arena);

// Take over K of a state. Level 0's inverse is overwritten, unless its rows are already there (rslMultigrid_Store).
void rslAggregate_Update(rslMultigrid* grid, const rslState* state);

// Rigid motions of the members of every aggregate of a level: tentative, modes and centre.
void rslAggregate_FindModes(const rslMultigrid* grid, int level);

// Where an entry is in an ascending list that has it.
static inline int rslFindEntry(const int* list, int count, int value)
{
    return rslFirstFrom(list, 0, count - 1, value);
}
