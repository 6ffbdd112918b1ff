// SPDX-License-Identifier: MIT
//
// test_touch_stack.c: things on top of each other: nodes, soft boxes, and boxes too soft to carry themselves; with the default and
// with the schemes of the literature, which fail.

#include "contact_scene.h"

// ---- nodes ----------------------------------------------------------------------------------------------------------

#define RADIUS 0.1

// Spheres a hundredth of a radius apart; every second has another mass.
static Run StartNodes(const char* scheme, int count, double restitution, double mass, double step)
{
    Scene s = { 0 };
    Write(&s,
          "ground: {}\ncontact: {scheme: %s, bodies: all, restitution: %g}\ntime: {duration: 20, step: %g}\nbodies:\n",
          scheme, restitution, step);
    for (int i = 0; i < count; ++i)
    {
        Write(&s,
              "  - {name: n%d, model: springs, network: {type: explicit, nodes: [[0, 0, %.17g]], masses: %g}, skin: "
              "spheres, radius: %g}\n",
              i, RADIUS * (1.01 + 2.01 * i), i % 2 == 0 ? 1.0 : mass, RADIUS);
    }
    return Start(&s);
}

// How deep they are in each other and in the ground, over the radius.
static double DepthOfNodes(const Run* run, int count)
{
    double depth = 0.0, below = -RADIUS;
    for (int i = 0; i < count; ++i)
    {
        double z = PositionOf(run, i).z;
        depth = Worse(depth, (below + 2.0 * RADIUS - z) / RADIUS);
        below = z;
    }
    return depth;
}

static double WorstOf(Run run, int count, double seconds)
{
    double worst = 0.0, h = rslSolver_Stability(run.solver).step;
    for (int step = 0; step < (int)(seconds / h + 0.5) && worst < 3.0; step += 5)
    {
        Step(&run, 5);
        worst = Worse(worst, DepthOfNodes(&run, count));
    }
    EndRun(&run);
    return worst;
}

static double WorstOfNodes(const char* scheme, int count, double restitution, double seconds)
{
    return WorstOf(StartNodes(scheme, count, restitution, 1.0, 1e-3), count, seconds);
}

// What is hit hits the next one in the same step.
static void NodesThatDrive(void** unused)
{
    (void)unused;
    int count = Proving() ? 100 : 30;
    double seconds = Proving() ? 6.0 : 0.3;
    assert_proved("stack of 100 nodes, masses 1 and 3: depth over radius",
                  WorstOf(StartNodes("predictive", count, 1.0, 3.0, 1e-3), count, seconds), 0.02);
    assert_proved("stack of 100 nodes, masses 1 and 0.1: depth over radius",
                  WorstOf(StartNodes("predictive", count, 1.0, 0.1, 1e-3), count, seconds), 0.02);
    assert_proved("stack of 100 nodes, steps of 2 ms: depth over radius",
                  WorstOf(StartNodes("predictive", count, 1.0, 1.0, 2e-3), count, seconds), 0.02);
}

static void Nodes(void** unused)
{
    (void)unused;
    const int counts[] = { 3, 10, 100 };
    for (int i = 0; i < (Proving() ? 3 : 2); ++i)
    {
        char what[96];
        snprintf(what, sizeof what, "stack of %d nodes, predictive: depth over radius", counts[i]);
        assert_proved(what, WorstOfNodes("predictive", counts[i], 1.0, Proving() ? 20.0 : 1.0), 0.02);
    }
    if (Proving())
    {
        assert_proved("stack of 100 nodes, predictive, e = 0.5: depth over radius",
                      WorstOfNodes("predictive", 100, 0.5, 20.0), 0.02);
    }
}

// The literature's schemes fail at this; what matters is that it is known.
static void NodesOfTheLiterature(void** unused)
{
    (void)unused;
    if (!Proving())
    {
        return;
    }
    const int counts[] = { 3, 10, 100 };
    for (int s = PLAIN; s < IMPULSE_SCHEMES; ++s)
    {
        for (int i = 0; i < 3; ++i)
        {
            printf("prove: stack of %d nodes, %s: depth over radius | %.3g | shown | pass\n", counts[i],
                   impulseSchemes[s], WorstOfNodes(impulseSchemes[s], counts[i], 1.0, 20.0));
            fflush(stdout);
        }
    }
    // e < 1: every second half of a kick is left over
    assert_true(WorstOfNodes("plain", 3, 0.5, 20.0) > 0.3);
    assert_true(WorstOfNodes("plain", 100, 1.0, 20.0) > 0.5);
}

// ---- boxes ----------------------------------------------------------------------------------------------------------

enum
{
    BOXES = 5
};

#define SIDE 0.1
#define DENSITY 1000.0

