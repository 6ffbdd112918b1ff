// SPDX-License-Identifier: MIT
//
// divergence.c: see divergence.h.
//
// Kinetic and elastic energy (with planes and links) can never exceed what was put in: their value at the start, the
// positive work of loads, motion and drives, and what gravity gave. More than that, times a factor, is a run that has
// gone wrong. So is more motion than that, whatever the elements say: at large strain the energy of boxes has no lower
// bound. A body at rest was given nothing, so a floor is added: the energy of displacements of a millionth of the
// spacing, and of the rounding of its place in the world, at the highest frequency or once a step; and of what gravity
// gives in a step, because forward Euler moves only after it has gained speed.

#include "divergence.h"

#include "joint.h"
#include "log.h"
#include "vec.h"

static double Held(const rslEnergy* energy)
{
    return energy->kinetic + energy->springs + energy->ground + energy->links;
}

rslDivergence rslDivergence_None(void)
{
    return (rslDivergence){ .node = -1,
                            .springA = -1,
                            .springB = -1,
                            .collapsedBody = -1,
                            .collapsedNode = -1,
                            .joint = -1,
                            .element = -1,
                            .elementBody = -1 };
}

void rslDivergence_Open(rslState* state, const rslEnergy* energy)
{
    rslAccount* account = &state->account;
    account->start = energy->total;
    account->gravity = energy->gravity;
    account->input += Held(energy);
    account->audits = 1;
}

void rslDivergence_Count(rslState* state, const rslEnergy* energy)
{
    rslAccount* account = &state->account;
    double fallen = account->gravity - energy->gravity;
    account->input += fallen > 0.0 ? fallen : 0.0;
    account->gravity = energy->gravity;
    account->audits += 1;
}

static double Floor(const rslSolver* solver, const rslState* state)
{
    double sum = 0.0, frequency = solver->stability.frequency;
    double rate = frequency * state->step > 1.0 ? frequency : 1.0 / state->step;
    double fall = state->step * rslLength(solver->model->gravity);
    for (int b = 0; b < solver->model->bodyCount; ++b)
    {
        const rslBody* body = &solver->model->bodies[b];
        double speed = (1e-6 * body->spacing + 1e-12 * rslLength(state->frames[b].origin)) * rate;
        sum += 0.5 * body->mass * (speed * speed + fall * fall);
    }
    return sum;
}

// The first node that is not finite, else the fastest.
static int WorstNode(const rslModel* model, const rslState* state)
{
    int worst = 0;
    double largest = -1.0;
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double x[3], v[3];
        rslState_Positions(model, state, i, i + 1, x);
        rslState_Velocities(model, state, i, i + 1, v);
        double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        if (!isfinite(square) || !isfinite(x[0] + x[1] + x[2]))
        {
            return i;
        }
        if (square > largest)
        {
            largest = square;
            worst = i;
        }
    }
    return worst;
}

typedef struct SpringSearch
{
    const rslModel* model;
    const rslState* state;
    rslDivergence* divergence;
} SpringSearch;

static bool CompareSpring(const rslSpring* spring, void* context)
{
    SpringSearch* search = context;
    double a[3], b[3];
    rslState_Positions(search->model, search->state, spring->a, spring->a + 1, a);
    rslState_Positions(search->model, search->state, spring->b, spring->b + 1, b);
    rslVec3 d = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
    double strain = rslLength(d) / spring->restLength - 1.0;  // rest lengths are positive
    if (!isfinite(strain) || fabs(strain) > fabs(search->divergence->strain) || search->divergence->springA < 0)
    {
        search->divergence->springA = spring->a;
        search->divergence->springB = spring->b;
        search->divergence->strain = strain;
    }
    return isfinite(strain);
}

static rslDivergence Describe(const rslSolver* solver, const rslState* state, double held, double limit)
{
    rslDivergence d = rslDivergence_None();
    d.stepCount = state->stepCount;
    d.time = rslState_Time(state);
    d.energy = held;
    d.limit = limit;
    d.nonFinite = !isfinite(held);
    d.node = WorstNode(solver->model, state);
    SpringSearch search = { solver->model, state, &d };
    for (int b = 0; b < solver->model->bodyCount && isfinite(d.strain); ++b)
    {
        if (solver->model->bodies[b].model != rsl_rigidModel)
        {
            rslModel_VisitSprings(solver->model, b, CompareSpring, &search);
        }
    }
    return d;
}

