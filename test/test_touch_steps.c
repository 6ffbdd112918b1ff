// SPDX-License-Identifier: MIT
//
// test_touch_steps.c: explicit steps of several lengths where things touch: what rests stays at rest when they are divided, and
// what hits something in divided steps leaves it as in steps of a tenth, and the account of damped ones closes.

#include "contact_scene.h"

#include "impact_rule.h"

// A damped cube on the ground, of springs or of bricks.
static Run StartCube(const char* integrator, const char* more)
{
    Scene s = { 0 };
    Write(&s,
          "ground: {friction: 0.5}\ntime: {duration: 1, integrator: %s}\nbodies:\n"
          "  - {name: cube, model: springs, shape: {type: box, size: [0.1, 0.1, 0.1], translate: [0, 0, 0.0501]}, "
          "network: {type: lattice, spacing: 0.05}, material: {young: 1e5, poisson: 0.25, density: 1000, "
          "stiffness_damping: 3e-3}%s}\n",
          integrator, more);
    return Start(&s);
}

static double FastestNode(const Run* run)
{
    double most = 0.0;
    for (int i = 0; i < run->model->nodeCount; ++i)
    {
        most = Worse(most, rslLength(VelocityOf(run, i)));
    }
    return most;
}

// Steps are divided for a while: nodes at rest on the ground are not thrown up by it.
static void TestRestInParts(void** unused)
{
    static const char* const integrators[] = { "symplectic_euler", "position_verlet" };
    double worst = 0.0;
    (void)unused;
    for (int k = 0; k < 2; ++k)
    {
        Run run = StartCube(integrators[k], "");
        StepTo(&run, 0.5);
        double before = FastestNode(&run);
        for (int level = 2; level <= 6; level += 2)
        {
            run.state->guard.wary = 5;
            run.state->guard.level = (uint64_t)level;
            Step(&run, 10);
            worst = Worse(worst, FastestNode(&run) - before);
            assert_true(before < 1e-9);
        }
        EndRun(&run);
    }
    assert_proved("speed of what rests while steps are divided by 4, 16 and 64 [m/s]", worst, 1e-9);
}

// Spheres of one body that overlap at rest do not push each other.
static void TestSpheresAtRest(void** unused)
{
    static const char* const networks[] = { "hexahedra, grid: [2, 2, 8]", "tetrahedra, spacing: 0.07" };
    double worst = 0.0;
    (void)unused;
    for (int k = 0; k < 2; ++k)
    {
        Scene s = { 0 };
        Write(&s,
              "gravity: [0, 0, 0]\nground: {}\ncontact: {self: true}\nbodies:\n  - {name: ball, model: fem, skin: "
              "spheres, shape: {type: box, size: [0.2, 0.3, 0.2], translate: [0, 0, 0.3]}, network: {type: %s}, "
              "material: {young: 1e5, poisson: 0.3, density: 1000}}\n",
              networks[k]);
        Run run = Start(&s);
        Step(&run, 20);
        worst = Worse(worst, FastestNode(&run));
        EndRun(&run);
    }
    assert_proved("speed of a body of spheres at rest that touches itself [m/s]", worst, 1e-9);
}

// Dampers on masses that nothing else pulls at allow steps of years: nothing would be seen of the motion.
static void TestStepsOfFreeMasses(void** unused)
{
    static const char* const rest[] = { "model: rigid", "model: springs}\nconstraints:\n  - {type: pin, nodes: all" };
    static const double dampings[] = { 0.0, 1e-9, 1.0, 1e5 };
    (void)unused;
    for (int k = 0; k < 8; ++k)
    {
        double damping = dampings[k / 2];
        Scene s = { 0 };
        Write(&s,
              "ground: {}\ntime: {duration: 1}\nbodies:\n  - {name: a, shape: {type: box, size: [0.1, 0.1, 0.1], "
              "translate: [0, 0, 0.3]}, network: {type: lattice, spacing: 0.05}, material: {young: 1e5, poisson: 0.25, "
              "density: 1000, mass_damping: %g}, %s}\n",
              damping, rest[k % 2]);
        Run run = Start(&s);
        rslStability stability = rslSolver_Stability(run.solver);
        assert_true(stability.step <= 1e-3 && stability.step <= 0.7 * stability.stableStep * (1.0 + 1e-9));
        assert_true(damping > 1.0 && k % 2 == 0 ? stability.step < 1e-4 : stability.step >= 1e-3);
        EndRun(&run);
    }
}

