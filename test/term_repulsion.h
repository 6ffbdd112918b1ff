// SPDX-License-Identifier: MIT
//
// term_repulsion.h: the models of term_cases.h whose elements repel at all strains.

#pragma once

static rslModel* BuildRepelling(rslNetworkType type, rslRepulsionType law, void (*adorn)(rslScene*))
{
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.2);
    rslBodyDef body = type == rsl_sheetNetwork ? GridBody("body", 0.5, 0.4, 5, 4) : LatticeBody("body", &shape, 0.1);
    body.network.type = type;
    body.network.pattern = rsl_hexagonalPattern;
    body.repulsion.type = law;
    body.repulsion.share = 0.3;
    return BuildScene(&body, 1, adorn);
}

static rslModel* BuildCooperCells(void)
{
    return BuildRepelling(rsl_latticeNetwork, rsl_cooperRepulsion, NULL);
}

static rslModel* BuildStiffCells(void)
{
    return BuildRepelling(rsl_latticeNetwork, rsl_stiffRepulsion, NULL);
}

static rslModel* BuildCooperTriangles(void)
{
    return BuildRepelling(rsl_sheetNetwork, rsl_cooperRepulsion, NULL);
}

static rslModel* BuildStiffTriangles(void)
{
    return BuildRepelling(rsl_sheetNetwork, rsl_stiffRepulsion, NULL);
}

static rslModel* BuildFlatCooper(void)
{
    return BuildRepelling(rsl_sheetNetwork, rsl_cooperRepulsion, MakePlane);
}

static rslModel* BuildFlatStiff(void)
{
    return BuildRepelling(rsl_sheetNetwork, rsl_stiffRepulsion, MakePlane);
}

static rslModel* BuildCentroidTriangles(void)
{
    return BuildRepelling(rsl_sheetNetwork, rsl_centroidRepulsion, NULL);
}

static rslModel* BuildFlatCentroids(void)
{
    return BuildRepelling(rsl_sheetNetwork, rsl_centroidRepulsion, MakePlane);
}

// Two on a face, listed, with springs of each and a stiffness of the mean of these.
static rslModel* BuildCentroidTetrahedra(void)
{
    static const double nodes[15] = { 0, 0, 0, 0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.3, 0.1, 0.1, -0.3 };
    static const int tetrahedra[8] = { 0, 1, 2, 3, 0, 2, 1, 4 };
    static const double mass = 1.0, stiffness = 800.0;
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "two";
    body.network.type = rsl_explicitNetwork;
    body.network.springsFrom = rsl_elementSprings;
    body.network.nodes = nodes;
    body.network.nodeCount = 5;
    body.network.tetrahedra = tetrahedra;
    body.network.tetrahedronCount = 2;
    body.network.masses = &mass;
    body.network.stiffness = &stiffness;
    body.network.massCount = body.network.stiffnessCount = 1;
    body.repulsion.type = rsl_centroidRepulsion;
    return BuildScene(&body, 1, NULL);
}
