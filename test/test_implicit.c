// SPDX-License-Identifier: MIT
//
// test_implicit.c: implicit steps do what their formulas say: one mode, free flight.

#include "stage_fixture.h"
#include "sanitized.h"

#include <complex.h>

static const rslIntegrator schemes[3] = { rsl_implicitEuler, rsl_theta, rsl_trBdf2 };

// ---- one mode -------------------------------------------------------------------------------------------------------

// What a step does to (x, v / w) of  x'' = -w^2 x,  as the number that multiplies x - i v / w. a = w h.
static double complex Factor(rslIntegrator scheme, double a)
{
    double t = scheme == rsl_theta ? 0.55 : 1.0, g = 2.0 - sqrt(2.0);
    if (scheme != rsl_trBdf2)
    {
        return (1.0 + I * (1.0 - t) * a) / (1.0 - I * t * a);
    }
    double complex first = (1.0 + I * 0.5 * g * a) / (1.0 - I * 0.5 * g * a);
    double b1 = 1.0 / (g * (2.0 - g)), b0 = (1.0 - g) * (1.0 - g) * b1;
    return (b1 * first - b0) / (1.0 - I * a * (1.0 - g) / (2.0 - g));
}

// A mass on a spring that lies along x and moves along it.
static Run StartMode(rslIntegrator scheme, double stiffness, double step)
{
    static const double nodes[6] = { 0, 0, 0, 1, 0, 0 };
    static const int springs[2] = { 0, 1 }, first[1] = { 0 };
    double mass = 1.0;
    rslBodyDef body = NetworkBody("a", nodes, 2, &mass, springs, 1, &stiffness);
    rslConstraintDef pin = PinOf(ListOf("a", first, 1));
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    scene.constraints = &pin;
    scene.constraintCount = 1;
    rslSolverDef def = SolverDef(scheme, step);
    def.tolerance = 1e-10;
    return StartRun(&scene, def);
}

// Loss of energy in a period and error of the period, percent; the figures of the derivation (docs/theory.md).
static void TestOneMode(void** state)
{
    (void)state;
    static const int steps[3] = { 10, 20, 40 };
    static const double euler[3][2] = { { 97.6, 12.0 }, { 86.0, 3.2 }, { 63.0, 0.82 } };
    static const double second[3][2] = { { 1.1, 1.6 }, { 0.14, 0.40 }, { 0.02, 0.10 } };
    for (int s = 0; s < 3; ++s)
    {
        for (int n = 0; n < 3; ++n)
        {
            double w = 20.0, h = 2.0 * PI / w / steps[n];
            double complex factor = Factor(schemes[s], w * h), at = 0.1;
            double turns = 2.0 * PI / carg(factor), lost = 100.0 * (1.0 - pow(cabs(factor), 2.0 * turns));
            double longer = 100.0 * (turns / steps[n] - 1.0);
            const double* table = schemes[s] == rsl_implicitEuler ? euler[n] : second[n];
            if (schemes[s] != rsl_theta)
            {
                assert_close(lost, table[0], 0.05 * table[0] + 0.005);
                assert_close(longer, table[1], 0.05 * table[1] + 0.005);
            }
            Run run = StartMode(schemes[s], w * w, h);
            SetNode(&run, 1, (rslVec3){ 1.1, 0.0, 0.0 }, (rslVec3){ 0 });
            for (int i = 0; i < 2 * steps[n]; ++i)
            {
                Step(&run, 1);
                at *= factor;
                assert_close(PositionOf(&run, 1).x - 1.0, creal(at), 1e-9);
                assert_close(VelocityOf(&run, 1).x / w, -cimag(at), 1e-9);
            }
            rslEnergy energy = rslSolver_Energy(run.solver, run.state);
            assert_close(energy.drift, 0.0, 1e-12);
            assert_close(run.state->account.numerical, 2.0 - energy.total, 1e-9);
            EndRun(&run);
        }
    }
}

// ---- free flight ----------------------------------------------------------------------------------------------------