// ---- impacts --------------------------------------------------------------------------------------------------------

// What is left of a body that was thrown at the ground, or at one like it: energy and speed away, over those of the start.
typedef struct Rebound
{
    double energy, grown, speed;
    double turned;  // part of the corners of its cells that have been inside out
    uint64_t steps, parts;
} Rebound;

#define WAVE 31.6  // sqrt(E / rho) [m/s]
#define CELL 0.05

// The node of the same body that is a cell along an axis from another at the start; -1: none.
static int Beside(const Run* run, int node, int axis)
{
    const rslBody* body = &run->model->bodies[rslModel_BodyOf(run->model, node)];
    rslVec3 at = PositionOf(run, node);
    at = rslAdd(at, (rslVec3){ axis == 0 ? CELL : 0.0, axis == 1 ? CELL : 0.0, axis == 2 ? CELL : 0.0 });
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        if (rslLength(rslSub(PositionOf(run, i), at)) < 0.1 * CELL)
        {
            return i;
        }
    }
    return -1;
}

typedef struct Corner
{
    int node, other[3];
} Corner;

// Of all cells; the caller frees them.
static Corner* CornersOf(const Run* run, int* count)
{
    Corner* corners = calloc((size_t)run->model->nodeCount, sizeof *corners);
    assert_non_null(corners);
    *count = 0;
    for (int i = 0; i < run->model->nodeCount; ++i)
    {
        Corner one = { i, { Beside(run, i, 0), Beside(run, i, 1), Beside(run, i, 2) } };
        if (one.other[0] >= 0 && one.other[1] >= 0 && one.other[2] >= 0)
        {
            corners[(*count)++] = one;
        }
    }
    assert_true(*count > 0);
    return corners;
}

static double TurnedPart(const Run* run, const Corner* corners, int count)
{
    int turned = 0;
    for (int c = 0; c < count; ++c)
    {
        rslVec3 edge[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            edge[axis] = rslSub(PositionOf(run, corners[c].other[axis]), PositionOf(run, corners[c].node));
        }
        turned += rslDot(edge[0], rslCross(edge[1], edge[2])) < 0.0 ? 1 : 0;
    }
    return (double)turned / count;
}

static Rebound Throw(const char* model, const char* repulsion, bool pair, double speed, double fraction, bool rebound,
                     double damping)
{
    Scene s = { 0 };
    Write(&s,
          "gravity: [0, 0, 0]\n%s\ncontact: {bodies: all}\ntime: {duration: 1, fraction: %g, rebound: %s}\nbodies:\n",
          pair ? "" : "ground: {}", fraction, rebound ? "true" : "false");
    for (int b = 0; b < (pair ? 2 : 1); ++b)
    {
        Write(&s,
              "  - {name: b%d, model: %s, repulsion: %s, shape: {type: box, size: [0.2, 0.2, 0.2], translate: [%g, 0, "
              "%g]}, network: {type: lattice, spacing: 0.05}, material: {young: 1e6, poisson: 0.25, density: 1000, "
              "stiffness_damping: %g}, velocity: [0, 0, %g], spin: [20, 10, 0]}\n",
              b, model, repulsion, 0.03 * b, 0.101 + 0.202 * b, damping, pair && b == 0 ? speed : -speed);
    }
    Run run = Start(&s);
    double start = rslSolver_Energy(run.solver, run.state).total;
    Rebound found = { 0 };
    int count;
    Corner* corners = CornersOf(&run, &count);
    for (int k = 1; k <= 20; ++k)
    {
        StepTo(&run, 0.0015 * k);
        found.energy = rslSolver_Energy(run.solver, run.state).total / start;
        found.grown = Worse(found.grown, found.energy - 1.0);
        found.turned = Worse(found.turned, TurnedPart(&run, corners, count));
    }
    found.speed = SpeedOf(&run, pair ? 1 : 0).z / speed;
    found.steps = run.state->stepCount;
    found.parts = run.state->stepCount - run.state->guard.divided + run.state->guard.substeps;
    free(corners);
    EndRun(&run);
    return found;
}

