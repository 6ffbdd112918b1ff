// SPDX-License-Identifier: MIT
//
// test_hard_volume.c: volumes that do not change: kept to rounding, with momentum and energy, whatever moves.

#include "term_bench.h"

// ---- the hard constraint --------------------------------------------------------------------------------------------

typedef struct Flight
{
    double volume, momentum, spin, drift, moved;
    uint64_t hash;
} Flight;

// A body that wobbles and turns, held nowhere or with one pole moved.
static Flight Fly(rslIntegrator integrator, rslPrecision precision, double step, double duration, int threads,
                  bool held)
{
    Hull hull = RoundHull(16, 16, (rslVec3){ 1.0, 1.4, 0.8 }, false);
    double mass = 1.0 / hull.vertexCount, stiffness = 20.0, damping = 0.0;
    rslBodyDef body = HullBody("egg", &hull, &mass, &stiffness, &damping);
    body.volume = Volume(rsl_hardVolume, 0.0);
    body.velocity = (rslVec3){ 0.1, 0.2, -0.3 };
    body.spin = (rslVec3){ 60.0, 100.0, 30.0 };
    rslConstraintDef hold = rslDefaultConstraintDef();
    hold.type = rsl_motionConstraint;
    hold.nodes = rslDefaultNodeSetDef();
    hold.nodes.type = rsl_planeNodes;
    hold.nodes.point = (rslVec3){ 0.0, 1.2, 0.0 };
    hold.nodes.normal = (rslVec3){ 0.0, 1.0, 0.0 };
    hold.move.translate = (rslVec3){ 0.0, -0.5, 0.0 };
    hold.move.course.type = rsl_rampCourse;
    hold.move.course.duration = duration;
    hold.move.course.smooth = true;
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    scene.constraints = &hold;
    scene.constraintCount = held ? 1 : 0;
    rslModel* model = Built(&scene, NULL);
    rslSolverDef def = rslDefaultSolverDef();
    def.integrator = integrator;
    def.precision = precision;
    def.step = step;
    def.threads = threads;
    rslSolver* solver = SolverOf(model, &def);
    rslState* state = StateOf(model, precision);
    Flight out = { 0 };
    assert_int_equal(rslSolver_Step(solver, state, 1), rsl_ok);
    rslMotion first = rslSolver_Motion(solver, state, 0);
    for (int s = 0; s < 20; ++s)
    {
        assert_int_equal(rslSolver_Step(solver, state, (int64_t)floor(duration / step / 20 + 0.5)), rsl_ok);
        rslMotion motion = rslSolver_Motion(solver, state, 0);
        out.volume = Worse(out.volume, fabs(motion.volume / model->bodies[0].enclosed.volume - 1.0));
        out.momentum = Worse(out.momentum, rslLength(rslSub(motion.momentum, first.momentum)));
        out.spin = Worse(out.spin, rslLength(rslSub(motion.angularMomentum, first.angularMomentum)));
        out.drift =
            Worse(out.drift, fabs(rslSolver_Energy(solver, state).drift) / rslSolver_Energy(solver, state).kinetic);
    }
    out.moved = state->account.motion;
    out.hash = rslState_Hash(state);
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
    FreeHull(&hull);
    return out;
}

static void Hard(void** unused)
{
    (void)unused;
    static const rslIntegrator integrators[3] = { rsl_symplecticEuler, rsl_positionVerlet, rsl_velocityVerlet };
    for (int i = 0; i < 3; ++i)
    {
        double duration = Proving() ? 20.0 : Sanitized() ? 0.1 : 0.6;
        Flight coarse = Fly(integrators[i], rsl_double, 4e-3, duration, 1, false);
        Flight fine = Fly(integrators[i], rsl_double, 2e-3, duration, 1, false);
        assert_proved("volume, hard, free flight", coarse.volume, 1e-12);
        assert_proved("volume, hard, momentum", coarse.momentum, 1e-12);
        assert_proved("volume, hard, angular momentum", coarse.spin, 1e-12);
        // energy wavers with the square of the step, for Euler with the step, and is not lost
        double order = coarse.drift / fine.drift;
        assert_proved("volume, hard, energy over the kinetic one", coarse.drift, i == 0 ? 2e-2 : 1e-3);
        assert_true(Sanitized() || order > (i == 0 ? 1.5 : 3.0));
        Flight held = Fly(integrators[i], rsl_double, 2e-3, 1.0, 1, true);
        assert_at_most(held.volume, 1e-12);
        assert_at_most(held.drift, i == 0 ? 2e-1 : 2e-2);
    }
    Flight narrow = Fly(rsl_positionVerlet, rsl_single, 2e-3, 0.2, 1, false);
    assert_at_most(narrow.volume, 2e-6);
    uint64_t hash = Fly(rsl_positionVerlet, rsl_double, 2e-3, 0.1, 1, true).hash;
    assert_true(hash == Fly(rsl_positionVerlet, rsl_double, 2e-3, 0.1, 3, true).hash);
}

