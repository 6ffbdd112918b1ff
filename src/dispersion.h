// SPDX-License-Identifier: MIT
//
// dispersion.h: what force_dispersion.c keeps of every node, and the tension that dispersion adds to a spring.

#pragma once

#include "bond_visit.h"
#include "spread.h"

// Of every node; all padded as a state is.
struct DispersionKernel
{
    Real* factor;      // q / S, S over the springs
    Real* dragFactor;  // q / S, S over the dampers
    Real* share;       // q h, h the mean elongation of the node's springs
    Real* dragShare;   // the same of the rates
    Real* driveShare;  // q h with the drives at the mean of the step; NULL without drives
    Real* change;      // of the share along a vector
    // with a lag: shares that this step finds, for the next one, and those that it was left; NULL where no step is taken
    Real *fresh, *freshDrag;
    const Real* carried[2];
};

// dispersion_lattice.c: the same sums for lattices without drives, which are most, several nodes at a time.
bool RSL_NAME(rslDispersion_IsPlain)(const Kernel* kernel, const Chunk* chunk);
void RSL_NAME(rslDispersion_PlainShares)(const Kernel* kernel, const View* view, const Chunk* chunk,
                                         Real sums[3][CHUNK]);
void RSL_NAME(rslDispersion_PlainForce)(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers);
// Springs, dispersion and the sums for new shares in one walk.
void RSL_NAME(rslDispersion_PlainWhole)(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers,
                                        Real sums[3][CHUNK]);
void RSL_NAME(rslDispersion_PlainChanges)(const Kernel* kernel, const View* view, const Chunk* chunk, bool damping,
                                          Real* const p[3], Real sums[3][CHUNK]);
void RSL_NAME(rslDispersion_PlainProduct)(const Kernel* kernel, const View* view, const Chunk* chunk, bool damping,
                                          Real* const p[3], Real* const out[3]);

static inline bool DispersesBody(const Kernel* kernel, int body)
{
    return kernel->dispersion != NULL && rslBody_Disperses(&kernel->model->bodies[body]);
}

// Does a chunk answer the shares of the step before?
static inline bool Lags(const Kernel* kernel, const Chunk* chunk)
{
    return DispersesBody(kernel, chunk->body) && kernel->dispersion->carried[0] != NULL &&
           kernel->model->bodies[chunk->body].dispersion.lag;
}

// Does dispersion add the springs of a chunk too, in one walk?
static inline bool TakesSprings(const Kernel* kernel, const Chunk* chunk)
{
    return Lags(kernel, chunk) && RSL_NAME(rslDispersion_IsPlain)(kernel, chunk) &&
           !kernel->bodies[chunk->body].general;
}

// k out (q h_a + q h_b): what the two ends of a spring add to its tension [N]; after Prepare.
static inline Real SpreadTension(const Kernel* kernel, int body, const BondVisit* visit)
{
    if (!DispersesBody(kernel, body))
    {
        return (Real)0;
    }
    const Real* share = kernel->dispersion->share;
    rslDispersionVariant variant = kernel->model->bodies[body].dispersion.variant;
    Real out = (Real)rslSpread_Of(variant, (double)visit->restLength).out;
    return visit->stiffness * out * (share[visit->node] + share[visit->other]);
}
