// SPDX-License-Identifier: MIT
//
// collide_shape_sweep.c: how far corners can go before they are too near to a collider.
//
// Of something convex all lies behind a plane at a distance d from the corners: normal n, through near - d n. While corners go
// straight, their heights over that plane change linearly, so they are free until the first of them is as low as keep. Look
// again from there, with the plane of that moment. It never goes too far, and comes close after few looks as it is Newton's
// method on a convex function; things that slide along each other are not held up. A mesh is many triangles, each convex.

#include "collide_solid.h"

enum
{
    MOST_LOOKS = 100,
};

rslBounds rslCorners_Bounds(int count, const rslVec3* q, double margin)
{
    rslBounds b = { q[0], q[0] };
    for (int i = 1; i < count; ++i)
    {
        b.lower = (rslVec3){ fmin(b.lower.x, q[i].x), fmin(b.lower.y, q[i].y), fmin(b.lower.z, q[i].z) };
        b.upper = (rslVec3){ fmax(b.upper.x, q[i].x), fmax(b.upper.y, q[i].y), fmax(b.upper.z, q[i].z) };
    }
    rslVec3 r = { margin, margin, margin };
    return (rslBounds){ rslSub(b.lower, r), rslAdd(b.upper, r) };
}

// The next time at which a corner may be too near.
static double FreeUntil(const rslApart* at, double time, int count, const rslVec3* p, const rslVec3* q, double keep)
{
    double next = INFINITY;
    for (int i = 0; i < count; ++i)
    {
        double height = rslDot(at->normal, rslSub(rslAlong(p[i], q[i], time), at->near)) + at->distance - keep;
        double rate = rslDot(at->normal, rslSub(q[i], p[i]));
        next = rate < 0.0 ? fmin(next, time - height / rate) : next;
    }
    return next;
}

double rslConvex_Sweep(rslApartFunction* apart, const void* context, int count, const rslVec3* p, const rslVec3* q,
                       double keep, double until)
{
    double time = 0.0, enough = 0.0;
    for (int look = 0; look < MOST_LOOKS && time < until; ++look)
    {
        rslVec3 now[3];
        for (int i = 0; i < count; ++i)
        {
            now[i] = rslAlong(p[i], q[i], time);
        }
        rslApart at = apart(context, count, now);
        enough = look == 0 ? 1e-4 * (at.distance - keep) : enough;
        if (!(at.distance - keep > enough))
        {
            break;
        }
        double next = FreeUntil(&at, time, count, p, q, keep);
        if (!(next > time))
        {
            break;
        }
        time = next;
    }
    return time < until ? time : until;
}

static bool Reaches(const rslMeshBox* box, const rslBounds* b)
{
    return box->lower[0] <= b->upper.x && box->upper[0] >= b->lower.x && box->lower[1] <= b->upper.y &&
           box->upper[1] >= b->lower.y && box->lower[2] <= b->upper.z && box->upper[2] >= b->lower.z;
}

double rslSolidMesh_Sweep(const rslSolid* solid, int count, const rslVec3* p, const rslVec3* q, double keep)
{
    const rslMeshTree* tree = solid->mesh;
    rslVec3 both[6];
    for (int i = 0; i < count; ++i)
    {
        both[i] = p[i];
        both[count + i] = q[i];
    }
    rslBounds bounds = rslCorners_Bounds(2 * count, both, keep);
    int stack[RSL_MESH_TREE_DEPTH], depth = 0;
    double time = 1.0;
    stack[depth++] = 0;
    while (depth > 0)
    {
        const rslMeshBox* box = &tree->boxes[stack[--depth]];
        bool near = Reaches(box, &bounds);
        for (int k = box->first; near && k < box->first + box->count; ++k)
        {
            rslVec3 x[3];
            rslSolid_Triangle(solid, tree->order[k], x);
            time = rslConvex_Sweep(rslTriangle_Apart, x, count, p, q, keep, time);
        }
        if (near && box->count == 0)
        {
            stack[depth++] = box->first + 1;
            stack[depth++] = box->first;
        }
    }
    return time;
}

// ---- distance -------------------------------------------------------------------------------------------------------

// Of a box to bounds.
static double BoxesApart(const rslMeshBox* box, const rslBounds* b)
{
    rslVec3 d = { fmax(fmax(box->lower[0] - b->upper.x, b->lower.x - box->upper[0]), 0.0),
                  fmax(fmax(box->lower[1] - b->upper.y, b->lower.y - box->upper[1]), 0.0),
                  fmax(fmax(box->lower[2] - b->upper.z, b->lower.z - box->upper[2]), 0.0) };
    return rslLength(d);
}

// Of an edge or a triangle to the surface; INFINITY beyond what is asked for.
static double LeastDistance(const rslSolid* solid, int count, const rslVec3* q, double within)
{
    const rslMeshTree* tree = solid->mesh;
    rslBounds bounds = rslCorners_Bounds(count, q, 0.0);
    int stack[RSL_MESH_TREE_DEPTH], depth = 0;
    double best = INFINITY;
    stack[depth++] = 0;
    while (depth > 0)
    {
        const rslMeshBox* box = &tree->boxes[stack[--depth]];
        if (BoxesApart(box, &bounds) >= fmin(best, within))
        {
            continue;
        }
        for (int k = box->first; k < box->first + box->count; ++k)
        {
            rslVec3 x[3];
            rslSolid_Triangle(solid, tree->order[k], x);
            best = fmin(best, rslTriangle_Apart(x, count, q).distance);
        }
        if (box->count == 0)
        {
            double d[2] = { BoxesApart(&tree->boxes[box->first], &bounds),
                            BoxesApart(&tree->boxes[box->first + 1], &bounds) };
            int near = d[0] <= d[1] ? 0 : 1;
            stack[depth++] = box->first + 1 - near;
            stack[depth++] = box->first + near;
        }
    }
    return best < within ? best : INFINITY;
}

// Whether it is inside is asked of what is near alone.
double rslSolidMesh_Distance(const rslSolid* solid, int count, const rslVec3* q, double within)
{
    double least = count == 1 ? rslMeshTree_NearestTriangle(solid->mesh, q[0], within) >= 0 ? 0.0 : INFINITY
                              : LeastDistance(solid, count, q, within);
    double first = least < INFINITY ? rslSolidMesh_Nearest(solid, q[0]).gap : INFINITY;
    return count == 1 || first <= 0.0 ? first : least;
}
