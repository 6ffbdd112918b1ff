// SPDX-License-Identifier: MIT
//
// implicit.c: see implicit.h. The schemes, with h the step, f all forces over mass, gravity and dampers among them:
//
//   theta       u' = u + h ((1 - t) w + t w'),  w' = w + h ((1 - t) f(u, w) + t f(u', w')),  t in [1/2, 1]; 1: backward Euler
//               rate = 1 / (t h),  origin = u + (1 - t) h w,  w* = w + (1 - t) h f(u, w)
//   TR-BDF2     g = 2 - sqrt 2;  first theta = 1/2 over g h, to u1 and w1;  then
//               b1 = 1 / (g (2 - g)),  b0 = (1 - g)^2 b1,  c = h (1 - g) / (2 - g)
//               rate = 1 / c,  origin = b1 u1 - b0 u,  w* = b1 w1 - b0 w
//   (Bank and others 1985; Hosea and Shampine 1996). Second order, and modes that a step is too long for are gone after it.
//
// Over a step each of them is u' = u + h sum b_k w_k with the velocities of its stages, b = (1 - t, t) or
// (g b1 / 2, g b1 / 2, c / h). Work and what dampers take are summed up with the same weights: loads are then counted as force
// times way, whatever the step. What is missing in the end, the scheme has lost: numerical dissipation.

#include "implicit.h"

#include "choose_integrator.h"
#include "implicit_internal.h"
#include "spread.h"
#include "build.h"
#include "state_internal.h"

// ---- making ---------------------------------------------------------------------------------------------------------

static void Multiply(void* context, const rslNodeVector* p, const rslNodeVector* out)
{
    rslImplicit* m = context;
    rslMoveds_Spread(m, m->state, p);
    (m->near ? rslStatics_Near : rslStatics_Product)(m->kernel, m->state, p->x, out->x);
    rslStatics_Settle(m->kernel, true);
    rslMoveds_Product(m, m->state, p, out);
    rslUnknowns_Project(&m->unknowns, out);
}

static void Precondition(void* context, const rslNodeVector* r, const rslNodeVector* z)
{
    rslImplicit* m = context;
    rslPreconditioner_Apply(m->preconditioner, r, z);
    rslMoveds_Precondition(m, r, z);
}

static bool Mend(void* context)
{
    return rslPreconditioner_Mend(((rslImplicit*)context)->preconditioner);
}

static bool Stop(void* context)
{
    rslImplicit* m = context;
    return m->stop != NULL && m->stop(m->stopUser);
}

// z and q share one piece of memory with the diagonal blocks, as in static.c; but for entries after those of nodes.
static double (*MakeShared(rslImplicit* m))[6]
{
    size_t stride = (size_t)m->model->nodeCount + RSL_STATE_PADDING;
    double* memory = rslArena_Allocate(&m->arena, 6 * stride, sizeof(double));
    if (m->moveds.count > 0)
    {
        bool made = rslNodeVector_Make(&m->space.z, m->unknowns.entryCount, &m->arena) &&
                    rslNodeVector_Make(&m->space.q, m->unknowns.entryCount, &m->arena);
        return made ? (double(*)[6])memory : NULL;
    }
    for (size_t axis = 0; memory != NULL && axis < 3; ++axis)
    {
        m->space.z.x[axis] = memory + axis * stride;
        m->space.q.x[axis] = memory + (3 + axis) * stride;
    }
    return (double(*)[6])memory;
}

static bool Make(rslImplicit* m, rslIntegrator integrator, rslTeam* team)
{
    rslNodeVector* const vectors[] = { &m->space.r, &m->space.p,      &m->direction,  &m->start, &m->u0,  &m->w0,
                                       &m->carried, &m->stage.origin, &m->stage.goal, &m->best,  &m->free };
    bool made = rslUnknowns_Make(&m->unknowns, m->model, team, &m->arena) && rslMoveds_Make(m) && rslTurns_Make(m);
    double(*diagonal)[6] = made ? MakeShared(m) : NULL;
    if (made && rslDynamics_HardVolumes(m->kernel) > 0)
    {
        m->blocks = rslArena_Allocate(&m->arena, (size_t)m->model->nodeCount, sizeof(double[6]));
        made = m->blocks != NULL;
    }
    made = made && diagonal != NULL;
    for (size_t v = 0; made && v < sizeof vectors / sizeof vectors[0]; ++v)
    {
        made = rslNodeVector_Make(vectors[v], m->unknowns.entryCount, &m->arena);
    }
    m->system = (rslSystem){ &m->unknowns, Multiply, Precondition, m, Mend, Stop, 0.0, NULL };
    if (made && rslDynamics_Make(m->kernel) && rslImplicit_MakeContact(m, integrator, team) &&
        rslImplicit_MakeRebound(m, team))
    {
        m->preconditioner = rslPreconditioner_Create(m->model, &m->hooks, &m->unknowns, m->kernel, diagonal, m->direct);
    }
    bool touches = m->barrier == NULL && m->model->colliderCount > 0;  // by penalties, in the rows
    if (m->preconditioner != NULL && !touches && !rslPreconditioner_MakeRest(m->preconditioner))
    {
        rslPreconditioner_Free(m->preconditioner);
        m->preconditioner = NULL;
    }
    m->result.preconditioner = m->preconditioner != NULL ? rslPreconditioner_Name(m->preconditioner) : NULL;
    return m->preconditioner != NULL;
}

