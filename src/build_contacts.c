// SPDX-License-Identifier: MIT
//
// build_contacts.c: pairs of bodies that push on each other.
//
// As stiff as costs no smaller step. Per area of the surface, nodes have a stiffness kappa = k / A, k a third of the trace of
// K_ii, and a mass mu = m / A; A = sum of |w| A_v over the vertices v that a node carries. The quicker of the two bodies has
// to be followed anyway, W^2 = the larger mean of kappa / mean of mu; a contact of the stiffness
//   k_v = 2 A_v W^2 / (1/mu_v + 1/mu of the other, a mean)
// moves both against each other with 4 W^2, as vertices of both push: no quicker than neighbours move against each other in
// a body. A rigid body has neither: 1/mu = 0, and what it touches says how stiff. Between two rigid bodies every vertex stops
// both within a twentieth of the smaller (build_stiffness.c), with the mass 1 / (1/M + 1/M') and the larger speed.

#include "build.h"
#include "collision.h"
#include "contact_side.h"
#include "vec.h"

#include <math.h>
#include <string.h>

// One of the two bodies while a contact is made; scratch.
typedef struct Half
{
    const rslBody* body;
    double* x;          // x y z of the vertices at the start
    double* area;       // of each vertex
    double* lightness;  // 1/mu of each vertex [m2/kg]
    double mean;        // 1/mu of all together
    double quickness;   // W^2 [1/s2]
    double total;       // area
} Half;

static rslVec3 Vertex(const Half* half, int v)
{
    const double* x = half->x + 3 * (size_t)v;
    return (rslVec3){ x[0], x[1], x[2] };
}

static void PlaceVertices(Half* half)
{
    const rslSurface* surface = &half->body->surface;
    for (size_t e = 0; e < 8 * (size_t)surface->vertexCount; ++e)
    {
        if (surface->stencilWeights[e] != 0.0)
        {
            double x[3];
            rslBody_WorldRest(half->body, surface->stencilNodes[e], surface->stencilNodes[e] + 1, x);
            for (int i = 0; i < 3; ++i)
            {
                half->x[3 * (e / 8) + (size_t)i] += surface->stencilWeights[e] * x[i];
            }
        }
    }
}

static void FindAreas(Half* half)
{
    const rslSurface* surface = &half->body->surface;
    for (int t = 0; t < surface->triangleCount; ++t)
    {
        const int* corner = &surface->triangles[3 * (size_t)t];
        rslVec3 a = Vertex(half, corner[0]);
        rslVec3 n = rslCross(rslSub(Vertex(half, corner[1]), a), rslSub(Vertex(half, corner[2]), a));
        double area = 0.5 * rslLength(n);
        half->total += area;
        for (int c = 0; c < 3; ++c)
        {
            half->area[corner[c]] += area / 3.0;
        }
    }
}

// nodeArea: scratch of every node of the body, zero.
static void FindMasses(Half* half, const double* trace, const double* mass, double* nodeArea)
{
    const rslSurface* surface = &half->body->surface;
    int first = half->body->firstNode;
    for (size_t e = 0; e < 8 * (size_t)surface->vertexCount; ++e)
    {
        nodeArea[surface->stencilNodes[e] - first] += fabs(surface->stencilWeights[e]) * half->area[e / 8];
    }
    double allStiffness = 0.0, allMass = 0.0;
    for (int v = 0; v < surface->vertexCount; ++v)
    {
        double stiffness = 0.0, masses = 0.0, area = 0.0;
        for (size_t e = 8 * (size_t)v; e < 8 * ((size_t)v + 1); ++e)
        {
            double weight = fabs(surface->stencilWeights[e]);
            stiffness += weight * trace[surface->stencilNodes[e]] / 3.0;
            masses += weight * mass[surface->stencilNodes[e]];
            area += weight * nodeArea[surface->stencilNodes[e] - first];
        }
        half->lightness[v] = stiffness > 0.0 && masses > 0.0 ? area / masses : 0.0;
        allStiffness += area > 0.0 ? half->area[v] * stiffness / area : 0.0;
        allMass += area > 0.0 ? half->area[v] * masses / area : 0.0;
    }
    half->quickness = allMass > 0.0 ? allStiffness / allMass : 0.0;
    half->mean = half->quickness > 0.0 ? half->total / allMass : 0.0;
}

