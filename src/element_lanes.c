// SPDX-License-Identifier: MIT
//
// element_lanes.c: forces and energies of batches of elements (element_wide.h), for steps that look at every state
// once.

#include "element_lanes.h"

#include "element_bent.h"

#define Forces RSL_NAME(rslLanes_Forces)
#define Energies RSL_NAME(rslLanes_Energies)
#define AddAxis RSL_NAME(rslLanes_AddAxis)

// Of the batches up to end.
RSL_CLONES static double Forces(const Batch* b, const Batch* end, rslElementLaw law, const View* view,
                                Real* const sums[3], Real* const* drags)
{
    double lost = 0.0;
    for (; b < end; ++b)
    {
        Bent bent;
        Wide slope;
        RSL_NAME(rslWide_Look)(b, view->u, &bent.shape);
        FindTurnWide(law, b->damped, &bent);
        FindBending(b, law, &bent, NULL);
        StressWide(b, law, &bent, &slope);
        if (b->damped)
        {
            if (law != rsl_linearElement)
            {
                FindArms(b, &bent);
            }
            lost += DragWide(b, law, &bent, view->w, drags, &slope);
        }
        RSL_NAME(rslWide_Give)(b, &slope, true, sums);
    }
    return lost;
}

RSL_CLONES static double Energies(const Batch* b, const Batch* end, rslElementLaw law, const View* view)
{
    double sum = 0.0;
    for (; b < end; ++b)
    {
        Lanes energy;
        Bent bent;
        RSL_NAME(rslWide_Look)(b, view->u, &bent.shape);
        FindBending(b, law, &bent, &energy);
        energy *= (Real)0.5;
        if (law != rsl_neoHookeanElement)
        {
            FindTurnWide(law, false, &bent);
            AddStretch(b, bent.e, &energy);
        }
        for (int l = 0; l < b->count; ++l)
        {
            sum += (double)energy[l];
            if (law == rsl_neoHookeanElement)
            {
                Matrix h;
                for (int c = 0; c < 9; ++c)
                {
                    h[c] = bent.shape.h[c][l];
                }
                sum += LawDensity(law, b->wide[WIDE_LAMBDA][l], (Real)0.5 * b->wide[WIDE_SHEAR][l], h);
            }
        }
    }
    return sum;
}

double RSL_NAME(rslElements_LaneForces)(Kernel* kernel, const View* view, const Chunk* chunk)
{
    const ElementKernel* e = kernel->elements;
    const Batch *first = e->batches + e->batchStart[chunk->index], *end = e->batches + e->batchStart[chunk->index + 1];
    return Forces(first, end, ElementsOf(kernel, chunk->body)->law, view, e->sums,
                  e->drags[0] != NULL ? e->drags : NULL);
}

double RSL_NAME(rslElements_LaneEnergy)(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    const ElementKernel* e = kernel->elements;
    const Batch *first = e->batches + e->batchStart[chunk->index], *end = e->batches + e->batchStart[chunk->index + 1];
    return Energies(first, end, ElementsOf(kernel, chunk->body)->law, view);
}

// ---- nodes --------------------------------------------------------------------------------------------------------

// Whole vectors are summed up: those of the last nodes go over the end, where there are other numbers or none.
RSL_CLONES static void AddAxis(const Real* sums, const int* places, const int* end, Real sign, int count, Real* out)
{
    for (int i = 0; i < count; i += WIDTH)
    {
        Lanes sum = { 0 };
        for (const int* place = places; place < end; ++place)
        {
            sum += *(const LanesIn*)(sums + *place + i);
        }
        if (count - i >= WIDTH)
        {
            *(LanesIn*)(out + i) += sign * sum;
            continue;
        }
        for (int l = 0; l < count - i; ++l)
        {
            out[i + l] += sign * sum[l];
        }
    }
}

void RSL_NAME(rslElements_AddSpan)(Real* const sums[3], const int* places, const int* end, Real sign, int node,
                                   int count, Real* const out[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        AddAxis(sums[axis], places, end, sign, count, out[axis] + node);
    }
}