// What has no place in a minimum of an energy, and what to do about it; NULL: nothing.
const char* rslImplicit_Refusal(const rslModel* model)
{
    for (int c = 0; model->touch.scheme == rsl_penaltyScheme && c < model->colliderCount; ++c)
    {
        if (model->colliders[c].friction > 0.0)
        {
            return "friction of colliders with penalties acts in explicit steps only: use contact.scheme: auto, "
                   "integrator: position_verlet, or friction: 0";
        }
    }
    return NULL;
}

// Say what is not quite what it is in explicit steps.
static void Tell(const rslModel* model, rslPlace place, rslReport* report)
{
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        rslDispersionVariant variant = body->dispersion.variant;
        bool has = variant == rsl_energyDispersion || variant == rsl_cheapDispersion;
        if (rslBody_Disperses(body) && !has)
        {
            rslReport_Add(
                report, rsl_note, place,
                "the dispersion of body '%s' has no energy: what it differs by from the variant 'energy' is frozen "
                "over every implicit step, and of first order",
                body->name);
        }
        if (body->enclosed.method == rsl_explicitVolume)
        {
            rslReport_Add(
                report, rsl_note, place,
                "the explicit volume of body '%s' has no energy: what it is more than the mean of its springs is "
                "frozen over every implicit step, and of first order",
                body->name);
        }
    }
}

rslStatus rslImplicit_Create(const rslModel* model, const rslSolverDef* def, const rslHooks* hooks, rslTeam* team,
                             void* kernel, rslImplicit** out, rslReport* report)
{
    rslHooks complete = rslHooks_Complete(hooks);
    *out = NULL;
    const char* refusal = def->integrator != rsl_static ? rslImplicit_Refusal(model) : NULL;
    if (refusal != NULL)
    {
        rslReport_Add(report, rsl_error, def->place, "%s", refusal);
        return rsl_badInput;
    }
    rslImplicit* m = rslAllocate(&complete, 1, sizeof(rslImplicit));
    if (m == NULL)
    {
        return rsl_outOfMemory;
    }
    m->hooks = complete;
    m->arena = rslArena_Make(&complete);
    m->model = model;
    m->kernel = kernel;
    m->mass = rslDynamics_Mass(kernel);
    m->tolerance = isnan(def->tolerance) ? 1e-4 : def->tolerance;
    m->rough = isnan(def->tolerance) ? 1e-2 : def->tolerance;
    m->enough = def->integrator == rsl_static ? 0.0 : def->residual;
    m->theta = def->integrator == rsl_theta ? def->theta : 1.0;
    m->off = def->integrator == rsl_static ? 1e-14 : 1e-10;
    m->direct = def->solver == rsl_cgSolver ? NULL : def->direct;
    m->stop = def->stop;
    m->stopUser = def->stopUser;
    m->others = rslDynamics_HasOthers(kernel);
    m->dragged = rslDynamics_IsDragged(kernel);
    m->smallest = INFINITY;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        double spacing = model->bodies[b].spacing;
        m->smallest = spacing > 0.0 && spacing < m->smallest ? spacing : m->smallest;
    }
    if (!Make(m, def->integrator, team) || !rslImplicit_MakeImpact(m, def, report))
    {
        rslImplicit_Free(m);
        return rsl_outOfMemory;
    }
    if (def->integrator != rsl_static)
    {
        Tell(model, def->place, report);
    }
    *out = m;
    return rsl_ok;
}

void rslImplicit_Free(rslImplicit* m)
{
    if (m != NULL)
    {
        rslHooks hooks = m->hooks;
        rslPreconditioner_Free(m->preconditioner);
        rslBarrier_Free(m->barrier);
        rslRebound_Free(&m->rebound);
        rslArena_Free(&m->arena);
        rslRelease(&hooks, m);
    }
}

