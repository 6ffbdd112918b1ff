// SPDX-License-Identifier: MIT
//
// test_dispersion.c: moduli and symmetry of springs with dispersion. Force against energy and matrices against force are in test_terms.c,
// forces against the formulas in test_forces.c, motion in test_dispersion_motion.c.

#include "dispersion_fixture.h"

#include "backend.h"
#include "tension.h"

#include "resilin/modes.h"

static rslTension Pull(const rslBodyDef* body)
{
    rslScene scene = SceneOf(body, 1);
    rslTensionDef def = rslDefaultTensionDef();
    rslTension found;
    rslReport report = { 0 };
    def.threads = 1;
    rslStatus status = rslTension_Pull(&scene, 0, &def, NULL, &found, &report);
    if (status != rsl_ok)
    {
        PrintReport(&report);
    }
    assert_int_equal(status, rsl_ok);
    return found;
}

// ---- moduli ---------------------------------------------------------------------------------------------------------------

static void Corner(void** unused)
{
    (void)unused;
    double young = 0.0, poisson = 0.0;
    rslShapeDef shape = Proving() ? BoxShape(1.2, 0.4, 0.4) : BoxShape(0.6, 0.3, 0.2);
    for (int v = rsl_energyDispersion; v <= rsl_cheapDispersion; ++v)
    {
        for (int r = 0; r < RATIOS; ++r)
        {
            rslBodyDef body = Dispersed(&shape, ratios[r], (rslDispersionVariant)v);
            rslTension found = Pull(&body);
            young = Worse(young, fabs(found.young / 1e5 - 1.0));
            poisson = Worse(poisson, fabs(found.poisson - ratios[r]));
        }
    }
    assert_proved("dispersion, corner lattice, nu -0.9 to 0.49: E", young, 1e-5);
    assert_proved("dispersion, corner lattice, nu -0.9 to 0.49: nu", poisson, 1e-5);
}

// Tension along x with e: u = (e x, -nu e y, -nu e z) leaves no force but on the ends, for every variant.
static void Patch(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.6, 0.3, 0.4);
    const double e = 1e-7;
    for (int v = 0; v < rsl_dispersionVariantCount; ++v)
    {
        for (int r = 0; r < RATIOS; ++r)
        {
            rslBodyDef body = Dispersed(&shape, ratios[r], (rslDispersionVariant)v);
            body.network.shells = r % 2 == 0 ? rsl_shellsAB : rsl_shellsAC;
            rslScene scene = SceneOf(&body, 1);
            scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
            Run run = StartRun(&scene, SolverDef(rsl_positionVerlet, RSL_AUTO));
            double left = 0.0, pull = 0.0, largest = 0.0;
            double* f = calloc(3 * (size_t)run.model->nodeCount, sizeof(double));
            bool* end = calloc((size_t)run.model->nodeCount, sizeof(bool));
            assert_non_null(f);
            assert_non_null(end);
            for (int i = 0; i < run.model->nodeCount; ++i)
            {
                rslVec3 x = PositionOf(&run, i);
                end[i] = fabs(x.x) > 0.29;
                rslVec3 moved = { x.x * (1.0 + e), x.y * (1.0 - ratios[r] * e), x.z * (1.0 - ratios[r] * e) };
                SetNode(&run, i, moved, (rslVec3){ 0.0, 0.0, 0.0 });
            }
            rslSolver_Fields(run.solver, run.state, f, NULL, NULL);
            for (int i = 0; i < run.model->nodeCount; ++i)
            {
                double across = fmax(fabs(f[3 * i + 1]), fabs(f[3 * i + 2]));
                left = Worse(left, end[i] ? across : fmax(across, fabs(f[3 * i])));
                largest = Worse(largest, fabs(f[3 * i]));
                pull += end[i] ? 0.5 * fabs(f[3 * i]) : 0.0;
            }
            assert_at_most(left, 1e-5 * largest);
            assert_close(pull / (e * 0.3 * 0.4), 1e5, 1.0);
            free(f);
            free(end);
            EndRun(&run);
        }
    }
}

