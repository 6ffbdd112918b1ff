// SPDX-License-Identifier: MIT
//
// barrier_internal.h: what a barrier holds, and what its files ask of each other.

#pragma once

#include "barrier.h"
#include "barrier_law.h"
#include "memory.h"
#include "vec.h"

// Friction of a collision, from the start of a stage (barrier_friction.c).
typedef struct rslGrip
{
    double limit;      // L = mu N [N]
    double stiffness;  // r [N/m]
    rslVec3 belt;      // velocity of the collider; 0 between bodies [m/s]
    rslVec3 kept;      // T of the step before, across the normal [N]
    rslVec3 pull;      // T at the last look, before it is cut [N]
    double share;      // min(1, L/|T|)
    double energy;     // H [J]
} rslGrip;

// Two edges that are nearly parallel (barrier_edges.c).
typedef struct rslTurn
{
    int index;  // of the collision
    rslVec3 d, e;
    double stiffness;  // 2 k b m' [N/m3]
} rslTurn;

// How a gap bends (barrier_curve.c).
typedef struct rslCurve
{
    double push;  // -k b' / d [N/m]; 0: left out
    double weight[4];
    rslVec3 apart;  // r
    int count;      // of s_k: from and to which points they lead, t_k, and of which sign their weights are
    int from[2], to[2];
    double sign[2];
    rslVec3 way[2];
    double inverse[3];  // of G: xx yy xy
} rslCurve;

struct rslBarrier
{
    rslHooks hooks;
    rslArena arena;
    const rslModel* model;
    bool ofRest;
    rslModel seen;  // the model, without colliders at rest
    rslCollide* collide;
    double *range, *push;  // D and what is carried at D/2, of every body [m], [N]
    double* firmness;      // what a cell of every body resists with [N/m]; 0: nothing is known
    double reach;          // the largest D
    double* mobility;      // of bodies that touch at the start: 1/M, 0 where they are held [1/kg]
    int* leader;           // of every body: the first of those that are joined to it
    rslVec3* shifts;       // and how far they are moved
    double* atRest;        // places of contact nodes at rest, in the axes of their bodies [m]
    double* inverse;       // of the mass of every contact node [1/kg]; 0: held
    double* loose;         // the same; 0 also where a rigid body carries it

    // the last look
    rslCollisions near;
    rslBarrierLaw* laws;  // of every collision in near
    size_t lawCapacity;
    rslCurve* curves;  // likewise, of rest; NULL in steps
    size_t curveCapacity;
    rslTurn* turns;
    int turnCount;
    size_t turnCapacity;
    double* x;  // places of contact nodes
    double* force;
    double (*blocks)[6];
    double (*sums)[6];       // of rows
    bool known;              // nothing has changed since,
    double time;             // if it was this time [s]
    double energy, rubbing;  // [J]

    // the stage
    bool rubs;  // it has begun
    bool wide;  // K of what slips holds along it
    rslBarrierStage stage;
    rslCollisions held;
    rslGrip* grips;  // of every collision in held
    size_t gripCapacity;
    double *start, *rest;
    rslCollisions ahead;  // what ways lead to (barrier_lead.c),
    double* ends;         // and the gaps that each is led to [m]
    size_t endCapacity;
    rslTouched* merged;
    size_t mergedCapacity;
};

// D and k of a pair [m], [N/m].
void rslBarrier_Pair(const rslBarrier* barrier, const uint32_t key[4], double* range, double* strength);

// How stiff what is behind a pair is, the softer of both sides [N/m].
double rslBarrier_Firmness(const rslBarrier* barrier, const uint32_t key[4]);

// Room for as many items; false when out of memory.
bool rslBarrier_Reserve(const rslHooks* hooks, void** items, size_t* capacity, int count, size_t size);

// Edges that are nearly parallel: the law of a collision gets m; false when out of memory. What m adds to forces and to K p.
bool rslBarrier_Soften(rslBarrier* barrier, int i);
void rslBarrier_Twist(rslBarrier* barrier, double scale);
void rslBarrier_TwistProduct(const rslBarrier* barrier, double scale, const double* p, double* out);

// How all gaps bend, at rest; false when out of memory. What that adds to K p.
bool rslBarrier_Bend(rslBarrier* barrier);
void rslBarrier_CurveProduct(const rslBarrier* barrier, const double* p, double* out);

// Friction at barrier->x: grips, energy, forces added.
void rslBarrier_Rub(rslBarrier* barrier);

static inline rslVec3 rslAt(const double* x, int node)
{
    return (rslVec3){ x[3 * (size_t)node], x[3 * (size_t)node + 1], x[3 * (size_t)node + 2] };
}

// sum of w_i x_i
static inline rslVec3 rslCollision_Sum(const rslCollisions* all, const rslCollision* one, const double* x)
{
    rslVec3 sum = { 0 };
    for (int e = one->begin; e < one->begin + one->count; ++e)
    {
        sum = rslMulAdd(sum, all->weights[e], rslAt(x, all->nodes[e]));
    }
    return sum;
}

// x_i += w_i f
static inline void rslCollision_Spread(const rslCollisions* all, const rslCollision* one, rslVec3 f, double* x)
{
    for (int e = one->begin; e < one->begin + one->count; ++e)
    {
        double *out = &x[3 * (size_t)all->nodes[e]], w = all->weights[e];
        out[0] += w * f.x;
        out[1] += w * f.y;
        out[2] += w * f.z;
    }
}
