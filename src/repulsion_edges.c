// SPDX-License-Identifier: MIT
//
// repulsion_edges.c: how fast the ends of the edges of stored pieces move from each other, and how fast they turn.

#include "kernel_repulsion.h"

// The difference of a vector at the ends of an edge, with rest positions or without.
static rslVec3 EdgeOf(const Kernel* kernel, const Chunk* chunk, const StoredEdge* edge, Real* const v[3], bool rest)
{
    int base = kernel->bodies[chunk->body].restBase, a = edge->a, b = edge->b;
    rslVec3 d = { (double)(v[0][b] - v[0][a]), (double)(v[1][b] - v[1][a]), (double)(v[2][b] - v[2][a]) };
    Real* const* x = kernel->rest;
    rslVec3 e = rest ? (rslVec3){ (double)(x[0][b + base] - x[0][a + base]), (double)(x[1][b + base] - x[1][a + base]),
                                  (double)(x[2][b + base] - x[2][a + base]) }
                     : (rslVec3){ 0.0, 0.0, 0.0 };
    return rslAdd(d, e);
}

// The rate of turning that fits best: sum (|e|^2 1 - e e^T) w = sum e x e'; none where it is not most of what edges do.
rslVec3 RSL_NAME(rslRepulsion_Turn)(const Kernel* kernel, const View* view, const Chunk* own)
{
    const PieceChunk* chunk = &kernel->repulsion->chunks[own->index];
    double m[6] = { 0 }, all = 0.0;  // xx yy zz yz zx xy
    rslVec3 sum = { 0.0, 0.0, 0.0 };
    for (int n = chunk->edgeBegin; n < chunk->edgeEnd; ++n)
    {
        rslVec3 e = EdgeOf(kernel, own, &kernel->repulsion->edges[n], view->u, true);
        rslVec3 rate = EdgeOf(kernel, own, &kernel->repulsion->edges[n], view->w, false);
        sum = rslAdd(sum, rslCross(e, rate));
        all += rslDot(rate, rate);
        m[0] += e.y * e.y + e.z * e.z;
        m[1] += e.z * e.z + e.x * e.x;
        m[2] += e.x * e.x + e.y * e.y;
        m[3] -= e.y * e.z;
        m[4] -= e.z * e.x;
        m[5] -= e.x * e.y;
    }
    double a = m[1] * m[2] - m[3] * m[3], b = m[3] * m[4] - m[5] * m[2], c = m[5] * m[3] - m[4] * m[1];
    double d = m[0] * m[2] - m[4] * m[4], f = m[4] * m[5] - m[0] * m[3], g = m[0] * m[1] - m[5] * m[5];
    double det = m[0] * a + m[5] * b + m[4] * c;
    rslVec3 turn = rslScale(1.0 / det, (rslVec3){ a * sum.x + b * sum.y + c * sum.z, b * sum.x + d * sum.y + f * sum.z,
                                                  c * sum.x + f * sum.y + g * sum.z });
    bool most = det > 0.0 && rslDot(turn, sum) > 0.5 * all;
    return most ? turn : (rslVec3){ 0.0, 0.0, 0.0 };
}

double RSL_NAME(rslRepulsion_EdgeSpeed)(const Kernel* kernel, const View* view, const Chunk* own)
{
    const PieceChunk* chunk = &kernel->repulsion->chunks[own->index];
    const StoredEdge* edges = kernel->repulsion->edges;
    const Real *x = view->w[0], *y = view->w[1], *z = view->w[2];
    Real most = 0;
    for (int n = chunk->edgeBegin; n < chunk->edgeEnd; ++n)
    {
        int a = edges[n].a, b = edges[n].b;
        Real dx = x[b] - x[a], dy = y[b] - y[a], dz = z[b] - z[a], s = dx * dx + dy * dy + dz * dz;
        most = s <= most ? most : s;
    }
    return sqrt((double)most);
}
