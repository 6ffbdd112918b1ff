// SPDX-License-Identifier: MIT
//
// static.c: see static.h. Newton's method on the potential W(u) of all terms that have one:
//
//   f = -dW/du on the free unknowns,  K = d2W/du2
//   K d = f to |f - K d| <= eta |f|,  eta = min(0.03, |f| / reference), not below a tenth of what the end asks for
//   u += a d,  a by a line search on W
//
// Where slender parts turn, a whole step stretches them: along a straight line, energy rises, although the next step takes
// the stretch out again. So a whole step may lead to more (a leap), if the steps after it lead below where it began; else it is
// taken back (Grippo, Lampariello and Lucidi 1986, the watchdog of Chamberlain and others 1982).
//
// The first step of an increment moves held nodes to their new place (static_held.c).
//
// |f| is measured against the norm of loads on free unknowns and reactions on held ones. Where nothing is applied (driven
// or preloaded springs), a thousandth of the first |f| stands in.
//
// Where K has a direction of negative curvature, the direction found before it and the direction itself, both downhill,
// are taken as long as each other. A shape that is at rest but has such a direction is about to buckle (static_buckle.c).

#include "implicit.h"
#include "leap.h"
#include "rigid.h"
#include "state_internal.h"
#include "static_buckle.h"
#include "static_held.h"
#include "static_internal.h"
#include "static_search.h"
#include "statics.h"
#include "touch_scheme.h"
#include "vec.h"

enum
{
    NEWTON_LIMIT = 200,
    LEAP_FAILURES = 2,
    FALLS = 16  // off equilibria that do not last, in one increment
};

static const double passing = 1e-4;  // tolerance of states that are only passed through

// ---- making ---------------------------------------------------------------------------------------------------------

void rslStatic_Multiply(void* context, const rslNodeVector* p, const rslNodeVector* out)
{
    rslStatic* rest = context;
    rslStatics_Product(rest->kernel, rest->state, p->x, out->x);
    rslUnknowns_Project(&rest->unknowns, out);
}

static void Precondition(void* context, const rslNodeVector* r, const rslNodeVector* z)
{
    rslStatic* rest = context;
    rslPreconditioner_Apply(rest->preconditioner, r, z);
}

static bool Mend(void* context)
{
    rslStatic* rest = context;
    return rslPreconditioner_Mend(rest->preconditioner);
}

// Once stopped, so is everything that follows until the next increment.
static bool Stop(void* context)
{
    rslStatic* rest = context;
    rest->stopped = rest->stopped || (rest->stop != NULL && rest->stop(rest->stopUser));
    return rest->stopped;
}

// See rslStatic_LookAgain. Nothing of z and q is needed before an iteration.
static bool Renew(void* context, int iterations)
{
    rslStatic* rest = context;
    if (!rest->age.kept || iterations < rest->age.limit)
    {
        return false;
    }
    int failures = rest->age.failures + 1;
    rest->age = (rslAge){ .failures = failures, .wait = failures };
    rest->system.stiffest = rslPreconditioner_Update(rest->preconditioner, rest->state, false);
    return true;
}

// z and q share one piece of memory: when K is looked at, it holds its diagonal blocks, and neither is in use.
static double (*MakeShared(rslStatic* rest))[6]
{
    size_t stride = (size_t)rest->model->nodeCount + RSL_STATE_PADDING;
    double* memory = rslArena_Allocate(&rest->arena, 6 * stride, sizeof(double));
    for (size_t axis = 0; memory != NULL && axis < 3; ++axis)
    {
        rest->space.z.x[axis] = memory + axis * stride;
        rest->space.q.x[axis] = memory + (3 + axis) * stride;
    }
    return (double(*)[6])memory;
}

static bool Make(rslStatic* rest, rslTeam* team)
{
    int count = rest->model->nodeCount;
    rslCgSpace* space = &rest->space;
    double(*diagonal)[6] = MakeShared(rest);
    bool made =
        diagonal != NULL && rslStatics_Make(rest->kernel) &&
        rslUnknowns_Make(&rest->unknowns, rest->model, team, &rest->arena) &&
        rslNodeVector_Make(&space->r, count, &rest->arena) && rslNodeVector_Make(&space->p, count, &rest->arena) &&
        rslNodeVector_Make(&rest->direction, count, &rest->arena) &&
        rslNodeVector_Make(&rest->start, count, &rest->arena) && rslNodeVector_Make(&rest->kept, count, &rest->arena);
    rest->system = (rslSystem){ &rest->unknowns, rslStatic_Multiply, Precondition, rest, Mend, Stop, 0.0, Renew };
    if (made)
    {
        rest->preconditioner = rslPreconditioner_CreateLean(rest->model, &rest->hooks, &rest->unknowns, rest->kernel,
                                                            diagonal, rest->direct);
    }
    return rest->preconditioner != NULL;
}

