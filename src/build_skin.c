// SPDX-License-Identifier: MIT
//
// build_skin.c: what touches of a body.
//
// Its own surface where its nodes have one (tetrahedra, hexahedra, sheets); the surface of its shape, about as fine as its nodes
// and embedded in them, where it fills one; else its border nodes, as spheres with the mean half length of their springs (Kot).
// Sheets have two sides and are touched at half of their thickness.

#include "build.h"
#include "collision.h"
#include "lattice.h"
#include "lists.h"
#include "mesh_topology.h"
#include "skin_mesh.h"
#include "vec.h"

#include <string.h>

enum
{
    STENCIL = 8,
};

// a node with less of a vertex is left out of its stencil
#define TINY_WEIGHT 1e-6

// a sheet is touched no nearer than at this part of its spacing: it must not be passed through by rounding
#define THINNEST 0.025

// ---- who needs one --------------------------------------------------------------------------------------------------

static bool IsNamed(const rslScene* scene, const char* name)
{
    for (int i = 0; i < scene->contactCount; ++i)
    {
        const rslContactDef* contact = &scene->contacts[i];
        bool a = contact->a != NULL && strcmp(contact->a, name) == 0;
        bool b = contact->b != NULL && strcmp(contact->b, name) == 0;
        if (a || b)
        {
            return true;
        }
    }
    return false;
}

// Penalties push colliders off nodes.
static bool NeedsSkin(const rslScene* scene, const rslBodyDef* def)
{
    bool penalty = rslTouchScheme_For(scene->touch.scheme, scene->time.integrator) == rsl_penaltyScheme;
    bool colliders = scene->ground.enabled || scene->colliderCount > 0;
    bool bodies = scene->touch.self || (scene->touch.pairs == rsl_allPairs && scene->bodyCount > 1) ||
                  (def->name != NULL && IsNamed(scene, def->name));
    return def->skin != rsl_noSkin && (bodies || (colliders && !penalty));
}

static bool NeedsSpheres(const rslScene* scene, const rslBodyDef* def)
{
    return def->skin == rsl_sphereSkin || scene->plane == rsl_planeXY;
}

// ---- surfaces -------------------------------------------------------------------------------------------------------

// Triangles over vertices with stencils of eight global nodes.
typedef struct Source
{
    int vertexCount, triangleCount;
    const int* triangles;
    const int* nodes;
    const double* weights;
} Source;

// Numbers of the vertices that triangles use, in their order; -1 for others. Their count.
static int NumberUsed(const Source* source, int* number)
{
    int count = 0;
    memset(number, -1, (size_t)source->vertexCount * sizeof(int));
    for (int i = 0; i < 3 * source->triangleCount; ++i)
    {
        number[source->triangles[i]] = 0;
    }
    for (int v = 0; v < source->vertexCount; ++v)
    {
        number[v] = number[v] < 0 ? -1 : count++;
    }
    return count;
}

// Nodes of one vertex that count, with weights that sum up to 1; nodes and weights may be NULL. Their number.
static int CopyStencil(const Source* source, int vertex, int* nodes, double* weights)
{
    const int* from = source->nodes + STENCIL * (size_t)vertex;
    const double* w = source->weights + STENCIL * (size_t)vertex;
    double sum = 0.0;
    for (int s = 0; s < STENCIL; ++s)
    {
        sum += fabs(w[s]) > TINY_WEIGHT ? w[s] : 0.0;
    }
    int count = 0;
    for (int s = 0; s < STENCIL; ++s)
    {
        if (fabs(w[s]) > TINY_WEIGHT)
        {
            if (nodes != NULL)
            {
                nodes[count] = from[s];
                weights[count] = w[s] / sum;
            }
            ++count;
        }
    }
    return count;
}

static bool CopyStencils(rslArena* arena, const Source* source, const int* number, rslSkin* skin)
{
    int* start = rslArena_Allocate(arena, (size_t)skin->vertexCount + 1, sizeof(int));
    for (int v = 0; start != NULL && v < source->vertexCount; ++v)
    {
        if (number[v] >= 0)
        {
            start[number[v] + 1] = start[number[v]] + CopyStencil(source, v, NULL, NULL);
        }
    }
    size_t total = start != NULL ? (size_t)start[skin->vertexCount] : 0;
    int* nodes = rslArena_Allocate(arena, total, sizeof(int));
    double* weights = rslArena_Allocate(arena, total, sizeof(double));
    if (start == NULL || nodes == NULL || weights == NULL)
    {
        return false;
    }
    for (int v = 0; v < source->vertexCount; ++v)
    {
        if (number[v] >= 0)
        {
            CopyStencil(source, v, nodes + start[number[v]], weights + start[number[v]]);
        }
    }
    skin->stencilStart = start;
    skin->stencilNodes = nodes;
    skin->stencilWeights = weights;
    return true;
}

