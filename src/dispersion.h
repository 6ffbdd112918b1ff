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
    // variants without an energy in implicit steps: they are the variant energy, of which all above is, and what they differ by. Factors
    // and shares of their own, and shares of the other, at the state that the difference is that of (kernel.h: frozen); NULL in others
    Real *ownFactor, *ownDragFactor;
    Real* difference[4];  // own shares, drag; those of the variant energy
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

// The variant that shares are those of.
static inline rslDispersionVariant VariantOf(const Kernel* kernel, int body)
{
    rslDispersionVariant own = kernel->model->bodies[body].dispersion.variant;
    bool has = own == rsl_energyDispersion || own == rsl_cheapDispersion;
    return has || kernel->dispersion->ownFactor == NULL ? own : rsl_energyDispersion;
}

// The tension of a spring that its own variant differs by, springs and dampers.
static inline Real DifferenceOf(const Kernel* kernel, int body, const BondVisit* visit)
{
    const DispersionKernel* nodes = kernel->dispersion;
    rslDispersionVariant variant = kernel->model->bodies[body].dispersion.variant;
    if (VariantOf(kernel, body) == variant)
    {
        return (Real)0;
    }
    Real own = (Real)rslSpread_Of(variant, (double)visit->restLength).out;
    Real other = (Real)rslSpread_Of(rsl_energyDispersion, (double)visit->restLength).out;
    Real* const* d = nodes->difference;
    int a = visit->node, b = visit->other;
    return visit->stiffness * (own * (d[0][a] + d[0][b]) - other * (d[2][a] + d[2][b])) +
           visit->damping * (own * (d[1][a] + d[1][b]) - other * (d[3][a] + d[3][b]));
}

// k out (q h_a + q h_b): what the two ends of a spring add to its tension [N]; after Prepare.
static inline Real SpreadTension(const Kernel* kernel, int body, const BondVisit* visit)
{
    if (!DispersesBody(kernel, body))
    {
        return (Real)0;
    }
    const Real* share = kernel->dispersion->share;
    Real out = (Real)rslSpread_Of(VariantOf(kernel, body), (double)visit->restLength).out;
    return visit->stiffness * out * (share[visit->node] + share[visit->other]) + DifferenceOf(kernel, body, visit);
}
