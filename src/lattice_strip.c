// SPDX-License-Identifier: MIT
//
// lattice_strip.c: the springs of a run of a strip, as many places together as a register has lanes. Nothing in a lane depends on another one.
//
// With b the spring at rest, L0 its length, d = u_late - u_early and dw likewise (bond.h):
//   s = |b + d|^2 - L0^2 = d.(d + 2 b),  p = (L - L0) / L by s / L0^2 (elongation.h)
//   T / L           = k p
//   c (d.dw) / L^2  = k r (b + d).dw (1 - p)^2 / L0^2,  c = r k
// A law that is not linear multiplies T by 1 - c + c L0 / L = 1 - c p (spring_law.h). Dispersion (force_dispersion.c), with the shares H of
// both ends, and those of rates:
//   T / L          += k out (H_early + H_late) (1 - p) / L0
//   dL = L0 e / (1 + sqrt(x)) = L0 p x (1 - p),  x = 1 + e,  e = s / L0^2,  dL / dt = (b + d).dw (1 - p) / L0      what shares are made of
// Where shares are found just before forces, springs keep what both need: there is but one root of every spring.
//
// All springs that lead to one place of a row are asked together: straight on, one back, whose early end is one on, and one on, whose early
// end is one back. So their late ends have one sum, which is read and written once a row; what they do to their early ends is kept in three
// sums, of which two are handed to the lanes beside theirs when the place is done. A place has its own sum as
//   (by springs that lead straight on from it, and the one along the row to it) + (by those one back) + (by those one on)
// each in the order of rows, at any width.
//
// A spring is divided after the next one has been looked at, and pulls after that is divided: roots and divisions take long, and a processor
// can hold only so many operations that wait for them. Rounds of two or three springs were slower, and all roots of a place before all divisions
// no faster.

#include "lattice_strip.h"

#include "elongation.h"