// A soft box thrown without spin keeps its shape; its centre is where the scheme says, without any solve.
static void TestFreeFlight(void** state)
{
    (void)state;
    rslShapeDef box = BoxShape(0.3, 0.2, 0.2);
    rslBodyDef body = LatticeBody("a", &box, 0.1);
    body.velocity = (rslVec3){ 3.0, 0.0, 4.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, -10.0 };
    for (int s = 0; s < 3; ++s)
    {
        double h = 1.0 / 64.0, t = 1.0, theta = schemes[s] == rsl_theta ? 0.55 : schemes[s] == rsl_trBdf2 ? 0.5 : 1.0;
        Run run = StartRun(&scene, SolverDef(schemes[s], h));
        rslVec3 before = rslSolver_Motion(run.solver, run.state, -1).centre;
        Step(&run, 64);
        rslMotion motion = rslSolver_Motion(run.solver, run.state, -1);
        assert_close(motion.centre.x - before.x, 3.0 * t, 1e-12);
        // the sum of g h (1 - theta) n + g h theta (n + 1) over the steps
        assert_close(motion.centre.z - before.z, 4.0 * t - 5.0 * t * t - (theta - 0.5) * 10.0 * h * t, 1e-12);
        assert_close(motion.momentum.z / run.model->bodies[0].mass, -6.0, 1e-12);
        assert_int_equal(rslSolver_Solve(run.solver).newtonSteps, 0);
        assert_close(rslSolver_Energy(run.solver, run.state).springs, 0.0, 1e-20);
        EndRun(&run);
    }
}

// ---- a bar that swings far ------------------------------------------------------------------------------------------

enum
{
    LONG = 12,
    HIGH = 2,
    BAR_NODES = (LONG + 1) * (HIGH + 1),
    BAR_SPRINGS = LONG * (HIGH + 1) + (LONG + 1) * HIGH + 2 * LONG * HIGH
};

typedef struct Bar
{
    double nodes[3 * BAR_NODES], stiffness[BAR_SPRINGS];
    int springs[2 * BAR_SPRINGS], held[HIGH + 1], springCount;
} Bar;

static void AddSpring(Bar* bar, int a, int b, double stiffness)
{
    bar->springs[2 * bar->springCount] = a;
    bar->springs[2 * bar->springCount + 1] = b;
    bar->stiffness[bar->springCount++] = stiffness;
}

// Cells of 1 m in the plane, edges twice as stiff as diagonals, masses of 1 kg.
static Bar MakeBar(void)
{
    Bar bar = { .springCount = 0 };
    for (int i = 0; i <= LONG; ++i)
    {
        for (int j = 0; j <= HIGH; ++j)
        {
            int n = i * (HIGH + 1) + j;
            bar.nodes[3 * n] = i;
            bar.nodes[3 * n + 1] = j;
            if (i == 0)
            {
                bar.held[j] = n;
            }
            if (j < HIGH)
            {
                AddSpring(&bar, n, n + 1, 2e4);
            }
            if (i < LONG)
            {
                AddSpring(&bar, n, n + HIGH + 1, 2e4);
            }
            if (i < LONG && j < HIGH)
            {
                AddSpring(&bar, n, n + HIGH + 2, 1e4);
                AddSpring(&bar, n + 1, n + HIGH + 1, 1e4);
            }
        }
    }
    return bar;
}

// Clamped. What is bent lies as it does at rest under a weight.
static Run StartBar(const Bar* bar, rslIntegrator integrator, double step, double weight, const Run* bent)
{
    double mass = 1.0;
    rslBodyDef body = NetworkBody("a", bar->nodes, BAR_NODES, &mass, bar->springs, BAR_SPRINGS, bar->stiffness);
    body.network.stiffnessCount = BAR_SPRINGS;
    rslConstraintDef pin = PinOf(ListOf("a", bar->held, HIGH + 1));
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, weight, 0.0 };
    scene.plane = rsl_planeXY;
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Run run = StartRun(&scene, SolverDef(integrator, step));
    for (int n = 0; bent != NULL && n < BAR_NODES; ++n)
    {
        rslState_SetPosition(run.model, run.state, n, PositionOf(bent, n));
    }
    return run;
}

static double Tip(const Run* run)
{
    return PositionOf(run, BAR_NODES - 1).y - HIGH;
}

// Energy at the end over that at the start, and the largest, in five periods of n steps.
static void SwingBar(const Bar* bar, rslIntegrator integrator, double period, int n, const Run* bent, double out[2])
{
    Run run = StartBar(bar, integrator, period / n, 0.0, bent);
    out[1] = 0.0;
    for (int i = 0; i < 5 * n; ++i)
    {
        Step(&run, 1);
        out[0] = rslSolver_Energy(run.solver, run.state).total / run.state->account.start;
        out[1] = out[0] > out[1] ? out[0] : out[1];
    }
    EndRun(&run);
}

