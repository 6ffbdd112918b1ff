// SPDX-License-Identifier: MIT
//
// hardy_element.c: what finite elements add to the stress in small spheres:
//   sigma = 1/V sum over elements of (integral of Cauchy's stress over what lies in the sphere),  V = 4/3 pi R^3
// Over an element stress is its mean, over a cube linear about it (rslElementView). Cells are six tetrahedra about one diagonal,
// the same as those of their neighbours; of one that the surface cuts, the part is taken that a plane across the direction of its
// filled centre leaves, which is exact for planes along the cells. All that the cell holds is shared out over that part. Bricks
// between the nodes of a centred lattice reach beyond their corners at the surface, as far as the body does (build_dual.c).

#include "hardy.h"

#include "lattice.h"
#include "memory.h"
#include "overlap.h"
#include "symmetric.h"

typedef struct Adding
{
    const rslHardy* hardy;
    rslBounds box;  // around all probes
    int* found;
    rslSymmetric* stress;
} Adding;

static rslVec3 Corner(const rslHardy* h, int node)
{
    const double* x = h->positions + 3 * (size_t)node;
    return (rslVec3){ x[0], x[1], x[2] };
}

// ---- an element as simplices ----------------------------------------------------------------------------------------

enum
{
    SIMPLICES_MOST = 6
};

typedef struct Pieces
{
    int count;
    rslSimplex simplex[SIMPLICES_MOST];
    double volume[SIMPLICES_MOST];  // times what they hold over what a full element does [m3]
    rslCut cut;
    rslVec3 centre;  // of what is filled
} Pieces;

static rslOverlap InSphere(const Pieces* pieces, rslVec3 centre, double radius)
{
    rslOverlap sum = { 0 };
    for (int t = 0; t < pieces->count; ++t)
    {
        rslOverlap part = rslSimplex_InSphere(&pieces->simplex[t], &pieces->cut, centre, radius);
        sum.volume += pieces->volume[t] * part.volume;
        sum.moment = rslMulAdd(sum.moment, pieces->volume[t], part.moment);
    }
    return sum;
}

// The number of a node of a lattice along each axis.
static void PlaceOf(const rslBody* body, int node, int64_t at[3])
{
    const rslLattice* lattice = &body->lattice;
    const double origin[3] = { lattice->origin.x, lattice->origin.y, lattice->origin.z };
    double x[3];
    rslBody_Rest(body, node, node + 1, x);
    for (int axis = 0; axis < 3; ++axis)
    {
        at[axis] = (int64_t)floor((x[axis] - origin[axis]) / lattice->spacing + 0.5);
    }
}

// A cell that the surface cuts; NULL: it is full.
static const rslBorderCell* BorderAt(const rslLattice* lattice, const int64_t at[3])
{
    int64_t cell = at[0] + lattice->cells[0] * (at[1] + lattice->cells[1] * at[2]);
    int low = 0, high = lattice->borderCount;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        bool before = lattice->border[middle].cell < cell;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low < lattice->borderCount && lattice->border[low].cell == cell ? &lattice->border[low] : NULL;
}

static double SignedVolume(const rslSimplex* t, double thickness)
{
    rslVec3 a = rslSub(t->x[1], t->x[0]), b = rslSub(t->x[2], t->x[0]), n = rslCross(a, b);
    return t->corners == 3 ? 0.5 * thickness * rslLength(n) : rslDot(n, rslSub(t->x[3], t->x[0])) / 6.0;
}

static bool HasDual(const rslBody* body)
{
    return body->kind == rsl_latticeBody && body->lattice.construction == rsl_centredLattice;
}

// Where a corner of a cell is in it. Between the nodes of a centred lattice, the outermost ones stand for what is filled of the
// cells about their nodes, which are boxes.
static rslVec3 CornerPlace(const rslBody* body, int node, int corner)
{
    double s[3];
    int64_t at[3] = { 0, 0, 0 };
    bool dual = HasDual(body);
    if (dual)
    {
        PlaceOf(body, node, at);
    }
    const rslBorderCell* border = dual ? BorderAt(&body->lattice, at) : NULL;
    for (int axis = 0; axis < 3; ++axis)
    {
        int high = corner >> axis & 1;
        double side = high != 0 ? 1.0 : -1.0, reach = 0.0;
        if (dual && at[axis] == (high != 0 ? body->lattice.cells[axis] - 1 : 0))
        {
            reach = border != NULL ? sqrt(3.0 * border->variance[axis]) + side * border->centroid[axis] : 0.5;
        }
        s[axis] = side * (0.5 + reach);
    }
    return (rslVec3){ s[0], s[1], s[2] };
}

