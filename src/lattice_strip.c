// SPDX-License-Identifier: MIT
//
// lattice_strip.c: the springs of a strip, as many together as a register has lanes. Nothing in a lane depends on another one.
//
// With b the spring at rest, L0 its length, d = u_late - u_early and dw likewise (bond.h):
//   s = |b + d|^2 - L0^2 = d.(d + 2 b),  p = (L - L0) / L by s / L0^2 (elongation.h)
//   T / L           = k p
//   c (d.dw) / L^2  = k r (b + d).dw (1 - p)^2 / L0^2,  c = r k
// A law that is not linear multiplies T by 1 - c + c L0 / L = 1 - c p (spring_law.h). Dispersion (force_dispersion.c), with the shares H of
// both ends, and those of rates:
//   T / L          += k out (H_early + H_late) (1 - p) / L0
//   dL = L0 p sqrt(1 + s / L0^2),  dL / dt = (b + d).dw (1 - p) / L0      what shares are made of

#include "lattice_strip.h"

#include "elongation.h"

#include <stdbool.h>
#include <stddef.h>

// What springs of a direction have in common, along the axes of their view. Locals: no store can change them.
typedef struct Rest
{
    int along;  // so many axes
    Vec b[3], twice[3], inverse;
} Rest;

RSL_INLINE Rest MakeRest(const StripView* view, int along)
{
    Rest rest = { .along = along, .inverse = VecOf(view->inverse) };
    for (int axis = 0; axis < 3; ++axis)
    {
        rest.b[axis] = VecOf(view->bond[view->order[axis]]);
        rest.twice[axis] = rest.b[axis] + rest.b[axis];
    }
    return rest;
}

RSL_INLINE Vec StretchOf(const Rest* rest, Vec x, Vec y, Vec z)
{
    Vec s = x * (x + rest->twice[0]) + (rest->along > 1 ? y * (y + rest->twice[1]) : y * y) +
            (rest->along > 2 ? z * (z + rest->twice[2]) : z * z);
    return s * rest->inverse;
}

// some: springs of the last register, which is not full; 0: it is.
#define LOAD(from) (some ? VecLoadSome((from) + i, some) : VecLoad((from) + i))
#define STORE(to, v)                                                                                                   \
    if (some)                                                                                                          \
    {                                                                                                                  \
        VecStoreSome((to) + i, v, some);                                                                               \
    }                                                                                                                  \
    else                                                                                                               \
    {                                                                                                                  \
        VecStore((to) + i, v);                                                                                         \
    }
#define ADD(to, v) STORE(to, LOAD(to) + (v))

// One strip: places in the arrays of its ends, along its axes.
typedef struct Cursor
{
    int count;
    const Real *k, *ratios;
    const Real *u[3], *v[3], *p[3], *q[3];  // displacements and velocities of early and late ends
    Real *f[3], *g[3], *d[3], *e[3];        // what is added: forces, and those of dampers
    const Real *share[2], *dragShare[2];
    Real* lost;
} Cursor;

RSL_INLINE Cursor MakeCursor(const StripView* view, const Strip* strip)
{
    const StripEnds *early = view->early, *late = view->late;
    const int from = strip->from, to = from + strip->offset;
    Cursor c = { .count = strip->count, .k = view->constants + strip->constants };
    c.ratios = c.k + c.count;
    for (int i = 0; i < 3; ++i)
    {
        const int axis = view->order[i];
        c.u[i] = early->u[axis] + (from - early->seen);
        c.v[i] = late->u[axis] + (to - late->seen);
        c.p[i] = early->w[axis] + (from - early->seen);
        c.q[i] = late->w[axis] + (to - late->seen);
        c.f[i] = early->to[axis] + (from - early->added);
        c.g[i] = late->to[axis] + (to - late->added);
        c.d[i] = early->drag[axis] + (from - early->added);
        c.e[i] = late->drag[axis] + (to - late->added);
    }
    c.lost = view->lost + (from - early->added);
    c.share[0] = view->share + from;
    c.share[1] = view->share + to;
    c.dragShare[0] = view->dragShare + from;
    c.dragShare[1] = view->dragShare + to;
    return c;
}

