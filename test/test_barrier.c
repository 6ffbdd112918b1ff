// SPDX-License-Identifier: MIT
//
// The barrier of implicit contact and its friction: laws against differences, forces of random tetrahedra near each other and near a
// plane against differences of their energies, sums of forces and torques, products that are symmetric and never negative, and those of rest, which have all of K; friction
// that sticks, slides and remembers.

#include "barrier.h"
#include "barrier_law.h"
#include "memory.h"
#include "support.h"
#include "vec.h"

#include "resilin/state.h"

// ---- logarithm and law --------------------------------------------------------------------------------------------------

static void test_logarithm(void** state)
{
    (void)state;
    Random random = MakeRandom(1);
    for (int n = 0; n < 2000; ++n)
    {
        double x = n % 2 ? exp(NextBetween(&random, -700.0, 700.0)) : 1.0 + NextBetween(&random, -0.3, 0.5);
        assert_close(rslLn(x), log(x), 4.5e-16 * fabs(log(x)));
        assert_close(rslExp(rslLn(x)), exp(rslLn(x)), 4.5e-16 * x);
    }
    assert_true(rslLn(1.0) == 0.0);
    assert_true(rslLn(0.0) == -INFINITY && isnan(rslLn(-1.0)));
}

static void test_law(void** state)
{
    (void)state;
    double k = 3.0, D = 0.02;
    for (double r = 1e-6; r < 1.0; r *= 1.7)
    {
        double d = r * D, h = 1e-6 * d;
        rslBarrierLaw low = rslBarrierLaw_At(k, D, d - h), at = rslBarrierLaw_At(k, D, d),
                      high = rslBarrierLaw_At(k, D, d + h);
        assert_close((low.energy - high.energy) / (2.0 * h), at.push, 1e-6 * at.push + 1e-9 * at.energy / h);
        assert_close((low.push - high.push) / (2.0 * h), at.stiffness, 1e-6 * at.stiffness + 1e-9 * at.push / h);
        assert_true(at.energy > 0.0 && at.push > 0.0 && at.stiffness > 0.0);
    }
    assert_true(rslBarrierLaw_At(k, D, D).energy == 0.0 && rslBarrierLaw_At(k, D, 0.0).energy == INFINITY);
    double half = rslBarrierLaw_At(rslBarrierLaw_Stiffness(7.0, D), D, 0.5 * D).push;
    assert_close(half, 7.0, 1e-14);
}

// ---- two tetrahedra above a plane ------------------------------------------------------------------------------------------

enum
{
    NODES = 8
};

typedef struct Pair
{
    rslModel model;
    rslBody bodies[2];
    rslCollider plane;
    double rest[3 * NODES], mass[NODES];
    int contactNodes[NODES];
    rslBarrier* barrier;
    rslTeam* team;
} Pair;

static const int triangles[12] = { 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2 };
static const int edges[12] = { 0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3 };
static const int edgeTriangles[12] = { 0, 1, 0, 3, 1, 3, 0, 2, 1, 2, 2, 3 };
static const int starts[5] = { 0, 1, 2, 3, 4 };
static const int stencils[2][4] = { { 0, 1, 2, 3 }, { 4, 5, 6, 7 } };
static const double ones[4] = { 1.0, 1.0, 1.0, 1.0 };

