// SPDX-License-Identifier: MIT
//
// build_explicit.c: nodes, springs and elements as they are listed.
//
// Springs may come from the elements instead: one along every edge, or one along every edge of each element, as in Cooper &
// Maddock 1999, eq. 3, which is the force of one triangle. An edge that two triangles share is then twice as stiff.

#include "cells.h"
#include "vec.h"

#include <limits.h>
#include <string.h>

static const int triangleEdges[3][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };

// One value each, one for all, or none.
static double Pick(const double* values, int count, int index, double otherwise)
{
    if (values == NULL || count <= 0)
    {
        return otherwise;
    }
    return values[count == 1 ? 0 : index];
}

// A spring between two nodes, with the constants of an entry of the lists; one without a damper of its own has that of the material.
static rslSpring MakeSpring(const rslBodyDef* def, int a, int b, int entry)
{
    const rslNetworkDef* list = &def->network;
    double length = rslLength(rslSub(rslCells_At(list->nodes, b), rslCells_At(list->nodes, a)));
    double stiffness = Pick(list->stiffness, list->stiffnessCount, entry, 0.0);
    double alpha = rslMaterial_Resolve(&def->material).stiffnessDamping;
    double rest = Pick(list->restLengths, list->restLengthCount, entry, length);
    return (rslSpring){
        .a = a < b ? a : b,
        .b = a < b ? b : a,
        .stiffness = stiffness,
        .damping = Pick(list->damping, list->dampingCount, entry, alpha * stiffness),
        .restLength = isnan(rest) ? length : rest,
    };
}

// One entry of the list, checked.
static rslStatus ListedSpring(rslBuild* build, const rslBodyDef* def, int index, rslSpring* spring)
{
    const rslNetworkDef* list = &def->network;
    int a = list->springs[2 * (size_t)index], b = list->springs[2 * (size_t)index + 1];
    if (a < 0 || b < 0 || a >= list->nodeCount || b >= list->nodeCount)
    {
        rslReport_Add(build->report, rsl_error, list->place,
                      "spring %d of body '%s' joins nodes %d and %d; there are %d", index, def->name, a, b,
                      list->nodeCount);
        return rsl_badInput;
    }
    if (!(rslLength(rslSub(rslCells_At(list->nodes, b), rslCells_At(list->nodes, a))) > 0.0))
    {
        rslReport_Add(build->report, rsl_error, list->place,
                      "spring %d of body '%s' joins nodes %d and %d, which lie in the same place: it has no direction; "
                      "move one of them",
                      index, def->name, a, b);
        return rsl_badInput;
    }
    *spring = MakeSpring(def, a, b, index);
    return rsl_ok;
}

static rslStatus FillNodes(rslBuild* build, const rslBodyDef* def, rslDraft* draft)
{
    const rslNetworkDef* list = &def->network;
    rslStatus status = rsl_ok;
    memcpy(draft->positions, list->nodes, 3 * (size_t)list->nodeCount * sizeof(double));
    for (int i = 0; i < list->nodeCount; ++i)
    {
        draft->masses[i] = Pick(list->masses, list->massCount, i, 0.0);
        if (!(draft->masses[i] > 0.0))
        {
            rslReport_Add(build->report, rsl_error, list->place, "node %d of body '%s' has no mass", i, def->name);
            status = rsl_badInput;
        }
    }
    return status;
}

// ---- elements -------------------------------------------------------------------------------------------------------

// Triangles or tetrahedra of the list; none: NULL and 0.
typedef struct Elements
{
    const int* nodes;
    int count, corners, edgeCount;
    const int (*edges)[2];
} Elements;

static Elements ElementsOf(const rslNetworkDef* list)
{
    if (list->tetrahedronCount > 0)
    {
        return (Elements){ list->tetrahedra, list->tetrahedronCount, 4, 6, rslTetrahedronCells.edges };
    }
    return (Elements){ list->triangles, list->triangleCount, 3, 3, triangleEdges };
}

static void FillEdges(const rslBodyDef* def, const Elements* elements, rslDraft* draft)
{
    rslSpring* spring = draft->springs;
    for (int e = 0; e < elements->count; ++e)
    {
        const int* corner = elements->nodes + (size_t)elements->corners * (size_t)e;
        for (int i = 0; i < elements->edgeCount; ++i)
        {
            *spring++ = MakeSpring(def, corner[elements->edges[i][0]], corner[elements->edges[i][1]], e);
        }
    }
}

// Triangles that each are as they should be may still lie on top of each other.
static rslStatus CheckOverlap(rslBuild* build, const rslBodyDef* def, const rslMeshDefects* defects)
{
    bool side = defects->flippedEdges > 0 || defects->nonManifoldEdges > 0;
    if (build->scene->plane != rsl_planeXY || !(side || defects->selfIntersections > 0))
    {
        return rsl_ok;
    }
    rslVec3 at = defects->flippedEdges > 0       ? defects->flippedAt
                 : defects->nonManifoldEdges > 0 ? defects->nonManifoldAt
                                                 : defects->intersectionAt;
    rslReport_Add(build->report, rsl_error, def->network.place,
                  "the triangles of body '%s' overlap at rest, first at [%.4g, %.4g]: %s; move the nodes there",
                  def->name, at.x, at.y, side ? "two lie on the same side of an edge" : "two cross");
    return rsl_badInput;
}

