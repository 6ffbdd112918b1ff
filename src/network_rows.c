// SPDX-License-Identifier: MIT
//
// network_rows.c: rows of springs, as many slots together as a register has lanes. Nothing in a lane depends on another one.
//
// With d0 the spring at rest, L0 its length, du = u_other - u and dw likewise, d = d0 + du (bond.h):
//   s = |d|^2 - L0^2 = du.(d0 + d),  p = (L - L0) / L by s / L0^2 (elongation.h),  q = L0 / L = 1 - p
//   T / L           = k p
//   c (d.dw) / L^2  = c q^2 / L0^2 (d.dw)
// A natural length N = (1 + r) L0 and the share a of the carrier in the law (spring_law.h), with t = r q:
//   T / L = k (L - N) / L (1 - a + a N / L) = k (p - t) (1 - a + a (q + t))
// force_network.c has the same for one spring. The energy of a linear one is k/2 (L - L0)^2 = k/2 p^2 x L0^2, x = (L / L0)^2.

#include "elongation.h"
#include "network_records.h"

// Palettes that are looked up, in registers.
typedef struct Palette
{
#if RSL_WIDTH == 512
    Vec part[PALETTE / VEC];
#else
    const Real* of;
#endif
} Palette;

RSL_INLINE Palette MakePalette(const Real* of)
{
#if RSL_WIDTH == 512
    Palette palette;
    for (int i = 0; i < PALETTE / VEC; ++i)
    {
        palette.part[i] = VecLoad(of + VEC * i);
    }
    return palette;
#else
    return (Palette){ of };
#endif
}

RSL_INLINE Vec LookUp(const Palette* palette, const uint8_t* kind)
{
#if RSL_WIDTH == 512 && RSL_PRECISION == 32
    __m512i at = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i*)kind));
    return (Vec)_mm512_permutexvar_ps(at, (__m512)palette->part[0]);
#elif RSL_WIDTH == 512
    __m512i at = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i*)kind));
    return (Vec)_mm512_permutex2var_pd((__m512d)palette->part[0], at, (__m512d)palette->part[1]);
#elif RSL_WIDTH == 256 && RSL_PRECISION == 32
    __m256i at = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)kind));
    __m256 early = _mm256_permutevar8x32_ps(_mm256_loadu_ps(palette->of), at);
    __m256 late = _mm256_permutevar8x32_ps(_mm256_loadu_ps(palette->of + VEC), at);
    return (Vec)_mm256_blendv_ps(early, late, _mm256_castsi256_ps(_mm256_slli_epi32(at, 28)));
#else
    Vec v = { 0 };
    for (int l = 0; l < VEC; ++l)
    {
        v[l] = palette->of[kind[l]];
    }
    return v;
#endif
}

// Constants of springs, and how they are kept; known where it is compiled.
typedef struct Constants
{
    bool near, damped, general;
    SliceConstants kept;
    Palette inverses, stiffnesses, dampings;  // few springs or constants
    Vec stiffness, damping;                   // one
    Vec carrier, rest;                        // shares of the laws
} Constants;

RSL_INLINE Constants MakeConstants(const RowView* view, bool near, bool damped, bool general, SliceConstants kept)
{
    Constants c = { .near = near, .damped = damped, .general = general, .kept = kept };
    if (kept == rsl_fewSprings)
    {
        c.inverses = MakePalette(view->inverse);
    }
    if (kept == rsl_fewSprings || kept == rsl_fewConstants)
    {
        c.stiffnesses = MakePalette(view->stiffness);
        c.dampings = damped ? MakePalette(view->damping) : c.stiffnesses;
    }
    if (kept == rsl_oneConstant)
    {
        c.stiffness = VecOf(view->stiffness[0]);
        c.damping = VecOf(damped ? view->damping[0] : (Real)0);
    }
    if (general)
    {
        c.carrier = VecOf(view->carrier);
        c.rest = (Real)1 - c.carrier;
    }
    return c;
}

// Of springs from a place on.
RSL_INLINE Vec InverseOf(const Constants* c, const RowView* view, size_t e)
{
    return c->kept == rsl_fewSprings ? LookUp(&c->inverses, view->kind + e) : VecLoad(view->inverse + e);
}

RSL_INLINE Vec StiffnessOf(const Constants* c, const RowView* view, size_t e)
{
    return c->kept == rsl_oneConstant     ? c->stiffness
           : c->kept == rsl_manyConstants ? VecLoad(view->stiffness + e)
                                          : LookUp(&c->stiffnesses, view->kind + e);
}

