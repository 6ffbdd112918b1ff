// SPDX-License-Identifier: MIT
//
// compare_match.c: displacements of a contender at the nodes of the reference.
//
// Models of one network may keep different nodes. A node of the reference is looked for among those of the same body that
// start at its place, to a millionth of the spacing; where there is none, the displacement is interpolated between the
// nodes around, and outside of the body there is none.

#include "compare.h"

#include <math.h>
#include <stdlib.h>

// ---- nodes by their place -------------------------------------------------------------------------------------------

typedef struct Spot
{
    int body;
    int64_t cell[3];  // of a grid much finer than the network
    int node;
} Spot;

static double CellOf(const rslBody* body)
{
    return body->spacing > 0 ? 1e-6 * body->spacing : 1e-9;
}

static int CompareSpots(const void* first, const void* second)
{
    const Spot *a = first, *b = second;
    int order = (a->body > b->body) - (a->body < b->body);
    for (int axis = 0; order == 0 && axis < 3; ++axis)
    {
        order = (a->cell[axis] > b->cell[axis]) - (a->cell[axis] < b->cell[axis]);
    }
    return order;
}

static Spot SpotAt(const rslModel* model, int body, const double* xyz, double shift[3])
{
    double cell = CellOf(&model->bodies[body]);
    Spot spot = { .body = body };
    for (int axis = 0; axis < 3; ++axis)
    {
        spot.cell[axis] = (int64_t)floor(xyz[axis] / cell + shift[axis]);
    }
    return spot;
}

static Spot* ListSpots(const rslModel* model, const double* start)
{
    Spot* spots = malloc(sizeof(Spot) * ((size_t)model->nodeCount + 1));
    for (int b = 0; spots != NULL && b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        for (int node = body->firstNode; node < body->firstNode + body->nodeCount; ++node)
        {
            spots[node] = SpotAt(model, b, start + 3 * (size_t)node, (double[3]){ 0 });
            spots[node].node = node;
        }
    }
    if (spots != NULL)
    {
        qsort(spots, (size_t)model->nodeCount, sizeof(Spot), CompareSpots);
    }
    return spots;
}

// A place near the border of a cell may have been rounded to either side: up to eight cells are looked into.
static int FindSpot(const rslModel* model, const Spot* spots, int body, const double* xyz)
{
    for (int side = 0; side < 8; ++side)
    {
        double shift[3] = { side & 1 ? 0.25 : -0.25, side & 2 ? 0.25 : -0.25, side & 4 ? 0.25 : -0.25 };
        Spot key = SpotAt(model, body, xyz, shift);
        const Spot* found = bsearch(&key, spots, (size_t)model->nodeCount, sizeof(Spot), CompareSpots);
        if (found != NULL)
        {
            return found->node;
        }
    }
    return -1;
}

static bool IsSame(const double* a, const double* b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// ---- matching -------------------------------------------------------------------------------------------------------

// Nodes of one body. Those with the same number are tried first: several may share a place.
static void MatchBody(cliContender* c, const cliContender* reference, const Spot* spots, int body)
{
    const rslModel* model = c->loaded.model;
    const rslBody* theirs = &reference->loaded.model->bodies[body];
    const rslBody* own = &model->bodies[body];
    bool all = true;
    for (int i = 0; i < theirs->nodeCount; ++i)
    {
        int node = theirs->firstNode + i, twin = own->firstNode + i;
        const double* xyz = reference->start + 3 * (size_t)node;
        bool same = i < own->nodeCount && IsSame(c->start + 3 * (size_t)twin, xyz);
        c->match[node] = same ? twin : FindSpot(model, spots, body, xyz);
        all = all && c->match[node] >= 0;
    }
    if (!all)
    {
        rslReport unheard = { 0 };  // a body that cannot be cut is compared at the nodes that are shared
        (void)rslTessellation_Create(model, body, NULL, &c->cuts[body], &unheard);
    }
}

rslStatus cliContender_Match(cliContender* c, const cliContender* reference)
{
    const rslModel* model = c->loaded.model;
    size_t nodes = (size_t)reference->loaded.model->nodeCount;
    c->match = malloc(sizeof(int) * (nodes + 1));
    c->u = malloc(3 * sizeof(double) * (nodes + 1));
    c->cuts = calloc((size_t)model->bodyCount + 1, sizeof(rslTessellation*));
    Spot* spots = ListSpots(model, c->start);
    bool good = c->match != NULL && c->u != NULL && c->cuts != NULL && spots != NULL;
    for (int b = 0; good && b < model->bodyCount; ++b)
    {
        MatchBody(c, reference, spots, b);
    }
    free(spots);
    return good ? rsl_ok : rsl_outOfMemory;
}

// ---- displacements --------------------------------------------------------------------------------------------------

static bool DisplacementOf(const cliContender* c, const cliContender* reference, int body, int node, double u[3])
{
    int own = c->match[node];
    if (own >= 0)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            u[axis] = c->now[3 * (size_t)own + (size_t)axis] - c->start[3 * (size_t)own + (size_t)axis];
        }
        return true;
    }
    const double* at = reference->start + 3 * (size_t)node;
    rslVec3 point = { at[0], at[1], at[2] }, moved = { NAN, NAN, NAN };
    bool inside = c->cuts[body] != NULL && rslTessellation_Displacement(c->cuts[body], c->loaded.state, point, &moved);
    u[0] = inside ? moved.x : NAN;
    u[1] = inside ? moved.y : NAN;
    u[2] = inside ? moved.z : NAN;
    return inside;
}

void cliContender_Displace(cliContender* c, const cliContender* reference)
{
    const rslModel* model = reference->loaded.model;
    rslState_Positions(c->loaded.model, c->loaded.state, 0, c->loaded.model->nodeCount, c->now);
    c->points = c->interpolated = 0;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        for (int node = body->firstNode; node < body->firstNode + body->nodeCount; ++node)
        {
            bool known = DisplacementOf(c, reference, b, node, c->u + 3 * (size_t)node);
            c->points += known;
            c->interpolated += known && c->match[node] < 0;
        }
    }
}

static double Distance(const double* a, const double* b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

cliErrors cliContender_Compare(const cliContender* c, const cliContender* reference)
{
    cliErrors e = { 0 };
    double squares = 0;
    for (int i = 0; i < reference->loaded.model->nodeCount; ++i)
    {
        double d = Distance(c->u + 3 * (size_t)i, reference->u + 3 * (size_t)i);
        if (!isnan(d))
        {
            e.mean += d;
            squares += d * d;
            e.max = fmax(e.max, d);
        }
    }
    double n = c->points;
    return c->points > 0 ? (cliErrors){ e.mean / n, sqrt(squares / n), e.max } : (cliErrors){ NAN, NAN, NAN };
}

double cliContender_Largest(const cliContender* reference)
{
    const double zero[3] = { 0 };
    double largest = 0;
    for (int i = 0; i < reference->points; ++i)
    {
        largest = fmax(largest, Distance(reference->u + 3 * (size_t)i, zero));
    }
    return largest;
}
