// SPDX-License-Identifier: MIT
//
// test_energy.c: where the energy went adds up, momentum stays, and no honest run is called diverged.

#include "physics_fixture.h"

static const rslVec3 still = { 0.0, 0.0, 0.0 };

// ---- the account --------------------------------------------------------------------------------------------------------

// Everything that a scene of the account points to.
typedef struct Account
{
    rslShapeDef box;
    rslBodyDef body;
    rslConstraintDef hold;
    rslLoadDef loads[3];
    rslDriveDef drive;
    rslScene scene;
} Account;

enum
{
    DAMPERS = 1,
    LOADS = 2,
    MOTION = 4,
    DRIVES = 8,
    NETWORK = 16,
    ALL = 31
};

// A small network, as any.
static const double netNodes[15] = { 0, 0, 0, 0.2, 0, 0, 0.1, 0.2, 0, 0.1, 0.1, 0.2, 0.1, 0.1, -0.2 };
static const double netMass = 1.0, netStiffness = 4000.0, netDamping = 4.0;
static const int netSprings[18] = { 0, 1, 0, 2, 1, 2, 0, 3, 1, 3, 2, 3, 0, 4, 1, 4, 2, 4 };

static void MakeAccount(Account* a, int parts)
{
    a->box = BoxShape(0.2, 0.2, 0.3);
    a->body = LatticeBody("a", &a->box, 0.1);
    if (parts & NETWORK)
    {
        a->body = NetworkBody("a", netNodes, 5, &netMass, netSprings, 9, &netStiffness);
        a->body.network.damping = &netDamping;
        a->body.network.dampingCount = parts & DAMPERS ? 1 : 0;
    }
    a->body.material.stiffnessDamping = parts & DAMPERS ? 1e-3 : 0.0;
    a->body.material.massDamping = parts & DAMPERS ? 2.0 : 0.0;
    a->body.spin = (rslVec3){ 0.0, parts & MOTION ? 0.0 : 100.0, 0.0 };
    a->hold = rslDefaultConstraintDef();
    a->hold.type = rsl_motionConstraint;
    a->hold.nodes = SideOf("a", (rslVec3){ 0, 0, 0.14 }, (rslVec3){ 0, 0, 1 });
    a->hold.move.translate = (rslVec3){ 0.05, 0.0, 0.03 };
    a->hold.move.rotate.angle = 40.0;
    a->hold.move.course = RampOf(0.0, 0.3, true);
    a->loads[0] = ForceOn(SideOf("a", (rslVec3){ 0, 0, -0.1 }, (rslVec3){ 0, 0, -1 }), (rslVec3){ 30.0, 20.0, -50.0 });
    a->loads[0].course = PulseOf(0.02, 0.2, true);
    a->loads[1] = rslDefaultLoadDef();
    a->loads[1].type = rsl_accelerationLoad;
    a->loads[1].nodes = AllOf("a");
    a->loads[1].acceleration = (rslVec3){ 3.0, -5.0, 2.0 };
    a->loads[1].course.type = rsl_sineCourse;
    a->loads[1].course.frequency = 3.0;
    a->loads[2] = rslDefaultLoadDef();
    a->loads[2].type = rsl_pressureLoad;
    a->loads[2].body = "a";
    a->loads[2].pressure = 5000.0;
    a->loads[2].course = RampOf(0.0, 0.2, true);
    a->drive = rslDefaultDriveDef();
    a->drive.nodes = AllOf("a");
    a->drive.strain = -0.1;
    a->drive.direction = (rslVec3){ 1.0, 0.0, 0.0 };
    a->drive.course.type = rsl_sineCourse;
    a->drive.course.frequency = 4.0;
    a->scene = SceneOf(&a->body, 1);
    a->scene.loads = a->loads;
    a->scene.loadCount = parts & LOADS ? (parts & NETWORK ? 2 : 3) : 0;
    a->scene.constraints = &a->hold;
    a->scene.constraintCount = parts & MOTION ? 1 : 0;
    a->scene.drives = &a->drive;
    a->scene.driveCount = parts & DRIVES ? 1 : 0;
}

// What the account misses at the end, relative to all energy that went in or out.
static double Missing(int parts, rslIntegrator integrator, int steps)
{
    Account a;
    MakeAccount(&a, parts);
    rslSolverDef def = SolverDef(integrator, 0.25 / steps);
    def.divergenceFactor = 1e6;
    Run run = StartRun(&a.scene, def);
    Step(&run, steps);
    const rslAccount* account = &run.state->account;
    rslEnergy energy = rslSolver_Energy(run.solver, run.state);
    double total = account->start + account->loads + account->motion + account->drives - account->dissipated;
    assert_close(energy.drift, energy.total - total, 1e-9 * (fabs(total) + account->input));
    assert_true(!(parts & DAMPERS) || account->dissipated > 0.05 * account->input);
    assert_true(!(parts & LOADS) || fabs(account->loads) > 0.1);
    assert_true(!(parts & MOTION) || fabs(account->motion) > 0.1);
    assert_true(!(parts & DRIVES) || account->drives != 0.0);
    double missing = energy.drift / (account->input + account->dissipated);
    EndRun(&run);
    return missing;
}

