// SPDX-License-Identifier: MIT
//
// barrier_curve.c: how gaps bend, for states of rest.
//
// K of k b(g) is k b'' (dg)^2 + k b' d2g. In a step the second part, most of which is negative, is left out: inertia is enough. At rest
// it decides how what is pressed together slides, and Newton's method without it closes in by a tenth a step.
//
// r = sum w_i x_i is least over what the weights depend on, s_k, with dr/ds_k = t_k, dw_i/ds_k = z_ki: one of each edge that the nearest
// place lies inside of, two of a triangle. Along dx, with D = sum w_i dx_i, d = |r|, n = r/d, G = t.t,
//
//   c_k = t_k.D + sum z_ki r.dx_i,   y = G^-1 c
//   d2g dx_i = (w_i (D - n (n.D)) - sum y_k (w_i t_k + z_ki r)) / d

#include "barrier_internal.h"
#include "collide_pair.h"
#include "feature.h"

// The points of a collision, as collide_pair.h has them.
typedef struct Points
{
    int count;
    const rslSkin* skins[4];
    int vertices[4];
} Points;

static int AddPoints(const rslSkin* skin, uint32_t feature, Points* points)
{
    size_t index = feature & (uint32_t)RSL_KEY_INDEX;
    uint32_t kind = feature & ~(uint32_t)RSL_KEY_INDEX;
    int vertex = (int)index, count = kind == RSL_KEY_VERTEX ? 1 : kind == RSL_KEY_EDGE ? 2 : 3;
    const int* vertices = count == 1 ? &vertex : count == 2 ? &skin->edges[2 * index] : &skin->triangles[3 * index];
    for (int i = 0; i < count; ++i)
    {
        points->skins[points->count] = skin;
        points->vertices[points->count++] = vertices[i];
    }
    return count;
}

// Returns how many belong to the first of both.
static int PointsOf(const rslModel* model, const uint32_t key[4], Points* points)
{
    points->count = 0;
    int first = AddPoints(&model->bodies[key[0]].skin, key[1], points);
    AddPoints(&model->bodies[rslKey_Other(key)].skin, key[3], points);
    return first;
}

static rslNear NearestOf(const Points* points, int first, const rslVec3 x[4])
{
    if (points->count == 4)
    {
        return rslPair_Nearest(first == 2 ? rsl_edgeEdge : rsl_vertexTriangle, x);
    }
    rslVec3 apart = rslSub(x[0], x[1]);
    return (rslNear){ .weight = { 1.0, -1.0 }, .parts = 3, .apart = apart, .squared = rslDot(apart, apart) };
}

// The directions in which the nearest places can go.
static void AddWays(rslCurve* curve, int parts, int begin, int end, double sign, const rslVec3 x[4])
{
    int from = -1;
    for (int i = begin; i < end; ++i)
    {
        if ((parts >> i & 1) != 0 && from >= 0)
        {
            int k = curve->count++;
            curve->from[k] = from;
            curve->to[k] = i;
            curve->sign[k] = sign;
            curve->way[k] = rslScale(sign, rslSub(x[i], x[from]));
        }
        from = (parts >> i & 1) != 0 && from < 0 ? i : from;
    }
}

static bool Invert(rslCurve* curve)
{
    const rslVec3* t = curve->way;
    double a = curve->count > 0 ? rslDot(t[0], t[0]) : 1.0, b = curve->count > 1 ? rslDot(t[1], t[1]) : 1.0;
    double c = curve->count > 1 ? rslDot(t[0], t[1]) : 0.0, det = a * b - c * c;
    curve->inverse[0] = b / det;
    curve->inverse[1] = a / det;
    curve->inverse[2] = -c / det;
    return det > 1e-8 * a * b;
}

static rslCurve CurveOf(const rslBarrier* barrier, int i)
{
    const rslCollision* one = &barrier->near.list[i];
    rslVec3 x[4];
    Points points;
    int first = PointsOf(barrier->model, one->key, &points);
    for (int k = 0; k < points.count; ++k)
    {
        x[k] = rslSkin_Vertex(points.skins[k], barrier->x, points.vertices[k]);
    }
    rslNear near = NearestOf(&points, first, x);
    rslCurve curve = { .apart = near.apart };
    AddWays(&curve, near.parts, 0, first, 1.0, x);
    AddWays(&curve, near.parts, first, points.count, -1.0, x);
    for (int k = 0; k < points.count; ++k)
    {
        curve.weight[k] = near.weight[k];
    }
    curve.push = Invert(&curve) && near.squared > 0.0 ? barrier->laws[i].push / sqrt(near.squared) : 0.0;
    return curve;
}

bool rslBarrier_Bend(rslBarrier* barrier)
{
    if (!barrier->ofRest)
    {
        return true;
    }
    bool room = rslBarrier_Reserve(&barrier->hooks, (void**)&barrier->curves, &barrier->curveCapacity,
                                   barrier->near.count, sizeof(rslCurve));
    for (int i = 0; room && i < barrier->near.count; ++i)
    {
        barrier->curves[i] = CurveOf(barrier, i);
    }
    return room;
}

void rslBarrier_CurveProduct(const rslBarrier* barrier, const double* p, double* out)
{
    for (int i = 0; i < barrier->near.count; ++i)
    {
        const rslCurve* curve = &barrier->curves[i];
        rslVec3 dx[4], D = { 0 }, r = curve->apart;
        Points points;
        double c[2] = { 0.0, 0.0 };
        if (!(curve->push > 0.0))
        {
            continue;
        }
        PointsOf(barrier->model, barrier->near.list[i].key, &points);
        for (int k = 0; k < points.count; ++k)
        {
            dx[k] = rslSkin_Vertex(points.skins[k], p, points.vertices[k]);
            D = rslMulAdd(D, curve->weight[k], dx[k]);
        }
        for (int k = 0; k < curve->count; ++k)
        {
            c[k] = rslDot(curve->way[k], D) + curve->sign[k] * rslDot(r, rslSub(dx[curve->to[k]], dx[curve->from[k]]));
        }
        double y[2] = { curve->inverse[0] * c[0] + curve->inverse[2] * c[1],
                        curve->inverse[2] * c[0] + curve->inverse[1] * c[1] };
        rslVec3 along = rslMulAdd(D, -rslDot(r, D) / rslDot(r, r), r), f[4];
        for (int k = 0; k < curve->count; ++k)
        {
            along = rslMulAdd(along, -y[k], curve->way[k]);
        }
        for (int k = 0; k < points.count; ++k)
        {
            f[k] = rslScale(curve->weight[k], along);
        }
        for (int k = 0; k < curve->count; ++k)
        {
            f[curve->to[k]] = rslMulAdd(f[curve->to[k]], -curve->sign[k] * y[k], r);
            f[curve->from[k]] = rslMulAdd(f[curve->from[k]], curve->sign[k] * y[k], r);
        }
        for (int k = 0; k < points.count; ++k)
        {
            rslSkin_Spread(points.skins[k], points.vertices[k], rslScale(-curve->push, f[k]), out);
        }
    }
}
