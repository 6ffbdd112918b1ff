// SPDX-License-Identifier: MIT
//
// build_boxes.c: Baudet's parallelepipeds in the place of finite elements: which moduli their edges have, and which boxes
// there can be.

#include "box.h"
#include "build.h"

#include "vec.h"

#include <stdio.h>
#include <string.h>

// Of the modulus of an edge, over mu.
static const double LEAST = 1e-9;

typedef struct Material
{
    double young, poisson, lambda, mu;
} Material;

static Material MaterialOf(const rslElements* set)
{
    double nu = set->poisson;
    return (Material){ .young = set->young,
                       .poisson = nu,
                       .lambda = set->young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)),
                       .mu = set->young / (2.0 * (1.0 + nu)) };
}

static double EdgeModulus(const rslModelDef* def, const Material* material)
{
    if (!isnan(def->edgeModulus))
    {
        return def->edgeModulus;
    }
    switch (def->edges)
    {
        case rsl_forceEdges: return material->mu * (1.0 + 4.0 * material->poisson);
        case rsl_pressureEdges: return 2.0 * material->mu;
        case rsl_tunedEdges: return material->young / 3.0;
        default: return RSL_AUTO;
    }
}

// The longest edge that Baudet's s stays positive with, beside two others: h^2 (1/p^2 + 1/q^2) < r with face diagonals,
// (h^2 / (p q))^(4/3) < r with body diagonals, r = (lambda + 2 mu) / mu.
static double LongestEdge(const Material* material, bool faces, double p, double q)
{
    double r = material->lambda / material->mu + 2.0;
    return faces ? sqrt(r / (1.0 / (p * p) + 1.0 / (q * q))) : sqrt(sqrt(sqrt(r * r * r)) * p * q);
}

// Edges of a box at rest. Returns how far its corners are from those of a rectangular box, over its longest edge.
static double SizeOf(const rslBody* body, int index, double h[3])
{
    double x[8][3], d[3][3], off = 0.0;
    h[0] = h[1] = h[2] = body->lattice.spacing;
    if (body->kind == rsl_latticeBody)
    {
        return 0.0;
    }
    rslElements_Corner(body, index, x);
    for (int i = 0; i < 3; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            d[i][axis] = x[1 << i][axis] - x[0][axis];
        }
        h[i] = sqrt(d[i][0] * d[i][0] + d[i][1] * d[i][1] + d[i][2] * d[i][2]);
    }
    double longest = fmax(h[0], fmax(h[1], h[2]));
    for (int i = 0; i < 3; ++i)
    {
        const double *p = d[i], *q = d[(i + 1) % 3];
        off = fmax(off, fabs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2]) / h[i]);
    }
    for (int c = 0; c < 24; ++c)
    {
        int corner = c / 3, axis = c % 3;
        double at = x[0][axis] + (corner & 1 ? d[0][axis] : 0.0) + (corner & 2 ? d[1][axis] : 0.0) +
                    (corner & 4 ? d[2][axis] : 0.0);
        off = fmax(off, fabs(x[corner][axis] - at));
    }
    return off / longest;
}

static rslStatus Refuse(rslBuild* build, const rslBodyDef* def, const rslElements* set, int index, const double h[3],
                        const rslBox* box)
{
    Material material = MaterialOf(set);
    char reason[200];
    int worst = box->modulus[0] <= box->modulus[1] ? 0 : 1;
    worst = box->modulus[worst] <= box->modulus[2] ? worst : 2;
    double p = h[(worst + 1) % 3], q = h[(worst + 2) % 3];
    if (!isnan(def->model.edgeModulus))
    {
        snprintf(reason, sizeof reason, "edge_modulus needs more than %.3g Pa", LEAST * material.mu);
    }
    else if (!isnan(set->edgeModulus))
    {
        snprintf(reason, sizeof reason, "'edges: force' needs a Poisson's ratio above -1/4, found %.4g",
                 material.poisson);
    }
    else if (set->faceDiagonals && !(material.poisson > 0.0))
    {
        snprintf(reason, sizeof reason,
                 "'edges: baudet' with face diagonals needs a Poisson's ratio above 0, found %.4g", material.poisson);
    }
    else
    {
        snprintf(reason, sizeof reason,
                 "'edges: baudet' needs it below %.4g m beside edges of %.4g m and %.4g m, found %.4g m",
                 LongestEdge(&material, set->faceDiagonals, p, q), p, q, h[worst]);
    }
    rslReport_Add(
        build->report, rsl_error, def->model.place,
        "body '%s': the %c edges of box %d would have the modulus %.3g Pa, and push where they should pull: %s; "
        "'edges: tuned' or 'model: fem' works",
        def->name, 'x' + worst, index, box->modulus[worst], reason);
    return rsl_badInput;
}

