// SPDX-License-Identifier: MIT
//
// test_embed.c: nearest points against the plain search, and the moments of the weights.

#include "embed.h"
#include "mesh_fixture.h"

#include <math.h>

static double* RandomPoints(Random* random, int n)
{
    double* points = calloc((size_t)n * 3 + 3, sizeof(double));
    for (int i = 0; i < 3 * n; ++i)
    {
        points[i] = Uniform(random, -1.0, 1.0);
    }
    return points;
}

static double* GridPoints(int a, int b, int c, double spacing)
{
    double* points = calloc((size_t)(a * b * c) * 3, sizeof(double));
    double* p = points;
    for (int i = 0; i < a; ++i)
    {
        for (int j = 0; j < b; ++j)
        {
            for (int k = 0; k < c; ++k)
            {
                *p++ = spacing * i;
                *p++ = spacing * j;
                *p++ = spacing * k;
            }
        }
    }
    return points;
}

static double SquaredTo(const double* points, int i, rslVec3 p)
{
    double dx = points[3 * i] - p.x, dy = points[3 * i + 1] - p.y, dz = points[3 * i + 2] - p.z;
    return dx * dx + dy * dy + dz * dz;
}

// how many points come before point i in the order (distance, index)
static int RankOf(const double* points, int n, int i, rslVec3 p)
{
    int rank = 0;
    double own = SquaredTo(points, i, p);
    for (int j = 0; j < n; ++j)
    {
        double other = SquaredTo(points, j, p);
        rank += other < own || (other == own && j < i);
    }
    return rank;
}

static void CheckNearest(const double* points, int n, Random* random)
{
    rslNearest* nearest;
    assert_int_equal(rslNearest_Create(points, n, NULL, &nearest), rsl_ok);
    for (int query = 0; query < 50; ++query)
    {
        rslVec3 p = { Uniform(random, -1.5, 1.5), Uniform(random, -1.5, 1.5), Uniform(random, -1.5, 1.5) };
        if (query % 3 == 0)
        {
            p = (rslVec3){ 0.5 * (query % 5), 0.5, 0.25 };  // ties on a grid
        }
        int k = 1 + query % RSL_NEAREST_MOST, found[RSL_NEAREST_MOST], within[4096];
        double squared[RSL_NEAREST_MOST];
        int count = rslNearest_Find(nearest, p, k, found, squared);
        assert_int_equal(count, k < n ? k : n);
        for (int i = 0; i < count; ++i)
        {
            assert_int_equal(RankOf(points, n, found[i], p), i);
            assert_true(squared[i] == SquaredTo(points, found[i], p));
        }
        double radius = Uniform(random, 0.0, 1.0);
        int inside = rslNearest_Within(nearest, p, radius, within, 4096), expected = 0;
        for (int i = 0; i < n; ++i)
        {
            if (SquaredTo(points, i, p) <= radius * radius)
            {
                assert_int_equal(within[expected], i);
                ++expected;
            }
        }
        assert_int_equal(inside, expected);
    }
    rslNearest_Free(nearest);
}

static void NearestMatchesPlainSearch(void** state)
{
    (void)state;
    Random random = { 1 };
    int sizes[] = { 1, 2, 7, 8, 9, 63, 500, 2000 };
    for (int s = 0; s < 8; ++s)
    {
        double* points = RandomPoints(&random, sizes[s]);
        CheckNearest(points, sizes[s], &random);
        free(points);
    }
    double* grid = GridPoints(9, 9, 9, 0.25);
    CheckNearest(grid, 729, &random);
    free(grid);
    double* same = calloc(300, sizeof(double));  // all at one place
    CheckNearest(same, 100, &random);
    free(same);
}

// sum w = 1; returns the greatest part of sum w X - X
static double Miss(const rslStencil* s, const double* nodes, const double* p)
{
    double sum = 0.0, x[3] = { -p[0], -p[1], -p[2] };
    assert_true(s->count >= 1 && s->count <= 8);
    for (int j = 0; j < s->count; ++j)
    {
        sum += s->weight[j];
        for (int i = 0; i < 3; ++i)
        {
            x[i] += s->weight[j] * nodes[3 * s->node[j] + i];
        }
    }
    assert_true(fabs(sum - 1.0) < 1e-13);
    return fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
}

static rslStencil* Embed(const double* nodes, int n, const double* points, int count)
{
    rslNearest* nearest;
    assert_int_equal(rslNearest_Create(nodes, n, NULL, &nearest), rsl_ok);
    rslStencil* stencils = calloc((size_t)count, sizeof *stencils);
    assert_int_equal(rslEmbed_Points(nearest, nodes, points, count, stencils), rsl_ok);
    rslNearest_Free(nearest);
    return stencils;
}

