// SPDX-License-Identifier: MIT
//
// Sweeps over lattices: every spring is asked once, whatever the shape; neither the number of slabs nor whether whole steps are taken at
// once, nor the width of vector registers changes a bit.

#include "shaken_fixture.h"

#include "solver_internal.h"
#include "spread.h"

#include <limits.h>

// lattice_sweep.h, in double precision
struct rslKernel64;
bool rslSweep_TakesSteps64(const struct rslKernel64* kernel);

// kernel.h
int rslKernel_Narrow32(void* kernel, int widest);
int rslKernel_Narrow64(void* kernel, int widest);

enum
{
    DISPERSED = 14,  // and the three behind it
    LONG = 18,       // and the three behind it: strips that follow each other, with dampers, a law, dispersion
    NARROW = 22,     // rows of one node
    LARGE = 23,      // and the one behind it: planes of several strips, in rows of any length and of whole registers
    KINDS = 25,
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

static rslBodyDef Dispersing(rslDispersionVariant variant)
{
    rslBodyDef body = LatticeBody("one", &shapes[0], 0.01);
    body.repulsion.type = rsl_noRepulsion;
    body.model.type = rsl_dispersionModel;
    body.model.variant = variant;
    body.material.poisson = 0.35;
    return body;
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
        case 9: shapes[0] = BoxShape(6.0, 0.01, 0.09); break;    // rows that are longer than a strip
        case 10: shapes[0] = BoxShape(0.08, 0.08, 0.01); break;  // two planes: no sweep
        case DISPERSED:
            shapes[0] = BoxShape(0.07, 0.05, 0.14);  // two slabs, one of which finds shares together with forces
            bodies[0] = Dispersing(rsl_energyDispersion);
            break;
        case DISPERSED + 1:
            shapes[0] = BallShape(0.05);
            bodies[0] = Dispersing(rsl_publishedDispersion);
            bodies[0].material.stiffnessDamping = 1e-4;
            break;
        case DISPERSED + 2:
            shapes[0] = BoxShape(0.06, 0.05, 0.4);
            bodies[0] = Dispersing(rsl_transposedDispersion);
            bodies[0].network.law = rsl_carrierSpring;
            break;
        case DISPERSED + 3:
            shapes[0] = BoxShape(0.06, 0.05, 0.3);  // several that do
            bodies[0] = Dispersing(rsl_cheapDispersion);
            bodies[0].network.shells = rsl_shellsAC;
            break;
        case LONG:
            shapes[0] = BoxShape(0.3, 0.3, 0.07);  // strips that end in the middle of a plane
            bodies[0].material.stiffnessDamping = 1e-4;
            break;
        case LONG + 1:
            shapes[0] = BoxShape(5.11, 0.01, 0.07);  // rows of 512 nodes
            bodies[0].network.law = rsl_carrierSpring;
            bodies[0].material.stiffnessDamping = 1e-4;
            break;
        case LONG + 2:
            shapes[0] = BoxShape(5.2, 0.01, 0.07);
            bodies[0] = Dispersing(rsl_energyDispersion);
            bodies[0].material.stiffnessDamping = 1e-4;
            break;
        case LONG + 3: shapes[0] = BoxShape(5.12, 0.01, 0.07); break;
        case LARGE: shapes[0] = BoxShape(0.47, 0.5, 0.08); break;
        case LARGE + 1:
            shapes[0] = BoxShape(0.61, 0.56, 0.08);
            bodies[0] = Dispersing(rsl_energyDispersion);
            bodies[0].material.stiffnessDamping = 1e-4;
            break;
        case NARROW:
            shapes[0] = BoxShape(0.01, 0.4, 0.09);
            bodies[0].network.construction = rsl_centredLattice;
            break;
        default:
            // many slabs with neighbours on both sides
            shapes[0] = BoxShape(0.06, 0.05, 0.4);
            bodies[0].material.stiffnessDamping = kind == 11 ? 1e-4 : 0.0;
            bodies[0].network.law = kind == 12 ? rsl_carrierSpring : rsl_linearSpring;
            break;
    }
    bool alone = kind == 9 || (kind > 10 && kind < DISPERSED) || kind >= LONG;
    rslScene scene = SceneOf(bodies, alone ? 1 : 2);
    scene.gravity = (rslVec3){ 0.1, -0.3, -9.81 };
    return scene;
}

