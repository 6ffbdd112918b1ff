// SPDX-License-Identifier: MIT
//
// implicit_newton.c: Newton's method for a stage (implicit_internal.h).
//
//   r = F(u, w(u)) - c M (u - goal) on the free unknowns,  H = K + c M + rate C
//   H d = r to |r - H d| <= eta |r|,  eta = 0.9 (|r| / |r before|)^2 within [0.3 of what the end asks for, 0.1]
//   u += a d,  a from 1 on down until the sum falls by 1e-4 of its slope (Armijo 1966)
//
// Along d all but the potential is known in advance: with Fe the forces that have an energy,
//
//   phi(a) - phi(0) = W(u + a d) - W(u) + a (Fe - r).d + a^2/2 d.(c M + rate C) d
//
// Contacts of d are led to where they will end (barrier_lead.c). Bodies turn along a step, so that it does not stretch them
// (implicit_turn.c). Where one that is held turns, a whole step stretches it, and the next one takes the stretch out again: there, a
// whole step may be a leap (leap.h).
//
// Forces without an energy, dampers among them, count there as they are at u; in the end they are what they are at the end: a step is
// implicit in them, too. Where K has a direction of negative curvature, d is that of a matrix near it which is positive
// (rslStatics_Near); and where that takes too long, or has one, too, the direction found before it and the direction itself, both
// downhill, taken as long as each other. No step is longer than elements near collapse let it be (guard.h).
//
// Forces that are left over are measured against the largest of: loads and weights, all forces at the start of the step, and a
// thousandth of what is left over at the start of the stage. (No more of that: the start may stretch what is stiff, and a bar would
// lose as much to what is left over as to the scheme.)

#include "implicit_internal.h"
#include "leap.h"

#include "vec.h"

enum
{
    NEWTON_LIMIT = 60,
    CG_LIMIT = 1000,
    REST_LIMIT = 16,  // with the preconditioner of the model at rest
    TRIALS = 40,
    WIDENINGS = 4,
    LEAP_FAILURES = 3,
    LEAP_HEIGHT = 1000  // in multiples of a slope
};

// Of a direction that is led: its slope over what it was, and how much of it is to be free.
static const double leastSlope = 0.7, leastReach = 0.5;

double rslImplicit_Residual(rslImplicit* m, rslState* state)
{
    const rslUnknowns* u = &m->unknowns;
    rslNodeVector at = rslDisplacements(state), w = rslVelocities(state), *r = &m->space.r;
    double rate = m->stage.rate, c = rate * rate;
    rslUnknowns_Copy(u, &w, &at);
    rslUnknowns_Combine(u, &w, rate, -rate, &m->stage.origin);
    rslDynamics_Hold(m->kernel, state);
    m->powers = rslDynamics_Forces(m->kernel, state, r->x);
    rslMoveds_Residual(m, state, r);
    rslUnknowns_AddMass(u, r, -c, m->mass, &at);
    rslUnknowns_AddMass(u, r, c, m->mass, &m->stage.goal);
    rslUnknowns_Project(u, r);
    return sqrt(rslUnknowns_Dot(u, r, r));
}

double rslImplicit_Inertia(rslImplicit* m, const rslState* state, const rslNodeVector* scratch)
{
    rslNodeVector at = rslDisplacements(state);
    rslUnknowns_Copy(&m->unknowns, scratch, &at);
    rslUnknowns_Combine(&m->unknowns, scratch, 1.0, -1.0, &m->stage.goal);
    return 0.5 * m->stage.rate * m->stage.rate * rslUnknowns_DotMass(&m->unknowns, m->mass, scratch, scratch) +
           rslMoveds_Inertia(m, state);
}

double rslImplicit_Reference(rslImplicit* m, const rslState* state, double first)
{
    rslNodeVector* z = &m->space.z;
    rslStatics_Loads(m->kernel, state, z->x);
    rslMoveds_Gather(m, state, z);
    rslUnknowns_Project(&m->unknowns, z);
    double loads = sqrt(rslUnknowns_Dot(&m->unknowns, z, z)), most = rslMost(loads, m->reference);
    m->weights = loads;
    most = rslMost(most, rslMoveds_Rounding(m) / m->tolerance);
    return rslMost(most, 1e-3 * first);
}

bool rslImplicit_Ends(const rslImplicit* m, double left, double reference, double tolerance)
{
    return !(left > tolerance * reference) || left <= m->enough * m->weights;
}