// Every edge once, sorted by its vertices, and what is beside it.
static rslStatus MakeEdges(rslArena* arena, rslSkin* skin)
{
    rslSides sides = { 0 };
    rslStatus status = rslSides_Make(skin->triangles, skin->triangleCount, &arena->hooks, &sides);
    int count = 0;
    for (size_t i = 0; status == rsl_ok && i < sides.count; i = rslSides_RunEnd(&sides, i))
    {
        ++count;
    }
    int* edges = rslArena_Allocate(arena, 2 * (size_t)count, sizeof(int));
    int* triangles = rslArena_Allocate(arena, 2 * (size_t)count, sizeof(int));
    status = status == rsl_ok && (edges == NULL || triangles == NULL) ? rsl_outOfMemory : status;
    size_t e = 0;
    for (size_t i = 0, end; status == rsl_ok && i < sides.count; i = end, ++e)
    {
        end = rslSides_RunEnd(&sides, i);
        edges[2 * e] = (int)(sides.edges[i] >> 32);
        edges[2 * e + 1] = (int)(sides.edges[i] & 0xffffffffu);
        triangles[2 * e] = sides.sides[i] / 3;
        triangles[2 * e + 1] = end > i + 1 ? sides.sides[i + 1] / 3 : -1;
    }
    skin->edges = edges;
    skin->edgeTriangles = triangles;
    skin->edgeCount = count;
    rslSides_Free(&sides);
    return status;
}

static rslStatus MakeSurface(rslBuild* build, const Source* source, bool closed, rslBody* body)
{
    const rslHooks* hooks = &build->model->hooks;
    int* number = rslAllocate(hooks, (size_t)source->vertexCount, sizeof(int));
    int* triangles = rslArena_Allocate(build->arena, 3 * (size_t)source->triangleCount, sizeof(int));
    rslStatus status = number != NULL && triangles != NULL ? rsl_ok : rsl_outOfMemory;
    rslSkin skin = { .triangleCount = source->triangleCount, .triangles = triangles, .closed = closed };
    if (status == rsl_ok)
    {
        skin.vertexCount = NumberUsed(source, number);
        status = CopyStencils(build->arena, source, number, &skin) ? rsl_ok : rsl_outOfMemory;
    }
    for (int i = 0; status == rsl_ok && i < 3 * source->triangleCount; ++i)
    {
        triangles[i] = number[source->triangles[i]];
    }
    status = status == rsl_ok ? MakeEdges(build->arena, &skin) : status;
    rslRelease(hooks, number);
    if (!closed)
    {
        double half = 0.5 * body->thickness, least = THINNEST * body->spacing;
        skin.thickness = half > least ? half : least;
        skin.half = half;
    }
    body->skin = status == rsl_ok ? skin : body->skin;
    return status;
}

static rslStatus MakeOwn(rslBuild* build, rslBody* body)
{
    const rslSurface* surface = &body->surface;
    Source source = { surface->vertexCount, surface->triangleCount, surface->triangles, surface->stencilNodes,
                      surface->stencilWeights };
    return MakeSurface(build, &source, surface->closed && !(body->thickness > 0.0), body);
}

rslStatus rslBuild_ShapeSkin(rslBuild* build, const rslBodyDef* def, const rslShape* shape, rslBody* body)
{
    if (!NeedsSkin(build->scene, def) || NeedsSpheres(build->scene, def))
    {
        return rsl_ok;
    }
    const rslHooks* hooks = &build->model->hooks;
    rslMesh mesh = { 0 };
    rslStatus status = rslShape_Skin(shape, body->spacing, hooks, &mesh, build->report);
    if (status != rsl_ok)
    {
        return status;
    }
    size_t entries = STENCIL * (size_t)mesh.vertexCount;
    int* nodes = rslAllocate(hooks, entries, sizeof(int));
    double* weights = rslAllocate(hooks, entries, sizeof(double));
    status = nodes != NULL && weights != NULL ? rslBuild_Embed(build, &mesh, body, nodes, weights) : rsl_outOfMemory;
    if (status == rsl_ok)
    {
        Source source = { mesh.vertexCount, mesh.triangleCount, mesh.triangles, nodes, weights };
        status = MakeSurface(build, &source, true, body);
    }
    rslRelease(hooks, nodes);
    rslRelease(hooks, weights);
    rslMesh_Free(&mesh);
    return status;
}

// ---- spheres --------------------------------------------------------------------------------------------------------

