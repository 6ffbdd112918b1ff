// SPDX-License-Identifier: MIT
//
// collide_sharp.c: which edges of closed surfaces are sharp now.
//
// An edge meets others where its triangles are turned out of each other by more than 10 degrees, as they are now: what is smooth at rest
// folds. Lists of near edges hold those that were turned by more than half of that when the reference was taken, and for some
// references after. An edge that becomes sharp and is in no list makes its side take a new reference.
//
//   cos(angle) = A.B / |A||B|, A and B the area vectors beside the edge; convex where the triangle of B lies behind that of A.

#include "collide_internal.h"

enum
{
    LASTING = 8,  // references for which an edge stays listed
};

#define SHARP 0.984807753012208   // cosine of 10 degrees
#define LISTED 0.996194698091746  // and of half of that

// The corner of a triangle that an edge leaves out.
static int Opposite(const int* triangle, const int* edge)
{
    for (int c = 0; c < 2; ++c)
    {
        if (triangle[c] != edge[0] && triangle[c] != edge[1])
        {
            return triangle[c];
        }
    }
    return triangle[2];
}

// Are the triangles beside an edge turned out of each other by more than an angle?
static bool IsTurned(const rslCollide* c, const rslSide* side, int e, double cosine)
{
    const int *edge = side->skin->edges + 2 * (size_t)e, *beside = side->skin->edgeTriangles + 2 * (size_t)e;
    rslVec3 A = side->areas[beside[0]], B = side->areas[beside[1]];
    double along = rslDot(A, B);
    if (along > 0.0 && along * along >= cosine * cosine * rslDot(A, A) * rslDot(B, B))
    {
        return false;
    }
    int across = Opposite(rslSide_Triangle(side, beside[1]), edge);
    return rslDot(A, rslSub(rslSide_Vertex(c, side, across), rslSide_Vertex(c, side, edge[0]))) < 0.0;
}

// Of sheets every edge may become one.
static bool IsAlways(const rslSkin* skin, int e)
{
    return !skin->closed || skin->edgeTriangles[2 * (size_t)e + 1] < 0;
}

bool rslSide_MakeSharp(rslCollide* c, rslSide* side)
{
    const rslSkin* skin = side->skin;
    side->areas = rslArena_Allocate(&c->arena, (size_t)skin->triangleCount, sizeof(rslVec3));
    side->sharp = rslArena_Allocate(&c->arena, (size_t)skin->edgeCount, 1);
    side->listed = rslArena_Allocate(&c->arena, (size_t)skin->edgeCount, 1);
    if (side->areas == NULL || side->sharp == NULL || side->listed == NULL)
    {
        return false;
    }
    for (int e = 0; e < skin->edgeCount; ++e)
    {
        side->sharp[e] = side->listed[e] = IsAlways(skin, e);
    }
    return true;
}

// Edges that a side has to have in its lists, at a new reference.
void rslSide_ListSharp(const rslCollide* c, rslSide* side)
{
    for (int e = 0; side->skin->radius == NULL && e < side->skin->edgeCount; ++e)
    {
        if (!IsAlways(side->skin, e))
        {
            int left = side->listed[e] > 0 ? side->listed[e] - 1 : 0;
            side->listed[e] = (uint8_t)(IsTurned(c, side, e, LISTED) ? LASTING : left);
        }
    }
}

// ---- every look -----------------------------------------------------------------------------------------------------

// The triangles or edges that go with a chunk of vertices.
static int ShareOf(const rslCollide* c, int item, int count, int more)
{
    const rslSide* side = &c->sides[c->chunks[item].side];
    return (int)((int64_t)count * (item - side->firstChunk + more) / side->chunkCount);
}

static bool IsAsked(const rslCollide* c, int item)
{
    int s = c->chunks[item].side;
    return c->sides[s].skin->radius == NULL && c->activeStart[s + 1] > c->activeStart[s];
}

static void MeasureAreas(int item, void* context)
{
    rslCollide* c = context;
    const rslSide* side = &c->sides[c->chunks[item].side];
    int count = side->skin->triangleCount, end = ShareOf(c, item, count, 1);
    for (int t = ShareOf(c, item, count, 0); IsAsked(c, item) && t < end; ++t)
    {
        side->areas[t] = rslSide_AreaVector(c, side, t);
    }
}

static void FindSharp(int item, void* context)
{
    rslCollide* c = context;
    rslSideChunk* chunk = &c->chunks[item];
    const rslSide* side = &c->sides[chunk->side];
    int count = side->skin->edgeCount, end = ShareOf(c, item, count, 1);
    chunk->folded = false;
    for (int e = ShareOf(c, item, count, 0); side->skin->closed && IsAsked(c, item) && e < end; ++e)
    {
        side->sharp[e] = IsAlways(side->skin, e) || IsTurned(c, side, e, SHARP);
        chunk->folded = chunk->folded || (side->sharp[e] && side->listed[e] == 0);
    }
}

void rslCollide_FindSharp(rslCollide* c)
{
    rslTeam_Run(c->team, MeasureAreas, c->chunkCount, c);
    rslTeam_Run(c->team, FindSharp, c->chunkCount, c);
    for (int k = 0; k < c->chunkCount; ++k)
    {
        rslSide* side = &c->sides[c->chunks[k].side];
        side->old = side->old || c->chunks[k].folded;
    }
}
