// SPDX-License-Identifier: MIT
//
// implicit_start.c: where Newton's method starts from: the best of
//
//   u0 + lead w0                 as if nothing acted
//   base + along w0 + fall g     as if gravity alone acted
//   the old shape, carried and turned as a whole to where that is nearest to the second: what a stiff body does in flight
//   where everything is already, where something touches and a residual is enough (very stiff bodies that roll need more steps from there)
//
// (what is the end already, the third in flight and the fourth where something touches, is asked first)
//
// with contacts led to where they will end (barrier_lead.c), where that is free, and held nodes where they have to be; and where a
// collider that comes fast is in the way of all of them, all bodies pushed along with it. None of which an element would fall too far on
// the way from the third, before held nodes are moved (guard.h): all of its elements are as they were there. Where held nodes are stopped
// or torn away so fast that elements collapse on all of these, bodies wait where they were, or go along with what holds them.

#include "fit_rotation.h"
#include "implicit_internal.h"

static void GoInert(rslImplicit* m, rslState* state)
{
    rslNodeVector at = rslDisplacements(state);
    rslUnknowns_Copy(&m->unknowns, &at, &m->u0);
    rslUnknowns_Combine(&m->unknowns, &at, 1.0, m->stage.lead, &m->w0);
}

static void Fall(rslImplicit* m, rslState* state)
{
    rslNodeVector at = rslDisplacements(state);
    rslUnknowns_Copy(&m->unknowns, &at, m->stage.base);
    rslUnknowns_Combine(&m->unknowns, &at, 1.0, m->stage.along, &m->w0);
    for (int b = 0; b < m->model->bodyCount; ++b)
    {
        const rslBody* body = &m->model->bodies[b];
        rslVec3 g = rslScale(m->stage.fall, rslDynamics_Gravity(m->kernel, b));
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            at.x[0][i] += g.x;
            at.x[1][i] += g.y;
            at.x[2][i] += m->model->plane == rsl_planeXY ? 0.0 : g.z;
        }
    }
}

static rslVec3 At(const rslNodeVector* v, int i)
{
    return (rslVec3){ v->x[0][i], v->x[1][i], v->x[2][i] };
}

// Means over mass of the old shape, in arms from the centre at rest, and of the new one.
typedef struct Means
{
    rslVec3 rest, before, after;
} Means;

static rslVec3 RestOf(const rslImplicit* m, int i)
{
    return rslVec3_Of(&m->rest[3 * (size_t)i]);
}

static Means FindMeans(const rslImplicit* m, const rslBody* body, const rslNodeVector* after)
{
    Means means = { 0 };
    double mass = 0.0;
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        means.rest = rslMulAdd(means.rest, m->mass[i], RestOf(m, i));
        means.before = rslMulAdd(means.before, m->mass[i], At(&m->u0, i));
        means.after = rslMulAdd(means.after, m->mass[i], At(after, i));
        mass += m->mass[i];
    }
    means.rest = rslScale(1.0 / mass, means.rest);
    means.before = rslScale(1.0 / mass, means.before);
    means.after = rslScale(1.0 / mass, means.after);
    return means;
}

static rslMat3 FindTurn(const rslImplicit* m, const rslBody* body, const rslNodeVector* after, const Means* means)
{
    double a[9] = { 0 };
    if (body->elements.count > 0 && body->elements.law == rsl_linearElement)
    {
        return rslQuatMatrix((rslQuat){ 1.0, 0.0, 0.0, 0.0 });
    }
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        rslVec3 arm = rslSub(RestOf(m, i), means->rest);
        rslVec3 x = rslAdd(arm, rslSub(At(&m->u0, i), means->before));
        rslVec3 y = rslScale(m->mass[i], rslAdd(arm, rslSub(At(after, i), means->after)));
        const double p[3] = { y.x, y.y, y.z }, q[3] = { x.x, x.y, x.z };
        for (int c = 0; c < 9; ++c)
        {
            a[c] += p[c / 3] * q[c % 3];
        }
    }
    return rslQuatMatrix(rslFitRotation(a, m->model->plane == rsl_planeXY));
}

