// SPDX-License-Identifier: MIT
//
// test_implicit_rigid.c: rigid bodies, welds and joints in implicit steps: slopes and curvature of what is made least, flight, motion
// beside that of small explicit steps, rest, and the same bits.

#include "physics_fixture.h"

#include "implicit_internal.h"
#include "solver_internal.h"
#include "state_internal.h"
#include "top.h"

static const rslIntegrator schemes[3] = { rsl_implicitEuler, rsl_theta, rsl_trBdf2 };

// A soft bar with a rigid head welded to its end, and a rigid arm on a joint of the head.
typedef struct Machine
{
    rslShapeDef shapes[3];
    rslBodyDef bodies[3];
    rslLinkDef links[2];
    rslJointDef joint;
    rslScene scene;
} Machine;

static void MakeMachine(Machine* m, bool arm)
{
    static const char* const names[3] = { "bar", "head", "arm" };
    m->shapes[0] = BoxShape(0.3, 0.1, 0.1);
    m->shapes[1] = BoxShape(0.2, 0.2, 0.1);
    m->shapes[1].translate = (rslVec3){ 0.2, 0.0, 0.0 };
    m->shapes[2] = BoxShape(0.1, 0.1, 0.3);
    m->shapes[2].translate = (rslVec3){ 0.4, 0.0, 0.2 };
    for (int b = 0; b < 3; ++b)
    {
        m->bodies[b] = LatticeBody(names[b], &m->shapes[b], b == 1 ? 0.05 : 0.1);
        m->bodies[b].model.type = b == 0 ? m->bodies[b].model.type : rsl_rigidModel;
        m->bodies[b].material.density = 1000.0;
    }
    m->bodies[0].material.young = 1e5;
    m->bodies[0].material.poisson = 0.25;
    m->links[0] = rslDefaultLinkDef();
    m->links[0].type = rsl_weldLink;
    m->links[0].from = SideOf("bar", (rslVec3){ 0.149, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 });
    m->links[0].to = AllOf("head");
    m->links[1] = rslDefaultLinkDef();
    m->links[1].type = rsl_springLink;
    m->links[1].from =
        (rslNodeSetDef){ .body = "bar", .type = rsl_nearestNodes, .point = { -0.15, 0.05, 0.05 }, .count = 1 };
    m->links[1].to =
        (rslNodeSetDef){ .body = "head", .type = rsl_nearestNodes, .point = { 0.3, 0.1, 0.05 }, .count = 1 };
    m->links[1].stiffness = 200.0;
    m->joint = rslDefaultJointDef();
    m->joint.type = rsl_ballJoint;
    m->joint.a = "head";
    m->joint.b = "arm";
    m->joint.point = (rslVec3){ 0.35, 0.0, 0.05 };
    m->scene = SceneOf(m->bodies, arm ? 3 : 2);
    m->scene.links = m->links;
    m->scene.linkCount = 2;
    m->scene.joints = &m->joint;
    m->scene.jointCount = arm ? 1 : 0;
}

// ---- slopes ---------------------------------------------------------------------------------------------------------

static void Put(rslImplicit* m, rslState* state, double a)
{
    rslNodeVector at = rslDisplacements(state);
    rslUnknowns_Copy(&m->unknowns, &at, &m->start);
    rslUnknowns_Combine(&m->unknowns, &at, 1.0, a, &m->direction);
    rslMoveds_Move(m, state, a);
}

static double Sum(rslImplicit* m, rslState* state)
{
    return rslStatics_Potential(m->kernel, state) + rslImplicit_Inertia(m, state, &m->space.z);
}

static void Shake(rslImplicit* m, const rslNodeVector* v, double nodes, double rigid, Random* random)
{
    rslUnknowns_Clear(&m->unknowns, v);
    for (int i = 0; i < m->unknowns.entryCount; ++i)
    {
        int entry = i - m->unknowns.nodeCount;
        rslVec3 by = NextVec3(random, entry < 0 ? nodes : entry % RSL_RIGID_ENTRIES < 2 ? rigid : 0.0);
        bool free = entry >= 0 || m->unknowns.axes[i] == 0;
        v->x[0][i] = free ? by.x : 0.0;
        v->x[1][i] = free ? by.y : 0.0;
        v->x[2][i] = free ? by.z : 0.0;
    }
}