static void TestBar(void** state)
{
    (void)state;
    skip_when_sanitized();
    Bar bar = MakeBar();
    double period = 0.0, first = 0.0, before, step = 1e-3;
    Run bent = StartBar(&bar, rsl_static, 1.0, 21.0, NULL);
    Step(&bent, 1);
    assert_close(Tip(&bent), 4.0, 0.2);  // of 12
    Run run = StartBar(&bar, rsl_positionVerlet, step, 0.0, &bent);
    before = Tip(&run);
    for (int i = 1; period == 0.0; ++i)  // twice the time from the middle to the middle
    {
        Step(&run, 1);
        double tip = Tip(&run);
        first = before > 0.0 && tip <= 0.0 ? step * i : first;
        period = before < 0.0 && tip >= 0.0 ? 2.0 * (step * i - first) : 0.0;
        before = tip;
    }
    EndRun(&run);
    double end[4][2];
    SwingBar(&bar, rsl_trBdf2, period, 10, &bent, end[0]);
    SwingBar(&bar, rsl_trBdf2, period, 20, &bent, end[1]);
    SwingBar(&bar, rsl_theta, period, 20, &bent, end[2]);
    SwingBar(&bar, rsl_implicitEuler, period, 20, &bent, end[3]);
    if (Proving())
    {
        printf("bar, swing %.2f, period %.4f s: TR-BDF2 10 steps %.3f (%.3f), 20 steps %.3f (%.3f), theta %.3f (%.3f), "
               "implicit Euler %.3f (%.3f)\n",
               Tip(&bent), period, end[0][0], end[0][1], end[1][0], end[1][1], end[2][0], end[2][1], end[3][0],
               end[3][1]);
    }
    EndRun(&bent);
    // as computed once by another program, with dense matrices and exact solves: 0.8751 and 0.9644
    assert_proved("bar, TR-BDF2, 10 steps a period: energy after five, off by", fabs(end[0][0] - 0.8751), 0.01);
    assert_proved("bar, TR-BDF2, 20 steps a period: energy after five, off by", fabs(end[1][0] - 0.9644), 0.01);
    for (int i = 0; i < 4; ++i)
    {
        assert_proved("bar, largest energy over that at the start", end[i][1], 1.0 + 1e-6);
    }
    assert_true(end[3][0] < 0.1);  // backward Euler loses it
}

// ---- momentum -------------------------------------------------------------------------------------------------------

static rslScene SoftBox(rslBodyDef* body, rslShapeDef* box, double young, double spacing, int cells)
{
    *box = BoxShape(cells * spacing, cells * spacing, cells * spacing);
    *body = LatticeBody("a", box, spacing);
    body->surface.enabled = false;
    body->material.young = young;
    body->material.density = 1000.0;
    body->material.poisson = 0.25;
    return SceneOf(body, 1);
}

// Momentum is kept to what the solves leave over, angular momentum to the order of the scheme.
static void TestMomentum(void** state)
{
    (void)state;
    skip_when_sanitized();
    rslShapeDef box;
    rslBodyDef body;
    rslScene scene = SoftBox(&body, &box, 1e5, 0.02, 3);
    scene.gravity = (rslVec3){ 0 };
    body.velocity = (rslVec3){ 1.0, 2.0, 3.0 };
    body.spin = (rslVec3){ 200.0, 300.0, 400.0 };
    for (int s = 0; s < 3; ++s)
    {
        double lost[2];
        for (int k = 0; k < 2; ++k)
        {
            rslSolverDef def = SolverDef(schemes[s], 0.01 / (1 << k));
            def.tolerance = 1e-9;
            Run run = StartRun(&scene, def);
            rslMotion before = rslSolver_Motion(run.solver, run.state, -1);
            Step(&run, 40 << k);
            rslMotion after = rslSolver_Motion(run.solver, run.state, -1);
            assert_at_most(Distance(before.momentum, after.momentum) / rslLength(before.momentum), 1e-7);
            lost[k] = Distance(before.angularMomentum, after.angularMomentum) / rslLength(before.angularMomentum);
            EndRun(&run);
        }
        double order = log2(lost[0] / lost[1]);
        if (Proving())
        {
            printf("angular momentum lost in 0.4 s at 541 deg/s, steps of 10 ms: %.2e, order %.2f\n", lost[0], order);
        }
        assert_true(schemes[s] == rsl_trBdf2 ? order > 1.7 && lost[0] < 0.02 : order > 0.7);
    }
}

