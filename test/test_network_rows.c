// SPDX-License-Identifier: MIT
//
// Rows of network springs: registers of every width that the processor has give the bits of a plain loop over springs in their order,
// whatever these are like and wherever their sums go. In single precision; test_network_rows_double.c is the same in double.

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
    MOST_ROWS = 6 * SLICES,
    SPRINGS = MOST_ROWS * SLICE,
    LOOSE = 5,  // rows
    KINDS = 8
};

typedef struct Rows
{
    int rowStart[SLICES + 1], far[SPRINGS], nodes[SLOTS], from[LOOSE * SLICE], to[LOOSE * SLICE];
    uint16_t near[SPRINGS];
    bool alike[SLICES];
    size_t place[SLICES];
    Real constants[MOST_CONSTANTS * SPRINGS], loose[MOST_CONSTANTS * LOOSE * SLICE];
    Real places[RECORD * SLOTS], speeds[RECORD * SLOTS];
} Rows;

typedef struct Sums
{
    Real places[RECORD * SLOTS], speeds[RECORD * SLOTS], force[3][SLOTS], drag[3][SLOTS];
    Real sums[RECORD * SLOTS], drags[RECORD * SLOTS];
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

// Slices with no row, one row and more of them, in turns alike; springs to later slots and to their own.
static void MakeRows(void)
{
    rslRandom random = { 11 };
    size_t numbers = 0;
    for (int s = 0; s < SLICES; ++s)
    {
        rows.rowStart[s + 1] = rows.rowStart[s] + (s < 3 ? s : 6);
        rows.alike[s] = s % 2 == 1;
        rows.place[s] = numbers;
        numbers += (size_t)(MOST_CONSTANTS * 6 * (rows.alike[s] ? 1 : SLICE));
        for (int e = SLICE * rows.rowStart[s]; e < SLICE * rows.rowStart[s + 1]; ++e)
        {
            rows.far[e] = e % SLICE + rslRandom_Below(&random, SLOTS - SLICE * s - e % SLICE);
            rows.near[e] = (uint16_t)rows.far[e];
        }
    }
    MakeConstants(&random, rows.constants, (int)numbers);
    MakeConstants(&random, rows.loose, MOST_CONSTANTS * LOOSE * SLICE);
    for (int e = 0; e < LOOSE * SLICE; ++e)
    {
        rows.from[e] = rslRandom_Below(&random, SLOTS);
        rows.to[e] = rslRandom_Below(&random, SLOTS);
    }
    for (int i = 0; i < SLOTS; ++i)
    {
        rows.nodes[i] = i % 9 == 4 ? -1 : SLOTS - 1 - i;
        for (int axis = 0; axis < 3; ++axis)
        {
            rows.places[RECORD * i + axis] = Between(&random, -0.1, 0.1);
            rows.speeds[RECORD * i + axis] = Between(&random, -1.0, 1.0);
        }
        rows.speeds[RECORD * i + 3] = Between(&random, 0.1, 0.2);
    }
}

static RowView ViewOfRows(int kind, bool moves, Sums* to)
{
    RowView view = { .end = SLICES, .rowStart = rows.rowStart, .alike = rows.alike, .place = rows.place };
    view.near = kind / 4 == 0 ? rows.near : NULL;
    view.far = kind / 4 == 0 ? NULL : rows.far;
    view.constants = rows.constants;
    view.loose = (LooseRows){ LOOSE, rows.from, rows.to, rows.loose };
    view.damped = kind % 2 == 1;
    view.general = kind / 2 % 2 == 1;
    view.carrier = view.general ? (Real)0.5 : (Real)0;
    view.places = rows.places;
    view.speeds = rows.speeds;
    view.sums = to->sums;
    view.drags = view.damped ? to->drags : NULL;
    view.nodes = rows.nodes;
    for (int axis = 0; axis < 3; ++axis)
    {
        view.force[axis] = to->force[axis];
        view.drag[axis] = to->drag[axis];
        view.gravity[axis] = (Real)axis;
    }
    view.moves = moves;
    view.last = kind % 3 == 0;
    view.newPlaces = to->places;
    view.newSpeeds = to->speeds;
    view.kick = (Real)1e-2;
    view.half = (Real)5e-3;
    view.lost = to->lost;
    return view;
}

// ---- the plain loop -----------------------------------------------------------------------------------------------------

typedef struct Plain
{
    Real earlier[3][SLOTS], own[3][SLOTS], earlierDrag[3][SLOTS], ownDrag[3][SLOTS], lost[SLOTS];
    double energy;
} Plain;

// One spring, by the formulas of network_rows.c; constants are so many numbers apart.
static void AddPlain(const RowView* view, int a, int b, const Real* constants, int apart, bool loose, Plain* to)
{
    const Real *u = &view->places[RECORD * a], *v = &view->places[RECORD * b];
    const Real *w = &view->speeds[RECORD * a], *x = &view->speeds[RECORD * b];
    Real of[MOST_CONSTANTS], d[3], along[3], dw[3];
    for (int i = 0; i < MOST_CONSTANTS; ++i)
    {
        of[i] = constants[apart * i];
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        Real du = v[axis] - u[axis];
        d[axis] = of[axis] + du;
        along[axis] = du * (of[axis] + d[axis]);
        dw[axis] = x[axis] - w[axis];
    }
    Real e = (along[0] + along[1] + along[2]) * of[OF_INVERSE], square = (Real)1 + e;
    square = square > (Real)(RSL_PRECISION == 32 ? 0x1p-20 : 0x1p-40) ? square
                                                                      : (Real)(RSL_PRECISION == 32 ? 0x1p-20 : 0x1p-40);
    Real p = e / (square + SquareRoot(square)), q = (Real)1 - p, k = of[OF_STIFFNESS], pull = k * p, drag = 0;
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
        to->lost[a] += loose ? (Real)0 : drag * rate;
    }
    to->energy += loose ? 0.0 : 0.5 * (double)(k * p * p * square / of[OF_INVERSE]);
    for (int axis = 0; axis < 3; ++axis)
    {
        to->own[axis][a] += loose ? (Real)0 : pull * d[axis];
        to->ownDrag[axis][a] += loose ? (Real)0 : drag * d[axis];
        to->earlier[axis][b] -= pull * d[axis];
        to->earlierDrag[axis][b] -= drag * d[axis];
    }
}

