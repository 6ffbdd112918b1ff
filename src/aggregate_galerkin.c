// SPDX-License-Identifier: MIT
//
// aggregate_galerkin.c: see aggregate.h.
//
//   P_i = P0_i - w D_i^-1 sum_j A_ij P0_j,  w = 4 / (3 l)
//   A_IJ = sum over children i of I of P_iI^T (A P)_iJ,  gathered by each coarse node in the order of its children for
//   J >= I; the other half is the transpose
// Every row is made by one thread in a fixed order. Blocks are stored by columns.

#include "aggregate.h"

#include <string.h>

enum
{
    SQUARE = RSL_MULTIGRID_WIDTH * RSL_MULTIGRID_WIDTH,
    GATHER = 32,  // coarse nodes that one item of work takes
    BATCH = 64,   // blocks of a row of P that are smoothed at a time
    BUFFER = 128  // longest row of A whose products are kept
};

typedef struct Task
{
    rslMultigrid* grid;
    int level;  // the fine one
    rslLevel *fine, *coarse;
    bool lattices;  // some bodies are
} Task;

// ---- rows of A --------------------------------------------------------------------------------------------------------

// What is done with A_ij, by columns.
typedef void RowFunction(void* context, int j, const double* a);

typedef struct NodeRow
{
    const Task* task;
    RowFunction* function;
    void* context;
    int node;
    const double* held;
    double diagonal[9];  // by rows
} NodeRow;

static void Turn(const double rows[9], double columns[9])
{
    for (int c = 0; c < 9; ++c)
    {
        columns[c] = rows[3 * (c % 3) + c / 3];
    }
}

static void TellSpring(void* context, int other, const double block[9])
{
    NodeRow* row = context;
    double a[9], columns[9];
    for (int c = 0; c < 9; ++c)
    {
        row->diagonal[c] -= block[c];
    }
    memcpy(a, block, sizeof a);
    rslBlock_Project(a, row->held, rslUnknowns_Projector(row->task->grid->unknowns, other));
    Turn(a, columns);
    row->function(row->context, other, columns);
}

// A link has a share in the node itself.
static void TellLink(void* context, int other, const double block[9])
{
    NodeRow* row = context;
    double a[9], columns[9];
    for (int c = 0; c < 9 && other == row->node; ++c)
    {
        row->diagonal[c] += block[c];
    }
    if (other != row->node)
    {
        memcpy(a, block, sizeof a);
        rslBlock_Project(a, row->held, rslUnknowns_Projector(row->task->grid->unknowns, other));
        Turn(a, columns);
        row->function(row->context, other, columns);
    }
}

// -(k - t) n n^T - t I by rows
static void SpringBlock(const float s[5], double out[9])
{
    for (int c = 0; c < 9; ++c)
    {
        out[c] = -(double)s[3] * (double)s[c / 3] * (double)s[c % 3] - (c % 4 == 0 ? (double)s[4] : 0.0);
    }
}

static void SkipBlock(void* context, int j, const double* a)
{
    (void)context;
    (void)j;
    (void)a;
}

// F A_ij F of a node, the diagonal last; returns the diagonal block before projection (xx yy zz xy xz yz).
static void VisitNode(const Task* task, int node, RowFunction* function, void* context, double out[6])
{
    const rslMultigrid* grid = task->grid;
    const int at[6] = { 0, 4, 8, 1, 2, 5 };
    NodeRow row = { .task = task, .function = function, .context = context, .node = node };
    double ground[6], columns[9];
    row.held = rslUnknowns_Projector(grid->unknowns, node);
    for (int e = grid->levels[0].rowStart[node]; e < grid->levels[0].rowStart[node + 1]; ++e)
    {
        double block[9];
        SpringBlock(grid->levels[0].spring[e], block);
        TellSpring(&row, grid->levels[0].column[e], block);
    }
    if (task->lattices)
    {
        rslStatics_Bonds(grid->kernel, grid->state, node, TellSpring, &row);
    }
    rslStatics_Links(grid->kernel, grid->state, node, TellLink, &row);
    rslStatics_Ground(grid->kernel, grid->state, node, ground);
    for (int c = 0; c < 6; ++c)
    {
        out[c] = row.diagonal[at[c]] + ground[c];
    }
    double whole[9] = { out[0], out[3], out[4], out[3], out[1], out[5], out[4], out[5], out[2] };
    rslBlock_Project(whole, row.held, row.held);
    Turn(whole, columns);
    function(context, node, columns);
}

