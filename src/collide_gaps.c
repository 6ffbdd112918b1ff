// SPDX-License-Identifier: MIT
//
// collide_gaps.c: how far vertices are from planes, by groups of those that are near each other, and from all else; so that steps need no look
// as long as nothing can be met.

#include "collide_internal.h"

#include <limits.h>

static const double unit = 1e-9;  // by which a sum of weights may differ from 1

int rslCollide_Vertices(const rslCollide* c)
{
    return c->vertexCount;
}

int rslCollide_Group(const rslCollide* c, const int* numberOf, int* group)
{
    int reach = 1;
    bool sums = true;
    for (int s = 0; s < c->sideCount; ++s)
    {
        const rslSkin* skin = c->sides[s].skin;
        for (int v = 0; v < skin->vertexCount; ++v)
        {
            int first = INT_MAX, last = 0;
            double sum = 0.0;
            for (int e = skin->stencilStart[v]; e < skin->stencilStart[v + 1]; ++e)
            {
                int number = numberOf[skin->stencilNodes[e]];
                first = number < first ? number : first;
                last = number > last ? number : last;
                sum += skin->stencilWeights[e];
            }
            sums = sums && fabs(sum - 1.0) <= unit && first <= last;
            group[c->sides[s].first + v] = first;
            reach = sums && last - first + 1 > reach ? last - first + 1 : reach;
        }
    }
    return sums ? reach : 0;
}

void rslCollide_FindGaps(const rslCollide* c, int collider, const int* group, int groups, double* gaps)
{
    rslPlane plane = c->placed[collider].plane;
    for (int g = 0; g < groups; ++g)
    {
        gaps[g] = INFINITY;
    }
    for (int s = 0; s < c->sideCount; ++s)
    {
        const rslSide* side = &c->sides[s];
        for (int v = 0; v < side->skin->vertexCount; ++v)
        {
            double height = rslDot(plane.normal, rslSub(rslSide_Vertex(c, side, v), plane.point));
            double gap = height - side->thick - side->more, *least = &gaps[group[side->first + v]];
            *least = gap >= *least ? *least : gap;
        }
    }
}

void rslCollide_FindFewGaps(const rslCollide* c, int collider, const int* group, double* gaps)
{
    rslPlane plane = c->placed[collider].plane;
    for (int s = 0; s < c->sideCount; ++s)
    {
        const rslSide* side = &c->sides[s];
        for (int i = c->few.start[s]; i < c->few.start[s + 1]; ++i)
        {
            double height = rslDot(plane.normal, rslSub(c->few.places[i].x, plane.point));
            double gap = height - side->thick - side->more, *least = &gaps[group[side->first + c->few.vertices[i]]];
            *least = gap >= *least ? *least : gap;
        }
    }
}

double rslCollide_Room(const rslCollide* c, double margin)
{
    bool solids = false;
    for (int k = 0; k < c->model->colliderCount; ++k)
    {
        solids = solids || c->model->colliders[k].type != rsl_planeCollider;
    }
    double room = c->sideCount > 1 || solids ? 16.0 * margin : INFINITY;
    for (bool far = false; !far && room > margin; room = far ? room : 0.5 * room)
    {
        far = room == INFINITY || rslCollide_AreApart(c, 2.0 * room);
        for (int s = 0; far && solids && s < c->sideCount; ++s)
        {
            far = rslCollide_IsAlone(c, &c->sides[s], room);
        }
    }
    return room > margin ? room : margin;
}
