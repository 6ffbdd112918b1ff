// SPDX-License-Identifier: MIT
//
// test_inversion.c: the first time at which a moving triangle or tetrahedron falls to a part of its area or volume, against
// long double on a dense sample of times, and against exact signs after the move as a state would store it.

#include "inversion.h"
#include "predicate.h"
#include "support.h"

#include <float.h>

static const rslMeasure measures[3] = { rsl_planeArea, rsl_spaceArea, rsl_volume };

static int Corners(rslMeasure measure)
{
    return measure == rsl_volume ? 4 : 3;
}

// ---- another way to get at a measure ----------------------------------------------------------------------------------

static long double MeasureAt(const rslMove* move, long double t)
{
    long double e[3][3];
    for (int i = 1; i < Corners(move->measure); ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            long double from = (long double)move->from[i][axis] - move->from[0][axis];
            long double to = (long double)move->to[i][axis] - move->to[0][axis];
            e[i - 1][axis] = from + t * (to - from);
        }
    }
    long double n[3] = { e[0][1] * e[1][2] - e[0][2] * e[1][1], e[0][2] * e[1][0] - e[0][0] * e[1][2],
                         e[0][0] * e[1][1] - e[0][1] * e[1][0] };
    switch (move->measure)
    {
        case rsl_planeArea: return n[2] / 2;
        case rsl_spaceArea: return sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
        default: return (n[0] * e[2][0] + n[1] * e[2][1] + n[2] * e[2][2]) / 6;
    }
}

// Is it the right way round, exactly?
static bool IsPositive(const rslMove* move, double (*x)[3])
{
    switch (move->measure)
    {
        case rsl_planeArea: return rslOrient2(x[0][0], x[0][1], x[1][0], x[1][1], x[2][0], x[2][1]) > 0;
        case rsl_spaceArea:
            return rslOrient2(x[0][0], x[0][1], x[1][0], x[1][1], x[2][0], x[2][1]) != 0 ||
                   rslOrient2(x[0][1], x[0][2], x[1][1], x[1][2], x[2][1], x[2][2]) != 0 ||
                   rslOrient2(x[0][2], x[0][0], x[1][2], x[1][0], x[2][2], x[2][0]) != 0;
        default: return rslOrient3(x[1], x[2], x[3], x[0]) > 0;
    }
}

// ---- moves ------------------------------------------------------------------------------------------------------------

// Corners in a cube of edge 2 somewhere, pressed flat by up to a million times, the right way round.
static void DrawStart(Random* random, rslMove* move, bool single)
{
    double flat = pow(10.0, NextBetween(random, single ? -2.0 : -6.0, 0.0)),
           far = NextBetween(random, 0.0, 1.0) < 0.3 ? 100.0 : 0.0;
    rslVec3 place = NextVec3(random, far);
    int axis = (int)(NextBits(random) % (move->measure == rsl_planeArea ? 2 : 3)), corners = Corners(move->measure);
    do
    {
        for (int i = 0; i < corners; ++i)
        {
            rslVec3 x = NextVec3(random, 1.0);
            double at[3] = { x.x, x.y, move->measure == rsl_planeArea ? 0.0 : x.z };
            at[axis] *= flat;
            const double offset[3] = { place.x, place.y, move->measure == rsl_planeArea ? 0.0 : place.z };
            for (int k = 0; k < 3; ++k)
            {
                move->from[i][k] = single ? (double)(float)(at[k] + offset[k]) : at[k] + offset[k];
            }
        }
    } while (!IsPositive(move, move->from));
}

// Each corner goes its own way, by 1e-3 to 1e3 of its size, or all turn, shrink and shift together.
static void DrawEnd(Random* random, rslMove* move, bool single)
{
    double scale = pow(10.0, NextBetween(random, -3.0, 3.0));
    bool together = NextBits(random) % 8 == 0;
    double shrink = NextBetween(random, -1.0, 1.0);
    rslVec3 all = NextVec3(random, scale);
    for (int i = 0; i < Corners(move->measure); ++i)
    {
        rslVec3 d = together ? all : NextVec3(random, scale);
        const double step[3] = { d.x, d.y, move->measure == rsl_planeArea ? 0.0 : d.z };
        for (int k = 0; k < 3; ++k)
        {
            double to = (together ? shrink : 1.0) * move->from[i][k] + step[k];
            move->to[i][k] = single ? (double)(float)to : to;
        }
    }
}

// ---- trials -----------------------------------------------------------------------------------------------------------

typedef struct Tally
{
    int early, late, inverted, refused, hits;
    double worst;  // how far the measure is from the floor at the time found, relative to the start; not of flat ones
} Tally;

// Until the time found the measure is above the floor; at it, it has reached it.
static void CheckTime(Random* random, const rslMove* move, double start, double floor, double time, int samples,
                      Tally* tally)
{
    double end = time <= 1.0 ? time : 1.0;
    for (int s = 0; s <= samples; ++s)
    {
        double t = s == samples ? end : end * NextBetween(random, 0.0, 1.0);
        if (!(MeasureAt(move, t) > (long double)floor))
        {
            tally->late += 1;
            return;
        }
    }
    if (time <= 1.0)
    {
        long double there = MeasureAt(move, time) - (long double)floor;
        tally->hits += 1;
        tally->worst = start > 0.05 ? Worse(tally->worst, (double)(there / (long double)start)) : tally->worst;
    }
    else if (rslMove_Falls(move, floor))
    {
        tally->early += 1;
    }
}

