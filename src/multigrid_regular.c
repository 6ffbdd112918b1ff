// SPDX-License-Identifier: MIT
//
// multigrid_regular.c: see multigrid.h. Rows of coarse levels of lattices that have nothing but springs, and no nodes that are held in some
// directions only: then all blocks are symmetric, six numbers, and what is near a coarse node I lies on a grid around it.
//
//   T_e  = sum over children i of w_i A_ij,  e = place of j - 2 place of I, in -2 .. 2 along every axis
//   A_IJ = sum over e of w_e T_e,            J the parents of e: e / 2, for odd e the places beside it
//
// Places are counted instead of searched for. A place that has two nodes, at a slit, is left to multigrid_galerkin.c.

#include "multigrid.h"

#include "lanes.h"
#include "lattice.h"

#include <string.h>

enum
{
    NEAR = 125,
    AROUND = 27,
    CENTRE = 13
};

typedef struct Sums
{
    const rslMultigrid* grid;
    const rslLevel *fine, *coarse;
    int node;
    int slot[AROUND];  // of the row; -1: no such place
    int who[NEAR];     // nodes there plus one; 0: none
    _Alignas(64) double near[NEAR][RSL_LANES];
    _Alignas(64) double sum[AROUND][RSL_LANES];
} Sums;

bool rslMultigrid_IsRegular(const rslMultigrid* grid)
{
    return !grid->stored && !grid->partlyHeld && rslStatics_Pairs(grid->kernel);
}

// ---- places ---------------------------------------------------------------------------------------------------------------

// The number of a step of at most reach along every axis; -1: it is longer.
static int StepIndex(const int from[3], const int to[3], int factor, int reach)
{
    int index = 0;
    for (int axis = 2; axis >= 0; --axis)
    {
        int step = to[axis] - factor * from[axis];
        if (step < -reach || step > reach)
        {
            return -1;
        }
        index = (2 * reach + 1) * index + step + reach;
    }
    return index;
}

static bool FindSlots(Sums* s)
{
    const rslLevel* coarse = s->coarse;
    int begin = coarse->rowStart[s->node], end = coarse->rowStart[s->node + 1];
    const int* own = coarse->place[s->node];
    for (int o = 0; o < AROUND; ++o)
    {
        s->slot[o] = -1;
    }
    s->slot[CENTRE] = end - begin;
    for (int e = begin; e < end; ++e)
    {
        const int* other = coarse->place[coarse->column[e]];
        int at = other[3] == own[3] ? StepIndex(own, other, 1, 1) : -1;
        if (at < 0 || s->slot[at] >= 0)
        {
            return false;
        }
        s->slot[at] = e - begin;
    }
    return true;
}

// Where a child on level 0 is: how its place is odd, and which of its parents the coarse node is.
static void ChildStep(const Sums* s, int child, int step[3])
{
    const rslLevel* fine = s->fine;
    int parent = 0;
    while (fine->parent[fine->parentStart[child] + parent] != s->node)
    {
        parent += 1;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        bool odd = (s->grid->odd[child] >> axis & 1) != 0;
        step[axis] = odd ? 1 - 2 * (parent & 1) : 0;
        parent >>= odd ? 1 : 0;
    }
}

// ---- T ------------------------------------------------------------------------------------------------------------------

RSL_INLINE void Add(double* sum, double weight, const double* a)
{
    rslLanes more, before;
    rslLanes_Get(a, &more);
    rslLanes_Get(sum, &before);
    before += weight * more;
    memcpy(sum, &before, sizeof before);
}

static double Weight(const rslLevel* fine, int node)
{
    return 1.0 / (fine->parentStart[node + 1] - fine->parentStart[node]);
}

// Springs of a node; those of children that are ahead are kept for the next coarse node of the line.
static const rslBondRow* RowOf(const Sums* s, int node, const int step[3], rslKeptRows* kept, rslBondRow* room)
{
    int at = step[1] + 1 + 3 * (step[2] + 1);
    if (step[0] < 0 && kept->node[at] == node + 1)
    {
        return &kept->row[at];
    }
    rslBondRow* row = step[0] > 0 ? &kept->row[at] : room;
    if (step[0] > 0)
    {
        kept->node[at] = node + 1;
    }
    rslStatics_Row(s->grid->kernel, s->grid->state, node, row);
    return row;
}

