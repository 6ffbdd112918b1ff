// SPDX-License-Identifier: MIT
//
// Random networks: distances, springs, constants, seeds, jamming, and what they are refused for.

#include "build_fixture.h"
#include "sanitized.h"
#include "random_points.h"
#include "shape_internal.h"

#include <inttypes.h>
#include <time.h>

static rslBodyDef RandomBody(const rslShapeDef* shape, double least, double most)
{
    rslBodyDef body = LatticeBody("r", shape, 0.0);
    body.network.type = rsl_randomNetwork;
    body.network.minLength = least;
    body.network.maxLength = most;
    return body;
}

static double Distance(const double* xyz, int a, int b)
{
    const double *p = xyz + 3 * (size_t)a, *q = xyz + 3 * (size_t)b;
    return rslLength((rslVec3){ q[0] - p[0], q[1] - p[1], q[2] - p[2] });
}

static rslModel* BuildOne(const rslBodyDef* body, uint64_t seed, rslReport* report)
{
    rslScene scene = SceneOf(body, 1);
    scene.seed = seed;
    return Built(&scene, report);
}

// ---- geometry -------------------------------------------------------------------------------------------------------

// Every pair by brute force: none closer than minL, and a spring exactly where the distance is at most maxL.
static void PairsAreThoseWithinReach(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.5, 0.4, 0.3);
    shape.rotate = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 40.0 };
    rslBodyDef body = RandomBody(&shape, 0.04, 0.075);
    rslModel* model = BuildOne(&body, 1, NULL);
    const rslNetwork* network = &model->bodies[0].network;
    int spring = 0, near = 0;
    for (int a = 0; a < model->nodeCount; ++a)
    {
        for (int b = a + 1; b < model->nodeCount; ++b)
        {
            double distance = Distance(network->rest, a, b);
            assert_true(distance >= 0.04 * (1.0 - 1e-12));
            near += distance < 0.045;
            if (distance <= 0.075)
            {
                assert_true(spring < network->springCount);
                assert_int_equal(network->springs[spring].a, a);
                assert_int_equal(network->springs[spring].b, b);
                assert_true(Near(network->springs[spring].restLength, distance, 1e-15));
                ++spring;
            }
        }
    }
    assert_int_equal(spring, network->springCount);
    assert_true(near > 100);  // the closest distance is met, as it is in a dense packing
    rslModel_Free(model);
}

static void NodesAreInside(void** state)
{
    (void)state;
    rslShapeDef parts[2] = { BoxShape(0.4, 0.4, 0.4), rslDefaultShapeDef() };
    parts[1].type = rsl_sphereShape;
    parts[1].radius = 0.18;
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_differenceShape;
    shape.parts = parts;
    shape.partCount = 2;
    rslBodyDef body = RandomBody(&shape, 0.03, 0.055);
    rslModel* model = BuildOne(&body, 3, NULL);
    double volume = 0.064 - 4.0 / 3.0 * 3.14159265358979 * 0.18 * 0.18 * 0.18;
    assert_true(Near(model->bodies[0].volume, volume, 0.001 * volume));
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double x[3];
        rslBody_WorldRest(&model->bodies[0], i, i + 1, x);
        assert_true(fabs(x[0]) < 0.2 + 1e-9 && fabs(x[1]) < 0.2 + 1e-9 && fabs(x[2]) < 0.2 + 1e-9);
        assert_true(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] > 0.18 * 0.18 - 1e-9);
    }
    assert_true(model->bodies[0].surface.vertexCount > 0 && model->bodies[0].surface.closed);
    rslModel_Free(model);
}

// Uniform: every eighth of the box has an eighth of the nodes, within what balls of this density scatter.
static void NodesAreUniform(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(1.0, 1.0, 1.0);
    rslBodyDef body = RandomBody(&shape, 0.05, 0.09);
    rslModel* model = BuildOne(&body, 5, NULL);
    int eighth[8] = { 0 };
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double x[3];
        rslBody_WorldRest(&model->bodies[0], i, i + 1, x);
        ++eighth[(x[0] > 0.0) + 2 * (x[1] > 0.0) + 4 * (x[2] > 0.0)];
    }
    for (int i = 0; i < 8; ++i)
    {
        assert_true(Near(8.0 * eighth[i], model->nodeCount, 0.05 * model->nodeCount));
    }
    rslModel_Free(model);
}

// ---- numbers --------------------------------------------------------------------------------------------------------