// What gravity gave since the last audit. A state that has flown apart may have fallen any depth, so no more is believed
// than the whole mass can fall in that time, starting with all that was put in as speed (twice that, for short).
static double Fallen(const rslSolver* solver, const rslState* state, const rslEnergy* energy)
{
    double fallen = state->account.gravity - energy->gravity, mass = 0.0;
    for (int b = 0; b < solver->model->bodyCount; ++b)
    {
        mass += solver->model->bodies[b].mass;
    }
    double time = solver->def.auditInterval * state->step, g = rslLength(solver->model->gravity);
    double way = time * (sqrt(2.0 * state->account.input / mass) + g * time), most = 2.0 * mass * g * way;
    return fallen > most ? most : fallen > 0.0 ? fallen : 0.0;
}

bool rslDivergence_IsStable(const rslSolver* solver, const rslState* state)
{
    const uint64_t often = 256, many = 2048;
    return state->step <= solver->stability.stableStep ||
           (state->guard.divided < often && state->guard.substeps < many);
}

bool rslDivergence_Encloses(rslSolver* solver, const rslState* state, const rslEnergy* energy)
{
    rslCollapse collapse;
    if (!solver->backend->collapsed(solver->kernel, state, &collapse))
    {
        return true;
    }
    solver->divergence = Describe(solver, state, Held(energy), INFINITY);
    solver->divergence.collapsedBody = collapse.body;
    solver->divergence.collapsedNode = collapse.node;
    solver->divergence.volume = collapse.volume;
    return false;
}

rslStatus rslDivergence_Collapse(rslSolver* solver, uint64_t stepCount, double time, int divided, rslDanger danger)
{
    solver->divergence = rslDivergence_None();
    solver->divergence.stepCount = stepCount;
    solver->divergence.time = time;
    solver->divergence.elementBody = danger.body;
    solver->divergence.element = danger.element;
    solver->divergence.ratio = danger.ratio;
    solver->divergence.divided = divided;
    rslLog(&solver->hooks, rsl_error, "at %.6g s element %d of body '%s' would collapse, in steps of any length", time,
           danger.element, danger.body >= 0 ? solver->model->bodies[danger.body].name : "any");
    return rsl_diverged;
}

// Joints are kept to rounding. The world is far away from none of them: rounding is that of its coordinates.
static bool IsKept(const rslModel* model, const rslState* state, int index)
{
    const rslJoint* joint = &model->joints[index];
    rslJointGap gap = rslState_JointGap(model, state, index);
    rslVec3 place = rslJoint_Point(model, state->frames, joint, 0);
    double size = rslLength(joint->places[0]) + rslLength(joint->places[1]) + 1e-6 * rslLength(place);
    return gap.distance <= 1e-6 * size && gap.tilt <= 1e-4 && gap.turn <= 1e-4;
}

static bool AreJoined(rslSolver* solver, const rslState* state, const rslEnergy* energy)
{
    for (int j = 0; j < solver->model->jointCount; ++j)
    {
        if (!IsKept(solver->model, state, j))
        {
            solver->divergence = Describe(solver, state, Held(energy), INFINITY);
            solver->divergence.joint = j;
            return false;
        }
    }
    return true;
}

bool rslDivergence_Passes(rslSolver* solver, const rslState* state, const rslEnergy* energy)
{
    double held = Held(energy), input = state->account.input + Fallen(solver, state, energy);
    held = energy->kinetic > held ? energy->kinetic : held;  // what is not a number stays
    double limit = solver->def.divergenceFactor * (input + Floor(solver, state));
    if (held <= limit)
    {
        return true;
    }
    solver->divergence = Describe(solver, state, held, limit);
    return false;
}

bool rslDivergence_IsSound(rslSolver* solver, const rslState* state, const rslEnergy* energy)
{
    // what is lost is named before the energy that it has set free
    bool whole =
        !isfinite(Held(energy)) || (rslDivergence_Encloses(solver, state, energy) && AreJoined(solver, state, energy));
    bool passes = whole && rslDivergence_Passes(solver, state, energy);
    if (!passes || rslDivergence_IsStable(solver, state))
    {
        return passes;
    }
    solver->divergence = Describe(solver, state, Held(energy), INFINITY);
    solver->divergence.unstable = true;
    return false;
}
