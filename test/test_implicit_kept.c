// SPDX-License-Identifier: MIT
//
// test_implicit_kept.c: implicit steps that keep what they know of the model at rest, and scenes that ask for a residual and no rebound.

#include "implicit_contact_fixture.h"

#include "implicit_internal.h"
#include "rest_turn.h"
#include "solver_internal.h"
#include "state_internal.h"

#include "resilin/observe.h"

// Boxes that are large enough to have levels, turned and about to hit the ground.
static rslScene Fall(rslShapeDef shapes[2], rslBodyDef bodies[2], rslModelType model, double friction)
{
    for (int b = 0; b < 2; ++b)
    {
        shapes[b] = BoxShape(0.1, 0.08, 0.06);
        shapes[b].translate = (rslVec3){ 0.02 * b, 0.01 * b, 0.07 + 0.14 * b };
        shapes[b].rotate = (rslRotationDef){ { 0.3, 1.0, 0.2 }, 30.0 + 50.0 * b };
        bodies[b] = LatticeBody(b == 0 ? "low" : "high", &shapes[b], 0.02);
        bodies[b].model.type = model;
        bodies[b].material.stiffnessDamping = 1e-4;
        bodies[b].material.young = 1e6;
        bodies[b].velocity = (rslVec3){ 0.2, 0.0, -1.0 };
    }
    return OnGround(bodies, 2, friction);
}

static rslSolverDef Quick(rslIntegrator scheme)
{
    rslSolverDef def = Implicit(scheme, frame, RSL_AUTO);
    def.residual = 0.1;
    def.rebound = false;
    return def;
}

// ---- rotations ----------------------------------------------------------------------------------------------------------

// A body that is turned, moved and stretched a little is found to be: Q, and how far it is from the shape at rest.
static void TestTurns(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(0.3, 0.2, 0.1);
    rslBodyDef body = LatticeBody("box", &box, 0.05);
    rslScene scene = SceneOf(&body, 1);
    Run run = StartRun(&scene, Implicit(rsl_theta, frame, 1e-4));
    const rslUnknowns* unknowns = &run.solver->implicit->unknowns;
    rslHooks hooks = rslHooks_Complete(NULL);
    rslArena arena = rslArena_Make(&hooks);
    rslRestTurns turns;
    assert_true(rslRestTurns_Make(&turns, run.model, unknowns, &arena));
    rslMat3 turn = rslQuatMatrix(rslQuatNormalize((rslQuat){ 0.8, 0.3, -0.4, 0.2 }));
    for (int stretched = 0; stretched < 2; ++stretched)
    {
        double mean = 0.0, all = 0.0;
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            double X[3];
            rslBody_Rest(&run.model->bodies[0], i, i + 1, X);
            rslVec3 rest = { X[0], X[1], X[2] }, bent = { stretched ? 0.01 * sin(40.0 * X[1]) : 0.0, 0.0, 0.0 };
            rslVec3 y = rslAdd(rslMatVec(&turn, rslAdd(rest, bent)), (rslVec3){ 1.0, 2.0, 3.0 });
            rslState_Put3(run.state, run.state->displacement, i, rslSub(y, rest));
            mean += run.model->mass[i] * rslDot(bent, bent);
            all += run.model->mass[i] * rslDot(rest, rest);
        }
        double far = rslRestTurns_Find(&turns, run.state);
        assert_true(turns.any && turns.turned[0]);
        assert_close(far, stretched ? sqrt(mean / all) : 0.0, stretched ? 0.3 * sqrt(mean / all) : 1e-7);
        rslVec3 axis = { 0.6, 0.0, 0.8 };
        double off = rslLength(rslSub(rslMatVec(&turns.turns[0], axis), rslMatVec(&turn, axis)));
        assert_true(off < (stretched ? 0.1 : 1e-9));
    }
    rslArena_Free(&arena);
    EndRun(&run);
}

// ---- the preconditioner -------------------------------------------------------------------------------------------------

static void Fill(const rslUnknowns* u, const rslNodeVector* v, uint32_t bits)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < u->nodeCount; ++i)
        {
            bits = bits * 1664525u + 1013904223u;
            v->x[axis][i] = (double)(bits >> 8) / 8388608.0 - 1.0;
        }
    }
}

