// SPDX-License-Identifier: MIT
//
// multigrid_touch.c: see multigrid.h. What touches, in a hierarchy that was made without.
//
// The sums T_i of rows of what touches (rslBarrier_Sums) are blocks of a matrix that is nowhere less than it. On the next level
//
//   T_I = sum over children i of w_i T_i
//
// which is nowhere less than P^T T P, since the weights of the parents of a node add up to 1, and equal to it for what moves as a whole. So
// rows of all levels stay as they are, but for their diagonal: G + T and the inverse of D + T. With A <= l D also A + T <= l (D + T),
// l >= 1: smoothers keep their eigenvalues. Numbers of rows are not changed: what was touched is taken from there again.

#include "multigrid.h"

#include "ascending.h"
#include "dynamics.h"

#include <string.h>

bool rslMultigrid_MakeTouch(rslMultigrid* grid, rslArena* arena)
{
    bool made = true, may = grid->stored && grid->levels[0].wide == NULL;
    for (int k = 0; k < grid->levelCount; ++k)
    {
        const rslLevel* level = &grid->levels[k];
        may = may && level->stencil.groupCount > 0 && level->bare == NULL;
    }
    for (int k = 0; may && made && k < grid->levelCount; ++k)
    {
        rslLevel* level = &grid->levels[k];
        level->touched = rslArena_Allocate(arena, (size_t)level->count, sizeof(int));
        level->sums = rslArena_Allocate(arena, (size_t)level->count, sizeof(double[6]));
        level->marked = rslArena_Allocate(arena, (size_t)level->count, sizeof(bool));
        made = level->touched != NULL && level->sums != NULL && level->marked != NULL;
    }
    grid->mayTouch = may && made;
    return made;
}

// The diagonal of a node with T, or as the rows have it.
static void SetNode(rslLevel* level, int node, const double* sums)
{
    static const int at[6] = { 0, 4, 8, 1, 2, 5 }, of[9] = { 0, 3, 4, 3, 1, 5, 4, 5, 2 };
    const rslStencil* s = &level->stencil;
    int group = rslFirstFrom(s->begin, 0, s->groupCount, node + 1) - 1, lane = node - s->begin[group];
    float inverse[6];
    memcpy(inverse, level->inverse[node], sizeof inverse);
    if (sums != NULL)
    {
        double block[6];
        for (int c = 0; c < 6; ++c)
        {
            block[c] = level->own[node][at[c]] + sums[c];
        }
        rslBlock_InvertSingle(block, inverse);
    }
    for (int c = 0; c < 6; ++c)
    {
        s->inverse[group][c][lane] = inverse[c];
    }
    for (int c = 0; c < 9; ++c)
    {
        s->ground[group][c][lane] = level->ground[node][c] + (sums != NULL ? sums[of[c]] : 0.0);
    }
}

static void Forget(rslLevel* level)
{
    for (int i = 0; i < level->touchedCount; ++i)
    {
        int node = level->touched[i];
        SetNode(level, node, NULL);
        memset(level->sums[node], 0, sizeof level->sums[node]);
        level->marked[node] = false;
    }
    level->touchedCount = 0;
}

static void Mark(rslLevel* level, int node, double weight, const double sums[6])
{
    if (!level->marked[node])
    {
        level->marked[node] = true;
        level->touched[level->touchedCount++] = node;
    }
    for (int c = 0; c < 6; ++c)
    {
        level->sums[node][c] += weight * sums[c];
    }
}

// To the next level.
static void Pass(const rslLevel* fine, rslLevel* coarse)
{
    for (int i = 0; i < fine->touchedCount; ++i)
    {
        int node = fine->touched[i], begin = fine->parentStart[node], end = fine->parentStart[node + 1];
        for (int p = begin; p < end; ++p)
        {
            Mark(coarse, fine->parent[p], 1.0 / (end - begin), fine->sums[node]);
        }
    }
}

// Level 0 multiplies with what touches as it is (rslStatics_Touch): its G stays.
static void Set(rslMultigrid* grid, int index)
{
    rslLevel* level = &grid->levels[index];
    for (int i = 0; i < level->touchedCount; ++i)
    {
        SetNode(level, level->touched[i], level->sums[level->touched[i]]);
    }
    const rslStencil* s = &level->stencil;
    for (int i = 0; index == 0 && i < level->touchedCount; ++i)
    {
        int node = level->touched[i], group = rslFirstFrom(s->begin, 0, s->groupCount, node + 1) - 1;
        for (int c = 0; c < 9; ++c)
        {
            s->ground[group][c][node - s->begin[group]] = level->ground[node][c];
        }
    }
}

void rslMultigrid_Untouch(rslMultigrid* grid)
{
    for (int k = 0; grid->mayTouch && k < grid->levelCount; ++k)
    {
        Forget(&grid->levels[k]);
    }
}

double rslMultigrid_Touch(rslMultigrid* grid, const rslState* state, const rslMat3* turns)
{
    rslLevel* first = &grid->levels[0];
    bool before = first->touchedCount > 0;
    double stiffest = 0.0;
    rslMultigrid_Untouch(grid);
    grid->state = state;
    int count = grid->touch != NULL ? rslDynamics_TouchSums(grid->kernel, turns, grid->touchNodes, grid->touch) : 0;
    for (int i = 0; i < count; ++i)
    {
        const double* t = grid->touch[i];
        Mark(first, grid->touchNodes[i], 1.0, t);
        stiffest = rslMost(stiffest, t[0] + t[1] + t[2]);
    }
    for (int k = 0; k < grid->levelCount; ++k)
    {
        Set(grid, k);
        if (k + 1 < grid->levelCount)
        {
            Pass(&grid->levels[k], &grid->levels[k + 1]);
        }
    }
    if (before || count > 0)
    {
        rslMultigrid_FactorLast(grid);
    }
    return stiffest;
}
