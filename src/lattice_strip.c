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
//   dL = L0 e / (1 + sqrt(x)) = L0 p x (1 - p),  x = 1 + e,  e = s / L0^2,  dL / dt = (b + d).dw (1 - p) / L0      what shares are made of
//
// All springs that lead to one place of a row are asked together: straight on, one back, whose early end is one on, and one on, whose early
// end is one back. So their late ends have one sum, which is read and written once a row; what they do to their early ends is kept in three
// sums, of which two are handed to the lanes beside theirs when the place is done. A place has its own sum as
//   (by springs that lead straight on from it, and the one along the row to it) + (by those one back) + (by those one on)
// each in the order of rows, at any width.
//
// A spring is divided after the next one has been looked at, and pulls after that is divided: roots and divisions take long, and a processor
// can hold only so many operations that wait for them.

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

// Springs on their way: where they begin and end, b + d, what p is made of, p.
typedef struct Springs
{
    const Real *early, *late;
    Vec x, y, z, e, square, root, by, part;
    int shell;
} Springs;

// Springs without dampers and with a linear law have k e / (x + sqrt(x)), or k dL / L0 = k e / (1 + sqrt(x)), as their part instead of p, and
// what they share in it, with S = out (H_early + H_late) / L0:
//   T / L = k (p + S (1 - p)) = k (e + S (1 + sqrt(x))) / (x + sqrt(x))
// so that hardly anything waits for the division.
RSL_INLINE bool IsPlain(Kind kind)
{
    return !kind.damped && !kind.general;
}

RSL_INLINE void Look(const Constants* c, Kind kind, rslStep d, const Real* early, const Real* late, Springs* of)
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
    of->by = (kind.share && IsPlain(kind) ? VecOf(1) : of->square) + of->root;
    of->x = Shifted(x, d.x, c->b);
    of->y = Shifted(y, d.y, c->b);
    of->z = Shifted(z, d.z, c->b);
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

// What is divided.
RSL_INLINE Vec DividendOf(const Constants* c, Kind kind, const Springs* of, const Real* k)
{
    if (!IsPlain(kind))
    {
        return of->e;
    }
    return VecLoad(k) * (kind.spread ? of->e + SharedBy(c, of, FIELD_SHARE) * ((Real)1 + of->root) : of->e);
}

// T / L
RSL_INLINE Vec PullOf(const Constants* c, Kind kind, const Springs* of, const Real* k)
{
    Vec part = of->part;
    if (IsPlain(kind))
    {
        return part;
    }
    Vec pull = kind.general ? part * ((Real)1 - c->carrier * part) : part;
    return VecLoad(k) * (kind.spread ? pull + ((Real)1 - part) * SharedBy(c, of, FIELD_SHARE) : pull);
}

// What springs do to their early ends.
RSL_INLINE void Pull(const Constants* c, Kind kind, const Springs* of, const Real* k, Vec f[SUMS], Vec* lost)
{
    Vec pull = PullOf(c, kind, of, k);
    if (kind.damped)
    {
        Vec shorter = (Real)1 - of->part, rate = RateOf(c, of);
        Vec drag = shorter * shorter * c->inverse[of->shell] * rate;
        if (kind.spread)
        {
            drag += shorter * SharedBy(c, of, FIELD_DRAG_SHARE);
        }
        drag *= VecLoad(k) * RatioOf(c, kind, k);
        pull += drag;
        f[SUM_DRAG] = drag * of->x;
        f[SUM_DRAG + 1] = drag * of->y;
        f[SUM_DRAG + 2] = drag * of->z;
        *lost += drag * rate;
    }
    f[SUM_FORCE] = pull * of->x;
    f[SUM_FORCE + 1] = pull * of->y;
    f[SUM_FORCE + 2] = pull * of->z;
}

