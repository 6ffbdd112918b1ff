// SPDX-License-Identifier: MIT
//
// collide_sides.c: bodies with skins: made once, placed at every look, their boxes fitted anew where they have moved.

#include "collide_internal.h"

#include "lists.h"

#include <string.h>

// ---- making ---------------------------------------------------------------------------------------------------------

static void RestVertices(const rslModel* model, const rslSide* side, double* rest)
{
    const rslBody* body = &model->bodies[side->body];
    const rslSkin* skin = side->skin;
    for (int v = 0; v < skin->vertexCount; ++v)
    {
        for (int i = skin->stencilStart[v]; i < skin->stencilStart[v + 1]; ++i)
        {
            double x[3];
            int node = model->contactNodes[skin->stencilNodes[i]];
            rslBody_Rest(body, node, node + 1, x);
            for (int axis = 0; axis < 3; ++axis)
            {
                rest[3 * (size_t)v + (size_t)axis] += skin->stencilWeights[i] * x[axis];
            }
        }
    }
}

static double MeanEdge(const rslSkin* skin, const double* rest)
{
    double sum = 0.0;
    for (int e = 0; e < skin->edgeCount; ++e)
    {
        const double *a = rest + 3 * (size_t)skin->edges[2 * e], *b = rest + 3 * (size_t)skin->edges[2 * e + 1];
        sum += rslLength(rslSub(rslVec3_Of(a), rslVec3_Of(b)));
    }
    return skin->edgeCount > 0 ? sum / skin->edgeCount : 0.0;
}

static void SetSize(const rslModel* model, rslSide* side, const double* rest)
{
    const rslSkin* skin = side->skin;
    side->thick = skin->thickness;
    for (int v = 0; skin->radius != NULL && v < skin->vertexCount; ++v)
    {
        side->thick = rslMost(side->thick, skin->radius[v]);
    }
    side->size = model->bodies[side->body].spacing;
    side->size = side->size > 0.0 ? side->size : MeanEdge(skin, rest);
    side->size = side->size > 0.0 ? side->size : side->thick > 0.0 ? 2.0 * side->thick : 1e-3;
}

// Which edge of a triangle joins two vertices: edges are sorted.
static int FindEdge(const rslSkin* skin, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a, begin = 0, end = skin->edgeCount;
    while (end - begin > 1)
    {
        int middle = begin + (end - begin) / 2;
        const int* edge = skin->edges + 2 * (size_t)middle;
        *(edge[0] < low || (edge[0] == low && edge[1] <= high) ? &begin : &end) = middle;
    }
    return begin;
}

static bool MakeTopology(rslCollide* c, rslSide* side)
{
    const rslSkin* skin = side->skin;
    rslSurface surface = { .vertexCount = skin->vertexCount,
                           .triangleCount = skin->triangleCount,
                           .triangles = skin->triangles };
    side->triangleEdges = rslArena_Allocate(&c->arena, 3 * (size_t)skin->triangleCount, sizeof(int));
    if (side->triangleEdges == NULL || !rslSide_MakeListed(c, side) ||
        !rslSurface_ListCorners(&surface, &c->arena, &side->corners))
    {
        return false;
    }
    for (int i = 0; i < 3 * skin->triangleCount; ++i)
    {
        side->triangleEdges[i] = FindEdge(skin, skin->triangles[i], skin->triangles[i % 3 == 2 ? i - 2 : i + 1]);
    }
    return true;
}

// Springs between spheres, from both ends.
static bool MakeJoined(rslCollide* c, rslSide* side)
{
    const rslSkin* skin = side->skin;
    side->joined.start = rslArena_Allocate(&c->arena, (size_t)skin->vertexCount + 1, sizeof(int));
    side->joined.items = rslArena_Allocate(&c->arena, 2 * (size_t)skin->edgeCount, sizeof(int));
    if (side->joined.start == NULL || side->joined.items == NULL)
    {
        return false;
    }
    rslInvert(skin->edges, 2 * skin->edgeCount, skin->vertexCount, side->joined.start, side->joined.items);
    return true;
}

