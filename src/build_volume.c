// SPDX-License-Identifier: MIT
//
// build_volume.c: what is needed to keep the volume inside of a body's surface: the surface closed, its volume and area at
// rest, the shares and centres of support springs, and how stiff a volume may be.
//
// A border is closed by fans: every loop of it gets a vertex at the mean of its own, and a triangle for every edge. The
// mean moves with the loop, so the surface stays closed whatever it does.
//
// What a unit of stiffness adds to the square of the highest frequency. Every method has the stiffness a b^T at rest but for the
// radial parts, so one eigenvalue of M^-1 K other than 0: with g_n = dV/dx_n of a node and u_i the direction from the centre,
//   explicit  K/S sum u_i.g_i / m_i      implicit  K/3 sum c_i^2 / m_i      pressure  kv/V0 sum g_n.g_n / m_n
// Where masses and areas are alike and the surface is round these are K/m, K/(3 m) sum c^2 and kv S^2 / (V0 M).

#include "build.h"
#include "mesh_topology.h"
#include "vec.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct Closing
{
    rslBuild* build;
    const rslBodyDef* def;
    const rslBody* body;
    const rslHooks* hooks;
    rslEnclosed* out;
    double* vertices;  // of all, at rest in the body frame; scratch
} Closing;

static rslVec3 At(const double* xyz, int index)
{
    xyz += 3 * (size_t)index;
    return (rslVec3){ xyz[0], xyz[1], xyz[2] };
}

static void AddTo(double* xyz, int index, double factor, rslVec3 v)
{
    xyz += 3 * (size_t)index;
    xyz[0] += factor * v.x;
    xyz[1] += factor * v.y;
    xyz[2] += factor * v.z;
}

static rslVec3 InWorld(const Closing* c, int vertex)
{
    rslMat3 turn = rslQuatMatrix(c->body->frame.rotation);
    return rslAdd(c->body->frame.origin, rslMatVec(&turn, At(c->vertices, vertex)));
}

void rslSurface_Rest(const rslBody* body, double* xyz)
{
    const rslSurface* surface = &body->surface;
    for (int v = 0; v < surface->vertexCount; ++v)
    {
        memset(&xyz[3 * (size_t)v], 0, 3 * sizeof(double));
        for (size_t e = 8 * (size_t)v; e < 8 * ((size_t)v + 1); ++e)
        {
            double rest[3];
            int node = surface->stencilNodes[e];
            if (surface->stencilWeights[e] != 0.0)
            {
                rslBody_Rest(body, node, node + 1, rest);
                AddTo(xyz, v, surface->stencilWeights[e], (rslVec3){ rest[0], rest[1], rest[2] });
            }
        }
    }
}

// ---- what cannot enclose anything -----------------------------------------------------------------------------------

typedef struct Flaws
{
    int open, flipped, crowded;        // edges
    int openAt, flippedAt, crowdedAt;  // a vertex of the first
} Flaws;

static Flaws FindFlaws(const rslSides* sides, const int* triangles)
{
    Flaws flaws = { .openAt = -1, .flippedAt = -1, .crowdedAt = -1 };
    for (size_t first = 0; first < sides->count;)
    {
        size_t end = rslSides_RunEnd(sides, first);
        int from = rslSide_From(triangles, sides->sides[first]);
        bool alike = end - first == 2 && rslSide_From(triangles, sides->sides[first + 1]) == from;
        int* count = end - first == 1 ? &flaws.open : end - first > 2 ? &flaws.crowded : alike ? &flaws.flipped : NULL;
        if (count != NULL)
        {
            int* at = count == &flaws.open      ? &flaws.openAt
                      : count == &flaws.crowded ? &flaws.crowdedAt
                                                : &flaws.flippedAt;
            *at = *count == 0 ? from : *at;
            *count += 1;
        }
        first = end;
    }
    return flaws;
}

