// SPDX-License-Identifier: MIT
//
// test_volume.c: volumes that are kept. The set-up of most tests: a ball of 2 n^2 triangles, or one stretched by 1.5, of mass 1,
// with springs of 20 N/m and dampers of 0.05 N s/m along its edges and a mass damping of 2/s, pressed along y by 2 N on
// its caps; steps of 1 ms.

#include "term_bench.h"

enum
{
    METHODS = 4
};

// ---- the set-up -----------------------------------------------------------------------------------------------------

typedef struct Press
{
    int n;
    double tall;  // along y
    rslVolumeDef volume;
    double load, loaded, duration, step;  // [N], [s]
    double massDamping, damper;
} Press;

typedef struct Pressed
{
    rslStatus status;
    double worst, middle, last;  // |V / V0 - 1|: at all 32 samples, while loaded, at the end
    double height;               // while loaded, over that at rest
    double away;                 // the most that a vertex is nearer to the centre or farther at the end than at rest
    double momentum, spin;       // of the free body at the end
} Pressed;

static Press UsualPress(double tall, rslVolumeDef volume)
{
    Press press = { 24, tall, volume, 2.0, 6.0, 12.0, 1e-3, 2.0, 0.05 };
    if (!Proving())
    {
        press.loaded = 0.5;
        press.duration = 0.96;
    }
    return press;
}

static rslModel* PressModel(const Press* press, Hull* hull)
{
    double mass, stiffness = 20.0, damping = press->damper;
    *hull = RoundHull(press->n, press->n, (rslVec3){ 1.0, press->tall, 1.0 }, false);
    mass = 1.0 / hull->vertexCount;
    rslBodyDef body = HullBody("ball", hull, &mass, &stiffness, &damping);
    body.volume = press->volume;
    body.material.massDamping = press->massDamping;
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    return Built(&scene, NULL);
}

// By the areas around the vertices of the caps.
static double* CapForces(const Press* press, const Hull* hull)
{
    double* share = calloc(4 * (size_t)hull->vertexCount, sizeof(double));
    double *forces = share + hull->vertexCount, sum = 0.0;
    assert_non_null(share);
    for (int t = 0; t < hull->triangleCount; ++t)
    {
        const int* corner = &hull->triangles[3 * t];
        rslVec3 x[3];
        for (int c = 0; c < 3; ++c)
        {
            const double* v = &hull->vertices[3 * corner[c]];
            x[c] = (rslVec3){ v[0], v[1], v[2] };
        }
        double area = rslLength(rslCross(rslSub(x[1], x[0]), rslSub(x[2], x[0])));
        for (int c = 0; c < 3; ++c)
        {
            share[corner[c]] += area;
        }
    }
    for (int v = 0; v < hull->vertexCount; ++v)
    {
        share[v] = fabs(hull->vertices[3 * v + 1]) > 0.9 * press->tall ? share[v] : 0.0;
        sum += 0.5 * share[v];
    }
    for (int v = 0; v < hull->vertexCount; ++v)
    {
        forces[3 * v + 1] = -copysign(press->load * share[v] / sum, hull->vertices[3 * v + 1]);
    }
    return share;
}

static double HeightOf(const rslModel* model, const rslState* state)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double x[3];
        rslState_Positions(model, state, i, i + 1, x);
        low = fmin(low, x[1]);
        high = fmax(high, x[1]);
    }
    return high - low;
}

static double Away(const rslModel* model, const rslState* state, const Hull* hull, rslVec3 centre)
{
    double worst = 0.0;
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double x[3];
        const double* rest = &hull->vertices[3 * i];
        rslState_Positions(model, state, i, i + 1, x);
        double now = rslLength(rslSub((rslVec3){ x[0], x[1], x[2] }, centre));
        worst = Worse(worst, fabs(now - rslLength((rslVec3){ rest[0], rest[1], rest[2] })));
    }
    return worst;
}