// ---- any stiffness --------------------------------------------------------------------------------------------------

// A box of a grid of 1 cm falls on a plane with its edge first, spinning, at 1/60 s: nothing is touched but the modulus.
static void TestStiffness(void** state)
{
    (void)state;
    rslShapeDef box;
    rslBodyDef body;
    rslScene scene = SoftBox(&body, &box, 1e5, 0.01, Proving() ? 8 : 3);
    box.rotate = (rslRotationDef){ .axis = { 1.0, 2.0, 0.5 }, .angle = 40.0 };
    box.translate.z = 0.08;
    body.spin = (rslVec3){ 100.0, -200.0, 50.0 };
    scene.ground.enabled = true;
    scene.touch.scheme = rsl_penaltyScheme;
    for (int s = 0; s < 3; ++s)
    {
        for (double young = 1e5; young < 2e9; young *= Proving() ? 10.0 : Sanitized() ? 1e5 : 100.0)
        {
            body.material.young = young;
            Run run = StartRun(&scene, SolverDef(schemes[s], 1.0 / 60.0));
            double most = -INFINITY;
            for (int i = 0; i < 30; ++i)
            {
                Step(&run, 1);
                double total = rslSolver_Energy(run.solver, run.state).total;
                most = total > most ? total : most;
            }
            double grown = most / run.state->account.start - 1.0;
            rslSolve solve = rslSolver_Solve(run.solver);
            if (Proving())
            {
                printf("E = %.0e Pa, scheme %d: %.1f Newton steps a step, %.1f iterations each, energy %+.1e\n", young,
                       s, (double)solve.newtonSteps / 30.0, (double)solve.iterations / (double)solve.newtonSteps,
                       grown);
            }
            assert_int_equal(solve.outcome, rsl_solveFound);
            assert_proved("energy that grows from its start", grown, s == 0 ? 1e-5 : 1e-3);
            assert_proved("Newton steps a step", (double)solve.newtonSteps / 30.0, s == 0 ? 15.0 : 150.0);
            EndRun(&run);
        }
    }
}

// ---- rest -----------------------------------------------------------------------------------------------------------

// A beam that is let go comes to rest where `static` has it.
static void TestRest(void** state)
{
    (void)state;
    rslShapeDef box;
    rslBodyDef body;
    rslScene scene = SoftBox(&body, &box, 2e4, 0.02, 2);
    box.size.x = 0.12;
    body.material.massDamping = 5.0;
    body.material.stiffnessDamping = 1e-3;
    rslConstraintDef pin = PinOf(SideOf("a", (rslVec3){ -0.059, 0, 0 }, (rslVec3){ -1, 0, 0 }));
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Run rest = StartRun(&scene, SolverDef(rsl_static, 1.0));
    Step(&rest, 1);
    for (int s = 0; s < 3; ++s)
    {
        rslSolverDef def = SolverDef(schemes[s], 0.05);
        def.tolerance = 1e-6;
        Run run = StartRun(&scene, def);
        Step(&run, 120);
        double worst = 0.0, largest = 0.0;
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            worst = Worse(worst, Distance(PositionOf(&run, i), PositionOf(&rest, i)));
            largest = Worse(largest, Distance(PositionOf(&rest, i), WorldOf(rest.model, i)));
        }
        assert_true(largest > 0.002);
        assert_proved("rest after a long time, over the largest displacement", worst / largest, 1e-4);
        // what gravity gave went to dampers and the scheme
        rslEnergy energy = rslSolver_Energy(run.solver, run.state);
        assert_close(energy.drift, 0.0, 1e-12);
        assert_true(run.state->account.dissipated > 0.0);
        EndRun(&run);
    }
    EndRun(&rest);
}

// ---- the account ----------------------------------------------------------------------------------------------------

