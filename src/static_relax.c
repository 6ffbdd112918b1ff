// SPDX-License-Identifier: MIT
//
// static_relax.c: rest of what is more than nodes with an energy: free rigid bodies, bodies that nothing holds until they lie on something,
// hard volumes, and forces without an energy (static_internal.h).
//
// Such a state of rest is where implicit steps that forget their velocities lead: each makes least
//
//   1/(2 h^2) |x - x0|_M^2 + W(x)
//
// from where the last one has led, with all that implicit steps know (implicit_internal.h): six unknowns a rigid body, joints, volumes that are
// pressed until they are kept, forces without an energy frozen as they were at x0. h begins with the time of a fall through a twentieth
// of a body and is four times as long after every step that ends, 0.3 of it where one does not or a body tumbles, a tenth where it
// leads nowhere: soon inertia is nothing beside W, and a step is Newton's method for rest itself (pseudo-transient continuation: Kelley
// and Keyes 1998). Motions that cost nothing, as rolling does on a plane, have inertia and stay where they are; rigid bodies that balance
// are turned a little to see whether they fall. Rest is found when forces without inertia and dampers, nothing frozen, are within the
// tolerance; what goes far beyond its own size does not meet anything that would hold it.

#include "build.h"
#include "dynamics.h"
#include "implicit_internal.h"
#include "rigid.h"
#include "state_internal.h"
#include "static_internal.h"
#include "top.h"
#include "vec.h"

enum
{
    STEPS = 300,
    PATIENCE = 40,  // steps without a better one
    FALLS = 8       // off where bodies balance
};

static const double nudge = 1e-5;                    // [rad]
static const double shortest = 1e-8, longest = 1e6;  // h over that of the first step
// Of the size of bodies: what turns or gives way by more in a step may miss where it would come to lie.
static const double tumbling = 0.2;

bool rslStatic_MustRelax(const rslModel* model)
{
    bool must = rslModel_WithoutEnergy(model) != NULL;
    for (int r = 0; r < model->rigidCount; ++r)
    {
        must = must || model->rigids[r].constraint < 0;
    }
    return must;
}

bool rslStatic_MayMeet(const rslModel* model)
{
    bool meets = model->colliderCount > 0 || model->constraintCount > 0;
    for (int j = 0; j < model->jointCount; ++j)
    {
        meets = meets || model->joints[j].rigids[0] < 0 || model->joints[j].rigids[1] < 0;
    }
    return meets;
}

rslStatus rslStatic_MakeRelaxed(rslStatic* rest, const rslSolverDef* def, rslTeam* team, rslReport* report)
{
    rslStatus status = rslState_Create(rest->model, rsl_double, &rest->hooks, &rest->before);
    status = status == rsl_ok ? rslState_Create(rest->model, rsl_double, &rest->hooks, &rest->found) : status;
    return status == rsl_ok
               ? rslImplicit_Create(rest->model, def, &rest->hooks, team, rest->kernel, &rest->relaxed, report)
               : status;
}

void rslStatic_FreeRelaxed(rslStatic* rest)
{
    rslImplicit_Free(rest->relaxed);
    rslState_Free(rest->before);
    rslState_Free(rest->found);
}

// The longest side of all bodies [m].
static double Extent(const rslModel* model)
{
    double extent = 0.0;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        extent = rslMost(extent, rslBody_Extents(&model->bodies[b]).longest);
    }
    return extent > 0.0 ? extent : 1.0;
}

// The time in which something falls by a twentieth of a body, or is moved as far by the forces that there are.
static double FirstStep(const rslImplicit* m, double extent)
{
    double mass = 0.0;
    for (int b = 0; b < m->model->bodyCount; ++b)
    {
        mass += m->model->bodies[b].mass;
    }
    double a = rslMost(rslLength(m->model->gravity), mass > 0.0 ? m->reference / mass : 0.0);
    return a > 0.0 ? sqrt(0.1 * extent / a) : 1.0;
}

// How far nodes of a body have gone on average since a state, and beyond that; the farthest of them [m].
typedef struct Way
{
    double mean, within;
    int node;
} Way;

static rslVec3 Gone(const rslModel* model, const rslState* from, const rslState* to, int node)
{
    double x[3], y[3];
    rslState_Positions(model, from, node, node + 1, x);
    rslState_Positions(model, to, node, node + 1, y);
    return (rslVec3){ y[0] - x[0], y[1] - x[1], y[2] - x[2] };
}

