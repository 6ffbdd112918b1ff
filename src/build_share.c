// SPDX-License-Identifier: MIT
//
// build_share.c: the constants of repulsion that is felt at rest, and what it leaves to the springs along the edges.
//
// Under a uniform strain e the mean of the corners moves with them, and centroid springs of an element cost
//   W = sum_i k/2 l_i^2 (n_i . e n_i)^2
// as springs along edges do. Heights change by h0 n . e n too, n the normal of their edge or face, and Cooper's and the stiff law have
// 2 k at rest: they are springs with k l^2 = 2 k h0^2. Like springs all of them have Cauchy's symmetry, so that Poisson's ratio
// stays, and the trace of their tensor is
//   C_iijj = sum k l^2 / A  in a triangle,  / V  in a tetrahedron.
// The material asks for 3 E h and 6 E there (build_sheet.c, build_tetrahedra.c). The part s of it takes
//   k = s 3 E h A / sum l^2,  or  s 6 E V / sum l^2,
// with l from the corners to their mean; heights of flat elements are much shorter, so that for them k is proportional to V / sum l^2
// and one factor for the whole body makes the trace right. All springs along edges are left with 1 - s of their stiffness.
// Their dampers stay: they are those of the whole material.
//
// Cells of a lattice with shells AB can be exact. The five tetrahedra of a cell have 4 heights a along each axis, and along each of
// the 4 diagonals of the cell one of a / sqrt(3) and one of 2 a / sqrt(3). With q = 2 k that is
//   a C11 = 128/27 q,   a C12 = a C44 = 20/27 q                 sum h0^2 = 56/3 a^2
// beside a C11 = kA + 2 kB, a C12 = a C44 = kB of the springs. All together are isotropic with lam = mu = m / a, m = 2/5 E a, for
//   kA = m - 88/27 q,   kB = m - 20/27 q.
// The part s of the trace 15 m is q = 45/56 s m; kA is positive up to s = 0.38.

#include "build.h"
#include "lattice.h"
#include "repulsion.h"
#include "vec.h"

typedef struct Shares
{
    rslBuild* build;
    const rslBodyDef* def;
    rslBody* body;
    double volume;  // of all elements at rest; of triangles their area
} Shares;

static const rslRepulsion* Of(const Shares* c)
{
    return &c->body->repulsion;
}

// Measure of an element at rest, sum k l^2 / k, and sum l^2 of its corners from their mean.
static double MeasureStar(const Shares* c, int element, double* squares, double* size)
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
    double heights[RSL_PIECE_NODES];
    rslPiece_Heights(kind, x, heights);
    *squares = *size = 0.0;
    for (int i = 0; i < count; ++i)
    {
        rslVec3 d = rslSub(x[i], mean);
        *squares += Of(c)->law == rsl_centroidRepulsion ? rslDot(d, d) : 2.0 * heights[i] * heights[i];
        *size += rslDot(d, d);
    }
    return rslPiece_Measure(kind, x);
}

// What the trace of the material is over an element of measure 1.
static double TraceOfMaterial(const Shares* c)
{
    double young = c->body->young;
    return c->body->thickness > 0.0 ? 3.0 * young * c->body->thickness : 6.0 * young * c->body->volume / c->volume;
}

static rslStatus Refuse(const Shares* c, const char* problem)
{
    rslReport_Add(c->build->report, rsl_error, c->def->repulsion.place, "repulsion of body '%s': %s", c->def->name,
                  problem);
    return rsl_badInput;
}

