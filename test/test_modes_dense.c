// SPDX-License-Identifier: MIT
//
// test_modes_dense.c: natural frequencies against dense solutions of small models.

#include "modes_fixture.h"

#include "core_scenes.h"
#include "dense.h"

// ---- dense solutions ------------------------------------------------------------------------------------------------

// Every mode that is found is one of the dense solution, none is left out, and the others are zero.
static void CompareWithDense(const char* name, const rslModel* model, const rslState* state, int count)
{
    Dense dense = SolveDense(model, state);
    rslModes* modes = ModesOf(model, state, count, 1e-5);
    double top = dense.square[dense.size - 1], least = 1e-10 * top;
    int zeros = 0, at = 0;
    for (int d = 0; d < dense.size; ++d)
    {
        bool zero = fabs(dense.square[d]) <= least;
        zeros += zero;
        if (!zero && at < modes->count)
        {
            double f = modes->frequency[at++], square = 4.0 * PI * PI * f * fabs(f);
            if (!Near(square, dense.square[d], 1e-7 * fabs(dense.square[d]) + 1e-14 * top))
            {
                print_error("%s: mode %d: w^2 %.12g, dense %.12g\n", name, at - 1, square, dense.square[d]);
                fail();
            }
        }
    }
    if (modes->zeroCount != zeros || at != modes->count ||
        modes->count < (count < dense.size - zeros ? count : dense.size - zeros))
    {
        print_error("%s: %d zero modes, dense %d; %d modes\n", name, modes->zeroCount, zeros, modes->count);
        fail();
    }
    CheckOrthonormal(model, modes);
    rslModes_Free(modes);
    free(dense.square);
}

static void SmallModelsAgreeWithDenseSolutions(void** unused)
{
    (void)unused;
    for (int s = 0; s < CORE_SCENES; ++s)
    {
        rslModel* model = NULL;
        double fine = Proving() ? 1.0 : 0.55 / Coarser();
        if (coreScenes[s].build(fine, NULL, &model, NULL) != rsl_ok)
        {
            // too coarse for a random network
            assert_int_equal(coreScenes[s].build(0.7, NULL, &model, NULL), rsl_ok);
        }
        rslState* state = StateOf(model, rsl_double);
        if (rslModel_WithoutEnergy(model) == NULL && model->rigidCount == 0)
        {
            CompareWithDense(coreScenes[s].name, model, state, 10);
        }
        rslState_Free(state);
        rslModel_Free(model);
    }
}

// A lattice of shells A and C has modes as soft as its first among those that look like noise; a random network, nothing but.
static void OtherNetworksAgreeWithDenseSolutions(void** unused)
{
    (void)unused;
    rslShapeDef shape = Coarser() > 1.0 ? BoxShape(0.4, 0.3, 0.2) : BoxShape(0.5, 0.4, 0.3);
    rslBodyDef lattice = LatticeBody("AC", &shape, 0.1), random = lattice, *bodies[2] = { &lattice, &random };
    lattice.network.shells = rsl_shellsAC;
    random.name = "random";
    random.network = rslDefaultNetworkDef();
    random.network.type = rsl_randomNetwork;
    random.network.minLength = 0.09;
    random.network.maxLength = 0.19;
    for (int b = 0; b < 2; ++b)
    {
        rslScene scene = SceneOf(bodies[b], 1);
        rslModel* model = Built(&scene, NULL);
        rslState* state = StateOf(model, rsl_double);
        CompareWithDense(bodies[b]->name, model, state, 15);
        rslState_Free(state);
        rslModel_Free(model);
    }
}

// The stiffest modes are a billion times as stiff as the first: the search must not lose itself in rounding.
static void HardlyCompressibleAgreesWithDenseSolution(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(1.0 / Coarser(), 0.2, 0.2);
    rslBodyDef bar = LatticeBody("bar", &shape, 0.1);
    bar.network.type = rsl_tetrahedraNetwork;
    bar.material.poisson = 0.4999;
    bar.model.type = rsl_finiteModel;
    rslConstraintDef pin = PinOf(SideOf("bar", (rslVec3){ -0.499 / Coarser(), 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 }));
    rslScene scene = SceneOf(&bar, 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    rslModel* model = Built(&scene, NULL);
    rslState* state = StateOf(model, rsl_double);
    CompareWithDense("nu 0.4999", model, state, 10);
    rslState_Free(state);
    rslModel_Free(model);
}

// ---- runs -----------------------------------------------------------------------------------------------------------

// A state of single precision has the modes of the same state in double; hanging and stretched by gravity, not those at rest.
static void StateMatters(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.1, 0.1, 0.4);
    rslBodyDef body = LatticeBody("rod", &shape, 0.05);
    body.material.young = 2e4;
    rslConstraintDef pin = PinOf(SideOf("rod", (rslVec3){ 0, 0, 0.19 }, (rslVec3){ 0, 0, 1 }));
    rslScene scene = SceneOf(&body, 1);
    scene.constraints = &pin;
    scene.constraintCount = 1;
    Run run = StartRun(&scene, SolverDef(rsl_static, 1.0));
    rslState* single = StateOf(run.model, rsl_single);
    rslModes *rest = ModesOf(run.model, run.state, 3, 1e-6), *same = ModesOf(run.model, single, 3, 1e-6);
    Step(&run, 1);
    rslModes* hanging = ModesOf(run.model, run.state, 3, 1e-6);
    CompareWithDense("hanging rod", run.model, run.state, 6);
    for (int c = 0; c < 3; ++c)
    {
        assert_close(same->frequency[c], rest->frequency[c], 0.0);
    }
    // a pendulum stiffens: w^2 grows by about 1.6 g / L
    double more =
        4.0 * PI * PI * (hanging->frequency[0] * hanging->frequency[0] - rest->frequency[0] * rest->frequency[0]);
    assert_close(more, 1.6 * 9.81 / 0.4, 0.3 * 1.6 * 9.81 / 0.4);
    rslModes_Free(rest);
    rslModes_Free(same);
    rslModes_Free(hanging);
    rslState_Free(single);
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SmallModelsAgreeWithDenseSolutions),
        cmocka_unit_test(OtherNetworksAgreeWithDenseSolutions),
        cmocka_unit_test(HardlyCompressibleAgreesWithDenseSolution),
        cmocka_unit_test(StateMatters),
    };
    return cmocka_run_group_tests_name("modes_dense", tests, NULL, NULL);
}