// Where a place in a cell is, between its corners or beyond them.
static rslVec3 PointAt(const rslHardy* h, const int* nodes, rslVec3 s)
{
    rslVec3 sum = { 0.0, 0.0, 0.0 };
    for (int n = 0; n < 8; ++n)
    {
        double share = (0.5 + (n & 1 ? s.x : -s.x)) * (0.5 + (n & 2 ? s.y : -s.y)) * (0.5 + (n & 4 ? s.z : -s.z));
        sum = rslMulAdd(sum, share, Corner(h, nodes[n]));
    }
    return sum;
}

// From corner 0 to corner 7 along the axes in every order.
static void CutCell(const rslHardy* h, const rslElementView* element, Pieces* pieces)
{
    static const int orders[SIMPLICES_MOST][2] = { { 1, 3 }, { 2, 6 }, { 4, 5 }, { 2, 3 }, { 4, 6 }, { 1, 5 } };
    const rslBody* body = &h->model->bodies[element->body];
    rslVec3 x[8], s[8];
    for (int c = 0; c < 8; ++c)
    {
        s[c] = CornerPlace(body, element->nodes[c], c);
        x[c] = HasDual(body) ? PointAt(h, element->nodes, s[c]) : Corner(h, element->nodes[c]);
    }
    rslVec3 size = rslSub(s[7], s[0]);
    pieces->centre = rslScale(0.5, rslAdd(s[0], s[7]));
    pieces->count = SIMPLICES_MOST;
    for (int t = 0; t < SIMPLICES_MOST; ++t)
    {
        const int corners[4] = { 0, orders[t][0], orders[t][1], 7 };
        rslSimplex* simplex = &pieces->simplex[t];
        *simplex = (rslSimplex){ .corners = 4 };
        for (int c = 0; c < 4; ++c)
        {
            simplex->x[c] = x[corners[c]];
            simplex->s[c] = s[corners[c]];
        }
        // the last three go the other way round
        pieces->volume[t] = (t < 3 ? 1.0 : -1.0) * SignedVolume(simplex, 0.0) / (size.x * size.y * size.z);
    }
}

static void CutElement(const rslHardy* h, const rslElementView* element, Pieces* pieces)
{
    const rslBody* body = &h->model->bodies[element->body];
    double weight = body->elements.weight != NULL ? body->elements.weight[element->index] : 1.0;
    *pieces = (Pieces){ .count = 1 };
    if (element->nodeCount == 8)
    {
        CutCell(h, element, pieces);
    }
    else
    {
        pieces->simplex[0] = (rslSimplex){ .corners = element->nodeCount };
        for (int c = 0; c < element->nodeCount; ++c)
        {
            pieces->simplex[0].x[c] = Corner(h, element->nodes[c]);
        }
        pieces->volume[0] = SignedVolume(&pieces->simplex[0], body->elements.thickness);
    }
    const rslBorderCell* border = NULL;
    if (body->kind == rsl_latticeBody && !HasDual(body))
    {
        int64_t at[3];
        PlaceOf(body, element->nodes[0], at);
        border = BorderAt(&body->lattice, at);
    }
    if (border != NULL)
    {
        const double* c = border->centroid;
        pieces->cut = rslCut_Make((rslVec3){ c[0], c[1], c[2] }, border->fraction);
        rslOverlap filled = InSphere(pieces, (rslVec3){ 0.0, 0.0, 0.0 }, HUGE_VAL);
        double whole = 0.0;
        for (int t = 0; t < pieces->count; ++t)
        {
            whole += pieces->volume[t];
        }
        weight *= filled.volume != 0.0 ? whole / filled.volume : 0.0;
        pieces->centre = filled.volume != 0.0 ? rslScale(1.0 / filled.volume, filled.moment) : pieces->centre;
    }
    for (int t = 0; t < pieces->count; ++t)
    {
        pieces->volume[t] *= weight;
    }
}

// ---- sums -----------------------------------------------------------------------------------------------------------

static rslSymmetric TensorOf(const double s[6])
{
    return (rslSymmetric){ s[0], s[1], s[2], s[3], s[4], s[5] };
}

