// SPDX-License-Identifier: MIT
//
// Sweeps over lattices: every spring is asked once, whatever the shape; neither the number of slabs nor whether whole steps are taken at
// once changes a bit.

#include "shaken_fixture.h"

#include "solver_internal.h"

// lattice_sweep.h, in double precision
struct rslKernel64;
bool rslSweep_TakesSteps64(const struct rslKernel64* kernel);

enum
{
    KINDS = 14,
    STEPS = 40
};

static rslShapeDef shapes[2], parts[3];
static rslBodyDef bodies[2];
static rslRegionDef region;

static rslShapeDef At(rslShapeDef shape, double x, double y, double z)
{
    shape.translate = (rslVec3){ x, y, z };
    return shape;
}

// Rows with gaps, rows over and under nothing, parts that nothing joins, cells that are cut; springs of every kind.
static rslScene MakeScene(int kind)
{
    shapes[0] = BoxShape(0.07, 0.05, 0.09);
    shapes[1] = BoxShape(0.07, 0.04, 0.12);
    shapes[1].translate.x = 0.2;
    bodies[0] = LatticeBody("one", &shapes[0], 0.01);
    bodies[1] = LatticeBody("other", &shapes[1], 0.01);
    bodies[0].repulsion.type = bodies[1].repulsion.type = rsl_noRepulsion;
    switch (kind)
    {
        case 0: break;
        case 1: shapes[0] = BallShape(0.05); break;
        case 2:
            // three towers on a slab, with nothing between them, and a part above with a plane missing in between
            parts[0] = BoxShape(0.12, 0.04, 0.02);
            parts[1] = At(BoxShape(0.03, 0.04, 0.06), -0.045, 0.0, 0.04);
            parts[2] = At(BoxShape(0.03, 0.04, 0.05), 0.045, 0.0, 0.06);
            shapes[0].type = rsl_unionShape;
            shapes[0].parts = parts;
            shapes[0].partCount = 3;
            break;
        case 3:
            shapes[0].type = rsl_torusShape;
            shapes[0].radius = 0.07;
            shapes[0].tubeRadius = 0.045;
            break;
        case 4:
            bodies[0].network.orientation.axis = (rslVec3){ 0.6, 0.0, 0.8 };
            bodies[0].network.orientation.angle = 25.0;
            break;
        case 5: bodies[0].network.shells = rsl_shellsAC; break;
        case 6: bodies[0].network.construction = rsl_centredLattice; break;
        case 7: bodies[0].material.stiffnessDamping = 1e-4; break;
        case 8:
            region = (rslRegionDef){ 0 };
            region.shape = &parts[0];
            parts[0] = At(BoxShape(0.1, 0.1, 0.1), 0.0, 0.0, 0.05);
            region.material = bodies[0].material;
            region.material.stiffnessDamping = 3e-4;
            region.material.young *= 2.0;
            bodies[0].regions = &region;
            bodies[0].regionCount = 1;
            break;
        case 9: shapes[0] = BoxShape(6.0, 0.01, 0.09); break;    // rows that are longer than a block
        case 10: shapes[0] = BoxShape(0.08, 0.08, 0.01); break;  // two planes: no sweep
        default:
            // many slabs with neighbours on both sides
            shapes[0] = BoxShape(0.06, 0.05, 0.4);
            bodies[0].material.stiffnessDamping = kind == 11 ? 1e-4 : 0.0;
            bodies[0].network.law = kind == 12 ? rsl_carrierSpring : rsl_linearSpring;
            break;
    }
    rslScene scene = SceneOf(bodies, kind == 9 || kind > 10 ? 1 : 2);
    scene.gravity = (rslVec3){ 0.1, -0.3, -9.81 };
    return scene;
}

static Run StartShaken(int kind, rslPrecision precision, int threads)
{
    rslScene scene = MakeScene(kind);
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = precision;
    def.threads = threads;
    Run run = StartRun(&scene, def);
    uint64_t seed = (uint64_t)kind + 1;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            double u = 4e-4 * RandomNumber(&seed), w = 0.2 * RandomNumber(&seed);
            SetMotion(&run, axis, i, u, w);
        }
    }
    return run;
}

// ---- every spring once ------------------------------------------------------------------------------------------------

typedef struct Sum
{
    const Run* run;
    double* forces;
    double largest;
} Sum;