static rslStatus RefuseSkew(rslBuild* build, const rslBodyDef* def, int index, double off)
{
    rslReport_Add(
        build->report, rsl_error, def->model.place,
        "body '%s': hexahedron %d is no rectangular box: a corner is off by %.3g of its longest edge; 'model: fem' "
        "takes hexahedra of any shape",
        def->name, index, off);
    return rsl_badInput;
}

static void WarnShear(rslBuild* build, const rslBodyDef* def, int index, const double h[3], const rslBox* box)
{
    rslReport_Add(
        build->report, rsl_warning, def->model.place,
        "body '%s': with body diagonals the shear moduli yz, zx, xy of box %d, %.4g x %.4g x %.4g m, are %.3g, "
        "%.3g, %.3g of the material's; 'diagonals: face' meets them, or cubes do",
        def->name, index, h[0], h[1], h[2], box->shear[0], box->shear[1], box->shear[2]);
}

// Every box is stable, and the one whose shear is farthest off is told of. Those of a lattice are all the same.
static rslStatus CheckBoxes(rslBuild* build, const rslBodyDef* def, const rslBody* body)
{
    const double worthSaying = 1e-3, skew = 1e-6;
    const rslElements* set = &body->elements;
    Material material = MaterialOf(set);
    double most = 0.0, h[3], farthest[3];
    rslBox box, off;
    int at = -1;
    for (int e = 0; e < (body->kind == rsl_latticeBody ? 1 : set->count); ++e)
    {
        double askew = SizeOf(body, e, h);
        if (!(askew < skew))
        {
            return RefuseSkew(build, def, e, askew);
        }
        box = rslBox_Make(h, material.lambda, material.mu, set->edgeModulus, set->faceDiagonals);
        double error = 0.0, lowest = fmin(box.modulus[0], fmin(box.modulus[1], box.modulus[2]));
        if (!(lowest > LEAST * material.mu))
        {
            return Refuse(build, def, set, e, h, &box);
        }
        for (int i = 0; i < 3; ++i)
        {
            error = fmax(error, fabs(box.shear[i] - 1.0));
        }
        if (error > fmax(most, worthSaying))
        {
            most = error;
            at = e;
            off = box;
            memcpy(farthest, h, sizeof farthest);
        }
    }
    if (at >= 0)
    {
        WarnShear(build, def, at, farthest, &off);
    }
    if (body->kind != rsl_latticeBody && !set->faceDiagonals)  // those of lattices are counted
    {
        rslReport_Add(
            build->report, rsl_warning, def->model.place,
            "body '%s': with 'diagonals: body' columns of nodes slide along each other at no cost, unless one whole "
            "face is held; 'diagonals: face' has no such motions",
            def->name);
    }
    return rsl_ok;
}

rslStatus rslBuild_Boxes(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    rslElements* set = &body->elements;
    Material material = MaterialOf(set);
    set->kind = rsl_boxElements;
    set->law = rsl_corotationalElement;  // true lengths turn with the body
    set->edgeModulus = EdgeModulus(&def->model, &material);
    set->faceDiagonals = def->model.diagonals == rsl_faceDiagonals;
    return CheckBoxes(build, def, body);
}

