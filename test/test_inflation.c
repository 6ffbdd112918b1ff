// SPDX-License-Identifier: MIT
//
// Rest under pressure of bodies that three neighbouring nodes hold: they swell and shrink evenly, wherever they are held.

#include "physics_fixture.h"

typedef enum Form
{
    BALL,
    RING,
    RABBIT
} Form;

static const char* const formNames[] = { "ball", "torus", "rabbit" };

static rslShapeDef ShapeOf(Form form)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = form == BALL ? rsl_sphereShape : form == RING ? rsl_torusShape : rsl_rabbitShape;
    shape.radius = 1.0;
    shape.tubeRadius = 0.2;
    shape.height = 1.0;
    return shape;
}

typedef struct Material
{
    const char* name;
    rslModelType type;
    rslElementLaw law;
} Material;

static const Material springs = { "springs", rsl_springModel, rsl_corotationalElement };
static const Material bricks = { "bricks", rsl_brickModel, rsl_corotationalElement };
static const Material rubber = { "neo-Hookean bricks", rsl_brickModel, rsl_neoHookeanElement };

enum
{
    YOUNG = 100000
};

// The pressure at which the material is stretched by l in all directions:  springs and corotational elements have the energy
// 9/2 K (l - 1)^2 a volume, K = E / (3 (1 - 2 nu)), nu = 1/4, and it loses p V of the pressure, V = l^3:  p = -3 K (l - 1) / l^2.
// Neo-Hookean ones  P = m I/(I + 1) l + (L (l^3 - 1) - 3/4 m) l^2 = -p l^2,  I = 3 l^2, m = 4/3 mu, L = lambda + 5/6 mu.
static double PressureOf(const Material* material, double l)
{
    double mu = YOUNG / 2.5, lambda = mu, m = 4.0 / 3.0 * mu, square = 3.0 * l * l;
    if (material->law == rsl_neoHookeanElement)
    {
        return 0.75 * m - (lambda + 5.0 / 6.0 * mu) * (l * l * l - 1.0) - m * square / (square + 1.0) / l;
    }
    return -2.0 * YOUNG * (l - 1.0) / (l * l);
}

typedef struct Swelling
{
    rslStatus status;
    rslRest rest;
    double stretch;  // cube root of the volume now over that at rest
} Swelling;

static Swelling Press(Form form, double spacing, const Material* material, double pressure)
{
    rslShapeDef shape = ShapeOf(form);
    rslBodyDef body = LatticeBody("body", &shape, spacing);
    body.material.young = YOUNG;
    body.model.type = material->type;
    body.model.law = material->law;
    rslConstraintDef pin = PinOf(rslDefaultNodeSetDef());
    pin.nodes.type = rsl_nearestNodes;
    pin.nodes.point = form == RING ? (rslVec3){ 1, 0, 0 } : (rslVec3){ 0, 0, form == BALL ? -1.0 : 0.0 };
    pin.nodes.count = 3;
    rslLoadDef load = rslDefaultLoadDef();
    load.type = rsl_pressureLoad;
    load.body = "body";
    load.pressure = pressure;
    rslScene scene = LoadedScene(&body, &pin, 1, &load);
    scene.gravity = (rslVec3){ 0 };
    Run run = StartRun(&scene, SolverDef(rsl_static, 1.0));
    double before = rslSolver_Motion(run.solver, run.state, 0).volume;
    Swelling out = { .status = rslSolver_Step(run.solver, run.state, 1), .rest = rslSolver_Rest(run.solver) };
    out.stretch = cbrt(rslSolver_Motion(run.solver, run.state, 0).volume / before);
    EndRun(&run);
    return out;
}

static void CheckStretch(Form form, double spacing, const Material* material, double stretch)
{
    Swelling out = Press(form, spacing, material, PressureOf(material, stretch));
    char what[120];
    snprintf(what, sizeof what, "%s of %s held by three nodes, stretched to %.3g: error of the strain", formNames[form],
             material->name, stretch);
    assert_int_equal(out.status, rsl_ok);
    assert_proved(what, fabs(out.stretch - stretch) / fabs(stretch - 1.0), form == RABBIT ? 0.05 : 0.03);  // thin ears
    snprintf(what, sizeof what, "%s of %s, stretched to %.3g: Newton steps", formNames[form], material->name, stretch);
    // thin ears of springs crumple
    assert_proved(what, out.rest.newtonSteps, form == RABBIT && material == &springs ? 40 : 15);
}

static void SpringsSwellAndShrink(void** unused)
{
    (void)unused;
    const double stretches[] = { 0.9985, 0.999, 0.995, 0.93, 1.001, 1.05, 1.3 };
    for (size_t i = 0; i < sizeof stretches / sizeof stretches[0]; ++i)
    {
        CheckStretch(BALL, 0.25, &springs, stretches[i]);
        if (Proving() || i % 2 == 0)
        {
            CheckStretch(RING, Proving() ? 0.05 : 0.1, &springs, stretches[i]);
        }
        if (Proving() || i % 2 == 1)
        {
            CheckStretch(RABBIT, Proving() ? 0.04 : 0.07, &springs, stretches[i]);
        }
    }
}

static void BricksSwellAndShrink(void** unused)
{
    (void)unused;
    const double stretches[] = { 0.999, 0.92, 1.001, 1.15 };
    for (size_t i = 0; i < sizeof stretches / sizeof stretches[0]; ++i)
    {
        CheckStretch(BALL, 0.25, i % 2 == 0 ? &bricks : &rubber, stretches[i]);
        CheckStretch(RING, Proving() ? 0.05 : 0.13, i % 2 == 0 ? &rubber : &bricks, stretches[i]);
        CheckStretch(RABBIT, Proving() ? 0.04 : 0.1, &rubber, stretches[i]);
    }
}

// Springs carry 3/4 K, at twice their length; beyond that the volume grows faster than what resists it.
static void TooMuchIsSaid(void** unused)
{
    (void)unused;
    Swelling out = Press(BALL, 0.25, &springs, -0.6 * YOUNG);
    assert_int_equal(out.status, rsl_notConverged);
    assert_int_equal(out.rest.outcome, rsl_restEndless);
    assert_true(isfinite(out.stretch));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SpringsSwellAndShrink),
        cmocka_unit_test(BricksSwellAndShrink),
        cmocka_unit_test(TooMuchIsSaid),
    };
    return cmocka_run_group_tests_name("inflation", tests, NULL, NULL);
}