// The integral of the stress over what lies in a probe, in the axes of the body.
static rslSymmetric Integral(const rslElementView* element, const Pieces* pieces, const rslHardyProbe* probe)
{
    rslOverlap in = InSphere(pieces, probe->point, probe->radius);
    rslVec3 moment = rslMulAdd(in.moment, -in.volume, pieces->centre);
    rslSymmetric sum = rslSymmetric_Scale(in.volume, TensorOf(element->stress));
    sum = rslSymmetric_MulAdd(sum, moment.x, TensorOf(element->slope[0]));
    sum = rslSymmetric_MulAdd(sum, moment.y, TensorOf(element->slope[1]));
    return rslSymmetric_MulAdd(sum, moment.z, TensorOf(element->slope[2]));
}

static rslBounds Join(rslBounds box, rslVec3 x)
{
    rslVec3 l = box.lower, u = box.upper;
    return (rslBounds){ { x.x < l.x ? x.x : l.x, x.y < l.y ? x.y : l.y, x.z < l.z ? x.z : l.z },
                        { x.x > u.x ? x.x : u.x, x.y > u.y ? x.y : u.y, x.z > u.z ? x.z : u.z } };
}

static rslBounds BoxOf(const rslHardy* h, int body, const int* nodes, int nodeCount)
{
    rslBounds box = { Corner(h, nodes[0]), Corner(h, nodes[0]) };
    for (int c = 1; c < nodeCount; ++c)
    {
        box = Join(box, Corner(h, nodes[c]));
    }
    if (HasDual(&h->model->bodies[body]))
    {
        rslVec3 beyond = rslScale(0.5, rslSub(box.upper, box.lower));  // as much as corners reach at most
        box = (rslBounds){ rslSub(box.lower, beyond), rslAdd(box.upper, beyond) };
    }
    return box;
}

static bool IsNear(int body, const int* nodes, int nodeCount, void* context)
{
    const Adding* a = context;
    rslBounds box = BoxOf(a->hardy, body, nodes, nodeCount);
    return box.upper.x > a->box.lower.x && box.lower.x < a->box.upper.x && box.upper.y > a->box.lower.y &&
           box.lower.y < a->box.upper.y && box.upper.z > a->box.lower.z && box.lower.z < a->box.upper.z;
}

static void AddElement(const rslElementView* element, void* context)
{
    const Adding* a = context;
    const rslHardy* h = a->hardy;
    rslBounds box = BoxOf(h, element->body, element->nodes, element->nodeCount);
    rslVec3 middle = rslScale(0.5, rslAdd(box.lower, box.upper));
    double reach = 0.5 * rslLength(rslSub(box.upper, box.lower));
    int count = rslNearest_Within(h->nearest, middle, h->largest + reach, a->found, h->count);
    Pieces pieces;
    if (count > 0)
    {
        CutElement(h, element, &pieces);
    }
    for (int i = 0; i < count; ++i)
    {
        const rslHardyProbe* probe = &h->probes[a->found[i]];
        rslSymmetric* sum = &a->stress[a->found[i]];
        double f = 1.0 / rslHardyProbe_Volume(probe, h->model->bodies[element->body].thickness);
        rslSymmetric part = Integral(element, &pieces, probe);
        *sum = rslSymmetric_MulAdd(*sum, f, rslSymmetric_Turn(&h->rotation[element->body], part));
    }
}

rslStatus rslHardy_AddElements(const rslHardy* h, rslSolver* solver, rslSymmetric* stress)
{
    Adding adding = { .hardy = h, .stress = stress };
    if (h->positions == NULL || h->count == 0)
    {
        return rsl_ok;
    }
    adding.found = rslAllocate(&solver->hooks, (size_t)h->count, sizeof(int));
    if (adding.found == NULL)
    {
        return rsl_outOfMemory;
    }
    rslVec3 reach = { h->largest, h->largest, h->largest };
    adding.box = (rslBounds){ h->probes[0].point, h->probes[0].point };
    for (int i = 1; i < h->count; ++i)
    {
        adding.box = Join(adding.box, h->probes[i].point);
    }
    adding.box = (rslBounds){ rslSub(adding.box.lower, reach), rslAdd(adding.box.upper, reach) };
    rslElementWalk walk = { .visit = AddElement, .context = &adding, .slopes = true, .wanted = IsNear };
    solver->backend->elements(solver->kernel, h->state, &walk);
    rslRelease(&solver->hooks, adding.found);
    return rsl_ok;
}
