// SPDX-License-Identifier: MIT
//
// network_rows.c: rows of springs, as many slots together as a register has lanes, each spring once: at the earlier of its slots. What it
// does to that one stays in registers, and what it does to the other is taken from the record of its sums, row by row and lane by lane, so
// that every slot has its sums in one order whatever the width of registers is:
//   f = (by springs from earlier slots, in their order) + (by its springs to later slots, in their order)
//
// With d0 the spring at rest, L0 its length, du = u_other - u and dw likewise, d = d0 + du (bond.h):
//   s = |d|^2 - L0^2 = du.(d0 + d),  p = (L - L0) / L by s / L0^2 (elongation.h),  q = L0 / L = 1 - p
//   T / L           = k p
//   c (d.dw) / L^2  = c q^2 / L0^2 (d.dw)
// A natural length N = (1 + r) L0 and the share a of the carrier in the law (spring_law.h), with t = r q:
//   T / L = k (L - N) / L (1 - a + a N / L) = k (p - t) (1 - a + a (q + t))
// force_network.c has the same for one spring. The energy of a linear one is k/2 (L - L0)^2 = k/2 p^2 x L0^2, x = (L / L0)^2.
//
// Solvers with registers of 512 bits run the code for 256: most of this is records of four numbers, and a wider slice fills up worse.

#include "elongation.h"
#include "network_records.h"

enum
{
    PARTS = SLICE / VEC  // registers of a row
};

// What is known where it is compiled.
typedef struct RowKind
{
    bool near, damped, general, alike;
} RowKind;

// What slots are and have, and what acts on them.
typedef struct Slots
{
    Vec u[RECORD], w[RECORD];
    Vec force[3], drag[3], lost;
} Slots;

// Springs on their way: p = e / by.
typedef struct Row
{
    Vec d[3], e, by;
    Vec stiffness, damping, inverse, preload, rate;
} Row;

RSL_INLINE int ConstantCount(RowKind kind)
{
    return OF_MORE + (kind.damped ? 1 : 0) + (kind.general ? 1 : 0);
}

RSL_INLINE Vec Constant(RowKind kind, const Real* constants, int which)
{
    return kind.alike ? VecSame(constants + which) : VecLoad(constants + SLICE * which);
}

// ---- rows -----------------------------------------------------------------------------------------------------------

// The first half: where ends are, up to the root. A row is looked at before the one before it has pulled, so that nothing waits for roots.
RSL_INLINE void Look(RowKind kind, const Real* constants, const Real* places, const Real* speeds, SlotList at,
                     const Slots* slots, Row* row)
{
    Vec u[RECORD], along[3];
    LoadRecords(places, at, u);
    for (int axis = 0; axis < 3; ++axis)
    {
        Vec d0 = Constant(kind, constants, axis), du = u[axis] - slots->u[axis];
        row->d[axis] = d0 + du;
        along[axis] = du * (d0 + row->d[axis]);
    }
    row->inverse = Constant(kind, constants, OF_INVERSE);
    row->stiffness = Constant(kind, constants, OF_STIFFNESS);
    row->e = (along[0] + along[1] + along[2]) * row->inverse;
    row->by = ElongatedBy(row->e);
    if (kind.general)
    {
        row->preload = Constant(kind, constants, kind.damped ? OF_MORE + 1 : OF_MORE);
    }
    if (kind.damped)
    {
        Vec w[RECORD];
        LoadRecords(speeds, at, w);
        const Vec *d = row->d, *own = slots->w;
        row->rate = d[0] * (w[0] - own[0]) + d[1] * (w[1] - own[1]) + d[2] * (w[2] - own[2]);
        row->damping = Constant(kind, constants, OF_MORE);
    }
}

