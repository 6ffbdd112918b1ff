// SPDX-License-Identifier: MIT
//
// build_terms.c: what acts on the nodes: loads, constraints, driven rest lengths.

#include "ascending.h"
#include "build.h"
#include "elementary.h"
#include "vec.h"

#include <stdio.h>
#include <string.h>

bool rslBuild_Course(rslBuild* build, const rslCourseDef* def, rslCourse* course)
{
    *course = (rslCourse){
        .type = def->type,
        .start = def->start,
        .duration = def->duration,
        .frequency = def->frequency,
        .phase = def->phase,
        .smooth = def->smooth,
        .pointCount = def->type == rsl_tableCourse ? def->pointCount : 0,
    };
    if (course->pointCount == 0)
    {
        return true;
    }
    size_t bytes = 2 * (size_t)def->pointCount * sizeof(double);
    double* points = rslArena_Allocate(build->arena, bytes, 1);
    if (points != NULL)
    {
        memcpy(points, def->points, bytes);
    }
    course->points = points;
    return points != NULL;
}

rslStatus rslBuild_Select(rslBuild* build, const rslNodeSetDef* def, const int** nodes, int* count)
{
    int* found = NULL;
    rslStatus status = rslModel_Select(build->model, def, &found, count, build->report);
    if (status != rsl_ok)
    {
        return status;
    }
    int* kept = rslArena_Allocate(build->arena, (size_t)*count, sizeof(int));
    if (kept != NULL)
    {
        memcpy(kept, found, (size_t)*count * sizeof(int));
    }
    rslModel_FreeNodes(build->model, found);
    *nodes = kept;
    return kept != NULL ? rsl_ok : rsl_outOfMemory;
}

// ---- loads ----------------------------------------------------------------------------------------------------------

static rslStatus BuildPressure(rslBuild* build, const rslLoadDef* def, rslLoad* load)
{
    load->body = rslModel_Find(build->model, def->body);
    if (load->body < 0)
    {
        rslReport_Add(build->report, rsl_error, def->place, "there is no body '%s'", def->body ? def->body : "");
        return rsl_badInput;
    }
    if (build->model->bodies[load->body].surface.triangleCount == 0)
    {
        rslReport_Add(build->report, rsl_error, def->place,
                      "pressure acts on a surface, and body '%s' has none: enable its surface, or use forces",
                      def->body);
        return rsl_badInput;
    }
    load->pressure = def->pressure;
    return rsl_ok;
}

static rslStatus BuildLoad(rslBuild* build, const rslLoadDef* def, rslLoad* load)
{
    load->type = def->type;
    load->body = -1;
    if (!rslBuild_Course(build, &def->course, &load->course))
    {
        return rsl_outOfMemory;
    }
    if (def->type == rsl_pressureLoad)
    {
        return BuildPressure(build, def, load);
    }
    rslStatus status = rslBuild_Select(build, &def->nodes, &load->nodes, &load->nodeCount);
    if (status == rsl_ok && def->type == rsl_forceLoad)
    {
        load->value = def->each ? def->force : rslScale(1.0 / load->nodeCount, def->force);
    }
    else if (status == rsl_ok)
    {
        load->value = def->acceleration;
    }
    return status;
}

// A solver numbers the pairs of a load and a node through.
static rslStatus CheckPairs(rslBuild* build)
{
    int64_t pairs = 0;
    for (int i = 0; i < build->model->loadCount; ++i)
    {
        pairs += build->model->loads[i].nodeCount;
        if (pairs > INT32_MAX)
        {
            rslReport_Add(
                build->report, rsl_error, build->scene->loads[i].place,
                "the loads up to this one act on more than 2^31 nodes, counting each as often as it is loaded");
            return rsl_badInput;
        }
    }
    return rsl_ok;
}

rslStatus rslBuild_Loads(rslBuild* build)
{
    rslModel* model = build->model;
    rslLoad* loads = rslArena_Allocate(build->arena, (size_t)build->scene->loadCount, sizeof(rslLoad));
    rslStatus status = loads != NULL ? rsl_ok : rsl_outOfMemory;
    model->loads = loads;
    model->loadCount = build->scene->loadCount;
    for (int i = 0; i < model->loadCount && status != rsl_outOfMemory; ++i)
    {
        rslStatus one = BuildLoad(build, &build->scene->loads[i], &loads[i]);
        status = one != rsl_ok ? one : status;
    }
    return status == rsl_ok ? CheckPairs(build) : status;
}

// ---- constraints ----------------------------------------------------------------------------------------------------

