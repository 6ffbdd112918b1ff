// SPDX-License-Identifier: MIT
//
// contact_scene.h: scenes of things that touch, written as YAML, and what is measured on them. The scheme of touching is a word.

#pragma once

#include "physics_fixture.h"

#include "contact_gap.h"
#include "resilin/io.h"

#define GRAVITY 9.81

// Schemes with impulses.
static const char* const impulseSchemes[] = { "predictive", "plain", "overlap", "overlap_unequal", "reflection" };

enum
{
    PREDICTIVE,
    PLAIN,
    OVERLAP,
    UNEQUAL,
    REFLECTION,
    IMPULSE_SCHEMES
};

static inline rslContactDef ContactOf(const char* a, const char* b, double friction)
{
    rslContactDef contact = rslDefaultContactDef();
    contact.a = a;
    contact.b = b;
    contact.friction = friction;
    return contact;
}

// A text that grows.
typedef struct Scene
{
    char* text;
    size_t length, capacity;
} Scene;

static inline void Write(Scene* scene, const char* format, ...) RSL_PRINTF(2, 3);

static inline void Write(Scene* scene, const char* format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t more = (size_t)vsnprintf(NULL, 0, format, arguments);
    if (scene->length + more + 1 > scene->capacity)
    {
        scene->capacity = 2 * (scene->length + more + 1);
        scene->text = realloc(scene->text, scene->capacity);
        assert_non_null(scene->text);
    }
    vsnprintf(scene->text + scene->length, more + 1, format, again);
    scene->length += more;
    va_end(again);
    va_end(arguments);
}

// Build it, with its solver and state; the text is released.
static inline Run Start(Scene* text)
{
    static rslReport report;
    report = (rslReport){ 0 };
    rslTree tree;
    rslScene scene = rslDefaultScene();
    rslStatus status = rslYaml_Parse(text->text, text->length, NULL, &tree, &report);
    status = status == rsl_ok ? rslScene_FromTree(&tree, NULL, &scene, &report) : status;
    rslTree_Free(&tree);
    Run run = { 0 };
    status = status == rsl_ok ? rslModel_Build(&scene, NULL, &run.model, &report) : status;
    if (status != rsl_ok)
    {
        PrintReport(&report);
        print_error("%s\n", text->text);
    }
    assert_int_equal(status, rsl_ok);
    rslSolverDef def = rslSolverDef_FromScene(&scene);
    def.threads = getenv("RSL_THREADS") != NULL ? atoi(getenv("RSL_THREADS")) : 1;
    run.solver = SolverOf(run.model, &def);
    run.state = StateOf(run.model, def.precision);
    rslScene_Free(&scene);
    free(text->text);
    *text = (Scene){ 0 };
    return run;
}

static inline void StepTo(Run* run, double time)
{
    double h = rslSolver_Stability(run->solver).step;
    int64_t last = (int64_t)(time / h + 0.5), now = (int64_t)run->state->stepCount;
    if (last > now)
    {
        Step(run, last - now);
    }
}

static inline rslMotion MotionOf(const Run* run, int body)
{
    return rslSolver_Motion(run->solver, run->state, body);
}

static inline rslVec3 SpeedOf(const Run* run, int body)
{
    rslMotion motion = MotionOf(run, body);
    return rslScale(1.0 / motion.mass, motion.momentum);
}

static inline void AddVelocity(Run* run, int body, rslVec3 velocity)
{
    const rslBody* b = &run->model->bodies[body];
    rslVec3 before = SpeedOf(run, body), after = rslAdd(before, velocity);
    double work = 0.5 * MotionOf(run, body).mass * (rslDot(after, after) - rslDot(before, before));
    run->state->account.loads += work;
    run->state->account.input += fmax(work, 0.0);
    for (int i = b->firstNode; i < b->firstNode + b->nodeCount; ++i)
    {
        rslState_SetVelocity(run->model, run->state, i, rslAdd(VelocityOf(run, i), velocity));
    }
}

// ---- a material whose first shear mode over a height has a damping ratio ------------------------------------------------

// alpha1 = 2 zeta / omega, omega = (pi / 2 H) sqrt(G / rho), G = E / 2.5
static inline double DampingFor(double zeta, double young, double density, double height)
{
    return 2.0 * zeta / (PI / (2.0 * height) * sqrt(young / 2.5 / density));
}

// ---- how deep one is in another ----------------------------------------------------------------------------------------

typedef struct SkinPoints
{
    const rslSkin* skin;
    rslVec3* at;  // of vertices
} SkinPoints;