// The second half.
RSL_INLINE void Pull(RowKind kind, Real carrier, const Row* row, SlotList at, Real* sums, Real* drags, Slots* slots)
{
    Vec p = row->e / row->by, q = (Real)1 - p, pull = row->stiffness * p, f[RECORD];
    if (kind.general)
    {
        Vec t = row->preload * q;
        pull = row->stiffness * (p - t) * (((Real)1 - carrier) + carrier * (q + t));
    }
    if (kind.damped)
    {
        Vec drag = row->damping * (q * q * row->inverse) * row->rate;
        slots->lost += drag * row->rate;
        pull += drag;
        for (int axis = 0; axis < 3; ++axis)
        {
            f[axis] = drag * row->d[axis];
            slots->drag[axis] += f[axis];
        }
        f[3] = f[2];
        TakeRecords(f, at, drags);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        f[axis] = pull * row->d[axis];
        slots->force[axis] += f[axis];
    }
    f[3] = f[2];
    TakeRecords(f, at, sums);
}

// ---- slices ---------------------------------------------------------------------------------------------------------

static const SlotList line = { .told = IN_LINE };

// Records of a slice that its rows look at and add to, and the constants and other ends of its rows.
typedef struct Slice
{
    const Real *places, *speeds, *constants;
    Real *sums, *drags;
    SlotList at;
    int apart;  // constants of one row and the next
} Slice;

RSL_INLINE Slice SliceOf(RowKind kind, const RowView* view, int slice)
{
    size_t slot = RECORD * SLICE * (size_t)slice, e = SLICE * (size_t)view->rowStart[slice];
    Slice of = { .places = view->places + slot, .constants = view->constants + view->place[slice] };
    of.speeds = kind.damped || view->moves ? view->speeds + slot : NULL;
    of.sums = view->sums + slot;
    of.drags = kind.damped ? view->drags + slot : NULL;
    of.at = kind.near ? (SlotList){ .near = view->near + e, .told = NEAR }
                      : (SlotList){ .far = view->far + e, .told = FAR };
    of.apart = ConstantCount(kind) * (kind.alike ? 1 : SLICE);
    return of;
}

RSL_INLINE void LookAtRow(RowKind kind, const Slice* of, int number, const Slots slots[PARTS], Row rows[PARTS])
{
    const Real* constants = of->constants + (size_t)of->apart * (size_t)number;
    for (int part = 0; part < PARTS; ++part)
    {
        int lane = VEC * part;
        SlotList at = SlotsFrom(of->at, SLICE * number + lane);
        Look(kind, constants + (kind.alike ? 0 : lane), of->places, of->speeds, at, &slots[part], &rows[part]);
    }
}

RSL_INLINE void PullRow(RowKind kind, Real carrier, const Slice* of, int number, const Row rows[PARTS],
                        Slots slots[PARTS])
{
    for (int part = 0; part < PARTS; ++part)
    {
        SlotList at = SlotsFrom(of->at, SLICE * number + VEC * part);
        Pull(kind, carrier, &rows[part], at, of->sums, of->drags, &slots[part]);
    }
}

RSL_INLINE void AddRows(RowKind kind, const Slice* of, Real carrier, int count, Slots slots[PARTS])
{
    Row rows[PARTS], next[PARTS];
    if (count > 0)
    {
        LookAtRow(kind, of, 0, slots, rows);
        for (int i = 1; i < count; ++i)
        {
            LookAtRow(kind, of, i, slots, next);
            PullRow(kind, carrier, of, i - 1, rows, slots);
            memcpy(rows, next, sizeof rows);
        }
        PullRow(kind, carrier, of, count - 1, rows, slots);
    }
}

RSL_INLINE void Scatter(const int* nodes, const Vec of[3], Real* const to[3])
{
    Real room[3][VEC];
    for (int axis = 0; axis < 3; ++axis)
    {
        VecStore(room[axis], of[axis]);
    }
    for (int l = 0; l < VEC; ++l)
    {
        for (int axis = 0; nodes[l] >= 0 && axis < 3; ++axis)
        {
            to[axis][nodes[l]] = room[axis][l];
        }
    }
}

// Kick and drift. Returns D.(w' - w).
RSL_INLINE Vec MoveOn(const RowView* view, size_t slot, bool damped, Slots* slots)
{
    Vec *w = slots->w, u[RECORD] = { 0 }, factor = view->kick / w[3], changed = VecOf(0);
    for (int axis = 0; axis < 3; ++axis)
    {
        Vec next = w[axis] + factor * (slots->force[axis] + w[3] * view->gravity[axis]);
        u[axis] = slots->u[axis] + view->half * next;
        u[axis] = view->last ? u[axis] : u[axis] + view->half * next;
        if (damped)
        {
            changed += slots->drag[axis] * (next - w[axis]);
        }
        w[axis] = next;
    }
    StoreRecords(u, line, view->newPlaces + RECORD * slot);
    StoreRecords(w, line, view->newSpeeds + RECORD * slot);
    return changed;
}

