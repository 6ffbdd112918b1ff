// SPDX-License-Identifier: MIT
//
// build_sheet.c: a membrane: the triangles of a mesh, the surface of a shape, or a grid.
//
// Springs in the plane give Cauchy's relation C12 = C66, which in plane stress means nu = 1/3:
//
//   C11 = E h / (1 - nu^2) = 9/8 E h,   C12 = C66 = 3/8 E h.
//
// Triangles. Lloyd, Szekely, Harders 2007, eq. 8: each triangle brings k = sqrt(3)/4 E h on each of its edges; for
// equilateral ones this is the stiffness of the finite element, to rounding. Others get the share of their area,
//
//   k = E h A / L^2                             (sqrt(3)/4 E h when equilateral)
//
// because the trace of the homogenised tensor, C_iijj = (1/A) sum k L^2, is then 3 E h for every triangle, as it must
// be; with the constant form it is sqrt(3)/4 E h sum L^2 / A >= 3 E h, too stiff for every other triangle.
//
// Regular grids are in sheet_pattern.c.

#include "sheet.h"

#include "elementary.h"

#include <limits.h>

static rslVec3 At(const double* xyz, int node)
{
    xyz += 3 * (size_t)node;
    return (rslVec3){ xyz[0], xyz[1], xyz[2] };
}

bool rslSheet_Allocate(rslSheet* sheet, const rslHooks* hooks, int nodes, int springs, int triangles)
{
    sheet->draft.nodeCount = nodes;
    sheet->draft.positions = rslAllocate(hooks, (size_t)nodes, 3 * sizeof(double));
    sheet->draft.masses = rslAllocate(hooks, (size_t)nodes, sizeof(double));
    sheet->draft.springs = rslAllocate(hooks, (size_t)springs, sizeof(rslSpring));
    sheet->triangles = rslAllocate(hooks, (size_t)triangles, 3 * sizeof(int));
    sheet->triangleCount = triangles;
    return sheet->draft.positions != NULL && sheet->draft.masses != NULL && sheet->draft.springs != NULL &&
           sheet->triangles != NULL;
}

void rslSheet_AddSpring(rslSheet* sheet, int a, int b, double stiffness)
{
    const double* x = sheet->draft.positions;
    sheet->draft.springs[sheet->draft.springCount++] = (rslSpring){
        .a = a < b ? a : b,
        .b = a < b ? b : a,
        .stiffness = stiffness,
        .damping = sheet->damping * stiffness,
        .restLength = rslLength(a < b ? rslSub(At(x, b), At(x, a)) : rslSub(At(x, a), At(x, b))),
    };
}

double rslSheet_AddMass(rslSheet* sheet, const int corner[3])
{
    const double* x = sheet->draft.positions;
    rslVec3 origin = At(x, corner[0]);
    double area = 0.5 * rslLength(rslCross(rslSub(At(x, corner[1]), origin), rslSub(At(x, corner[2]), origin)));
    for (int c = 0; c < 3; ++c)
    {
        sheet->draft.masses[corner[c]] += sheet->density * area / 3.0;
    }
    sheet->area += area;
    return area;
}

void rslSheet_AddEdges(rslSheet* sheet, const int corner[3], double area)
{
    const double* x = sheet->draft.positions;
    for (int c = 0; c < 3; ++c)
    {
        int a = corner[c], b = corner[(c + 1) % 3];
        rslVec3 edge = rslSub(At(x, b), At(x, a));
        rslSheet_AddSpring(sheet, a, b, sheet->stretch * area / rslDot(edge, edge));
    }
}

// ---- triangles of a mesh --------------------------------------------------------------------------------------------

// What a membrane cannot be made of. Holes and borders are welcome.
static rslStatus CheckMesh(rslBuild* build, const rslBodyDef* def, const rslMeshDefects* defects, int triangleCount)
{
    rslPlace place = def->shape->place;
    if (triangleCount < 1)
    {
        rslReport_Add(build->report, rsl_error, place, "the mesh of body '%s' has no triangles", def->name);
    }
    else if (defects->badIndices > 0 || defects->nonFinite > 0)
    {
        rslReport_Add(build->report, rsl_error, place,
                      "the mesh of body '%s' has %d bad vertex indices and %d vertices that are not finite", def->name,
                      defects->badIndices, defects->nonFinite);
    }
    else if (defects->degenerateTriangles > 0)
    {
        rslVec3 at = defects->degenerateAt;
        rslReport_Add(
            build->report, rsl_error, place,
            "the mesh of body '%s' has %d triangles without an area, the first at [%.4g, %.4g, %.4g]; a sheet "
            "uses triangles as they are: remove these",
            def->name, defects->degenerateTriangles, at.x, at.y, at.z);
    }
    else if (defects->unusedVertices > 0)
    {
        rslReport_Add(build->report, rsl_error, place,
                      "the mesh of body '%s' has %d vertices without a triangle; nodes of a sheet get their mass from "
                      "triangles: remove these",
                      def->name, defects->unusedVertices);
    }
    else
    {
        return rsl_ok;
    }
    return rsl_badInput;
}

