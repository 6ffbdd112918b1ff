// SPDX-License-Identifier: MIT
//
// contact_side.c: see contact_side.h.
//
// On which side of a closed surface a point is, the normal at its nearest point tells: of the face, the sum of those of the
// faces at an edge, the sum weighted by their angles at a vertex (Baerentzen & Aanaes 2005).

#include "contact_side.h"

#include "elementary.h"
#include "vec.h"

#include <math.h>
#include <string.h>

// ---- making ---------------------------------------------------------------------------------------------------------

static bool MakeTree(rslContactSide* side, const double* rest, rslArena* arena)
{
    rslMeshTree* tree = NULL;
    const rslSurface* surface = side->surface;
    size_t triangles = (size_t)surface->triangleCount;
    rslMeshTree_Create(rest, surface->vertexCount, surface->triangles, surface->triangleCount, &arena->hooks, &tree);
    side->order = rslArena_Allocate(arena, triangles, sizeof(int));
    side->boxes = tree != NULL ? rslArena_Allocate(arena, (size_t)tree->boxCount, sizeof(rslMeshBox)) : NULL;
    if (side->order != NULL && side->boxes != NULL)
    {
        memcpy(side->order, tree->order, triangles * sizeof(int));
        memcpy(side->boxes, tree->boxes, (size_t)tree->boxCount * sizeof(rslMeshBox));
        side->boxCount = tree->boxCount;
    }
    rslMeshTree_Free(tree);
    return side->boxCount > 0;
}

rslStatus rslContactSide_Make(rslContactSide* side, const rslSurface* surface, const double* rest, rslArena* arena)
{
    size_t vertices = (size_t)surface->vertexCount;
    *side = (rslContactSide){ .surface = surface };
    side->x = rslArena_Allocate(arena, vertices, 3 * sizeof(double));
    if (side->x == NULL || !rslSurface_ListCorners(surface, arena, &side->corners) || !MakeTree(side, rest, arena))
    {
        return rsl_outOfMemory;
    }
    memcpy(side->x, rest, vertices * 3 * sizeof(double));
    return rsl_ok;
}

// ---- boxes ----------------------------------------------------------------------------------------------------------

