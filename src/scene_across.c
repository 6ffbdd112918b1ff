// SPDX-License-Identifier: MIT
//
// scene_across.c: what several keys of a scene mean together: names, references, counts, contradictions. Careful with
// what is missing or wrong by itself, since it also runs beside other errors.

#include "scene_across.h"

#include "memory.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- helpers ----------------------------------------------------------------------------------------------------

static const rslStruct* StructOf(const char* name)
{
    int i = 0;
    while (rslSchema_Struct(i) != NULL && strcmp(rslSchema_Struct(i)->name, name) != 0)
    {
        i += 1;
    }
    return rslSchema_Struct(i);
}

rslPlace rslAcross_Place(const rslAcross* across, const char* structName, const char* key, const void* owner, int index,
                         rslPlace fallback)
{
    const rslReport* report = across->trail->report;
    bool unseen = report == NULL || report->count == RSL_REPORT_CAPACITY;  // then do not search a long list
    return rslOrigins_Place(across->origins, StructOf(structName), key, owner, unseen ? -1 : index, fallback);
}

bool rslAcross_WasGiven(const rslAcross* across, const char* structName, const char* key, const void* owner)
{
    return rslOrigins_Node(across->origins, StructOf(structName), key, owner) >= 0;
}

static int CompareNames(const void* a, const void* b)
{
    const rslNamed *p = a, *q = b;
    int order = strcmp(p->name, q->name);
    return order != 0 ? order : (p->index > q->index) - (p->index < q->index);
}