// Where they could not be told apart from the rest of the body.
static const char* FindProblem(const Shares* c)
{
    const rslRepulsionDef* repulsion = &c->def->repulsion;
    bool material = c->def->network.type != rsl_explicitNetwork;
    bool centroid = Of(c)->law == rsl_centroidRepulsion, lattice = c->body->kind == rsl_latticeBody;
    const rslNetworkDef* network = &c->def->network;
    bool plain = network->construction == rsl_cornerLattice && network->shells == rsl_shellsAB &&
                 c->def->material.orthotropic == NULL;
    return centroid && Of(c)->corners == 8
               ? "found centroid in cells, expected triangles or tetrahedra; cooper, stiff and clamped work in cells"
           : lattice && !plain
               ? "found in a lattice whose springs cannot make up for its stiffness at rest; expected construction: "
                 "corner with shells AB of an isotropic material, or clamped, which has none"
           : material && c->body->model != rsl_springModel    ? "found beside a model that is not springs, whose "
                                                                "stiffness it would add to; expected model: springs, or "
                                                                "clamped, which adds nothing at small strain"
           : material && !lattice && c->body->regionCount > 0 ? "found beside regions, expected one material"
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

static rslStatus TooStiff(const Shares* c, double share, double most, double stiffness)
{
    rslReport_Add(
        c->build->report, rsl_error, c->def->repulsion.place,
        "repulsion of body '%s' would bring %.3g times the stiffness of the material: nothing is left for its springs; "
        "expected a share below %.2g, or a stiffness below %.4g N/m",
        c->def->name, share, most, stiffness);
    return rsl_badInput;
}

// Cells: k of a full one; what fills each is known.
static rslStatus ShareCells(const Shares* c)
{
    rslLattice* lattice = &c->body->lattice;
    rslRepulsion* out = &c->body->repulsion;
    double m = lattice->stiffness[0], share = isnan(c->def->repulsion.share) ? 0.2 : c->def->repulsion.share;
    double most = 27.0 / 88.0,
           q = isnan(c->def->repulsion.stiffness) ? 45.0 / 56.0 * share : 2.0 * c->def->repulsion.stiffness / m;
    if (!(q < most))
    {
        return TooStiff(c, 56.0 / 45.0 * q, 56.0 / 45.0 * most, 0.5 * most * m);
    }
    for (int d = 0; d < RSL_LATTICE_BODY; ++d)
    {
        lattice->stiffness[d] = m * (1.0 - (d < RSL_LATTICE_FACE ? 88.0 : 20.0) / 27.0 * q);
    }
    double k = 0.5 * q * m, *each = (double*)(uintptr_t)out->stiffnesses;
    for (int e = 0; each != NULL && e < out->count; ++e)
    {
        each[e] *= k;
    }
    out->stiffness *= k;
    return rsl_ok;
}

// By a share: constants of every element. By a stiffness: the share that it makes.
static rslStatus Share(Shares* c)
{
    rslRepulsion* out = &c->body->repulsion;
    double given = c->def->repulsion.stiffness, share = c->def->repulsion.share, squares = 0.0, parts = 0.0;
    double* each = rslArena_Allocate(c->build->arena, (size_t)out->count, sizeof(double));
    if (each == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int e = 0; e < out->count; ++e)
    {
        double own, size, measure = MeasureStar(c, e, &own, &size);
        each[e] = measure / size;
        c->volume += measure;
        squares += own;
        parts += each[e] * own;
    }
    double whole = TraceOfMaterial(c) * c->volume;
    share = !isnan(given) ? given * squares / whole : isnan(share) ? 0.2 : share;
    if (!(share < 1.0))
    {
        return TooStiff(c, share, 1.0, whole / squares);
    }
    for (int e = 0; e < out->count; ++e)
    {
        each[e] = !isnan(given) ? given : share * whole / parts * each[e];
    }
    out->stiffnesses = each;
    LeaveToSprings(c->body, 1.0 - share);
    return rsl_ok;
}

rslStatus rslBuild_Share(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    Shares c = { .build = build, .def = def, .body = body };
    const char* problem = FindProblem(&c);
    if (problem != NULL)
    {
        return Refuse(&c, problem);
    }
    if (body->repulsion.law == rsl_centroidRepulsion)
    {
        rslReport_Add(
            build->report, rsl_note, def->repulsion.place,
            "body '%s': centroid springs do not prevent collapse, their force is finite in flat elements; 'repulsion: "
            "clamped' does",
            def->name);
    }
    return def->network.type == rsl_explicitNetwork ? rsl_ok
           : body->kind == rsl_latticeBody          ? ShareCells(&c)
                                                    : Share(&c);
}
