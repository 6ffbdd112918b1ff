// SPDX-License-Identifier: MIT
//
// Cooper & Maddock's limb: standard elements collapse near 47 degrees, edge repulsion keeps every area positive.
// Reference figures come from a program of its own, written apart from this one.

#include "support.h"

#include "../cli/area_ratio.h"
#include "resilin/io.h"

typedef struct Limb
{
    rslScene scene;
    rslModel* model;
    rslState* state;
    rslSolver* solver;
} Limb;

// Bent by the given angle [deg] at 10 degrees a second; repels, or standard.
static Limb MakeLimb(const char* name, bool repels, double angle)
{
    char path[1024], degrees[32], seconds[32];
    const char* root = getenv("RSL_ROOT");
    snprintf(path, sizeof path, "%s/scenes/reproduce/%s", root != NULL ? root : ".", name);
    snprintf(degrees, sizeof degrees, "%.17g", angle);
    snprintf(seconds, sizeof seconds, "%.17g", angle / 10.0);
    const rslOverride overrides[] = { { "constraints.1.rotate.angle", degrees },
                                      { "constraints.1.course.duration", seconds },
                                      { "bodies.limb.repulsion", "none" } };
    Limb limb = { 0 };
    rslReport report = { 0 };
    rslStatus status = rslScene_Read(path, overrides, repels ? 2 : 3, NULL, &limb.scene, &report);
    PrintReport(&report);
    assert_int_equal(status, rsl_ok);
    limb.model = Built(&limb.scene, NULL);
    rslSolverDef def = rslSolverDef_FromScene(&limb.scene);
    def.threads = 1;
    limb.solver = SolverOf(limb.model, &def);
    limb.state = StateOf(limb.model, rsl_double);
    return limb;
}

static void FreeLimb(Limb* limb)
{
    rslState_Free(limb->state);
    rslSolver_Free(limb->solver);
    rslModel_Free(limb->model);
    rslScene_Free(&limb->scene);
}

// Step on to an angle; the least area ratio met on the way, looked at after every so many steps.
static double Bend(Limb* limb, double angle, int each)
{
    double least = cliAreaRatio_Least(limb->model, limb->state, 0, NULL);
    int64_t until = llround(angle / 10.0 / 0.002);
    while ((int64_t)limb->state->stepCount < until)
    {
        int64_t left = until - (int64_t)limb->state->stepCount;
        assert_int_equal(rslSolver_Step(limb->solver, limb->state, left < each ? left : each), rsl_ok);
        least = fmin(least, cliAreaRatio_Least(limb->model, limb->state, 0, NULL));
    }
    return least;
}

// The angle at which the first triangle turns inside out, to 0.02 degrees.
static double Collapse(const char* name)
{
    Limb limb = MakeLimb(name, false, 60.0);
    double angle = 0.0;
    while (Bend(&limb, angle, 1) > 0.0 && angle < 60.0)
    {
        angle += 0.02;
    }
    FreeLimb(&limb);
    return angle;
}

// |angle - 47| at most 3: from 44 to 50 degrees.
static void TestStandard(void** unused)
{
    (void)unused;
    double angle = Collapse("cooper-fig-13-14.yaml");
    assert_proved("limb, standard elements: collapse, degrees off 47", fabs(angle - 47.0), 3.0);
    assert_close(angle, 46.92, 0.05);
    if (Proving())
    {
        angle = Collapse("cooper-fig-13-14-fine.yaml");
        assert_proved("fine limb, standard elements: collapse, degrees off 47", fabs(angle - 47.0), 3.0);
        assert_close(angle, 47.98, 0.05);
    }
}

// Least area ratios against a table, then on to 150 degrees with every area positive.
static void Hold(const char* name, const double expected[3], double bar, double most)
{
    static const double angles[3] = { 45.0, 75.0, 110.0 };
    Limb limb = MakeLimb(name, true, 150.0);
    char what[120];
    double least = 1.0, worst = 0.0, ratio = 1.0;
    for (int i = 0; i < 3; ++i)
    {
        least = fmin(least, Bend(&limb, angles[i], 5));
        ratio = cliAreaRatio_Least(limb.model, limb.state, 0, NULL);
        worst = Worse(worst, fabs(ratio - expected[i]));
    }
    snprintf(what, sizeof what, "%s: area ratios with edge repulsion against the table", name);
    assert_proved(what, worst, bar);
    assert_true(least > 0.0);
    least = most > 110.0 ? fmin(least, Bend(&limb, most, 5)) : least;
    snprintf(what, sizeof what, "%s: minus the least area ratio to %g degrees", name, most);
    assert_proved(what, -least, 0.0);
    FreeLimb(&limb);
}

static void TestRepulsion(void** unused)
{
    (void)unused;
    const double coarse[3] = { 0.778, 0.551, 0.225 }, fine[3] = { 0.726, 0.315, 0.075 };
    Hold("cooper-fig-13-14.yaml", coarse, 0.002, Proving() ? 150.0 : 110.0);
    if (Proving())
    {
        Hold("cooper-fig-13-14-fine.yaml", fine, 0.002, 150.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestStandard), cmocka_unit_test(TestRepulsion) };
    return cmocka_run_group_tests_name("limb", tests, NULL, NULL);
}