// k (L - L0) and c L' along the spring, by the books.
static bool AddSpring(const rslSpring* spring, void* context)
{
    Sum* sum = context;
    rslVec3 d = rslSub(PositionOf(sum->run, spring->b), PositionOf(sum->run, spring->a));
    rslVec3 v = rslSub(VelocityOf(sum->run, spring->b), VelocityOf(sum->run, spring->a));
    double length = rslLength(d);
    rslVec3 n = rslScale(1.0 / length, d);
    double tension = spring->stiffness * (length - spring->restLength) + spring->damping * rslDot(n, v);
    const double f[3] = { tension * n.x, tension * n.y, tension * n.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        sum->forces[3 * spring->a + axis] += f[axis];
        sum->forces[3 * spring->b + axis] -= f[axis];
        sum->largest = fmax(sum->largest, fabs(f[axis]));
    }
    return true;
}

static void test_every_spring_is_asked_once(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        for (int threads = Sanitized() ? 3 : 1; threads < 4; ++threads)
        {
            Run run = StartShaken(kind, rsl_double, threads);
            size_t count = 3 * (size_t)run.model->nodeCount;
            Sum sum = { .run = &run, .forces = calloc(count, sizeof(double)) };
            double* found = calloc(count, sizeof(double));
            assert_non_null(sum.forces);
            assert_non_null(found);
            for (int b = 0; b < run.model->bodyCount; ++b)
            {
                rslModel_VisitSprings(run.model, b, AddSpring, &sum);
            }
            rslSolver_Fields(run.solver, run.state, found, NULL, NULL);
            for (size_t i = 0; i < count; ++i)
            {
                const double g[3] = { 0.1, -0.3, -9.81 };
                double expected = sum.forces[i] + run.model->mass[i / 3] * g[i % 3];
                assert_true(kind == 12 || fabs(found[i] - expected) <= 1e-10 * sum.largest);  // another law
            }
            free(found);
            free(sum.forces);
            EndRun(&run);
        }
    }
}

// ---- same bits --------------------------------------------------------------------------------------------------------

static void test_cuts_change_nothing(void** state)
{
    (void)state;
    CheckCutsOfAll(StartShaken, KINDS, STEPS);
}

// A host that pushes with nothing has drifts, forces and kicks one after the other.
static void test_whole_steps_are_their_parts(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        for (int threads = Sanitized() ? 2 : 1; threads < (Sanitized() ? 3 : 4); ++threads)
        {
            rslPrecision precision = (kind + threads) % 2 ? rsl_single : rsl_double;
            Run whole = StartShaken(kind, precision, threads), apart = StartShaken(kind, precision, threads);
            double* nothing = calloc(3 * (size_t)apart.model->nodeCount, sizeof(double));
            assert_non_null(nothing);
            if (precision == rsl_double && kind != 10)
            {
                assert_true(rslSweep_TakesSteps64(whole.solver->kernel));
            }
            rslSolver_SetForces(apart.solver, nothing);
            if (precision == rsl_double)
            {
                assert_false(rslSweep_TakesSteps64(apart.solver->kernel));
            }
            Step(&whole, STEPS);
            Step(&apart, STEPS);
            CheckSame(&whole, &apart);
            double lost = whole.state->account.dissipated, other = apart.state->account.dissipated;
            assert_true(fabs(lost - other) <= 1e-9 * fabs(lost));
            assert_true(kind == 7 || kind == 8 || kind == 11 ? lost > 0.0 : lost == 0.0);
            EndRun(&whole);
            EndRun(&apart);
            free(nothing);
        }
    }
}

// Whatever calls steps are taken in.
static void test_calls_change_nothing(void** state)
{
    (void)state;
    Run once = StartShaken(1, rsl_single, 2), often = StartShaken(1, rsl_single, 3);
    Step(&once, 70);
    for (int i = 0; i < 70; ++i)
    {
        Step(&often, 1);
    }
    CheckSame(&once, &often);
    EndRun(&once);
    EndRun(&often);
}

static void test_memory(void** state)
{
    (void)state;
    rslScene scene = MakeScene(8);
    rslSolverDef def = rslDefaultSolverDef();
    def.threads = 2;
    FailEveryAllocation(&scene, def, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_spring_is_asked_once),
        cmocka_unit_test(test_cuts_change_nothing),
        cmocka_unit_test(test_whole_steps_are_their_parts),
        cmocka_unit_test(test_calls_change_nothing),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("lattice_sweep", tests, NULL, NULL);
}