// K_ii of a corner: its edges and diagonals, and M_ii V / (16 h_i^2) along each axis.
double rslBoxes_Trace(const rslBody* body, int element)
{
    const rslElements* set = &body->elements;
    Material material = MaterialOf(set);
    double h[3], sum = 0.0;
    (void)SizeOf(body, element, h);
    rslBox box = rslBox_Make(h, material.lambda, material.mu, set->edgeModulus, set->faceDiagonals);
    for (int i = 0; i < 3; ++i)
    {
        double diagonal = set->faceDiagonals || i == 0 ? box.diagonal[i] : 0.0;
        sum += box.edge[i] + diagonal + box.couple[i] * h[0] * h[1] * h[2] / (16.0 * h[i] * h[i]);
    }
    return set->weight[element] * sum;
}

// ---- stress at small displacements ------------------------------------------------------------------------------------

typedef struct Virial
{
    const rslVec3 *edges, *u;
    double stress[6];
} Virial;

// Between two corners: n.(u_b - u_a), and the sum of T n d.
static double Stretch(const Virial* virial, int a, int b, rslVec3* d)
{
    *d = (rslVec3){ 0.0, 0.0, 0.0 };
    for (int i = 0; i < 3; ++i)
    {
        *d = rslAdd(*d, rslScale((b >> i & 1) - (a >> i & 1), virial->edges[i]));
    }
    return rslDot(*d, rslSub(virial->u[b], virial->u[a])) / rslLength(*d);
}

static void Pull(Virial* virial, int a, int b, double k, double more)
{
    rslVec3 d;
    double t = (k * Stretch(virial, a, b, &d) + more) / rslLength(d);
    const double part[6] = { d.x * d.x, d.y * d.y, d.z * d.z, d.y * d.z, d.z * d.x, d.x * d.y };
    for (int c = 0; c < 6; ++c)
    {
        virial->stress[c] += t * part[c];
    }
}

static void PullDiagonals(Virial* virial, const rslBox* box, bool faces)
{
    for (int a = 0; !faces && a < 4; ++a)
    {
        Pull(virial, a, 7 - a, box->diagonal[0], 0.0);
    }
    for (int n = 0; faces && n < 6; ++n)
    {
        int i = 1 << (n + 1) % 3, j = 1 << (n + 2) % 3, a = n < 3 ? 0 : 1 << n % 3;
        Pull(virial, a, a + i + j, box->diagonal[n % 3], 0.0);
        Pull(virial, a + i, a + j, box->diagonal[n % 3], 0.0);
    }
}

void rslBoxes_Stress(const rslElements* set, const rslVec3 edges[3], const rslVec3 u[8], double stress[6])
{
    static const int at[3][3] = { { 0, 5, 4 }, { 5, 1, 3 }, { 4, 3, 2 } };
    Material material = MaterialOf(set);
    Virial virial = { .edges = edges, .u = u };
    const double h[3] = { rslLength(edges[0]), rslLength(edges[1]), rslLength(edges[2]) };
    double sum[3] = { 0.0, 0.0, 0.0 }, volume = h[0] * h[1] * h[2];
    rslBox box = rslBox_Make(h, material.lambda, material.mu, set->edgeModulus, set->faceDiagonals);
    rslVec3 d;
    for (int s = 0; s < 24; ++s)  // every corner and axis; edges twice
    {
        int i = s % 3, a = s / 3 & ~(1 << i);
        sum[i] += 0.5 * Stretch(&virial, a, a + (1 << i), &d);
    }
    for (int s = 0; s < 24; ++s)
    {
        int i = s % 3, a = s / 3;
        double more = 0.0;
        for (int j = 0; j < 3; ++j)
        {
            more += box.couple[at[i][j]] * volume * sum[j] / (16.0 * h[i] * h[j]);
        }
        if ((a >> i & 1) == 0)
        {
            Pull(&virial, a, a + (1 << i), box.edge[i], more);
        }
    }
    PullDiagonals(&virial, &box, set->faceDiagonals);
    for (int c = 0; c < 6; ++c)
    {
        stress[c] = virial.stress[c] / volume;
    }
}
