// SPDX-License-Identifier: MIT
//
// shape_mesh.c: a mesh becomes a shape only when it is closed, oriented and free of crossings.

#include "memory.h"
#include "shape_internal.h"

static const char* NameOf(const rslShapeDef* def)
{
    return def->file != NULL && def->file[0] != 0 ? def->file : "given in code";
}

// Every defect as an error, then how to go on.
static rslStatus Refuse(const rslShapeDef* def, const rslMeshDefects* defects, rslReport* report)
{
    rslMeshDefects_Report(defects, rsl_error, def->place, report);
    bool numbers = defects->badIndices != 0 || defects->nonFinite != 0;
    if (numbers || def->repair == rsl_repair)
    {
        rslReport_Add(report, rsl_error, def->place,
                      "the mesh %s cannot be used as a solid%s: mend it in a mesh editor", NameOf(def),
                      numbers ? "" : ", and what is left cannot be repaired by rule");
    }
    else
    {
        rslReport_Add(
            report, rsl_error, def->place,
            "the mesh %s cannot be used as a solid: set \"repair: repair\" to weld, orient and fill it, or mend "
            "it in a mesh editor",
            NameOf(def));
    }
    return rsl_badInput;
}

static rslStatus CheckAndBuild(const rslShapeDef* def, const double* vertices, int vertexCount, const int* triangles,
                               int triangleCount, const rslHooks* hooks, rslMeshTree** tree, rslReport* report)
{
    rslMeshDefects defects;
    rslStatus status = rslMesh_Check(vertices, vertexCount, triangles, triangleCount, hooks, &defects);
    if (status != rsl_ok)
    {
        return status;
    }
    if (rslMeshDefects_Kinds(&defects) > 0)
    {
        return Refuse(def, &defects, report);
    }
    return rslMeshTree_Create(vertices, vertexCount, triangles, triangleCount, hooks, tree);
}

static rslStatus RepairAndBuild(const rslShapeDef* def, const rslHooks* hooks, rslMeshTree** tree, rslReport* report)
{
    rslMeshDefects defects;
    rslStatus status =
        rslMesh_Check(def->vertices, def->vertexCount, def->triangles, def->triangleCount, hooks, &defects);
    if (status != rsl_ok)
    {
        return status;
    }
    if (defects.badIndices != 0 || defects.nonFinite != 0)
    {
        return Refuse(def, &defects, report);
    }
    if (rslMeshDefects_Kinds(&defects) == 0)
    {
        return rslMeshTree_Create(def->vertices, def->vertexCount, def->triangles, def->triangleCount, hooks, tree);
    }
    rslMesh mesh;
    int before = report != NULL ? report->count : 0;
    status = rslMesh_Repair(def->vertices, def->vertexCount, def->triangles, def->triangleCount, hooks, &mesh, report);
    // what the repair has to say belongs to the place of the shape
    for (int i = before; report != NULL && i < report->count; ++i)
    {
        report->messages[i].place = def->place;
    }
    if (status != rsl_ok)
    {
        return status;
    }
    if (mesh.triangleCount == 0)
    {
        rslReport_Add(report, rsl_error, def->place, "nothing is left of the mesh %s after its repair", NameOf(def));
        status = rsl_badInput;
    }
    else
    {
        status = CheckAndBuild(def, mesh.vertices, mesh.vertexCount, mesh.triangles, mesh.triangleCount, hooks, tree,
                               report);
    }
    rslMesh_Free(&mesh);
    return status;
}

rslStatus rslMeshShape_Create(const rslShapeDef* def, const rslHooks* hooks, rslMeshTree** tree, rslReport* report)
{
    if (def->vertices == NULL || def->triangles == NULL || def->triangleCount < 1 || def->vertexCount < 1)
    {
        rslReport_Add(report, rsl_error, def->place, "the mesh %s has no triangles", NameOf(def));
        return rsl_badInput;
    }
    if (def->repair == rsl_repair)
    {
        return RepairAndBuild(def, hooks, tree, report);
    }
    return CheckAndBuild(def, def->vertices, def->vertexCount, def->triangles, def->triangleCount, hooks, tree, report);
}
