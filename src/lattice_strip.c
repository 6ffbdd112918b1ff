// SPDX-License-Identifier: MIT
//
// lattice_strip.c: the springs of a strip, as many together as a register has lanes. Nothing in a lane depends on another one.
//
// With b the spring at rest, L0 its length, d = u_late - u_early and dw likewise (bond.h):
//   s = |b + d|^2 - L0^2 = d.(d + 2 b),  p = (L - L0) / L by s / L0^2 (elongation.h)
//   T / L           = k p
//   c (d.dw) / L^2  = k r (b + d).dw (1 - p)^2 / L0^2,  c = r k
// A law that is not linear multiplies T by 1 - c + c L0 / L = 1 - c p (spring_law.h).

#include "lattice_strip.h"

#include "elongation.h"

#include <stdbool.h>

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

RSL_INLINE Vec PartOf(const Rest* rest, Vec x, Vec y, Vec z)
{
    Vec s = x * (x + rest->twice[0]) + (rest->along > 1 ? y * (y + rest->twice[1]) : y * y) +
            (rest->along > 2 ? z * (z + rest->twice[2]) : z * z);
    return ElongatedPart(s * rest->inverse);
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

// Arrays of the two ends of a strip, along its axes.
typedef const Real* const Seen[3];
typedef Real* const Added[3];

RSL_INLINE void AddSprings(const Rest* rest, int i, int some, const Real* k, Seen u, Seen v, Added f, Added g)
{
    Vec x = LOAD(v[0]) - LOAD(u[0]), y = LOAD(v[1]) - LOAD(u[1]), z = LOAD(v[2]) - LOAD(u[2]);
    Vec pull = LOAD(k) * PartOf(rest, x, y, z);
    x = pull * (x + rest->b[0]);
    y = pull * (rest->along > 1 ? y + rest->b[1] : y);
    z = pull * (rest->along > 2 ? z + rest->b[2] : z);
    Vec fx = LOAD(f[0]), fy = LOAD(f[1]), fz = LOAD(f[2]), gx = LOAD(g[0]), gy = LOAD(g[1]), gz = LOAD(g[2]);
    STORE(f[0], fx + x);
    STORE(f[1], fy + y);
    STORE(f[2], fz + z);
    STORE(g[0], gx - x);
    STORE(g[1], gy - y);
    STORE(g[2], gz - z);
}

// p and q: velocities; d and e: what dampers do; ratios: NULL unless general.
RSL_INLINE void AddSpringsAndDampers(const Rest* rest, Vec ratio, Vec carrier, int i, int some, const Real* k,
                                     const Real* ratios, Seen u, Seen v, Seen p, Seen q, Added f, Added g, Added d,
                                     Added e, Real* lost)
{
    Vec x = LOAD(v[0]) - LOAD(u[0]), y = LOAD(v[1]) - LOAD(u[1]), z = LOAD(v[2]) - LOAD(u[2]);
    Vec stiffness = LOAD(k), part = PartOf(rest, x, y, z), shorter = (Real)1 - part;
    x += rest->b[0];
    y = rest->along > 1 ? y + rest->b[1] : y;
    z = rest->along > 2 ? z + rest->b[2] : z;
    Vec rate = x * (LOAD(q[0]) - LOAD(p[0])) + y * (LOAD(q[1]) - LOAD(p[1])) + z * (LOAD(q[2]) - LOAD(p[2]));
    Vec drag = (ratios != NULL ? LOAD(ratios) : ratio) * stiffness * (shorter * shorter * rest->inverse) * rate;
    Vec pull = stiffness * part;
    pull = (ratios != NULL ? pull * ((Real)1 - carrier * part) : pull) + drag;
    ADD(lost, drag * rate);
    ADD(f[0], pull * x);
    ADD(f[1], pull * y);
    ADD(f[2], pull * z);
    ADD(g[0], -(pull * x));
    ADD(g[1], -(pull * y));
    ADD(g[2], -(pull * z));
    ADD(d[0], drag * x);
    ADD(d[1], drag * y);
    ADD(d[2], drag * z);
    ADD(e[0], -(drag * x));
    ADD(e[1], -(drag * y));
    ADD(e[2], -(drag * z));
}

// Where the springs of a strip begin in arrays of its early or late ends.
#define AXES(ends, array, at)                                                                                          \
    {                                                                                                                  \
        ends->array[order[0]] + (at), ends->array[order[1]] + (at), ends->array[order[2]] + (at)                       \
    }

RSL_INLINE void AddElastic(const StripView* view, int along)
{
    const StripEnds *early = view->early, *late = view->late;
    const uint8_t* order = view->order;
    const Rest rest = MakeRest(view, along);
    for (const Strip* strip = view->strips; strip < view->strips + view->count; ++strip)
    {
        int from = strip->from, to = from + strip->offset, i = 0, count = strip->count;
        const Real* k = view->constants + strip->constants;
        Seen u = AXES(early, u, from - early->seen), v = AXES(late, u, to - late->seen);
        Added f = AXES(early, to, from - early->added), g = AXES(late, to, to - late->added);
        for (; i + VEC <= count; i += VEC)
        {
            AddSprings(&rest, i, 0, k, u, v, f, g);
        }
        if (i < count)
        {
            AddSprings(&rest, i, count - i, k, u, v, f, g);
        }
    }
}

RSL_INLINE void AddDamped(const StripView* view, int along, bool general)
{
    const StripEnds *early = view->early, *late = view->late;
    const uint8_t* order = view->order;
    const Rest rest = MakeRest(view, along);
    const Vec ratio = VecOf(view->ratio), carrier = VecOf(view->carrier);
    for (const Strip* strip = view->strips; strip < view->strips + view->count; ++strip)
    {
        int from = strip->from, to = from + strip->offset, i = 0, count = strip->count;
        int seenU = from - early->seen, seenV = to - late->seen, addedF = from - early->added,
            addedG = to - late->added;
        const Real *k = view->constants + strip->constants, *ratios = general ? k + count : NULL;
        Seen u = AXES(early, u, seenU), v = AXES(late, u, seenV), p = AXES(early, w, seenU), q = AXES(late, w, seenV);
        Added f = AXES(early, to, addedF), g = AXES(late, to, addedG), d = AXES(early, drag, addedF),
              e = AXES(late, drag, addedG);
        Real* lost = view->lost + addedF;
        for (; i + VEC <= count; i += VEC)
        {
            AddSpringsAndDampers(&rest, ratio, carrier, i, 0, k, ratios, u, v, p, q, f, g, d, e, lost);
        }
        if (i < count)
        {
            AddSpringsAndDampers(&rest, ratio, carrier, i, count - i, k, ratios, u, v, p, q, f, g, d, e, lost);
        }
    }
}

void RSL_WIDE(rslStrip_AddElastic)(const StripView* view)
{
    switch (view->along)
    {
        case 1: AddElastic(view, 1); break;
        case 2: AddElastic(view, 2); break;
        default: AddElastic(view, 3); break;
    }
}

void RSL_WIDE(rslStrip_AddDamped)(const StripView* view)
{
    switch (view->along)
    {
        case 1: AddDamped(view, 1, false); break;
        case 2: AddDamped(view, 2, false); break;
        default: AddDamped(view, 3, false); break;
    }
}

// Axes that springs do not go along have b = 0.
void RSL_WIDE(rslStrip_AddGeneral)(const StripView* view)
{
    AddDamped(view, 3, true);
}