static void CountsAreMet(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(1.0, 0.5, 0.5);
    rslBodyDef body = RandomBody(&shape, 0.05, 0.1);
    body.network.count = 1000;
    rslModel* model = BuildOne(&body, 1, NULL);
    assert_int_equal(model->nodeCount, 1000);
    rslModel_Free(model);
    body.network.count = 0;
    body.network.filling = 0.3;
    model = BuildOne(&body, 1, NULL);
    assert_int_equal(model->nodeCount, (int)(0.3 * 0.25 / (0.52359877559829887 * 0.05 * 0.05 * 0.05) + 0.5));
    rslModel_Free(model);
}

// K = 1/(9 V) sum k L^2 is that of E = 1e5 and nu = 1/4, for both rules; the mass is rho V.
static void ConstantsFollowTheSumRule(void** state)
{
    (void)state;
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_sphereShape;
    shape.radius = 0.3;
    for (int rule = 0; rule < rsl_stiffnessRuleCount; ++rule)
    {
        rslBodyDef body = RandomBody(&shape, 0.05, 0.09);
        body.network.stiffnessRule = (rslStiffnessRule)rule;
        body.material.stiffnessDamping = 0.01;
        rslModel* model = BuildOne(&body, 1, NULL);
        const rslBody* built = &model->bodies[0];
        double volume = 4.0 / 3.0 * 3.14159265358979 * 0.027;
        assert_true(Near(built->volume, volume, 1e-12));
        assert_true(Near(built->mass, 1000.0 * volume, 1e-9 * built->mass));
        assert_true(Near(SumRule(built), 1e5 * 2.0 / 3.0, 1e-5));
        assert_true(Near(built->young, 1e5, 1e-5) && built->poisson == 0.25 && Near(built->shear, 4e4, 1e-5));
        const rslSpring *p = &built->network.springs[0], *q = &built->network.springs[built->network.springCount - 1];
        assert_true(Near(p->damping, 0.01 * p->stiffness, 1e-12 * p->stiffness));
        double power =
            rule == rsl_uniformStiffness ? 1.0 : q->restLength * q->restLength / (p->restLength * p->restLength);
        assert_true(Near(p->stiffness, power * q->stiffness, 1e-12 * p->stiffness));
        rslModel_Free(model);
    }
}

static void SeedsMatter(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.4, 0.4, 0.4);
    rslBodyDef body = RandomBody(&shape, 0.05, 0.09);
    rslModel *one = BuildOne(&body, 1, NULL), *again = BuildOne(&body, 1, NULL), *two = BuildOne(&body, 2, NULL);
    body.name = "s";
    rslModel* other = BuildOne(&body, 1, NULL);
    assert_true(one->fingerprint == again->fingerprint);
    assert_true(one->fingerprint != two->fingerprint);
    assert_true(one->fingerprint != other->fingerprint);
    // the same with every compiler
    print_message("random network: %016" PRIx64 "\n", one->fingerprint);
    assert_true(one->fingerprint == 0x40669afd488f65a5ull);
    rslModel_Free(one);
    rslModel_Free(again);
    rslModel_Free(two);
    rslModel_Free(other);
}

static void TheGeneratorIsTheKnownOne(void** state)
{
    (void)state;
    rslRandom random = { 1234567 };  // the reference values of SplitMix64
    assert_true(rslRandom_Bits(&random) == 6457827717110365317ull);
    assert_true(rslRandom_Bits(&random) == 3203168211198807973ull);
    for (int i = 0; i < 1000; ++i)
    {
        int below = rslRandom_Below(&random, 7);
        assert_true(below >= 0 && below < 7);
    }
}

// ---- the process ----------------------------------------------------------------------------------------------------

enum
{
    RUNS = 200,
    STATISTICS = 4,
};

// What a set of points in the cube [-3, 3]^3 with d = 1 is judged by: pairs closer than 1.05 and 1.3, points near a face, the
// mean of x^2.
static void Judge(const double* xyz, int count, double* statistics)
{
    memset(statistics, 0, STATISTICS * sizeof(double));
    for (int a = 0; a < count; ++a)
    {
        const double* p = xyz + 3 * (size_t)a;
        for (int b = a + 1; b < count; ++b)
        {
            double distance = Distance(xyz, a, b);
            statistics[0] += distance < 1.05;
            statistics[1] += distance < 1.3;
        }
        statistics[2] += fabs(p[0]) > 2.8 || fabs(p[1]) > 2.8 || fabs(p[2]) > 2.8;
        statistics[3] += p[0] * p[0] / count;
    }
}

