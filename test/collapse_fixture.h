// SPDX-License-Identifier: MIT
//
// collapse_fixture.h: how near to collapse the elements of a state are, looked at in the world.

#pragma once

#include "physics_fixture.h"
#include "repulsion.h"

// The smallest area or volume of any piece over that at rest, in the world.
static inline double SmallestRatio(const rslModel* model, const rslState* state)
{
    double smallest = INFINITY;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        const rslRepulsion* set = &body->repulsion;
        rslPieceKind kind = rslRepulsion_Kind(set, model->plane);
        for (int e = 0; e < set->count; ++e)
        {
            int nodes[8];
            rslRepulsion_Nodes(set, e, nodes);
            for (int p = 0; p < rslRepulsion_PieceCount(set->corners); ++p)
            {
                rslVec3 now[RSL_PIECE_NODES], rest[RSL_PIECE_NODES];
                for (int c = 0; c < rslPiece_Corners(kind); ++c)
                {
                    int node = nodes[rslRepulsion_Corner(set->corners, p, c)];
                    rslState_Positions(model, state, node, node + 1, &now[c].x);
                    rslBody_Rest(body, node, node + 1, &rest[c].x);
                }
                double ratio = rslPiece_Measure(kind, now) / rslPiece_Measure(kind, rest);
                smallest = !(ratio >= smallest) ? ratio : smallest;
            }
        }
    }
    return smallest;
}

static inline bool IsFinite(const rslModel* model, const rslState* state)
{
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double x[3], v[3];
        rslState_Positions(model, state, i, i + 1, x);
        rslState_Velocities(model, state, i, i + 1, v);
        if (!isfinite(x[0] + x[1] + x[2] + v[0] + v[1] + v[2]))
        {
            return false;
        }
    }
    return true;
}
