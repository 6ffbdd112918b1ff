// SPDX-License-Identifier: MIT
//
// term_volumes.h: the part of term_cases.h with volumes that are kept.

#pragma once

#include "volume_fixture.h"

static inline rslModel* BuildHull(Hull hull, rslVolumeDef volume)
{
    static const double mass = 0.7, stiffness = 900.0, damping = 0.0;
    rslBodyDef body = HullBody("hull", &hull, &mass, &stiffness, &damping);
    body.volume = volume;
    rslModel* model = BuildScene(&body, 1, NULL);
    FreeHull(&hull);
    return model;
}

static rslModel* BuildPressureVolume(void)
{
    rslVolumeDef volume = { .method = rsl_pressureVolume, .stiffness = 3000.0, .radial = 200.0, .centres = 1 };
    return BuildHull(RoundHull(5, 3, (rslVec3){ 0.3, 0.4, 0.35 }, false), volume);
}

static rslModel* BuildImplicitVolume(void)
{
    rslVolumeDef volume = { .method = rsl_implicitVolume, .stiffness = 700.0, .radial = 300.0, .centres = 1 };
    return BuildHull(RoundHull(5, 3, (rslVec3){ 0.3, 0.4, 0.35 }, false), volume);
}

static rslModel* BuildTwoCentres(void)
{
    rslVolumeDef volume = { .method = rsl_implicitVolume, .stiffness = 700.0, .radial = 300.0, .centres = 2 };
    return BuildHull(RoundHull(4, 4, (rslVec3){ 0.3, 0.9, 0.35 }, false), volume);
}

static rslModel* BuildDome(void)
{
    rslVolumeDef volume = { .method = rsl_pressureVolume, .stiffness = 3000.0, .centres = 1, .base = rsl_fanBase };
    return BuildHull(RoundHull(5, 3, (rslVec3){ 0.3, 0.4, 0.35 }, true), volume);
}

static rslModel* BuildFullBall(void)
{
    rslShapeDef shape = BallShape(0.21);
    rslBodyDef body = LatticeBody("ball", &shape, 0.1);
    body.volume = (rslVolumeDef){ .method = rsl_pressureVolume, .stiffness = 5e4, .centres = 1 };
    return BuildScene(&body, 1, NULL);
}