// Spheres are triangles without extent to the tree.
static rslStatus MakeTree(rslCollide* c, rslSide* side, const double* rest)
{
    const rslSkin* skin = side->skin;
    bool spheres = skin->radius != NULL;
    int count = spheres ? skin->vertexCount : skin->triangleCount;
    int* points = spheres ? rslAllocate(&c->hooks, (size_t)count, 3 * sizeof(int)) : NULL;
    if (spheres && points == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int i = 0; spheres && i < 3 * count; ++i)
    {
        points[i] = i / 3;
    }
    rslMeshTree* tree = NULL;
    rslStatus status =
        rslMeshTree_Create(rest, skin->vertexCount, spheres ? points : skin->triangles, count, &c->hooks, &tree);
    side->order = rslArena_Allocate(&c->arena, (size_t)count, sizeof(int));
    side->boxes = tree != NULL ? rslArena_Allocate(&c->arena, (size_t)tree->boxCount, sizeof(rslMeshBox)) : NULL;
    side->swept = tree != NULL ? rslArena_Allocate(&c->arena, (size_t)tree->boxCount, sizeof(rslMeshBox)) : NULL;
    bool made = side->order != NULL && side->boxes != NULL && side->swept != NULL;
    status = status == rsl_ok && !made ? rsl_outOfMemory : status;
    if (status == rsl_ok)
    {
        memcpy(side->order, tree->order, (size_t)count * sizeof(int));
        memcpy(side->boxes, tree->boxes, (size_t)tree->boxCount * sizeof(rslMeshBox));
        memcpy(side->swept, tree->boxes, (size_t)tree->boxCount * sizeof(rslMeshBox));
        side->boxCount = tree->boxCount;
    }
    rslMeshTree_Free(tree);
    rslRelease(&c->hooks, points);
    return status;
}

// The corner of a triangle, or with edges its edge, if it goes with this one.
static int HeldBy(const rslSide* side, int t, int corner, bool edges)
{
    int v = rslSide_Triangle(side, t)[corner], e = side->triangleEdges[3 * (size_t)t + (size_t)corner];
    bool held = edges ? side->skin->edgeTriangles[2 * (size_t)e] == t
                      : side->corners.items[side->corners.start[v]] == 3 * t + corner;
    return !held ? -1 : edges ? e : v;
}

static bool MakeHeld(rslCollide* c, rslSide* side, bool edges)
{
    const rslSkin* skin = side->skin;
    bool spheres = skin->radius != NULL;
    int places = spheres ? skin->vertexCount : skin->triangleCount,
        features = edges ? skin->edgeCount : skin->vertexCount;
    rslLists* held = &side->held[edges];
    held->start = rslArena_Allocate(&c->arena, (size_t)places + 1, sizeof(int));
    held->items = rslArena_Allocate(&c->arena, (size_t)features, sizeof(int));
    if (held->start == NULL || held->items == NULL)
    {
        return false;
    }
    for (int k = 0, count = 0; k < places; held->start[++k] = count)
    {
        for (int i = 0; !spheres && i < 3; ++i)
        {
            int feature = HeldBy(side, side->order[k], i, edges);
            if (feature >= 0)
            {
                held->items[count++] = feature;
            }
        }
        if (spheres && !edges)
        {
            held->items[count++] = side->order[k];
        }
    }
    return true;
}

static rslStatus MakeSide(rslCollide* c, rslSide* side, bool self)
{
    const rslSkin* skin = side->skin;
    bool spheres = skin->radius != NULL;
    double* rest = self ? rslArena_Allocate(&c->arena, (size_t)skin->vertexCount, 3 * sizeof(double))
                        : rslAllocate(&c->hooks, (size_t)skin->vertexCount, 3 * sizeof(double));
    rslStatus status = rest != NULL ? rsl_ok : rsl_outOfMemory;
    if (status == rsl_ok)
    {
        RestVertices(c->model, side, rest);
        SetSize(c->model, side, rest);
        bool made = spheres ? MakeJoined(c, side) : MakeTopology(c, side);
        status = made ? MakeTree(c, side, rest) : rsl_outOfMemory;
        made = status == rsl_ok && MakeHeld(c, side, false) && MakeHeld(c, side, true);
        status = status == rsl_ok && !made ? rsl_outOfMemory : status;
    }
    side->rest = self ? rest : NULL;
    if (!self)
    {
        rslRelease(&c->hooks, rest);
    }
    return status;
}