static rslStatus Refuse(const Closing* c, int vertex, const char* what, int count, const char* remedy)
{
    rslVec3 x = InWorld(c, vertex);
    rslReport_Add(c->build->report, rsl_error, c->def->volume.place,
                  "the surface of body '%s' %s (%d, the first at [%.4g, %.4g, %.4g]), so it encloses no volume: %s",
                  c->def->name, what, count, x.x, x.y, x.z, remedy);
    return rsl_badInput;
}

static rslStatus CheckFlaws(const Closing* c, const Flaws* flaws)
{
    const rslSurface* surface = &c->body->surface;
    for (int t = 0; t < surface->triangleCount; ++t)
    {
        const int* corner = &surface->triangles[3 * (size_t)t];
        if (rslTriangle_Repeats(corner) || rslTriangle_IsFlat(c->vertices, corner))
        {
            return Refuse(c, corner[0], "has a triangle without an area", 1, "remove it");
        }
    }
    if (flaws->crowded > 0)
    {
        return Refuse(c, flaws->crowdedAt, "has edges of more than two triangles", flaws->crowded,
                      "split it there into surfaces of their own");
    }
    if (flaws->flipped > 0)
    {
        return Refuse(c, flaws->flippedAt, "has neighbouring triangles that face opposite ways", flaws->flipped,
                      "turn the triangles so that all are counter-clockwise seen from outside");
    }
    if (flaws->open > 0 && c->def->volume.base == rsl_noBase)
    {
        return Refuse(c, flaws->openAt, "has edges of only one triangle", flaws->open,
                      "close it, joining vertices that lie in one place, or let 'base: fan' close its border");
    }
    return rsl_ok;
}

// ---- closing a border -----------------------------------------------------------------------------------------------

// The vertex after each on the border, against the sense of the triangles; -1 inside. False where a border meets itself.
static bool FindNext(const Closing* c, const rslSides* sides, int* next, int* crossing)
{
    const int* triangles = c->body->surface.triangles;
    for (int v = 0; v < c->body->surface.vertexCount; ++v)
    {
        next[v] = -1;
    }
    for (size_t first = 0; first < sides->count; first = rslSides_RunEnd(sides, first))
    {
        if (rslSides_RunEnd(sides, first) - first == 1)
        {
            int to = rslSide_To(triangles, sides->sides[first]);
            *crossing = to;
            if (next[to] >= 0)
            {
                return false;
            }
            next[to] = rslSide_From(triangles, sides->sides[first]);
        }
    }
    return true;
}

// Follow the loops: their vertices, and a fan over each.
static void AddFans(const Closing* c, int* next, int* start, int* vertices, int* triangles)
{
    int own = c->body->surface.vertexCount, count = 0, loops = 0, made = c->body->surface.triangleCount;
    for (int first = 0; first < own; ++first)
    {
        if (next[first] < 0)
        {
            continue;
        }
        start[loops] = count;
        for (int v = first; next[v] >= 0;)
        {
            int after = next[v];
            next[v] = -1;
            vertices[count++] = v;
            int* corner = &triangles[3 * (size_t)made++];
            corner[0] = v;
            corner[1] = after;
            corner[2] = own + loops;
            v = after;
        }
        start[++loops] = count;
    }
    c->out->loopCount = loops;
}