// With sanitizers long rows take long.
static bool IsLeftOut(int kind)
{
    return Sanitized() && kind > LONG && kind != LARGE;
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
    const rslBody* body;
    bool shares;  // found first
    double* forces;
    double (*share)[2];    // of every node: sum k in dL, then q h (force_dispersion.c); the same of rates
    double (*weights)[2];  // sum k norm, sum c norm
    double largest;
} Sum;

// What a spring gives to the share of a node, or gets from it.
static void AddToShare(Sum* sum, int node, const rslSpring* spring, double longer, double rate)
{
    rslSpread spread = rslSpread_Of(sum->body->dispersion.variant, spring->restLength);
    sum->share[node][0] += spring->stiffness * spread.in * longer;
    sum->share[node][1] += spring->damping * spread.in * rate;
    sum->weights[node][0] += spring->stiffness * spread.norm;
    sum->weights[node][1] += spring->damping * spread.norm;
}

// Tension and drag along the spring, by the books.
static bool AddSpring(const rslSpring* spring, void* context)
{
    Sum* sum = context;
    int a = spring->a, b = spring->b;
    rslVec3 d = rslSub(PositionOf(sum->run, b), PositionOf(sum->run, a));
    rslVec3 v = rslSub(VelocityOf(sum->run, b), VelocityOf(sum->run, a));
    double length = rslLength(d), longer = length - spring->restLength;
    rslVec3 n = rslScale(1.0 / length, d);
    double rate = rslDot(n, v);
    if (sum->shares)
    {
        AddToShare(sum, a, spring, longer, rate);
        AddToShare(sum, b, spring, longer, rate);
        return true;
    }
    double out = rslSpread_Of(sum->body->dispersion.variant, spring->restLength).out;
    double law = sum->body->lattice.law == rsl_carrierSpring ? spring->restLength / length : 1.0;
    double tension = spring->stiffness * (law * longer + out * (sum->share[a][0] + sum->share[b][0])) +
                     spring->damping * (rate + out * (sum->share[a][1] + sum->share[b][1]));
    const double f[3] = { tension * n.x, tension * n.y, tension * n.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        sum->forces[3 * a + axis] += f[axis];
        sum->forces[3 * b + axis] -= f[axis];
        sum->largest = fmax(sum->largest, fabs(f[axis]));
    }
    return true;
}

static void AddBody(Sum* sum, int index)
{
    const rslBody* body = sum->body = &sum->run->model->bodies[index];
    sum->shares = true;
    rslModel_VisitSprings(sum->run->model, index, AddSpring, sum);
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        for (int n = 0; n < 2; ++n)
        {
            double q = body->dispersion.scale * rslBody_NodeQ(body, i);
            sum->share[i][n] *= rslBody_Disperses(body) && sum->weights[i][n] > 0.0 ? q / sum->weights[i][n] : 0.0;
        }
    }
    sum->shares = false;
    rslModel_VisitSprings(sum->run->model, index, AddSpring, sum);
}

static void test_every_spring_is_asked_once(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        for (int threads = Sanitized() ? 3 : 1; !IsLeftOut(kind) && threads < 4; ++threads)
        {
            Run run = StartShaken(kind, rsl_double, threads);
            size_t count = 3 * (size_t)run.model->nodeCount;
            Sum sum = { .run = &run, .forces = calloc(count, sizeof(double)) };
            sum.share = calloc(count, sizeof *sum.share);
            sum.weights = calloc(count, sizeof *sum.weights);
            double* found = calloc(count, sizeof(double));
            assert_true(sum.forces != NULL && sum.share != NULL && sum.weights != NULL);
            assert_non_null(found);
            for (int b = 0; b < run.model->bodyCount; ++b)
            {
                AddBody(&sum, b);
            }
            rslSolver_Fields(run.solver, run.state, found, NULL, NULL);
            for (size_t i = 0; i < count; ++i)
            {
                const double g[3] = { 0.1, -0.3, -9.81 };
                double expected = sum.forces[i] + run.model->mass[i / 3] * g[i % 3];
                assert_true(fabs(found[i] - expected) <= 1e-10 * sum.largest);
            }
            free(found);
            free(sum.forces);
            free(sum.share);
            free(sum.weights);
            EndRun(&run);
        }
    }
}