static void MakeChunks(rslCollide* c)
{
    int n = 0;
    for (int s = 0; s < c->sideCount; ++s)
    {
        rslSide* side = &c->sides[s];
        side->firstChunk = n;
        for (int begin = 0; begin < side->skin->vertexCount; begin += RSL_COLLIDE_CHUNK)
        {
            int end = begin + RSL_COLLIDE_CHUNK;
            end = end < side->skin->vertexCount ? end : side->skin->vertexCount;
            if (c->chunks != NULL)
            {
                c->chunks[n] = (rslSideChunk){ .side = s, .begin = begin, .end = end };
            }
            ++n;
        }
        side->chunkCount = n - side->firstChunk;
    }
    c->chunkCount = n;
}

rslStatus rslCollide_MakeSides(rslCollide* c)
{
    const rslModel* model = c->model;
    c->sideOf = rslArena_Allocate(&c->arena, (size_t)model->bodyCount, sizeof(int));
    c->sides = rslArena_Allocate(&c->arena, (size_t)model->bodyCount, sizeof(rslSide));
    rslStatus status = c->sideOf != NULL && c->sides != NULL ? rsl_ok : rsl_outOfMemory;
    for (int b = 0; status == rsl_ok && b < model->bodyCount; ++b)
    {
        c->sideOf[b] = -1;
        if (model->bodies[b].skin.vertexCount > 0)
        {
            rslSide* side = &c->sides[c->sideCount];
            *side = (rslSide){ .body = b, .skin = &model->bodies[b].skin, .first = c->vertexCount };
            c->sideOf[b] = c->sideCount++;
            c->vertexCount += side->skin->vertexCount;
            status = MakeSide(c, side, rslModel_PairOf(model, b, b).touches);
        }
    }
    if (status != rsl_ok)
    {
        return status;
    }
    MakeChunks(c);
    c->chunks = rslArena_Allocate(&c->arena, (size_t)c->chunkCount, sizeof(rslSideChunk));
    c->x = rslArena_Allocate(&c->arena, (size_t)c->vertexCount, 3 * sizeof(double));
    c->v = rslArena_Allocate(&c->arena, (size_t)c->vertexCount, 3 * sizeof(double));
    c->push = rslArena_Allocate(&c->arena, (size_t)c->vertexCount, sizeof(double));
    c->pushes = rslArena_Allocate(&c->arena, (size_t)model->contactNodeCount, sizeof(double));
    c->reference = rslArena_Allocate(&c->arena, (size_t)c->vertexCount, 3 * sizeof(double));
    c->checked = rslArena_Allocate(&c->arena, (size_t)c->vertexCount, 3 * sizeof(double));
    c->end = rslArena_Allocate(&c->arena, (size_t)c->vertexCount, 3 * sizeof(double));
    c->quick = rslArena_Allocate(&c->arena, (size_t)c->vertexCount, sizeof(bool));
    if (c->end == NULL || c->quick == NULL || c->checked == NULL || c->chunks == NULL || c->x == NULL || c->v == NULL ||
        c->push == NULL || c->pushes == NULL || c->reference == NULL)
    {
        return rsl_outOfMemory;
    }
    MakeChunks(c);
    return rsl_ok;
}

// ---- placing --------------------------------------------------------------------------------------------------------

// Where a vertex is, how fast, and its sum |w||a|.
typedef struct Placed
{
    rslVec3 x, u;
    double push;
} Placed;

static Placed FindVertex(const rslCollide* c, const rslSkin* skin, int v)
{
    const double *x = c->look.x, *u = c->look.v;
    Placed placed = { 0 };
    for (int i = skin->stencilStart[v]; i < skin->stencilStart[v + 1]; ++i)
    {
        size_t node = 3 * (size_t)skin->stencilNodes[i];
        double w = skin->stencilWeights[i];
        placed.x = rslMulAdd(placed.x, w, rslVec3_Of(x + node));
        placed.u = u != NULL ? rslMulAdd(placed.u, w, rslVec3_Of(u + node)) : placed.u;
        placed.push += fabs(w) * c->pushes[skin->stencilNodes[i]];
    }
    return placed;
}

static Placed PlaceVertex(rslCollide* c, const rslSide* side, int v)
{
    Placed placed = FindVertex(c, side->skin, v);
    size_t at = (size_t)(side->first + v);
    memcpy(c->x + 3 * at, &placed.x, sizeof placed.x);
    memcpy(c->v + 3 * at, &placed.u, sizeof placed.u);
    c->push[at] = placed.push;
    return placed;
}