// H d = r, or that of a matrix near H that is positive.
static rslCgResult Conjugate(rslImplicit* m, double eta, bool near)
{
    m->near = near;
    int limit = m->effort.iterations > 0 ? m->effort.iterations : CG_LIMIT;
    bool rests = !m->bent && limit > REST_LIMIT;
    rslCgResult found = rslCg_Solve(&m->system, &m->space, &m->direction, eta, rests ? REST_LIMIT : limit);
    m->result.iterations += found.iterations;
    if (rests && !found.curved && !found.stopped && found.residual > eta)
    {
        // bodies are not as they are at rest: on from here, with how they are
        m->bent = true;
        rslUnknowns_Copy(&m->unknowns, &m->carried, &m->direction);
        rslStatics_Look(m->kernel, m->state);
        m->system.stiffest = rslPreconditioner_Update(m->preconditioner, m->state, false);
        limit -= found.iterations;
        found = rslCg_Solve(&m->system, &m->space, &m->direction, eta / found.residual, limit);
        rslUnknowns_Combine(&m->unknowns, &m->direction, 1.0, 1.0, &m->carried);
        m->result.iterations += found.iterations;
    }
    m->near = false;
    rslStatics_Settle(m->kernel, false);
    return found;
}

// Newton's direction for r, which is kept in start; K is that of the state. again: the stage has had one.
static void FindDirection(rslImplicit* m, const rslState* state, double eta, bool again)
{
    const rslUnknowns* u = &m->unknowns;
    m->state = state;
    (m->bent ? rslStatics_Look : rslStatics_Glance)(m->kernel, state);
    bool bent = m->bent;
    m->bent =
        m->bent || !rslPreconditioner_TakeRest(m->preconditioner, state, m->stage.rate, again, &m->system.stiffest);
    if (m->bent)
    {
        if (!bent)
        {
            rslStatics_Look(m->kernel, state);
        }
        m->system.stiffest = rslPreconditioner_Update(m->preconditioner, state, again);
    }
    rslMoveds_Look(m, state);
    rslUnknowns_Copy(u, &m->start, &m->space.r);
    rslCgResult found = Conjugate(m, eta, false);
    m->result.curved += found.curved ? 1 : 0;
    if (found.curved && m->effort.iterations == 0)
    {
        rslUnknowns_Copy(u, &m->space.r, &m->start);
        rslStatics_Look(m->kernel, state);
        found = Conjugate(m, eta, true);
    }
    m->result.newtonSteps += 1;
    m->result.stopped = m->result.stopped || found.stopped;
    if (found.curved)
    {
        double d = rslUnknowns_Dot(u, &m->direction, &m->direction), p = rslUnknowns_Dot(u, &m->space.p, &m->space.p);
        double scale = d > 0.0 && p > 0.0 ? sqrt(d / p) : 1.0;
        rslUnknowns_Combine(u, &m->direction, 1.0, scale, &m->space.p);
    }
    rslMoveds_Spread(m, state, &m->direction);
}

// What is known of phi along the direction.
typedef struct Line
{
    double potential;     // W(u)
    double slope;         // r.d
    double linear, bent;  // (Fe - r).d;  d.(c M + rate C) d; of nodes
    double inertia;       // of rigid bodies
    // where bodies turn along it (implicit_turn.c): (u - goal).M d and d.M d, and u - goal is in p
    bool turns;
    double away, square;
    bool led;  // to where contacts will end
} Line;

// slope: r.d. start becomes u.
static Line LookAlong(rslImplicit* m, rslState* state, double slope)
{
    const rslUnknowns* u = &m->unknowns;
    rslNodeVector at = rslDisplacements(state), *d = &m->direction, *z = &m->space.z, *p = &m->space.p;
    double c = m->stage.rate * m->stage.rate;
    Line line = { .slope = slope, .square = rslUnknowns_DotMass(u, m->mass, d, d) };
    line.bent = c * line.square;
    rslUnknowns_Copy(u, p, &at);
    rslUnknowns_Combine(u, p, 1.0, -1.0, &m->stage.goal);
    line.away = rslUnknowns_DotMass(u, m->mass, p, d);
    line.linear = c * line.away;
    if (m->others)
    {
        rslMoveds_Clear(m, z);
        rslDynamics_Damping(m->kernel, state, d->x, z->x);
        line.bent += m->stage.rate * rslUnknowns_Dot(u, d, z);
        if (m->dragged)
        {
            rslNodeVector w = rslVelocities(state);
            line.linear += rslUnknowns_Dot(u, &w, z);  // Fe - r = c M (u - goal) + C w
        }
        else
        {
            rslDynamics_Still(m->kernel, state, z->x);
            line.linear = rslUnknowns_Dot(u, d, z) - line.slope - rslMoveds_Slope(m, state, d);
        }
    }
    line.potential = rslStatics_Potential(m->kernel, state);
    line.inertia = rslMoveds_Inertia(m, state);
    rslUnknowns_Copy(u, &m->start, &at);
    line.turns = rslTurns_Find(m, state);
    return line;
}

