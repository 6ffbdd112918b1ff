// SPDX-License-Identifier: MIT
//
// test_touch_heap.c: soft bodies of many kinds fall on a heap between walls, touching each other and themselves. The full form has 27 of
// them for 5 s; RSL_HEAP=100 RSL_CELLS=13.4 RSL_SECONDS=10 makes it a hundred of 1e5 nodes together, which takes an hour: with RSL_KEPT=FILE
// a run that was ended goes on from what it had come to. RSL_STEPS="fraction: 0.8" takes fewer steps, and so does RSL_JITTER=0, since
// slivers of tetrahedra at crushed corners divide the steps of all. RSL_SHEETS=1 makes every tenth a sheet. The same heap, of coarser
// bodies, falls in implicit steps of 1/60 s. The full form has a tower of three as well.

#include "contact_scene.h"

#include "collide_pair.h"

#include <time.h>

static double Wish(const char* name, double otherwise)
{
    const char* text = getenv(name);
    return text != NULL ? atof(text) : otherwise;
}

// Of the process.
static double Seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

#define SIDE 1.0  // that a body is across, about

static double SpacingOf(double cells)
{
    return SIDE / cells;
}

static bool IsSheet(int i)
{
    return i % 10 == 9 && Wish("RSL_SHEETS", 0.0) > 0.0;
}

// Springs and elements, lattices and tetrahedra, solids of several shapes and sheets; each turned its own way.
static void WriteBody(Scene* s, int i, double spacing, double jitter, rslVec3 at, Random* random)
{
    static const char* const shapes[] = {
        "type: box, size: [0.65, 0.55, 0.5]",
        "type: sphere, radius: 0.5",
        "type: union, parts: [{type: rabbit, height: 0.95, translate: [0, 0, -0.45]}]",
        "type: box, size: [0.75, 0.5, 0.4]",
        "type: capsule, radius: 0.32, height: 0.36",
        "type: torus, radius: 0.34, tube_radius: 0.16",
    };
    static const double parts[] = { 1.0, 0.6, 0.3 };
    int kind = i % 6;
    rslVec3 axis = NextVec3(random, 1.0);
    char place[160];
    snprintf(place, sizeof place, "rotate: {axis: [%.6g, %.6g, %.6g], angle: %.6g}, translate: [%.6g, %.6g, %.6g]",
             axis.x, axis.y, axis.z, NextBetween(random, 0.0, 360.0), at.x, at.y, at.z);
    Write(s, "  - {name: b%d, material: {young: %g, poisson: %g, density: 1000, stiffness_damping: 1e-3}, ", i,
          parts[i % 3] * Wish("RSL_YOUNG", 1e6), IsSheet(i) ? 0.3333 : 0.25);
    if (IsSheet(i))
    {
        Write(s, "model: springs, network: {type: sheet, size: [0.7, 0.7], spacing: %.17g, thickness: 0.03, %s}}\n",
              spacing, place);
        return;
    }
    char network[80];
    snprintf(network, sizeof network, kind == 3 ? "type: tetrahedra, jitter: %g" : "type: lattice", jitter);
    Write(s, "model: %s, shape: {%s, %s}, network: {%s, spacing: %.17g}}\n", i % 12 == 2 ? "brick" : "springs",
          shapes[kind], place, network, spacing);
}

// In layers of row x row, between walls; of the kinds from first on; steps: what time says of them.
typedef struct Thrown
{
    int count, row, first, seed;
    double cells, jitter, seconds;
    const char* steps;
} Thrown;

static int RowOf(int count)
{
    return count > 30 ? 6 : count > 4 ? 3 : 2;
}

