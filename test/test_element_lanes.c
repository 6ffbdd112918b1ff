// SPDX-License-Identifier: MIT
//
// test_element_lanes.c: elements that are asked many at a time do what they do one at a time, however they are
// deformed: turned, pressed flat, inside out. Neither the number of threads nor what is in the other lanes changes a
// bit.

#include "physics_fixture.h"

#include "sanitized.h"
#include "solver_internal.h"

// force_element.c
void rslElements_AskSingly32(void* kernel, bool singly);
void rslElements_AskSingly64(void* kernel, bool singly);

enum
{
    KINDS = 12,
    ANGLES = 9,  // kinds from here on, whose bits are those of one at a time
    STEPS = 16
};

typedef enum Shake
{
    MILD,
    TURNED,
    FLAT,
    INVERTED,
    WILD,
    SHAKES
} Shake;

static rslShapeDef shapes[2];
static rslRegionDef region;

// Triangles of springs and angular springs: a grid, one without dampers, and a ball, some triangles of which are obtuse.
static rslBodyDef MakeSheet(int kind)
{
    static const double ratios[3] = { 0.1, 0.45, -0.3 };
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "sheet";
    body.network.type = rsl_sheetNetwork;
    body.network.size[0] = 1.1;
    body.network.size[1] = 0.9;
    body.network.spacing = Sanitized() ? 0.15 : 0.1;
    body.network.thickness = 0.02;
    body.model.type = rsl_angleModel;
    body.material.young = 1e5;
    body.material.density = 1000.0;
    body.material.poisson = ratios[kind - ANGLES];
    body.material.stiffnessDamping = kind == ANGLES + 1 ? 0.0 : 0.001;
    if (kind == ANGLES + 2)
    {
        shapes[0] = rslDefaultShapeDef();
        shapes[0].type = rsl_sphereShape;
        shapes[0].radius = 0.5;
        body.shape = &shapes[0];
    }
    return body;
}

// Every law with whole cells, cells that are cut and tetrahedra; the last one of them has two materials and dampers in one of
// them.
static rslBodyDef MakeBody(int kind)
{
    if (kind >= ANGLES)
    {
        return MakeSheet(kind);
    }
    static const rslElementLaw laws[3] = { rsl_corotationalElement, rsl_linearElement, rsl_neoHookeanElement };
    shapes[0] = BoxShape(1.1, 0.9, 0.8);
    rslBodyDef body = LatticeBody("bar", &shapes[0], Sanitized() ? 0.15 : 0.1);
    body.repulsion.type = rsl_noRepulsion;
    body.material.poisson = 0.35;
    body.material.stiffnessDamping = 0.001;
    body.model = (rslModelDef){ .type = rsl_finiteModel, .law = laws[kind % 3], .floor = 0.5 };
    if (kind / 3 == 1)
    {
        body.model.type = rsl_brickModel;
        body.network.orientation = (rslRotationDef){ { 0.4, -0.3, 0.7 }, 33.0 };
    }
    else if (kind / 3 == 2)
    {
        body.network.type = rsl_tetrahedraNetwork;
    }
    if (kind == 0)
    {
        shapes[1] = BoxShape(0.5, 1.0, 0.2);
        region = (rslRegionDef){ .shape = &shapes[1], .material = body.material };
        region.material.young *= 3.0;
        region.material.stiffnessDamping = 0.0;
        body.regions = &region;
        body.regionCount = 1;
    }
    return body;
}

static Run Start(int kind, rslPrecision precision, int threads)
{
    rslBodyDef body = MakeBody(kind);
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    rslSolverDef def = rslDefaultSolverDef();
    def.integrator = rsl_positionVerlet;
    def.precision = precision;
    def.threads = threads;
    return StartRun(&scene, def);
}

static void Put(Run* run, void* const to[3], int node, rslVec3 v)
{
    const double x[3] = { v.x, v.y, v.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        if (run->state->precision == rsl_single)
        {
            ((float*)to[axis])[node] = (float)x[axis];
        }
        else
        {
            ((double*)to[axis])[node] = x[axis];
        }
    }
}

// x = A X and noise beside it, in cells.
static void Deform(Run* run, Shake shake, uint64_t seed)
{
    static const double noise[SHAKES] = { 0.05, 0.1, 0.1, 0.2, 0.7 };
    Random random = MakeRandom(seed);
    rslVec3 axis = rslNormalize(NextVec3(&random, 1.0));
    double c = -0.8, s = 0.6;  // 143 degrees
    for (int i = 0; i < run->model->nodeCount; ++i)
    {
        double at[3];
        rslBody_Rest(&run->model->bodies[0], i, i + 1, at);
        rslVec3 X = { at[0], at[1], at[2] }, x = X;
        if (shake == TURNED)
        {
            x = rslAdd(rslAdd(rslScale(c, X), rslScale(s, rslCross(axis, X))),
                       rslScale((1.0 - c) * rslDot(axis, X), axis));
        }
        else if (shake == FLAT || shake == INVERTED)
        {
            x = rslMulAdd(X, shake == FLAT ? -1.0 : -1.9, rslScale(rslDot(axis, X), axis));
        }
        x = rslAdd(x, NextVec3(&random, 0.1 * noise[shake]));
        Put(run, run->state->displacement, i, rslSub(x, X));
        Put(run, run->state->velocity, i, NextVec3(&random, 0.3));
    }
}

