// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// realtime.h: frames that take no longer than a budget to compute.
//
// A pace says what a frame is made of: so many explicit steps, or an implicit step of at most so many Newton steps. It is chosen
// once by what the machine takes for a step, may be changed from frame to frame by what frames took, and is all that the clock
// ever decides. A host that keeps the paces of all frames can take them again, anywhere, to the same bits.

#pragma once

#include "resilin/solver.h"

#ifdef __cplusplus
extern "C"
{
#endif

    // Seconds, from any start. NULL where one is asked for: that of the system.
    typedef double rslClock(void* user);

    typedef struct rslPace
    {
        rslIntegrator integrator;
        int steps;         // a frame; implicit: 1
        double step;       // [s]
        rslEffort effort;  // of an implicit step
        double rate;       // frames a second
        double budget;     // [s]
        double cost;       // of an explicit step, or of one of Newton's, as measured [s]
        double base;       // of an implicit frame without any of Newton's, as measured [s]
        bool fits;         // by these a frame is within the budget
    } rslPace;

    // Choose a pace for a scene, from the state that it starts from. Implicit steps where the definition asks for some; else explicit
    // ones, by the integrator of the definition or position Verlet, of no more than 0.6 of the stable step, where a frame of them fits into
    // the budget, and implicit ones, by theta, where it does not. Implicit frames have as many Newton steps as fit, at least one, with 3
    // iterations each. What is tried is timed on a state of its own. Where nothing fits a warning says so, and the pace is the quicker one.
    RSL_API rslStatus rslPace_Choose(const rslScene* scene, const rslSolverDef* def, rslClock* clock, void* user,
                                     const rslHooks* hooks, rslPace* pace, rslReport* report);

    // The same with the choice made: so many steps a frame, implicit ones with this effort.
    RSL_API rslPace rslPace_Make(const rslSolverDef* def, const rslRealtimeDef* realtime, bool implicit, int steps,
                                 rslEffort effort);

    // Whether its steps are implicit.
    RSL_API bool rslPace_IsImplicit(const rslPace* pace);

    // The definition of a solver that goes at this pace. A tolerance that is left open is 0.01. Its model is to be built from a scene
    // with the integrator of the pace: how things touch may depend on it.
    RSL_API rslSolverDef rslPace_Solver(const rslPace* pace, const rslSolverDef* def);

    // Of loads and weights; more left over is accuracy cut.
#define RSL_MOST_LEFT 0.1

    // What a frame took.
    typedef struct rslFrameCost
    {
        int64_t newton, iterations;  // of implicit steps
        double left;                 // forces left over, relative to loads and weights
        bool cut;                    // accuracy was cut: more than a tenth of them
    } rslFrameCost;

    // One frame. As rslSolver_Step.
    RSL_API rslStatus rslSolver_Frame(rslSolver* solver, rslState* state, const rslPace* pace, rslFrameCost* cost);

    // A frame took so many seconds: costs are learnt from it, sooner when they are higher, and the next frame may take as many Newton
    // steps as fit by them, one at least. Explicit paces take as many steps as before, and fits tells whether they still do: steps are divided
    // where something is hit, and a host that wants to hold its budget then takes up the state with an implicit pace (lod.h, on the same bodies).
    RSL_API void rslPace_Adapt(rslPace* pace, const rslFrameCost* cost, double seconds);

#ifdef __cplusplus
}
#endif
