// SPDX-License-Identifier: MIT
//
// statics.c: see statics.h. A kernel file, compiled in double precision only: rest is a matter of small differences.
//
// Dead loads (gravity, forces on nodes) have the potential -f.u, taken with the displacement rather than the position: the
// numbers stay small, and so does their rounding. Dampers say nothing, since nothing moves.

#include "statics.h"

#include "bond.h"
#include "spring_law.h"
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

double rslStatics_Potential(void* argument, const rslState* state)
{
    Kernel* kernel = argument;
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    RSL_NAME(rslKernel_Prepare)(kernel, &view);
    RSL_NAME(rslKernel_ForChunks)(kernel, &view, PotentialOfChunk, NULL);
    double sum = 0.0;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        sum += kernel->sums[RSL_SUMS * c];
    }
    return sum;
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
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
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
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    RSL_NAME(rslKernel_Prepare)(kernel, &view);
    double* arrays[3] = { out[0], out[1], out[2] };
    RSL_NAME(rslKernel_ForChunks)(kernel, &view, LoadsOfChunk, arrays);
}

// ---- the matrix -----------------------------------------------------------------------------------------------------

void rslStatics_Look(void* argument, const rslState* state)
{
    View view = RSL_NAME(rslKernel_View)(argument, state, 0.0);
    RSL_NAME(rslKernel_Prepare)(argument, &view);
}

static View ViewOf(const rslState* state)
{
    View view = { 0 };
    for (int axis = 0; axis < 3; ++axis)
    {
        view.u[axis] = state->displacement[axis];
        view.w[axis] = view.from[axis] = state->velocity[axis];
    }
    return view;
}

typedef struct ProductContext
{
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
        if ((*term)->stiffness != NULL && (*term)->present(kernel))
        {
            (*term)->stiffness(kernel, view, chunk, c->p, c->out);
        }
    }
    for (int axis = 0; kernel->shift != 0.0 && axis < 3; ++axis)
    {
        for (int i = chunk->begin; i < chunk->end; ++i)
        {
            c->out[axis][i] += kernel->shift * kernel->mass[i] * c->p[axis][i];
        }
    }
}

void rslStatics_Product(void* argument, const rslState* state, double* const p[3], double* const out[3])
{
    Kernel* kernel = argument;
    View view = ViewOf(state);
    ProductContext context = { { p[0], p[1], p[2] }, { out[0], out[1], out[2] } };
    RSL_NAME(rslKernel_ForChunks)(kernel, &view, ProductOfChunk, &context);
}

void rslStatics_SetShift(void* kernel, double shift)
{
    ((Kernel*)kernel)->shift = shift;
}

// The chunk that holds a node.
static const Chunk* ChunkOf(const Kernel* kernel, int node)
{
    int low = 0, high = kernel->chunkCount - 1;
    while (low < high)
    {
        int middle = low + (high - low + 1) / 2;
        low = kernel->chunks[middle].begin <= node ? middle : low;
        high = kernel->chunks[middle].begin <= node ? high : middle - 1;
    }
    return &kernel->chunks[low];
}

static const Run* RunOf(const Kernel* kernel, const Chunk* chunk, int node)
{
    int low = chunk->runBegin, high = chunk->runEnd - 1;
    while (low < high)
    {
        int middle = low + (high - low + 1) / 2;
        low = kernel->runs[middle].begin <= node ? middle : low;
        high = kernel->runs[middle].begin <= node ? high : middle - 1;
    }
    return &kernel->runs[low];
}

int rslStatics_Neighbours(const void* argument, int node, int others[RSL_ROW_CAPACITY])
{
    const Kernel* kernel = argument;
    const Chunk* chunk = ChunkOf(kernel, node);
    int count = 0;
    if (kernel->model->bodies[chunk->body].kind != rsl_latticeBody)
    {
        return 0;
    }
    const Run* run = RunOf(kernel, chunk, node);
    for (int s = 0; s < DIRECTIONS; ++s)
    {
        if (kernel->patterns[run->pattern].of[s][(node - run->begin) % LANES] != (Real)0)
        {
            others[count++] = node + run->offset[s];
        }
    }
    return count;
}

void rslStatics_Row(const void* argument, const rslState* state, int node, rslBondRow* row)
{
    const Kernel* kernel = argument;
    const Chunk* chunk = ChunkOf(kernel, node);
    const BodyKernel* b = &kernel->bodies[chunk->body];
    const Run* run = RunOf(kernel, chunk, node);
    const Pattern* pattern = &kernel->patterns[run->pattern];
    const double* const u[3] = { state->displacement[0], state->displacement[1], state->displacement[2] };
    const uint32_t* masks = kernel->model->driveMask;
    row->count = 0;
    for (int s = 0; s < DIRECTIONS; ++s)
    {
        Real k = pattern->of[s][(node - run->begin) % LANES];
        if (k == (Real)0)
        {
            continue;
        }
        int other = node + run->offset[s];
        Real du[3] = { u[0][other] - u[0][node], u[1][other] - u[1][node], u[2][other] - u[2][node] };
        uint32_t bits = masks != NULL ? masks[node] & masks[other] & b->drives[s] : 0;
        Real extra = b->bondLength[s] * SumDrives(kernel->driveStrain, bits), natural = b->bondLength[s] + extra;
        Bond bond = MakeBond(b->bond[s], du, b->bondLength[s], extra);
        double* block = row->block[row->count];
        memset(block, 0, 6 * sizeof(double));
        Real tension = LawTension(b->carrier, k, natural, bond.length, bond.elongation);
        BondBlock(&bond, LawSlope(b->carrier, k, natural, bond.length), tension / bond.length, block);
        row->other[row->count++] = other;
    }
}

// ---- springs of networks --------------------------------------------------------------------------------------------

int rslStatics_SpringCount(const void* argument, int node)
{
    const Kernel* kernel = argument;
    const Chunk* chunk = ChunkOf(kernel, node);
    if (kernel->model->bodies[chunk->body].kind != rsl_networkBody)
    {
        return 0;
    }
    const int* start = &kernel->entryStart[node + kernel->bodies[chunk->body].restBase];
    return start[1] - start[0];
}

int rslStatics_Spring(const void* argument, const rslState* state, int node, int index, double block[6])
{
    const Kernel* kernel = argument;
    int base = kernel->bodies[ChunkOf(kernel, node)->body].restBase;
    const Entry* entry = &kernel->entries[kernel->entryStart[node + base] + index];
    Real d0[3], du[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        const double* u = state->displacement[axis];
        d0[axis] = kernel->rest[axis][entry->other + base] - kernel->rest[axis][node + base];
        du[axis] = u[entry->other] - u[node];
    }
    Bond bond = MakeBond(d0, du, entry->restLength, entry->preload);
    Real t = entry->stiffness * bond.elongation / bond.length;
    memset(block, 0, 6 * sizeof(double));
    BondBlock(&bond, entry->stiffness, t > (Real)0 ? t : (Real)0, block);
    return entry->other;
}
