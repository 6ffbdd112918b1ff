// SPDX-License-Identifier: MIT
//
// bench_volume.c: what keeping a volume costs: time of a step of a ball of 2 n^2 triangles with springs along its edges, alone and
// with each method, for the sizes of Vassilev and Spanlang and beyond. Competitors take turns and the best turn of each
// counts; time is that of the process, on one thread.
//
//   bench_volume [MOST_TRIANGLES]      100000 unless given

#include "bench.h"

#include <math.h>

enum
{
    RACERS = rsl_volumeMethodCount,
    ROUNDS = 5
};

typedef struct Ball
{
    int vertexCount, triangleCount;
    double* vertices;
    int* triangles;
} Ball;

static void AddTriangle(Ball* ball, int a, int b, int c)
{
    int* t = &ball->triangles[3 * (size_t)ball->triangleCount++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

// n slices and n rings between two poles.
static Ball MakeBall(int n)
{
    const double pi = 3.14159265358979323846;
    Ball ball = { .vertexCount = n * n + 2 };
    ball.vertices = calloc(3 * (size_t)ball.vertexCount, sizeof(double));
    ball.triangles = calloc(6 * (size_t)n * (size_t)n, sizeof(int));
    if (ball.vertices == NULL || ball.triangles == NULL)
    {
        Check(rsl_outOfMemory, "ball");
    }
    for (int v = 0; v < ball.vertexCount; ++v)
    {
        int ring = (v + n - 1) / n;
        double theta = v == 0                      ? 0.0
                       : v == ball.vertexCount - 1 ? pi
                                                   : pi * ring / (n + 1),
               phi = 2.0 * pi * ((v + n - 1) % n) / n;
        ball.vertices[3 * v] = sin(theta) * sin(phi);
        ball.vertices[3 * v + 1] = cos(theta);
        ball.vertices[3 * v + 2] = sin(theta) * cos(phi);
    }
    for (int j = 0; j < n; ++j)
    {
        int next = (j + 1) % n;
        AddTriangle(&ball, 0, 1 + j, 1 + next);
        AddTriangle(&ball, 1 + n * n, 1 + (n - 1) * n + next, 1 + (n - 1) * n + j);
        for (int a = 1 + j, b = 1 + next; a + n <= n * n; a += n, b += n)
        {
            AddTriangle(&ball, a, a + n, b + n);
            AddTriangle(&ball, a, b + n, b);
        }
    }
    return ball;
}

typedef struct Racer
{
    rslModel* model;
    rslSolver* solver;
    rslState* state;
    double best;
} Racer;

static Racer MakeRacer(const Ball* ball, rslVolumeMethod method)
{
    double mass = 1.0 / ball->vertexCount, stiffness = 20.0, damping = 0.05;
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "ball";
    body.model.type = rsl_springModel;
    body.network.type = rsl_explicitNetwork;
    body.network.nodes = ball->vertices;
    body.network.nodeCount = ball->vertexCount;
    body.network.triangles = ball->triangles;
    body.network.triangleCount = ball->triangleCount;
    body.network.springsFrom = rsl_edgeSprings;
    body.network.masses = &mass;
    body.network.stiffness = &stiffness;
    body.network.damping = &damping;
    body.network.massCount = body.network.stiffnessCount = body.network.dampingCount = 1;
    body.volume.method = method;
    body.volume.stiffness = 1e-3;
    rslScene scene = rslDefaultScene();
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    scene.bodies = &body;
    scene.bodyCount = 1;
    rslSolverDef def = rslDefaultSolverDef();
    def.integrator = rsl_symplecticEuler;
    def.step = 1e-6;
    def.threads = 1;
    Racer racer = { .best = INFINITY, .model = Built(&scene) };
    Check(rslSolver_Create(racer.model, &def, NULL, &racer.solver, NULL), "solver");
    Check(rslState_Create(racer.model, rsl_double, NULL, &racer.state), "state");
    return racer;
}

static void Race(int n)
{
    Ball ball = MakeBall(n);
    Racer racers[RACERS];
    int64_t steps = 1 + 400000 / ball.triangleCount;
    for (int r = 0; r < RACERS; ++r)
    {
        racers[r] = MakeRacer(&ball, (rslVolumeMethod)r);
    }
    for (int round = 0; round < ROUNDS; ++round)
    {
        for (int r = 0; r < RACERS; ++r)
        {
            double time = TimeOfStep(racers[r].solver, racers[r].state, steps, 1);
            racers[r].best = time < racers[r].best ? time : racers[r].best;
        }
    }
    printf("%9d", ball.triangleCount);
    for (int r = 0; r < RACERS; ++r)
    {
        printf("  %9.2f", 1e6 * racers[r].best);
        rslState_Free(racers[r].state);
        rslSolver_Free(racers[r].solver);
        rslModel_Free(racers[r].model);
    }
    printf("  %9.1f %9.1f\n", 1e9 * racers[rsl_explicitVolume].best / ball.triangleCount,
           1e9 * racers[rsl_implicitVolume].best / ball.triangleCount);
    free(ball.vertices);
    free(ball.triangles);
}

int main(int argc, char** argv)
{
    static const int sizes[] = { 24, 36, 48, 58, 100, 224, 707 };  // 1152, 2592, 4608, 6728 are the paper's
    int most = argc > 1 ? atoi(argv[1]) : 100000;
    printf("triangles       none   explicit   implicit   pressure       hard   [us a step]   explicit, implicit [ns a "
           "triangle]\n");
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s)
    {
        if (2 * sizes[s] * sizes[s] <= most)
        {
            Race(sizes[s]);
        }
    }
    return 0;
}
