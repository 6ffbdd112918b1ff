// SPDX-License-Identifier: MIT
//
// tessellation.c: see tessellation.h.
//
// Lattice: every cube between eight nodes is cut into the six tetrahedra around its diagonal from (0, 0, 0) to (1, 1, 1)
// (Freudenthal 1942, Kuhn 1960). With the place (s, t, r) in the cube sorted, s >= t >= r, the corners are 0, e_s,
// e_s + e_t, (1, 1, 1), with the weights 1 - s, s - t, t - r, r; equal ones keep the order x, y, z. Neighbouring cubes agree
// about the diagonals of their faces. Networks of tetrahedra and sheets have elements of their own; the others get
// Delaunay's tetrahedra, without those that bridge what no spring does.

#include "tessellation.h"

#include "lattice.h"
#include "memory.h"
#include "vec.h"

#include <math.h>

static const double slack = 1e-9;  // of a weight: points on the border are inside

rslVec3 rslTessellation_RestOf(const rslTessellation* t, int node)
{
    double x[3];
    rslBody_Rest(t->body, node, node + 1, x);
    return (rslVec3){ x[0], x[1], x[2] };
}

// ---- lattices -------------------------------------------------------------------------------------------------------

static const int orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

// The nodes of a cube, -1 where there is none: corner c is (c & 1, c >> 1 & 1, c >> 2). A cell of a corner lattice that is
// empty has none.
static void NodesOfCube(const rslTessellation* t, const int cube[3], int nodes[8])
{
    const rslLattice* lattice = &t->body->lattice;
    bool filled =
        lattice->construction == rsl_centredLattice || rslLattice_Weight(lattice, cube[0], cube[1], cube[2]) > 0.0;
    for (int c = 0; c < 8; ++c)
    {
        int node =
            filled ? rslLattice_Node(lattice, cube[0] + (c & 1), cube[1] + (c >> 1 & 1), cube[2] + (c >> 2)) : -1;
        nodes[c] = node >= 0 ? t->body->firstNode + node : -1;
    }
}

static bool TetrahedronOfCube(const int nodes[8], const int order[3], rslSimplex* simplex)
{
    int corner = 0;
    simplex->count = 4;
    simplex->node[0] = nodes[0];
    for (int c = 0; c < 3; ++c)
    {
        corner |= 1 << order[c];
        simplex->node[c + 1] = nodes[corner];
    }
    return simplex->node[0] >= 0 && simplex->node[1] >= 0 && simplex->node[2] >= 0 && simplex->node[3] >= 0;
}

static bool LocateInCube(const rslTessellation* t, const double p[3], const int cube[3], rslSimplex* simplex)
{
    double s[3];
    int order[3] = { 0, 1, 2 }, nodes[8];
    for (int axis = 0; axis < 3; ++axis)
    {
        s[axis] = fmin(fmax(p[axis] - cube[axis], 0.0), 1.0);
    }
    for (int i = 1; i < 3; ++i)
    {
        for (int j = i; j > 0 && s[order[j]] > s[order[j - 1]]; --j)
        {
            int swap = order[j];
            order[j] = order[j - 1];
            order[j - 1] = swap;
        }
    }
    NodesOfCube(t, cube, nodes);
    simplex->weight[0] = 1.0 - s[order[0]];
    simplex->weight[1] = s[order[0]] - s[order[1]];
    simplex->weight[2] = s[order[1]] - s[order[2]];
    simplex->weight[3] = s[order[2]];
    return TetrahedronOfCube(nodes, order, simplex);
}