static Pressed RunPress(const Press* press)
{
    Hull hull;
    rslModel* model = PressModel(press, &hull);
    rslSolverDef def = rslDefaultSolverDef();
    def.integrator = rsl_symplecticEuler;
    def.step = press->step;
    def.threads = 1;
    rslSolver* solver = SolverOf(model, &def);
    rslState* state = StateOf(model, rsl_double);
    double *share = CapForces(press, &hull), *forces = share + hull.vertexCount;
    int samples = 32, each = (int)floor(press->duration / press->step / samples + 0.5);
    double rest = model->bodies[0].enclosed.volume, height = HeightOf(model, state);
    Pressed out = { 0 };
    for (int s = 1; s <= samples && out.status == rsl_ok; ++s)
    {
        rslSolver_SetForces(solver, (s - 1) * each * press->step < press->loaded - 1e-9 ? forces : NULL);
        out.status = rslSolver_Step(solver, state, each);
        rslMotion motion = rslSolver_Motion(solver, state, 0);
        double error = fabs(motion.volume / rest - 1.0);
        out.worst = Worse(out.worst, error);
        out.middle = s == samples / 2 ? error : out.middle;
        out.height = s == samples / 2 ? HeightOf(model, state) / height : out.height;
        out.last = error;
        out.momentum = rslLength(motion.momentum);
        out.spin = rslLength(motion.angularMomentum);
        out.away = Away(model, state, &hull, motion.centre);
    }
    free(share);
    FreeHull(&hull);
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
    return out;
}

// ---- accuracy -------------------------------------------------------------------------------------------------------

// 578 vertices and 1152 triangles hold 4.1247777978 with n = 24; all shares sum up to the number of triangles.
static void Measures(void** unused)
{
    (void)unused;
    Press press = UsualPress(1.0, Volume(rsl_implicitVolume, 1.0));
    press.n = 24;
    Hull hull;
    rslModel* model = PressModel(&press, &hull);
    const rslEnclosed* enclosed = &model->bodies[0].enclosed;
    assert_int_equal(model->nodeCount, 578);
    assert_int_equal(enclosed->triangleCount, 1152);
    assert_close(enclosed->volume, 4.1247777978, 1e-9);
    double sum = 0.0, least = INFINITY, most = 0.0, squares = 0.0;
    for (int v = 0; v < 578; ++v)
    {
        sum += enclosed->share[v];
        squares += enclosed->share[v] * enclosed->share[v];
        least = fmin(least, enclosed->share[v]);
        most = fmax(most, enclosed->share[v]);
    }
    assert_close(sum, 1152.0, 1e-9);
    assert_close(least, 0.375, 5e-4);
    assert_close(most, 3.014, 5e-4);
    // 12 m / (h^2 sum c^2) = 7.60
    double limit = rslBody_VolumeLimit(&model->bodies[0], 1e-3);
    assert_close(limit, 12.0 / 578.0 * 1e6 / squares, 1e-9 * limit);
    assert_close(limit, 7.60, 0.005);
    FreeHull(&hull);
    rslModel_Free(model);
}

// A ball and an ellipsoid pressed and let go: how much the volume is off at 32 moments.
static void Accuracy(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    static const struct
    {
        const char* name;
        rslVolumeMethod method;
        double stiffness, bar[2];
    } rows[METHODS] = {
        { "explicit, K = 100", rsl_explicitVolume, 100.0, { 1e-3, 1e-3 } },
        { "implicit, K = 1", rsl_implicitVolume, 1.0, { 5e-3, 1.5e-2 } },
        { "pressure, kv = 1000", rsl_pressureVolume, 1000.0, { 2e-3, 2e-3 } },
        { "hard", rsl_hardVolume, 0.0, { 1e-10, 1e-10 } },
    };
    for (int r = 0; r < METHODS; ++r)
    {
        for (int tall = 0; tall < 2; ++tall)
        {
            Press press = UsualPress(tall ? 1.5 : 1.0, Volume(rows[r].method, rows[r].stiffness));
            Pressed out = RunPress(&press);
            char text[160];
            snprintf(text, sizeof text, "volume, %s, %s", rows[r].name, tall ? "ellipsoid" : "ball");
            assert_int_equal(out.status, rsl_ok);
            assert_proved(text, out.worst, rows[r].bar[tall]);
            if (Proving())
            {
                printf(
                    "# %s: max %.2g, at 16 %.2g, at 32 %.2g, height %.3f, away at the end %.2g, momentum %.1g, %.1g\n",
                    text, out.worst, out.middle, out.last, out.height, out.away, out.momentum, out.spin);
            }
            // it was pressed visibly, comes back, and is not moved by forces of its own
            assert_true(out.height < (rows[r].method == rsl_implicitVolume ? 0.9 : 0.95));
            assert_true(!Proving() || out.away < 2e-2);
            assert_at_most(out.momentum, 1e-12);
        }
    }
}

