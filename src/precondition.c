// SPDX-License-Identifier: MIT
//
// precondition.c: see precondition.h. Lattices get a multigrid cycle, networks and what has both one by smoothed
// aggregation, small networks an incomplete factorisation; what cannot be coarsened block-Jacobi, the inverse of the 3x3
// block of each node on what is free of it.

#include "precondition.h"

#include "aggregate.h"
#include "direct.h"
#include "dynamics.h"
#include "incomplete.h"
#include "multigrid.h"
#include "repulsion.h"
#include "rest_turn.h"
#include "state_internal.h"
#include "statics.h"

#include <string.h>

typedef enum Kind
{
    LATTICE,
    AGGREGATES,
    INCOMPLETE,
    DIRECT
} Kind;

struct rslPreconditioner
{
    Kind kind;
    rslArena arena;
    const rslModel* model;
    const rslUnknowns* unknowns;
    void* kernel;
    double (*diagonal)[6];
    float (*inverse)[6];
    double* stiffest;  // of some nodes each: the largest trace of a diagonal block
    rslMultigrid grid;
    int mended;  // times since the last update
    // of the model at rest (rslPreconditioner_TakeRest)
    bool mayRest, rests;  // there is a way; this is what M is made of now
    bool kept;            // for this rate
    bool rested;          // eigenvalues are those of the model at rest
    double rate, restStiffest, far;
    rslRestTurns turns;
    rslNodeVector zero, turned;
    rslIncomplete incomplete;
    const rslDirect* direct;
    rslFactored factored;
};

enum
{
    INCOMPLETE_NODES = 200  // of networks that are solved as soon without a hierarchy
};

static Kind Choose(const rslModel* model)
{
    bool lattices = true, bent = false;  // reaches farther than an incomplete factor knows
    for (int b = 0; b < model->bodyCount; ++b)
    {
        lattices = lattices && model->bodies[b].kind == rsl_latticeBody;
        bent = bent || model->bodies[b].bending.count > 0 || rslRepulsion_IsFelt(&model->bodies[b].repulsion);
    }
    return lattices ? LATTICE : bent || model->nodeCount > INCOMPLETE_NODES ? AGGREGATES : INCOMPLETE;
}

static bool Make(rslPreconditioner* p)
{
    switch (p->kind)
    {
        case LATTICE: return rslMultigrid_Make(&p->grid, p->model, p->unknowns, p->kernel, &p->arena);
        case DIRECT: return rslFactored_Make(&p->factored, p->direct, p->model, p->unknowns, p->kernel, &p->arena);
        case AGGREGATES: return rslAggregate_Make(&p->grid, p->model, p->unknowns, p->kernel, &p->arena);
        default: return rslIncomplete_Make(&p->incomplete, p->model, p->unknowns, p->kernel, &p->arena);
    }
}

// The smoother of level 0 works in memory that is idle while it does.
static void LendVectors(rslPreconditioner* p)
{
    size_t stride = (size_t)p->model->nodeCount + RSL_STATE_PADDING;
    double* half = (double*)p->diagonal + 3 * stride;
    rslNodeVector smoothing = { { half, half + stride, half + 2 * stride } }, product;
    rslStatics_Scratch(p->kernel, product.x);
    p->grid.levels[0].p = rslNodeVector_Strided(&smoothing);
    p->grid.levels[0].t = rslNodeVector_Strided(&product);
}

static rslPreconditioner* Create(const rslModel* model, const rslHooks* hooks, const rslUnknowns* unknowns,
                                 void* kernel, double (*diagonal)[6], const rslDirect* direct, bool lean)
{
    rslPreconditioner* p = rslAllocate(hooks, 1, sizeof(rslPreconditioner));
    if (p == NULL)
    {
        return NULL;
    }
    size_t count = (size_t)model->nodeCount;
    p->arena = rslArena_Make(hooks);
    p->model = model;
    p->unknowns = unknowns;
    p->kernel = kernel;
    p->diagonal = diagonal;
    p->inverse = rslArena_Allocate(&p->arena, count, sizeof(float[6]));
    p->stiffest = rslArena_Allocate(&p->arena, (size_t)rslLevel_Items(model->nodeCount), sizeof(double));
    p->direct = direct;
    p->kind = direct != NULL ? DIRECT : Choose(model);
    p->grid.lean = lean;
    if (p->inverse == NULL || p->stiffest == NULL || !Make(p))
    {
        rslPreconditioner_Free(p);
        return NULL;
    }
    p->grid.diagonal = p->diagonal;
    p->grid.levels[0].inverse = p->inverse;
    LendVectors(p);
    return p;
}

