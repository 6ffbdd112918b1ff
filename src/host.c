// SPDX-License-Identifier: MIT
//
// host.c: see host.h.
//
// In a corner lattice a point at (s, t, r) within its cell has the trilinear weights (1 - s or s)(1 - t or t)(1 - r or r)
// of the eight corners. They sum to one and reproduce linear fields for any s, t, r, so a point outside of all filled
// cells takes the nearest one and extrapolates. Other bodies use moving least squares (embed.h).

#include "host.h"
#include "lattice.h"
#include "vec.h"

#include <stdlib.h>

rslStatus rslHost_Make(rslHost* host, const rslBody* body, const rslHooks* hooks)
{
    *host = (rslHost){ .body = body, .hooks = *hooks };
    if (body->kind == rsl_latticeBody && body->lattice.construction == rsl_cornerLattice)
    {
        return rsl_ok;
    }
    host->rest = rslAllocate(hooks, (size_t)body->nodeCount, 3 * sizeof(double));
    if (host->rest == NULL)
    {
        return rsl_outOfMemory;
    }
    rslBody_Rest(body, body->firstNode, body->firstNode + body->nodeCount, host->rest);
    return rslNearest_Create(host->rest, body->nodeCount, hooks, &host->nearest);
}

void rslHost_Free(rslHost* host)
{
    rslRelease(&host->hooks, host->rest);
    rslNearest_Free(host->nearest);
    host->rest = NULL;
    host->nearest = NULL;
}

// ---- corner lattices ------------------------------------------------------------------------------------------------

typedef struct Cell
{
    int index[3];
    double squared;  // distance from the point, in cells; ties go to the earlier cell
} Cell;

// From a point p, in cells, to the box of a cell.
static double SquaredDistance(const double p[3], int i, int j, int k)
{
    const int cell[3] = { i, j, k };
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double below = cell[axis] - p[axis], above = p[axis] - (cell[axis] + 1);
        double gap = below > above ? below : above;
        squared += gap > 0.0 ? gap * gap : 0.0;
    }
    return squared;
}

// Filled cells at Chebyshev distance r from a middle one.
static void SearchShell(const rslLattice* lattice, const int middle[3], int r, const double p[3], Cell* best)
{
    for (int k = middle[2] - r; k <= middle[2] + r; ++k)
    {
        for (int j = middle[1] - r; j <= middle[1] + r; ++j)
        {
            bool face = abs(k - middle[2]) == r || abs(j - middle[1]) == r;
            for (int i = middle[0] - r; i <= middle[0] + r; i += face || r == 0 ? 1 : 2 * r)
            {
                double squared = SquaredDistance(p, i, j, k);
                if (squared < best->squared && rslLattice_Weight(lattice, i, j, k) > 0.0)
                {
                    *best = (Cell){ { i, j, k }, squared };
                }
            }
        }
    }
}

static Cell FindCell(const rslLattice* lattice, const double p[3])
{
    Cell best = { { 0, 0, 0 }, HUGE_VAL };
    int middle[3], most = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double c = floor(p[axis]);
        int last = lattice->cells[axis] - 1;
        middle[axis] = c < 0.0 ? 0 : c > last ? last : (int)c;
        most = last > most ? last : most;
    }
    for (int r = 0; r <= most; ++r)
    {
        // a cell r away from the middle one is at least r - 1 from the point
        if (r > 1 && (double)(r - 1) * (r - 1) > best.squared)
        {
            break;
        }
        SearchShell(lattice, middle, r, p, &best);
    }
    return best;
}

static void EmbedInCells(const rslBody* body, rslVec3 X, int* nodes, double* weights)
{
    const rslLattice* lattice = &body->lattice;
    double a = lattice->spacing;
    const double p[3] = { (X.x - lattice->origin.x) / a, (X.y - lattice->origin.y) / a, (X.z - lattice->origin.z) / a };
    Cell cell = FindCell(lattice, p);
    for (int corner = 0; corner < 8; ++corner)
    {
        int node[3];
        double weight = 1.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            int upper = corner >> axis & 1;
            double s = p[axis] - cell.index[axis];
            node[axis] = cell.index[axis] + upper;
            weight *= upper ? s : 1.0 - s;
        }
        nodes[corner] = body->firstNode + rslLattice_Node(lattice, node[0], node[1], node[2]);
        weights[corner] = weight;
    }
}

rslStatus rslHost_Embed(const rslHost* host, rslVec3 X, int nodes[RSL_STENCIL_MOST], double weights[RSL_STENCIL_MOST])
{
    if (host->nearest == NULL)
    {
        EmbedInCells(host->body, X, nodes, weights);
        return rsl_ok;
    }
    rslStencil stencil = { 0 };
    const double point[3] = { X.x, X.y, X.z };
    rslStatus status = rslEmbed_Points(host->nearest, host->rest, point, 1, &stencil);
    for (int s = 0; s < RSL_STENCIL_MOST; ++s)
    {
        // an unused entry repeats the first node, so that every entry is a node
        nodes[s] = host->body->firstNode + stencil.node[s < stencil.count ? s : 0];
        weights[s] = s < stencil.count ? stencil.weight[s] : 0.0;
    }
    return status;
}
