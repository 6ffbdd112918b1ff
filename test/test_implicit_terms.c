// SPDX-License-Identifier: MIT
//
// test_implicit_terms.c: what has no energy of its own in implicit steps: volumes of every method, dispersion of every variant. Slopes and
// curvature of what is made least, dampers in it, steps of bodies that turn, motion beside that of small explicit steps, and the same bits.

#include "stage_fixture.h"
#include "volume_fixture.h"

// A balloon that hangs by three of its nodes, or a bar by its end.
typedef struct Thing
{
    Hull hull;
    double mass, stiffness, damping;
    rslShapeDef shape;
    rslBodyDef body;
    rslConstraintDef pin;
    rslScene scene;
} Thing;

static void Hang(Thing* thing)
{
    thing->scene = SceneOf(&thing->body, 1);
    thing->scene.constraints = &thing->pin;
    thing->scene.constraintCount = 1;
}

static void MakeBalloon(Thing* thing, rslVolumeMethod method, double stiffness)
{
    static const int held[3] = { 0, 1, 2 };
    thing->hull = RoundHull(5, 4, (rslVec3){ 0.3, 0.4, 0.35 }, false);
    thing->mass = 0.1;
    thing->stiffness = 150.0;
    thing->damping = 0.3;
    thing->body = HullBody("hull", &thing->hull, &thing->mass, &thing->stiffness, &thing->damping);
    thing->body.volume = (rslVolumeDef){ .method = method, .stiffness = stiffness, .radial = 20.0, .centres = 1 };
    thing->pin = PinOf(ListOf("hull", held, 3));
    Hang(thing);
}

static void MakeBar(Thing* thing, rslDispersionVariant variant, double poisson)
{
    thing->shape = BoxShape(0.3, 0.1, 0.1);
    thing->body = LatticeBody("bar", &thing->shape, 0.05);
    thing->body.material.young = 5e4;
    thing->body.material.density = 1000.0;
    thing->body.material.poisson = poisson;
    thing->body.material.stiffnessDamping = 2e-3;
    thing->body.model.type = rsl_dispersionModel;
    thing->body.model.variant = variant;
    thing->pin = PinOf(SideOf("bar", (rslVec3){ -0.149, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 }));
    Hang(thing);
}

typedef struct Kind
{
    const char* name;
    double order;  // of TR-BDF2: a part that is frozen over a stage is of first order
    rslVolumeMethod method;
    double stiffness;
    rslDispersionVariant variant;
    double poisson;  // 0: a balloon
} Kind;

static const Kind kinds[] = {
    { "implicit volume", 2.0, rsl_implicitVolume, 50.0, 0, 0.0 },
    { "pressure", 2.0, rsl_pressureVolume, 2000.0, 0, 0.0 },
    { "explicit volume", 1.0, rsl_explicitVolume, 50.0, 0, 0.0 },
    { "hard volume", 2.0, rsl_hardVolume, 0.0, 0, 0.0 },
    { "dispersion, energy", 2.0, rsl_noVolume, 0.0, rsl_energyDispersion, 0.4 },
    { "dispersion, published", 1.0, rsl_noVolume, 0.0, rsl_publishedDispersion, 0.4 },
    { "dispersion, published, below 1/4", 1.0, rsl_noVolume, 0.0, rsl_publishedDispersion, 0.1 },
    { "dispersion, transposed", 1.0, rsl_noVolume, 0.0, rsl_transposedDispersion, 0.4 },
};

enum
{
    KINDS = sizeof kinds / sizeof kinds[0]
};

static void MakeThing(Thing* thing, const Kind* kind)
{
    if (kind->poisson == 0.0)
    {
        MakeBalloon(thing, kind->method, kind->stiffness);
    }
    else
    {
        MakeBar(thing, kind->variant, kind->poisson);
    }
}

static void EndThing(Thing* thing)
{
    FreeHull(&thing->hull);
}