// |a| of contact nodes: they are part of several vertices.
static void MeasurePushes(int item, void* context)
{
    rslCollide* c = context;
    int count = c->model->contactNodeCount, end = (item + 1) * RSL_COLLIDE_CHUNK;
    for (int n = item * RSL_COLLIDE_CHUNK; n < (end < count ? end : count); ++n)
    {
        c->pushes[n] = c->look.a != NULL ? rslLength(rslVec3_Of(c->look.a + 3 * (size_t)n)) : 0.0;
    }
}

static void Widen(double lower[3], double upper[3], const double* low, const double* high)
{
    for (int i = 0; i < 3; ++i)
    {
        lower[i] = low[i] < lower[i] ? low[i] : lower[i];
        upper[i] = high[i] > upper[i] ? high[i] : upper[i];
    }
}

static void Empty(double lower[3], double upper[3])
{
    for (int i = 0; i < 3; ++i)
    {
        lower[i] = INFINITY;
        upper[i] = -INFINITY;
    }
}

static rslVec3 Least(rslVec3 a, rslVec3 b)
{
    return (rslVec3){ b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z };
}

static rslVec3 Most(rslVec3 a, rslVec3 b)
{
    return (rslVec3){ b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y, b.z > a.z ? b.z : a.z };
}

static void PlaceChunk(int item, void* context)
{
    rslCollide* c = context;
    rslSideChunk* chunk = &c->chunks[item];
    const rslSide* side = &c->sides[chunk->side];
    const rslVec3 all = { INFINITY, INFINITY, INFINITY }, none = { -INFINITY, -INFINITY, -INFINITY };
    rslVec3 lower = all, upper = none, slowest = all, fastest = none;
    double push = 0.0;
    for (int v = chunk->begin; v < chunk->end; ++v)
    {
        Placed placed = PlaceVertex(c, side, v);
        lower = Least(lower, placed.x);
        upper = Most(upper, placed.x);
        slowest = Least(slowest, placed.u);
        fastest = Most(fastest, placed.u);
        push = rslMost(push, placed.push);
    }
    memcpy(chunk->lower, &lower, sizeof lower);
    memcpy(chunk->upper, &upper, sizeof upper);
    memcpy(chunk->slowest, &slowest, sizeof slowest);
    memcpy(chunk->fastest, &fastest, sizeof fastest);
    chunk->push = push;
}

// What is left without the motion of the whole side.
static void CompareChunk(int item, void* context)
{
    rslCollide* c = context;
    rslSideChunk* chunk = &c->chunks[item];
    const rslSide* side = &c->sides[chunk->side];
    const double* from = side->checkedCentre;
    const rslVec3 strayed = { 0.5 * (side->lower[0] + side->upper[0]) - from[0],
                              0.5 * (side->lower[1] + side->upper[1]) - from[1],
                              0.5 * (side->lower[2] + side->upper[2]) - from[2] };
    chunk->bent = chunk->wild = chunk->strayed = 0.0;
    for (int v = chunk->begin; v < chunk->end; ++v)
    {
        size_t at = 3 * (size_t)(side->first + v);
        rslVec3 move = rslSub(rslVec3_Of(c->x + at), rslVec3_Of(c->reference + at));
        rslVec3 left = rslSub(move, side->shift), wild = rslSub(rslVec3_Of(c->v + at), side->velocity);
        rslVec3 since = rslSub(rslSub(rslVec3_Of(c->x + at), rslVec3_Of(c->checked + at)), strayed);
        chunk->strayed = rslMost(chunk->strayed, rslDot(since, since));
        chunk->bent = rslMost(chunk->bent, rslDot(left, left));
        chunk->wild = rslMost(chunk->wild, rslDot(wild, wild));
    }
}

static void SumUp(rslCollide* c, rslSide* side)
{
    double slowest[3], fastest[3], middle[3], mean[3];
    Empty(side->lower, side->upper);
    Empty(slowest, fastest);
    side->push = 0.0;
    for (int k = side->firstChunk; k < side->firstChunk + side->chunkCount; ++k)
    {
        const rslSideChunk* chunk = &c->chunks[k];
        side->push = rslMost(side->push, chunk->push);
        Widen(side->lower, side->upper, chunk->lower, chunk->upper);
        Widen(slowest, fastest, chunk->slowest, chunk->fastest);
    }
    for (int i = 0; i < 3; ++i)
    {
        middle[i] = 0.5 * (side->lower[i] + side->upper[i]) - side->centre[i];
        mean[i] = 0.5 * (slowest[i] + fastest[i]);
    }
    side->shift = rslVec3_Of(middle);
    side->velocity = rslVec3_Of(mean);
}

