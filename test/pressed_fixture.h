// SPDX-License-Identifier: MIT
//
// pressed_fixture.h: bodies of every kind of element, pressed until their barriers are felt.

#pragma once

#include "term_bench.h"

#include "build_fixture.h"

typedef struct Pressed
{
    const char* name;
    rslNetworkType type;
    rslConstruction construction;
    rslModelType model;
    rslSpace plane;
    double turn;  // of the lattice [deg]
} Pressed;

static const Pressed pressed[] = {
    { "cells", rsl_latticeNetwork, rsl_cornerLattice, rsl_springModel, rsl_space3, 0.0 },
    { "cut cells", rsl_latticeNetwork, rsl_cornerLattice, rsl_brickModel, rsl_space3, 25.0 },
    { "cells between centres", rsl_latticeNetwork, rsl_centredLattice, rsl_springModel, rsl_space3, 0.0 },
    { "tetrahedra", rsl_tetrahedraNetwork, rsl_cornerLattice, rsl_springModel, rsl_space3, 0.0 },
    { "hexahedra", rsl_hexahedraNetwork, rsl_cornerLattice, rsl_finiteModel, rsl_space3, 0.0 },
    { "triangles in space", rsl_sheetNetwork, rsl_cornerLattice, rsl_springModel, rsl_space3, 0.0 },
    { "triangles in the plane", rsl_sheetNetwork, rsl_cornerLattice, rsl_springModel, rsl_planeXY, 0.0 },
};

static inline rslModel* BuildPressedBody(const Pressed* it, double size)
{
    rslShapeDef shape = BoxShape(3.0 * size, 2.0 * size, 2.0 * size);
    bool sheet = it->type == rsl_sheetNetwork;
    rslBodyDef body = sheet ? GridBody("body", 5.0 * size, 4.0 * size, 5, 4) : LatticeBody("body", &shape, size);
    body.network.type = it->type;
    body.network.construction = it->construction;
    body.network.grid[0] = it->type == rsl_hexahedraNetwork ? 3 : 0;
    body.network.grid[1] = body.network.grid[2] = it->type == rsl_hexahedraNetwork ? 2 : 0;
    body.network.spacing = it->type == rsl_hexahedraNetwork || sheet ? 0.0 : size;
    body.network.orientation.angle = it->turn;
    body.model.type = it->model;
    body.repulsion.type = rsl_clampedRepulsion;
    rslScene scene = SceneOf(&body, 1);
    scene.plane = it->plane;
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    return Built(&scene, NULL);
}

// X + u = S X, S a shrinking by a factor along one axis (the plane: along y), and nodes at random by a part of the spacing.
static inline void Press(const Bench* bench, double factor, double size, uint64_t seed)
{
    Random random = MakeRandom(seed);
    const rslBody* body = &bench->model->bodies[0];
    bool flat = bench->model->plane == rsl_planeXY;
    int axis = body->thickness > 0.0 ? 1 : 2;
    for (int i = 0; i < body->nodeCount; ++i)
    {
        double x[3];
        rslBody_Rest(body, i, i + 1, x);
        for (int a = 0; a < 3; ++a)
        {
            double off = NextBetween(&random, -size, size) * body->spacing;
            bench->view.u[a][i] = (a == axis ? (factor - 1.0) * x[a] : 0.0) + (flat && a == 2 ? 0.0 : off);
        }
    }
}

static inline Bench BenchOf(rslModel* model)
{
    static const Case none = { 0 };
    Bench bench = { .it = &none, .model = model, .state = StateOf(model, rsl_double), .term = &rslRepulsionTerm64 };
    bench.team = rslTeam_Create(NULL, 1, NULL, NULL);
    bench.kernel = rslKernel_Create64(bench.model, false, NULL, bench.team);
    assert_non_null(bench.kernel);
    bench.view = rslKernel_View64(bench.kernel, bench.state, 0.0);
    return bench;
}
