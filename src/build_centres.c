// SPDX-License-Identifier: MIT
//
// build_centres.c: the centres of support springs. Every vertex belongs to one centre, which is the centre of mass of its
// vertices, and has to be seen from it: no triangle lies between, and all triangles around the vertex face away.
//
// One centre sees a whole closed surface when every triangle faces away from it: the surface is then star-shaped. Several
// share the vertices out by k-means: they start at the vertices that lie farthest from each other, the first of them
// farthest from the centre of mass; then every vertex goes to the nearest centre (the first of those as near) and every
// centre to the centre of mass of its vertices, until nothing changes.

#include "build.h"
#include "mesh_tree.h"
#include "vec.h"

#include <math.h>

enum
{
    MOST_ROUNDS = 200
};

typedef struct Means
{
    const double* vertices;
    const double* mass;
    int vertexCount, count;
    rslVec3* centres;
    int* centreOf;
} Means;

static rslVec3 At(const double* xyz, int index)
{
    xyz += 3 * (size_t)index;
    return (rslVec3){ xyz[0], xyz[1], xyz[2] };
}

static double Square(rslVec3 a, rslVec3 b)
{
    rslVec3 d = rslSub(a, b);
    return rslDot(d, d);
}

// ---- sharing out ----------------------------------------------------------------------------------------------------

// Centres of mass; one that has lost all of its vertices stays.
static void MoveCentres(Means* m)
{
    for (int k = 0; k < m->count; ++k)
    {
        rslVec3 sum = { 0 };
        double mass = 0.0;
        for (int v = 0; v < m->vertexCount; ++v)
        {
            double share = m->centreOf[v] == k ? m->mass[v] : 0.0;
            sum = rslMulAdd(sum, share, At(m->vertices, v));
            mass += share;
        }
        m->centres[k] = mass > 0.0 ? rslScale(1.0 / mass, sum) : m->centres[k];
    }
}

// The vertex farthest from the first of the centres, or from the nearest of them.
static int Farthest(const Means* m, int known)
{
    int farthest = 0;
    double largest = -1.0;
    for (int v = 0; v < m->vertexCount; ++v)
    {
        double nearest = INFINITY;
        for (int k = 0; k < known; ++k)
        {
            double d = Square(At(m->vertices, v), m->centres[k]);
            nearest = d < nearest ? d : nearest;
        }
        if (nearest > largest)
        {
            largest = nearest;
            farthest = v;
        }
    }
    return farthest;
}

// True when a vertex has changed its centre.
static bool Assign(Means* m)
{
    bool changed = false;
    for (int v = 0; v < m->vertexCount; ++v)
    {
        int best = 0;
        for (int k = 1; k < m->count; ++k)
        {
            best = Square(At(m->vertices, v), m->centres[k]) < Square(At(m->vertices, v), m->centres[best]) ? k : best;
        }
        changed = changed || m->centreOf[v] != best;
        m->centreOf[v] = best;
    }
    return changed;
}

static void ShareOut(Means* m)
{
    MoveCentres(m);  // all belong to the first
    if (m->count == 1)
    {
        return;
    }
    m->centres[0] = At(m->vertices, Farthest(m, 1));
    for (int k = 1; k < m->count; ++k)
    {
        m->centres[k] = At(m->vertices, Farthest(m, k));
    }
    bool changed = Assign(m);
    MoveCentres(m);
    for (int round = 0; changed && round < MOST_ROUNDS; ++round)
    {
        changed = Assign(m);
        MoveCentres(m);
    }
}

// ---- seeing ---------------------------------------------------------------------------------------------------------

// Does the triangle lie between the centre and the vertex? Tests by signs of volumes; what only touches does not count.
static bool Crosses(const Means* m, const int* t, rslVec3 from, rslVec3 to)
{
    rslVec3 a = At(m->vertices, t[0]), b = At(m->vertices, t[1]), c = At(m->vertices, t[2]);
    rslVec3 n = rslCross(rslSub(b, a), rslSub(c, a)), way = rslSub(to, from);
    double start = rslDot(n, rslSub(from, a)), end = rslDot(n, rslSub(to, a));
    if (!((start < 0.0 && end > 0.0) || (start > 0.0 && end < 0.0)))
    {
        return false;
    }
    double sides[3] = { rslDot(way, rslCross(rslSub(a, from), rslSub(b, from))),
                        rslDot(way, rslCross(rslSub(b, from), rslSub(c, from))),
                        rslDot(way, rslCross(rslSub(c, from), rslSub(a, from))) };
    return (sides[0] > 0.0 && sides[1] > 0.0 && sides[2] > 0.0) || (sides[0] < 0.0 && sides[1] < 0.0 && sides[2] < 0.0);
}

