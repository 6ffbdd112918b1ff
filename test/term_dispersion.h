// SPDX-License-Identifier: MIT
//
// term_dispersion.h: springs that share what they feel. Part of term_cases.h.

#pragma once

static rslModel* BuildDispersed(void)
{
    rslShapeDef shape = BoxShape(2.1, 0.1, 0.2);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.model.type = rsl_dispersionModel;
    body.material.poisson = 0.42;
    body.material.stiffnessDamping = 0.002;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildDispersedRegions(void)
{
    rslShapeDef shape = BoxShape(1.9, 0.2, 0.2), half = BoxShape(0.55, 1.0, 0.31);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    rslRegionDef region = { .shape = &half, .material = body.material };
    body.model.type = rsl_dispersionModel;
    body.network.construction = rsl_centredLattice;
    body.material.poisson = -0.6;
    region.material.poisson = 0.45;
    region.material.stiffnessDamping = 0.003;
    body.regions = &region;
    body.regionCount = 1;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildCheap(void)
{
    rslShapeDef shape = BallShape(0.3);
    rslBodyDef body = LatticeBody("ball", &shape, 0.12);
    body.model.type = rsl_dispersionModel;
    body.model.variant = rsl_cheapDispersion;
    body.network.law = rsl_carrierSpring;
    body.network.orientation = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 25.0 };
    body.material.poisson = 0.05;
    body.material.stiffnessDamping = 0.001;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildDispersedNetwork(void)
{
    rslShapeDef shape = BoxShape(0.5, 0.4, 0.3);
    rslBodyDef body = LatticeBody("net", &shape, 0.1);
    body.network.type = rsl_randomNetwork;
    body.network.minLength = 0.1;
    body.network.maxLength = 0.2;
    body.model.type = rsl_dispersionModel;
    body.material.poisson = 0.4;
    body.material.stiffnessDamping = 0.002;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildDrivenDispersion(void)
{
    rslShapeDef shape = BoxShape(1.7, 0.1, 0.1);
    rslBodyDef body = LatticeBody("muscle", &shape, 0.1);
    body.model.type = rsl_dispersionModel;
    body.material.poisson = 0.4;
    body.material.stiffnessDamping = 0.002;
    return BuildScene(&body, 1, AddDrives);
}