static rslStatus CloseBorder(Closing* c, const rslSides* sides, int open)
{
    const rslSurface* surface = &c->body->surface;
    rslArena* arena = c->build->arena;
    int* next = rslAllocate(c->hooks, (size_t)surface->vertexCount, sizeof(int));
    int* start = rslArena_Allocate(arena, (size_t)open + 1, sizeof(int));
    int* vertices = rslArena_Allocate(arena, (size_t)open, sizeof(int));
    int* triangles = rslArena_Allocate(arena, 3 * ((size_t)surface->triangleCount + (size_t)open), sizeof(int));
    rslStatus status =
        next != NULL && start != NULL && vertices != NULL && triangles != NULL ? rsl_ok : rsl_outOfMemory;
    int crossing = 0;
    if (status == rsl_ok && !FindNext(c, sides, next, &crossing))
    {
        status = Refuse(c, crossing, "has a border that meets itself", 1, "give each part a vertex of its own there");
    }
    if (status == rsl_ok)
    {
        memcpy(triangles, surface->triangles, 3 * (size_t)surface->triangleCount * sizeof(int));
        AddFans(c, next, start, vertices, triangles);
        c->out->loopStart = start;
        c->out->loopVertices = vertices;
        c->out->triangles = triangles;
        c->out->triangleCount = surface->triangleCount + open;
        c->out->vertexCount = surface->vertexCount + c->out->loopCount;
    }
    for (int l = 0; status == rsl_ok && l < c->out->loopCount; ++l)
    {
        double share = 1.0 / (start[l + 1] - start[l]);
        for (int e = start[l]; e < start[l + 1]; ++e)
        {
            AddTo(c->vertices, surface->vertexCount + l, share, At(c->vertices, vertices[e]));
        }
    }
    rslRelease(c->hooks, next);
    return status;
}

static rslStatus Close(Closing* c)
{
    const rslSurface* surface = &c->body->surface;
    rslSides sides = { 0 };
    rslStatus status = rslSides_Make(surface->triangles, surface->triangleCount, c->hooks, &sides);
    if (status != rsl_ok)
    {
        return status;
    }
    Flaws flaws = FindFlaws(&sides, surface->triangles);
    c->out->triangles = surface->triangles;
    c->out->triangleCount = surface->triangleCount;
    c->out->vertexCount = surface->vertexCount;
    status = CheckFlaws(c, &flaws);
    if (status == rsl_ok && flaws.open > 0)
    {
        status =
            flaws.open > (INT_MAX - surface->triangleCount) / 3 ? rsl_outOfMemory : CloseBorder(c, &sides, flaws.open);
    }
    rslSides_Free(&sides);
    return status;
}

// ---- volume, area, shares -------------------------------------------------------------------------------------------

static rslVec3 AreaVector(const Closing* c, const int* corner)
{
    rslVec3 a = At(c->vertices, corner[0]);
    return rslCross(rslSub(At(c->vertices, corner[1]), a), rslSub(At(c->vertices, corner[2]), a));
}

static rslStatus Measure(Closing* c)
{
    rslEnclosed* out = c->out;
    for (int t = 0; t < out->triangleCount; ++t)
    {
        const int* corner = &out->triangles[3 * (size_t)t];
        rslVec3 n = AreaVector(c, corner);
        out->volume += rslDot(At(c->vertices, corner[0]), n) / 6.0;
        out->area += t < c->body->surface.triangleCount ? 0.5 * rslLength(n) : 0.0;
    }
    // rounding of the volume of a flat surface is about the area times its extent
    if (out->volume > 1e-9 * out->area * sqrt(out->area))
    {
        return rsl_ok;
    }
    rslReport_Add(c->build->report, rsl_error, c->def->volume.place,
                  "the surface of body '%s' encloses %.4g m3, expected a volume above 0: %s", c->def->name, out->volume,
                  out->volume < -1e-9 * out->area * sqrt(out->area)
                      ? "it faces inwards; turn its triangles so that they are counter-clockwise seen from outside"
                      : "it is flat, or its parts cancel each other");
    return rsl_badInput;
}

// c_i by thirds: a third of every triangle at the vertex, over the mean area of triangles.
static rslStatus FindShares(Closing* c)
{
    const rslSurface* surface = &c->body->surface;
    double* share = rslArena_Allocate(c->build->arena, (size_t)surface->vertexCount, sizeof(double));
    int* centreOf = rslArena_Allocate(c->build->arena, (size_t)surface->vertexCount, sizeof(int));
    if (share == NULL || centreOf == NULL)
    {
        return rsl_outOfMemory;
    }
    double mean = c->out->area / surface->triangleCount;
    for (int t = 0; t < surface->triangleCount; ++t)
    {
        const int* corner = &surface->triangles[3 * (size_t)t];
        double third = 0.5 * rslLength(AreaVector(c, corner)) / (3.0 * mean);
        for (int k = 0; k < 3; ++k)
        {
            share[corner[k]] += third;
        }
    }
    c->out->share = share;
    c->out->centreOf = centreOf;
    c->out->centreCount = c->def->volume.centres;
    return rslBuild_Centres(c->build, c->def, c->body, c->vertices, centreOf);
}

