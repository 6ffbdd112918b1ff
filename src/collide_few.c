// SPDX-License-Identifier: MIT
//
// collide_few.c: the few vertices that can meet something soon, where that can only be planes.
//
// Where sides are far from each other and from solids, and none touches itself, what may touch are vertices near planes. They are listed at
// a look with a margin, and the next looks are at them alone, until something has moved by the margin. All that touches is cut from the list
// by the exact test of all looks, so that a look at few tells the same as one at all.

#include "collide_internal.h"

#include <string.h>

bool rslCollide_MakeFew(rslCollide* c)
{
    size_t nodes = (size_t)c->model->contactNodeCount;
    c->few.vertices = rslArena_Allocate(&c->arena, (size_t)c->vertexCount, sizeof(int));
    c->few.start = rslArena_Allocate(&c->arena, (size_t)c->sideCount + 1, sizeof(int));
    c->few.nodes = rslArena_Allocate(&c->arena, nodes, sizeof(int));
    c->few.listed = rslArena_Allocate(&c->arena, nodes, sizeof(bool));
    return c->few.vertices != NULL && c->few.start != NULL && c->few.nodes != NULL && c->few.listed != NULL;
}

// ---- listing --------------------------------------------------------------------------------------------------------

// No farther apart than two boxes.
static double Between(const double lower[3], const double upper[3], const double otherLower[3],
                      const double otherUpper[3])
{
    double square = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double gap = rslMost(rslMost(lower[i] - otherUpper[i], otherLower[i] - upper[i]), 0.0);
        square += gap * gap;
    }
    return sqrt(square);
}

// Is a side so far from all others and from solids? Both may move by the margin.
static bool IsAlone(const rslCollide* c, int s, double margin)
{
    const rslSide* side = &c->sides[s];
    bool alone = side->rest == NULL;
    for (int t = s + 1; alone && t < c->sideCount; ++t)
    {
        const rslSide* other = &c->sides[t];
        double thick = side->thick + other->thick + c->given;
        alone = Between(side->lower, side->upper, other->lower, other->upper) > 2.0 * margin + thick;
    }
    for (int k = 0; alone && k < c->model->colliderCount; ++k)
    {
        const rslBounds* b = &c->bounds[k];
        const double lower[3] = { b->lower.x, b->lower.y, b->lower.z },
                     upper[3] = { b->upper.x, b->upper.y, b->upper.z };
        bool plane = c->model->colliders[k].type == rsl_planeCollider;
        alone = !c->model->colliders[k].moves &&
                (plane || Between(side->lower, side->upper, lower, upper) > margin + side->thick + side->more);
    }
    return alone;
}

static bool IsNearPlane(const rslCollide* c, const rslSide* side, int v, double margin)
{
    bool near = false;
    for (int k = 0; !near && k < c->model->colliderCount; ++k)
    {
        if (c->model->colliders[k].type == rsl_planeCollider)
        {
            const rslPlane* plane = &c->placed[k].plane;
            double gap = rslDot(plane->normal, rslSub(rslSide_Vertex(c, side, v), plane->point));
            near = !(gap > margin + side->thick + side->more);
        }
    }
    return near;
}

static void AddVertex(rslCollide* c, const rslSide* side, int v)
{
    c->few.vertices[c->few.vertexCount++] = v;
    for (int i = side->skin->stencilStart[v]; i < side->skin->stencilStart[v + 1]; ++i)
    {
        int node = side->skin->stencilNodes[i];
        if (!c->few.listed[node])
        {
            c->few.listed[node] = true;
            c->few.nodes[c->few.nodeCount++] = node;
        }
    }
}

bool rslCollide_ListFew(rslCollide* c, double margin)
{
    if (c->activeCount > 0 || c->look.few)
    {
        return false;
    }
    for (int s = 0; s < c->sideCount; ++s)
    {
        if (!IsAlone(c, s, margin))
        {
            return false;
        }
    }
    memset(c->few.listed, 0, (size_t)c->model->contactNodeCount * sizeof(bool));
    c->few.vertexCount = c->few.nodeCount = 0;
    for (int s = 0; s < c->sideCount; ++s)
    {
        const rslSide* side = &c->sides[s];
        c->few.start[s] = c->few.vertexCount;
        for (int v = 0; v < side->skin->vertexCount; ++v)
        {
            if (IsNearPlane(c, side, v, margin))
            {
                AddVertex(c, side, v);
            }
        }
    }
    c->few.start[c->sideCount] = c->few.vertexCount;
    return true;
}

const int* rslCollide_FewNodes(const rslCollide* c, int* count)
{
    *count = c->few.nodeCount;
    return c->few.nodes;
}

// ---- looking --------------------------------------------------------------------------------------------------------

void rslCollide_PlaceFew(rslCollide* c)
{
    for (int i = 0; i < c->few.nodeCount; ++i)
    {
        int n = c->few.nodes[i];
        c->pushes[n] = c->look.a != NULL ? rslLength(rslVec3_Of(c->look.a + 3 * (size_t)n)) : 0.0;
    }
    for (int s = 0; s < c->sideCount; ++s)
    {
        rslSide* side = &c->sides[s];
        side->speed = side->push = 0.0;
        for (int i = c->few.start[s]; i < c->few.start[s + 1]; ++i)
        {
            int v = c->few.vertices[i];
            rslCollide_PlaceVertex(c, side, v);
            side->speed = rslMost(side->speed, rslLength(rslVec3_Of(c->v + 3 * (size_t)(side->first + v))));
            side->push = rslMost(side->push, c->push[side->first + v]);
        }
    }
}

rslStatus rslCollide_ListFewWork(rslCollide* c)
{
    c->workCount = 0;
    for (int s = 0; s < c->sideCount; ++s)
    {
        if (!rslCollide_AddWork(c, s, rsl_vertexWork, c->few.start[s], c->few.start[s + 1]))
        {
            return rsl_outOfMemory;
        }
    }
    return rsl_ok;
}