// Is all of it held? What is not may come to lie on something: then nodes alone are not enough to find out.
static rslStatus CheckHeld(const rslModel* model, const rslHooks* hooks, const rslSolverDef* def, bool* relaxes,
                           rslReport* report)
{
    rslReport own = { 0 };
    bool loose = false, meets = rslStatic_MayMeet(model);
    *relaxes = rslStatic_MustRelax(model) && meets;
    rslStatus status = *relaxes ? rsl_ok : rslRigid_Check(model, hooks, def->place, &loose, &own);
    bool lies = model->colliderCount > 0 || (meets && rslModel_BodiesTouch(model));
    *relaxes = *relaxes || (status == rsl_badInput && loose && lies);
    for (int i = 0; !*relaxes && i < own.count; ++i)
    {
        rslReport_Add(report, own.messages[i].severity, own.messages[i].place, "%s", own.messages[i].text);
    }
    return *relaxes ? rsl_ok : status;
}

rslStatus rslStatic_Create(const rslModel* model, const rslSolverDef* def, const rslHooks* hooks, rslTeam* team,
                           void* kernel, rslStatic** out, rslReport* report)
{
    rslHooks complete = rslHooks_Complete(hooks);
    *out = NULL;
    bool relaxes;
    rslStatus status = CheckHeld(model, &complete, def, &relaxes, report);
    rslStatic* rest = status == rsl_ok ? rslAllocate(&complete, 1, sizeof(rslStatic)) : NULL;
    if (rest == NULL)
    {
        return status == rsl_ok ? rsl_outOfMemory : status;
    }
    rest->hooks = complete;
    rest->arena = rslArena_Make(&complete);
    rest->model = model;
    rest->kernel = kernel;
    rest->tolerance = def->tolerance;
    rest->direct = def->solver == rsl_cgSolver ? NULL : def->direct;
    rest->stop = def->stop;
    rest->stopUser = def->stopUser;
    if (relaxes)
    {
        status = rslStatic_MakeRelaxed(rest, def, team, report);
    }
    else if (!Make(rest, team) || !rslStatic_MakeContact(rest, team))
    {
        status = rsl_outOfMemory;
    }
    if (status != rsl_ok)
    {
        rslStatic_Free(rest);
        return status;
    }
    *out = rest;
    return rsl_ok;
}

void rslStatic_Free(rslStatic* rest)
{
    if (rest != NULL)
    {
        rslHooks hooks = rest->hooks;
        rslStatic_FreeRelaxed(rest);
        rslPreconditioner_Free(rest->preconditioner);
        rslBarrier_Free(rest->barrier);
        rslArena_Free(&rest->arena);
        rslRelease(&hooks, rest);
    }
}

size_t rslStatic_Bytes(const rslStatic* rest)
{
    if (rest->relaxed != NULL)
    {
        return sizeof *rest + rslImplicit_Bytes(rest->relaxed) + 12 * sizeof(double) * (size_t)rest->model->nodeCount;
    }
    return sizeof *rest + rslArena_Bytes(&rest->arena) + rslPreconditioner_Bytes(rest->preconditioner) +
           (rest->barrier != NULL ? rslBarrier_Bytes(rest->barrier) : 0);
}

rslRest rslStatic_Result(const rslStatic* rest)
{
    return rest->result;
}

const char* rslStatic_Preconditioner(const rslStatic* rest)
{
    return rest->relaxed != NULL ? rslImplicit_Result(rest->relaxed).preconditioner
                                 : rslPreconditioner_Name(rest->preconditioner);
}

bool rslStatic_IsRelaxed(const rslStatic* rest)
{
    return rest->relaxed != NULL;
}

// ---- forces left over -----------------------------------------------------------------------------------------------

