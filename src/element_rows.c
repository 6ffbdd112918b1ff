// SPDX-License-Identifier: MIT
//
// element_rows.c: rows of K of finite elements, for matrices.
//
// An element that is turned (element_turn.h) has the blocks R K_ab R^T. K at rest is kept, once for all elements that are alike, and a
// row of blocks is turned at a time: eight corners are eight lanes.

#include "element_group.h"
#include "lanes.h"
#include "lists.h"

#include <string.h>

enum
{
    MATRIX_NODES = 1 << 17  // larger models do without
};

// ---- matrices at rest -------------------------------------------------------------------------------------------------

static bool AreAlike(const Element* a, const Element* b)
{
    return a->rest == b->rest && a->volume == b->volume && a->lambda == b->lambda && a->mu == b->mu;
}

// Elements with the same constants are listed one behind the other or not at all: the last one with a record is compared. Returns
// the number of matrices.
static int Number(const Kernel* kernel, int* last)
{
    ElementKernel* e = kernel->elements;
    int count = 0, at = 0;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        const rslElements* set = ElementsOf(kernel, b);
        for (int i = 0; i < set->count; ++i, ++at)
        {
            int* with = &last[e->elements[at].rest - e->rests];  // 1 more than an element
            bool known = *with > 0 && AreAlike(&e->elements[*with - 1], &e->elements[at]);
            e->matrixOf[at] = !IsTurned(set) ? -1 : known ? e->matrixOf[*with - 1] : count++;
            *with = at + 1;
        }
    }
    return count;
}

static void FillMatrix(const Element* element, const ElementKind* kind, float (*rows)[9][ELEMENT_NODES])
{
    Nodes none = { 0 }, p = { 0 }, out;
    for (int c = 0; c < 3 * kind->nodeCount; ++c)
    {
        p[c / 3][c % 3] = 1;
        kind->stiffness(element, rsl_linearElement, none, p, out);
        p[c / 3][c % 3] = 0;
        for (int k = 0; k < 3 * kind->nodeCount; ++k)
        {
            rows[c / 3][3 * (c % 3) + k % 3][k / 3] = (float)out[k / 3][k % 3];
        }
    }
}

static void FillMatrices(const Kernel* kernel)
{
    ElementKernel* e = kernel->elements;
    for (int b = 0, at = 0, next = 0; b < kernel->model->bodyCount; ++b)
    {
        const rslElements* set = ElementsOf(kernel, b);
        for (int i = 0; i < set->count; ++i, ++at)
        {
            if (e->matrixOf[at] == next)
            {
                FillMatrix(&e->elements[at], KindOf(set), e->rows + (size_t)ELEMENT_NODES * (size_t)next++);
            }
        }
    }
}

// Once; where there is no memory, products with unit vectors do.
static void MakeMatrices(Kernel* kernel)
{
    ElementKernel* e = kernel->elements;
    if (e->matrixOf != NULL || kernel->nodeCount > MATRIX_NODES)
    {
        return;
    }
    int* last = rslAllocate(&kernel->arena.hooks, e->restNumbers, sizeof(int));
    int* numbers = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)e->count, sizeof(int));
    if (last != NULL && numbers != NULL)
    {
        e->matrixOf = numbers;
        size_t count = (size_t)ELEMENT_NODES * (size_t)Number(kernel, last);
        e->rows = count > 0 ? RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof e->rows[0]) : NULL;
    }
    if (e->rows != NULL)
    {
        FillMatrices(kernel);
    }
    rslRelease(&kernel->arena.hooks, last);
}

// out = factor R K R^T for a row of blocks
RSL_CLONES static void RSL_NAME(rslTurnRow)(const float (*k)[ELEMENT_NODES], const Turn turn, float factor,
                                            float (*out)[ELEMENT_NODES])
{
    rslNarrow rest[9], half[9];
    memcpy(rest, k, sizeof rest);
    for (int c = 0; c < 9; ++c)
    {
        const float* row = turn + 3 * (c % 3);
        const rslNarrow* from = rest + 3 * (c / 3);
        half[c] = from[0] * row[0] + from[1] * row[1] + from[2] * row[2];
    }
    for (int c = 0; c < 9; ++c)
    {
        const float* from = turn + 3 * (c / 3);
        const float row[3] = { factor * from[0], factor * from[1], factor * from[2] };
        rest[c] = row[0] * half[c % 3] + row[1] * half[3 + c % 3] + row[2] * half[6 + c % 3];
    }
    memcpy(out, rest, sizeof rest);
}

static void TurnedRow(const Kernel* kernel, int slot, float (*lanes)[ELEMENT_NODES])
{
    const ElementKernel* e = kernel->elements;
    int index = e->slotOwner[slot];
    const Element* element = &e->elements[index];
    size_t row = (size_t)ELEMENT_NODES * (size_t)e->matrixOf[index] + (size_t)(slot - element->first);
    float factor = (float)(1.0 + kernel->rate * (double)element->damping);
    RSL_NAME(rslTurnRow)((const float(*)[ELEMENT_NODES])e->rows[row], e->turns[index], factor, lanes);
}

// ---- rows of K ------------------------------------------------------------------------------------------------------

static void TurnChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    ElementKernel* e = kernel->elements;
    const rslElements* set = ElementsOf(kernel, chunk->body);
#if RSL_PRECISION == 64
    if (e->groups != NULL)
    {
        rslElements_GroupTurns(kernel, view, chunk);
        return;
    }