// A chain that is moved, driven, pushed and damped: where steps are short, nothing is missing.
static double Missing(rslIntegrator scheme, double step)
{
    double damping = 0.5;
    PushedChain chain;
    MakePushedChain(&chain, RampOf(0.1, 0.8, true));
    chain.body.network.damping = &damping;
    chain.body.network.dampingCount = 1;
    chain.body.material.massDamping = 0.2;
    rslSolverDef def = SolverDef(scheme, step);
    def.tolerance = 1e-8;
    Run run = StartRun(&chain.scene, def);
    Step(&run, (int64_t)(1.0 / step + 0.5));
    const rslAccount* account = &run.state->account;
    double all = fabs(account->loads) + fabs(account->motion) + fabs(account->drives) + account->dissipated;
    assert_true(fabs(account->loads) > 0.01 * all && fabs(account->motion) > 0.01 * all &&
                fabs(account->drives) > 0.01 * all && account->dissipated > 0.01 * all);
    double missing = fabs(account->numerical) / all;
    EndRun(&run);
    return missing;
}

static void TestAccount(void** state)
{
    (void)state;
    for (int s = 0; s < 3; ++s)
    {
        double coarse = Missing(schemes[s], 0.02), fine = Missing(schemes[s], 0.005);
        double order = 0.5 * log2(coarse / fine);
        if (Proving())
        {
            printf("scheme %d: %.2e of all energy is missing at steps of 20 ms, order %.2f\n", s, coarse, order);
        }
        assert_true(order > (schemes[s] == rsl_trBdf2 ? 1.6 : 0.8));
        assert_at_most(fine, schemes[s] == rsl_trBdf2 ? 1e-3 : 0.1);
    }
}

// ---- held nodes that jump -------------------------------------------------------------------------------------------

static void TestJump(void** state)
{
    (void)state;
    rslShapeDef box;
    rslBodyDef body;
    rslScene scene = SoftBox(&body, &box, 1e6, 0.02, 2);
    box.size.x = 0.1;
    body.material.massDamping = 2.0;
    scene.gravity = (rslVec3){ 0 };
    rslConstraintDef held[2] = { PinOf(SideOf("a", (rslVec3){ -0.049, 0, 0 }, (rslVec3){ -1, 0, 0 })),
                                 MoveBy(SideOf("a", (rslVec3){ 0.049, 0, 0 }, (rslVec3){ 1, 0, 0 }),
                                        (rslVec3){ 0.08, 0.03, 0.0 }) };
    held[1].move.course = RampOf(0.0, 0.02, false);  // 4 m/s, at once
    scene.constraints = held;
    scene.constraintCount = 2;
    for (int s = 0; s < 3; ++s)
    {
        Run run = StartRun(&scene, SolverDef(schemes[s], 1.0 / 60.0));
        Step(&run, 60);
        assert_true(run.state->guard.divided > 0);  // too far for one step
        assert_true(run.state->account.motion > 0.0);
        assert_true(rslSolver_Energy(run.solver, run.state).total < run.state->account.motion);
        EndRun(&run);
    }
}

// ---- the same bits --------------------------------------------------------------------------------------------------

// Saved and loaded after every step, by another solver with other threads: the same bits.
static void TestResume(void** state)
{
    (void)state;
    rslShapeDef box;
    rslBodyDef body;
    rslScene scene = SoftBox(&body, &box, 1e6, 0.02, 3);
    box.translate.z = 0.05;
    body.spin = (rslVec3){ 100.0, -200.0, 50.0 };
    body.material.stiffnessDamping = 1e-4;
    scene.ground.enabled = true;
    scene.touch.scheme = rsl_penaltyScheme;
    for (int s = 0; s < 3; ++s)
    {
        (void)CheckResume(&scene, schemes[s], 12);
    }
}

static bool StopLater(void* user)
{
    return --*(int*)user <= 0;
}

// A host that stops a step in the middle has the state before it, and goes on from there to the same bits.
static void TestStop(void** state)
{
    (void)state;
    rslShapeDef box;
    rslBodyDef body;
    rslScene scene = SoftBox(&body, &box, 1e6, 0.02, 3);
    body.spin = (rslVec3){ 300.0, -200.0, 50.0 };
    for (int s = 0; s < 3; ++s)
    {
        int left = 1000000;
        rslSolverDef def = SolverDef(schemes[s], 1.0 / 60.0);
        Run whole = StartRun(&scene, def);
        def.stop = StopLater;
        def.stopUser = &left;
        Run stopped = StartRun(&scene, def);
        Step(&whole, 3);
        Step(&stopped, 2);
        uint64_t before = rslState_Hash(stopped.state);
        left = 2;
        assert_int_equal(rslSolver_Step(stopped.solver, stopped.state, 1), rsl_stopped);
        assert_true(rslState_Hash(stopped.state) == before);
        left = 1000000;
        Step(&stopped, 1);
        assert_true(rslState_Hash(stopped.state) == rslState_Hash(whole.state));
        EndRun(&whole);
        EndRun(&stopped);
    }
}