static Run StartHeap(const Thrown* heap)
{
    int count = heap->count, row = heap->row;
    double half = 0.53 * SIDE * row;
    Random random = MakeRandom((uint64_t)heap->seed);
    Scene s = { 0 };
    Write(&s,
          "ground: {friction: 0.4}\ncontact: {bodies: all, self: true, friction: 0.4}\ntime: {duration: %g, "
          "%s}\ncolliders:\n",
          heap->seconds, heap->steps);
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
        double x = 1.02 * SIDE * (at % row - 0.5 * (row - 1)), y = 1.02 * SIDE * (at / row - 0.5 * (row - 1));
        double off = 0.02 * SIDE * (layer % 2 == 0 ? 1.0 : -1.0);
        WriteBody(&s, heap->first + i, SpacingOf(heap->cells), heap->jitter,
                  (rslVec3){ x + off, y - off, SIDE * (0.55 + 1.03 * layer) }, &random);
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

// Does the way from a to b go through a triangle?
static bool Pierces(rslVec3 a, rslVec3 b, const rslVec3 t[3])
{
    rslVec3 n = rslCross(rslSub(t[1], t[0]), rslSub(t[2], t[0]));
    double from = rslDot(n, rslSub(a, t[0])), to = rslDot(n, rslSub(b, t[0]));
    if (!(from * to < 0.0))
    {
        return false;
    }
    rslVec3 x = rslMulAdd(a, from / (from - to), rslSub(b, a));
    bool inside = true;
    for (int k = 0; k < 3; ++k)
    {
        rslVec3 edge = rslSub(t[(k + 1) % 3], t[k]);
        inside = inside && rslDot(n, rslCross(edge, rslSub(x, t[k]))) > 0.0;
    }
    return inside;
}

// Between an edge and a triangle.
static double GapBetween(const SkinPoints* points, const int e[2], const int t[3])
{
    const rslVec3 *x = points->at, corner[3] = { x[t[0]], x[t[1]], x[t[2]] };
    double least = INFINITY;
    for (int k = 0; k < 2; ++k)
    {
        least = fmin(least, rslGap_Find((const rslVec3[]){ x[e[k]], corner[0], corner[1], corner[2] }).squared);
    }
    for (int k = 0; k < 3; ++k)
    {
        const rslVec3 pair[4] = { x[e[0]], x[e[1]], corner[k], corner[(k + 1) % 3] };
        least = fmin(least, rslPair_Nearest(rsl_edgeEdge, pair).squared);
    }
    return sqrt(least);
}

// By how much an edge that goes through a triangle has to move to be out of it [m]: an end of it has to come back through the triangle, or
// all of it over one of the sides.
static double DepthThrough(rslVec3 a, rslVec3 b, const rslVec3 t[3])
{
    rslVec3 n = rslNormalize(rslCross(rslSub(t[1], t[0]), rslSub(t[2], t[0])));
    double depth = fmin(fabs(rslDot(n, rslSub(a, t[0]))), fabs(rslDot(n, rslSub(b, t[0]))));
    for (int k = 0; k < 3; ++k)
    {
        const rslVec3 pair[4] = { a, b, t[k], t[(k + 1) % 3] };
        depth = fmin(depth, sqrt(rslPair_Nearest(rsl_edgeEdge, pair).squared));
    }
    return depth;
}

// How deep edges of a body are in triangles of itself [m]. What is within 1.2 cells at rest does not touch, as what a spring joins.
static double DepthInItself(const SkinPoints* skin, const SkinPoints* rest, double spacing)
{
    double depth = 0.0;
    for (int e = 0; e < skin->skin->edgeCount; ++e)
    {
        const int* ends = &skin->skin->edges[2 * (size_t)e];
        rslVec3 a = skin->at[ends[0]], b = skin->at[ends[1]];
        for (int t = 0; t < skin->skin->triangleCount; ++t)
        {
            const int* c = &skin->skin->triangles[3 * (size_t)t];
            const rslVec3 x[3] = { skin->at[c[0]], skin->at[c[1]], skin->at[c[2]] };
            if (Pierces(a, b, x) && GapBetween(rest, ends, c) > 1.2 * spacing)
            {
                depth = Worse(depth, DepthThrough(a, b, x));
            }
        }
    }
    return depth;
}

// How many edges of a body go through triangles of a sheet.
static int CountPierced(const SkinPoints* sheet, Box box, const SkinPoints* other)
{
    int count = 0;
    for (int e = 0; e < other->skin->edgeCount; ++e)
    {
        rslVec3 a = other->at[other->skin->edges[2 * (size_t)e]], b = other->at[other->skin->edges[2 * (size_t)e + 1]];
        for (int t = 0; (Holds(box, a) || Holds(box, b)) && t < sheet->skin->triangleCount; ++t)
        {
            const int* c = &sheet->skin->triangles[3 * (size_t)t];
            count += Pierces(a, b, (const rslVec3[]){ sheet->at[c[0]], sheet->at[c[1]], sheet->at[c[2]] });
        }
    }
    return count;
}

typedef struct Pile
{
    int count;
    double spacing;
    SkinPoints *skins, *rest;
    Box* boxes;
    double depth, own;  // in others and the ground, in itself, over half a cell
    int deep[3];        // body, vertex and other body; -1: its lowest one in the ground
    int pierced;
} Pile;

static Pile WatchPile(const Run* run, double spacing)
{
    Pile pile = { .count = run->model->bodyCount, .spacing = spacing };
    pile.skins = calloc((size_t)pile.count, sizeof(SkinPoints));
    pile.rest = calloc((size_t)pile.count, sizeof(SkinPoints));
    pile.boxes = calloc((size_t)pile.count, sizeof(Box));
    for (int b = 0; b < pile.count; ++b)
    {
        pile.rest[b] = SkinOf(run, b);
    }
    return pile;
}

static void MeasurePair(Pile* pile, int a, int b)
{
    const SkinPoints *one = &pile->skins[a], *other = &pile->skins[b];
    if (Apart(pile->boxes[a], pile->boxes[b]))
    {
        return;
    }
    if (!other->skin->closed)
    {
        pile->pierced += CountPierced(other, pile->boxes[b], one);
        return;
    }
    for (int v = 0; v < one->skin->vertexCount; ++v)
    {
        if (Holds(pile->boxes[b], one->at[v]))
        {
            double depth = DepthIn(other, one->at[v]) / (0.5 * pile->spacing);
            if (depth > pile->depth)
            {
                pile->depth = depth;
                pile->deep[0] = a;
                pile->deep[1] = v;
                pile->deep[2] = b;
            }
        }
    }
}

static void MeasurePile(Pile* pile, const Run* run)
{
    pile->depth = pile->own = 0.0;
    pile->pierced = 0;
    for (int b = 0; b < pile->count; ++b)
    {
        pile->skins[b] = SkinOf(run, b);
        pile->boxes[b] = BoxOf(&pile->skins[b]);
        double low = -pile->boxes[b].low.z / (0.5 * pile->spacing);
        if (low > pile->depth)
        {
            pile->depth = low;
            memcpy(pile->deep, (const int[]){ b, -1, -1 }, sizeof pile->deep);
        }
        double own = pile->skins[b].skin->closed ? DepthInItself(&pile->skins[b], &pile->rest[b], pile->spacing) : 0.0;
        pile->own = Worse(pile->own, own / (0.5 * pile->spacing));
    }
    for (int a = 0; a < pile->count; ++a)
    {
        for (int b = 0; b < pile->count; ++b)
        {
            if (a != b)
            {
                MeasurePair(pile, a, b);
            }
        }
    }
    for (int b = 0; b < pile->count; ++b)
    {
        free(pile->skins[b].at);
    }
}

static void EndPile(Pile* pile)
{
    for (int b = 0; b < pile->count; ++b)
    {
        free(pile->rest[b].at);
    }
    free(pile->skins);
    free(pile->rest);
    free(pile->boxes);
}

// What a run of many minutes has come to is kept in a file, and taken up from there.
typedef struct Course
{
    double start, last, grown;  // energy
    double depth, own;          // at most, so far
    int pierced, looks;
} Course;

static void SaveCourse(const char* path, const Run* run, const Course* course)
{
    FILE* file = path != NULL ? fopen(path, "wb") : NULL;
    if (file == NULL)
    {
        return;
    }
    size_t size = rslState_Save(run->state, NULL, 0);
    void* bytes = malloc(size);
    assert_non_null(bytes);
    rslState_Save(run->state, bytes, size);
    assert_int_equal(fwrite(course, sizeof *course, 1, file), 1);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    free(bytes);
}

static void LoadCourse(const char* path, Run* run, Course* course)
{
    FILE* file = path != NULL ? fopen(path, "rb") : NULL;
    if (file == NULL)
    {
        return;
    }
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file) - sizeof *course;
    void* bytes = malloc(size);
    assert_non_null(bytes);
    rewind(file);
    assert_int_equal(fread(course, sizeof *course, 1, file), 1);
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    rslState_Free(run->state);
    assert_int_equal(rslState_Load(run->model, rsl_double, bytes, size, NULL, &run->state, NULL), rsl_ok);
    free(bytes);
}