// ---- how stiff it may be --------------------------------------------------------------------------------------------

// dV/dx of every vertex of the surface: a sixth of the doubled areas around it.
static void FindGradient(const Closing* c, double* gradient)
{
    const rslEnclosed* out = c->out;
    int own = c->body->surface.vertexCount;
    for (int t = 0; t < out->triangleCount; ++t)
    {
        const int* corner = &out->triangles[3 * (size_t)t];
        rslVec3 n = AreaVector(c, corner);
        for (int k = 0; k < 3; ++k)
        {
            AddTo(gradient, corner[k], 1.0 / 6.0, n);
        }
    }
    for (int l = 0; l < out->loopCount; ++l)
    {
        int begin = out->loopStart[l], end = out->loopStart[l + 1];
        for (int e = begin; e < end; ++e)
        {
            AddTo(gradient, out->loopVertices[e], 1.0 / (end - begin), At(gradient, own + l));
        }
    }
}

// Sum of g.g / m over the nodes that the vertices hang on.
static rslStatus SumPressed(const Closing* c, const double* gradient, double* sum)
{
    const rslSurface* surface = &c->body->surface;
    double* nodes = rslAllocate(c->hooks, (size_t)c->body->nodeCount, 3 * sizeof(double));
    if (nodes == NULL)
    {
        return rsl_outOfMemory;
    }
    for (size_t e = 0; e < 8 * (size_t)surface->vertexCount; ++e)
    {
        AddTo(nodes, surface->stencilNodes[e] - c->body->firstNode, surface->stencilWeights[e],
              At(gradient, (int)(e / 8)));
    }
    for (int n = 0; n < c->body->nodeCount; ++n)
    {
        *sum += rslDot(At(nodes, n), At(nodes, n)) / c->build->model->mass[c->body->firstNode + n];
    }
    rslRelease(c->hooks, nodes);
    return rsl_ok;
}

static double SumSupported(const Closing* c, const double* gradient)
{
    const rslEnclosed* out = c->out;
    const double* mass = c->build->model->mass + c->body->firstNode;
    double sum = 0.0;
    for (int k = 0; k < out->centreCount; ++k)
    {
        rslVec3 centre = { 0 };
        double all = 0.0;
        for (int v = 0; v < c->body->surface.vertexCount; ++v)
        {
            centre = out->centreOf[v] == k ? rslMulAdd(centre, mass[v], At(c->vertices, v)) : centre;
            all += out->centreOf[v] == k ? mass[v] : 0.0;
        }
        centre = rslScale(1.0 / all, centre);
        for (int v = 0; v < c->body->surface.vertexCount; ++v)
        {
            rslVec3 u = rslNormalize(rslSub(At(c->vertices, v), centre));
            double one = out->method == rsl_implicitVolume ? out->share[v] * out->share[v] / 3.0
                                                           : rslDot(u, At(gradient, v)) / out->area;
            sum += out->centreOf[v] == k ? one / mass[v] : 0.0;
        }
    }
    return sum;
}

static rslStatus FindRate(const Closing* c)
{
    rslEnclosed* out = c->out;
    double* gradient = rslAllocate(c->hooks, (size_t)out->vertexCount, 3 * sizeof(double));
    rslStatus status = gradient != NULL ? rsl_ok : rsl_outOfMemory;
    if (status == rsl_ok)
    {
        FindGradient(c, gradient);
    }
    if (status == rsl_ok && out->method == rsl_pressureVolume)
    {
        status = SumPressed(c, gradient, &out->rate);
        out->rate /= out->volume;
    }
    else if (status == rsl_ok && (out->method == rsl_explicitVolume || out->method == rsl_implicitVolume))
    {
        out->rate = SumSupported(c, gradient);
    }
    rslRelease(c->hooks, gradient);
    return status;
}

