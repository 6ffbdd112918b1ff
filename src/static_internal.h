// SPDX-License-Identifier: MIT
//
// static_internal.h: what a solve for rest holds, and what its files ask of each other.

#pragma once

#include "barrier.h"
#include "cg.h"
#include "precondition.h"
#include "static.h"

enum
{
    RSL_CG_LIMIT = 50000
};

// An approximate inverse is kept for later states as long as that costs less than to make it anew (static.c).
typedef struct rslAge
{
    bool kept;         // it is that of an earlier state of this increment
    int iterations;    // of the first solve with it,
    double reduction;  // which left this of its right side; 0: there was none yet
    int limit;         // iterations after which it is made anew
    int failures;      // how often it was, in this increment
    int wait;          // for how many states it is not tried again
} rslAge;

struct rslStatic
{
    rslHooks hooks;
    rslArena arena;
    const rslModel* model;
    void* kernel;
    double tolerance;
    const rslDirect* direct;  // NULL: conjugate gradients alone
    rslStop* stop;
    void* stopUser;
    bool stopped;
    rslUnknowns unknowns;
    rslPreconditioner* preconditioner;
    rslAge age;  // of what it was made of
    rslCgSpace space;
    rslNodeVector direction, start, kept;
    double way;             // that held nodes had to go in this increment, the longest [m]
    bool limited;           // in this increment a step was as long as elements near collapse let it be
    bool blocked;           // or as bodies in its way
    const rslState* state;  // of the product
    rslSystem system;
    rslRest result;

    // by steps that forget their velocities (static_relax.c), in the place of all that follows unknowns: NULL without
    struct rslImplicit* relaxed;
    rslState *before, *found;
    int newtonBefore, iterationsBefore, curvedBefore;

    // contact (static_contact.c): NULL without
    rslBarrier* barrier;
    double *places, *ways;  // of contact nodes
    bool outOfMemory;       // somewhere in this increment
};

static inline rslNodeVector rslStateField(const rslState* state)
{
    return (rslNodeVector){ { state->displacement[0], state->displacement[1], state->displacement[2] } };
}

// Bodies that touch; all of it does nothing where none can. False: out of memory.
bool rslStatic_MakeContact(rslStatic* rest, rslTeam* team);
bool rslStatic_OpenContact(rslStatic* rest, rslState* state);

// Around an increment; whether its rest was found.
void rslStatic_BeginContact(rslStatic* rest, const rslState* state);
bool rslStatic_EndContact(rslStatic* rest, rslState* state, bool found);

// The part of the straight ways, from displacements before to those of a state, on which bodies stay apart, at most 1.
double rslStatic_FreePart(rslStatic* rest, const rslState* state, double* const before[3]);

// Is there more than nodes with an energy? Then rest is found by steps that forget their velocities.
bool rslStatic_MustRelax(const rslModel* model);
bool rslStatic_MayMeet(const rslModel* model);  // is anything held, or in the way of what falls?
rslStatus rslStatic_MakeRelaxed(rslStatic* rest, const rslSolverDef* def, rslTeam* team, rslReport* report);
void rslStatic_FreeRelaxed(rslStatic* rest);
rslStatus rslStatic_Relax(rslStatic* rest, rslState* state, const rslIncrement* how);

// out = K p on the free unknowns.
void rslStatic_Multiply(void* rest, const rslNodeVector* p, const rslNodeVector* out);

// Forces on free unknowns into space.r; updates the reference. Uses z. Returns their norm.
double rslStatic_Residual(rslStatic* rest, const rslState* state);

// K at a state, and what approximates its inverse; and the same with the approximation of an earlier state of this increment, for a solve to
// a tolerance.
void rslStatic_Look(rslStatic* rest, const rslState* state);
void rslStatic_LookAgain(rslStatic* rest, const rslState* state, double tolerance);

// Conjugate gradients for the right side in r, from zero into the direction.
rslCgResult rslStatic_Gradients(rslStatic* rest, double tolerance, int limit);

// Newton's method, with held nodes where they are, until a part of loads and reactions is left over. Asked to, it finds out
// whether the rest found lasts.
rslStatus rslStatic_Iterate(rslStatic* rest, rslState* state, double tolerance, bool probe);
