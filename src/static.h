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

// One increment of the loads: the state is the one of rest at the next time, or rsl_notConverged.
rslStatus rslStatic_Step(rslStatic* rest, rslState* state);

rslRest rslStatic_Result(const rslStatic* rest);

// Solve the linear problem at a state, K x = forces, to a tolerance; for tests. Returns the iterations, -1 when it failed.
int rslStatic_SolveLinear(rslStatic* rest, const rslState* state, double tolerance);
