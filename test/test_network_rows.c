// SPDX-License-Identifier: MIT
//
// Rows of network springs: registers of every width that the processor has give the bits of a plain loop over springs in their order,
// whatever these are like and wherever their sums go, and read nothing that is not theirs. In single precision; test_network_rows_double.c is the same in double.

#ifndef RSL_PRECISION
#define RSL_PRECISION 32
#endif

#include "physics_fixture.h"

#include "random.h"
#include "wide.h"

enum
{
    SLICES = 7,
    SLOTS = SLICES * SLICE,
    MOST_ROWS = 3 * ROW_SORTS * SLICES,
    WAYS = 5,
    RESTS = 4,
    KINDS = 8
};

// Numbers of slots, with room for a slice on both sides.
typedef Real Slots[SLOTS + 2 * SLICE];

typedef struct Rows
{
    SliceRows slices[SLICES];
    RowHead heads[MOST_ROWS];
    int far[MOST_ROWS * SLICE], nodes[SLOTS];
    int16_t near[MOST_ROWS * SLICE];
    Real ways[OF_STIFFNESS * WAYS], rests[(MOST_CONSTANTS - OF_STIFFNESS) * RESTS];
    Real constants[MOST_CONSTANTS * MOST_ROWS * SLICE];
    Slots u[3], w[3], mass;
    Real places[RECORD * SLOTS], speeds[RECORD * SLOTS];
} Rows;

typedef struct Sums
{
    Real u[3][SLOTS], w[3][SLOTS], places[RECORD * SLOTS], speeds[RECORD * SLOTS], force[3][SLOTS], drag[3][SLOTS];
    double lost[ROW_LOSSES];
} Sums;

static Rows rows;

static Real Between(rslRandom* random, double least, double most)
{
    return (Real)(least + (most - least) * rslRandom_Unit(random));
}

// Any numbers that any of the constants may be.
static void MakeConstants(rslRandom* random, Real* of, int count)
{
    for (int i = 0; i < count; ++i)
    {
        of[i] = Between(random, 0.1, 0.9);
    }
}

// Any slot, and lanes some of which have no spring. What is read for those that lead out of the body is no number.
static void MakeHead(rslRandom* random, int slice, RowHead* head)
{
    int first = SLICE * slice;
    head->over = rslRandom_Below(random, SLOTS) - first - SLICE / 2;
    head->lanes = 0;
    head->way = (uint8_t)rslRandom_Below(random, WAYS);
    head->rest = (uint8_t)rslRandom_Below(random, RESTS);
    for (int l = 0; l < SLICE; ++l)
    {
        int other = first + l + head->over;
        bool there = other >= 0 && other < SLOTS && rslRandom_Below(random, 5) > 0;
        head->lanes |= (uint16_t)(there ? 1 << l : 0);
    }
}

static void MakeSlots(rslRandom* random)
{
    for (int i = -SLICE; i < SLOTS + SLICE; ++i)
    {
        bool there = i >= 0 && i < SLOTS;
        for (int axis = 0; axis < 3; ++axis)
        {
            Real u = there ? Between(random, -0.1, 0.1) : (Real)NAN, w = there ? Between(random, -1.0, 1.0) : (Real)NAN;
            rows.u[axis][SLICE + i] = u;
            rows.w[axis][SLICE + i] = w;
            if (there)
            {
                rows.places[RECORD * i + axis] = u;
                rows.speeds[RECORD * i + axis] = w;
            }
        }
        rows.mass[SLICE + i] = there ? Between(random, 0.1, 0.2) : (Real)NAN;
    }
}

