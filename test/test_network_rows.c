// SPDX-License-Identifier: MIT
//
// Rows of network springs: registers of every width that the processor has give the same bits, whatever springs are like and wherever their
// sums go. In single precision; test_network_rows_double.c is the same in double.

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
};

typedef struct Rows
{
    int rowStart[SLICES + 1], base[SLICES], far[SPRINGS], nodes[SLOTS];
    uint16_t near[SPRINGS];
    uint8_t kind[SPRINGS];
    Real inverse[SPRINGS], stiffness[SPRINGS], damping[SPRINGS], preload[SPRINGS];
    Real places[RECORD * SLOTS], speeds[SPEED * SLOTS];
} Rows;

typedef struct Sums
{
    Real places[RECORD * SLOTS], speeds[SPEED * SLOTS], force[3][SLOTS], drag[3][SLOTS];
    double lost[ROW_LOSSES];
} Sums;

static Rows rows;

static Real Between(rslRandom* random, double least, double most)
{
    return (Real)(least + (most - least) * rslRandom_Unit(random));
}

// Slices with no row, one row and more of them; slots in any order, some without a node.
static void MakeRows(void)
{
    rslRandom random = { 11 };
    for (int s = 0; s < SLICES; ++s)
    {
        rows.rowStart[s + 1] = rows.rowStart[s] + (s < 3 ? s : 6);
        rows.base[s] = s / 2;
    }
    for (int e = 0; e < SPRINGS; ++e)
    {
        rows.far[e] = rslRandom_Below(&random, SLOTS - SLICES);
        rows.near[e] = (uint16_t)rows.far[e];
        rows.kind[e] = (uint8_t)rslRandom_Below(&random, PALETTE);
        rows.inverse[e] = Between(&random, 1.0, 3.0);
        rows.stiffness[e] = Between(&random, 5.0, 20.0);
        rows.damping[e] = Between(&random, 0.0, 0.1);
        rows.preload[e] = Between(&random, -0.1, 0.1);
    }
    for (int i = 0; i < SLOTS; ++i)
    {
        rows.nodes[i] = i % 9 == 4 ? -1 : SLOTS - 1 - i;
        for (int axis = 0; axis < 3; ++axis)
        {
            rows.places[RECORD * i + axis] = Between(&random, -1.0, 1.0);
            rows.places[RECORD * i + RECORD / 2 + axis] = Between(&random, -0.1, 0.1);
            rows.speeds[SPEED * i + axis] = Between(&random, -1.0, 1.0);
        }
        rows.speeds[SPEED * i + 3] = Between(&random, 0.1, 0.2);
    }
}

static RowView ViewOfRows(int kind, bool moves, Sums* to)
{
    bool damped = kind % 2 == 1, general = kind / 2 >= 4, far = kind / 2 == 5;
    RowView view = { .end = SLICES, .rowStart = rows.rowStart, .base = rows.base, .kind = rows.kind };
    view.near = far ? NULL : rows.near;
    view.far = far ? rows.far : NULL;
    view.kept = general ? rsl_manyConstants : (SliceConstants)(kind / 2);
    view.inverse = rows.inverse;
    view.stiffness = rows.stiffness;
    view.damping = damped ? rows.damping : NULL;
    view.preload = general ? rows.preload : NULL;
    view.carrier = general ? (Real)0.5 : (Real)0;
    view.places = rows.places;
    view.speeds = rows.speeds;
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

static void test_widths_have_the_same_bits(void** state)
{
    (void)state;
    static Sums narrow, wide;
    MakeRows();
    for (int kind = 0; kind < 12; ++kind)
    {
        for (int moves = 0; moves < 2; ++moves)
        {
            memset(&narrow, 0, sizeof narrow);
            RowView view = ViewOfRows(kind, moves == 1, &narrow);
            double energy = view.near != NULL ? RSL_NAME(rslWide_Choose)(128)->energyOfRows(&view) : 0.0;
            RSL_NAME(rslWide_Choose)(128)->addRows(&view);
            assert_true(kind % 2 == 1 ? narrow.lost[ROW_LOST] > 0.0 : narrow.lost[ROW_LOST] == 0.0);
            assert_true(moves == 1 ? narrow.speeds[0] != 0 && narrow.force[0][3] == 0 : narrow.force[0][3] != 0);
            for (int width = 256; width <= 512; width *= 2)
            {
                memset(&wide, 0, sizeof wide);
                view = ViewOfRows(kind, moves == 1, &wide);
                RSL_NAME(rslWide_Choose)(width)->addRows(&view);
                assert_memory_equal(&narrow, &wide, sizeof wide);
                assert_true(view.near == NULL || RSL_NAME(rslWide_Choose)(width)->energyOfRows(&view) == energy);
            }
        }
    }
}

// A row of one spring, by hand: L0 = 1, L = 1.25, k = 8: T = 2, half of the carrier takes 1/10 of it.
static void test_one_spring(void** state)
{
    (void)state;
    static const int rowStart[2] = { 0, 1 }, base[1] = { 0 };
    static uint16_t near[SLICE];
    static int nodes[SLICE];
    static Real inverse[SLICE], stiffness[SLICE], places[RECORD * SLICE], preload[SLICE];
    Real force[3][SLICE] = { 0 };
    double lost[ROW_LOSSES];
    for (int l = 0; l < SLICE; ++l)
    {
        nodes[l] = l;
        near[l] = (uint16_t)(l < 2 ? 1 - l : l);
        inverse[l] = 1;
        stiffness[l] = 8;
    }
    places[RECORD + 1] = 1;  // the second slot, along y
    places[RECORD + RECORD / 2 + 1] = (Real)0.25;
    RowView view = { .end = 1, .rowStart = rowStart, .base = base, .near = near, .inverse = inverse };
    view.kept = rsl_manyConstants;
    view.stiffness = stiffness;
    view.places = places;
    view.nodes = nodes;
    view.lost = lost;
    for (int carrier = 0; carrier < 2; ++carrier)
    {
        double expected = carrier == 1 ? 1.8 : 2.0;
        view.preload = carrier == 1 ? preload : NULL;
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
        cmocka_unit_test(test_widths_have_the_same_bits),
        cmocka_unit_test(test_one_spring),
    };
    return cmocka_run_group_tests_name("network_rows", tests, NULL, NULL);
}
