// SPDX-License-Identifier: MIT
//
// implicit_contact_fixture.h: boxes on the ground in implicit steps.

#pragma once

#include "physics_fixture.h"

static const double frame = 1.0 / 60.0;

// alpha1 for a ratio at the first shear mode of a box of a height, E 1e5.
static inline double Damping(double ratio, double height)
{
    double w = 0.5 * PI / height * sqrt(0.4 * 1e5 / 1000.0);
    return 2.0 * ratio / w;
}

static inline rslSolverDef Implicit(rslIntegrator scheme, double step, double tolerance)
{
    rslSolverDef def = SolverDef(scheme, step);
    def.tolerance = tolerance;
    return def;
}

static inline rslScene OnGround(const rslBodyDef* bodies, int count, double friction)
{
    rslScene scene = SceneOf(bodies, count);
    scene.ground = rslDefaultGroundDef();
    scene.ground.friction = friction;
    scene.touch.scheme = rsl_barrierScheme;
    scene.touch.pairs = rsl_allPairs;
    scene.touch.friction = friction;
    scene.gravity = (rslVec3){ 0.0, 0.0, -9.81 };
    scene.time.integrator = rsl_theta;
    return scene;
}

static inline rslVec3 CentreOf(const Run* run, int body)
{
    return rslSolver_Motion(run->solver, run->state, body).centre;
}

static inline double LowestOf(const Run* run)
{
    double low = INFINITY;
    for (int i = 0; i < run->model->nodeCount; ++i)
    {
        low = fmin(low, PositionOf(run, i).z);
    }
    return low;
}