// A point on the side of a cube may belong to its neighbour only.
static bool LocateInLattice(const rslTessellation* t, rslVec3 X, rslSimplex* simplex)
{
    const rslLattice* lattice = &t->body->lattice;
    double a = lattice->spacing, p[3];
    const double from[3] = { X.x - lattice->origin.x, X.y - lattice->origin.y, X.z - lattice->origin.z };
    int base[3], step[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        p[axis] = from[axis] / a;
        if (!(p[axis] > -2.0 && p[axis] < lattice->extent[axis] + 1.0))
        {
            return false;
        }
        base[axis] = (int)floor(p[axis]);
        step[axis] = p[axis] - base[axis] < slack ? -1 : p[axis] - base[axis] > 1.0 - slack ? 1 : 0;
    }
    for (int c = 0; c < 8; ++c)
    {
        int cube[3];
        bool same = false;
        for (int axis = 0; axis < 3; ++axis)
        {
            bool moved = (c >> axis & 1) != 0;
            same = same || (moved && step[axis] == 0);
            cube[axis] = base[axis] + (moved ? step[axis] : 0);
        }
        if (!same && LocateInCube(t, p, cube, simplex))
        {
            return true;
        }
    }
    return false;
}

static void VisitLattice(const rslTessellation* t, rslSimplexVisitor* visit, void* context)
{
    const int* extent = t->body->lattice.extent;
    int cube[3], nodes[8];
    for (cube[2] = 0; cube[2] + 1 < extent[2]; ++cube[2])
    {
        for (cube[1] = 0; cube[1] + 1 < extent[1]; ++cube[1])
        {
            for (cube[0] = 0; cube[0] + 1 < extent[0]; ++cube[0])
            {
                NodesOfCube(t, cube, nodes);
                for (int o = 0; o < 6; ++o)
                {
                    rslSimplex simplex;
                    if (TetrahedronOfCube(nodes, orders[o], &simplex))
                    {
                        visit(&simplex, context);
                    }
                }
            }
        }
    }
}

// ---- networks -------------------------------------------------------------------------------------------------------

static int CornersOf(const rslTessellation* t)
{
    return t->body->thickness > 0.0 ? 3 : 4;
}

static void FillElement(const rslTessellation* t, int element, rslSimplex* simplex)
{
    simplex->count = CornersOf(t);
    for (int c = 0; c < simplex->count; ++c)
    {
        simplex->node[c] = t->elementBase + t->elements[(size_t)simplex->count * (size_t)element + (size_t)c];
    }
}

// Weights of a point in a tetrahedron by its volumes; false: outside.
static bool WeighTetrahedron(const rslTessellation* t, rslVec3 X, rslSimplex* s)
{
    rslVec3 a = rslTessellation_RestOf(t, s->node[0]);
    rslVec3 b = rslSub(rslTessellation_RestOf(t, s->node[1]), a), c = rslSub(rslTessellation_RestOf(t, s->node[2]), a);
    rslVec3 d = rslSub(rslTessellation_RestOf(t, s->node[3]), a), x = rslSub(X, a);
    double volume = rslDot(rslCross(b, c), d);
    s->weight[1] = rslDot(rslCross(x, c), d) / volume;
    s->weight[2] = rslDot(rslCross(b, x), d) / volume;
    s->weight[3] = rslDot(rslCross(b, c), x) / volume;
    s->weight[0] = 1.0 - s->weight[1] - s->weight[2] - s->weight[3];
    return s->weight[0] >= -slack && s->weight[1] >= -slack && s->weight[2] >= -slack && s->weight[3] >= -slack;
}

// Of the foot of a point over a triangle; false: beside it, or farther off than half of its size.
static bool WeighTriangle(const rslTessellation* t, rslVec3 X, rslSimplex* s)
{
    rslVec3 a = rslTessellation_RestOf(t, s->node[0]), x = rslSub(X, a);
    rslVec3 b = rslSub(rslTessellation_RestOf(t, s->node[1]), a), c = rslSub(rslTessellation_RestOf(t, s->node[2]), a);
    rslVec3 normal = rslCross(b, c);
    double square = rslDot(normal, normal), height = rslDot(x, normal);
    s->weight[1] = rslDot(rslCross(x, c), normal) / square;
    s->weight[2] = rslDot(rslCross(b, x), normal) / square;
    s->weight[0] = 1.0 - s->weight[1] - s->weight[2];
    // height / |n| < 1/2 sqrt |n|, |n| twice the area
    return s->weight[0] >= -slack && s->weight[1] >= -slack && s->weight[2] >= -slack &&
           4.0 * height * height <= square * sqrt(square);
}

