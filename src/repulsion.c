// SPDX-License-Identifier: MIT
//
// repulsion.c: see repulsion.h.

#include "repulsion.h"

#include "ascending.h"
#include "log_gap.h"
#include "vec.h"

// A tetrahedron on the corners of one parity, and four at the others.
const int rslCellSplit[RSL_SPLIT][4] = {
    { 0, 5, 3, 6 }, { 1, 3, 0, 5 }, { 2, 0, 3, 6 }, { 4, 5, 0, 6 }, { 7, 3, 5, 6 },
};

#define MIDDLE (15.0 / 13.0)
#define APEX (30.0 / 13.0)
#define AXIS (20.0 / 39.0)

const double rslCellPart[RSL_SPLIT][4] = {
    { MIDDLE, MIDDLE, MIDDLE, MIDDLE }, { APEX, AXIS, AXIS, AXIS }, { APEX, AXIS, AXIS, AXIS },
    { APEX, AXIS, AXIS, AXIS },         { APEX, AXIS, AXIS, AXIS },
};

void rslRepulsion_Nodes(const rslRepulsion* repulsion, int element, int nodes[8])
{
    if (repulsion->runs == NULL)
    {
        const int* from = repulsion->nodes + (size_t)repulsion->corners * (size_t)element;
        for (int c = 0; c < repulsion->corners; ++c)
        {
            nodes[c] = from[c];
        }
        return;
    }
    const rslCellRun* run =
        &repulsion->runs[RSL_LAST_UP_TO(repulsion->runs, rslCellRun, before, 0, repulsion->runCount, element)];
    int along = element - run->before;
    bool odd = run->odd != (along % 2 == 1);
    for (int c = 0; c < 8; ++c)
    {
        int corner = rslCell_Turn(c, odd);
        nodes[c] = run->first + along + (corner & 1) + run->offset[corner >> 1];
    }
}

double rslRepulsion_Stiffness(const rslRepulsion* repulsion, int element, int piece, int vertex)
{
    double k = repulsion->stiffnesses != NULL ? repulsion->stiffnesses[element] : repulsion->stiffness;
    int split = rslRepulsion_PieceCount(repulsion->corners), corners = repulsion->corners == 3 ? 3 : 4;
    size_t place = (size_t)(repulsion->runs != NULL ? 0 : element) * (size_t)split + (size_t)piece;
    return repulsion->parts != NULL ? k * repulsion->parts[(size_t)corners * place + (size_t)vertex] : k;
}

// ---- heights --------------------------------------------------------------------------------------------------------

double rslPiece_Measure(rslPieceKind kind, const rslVec3* x)
{
    rslVec3 n = rslCross(rslSub(x[1], x[0]), rslSub(x[2], x[0]));
    switch (kind)
    {
        case rsl_tetrahedron: return rslDot(n, rslSub(x[3], x[0])) / 6.0;
        case rsl_planeTriangle: return 0.5 * n.z;
        default: return 0.5 * rslLength(n);
    }
}

void rslPiece_Heights(rslPieceKind kind, const rslVec3* x, double heights[RSL_PIECE_NODES])
{
    double measure = rslPiece_Measure(kind, x);
    for (int v = 0; v < 3 && kind != rsl_tetrahedron; ++v)
    {
        heights[v] = 2.0 * measure / rslLength(rslSub(x[(v + 2) % 3], x[(v + 1) % 3]));
    }
    for (int v = 0; v < 4 && kind == rsl_tetrahedron; ++v)
    {
        rslVec3 a = x[(v + 1) & 3], b = rslSub(x[(v + 2) & 3], a), c = rslSub(x[(v + 3) & 3], a);
        heights[v] = 6.0 * measure / rslLength(rslCross(b, c));
    }
}

