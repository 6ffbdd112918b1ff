// SPDX-License-Identifier: MIT
//
// test_touch_bits.c: scenes in which things touch, of every kind, are the same to the bit whatever the number of threads, and when every
// state is saved, and read back by a solver that knows nothing; and a step for which there is no memory leaves a state to go on from.

#include "contact_scene.h"
#include "sanitized.h"

typedef enum Cast
{
    blocks,   // two soft blocks and a rigid ball fall on each other, on the ground and on a box that moves and turns
    alone,    // the same with penalties, which know colliders only
    cloths,   // a sheet and a body of spheres fall on a ball that moves; all touch themselves
    planes,   // two soft blocks, first alone on two planes, then on each other
    floors,   // a soft, damped ball that comes to lie on level ground without friction
    shelves,  // soft blocks on a plane that moves, of implicit steps
} Cast;

typedef struct Case
{
    const char* name;
    Cast cast;
    const char *integrator, *scheme;
    bool single;  // and double
    int steps;    // of the quick form
} Case;

static const Case cases[] = {
    { "predictive", blocks, "position_verlet", "predictive", true, 24 },
    { "plain", blocks, "position_verlet", "plain", true, 24 },
    { "overlap", blocks, "position_verlet", "overlap", false, 24 },
    { "overlap, unequal shares", blocks, "symplectic_euler", "overlap_unequal", false, 24 },
    { "reflection", blocks, "position_verlet", "reflection", true, 24 },
    { "predictive, symplectic Euler", blocks, "symplectic_euler", "predictive", true, 24 },
    { "predictive, planes", planes, "position_verlet", "predictive", true, 200 },
    { "predictive, planes, symplectic Euler", planes, "symplectic_euler", "predictive", false, 200 },
    { "predictive, level ground", floors, "position_verlet", "predictive", true, 160 },
    { "penalty", alone, "velocity_verlet", "penalty", true, 24 },
    { "sheets, spheres, self", cloths, "position_verlet", "predictive", true, 24 },
    { "sheets, spheres, self, reflection", cloths, "symplectic_euler", "reflection", false, 24 },
    { "barrier, theta", shelves, "theta", "barrier", false, 3 },
    { "barrier, TR-BDF2", shelves, "tr_bdf2", "barrier", false, 3 },
    { "barrier, implicit Euler", shelves, "implicit_euler", "barrier", false, 3 },
};

enum
{
    CASES = sizeof cases / sizeof *cases
};

#define OF(poisson) "material: {young: 5e5, poisson: " poisson ", density: 1000, stiffness_damping: 1e-4}"
#define MATERIAL OF("0.25")
#define SHEET_MATERIAL OF("0.3333")

static void WriteBlocks(Scene* s)
{
    Write(
        s,
        "ground: {friction: 0.4}\ncolliders:\n  - {name: paddle, shape: {type: box, size: [0.1, 0.1, 0.1], translate: "
        "[0.17, 0, 0.06]}, friction: 0.7, restitution: 0.5, translate: [-0.1, 0, 0.02], rotate: {axis: [0, 1, "
        "0.2], "
        "angle: 40}, course: {type: ramp, duration: 0.05}}\n");
    Write(
        s,
        "bodies:\n  - {name: low, model: springs, shape: {type: box, size: [0.1, 0.1, 0.1], translate: [0, 0, 0.052]}, "
        "network: {type: lattice, spacing: 0.05}, " MATERIAL ", velocity: [0.3, 0, -1]}\n");
    Write(
        s,
        "  - {name: high, model: fem, shape: {type: box, size: [0.1, 0.1, 0.1], rotate: {axis: [1, 2, 3], angle: 20}, "
        "translate: [0, 0.01, 0.185]}, network: {type: lattice, spacing: 0.05}, " MATERIAL
        ", velocity: [0, 0, -2], spin: [100, 0, 50]}\n");
    Write(s,
          "  - {name: ball, model: rigid, shape: {type: sphere, radius: 0.04, translate: [0.04, 0.01, 0.31]}, network: "
          "{type: lattice, spacing: 0.04}, " MATERIAL ", velocity: [0, 0, -3]}\n");
}

// The skin of the coarse ball lies outside of its nodes: its vertices are faster than these.
static void WritePlanes(Scene* s)
{
    Write(
        s,
        "ground: {friction: 0.4}\ncolliders:\n  - {name: wall, type: plane, point: [0.12, 0, 0], normal: [-1, 0, 0.3], "
        "friction: 0.2}\n");
    Write(
        s,
        "bodies:\n  - {name: block, model: springs, shape: {type: box, size: [0.1, 0.1, 0.1], translate: [0, 0, 0.1]}, "
        "network: {type: lattice, spacing: 0.025}, " MATERIAL ", velocity: [0.5, 0, -1], spin: [0, 5, 0]}\n");
    Write(s, "  - {name: ball, model: springs, shape: {type: sphere, radius: 0.06, translate: [-0.2, 0, 0.1]}, "
             "network: {type: lattice, spacing: 0.04}, " MATERIAL ", velocity: [4, 0, -1], spin: [0, 60, 30]}\n");
}

