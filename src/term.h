// SPDX-License-Identifier: MIT
//
// term.h: the questions that every force term answers, and the table of all terms. One file a term.
//
// A term is asked a chunk of nodes at a time and answers for these nodes only (a spring is asked from both ends), so
// any number of threads may ask at once. NULL means: nothing to say.

#pragma once

#include "kernel.h"

// 3x3 symmetric blocks: xx yy zz xy xz yz.
typedef double Block[6];

struct BondVisit;
typedef void BondFunction(const struct BondVisit* visit, void* context);

typedef struct Term
{
    const char* name;
    bool hasEnergy;    // the force is minus the gradient of the energy
    bool symmetric;    // so is its stiffness
    bool farReaching;  // reaches neighbours of neighbours
    bool external;     // its force is a load: added last, and its power is completed along the kick (kernel.c)
    bool withDampers;  // stiffness and diagonal are those of K + r C (kernel.h), also where r is not 0

    bool (*present)(const Kernel* kernel);

    // What nodes have in common, found once before anything below is asked for; may use the team.
    void (*prepare)(Kernel* kernel, const View* view);

    // What only force asks for, after that. A term may put all of its force on a body there: others add theirs (rslKernel_StartForce).
    void (*prepareForce)(Kernel* kernel, const View* view);

    // What they have in common along a vector, before stiffness or damping is asked for.
    void (*prepareProduct)(Kernel* kernel, const View* view, bool damping, Real* const p[3]);

    // Share of these nodes in the energy [J].
    double (*energy)(const Kernel* kernel, const View* view, const Chunk* chunk);

    // Add to kernel->force, and to powers what the force does without an energy.
    void (*force)(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers);

    // out += K p, K = -d force / d u;  out += C p, C = -d force / d w. Rows of these nodes; p is padded as a state is.
    void (*stiffness)(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3]);
    void (*damping)(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3]);

    // Add the diagonal blocks of K; blocks[0] is that of the first node of the chunk.
    void (*diagonal)(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks);

    // Every spring of these nodes, from their side: one between two of them is visited twice (bond_visit.h).
    void (*bonds)(const Kernel* kernel, const View* view, const Chunk* chunk, BondFunction* visit, void* context);
} Term;

extern const Term RSL_NAME(rslLatticeTerm);
extern const Term RSL_NAME(rslNetworkTerm);
extern const Term RSL_NAME(rslDispersionTerm);
extern const Term RSL_NAME(rslElementTerm);
extern const Term RSL_NAME(rslBendTerm);
extern const Term RSL_NAME(rslRepulsionTerm);
extern const Term RSL_NAME(rslCentroidTerm);
extern const Term RSL_NAME(rslLinkTerm);
extern const Term RSL_NAME(rslGravityTerm);
extern const Term RSL_NAME(rslPointDampingTerm);
extern const Term RSL_NAME(rslLoadTerm);
extern const Term RSL_NAME(rslPressureTerm);
extern const Term RSL_NAME(rslVolumeTerm);
extern const Term RSL_NAME(rslPlaneTerm);
extern const Term RSL_NAME(rslBarrierTerm);

// All of them, in the order in which forces are added; NULL at the end.
extern const Term* const RSL_NAME(rslTerms)[];