// The old shape, where a state is.
static void Carry(rslImplicit* m, const rslState* state)
{
    rslNodeVector after = rslDisplacements(state);
    if (m->moveds.count > 0)
    {
        rslUnknowns_Copy(&m->unknowns, &m->carried, &after);
    }
    for (int b = 0; b < m->model->bodyCount; ++b)
    {
        const rslBody* body = &m->model->bodies[b];
        Means means = FindMeans(m, body, &after);
        if (!rslIsFinite3(means.rest))
        {
            continue;  // rigid bodies have all of its mass
        }
        rslMat3 turn = FindTurn(m, body, &after, &means);
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            rslVec3 arm = rslSub(RestOf(m, i), means.rest);
            rslVec3 x = rslAdd(arm, rslSub(At(&m->u0, i), means.before));
            rslVec3 u = rslAdd(rslSub(rslMatVec(&turn, x), arm), means.after);
            m->carried.x[0][i] = u.x;
            m->carried.x[1][i] = u.y;
            m->carried.x[2][i] = u.z;
        }
    }
}

// What is to be least, at a place; INFINITY where elements would collapse on the way. led: to where contacts will end, and no less far.
static double Judge(rslImplicit* m, rslState* state, bool led)
{
    rslDynamics_Hold(m->kernel, state);
    bool free = led ? rslImplicit_IsFree(m, state) : rslImplicit_GoFree(m, state);
    if (!free || !(rslStatics_FirstTime(m->kernel, state, m->carried.x) > 1.0))
    {
        return INFINITY;
    }
    double sum = rslStatics_Potential(m->kernel, state) + rslImplicit_Inertia(m, state, &m->space.z);
    if (m->others)
    {
        rslImplicit_Residual(m, state);
        sum += 0.5 * m->powers.dissipated / m->stage.rate;
    }
    return sum;
}

// Where everything is already: frames go on, so nodes go back in them.
static void Stay(rslImplicit* m, const rslState* state)
{
    rslNodeVector at = rslDisplacements(state);
    for (int b = 0; b < m->model->bodyCount; ++b)
    {
        const rslBody* body = &m->model->bodies[b];
        rslMat3 turn = rslQuatMatrix(state->frames[b].rotation);
        rslVec3 way = rslScale(m->stage.lead, rslMatTVec(&turn, state->frames[b].velocity));
        const double back[3] = { way.x, way.y, way.z };
        for (int axis = 0; axis < 3; ++axis)
        {
            for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
            {
                at.x[axis][i] = m->u0.x[axis][i] - back[axis];
            }
        }
    }
}

// Where everything was when the stage began, as carried; follows: moved as a whole by the mean way of what holds each body.
static void Wait(rslImplicit* m, rslState* state, bool follows)
{
    rslNodeVector at = rslDisplacements(state);
    rslUnknowns_Copy(&m->unknowns, &at, &m->free);
    rslMoveds_Straighten(m, state);
    rslUnknowns_Copy(&m->unknowns, &m->carried, &at);
    rslDynamics_Hold(m->kernel, state);
    for (int b = 0; follows && b < m->model->bodyCount; ++b)
    {
        const rslBody* body = &m->model->bodies[b];
        int end = body->firstNode + body->nodeCount, held = 0;
        rslVec3 way = { 0.0, 0.0, 0.0 };
        for (int i = body->firstNode; i < end; ++i)
        {
            way = m->unknowns.axes[i] != 0 ? rslAdd(way, rslSub(At(&at, i), At(&m->carried, i))) : way;
            held += m->unknowns.axes[i] != 0 ? 1 : 0;
        }
        way = rslScale(held > 0 ? 1.0 / held : 0.0, way);
        for (int i = body->firstNode; i < end && rslModel_Rigid(m->model, b) == NULL; ++i)
        {
            m->carried.x[0][i] += way.x;
            m->carried.x[1][i] += way.y;
            m->carried.x[2][i] += way.z;
        }
    }
    rslUnknowns_Copy(&m->unknowns, &at, &m->carried);
}

static void PlaceRigids(rslImplicit* m, rslState* state, int way)
{
    if (way == 3)
    {
        rslMoveds_Stay(m, state);
    }
    else
    {
        rslMoveds_Go(m, state, way == 1 ? 0.0 : m->stage.fall);
    }
}

// Is a place where the stage ends? Then there is nothing to solve, and nothing else to look at.
static bool IsEnd(rslImplicit* m, rslState* state)
{
    if (!rslImplicit_GoFree(m, state) || !(rslStatics_FirstTime(m->kernel, state, m->carried.x) > 1.0))
    {
        return false;
    }
    double left = rslImplicit_Residual(m, state);
    double tolerance = state->guard.wary > 0 ? m->rough : m->tolerance;
    bool ends = isfinite(left) && rslImplicit_Ends(m, left, rslImplicit_Reference(m, state, left), tolerance);
    m->known = ends ? left : -1.0;
    return ends;
}

