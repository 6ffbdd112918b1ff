// SPDX-License-Identifier: MIT
//
// top.h: a rigid body in flight: where its centre is, how it spins, and how it moves on when nothing acts on it.

#pragma once

#include "resilin/model.h"
#include "vec.h"

// The centre of mass in the world, c + R C.
rslVec3 rslTop_Centre(const rslRigid* rigid, const rslFrame* frame);

// Put the centre of mass somewhere; the rotation stays.
void rslTop_Place(const rslRigid* rigid, rslFrame* frame, rslVec3 centre);

// J a and J^-1 a, J the inertia as the frame is turned; in the plane about z only.
rslVec3 rslTop_Times(const rslRigid* rigid, const rslFrame* frame, rslVec3 a);
rslVec3 rslTop_Divide(const rslRigid* rigid, const rslFrame* frame, rslVec3 a);

// What is hidden of J (model.h) times a.
rslVec3 rslTop_Hidden(const rslRigid* rigid, const rslFrame* frame, rslVec3 a);

// Angular velocity J^-1 L.
static inline rslVec3 rslTop_Spin(const rslRigid* rigid, const rslFrame* frame)
{
    return rslTop_Divide(rigid, frame, frame->momentum);
}

// Free flight for a time: V and L stay to the bit.
void rslTop_Drift(const rslRigid* rigid, rslFrame* frame, double time);