static void LinearPrecision(void** state)
{
    (void)state;
    Random random = { 7 };
    double* nodes = RandomPoints(&random, 1000);
    double* points = RandomPoints(&random, 1000);
    rslStencil* s = Embed(nodes, 1000, points, 1000);
    for (int i = 0; i < 1000; ++i)
    {
        assert_true(Miss(&s[i], nodes, points + 3 * i) < 1e-12);
    }
    free(s);
    free(nodes);

    // a lattice, and points up to two cells outside: always reproduced, though the nearest eight may be flat
    nodes = GridPoints(6, 6, 6, 0.2);
    for (int i = 0; i < 3000; ++i)
    {
        points[i] = 0.5 + 0.9 * points[i];
    }
    s = Embed(nodes, 216, points, 1000);
    for (int i = 0; i < 1000; ++i)
    {
        assert_true(Miss(&s[i], nodes, points + 3 * i) < 1e-12);
    }
    free(s);
    free(points);
    free(nodes);
}

static void LowerOrders(void** state)
{
    (void)state;
    // flat: the projection is reproduced
    double* sheet = GridPoints(8, 8, 1, 0.1);
    double over[3] = { 0.333, 0.417, 0.02 }, foot[3] = { 0.333, 0.417, 0.0 };
    rslStencil* s = Embed(sheet, 64, over, 1);
    assert_true(Miss(s, sheet, foot) < 1e-12);
    free(s);
    free(sheet);
    // straight
    double* line = GridPoints(20, 1, 1, 0.1);
    double beside[3] = { 0.777, 0.03, -0.01 }, onLine[3] = { 0.777, 0.0, 0.0 };
    s = Embed(line, 20, beside, 1);
    assert_true(Miss(s, line, onLine) < 1e-12);
    free(s);
    free(line);
    // one node; two; many at one place
    double few[30] = { 1.0, 2.0, 3.0, 2.0, 2.0, 3.0 };
    s = Embed(few, 1, beside, 1);
    assert_int_equal(s->count, 1);
    assert_true(s->weight[0] == 1.0);
    free(s);
    double between[3] = { 1.25, 2.5, 3.5 }, expected[3] = { 1.25, 2.0, 3.0 };
    s = Embed(few, 2, between, 1);
    assert_true(Miss(s, few, expected) < 1e-12);
    free(s);
    double same[30] = { 0.0 };
    s = Embed(same, 10, beside, 1);
    assert_true(Miss(s, same, same) < 1e-12);
    free(s);
    // on a node: that node alone
    double* grid = GridPoints(4, 4, 4, 0.5);
    s = Embed(grid, 64, grid + 3 * 21, 1);
    assert_int_equal(s->count, 1);
    assert_int_equal(s->node[0], 21);
    free(s);
    free(grid);
}

// far from the origin and very small: weights do not know about size or place
static void ScaleAndPlace(void** state)
{
    (void)state;
    Random random = { 11 };
    double* nodes = RandomPoints(&random, 100);
    double point[3] = { 0.1, -0.2, 0.05 };
    rslStencil* a = Embed(nodes, 100, point, 1);
    for (int i = 0; i < 300; ++i)
    {
        nodes[i] *= 0x1p-20;
    }
    double small[3] = { 0.1 * 0x1p-20, -0.2 * 0x1p-20, 0.05 * 0x1p-20 };
    rslStencil* b = Embed(nodes, 100, small, 1);
    for (int j = 0; j < 8; ++j)
    {
        assert_int_equal(a->node[j], b->node[j]);
        assert_true(fabs(a->weight[j] - b->weight[j]) < 1e-12);
    }
    free(a);
    free(b);
    free(nodes);
}

static rslStatus CreateAndFree(const rslHooks* hooks, void* user)
{
    rslNearest* nearest;
    rslStatus status = rslNearest_Create(user, 100, hooks, &nearest);
    rslNearest_Free(nearest);
    return status;
}

static void OutOfMemory(void** state)
{
    (void)state;
    Random random = { 3 };
    double* points = RandomPoints(&random, 100);
    FailEveryAllocation(CreateAndFree, points);
    free(points);
}

// a million nodes in seconds
static void Speed(void** state)
{
    (void)state;
    Random random = { 5 };
    int n = FewerWhenSanitized(1000000);
    double* nodes = RandomPoints(&random, n);
    double start = Seconds();
    rslNearest* nearest;
    assert_int_equal(rslNearest_Create(nodes, n, NULL, &nearest), rsl_ok);
    double built = Seconds();
    int queries = n / 10;
    rslStencil* s = calloc((size_t)queries, sizeof *s);
    rslEmbed_Points(nearest, nodes, nodes + 3, queries, s);
    for (int i = 0; i < 3 * queries; ++i)
    {
        nodes[i] += 1e-3;
    }
    double* moved = nodes;
    rslEmbed_Points(nearest, moved, moved, queries, s);
    print_message("nearest: %d points in %.2f s; %d stencils in %.2f s\n", n, built - start, 2 * queries,
                  Seconds() - built);
    assert_true(Seconds() - start < 30.0);
    rslNearest_Free(nearest);
    free(s);
    free(nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(NearestMatchesPlainSearch),
        cmocka_unit_test(LinearPrecision),
        cmocka_unit_test(LowerOrders),
        cmocka_unit_test(ScaleAndPlace),
        cmocka_unit_test(OutOfMemory),
        cmocka_unit_test(Speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
