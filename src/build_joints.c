// SPDX-License-Identifier: MIT
//
// build_joints.c: what rigid bodies are joined by, and the nodes that are welded to them.

#include "ascending.h"
#include "build.h"
#include "embed.h"
#include "vec.h"

#include <string.h>

// ---- welds ----------------------------------------------------------------------------------------------------------

// Which rigid body has each node, plus one; 0: none.
typedef struct Welding
{
    int* owner;   // of every node: index of a rigid body plus one
    int* writer;  // of every node: index of the link plus one
    int made;
} Welding;

static rslVec3 WorldRest(const rslBuild* build, int node)
{
    double x[3];
    rslBody_WorldRest(&build->bodies[rslModel_BodyOf(build->model, node)], node, node + 1, x);
    return (rslVec3){ x[0], x[1], x[2] };
}

static int RigidOf(const rslBuild* build, const char* name)
{
    int body = rslModel_Find(build->model, name);
    for (int r = 0; r < build->model->rigidCount; ++r)
    {
        if (build->rigids[r].body == body)
        {
            return r;
        }
    }
    return -1;
}

static bool IsHeld(const rslBuild* build, int node)
{
    bool held = false;
    for (int c = 0; c < build->model->constraintCount && !held; ++c)
    {
        const rslConstraint* constraint = &build->model->constraints[c];
        int at = rslFirstFrom(constraint->nodes, 0, constraint->nodeCount, node);
        held = at < constraint->nodeCount && constraint->nodes[at] == node;
    }
    return held;
}

static rslStatus WeldNode(rslBuild* build, const rslLinkDef* def, int index, int rigid, int node, Welding* welding)
{
    const rslBody* body = &build->bodies[rslModel_BodyOf(build->model, node)];
    if (welding->owner[node] != 0)
    {
        rslPlace other = build->scene->links[welding->writer[node] - 1].place;
        rslReport_Add(
            build->report, rsl_error, def->place,
            "node %d of body '%s' is welded by this link and by the one at %d:%d; a node moves with one rigid "
            "body: choose other nodes",
            node - body->firstNode, body->name, other.line, other.column);
        return rsl_badInput;
    }
    if (IsHeld(build, node))
    {
        rslReport_Add(
            build->report, rsl_error, def->place,
            "node %d of body '%s' is welded to a rigid body and held by a constraint; hold the rigid body, or "
            "choose other nodes",
            node - body->firstNode, body->name);
        return rsl_badInput;
    }
    welding->owner[node] = rigid + 1;
    welding->writer[node] = index + 1;
    build->rigids[rigid].weldCount += 1;
    welding->made += 1;
    return rsl_ok;
}

// Nodes of from that are within reach of a node of to.
static rslStatus WeldNodes(rslBuild* build, int index, const int* from, int fromCount, const rslNearest* nearest,
                           Welding* welding)
{
    const rslLinkDef* def = &build->scene->links[index];
    int rigid = RigidOf(build, def->to.body);
    double reach = isnan(def->reach) ? INFINITY : def->reach * (1.0 + 1e-9), smallest = INFINITY;
    rslStatus status = rsl_ok;
    welding->made = 0;
    for (int n = 0; n < fromCount && status == rsl_ok; ++n)
    {
        int found = 0;
        double squared = 0.0;
        rslNearest_Find(nearest, WorldRest(build, from[n]), 1, &found, &squared);
        smallest = sqrt(squared) < smallest ? sqrt(squared) : smallest;
        status = sqrt(squared) <= reach ? WeldNode(build, def, index, rigid, from[n], welding) : rsl_ok;
    }
    if (status == rsl_ok && welding->made == 0)
    {
        rslReport_Add(build->report, rsl_error, def->place,
                      "no nodes of this weld are within its reach of %.4g m; the smallest distance is %.4g m",
                      def->reach, smallest);
        status = rsl_badInput;
    }
    return status;
}

static rslStatus BuildWeld(rslBuild* build, int index, Welding* welding)
{
    const rslHooks* hooks = &build->model->hooks;
    const rslLinkDef* def = &build->scene->links[index];
    int *from = NULL, *to = NULL, fromCount = 0, toCount = 0;
    rslNearest* nearest = NULL;
    rslStatus status = rslModel_Select(build->model, &def->from, &from, &fromCount, build->report);
    status = status == rsl_ok ? rslModel_Select(build->model, &def->to, &to, &toCount, build->report) : status;
    double* points = rslAllocate(hooks, (size_t)toCount, 3 * sizeof(double));
    status = points == NULL ? rsl_outOfMemory : status;
    for (int n = 0; status == rsl_ok && n < toCount; ++n)
    {
        rslVec3 x = WorldRest(build, to[n]);
        memcpy(points + 3 * (size_t)n, (double[3]){ x.x, x.y, x.z }, 3 * sizeof(double));
    }
    status = status == rsl_ok ? rslNearest_Create(points, toCount, hooks, &nearest) : status;
    status = status == rsl_ok ? WeldNodes(build, index, from, fromCount, nearest, welding) : status;
    rslNearest_Free(nearest);
    rslRelease(hooks, points);
    rslModel_FreeNodes(build->model, from);
    rslModel_FreeNodes(build->model, to);
    return status;
}

