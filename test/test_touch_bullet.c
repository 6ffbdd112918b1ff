// SPDX-License-Identifier: MIT
//
// test_touch_bullet.c: a bullet at a sheet one cell thick, at 1, 10 and 100 cells in a step: it never gets through. Nor does what else might:
// plates that strike, and sheets that fall edge-on.

#include "contact_scene.h"

#define CELL 0.05

typedef struct Shot
{
    double cells;  // in a step
    double mass;   // of the bullet, in masses of a node
    double tilt;   // off the normal [deg]
    double restitution;
    bool fromBehind;
    int seed;
    double young;         // of the sheet [Pa]
    double radius;        // of the bullet, in cells
    const char* model;    // of the sheet
    const char* network;  // likewise
} Shot;

// A sheet of 8 x 8 x 1 cells with its rim held, and a node with a small sphere in front of it.
static Run StartShot(const Shot* shot, double step)
{
    Random random = MakeRandom((uint64_t)shot->seed);
    double side = shot->fromBehind ? -1.0 : 1.0, speed = shot->cells * CELL / step, tilt = shot->tilt * PI / 180.0;
    double vx = speed * sin(tilt), vz = -side * speed * cos(tilt);
    // it reaches the sheet, at a random place near the middle, in a step and a half
    double x = NextBetween(&random, -0.08, 0.08), y = NextBetween(&random, -0.08, 0.08);
    double ahead = (1.0 + NextBetween(&random, 0.1, 0.9)) * step;
    Scene s = { 0 };
    Write(
        &s,
        "gravity: [0, 0, 0]\ncontact: {bodies: all, restitution: %g, friction: 0.3}\ntime: {duration: 1, step: %.17g}\n"
        "bodies:\n  - {name: sheet, model: %s, shape: {type: box, size: [%g, %g, %g]}, network: {type: %s, "
        "spacing: %g}, material: {young: %g, poisson: 0.25, density: 1000, stiffness_damping: 1e-3}}\n"
        "  - {name: bullet, model: springs, network: {type: explicit, nodes: [[%.17g, %.17g, %.17g]], masses: %.17g}, "
        "skin: spheres, radius: %g, velocity: [%.17g, 0, %.17g]}\n"
        "constraints:\n",
        shot->restitution, step, shot->model, 8.0 * CELL, 8.0 * CELL, CELL, shot->network, CELL, shot->young,
        x - vx * ahead, y, side * (0.5 + 2.0 * shot->radius) * CELL - vz * ahead,
        shot->mass * 1000.0 * CELL * CELL * CELL, shot->radius * CELL, vx, vz);
    // sides along x without their corners, which those along y have
    for (int i = 0; i < 4; ++i)
    {
        double low = i % 2 == 0 ? 3.9 : -4.1, high = i % 2 == 0 ? 4.1 : -3.9, half = i < 2 ? 4.1 : 3.9;
        Write(&s, "  - {type: pin, nodes: {body: sheet, type: box, min: [%g, %g, -1], max: [%g, %g, 1]}}\n",
              CELL * (i < 2 ? low : -half), CELL * (i < 2 ? -half : low), CELL * (i < 2 ? high : half),
              CELL * (i < 2 ? half : high));
    }
    return Start(&s);
}

// Was it on the other side of the sheet, inside of its rim, at any step?
static bool Passes(const Shot* shot, int steps)
{
    double step = 1e-4, side = shot->fromBehind ? -1.0 : 1.0;
    Run run = StartShot(shot, step);
    int bullet = run.model->bodies[1].firstNode;
    bool through = false;
    for (int k = 0; k < steps && !through; ++k)
    {
        rslStatus status = rslSolver_Step(run.solver, run.state, 1);
        assert_true(status == rsl_ok || status == rsl_diverged);
        rslVec3 x = PositionOf(&run, bullet);
        SkinPoints sheet = SkinOf(&run, 0);
        bool beside = fabs(x.x) > 4.0 * CELL || fabs(x.y) > 4.0 * CELL;
        // below all of the sheet, or inside of it
        double lowest = INFINITY;
        for (int v = 0; v < sheet.skin->vertexCount; ++v)
        {
            lowest = fmin(lowest, side * sheet.at[v].z);
        }
        through = !beside && (side * x.z < lowest || DepthIn(&sheet, x) > 1e-9);
        free(sheet.at);
        if (beside || status != rsl_ok)
        {
            break;
        }
    }
    EndRun(&run);
    return through;
}

static bool GoesThrough(const Shot* shot, int steps)
{
    bool through = Passes(shot, steps);
    if (through)
    {
        print_error("through: %g cells, mass %g, %g degrees, e %g, behind %d, seed %d, E %g, radius %g, %s of a %s\n",
                    shot->cells, shot->mass, shot->tilt, shot->restitution, shot->fromBehind, shot->seed, shot->young,
                    shot->radius, shot->model, shot->network);
    }
    return through;
}