// Slow, so that it is known for long what can touch, and of that what can touch soon.
static void WriteFloor(Scene* s)
{
    Write(s, "gravity: [0, 0, -9.81]\nground: {friction: 0}\n");
    Write(s,
          "bodies:\n  - {name: ball, model: springs, shape: {type: sphere, radius: 0.05, translate: [0, 0, 0.0505]}, "
          "network: {type: lattice, spacing: 0.0125}, material: {young: 2e5, poisson: 0.25, density: 1000, "
          "stiffness_damping: 1e-3}, velocity: [0.1, 0, -0.2]}\n");
}

static void WriteCloths(Scene* s)
{
    Write(s, "colliders:\n  - {name: ball, shape: {type: sphere, radius: 0.1}, friction: 0.5, translate: [0, 0, "
             "0.05], "
             "course: {type: sine, frequency: 5}}\n"
             "  - {name: ring, shape: {type: torus, radius: 0.15, tube_radius: 0.03}, friction: 0.1}\n");
    Write(
        s,
        "bodies:\n  - {name: cloth, model: springs, network: {type: sheet, size: [0.3, 0.3], cells: [6, 6], thickness: "
        "0.004, translate: [0, 0, 0.103]}, " SHEET_MATERIAL ", velocity: [0, 0.5, -2]}\n");
    Write(
        s,
        "  - {name: grain, model: springs, skin: spheres, shape: {type: box, size: [0.1, 0.1, 0.1], rotate: {axis: [1, "
        "0, 0], angle: 30}, translate: [0, 0, 0.215]}, network: {type: lattice, spacing: 0.05}, " MATERIAL
        ", velocity: [0, 0, -3]}\n");
}

static void WriteShelves(Scene* s)
{
    Write(s, "colliders:\n  - {name: shelf, type: plane, point: [0, 0, 0], normal: [0, 0, 1], friction: 0.4, "
             "translate: [0.05, 0, 0], course: {type: "
             "ramp, "
             "duration: 0.2}}\n  - {name: post, shape: {type: capsule, radius: 0.03, height: 0.1, translate: [0.1, 0, "
             "0.05]}}\n");
    for (int b = 0; b < 2; ++b)
    {
        Write(s,
              "%s  - {name: b%d, model: springs, shape: {type: box, size: [0.1, 0.1, 0.1], rotate: {axis: [0, 0, 1], "
              "angle: %d}, translate: [0, 0, %g]}, network: {type: lattice, spacing: 0.05}, " MATERIAL
              ", velocity: [0.5, 0, -1]}\n",
              b == 0 ? "bodies:\n" : "", b, 20 * b, 0.055 + 0.11 * b);
    }
}

static Run StartCase(const Case* one, bool single)
{
    Scene s = { 0 };
    bool implicit = one->cast == shelves;
    Write(&s,
          "time: {duration: 1, integrator: %s, precision: %s, %s}\ncontact: {scheme: %s, friction: 0.3, restitution: "
          "0.8%s}\n",
          one->integrator, single ? "single" : "double", implicit ? "step: 0.005" : "fraction: 0.7", one->scheme,
          one->cast == alone    ? ""
          : one->cast == cloths ? ", bodies: all, self: true"
                                : ", bodies: all");
    if (one->cast == cloths)
    {
        WriteCloths(&s);
    }
    else if (one->cast == planes)
    {
        WritePlanes(&s);
    }
    else if (one->cast == floors)
    {
        WriteFloor(&s);
    }
    else if (implicit)
    {
        WriteShelves(&s);
    }
    else
    {
        WriteBlocks(&s);
    }
    return Start(&s);
}

static rslSolverDef DefOf(const Run* run, const Case* one, bool single, int threads)
{
    rslSolverDef def = rslDefaultSolverDef();
    def.integrator = rslSolver_Integrator(run->solver);
    def.precision = single ? rsl_single : rsl_double;
    def.step = one->cast == shelves ? 0.005 : RSL_AUTO;
    def.threads = threads;
    return def;
}

static rslSolver* NewSolver(const Run* run, const Case* one, bool single, int threads)
{
    rslSolverDef def = DefOf(run, one, single, threads);
    return SolverOf(run->model, &def);
}

