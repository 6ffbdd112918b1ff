// SPDX-License-Identifier: MIT
//
// test_cell_moments.c: moments of what a plane or a ball leaves of a cell, against closed forms.

#include "build_fixture.h"

#include "cell_fill.h"
#include "cell_moments.h"

static const double pi = 3.14159265358979323846;

// v + u in the corner {u >= 0, n . u <= d}: integral of u^a = prod (d / n_i)^(a_i + 1) a_i! / (3 + |a|)!, Dirichlet.
static double CornerIntegral(const double n[3], double d, int a, int b, int c)
{
    const double factorial[7] = { 1.0, 1.0, 2.0, 6.0, 24.0, 120.0, 720.0 };
    const int power[3] = { a, b, c };
    double product = 1.0;
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k <= power[i]; ++k)
        {
            product *= d / n[i];
        }
        product *= factorial[power[i]];
    }
    return product / factorial[3 + a + b + c];
}

// The unit cube [0, 1]^3 cut by n . t <= d, n > 0: corners in and out alternate. Moments in s = t - 1/2.
static rslMoments CubeInHalfSpace(const double n[3], double d)
{
    rslMoments m = { 0 };
    for (int v = 0; v < 8; ++v)
    {
        const double at[3] = { v & 1, v >> 1 & 1, v >> 2 };
        double sign = (at[0] + at[1] + at[2]) == 1.0 || (at[0] + at[1] + at[2]) == 3.0 ? -1.0 : 1.0;
        double left = d - (n[0] * at[0] + n[1] * at[1] + n[2] * at[2]);
        if (left <= 0.0)
        {
            continue;
        }
        const double c[3] = { at[0] - 0.5, at[1] - 0.5, at[2] - 0.5 };
        double I[8];
        for (int k = 0; k < 8; ++k)
        {
            I[k] = sign * CornerIntegral(n, left, k & 1, k >> 1 & 1, k >> 2);
        }
        m.volume += I[0];
        for (int i = 0; i < 3; ++i)
        {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            m.first[i] += c[i] * I[0] + I[1 << i];
            double square = sign * CornerIntegral(n, left, i == 0 ? 2 : 0, i == 1 ? 2 : 0, i == 2 ? 2 : 0);
            m.square[i] += c[i] * c[i] * I[0] + 2.0 * c[i] * I[1 << i] + square;
            m.cross[i] += c[j] * c[k] * I[0] + c[j] * I[1 << k] + c[k] * I[1 << j] + I[(1 << j) + (1 << k)];
        }
        m.triple += c[0] * c[1] * c[2] * I[0] + c[1] * c[2] * I[1] + c[0] * c[2] * I[2] + c[0] * c[1] * I[4] +
                    c[2] * I[3] + c[1] * I[5] + c[0] * I[6] + I[7];
    }
    return m;
}

static void CheckMoments(const rslMoments* a, const rslMoments* b, double tolerance)
{
    const double *p = &a->volume, *q = &b->volume;
    for (size_t i = 0; i < sizeof *a / sizeof(double); ++i)
    {
        if (!Near(p[i], q[i], tolerance))
        {
            print_error("moment %zu: %.17g, expected %.17g\n", i, p[i], q[i]);
            fail();
        }
    }
}

static void HalfSpaces(void** state)
{
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 2000; ++trial)
    {
        double n[3], sum = 0.0, low = 0.0;
        rslVec3 normal;
        for (int i = 0; i < 3; ++i)
        {
            n[i] = 0.2 + 0.4 * (RandomNumber(&seed) + 1.0);
            sum += n[i];
            low += 0.5 * n[i];
        }
        normal = (rslVec3){ n[0], n[1], n[2] };
        // also slivers at a corner
        double d = trial % 5 == 0 ? 0.01 * sum : 0.5 * sum * (RandomNumber(&seed) + 1.0);
        rslMoments expected = CubeInHalfSpace(n, d), found = { 0 }, rest = { 0 }, whole = { 0 };
        rslHalfSpace cut = { normal, d - low }, other = { rslScale(-1.0, normal), low - d };
        rslMoments_AddClippedCube(&found, 1.0, (rslVec3){ 0.0, 0.0, 0.0 }, 1.0, &cut, 1);
        CheckMoments(&found, &expected, 1e-12);
        // the two sides are the cube
        rslMoments_AddClippedCube(&rest, 1.0, (rslVec3){ 0.0, 0.0, 0.0 }, 1.0, &other, 1);
        rslMoments_AddClippedCube(&rest, 1.0, (rslVec3){ 0.0, 0.0, 0.0 }, 1.0, &cut, 1);
        rslMoments_AddCube(&whole, 1.0, (rslVec3){ 0.0, 0.0, 0.0 }, 1.0);
        CheckMoments(&rest, &whole, 1e-14);
    }
}

