// SPDX-License-Identifier: MIT
//
// hands_internal.h: what hands.c, tool.c and rest_pull.c share.

#pragma once

#include "hands.h"

#include <math.h>

static inline rslVec3 Add(rslVec3 a, rslVec3 b)
{
    return (rslVec3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline rslVec3 Scale(double s, rslVec3 a)
{
    return (rslVec3){ s * a.x, s * a.y, s * a.z };
}

static inline rslVec3 Sub(rslVec3 a, rslVec3 b)
{
    return Add(a, Scale(-1.0, b));
}

static inline double Dot(rslVec3 a, rslVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double Length(rslVec3 a)
{
    return hypot(hypot(a.x, a.y), a.z);
}

// Places that can be reckoned with: finite, and so are their squares.
static inline bool IsPlace(rslVec3 a)
{
    return isfinite(Dot(a, a));
}

static inline rslVec3 VectorAt(const double* xyz, int node)
{
    return (rslVec3){ xyz[3 * node], xyz[3 * node + 1], xyz[3 * node + 2] };
}

static inline rslVec3 AtMost(rslVec3 force, double most)
{
    double size = Length(force);
    return size > most ? Scale(most / size, force) : force;
}

// Of z there is nothing in the plane.
static inline rslVec3 InSpace(const webHands* hands, rslVec3 a)
{
    return hands->model->plane == rsl_planeXY ? (rslVec3){ a.x, a.y, 0.0 } : a;
}

static inline void AddForce(webHands* hands, int node, rslVec3 force)
{
    double* f = hands->forces + 3 * node;
    f[0] += force.x;
    f[1] += force.y;
    f[2] += force.z;
}

// Stiffness and damping of a hand or a tool, for each kg that it sets in motion.
typedef struct webGrip
{
    double stiffness;  // [1/s2]
    double damping;    // [1/s]
} webGrip;

extern const double webHands_shortest;  // T of explicit steps [s]: stiff enough

// How strong a hand or a tool is [N].
double webHands_Strength(const rslBody* body);

// Positions and velocities of nodes, ascending, into the places of each.
void webHands_Read(webHands* hands, const rslState* state, const int* nodes, int count);

// The place of a hand's patch, or its velocity.
rslVec3 webHand_Mean(const webHand* hand, const double* xyz);

bool webHands_IsImplicit(const webHands* hands);

// A patch of a body around a place, large enough to be held. Positions of all nodes of the body have been read.
void webHand_Spread(const webHands* hands, const rslBody* body, rslVec3 middle, double radius, webHand* hand);

void webHand_Apply(webHands* hands, const webHand* hand);

// The forces of the tool.
void webTool_Push(webHands* hands, const rslState* state, double step, webGrip grip);

// The force of a hand on a body at rest.
void webHand_PullAtRest(webHands* hands, const rslState* state, webHand* hand);