// Does the box around the way meet this one?
static bool Meets(const rslMeshBox* box, rslVec3 from, rslVec3 to)
{
    double a[3] = { from.x, from.y, from.z }, b[3] = { to.x, to.y, to.z };
    bool meets = true;
    for (int axis = 0; axis < 3; ++axis)
    {
        meets = meets && fmin(a[axis], b[axis]) <= box->upper[axis] && fmax(a[axis], b[axis]) >= box->lower[axis];
    }
    return meets;
}

static bool IsHidden(const Means* m, const rslMeshTree* tree, int vertex)
{
    rslVec3 to = At(m->vertices, vertex), from = m->centres[m->centreOf[vertex]];
    int stack[2 * RSL_MESH_TREE_DEPTH], depth = 0;
    bool hidden = false;
    stack[depth++] = 0;
    while (!hidden && depth > 0)
    {
        const rslMeshBox* box = &tree->boxes[stack[--depth]];
        if (!Meets(box, from, to))
        {
            continue;
        }
        for (int i = 0; i < box->count && !hidden; ++i)
        {
            const int* corner = &tree->triangles[3 * (size_t)tree->order[box->first + i]];
            bool own = corner[0] == vertex || corner[1] == vertex || corner[2] == vertex;
            hidden = !own && Crosses(m, corner, from, to);
        }
        if (box->count == 0)
        {
            stack[depth++] = box->first;
            stack[depth++] = box->first + 1;
        }
    }
    return hidden;
}

// The first vertex that something hides from its centre; -1: none.
static rslStatus FindHidden(const Means* m, const rslSurface* surface, const rslHooks* hooks, int* hidden)
{
    rslMeshTree* tree = NULL;
    rslStatus status =
        rslMeshTree_Create(m->vertices, m->vertexCount, surface->triangles, surface->triangleCount, hooks, &tree);
    for (int v = 0; status == rsl_ok && *hidden < 0 && v < m->vertexCount; ++v)
    {
        *hidden = IsHidden(m, tree, v) ? v : -1;
    }
    rslMeshTree_Free(tree);
    return status;
}

// The first vertex with a triangle that does not face away from its centre; -1: none.
static int FindTurned(const Means* m, const rslSurface* surface)
{
    for (int t = 0; t < surface->triangleCount; ++t)
    {
        const int* corner = &surface->triangles[3 * (size_t)t];
        rslVec3 a = At(m->vertices, corner[0]);
        rslVec3 n = rslCross(rslSub(At(m->vertices, corner[1]), a), rslSub(At(m->vertices, corner[2]), a));
        for (int c = 0; c < 3; ++c)
        {
            rslVec3 arm = rslSub(a, m->centres[m->centreOf[corner[c]]]);
            if (!(rslDot(n, arm) > 1e-9 * rslLength(n) * rslLength(arm)))
            {
                return corner[c];
            }
        }
    }
    return -1;
}

rslStatus rslBuild_Centres(rslBuild* build, const rslBodyDef* def, const rslBody* body, const double* vertices,
                           int* centreOf)
{
    const rslHooks* hooks = &build->model->hooks;
    int count = def->volume.centres;
    Means means = { vertices, build->model->mass + body->firstNode, body->surface.vertexCount, count, NULL, centreOf };
    means.centres = rslAllocate(hooks, (size_t)count, sizeof(rslVec3));
    if (means.centres == NULL)
    {
        return rsl_outOfMemory;
    }
    ShareOut(&means);
    int unseen = FindTurned(&means, &body->surface);
    // one centre that all triangles face away from sees all of them
    rslStatus status = unseen < 0 && count > 1 ? FindHidden(&means, &body->surface, hooks, &unseen) : rsl_ok;
    if (unseen >= 0)
    {
        rslMat3 turn = rslQuatMatrix(body->frame.rotation);
        rslVec3 x = rslAdd(body->frame.origin, rslMatVec(&turn, At(vertices, unseen)));
        rslVec3 c = rslAdd(body->frame.origin, rslMatVec(&turn, means.centres[centreOf[unseen]]));
        rslReport_Add(
            build->report, rsl_error, def->volume.place,
            "the surface of body '%s' is not star-shaped about %s: vertex %d at [%.4g, %.4g, %.4g] is not seen "
            "from [%.4g, %.4g, %.4g]; %suse method pressure or hard, which need no centre",
            def->name, count == 1 ? "its centre of mass" : "its centres", unseen, x.x, x.y, x.z, c.x, c.y, c.z,
            count < 64 ? "try more centres, or " : "");
    }
    rslRelease(hooks, means.centres);
    return status != rsl_ok ? status : unseen < 0 ? rsl_ok : rsl_badInput;
}
