// SPDX-License-Identifier: MIT
//
// element_angle.h: one triangle of springs and angular springs (element_angle.c), for one at a time and for lanes: loops over three are short
// and branches are choices, so that a loop over lanes around all of it becomes one of vectors.

#pragma once

#include "element.h"

// Constants, as Rest leaves them.
typedef struct AngleShape
{
    Real edge[3][3];  // from corner j to corner k
    Real length[3];
    Real cotangent[3];
    Real area;       // A0
    Real spring[3];  // k
    Real angle[3];   // c
    Real lever[3];   // r
    Real turn;       // sum of c s
    Real swell;      // B t
    Real rate[3];    // K in the lengths: of the edges,
    Real mixed[3];   // of the two edges at a corner
} AngleShape;

static inline const AngleShape* ShapeOf(const Element* element)
{
    return (const AngleShape*)(const void*)element->rest;
}

RSL_INLINE int Next(int i)
{
    return i < 2 ? i + 1 : 0;
}

// ---- the triangle now -----------------------------------------------------------------------------------------------

typedef struct Triangle
{
    Real edge[3][3];
    Real length[3];
    Real strain[3];     // e
    Real wider[3];      // g_j + g_k - g_i of the gains g = l^2 - L^2
    Real less;          // A/A0 - 1
    Real more[3];       // X - x
    Real cotangent[3];  // X
} Triangle;

// Without differences of nearly equal numbers: (A/A0)^2 - 1 = sum g_i (8 A0 x_i + g_j + g_k - g_i) / (4 A0)^2.
RSL_INLINE void LookAtAngles(const AngleShape* shape, Real (*u)[3], Triangle* t)
{
    Real gain[3], square = 0, four = (Real)4 * shape->area;
    for (int i = 0; i < 3; ++i)
    {
        const Real *from = u[Next(i)], *to = u[Next(Next(i))], *rest = shape->edge[i];
        Real length = shape->length[i], now = 0;
        gain[i] = 0;
        for (int axis = 0; axis < 3; ++axis)
        {
            Real more = to[axis] - from[axis];
            t->edge[i][axis] = rest[axis] + more;
            gain[i] += ((Real)2 * rest[axis] + more) * more;
            now += t->edge[i][axis] * t->edge[i][axis];
        }
        now = SquareRoot(now);
        t->strain[i] = gain[i] / ((now + length) * length);
        t->length[i] = now > (Real)1e-6 * length ? now : (Real)1e-6 * length;
    }
    for (int i = 0; i < 3; ++i)
    {
        t->wider[i] = gain[Next(i)] + gain[Next(Next(i))] - gain[i];
        square += gain[i] / four * (((Real)2 * four * shape->cotangent[i] + t->wider[i]) / four);
    }
    Real ratio = SquareRoot((Real)1 + square > (Real)1e-8 ? (Real)1 + square : (Real)1e-8);
    t->less = (Real)1 + square > (Real)1e-8 ? square / ((Real)1 + ratio) : ratio - (Real)1;
    for (int i = 0; i < 3; ++i)
    {
        t->more[i] = (t->wider[i] / four - t->less * shape->cotangent[i]) / ratio;
        t->cotangent[i] = shape->cotangent[i] + t->more[i];
    }
}

// What the strains e of the edges say of tension i, without the area.
RSL_INLINE Real Straight(const AngleShape* shape, const Real strain[3], int i)
{
    int j = Next(i), k = Next(j);
    Real angles = (shape->angle[j] - shape->lever[j]) * (strain[k] - strain[i]) +
                  (shape->angle[k] - shape->lever[k]) * (strain[j] - strain[i]);
    return shape->spring[i] * shape->length[i] * strain[i] + angles / shape->length[i];
}

// dW/dl / l of every edge.
RSL_INLINE void Tensions(const AngleShape* shape, const Triangle* t, Real tension[3])
{
    Real pressure = (Real)0.5 * shape->swell * t->less;
    for (int i = 0; i < 3; ++i)
    {
        tension[i] =
            Straight(shape, t->strain, i) / t->length[i] - shape->turn * t->more[i] + pressure * t->cotangent[i];
    }
}

RSL_INLINE void ClearCorners(Real (*out)[3])
{
    for (int c = 0; c < 9; ++c)
    {
        out[c / 3][c % 3] = 0;
    }
}

RSL_INLINE void AddAlong(Real (*out)[3], int i, Real factor, const Real* along)
{
    int j = Next(i), k = Next(j);
    for (int axis = 0; axis < 3; ++axis)
    {
        Real one = factor * along[axis];
        out[k][axis] += one;
        out[j][axis] -= one;
    }
}

RSL_INLINE Real AlongEdge(const Triangle* t, Real (*p)[3], int i, Real difference[3])
{
    const Real *from = p[Next(i)], *to = p[Next(Next(i))], *edge = t->edge[i];
    for (int axis = 0; axis < 3; ++axis)
    {
        difference[axis] = to[axis] - from[axis];
    }
    return edge[0] * difference[0] + edge[1] * difference[1] + edge[2] * difference[2];
}

// -dW/du, and C p / alpha1.
RSL_INLINE void AngleForce(const AngleShape* shape, const Triangle* t, Real (*f)[3])
{
    Real tension[3];
    Tensions(shape, t, tension);
    ClearCorners(f);
    for (int i = 0; i < 3; ++i)
    {
        AddAlong(f, i, -tension[i], t->edge[i]);
    }
}

RSL_INLINE void AngleDamping(const AngleShape* shape, const Triangle* t, Real (*p)[3], Real (*out)[3])
{
    Real difference[3], rate[3];
    for (int i = 0; i < 3; ++i)
    {
        rate[i] = AlongEdge(t, p, i, difference) / t->length[i];
    }
    ClearCorners(out);
    for (int i = 0; i < 3; ++i)
    {
        int j = Next(i), k = Next(j);
        Real force = shape->rate[i] * rate[i] + shape->mixed[k] * rate[j] + shape->mixed[j] * rate[k];
        AddAlong(out, i, force / t->length[i], t->edge[i]);
    }
}
