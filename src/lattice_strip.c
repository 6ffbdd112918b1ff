// SPDX-License-Identifier: MIT
//
// lattice_strip.c: the springs of a strip, as many places together as a register has lanes. Nothing in a lane depends on another one.
//
// With b the spring at rest, L0 its length, d = u_late - u_early and dw likewise (bond.h):
//   s = |b + d|^2 - L0^2 = d.(d + 2 b),  p = (L - L0) / L by s / L0^2 (elongation.h)
//   T / L           = k p
//   c (d.dw) / L^2  = k r (b + d).dw (1 - p)^2 / L0^2,  c = r k
// A law that is not linear multiplies T by 1 - c + c L0 / L = 1 - c p (spring_law.h). Dispersion (force_dispersion.c), with the shares H of
// both ends, and those of rates:
//   T / L          += k out (H_early + H_late) (1 - p) / L0
//   dL = L0 p sqrt(1 + s / L0^2),  dL / dt = (b + d).dw (1 - p) / L0      what shares are made of
//
// All springs of a place are asked at once, so that its own sum stays in registers. Springs to a row are three: straight on; one back, which
// is asked from the place it leads to, so that its early end is one on; and one on, whose late end is one on. What is one on is handed to the
// next lane, and by the last lane to the next register. So every sum is read and written once a row, in the order of rows. A place is led
// to from the row beside it after those of the plane before, and from these in the order in which they lie: the same at any width.

#include "lattice_strip.h"

#include "elongation.h"

// What a loop is compiled for.
typedef struct Kind
{
    bool bodies;           // with shell C
    bool damped, general;  // with dampers; with a law or dampers of their own each
    bool spread;           // with dispersion
    bool share;            // elongations instead of forces
} Kind;

RSL_INLINE int SumsOf(Kind kind)
{
    return kind.share ? (kind.damped ? 2 : 1) : kind.damped ? SUMS : SUM_DRAG;
}

// Sums that only early ends have come behind the others.
RSL_INLINE int OwnsOf(Kind kind)
{
    return SumsOf(kind) + (kind.damped && !kind.share ? 1 : 0);
}

typedef struct Constants
{
    Vec b, twice;  // spacing, two of it
    Vec inverse[3], ratio, carrier, in[3], out[3];
    ptrdiff_t stride;
} Constants;

RSL_INLINE Constants MakeConstants(const StripView* view)
{
    Constants c = { .b = VecOf(view->spacing), .ratio = VecOf(view->ratio), .carrier = VecOf(view->carrier) };
    c.twice = c.b + c.b;
    for (int shell = 0; shell < 3; ++shell)
    {
        c.inverse[shell] = VecOf(view->inverse[shell]);
        c.in[shell] = VecOf(view->in[shell]);
        c.out[shell] = VecOf(view->out[shell]);
    }
    c.stride = view->stride;
    return c;
}

// ---- springs --------------------------------------------------------------------------------------------------------

// A direction, known where it is compiled: steps along the axes.
typedef struct Direction
{
    int x, y, z;
} Direction;

RSL_INLINE int ShellOf(Direction d)
{
    return (d.x != 0) + (d.y != 0) + (d.z != 0) - 1;
}

RSL_INLINE Vec Shifted(Vec x, int step, Vec by)
{
    return step == 0 ? x : step > 0 ? x + by : x - by;
}

// Springs as they are: where they begin and end, d, s / L0^2.
typedef struct Springs
{
    const Real *early, *late;
    Vec x, y, z, e;
    int shell;
} Springs;

RSL_INLINE Springs Look(const Constants* c, Direction d, const Real* early, const Real* late)
{
    const ptrdiff_t s = c->stride;
    Springs of = { .early = early, .late = late, .shell = ShellOf(d) };
    of.x = VecLoad(late) - VecLoad(early);
    of.y = VecLoad(late + s) - VecLoad(early + s);
    of.z = VecLoad(late + 2 * s) - VecLoad(early + 2 * s);
    Vec sum = of.x * Shifted(of.x, d.x, c->twice) + of.y * Shifted(of.y, d.y, c->twice);
    of.e = (sum + of.z * Shifted(of.z, d.z, c->twice)) * c->inverse[of.shell];
    of.x = Shifted(of.x, d.x, c->b);
    of.y = Shifted(of.y, d.y, c->b);
    of.z = Shifted(of.z, d.z, c->b);
    return of;
}

// (b + d).dw
RSL_INLINE Vec RateOf(const Constants* c, const Springs* of)
{
    const ptrdiff_t s = c->stride;
    const Real *early = of->early + FIELD_W * s, *late = of->late + FIELD_W * s;
    return of->x * (VecLoad(late) - VecLoad(early)) + of->y * (VecLoad(late + s) - VecLoad(early + s)) +
           of->z * (VecLoad(late + 2 * s) - VecLoad(early + 2 * s));
}

// out (H_early + H_late) / L0
RSL_INLINE Vec SharedBy(const Constants* c, const Springs* of, int field)
{
    return c->out[of->shell] * (VecLoad(of->early + field * c->stride) + VecLoad(of->late + field * c->stride));
}