// Frozen where the stage began, all of it has an energy.
static void TestSlopes(void** state)
{
    (void)state;
    for (int k = 0; k < KINDS; ++k)
    {
        Thing thing = { 0 };
        MakeThing(&thing, &kinds[k]);
        thing.damping = thing.body.material.stiffnessDamping = 0.0;
        CheckSlopes(&thing.scene, 0.01, true);
        EndThing(&thing);
    }
}

// Places of the nodes of a body in its own axes.
static void PlacesOf(const Run* run, double* y)
{
    const rslBody* body = &run->model->bodies[0];
    rslNodeVector at = rslDisplacements(run->state);
    rslBody_Rest(body, 0, body->nodeCount, y);
    for (int i = 0; i < 3 * body->nodeCount; ++i)
    {
        y[i] += at.x[i % 3][i / 3];
    }
}

// Springs that all get longer, so that how dampers pull does not change as they turn: products are the slopes of forces left over.
static void CheckDampers(const rslScene* scene)
{
    const double h = 0.01, growth = 7.0, e = 1e-7;
    Run run = StartRun(scene, SolverDef(rsl_implicitEuler, h));
    Random random = MakeRandom(11);
    rslImplicit* m = run.solver->implicit;
    rslNodeVector at = rslDisplacements(run.state);
    double *y = calloc(3 * (size_t)run.model->nodeCount, sizeof(double)), sides[2];
    run.state->step = h;
    EnterStage(m, run.state, h, &random);
    PlacesOf(&run, y);
    for (int i = 0; i < 3 * run.model->nodeCount; ++i)
    {
        m->stage.origin.x[i % 3][i / 3] = at.x[i % 3][i / 3] - h * growth * y[i];
    }
    Shake(m, &m->direction, 1.0, 0.0, &random);
    Shake(m, &m->best, 1.0, 0.0, &random);
    for (int side = 0; side < 2; ++side)
    {
        PutAt(m, run.state, side == 0 ? e : -e);
        (void)rslImplicit_Residual(m, run.state);
        sides[side] = -rslUnknowns_Dot(&m->unknowns, &m->space.r, &m->best);
    }
    PutAt(m, run.state, 0.0);
    (void)rslImplicit_Residual(m, run.state);
    m->state = run.state;
    rslStatics_Look(m->kernel, run.state);
    m->system.multiply(m->system.context, &m->direction, &m->space.q);
    double size = sqrt(rslUnknowns_Dot(&m->unknowns, &m->space.q, &m->space.q) *
                       rslUnknowns_Dot(&m->unknowns, &m->best, &m->best));
    assert_close((sides[0] - sides[1]) / (2.0 * e), rslUnknowns_Dot(&m->unknowns, &m->best, &m->space.q), 1e-6 * size);
    free(y);
    EndRun(&run);
}

static void TestDampers(void** state)
{
    (void)state;
    Thing bar = { 0 }, hull = { 0 };
    MakeBar(&bar, rsl_energyDispersion, 0.25);
    bar.body.model.type = rsl_springModel;
    bar.scene.constraintCount = 0;
    CheckDampers(&bar.scene);
    bar.body.network.law = rsl_carrierSpring;
    CheckDampers(&bar.scene);
    MakeBalloon(&hull, rsl_noVolume, 0.0);
    hull.scene.constraintCount = 0;
    CheckDampers(&hull.scene);
    EndThing(&hull);
}

