// SPDX-License-Identifier: MIT
//
// build_repulsion.c: which elements of a body resist collapse, and how strongly.
//
// Clamped, without a stiffness of its own: what all heights of an element together cost is of the strength of the body,
//
//   sum_h k h0^2 = n E V,    n the corners of a piece, 3 or 4
//
// so that a piece whose heights all are at x costs n E V (1 - 2x)^3 / x^2: about as much as its material where that is pressed to
// 0.4, and 8 times that at 0.25. V is the volume that the piece stands for, with the stiffness of what fills it over that of the
// body. Explicit networks have no material: k is the mean of their springs.

#include "build.h"
#include "repulsion.h"
#include "vec.h"

typedef struct Repulsions
{
    rslBuild* build;
    const rslBodyDef* def;
    rslBody* body;
    rslRepulsion* out;
    rslPieceKind kind;
} Repulsions;

// By itself it is on where a sign tells collapse, in what has a material. Rigid bodies cannot collapse.
static rslRepulsionType ChooseLaw(const rslBuild* build, const rslBodyDef* def)
{
    rslNetworkType type = def->network.type;
    bool solid = type == rsl_latticeNetwork || type == rsl_tetrahedraNetwork || type == rsl_hexahedraNetwork;
    bool flat = type == rsl_sheetNetwork && build->scene->plane == rsl_planeXY;
    if (def->model.type == rsl_rigidModel)
    {
        return rsl_noRepulsion;
    }
    return def->repulsion.type != rsl_autoRepulsion ? def->repulsion.type
           : solid || flat                          ? rsl_clampedRepulsion
                                                    : rsl_noRepulsion;
}

// ---- stiffness ------------------------------------------------------------------------------------------------------

// Mean over the materials of a body, by volume.
static double MeanYoung(const rslBody* body)
{
    double sum = 0.0, volume = 0.0;
    for (int m = 0; m < body->regionCount; ++m)
    {
        sum += body->regions[m].young * body->regions[m].volume;
        volume += body->regions[m].volume;
    }
    return volume > 0.0 ? sum / volume : body->young;
}

// n V / sum h0^2, V times the thickness of a sheet.
static double Size(const Repulsions* r, int element)
{
    int nodes[8];
    rslVec3 x[8];
    double volume = 0.0, squares = 0.0;
    rslRepulsion_Nodes(r->out, element, nodes);
    rslRepulsion_Rest(r->body, nodes, r->out->corners, x);
    for (int p = 0; p < rslRepulsion_PieceCount(r->out->corners); ++p)
    {
        rslVec3 y[RSL_PIECE_NODES] = { 0 };
        double heights[RSL_PIECE_NODES] = { 0 };
        for (int c = 0; c < rslPiece_Corners(r->kind); ++c)
        {
            y[c] = x[rslRepulsion_Corner(r->out->corners, p, c)];
        }
        volume += rslPiece_Measure(r->kind, y);
        rslPiece_Heights(r->kind, y, heights);
        for (int c = 0; c < rslPiece_Corners(r->kind); ++c)
        {
            squares += heights[c] * heights[c];
        }
    }
    volume *= r->kind == rsl_tetrahedron ? 1.0 : r->body->thickness;
    return rslPiece_Corners(r->kind) * volume / squares;
}

static bool AddStiffness(const rslSpring* spring, void* context)
{
    double* sum = context;
    sum[0] += spring->stiffness;
    sum[1] += 1.0;
    return true;
}

// k of every element, times what fills it.
static rslStatus SetStiffness(Repulsions* r, double factor)
{
    rslRepulsion* out = r->out;
    bool alike = r->body->kind == rsl_latticeBody;
    double* each = rslArena_Allocate(r->build->arena, alike ? 0 : (size_t)out->count, sizeof(double));
    if (each == NULL)
    {
        return rsl_outOfMemory;
    }
    if (alike)
    {
        // all cells have one size; what fills them was found with them
        factor *= Size(r, 0);
        out->stiffness *= factor;
        double* filled = (double*)(uintptr_t)out->stiffnesses;
        for (int e = 0; filled != NULL && e < out->count; ++e)
        {
            filled[e] *= factor;
        }
        return rsl_ok;
    }
    for (int e = 0; e < out->count; ++e)
    {
        each[e] = factor * Size(r, e);
    }
    out->stiffnesses = each;
    return rsl_ok;
}

static rslStatus ChooseStiffness(Repulsions* r)
{
    double given = r->def->repulsion.stiffness, sum[2] = { 0.0, 0.0 };
    if (!isnan(given))
    {
        r->out->stiffness = given;
        r->out->stiffnesses = NULL;
        return rsl_ok;
    }
    if (r->def->network.type != rsl_explicitNetwork)
    {
        return SetStiffness(r, MeanYoung(r->body));
    }
    rslModel_VisitSprings(r->build->model, (int)(r->body - r->build->bodies), AddStiffness, sum);
    r->out->stiffness = sum[0] / sum[1];
    if (!(r->out->stiffness > 0.0))
    {
        rslReport_Add(r->build->report, rsl_error, r->def->repulsion.place,
                      "body '%s' has no springs to take the stiffness of its repulsion from; give 'stiffness'",
                      r->def->name);
        return rsl_badInput;
    }
    return rsl_ok;
}

rslStatus rslBuild_Repulsion(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    Repulsions r = { .build = build, .def = def, .body = body, .out = &body->repulsion };
    r.out->law = ChooseLaw(build, def);
    if (r.out->law == rsl_noRepulsion)
    {
        return rsl_ok;
    }
    rslStatus status = rslBuild_RepulsionElements(build, def, body);
    r.kind = rslRepulsion_Kind(r.out, build->scene->plane);
    if (status == rsl_ok && r.out->count == 0)
    {
        if (def->repulsion.type != rsl_autoRepulsion)
        {
            rslReport_Add(build->report, rsl_error, def->repulsion.place,
                          "body '%s' has no %s that could repel; 'repulsion: none' says that this is meant", def->name,
                          body->kind == rsl_latticeBody ? "cell with nodes at all of its corners"
                                                        : "triangles or tetrahedra");
            return rsl_badInput;
        }
        *r.out = (rslRepulsion){ .law = rsl_noRepulsion };
        return rsl_ok;
    }
    bool felt = r.out->law != rsl_clampedRepulsion, listed = def->network.type == rsl_explicitNetwork;
    status = status == rsl_ok && (!felt || listed) ? ChooseStiffness(&r) : status;
    return status == rsl_ok && felt ? rslBuild_Share(build, def, body) : status;
}