// ---- same bits --------------------------------------------------------------------------------------------------------

static void test_cuts_change_nothing(void** state)
{
    (void)state;
    CheckCutsOfAll(StartShaken, Sanitized() ? LONG + 1 : KINDS, STEPS);
}

// A host that pushes with nothing has drifts, forces and kicks one after the other.
static void test_whole_steps_are_their_parts(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        for (int threads = Sanitized() ? 2 : 1; !IsLeftOut(kind) && threads < (Sanitized() ? 3 : 4); ++threads)
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
            int steps = Sanitized() && kind >= LONG ? 4 : STEPS;
            Step(&whole, steps);
            Step(&apart, steps);
            CheckSame(&whole, &apart);
            double lost = whole.state->account.dissipated, other = apart.state->account.dissipated;
            assert_true(lost == other);
            bool damped = kind == 7 || kind == 8 || kind == 11 || kind == DISPERSED + 1 ||
                          (kind >= LONG && kind <= LONG + 2) || kind == LARGE + 1;
            assert_true(damped ? lost > 0.0 : lost == 0.0);
            EndRun(&whole);
            EndRun(&apart);
            free(nothing);
        }
    }
}

// Whatever calls steps are taken in, and whatever is asked between them.
static void test_calls_change_nothing(void** state)
{
    (void)state;
    const int kinds[3] = { 1, 11, DISPERSED + 1 };
    for (int i = 0; i < 3; ++i)
    {
        Run once = StartShaken(kinds[i], rsl_single, 2), often = StartShaken(kinds[i], rsl_single, 3);
        int steps = Sanitized() ? 34 : 70;
        Step(&once, steps);
        for (int n = 0; n < steps; ++n)
        {
            Step(&often, 1);
            (void)rslSolver_Energy(often.solver, often.state);
        }
        CheckSame(&once, &often);
        assert_memory_equal(&once.state->account, &often.state->account, sizeof once.state->account);
        EndRun(&once);
        EndRun(&often);
    }
}

// A state that is not finite leaves nothing behind in a solver.
static void test_no_number_is_forgotten(void** state)
{
    (void)state;
    const int kinds[3] = { 1, 2, DISPERSED + 1 };
    for (int i = 0; i < 3; ++i)
    {
        Run shaken = StartShaken(kinds[i], rsl_double, 2), calm = StartShaken(kinds[i], rsl_double, 2);
        double* found = calloc(3 * (size_t)shaken.model->nodeCount, sizeof(double));
        assert_non_null(found);
        for (int node = 0; node < shaken.model->nodeCount; node += 7)
        {
            SetMotion(&shaken, 0, node, (double)NAN, 0.0);
        }
        rslSolver_Fields(shaken.solver, shaken.state, found, NULL, NULL);
        assert_int_equal(rslState_Copy(shaken.state, calm.state), rsl_ok);
        Step(&shaken, STEPS);
        Step(&calm, STEPS);
        CheckSame(&shaken, &calm);
        free(found);
        EndRun(&shaken);
        EndRun(&calm);
    }
}

// Nor does the width of registers.
static void test_widths_change_nothing(void** state)
{
    (void)state;
    for (int run = 0; !Sanitized() && run < 2 * KINDS; ++run)  // with sanitizers there is one width
    {
        int kind = run / 2;
        rslPrecision precision = run % 2 ? rsl_single : rsl_double;
        int (*narrow)(void*, int) = precision == rsl_single ? rslKernel_Narrow32 : rslKernel_Narrow64;
        Run widest = StartShaken(kind, precision, 2);
        Step(&widest, STEPS);
        for (int width = narrow(widest.solver->kernel, INT_MAX) / 2; width >= 128; width /= 2)
        {
            Run other = StartShaken(kind, precision, 2);
            assert_int_equal(narrow(other.solver->kernel, width), width);
            Step(&other, STEPS);
            CheckSame(&widest, &other);
            assert_memory_equal(&widest.state->account, &other.state->account, sizeof other.state->account);
            EndRun(&other);
        }
        EndRun(&widest);
    }
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
        cmocka_unit_test(test_no_number_is_forgotten),
        cmocka_unit_test(test_widths_change_nothing),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("lattice_sweep", tests, NULL, NULL);
}
