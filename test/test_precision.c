// SPDX-License-Identifier: MIT
//
// Single precision far away, fast and turning: a block thrown a kilometre, spinning, rings as it does in double.

#include "support.h"

enum
{
    SAMPLES = 40000
};

// A bar that is stretched along its axis at the start, so that its first longitudinal mode rings; its ends are lines of
// nodes whose distance is the signal.
typedef struct Bar
{
    rslModel* model;
    double length;
    int firstEnd, secondEnd;  // a node at each end
} Bar;

static Bar MakeBar(double spacing, int cells, rslVec3 place, rslVec3 velocity, rslVec3 spin)
{
    rslShapeDef shape = BoxShape(cells * spacing, 2.0 * spacing, 2.0 * spacing);
    shape.translate = place;
    rslBodyDef body = LatticeBody("bar", &shape, spacing);
    body.material.young = 4e6;
    body.velocity = velocity;
    body.spin = spin;
    body.surface.enabled = false;
    rslScene scene = SceneOf(&body, 1);
    Bar bar = { .model = Built(&scene, NULL), .length = cells * spacing };
    bar.firstEnd = 0;
    bar.secondEnd = cells;
    return bar;
}

// u = amplitude L sin(pi X / L), the first free-free longitudinal mode to first order.
static void Excite(const Bar* bar, rslState* state, double amplitude)
{
    for (int i = 0; i < bar->model->nodeCount; ++i)
    {
        double X[3];
        rslBody_Rest(&bar->model->bodies[0], i, i + 1, X);
        // the frame is at the middle of the bar
        double u = amplitude * bar->length * rslSin(3.14159265358979 * X[0] / bar->length);
        if (state->precision == rsl_single)
        {
            ((float*)state->displacement[0])[i] = (float)u;
        }
        else
        {
            ((double*)state->displacement[0])[i] = u;
        }
    }
}

static double Length(const Bar* bar, const rslState* state)
{
    double a[3], b[3];
    rslState_Positions(bar->model, state, bar->firstEnd, bar->firstEnd + 1, a);
    rslState_Positions(bar->model, state, bar->secondEnd, bar->secondEnd + 1, b);
    return rslLength((rslVec3){ b[0] - a[0], b[1] - a[1], b[2] - a[2] });
}

typedef struct Ringing
{
    double frequency;  // [Hz], from the first to the last upward crossing of the mean
    double elastic;    // mean of the elastic energy [J]
    double distance;   // travelled [m]
    double astray;     // distance of the centre of mass from its parabola at the end [m]
    double turns;
    int crossings;
} Ringing;

static Ringing Ring(const Bar* bar, rslPrecision precision, int64_t steps, double step, double amplitude)
{
    rslSolverDef def = rslDefaultSolverDef();
    def.precision = precision;
    def.step = step;
    def.threads = 1;
    rslSolver* solver = SolverOf(bar->model, &def);
    rslState* state = StateOf(bar->model, precision);
    Excite(bar, state, amplitude);
    rslVec3 start = rslSolver_Motion(solver, state, 0).centre;
    int64_t each = steps / SAMPLES > 0 ? steps / SAMPLES : 1;
    int count = (int)(steps / each);
    double* signal = calloc((size_t)count, sizeof(double));
    assert_non_null(signal);
    Ringing ringing = { 0 };
    double mean = 0.0;
    for (int n = 0; n < count; ++n)
    {
        assert_int_equal(rslSolver_Step(solver, state, each), rsl_ok);
        signal[n] = Length(bar, state);
        mean += signal[n] / count;
        ringing.elastic += rslSolver_Energy(solver, state).springs / count;
    }
    double first = 0.0, last = 0.0;
    for (int n = 1; n < count; ++n)
    {
        if (signal[n - 1] < mean && signal[n] >= mean)
        {
            double at = n - (signal[n] - mean) / (signal[n] - signal[n - 1]);
            first = ringing.crossings == 0 ? at : first;
            last = at;
            ringing.crossings += 1;
        }
    }
    ringing.frequency = (ringing.crossings - 1) / ((last - first) * (double)each * state->step);
    double t = rslState_Time(state);
    rslVec3 moved = rslSub(rslSolver_Motion(solver, state, 0).centre, start);
    rslVec3 path = rslMulAdd(rslScale(t, bar->model->bodies[0].frame.velocity), 0.5 * t * t, bar->model->gravity);
    ringing.distance = rslLength(moved);
    ringing.astray = rslLength(rslSub(moved, path));
    rslVec3 spin = bar->model->bodies[0].spin;
    ringing.turns = rslLength(spin) / 6.283185307179586 * rslState_Time(state);
    free(signal);
    rslState_Free(state);
    rslSolver_Free(solver);
    return ringing;
}

static double Relative(double a, double b)
{
    return fabs(a - b) / fabs(b);
}

