// SPDX-License-Identifier: MIT
//
// gmsh.c: shapes filled with tetrahedra by Gmsh.
//
// The surface of a shape, with edges of the spacing, is given to Gmsh, which fills it and leaves it as it is. A mesh shape has
// triangles of any size, so these are cut into patches at sharp edges and meshed anew first. Every closed part of the surface is
// a shell; one that is inside out is a cavity of the smallest part around it.

#include "gmsh.h"

#if !RSL_HAVE_GMSH

rslStatus rslGmsh_Fill(rslScene* scene, const rslBodyDef* body, const rslHooks* hooks, rslReport* report)
{
    (void)scene;
    (void)hooks;
    rslReport_Add(
        report, rsl_error, body->network.place,
        "mesher: gmsh needs the module Gmsh, which was left out of this build (libgmsh-dev and -DRSL_GMSH=ON); "
        "'mesher: delaunay' is always there, and so is 'file' for a .msh made elsewhere");
    return rsl_unsupported;
}

#else

#include <gmshc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TRIANGLE = 2,
    TETRAHEDRON = 4,
};

#define PATCH_ANGLE (40.0 * 3.14159265358979323846 / 180.0)

typedef struct Filled
{
    size_t *nodeTags, *corners, *tags;
    double *nodes, *unused;
    size_t nodeCount, nodeNumbers, unusedCount, cornerCount, tagCount;
} Filled;

static void FreeFilled(Filled* filled)
{
    gmshFree(filled->nodeTags);
    gmshFree(filled->corners);
    gmshFree(filled->tags);
    gmshFree(filled->nodes);
    gmshFree(filled->unused);
}

static void SetOptions(double spacing, int* error)
{
    const struct
    {
        const char* name;
        double value;
    } options[] = {
        { "General.Terminal", 0.0 },     { "General.NumThreads", 1.0 },      { "Mesh.MeshSizeMin", spacing },
        { "Mesh.MeshSizeMax", spacing }, { "Mesh.MeshSizeFromPoints", 0.0 }, { "Mesh.MeshSizeExtendFromBoundary", 0.0 },
        { "Mesh.RandomSeed", 1.0 },
    };
    for (size_t i = 0; *error == 0 && i < sizeof options / sizeof options[0]; ++i)
    {
        gmshOptionSetNumber(options[i].name, options[i].value, error);
    }
}

// ---- parts of the surface -----------------------------------------------------------------------------------------------

typedef struct Part
{
    double volume;  // negative: a cavity
    double low[3], high[3];
    int around;  // of a cavity: the part it is in
    int shell;   // in Gmsh
} Part;

typedef struct Parts
{
    int* of;  // of every vertex
    Part* parts;
    int count;
} Parts;

static int FindRoot(int* parent, int item)
{
    while (parent[item] != item)
    {
        parent[item] = parent[parent[item]];
        item = parent[item];
    }
    return item;
}

// Number the parts; unused vertices are parts without volume, and get none.
static void NumberParts(const rslMesh* surface, Parts* parts, int* parent)
{
    for (int v = 0; v < surface->vertexCount; ++v)
    {
        parent[v] = v;
        parts->of[v] = -1;
    }
    for (int i = 0; i < 3 * surface->triangleCount; ++i)
    {
        int a = FindRoot(parent, surface->triangles[i]), b = FindRoot(parent, surface->triangles[i - i % 3]);
        parent[a > b ? a : b] = a > b ? b : a;
    }
    for (int i = 0; i < 3 * surface->triangleCount; ++i)
    {
        int vertex = surface->triangles[i], root = FindRoot(parent, vertex);
        parts->of[root] = parts->of[root] < 0 ? parts->count++ : parts->of[root];
        parts->of[vertex] = parts->of[root];
    }
}

