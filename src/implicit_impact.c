// SPDX-License-Identifier: MIT
//
// implicit_impact.c: steps that something hits something in are divided, so that the rebound is right.
//
// A body that hits something is in touch with it for about T = 2 L / sqrt(1.2 E/rho), L its smallest extent: a pressure wave goes there and
// back (nu = 1/4). Steps of a tenth of that give its rebound within some percent, longer ones an accident of the phase. So a
// step in which a gap closes that gravity does not explain in one step, u_n < -g h, is taken in parts of at most T/10, and so are
// those that follow, until T after the last such gap. All of it follows from the model and the state: guard.wary steps to come, in
// 2^guard.level parts each.
//
// Backward Euler would need steps of a hundredth: it has no rebound to speak of, and nothing is divided for it.
//
// Beyond 32 parts nothing is divided, and rebounds are what they are: a warning says so before the run.

#include "implicit_internal.h"
#include "log.h"

#include "vec.h"

enum
{
    MOST_LEVEL = 5
};

static double SmallestExtent(const rslBody* body)
{
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY }, least = INFINITY;
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        double x[3];
        rslBody_Rest(body, i, i + 1, x);
        for (int axis = 0; axis < 3; ++axis)
        {
            low[axis] = x[axis] < low[axis] ? x[axis] : low[axis];
            high[axis] = x[axis] > high[axis] ? x[axis] : high[axis];
        }
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        double extent = high[axis] - low[axis];
        least = extent > 1e-6 * (high[0] - low[0]) && extent < least ? extent : least;
    }
    return least;
}

static double DurationOf(const rslBody* body)
{
    if (!(body->young > 0.0) || !(body->density > 0.0) || body->skin.vertexCount == 0)
    {
        return INFINITY;
    }
    return 2.0 * SmallestExtent(body) / sqrt(1.2 * body->young / body->density);
}

// Parts of a step for contacts that last so long: 2^level; more than the most: -1.
static int LevelFor(double duration, double step)
{
    int level = 0;
    while (level <= MOST_LEVEL && step > 0.1 * duration * (double)(1 << level) * (1.0 + 1e-9))
    {
        ++level;
    }
    return level <= MOST_LEVEL ? level : -1;
}

bool rslImplicit_MakeImpact(rslImplicit* m, const rslSolverDef* def, rslReport* report)
{
    const rslModel* model = m->model;
    double step = isnan(def->step) ? 1.0 / 60.0 : def->step;
    m->durations = rslArena_Allocate(&m->arena, (size_t)model->bodyCount + 1, sizeof(double));
    m->fine = def->integrator != rsl_implicitEuler;
    for (int b = 0; m->durations != NULL && m->barrier != NULL && m->fine && b < model->bodyCount; ++b)
    {
        m->durations[b] = DurationOf(&model->bodies[b]);
        if (LevelFor(m->durations[b], step) < 0)
        {
            rslReport_Add(report, rsl_warning, def->place,
                          "rebound of body '%s' not resolved: contact lasts %.3g ms, step %.3g ms; steps of at most "
                          "%.3g ms would be divided at impacts",
                          model->bodies[b].name, 1e3 * m->durations[b], 1e3 * step,
                          1e2 * m->durations[b] * (double)(1 << MOST_LEVEL));
        }
    }
    return m->durations != NULL;
}

// The longest contact and the finest parts that bodies ask for which hit something in this step.
typedef struct Impact
{
    int level;
    double duration;
} Impact;

static void Ask(const rslImplicit* m, int body, double step, Impact* impact)
{
    int level = LevelFor(m->durations[body], step);
    if (level > 0)
    {
        impact->level = level > impact->level ? level : impact->level;
        impact->duration = rslMost(impact->duration, m->durations[body]);
    }
}

static Impact FindImpact(rslImplicit* m, const rslState* state)
{
    Impact impact = { 0 };
    double h = state->step, slow = rslLength(m->model->gravity) * h;
    const rslCollisions* closing = NULL;
    rslDynamics_Speeds(m->kernel, state, m->ways);
    rslNodeVector at = rslDisplacements(state);
    rslDynamics_Places(m->kernel, state, 0.0, at.x, 0.0, m->places);
    if (rslBarrier_Closing(m->barrier, m->places, m->ways, rslState_Time(state), h, &closing) != rsl_ok)
    {
        m->status = rsl_outOfMemory;
        return impact;
    }
    for (int i = 0; i < closing->count; ++i)
    {
        const rslCollision* one = &closing->list[i];
        rslVec3 u = rslScale(-1.0, one->velocity);
        for (int e = one->begin; e < one->begin + one->count; ++e)
        {
            const double* v = &m->ways[3 * (size_t)closing->nodes[e]];
            u = rslMulAdd(u, closing->weights[e], (rslVec3){ v[0], v[1], v[2] });
        }
        double speed = rslDot(u, one->normal);
        if (speed < -slow && one->gap + h * speed - 0.5 * h * slow < 0.0)
        {
            Ask(m, (int)one->key[0], h, &impact);
            if (!rslKey_IsCollider(one->key))
            {
                Ask(m, rslKey_Other(one->key), h, &impact);
            }
        }
    }
    return impact;
}

int rslImplicit_ImpactLevel(rslImplicit* m, rslState* state)
{
    if (m->barrier == NULL || !m->fine)
    {
        return 0;
    }
    Impact impact = FindImpact(m, state);
    rslGuardTally* guard = &state->guard;
    if (impact.level > 0)
    {
        // this step, and as many as the contact lasts
        uint64_t steps = 1 + (uint64_t)ceil(impact.duration / state->step);
        guard->wary = steps > guard->wary ? steps : guard->wary;
        guard->level = (uint64_t)impact.level > guard->level ? (uint64_t)impact.level : guard->level;
    }
    int level = guard->wary > 0 ? (int)guard->level : 0;
    guard->wary -= guard->wary > 0 ? 1 : 0;
    guard->level = guard->wary > 0 ? guard->level : 0;
    return level;
}
