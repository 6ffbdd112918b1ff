// SPDX-License-Identifier: MIT
//
// collide_shape.c: see collide_shape.h: making the solid of a collider, placing it, and which file answers.

#include "collide_solid.h"

#include "hash.h"
#include "memory.h"

#include <stdio.h>

static const rslMat3 unturned = { { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } } };

// ---- making ---------------------------------------------------------------------------------------------------------

// Sizes in metres, so that own axes have the measure of the world.
static void TakeScale(rslShape* shape)
{
    double s = shape->scale;
    shape->half = rslScale(s, shape->half);
    shape->radius *= s;
    shape->reach *= s;
    shape->scale = 1.0;
    rslMeshTree* mesh = s != 1.0 ? shape->mesh : NULL;
    for (size_t i = 0; mesh != NULL && i < 3 * (size_t)mesh->vertexCount; ++i)
    {
        mesh->vertices[i] *= s;
    }
    for (int b = 0; mesh != NULL && b < mesh->boxCount; ++b)
    {
        for (int i = 0; i < 3; ++i)
        {
            mesh->boxes[b].lower[i] *= s;
            mesh->boxes[b].upper[i] *= s;
        }
    }
}

// A shape without parts of its own that can be asked about becomes a mesh, in the world.
static rslStatus MakeMesh(rslSolid* solid, const rslShape* shape, double edge, rslReport* report)
{
    rslBounds b = rslShape_Bounds(shape);
    rslMesh surface;
    double size = rslLength(rslSub(b.upper, b.lower));
    rslStatus status = rslShape_Surface(shape, isnan(edge) ? size / 64.0 : edge, &solid->hooks, &surface, report);
    if (status == rsl_ok)
    {
        status = rslMeshTree_Create(surface.vertices, surface.vertexCount, surface.triangles, surface.triangleCount,
                                    &solid->hooks, &solid->mesh);
        rslMesh_Free(&surface);
    }
    return status;
}

static bool IsExact(rslShapeType type)
{
    return type == rsl_boxShape || type == rsl_sphereShape || type == rsl_cylinderShape || type == rsl_capsuleShape;
}

static void SetBounds(rslSolid* solid)
{
    if (!rslSolid_IsMesh(solid))
    {
        double h[3];
        for (int i = 0; i < 3; ++i)
        {
            h[i] = rslPrimitive_Support(solid->shape, (rslVec3){ i == 0, i == 1, i == 2 });
        }
        solid->bounds = (rslBounds){ { -h[0], -h[1], -h[2] }, { h[0], h[1], h[2] } };
        return;
    }
    const rslMeshBox* root = &solid->mesh->boxes[0];
    solid->bounds = (rslBounds){ { root->lower[0], root->lower[1], root->lower[2] },
                                 { root->upper[0], root->upper[1], root->upper[2] } };
}

static rslStatus Fill(rslSolid* solid, const rslShapeDef* def, double edge, rslReport* report)
{
    rslShape* shape = NULL;
    rslStatus status = rslShape_Create(def, &solid->hooks, &shape, report);
    if (status != rsl_ok)
    {
        return status;
    }
    solid->type = IsExact(shape->type) ? shape->type : rsl_meshShape;
    solid->rotation = unturned;
    if (IsExact(shape->type) || shape->type == rsl_meshShape)
    {
        TakeScale(shape);
        solid->rotation = shape->rotation;
        solid->translation = shape->translation;
        solid->mesh = shape->mesh;
        solid->shape = shape;
    }
    else
    {
        status = MakeMesh(solid, shape, edge, report);
        rslShape_Free(shape);
    }
    status = status == rsl_ok && rslSolid_IsMesh(solid) ? rslSolid_FindFeatures(solid) : status;
    if (status == rsl_ok)
    {
        SetBounds(solid);
    }
    return status;
}

rslStatus rslSolid_Create(const rslShapeDef* def, double edge, const rslHooks* hooks, rslSolid** out, rslReport* report)
{
    rslHooks complete = rslHooks_Complete(hooks);
    rslSolid* solid = rslAllocate(&complete, 1, sizeof *solid);
    *out = NULL;
    if (solid == NULL)
    {
        return rsl_outOfMemory;
    }
    solid->hooks = complete;
    rslStatus status = Fill(solid, def, edge, report);
    if (status != rsl_ok)
    {
        rslSolid_Free(solid);
        return status;
    }
    *out = solid;
    return rsl_ok;
}

rslStatus rslSolid_FromMesh(const double* vertices, int vertexCount, const int* triangles, int triangleCount,
                            const rslHooks* hooks, rslSolid** out)
{
    rslHooks complete = rslHooks_Complete(hooks);
    rslSolid* solid = rslAllocate(&complete, 1, sizeof *solid);
    *out = NULL;
    if (solid == NULL)
    {
        return rsl_outOfMemory;
    }
    solid->hooks = complete;
    solid->type = rsl_meshShape;
    solid->rotation = unturned;
    rslStatus status = rslMeshTree_Create(vertices, vertexCount, triangles, triangleCount, &complete, &solid->mesh);
    status = status == rsl_ok ? rslSolid_FindFeatures(solid) : status;
    if (status != rsl_ok)
    {
        rslSolid_Free(solid);
        return status;
    }
    SetBounds(solid);
    *out = solid;
    return rsl_ok;
}

