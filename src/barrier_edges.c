// SPDX-License-Identifier: MIT
//
// barrier_edges.c: edges that are nearly parallel.
//
// The nearest places of two edges d and e jump from end to end as they pass the direction of each other, and so do forces. So their
// barrier is k m(c) b(g), with (Li and others 2020)
//
//   c = |d x e|^2,   m = (2 - c/c0) c/c0 for c < c0, else 1,   c0 = 1e-3 of the squares of both lengths at rest
//
// Edges that lie along each other push with their ends, as vertices. With q = d x e
//
//   dc/dd = 2 e x q,  dc/de = 2 q x d
//   K has 2 k b m' Q^T Q, Q = dq/dx: m' is not negative, and what is, is left out.

#include "barrier_internal.h"
#include "feature.h"

static bool IsEdge(uint32_t feature)
{
    return (feature & ~(uint32_t)RSL_KEY_INDEX) == (uint32_t)RSL_KEY_EDGE;
}

// The skins and the ends of both edges of a key.
typedef struct Edges
{
    const rslSkin* skins[2];
    const int* ends[2];
} Edges;

static Edges EdgesOf(const rslModel* model, const uint32_t key[4])
{
    Edges edges;
    for (int s = 0; s < 2; ++s)
    {
        edges.skins[s] = &model->bodies[s == 0 ? (int)key[0] : rslKey_Other(key)].skin;
        edges.ends[s] = &edges.skins[s]->edges[2 * (size_t)(key[1 + 2 * s] & (uint32_t)RSL_KEY_INDEX)];
    }
    return edges;
}

static rslVec3 Along(const Edges* edges, int s, const double* x)
{
    return rslSub(rslSkin_Vertex(edges->skins[s], x, edges->ends[s][1]),
                  rslSkin_Vertex(edges->skins[s], x, edges->ends[s][0]));
}

static void Pull(const Edges* edges, int s, rslVec3 f, double* out)
{
    rslSkin_Spread(edges->skins[s], edges->ends[s][1], f, out);
    rslSkin_Spread(edges->skins[s], edges->ends[s][0], rslScale(-1.0, f), out);
}

bool rslBarrier_Soften(rslBarrier* barrier, int i)
{
    const rslCollision* one = &barrier->near.list[i];
    rslBarrierLaw* law = &barrier->laws[i];
    if (rslKey_IsCollider(one->key) || !IsEdge(one->key[1]) || !IsEdge(one->key[3]) || !(law->energy > 0.0))
    {
        return true;
    }
    Edges edges = EdgesOf(barrier->model, one->key);
    rslVec3 d = Along(&edges, 0, barrier->x), e = Along(&edges, 1, barrier->x), q = rslCross(d, e);
    rslVec3 d0 = Along(&edges, 0, barrier->atRest), e0 = Along(&edges, 1, barrier->atRest);
    double c0 = 1e-3 * rslDot(d0, d0) * rslDot(e0, e0), c = rslDot(q, q) / c0;
    if (!(c < 1.0))
    {
        return true;
    }
    if (!rslGrow(&barrier->hooks, (void**)&barrier->turns, (size_t)barrier->turnCount, &barrier->turnCapacity,
                 sizeof(rslTurn)))
    {
        return false;
    }
    double slope = 2.0 * (1.0 - c) / c0, m = (2.0 - c) * c;
    barrier->turns[barrier->turnCount++] = (rslTurn){ i, d, e, 2.0 * slope * law->energy };
    *law = (rslBarrierLaw){ m * law->energy, m * law->push, m * law->stiffness };
    return true;
}

void rslBarrier_Twist(rslBarrier* barrier, double scale)
{
    for (int t = 0; t < barrier->turnCount; ++t)
    {
        const rslTurn* turn = &barrier->turns[t];
        Edges edges = EdgesOf(barrier->model, barrier->near.list[turn->index].key);
        rslVec3 q = rslCross(turn->d, turn->e);
        double f = -scale * turn->stiffness;
        Pull(&edges, 0, rslScale(f, rslCross(turn->e, q)), barrier->force);
        Pull(&edges, 1, rslScale(f, rslCross(q, turn->d)), barrier->force);
    }
}

void rslBarrier_TwistProduct(const rslBarrier* barrier, double scale, const double* p, double* out)
{
    for (int t = 0; t < barrier->turnCount; ++t)
    {
        const rslTurn* turn = &barrier->turns[t];
        Edges edges = EdgesOf(barrier->model, barrier->near.list[turn->index].key);
        rslVec3 q = rslAdd(rslCross(Along(&edges, 0, p), turn->e), rslCross(turn->d, Along(&edges, 1, p)));
        q = rslScale(scale * turn->stiffness, q);
        Pull(&edges, 0, rslCross(turn->e, q), out);
        Pull(&edges, 1, rslCross(q, turn->d), out);
    }
}