size_t rslImplicit_Bytes(const rslImplicit* m)
{
    return sizeof *m + rslArena_Bytes(&m->arena) + rslPreconditioner_Bytes(m->preconditioner) +
           (m->barrier != NULL ? rslBarrier_Bytes(m->barrier) : 0) + rslRebound_Bytes(&m->rebound);
}

rslSolve rslImplicit_Result(const rslImplicit* m)
{
    return m->result;
}

rslStatus rslImplicit_Status(const rslImplicit* m)
{
    return m->status;
}

// ---- stages ---------------------------------------------------------------------------------------------------------

// What the last forces did, for a time, goes to the account.
static void Count(rslImplicit* m, rslState* state, double time)
{
    rslAccount* account = &state->account;
    double loads = time * m->powers.loads, drives = time * m->powers.drives, motion = time * m->powers.motion;
    account->loads += loads;
    account->drives += drives;
    account->motion += motion;
    account->dissipated += time * m->powers.dissipated;
    account->input += (loads > 0.0 ? loads : 0.0) + (drives > 0.0 ? drives : 0.0) + (motion > 0.0 ? motion : 0.0);
    rslDynamics_CountMotion(m->kernel, state, time);
}

void rslImplicit_Begin(rslImplicit* m, rslState* state, double time)
{
    const rslUnknowns* u = &m->unknowns;
    rslNodeVector at = rslDisplacements(state), w = rslVelocities(state);
    rslUnknowns_Aim(&m->unknowns, state);
    rslDynamics_SetTime(m->kernel, 0.0);
    rslMoveds_Begin(m, state);
    rslDynamics_Freeze(m->kernel, state);
    rslUnknowns_Copy(u, &m->u0, &at);
    rslUnknowns_Copy(u, &m->w0, &w);
    rslDynamics_Touch(m->kernel, false);
    m->powers = rslDynamics_Forces(m->kernel, state, m->space.r.x);
    rslDynamics_Touch(m->kernel, true);
    rslMoveds_Load(m, state, &m->space.r);
    Count(m, state, time);
    rslUnknowns_Project(u, &m->space.r);
    m->reference = sqrt(rslUnknowns_Dot(u, &m->space.r, &m->space.r));
}

typedef struct GoalPass
{
    const rslImplicit* implicit;
    double along, explicit;  // goal = u0 + along w0 + explicit f / m
} GoalPass;

enum
{
    BLOCK = 4096,
    PRESSES = 8
};

static void GoalBlock(int item, void* context)
{
    const GoalPass* pass = context;
    const rslImplicit* m = pass->implicit;
    int begin = BLOCK * item, count = m->model->nodeCount, end = count - begin < BLOCK ? count : begin + BLOCK;
    for (int axis = 0; axis < 3; ++axis)
    {
        const double *u = m->u0.x[axis], *w = m->w0.x[axis], *f = m->space.r.x[axis];
        for (int i = begin; i < end; ++i)
        {
            double a = m->mass[i] > 0.0 ? f[i] / m->mass[i] : 0.0;  // rigid bodies have the mass of what they carry
            m->stage.goal.x[axis][i] = u[i] + pass->along * w[i] + pass->explicit * a;
        }
    }
}

// A theta scheme over a time, from forces in space.r.
void rslImplicit_AimTheta(rslImplicit* m, double time, double theta)
{
    const rslUnknowns* u = &m->unknowns;
    rslStage* stage = &m->stage;
    double before = (1.0 - theta) * time, after = theta * time;
    stage->begin = 0.0;
    stage->lead = stage->duration = stage->weight = time;
    stage->rate = 1.0 / after;
    rslUnknowns_Copy(u, &stage->origin, &m->u0);
    rslUnknowns_Combine(u, &stage->origin, 1.0, before, &m->w0);
    GoalPass pass = { m, time, after * before };
    rslTeam_Run(u->team, GoalBlock, (m->model->nodeCount + BLOCK - 1) / BLOCK, &pass);
    rslMoveds_AimTheta(m, time, theta);
    stage->base = &m->u0;
    stage->along = time;
    stage->fall = after * time;
}

