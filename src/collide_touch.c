// SPDX-License-Identifier: MIT
//
// collide_touch.c: what touches of some features of a side, exactly, whatever lists of near ones there are.
//
// Kept is what can close in the step:  g <= reach + min(h max(0, -u_n), size) + h^2 sum |w_i||n.a_i|.

#include "collide_internal.h"

// ---- collisions -----------------------------------------------------------------------------------------------------

// Can the gap close in the step?
static bool Closes(const rslCollide* c, const rslMix* mix, const rslCollision* touch, double farthest)
{
    const rslLook* look = &c->look;
    rslVec3 u = rslScale(-1.0, touch->velocity);
    double push = 0.0, h = look->step;
    for (int i = 0; i < mix->count; ++i)
    {
        size_t node = 3 * (size_t)mix->nodes[i];
        u = look->v != NULL ? rslMulAdd(u, mix->weights[i], rslVec3_Of(look->v + node)) : u;
        push += look->a != NULL ? fabs(mix->weights[i]) * fabs(rslDot(touch->normal, rslVec3_Of(look->a + node))) : 0.0;
    }
    double towards = -h * rslDot(touch->normal, u);
    towards = towards > 0.0 ? towards < farthest ? towards : farthest : 0.0;
    return touch->gap <= look->reach + towards + h * h * push;
}

void rslWork_Keep(const rslCollide* c, rslWork* work, const rslMix* mix, rslCollision touch, double farthest)
{
    if (Closes(c, mix, &touch, farthest))
    {
        rslWork_Append(work, mix, touch);
    }
}

// ---- normals --------------------------------------------------------------------------------------------------------

rslVec3 rslSide_AreaVector(const rslCollide* c, const rslSide* side, int t)
{
    const int* corner = rslSide_Triangle(side, t);
    rslVec3 a = rslSide_Vertex(c, side, corner[0]);
    return rslCross(rslSub(rslSide_Vertex(c, side, corner[1]), a), rslSub(rslSide_Vertex(c, side, corner[2]), a));
}

// N, weighted by area.
rslVec3 rslSide_Normal(const rslCollide* c, const rslSide* side, int v)
{
    rslVec3 sum = { 0 };
    for (int i = side->corners.start[v]; i < side->corners.start[v + 1]; ++i)
    {
        sum = rslAdd(sum, rslSide_AreaVector(c, side, side->corners.items[i] / 3));
    }
    return rslNormalize(sum);
}

// Is a place with the outer normal N turned to what pushes along n? Sheets have two sides, spheres no normal.
bool rslSide_IsFacing(const rslSide* side, rslVec3 n, rslVec3 N)
{
    double along = rslDot(n, N);
    return side->skin->radius != NULL || (side->skin->closed ? along < -RSL_FACING : fabs(along) > RSL_FACING);
}

// Does one of the triangles at a vertex look at it? Where a surface is as sharp as a blade, the mean of all looks along the blade; and
// where a sheet is folded over, aside.
bool rslSide_HasFacing(const rslCollide* c, const rslSide* side, int v, rslVec3 n)
{
    bool faces = false;
    for (int i = side->corners.start[v]; !faces && i < side->corners.start[v + 1]; ++i)
    {
        rslVec3 area = rslSide_AreaVector(c, side, side->corners.items[i] / 3);
        double along = rslDot(n, area), away = side->skin->closed ? -along : fabs(along);
        faces = away > RSL_LOOKING * rslLength(area);
    }
    return faces;
}

// Does a sheet lead away along n from a vertex, or an edge, of it? So it does from its border, and from folds, that are pushed edge-on: their
// normals look aside.
bool rslSide_LeadsAway(const rslCollide* c, const rslSide* side, bool edge, int feature, rslVec3 n)
{
    const int* ends = edge ? side->skin->edges + 2 * (size_t)feature : NULL;
    rslVec3 from = rslSide_Vertex(c, side, edge ? ends[0] : feature), sum = { 0 };
    from = edge ? rslScale(0.5, rslAdd(from, rslSide_Vertex(c, side, ends[1]))) : from;
    int begin = edge ? 0 : side->corners.start[feature], end = edge ? 2 : side->corners.start[feature + 1];
    double all = 0.0;
    for (int i = begin; i < end; ++i)
    {
        int t = edge ? side->skin->edgeTriangles[2 * (size_t)feature + (size_t)i] : side->corners.items[i] / 3;
        rslVec3 way = rslScale(t >= 0 ? -1.0 : 0.0, from);
        for (int k = 0; t >= 0 && k < 3; ++k)
        {
            way = rslMulAdd(way, 1.0 / 3.0, rslSide_Vertex(c, side, rslSide_Triangle(side, t)[k]));
        }
        sum = rslAdd(sum, way);
        all += rslLength(way);
    }
    return rslDot(n, sum) > RSL_FACING * all;
}

// ---- a piece of work ------------------------------------------------------------------------------------------------

int rslNearList_First(const rslNearList* list, int feature)
{
    int low = 0, high = list->count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        bool before = list->items[middle].own < feature;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

void rslWork_Find(const rslCollide* c, rslWork* work)
{
    work->found.count = work->found.nodeCount = 0;
    bool others = work->kind != rsl_triangleWork && !c->look.few;
    for (int i = c->activeStart[work->side]; others && i < c->activeStart[work->side + 1]; ++i)
    {
        const rslSidePair* pair = c->activeOf[i];
        bool first = pair->sides[0] == work->side;
        if (work->kind == rsl_vertexWork)
        {
            rslWork_MeetSide(c, work, pair, first ? 0 : 1);
        }
        else if (first)
        {
            rslWork_MeetEdges(c, work, pair);
        }
    }
    rslWork_MeetColliders(c, work);
    if (work->found.count <= work->found.capacity)
    {
        rslCollisions_Sort(&work->found);
    }
}
