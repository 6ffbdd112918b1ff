// SPDX-License-Identifier: MIT
//
// implicit_internal.h: what implicit steps hold, and what their files ask of each other.
//
// Every stage of every scheme is the same problem: find the displacements u at a time `lead` after the start of the step with
//
//   M rate (w - w*) = F(u, w),   w = rate (u - origin)
//
// F all forces, w* known. With c = rate^2 and goal = origin + w*/rate that is a minimum of
//
//   c/2 |u - goal|_M^2 + W(u) + dampers
//
// All in body axes; frames drift on without force, and are inertial.

#pragma once

#include "barrier.h"
#include "cg.h"
#include "dynamics.h"
#include "implicit.h"
#include "implicit_rigid.h"
#include "precondition.h"
#include "respond.h"

typedef struct rslStage
{
    double lead;      // [s]
    double begin;     // where it begins, after the start of the step [s]
    double rate;      // [1/s]
    double duration;  // of forces that act at its end alone, as the velocity there has them [s]
    double weight;    // as that at the end of the step has them [s]
    rslNodeVector origin, goal;
    // where nodes would be that felt gravity alone: base + along w0 + fall g
    const rslNodeVector* base;
    double along, fall;
} rslStage;

// Rigid bodies that hit what is rigid (implicit_rebound.c); all 0 where none can.
typedef struct rslRebound
{
    rslRespond* respond;
    int* rigid;         // of contact nodes: what carries them, -1: nothing
    rslPushed* rigids;  // of this round
    rslCollisions found;
} rslRebound;

// How a body turns along a Newton step (implicit_turn.c), in its own axes.
typedef struct rslTurn
{
    bool may;    // nothing holds it
    bool turns;  // enough to matter
    rslVec3 centre, way, turn;
} rslTurn;

struct rslImplicit
{
    rslHooks hooks;
    rslArena arena;
    const rslModel* model;
    void* kernel;
    const double* mass;
    double tolerance, theta;
    double enough;    // forces left over that are, over loads and weights
    double off;       // by which hard volumes may be, over themselves
    double rough;     // tolerance while something is hit
    double smallest;  // spacing of all bodies [m]
    bool bent;        // in this step, bodies are too far from how they are at rest for its preconditioner
    bool near;        // products are those of a matrix that is positive
    bool others;      // forces without an energy, dampers among them
    bool dragged;     // and nothing but dampers within bodies
    const rslDirect* direct;
    rslStop* stop;
    void* stopUser;
    rslUnknowns unknowns;
    rslMoveds moveds;     // rigid bodies
    double (*blocks)[6];  // diagonal ones, for hard volumes; NULL without
    rslPreconditioner* preconditioner;
    rslCgSpace space;
    rslSystem system;
    const rslState* state;  // of the product
    rslNodeVector direction, start, u0, w0, carried, best;
    double* rest;    // places of all nodes at rest in the axes of their bodies, x y z each [m]
    rslTurn* turns;  // of bodies
    bool tooFar;     // the last step was: it is cut to less than half
    bool straight;   // some that are not rigid do not turn
    rslStage stage;
    rslEffort effort;  // of a stage; 0: no limit
    int64_t begun;     // Newton steps before the stage
    double known;      // forces left over where the stage starts [N]; negative: not known
    double weights;    // norm of loads and weights [N]
    double reference;  // what forces that are left over are measured against [N]
    rslPowers powers;  // of the last forces
    rslSolve result;
    rslStatus status;  // out of memory in a step

    // contact: NULL without
    rslBarrier* barrier;
    double* durations;  // of their contacts [s]
    bool collidersMove;
    int renewals;  // of friction in this stage
    bool goesOn;   // the step is a part of a longer one that has begun: impulses are added up
    bool inert;    // nothing bounces but what is rigid
    bool tooFast;  // an impact of the part that comes next, for any part
    double fine;   // parts of steps at impacts, over how long those last; 0: steps are not divided
    double *placesBefore, *places, *ways;  // of contact nodes
    double* unled;                         // ways before they are led
    rslRebound rebound;
    rslVec3* along;      // of bodies: ways of colliders that push them [m]
    rslNodeVector free;  // where the stage begins, in frames as they are at its end
};

static inline rslNodeVector rslDisplacements(const rslState* state)
{
    return (rslNodeVector){ { state->displacement[0], state->displacement[1], state->displacement[2] } };
}

static inline rslNodeVector rslVelocities(const rslState* state)
{
    return (rslNodeVector){ { state->velocity[0], state->velocity[1], state->velocity[2] } };
}

// Forces left over at a state whose displacements are given, in space.r; its velocities follow. Returns their norm.
double rslImplicit_Residual(rslImplicit* implicit, rslState* state);

// The quadratic part of what is made least: inertia. Uses scratch.
double rslImplicit_Inertia(rslImplicit* implicit, const rslState* state, const rslNodeVector* scratch);

// Where to start from: puts the state there (implicit_start.c). False: no place without collapse.
bool rslImplicit_Start(rslImplicit* implicit, rslState* state);

// What forces that are left over are measured against, of which there are so many at the start of a stage [N].
double rslImplicit_Reference(rslImplicit* implicit, const rslState* state, double first);

// Are so many of them little enough, measured against that? (It tells the weights as well.)
bool rslImplicit_Ends(const rslImplicit* implicit, double left, double reference, double tolerance);