// Slices with no row of a sort, with one, and more of them.
static void MakeRows(void)
{
    rslRandom random = { 11 };
    SliceRows at = { 0 };
    for (int s = 0; s < SLICES; ++s)
    {
        for (int sort = 0; sort < ROW_SORTS; ++sort)
        {
            at.count[sort] = s == 0 ? 0 : (s + sort) % 4;
        }
        rows.slices[s] = at;
        SliceRows next = RowsFrom(&at, ROW_SORTS, MOST_CONSTANTS);
        for (int r = at.first; r < next.first; ++r)
        {
            MakeHead(&random, s, &rows.heads[r]);
        }
        at = next;
        for (int e = SLICE * rows.slices[s].listed; e < SLICE * next.listed; ++e)
        {
            rows.far[e] = rslRandom_Below(&random, SLOTS) - SLICE * s;
            rows.near[e] = (int16_t)rows.far[e];
        }
    }
    MakeConstants(&random, rows.ways, OF_STIFFNESS * WAYS);
    MakeConstants(&random, rows.rests, (MOST_CONSTANTS - OF_STIFFNESS) * RESTS);
    MakeConstants(&random, rows.constants, MOST_CONSTANTS * MOST_ROWS * SLICE);
    MakeSlots(&random);
    for (int i = 0; i < SLOTS; ++i)
    {
        rows.nodes[i] = i % 9 == 4 ? -1 : SLOTS - 1 - i;
    }
}

static RowView ViewOfRows(int kind, bool moves, Sums* to)
{
    RowView view = { .end = SLICES, .slices = rows.slices, .heads = rows.heads };
    view.near = kind / 4 == 0 ? rows.near : NULL;
    view.far = kind / 4 == 0 ? NULL : rows.far;
    view.ways = rows.ways;
    view.rests = rows.rests;
    view.constants = rows.constants;
    view.damped = kind % 2 == 1;
    view.general = kind / 2 % 2 == 1;
    view.carrier = view.general ? (Real)0.5 : (Real)0;
    view.mass = rows.mass + SLICE;
    view.places = rows.places;
    view.speeds = rows.speeds;
    view.nodes = rows.nodes;
    for (int axis = 0; axis < 3; ++axis)
    {
        view.u[axis] = rows.u[axis] + SLICE;
        view.w[axis] = rows.w[axis] + SLICE;
        view.force[axis] = to->force[axis];
        view.drag[axis] = to->drag[axis];
        view.gravity[axis] = (Real)axis;
        view.newU[axis] = to->u[axis];
        view.newW[axis] = to->w[axis];
    }
    view.moves = moves;
    view.last = kind % 3 == 0;
    view.newPlaces = to->places;
    view.newSpeeds = view.damped ? to->speeds : NULL;
    view.kick = (Real)1e-2;
    view.half = (Real)5e-3;
    view.lost = to->lost;
    return view;
}

// ---- the plain loop -----------------------------------------------------------------------------------------------------

typedef struct Plain
{
    Real force[3][SLOTS], drag[3][SLOTS], lost[SLOTS];
    double energy;
} Plain;

// What one spring does to the first of its slots, by the formulas of network_rows.c.
static void AddPlain(const RowView* view, int a, int b, const Real of[MOST_CONSTANTS], Plain* to)
{
    Real d[3], along[3], dw[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        Real du = view->u[axis][b] - view->u[axis][a];
        d[axis] = of[axis] + du;
        along[axis] = du * (of[axis] + d[axis]);
        dw[axis] = view->w[axis][b] - view->w[axis][a];
    }
    Real e = (along[0] + along[1] + along[2]) * of[OF_INVERSE], square = (Real)1 + e;
    square = square > (Real)(RSL_PRECISION == 32 ? 0x1p-20 : 0x1p-40) ? square
                                                                      : (Real)(RSL_PRECISION == 32 ? 0x1p-20 : 0x1p-40);
    Real by = square + SquareRoot(square), p = e / by, q = (Real)1 - p, k = of[OF_STIFFNESS], drag = 0;
    Real pull = view->damped || view->general ? k * p : k * e / by;
    if (view->general)
    {
        Real t = of[view->damped ? OF_MORE + 1 : OF_MORE] * q;
        pull = k * (p - t) * (((Real)1 - view->carrier) + view->carrier * (q + t));
    }
    if (view->damped)
    {
        Real rate = d[0] * dw[0] + d[1] * dw[1] + d[2] * dw[2];
        drag = of[OF_MORE] * (q * q * of[OF_INVERSE]) * rate;
        pull += drag;
        to->lost[a] += drag * rate;
    }
    to->energy += b > a ? 0.5 * (double)(k * p * p * square / of[OF_INVERSE]) : 0.0;  // all of it there
    for (int axis = 0; axis < 3; ++axis)
    {
        to->force[axis][a] += pull * d[axis];
        to->drag[axis][a] += drag * d[axis];
    }
}