double rslStatic_Residual(rslStatic* rest, const rslState* state)
{
    const rslUnknowns* u = &rest->unknowns;
    rslNodeVector *r = &rest->space.r, *z = &rest->space.z;
    rslStatics_Loads(rest->kernel, state, z->x);
    rslUnknowns_Project(u, z);
    double loads = rslUnknowns_Dot(u, z, z);
    rslStatics_Forces(rest->kernel, state, r->x);
    double all = rslUnknowns_Dot(u, r, r);
    rslUnknowns_Project(u, r);
    double left = rslUnknowns_Dot(u, r, r), held = all - left;  // projectors are orthogonal
    rest->result.reference = sqrt(loads + (held > 0.0 ? held : 0.0));
    return sqrt(left);
}

void rslStatic_Look(rslStatic* rest, const rslState* state)
{
    rest->state = state;
    rest->age.kept = false;
    rest->age.reduction = 0.0;
    rslStatics_Look(rest->kernel, state);
    rest->system.stiffest = rslPreconditioner_Update(rest->preconditioner, state, false);
}

// From one Newton step to the next, K changes little, and to take it over costs as much as some iterations. So the approximate
// inverse stays as it is until a solve takes that much more than it would have taken at the state it is made of: there n iterations left q
// of the right side, so n m will leave q^m. Where that happens, bodies bend far, and it is not tried again so soon. What touches is too
// stiff, and changes too much, for any of it.
void rslStatic_LookAgain(rslStatic* rest, const rslState* state, double tolerance)
{
    enum
    {
        COST = 4,  // iterations that are as dear as to take over K
        MOST = 1000
    };
    rslAge* age = &rest->age;
    bool known = age->reduction > 0.0 && age->reduction < 1.0;
    if (rest->barrier != NULL || rest->direct != NULL || !known || age->wait > 0)
    {
        age->wait -= age->wait > 0;
        rslStatic_Look(rest, state);
        return;
    }
    rest->state = state;
    rslStatics_Look(rest->kernel, state);
    age->kept = true;
    age->limit = age->iterations + COST;
    for (double left = age->reduction; left > tolerance && age->limit < MOST; left *= age->reduction)
    {
        age->limit += age->iterations;
    }
}

rslCgResult rslStatic_Gradients(rslStatic* rest, double tolerance, int limit)
{
    rslCgResult found = rslCg_Solve(&rest->system, &rest->space, &rest->direction, tolerance, limit);
    if (!rest->age.kept && !(rest->age.reduction > 0.0) && !found.curved && found.iterations > 0)
    {
        rest->age.iterations = found.iterations;
        rest->age.reduction = found.residual;
    }
    return found;
}

// Solve for the right side in r. The direction leads downhill, whatever K is.
static void Solve(rslStatic* rest, double tolerance)
{
    const rslUnknowns* u = &rest->unknowns;
    rslCgResult found = rslStatic_Gradients(rest, tolerance, RSL_CG_LIMIT);
    rest->result.iterations += found.iterations;
    if (found.curved)
    {
        double d = rslUnknowns_Dot(u, &rest->direction, &rest->direction);
        double p = rslUnknowns_Dot(u, &rest->space.p, &rest->space.p);
        double scale = d > 0.0 && p > 0.0 ? sqrt(d / p) : 1.0;
        rslUnknowns_Combine(u, &rest->direction, 1.0, scale, &rest->space.p);
        rest->result.curved += 1;
    }
}

// ---- an increment ---------------------------------------------------------------------------------------------------

static rslStatus End(rslStatic* rest, rslRestOutcome outcome)
{
    rest->result.outcome = outcome;
    return outcome == rsl_restFound ? rsl_ok : outcome == rsl_restStopped ? rsl_stopped : rsl_notConverged;
}

static void TakeBack(const rslStatic* rest, rslState* state, rslLeap* leap)
{
    rslNodeVector at = rslStateField(state);
    rslLeap_TakeBack(leap, &rest->unknowns, &at, &rest->kept);
}

// After a step.
static void Judge(rslStatic* rest, rslState* state, const rslSearch* search, double slope, bool curved, rslLeap* leap)
{
    leap->grounded = false;
    if (search->leapt)
    {
        rslUnknowns_Copy(&rest->unknowns, &rest->kept, &rest->start);
        rslLeap_Begin(leap, search->after, search->before - 1e-4 * slope);
    }
    else if (rslLeap_Fails(leap, search->after, curved))
    {
        TakeBack(rest, state, leap);
    }
}

