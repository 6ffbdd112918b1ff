// SPDX-License-Identifier: MIT
//
// Slices of networks: every node sums its springs, as a plain loop does but for rounding, whatever lies beside it and whatever the order of
// nodes, and to the same bits for any number of threads. test_network_rows.c has the order of sums.

#include "shaken_fixture.h"

#include "band_order.h"
#include "memory.h"
#include "random.h"
#include "state_internal.h"

#define REFERENCE_REAL float
#define REFERENCE_SQRT sqrtf
#define REFERENCE_PART 0x1p-20
#define REFERENCE(name) Single##name
#include "network_reference.h"

#define REFERENCE_REAL double
#define REFERENCE_SQRT sqrt
#define REFERENCE_PART 0x1p-40
#define REFERENCE(name) Double##name
#include "network_reference.h"

enum
{
    KINDS = 10,
    NODES = 1300,
    HUB = 7,     // a node with many springs
    ALONE = 10,  // every tenth of the first nodes has none
    SPRINGS = 9000,
    STEPS = 35
};

// What springs are like.
typedef struct Kind
{
    int constants;  // different stiffnesses; 0: each has its own
    bool damped, preloaded, scattered;
    rslSpringLaw law;
} Kind;

static const Kind kinds[KINDS] = {
    { 1, false, false, false, rsl_linearSpring }, { 1, false, false, true, rsl_linearSpring },
    { 5, false, false, true, rsl_linearSpring },  { 0, false, false, true, rsl_linearSpring },
    { 1, true, false, true, rsl_linearSpring },   { 32, true, false, false, rsl_linearSpring },
    { 33, true, false, true, rsl_linearSpring },  { 3, false, true, true, rsl_linearSpring },
    { 2, false, false, true, rsl_carrierSpring }, { 4, true, true, true, rsl_cooperSpring },
};

static double nodes[3 * NODES], stiffness[SPRINGS], damping[SPRINGS], restLengths[SPRINGS];
static int springs[2 * SPRINGS];
static const double mass = 1e-3;
static rslBodyDef bodies[2];
static rslShapeDef box;
static rslDriveDef drive;

static void AddSpring(const Kind* kind, int a, int b, int* count, rslRandom* random)
{
    int n = *count;
    double d[3] = { nodes[3 * b] - nodes[3 * a], nodes[3 * b + 1] - nodes[3 * a + 1],
                    nodes[3 * b + 2] - nodes[3 * a + 2] };
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    assert_true(n < SPRINGS);
    springs[2 * n] = a;
    springs[2 * n + 1] = b;
    stiffness[n] = kind->constants == 0 ? 20.0 + rslRandom_Unit(random) : 20.0 + (double)(n % kind->constants);
    damping[n] = 1e-3 * stiffness[n] * (double)(1 + n % 2);
    restLengths[n] = length * (n % 3 ? 1.0 : 1.0 + 0.1 * rslRandom_Unit(random));
    *count += 1;
}

// Points of a box, in rows or anyhow, each joined to some of those within reach.
static int MakeNetwork(const Kind* kind, uint64_t seed, int nodeCount)
{
    rslRandom random = { seed };
    int count = 0;
    for (int i = 0; i < nodeCount; ++i)
    {
        nodes[3 * i] = kind->scattered ? rslRandom_Unit(&random) : (double)i / nodeCount;
        nodes[3 * i + 1] = 0.3 * rslRandom_Unit(&random);
        nodes[3 * i + 2] = 0.3 * rslRandom_Unit(&random);
    }
    for (int a = 0; a < nodeCount; ++a)
    {
        for (int b = a + 1; b < nodeCount; ++b)
        {
            double x = nodes[3 * a] - nodes[3 * b], y = nodes[3 * a + 1] - nodes[3 * b + 1],
                   z = nodes[3 * a + 2] - nodes[3 * b + 2];
            bool alone = (a % ALONE == 3 && a < 200) || (b % ALONE == 3 && b < 200);
            bool near = sqrt(x * x + y * y + z * z) < 0.07 && rslRandom_Unit(&random) < 0.8;
            if (!alone && (near || ((a == HUB || b == HUB) && (a + b) % 9 == 0)))
            {
                AddSpring(kind, a, b, &count, &random);
            }
        }
    }
    return count;
}