#endif
    for (int o = e->ownedStart[chunk->index]; IsTurned(set) && o < e->ownedStart[chunk->index + 1]; ++o)
    {
        const Element* element = &e->elements[e->owned[o]];
        double rest[ELEMENT_NODES][3];
        Nodes u;
        for (int c = 0; c < KindOf(set)->nodeCount; ++c)
        {
            rslVec3 at = RSL_NAME(rslKernel_RestOf)(kernel, chunk->body, element->nodes[c]);
            memcpy(rest[c], (double[3]){ at.x, at.y, at.z }, sizeof rest[c]);
        }
        Collect(element, KindOf(set)->nodeCount, view->u, u);
        FindTurn(KindOf(set)->nodeCount, rest, u, e->turns[e->owned[o]]);
    }
}

void RSL_NAME(rslElements_Look)(Kernel* kernel, const View* view)
{
    if (kernel->elements != NULL && kernel->elements->turns != NULL)
    {
        MakeMatrices(kernel);
        RSL_NAME(rslKernel_ForChunks)(kernel, view, TurnChunk, NULL);
    }
}

// K between a corner of an element and all of them, by rows: K is symmetric, so that columns are as good. Near K + r C where r
// is not 0 (kernel.h).
static void ElementRow(const Kernel* kernel, const rslElements* set, const View* view, int slot, bool turned,
                       double block[ELEMENT_NODES][9])
{
    const ElementKernel* e = kernel->elements;
    const ElementKind* kind = KindOf(set);
    int index = e->slotOwner[slot];
    const Element* element = &e->elements[index];
    double factor = 1.0 + kernel->rate * (double)element->damping;
    Nodes u, p, out;
    if (turned && e->rows != NULL)
    {
        float lanes[9][ELEMENT_NODES];
        TurnedRow(kernel, slot, lanes);
        for (int c = 0; c < 9 * ELEMENT_NODES; ++c)
        {
            block[c / 9][c % 9] = (double)lanes[c % 9][c / 9];
        }
        return;
    }
    Collect(element, kind->nodeCount, view->u, u);
    memset(p, 0, sizeof p);
    for (int axis = 0; axis < 3; ++axis)
    {
        p[slot - element->first][axis] = 1;
        if (turned)
        {
            TurnedProduct(kind, element, e->turns[index], p, out);
        }
        else
        {
            kind->stiffness(element, set->law, u, p, out);
        }
        p[slot - element->first][axis] = 0;
        for (int c = 0; c < kind->nodeCount; ++c)
        {
            for (int other = 0; other < 3; ++other)
            {
                block[c][3 * axis + other] = factor * (double)out[c][other];
            }
        }
    }
}

void RSL_NAME(rslElements_Diagonal)(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    static const int at[6] = { 0, 4, 8, 1, 2, 5 };
    const ElementKernel* e = kernel->elements;
    const rslElements* set = ElementsOf(kernel, chunk->body);
    for (int node = chunk->begin; node < chunk->end; ++node)
    {
        for (int s = e->slotStart[node]; s < e->slotStart[node + 1]; ++s)
        {
            int slot = e->nodeSlots[s];
            const Element* element = &e->elements[e->slotOwner[slot]];
            double block[ELEMENT_NODES][9];
            ElementRow(kernel, set, view, slot, kernel->relaxed && IsTurned(set), block);
            for (int c = 0; c < 6; ++c)
            {
                blocks[node - chunk->begin][c] += block[slot - element->first][at[c]];
            }
        }
    }
}

void RSL_NAME(rslElements_Couplings)(const Kernel* kernel, const View* view, int body, int node,
                                     void (*visit)(void* context, int other, const double block[9]), void* context)
{
    const ElementKernel* e = kernel->elements;
    const rslElements* set = ElementsOf(kernel, body);
    if (set->count == 0)
    {
        return;
    }
    for (int s = e->slotStart[node]; s < e->slotStart[node + 1]; ++s)
    {
        int slot = e->nodeSlots[s];
        const Element* element = &e->elements[e->slotOwner[slot]];
        double block[ELEMENT_NODES][9];
        if (view != NULL)
        {
            ElementRow(kernel, set, view, slot, !kernel->exact && IsTurned(set), block);
        }
        for (int c = 0; c < KindOf(set)->nodeCount; ++c)
        {
            if (element->nodes[c] != node)
            {
                visit(context, element->nodes[c], view != NULL ? block[c] : NULL);
            }
        }
    }
}

bool RSL_NAME(rslElements_AddRow)(const Kernel* kernel, int body, int node, const uint16_t* place, double* sums,
                                  size_t stride)
{
    const ElementKernel* e = kernel->elements;
    if (e == NULL || e->rows == NULL || kernel->exact || !IsTurned(ElementsOf(kernel, body)))
    {
        return false;
    }
    int count = KindOf(ElementsOf(kernel, body))->nodeCount;
    for (int s = e->slotStart[node]; s < e->slotStart[node + 1]; ++s)
    {
        const Element* element = &e->elements[e->slotOwner[e->nodeSlots[s]]];
        float lanes[9][ELEMENT_NODES];
        TurnedRow(kernel, e->nodeSlots[s], lanes);
        for (int b = 0; b < count; ++b)
        {
            if (element->nodes[b] != node)
            {
                double* sum = sums + *place++;
                for (size_t c = 0; c < 9; ++c)
                {
                    sum[c * stride] += (double)lanes[c][b];
                }
            }
        }
    }
    return true;
}