static bool TryElement(const rslTessellation* t, int element, rslVec3 X, rslSimplex* simplex)
{
    FillElement(t, element, simplex);
    return simplex->count == 3 ? WeighTriangle(t, X, simplex) : WeighTetrahedron(t, X, simplex);
}

// Those with the nearest centroids first; where that is not enough, all.
static bool LocateElement(const rslTessellation* t, rslVec3 X, rslSimplex* simplex)
{
    int near[RSL_NEAREST_MOST];
    double squared[RSL_NEAREST_MOST] = { 0.0 };
    int count = rslNearest_Find(t->nearest, X, RSL_NEAREST_MOST, near, squared);
    for (int i = 0; i < count; ++i)
    {
        if (TryElement(t, near[i], X, simplex))
        {
            return true;
        }
    }
    // the foot on a triangle may be off by half of its size
    double reach = 2.0 * t->largest;
    bool all = count < RSL_NEAREST_MOST || squared[count - 1] > reach * reach;
    for (int e = 0; !all && e < t->elementCount; ++e)
    {
        if (TryElement(t, e, X, simplex))
        {
            return true;
        }
    }
    return false;
}

static bool LocateByWalk(const rslTessellation* t, rslVec3 X, rslSimplex* simplex)
{
    int near = 0;
    const double point[3] = { X.x, X.y, X.z };
    rslNearest_Find(t->nearest, X, 1, &near, NULL);
    int element = rslDelaunay_Locate(&t->delaunay, t->body->network.rest, point, t->nodeElement[near]);
    if (element < 0 || t->spanning[element])
    {
        return false;
    }
    FillElement(t, element, simplex);
    WeighTetrahedron(t, X, simplex);
    return true;
}

bool rslTessellation_Locate(const rslTessellation* t, rslVec3 X, rslSimplex* simplex)
{
    if (t->body->kind == rsl_latticeBody)
    {
        return LocateInLattice(t, X, simplex);
    }
    return t->spanning != NULL ? LocateByWalk(t, X, simplex) : LocateElement(t, X, simplex);
}

void rslTessellation_Visit(const rslTessellation* t, rslSimplexVisitor* visit, void* context)
{
    if (t->body->kind == rsl_latticeBody)
    {
        VisitLattice(t, visit, context);
        return;
    }
    for (int e = 0; e < t->elementCount; ++e)
    {
        rslSimplex simplex;
        FillElement(t, e, &simplex);
        if (t->spanning == NULL || !t->spanning[e])
        {
            visit(&simplex, context);
        }
    }
}

// ---- making ---------------------------------------------------------------------------------------------------------

static rslStatus MakeCentroids(rslTessellation* t)
{
    t->centroids = rslAllocate(&t->hooks, (size_t)t->elementCount, 3 * sizeof(double));
    if (t->centroids == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int e = 0; e < t->elementCount; ++e)
    {
        rslSimplex s;
        FillElement(t, e, &s);
        rslVec3 middle = { 0.0, 0.0, 0.0 };
        for (int c = 0; c < s.count; ++c)
        {
            middle = rslMulAdd(middle, 1.0 / s.count, rslTessellation_RestOf(t, s.node[c]));
        }
        for (int c = 0; c < s.count; ++c)
        {
            t->largest = fmax(t->largest, rslLength(rslSub(rslTessellation_RestOf(t, s.node[c]), middle)));
        }
        double* to = t->centroids + 3 * (size_t)e;
        to[0] = middle.x;
        to[1] = middle.y;
        to[2] = middle.z;
    }
    return rslNearest_Create(t->centroids, t->elementCount, &t->hooks, &t->nearest);
}

static double Edge(const rslTessellation* t, int a, int b)
{
    return rslLength(rslSub(rslTessellation_RestOf(t, a), rslTessellation_RestOf(t, b)));
}