// Along a step, a body that turns keeps its shape, and every step begins in its direction.
static void TestTurns(void** state)
{
    (void)state;
    Thing bar = { 0 };
    MakeBar(&bar, rsl_energyDispersion, 0.25);
    bar.body.model.type = rsl_springModel;
    bar.scene.constraintCount = 0;
    Run run = StartRun(&bar.scene, SolverDef(rsl_implicitEuler, 0.01));
    Random random = MakeRandom(5);
    rslImplicit* m = run.solver->implicit;
    rslNodeVector at = rslDisplacements(run.state), *d = &m->direction;
    int count = run.model->nodeCount;
    double *y = calloc(3 * (size_t)count, sizeof(double)), *z = calloc(3 * (size_t)count, sizeof(double));
    Shake(m, &at, 0.01, 0.0, &random);
    rslUnknowns_Copy(&m->unknowns, &m->start, &at);
    PlacesOf(&run, y);
    rslVec3 way = NextVec3(&random, 1.0), turn = NextVec3(&random, 1.0);
    for (int rigid = 1; rigid >= 0; --rigid)
    {
        Shake(m, d, rigid ? 0.0 : 0.1, 0.0, &random);
        for (int i = 0; i < count; ++i)
        {
            rslVec3 whole = rslAdd(way, rslCross(turn, (rslVec3){ y[3 * i], y[3 * i + 1], y[3 * i + 2] }));
            d->x[0][i] += whole.x;
            d->x[1][i] += whole.y;
            d->x[2][i] += whole.z;
        }
        assert_true(rslTurns_Find(m, run.state));
        double s = rigid ? 1.0 : 1e-7, worst = 0.0;
        rslTurns_Place(m, run.state, s);
        PlacesOf(&run, z);
        for (int i = 1; i < count; ++i)
        {
            double before = hypot(hypot(y[3 * i] - y[0], y[3 * i + 1] - y[1]), y[3 * i + 2] - y[2]);
            double after = hypot(hypot(z[3 * i] - z[0], z[3 * i + 1] - z[1]), z[3 * i + 2] - z[2]);
            for (int axis = 0; !rigid && axis < 3; ++axis)
            {
                worst = Worse(worst, fabs((z[3 * i + axis] - y[3 * i + axis]) / s - d->x[axis][i]));
            }
            worst = rigid ? Worse(worst, fabs(after - before)) : worst;
        }
        assert_true(worst < (rigid ? 1e-13 : 1e-6));
        rslUnknowns_Copy(&m->unknowns, &at, &m->start);
    }
    free(y);
    free(z);
    EndRun(&run);
}

// Which bodies turn along a step: those that nothing holds, unless elements are linear; by how little.
static void TestWhatTurns(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
    {
        Thing bar = { 0 };
        MakeBar(&bar, rsl_energyDispersion, 0.25);
        bar.body.model.type = i == 0 ? rsl_springModel : rsl_finiteModel;
        bar.body.model.law = i == 2 ? rsl_linearElement : rsl_corotationalElement;
        bar.scene.constraintCount = i == 3 ? bar.scene.constraintCount : 0;
        Run run = StartRun(&bar.scene, SolverDef(rsl_implicitEuler, 0.01));
        rslImplicit* m = run.solver->implicit;
        assert_true(m->turns[0].may == (i < 2) && m->straight == (i >= 2));
        for (int k = 0; k < 3; ++k)
        {
            double angle = (const double[]){ 1.0, 1e-5, 1e-7 }[k];
            for (int n = 0; n < run.model->nodeCount; ++n)
            {
                rslVec3 d = rslCross((rslVec3){ 0.0, angle, 0.0 }, PositionOf(&run, n));
                m->direction.x[0][n] = d.x;
                m->direction.x[1][n] = d.y;
                m->direction.x[2][n] = d.z;
            }
            assert_true(rslTurns_Find(m, run.state) == (i < 2 && k < 2));
        }
        EndRun(&run);
    }
}

// ---- beside explicit steps ------------------------------------------------------------------------------------------

static double ErrorOf(const Thing* thing, const Run* exact, rslIntegrator scheme, double h, double time)
{
    Run run = StartRun(&thing->scene, SolverDef(scheme, h));
    double worst = 0.0, numerical = 0.0;
    for (int n = 0; n < (int)floor(time / h + 0.5); ++n)
    {
        Step(&run, 1);
        // backward Euler gains nothing: what is found is told as such
        assert_true(scheme != rsl_implicitEuler || run.state->account.numerical >= numerical - 1e-9);
        numerical = run.state->account.numerical;
    }
    for (int i = 0; i < run.model->nodeCount; ++i)
    {
        worst = Worse(worst, Distance(PositionOf(&run, i), PositionOf(exact, i)));
    }
    if (run.model->bodies[0].enclosed.method == rsl_hardVolume)
    {
        double volume = rslSolver_Motion(run.solver, run.state, -1).volume;
        assert_close(volume, run.model->bodies[0].enclosed.volume, 1e-9 * volume);
    }
    assert_close(rslSolver_Energy(run.solver, run.state).drift, 0.0, 1e-9);
    EndRun(&run);
    return worst;
}