// Go there in the arithmetic of a state, asking again on the way that was really taken, and look at the sign.
static void CheckArrival(const rslMove* move, double floor, double time, bool single, Tally* tally)
{
    rslMove taken = *move;
    double t = time <= 1.0 ? time : 1.0;
    for (int tries = 0; tries < 60; ++tries, t *= 0.5)
    {
        for (int i = 0; i < 3 * Corners(move->measure); ++i)
        {
            double from = move->from[i / 3][i % 3], to = move->to[i / 3][i % 3], at = from + t * (to - from);
            taken.to[i / 3][i % 3] = t == 1.0 ? to : single ? (double)(float)at : at;
        }
        if (!rslMove_Falls(&taken, 0.5 * floor))
        {
            tally->inverted += !IsPositive(&taken, taken.to);
            return;
        }
    }
    tally->refused += 1;
}

static Tally Try(Random* random, rslMeasure measure, bool single, int trials, int samples)
{
    Tally tally = { 0 };
    const double parts[4] = { 0.1, 0.5, 0.8, 0.99 };
    for (int i = 0; i < trials; ++i)
    {
        rslMove move = { .measure = measure };
        DrawStart(random, &move, single);
        DrawEnd(random, &move, single);
        double start = rslMeasure_Of(measure, move.from), floor = parts[i % 4] * start;
        assert_close(start, (double)MeasureAt(&move, 0), 1e-13 * (1.0 + start));
        double time = rslMove_FirstTime(&move, floor);
        assert_true(time >= 0.0 && (time <= 1.0 || time == INFINITY));
        CheckTime(random, &move, start, floor, time, samples, &tally);
        CheckArrival(&move, floor, time, single, &tally);
    }
    return tally;
}

static void TestRandomMoves(void** context)
{
    (void)context;
    const char* names[3] = { "triangles in the plane", "triangles in space", "tetrahedra" };
    int trials = Proving() ? 250000 : 4000, samples = Proving() ? 200 : 50, hits = 0, violations = 0;
    for (int m = 0; m < 6; ++m)
    {
        Random random = MakeRandom((uint64_t)(17 + m));
        Tally t = Try(&random, measures[m / 2], m % 2 == 1, trials, samples);
        if (t.early + t.late + t.inverted > 0 || Proving())
        {
            print_message("# %s, %s: %d early, %d late, %d inverted, %d stay, %d of %d fall; off by %.2g\n",
                          names[m / 2], m % 2 ? "single" : "double", t.early, t.late, t.inverted, t.refused, t.hits,
                          trials, t.worst);
        }
        violations += t.early + t.late + t.inverted;
        hits += t.hits;
        assert_true(t.hits > trials / 4 && t.hits < trials);
        assert_true(t.refused < trials / 100);  // too flat for rounding to move at all
        assert_true(t.worst < 1e-5);
    }
    assert_proved("inversion filter, 1.5e6 random triangles and tetrahedra, steps 1e-3 to 1e3: violations", violations,
                  0.0);
    assert_true(hits > trials);
}

// ---- by hand ----------------------------------------------------------------------------------------------------------

static void TestByHand(void** context)
{
    (void)context;
    rslMove move = { .measure = rsl_planeArea, .from = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } } };
    memcpy(move.to, move.from, sizeof move.to);
    assert_true(rslMove_FirstTime(&move, 0.1) == INFINITY && !rslMove_Falls(&move, 0.1));
    move.to[2][1] = -1.0;  // area (1 - 2 t) / 2
    assert_close(rslMove_FirstTime(&move, 0.05), 0.45, 1e-13);
    assert_true(rslMove_Falls(&move, 0.05));
    move.to[1][0] = -1.0;  // (1 - 2 t)^2 / 2: at the end it is as it was, turned by half a circle
    assert_close(rslMove_FirstTime(&move, 0.125), 0.25, 1e-13);
    assert_true(rslMove_Falls(&move, 0.125));
    move.measure = rsl_spaceArea;
    assert_close(rslMove_FirstTime(&move, 0.125), 0.25, 1e-13);
    move.to[1][0] = 1.0;  // |1 - 2 t| / 2 never falls below zero, but to it
    assert_close(rslMove_FirstTime(&move, 0.05), 0.45, 1e-12);

    rslMove solid = { .measure = rsl_volume, .from = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    for (int i = 0; i < 12; ++i)
    {
        solid.to[i / 3][i % 3] = -solid.from[i / 3][i % 3];  // (1 - 2 t)^3 / 6
    }
    assert_close(rslMeasure_Of(rsl_volume, solid.from), 1.0 / 6.0, 1e-16);
    assert_close(rslMove_FirstTime(&solid, 1.0 / 48.0), 0.25, 1e-13);
    assert_true(rslMove_FirstTime(&solid, 1.0) == 0.0);
    assert_true(rslMove_FirstTime(&solid, 1.0 / 6.0) == 0.0);
}

// What is not finite, or flat to rounding, is never called safe.
static void TestNoNumbers(void** context)
{
    (void)context;
    for (int m = 0; m < 3; ++m)
    {
        rslMove move = { .measure = measures[m], .from = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
        memcpy(move.to, move.from, sizeof move.to);
        move.to[1][1] = NAN;
        assert_true(rslMove_Falls(&move, 0.0));
        move.to[1][1] = INFINITY;
        assert_true(rslMove_Falls(&move, 0.0));
        memcpy(move.to, move.from, sizeof move.to);
        move.to[2][1] = 1e-200;
        move.to[2][0] = 1.0 / 3.0;
        assert_true(rslMove_Falls(&move, 0.0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestByHand),
        cmocka_unit_test(TestNoNumbers),
        cmocka_unit_test(TestRandomMoves),
    };
    return cmocka_run_group_tests_name("inversion", tests, NULL, NULL);
}
