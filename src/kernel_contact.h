// SPDX-License-Identifier: MIT
//
// kernel_contact.h: two surfaces in contact as a kernel sees them, between force_contact.c and contact_rub.c.
//
// Everything here is found anew from a state; what is kept from one state to the next only saves work and never changes
// an answer.

#pragma once

#include "contact_side.h"
#include "kernel.h"

// Friction of a touch while it is found (contact_rub.c).
typedef struct TouchRub
{
    rslVec3 impulse;  // [N s]
    rslVec3 slip;     // before it [m/s]
    double block[3];  // how it yields, across its normal: xx yy xy [1/kg]
    double most;      // mu J [N s]
} TouchRub;

// One of the two surfaces.
typedef struct ContactSide
{
    rslContactSide surface;
    int body;
    rslLists carried;   // of every node of the body: vertices
    double* rest;       // of every vertex, x y z in the body frame
    double* reference;  // where they were when the boxes were fitted last
    double* moved;      // squared distance from there, the largest of every item of work
    double* force;      // on every vertex, in the world
    double* change;     // K p of every vertex, in the world
    rslTouch* touches;  // of every vertex; those that are not near touch nothing
    TouchRub* rubs;     // likewise; NULL without friction
    int* near;          // vertices that may touch before boxes are fitted again, sorted
    int nearCount;
    double energy;  // of the touches of its vertices [J]
} ContactSide;

struct ContactKernel
{
    const rslContact* contact;
    ContactSide sides[2];
    double margin;  // boxes are fitted again when a vertex has moved by this [m]
    bool fitted;
    int count;  // of touches now
};

enum
{
    STENCIL = 8,
    TOUCH_POINTS = 4  // the vertex, and the corners of the triangle
};

// Find what touches now (contact_find.c).
void RSL_NAME(rslContact_Find)(Kernel* kernel, const View* view, ContactKernel* contact);

static inline rslVec3 Load3(const double* xyz, int index)
{
    xyz += 3 * (size_t)index;
    return (rslVec3){ xyz[0], xyz[1], xyz[2] };
}

static inline void Store3(double* xyz, int index, rslVec3 v)
{
    xyz += 3 * (size_t)index;
    xyz[0] = v.x;
    xyz[1] = v.y;
    xyz[2] = v.z;
}

// Every touch of a contact, in a fixed order: side of the vertex, vertex.
#define FOR_TOUCHES(contact, s, i)                                                                                     \
    for (int s = 0; s < 2 && (contact)->count > 0; ++s)                                                                \
        for (int i = 0; i < (contact)->sides[s].nearCount; ++i)                                                        \
            if ((contact)->sides[s].touches[(contact)->sides[s].near[i]].triangle >= 0)

// The four vertices of a touch and the sides they are on.
static inline void TouchVertices(const struct ContactKernel* contact, int s, int v, int vertices[TOUCH_POINTS],
                                 const ContactSide* sides[TOUCH_POINTS])
{
    const ContactSide *own = &contact->sides[s], *other = &contact->sides[1 - s];
    vertices[0] = v;
    sides[0] = own;
    for (int c = 0; c < 3; ++c)
    {
        vertices[c + 1] = other->surface.surface->triangles[3 * (size_t)own->touches[v].triangle + (size_t)c];
        sides[c + 1] = other;
    }
}
