// SPDX-License-Identifier: MIT
//
// network_rows.c: rows of springs, as many slots together as a register has lanes. Every slot sums its own springs in registers, in the order
// of their rows, so that sums have one order whatever the width of registers is, and whoever has asked other slots.
//
// With d0 the spring at rest, L0 its length, du = u_other - u and dw likewise, d = d0 + du (bond.h):
//   s = |d|^2 - L0^2 = du.(d0 + d),  p = (L - L0) / L by s / L0^2 (elongation.h),  q = L0 / L = 1 - p
//   T / L           = k p
//   c (d.dw) / L^2  = c q^2 / L0^2 (d.dw)
// A natural length N = (1 + r) L0 and the share a of the carrier in the law (spring_law.h), with t = r q:
//   T / L = k (L - N) / L (1 - a + a N / L) = k (p - t) (1 - a + a (q + t))
// force_network.c has the same for one spring. The energy of a linear one is k/2 (L - L0)^2 = k/2 p^2 x L0^2, x = (L / L0)^2. Energies
// and losses are halved: both ends of a spring have them.
//
// Springs of straight rows find the other ends in one load for each axis; those of listed rows in records, which takes as long again.
// Asking each spring once, at its earlier end, and taking from the record of the other one was slower in cache: reading, adding and writing
// sixteen records a row, many of which the row before has just written.

#include "elongation.h"
#include "network_records.h"

enum
{
    AHEAD = 24,  // rows
    SOON = 64    // slots
};

// What is known where it is compiled.
typedef struct RowKind
{
    bool damped, general;
} RowKind;

// What slots are and have, and what acts on them.
typedef struct Slots
{
    Vec u[3], w[3];
    Vec force[3], drag[3], lost;
} Slots;

// Springs on their way: p = e / by.
typedef struct Row
{
    Vec d[3], e, by;
    Vec stiffness, damping, inverse, preload, rate;
    VecLanes lanes;
} Row;

// Rows of one sort from the first lane of a register on.
typedef struct Rows
{
    const RowView* view;
    RowSort sort;
    const RowHead* heads;
    SlotList at;            // listed
    const Real* constants;  // their own
    size_t slot;            // of the first lane of the register
    int lane, numbers;
} Rows;

RSL_INLINE int NumbersOf(bool damped, bool general)
{
    return OF_MORE + (damped ? 1 : 0) + (general ? 1 : 0);
}

// ---- rows -----------------------------------------------------------------------------------------------------------

// One of the constants of a row: of a palette or of its own.
RSL_INLINE Vec Constant(const Rows* rows, int number, int which)
{
    const RowHead* head = rows->heads + number;
    const int own = OwnOf(rows->sort, rows->numbers), rests = rows->numbers - OF_STIFFNESS;
    const bool isWay = which < OF_STIFFNESS;
    if ((rows->sort & (isWay ? OWN_WAY : OWN_REST)) == 0)
    {
        return isWay ? VecSame(rows->view->ways + OF_STIFFNESS * head->way + which)
                     : VecSame(rows->view->rests + rests * head->rest + (which - OF_STIFFNESS));
    }
    int before = (rows->sort & OWN_WAY) != 0 ? 0 : OF_STIFFNESS;
    return VecLoad(rows->constants + SLICE * ((ptrdiff_t)own * number + which - before) + rows->lane);
}

// Rows with ways of their own come out of memory as a rule, and processors do not look ahead far enough.
RSL_INLINE void Fetch(const Rows* rows, int number)
{
    const int own = OwnOf(rows->sort, rows->numbers);
    for (int i = 0; (rows->sort & OWN_WAY) != 0 && i < own; ++i)
    {
        __builtin_prefetch(rows->constants + SLICE * ((ptrdiff_t)own * (number + AHEAD) + i) + rows->lane, 0, 2);
    }
}

