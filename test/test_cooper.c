// SPDX-License-Identifier: MIT
//
// Cooper & Maddock's elements: forces at tabulated points, and where they vanish. Through the forces of the backend.

#include "support.h"

#include "../cli/cooper_table.h"
#include "../cli/roots.h"

// ---- one element ----------------------------------------------------------------------------------------------------

typedef struct Element
{
    rslModel* model;
    rslState* state;
    rslSolver* solver;
} Element;

static Element MakeElement(const rslBodyDef* body)
{
    rslScene scene = SceneOf(body, 1);
    scene.plane = rsl_planeXY;
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = rsl_double;
    def.threads = 1;
    def.step = 0.001;
    Element element = { .model = Built(&scene, NULL) };
    element.solver = SolverOf(element.model, &def);
    element.state = StateOf(element.model, rsl_double);
    return element;
}

static void FreeElement(Element* element)
{
    rslState_Free(element->state);
    rslSolver_Free(element->solver);
    rslModel_Free(element->model);
}

static rslBodyDef Triangle(cliCooperKind kind)
{
    static const double nodes[9] = { 0, 0, 0, 1, 0, 0, 1, 1, 0 }, one = 1.0, two = 2.0;
    static const int corners[3] = { 0, 1, 2 };
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "triangle";
    body.network.type = rsl_explicitNetwork;
    body.network.nodes = nodes;
    body.network.nodeCount = 3;
    body.network.triangles = corners;
    body.network.triangleCount = 1;
    body.network.masses = &one;
    body.network.springsFrom = rsl_elementSprings;
    body.network.law = kind == cli_nonLinearElement ? rsl_cooperSpring : rsl_linearSpring;
    body.network.stiffness = kind == cli_nonLinearElement ? &two : &one;  // at rest: 2 k of eq. 4
    body.network.massCount = body.network.stiffnessCount = 1;
    body.repulsion.stiffness = 1.0;
    body.repulsion.type = kind == cli_centroidElement    ? rsl_centroidRepulsion
                          : kind == cli_repulsionElement ? rsl_cooperRepulsion
                                                         : rsl_noRepulsion;
    return body;
}

static cliPoint ForceOnC(cliPoint at, void* context)
{
    Element* element = context;
    double force[9];
    rslState_SetPosition(element->model, element->state, 2, (rslVec3){ at.x, at.y, 0.0 });
    rslSolver_Fields(element->solver, element->state, force, NULL, NULL);
    return (cliPoint){ force[6], force[7] };
}

static double TableError(cliField* field, void* context, const double (*expected)[2])
{
    double worst = 0.0;
    for (int i = 0; i < CLI_COOPER_POINTS; ++i)
    {
        cliPoint f = field((cliPoint){ cliCooperPoints[i][0], cliCooperPoints[i][1] }, context);
        worst = Worse(worst, fabs(f.x - expected[i][0]));
        worst = Worse(worst, fabs(f.y - expected[i][1]));
    }
    return worst;
}

static const char* const names[cli_cooperKindCount] = { "standard", "centroid", "non-linear", "edge repulsion" };

static void TestTables(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < cli_cooperKindCount; ++kind)
    {
        rslBodyDef body = Triangle((cliCooperKind)kind);
        Element element = MakeElement(&body);
        char what[100];
        snprintf(what, sizeof what, "%s element: force at the tabulated points", names[kind]);
        assert_proved(what, TableError(ForceOnC, &element, cliCooperForces[kind]), 1e-9);
        FreeElement(&element);
    }
}

// ---- eq. 5 ------------------------------------------------------------------------------------------------------------

// Only C is repelled: a standard element and a non-linear spring from C to its foot.
typedef struct OwnRepulsion
{
    Element triangle, spring;
} OwnRepulsion;

static cliPoint OwnForce(cliPoint at, void* context)
{
    OwnRepulsion* own = context;
    double force[6];
    rslState_SetPosition(own->spring.model, own->spring.state, 0, (rslVec3){ at.x, 0.0, 0.0 });
    rslState_SetPosition(own->spring.model, own->spring.state, 1, (rslVec3){ at.x, at.y, 0.0 });
    rslSolver_Fields(own->spring.solver, own->spring.state, force, NULL, NULL);
    cliPoint f = ForceOnC(at, &own->triangle);
    return (cliPoint){ f.x + force[3], f.y + force[4] };
}

