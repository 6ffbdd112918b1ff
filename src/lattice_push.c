// SPDX-License-Identifier: MIT
//
// lattice_push.c: see lattice_push.h. Whole registers of places are read, and loaded: behind the last one of a grid there is room, and what is
// behind a row is a place without a node, or comes later. Nodes behind the last one may belong to another thread.

#include "lattice_push.h"

#include "simd.h"

RSL_INLINE const Segment* EndOf(Segments segments)
{
    return segments.first + segments.count;
}

// ---- to places ------------------------------------------------------------------------------------------------------

RSL_INLINE void LoadFields(const LoadView* of, int fields)
{
    const LoadView view = *of;
    for (const Segment* s = view.segments.first; s < EndOf(view.segments); ++s)
    {
        const int node = s->node - view.begin, place = s->place, count = s->count;
        for (int i = 0; i < count; i += VEC)
        {
            for (int f = 0; f < fields; ++f)
            {
                VecStore(view.to[f] + place + i, VecLoadFirst(view.from[f] + node + i, count - i, VecOf(0)));
            }
        }
    }
}

void RSL_WIDE(rslPush_Load)(const LoadView* view)
{
    if (view->fields == 3)
    {
        LoadFields(view, 3);
    }
    else if (view->fields == 6)
    {
        LoadFields(view, 6);
    }
    else
    {
        LoadFields(view, view->fields);
    }
}

void RSL_WIDE(rslPush_Move)(const MoveView* of)
{
    const MoveView view = *of;
    const Vec half = VecOf(view.half);
    for (const Segment* s = view.segments.first; s < EndOf(view.segments); ++s)
    {
        for (int i = 0; i < s->count; i += VEC)
        {
            const int node = s->node + i, left = s->count - i;
            for (int axis = 0; axis < 3; ++axis)
            {
                Vec u = VecLoadFirst(view.u[axis] + node, left, VecOf(0));
                Vec w = VecLoadFirst(view.w[axis] + node, left, VecOf(0));
                VecStoreFirst(view.to + axis * view.stride + s->place + i, u + half * w, left);
            }
        }
    }
}

// ---- back to nodes --------------------------------------------------------------------------------------------------

// Nodes behind a segment are written as well, before their own turn comes.
RSL_INLINE void KeepNumbers(const KeepView* of, int first)
{
    const KeepView view = *of;
    const Segment* last = EndOf(view.segments) - 1;
    const int end = last->node + last->count;
    for (const Segment* s = view.segments.first; s <= last; ++s)
    {
        const Real *own = view.own + (s->place - view.begin), *sums = view.sums + s->place;
        for (int i = 0; i < s->count; i += VEC)
        {
            for (int q = first; q < first + 3; ++q)
            {
                Vec sum = VecLoad(own + q * OWN_STRIDE + i) - VecLoad(sums + q * view.stride + i);
                VecStoreFirst(view.to[q] + s->node + i, sum, end - s->node - i);
            }
        }
    }
}

void RSL_WIDE(rslPush_Keep)(const KeepView* view)
{
    KeepNumbers(view, SUM_FORCE);
    if (view->to[SUM_DRAG] != NULL)
    {
        KeepNumbers(view, SUM_DRAG);
    }
}

// ---- kicks and drifts -----------------------------------------------------------------------------------------------

typedef struct Bounds
{
    Vec low[3], high[3], sum;
} Bounds;

RSL_INLINE Bounds BoundsOf(const SpeedLanes* speeds)
{
    Bounds b = { .sum = VecLoad(speeds->sum) };
    for (int axis = 0; axis < 3; ++axis)
    {
        b.low[axis] = VecLoad(speeds->low[axis]);
        b.high[axis] = VecLoad(speeds->high[axis]);
    }
    return b;
}

RSL_INLINE void KeepBounds(const Bounds* b, SpeedLanes* speeds)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        VecStore(speeds->low[axis], b->low[axis]);
        VecStore(speeds->high[axis], b->high[axis]);
    }
    VecStore(speeds->sum, b->sum);
}

RSL_INLINE void Bound(Bounds* b, int axis, Vec speed, int left)
{
    b->low[axis] = VecLess(b->low[axis], VecFirst(speed, left, b->low[axis]));
    b->high[axis] = VecMore(b->high[axis], VecFirst(speed, left, b->high[axis]));
    b->sum += VecFirst(speed, left, VecOf(0));
}