// A tetrahedron with an edge of more than twice the longest spring bridges something.
static void MarkSpanning(rslTessellation* t)
{
    double longest = 0.0;
    for (int s = 0; s < t->body->network.springCount; ++s)
    {
        longest = fmax(longest, Edge(t, t->body->network.springs[s].a, t->body->network.springs[s].b));
    }
    for (int e = 0; e < t->elementCount; ++e)
    {
        rslSimplex s;
        FillElement(t, e, &s);
        for (int c = 0; c < 6; ++c)
        {
            static const int pairs[6][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } };
            t->spanning[e] = t->spanning[e] || Edge(t, s.node[pairs[c][0]], s.node[pairs[c][1]]) > 2.0 * longest;
        }
        for (int c = 0; c < 4; ++c)
        {
            t->nodeElement[s.node[c] - t->body->firstNode] = e;
        }
    }
}

static rslStatus MakeDelaunay(rslTessellation* t, rslReport* report)
{
    const rslBody* body = t->body;
    rslStatus status = rslDelaunay_Make(body->network.rest, body->nodeCount, &t->hooks, &t->delaunay, report);
    if (status != rsl_ok)
    {
        return status;
    }
    t->elements = t->delaunay.corners;
    t->elementCount = t->delaunay.count;
    t->spanning = rslAllocate(&t->hooks, (size_t)t->elementCount, sizeof(bool));
    t->nodeElement = rslAllocate(&t->hooks, (size_t)body->nodeCount, sizeof(int));
    if (t->spanning == NULL || t->nodeElement == NULL)
    {
        return rsl_outOfMemory;
    }
    MarkSpanning(t);
    return rslNearest_Create(body->network.rest, body->nodeCount, &t->hooks, &t->nearest);
}

static rslStatus MakeNetwork(rslTessellation* t, rslReport* report)
{
    const rslBody* body = t->body;
    if (body->thickness > 0.0)
    {
        if (body->surface.triangleCount == 0)
        {
            rslReport_Add(report, rsl_error, (rslPlace){ 0, 0 },
                          "strain in the sheet '%s' is read off its triangles: enable its surface", body->name);
            return rsl_badInput;
        }
        t->elements = body->surface.triangles;
        t->elementCount = body->surface.triangleCount;
        return MakeCentroids(t);
    }
    if (body->network.tetrahedra != NULL)
    {
        t->elements = body->network.tetrahedra;
        t->elementBase = 0;
        t->elementCount = body->network.tetrahedronCount;
        return MakeCentroids(t);
    }
    return MakeDelaunay(t, report);
}

rslStatus rslTessellation_Create(const rslModel* model, int body, const rslHooks* hooks, rslTessellation** out,
                                 rslReport* report)
{
    RSL_ASSERT(0 <= body && body < model->bodyCount);
    rslHooks complete = rslHooks_Complete(hooks);
    *out = NULL;
    rslTessellation* t = rslAllocate(&complete, 1, sizeof *t);
    if (t == NULL)
    {
        return rsl_outOfMemory;
    }
    t->model = model;
    t->body = &model->bodies[body];
    t->hooks = complete;
    t->elementBase = t->body->firstNode;
    rslStatus status = t->body->kind == rsl_latticeBody ? rsl_ok : MakeNetwork(t, report);
    if (status != rsl_ok)
    {
        rslTessellation_Free(t);
        return status;
    }
    *out = t;
    return rsl_ok;
}

void rslTessellation_Free(rslTessellation* t)
{
    if (t == NULL)
    {
        return;
    }
    rslHooks hooks = t->hooks;
    if (t->delaunay.corners != NULL)
    {
        rslDelaunay_Free(&t->delaunay);
    }
    rslNearest_Free(t->nearest);
    rslRelease(&hooks, t->centroids);
    rslRelease(&hooks, t->spanning);
    rslRelease(&hooks, t->nodeElement);
    rslRelease(&hooks, t);
}
