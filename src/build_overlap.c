// SPDX-License-Identifier: MIT
//
// build_overlap.c: bodies that overlap colliders or each other at the start: refused, moved apart, or left alone.
//
// A body is asked about as it touches: the vertices, edges and triangles of its skin, or of its surface or its nodes where it
// has none. What it may overlap is a collider, or another body whose closed surface stands as one. To separate, the deepest of all
// overlaps of a body is taken back by moving the body out along the normal there, bodies in their order, again and again; what is
// held, joined or linked stays where it is. Where that goes back and forth, bodies leave each other along the line between their middles,
// none of them downwards.

#include "build.h"
#include "collide_solid.h"
#include "collision.h"
#include "embed.h"
#include "mesh_tree.h"

#include <stdio.h>
#include <string.h>

enum
{
    MOST_ROUNDS = 200,
    NORMAL_ROUNDS = 50,  // out along normals, then along the line between middles
    NEAREST = 8,         // spheres of another body that one is compared with
};

#define ALLOWED 0.02  // overlap, of a spacing, that is none
#define ROOM 1e-3     // left between bodies that are separated, of a spacing
#define STRIDE 0.25   // the least way along that line, of a spacing

typedef struct Outline
{
    int vertexCount, triangleCount;
    double* x;      // in the world, where the body was built
    double* inner;  // of a closed surface: vertices a little inside of it, by what is no overlap
    const int* triangles;
    const double* radius;  // of spheres
    double largest;        // of these
    rslNearest* nearest;   // of these, too
    rslVec3 moved;
    bool movable;
    double size;       // of a spacing
    double thickness;  // half of a sheet
    rslBounds bounds;
    rslCollider solid;  // the body as a collider; its solid is NULL where it is open or has no triangles
    rslMeshTree* tree;  // of a sheet, which is open
} Outline;

typedef struct Overlaps
{
    rslBuild* build;
    rslArena scratch;
    Outline* outlines;
    rslPlaced* colliders;
    bool withColliders;
} Overlaps;

// The deepest place of a body in something.
typedef struct Deepest
{
    double depth;
    rslVec3 normal, at;
    int other;  // as rslModel_PairOf has it
    double radius;
} Deepest;

// ---- outlines -------------------------------------------------------------------------------------------------------

static bool CopyVertices(Overlaps* overlaps, const rslBody* body, const rslModel* model, Outline* outline)
{
    const rslSkin* skin = &body->skin;
    const rslSurface* surface = &body->surface;
    bool hasSkin = skin->vertexCount > 0, hasSurface = !hasSkin && surface->triangleCount > 0;
    outline->vertexCount = hasSkin ? skin->vertexCount : hasSurface ? surface->vertexCount : body->nodeCount;
    outline->triangleCount = hasSkin ? skin->triangleCount : hasSurface ? surface->triangleCount : 0;
    outline->triangles = hasSkin ? skin->triangles : surface->triangles;
    outline->radius = hasSkin ? skin->radius : NULL;
    outline->thickness = hasSkin ? skin->thickness : 0.0;
    outline->x = rslArena_Allocate(&overlaps->scratch, (size_t)outline->vertexCount, 3 * sizeof(double));
    for (int v = 0; outline->x != NULL && v < outline->vertexCount; ++v)
    {
        int begin = hasSkin ? skin->stencilStart[v] : hasSurface ? 8 * v : 0;
        int end = hasSkin ? skin->stencilStart[v + 1] : hasSurface ? 8 * v + 8 : 1;
        for (int e = begin; e < end; ++e)
        {
            double x[3], weight = hasSkin ? skin->stencilWeights[e] : hasSurface ? surface->stencilWeights[e] : 1.0;
            int node = hasSkin      ? model->contactNodes[skin->stencilNodes[e]]
                       : hasSurface ? surface->stencilNodes[e]
                                    : body->firstNode + v;
            if (weight != 0.0)
            {
                rslBody_WorldRest(body, node, node + 1, x);
                for (int i = 0; i < 3; ++i)
                {
                    outline->x[3 * (size_t)v + (size_t)i] += weight * x[i];
                }
            }
        }
    }
    return outline->x != NULL;
}

static rslVec3 VertexAt(const Outline* outline, int v)
{
    const double* x = outline->x + 3 * (size_t)v;
    return rslAdd((rslVec3){ x[0], x[1], x[2] }, outline->moved);
}