// A stage of backward Euler of h, at a place far from its goal.
static void EnterStage(rslImplicit* m, rslState* state, double h, Random* random)
{
    rslNodeVector at = rslDisplacements(state), w = rslVelocities(state);
    rslUnknowns_Aim(&m->unknowns, state);
    rslMoveds_Begin(m, state);
    rslUnknowns_Copy(&m->unknowns, &m->u0, &at);
    rslUnknowns_Copy(&m->unknowns, &m->w0, &w);
    m->stage.lead = m->stage.duration = m->stage.weight = h;
    m->stage.rate = 1.0 / h;
    rslUnknowns_Copy(&m->unknowns, &m->stage.origin, &at);
    rslUnknowns_Copy(&m->unknowns, &m->stage.goal, &at);
    rslUnknowns_Combine(&m->unknowns, &m->stage.goal, 1.0, h, &w);
    rslMoveds_AimTheta(m, h, 1.0);
    rslDynamics_SetTime(m->kernel, h);
    rslDynamics_SetRate(m->kernel, m->stage.rate);
    rslStatics_SetShift(m->kernel, m->stage.rate * m->stage.rate);
    assert_true(rslImplicit_BeginContact(m, state));
    rslMoveds_Go(m, state, 0.0);
    rslUnknowns_Copy(&m->unknowns, &m->start, &at);
    Shake(m, &m->direction, 0.003, 0.02, random);
    Put(m, state, 1.0);
    assert_true(rslImplicit_GoFree(m, state));
    rslUnknowns_Copy(&m->unknowns, &m->start, &at);
}

// The slope along a motion that joints allow is that of forces left over; its change, without joints and contact, that of products.
static void CheckSlopes(Machine* machine, double h, bool curvature)
{
    Run run = StartRun(&machine->scene, SolverDef(rsl_implicitEuler, h));
    Random random = MakeRandom(7);
    rslImplicit* m = run.solver->implicit;
    const rslUnknowns* u = &m->unknowns;
    run.state->step = h;
    bool touches = false;
    for (int trial = 0; trial < 4; ++trial)
    {
        double ahead[2], slopes[2], e = m->barrier != NULL ? 1e-8 : 1e-6;
        EnterStage(m, run.state, h, &random);
        Shake(m, &m->direction, 1.0, 1.0, &random);
        if (m->moveds.joints.count > 0)
        {
            rslMoveds_LookJoints(m, run.state);
            (void)rslMoveds_Join(m, &m->direction, false);
        }
        for (int side = 0; side < 2; ++side)
        {
            Put(m, run.state, side == 0 ? e : -e);
            ahead[side] = Sum(m, run.state);
            (void)rslImplicit_Residual(m, run.state);
            slopes[side] = -rslUnknowns_Dot(u, &m->space.r, &m->direction);
        }
        Put(m, run.state, 0.0);
        (void)rslImplicit_Residual(m, run.state);
        double slope = -rslUnknowns_Dot(u, &m->space.r, &m->direction),
               size = sqrt(rslUnknowns_Dot(u, &m->space.r, &m->space.r));
        assert_close((ahead[0] - ahead[1]) / (2.0 * e), slope, 1e-5 * size);
        touches = touches || (m->barrier != NULL && rslBarrier_Energy(m->barrier) > 0.0);
        m->state = run.state;
        rslStatics_Look(m->kernel, run.state);
        rslMoveds_Look(m, run.state);
        m->system.multiply(m->system.context, &m->direction, &m->space.q);
        double bent = rslUnknowns_Dot(u, &m->direction, &m->space.q);
        if (curvature)
        {
            assert_close((slopes[0] - slopes[1]) / (2.0 * e), bent, 1e-6 * fabs(bent));
        }
        // symmetric
        rslUnknowns_Copy(u, &m->best, &m->direction);
        Shake(m, &m->direction, 1.0, 1.0, &random);
        double there = rslUnknowns_Dot(u, &m->direction, &m->space.q);
        m->system.multiply(m->system.context, &m->direction, &m->space.q);
        double back = rslUnknowns_Dot(u, &m->best, &m->space.q);
        if (curvature)
        {
            assert_close(there, back, 1e-9 * fabs(bent));
        }
        if (m->barrier != NULL)
        {
            rslBarrier_Cancel(m->barrier);
        }
        rslMoveds_Land(m, run.state);
        rslState_Free(run.state);
        run.state = StateOf(run.model, rsl_double);
        run.state->step = h;
    }
    assert_true(touches || m->barrier == NULL);
    EndRun(&run);
}

