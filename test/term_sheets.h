// SPDX-License-Identifier: MIT
//
// term_sheets.h: sheets of finite elements, of angular springs, and such that bend. Part of term_cases.h.

#pragma once

static rslModel* BuildTriangles(rslElementLaw law, double poisson, void (*adorn)(rslScene*))
{
    rslBodyDef body = GridBody("sheet", 0.5, 0.4, 5, 4);
    body.material.poisson = poisson;
    body.material.stiffnessDamping = 0.003;
    body.model = (rslModelDef){ .type = rsl_finiteModel, .law = law };
    body.network.rotate = adorn != NULL ? body.network.rotate : (rslRotationDef){ { 1.0, -1.0, 0.5 }, 70.0 };
    return BuildScene(&body, 1, adorn);
}

static rslModel* BuildLinearTriangles(void)
{
    return BuildTriangles(rsl_linearElement, 0.3, NULL);
}

static rslModel* BuildCorotatedTriangles(void)
{
    return BuildTriangles(rsl_corotationalElement, 0.45, NULL);
}

static rslModel* BuildNeoHookeanTriangles(void)
{
    return BuildTriangles(rsl_neoHookeanElement, -0.5, NULL);
}

static rslModel* BuildFlatTriangles(void)
{
    return BuildTriangles(rsl_corotationalElement, 0.2, MakePlane);
}

// Springs, angular springs and springs of the area: equilateral, right and other triangles, in space and in the plane.
static rslModel* BuildAngles(rslSheetPattern pattern, double poisson, void (*adorn)(rslScene*))
{
    rslBodyDef body = GridBody("sheet", 0.5, 0.4, 5, 4);
    body.network.pattern = pattern;
    body.material.poisson = poisson;
    body.material.stiffnessDamping = 0.003;
    body.model.type = rsl_angleModel;
    body.network.rotate = adorn != NULL ? body.network.rotate : (rslRotationDef){ { 1.0, -1.0, 0.5 }, 70.0 };
    return BuildScene(&body, 1, adorn);
}

static rslModel* BuildAuxeticAngles(void)
{
    return BuildAngles(rsl_hexagonalPattern, -0.5, NULL);
}

static rslModel* BuildRightAngles(void)
{
    return BuildAngles(rsl_alternatingPattern, 0.2, NULL);
}

static rslModel* BuildFlatAngles(void)
{
    return BuildAngles(rsl_hexagonalPattern, 0.8, MakePlane);
}

// Three acute triangles, a right and an obtuse one.
static rslModel* BuildMixedAngles(void)
{
    static const double vertices[] = { 0,    0,    0,   0.2, 0,   0.03, 0.09, 0.17, 0,    0.3, 0.18,
                                       0.02, 0.13, 0.4, 0,   0.5, 0.21, 0,    0.2,  -0.3, 0.03 };
    static const int triangles[] = { 0, 1, 2, 1, 3, 2, 2, 3, 4, 1, 5, 3, 0, 6, 1 };
    rslShapeDef shape = MeshShape(vertices, 7, triangles, 5);
    rslBodyDef body = GridBody("sheet", 0.0, 0.0, 0, 0);
    body.shape = &shape;
    body.material.poisson = 0.6;
    body.material.stiffnessDamping = 0.003;
    body.model.type = rsl_angleModel;
    return BuildScene(&body, 1, NULL);
}

// Bending: of a grid, of elements on a hexagonal one, and of a mesh that is bent at rest, with a triangle turned the other way.
static rslModel* BuildBentSheet(void)
{
    rslBodyDef body = GridBody("sheet", 0.5, 0.4, 5, 4);
    body.network.bending = 3.0;
    body.material.stiffnessDamping = 0.003;
    body.network.rotate = (rslRotationDef){ { 1.0, -1.0, 0.5 }, 70.0 };
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildBentTriangles(void)
{
    rslBodyDef body = GridBody("sheet", 0.5, 0.4, 5, 4);
    body.network.pattern = rsl_hexagonalPattern;
    body.network.bending = RSL_AUTO;
    body.material.poisson = 0.1;
    body.model = (rslModelDef){ .type = rsl_finiteModel, .law = rsl_corotationalElement };
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildBentMesh(void)
{
    static const double vertices[] = { 0,    0,    0,    0.2, 0,   0.05, 0.09, 0.17, 0,    0.3, 0.18,
                                       0.09, 0.13, 0.38, 0.1, 0.5, 0.05, 0,    0.2,  -0.3, 0.1 };
    static const int triangles[] = { 0, 1, 2, 1, 3, 2, 2, 4, 3, 1, 5, 3, 0, 6, 1 };
    rslShapeDef shape = MeshShape(vertices, 7, triangles, 5);
    rslBodyDef body = GridBody("sheet", 0.0, 0.0, 0, 0);
    body.shape = &shape;
    body.network.bending = 2.0;
    body.material.stiffnessDamping = 0.003;
    return BuildScene(&body, 1, NULL);
}