// What a loop is compiled for.
typedef struct Kind
{
    int along;
    bool general, spread;
} Kind;

typedef struct Constants
{
    Rest rest;
    Vec ratio, carrier, in, out;
} Constants;

RSL_INLINE Constants MakeConstants(const StripView* view, int along)
{
    return (Constants){ .rest = MakeRest(view, along),
                        .ratio = VecOf(view->ratio),
                        .carrier = VecOf(view->carrier),
                        .in = VecOf(view->in),
                        .out = VecOf(view->out) };
}

RSL_INLINE void AddSprings(const Constants* constants, Kind kind, const Cursor* c, int i, int some)
{
    const Rest* rest = &constants->rest;
    Vec x = LOAD(c->v[0]) - LOAD(c->u[0]), y = LOAD(c->v[1]) - LOAD(c->u[1]), z = LOAD(c->v[2]) - LOAD(c->u[2]);
    Vec part = ElongatedPart(StretchOf(rest, x, y, z));
    if (kind.spread)
    {
        part += ((Real)1 - part) * (constants->out * (LOAD(c->share[0]) + LOAD(c->share[1])));
    }
    Vec pull = LOAD(c->k) * part;
    x = pull * (x + rest->b[0]);
    y = pull * (kind.along > 1 ? y + rest->b[1] : y);
    z = pull * (kind.along > 2 ? z + rest->b[2] : z);
    Vec fx = LOAD(c->f[0]), fy = LOAD(c->f[1]), fz = LOAD(c->f[2]);
    Vec gx = LOAD(c->g[0]), gy = LOAD(c->g[1]), gz = LOAD(c->g[2]);
    STORE(c->f[0], fx + x);
    STORE(c->f[1], fy + y);
    STORE(c->f[2], fz + z);
    STORE(c->g[0], gx - x);
    STORE(c->g[1], gy - y);
    STORE(c->g[2], gz - z);
}

// (b + d).dw
#define RATE(x, y, z)                                                                                                  \
    ((x) * (LOAD(c->q[0]) - LOAD(c->p[0])) + (y) * (LOAD(c->q[1]) - LOAD(c->p[1])) +                                   \
     (z) * (LOAD(c->q[2]) - LOAD(c->p[2])))

RSL_INLINE void AddSpringsAndDampers(const Constants* constants, Kind kind, const Cursor* c, int i, int some)
{
    const Rest* rest = &constants->rest;
    Vec x = LOAD(c->v[0]) - LOAD(c->u[0]), y = LOAD(c->v[1]) - LOAD(c->u[1]), z = LOAD(c->v[2]) - LOAD(c->u[2]);
    Vec k = LOAD(c->k), part = ElongatedPart(StretchOf(rest, x, y, z)), shorter = (Real)1 - part;
    x += rest->b[0];
    y = kind.along > 1 ? y + rest->b[1] : y;
    z = kind.along > 2 ? z + rest->b[2] : z;
    Vec rate = RATE(x, y, z), drag = shorter * shorter * rest->inverse * rate;
    Vec pull = kind.general ? part * ((Real)1 - constants->carrier * part) : part;
    if (kind.spread)
    {
        pull += shorter * (constants->out * (LOAD(c->share[0]) + LOAD(c->share[1])));
        drag += shorter * (constants->out * (LOAD(c->dragShare[0]) + LOAD(c->dragShare[1])));
    }
    drag *= k * (kind.general ? LOAD(c->ratios) : constants->ratio);
    pull = k * pull + drag;
    ADD(c->lost, drag * rate);
    ADD(c->f[0], pull * x);
    ADD(c->f[1], pull * y);
    ADD(c->f[2], pull * z);
    ADD(c->g[0], -(pull * x));
    ADD(c->g[1], -(pull * y));
    ADD(c->g[2], -(pull * z));
    ADD(c->d[0], drag * x);
    ADD(c->d[1], drag * y);
    ADD(c->d[2], drag * z);
    ADD(c->e[0], -(drag * x));
    ADD(c->e[1], -(drag * y));
    ADD(c->e[2], -(drag * z));
}

