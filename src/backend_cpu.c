// SPDX-License-Identifier: MIT
//
// backend_cpu.c: the plain CPU backend, once a precision.

#include "backend.h"
#include "energy.h"
#include "guard.h"
#include "integrate.h"
#include "kernel_rigid.h"
#include "kernel_touch.h"
#include "lattice_sweep.h"
#include "network_slices.h"
#include "rebase.h"
#include "term.h"
#include "touch_scheme.h"

#include <string.h>

// What is only for whole steps of lattices.
static bool MakeFlight(Kernel* kernel, rslIntegrator integrator)
{
    bool flies = kernel->touch != NULL && integrator == rsl_positionVerlet && RSL_NAME(rslSweep_KnowsAll)(kernel);
    return !flies || RSL_NAME(rslTouch_MakeFlight)(kernel);
}

static void* Create(const rslModel* model, rslIntegrator integrator, const rslHooks* hooks, rslTeam* team)
{
    bool impulses = rslTouchScheme_IsImpulse(rslModel_TouchScheme(model, integrator));
    Kernel* kernel = RSL_NAME(rslKernel_Create)(model, impulses, hooks, team);
    if (kernel != NULL && kernel->rigids != NULL)
    {
        kernel->rigids->atRest = integrator == rsl_static;
    }
    bool whole = integrator == rsl_positionVerlet || integrator == rsl_symplecticEuler;  // one kick a step
    bool made = kernel != NULL && (!whole || RSL_NAME(rslDrag_Make)(kernel)) &&
                (integrator != rsl_positionVerlet || RSL_NAME(rslSlices_MakeSteps)(kernel)) &&
                MakeFlight(kernel, integrator);
    if (kernel != NULL && !made)
    {
        RSL_NAME(rslKernel_Free)(kernel);
        return NULL;
    }
    for (int axis = 0; kernel != NULL && integrator == rsl_velocityVerlet && axis < 3; ++axis)
    {
        kernel->kept[axis] = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->nodeCount, sizeof(Real));
        if (kernel->kept[axis] == NULL)
        {
            RSL_NAME(rslKernel_Free)(kernel);
            return NULL;
        }
    }
    if (kernel != NULL && !RSL_NAME(rslForces_AreKept)(kernel, integrator))
    {
        RSL_NAME(rslForces_Drop)(kernel);
    }
    return kernel;
}

static void Destroy(void* kernel)
{
    RSL_NAME(rslKernel_Free)(kernel);
}

static size_t Bytes(const void* kernel)
{
    return rslArena_Bytes(&((const Kernel*)kernel)->arena) + sizeof(Kernel) + RSL_NAME(rslTouch_Bytes)(kernel) +
           RSL_NAME(rslForces_Bytes)(kernel);
}

static bool SetForces(void* kernel, const double* forces)
{
    ((Kernel*)kernel)->hostForces = forces;
    return forces == NULL || RSL_NAME(rslForces_Make)(kernel);
}

// ---- the step -------------------------------------------------------------------------------------------------------

static void CountWork(rslAccount* account, const Powers* powers, double step)
{
    double loads = step * powers->loads, drives = step * powers->drives, motion = step * powers->motion;
    account->loads += loads;
    account->drives += drives;
    account->motion += motion;
    account->dissipated += step * powers->dissipated;
    account->input += (loads > 0.0 ? loads : 0.0) + (drives > 0.0 ? drives : 0.0) + (motion > 0.0 ? motion : 0.0);
}

static bool Guards(const void* kernel)
{
    return Divides(kernel);
}

static void SetStable(void* kernel, double step, bool rebound)
{
    RSL_NAME(rslTouch_SetStable)(kernel, step, rebound);
    RSL_NAME(rslGuard_SetStable)(kernel, step);
}

static void Begin(void* argument, bool careful, bool same, int64_t steps)
{
    Kernel* kernel = argument;
    GuardKick(kernel);  // or so it may be
    RSL_NAME(rslGuard_Begin)(kernel, careful, same);
    if (kernel->touch != NULL)
    {
        kernel->touch->divided = 0;
        RSL_NAME(rslTouch_Begin)(kernel, careful, same, steps);
    }
}