// At 0.7 of the stable step, divided where something is hit, against a tenth of it. Springs that nothing keeps from it are turned inside
// out at 0.6 of waves, by a third of their corners: that must not gain energy, what it loses is its own. With what keeps
// them from it they are asked for all of it. Where no rebound is asked for, no step is divided: while
// all of it swings at steps of 0.7 of the stable one, energy is off by some percent, and what is left of it is less.
static void TestImpacts(void** unused)
{
    static const char* const models[] = { "springs", "fem" };
    static const double speeds[] = { 0.1, 0.3, 0.6 };
    double grown = 0.0, off = 0.0, slow = 0.0, whole = 0.0, lost = 0.0;
    (void)unused;
    for (int k = 0; k < (Proving() ? 13 : 2); ++k)
    {
        bool guarded = k == 12, pair = guarded || k / 2 % 2 == 1;
        const char *model = models[k % 2], *repulsion = guarded ? "auto" : "none";
        double part = guarded ? 0.6 : speeds[k / 4], speed = part * WAVE;
        Rebound a = Throw(model, repulsion, pair, speed, 0.7, true, 0.0),
                b = Throw(model, repulsion, pair, speed, 0.07, true, 0.0);
        print_message("# %s %s at %.1f of waves, repulsion %s: energy %.4f, %.4f; grown %.4f, %.4f; speed %.4f, %.4f; "
                      "%d parts of %d steps, %d; turned %.3f, %.3f\n",
                      model, pair ? "at its like" : "at the ground", part, repulsion, a.energy, b.energy, a.grown,
                      b.grown, a.speed, b.speed, (int)a.parts, (int)a.steps, (int)b.parts, a.turned, b.turned);
        grown = Worse(grown, Worse(a.grown, b.grown));
        off = a.turned < 0.1 ? Worse(off, fabs(a.energy - 1.0)) : off;
        slow = Worse(slow, fabs(a.speed - b.speed));
        assert_true(a.parts > a.steps && (guarded || a.parts < b.steps));
    }
    assert_proved("impacts at 0.7 of the stable step and at a tenth of it: growth of energy", grown, 0.002);
    assert_proved("impacts: energy after them, nothing is damped: off that of the start", off, 0.06);
    for (int k = 0; k < 8; ++k)
    {
        double fraction = k < 4 ? 0.7 : 0.95;
        Rebound a = Throw(models[k % 2], "none", k / 2 % 2 == 1, 0.1 * WAVE, fraction, false, 0.0);
        print_message("# %s %s at %.2f without rebound: energy %.4f; grown %.4f; speed %.4f; %d parts of %d steps\n",
                      models[k % 2], k / 2 % 2 == 1 ? "at its like" : "at the ground", fraction, a.energy, a.grown,
                      a.speed, (int)a.parts, (int)a.steps);
        assert_true((k < 4 ? a.parts == a.steps : a.parts > a.steps) && a.energy < 1.0);
        whole = Worse(whole, a.grown);
        lost = Worse(lost, 1.0 - a.energy);
    }
    assert_proved("impacts in whole steps: energy on the way over that of the start", whole, 0.08);
    assert_proved("impacts in whole steps: what is lost of it", lost, 0.25);
    assert_proved("impacts: speed after it beside a tenth of the step, over that before", slow, 0.07);
}

// Where what swings is damped out, steps of 0.85 of the stable one are not divided either.
static void TestDampedImpacts(void** unused)
{
    static const char* const models[] = { "springs", "fem" };
    const double damping = 5e-4;
    double grown = 0.0, slow = 0.0;
    (void)unused;
    for (int k = 0; k < (Proving() ? 8 : 4); ++k)
    {
        bool pair = k / 2 % 2 == 1;
        double fraction = k < 4 ? 0.85 : 0.95;
        Rebound a = Throw(models[k % 2], "none", pair, 0.1 * WAVE, fraction, false, damping),
                b = Throw(models[k % 2], "none", pair, 0.1 * WAVE, 0.07, true, damping);
        print_message(
            "# damped %s %s at %.2f without rebound: energy %.4f, %.4f; grown %.4f; speed %.4f, %.4f; %d parts "
            "of %d steps\n",
            models[k % 2], pair ? "at its like" : "at the ground", fraction, a.energy, b.energy, a.grown, a.speed,
            b.speed, (int)a.parts, (int)a.steps);
        assert_true(k < 4 ? a.parts == a.steps : a.parts > a.steps);
        grown = Worse(grown, a.grown);
        slow = Worse(slow, fabs(a.speed - b.speed));
    }
    assert_proved("damped impacts without rebound, 0.85 of the stable step: growth of energy", grown, 0.002);
    assert_proved("the same: speed after it beside steps of a tenth, over that before", slow, 0.07);
}

