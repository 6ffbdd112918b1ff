// SPDX-License-Identifier: MIT
//
// energy.c: see energy.h. Every term that has an energy is asked, chunk by chunk.

#include "energy.h"

#include "kernel_rigid.h"
#include "network_slices.h"
#include "real_lanes.h"
#include "rebase.h"
#include "term.h"

#define KineticOfNodes RSL_NAME(rslEnergy_Kinetic)

enum
{
    KINETIC,
    TERMS
};

// Twice of it. Lanes are added up apart.
RSL_CLONES static double KineticOfNodes(const Real* mass, const View* view, const double drift[3], int node, int count)
{
    rslLanes sum = { 0 };
    for (int i = 0; i < count; i += RSL_LANES)
    {
        rslLanes m, w, square = { 0 };
        TakeLanes(mass + node + i, count - i, &m);
        for (int axis = 0; axis < 3; ++axis)
        {
            TakeLanes(view->w[axis] + node + i, count - i, &w);
            w += drift[axis];
            square += w * w;
        }
        sum += m * square;
    }
    return AddLanes(&sum);
}

static double KineticEnergy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    const FrameView* frame = &kernel->frames[chunk->body];
    rslVec3 drift = rslMatTVec(&frame->rotation, frame->velocity);
    return 0.5 * KineticOfNodes(kernel->mass, view, (const double[3]){ drift.x, drift.y, drift.z }, chunk->begin,
                                chunk->end - chunk->begin);
}

static void AskTerms(Kernel* kernel, const View* view, const Chunk* chunk, double* sums)
{
    for (int t = 0; RSL_NAME(rslTerms)[t] != NULL; ++t)
    {
        const Term* term = RSL_NAME(rslTerms)[t];
        bool asked = term->energy != NULL && !term->external && term->present(kernel);  // loads do work instead
        sums[TERMS + t] = asked ? term->energy(kernel, view, chunk) : 0.0;
    }
}

static void EnergyOfChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    double* sums = &kernel->sums[RSL_SUMS * chunk->index];
    sums[KINETIC] = KineticEnergy(kernel, view, chunk);
    AskTerms(kernel, view, chunk, sums);
}

static void WeighChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    double* sums = &kernel->sums[RSL_SUMS * chunk->index];
    sums[KINETIC] = 0.0;
    AskTerms(kernel, view, chunk, sums);
    RSL_NAME(rslRebase_SumChunk)(kernel, view, chunk);
}

// Of all chunks, by what they are asked; stepped: nothing has touched the state since its last step.
static rslEnergy Ask(Kernel* kernel, const rslState* state, ChunkFunction* function, bool stepped)
{
    View view = RSL_NAME(rslKernel_View)(kernel, state, 0.0);
    RSL_NAME(rslKernel_Prepare)(kernel, &view);
    RSL_NAME(rslSlices_StartEnergy)(kernel, &view, stepped ? state : NULL);
    RSL_NAME(rslKernel_ForChunks)(kernel, &view, function, NULL);
    RSL_NAME(rslSlices_EndEnergy)(kernel);
    double sums[RSL_SUMS] = { 0 };
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        for (int s = 0; s < RSL_SUMS; ++s)
        {
            sums[s] += kernel->sums[RSL_SUMS * c + s];
        }
    }
    rslEnergy energy = { .kinetic = sums[KINETIC] + RSL_NAME(rslRigids_Energy)(kernel, &view) };
    for (int t = 0; RSL_NAME(rslTerms)[t] != NULL; ++t)
    {
        const Term* term = RSL_NAME(rslTerms)[t];
        double* slot = term == &RSL_NAME(rslGravityTerm)   ? &energy.gravity
                       : term == &RSL_NAME(rslPlaneTerm)   ? &energy.ground
                       : term == &RSL_NAME(rslBarrierTerm) ? &energy.ground
                       : term == &RSL_NAME(rslLinkTerm)    ? &energy.links
                                                           : &energy.springs;
        *slot += sums[TERMS + t];
    }
    return energy;
}

static rslEnergy AddUp(rslEnergy energy)
{
    energy.total = energy.kinetic + energy.springs + energy.gravity + energy.ground + energy.links;
    return energy;
}

rslEnergy RSL_NAME(rslKernel_Energy)(Kernel* kernel, const rslState* state)
{
    return AddUp(Ask(kernel, state, EnergyOfChunk, false));
}

rslEnergy RSL_NAME(rslKernel_Weigh)(Kernel* kernel, const rslState* state)
{
    rslEnergy energy = Ask(kernel, state, WeighChunk, true);
    energy.kinetic += RSL_NAME(rslRebase_Find)(kernel, state);
    return AddUp(energy);
}