static Shot PlainShot(double cells, int n)
{
    static const double masses[] = { 1.0, 20.0 }, tilts[] = { 0.0, 40.0 };
    return (Shot){ .cells = cells,
                   .mass = masses[n % 2],
                   .tilt = tilts[n / 2 % 2],
                   .restitution = n / 4 % 2 == 0 ? 0.0 : 0.5,
                   .fromBehind = n / 8 % 2 == 1,
                   .seed = 1 + n / 16,
                   .young = 1e5,
                   .radius = 0.1,
                   .model = "springs",
                   .network = "lattice" };
}

static void ShootAt(double cells)
{
    static const int few[] = { 0, 1, 25 };
    int passed = 0, shots = Proving() ? 48 : cells == 1.0 ? 3 : 1;
    for (int n = 0; n < shots; ++n)
    {
        Shot shot = PlainShot(cells, Proving() ? n : few[n]);
        passed += GoesThrough(&shot, Proving() || few[n] == 25 ? 60 : 12);
    }
    char what[96];
    snprintf(what, sizeof what, "bullet at %g cells a step: through, of %d", cells, shots);
    assert_proved(what, passed, 0);
}

// The 25th draws the sheet out into a funnel forty cells deep, which is turned inside out beside the bullet.
static void Bullets(void** unused)
{
    (void)unused;
    ShootAt(1.0);
}

static void FastBullets(void** unused)
{
    (void)unused;
    ShootAt(10.0);
}

static void FasterBullets(void** unused)
{
    (void)unused;
    ShootAt(100.0);
}

// Of every kind: heavier and larger ones, sheets that are softer, stiffer, of finite elements and tetrahedra.
static void OtherBullets(void** unused)
{
    (void)unused;
    static const double cells[] = { 0.3, 1.0, 3.0, 10.0, 100.0 }, masses[] = { 1.0, 5.0, 20.0, 100.0 };
    static const double youngs[] = { 1e4, 1e5, 1e6 };
    int passed = 0, shots = Proving() ? 30 : 4;
    for (int n = 0; n < shots; ++n)
    {
        Random random = MakeRandom((uint64_t)(1000 + n));
        Shot shot = { .cells = cells[n % 5], .mass = masses[n % 4], .seed = n, .fromBehind = n / 2 % 2 == 1 };
        shot.young = youngs[n % 3];
        shot.radius = NextBetween(&random, 0.0, 1.0) < 0.5 ? 0.1 : 0.3;
        shot.tilt = n % 3 == 0 ? 0.0 : NextBetween(&random, 0.0, 50.0);
        shot.restitution = n % 2 == 0 ? 0.0 : NextBetween(&random, 0.0, 1.0);
        shot.model = n % 7 < 3 ? "springs" : "fem";
        shot.network = n % 7 < 5 ? "lattice" : "tetrahedra";
        passed += GoesThrough(&shot, Proving() ? 60 : 12);
    }
    char what[96];
    snprintf(what, sizeof what, "other bullets and sheets: through, of %d", shots);
    assert_proved(what, passed, 0);
}

// Into a wedge, where it comes to no end: what stops it there is counted as pushes of its walls, and none of the far wall.
static void Wedge(void** unused)
{
    (void)unused;
    Scene s = { 0 };
    double c = cos(2.0 * PI / 180.0), d = sin(2.0 * PI / 180.0);
    Write(&s,
          "gravity: [0, 0, 0]\ncontact: {restitution: 1, friction: 0}\ntime: {duration: 1, step: 1e-4}\ncolliders:\n"
          "  - {name: far, type: plane, point: [0, 0, -9], normal: [0, 0, 1]}\n"
          "  - {name: right, type: plane, point: [0, 0, 0], normal: [%.17g, 0, %.17g]}\n"
          "  - {name: left, type: plane, point: [0, 0, 0], normal: [%.17g, 0, %.17g]}\n"
          "bodies:\n  - {name: bullet, model: springs, network: {type: explicit, nodes: [[0.002, 0, 0.2]], masses: 2}, "
          "skin: spheres, radius: 0.001, velocity: [300, 0, -3000]}\n",
          -c, d, c, d);
    Run run = Start(&s);
    rslVec3 before = MotionOf(&run, 0).momentum;
    Step(&run, 3);
    rslVec3 gained = rslSub(MotionOf(&run, 0).momentum, before);
    rslPush far = rslState_Push(run.model, run.state, 0, 0), right = rslState_Push(run.model, run.state, 0, 1),
            left = rslState_Push(run.model, run.state, 0, 2);
    assert_true(rslLength(far.normal) == 0.0 && rslLength(right.normal) > 0.0 && rslLength(left.normal) > 0.0);
    rslVec3 all = rslAdd(right.normal, left.normal);
    assert_true(rslLength(rslSub(gained, all)) < 1e-9 * rslLength(before));
    EndRun(&run);
}

