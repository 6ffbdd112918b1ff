// SPDX-License-Identifier: MIT
//
// term_cells.h: the models of term_cases.h that are boxes and hexahedra of any shape.

#pragma once

static rslModel* BuildBoxes(rslDiagonals diagonals, rslEdgeRule edges, double poisson)
{
    rslShapeDef shape = BoxShape(0.37, 0.2, 0.2);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.material.poisson = poisson;
    body.material.stiffnessDamping = 0.002;
    body.model = rslDefaultModelDef();
    body.model.type = rsl_boxModel;
    body.model.diagonals = diagonals;
    body.model.edges = edges;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildBaudetBoxes(void)
{
    return BuildBoxes(rsl_bodyDiagonals, rsl_baudetEdges, 0.4);
}

static rslModel* BuildFaceBoxes(void)
{
    return BuildBoxes(rsl_faceDiagonals, rsl_tunedEdges, 0.1);
}

// Cells of a box whose nodes are off their places, or of three different edges in a turned box.
static rslModel* BuildSolids(rslModelType type, rslElementLaw law, rslHexahedron element, double poisson)
{
    static const int cells[2][8] = { { 0, 1, 4, 3, 6, 7, 10, 9 }, { 1, 2, 5, 4, 7, 8, 11, 10 } };
    Random random = MakeRandom(7);
    rslShapeDef shape = BoxShape(0.2, 0.13, 0.11);
    double nodes[12][3];
    for (int i = 0; i < 12; ++i)
    {
        rslVec3 off = NextVec3(&random, 0.02);
        nodes[i][0] = 0.1 * (i % 3) + off.x;
        nodes[i][1] = 0.1 * (i / 3 % 2) + off.y;
        nodes[i][2] = 0.1 * (i / 6) + off.z;
    }
    rslBodyDef body = LatticeBody("bar", NULL, 0.0);
    body.network.type = rsl_hexahedraNetwork;
    body.network.nodes = nodes[0];
    body.network.nodeCount = 12;
    body.network.hexahedra = cells[0];
    body.network.hexahedronCount = 2;
    body.material.poisson = poisson;
    body.material.stiffnessDamping = 0.002;
    body.model = rslDefaultModelDef();
    body.model.type = type;
    body.model.law = law;
    body.model.element = element;
    body.model.edges = rsl_tunedEdges;
    if (type == rsl_boxModel)
    {
        shape.rotate = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 50.0 };
        body.shape = &shape;
        body.network = rslDefaultNetworkDef();
        body.network.type = rsl_hexahedraNetwork;
        body.network.grid[0] = 2;
        body.network.grid[1] = body.network.grid[2] = 1;
        body.model.diagonals = rsl_faceDiagonals;
    }
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildLinearSolids(void)
{
    return BuildSolids(rsl_finiteModel, rsl_linearElement, rsl_incompatibleHexahedron, 0.3);
}

static rslModel* BuildCorotatedSolids(void)
{
    return BuildSolids(rsl_finiteModel, rsl_corotationalElement, rsl_incompatibleHexahedron, 0.45);
}

static rslModel* BuildNeoHookeanSolids(void)
{
    return BuildSolids(rsl_finiteModel, rsl_neoHookeanElement, rsl_incompatibleHexahedron, -0.2);
}

static rslModel* BuildTrilinearSolids(void)
{
    return BuildSolids(rsl_finiteModel, rsl_neoHookeanElement, rsl_trilinearHexahedron, 0.3);
}

static rslModel* BuildTurnedBoxes(void)
{
    return BuildSolids(rsl_boxModel, rsl_corotationalElement, rsl_autoHexahedron, 0.3);
}