static void VisitRow(const Task* task, int i, RowFunction* function, void* context)
{
    const rslLevel* fine = task->fine;
    size_t square = (size_t)fine->width * (size_t)fine->width;
    double diagonal[6];
    if (fine->wide == NULL)
    {
        VisitNode(task, i, function, context, diagonal);
        return;
    }
    for (int e = fine->rowStart[i]; e < fine->rowStart[i + 1]; ++e)
    {
        function(context, fine->column[e], fine->wide + square * (size_t)e);
    }
    function(context, i, fine->wideDiagonal + square * (size_t)i);
}

// ---- products of blocks ---------------------------------------------------------------------------------------------

// out += A P: rows x rows times rows x width
static inline void AddProduct(size_t rows, size_t width, const double* a, const float* p, double* out)
{
    for (size_t c = 0; c < width; ++c)
    {
        for (size_t k = 0; k < rows; ++k)
        {
            double factor = (double)p[rows * c + k];
            for (size_t r = 0; r < rows; ++r)
            {
                out[rows * c + r] += a[rows * k + r] * factor;
            }
        }
    }
}

// out += P^T Q: both rows x width
static inline void AddTransposed(size_t rows, size_t width, const float* p, const double* q, double* out)
{
    for (size_t c = 0; c < width; ++c)
    {
        for (size_t k = 0; k < rows; ++k)
        {
            double factor = q[rows * c + k];
            for (size_t r = 0; r < width; ++r)
            {
                out[width * c + r] += (double)p[rows * r + k] * factor;
            }
        }
    }
}

// The sizes are spelled out, so that the compiler knows them.
static void AddAP(size_t rows, size_t width, const double* a, const float* p, double* out)
{
    if (rows == 3 && width == 6)
    {
        AddProduct(3, 6, a, p, out);
    }
    else if (rows == 6)
    {
        AddProduct(6, 6, a, p, out);
    }
    else
    {
        AddProduct(3, 3, a, p, out);
    }
}

static void AddPTQ(size_t rows, size_t width, const float* p, const double* q, double* out)
{
    if (rows == 3 && width == 6)
    {
        AddTransposed(3, 6, p, q, out);
    }
    else if (rows == 6)
    {
        AddTransposed(6, 6, p, q, out);
    }
    else
    {
        AddTransposed(3, 3, p, q, out);
    }
}

// ---- interpolation ----------------------------------------------------------------------------------------------------

typedef struct Smoothing
{
    const rslLevel* fine;
    size_t width;
    int begin, count;  // of the parents at hand
    double sum[BATCH][SQUARE];
} Smoothing;

// sum of A_ij P0_j into the parent that is j's aggregate
static void AddTentative(void* context, int j, const double* a)
{
    Smoothing* s = context;
    const int* parents = s->fine->parent + s->begin;
    int aggregate = s->fine->aggregates->of[j], at = rslFindEntry(parents, s->count, aggregate);
    size_t rows = (size_t)s->fine->width;
    if (aggregate >= 0 && parents[at] == aggregate)
    {
        AddAP(rows, s->width, a, s->fine->aggregates->tentative + rows * s->width * (size_t)j, s->sum[at]);
    }
}

static void SmoothParents(const Task* task, Smoothing* s, int i)
{
    rslLevel* fine = task->fine;
    size_t rows = (size_t)fine->width, size = rows * s->width;
    double omega = fine->largest > 0.0 ? 4.0 / (3.0 * fine->largest) : 0.0;
    memset(s->sum, 0, (size_t)s->count * sizeof s->sum[0]);
    VisitRow(task, i, AddTentative, s);
    for (int p = 0; p < s->count; ++p)
    {
        bool own = fine->parent[s->begin + p] == fine->aggregates->of[i];
        float* out = fine->weight + size * (size_t)(s->begin + p);
        for (size_t c = 0; c < s->width; ++c)
        {
            double z[RSL_MULTIGRID_WIDTH];
            rslLevel_Inverse(fine, i, &s->sum[p][rows * c], z);
            for (size_t r = 0; r < rows; ++r)
            {
                double tentative = own ? (double)fine->aggregates->tentative[size * (size_t)i + rows * c + r] : 0.0;
                out[rows * c + r] = (float)(tentative - omega * z[r]);
            }
        }
    }
}

static void SmoothBlock(int item, void* context)
{
    const Task* task = context;
    int last = rslLevel_End(item, task->fine->count);
    Smoothing smoothing;
    smoothing.fine = task->fine;
    smoothing.width = (size_t)task->coarse->width;
    for (int i = RSL_LEVEL_BLOCK * item; i < last; ++i)
    {
        int end = task->fine->parentStart[i + 1];
        for (smoothing.begin = task->fine->parentStart[i]; smoothing.begin < end; smoothing.begin += BATCH)
        {
            smoothing.count = end - smoothing.begin < BATCH ? end - smoothing.begin : BATCH;
            SmoothParents(task, &smoothing, i);
        }
    }
}

