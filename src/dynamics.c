// SPDX-License-Identifier: MIT
//
// dynamics.c: see dynamics.h. A kernel file, compiled in double precision only.

#include "dynamics.h"

#include "integrate.h"
#include "spread.h"
#include "term.h"

#include <string.h>

bool rslDynamics_Make(void* argument)
{
    Kernel* kernel = argument;
    size_t padded = (size_t)kernel->nodeCount + RSL_STATE_PADDING;
    for (int axis = 0; axis < 3; ++axis)
    {
        kernel->scaled[axis] = RSL_NAME(rslKernel_Allocate)(kernel, padded, sizeof(Real));
        if (kernel->scaled[axis] == NULL)
        {
            return false;
        }
    }
    return rslStatics_Make(kernel) && RSL_NAME(rslDispersion_MakeDifference)(kernel);
}

void rslDynamics_Freeze(void* argument, const rslState* state)
{
    Kernel* kernel = argument;
    kernel->frozen = false;
    RSL_NAME(rslVolume_Firm)(kernel, NULL, NULL);
    if (state != NULL)
    {
        View view = RSL_NAME(rslKernel_View)(kernel, state, kernel->lead);
        RSL_NAME(rslKernel_Prepare)(kernel, &view);
        kernel->frozen = true;
    }
}

void rslDynamics_Refreeze(void* argument, const rslState* state)
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, kernel->lead);
    kernel->frozen = false;
    RSL_NAME(rslKernel_Prepare)(kernel, &view);
    kernel->frozen = true;
}

int rslDynamics_HardVolumes(const void* kernel)
{
    return ((const Kernel*)kernel)->hardVolumes;
}

void rslDynamics_Firm(void* argument, const rslState* state, double (*blocks)[6])
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, kernel->lead);
    RSL_NAME(rslVolume_Firm)(kernel, &view, blocks);
}

double rslDynamics_Press(void* argument, const rslState* state)
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, kernel->lead);
    return RSL_NAME(rslVolume_Press)(kernel, &view);
}

void rslDynamics_SetTime(void* kernel, double lead)
{
    ((Kernel*)kernel)->lead = lead;
}

void rslDynamics_SetRate(void* kernel, double rate)
{
    ((Kernel*)kernel)->rate = rate;
}

// ---- forces ---------------------------------------------------------------------------------------------------------

static void CopyChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)view;
    double* const* out = context;
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(out[axis] + chunk->begin, kernel->force[axis] + chunk->begin,
               (size_t)(chunk->end - chunk->begin) * sizeof(Real));
    }
}

rslPowers rslDynamics_Forces(void* argument, const rslState* state, double* const out[3])
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, kernel->lead);
    RSL_NAME(rslKernel_Span)(kernel, state, 0, 2);
    Powers powers = RSL_NAME(rslKernel_Forces)(kernel, &view);
    double* arrays[3] = { out[0], out[1], out[2] };
    RSL_NAME(rslKernel_ForChunksLight)(kernel, &view, CopyChunk, arrays);
    return (rslPowers){ powers.loads, powers.motion, powers.drives, powers.dissipated };
}

static bool IsDead(const Term* term)
{
    return term == &RSL_NAME(rslLoadTerm);  // a potential of its own in statics.c
}

static void StillChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    Powers powers = { 0 };
    RSL_NAME(rslKernel_StartForce)(kernel, chunk);
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        if (((*term)->energy != NULL || IsDead(*term)) && (*term)->present(kernel))
        {
            (*term)->force(kernel, view, chunk, &powers);
        }
    }
    CopyChunk(kernel, view, chunk, context);
}

// Everything stands still, also the frames.
void rslDynamics_Still(void* argument, const rslState* state, double* const out[3])
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, kernel->lead);
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        kernel->frames[b].velocity = (rslVec3){ 0 };
        memset(kernel->frames[b].drift, 0, sizeof kernel->frames[b].drift);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        view.w[axis] = view.from[axis] = kernel->scaled[axis];
        memset(kernel->scaled[axis], 0, (size_t)kernel->nodeCount * sizeof(Real));
    }
    RSL_NAME(rslKernel_PrepareForces)(kernel, &view);
    double* arrays[3] = { out[0], out[1], out[2] };
    RSL_NAME(rslKernel_ForChunks)(kernel, &view, StillChunk, arrays);
}