static void TakeBack(void* argument)
{
    Kernel* kernel = argument;
    GuardKick(kernel);
    if (kernel->guard != NULL)
    {
        RSL_NAME(rslGuard_TakeBack)(kernel);
    }
    if (kernel->touch != NULL)
    {
        RSL_NAME(rslTouch_Forget)(kernel);
    }
    kernel->motionWork = 0.0;
}

static bool Stands(void* kernel, const rslState* state)
{
    if (((const Kernel*)kernel)->guard == NULL)
    {
        return true;
    }
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    return RSL_NAME(rslGuard_Stands)(kernel, &view);
}

static rslFlights Flights(const void* argument)
{
    const Kernel* kernel = argument;
    return kernel->touch != NULL ? kernel->touch->flight.count : (rslFlights){ 0 };
}

static bool Starved(void* argument)
{
    Kernel* kernel = argument;
    bool starved = kernel->starved || (kernel->touch != NULL && kernel->touch->outOfMemory);
    kernel->starved = false;
    if (kernel->touch != NULL)
    {
        kernel->touch->outOfMemory = false;
    }
    return starved;
}

static rslDanger Danger(const void* argument)
{
    const Kernel* kernel = argument;
    const GuardKernel* guard = kernel->guard;
    rslDanger danger = { .smallest = 1.0, .body = -1, .element = -1, .ratio = 1.0 };
    if (kernel->touch != NULL)
    {
        danger.touching = kernel->touch->asks;
        danger.goesOn = kernel->touch->goesOn;
        danger.swings = kernel->touch->swings;
    }
    if (guard == NULL)
    {
        return danger;
    }
    bool pressed = guard->failed && guard->body < 0 && guard->pressed >= 0;
    danger.tested = guard->tested;
    danger.smallest = guard->smallest;
    danger.body = pressed ? guard->pressed : guard->body;
    danger.element = pressed ? guard->pressedElement : guard->element;
    danger.ratio = guard->ratio;
    danger.damped = danger.body >= 0 && guard->damped[danger.body];
    return danger;
}

static void Grade(void* argument, rslState* state, int shift)
{
    Kernel* kernel = argument;
    if (kernel->guard != NULL)
    {
        kernel->guard->failed = false;  // no step is tried: a barrier too hard for the last one says nothing here
    }
    if (kernel->touch != NULL)
    {
        kernel->touch->divided += shift;
        rslRespond_Rescale(kernel->touch->respond, state,
                           shift > 0 ? 1.0 / (double)(1 << shift) : (double)(1 << -shift));
    }
    RSL_NAME(rslKernel_Grade)(kernel, state, shift);
}

static bool IsNear(const Kernel* kernel)
{
    bool near = false;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        near = near || kernel->repulsion->chunks[c].nearCount > 0;
    }
    return near;
}

// The check of a drift that no forces follow. The drift of symplectic Euler is the last of its step: forces that are too hard for the
// kick that comes next have to be found now, while the way to them can be taken back.
static bool Arrive(Kernel* kernel, rslState* state, rslIntegrator which)
{
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    bool passes = RSL_NAME(rslGuard_Passes)(kernel, &view);
    if (passes && which == rsl_symplecticEuler && IsNear(kernel))
    {
        view.kick = state->step;
        RSL_NAME(rslKernel_Span)(kernel, state, 0, 0);
        (void)RSL_NAME(rslKernel_Forces)(kernel, &view);
        passes = !kernel->guard->failed;
    }
    if (passes && kernel->guard->smallest < state->guard.smallest)
    {
        state->guard.smallest = kernel->guard->smallest;
    }
    return passes;
}