static void FallOnAHeap(void** unused)
{
    (void)unused;
    int count = (int)Wish("RSL_HEAP", Proving() ? 27 : 4);
    double cells = Wish("RSL_CELLS", Proving() ? 5 : 3), seconds = Wish("RSL_SECONDS", Proving() ? 5.0 : 0.4);
    const char* wished = getenv("RSL_STEPS");
    const Thrown heap = { .count = count,
                          .row = RowOf(count),
                          .seed = (int)Wish("RSL_SEED", 11.0),
                          .cells = cells,
                          .jitter = Wish("RSL_JITTER", 0.2),
                          .steps = wished != NULL ? wished : "fraction: 0.5",
                          .seconds = seconds };
    int looks = Proving() ? 40 : 4;
    const char* path = getenv("RSL_KEPT");
    Run run = StartHeap(&heap);
    Pile pile = WatchPile(&run, SpacingOf(cells));
    Course course = { .start = rslSolver_Energy(run.solver, run.state).total };
    course.last = course.start;
    LoadCourse(path, &run, &course);
    double begin = Seconds();
    uint64_t from = run.state->stepCount + run.state->guard.substeps;
    for (int k = 10 * course.looks + 1; k <= 10 * looks; ++k)
    {
        StepTo(&run, seconds * k / (10.0 * looks));
        double energy = rslSolver_Energy(run.solver, run.state).total;
        course.grown = Worse(course.grown, (energy - course.last) / course.start);
        course.last = energy;
        if (k % 10 != 0)
        {
            continue;
        }
        double took = Seconds() - begin;
        uint64_t steps = run.state->stepCount + run.state->guard.substeps - from;
        MeasurePile(&pile, &run);
        course.looks = k / 10;
        course.depth = Worse(course.depth, pile.depth);
        course.own = Worse(course.own, pile.own);
        course.pierced += pile.pierced;
        if (Proving())
        {
            printf("%.4g s: %d steps and parts, %.2f ms each, %d touches, energy %.6g, depth %.3g (b%d, %d in b%d), of "
                   "itself %.3g\n",
                   TimeOf(&run), (int)steps, 1e3 * took / (double)steps, run.state->touchedCount, energy / course.start,
                   pile.depth, pile.deep[0], pile.deep[1], pile.deep[2], pile.own);
            fflush(stdout);
        }
        SaveCourse(path, &run, &course);
        begin = Seconds();
        from = run.state->stepCount + run.state->guard.substeps;
    }
    if (Proving())
    {
        printf("heap: %d bodies, %d nodes, %g s\n", count, run.model->nodeCount, seconds);
    }
    assert_proved("heap: depth over half a cell", course.depth, 0.05);
    assert_proved("heap: depth in itself over half a cell", course.own, 0.05);
    assert_proved("heap: edges through sheets", course.pierced, 0.0);
    assert_proved("heap: growth of energy, over that of the start", course.grown, 1e-6);
    EndPile(&pile);
    EndRun(&run);
}

