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
//   dL = L0 p sqrt(x) = L0 e / (1 + sqrt(x)),  x = 1 + e,  e = s / L0^2,  dL / dt = (b + d).dw (1 - p) / L0      what shares are made of
//
// All springs of a place are asked at once, so that its own sum stays in registers. Springs to a row are three: straight on; one back, which
// is asked from the place it leads to, so that its early end is one on; and one on, whose late end is one on. What is one on is handed to the
// next lane, and by the last lane to the next register. So every sum is read and written once a row, in the order of rows. A place is led
// to from the row beside it after those of the plane before, and from these in the order in which they lie: the same at any width.
//
// A spring is divided after the next one has been looked at, and pulls after that is divided: roots and divisions take long, and a processor
// can hold only so many operations that wait for them.

#include "lattice_strip.h"

#include "elongation.h"

#include <stdbool.h>

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

RSL_INLINE int SpringsOf(Kind kind)
{
    return kind.bodies ? BODY_SPRINGS : FACE_SPRINGS;
}

// Known where it is compiled.
RSL_INLINE rslStep StepOf(Kind kind, int spring)
{
    return kind.bodies ? rslBodySteps[spring] : rslFaceSteps[spring];
}

RSL_INLINE int ShellOf(rslStep d)
{
    return (d.x != 0) + (d.y != 0) + (d.z != 0) - 1;
}

RSL_INLINE Vec Shifted(Vec x, int step, Vec by)
{
    return step == 0 ? x : step > 0 ? x + by : x - by;
}

// Springs on their way: where they begin and end, b + d, s / L0^2 = e, x = 1 + e and its root, p.
typedef struct Springs
{
    const Real *early, *late;
    Vec x, y, z, e, square, root, part;
    int shell;
} Springs;

RSL_INLINE void Look(const Constants* c, rslStep d, const Real* early, const Real* late, Springs* of)
{
    const ptrdiff_t s = c->stride;
    Vec x = VecLoad(late) - VecLoad(early), y = VecLoad(late + s) - VecLoad(early + s);
    Vec z = VecLoad(late + 2 * s) - VecLoad(early + 2 * s);
    Vec sum = x * Shifted(x, d.x, c->twice) + y * Shifted(y, d.y, c->twice) + z * Shifted(z, d.z, c->twice);
    of->early = early;
    of->late = late;
    of->shell = ShellOf(d);
    of->e = sum * c->inverse[of->shell];
    of->square = ElongatedSquare(of->e);
    of->root = VecRoot(of->square);
    of->x = Shifted(x, d.x, c->b);
    of->y = Shifted(y, d.y, c->b);
    of->z = Shifted(z, d.z, c->b);
}

RSL_INLINE void Divide(Kind kind, Springs* of)
{
    of->part = of->e / ((kind.share && !kind.damped ? VecOf(1) : of->square) + of->root);
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
    return kind.general ? VecLoad(k + LANES * SpringsOf(kind)) : c->ratio;
}

// What springs do to their early ends.
RSL_INLINE void Pull(const Constants* c, Kind kind, const Springs* of, const Real* k, Vec f[OWNS])
{
    Vec part = of->part, shorter = (Real)1 - part;
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
    Vec stiffness = VecLoad(k) * c->in[of->shell];
    f[0] = stiffness * (kind.damped ? of->part * of->root : of->part);
    if (kind.damped)
    {
        f[1] = RateOf(c, of) * c->inverse[of->shell] * (stiffness * RatioOf(c, kind, k) * ((Real)1 - of->part));
    }
}

// ---- rows -----------------------------------------------------------------------------------------------------------

#define SHIFT __builtin_shufflevector

// Loops whose every round is compiled apart.
#ifdef __clang__
#define RSL_UNROLL _Pragma("clang loop unroll(full)")
#else
#define RSL_UNROLL _Pragma("GCC unroll 16")
#endif

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

// What acts on places; on those one on; on those of the row that springs lead to.
typedef struct Acting
{
    Vec own[OWNS], on[OWNS], led[SUMS];
} Acting;

// The last register of what is one on: of own sums, and of the rows that have such springs.
typedef struct Last
{
    Vec own[OWNS], rows[4][SUMS];
} Last;