// Lanes of slices are added up apart.
RSL_INLINE void AddLanes(Vec v, double* to)
{
    Real room[VEC];
    VecStore(room, v);
    for (int l = 0; l < VEC; ++l)
    {
        to[l] += (double)room[l];
    }
}

// What earlier slots did to slots, in front of what their own springs did.
RSL_INLINE void AddEarlier(const Real* records, Vec sum[3])
{
    Vec earlier[RECORD];
    LoadRecords(records, line, earlier);
    for (int axis = 0; axis < 3; ++axis)
    {
        sum[axis] = earlier[axis] + sum[axis];
    }
}

RSL_INLINE void EndPart(const RowView* view, RowKind kind, size_t slot, Slots* slots, double sums[ROW_LOSSES][SLICE])
{
    size_t lane = slot % SLICE;
    AddEarlier(view->sums + RECORD * slot, slots->force);
    if (kind.damped)
    {
        AddEarlier(view->drags + RECORD * slot, slots->drag);
        AddLanes(slots->lost, sums[ROW_LOST] + lane);
    }
    if (!view->moves)
    {
        Scatter(view->nodes + slot, slots->force, view->force);
    }
    if (!view->moves && kind.damped && view->drag[0] != NULL)
    {
        Scatter(view->nodes + slot, slots->drag, view->drag);
    }
    if (view->moves)
    {
        Vec changed = MoveOn(view, slot, kind.damped, slots);
        if (kind.damped)
        {
            AddLanes(changed, sums[ROW_CHANGED] + lane);
        }
    }
}

RSL_INLINE void AddSlice(const RowView* view, RowKind kind, int slice, double sums[ROW_LOSSES][SLICE])
{
    Slots slots[PARTS] = { 0 };
    const Slice of = SliceOf(kind, view, slice);
    for (int part = 0; part < PARTS; ++part)
    {
        LoadRecords(of.places + RECORD * VEC * part, line, slots[part].u);
        if (kind.damped || view->moves)
        {
            LoadRecords(of.speeds + RECORD * VEC * part, line, slots[part].w);
        }
    }
    AddRows(kind, &of, view->carrier, view->rowStart[slice + 1] - view->rowStart[slice], slots);
    for (int part = 0; part < PARTS; ++part)
    {
        EndPart(view, kind, SLICE * (size_t)slice + (size_t)(VEC * part), &slots[part], sums);
    }
}

RSL_INLINE void AddSlices(const RowView* view, RowKind kind)
{
    const RowView v = *view;
    double sums[ROW_LOSSES][SLICE] = { 0 };
    for (int slice = v.begin; slice < v.end; ++slice)
    {
        if (v.alike[slice])
        {
            kind.alike = true;
            AddSlice(&v, kind, slice, sums);
        }
        else
        {
            kind.alike = false;
            AddSlice(&v, kind, slice, sums);
        }
    }
    for (int which = 0; which < ROW_LOSSES; ++which)
    {
        v.lost[which] = 0.0;
        for (int l = 0; l < SLICE; ++l)
        {
            v.lost[which] += sums[which][l];
        }
    }
}

// ---- loose springs --------------------------------------------------------------------------------------------------

// What they do to the second of their ends; the first one's slot is of another share.
RSL_INLINE void AddLooseRows(const RowView* view, RowKind kind)
{
    const RowView v = *view;
    size_t apart = SLICE * (size_t)ConstantCount(kind);
    for (int i = 0; i < v.loose.count; ++i)
    {
        for (int lane = 0; lane < SLICE; lane += VEC)
        {
            Slots slots = { 0 };
            Row row;
            SlotList from = { .far = v.loose.from + SLICE * i + lane, .told = FAR };
            SlotList to = { .far = v.loose.to + SLICE * i + lane, .told = FAR };
            LoadRecords(v.places, from, slots.u);
            if (kind.damped)
            {
                LoadRecords(v.speeds, from, slots.w);
            }
            Look(kind, v.loose.constants + apart * (size_t)i + lane, v.places, v.speeds, to, &slots, &row);
            Pull(kind, v.carrier, &row, to, v.sums, v.drags, &slots);
        }
    }
}

