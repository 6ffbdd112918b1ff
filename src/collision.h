// SPDX-License-Identifier: MIT
//
// collision.h: where things may touch: what is found (collide.h) before it is answered (respond.h, barrier.h).
//
// A collision is a feature a of a skin near a feature b of a skin or a collider. Both are weighted sums of contact nodes
// (model->contactNodes), and so is what separates them:
//
//   x_a - x_b = sum w_i x_i (- a point of a collider),  sum w_i = 0 between skins, 1 against a collider
//   g = n.(x_a - x_b) - T,  n the unit normal from b to a, T what both are thick
//   u = sum w_i v_i - v_collider,  u_n = n.u
//
// Double precision and world axes throughout, whatever the precision of the solver.

#pragma once

#include "resilin/state.h"

// Features. What stands first in a key: the body and feature of a; then the body, or RSL_KEY_COLLIDER plus the collider, and
// the feature of b. a comes before b where both could.
enum
{
    RSL_KEY_VERTEX = 0,          // of a surface, or a sphere; plus its index
    RSL_KEY_EDGE = 1 << 29,      // plus its index
    RSL_KEY_TRIANGLE = 2 << 29,  // plus its index
    RSL_KEY_INDEX = (1 << 29) - 1
};

#define RSL_KEY_COLLIDER 0x80000000u

static inline int rslKey_Compare(const uint32_t a[4], const uint32_t b[4])
{
    for (int i = 0; i < 4; ++i)
    {
        if (a[i] != b[i])
        {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static inline bool rslKey_IsCollider(const uint32_t key[4])
{
    return (key[2] & RSL_KEY_COLLIDER) != 0;
}

// The body or the collider of b.
static inline int rslKey_Other(const uint32_t key[4])
{
    return (int)(key[2] & ~RSL_KEY_COLLIDER);
}

typedef struct rslCollision
{
    uint32_t key[4];
    int begin, count;    // of its nodes and weights in the list
    rslVec3 normal;      // n, unit, from b to a
    rslVec3 point;       // of a [m]
    rslVec3 velocity;    // of the collider there; 0 between bodies [m/s]
    double gap;          // g [m]; negative: overlap
    double time;         // of a sweep: the part of the way after which they touch; 0 otherwise
    double friction;     // mu
    double restitution;  // e
} rslCollision;

// Sorted by key. Memory grows when more is needed than ever before.
typedef struct rslCollisions
{
    rslCollision* list;
    int count, capacity;
    const int* nodes;       // contact nodes: those of the room below,
    const double* weights;  // w;
    bool lent;              // or of all vertices of a skin, of which some are met by one plane
    int nodeCount;          // of all collisions
    int nodeCapacity;
    int* nodeRoom;
    double* weightRoom;
    rslHooks hooks;
} rslCollisions;

// What a scheme is with an integrator; never auto.
static inline rslTouchScheme rslTouchScheme_For(rslTouchScheme scheme, rslIntegrator integrator)
{
    bool leaps = integrator == rsl_positionVerlet || integrator == rsl_symplecticEuler ||
                 integrator == rsl_autoIntegrator;  // which may become one that has barriers
    bool implicit = integrator == rsl_implicitEuler || integrator == rsl_theta || integrator == rsl_trBdf2;
    rslTouchScheme fits = leaps ? rsl_predictiveScheme : implicit ? rsl_barrierScheme : rsl_penaltyScheme;
    return scheme != rsl_autoScheme ? scheme : fits;
}

// Does it answer with impulses, or forces, that a state remembers?
static inline bool rslTouchScheme_Pushes(rslTouchScheme scheme)
{
    return scheme != rsl_autoScheme && scheme != rsl_penaltyScheme;
}

// Can anything touch anything?
static inline bool rslModel_Touches(const rslModel* model)
{
    return model->colliderCount > 0 || model->pairCount > 0 || model->touch.self ||
           (model->touch.pairs == rsl_allPairs && model->bodyCount > 1);
}