// ---- parts ----------------------------------------------------------------------------------------------------------

typedef struct Landing
{
    double parts;  // of a step
    double grown;  // energy between looks, over that of the start
    double lost;   // of it in the end
    bool damps;    // what swings
} Landing;

// A box of ten cells a side lands on one of its corners.
static Landing Land(const char* network, double ratio, double speed)
{
    Scene s = { 0 };
    Write(&s,
          "ground: {friction: 0.4}\ntime: {duration: 1, fraction: 0.8}\nbodies:\n"
          "  - {name: box, model: springs, shape: {type: box, size: [0.2, 0.2, 0.2], rotate: {axis: [1, -1, 0], angle: "
          "54.7}, translate: [0, 0, 0.174]}, network: {type: %s, spacing: 0.02}, material: {young: 1e5, poisson: 0.25, "
          "density: 1000, stiffness_damping: %g}, velocity: [0, 0, %g]}\n",
          network, ratio, -speed);
    Run run = Start(&s);
    double start = rslSolver_Energy(run.solver, run.state).total, last = start;
    Landing found = { .damps = rslBody_DampsSwings(&run.model->bodies[0]) };
    for (int k = 1; k <= 40; ++k)
    {
        StepTo(&run, 0.0015 * k);
        double energy = rslSolver_Energy(run.solver, run.state).total;
        found.grown = Worse(found.grown, (energy - last) / start);
        last = energy;
    }
    uint64_t steps = run.state->stepCount, parts = steps - run.state->guard.divided + run.state->guard.substeps;
    found.parts = (double)parts / (double)steps;
    found.lost = 1.0 - last / start;
    print_message(
        "# box of %s on its corner, %g s, %g m/s: %.2f parts of %d steps, grown %.1e, lost %.3f, smallest %.3f\n",
        network, ratio, speed, found.parts, (int)steps, found.grown, found.lost, run.state->guard.smallest);
    EndRun(&run);
    return found;
}

// Steps are as long as dampers and what is crushed allow: a corner does not hold up a body of a thousand cells.
static void TestPartsOfLandings(void** unused)
{
    (void)unused;
    Landing damped = Land("lattice", 1e-3, 3.0);
    assert_true(damped.damps);
    assert_proved("a damped box that lands on its corner: parts of a step", damped.parts, 10.0);
    assert_proved("the same: growth of energy, over that of the start", damped.grown, 1e-6);
    if (Proving())
    {
        Landing flat = Land("tetrahedra, jitter: 0", 1e-3, 3.0), free = Land("lattice", 1e-5, 3.0);
        assert_true(flat.damps && !free.damps);
        assert_proved("the same of tetrahedra: parts of a step", flat.parts, 45.0);
        assert_proved("the same: growth of energy, over that of the start", flat.grown, 1e-6);
        assert_proved("the same of a lattice that is not damped: parts of a step", free.parts, 60.0);
        assert_proved("the same: growth of energy, over that of the start", free.grown, 1e-4);
    }
}

// ---- dampers --------------------------------------------------------------------------------------------------------

typedef struct Drop
{
    const char *integrator, *precision, *body, *more;
    double young, ratio;  // E, and what damps
    int level;            // steps are divided by 2^level for a while
} Drop;

// A block that turns falls on the ground and bounces.
static Run StartDrop(const Drop* drop)
{
    Scene s = { 0 };
    Write(&s,
          "ground: {friction: 0.4, restitution: 1}\ntime: {duration: 1, integrator: %s, precision: %s}\nbodies:\n"
          "  - {name: block, shape: {type: box, size: [0.1, 0.1, 0.05], translate: [0, 0, 0.15]}, spin: [60, 0, 20], "
          "material: {young: %g, poisson: 0.25, density: 1000, stiffness_damping: %g}, %s}\n%s",
          drop->integrator, drop->precision, drop->young, drop->ratio, drop->body, drop->more);
    return Start(&s);
}

