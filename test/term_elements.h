// SPDX-License-Identifier: MIT
//
// term_elements.h: hexahedra of lattices, bricks and tetrahedra. Part of term_cases.h.

#pragma once

// Of a lattice that the shape cuts.
static rslModel* BuildHexahedra(rslElementLaw law, rslHexahedron element, double poisson)
{
    rslShapeDef shape = BoxShape(0.37, 0.2, 0.2);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.material.poisson = poisson;
    body.material.stiffnessDamping = 0.002;
    body.model = (rslModelDef){ .type = rsl_finiteModel, .law = law, .element = element };
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildLinearHexahedra(void)
{
    return BuildHexahedra(rsl_linearElement, rsl_trilinearHexahedron, 0.3);
}

static rslModel* BuildCorotatedHexahedra(void)
{
    return BuildHexahedra(rsl_corotationalElement, rsl_incompatibleHexahedron, 0.45);
}

static rslModel* BuildCorotatedTrilinear(void)
{
    return BuildHexahedra(rsl_corotationalElement, rsl_trilinearHexahedron, -0.5);
}

static rslModel* BuildNeoHookeanHexahedra(void)
{
    return BuildHexahedra(rsl_neoHookeanElement, rsl_autoHexahedron, 0.4);
}

static rslModel* BuildRegionHexahedra(void)
{
    rslShapeDef shape = BoxShape(0.5, 0.2, 0.2), half = BoxShape(0.25, 1.0, 0.31);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    rslRegionDef region = { .shape = &half, .material = body.material };
    region.material.young *= 7.0;
    region.material.stiffnessDamping = 0.003;
    body.regions = &region;
    body.regionCount = 1;
    body.model.type = rsl_finiteModel;
    return BuildScene(&body, 1, NULL);
}

// Bricks in a lattice that is turned: nearly all cells are cut, each in its own way.
static rslModel* BuildBricks(rslElementLaw law, double poisson, double floor)
{
    rslShapeDef shape = BoxShape(0.31, 0.22, 0.24);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.network.orientation = (rslRotationDef){ { 0.4, -0.3, 0.7 }, 33.0 };
    body.material.poisson = poisson;
    body.material.stiffnessDamping = 0.002;
    body.model = (rslModelDef){ .type = rsl_brickModel, .law = law, .floor = floor };
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildLinearBricks(void)
{
    return BuildBricks(rsl_linearElement, 0.3, 0.25);
}

static rslModel* BuildCorotatedBricks(void)
{
    return BuildBricks(rsl_corotationalElement, 0.49, 0.5);
}

static rslModel* BuildNeoHookeanBricks(void)
{
    return BuildBricks(rsl_neoHookeanElement, -0.5, 0.5);
}

static rslModel* BuildRegionBricks(void)
{
    rslShapeDef shape = BoxShape(0.47, 0.2, 0.23), half = BoxShape(0.25, 1.0, 0.31);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    rslRegionDef region = { .shape = &half, .material = body.material };
    region.material.young *= 7.0;
    region.material.poisson = 0.45;
    region.material.stiffnessDamping = 0.003;
    body.regions = &region;
    body.regionCount = 1;
    body.model = (rslModelDef){ .type = rsl_brickModel, .floor = 0.5 };
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildTetrahedra(rslElementLaw law, double poisson)
{
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.2);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.network.type = rsl_tetrahedraNetwork;
    body.material.poisson = poisson;
    body.material.stiffnessDamping = 0.002;
    body.model = (rslModelDef){ .type = rsl_finiteModel, .law = law };
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildLinearTetrahedra(void)
{
    return BuildTetrahedra(rsl_linearElement, 0.3);
}

static rslModel* BuildCorotatedTetrahedra(void)
{
    return BuildTetrahedra(rsl_corotationalElement, 0.2);
}

static rslModel* BuildNeoHookeanTetrahedra(void)
{
    return BuildTetrahedra(rsl_neoHookeanElement, -0.3);
}
