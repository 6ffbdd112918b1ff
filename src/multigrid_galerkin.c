// SPDX-License-Identifier: MIT
//
// multigrid_galerkin.c: see multigrid.h. A_IJ = sum over children i of I and j of J of w_i w_j F_i A_ij F_j, gathered by each
// coarse node in the order of its children, so that the bits do not depend on threads. F are the projectors of held nodes,
// and on coarse levels of nodes all of whose children are held alike.

#include "multigrid.h"

#include "statics.h"
#include "symmetric.h"

#include <string.h>

enum
{
    ROW_CAPACITY = 513
};

// One row of a coarse matrix while it is gathered: the last entry is the diagonal.
typedef struct Row
{
    const rslMultigrid* grid;
    const rslLevel *fine, *coarse;
    int node;
    double sum[ROW_CAPACITY][9];
} Row;

static double Weight(const rslLevel* fine, int node)
{
    return 1.0 / (fine->parentStart[node + 1] - fine->parentStart[node]);
}

static int SlotOf(const Row* row, int other)
{
    int low = row->coarse->rowStart[row->node], high = row->coarse->rowStart[row->node + 1] - 1, begin = low;
    if (other == row->node)
    {
        return high + 1 - begin;
    }
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        low = row->coarse->column[middle] < other ? middle + 1 : low;
        high = row->coarse->column[middle] < other ? high : middle;
    }
    return low - begin;
}

// The share of A_ij, with the weight of i in it, goes to all parents of j.
static void Spread(Row* row, int j, double weight, const double a[9])
{
    const rslLevel* fine = row->fine;
    for (int p = fine->parentStart[j]; p < fine->parentStart[j + 1]; ++p)
    {
        double* sum = row->sum[SlotOf(row, fine->parent[p])];
        for (int c = 0; c < 9; ++c)
        {
            sum[c] += weight * a[c];
        }
    }
}

typedef struct LinkGather
{
    Row* row;
    int node;
} LinkGather;

// The share of a link in its own node is in the diagonal already.
static void SpreadLink(void* context, int j, const double block[9])
{
    const LinkGather* gather = context;
    Row* row = gather->row;
    double a[9];
    if (j != gather->node && row->fine->parentStart[j + 1] > row->fine->parentStart[j])
    {
        const rslUnknowns* unknowns = row->grid->unknowns;
        memcpy(a, block, sizeof a);
        rslBlock_Project(a, rslUnknowns_Projector(unknowns, gather->node), rslUnknowns_Projector(unknowns, j));
        Spread(row, j, Weight(row->fine, gather->node) * Weight(row->fine, j), a);
    }
}

static void GatherFromNodes(Row* row, int i)
{
    const rslMultigrid* grid = row->grid;
    const double* fi = rslUnknowns_Projector(grid->unknowns, i);
    double weight = Weight(row->fine, i), a[9];
    rslBondRow bonds;
    rslStatics_Row(grid->kernel, grid->state, i, &bonds);
    for (int n = 0; n < bonds.count; ++n)
    {
        int j = bonds.other[n];
        rslBlock_Between(bonds.block[n], -1.0, fi, rslUnknowns_Projector(grid->unknowns, j), a);
        Spread(row, j, weight * Weight(row->fine, j), a);
    }
    rslBlock_Between(grid->diagonal[i], 1.0, fi, fi, a);
    Spread(row, i, weight * weight, a);
    rslStatics_Elements(grid->kernel, grid->state, i, SpreadLink, &(LinkGather){ row, i });
    rslStatics_Links(grid->kernel, grid->state, i, SpreadLink, &(LinkGather){ row, i });
}

static void GatherFromRows(Row* row, int i)
{
    const rslLevel* fine = row->fine;
    const double* fi = rslLevel_Free(fine, i);
    double weight = Weight(fine, i), diagonal[9];
    memcpy(diagonal, fine->ground[i], sizeof diagonal);
    for (int e = fine->rowStart[i]; e < fine->rowStart[i + 1]; ++e)
    {
        int j = fine->column[e];
        double a[9];
        for (int c = 0; c < 9; ++c)
        {
            a[c] = (double)fine->block[e][c];
            diagonal[c] -= a[c];
        }
        rslBlock_Project(a, fi, rslLevel_Free(fine, j));
        Spread(row, j, weight * Weight(fine, j), a);
    }
    rslBlock_Project(diagonal, fi, fi);
    Spread(row, i, weight * weight, diagonal);
}

