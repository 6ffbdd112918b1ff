// SPDX-License-Identifier: MIT
//
// statics.c: see statics.h. A kernel file, compiled in double precision only: rest is a matter of small differences.
//
// Dead loads (gravity, forces on nodes) have the potential -f.u, taken with the displacement rather than the position: the
// numbers stay small, and so does their rounding. Dampers say nothing, since nothing moves.

#include "statics.h"

#include "backend.h"
#include "element_group.h"
#include "guard.h"
#include "repulsion_matrix.h"
#include "term.h"

#include <string.h>

static bool IsDead(const Term* term)
{
    return term == &RSL_NAME(rslGravityTerm) || term == &RSL_NAME(rslLoadTerm);
}

static void ClearForce(Kernel* kernel, const Chunk* chunk)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(kernel->force[axis] + chunk->begin, 0, (size_t)(chunk->end - chunk->begin) * sizeof(Real));
    }
}

static void PotentialOfChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    Powers powers = { 0 };
    double sum = 0.0;
    ClearForce(kernel, chunk);
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        if (!(*term)->present(kernel))
        {
            continue;
        }
        if (IsDead(*term))
        {
            (*term)->force(kernel, view, chunk, &powers);
        }
        else if ((*term)->energy != NULL)
        {
            sum += (*term)->energy(kernel, view, chunk);
        }
    }
    for (int axis = 0; axis < (kernel->model->plane == rsl_planeXY ? 2 : 3); ++axis)
    {
        for (int i = chunk->begin; i < chunk->end; ++i)
        {
            sum -= kernel->force[axis][i] * view->u[axis][i];
        }
    }
    kernel->sums[RSL_SUMS * chunk->index] = sum;
}

bool rslStatics_Make(void* kernel)
{
    return rslElements_Group(kernel);
}

double rslStatics_Potential(void* argument, const rslState* state)
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, ((const Kernel*)kernel)->lead);
    RSL_NAME(rslKernel_Prepare)(kernel, &view);
    RSL_NAME(rslKernel_ForChunks)(kernel, &view, PotentialOfChunk, NULL);
    double sum = 0.0;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        sum += kernel->sums[RSL_SUMS * c];
    }
    return sum;
}

double rslStatics_FirstTime(void* kernel, const rslState* state, double* const before[3])
{
    if (((const Kernel*)kernel)->guard == NULL)
    {
        return INFINITY;
    }
    View view = RSL_NAME(rslKernel_View)(kernel, state, ((const Kernel*)kernel)->lead);
    return RSL_NAME(rslGuard_FirstTime)(kernel, &view, before);
}

double rslStatics_Smallest(void* argument, const rslState* state)
{
    Kernel* kernel = argument;
    if (kernel->guard == NULL)
    {
        return 1.0;
    }
    View view = RSL_NAME(rslKernel_View)(kernel, state, ((const Kernel*)kernel)->lead);
    RSL_NAME(rslGuard_Stands)(kernel, &view);
    return kernel->guard->smallest;
}

double rslStatics_Extent(const void* argument)
{
    const Kernel* kernel = argument;
    return kernel->guard != NULL ? kernel->guard->extent : 0.0;
}

static void CopyForce(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)view;
    double* const* out = context;
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(out[axis] + chunk->begin, kernel->force[axis] + chunk->begin,
               (size_t)(chunk->end - chunk->begin) * sizeof(Real));
    }
}

void rslStatics_Forces(void* argument, const rslState* state, double* const out[3])
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, ((const Kernel*)kernel)->lead);
    RSL_NAME(rslKernel_Forces)(kernel, &view);
    double* arrays[3] = { out[0], out[1], out[2] };
    RSL_NAME(rslKernel_ForChunksLight)(kernel, &view, CopyForce, arrays);
}

static void LoadsOfChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    Powers powers = { 0 };
    ClearForce(kernel, chunk);
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        if ((IsDead(*term) || (*term)->external) && (*term)->present(kernel))
        {
            (*term)->force(kernel, view, chunk, &powers);
        }
    }
    CopyForce(kernel, view, chunk, context);
}

