// SPDX-License-Identifier: MIT
//
// Rest by a direct solver: the same as by conjugate gradients, in fewer iterations; a clear word where there is none.

#include "physics_fixture.h"

#include "resilin/io.h"

#include "solver_internal.h"
#include "static.h"

// A block of a random network below, tied to a lattice; held at one side, its other side without z, on the ground.
typedef struct Scenario
{
    rslShapeDef shapes[2];
    rslBodyDef bodies[2];
    rslConstraintDef pins[2];
    rslLinkDef tie;
    rslScene scene;
} Scenario;

static void MakeScenario(Scenario* s)
{
    s->shapes[0] = BoxShape(1.0, 0.4, 0.3);
    s->shapes[1] = BoxShape(0.6, 0.4, 0.2);
    s->shapes[1].translate = (rslVec3){ 0, 0, 0.25 };
    s->bodies[0] = LatticeBody("lower", &s->shapes[0], 0.1);
    s->bodies[0].network = rslDefaultNetworkDef();
    s->bodies[0].network.type = rsl_randomNetwork;
    s->bodies[0].network.minLength = 0.06;
    s->bodies[0].network.maxLength = 0.12;
    s->bodies[0].surface.enabled = false;
    s->bodies[1] = LatticeBody("upper", &s->shapes[1], 0.05);
    s->pins[0] = PinOf(SideOf("lower", (rslVec3){ -0.4, 0, 0 }, (rslVec3){ -1, 0, 0 }));
    s->pins[1] = PinOf(SideOf("lower", (rslVec3){ 0.4, 0, 0 }, (rslVec3){ 1, 0, 0 }));
    s->pins[1].axes[2] = false;
    s->tie = rslDefaultLinkDef();
    s->tie.type = rsl_tieLink;
    s->tie.from = SideOf("upper", (rslVec3){ 0, 0, 0.16 }, (rslVec3){ 0, 0, -1 });
    s->tie.to.body = "lower";
    s->tie.reach = 0.2;
    s->scene = SceneOf(s->bodies, 2);
    s->scene.constraints = s->pins;
    s->scene.constraintCount = 2;
    s->scene.links = &s->tie;
    s->scene.linkCount = 1;
    s->scene.ground = rslDefaultGroundDef();
    s->scene.ground.point = (rslVec3){ 0, 0, -0.14 };
    s->scene.touch.scheme = rsl_penaltyScheme;
}

static void Compare(const Run* a, const Run* b, double* largest, double* error)
{
    for (int i = 0; i < a->model->nodeCount; ++i)
    {
        *largest = fmax(*largest, Distance(PositionOf(a, i), WorldOf(a->model, i)));
        *error = fmax(*error, Distance(PositionOf(a, i), PositionOf(b, i)));
    }
}

static void SameAsConjugateGradients(void** unused)
{
    (void)unused;
    if (rslCholmod_Direct() == NULL)
    {
        skip();
    }
    Scenario s;
    MakeScenario(&s);
    rslSolverDef def = SolverDef(rsl_static, 1.0);
    def.tolerance = 1e-11;
    Run cg = StartRun(&s.scene, def);
    def.solver = rsl_cholmodSolver;
    def.direct = rslCholmod_Direct();
    Run direct = StartRun(&s.scene, def);
    Step(&cg, 1);
    Step(&direct, 1);
    double largest = 0.0, error = 0.0;
    Compare(&cg, &direct, &largest, &error);
    assert_true(largest > 1e-4);
    assert_proved("CHOLMOD against CG: largest difference of positions over the largest displacement", error / largest,
                  1e-9);
    assert_string_equal(rslSolver_Rest(direct.solver).preconditioner, "cholmod");
    assert_true(rslSolver_Rest(direct.solver).iterations < rslSolver_Rest(cg.solver).iterations);
    EndRun(&direct);
    EndRun(&cg);
}

// At the state before, the factors are those of K: one iteration, two where rounding asks for it.
static void OneIteration(void** unused)
{
    (void)unused;
    if (rslCholmod_Direct() == NULL)
    {
        skip();
    }
    Scenario s;
    MakeScenario(&s);
    rslSolverDef def = SolverDef(rsl_static, 1.0);
    def.solver = rsl_cholmodSolver;
    def.direct = rslCholmod_Direct();
    Run run = StartRun(&s.scene, def);
    int iterations = rslStatic_SolveLinear(run.solver->rest, run.state, 1e-8);
    assert_true(iterations == 1 || iterations == 2);
    EndRun(&run);
}

