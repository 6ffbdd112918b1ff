// SPDX-License-Identifier: MIT
//
// surface_lists.h: which triangles meet at a vertex of a surface, and which vertices a node carries.

#pragma once

#include "memory.h"

#include "resilin/model.h"

// Items of key k are items[start[k]] to items[start[k + 1] - 1].
typedef struct rslLists
{
    int *start, *items;
} rslLists;

// Of every vertex: 3 times a triangle plus the corner of it. False when out of memory.
bool rslSurface_ListCorners(const rslSurface* surface, rslArena* arena, rslLists* lists);

// Of every node of the body, counted from its first: 8 times a vertex plus the node's place in its stencil.
bool rslSurface_ListVertices(const rslBody* body, rslArena* arena, rslLists* lists);
