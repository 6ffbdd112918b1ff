// SPDX-License-Identifier: MIT
//
// friction.h: Coulomb's friction as an impulse that follows a kick.
//
// A contact pushes with the force N during a kick of the time h: a normal impulse J = N h. Friction takes at most mu J from what
// slides, and never more than stops it:
//
//   dv_t = -min(mu J / m, |v_t|) v_t / |v_t|        (Kot, chapter 6, made precise: the cap is not in the thesis)
//
// v_t: the velocity of one side relative to the other, after the kick, without its part along the normal. m: the effective mass
// of the contact, 1/m = sum of w_i^2 / m_i over the nodes that it moves with weights w_i (of a node at something that cannot be
// moved, its own). What sticks is stopped to the bit, so it does not creep. Heat: -m dv_t.(v_t + dv_t / 2) >= 0.

#pragma once

#include "vec.h"

// The part of a relative velocity along a plane with this unit normal.
static inline rslVec3 rslFriction_Slip(rslVec3 velocity, rslVec3 normal)
{
    return rslMulAdd(velocity, -rslDot(velocity, normal), normal);
}

// The change of the slip [m/s]; the impulse is mass times it. press: J [N s].
static inline rslVec3 rslFriction_Change(rslVec3 slip, double friction, double press, double mass)
{
    double speed = rslLength(slip), most = friction * press / mass;
    return speed <= most ? rslScale(-1.0, slip) : rslScale(-most / speed, slip);
}

// What a change of the slip turns into heat [J].
static inline double rslFriction_Heat(rslVec3 slip, rslVec3 change, double mass)
{
    return -mass * rslDot(change, rslMulAdd(slip, 0.5, change));
}