// Numbers of the other ends: of arrays by axis, or of records from the first slot of the slice on. A body is read in so many places at once that
// processors do not see what comes next in each.
RSL_INLINE void LoadOthers(const Rows* rows, int number, const Real* const by[3], const Real* records, Vec to[3])
{
    if (IsStraight(rows->sort))
    {
        ptrdiff_t at = (ptrdiff_t)rows->slot + rows->heads[number].over;
        for (int axis = 0; axis < 3; ++axis)
        {
            to[axis] = VecLoad(by[axis] + at);
            __builtin_prefetch(by[axis] + at + SOON, 0, 3);
        }
    }
    else
    {
        ptrdiff_t from = SLICE * (ptrdiff_t)number + rows->lane;
        SlotList at = { rows->at.near != NULL ? rows->at.near + from : NULL,
                        rows->at.near != NULL ? NULL : rows->at.far + from };
        LoadRecords(records + RECORD * (rows->slot - (size_t)rows->lane), at, to);
    }
}

// The first half: where ends are, up to the root. A row is looked at before the one before it has pulled, so that nothing waits for roots.
RSL_INLINE void Look(RowKind kind, const Rows* rows, int number, const Slots* slots, Row* row)
{
    Vec u[3], along[3];
    Fetch(rows, number);
    LoadOthers(rows, number, rows->view->u, rows->view->places, u);
    for (int axis = 0; axis < 3; ++axis)
    {
        Vec d0 = Constant(rows, number, axis), du = u[axis] - slots->u[axis];
        row->d[axis] = d0 + du;
        along[axis] = du * (d0 + row->d[axis]);
    }
    row->lanes = VecLanesOf(rows->heads[number].lanes >> rows->lane);
    row->inverse = Constant(rows, number, OF_INVERSE);
    row->stiffness = Constant(rows, number, OF_STIFFNESS);
    row->e = (along[0] + along[1] + along[2]) * row->inverse;
    row->by = ElongatedBy(row->e);
    if (kind.general)
    {
        row->preload = Constant(rows, number, kind.damped ? OF_MORE + 1 : OF_MORE);
    }
    if (kind.damped)
    {
        Vec w[3];
        LoadOthers(rows, number, rows->view->w, rows->view->speeds, w);
        const Vec *d = row->d, *own = slots->w;
        row->rate = d[0] * (w[0] - own[0]) + d[1] * (w[1] - own[1]) + d[2] * (w[2] - own[2]);
        row->damping = Constant(rows, number, OF_MORE);
    }
}

RSL_INLINE void AddForce(const Row* row, Vec pull, Slots* slots)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        slots->force[axis] = VecAddWhere(row->lanes, slots->force[axis], pull * row->d[axis]);
    }
}

// The second half.
RSL_INLINE void Pull(RowKind kind, Real carrier, const Row* row, Slots* slots)
{
    if (!kind.damped && !kind.general)
    {
        AddForce(row, row->stiffness * row->e / row->by, slots);  // k waits for nothing
        return;
    }
    Vec p = row->e / row->by, pull = row->stiffness * p, q = (Real)1 - p;
    if (kind.general)
    {
        Vec t = row->preload * q;
        pull = row->stiffness * (p - t) * (((Real)1 - carrier) + carrier * (q + t));
    }
    if (kind.damped)
    {
        Vec drag = row->damping * (q * q * row->inverse) * row->rate;
        slots->lost = VecAddWhere(row->lanes, slots->lost, drag * row->rate);
        pull += drag;
        for (int axis = 0; axis < 3; ++axis)
        {
            slots->drag[axis] = VecAddWhere(row->lanes, slots->drag[axis], drag * row->d[axis]);
        }
    }
    AddForce(row, pull, slots);
}

RSL_INLINE void AddRows(RowKind kind, const Rows* rows, int count, Slots* slots)
{
    if (count > 0)
    {
        const Real carrier = rows->view->carrier;
        Row row, next;
        Look(kind, rows, 0, slots, &row);
        for (int i = 1; i < count; ++i)
        {
            Look(kind, rows, i, slots, &next);
            Pull(kind, carrier, &row, slots);
            row = next;
        }
        Pull(kind, carrier, &row, slots);
    }
}

// ---- slices ---------------------------------------------------------------------------------------------------------