// ---- the coarse matrix --------------------------------------------------------------------------------------------------

typedef struct CoarseRow
{
    const Task* task;
    int node, begin, count;  // coarse node, its blocks without the diagonal
    double *blocks, *diagonal;
    const float* weight;             // P_iI of the child at hand
    int touched[BUFFER], found;      // blocks of A P that are not zero
    bool used[BUFFER];               // J by place in the row, the last one is the diagonal
    double product[BUFFER][SQUARE];  // (A P)_iJ
} CoarseRow;

static double* TargetOf(const CoarseRow* row, int at)
{
    size_t width = (size_t)row->task->coarse->width;
    return at == row->count ? row->diagonal : row->blocks + width * width * (size_t)at;
}

// Where the products of a row are not kept: straight into the sums.
static void AddDirectly(CoarseRow* row, const double* a, const float* weight, int at)
{
    size_t rows = (size_t)row->task->fine->width, width = (size_t)row->task->coarse->width;
    double product[SQUARE] = { 0 };
    AddAP(rows, width, a, weight, product);
    AddPTQ(rows, width, row->weight, product, TargetOf(row, at));
}

static void AddRowProduct(void* context, int j, const double* a)
{
    CoarseRow* row = context;
    const rslLevel *fine = row->task->fine, *coarse = row->task->coarse;
    size_t rows = (size_t)fine->width, width = (size_t)coarse->width;
    for (int p = fine->parentStart[j + 1] - 1; p >= fine->parentStart[j] && fine->parent[p] >= row->node; --p)
    {
        const float* weight = fine->weight + rows * width * (size_t)p;
        int at = row->count;
        if (fine->parent[p] != row->node)
        {
            at = rslFindEntry(coarse->column + row->begin, row->count, fine->parent[p]);
        }
        if (row->count >= BUFFER)
        {
            AddDirectly(row, a, weight, at);
            continue;
        }
        if (!row->used[at])
        {
            memset(row->product[at], 0, rows * width * sizeof(double));
            row->used[at] = true;
            row->touched[row->found++] = at;
        }
        AddAP(rows, width, a, weight, row->product[at]);
    }
}

static void GatherRow(CoarseRow* row, int node)
{
    const rslLevel* fine = row->task->fine;
    rslLevel* coarse = row->task->coarse;
    size_t rows = (size_t)fine->width, width = (size_t)coarse->width, square = width * width;
    row->node = node;
    row->begin = coarse->rowStart[node];
    row->count = coarse->rowStart[node + 1] - row->begin;
    row->blocks = coarse->wide + square * (size_t)row->begin;
    row->diagonal = coarse->wideDiagonal + square * (size_t)node;
    memset(row->blocks, 0, square * (size_t)row->count * sizeof(double));
    memset(row->diagonal, 0, square * sizeof(double));
    for (int c = fine->childStart[node]; c < fine->childStart[node + 1]; ++c)
    {
        row->weight = fine->weight + rows * width * (size_t)fine->childEntry[c];
        row->found = 0;
        VisitRow(row->task, fine->child[c], AddRowProduct, row);
        for (int t = 0; t < row->found; ++t)
        {
            int at = row->touched[t];
            AddPTQ(rows, width, row->weight, row->product[at], TargetOf(row, at));
            row->used[at] = false;
        }
    }
}

static int GatherEnd(int item, int count)
{
    return count - GATHER * item < GATHER ? count : GATHER * (item + 1);
}

static void GatherBlock(int item, void* context)
{
    const Task* task = context;
    int end = GatherEnd(item, task->coarse->count);
    CoarseRow row;
    row.task = task;
    memset(row.used, 0, sizeof row.used);
    for (int i = GATHER * item; i < end; ++i)
    {
        GatherRow(&row, i);
    }
}

