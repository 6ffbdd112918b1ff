// SPDX-License-Identifier: MIT
//
// Pairs of a vertex and a triangle, and of edges: where they are nearest, against samples; and whether they meet on straight ways,
// against ways that are made to meet, exact predicates and samples of the way. None may be missed.

#include "collide_pair.h"
#include "predicate.h"
#include "support.h"
#include "vec.h"

static rslVec3 At(const rslVec3* from, const rslVec3* to, int i, double t)
{
    return rslMulAdd(from[i], t, rslSub(to[i], from[i]));
}

static double DistanceAt(rslPairKind kind, const rslVec3* from, const rslVec3* to, double t)
{
    // from the first point on, so that places far from the origin lose nothing
    rslVec3 a[4], b[4], x[4];
    for (int i = 0; i < 4; ++i)
    {
        a[i] = rslSub(from[i], from[0]);
        b[i] = rslSub(to[i], from[0]);
        x[i] = At(a, b, i, t);
    }
    return sqrt(rslPair_Nearest(kind, x).squared);
}

static double SizeOf(const rslVec3* from, const rslVec3* to)
{
    double size = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        size = fmax(size, fmax(rslLength(rslSub(from[i], from[0])), rslLength(rslSub(to[i], from[0]))));
    }
    return size;
}

static double Power(Random* random, double low, double high)
{
    return pow(10.0, NextBetween(random, low, high));
}

// Four points of a random kind of degeneracy: any, flat, collinear or repeated; of any size.
static void MakePoints(Random* random, double size, rslVec3* x)
{
    int kind = (int)(NextBits(random) % 8);
    for (int i = 0; i < 4; ++i)
    {
        x[i] = NextVec3(random, size);
        x[i].z *= kind == 1 ? 0.0 : kind == 2 ? 1e-9 : 1.0;
        x[i].y *= kind == 3 ? 0.0 : 1.0;
        x[i].z *= kind == 3 ? 0.0 : 1.0;
    }
    if (kind == 4)
    {
        x[3] = x[2];
    }
    if (kind == 5)  // parallel edges
    {
        x[3] = rslMulAdd(x[2], NextBetween(random, -2.0, 2.0), rslSub(x[1], x[0]));
    }
}

static void test_nearest(void** state)
{
    (void)state;
    Random random = MakeRandom(1);
    for (int n = 0; n < 300; ++n)
    {
        rslPairKind kind = n % 2 ? rsl_edgeEdge : rsl_vertexTriangle;
        double size = Power(&random, -6.0, 6.0);
        rslVec3 x[4];
        MakePoints(&random, size, x);
        rslNear near = rslPair_Nearest(kind, x);
        double least = INFINITY, sum = 0.0;
        rslVec3 apart = { 0 };
        for (int i = 0; i < 4; ++i)
        {
            sum += near.weight[i];
            apart = rslMulAdd(apart, near.weight[i], x[i]);
            assert_int_equal(near.parts >> i & 1, near.weight[i] != 0.0);
        }
        for (int k = 0; k < 400; ++k)
        {
            double s = NextBetween(&random, 0.0, 1.0), t = NextBetween(&random, 0.0, 1.0);
            s = k % 5 == 0 ? k % 10 == 0 : s;
            t = k % 7 == 0 ? k % 14 == 0 : t;
            double u = s * (1.0 - t), v = s * t;
            rslVec3 edges = rslSub(rslMulAdd(x[0], s, rslSub(x[1], x[0])), rslMulAdd(x[2], t, rslSub(x[3], x[2])));
            rslVec3 face = rslSub(x[0], rslMulAdd(rslMulAdd(x[1], u, rslSub(x[2], x[1])), v, rslSub(x[3], x[1])));
            least = fmin(least, rslLength(kind == rsl_edgeEdge ? edges : face));
        }
        assert_close(sum, 0.0, 1e-12);
        assert_at_most(sqrt(near.squared) - near.doubt, least);
        assert_close(rslLength(apart), sqrt(near.squared), 2e-8 * size);
    }
}