static Way WayOf(const rslModel* model, const rslState* from, const rslState* to)
{
    Way way = { 0 };
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        rslVec3 mean = { 0 };
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            mean = rslMulAdd(mean, 1.0 / body->nodeCount, Gone(model, from, to, i));
        }
        if (rslLength(mean) > way.mean)
        {
            way.mean = rslLength(mean);
            way.node = body->firstNode;
        }
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            way.within = rslMost(way.within, rslLength(rslSub(Gone(model, from, to, i), mean)));
        }
    }
    return way;
}

static rslRestOutcome OutcomeOf(const rslImplicit* m)
{
    switch (m->result.outcome)
    {
        case rsl_solveFound: break;
        case rsl_solveNoDescent: return rsl_restNoDescent;
        case rsl_solveNoEnd: return rsl_restNoEnd;
        case rsl_solveNotFinite: return rsl_restNotFinite;
        case rsl_solveStopped: return rsl_restStopped;
        case rsl_solveCollapse: return m->barrier != NULL ? rsl_restBlocked : rsl_restCollapse;
    }
    return rsl_restNoEnd;
}

// Turn free rigid bodies a little, each about another axis: what balances does not come back from there.
static bool Nudge(const rslModel* model, rslState* state, double angle)
{
    uint64_t seed = 1;
    bool any = false;
    for (int r = 0; r < model->rigidCount; ++r)
    {
        const rslRigid* def = &model->rigids[r];
        double by[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
            by[axis] = 0.5 * angle * ((double)(seed >> 33) / 1073741824.0 - 1.0);
        }
        if (def->constraint < 0)
        {
            rslFrame* frame = &state->frames[def->body];
            rslVec3 centre = rslTop_Centre(def, frame);
            bool planar = def->planar;
            rslQuat turn = { 1.0, planar ? 0.0 : by[0], planar ? 0.0 : by[1], by[2] };
            frame->rotation = rslQuatNormalize(rslQuatMul(turn, frame->rotation));
            rslTop_Place(def, frame, centre);
            any = true;
        }
    }
    return any;
}

static void Tell(rslStatic* rest)
{
    const rslImplicit* m = rest->relaxed;
    rest->result.newtonSteps = (int)m->result.newtonSteps - rest->newtonBefore;
    rest->result.iterations = (int)m->result.iterations - rest->iterationsBefore;
    rest->result.curved = (int)m->result.curved - rest->curvedBefore;
}

// Where a search for rest has come to.
typedef struct Course
{
    double extent;     // of bodies [m]
    double first, h;   // [s]
    double gone;       // [m]
    double tolerance;  // in the end
    double best;       // what was left over so far, at best
    int since;         // steps since it was much more
} Course;

// After a step that has led somewhere. rsl_restNone: it goes on.
static rslRestOutcome Judge(rslStatic* rest, const rslRelaxed* relaxed, const Way* way, Course* at)
{
    rslRest* result = &rest->result;
    at->gone += way->mean;
    result->residual = relaxed->left > 0.0 ? relaxed->left / relaxed->reference : 0.0;
    result->reference = relaxed->reference;
    result->worstNode = result->node = relaxed->node < rest->model->nodeCount ? relaxed->node : way->node;
    bool better = result->residual < 0.5 * at->best, most = at->h >= longest * at->first;
    at->since = better ? 0 : at->since + 1;
    at->best = better ? result->residual : at->best;
    // where energies are all the same to rounding, nothing leads to less
    bool stays = !relaxed->solved && way->mean + way->within < 1e-8 * at->extent;
    if (result->residual <= (stays ? 100.0 : 1.0) * at->tolerance)
    {
        return rsl_restFound;
    }
    if (at->gone > 100.0 * at->extent)
    {
        result->node = way->node;
        return rsl_restEndless;
    }
    if (at->since > PATIENCE && (most || !relaxed->solved))
    {
        return rsl_restNoEnd;
    }
    at->h *= relaxed->solved ? 4.0 : 0.3;
    at->h = at->h < longest * at->first ? at->h : longest * at->first;
    return at->h < shortest * at->first ? OutcomeOf(rest->relaxed) : rsl_restNone;
}