static void MeasureParts(const rslMesh* surface, Parts* parts)
{
    for (int p = 0; p < parts->count; ++p)
    {
        parts->parts[p] = (Part){ .low = { HUGE_VAL, HUGE_VAL, HUGE_VAL },
                                  .high = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL },
                                  .around = -1 };
    }
    for (int v = 0; v < surface->vertexCount; ++v)
    {
        for (int a = 0; parts->of[v] >= 0 && a < 3; ++a)
        {
            Part* part = &parts->parts[parts->of[v]];
            double x = surface->vertices[3 * (size_t)v + (size_t)a];
            part->low[a] = x < part->low[a] ? x : part->low[a];
            part->high[a] = x > part->high[a] ? x : part->high[a];
        }
    }
    for (int t = 0; t < surface->triangleCount; ++t)
    {
        const int* corner = surface->triangles + 3 * (size_t)t;
        Part* part = &parts->parts[parts->of[corner[0]]];
        double x[3][3];
        for (int i = 0; i < 9; ++i)
        {
            x[i / 3][i % 3] = surface->vertices[3 * (size_t)corner[i / 3] + (size_t)(i % 3)] - part->low[i % 3];
        }
        part->volume +=
            (x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) + x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2]) +
             x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0])) /
            6.0;
    }
}

static bool IsAround(const Part* outer, const Part* inner)
{
    bool around = outer->volume > 0.0;
    for (int a = 0; a < 3; ++a)
    {
        around = around && outer->low[a] <= inner->low[a] && outer->high[a] >= inner->high[a];
    }
    return around;
}

static void PlaceCavities(Parts* parts)
{
    for (int c = 0; c < parts->count; ++c)
    {
        Part* cavity = &parts->parts[c];
        for (int p = 0; cavity->volume < 0.0 && p < parts->count; ++p)
        {
            bool nearer = cavity->around < 0 || parts->parts[p].volume < parts->parts[cavity->around].volume;
            cavity->around = IsAround(&parts->parts[p], cavity) && nearer ? p : cavity->around;
        }
    }
}

static bool MakeParts(const rslMesh* surface, Parts* parts)
{
    size_t vertices = (size_t)surface->vertexCount;
    int* parent = malloc((vertices + 1) * sizeof *parent);
    parts->of = malloc((vertices + 1) * sizeof *parts->of);
    bool made = parent != NULL && parts->of != NULL;
    if (made)
    {
        NumberParts(surface, parts, parent);
        parts->parts = calloc((size_t)parts->count + 1, sizeof *parts->parts);
        made = parts->parts != NULL;
    }
    if (made)
    {
        MeasureParts(surface, parts);
        PlaceCavities(parts);
    }
    free(parent);
    return made;
}

// ---- to Gmsh and back -----------------------------------------------------------------------------------------------------

// Every part as a discrete entity; nodes are numbered from 1 as vertices from 0.
static bool AddSurface(const rslMesh* surface, const Parts* parts, int* error)
{
    size_t* tags = malloc((3 * (size_t)surface->triangleCount + 1) * sizeof *tags);
    double* xyz = malloc(((size_t)surface->vertexCount + 1) * 3 * sizeof *xyz);
    bool room = tags != NULL && xyz != NULL;
    gmshModelAdd("body", error);
    for (int p = 0; room && *error == 0 && p < parts->count; ++p)
    {
        size_t nodes = 0, corners = 0;
        int entity = gmshModelAddDiscreteEntity(2, -1, NULL, 0, error);
        for (int v = 0; v < surface->vertexCount; ++v)
        {
            if (parts->of[v] == p)
            {
                memcpy(xyz + 3 * nodes, surface->vertices + 3 * (size_t)v, 3 * sizeof *xyz);
                tags[nodes++] = (size_t)v + 1;
            }
        }
        if (*error == 0)
        {
            gmshModelMeshAddNodes(2, entity, tags, nodes, xyz, 3 * nodes, NULL, 0, error);
        }
        for (int i = 0; i < 3 * surface->triangleCount; ++i)
        {
            if (parts->of[surface->triangles[i]] == p)
            {
                tags[corners++] = (size_t)surface->triangles[i] + 1;
            }
        }
        if (*error == 0)
        {
            gmshModelMeshAddElementsByType(entity, TRIANGLE, NULL, 0, tags, corners, error);
        }
    }
    free(tags);
    free(xyz);
    return room;
}