void rslStatics_Loads(void* argument, const rslState* state, double* const out[3])
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, ((const Kernel*)kernel)->lead);
    RSL_NAME(rslKernel_Prepare)(kernel, &view);
    double* arrays[3] = { out[0], out[1], out[2] };
    RSL_NAME(rslKernel_ForChunks)(kernel, &view, LoadsOfChunk, arrays);
}

// ---- the matrix -----------------------------------------------------------------------------------------------------

void rslStatics_Look(void* argument, const rslState* state)
{
    View view = RSL_NAME(rslKernel_View)(argument, state, ((const Kernel*)argument)->lead);
    RSL_NAME(rslKernel_Prepare)(argument, &view);
    RSL_NAME(rslElements_Look)(argument, &view);
    rslRepulsion_Assemble(argument, &view);
}

void rslStatics_Glance(void* argument, const rslState* state)
{
    View view = RSL_NAME(rslKernel_View)(argument, state, ((const Kernel*)argument)->lead);
    RSL_NAME(rslKernel_Prepare)(argument, &view);
    rslRepulsion_Assemble(argument, &view);
}

void rslStatics_Settle(void* argument, bool settled)
{
    Kernel* kernel = argument;
    if (kernel->elements != NULL)
    {
        kernel->elements->settled = settled;
    }
}

typedef struct ProductContext
{
    Real* p[3];
    Real* out[3];
    bool near;            // without dispersion, pressure and volumes, and positive
    const Term* without;  // and without this; NULL: all others
} ProductContext;

static bool HasProduct(const Kernel* kernel, const Term* term, bool near, const Term* without)
{
    bool far =
        term == &RSL_NAME(rslDispersionTerm) || term == &RSL_NAME(rslPressureTerm) || term == &RSL_NAME(rslVolumeTerm);
    bool assembled = term == &RSL_NAME(rslRepulsionTerm) && rslRepulsion_IsAssembled(kernel);
    bool left = term == without || assembled || (near && far);
    return !left && term->stiffness != NULL && term->present(kernel);
}

static void ProductOfChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    ProductContext* c = context;
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(c->out[axis] + chunk->begin, 0, (size_t)(chunk->end - chunk->begin) * sizeof(Real));
    }
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        if (HasProduct(kernel, *term, c->near, c->without))
        {
            (*term)->stiffness(kernel, view, chunk, c->p, c->out);
        }
    }
    rslRepulsion_Multiply(kernel, chunk, kernel->relaxed, c->p, c->out);
    for (int axis = 0; kernel->shift != 0.0 && axis < 3; ++axis)
    {
        for (int i = chunk->begin; i < chunk->end; ++i)
        {
            c->out[axis][i] += kernel->shift * kernel->mass[i] * c->p[axis][i];
        }
    }
}

// Terms whose stiffness says nothing of their dampers.
static bool HasDampers(const Kernel* kernel, const Term* term)
{
    bool grouped = term == &RSL_NAME(rslElementTerm) && kernel->elements != NULL && kernel->elements->groups != NULL;
    return term->damping != NULL && !term->withDampers && !grouped && term->present(kernel);
}

static void ScaleChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)view;
    const ProductContext* c = context;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = chunk->begin; i < chunk->end; ++i)
        {
            kernel->scaled[axis][i] = kernel->rate * c->p[axis][i];
        }
    }
}

static void DampChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    ProductContext* c = context;
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        if (HasDampers(kernel, *term))
        {
            (*term)->damping(kernel, view, chunk, kernel->scaled, c->out);
        }
    }
}

// out += r C p of these.
static void Damp(Kernel* kernel, const View* view, ProductContext* context)
{
    bool any = false;
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        any = any || HasDampers(kernel, *term);
    }
    if (!any)
    {
        return;
    }
    RSL_NAME(rslKernel_ForChunksLight)(kernel, view, ScaleChunk, context);
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        if ((*term)->prepareProduct != NULL && HasDampers(kernel, *term))
        {
            (*term)->prepareProduct(kernel, view, true, kernel->scaled);
        }
    }
    RSL_NAME(rslKernel_ForChunks)(kernel, view, DampChunk, context);
}