static bool MakeHalf(rslArena* scratch, const double* trace, const double* mass, Half* half)
{
    size_t vertices = (size_t)half->body->surface.vertexCount;
    half->x = rslArena_Allocate(scratch, vertices, 3 * sizeof(double));
    half->area = rslArena_Allocate(scratch, vertices, sizeof(double));
    half->lightness = rslArena_Allocate(scratch, vertices, sizeof(double));
    double* nodeArea = rslArena_Allocate(scratch, (size_t)half->body->nodeCount, sizeof(double));
    if (half->x == NULL || half->area == NULL || half->lightness == NULL || nodeArea == NULL)
    {
        return false;
    }
    PlaceVertices(half);
    FindAreas(half);
    if (trace != NULL && half->body->model != rsl_rigidModel)
    {
        FindMasses(half, trace, mass, nodeArea);
    }
    return true;
}

// ---- figures --------------------------------------------------------------------------------------------------------

static double Larger(double a, double b)
{
    return a > b ? a : b;
}

static double AutoThickness(const Half half[2])
{
    double a = half[0].body->spacing, b = half[1].body->spacing;
    double spacing = a > 0.0 && (a < b || !(b > 0.0)) ? a : b;
    return Larger(0.5 * (half[0].body->thickness + half[1].body->thickness), 0.05 * spacing);
}

static bool IsRigid(const Half* half)
{
    return half->body->model == rsl_rigidModel;
}

// Of every vertex, unless it depends on the vertex: NAN.
static double WholeStiffness(const rslBuild* build, const rslContactDef* def, const Half half[2],
                             const rslContact* contact)
{
    if (!isnan(def->stiffness) || !IsRigid(&half[0]) || !IsRigid(&half[1]))
    {
        return def->stiffness;
    }
    rslImpact a = rslBuild_Impact(build, contact->bodies[0]), b = rslBuild_Impact(build, contact->bodies[1]);
    return rslImpact_Stiffness((rslImpact){ 1.0 / (1.0 / a.mass + 1.0 / b.mass), a.size < b.size ? a.size : b.size,
                                            Larger(a.speed, b.speed) });
}

static rslStatus FindStiffness(rslBuild* build, const rslContactDef* def, const Half half[2], rslContact* contact)
{
    double most[2] = { 0.0, 0.0 }, sum[2] = { 0.0, 0.0 };
    double quickness = Larger(half[0].quickness, half[1].quickness), whole = WholeStiffness(build, def, half, contact);
    double* stiffness[2];
    double* bound[2];
    for (int s = 0; s < 2; ++s)
    {
        int count = half[s].body->surface.vertexCount;
        stiffness[s] = rslArena_Allocate(build->arena, (size_t)count, sizeof(double));
        bound[s] = rslArena_Allocate(build->arena, (size_t)count, sizeof(double));
        if (stiffness[s] == NULL || bound[s] == NULL)
        {
            return rsl_outOfMemory;
        }
        for (int v = 0; v < count; ++v)
        {
            double light = half[s].lightness[v] + half[1 - s].mean;
            if (isnan(whole) && !(quickness > 0.0 && light > 0.0))
            {
                rslReport_Add(build->report, rsl_error, def->place,
                              "'%s' and '%s' have no springs to take the stiffness of the contact from; give its "
                              "'stiffness' in N/m",
                              def->a, def->b);
                return rsl_badInput;
            }
            stiffness[s][v] = isnan(whole) ? 2.0 * half[s].area[v] * quickness / light : whole;
            most[s] = Larger(most[s], stiffness[s][v]);
            sum[s] += stiffness[s][v];
        }
    }
    // vertices of the other push on what is around a vertex by their density, or one of them alone; motions against
    // each other, (a - b)^2 <= 2 a^2 + 2 b^2
    for (int s = 0; s < 2; ++s)
    {
        double density = half[1 - s].total > 0.0 ? sum[1 - s] / half[1 - s].total : 0.0;
        for (int v = 0; v < half[s].body->surface.vertexCount; ++v)
        {
            bound[s][v] = 2.0 * (stiffness[s][v] + Larger(density * half[s].area[v], most[1 - s]));
        }
        contact->stiffness[s] = stiffness[s];
        contact->bound[s] = bound[s];
    }
    return rsl_ok;
}

// How deep vertices are in the thickness of the other surface at the start, at most.
static rslStatus WarnOfOverlap(rslBuild* build, const rslContactDef* def, const Half half[2], rslArena* scratch,
                               const rslContact* contact)
{
    rslContactSide sides[2];
    double deepest = 0.0, thickness = contact->thickness;
    for (int s = 0; s < 2; ++s)
    {
        if (rslContactSide_Make(&sides[s], &half[s].body->surface, half[s].x, scratch) != rsl_ok)
        {
            return rsl_outOfMemory;
        }
    }
    for (int s = 0; s < 2; ++s)
    {
        for (int v = 0; v < half[s].body->surface.vertexCount; ++v)
        {
            rslTouch touch = rslContactSide_Look(&sides[s], v, &sides[1 - s], thickness, contact->reach, -1);
            deepest = touch.triangle >= 0 ? Larger(deepest, thickness - touch.gap.distance) : deepest;
        }
    }
    if (deepest > 0.01 * thickness)
    {
        rslReport_Add(build->report, rsl_warning, def->place,
                      "'%s' and '%s' overlap at the start by %.3g m, a thickness of %.3g m counted, and will be pushed "
                      "apart: move one of them, or lower 'thickness'",
                      def->a, def->b, deepest, thickness);
    }
    return rsl_ok;
}

