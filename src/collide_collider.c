// SPDX-License-Identifier: MIT
//
// collide_collider.c: what vertices, edges and triangles of a side touch of colliders.

#include "collide_internal.h"

#include <string.h>

#define BARELY 0.01  // of the size: a vertex that is in by no more counts as outside

typedef struct ColliderSearch
{
    const rslCollide* c;
    const rslSide* side;
    rslWork* work;
    int collider;
    int feature;
    int corners[3], count;
    rslVec3 x[3];
    double thick;
} ColliderSearch;

// The outer normal of what is asked about.
static rslVec3 OuterNormal(const ColliderSearch* search)
{
    const rslSide* side = search->side;
    rslVec3 N = { 0 };
    if (search->work->kind == rsl_vertexWork)
    {
        return side->skin->radius == NULL ? rslSide_Normal(search->c, side, search->feature) : N;
    }
    if (search->work->kind == rsl_triangleWork)
    {
        return rslNormalize(rslSide_AreaVector(search->c, side, search->feature));
    }
    for (int k = 0; k < 2; ++k)
    {
        int t = side->skin->edgeTriangles[2 * (size_t)search->feature + (size_t)k];
        N = t >= 0 ? rslAdd(N, rslNormalize(rslSide_AreaVector(search->c, side, t))) : N;
    }
    return rslNormalize(N);
}

// Is it turned to what pushes along n? Of what is around a vertex a part is enough; and so is that it is outside, but for a little, and turned
// right away (collide_vertex.c), or of a sheet that is pushed edge-on.
static bool IsTurned(const ColliderSearch* search, rslVec3 n, double gap)
{
    rslVec3 N = OuterNormal(search);
    bool vertex = search->work->kind == rsl_vertexWork && search->side->skin->radius == NULL;
    bool sheet = !search->side->skin->closed && search->side->skin->radius == NULL;
    return rslSide_IsFacing(search->side, n, N) ||
           (sheet && search->work->kind != rsl_triangleWork &&
            rslSide_LeadsAway(search->c, search->side, search->work->kind == rsl_edgeWork, search->feature, n)) ||
           (vertex && ((gap > -BARELY * search->side->size && rslDot(n, N) > RSL_LOOKING) ||
                       rslSide_HasFacing(search->c, search->side, search->feature, n)));
}

static void MeetCollider(const rslPlacedTouch* found, void* context)
{
    ColliderSearch* search = context;
    const rslCollide* c = search->c;
    const rslCollider* collider = &c->model->colliders[search->collider];
    bool plane = collider->type == rsl_planeCollider;
    if (!plane && !c->look.whole && !IsTurned(search, found->normal, found->gap))
    {
        return;
    }
    rslMix mix = { 0 };
    rslVec3 point = { 0 };
    for (int i = 0; i < search->count; ++i)
    {
        rslMix_Add(&mix, search->side, search->corners[i], found->weights[i]);
        point = rslMulAdd(point, found->weights[i], search->x[i]);
    }
    static const uint32_t kinds[] = { RSL_KEY_VERTEX, RSL_KEY_EDGE, RSL_KEY_TRIANGLE };
    rslCollision touch = {
        .key = { (uint32_t)search->side->body, kinds[search->work->kind] + (uint32_t)search->feature,
                 RSL_KEY_COLLIDER | (uint32_t)search->collider, (uint32_t)found->feature },
        .normal = found->normal,
        .point = rslMulAdd(point, -search->thick, found->normal),
        .gap = found->gap - search->thick,
        .friction = rslCollide_Rules(c, search->side, search->collider)->friction,
        .restitution = rslCollide_Rules(c, search->side, search->collider)->restitution,
    };
    if (collider->moves && !c->look.still)
    {
        touch.velocity = rslCollider_Velocity(collider, c->look.time, c->look.step, point);
    }
    rslWork_Keep(c, search->work, &mix, touch, search->side->size);
}

static void SetCorners(ColliderSearch* search)
{
    const rslSkin* skin = search->side->skin;
    int f = search->feature;
    switch (search->work->kind)
    {
        case rsl_vertexWork: search->corners[0] = f; break;
        case rsl_edgeWork: memcpy(search->corners, skin->edges + 2 * (size_t)f, 2 * sizeof(int)); break;
        default: memcpy(search->corners, rslSide_Triangle(search->side, f), 3 * sizeof(int)); break;
    }
    for (int i = 0; i < search->count; ++i)
    {
        search->x[i] = rslSide_Vertex(search->c, search->side, search->corners[i]);
    }
    search->thick = rslSide_Half(search->side, search->count == 1 ? f : -1,
                                 rslCollide_Rules(search->c, search->side, search->collider));
}

static bool IsNear(const ColliderSearch* search, const rslBounds* bounds, double reach)
{
    const double lower[3] = { bounds->lower.x, bounds->lower.y, bounds->lower.z };
    const double upper[3] = { bounds->upper.x, bounds->upper.y, bounds->upper.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < search->count; ++i)
        {
            double x = axis == 0 ? search->x[i].x : axis == 1 ? search->x[i].y : search->x[i].z;
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (low - reach > upper[axis] || high + reach < lower[axis])
        {
            return false;
        }
    }
    return true;
}

// From which gap on a collider is of interest to a side.
double rslSide_Reach(const rslCollide* c, const rslSide* side, int collider)
{
    double h = c->look.step, towards = h * (side->speed + c->colliderSpeed[collider]);
    return c->look.reach + (towards < side->size ? towards : side->size) + h * h * side->push;
}

// Planes have vertices only to meet.
void rslWork_MeetColliders(const rslCollide* c, rslWork* work)
{
    const rslSide* side = &c->sides[work->side];
    ColliderSearch search = { .c = c, .side = side, .work = work, .count = (int)work->kind + 1 };
    for (int k = 0; k < c->model->colliderCount; ++k)
    {
        bool plane = c->model->colliders[k].type == rsl_planeCollider;
        double reach = rslSide_Reach(c, side, k);
        if (!rslCollide_Meets(c, work, k) || (plane && work->kind != rsl_vertexWork))
        {
            continue;
        }
        if (plane && !side->repeats)
        {
            rslWork_MeetPlane(c, work, k);
            continue;
        }
        search.collider = k;
        for (int f = work->begin; f < work->end; ++f)
        {
            search.feature = c->look.few ? c->few.vertices[f] : f;
            SetCorners(&search);
            if (plane || IsNear(&search, &c->bounds[k], reach + search.thick))
            {
                rslPlaced_Visit(&c->placed[k], search.count, search.x, reach + search.thick, c->look.whole,
                                MeetCollider, &search);
            }
        }
    }
}