static bool IsInFlight(rslImplicit* m, rslState* state)
{
    rslNodeVector at = rslDisplacements(state);
    rslUnknowns_Copy(&m->unknowns, &at, &m->carried);
    PlaceRigids(m, state, 2);
    rslDynamics_Hold(m->kernel, state);
    return IsEnd(m, state);
}

static bool IsStill(rslImplicit* m, rslState* state)
{
    Stay(m, state);
    PlaceRigids(m, state, 3);
    rslDynamics_Hold(m->kernel, state);
    return IsEnd(m, state);
}

bool rslImplicit_Start(rslImplicit* m, rslState* state)
{
    const rslUnknowns* u = &m->unknowns;
    rslNodeVector at = rslDisplacements(state);
    double least = INFINITY;
    Fall(m, state);
    Carry(m, state);
    bool touches = rslImplicit_Touches(m);
    if (touches ? IsStill(m, state) : IsInFlight(m, state))
    {
        m->result.outcome = rsl_solveFound;
        return true;
    }
    Fall(m, state);
    // with no time to come back from a bad place, the last one is never worse than what there was; what lies on something hardly moves
    for (int way = 0; way < (m->effort.newton > 0 || (touches && m->enough > 0.0) ? 4 : 3); ++way)
    {
        if (way == 3)
        {
            Stay(m, state);
        }
        if (way == 1)
        {
            GoInert(m, state);
        }
        if (way == 2)
        {
            rslUnknowns_Copy(u, &at, &m->carried);
        }
        PlaceRigids(m, state, way);
        rslUnknowns_Copy(u, &m->start, &at);
        bool led = way < 3 && rslImplicit_LeadFlight(m, state);
        double sum = led ? Judge(m, state, true) : INFINITY;
        if (led && !(sum < INFINITY))
        {
            rslUnknowns_Copy(u, &at, &m->start);
            PlaceRigids(m, state, way);
        }
        sum = sum < INFINITY ? sum : Judge(m, state, false);
        if (sum < least)
        {
            least = sum;
            rslUnknowns_Copy(u, &m->best, &at);
        }
    }
    if (!(least < INFINITY) && rslImplicit_GoAlong(m, state))
    {
        least = Judge(m, state, false);
        rslUnknowns_Copy(u, &m->best, &at);
    }
    for (int way = 0; way < 2 && !(least < INFINITY); ++way)
    {
        Wait(m, state, way == 1);
        double sum = Judge(m, state, false);
        if (sum < least)
        {
            least = sum;
            rslUnknowns_Copy(u, &m->best, &at);
        }
    }
    rslUnknowns_Copy(u, &at, &m->best);
    m->result.outcome = least < INFINITY ? rsl_solveFound : rsl_solveCollapse;
    return least < INFINITY;
}

int rslImplicit_Parts(rslImplicit* m, rslState* state, int most)
{
    double length = 0.0;
    int level = rslMoveds_Parts(m, state, most);
    if (m->model->constraintCount == 0)
    {
        return level;
    }
    rslDynamics_Float(m->kernel, true);
    rslNodeVector at = rslDisplacements(state), w = rslVelocities(state), *z = &m->space.z;
    rslUnknowns_Copy(&m->unknowns, &m->u0, &at);
    rslUnknowns_Copy(&m->unknowns, &m->w0, &w);
    m->stage.lead = state->step;
    rslDynamics_SetTime(m->kernel, state->step);
    GoInert(m, state);
    rslUnknowns_Copy(&m->unknowns, &m->start, &at);
    rslDynamics_Hold(m->kernel, state);
    rslUnknowns_Copy(&m->unknowns, z, &at);
    rslUnknowns_Combine(&m->unknowns, z, 1.0, -1.0, &m->start);
    rslUnknowns_Largest(&m->unknowns, z, &length);
    rslUnknowns_Copy(&m->unknowns, &at, &m->u0);
    rslUnknowns_Copy(&m->unknowns, &w, &m->w0);
    rslDynamics_Forget(m->kernel);
    for (length = ldexp(length, -level); level < most && length > 0.5 * m->smallest; length *= 0.5)
    {
        ++level;
    }
    return level;
}