static void MarkLattice(const rslLattice* lattice, int* number)
{
    for (int r = 0; r < lattice->rowCount; ++r)
    {
        const rslLatticeRow* row = &lattice->rows[r];
        for (int n = 0; n < row->count; ++n)
        {
            bool inside = true;
            for (int d = 0; d < RSL_LATTICE_DIRECTIONS; ++d)
            {
                const int* step = rslLatticeDirections[d];
                inside =
                    inside && rslLattice_Node(lattice, row->i + n + step[0], row->j + step[1], row->k + step[2]) >= 0;
            }
            number[row->first + n] = inside ? -1 : 0;
        }
    }
}

// Ends of sides that belong to one triangle.
static rslStatus MarkTriangles(const rslBody* body, const rslHooks* hooks, int* number)
{
    const rslSurface* surface = &body->surface;
    rslSides sides = { 0 };
    rslStatus status = rslSides_Make(surface->triangles, surface->triangleCount, hooks, &sides);
    for (size_t i = 0, end; status == rsl_ok && i < sides.count; i = end)
    {
        end = rslSides_RunEnd(&sides, i);
        if (end == i + 1)
        {
            int ends[2] = { (int)(sides.edges[i] >> 32), (int)(sides.edges[i] & 0xffffffffu) };
            number[surface->stencilNodes[STENCIL * (size_t)ends[0]] - body->firstNode] = 0;
            number[surface->stencilNodes[STENCIL * (size_t)ends[1]] - body->firstNode] = 0;
        }
    }
    rslSides_Free(&sides);
    return status;
}

// Corners of triangles: the surface of a solid.
static void MarkCorners(const rslBody* body, int* number)
{
    const rslSurface* surface = &body->surface;
    for (int i = 0; i < 3 * surface->triangleCount; ++i)
    {
        number[surface->stencilNodes[STENCIL * (size_t)surface->triangles[i]] - body->firstNode] = 0;
    }
}

// Nodes at the border get 0, others -1.
static rslStatus MarkBorder(const rslModel* model, const rslBody* body, int* number)
{
    memset(number, -1, (size_t)body->nodeCount * sizeof(int));
    bool own = body->surface.triangleCount > 0 && body->kind == rsl_networkBody &&
               (body->network.triangleCount > 0 || body->network.tetrahedronCount > 0 || body->elements.count > 0);
    if (body->kind == rsl_latticeBody)
    {
        MarkLattice(&body->lattice, number);
    }
    else if (own && model->plane == rsl_planeXY)
    {
        return MarkTriangles(body, &model->hooks, number);
    }
    else if (own)
    {
        MarkCorners(body, number);
    }
    else
    {
        memset(number, 0, (size_t)body->nodeCount * sizeof(int));
    }
    return rsl_ok;
}

// Springs of a body while its spheres are made.
typedef struct SpringSums
{
    const rslBody* body;
    const int* number;  // of the sphere of a node; -1: none
    double* length;     // of every node: sum over its springs
    int* count;
    int* edges;  // between spheres; NULL: only counted
    int edgeCount;
} SpringSums;

static bool AddSpring(const rslSpring* spring, void* context)
{
    SpringSums* sums = context;
    int a = spring->a - sums->body->firstNode, b = spring->b - sums->body->firstNode;
    bool joins = sums->number[a] >= 0 && sums->number[b] >= 0;
    if (joins && sums->edges != NULL)
    {
        sums->edges[2 * (size_t)sums->edgeCount] = sums->number[a];
        sums->edges[2 * (size_t)sums->edgeCount + 1] = sums->number[b];
    }
    sums->edgeCount += joins;
    if (sums->edges == NULL)
    {
        sums->length[a] += spring->restLength;
        sums->length[b] += spring->restLength;
        ++sums->count[a];
        ++sums->count[b];
    }
    return true;
}

static rslStatus FillSpheres(rslBuild* build, int index, double given, SpringSums* sums)
{
    rslBody* body = &build->bodies[index];
    rslArena* arena = build->arena;
    rslSkin skin = { 0 };
    int* number = (int*)(uintptr_t)sums->number;
    for (int n = 0; n < body->nodeCount; ++n)
    {
        number[n] = number[n] < 0 ? -1 : skin.vertexCount++;
    }
    rslModel_VisitSprings(build->model, index, AddSpring, sums);
    skin.edgeCount = sums->edgeCount;
    size_t count = (size_t)skin.vertexCount;
    int* start = rslArena_Allocate(arena, count + 1, sizeof(int));
    int* nodes = rslArena_Allocate(arena, count, sizeof(int));
    double* weights = rslArena_Allocate(arena, count, sizeof(double));
    double* radius = rslArena_Allocate(arena, count, sizeof(double));
    sums->edges = rslArena_Allocate(arena, 2 * (size_t)skin.edgeCount, sizeof(int));
    sums->edgeCount = 0;
    if (start == NULL || nodes == NULL || weights == NULL || radius == NULL || sums->edges == NULL)
    {
        return rsl_outOfMemory;
    }
    rslModel_VisitSprings(build->model, index, AddSpring, sums);
    for (int n = 0; n < body->nodeCount; ++n)
    {
        int v = number[n];
        if (v >= 0)
        {
            start[v + 1] = v + 1;
            nodes[v] = body->firstNode + n;
            weights[v] = 1.0;
            double mean = sums->count[n] > 0 ? 0.5 * sums->length[n] / sums->count[n] : 0.0;
            radius[v] = isnan(given) ? mean : given;
        }
    }
    skin.stencilStart = start;
    skin.stencilNodes = nodes;
    skin.stencilWeights = weights;
    skin.radius = radius;
    skin.edges = sums->edges;
    body->skin = skin;
    return rsl_ok;
}