void RSL_WIDE(rslPush_Bound)(Real* const of[3], int count, SpeedLanes* speeds)
{
    Real* const w[3] = { of[0], of[1], of[2] };
    Bounds bounds = BoundsOf(speeds);
    for (int i = 0; i < count; i += VEC)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            Bound(&bounds, axis, VecLoadFirst(w[axis] + i, count - i, VecOf(0)), count - i);
        }
    }
    KeepBounds(&bounds, speeds);
}

// own - sums of one number, which begins anew.
RSL_INLINE Vec Gather(const Real* own, Real* sums, int left)
{
    Vec sum = VecLoad(own) - VecLoad(sums);
    VecStoreFirst(sums, VecOf(0), left);
    return sum;
}

// What is the same for all nodes.
typedef struct Pushing
{
    Vec half, kick, gravity[3];
} Pushing;

RSL_INLINE Pushing PushingOf(const PushView* view)
{
    return (Pushing){ VecOf(view->half),
                      VecOf(view->kick),
                      { VecOf(view->gravity[0]), VecOf(view->gravity[1]), VecOf(view->gravity[2]) } };
}

// Arrays of a view from the first node of a segment on.
typedef struct PushRow
{
    const Real *own, *place, *mass, *free;
    Real *sums, *u[3], *w[3];
} PushRow;

RSL_INLINE PushRow RowOf(const PushView* view, const Segment* s)
{
    PushRow row = { .own = view->own + (s->place - view->begin),
                    .place = view->place + s->place,
                    .mass = view->mass + s->node,
                    .free = view->free != NULL ? view->free + s->node : NULL,
                    .sums = view->sums + s->place };
    for (int axis = 0; axis < 3; ++axis)
    {
        row.u[axis] = view->u[axis] + s->node;
        row.w[axis] = view->w[axis] + s->node;
    }
    return row;
}

// Nodes of a register, as many as are left.
RSL_INLINE void PushPlaces(const PushView* view, const PushRow* row, const Pushing* p, bool damped, bool bounds, int i,
                           int left, Bounds* speeds)
{
    const ptrdiff_t stride = view->stride;
    Vec mass = VecLoadFirst(row->mass + i, left, VecOf(1)), factor = p->kick / mass, changed = VecOf(0);
    for (int axis = 0; axis < 3; ++axis)
    {
        const Real* own = row->own + axis * OWN_STRIDE + i;
        Real* sums = row->sums + axis * stride + i;
        Vec f = Gather(own, sums, left), before = VecLoadFirst(row->w[axis] + i, left, VecOf(0));
        Vec w = before + factor * (f + mass * p->gravity[axis]);
        changed +=
            damped ? Gather(own + SUM_DRAG * OWN_STRIDE, sums + SUM_DRAG * stride, left) * (w - before) : VecOf(0);
        VecStoreFirst(row->w[axis] + i, w, left);
        Vec drift = p->half * w, u = VecLoad(row->place + axis * stride + i) + drift;
        VecStoreFirst(row->u[axis] + i, view->goesOn ? u + drift : u, left);
        if (bounds)
        {
            Bound(speeds, axis, w, left);
        }
    }
    if (damped)
    {
        changed = row->free != NULL ? changed * VecLoadFirst(row->free + i, left, VecOf(1)) : changed;
        VecAddTo(view->changed + i % LANES, VecFirst(changed, left, VecOf(0)));
    }
}

RSL_INLINE void PushNodes(const PushView* of, bool damped, bool bounds)
{
    const PushView view = *of;
    const Pushing pushing = PushingOf(&view);
    Bounds speeds = bounds ? BoundsOf(view.speeds) : (Bounds){ .sum = VecOf(0) };
    for (const Segment* s = view.segments.first; s < EndOf(view.segments); ++s)
    {
        const PushRow row = RowOf(&view, s);
        const int count = s->count;
        for (int i = 0; i < count; i += VEC)
        {
            PushPlaces(&view, &row, &pushing, damped, bounds, i, count - i, &speeds);
        }
    }
    if (bounds)
    {
        KeepBounds(&speeds, view.speeds);
    }
}

void RSL_WIDE(rslPush_Push)(const PushView* view)
{
    if (view->changed != NULL && view->speeds != NULL)
    {
        PushNodes(view, true, true);
    }
    else if (view->changed != NULL)
    {
        PushNodes(view, true, false);
    }
    else if (view->speeds != NULL)
    {
        PushNodes(view, false, true);
    }
    else
    {
        PushNodes(view, false, false);
    }
}
