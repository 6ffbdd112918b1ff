// SPDX-License-Identifier: MIT
//
// build_share_network.c: constants of the heights, or centroid springs, of triangles, tetrahedra and hexahedra, and what they leave to
// springs.
//
// With the symbols of build_share.c: constants are proportional to V / sum l^2 of an element, l from its corners to their mean, since heights
// of flat elements are much shorter. Factors by direction make them isotropic (share_fit.h), and one for the whole body makes the trace
// right. All springs along edges are left with 1 - s of their stiffness; where directions are too few for repulsion to be isotropic,
// they make up for it by factors of their own, and what is left over is told. Their dampers stay: they are those of the whole material.

#include "build_share.h"

#include "vec.h"

static const rslRepulsion* Of(const rslShares* c)
{
    return &c->body->repulsion;
}

// Corners of a piece at rest.
static void PlacePiece(const rslShares* c, int element, int piece, rslVec3 x[RSL_PIECE_NODES])
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
static double TiePiece(const rslShares* c, const rslVec3* x, rslTie* ties, double* base)
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
static bool LayDown(rslShares* c)
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

static bool IsFlat(const rslShares* c)
{
    return c->kind != rsl_tetrahedron;
}

static rslVec3 Direction(const rslShares* c, rslVec3 n)
{
    return IsFlat(c) ? (rslVec3){ rslDot(n, c->plane[0]), rslDot(n, c->plane[1]), 0.0 } : n;
}

// V / sum l^2 of a hexahedron, l from its corners to their mean.
static double SizeOfCell(const rslShares* c, int element)
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

static void Tie(rslShares* c)
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
static double TraceOfMaterial(const rslShares* c)
{
    double young = c->body->young;
    return c->body->thickness > 0.0 ? 3.0 * young * c->body->thickness : 6.0 * young * c->body->volume / c->volume;
}

// What repulsion has more than an isotropic tensor of its trace.
static void FindExcess(const rslShares* c, double factor, double excess[RSL_FORM])
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
static rslStatus Balance(const rslShares* c, double excess[RSL_FORM])
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
static rslStatus Level(const rslShares* c, double factor, double whole)
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

// Springs along edges keep this part of their stiffness.
static void LeaveToSprings(rslBody* body, double part)
{
    rslSpring* springs = (rslSpring*)(uintptr_t)body->network.springs;
    for (int i = 0; i < body->network.springCount; ++i)
    {
        springs[i].stiffness *= part;
    }
}

// Constants of every element: the mean of its heights, and their parts.
static void SetElements(const rslShares* c, double factor, double* each, double* parts)
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

static rslStatus ShareElements(rslShares* c)
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
    double factor = TraceOfMaterial(c) * c->volume / trace, share;
    if (!rslShares_Find(c, factor * mean, &share))
    {
        return rsl_badInput;
    }
    SetElements(c, share * factor, each, parts);
    out->stiffnesses = each;
    out->parts = parts;
    LeaveToSprings(c->body, c->body->model == rsl_springModel ? 1.0 - share : 1.0);
    return Level(c, share * factor, TraceOfMaterial(c) * c->volume);
}

rslStatus rslShares_Network(rslShares* c)
{
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