RSL_INLINE Vec RatioOf(const Constants* c, Kind kind, const Real* k)
{
    return kind.general ? VecLoad(k + LANES * (kind.bodies ? BODY_SPRINGS : FACE_SPRINGS)) : c->ratio;
}

// What springs do to their early ends.
RSL_INLINE void Pull(const Constants* c, Kind kind, const Springs* of, const Real* k, Vec f[OWNS])
{
    Vec part = ElongatedPart(of->e), shorter = (Real)1 - part;
    Vec pull = kind.general ? part * ((Real)1 - c->carrier * part) : part, stiffness = VecLoad(k);
    if (kind.spread)
    {
        pull += shorter * SharedBy(c, of, FIELD_SHARE);
    }
    pull = stiffness * pull;
    if (kind.damped)
    {
        Vec rate = RateOf(c, of), drag = shorter * shorter * c->inverse[of->shell] * rate;
        if (kind.spread)
        {
            drag += shorter * SharedBy(c, of, FIELD_DRAG_SHARE);
        }
        drag *= stiffness * RatioOf(c, kind, k);
        pull += drag;
        f[SUM_DRAG] = drag * of->x;
        f[SUM_DRAG + 1] = drag * of->y;
        f[SUM_DRAG + 2] = drag * of->z;
        f[OWN_LOST] = drag * rate;
    }
    f[SUM_FORCE] = pull * of->x;
    f[SUM_FORCE + 1] = pull * of->y;
    f[SUM_FORCE + 2] = pull * of->z;
}

// What both ends of springs add to their shares: k in dL, and c in dL/dt.
RSL_INLINE void Elongate(const Constants* c, Kind kind, const Springs* of, const Real* k, Vec f[OWNS])
{
    Vec stiffness = VecLoad(k) * c->in[of->shell], square = ElongatedSquare(of->e), root = VecRoot(square);
    if (!kind.damped)
    {
        f[0] = stiffness * (of->e / ((Real)1 + root));
        return;
    }
    Vec part = of->e / (square + root);
    f[0] = stiffness * (part * root);
    f[1] = RateOf(c, of) * c->inverse[of->shell] * (stiffness * RatioOf(c, kind, k) * ((Real)1 - part));
}

RSL_INLINE void Ask(const Constants* c, Kind kind, Direction d, const Real* early, const Real* late, const Real* k,
                    Vec f[OWNS])
{
    Springs of = Look(c, d, early, late);
    if (kind.share)
    {
        Elongate(c, kind, &of, k, f);
    }
    else
    {
        Pull(c, kind, &of, k, f);
    }
}

// ---- rows -----------------------------------------------------------------------------------------------------------

#define SHIFT __builtin_shufflevector