static rslVec3 InnerAt(const Outline* outline, int v)
{
    const double* x = (outline->inner != NULL ? outline->inner : outline->x) + 3 * (size_t)v;
    return rslAdd((rslVec3){ x[0], x[1], x[2] }, outline->moved);
}

// Along the mean normals of vertices.
static bool MakeInner(Overlaps* overlaps, Outline* outline)
{
    outline->inner = rslArena_Allocate(&overlaps->scratch, (size_t)outline->vertexCount, 3 * sizeof(double));
    rslVec3* normal = rslArena_Allocate(&overlaps->scratch, (size_t)outline->vertexCount, sizeof(rslVec3));
    if (outline->inner == NULL || normal == NULL)
    {
        return false;
    }
    for (int t = 0; t < outline->triangleCount; ++t)
    {
        const int* c = outline->triangles + 3 * (size_t)t;
        rslVec3 a = VertexAt(outline, c[0]);
        rslVec3 area = rslCross(rslSub(VertexAt(outline, c[1]), a), rslSub(VertexAt(outline, c[2]), a));
        for (int i = 0; i < 3; ++i)
        {
            normal[c[i]] = rslAdd(normal[c[i]], area);
        }
    }
    for (int v = 0; v < outline->vertexCount; ++v)
    {
        rslVec3 x = rslMulAdd(VertexAt(outline, v), -ALLOWED * outline->size, rslNormalize(normal[v]));
        memcpy(outline->inner + 3 * (size_t)v, &x, sizeof x);
    }
    return true;
}

static rslStatus MakeOutline(Overlaps* overlaps, int index)
{
    const rslModel* model = overlaps->build->model;
    const rslBody* body = &model->bodies[index];
    Outline* outline = &overlaps->outlines[index];
    if (!CopyVertices(overlaps, body, model, outline))
    {
        return rsl_outOfMemory;
    }
    rslVec3 low = { INFINITY, INFINITY, INFINITY }, high = { -INFINITY, -INFINITY, -INFINITY };
    for (int v = 0; v < outline->vertexCount; ++v)
    {
        rslVec3 x = VertexAt(outline, v);
        low = (rslVec3){ fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z) };
        high = (rslVec3){ fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z) };
        outline->largest = fmax(outline->largest, outline->radius != NULL ? outline->radius[v] : 0.0);
    }
    outline->bounds = (rslBounds){ low, high };
    outline->size = body->spacing > 0.0 ? body->spacing : 0.05 * rslLength(rslSub(high, low));
    bool closed = body->skin.vertexCount > 0 ? body->skin.closed : body->surface.closed;
    if (outline->triangleCount == 0)
    {
        return outline->radius == NULL
                   ? rsl_ok
                   : rslNearest_Create(outline->x, outline->vertexCount, &model->hooks, &outline->nearest);
    }
    if (closed && !MakeInner(overlaps, outline))
    {
        return rsl_outOfMemory;
    }
    return closed ? rslSolid_FromMesh(outline->x, outline->vertexCount, outline->triangles, outline->triangleCount,
                                      &model->hooks, &outline->solid.solid)
                  : rslMeshTree_Create(outline->x, outline->vertexCount, outline->triangles, outline->triangleCount,
                                       &model->hooks, &outline->tree);
}

// What something else holds in its place.
static void FindMovable(Overlaps* overlaps)
{
    const rslModel* model = overlaps->build->model;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        overlaps->outlines[b].movable = true;
    }
    for (int c = 0; c < model->constraintCount; ++c)
    {
        for (int n = 0; n < model->constraints[c].nodeCount; ++n)
        {
            overlaps->outlines[rslModel_BodyOf(model, model->constraints[c].nodes[n])].movable = false;
        }
    }
    for (int l = 0; l < model->linkCount; ++l)
    {
        for (int n = 0; n < model->links[l].nodeCount; ++n)
        {
            overlaps->outlines[rslModel_BodyOf(model, model->links[l].nodes[n])].movable = false;
        }
    }
    for (int r = 0; r < model->rigidCount; ++r)
    {
        for (int w = 0; w < model->rigids[r].weldCount; ++w)
        {
            overlaps->outlines[rslModel_BodyOf(model, model->rigids[r].welded[w])].movable = false;
            overlaps->outlines[model->rigids[r].body].movable = false;
        }
    }
    for (int j = 0; j < model->jointCount; ++j)
    {
        for (int s = 0; s < 2; ++s)
        {
            int rigid = model->joints[j].rigids[s];
            if (rigid >= 0)
            {
                overlaps->outlines[model->rigids[rigid].body].movable = false;
            }
        }
    }
}

