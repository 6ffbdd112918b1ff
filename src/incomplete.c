// SPDX-License-Identifier: MIT
//
// incomplete.c: see incomplete.h. Rows are ordered along the longest side of the model, which keeps neighbours close.
//
//   K ~ (B + D) D^-1 (D + B^T), B left of the diagonal with the pattern of K:
//   B_ik = K_ik - sum_j B_ij D_j^-1 B_kj^T,  D_i = (1 + s) K_ii - sum_k B_ik D_k^-1 B_ik^T
// A network with few springs may have a pivot that is not positive: then s = 0.01, doubled until none is.
// One thread: rows depend on each other.

#include "incomplete.h"

#include "build.h"
#include "statics.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SHIFTS = 12
};

// ---- making -------------------------------------------------------------------------------------------------------

typedef struct Key
{
    double at;
    int node;
} Key;

static int CompareKeys(const void* a, const void* b)
{
    const Key *p = a, *q = b;
    return p->at != q->at ? (p->at > q->at) - (p->at < q->at) : (p->node > q->node) - (p->node < q->node);
}

static bool MakeOrder(rslIncomplete* m, const rslModel* model, const rslHooks* hooks)
{
    size_t count = (size_t)m->count;
    double* x = rslAllocate(hooks, 3 * count, sizeof(double));
    Key* keys = rslAllocate(hooks, count, sizeof(Key));
    bool made = x != NULL && keys != NULL;
    double longest = -1.0;
    for (int b = 0; made && b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        int end = body->firstNode + body->nodeCount;
        rslBody_WorldRest(body, body->firstNode, end, &x[3 * (size_t)body->firstNode]);
    }
    for (size_t axis = 0; made && axis < 3; ++axis)
    {
        double low = x[axis], high = x[axis];
        for (size_t i = 0; i < count; ++i)
        {
            low = x[3 * i + axis] < low ? x[3 * i + axis] : low;
            high = x[3 * i + axis] > high ? x[3 * i + axis] : high;
        }
        for (size_t i = 0; high - low > longest && i < count; ++i)
        {
            keys[i] = (Key){ x[3 * i + axis], (int)i };
        }
        longest = high - low > longest ? high - low : longest;
    }
    if (made)
    {
        qsort(keys, count, sizeof(Key), CompareKeys);
    }
    for (int i = 0; made && i < m->count; ++i)
    {
        m->order[i] = keys[i].node;
        m->rank[keys[i].node] = i;
    }
    rslRelease(hooks, keys);
    rslRelease(hooks, x);
    return made;
}

static int CompareInts(const void* a, const void* b)
{
    int p = *(const int*)a, q = *(const int*)b;
    return (p > q) - (p < q);
}

// Earlier rows that a row has springs to, while they are found.
typedef struct Columns
{
    const rslIncomplete* m;
    int row, count;
    int* list;  // NULL: only counted
} Columns;

static void AddColumn(void* context, int other, const double block[9])
{
    (void)block;
    Columns* columns = context;
    int column = columns->list != NULL ? columns->m->rank[other] : -1;
    if (column < columns->row)
    {
        columns->count += 1;
    }
    if (columns->list != NULL && column < columns->row)
    {
        columns->list[columns->count - 1] = column;
    }
}

// Each once.
static int FindColumns(const rslIncomplete* m, int row, int* list)
{
    Columns found = { m, row, 0, list };
    int count = 0;
    rslStatics_Springs(m->kernel, NULL, m->order[row], AddColumn, &found);
    qsort(list, (size_t)found.count, sizeof(int), CompareInts);
    for (int c = 0; c < found.count; ++c)
    {
        if (c == 0 || list[c] != list[c - 1])
        {
            list[count++] = list[c];
        }
    }
    return count;
}

bool rslIncomplete_Make(rslIncomplete* m, const rslModel* model, const rslUnknowns* unknowns, void* kernel,
                        rslArena* arena)
{
    *m = (rslIncomplete){ .unknowns = unknowns, .kernel = kernel };
    m->count = model->nodeCount;
    size_t count = (size_t)m->count;
    Columns all = { .row = m->count };
    for (int i = 0; i < m->count; ++i)
    {
        rslStatics_Springs(kernel, NULL, i, AddColumn, &all);
    }
    size_t springs = (size_t)all.count;
    m->order = rslArena_Allocate(arena, count, sizeof(int));
    m->rank = rslArena_Allocate(arena, count, sizeof(int));
    m->rowStart = rslArena_Allocate(arena, count + 1, sizeof(int));
    m->column = rslArena_Allocate(arena, springs, sizeof(int));
    m->block = rslArena_Allocate(arena, springs / 2 + 1, sizeof(double[9]));
    m->inverse = rslArena_Allocate(arena, count, sizeof(double[6]));
    m->x = rslArena_Allocate(arena, count, sizeof(double[3]));
    m->sum = rslArena_Allocate(arena, count, sizeof(double[3]));
    bool made = m->order != NULL && m->rank != NULL && m->rowStart != NULL && m->column != NULL && m->block != NULL &&
                m->inverse != NULL && m->x != NULL && m->sum != NULL && MakeOrder(m, model, &arena->hooks);
    for (int i = 0; made && i < m->count; ++i)
    {
        m->rowStart[i + 1] = m->rowStart[i] + FindColumns(m, i, m->column + m->rowStart[i]);
    }
    return made;
}

// ---- factorisation ----------------------------------------------------------------------------------------------------