static void MakePair(Pair* pair, double spacing, double friction, bool ofRest)
{
    *pair = (Pair){ 0 };
    static const double corner[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    for (int b = 0; b < 2; ++b)
    {
        memcpy(&pair->rest[12 * b], corner, sizeof corner);
        rslBody* body = &pair->bodies[b];
        body->kind = rsl_networkBody;
        body->firstNode = 4 * b;
        body->nodeCount = 4;
        body->network.rest = &pair->rest[12 * b];
        body->mass = 4.0;
        body->spacing = spacing;
        body->skin = (rslSkin){ .vertexCount = 4,
                                .triangleCount = 4,
                                .edgeCount = 6,
                                .triangles = triangles,
                                .edges = edges,
                                .edgeTriangles = edgeTriangles,
                                .stencilStart = starts,
                                .stencilNodes = stencils[b],
                                .stencilWeights = ones,
                                .closed = true };
    }
    for (int i = 0; i < NODES; ++i)
    {
        pair->contactNodes[i] = i;
        pair->mass[i] = 1.0;
    }
    pair->plane = (rslCollider){ .name = "ground", .normal = { 0.0, 0.0, 1.0 }, .friction = friction };
    pair->model = (rslModel){ .gravity = { 0.0, 0.0, -10.0 },
                              .nodeCount = NODES,
                              .bodyCount = 2,
                              .colliderCount = 1,
                              .bodies = pair->bodies,
                              .mass = pair->mass,
                              .colliders = &pair->plane,
                              .contactNodes = pair->contactNodes,
                              .contactNodeCount = NODES,
                              .touch = { .pairs = rsl_allPairs, .friction = friction } };
    rslHooks hooks = rslHooks_Complete(NULL);
    pair->team = rslTeam_Create(&hooks, 1, NULL, NULL);
    pair->barrier = rslBarrier_Create(&pair->model, ofRest, NULL, pair->team);
    assert_non_null(pair->barrier);
}

static void FreePair(Pair* pair)
{
    rslBarrier_Free(pair->barrier);
    rslTeam_Free(pair->team);
}

// Two tetrahedra, a gap apart at most; bent, above a plane. Nearly parallel edges every other time.
static void Throw(Random* random, const Pair* pair, double gap, bool parallel, double* x)
{
    memcpy(x, pair->rest, 3 * NODES * sizeof(double));
    rslQuat turn = rslQuatFromDegrees(NextVec3(random, 1.0), NextBetween(random, 0.0, 360.0));
    rslMat3 r = rslQuatMatrix(turn);
    for (int i = 0; i < NODES; ++i)
    {
        rslVec3 p = { x[3 * i], x[3 * i + 1], x[3 * i + 2] };
        p = rslAdd(i < 4 || parallel ? p : rslMatVec(&r, p), NextVec3(random, parallel ? 1e-2 : 0.1));
        p = i < 4 ? p : rslSub((rslVec3){ 0.4, -NextBetween(random, 0.0, gap), 0.3 }, p);
        x[3 * i] = p.x;
        x[3 * i + 1] = p.y;
        x[3 * i + 2] = p.z;
    }
    double low = INFINITY;
    for (int i = 0; i < NODES; ++i)
    {
        low = fmin(low, x[3 * i + 2]);
    }
    for (int i = 0; i < NODES; ++i)
    {
        x[3 * i + 2] += NextBetween(random, 0.1, 1.0) * 0.05 - low;
    }
}

static void test_forces(void** state)
{
    (void)state;
    Pair pair;
    MakePair(&pair, 10.0, 0.0, false);  // range 0.2
    Random random = MakeRandom(3);
    int tried = 0, mutual = 0;
    double worst = 0.0, drift = 0.0;
    for (int n = 0; n < 400; ++n)
    {
        double x[3 * NODES], f[3 * NODES];
        Throw(&random, &pair, 0.5, n % 2 == 0, x);
        assert_int_equal(rslBarrier_Look(pair.barrier, x, 0.0), rsl_ok);
        double energy = rslBarrier_Energy(pair.barrier), smallest = rslBarrier_Smallest(pair.barrier, NULL);
        if (!(energy < INFINITY) || smallest < 2e-3)
        {
            continue;
        }
        memcpy(f, rslBarrier_Forces(pair.barrier), sizeof f);
        double size = 0.0, pull[3] = { 0 }, turn[3] = { 0 };
        for (int i = 0; i < NODES; ++i)
        {
            rslVec3 at = { x[3 * i], x[3 * i + 1], x[3 * i + 2] }, force = { f[3 * i], f[3 * i + 1], f[3 * i + 2] };
            rslVec3 t = rslCross(at, force);
            size += rslLength(force);
            pull[0] += force.x, pull[1] += force.y, pull[2] += force.z;
            turn[0] += t.x, turn[1] += t.y, turn[2] += t.z;
        }
        // along the plane and about its normal nothing but rounding; all of it without the plane
        drift = Worse(drift, (fabs(pull[0]) + fabs(pull[1]) + fabs(turn[2])) / (size + 1e-300));
        for (int i = 0; i < 3 * NODES; ++i)
        {
            double h = 1e-7, y[3 * NODES], e[2];
            for (int s = 0; s < 2; ++s)
            {
                memcpy(y, x, sizeof y);
                y[i] += s == 0 ? -h : h;
                rslBarrier_Look(pair.barrier, y, 0.0);
                e[s] = rslBarrier_Energy(pair.barrier);
            }
            worst = Worse(worst, fabs((e[0] - e[1]) / (2.0 * h) - f[i]) / (size + 1e-300));
        }
        ++tried;
        mutual += fabs(f[12]) + fabs(f[0]) > 0.0 ? 1 : 0;
    }
    FreePair(&pair);
    print_message("barrier: %d places, %d of them mutual, force against differences %.2g, drift %.2g\n", tried, mutual,
                  worst, drift);
    assert_true(tried > 100 && mutual > 30);
    assert_at_most(worst, 2e-4);
    assert_at_most(drift, 1e-11);
}

// K is symmetric, never negative, and its blocks are those that are told; friction is in it.
static void test_products(void** state)
{
    (void)state;
    Pair pair;
    MakePair(&pair, 10.0, 0.5, false);
    Random random = MakeRandom(5);
    rslState none = { 0 };
    for (int n = 0; n < 60; ++n)
    {
        double x[3 * NODES], rest[3 * NODES], k[3 * NODES][3 * NODES], size = 0.0;
        Throw(&random, &pair, 0.5, n % 2 == 0, x);
        for (int i = 0; i < 3 * NODES; ++i)
        {
            rest[i] = x[i] + NextBetween(&random, -0.1, 0.1);
        }
        rslBarrierStage stage = { 1.8, 0.3, 0.4, 0.4, 0.0, x, rest };
        assert_int_equal(rslBarrier_Begin(pair.barrier, &none, &stage), rsl_ok);
        rslBarrier_Look(pair.barrier, x, 0.4);
        if (!(rslBarrier_Smallest(pair.barrier, NULL) > 2e-3))
        {
            continue;
        }
        double f[3 * NODES];
        memcpy(f, rslBarrier_Forces(pair.barrier), sizeof f);
        for (int i = 0; i < 3 * NODES; ++i)
        {
            double p[3 * NODES] = { 0 };
            p[i] = 1.0;
            rslBarrier_Product(pair.barrier, false, p, k[i]);
            size = fmax(size, k[i][i]);
        }
        const double(*blocks)[6] = rslBarrier_Blocks(pair.barrier);
        static const int rows[6] = { 0, 1, 2, 0, 0, 1 }, columns[6] = { 0, 1, 2, 1, 2, 2 };
        for (int i = 0; i < NODES; ++i)
        {
            for (int c = 0; c < 6; ++c)
            {
                // near parallel edges have more in K than in the blocks
                double told = blocks[i][c], found = k[3 * i + rows[c]][3 * i + columns[c]];
                assert_true(c < 3 ? found >= told - 1e-9 * size : n % 2 == 0 || fabs(found - told) <= 1e-9 * size);
            }
        }
        for (int t = 0; t < 20; ++t)
        {
            double p[3 * NODES], sum = 0.0;
            for (int i = 0; i < 3 * NODES; ++i)
            {
                p[i] = NextBetween(&random, -1.0, 1.0);
            }
            for (int i = 0; i < 3 * NODES; ++i)
            {
                for (int j = 0; j < 3 * NODES; ++j)
                {
                    sum += p[i] * k[i][j] * p[j];
                    assert_close(k[i][j], k[j][i], 1e-10 * size);
                }
            }
            assert_true(sum >= -1e-9 * size);
        }
        // forces with friction, against differences of the potential
        for (int i = 0; i < 3 * NODES; ++i)
        {
            double y[3 * NODES], e[2], h = 1e-7, all = 0.0;
            for (int s = 0; s < 2; ++s)
            {
                memcpy(y, x, sizeof y);
                y[i] += s == 0 ? -h : h;
                rslBarrier_Look(pair.barrier, y, 0.4);
                e[s] = rslBarrier_Potential(pair.barrier);
            }
            for (int j = 0; j < 3 * NODES; ++j)
            {
                all += fabs(f[j]);
            }
            assert_close((e[0] - e[1]) / (2.0 * h), f[i], 1e-6 * all);
        }
    }
    FreePair(&pair);
}

// K of friction that slips along x: nothing holds along it, unless it is wide; as much as across it then. A stage begins narrow.
static void test_slip(void** state)
{
    (void)state;
    Pair pair;
    MakePair(&pair, 1.0, 0.5, false);  // range 0.02
    rslState none = { 0 };
    double x[3 * NODES] = { 0 }, rest[3 * NODES];
    for (int i = 0; i < NODES; ++i)
    {
        x[3 * i] = 3.0 * i;
        x[3 * i + 2] = 0.01;
    }
    memcpy(rest, x, sizeof rest);
    rest[0] -= 10.0;
    for (int n = 0; n < 4; ++n)
    {
        bool wide = n % 2 == 1, begins = n % 2 == 0;
        rslBarrierStage stage = { 1.8, 0.3, 0.4, 0.4, 0.0, x, rest };
        if (begins)
        {
            assert_int_equal(rslBarrier_Begin(pair.barrier, &none, &stage), rsl_ok);
            assert_int_equal(rslBarrier_Look(pair.barrier, x, 0.4), rsl_ok);
        }
        else
        {
            rslBarrier_Widen(pair.barrier, true);
        }
        double along[3 * NODES], across[3 * NODES], p[3 * NODES] = { 1.0 }, q[3 * NODES] = { 0.0, 1.0 };
        rslBarrier_Product(pair.barrier, false, p, along);
        rslBarrier_Product(pair.barrier, false, q, across);
        const double* block = rslBarrier_Blocks(pair.barrier)[0];
        assert_true(across[1] > 0.0);
        assert_close(along[0], wide ? across[1] : 0.0, 1e-12 * across[1]);
        assert_close(block[0], along[0], 1e-12 * across[1]);
        assert_close(block[1], across[1], 1e-12 * across[1]);
    }
    FreePair(&pair);
}

// Are two edges that are near each other nearly parallel (barrier_edges.c)?
static bool AreParallel(const Pair* pair, const rslCollision* one, const double* x)
{
    rslVec3 along[2][2];
    for (int s = 0; s < 2; ++s)
    {
        uint32_t feature = one->key[1 + 2 * s] - (uint32_t)RSL_KEY_EDGE;
        for (int at = 0; at < 2; ++at)
        {
            const double* from = at == 0 ? x : pair->rest;
            const double *a = &from[12 * s + 3 * edges[2 * feature]], *b = &from[12 * s + 3 * edges[2 * feature + 1]];
            along[s][at] = (rslVec3){ b[0] - a[0], b[1] - a[1], b[2] - a[2] };
        }
    }
    double sine = rslLength(rslCross(along[0][0], along[1][0]));
    return sine < 0.05 * rslLength(along[0][1]) * rslLength(along[1][1]);
}

// Of rest: all of K, against differences of the forces; where edges are nearly parallel some of it is left out.
static void test_curves(void** state)
{
    (void)state;
    Pair pair;
    MakePair(&pair, 4.0, 0.0, true);  // range 0.2
    Random random = MakeRandom(11);
    double worst = 0.0, plane = 0.0, negative = 0.0;
    int tried = 0, kinds[3] = { 0 };
    for (int n = 0; n < 400; ++n)
    {
        double x[3 * NODES], p[3 * NODES], k[3 * NODES], f[2][3 * NODES], size = 0.0, off = 0.0, sum = 0.0, h = 1e-7;
        Throw(&random, &pair, 0.5, false, x);
        rslBarrier_BeginRest(pair.barrier, 1.0);
        rslBarrier_Look(pair.barrier, x, 0.0);
        const rslCollisions* near = rslBarrier_Near(pair.barrier);
        double smallest = rslBarrier_Smallest(pair.barrier, NULL);
        if (!(smallest > 5e-3 && smallest < 0.2))
        {
            continue;
        }
        bool parallel = false;
        for (int i = 0; i < near->count; ++i)
        {
            uint32_t kind = near->list[i].key[3] >> 29;
            plane += rslKey_IsCollider(near->list[i].key) ? 1.0 : 0.0;
            kinds[kind] += 1;
            parallel = parallel || (kind == 1 && AreParallel(&pair, &near->list[i], x));
        }
        if (parallel)
        {
            continue;
        }
        for (int i = 0; i < 3 * NODES; ++i)
        {
            p[i] = NextBetween(&random, -1.0, 1.0);
        }
        rslBarrier_Product(pair.barrier, false, p, k);
        for (int s = 0; s < 2; ++s)
        {
            double y[3 * NODES];
            for (int i = 0; i < 3 * NODES; ++i)
            {
                y[i] = x[i] + (s == 0 ? -h : h) * p[i];
            }
            rslBarrier_Look(pair.barrier, y, 0.0);
            memcpy(f[s], rslBarrier_Forces(pair.barrier), sizeof f[s]);
        }
        for (int i = 0; i < 3 * NODES; ++i)
        {
            off = fmax(off, fabs((f[0][i] - f[1][i]) / (2.0 * h) - k[i]));
            size = fmax(size, fabs(k[i]));
            sum += p[i] * k[i];
        }
        worst = Worse(worst, off / size);
        negative += sum < -1e-3 * size ? 1.0 : 0.0;
        ++tried;
    }
    FreePair(&pair);
    assert_true(tried > 50 && plane == 0.0 && kinds[1] > 20 && kinds[2] > 20 && negative > 0.0);
    assert_at_most(worst, 1e-5);
}

// ---- points on a plane: Newton's method node by node -----------------------------------------------------------------------

typedef struct Slide
{
    double x[3 * NODES], v[3 * NODES];
    rslVec3 gravity;
    double step, theta;
    int newton;             // the most in a step
    double settled, speed;  // x and v of the first node after half of the time
} Slide;

static bool SolveBlock(const double s[6], double c, const double r[3], double d[3])
{
    double a = s[0] + c, b = s[1] + c, e = s[2] + c, f = s[3], g = s[4], h = s[5];
    double A = b * e - h * h, B = g * h - f * e, C = f * h - g * b, det = a * A + f * B + g * C;
    d[0] = (A * r[0] + B * r[1] + C * r[2]) / det;
    d[1] = (B * r[0] + (a * e - g * g) * r[1] + (f * g - a * h) * r[2]) / det;
    d[2] = (C * r[0] + (f * g - a * h) * r[1] + (a * b - f * f) * r[2]) / det;
    return det > 0.0;
}

static void StepSlide(Pair* pair, Slide* slide, rslState* memory, double time)
{
    double h = slide->step, t = slide->theta, c = 1.0 / (h * h * t * t), y[3 * NODES], rest[3 * NODES];
    const double g[3] = { slide->gravity.x, slide->gravity.y, slide->gravity.z };
    for (int i = 0; i < 3 * NODES; ++i)
    {
        rest[i] = slide->x[i] + h * (1.0 - t) * slide->v[i];
        y[i] = slide->x[i] + h * slide->v[i] + h * h * t * g[i % 3];
    }
    rslBarrierStage stage = { 1.0 / t, h * t, h, h, time, slide->x, rest };
    assert_int_equal(rslBarrier_Begin(pair->barrier, memory, &stage), rsl_ok);
    double x[3 * NODES], d[3 * NODES], most = INFINITY;
    memcpy(x, slide->x, sizeof x);
    int n = 0;
    for (; n < 100 && most > 1e-13; ++n)
    {
        rslBarrier_Look(pair->barrier, x, time + h);
        const double* f = rslBarrier_Forces(pair->barrier);
        const double(*blocks)[6] = rslBarrier_Blocks(pair->barrier);
        most = 0.0;
        for (int i = 0; i < NODES; ++i)
        {
            double r[3];
            for (int a = 0; a < 3; ++a)
            {
                r[a] = f[3 * i + a] - c * (x[3 * i + a] - y[3 * i + a]);
            }
            assert_true(SolveBlock(blocks[i], c, r, &d[3 * i]));
            most = fmax(most, fabs(d[3 * i]) + fabs(d[3 * i + 1]) + fabs(d[3 * i + 2]));
        }
        double part;
        rslBarrier_Limit(pair->barrier, x, d, time + h, rslGapKept, &part);
        for (int i = 0; i < 3 * NODES; ++i)
        {
            x[i] += part * d[i];
        }
    }
    slide->newton = n > slide->newton ? n : slide->newton;
    rslBarrier_Look(pair->barrier, x, time + h);
    assert_true(rslBarrier_Smallest(pair->barrier, NULL) > 0.0);
    assert_int_equal(rslBarrier_End(pair->barrier, memory, true), rsl_ok);
    for (int i = 0; i < 3 * NODES; ++i)
    {
        slide->v[i] = (x[i] - rest[i]) / (h * t);
        slide->x[i] = x[i];
    }
}

// Where a plane carries a node of 1 kg: the whole body would be at half of the range.
static double Resting(double weight)
{
    double low = 0.0, high = 0.02;
    for (int n = 0; n < 60; ++n)
    {
        double d = 0.5 * (low + high), push = rslBarrierLaw_At(rslBarrierLaw_Stiffness(40.0, 0.02), 0.02, d).push;
        low = push > weight ? d : low;
        high = push > weight ? high : d;
    }
    return low;
}

// A point that flies at the plane, and a Newton step that leads through it: with nothing but its mass behind it, it is led to where the
// stage ends, whatever it comes from: s p = c (x - y), c = m/l^2. How far it is from that, at most.
static double LeadError(double s, double l)
{
    Pair pair;
    MakePair(&pair, 1.0, 0.0, false);
    rslState memory = { 0 };
    double h = 1.0 / 60.0, c = 1.0 / (l * l), D = 0.02, k = rslBarrierLaw_Stiffness(40.0, D), worst = 0.0;
    for (double speed = 0.1; speed < 200.0; speed *= 1.7)
    {
        for (double gap = 0.05 * D; gap < 20.0 * D; gap *= 3.0)
        {
            double x[3 * NODES], v[3 * NODES] = { 0 }, goal = gap - h * speed;
            for (int i = 0; i < NODES; ++i)
            {
                x[3 * i] = 3.0 * i;
                x[3 * i + 1] = 0.0;
                x[3 * i + 2] = i == 0 ? gap : 5.0;
            }
            rslBarrierStage stage = { s, l, h, h, 0.0, x, x };
            assert_int_equal(rslBarrier_Begin(pair.barrier, &memory, &stage), rsl_ok);
            // what presses it where it begins goes on to press
            double before = s * rslBarrierLaw_At(k, D, gap).push;
            bool led;
            v[2] = -speed + before / (c * h);
            assert_int_equal(rslBarrier_Lead(pair.barrier, x, 0.0, h, true, v, &led), rsl_ok);
            double end = gap + h * v[2], push = s * rslBarrierLaw_At(k, D, end).push;
            assert_true(end > 0.0 && (led || goal + before / c > 0.0));
            worst = led ? Worse(worst, fabs(push - c * (end - goal)) / (c * h * speed)) : worst;
            // a Newton step from there on
            rslBarrierLaw law = rslBarrierLaw_At(k, D, gap);
            memset(v, 0, sizeof v);
            v[2] = (s * law.push - c * (gap - goal)) / (s * law.stiffness + c);
            assert_int_equal(rslBarrier_Lead(pair.barrier, x, h, 1.0, false, v, &led), rsl_ok);
            end = gap + v[2];
            push = s * rslBarrierLaw_At(k, D, end).push;
            assert_true(end > 0.0);
            worst = led ? Worse(worst, fabs(push - c * (end - goal)) / (c * h * speed)) : worst;
            rslBarrier_Cancel(pair.barrier);
        }
    }
    FreePair(&pair);
    return worst;
}

// s and l of backward Euler, of theta = 0.55, and of the stages of TR-BDF2.
static void test_lead(void** state)
{
    (void)state;
    const double h = 1.0 / 60.0, c = h * (1.0 - sqrt(0.5));
    const double stages[4][2] = { { 1.0, h }, { 1.0 / 0.55, 0.55 * h }, { 2.0, c }, { 1.0, c } };
    for (int i = 0; i < 4; ++i)
    {
        assert_at_most(LeadError(stages[i][0], stages[i][1]), 2e-2);
    }
}

static Slide RunSlide(double friction, double ratio, double theta, double seconds, double v0, rslPush* push)
{
    Pair pair;
    MakePair(&pair, 1.0, friction, false);
    double angle = atan(ratio * friction);
    Slide slide = { .step = 1.0 / 60.0, .theta = theta, .gravity = { 10.0 * sin(angle), 0.0, -10.0 * cos(angle) } };
    for (int i = 0; i < NODES; ++i)
    {
        slide.x[3 * i] = 3.0 * i;
        slide.x[3 * i + 2] = Resting(10.0 * cos(angle));
        slide.v[3 * i] = v0;
    }
    rslPush pushes[4] = { 0 };
    rslHooks hooks = rslHooks_Complete(NULL);
    rslState memory = { .hooks = hooks, .pushes = pushes, .pushCount = 4 };
    int steps = (int)(60.0 * seconds + 0.5);
    for (int n = 0; n < steps; ++n)
    {
        StepSlide(&pair, &slide, &memory, n / 60.0);
        slide.settled = n == steps / 2 - 1 ? slide.x[0] : slide.settled;
        slide.speed = n == steps / 2 - 1 ? slide.v[0] : slide.speed;
    }
    assert_int_equal(memory.touchedCount, NODES);
    *push = pushes[0];
    rslRelease(&hooks, memory.touched);
    FreePair(&pair);
    return slide;
}

static void test_friction(void** state)
{
    (void)state;
    rslPush push;
    for (int n = 0; n < 3; ++n)
    {
        const double mu = (const double[]){ 0.05, 0.3, 1.0 }[n];
        for (int e = 0; e < 2; ++e)
        {
            double theta = e == 0 ? 0.55 : 1.0;
            Slide still = RunSlide(mu, 0.99, theta, 10.0, 0.0, &push);
            assert_at_most(fabs(still.x[0] - still.settled), 1e-9);
            // the momentum that the plane gave is what gravity did
            assert_close(push.normal.z, 4.0 * 10.0 * cos(atan(0.99 * mu)) * 10.0, 1e-3 * push.normal.z);
            assert_close(push.friction.x, -4.0 * 10.0 * sin(atan(0.99 * mu)) * 10.0, 1e-3 * -push.friction.x);
            for (int f = 0; f < 2; ++f)
            {
                double ratio = f == 0 ? 1.01 : 1.2, angle = atan(ratio * mu);
                double a = 10.0 * (sin(angle) - mu * cos(angle));
                Slide moves = RunSlide(mu, ratio, theta, 2.0, 0.0, &push);
                assert_close(moves.v[0] - moves.speed, a, 5e-4 * 10.0 * (f == 0 ? 1.0 : mu));
            }
        }
    }
    // from 3 m/s to rest: backward Euler adds up velocities at the ends of steps, and loses mu g h/v0
    double exact = 9.0 / (2.0 * 0.3 * 10.0);
    Slide theta = RunSlide(0.3, 0.0, 0.55, 2.0, 3.0, &push), euler = RunSlide(0.3, 0.0, 1.0, 2.0, 3.0, &push);
    print_message(
        "barrier: slide %.5f (theta 0.55), %.5f (Euler; -mu g h/v0 = %.5f) of exact, %d Newton steps at most\n",
        theta.x[0] / exact - 1.0, euler.x[0] / exact - 1.0, -0.3 * 10.0 / 60.0 / 3.0, theta.newton);
    assert_close(theta.x[0] / exact, 1.0, 5e-3);
    assert_close(euler.x[0] / exact, 1.0 - 0.3 * 10.0 / 60.0 / 3.0, 2e-3);
}

static int RunTests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logarithm), cmocka_unit_test(test_law),  cmocka_unit_test(test_forces),
        cmocka_unit_test(test_products),  cmocka_unit_test(test_slip), cmocka_unit_test(test_curves),
        cmocka_unit_test(test_friction),  cmocka_unit_test(test_lead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return RunTests();
}
