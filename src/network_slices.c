// SPDX-License-Identifier: MIT
//
// network_slices.c: see network_slices.h. What a row of springs sees of its other ends is loaded a slot at a time and
// transposed in registers: gathers of hardware are slower. Nothing in what follows depends on another lane.

#include "network_slices.h"

#include "bond_visit.h"

#define AddOne RSL_NAME(rslSlices_AddOne)
#define AddFew RSL_NAME(rslSlices_AddFew)
#define AddMany RSL_NAME(rslSlices_AddMany)
#define AddDampedOne RSL_NAME(rslSlices_AddDampedOne)
#define AddDampedFew RSL_NAME(rslSlices_AddDampedFew)
#define AddDampedMany RSL_NAME(rslSlices_AddDampedMany)
#define AddGeneral RSL_NAME(rslSlices_AddGeneral)
#define AddDampedGeneral RSL_NAME(rslSlices_AddDampedGeneral)

// x y z of the slots of a row.
typedef struct Lanes
{
    Real of[3][SLICE];
} Lanes;

// ---- loading --------------------------------------------------------------------------------------------------------

typedef Real Four __attribute__((vector_size(4 * sizeof(Real)), aligned(sizeof(Real)), may_alias));

#if RSL_PRECISION == 32
typedef Real Eight __attribute__((vector_size(8 * sizeof(Real)), aligned(sizeof(Real)), may_alias));

// Two fours as one; the first and the last fours of two eights; numbers 0 and 1, or 2 and 3, of every four of two
// eights in turns; the first and the last two of every four.
#define JOIN(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define EARLY(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define LATE(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define FIRST(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define SECOND(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)

// The first three of four numbers of every slot.
RSL_INLINE void Load(const Real* from, int shift, const int* at, Lanes* to)
{
    Four a[SLICE];
    for (int l = 0; l < SLICE; ++l)
    {
        a[l] = *(const Four*)(from + (at[l] >> shift));
    }
    Eight p = JOIN(a[0], a[4]), q = JOIN(a[1], a[5]), r = JOIN(a[2], a[6]), s = JOIN(a[3], a[7]);
    Eight lowPQ = LOW(p, q), lowRS = LOW(r, s), highPQ = HIGH(p, q), highRS = HIGH(r, s);
    *(Eight*)to->of[0] = FIRST(lowPQ, lowRS);
    *(Eight*)to->of[1] = SECOND(lowPQ, lowRS);
    *(Eight*)to->of[2] = FIRST(highPQ, highRS);
}

// Both fours of every record.
RSL_INLINE void LoadPlaces(const Real* from, const int* at, Lanes* rest, Lanes* u)
{
    Eight a[SLICE], low[4], high[4];
    for (int l = 0; l < SLICE; ++l)
    {
        a[l] = *(const Eight*)(from + at[l]);
    }
    for (int l = 0; l < 4; ++l)
    {
        low[l] = LOW(a[2 * l], a[2 * l + 1]);
        high[l] = HIGH(a[2 * l], a[2 * l + 1]);
    }
    Eight x[2] = { FIRST(low[0], low[1]), FIRST(low[2], low[3]) };
    Eight y[2] = { SECOND(low[0], low[1]), SECOND(low[2], low[3]) };
    Eight z[2] = { FIRST(high[0], high[1]), FIRST(high[2], high[3]) };
    *(Eight*)rest->of[0] = EARLY(x[0], x[1]);
    *(Eight*)rest->of[1] = EARLY(y[0], y[1]);
    *(Eight*)rest->of[2] = EARLY(z[0], z[1]);
    *(Eight*)u->of[0] = LATE(x[0], x[1]);
    *(Eight*)u->of[1] = LATE(y[0], y[1]);
    *(Eight*)u->of[2] = LATE(z[0], z[1]);
}
#else
RSL_INLINE void LoadFour(const Real* from, int shift, const int* at, Real* x, Real* y, Real* z)
{
    Four a = *(const Four*)(from + (at[0] >> shift)), b = *(const Four*)(from + (at[1] >> shift));
    Four c = *(const Four*)(from + (at[2] >> shift)), d = *(const Four*)(from + (at[3] >> shift));
    Four evenAB = __builtin_shufflevector(a, b, 0, 4, 2, 6), evenCD = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    Four oddAB = __builtin_shufflevector(a, b, 1, 5, 3, 7), oddCD = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    *(Four*)x = __builtin_shufflevector(evenAB, evenCD, 0, 1, 4, 5);
    *(Four*)y = __builtin_shufflevector(oddAB, oddCD, 0, 1, 4, 5);
    *(Four*)z = __builtin_shufflevector(evenAB, evenCD, 2, 3, 6, 7);
}