bool rslDynamics_HasOthers(const void* argument)
{
    const Kernel* kernel = argument;
    bool any = kernel->massDamped;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        const BodyKernel* body = &kernel->bodies[b];
        const rslElements* elements = &kernel->model->bodies[b].elements;
        any = any || body->general || body->stiffnessDamping != (Real)0 || elements->damping != NULL;
    }
    for (int e = 0; e < kernel->entryCount; ++e)
    {
        any = any || kernel->entries[e].damping != (Real)0;
    }
    for (int l = 0; l < kernel->model->linkCount; ++l)
    {
        any = any || kernel->model->links[l].damping != 0.0;
    }
    return any;
}

bool rslDynamics_IsDragged(const void* argument)
{
    const Kernel* kernel = argument;
    bool others = kernel->massDamped || kernel->rigids != NULL;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        const rslBody* body = &kernel->model->bodies[b];
        others = others || kernel->bodies[b].general || body->kind != rsl_latticeBody || rslBody_Disperses(body);
    }
    return !others && kernel->entryCount == 0 && kernel->model->linkCount == 0;
}

typedef struct DampingContext
{
    Real* p[3];
    Real* out[3];
} DampingContext;

static void DampChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    DampingContext* c = context;
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(c->out[axis] + chunk->begin, 0, (size_t)(chunk->end - chunk->begin) * sizeof(Real));
    }
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        if ((*term)->damping != NULL && (*term)->present(kernel))
        {
            (*term)->damping(kernel, view, chunk, c->p, c->out);
        }
    }
}

void rslDynamics_Damping(void* argument, const rslState* state, double* const p[3], double* const out[3])
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, kernel->lead);
    DampingContext context = { { p[0], p[1], p[2] }, { out[0], out[1], out[2] } };
    RSL_NAME(rslKernel_PrepareProduct)(kernel, &view, true, context.p);
    RSL_NAME(rslKernel_ForChunks)(kernel, &view, DampChunk, &context);
}

rslVec3 rslDynamics_Gravity(const void* argument, int body)
{
    const Real* g = ((const Kernel*)argument)->frames[body].gravity;
    return (rslVec3){ g[0], g[1], g[2] };
}

const double* rslDynamics_Mass(const void* kernel)
{
    return ((const Kernel*)kernel)->mass;
}

// ---- held nodes and the end of a step -------------------------------------------------------------------------------

void rslDynamics_Hold(void* argument, rslState* state)
{
    Kernel* kernel = argument;
    if (kernel->model->constraintCount > 0 || kernel->rigids != NULL)
    {
        View view = RSL_NAME(rslKernel_View)(kernel, state, kernel->lead);
        RSL_NAME(rslKernel_Hold)(kernel, &view, rslState_Time(state) + kernel->lead, state->step);
    }
}

void rslDynamics_CountMotion(void* argument, const rslState* state, double time)
{
    Kernel* kernel = argument;
    RSL_NAME(rslKernel_CountMotion)(kernel, state, kernel->lead / state->step, time);
}

void rslDynamics_Forget(void* argument)
{
    Kernel* kernel = argument;
    kernel->motionWork = kernel->lead = kernel->rate = kernel->shift = 0.0;
    rslDynamics_Float(kernel, false);
    rslDynamics_Freeze(kernel, NULL);
}

void rslDynamics_Grade(void* kernel, rslState* state, int shift)
{
    RSL_NAME(rslKernel_Grade)(kernel, state, shift);
}

void rslDynamics_Advance(void* argument, rslState* state)
{
    Kernel* kernel = argument;
    kernel->lead = 0.0;
    RSL_NAME(rslAdvance)(kernel, state);
    RSL_NAME(rslKernel_Constrain)(kernel, state);
}