// Loose springs first, then rows one after the other.
static void AddAllPlain(const RowView* view, Plain* to)
{
    int numbers = OF_MORE + (view->damped ? 1 : 0) + (view->general ? 1 : 0);
    for (int e = 0; e < LOOSE * SLICE; ++e)
    {
        const Real* constants = rows.loose + SLICE * numbers * (e / SLICE) + e % SLICE;
        AddPlain(view, rows.from[e], rows.to[e], constants, SLICE, true, to);
    }
    for (int s = 0; s < SLICES; ++s)
    {
        for (int e = 0; e < SLICE * (rows.rowStart[s + 1] - rows.rowStart[s]); ++e)
        {
            const Real* of = rows.constants + rows.place[s] + (rows.alike[s] ? 1 : SLICE) * numbers * (e / SLICE);
            int own = SLICE * s + e % SLICE, other = SLICE * s + rows.far[SLICE * rows.rowStart[s] + e];
            AddPlain(view, own, other, rows.alike[s] ? of : of + e % SLICE, rows.alike[s] ? 1 : SLICE, false, to);
        }
    }
}

static void CheckPlain(const RowView* view, const Sums* found, const Plain* plain)
{
    double lost = 0.0;
    for (int i = 0; i < SLOTS; ++i)
    {
        Real mass = rows.speeds[RECORD * i + 3], factor = view->kick / mass;
        lost += (double)plain->lost[i];
        for (int axis = 0; axis < 3; ++axis)
        {
            Real force = plain->earlier[axis][i] + plain->own[axis][i], w = rows.speeds[RECORD * i + axis];
            w = w + factor * (force + mass * view->gravity[axis]);
            Real u = rows.places[RECORD * i + axis] + view->half * w;
            u = view->last ? u : u + view->half * w;
            if (view->moves)
            {
                assert_true(found->speeds[RECORD * i + axis] == w && found->places[RECORD * i + axis] == u);
            }
            else if (rows.nodes[i] >= 0)
            {
                assert_true(found->force[axis][rows.nodes[i]] == force);
                Real drag = plain->earlierDrag[axis][i] + plain->ownDrag[axis][i];
                assert_true(!view->damped || found->drag[axis][rows.nodes[i]] == drag);
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
        RSL_NAME(rslWide_Choose)(128)->addLooseRows(&view);
        RSL_NAME(rslWide_Choose)(128)->addRows(&view);
        CheckPlain(&view, &narrow, &plain);
        assert_true(view.damped == (narrow.lost[ROW_LOST] > 0.0));
        for (int width = 256; width <= 512; width *= 2)
        {
            memset(&wide, 0, sizeof wide);
            view = ViewOfRows(kind, moves, &wide);
            RSL_NAME(rslWide_Choose)(width)->addLooseRows(&view);
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

// A row of one spring, by hand: L0 = 1, L = 1.25, k = 8: T = 2, half of the carrier takes 1/10 of it.
static void test_one_spring(void** state)
{
    (void)state;
    static const int rowStart[2] = { 0, 1 };
    static const size_t place[1] = { 0 };
    static const bool alike[1] = { false };
    static uint16_t near[SLICE];
    static int nodes[SLICE];
    static Real constants[MOST_CONSTANTS * SLICE], places[RECORD * SLICE], sums[RECORD * SLICE];
    Real force[3][SLICE] = { 0 };
    double lost[ROW_LOSSES];
    for (int l = 0; l < SLICE; ++l)
    {
        nodes[l] = l;
        near[l] = (uint16_t)(l == 0 ? 1 : l);
        constants[SLICE * OF_INVERSE + l] = 1;
        constants[SLICE * OF_STIFFNESS + l] = 8;
    }
    constants[SLICE] = 1;  // along y
    places[RECORD + 1] = (Real)0.25;
    RowView view = { .end = 1, .rowStart = rowStart, .place = place, .alike = alike, .near = near };
    view.constants = constants;
    view.places = places;
    view.sums = sums;
    view.nodes = nodes;
    view.lost = lost;
    for (int carrier = 0; carrier < 2; ++carrier)
    {
        double expected = carrier == 1 ? 1.8 : 2.0;
        view.general = carrier == 1;
        view.carrier = carrier == 1 ? (Real)0.5 : (Real)0;
        for (int width = 128; width <= 512; width *= 2)
        {
            memset(sums, 0, sizeof sums);
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