// The first three of four numbers of every slot.
RSL_INLINE void Load(const Real* from, int shift, const int* at, Lanes* to)
{
    LoadFour(from, shift, at, to->of[0], to->of[1], to->of[2]);
    LoadFour(from, shift, at + 4, to->of[0] + 4, to->of[1] + 4, to->of[2] + 4);
}

RSL_INLINE void LoadPlaces(const Real* from, const int* at, Lanes* rest, Lanes* u)
{
    Load(from, 0, at, rest);
    Load(from + RECORD / 2, 0, at, u);
}
#endif

// ---- forces ---------------------------------------------------------------------------------------------------------

// What springs see of the slots of a row.
typedef struct Ends
{
    Lanes rest, u, w;
} Ends;

// What the nodes of a slice feel, and what their dampers take.
typedef struct SliceSums
{
    Lanes force, drag;
    Real lost[SLICE];
} SliceSums;

RSL_INLINE void Clear(SliceSums* sums, bool damped)
{
    for (int l = 0; l < SLICE; ++l)
    {
        sums->force.of[0][l] = sums->force.of[1][l] = sums->force.of[2][l] = 0;
        if (damped)
        {
            sums->drag.of[0][l] = sums->drag.of[1][l] = sums->drag.of[2][l] = sums->lost[l] = 0;
        }
    }
}

_Static_assert((int)RECORD == 2 * (int)SPEED, "places of records, halved, are those of velocities");

// at: places of their records.
RSL_INLINE void LoadEnds(const SliceBody* body, const int* at, bool damped, Ends* to)
{
    LoadPlaces(body->places, at, &to->rest, &to->u);
    if (damped)
    {
        Load(body->speeds, 1, at, &to->w);
    }
}

#define DIFFERENCE(what)                                                                                               \
    {                                                                                                                  \
        other.what.of[0][l] - own->what.of[0][l], other.what.of[1][l] - own->what.of[1][l],                            \
            other.what.of[2][l] - own->what.of[2][l]                                                                   \
    }

// damped and general are constants at every call, and so is how constants are kept.
RSL_INLINE void AddRow(const SliceBody* body, size_t row, bool damped, bool general, SliceConstants constants,
                       const Ends* own, SliceSums* sums)
{
    const Real* restLength = body->restLength + SLICE * row;
    Ends other;
    Real k[SLICE], c[SLICE];
    LoadEnds(body, body->other + SLICE * row, damped, &other);
    for (size_t l = 0, e = SLICE * row; l < SLICE; ++l, ++e)
    {
        size_t at = constants == rsl_oneConstant ? 0 : constants == rsl_fewConstants ? body->kind[e] : e;
        k[l] = body->stiffness[at];
        c[l] = damped ? body->damping[at] : (Real)0;
    }
    for (size_t l = 0, e = SLICE * row; l < SLICE; ++l, ++e)
    {
        const Real d0[3] = DIFFERENCE(rest), du[3] = DIFFERENCE(u);
        Real extra = general ? body->preload[e] : (Real)0;
        Bond bond = MakeBond(d0, du, restLength[l], extra);
        Real tension = general ? LawTension(body->carrier, k[l], restLength[l] + extra, bond.length, bond.elongation)
                               : k[l] * bond.elongation;
        if (damped)
        {
            const Real dw[3] = DIFFERENCE(w);
            Real rate = BondGrowth(&bond, dw), drag = c[l] * rate, across = drag / bond.length;
            tension += drag;
            sums->lost[l] += drag * rate;
            sums->drag.of[0][l] += across * bond.d[0];
            sums->drag.of[1][l] += across * bond.d[1];
            sums->drag.of[2][l] += across * bond.d[2];
        }
        Real g = tension / bond.length;
        sums->force.of[0][l] += g * bond.d[0];
        sums->force.of[1][l] += g * bond.d[1];
        sums->force.of[2][l] += g * bond.d[2];
    }
}

static void Store(const SliceBody* body, int slice, const Lanes* sums, Real* const to[3])
{
    for (int l = 0; l < SLICE; ++l)
    {
        int node = body->nodes[SLICE * slice + l];
        for (int axis = 0; node >= 0 && axis < 3; ++axis)
        {
            to[axis][node] = sums->of[axis][l];
        }
    }
}