// What a loop is compiled for.
typedef struct Kind
{
    bool bodies;           // with shell C
    bool damped, general;  // with dampers; with a law or dampers of their own each
    bool spread;           // with dispersion
    bool share;            // elongations instead of forces
    bool kept;             // with dispersion: what shares were made of is kept, or there already
    bool above;            // only springs to the next plane, and what they do there
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

RSL_INLINE int FirstOf(Kind kind)
{
    return kind.above ? FIRST_ABOVE : 0;
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

// Springs on their way: b + d, what p is made of, p; (b + d).dw; out (H_early + H_late) / L0, also of rates.
typedef struct Springs
{
    Vec x, y, z, e, square, root, by, part;
    Vec rate, shared, dragShared;
    int shell;
} Springs;

// Springs without dampers and with a linear law have T / L = k e / (x + sqrt(x)) as their part instead of p, so that hardly anything waits for
// the division; with dispersion they have p, and dL = L0 p sqrt(x).
RSL_INLINE bool IsPlain(Kind kind)
{
    return !kind.damped && !kind.general;
}

// What is kept of a spring: p, and (b + d).dw where that counts.
RSL_INLINE int KeptOf(Kind kind)
{
    return IsPlain(kind) ? 1 : 2;
}

// Does it know already what shares were made of?
RSL_INLINE bool Knows(Kind kind)
{
    return kind.spread && kind.kept;
}

// Fields that a loop reads.
RSL_INLINE bool Reads(Kind kind, int field)
{
    return field < FIELD_W ||
           (field < FIELD_SHARE ? kind.damped && !Knows(kind) : kind.spread && (field == FIELD_SHARE || kind.damped));
}

// How far it is elongated. The least length is that of its square.
RSL_INLINE void Measure(const Constants* c, rslStep d, Vec x, Vec y, Vec z, Springs* of)
{
    Vec sum = x * Shifted(x, d.x, c->twice) + y * Shifted(y, d.y, c->twice) + z * Shifted(z, d.z, c->twice);
    of->e = sum * c->inverse[of->shell];
    of->square = ElongatedSquare(of->e);
    of->root = VecRoot(of->square);
    of->by = of->square + of->root;
}

// Their late ends are those of all springs that lead to the same place.
RSL_INLINE void Look(const Constants* c, Kind kind, rslStep d, const Real* early, const Vec late[FIELDS],
                     const Real* kept, Springs* of)
{
    const ptrdiff_t s = c->stride;
    Vec x = late[0] - VecLoad(early), y = late[1] - VecLoad(early + s), z = late[2] - VecLoad(early + 2 * s);
    of->shell = ShellOf(d);
    if (!Knows(kind))
    {
        Measure(c, d, x, y, z, of);
    }
    of->x = Shifted(x, d.x, c->b);
    of->y = Shifted(y, d.y, c->b);
    of->z = Shifted(z, d.z, c->b);
    if (Knows(kind) && !IsPlain(kind))
    {
        of->rate = VecLoad(kept + LANES);
    }
    else if (kind.damped)
    {
        const Real* w = early + FIELD_W * s;
        of->rate = of->x * (late[FIELD_W] - VecLoad(w)) + of->y * (late[FIELD_W + 1] - VecLoad(w + s)) +
                   of->z * (late[FIELD_W + 2] - VecLoad(w + 2 * s));
    }
    if (kind.spread)
    {
        of->shared = c->out[of->shell] * (VecLoad(early + FIELD_SHARE * s) + late[FIELD_SHARE]);
    }
    if (kind.spread && kind.damped)
    {
        of->dragShared = c->out[of->shell] * (VecLoad(early + FIELD_DRAG_SHARE * s) + late[FIELD_DRAG_SHARE]);
    }
}

RSL_INLINE Vec RatioOf(const Constants* c, Kind kind, const Real* k)
{
    return kind.general ? VecLoad(k + LANES * SpringsOf(kind)) : c->ratio;
}

// T / L of a plain spring with dispersion.
RSL_INLINE Vec Spread(const Springs* of, const Real* k)
{
    return VecLoad(k) * (of->part + ((Real)1 - of->part) * of->shared);
}

// A part, which springs that are shared keep.
RSL_INLINE void Divide(Kind kind, Springs* of, const Real* k, Real* kept)
{
    const bool plain = IsPlain(kind);
    if (Knows(kind))
    {
        of->part = VecLoad(kept);
        of->part = plain ? Spread(of, k) : of->part;
        return;
    }
    of->part = (plain && !kind.share && !kind.spread ? VecLoad(k) * of->e : of->e) / of->by;
    if (kind.share && kind.kept)
    {
        VecStore(kept, of->part);
    }
    if (kind.share && kind.kept && !plain)
    {
        VecStore(kept + LANES, of->rate);
    }
}

// T / L
RSL_INLINE Vec PullOf(const Constants* c, Kind kind, const Springs* of, const Real* k)
{
    Vec part = of->part;
    if (IsPlain(kind))
    {
        return kind.spread && !kind.kept ? Spread(of, k) : part;
    }
    Vec pull = kind.general ? part * ((Real)1 - c->carrier * part) : part;
    return VecLoad(k) * (kind.spread ? pull + ((Real)1 - part) * of->shared : pull);
}

// What dampers add to it: drag / L.
RSL_INLINE Vec DragOf(const Constants* c, Kind kind, const Springs* of, const Real* k)
{
    Vec shorter = (Real)1 - of->part, drag = shorter * shorter * c->inverse[of->shell] * of->rate;
    if (kind.spread)
    {
        drag += shorter * of->dragShared;
    }
    return drag * (VecLoad(k) * RatioOf(c, kind, k));
}

// What both ends of springs add to their shares: k in dL, and c in dL/dt.
RSL_INLINE void Elongate(const Constants* c, Kind kind, const Springs* of, const Real* k, Vec f[3])
{
    Vec stiffness = VecLoad(k) * c->in[of->shell], shorter = (Real)1 - of->part;
    if (IsPlain(kind))
    {
        f[0] = stiffness * (of->part * of->root);
        return;
    }
    f[0] = stiffness * (of->part * of->square * shorter);
    if (kind.damped)
    {
        f[1] = of->rate * c->inverse[of->shell] * (stiffness * RatioOf(c, kind, k) * shorter);
    }
}

// ---- rows -----------------------------------------------------------------------------------------------------------

#define SHIFT __builtin_shufflevector

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
// Three numbers at a time: so many sums fit into registers.
typedef struct Acting
{
    Vec straight[3], on[3], back[3], led[3];
} Acting;

// The sums that are made at a time, of all those of a kind.
typedef struct Part
{
    int first, count;
} Part;

// Of a spring that leads to places: on to their early ends, which begin with the first spring of their kind, and to their row's sum.
RSL_INLINE void ActAcross(Kind kind, Part part, rslStep d, const Vec f[3], bool begins, Acting* acting)
{
    Vec* early = d.x < 0 ? acting->on : d.x > 0 ? acting->back : acting->straight;
    for (int q = 0; !kind.above && q < part.count; ++q)
    {
        early[q] = begins ? f[q] : early[q] + f[q];
    }
    for (int q = 0; q < part.count; ++q)
    {
        acting->led[q] = d.x == 0 ? f[q] : acting->led[q] + f[q];
    }
}

// The spring along the row leads to the places themselves.
RSL_INLINE void ActAlong(Kind kind, Part part, const Vec f[3], Acting* acting)
{
    for (int q = 0; q < part.count; ++q)
    {
        acting->back[q] = f[q];
        acting->straight[q] = kind.share ? f[q] : (Real)0 - f[q];  // never -0, and so no own sum is
    }
}

RSL_INLINE const Real* RowOf(const StripView* view, rslStep d, int i)
{
    return (d.z == 0 ? view->here : view->above) + i + d.y * view->pitch;
}

RSL_INLINE void Act(const StripView* view, Kind kind, Part part, int spring, int i, const Vec f[3], Acting* acting)
{
    const bool ends = spring + 1 == SpringsOf(kind) || StepOf(kind, spring + 1).x == 0;
    const rslStep d = StepOf(kind, spring);
    if (spring == 0)
    {
        ActAlong(kind, part, f, acting);
        return;
    }
    ActAcross(kind, part, d, f, spring == FIRST_BACK, acting);
    Real* to = (d.z == 0 ? view->sums : view->sumsAbove) + i + d.y * view->pitch + part.first * view->stride;
    for (int q = 0; ends && q < part.count; ++q)
    {
        VecStore(to + q * view->stride, VecLoad(to + q * view->stride) + acting->led[q]);
    }
}

// Own sums of places, what acts from one on being handed on to the next register.
RSL_INLINE void EndPlaces(const StripView* view, Kind kind, Part part, int i, const Acting* acting, Vec last[SUMS])
{
    for (int q = 0; !kind.above && q < part.count; ++q)
    {
        Real* own = view->own + (part.first + q) * OWN_STRIDE + i;
        Vec sum = acting->straight[q] + ONE_ON(last[part.first + q], acting->on[q]);
        own[-1] += acting->back[q][0];  // of the first register nobody reads it
        VecStore(own, sum + ONE_BACK(acting->back[q], VecOf(-(Real)0)));
        last[part.first + q] = acting->on[q];
    }
}

// ---- strips ---------------------------------------------------------------------------------------------------------

// A round of springs on their way: looks at the next one, divides the one before. Returns the one that is ready, less than the first: none yet.
RSL_INLINE int Advance(const StripView* view, const Constants* c, Kind kind, int s, int i, const Real* k, Real* kept,
                       Vec late[FIELDS], Springs of[BODY_SPRINGS])
{
    const int step = LANES * KeptOf(kind);
    if (s < SpringsOf(kind))
    {
        const rslStep d = StepOf(kind, s);
        const Real* row = RowOf(view, d, i);
        for (int f = 0; (s == 0 || d.x == 0) && f < FIELDS; ++f)
        {
            late[f] = Reads(kind, f) ? VecLoad(row + f * c->stride) : VecOf(0);
        }
        Look(c, kind, d, view->here + i - d.x, late, kept + s * step, &of[s]);
    }
    if (s > FirstOf(kind) && s <= SpringsOf(kind))
    {
        Divide(kind, &of[s - 1], k + LANES * (s - 1), kept + (s - 1) * step);
    }
    return s - 2;
}

RSL_INLINE Real* KeptAt(const StripView* view, Kind kind, int i)
{
    return kind.kept ? view->kept + (ptrdiff_t)(i / LANES) * (LANES * SpringsOf(kind) * KeptOf(kind)) + i % LANES
                     : view->own;
}

// All springs to places from i on.
RSL_INLINE void AddPlaces(const StripView* view, const Constants* c, Kind kind, int i, Vec last[SUMS])
{
    const Part part = { 0, kind.share ? SumsOf(kind) : 3 };
    const Real* k = view->constants + view->chunks[i / LANES] + i % LANES;
    Real* kept = KeptAt(view, kind, i);
    Springs of[BODY_SPRINGS];
    Vec late[FIELDS];
    Acting acting;
    RSL_UNROLL
    for (int s = FirstOf(kind); s < SpringsOf(kind) + 2; ++s)
    {
        const int ready = Advance(view, c, kind, s, i, k, kept, late, of);
        if (ready >= FirstOf(kind))
        {
            const Springs* one = &of[ready];
            Vec f[3];
            if (kind.share)
            {
                Elongate(c, kind, one, k + LANES * ready, f);
            }
            else
            {
                Vec pull = PullOf(c, kind, one, k + LANES * ready);
                f[0] = pull * one->x;
                f[1] = pull * one->y;
                f[2] = pull * one->z;
            }
            Act(view, kind, part, ready, i, f, &acting);
        }
    }
    EndPlaces(view, kind, part, i, &acting, last);
}

// Springs with dampers: sums of what acts and of what dampers alone do are twice as many as registers hold beside springs on their way. So
// springs are found first and summed up after that, one kind of sums after the other. With one of them summed up at once it took 1.15 times as long.
typedef struct Found
{
    Vec x[BODY_SPRINGS], y[BODY_SPRINGS], z[BODY_SPRINGS];  // b + d
    Vec pull[BODY_SPRINGS], drag[BODY_SPRINGS];             // over L: all that acts, and of that what dampers do
} Found;

RSL_INLINE void SumUp(const StripView* view, Kind kind, Part part, const Found* found, const Vec* along, Vec last[SUMS])
{
    Acting acting;
    RSL_UNROLL
    for (int s = FirstOf(kind); s < SpringsOf(kind); ++s)
    {
        const Vec f[3] = { along[s] * found->x[s], along[s] * found->y[s], along[s] * found->z[s] };
        Act(view, kind, part, s, 0, f, &acting);
    }
    EndPlaces(view, kind, part, 0, &acting, last);
}

// A run from its places i on. The compiler is to know nothing of its pointers: otherwise gcc keeps one for every field of every row, which are
// more than there are registers, and moves all of them on from places to places. Loops with dampers took 1.2 times as long.
RSL_INLINE StripView From(const StripView* strip, int i)
{
    StripView view = *strip;
    view.here += i;
    view.above += i;
    view.sums += i;
    view.sumsAbove += i;
    view.own += i;
    __asm__("" : "+r"(view.here), "+r"(view.above), "+r"(view.sums), "+r"(view.sumsAbove), "+r"(view.own));
    return view;
}

RSL_INLINE void AddDampedPlaces(const StripView* strip, const Constants* c, Kind kind, int i, Vec last[SUMS])
{
    const Real* k = strip->constants + strip->chunks[i / LANES] + i % LANES;
    Real* kept = KeptAt(strip, kind, i);
    const StripView view = From(strip, i);
    Springs of[BODY_SPRINGS];
    Vec late[FIELDS], lost = VecOf(0);  // what dampers of all of them take [W]
    Found found;
    RSL_UNROLL
    for (int s = FirstOf(kind); s < SpringsOf(kind) + 2; ++s)
    {
        const int ready = Advance(&view, c, kind, s, 0, k, kept, late, of);
        if (ready >= FirstOf(kind))
        {
            const Springs* one = &of[ready];
            Vec pull = PullOf(c, kind, one, k + LANES * ready), drag = DragOf(c, kind, one, k + LANES * ready);
            lost += drag * one->rate;
            found.x[ready] = one->x;
            found.y[ready] = one->y;
            found.z[ready] = one->z;
            found.pull[ready] = pull + drag;
            found.drag[ready] = drag;
        }
    }
    SumUp(&view, kind, (Part){ SUM_FORCE, 3 }, &found, found.pull, last);
    SumUp(&view, kind, (Part){ SUM_DRAG, 3 }, &found, found.drag, last);
    if (!kind.above)
    {
        VecAddTo(strip->lost + i % LANES, lost);
    }
}

// What the spring along the row does to the place behind the strip belongs to its sums: forces count there with the other sign.
RSL_INLINE void EndStrip(const StripView* view, Kind kind)
{
    for (int q = 0; view->behind > 0 && !kind.above && q < SumsOf(kind); ++q)
    {
        Real f = view->own[q * OWN_STRIDE + view->behind];
        view->sums[q * view->stride + view->behind] += kind.share ? f : -f;
    }
}

// What is read when the strip is done, from a place of its runs on.
RSL_INLINE void Fetch(const StripView* view, int place)
{
    for (int which = 0; view->fetches && which < SOON; ++which)
    {
        __builtin_prefetch((const void*)(view->soon[which] + sizeof(Real) * (size_t)place));
    }
}

// The places of a run, before which the strip has had so many chunks.
RSL_INLINE void AddRun(const StripView* strip, const Constants* c, Kind kind, const StripRun* run, int chunks)
{
    StripView view = *strip;
    view.here += run->at;
    view.above += run->at;
    view.sums += run->at;
    view.sumsAbove += run->at;
    view.own += run->at;
    view.chunks += chunks;
    view.kept = KeptAt(strip, kind, LANES * chunks);
    Vec last[SUMS] = { { 0 } };
    for (int i = 0; i < run->chunks * LANES; i += LANES)
    {
        Fetch(strip, LANES * chunks + i);
        for (int part = 0; part < LANES; part += VEC)
        {
            if (kind.damped && !kind.share)
            {
                AddDampedPlaces(&view, c, kind, i + part, last);
            }
            else
            {
                AddPlaces(&view, c, kind, i + part, last);
            }
        }
    }
}

RSL_INLINE void AddStrip(const StripView* of, Kind kind)
{
    const StripView view = *of;  // no store can change it
    const Constants c = MakeConstants(&view);
    int chunks = 0;
    for (int r = 0; r < view.runCount; ++r)
    {
        AddRun(&view, &c, kind, &view.runs[r], chunks);
        chunks += view.runs[r].chunks;
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
ALL_STRIPS(SpreadKept, .spread = true, .kept = true)
ALL_STRIPS(ShareKept, .share = true, .kept = true)
ALL_STRIPS(AddAbove, .spread = false, .above = true)
ALL_STRIPS(SpreadAbove, .spread = true, .above = true)
ALL_STRIPS(ShareAbove, .share = true, .above = true)
ALL_STRIPS(SpreadKeptAbove, .spread = true, .kept = true, .above = true)
ALL_STRIPS(ShareKeptAbove, .share = true, .kept = true, .above = true)