// A drive that does nothing keeps the walk over nodes.
static rslScene MakeScene(int number, bool driven, int nodeCount)
{
    const Kind* kind = &kinds[number];
    int count = MakeNetwork(kind, (uint64_t)number + 1, nodeCount);
    bodies[0] = NetworkBody("net", nodes, nodeCount, &mass, springs, count, stiffness);
    bodies[0].network.stiffnessCount = count;
    bodies[0].network.law = kind->law;
    bodies[0].network.damping = kind->damped ? damping : NULL;
    bodies[0].network.dampingCount = kind->damped ? count : 0;
    bodies[0].network.restLengths = kind->preloaded ? restLengths : NULL;
    bodies[0].network.restLengthCount = kind->preloaded ? count : 0;
    box = BoxShape(0.07, 0.05, 0.06);
    box.translate.x = 3.0;
    bodies[1] = LatticeBody("block", &box, 0.01);
    rslScene scene = SceneOf(bodies, number % 2 ? 2 : 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    if (driven)
    {
        drive = rslDefaultDriveDef();
        drive.nodes = AllOf("net");
        scene.drives = &drive;
        scene.driveCount = 1;
    }
    return scene;
}

static Run StartShaken(int number, bool driven, rslPrecision precision, int threads)
{
    rslScene scene = MakeScene(number, driven, NODES);
    rslSolverDef def = SolverDef(rsl_positionVerlet, 2e-4);
    def.precision = precision;
    def.threads = threads;
    Run run = StartRun(&scene, def);
    rslRandom random = { (uint64_t)number + 100 };
    for (int i = 0; i < 3 * run.model->nodeCount; ++i)
    {
        double u = 4e-3 * rslRandom_Unit(&random), w = 0.2 * rslRandom_Unit(&random);
        SetMotion(&run, i % 3, i / 3, u, w);
    }
    return run;
}

static void test_forces_of_a_plain_loop(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        for (int p = FirstPrecision(kind); p <= LastPrecision(kind); ++p)
        {
            Run run = StartShaken(kind, false, p == 0 ? rsl_single : rsl_double, 2);
            double* found = calloc(3 * (size_t)run.model->nodeCount, sizeof(double));
            assert_non_null(found);
            rslSolver_Fields(run.solver, run.state, found, NULL, NULL);
            for (int i = 0; i < NODES; ++i)
            {
                double expected[3];
                double size = (p == 0 ? SingleForce : DoubleForce)(run.model, run.state, i, expected);
                for (int axis = 0; axis < 3; ++axis)
                {
                    double off = fabs(found[3 * i + axis] - expected[axis]);
                    assert_true(off <= (p == 0 ? 0x1p-20 : 0x1p-49) * size);
                }
            }
            free(found);
            EndRun(&run);
        }
    }
}

static Run StartSliced(int number, rslPrecision precision, int threads)
{
    return StartShaken(number, false, precision, threads);
}

static void test_threads_change_nothing(void** state)
{
    (void)state;
    CheckCutsOfAll(StartSliced, KINDS, STEPS);
}

// Displacements and velocities of two runs, but for rounding, of which that of places at rest is the most.
static void CheckNear(const Run* a, const Run* b)
{
    double slack = a->state->precision == rsl_single ? 1e-5 : 1e-13;
    for (int i = 0; i < a->model->nodeCount; ++i)
    {
        assert_true(Distance(PositionOf(a, i), PositionOf(b, i)) <= 0.1 * slack);
        assert_true(Distance(VelocityOf(a, i), VelocityOf(b, i)) <= 10.0 * slack);
    }
}

static void test_walks_are_the_same(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        for (int p = FirstPrecision(kind); p <= LastPrecision(kind); ++p)
        {
            rslPrecision precision = p == 0 ? rsl_single : rsl_double;
            Run sliced = StartShaken(kind, false, precision, 2), walked = StartShaken(kind, true, precision, 2);
            Step(&sliced, STEPS);
            Step(&walked, STEPS);
            CheckNear(&sliced, &walked);
            double lost = sliced.state->account.dissipated, other = walked.state->account.dissipated;
            assert_true(kinds[kind].damped == (lost > 0.0));
            assert_true(fabs(lost - other) <= (p == 0 ? 1e-5 : 1e-12) * lost);
            double energy = rslSolver_Energy(sliced.solver, sliced.state).springs;
            other = rslSolver_Energy(walked.solver, walked.state).springs;
            assert_true(energy > 0.0 && fabs(energy - other) <= (p == 0 ? 1e-5 : 1e-12) * energy);
            EndRun(&sliced);
            EndRun(&walked);
        }
    }
}

