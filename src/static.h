// SPDX-License-Identifier: MIT
//
// static.h: `integrator: static`: from one state of rest to the next.

#pragma once

#include "backend.h"

typedef struct rslStatic rslStatic;

// The kernel is one of rslBackend64 and must outlive the solver for rest. Bad input when bodies are not held.
rslStatus rslStatic_Create(const rslModel* model, const rslSolverDef* def, const rslHooks* hooks, rslTeam* team,
                           void* kernel, rslStatic** out, rslReport* report);
void rslStatic_Free(rslStatic* rest);
size_t rslStatic_Bytes(const rslStatic* rest);

// Held nodes of a new state are put where they have to be, if no element falls too far on the way: else the first step
// does it. Bodies that touch are moved apart. False: out of memory.
bool rslStatic_Open(rslStatic* rest, rslState* state);

typedef struct rslIncrement
{
    bool last;     // of those that an increment is divided into: exact, and it is found out whether the rest lasts
    bool again;    // not the first of them: Newton steps and iterations are added up
    bool inParts;  // held nodes may go a part of their way after the other
} rslIncrement;

// One increment of the loads: the state is the one of rest at the next time, or rsl_notConverged.
rslStatus rslStatic_Step(rslStatic* rest, rslState* state, const rslIncrement* how);

// Was there room for what touches when energies were asked for since the last increment?
rslStatus rslStatic_TouchStatus(rslStatic* rest);

// Is there no linear problem, because more moves than nodes with an energy (static_relax.c)?
bool rslStatic_IsRelaxed(const rslStatic* rest);

// Of the last increment: how far the farthest of the held nodes had to go [m]; did elements near collapse shorten a step?
double rslStatic_Way(const rslStatic* rest);
bool rslStatic_WasLimited(const rslStatic* rest);

rslRest rslStatic_Result(const rslStatic* rest);
const char* rslStatic_Preconditioner(const rslStatic* rest);

// The linear problem at a state: aim at it, then ask for responses. motion comes with the held unknowns (the others are not
// read) and leaves with all of them, such that K motion = loads on the free ones (NULL: none); forces gets K motion, which
// is what holds the held ones. Vectors in body axes, padded as those of a state.
typedef struct rslLinear
{
    int iterations;   // of conjugate gradients
    double residual;  // of the free unknowns, relative to what moves them
    bool converged;
} rslLinear;

void rslStatic_Aim(rslStatic* rest, const rslState* state);
rslLinear rslStatic_Respond(rslStatic* rest, double* const loads[3], double* const motion[3], double* const forces[3],
                            double tolerance);

// rslSolver_Linear; and for tests, which returns the iterations, -1 when it failed.
rslStatus rslStatic_Linear(rslStatic* rest, const rslState* state, double tolerance, double* motion,
                           rslLinearSolve* result);
int rslStatic_SolveLinear(rslStatic* rest, const rslState* state, double tolerance);
