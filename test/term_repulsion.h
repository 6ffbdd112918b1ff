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

// Two on a face, listed: of a material, or with springs of each and a stiffness of the mean of these.
static rslModel* BuildTwo(rslNetworkType type, rslRepulsionType law)
{
    static const double nodes[15] = { 0, 0, 0, 0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.3, 0.1, 0.1, -0.3 };
    static const int tetrahedra[8] = { 0, 1, 2, 3, 0, 2, 1, 4 };
    static const double mass = 1.0, stiffness = 800.0;
    rslShapeDef none = BoxShape(1, 1, 1);
    rslBodyDef body = LatticeBody("two", &none, 0.1);
    bool listed = type == rsl_explicitNetwork;
    body.shape = NULL;
    body.network = rslDefaultBodyDef().network;
    body.network.type = type;
    body.network.nodes = nodes;
    body.network.nodeCount = 5;
    body.network.tetrahedra = tetrahedra;
    body.network.tetrahedronCount = 2;
    body.network.springsFrom = listed ? rsl_elementSprings : rsl_listedSprings;
    body.network.masses = listed ? &mass : NULL;
    body.network.stiffness = listed ? &stiffness : NULL;
    body.network.massCount = body.network.stiffnessCount = listed;
    body.material = listed ? rslDefaultBodyDef().material : body.material;
    body.model.type = listed ? rsl_autoModel : rsl_springModel;
    body.repulsion.type = law;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildCentroidTetrahedra(void)
{
    return BuildTwo(rsl_explicitNetwork, rsl_centroidRepulsion);
}

static rslModel* BuildCooperTetrahedra(void)
{
    return BuildTwo(rsl_tetrahedraNetwork, rsl_cooperRepulsion);
}

static rslModel* BuildStiffTetrahedra(void)
{
    return BuildTwo(rsl_tetrahedraNetwork, rsl_stiffRepulsion);
}