static bool Step(void* argument, rslState* state, rslIntegrator which)
{
    Kernel* kernel = argument;
    static Integrator* const integrators[rsl_integratorCount] = {
        [rsl_forwardEuler] = RSL_NAME(rslForwardEuler),
        [rsl_symplecticEuler] = RSL_NAME(rslSymplecticEuler),
        [rsl_positionVerlet] = RSL_NAME(rslPositionVerlet),
        [rsl_velocityVerlet] = RSL_NAME(rslVelocityVerlet),
    };
    RSL_ASSERT(integrators[which] != NULL);  // rest is static.c's
    if (!RSL_NAME(rslForces_Make)(kernel))
    {
        kernel->starved = true;
        return true;
    }
    bool carries = state->carried[0] != NULL;
    if (kernel->touch != NULL)
    {
        kernel->touch->asks = kernel->touch->goesOn = 0.0;
        kernel->touch->swings = kernel->touch->strayed = false;
    }
    RSL_NAME(rslGuard_Start)(kernel, state->step);
    if (carries)
    {
        RSL_NAME(rslDispersion_Lend)(kernel, state);
    }
    Powers powers = integrators[which](kernel, state);
    if (carries)
    {
        RSL_NAME(rslDispersion_Carry)(kernel, state);
    }
    CountWork(&state->account, &powers, state->step);
    bool brief = kernel->touch == NULL || !(kernel->touch->asks > 0.0 || kernel->touch->strayed);
    return brief && (kernel->guard == NULL || Arrive(kernel, state, which));
}

static rslTaken Steps(void* argument, rslState* state, rslIntegrator which, int64_t count)
{
    Kernel* kernel = argument;
    if (which != rsl_positionVerlet)
    {
        return rsl_noneTaken;
    }
    rslTaken taken = RSL_NAME(rslSweep_Steps)(kernel, state, count);
    if (taken == rsl_noneTaken)
    {
        return RSL_NAME(rslSlices_Steps)(kernel, state, count) ? rsl_taken : rsl_noneTaken;
    }
    bool arrives = taken == rsl_taken && (kernel->guard == NULL || Arrive(kernel, state, which));
    return arrives ? rsl_taken : rsl_ledTooFar;
}

static void RebaseState(void* kernel, rslState* state)
{
    bool moved = RSL_NAME(rslKernel_Rebase)(kernel, state);
    if (moved)
    {
        GuardKick(kernel);
    }
    RSL_NAME(rslGuard_Follow)(kernel, moved);
}

static void Follow(void* kernel, rslState* state, rslState* copy)
{
    RSL_ASSERT(((const Kernel*)kernel)->guard == NULL);
    (void)RSL_NAME(rslRebase_Follow)(kernel, state, copy);
    GuardKick(kernel);
}

static void Copy(void* kernel, rslState* to, const rslState* from)
{
    RSL_NAME(rslRebase_Copy)(kernel, from, to);
}

static void HoldState(void* kernel, rslState* state)
{
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    RSL_NAME(rslKernel_Hold)(kernel, &view, rslState_Time(state), state->step);
    ((Kernel*)kernel)->motionWork = 0.0;
    RSL_NAME(rslRigids_Settle)(kernel, &view);
}

// ---- read-outs ------------------------------------------------------------------------------------------------------

static rslEnergy Energy(void* kernel, const rslState* state)
{
    return RSL_NAME(rslKernel_Energy)(kernel, state);
}

static rslEnergy Weigh(void* kernel, const rslState* state)
{
    return RSL_NAME(rslKernel_Weigh)(kernel, state);
}

static void Forces(void* argument, const rslState* state, double* world)
{
    Kernel* kernel = argument;
    if (!RSL_NAME(rslForces_Make)(kernel))
    {
        for (size_t i = 0; i < 3 * (size_t)kernel->nodeCount; ++i)
        {
            world[i] = NAN;
        }
        return;
    }
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    RSL_NAME(rslDispersion_Lend)(kernel, state);
    RSL_NAME(rslKernel_Forces)(kernel, &view);
    RSL_NAME(rslDispersion_Lend)(kernel, NULL);
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        const Chunk* chunk = &kernel->chunks[c];
        for (int i = chunk->begin; i < chunk->end; ++i)
        {
            rslVec3 f = VectorAt(kernel->force, i);
            f = rslMatVec(&kernel->frames[chunk->body].rotation, f);
            double* out = &world[3 * (size_t)i];
            out[0] = f.x;
            out[1] = f.y;
            out[2] = f.z;
        }
    }
}

static bool Collapsed(void* kernel, const rslState* state, rslCollapse* collapse)
{
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    return RSL_NAME(rslVolume_Collapse)(kernel, &view, collapse);
}

static void Reactions(void* argument, const rslState* state, rslWrench* joints, rslWrench* bodies)
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    RSL_NAME(rslDispersion_Lend)(kernel, state);
    RSL_NAME(rslKernel_Forces)(kernel, &view);
    RSL_NAME(rslDispersion_Lend)(kernel, NULL);
    RSL_NAME(rslRigids_Reactions)(kernel, &view, joints, bodies);
}

