// SPDX-License-Identifier: MIT
//
// build_level.c: what a coarser level of a body takes from the finest: its mass, its centre of mass and the surface that is drawn.
//
// The masses m_i that a level has by its own cells are changed as little as can be, sum (m_i' - m_i)^2 / m_i, so that
// sum m_i' = M and sum m_i' d_i = 0, d_i from the centre of mass of the finest:
//     m_i' = m_i (M / S + b . (d_i - e)),  S = sum m_i,  e = sum m_i d_i / S,  C b = -M e,  C = sum m_i (d_i - e)(d_i - e)^T.
// Rounding is left to the last node: with s the sum of all before it, fl(M - s) is exact, and so is the sum of all.

#include "build.h"
#include "host.h"
#include "level.h"
#include "tension.h"

#include <string.h>

// factors of masses below this part are no small change
#define LEAST_FACTOR 0.1

typedef struct Finest
{
    rslModel* model;  // the body alone
    double mass;
    rslVec3 centre;  // in the world [m]
} Finest;

static const char* NameOf(const rslBodyDef* def)
{
    return def->name != NULL ? def->name : "";
}

// ---- the finest level -----------------------------------------------------------------------------------------------

static rslVec3 NodeAt(const rslBody* body, int node)
{
    double x[3];
    rslBody_WorldRest(body, node, node + 1, x);
    return (rslVec3){ x[0], x[1], x[2] };
}

// The body alone, without what changes neither masses nor its surface.
static rslStatus BuildFinest(rslBuild* build, const rslBodyDef* def, Finest* finest)
{
    rslBodyDef alone;
    rslScene single = rslScene_Alone(build->scene, def, &alone);
    rslReport own = { 0 };
    alone.level = 0;
    alone.surface = def->surface;
    alone.skin = rsl_noSkin;
    alone.repulsion.type = rsl_noRepulsion;
    alone.network.calibrate = rsl_noCalibration;
    rslStatus status = rslModel_Build(&single, &build->model->hooks, &finest->model, &own);
    for (int i = 0; i < own.count; ++i)
    {
        if (own.messages[i].severity == rsl_error)
        {
            rslReport_Add(build->report, rsl_error, own.messages[i].place, "%s", own.messages[i].text);
        }
    }
    if (status != rsl_ok)
    {
        return status;
    }
    const rslBody* body = &finest->model->bodies[0];
    rslVec3 sum = { 0 };
    for (int i = 0; i < body->nodeCount; ++i)
    {
        sum = rslMulAdd(sum, finest->model->mass[i], rslSub(NodeAt(body, i), body->frame.origin));
    }
    finest->mass = body->mass;
    finest->centre = rslAdd(body->frame.origin, rslScale(1.0 / body->mass, sum));
    return rsl_ok;
}

// ---- masses ---------------------------------------------------------------------------------------------------------

// False: some would have to change by more than a small part.
static bool MatchMasses(const Finest* finest, const rslBody* body, double* mass)
{
    rslMoments moments = { 0 };
    int count = body->nodeCount, first = body->firstNode;
    for (int i = 0; i < count; ++i)
    {
        rslMoments_Add(&moments, mass[i], rslSub(NodeAt(body, first + i), finest->centre));
    }
    rslMoments_Centre(&moments);
    double scale = finest->mass / moments.mass, sum = 0.0;
    rslVec3 e = rslScale(1.0 / moments.mass, moments.first);
    rslVec3 b = rslLevel_Solve(moments.second, rslScale(-finest->mass, e));
    bool small = count > 1;
    for (int i = 0; small && i < count; ++i)
    {
        rslVec3 d = rslSub(rslSub(NodeAt(body, first + i), finest->centre), e);
        double factor = scale + rslDot(b, d);
        small = factor > LEAST_FACTOR * scale;
        mass[i] = i + 1 < count ? mass[i] * factor : finest->mass - sum;
        sum += mass[i];
    }
    return small && mass[count - 1] > 0.0;
}

// ---- the surface that is drawn ----------------------------------------------------------------------------------------

static rslStatus EmbedDrawn(rslBuild* build, const rslBody* finest, const double* vertices, const rslBody* body,
                            int* nodes, double* weights)
{
    rslHost host;
    rslMat3 out = rslQuatMatrix(finest->frame.rotation), in = rslQuatMatrix(body->frame.rotation);
    rslStatus status = rslHost_Make(&host, body, &build->model->hooks);
    for (int v = 0; status == rsl_ok && v < finest->surface.vertexCount; ++v)
    {
        const double* X = vertices + 3 * (size_t)v;
        rslVec3 x = rslAdd(finest->frame.origin, rslMatVec(&out, (rslVec3){ X[0], X[1], X[2] }));
        rslVec3 own = rslMatTVec(&in, rslSub(x, body->frame.origin));
        status = rslHost_Embed(&host, own, nodes + 8 * (size_t)v, weights + 8 * (size_t)v);
    }
    rslHost_Free(&host);
    return status;
}

static rslStatus KeepDrawn(rslBuild* build, const rslBody* finest, rslBody* body)
{
    const rslSurface* surface = &finest->surface;
    const rslHooks* hooks = &build->model->hooks;
    size_t count = (size_t)surface->vertexCount, corners = 3 * (size_t)surface->triangleCount;
    if (count == 0)
    {
        return rsl_ok;
    }
    int* triangles = rslArena_Allocate(build->arena, corners, sizeof(int));
    int* nodes = rslArena_Allocate(build->arena, 8 * count, sizeof(int));
    double* weights = rslArena_Allocate(build->arena, 8 * count, sizeof(double));
    double* vertices = rslAllocate(hooks, 3 * count, sizeof(double));
    rslStatus status = rsl_outOfMemory;
    if (triangles != NULL && nodes != NULL && weights != NULL && vertices != NULL)
    {
        memcpy(triangles, surface->triangles, corners * sizeof(int));
        rslSurface_Rest(finest, vertices);
        status = EmbedDrawn(build, finest, vertices, body, nodes, weights);
        body->drawn = *surface;
        body->drawn.triangles = triangles;
        body->drawn.stencilNodes = nodes;
        body->drawn.stencilWeights = weights;
    }
    rslRelease(hooks, vertices);
    return status;
}

// ---- together -------------------------------------------------------------------------------------------------------

rslStatus rslBuild_Level(rslBuild* build, const rslBodyDef* def, rslStatus built, rslBody* body)
{
    if (def->lodCount == 0 || def->level == 0 || built == rsl_outOfMemory)
    {
        return built;
    }
    Finest finest = { 0 };
    rslStatus status = built == rsl_ok ? BuildFinest(build, def, &finest) : built;
    if (status == rsl_ok && !MatchMasses(&finest, body, build->masses[body - build->bodies]))
    {
        rslReport_Add(
            build->report, rsl_error, def->place,
            "level %d of body '%s' has %d nodes, too few to have the mass and the centre of mass of its finest level",
            def->level, NameOf(def), body->nodeCount);
        status = rsl_badInput;
    }
    status = status == rsl_ok ? KeepDrawn(build, &finest.model->bodies[0], body) : status;
    rslModel_Free(finest.model);
    if (status == rsl_badInput)
    {
        rslReport_Add(build->report, rsl_error, def->place,
                      "level %d of body '%s', 'lod' %.4g, cannot be built: leave it out, or take a larger factor",
                      def->level, NameOf(def), def->lod[def->level]);
    }
    return status;
}
