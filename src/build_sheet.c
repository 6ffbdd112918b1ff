// SPDX-License-Identifier: MIT
//
// build_sheet.c: a membrane: the triangles of a mesh, or a grid.
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
// Grid of cells p x q, d^2 = p^2 + q^2. Each cell brings half of kx on its two sides along x, half of ky on those along
// y and kd on its two diagonals. C = (1 / pq) sum k L^2 n n n n:
//
//   C12 = C66 = 2 kd p^2 q^2 / (d^2 p q)        so  kd = 3/16 E h d^2 / (p q)
//   C11 = (kx p^2 + 2 kd p^4 / d^2) / (p q)     so  kx = 3/8 E h (3 q/p - p/q), and ky alike
//
// exactly, borders included (the cells are superposed). kx is positive while p < sqrt(3) q. With one diagonal a cell,
// alternating, it has 2 kd: the cells of one kind alone are skewed, their mean is not, and inside every node is a
// centre of symmetry, so that a uniform strain is in balance there.

#include "build.h"
#include "elementary.h"
#include "vec.h"

#include <limits.h>

typedef struct Sheet
{
    rslDraft draft;
    int* triangles;  // scratch
    int triangleCount;
    bool closed;
    double area;
    double stretch;  // E h [N/m]
    double damping;  // alpha1 [s]
    double density;  // rho h [kg/m2]
    double spacing;  // of a grid [m]; 0: the mean edge
} Sheet;

static rslVec3 At(const double* xyz, int node)
{
    xyz += 3 * (size_t)node;
    return (rslVec3){ xyz[0], xyz[1], xyz[2] };
}

static bool AllocateSheet(const rslHooks* hooks, Sheet* sheet, int nodes, int springs, int triangles)
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

static void AddSpring(Sheet* sheet, int a, int b, double stiffness)
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

// rho h A / 3 on every corner.
static double AddTriangleMass(Sheet* sheet, const int corner[3])
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
                               const int* triangles, int triangleCount, Sheet* sheet)
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
    if (!AllocateSheet(hooks, sheet, vertexCount, 3 * triangleCount, triangleCount))
    {
        return rsl_outOfMemory;
    }
    for (size_t i = 0; i < 3 * (size_t)vertexCount; ++i)
    {
        sheet->draft.positions[i] = vertices[i];
    }
    for (int t = 0; t < triangleCount; ++t)
    {
        const int* corner = triangles + 3 * (size_t)t;
        double area = AddTriangleMass(sheet, corner);
        for (int c = 0; c < 3; ++c)
        {
            int a = corner[c], b = corner[(c + 1) % 3];
            rslVec3 edge = rslSub(At(vertices, b), At(vertices, a));
            sheet->triangles[3 * (size_t)t + (size_t)c] = a;
            AddSpring(sheet, a, b, sheet->stretch * area / rslDot(edge, edge));
        }
    }
    sheet->closed = defects.openEdges == 0 && defects.nonManifoldEdges == 0 && defects.flippedEdges == 0;
    return rsl_ok;
}

// The triangles as the user gave them, scaled, turned and moved: borders stay open.
static rslStatus SheetFromUserMesh(rslBuild* build, const rslBodyDef* def, Sheet* sheet)
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

// ---- grid -----------------------------------------------------------------------------------------------------------

typedef struct GridSize
{
    double size[2], cell[2];
    int cells[2];
} GridSize;

static rslStatus SizeGrid(rslBuild* build, const rslBodyDef* def, GridSize* grid)
{
    const rslNetworkDef* network = &def->network;
    double count = 1.0;
    for (int axis = 0; axis < 2; ++axis)
    {
        double cells = network->cells[axis];
        if (cells < 1.0)
        {
            cells = floor(network->size[axis] / network->spacing + 0.5 + 1e-9);
            cells = cells < 1.0 ? 1.0 : cells;
        }
        count *= cells + 1.0;
        if (!(count < 1e8))
        {
            rslReport_Add(build->report, rsl_error, network->place,
                          "the grid of body '%s' would have more than 1e8 nodes; choose a larger spacing", def->name);
            return rsl_badInput;
        }
        grid->cells[axis] = (int)cells;
        grid->size[axis] = network->size[axis];
        grid->cell[axis] = network->size[axis] / cells;
    }
    double aspect = grid->cell[0] / grid->cell[1];
    if (!(aspect < 1.7 && aspect > 1.0 / 1.7))
    {
        rslReport_Add(
            build->report, rsl_error, network->place,
            "the cells of the grid of body '%s' are %.4g x %.4g m: beyond an aspect of 1.7 no springs give this "
            "material; change cells so that they are nearly square",
            def->name, grid->cell[0], grid->cell[1]);
        return rsl_badInput;
    }
    return rsl_ok;
}

static void PlaceGridNodes(const rslNetworkDef* network, const GridSize* grid, Sheet* sheet)
{
    rslQuat turn = rslQuatFromDegrees(network->rotate.axis, network->rotate.angle);
    rslMat3 matrix = rslQuatMatrix(turn);
    double* xyz = sheet->draft.positions;
    for (int j = 0; j <= grid->cells[1]; ++j)
    {
        for (int i = 0; i <= grid->cells[0]; ++i, xyz += 3)
        {
            rslVec3 x = { grid->cell[0] * (i - 0.5 * grid->cells[0]), grid->cell[1] * (j - 0.5 * grid->cells[1]), 0.0 };
            x = rslAdd(rslMatVec(&matrix, x), network->translate);
            xyz[0] = x.x;
            xyz[1] = x.y;
            xyz[2] = x.z;
        }
    }
}