RSL_INLINE Vec DampingOf(const Constants* c, const RowView* view, size_t e)
{
    return c->kept == rsl_oneConstant     ? c->damping
           : c->kept == rsl_manyConstants ? VecLoad(view->damping + e)
                                          : LookUp(&c->dampings, view->kind + e);
}

// ---- rows -----------------------------------------------------------------------------------------------------------

// What slots are and have, and what acts on them.
typedef struct Slots
{
    Places own;
    Vec w[4];  // velocity, mass
    Vec force[3], drag[3], lost;
} Slots;

// Springs on their way: p = e / by.
typedef struct Row
{
    Vec d[3], e, by;
    Vec stiffness, damping, inverse, preload, rate;
} Row;

// The first half: where ends are, up to the root. A row is looked at before the one before it has pulled, so that nothing waits for roots.
RSL_INLINE void Look(const RowView* view, const Constants* c, int base, size_t e, const Slots* slots, Row* row)
{
    SlotList at = { c->near ? view->near + e : NULL, c->near ? NULL : view->far + e, c->near ? NEAR : FAR };
    Places other;
    LoadPlaces(view->places + RECORD * (ptrdiff_t)base, at, &other);
    Vec along[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        Vec d0 = other.rest[axis] - slots->own.rest[axis], du = other.u[axis] - slots->own.u[axis];
        row->d[axis] = d0 + du;
        along[axis] = du * (d0 + row->d[axis]);
    }
    row->inverse = InverseOf(c, view, e);
    row->stiffness = StiffnessOf(c, view, e);
    row->e = (along[0] + along[1] + along[2]) * row->inverse;
    row->by = ElongatedBy(row->e);
    if (c->general)
    {
        row->preload = VecLoad(view->preload + e);
    }
    if (c->damped)
    {
        Vec w[4];
        LoadFours(view->speeds + SPEED * (ptrdiff_t)base, at, SPEED, w);
        const Vec *d = row->d, *own = slots->w;
        row->rate = d[0] * (w[0] - own[0]) + d[1] * (w[1] - own[1]) + d[2] * (w[2] - own[2]);
        row->damping = DampingOf(c, view, e);
    }
}

// The second half.
RSL_INLINE void Pull(const Constants* c, const Row* row, Slots* slots)
{
    Vec p = row->e / row->by, q = (Real)1 - p, pull = row->stiffness * p;
    if (c->general)
    {
        Vec t = row->preload * q;
        pull = row->stiffness * (p - t) * (c->rest + c->carrier * (q + t));
    }
    if (c->damped)
    {
        Vec drag = row->damping * (q * q * row->inverse) * row->rate;
        slots->lost += drag * row->rate;
        pull += drag;
        for (int axis = 0; axis < 3; ++axis)
        {
            slots->drag[axis] += drag * row->d[axis];
        }
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        slots->force[axis] += pull * row->d[axis];
    }
}