// The largest drift of the account at any time, over the energy of the start.
static double DriftOfDrop(const Drop* drop)
{
    Run run = StartDrop(drop);
    bool touched = false;
    double start = rslSolver_Energy(run.solver, run.state).total, worst = 0.0;
    for (int k = 1; k <= (Proving() ? 500 : 50); ++k)
    {
        run.state->guard.wary = drop->level > 0 ? 5 : run.state->guard.wary;
        run.state->guard.level = drop->level > 0 ? (uint64_t)drop->level : run.state->guard.level;
        StepTo(&run, (Proving() ? 0.002 : 0.008) * k);
        worst = Worse(worst, fabs(rslSolver_Energy(run.solver, run.state).drift));
        touched = touched || rslState_Push(run.model, run.state, 0, 0).normal.z > 0.0;
    }
    assert_true(touched);
    print_message("# %s %s, %s%s, E %g Pa, %g s, 2^-%d: drift %.2e, %.3f lost\n", drop->integrator, drop->precision,
                  drop->body, drop->more, drop->young, drop->ratio, drop->level, worst / start,
                  run.state->account.dissipated / start);
    EndRun(&run);
    return worst / start;
}

#define LATTICE "model: springs, network: {type: lattice, spacing: 0.0166}"
#define ELEMENTS "model: fem, network: {type: lattice, spacing: 0.0166}"
#define RIGID "model: rigid, network: {type: lattice, spacing: 0.025}"
#define OTHER                                                                                                          \
    "  - {name: other, model: rigid, shape: {type: box, size: [0.05, 0.05, 0.05], translate: [0.02, 0, 0.3]}, "        \
    "network: "                                                                                                        \
    "{type: lattice, spacing: 0.025}, material: {young: 1e5, poisson: 0.25, density: 500, mass_damping: 20}}\n"

static const Drop drops[] = {
    { "position_verlet", "double", LATTICE, "", 1e5, 1e-3, 0 },
    { "position_verlet, step: 1e-3", "double", RIGID, OTHER, 1e5, 0.0, 0 },
    { "position_verlet, step: 0.058", "double", RIGID, OTHER, 1e5, 0.0, 0 },  // long: ways are swept
    { "symplectic_euler", "double", LATTICE, "", 1e5, 1e-3, 0 },
    { "position_verlet", "single", LATTICE, "", 3e5, 2e-3, 0 },
    { "position_verlet", "double", LATTICE, "", 3e4, 3e-3, 3 },
    { "position_verlet", "double", ELEMENTS, "", 1e5, 1e-3, 0 },
    { "position_verlet", "double", "model: fem, network: {type: tetrahedra, spacing: 0.03}", "", 1e5, 3e-3, 0 },
    { "position_verlet", "double", "model: springs, network: {type: random, min_length: 0.012, max_length: 0.03}", "",
      1e5, 1e-3, 0 },
    { "symplectic_euler", "single", "model: brick, network: {type: lattice, spacing: 0.0166}", "", 1e5, 1e-3, 0 },
    { "symplectic_euler", "double", LATTICE, "", 1e5, 1e-3, 4 },
};

// What is left is what the integrator itself is off by: half a step of it with symplectic Euler, whose velocities are earlier.
static void TestDampedDrops(void** unused)
{
    double verlet = 0.0, euler = 0.0, rigid = 0.0;
    (void)unused;
    for (size_t k = 0; k < (Proving() ? sizeof drops / sizeof *drops : 4); ++k)
    {
        double one = DriftOfDrop(&drops[k]);
        bool first = strcmp(drops[k].integrator, "symplectic_euler") == 0;
        rigid = strcmp(drops[k].body, RIGID) == 0 ? Worse(rigid, one) : rigid;
        verlet = first ? verlet : Worse(verlet, one);
        euler = first ? Worse(euler, one) : euler;
    }
    assert_proved("damped bodies that bounce: drift of the account over the energy of the start", verlet, 2e-3);
    assert_proved("the same of rigid ones", rigid, 1e-12);
    assert_proved("the same with symplectic Euler", euler, 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestRestInParts),       cmocka_unit_test(TestSpheresAtRest),
                                        cmocka_unit_test(TestStepsOfFreeMasses), cmocka_unit_test(TestImpacts),
                                        cmocka_unit_test(TestDampedImpacts),     cmocka_unit_test(TestPartsOfLandings),
                                        cmocka_unit_test(TestDampedDrops) };
    return cmocka_run_group_tests_name("touch_steps", tests, NULL, NULL);
}
