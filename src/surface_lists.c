// SPDX-License-Identifier: MIT
//
// surface_lists.c: see surface_lists.h.

#include "surface_lists.h"

#include "lists.h"

static bool Allocate(rslArena* arena, int keys, int items, rslLists* lists)
{
    lists->start = rslArena_Allocate(arena, (size_t)keys + 1, sizeof(int));
    lists->items = rslArena_Allocate(arena, (size_t)items, sizeof(int));
    return lists->start != NULL && lists->items != NULL;
}

bool rslSurface_ListCorners(const rslSurface* surface, rslArena* arena, rslLists* lists)
{
    int corners = 3 * surface->triangleCount;
    if (!Allocate(arena, surface->vertexCount, corners, lists))
    {
        return false;
    }
    rslInvert(surface->triangles, corners, surface->vertexCount, lists->start, lists->items);
    return true;
}

bool rslSurface_ListVertices(const rslBody* body, rslArena* arena, rslLists* lists)
{
    const rslSurface* surface = &body->surface;
    int entries = 8 * surface->vertexCount;
    int* keys = rslAllocate(&arena->hooks, (size_t)entries, sizeof(int));
    bool made = Allocate(arena, body->nodeCount, entries, lists) && keys != NULL;
    for (int e = 0; made && e < entries; ++e)
    {
        keys[e] = surface->stencilWeights[e] != 0.0 ? surface->stencilNodes[e] - body->firstNode : -1;
    }
    if (made)
    {
        rslInvert(keys, entries, body->nodeCount, lists->start, lists->items);
    }
    rslRelease(&arena->hooks, keys);
    return made;
}