// The forces that are left over, and what they are measured against.
static double Measure(rslStatic* rest, const rslState* state, double* first)
{
    rslRest* result = &rest->result;
    double left = rslStatic_Residual(rest, state), length;
    *first = *first < 0.0 ? left : *first;
    double reference = result->reference > 1e-3 * *first ? result->reference : 1e-3 * *first;
    result->residual = left > 0.0 ? left / reference : left;
    result->worstNode = rslUnknowns_Largest(&rest->unknowns, &rest->space.r, &length);
    return left;
}

// Newton's direction from the forces in r, which are kept in start. Returns the slope along it.
static double FindDirection(rslStatic* rest, const rslState* state, double tolerance)
{
    rslRest* result = &rest->result;
    double enough = 0.1 * tolerance / result->residual, eta = result->residual < 0.03 ? result->residual : 0.03;
    double length;
    eta = eta > enough ? eta : enough;
    rslStatic_LookAgain(rest, state, eta);
    rslUnknowns_Copy(&rest->unknowns, &rest->start, &rest->space.r);
    Solve(rest, eta);
    result->node = rslUnknowns_Largest(&rest->unknowns, &rest->direction, &length);
    result->newtonSteps += 1;
    return rslUnknowns_Dot(&rest->unknowns, &rest->start, &rest->direction);
}

// Where elements keep steps short, no step is long enough to tell that the energy falls without end (static_search.c). Where the
// body has gone tells.
static bool HasLeft(const rslStatic* rest, const rslState* state)
{
    rslNodeVector at = rslStateField(state), z = rest->space.z;
    double length;
    rslUnknowns_Copy(&rest->unknowns, &z, &at);
    rslUnknowns_Combine(&rest->unknowns, &z, 1.0, -1.0, &rest->kept);
    rslUnknowns_Largest(&rest->unknowns, &z, &length);
    return length > 100.0 * rslStatics_Extent(rest->kernel) + 10.0 * rest->way;
}

rslStatus rslStatic_Iterate(rslStatic* rest, rslState* state, double tolerance, bool probe)
{
    rslRest* result = &rest->result;
    rslSearch search = { .unknowns = &rest->unknowns, .kernel = rest->kernel, .state = state };
    search.rest = rest;
    search.direction = &rest->direction;
    search.start = &rest->start;
    search.scratch = &rest->space.z;
    rslLeap leap = { 0 };
    double first = -1.0;
    int last = result->newtonSteps + NEWTON_LIMIT, falls = 0;
    for (;;)
    {
        double left = Measure(rest, state, &first);
        bool found = result->residual <= tolerance;
        if (leap.left > 0 && (found || !isfinite(left)))
        {
            TakeBack(rest, state, &leap);  // another rest, with more energy than there was
            continue;
        }
        if (!isfinite(left))
        {
            return End(rest, rsl_restNotFinite);
        }
        if (found)
        {
            bool unstable = probe && rslStatic_IsUnstable(rest, state);
            if (unstable && !rest->stopped && falls < FALLS && rslStatic_Fall(rest, &search))
            {
                falls += 1;
                continue;
            }
            return End(rest, rest->stopped ? rsl_restStopped : unstable ? rsl_restUnstable : rsl_restFound);
        }
        if (result->newtonSteps == last)
        {
            return End(rest, rsl_restNoEnd);
        }
        int before = result->curved;
        double slope = FindDirection(rest, state, tolerance);
        bool curved = before != result->curved;
        if (Stop(rest))
        {
            return End(rest, rsl_restStopped);
        }
        search.mayLeap = rslLeap_May(&leap, LEAP_FAILURES) && !curved;
        bool went = rslSearch_Run(&search, slope);
        rest->limited = rest->limited || search.limited;
        rest->blocked = rest->blocked || search.blocked;
        if (went && rest->limited && HasLeft(rest, state))
        {
            return End(rest, rsl_restEndless);
        }
        if (went)
        {
            Judge(rest, state, &search, slope, curved, &leap);
        }
        else if (leap.left > 0)
        {
            TakeBack(rest, state, &leap);
        }
        else
        {
            return End(rest, search.endless ? rsl_restEndless : rsl_restNoDescent);
        }
    }
}