static rslStatus MakeSpheres(rslBuild* build, int index, double radius)
{
    const rslBody* body = &build->bodies[index];
    const rslHooks* hooks = &build->model->hooks;
    size_t nodes = (size_t)body->nodeCount;
    int* number = rslAllocate(hooks, nodes, sizeof(int));
    SpringSums sums = { body, number, rslAllocate(hooks, nodes, sizeof(double)), rslAllocate(hooks, nodes, sizeof(int)),
                        NULL, 0 };
    rslStatus status = number != NULL && sums.length != NULL && sums.count != NULL
                           ? MarkBorder(build->model, body, number)
                           : rsl_outOfMemory;
    status = status == rsl_ok ? FillSpheres(build, index, radius, &sums) : status;
    rslRelease(hooks, number);
    rslRelease(hooks, sums.length);
    rslRelease(hooks, sums.count);
    return status;
}

// ---- contact nodes --------------------------------------------------------------------------------------------------

// Number the nodes of all skins through; their stencils get these numbers.
static rslStatus NumberNodes(rslBuild* build)
{
    rslModel* model = build->model;
    int* number = rslAllocate(&model->hooks, (size_t)model->nodeCount, sizeof(int));
    if (number == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslSkin* skin = &build->bodies[b].skin;
        for (int i = 0; skin->vertexCount > 0 && i < skin->stencilStart[skin->vertexCount]; ++i)
        {
            number[skin->stencilNodes[i]] = 1;
        }
    }
    int count = 0;
    for (int n = 0; n < model->nodeCount; ++n)
    {
        count += number[n];
    }
    int* nodes = rslArena_Allocate(build->arena, (size_t)count, sizeof(int));
    model->contactNodeCount = nodes != NULL ? count : 0;
    model->contactNodes = nodes;
    count = 0;
    for (int n = 0; nodes != NULL && n < model->nodeCount; ++n)
    {
        if (number[n] != 0)
        {
            nodes[count] = n;
            number[n] = count++;
        }
    }
    for (int b = 0; nodes != NULL && b < model->bodyCount; ++b)
    {
        const rslSkin* skin = &build->bodies[b].skin;
        int* stencil = (int*)(uintptr_t)skin->stencilNodes;  // of the arena, not yet shared
        for (int i = 0; skin->vertexCount > 0 && i < skin->stencilStart[skin->vertexCount]; ++i)
        {
            stencil[i] = number[stencil[i]];
        }
    }
    rslRelease(&model->hooks, number);
    return nodes != NULL ? rsl_ok : rsl_outOfMemory;
}

static rslStatus MakeSkin(rslBuild* build, int index)
{
    const rslBodyDef* def = &build->scene->bodies[index];
    rslBody* body = &build->bodies[index];
    bool spheres = NeedsSpheres(build->scene, def);
    if (!NeedsSkin(build->scene, def) || body->skin.vertexCount > 0)
    {
        return rsl_ok;
    }
    if (!spheres && body->surface.triangleCount > 0)
    {
        return MakeOwn(build, body);
    }
    if (!spheres && def->skin == rsl_surfaceSkin)
    {
        rslReport_Add(build->report, rsl_error, def->place,
                      "body '%s' has no surface to be its skin: use 'skin: spheres'", body->name);
        return rsl_badInput;
    }
    return MakeSpheres(build, index, def->radius);
}

rslStatus rslBuild_Skins(rslBuild* build)
{
    rslStatus status = rsl_ok;
    bool any = false;
    for (int b = 0; b < build->model->bodyCount && status != rsl_outOfMemory; ++b)
    {
        rslStatus one = MakeSkin(build, b);
        status = one != rsl_ok ? one : status;
        any = any || build->bodies[b].skin.vertexCount > 0;
    }
    return status == rsl_ok && any ? NumberNodes(build) : status;
}