// A tenth of the stiffness makes ten times the error, three times the load about three times; but implicit volume answers lengths.
static void StiffnessAndLoad(void** unused)
{
    (void)unused;
    static const struct
    {
        const char* name;
        rslVolumeMethod method;
        double stiffness, load, least, most;
    } rows[] = {
        { "explicit, K = 10, 2 N", rsl_explicitVolume, 10.0, 2.0, 4e-3, 8e-3 },
        { "explicit, K = 1000, 2 N", rsl_explicitVolume, 1000.0, 2.0, 4e-5, 1e-4 },
        { "implicit, K = 0.1, 2 N", rsl_implicitVolume, 0.1, 2.0, 1e-3, 2e-2 },
        { "pressure, kv = 1e4, 2 N", rsl_pressureVolume, 1e4, 2.0, 1e-4, 2e-4 },
        { "explicit, K = 100, 6 N", rsl_explicitVolume, 100.0, 6.0, 1e-3, 2.5e-3 },
        { "implicit, K = 1, 6 N", rsl_implicitVolume, 1.0, 6.0, 1e-2, 6e-2 },
        { "pressure, kv = 1000, 6 N", rsl_pressureVolume, 1000.0, 6.0, 2e-3, 5e-3 },
    };
    for (int r = 0; Proving() && r < (int)(sizeof rows / sizeof rows[0]); ++r)
    {
        Press press = UsualPress(1.0, Volume(rows[r].method, rows[r].stiffness));
        press.load = rows[r].load;
        Pressed out = RunPress(&press);
        char text[160];
        snprintf(text, sizeof text, "volume, %s, ball", rows[r].name);
        assert_int_equal(out.status, rsl_ok);
        assert_proved(text, out.worst, rows[r].most);
        assert_true(out.worst > rows[r].least);
    }
}

// ---- stability ------------------------------------------------------------------------------------------------------

static void Limits(void** unused)
{
    (void)unused;
    skip_when_sanitized();
    static const rslVolumeMethod methods[3] = { rsl_explicitVolume, rsl_implicitVolume, rsl_pressureVolume };
    static const char* const names[3] = { "explicit", "implicit", "pressure" };
    for (int m = 0; m < 3; ++m)
    {
        for (int tall = 0; tall < 2; ++tall)
        {
            Press press = UsualPress(tall ? 1.5 : 1.0, Volume(methods[m], 1.0));
            Hull hull;
            rslModel* model = PressModel(&press, &hull);
            double limit = rslBody_VolumeLimit(&model->bodies[0], press.step);
            double area = model->bodies[0].enclosed.area, volume = model->bodies[0].enclosed.volume;
            // what the formulas are where areas and masses are alike
            double alike = methods[m] == rsl_explicitVolume ? 4.0 / hull.vertexCount / (press.step * press.step)
                                                            : 4.0 * volume / (press.step * area * press.step * area);
            assert_true(methods[m] == rsl_implicitVolume || fabs(limit / alike - 1.0) < 0.25);
            FreeHull(&hull);
            rslModel_Free(model);
            press.duration = Proving() ? 6.0 : 0.32;
            press.loaded = 0.5 * press.duration;
            press.volume.stiffness = 0.85 * limit;
            assert_int_equal(RunPress(&press).status, rsl_ok);
            press.volume.stiffness = 1.1 * limit;
            rslStatus above = RunPress(&press).status;
            char text[120];
            snprintf(text, sizeof text, "volume, %s, %s: stable at 0.85, not at 1.1 of the limit %.4g", names[m],
                     tall ? "ellipsoid" : "ball", limit);
            assert_proved(text, above == rsl_diverged ? 0.0 : 1.0, 0.0);
        }
    }
}

// The step that is found knows the stiffness of the volume.
static void StableSteps(void** unused)
{
    (void)unused;
    static const rslVolumeMethod methods[3] = { rsl_explicitVolume, rsl_implicitVolume, rsl_pressureVolume };
    for (int m = 0; m < 3; ++m)
    {
        Press press = { 8, 1.0, Volume(methods[m], 1.0), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 };
        for (int stiff = 0; stiff < 2; ++stiff)
        {
            Hull hull;
            rslModel* model = PressModel(&press, &hull);
            rslSolverDef def = rslDefaultSolverDef();
            rslSolver* solver = SolverOf(model, &def);
            double step = rslSolver_Stability(solver).stableStep;
            double most = rslBody_VolumeLimit(&model->bodies[0], step);
            assert_true(press.volume.stiffness <= most);
            if (stiff)
            {
                assert_at_most(most, 1.15 * press.volume.stiffness);  // almost alone it decides
            }
            press.volume.stiffness = 1e3 * most;
            rslSolver_Free(solver);
            rslModel_Free(model);
            FreeHull(&hull);
        }
    }
}

