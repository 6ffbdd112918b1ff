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
// The material asks for 3 E h and 6 E there (build_sheet.c, build_tetrahedra.c). Repulsion brings the part s of it, springs 1 - s.
//
// Cells of a lattice are exact. The five tetrahedra of a cell have 12 heights a, 4 along each axis, of their corners; along each of the
// four diagonals of the cell a height 2a/sqrt(3) of the tetrahedron in the middle and one a/sqrt(3) of a corner. With the constants
// kx, km, kc that is
//   a C11 = 8 kx + 8/27 (4 km + kc),   a C12 = a C44 = 8/27 (4 km + kc)
// Isotropy asks for C11 = 3 C12. And for forces on the surface that are the same on all nodes, although every other node belongs to the
// tetrahedra in the middle: let the nodes of both kinds be stretched by e + b and e - b. Heights along axes go from one
// kind to the other and change by e, those in the middle by e + b, those of the corners by e - 2b (their feet move on too), and
//   dW/db = 0 at b = 0:   4 km = 2 kc
// Then km : kc : kx = 9 : 18 : 4, and C11 = 3 C12 = 3 q/a for kc = 9/8 q. With q = s m, m = 2/5 E a, springs keep 1 - s of theirs,
// any s below 1. (Shear has another pattern, all nodes of a kind shifted, which no constants but kc = 0 avoid: it is felt in the outermost
// layer of a body that is sheared by its surface.)

#include "build_share.h"

#include "lattice.h"

#include <math.h>

static const rslRepulsion* Of(const rslShares* c)
{
    return &c->body->repulsion;
}

static rslStatus Refuse(const rslShares* c, const char* problem)
{
    rslReport_Add(c->build->report, rsl_error, c->def->repulsion.place, "repulsion of body '%s': %s", c->def->name,
                  problem);
    return rsl_badInput;
}

// Where they could not be told apart from the rest of the body.
static const char* FindProblem(const rslShares* c)
{
    const rslRepulsionDef* repulsion = &c->def->repulsion;
    bool material = c->def->network.type != rsl_explicitNetwork;
    bool centroid = Of(c)->law == rsl_centroidRepulsion, lattice = c->body->kind == rsl_latticeBody;
    return centroid && Of(c)->corners == 8
               ? "found centroid in cells, expected triangles or tetrahedra; cooper, stiff and clamped work in cells"
           : lattice && c->def->material.orthotropic != NULL ? "found beside an orthotropic material, whose springs "
                                                               "cannot make up for its stiffness at rest; expected "
                                                               "young and poisson, or clamped, which has none"
           : material && !lattice && c->body->regionCount > 0
               ? "found beside regions, expected one material, or a lattice"
           : material && c->def->network.calibrate != rsl_noCalibration && !isnan(repulsion->stiffness)
               ? "found 'stiffness' beside 'calibrate', expected 'share'"
           : material && !isnan(repulsion->stiffness) && !isnan(repulsion->share)
               ? "found 'stiffness' beside 'share', expected one of them"
               : NULL;
}

bool rslShares_Find(const rslShares* c, double atOne, double* share)
{
    const rslRepulsionDef* def = &c->def->repulsion;
    *share = !isnan(def->stiffness) ? def->stiffness / atOne : isnan(def->share) ? 0.2 : def->share;
    if (!(*share < 1.0))
    {
        rslReport_Add(
            c->build->report, rsl_error, def->place,
            "repulsion of body '%s' would bring %.3g times the stiffness of the material: nothing is left for its "
            "springs; expected a share below 1, or a stiffness below %.4g N/m",
            c->def->name, *share, atOne);
    }
    return *share < 1.0;
}

// Springs of a lattice keep this part of their stiffness, and their dampers stay.
static void LeaveToBonds(rslBody* body, double part)
{
    rslLattice* lattice = &body->lattice;
    size_t cells = (size_t)lattice->cells[0] * (size_t)lattice->cells[1] * (size_t)lattice->cells[2];
    double* damp = (double*)(uintptr_t)lattice->damp;
    for (int d = 0; d < RSL_LATTICE_BONDS; ++d)
    {
        lattice->stiffness[d] *= part;
    }
    for (size_t c = 0; damp != NULL && c < cells; ++c)
    {
        damp[c] /= part;
    }
    body->stiffnessDamping /= part;
}

// Cells between the nodes of a centred lattice stand for the volume of these, shared among the cells that each has: 1.5 cells at a face
// of the body. out gets it; *sum that of all.
static rslStatus WeighDual(const rslShares* c, double* out, double* sum)
{
    const rslBody* body = c->body;
    int* cells = rslAllocate(&c->build->model->hooks, (size_t)body->nodeCount, sizeof(int));
    for (int pass = 0; cells != NULL && pass < 2; ++pass)
    {
        for (int e = 0; e < Of(c)->count; ++e)
        {
            int nodes[8];
            rslRepulsion_Nodes(Of(c), e, nodes);
            out[e] = 0.0;
            for (int n = 0; n < 8; ++n)
            {
                int* mine = &cells[nodes[n] - body->firstNode];
                *mine += pass == 0;
                out[e] += 1.0 / *mine;
            }
            *sum += pass == 1 ? out[e] : 0.0;
        }
    }
    rslRelease(&c->build->model->hooks, cells);
    return cells != NULL ? rsl_ok : rsl_outOfMemory;
}

// Cells: k of a full one; what fills each is known. The mean of the heights of a cell is 39/80 q. Where the whole of a centred lattice
// is identified, cells make up for what is missing as springs do.
static rslStatus ShareCells(const rslShares* c)
{
    const rslLattice* lattice = &c->body->lattice;
    rslRepulsion* out = &c->body->repulsion;
    double a = lattice->spacing, sum = 0.0;
    bool centred = lattice->construction == rsl_centredLattice;
    if (centred)
    {
        double* dual = rslArena_Allocate(c->build->arena, (size_t)out->count, sizeof(double));
        rslStatus status = dual != NULL ? WeighDual(c, dual, &sum) : rsl_outOfMemory;
        out->stiffnesses = dual;
        if (status != rsl_ok)
        {
            return status;
        }
    }
    bool whole = centred && c->def->network.identify == rsl_identifyWhole;
    double lack = whole ? c->body->volume / (sum * a * a * a) : 1.0;
    double atOne = 39.0 / 80.0 * 0.4 * c->body->young * a * lack, share;
    if (!rslShares_Find(c, atOne, &share))
    {
        return rsl_badInput;
    }
    if (c->body->model == rsl_springModel)
    {
        LeaveToBonds(c->body, 1.0 - share);
    }
    double k = share * atOne, *each = (double*)(uintptr_t)out->stiffnesses;
    for (int e = 0; each != NULL && e < out->count; ++e)
    {
        each[e] *= k;
    }
    out->stiffness *= k;
    out->parts = &rslCellPart[0][0];
    return rsl_ok;
}

rslStatus rslBuild_Share(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    rslShares c = { .build = build, .def = def, .body = body };
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
    if (rslBuild_HasRest(def))
    {
        rslBuild_AddRest(&build->scene->bodies[body - build->bodies], body);
    }
    return def->network.type == rsl_explicitNetwork ? rsl_ok
           : body->kind == rsl_latticeBody          ? ShareCells(&c)
                                                    : rslShares_Network(&c);
}
