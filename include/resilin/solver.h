// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// solver.h: moves a state of a model through time.
//
// A solver holds constants, scratch memory and threads; all that changes is in the state. Two solvers in two threads are
// safe, also on the same model. No allocation inside a step, but in a solve for rest that has more elements near collapse than
// any before it, and in the first step that is longer than is stable.

#pragma once

#include "resilin/state.h"

#ifdef __cplusplus
extern "C"
{
#endif

    // The host's own threads instead of ours: run task(item, taskContext) for every item in [0, count), each exactly
    // once, in any order and on any thread, and return when all are done. Results do not depend on how it is done.
    typedef void rslTask(int item, void* taskContext);
    typedef void rslRunTasks(rslTask* task, int count, void* taskContext, void* user);

    // A sparse direct solver of another library for symmetric matrices, their lower triangle by columns with ascending rows:
    // row[columnStart[c]] to row[columnStart[c + 1] - 1]. The arrays outlive the solver. It may allocate in a step.
    typedef struct rslDirect
    {
        const char* name;
        void* (*create)(int size, const int* columnStart, const int* row);  // NULL when it cannot
        bool (*factor)(void* solver, const double* values);                 // false: the matrix is not positive
        bool (*solve)(void* solver, const double* b, double* x);
        void (*destroy)(void* solver);
    } rslDirect;

    // Asked by a solve for rest before each of its iterations, on the thread that steps; true: it gives up.
    typedef bool rslStop(void* user);

    // How much an implicit step may take, however far it is from its tolerance: a step that is cut short is one downhill all the same, and what it
    // gains is taken from the motion within bodies. 0: no limit.
    typedef struct rslEffort
    {
        // steps of Newton's method, in all of the step; at least one a stage and part, and as many again where a step that gained is
        // taken anew by backward Euler
        int newton;
        int iterations;  // of conjugate gradients in each
    } rslEffort;

    typedef struct rslSolverDef
    {
        uint32_t cookie;  // set by rslDefaultSolverDef; catches a struct that was not started from it
        rslPlace place;   // of the definition in the scene file, for messages
        rslPrecision precision;
        rslIntegrator integrator;
        double step;      // [s]; RSL_AUTO: fraction of the stable step; static: time of an increment, RSL_AUTO: 1 s
        double fraction;  // in (0, 1]
        int threads;      // 0: as many as the process may use
        rslRunTasks* runTasks;  // NULL: our own team
        void* runTasksUser;
        // forces left over, in (0, 1): static, relative to loads and reactions; implicit steps, to loads and inertia.
        double tolerance;         // RSL_AUTO: 1e-8 and 1e-4, at impacts 1e-2
        double residual;          // implicit: always little enough, over loads and weights; in [0, 1), default 0
        bool rebound;             // steps are divided at impacts until a rebound is right; default true
        double theta;             // of rsl_theta, in [1/2, 1]; default 0.55
        double frame;             // time between frames [s]: the longest step that is chosen; default 1/60
        rslEffort effort;         // implicit; default no limit
        rslLinearSolver solver;   // static and implicit: what solves the linear problems
        const rslDirect* direct;  // for rsl_cholmodSolver; rslCholmod_Direct of io.h; NULL: none
        rslStop* stop;            // static and implicit; NULL: it goes on to its end
        void* stopUser;
        int auditInterval;  // steps between audits (energy account, divergence test, frames that follow); default 32
        double divergenceFactor;  // times all energy that was put in: more than that is divergence; default 10
    } rslSolverDef;

    RSL_API rslSolverDef rslDefaultSolverDef(void);

    // The definition that a scene asks for.
    RSL_API rslSolverDef rslSolverDef_FromScene(const rslScene* scene);

    typedef struct rslSolver rslSolver;

    // The model must outlive the solver. A step above the stable one is a warning, not an error.
    RSL_API rslStatus rslSolver_Create(const rslModel* model, const rslSolverDef* def, const rslHooks* hooks,
                                       rslSolver** solver, rslReport* report);
    RSL_API void rslSolver_Free(rslSolver* solver);

    // The largest step that stays stable, and what limits it.
    typedef struct rslStability
    {
        double stableStep;  // [s]; infinite when nothing limits it, 0 when there is none
        double step;        // chosen [s]
        double frequency;   // highest angular frequency [rad/s]
        int node;           // that moves most in the highest mode
        int iterations;     // of the power iteration
    } rslStability;

    RSL_API const rslModel* rslSolver_Model(const rslSolver* solver);
    RSL_API rslStability rslSolver_Stability(const rslSolver* solver);
    RSL_API rslIntegrator rslSolver_Integrator(const rslSolver* solver);  // chosen, where the definition left it open
    RSL_API int rslSolver_Threads(const rslSolver* solver);
    // The vectors that hot loops use on this processor, AVX-512, AVX2, SSE2, SIMD128 (WebAssembly) or none: the same bits with any of them.
    RSL_API const char* rslSolver_Vectors(const rslSolver* solver);
    RSL_API size_t rslSolver_Bytes(const rslSolver* solver);  // memory held, without the model and the state

    // Advance by a number of steps, or of increments (static). Where an element that resists collapse would collapse, a step is
    // divided, by 2 again and again; after twenty times it is rsl_diverged, and the state is the one before that step. So are
    // increments, by up to 2^12, and implicit steps, by up to 2^10, also where no end is found: rsl_notConverged, and the state is the
    // one before that step (rslSolver_Solve says why). Otherwise rsl_diverged and rsl_notConverged leave the state as it is,
    // to be inspected (rslSolver_Divergence, rslSolver_Rest say why); rsl_stopped: the definition's stop said so, and the
    // state is the one after the last whole increment; rsl_mismatch: the state is of another model or precision and was not
    // touched.
    RSL_API rslStatus rslSolver_Step(rslSolver* solver, rslState* state, int64_t steps);

    // Test for divergence now; audits do it every auditInterval steps. Changes nothing but what rslSolver_Divergence says.
    // rsl_mismatch as above.
    RSL_API rslStatus rslSolver_Check(rslSolver* solver, const rslState* state);

    // Forces of the host on every node, world axes, x y z [N], read at every step until changed; NULL for none. The
    // array belongs to the host. May allocate; if there was no memory, steps return rsl_outOfMemory until this is called again.
    RSL_API void rslSolver_SetForces(rslSolver* solver, const double* forces);

    // What went wrong in the last step that returned rsl_diverged.
    typedef struct rslDivergence
    {
        uint64_t stepCount;
        double time;           // [s]
        int node;              // fastest, or first that is not finite
        int springA, springB;  // nodes of the worst spring (largest relative change of length); -1 when there is none
        double strain;         // of that spring
        double energy;         // kinetic, elastic, of ground and links [J]
        double limit;          // that it passed [J]
        bool nonFinite;
        bool unstable;  // the step is above the stable one, and divided again and again lest elements collapse
        // a body whose volume is kept and that is not the inside of its surface any more; -1: none
        int collapsedBody;
        int collapsedNode;  // that has passed the centre of its support spring; -1: none
        double volume;      // of that body [m3]
        // a joint that is not kept, whatever the impulses: it contradicts others, or turns too far in a step; -1: none
        int joint;
        // an element that would collapse however finely the step is divided; -1 when that is not the reason
        int element, elementBody;  // by its repulsion
        double ratio;              // area or volume that it would have, over that at rest
        int divided;               // the step was divided by up to 2 to this power
    } rslDivergence;

    RSL_API rslDivergence rslSolver_Divergence(const rslSolver* solver);

    // How a solve for rest ended.
    typedef enum rslRestOutcome
    {
        rsl_restNone,       // none was asked for yet
        rsl_restFound,      // the forces left over are within the tolerance
        rsl_restUnstable,   // an equilibrium, but one that the body leaves at a touch: it buckles
        rsl_restNoDescent,  // no step leads to less energy although forces are left over
        rsl_restNoEnd,      // the steps allowed were not enough
        rsl_restNotFinite,  // a number is not finite
        rsl_restEndless,    // the energy falls without end: a body does not carry its loads, or nothing carries it
        rsl_restStopped,    // the host said so
        rsl_restCollapse,   // held nodes cannot go where they have to unless an element collapses,
        rsl_restBlocked,    // or bodies pass through each other
    } rslRestOutcome;

    // What the last step of `static` did.
    typedef struct rslRest
    {
        rslRestOutcome outcome;
        double residual;   // forces left over, relative to loads and reactions
        double reference;  // norm of loads and reactions [N]
        int newtonSteps;
        int iterations;  // of conjugate gradients, all together
        int curved;      // Newton steps that met negative or no curvature
        int node;        // that moved most in the last Newton step, or would in the unstable direction
        int worstNode;   // with the largest force left over
        const char* preconditioner;
    } rslRest;

    RSL_API rslRest rslSolver_Rest(const rslSolver* solver);

    // One linear solve, the first step of Newton's method from a state: K x = f on what is free, K the stiffness there and f the forces
    // that are left over, to |f - K x| <= tolerance |f|.
    typedef struct rslLinearSolve
    {
        int iterations;   // of conjugate gradients
        double residual;  // |f - K x| / |f|
    } rslLinearSolve;

    // motion: x y z of every node, in the axes of its body; NULL: not wanted. rsl_badInput unless the integrator is static and
    // finds rest by Newton's method; rsl_notConverged where K has no inverse, or iterations do not end.
    RSL_API rslStatus rslSolver_Linear(rslSolver* solver, const rslState* state, double tolerance, double* motion,
                                       rslLinearSolve* result);

    // How an implicit step ended.
    typedef enum rslSolveOutcome
    {
        rsl_solveFound,      // the forces left over are within the tolerance
        rsl_solveNoDescent,  // no step of Newton's method leads to less although forces are left over
        rsl_solveNoEnd,      // the steps allowed were not enough
        rsl_solveNotFinite,  // a number is not finite
        rsl_solveStopped,    // the host said so
        rsl_solveCollapse,   // held nodes cannot go where they have to unless an element collapses
    } rslSolveOutcome;

    // What implicit steps did: of the last one, and counts of all since the solver was made.
    typedef struct rslSolve
    {
        rslSolveOutcome outcome;
        double residual;  // forces left over, relative to loads and inertia
        double left;      // the same relative to loads and weights alone, the most of all parts; without any, residual
        int node;         // with the largest of them
        bool stopped;     // the host said so
        bool limited;     // elements near collapse kept a step of Newton's method short
        int64_t newtonSteps;  // of all solves
        int64_t iterations;   // of conjugate gradients, all together
        int64_t curved;       // Newton steps that met negative or no curvature
        const char* preconditioner;
    } rslSolve;

    RSL_API rslSolve rslSolver_Solve(const rslSolver* solver);

    // Of the steps from now on; a replay needs the same before the same step. Nothing to explicit steps.
    RSL_API void rslSolver_SetEffort(rslSolver* solver, rslEffort effort);

    // The state at the last audit that passed; valid after the first step. NULL before.
    RSL_API const rslState* rslSolver_LastGood(const rslSolver* solver);

#ifdef __cplusplus
}
#endif