// 100 m/s for 10 s, ten turns a second.
static void ThrownAKilometre(void** unused)
{
    (void)unused;
    rslVec3 velocity = { 80.0, 60.0, 0.0 }, spin = { 0.0, 0.0, 3600.0 };
    int cells = Proving() ? 20 : 6;
    int64_t steps = Proving() ? 100000 : 20000;
    Bar bar = MakeBar(0.02, cells, (rslVec3){ 0.0, 0.0, 0.0 }, velocity, spin);
    double step = 1e-4;
    Ringing wide = Ring(&bar, rsl_double, steps, step, 0.004);
    Ringing narrow = Ring(&bar, rsl_single, steps, step, 0.004);
    assert_true(wide.crossings > 50);
    assert_int_equal(narrow.crossings, wide.crossings);
    if (Proving())
    {
        assert_true(wide.distance > 990.0 && wide.turns > 99.0);
    }
    assert_proved("thrown block, single against double: first frequency", Relative(narrow.frequency, wide.frequency),
                  1e-3);
    assert_proved("thrown block, single against double: elastic energy", Relative(narrow.elastic, wide.elastic), 1e-3);
    assert_at_most(wide.astray, 1e-9 * wide.distance);
    assert_proved("thrown block, single: distance from its parabola over the length of it",
                  narrow.astray / narrow.distance, 1e-6);
    print_message("frequency %.6g and %.6g Hz, elastic energy %.6g and %.6g J, %.4g m, %.4g turns\n", narrow.frequency,
                  wide.frequency, narrow.elastic, wide.elastic, wide.distance, wide.turns);
    rslModel_Free(bar.model);
}

// A body at 100 km that turns a hundred times holds the elastic energy of its spin and nothing else.
static void FarAndTurning(void** unused)
{
    (void)unused;
    static const rslVec3 axes[2] = { { 0.0, 0.0, 1.0 }, { 1.0, 0.0, 0.0 } };  // across the bar, and along it
    double worst = 0.0;
    for (int a = 0; a < 2; ++a)
    {
        double turns = Proving() ? 100.0 : 10.0, rate = 20.0;  // turns a second
        Bar bar = MakeBar(0.02, 6, (rslVec3){ 1e5, -5e4, 2e4 }, (rslVec3){ 0 }, rslScale(360.0 * rate, axes[a]));
        int64_t steps = (int64_t)(turns / rate / 1e-4);
        Ringing wide = Ring(&bar, rsl_double, steps, 1e-4, 0.0);
        Ringing narrow = Ring(&bar, rsl_single, steps, 1e-4, 0.0);
        print_message("elastic energy %.6g and %.6g J after %.4g turns\n", narrow.elastic, wide.elastic, wide.turns);
        worst = Worse(worst, Relative(narrow.elastic, wide.elastic));
        rslModel_Free(bar.model);
    }
    assert_proved("100 km away, turning, single against double: elastic energy", worst, 1e-3);
}

// Far away and thrown without a spin nothing happens at all: no false strain, in lattices and in networks.
static void RestStaysRest(void** unused)
{
    (void)unused;
    for (int p = 0; p < 4; ++p)
    {
        rslShapeDef shape = BoxShape(0.3, 0.2, 0.2);
        shape.translate = (rslVec3){ 1e5 + 0.1, -1e5 / 3.0, 7e4 };
        rslBodyDef body = LatticeBody("block", &shape, 0.1 / 3.0);
        body.network.orientation = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 33.0 };
        if (p >= 2)
        {
            body = GridBody("sheet", 0.3, 0.2, 7, 5);
            body.network.rotate = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 33.0 };
            body.network.translate = (rslVec3){ 1e5 + 0.1, -1e5 / 3.0, 7e4 };
        }
        body.velocity = (rslVec3){ 100.0, 0.0, 0.0 };
        rslScene scene = SceneOf(&body, 1);
        scene.gravity = (rslVec3){ 0 };
        rslModel* model = Built(&scene, NULL);
        rslSolverDef def = rslDefaultSolverDef();
        def.precision = p % 2 ? rsl_double : rsl_single;
        def.threads = 1;
        rslSolver* solver = SolverOf(model, &def);
        rslState* state = StateOf(model, def.precision);
        assert_int_equal(rslSolver_Step(solver, state, 1000), rsl_ok);
        // as a strain: the energy over that of a strain of one
        double volume = model->bodies[0].volume;
        double strain = sqrt(rslSolver_Energy(solver, state).springs / (0.5 * 1e5 * volume));
        assert_at_most(strain, p % 2 ? 1e-15 : 1e-7);
        rslState_Free(state);
        rslSolver_Free(solver);
        rslModel_Free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ThrownAKilometre),
        cmocka_unit_test(FarAndTurning),
        cmocka_unit_test(RestStaysRest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