static inline SkinPoints SkinOf(const Run* run, int body)
{
    SkinPoints points = { .skin = &run->model->bodies[body].skin };
    points.at = calloc((size_t)points.skin->vertexCount + 1, sizeof(rslVec3));
    assert_non_null(points.at);
    for (int v = 0; v < points.skin->vertexCount; ++v)
    {
        for (int e = points.skin->stencilStart[v]; e < points.skin->stencilStart[v + 1]; ++e)
        {
            rslVec3 x = PositionOf(run, run->model->contactNodes[points.skin->stencilNodes[e]]);
            points.at[v] = rslMulAdd(points.at[v], points.skin->stencilWeights[e], x);
        }
    }
    return points;
}

// How often a closed surface goes round a point (van Oosterom, Strackee 1983). The nearest triangles do not tell which side a point is
// on where an edge is sharp.
static inline double WindingAt(const SkinPoints* points, rslVec3 x)
{
    double sum = 0.0;
    for (int t = 0; t < points->skin->triangleCount; ++t)
    {
        const int* corner = &points->skin->triangles[3 * (size_t)t];
        rslVec3 a = rslSub(points->at[corner[0]], x), b = rslSub(points->at[corner[1]], x);
        rslVec3 c = rslSub(points->at[corner[2]], x);
        double la = rslLength(a), lb = rslLength(b), lc = rslLength(c);
        double below = la * lb * lc + rslDot(a, b) * lc + rslDot(b, c) * la + rslDot(c, a) * lb;
        sum += atan2(rslDot(a, rslCross(b, c)), below);
    }
    return sum / (2.0 * PI);
}

// Of a line in the xy plane from a to b: twice the area with a point.
static inline double AreaWith(rslVec3 x, rslVec3 a, rslVec3 b)
{
    return (a.x - x.x) * (b.y - x.y) - (a.y - x.y) * (b.x - x.x);
}

// Is a point outside of a closed surface for sure? The ray upwards leaves as often as it enters, and hits no edge.
static inline bool IsOutside(const SkinPoints* points, rslVec3 x)
{
    int winding = 0;
    for (int t = 0; t < points->skin->triangleCount; ++t)
    {
        const int* corner = &points->skin->triangles[3 * (size_t)t];
        rslVec3 a = points->at[corner[0]], b = points->at[corner[1]], c = points->at[corner[2]];
        double u = AreaWith(x, b, c), v = AreaWith(x, c, a), w = AreaWith(x, a, b), sum = u + v + w;
        bool over = (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
        bool beside = u * v < 0.0 || v * w < 0.0 || w * u < 0.0;
        if (!over && !beside)
        {
            return false;
        }
        double above = over ? (u * a.z + v * b.z + w * c.z) / sum - x.z : -1.0;
        winding += above > 0.0 ? (sum > 0.0 ? 1 : -1) : 0;
    }
    return winding == 0;
}

// How deep a point is in a closed surface; 0: outside.
static inline double DepthIn(const SkinPoints* points, rslVec3 x)
{
    double nearest = INFINITY;
    if (IsOutside(points, x) || !(WindingAt(points, x) > 0.5))
    {
        return 0.0;
    }
    for (int t = 0; t < points->skin->triangleCount; ++t)
    {
        const int* corner = &points->skin->triangles[3 * (size_t)t];
        const rslVec3 all[4] = { x, points->at[corner[0]], points->at[corner[1]], points->at[corner[2]] };
        nearest = fmin(nearest, rslGap_Find(all).squared);
    }
    return sqrt(nearest);
}

// How deep vertices of one body are in another, at most.
static inline double DepthBetween(const Run* run, int a, int b)
{
    SkinPoints one = SkinOf(run, a), other = SkinOf(run, b);
    double depth = 0.0;
    for (int v = 0; v < one.skin->vertexCount; ++v)
    {
        depth = Worse(depth, DepthIn(&other, one.at[v]));
    }
    for (int v = 0; v < other.skin->vertexCount; ++v)
    {
        depth = Worse(depth, DepthIn(&one, other.at[v]));
    }
    free(one.at);
    free(other.at);
    return depth;
}

// How deep nodes of a body are below z = 0, at most.
static inline double DepthInGround(const Run* run, int body)
{
    SkinPoints points = SkinOf(run, body);
    double depth = 0.0;
    for (int v = 0; v < points.skin->vertexCount; ++v)
    {
        depth = Worse(depth, -points.at[v].z);
    }
    free(points.at);
    return depth;
}