static void TestMotion(void** state)
{
    (void)state;
    const double time = 0.08, small = 4e-5;
    for (int k = 0; k < KINDS; ++k)
    {
        Thing thing = { 0 };
        MakeThing(&thing, &kinds[k]);
        Run exact = StartRun(&thing.scene, SolverDef(rsl_positionVerlet, small));
        Step(&exact, (int64_t)floor(time / small + 0.5));
        double second[2] = { ErrorOf(&thing, &exact, rsl_trBdf2, 0.008, time),
                             ErrorOf(&thing, &exact, rsl_trBdf2, 0.004, time) };
        double first = ErrorOf(&thing, &exact, rsl_implicitEuler, 0.004, time);
        printf("# %s: tr-bdf2 %.2e %.2e, euler %.2e\n", kinds[k].name, second[0], second[1], first);
        assert_true(second[1] < (kinds[k].order > 1.5 ? 0.35 : 0.6) * second[0]);
        assert_true(second[1] < 0.3 * first);
        EndRun(&exact);
        EndThing(&thing);
    }
}

// ---- momentum, bits, memory -----------------------------------------------------------------------------------------

// Nothing holds it: inner forces add no momentum.
static void TestMomentum(void** state)
{
    (void)state;
    for (int k = 0; k < KINDS; ++k)
    {
        Thing thing = { 0 };
        MakeThing(&thing, &kinds[k]);
        thing.scene.constraintCount = 0;
        thing.scene.gravity = (rslVec3){ 0 };
        thing.body.spin = (rslVec3){ 1.0, 3.0, -2.0 };
        rslSolverDef def = SolverDef(rsl_trBdf2, 1e-3);
        def.tolerance = 1e-9;
        Run run = StartRun(&thing.scene, def);
        Random random = MakeRandom(3);
        for (int i = 0; i < run.model->nodeCount; ++i)
        {
            SetNode(&run, i,
                    rslAdd(PositionOf(&run, i), NextVec3(&random, kinds[k].method == rsl_hardVolume ? 0.0 : 0.005)),
                    VelocityOf(&run, i));
        }
        rslMotion before = rslSolver_Motion(run.solver, run.state, -1);
        Step(&run, 5);
        rslMotion after = rslSolver_Motion(run.solver, run.state, -1);
        double size = rslLength(before.angularMomentum);
        assert_close(Distance(after.momentum, before.momentum), 0.0, 1e-5 * size);
        printf("# %s: angular momentum %.1e\n", kinds[k].name,
               Distance(after.angularMomentum, before.angularMomentum) / size);
        assert_close(Distance(after.angularMomentum, before.angularMomentum), 0.0, 2e-3 * size);
        EndRun(&run);
        EndThing(&thing);
    }
}

static void TestResume(void** state)
{
    (void)state;
    for (int k = 2; k < KINDS; ++k)
    {
        Thing thing = { 0 };
        MakeThing(&thing, &kinds[k]);
        CheckResume(&thing.scene, rsl_trBdf2, 2);
        EndThing(&thing);
    }
}

static void TestMemory(void** state)
{
    (void)state;
    static const int which[2] = { 3, 5 };
    for (int k = 0; k < 2; ++k)
    {
        Thing thing = { 0 };
        MakeThing(&thing, &kinds[which[k]]);
        FailEveryAllocation(&thing.scene, SolverDef(rsl_trBdf2, 1.0 / 60.0), 1);
        EndThing(&thing);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSlopes),    cmocka_unit_test(TestDampers), cmocka_unit_test(TestTurns),
        cmocka_unit_test(TestWhatTurns), cmocka_unit_test(TestMotion),  cmocka_unit_test(TestMomentum),
        cmocka_unit_test(TestResume),    cmocka_unit_test(TestMemory),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