static void TestOwnRepulsion(void** unused)
{
    (void)unused;
    static const double nodes[6] = { 1, 0, 0, 1, 1, 0 };
    static const int spring[2] = { 0, 1 };
    rslBodyDef triangle = Triangle(cli_standardElement), line = Triangle(cli_nonLinearElement);
    line.network.nodes = nodes;
    line.network.nodeCount = 2;
    line.network.springsFrom = rsl_listedSprings;
    line.network.springs = spring;
    line.network.springCount = 1;
    line.network.triangleCount = 0;
    OwnRepulsion own = { MakeElement(&triangle), MakeElement(&line) };
    assert_proved("eq. 5: force at the tabulated points", TableError(OwnForce, &own, cliCooperOwnRepulsion), 1e-9);
    // |F| approaches 1 / distance from AB
    const double size[3] = { 10.1816, 100.019, 1000.002 }, half[3] = { 5e-5, 5e-4, 5e-4 };
    for (int i = 0; i < 3; ++i)
    {
        cliPoint f = OwnForce((cliPoint){ 0.5, pow(0.1, i + 1) }, &own);
        assert_close(hypot(f.x, f.y), size[i], half[i]);
    }
    cliWindow window = { { -2, 0.1 }, { 3, 3 }, 0.02, 4 };
    cliPoint roots[8];
    assert_int_equal(cliRoots_Find(OwnForce, &own, &window, 12, roots, 8), 1);
    assert_close(hypot(roots[0].x - 1.0, roots[0].y - 1.0), 0.0, 1e-9);
    FreeElement(&own.triangle);
    FreeElement(&own.spring);
}

// ---- zeros --------------------------------------------------------------------------------------------------------------

static void TestZeros(void** unused)
{
    (void)unused;
    double worst = 0.0;
    for (int kind = 0; kind < cli_cooperKindCount; ++kind)
    {
        rslBodyDef body = Triangle((cliCooperKind)kind);
        Element element = MakeElement(&body);
        bool above = kind == cli_repulsionElement;
        cliWindow window = { { -2, above ? 0.1 : -2 }, { 3, 3 }, above ? 0.02 : -3, 4 };
        cliPoint roots[16];
        int count = cliRoots_Find(ForceOnC, &element, &window, Proving() ? 40 : 12, roots, 16);
        assert_int_equal(count, cliCooperZeroCount[kind]);
        for (int i = 0; i < count; ++i)
        {
            const double* expected = cliCooperZeros[kind][i];
            worst = Worse(worst, hypot(roots[i].x - expected[0], roots[i].y - expected[1]));
        }
        FreeElement(&element);
    }
    assert_proved("points without force of four elements, off by", worst, 1e-9);
}

// Reactions are complete: nothing is left over, and no moment, wherever the corners are.
static void TestReactions(void** unused)
{
    (void)unused;
    double worst = 0.0;
    for (int kind = 0; kind < cli_cooperKindCount; ++kind)
    {
        rslBodyDef body = Triangle((cliCooperKind)kind);
        Element element = MakeElement(&body);
        Random random = MakeRandom(40 + (uint64_t)kind);
        for (int trial = 0; trial < 200; ++trial)
        {
            double x[9], f[9], sum[3] = { 0, 0, 0 }, size = 0.0;
            for (int c = 0; c < 3; ++c)
            {
                x[3 * c] = (c > 0) + NextBetween(&random, -0.2, 0.2);
                x[3 * c + 1] = (c > 1) + NextBetween(&random, -0.2, 0.2);
                rslState_SetPosition(element.model, element.state, c, (rslVec3){ x[3 * c], x[3 * c + 1], 0.0 });
            }
            rslSolver_Fields(element.solver, element.state, f, NULL, NULL);
            for (int c = 0; c < 3; ++c)
            {
                sum[0] += f[3 * c];
                sum[1] += f[3 * c + 1];
                sum[2] += x[3 * c] * f[3 * c + 1] - x[3 * c + 1] * f[3 * c];
                size += hypot(f[3 * c], f[3 * c + 1]);
            }
            worst = Worse(worst, fmax(fabs(sum[0]), fmax(fabs(sum[1]), fabs(sum[2]))) / (size + 1e-3));
        }
        FreeElement(&element);
    }
    assert_proved("force and moment left over of four elements", worst, 1e-12);
}

// Centroid springs are finite on the line: the element can be pushed through it, to the mirrored rest.
static void TestCentroidCollapses(void** unused)
{
    (void)unused;
    rslBodyDef body = Triangle(cli_centroidElement);
    Element element = MakeElement(&body);
    cliPoint f = ForceOnC((cliPoint){ 0.6, 0.0 }, &element), mirrored = ForceOnC((cliPoint){ 1, -1 }, &element);
    assert_true(hypot(f.x, f.y) < 2.0);
    assert_close(hypot(mirrored.x, mirrored.y), 0.0, 1e-12);
    FreeElement(&element);
}

