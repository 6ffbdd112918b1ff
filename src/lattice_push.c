// SPDX-License-Identifier: MIT
//
// lattice_push.c: see lattice_push.h. Whole registers of places are read: behind the last one of a grid there is room. Nodes behind the last
// one may belong to another thread.

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
            Vec u = VecLoadFirst(view.u[axis] + i, view.count - i, VecOf(0));
            Vec w = VecLoadFirst(view.w[axis] + i, view.count - i, VecOf(0));
            VecStoreFirst(view.to + axis * view.stride + i, u + half * w, view.count - i);
        }
    }
}

// own - sums of one number, which begins anew.
RSL_INLINE Vec Gather(const PushView* view, int q, int i, int left)
{
    Real* sums = view->sums + q * view->stride + i;
    Vec sum = VecLoad(view->own + q * OWN_STRIDE + i) - VecLoad(sums);
    VecStoreFirst(sums, VecOf(0), left);
    return sum;
}

RSL_INLINE void PushNodes(const PushView* of, bool damped)
{
    const PushView view = *of;
    const Vec half = VecOf(view.half), kick = VecOf(view.kick);
    const Vec gravity[3] = { VecOf(view.gravity[0]), VecOf(view.gravity[1]), VecOf(view.gravity[2]) };
    for (int i = 0; i < view.count; i += VEC)
    {
        const int left = view.count - i;
        Vec mass = VecLoadFirst(view.mass + i, left, VecOf(1)), factor = kick / mass, changed = VecOf(0);
        for (int axis = 0; axis < 3; ++axis)
        {
            Vec f = Gather(&view, SUM_FORCE + axis, i, left), before = VecLoadFirst(view.w[axis] + i, left, VecOf(0));
            Vec w = before + factor * (f + mass * gravity[axis]);
            changed += damped ? Gather(&view, SUM_DRAG + axis, i, left) * (w - before) : VecOf(0);
            VecStoreFirst(view.w[axis] + i, w, left);
            Vec drift = half * w, u = VecLoad(view.place + axis * view.stride + i) + drift;
            VecStoreFirst(view.u[axis] + i, view.goesOn ? u + drift : u, left);
        }
        if (damped)
        {
            changed = view.free != NULL ? changed * VecLoadFirst(view.free + i, left, VecOf(1)) : changed;
            VecStore(view.changed + i, changed);
        }
    }
}

void RSL_WIDE(rslPush_Push)(const PushView* view)
{
    if (view->damped)
    {
        PushNodes(view, true);
    }
    else
    {
        PushNodes(view, false);
    }
}