// The springs of a row, one lane after the other.
static void AddPlainRow(const RowView* view, int slice, RowSort sort, int row, Plain* to)
{
    int numbers = OF_MORE + (view->damped ? 1 : 0) + (view->general ? 1 : 0), own = OwnOf(sort, numbers);
    SliceRows from = RowsFrom(&rows.slices[slice], sort, numbers);
    const RowHead* head = &rows.heads[from.first + row];
    for (int l = 0; l < SLICE; ++l)
    {
        int slot = SLICE * slice + l, other = slot + head->over;
        Real of[MOST_CONSTANTS];
        for (int i = 0; i < numbers; ++i)
        {
            bool way = i < OF_STIFFNESS;
            of[i] = way ? rows.ways[OF_STIFFNESS * head->way + i]
                        : rows.rests[(numbers - OF_STIFFNESS) * head->rest + i - OF_STIFFNESS];
            if ((sort & (way ? OWN_WAY : OWN_REST)) != 0)
            {
                int at = i - ((sort & OWN_WAY) != 0 ? 0 : OF_STIFFNESS);
                of[i] = rows.constants[SLICE * (from.own + own * row + at) + l];
            }
        }
        if (!IsStraight(sort))
        {
            other = SLICE * slice + rows.far[SLICE * (from.listed + row) + l];
        }
        if ((head->lanes >> l & 1) != 0)
        {
            AddPlain(view, slot, other, of, to);
        }
    }
}

static void AddAllPlain(const RowView* view, Plain* to)
{
    for (int s = 0; s < SLICES; ++s)
    {
        for (int sort = 0; sort < ROW_SORTS; ++sort)
        {
            for (int row = 0; row < rows.slices[s].count[sort]; ++row)
            {
                AddPlainRow(view, s, (RowSort)sort, row, to);
            }
        }
    }
}

static void CheckPlain(const RowView* view, const Sums* found, const Plain* plain)
{
    double lost = 0.0;
    for (int i = 0; i < SLOTS; ++i)
    {
        Real mass = view->mass[i], factor = view->kick / mass;
        lost += 0.5 * (double)plain->lost[i];
        for (int axis = 0; axis < 3; ++axis)
        {
            Real force = plain->force[axis][i], w = view->w[axis][i];
            w = w + factor * (force + mass * view->gravity[axis]);
            Real u = view->u[axis][i] + view->half * w;
            u = view->last ? u : u + view->half * w;
            if (view->moves)
            {
                assert_true(found->w[axis][i] == w && found->u[axis][i] == u);
                assert_true(found->places[RECORD * i + axis] == u);
                assert_true(!view->damped || found->speeds[RECORD * i + axis] == w);
            }
            else if (rows.nodes[i] >= 0)
            {
                assert_true(found->force[axis][rows.nodes[i]] == force);
                assert_true(!view->damped || found->drag[axis][rows.nodes[i]] == plain->drag[axis][i]);
            }
        }
    }
    assert_true(fabs(found->lost[ROW_LOST] - lost) <= (RSL_PRECISION == 32 ? 1e-5 : 1e-13) * lost);
}

