// SPDX-License-Identifier: MIT
//
// antialias_fixture.h: shapes that cut cells, lattices in them and their volume.

#pragma once

#include "build_fixture.h"

static const double pi = 3.14159265358979323846;

static inline rslRotationDef RandomTurn(uint64_t* seed)
{
    rslVec3 axis = { RandomNumber(seed), RandomNumber(seed), RandomNumber(seed) + 1.5 };
    return (rslRotationDef){ axis, 180.0 * RandomNumber(seed) };
}

static inline rslShapeDef Torus(double ring, double tube)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_torusShape;
    shape.radius = ring;
    shape.tubeRadius = tube;
    return shape;
}

static inline rslShapeDef Combined(rslShapeType type, const rslShapeDef* parts, int count)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = type;
    shape.parts = parts;
    shape.partCount = count;
    return shape;
}

// A body without a surface, which does not matter here.
static inline rslBodyDef Body(const rslShapeDef* shape, double spacing)
{
    rslBodyDef body = LatticeBody("body", shape, spacing);
    body.surface.enabled = false;
    return body;
}

static inline rslModel* Build(const rslBodyDef* body)
{
    rslScene scene = SceneOf(body, 1);
    return Built(&scene, NULL);
}

static inline int64_t CellsOf(const rslLattice* lattice)
{
    return (int64_t)lattice->cells[0] * lattice->cells[1] * lattice->cells[2];
}

static inline double WeightOf(const rslLattice* lattice)
{
    double sum = 0.0;
    for (int64_t c = 0; c < CellsOf(lattice); ++c)
    {
        sum += lattice->weight[c];
    }
    return sum;
}

// Mass, weights and the volume of the body all say rho V, within a relative error and the body's own bound.
static inline void CheckVolume(const rslModel* model, double volume, double tolerance)
{
    const rslBody* body = &model->bodies[0];
    const rslLattice* lattice = &body->lattice;
    double a = lattice->spacing, error = body->volume / volume - 1.0;
    if (!(fabs(error) <= tolerance) || !(fabs(body->volume - volume) <= lattice->volumeBound + 1e-12 * volume))
    {
        print_error("volume off by %g, bound %g, tolerance %g\n", error, lattice->volumeBound / volume, tolerance);
        fail();
    }
    assert_true(Near(WeightOf(lattice) * a * a * a, body->volume, 1e-12 * volume));
    assert_true(Near(TotalMass(model, 0), body->density * body->volume, 1e-12 * body->density * volume));
    assert_true(Near(body->mass, body->density * body->volume, 1e-12 * body->density * volume));
}
