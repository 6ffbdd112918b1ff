// SPDX-License-Identifier: MIT
//
// test_touch_heap.c: soft bodies fall on a heap between walls, touching each other and themselves. The full form has 27 of 125 nodes;
// RSL_HEAP=N makes it N bodies of RSL_CELLS cells across for RSL_SECONDS, as of 100 bodies of 9 cells for 10 s.

#include "contact_scene.h"

static double Wish(const char* name, double otherwise)
{
    const char* text = getenv(name);
    return text != NULL ? atof(text) : otherwise;
}

#define SIDE 0.1

// Cubes and balls by turns, in layers of up to 3 x 3 or 5 x 5, each turned its own way.
static Run StartHeap(int count, int cells, double seconds)
{
    int row = count > 30 ? 5 : count > 4 ? 3 : 2;
    double half = 0.62 * SIDE * row;
    Random random = MakeRandom(11);
    Scene s = { 0 };
    Write(&s,
          "ground: {friction: 0.4}\ncontact: {bodies: all, self: true, friction: 0.4}\ntime: {duration: %g, fraction: "
          "0.5}\ncolliders:\n",
          seconds);
    for (int i = 0; i < 4; ++i)
    {
        double x = i == 0 ? 1.0 : i == 1 ? -1.0 : 0.0, y = i == 2 ? 1.0 : i == 3 ? -1.0 : 0.0;
        Write(&s, "  - {name: wall%d, type: plane, point: [%g, %g, 0], normal: [%g, %g, 0], friction: 0.2}\n", i,
              half * x, half * y, -x, -y);
    }
    Write(&s, "bodies:\n");
    for (int i = 0; i < count; ++i)
    {
        int layer = i / (row * row), at = i % (row * row);
        double x = 1.2 * SIDE * (at % row - 0.5 * (row - 1)), y = 1.2 * SIDE * (at / row - 0.5 * (row - 1));
        rslVec3 axis = NextVec3(&random, 1.0);
        double angle = NextBetween(&random, 0.0, 360.0), off = 0.02 * SIDE * (layer % 2 == 0 ? 1.0 : -1.0);
        Write(
            &s,
            "  - {name: b%d, model: springs, shape: {type: %s, %s, rotate: {axis: [%.6g, %.6g, %.6g], angle: %.6g}, "
            "translate: [%.6g, %.6g, %.6g]}, network: {type: lattice, spacing: %.17g}, material: {young: 1e5, poisson: "
            "0.25, density: 1000, stiffness_damping: 2e-3}}\n",
            i, i % 2 == 0 ? "box" : "sphere", i % 2 == 0 ? "size: [0.065, 0.065, 0.065]" : "radius: 0.05", axis.x,
            axis.y, axis.z, angle, x + off, y - off, SIDE * (0.7 + 1.25 * layer), SIDE / cells);
    }
    return Start(&s);
}

typedef struct Box
{
    rslVec3 low, high;
} Box;

static Box BoxOf(const SkinPoints* points)
{
    Box box = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    for (int v = 0; v < points->skin->vertexCount; ++v)
    {
        rslVec3 x = points->at[v];
        box.low = (rslVec3){ fmin(box.low.x, x.x), fmin(box.low.y, x.y), fmin(box.low.z, x.z) };
        box.high = (rslVec3){ fmax(box.high.x, x.x), fmax(box.high.y, x.y), fmax(box.high.z, x.z) };
    }
    return box;
}

static bool Apart(Box a, Box b)
{
    return a.low.x > b.high.x || b.low.x > a.high.x || a.low.y > b.high.y || b.low.y > a.high.y || a.low.z > b.high.z ||
           b.low.z > a.high.z;
}

static bool Holds(Box box, rslVec3 x)
{
    return box.low.x <= x.x && x.x <= box.high.x && box.low.y <= x.y && x.y <= box.high.y && box.low.z <= x.z &&
           x.z <= box.high.z;
}

// How deep any body is in another or in the ground [m].
static double DepthOfHeap(const Run* run)
{
    int count = run->model->bodyCount;
    SkinPoints* skins = calloc((size_t)count, sizeof *skins);
    Box* boxes = calloc((size_t)count, sizeof *boxes);
    double depth = 0.0;
    for (int b = 0; b < count; ++b)
    {
        skins[b] = SkinOf(run, b);
        boxes[b] = BoxOf(&skins[b]);
        depth = Worse(depth, -boxes[b].low.z);
    }
    for (int a = 0; a < count; ++a)
    {
        for (int b = 0; b < count; ++b)
        {
            for (int v = 0; a != b && !Apart(boxes[a], boxes[b]) && v < skins[a].skin->vertexCount; ++v)
            {
                rslVec3 x = skins[a].at[v];
                depth = Holds(boxes[b], x) ? Worse(depth, DepthIn(&skins[b], x)) : depth;
            }
        }
    }
    for (int b = 0; b < count; ++b)
    {
        free(skins[b].at);
    }
    free(skins);
    free(boxes);
    return depth;
}

static void FallOnAHeap(void** unused)
{
    (void)unused;
    int count = (int)Wish("RSL_HEAP", Proving() ? 27 : 4), cells = (int)Wish("RSL_CELLS", Proving() ? 5 : 3);
    double seconds = Wish("RSL_SECONDS", Proving() ? 3.0 : 0.25);
    Run run = StartHeap(count, cells, seconds);
    double start = rslSolver_Energy(run.solver, run.state).total, last = start, grown = 0.0, depth = 0.0;
    for (int k = 1; k <= 20; ++k)
    {
        StepTo(&run, seconds * k / 20.0);
        double energy = rslSolver_Energy(run.solver, run.state).total;
        grown = Worse(grown, (energy - last) / start);
        last = energy;
        depth = Worse(depth, DepthOfHeap(&run) / (0.5 * SIDE / cells));
    }
    if (Proving())
    {
        printf("heap: %d bodies, %d nodes, %g s\n", count, run.model->nodeCount, seconds);
    }
    assert_proved("heap: depth over half a cell", depth, 0.05);
    assert_proved("heap: growth of energy between twentieths, over that of the start", grown, 1e-6);
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(FallOnAHeap) };
    return cmocka_run_group_tests_name("touch_heap", tests, NULL, NULL);
}
