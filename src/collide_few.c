// SPDX-License-Identifier: MIT
//
// collide_few.c: the few vertices that can meet something soon, where that can only be planes.
//
// Where sides are far from each other and from solids, and none touches itself, what may touch are vertices near planes. They are listed at
// a look with a margin (collide_few_list.c), and the next looks are at them alone, until a vertex that is not listed may have moved by the
// margin. All that touches is cut from the list by the exact test of all looks, so that a look at few tells the same as one at all.

#include "collide_internal.h"

#include "lanes.h"

#include <string.h>

#define PlaceVertices rslCollide_PlaceFewVertices

enum
{
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
    c->few.towards = c->few.gaps != NULL ? c->few.gaps + c->vertexCount : NULL;
    c->few.pushed = c->few.gaps != NULL ? c->few.towards + c->vertexCount : NULL;
    return c->few.gaps != NULL && c->few.vertices != NULL && c->few.start != NULL && c->few.nodes != NULL &&
           c->few.slot != NULL && c->few.looks != NULL && c->few.places != NULL && c->few.most != NULL;
}

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
