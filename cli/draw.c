// SPDX-License-Identifier: MIT
//
// draw.c: pictures into PNG files.

#include "draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

rslStatus cliDraw_Snapshot(const rslSnapshot* snapshot, const rslPictureDef* def, const char* path, rslReport* report)
{
    uint8_t* rgb = malloc(3 * (size_t)def->width * (size_t)def->height);
    if (rgb == NULL)
    {
        return rsl_outOfMemory;
    }
    rslStatus status = rslPicture_Draw(snapshot, def, NULL, rgb);
    if (status == rsl_ok)
    {
        status = rslPng_Write(path, rgb, def->width, def->height, report);
    }
    free(rgb);
    return status;
}

// Things lie on it.
static bool IsFloor(const rslPlane* plane, rslSpace space)
{
    return (space == rsl_planeXY ? plane->normal.y : plane->normal.z) > 0.5;
}

rslPlane cliDraw_Ground(const rslModel* model, double time)
{
    for (int c = 0; c < model->colliderCount; ++c)
    {
        rslPlane plane = rslCollider_At(&model->colliders[c], time);
        if ((plane.enabled && IsFloor(&plane, model->plane)) || strcmp(model->colliders[c].name, "ground") == 0)
        {
            return plane;
        }
    }
    return (rslPlane){ .enabled = false };
}

static rslVec3 Unit(rslVec3 a)
{
    double length = sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    return length > 0 ? (rslVec3){ a.x / length, a.y / length, a.z / length } : a;
}

// As a model would have it; lists are those of the scene.
static rslCollider ColliderOf(const rslColliderDef* def)
{
    const rslMovementDef* move = &def->move;
    rslCollider collider = { .point = def->point, .normal = Unit(def->normal), .moves = true };
    collider.move = (rslMovement){ .translate = move->translate,
                                   .centre = move->centre,
                                   .angle = move->rotate.angle,
                                   .axis = Unit(move->rotate.axis),
                                   .path = move->path,
                                   .pathCount = move->pathCount };
    collider.move.course = (rslCourse){ .type = move->course.type,
                                        .start = move->course.start,
                                        .duration = move->course.duration,
                                        .frequency = move->course.frequency,
                                        .phase = move->course.phase,
                                        .smooth = move->course.smooth,
                                        .points = move->course.points,
                                        .pointCount = move->course.pointCount };
    return collider;
}

rslPlane cliDraw_SceneGround(const rslScene* scene, double time)
{
    const rslGroundDef* ground = &scene->ground;
    rslPlane plane = { .enabled = ground->enabled, .point = ground->point, .normal = ground->normal };
    for (int c = 0; c < scene->colliderCount && !plane.enabled; ++c)
    {
        rslCollider collider = ColliderOf(&scene->colliders[c]);
        rslPlane one = rslCollider_At(&collider, time);
        plane = scene->colliders[c].shape == NULL && IsFloor(&one, scene->plane) ? one : plane;
    }
    return plane;
}

rslStatus cliDraw_Loaded(const cliLoaded* loaded, const rslPictureDef* def, const char* path, rslReport* report)
{
    bool springs = def->style == rsl_springPicture;
    for (int i = 0; i < loaded->model->bodyCount; ++i)
    {
        springs = springs || loaded->model->bodies[i].surface.vertexCount == 0;
    }
    rslSnapshot* snapshot = NULL;
    rslStatus status = rslSnapshot_Create(loaded->model, springs, NULL, &snapshot);
    if (status == rsl_ok && def->style != rsl_shadedPicture)
    {
        status = rslSnapshot_AddFields(snapshot, loaded->model, rslPictureField_Set(def->field), report);
    }
    if (status == rsl_ok)
    {
        rslPictureDef here = *def;
        rslMesh solids;
        here.ground = cliDraw_Ground(loaded->model, rslState_Time(loaded->state));
        status = rslModel_Solids(loaded->model, rslState_Time(loaded->state), NULL, &solids);
        here.solids = &solids;
        rslSnapshot_Take(snapshot, loaded->solver, loaded->state);
        status = status == rsl_ok ? cliDraw_Snapshot(snapshot, &here, path, report) : status;
        rslMesh_Free(&solids);
    }
    rslSnapshot_Free(snapshot);
    return status;
}