const rslBodyDef* rslAcross_FindBody(const rslAcross* across, const char* name)
{
    int low = 0, high = across->nameCount;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        int order = strcmp(across->names[middle].name, name);
        if (order == 0)
        {
            return &across->scene->bodies[across->names[middle].index];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

void rslAcross_UnknownBody(rslAcross* across, rslPlace place, const char* key, const char* name)
{
    rslNearest nearest = rslNearest_Make(name);
    int tried = across->nameCount < 1000 ? across->nameCount : 1000;
    for (int i = 0; i < tried; ++i)
    {
        rslNearest_Try(&nearest, across->names[i].name);
    }
    const char* only = across->nameCount == 1 ? across->names[0].name : NULL;
    if (nearest.best != NULL)
    {
        rslTrail_Error(across->trail, place, key, "there is no body '%.60s'; did you mean '%s'?", name, nearest.best);
    }
    else
    {
        rslTrail_Error(across->trail, place, key, "there is no body '%.60s'%s%s%s", name,
                       only != NULL ? "; the only body is '" : "", only != NULL ? only : "", only != NULL ? "'" : "");
    }
}

// ---- chosen nodes and courses -----------------------------------------------------------------------------------

static bool Below(rslVec3 a, rslVec3 b)
{
    return a.x <= b.x && a.y <= b.y && a.z <= b.z;
}

static void CheckIndices(rslAcross* across, const rslNodeSetDef* set, const rslBodyDef* body)
{
    if (body == NULL && across->scene->bodyCount > 1)
    {
        rslTrail_Error(across->trail, set->place, NULL,
                       "nodes by number need the key 'body', since there are %d bodies", across->scene->bodyCount);
    }
    body = body == NULL && across->scene->bodyCount == 1 ? &across->scene->bodies[0] : body;
    if (body != NULL && body->lodCount > 1)
    {
        rslTrail_Error(across->trail, set->place, NULL,
                       "found nodes of body '%s' by number, which differ from level to level of its 'lod'; expected "
                       "nodes by place: box, sphere, plane, nearest",
                       body->name);
    }
    bool known = body != NULL && body->network.type == rsl_explicitNetwork && body->network.nodeCount > 0;
    for (int i = 0; known && i < set->indexCount; ++i)
    {
        if (set->indices[i] >= body->network.nodeCount)
        {
            rslPlace place = rslAcross_Place(across, "nodes", "indices", set, i, set->place);
            rslTrail_Error(across->trail, place, "indices", "found %d, but '%s' has %d nodes, counted from 0",
                           set->indices[i], body->name != NULL ? body->name : "the body", body->network.nodeCount);
        }
    }
}

void rslAcross_CheckNodes(rslAcross* across, const rslNodeSetDef* set, const char* key)
{
    size_t length = rslTrail_Push(across->trail, key, -1);
    const rslBodyDef* body = set->body != NULL ? rslAcross_FindBody(across, set->body) : NULL;
    if (set->body != NULL && body == NULL)
    {
        rslAcross_UnknownBody(across, rslAcross_Place(across, "nodes", "body", set, -1, set->place), "body", set->body);
    }
    else if (set->type == rsl_listNodes)
    {
        CheckIndices(across, set, body);
    }
    if (set->type == rsl_boxNodes && !Below(set->min, set->max))
    {
        rslPlace place = rslAcross_Place(across, "nodes", "min", set, -1, set->place);
        rslTrail_Error(across->trail, place, "min", "found a min above max, expected the lower corner");
    }
    rslTrail_Pop(across->trail, length);
}

// Times in the first of width columns must increase.
void rslAcross_CheckTimes(rslAcross* across, const char* structName, const char* key, const void* owner,
                          rslPlace fallback, const double* rows, int count, int width)
{
    for (int i = 1; i < count; ++i)
    {
        double last = rows[(size_t)(i - 1) * (size_t)width], next = rows[(size_t)i * (size_t)width];
        if (!(next > last))
        {
            char a[RSL_NUMBER_CAPACITY], b[RSL_NUMBER_CAPACITY];
            rslNumber_Print(next, a);
            rslNumber_Print(last, b);
            rslPlace place = rslAcross_Place(across, structName, key, owner, i, fallback);
            rslTrail_Error(across->trail, place, key, "found time %s after %s, expected increasing times", a, b);
            return;
        }
    }
}

void rslAcross_CheckCourse(rslAcross* across, const rslCourseDef* course)
{
    size_t length = rslTrail_Push(across->trail, "course", -1);
    if (course->type == rsl_tableCourse)
    {
        rslAcross_CheckTimes(across, "course", "points", course, course->place, course->points, course->pointCount, 2);
    }
    rslTrail_Pop(across->trail, length);
}

// In a plane scene a vector has no part out of the plane.
void rslAcross_CheckFlat(rslAcross* across, const char* structName, const char* key, const void* owner, rslVec3 vector,
                         rslPlace fallback)
{
    if (across->scene->plane == rsl_planeXY && vector.z != 0.0)
    {
        rslPlace place = rslAcross_Place(across, structName, key, owner, -1, fallback);
        rslTrail_Error(across->trail, place, key, "found a z of its own in a scene with plane: xy, expected [x, y, 0]");
    }
}

static void CheckTurn(rslAcross* across, const char* structName, const char* key, const void* owner, rslVec3 axis,
                      double angle, rslPlace fallback)
{
    if (across->scene->plane == rsl_planeXY && angle != 0.0 && (axis.x != 0.0 || axis.y != 0.0))
    {
        rslPlace place = rslAcross_Place(across, structName, key, owner, -1, fallback);
        rslTrail_Error(across->trail, place, key,
                       "found a turn out of the plane in a scene with plane: xy, expected one about z");
    }
}

// The motion of an owner, a constraint or a collider.
void rslAcross_CheckMovement(rslAcross* across, const char* structName, const void* owner, rslPlace fallback,
                             const rslMovementDef* move)
{
    if (move->pathCount > 0 && (move->translate.x != 0.0 || move->translate.y != 0.0 || move->translate.z != 0.0))
    {
        rslPlace place = rslAcross_Place(across, structName, "path", owner, -1, fallback);
        rslTrail_Error(across->trail, place, "path", "found beside 'translate', expected one of the two");
    }
    rslAcross_CheckTimes(across, structName, "path", owner, fallback, move->path, move->pathCount, 4);
    for (int i = 0; i < move->pathCount; ++i)
    {
        if (across->scene->plane == rsl_planeXY && move->path[4 * (size_t)i + 3] != 0.0)
        {
            rslPlace place = rslAcross_Place(across, structName, "path", owner, i, fallback);
            rslTrail_Error(across->trail, place, "path", "found a z of its own in a scene with plane: xy, expected 0");
            break;
        }
    }
    rslAcross_CheckFlat(across, structName, "translate", owner, move->translate, fallback);
    CheckTurn(across, structName, "rotate", owner, move->rotate.axis, move->rotate.angle, fallback);
    rslAcross_CheckCourse(across, &move->course);
}

// ---- the scene --------------------------------------------------------------------------------------------------

static void CheckTop(rslAcross* across)
{
    const rslScene* scene = across->scene;
    rslAcross_CheckFlat(across, "scene", "gravity", scene, scene->gravity, (rslPlace){ 0, 0 });
    if (scene->ground.enabled)
    {
        size_t length = rslTrail_Push(across->trail, "ground", -1);
        rslAcross_CheckFlat(across, "ground", "normal", &scene->ground, scene->ground.normal, scene->ground.place);
        rslTrail_Pop(across->trail, length);
    }
    if (scene->time.step > scene->time.duration)
    {
        rslPlace place = rslAcross_Place(across, "time", "step", &scene->time, -1, scene->time.place);
        size_t length = rslTrail_Push(across->trail, "time", -1);
        rslTrail_Error(across->trail, place, "step", "found a step longer than the duration");
        rslTrail_Pop(across->trail, length);
    }
    if (scene->time.integrator == rsl_static && !isnan(scene->time.step))
    {
        rslPlace place = rslAcross_Place(across, "time", "step", &scene->time, -1, scene->time.place);
        size_t length = rslTrail_Push(across->trail, "time", -1);
        rslTrail_Error(across->trail, place, "step",
                       "the integrator 'static' takes 'increments' of the duration, not steps");
        rslTrail_Pop(across->trail, length);
    }
    rslAcross_CheckFriction(across);
    double frames = scene->output.frames * scene->time.duration;
    if (frames > 1e5)
    {
        char number[RSL_NUMBER_CAPACITY];
        rslNumber_Print(ceil(frames), number);
        rslTrail_Warn(across->trail, scene->output.place, "frames", "%s frames will be written", number);
    }
}

static void CheckLists(rslAcross* across)
{
    const rslScene* scene = across->scene;
    rslTrail* trail = across->trail;
    for (int i = 0; i < scene->loadCount; ++i)
    {
        size_t length = rslTrail_Push(trail, "loads", i);
        rslAcross_CheckLoad(across, &scene->loads[i]);
        rslTrail_Pop(trail, length);
    }
    for (int i = 0; i < scene->constraintCount; ++i)
    {
        size_t length = rslTrail_Push(trail, "constraints", i);
        rslAcross_CheckConstraint(across, &scene->constraints[i]);
        rslTrail_Pop(trail, length);
    }
    for (int i = 0; i < scene->linkCount; ++i)
    {
        size_t length = rslTrail_Push(trail, "links", i);
        rslAcross_CheckLink(across, &scene->links[i]);
        rslTrail_Pop(trail, length);
    }
    for (int i = 0; i < scene->driveCount; ++i)
    {
        size_t length = rslTrail_Push(trail, "drives", i);
        rslAcross_CheckDrive(across, &scene->drives[i]);
        rslTrail_Pop(trail, length);
    }
    for (int i = 0; i < scene->contactCount; ++i)
    {
        size_t length = rslTrail_Push(trail, "contacts", i);
        rslAcross_CheckContact(across, i);
        rslTrail_Pop(trail, length);
    }
    for (int i = 0; i < scene->jointCount; ++i)
    {
        size_t length = rslTrail_Push(trail, "joints", i);
        rslAcross_CheckJoint(across, &scene->joints[i]);
        rslTrail_Pop(trail, length);
    }
    for (int i = 0; i < scene->colliderCount; ++i)
    {
        size_t length = rslTrail_Push(trail, "colliders", i);
        rslAcross_CheckCollider(across, i);
        rslTrail_Pop(trail, length);
    }
}

static bool CollectNames(rslAcross* across)
{
    const rslScene* scene = across->scene;
    across->names = rslAllocate(&across->hooks, (size_t)scene->bodyCount, sizeof(rslNamed));
    if (across->names == NULL)
    {
        return false;
    }
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        if (scene->bodies[i].name != NULL)
        {
            across->names[across->nameCount++] = (rslNamed){ scene->bodies[i].name, i };
        }
    }
    qsort(across->names, (size_t)across->nameCount, sizeof(rslNamed), CompareNames);
    for (int i = 1; i < across->nameCount; ++i)
    {
        const rslNamed* named = &across->names[i];
        if (strcmp(named->name, across->names[i - 1].name) == 0)
        {
            const rslBodyDef* body = &scene->bodies[named->index];
            size_t length = rslTrail_Push(across->trail, "bodies", named->index);
            rslTrail_Error(across->trail, rslAcross_Place(across, "body", "name", body, -1, body->place), "name",
                           "found a second body '%s', expected another name", named->name);
            rslTrail_Pop(across->trail, length);
        }
    }
    return true;
}

bool rslScene_CheckAcross(const rslScene* scene, const rslOrigins* origins, rslTrail* trail)
{
    rslAcross across = {
        .scene = scene,
        .origins = origins,
        .trail = trail,
        .hooks = origins != NULL        ? origins->hooks
                 : scene->arena != NULL ? scene->arena->hooks
                                        : rslHooks_Complete(NULL),
    };
    bool good = CollectNames(&across);
    CheckTop(&across);
    for (int i = 0; i < scene->bodyCount && good; ++i)
    {
        size_t length = rslTrail_Push(trail, "bodies", i);
        good = rslAcross_CheckBody(&across, &scene->bodies[i]);
        rslTrail_Pop(trail, length);
    }
    if (good)
    {
        CheckLists(&across);
        rslAcross_CheckProbes(&across);
    }
    rslRelease(&across.hooks, across.names);
    return good;
}