static void TestMemory(void** state)
{
    (void)state;
    rslShapeDef box;
    rslBodyDef body;
    rslScene scene = SoftBox(&body, &box, 1e6, 0.02, 2);
    body.repulsion.type = rsl_noRepulsion;  // matrices of elements near collapse grow in a step
    scene.ground.enabled = true;
    scene.touch.scheme = rsl_penaltyScheme;
    FailEveryAllocation(&scene, SolverDef(rsl_trBdf2, 1.0 / 60.0), 1);
}

// ---- what is chosen -------------------------------------------------------------------------------------------------

static rslIntegrator ChosenFor(rslScene scene, double young, rslReport* report)
{
    rslBodyDef body = scene.bodies[0];
    body.material.young = young;
    scene.bodies = &body;
    *report = (rslReport){ 0 };
    rslModel* model = Built(&scene, NULL);
    rslSolverDef def = SolverDef(rsl_autoIntegrator, RSL_AUTO);
    rslSolver* solver = NULL;
    assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, report), rsl_ok);
    rslIntegrator chosen = rslSolver_Integrator(solver);
    assert_true(chosen != rsl_trBdf2 || rslSolver_Stability(solver).step == 1.0 / 60.0);
    rslSolver_Free(solver);
    rslModel_Free(model);
    return chosen;
}

static void TestAuto(void** state)
{
    (void)state;
    rslShapeDef box;
    rslBodyDef body;
    rslReport report;
    rslScene scene = SoftBox(&body, &box, 1e6, 0.01, 3);
    body.model.type = rsl_springModel;
    assert_int_equal(ChosenFor(scene, 1e5, &report), rsl_positionVerlet);
    assert_non_null(strstr(report.messages[0].text, "position_verlet, explicit; a frame"));
    assert_int_equal(ChosenFor(scene, 1e10, &report), rsl_trBdf2);
    assert_non_null(strstr(report.messages[0].text, "tr_bdf2, implicit; a frame"));
    scene.ground.enabled = true;
    scene.ground.point.z = -1.0;
    scene.touch.scheme = rsl_barrierScheme;
    assert_int_equal(ChosenFor(scene, 1e5, &report), rsl_trBdf2);
    assert_non_null(strstr(report.messages[0].text, "but the contact scheme goes with implicit"));
    scene.touch.scheme = rsl_predictiveScheme;
    assert_int_equal(ChosenFor(scene, 1e10, &report), rsl_positionVerlet);
    body.model.type = rsl_dispersionModel;
    body.model.variant = rsl_publishedDispersion;
    body.material.poisson = 0.3;
    assert_int_equal(ChosenFor(scene, 1e10, &report), rsl_positionVerlet);
    assert_non_null(strstr(report.messages[0].text, "scheme"));
    scene.touch.scheme = rsl_autoScheme;
    assert_int_equal(ChosenFor(scene, 1e10, &report), rsl_trBdf2);
    // penalties that rub have no energy
    scene.touch.scheme = rsl_penaltyScheme;
    scene.ground.friction = 0.3;
    assert_int_equal(ChosenFor(scene, 1e10, &report), rsl_positionVerlet);
    assert_non_null(strstr(report.messages[0].text, "friction"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestOneMode),  cmocka_unit_test(TestFreeFlight), cmocka_unit_test(TestBar),
        cmocka_unit_test(TestMomentum), cmocka_unit_test(TestStiffness),  cmocka_unit_test(TestRest),
        cmocka_unit_test(TestAccount),  cmocka_unit_test(TestJump),       cmocka_unit_test(TestResume),
        cmocka_unit_test(TestStop),     cmocka_unit_test(TestMemory),     cmocka_unit_test(TestAuto),
    };
    return cmocka_run_group_tests_name("implicit", tests, NULL, NULL);
}
