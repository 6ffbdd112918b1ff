// SPDX-License-Identifier: MIT
//
// closed_forms.h: what the tests of known motions share.
//
// Where the discrete motion itself has a closed form it is asked for to rounding: a mode of frequency w under position or
// velocity Verlet, started at rest, is A cos(n q) with sin(q / 2) = h w / 2.

#pragma once

#include "physics_fixture.h"

static const rslVec3 still = { 0.0, 0.0, 0.0 };

// The phase of a step of a mode of frequency w.
static inline double Phase(double w, double h)
{
    return 2.0 * asin(0.5 * w * h);
}

// A mass m on a spring of stiffness k and length 1 that hangs from the origin.
typedef struct Hanging
{
    double nodes[6], mass, stiffness, damping;
    int springs[2], top[1], bottom[1];
    rslBodyDef body;
    rslConstraintDef pin;
    rslScene scene;
} Hanging;

static inline void MakeHanging(Hanging* h, double mass, double stiffness, double damping)
{
    *h = (Hanging){ .nodes = { 0, 0, 0, 0, 0, -1 }, .mass = mass, .stiffness = stiffness, .damping = damping };
    h->springs[1] = h->bottom[0] = 1;
    h->body = NetworkBody("a", h->nodes, 2, &h->mass, h->springs, 1, &h->stiffness);
    h->body.network.damping = &h->damping;
    h->body.network.dampingCount = 1;
    h->pin = PinOf(ListOf("a", h->top, 1));
    h->scene = SceneOf(&h->body, 1);
    h->scene.constraints = &h->pin;
    h->scene.constraintCount = 1;
}
