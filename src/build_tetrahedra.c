// SPDX-License-Identifier: MIT
//
// build_tetrahedra.c: springs along the edges of tetrahedra.
//
// Every tetrahedron of volume V brings to each of its six edges, of length L,
//
//   kot     k = E V / L^2               of a regular one: sqrt(2)/12 E L, Kot eq. 2.33, right for a change of volume
//   lloyd   k = 0.96 E V / L^2          of a regular one: 2 sqrt(2)/25 E L, Lloyd et al. 2007, the least-squares fit of the
//                                       finite element's matrix at nu = 1/4
//   equal   k = 6 E V / sum L^2         the same for its six edges
//
// Both papers give their constant for regular tetrahedra as c E L. Used as it stands it is 20 to 28 % too stiff in a real
// mesh, because L^3 of an edge is more than what the volume has; with V in its place, K = 1/(9 V) sum k L^2 is 2/3 E (0.96
// of it for lloyd) in every mesh. Measured in jittered Delaunay meshes of a cube: E 1.04 to 1.005 for lloyd, 1.08 to
// 1.05 for kot, 0.90 to 0.89 for equal, the nearer the finer the mesh; nu 0.20 to 0.21, below 1/4, for all.
//
// A quarter of rho V goes to each corner. Faces that only one tetrahedron has are the surface. Tetrahedra made to fill a shape
// (tet_mesh.c) leave out a little at curved surfaces; each stands for its share of it, so that the mass is that of the
// shape.

#include "cells.h"
#include "shape_internal.h"
#include "tet_mesh.h"
#include "vec.h"

typedef struct Tetrahedra
{
    rslCells cells;
    double share;  // volume that a tetrahedron stands for, over its own: what the shape has more than all of them
    double volume;
} Tetrahedra;

// ---- springs and masses -----------------------------------------------------------------------------------------------

static double EdgeConstant(rslTetrahedronRule rule, double volume, double length2, double sum2)
{
    switch (rule)
    {
        case rsl_kotTetrahedron: return volume / length2;
        case rsl_equalTetrahedron: return 6.0 * volume / sum2;
        default: return 0.96 * volume / length2;
    }
}

static void AddTetrahedron(Tetrahedra* tets, const rslMaterialDef* material, const int corner[4], double own)
{
    rslCells* cells = &tets->cells;
    const int(*edges)[2] = cells->kind->edges;
    const double* x = cells->draft.positions;
    double length2[6], sum2 = 0.0, volume = tets->share * own;
    for (int e = 0; e < 6; ++e)
    {
        rslVec3 d = rslSub(rslCells_At(x, corner[edges[e][1]]), rslCells_At(x, corner[edges[e][0]]));
        length2[e] = rslDot(d, d);
        sum2 += length2[e];
    }
    for (int e = 0; e < 6; ++e)
    {
        double k = material->young * EdgeConstant(cells->def->network.tetrahedronRule, volume, length2[e], sum2);
        rslCells_AddSpring(cells, corner[edges[e][0]], corner[edges[e][1]], k, material->stiffnessDamping * k);
    }
    for (int c = 0; c < 4; ++c)
    {
        cells->draft.masses[corner[c]] += 0.25 * material->density * volume;
    }
    tets->volume += volume;
}

// Flat to rounding: less than 1e-10 of the cube of its longest edge.
static bool IsFlat(const rslCells* cells, const int corner[4], double volume)
{
    const int(*edges)[2] = cells->kind->edges;
    const double* x = cells->draft.positions;
    double longest = 0.0;
    for (int e = 0; e < 6; ++e)
    {
        rslVec3 d = rslSub(rslCells_At(x, corner[edges[e][1]]), rslCells_At(x, corner[edges[e][0]]));
        double length = rslLength(d);
        longest = length > longest ? length : longest;
    }
    return !(volume > 1e-10 * longest * longest * longest);
}

static rslStatus MakeSprings(rslBuild* build, Tetrahedra* tets, const rslMaterialDef* material)
{
    const rslCells* cells = &tets->cells;
    for (int t = 0; t < cells->count; ++t)
    {
        const int* corner = rslCells_Corners(cells, t);
        double volume = rslCells_Orient(cells, t);
        if (!cells->made && IsFlat(cells, corner, volume))
        {
            rslVec3 at = rslCells_At(cells->draft.positions, corner[0]);
            rslReport_Add(build->report, rsl_error, cells->def->network.place,
                          "tetrahedron %d of body '%s' at [%.4g, %.4g, %.4g] has no volume; remove it, or mesh anew", t,
                          cells->def->name, at.x, at.y, at.z);
            return rsl_badInput;
        }
        AddTetrahedron(tets, material, corner, volume);
    }
    return rsl_ok;
}

// ---- together ---------------------------------------------------------------------------------------------------------

// What K = 1/(9 V) sum k L^2 says, with nu = 1/4.
static void SetMaterial(const rslMaterialDef* material, double volume, rslBody* body)
{
    body->young = material->young;
    body->poisson = 0.25;
    body->shear = 0.4 * material->young;
    body->bulk = 2.0 / 3.0 * material->young;
    body->density = material->density;
    body->waveSpeed = sqrt(1.2 * material->young / material->density);
    body->stiffnessDamping = material->stiffnessDamping;
    body->volume = volume;
}

