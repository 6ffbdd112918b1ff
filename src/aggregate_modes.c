// SPDX-License-Identifier: MIT
//
// aggregate_modes.c: see aggregate.h. Rigid motions of an aggregate about its centre C: shifts e, turns e x (x - C).
//
// B of the members stacked, B = Q R by the Cholesky factor of B^T B: R^T R = B^T B, Q = B R^-1. No room is needed but for R,
// and columns of B about the centre are far from parallel unless they are so altogether. A pivot below 1e-10 of its
// diagonal is a motion that the aggregate does not have.
//
// Members on level 0 are nodes: B_i = F_i R_b^T [e, e x (x_i - C)], in the axes of the body, with what is held taken out. On
// coarser levels they are aggregates with a centre c and modes R_i: turning about C is turning about c and a shift,
// B_i = R_i [I, e x (c - C); 0, I].

#include "aggregate.h"

#include <math.h>
#include <string.h>

typedef struct Modes
{
    const rslMultigrid* grid;
    int level;
    const rslLevel *fine, *coarse;
    const rslAggregates* aggregates;
} Modes;

// Turns in the plane are about z only.
static int TurnAxis(int width, int column)
{
    return width == 3 ? 2 : column - 3;
}

static rslVec3 Axis(int axis)
{
    return (rslVec3){ axis == 0, axis == 1, axis == 2 };
}

static rslVec3 Where(const Modes* modes, int member)
{
    return modes->level == 0 ? rslStatics_Position(modes->grid->kernel, modes->grid->state, member)
                             : modes->fine[-1].aggregates->centre[member];
}

static void NodeModes(const Modes* modes, int node, rslVec3 centre, double* out)
{
    const rslMultigrid* grid = modes->grid;
    int width = modes->coarse->width, shifts = width == 3 ? 2 : 3;
    const double* held = rslUnknowns_Projector(grid->unknowns, node);
    rslMat3 axes = rslStatics_Axes(grid->kernel, node);
    rslVec3 arm = rslSub(rslStatics_Position(grid->kernel, grid->state, node), centre);
    for (int c = 0; c < width; ++c)
    {
        rslVec3 v = c < shifts ? Axis(c) : rslCross(Axis(TurnAxis(width, c)), arm);
        v = rslMatTVec(&axes, v);
        double whole[3] = { v.x, v.y, v.z };
        memcpy(&out[3 * c], whole, sizeof whole);
        if (held != NULL)
        {
            rslBlock_Times(held, whole, &out[3 * c]);
        }
    }
}

static void AggregateModes(const Modes* modes, int member, rslVec3 centre, double* out)
{
    size_t width = (size_t)modes->coarse->width, shifts = width == 3 ? 2 : 3;
    const rslAggregates* below = modes->fine[-1].aggregates;
    rslVec3 arm = rslSub(below->centre[member], centre);
    memcpy(out, below->modes + width * width * (size_t)member, width * width * sizeof(double));
    for (size_t c = shifts; c < width; ++c)
    {
        rslVec3 v = rslCross(Axis(TurnAxis((int)width, (int)c)), arm);
        const double shift[3] = { v.x, v.y, v.z };
        for (size_t s = 0; s < shifts; ++s)
        {
            for (size_t r = 0; r < width; ++r)
            {
                out[width * c + r] += out[width * s + r] * shift[s];
            }
        }
    }
}

static void MemberModes(const Modes* modes, int member, rslVec3 centre, double* out)
{
    (modes->level == 0 ? NodeModes : AggregateModes)(modes, member, centre, out);
}

// R^T R = G, upper triangle, by columns; a row of zeros for what is not there.
static void FactorGram(size_t width, const double* gram, double* r)
{
    memset(r, 0, width * width * sizeof(double));
    for (size_t c = 0; c < width; ++c)
    {
        for (size_t k = 0; k <= c; ++k)
        {
            double sum = gram[width * c + k];
            for (size_t q = 0; q < k; ++q)
            {
                sum -= r[width * k + q] * r[width * c + q];
            }
            double pivot = k == c ? sum : r[width * k + k];
            bool kept = k == c ? sum > 1e-10 * gram[width * c + c] : pivot > 0.0;
            r[width * c + k] = !kept ? 0.0 : k == c ? sqrt(sum) : sum / pivot;
        }
    }
}

static void FindModes(const Modes* modes, int aggregate)
{
    const rslAggregates* all = modes->aggregates;
    size_t rows = (size_t)modes->fine->width, width = (size_t)modes->coarse->width;
    double gram[RSL_MULTIGRID_WIDTH * RSL_MULTIGRID_WIDTH] = { 0 }, b[RSL_MULTIGRID_WIDTH * RSL_MULTIGRID_WIDTH];
    double* r = all->modes + width * width * (size_t)aggregate;
    int begin = all->memberStart[aggregate], end = all->memberStart[aggregate + 1];
    rslVec3 first = Where(modes, all->member[begin]), centre = { 0 };
    for (int m = begin; m < end; ++m)
    {
        centre = rslAdd(centre, rslSub(Where(modes, all->member[m]), first));
    }
    centre = all->centre[aggregate] = rslMulAdd(first, 1.0 / (end - begin), centre);
    for (int m = begin; m < end; ++m)
    {
        MemberModes(modes, all->member[m], centre, b);
        for (size_t c = 0; c < width * width; ++c)
        {
            for (size_t q = 0; q < rows; ++q)
            {
                gram[c] += b[rows * (c / width) + q] * b[rows * (c % width) + q];
            }
        }
    }
    FactorGram(width, gram, r);
    for (int m = begin; m < end; ++m)
    {
        float* out = all->tentative + rows * width * (size_t)all->member[m];
        MemberModes(modes, all->member[m], centre, b);
        for (size_t c = 0; c < width; ++c)
        {
            double pivot = r[width * c + c];
            for (size_t q = 0; q < rows; ++q)
            {
                double sum = b[rows * c + q];
                for (size_t k = 0; k < c; ++k)
                {
                    sum -= b[rows * k + q] * r[width * c + k];  // b already holds columns of Q there
                }
                b[rows * c + q] = pivot > 0.0 ? sum / pivot : 0.0;
                out[rows * c + q] = (float)b[rows * c + q];
            }
        }
    }
}

static void ModesOfBlock(int item, void* context)
{
    const Modes* modes = context;
    int end = rslLevel_End(item, modes->coarse->count);
    for (int i = RSL_LEVEL_BLOCK * item; i < end; ++i)
    {
        FindModes(modes, i);
    }
}

void rslAggregate_FindModes(const rslMultigrid* grid, int level)
{
    const rslLevel* fine = &grid->levels[level];
    Modes modes = { grid, level, fine, fine + 1, fine->aggregates };
    rslTeam_Run(grid->unknowns->team, ModesOfBlock, rslLevel_Items(fine[1].count), &modes);
}