// ---- how deep -------------------------------------------------------------------------------------------------------

static void Note(const rslPlacedTouch* touch, void* context)
{
    Deepest* deepest = context;
    double depth = deepest->radius - touch->gap;
    if (depth > deepest->depth)
    {
        deepest->depth = depth;
        deepest->normal = touch->normal;
        deepest->at = touch->point;
    }
}

static bool IsApart(const rslBounds* a, rslVec3 shift, const rslBounds* b, double margin)
{
    rslVec3 low = rslAdd(a->lower, shift), high = rslAdd(a->upper, shift);
    return low.x > b->upper.x + margin || high.x < b->lower.x - margin || low.y > b->upper.y + margin ||
           high.y < b->lower.y - margin || low.z > b->upper.z + margin || high.z < b->lower.z - margin;
}

// Edges and the inside of a triangle. Faces that lie on each other meet by rounding, and nothing is deep there: what counts is
// deep a little inside of them as well.
static void LookAtTriangle(const Outline* outline, int triangle, const rslPlaced* placed, const rslBounds* bounds,
                           Deepest* deepest)
{
    const int* corner = outline->triangles + 3 * (size_t)triangle;
    rslVec3 x[4], inner[4];
    for (int i = 0; i < 4; ++i)
    {
        x[i] = VertexAt(outline, corner[i % 3]);
        inner[i] = InnerAt(outline, corner[i % 3]);
    }
    rslBounds own = rslCorners_Bounds(3, x, 0.0);
    if (IsApart(&own, (rslVec3){ 0.0, 0.0, 0.0 }, bounds, 0.0))
    {
        return;
    }
    for (int e = 0; e < 4; ++e)
    {
        int count = e < 3 ? 2 : 3, first = e < 3 ? e : 0;
        Deepest inside = { 0 };
        rslPlaced_Visit(placed, count, inner + first, outline->size, false, Note, &inside);
        if (inside.depth > 0.0)
        {
            rslPlaced_Visit(placed, count, x + first, outline->size, false, Note, deepest);
        }
    }
}

// The part of a body that is deepest in something. What is thin is told by edges and triangles, as far as a spacing.
static Deepest LookInto(const Outline* outline, const rslPlaced* placed, double deeper)
{
    Deepest deepest = { .depth = deeper };
    rslBounds bounds = rslPlaced_Bounds(placed);
    if (IsApart(&outline->bounds, outline->moved, &bounds, outline->largest))
    {
        return deepest;
    }
    for (int v = 0; v < outline->vertexCount; ++v)
    {
        rslVec3 x = VertexAt(outline, v);
        rslBounds point = { x, x };
        deepest.radius = outline->radius != NULL ? outline->radius[v] : 0.0;
        if (!IsApart(&point, (rslVec3){ 0.0, 0.0, 0.0 }, &bounds, deepest.radius))
        {
            rslPlacedTouch touch = rslPlaced_Nearest(placed, x);
            Note(&touch, &deepest);
        }
    }
    deepest.radius = 0.0;
    for (int t = 0; placed->collider->solid != NULL && t < outline->triangleCount; ++t)
    {
        LookAtTriangle(outline, t, placed, &bounds, &deepest);
    }
    return deepest;
}

static rslPlaced PlaceBody(const Outline* outline)
{
    rslPlaced placed = rslCollider_Place(&outline->solid, 0.0);
    placed.origin = rslAdd(placed.origin, outline->moved);
    return placed;
}

// ---- sheets -----------------------------------------------------------------------------------------------------------

// An edge of a sheet and the triangles of another, which stays where it was built.
typedef struct Piercing
{
    const Outline* sheet;
    rslVec3 ends[2];
    Deepest* deepest;
} Piercing;