// ---- a share of a material ------------------------------------------------------------------------------------------

// Elastic energy under a small uniform strain.
static double EnergyUnder(const rslBodyDef* body, const double strain[3][3])
{
    rslScene scene = SceneOf(body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = rsl_double;
    def.threads = 1;
    rslModel* model = Built(&scene, NULL);
    rslSolver* solver = SolverOf(model, &def);
    rslState* state = StateOf(model, rsl_double);
    for (int i = 0; i < model->nodeCount; ++i)
    {
        rslVec3 x = WorldOf(model, i), y = x;
        y.x += strain[0][0] * x.x + strain[0][1] * x.y + strain[0][2] * x.z;
        y.y += strain[1][0] * x.x + strain[1][1] * x.y + strain[1][2] * x.z;
        y.z += strain[2][0] * x.x + strain[2][1] * x.y + strain[2][2] * x.z;
        rslState_SetPosition(model, state, i, y);
    }
    double energy = rslSolver_Energy(solver, state).springs;
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
    return energy;
}

// Whatever the share, the material is the same: equilateral triangles under any strain, tetrahedra under a change of volume.
static void TestShare(void** unused)
{
    (void)unused;
    const double shear[3][3] = { { 2e-6, 1e-6, 0 }, { 1e-6, -1e-6, 0 }, { 0, 0, 0 } };
    const double swell[3][3] = { { 1e-6, 0, 0 }, { 0, 1e-6, 0 }, { 0, 0, 1e-6 } };
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.3);
    rslBodyDef sheet = GridBody("sheet", 0.5, 0.4330127018922193, 5, 5), solid = LatticeBody("solid", &shape, 0.1);
    sheet.network.pattern = rsl_hexagonalPattern;
    solid.network.type = rsl_tetrahedraNetwork;
    solid.network.tetrahedronRule = rsl_kotTetrahedron;
    rslBodyDef* bodies[2] = { &sheet, &solid };
    for (int b = 0; b < 2; ++b)
    {
        const double(*strain)[3] = b == 0 ? shear : swell;
        bodies[b]->repulsion.type = rsl_noRepulsion;
        double alone = EnergyUnder(bodies[b], strain), swollen = EnergyUnder(bodies[b], swell);
        bodies[b]->repulsion.type = rsl_centroidRepulsion;
        for (int s = 0; s < 3; ++s)
        {
            bodies[b]->repulsion.share = s == 0 ? RSL_AUTO : 0.3 * s;
            assert_close(EnergyUnder(bodies[b], strain) / alone, 1.0, 1e-4);
        }
        bodies[b]->repulsion.share = RSL_AUTO;
        bodies[b]->repulsion.stiffness = b == 0 ? 200.0 : 100.0;
        assert_close(EnergyUnder(bodies[b], swell) / swollen, 1.0, 1e-4);
    }
}

static void TestRefused(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.3);
    rslBodyDef body = LatticeBody("body", &shape, 0.1);
    rslPlace place = { 31, 3 };
    body.repulsion.type = rsl_centroidRepulsion;
    body.repulsion.place = place;
    rslScene scene = SceneOf(&body, 1);
    Refused(&scene, place, "expected triangles or tetrahedra");
    body.network.type = rsl_tetrahedraNetwork;
    body.repulsion.stiffness = 1e6;
    Refused(&scene, place, "nothing is left for its springs");
    body.repulsion.share = 0.1;
    Refused(&scene, place, "found 'stiffness' beside 'share'");
    body.repulsion.stiffness = RSL_AUTO;
    body.repulsion.share = RSL_AUTO;
    body.repulsion.stiffness = 1.0;
    body.model.type = rsl_finiteModel;
    Refused(&scene, place, "found 'stiffness' beside a model that is not springs, expected 'share'");
    body.model.type = rsl_springModel;
    body.network.calibrate = rsl_calibrateX;
    Refused(&scene, place, "found 'stiffness' beside 'calibrate', expected 'share'");
    body.network.calibrate = rsl_noCalibration;
    rslReport report = { 0 };
    rslModel_Free(Built(&scene, &report));
    assert_true(HasMessage(&report, rsl_note, place, "do not prevent collapse"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestTables),    cmocka_unit_test(TestOwnRepulsion),      cmocka_unit_test(TestZeros),
        cmocka_unit_test(TestReactions), cmocka_unit_test(TestCentroidCollapses), cmocka_unit_test(TestShare),
        cmocka_unit_test(TestRefused),
    };
    return cmocka_run_group_tests_name("cooper", tests, NULL, NULL);
}
