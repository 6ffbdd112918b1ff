// SPDX-License-Identifier: MIT
//
// direct.c: see direct.h. The lower triangle of K by columns. The columns of node i hold its own block and then the blocks of
// the nodes after it, three numbers each:
//
//   column 3 i + c:  rows 3 i + c .. 3 i + 2,  then 3 j, 3 j + 1, 3 j + 2 for every j
// Held directions have the trace of the block on the diagonal and nothing else.

#include "direct.h"

#include "ascending.h"
#include "statics.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BLOCK = 512  // nodes that one item of work takes
};

// ---- pattern --------------------------------------------------------------------------------------------------------

typedef struct Others
{
    int node;
    int64_t count;
    int* list;  // NULL: only counted
} Others;

static void AddOther(void* context, int other, const double block[9])
{
    (void)block;
    Others* others = context;
    if (other > others->node)
    {
        if (others->list != NULL)
        {
            others->list[others->count] = other;
        }
        others->count += 1;
    }
}

static void VisitOthers(const rslFactored* m, Others* others)
{
    rslStatics_Springs(m->kernel, NULL, others->node, AddOther, others);
    rslStatics_Links(m->kernel, NULL, others->node, AddOther, others);
}

static int CompareInts(const void* a, const void* b)
{
    int p = *(const int*)a, q = *(const int*)b;
    return (p > q) - (p < q);
}

// The nodes after each, each once.
static bool FindOthers(rslFactored* m, rslArena* arena)
{
    Others all = { 0 };
    for (all.node = 0; all.node < m->count; ++all.node)
    {
        VisitOthers(m, &all);
    }
    m->start = rslArena_Allocate(arena, (size_t)m->count + 1, sizeof(int));
    m->other = all.count <= INT_MAX / 9 - m->count ? rslArena_Allocate(arena, (size_t)all.count, sizeof(int)) : NULL;
    if (m->start == NULL || m->other == NULL)
    {
        return false;
    }
    for (int i = 0; i < m->count; ++i)
    {
        int *list = m->other + m->start[i], kept = 0;
        Others mine = { i, 0, list };
        VisitOthers(m, &mine);
        qsort(list, (size_t)mine.count, sizeof(int), CompareInts);
        for (int k = 0; k < mine.count; ++k)
        {
            if (k == 0 || list[k] != list[k - 1])
            {
                list[kept++] = list[k];
            }
        }
        m->start[i + 1] = m->start[i] + kept;
    }
    return true;
}

static void FillPattern(rslFactored* m)
{
    int at = 0;
    for (int i = 0; i < m->count; ++i)
    {
        for (int c = 0; c < 3; ++c)
        {
            m->columnStart[3 * i + c] = at;
            for (int r = c; r < 3; ++r)
            {
                m->row[at++] = 3 * i + r;
            }
            for (int k = 3 * m->start[i]; k < 3 * m->start[i + 1]; ++k)
            {
                m->row[at++] = 3 * m->other[k / 3] + k % 3;
            }
        }
    }
    m->columnStart[3 * m->count] = at;
}

bool rslFactored_Make(rslFactored* m, const rslDirect* library, const rslModel* model, const rslUnknowns* unknowns,
                      void* kernel, rslArena* arena)
{
    *m = (rslFactored){ .library = library, .unknowns = unknowns, .kernel = kernel, .count = model->nodeCount };
    if (!FindOthers(m, arena))
    {
        return false;
    }
    size_t size = 3 * (size_t)m->count, entries = 6 * (size_t)m->count + 9 * (size_t)m->start[m->count];
    m->columnStart = rslArena_Allocate(arena, size + 1, sizeof(int));
    m->row = rslArena_Allocate(arena, entries, sizeof(int));
    m->value = rslArena_Allocate(arena, entries, sizeof(double));
    m->b = rslArena_Allocate(arena, size, sizeof(double));
    m->x = rslArena_Allocate(arena, size, sizeof(double));
    if (m->columnStart == NULL || m->row == NULL || m->value == NULL || m->b == NULL || m->x == NULL)
    {
        return false;
    }
    FillPattern(m);
    m->factor = library != NULL ? library->create((int)size, m->columnStart, m->row) : NULL;
    return library == NULL || m->factor != NULL;
}