// Returns what dampers take.
RSL_INLINE double AddSlices(const Kernel* kernel, const SliceGroup* group, bool damped, bool general,
                            SliceConstants constants)
{
    const SliceBody* body = &kernel->slices->bodies[group->body];
    double lost = 0.0;
    for (int slice = group->begin; slice < group->end; ++slice)
    {
        int at[SLICE];
        Ends own;
        SliceSums sums;
        Clear(&sums, damped);
        for (int l = 0; l < SLICE; ++l)
        {
            at[l] = RECORD * (SLICE * slice + l);
        }
        LoadEnds(body, at, damped, &own);
        for (int row = body->rowStart[slice]; row < body->rowStart[slice + 1]; ++row)
        {
            AddRow(body, (size_t)row, damped, general, constants, &own, &sums);
        }
        Store(body, slice, &sums.force, kernel->force);
        if (damped && kernel->drag[0] != NULL)
        {
            Store(body, slice, &sums.drag, kernel->drag);
        }
        for (int l = 0; damped && l < SLICE; ++l)
        {
            lost += 0.5 * (double)sums.lost[l];
        }
    }
    return lost;
}

RSL_CLONES static double AddOne(const Kernel* kernel, const SliceGroup* group)
{
    return AddSlices(kernel, group, false, false, rsl_oneConstant);
}

RSL_CLONES static double AddFew(const Kernel* kernel, const SliceGroup* group)
{
    return AddSlices(kernel, group, false, false, rsl_fewConstants);
}

RSL_CLONES static double AddMany(const Kernel* kernel, const SliceGroup* group)
{
    return AddSlices(kernel, group, false, false, rsl_manyConstants);
}

RSL_CLONES static double AddDampedOne(const Kernel* kernel, const SliceGroup* group)
{
    return AddSlices(kernel, group, true, false, rsl_oneConstant);
}

RSL_CLONES static double AddDampedFew(const Kernel* kernel, const SliceGroup* group)
{
    return AddSlices(kernel, group, true, false, rsl_fewConstants);
}

RSL_CLONES static double AddDampedMany(const Kernel* kernel, const SliceGroup* group)
{
    return AddSlices(kernel, group, true, false, rsl_manyConstants);
}

RSL_CLONES static double AddGeneral(const Kernel* kernel, const SliceGroup* group)
{
    return AddSlices(kernel, group, false, true, rsl_manyConstants);
}

RSL_CLONES static double AddDampedGeneral(const Kernel* kernel, const SliceGroup* group)
{
    return AddSlices(kernel, group, true, true, rsl_manyConstants);
}

static void AddGroup(int item, void* context)
{
    static double (*const add[2][3])(const Kernel*, const SliceGroup*) = {
        { AddOne, AddFew, AddMany },
        { AddDampedOne, AddDampedFew, AddDampedMany },
    };
    Kernel* kernel = context;
    const SliceGroup* group = &kernel->slices->groups[item];
    const SliceBody* body = &kernel->slices->bodies[group->body];
    double lost = !body->general ? add[body->damped ? 1 : 0][body->constants](kernel, group)
                  : body->damped ? AddDampedGeneral(kernel, group)
                                 : AddGeneral(kernel, group);
    kernel->slices->lost[item] = lost;
}

// ---- where nodes are ------------------------------------------------------------------------------------------------

typedef struct Pass
{
    Kernel* kernel;
    const View* view;
} Pass;

static void PackGroup(int item, void* context)
{
    const Pass* pass = context;
    const SliceGroup* group = &pass->kernel->slices->groups[item];
    const SliceBody* body = &pass->kernel->slices->bodies[group->body];
    Real *const *u = pass->view->u, *const *w = pass->view->w;
    for (int slot = SLICE * group->begin; slot < SLICE * group->end; ++slot)
    {
        int node = body->nodes[slot];
        if (node < 0)
        {
            continue;
        }
        Real* place = body->places + RECORD * (size_t)slot + RECORD / 2;
        place[0] = u[0][node];
        place[1] = u[1][node];
        place[2] = u[2][node];
        if (body->damped)
        {
            Real* speed = body->speeds + SPEED * (size_t)slot;
            speed[0] = w[0][node];
            speed[1] = w[1][node];
            speed[2] = w[2][node];
        }
    }
}

void RSL_NAME(rslSlices_Force)(Kernel* kernel, const View* view)
{
    Pass pass = { kernel, view };
    rslTeam_Run(kernel->team, PackGroup, kernel->slices->groupCount, &pass);
    rslTeam_Run(kernel->team, AddGroup, kernel->slices->groupCount, kernel);
}

double RSL_NAME(rslSlices_Lost)(const Kernel* kernel, int body)
{
    const SliceBody* of = &kernel->slices->bodies[body];
    double sum = 0.0;
    for (int g = of->firstGroup; of->damped && g < of->firstGroup + of->groupCount; ++g)
    {
        sum += kernel->slices->lost[g];
    }
    return sum;
}