// The second stage of TR-BDF2, from where the first one ended.
static void AimBdf2(rslImplicit* m, const rslState* state, double h, double g)
{
    const rslUnknowns* u = &m->unknowns;
    rslStage* stage = &m->stage;
    double b1 = 1.0 / (g * (2.0 - g)), b0 = (1.0 - g) * (1.0 - g) * b1, c = h * (1.0 - g) / (2.0 - g);
    rslNodeVector at = rslDisplacements(state), w = rslVelocities(state);
    rslDynamics_Freeze(m->kernel, state);
    stage->begin = g * h;
    stage->lead = h;
    stage->duration = stage->weight = c;
    stage->rate = 1.0 / c;
    rslUnknowns_Copy(u, &stage->origin, &at);
    rslUnknowns_Combine(u, &stage->origin, b1, -b0, &m->u0);
    rslUnknowns_Copy(u, &stage->goal, &stage->origin);
    rslUnknowns_Combine(u, &stage->goal, 1.0, c * b1, &w);
    rslUnknowns_Combine(u, &stage->goal, 1.0, -c * b0, &m->w0);
    rslMoveds_AimBdf2(m, (1.0 - g) * h, b0);
    stage->base = &stage->goal;
    stage->along = 0.0;
    stage->fall = c * c;
}

// The stage, with as much pressure as hard volumes need.
static bool SolveVolumes(rslImplicit* m, rslState* state)
{
    bool found = rslImplicit_Solve(m, state);
    m->known = -1.0;
    for (int i = 0; found && m->blocks != NULL && i < PRESSES && rslDynamics_Press(m->kernel, state) > m->off; ++i)
    {
        found = rslImplicit_Solve(m, state);
    }
    return found;
}

bool rslImplicit_SolveStage(rslImplicit* m, rslState* state)
{
    rslDynamics_SetTime(m->kernel, m->stage.lead);
    rslDynamics_SetRate(m->kernel, m->stage.rate);
    rslStatics_SetShift(m->kernel, m->stage.rate * m->stage.rate);
    m->begun = m->result.newtonSteps;
    m->known = -1.0;
    if (m->blocks != NULL)
    {
        rslStatics_Look(m->kernel, state);
        rslStatics_Diagonal(m->kernel, state, m->blocks);
        rslDynamics_Firm(m->kernel, state, m->blocks);
    }
    bool found = rslImplicit_BeginContact(m, state) && rslImplicit_Start(m, state) && SolveVolumes(m, state) &&
                 m->status == rsl_ok;
    found = rslImplicit_EndContact(m, state, found) && found;
    rslMoveds_End(m, state);
    rslDynamics_SetRate(m->kernel, 0.0);
    rslStatics_SetShift(m->kernel, 0.0);
    return found;
}

static bool StepTheta(rslImplicit* m, rslState* state, double theta)
{
    double h = state->step;
    rslImplicit_Begin(m, state, (1.0 - theta) * h);
    rslImplicit_AimTheta(m, h, theta);
    bool found = rslImplicit_SolveStage(m, state);
    if (found)
    {
        Count(m, state, theta * h);
    }
    return found;
}

static bool StepTrBdf2(rslImplicit* m, rslState* state)
{
    double h = state->step, g = 2.0 - sqrt(2.0), weight = 0.5 * h / (2.0 - g);
    m->effort.newton = m->effort.newton > 1 ? m->effort.newton / 2 : m->effort.newton;  // of each stage
    rslImplicit_Begin(m, state, weight);
    rslImplicit_AimTheta(m, g * h, 0.5);
    m->stage.weight = 2.0 * weight;
    if (!rslImplicit_SolveStage(m, state))
    {
        return false;
    }
    Count(m, state, weight);
    AimBdf2(m, state, h, g);
    bool found = rslImplicit_SolveStage(m, state);
    if (found)
    {
        Count(m, state, h * (1.0 - g) / (2.0 - g));
    }
    return found;
}

void rslImplicit_End(rslImplicit* m)
{
    rslDynamics_SetTime(m->kernel, 0.0);
    rslDynamics_Float(m->kernel, false);
    rslDynamics_Freeze(m->kernel, NULL);
}

bool rslImplicit_Step(rslImplicit* m, rslState* state, rslIntegrator scheme, bool goesOn)
{
    m->result.stopped = m->result.limited = false;
    m->goesOn = goesOn;
    m->bent = false;
    m->status = rsl_ok;
    bool found =
        scheme == rsl_trBdf2 ? StepTrBdf2(m, state) : StepTheta(m, state, scheme == rsl_theta ? m->theta : 1.0);
    rslImplicit_End(m);
    if (found)
    {
        rslMoveds_Land(m, state);
        rslDynamics_Advance(m->kernel, state);
    }
    return found;
}