void rslFactored_Free(rslFactored* m)
{
    if (m->factor != NULL)
    {
        m->library->destroy(m->factor);
        m->factor = NULL;
    }
}

// ---- numbers ----------------------------------------------------------------------------------------------------------

typedef struct Filling
{
    rslFactored* m;
    int node;
    const double* held;
    double diagonal[9];  // by rows
} Filling;

// K_ij adds its transpose to the rows of j.
static void AddBlock(const Filling* filling, int j, const double block[9])
{
    rslFactored* m = filling->m;
    int i = filling->node, at = rslFirstFrom(m->other, m->start[i], m->start[i + 1] - 1, j);
    double a[9];
    memcpy(a, block, sizeof a);
    rslBlock_Project(a, filling->held, rslUnknowns_Projector(m->unknowns, j));
    for (int c = 0; c < 3; ++c)
    {
        double* to = m->value + m->columnStart[3 * i + c] + (3 - c) + 3 * (at - m->start[i]);
        for (int r = 0; r < 3; ++r)
        {
            to[r] += a[3 * c + r];
        }
    }
}

static void AddSpring(void* context, int other, const double block[9])
{
    Filling* filling = context;
    for (int c = 0; c < 9; ++c)
    {
        filling->diagonal[c] -= block[c];
    }
    if (other > filling->node)
    {
        AddBlock(filling, other, block);
    }
}

static void AddLink(void* context, int other, const double block[9])
{
    Filling* filling = context;
    for (int c = 0; other == filling->node && c < 9; ++c)
    {
        filling->diagonal[c] += block[c];
    }
    if (other > filling->node)
    {
        AddBlock(filling, other, block);
    }
}

static void FillNode(rslFactored* m, int i)
{
    static const int packed[9] = { 0, 3, 4, 3, 1, 5, 4, 5, 2 }, full[6] = { 0, 4, 8, 1, 2, 5 };
    Filling filling = { .m = m, .node = i, .held = rslUnknowns_Projector(m->unknowns, i) };
    double block[6];
    rslStatics_Springs(m->kernel, m->state, i, AddSpring, &filling);
    rslStatics_Links(m->kernel, m->state, i, AddLink, &filling);
    rslStatics_Ground(m->kernel, m->state, i, block);
    for (int c = 0; c < 6; ++c)
    {
        block[c] += filling.diagonal[full[c]];
    }
    rslBlock_Free(block, filling.held);
    for (int c = 0; c < 3; ++c)
    {
        for (int r = c; r < 3; ++r)
        {
            m->value[m->columnStart[3 * i + c] + r - c] = block[packed[3 * r + c]];
        }
    }
}

static void FillNodes(int item, void* context)
{
    rslFactored* m = context;
    int begin = BLOCK * item, end = m->count - begin < BLOCK ? m->count : begin + BLOCK;
    size_t from = (size_t)m->columnStart[3 * begin], to = (size_t)m->columnStart[3 * end];
    memset(m->value + from, 0, (to - from) * sizeof(double));
    for (int i = begin; i < end; ++i)
    {
        FillNode(m, i);
    }
}

static bool Factor(rslFactored* m)
{
    rslTeam_Run(m->unknowns->team, FillNodes, (m->count + BLOCK - 1) / BLOCK, m);
    return m->library != NULL && m->library->factor(m->factor, m->value);
}

void rslFactored_Update(rslFactored* m, const rslState* state)
{
    m->state = state;
    bool exact = rslStatics_SetExact(m->kernel, true);
    m->usable = Factor(m);
    rslStatics_SetExact(m->kernel, exact);
    if (!m->usable && m->library != NULL && !exact)
    {
        m->usable = Factor(m);
    }
}

bool rslFactored_Apply(rslFactored* m, const rslNodeVector* r, const rslNodeVector* z)
{
    for (int k = 0; k < 3 * m->count; ++k)
    {
        m->b[k] = r->x[k % 3][k / 3];
    }
    bool solved = m->library->solve(m->factor, m->b, m->x);
    for (int k = 0; solved && k < 3 * m->count; ++k)
    {
        z->x[k % 3][k / 3] = m->x[k];
    }
    if (solved)
    {
        rslUnknowns_Project(m->unknowns, z);
    }
    return solved;
}