// Remember who holds each axis of each node; two holders are a contradiction.
static rslStatus Claim(rslBuild* build, int index, const rslConstraint* constraint, int* holder)
{
    for (int n = 0; n < constraint->nodeCount; ++n)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            int* held = &holder[3 * (size_t)constraint->nodes[n] + (size_t)axis];
            if (!constraint->axes[axis])
            {
                continue;
            }
            if (*held != 0)
            {
                rslPlace other = build->scene->constraints[*held - 1].place;
                const rslBody* body = &build->bodies[rslModel_BodyOf(build->model, constraint->nodes[n])];
                rslReport_Add(build->report, rsl_error, build->scene->constraints[index].place,
                              "node %d of body '%s' is held along %c by this constraint and by constraint %d at %d:%d; "
                              "only one may: choose other nodes or, of a pin, other axes",
                              constraint->nodes[n] - body->firstNode, body->name, "xyz"[axis], *held - 1, other.line,
                              other.column);
                return rsl_badInput;
            }
            *held = index + 1;
        }
    }
    return rsl_ok;
}

static bool KeepStart(rslBuild* build, rslConstraint* constraint)
{
    double* start = rslArena_Allocate(build->arena, (size_t)constraint->nodeCount, 3 * sizeof(double));
    for (int n = 0; start != NULL && n < constraint->nodeCount; ++n)
    {
        int node = constraint->nodes[n];
        const rslBody* body = &build->bodies[rslModel_BodyOf(build->model, node)];
        rslBody_WorldRest(body, node, node + 1, start + 3 * (size_t)n);
    }
    constraint->start = start;
    return start != NULL;
}

bool rslBuild_Movement(rslBuild* build, const rslMovementDef* def, rslMovement* move)
{
    move->translate = def->translate;
    move->centre = def->centre;
    move->angle = def->rotate.angle;
    move->axis = def->rotate.angle != 0.0 ? rslNormalize(def->rotate.axis) : (rslVec3){ 0.0, 0.0, 0.0 };
    if (def->pathCount > 0)
    {
        size_t bytes = 4 * (size_t)def->pathCount * sizeof(double);
        double* path = rslArena_Allocate(build->arena, bytes, 1);
        if (path == NULL)
        {
            return false;
        }
        memcpy(path, def->path, bytes);
        move->path = path;
        move->pathCount = def->pathCount;
    }
    return rslBuild_Course(build, &def->course, &move->course);
}

// In the order of the nodes, which are sorted and each there once.
static rslStatus KeepOffsets(rslBuild* build, const rslConstraintDef* def, rslConstraint* constraint)
{
    if (def->offsetCount == 0)
    {
        return rsl_ok;
    }
    if (constraint->nodeCount != def->offsetCount)
    {
        rslReport_Add(build->report, rsl_error, def->nodes.place,
                      "%d offsets are given for %d different nodes: list every node once", def->offsetCount,
                      constraint->nodeCount);
        return rsl_badInput;
    }
    double* offsets = rslArena_Allocate(build->arena, 3 * (size_t)def->offsetCount, sizeof(double));
    int body = def->nodes.body != NULL ? rslModel_Find(build->model, def->nodes.body) : 0;
    for (int i = 0; offsets != NULL && i < def->offsetCount; ++i)
    {
        int node = build->bodies[body].firstNode + def->nodes.indices[i];
        int at = rslFirstFrom(constraint->nodes, 0, constraint->nodeCount - 1, node);
        memcpy(offsets + 3 * (size_t)at, def->offsets + 3 * (size_t)i, 3 * sizeof(double));
    }
    constraint->offsets = offsets;
    return offsets != NULL ? rsl_ok : rsl_outOfMemory;
}

static rslStatus BuildConstraint(rslBuild* build, int index, rslConstraint* constraint, int* holder)
{
    const rslConstraintDef* def = &build->scene->constraints[index];
    bool motion = def->type == rsl_motionConstraint;
    constraint->type = def->type;
    for (int axis = 0; axis < 3; ++axis)
    {
        constraint->axes[axis] = def->axes[axis];
    }
    rslStatus status = rslBuild_Select(build, &def->nodes, &constraint->nodes, &constraint->nodeCount);
    if (status != rsl_ok)
    {
        return status;
    }
    if (!KeepStart(build, constraint) || (motion && !rslBuild_Movement(build, &def->move, &constraint->move)))
    {
        return rsl_outOfMemory;
    }
    status = motion ? KeepOffsets(build, def, constraint) : rsl_ok;
    return status == rsl_ok ? Claim(build, index, constraint, holder) : status;
}