// ---- one contact ----------------------------------------------------------------------------------------------------

static rslStatus CheckHalf(rslBuild* build, const rslContactDef* def, const char* name, Half* half, int* index)
{
    *index = rslModel_Find(build->model, name);
    if (*index < 0)
    {
        rslReport_Add(build->report, rsl_error, def->place, "there is no body '%s'", name != NULL ? name : "");
        return rsl_badInput;
    }
    half->body = &build->model->bodies[*index];
    if (half->body->surface.triangleCount == 0)
    {
        rslReport_Add(build->report, rsl_error, def->place,
                      "contacts are between surfaces, and body '%s' has none: enable its surface, or give it a shape",
                      name);
        return rsl_badInput;
    }
    return rsl_ok;
}

static rslStatus MakeContact(rslBuild* build, const rslContactDef* def, rslArena* scratch, rslContact* contact)
{
    Half half[2] = { 0 };
    rslStatus status = CheckHalf(build, def, def->a, &half[0], &contact->bodies[0]);
    rslStatus second = CheckHalf(build, def, def->b, &half[1], &contact->bodies[1]);
    status = status == rsl_ok ? second : status;
    const double* trace = isnan(def->stiffness) && status == rsl_ok ? rslBuild_Trace(build) : NULL;
    if (status != rsl_ok)
    {
        return status;
    }
    if ((isnan(def->stiffness) && trace == NULL) || !MakeHalf(scratch, trace, build->model->mass, &half[0]) ||
        !MakeHalf(scratch, trace, build->model->mass, &half[1]))
    {
        return rsl_outOfMemory;
    }
    bool sheets[2] = { !half[0].body->surface.closed, !half[1].body->surface.closed };
    contact->friction = isnan(def->friction) ? build->scene->touch.friction : def->friction;
    contact->restitution = isnan(def->restitution) ? build->scene->touch.restitution : def->restitution;
    contact->thickness = isnan(def->thickness) ? AutoThickness(half) : def->thickness;
    if (sheets[0] && sheets[1] && !(contact->thickness > 0.0))
    {
        rslReport_Add(build->report, rsl_error, def->place,
                      "two sheets have no inside: the thickness of their contact must be positive");
        return rsl_badInput;
    }
    // a body is at least as thick as it has springs long
    contact->reach = sheets[0] != sheets[1] ? 0.5 * half[sheets[0] ? 1 : 0].body->spacing : 0.0;
    status = FindStiffness(build, def, half, contact);
    return status == rsl_ok && !rslBuild_LooksForOverlap(build->scene)
               ? WarnOfOverlap(build, def, half, scratch, contact)
               : status;
}

// A body with itself or with a collider is no pair of surfaces (build_pairs.c).
static bool IsOfTwoBodies(const rslModel* model, const rslContactDef* def)
{
    bool collider = def->b != NULL && rslModel_Find(model, def->b) < 0 && rslModel_FindCollider(model, def->b) >= 0;
    return !collider && !(def->a != NULL && def->b != NULL && strcmp(def->a, def->b) == 0);
}

rslStatus rslBuild_Contacts(rslBuild* build)
{
    rslModel* model = build->model;
    const rslTouchDef* touch = &build->scene->touch;
    model->touch = (rslTouchRules){ touch->scheme,   rslTouchScheme_For(touch->scheme, build->scene->time.integrator),
                                    touch->pairs,    touch->self,
                                    touch->friction, touch->restitution,
                                    touch->sweeps };
    int count = 0, listed = build->scene->contactCount;
    rslContact* contacts = rslArena_Allocate(build->arena, (size_t)listed, sizeof(rslContact));
    rslStatus status = contacts != NULL ? rsl_ok : rsl_outOfMemory;
    for (int i = 0; i < listed && status != rsl_outOfMemory; ++i)
    {
        if (!IsOfTwoBodies(model, &build->scene->contacts[i]))
        {
            continue;
        }
        rslArena scratch = rslArena_Make(&model->hooks);
        rslStatus one = MakeContact(build, &build->scene->contacts[i], &scratch, &contacts[count++]);
        rslArena_Free(&scratch);
        status = one != rsl_ok ? one : status;
    }
    model->contacts = contacts;
    model->contactCount = count;
    return status;
}