static rslStatus KeepTriangles(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    const rslNetworkDef* list = &def->network;
    rslMeshDefects defects = { 0 };
    rslStatus status = rslMesh_Check(list->nodes, list->nodeCount, list->triangles, list->triangleCount,
                                     &build->model->hooks, &defects);
    status = status == rsl_ok ? CheckOverlap(build, def, &defects) : status;
    bool closed = defects.openEdges == 0 && defects.nonManifoldEdges == 0 && defects.flippedEdges == 0;
    status = status == rsl_ok ? rslBuild_KeepElements(build, list->triangles, list->triangleCount, 3, body) : status;
    return status == rsl_ok && def->surface.enabled
               ? rslBuild_OwnSurface(build, list->triangles, list->triangleCount, closed, body)
               : status;
}

// In the order that makes their volumes positive; two on the same side of a face are refused.
static rslStatus KeepTetrahedra(rslBuild* build, const rslBodyDef* def, const rslDraft* draft, rslBody* body)
{
    const rslHooks* hooks = &build->model->hooks;
    const rslNetworkDef* list = &def->network;
    rslCells cells = { .kind = &rslTetrahedronCells, .def = def, .draft = *draft, .count = list->tetrahedronCount };
    cells.corners = rslAllocate(hooks, 4 * (size_t)cells.count, sizeof(int));
    if (cells.corners == NULL)
    {
        return rsl_outOfMemory;
    }
    memcpy(cells.corners, list->tetrahedra, 4 * (size_t)cells.count * sizeof(int));
    for (int t = 0; t < cells.count; ++t)
    {
        rslCells_Orient(&cells, t);
    }
    rslStatus status = rslBuild_KeepElements(build, cells.corners, cells.count, 4, body);
    status = status == rsl_ok ? rslCells_MakeSurface(build, &cells, body) : status;
    rslRelease(hooks, cells.corners);
    return status;
}

// ---- together -------------------------------------------------------------------------------------------------------

static rslStatus FillDraft(rslBuild* build, const rslBodyDef* def, const Elements* elements, rslDraft* draft)
{
    rslStatus status = FillNodes(build, def, draft);
    if (def->network.springsFrom != rsl_listedSprings)
    {
        FillEdges(def, elements, draft);
        return status;
    }
    for (int i = 0; i < def->network.springCount; ++i)
    {
        if (ListedSpring(build, def, i, &draft->springs[i]) != rsl_ok)
        {
            status = rsl_badInput;
        }
    }
    return status;
}

static rslStatus CheckCount(rslBuild* build, const rslBodyDef* def, const Elements* elements)
{
    const char* problem = def->network.nodeCount < 1                        ? "no nodes"
                          : elements->count > INT_MAX / elements->edgeCount ? "too many elements"
                                                                            : NULL;
    if (problem != NULL)
    {
        rslReport_Add(build->report, rsl_error, def->network.place, "body '%s' has %s", def->name, problem);
    }
    return problem == NULL ? rsl_ok : rsl_badInput;
}

rslStatus rslBuild_Explicit(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    const rslHooks* hooks = &build->model->hooks;
    const rslNetworkDef* list = &def->network;
    Elements elements = ElementsOf(list);
    bool listed = list->springsFrom == rsl_listedSprings;
    rslStatus status = CheckCount(build, def, &elements);
    if (status != rsl_ok)
    {
        return status;
    }
    rslDraft draft = { .nodeCount = list->nodeCount,
                       .springCount = listed ? list->springCount : elements.edgeCount * elements.count };
    draft.positions = rslAllocate(hooks, (size_t)draft.nodeCount, 3 * sizeof(double));
    draft.masses = rslAllocate(hooks, (size_t)draft.nodeCount, sizeof(double));
    draft.springs = rslAllocate(hooks, (size_t)draft.springCount, sizeof(rslSpring));
    status = rsl_outOfMemory;
    if (draft.positions != NULL && draft.masses != NULL && draft.springs != NULL)
    {
        // parallel springs of the list stay apart: each is what it says
        rslParallel parallel = listed                                 ? rsl_keepParallel
                               : list->springsFrom == rsl_edgeSprings ? rsl_dropParallel
                                                                      : rsl_addParallel;
        status = FillDraft(build, def, &elements, &draft);
        status = status == rsl_ok ? rslBuild_Network(build, def, &draft, parallel, body) : status;
        status = status == rsl_ok && list->triangleCount > 0 ? KeepTriangles(build, def, body) : status;
        status = status == rsl_ok && list->tetrahedronCount > 0 ? KeepTetrahedra(build, def, &draft, body) : status;
    }
    rslDraft_Free(&draft, hooks);
    return status;
}