// Volume almost alone, and masses that differ: the explicit method takes from some motions what it gives to others, whatever
// motion the search begins with.
static void StableStepsAlone(void** unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 12; ++seed)
    {
        Random random = MakeRandom(seed);
        Hull hull = RoundHull(8, 6, (rslVec3){ 0.05, 0.1, 0.03 }, false);
        double masses[50], soft = 1e-3;
        assert_int_equal(hull.vertexCount, 50);
        for (int i = 0; i < 50; ++i)
        {
            masses[i] = NextBetween(&random, 0.002, 0.022);
        }
        rslBodyDef body = HullBody("balloon", &hull, masses, &soft, NULL);
        body.network.massCount = 50;
        body.volume = (rslVolumeDef){ .method = rsl_explicitVolume, .stiffness = 3e4, .centres = 1 };
        rslScene scene = rslDefaultScene();
        scene.bodies = &body;
        scene.bodyCount = 1;
        rslModel* model = Built(&scene, NULL);
        rslSolverDef def = rslDefaultSolverDef();
        rslSolver* solver = SolverOf(model, &def);
        double step = rslSolver_Stability(solver).stableStep;
        assert_true(isfinite(step));
        double most = rslBody_VolumeLimit(&model->bodies[0], step);
        assert_true(most >= 0.99 * 3e4 && most <= 1.15 * 3e4);
        rslSolver_Free(solver);
        rslModel_Free(model);
        FreeHull(&hull);
    }
}

// ---- the explicit force ---------------------------------------------------------------------------------------------

static rslModel* BuildExplicitVolume(void)
{
    rslVolumeDef volume = { .method = rsl_explicitVolume, .stiffness = 700.0, .radial = 300.0, .centres = 1 };
    return BuildHull(RoundHull(5, 3, (rslVec3){ 0.3, 0.4, 0.35 }, false), volume);
}

// Its stiffness is the slope of its force and not symmetric; sum and torque vanish.
static void ExplicitForce(void** unused)
{
    (void)unused;
    static const Case one = { "explicit volume", BuildExplicitVolume, 10.0, true, false };
    for (uint64_t seed = 1; seed <= 5; ++seed)
    {
        Bench bench = MakeBench(&one, seed);
        bench.term = &rslVolumeTerm64;
        Random random = MakeRandom(seed);
        Vector p = MakeVector(&bench), q = MakeVector(&bench), out = MakeVector(&bench), slope = MakeVector(&bench);
        Vector force = MakeVector(&bench);
        Randomize(&bench, &p, 1.0, &random);
        Randomize(&bench, &q, 1.0, &random);
        ProductAt(&bench, bench.term->stiffness, &p, &out);
        double h = 1e-5, skew = Dot(&bench, &q, &out), size = sqrt(Dot(&bench, &q, &q) * Dot(&bench, &out, &out));
        for (int side = -1; side <= 1; side += 2)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                for (int i = 0; i < bench.model->nodeCount; ++i)
                {
                    bench.view.u[axis][i] += side * h * p.at[axis][i];
                }
            }
            ForceAt(&bench, &force);
            for (int axis = 0; axis < 3; ++axis)
            {
                for (int i = 0; i < bench.model->nodeCount; ++i)
                {
                    slope.at[axis][i] -= side * force.at[axis][i] / (2.0 * h);
                    bench.view.u[axis][i] -= side * h * p.at[axis][i];
                }
            }
        }
        assert_at_most(Difference(&bench, &out, &slope), 1e-6);
        ProductAt(&bench, bench.term->stiffness, &q, &out);
        skew -= Dot(&bench, &p, &out);
        assert_true(fabs(skew) > 1e-3 * size);
        ForceAt(&bench, &force);
        rslVec3 sum = { 0 }, torque = { 0 };
        for (int i = 0; i < bench.model->nodeCount; ++i)
        {
            rslVec3 f = { force.at[0][i], force.at[1][i], force.at[2][i] };
            rslVec3 x = rslKernel_RestOf64(bench.kernel, 0, i);
            x = rslAdd(x, (rslVec3){ bench.view.u[0][i], bench.view.u[1][i], bench.view.u[2][i] });
            sum = rslAdd(sum, f);
            torque = rslAdd(torque, rslCross(x, f));
        }
        double scale = Largest(&bench, &force);
        assert_at_most(rslLength(sum), 1e-13 * scale);
        assert_at_most(rslLength(torque), 1e-13 * scale);
        FreeVector(&force);
        FreeVector(&slope);
        FreeVector(&out);
        FreeVector(&q);
        FreeVector(&p);
        FreeBench(&bench);
    }
}

