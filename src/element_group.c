// SPDX-License-Identifier: MIT
//
// element_group.c: batches of corotational hexahedra, bricks and tetrahedra for implicit steps and rest. A kernel file,
// compiled in double precision only. What they do is that of element_bent.h; here is what is different:
//
// - What depends on the displacements u alone (H, h, k, the rotation R and what it takes to turn it) is found once and
//   kept; a group whose nodes are where they were is not looked at again. So forces, energies, products and rotations
//   at one state cost one polar decomposition.
// - Products are those of K + r C at once. With M = R^T dF, w = G^-1 ax(M), G = tr(S) 1 - S (element_law.h):
//     dP = 2 mu dF + lambda tr(M) R + (lambda tr(S - 1) - 2 mu) R [w]x
//     dy = R^T dh - w x y,  y = R^T h   (drag of the patterns)

#include "element_group.h"

#include "element_bent.h"
#include "element_lanes.h"

enum
{
    GROUPED_NODES = 1 << 17  // of larger models nothing is kept: groups take 1 kB an element
};

struct Group
{
    bool known;
    Lanes u[ELEMENT_NODES][3];
    Bent bent;  // at these displacements
    Lanes energy;
};

static bool IsGrouped(const rslElements* set)
{
    bool known =
        set->kind == rsl_hexahedronElements || set->kind == rsl_brickElements || set->kind == rsl_tetrahedronElements;
    return set->count == 0 || (known && set->law == rsl_corotationalElement);
}

bool rslElements_Group(Kernel* kernel)
{
    ElementKernel* e = kernel->elements;
    bool all = e != NULL && e->groups == NULL && kernel->nodeCount <= GROUPED_NODES;
    for (int b = 0; all && b < kernel->model->bodyCount; ++b)
    {
        all = IsGrouped(ElementsOf(kernel, b));
    }
    if (all)
    {
        size_t count = (size_t)e->batchStart[kernel->chunkCount] + 1;
        e->groups = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(Group));
    }
    return !all || e->groups != NULL;
}

// ---- what depends on the displacements ----------------------------------------------------------------------------

// Whether the nodes of a group are where they were; if not, that is noted.
RSL_INLINE bool Stays(const Batch* b, Group* group, double* const u[3])
{
    Lanes at[ELEMENT_NODES][3];
    RSL_NAME(rslWide_Collect)(b, u, at);
    size_t bytes = (b->plain ? 4 : 8) * sizeof at[0];
    bool stays = group->known && memcmp(at, group->u, bytes) == 0;
    memcpy(group->u, at, bytes);
    return stays;
}

RSL_CLONES static void rslGroup_Refresh(const Batch* b, Group* group, double* const u[3])
{
    if (Stays(b, group, u))
    {
        return;
    }
    RSL_NAME(rslWide_Analyse)(b, group->u, &group->bent.shape);
    FindTurnWide(rsl_corotationalElement, true, &group->bent);
    FindBending(b, rsl_corotationalElement, &group->bent, &group->energy);
    FindArms(b, &group->bent);
    group->energy *= 0.5;
    AddStretch(b, group->bent.e, &group->energy);
    group->known = true;
}

// ---- forces and products ------------------------------------------------------------------------------------------

// slope = K rate
RSL_INLINE void Stiffen(const Batch* b, const Bent* g, const Wide* rate, const Lanes* m, const Lanes* w, Wide* slope)
{
    Lanes dg[PATTERNS][3], dk[PATTERNS][3], twice = b->wide[WIDE_SHEAR], lambda = b->wide[WIDE_LAMBDA];
    Lanes swell = lambda * (m[0] + m[4] + m[8]), shift = lambda * (g->e[0] + g->e[4] + g->e[8]) - twice;
    for (int c = 0; c < 9; ++c)
    {
        const Lanes* row = g->r + c / 3 * 3;
        int i = (c + 1) % 3, j = (c + 2) % 3;
        slope->h[c] = twice * rate->h[c] + swell * g->r[c] + shift * (row[i] * w[j] - row[j] * w[i]);
    }
    if (b->plain)
    {
        return;
    }
    for (int p = 0; p < PATTERNS; ++p)
    {
        Lanes first[3], second[3];
        TransposedOn(g->shape.h, rate->mode[p], first);
        TransposedOn(rate->h, g->shape.mode[p], second);
        for (int c = 0; c < 3; ++c)
        {
            dg[p][c] = rate->mode[p][c] + first[c] + second[c];
        }
    }
    BendWide(b, dg, dk);
    for (int p = 0; p < PATTERNS; ++p)
    {
        Lanes turned[3], pushed[3];
        On(rate->h, g->k[p], turned);
        On(g->shape.h, dk[p], pushed);
        for (int c = 0; c < 3; ++c)
        {
            slope->mode[p][c] = FLOOR_OF(b, p) * rate->mode[p][c] + turned[c] + dk[p][c] + pushed[c];
        }
    }
    for (int c = 0; c < 9; ++c)
    {
        Lanes outer = rate->mode[0][c / 3] * g->k[0][c % 3] + g->shape.mode[0][c / 3] * dk[0][c % 3];
        for (int p = 1; p < PATTERNS; ++p)
        {
            outer += rate->mode[p][c / 3] * g->k[p][c % 3] + g->shape.mode[p][c / 3] * dk[p][c % 3];
        }
        slope->h[c] += outer;
    }
}