// Of two and three cells by turns, each turned 0.3 rad against the one below and 3 mm off.
static Run StartBoxes(const char* scheme, int count, double young, double restitution, double seconds)
{
    Scene s = { 0 };
    Write(&s,
          "ground: {friction: 0.5}\ncontact: {scheme: %s, bodies: all, friction: 0.5, restitution: %g}\n"
          "time: {duration: %g, fraction: 0.4}\nbodies:\n",
          scheme, restitution, seconds);
    for (int i = 0; i < count; ++i)
    {
        Write(
            &s,
            "  - {name: box%d, model: springs, shape: {type: box, size: [%g, %g, %g], rotate: %.17g, translate: [%g, "
            "0, %.17g]}, network: {type: lattice, spacing: %.17g, orientation: %.17g}, material: {young: %g, poisson: "
            "0.25, density: %g, stiffness_damping: 1e-3}}\n",
            i, SIDE, SIDE, SIDE, 0.3 * i * 180.0 / PI, i % 2 == 0 ? 0.0 : 0.003, SIDE * (0.5 + 1.001 * i),
            SIDE / (i % 2 == 0 ? 2.0 : 3.0), 0.3 * i * 180.0 / PI, young, DENSITY);
    }
    return Start(&s);
}

typedef struct Stand
{
    double drift;  // of a box to the side, over its side
    double depth;  // over half of a cell, after the first second: at rest
    double drop;   // likewise, in the first second
    double sunk;   // of the highest, over the height
} Stand;

// E / (rho g H^3 / b^2): what a column needs to carry itself is 1.53.
static double YoungFor(double times, int count)
{
    double height = count * SIDE;
    return times * 1.53 * DENSITY * GRAVITY * height * height * height / (SIDE * SIDE);
}

static Stand WatchBoxes(Run* run, int count, double seconds)
{
    Stand stand = { 0 };
    rslVec3 start[BOXES];
    for (int b = 0; b < count; ++b)
    {
        start[b] = MotionOf(run, b).centre;
    }
    for (int k = 1; k <= 40; ++k)
    {
        double time = seconds * k / 40.0;
        StepTo(run, time);
        double depth = DepthInGround(run, 0);
        for (int b = 0; b < count; ++b)
        {
            rslVec3 moved = rslSub(MotionOf(run, b).centre, start[b]);
            stand.drift = Worse(stand.drift, hypot(moved.x, moved.y) / SIDE);
            stand.sunk = Worse(stand.sunk, -moved.z / (count * SIDE));
            depth = b > 0 ? Worse(depth, DepthBetween(run, b - 1, b)) : depth;
        }
        double* deepest = time <= 1.0 ? &stand.drop : &stand.depth;
        *deepest = Worse(*deepest, depth / (0.5 * SIDE / 3.0));
    }
    return stand;
}

static Stand StandOf(const char* scheme, int count, double young, double restitution, double seconds)
{
    Run run = StartBoxes(scheme, count, young, restitution, seconds);
    Stand stand = WatchBoxes(&run, count, seconds);
    EndRun(&run);
    return stand;
}

static void Boxes(void** unused)
{
    (void)unused;
    int count = Proving() ? BOXES : 2;
    Stand stand = StandOf("predictive", count, YoungFor(5.0, BOXES), 1.0, Proving() ? 60.0 : 0.25);
    assert_proved("five soft boxes, predictive: drift over a side", stand.drift, 0.005);
    assert_proved("five soft boxes, predictive: depth over half a cell, first second", stand.drop, 0.005);
    assert_proved("five soft boxes, predictive: depth over half a cell", stand.depth, 0.005);
    assert_proved("five soft boxes, predictive: sunk over height", stand.sunk, 0.2);
}

// What cannot stand does not, and what stands falls with the schemes of the literature.
static void BoxesThatFall(void** unused)
{
    (void)unused;
    if (!Proving())
    {
        return;
    }
    Stand soft = StandOf("predictive", BOXES, YoungFor(0.8, BOXES), 1.0, 8.0);
    printf("prove: five boxes at 0.8 of what they need: sunk over height | %.3g | at least 0.3 | %s\n", soft.sunk,
           soft.sunk >= 0.3 ? "pass" : "FAIL");
    fflush(stdout);
    Stand enough = StandOf("predictive", BOXES, YoungFor(1.3, BOXES), 1.0, 8.0);
    assert_proved("five boxes at 1.3 of what they need: sunk over height", enough.sunk, 0.1);
    for (int s = PLAIN; s < IMPULSE_SCHEMES; ++s)
    {
        Stand stand = StandOf(impulseSchemes[s], BOXES, YoungFor(5.0, BOXES), 1.0, 10.0);
        printf("prove: five soft boxes, %s, 10 s: drift, depth | %.3g, %.3g | shown | pass\n", impulseSchemes[s],
               stand.drift, stand.depth);
        fflush(stdout);
    }
    assert_true(soft.sunk >= 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Nodes), cmocka_unit_test(NodesThatDrive), cmocka_unit_test(NodesOfTheLiterature),
        cmocka_unit_test(Boxes), cmocka_unit_test(BoxesThatFall),
    };
    return cmocka_run_group_tests_name("touch_stack", tests, NULL, NULL);
}
