// SPDX-License-Identifier: MIT
//
// beam_fixture.h: a cantilever of 4 x 1 x 1 under its weight, and how far two of them are from each other.

#pragma once

#include "physics_fixture.h"

typedef struct Beam
{
    rslModel* model;
    rslState* state;
    rslRest rest;
} Beam;

// The body is held at its end x = -2.
static inline Beam BendBody(const rslBodyDef* body, double gravity)
{
    rslConstraintDef pin = PinOf(rslDefaultNodeSetDef());
    pin.nodes.type = rsl_boxNodes;
    pin.nodes.min = (rslVec3){ -3.0, -3.0, -3.0 };
    pin.nodes.max = (rslVec3){ -2.0 + 1e-6, 3.0, 3.0 };
    rslScene scene = SceneOf(body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, -gravity };
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Beam beam = { .model = Built(&scene, NULL) };
    beam.state = StateOf(beam.model, rsl_double);
    rslSolverDef def = SolverDef(rsl_static, 1.0);
    rslSolver* solver = SolverOf(beam.model, &def);
    assert_int_equal(rslSolver_Step(solver, beam.state, 1), rsl_ok);
    beam.rest = rslSolver_Rest(solver);
    rslSolver_Free(solver);
    return beam;
}

static inline void FreeBeam(Beam* beam)
{
    rslState_Free(beam->state);
    rslModel_Free(beam->model);
}

enum
{
    MOST = 17 * 5 * 5
};

// Displacements of the nodes that are not held, of a grid of 4 n x n x n cells that a finer one holds. Returns their number.
static inline int Sample(const Beam* beam, int across, int n, rslVec3 out[MOST])
{
    const rslBody* body = &beam->model->bodies[0];
    int stride = across / n, count = 0;
    for (int c = 0; c < 4 * n * (n + 1) * (n + 1); ++c)
    {
        int i = (c % (4 * n) + 1) * stride, j = c / (4 * n) % (n + 1) * stride, k = c / (4 * n) / (n + 1) * stride;
        int line = j + body->lattice.extent[1] * k;
        int node = body->lattice.rows[body->lattice.lineStart[line]].first + i;
        double x[3], rest[3];
        rslState_Positions(beam->model, beam->state, node, node + 1, x);
        rslBody_Rest(body, node, node + 1, rest);
        rslVec3 start = rslAdd(body->frame.origin, (rslVec3){ rest[0], rest[1], rest[2] });
        out[count++] = rslSub((rslVec3){ x[0], x[1], x[2] }, start);
    }
    return count;
}

// Mean distance over the largest displacement.
static inline double MeanError(const rslVec3* a, const rslVec3* b, int count)
{
    double sum = 0.0, largest = 0.0;
    for (int n = 0; n < count; ++n)
    {
        sum += rslLength(rslSub(a[n], b[n])) / count;
        largest = Worse(largest, rslLength(b[n]));
    }
    return sum / largest;
}