// The part that a surface of Gmsh is of, by one of its nodes; -1: unknown.
static int PartOf(const Parts* parts, int vertexCount, int surface, int* error)
{
    size_t *tags = NULL, count = 0, numbers = 0, unusedCount = 0;
    double *xyz = NULL, *unused = NULL;
    int part = -1;
    gmshModelMeshGetNodes(&tags, &count, &xyz, &numbers, &unused, &unusedCount, 2, surface, 1, 0, error);
    for (size_t i = 0; *error == 0 && part < 0 && i < count; ++i)
    {
        part = tags[i] >= 1 && tags[i] <= (size_t)vertexCount ? parts->of[tags[i] - 1] : -1;
    }
    gmshFree(tags);
    gmshFree(xyz);
    gmshFree(unused);
    return part;
}

// The surfaces of every part as a shell; list has room for all surfaces, twice.
static void AddShells(Parts* parts, int vertexCount, const int* pairs, size_t surfaces, int* list, int* error)
{
    int* of = list + surfaces;
    for (size_t i = 0; *error == 0 && i < surfaces; ++i)
    {
        of[i] = PartOf(parts, vertexCount, pairs[2 * i + 1], error);
    }
    for (int p = 0; *error == 0 && p < parts->count; ++p)
    {
        size_t count = 0;
        for (size_t i = 0; i < surfaces; ++i)
        {
            list[count] = pairs[2 * i + 1];
            count += of[i] == p;
        }
        parts->parts[p].shell = gmshModelGeoAddSurfaceLoop(list, count, -1, error);
    }
}

// Gmsh 4.8 does not come back from two separate bodies.
static bool IsOneBody(const Parts* parts)
{
    int bodies = 0;
    for (int p = 0; p < parts->count; ++p)
    {
        bodies += parts->parts[p].volume > 0.0;
    }
    return bodies == 1;
}

// A volume for the part that is no cavity.
static bool AddVolumes(const Parts* parts, int* error)
{
    int* shells = malloc(((size_t)parts->count + 1) * sizeof *shells);
    for (int p = 0; shells != NULL && *error == 0 && p < parts->count; ++p)
    {
        size_t count = 0;
        shells[count++] = parts->parts[p].shell;
        for (int c = 0; c < parts->count; ++c)
        {
            if (parts->parts[c].around == p)
            {
                shells[count++] = parts->parts[c].shell;
            }
        }
        if (parts->parts[p].volume > 0.0)
        {
            gmshModelGeoAddVolume(shells, count, -1, error);
        }
    }
    free(shells);
    return shells != NULL;
}

// Patches that can be meshed anew, or the surfaces as they are; and what they bound.
static bool AddTopology(Parts* parts, int vertexCount, bool remesh, int* error)
{
    int *pairs = NULL, *list = NULL;
    size_t numbers = 0;
    if (remesh)
    {
        gmshModelMeshClassifySurfaces(PATCH_ANGLE, 1, 1, PATCH_ANGLE, 1, error);
        if (*error == 0)
        {
            gmshModelMeshCreateGeometry(NULL, 0, error);
        }
    }
    else
    {
        gmshModelMeshCreateTopology(0, 1, error);
    }
    if (*error == 0)
    {
        gmshModelGetEntities(&pairs, &numbers, 2, error);
    }
    list = malloc((numbers + 1) * sizeof *list);
    bool room = list != NULL;
    if (room && *error == 0)
    {
        AddShells(parts, vertexCount, pairs, numbers / 2, list, error);
        room = AddVolumes(parts, error);
    }
    if (*error == 0)
    {
        gmshModelGeoSynchronize(error);
    }
    gmshFree(pairs);
    free(list);
    return room;
}

static void GetFilled(Filled* filled, int* error)
{
    gmshModelMeshGetNodes(&filled->nodeTags, &filled->nodeCount, &filled->nodes, &filled->nodeNumbers, &filled->unused,
                          &filled->unusedCount, -1, -1, 0, 0, error);
    if (*error == 0)
    {
        gmshModelMeshGetElementsByType(TETRAHEDRON, &filled->tags, &filled->tagCount, &filled->corners,
                                       &filled->cornerCount, -1, 0, 1, error);
    }
}