// Nothing from outside keeps steps from being taken at once.
static void test_whole_steps_are_their_parts(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind += 2)  // without a lattice beside it
    {
        for (int p = FirstPrecision(kind); p <= LastPrecision(kind); ++p)
        {
            rslPrecision precision = p == 0 ? rsl_single : rsl_double;
            Run whole = StartShaken(kind, false, precision, 2), apart = StartShaken(kind, false, precision, 2);
            double* nothing = calloc(3 * (size_t)apart.model->nodeCount, sizeof(double));
            assert_non_null(nothing);
            rslSolver_SetForces(apart.solver, nothing);
            Step(&whole, STEPS);
            for (int n = 0; n < STEPS; ++n)
            {
                Step(&apart, 1);
            }
            CheckSame(&whole, &apart);
            double lost = whole.state->account.dissipated, other = apart.state->account.dissipated;
            assert_true(kinds[kind].damped == (lost > 0.0));
            assert_true(fabs(lost - other) <= (p == 0 ? 1e-5 : 1e-12) * lost);
            EndRun(&whole);
            EndRun(&apart);
            free(nothing);
        }
    }
}

// ---- nodes in rows ------------------------------------------------------------------------------------------------

enum
{
    SIDE = 9
};

// Springs of few kinds, the lengths of which differ by rounding, between nodes that are numbered line by line or anyhow.
static rslScene MakeGrid(bool shuffled)
{
    static int name[SIDE * SIDE * SIDE];
    rslRandom random = { 5 };
    int count = 0;
    for (int i = 0; i < SIDE * SIDE * SIDE; ++i)
    {
        int j = shuffled ? rslRandom_Below(&random, i + 1) : i;
        name[i] = name[j];
        name[j] = i;
    }
    for (int i = 0; i < SIDE * SIDE * SIDE; ++i)
    {
        int at[3] = { i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE }, next[3] = { 1, SIDE, SIDE * SIDE };
        for (int axis = 0; axis < 3; ++axis)
        {
            nodes[3 * name[i] + axis] = 0.013 * at[axis];
            bool diagonal = at[axis] + 1 < SIDE && at[(axis + 1) % 3] + 1 < SIDE;
            for (int d = 0; d < 2; ++d)
            {
                if (d == 0 ? at[axis] + 1 < SIDE : diagonal)
                {
                    springs[2 * count] = name[i];
                    springs[2 * count + 1] = name[i + next[axis] + (d == 0 ? 0 : next[(axis + 1) % 3])];
                    stiffness[count++] = d == 0 ? 20.0 : 10.0 + (double)(i % 2);
                }
            }
        }
    }
    bodies[0] = NetworkBody("net", nodes, SIDE * SIDE * SIDE, &mass, springs, count, stiffness);
    bodies[0].network.stiffnessCount = count;
    rslScene scene = SceneOf(bodies, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    return scene;
}

static void test_springs_of_few_kinds(void** state)
{
    (void)state;
    for (int test = 0; test < 4; ++test)
    {
        int p = test % 2;
        rslScene scene = MakeGrid(test / 2 == 1);
        rslSolverDef def = SolverDef(rsl_positionVerlet, 2e-4);
        def.precision = p == 0 ? rsl_single : rsl_double;
        Run run = StartRun(&scene, def);
        rslRandom random = { 77 };
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            rslVec3 u = { 1e-3 * rslRandom_Unit(&random), 1e-3 * rslRandom_Unit(&random),
                          1e-3 * rslRandom_Unit(&random) };
            rslState_Put3(run.state, run.state->displacement, i, u);
        }
        double* found = calloc(3 * (size_t)run.model->nodeCount, sizeof(double));
        assert_non_null(found);
        rslSolver_Fields(run.solver, run.state, found, NULL, NULL);
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            double expected[3];
            (p == 0 ? SingleForce : DoubleForce)(run.model, run.state, i, expected);
            for (int axis = 0; axis < 3; ++axis)
            {
                assert_true(fabs(found[3 * i + axis] - expected[axis]) <= (p == 0 ? 1e-7 : 1e-14));  // of 1e-1 N
            }
        }
        free(found);
        EndRun(&run);
    }
}

// ---- the order ----------------------------------------------------------------------------------------------------