// Springs and two triangles of one cell; corners are lower left, lower right, upper left, upper right.
static void AddCell(Sheet* sheet, const GridSize* grid, const int corner[4], bool rising, bool both, int* triangles)
{
    double p = grid->cell[0], q = grid->cell[1];
    double kx = 0.375 * sheet->stretch * (3.0 * q / p - p / q);
    double ky = 0.375 * sheet->stretch * (3.0 * p / q - q / p);
    double kd = 0.1875 * sheet->stretch * (p * p + q * q) / (p * q);
    AddSpring(sheet, corner[0], corner[1], 0.5 * kx);
    AddSpring(sheet, corner[2], corner[3], 0.5 * kx);
    AddSpring(sheet, corner[0], corner[2], 0.5 * ky);
    AddSpring(sheet, corner[1], corner[3], 0.5 * ky);
    if (both || rising)
    {
        AddSpring(sheet, corner[0], corner[3], both ? kd : 2.0 * kd);
    }
    if (both || !rising)
    {
        AddSpring(sheet, corner[1], corner[2], both ? kd : 2.0 * kd);
    }
    static const int split[2][6] = { { 0, 1, 2, 1, 3, 2 }, { 0, 1, 3, 0, 3, 2 } };
    for (int c = 0; c < 6; ++c)
    {
        triangles[c] = corner[split[rising ? 1 : 0][c]];
    }
}

static rslStatus SheetFromGrid(rslBuild* build, const rslBodyDef* def, Sheet* sheet)
{
    GridSize grid = { 0 };
    rslStatus status = SizeGrid(build, def, &grid);
    if (status != rsl_ok)
    {
        return status;
    }
    int nx = grid.cells[0], ny = grid.cells[1];
    if (!AllocateSheet(&build->model->hooks, sheet, (nx + 1) * (ny + 1), 6 * nx * ny, 2 * nx * ny))
    {
        return rsl_outOfMemory;
    }
    sheet->spacing = 0.5 * (grid.cell[0] + grid.cell[1]);
    PlaceGridNodes(&def->network, &grid, sheet);
    for (int j = 0, cell = 0; j < ny; ++j)
    {
        for (int i = 0; i < nx; ++i, ++cell)
        {
            int node = i + (nx + 1) * j;
            int corner[4] = { node, node + 1, node + nx + 1, node + nx + 2 };
            int* triangles = sheet->triangles + 6 * (size_t)cell;
            AddCell(sheet, &grid, corner, (i + j) % 2 == 0, def->network.bothDiagonals, triangles);
            AddTriangleMass(sheet, triangles);
            AddTriangleMass(sheet, triangles + 3);
        }
    }
    return rsl_ok;
}

// ---- together -------------------------------------------------------------------------------------------------------

// Its own triangles: every vertex is a node.
static rslStatus KeepSurface(rslBuild* build, const Sheet* sheet, rslBody* body)
{
    size_t corners = 3 * (size_t)sheet->triangleCount, vertices = (size_t)body->nodeCount;
    int* triangles = rslArena_Allocate(build->arena, corners, sizeof(int));
    int* nodes = rslArena_Allocate(build->arena, 8 * vertices, sizeof(int));
    double* weights = rslArena_Allocate(build->arena, 8 * vertices, sizeof(double));
    if (triangles == NULL || nodes == NULL || weights == NULL)
    {
        return rsl_outOfMemory;
    }
    for (size_t i = 0; i < corners; ++i)
    {
        triangles[i] = sheet->triangles[i];
    }
    for (size_t v = 0; v < vertices; ++v)
    {
        for (size_t s = 0; s < 8; ++s)
        {
            nodes[8 * v + s] = body->firstNode + (int)v;
        }
        weights[8 * v] = 1.0;
    }
    body->surface = (rslSurface){
        .vertexCount = (int)vertices,
        .triangleCount = sheet->triangleCount,
        .triangles = triangles,
        .stencilNodes = nodes,
        .stencilWeights = weights,
        .closed = sheet->closed,
    };
    return rsl_ok;
}

// nu = 1/3: mu = 3/8 E, K = E / (3 (1 - 2 nu)) = E; in plane stress, waves at sqrt(9/8 E / rho).
static void SetMaterial(const rslMaterialDef* material, double volume, rslBody* body)
{
    body->young = material->young;
    body->poisson = 1.0 / 3.0;
    body->shear = 0.375 * material->young;
    body->bulk = material->young;
    body->density = material->density;
    body->waveSpeed = sqrt(1.125 * material->young / material->density);
    body->stiffnessDamping = material->stiffnessDamping;
    body->volume = volume;
}

rslStatus rslBuild_Sheet(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    rslMaterialDef material = rslMaterial_Resolve(&def->material);
    double thickness = def->network.thickness;
    Sheet sheet = {
        .stretch = material.young * thickness,
        .damping = material.stiffnessDamping,
        .density = material.density * thickness,
    };
    rslStatus status = def->shape != NULL ? SheetFromUserMesh(build, def, &sheet) : SheetFromGrid(build, def, &sheet);
    status = status == rsl_ok ? rslBuild_Network(build, def, &sheet.draft, true, body) : status;
    status = status == rsl_ok && def->surface.enabled ? KeepSurface(build, &sheet, body) : status;
    if (status == rsl_ok)
    {
        SetMaterial(&material, sheet.area * thickness, body);
        body->spacing = sheet.spacing > 0.0 ? sheet.spacing : body->spacing;
        rslBuild_CheckPoisson(build, def, material.poisson, 1.0 / 3.0);
    }
    rslDraft_Free(&sheet.draft, &build->model->hooks);
    rslRelease(&build->model->hooks, sheet.triangles);
    return status;
}