static void AskSingly(Run* run, bool singly)
{
    (run->state->precision == rsl_single ? rslElements_AskSingly32 : rslElements_AskSingly64)(run->solver->kernel,
                                                                                              singly);
}

// Largest difference of the forces, over the largest one; and of the energy.
static double Compare(Run* run)
{
    size_t count = 3 * (size_t)run->model->nodeCount;
    double *one = malloc(count * sizeof(double)), *other = malloc(count * sizeof(double)), worst = 0.0, most = 0.0;
    assert_true(one != NULL && other != NULL);
    rslSolver_Fields(run->solver, run->state, one, NULL, NULL);
    double energy = rslSolver_Energy(run->solver, run->state).springs;
    AskSingly(run, true);
    rslSolver_Fields(run->solver, run->state, other, NULL, NULL);
    double plain = rslSolver_Energy(run->solver, run->state).springs;
    AskSingly(run, false);
    for (size_t i = 0; i < count; ++i)
    {
        worst = Worse(worst, fabs(one[i] - other[i]));
        most = fmax(most, fabs(other[i]));
    }
    assert_true(most > 0.0 && plain > 0.0);
    free(one);
    free(other);
    return Worse(worst / most, fabs(energy / plain - 1.0));
}

// Where a rotation is hardly defined, rounding turns it.
static void test_lanes_are_elements(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        for (int p = FirstPrecision(kind); p <= LastPrecision(kind); ++p)
        {
            Run run = Start(kind, p == 0 ? rsl_single : rsl_double, 1);
            for (int shake = 0; shake < SHAKES; ++shake)
            {
                Deform(&run, (Shake)shake, (uint64_t)(10 * kind + shake));
                double rounding = p == 0 ? 0x1p-24 : 0x1p-53, worst = Compare(&run);
                if (kind >= ANGLES ? worst != 0.0
                                   : !(worst <= (shake == MILD || shake == WILD ? 100.0 : 1e5) * rounding))
                {
                    print_error("kind %d, shake %d, precision %d: %g\n", kind, shake, p, worst);
                    fail();
                }
            }
            EndRun(&run);
        }
    }
}

// What dampers take, and where it leads to.
static void test_steps_are_those_of_elements(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        Run lanes = Start(kind, rsl_double, 1), singly = Start(kind, rsl_double, 1);
        Deform(&lanes, MILD, 5);
        Deform(&singly, MILD, 5);
        AskSingly(&singly, true);
        Step(&lanes, STEPS);
        Step(&singly, STEPS);
        double lost = lanes.state->account.dissipated, other = singly.state->account.dissipated;
        assert_true(other > 0.0 || kind == ANGLES + 1);
        assert_at_most(fabs(lost - other), kind >= ANGLES ? 0.0 : 1e-10 * other);
        for (int i = 0; i < lanes.model->nodeCount; ++i)
        {
            assert_at_most(Distance(PositionOf(&lanes, i), PositionOf(&singly, i)), kind >= ANGLES ? 0.0 : 1e-12);
        }
        EndRun(&lanes);
        EndRun(&singly);
    }
}

static void test_threads_change_nothing(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        rslPrecision precision = kind % 2 ? rsl_single : rsl_double;
        Run one = Start(kind, precision, 1), more = Start(kind, precision, 3);
        Deform(&one, MILD, 3);
        Deform(&more, MILD, 3);
        Step(&one, STEPS);
        Step(&more, STEPS);
        size_t bytes = (size_t)one.model->nodeCount * (precision == rsl_single ? sizeof(float) : sizeof(double));
        for (int axis = 0; axis < 3; ++axis)
        {
            assert_memory_equal(one.state->displacement[axis], more.state->displacement[axis], bytes);
            assert_memory_equal(one.state->velocity[axis], more.state->velocity[axis], bytes);
        }
        EndRun(&one);
        EndRun(&more);
    }
}

