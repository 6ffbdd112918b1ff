// SPDX-License-Identifier: MIT
//
// bench_repulsion.c: what clamped repulsion costs where nothing is near collapse, forces and the guard of drifts together: time of a
// step with it over that without. Bodies are at rest, fall, fly, spin (a turn in 2000 steps), swing (waves of 4 % strain along and
// across, of 1 % where flat tetrahedra would collapse) or swing while they are pressed by a tenth. Both take turns, and the median of the ratios of turns counts. With one thread,
// time is that of the process, because the machine may be shared; with more it is that on the wall.
//
//   bench_repulsion [CELLS_A_SIDE [THREADS [NETWORK [MOTION]]]]      30, 1 and all unless given

#include "bench.h"

#include <math.h>
#include <string.h>

enum
{
    ROUNDS = 7
};

typedef enum Motion
{
    REST,
    FALL,
    FLY,
    SPIN,
    SWING,
    PRESSED,
    MOTIONS
} Motion;

static const char* const motions[MOTIONS] = { "rest", "falls", "flies", "spins", "swings", "pressed" };

typedef struct Kind
{
    const char* name;
    rslNetworkType network;
    rslModelType model;
    rslSpace plane;
    double size;  // of its grid, over the number of cells asked for
    double wave;  // strain of waves; flat tetrahedra of a mesh come near collapse sooner
} Kind;

static const Kind kinds[] = {
    { "lattice", rsl_latticeNetwork, rsl_springModel, rsl_space3, 1.0, 0.04 },
    { "bricks", rsl_latticeNetwork, rsl_brickModel, rsl_space3, 1.0, 0.04 },
    { "tetrahedra", rsl_tetrahedraNetwork, rsl_springModel, rsl_space3, 0.6, 0.01 },
    { "hexahedra", rsl_hexahedraNetwork, rsl_finiteModel, rsl_space3, 0.6, 0.04 },
    { "triangles", rsl_sheetNetwork, rsl_springModel, rsl_planeXY, 5.0, 0.04 },
};

static const double spacing = 0.01, young = 1e5, density = 1000.0;

static rslModel* MakeModel(const Kind* kind, int cells, Motion motion, rslRepulsionType repulsion)
{
    rslShapeDef box = rslDefaultShapeDef();
    int side = (int)(kind->size * cells);
    double size = spacing * side;
    box.size = (rslVec3){ size, size, size };
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "block";
    body.shape = &box;
    body.network.type = kind->network;
    body.network.spacing = spacing;
    body.model.type = kind->model;
    body.repulsion.type = repulsion;
    body.material.young = young;
    body.material.poisson = 0.25;
    body.material.density = density;
    body.surface.enabled = false;
    if (kind->network == rsl_sheetNetwork)
    {
        body.shape = NULL;
        body.material.poisson = 1.0 / 3.0;
        body.network.cells[0] = body.network.cells[1] = side;
        body.network.size[0] = body.network.size[1] = size;
        body.network.thickness = spacing;
        body.network.spacing = 0.0;
    }
    else if (kind->network == rsl_hexahedraNetwork)
    {
        body.network.spacing = 0.0;
        body.network.grid[0] = body.network.grid[1] = body.network.grid[2] = side;
    }
    rslScene scene = rslDefaultScene();
    scene.plane = kind->plane;
    scene.gravity = (rslVec3){ 0.0, motion == FALL ? -9.81 : 0.0, 0.0 };
    scene.bodies = &body;
    scene.bodyCount = 1;
    return Built(&scene);
}

static void Put(void* const array[3], rslPrecision precision, int i, rslVec3 v)
{
    const double part[3] = { v.x, v.y, v.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        if (precision == rsl_single)
        {
            ((float*)array[axis])[i] = (float)part[axis];
        }
        else
        {
            ((double*)array[axis])[i] = part[axis];
        }
    }
}