// The drift vanishes with the step: with the order of the integrator; dampers are lagged at first order by position
// Verlet.
static void TestAccount(void** state)
{
    (void)state;
    const int parts[] = {
        0, DAMPERS, LOADS, MOTION, DRIVES, LOADS | MOTION | DRIVES, DAMPERS | LOADS | MOTION | DRIVES
    };
    for (size_t p = 0; p < 2 * (sizeof parts / sizeof parts[0]); ++p)
    {
        int set = parts[p / 2] | (p % 2 == 1 ? NETWORK : 0);
        if (!Proving() && p / 2 % 2 != p % 2)
        {
            continue;  // of a lattice or of a network; integrators of first order with everything at once
        }
        for (int i = Proving() || p == 12 ? 0 : rsl_positionVerlet; i < rsl_static; ++i)
        {
            int order = i >= rsl_positionVerlet ? 2 : 1, steps = order == 1 ? 4000 : 1000;
            double coarse = Missing(set, (rslIntegrator)i, steps), fine = Missing(set, (rslIntegrator)i, 2 * steps);
            double finest = Missing(set, (rslIntegrator)i, 4 * steps);
            double slope = log(fabs(coarse - fine) / fabs(fine - finest)) / log(2.0);
            int least = i == rsl_positionVerlet && (set & DAMPERS) ? 1 : order;
            if (Proving())
            {
                printf("account: parts %2d, integrator %d: missing %9.2e %9.2e %9.2e, order %.2f\n", set, i, coarse,
                       fine, finest, slope);
            }
            // what is left when the step goes to zero is nothing
            double factor = least == 1 ? 1.0 : 1.0 / 3.0, limit = finest - factor * (fine - finest);
            double small = least == 1 ? 1e-4 : 1e-9;  // errors of first order may cancel and hide their order
            assert_at_most(fabs(limit), 0.1 * (fabs(finest) + small));
            assert_at_most(fabs(finest), least == 1 ? 5e-3 : 1e-5);
            assert_true(slope > least - 0.2 || fabs(coarse) < small);
        }
    }
}

// Two cubes, tied with dampers and joined by a spring, fall onto the ground and bounce: what is missing from the account.
static double MissingLinked(rslIntegrator integrator, int steps, double damping)
{
    rslShapeDef boxes[2] = { BoxShape(0.2, 0.2, 0.2), BoxShape(0.2, 0.2, 0.2) };
    boxes[0].translate.z = 0.15;
    boxes[1].translate = (rslVec3){ 0.0, 0.05, 0.35 };
    rslBodyDef bodies[2] = { LatticeBody("a", &boxes[0], 0.1), LatticeBody("b", &boxes[1], 0.1) };
    bodies[0].surface.enabled = bodies[1].surface.enabled = false;
    rslLinkDef links[2] = { rslDefaultLinkDef(), rslDefaultLinkDef() };
    links[0].type = rsl_tieLink;
    links[0].from = SideOf("b", (rslVec3){ 0, 0, 0.26 }, (rslVec3){ 0, 0, -1 });
    links[0].to = AllOf("a");
    links[0].damping = damping;
    links[1].type = rsl_springLink;
    links[1].from = SideOf("b", (rslVec3){ 0, 0, 0.44 }, (rslVec3){ 0, 0, 1 });
    links[1].to = SideOf("a", (rslVec3){ 0, 0, 0.06 }, (rslVec3){ 0, 0, -1 });
    links[1].stiffness = 2000.0;
    links[1].damping = damping;
    rslScene scene = SceneOf(bodies, 2);
    scene.links = links;
    scene.linkCount = 2;
    scene.ground = rslDefaultGroundDef();
    scene.touch.scheme = rsl_penaltyScheme;
    rslSolverDef def = SolverDef(integrator, 0.5 / steps);
    Run run = StartRun(&scene, def);
    Step(&run, steps / 3);
    assert_true(rslSolver_Energy(run.solver, run.state).ground > 0.5);
    Step(&run, steps - steps / 3);
    rslEnergy energy = rslSolver_Energy(run.solver, run.state);
    assert_true(energy.links > 1e-3);
    assert_true(damping == 0.0 || run.state->account.dissipated > 0.005 * run.state->account.input);
    double missing = energy.drift / run.state->account.input;
    EndRun(&run);
    return missing;
}

