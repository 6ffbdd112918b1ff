// SPDX-License-Identifier: MIT
//
// test_modes_search.c: how the search for natural frequencies behaves: scales, bits, memory, wrong input, iterations.

#include "modes_fixture.h"

// ---- the search -----------------------------------------------------------------------------------------------------

// f goes with sqrt(E / rho) / size, over sizes and materials, and the search is the same.
static void ScaleDoesNotMatter(void** unused)
{
    (void)unused;
    static const double scales[][2] = { { 1.0, 1e5 }, { 1e-3, 1e5 }, { 1e3, 1e5 }, { 1.0, 1.0 }, { 1.0, 1e12 } };
    double first[3] = { 0 };
    int iterations = 0;
    for (int k = 0; k < 5; ++k)
    {
        rslShapeDef shape;
        rslBodyDef body;
        rslConstraintDef pin;
        rslScene scene = Beam(&shape, &body, &pin, scales[k][0], 0.25);
        body.material.young = scales[k][1];
        scene.constraintCount = 0;
        rslModes* modes = ModesOfScene(&scene, 3, 1e-6);
        assert_int_equal(modes->zeroCount, 6);
        for (int c = 0; c < 3; ++c)
        {
            double f = modes->frequency[c] * scales[k][0] / sqrt(scales[k][1]);
            first[c] = k == 0 ? f : first[c];
            assert_close(f, first[c], 1e-8 * first[c]);
        }
        iterations = k == 0 ? modes->iterations : iterations;
        assert_true(abs(modes->iterations - iterations) <= 1);
        rslModes_Free(modes);
    }
}

static void ThreadsDoNotChangeABit(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    rslBodyDef body = LatticeBody("body", &shape, 0.4 / 22.0);
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    rslModes* first = NULL;
    for (int threads = 1; threads <= 3; ++threads)
    {
        rslModesDef def = rslDefaultModesDef();
        rslModes* modes = NULL;
        def.count = 3;
        def.threads = threads;
        assert_int_equal(rslModes_Find(model, state, &def, NULL, &modes, NULL), rsl_ok);
        if (first != NULL)
        {
            size_t numbers = 3 * 3 * (size_t)model->nodeCount;
            assert_int_equal(modes->iterations, first->iterations);
            assert_memory_equal(modes->frequency, first->frequency, 3 * sizeof(double));
            assert_memory_equal(modes->shapes, first->shapes, numbers * sizeof(double));
            rslModes_Free(modes);
        }
        first = first != NULL ? first : modes;
    }
    rslModes_Free(first);
    rslState_Free(state);
    rslModel_Free(model);
}

static void EveryAllocationMayFail(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.5, 0.3, 0.3);
    rslBodyDef body = LatticeBody("body", &shape, 0.1);
    static const double square[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0 }, mass = 1.0, stiffness = 10.0;
    static const int sides[] = { 0, 1, 1, 2, 2, 3, 0, 3 };
    rslBodyDef frame = NetworkBody("frame", square, 4, &mass, sides, 4, &stiffness), *bodies[2] = { &body, &frame };
    for (int b = 0; b < 2; ++b)
    {
        rslScene scene = SceneOf(bodies[b], 1);
        FailEveryAllocationOfModes(&scene, rslDefaultModesDef());
    }
}

static void WrongInputIsRefused(void** unused)
{
    (void)unused;
    rslShapeDef shape;
    rslBodyDef body;
    rslConstraintDef pin;
    rslScene scene = Beam(&shape, &body, &pin, 1.0, 0.25);
    rslModel* model = Built(&scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    static const struct
    {
        int count, iterations, threads;
        double tolerance;
        const char* part;
    } wrong[] = {
        { 0, 9, 1, 1e-3, "number of modes" },  { 101, 9, 1, 1e-3, "number of modes" }, { 5, 0, 1, 1e-3, "iterations" },
        { 5, 9, -1, 1e-3, "threads" },         { 5, 9, 1, 0.0, "tolerance" },          { 5, 9, 1, 0.5, "tolerance" },
        { 5, 9, 1, (double)NAN, "tolerance" },
    };
    rslModes* modes = NULL;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
    {
        rslReport report = { 0 };
        rslModesDef def = rslDefaultModesDef();
        def.count = wrong[k].count;
        def.iterations = wrong[k].iterations;
        def.threads = wrong[k].threads;
        def.tolerance = wrong[k].tolerance;
        assert_int_equal(rslModes_Find(model, state, &def, NULL, &modes, &report), rsl_badInput);
        assert_true(HasMessage(&report, rsl_error, (rslPlace){ 0 }, wrong[k].part));
        assert_null(modes);
    }
    // too few iterations: what there is comes with its residuals
    rslReport report = { 0 };
    rslModesDef def = rslDefaultModesDef();
    def.iterations = 1;
    assert_int_equal(rslModes_Find(model, state, &def, NULL, &modes, &report), rsl_notConverged);
    assert_true(HasMessage(&report, rsl_warning, (rslPlace){ 0 }, "not converged in 1 iteration"));
    assert_true(modes->count == 10 && modes->residual[9] > 1e-3);
    rslModes_Free(modes);
    // a state of another model, and one that is not finite
    body.material.density = 900.0;
    rslModel* other = Built(&scene, NULL);
    assert_int_equal(rslModes_Find(other, state, &def, NULL, &modes, NULL), rsl_mismatch);
    ((double*)state->displacement[1])[7] = NAN;
    assert_int_equal(rslModes_Find(model, state, &def, NULL, &modes, &report), rsl_badInput);
    rslState_Free(state);
    rslModel_Free(other);
    rslModel_Free(model);
}

// ---- how many iterations --------------------------------------------------------------------------------------------

static void ProveIterations(const char* what, const rslScene* scene, int zeros)
{
    rslModel* model = Built(scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    rslModes* modes = ModesOf(model, state, 10, 1e-3);
    char text[120];
    snprintf(text, sizeof text, "ten modes of a %s, %d nodes: iterations to 1e-3", what, model->nodeCount);
    assert_int_equal(modes->zeroCount, zeros);
    assert_proved(text, modes->iterations, 20);
    rslModes_Free(modes);
    rslState_Free(state);
    rslModel_Free(model);
}

// Ten modes to 1e-3: 1e5 nodes in the full form, some thousands otherwise.
static void IterationsDoNotGrow(void** unused)
{
    (void)unused;
    rslShapeDef shape;
    rslBodyDef body;
    rslConstraintDef pin;
    rslScene scene = Beam(&shape, &body, &pin, 1.0, Proving() ? 1.0 / 30 : 0.1 * Coarser());
    ProveIterations("clamped box", &scene, 0);
    scene.constraintCount = 0;
    ProveIterations("free box", &scene, 6);

    shape = rslDefaultShapeDef();
    shape.type = rsl_rabbitShape;
    shape.height = 1.0;
    body = LatticeBody("rabbit", &shape, Proving() ? 0.0099 : 0.03 * Coarser());
    pin = PinOf(SideOf("rabbit", (rslVec3){ 0, 0, 0.04 }, (rslVec3){ 0, 0, -1 }));
    scene = SceneOf(&body, 1);
    ProveIterations("free rabbit", &scene, 6);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    ProveIterations("clamped rabbit", &scene, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ScaleDoesNotMatter),     cmocka_unit_test(ThreadsDoNotChangeABit),
        cmocka_unit_test(EveryAllocationMayFail), cmocka_unit_test(WrongInputIsRefused),
        cmocka_unit_test(IterationsDoNotGrow),
    };
    return cmocka_run_group_tests_name("modes_search", tests, NULL, NULL);
}
