// SPDX-License-Identifier: MIT
//
// solids.c: colliders that are no planes as one mesh, and the plane that things lie on, for pictures and for other programs.

#include "build.h"
#include "collide_solid.h"

#include "resilin/export.h"

#include <string.h>

// Edges of round ones, of their size.
#define FINE (1.0 / 40.0)

static rslStatus SurfaceOf(const rslSolid* solid, const rslHooks* hooks, rslMesh* mesh)
{
    double size = rslLength(rslSub(solid->bounds.upper, solid->bounds.lower));
    if (!rslSolid_IsMesh(solid))
    {
        rslShape own = *solid->shape;  // in its own axes
        own.turned = false;
        own.translation = (rslVec3){ 0.0, 0.0, 0.0 };
        double edge = own.type == rsl_boxShape ? size : fmin(FINE * size, 0.25 * own.radius);
        return rslShape_Surface(&own, edge, hooks, mesh, NULL);
    }
    size_t v = 3 * (size_t)solid->mesh->vertexCount, t = 3 * (size_t)solid->mesh->triangleCount;
    *mesh = (rslMesh){ .hooks = rslHooks_Complete(hooks), .vertexCount = solid->mesh->vertexCount };
    mesh->triangleCount = solid->mesh->triangleCount;
    mesh->vertices = rslAllocate(&mesh->hooks, v, sizeof(double));
    mesh->triangles = rslAllocate(&mesh->hooks, t, sizeof(int));
    if (mesh->vertices == NULL || mesh->triangles == NULL)
    {
        return rsl_outOfMemory;
    }
    memcpy(mesh->vertices, solid->mesh->vertices, v * sizeof(double));
    memcpy(mesh->triangles, solid->mesh->triangles, t * sizeof(int));
    return rsl_ok;
}

// Put the surface of a placed collider behind what is there.
static rslStatus Append(const rslPlaced* placed, rslMesh* all)
{
    rslMesh one = { 0 };
    rslStatus status = SurfaceOf(placed->collider->solid, &all->hooks, &one);
    size_t v = (size_t)(all->vertexCount + one.vertexCount), t = (size_t)(all->triangleCount + one.triangleCount);
    double* vertices = status == rsl_ok ? rslAllocate(&all->hooks, v, 3 * sizeof(double)) : NULL;
    int* triangles = status == rsl_ok ? rslAllocate(&all->hooks, t, 3 * sizeof(int)) : NULL;
    status = status == rsl_ok && (vertices == NULL || triangles == NULL) ? rsl_outOfMemory : status;
    if (status != rsl_ok)
    {
        rslRelease(&all->hooks, vertices);
        rslRelease(&all->hooks, triangles);
        rslMesh_Free(&one);
        return status;
    }
    if (all->vertexCount > 0)
    {
        memcpy(vertices, all->vertices, 3 * (size_t)all->vertexCount * sizeof(double));
        memcpy(triangles, all->triangles, 3 * (size_t)all->triangleCount * sizeof(int));
    }
    for (int i = 0; i < one.vertexCount; ++i)
    {
        const double* q = one.vertices + 3 * (size_t)i;
        rslVec3 x = rslPlaced_ToWorld(placed, (rslVec3){ q[0], q[1], q[2] });
        memcpy(vertices + 3 * (size_t)(all->vertexCount + i), (const double[]){ x.x, x.y, x.z }, 3 * sizeof(double));
    }
    for (int i = 0; i < 3 * one.triangleCount; ++i)
    {
        triangles[3 * (size_t)all->triangleCount + (size_t)i] = one.triangles[i] + all->vertexCount;
    }
    rslHooks hooks = all->hooks;
    rslMesh_Free(&one);
    rslMesh_Free(all);
    *all = (rslMesh){ vertices, triangles, (int)v, (int)t, hooks };
    return rsl_ok;
}

rslStatus rslModel_Solids(const rslModel* model, double time, const rslHooks* hooks, rslMesh* mesh)
{
    *mesh = (rslMesh){ .hooks = rslHooks_Complete(hooks) };
    rslStatus status = rsl_ok;
    for (int c = 0; c < model->colliderCount && status == rsl_ok; ++c)
    {
        if (model->colliders[c].solid != NULL)
        {
            rslPlaced placed = rslCollider_Place(&model->colliders[c], time);
            status = Append(&placed, mesh);
        }
    }
    return status;
}

rslStatus rslScene_Solids(const rslScene* scene, double time, const rslHooks* hooks, rslMesh* mesh)
{
    *mesh = (rslMesh){ .hooks = rslHooks_Complete(hooks) };
    rslArena arena = rslArena_Make(hooks);
    rslBuild build = { .scene = scene, .arena = &arena };
    rslStatus status = rsl_ok;
    for (int c = 0; c < scene->colliderCount && status == rsl_ok; ++c)
    {
        const rslColliderDef* def = &scene->colliders[c];
        rslCollider collider = { .type = def->type, .moves = true };
        if (def->shape == NULL)
        {
            continue;
        }
        status = rslBuild_Movement(&build, &def->move, &collider.move) ? rsl_ok : rsl_outOfMemory;
        status = status == rsl_ok ? rslSolid_Create(def->shape, def->resolution, hooks, &collider.solid, NULL) : status;
        if (status == rsl_ok)
        {
            rslPlaced placed = rslCollider_Place(&collider, time);
            status = Append(&placed, mesh);
        }
        rslSolid_Free(collider.solid);
    }
    rslArena_Free(&arena);
    return status;
}

// ---- the floor ------------------------------------------------------------------------------------------------------

static bool IsFloor(const rslPlane* plane, rslSpace space)
{
    return plane->enabled && (space == rsl_planeXY ? plane->normal.y : plane->normal.z) > 0.5;
}

rslPlane rslModel_Floor(const rslModel* model, double time)
{
    for (int c = 0; c < model->colliderCount; ++c)
    {
        rslPlane plane = rslCollider_At(&model->colliders[c], time);
        if (IsFloor(&plane, model->plane) || strcmp(model->colliders[c].name, "ground") == 0)
        {
            return plane;
        }
    }
    return (rslPlane){ .enabled = false };
}

rslStatus rslScene_Floor(const rslScene* scene, double time, const rslHooks* hooks, rslPlane* floor)
{
    const rslGroundDef* ground = &scene->ground;
    rslArena arena = rslArena_Make(hooks);
    rslBuild build = { .scene = scene, .arena = &arena };
    rslStatus status = rsl_ok;
    *floor = (rslPlane){ .enabled = ground->enabled, .point = ground->point, .normal = ground->normal };
    for (int c = 0; c < scene->colliderCount && !floor->enabled && status == rsl_ok; ++c)
    {
        const rslColliderDef* def = &scene->colliders[c];
        rslCollider collider = { .point = def->point, .normal = rslNormalize(def->normal), .moves = true };
        status = rslBuild_Movement(&build, &def->move, &collider.move) ? rsl_ok : rsl_outOfMemory;
        rslPlane plane = status == rsl_ok ? rslCollider_At(&collider, time) : *floor;
        *floor = def->shape == NULL && IsFloor(&plane, scene->plane) ? plane : *floor;
    }
    rslArena_Free(&arena);
    return status;
}

bool rslModel_SolidsMove(const rslModel* model)
{
    bool moves = false;
    for (int c = 0; c < model->colliderCount; ++c)
    {
        moves = moves || (model->colliders[c].solid != NULL && model->colliders[c].moves);
    }
    return moves;
}