// Rows of a sort of a slice. Which sort it is is known where it is compiled.
RSL_INLINE Rows RowsOf(const RowView* view, bool near, int numbers, int slice, int lane, RowSort sort)
{
    const SliceRows from = RowsFrom(view->slices + slice, sort, numbers);
    Rows rows = { .view = view, .sort = sort, .lane = lane, .numbers = numbers };
    rows.heads = view->heads + from.first;
    rows.slot = SLICE * (size_t)slice + (size_t)lane;
    rows.constants = OwnOf(sort, numbers) == 0 ? NULL : view->constants + SLICE * (size_t)from.own;
    if (!IsStraight(sort))
    {
        rows.at = near ? (SlotList){ .near = view->near + SLICE * (size_t)from.listed }
                       : (SlotList){ .far = view->far + SLICE * (size_t)from.listed };
    }
    return rows;
}

RSL_INLINE void LoadAll(const Real* const from[3], size_t slot, Vec to[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        to[axis] = VecLoad(from[axis] + slot);
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
    Vec mass = VecLoad(view->mass + slot), factor = view->kick / mass, changed = VecOf(0), *u = slots->u;
    for (int axis = 0; axis < 3; ++axis)
    {
        Vec w = slots->w[axis], next = w + factor * (slots->force[axis] + mass * view->gravity[axis]);
        u[axis] = u[axis] + view->half * next;
        u[axis] = view->last ? u[axis] : u[axis] + view->half * next;
        if (damped)
        {
            changed += slots->drag[axis] * (next - w);
        }
        slots->w[axis] = next;
        VecStore(view->newU[axis] + slot, u[axis]);
        VecStore(view->newW[axis] + slot, next);
    }
    if (view->newPlaces != NULL)
    {
        StoreRecords(u, view->newPlaces + RECORD * slot);
    }
    if (damped && view->newSpeeds != NULL)
    {
        StoreRecords(slots->w, view->newSpeeds + RECORD * slot);
    }
    return changed;
}

// Lanes of slices are added up apart.
RSL_INLINE void EndSlots(const RowView* view, bool damped, size_t slot, Slots* slots, double sums[ROW_LOSSES][SLICE])
{
    size_t lane = slot % SLICE;
    if (damped)
    {
        VecAddTo(sums[ROW_LOST] + lane, slots->lost);
    }
    if (!view->moves)
    {
        Scatter(view->nodes + slot, slots->force, view->force);
    }
    if (!view->moves && damped && view->drag[0] != NULL)
    {
        Scatter(view->nodes + slot, slots->drag, view->drag);
    }
    if (view->moves)
    {
        if (!damped)
        {
            LoadAll(view->w, slot, slots->w);
        }
        Vec changed = MoveOn(view, slot, damped, slots);
        if (damped)
        {
            VecAddTo(sums[ROW_CHANGED] + lane, changed);
        }
    }
}

// Places that are written soon; not where rows are listed, which keep the units that load busy.
RSL_INLINE void FetchMoved(const RowView* view, size_t slot)
{
    const bool fetches = view->moves && view->newPlaces == NULL;
    for (int axis = 0; fetches && axis < 3; ++axis)
    {
        __builtin_prefetch(view->newU[axis] + slot + SOON, 1, 3);
        __builtin_prefetch(view->newW[axis] + slot + SOON, 1, 3);
    }
    if (fetches)
    {
        __builtin_prefetch(view->mass + slot + SOON, 0, 3);
    }
}

// Slots of one register.
RSL_INLINE void AddSlots(const RowView* view, RowKind kind, int slice, int lane, double sums[ROW_LOSSES][SLICE])
{
    const int numbers = NumbersOf(kind.damped, kind.general), *count = view->slices[slice].count;
    const size_t slot = SLICE * (size_t)slice + (size_t)lane;
    Slots slots = { 0 };
    FetchMoved(view, slot);
    LoadAll(view->u, slot, slots.u);
    if (kind.damped)
    {
        LoadAll(view->w, slot, slots.w);
    }
#define ADD_ROWS(sort, near)                                                                                           \
    if (count[sort] > 0)                                                                                               \
    {                                                                                                                  \
        const Rows rows = RowsOf(view, near, numbers, slice, lane, sort);                                              \
        AddRows(kind, &rows, count[sort], &slots);                                                                     \
    }
#define ADD_ALL(listed, near)                                                                                          \
    ADD_ROWS(listed, near)                                                                                             \
    ADD_ROWS(listed | OWN_REST, near)                                                                                  \
    ADD_ROWS(listed | OWN_WAY, near)                                                                                   \
    ADD_ROWS(listed | OWN_WAY | OWN_REST, near)
    ADD_ALL(0, false)
    if (view->near != NULL)
    {
        ADD_ALL(LISTED, true)
    }
    else
    {
        ADD_ALL(LISTED, false)
    }
    EndSlots(view, kind.damped, slot, &slots, sums);
}

RSL_INLINE void AddSlices(const RowView* view, RowKind kind)
{
    const RowView v = *view;
    double sums[ROW_LOSSES][SLICE] = { 0 };
    for (int slice = v.begin; slice < v.end; ++slice)
    {
        for (int lane = 0; lane < SLICE; lane += VEC)
        {
            AddSlots(&v, kind, slice, lane, sums);
        }
    }
    for (int which = 0; which < ROW_LOSSES; ++which)
    {
        v.lost[which] = 0.0;
        for (int l = 0; l < SLICE; ++l)
        {
            v.lost[which] += (which == ROW_LOST ? 0.5 : 1.0) * sums[which][l];
        }
    }
}

// ---- of every kind --------------------------------------------------------------------------------------------------

#define KIND(name, ...)                                                                                                \
    static void Add##name(const RowView* view)                                                                         \
    {                                                                                                                  \
        AddSlices(view, (RowKind){ __VA_ARGS__ });                                                                     \
    }

KIND(Elastic, .damped = false)
KIND(General, .general = true)
KIND(Damped, .damped = true)
KIND(DampedGeneral, .damped = true, .general = true)

void RSL_WIDE(rslRows_Add)(const RowView* view)
{
    static void (*const calls[2][2])(const RowView*) = { { AddElastic, AddGeneral }, { AddDamped, AddDampedGeneral } };
    calls[view->damped ? 1 : 0][view->general ? 1 : 0](view);
}

// ---- energy ---------------------------------------------------------------------------------------------------------

// Springs of a listed row that lead to later slots: 1, and 0 for the others.
RSL_INLINE Vec LaterOf(const Rows* rows, int number)
{
    const ptrdiff_t from = SLICE * (ptrdiff_t)number + rows->lane;
    Real later[VEC];
    for (int l = 0; l < VEC; ++l)
    {
        int other = rows->at.near != NULL ? (int)rows->at.near[from + l] : rows->at.far[from + l];
        later[l] = other > rows->lane + l ? (Real)1 : (Real)0;
    }
    return VecLoad(later);
}

// Every spring is weighed at its earlier slot. Dampers have constants, and no part in it.
RSL_INLINE Vec WeighRows(const RowView* view, RowSort sort, int slice, int lane, const Slots* slots, Vec sum)
{
    const int count = view->slices[slice].count[sort];
    if (count == 0)
    {
        return sum;
    }
    const Rows rows = RowsOf(view, view->near != NULL, NumbersOf(view->damped, false), slice, lane, sort);
    for (int i = 0; i < count; ++i)
    {
        Row row;
        if (IsStraight(sort) && rows.heads[i].over < 0)
        {
            continue;
        }
        Look((RowKind){ .damped = false }, &rows, i, slots, &row);
        Vec p = row.e / row.by;
        Vec energy = row.stiffness * (p * p) * (ElongatedSquare(row.e) / row.inverse);
        energy = IsStraight(sort) ? energy : energy * LaterOf(&rows, i);
        sum = VecAddWhere(row.lanes, sum, energy);
    }
    return sum;
}

double RSL_WIDE(rslRows_Energy)(const RowView* view)
{
    double sums[SLICE] = { 0 }, sum = 0.0;
    for (int slice = view->begin; slice < view->end; ++slice)
    {
        for (int lane = 0; lane < SLICE; lane += VEC)
        {
            Slots slots = { 0 };
            Vec energy = VecOf(0);
            LoadAll(view->u, SLICE * (size_t)slice + (size_t)lane, slots.u);
            for (int sort = 0; sort < ROW_SORTS; ++sort)
            {
                energy = WeighRows(view, (RowSort)sort, slice, lane, &slots, energy);
            }
            VecAddTo(sums + lane, energy);
        }
    }
    for (int l = 0; l < SLICE; ++l)
    {
        sum += 0.5 * sums[l];
    }
    return sum;
}