// One step. rsl_restNone: it goes on.
static rslRestOutcome RelaxOnce(rslStatic* rest, rslState* state, Course* at)
{
    rslImplicit* m = rest->relaxed;
    double aim = at->h > 0.0 ? 0.1 * rest->result.residual : 1e-3;
    m->tolerance = aim > 1e-3 ? 1e-3 : aim < 0.3 * at->tolerance ? 0.3 * at->tolerance : aim;
    rslRelaxed relaxed = rslImplicit_Relax(m, state, at->h, rest->result.reference);
    if (m->status != rsl_ok || m->result.stopped)
    {
        return m->result.stopped ? rsl_restStopped : rsl_restNoEnd;
    }
    if (at->h == 0.0)
    {
        at->first = at->h = FirstStep(m, at->extent);
        return rsl_restNone;
    }
    Way way = WayOf(rest->model, rest->before, state);
    rest->limited = rest->limited || (!relaxed.solved && m->result.limited);
    bool tumbles = relaxed.found && way.within > tumbling * at->extent;
    if (relaxed.found && !tumbles)
    {
        return Judge(rest, &relaxed, &way, at);
    }
    (void)rslState_Copy(state, rest->before);  // it has had the room before
    at->h *= tumbles ? 0.3 : 0.1;
    return at->h < shortest * at->first ? OutcomeOf(m) : rsl_restNone;
}

static rslRestOutcome RelaxAll(rslStatic* rest, rslState* state, double tolerance)
{
    Course at = { .extent = Extent(rest->model), .tolerance = tolerance, .best = INFINITY };
    rslRestOutcome outcome = rsl_restNone;
    for (int i = 0; i < STEPS && outcome == rsl_restNone; ++i)
    {
        if (rslState_Copy(rest->before, state) != rsl_ok)
        {
            rest->relaxed->status = rsl_outOfMemory;
            return rsl_restNoEnd;
        }
        outcome = RelaxOnce(rest, state, &at);
    }
    return outcome == rsl_restNone ? rsl_restNoEnd : outcome;
}

// Rigid bodies that balance fall when they are turned a little, and lie somewhere else; others stay where they were found.
static rslRestOutcome Settle(rslStatic* rest, rslState* state, double tolerance)
{
    rslRestOutcome outcome = rsl_restFound;
    for (int fall = 0; fall < FALLS && outcome == rsl_restFound; ++fall)
    {
        rslRest known = rest->result;
        if (rslState_Copy(rest->found, state) != rsl_ok)
        {
            rest->relaxed->status = rsl_outOfMemory;
            return rsl_restNoEnd;
        }
        if (!Nudge(rest->model, state, nudge))
        {
            return rsl_restFound;
        }
        outcome = RelaxAll(rest, state, tolerance);
        Way way = WayOf(rest->model, rest->found, state);
        bool stays = way.mean + way.within < 0.01 * Extent(rest->model);
        if (rest->relaxed->status == rsl_ok && outcome != rsl_restStopped && stays)
        {
            (void)rslState_Copy(state, rest->found);
            rest->result = known;
            return rsl_restFound;
        }
    }
    return outcome;
}

rslStatus rslStatic_Relax(rslStatic* rest, rslState* state, const rslIncrement* how)
{
    rslImplicit* m = rest->relaxed;
    if (!how->again)
    {
        rest->newtonBefore = (int)m->result.newtonSteps;
        rest->iterationsBefore = (int)m->result.iterations;
        rest->curvedBefore = (int)m->result.curved;
    }
    double tolerance = how->last || rest->tolerance > 1e-4 ? rest->tolerance : 1e-4;
    rest->result = (rslRest){ .preconditioner = m->result.preconditioner };
    rest->limited = false;
    rest->result.outcome = RelaxAll(rest, state, tolerance);
    if (rest->result.outcome == rsl_restFound && how->last && m->moveds.count > 0)
    {
        rest->result.outcome = Settle(rest, state, tolerance);
    }
    Tell(rest);
    if (m->status != rsl_ok)
    {
        return m->status;
    }
    if (rest->result.outcome != rsl_restFound)
    {
        state->stepCount += 1;
        return rest->result.outcome == rsl_restStopped ? rsl_stopped : rsl_notConverged;
    }
    rslDynamics_Advance(rest->kernel, state);
    return rslImplicit_EndRest(m, state);
}
