// SPDX-License-Identifier: MIT
//
// field_fixture.h: uniform strain, and the stress of it.

#pragma once

#include "physics_fixture.h"

#include "resilin/field.h"

typedef struct Tensor
{
    double c[3][3];
} Tensor;

static inline Tensor TensorOf(rslSymmetric s)
{
    return (Tensor){ { { s.xx, s.xy, s.zx }, { s.xy, s.yy, s.yz }, { s.zx, s.yz, s.zz } } };
}

static inline double Norm(rslSymmetric s)
{
    return sqrt(s.xx * s.xx + s.yy * s.yy + s.zz * s.zz + 2.0 * (s.yz * s.yz + s.zx * s.zx + s.xy * s.xy));
}

static inline rslSymmetric Minus(rslSymmetric a, rslSymmetric b)
{
    return (rslSymmetric){ a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.yz - b.yz, a.zx - b.zx, a.xy - b.xy };
}

// lambda tr e I + 2 mu e
static inline rslSymmetric StressOf(rslSymmetric e, double young, double poisson)
{
    double mu = 0.5 * young / (1.0 + poisson), lambda = 2.0 * mu * poisson / (1.0 - 2.0 * poisson);
    double trace = lambda * (e.xx + e.yy + e.zz);
    return (rslSymmetric){ trace + 2.0 * mu * e.xx, trace + 2.0 * mu * e.yy, trace + 2.0 * mu * e.zz,
                           2.0 * mu * e.yz,         2.0 * mu * e.zx,         2.0 * mu * e.xy };
}

static inline rslSymmetric RandomStrain(Random* random, double size)
{
    double e[6];
    for (int i = 0; i < 6; ++i)
    {
        e[i] = NextBetween(random, -size, size);
    }
    return (rslSymmetric){ e[0], e[1], e[2], e[3], e[4], e[5] };
}

// x -> x + e x for every node.
static inline void Strain(Run* run, rslSymmetric strain)
{
    Tensor e = TensorOf(strain);
    for (int i = 0; i < run->model->nodeCount; ++i)
    {
        rslVec3 x = PositionOf(run, i);
        double p[3] = { x.x, x.y, x.z }, q[3];
        for (int a = 0; a < 3; ++a)
        {
            q[a] = p[a] + e.c[a][0] * p[0] + e.c[a][1] * p[1] + e.c[a][2] * p[2];
        }
        rslState_SetPosition(run->model, run->state, i, (rslVec3){ q[0], q[1], q[2] });
    }
}

// ---- blocks and bars --------------------------------------------------------------------------------------------------

enum
{
    YOUNG = 1000
};

static inline Run StartBlock(const char* name, rslVec3 size, double spacing, rslConstruction construction, rslVec3 axis,
                             double angle)
{
    static rslShapeDef shape;
    static rslBodyDef body;
    shape = rslDefaultShapeDef();
    shape.size = size;
    body = rslDefaultBodyDef();
    body.name = name;
    body.shape = &shape;
    body.model.type = rsl_springModel;
    body.network.spacing = spacing;
    body.network.construction = construction;
    body.network.orientation = (rslRotationDef){ axis, angle };
    body.network.threshold = 0.0;
    body.material.young = YOUNG;
    body.material.poisson = 0.25;
    body.material.density = 10.0;
    body.surface.enabled = false;
    rslScene scene = rslDefaultScene();
    scene.gravity = (rslVec3){ 0 };
    scene.bodies = &body;
    scene.bodyCount = 1;
    return StartRun(&scene, SolverDef(rsl_positionVerlet, 1e-6));
}

static inline rslBodyDef Bar(const char* name, const rslShapeDef* shape, double spacing)
{
    rslBodyDef body = rslDefaultBodyDef();
    body.name = name;
    body.shape = shape;
    body.model.type = rsl_springModel;
    body.network.spacing = spacing;
    body.material.young = YOUNG;
    body.material.poisson = 0.25;
    body.material.density = 10.0;
    body.surface.enabled = false;
    return body;
}