// One node is torn far away: its elements need many turns. Forces on nodes that none of them has stay as they were, to
// the bit.
static void test_lanes_do_not_see_each_other(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        Run run = Start(kind, kind % 2 ? rsl_double : rsl_single, 1);
        const rslElements* set = &run.model->bodies[0].elements;
        int corners = kind >= ANGLES                         ? 3
                      : set->kind == rsl_tetrahedronElements ? 4
                                                             : 8,
            torn = run.model->nodeCount / 2;
        size_t count = 3 * (size_t)run.model->nodeCount;
        double *before = malloc(count * sizeof(double)), *after = malloc(count * sizeof(double));
        bool* near = calloc((size_t)run.model->nodeCount, sizeof(bool));
        assert_true(before != NULL && after != NULL && near != NULL);
        Deform(&run, MILD, 9);
        rslSolver_Fields(run.solver, run.state, before, NULL, NULL);
        Put(&run, run.state->displacement, torn, (rslVec3){ 0.3, -0.7, 0.4 });
        rslSolver_Fields(run.solver, run.state, after, NULL, NULL);
        for (int e = 0; e < set->count; ++e)
        {
            const int* nodes = set->nodes + (size_t)corners * (size_t)e;
            bool has = false;
            for (int c = 0; c < corners; ++c)
            {
                has = has || nodes[c] == torn;
            }
            for (int c = 0; has && c < corners; ++c)
            {
                near[nodes[c]] = true;
            }
        }
        int same = 0;
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            bool equal = memcmp(before + 3 * i, after + 3 * i, 3 * sizeof(double)) == 0;
            assert_true(equal || near[i]);
            same += equal;
        }
        assert_true(same > run.model->nodeCount / 2 && same < run.model->nodeCount);
        free(before);
        free(after);
        free(near);
        EndRun(&run);
    }
}

static void test_memory(void** state)
{
    (void)state;
    for (int kind = 3; kind <= ANGLES; kind += ANGLES - 3)
    {
        rslBodyDef body = MakeBody(kind);
        shapes[0] = BoxShape(0.4, 0.3, 0.3);
        body.network.size[0] = body.network.size[1] = 0.4;
        rslScene scene = SceneOf(&body, 1);
        rslSolverDef def = rslDefaultSolverDef();
        def.threads = 1;
        FailEveryAllocation(&scene, def, 1);
    }
}

// Sheets with dampers and without them, bricks and tetrahedra in one model: each as if it were alone.
static void test_bodies_of_all_kinds(void** state)
{
    (void)state;
    static const int kinds[4] = { ANGLES, 3, ANGLES + 1, 6 };
    static const char* const names[4] = { "a", "b", "c", "d" };
    for (int p = 0; p < 2; ++p)
    {
        rslShapeDef own[4];
        rslBodyDef bodies[4];
        for (int b = 0; b < 4; ++b)
        {
            bodies[b] = MakeBody(kinds[b]);
            bodies[b].name = names[b];
            own[b] = shapes[0];
            own[b].translate.z += b;
            bodies[b].network.translate.z = kinds[b] >= ANGLES ? b : 0.0;
            bodies[b].shape = bodies[b].shape != NULL ? &own[b] : NULL;
        }
        rslScene scene = SceneOf(bodies, 4);
        scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
        rslSolverDef def = rslDefaultSolverDef();
        def.precision = p == 0 ? rsl_single : rsl_double;
        def.threads = 2;
        Run all = StartRun(&scene, def);
        Random random = MakeRandom(11);
        for (int i = 0; i < all.model->nodeCount; ++i)
        {
            Put(&all, all.state->displacement, i, NextVec3(&random, 0.005));
            Put(&all, all.state->velocity, i, NextVec3(&random, 0.3));
        }
        size_t count = 3 * (size_t)all.model->nodeCount;
        double *lanes = malloc(count * sizeof(double)), *singly = malloc(count * sizeof(double));
        assert_true(lanes != NULL && singly != NULL);
        rslSolver_Fields(all.solver, all.state, lanes, NULL, NULL);
        AskSingly(&all, true);
        rslSolver_Fields(all.solver, all.state, singly, NULL, NULL);
        for (int b = 0; b < 4; ++b)
        {
            const rslBody* body = &all.model->bodies[b];
            const double *one = lanes + 3 * body->firstNode, *other = singly + 3 * body->firstNode;
            double most = 0.0, worst = 0.0;
            for (int i = 0; i < 3 * body->nodeCount; ++i)
            {
                most = fmax(most, fabs(other[i]));
                worst = Worse(worst, fabs(one[i] - other[i]));
            }
            assert_true(most > 0.0);
            assert_at_most(worst, kinds[b] >= ANGLES ? 0.0 : 100.0 * (p == 0 ? 0x1p-24 : 0x1p-53) * most);
        }
        free(lanes);
        free(singly);
        EndRun(&all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_are_elements),
        cmocka_unit_test(test_steps_are_those_of_elements),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_lanes_do_not_see_each_other),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_bodies_of_all_kinds),
    };
    return cmocka_run_group_tests_name("element_lanes", tests, NULL, NULL);
}