// Of bodies that lie on each other and are turned: M is symmetric and positive; sums of rows are nowhere less than what touches; and the
// inverse is not much worse than one with all that is known of the state.
static void TestPreconditioner(void** state)
{
    (void)state;
    rslShapeDef shapes[2];
    rslBodyDef bodies[2];
    rslScene scene = Fall(shapes, bodies, rsl_brickModel, 0.5);
    Run run = StartRun(&scene, Quick(rsl_implicitEuler));
    Step(&run, 6);
    assert_true(run.state->touchedCount > 5);
    rslImplicit* m = run.solver->implicit;
    const rslUnknowns* u = &m->unknowns;
    double rate = 1.0 / frame, largest = 0.0;
    rslDynamics_SetRate(m->kernel, rate);
    rslStatics_SetShift(m->kernel, rate * rate);
    rslStatics_Glance(m->kernel, run.state);
    assert_true(rslPreconditioner_TakeRest(m->preconditioner, run.state, rate, false, &largest));
    assert_true(largest > 0.0);
    Fill(u, &m->space.r, 1);
    Fill(u, &m->space.p, 2);
    rslPreconditioner_Apply(m->preconditioner, &m->space.r, &m->direction);
    rslPreconditioner_Apply(m->preconditioner, &m->space.p, &m->best);
    double one = rslUnknowns_Dot(u, &m->space.p, &m->direction), other = rslUnknowns_Dot(u, &m->space.r, &m->best);
    double size = rslUnknowns_Dot(u, &m->space.r, &m->direction);
    assert_true(size > 0.0);
    assert_close(one, other, 1e-5 * size);

    rslMat3 none[2] = { rslQuatMatrix((rslQuat){ 1.0, 0.0, 0.0, 0.0 }),
                        rslQuatMatrix((rslQuat){ 1.0, 0.0, 0.0, 0.0 }) };
    size_t nodes = (size_t)u->nodeCount;
    int* touched = malloc(nodes * sizeof(int));
    double(*sums)[6] = malloc(nodes * sizeof *sums);
    int count = rslDynamics_TouchSums(m->kernel, none, touched, sums);
    assert_true(count > 3);
    double bound = 0.0;
    for (int c = 0; c < count; ++c)
    {
        double x[3] = { m->space.p.x[0][touched[c]], m->space.p.x[1][touched[c]], m->space.p.x[2][touched[c]] }, y[3];
        rslBlock_Times(sums[c], x, y);
        bound += x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    }
    rslUnknowns_Clear(u, &m->direction);
    rslStatics_Touch(m->kernel, run.state, m->space.p.x, m->direction.x);
    double product = rslUnknowns_Dot(u, &m->space.p, &m->direction);
    assert_true(product > 0.0 && product <= bound * (1.0 + 1e-12));
    free(touched);
    free(sums);

    rslCgResult found[2];
    m->state = run.state;
    for (int full = 0; full < 2; ++full)
    {
        rslStatics_Look(m->kernel, run.state);
        m->system.stiffest = full ? rslPreconditioner_Update(m->preconditioner, run.state, false) : largest;
        Fill(u, &m->space.r, 3);
        found[full] = rslCg_Solve(&m->system, &m->space, &m->direction, 1e-2, 400);
        rslStatics_Settle(m->kernel, false);
        assert_false(found[full].curved);
    }
    print_message("%d iterations, %d with all that is known\n", found[0].iterations, found[1].iterations);
    assert_true(found[0].residual <= 1e-2 && found[0].iterations <= 2 * found[1].iterations + 10);
    rslDynamics_SetRate(m->kernel, 0.0);
    rslStatics_SetShift(m->kernel, 0.0);
    EndRun(&run);
}

// ---- the same bits --------------------------------------------------------------------------------------------------------

static uint64_t FallHash(rslModelType model, int threads, bool saved, int frames)
{
    rslShapeDef shapes[2];
    rslBodyDef bodies[2];
    rslScene scene = Fall(shapes, bodies, model, 0.3);
    rslSolverDef def = Quick(rsl_trBdf2);
    def.threads = threads;
    Run run = StartRun(&scene, def);
    for (int n = 0; n < frames; ++n)
    {
        Step(&run, 1);
        if (saved)
        {
            Reload(&run);
            rslSolver_Free(run.solver);
            run.solver = SolverOf(run.model, &def);
        }
    }
    assert_true(run.state->touchedCount > 5);
    uint64_t hash = rslState_Hash(run.state);
    EndRun(&run);
    return hash;
}

