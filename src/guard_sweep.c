// SPDX-License-Identifier: MIT
//
// guard_sweep.c: which unsure pieces of lattices are far from collapse on all of a straight way.
//
// With the edges e from one corner before and g after, six volumes on the way are a cubic of t, det(e + t (g - e)), and a cubic is
// never less than the least of its Bernstein coefficients:
//
//   det(e1 e2 e3),   (det(g1 e2 e3) + det(e1 g2 e3) + det(e1 e2 g3)) / 3,   the same with e and g exchanged,   det(g1 g2 g3)
//
// Large moves of cells that stay what they are pass, as those of a body that turns fast do. What is left is tested one by one
// (guard_exact.c).

#include "guard.h"
#include "repulsion_lanes.h"

#include <string.h>

#define SweepLanes RSL_NAME(rslGuard_SweepLanes)

// The least coefficient of piece p in every lane.
RSL_INLINE void SweepPiece(Lanes x[8][3], Lanes y[8][3], int p, Real* least)
{
    const int* corner = rslCellSplit[p];
    for (int i = 0; i < LANES; ++i)
    {
        Real e[3][3], g[3][3], before[3], after[3], mixed[3];
        for (int n = 0; n < 3; ++n)
        {
            for (int k = 0; k < 3; ++k)
            {
                e[n][k] = x[corner[n + 1]][k][i] - x[corner[0]][k][i];
                g[n][k] = y[corner[n + 1]][k][i] - y[corner[0]][k][i];
            }
        }
        for (int k = 0; k < 3; ++k)
        {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            before[k] = e[1][l] * e[2][m] - e[1][m] * e[2][l];
            after[k] = g[1][l] * g[2][m] - g[1][m] * g[2][l];
            mixed[k] = (e[1][l] * g[2][m] - e[1][m] * g[2][l]) + (g[1][l] * e[2][m] - g[1][m] * e[2][l]);
        }
        Real b0 = 0, b1 = 0, b2 = 0, b3 = 0;
        for (int k = 0; k < 3; ++k)
        {
            b0 += e[0][k] * before[k];
            b1 += g[0][k] * before[k] + e[0][k] * mixed[k];
            b2 += e[0][k] * after[k] + g[0][k] * mixed[k];
            b3 += g[0][k] * after[k];
        }
        b1 *= (Real)(1.0 / 3.0);
        b2 *= (Real)(1.0 / 3.0);
        // what is not a number is not far
        b0 = b0 <= b1 ? b0 : b1;
        b2 = b2 <= b3 ? b2 : b3;
        least[i] = b0 <= b2 ? b0 : b2;
    }
}

RSL_CLONES static void SweepLanes(Real* const before[3], Real* const after[3], Real spacing, const CellRun* run,
                                  int first, Lanes* least)
{
    Lanes x[8][3], y[8][3];
    PlaceCells(before, spacing, run, first, x);
    PlaceCells(after, spacing, run, first, y);
    for (int p = 0; p < RSL_SPLIT; ++p)
    {
        SweepPiece(x, y, p, least[p]);
    }
}

void RSL_NAME(rslGuard_SweepCells)(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const before[3])
{
    RepulsionKernel* r = kernel->repulsion;
    PieceChunk* pieces = &r->chunks[chunk->index];
    const Real spacing = (Real)kernel->bodies[chunk->body].spacing;
    const Real level = (Real)freeLevel * spacing * spacing * spacing;
    for (int n = pieces->runBegin; n < pieces->runEnd; ++n)
    {
        const CellRun* run = &r->runs[n];
        for (int at = 0; at < run->count; at += LANES)
        {
            int count = run->count - at < LANES ? run->count - at : LANES;
            uint8_t* unsure = r->unsure + run->number + RSL_SPLIT * at;
            if (memchr(unsure, 1, (size_t)(count * RSL_SPLIT)) == NULL)
            {
                continue;
            }
            Lanes least[RSL_SPLIT];
            SweepLanes(before, view->u, spacing, run, at, least);
            for (int i = 0; i < count * RSL_SPLIT; ++i)
            {
                int p = i % RSL_SPLIT;
                bool far = least[p][i / RSL_SPLIT] > (p == 0 ? level + level : level);
                pieces->unsureCount -= unsure[i] != 0 && far;
                unsure[i] = unsure[i] != 0 && !far;
            }
        }
    }
}