// ---- of every kind --------------------------------------------------------------------------------------------------

#define KIND(name, ...)                                                                                                \
    static void Add##name(const RowView* view)                                                                         \
    {                                                                                                                  \
        AddSlices(view, (RowKind){ __VA_ARGS__ });                                                                     \
    }

#define LOOSE_KIND(name, ...)                                                                                          \
    static void AddLoose##name(const RowView* view)                                                                    \
    {                                                                                                                  \
        AddLooseRows(view, (RowKind){ __VA_ARGS__ });                                                                  \
    }

KIND(Near, .near = true)
KIND(NearGeneral, .near = true, .general = true)
KIND(NearDamped, .near = true, .damped = true)
KIND(NearDampedGeneral, .near = true, .damped = true, .general = true)
KIND(Far, .near = false)
KIND(FarGeneral, .general = true)
KIND(FarDamped, .damped = true)
KIND(FarDampedGeneral, .damped = true, .general = true)
LOOSE_KIND(Plain, .near = false)
LOOSE_KIND(General, .general = true)
LOOSE_KIND(Damped, .damped = true)
LOOSE_KIND(DampedGeneral, .damped = true, .general = true)

void RSL_WIDE(rslRows_Add)(const RowView* view)
{
    static void (*const calls[2][2][2])(const RowView*) = {
        { { AddFar, AddFarGeneral }, { AddFarDamped, AddFarDampedGeneral } },
        { { AddNear, AddNearGeneral }, { AddNearDamped, AddNearDampedGeneral } },
    };
    calls[view->near != NULL ? 1 : 0][view->damped ? 1 : 0][view->general ? 1 : 0](view);
}

void RSL_WIDE(rslRows_AddLoose)(const RowView* view)
{
    static void (*const calls[2][2])(const RowView*) = { { AddLoosePlain, AddLooseGeneral },
                                                         { AddLooseDamped, AddLooseDampedGeneral } };
    calls[view->damped ? 1 : 0][view->general ? 1 : 0](view);
}

// ---- energy ---------------------------------------------------------------------------------------------------------

// Dampers have constants, and no part in it.
RSL_INLINE void WeighSlice(const RowView* view, RowKind kind, int slice, double sums[SLICE])
{
    Slice of = SliceOf(kind, view, slice);
    of.apart = (OF_MORE + (view->damped ? 1 : 0)) * (kind.alike ? 1 : SLICE);
    Slots slots[PARTS] = { 0 };
    Vec sum[PARTS] = { 0 };
    for (int part = 0; part < PARTS; ++part)
    {
        LoadRecords(of.places + RECORD * VEC * part, line, slots[part].u);
    }
    for (int i = 0; i < view->rowStart[slice + 1] - view->rowStart[slice]; ++i)
    {
        Row rows[PARTS];
        LookAtRow(kind, &of, i, slots, rows);
        for (int part = 0; part < PARTS; ++part)
        {
            Vec p = rows[part].e / rows[part].by;
            sum[part] += rows[part].stiffness * (p * p) * (ElongatedSquare(rows[part].e) / rows[part].inverse);
        }
    }
    for (int part = 0; part < PARTS; ++part)
    {
        AddLanes(sum[part], sums + VEC * part);
    }
}

double RSL_WIDE(rslRows_Energy)(const RowView* view)
{
    double sums[SLICE] = { 0 }, sum = 0.0;
    for (int slice = view->begin; slice < view->end; ++slice)
    {
        if (view->near != NULL)
        {
            WeighSlice(view, (RowKind){ .near = true, .alike = view->alike[slice] }, slice, sums);
        }
        else
        {
            WeighSlice(view, (RowKind){ .alike = view->alike[slice] }, slice, sums);
        }
    }
    for (int l = 0; l < SLICE; ++l)
    {
        sum += 0.5 * sums[l];
    }
    return sum;
}