// Rows of later places, in the order in which they are asked.
RSL_INLINE int RowOf(rslStep d)
{
    return d.z == 0 ? 0 : 2 - d.y;
}

// The late ends along the row itself are one on.
RSL_INLINE void ActAlong(Kind kind, const Vec f[OWNS], Acting* acting)
{
    for (int q = 0; q < OwnsOf(kind); ++q)
    {
        acting->own[q] = f[q];
        acting->on[q] = q >= SumsOf(kind) ? VecOf(0) : kind.share ? f[q] : -f[q];
    }
}

RSL_INLINE void ActAcross(Kind kind, rslStep d, const Vec f[OWNS], Acting* acting, Vec last[SUMS])
{
    for (int q = 0; q < OwnsOf(kind); ++q)
    {
        Vec* early = d.x < 0 ? &acting->on[q] : &acting->own[q];
        *early += f[q];
    }
    for (int q = 0; q < SumsOf(kind); ++q)
    {
        acting->led[q] = d.x == 0 ? f[q] : acting->led[q] + (d.x < 0 ? f[q] : OneOn(f[q], &last[q]));
    }
}

RSL_INLINE void Act(const Constants* c, Kind kind, int spring, const Springs* of, const Real* k, Acting* acting,
                    Last* last, Real* to)
{
    const rslStep d = StepOf(kind, spring);
    const bool ends = spring + 1 == SpringsOf(kind) || StepOf(kind, spring + 1).x == 0;
    Vec f[OWNS];
    if (kind.share)
    {
        Elongate(c, kind, of, k, f);
    }
    else
    {
        Pull(c, kind, of, k, f);
    }
    if (spring == 0)
    {
        ActAlong(kind, f, acting);
        return;
    }
    ActAcross(kind, d, f, acting, last->rows[RowOf(d)]);
    for (int q = 0; ends && q < SumsOf(kind); ++q)
    {
        VecStore(to + q * c->stride, VecLoad(to + q * c->stride) + acting->led[q]);
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
    for (int q = 0; q < SumsOf(kind); ++q)
    {
        Real behind = view->own[q * OWN_STRIDE + view->count];
        view->sums[q * view->stride + view->count] += kind.share ? behind : -behind;
    }
}

// All springs of places from i on.
RSL_INLINE void AddPlaces(const StripView* view, const Constants* c, Kind kind, int i, Last* last)
{
    const Real* k = view->constants + view->chunks[i / LANES] + i % LANES;
    Springs of[BODY_SPRINGS];
    Acting acting;
    RSL_UNROLL
    for (int s = 0; s < SpringsOf(kind) + 2; ++s)
    {
        if (s < SpringsOf(kind))
        {
            const rslStep d = StepOf(kind, s);
            const Real *here = view->here + i, *late = (d.z == 0 ? here : view->above + i) + d.y * view->pitch;
            Look(c, d, here + (d.x < 0), late + (d.x > 0), &of[s]);
        }
        if (s >= 1 && s <= SpringsOf(kind))
        {
            Divide(kind, &of[s - 1]);
        }
        if (s >= 2)
        {
            const rslStep d = StepOf(kind, s - 2);
            Real* to = (d.z == 0 ? view->sums : view->sumsAbove) + i + d.y * view->pitch;
            Act(c, kind, s - 2, &of[s - 2], k + LANES * (s - 2), &acting, last, to);
        }
    }
    for (int q = 0; q < OwnsOf(kind); ++q)
    {
        VecStore(view->own + q * OWN_STRIDE + i, acting.own[q] + OneOn(acting.on[q], &last->own[q]));
    }
}

RSL_INLINE void AddStrip(const StripView* of, Kind kind)
{
    const StripView view = *of;  // no store can change it
    const Constants c = MakeConstants(&view);
    Last last = { { { 0 } }, { { { 0 } } } };
    int i = 0;
    for (; i < view.count; i += VEC)
    {
        AddPlaces(&view, &c, kind, i, &last);
    }
    HandOn(kind, last.rows[0], view.sums + i + view.pitch, c.stride);
    for (int y = 1; y >= -1; --y)
    {
        HandOn(kind, last.rows[2 - y], view.sumsAbove + i + y * view.pitch, c.stride);
    }
    EndOwn(&view, kind, last.own, i);
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