double rslBody_VolumeLimit(const rslBody* body, double step)
{
    return body->enclosed.rate > 0.0 ? 4.0 / (step * step * body->enclosed.rate) : INFINITY;
}

// ---- together -------------------------------------------------------------------------------------------------------

// Support springs pull at vertices, so these have to be nodes.
static bool VerticesAreNodes(const rslBody* body)
{
    const rslSurface* surface = &body->surface;
    bool are = surface->vertexCount == body->nodeCount;
    for (int v = 0; are && v < surface->vertexCount; ++v)
    {
        are = surface->stencilNodes[8 * (size_t)v] == body->firstNode + v &&
              surface->stencilWeights[8 * (size_t)v] == 1.0;
    }
    return are;
}

static rslStatus Enclose(Closing* c)
{
    const rslSurface* surface = &c->body->surface;
    const rslVolumeDef* def = &c->def->volume;
    bool supported = def->method == rsl_explicitVolume || def->method == rsl_implicitVolume || def->radial > 0.0;
    if (surface->triangleCount == 0 || (supported && !VerticesAreNodes(c->body)))
    {
        rslReport_Add(c->build->report, rsl_error, def->place, "body '%s' %s", c->def->name,
                      surface->triangleCount == 0
                          ? "has no surface that encloses a volume: give it triangles, or volume: none"
                          : "has nodes that are no vertices of its surface, and support springs pull at vertices: use "
                            "method pressure or hard without 'radial'");
        return rsl_badInput;
    }
    c->vertices = rslAllocate(c->hooks, 2 * (size_t)surface->vertexCount, 3 * sizeof(double));
    if (c->vertices == NULL)
    {
        return rsl_outOfMemory;
    }
    *c->out = (rslEnclosed){ .method = def->method, .stiffness = def->stiffness };
    rslSurface_Rest(c->body, c->vertices);
    rslStatus status = Close(c);
    status = status == rsl_ok ? Measure(c) : status;
    if (status == rsl_ok && supported)
    {
        c->out->radial = def->radial;
        status = FindShares(c);
    }
    status = status == rsl_ok ? FindRate(c) : status;
    rslRelease(c->hooks, c->vertices);
    return status;
}

rslStatus rslBuild_Volumes(rslBuild* build)
{
    rslStatus status = rsl_ok;
    for (int b = 0; b < build->model->bodyCount && status != rsl_outOfMemory; ++b)
    {
        rslBody* body = &build->bodies[b];
        const rslBodyDef* def = &build->scene->bodies[b];
        Closing closing = { build, def, body, &build->model->hooks, &body->enclosed, NULL };
        rslStatus one = def->volume.method == rsl_noVolume ? rsl_ok : Enclose(&closing);
        status = one != rsl_ok ? one : status;
    }
    return status;
}

// The pressure of a hard volume on welded nodes is held by what these are welded to, which a free body cannot.
rslStatus rslBuild_CheckVolumes(rslBuild* build)
{
    const rslModel* model = build->model;
    for (int r = 0; r < model->rigidCount; ++r)
    {
        const rslRigid* rigid = &model->rigids[r];
        for (int w = 0; rigid->constraint < 0 && w < rigid->weldCount; ++w)
        {
            int body = rslModel_BodyOf(model, rigid->welded[w]);
            if (model->bodies[body].enclosed.method == rsl_hardVolume)
            {
                rslReport_Add(build->report, rsl_error, build->scene->bodies[body].volume.place,
                              "body '%s' is welded to '%s', which is free: a hard volume would not push it; use method "
                              "pressure, or hold or move '%s'",
                              model->bodies[body].name, model->bodies[rigid->body].name,
                              model->bodies[rigid->body].name);
                return rsl_badInput;
            }
        }
    }
    return rsl_ok;
}