static void TestLinkedAccount(void** state)
{
    (void)state;
    for (int i = rsl_positionVerlet; i <= rsl_velocityVerlet; ++i)
    {
        double fine = MissingLinked((rslIntegrator)i, 8000, 0.0);
        double damped = MissingLinked((rslIntegrator)i, 8000, 5.0);
        if (Proving())
        {
            printf("linked account, integrator %d: missing %.2e undamped, %.2e damped\n", i, fine, damped);
        }
        assert_at_most(fabs(fine), 1e-5);
        assert_at_most(fabs(damped), i == rsl_velocityVerlet ? 1e-5 : 1e-3);
    }
}

// Jumps in time do not escape the account, wherever they fall in a step.
static void TestJumps(void** state)
{
    (void)state;
    for (int i = 0; i < rsl_static; ++i)
    {
        for (int shift = 0; shift < 5; ++shift)
        {
            Account a;
            MakeAccount(&a, LOADS | DRIVES | (shift % 2 ? NETWORK : 0));
            double step = 1e-4, start = (31.0 + 0.25 * shift) * step;
            a.scene.loadCount = 1;
            a.scene.gravity = still;
            a.body.spin = still;
            a.loads[0].course = PulseOf(start, 0.9 * step, false);
            a.loads[0].force = (rslVec3){ 2e4, 0.0, 1e4 };
            a.drive.course = PulseOf(start + 40.0 * step, 25.3 * step, false);
            Run run = StartRun(&a.scene, SolverDef((rslIntegrator)i, step));
            Step(&run, 320);
            rslEnergy energy = rslSolver_Energy(run.solver, run.state);
            bool firstOrder = i <= rsl_symplecticEuler;
            assert_close(energy.drift, 0.0, (firstOrder ? 0.05 : 2e-3) * run.state->account.input);
            EndRun(&run);
        }
    }
}

// ---- momentum -----------------------------------------------------------------------------------------------------------

static void TestMomentum(void** state)
{
    (void)state;
    const rslPrecision precisions[2] = { rsl_double, rsl_single };
    rslShapeDef box = BoxShape(0.5, 0.4, 0.3);
    for (int p = 0; p < 2; ++p)
    {
        for (int damped = 0; damped < 2; ++damped)
        {
            rslBodyDef body = LatticeBody("a", &box, 0.1);
            body.surface.enabled = false;
            body.material.stiffnessDamping = damped ? 1e-3 : 0.0;
            body.velocity = (rslVec3){ 3.0, 2.0, 1.0 };
            body.spin = (rslVec3){ 300.0, 200.0, -100.0 };
            rslScene scene = SceneOf(&body, 1);
            scene.gravity = still;
            rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
            def.precision = precisions[p];
            Run run = StartRun(&scene, def);
            Random random = MakeRandom(9);
            for (int i = 0; i < run.model->nodeCount; ++i)
            {
                SetNode(&run, i, rslAdd(WorldOf(run.model, i), NextVec3(&random, 2e-3)),
                        rslAdd(VelocityOf(&run, i), NextVec3(&random, 0.2)));
            }
            rslMotion start = rslSolver_Motion(run.solver, run.state, -1);
            Step(&run, 10000);
            rslMotion end = rslSolver_Motion(run.solver, run.state, -1);
            double bound = precisions[p] == rsl_double ? 1e-12 : 1e-6;
            double momentum = Distance(start.momentum, end.momentum) / rslLength(start.momentum);
            // about the centre of mass, which is elsewhere by now
            rslVec3 before = rslSub(start.angularMomentum, rslCross(start.centre, start.momentum));
            rslVec3 after = rslSub(end.angularMomentum, rslCross(end.centre, end.momentum));
            double angular = Distance(before, after) / rslLength(before);
            // the centre moves straight on
            double t = TimeOf(&run);
            rslVec3 centre = rslMulAdd(start.centre, t / start.mass, start.momentum);
            const char* name = p == 0 ? "double" : "single";
            char what[3][80];
            snprintf(what[0], sizeof what[0], "momentum after 10^4 steps, %s, relative", name);
            snprintf(what[1], sizeof what[1], "angular momentum after 10^4 steps, %s, relative", name);
            snprintf(what[2], sizeof what[2], "path of the centre of mass, %s, relative", name);
            assert_proved(what[0], momentum, bound);
            assert_proved(what[1], angular, 10.0 * bound);
            assert_proved(what[2], Distance(centre, end.centre) / rslLength(centre), bound);
            EndRun(&run);
        }
    }
}

// ---- no false alarm -----------------------------------------------------------------------------------------------------