static void Renew(Run* run, const Case* one, bool single, int threads)
{
    rslSolver* next = NewSolver(run, one, single, threads);
    rslSolver_Free(run->solver);
    run->solver = next;
}

// ---- the same bits --------------------------------------------------------------------------------------------------

enum
{
    MOST_STEPS = 400
};

static int StepsOf(const Case* one)
{
    int steps = Proving() ? one->steps * (one->cast == shelves ? 8 : 16) : FewerWhenSanitized(one->steps);
    return steps < MOST_STEPS ? steps : MOST_STEPS;
}

// How many states differ.
static int Compare(const Case* one, bool single)
{
    uint64_t hashes[MOST_STEPS];
    int steps = StepsOf(one), touched = 0, others = 0;
    Run whole = StartCase(one, single), parts = StartCase(one, single);
    for (int n = 0; n < steps; ++n)
    {
        Step(&whole, 1);
        hashes[n] = rslState_Hash(whole.state);
        touched += whole.state->touchedCount + (one->cast == alone);
    }
    int first = Proving() ? 0 : steps - (steps / 4 + 1);
    Renew(&parts, one, single, 2);
    Step(&parts, first);
    for (int n = first; n < steps; ++n)
    {
        Renew(&parts, one, single, 1 + n % 3);
        Step(&parts, 1);
        Reload(&parts);
        if (rslState_Hash(parts.state) != hashes[n])
        {
            print_error("%s, %s: step %d differs\n", one->name, single ? "single" : "double", n);
            others += 1;
        }
    }
    assert_true(Sanitized() || touched > 10);
    EndRun(&whole);
    EndRun(&parts);
    if (Proving())
    {
        Run team = StartCase(one, single);
        Renew(&team, one, single, 3);
        Step(&team, steps);
        others += rslState_Hash(team.state) != hashes[steps - 1];
        EndRun(&team);
    }
    return others;
}

static void TestSameBits(void** unused)
{
    int others = 0;
    (void)unused;
    for (int c = 0; c < CASES; ++c)
    {
        for (int single = 0; single < (cases[c].single ? 2 : 1); ++single)
        {
            others += Compare(&cases[c], single == 1);
        }
    }
    assert_proved("contact of every kind, every state saved and read back, 1 to 3 threads: states that differ", others,
                  0.0);
}

// ---- no memory ------------------------------------------------------------------------------------------------------

// A solver and a state that get their memory from a heap.
static Run OnHeap(const Run* run, const Case* one, const rslHooks* hooks)
{
    Run other = { .model = run->model };
    rslSolverDef def = DefOf(run, one, false, 1);
    assert_int_equal(rslSolver_Create(run->model, &def, hooks, &other.solver, NULL), rsl_ok);
    assert_int_equal(rslState_Create(run->model, rsl_double, hooks, &other.state), rsl_ok);
    return other;
}

// The allocation after the first ones fails in some step: it is told, and from the state that is left the run goes on to where it would
// have come. Returns whether one has failed.
static bool Starve(const Run* run, const Case* one, int after, int steps, uint64_t end)
{
    Heap heap = { 0 };
    rslHooks hooks = HeapHooks(&heap);
    Run other = OnHeap(run, one, &hooks);
    heap.failAt = heap.calls + after;
    rslStatus status = rslSolver_Step(other.solver, other.state, steps);
    bool failed = heap.calls >= heap.failAt;
    assert_int_equal(status, failed ? rsl_outOfMemory : rsl_ok);
    assert_true(other.state->stepCount <= (uint64_t)steps);
    heap.failAt = 0;
    assert_int_equal(rslSolver_Step(other.solver, other.state, steps - (int64_t)other.state->stepCount), rsl_ok);
    assert_true(rslState_Hash(other.state) == end);
    rslState_Free(other.state);
    rslSolver_Free(other.solver);
    assert_int_equal(heap.live, 0);
    return failed;
}

static void TestNoMemory(void** unused)
{
    static const int chosen[] = { 0, 4, 9, 12 };
    int failures = 0;
    (void)unused;
    for (int k = 0; k < 4; ++k)
    {
        const Case* one = &cases[chosen[k]];
        Run run = StartCase(one, false);
        int steps = FewerWhenSanitized(one->steps);
        Step(&run, steps);
        uint64_t end = rslState_Hash(run.state);
        for (int after = 1; Starve(&run, one, after, steps, end); after += Proving() ? 1 : 1 + after / 2)
        {
            failures += 1;
        }
        EndRun(&run);
    }
    assert_true(Sanitized() || failures > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestSameBits), cmocka_unit_test(TestNoMemory) };
    return cmocka_run_group_tests_name("touch_bits", tests, NULL, NULL);
}
