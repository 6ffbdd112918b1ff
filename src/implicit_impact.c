// SPDX-License-Identifier: MIT
//
// implicit_impact.c: steps that something hits something in are divided, so that the rebound is right.
//
// A body that hits something is in touch with it for about T = 2 L / sqrt(1.2 E/rho), L its smallest extent: a pressure wave goes there
// and back (nu = 1/4). Parts of a tenth of that give its rebound within some percent, with TR-BDF2 those of a fifth; longer ones an
// accident of the phase. So a part in which a gap closes that gravity does not explain in one step, u_n < -g h, is one of these, and so
// are those that follow, until T after the last such gap. From then on they may be as long beside the time since as before: bodies that
// bend and tumble stay in touch for longer. What comes before an impact is taken in parts as long as nothing closes in them. All of it
// follows from the model and the state: guard.wary parts to come, of which 2^guard.level are a step.
//
// Backward Euler would need parts of a hundredth: it has no rebound to speak of, and nothing is divided for it but impacts of what is rigid.
//
// Beyond 512 parts nothing is divided: a warning says so before the run. The part in which such an impact comes is taken by backward
// Euler, so that it does not bounce; a scheme of second order would give it any speed, and gain energy. Rigid bodies take 512 then. Where the scene asks for no rebound, nothing is divided but impacts of what is rigid, and
// every part in which something is near to touching is one of backward Euler: only what flies is of second order.

#include "impact_rule.h"
#include "implicit_internal.h"
#include "log.h"

#include "vec.h"

enum
{
    MOST_LEVEL = 9,
    LEAST_RIGID = 6  // of impacts of rigid bodies (implicit_rebound.c)
};

// Parts of a step that are as short as asked for: 2^level; more than the most: -1.
static int LevelFor(double part, double step)
{
    int level = part > 0.0 ? 0 : MOST_LEVEL + 1;
    while (level <= MOST_LEVEL && step > part * (double)(1 << level) * (1.0 + 1e-9))
    {
        ++level;
    }
    return level <= MOST_LEVEL ? level : -1;
}

bool rslImplicit_MakeImpact(rslImplicit* m, const rslSolverDef* def, rslReport* report)
{
    const rslModel* model = m->model;
    double step = isnan(def->step) ? 1.0 / 60.0 : def->step;
    m->inert = !def->rebound;
    m->durations = rslArena_Allocate(&m->arena, (size_t)model->bodyCount + 1, sizeof(double));
    m->fine = def->integrator == rsl_implicitEuler || def->integrator == rsl_static ? 0.0
              : def->integrator == rsl_trBdf2                                       ? 0.2
                                                                                    : 0.1;
    for (int b = 0; m->durations != NULL && m->barrier != NULL && m->fine > 0.0 && b < model->bodyCount; ++b)
    {
        m->durations[b] = rslModel_Rigid(model, b) != NULL ? INFINITY : rslBody_TouchTime(&model->bodies[b]);
        m->durations[b] = def->rebound || isinf(m->durations[b]) ? m->durations[b] : 0.0;
        if (def->rebound && LevelFor(m->fine * m->durations[b], step) < 0)
        {
            rslReport_Add(report, rsl_warning, def->place,
                          "rebound of body '%s' not resolved: contact lasts %.3g ms, step %.3g ms; steps of at most "
                          "%.3g ms would be divided at impacts",
                          model->bodies[b].name, 1e3 * m->durations[b], 1e3 * step,
                          1e3 * m->fine * m->durations[b] * (double)(1 << MOST_LEVEL));
        }
    }
    return m->durations != NULL;
}

// What bodies ask for that hit something: parts of the next one, and for how long.
typedef struct Impact
{
    double step, slow;  // h and g h of the whole step
    int most;           // and what it may be divided into
    int level;          // into 2^level parts it is to be divided
    bool tooFast;       // something is hit that no part is short enough for
    bool hits;          // something is hit in the next one of them,
    double duration;    // and stays in touch for so long [s]
} Impact;

// A body that something hits after a time: parts that end before it, or else those of an impact.
static void Ask(const rslImplicit* m, int body, double time, Impact* impact)
{
    int finest = LevelFor(m->fine * m->durations[body], impact->step), level = 0;
    finest = finest < impact->most ? finest : impact->most;
    while (level < finest && impact->step > time * (double)(1 << level))
    {
        ++level;
    }
    impact->level = level > impact->level ? level : impact->level;
    if (level == finest && finest > 0)
    {
        impact->hits = true;
        impact->duration = rslMost(impact->duration, m->durations[body]);
    }
}

