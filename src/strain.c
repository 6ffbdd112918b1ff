// SPDX-License-Identifier: MIT
//
// strain.c: displacement and strain of a body, interpolated linearly on its tessellation (Kot).
//
// Green's strain, which no rotation changes: with edges d_a at rest and their changes w_a,
//   E = sum over a, b of E_ab g_a g_b,   E_ab = 1/2 (d_a . w_b + d_b . w_a + w_a . w_b),   g_a . d_b = 1 when a = b, else 0
// Three edges in space, two in a sheet, where E is the strain in its plane. At a point the edges are central differences
// along the axes of the body, d_a = 2 d t_a, w_a = u(X + d t_a) - u(X - d t_a); where one side lies outside, the half that
// does not. In the frame of the body u is small, so nothing cancels; the result is turned to world axes at rest.

#include "tessellation.h"

#include "memory.h"
#include "symmetric.h"

static rslVec3 DisplacementOf(const rslState* state, int node)
{
    double u[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        const void* array = state->displacement[axis];
        u[axis] = state->precision == rsl_single ? (double)((const float*)array)[node] : ((const double*)array)[node];
    }
    return (rslVec3){ u[0], u[1], u[2] };
}

static rslVec3 ToFrame(const rslBody* body, rslVec3 point)
{
    rslMat3 turn = rslQuatMatrix(body->frame.rotation);
    return rslMatTVec(&turn, rslSub(point, body->frame.origin));
}

bool rslTessellation_Contains(const rslTessellation* t, rslVec3 point)
{
    rslSimplex s;
    return rslTessellation_Locate(t, ToFrame(t->body, point), &s);
}

static bool Interpolate(const rslTessellation* t, const rslState* state, rslVec3 X, rslVec3* u)
{
    rslSimplex s;
    *u = (rslVec3){ 0.0, 0.0, 0.0 };
    if (!rslTessellation_Locate(t, X, &s))
    {
        return false;
    }
    for (int c = 0; c < s.count; ++c)
    {
        *u = rslMulAdd(*u, s.weight[c], DisplacementOf(state, s.node[c]));
    }
    return true;
}

bool rslTessellation_Displacement(const rslTessellation* t, const rslState* state, rslVec3 point, rslVec3* displacement)
{
    const rslFrame* frame = &state->frames[t->body - t->model->bodies];
    rslMat3 turn = rslQuatMatrix(frame->rotation);
    rslVec3 X = ToFrame(t->body, point), u;
    if (!Interpolate(t, state, X, &u))
    {
        return false;
    }
    *displacement = rslSub(rslAdd(frame->origin, rslMatVec(&turn, rslAdd(X, u))), point);
    return true;
}

// ---- strain of edges ------------------------------------------------------------------------------------------------

typedef struct Edges
{
    int count;  // 3, or 2 in a sheet
    rslVec3 rest[3], change[3];
} Edges;

static void MakeDual(const Edges* e, rslVec3 dual[3])
{
    rslVec3 third = e->count == 3 ? e->rest[2] : rslNormalize(rslCross(e->rest[0], e->rest[1]));
    rslVec3 cross[3] = { rslCross(e->rest[1], third), rslCross(third, e->rest[0]), rslCross(e->rest[0], e->rest[1]) };
    double volume = rslDot(cross[2], third);
    for (int a = 0; a < 3; ++a)
    {
        dual[a] = rslScale(1.0 / volume, cross[a]);
    }
}

static rslSymmetric Green(const Edges* e)
{
    rslSymmetric s = { 0 };
    rslVec3 g[3];
    MakeDual(e, g);
    for (int a = 0; a < e->count; ++a)
    {
        for (int b = 0; b < e->count; ++b)
        {
            double E = 0.5 * (rslDot(e->rest[a], e->change[b]) + rslDot(e->rest[b], e->change[a]) +
                              rslDot(e->change[a], e->change[b]));
            s.xx += E * g[a].x * g[b].x;
            s.yy += E * g[a].y * g[b].y;
            s.zz += E * g[a].z * g[b].z;
            s.yz += E * g[a].y * g[b].z;
            s.zx += E * g[a].z * g[b].x;
            s.xy += E * g[a].x * g[b].y;
        }
    }
    return s;
}

static rslSymmetric ToWorld(const rslBody* body, rslSymmetric strain)
{
    rslMat3 turn = rslQuatMatrix(body->frame.rotation);
    return rslSymmetric_Turn(&turn, strain);
}

// ---- at a point -----------------------------------------------------------------------------------------------------