// ---- meeting --------------------------------------------------------------------------------------------------------

// A way on which the two meet at the time t, in the middle of both or at a border.
static double MakeMeeting(Random* random, rslPairKind kind, rslVec3* from, rslVec3* to)
{
    double size = Power(random, -6.0, 6.0), speed = size * Power(random, -3.0, 3.0);
    double t = NextBits(random) % 10 == 0 ? (double)(NextBits(random) % 2) : NextBetween(random, 0.0, 1.0);
    rslVec3 x[4], place = NextVec3(random, NextBits(random) % 2 ? 0.0 : 10.0 * size);
    MakePoints(random, size, x);
    double a = NextBetween(random, 0.0, 1.0), b = NextBetween(random, 0.0, 1.0);
    a = NextBits(random) % 4 == 0 ? (double)(NextBits(random) % 2) : a;
    b = NextBits(random) % 4 == 0 ? (double)(NextBits(random) % 2) : b;
    if (kind == rsl_edgeEdge)
    {
        rslVec3 p = rslMulAdd(x[0], a, rslSub(x[1], x[0])), q = rslMulAdd(x[2], b, rslSub(x[3], x[2]));
        x[2] = rslAdd(x[2], rslSub(p, q));
        x[3] = rslAdd(x[3], rslSub(p, q));
    }
    else
    {
        x[0] = rslMulAdd(rslMulAdd(x[1], a * (1.0 - b), rslSub(x[2], x[1])), a * b, rslSub(x[3], x[1]));
    }
    bool flat = NextBits(random) % 8 == 0, together = NextBits(random) % 8 == 0;
    rslVec3 mean = NextVec3(random, 100.0 * speed);
    for (int i = 0; i < 4; ++i)
    {
        rslVec3 v = together ? rslAdd(mean, NextVec3(random, speed)) : NextVec3(random, speed);
        v.z *= flat ? 0.0 : 1.0;
        from[i] = rslAdd(place, rslMulAdd(x[i], -t, v));
        to[i] = rslAdd(place, rslMulAdd(x[i], 1.0 - t, v));
    }
    return t;
}

static void test_no_meeting_is_missed(void** state)
{
    (void)state;
    Random random = MakeRandom(2);
    int count = Proving() ? 1000000 : 20000, missed = 0;
    int early = 0;  // in a plane, the last bit of a long way is not gone
    for (int n = 0; n < count; ++n)
    {
        rslVec3 from[4], to[4];
        rslPairKind kind = n % 2 ? rsl_edgeEdge : rsl_vertexTriangle;
        double t = MakeMeeting(&random, kind, from, to), found = rslPair_MeetTime(kind, from, to);
        // the way is rounded at its ends: it need not meet any more, by as much
        double size = SizeOf(from, to), slack = 0x1p-49 * (size + rslLength(from[0]) + rslLength(to[0]));
        if (found == INFINITY && DistanceAt(kind, from, to, t) > slack)
        {
            continue;
        }
        missed += found == INFINITY;
        if (found != INFINITY)
        {
            early += !(DistanceAt(kind, from, to, found) <= 1e-7 * size);
            assert_true(found >= 0.0 && found <= 1.0);
        }
    }
    if (Proving())
    {
        print_message("prove: meetings on ways, missed of %d | %d | 0 | %s\n", count, missed,
                      missed == 0 ? "pass" : "FAIL");
    }
    assert_int_equal(missed, 0);
    assert_at_most(early, count / 20);
}

// A triangle at rest and a vertex that goes through it, as exact predicates tell; an edge at rest and one that sweeps over a
// parallelogram likewise.
static bool Pierces(const rslVec3* p, const rslVec3* q, const rslVec3* a, const rslVec3* b, const rslVec3* c)
{
    const double P[3] = { p->x, p->y, p->z }, Q[3] = { q->x, q->y, q->z };
    const double A[3] = { a->x, a->y, a->z }, B[3] = { b->x, b->y, b->z }, C[3] = { c->x, c->y, c->z };
    int above = rslOrient3(A, B, C, P), below = rslOrient3(A, B, C, Q);
    int u = rslOrient3(P, A, B, Q), v = rslOrient3(P, B, C, Q), w = rslOrient3(P, C, A, Q);
    return above * below <= 0 && (above != 0 || below != 0) && u * v >= 0 && v * w >= 0 && w * u >= 0;
}