void rslPiece_Feet(rslPieceKind kind, const rslVec3* x, rslFeet* out)
{
    rslVec3 a = rslSub(x[1], x[0]), b = rslSub(x[2], x[0]), area = rslCross(a, b), gradient[RSL_PIECE_NODES];
    double measure = 0.0;
    if (kind == rsl_tetrahedron)
    {
        rslVec3 c = rslSub(x[3], x[0]);
        gradient[1] = rslCross(b, c);
        gradient[2] = rslCross(c, a);
        gradient[3] = area;
        gradient[0] = rslScale(-1.0, rslAdd(rslAdd(gradient[1], gradient[2]), gradient[3]));
        measure = rslDot(area, c);
    }
    else
    {
        rslVec3 up = kind == rsl_planeTriangle ? (rslVec3){ 0.0, 0.0, 1.0 } : rslNormalize(area);
        gradient[0] = rslCross(up, rslSub(x[2], x[1]));
        gradient[1] = rslCross(b, up);
        gradient[2] = rslCross(up, a);
        measure = rslDot(up, area);
    }
    for (int v = 0; v < rslPiece_Corners(kind); ++v)
    {
        out->size[v] = rslLength(gradient[v]);
        double inverse = 1.0 / out->size[v];
        out->h[v] = measure * inverse;
        out->normal[v] = rslScale(inverse, gradient[v]);
    }
}

// Edge e from corner i to j: lambda_j grows along it by e / |e|^2.
static void EdgeHeight(rslPieceKind kind, const rslVec3* x, int vertex, rslHeight* out)
{
    int i = (vertex + 1) % 3, j = (vertex + 2) % 3;
    rslVec3 e = rslSub(x[j], x[i]), to = rslSub(x[vertex], x[i]), normal = rslCross(e, to);
    double length2 = rslDot(e, e), t = rslDot(to, e) / length2;
    rslVec3 up = kind == rsl_planeTriangle ? (rslVec3){ 0.0, 0.0, 1.0 } : rslNormalize(normal);
    out->normal = rslScale(1.0 / sqrt(length2), rslCross(up, e));
    out->h = rslDot(out->normal, to);
    out->lambda[i] = 1.0 - t;
    out->lambda[j] = t;
    out->slope[j] = rslScale(1.0 / length2, e);
    out->slope[i] = rslScale(-1.0, out->slope[j]);
    out->binormal = kind == rsl_planeTriangle ? (rslVec3){ 0.0, 0.0, 0.0 } : up;
}

// Face i j k seen from the vertex counter-clockwise: the normal points at it where the tetrahedron is positive.
static const int faces[4][3] = { { 1, 3, 2 }, { 0, 2, 3 }, { 0, 3, 1 }, { 0, 1, 2 } };

static void FaceHeight(const rslVec3* x, int vertex, rslHeight* out)
{
    const int* c = faces[vertex];
    rslVec3 to = rslSub(x[vertex], x[c[0]]);
    rslVec3 area = rslCross(rslSub(x[c[1]], x[c[0]]), rslSub(x[c[2]], x[c[0]]));
    double area2 = rslDot(area, area), twice = sqrt(area2);
    out->normal = rslScale(1.0 / twice, area);
    out->h = rslDot(out->normal, to);
    double sum = 0.0;
    for (int n = 0; n < 3; ++n)
    {
        // the gradient of lambda of a corner is n x (its opposite edge) / |area|
        rslVec3 edge = rslSub(x[c[(n + 2) % 3]], x[c[(n + 1) % 3]]);
        out->slope[c[n]] = rslScale(1.0 / area2, rslCross(area, edge));
        if (n > 0)
        {
            out->lambda[c[n]] = rslDot(out->slope[c[n]], to);
            sum += out->lambda[c[n]];
        }
    }
    out->lambda[c[0]] = 1.0 - sum;
}

void rslPiece_Height(rslPieceKind kind, const rslVec3* x, int vertex, rslHeight* out)
{
    *out = (rslHeight){ 0 };
    out->lambda[vertex] = -1.0;
    if (kind == rsl_tetrahedron)
    {
        FaceHeight(x, vertex, out);
    }
    else
    {
        EdgeHeight(kind, x, vertex, out);
    }
}