// Sheets have no inside: they overlap where an edge of one goes through a triangle of the other, by what is beyond it.
static void Pierce(int triangle, void* context)
{
    const Piercing* piercing = context;
    const int* corner = piercing->sheet->triangles + 3 * (size_t)triangle;
    rslVec3 x[3];
    for (int i = 0; i < 3; ++i)
    {
        x[i] = VertexAt(piercing->sheet, corner[i]);
    }
    rslVec3 n = rslNormalize(rslCross(rslSub(x[1], x[0]), rslSub(x[2], x[0])));
    double from = rslDot(n, rslSub(piercing->ends[0], x[0])), to = rslDot(n, rslSub(piercing->ends[1], x[0]));
    double depth = fmin(fabs(from), fabs(to)), farther = fabs(from) > fabs(to) ? from : to, weights[3];
    rslVec3 at = rslAlong(piercing->ends[0], piercing->ends[1], from / (from - to));
    if (from * to < 0.0 && depth > piercing->deepest->depth && rslTriangle_Over(x, at, weights))
    {
        piercing->deepest->depth = depth;
        piercing->deepest->normal = farther < 0.0 ? rslScale(-1.0, n) : n;
        piercing->deepest->at = at;
    }
}

static Deepest LookThrough(const Outline* outline, const Outline* sheet, double deeper)
{
    Deepest deepest = { .depth = deeper };
    Piercing piercing = { .sheet = sheet, .deepest = &deepest };
    for (int i = 0; i < 3 * outline->triangleCount; ++i)
    {
        rslVec3 ends[3] = { VertexAt(outline, outline->triangles[i]),
                            VertexAt(outline, outline->triangles[i % 3 == 2 ? i - 2 : i + 1]) };
        rslBounds own = rslCorners_Bounds(2, ends, 0.0);
        rslVec3 low = rslSub(own.lower, sheet->moved), high = rslSub(own.upper, sheet->moved);
        rslMeshBox around = { { low.x, low.y, low.z }, { high.x, high.y, high.z }, 0, 0 };
        memcpy(piercing.ends, ends, sizeof piercing.ends);
        rslMeshBox_Walk(sheet->tree->boxes, sheet->tree->order, &around, Pierce, &piercing);
    }
    return deepest;
}

// ---- spheres ----------------------------------------------------------------------------------------------------------

static Deepest LookAtSpheres(const Outline* outline, const Outline* other, double given)
{
    Deepest deepest = { 0 };
    for (int v = 0; v < outline->vertexCount; ++v)
    {
        rslVec3 x = VertexAt(outline, v);
        double squared[NEAREST], reach = isnan(given) ? outline->radius[v] + other->largest : given;
        int near[NEAREST], count = 0;
        rslBounds point = { x, x };
        if (!IsApart(&point, rslScale(-1.0, other->moved), &other->bounds, reach))
        {
            count = rslNearest_Find(other->nearest, rslSub(x, other->moved), NEAREST, near, squared);
        }
        for (int i = 0; i < count; ++i)
        {
            double depth = (isnan(given) ? outline->radius[v] + other->radius[near[i]] : given) - sqrt(squared[i]);
            if (depth > deepest.depth)
            {
                rslVec3 apart = rslSub(x, VertexAt(other, near[i]));
                bool same = !(rslLength(apart) > 0.0);
                deepest = (Deepest){ .depth = depth, .at = rslMulAdd(x, -0.5, apart) };
                deepest.normal = same ? (rslVec3){ 1.0, 0.0, 0.0 } : rslNormalize(apart);
            }
        }
    }
    return deepest;
}

// How deep a body is in another thing, or that in it.
static Deepest OverlapOf(const Overlaps* overlaps, int body, int other)
{
    const rslModel* model = overlaps->build->model;
    const Outline* outline = &overlaps->outlines[body];
    if (other >= model->bodyCount)
    {
        return LookInto(outline, &overlaps->colliders[other - model->bodyCount], 0.0);
    }
    const Outline* second = &overlaps->outlines[other];
    Deepest deepest = { 0 };
    double given = rslModel_PairOf(model, body, other).thickness;
    bool spheres = outline->nearest != NULL && second->nearest != NULL;
    double margin = spheres && !isnan(given) ? given : outline->largest + second->largest;
    if (IsApart(&outline->bounds, rslSub(outline->moved, second->moved), &second->bounds, margin))
    {
        return deepest;
    }
    if (spheres)
    {
        return LookAtSpheres(outline, second, given);
    }
    if (second->solid.solid != NULL)
    {
        rslPlaced placed = PlaceBody(second);
        deepest = LookInto(outline, &placed, 0.0);
    }
    if (outline->solid.solid != NULL)
    {
        rslPlaced placed = PlaceBody(outline);
        Deepest back = LookInto(second, &placed, deepest.depth);
        back.normal = rslScale(-1.0, back.normal);
        deepest = back.depth > deepest.depth ? back : deepest;
    }
    if (outline->tree != NULL && second->tree != NULL)
    {
        deepest = LookThrough(outline, second, 0.0);
        Deepest back = LookThrough(second, outline, deepest.depth);
        back.normal = rslScale(-1.0, back.normal);
        deepest = back.depth > deepest.depth ? back : deepest;
    }
    return deepest;
}