// ---- slices ---------------------------------------------------------------------------------------------------------

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
RSL_INLINE Vec MoveOn(const RowView* view, int slot, bool damped, Slots* slots)
{
    Vec *w = slots->w, u[4] = { 0 }, factor = VecOf(view->kick) / w[3], half = VecOf(view->half), changed = VecOf(0);
    for (int axis = 0; axis < 3; ++axis)
    {
        Vec next = w[axis] + factor * (slots->force[axis] + w[3] * view->gravity[axis]);
        u[axis] = slots->own.u[axis] + half * next;
        u[axis] = view->last ? u[axis] : u[axis] + half * next;
        if (damped)
        {
            changed += slots->drag[axis] * (next - w[axis]);
        }
        w[axis] = next;
    }
    StoreFours(u, view->newPlaces + RECORD * (size_t)slot + RECORD / 2, RECORD);
    StoreFours(w, view->newSpeeds + SPEED * (size_t)slot, SPEED);
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

RSL_INLINE void AddSlice(const RowView* view, const Constants* c, int slice, int part, double sums[ROW_LOSSES][SLICE])
{
    const SlotList line = { .told = IN_LINE };
    int base = view->base[slice], slot = SLICE * slice + part;
    Slots slots = { 0 };
    LoadPlaces(view->places + RECORD * (size_t)slot, line, &slots.own);
    if (c->damped || view->moves)
    {
        LoadFours(view->speeds + SPEED * (size_t)slot, line, SPEED, slots.w);
    }
    size_t e = SLICE * (size_t)view->rowStart[slice] + (size_t)part, end = SLICE * (size_t)view->rowStart[slice + 1];
    if (e < end)
    {
        Row row, next;
        Look(view, c, base, e, &slots, &row);
        for (e += SLICE; e < end; e += SLICE)
        {
            Look(view, c, base, e, &slots, &next);
            Pull(c, &row, &slots);
            row = next;
        }
        Pull(c, &row, &slots);
    }
    if (view->moves)
    {
        Vec changed = MoveOn(view, slot, c->damped, &slots);
        if (c->damped)
        {
            AddLanes(changed, sums[ROW_CHANGED] + part);
        }
    }
    else
    {
        Scatter(view->nodes + slot, slots.force, view->force);
    }
    if (c->damped && !view->moves && view->drag[0] != NULL)
    {
        Scatter(view->nodes + slot, slots.drag, view->drag);
    }
    if (c->damped)
    {
        AddLanes(slots.lost, sums[ROW_LOST] + part);
    }
}

RSL_INLINE void AddSlices(const RowView* view, bool near, bool damped, bool general, SliceConstants kept)
{
    const RowView v = *view;
    const Constants c = MakeConstants(&v, near, damped, general, kept);
    double sums[ROW_LOSSES][SLICE] = { 0 };
    for (int slice = v.begin; slice < v.end; ++slice)
    {
        for (int part = 0; part < SLICE; part += VEC)
        {
            AddSlice(&v, &c, slice, part, sums);
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

#define ADD(name, near, damped, general, kept)                                                                         \
    static void name(const RowView* view)                                                                              \
    {                                                                                                                  \
        AddSlices(view, near, damped, general, kept);                                                                  \
    }

ADD(AddFewSprings, true, false, false, rsl_fewSprings)
ADD(AddOne, true, false, false, rsl_oneConstant)
ADD(AddFew, true, false, false, rsl_fewConstants)
ADD(AddMany, true, false, false, rsl_manyConstants)
ADD(AddGeneral, true, false, true, rsl_manyConstants)
ADD(AddDampedFewSprings, true, true, false, rsl_fewSprings)
ADD(AddDampedOne, true, true, false, rsl_oneConstant)
ADD(AddDampedFew, true, true, false, rsl_fewConstants)
ADD(AddDampedMany, true, true, false, rsl_manyConstants)
ADD(AddDampedGeneral, true, true, true, rsl_manyConstants)
ADD(AddFar, false, false, true, rsl_manyConstants)
ADD(AddDampedFar, false, true, true, rsl_manyConstants)

void RSL_WIDE(rslRows_Add)(const RowView* view)
{
    static void (*const near[2][5])(const RowView*) = {
        { AddFewSprings, AddOne, AddFew, AddMany, AddGeneral },
        { AddDampedFewSprings, AddDampedOne, AddDampedFew, AddDampedMany, AddDampedGeneral },
    };
    static void (*const far[2])(const RowView*) = { AddFar, AddDampedFar };
    int damped = view->damping != NULL ? 1 : 0, kept = view->preload != NULL ? 4 : (int)view->kept;
    (view->near != NULL ? near[damped][kept] : far[damped])(view);
}

// ---- energy ---------------------------------------------------------------------------------------------------------

RSL_INLINE Vec WeighSlice(const RowView* view, const Constants* c, int slice, int part)
{
    const SlotList line = { .told = IN_LINE };
    Slots slots = { 0 };
    Vec sum = VecOf(0);
    LoadPlaces(view->places + RECORD * (size_t)(SLICE * slice + part), line, &slots.own);
    for (int row = view->rowStart[slice]; row < view->rowStart[slice + 1]; ++row)
    {
        Row seen;
        Look(view, c, view->base[slice], SLICE * (size_t)row + (size_t)part, &slots, &seen);
        Vec p = seen.e / seen.by;
        sum += seen.stiffness * (p * p) * (ElongatedSquare(seen.e) / seen.inverse);
    }
    return sum;
}

RSL_INLINE double WeighSlices(const RowView* view, SliceConstants kept)
{
    const Constants c = MakeConstants(view, true, false, false, kept);
    double sums[SLICE] = { 0 }, sum = 0.0;
    for (int slice = view->begin; slice < view->end; ++slice)
    {
        for (int part = 0; part < SLICE; part += VEC)
        {
            AddLanes(WeighSlice(view, &c, slice, part), sums + part);
        }
    }
    for (int l = 0; l < SLICE; ++l)
    {
        sum += 0.25 * sums[l];  // half of it at each end
    }
    return sum;
}

double RSL_WIDE(rslRows_Energy)(const RowView* view)
{
    switch (view->kept)
    {
        case rsl_fewSprings: return WeighSlices(view, rsl_fewSprings);
        case rsl_oneConstant: return WeighSlices(view, rsl_oneConstant);
        case rsl_fewConstants: return WeighSlices(view, rsl_fewConstants);
        default: return WeighSlices(view, rsl_manyConstants);
    }
}