rslPreconditioner* rslPreconditioner_Create(const rslModel* model, const rslHooks* hooks, const rslUnknowns* unknowns,
                                            void* kernel, double (*diagonal)[6], const rslDirect* direct)
{
    return Create(model, hooks, unknowns, kernel, diagonal, direct, false);
}

rslPreconditioner* rslPreconditioner_CreateLean(const rslModel* model, const rslHooks* hooks,
                                                const rslUnknowns* unknowns, void* kernel, double (*diagonal)[6],
                                                const rslDirect* direct)
{
    return Create(model, hooks, unknowns, kernel, diagonal, direct, true);
}

void rslPreconditioner_Free(rslPreconditioner* p)
{
    if (p != NULL)
    {
        rslHooks hooks = p->arena.hooks;
        rslFactored_Free(&p->factored);
        rslArena_Free(&p->arena);
        rslRelease(&hooks, p);
    }
}

size_t rslPreconditioner_Bytes(const rslPreconditioner* p)
{
    return sizeof *p + rslArena_Bytes(&p->arena);
}

const char* rslPreconditioner_Name(const rslPreconditioner* p)
{
    if (p->kind == DIRECT)
    {
        return p->direct->name;
    }
    const char* coarse = p->kind == LATTICE ? "multigrid" : "smoothed aggregation";
    return p->grid.levelCount > 1 ? coarse : p->incomplete.count > 0 ? "incomplete Cholesky" : "block Jacobi";
}

// Inverses of diagonal blocks, and the largest trace of one.
static void InvertBlock(int item, void* context)
{
    rslPreconditioner* p = context;
    double largest = 0.0;
    for (int i = RSL_LEVEL_BLOCK * item; i < rslLevel_End(item, p->model->nodeCount); ++i)
    {
        double block[6];
        memcpy(block, p->diagonal[i], sizeof block);
        largest = block[0] + block[1] + block[2] > largest ? block[0] + block[1] + block[2] : largest;
        rslBlock_Free(block, rslUnknowns_Projector(p->unknowns, i));
        rslBlock_InvertSingle(block, p->inverse[i]);
    }
    p->stiffest[item] = largest;
}

// Diagonal blocks and their inverses; returns the largest trace.
static double Invert(rslPreconditioner* p, const rslState* state)
{
    int items = rslLevel_Items(p->model->nodeCount);
    double largest = 0.0;
    rslStatics_Diagonal(p->kernel, state, p->diagonal);
    rslTeam_Run(p->unknowns->team, InvertBlock, items, p);
    for (int i = 0; i < items; ++i)
    {
        largest = p->stiffest[i] > largest ? p->stiffest[i] : largest;
    }
    return largest;
}

double rslPreconditioner_Update(rslPreconditioner* p, const rslState* state, bool again)
{
    p->mended = 0;
    p->rests = p->kept = false;
    p->grid.once = p->grid.light = false;
    p->grid.again = again && !p->rested;
    p->rested = false;
    rslMultigrid_Untouch(&p->grid);
    bool rows = p->grid.stored && p->grid.levelCount > 1;
    double largest = rows ? rslMultigrid_Store(&p->grid, state) : Invert(p, state);
    if (p->grid.levelCount > 1)
    {
        (p->kind == LATTICE ? rslMultigrid_Update : rslAggregate_Update)(&p->grid, state);
    }
    if (p->incomplete.count > 0)
    {
        rslIncomplete_Update(&p->incomplete, state, (const double(*)[6])p->diagonal);
    }
    if (p->kind == DIRECT)
    {
        rslFactored_Update(&p->factored, state);
    }
    return largest;
}