// Rings of nodes whose numbers say nothing.
static void test_band_order(void** state)
{
    (void)state;
    enum
    {
        RING = 400,
        COUNT = 2 * RING + 3  // and some that are alone
    };
    static int name[COUNT], start[COUNT + 1], other[4 * RING], order[COUNT], place[COUNT];
    rslRandom random = { 3 };
    for (int i = 0; i < COUNT; ++i)
    {
        int j = rslRandom_Below(&random, i + 1);
        name[i] = name[j];
        name[j] = i;
    }
    for (int i = 0; i < 2 * RING; ++i)
    {
        start[name[i] + 1] = 2;
    }
    for (int i = 0; i < COUNT; ++i)
    {
        start[i + 1] += start[i];
    }
    for (int i = 0; i < 2 * RING; ++i)
    {
        int ring = i / RING * RING, at = i % RING;
        other[start[name[i]]] = name[ring + (at + 1) % RING];
        other[start[name[i]] + 1] = name[ring + (at + RING - 1) % RING];
    }
    rslHooks hooks = rslHooks_Complete(NULL);
    assert_true(rslBandOrder_Make(COUNT, start, other, &hooks, order));
    memset(place, -1, sizeof place);
    for (int i = 0; i < COUNT; ++i)
    {
        assert_int_equal(place[order[i]], -1);
        place[order[i]] = i;
    }
    for (int i = 0; i < COUNT; ++i)
    {
        for (int e = start[i]; e < start[i + 1]; ++e)
        {
            assert_true(abs(place[other[e]] - place[i]) <= 2);
        }
    }
}

// Chains of a hundred nodes joined to as many of the next ones as told: the bodies of a model differ in their springs.
static Run StartChains(int kind, rslPrecision precision, int threads)
{
    enum
    {
        BODIES = 3,
        LINKS = 120
    };
    static const char* const names[BODIES] = { "a", "b", "c" };
    static const int reach[][BODIES] = { { 8, 2, 10 }, { 10, 1, 1 }, { 1, 1, 10 } };
    static double places[BODIES][3 * LINKS], weight = 1e-3, k = 20.0;
    static int joined[BODIES][2 * 10 * LINKS];
    static rslBodyDef chains[BODIES];
    for (int b = 0; b < BODIES; ++b)
    {
        int count = 0;
        for (int i = 0; i < LINKS; ++i)
        {
            double at[3] = { 0.01 * i, 0.003 * (i * 7 % 11) + b, 0.003 * (i * 5 % 13) };
            memcpy(&places[b][3 * i], at, sizeof at);
            for (int d = 1; d <= reach[kind][b] && i + d < LINKS; ++d, ++count)
            {
                joined[b][2 * count] = i;
                joined[b][2 * count + 1] = i + d;
            }
        }
        chains[b] = NetworkBody(names[b], places[b], LINKS, &weight, joined[b], count, &k);
    }
    rslScene scene = SceneOf(chains, BODIES);
    scene.gravity = (rslVec3){ 0.0, 0.0, -9.81 };
    rslSolverDef def = SolverDef(rsl_positionVerlet, 2e-4);
    def.precision = precision;
    def.threads = threads;
    return StartRun(&scene, def);
}

// More threads than groups, or about as many, and groups that are not alike: each is stepped once.
static void test_few_groups_for_many_threads(void** state)
{
    (void)state;
    for (int kind = 0; kind < 3; ++kind)
    {
        for (int threads = 1; threads <= 8; ++threads)
        {
            Run run = StartChains(kind, threads % 2 ? rsl_double : rsl_single, threads);
            Step(&run, 100);
            for (int b = 0; b < 3; ++b)
            {
                assert_close(VelocityOf(&run, run.model->bodies[b].firstNode).z, -9.81 * 100 * 2e-4, 1e-5);
            }
            EndRun(&run);
        }
    }
}

static void test_memory(void** state)
{
    (void)state;
    rslScene scene = MakeScene(4, false, 300);
    rslSolverDef def = SolverDef(rsl_positionVerlet, 2e-4);
    def.threads = 2;
    FailEveryAllocation(&scene, def, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_of_a_plain_loop),      cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_walks_are_the_same),          cmocka_unit_test(test_whole_steps_are_their_parts),
        cmocka_unit_test(test_springs_of_few_kinds),        cmocka_unit_test(test_band_order),
        cmocka_unit_test(test_few_groups_for_many_threads), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("network_slices", tests, NULL, NULL);
}