// |a| - |b| of a = b + d
static double Lengthening(rslVec3 b, rslVec3 d, double lengths)
{
    return (2.0 * rslDot(b, d) + rslDot(d, d)) / lengths;
}

// a x b with da and db more, less a x b
static rslVec3 CrossChange(rslVec3 a, rslVec3 b, rslVec3 da, rslVec3 db)
{
    return rslAdd(rslAdd(rslCross(da, b), rslCross(a, db)), rslCross(da, db));
}

// h = P / L with P twice the area and L the length of the edge, or P six times the volume and L twice the area of the face:
// h - h0 = (dP - h0 dL) / L.
double rslPiece_Stretch(rslPieceKind kind, const rslVec3* rest, const rslVec3* u, int vertex)
{
    bool solid = kind == rsl_tetrahedron;
    const int* c = solid ? faces[vertex] : (const int[2]){ (vertex + 1) % 3, (vertex + 2) % 3 };
    rslVec3 to = rslSub(rest[vertex], rest[c[0]]), dto = rslSub(u[vertex], u[c[0]]);
    rslVec3 e = rslSub(rest[c[1]], rest[c[0]]), de = rslSub(u[c[1]], u[c[0]]);
    rslVec3 f = solid ? rslSub(rest[c[2]], rest[c[0]]) : to, df = solid ? rslSub(u[c[2]], u[c[0]]) : dto;
    rslVec3 area = rslCross(e, f), more = CrossChange(e, f, de, df);
    double length0, lengths, dl, p, dp;
    if (solid)
    {
        length0 = rslLength(area);
        lengths = length0 + rslLength(rslAdd(area, more));
        dl = Lengthening(area, more, lengths);
        p = rslDot(area, to);
        dp = rslDot(more, to) + rslDot(area, dto) + rslDot(more, dto);
    }
    else
    {
        length0 = rslLength(e);
        lengths = length0 + rslLength(rslAdd(e, de));
        dl = Lengthening(e, de, lengths);
        bool plane = kind == rsl_planeTriangle;
        p = plane ? area.z : rslLength(area);
        dp = plane ? more.z : Lengthening(area, more, p + rslLength(rslAdd(area, more)));
    }
    double h0 = p / length0;
    return (dp - h0 * dl) / ((lengths - length0) * h0);
}

// ---- laws -----------------------------------------------------------------------------------------------------------

// x = h / h0, U = k h0^2 phi(x), so that U' = k h0 phi' and U'' = k phi''.
//
//   clamped   phi = (1 - 2x)^3 / x^2    phi' = -2 (1 - 2x)^2 (1 + x) / x^3    phi'' = 6 (1 - 2x) / x^4       x < 1/2
//   cooper    phi = (x^2 - 1)/2 - ln x  phi' = x - 1/x                        phi'' = 1 + 1/x^2
//   stiff     phi = (x - 1/x)^2 / 4     phi' = (x - 1/x^3) / 2                phi'' = (1 + 3/x^4) / 2
//
// The clamped one is convex, and phi, phi' and phi'' are 0 at x = 1/2. Head-on with n k h0^2 of kinetic energy a vertex turns around
// at x = e^(-n - 1/2) with Cooper's law, which is below rounding for n = 35; with 1/x^2 at about 1/sqrt(n). A barrier 1/x^p turns at
// n^(-1/p), where it is p (p + 1) n^(1 + 2/p) stiff: beyond p = 2 little is gained, and 1/x itself would ask for steps
// sqrt(n / 3) times as small.
rslRepulsionResponse rslRepulsion_Evaluate(rslRepulsionType law, double k, double h0, double h)
{
    if (law != rsl_clampedRepulsion)
    {
        return rslRepulsion_Respond(law, k, h0, (h - h0) / h0);
    }
    double x = h / h0, energy = k * h0 * h0, force = k * h0;
    if (x >= 0.5)
    {
        return (rslRepulsionResponse){ 0.0, 0.0, 0.0 };
    }
    if (!(x > 0.0))
    {
        return (rslRepulsionResponse){ INFINITY, 0.0, 0.0 };
    }
    double y = 1.0 / x, gap = 1.0 - 2.0 * x;
    return (rslRepulsionResponse){ .energy = energy * gap * gap * gap * y * y,
                                   .force = force * 2.0 * gap * gap * (1.0 + x) * y * y * y,
                                   .slope = k * 6.0 * gap * y * y * y * y };
}