static void FitLeaf(const rslContactSide* side, rslMeshBox* box, double margin)
{
    double lower[3] = { INFINITY, INFINITY, INFINITY }, upper[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (int k = 3 * box->first; k < 3 * (box->first + box->count); ++k)
    {
        const double* x =
            side->x + 3 * (size_t)side->surface->triangles[3 * (size_t)side->order[k / 3] + (size_t)(k % 3)];
        for (int i = 0; i < 3; ++i)
        {
            lower[i] = x[i] < lower[i] ? x[i] : lower[i];
            upper[i] = x[i] > upper[i] ? x[i] : upper[i];
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        box->lower[i] = lower[i] - margin;
        box->upper[i] = upper[i] + margin;
    }
}

void rslContactSide_Fit(rslContactSide* side, double margin)
{
    for (int b = side->boxCount - 1; b >= 0; --b)
    {
        rslMeshBox* box = &side->boxes[b];
        if (box->count > 0)
        {
            FitLeaf(side, box, margin);
            continue;
        }
        const rslMeshBox *left = &side->boxes[box->first], *right = left + 1;
        for (int i = 0; i < 3; ++i)
        {
            box->lower[i] = left->lower[i] < right->lower[i] ? left->lower[i] : right->lower[i];
            box->upper[i] = left->upper[i] > right->upper[i] ? left->upper[i] : right->upper[i];
        }
    }
}

static double BoxSquared(const rslMeshBox* box, rslVec3 p)
{
    const double x[3] = { p.x, p.y, p.z };
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double d = x[i] < box->lower[i] ? box->lower[i] - x[i] : x[i] > box->upper[i] ? x[i] - box->upper[i] : 0.0;
        sum += d * d;
    }
    return sum;
}

// ---- the nearest triangle -------------------------------------------------------------------------------------------

static void Try(const rslContactSide* side, int triangle, rslVec3 p, rslTouch* best)
{
    rslVec3 x[4];
    x[0] = p;
    for (int c = 0; c < 3; ++c)
    {
        x[c + 1] = rslContactSide_Vertex(side, side->surface->triangles[3 * (size_t)triangle + (size_t)c]);
    }
    rslGap gap = rslGap_Find(x);
    // the lower index where two are as near, so that the order of the search does not matter
    bool nearer = gap.squared < best->gap.squared;
    bool equal = gap.squared == best->gap.squared && (best->triangle < 0 || triangle < best->triangle);
    if (nearer || equal)
    {
        *best = (rslTouch){ .triangle = triangle, .gap = gap };
    }
}

static rslTouch Nearest(const rslContactSide* side, rslVec3 p, double within, int hint)
{
    int stack[RSL_MESH_TREE_DEPTH], depth = 0;
    rslTouch best = { .triangle = -1, .gap = { .squared = within * within } };
    if (hint >= 0)
    {
        Try(side, hint, p, &best);
    }
    stack[depth++] = 0;
    while (depth > 0)
    {
        const rslMeshBox* box = &side->boxes[stack[--depth]];
        if (!(BoxSquared(box, p) <= best.gap.squared))
        {
            continue;
        }
        for (int k = box->first; k < box->first + box->count; ++k)
        {
            Try(side, side->order[k], p, &best);
        }
        if (box->count == 0)
        {
            // the nearer child is taken first
            bool right = BoxSquared(&side->boxes[box->first + 1], p) < BoxSquared(&side->boxes[box->first], p);
            stack[depth++] = box->first + (right ? 0 : 1);
            stack[depth++] = box->first + (right ? 1 : 0);
        }
    }
    return best;
}

// ---- on which side --------------------------------------------------------------------------------------------------

static rslVec3 AreaVector(const rslContactSide* side, int triangle)
{
    const int* t = &side->surface->triangles[3 * (size_t)triangle];
    rslVec3 a = rslContactSide_Vertex(side, t[0]);
    return rslCross(rslSub(rslContactSide_Vertex(side, t[1]), a), rslSub(rslContactSide_Vertex(side, t[2]), a));
}

// Sum over the triangles at vertex v, and also at vertex w unless it is -1; weighted by their angles at v, or not.
static rslVec3 NormalAround(const rslContactSide* side, int v, int w, bool weighted, int* count)
{
    rslVec3 sum = { 0 };
    *count = 0;
    for (int e = side->corners.start[v]; e < side->corners.start[v + 1]; ++e)
    {
        int triangle = side->corners.items[e] / 3, corner = side->corners.items[e] % 3;
        const int* t = &side->surface->triangles[3 * (size_t)triangle];
        if (w >= 0 && t[0] != w && t[1] != w && t[2] != w)
        {
            continue;
        }
        rslVec3 a = rslContactSide_Vertex(side, v);
        rslVec3 p = rslSub(rslContactSide_Vertex(side, t[(corner + 1) % 3]), a);
        rslVec3 q = rslSub(rslContactSide_Vertex(side, t[(corner + 2) % 3]), a);
        rslVec3 n = rslCross(p, q);
        double length = rslLength(n), dot = rslDot(p, q);
        double angle = weighted && (length > 0.0 || dot != 0.0) ? rslAngle(dot, length) : 1.0;
        sum = rslMulAdd(sum, angle, rslNormalize(n));
        *count += 1;
    }
    return sum;
}

// The normal where the nearest point lies; *border is set on the border of a sheet.
static rslVec3 NormalAt(const rslContactSide* side, const rslTouch* touch, bool* border)
{
    const int* t = &side->surface->triangles[3 * (size_t)touch->triangle];
    int corners = touch->gap.corners, count = 0;
    *border = false;
    if (corners == 7)
    {
        return AreaVector(side, touch->triangle);
    }
    int v = corners & 1 ? t[0] : corners & 2 ? t[1] : t[2];
    if ((corners & (corners - 1)) != 0)
    {
        rslVec3 n = NormalAround(side, v, corners & 4 ? t[2] : t[1], false, &count);
        *border = count < 2;
        return n;
    }
    rslVec3 n = NormalAround(side, v, -1, true, &count);
    // a vertex of the border has a neighbour that it shares one triangle with
    for (int e = side->corners.start[v]; !side->surface->closed && e < side->corners.start[v + 1]; ++e)
    {
        for (int c = 0; c < 3; ++c)
        {
            int w = side->surface->triangles[3 * (size_t)(side->corners.items[e] / 3) + (size_t)c];
            int shared = 0;
            if (w != v)
            {
                NormalAround(side, v, w, false, &shared);
                *border = *border || shared < 2;
            }
        }
    }
    return n;
}

// A sheet belongs outside of a closed surface. Where it lies along it, within 60 degrees, a vertex of the surface that is
// on the sheet's outer side has come through, unless it is so far off that it is another part of the body.
// *normal is turned inwards.
static double SideOfSheet(const rslContactSide* own, int v, const rslTouch* touch, rslVec3* normal, double reach)
{
    int count = 0;
    rslVec3 out = rslNormalize(NormalAround(own, v, -1, true, &count)), sheet = rslNormalize(*normal);
    double along = rslDot(out, sheet);
    *normal = along > 0.0 ? rslScale(-1.0, sheet) : sheet;
    bool through = rslDot(*normal, touch->gap.apart) < 0.0;
    bool judged = fabs(along) > 0.5 && touch->gap.squared <= reach * reach;
    return judged && through ? -1.0 : 1.0;
}

rslTouch rslContactSide_Look(const rslContactSide* own, int v, const rslContactSide* other, double within, double reach,
                             int hint)
{
    rslVec3 p = rslContactSide_Vertex(own, v);
    bool closed = other->surface->closed;
    double most = reach > within ? reach : within;
    if (!(BoxSquared(&other->boxes[0], p) <= (closed ? within * within : most * most)))
    {
        return (rslTouch){ .triangle = -1, .hint = -1 };
    }
    rslTouch touch = Nearest(other, p, closed ? INFINITY : most, hint);
    touch.hint = touch.triangle;
    if (touch.triangle < 0)
    {
        return touch;
    }
    bool border = false;
    rslVec3 normal = NormalAt(other, &touch, &border);
    double side = 1.0;
    if (closed)
    {
        side = rslDot(normal, touch.gap.apart) < 0.0 ? -1.0 : 1.0;
    }
    else if (own->surface->closed && !border)
    {
        side = SideOfSheet(own, v, &touch, &normal, reach);
    }
    rslGap_Turn(&touch.gap, side, normal);
    touch.triangle = touch.gap.distance < within ? touch.triangle : -1;
    return touch;
}