static void TestSlopes(void** state)
{
    (void)state;
    Machine machine;
    for (int arm = 0; arm < 2; ++arm)
    {
        MakeMachine(&machine, arm == 1);
        machine.bodies[1].spin = (rslVec3){ 1.0, 2.0, -3.0 };
        CheckSlopes(&machine, 0.02, arm == 0);
    }
    machine.scene.ground.enabled = true;
    machine.scene.ground.point.z = -0.0505;
    CheckSlopes(&machine, 0.02, false);
}

// ---- flight ---------------------------------------------------------------------------------------------------------

// Nothing acts: it moves as in explicit steps, whatever the step.
static void TestFlight(void** state)
{
    (void)state;
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.1);
    rslBodyDef body = LatticeBody("a", &shape, 0.1);
    body.model.type = rsl_rigidModel;
    body.velocity = (rslVec3){ 3.0, -1.0, 4.0 };
    body.spin = (rslVec3){ 0.3, 20.0, 0.1 };
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    Run exact = StartRun(&scene, SolverDef(rsl_positionVerlet, 1.0 / 120.0));
    Step(&exact, 240);
    for (int s = 0; s < 3; ++s)
    {
        Run run = StartRun(&scene, SolverDef(schemes[s], 1.0 / 60.0));
        double before = rslSolver_Energy(run.solver, run.state).total;
        rslMotion start = rslSolver_Motion(run.solver, run.state, -1);
        Step(&run, 120);
        rslMotion motion = rslSolver_Motion(run.solver, run.state, -1);
        assert_close(Distance(motion.momentum, start.momentum), 0.0, 1e-13 * rslLength(start.momentum));
        assert_close(Distance(run.state->frames[0].momentum, exact.state->frames[0].momentum), 0.0, 1e-13);
        assert_close(rslSolver_Energy(run.solver, run.state).total, before, 1e-5 * before);
        assert_close(Distance(PositionOf(&run, 0), PositionOf(&exact, 0)), 0.0, 2e-3);
        assert_int_equal(rslSolver_Solve(run.solver).newtonSteps, 0);
        EndRun(&run);
    }
    EndRun(&exact);
}

// ---- beside explicit steps ------------------------------------------------------------------------------------------

// How far nodes are from where they are after small explicit steps.
static double ErrorOf(const Machine* machine, const Run* exact, rslIntegrator scheme, double h, double time)
{
    Run run = StartRun(&machine->scene, SolverDef(scheme, h));
    double worst = 0.0;
    Step(&run, (int64_t)floor(time / h + 0.5));
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        worst = Worse(worst, Distance(PositionOf(&run, i), PositionOf(exact, i)));
    }
    for (int j = 0; j < run.model->jointCount; ++j)
    {
        assert_close(rslState_JointGap(run.model, run.state, j).distance, 0.0, 1e-12);
    }
    EndRun(&run);
    return worst;
}

// A machine that is thrown and spins; and one whose bar is held. Of their order: halves and quarters.
static void TestMotion(void** state)
{
    (void)state;
    for (int held = 0; held < 2; ++held)
    {
        Machine machine;
        MakeMachine(&machine, true);
        rslConstraintDef pin = PinOf(SideOf("bar", (rslVec3){ -0.149, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 }));
        machine.bodies[2].spin = (rslVec3){ 2.0, 5.0, -3.0 };
        machine.bodies[0].material.stiffnessDamping = 0.005;
        machine.scene.constraints = &pin;
        machine.scene.constraintCount = held;
        double time = 0.24;
        Run exact = StartRun(&machine.scene, SolverDef(rsl_positionVerlet, 5e-5));
        Step(&exact, (int64_t)floor(time / 5e-5 + 0.5));
        double first[2] = { ErrorOf(&machine, &exact, rsl_implicitEuler, 0.02, time),
                            ErrorOf(&machine, &exact, rsl_implicitEuler, 0.01, time) };
        double second[2] = { ErrorOf(&machine, &exact, rsl_trBdf2, 0.02, time),
                             ErrorOf(&machine, &exact, rsl_trBdf2, 0.01, time) };
        printf("# held %d: euler %.2e %.2e, tr-bdf2 %.2e %.2e\n", held, first[0], first[1], second[0], second[1]);
        assert_true(first[1] < 0.6 * first[0]);
        assert_true(second[1] < 0.35 * second[0] && second[1] < 0.2 * first[1]);
        EndRun(&exact);
    }
}