// What both ends of springs add to their shares: k in dL, and c in dL/dt.
RSL_INLINE void Elongate(const Constants* c, Kind kind, const Springs* of, const Real* k, Vec f[SUMS])
{
    if (IsPlain(kind))
    {
        f[0] = of->part * c->in[of->shell];
        return;
    }
    Vec stiffness = VecLoad(k) * c->in[of->shell], shorter = (Real)1 - of->part;
    f[0] = stiffness * (of->part * of->square * shorter);
    if (kind.damped)
    {
        f[1] = RateOf(c, of) * c->inverse[of->shell] * (stiffness * RatioOf(c, kind, k) * shorter);
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

// Every number in the lane behind its own, the last one of the register before in the first; and in the lane before its own, with nothing
// (x + -0 = x) in the last.
#if RSL_WIDTH / RSL_PRECISION == 16
#define ONE_ON(before, v) SHIFT(before, v, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
#elif RSL_WIDTH / RSL_PRECISION == 8
#define ONE_ON(before, v) SHIFT(before, v, 7, 8, 9, 10, 11, 12, 13, 14)
#elif RSL_WIDTH / RSL_PRECISION == 4
#define ONE_ON(before, v) SHIFT(before, v, 3, 4, 5, 6)
#else
#define ONE_ON(before, v) SHIFT(before, v, 1, 2)
#endif
#if RSL_WIDTH / RSL_PRECISION == 16
#define ONE_BACK(v, behind) SHIFT(v, behind, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
#elif RSL_WIDTH / RSL_PRECISION == 8
#define ONE_BACK(v, behind) SHIFT(v, behind, 1, 2, 3, 4, 5, 6, 7, 8)
#elif RSL_WIDTH / RSL_PRECISION == 4
#define ONE_BACK(v, behind) SHIFT(v, behind, 1, 2, 3, 4)
#else
#define ONE_BACK(v, behind) SHIFT(v, behind, 1, 2)
#endif

// What acts on places by springs straight on, by those from one on and by those from one back; and on late ends of the row that is asked.
typedef struct Acting
{
    Vec straight[SUMS], on[SUMS], back[SUMS], led[SUMS];
    Vec lost;  // what dampers of all of them take [W]
} Acting;

// Of a spring that leads to places: on to their early ends, which begin with the first spring of their kind, and to their row's sum.
RSL_INLINE void ActAcross(Kind kind, rslStep d, const Vec f[SUMS], bool begins, Acting* acting)
{
    Vec* early = d.x < 0 ? acting->on : d.x > 0 ? acting->back : acting->straight;
    for (int q = 0; q < SumsOf(kind); ++q)
    {
        early[q] = begins ? f[q] : early[q] + f[q];
    }
    for (int q = 0; q < SumsOf(kind); ++q)
    {
        acting->led[q] = d.x == 0 ? f[q] : acting->led[q] + f[q];
    }
}

// The spring along the row leads to the places themselves.
RSL_INLINE void ActAlong(Kind kind, const Vec f[SUMS], Acting* acting)
{
    for (int q = 0; q < SumsOf(kind); ++q)
    {
        acting->back[q] = f[q];
        acting->straight[q] = kind.share ? f[q] : (Real)0 - f[q];  // never -0, and so no own sum is
    }
}

RSL_INLINE void Act(const Constants* c, Kind kind, int spring, const Springs* of, const Real* k, Acting* acting,
                    Real* to)
{
    const bool ends = spring + 1 == SpringsOf(kind) || StepOf(kind, spring + 1).x == 0;
    Vec f[SUMS];
    if (kind.share)
    {
        Elongate(c, kind, of, k, f);
    }
    else
    {
        Pull(c, kind, of, k, f, &acting->lost);
    }
    if (spring == 0)
    {
        ActAlong(kind, f, acting);
        return;
    }
    ActAcross(kind, StepOf(kind, spring), f, spring == FIRST_BACK, acting);
    for (int q = 0; ends && q < SumsOf(kind); ++q)
    {
        VecStore(to + q * c->stride, VecLoad(to + q * c->stride) + acting->led[q]);
    }
}

// ---- strips ---------------------------------------------------------------------------------------------------------

// All springs to places from i on.
RSL_INLINE void AddPlaces(const StripView* view, const Constants* c, Kind kind, int i, Vec last[SUMS])
{
    const Real* k = view->constants + view->chunks[i / LANES] + i % LANES;
    Springs of[BODY_SPRINGS];
    Acting acting = { .lost = VecOf(0) };
    RSL_UNROLL
    for (int s = 0; s < SpringsOf(kind) + 2; ++s)
    {
        if (s < SpringsOf(kind))
        {
            const rslStep d = StepOf(kind, s);
            const Real *here = view->here + i, *late = (d.z == 0 ? here : view->above + i) + d.y * view->pitch;
            Look(c, kind, d, here - d.x, late, &of[s]);
        }
        if (s >= 1 && s <= SpringsOf(kind))
        {
            of[s - 1].part = DividendOf(c, kind, &of[s - 1], k + LANES * (s - 1)) / of[s - 1].by;
        }
        if (s >= 2)
        {
            const rslStep d = StepOf(kind, s - 2);
            Real* to = (d.z == 0 ? view->sums : view->sumsAbove) + i + d.y * view->pitch;
            Act(c, kind, s - 2, &of[s - 2], k + LANES * (s - 2), &acting, to);
        }
    }
    for (int q = 0; q < SumsOf(kind); ++q)
    {
        Real* own = view->own + q * OWN_STRIDE + i;
        Vec sum = acting.straight[q] + ONE_ON(last[q], acting.on[q]);
        own[-1] += acting.back[q][0];  // of the first register nobody reads it
        VecStore(own, sum + ONE_BACK(acting.back[q], VecOf(-(Real)0)));
        last[q] = acting.on[q];
    }
    if (kind.damped && !kind.share)
    {
        VecStore(view->own + OWN_LOST * OWN_STRIDE + i, acting.lost);
    }
}

// What the spring along the row does to the place behind the strip belongs to its sums: forces count there with the other sign.
RSL_INLINE void EndStrip(const StripView* view, Kind kind)
{
    const int behind = view->count + 1;
    for (int q = 0; q < SumsOf(kind); ++q)
    {
        Real f = view->own[q * OWN_STRIDE + behind];
        view->sums[q * view->stride + behind] += kind.share ? f : -f;
    }
}

RSL_INLINE void AddStrip(const StripView* of, Kind kind)
{
    const StripView view = *of;  // no store can change it
    const Constants c = MakeConstants(&view);
    Vec last[SUMS] = { { 0 } };
    for (int i = 0; i < view.count + 2; i += LANES)
    {
        for (int which = 0; view.fetches && which < SOON; ++which)
        {
            __builtin_prefetch((const void*)(view.soon[which] + sizeof(Real) * (size_t)i));
        }
        for (int part = 0; part < LANES; part += VEC)
        {
            AddPlaces(&view, &c, kind, i + part, last);
        }
    }
    EndStrip(&view, kind);
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
