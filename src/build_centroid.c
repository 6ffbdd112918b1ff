// SPDX-License-Identifier: MIT
//
// build_centroid.c: the constants of centroid springs, and what they leave to the springs along the edges.
//
// Under a uniform strain e the mean of the corners moves with them, and the springs of an element cost
//   W = sum_i k/2 l_i^2 (n_i . e n_i)^2
// as springs along edges do. Like those they have Cauchy's symmetry, so that Poisson's ratio stays, and the trace of their tensor is
//   C_iijj = sum k l^2 / A  in a triangle,  / V  in a tetrahedron.
// The material asks for 3 E h and 6 E there (build_sheet.c, build_tetrahedra.c). The part s of it takes
//   k = s 3 E h A / sum l^2,  or  s 6 E V / sum l^2,
// and all springs along edges are left with 1 - s of their stiffness. Their dampers stay: they are those of the whole material.

#include "build.h"
#include "repulsion.h"
#include "vec.h"

typedef struct Centroids
{
    rslBuild* build;
    const rslBodyDef* def;
    rslBody* body;
    double volume;  // of all elements at rest; of triangles their area
} Centroids;

static const rslRepulsion* Of(const Centroids* c)
{
    return &c->body->repulsion;
}

// Measure of an element at rest, and sum l^2.
static double MeasureStar(const Centroids* c, int element, double* squares)
{
    rslPieceKind kind = rslRepulsion_Kind(Of(c), c->build->scene->plane);
    int nodes[8], count = rslPiece_Corners(kind);
    rslVec3 x[RSL_PIECE_NODES] = { 0 }, mean = { 0.0, 0.0, 0.0 };
    rslRepulsion_Nodes(Of(c), element, nodes);
    for (int i = 0; i < count; ++i)
    {
        double at[3];
        rslBody_Rest(c->body, nodes[i], nodes[i] + 1, at);
        x[i] = (rslVec3){ at[0], at[1], at[2] };
        mean = rslMulAdd(mean, 1.0 / count, x[i]);
    }
    *squares = 0.0;
    for (int i = 0; i < count; ++i)
    {
        rslVec3 d = rslSub(x[i], mean);
        *squares += rslDot(d, d);
    }
    return rslPiece_Measure(kind, x);
}

// What the trace of the material is over an element of measure 1.
static double TraceOfMaterial(const Centroids* c)
{
    double young = c->body->young;
    return c->body->thickness > 0.0 ? 3.0 * young * c->body->thickness : 6.0 * young * c->body->volume / c->volume;
}

static rslStatus Refuse(const Centroids* c, const char* problem)
{
    rslReport_Add(c->build->report, rsl_error, c->def->repulsion.place, "centroid springs of body '%s': %s",
                  c->def->name, problem);
    return rsl_badInput;
}

// Where they could not be told apart from the rest of the body.
static const char* FindProblem(const Centroids* c)
{
    const rslRepulsionDef* repulsion = &c->def->repulsion;
    bool material = c->def->network.type != rsl_explicitNetwork;
    return Of(c)->corners == 8
               ? "found cells, expected triangles or tetrahedra; cooper, stiff and clamped work in cells"
           : material && c->body->model != rsl_springModel
               ? "found beside a model that is not springs, whose stiffness they would add to; expected model: springs"
           : material && c->body->regionCount > 0 ? "found beside regions, expected one material"
           : material && c->def->network.calibrate != rsl_noCalibration
               ? "found beside 'calibrate', expected calibrate: none"
           : material && !isnan(repulsion->stiffness) && !isnan(repulsion->share)
               ? "found 'stiffness' beside 'share', expected one of them"
               : NULL;
}

// Springs along edges keep this part of their stiffness.
static void LeaveToSprings(rslBody* body, double part)
{
    rslSpring* springs = (rslSpring*)(uintptr_t)body->network.springs;
    for (int i = 0; i < body->network.springCount; ++i)
    {
        springs[i].stiffness *= part;
    }
}

// By a share: constants of every element. By a stiffness: the share that it makes.
static rslStatus Share(Centroids* c)
{
    rslRepulsion* out = &c->body->repulsion;
    double given = c->def->repulsion.stiffness, share = c->def->repulsion.share, squares = 0.0, whole = 0.0;
    double* each = rslArena_Allocate(c->build->arena, (size_t)out->count, sizeof(double));
    if (each == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int e = 0; e < out->count; ++e)
    {
        c->volume += MeasureStar(c, e, &each[e]);
        squares += each[e];
    }
    whole = TraceOfMaterial(c) * c->volume;
    share = !isnan(given) ? given * squares / whole : isnan(share) ? 0.2 : share;
    if (!(share < 1.0))
    {
        rslReport_Add(
            c->build->report, rsl_error, c->def->repulsion.place,
            "centroid springs of body '%s' with a stiffness of %.4g N/m are %.3g times as stiff as the material: "
            "nothing is left for its springs; expected less than %.4g N/m",
            c->def->name, given, share, whole / squares);
        return rsl_badInput;
    }
    for (int e = 0; e < out->count; ++e)
    {
        double own, measure = MeasureStar(c, e, &own);
        each[e] = !isnan(given) ? given : share * TraceOfMaterial(c) * measure / own;
    }
    out->stiffnesses = each;
    LeaveToSprings(c->body, 1.0 - share);
    return rsl_ok;
}

rslStatus rslBuild_Centroid(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    Centroids c = { .build = build, .def = def, .body = body };
    const char* problem = FindProblem(&c);
    if (problem != NULL)
    {
        return Refuse(&c, problem);
    }
    rslReport_Add(
        build->report, rsl_note, def->repulsion.place,
        "body '%s': centroid springs do not prevent collapse, their force is finite in flat elements; 'repulsion: "
        "clamped' does",
        def->name);
    return def->network.type == rsl_explicitNetwork ? rsl_ok : Share(&c);
}
