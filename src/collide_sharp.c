// SPDX-License-Identifier: MIT
//
// collide_sharp.c: which edges of closed surfaces are sharp now.
//
// An edge meets others where its triangles are turned out of each other by more than 10 degrees, as they are now: what is smooth at rest
// folds. Where one that is not listed is turned by 7.5, a new list is made, of those that are turned by 5 degrees, will soon be turned by
// 7.5, or were listed not long ago; lists of near edges hold no others. Between checks, no vertex has moved by more than d
// against the middle of the side. The range of n.x over a triangle is at most 2 d then, n its normal at the check; and it is at least
// sin(angle) times its least height, e - 2 d. So its normal has turned by no more than asin(2 d / (e - 2 d)), and two of them by
// 2.5 degrees as long as d <= 0.01 e.
//
//   cos(angle) = A.B / |A||B|, A and B the area vectors beside the edge; convex where the triangle of B lies behind that of A.

#include "collide_internal.h"

#include <string.h>

enum
{
    LASTING = 8,  // lists for which an edge stays listed
    AHEAD = 4,    // steps
};

#define SHARP 0.984807753012208   // cosine of 10 degrees
#define FOLDED 0.991444861373810  // of 7.5
#define LISTED 0.996194698091746  // of 5
#define BACK 0.98                 // of edges that are folded inwards until their triangles lie on each other
#define SLACK 0.01                // d over e

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

// Of sheets every edge may become one.
static bool IsAlways(const rslSkin* skin, int e)
{
    return !skin->closed || skin->edgeTriangles[2 * (size_t)e + 1] < 0;
}

// Where a vertex will be after a time, and the area vector of a triangle.
static rslVec3 VertexAfter(const rslCollide* c, const rslSide* side, int v, double time)
{
    rslVec3 x = rslSide_Vertex(c, side, v);
    return time > 0.0 ? rslMulAdd(x, time, rslVec3_Of(c->v + 3 * (size_t)(side->first + v))) : x;
}

static rslVec3 AreaAfter(const rslCollide* c, const rslSide* side, int t, double time)
{
    const int* corner = rslSide_Triangle(side, t);
    rslVec3 a = VertexAfter(c, side, corner[0], time), b = VertexAfter(c, side, corner[1], time);
    return rslCross(rslSub(b, a), rslSub(VertexAfter(c, side, corner[2], time), a));
}

// Are the triangles beside an edge turned out of each other by more than an angle, after a time?
static bool IsTurned(const rslCollide* c, const rslSide* side, int e, double cosine, double time)
{
    const int *edge = side->skin->edges + 2 * (size_t)e, *beside = side->skin->edgeTriangles + 2 * (size_t)e;
    rslVec3 A = AreaAfter(c, side, beside[0], time), B = AreaAfter(c, side, beside[1], time);
    double along = rslDot(A, B), both = rslDot(A, A) * rslDot(B, B);
    if (along > 0.0 && along * along >= cosine * cosine * both)
    {
        return false;
    }
    int across = Opposite(rslSide_Triangle(side, beside[1]), edge);
    rslVec3 to = rslSub(VertexAfter(c, side, across, time), VertexAfter(c, side, edge[0], time));
    bool convex = rslDot(A, to) < 0.0;
    bool back = cosine > SHARP && along < 0.0 && along * along > BACK * BACK * both;
    return convex || back;
}

bool rslSide_IsSharp(const rslCollide* c, const rslSide* side, int e)
{
    return IsAlways(side->skin, e) || IsTurned(c, side, e, SHARP, 0.0);
}

bool rslSide_MakeListed(rslCollide* c, rslSide* side)
{
    const rslSkin* skin = side->skin;
    side->listed = rslArena_Allocate(&c->arena, (size_t)skin->edgeCount, 1);
    for (int e = 0; side->listed != NULL && e < skin->edgeCount; ++e)
    {
        side->listed[e] = IsAlways(skin, e);
    }
    side->slack = -1.0;
    return side->listed != NULL;
}

void rslSide_ListSharp(const rslCollide* c, rslSide* side)
{
    double soon = AHEAD * c->look.step;
    for (int e = 0; side->skin->radius == NULL && e < side->skin->edgeCount; ++e)
    {
        if (!IsAlways(side->skin, e))
        {
            int left = side->listed[e] > 0 ? side->listed[e] - 1 : 0;
            bool turned = IsTurned(c, side, e, LISTED, 0.0) || IsTurned(c, side, e, FOLDED, soon);
            side->listed[e] = (uint8_t)(turned ? LASTING : left);
        }
    }
}

// ---- checks ---------------------------------------------------------------------------------------------------------

static bool IsDue(const rslCollide* c, int s)
{
    const rslSide* side = &c->sides[s];
    bool asked = side->skin->radius == NULL && side->skin->closed && c->activeStart[s + 1] > c->activeStart[s];
    return asked && !(side->strayed <= side->slack);
}

// The square of the least height.
static double HeightOf(const rslCollide* c, const rslSide* side, int t)
{
    const int* corner = rslSide_Triangle(side, t);
    rslVec3 A = rslSide_AreaVector(c, side, t);
    double longest = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        rslVec3 d = rslSub(rslSide_Vertex(c, side, corner[k]), rslSide_Vertex(c, side, corner[(k + 1) % 3]));
        longest = rslMost(longest, rslDot(d, d));
    }
    return longest > 0.0 ? rslDot(A, A) / longest : 0.0;
}

// The first or the end of the edges or triangles that go with a chunk of vertices.
static int ShareOf(const rslCollide* c, int item, int count, int more)
{
    const rslSide* side = &c->sides[c->chunks[item].side];
    return (int)((int64_t)count * (item - side->firstChunk + more) / side->chunkCount);
}

static void CheckChunk(int item, void* context)
{
    rslCollide* c = context;
    rslSideChunk* chunk = &c->chunks[item];
    const rslSide* side = &c->sides[chunk->side];
    chunk->folded = false;
    chunk->height = INFINITY;
    if (!IsDue(c, chunk->side))
    {
        return;
    }
    int edges = side->skin->edgeCount, triangles = side->skin->triangleCount;
    for (int e = ShareOf(c, item, edges, 0); !chunk->folded && e < ShareOf(c, item, edges, 1); ++e)
    {
        chunk->folded = side->listed[e] == 0 && IsTurned(c, side, e, FOLDED, 0.0);
    }
    for (int t = ShareOf(c, item, triangles, 0); t < ShareOf(c, item, triangles, 1); ++t)
    {
        double height = HeightOf(c, side, t);
        chunk->height = height < chunk->height ? height : chunk->height;
    }
}

void rslCollide_CheckFolds(rslCollide* c)
{
    rslTeam_Run(c->team, CheckChunk, c->chunkCount, c);
    for (int s = 0; s < c->sideCount; ++s)
    {
        rslSide* side = &c->sides[s];
        if (!IsDue(c, s))
        {
            continue;
        }
        double least = INFINITY;
        for (int k = side->firstChunk; k < side->firstChunk + side->chunkCount; ++k)
        {
            least = c->chunks[k].height < least ? c->chunks[k].height : least;
            side->folded = side->folded || c->chunks[k].folded;
        }
        size_t at = 3 * (size_t)side->first, bytes = 3 * (size_t)side->skin->vertexCount * sizeof(double);
        memcpy(c->checked + at, c->x + at, bytes);
        for (int i = 0; i < 3; ++i)
        {
            side->checkedCentre[i] = 0.5 * (side->lower[i] + side->upper[i]);
        }
        side->slack = SLACK * sqrt(least);
        side->strayed = 0.0;
    }
}
