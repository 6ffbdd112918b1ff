// SPDX-License-Identifier: MIT
//
// build_colliders.c: planes and solids that bodies meet, and how stiff each node finds them.

#include "build.h"
#include "collide_shape.h"
#include "movement.h"
#include "touch_scheme.h"
#include "vec.h"

#include <stdio.h>

// The ground is one of them.
static rslColliderDef GroundAsCollider(const rslGroundDef* ground)
{
    rslColliderDef def = rslDefaultColliderDef();
    def.place = ground->place;
    def.name = "ground";
    def.point = ground->point;
    def.normal = ground->normal;
    def.stiffness = ground->stiffness;
    def.friction = ground->friction;
    def.restitution = ground->restitution;
    return def;
}

static rslStatus MakeStiffness(rslBuild* build, const rslColliderDef* def, const double** out)
{
    const rslScene* scene = build->scene;
    bool automatic = isnan(def->stiffness);
    bool penalty = rslTouchScheme_For(scene->touch.scheme, scene->time.integrator) == rsl_penaltyScheme;
    bool open = scene->touch.scheme == rsl_autoScheme && scene->time.integrator == rsl_autoIntegrator;
    if (!automatic && !penalty && !open)
    {
        rslReport_Add(build->report, rsl_warning, def->place,
                      "the stiffness of the %s is not used: with this integrator it is no spring that keeps things out "
                      "of it; leave it out, or choose contact: {scheme: penalty}",
                      def->name != NULL ? def->name : "collider");
    }
    const double* trace = automatic ? rslBuild_Trace(build) : NULL;
    double* stiffness = rslArena_Allocate(build->arena, (size_t)build->model->nodeCount, sizeof(double));
    if (stiffness == NULL || (automatic && trace == NULL))
    {
        return rsl_outOfMemory;
    }
    for (int i = 0; i < build->model->nodeCount; ++i)
    {
        stiffness[i] = automatic ? def->hardness * (trace[i] / 3.0) : def->stiffness;
        if (!(stiffness[i] > 0.0) && penalty)
        {
            const rslBody* body = &build->bodies[rslModel_BodyOf(build->model, i)];
            rslReport_Add(
                build->report, rsl_error, def->place,
                "node %d of body '%s' has no springs to take the stiffness of the %s from; give its stiffness",
                i - body->firstNode, body->name, def->name != NULL ? def->name : "collider");
            return rsl_badInput;
        }
    }
    *out = stiffness;
    return rsl_ok;
}

// Nodes that start far behind a plane or in a solid are thrown out of it.
static void CheckDepth(const rslBuild* build, const rslColliderDef* def, const rslCollider* collider)
{
    rslPlaced placed = rslCollider_Place(collider, 0.0);
    for (int b = 0; b < build->model->bodyCount; ++b)
    {
        const rslBody* body = &build->bodies[b];
        double deepest = 0.0;
        int count = 0;
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            double x[3];
            rslBody_WorldRest(body, i, i + 1, x);
            double depth = -rslPlaced_Nearest(&placed, (rslVec3){ x[0], x[1], x[2] }).gap;
            deepest = depth > deepest ? depth : deepest;
            count += depth > 0.1 * body->spacing ? 1 : 0;
        }
        if (count > 0)
        {
            rslReport_Add(build->report, rsl_warning, def->place,
                          "%d of %d nodes of body '%s' start up to %.3g m %s the %s: it will throw them out; move "
                          "the one or the other%s",
                          count, body->nodeCount, body->name, deepest, collider->solid != NULL ? "inside of" : "behind",
                          def->name != NULL ? def->name : "collider",
                          collider->solid != NULL ? "" : ", or turn the normal round");
        }
    }
}

static rslStatus BuildCollider(rslBuild* build, const rslColliderDef* def, rslCollider* collider)
{
    const rslMovementDef* move = &def->move;
    snprintf(collider->name, sizeof collider->name, "%s", def->name != NULL ? def->name : "");
    collider->type = def->type;
    collider->point = def->point;
    collider->normal = rslNormalize(def->normal);
    collider->friction = def->friction;
    collider->restitution = isnan(def->restitution) ? build->scene->touch.restitution : def->restitution;
    collider->moves = move->pathCount > 0 || move->rotate.angle != 0.0 || rslLength(move->translate) > 0.0;
    if (collider->moves && !rslBuild_Movement(build, move, &collider->move))
    {
        return rsl_outOfMemory;
    }
    rslStatus status = rsl_ok;
    if (def->type == rsl_shapeCollider)
    {
        status = rslSolid_Create(def->shape, def->resolution, &build->model->hooks, &collider->solid, build->report);
    }
    status = status == rsl_ok ? MakeStiffness(build, def, &collider->stiffness) : status;
    if (status == rsl_ok && !rslBuild_SeesOverlap(build->scene))
    {
        CheckDepth(build, def, collider);
    }
    return status;
}

rslStatus rslBuild_Colliders(rslBuild* build)
{
    const rslScene* scene = build->scene;
    int grounds = scene->ground.enabled ? 1 : 0, count = grounds + scene->colliderCount;
    rslCollider* colliders = rslArena_Allocate(build->arena, (size_t)count, sizeof(rslCollider));
    if (colliders == NULL)
    {
        return rsl_outOfMemory;
    }
    build->model->colliders = colliders;
    build->model->colliderCount = count;
    rslStatus status = rsl_ok;
    for (int i = 0; i < count && status == rsl_ok; ++i)
    {
        rslColliderDef def = i < grounds ? GroundAsCollider(&scene->ground) : scene->colliders[i - grounds];
        status = BuildCollider(build, &def, &colliders[i]);
    }
    return status;
}