// out -= B S C^T
static void Subtract(double out[9], const double b[9], const double s[6], const double c[9])
{
    for (int column = 0; column < 3; ++column)
    {
        double line[3];
        rslBlock_Times(s, &c[3 * column], line);
        for (int row = 0; row < 3; ++row)
        {
            out[3 * row + column] -= b[3 * row] * line[0] + b[3 * row + 1] * line[1] + b[3 * row + 2] * line[2];
        }
    }
}

typedef struct Filling
{
    rslIncomplete* m;
    int row;
} Filling;

static void FillSpring(void* context, int other, const double block[9])
{
    const Filling* filling = context;
    rslIncomplete* m = filling->m;
    int e = m->rowStart[filling->row], end = m->rowStart[filling->row + 1];
    double full[9];
    while (e < end && m->column[e] != m->rank[other])
    {
        ++e;
    }
    if (e < end)
    {
        memcpy(full, block, sizeof full);
        rslBlock_Project(full, rslUnknowns_Projector(m->unknowns, m->order[filling->row]),
                         rslUnknowns_Projector(m->unknowns, other));
        for (int c = 0; c < 9; ++c)
        {
            m->block[e][c] += full[c];
        }
    }
}

// The entries of K in a row, F_i K_ij F_j, added up over springs between the same nodes.
static void FillRow(rslIncomplete* m, const rslState* state, int row)
{
    Filling filling = { m, row };
    int begin = m->rowStart[row];
    memset(m->block[begin], 0, (size_t)(m->rowStart[row + 1] - begin) * sizeof m->block[0]);
    rslStatics_Springs(m->kernel, state, m->order[row], FillSpring, &filling);
    rslStatics_Repulsion(m->kernel, state, m->order[row], FillSpring, &filling);
}

static bool FactorRow(rslIncomplete* m, int row, const double diagonal[6], double shift)
{
    double pivot[9] = { 0 }, block[6], trace;
    memcpy(block, diagonal, sizeof block);
    rslBlock_Free(block, rslUnknowns_Projector(m->unknowns, m->order[row]));
    trace = block[0] + block[1] + block[2];
    for (int e = m->rowStart[row]; e < m->rowStart[row + 1]; ++e)
    {
        int k = m->column[e];
        for (int i = m->rowStart[row], j = m->rowStart[k]; i < e && j < m->rowStart[k + 1];)
        {
            if (m->column[i] == m->column[j])
            {
                Subtract(m->block[e], m->block[i], m->inverse[m->column[i]], m->block[j]);
            }
            int a = m->column[i], b = m->column[j];
            i += a <= b;
            j += b <= a;
        }
        Subtract(pivot, m->block[e], m->inverse[k], m->block[e]);
    }
    const int at[6] = { 0, 4, 8, 1, 2, 5 };
    for (int c = 0; c < 6; ++c)
    {
        block[c] = (1.0 + shift) * block[c] + pivot[at[c]];
    }
    // minors: is it positive?
    double minor = block[0] * block[1] - block[3] * block[3], least = 1e-6 * trace;
    double whole = block[2] * minor - block[0] * block[5] * block[5] - block[1] * block[4] * block[4] +
                   2.0 * block[3] * block[4] * block[5];
    rslBlock_Invert(block, m->inverse[row]);
    return block[0] > least && minor > least * block[0] && whole > least * minor;
}

void rslIncomplete_Update(rslIncomplete* m, const rslState* state, const double (*diagonal)[6])
{
    double shift = 0.0;
    m->usable = false;
    for (int s = 0; s < SHIFTS && !m->usable; ++s)
    {
        m->usable = true;
        for (int i = 0; m->usable && i < m->count; ++i)
        {
            FillRow(m, state, i);
            m->usable = FactorRow(m, i, diagonal[m->order[i]], shift);
        }
        shift = shift > 0.0 ? 2.0 * shift : 0.01;
    }
}

// ---- solving ----------------------------------------------------------------------------------------------------------

void rslIncomplete_Apply(rslIncomplete* m, const rslNodeVector* r, const rslNodeVector* z)
{
    for (int i = 0; i < m->count; ++i)
    {
        int node = m->order[i];
        double y[3] = { r->x[0][node], r->x[1][node], r->x[2][node] };
        for (int e = m->rowStart[i]; e < m->rowStart[i + 1]; ++e)
        {
            const double *b = m->block[e], *w = m->x[m->column[e]];
            y[0] -= b[0] * w[0] + b[1] * w[1] + b[2] * w[2];
            y[1] -= b[3] * w[0] + b[4] * w[1] + b[5] * w[2];
            y[2] -= b[6] * w[0] + b[7] * w[1] + b[8] * w[2];
        }
        rslBlock_Times(m->inverse[i], y, m->x[i]);
        memset(m->sum[i], 0, sizeof m->sum[i]);
    }
    for (int i = m->count - 1; i >= 0; --i)
    {
        double back[3];
        rslBlock_Times(m->inverse[i], m->sum[i], back);
        for (int axis = 0; axis < 3; ++axis)
        {
            m->x[i][axis] -= back[axis];
            z->x[axis][m->order[i]] = m->x[i][axis];
        }
        for (int e = m->rowStart[i]; e < m->rowStart[i + 1]; ++e)
        {
            const double *b = m->block[e], *x = m->x[i];
            double* sum = m->sum[m->column[e]];
            sum[0] += b[0] * x[0] + b[3] * x[1] + b[6] * x[2];
            sum[1] += b[1] * x[0] + b[4] * x[1] + b[7] * x[2];
            sum[2] += b[2] * x[0] + b[5] * x[1] + b[8] * x[2];
        }
    }
    rslUnknowns_Project(m->unknowns, z);
}