static void Centred(void** unused)
{
    (void)unused;
    double worst = 0.0;
    rslShapeDef shape = Proving() ? BoxShape(4.0, 1.5, 1.5) : BoxShape(1.6, 0.6, 0.6);
    for (int r = 0; r < RATIOS; r += Proving() ? 1 : 3)
    {
        rslBodyDef body = Dispersed(&shape, ratios[r], rsl_energyDispersion);
        body.network.construction = rsl_centredLattice;
        rslTension found = Pull(&body);
        worst = Worse(worst, fabs(found.poisson - ratios[r]));
    }
    assert_proved(Proving() ? "dispersion, node-centred 40x15x15: nu" : "16x6x6", worst, Proving() ? 0.015 : 0.06);
}

static void RandomNetworks(void** unused)
{
    (void)unused;
    static const double asked[] = { -0.5, 0.0, 0.1, 0.25, 0.35, 0.45 };
    double worst = 0.0, springs = 0.0;
    rslShapeDef shape = Proving() ? BoxShape(2.2, 0.9, 0.9) : BoxShape(1.4, 0.6, 0.6);
    for (int r = 0; r < 6; r += Proving() ? 1 : 5)
    {
        rslBodyDef body = Dispersed(&shape, asked[r], rsl_energyDispersion);
        body.network.type = rsl_randomNetwork;
        body.network.minLength = 0.08;
        body.network.maxLength = 0.175;
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        springs = 2.0 * model->bodies[0].network.springCount / model->nodeCount;
        assert_close(model->bodies[0].poisson, asked[r], 1e-12);
        rslModel_Free(model);
        worst = Worse(worst, fabs(Pull(&body).poisson - asked[r]));
    }
    assert_true(springs > 17.0 && springs < 25.0);
    assert_proved("dispersion, random network of about 21 springs a node, nu -0.5 to 0.45: nu", worst, 0.03);
}

// Calibrated networks meet E and nu both.
static void Calibrated(void** unused)
{
    (void)unused;
    static const double asked[] = { -0.5, 0.0, 0.4, 0.45 };
    double young = 0.0, poisson = 0.0;
    rslShapeDef shape = Proving() ? BoxShape(2.2, 0.9, 0.9) : BoxShape(1.4, 0.6, 0.6);
    for (int r = 0; r < 4; r += Proving() ? 1 : 2)
    {
        rslBodyDef body = Dispersed(&shape, asked[r], r == 2 ? rsl_cheapDispersion : rsl_energyDispersion);
        body.network.type = rsl_randomNetwork;
        body.network.minLength = 0.08;
        body.network.maxLength = 0.175;
        body.network.calibrate = rsl_calibrateX;
        rslTension found = Pull(&body);
        young = Worse(young, fabs(found.young / 1e5 - 1.0));
        poisson = Worse(poisson, fabs(found.poisson - asked[r]));
    }
    assert_proved("dispersion, calibrated random network: E", young, 1e-4);
    assert_proved("dispersion, calibrated random network: nu", poisson, 0.005);
}

// Whatever k and q the halves have, each behaves as its own material: the shear modulus of the stiff one is not E / 2.5.
static void Regions(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.8, 0.3, 0.3), all = BoxShape(2.0, 2.0, 2.0);
    rslBodyDef body = Dispersed(&shape, 0.1, rsl_energyDispersion);
    rslRegionDef region = { .shape = &all, .material = body.material };
    region.material.young = 3e5;
    region.material.poisson = 0.4;
    body.regions = &region;
    body.regionCount = 1;
    rslTension found = Pull(&body);
    assert_close(found.young, 3e5, 1.0);
    assert_close(found.poisson, 0.4, 1e-5);
    rslScene scene = SceneOf(&body, 1);
    rslModel* model = Built(&scene, NULL);
    assert_close(model->bodies[0].regions[1].young, 3e5, 1e-3);
    assert_close(model->bodies[0].regions[1].poisson, 0.4, 1e-12);
    rslModel_Free(model);
}

// ---- matrices -------------------------------------------------------------------------------------------------------------

typedef struct Matrix
{
    rslModel* model;
    rslState* state;
    rslTeam* team;
    void* kernel;
    size_t count;
    double* memory;
} Matrix;

