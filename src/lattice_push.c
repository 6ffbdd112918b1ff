// SPDX-License-Identifier: MIT
//
// lattice_push.c: see lattice_push.h. Whole registers are read: behind the last node, and behind the last place of a grid, there is room.

#include "lattice_push.h"

#include "lattice_strip.h"
#include "simd.h"

void RSL_WIDE(rslPush_Move)(const MoveView* of)
{
    const MoveView view = *of;
    const Vec half = VecOf(view.half);
    for (int i = 0; i < view.count; i += VEC)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            Vec moved = VecLoad(view.u[axis] + i) + half * VecLoad(view.w[axis] + i);
            VecStoreFirst(view.to + axis * view.stride + i, moved, view.count - i);
        }
    }
}

void RSL_WIDE(rslPush_Push)(const PushView* of)
{
    const PushView view = *of;
    const Vec half = VecOf(view.half), kick = VecOf(view.kick);
    const Vec gravity[3] = { VecOf(view.gravity[0]), VecOf(view.gravity[1]), VecOf(view.gravity[2]) };
    for (int i = 0; i < view.count; i += VEC)
    {
        const int left = view.count - i;
        Vec mass = VecLoad(view.mass + i), factor = kick / mass;
        for (int axis = 0; axis < 3; ++axis)
        {
            Real* sums = view.sums + axis * view.stride + i;
            Vec f = VecLoad(view.own + axis * OWN_STRIDE + i) - VecLoad(sums) + mass * gravity[axis];
            Vec w = VecLoad(view.w[axis] + i) + factor * f;
            VecStoreFirst(view.w[axis] + i, w, left);
            VecStoreFirst(view.u[axis] + i, VecLoad(view.place + axis * view.stride + i) + half * w, left);
            VecStoreFirst(sums, VecOf(0), left);
        }
    }
}