static void Place(rslImplicit* m, rslState* state, double a)
{
    rslNodeVector at = rslDisplacements(state);
    rslUnknowns_Copy(&m->unknowns, &at, &m->start);
    rslUnknowns_Combine(&m->unknowns, &at, 1.0, a, &m->direction);
    if (a != 0.0)
    {
        rslTurns_Place(m, state, a);
    }
    rslMoveds_Move(m, state, a);
}

// How much the sum changes to where a leads; and how much of that may be rounding. Dampers turn with bodies, so they are told along d.
static double Change(rslImplicit* m, rslState* state, const Line* line, double a, double* rounding)
{
    double linear = a * line->linear, bent = a * a * line->bent, c = m->stage.rate * m->stage.rate;
    if (line->turns)
    {
        rslNodeVector* way = &m->space.q;
        rslTurns_Way(m, state, a, way);
        linear += c * (rslUnknowns_DotMass(&m->unknowns, m->mass, &m->space.p, way) - a * line->away);
        bent += c * (rslUnknowns_DotMass(&m->unknowns, m->mass, way, way) - a * a * line->square);
    }
    double potential = rslStatics_Potential(m->kernel, state), inertia = rslMoveds_Inertia(m, state) - line->inertia;
    *rounding = 1e-14 * (fabs(potential) + fabs(line->potential) + fabs(linear));
    return potential - line->potential + inertia + linear + 0.5 * bent;
}

static double Reach(rslImplicit* m, rslState* state, const Line* line)
{
    Place(m, state, 1.0);
    double time = rslStatics_FirstTime(m->kernel, state, m->start.x);
    double free = rslImplicit_ReachFree(m, state, line->led);
    m->result.limited = m->result.limited || !(time > 1.0);
    time = time > 1.0 ? 1.0 : 0.9 * time;
    free = free < 1.0 && (m->moveds.count > 0 || line->turns) ? 0.9 * free : free;
    return time < free ? time : free;
}

// Bodies turn: where a part of a step leads is not on the straight way that was looked at.
static bool IsFree(rslImplicit* m, rslState* state, const Line* line, double a)
{
    return (m->moveds.count == 0 && !line->turns) || a == 1.0 ||
           (rslStatics_FirstTime(m->kernel, state, m->start.x) > 1.0 &&
            rslImplicit_ReachFree(m, state, line->led) >= 1.0);
}

static void TakeBack(rslImplicit* m, rslState* state, rslLeap* leap)
{
    rslNodeVector at = rslDisplacements(state);
    rslLeap_TakeBack(leap, &m->unknowns, &at, &m->best);
}

// After a step that changed the sum by so much.
static void Judge(rslImplicit* m, rslState* state, rslLeap* leap, double change, double slope)
{
    leap->grounded = false;
    if (change > 0.0 && leap->left == 0)
    {
        rslUnknowns_Copy(&m->unknowns, &m->best, &m->start);
        rslLeap_Begin(leap, change, -1e-4 * slope);
    }
    else if (rslLeap_Fails(leap, leap->sum + change, false))
    {
        TakeBack(m, state, leap);
    }
}

// Where a is good and tooFar is not: what is better still between them. What comes into touch along a step was not in its matrix, and its
// barrier is thin: a step that ends before it would be followed by many.
static double Widen(rslImplicit* m, rslState* state, const Line* line, double a, double tooFar, double* change)
{
    double at = a;
    for (int i = 0; i < WIDENINGS && tooFar > 1.5 * a; ++i)
    {
        double rounding, value = INFINITY;
        at = sqrt(a * tooFar);
        Place(m, state, at);
        value = IsFree(m, state, line, at) ? Change(m, state, line, at, &rounding) : value;
        bool better = value < *change;
        a = better ? at : a;
        *change = better ? value : *change;
        tooFar = better ? tooFar : at;
    }
    if (at != a)
    {
        Place(m, state, a);
    }
    return a;
}

// Move the state along the direction. False, and it is where it was: nothing leads to less.
static bool SearchAlong(rslImplicit* m, rslState* state, rslLeap* leap, double slope, bool led)
{
    Line line = LookAlong(m, state, slope);
    line.led = led;
    double a = Reach(m, state, &line), tooFar = 0.0;
    bool mayLeap = m->straight && m->effort.newton == 0 && a == 1.0 && rslLeap_May(leap, LEAP_FAILURES);
    a = led && a < leastReach ? 0.0 : a;
    for (int i = 0; line.slope > 0.0 && a > 0.0 && i < TRIALS; ++i)
    {
        Place(m, state, a);
        if (!IsFree(m, state, &line, a))
        {
            a *= 0.5;
            continue;
        }
        double rounding, change = Change(m, state, &line, a, &rounding);
        bool leaps = mayLeap && i == 0 && change <= LEAP_HEIGHT * line.slope;
        if (change <= -1e-4 * a * line.slope + rounding || leaps)
        {
            m->tooFar = tooFar > 2.0 * a;
            a = tooFar > 0.0 ? Widen(m, state, &line, a, tooFar, &change) : a;
            Judge(m, state, leap, change <= rounding && !(change <= 0.0) ? 0.0 : change, line.slope);
            return true;
        }
        double lost = change + a * line.slope, best = lost > 0.0 ? 0.5 * a * a * line.slope / lost : 0.0;
        tooFar = a;
        a = best > 0.5 * a ? 0.5 * a : best > 0.1 * a ? best : 0.1 * a;  // also where it is not a number
    }
    Place(m, state, 0.0);
    return false;
}

