// SPDX-License-Identifier: MIT
//
// bond_walk.c: see bond_walk.h. A chunk that holds nothing of interest is left out by its box; the springs that start in it
// may end outside, but not farther than the longest at rest plus the largest difference of displacements in the body.

#include "bond_walk.h"

#include "dispersion.h"

typedef struct Walking
{
    Kernel* kernel;
    const View* view;
    const rslBondWalk* walk;
} Walking;

// While a chunk is walked.
typedef struct ChunkWalk
{
    const Kernel* kernel;
    const rslBondWalk* walk;
    const Chunk* chunk;
    int part;
    double x[CHUNK][3];
} ChunkWalk;

// In double where the law is linear: a single precision product would be all that the read-out loses.
static double Tension(const BondVisit* visit)
{
    double linear = (double)visit->stiffness * (double)visit->bond.elongation;
    return visit->carrier == (Real)0 ? linear : (double)BondLawTension(visit);
}

static void Show(const BondVisit* visit, void* context)
{
    const ChunkWalk* c = context;
    if (visit->other < visit->node && !c->walk->bothEnds)
    {
        return;
    }
    const double* x = c->x[visit->node - c->chunk->begin];
    double spread = (double)SpreadTension(c->kernel, c->chunk->body, visit);
    rslBond bond = {
        .body = c->chunk->body,
        .a = visit->node,
        .b = visit->other,
        .x = { x[0], x[1], x[2] },
        .d = { (double)visit->bond.d[0], (double)visit->bond.d[1], (double)visit->bond.d[2] },
        .length = (double)visit->bond.length,
        .tension = Tension(visit) + spread,
        .energy = BondLawEnergy(visit) + 0.5 * spread * (double)visit->bond.elongation,
    };
    c->walk->visit(&bond, c->part, c->walk->context);
}

// X + u of the nodes of a chunk, and their box.
static rslBounds PlaceNodes(const Kernel* kernel, const View* view, const Chunk* chunk, double (*x)[3])
{
    double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    RSL_NAME(rslKernel_Rest)(kernel, chunk, x);
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        double* at = x[i - chunk->begin];
        for (int axis = 0; axis < 3; ++axis)
        {
            at[axis] += (double)view->u[axis][i];
            low[axis] = at[axis] < low[axis] ? at[axis] : low[axis];
            high[axis] = at[axis] > high[axis] ? at[axis] : high[axis];
        }
    }
    return (rslBounds){ { low[0], low[1], low[2] }, { high[0], high[1], high[2] } };
}

static void WalkPart(int part, void* context)
{
    const Walking* w = context;
    int64_t count = w->kernel->chunkCount;
    ChunkWalk c = { .kernel = w->kernel, .walk = w->walk, .part = part };
    for (int64_t i = part * count / RSL_BOND_PARTS; i < (part + 1) * count / RSL_BOND_PARTS; ++i)
    {
        c.chunk = &w->kernel->chunks[i];
        rslBounds box = PlaceNodes(w->kernel, w->view, c.chunk, c.x);
        double longest = w->kernel->frames[c.chunk->body].longestBond;
        if (w->walk->wanted != NULL && !w->walk->wanted(c.chunk->body, &box, longest, w->walk->context))
        {
            continue;
        }
        for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
        {
            if ((*term)->bonds != NULL && (*term)->present(w->kernel))
            {
                (*term)->bonds(w->kernel, w->view, c.chunk, Show, &c);
            }
        }
    }
}

// L0 + |u_a - u_b| is at least the length.
static double LongestBond(const Kernel* kernel, const View* view, int index)
{
    const rslBody* body = &kernel->model->bodies[index];
    rslVec3 low = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        rslVec3 u = VectorAt(view->u, i);
        low = (rslVec3){ u.x < low.x ? u.x : low.x, u.y < low.y ? u.y : low.y, u.z < low.z ? u.z : low.z };
        high = (rslVec3){ u.x > high.x ? u.x : high.x, u.y > high.y ? u.y : high.y, u.z > high.z ? u.z : high.z };
    }
    // a little more: the length of a bond is rounded
    return (1.0 + 1e-6) * ((double)kernel->bodies[index].longestBond + rslLength(rslSub(high, low)));
}

void RSL_NAME(rslKernel_WalkBonds)(void* argument, const rslState* state, const rslBondWalk* walk)
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    for (int b = 0; walk->wanted != NULL && b < kernel->model->bodyCount; ++b)
    {
        kernel->frames[b].longestBond = LongestBond(kernel, &view, b);
    }
    RSL_NAME(rslKernel_Prepare)(kernel, &view);
    Walking walking = { kernel, &view, walk };
    rslTeam_Run(kernel->team, WalkPart, RSL_BOND_PARTS, &walking);
}