// One on: every number in the lane behind its own, the last one of the register before in the first.
RSL_INLINE Vec OneOn(Vec v, Vec* last)
{
    Vec before = *last;
    *last = v;
#if RSL_WIDTH / RSL_PRECISION == 16
    return SHIFT(before, v, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
#elif RSL_WIDTH / RSL_PRECISION == 8
    return SHIFT(before, v, 7, 8, 9, 10, 11, 12, 13, 14);
#elif RSL_WIDTH / RSL_PRECISION == 4
    return SHIFT(before, v, 3, 4, 5, 6);
#else
    return SHIFT(before, v, 1, 2);
#endif
}

// What acts on places; what acts on those one on.
typedef struct Acting
{
    Vec own[OWNS], on[OWNS];
} Acting;

// Springs to a row, whose last ones on are kept.
RSL_INLINE void AskRow(const Constants* c, Kind kind, Direction d, const Real* here, const Real* late, const Real* k,
                       Acting* acting, Real* to, Vec last[SUMS])
{
    const int sums = SumsOf(kind), owns = OwnsOf(kind);
    const bool diagonal = kind.bodies || ShellOf(d) == 0;
    Vec straight[OWNS], back[OWNS], on[OWNS];
    Ask(c, kind, d, here, late, k, straight);
    if (diagonal)
    {
        Ask(c, kind, (Direction){ -1, d.y, d.z }, here + 1, late, k + LANES, back);
        Ask(c, kind, (Direction){ 1, d.y, d.z }, here, late + 1, k + 2 * LANES, on);
    }
    for (int q = 0; q < owns; ++q)
    {
        acting->own[q] += straight[q];
        if (diagonal)
        {
            acting->own[q] += on[q];
            acting->on[q] += back[q];
        }
    }
    for (int q = 0; q < sums; ++q)
    {
        Real* sum = to + q * c->stride;
        Vec led = diagonal ? straight[q] + back[q] + OneOn(on[q], &last[q]) : straight[q];
        VecStore(sum, VecLoad(sum) + led);
    }
}

// Along the row itself: late ends are one on.
RSL_INLINE void AskOwnRow(const Constants* c, Kind kind, const Real* here, const Real* k, Acting* acting)
{
    Vec f[OWNS];
    Ask(c, kind, (Direction){ 1, 0, 0 }, here, here + 1, k, f);
    for (int q = 0; q < OwnsOf(kind); ++q)
    {
        acting->own[q] = f[q];
        acting->on[q] = q >= SumsOf(kind) ? VecOf(0) : kind.share ? f[q] : -f[q];
    }
}

// ---- strips ---------------------------------------------------------------------------------------------------------

// What the last lane hands to the place behind the last register of a row.
RSL_INLINE void HandOn(Kind kind, const Vec last[SUMS], Real* to, ptrdiff_t stride)
{
    for (int q = 0; q < SumsOf(kind); ++q)
    {
        to[q * stride] += last[q][VEC - 1];
    }
}

// What springs do to the place behind the strip belongs to its sums: forces count there with the other sign.
RSL_INLINE void EndOwn(const StripView* view, Kind kind, const Vec last[OWNS], int end)
{
    for (int q = 0; q < OwnsOf(kind); ++q)
    {
        view->own[q * OWN_STRIDE + end] = last[q][VEC - 1];
    }
    for (int q = 0; view->inside && q < SumsOf(kind); ++q)
    {
        Real behind = view->own[q * OWN_STRIDE + view->count];
        view->sums[q * view->stride + view->count] += kind.share ? behind : -behind;
    }
}

RSL_INLINE void AddStrip(const StripView* view, Kind kind)
{
    const Constants c = MakeConstants(view);
    const ptrdiff_t pitch = view->pitch;
    const int rows = view->rows, wide = kind.bodies ? 3 : 1;
    Vec own[OWNS] = { { 0 } }, beside[SUMS] = { { 0 } }, above[3][SUMS] = { { { 0 } } };
    int i = 0;
    for (; i < view->count; i += VEC)
    {
        const Real *here = view->here + i, *over = view->above + i;
        const Real* k = view->constants + view->chunks[i / LANES] + i % LANES;
        Real *sums = view->sums + i, *sumsAbove = view->sumsAbove + i;
        Acting acting = { { { 0 } }, { { 0 } } };
        if ((rows & ROW_OWN) != 0)
        {
            AskOwnRow(&c, kind, here, k, &acting);
        }
        k += LANES;
        if ((rows & ROW_BESIDE) != 0)
        {
            AskRow(&c, kind, (Direction){ 0, 1, 0 }, here, here + pitch, k, &acting, sums + pitch, beside);
        }
        k += 3 * LANES;
        if ((rows & ROW_ABOVE_BESIDE) != 0)
        {
            AskRow(&c, kind, (Direction){ 0, 1, 1 }, here, over + pitch, k, &acting, sumsAbove + pitch, above[0]);
        }
        k += wide * LANES;
        if ((rows & ROW_ABOVE) != 0)
        {
            AskRow(&c, kind, (Direction){ 0, 0, 1 }, here, over, k, &acting, sumsAbove, above[1]);
        }
        k += 3 * LANES;
        if ((rows & ROW_ABOVE_BEFORE) != 0)
        {
            AskRow(&c, kind, (Direction){ 0, -1, 1 }, here, over - pitch, k, &acting, sumsAbove - pitch, above[2]);
        }
        for (int q = 0; q < OwnsOf(kind); ++q)
        {
            VecStore(view->own + q * OWN_STRIDE + i, acting.own[q] + OneOn(acting.on[q], &own[q]));
        }
    }
    HandOn(kind, beside, view->sums + i + pitch, c.stride);
    HandOn(kind, above[0], view->sumsAbove + i + pitch, c.stride);
    HandOn(kind, above[1], view->sumsAbove + i, c.stride);
    HandOn(kind, above[2], view->sumsAbove + i - pitch, c.stride);
    EndOwn(view, kind, own, i);
}

#define STRIPS(name, ...)                                                                                              \
    void RSL_WIDE(rslStrip_##name##Elastic)(const StripView* view)                                                     \
    {                                                                                                                  \
        AddStrip(view, (Kind){ __VA_ARGS__ });                                                                         \
    }                                                                                                                  \
    void RSL_WIDE(rslStrip_##name##Damped)(const StripView* view)                                                      \
    {                                                                                                                  \
        AddStrip(view, (Kind){ .damped = true, __VA_ARGS__ });                                                         \
    }

#define ALL_STRIPS(name, ...)                                                                                          \
    STRIPS(name##Faces, __VA_ARGS__)                                                                                   \
    STRIPS(name##Bodies, .bodies = true, __VA_ARGS__)                                                                  \
    void RSL_WIDE(rslStrip_##name##BodiesGeneral)(const StripView* view)                                               \
    {                                                                                                                  \
        AddStrip(view, (Kind){ .bodies = true, .damped = true, .general = true, __VA_ARGS__ });                        \
    }

ALL_STRIPS(Add, .spread = false)
ALL_STRIPS(Spread, .spread = true)
ALL_STRIPS(Share, .share = true)