// Directions to look along: the axes, or two in the plane of the triangle that holds the point.
static int Directions(const rslTessellation* t, const rslSimplex* s, rslVec3 axes[3])
{
    axes[0] = (rslVec3){ 1.0, 0.0, 0.0 };
    axes[1] = (rslVec3){ 0.0, 1.0, 0.0 };
    axes[2] = (rslVec3){ 0.0, 0.0, 1.0 };
    if (s->count == 4)
    {
        return 3;
    }
    rslVec3 a = rslTessellation_RestOf(t, s->node[0]), b = rslSub(rslTessellation_RestOf(t, s->node[1]), a);
    rslVec3 normal = rslNormalize(rslCross(b, rslSub(rslTessellation_RestOf(t, s->node[2]), a)));
    // the axis least along the normal, made to lie in the plane
    double n[3] = { fabs(normal.x), fabs(normal.y), fabs(normal.z) };
    int least = n[0] <= n[1] && n[0] <= n[2] ? 0 : n[1] <= n[2] ? 1 : 2;
    axes[0] = rslNormalize(rslMulAdd(axes[least], -rslDot(axes[least], normal), normal));
    axes[1] = rslCross(normal, axes[0]);
    return 2;
}

// The difference along an axis; to one side where the other is outside, over less where both are.
static bool Differ(const rslTessellation* t, const rslState* state, rslVec3 X, rslVec3 here, rslVec3 axis, double d,
                   rslVec3* rest, rslVec3* change)
{
    for (int halvings = 0; halvings < 10; ++halvings, d *= 0.5)
    {
        rslVec3 before, after;
        bool back = Interpolate(t, state, rslMulAdd(X, -d, axis), &before);
        bool on = Interpolate(t, state, rslMulAdd(X, d, axis), &after);
        if (back || on)
        {
            *rest = rslScale((back ? d : 0.0) + (on ? d : 0.0), axis);
            *change = rslSub(on ? after : here, back ? before : here);
            return true;
        }
    }
    return false;
}

bool rslTessellation_Strain(const rslTessellation* t, const rslState* state, rslVec3 point, double distance,
                            rslSymmetric* strain)
{
    rslSimplex s;
    rslVec3 X = ToFrame(t->body, point), axes[3], here;
    if (!rslTessellation_Locate(t, X, &s) || !Interpolate(t, state, X, &here))
    {
        return false;
    }
    double d = isnan(distance) ? 0.5 * t->body->spacing : distance;
    Edges edges = { .count = Directions(t, &s, axes) };
    for (int a = 0; a < edges.count; ++a)
    {
        if (!Differ(t, state, X, here, axes[a], d, &edges.rest[a], &edges.change[a]))
        {
            return false;
        }
    }
    *strain = ToWorld(t->body, Green(&edges));
    return true;
}

// ---- at nodes -------------------------------------------------------------------------------------------------------

typedef struct NodeStrains
{
    const rslTessellation* t;
    const rslState* state;
    rslSymmetric* strain;
    double* volume;
    double* rest;
} NodeStrains;

static rslVec3 RestOf(const NodeStrains* n, int node)
{
    const double* x = &n->rest[3 * (size_t)(node - n->t->body->firstNode)];
    return (rslVec3){ x[0], x[1], x[2] };
}

static void AddSimplex(const rslSimplex* s, void* context)
{
    NodeStrains* n = context;
    Edges edges = { .count = s->count - 1 };
    rslVec3 X = RestOf(n, s->node[0]), u = DisplacementOf(n->state, s->node[0]);
    for (int a = 0; a < edges.count; ++a)
    {
        edges.rest[a] = rslSub(RestOf(n, s->node[a + 1]), X);
        edges.change[a] = rslSub(DisplacementOf(n->state, s->node[a + 1]), u);
    }
    rslVec3 cross = rslCross(edges.rest[0], edges.rest[1]);
    double volume = edges.count == 3 ? fabs(rslDot(cross, edges.rest[2])) : rslLength(cross);
    rslSymmetric e = Green(&edges);
    for (int c = 0; volume > 0.0 && c < s->count; ++c)
    {
        int i = s->node[c] - n->t->body->firstNode;
        n->strain[i] = rslSymmetric_MulAdd(n->strain[i], volume, e);
        n->volume[i] += volume;
    }
}

rslStatus rslTessellation_NodeStrain(const rslTessellation* t, const rslState* state, rslSymmetric* strain)
{
    int count = t->body->nodeCount;
    double* scratch = rslAllocate(&t->hooks, (size_t)count, 4 * sizeof(double));
    if (scratch == NULL)
    {
        return rsl_outOfMemory;
    }
    NodeStrains n = { t, state, strain, scratch + 3 * (size_t)count, scratch };
    rslBody_Rest(t->body, t->body->firstNode, t->body->firstNode + count, scratch);
    for (int i = 0; i < count; ++i)
    {
        strain[i] = (rslSymmetric){ 0 };
    }
    rslTessellation_Visit(t, AddSimplex, &n);
    for (int i = 0; i < count; ++i)
    {
        strain[i] = rslSymmetric_Scale(n.volume[i] > 0.0 ? 1.0 / n.volume[i] : 0.0, ToWorld(t->body, strain[i]));
    }
    rslRelease(&t->hooks, scratch);
    return rsl_ok;
}