// What impacts lose to the constraint is heat: the account of a ball that bounces closes, whatever the restitution.
static void HardLands(void** unused)
{
    (void)unused;
    Hull hull = RoundHull(10, 9, (rslVec3){ 1.0, 1.0, 1.0 }, false);
    double mass = 1.0 / hull.vertexCount, stiffness = 60.0, damping = 0.01;
    rslBodyDef body = HullBody("ball", &hull, &mass, &stiffness, &damping);
    body.volume = Volume(rsl_hardVolume, 0.0);
    body.velocity = (rslVec3){ 0.5, 0.0, -2.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.ground = rslDefaultGroundDef();
    scene.ground.point = (rslVec3){ 0.0, 0.0, -1.1 };
    scene.ground.friction = 0.3;
    for (int e = 0; e <= 2; ++e)
    {
        scene.ground.restitution = 0.5 * e;
        rslModel* model = Built(&scene, NULL);
        rslSolverDef def = rslDefaultSolverDef();
        def.fraction = 0.35;  // energies of Verlet's steps waver by the square of it
        rslSolver* solver = SolverOf(model, &def);
        rslState* state = StateOf(model, def.precision);
        double start = rslSolver_Energy(solver, state).kinetic;
        assert_int_equal(rslSolver_Step(solver, state, 1), rsl_ok);
        int64_t steps = (int64_t)((Proving() ? 3.0 : 1.0) / state->step);
        assert_int_equal(rslSolver_Step(solver, state, steps), rsl_ok);
        double drift = rslSolver_Energy(solver, state).drift;
        assert_proved("volume, hard, landing: account", fabs(drift) / start, 5e-3);
        assert_true(state->account.dissipated > 0.1 * start);
        assert_at_most(fabs(rslSolver_Motion(solver, state, 0).volume / model->bodies[0].enclosed.volume - 1.0), 1e-12);
        rslState_Free(state);
        rslSolver_Free(solver);
        rslModel_Free(model);
    }
    FreeHull(&hull);
}

// Without springs that keep its vertices away from its centre, and with nothing else that acts between kicks.
static void HardAlone(void** context)
{
    (void)context;
    Hull hull = RoundHull(16, 16, (rslVec3){ 1.0, 1.4, 0.8 }, false);
    double mass = 1.0 / hull.vertexCount, stiffness = 20.0, damping = 0.0;
    rslBodyDef body = HullBody("egg", &hull, &mass, &stiffness, &damping);
    body.volume = Volume(rsl_hardVolume, 0.0);
    body.volume.radial = 0.0;
    body.spin = (rslVec3){ 60.0, 100.0, 30.0 };
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    rslSolverDef def = rslDefaultSolverDef();
    rslSolver* solver = SolverOf(model, &def);
    rslState* state = StateOf(model, def.precision);
    for (int s = 0; s < 20; ++s)
    {
        assert_int_equal(rslSolver_Step(solver, state, 40), rsl_ok);
        double volume = rslSolver_Motion(solver, state, 0).volume;
        assert_true(fabs(volume / model->bodies[0].enclosed.volume - 1.0) <= 1e-5);
    }
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
    FreeHull(&hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Hard),
        cmocka_unit_test(HardLands),
        cmocka_unit_test(HardAlone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
