// SPDX-License-Identifier: MIT
//
// collide_few.c: the few vertices that can meet something soon, where that can only be planes.
//
// Where sides are far from each other and from solids, and none touches itself, what may touch are vertices near planes. They are listed at
// a look with a margin, and the next looks are at them alone, until a vertex may have moved by the margin. All that touches is cut from the
// list by the exact test of all looks, so that a look at few tells the same as one at all. Of a list that lasts long, those that can touch
// sooner are a shorter one.

#include "collide_internal.h"

#include "lanes.h"

#include <string.h>

#define PlaceVertices rslCollide_PlaceFewVertices

enum
{
    FEW = 1024,  // nodes: more are looked at by all threads, unless they are few of all
    BLOCK = 128  // vertices of an item of work
};

static double SumOfWeights(const rslSkin* skin, int v)
{
    double sum = 0.0;
    for (int i = skin->stencilStart[v]; i < skin->stencilStart[v + 1]; ++i)
    {
        sum += fabs(skin->stencilWeights[i]);
    }
    return sum;
}

bool rslCollide_MakeFew(rslCollide* c)
{
    c->few.spread = 1.0;
    c->few.possible = true;
    for (int s = 0; s < c->sideCount; ++s)
    {
        c->few.possible = c->few.possible && c->sides[s].rest == NULL;
        c->sides[s].repeats = rslSide_Repeats(&c->sides[s]);
        for (int v = 0; v < c->sides[s].skin->vertexCount; ++v)
        {
            c->few.spread = rslMost(c->few.spread, SumOfWeights(c->sides[s].skin, v));
        }
    }
    for (int k = 0; k < c->model->colliderCount; ++k)
    {
        c->few.possible = c->few.possible && !c->model->colliders[k].moves;
    }
    c->few.single = c->model->colliderCount == 1 && c->model->colliders[0].type == rsl_planeCollider;
    size_t nodes = (size_t)c->model->contactNodeCount;
    c->few.vertices = rslArena_Allocate(&c->arena, (size_t)c->vertexCount, sizeof(int));
    c->few.start = rslArena_Allocate(&c->arena, (size_t)c->sideCount + 1, sizeof(int));
    c->few.nodes = rslArena_Allocate(&c->arena, nodes + 1, sizeof(int));
    c->few.slot = rslArena_Allocate(&c->arena, nodes, sizeof(int));
    c->few.looks = rslArena_Allocate(&c->arena, nodes, sizeof(rslFewLook));
    c->few.places = rslArena_Allocate(&c->arena, (size_t)c->vertexCount, sizeof(rslFewLook));
    c->few.gaps = rslArena_Allocate(&c->arena, 3 * (size_t)c->vertexCount, sizeof(double));
    c->few.most = rslArena_Allocate(&c->arena, 3 * ((size_t)c->vertexCount / BLOCK + 1), sizeof(double));
    c->few.allVertices = rslArena_Allocate(&c->arena, (size_t)c->vertexCount, sizeof(int));
    c->few.allStart = rslArena_Allocate(&c->arena, (size_t)c->sideCount + 1, sizeof(int));
    c->few.allNodes = rslArena_Allocate(&c->arena, nodes + 1, sizeof(int));
    c->few.towards = c->few.gaps != NULL ? c->few.gaps + c->vertexCount : NULL;
    c->few.pushed = c->few.gaps != NULL ? c->few.towards + c->vertexCount : NULL;
    return c->few.gaps != NULL && c->few.allVertices != NULL && c->few.allStart != NULL && c->few.allNodes != NULL &&
           c->few.vertices != NULL && c->few.start != NULL && c->few.nodes != NULL && c->few.slot != NULL &&
           c->few.looks != NULL && c->few.places != NULL && c->few.most != NULL;
}

// ---- listing --------------------------------------------------------------------------------------------------------

bool rslCollide_IsAlone(const rslCollide* c, const rslSide* side, double margin)
{
    bool alone = true;
    double by = margin + side->thick + side->more;
    for (int k = 0; alone && k < c->model->colliderCount; ++k)
    {
        const rslBounds* b = &c->bounds[k];
        bool plane = c->model->colliders[k].type == rsl_planeCollider;
        alone = plane || side->lower[0] - by > b->upper.x || side->upper[0] + by < b->lower.x ||
                side->lower[1] - by > b->upper.y || side->upper[1] + by < b->lower.y ||
                side->lower[2] - by > b->upper.z || side->upper[2] + by < b->lower.z;
    }
    return alone;
}