// ---- the model at rest ------------------------------------------------------------------------------------------------

bool rslPreconditioner_MakeRest(rslPreconditioner* p)
{
    const rslModel* model = p->model;
    bool alike = model->linkCount == 0 && model->driveCount == 0;
    if (p->kind != LATTICE || p->grid.levelCount == 1 || !alike)
    {
        return true;
    }
    bool made = rslMultigrid_MakeTouch(&p->grid, &p->arena) &&
                rslRestTurns_Make(&p->turns, model, p->unknowns, &p->arena) &&
                rslNodeVector_Make(&p->zero, p->unknowns->entryCount, &p->arena) &&
                rslNodeVector_Make(&p->turned, p->unknowns->entryCount, &p->arena);
    p->mayRest = made && p->grid.mayTouch;
    return made;
}

// Rows and levels of the model at rest, where nothing touches.
static void KeepRest(rslPreconditioner* p, const rslState* state, double rate)
{
    rslState rest = *state;
    for (int axis = 0; axis < 3; ++axis)
    {
        rest.displacement[axis] = rest.velocity[axis] = p->zero.x[axis];
    }
    rslDynamics_Touch(p->kernel, false);
    rslStatics_Look(p->kernel, &rest);
    p->restStiffest = rslPreconditioner_Update(p, &rest, false);
    rslDynamics_Touch(p->kernel, true);
    rslStatics_Glance(p->kernel, state);
    p->kept = true;
    p->rate = rate;
}

bool rslPreconditioner_TakeRest(rslPreconditioner* p, const rslState* state, double rate, bool again, double* largest)
{
    static const double farthest = 0.04;  // from the shape at rest, over the size of a body
    if (!p->mayRest)
    {
        return false;
    }
    p->far = again ? p->far : rslRestTurns_Find(&p->turns, state);
    if (!(p->far <= farthest))
    {
        return false;
    }
    if (!p->kept || p->rate != rate)
    {
        KeepRest(p, state, rate);
    }
    p->mended = 0;
    p->rests = p->rested = true;
    p->grid.once = p->grid.light = true;
    *largest = p->restStiffest + rslMultigrid_Touch(&p->grid, state, p->turns.turns);
    return true;
}

static void ApplyRest(rslPreconditioner* p, const rslNodeVector* r, const rslNodeVector* z)
{
    if (!p->turns.any)
    {
        rslMultigrid_Apply(&p->grid, r, z);
        return;
    }
    rslDynamics_TurnTouch(p->kernel, p->turns.turns);
    rslRestTurns_Apply(&p->turns, false, r, &p->turned);
    rslMultigrid_Apply(&p->grid, &p->turned, z);
    rslRestTurns_Apply(&p->turns, true, z, z);
    rslDynamics_TurnTouch(p->kernel, NULL);
}

// ---- use --------------------------------------------------------------------------------------------------------------

bool rslPreconditioner_Mend(rslPreconditioner* p)
{
    p->kept = false;
    enum
    {
        MENDINGS = 5
    };
    for (int k = 0; p->grid.once && k < p->grid.levelCount; ++k)
    {
        p->grid.levels[k].largest *= 1.25;
    }
    p->grid.once = true;
    return p->grid.levelCount > 1 && p->mended++ < MENDINGS;
}

void rslPreconditioner_Apply(rslPreconditioner* p, const rslNodeVector* r, const rslNodeVector* z)
{
    if (p->rests)
    {
        ApplyRest(p, r, z);
        return;
    }
    if (p->grid.levelCount > 1)
    {
        rslMultigrid_Apply(&p->grid, r, z);
        return;
    }
    if (p->incomplete.count > 0 && p->incomplete.usable)
    {
        rslIncomplete_Apply(&p->incomplete, r, z);
        return;
    }
    if (p->kind == DIRECT && p->factored.usable && rslFactored_Apply(&p->factored, r, z))
    {
        return;
    }
    rslUnknowns_Blocks(p->unknowns, z, (const float(*)[6])p->inverse, r);
    rslUnknowns_Project(p->unknowns, z);
}