void rslCollide_Place(rslCollide* c)
{
    int blocks = (c->model->contactNodeCount + RSL_COLLIDE_CHUNK - 1) / RSL_COLLIDE_CHUNK;
    rslTeam_Run(c->team, MeasurePushes, blocks, c);
    rslTeam_Run(c->team, PlaceChunk, c->chunkCount, c);
    for (int s = 0; s < c->sideCount; ++s)
    {
        SumUp(c, &c->sides[s]);
    }
    rslTeam_Run(c->team, CompareChunk, c->chunkCount, c);
    for (int s = 0; s < c->sideCount; ++s)
    {
        rslSide* side = &c->sides[s];
        side->bent = side->wild = side->strayed = 0.0;
        for (int k = side->firstChunk; k < side->firstChunk + side->chunkCount; ++k)
        {
            side->bent = rslMost(side->bent, sqrt(c->chunks[k].bent));
            side->wild = rslMost(side->wild, sqrt(c->chunks[k].wild));
            side->strayed = rslMost(side->strayed, sqrt(c->chunks[k].strayed));
        }
        side->speed = rslLength(side->velocity) + side->wild;
    }
}

// ---- references -----------------------------------------------------------------------------------------------------

static void Include(rslMeshBox* box, const double* x)
{
    for (int i = 0; i < 3; ++i)
    {
        box->lower[i] = x[i] < box->lower[i] ? x[i] : box->lower[i];
        box->upper[i] = x[i] > box->upper[i] ? x[i] : box->upper[i];
    }
}

static void FitLeaf(const rslSide* side, rslMeshBox* box, const double* x, const double* y)
{
    bool spheres = side->skin->radius != NULL;
    for (int i = 0; i < 3; ++i)
    {
        box->lower[i] = INFINITY;
        box->upper[i] = -INFINITY;
    }
    for (int k = box->first; k < box->first + box->count; ++k)
    {
        for (int corner = 0; corner < (spheres ? 1 : 3); ++corner)
        {
            int v = spheres ? side->order[k] : rslSide_Triangle(side, side->order[k])[corner];
            Include(box, x + 3 * (size_t)v);
            Include(box, y + 3 * (size_t)v);
        }
    }
}

void rslSide_Fit(const rslSide* side, rslMeshBox* boxes, const double* x, const double* y)
{
    for (int b = side->boxCount - 1; b >= 0; --b)
    {
        rslMeshBox* box = &boxes[b];
        if (box->count > 0)
        {
            FitLeaf(side, box, x, y);
            continue;
        }
        const rslMeshBox *left = &boxes[box->first], *right = left + 1;
        for (int i = 0; i < 3; ++i)
        {
            box->lower[i] = left->lower[i] < right->lower[i] ? left->lower[i] : right->lower[i];
            box->upper[i] = left->upper[i] > right->upper[i] ? left->upper[i] : right->upper[i];
        }
    }
}

static void FitSide(int item, void* context)
{
    rslCollide* c = context;
    rslSide* side = &c->sides[item];
    if (!side->old)
    {
        return;
    }
    size_t at = 3 * (size_t)side->first, bytes = 3 * (size_t)side->skin->vertexCount * sizeof(double);
    memcpy(c->reference + at, c->x + at, bytes);
    rslSide_Fit(side, side->boxes, c->reference + at, c->reference + at);
    for (int i = 0; i < 3; ++i)
    {
        side->centre[i] = 0.5 * (side->lower[i] + side->upper[i]);
    }
    if (side->folded || side->stamp == 0)
    {
        rslSide_ListSharp(c, side);
        side->folds = c->looks;
        side->folded = false;
    }
    side->shift = (rslVec3){ 0 };
    side->bent = 0.0;
    side->stamp = c->looks;
    side->old = false;
}

void rslCollide_Refit(rslCollide* c)
{
    rslTeam_Run(c->team, FitSide, c->sideCount, c);
}