// Every tetrahedron with its share of what the shape has more. That must not be much.
static rslStatus ShareVolume(rslBuild* build, Tetrahedra* tets, const rslShape* shape)
{
    const double worthSaying = 0.05, most = 0.25;
    const rslNetworkDef* network = &tets->cells.def->network;
    double sum = 0.0, whole = rslShape_Volume(shape, 0.25 * network->spacing);
    for (int t = 0; t < tets->cells.count; ++t)
    {
        sum += rslCells_Orient(&tets->cells, t);
    }
    double off = fabs(sum / whole - 1.0);
    tets->share = whole / sum;
    if (!(off <= most))
    {
        rslReport_Add(
            build->report, rsl_error, network->place,
            "body '%s': tetrahedra with a spacing of %.4g m fill %.3g of the volume of the shape, which is too "
            "thin or too curved for them: take a smaller spacing",
            tets->cells.def->name, network->spacing, sum / whole);
        return rsl_badInput;
    }
    if (off > worthSaying)
    {
        rslReport_Add(build->report, rsl_warning, network->place,
                      "body '%s': tetrahedra with a spacing of %.4g m fill %.3g of the volume of the shape; a smaller "
                      "spacing follows it more closely",
                      tets->cells.def->name, network->spacing, sum / whole);
    }
    return rsl_ok;
}

static rslStatus BuildList(rslBuild* build, Tetrahedra* tets, const rslShape* shape, rslBody* body)
{
    rslCells* cells = &tets->cells;
    const rslBodyDef* def = cells->def;
    rslMaterialDef material = rslBuild_Material(def, &def->material);
    rslStatus status = rslCells_MakeNodes(build, cells);
    status = status == rsl_ok && shape != NULL ? ShareVolume(build, tets, shape) : status;
    status = status == rsl_ok ? MakeSprings(build, tets, &material) : status;
    SetMaterial(&material, tets->volume, body);
    status = status == rsl_ok ? rslBuild_Network(build, def, &cells->draft, rsl_addParallel, body) : status;
    status = status == rsl_ok ? rslBuild_KeepElements(build, cells->corners, cells->count, 4, body) : status;
    status = status == rsl_ok ? rslCells_MakeSurface(build, cells, body) : status;
    if (status == rsl_ok)
    {
        bool elements = def->model.type == rsl_finiteModel || def->model.type == rsl_rigidModel;
        if (elements)
        {
            rslElementList list = { cells->count, 4, body->network.tetrahedra, 0, tets->share };
            status = rslBuild_Elements(build, def, &list, body);
        }
        rslBuild_CheckPoisson(build, def, material.poisson, 0.25);
        if (!elements && def->network.calibrate == rsl_noCalibration)
        {
            bool spread = def->model.type == rsl_dispersionModel;
            rslReport_Add(
                build->report, rsl_note, def->network.place,
                "body '%s': springs on tetrahedra measure within about 5 %% of Young's modulus, and a Poisson's "
                "ratio %s; calibrate: x meets %s",
                def->name, spread ? "about 0.04 too low" : "near 0.21", spread ? "both" : "Young's modulus");
        }
    }
    rslCells_Free(cells, &build->model->hooks);
    return status;
}

// Fill the shape, unless another mesher has done so.
static rslStatus MakeMesh(rslBuild* build, Tetrahedra* tets, const rslShape* shape, rslTetMesh* mesh)
{
    const rslNetworkDef* network = &tets->cells.def->network;
    rslMesherDef mesher = { .spacing = network->spacing,
                            .jitter = network->jitter,
                            .seed = rslBuild_Seed(build, tets->cells.def->name) };
    rslReport said = { 0 };
    rslStatus status = rslTetMesh_Fill(shape, &mesher, &build->model->hooks, mesh, &said);
    for (int i = 0; i < said.count; ++i)
    {
        rslReport_Add(build->report, said.messages[i].severity, network->place, "body '%s': %s", tets->cells.def->name,
                      said.messages[i].text);
    }
    tets->cells.nodes = mesh->nodes;
    tets->cells.nodeCount = mesh->nodeCount;
    tets->cells.listed = mesh->tetrahedra;
    tets->cells.count = mesh->tetrahedronCount;
    return status;
}

rslStatus rslBuild_Tetrahedra(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    Tetrahedra tets = {
        .cells = { .kind = &rslTetrahedronCells,
                   .def = def,
                   .nodes = def->network.nodes,
                   .listed = def->network.tetrahedra,
                   .nodeCount = def->network.nodeCount,
                   .count = def->network.tetrahedronCount,
                   .made = def->shape != NULL },
        .share = 1.0,
    };
    rslShape* shape = NULL;
    rslTetMesh mesh = { .hooks = build->model->hooks };
    rslStatus status = rsl_ok;
    if (tets.cells.made)
    {
        status = rslShape_Create(def->shape, &build->model->hooks, &shape, build->report);
        status = status == rsl_ok && tets.cells.count == 0 ? MakeMesh(build, &tets, shape, &mesh) : status;
    }
    status = status == rsl_ok ? BuildList(build, &tets, shape, body) : status;
    rslTetMesh_Free(&mesh);
    rslShape_Free(shape);
    return status;
}