static void test_predicates_agree(void** state)
{
    (void)state;
    Random random = MakeRandom(3);
    int count = Proving() ? 1000000 : 20000, hits = 0, missed = 0, falsely = 0;
    for (int n = 0; n < count; ++n)
    {
        rslVec3 from[4], to[4];
        rslPairKind kind = n % 2 ? rsl_edgeEdge : rsl_vertexTriangle;
        double size = Power(&random, -6.0, 6.0);
        MakePoints(&random, size, from);
        memcpy(to, from, sizeof to);
        bool meets;
        if (kind == rsl_vertexTriangle)
        {
            to[0] = NextVec3(&random, NextBits(&random) % 2 ? size : 100.0 * size);
            meets = Pierces(&from[0], &to[0], &from[1], &from[2], &from[3]);
        }
        else
        {
            // numbers with few digits: the parallelogram is exact
            double grid = size * 0x1p-20;
            for (int i = 0; i < 4; ++i)
            {
                from[i] = (rslVec3){ grid * round(from[i].x / grid), grid * round(from[i].y / grid),
                                     grid * round(from[i].z / grid) };
            }
            rslVec3 v = NextVec3(&random, 2.0 * size);
            v = (rslVec3){ grid * round(v.x / grid), grid * round(v.y / grid), grid * round(v.z / grid) };
            to[0] = rslAdd(from[0], v);
            to[1] = rslAdd(from[1], v);
            to[2] = from[2];
            to[3] = from[3];
            meets = Pierces(&from[2], &from[3], &from[0], &from[1], &to[1]) ||
                    Pierces(&from[2], &from[3], &from[0], &to[1], &to[0]);
        }
        hits += meets;
        double found = rslPair_MeetTime(kind, from, to);
        missed += meets && found == INFINITY;
        falsely += !meets && found != INFINITY && DistanceAt(kind, from, to, found) > 1e-7 * SizeOf(from, to);
    }
    if (Proving())
    {
        print_message("prove: exact meetings, missed of %d | %d | 0 | %s\n", hits, missed,
                      missed == 0 ? "pass" : "FAIL");
    }
    assert_at_most(falsely, count / 1000);
    assert_int_equal(missed, 0);
    assert_true(hits > count / 50);
}

// ---- safe times -----------------------------------------------------------------------------------------------------

static void test_safe_times(void** state)
{
    (void)state;
    Random random = MakeRandom(4);
    int count = Proving() ? 100000 : 3000, late = 0, slow = 0;
    for (int n = 0; n < count; ++n)
    {
        rslVec3 from[4], to[4];
        rslPairKind kind = n % 2 ? rsl_edgeEdge : rsl_vertexTriangle;
        MakeMeeting(&random, kind, from, to);
        double start = DistanceAt(kind, from, to, 0.0), floor = NextBetween(&random, 0.0, 1.1) * start;
        double t = rslPair_SafeTime(kind, from, to, floor), end = fmin(t, 1.0);
        for (int k = 0; k <= 40; ++k)
        {
            late += t > 0.0 && !(DistanceAt(kind, from, to, end * k / 40.0) + 1e-9 * SizeOf(from, to) > floor);
        }
        bool reaches = t > 0.0 && t < 1.0 && start > 1e-5 * SizeOf(from, to);
        slow += reaches && DistanceAt(kind, from, to, t) > floor + 0.11 * (start - floor) + 1e-6 * start;
    }
    assert_int_equal(late, 0);
    assert_at_most(slow, count / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_no_meeting_is_missed),
        cmocka_unit_test(test_predicates_agree),
        cmocka_unit_test(test_safe_times),
    };
    return cmocka_run_group_tests_name("collide_pair", tests, NULL, NULL);
}