// ---- surfaces -------------------------------------------------------------------------------------------------------

static rslStatus BuildOf(Hull* hull, rslVolumeDef volume, rslModel** model, const char* expected)
{
    double mass = 1.0, stiffness = 1.0;
    rslBodyDef body = HullBody("hull", hull, &mass, &stiffness, NULL);
    body.volume = volume;
    if (hull->triangleCount == 0)
    {
        body.network.springsFrom = rsl_listedSprings;
        body.network.springs = hull->triangles;  // one, between two nodes
        body.network.springCount = 1;
    }
    rslScene scene = SceneOf(&body, 1);
    rslReport report = { 0 };
    rslStatus status = rslModel_Build(&scene, NULL, model, &report);
    if (expected == NULL && status != rsl_ok)
    {
        PrintReport(&report);
    }
    if (expected != NULL)
    {
        char text[1200] = { 0 };
        for (int i = 0; i < report.count && strstr(text, expected) == NULL; ++i)
        {
            rslReport_Format(&report, i, text, sizeof text);
        }
        if (strstr(text, expected) == NULL)
        {
            print_error("expected '%s', found '%s'\n", expected, text);
            fail();
        }
    }
    return status;
}

static void NotEnclosing(Hull hull, rslVolumeDef volume, const char* expected)
{
    rslModel* model = NULL;
    assert_int_equal(BuildOf(&hull, volume, &model, expected), rsl_badInput);
    assert_null(model);
    FreeHull(&hull);
}

static void BadSurfaces(void** unused)
{
    (void)unused;
    rslVec3 one = { 1.0, 1.0, 1.0 };
    rslVolumeDef pressure = Volume(rsl_pressureVolume, 1.0), explicit = Volume(rsl_explicitVolume, 1.0);
    NotEnclosing(RoundHull(8, 4, one, true), pressure, "edges of only one triangle (8,");
    Hull hull = RoundHull(8, 4, one, false);
    int kept = hull.triangles[0];
    hull.triangles[0] = hull.triangles[1];
    hull.triangles[1] = kept;
    NotEnclosing(hull, pressure, "face opposite ways");
    NotEnclosing(RoundHull(8, 4, (rslVec3){ 1.0, 1e-16, 1.0 }, true),
                 (rslVolumeDef){ .method = rsl_hardVolume, .centres = 1, .base = rsl_fanBase }, "it is flat");
    hull = RoundHull(8, 4, one, false);
    for (int axis = 0; axis < 3; ++axis)
    {
        hull.vertices[3 + axis] = hull.vertices[axis];  // a vertex on its neighbour
    }
    NotEnclosing(hull, pressure, "has no area");
    hull = MakeHull(2, 1);
    AddCorner(&hull, 0.0, 0.0, 0.0);
    AddCorner(&hull, 1.0, 0.0, 0.0);
    hull.triangles[1] = 1;
    NotEnclosing(hull, pressure, "has no surface that encloses a volume");
    hull = RoundHull(8, 4, one, false);
    for (int t = 0; t < hull.triangleCount; ++t)
    {
        kept = hull.triangles[3 * t];
        hull.triangles[3 * t] = hull.triangles[3 * t + 1];
        hull.triangles[3 * t + 1] = kept;
    }
    NotEnclosing(hull, pressure, "it faces inwards");
    NotEnclosing(RingHull(24, 8, 1.0, 0.3), explicit, "not star-shaped about its centre of mass");
    NotEnclosing(RingHull(24, 8, 1.0, 0.3),
                 (rslVolumeDef){ .method = rsl_explicitVolume, .stiffness = 1.0, .centres = 2 },
                 "not star-shaped about its centres");
}