// The definition itself: any point of the cube that is at least 1 away from all kept before is kept.
static void PlaceOneByOne(rslRandom* random, int count, double* xyz)
{
    for (int placed = 0; placed < count;)
    {
        double* p = xyz + 3 * (size_t)placed;
        for (int axis = 0; axis < 3; ++axis)
        {
            p[axis] = 6.0 * rslRandom_Unit(random) - 3.0;
        }
        bool free = true;
        for (int i = 0; free && i < placed; ++i)
        {
            free = Distance(xyz, i, placed) >= 1.0;
        }
        placed += free;
    }
}

// Means over many runs agree with those of points drawn one by one, within five standard errors; one draw of a normal
// variable in two million is farther.
static void TheProcessIsSequentialAddition(void** state)
{
    (void)state;
    skip_when_sanitized();
    static const int counts[3] = { 30, 100, 150 };  // fillings 0.07, 0.24, 0.36
    rslHooks hooks = rslHooks_Complete(NULL);
    rslShapeDef def = BoxShape(6.0, 6.0, 6.0);
    rslShape* shape = NULL;
    assert_int_equal(rslShape_Create(&def, &hooks, &shape, NULL), rsl_ok);
    double* plain = malloc(3 * 150 * sizeof(double));
    rslRandom random = { 99 };
    for (int c = 0; c < 3; ++c)
    {
        double sum[2][STATISTICS] = { { 0.0 } }, squares[2][STATISTICS] = { { 0.0 } };
        for (int run = 0; run < RUNS; ++run)
        {
            rslRandomPoints points;
            assert_int_equal(rslRandomPoints_Place(shape, 1.0, counts[c], 1000 + (uint64_t)run, &hooks, &points),
                             rsl_ok);
            assert_int_equal(points.count, counts[c]);
            PlaceOneByOne(&random, counts[c], plain);
            for (int way = 0; way < 2; ++way)
            {
                double one[STATISTICS];
                Judge(way == 0 ? points.xyz : plain, counts[c], one);
                for (int k = 0; k < STATISTICS; ++k)
                {
                    sum[way][k] += one[k] / RUNS;
                    squares[way][k] += one[k] * one[k] / RUNS;
                }
            }
            rslRandomPoints_Free(&points);
        }
        for (int k = 0; k < STATISTICS; ++k)
        {
            double variance = squares[0][k] - sum[0][k] * sum[0][k] + squares[1][k] - sum[1][k] * sum[1][k];
            double errors = fabs(sum[0][k] - sum[1][k]) / sqrt(variance / RUNS);
            print_message("%d points, statistic %d: %.4f and %.4f, %.2f standard errors apart\n", counts[c], k,
                          sum[0][k], sum[1][k], errors);
            assert_true(errors < 5.0);
        }
    }
    free(plain);
    rslShape_Free(shape);
}

// ---- limits ---------------------------------------------------------------------------------------------------------

static void JammingIsFound(void** state)
{
    (void)state;
    rslShapeDef def = BoxShape(1.0, 1.0, 1.0);
    rslShape* shape = NULL;
    rslHooks hooks = rslHooks_Complete(NULL);
    assert_int_equal(rslShape_Create(&def, &hooks, &shape, NULL), rsl_ok);
    rslRandomPoints points = { 0 };
    assert_int_equal(rslRandomPoints_Place(shape, 0.04, 100000, 1, &hooks, &points), rsl_ok);
    assert_true(points.jammed);
    // balls reach out of the cube by half a diameter, so that it seems larger, by up to this half on each side
    double filling = points.count * 0.52359877559829887 * 6.4e-5;
    print_message("jammed at %.4f\n", filling);
    assert_true(filling > 0.384 && filling < 0.384 * 1.04 * 1.04 * 1.04);
    rslRandomPoints_Free(&points);
    rslShape_Free(shape);

    rslBodyDef body = RandomBody(&def, 0.04, 0.07);
    body.network.count = 14000;  // 0.47
    rslScene scene = SceneOf(&body, 1);
    Refused(&scene, body.network.place, "is jammed at");
    body.network.count = 12500;  // 0.42: a little too many even for the border
    rslReport report = { 0 };
    rslModel* model = BuildOne(&body, 1, &report);
    assert_true(HasMessage(&report, rsl_warning, body.network.place, "is jammed at"));
    assert_true(model->nodeCount > 11875 && model->nodeCount < 12500);
    rslModel_Free(model);
}

