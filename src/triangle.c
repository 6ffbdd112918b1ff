// SPDX-License-Identifier: MIT
//
// triangle.c: crossings of triangles by the signs of exact determinants.
//
// Most pairs of neighbours in a mesh are nearly coplanar, where a determinant in space costs most to decide. So it is
// first tried to part the two in a projection along the main axis of one of the normals: what is apart there is apart.

#include "triangle.h"

#include "predicate.h"

#include <math.h>

// ---- in a projection ------------------------------------------------------------------------------------------------

// A projection that drops one axis.
typedef struct Plane
{
    int u, v;
} Plane;

static int Side(Plane plane, const double* a, const double* b, const double* c)
{
    return rslOrient2(a[plane.u], a[plane.v], b[plane.u], b[plane.v], c[plane.u], c[plane.v]);
}

static Plane MainPlane(const rslTriangle* t)
{
    double e[3], f[3];
    for (int i = 0; i < 3; ++i)
    {
        e[i] = t->x[1][i] - t->x[0][i];
        f[i] = t->x[2][i] - t->x[0][i];
    }
    double n[3] = { fabs(e[1] * f[2] - e[2] * f[1]), fabs(e[2] * f[0] - e[0] * f[2]), fabs(e[0] * f[1] - e[1] * f[0]) };
    int axis = n[0] >= n[1] && n[0] >= n[2] ? 0 : n[1] >= n[2] ? 1 : 2;
    return (Plane){ (axis + 1) % 3, (axis + 2) % 3 };
}

// All points lie strictly on the side of the line a b that sign does not name.
static bool Beyond(Plane plane, const double* a, const double* b, int sign, const double* const* points, int count)
{
    for (int i = 0; i < count; ++i)
    {
        if (Side(plane, a, b, points[i]) * sign >= 0)
        {
            return false;
        }
    }
    return true;
}

// A line along an edge of the triangle parts it from the points.
static bool Parts(Plane plane, const rslTriangle* t, const double* const* points, int count)
{
    int turn = Side(plane, t->x[0], t->x[1], t->x[2]);
    for (int i = 0; i < 3 && turn != 0; ++i)
    {
        if (Beyond(plane, t->x[i], t->x[(i + 1) % 3], turn, points, count))
        {
            return true;
        }
    }
    return false;
}

static bool InSpan(Plane plane, const double* a, const double* b, const double* p)
{
    return fmin(a[plane.u], b[plane.u]) <= p[plane.u] && p[plane.u] <= fmax(a[plane.u], b[plane.u]) &&
           fmin(a[plane.v], b[plane.v]) <= p[plane.v] && p[plane.v] <= fmax(a[plane.v], b[plane.v]);
}

static bool SegmentsMeet(Plane plane, const double* a, const double* b, const double* c, const double* d)
{
    int abc = Side(plane, a, b, c), abd = Side(plane, a, b, d), cda = Side(plane, c, d, a), cdb = Side(plane, c, d, b);
    if (abc * abd < 0 && cda * cdb < 0)
    {
        return true;
    }
    return (abc == 0 && InSpan(plane, a, b, c)) || (abd == 0 && InSpan(plane, a, b, d)) ||
           (cda == 0 && InSpan(plane, c, d, a)) || (cdb == 0 && InSpan(plane, c, d, b));
}

static bool Holds(Plane plane, const rslTriangle* t, const double* p)
{
    int a = Side(plane, t->x[0], t->x[1], p), b = Side(plane, t->x[1], t->x[2], p),
        c = Side(plane, t->x[2], t->x[0], p);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

static bool SegmentMeetsInPlane(Plane plane, const double* p, const double* q, const rslTriangle* t)
{
    if (Holds(plane, t, p) || Holds(plane, t, q))
    {
        return true;
    }
    for (int i = 0; i < 3; ++i)
    {
        if (SegmentsMeet(plane, p, q, t->x[i], t->x[(i + 1) % 3]))
        {
            return true;
        }
    }
    return false;
}

// ---- in space -------------------------------------------------------------------------------------------------------

// The closed segment p q and the closed triangle.
static bool SegmentMeets(const double* p, const double* q, const rslTriangle* t)
{
    Plane plane = MainPlane(t);
    const double* ends[2] = { p, q };
    if (Parts(plane, t, ends, 2))
    {
        return false;
    }
    // the line through p q, with the triangle all on one side
    const double* const* x = t->x;
    int turn = Side(plane, p, q, x[0]);
    if (turn != 0 && Beyond(plane, p, q, -turn, x, 3))
    {
        return false;
    }
    int sp = rslOrient3(x[0], x[1], x[2], p), sq = rslOrient3(x[0], x[1], x[2], q);
    if (sp * sq > 0)
    {
        return false;
    }
    if (sp == 0 && sq == 0)
    {
        return SegmentMeetsInPlane(plane, p, q, t);
    }
    int a = rslOrient3(p, q, x[0], x[1]), b = rslOrient3(p, q, x[1], x[2]), c = rslOrient3(p, q, x[2], x[0]);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

// Triangles without a shared corner meet when an edge of one meets the other.
static bool ApartMeet(const rslTriangle* a, const rslTriangle* b)
{
    if (Parts(MainPlane(a), a, b->x, 3) || Parts(MainPlane(b), b, a->x, 3))
    {
        return false;
    }
    for (int i = 0; i < 3; ++i)
    {
        if (SegmentMeets(a->x[i], a->x[(i + 1) % 3], b) || SegmentMeets(b->x[i], b->x[(i + 1) % 3], a))
        {
            return true;
        }
    }
    return false;
}

// With the shared corner at i and j: from a second common point go on along the line from the shared corner, inside
// both, until the first of the two opposite edges.
static bool CornerMeet(const rslTriangle* a, int i, const rslTriangle* b, int j)
{
    return SegmentMeets(a->x[(i + 1) % 3], a->x[(i + 2) % 3], b) ||
           SegmentMeets(b->x[(j + 1) % 3], b->x[(j + 2) % 3], a);
}

// With a shared edge u v they overlap when they are coplanar and their third corners p, q are on the same side.
static bool EdgeMeet(const double* u, const double* v, const double* p, const double* q, const rslTriangle* a)
{
    Plane plane = MainPlane(a);
    if (Side(plane, u, v, p) * Side(plane, u, v, q) < 0)
    {
        return false;
    }
    return rslOrient3(u, v, p, q) == 0;
}

bool rslTriangle_Crosses(const rslTriangle* a, const rslTriangle* b)
{
    int shared = 0, inA[3], inB[3];
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            if (a->corner[i] == b->corner[j] && shared < 3)
            {
                inA[shared] = i;
                inB[shared] = j;
                ++shared;
            }
        }
    }
    switch (shared)
    {
        case 0: return ApartMeet(a, b);
        case 1: return CornerMeet(a, inA[0], b, inB[0]);
        case 2:
        {
            int p = 3 - inA[0] - inA[1], q = 3 - inB[0] - inB[1];
            return EdgeMeet(a->x[inA[0]], a->x[inA[1]], a->x[p], b->x[q], a);
        }
        default: return false;
    }
}
