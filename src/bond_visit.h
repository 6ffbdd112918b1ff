// SPDX-License-Identifier: MIT
//
// bond_visit.h: the questions of term.h that springs of lattices and of networks answer alike, one bond at a time. Each
// topology gives a walk over the bonds of a chunk's nodes, from their side; formulas in bond.h.

#pragma once

#include "bond.h"
#include "spring_law.h"
#include "term.h"

typedef struct BondVisit
{
    int node, other;
    Real stiffness, damping;  // k [N/m], c [N s/m]
    Real carrier;             // share of the carrier in the law (spring_law.h); 0: linear
    Real restLength;          // L0 [m]
    Real natural;             // N [m]; not used by the linear law
    Real driveShift;          // N at the mean strain of the step minus N [m]
    Real driveRate;           // of N [m/s]
    Real growth;              // of L [m/s]
    Bond bond;
} BondVisit;

static inline double BondLawEnergy(const BondVisit* visit)
{
    return LawEnergy((double)visit->carrier, (double)visit->stiffness, (double)visit->natural,
                     (double)visit->bond.length, (double)visit->bond.elongation);
}

static inline Real BondLawTension(const BondVisit* visit)
{
    return LawTension(visit->carrier, visit->stiffness, visit->natural, visit->bond.length, visit->bond.elongation);
}

static inline Real BondLawSlope(const BondVisit* visit)
{
    return LawSlope(visit->carrier, visit->stiffness, visit->natural, visit->bond.length);
}

typedef void BondWalk(const Kernel* kernel, const View* view, const Chunk* chunk, BondFunction* function,
                      void* context);

static inline void BondAddEnergy(const BondVisit* visit, void* context)
{
    *(double*)context += 0.5 * BondLawEnergy(visit);  // half at each end
}

RSL_INLINE double BondEnergy(BondWalk* walk, const Kernel* kernel, const View* view, const Chunk* chunk)
{
    double energy = 0.0;
    walk(kernel, view, chunk, BondAddEnergy, &energy);
    return energy;
}

// Where a step is solved, what dampers pull with counts as tension does: both turn with the spring. (How that pull changes
// because the spring turns is left out, since K would not be symmetric: of a stiff body, what is left over is gone after another step.)
typedef struct BondProductContext
{
    Real* const* p;
    Real* const* out;
    bool damping;  // C instead of K
    Real least;    // T/L is not told below this
    Real rate;     // r: K + r C instead of K
} BondProductContext;

// Pressed springs are slack across where K has to be positive (kernel.h).
static inline Real BondLeast(const Kernel* kernel)
{
    return kernel->relaxed ? (Real)0 : -(Real)INFINITY;
}

static inline Real BondAcross(const BondVisit* visit, Real drag, Real least)
{
    Real t = (BondLawTension(visit) + drag) / visit->bond.length;
    return t < least ? least : t;
}

// dL/dt
static inline Real BondGrowth(const Bond* bond, const Real dw[3])
{
    return (bond->d[0] * dw[0] + bond->d[1] * dw[1] + bond->d[2] * dw[2]) / bond->length;
}

static inline void BondAddProduct(const BondVisit* visit, void* context)
{
    const BondProductContext* c = context;
    Real dp[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        dp[axis] = c->p[axis][visit->other] - c->p[axis][visit->node];
    }
    Real k = c->damping ? visit->damping : BondLawSlope(visit) + c->rate * visit->damping;
    Real drag = c->rate != (Real)0 ? visit->damping * visit->growth : (Real)0;
    Real t = c->damping ? (Real)0 : BondAcross(visit, drag, c->least);
    BondProduct(&visit->bond, k, t, dp, c->out, visit->node);
}

RSL_INLINE void BondProducts(BondWalk* walk, const Kernel* kernel, const View* view, const Chunk* chunk, bool damping,
                             Real* const p[3], Real* const out[3])
{
    BondProductContext context = { p, out, damping, BondLeast(kernel), (Real)kernel->rate };
    walk(kernel, view, chunk, BondAddProduct, &context);
}

typedef struct BondBlockContext
{
    Block* blocks;
    int begin;
    Real least, rate;
} BondBlockContext;

static inline void BondAddDiagonal(const BondVisit* visit, void* context)
{
    const BondBlockContext* c = context;
    Real t = BondAcross(visit, (Real)0, c->least);
    BondBlock(&visit->bond, BondLawSlope(visit) + c->rate * visit->damping, t, c->blocks[visit->node - c->begin]);
}

RSL_INLINE void BondDiagonal(BondWalk* walk, const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    BondBlockContext context = { blocks, chunk->begin, BondLeast(kernel), (Real)kernel->rate };
    walk(kernel, view, chunk, BondAddDiagonal, &context);
}