// Returns what drag takes.
RSL_CLONES static double rslGroup_Force(const Batch* b, const Bent* bent, double* const w[3], double* const sums[3],
                                        double* const* drags)
{
    Wide slope;
    StressWide(b, rsl_corotationalElement, bent, &slope);
    double lost = b->damped ? DragWide(b, rsl_corotationalElement, bent, w, drags, &slope) : 0.0;
    RSL_NAME(rslWide_Give)(b, &slope, true, sums);
    return lost;
}

// (K + r C) p, or C p
RSL_CLONES static void rslGroup_Product(const Batch* b, const Bent* bent, double* const p[3], double rate, bool damping,
                                        double* const sums[3])
{
    Wide change, slope, drag;
    Nine m;
    Lanes w[3];
    RSL_NAME(rslWide_Look)(b, p, &change);
    Spinning(bent, &change, m, w);
    if (damping || rate != 0.0)
    {
        Lanes factor = (damping ? 1.0 : rate) * b->wide[WIDE_DAMPING];
        TurnedDrag(b, bent, &change, m, w, &drag);
        ScaleWide(b, &factor, &drag);
    }
    if (damping)
    {
        RSL_NAME(rslWide_Give)(b, &drag, false, sums);
        return;
    }
    Stiffen(b, bent, &change, m, w, &slope);
    if (rate != 0.0)
    {
        AddWide(b, &drag, &slope);
    }
    RSL_NAME(rslWide_Give)(b, &slope, false, sums);
}

// ---- by chunks ----------------------------------------------------------------------------------------------------

double rslElements_GroupForces(Kernel* kernel, const View* view, const Chunk* chunk)
{
    ElementKernel* e = kernel->elements;
    double lost = 0.0;
    for (int g = e->batchStart[chunk->index]; g < e->batchStart[chunk->index + 1]; ++g)
    {
        rslGroup_Refresh(&e->batches[g], &e->groups[g], view->u);
        lost +=
            rslGroup_Force(&e->batches[g], &e->groups[g].bent, view->w, e->sums, e->drags[0] != NULL ? e->drags : NULL);
    }
    return lost;
}

double rslElements_GroupEnergy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    const ElementKernel* e = kernel->elements;
    double sum = 0.0;
    for (int g = e->batchStart[chunk->index]; g < e->batchStart[chunk->index + 1]; ++g)
    {
        rslGroup_Refresh(&e->batches[g], &e->groups[g], view->u);
        for (int l = 0; l < e->batches[g].count; ++l)
        {
            sum += e->groups[g].energy[l];
        }
    }
    return sum;
}

void rslElements_GroupProduct(Kernel* kernel, const View* view, const Chunk* chunk, bool damping, double* const p[3])
{
    ElementKernel* e = kernel->elements;
    double rate = e->damped ? kernel->rate : 0.0;
    for (int g = e->batchStart[chunk->index]; g < e->batchStart[chunk->index + 1]; ++g)
    {
        if (!e->settled)
        {
            rslGroup_Refresh(&e->batches[g], &e->groups[g], view->u);
        }
        rslGroup_Product(&e->batches[g], &e->groups[g].bent, p, rate, damping, e->sums);
    }
}

void rslElements_GroupTurns(Kernel* kernel, const View* view, const Chunk* chunk)
{
    ElementKernel* e = kernel->elements;
    for (int g = e->batchStart[chunk->index]; g < e->batchStart[chunk->index + 1]; ++g)
    {
        const Batch* b = &e->batches[g];
        rslGroup_Refresh(b, &e->groups[g], view->u);
        for (int c = 0; c < 9 * b->count; ++c)
        {
            e->turns[b->element[c / 9]][c % 9] = (float)e->groups[g].bent.r[c % 9][c / 9];
        }
    }
}
