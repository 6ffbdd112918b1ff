// SPDX-License-Identifier: MIT
//
// lattice_strip.c: the springs of a strip, one after the other. Nothing in an iteration depends on another one, so that as many are computed
// together as the processor has lanes, to the same bits.
//
// With b the spring at rest, L0 its length, d = u_late - u_early and dw likewise (bond.h):
//   s = |b + d|^2 - L0^2 = d.(d + 2 b),  L^2 = L0^2 + s
//   T / L           = k s / (L^2 + L0 L)
//   c (d.dw) / L^2  = k r (b + d).dw / L^2,  c = r k
// With dampers both have one division:  q = k / (L^2 (L + L0)),  T / L = s L q,  c (d.dw) / L^2 = r (b + d).dw (L + L0) q.
// A law that is not linear multiplies T by 1 - c + c L0 / L (spring_law.h).

#include "lattice_strip.h"

#include "bond.h"

#include <stdbool.h>

#define AddElastic1 RSL_NAME(rslStrip_AddElastic1)
#define AddElastic2 RSL_NAME(rslStrip_AddElastic2)
#define AddElastic3 RSL_NAME(rslStrip_AddElastic3)
#define AddDamped1 RSL_NAME(rslStrip_AddDamped1)
#define AddDamped2 RSL_NAME(rslStrip_AddDamped2)
#define AddDamped3 RSL_NAME(rslStrip_AddDamped3)
#define AddLaw RSL_NAME(rslStrip_AddLaw)

// s of a spring along so many axes; b are twice the bond.
RSL_INLINE Real Squares(int along, Real x, Real y, Real z, Real bx, Real by, Real bz)
{
    Real xx = x * (x + bx), yy = along > 1 ? y * (y + by) : y * y, zz = along > 2 ? z * (z + bz) : z * z;
    return xx + yy + zz;
}

// Pointers are arguments, since compilers believe only then that nothing overlaps.
RSL_INLINE void AddSprings(const StripView* view, int along, int count, const Real* restrict k, const Real* restrict ux,
                           const Real* restrict uy, const Real* restrict uz, const Real* restrict vx,
                           const Real* restrict vy, const Real* restrict vz, Real* restrict fx, Real* restrict fy,
                           Real* restrict fz, Real* restrict gx, Real* restrict gy, Real* restrict gz)
{
    const Real bx = view->bond[view->order[0]], by = view->bond[view->order[1]], bz = view->bond[view->order[2]];
    const Real length = view->length;
    for (int i = 0; i < count; ++i)
    {
        Real x = vx[i] - ux[i], y = vy[i] - uy[i], z = vz[i] - uz[i];
        Real s = Squares(along, x, y, z, (Real)2 * bx, (Real)2 * by, (Real)2 * bz);
        Real square = BondLengthSquared(length, s);
        Real g = k[i] * s / (square + length * SquareRoot(square));
        x = g * (x + bx);
        y = g * (along > 1 ? y + by : y);
        z = g * (along > 2 ? z + bz : z);
        fx[i] += x;
        fy[i] += y;
        fz[i] += z;
        gx[i] -= x;
        gy[i] -= y;
        gz[i] -= z;
    }
}