typedef struct Elements
{
    const char* name;
    rslModelType model;
    rslElementLaw law;
    bool tetrahedra;
    double poisson;
} Elements;

// Finite elements and bricks, bent far: the same rest either way, in fewer iterations, and at rest in one.
static void ElementsToo(void** unused)
{
    (void)unused;
    static const Elements cases[] = {
        { "linear hexahedra", rsl_finiteModel, rsl_linearElement, false, 0.3 },
        { "corotational hexahedra", rsl_finiteModel, rsl_corotationalElement, false, 0.45 },
        { "neo-Hookean hexahedra", rsl_finiteModel, rsl_neoHookeanElement, false, 0.45 },
        { "corotational bricks", rsl_brickModel, rsl_corotationalElement, false, 0.25 },
        { "neo-Hookean bricks", rsl_brickModel, rsl_neoHookeanElement, false, -0.5 },
        { "neo-Hookean tetrahedra", rsl_finiteModel, rsl_neoHookeanElement, true, 0.3 },
    };
    for (size_t i = 0; rslCholmod_Direct() != NULL && i < sizeof cases / sizeof cases[0]; ++i)
    {
        rslShapeDef shape = BoxShape(1.0, 0.2, 0.2);
        rslConstraintDef pin;
        rslBodyDef body = LatticeBody("bar", &shape, 0.05);
        if (cases[i].tetrahedra)
        {
            body.network = rslDefaultNetworkDef();
            body.network.type = rsl_tetrahedraNetwork;
            body.network.spacing = 0.07;
        }
        else
        {
            body.network.orientation = (rslRotationDef){ { 1, 2, 3 }, 20.0 };
        }
        body.model.type = cases[i].model;
        body.model.law = cases[i].law;
        rslScene scene = CantileverOf(&body, &pin, 0.06);
        body.material.poisson = cases[i].poisson;
        body.material.young = 1e6;
        rslSolverDef def = SolverDef(rsl_static, 1.0);
        def.tolerance = 1e-10;
        Run cg = StartRun(&scene, def);
        def.solver = rsl_cholmodSolver;
        def.direct = rslCholmod_Direct();
        Run direct = StartRun(&scene, def);
        int once = rslStatic_SolveLinear(direct.solver->rest, direct.state, 1e-8);
        assert_true(once == 1 || once == 2);
        Step(&cg, 1);
        Step(&direct, 1);
        double largest = 0.0, error = 0.0;
        Compare(&cg, &direct, &largest, &error);
        rslRest rest = rslSolver_Rest(direct.solver);
        char what[120];
        snprintf(what, sizeof what, "CHOLMOD against CG, %s: difference of positions over displacement", cases[i].name);
        assert_true(largest > 0.1);
        assert_proved(what, error / largest, 1e-8);
        assert_string_equal(rest.preconditioner, "cholmod");
        snprintf(what, sizeof what, "CHOLMOD, %s: iterations a Newton step", cases[i].name);
        assert_proved(what, (double)rest.iterations / rest.newtonSteps, 2.0);
        EndRun(&direct);
        EndRun(&cg);
    }
}

static void MissingIsSaid(void** unused)
{
    (void)unused;
    Scenario s;
    MakeScenario(&s);
    s.scene.time.integrator = rsl_static;
    s.scene.time.solver = rsl_cholmodSolver;
    s.scene.time.place = (rslPlace){ 5, 2 };
    rslSolverDef def = rslSolverDef_FromScene(&s.scene);
    rslModel* model = Built(&s.scene, NULL);
    rslSolver* solver = NULL;
    rslReport report = { 0 };
    assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, &report), rsl_badInput);
    assert_true(HasMessage(&report, rsl_error, def.place, "solver: cholmod is not in this build; use solver: cg"));
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SameAsConjugateGradients),
        cmocka_unit_test(OneIteration),
        cmocka_unit_test(ElementsToo),
        cmocka_unit_test(MissingIsSaid),
    };
    return cmocka_run_group_tests_name("cholmod", tests, NULL, NULL);
}