// ---- matrices -------------------------------------------------------------------------------------------------------

typedef struct ProductContext
{
    rslProduct which;
    Real* p[3];
    Real* out[3];
} ProductContext;

static void ProductOfChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    ProductContext* c = context;
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(c->out[axis] + chunk->begin, 0, (size_t)(chunk->end - chunk->begin) * sizeof(Real));
    }
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        bool stiffness = c->which == rsl_stiffnessProduct;
        if ((stiffness ? (*term)->stiffness : (*term)->damping) != NULL && (*term)->present(kernel))
        {
            (stiffness ? (*term)->stiffness : (*term)->damping)(kernel, view, chunk, c->p, c->out);
        }
    }
    if (kernel->model->plane == rsl_planeXY)
    {
        memset(c->out[2] + chunk->begin, 0, (size_t)(chunk->end - chunk->begin) * sizeof(Real));
    }
}

static bool Product(void* argument, const rslState* state, rslProduct which, double* const p[3], double* const out[3])
{
    Kernel* kernel = argument;
    size_t count = (size_t)kernel->nodeCount, padded = count + RSL_STATE_PADDING;
    if (kernel->products == NULL)
    {
        kernel->products = RSL_NAME(rslKernel_Allocate)(kernel, 6 * padded, sizeof(Real));
    }
    if (kernel->products == NULL)
    {
        return false;
    }
    ProductContext context = { .which = which };
    for (size_t axis = 0; axis < 3; ++axis)
    {
        context.p[axis] = kernel->products + axis * padded;
        context.out[axis] = kernel->products + (3 + axis) * padded;
        for (size_t i = 0; i < count; ++i)
        {
            context.p[axis][i] = (Real)p[axis][i];
        }
    }
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    RSL_NAME(rslKernel_Prepare)(kernel, &view);
    RSL_NAME(rslKernel_PrepareProduct)(kernel, &view, which == rsl_dampingProduct, context.p);
    RSL_NAME(rslKernel_ForChunks)(kernel, &view, ProductOfChunk, &context);
    for (size_t axis = 0; axis < 3; ++axis)
    {
        for (size_t i = 0; i < count; ++i)
        {
            out[axis][i] = (double)context.out[axis][i];
        }
    }
    return true;
}

static void DiagonalOfChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    Block* blocks = (Block*)context + chunk->begin;
    memset(blocks, 0, (size_t)(chunk->end - chunk->begin) * sizeof(Block));
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        if ((*term)->diagonal != NULL && (*term)->present(kernel))
        {
            (*term)->diagonal(kernel, view, chunk, blocks);
        }
    }
    for (int i = chunk->begin; kernel->shift != 0.0 && i < chunk->end; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            blocks[i - chunk->begin][axis] += kernel->shift * (double)kernel->mass[i];
        }
    }
}

static void Diagonal(void* argument, const rslState* state, double (*blocks)[6])
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, kernel->lead);
    RSL_NAME(rslKernel_Prepare)(kernel, &view);
    RSL_NAME(rslKernel_ForChunks)(kernel, &view, DiagonalOfChunk, blocks);
}

const rslBackend RSL_NAME(rslBackend) = {
    .name = RSL_PRECISION == 32 ? "cpu, single" : "cpu, double",
    .create = Create,
    .destroy = Destroy,
    .bytes = Bytes,
    .setForces = SetForces,
    .step = Step,
    .steps = Steps,
    .guards = Guards,
    .begin = Begin,
    .takeBack = TakeBack,
    .stands = Stands,
    .danger = Danger,
    .flights = Flights,
    .starved = Starved,
    .grade = Grade,
    .setStable = SetStable,
    .rebase = RebaseState,
    .follow = Follow,
    .copy = Copy,
    .hold = HoldState,
    .energy = Energy,
    .weigh = Weigh,
    .forces = Forces,
    .reactions = Reactions,
    .collapsed = Collapsed,
    .bonds = RSL_NAME(rslKernel_WalkBonds),
    .elements = RSL_NAME(rslKernel_WalkElements),
    .product = Product,
    .diagonal = Diagonal,
};