// The inverse of a symmetric block by A = L D L^T. A pivot below 1e-9 of the trace counts as the trace, as for nodes.
static void InvertWide(size_t width, const double* a, float* inverse)
{
    double l[RSL_MULTIGRID_WIDTH][RSL_MULTIGRID_WIDTH] = { 0 }, d[RSL_MULTIGRID_WIDTH], trace = 0.0;
    for (size_t c = 0; c < width; ++c)
    {
        trace += a[width * c + c];
    }
    for (size_t r = 0; r < width; ++r)
    {
        for (size_t c = 0; c <= r; ++c)
        {
            double sum = a[width * c + r];
            for (size_t k = 0; k < c; ++k)
            {
                sum -= l[r][k] * l[c][k] * d[k];
            }
            if (c == r)
            {
                d[r] = sum > 1e-9 * trace ? sum : trace;
            }
            else
            {
                l[r][c] = trace > 0.0 ? sum / d[c] : 0.0;
            }
        }
    }
    for (size_t c = 0; c < width; ++c)
    {
        double x[RSL_MULTIGRID_WIDTH] = { 0 };
        x[c] = trace > 0.0 ? 1.0 : 0.0;
        for (size_t r = c + 1; r < width; ++r)
        {
            for (size_t k = c; k < r; ++k)
            {
                x[r] -= l[r][k] * x[k];
            }
        }
        for (size_t r = width; r-- > 0;)
        {
            x[r] = trace > 0.0 ? x[r] / d[r] : 0.0;
            for (size_t k = r + 1; k < width; ++k)
            {
                x[r] -= l[k][r] * x[k];
            }
            if (r <= c)
            {
                inverse[width * c + r] = inverse[width * r + c] = (float)x[r];
            }
        }
    }
}

// The half that was not gathered, and the inverse of the diagonal.
static void MirrorBlock(int item, void* context)
{
    const Task* task = context;
    rslLevel* coarse = task->coarse;
    size_t width = (size_t)coarse->width, square = width * width;
    int end = GatherEnd(item, coarse->count);
    for (int i = GATHER * item; i < end; ++i)
    {
        double* diagonal = coarse->wideDiagonal + square * (size_t)i;
        for (int e = coarse->rowStart[i]; e < coarse->rowStart[i + 1] && coarse->column[e] < i; ++e)
        {
            int j = coarse->column[e], begin = coarse->rowStart[j];
            int at = begin + rslFindEntry(coarse->column + begin, coarse->rowStart[j + 1] - begin, i);
            for (size_t c = 0; c < square; ++c)
            {
                coarse->wide[square * (size_t)e + c] =
                    coarse->wide[square * (size_t)at + width * (c % width) + c / width];
            }
        }
        for (size_t c = 0; c < square; ++c)
        {
            if (c / width < c % width)
            {
                diagonal[width * (c % width) + c / width] = diagonal[c];
            }
        }
        InvertWide(width, diagonal, coarse->wideInverse + square * (size_t)i);
    }
}

// ---- all levels -----------------------------------------------------------------------------------------------------

static void StoreSprings(int item, void* context)
{
    const Task* task = context;
    int end = rslLevel_End(item, task->fine->count);
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        if (task->fine->rowStart[i + 1] > task->fine->rowStart[i])
        {
            rslStatics_Store(task->grid->kernel, task->grid->state, i, task->fine->spring + task->fine->rowStart[i]);
        }
    }
}

static bool HasLattice(const rslModel* model)
{
    bool found = false;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        found = found || model->bodies[b].kind == rsl_latticeBody || model->bodies[b].elements.count > 0;
    }
    return found;
}

static void InvertNodes(int item, void* context)
{
    const Task* task = context;
    int end = rslLevel_End(item, task->fine->count);
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        double block[6], inverse[6];
        VisitNode(task, i, SkipBlock, NULL, block);
        rslBlock_Free(block, rslUnknowns_Projector(task->grid->unknowns, i));
        rslBlock_Invert(block, inverse);
        for (int c = 0; c < 6; ++c)
        {
            task->fine->inverse[i][c] = (float)inverse[c];
        }
    }
}

void rslAggregate_Update(rslMultigrid* grid, const rslState* state)
{
    rslTeam* team = grid->unknowns->team;
    grid->state = state;
    for (int k = 0; k + 1 < grid->levelCount; ++k)
    {
        Task task = { grid, k, &grid->levels[k], &grid->levels[k + 1], HasLattice(grid->model) };
        int items = rslLevel_Items(task.fine->count), gathers = (task.coarse->count + GATHER - 1) / GATHER;
        if (k == 0 && !grid->stored)
        {
            rslTeam_Run(team, StoreSprings, items, &task);
            rslTeam_Run(team, InvertNodes, items, &task);
        }
        if (k == 0)
        {
            rslMultigrid_FindLargest(grid, 0);
        }
        rslAggregate_FindModes(grid, k);
        rslTeam_Run(team, SmoothBlock, items, &task);
        rslTeam_Run(team, GatherBlock, gathers, &task);
        rslTeam_Run(team, MirrorBlock, gathers, &task);
        rslMultigrid_FindLargest(grid, k + 1);
    }
    rslMultigrid_FactorLast(grid);
}