void rslSolid_Free(rslSolid* solid)
{
    if (solid == NULL)
    {
        return;
    }
    rslHooks hooks = solid->hooks;
    if (solid->shape == NULL)
    {
        rslMeshTree_Free(solid->mesh);
    }
    rslShape_Free(solid->shape);
    rslRelease(&hooks, solid->fanStart);
    rslRelease(&hooks, solid->fans);
    rslRelease(&hooks, solid->edges);
    rslRelease(&hooks, solid->corners);
    rslRelease(&hooks, solid);
}

bool rslSolid_Sinks(const rslSolid* solid, rslVec3 q, rslSunk* sunk)
{
    return rslSolid_IsMesh(solid) ? rslSolidMesh_Sinks(solid, q, sunk) : rslConvex_Sinks(solid, q, sunk);
}

uint64_t rslSolid_Hash(uint64_t hash, const rslSolid* solid)
{
    hash = rslHash_Int(hash, solid->type);
    hash = rslHash_Doubles(hash, &solid->rotation.row[0].x, 9);
    hash = rslHash_Vec3(hash, solid->translation);
    if (rslSolid_IsMesh(solid))
    {
        hash = rslHash_Doubles(hash, solid->mesh->vertices, 3 * (size_t)solid->mesh->vertexCount);
        return rslHash_Ints(hash, solid->mesh->triangles, 3 * (size_t)solid->mesh->triangleCount);
    }
    const rslShape* shape = solid->shape;
    hash = shape->type == rsl_boxShape ? rslHash_Vec3(hash, shape->half) : rslHash_Double(hash, shape->radius);
    return rslHash_Double(hash, shape->type == rsl_boxShape || shape->type == rsl_sphereShape ? 0.0 : shape->reach);
}

int rslCollider_Describe(const rslCollider* collider, char* buffer, size_t capacity)
{
    const rslSolid* solid = collider->solid;
    if (solid != NULL && rslSolid_IsMesh(solid))
    {
        return snprintf(buffer, capacity, "mesh of %d triangles", solid->mesh->triangleCount);
    }
    static const char* const words[] = { [rsl_boxShape] = "box",
                                         [rsl_sphereShape] = "sphere",
                                         [rsl_cylinderShape] = "cylinder",
                                         [rsl_capsuleShape] = "capsule" };
    return snprintf(buffer, capacity, "%s", solid != NULL ? words[solid->type] : "plane");
}

// ---- placing --------------------------------------------------------------------------------------------------------

rslPlaced rslCollider_Place(const rslCollider* collider, double time)
{
    const rslSolid* solid = collider->solid;
    rslPlaced placed = { .collider = collider, .plane = rslCollider_At(collider, time) };
    placed.rotation = solid != NULL ? solid->rotation : unturned;
    placed.origin = solid != NULL ? solid->translation : (rslVec3){ 0.0, 0.0, 0.0 };
    if (collider->moves)
    {
        rslPlacement at = rslMovement_At(&collider->move, time);
        placed.origin = rslPlacement_Move(&at, placed.origin);
        placed.rotation = rslMat_Product(&at.rotation, &placed.rotation);
    }
    return placed;
}