// Lists of the nodes of every rigid body, with their places in its frame.
static rslStatus ListWelds(rslBuild* build, const Welding* welding)
{
    for (int r = 0; r < build->model->rigidCount; ++r)
    {
        rslRigid* rigid = &build->rigids[r];
        const rslFrame* frame = &build->bodies[rigid->body].frame;
        rslMat3 rotation = rslQuatMatrix(frame->rotation);
        int* nodes = rslArena_Allocate(build->arena, (size_t)rigid->weldCount, sizeof(int));
        double* places = rslArena_Allocate(build->arena, 3 * (size_t)rigid->weldCount, sizeof(double));
        if (nodes == NULL || places == NULL)
        {
            return rsl_outOfMemory;
        }
        for (int i = 0, at = 0; at < rigid->weldCount; ++i)
        {
            if (welding->owner[i] == r + 1)
            {
                rslVec3 x = rslMatTVec(&rotation, rslSub(WorldRest(build, i), frame->origin));
                memcpy(places + 3 * (size_t)at, (double[3]){ x.x, x.y, x.z }, 3 * sizeof(double));
                nodes[at++] = i;
            }
        }
        rigid->welded = nodes;
        rigid->places = places;
    }
    return rsl_ok;
}

rslStatus rslBuild_Welds(rslBuild* build)
{
    const rslHooks* hooks = &build->model->hooks;
    size_t count = build->model->rigidCount > 0 ? (size_t)build->model->nodeCount : 0;
    Welding welding = { rslAllocate(hooks, count, sizeof(int)), rslAllocate(hooks, count, sizeof(int)), 0 };
    rslStatus status = welding.owner != NULL && welding.writer != NULL ? rsl_ok : rsl_outOfMemory;
    for (int i = 0; i < build->scene->linkCount && status == rsl_ok; ++i)
    {
        status = build->scene->links[i].type == rsl_weldLink ? BuildWeld(build, i, &welding) : rsl_ok;
    }
    status = status == rsl_ok ? ListWelds(build, &welding) : status;
    rslRelease(hooks, welding.owner);
    rslRelease(hooks, welding.writer);
    return status;
}

// ---- joints ---------------------------------------------------------------------------------------------------------

// Two unit vectors across an axis.
static void MakeAxes(rslVec3 axis, rslVec3 out[3])
{
    rslVec3 n = rslNormalize(axis);
    rslVec3 other = fabs(n.x) < 0.6 ? (rslVec3){ 1.0, 0.0, 0.0 } : (rslVec3){ 0.0, 1.0, 0.0 };
    out[2] = n;
    out[0] = rslNormalize(rslCross(other, n));
    out[1] = rslCross(n, out[0]);
}

static rslStatus BuildJoint(rslBuild* build, const rslJointDef* def, rslJoint* joint)
{
    rslVec3 axes[3];
    *joint = (rslJoint){ .type = def->type };
    joint->driven = def->type == rsl_hingeJoint && !isnan(def->angle);
    joint->angle = joint->driven ? def->angle : 0.0;
    MakeAxes(def->axis, axes);
    bool held = true;
    for (int s = 0; s < 2; ++s)
    {
        const char* name = s == 0 ? def->a : def->b;
        int r = name != NULL ? RigidOf(build, name) : -1;
        rslFrame world = { .rotation = { 1.0, 0.0, 0.0, 0.0 } };
        const rslFrame* frame = r >= 0 ? &build->bodies[build->rigids[r].body].frame : &world;
        rslMat3 rotation = rslQuatMatrix(frame->rotation);
        joint->rigids[s] = r;
        joint->places[s] = rslMatTVec(&rotation, rslSub(def->point, frame->origin));
        for (int i = 0; i < 3; ++i)
        {
            joint->axes[s][i] = rslMatTVec(&rotation, axes[i]);
        }
        held = held && (r < 0 || build->rigids[r].constraint >= 0);
    }
    if (held)
    {
        rslReport_Add(
            build->report, rsl_error, def->place,
            "this joint joins nothing that is free: %s%s%s %s held by a constraint%s; free one of them, or leave the "
            "joint away",
            def->a, def->b != NULL ? " and " : "", def->b != NULL ? def->b : "", def->b != NULL ? "are" : "is",
            def->b != NULL ? "" : ", and the world does not move");
        return rsl_badInput;
    }
    return rslBuild_Course(build, &def->course, &joint->course) ? rsl_ok : rsl_outOfMemory;
}

rslStatus rslBuild_Joints(rslBuild* build)
{
    int count = build->scene->jointCount;
    rslJoint* joints = rslArena_Allocate(build->arena, (size_t)count, sizeof(rslJoint));
    rslStatus status = joints != NULL ? rsl_ok : rsl_outOfMemory;
    for (int i = 0; i < count && status != rsl_outOfMemory; ++i)
    {
        rslStatus one = BuildJoint(build, &build->scene->joints[i], &joints[i]);
        status = one != rsl_ok ? one : status;
    }
    build->model->joints = joints;
    build->model->jointCount = count;
    return status;
}
