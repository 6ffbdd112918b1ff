// SPDX-License-Identifier: MIT
//
// bond_visit.h: the questions of term.h that springs of lattices and of networks answer alike, one bond at a time. Each
// topology gives a walk over the bonds of a chunk's nodes, from their side; formulas in bond.h.

#pragma once

#include "bond.h"
#include "term.h"

typedef struct BondVisit
{
    int node, other;
    Real stiffness, damping;  // k [N/m], c [N s/m]
    Bond bond;
} BondVisit;

typedef void BondFunction(const BondVisit* visit, void* context);
typedef void BondWalk(const Kernel* kernel, const View* view, const Chunk* chunk, BondFunction* function, void* context);

static inline void BondAddEnergy(const BondVisit* visit, void* context)
{
    double elongation = (double)visit->bond.elongation;
    *(double*)context += 0.25 * (double)visit->stiffness * elongation * elongation;  // half at each end
}

RSL_INLINE double BondEnergy(BondWalk* walk, const Kernel* kernel, const View* view, const Chunk* chunk)
{
    double energy = 0.0;
    walk(kernel, view, chunk, BondAddEnergy, &energy);
    return energy;
}

typedef struct BondProductContext
{
    Real* const* p;
    Real* const* out;
    bool damping;  // C instead of K
} BondProductContext;

static inline void BondAddProduct(const BondVisit* visit, void* context)
{
    const BondProductContext* c = context;
    Real dp[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        dp[axis] = c->p[axis][visit->other] - c->p[axis][visit->node];
    }
    Real k = c->damping ? visit->damping : visit->stiffness;
    Real t = c->damping ? (Real)0 : k * visit->bond.elongation / visit->bond.length;
    BondProduct(&visit->bond, k, t, dp, c->out, visit->node);
}

RSL_INLINE void BondProducts(BondWalk* walk, const Kernel* kernel, const View* view, const Chunk* chunk, bool damping,
                             Real* const p[3], Real* const out[3])
{
    BondProductContext context = { p, out, damping };
    walk(kernel, view, chunk, BondAddProduct, &context);
}

typedef struct BondBlockContext
{
    Block* blocks;
    int begin;
} BondBlockContext;

static inline void BondAddDiagonal(const BondVisit* visit, void* context)
{
    const BondBlockContext* c = context;
    Real t = visit->stiffness * visit->bond.elongation / visit->bond.length;
    BondBlock(&visit->bond, visit->stiffness, t, c->blocks[visit->node - c->begin]);
}

RSL_INLINE void BondDiagonal(BondWalk* walk, const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    BondBlockContext context = { blocks, chunk->begin };
    walk(kernel, view, chunk, BondAddDiagonal, &context);
}

static inline void BondAddFields(const BondVisit* visit, void* context)
{
    const NodeFields* fields = context;
    double elongation = (double)visit->bond.elongation, k = (double)visit->stiffness;
    fields->tension[visit->node] += k * elongation;
    fields->energy[visit->node] += 0.25 * k * elongation * elongation;
    fields->springs[visit->node] += 1;
}

RSL_INLINE void BondFields(BondWalk* walk, const Kernel* kernel, const View* view, const Chunk* chunk,
                           const NodeFields* fields)
{
    NodeFields copy = *fields;
    walk(kernel, view, chunk, BondAddFields, &copy);
}