// A cube of edge 1/2 in a corner of the cell, from the outside in: as six planes, and as a cube.
static void CubeInCube(void** state)
{
    (void)state;
    rslMoments found = { 0 }, expected = { 0 };
    rslHalfSpace cuts[6] = { { { 1, 0, 0 }, 0.25 }, { { -1, 0, 0 }, 0.25 }, { { 0, 1, 0 }, 0.5 },
                             { { 0, -1, 0 }, 0.0 }, { { 0, 0, 1 }, 0.0 },   { { 0, 0, -1 }, 0.5 } };
    rslMoments_AddClippedCube(&found, 1.0, (rslVec3){ 0.0, 0.0, 0.0 }, 1.0, cuts, 6);
    rslMoments_AddCube(&expected, 1.0, (rslVec3){ 0.0, 0.25, -0.25 }, 0.5);
    CheckMoments(&found, &expected, 1e-15);
}

// A ball around a corner of the cell: an eighth of it is inside. Per axis from the corner: <u> = 3 R / 8,
// <u^2> = R^2 / 5, <u v> = 2 R^2 / (5 pi), <u v w> = R^3 / 8 / pi.
static void BallInCorner(void** state)
{
    (void)state;
    rslMat3 turn = rslQuatMatrix(rslQuatFromDegrees((rslVec3){ 1.0, -2.0, 0.5 }, 40.0));
    for (int trial = 0; trial < 4; ++trial)
    {
        double R = 0.3 + 0.2 * trial, edge = 0.02;
        rslShapeDef def = BallShape(R * edge);
        def.translate = (rslVec3){ 3.0, -2.0, 1.0 };
        rslShape* shape = NULL;
        assert_int_equal(rslShape_Create(&def, NULL, &shape, NULL), rsl_ok);
        rslVec3 half = rslMatVec(&turn, (rslVec3){ 0.5 * edge, 0.5 * edge, 0.5 * edge });
        rslCellFill fill = rslCell_Fill(shape, rslAdd(def.translate, half), &turn, edge);
        rslShape_Free(shape);
        rslMoments m = fill.moments;
        double volume = pi / 6.0 * R * R * R, tolerance = 1e-3;
        assert_true(Near(m.volume, volume, fill.bound) && Near(m.volume, volume, tolerance * volume));
        for (int i = 0; i < 3; ++i)
        {
            double u = 3.0 / 8.0 * R, uu = R * R / 5.0, uv = 2.0 * R * R / (5.0 * pi), c = -0.5;
            assert_true(Near(m.first[i], volume * (c + u), 0.5 * fill.bound) &&
                        Near(m.first[i], volume * (c + u), tolerance * volume));
            assert_true(Near(m.square[i], volume * (c * c + 2 * c * u + uu), tolerance * volume));
            assert_true(Near(m.cross[i], volume * (c * c + 2 * c * u + uv), tolerance * volume));
        }
        double u = 3.0 / 8.0 * R, uv = 2.0 * R * R / (5.0 * pi), uvw = R * R * R / (8.0 * pi);
        assert_true(Near(m.triple, volume * (-0.125 + 0.75 * u - 1.5 * uv + uvw), tolerance * volume));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(HalfSpaces),
        cmocka_unit_test(CubeInCube),
        cmocka_unit_test(BallInCorner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