// Two bodies stay in touch as long as the softer one does; rigid ones have nothing to say.
static bool IsTooFast(const rslImplicit* m, int a, int b, double step)
{
    double first = m->durations[a], second = m->durations[b];
    double longest = isinf(first) ? second : isinf(second) ? first : rslMost(first, second);
    return LevelFor(m->fine * longest, step) < 0;
}

// What is rigid and hits what is rigid: parts in which it goes no farther than a part of a cell.
static void AskRigid(const rslImplicit* m, double time, double speed, Impact* impact)
{
    static const double farthest = 0.25;  // of the smallest spacing
    int finest = LevelFor(farthest * m->smallest / speed, impact->step), level = 0;
    finest = finest < 0 ? MOST_LEVEL : finest < LEAST_RIGID ? LEAST_RIGID : finest;
    finest = finest < impact->most ? finest : impact->most;
    while (level < finest && impact->step > time * (double)(1 << level))
    {
        ++level;
    }
    impact->level = level > impact->level ? level : impact->level;
}

// In the part of the step that comes next.
static void FindImpact(rslImplicit* m, const rslState* state, Impact* impact)
{
    double h = state->step;
    const rslCollisions* closing = NULL;
    rslDynamics_Speeds(m->kernel, state, m->ways);
    rslNodeVector at = rslDisplacements(state);
    rslDynamics_Places(m->kernel, state, 0.0, at.x, 0.0, m->places);
    double span = m->rebound.respond != NULL ? rslReboundMargin * h : h;
    if (rslBarrier_Closing(m->barrier, m->places, m->ways, rslState_Time(state), span, &closing) != rsl_ok)
    {
        m->status = rsl_outOfMemory;
        return;
    }
    impact->tooFast = m->inert && closing->count > 0;
    for (int i = 0; i < closing->count; ++i)
    {
        const rslCollision* one = &closing->list[i];
        double speed = rslCollision_ClosingSpeed(closing, one, m->ways);
        double time = one->gap > 0.0 ? one->gap / (speed + 0.5 * impact->slow) : 0.0;
        if (speed > impact->slow && rslRebound_Has(m, closing, one))
        {
            AskRigid(m, rslImplicit_TimeLeft(m, one, speed + 0.5 * impact->slow), speed, impact);
        }
        else if (speed > impact->slow && time < h)
        {
            int a = (int)one->key[0], b = rslKey_IsCollider(one->key) ? a : rslKey_Other(one->key);
            impact->tooFast = impact->tooFast || IsTooFast(m, a, b, impact->step);
            Ask(m, a, time, impact);
            Ask(m, b, time, impact);
        }
    }
}

// From the part that comes next on, until what is hit has been in touch for so long.
static void BeWary(rslGuardTally* guard, const Impact* impact)
{
    int finer = guard->wary > 0 ? impact->level - (int)guard->level : 0;
    if (guard->wary == 0 || finer > 0)
    {
        guard->wary <<= finer;
        guard->level = (uint64_t)impact->level;
    }
    uint64_t parts = 1 + (uint64_t)ceil(impact->duration / impact->step * (double)(1ull << guard->level));
    guard->wary = parts > guard->wary ? parts : guard->wary;
}

int rslImplicit_ImpactLevel(rslImplicit* m, rslState* state, int level, int most)
{
    m->status = rsl_ok;
    m->tooFast = false;
    if (m->barrier == NULL || (!(m->fine > 0.0) && m->rebound.respond == NULL))
    {
        return 0;
    }
    double step = state->step * (double)(1 << level);
    Impact impact = { .step = step, .slow = rslLength(m->model->gravity) * step, .most = most };
    FindImpact(m, state, &impact);
    if (impact.hits)
    {
        BeWary(&state->guard, &impact);
    }
    m->tooFast = impact.tooFast;
    int wary = state->guard.wary > 0 ? (int)state->guard.level : 0;
    return wary > impact.level ? wary : impact.level;
}

void rslImplicit_Passed(const rslImplicit* m, rslState* state, int level)
{
    rslGuardTally* guard = &state->guard;
    int coarser = (int)guard->level - level;
    uint64_t parts = coarser >= 0                                        ? (uint64_t)1 << coarser
                     : state->stepCount % ((uint64_t)1 << -coarser) == 0 ? 1u
                                                                         : 0u;
    guard->wary -= guard->wary > parts ? parts : guard->wary;
    if (guard->wary == 0 && guard->level > 0)
    {
        guard->level -= 1;
        guard->wary = guard->level > 0 && m->fine > 0.0 ? (uint64_t)ceil(0.5 / m->fine) : 0;
    }
}
