// SPDX-License-Identifier: MIT
//
// test_bend.c: a cantilever, ten times as long as wide, whose end a load turns by 60 degrees: where models put it, beside a fine
// mesh of neo-Hookean finite elements.
//
// The load is a traction on the end face that keeps its direction, 3.3 E I / L^2 in all: the elastica turns by 60 degrees. It is
// given as an acceleration of the end nodes, whose masses have the weights of a traction. The mesh refined towards nothing has
// the end where two meshes say by their h^2 (Richardson).

#include "physics_fixture.h"

enum
{
    SLENDER = 10
};

typedef struct Bent
{
    rslVec3 tip;   // displacement of the middle of the end, of the length
    double angle;  // by which the end face has turned [deg]
} Bent;

static rslModelDef ModelOf(rslModelType type, rslElementLaw law)
{
    rslModelDef model = rslDefaultModelDef();
    model.type = type;
    model.law = law;
    return model;
}

static int NodeAt(const rslModel* model, double x, double y, double z)
{
    rslNodeSetDef near = rslDefaultNodeSetDef();
    near.type = rsl_nearestNodes;
    near.point = (rslVec3){ x, y, z };
    int *nodes, count;
    assert_int_equal(rslModel_Select(model, &near, &nodes, &count, NULL), rsl_ok);
    int node = nodes[0];
    rslModel_FreeNodes(model, nodes);
    return node;
}

static Bent ReadOff(const Run* run)
{
    double l = 0.5 * SLENDER;
    rslVec3 tip = PositionOf(run, NodeAt(run->model, l, 0.0, 0.0));
    rslVec3 top = PositionOf(run, NodeAt(run->model, l, 0.0, 0.5)),
            low = PositionOf(run, NodeAt(run->model, l, 0.0, -0.5));
    rslVec3 up = rslSub(top, low);
    return (Bent){ .tip = rslScale(1.0 / SLENDER, rslSub(tip, (rslVec3){ l, 0.0, 0.0 })),
                   .angle = atan2(up.x, up.z) * 180.0 / PI };
}

// across: cells across, even, so that a node is in the middle
static Bent Bend(rslModelDef model, double nu, int across)
{
    double young = 1e5, l = 0.5 * SLENDER, a = 1.0 / across;
    rslShapeDef shape = BoxShape(SLENDER, 1.0, 1.0);
    rslBodyDef body = LatticeBody("bar", &shape, a);
    body.material.poisson = nu;
    body.model = model;
    body.surface.enabled = false;
    rslConstraintDef pin = PinOf(SideOf(NULL, (rslVec3){ -l + 0.01 * a, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 }));
    rslLoadDef load = rslDefaultLoadDef();
    load.type = rsl_accelerationLoad;
    load.nodes = SideOf(NULL, (rslVec3){ l - 0.01 * a, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 });
    double force = 3.3 * young / 12.0 / (SLENDER * SLENDER), mass = body.material.density * 0.5 * a;
    load.acceleration = (rslVec3){ 0.0, 0.0, -force / mass };
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    scene.constraints = &pin;
    scene.loads = &load;
    scene.constraintCount = scene.loadCount = 1;
    rslSolverDef def = SolverDef(rsl_static, 1.0);
    def.threads = 0;
    Run run = StartRun(&scene, def);
    Step(&run, 1);
    assert_int_equal(rslSolver_Rest(run.solver).outcome, rsl_restFound);
    Bent bent = ReadOff(&run);
    EndRun(&run);
    return bent;
}

// Tips of two meshes to that of none: errors fall by the square of the cell.
static Bent Refined(double nu, int fine)
{
    rslModelDef model = ModelOf(rsl_finiteModel, rsl_neoHookeanElement);
    Bent near = Bend(model, nu, fine), far = Bend(model, nu, fine / 2);
    print_message("nu %.2f, neo-Hookean, %d and %d across: %.5f %.5f and %.5f %.5f, %.2f degrees\n", nu, fine / 2, fine,
                  far.tip.x, far.tip.z, near.tip.x, near.tip.z, near.angle);
    near.tip = rslMulAdd(near.tip, 1.0 / 3.0, rslSub(near.tip, far.tip));
    return near;
}

static void Tip(void** unused)
{
    (void)unused;
    static const struct
    {
        const char* name;
        rslModelType type;
        rslElementLaw law;
    } models[] = {
        { "default model", rsl_autoModel, rsl_corotationalElement },
        { "corotational elements", rsl_finiteModel, rsl_corotationalElement },
        { "neo-Hookean elements", rsl_finiteModel, rsl_neoHookeanElement },
        { "corotational bricks", rsl_brickModel, rsl_corotationalElement },
        { "neo-Hookean bricks", rsl_brickModel, rsl_neoHookeanElement },
    };
    const double ratios[] = { 0.25, 0.0, 0.45 };
    for (int r = 0; r < (Proving() ? 3 : 1); ++r)
    {
        Bent reference = Refined(ratios[r], Proving() ? 16 : 4);
        assert_close(reference.angle, 60.0, 2.0);
        for (size_t m = 0; m < sizeof models / sizeof *models; ++m)
        {
            Bent bent = Bend(ModelOf(models[m].type, models[m].law), ratios[r], Proving() ? 8 : 2);
            double error = rslLength(rslSub(bent.tip, reference.tip)) / rslLength(reference.tip);
            char what[100];
            snprintf(what, sizeof what, "60 degree bend, %s, nu %.2f: tip", models[m].name, ratios[r]);
            print_message("%s: %.2f %%\n", what, 100.0 * error);
            assert_proved(what, error, 0.02);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(Tip) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