// Along the direction with contacts led to where they will end; or along itself. r is in start, and goes.
static bool Search(rslImplicit* m, rslState* state, rslLeap* leap)
{
    const rslUnknowns* u = &m->unknowns;
    double slope = rslUnknowns_Dot(u, &m->start, &m->direction);
    if (rslImplicit_LeadStep(m, state))
    {
        double along = rslUnknowns_Dot(u, &m->start, &m->direction);
        if (along > leastSlope * slope && SearchAlong(m, state, leap, along, true))
        {
            return true;
        }
        rslUnknowns_Copy(u, &m->direction, &m->carried);
    }
    return SearchAlong(m, state, leap, slope, false);
}

static bool End(rslImplicit* m, rslSolveOutcome outcome)
{
    m->result.outcome = outcome;
    return outcome == rsl_solveFound;
}

// As far as it goes; what is left over is told.
static bool Cut(rslImplicit* m, double left)
{
    double over = m->weights > 0.0 ? left / m->weights : m->result.residual;
    m->result.left = rslMost(m->result.left, over);
    return End(m, rsl_solveFound);
}

static bool IsTiny(const rslImplicit* m)
{
    double length;
    rslUnknowns_Largest(&m->unknowns, &m->direction, &length);
    return length <= 1e-11 * m->smallest;
}

// May the stage not take another step?
static bool IsSpent(const rslImplicit* m)
{
    return m->effort.newton > 0 && m->result.newtonSteps - m->begun >= m->effort.newton;
}

bool rslImplicit_Solve(rslImplicit* m, rslState* state)
{
    double before = 0.0, reference = 0.0, eta = 0.1, tolerance = state->guard.wary > 0 ? m->rough : m->tolerance;
    rslLeap leap = { 0 };
    for (int i = 0;; ++i)
    {
        double left = i == 0 && m->known >= 0.0 ? m->known : rslImplicit_Residual(m, state), length;
        reference = i == 0 ? rslImplicit_Reference(m, state, left) : reference;
        m->known = -1.0;
        m->result.residual = left > 0.0 ? left / reference : left;
        m->result.node = rslUnknowns_Largest(&m->unknowns, &m->space.r, &length);
        bool found = rslImplicit_Ends(m, left, reference, tolerance) || (i > 0 && IsTiny(m));
        double slack = state->guard.wary > 0 || m->result.residual > 0.05 ? 0.05 : rslMost(0.01, m->result.residual);
        bool may = i > 0 && leap.left == 0 && !IsSpent(m) && (found || m->result.residual < 0.1);
        if (may && rslImplicit_Renew(m, state, slack))
        {
            left = rslImplicit_Residual(m, state);
            m->result.residual = left > 0.0 ? left / reference : left;
            found = rslImplicit_Ends(m, left, reference, tolerance);
            before = 0.0;
        }
        if (leap.left > 0 && (found || !isfinite(left)) && !(leap.sum <= 0.0))
        {
            TakeBack(m, state, &leap);  // another minimum, and a higher one
            continue;
        }
        if (!isfinite(left))
        {
            return End(m, rsl_solveNotFinite);
        }
        if (found || IsSpent(m))
        {
            return Cut(m, left);
        }
        if (i >= NEWTON_LIMIT)
        {
            return End(m, rsl_solveNoEnd);
        }
        double least = 0.3 * rslMost(tolerance, m->enough * m->weights / reference) / m->result.residual;
        eta = before > 0.0 ? 0.9 * (left / before) * (left / before) : eta;
        eta = eta > 0.1 ? 0.1 : eta < least ? least : eta;
        before = left;
        FindDirection(m, state, eta > 0.1 ? 0.1 : eta, i > 0);
        if (m->result.stopped)
        {
            return End(m, rsl_solveStopped);
        }
        m->tooFar = false;
        if (Search(m, state, &leap))
        {
            rslImplicit_WentTooFar(m);
        }
        else
        {
            if (m->effort.newton > 0)
            {
                rslImplicit_Residual(m, state);
                return Cut(m, left);
            }
            if (leap.left == 0)
            {
                return End(m, rsl_solveNoDescent);
            }
            TakeBack(m, state, &leap);
        }
    }
}