rslBounds rslPlaced_Bounds(const rslPlaced* placed)
{
    const rslSolid* solid = placed->collider->solid;
    if (solid == NULL)
    {
        return (rslBounds){ { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
    }
    rslVec3 half = rslScale(0.5, rslSub(solid->bounds.upper, solid->bounds.lower));
    rslVec3 middle = rslPlaced_ToWorld(placed, rslAlong(solid->bounds.lower, solid->bounds.upper, 0.5));
    const rslVec3* r = placed->rotation.row;
    rslVec3 h = { fabs(r[0].x) * half.x + fabs(r[0].y) * half.y + fabs(r[0].z) * half.z,
                  fabs(r[1].x) * half.x + fabs(r[1].y) * half.y + fabs(r[1].z) * half.z,
                  fabs(r[2].x) * half.x + fabs(r[2].y) * half.y + fabs(r[2].z) * half.z };
    return (rslBounds){ rslSub(middle, h), rslAdd(middle, h) };
}

double rslCollider_Travel(const rslCollider* collider, double time, double step)
{
    if (!collider->moves || collider->solid == NULL)
    {
        return 0.0;
    }
    rslPlaced begin = rslCollider_Place(collider, time), end = rslCollider_Place(collider, time + step);
    const rslBounds* b = &collider->solid->bounds;
    double farthest = 0.0;
    for (int i = 0; i < 8; ++i)
    {
        rslVec3 q = { (i & 1 ? b->upper : b->lower).x, (i & 2 ? b->upper : b->lower).y,
                      (i & 4 ? b->upper : b->lower).z };
        farthest = rslMost(farthest, rslLength(rslSub(rslPlaced_ToWorld(&end, q), rslPlaced_ToWorld(&begin, q))));
    }
    return farthest;
}

// ---- questions ------------------------------------------------------------------------------------------------------

static double Height(const rslPlane* plane, rslVec3 x)
{
    return rslDot(plane->normal, rslSub(x, plane->point));
}

static rslPlacedTouch OnPlane(const rslPlane* plane, rslVec3 x)
{
    rslPlacedTouch touch = { .gap = Height(plane, x), .normal = plane->normal, .weights = { 1.0, 0.0, 0.0 } };
    touch.point = rslMulAdd(x, -touch.gap, plane->normal);
    return touch;
}

static rslPlacedTouch InWorld(const rslPlaced* placed, rslPlacedTouch touch)
{
    touch.normal = rslMatVec(&placed->rotation, touch.normal);
    touch.point = rslPlaced_ToWorld(placed, touch.point);
    return touch;
}

void rslPlacedOut_Tell(const rslPlacedOut* out, rslPlacedTouch touch)
{
    if (touch.gap <= out->reach)
    {
        touch = InWorld(out->placed, touch);
        out->visit(&touch, out->context);
    }
}

static void AllToOwn(const rslPlaced* placed, int count, const rslVec3* x, rslVec3 q[3])
{
    RSL_ASSERT(1 <= count && count <= 3);
    for (int i = 0; i < count; ++i)
    {
        q[i] = rslPlaced_ToOwn(placed, x[i]);
    }
}

void rslPlaced_Visit(const rslPlaced* placed, int count, const rslVec3* x, double reach, bool whole,
                     rslPlacedVisitor* visit, void* context)
{
    const rslCollider* collider = placed->collider;
    rslPlacedOut out = { .placed = placed, .visit = visit, .context = context, .reach = reach, .whole = whole };
    rslVec3 q[3];
    if (collider->solid == NULL)
    {
        rslPlacedTouch touch = OnPlane(&placed->plane, x[0]);
        if (count == 1 && touch.gap <= reach)
        {
            visit(&touch, context);
        }
        return;
    }
    AllToOwn(placed, count, x, q);
    if (rslSolid_IsMesh(collider->solid))
    {
        rslSolidMesh_Visit(collider->solid, count, q, &out);
    }
    else
    {
        rslConvex_Visit(collider->solid, count, q, &out);
    }
}

rslPlacedTouch rslPlaced_Nearest(const rslPlaced* placed, rslVec3 x)
{
    const rslSolid* solid = placed->collider->solid;
    if (solid == NULL)
    {
        return OnPlane(&placed->plane, x);
    }
    rslVec3 q = rslPlaced_ToOwn(placed, x);
    return InWorld(placed, rslSolid_IsMesh(solid) ? rslSolidMesh_Nearest(solid, q) : rslConvex_Nearest(solid, q));
}

static rslApart FromPlane(const void* plane, int count, const rslVec3* q)
{
    const rslCollider* collider = plane;
    const rslPlane own = { true, collider->point, collider->normal };
    rslApart best = { .distance = INFINITY, .normal = collider->normal };
    for (int i = 0; i < count; ++i)
    {
        double height = Height(&own, q[i]);
        best.near = height < best.distance ? q[i] : best.near;
        best.distance = fmin(best.distance, height);
    }
    return best;
}

static rslApart FromConvex(const void* collider, int count, const rslVec3* q)
{
    return rslConvex_Apart(((const rslCollider*)collider)->solid, count, q);
}

double rslPlaced_Distance(const rslPlaced* placed, int count, const rslVec3* x, double within)
{
    const rslCollider* collider = placed->collider;
    rslVec3 q[3];
    AllToOwn(placed, count, x, q);
    if (collider->solid != NULL && rslSolid_IsMesh(collider->solid))
    {
        return rslSolidMesh_Distance(collider->solid, count, q, within);
    }
    double distance =
        collider->solid != NULL ? FromConvex(collider, count, q).distance : FromPlane(collider, count, q).distance;
    return distance < within ? distance : INFINITY;
}

double rslPlaced_Sweep(const rslPlaced* begin, const rslPlaced* end, int count, const rslVec3* x, const rslVec3* y,
                       double keep)
{
    const rslCollider* collider = begin->collider;
    rslVec3 p[3], q[3];
    AllToOwn(begin, count, x, p);
    AllToOwn(end, count, y, q);
    if (collider->solid != NULL && rslSolid_IsMesh(collider->solid))
    {
        return rslSolidMesh_Sweep(collider->solid, count, p, q, keep);
    }
    if (collider->solid != NULL && rslConvex_IsFar(collider->solid, count, p, q, keep))
    {
        return 1.0;
    }
    return rslConvex_Sweep(collider->solid != NULL ? FromConvex : FromPlane, collider, count, p, q, keep, 1.0);
}