static double SizeWith(const Overlaps* overlaps, int body, int other)
{
    const rslModel* model = overlaps->build->model;
    double size = overlaps->outlines[body].size;
    return other < model->bodyCount ? fmin(size, overlaps->outlines[other].size) : size;
}

// Every pair that touches, those of a body with colliders and earlier bodies.
static Deepest WorstOf(const Overlaps* overlaps, int body)
{
    const rslModel* model = overlaps->build->model;
    Deepest worst = { .other = -1 };
    for (int i = 0; i < body + model->colliderCount; ++i)
    {
        int other = i < body ? i : model->bodyCount + i - body;
        if ((i < body || overlaps->withColliders) && rslModel_PairOf(model, body, other).touches)
        {
            Deepest one = OverlapOf(overlaps, body, other);
            if (one.depth > ALLOWED * SizeWith(overlaps, body, other) && one.depth > worst.depth)
            {
                worst = one;
                worst.other = other;
            }
        }
    }
    return worst;
}

// ---- what is done ---------------------------------------------------------------------------------------------------

static const char* NameOf(const rslModel* model, int other)
{
    if (other < model->bodyCount)
    {
        return model->bodies[other].name;
    }
    const char* name = model->colliders[other - model->bodyCount].name;
    return name[0] != 0 ? name : "without a name";
}

// Without what is rounding beside a length.
static rslVec3 Tidy(rslVec3 a, double length)
{
    double least = 1e-9 * length;
    return (rslVec3){ fabs(a.x) < least ? 0.0 : a.x, fabs(a.y) < least ? 0.0 : a.y, fabs(a.z) < least ? 0.0 : a.z };
}

static rslStatus Refuse(const Overlaps* overlaps, const char* advice)
{
    const rslModel* model = overlaps->build->model;
    rslStatus status = rsl_ok;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        Deepest worst = WorstOf(overlaps, b);
        if (worst.other >= 0)
        {
            rslVec3 at = Tidy(worst.at, worst.depth);
            rslReport_Add(overlaps->build->report, rsl_error, overlaps->build->scene->bodies[b].place,
                          "body '%s' starts %.3g m deep in %s '%s', at (%.4g, %.4g, %.4g): %s", model->bodies[b].name,
                          worst.depth, worst.other < model->bodyCount ? "body" : "collider", NameOf(model, worst.other),
                          at.x, at.y, at.z, advice);
            status = rsl_badInput;
        }
    }
    return status;
}

static rslVec3 MiddleOf(const Outline* outline)
{
    return rslAdd(rslScale(0.5, rslAdd(outline->bounds.lower, outline->bounds.upper)), outline->moved);
}

// Out of another body along the line between their middles, but not down; by the normal where this says nothing.
static rslVec3 WayOut(const Overlaps* overlaps, const Outline* from, const Outline* moving, rslVec3 normal)
{
    rslVec3 way = rslSub(MiddleOf(moving), MiddleOf(from)), up = rslNormalize(overlaps->build->scene->gravity);
    double down = rslDot(way, up);
    way = rslNormalize(down > 0.0 ? rslMulAdd(way, -2.0 * down, up) : way);
    return rslLength(way) > 0.0 ? way : normal;
}

// One move of the body or of what it is in; false when neither can.
static bool MoveOut(Overlaps* overlaps, int body, const Deepest* worst, bool byMiddles)
{
    const rslModel* model = overlaps->build->model;
    double size = SizeWith(overlaps, body, worst->other), way = worst->depth + ROOM * size;
    bool bodies = worst->other < model->bodyCount, second = bodies && !overlaps->outlines[body].movable;
    Outline* moving = &overlaps->outlines[second ? worst->other : body];
    rslVec3 normal = rslScale(second ? -1.0 : 1.0, worst->normal);
    if (bodies && byMiddles)
    {
        normal = WayOut(overlaps, &overlaps->outlines[second ? body : worst->other], moving, normal);
        way = fmax(way, STRIDE * size);
    }
    moving->moved = rslMulAdd(moving->moved, way, normal);
    return moving->movable;
}