static void LooseNodesGo(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(1.0, 1.0, 1.0);
    rslBodyDef body = RandomBody(&shape, 0.1, 0.13);
    rslReport report = { 0 };
    rslModel* model = BuildOne(&body, 1, &report);
    assert_true(HasMessage(&report, rsl_warning, body.network.place, "fewer than three springs were taken out"));
    assert_true(HasMessage(&report, rsl_warning, body.network.place, "springs a node: expect about"));
    int* degree = calloc((size_t)model->nodeCount, sizeof(int));
    for (int i = 0; i < model->bodies[0].network.springCount; ++i)
    {
        ++degree[model->bodies[0].network.springs[i].a];
        ++degree[model->bodies[0].network.springs[i].b];
    }
    for (int i = 0; i < model->nodeCount; ++i)
    {
        assert_true(degree[i] >= 3);
    }
    assert_true(Near(model->bodies[0].mass, 1000.0, 1e-9));
    free(degree);
    rslModel_Free(model);
}

static void PartsAreReported(void** state)
{
    (void)state;
    rslShapeDef parts[2] = { BoxShape(0.3, 0.3, 0.3), BoxShape(0.3, 0.3, 0.3) };
    parts[1].translate.x = 1.0;
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_unionShape;
    shape.parts = parts;
    shape.partCount = 2;
    rslBodyDef body = RandomBody(&shape, 0.05, 0.09);
    rslReport report = { 0 };
    rslModel_Free(BuildOne(&body, 1, &report));
    assert_true(HasMessage(&report, rsl_warning, body.network.place, "is in 2 parts"));
    assert_true(HasMessage(&report, rsl_warning, body.network.place, "a larger max_length may join"));
}

static void BadNetworksAreRefused(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(1.0, 1.0, 1.0);
    rslBodyDef body = RandomBody(&shape, 1.0, 2.0);
    rslScene scene = SceneOf(&body, 1);
    Refused(&scene, body.network.place, "would have 1 nodes");
    body = RandomBody(&shape, 1e-4, 2e-4);
    Refused(&scene, body.network.place, "a min_length of");
    body = RandomBody(&shape, 0.1, 0.101);
    Refused(&scene, body.network.place, "a larger max_length, such as 0.2 m");
    rslShapeDef thin = BoxShape(1.0, 1.0, 0.01);
    body = RandomBody(&thin, 0.1, 0.2);
    Refused(&scene, body.network.place, "such as 0.4 m, or a smaller min_length");
    body = RandomBody(&shape, 0.1, 0.1);
    Refused(&scene, body.network.place, "expected more than 'min_length'");
    body = RandomBody(&shape, 0.1, 0.18);
    body.network.count = 1000000;
    Refused(&scene, body.network.place, "its volume has room for about 726");
    body = RandomBody(NULL, 0.1, 0.18);
    Refused(&scene, body.place, "a random network fills a shape");
}

static void OutOfMemory(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.3);
    rslBodyDef body = RandomBody(&shape, 0.05, 0.08);
    rslScene scene = SceneOf(&body, 1);
    BuildWithoutMemory(&scene, 20);
}

// ---- speed ----------------------------------------------------------------------------------------------------------

static double Seconds(void)
{
    struct timespec now = { 0 };
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void ManyNodes(void** state)
{
    (void)state;
    const char* million = getenv("RSL_MILLION");  // the whole takes its time on a busy machine
    int count = million != NULL ? 1000000 : 100000;
    rslShapeDef shape = BoxShape(1.0, 1.0, 1.0);
    double least = rslCubeRoot(0.34 / (count * 0.52359877559829887));
    rslBodyDef body = RandomBody(&shape, least, 1.7 * least);
    body.surface.enabled = false;
    double start = Seconds();
    rslModel* model = BuildOne(&body, 1, NULL);
    print_message("%d nodes, %d springs, %.1f a node: %.2f s\n", model->nodeCount, model->bodies[0].network.springCount,
                  2.0 * model->bodies[0].network.springCount / model->nodeCount, Seconds() - start);
    assert_true(abs(model->nodeCount - count) <= 1);
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PairsAreThoseWithinReach),
        cmocka_unit_test(NodesAreInside),
        cmocka_unit_test(NodesAreUniform),
        cmocka_unit_test(CountsAreMet),
        cmocka_unit_test(ConstantsFollowTheSumRule),
        cmocka_unit_test(SeedsMatter),
        cmocka_unit_test(TheGeneratorIsTheKnownOne),
        cmocka_unit_test(TheProcessIsSequentialAddition),
        cmocka_unit_test(JammingIsFound),
        cmocka_unit_test(LooseNodesGo),
        cmocka_unit_test(PartsAreReported),
        cmocka_unit_test(BadNetworksAreRefused),
        cmocka_unit_test(OutOfMemory),
        cmocka_unit_test(ManyNodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
