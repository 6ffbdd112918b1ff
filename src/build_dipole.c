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
// springs; what is left over is asked of the next one inwards. Who gives to a node that takes no more is cut in proportion, so
// that masses are as symmetric as the body. The mass stays exact.

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
    double* taken;  // the part that it takes of what it is offered
    double* first;  // what it had
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
        bool any = fabs(p[axis]) > 1e-12 * dipole->first[node];
        to[axis] = any ? rslLattice_Node(dipole->lattice, beside[0], beside[1], beside[2]) : -1;
        total += to[axis] >= 0 ? fabs(p[axis]) : 0.0;
    }
    return total;
}

static void Offer(Dipole* dipole, int node, int to, int axis, double p, double given)
{
    (void)node;
    (void)axis;
    dipole->taken[to] += given * fabs(p);
}

static void Give(Dipole* dipole, int node, int to, int axis, double p, double given)
{
    double part = given * dipole->taken[to], moved = part * fabs(p);
    dipole->mass[node] -= moved;
    dipole->mass[to] += moved;
    dipole->room[node] -= moved;
    dipole->next[3 * (size_t)to + (size_t)axis] += (1.0 - part) * p;
}

// For all that any node is asked for.
static void ForAll(Dipole* dipole, void (*act)(Dipole*, int node, int to, int axis, double p, double given))
{
    const rslLattice* lattice = dipole->lattice;
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
                    act(dipole, node, to[axis], axis, p[axis], given);
                }
            }
        }
    }
}

static void Move(Dipole* dipole)
{
    memset(dipole->next, 0, 3 * (size_t)dipole->nodeCount * sizeof(double));
    memset(dipole->taken, 0, (size_t)dipole->nodeCount * sizeof(double));
    ForAll(dipole, Offer);
    for (int n = 0; n < dipole->nodeCount; ++n)
    {
        double offered = dipole->taken[n], most = dipole->hold[n];
        dipole->taken[n] = offered > most ? most / offered : 1.0;
        dipole->hold[n] = offered > most ? 0.0 : most - offered;
    }
    ForAll(dipole, Give);
}

rslStatus rslBuild_Dipole(rslBuild* build, const rslBodyDef* def, const rslLattice* lattice, const double* cells,
                          double factor, int nodeCount, double* mass)
{
    const rslHooks* hooks = &build->model->hooks;
    size_t count = (size_t)nodeCount;
    double* memory = rslAllocate(hooks, 10 * count, sizeof(double));
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
                      .taken = memory + 8 * count,
                      .first = memory + 9 * count,
                      .mass = mass };
    for (size_t n = 0; n < count; ++n)
    {
        dipole.room[n] = 0.5 * mass[n];
        dipole.hold[n] = 0.25 * mass[n];
        dipole.first[n] = mass[n];
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
