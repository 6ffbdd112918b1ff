// SPDX-License-Identifier: MIT
//
// collider_frames.c: colliders beside the frames of a run, for ParaView and Blender.

#include "collider_frames.h"

#include "resilin/export.h"

#include <stdlib.h>

// The mesh as a snapshot with one node, which all vertices take their values from.
static rslStatus Write(const rslMesh* mesh, double time, const char* path, bool glb, rslReport* report)
{
    double zero[6] = { 0 };
    int body[1] = { 0 };
    rslSnapshot s = { .time = time,
                      .nodeCount = 1,
                      .vertexCount = mesh->vertexCount,
                      .triangleCount = mesh->triangleCount,
                      .bodyCount = 1,
                      .positions = zero,
                      .velocities = zero,
                      .tension = zero,
                      .energyDensity = zero,
                      .nodeBody = body,
                      .vertices = mesh->vertices,
                      .triangles = mesh->triangles };
    s.vertexBody = calloc((size_t)mesh->vertexCount, sizeof(int));
    s.vertexNode = calloc((size_t)mesh->vertexCount, sizeof(int));
    rslStatus status = s.vertexBody != NULL && s.vertexNode != NULL ? rsl_ok : rsl_outOfMemory;
    if (status == rsl_ok)
    {
        status = glb ? rslGlb_Write(path, &s, NULL, report) : rslVtu_WriteSurface(path, &s, report);
    }
    free(s.vertexBody);
    free(s.vertexNode);
    return status;
}

rslStatus cliColliders_Write(const rslModel* model, double time, const char* path, bool glb, rslReport* report)
{
    rslMesh mesh;
    rslStatus status = rslModel_Solids(model, time, NULL, &mesh);
    if (status == rsl_ok && mesh.triangleCount > 0)
    {
        status = Write(&mesh, time, path, glb, report);
    }
    rslMesh_Free(&mesh);
    return status;
}

bool cliColliders_Any(const rslModel* model)
{
    bool any = false;
    for (int c = 0; c < model->colliderCount; ++c)
    {
        any = any || model->colliders[c].type == rsl_shapeCollider;
    }
    return any;
}