// Newton's method for the stage. False: no end; the result says why.
bool rslImplicit_Solve(rslImplicit* implicit, rslState* state);

// implicit.c: stages of a step. Forces where it begins, in space.r, and how strong they are, taken for a time; where a theta scheme leads to in a
// time; the stage, with pressures and contacts; and what is left after the last.
void rslImplicit_Begin(rslImplicit* implicit, rslState* state, double time);
void rslImplicit_AimTheta(rslImplicit* implicit, double time, double theta);
bool rslImplicit_SolveStage(rslImplicit* implicit, rslState* state);
void rslImplicit_End(rslImplicit* implicit);

// Bodies that turn (implicit_turn.c); start and direction of a Newton step are given. Which bodies turn along it, false: none; put
// those where a part s of it leads; the way from start to there, of all.
bool rslTurns_Make(rslImplicit* implicit);
bool rslTurns_Find(rslImplicit* implicit, const rslState* state);
void rslTurns_Place(rslImplicit* implicit, rslState* state, double s);
void rslTurns_Way(rslImplicit* implicit, const rslState* state, double s, const rslNodeVector* way);

// Contact (implicit_contact.c); all of it does nothing where nothing touches. False: out of memory.
bool rslImplicit_MakeContact(rslImplicit* implicit, rslIntegrator integrator, rslTeam* team);

// Did something touch where the stage began?
bool rslImplicit_Touches(const rslImplicit* implicit);

// Around a stage; a state before and after it, and whether it was found.
bool rslImplicit_BeginContact(rslImplicit* implicit, const rslState* state);
bool rslImplicit_EndContact(rslImplicit* implicit, rslState* state, bool found);

// Friction as it is at a state, where its limits are others than they were when it was last looked at, in parts of all of them.
// False: none is.
bool rslImplicit_Renew(rslImplicit* implicit, rslState* state, double tolerance);

// Tell the matrix of friction whether the last step was too long.
void rslImplicit_WentTooFar(rslImplicit* implicit);

// Bodies where they are at the start of the stage, moved as a whole as far as colliders come toward them. False: none moves.
bool rslImplicit_GoAlong(rslImplicit* implicit, rslState* state);

// Take a state back to where the way is free from where the stage began; false: nowhere. Is all of the way free?
bool rslImplicit_GoFree(rslImplicit* implicit, rslState* state);
bool rslImplicit_IsFree(rslImplicit* implicit, const rslState* state);

// Contacts are led to where they will end (barrier.h): those of a state, from where the stage began; those that the direction of a Newton
// step from a state leads to (carried keeps it as it was). False: nothing has changed.
bool rslImplicit_LeadFlight(rslImplicit* implicit, rslState* state);
bool rslImplicit_LeadStep(rslImplicit* implicit, const rslState* state);

// The part of the way from start to a state that a Newton step may go; led: to where contacts will end.
double rslImplicit_ReachFree(rslImplicit* implicit, const rslState* state, bool led);

// Impacts (implicit_impact.c): how long contacts of bodies last, with a warning where steps are too long for their rebound; false when
// out of memory. The part that comes next is one of 2^level of its step: what level it should have at least for them, up to most; asked
// once a part, and told when it is over. Sets tooFast.
bool rslImplicit_MakeImpact(rslImplicit* implicit, const rslSolverDef* def, rslReport* report);
int rslImplicit_ImpactLevel(rslImplicit* implicit, rslState* state, int level, int most);
void rslImplicit_Passed(const rslImplicit* implicit, rslState* state, int level);

// Bounces of what is rigid (implicit_rebound.c), before the part of a step that a state is at; slow: speeds that gravity explains [m/s].
// goesOn: as of a step. Returns whether there were any; the status tells of memory.
bool rslImplicit_MakeRebound(rslImplicit* implicit, rslTeam* team);
bool rslImplicit_Rebound(rslImplicit* implicit, rslState* state, double slow, bool goesOn);
void rslRebound_Free(rslRebound* rebound);
size_t rslRebound_Bytes(const rslRebound* rebound);

// Is all that moves at a collision rigid, and some of it free?
bool rslRebound_Has(const rslImplicit* implicit, const rslCollisions* all, const rslCollision* one);

// Of ways: they are not quite straight, and barriers begin before they end.
static const double rslReboundMargin = 1.25;

// How long it takes at a speed until its barrier is met, with a margin [s].
double rslImplicit_TimeLeft(const rslImplicit* implicit, const rslCollision* one, double speed);

// How fast its gap closes with velocities of contact nodes [m/s].
static inline double rslCollision_ClosingSpeed(const rslCollisions* all, const rslCollision* one, const double* v)
{
    rslVec3 u = rslScale(-1.0, one->velocity);
    for (int e = one->begin; e < one->begin + one->count; ++e)
    {
        const double* at = &v[3 * (size_t)all->nodes[e]];
        u = rslMulAdd(u, all->weights[e], (rslVec3){ at[0], at[1], at[2] });
    }
    return -rslDot(u, one->normal);
}

// Take energy beyond what is allowed [J] from the velocities of a part; within: from what bodies do within alone, so that momentum stays.
// False: there is more still.
bool rslImplicit_Calm(rslSolver* solver, rslState* state, double allowed, bool within);
