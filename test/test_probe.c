// SPDX-License-Identifier: MIT
//
// test_probe.c: probes of a scene: what their rows say, and what is refused.

#include "field_fixture.h"

#include "resilin/probe.h"

// ---- probes of a scene ----------------------------------------------------------------------------------------------

static double Column(const rslProbes* probes, const double* row, const char* name)
{
    for (int c = 0; c < rslProbes_ColumnCount(probes); ++c)
    {
        char text[100];
        rslProbes_ColumnName(probes, c, text, sizeof text);
        if (strcmp(text, name) == 0)
        {
            return row[c];
        }
    }
    fail_msg("there is no column '%s'", name);
    return NAN;
}

// What the probes of a scene say is what the functions say, also when the body has been turned: a point follows it.
static void CheckProbes(rslModelType type)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.size = (rslVec3){ 1.0, 0.4, 0.4 };
    rslBodyDef body = Bar("bar", &shape, 0.1);
    body.model.type = type;
    rslConstraintDef grips[2] = { PinOf(SideOf("bar", (rslVec3){ -0.49, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 })),
                                  MoveBy(SideOf("bar", (rslVec3){ 0.49, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 }),
                                         (rslVec3){ 0.1, 0.1, 0.0 }) };
    rslProbeDef defs[6];
    const rslProbeType types[6] = { rsl_nodeProbe,     rsl_stressProbe, rsl_strainProbe,
                                    rsl_reactionProbe, rsl_flowProbe,   rsl_groundProbe };
    static const char* const names[6] = { "n", "s", "e", "r", "f", "g" };
    for (int i = 0; i < 6; ++i)
    {
        defs[i] = rslDefaultProbeDef();
        defs[i].name = names[i];
        defs[i].type = types[i];
        defs[i].point = (rslVec3){ 0.12, 0.03, -0.02 };
        defs[i].normal = (rslVec3){ 1.0, 0.0, 0.0 };
        defs[i].constraint = 1;
    }
    defs[0].nodes = grips[1].nodes;
    rslScene scene = rslDefaultScene();
    scene.gravity = (rslVec3){ 0 };
    scene.bodies = &body;
    scene.bodyCount = 1;
    scene.constraints = grips;
    scene.constraintCount = 2;
    scene.output.probes = defs;
    scene.output.probeCount = 6;
    scene.time.integrator = rsl_static;
    Run run = StartRun(&scene, SolverDef(rsl_static, RSL_AUTO));
    assert_true((run.model->bodies[0].elements.count > 0) == (type == rsl_autoModel));
    Step(&run, 1);
    rslProbes* probes = NULL;
    double row[64];
    assert_int_equal(rslProbes_Create(run.model, defs, 6, NULL, &probes, NULL), rsl_ok);
    assert_int_equal(rslProbes_ColumnCount(probes), 9 + 10 + 9 + 6 + 3 + 3);
    assert_int_equal(rslProbes_Read(probes, run.solver, run.state, row), rsl_ok);
    rslVec3 pull = rslSolver_Reaction(run.solver, run.state, 1);
    assert_close(Column(probes, row, "n x [m]"), 0.6, 1e-12);
    assert_close(Column(probes, row, "r fx [N]"), pull.x, 0.0);
    assert_close(Column(probes, row, "f fx [N]"), pull.x, 1e-6 * pull.x);
    assert_close(Column(probes, row, "f fy [N]"), pull.y, 1e-6 * pull.x);
    assert_true(Column(probes, row, "g fz [N]") == 0.0);
    rslVec3 at = rslAdd(defs[1].point, (rslVec3){ Column(probes, row, "e ux [m]"), Column(probes, row, "e uy [m]"),
                                                  Column(probes, row, "e uz [m]") });
    rslHardyProbe probe = { at, 0.13, rsl_lineHardy };
    rslSymmetric stress;
    assert_int_equal(rslSolver_HardyStress(run.solver, run.state, &probe, 1, &stress), rsl_ok);
    assert_close(Column(probes, row, "s sxx [Pa]"), stress.xx, 1e-9 * stress.xx);
    assert_close(Column(probes, row, "s von_mises [Pa]"), rslSymmetric_VonMises(stress), 1e-9 * stress.xx);
    assert_true(Column(probes, row, "s s1 [Pa]") >= Column(probes, row, "s s2 [Pa]"));
    assert_close(Column(probes, row, "e exx [1]"), 0.1, 0.03);
    rslProbes_Free(probes);
    EndRun(&run);
    // a point outside, with a body and without, is told when the model is built
    defs[2].point.z = 3.0;
    rslReport report = { 0 };
    rslModel* model = NULL;
    defs[1].body = "bar";
    defs[1].point.x = -7.0;
    assert_int_equal(rslModel_Build(&scene, NULL, &model, &report), rsl_badInput);
    assert_int_equal(report.errors, 2);
    rslPlace none = { 0, 0 };
    assert_true(HasMessage(&report, rsl_error, none, "the point [-7, 0.03, -0.02] of probe 's' lies in no body"));
    assert_true(HasMessage(&report, rsl_error, none, "of probe 'e' lies in no body"));
}

// Of springs, and of what a lattice takes by itself.
static void ProbesOfAScene(void** state)
{
    (void)state;
    CheckProbes(rsl_springModel);
    CheckProbes(rsl_autoModel);
}

// A snapshot shows what it was asked for, and the same numbers.
static void FieldsOfASnapshot(void** state)
{
    (void)state;
    Run run = StartBlock("block", (rslVec3){ 0.5, 0.4, 0.3 }, 0.1, rsl_cornerLattice, (rslVec3){ .z = 1.0 }, 0.0);
    rslSymmetric strain = { 1e-3, 2e-3, -1e-3, 5e-4, 0.0, -2e-4 };
    Strain(&run, strain);
    rslSnapshot* s = NULL;
    assert_int_equal(rslSnapshot_Create(run.model, false, NULL, &s), rsl_ok);
    rslSnapshot_Take(s, run.solver, run.state);
    assert_true(s->stress == NULL && s->vonMises == NULL && s->strain == NULL && s->modulus == NULL);
    rslFieldSet all = { true, true, true, true, true, true };
    assert_int_equal(rslSnapshot_AddFields(s, run.model, all, NULL), rsl_ok);
    rslSnapshot_Take(s, run.solver, run.state);
    int nodes = run.model->nodeCount;
    rslSymmetric* stress = calloc((size_t)nodes, sizeof *stress);
    assert_non_null(stress);
    assert_int_equal(rslSolver_NodeStress(run.solver, run.state, stress), rsl_ok);
    for (int i = 0; i < nodes; ++i)
    {
        double values[3];
        rslSymmetric_Principal(stress[i], values, NULL);
        assert_true(s->stress[6 * i] == stress[i].xx && s->stress[6 * i + 3] == stress[i].xy &&
                    s->stress[6 * i + 4] == stress[i].yz && s->stress[6 * i + 5] == stress[i].zx);
        assert_true(s->vonMises[i] == rslSymmetric_VonMises(stress[i]) && s->principal[3 * i + 2] == values[2]);
        assert_close(s->strain[6 * i + 1], strain.yy, 1e-5);
        assert_close(s->strain[6 * i + 4], strain.yz, 1e-5);
        assert_close(s->modulus[i], run.model->bodies[0].bulk, 1e-9 * YOUNG);
    }
    free(stress);
    rslSnapshot_Free(s);
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ProbesOfAScene),
        cmocka_unit_test(FieldsOfASnapshot),
    };
    return cmocka_run_group_tests_name("field", tests, NULL, NULL);
}