// By implicit steps with a barrier: every frame is found, in not too many Newton steps, nothing overlaps and energy never grows.
static void FallImplicitly(void** unused)
{
    (void)unused;
    int count = Proving() ? 27 : 4, frames = Proving() ? 48 : 18;
    double cells = Proving() ? 4.5 : 2.5, grown = 0.0, depth = 0.0;
    const Thrown heap = { .count = count,
                          .row = RowOf(count),
                          .seed = 11,
                          .cells = cells,
                          .jitter = 0.2,
                          .steps = "integrator: tr_bdf2, step: 0.01666666666666667",
                          .seconds = frames / 60.0 };
    Run run = StartHeap(&heap);
    Pile pile = WatchPile(&run, SpacingOf(cells));
    double start = rslSolver_Energy(run.solver, run.state).total, last = start, begin = Seconds();
    for (int k = 1; k <= frames; ++k)
    {
        Step(&run, 1);
        double energy = rslSolver_Energy(run.solver, run.state).total;
        grown = Worse(grown, (energy - last) / start);
        last = energy;
        if (k % 6 == 0)
        {
            MeasurePile(&pile, &run);
            depth = Worse(depth, Worse(pile.depth, pile.own));
        }
    }
    rslSolve solve = rslSolver_Solve(run.solver);
    if (Proving())
    {
        printf("heap in implicit steps: %d bodies, %d nodes, %d frames, %d touches, %.3g iterations a Newton step, "
               "%.3g s\n",
               count, run.model->nodeCount, frames, run.state->touchedCount,
               (double)solve.iterations / (double)solve.newtonSteps, Seconds() - begin);
    }
    assert_proved("heap in implicit steps: depth over half a cell", depth, 1e-9);
    assert_proved("heap in implicit steps: growth of energy, over that of the start", grown, 1e-9);
    assert_proved("heap in implicit steps: Newton steps a frame", (double)solve.newtonSteps / frames, 28.0);
    EndPile(&pile);
    EndRun(&run);
}

// A rabbit, a box and a capsule fall on each other: the rabbit is crushed, and edges of its folds cross where no vertex is near (they went
// through each other, 0.17). A fold that is crushed whole is still 0.07 deep in itself for a moment.
static void FallOnATower(void** unused)
{
    (void)unused;
    if (!Proving())
    {
        skip();  // nothing is crushed before 0.6 s
    }
    const Thrown heap = {
        .count = 3, .row = 1, .first = 2, .seed = 3, .cells = 13.4, .steps = "fraction: 0.8", .seconds = 0.675
    };
    Run run = StartHeap(&heap);
    Pile pile = WatchPile(&run, SpacingOf(heap.cells));
    double own = 0.0;
    for (int k = 1; k <= 40; ++k)
    {
        StepTo(&run, heap.seconds * k / 40.0);
        MeasurePile(&pile, &run);
        own = Worse(own, pile.own);
    }
    assert_proved("tower: depth in itself over half a cell", own, 0.1);
    EndPile(&pile);
    EndRun(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(FallOnAHeap), cmocka_unit_test(FallImplicitly),
                                        cmocka_unit_test(FallOnATower) };
    return cmocka_run_group_tests_name("touch_heap", tests, NULL, NULL);
}