static rslState* MakeState(const rslModel* model, const rslSolver* solver, rslPrecision precision, const Kind* kind,
                           double size, Motion motion)
{
    const double pi = 3.14159265358979323846, wave = kind->wave * sqrt(young / density);
    const double turn = 2.0 * pi / (2000.0 * rslSolver_Stability(solver).step);
    rslState* state = NULL;
    Check(rslState_Create(model, precision, NULL, &state), "state");
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double x[3];
        rslBody_Rest(&model->bodies[0], i, i + 1, x);
        rslVec3 v = { 0.0, 0.0, 0.0 };
        double phase = pi * x[0] / size;
        switch (motion)
        {
            case FLY: v = (rslVec3){ 3.0, 4.0, 0.0 }; break;
            case SPIN: v = (rslVec3){ -turn * x[1], turn * x[0], 0.0 }; break;
            case SWING:
            case PRESSED: v = (rslVec3){ wave * sin(phase), wave * sin(phase), 0.0 }; break;
            default: break;
        }
        Put(state->velocity, precision, i, v);
        Put(state->displacement, precision, i, (rslVec3){ 0.0, motion == PRESSED ? -0.1 * x[1] : 0.0, 0.0 });
    }
    return state;
}

static int Order(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The median ratio; *step: the shortest step without, per node; *near: something came near collapse, and steps were divided.
static double Race(const Kind* kind, Motion motion, int cells, rslPrecision precision, int threads, double* step,
                   bool* near)
{
    double ratios[ROUNDS], best = INFINITY;
    rslModel* models[2];
    rslSolver* solvers[2];
    rslState* states[2];
    for (int r = 0; r < 2; ++r)
    {
        rslSolverDef def = rslDefaultSolverDef();
        def.precision = precision;
        def.threads = threads;
        models[r] = MakeModel(kind, cells, motion, r == 0 ? rsl_noRepulsion : rsl_clampedRepulsion);
        Check(rslSolver_Create(models[r], &def, NULL, &solvers[r], NULL), "solver");
        states[r] = MakeState(models[r], solvers[r], precision, kind, spacing * kind->size * cells, motion);
    }
    int nodes = models[0]->nodeCount, steps = nodes > 100000 ? 32 : nodes > 10000 ? 64 : 128;
    for (int n = 0; n < ROUNDS; ++n)
    {
        double times[2];
        for (int r = 0; r < 2; ++r)
        {
            times[r] = TimeOfStep(solvers[r], states[r], steps, threads);
        }
        ratios[n] = times[1] / times[0];
        best = fmin(best, times[0] / nodes);
    }
    *near = states[1]->guard.divided > 0;
    for (int r = 0; r < 2; ++r)
    {
        rslState_Free(states[r]);
        rslSolver_Free(solvers[r]);
        rslModel_Free(models[r]);
    }
    qsort(ratios, ROUNDS, sizeof(double), Order);
    *step = best;
    return ratios[ROUNDS / 2];
}

int main(int argc, char** argv)
{
    int cells = argc > 1 ? atoi(argv[1]) : 30, threads = argc > 2 ? atoi(argv[2]) : 1;
    const char *only = argc > 3 ? argv[3] : NULL, *onlyMotion = argc > 4 ? argv[4] : NULL;
    if (cells < 4 || cells > 200 || threads < 1)
    {
        fprintf(stderr, "expected 4 to 200 cells a side, and a thread or more\n");
        return 2;
    }
    printf(
        "time of a step with clamped repulsion over that without, %d cells a side, %d threads (*: divided)\n%-10s %6s",
        cells, threads, "", "");
    for (int m = 0; m < MOTIONS; ++m)
    {
        printf(" %8s", motions[m]);
    }
    printf("   ns a node without\n");
    for (int n = 0; n < 2 * (int)(sizeof kinds / sizeof *kinds); ++n)
    {
        const Kind* kind = &kinds[n / 2];
        double step = 0.0;
        if (only != NULL && strcmp(only, kind->name) != 0)
        {
            continue;
        }
        printf("%-10s %6s", kind->name, n % 2 == 0 ? "single" : "double");
        for (int m = 0; m < MOTIONS; ++m)
        {
            rslPrecision precision = n % 2 == 0 ? rsl_single : rsl_double;
            bool asked = onlyMotion == NULL || strcmp(onlyMotion, motions[m]) == 0;
            bool near = false;
            double ratio = asked ? Race(kind, (Motion)m, cells, precision, threads, &step, &near) : NAN;
            printf(" %7.3f%c", ratio, near ? '*' : ' ');
            fflush(stdout);
        }
        printf(" %8.1f\n", 1e9 * step);
    }
    return 0;
}