RSL_CLONES static void rslRegular_AddNode(Sums* s, const rslBondRow* row, int at, double weight, const double* diagonal)
{
    const uint8_t* axes = s->grid->unknowns->axes;
    Add(s->near[at], weight, diagonal);
    s->who[at] = 1;
    for (int n = 0; n < row->count; ++n)
    {
        const int* way = rslLatticeDirections[row->way[n]];
        int to = at + way[0] + 5 * way[1] + 25 * way[2];
        if (axes[row->other[n]] == 0)
        {
            Add(s->near[to], -weight, row->block[n]);
            s->who[to] = 1;
        }
    }
}

// Children on level 0; those that are held have no part in it.
static void AddNodes(Sums* s, rslKeptRows* kept)
{
    const rslLevel* fine = s->fine;
    rslBondRow room;
    for (int k = fine->childStart[s->node]; k < fine->childStart[s->node + 1]; ++k)
    {
        int child = fine->child[k], step[3];
        if (s->grid->unknowns->axes[child] != 0)
        {
            continue;
        }
        double diagonal[RSL_LANES] = { 0 };
        memcpy(diagonal, s->grid->diagonal[child], sizeof s->grid->diagonal[child]);
        ChildStep(s, child, step);
        rslRegular_AddNode(s, RowOf(s, child, step, kept, &room), step[0] + 2 + 5 * (step[1] + 2) + 25 * (step[2] + 2),
                           Weight(fine, child), diagonal);
    }
}

// One block of a row of the fine level. False where another node has its place.
RSL_INLINE bool AddBlock(Sums* s, int j, double weight, const double a[9])
{
    const double numbers[RSL_LANES] = { a[0], a[4], a[8], a[1], a[2], a[5] };
    int at = StepIndex(s->coarse->place[s->node], s->fine->place[j], 2, 2);
    if (at < 0 || (s->who[at] != 0 && s->who[at] != j + 1))
    {
        return false;
    }
    s->who[at] = j + 1;
    Add(s->near[at], weight, numbers);
    return true;
}

static bool AddRows(Sums* s)
{
    const rslLevel* fine = s->fine;
    bool good = true;
    for (int k = fine->childStart[s->node]; k < fine->childStart[s->node + 1] && good; ++k)
    {
        int i = fine->child[k];
        double weight = Weight(fine, i), a[9];
        good = AddBlock(s, i, weight, fine->own[i]);
        for (int e = fine->rowStart[i]; e < fine->rowStart[i + 1] && good; ++e)
        {
            rslLevel_Numbers(fine, e, a);
            good = AddBlock(s, fine->column[e], weight, a);
        }
    }
    return good;
}

// ---- A ------------------------------------------------------------------------------------------------------------------

// Parents along an axis, from -2 .. 2: the first, and how many.
static const int first[5] = { -1, -1, 0, 0, 1 }, parents[5] = { 1, 2, 1, 2, 1 };

RSL_CLONES static void rslRegular_Gather(Sums* s)
{
    memset(s->sum, 0, sizeof s->sum);
    for (int e = 0; e < NEAR; ++e)
    {
        int x = e % 5, y = e / 5 % 5, z = e / 25;
        if (s->who[e] == 0)
        {
            continue;
        }
        double weight = 1.0 / (parents[x] * parents[y] * parents[z]);
        for (int q = 0; q < 8; ++q)
        {
            int dx = q & 1, dy = q >> 1 & 1, dz = q >> 2;
            if (dx < parents[x] && dy < parents[y] && dz < parents[z])
            {
                Add(s->sum[first[x] + dx + 1 + 3 * (first[y] + dy + 1) + 9 * (first[z] + dz + 1)], weight, s->near[e]);
            }
        }
    }
}

bool rslMultigrid_GatherRegular(const rslMultigrid* grid, int level, int node, rslKeptRows* kept, double (*sum)[9])
{
    static const int of[9] = { 0, 3, 4, 3, 1, 5, 4, 5, 2 };
    Sums s;
    s.grid = grid;
    s.fine = &grid->levels[level];
    s.coarse = s.fine + 1;
    s.node = node;
    memset(s.who, 0, sizeof s.who);
    memset(s.near, 0, sizeof s.near);
    if (!FindSlots(&s))
    {
        return false;
    }
    if (level == 0)
    {
        AddNodes(&s, kept);
    }
    else if (!AddRows(&s))
    {
        return false;
    }
    rslRegular_Gather(&s);
    for (int o = 0; o < AROUND; ++o)
    {
        for (int c = 0; s.slot[o] >= 0 && c < 9; ++c)
        {
            sum[s.slot[o]][c] = s.sum[o][of[c]];
        }
    }
    return true;
}