// ---- contact --------------------------------------------------------------------------------------------------------

// A machine that falls on its head, with a brick beside it.
static void MakeFall(Machine* m)
{
    MakeMachine(m, true);
    for (int b = 0; b < 3; ++b)
    {
        m->shapes[b].translate.z += 0.17;
        m->bodies[b].velocity = (rslVec3){ 0.5, 0.0, -2.0 };
    }
    m->bodies[0].material.stiffnessDamping = 0.002;
    m->scene.ground.enabled = true;
    m->scene.ground.friction = 0.4;
    m->joint.point.z += 0.17;
    m->links[0].from.point.z += 0.17;
    m->scene.linkCount = 1;
}

// Nothing overlaps, and backward Euler gains nothing; in the end all of it lies there.
static void TestFall(void** state)
{
    (void)state;
    Machine machine;
    MakeFall(&machine);
    for (int s = 0; s < 3; s += 2)
    {
        Run run = StartRun(&machine.scene, SolverDef(schemes[s], 1.0 / 60.0));
        double numerical = 0.0, least = INFINITY;
        rslMotion motion = rslSolver_Motion(run.solver, run.state, -1);
        double first = rslLength(motion.momentum);
        for (int i = 0; i < 45; ++i)
        {
            Step(&run, 1);
            double gap = rslBarrier_Smallest(run.solver->implicit->barrier, NULL), lost = run.state->account.numerical;
            assert_true(gap > 0.0);
            least = gap < least ? gap : least;
            motion = rslSolver_Motion(run.solver, run.state, -1);
            assert_true(schemes[s] != rsl_implicitEuler || lost >= numerical - 1e-9);
            numerical = lost;
            assert_close(rslState_JointGap(run.model, run.state, 0).distance, 0.0, 1e-12);
        }
        assert_true(least < 0.01);
        assert_close(rslSolver_Energy(run.solver, run.state).drift, 0.0, 1e-9);
        printf("# %d: gap %.2e, momentum %.3f, lost %.3f J\n", s, least, rslLength(motion.momentum), numerical);
        assert_true(rslLength(motion.momentum) < 0.1 * first);
        EndRun(&run);
    }
}

// ---- the same bits --------------------------------------------------------------------------------------------------

// Saved and loaded after every step, by another solver with other threads.
static void TestResume(void** state)
{
    (void)state;
    Machine machine;
    MakeFall(&machine);
    rslSolverDef def = SolverDef(rsl_trBdf2, 1.0 / 60.0);
    Run whole = StartRun(&machine.scene, def), parts = StartRun(&machine.scene, def);
    enum
    {
        STEPS = 7
    };
    bool touched = false;
    Step(&whole, STEPS);
    for (int i = 0; i < STEPS; ++i)
    {
        Step(&parts, 1);
        touched = touched || parts.state->touchedCount > 0;
        size_t size = rslState_Save(parts.state, NULL, 0);
        void* bytes = malloc(size);
        rslState_Save(parts.state, bytes, size);
        rslState_Free(parts.state);
        rslSolver_Free(parts.solver);
        assert_int_equal(rslState_Load(parts.model, rsl_double, bytes, size, NULL, &parts.state, NULL), rsl_ok);
        free(bytes);
        def.threads = 1 + i % 3;
        parts.solver = SolverOf(parts.model, &def);
    }
    assert_true(touched);
    assert_true(rslState_Hash(whole.state) == rslState_Hash(parts.state));
    assert_true(memcmp(&whole.state->account, &parts.state->account, sizeof(rslAccount)) == 0);
    EndRun(&whole);
    EndRun(&parts);
}

static void TestMemory(void** state)
{
    (void)state;
    Machine machine;
    MakeMachine(&machine, true);
    FailEveryAllocation(&machine.scene, SolverDef(rsl_trBdf2, 1.0 / 60.0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSlopes), cmocka_unit_test(TestFlight), cmocka_unit_test(TestMotion),
        cmocka_unit_test(TestFall),   cmocka_unit_test(TestResume), cmocka_unit_test(TestMemory),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