// A thin plate that comes at a body at rest, by its whole thickness and more in a step, takes it along.
static void Struck(void** unused)
{
    (void)unused;
    static const double speeds[] = { 50.0, 200.0 };
    static const char* const shapes[] = { "type: box, size: [0.5, 0.5, 0.01]",
                                          "type: cylinder, radius: 0.3, height: 0.01" };
    for (int i = 0; i < 4; ++i)
    {
        Scene s = { 0 };
        double speed = speeds[i % 2], way = 0.05 * speed;
        Write(
            &s,
            "gravity: [0, 0, 0]\ncontact: {restitution: 0}\ntime: {duration: 1, step: 5e-4}\n"
            "colliders: [{name: plate, shape: {%s, translate: [0, 0, -0.013]}, path: [[0, 0, 0, 0], [0.0021, 0, 0, 0], "
            "[%.17g, 0, 0, %.17g]]}]\n"
            "bodies:\n  - {name: box, model: springs, shape: {type: box, size: [0.1, 0.1, 0.1], translate: [0, 0, "
            "0.05]}, "
            "network: {type: lattice, spacing: 0.05}, material: {young: 1e5, poisson: 0.25, density: 1000}}\n",
            shapes[i / 2], 0.0021 + way / speed, way);
        Run run = Start(&s);
        Step(&run, 12);
        double top = -0.008 + speed * (12.0 * 5e-4 - 0.0021);
        for (int k = 0; k < run.model->nodeCount; ++k)
        {
            assert_true(PositionOf(&run, k).z > top - 0.005);
        }
        EndRun(&run);
    }
}

// A sheet that falls edge-on, whose normals all look aside, on something: how deep it gets into it.
static double DepthOfEdge(int on, double axis[2], double duration)
{
    static const char* const things[] = {
        "colliders: [{name: c, shape: {type: sphere, radius: 0.25, translate: [0, 0, 0.25]}, friction: "
        "0.5}]\nbodies:\n",
        "colliders: [{name: c, shape: {type: box, size: [0.6, 0.6, 0.5], translate: [0, 0, 0.25]}, friction: 0.5}]\n"
        "bodies:\n",
        "bodies:\n  - {name: b, model: springs, shape: {type: box, size: [0.6, 0.6, 0.5], translate: [0, 0, 0.251]}, "
        "network: {type: lattice, spacing: 0.1}, material: {young: 1e6, poisson: 0.25, density: 1000}}\n",
        "bodies:\n  - {name: b, model: rigid, shape: {type: box, size: [0.6, 0.6, 0.5], translate: [0, 0, 0.251]}, "
        "network: {type: lattice, spacing: 0.1}, material: {young: 1e6, poisson: 0.25, density: 1000}}\n",
        "bodies:\n  - {name: b, model: springs, shape: {type: sphere, radius: 0.25, translate: [0, 0, 0.251]}, "
        "network: {type: tetrahedra, spacing: 0.1}, material: {young: 1e6, poisson: 0.25, density: 1000}}\n",
    };
    Scene s = { 0 };
    Write(&s,
          "contact: {bodies: all, friction: 0.5, restitution: 0}\ntime: {duration: 1}\nground: {friction: 0.5}\n%s"
          "  - {name: sheet, model: springs, network: {type: sheet, size: [0.2, 0.2], spacing: 0.05, thickness: 0.004, "
          "translate: [0.012, 0.017, 0.66], rotate: {axis: [%g, %g, 0.3], angle: 90}}, material: {young: 1e6, poisson: "
          "0.3, density: 1000, stiffness_damping: 1e-4}, velocity: [0, 0, -1]}\n",
          things[on], axis[0], axis[1]);
    Run run = Start(&s);
    int sheet = run.model->bodyCount - 1;
    double depth = 0.0;
    for (int k = 1; k <= 20; ++k)
    {
        StepTo(&run, 0.05 * k * duration);
        SkinPoints points = SkinOf(&run, sheet), other = SkinOf(&run, 0);
        for (int v = 0; v < points.skin->vertexCount; ++v)
        {
            rslVec3 x = points.at[v];
            double below = fabs(x.x) < 0.3 && fabs(x.y) < 0.3 ? 0.5 - x.z : 0.0;
            depth = fmax(depth, on == 0   ? 0.25 - rslLength(rslSub(x, (rslVec3){ 0.0, 0.0, 0.25 }))
                                : on == 1 ? below
                                          : DepthIn(&other, x));
        }
        free(points.at);
        free(other.at);
    }
    EndRun(&run);
    return depth;
}

static void EdgeOn(void** unused)
{
    (void)unused;
    double depth = 0.0, axes[3][2] = { { 1.0, 0.0 }, { 0.7, 0.3 }, { 0.7, 0.9 } };
    for (int k = 0; k < (Proving() ? 15 : 3); ++k)
    {
        depth = Worse(depth, DepthOfEdge(Proving() ? k / 3 : k, axes[Proving() ? k % 3 : 0], Proving() ? 0.3 : 0.1));
    }
    assert_proved("sheets that fall edge-on: depth over the spacing", depth / 0.05, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(Bullets),       cmocka_unit_test(FastBullets),
                                        cmocka_unit_test(FasterBullets), cmocka_unit_test(OtherBullets),
                                        cmocka_unit_test(Wedge),         cmocka_unit_test(Struck),
                                        cmocka_unit_test(EdgeOn) };
    return cmocka_run_group_tests_name("touch_bullet", tests, NULL, NULL);
}