static Matrix MakeMatrix(const rslBodyDef* body)
{
    rslScene scene = SceneOf(body, 1);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    Matrix m = { .model = Built(&scene, NULL), .team = rslTeam_Create(NULL, 1, NULL, NULL) };
    m.state = StateOf(m.model, rsl_double);
    m.kernel = rslBackend64.create(m.model, rsl_positionVerlet, NULL, m.team);
    m.count = (size_t)m.model->nodeCount;
    m.memory = calloc(12 * m.count, sizeof(double));
    assert_non_null(m.memory);
    Random random = MakeRandom(7);
    for (size_t i = 0; i < 6 * m.count; ++i)
    {
        m.memory[i] = NextBetween(&random, -1.0, 1.0);
    }
    return m;
}

static void FreeMatrix(Matrix* m)
{
    rslBackend64.destroy(m->kernel);
    rslTeam_Free(m->team);
    rslState_Free(m->state);
    rslModel_Free(m->model);
    free(m->memory);
}

// x K y for the vectors 0 and 1; the product stays in vector 2.
static double Form(Matrix* m, int x, int y)
{
    double* of[3][3];
    for (size_t v = 0; v < 3; ++v)
    {
        size_t from = v == 0 ? (size_t)x : v == 1 ? (size_t)y : 2;
        for (size_t axis = 0; axis < 3; ++axis)
        {
            of[v][axis] = m->memory + (3 * from + axis) * m->count;
        }
    }
    assert_true(rslBackend64.product(m->kernel, m->state, rsl_stiffnessProduct, of[1], of[2]));
    double sum = 0.0;
    for (size_t i = 0; i < 3 * m->count; ++i)
    {
        sum += of[0][0][i] * of[2][0][i];
    }
    return sum;
}

static void Symmetry(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.6, 0.5, 0.4);
    double worst = 0.0, turned = 0.0;
    for (int network = 0; network < 2; ++network)
    {
        for (int r = 0; r < RATIOS; ++r)
        {
            double form[4][2];
            for (int v = 0; v < rsl_dispersionVariantCount; ++v)
            {
                rslBodyDef body = Dispersed(&shape, ratios[r], (rslDispersionVariant)v);
                body.network.type = network == 0 ? rsl_latticeNetwork : rsl_randomNetwork;
                body.network.minLength = 0.1;
                body.network.maxLength = 0.2;
                Matrix m = MakeMatrix(&body);
                form[v][0] = Form(&m, 0, 1);
                form[v][1] = Form(&m, 1, 0);
                double size = sqrt(fabs(Form(&m, 0, 0) * Form(&m, 1, 1)));
                double skew = fabs(form[v][0] - form[v][1]) / size;
                worst = v <= rsl_cheapDispersion ? fmax(worst, skew) : worst;
                if (v == rsl_transposedDispersion)
                {
                    turned = Worse(turned, fabs(form[v][0] - form[rsl_publishedDispersion][1]) / size);
                    turned = Worse(turned, fabs(form[v][1] - form[rsl_publishedDispersion][0]) / size);
                    assert_true(ratios[r] == 0.25 || skew > 1e-6);
                }
                FreeMatrix(&m);
            }
        }
    }
    assert_proved("dispersion, energy and cheap: asymmetry of the stiffness", worst, 1e-12);
    assert_proved("dispersion, transposed against the transpose of published", turned, 1e-12);
}

