// SPDX-License-Identifier: MIT
//
// test_rigid_stop.c: what stops rigid bodies: how stiff the ground and contacts are by themselves, and the stable step.

#include "physics_fixture.h"

// Without moduli.
static rslBodyDef PlainBody(const char* name, const rslShapeDef* shape, double spacing)
{
    rslBodyDef body = RigidBody(name, shape, spacing);
    body.material.young = RSL_AUTO;
    body.material.poisson = RSL_AUTO;
    return body;
}

// With all nodes on the ground a box moves up and down with n k / M, and rocks with k sum y^2 / J: in closed form, for any mesh.
static void TestStableStep(void** unused)
{
    (void)unused;
    double worst = 0.0;
    for (int i = 0; i < 6; ++i)
    {
        const double size[2] = { i % 2 == 0 ? 0.1 : 0.2, 0.1 }, k = 1000.0;
        rslShapeDef shape = BoxShape(size[0], size[1], 0.1);
        shape.translate.z = 0.3;
        rslBodyDef body = PlainBody("box", &shape, i < 2 ? 0.1 : i < 4 ? 0.05 : 0.025);
        rslScene scene = SceneOf(&body, 1);
        scene.touch.scheme = rsl_penaltyScheme;
        scene.ground = rslDefaultGroundDef();
        scene.ground.stiffness = k;
        rslSolverDef def = SolverDef(rsl_positionVerlet, RSL_AUTO);
        Run run = StartRun(&scene, def);
        double mass = run.model->rigids[0].mass, square = run.model->nodeCount * k / mass, sum[2] = { 0.0, 0.0 };
        for (int n = 0; n < run.model->nodeCount; ++n)
        {
            rslVec3 x = PositionOf(&run, n);
            sum[0] += x.x * x.x;
            sum[1] += x.y * x.y;
        }
        for (int axis = 0; axis < 2; ++axis)
        {
            square = fmax(square, k * sum[axis] / (mass * (size[axis] * size[axis] + 0.01) / 12.0));
        }
        worst = Worse(worst, fabs(rslSolver_Stability(run.solver).stableStep * sqrt(square) / 2.0 - 1.0));
        EndRun(&run);
    }
    assert_proved("rigid boxes on the ground: stable step against 2 / w", worst, 1e-6);
}

// How deep the lowest node is.
static double DepthOf(const Run* run)
{
    double lowest = INFINITY;
    for (int i = 0; i < run->model->nodeCount; ++i)
    {
        lowest = fmin(lowest, PositionOf(run, i).z);
    }
    return -lowest;
}

// Dropped by its own size on an edge, a face or a corner, a body of nothing but a density is stopped within a twentieth of it;
// E is of no consequence. It stands on a face of n nodes by L/(800 n).
static void TestGround(void** unused)
{
    (void)unused;
    double worst = 0.0, step = INFINITY, stands = 0.0;
    for (int i = 0; i < 8; ++i)
    {
        const double size = i % 2 == 0 ? 0.1 : 2.0;
        rslShapeDef shape = BoxShape(size, 1.3 * size, 1.1 * size);
        const double angle = i / 2 == 1 ? 45.0 : i / 2 == 2 ? 54.7 : 0.0;
        shape.rotate = (rslRotationDef){ { 1.0, i / 2 == 2 ? -1.0 : 0.0, 0.0 }, angle };
        rslBodyDef body = PlainBody("box", &shape, 0.5 * size);
        body.material.young = i / 2 == 3 ? 2e11 : RSL_AUTO;
        body.material.density = 7800.0;
        rslScene scene = SceneOf(&body, 1);
        scene.touch.scheme = rsl_penaltyScheme;
        scene.ground = rslDefaultGroundDef();
        rslModel* model = Built(&scene, NULL);
        Run at = { .model = model, .state = StateOf(model, rsl_double) };
        shape.translate.z = size + DepthOf(&at);
        rslState_Free(at.state);
        rslModel_Free(model);
        Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
        double deepest = -INFINITY, fall = sqrt(2.0 * size / 9.81);
        step = fmin(step, rslSolver_Stability(run.solver).step / fall);
        while (TimeOf(&run) < 1.3 * fall)
        {
            Step(&run, 1);
            deepest = fmax(deepest, DepthOf(&run));
        }
        worst = Worse(worst, deepest / size);
        stands = Worse(
            stands, i / 2 == 0 ? 9.81 * run.model->rigids[0].mass / run.model->colliders[0].stiffness[0] / size : 0.0);
        EndRun(&run);
    }
    assert_proved("rigid boxes dropped by their size: deepest over size", worst, 0.051);
    assert_proved("rigid boxes: how deep one node carries them, over size", stands, 1.0 / 799.0);
    assert_true(step > 1e-3);  // of the time that they fall
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestStableStep),
        cmocka_unit_test(TestGround),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