static rslStatus Separate(Overlaps* overlaps)
{
    rslBuild* build = overlaps->build;
    bool found = true;
    for (int round = 0; found && round < MOST_ROUNDS; ++round)
    {
        found = false;
        for (int b = 0; b < build->model->bodyCount; ++b)
        {
            Deepest worst = WorstOf(overlaps, b);
            if (worst.other >= 0 && !MoveOut(overlaps, b, &worst, round >= NORMAL_ROUNDS))
            {
                rslReport_Add(build->report, rsl_error, build->scene->bodies[b].place,
                              "body '%s' starts %.3g m deep in '%s', and neither can be moved: what is held, linked or "
                              "joined stays where it is",
                              build->model->bodies[b].name, worst.depth, NameOf(build->model, worst.other));
                return rsl_badInput;
            }
            found = found || worst.other >= 0;
        }
    }
    if (found)
    {
        return Refuse(overlaps, "no room was found for all: move them apart");
    }
    for (int b = 0; b < build->model->bodyCount; ++b)
    {
        rslVec3 moved = overlaps->outlines[b].moved;
        if (rslLength(moved) > 0.0)
        {
            build->bodies[b].frame.origin = rslAdd(build->bodies[b].frame.origin, moved);
            moved = Tidy(moved, rslLength(moved));
            rslReport_Add(build->report, rsl_note, build->scene->bodies[b].place,
                          "body '%s' overlapped something and is moved by (%.4g, %.4g, %.4g) m before the start",
                          build->bodies[b].name, moved.x, moved.y, moved.z);
        }
    }
    return rsl_ok;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static rslStatus Prepare(Overlaps* overlaps)
{
    const rslModel* model = overlaps->build->model;
    overlaps->outlines = rslArena_Allocate(&overlaps->scratch, (size_t)model->bodyCount, sizeof(Outline));
    overlaps->colliders = rslArena_Allocate(&overlaps->scratch, (size_t)model->colliderCount + 1, sizeof(rslPlaced));
    rslStatus status = overlaps->outlines != NULL && overlaps->colliders != NULL ? rsl_ok : rsl_outOfMemory;
    for (int c = 0; status == rsl_ok && c < model->colliderCount; ++c)
    {
        overlaps->colliders[c] = rslCollider_Place(&model->colliders[c], 0.0);
    }
    for (int b = 0; status == rsl_ok && b < model->bodyCount; ++b)
    {
        status = MakeOutline(overlaps, b);
    }
    if (status == rsl_ok)
    {
        FindMovable(overlaps);
    }
    return status;
}

// Penalties push out what is in a collider.
bool rslBuild_SeesOverlap(const rslScene* scene)
{
    bool penalty = rslTouchScheme_For(scene->touch.scheme, scene->time.integrator) == rsl_penaltyScheme;
    return scene->touch.overlap == rsl_separateOverlap || (scene->touch.overlap == rsl_refuseOverlap && !penalty);
}

rslStatus rslBuild_Overlaps(rslBuild* build)
{
    if (!rslModel_Touches(build->model) || build->scene->touch.overlap == rsl_allowOverlap)
    {
        return rsl_ok;
    }
    Overlaps overlaps = { .build = build,
                          .scratch = rslArena_Make(&build->model->hooks),
                          .withColliders = rslBuild_SeesOverlap(build->scene) };
    const char* refusal = "move them apart, or set 'contact: overlap' to separate or allow";
    rslStatus status = Prepare(&overlaps);
    if (status == rsl_ok)
    {
        status = build->scene->touch.overlap == rsl_separateOverlap ? Separate(&overlaps) : Refuse(&overlaps, refusal);
    }
    for (int b = 0; overlaps.outlines != NULL && b < build->model->bodyCount; ++b)
    {
        rslSolid_Free(overlaps.outlines[b].solid.solid);
        rslMeshTree_Free(overlaps.outlines[b].tree);
        rslNearest_Free(overlaps.outlines[b].nearest);
    }
    rslArena_Free(&overlaps.scratch);
    return status;
}