// The force of every spring on both of its ends is along it, whatever the variant; products are slopes of the force; and
// dampers in the ratio alpha1 to the springs have the matrix alpha1 K.
static void Forces(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.5, 0.4, 0.3);
    for (int v = 0; v < rsl_dispersionVariantCount; ++v)
    {
        rslBodyDef body = Dispersed(&shape, v % 2 == 0 ? 0.45 : -0.9, (rslDispersionVariant)v);
        body.material.stiffnessDamping = 0.003;
        Matrix m = MakeMatrix(&body);
        double *x[3], *out[3], *f[2], h = 1e-5;
        double still = Form(&m, 0, 0);
        for (size_t axis = 0; axis < 3; ++axis)
        {
            x[axis] = m.memory + axis * m.count;
            out[axis] = m.memory + (6 + axis) * m.count;
        }
        assert_true(rslBackend64.product(m.kernel, m.state, rsl_dampingProduct, x, out));
        double drag = 0.0;
        for (size_t i = 0; i < 3 * m.count; ++i)
        {
            drag += x[0][i] * out[0][i];
        }
        assert_close(drag, 0.003 * still, 1e-12 * drag);
        assert_true(drag > 0.0 || v > rsl_cheapDispersion);
        f[0] = calloc(6 * m.count, sizeof(double));
        assert_non_null(f[0]);
        f[1] = f[0] + 3 * m.count;
        Random random = MakeRandom(11);
        for (size_t i = 0; i < m.count; ++i)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                ((double*)m.state->displacement[axis])[i] = NextBetween(&random, -0.015, 0.015);
            }
        }
        assert_true(rslBackend64.product(m.kernel, m.state, rsl_stiffnessProduct, x, out));
        for (int side = 0; side < 2; ++side)
        {
            for (size_t i = 0; i < 3 * m.count; ++i)
            {
                ((double*)m.state->displacement[i / m.count])[i % m.count] += (side == 0 ? h : -2.0 * h) * x[0][i];
            }
            rslBackend64.forces(m.kernel, m.state, f[side]);
        }
        rslVec3 sum = { 0 }, torque = { 0 };
        double error = 0.0, largest = 0.0, size = 0.0;
        for (int i = 0; i < (int)m.count; ++i)
        {
            double xyz[3];
            rslState_Positions(m.model, m.state, i, i + 1, xyz);
            rslVec3 force = { f[1][3 * i], f[1][3 * i + 1], f[1][3 * i + 2] };
            sum = rslAdd(sum, force);
            torque = rslAdd(torque, rslCross((rslVec3){ xyz[0], xyz[1], xyz[2] }, force));
            size += rslLength(force);
            for (int axis = 0; axis < 3; ++axis)
            {
                double slope = (f[1][3 * i + axis] - f[0][3 * i + axis]) / (2.0 * h);
                error = Worse(error, fabs(slope - out[axis][i]));
                largest = Worse(largest, fabs(slope));
            }
        }
        assert_at_most(error, 1e-5 * largest);
        assert_at_most(rslLength(sum), 1e-13 * size);
        assert_at_most(rslLength(torque), 1e-13 * size);
        free(f[0]);
        FreeMatrix(&m);
    }
}

// ---- refusals -------------------------------------------------------------------------------------------------------------

static void Refuses(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    for (int v = rsl_publishedDispersion; v <= rsl_transposedDispersion; ++v)
    {
        rslBodyDef body = Dispersed(&shape, 0.3, (rslDispersionVariant)v);
        rslScene scene = SceneOf(&body, 1);
        rslModel* model = Built(&scene, NULL);
        rslState* state = StateOf(model, rsl_double);
        rslSolver* solver = NULL;
        rslModes* modes = NULL;
        rslReport report = { 0 };
        rslSolverDef def = SolverDef(rsl_static, 1.0);
        rslModesDef modesDef = rslDefaultModesDef();
        assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, &report), rsl_badInput);
        assert_true(HasMessage(&report, rsl_error, def.place, "not held"));
        assert_int_equal(rslModes_Find(model, state, &modesDef, NULL, &modes, &report), rsl_badInput);
        assert_null(modes);
        rslState_Free(state);
        rslModel_Free(model);
    }
    // springs alone name the way out; dispersion needs none
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    rslScene scene = SceneOf(&body, 1);
    rslReport report = { 0 };
    body.material.poisson = 0.4;
    rslModel_Free(Built(&scene, &report));
    assert_true(HasMessage(&report, rsl_warning, body.material.place, "'model: brick' meets both"));
    body.network.construction = rsl_centredLattice;
    report = (rslReport){ 0 };
    rslModel_Free(Built(&scene, &report));
    assert_true(HasMessage(&report, rsl_warning, body.material.place, "'model: dispersion' meets both"));
    body.network.construction = rsl_cornerLattice;
    body.model.type = rsl_dispersionModel;
    report = (rslReport){ 0 };
    rslModel_Free(Built(&scene, &report));
    for (int i = 0; i < report.count; ++i)
    {
        assert_true(report.messages[i].severity == rsl_note);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Corner),         cmocka_unit_test(Patch),      cmocka_unit_test(Centred),
        cmocka_unit_test(RandomNetworks), cmocka_unit_test(Calibrated), cmocka_unit_test(Regions),
        cmocka_unit_test(Symmetry),       cmocka_unit_test(Forces),     cmocka_unit_test(Refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