// Damped: the motion is honest if it is not called diverged, by audits or by the host between them.
static void ExpectPeace(const rslScene* scene, rslIntegrator integrator, rslPrecision precision, int interval,
                        int steps)
{
    rslSolverDef def = SolverDef(integrator, RSL_AUTO);
    def.auditInterval = interval;
    def.precision = precision;
    Run run = StartRun(scene, def);
    for (int n = 0; n < steps; n += 5)
    {
        Step(&run, 5);
        assert_int_equal(rslSolver_Check(run.solver, run.state), rsl_ok);
    }
    EndRun(&run);
}

static void TestNoFalseAlarm(void** state)
{
    (void)state;
    for (int mix = 0; mix < 24; ++mix)
    {
        bool few = !Proving();
        rslIntegrator integrator = (rslIntegrator)(rsl_symplecticEuler + mix % 3);
        rslPrecision precision = mix / 3 % 2 ? rsl_single : rsl_double;
        int interval = mix / 6 % 2 ? 32 : 7;
        rslShapeDef box = BoxShape(0.3, 0.2, 0.2);
        rslBodyDef body = LatticeBody("a", &box, 0.1);
        body.surface.enabled = false;
        body.repulsion.type = mix % 4 == 0 || Proving() ? rsl_autoRepulsion : rsl_noRepulsion;
        body.material.stiffnessDamping = mix / 12 ? 1e-3 : 0.0;
        // at rest, with nothing at all
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = still;
        ExpectPeace(&scene, integrator, precision, interval, 200);
        // at rest far away
        box.translate = (rslVec3){ 1e4, -2e4, 3e3 };
        ExpectPeace(&scene, integrator, precision, interval, 200);
        box.translate = still;
        // a violent blow, shorter than a step, shorter than an interval, from the first step on
        rslLoadDef blow =
            ForceOn(SideOf("a", (rslVec3){ 0.14, 0, 0 }, (rslVec3){ 1, 0, 0 }), (rslVec3){ 2000.0, 1000.0, 0.0 });
        scene.loads = &blow;
        scene.loadCount = 1;
        double h = 0.7 * 2.0 / 400.0;
        const double starts[4] = { 0.0, 6.3 * h, 31.6 * h, 40.0 * h }, lengths[2] = { 0.4 * h, 5.0 * h };
        for (int c = few ? mix % 2 : 0; c < 8; c += few ? 2 : 1)
        {
            blow.course = PulseOf(starts[c % 4], lengths[c / 4], false);
            ExpectPeace(&scene, integrator, precision, interval, 150);
        }
        scene.loadCount = 0;
        // a muscle that twitches at once
        rslDriveDef drive = rslDefaultDriveDef();
        drive.nodes = AllOf("a");
        drive.strain = -0.05;
        scene.drives = &drive;
        scene.driveCount = 1;
        for (int c = few ? mix % 2 : 0; c < 8; c += few ? 2 : 1)
        {
            drive.course = PulseOf(starts[c % 4], 8.0 * lengths[c / 4], false);
            ExpectPeace(&scene, integrator, precision, interval, 150);
        }
        drive.course = rslDefaultCourseDef();
        ExpectPeace(&scene, integrator, precision, interval, 150);
        scene.driveCount = 0;
        // nodes that jump
        rslConstraintDef motion = rslDefaultConstraintDef();
        motion.type = rsl_motionConstraint;
        motion.nodes = SideOf("a", (rslVec3){ 0.14, 0, 0 }, (rslVec3){ 1, 0, 0 });
        motion.move.translate = (rslVec3){ 0.02, 0.0, 0.01 };
        scene.constraints = &motion;
        scene.constraintCount = 1;
        for (int c = 0; c < 5; ++c)
        {
            motion.move.course = c < 4 ? PulseOf(starts[c], 60.0 * h, false) : rslDefaultCourseDef();
            ExpectPeace(&scene, integrator, precision, interval, 150);
        }
        scene.constraintCount = 0;
        // a fall under strong gravity, onto the ground and up again; what would turn inside out there, under less
        scene.gravity = (rslVec3){ 0, 0, body.repulsion.type == rsl_noRepulsion ? -20.0 : -100.0 };
        ExpectPeace(&scene, integrator, precision, interval, 200);
        scene.ground = rslDefaultGroundDef();
        scene.ground.point = (rslVec3){ 0, 0, -0.2 };
        ExpectPeace(&scene, integrator, precision, interval, 300);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestAccount),  cmocka_unit_test(TestLinkedAccount), cmocka_unit_test(TestJumps),
        cmocka_unit_test(TestMomentum), cmocka_unit_test(TestNoFalseAlarm),
    };
    return cmocka_run_group_tests_name("energy", tests, NULL, NULL);
}