RSL_INLINE void AddSpringsAndDampers(const StripView* view, int along, bool general, int count, const Real* restrict k,
                                     const Real* restrict ratios, const Real* restrict ux, const Real* restrict uy,
                                     const Real* restrict uz, const Real* restrict vx, const Real* restrict vy,
                                     const Real* restrict vz, const Real* restrict wx, const Real* restrict wy,
                                     const Real* restrict wz, const Real* restrict rx, const Real* restrict ry,
                                     const Real* restrict rz, Real* restrict fx, Real* restrict fy, Real* restrict fz,
                                     Real* restrict gx, Real* restrict gy, Real* restrict gz, Real* restrict dx,
                                     Real* restrict dy, Real* restrict dz, Real* restrict ex, Real* restrict ey,
                                     Real* restrict ez, Real* restrict lost)
{
    const Real bx = view->bond[view->order[0]], by = view->bond[view->order[1]], bz = view->bond[view->order[2]];
    const Real length = view->length;
    const Real ratio = view->ratio, carrier = view->carrier;
    for (int i = 0; i < count; ++i)
    {
        Real x = vx[i] - ux[i], y = vy[i] - uy[i], z = vz[i] - uz[i];
        Real s = Squares(along, x, y, z, (Real)2 * bx, (Real)2 * by, (Real)2 * bz);
        Real square = BondLengthSquared(length, s), now = SquareRoot(square), both = now + length;
        Real q = k[i] / (square * both), g = s * now * q;
        x += bx;
        y = along > 1 ? y + by : y;
        z = along > 2 ? z + bz : z;
        Real rate = x * (rx[i] - wx[i]) + y * (ry[i] - wy[i]) + z * (rz[i] - wz[i]);
        Real drag = (general ? ratios[i] : ratio) * rate * both * q;
        g = general ? g * ((Real)1 - carrier + carrier * length / now) : g;
        g += drag;
        lost[i] += drag * rate;
        fx[i] += g * x;
        fy[i] += g * y;
        fz[i] += g * z;
        gx[i] -= g * x;
        gy[i] -= g * y;
        gz[i] -= g * z;
        dx[i] += drag * x;
        dy[i] += drag * y;
        dz[i] += drag * z;
        ex[i] -= drag * x;
        ey[i] -= drag * y;
        ez[i] -= drag * z;
    }
}

// Where the springs of a strip begin in arrays of its early or late ends.
#define AXES(ends, array, at) ends->array[order[0]] + (at), ends->array[order[1]] + (at), ends->array[order[2]] + (at)
#define SEEN(array) AXES(early, array, from - early->seen), AXES(late, array, to - late->seen)
#define ADDED(array) AXES(early, array, from - early->added), AXES(late, array, to - late->added)

RSL_INLINE void AddElastic(const StripView* view, int along)
{
    const StripEnds *early = view->early, *late = view->late;
    const uint8_t* order = view->order;
    for (const Strip* strip = view->strips; strip < view->strips + view->count; ++strip)
    {
        int from = strip->from, to = from + strip->offset;
        AddSprings(view, along, strip->count, view->constants + strip->constants, SEEN(u), ADDED(to));
    }
}

RSL_INLINE void AddDamped(const StripView* view, int along, bool general)
{
    const StripEnds *early = view->early, *late = view->late;
    const uint8_t* order = view->order;
    for (const Strip* strip = view->strips; strip < view->strips + view->count; ++strip)
    {
        int from = strip->from, to = from + strip->offset;
        const Real* k = view->constants + strip->constants;
        AddSpringsAndDampers(view, along, general, strip->count, k, k + strip->count, SEEN(u), SEEN(w), ADDED(to),
                             ADDED(drag), view->lost + from - early->added);
    }
}

RSL_CLONES static void AddElastic1(const StripView* view)
{
    AddElastic(view, 1);
}

RSL_CLONES static void AddElastic2(const StripView* view)
{
    AddElastic(view, 2);
}

RSL_CLONES static void AddElastic3(const StripView* view)
{
    AddElastic(view, 3);
}

RSL_CLONES static void AddDamped1(const StripView* view)
{
    AddDamped(view, 1, false);
}

RSL_CLONES static void AddDamped2(const StripView* view)
{
    AddDamped(view, 2, false);
}

RSL_CLONES static void AddDamped3(const StripView* view)
{
    AddDamped(view, 3, false);
}

// Axes that springs do not go along have b = 0.
RSL_CLONES static void AddLaw(const StripView* view)
{
    AddDamped(view, 3, true);
}

void RSL_NAME(rslStrip_AddElastic)(const StripView* view)
{
    (view->along == 1 ? AddElastic1 : view->along == 2 ? AddElastic2 : AddElastic3)(view);
}

void RSL_NAME(rslStrip_AddDamped)(const StripView* view)
{
    (view->along == 1 ? AddDamped1 : view->along == 2 ? AddDamped2 : AddDamped3)(view);
}

void RSL_NAME(rslStrip_AddGeneral)(const StripView* view)
{
    AddLaw(view);
}