static rslStatus SheetFromMesh(rslBuild* build, const rslBodyDef* def, const double* vertices, int vertexCount,
                               const int* triangles, int triangleCount, rslSheet* sheet)
{
    const rslHooks* hooks = &build->model->hooks;
    rslMeshDefects defects = { 0 };
    rslStatus status = rslMesh_Check(vertices, vertexCount, triangles, triangleCount, hooks, &defects);
    status = status == rsl_ok ? CheckMesh(build, def, &defects, triangleCount) : status;
    if (status == rsl_ok && triangleCount > INT_MAX / 3)
    {
        rslReport_Add(build->report, rsl_error, def->shape->place, "the mesh of body '%s' has too many triangles",
                      def->name);
        status = rsl_badInput;
    }
    if (status != rsl_ok)
    {
        return status;
    }
    if (!rslSheet_Allocate(sheet, hooks, vertexCount, 3 * triangleCount, triangleCount))
    {
        return rsl_outOfMemory;
    }
    for (size_t i = 0; i < 3 * (size_t)vertexCount; ++i)
    {
        sheet->draft.positions[i] = vertices[i];
    }
    for (int t = 0; t < triangleCount; ++t)
    {
        int* corner = sheet->triangles + 3 * (size_t)t;
        for (int c = 0; c < 3; ++c)
        {
            corner[c] = triangles[3 * (size_t)t + (size_t)c];
        }
        rslSheet_AddEdges(sheet, corner, rslSheet_AddMass(sheet, corner));
    }
    sheet->closed = defects.openEdges == 0 && defects.nonManifoldEdges == 0 && defects.flippedEdges == 0;
    return rsl_ok;
}

// The triangles as the user gave them, scaled, turned and moved: borders stay open.
static rslStatus SheetFromUserMesh(rslBuild* build, const rslBodyDef* def, rslSheet* sheet)
{
    const rslHooks* hooks = &build->model->hooks;
    const rslShapeDef* shape = def->shape;
    rslQuat turn = rslQuatFromDegrees(shape->rotate.axis, shape->rotate.angle);
    rslMat3 matrix = rslQuatMatrix(turn);
    double* vertices = rslAllocate(hooks, (size_t)shape->vertexCount, 3 * sizeof(double));
    if (vertices == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int i = 0; i < shape->vertexCount; ++i)
    {
        rslVec3 x = rslMatVec(&matrix, rslScale(shape->scale, At(shape->vertices, i)));
        x = rslAdd(x, shape->translate);
        vertices[3 * (size_t)i] = x.x;
        vertices[3 * (size_t)i + 1] = x.y;
        vertices[3 * (size_t)i + 2] = x.z;
    }
    rslStatus status =
        SheetFromMesh(build, def, vertices, shape->vertexCount, shape->triangles, shape->triangleCount, sheet);
    rslRelease(hooks, vertices);
    return status;
}

// The surface of a solid, in triangles of about the spacing.
static rslStatus SheetFromShape(rslBuild* build, const rslBodyDef* def, rslSheet* sheet)
{
    const rslHooks* hooks = &build->model->hooks;
    rslShape* shape = NULL;
    rslMesh mesh = { 0 };
    rslStatus status = rslShape_Create(def->shape, hooks, &shape, build->report);
    status = status == rsl_ok ? rslShape_Surface(shape, def->network.spacing, hooks, &mesh, build->report) : status;
    status = status == rsl_ok
                 ? SheetFromMesh(build, def, mesh.vertices, mesh.vertexCount, mesh.triangles, mesh.triangleCount, sheet)
                 : status;
    rslMesh_Free(&mesh);
    rslShape_Free(shape);
    return status;
}

static rslStatus MakeSheet(rslBuild* build, const rslBodyDef* def, rslSheet* sheet)
{
    return def->shape == NULL                  ? rslSheet_Pattern(build, def, sheet)
           : def->shape->type == rsl_meshShape ? SheetFromUserMesh(build, def, sheet)
                                               : SheetFromShape(build, def, sheet);
}

// ---- together -------------------------------------------------------------------------------------------------------

// nu = 1/3: mu = 3/8 E, K = E / (2 (1 - nu)) = 3/4 E; in plane stress, waves at sqrt(9/8 E / rho).
static void SetMaterial(const rslMaterialDef* material, double volume, rslBody* body)
{
    body->young = material->young;
    body->poisson = 1.0 / 3.0;
    body->shear = 0.375 * material->young;
    body->bulk = 0.75 * material->young;
    body->density = material->density;
    body->waveSpeed = sqrt(1.125 * material->young / material->density);
    body->stiffnessDamping = material->stiffnessDamping;
    body->volume = volume;
}

rslStatus rslBuild_Sheet(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    rslMaterialDef material = rslMaterial_Resolve(&def->material);
    double thickness = def->network.thickness;
    rslSheet sheet = {
        .stretch = material.young * thickness,
        .damping = material.stiffnessDamping,
        .density = material.density * thickness,
    };
    rslStatus status = MakeSheet(build, def, &sheet);
    SetMaterial(&material, sheet.area * thickness, body);
    status = status == rsl_ok ? rslBuild_Network(build, def, &sheet.draft, rsl_addParallel, body) : status;
    status = status == rsl_ok ? rslBuild_KeepElements(build, sheet.triangles, sheet.triangleCount, 3, body) : status;
    status = status == rsl_ok && def->surface.enabled
                 ? rslBuild_OwnSurface(build, sheet.triangles, sheet.triangleCount, sheet.closed, body)
                 : status;
    if (status == rsl_ok)
    {
        body->thickness = thickness;
        body->spacing = sheet.spacing > 0.0 ? sheet.spacing : body->spacing;
        rslModelType type = def->model.type;
        bool elements = type == rsl_finiteModel || type == rsl_angleModel || type == rsl_rigidModel;
        rslElementList list = { sheet.triangleCount, 3, sheet.triangles, body->firstNode, 1.0 };
        status = elements ? rslBuild_Elements(build, def, &list, body) : rsl_ok;
        status = status == rsl_ok ? rslBuild_Bending(build, def, &sheet, body) : status;
        rslBuild_CheckPoisson(build, def, material.poisson, 1.0 / 3.0);
    }
    rslDraft_Free(&sheet.draft, &build->model->hooks);
    rslRelease(&build->model->hooks, sheet.triangles);
    return status;
}
