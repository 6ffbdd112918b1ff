// SPDX-License-Identifier: MIT
//
// lattice_push.c: see lattice_push.h. Whole registers of places are read, and loaded: behind the last one of a grid there is room, and what is
// behind a row is a place without a node, or comes later. Nodes behind the last one may belong to another thread.

#include "lattice_push.h"

#include "simd.h"

// Views are read a number at a time: a whole register of what was written just before, in parts, would wait for the cache.
void RSL_WIDE(rslPush_Load)(const LoadView* view)
{
    const int count = view->count;
    for (int f = 0; f < FIELDS; ++f)
    {
        const Real* from = view->from[f];
        Real* to = view->to + f * view->stride;
        for (int i = 0; from != NULL && i < count; i += VEC)
        {
            VecStore(to + i, VecLoadFirst(from + i, count - i, VecOf(0)));
        }
    }
}

void RSL_WIDE(rslPush_Keep)(const KeepView* view)
{
    const int count = view->count;
    for (int q = 0; q < view->numbers; ++q)
    {
        const Real* own = view->own + q * OWN_STRIDE;
        Real *sums = view->sums + q * view->stride, *to = view->to[q];
        for (int i = 0; i < count; i += VEC)
        {
            Vec sum = VecLoad(own + i) - VecLoad(sums + i);
            VecStoreFirst(sums + i, VecOf(0), count - i);
            if (to != NULL)
            {
                VecStoreFirst(to + i, sum, count - i);
            }
        }
    }
}

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