// Tags of nodes become places in the list.
static rslStatus Give(rslScene* scene, const rslNetworkDef* network, const Filled* filled)
{
    size_t most = 0;
    for (size_t i = 0; i < filled->nodeCount; ++i)
    {
        most = filled->nodeTags[i] > most ? filled->nodeTags[i] : most;
    }
    int* place = malloc((most + 1) * sizeof *place);
    int* corners = malloc(filled->cornerCount * sizeof *corners);
    rslStatus status = place != NULL && corners != NULL ? rsl_ok : rsl_outOfMemory;
    if (status == rsl_ok)
    {
        for (size_t i = 0; i < filled->nodeCount; ++i)
        {
            place[filled->nodeTags[i]] = (int)i;
        }
        for (size_t i = 0; i < filled->cornerCount; ++i)
        {
            corners[i] = place[filled->corners[i]];
        }
        status = rslScene_GiveTetrahedronList(scene, network, filled->nodes, (int)filled->nodeCount, corners,
                                              (int)(filled->cornerCount / 4));
    }
    free(place);
    free(corners);
    return status;
}

static rslStatus Refuse(const rslBodyDef* body, rslReport* report)
{
    char* reason = NULL;
    int error = 0;
    gmshLoggerGetLastError(&reason, &error);
    bool told = error == 0 && reason != NULL && reason[0] != 0;
    rslReport_Add(report, rsl_error, body->network.place,
                  "body '%.60s': Gmsh cannot fill the shape with a spacing of %.4g m%s%.200s; try another spacing, or "
                  "'mesher: delaunay'",
                  body->name, body->network.spacing, told ? ": " : "", told ? reason : "");
    gmshFree(reason);
    return rsl_badInput;
}

// Within gmshInitialize and gmshFinalize.
static rslStatus FillSurface(rslScene* scene, const rslBodyDef* body, const rslMesh* surface, rslReport* report)
{
    int error = 0;
    Parts parts = { 0 };
    Filled filled = { 0 };
    SetOptions(body->network.spacing, &error);
    bool room = MakeParts(surface, &parts), single = room && IsOneBody(&parts);
    if (room && !single)
    {
        rslReport_Add(
            report, rsl_error, body->network.place,
            "body '%.60s': the shape has separate parts, which Gmsh is not asked to fill; make them bodies of "
            "their own, or take 'mesher: delaunay'",
            body->name);
        error = 1;
    }
    room = room && (error != 0 || AddSurface(surface, &parts, &error));
    if (room && error == 0)
    {
        room = AddTopology(&parts, surface->vertexCount, body->shape->type == rsl_meshShape, &error);
    }
    if (room && error == 0)
    {
        gmshModelMeshGenerate(3, &error);
    }
    if (room && error == 0)
    {
        GetFilled(&filled, &error);
    }
    bool full = error == 0 && filled.cornerCount > 0 && filled.nodeCount < INT32_MAX / 4;
    rslStatus status = !room     ? rsl_outOfMemory
                       : full    ? Give(scene, &body->network, &filled)
                       : !single ? rsl_badInput
                                 : Refuse(body, report);
    FreeFilled(&filled);
    free(parts.of);
    free(parts.parts);
    return status;
}

rslStatus rslGmsh_Fill(rslScene* scene, const rslBodyDef* body, const rslHooks* hooks, rslReport* report)
{
    rslShape* shape = NULL;
    rslMesh surface = { 0 };
    rslStatus status = rslShape_Create(body->shape, hooks, &shape, report);
    status = status == rsl_ok ? rslShape_Surface(shape, body->network.spacing, hooks, &surface, report) : status;
    rslShape_Free(shape);
    if (status == rsl_ok)
    {
        int error = 0;
        gmshInitialize(0, NULL, 0, &error);
        status = error == 0 ? FillSurface(scene, body, &surface, report) : Refuse(body, report);
        gmshFinalize(&error);
        rslMesh_Free(&surface);
    }
    return status;
}

#endif
