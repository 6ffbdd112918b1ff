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
// The material asks for 3 E h and 6 E there (build_sheet.c, build_tetrahedra.c). Repulsion brings the part s of it. Constants are
// proportional to V / sum l^2 of an element, l from the corners to their mean, since heights of flat elements are much shorter;
// factors by direction make them isotropic (share_fit.h), and one factor for the whole body makes the trace right. All springs along edges are left with
// 1 - s of their stiffness, and where directions are too few for repulsion to be isotropic, they make up for it by factors of their
// own. What is left over is told. Their dampers stay: they are those of the whole material.
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

#include "build.h"
#include "lattice.h"
#include "repulsion.h"
#include "share_fit.h"
#include "vec.h"

typedef struct Shares
{
    rslBuild* build;
    const rslBodyDef* def;
    rslBody* body;
    rslPieceKind kind;
    int each;          // heights or centroid springs of an element
    rslTie* ties;      // of all elements, with constants proportional to V / sum l^2
    double* base;      // those constants
    double volume;     // of all elements at rest; of triangles their area
    bool level;        // a solid, or triangles in one plane,
    rslVec3 plane[2];  // with these axes
} Shares;

static const rslRepulsion* Of(const Shares* c)
{
    return &c->body->repulsion;
}

// Corners of a piece at rest.
static void PlacePiece(const Shares* c, int element, int piece, rslVec3 x[RSL_PIECE_NODES])
{
    int nodes[8];
    rslRepulsion_Nodes(Of(c), element, nodes);
    for (int v = 0; v < rslPiece_Corners(c->kind); ++v)
    {
        double at[3];
        int node = nodes[rslRepulsion_Corner(Of(c)->corners, piece, v)];
        rslBody_Rest(c->body, node, node + 1, at);
        x[v] = (rslVec3){ at[0], at[1], at[2] };
    }
}

// Ties of a piece, and its measure.
static double TiePiece(const Shares* c, const rslVec3* x, rslTie* ties, double* base)
{
    int count = rslPiece_Corners(c->kind);
    rslVec3 mean = { 0.0, 0.0, 0.0 }, d[RSL_PIECE_NODES];
    double size = 0.0, measure = rslPiece_Measure(c->kind, x);
    for (int v = 0; v < count; ++v)
    {
        mean = rslMulAdd(mean, 1.0 / count, x[v]);
    }
    for (int v = 0; v < count; ++v)
    {
        d[v] = rslSub(x[v], mean);
        size += rslDot(d[v], d[v]);
    }
    for (int v = 0; v < count; ++v)
    {
        rslHeight height;
        bool centroid = Of(c)->law == rsl_centroidRepulsion;
        rslPiece_Height(c->kind, x, v, &height);
        base[v] = measure / size;
        ties[v].n = centroid ? rslNormalize(d[v]) : height.normal;
        ties[v].weight = base[v] * (centroid ? rslDot(d[v], d[v]) : 2.0 * height.h * height.h);
        ties[v].part = 1.0;
    }
    return measure;
}

// Triangles in space that lie in one plane: their ties in its axes. False when they do not.
static bool LayDown(Shares* c)
{
    rslVec3 first[RSL_PIECE_NODES], x[RSL_PIECE_NODES];
    PlacePiece(c, 0, 0, first);
    rslVec3 along = rslNormalize(rslSub(first[1], first[0]));
    rslVec3 up = rslNormalize(rslCross(along, rslSub(first[2], first[0]))), across = rslCross(up, along);
    for (int e = 0; e < Of(c)->count; ++e)
    {
        PlacePiece(c, e, 0, x);
        rslVec3 normal = rslCross(rslSub(x[1], x[0]), rslSub(x[2], x[0]));
        if (rslLength(rslCross(normal, up)) > 1e-6 * rslLength(normal))
        {
            return false;
        }
    }
    c->plane[0] = along;
    c->plane[1] = across;
    return true;
}

static bool IsFlat(const Shares* c)
{
    return c->kind != rsl_tetrahedron;
}

static rslVec3 Direction(const Shares* c, rslVec3 n)
{
    return IsFlat(c) ? (rslVec3){ rslDot(n, c->plane[0]), rslDot(n, c->plane[1]), 0.0 } : n;
}

// V / sum l^2 of a hexahedron, l from its corners to their mean.
static double SizeOfCell(const Shares* c, int element)
{
    int nodes[8];
    rslVec3 corners[8], mean = { 0.0, 0.0, 0.0 }, x[RSL_PIECE_NODES];
    double volume = 0.0, squares = 0.0;
    rslRepulsion_Nodes(Of(c), element, nodes);
    rslRepulsion_Rest(c->body, nodes, 8, corners);
    for (int n = 0; n < 8; ++n)
    {
        mean = rslMulAdd(mean, 0.125, corners[n]);
    }
    for (int n = 0; n < 8; ++n)
    {
        rslVec3 d = rslSub(corners[n], mean);
        squares += rslDot(d, d);
    }
    for (int p = 0; p < RSL_SPLIT; ++p)
    {
        PlacePiece(c, element, p, x);
        volume += rslPiece_Measure(c->kind, x);
    }
    return volume / squares;
}