// With x = 1 + e:
//   x - 1/x = e (2 + e) / x =: g          cooper   phi' = g,  phi = e^2/2 + (e - ln(1 + e))
//   x - 1/x^3 = g (1 + 1/x^2)             stiff    phi' = g (1 + 1/x^2) / 2,  phi = g^2 / 4
rslRepulsionResponse rslRepulsion_Respond(rslRepulsionType law, double k, double h0, double stretch)
{
    double x = 1.0 + stretch, energy = k * h0 * h0, force = k * h0;
    if (!(x > 0.0))
    {
        return (rslRepulsionResponse){ INFINITY, 0.0, 0.0 };
    }
    double y2 = 1.0 / (x * x), g = stretch * (2.0 + stretch) / x;
    if (law == rsl_cooperRepulsion)
    {
        return (rslRepulsionResponse){ .energy = energy * (0.5 * stretch * stretch + LawCarrierEnergy(stretch)),
                                       .force = -force * g,
                                       .slope = k * (1.0 + y2) };
    }
    return (rslRepulsionResponse){ .energy = energy * 0.25 * g * g,
                                   .force = -force * 0.5 * g * (1.0 + y2),
                                   .slope = k * 0.5 * (1.0 + 3.0 * y2 * y2) };
}

// ---- stiffness ------------------------------------------------------------------------------------------------------

// With D = dx_p - sum_i lambda_i dx_i, T = - sum_i m_i (n . dx_i) the tilt of n as the edge or face turns, m_i the gradients of
// lambda_i along it, and b the normal of a triangle in space (0 for others):
//
//   dh          = n . D
//   d2h         = D.T' + T.D' - h T.T' + (b.D) (b.D') / h          for two displacements, the second with a prime
//   K p         = U'' dh(p) dh/dx + U' d2h(p, .)
//
// on corner j:  d2h = - lambda_j (T' + b (b.D') / h) - n (m_j . (D' - h T')). In the relaxed form only U'' dh dh^T is left, which
// is never negative.

void rslPiece_Product(const rslPieceTangent* tangent, bool relaxed, const rslVec3* p, rslVec3* out)
{
    for (int v = 0; v < tangent->corners; ++v)
    {
        const rslHeight* height = &tangent->height[v];
        const rslRepulsionResponse* u = &tangent->response[v];
        if (u->slope == 0.0 && u->force == 0.0)
        {
            continue;
        }
        rslVec3 d = { 0.0, 0.0, 0.0 }, tilt = { 0.0, 0.0, 0.0 }, n = height->normal;
        for (int c = 0; c < tangent->corners; ++c)
        {
            d = rslMulAdd(d, -height->lambda[c], p[c]);
            tilt = rslMulAdd(tilt, -rslDot(n, p[c]), height->slope[c]);
        }
        double along = u->slope * rslDot(n, d), slack = relaxed ? 0.0 : -u->force;
        rslVec3 turn = rslMulAdd(tilt, rslDot(height->binormal, d) / height->h, height->binormal);
        rslVec3 slide = rslMulAdd(d, -height->h, tilt);
        for (int c = 0; c < tangent->corners; ++c)
        {
            double alongNormal = -height->lambda[c] * along - slack * rslDot(height->slope[c], slide);
            out[c] = rslMulAdd(out[c], alongNormal, n);
            out[c] = rslMulAdd(out[c], -slack * height->lambda[c], turn);
        }
    }
}