// The projector to the directions in which a diagonal block has a stiffness. False when that is all of them.
static bool FindFree(const double d[9], double projector[6])
{
    static const int of[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 0, 2 }, { 1, 2 } };
    double a[RSL_SMALL][RSL_SMALL], v[RSL_SMALL][RSL_SMALL], trace = d[0] + d[4] + d[8];
    for (int c = 0; c < 9; ++c)
    {
        a[c / 3][c % 3] = d[c];
    }
    rslSymmetric_Solve(a, v, 3);
    memset(projector, 0, 6 * sizeof(double));
    bool bare = false;
    for (int e = 0; e < 3; ++e)
    {
        bool stiff = a[e][e] > 1e-9 * trace;
        for (int c = 0; stiff && c < 6; ++c)
        {
            projector[c] += v[of[c][0]][e] * v[of[c][1]][e];
        }
        bare = bare || !stiff;
    }
    return bare;
}

// Off-diagonal blocks, their sum with the diagonal, and the inverse of the diagonal.
static void StoreRow(const Row* row, rslLevel* coarse)
{
    int begin = coarse->rowStart[row->node], count = coarse->rowStart[row->node + 1] - begin;
    const double* d = row->sum[count];
    double ground[9];
    memcpy(ground, d, sizeof ground);
    for (int n = 0; n < count; ++n)
    {
        for (int c = 0; c < 9; ++c)
        {
            coarse->block[begin + n][c] = (float)row->sum[n][c];
            ground[c] += row->sum[n][c];
        }
    }
    memcpy(coarse->ground[row->node], ground, sizeof ground);
    double diagonal[6] = { d[0], d[4], d[8], d[1], d[2], d[5] };
    if (coarse->bare != NULL)
    {
        coarse->bare[row->node] = FindFree(d, coarse->free[row->node]);
        rslBlock_Free(diagonal, rslLevel_Free(coarse, row->node));
    }
    rslBlock_InvertSingle(diagonal, coarse->inverse[row->node]);
}

typedef struct Gather
{
    rslMultigrid* grid;
    int level;  // the fine one
} Gather;

static void GatherBlock(int item, void* context)
{
    const Gather* gather = context;
    rslLevel *fine = &gather->grid->levels[gather->level], *coarse = fine + 1;
    int end = rslLevel_End(item, coarse->count);
    Row row;
    row.grid = gather->grid;
    row.fine = fine;
    row.coarse = coarse;
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        row.node = i;
        memset(row.sum, 0, (size_t)(coarse->rowStart[i + 1] - coarse->rowStart[i] + 1) * sizeof row.sum[0]);
        for (int c = fine->childStart[i]; c < fine->childStart[i + 1]; ++c)
        {
            (gather->level == 0 ? GatherFromNodes : GatherFromRows)(&row, fine->child[c]);
        }
        StoreRow(&row, coarse);
    }
}

// ---- all levels -----------------------------------------------------------------------------------------------------

// With A a sum over bonds, D the sum of their diagonal blocks and 2 the largest eigenvalue of D^-1 A of a single bond, 2 is a
// bound for the whole, whatever the constants. Links, elements and repulsion have more than two nodes.
void rslMultigrid_Update(rslMultigrid* grid, const rslState* state)
{
    grid->state = state;
    for (int k = 0; k + 1 < grid->levelCount; ++k)
    {
        Gather gather = { grid, k };
        rslTeam_Run(grid->unknowns->team, GatherBlock, rslLevel_Items(grid->levels[k + 1].count), &gather);
        grid->levels[k + 1].largest = rslMultigrid_FindLargest(grid, k + 1);
    }
    // last: its vectors take the place of the diagonal
    grid->levels[0].largest = rslStatics_Pairs(grid->kernel) ? 2.0 : rslMultigrid_FindLargest(grid, 0);
    rslMultigrid_FactorLast(grid);
}