rslStatus rslBuild_Constraints(rslBuild* build)
{
    rslModel* model = build->model;
    int count = build->scene->constraintCount;
    rslConstraint* constraints = rslArena_Allocate(build->arena, (size_t)count, sizeof(rslConstraint));
    int* holder = rslAllocate(&model->hooks, count > 0 ? (size_t)model->nodeCount : 0, 3 * sizeof(int));
    rslStatus status = constraints != NULL && holder != NULL ? rsl_ok : rsl_outOfMemory;
    for (int i = 0; i < count && status != rsl_outOfMemory; ++i)
    {
        rslStatus one = BuildConstraint(build, i, &constraints[i], holder);
        status = one != rsl_ok ? one : status;
    }
    model->constraints = constraints;
    model->constraintCount = count;
    rslRelease(&model->hooks, holder);
    return status;
}

// ---- driven rest lengths --------------------------------------------------------------------------------------------

typedef struct DriveCount
{
    const rslModel* model;
    const rslBody* body;
    const rslDrive* drive;
    rslMat3 turn;
    uint32_t bit;
    int64_t springs;
} DriveCount;

// Stops at the first spring that the drive moves.
static bool CountDriven(const rslSpring* spring, void* context)
{
    DriveCount* count = context;
    const uint32_t* mask = count->model->driveMask;
    if ((mask[spring->a] & mask[spring->b] & count->bit) == 0)
    {
        return true;
    }
    rslVec3 direction = count->drive->direction;
    if (direction.x == 0.0 && direction.y == 0.0 && direction.z == 0.0)
    {
        ++count->springs;
        return false;
    }
    double a[3], b[3];
    rslBody_Rest(count->body, spring->a, spring->a + 1, a);
    rslBody_Rest(count->body, spring->b, spring->b + 1, b);
    rslVec3 d = rslMatVec(&count->turn, (rslVec3){ b[0] - a[0], b[1] - a[1], b[2] - a[2] });
    count->springs += fabs(rslDot(d, direction)) >= count->drive->cosine * rslLength(d) ? 1 : 0;
    return count->springs == 0;
}

static void CheckDriven(rslBuild* build, int index, const rslDrive* drive)
{
    DriveCount count = { .model = build->model, .drive = drive, .bit = (uint32_t)1 << index };
    for (int b = 0; b < build->model->bodyCount && count.springs == 0; ++b)
    {
        count.body = &build->bodies[b];
        count.turn = rslQuatMatrix(count.body->frame.rotation);
        if (count.body->elements.count == 0 && count.body->model != rsl_rigidModel)  // elements are not driven
        {
            rslModel_VisitSprings(build->model, b, CountDriven, &count);
        }
    }
    if (count.springs == 0)
    {
        rslReport_Add(
            build->report, rsl_warning, build->scene->drives[index].place,
            "this drive moves no spring: none has both ends among its nodes and runs along its direction; widen "
            "the region or the spread (elements are not driven, but springs are, with 'model: springs' or "
            "'dispersion')");
    }
}

static rslStatus BuildDrive(rslBuild* build, int index, rslDrive* drive, uint32_t* mask)
{
    const rslDriveDef* def = &build->scene->drives[index];
    int* nodes = NULL;
    int count = 0;
    rslStatus status = rslModel_Select(build->model, &def->nodes, &nodes, &count, build->report);
    for (int n = 0; n < count; ++n)
    {
        mask[nodes[n]] |= (uint32_t)1 << index;
    }
    rslModel_FreeNodes(build->model, nodes);
    drive->strain = def->strain;
    drive->direction = rslNormalize(def->direction);
    drive->cosine = rslCosDegrees(def->spread);
    if (status == rsl_ok && !rslBuild_Course(build, &def->course, &drive->course))
    {
        status = rsl_outOfMemory;
    }
    if (status == rsl_ok)
    {
        CheckDriven(build, index, drive);
    }
    return status;
}

rslStatus rslBuild_Drives(rslBuild* build)
{
    rslModel* model = build->model;
    int count = build->scene->driveCount;
    if (count == 0)
    {
        return rsl_ok;
    }
    if (count > RSL_MAX_DRIVES)
    {
        rslReport_Add(build->report, rsl_error, build->scene->drives[RSL_MAX_DRIVES].place,
                      "there are %d drives; at most %d are possible", count, RSL_MAX_DRIVES);
        return rsl_badInput;
    }
    rslDrive* drives = rslArena_Allocate(build->arena, (size_t)count, sizeof(rslDrive));
    uint32_t* mask = rslArena_Allocate(build->arena, (size_t)model->nodeCount, sizeof(uint32_t));
    rslStatus status = drives != NULL && mask != NULL ? rsl_ok : rsl_outOfMemory;
    model->drives = drives;
    model->driveMask = mask;
    model->driveCount = count;
    for (int i = 0; i < count && status != rsl_outOfMemory; ++i)
    {
        rslStatus one = BuildDrive(build, i, &drives[i], mask);
        status = one != rsl_ok ? one : status;
    }
    return status;
}