static void Product(Kernel* kernel, const rslState* state, ProductContext context)
{
    View view = ViewOf(state);
    kernel->relaxed = context.near && !kernel->exact;
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        if ((*term)->prepareProduct != NULL && HasProduct(kernel, *term, context.near, context.without))
        {
            (*term)->prepareProduct(kernel, &view, false, context.p);
        }
    }
    RSL_NAME(rslKernel_ForChunks)(kernel, &view, ProductOfChunk, &context);
    if (kernel->rate != 0.0 && !kernel->relaxed)
    {
        Damp(kernel, &view, &context);
    }
    kernel->relaxed = false;
}

void rslStatics_Diagonal(void* argument, const rslState* state, double (*blocks)[6])
{
    Kernel* kernel = argument;
    kernel->relaxed = !kernel->exact;
    rslBackend64.diagonal(kernel, state, blocks);
    kernel->relaxed = false;
}

void rslStatics_SetShift(void* kernel, double shift)
{
    ((Kernel*)kernel)->shift = shift;
}

bool rslStatics_SetExact(void* argument, bool exact)
{
    Kernel* kernel = argument;
    bool before = kernel->exact;
    kernel->exact = exact;
    return before;
}

void rslStatics_Product(void* kernel, const rslState* state, double* const p[3], double* const out[3])
{
    Product(kernel, state, (ProductContext){ { p[0], p[1], p[2] }, { out[0], out[1], out[2] }, false, NULL });
}

void rslStatics_Near(void* kernel, const rslState* state, double* const p[3], double* const out[3])
{
    Product(kernel, state, (ProductContext){ { p[0], p[1], p[2] }, { out[0], out[1], out[2] }, true, NULL });
}

bool rslStatics_Others(void* kernel, const rslState* state, double* const p[3], double* const out[3])
{
    const Term* without = &RSL_NAME(rslNetworkTerm);
    bool any = ((const Kernel*)kernel)->shift != 0.0 || RSL_NAME(rslRepulsion_Acts)(kernel);
    for (const Term* const* term = RSL_NAME(rslTerms); *term != NULL; ++term)
    {
        any = any || HasProduct(kernel, *term, true, without);
    }
    if (any)
    {
        Product(kernel, state, (ProductContext){ { p[0], p[1], p[2] }, { out[0], out[1], out[2] }, true, without });
    }
    return any;
}

static const Term* const touching = &RSL_NAME(rslBarrierTerm);

static void TouchChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    ProductContext* c = context;
    touching->stiffness(kernel, view, chunk, c->p, c->out);
}

void rslStatics_Touch(void* argument, const rslState* state, double* const p[3], double* const out[3])
{
    Kernel* kernel = argument;
    View view = ViewOf(state);
    ProductContext context = { .p = { p[0], p[1], p[2] }, .out = { out[0], out[1], out[2] }, .near = true };
    kernel->relaxed = !kernel->exact;
    if (touching->present(kernel))
    {
        touching->prepareProduct(kernel, &view, false, context.p);
        RSL_NAME(rslKernel_ForChunksLight)(kernel, &view, TouchChunk, &context);
    }
    kernel->relaxed = false;
}

void rslStatics_TouchDiagonal(void* argument, const rslState* state, double (*blocks)[6])
{
    Kernel* kernel = argument;
    View view = ViewOf(state);
    memset(blocks, 0, (size_t)kernel->nodeCount * sizeof *blocks);
    for (int c = 0; touching->present(kernel) && c < kernel->chunkCount; ++c)
    {
        touching->diagonal(kernel, &view, &kernel->chunks[c], blocks + kernel->chunks[c].begin);
    }
}

void rslStatics_Scratch(void* kernel, double* out[3])
{
    memcpy(out, ((Kernel*)kernel)->force, 3 * sizeof(double*));
}