// What is kept from step to step changes nothing for who goes on from a saved state, nor do threads.
static void TestSame(void** state)
{
    (void)state;
    static const rslModelType models[2] = { rsl_springModel, rsl_brickModel };
    for (int i = 0; i < 2; ++i)
    {
        uint64_t hash = FallHash(models[i], 1, false, 6);
        assert_true(hash == FallHash(models[i], 3, false, 6));
        assert_true(hash == FallHash(models[i], 1, true, 6));
    }
}

// ---- a residual, and no rebound ---------------------------------------------------------------------------------------------

// Bodies that fall on each other: as many Newton steps as a frame may take, no energy that grows, nothing that overlaps; steps are whole; and
// all nodes within 5 % of the size of a body of where a run to 1e-6 has them. (A tenth of the weight that is left over all the time leads
// g/10 t^2/2 = 9 mm astray in that time.)
static void TestResidual(void** state)
{
    (void)state;
    enum
    {
        FRAMES = 8
    };
    rslShapeDef shapes[2];
    rslBodyDef bodies[2];
    rslScene scene = Fall(shapes, bodies, rsl_brickModel, 0.5);
    for (int scheme = 0; scheme < 2; ++scheme)
    {
        rslSolverDef def = Quick(scheme == 0 ? rsl_implicitEuler : rsl_trBdf2), exact = def;
        exact.residual = 0.0;
        exact.tolerance = 1e-6;
        Run run = StartRun(&scene, def), reference = StartRun(&scene, exact);
        double energy = rslSolver_Energy(run.solver, run.state).total, worst = 0.0;
        int64_t most = 0, before = 0;
        for (int n = 0; n < FRAMES; ++n)
        {
            Step(&run, 1);
            Step(&reference, 1);
            int64_t steps = rslImplicit_Result(run.solver->implicit).newtonSteps;
            most = steps - before > most ? steps - before : most;
            before = steps;
            double now = rslSolver_Energy(run.solver, run.state).total;
            assert_true(now <= energy + 1e-6 * fabs(energy));
            energy = now;
            assert_true(rslBarrier_Smallest(run.solver->implicit->barrier, NULL) > 0.0);
            for (int i = 0; i < run.model->nodeCount; ++i)
            {
                worst = Worse(worst, Distance(PositionOf(&run, i), PositionOf(&reference, i)) / 0.1);
            }
        }
        assert_true(run.state->guard.divided == 0);
        assert_proved(scheme == 0 ? "boxes, residual 0.1, backward Euler: off" : "boxes, residual 0.1, TR-BDF2: off",
                      worst, 0.05);
        assert_true(most <= 60);
        assert_true(before < rslImplicit_Result(reference.solver->implicit).newtonSteps);
        EndRun(&run);
        EndRun(&reference);
    }
}

// What lies still costs no Newton steps any more, and stays.
static void TestLies(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(0.1, 0.08, 0.06);
    box.translate.z = 0.0305;
    rslBodyDef body = LatticeBody("box", &box, 0.012);
    body.material.stiffnessDamping = 1e-3;
    rslScene scene = OnGround(&body, 1, 0.5);
    Run run = StartRun(&scene, Quick(rsl_trBdf2));
    Step(&run, 40);
    int64_t before = rslImplicit_Result(run.solver->implicit).newtonSteps;
    rslVec3 at = CentreOf(&run, 0);
    Step(&run, 60);
    assert_true(rslImplicit_Result(run.solver->implicit).newtonSteps - before <= 10);
    assert_true(Distance(CentreOf(&run, 0), at) < 1e-4);
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestTurns),    cmocka_unit_test(TestPreconditioner), cmocka_unit_test(TestSame),
        cmocka_unit_test(TestResidual), cmocka_unit_test(TestLies),
    };
    return cmocka_run_group_tests_name("implicit_kept", tests, NULL, NULL);
}
