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
    body.repulsion.stiffness = 900.0;
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