// What both ends of springs add to their shares: k in dL, and c in dL/dt.
RSL_INLINE void AddElongations(const Constants* constants, Kind kind, const Cursor* c, int i, int some)
{
    (void)kind;
    const Rest* rest = &constants->rest;
    Vec x = LOAD(c->v[0]) - LOAD(c->u[0]), y = LOAD(c->v[1]) - LOAD(c->u[1]), z = LOAD(c->v[2]) - LOAD(c->u[2]);
    Vec e = StretchOf(rest, x, y, z);
    Vec longer = LOAD(c->k) * constants->in * (e / ((Real)1 + VecRoot(ElongatedSquare(e))));
    Vec f = LOAD(c->f[0]), g = LOAD(c->g[0]);
    STORE(c->f[0], f + longer);
    STORE(c->g[0], g + longer);
}

RSL_INLINE void AddElongationsAndRates(const Constants* constants, Kind kind, const Cursor* c, int i, int some)
{
    const Rest* rest = &constants->rest;
    Vec x = LOAD(c->v[0]) - LOAD(c->u[0]), y = LOAD(c->v[1]) - LOAD(c->u[1]), z = LOAD(c->v[2]) - LOAD(c->u[2]);
    Vec e = StretchOf(rest, x, y, z), square = ElongatedSquare(e), root = VecRoot(square), part = e / (square + root);
    Vec k = LOAD(c->k) * constants->in, longer = k * (part * root);
    Vec rate = RATE(x + rest->b[0], y + rest->b[1], z + rest->b[2]) * rest->inverse;
    rate *= k * (kind.general ? LOAD(c->ratios) : constants->ratio) * ((Real)1 - part);
    ADD(c->f[0], longer);
    ADD(c->g[0], longer);
    ADD(c->d[0], rate);
    ADD(c->e[0], rate);
}

typedef void Springs(const Constants* constants, Kind kind, const Cursor* c, int i, int some);

RSL_INLINE void AddStrips(const StripView* view, Kind kind, Springs* add)
{
    const Constants constants = MakeConstants(view, kind.along);
    for (const Strip* strip = view->strips; strip < view->strips + view->count; ++strip)
    {
        const Cursor c = MakeCursor(view, strip);
        int i = 0;
        for (; i + VEC <= c.count; i += VEC)
        {
            add(&constants, kind, &c, i, 0);
        }
        if (i < c.count)
        {
            add(&constants, kind, &c, i, c.count - i);
        }
    }
}

// By the number of axes along springs; axes that they do not go along have b = 0.
RSL_INLINE void AddAlong(const StripView* view, bool spread, Springs* add)
{
    switch (view->along)
    {
        case 1: AddStrips(view, (Kind){ 1, false, spread }, add); break;
        case 2: AddStrips(view, (Kind){ 2, false, spread }, add); break;
        default: AddStrips(view, (Kind){ 3, false, spread }, add); break;
    }
}

void RSL_WIDE(rslStrip_AddElastic)(const StripView* view)
{
    AddAlong(view, false, AddSprings);
}

void RSL_WIDE(rslStrip_AddDamped)(const StripView* view)
{
    AddAlong(view, false, AddSpringsAndDampers);
}

void RSL_WIDE(rslStrip_AddGeneral)(const StripView* view)
{
    AddStrips(view, (Kind){ 3, true, false }, AddSpringsAndDampers);
}

void RSL_WIDE(rslStrip_SpreadElastic)(const StripView* view)
{
    AddAlong(view, true, AddSprings);
}

void RSL_WIDE(rslStrip_SpreadDamped)(const StripView* view)
{
    AddAlong(view, true, AddSpringsAndDampers);
}

void RSL_WIDE(rslStrip_SpreadGeneral)(const StripView* view)
{
    AddStrips(view, (Kind){ 3, true, true }, AddSpringsAndDampers);
}

void RSL_WIDE(rslStrip_ShareElastic)(const StripView* view)
{
    AddAlong(view, false, AddElongations);
}

void RSL_WIDE(rslStrip_ShareDamped)(const StripView* view)
{
    AddAlong(view, false, AddElongationsAndRates);
}

void RSL_WIDE(rslStrip_ShareGeneral)(const StripView* view)
{
    AddStrips(view, (Kind){ 3, true, false }, AddElongationsAndRates);
}