static bool IsNearPlane(const rslCollide* c, const rslSide* side, rslVec3 x, double margin)
{
    bool near = false;
    for (int k = 0; !near && k < c->model->colliderCount; ++k)
    {
        if (c->model->colliders[k].type == rsl_planeCollider)
        {
            const rslPlane* plane = &c->placed[k].plane;
            double gap = rslDot(plane->normal, rslSub(x, plane->point));
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
        c->few.slot[side->skin->stencilNodes[i]] = 1;
    }
}

// Those of some that vertices hang on, in their order: neighbours are looked at together. NULL: of all.
static void AddNodes(rslCollide* c, const int* nodes, int count)
{
    c->few.nodeCount = 0;
    for (int i = 0; i < count; ++i)
    {
        int n = nodes != NULL ? nodes[i] : i;
        bool listed = c->few.slot[n] != 0;
        c->few.nodes[c->few.nodeCount] = n;
        c->few.slot[n] = c->few.nodeCount;
        c->few.nodeCount += listed;
    }
}

// What is listed is all.
static void KeepAll(rslCollide* c)
{
    rslFew* few = &c->few;
    few->allVertexCount = few->vertexCount;
    few->allNodeCount = few->nodeCount;
    memcpy(few->allVertices, few->vertices, (size_t)few->vertexCount * sizeof(int));
    memcpy(few->allStart, few->start, ((size_t)c->sideCount + 1) * sizeof(int));
    memcpy(few->allNodes, few->nodes, (size_t)few->nodeCount * sizeof(int));
}

bool rslCollide_ListFew(rslCollide* c, double margin)
{
    if (!c->few.possible || c->activeCount > 0 || c->look.few || !rslCollide_AreApart(c, 2.0 * margin))
    {
        return false;
    }
    for (int s = 0; s < c->sideCount; ++s)
    {
        if (!rslCollide_IsAlone(c, &c->sides[s], margin))
        {
            return false;
        }
    }
    memset(c->few.slot, 0, (size_t)c->model->contactNodeCount * sizeof(int));
    c->few.vertexCount = 0;
    for (int s = 0; s < c->sideCount; ++s)
    {
        const rslSide* side = &c->sides[s];
        c->few.start[s] = c->few.vertexCount;
        for (int v = 0; v < side->skin->vertexCount; ++v)
        {
            if (IsNearPlane(c, side, rslSide_Vertex(c, side, v), margin))
            {
                AddVertex(c, side, v);
            }
        }
    }
    c->few.start[c->sideCount] = c->few.vertexCount;
    AddNodes(c, NULL, c->model->contactNodeCount);
    KeepAll(c);
    return c->few.nodeCount <= FEW || c->few.nodeCount <= c->model->contactNodeCount / 4;
}

void rslCollide_NarrowFew(rslCollide* c, double margin)
{
    for (int i = 0; i < c->few.nodeCount; ++i)
    {
        c->few.slot[c->few.nodes[i]] = 0;
    }
    c->few.vertexCount = 0;
    for (int s = 0, i = 0; s < c->sideCount; ++s)
    {
        const rslSide* side = &c->sides[s];
        int end = c->few.start[s + 1];
        c->few.start[s] = c->few.vertexCount;
        for (; i < end; ++i)
        {
            if (IsNearPlane(c, side, c->few.places[i].x, margin))
            {
                AddVertex(c, side, c->few.vertices[i]);
            }
        }
    }
    c->few.start[c->sideCount] = c->few.vertexCount;
    AddNodes(c, c->few.allNodes, c->few.allNodeCount);
}

void rslCollide_WidenFew(rslCollide* c)
{
    rslFew* few = &c->few;
    few->vertexCount = few->allVertexCount;
    few->nodeCount = few->allNodeCount;
    memcpy(few->vertices, few->allVertices, (size_t)few->vertexCount * sizeof(int));
    memcpy(few->start, few->allStart, ((size_t)c->sideCount + 1) * sizeof(int));
    memcpy(few->nodes, few->allNodes, (size_t)few->nodeCount * sizeof(int));
    for (int i = 0; i < few->nodeCount; ++i)
    {
        few->slot[few->nodes[i]] = i;
    }
}

double rslCollide_Spread(const rslCollide* c)
{
    return c->few.spread;
}

const int* rslCollide_FewNodes(const rslCollide* c, int* count)
{
    *count = c->few.nodeCount;
    return c->few.nodes;
}

// ---- looking --------------------------------------------------------------------------------------------------------

static double PushOf(const rslCollide* c, rslVec3 a)
{
    return c->few.single ? fabs(rslDot(c->placed[0].plane.normal, a)) : rslLength(a);
}

void rslCollide_LookAtFew(rslCollide* c, const rslLook* look, int begin, int end)
{
    for (int i = begin; i < end; ++i)
    {
        size_t n = 3 * (size_t)c->few.nodes[i];
        rslFewLook* at = &c->few.looks[i];
        *at = (rslFewLook){ .x = rslVec3_Of(look->x + n) };
        at->v = look->v != NULL ? rslVec3_Of(look->v + n) : at->v;
        at->push = look->a != NULL ? PushOf(c, rslVec3_Of(look->a + n)) : 0.0;
    }
}

typedef int64_t Bits __attribute__((vector_size(8 * RSL_LANES)));

// As all vertices are placed (collide_sides.c), from the nodes of the list side by side: of a node x, v and its push at once, all times w, and
// the push times |w|.
RSL_CLONES static void PlaceVertices(rslCollide* c, const rslSide* side, int begin, int end, double most[2])
{
    const rslSkin* skin = side->skin;
    const Bits pushed = { -1, -1, -1, -1, -1, -1, -1, INT64_MAX };
    double fastest = 0.0, hardest = 0.0;
    for (int i = begin; i < end; ++i)
    {
        int v = c->few.vertices[i];
        rslLanes sum = { 0 }, node;
        for (int e = skin->stencilStart[v]; e < skin->stencilStart[v + 1]; ++e)
        {
            memcpy(&node, &c->few.looks[c->few.slot[skin->stencilNodes[e]]], sizeof node);
            node *= skin->stencilWeights[e];
            sum += (rslLanes)((Bits)node & pushed);
        }
        memcpy(&c->few.places[i], &sum, sizeof sum);
        fastest = rslMost(fastest, sum[4] * sum[4] + sum[5] * sum[5] + sum[6] * sum[6]);
        hardest = rslMost(hardest, sum[7]);
    }
    most[0] = fastest;
    most[1] = hardest;
}

typedef struct Placing
{
    rslCollide* c;
    int side;
} Placing;

static void PlaceBlock(int item, void* context)
{
    const Placing* placing = context;
    rslCollide* c = placing->c;
    int begin = c->few.start[placing->side] + item * BLOCK, last = c->few.start[placing->side + 1];
    int end = last - begin < BLOCK ? last : begin + BLOCK;
    double* most = &c->few.most[3 * (size_t)item];
    PlaceVertices(c, &c->sides[placing->side], begin, end, most);
    most[2] = c->few.single ? rslSide_FewCloseAt(c, &c->sides[placing->side], begin, end) : 0.0;
}

// For those who ask for any vertex (collide_collider.c).
static void Spread(rslCollide* c, const rslSide* side, int begin, int end)
{
    for (int i = begin; i < end; ++i)
    {
        size_t at = (size_t)(side->first + c->few.vertices[i]);
        const rslFewLook* place = &c->few.places[i];
        memcpy(c->x + 3 * at, &place->x, sizeof place->x);
        memcpy(c->v + 3 * at, &place->v, sizeof place->v);
        c->push[at] = place->push;
    }
}

double rslCollide_PlaceFew(rslCollide* c)
{
    double closes = 0.0;
    if (!c->look.told)
    {
        rslCollide_LookAtFew(c, &c->look, 0, c->few.nodeCount);
    }
    for (int s = 0; s < c->sideCount; ++s)
    {
        rslSide* side = &c->sides[s];
        int blocks = (c->few.start[s + 1] - c->few.start[s] + BLOCK - 1) / BLOCK;
        double fastest = 0.0;
        rslTeam_Run(c->team, PlaceBlock, blocks, &(Placing){ c, s });
        side->push = 0.0;
        for (int b = 0; b < blocks; ++b)
        {
            const double* most = &c->few.most[3 * (size_t)b];
            fastest = rslMost(fastest, most[0]);
            side->push = rslMost(side->push, most[1]);
            closes = rslMost(closes, most[2]);
        }
        side->speed = sqrt(fastest);
        if (side->repeats)
        {
            Spread(c, side, c->few.start[s], c->few.start[s + 1]);
        }
    }
    return closes;
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