static void test_springs_in_their_order(void** state)
{
    (void)state;
    static Sums narrow, wide;
    static Plain plain;
    MakeRows();
    for (int test = 0; test < 2 * KINDS; ++test)
    {
        int kind = test / 2;
        bool moves = test % 2 == 1;
        memset(&narrow, 0, sizeof narrow);
        memset(&plain, 0, sizeof plain);
        RowView view = ViewOfRows(kind, moves, &narrow);
        AddAllPlain(&view, &plain);
        RSL_NAME(rslWide_Choose)(128)->addRows(&view);
        CheckPlain(&view, &narrow, &plain);
        assert_true(view.damped == (narrow.lost[ROW_LOST] > 0.0));
        for (int width = 256; width <= 512; width *= 2)
        {
            memset(&wide, 0, sizeof wide);
            view = ViewOfRows(kind, moves, &wide);
            RSL_NAME(rslWide_Choose)(width)->addRows(&view);
            assert_memory_equal(&narrow, &wide, sizeof wide);
        }
    }
}

// Of those that are not general.
static void test_energy(void** state)
{
    (void)state;
    static Sums sums;
    static Plain plain;
    MakeRows();
    for (int kind = 0; kind < KINDS; kind += kind % 2 == 0 ? 1 : 3)
    {
        memset(&plain, 0, sizeof plain);
        RowView view = ViewOfRows(kind, false, &sums);
        AddAllPlain(&view, &plain);
        double energy = RSL_NAME(rslWide_Choose)(128)->energyOfRows(&view);
        assert_true(fabs(energy - plain.energy) <= (RSL_PRECISION == 32 ? 1e-5 : 1e-13) * energy);
        assert_true(RSL_NAME(rslWide_Choose)(256)->energyOfRows(&view) == energy);
        assert_true(RSL_NAME(rslWide_Choose)(512)->energyOfRows(&view) == energy);
    }
}

// A row of one spring and one of the same seen from its other end, by hand: L0 = 1, L = 1.25, k = 8: T = 2, half of the carrier takes 1/10
// of it.
static void test_one_spring(void** state)
{
    (void)state;
    static const SliceRows slices[1] = { { .count = { 2 } } };
    static const RowHead heads[2] = { { .over = 1, .lanes = 1, .way = 0 }, { .over = -1, .lanes = 2, .way = 1 } };
    static const Real ways[2 * OF_STIFFNESS] = { 0, 1, 0, 1, 0, -1, 0, 1 }, rests[3] = { 8 };  // along y
    static Real none[3 * SLICE], y[3 * SLICE];
    static int nodes[SLICE];
    Real force[3][SLICE] = { 0 };
    double lost[ROW_LOSSES];
    for (int l = 0; l < SLICE; ++l)
    {
        nodes[l] = l;
    }
    y[SLICE + 1] = (Real)0.25;
    RowView view = { .end = 1, .slices = slices, .heads = heads, .ways = ways, .rests = rests };
    view.u[0] = view.u[2] = none + SLICE;
    view.u[1] = y + SLICE;
    view.nodes = nodes;
    view.lost = lost;
    for (int carrier = 0; carrier < 2; ++carrier)
    {
        double expected = carrier == 1 ? 1.8 : 2.0;
        view.general = carrier == 1;
        view.carrier = carrier == 1 ? (Real)0.5 : (Real)0;
        for (int width = 128; width <= 512; width *= 2)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                memset(force[axis], 0, sizeof force[axis]);
                view.force[axis] = force[axis];
            }
            RSL_NAME(rslWide_Choose)(width)->addRows(&view);
            assert_float_equal((double)force[1][0], expected, 1e-6);
            assert_float_equal(RSL_NAME(rslWide_Choose)(width)->energyOfRows(&view), 0.25, 1e-6);  // as if linear
            assert_float_equal((double)force[1][1], -expected, 1e-6);
            assert_true(force[0][0] == 0 && force[1][2] == 0 && force[2][1] == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_springs_in_their_order),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_one_spring),
    };
    return cmocka_run_group_tests_name("network_rows", tests, NULL, NULL);
}