static rslStatus Advance(rslStatic* rest, rslState* state, const rslIncrement* how)
{
    rslRest result = { .preconditioner = rslPreconditioner_Name(rest->preconditioner) };
    result.newtonSteps = how->again ? rest->result.newtonSteps : 0;
    result.iterations = how->again ? rest->result.iterations : 0;
    rest->result = result;
    rest->stopped = rest->limited = rest->blocked = false;
    rest->age = (rslAge){ 0 };
    state->stepCount += 1;
    rslUnknowns_Aim(&rest->unknowns, state);
    bool moved = rslStatic_MoveHeld(rest, state, how->inParts || rest->barrier != NULL);
    if (!moved)
    {
        return End(rest, rest->stopped ? rsl_restStopped : rest->blocked ? rsl_restBlocked : rsl_restCollapse);
    }
    double tolerance = how->last || rest->tolerance > passing ? rest->tolerance : passing;
    return rslStatic_Iterate(rest, state, tolerance, how->last);
}

rslStatus rslStatic_Step(rslStatic* rest, rslState* state, const rslIncrement* how)
{
    if (rest->relaxed != NULL)
    {
        return rslStatic_Relax(rest, state, how);
    }
    rslStatic_BeginContact(rest, state);
    rslStatus status = Advance(rest, state, how);
    return rslStatic_EndContact(rest, state, status == rsl_ok) ? status : rsl_outOfMemory;
}

double rslStatic_Way(const rslStatic* rest)
{
    return rest->way;
}

bool rslStatic_WasLimited(const rslStatic* rest)
{
    return rest->limited || rest->blocked;
}

void rslStatic_Aim(rslStatic* rest, const rslState* state)
{
    rslUnknowns_Aim(&rest->unknowns, state);
    rslStatic_Look(rest, state);
}

rslLinear rslStatic_Respond(rslStatic* rest, double* const loads[3], double* const motion[3], double* const forces[3],
                            double tolerance)
{
    const rslUnknowns* u = &rest->unknowns;
    rslNodeVector *r = &rest->space.r, *free = &rest->start, all = { { motion[0], motion[1], motion[2] } };
    rslUnknowns_Copy(u, free, &all);
    rslUnknowns_Project(u, free);
    rslUnknowns_Combine(u, &all, 1.0, -1.0, free);  // the held part
    rslStatic_Multiply(rest, &all, r);
    if (loads != NULL)
    {
        rslUnknowns_Copy(u, free, &(rslNodeVector){ { loads[0], loads[1], loads[2] } });
        rslUnknowns_Project(u, free);
        rslUnknowns_Combine(u, r, 1.0, -1.0, free);
    }
    rslUnknowns_Combine(u, r, -1.0, 0.0, r);
    rslCgResult found = rslCg_Solve(&rest->system, &rest->space, &rest->direction, tolerance, RSL_CG_LIMIT);
    rslUnknowns_Combine(u, &all, 1.0, 1.0, &rest->direction);
    rslStatics_Product(rest->kernel, rest->state, motion, forces);
    return (rslLinear){ found.iterations, found.residual, !found.curved && found.residual <= tolerance };
}

rslStatus rslStatic_Linear(rslStatic* rest, const rslState* state, double tolerance, double* motion,
                           rslLinearSolve* result)
{
    rest->stopped = false;
    rslUnknowns_Aim(&rest->unknowns, state);
    rslStatic_Residual(rest, state);
    rslStatic_Look(rest, state);
    rslCgResult found = rslCg_Solve(&rest->system, &rest->space, &rest->direction, tolerance, RSL_CG_LIMIT);
    *result = (rslLinearSolve){ found.iterations, found.residual };
    for (int i = 0; motion != NULL && i < 3 * rest->model->nodeCount; ++i)
    {
        motion[i] = rest->direction.x[i % 3][i / 3];
    }
    return found.curved || !(found.residual <= tolerance) ? rsl_notConverged : rsl_ok;
}

int rslStatic_SolveLinear(rslStatic* rest, const rslState* state, double tolerance)
{
    rslLinearSolve result;
    return rslStatic_Linear(rest, state, tolerance, NULL, &result) == rsl_ok ? result.iterations : -1;
}
