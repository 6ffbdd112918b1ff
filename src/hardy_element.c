// SPDX-License-Identifier: MIT
//
// hardy_element.c: what finite elements add to the stress in small spheres:
//   sigma = 1/V sum over elements of (integral of Cauchy's stress over what lies in the sphere),  V = 4/3 pi R^3
// Over an element stress is its mean, over a cube linear about it (rslElementView). Cells are six tetrahedra about one diagonal,
// the same as those of their neighbours; of one that the surface cuts, the part is taken that a plane across the direction of its
// filled centre leaves, which is exact for planes along the cells. All that the cell holds is shared out over that part.

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

// The cell of an element that the surface cuts; NULL: it is full.
static const rslBorderCell* BorderOf(const rslBody* body, const rslElementView* element)
{
    const rslLattice* lattice = &body->lattice;
    double x[3];
    rslBody_Rest(body, element->nodes[0], element->nodes[0] + 1, x);
    double a = 1.0 / lattice->spacing;
    int64_t i = (int64_t)floor(a * (x[0] - lattice->origin.x) + 0.5),
            j = (int64_t)floor(a * (x[1] - lattice->origin.y) + 0.5),
            k = (int64_t)floor(a * (x[2] - lattice->origin.z) + 0.5);
    int64_t cell = i + lattice->cells[0] * (j + lattice->cells[1] * k);
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

// From corner 0 to corner 7 along the axes in every order.
static void CutCell(const rslHardy* h, const rslElementView* element, Pieces* pieces)
{
    static const int orders[SIMPLICES_MOST][2] = { { 1, 3 }, { 2, 6 }, { 4, 5 }, { 2, 3 }, { 4, 6 }, { 1, 5 } };
    pieces->count = SIMPLICES_MOST;
    for (int t = 0; t < SIMPLICES_MOST; ++t)
    {
        const int corners[4] = { 0, orders[t][0], orders[t][1], 7 };
        rslSimplex* simplex = &pieces->simplex[t];
        *simplex = (rslSimplex){ .corners = 4 };
        for (int c = 0; c < 4; ++c)
        {
            int corner = corners[c];
            simplex->x[c] = Corner(h, element->nodes[corner]);
            simplex->s[c] = (rslVec3){ (corner & 1) - 0.5, (corner >> 1 & 1) - 0.5, (corner >> 2) - 0.5 };
        }
        // the last three go the other way round
        pieces->volume[t] = (t < 3 ? 1.0 : -1.0) * SignedVolume(simplex, 0.0);
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
    const rslBorderCell* border = body->kind == rsl_latticeBody ? BorderOf(body, element) : NULL;
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

static rslBounds BoxOf(const rslHardy* h, const int* nodes, int nodeCount)
{
    rslBounds box = { Corner(h, nodes[0]), Corner(h, nodes[0]) };
    for (int c = 1; c < nodeCount; ++c)
    {
        box = Join(box, Corner(h, nodes[c]));
    }
    return box;
}

static bool IsNear(int body, const int* nodes, int nodeCount, void* context)
{
    (void)body;
    const Adding* a = context;
    rslBounds box = BoxOf(a->hardy, nodes, nodeCount);
    return box.upper.x > a->box.lower.x && box.lower.x < a->box.upper.x && box.upper.y > a->box.lower.y &&
           box.lower.y < a->box.upper.y && box.upper.z > a->box.lower.z && box.lower.z < a->box.upper.z;
}

static void AddElement(const rslElementView* element, void* context)
{
    const Adding* a = context;
    const rslHardy* h = a->hardy;
    rslBounds box = BoxOf(h, element->nodes, element->nodeCount);
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
