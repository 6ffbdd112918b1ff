// SPDX-License-Identifier: MIT
//
// shape_mesh.c: a mesh becomes a shape only when it is closed, oriented and free of crossings.

#include "shape_internal.h"

rslStatus rslMeshShape_Create(const rslShapeDef* def, const rslHooks* hooks, rslMeshTree** tree, rslReport* report)
{
    if (def->vertices == NULL || def->triangles == NULL || def->triangleCount < 1)
    {
        rslReport_Add(report, rsl_error, def->place, "the mesh has no triangles");
        return rsl_badInput;
    }
    return rslMeshTree_Create(def->vertices, def->vertexCount, def->triangles, def->triangleCount, hooks, tree);
}
