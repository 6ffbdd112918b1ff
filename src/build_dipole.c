// SPDX-License-Identifier: MIT
//
// build_dipole.c: masses of bricks whose rotary inertia is nearly right.
//
// Masses by the shares of corners stand for the trilinear interpolation of what they weigh: over a cell of edge a, its mean
// exceeds that of f by a^2/12 (f_xx + f_yy + f_zz) + ..., so that
//   sum m_n f(x_n) = integral of rho f + (rho a^2/12) closed surface integral of df/dn
// as if there were a layer of outward dipoles at the surface: a bar of n cells across has 1 + 2/n^2 times the rotary inertia.
// The remedy is the opposite layer: from node n, mass moves inwards along each axis i to the next node. In units of mass,
//   p_n,i = -(rho a/12) integral over the surface of N_n n_i = -1/12 sum over cells of m_cell a < grad N_n >_i
// by Gauss; it vanishes inside. Nodes on a plane side of an aligned body keep 5/12 instead of 1/2, the next ones have 13/12. The
// floor of bricks (build_bricks.c) moves the centre of a cell from c to the mean of its corners; that is undone the same way:
//   p_n,i += share_n m_cell (c_i - sum over corners of share g_i)
// Since mass moves by a whole cell, the layer is half a cell too deep: at four cells across, the rotary inertia is 3 % too large
// instead of 12.5 %. (Weights that are exact for squares, 3/8, 7/6, 23/24, leave corners so light that the step shrinks by a
// third, for torsion that is worse: the error left is of the other sign than that of the stiffness.)
// A node gives away at most half of what it has and takes at most a quarter, so that none is too light or too heavy for its
// springs; what is left over is asked of the next one inwards. The mass stays exact.

#include "brick.h"
#include "build.h"
#include "lattice.h"
#include "memory.h"

#include <math.h>
#include <string.h>

enum
{
    ROUNDS = 4  // that a moment is handed on
};

typedef struct Dipole
{
    const rslLattice* lattice;
    int nodeCount;
    double* asked;  // p, x y z of every node
    double* next;   // what is left over
    double* room;   // what a node may still give
    double* hold;   // what it may still take
    double* mass;
} Dipole;

static void AddCell(Dipole* dipole, const int* at, const double* record, const double centroid[3], double mass)
{
    double shift[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        shift[axis] = centroid[axis];
        for (int n = 0; n < 8; ++n)
        {
            shift[axis] -= record[RSL_BRICK_SHARE + n] * (n >> axis & 1 ? 0.5 : -0.5);
        }
    }
    for (int n = 0; n < 8; ++n)
    {
        int node = rslLattice_Node(dipole->lattice, at[0] + (n & 1), at[1] + (n >> 1 & 1), at[2] + (n >> 2));
        for (int axis = 0; axis < 3; ++axis)
        {
            dipole->asked[3 * (size_t)node + (size_t)axis] +=
                mass * (record[RSL_BRICK_SHARE + n] * shift[axis] - record[RSL_BRICK_GRADIENT + 3 * n + axis] / 12.0);
        }
    }
}

static void AskCells(Dipole* dipole, const rslBodyDef* def, const double* cells, double factor)
{
    static const rslBorderCell full = { .fraction = 1.0, .variance = { 1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0 } };
    const rslLattice* lattice = dipole->lattice;
    double record[RSL_BRICK_NUMBERS];
    int border = 0;
    for (int k = 0; k < lattice->cells[2]; ++k)
    {
        for (int j = 0; j < lattice->cells[1]; ++j)
        {
            for (int i = 0; i < lattice->cells[0]; ++i)
            {
                int64_t c = i + lattice->cells[0] * (j + (int64_t)lattice->cells[1] * k);
                bool cut = border < lattice->borderCount && lattice->border[border].cell == c;
                const rslBorderCell* cell = cut ? &lattice->border[border] : &full;
                border += cut ? 1 : 0;
                if (lattice->weight[c] > 0.0)
                {
                    rslBrick_Record(cell, &def->model, 0.0, record);
                    AddCell(dipole, (const int[3]){ i, j, k }, record, cell->centroid, factor * cells[c]);
                }
            }
        }
    }
}

// What a node is asked for along the axes towards nodes that exist, and these.
static double Askers(const Dipole* dipole, const int* at, int node, int to[3], double p[3])
{
    double total = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        int beside[3] = { at[0], at[1], at[2] };
        p[axis] = dipole->asked[3 * (size_t)node + (size_t)axis];
        beside[axis] += p[axis] > 0.0 ? 1 : -1;
        // inside of the body, roundings are what is left
        bool any = fabs(p[axis]) > 1e-12 * dipole->mass[node];
        to[axis] = any ? rslLattice_Node(dipole->lattice, beside[0], beside[1], beside[2]) : -1;
        total += to[axis] >= 0 ? fabs(p[axis]) : 0.0;
    }
    return total;
}

static void Move(Dipole* dipole)
{
    const rslLattice* lattice = dipole->lattice;
    memset(dipole->next, 0, 3 * (size_t)dipole->nodeCount * sizeof(double));
    for (int r = 0; r < lattice->rowCount; ++r)
    {
        rslLatticeRow row = lattice->rows[r];
        for (int n = 0; n < row.count; ++n)
        {
            int node = row.first + n, to[3];
            double p[3], total = Askers(dipole, (const int[3]){ row.i + n, row.j, row.k }, node, to, p);
            double given = total > dipole->room[node] ? dipole->room[node] / total : 1.0;
            for (int axis = 0; axis < 3; ++axis)
            {
                if (to[axis] >= 0)
                {
                    double* hold = &dipole->hold[to[axis]];
                    double all = fabs(p[axis]), moved = fmin(given * all, *hold);
                    dipole->mass[node] -= moved;
                    dipole->mass[to[axis]] += moved;
                    dipole->room[node] -= moved;
                    *hold -= moved;
                    dipole->next[3 * (size_t)to[axis] + (size_t)axis] += (1.0 - moved / all) * p[axis];
                }
            }
        }
    }
}

rslStatus rslBuild_Dipole(rslBuild* build, const rslBodyDef* def, const rslLattice* lattice, const double* cells,
                          double factor, int nodeCount, double* mass)
{
    const rslHooks* hooks = &build->model->hooks;
    size_t count = (size_t)nodeCount;
    double* memory = rslAllocate(hooks, 8 * count, sizeof(double));
    if (memory == NULL)
    {
        return rsl_outOfMemory;
    }
    Dipole dipole = { .lattice = lattice,
                      .nodeCount = nodeCount,
                      .asked = memory,
                      .next = memory + 3 * count,
                      .room = memory + 6 * count,
                      .hold = memory + 7 * count,
                      .mass = mass };
    for (size_t n = 0; n < count; ++n)
    {
        dipole.room[n] = 0.5 * mass[n];
        dipole.hold[n] = 0.25 * mass[n];
    }
    AskCells(&dipole, def, cells, factor);
    for (int round = 0; round < ROUNDS; ++round)
    {
        Move(&dipole);
        double* asked = dipole.asked;
        dipole.asked = dipole.next;
        dipole.next = asked;
    }
    rslRelease(hooks, memory);
    return rsl_ok;
}