// A ring is seen from many centres; a dome on a table has a base.
static void OddSurfaces(void** unused)
{
    (void)unused;
    Hull ring = RingHull(24, 8, 1.0, 0.15);
    rslModel* model = NULL;
    rslVolumeDef volume = { .method = rsl_implicitVolume, .stiffness = 1.0, .centres = 12 };
    assert_int_equal(BuildOf(&ring, volume, &model, NULL), rsl_ok);
    int counts[12] = { 0 };
    for (int v = 0; v < ring.vertexCount; ++v)
    {
        counts[model->bodies[0].enclosed.centreOf[v]] += 1;
    }
    for (int k = 0; k < 12; ++k)
    {
        assert_true(counts[k] > 0);
    }
    rslModel_Free(model);
    FreeHull(&ring);

    Hull dome = RoundHull(16, 8, (rslVec3){ 1.0, 1.0, 1.0 }, true),
         ball = RoundHull(16, 15, (rslVec3){ 1.0, 1.0, 1.0 }, false);
    rslModel* whole = NULL;
    volume = (rslVolumeDef){ .method = rsl_explicitVolume, .stiffness = 1.0, .centres = 1, .base = rsl_fanBase };
    assert_int_equal(BuildOf(&dome, volume, &model, NULL), rsl_ok);
    assert_int_equal(BuildOf(&ball, volume, &whole, NULL), rsl_ok);
    const rslEnclosed *half = &model->bodies[0].enclosed, *all = &whole->bodies[0].enclosed;
    assert_int_equal(half->loopCount, 1);
    assert_int_equal(half->triangleCount, dome.triangleCount + 16);
    assert_close(half->volume, 0.5 * all->volume, 1e-12);
    assert_close(half->area, 0.5 * all->area, 1e-12);
    rslModel_Free(model);
    rslModel_Free(whole);
    FreeHull(&dome);
    FreeHull(&ball);
}

// Pressed far too hard, a ball without any stiffness of its volume worth naming turns inside out: a clean end that says so.
static void InsideOut(void** unused)
{
    (void)unused;
    Press press = UsualPress(1.0, Volume(rsl_implicitVolume, 1e-6));
    press.n = 12;
    press.load = 12.0;
    press.volume.radial = 1e-6;
    Hull hull;
    rslModel* model = PressModel(&press, &hull);
    rslSolverDef def = rslDefaultSolverDef();
    def.integrator = rsl_symplecticEuler;
    def.step = 1e-3;
    rslSolver* solver = SolverOf(model, &def);
    rslState* state = StateOf(model, rsl_double);
    double* share = CapForces(&press, &hull);
    rslSolver_SetForces(solver, share + hull.vertexCount);
    assert_int_equal(rslSolver_Step(solver, state, 6000), rsl_diverged);
    rslDivergence d = rslSolver_Divergence(solver);
    assert_int_equal(d.collapsedBody, 0);
    assert_false(d.nonFinite);
    assert_true(d.collapsedNode >= 0 || d.volume <= 0.0);
    assert_non_null(rslSolver_LastGood(solver));
    free(share);
    FreeHull(&hull);
    rslState_Free(state);
    rslSolver_Free(solver);
    rslModel_Free(model);
}

// Nothing holds them, and there is nothing to lie on (test_relax.c has what there is).
static void Rest(void** unused)
{
    (void)unused;
    for (int m = 0; m < METHODS; ++m)
    {
        Press press = UsualPress(1.0, Volume((rslVolumeMethod)(rsl_explicitVolume + m), m == 2 ? 1000.0 : 1.0));
        press.n = 8;
        Hull hull;
        rslModel* model = PressModel(&press, &hull);
        rslSolverDef def = rslDefaultSolverDef();
        def.integrator = rsl_static;
        rslSolver* solver = NULL;
        rslReport report = { 0 };
        assert_int_equal(rslSolver_Create(model, &def, NULL, &solver, &report), rsl_badInput);
        assert_true(HasMessage(&report, rsl_error, def.place, "is not held"));
        rslModel_Free(model);
        FreeHull(&hull);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Measures),      cmocka_unit_test(Accuracy),    cmocka_unit_test(StiffnessAndLoad),
        cmocka_unit_test(Limits),        cmocka_unit_test(StableSteps), cmocka_unit_test(StableStepsAlone),
        cmocka_unit_test(ExplicitForce), cmocka_unit_test(BadSurfaces), cmocka_unit_test(OddSurfaces),
        cmocka_unit_test(InsideOut),     cmocka_unit_test(Rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