static void Tie(Shares* c)
{
    for (int e = 0; e < Of(c)->count; ++e)
    {
        double cell = Of(c)->corners == 8 ? SizeOfCell(c, e) : 0.0;
        for (int p = 0; p < rslRepulsion_PieceCount(Of(c)->corners); ++p)
        {
            rslVec3 x[RSL_PIECE_NODES];
            size_t at = (size_t)c->each * (size_t)e + (size_t)(p * rslPiece_Corners(c->kind));
            PlacePiece(c, e, p, x);
            c->volume += TiePiece(c, x, c->ties + at, c->base + at);
            // parts of cells, so that cubes are as exact
            for (int v = 0; Of(c)->corners == 8 && v < RSL_PIECE_NODES; ++v)
            {
                double k = cell * rslCellPart[p][v];
                c->ties[at + (size_t)v].weight *= k / c->base[at + (size_t)v];
                c->base[at + (size_t)v] = k;
            }
        }
    }
    double trace = 0.0, t[RSL_FORM];
    size_t count = (size_t)c->each * (size_t)Of(c)->count;
    c->level = !IsFlat(c) || LayDown(c);
    for (size_t i = 0; c->level && i < count; ++i)
    {
        c->ties[i].n = Direction(c, c->ties[i].n);
        trace += c->ties[i].weight;
    }
    if (c->level)
    {
        rslShare_Isotropic(trace, IsFlat(c), t);
        rslShare_Fit(c->ties, count, IsFlat(c), t);
    }
}

// What the trace of the material is over an element of measure 1.
static double TraceOfMaterial(const Shares* c)
{
    double young = c->body->young;
    return c->body->thickness > 0.0 ? 3.0 * young * c->body->thickness : 6.0 * young * c->body->volume / c->volume;
}

// What repulsion has more than an isotropic tensor of its trace.
static void FindExcess(const Shares* c, double factor, double excess[RSL_FORM])
{
    double trace = 0.0, even[RSL_FORM];
    size_t count = (size_t)c->each * (size_t)Of(c)->count;
    for (size_t i = 0; i < count; ++i)
    {
        trace += c->ties[i].weight * c->ties[i].part;
    }
    rslShare_Tensor(c->ties, count, IsFlat(c), excess);
    rslShare_Isotropic(trace, IsFlat(c), even);
    for (int q = 0; q < RSL_FORM; ++q)
    {
        excess[q] = factor * (excess[q] - even[q]);
    }
}

// Springs along edges make up for it as far as they can; excess gets what they cannot.
static rslStatus Balance(const Shares* c, double excess[RSL_FORM])
{
    const rslHooks* hooks = &c->build->model->hooks;
    size_t count = (size_t)c->body->network.springCount;
    rslSpring* springs = (rslSpring*)(uintptr_t)c->body->network.springs;
    rslTie* ties = rslAllocate(hooks, count, sizeof(rslTie));
    if (ties == NULL)
    {
        return rsl_outOfMemory;
    }
    for (size_t i = 0; i < count; ++i)
    {
        double a[3], b[3];
        rslBody_Rest(c->body, springs[i].a, springs[i].a + 1, a);
        rslBody_Rest(c->body, springs[i].b, springs[i].b + 1, b);
        rslVec3 d = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
        ties[i] =
            (rslTie){ .n = Direction(c, rslNormalize(d)), .weight = springs[i].stiffness * rslDot(d, d), .part = 1.0 };
    }
    double before[RSL_FORM], wanted[RSL_FORM], after[RSL_FORM];
    rslShare_Tensor(ties, count, IsFlat(c), before);
    for (int q = 0; q < RSL_FORM; ++q)
    {
        wanted[q] = before[q] - excess[q];
    }
    rslShare_Fit(ties, count, IsFlat(c), wanted);
    rslShare_Tensor(ties, count, IsFlat(c), after);
    for (int q = 0; q < RSL_FORM; ++q)
    {
        excess[q] = after[q] - wanted[q];
    }
    for (size_t i = 0; i < count; ++i)
    {
        springs[i].stiffness *= ties[i].part;
    }
    rslRelease(hooks, ties);
    return rsl_ok;
}

// Repulsion of few directions, by the share and the trace of the material that it has.
static rslStatus Level(const Shares* c, double factor, double whole)
{
    double excess[RSL_FORM], none[RSL_FORM] = { 0 };
    rslStatus status = rsl_ok;
    if (!c->level)
    {
        return rsl_ok;
    }
    FindExcess(c, factor, excess);
    double most = whole / (IsFlat(c) ? 8.0 : 15.0);  // C12 and C44
    if (rslShare_Difference(excess, none, IsFlat(c)) > 1e-9 * most && c->body->model == rsl_springModel)
    {
        status = Balance(c, excess);
    }
    double left = rslShare_Difference(excess, none, IsFlat(c)) / most;
    if (status == rsl_ok && left > 0.05)
    {
        rslReport_Add(c->build->report, rsl_warning, c->def->repulsion.place,
                      "repulsion of body '%s': its elements lie in so few directions that moduli differ by about %.0f "
                      "%% with the "
                      "direction; a smaller share has less of it, clamped none",
                      c->def->name, 100.0 * left);
    }
    return status;
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

// Springs along edges keep this part of their stiffness.
static void LeaveToSprings(rslBody* body, double part)
{
    rslSpring* springs = (rslSpring*)(uintptr_t)body->network.springs;
    for (int i = 0; i < body->network.springCount; ++i)
    {
        springs[i].stiffness *= part;
    }
}

static rslStatus TooStiff(const Shares* c, double share, double stiffness)
{
    rslReport_Add(
        c->build->report, rsl_error, c->def->repulsion.place,
        "repulsion of body '%s' would bring %.3g times the stiffness of the material: nothing is left for its "
        "springs; expected a share below 1, or a stiffness below %.4g N/m",
        c->def->name, share, stiffness);
    return rsl_badInput;
}

// The share that is asked for, or that the given stiffness, as the mean of all heights, makes.
static double ShareOf(const Shares* c, double atOne)
{
    const rslRepulsionDef* def = &c->def->repulsion;
    return !isnan(def->stiffness) ? def->stiffness / atOne : isnan(def->share) ? 0.2 : def->share;
}

// Springs of a lattice do, and their dampers stay.
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
static rslStatus WeighDual(const Shares* c, double* out, double* sum)
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
static rslStatus ShareCells(const Shares* c)
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
    double atOne = 39.0 / 80.0 * 0.4 * c->body->young * a * lack, share = ShareOf(c, atOne);
    if (!(share < 1.0))
    {
        return TooStiff(c, share, atOne);
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

// Constants of every element: the mean of its heights, and their parts.
static void SetElements(const Shares* c, double factor, double* each, double* parts)
{
    for (int e = 0; e < Of(c)->count; ++e)
    {
        size_t at = (size_t)c->each * (size_t)e;
        double sum = 0.0;
        for (int i = 0; i < c->each; ++i)
        {
            sum += c->base[at + (size_t)i] * c->ties[at + (size_t)i].part;
        }
        each[e] = factor * sum / c->each;
        for (int i = 0; i < c->each; ++i)
        {
            parts[at + (size_t)i] = c->base[at + (size_t)i] * c->ties[at + (size_t)i].part * c->each / sum;
        }
    }
}

static rslStatus ShareElements(Shares* c)
{
    rslRepulsion* out = &c->body->repulsion;
    double trace = 0.0, mean = 0.0;
    size_t count = (size_t)out->count, all = (size_t)c->each * count;
    double* each = rslArena_Allocate(c->build->arena, count, sizeof(double));
    double* parts = rslArena_Allocate(c->build->arena, all, sizeof(double));
    if (each == NULL || parts == NULL)
    {
        return rsl_outOfMemory;
    }
    Tie(c);
    for (size_t i = 0; i < all; ++i)
    {
        trace += c->ties[i].weight * c->ties[i].part;
        mean += c->base[i] * c->ties[i].part / (double)all;
    }
    double factor = TraceOfMaterial(c) * c->volume / trace, share = ShareOf(c, factor * mean);
    if (!(share < 1.0))
    {
        return TooStiff(c, share, factor * mean);
    }
    SetElements(c, share * factor, each, parts);
    out->stiffnesses = each;
    out->parts = parts;
    LeaveToSprings(c->body, c->body->model == rsl_springModel ? 1.0 - share : 1.0);
    return Level(c, share * factor, TraceOfMaterial(c) * c->volume);
}

static rslStatus Share(Shares* c)
{
    if (c->body->kind == rsl_latticeBody)
    {
        return ShareCells(c);
    }
    const rslHooks* hooks = &c->build->model->hooks;
    c->kind = rslRepulsion_Kind(Of(c), c->build->scene->plane);
    c->plane[0] = (rslVec3){ 1.0, 0.0, 0.0 };
    c->plane[1] = (rslVec3){ 0.0, 1.0, 0.0 };
    c->each = rslRepulsion_PieceCount(Of(c)->corners) * rslPiece_Corners(c->kind);
    size_t all = (size_t)c->each * (size_t)Of(c)->count;
    c->ties = rslAllocate(hooks, all, sizeof(rslTie));
    c->base = rslAllocate(hooks, all, sizeof(double));
    rslStatus status = c->ties != NULL && c->base != NULL ? ShareElements(c) : rsl_outOfMemory;
    rslRelease(hooks, c->ties);
    rslRelease(hooks, c->base);
    return status;
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
    if (rslBuild_HasRest(def))
    {
        rslBuild_AddRest(&build->scene->bodies[body - build->bodies], body);
    }
    return def->network.type == rsl_explicitNetwork ? rsl_ok : Share(&c);
}
