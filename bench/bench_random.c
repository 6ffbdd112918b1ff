// SPDX-License-Identifier: MIT
//
// bench_random.c: nodes a second of random networks at filling 0.34 with 15 springs a node, stage by stage: points, then
// the whole body without and with its surface. bench_random [NODES] [SEED]; 10^6 nodes by default. Seconds are of the processor, all of it on one core.

#include "memory.h"
#include "random_points.h"
#include "bench.h"

#include <math.h>

static void Print(const char* what, double nodes, double seconds)
{
    printf("%-32s %8.3f s %12.0f nodes/s\n", what, seconds, nodes / seconds);
    fflush(stdout);
}

static void TimePoints(const rslShapeDef* box, double least, int nodes, uint64_t seed)
{
    rslHooks hooks = rslHooks_Complete(NULL);
    rslShape* shape = NULL;
    Check(rslShape_Create(box, &hooks, &shape, NULL), "shape");
    rslRandomPoints points;
    double start = OwnSeconds();
    Check(rslRandomPoints_Place(shape, least, nodes, seed, &hooks, &points), "placing");
    Print("points", points.count, OwnSeconds() - start);
    rslRandomPoints_Free(&points);
    rslShape_Free(shape);
}

static void TimeBody(const char* what, const rslBodyDef* body, uint64_t seed)
{
    rslScene scene = rslDefaultScene();
    scene.seed = seed;
    scene.bodies = body;
    scene.bodyCount = 1;
    double start = OwnSeconds();
    rslModel* model = Built(&scene);
    Print(what, model->nodeCount, OwnSeconds() - start);
    printf("%-32s %8.2f, %.0f bytes a node\n", "  springs a node", 2.0 * (double)model->springCount / model->nodeCount,
           (double)model->bytes / model->nodeCount);
    rslModel_Free(model);
}

int main(int argc, char** argv)
{
    int nodes = argc > 1 ? atoi(argv[1]) : 1000000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 7;
    if (nodes < 1000)
    {
        fprintf(stderr, "usage: bench_random [NODES] [SEED], at least 1000 nodes\n");
        return 2;
    }
    // N pi/6 d^3 = filling V
    rslShapeDef box = rslDefaultShapeDef();
    box.type = rsl_boxShape;
    box.size = (rslVec3){ 0.4, 0.1, 0.1 };
    double least = cbrt(0.34 * 0.004 / (nodes * 0.52359877559829887));
    TimePoints(&box, least, nodes, seed);
    rslBodyDef body = rslDefaultBodyDef();
    body.name = "block";
    body.shape = &box;
    body.network.type = rsl_randomNetwork;
    body.network.minLength = least;
    body.network.maxLength = 1.85 * least;
    body.material.young = 5e5;
    body.material.poisson = 0.25;
    body.material.density = 1000.0;
    body.surface.enabled = false;
    TimeBody("body", &body, seed);
    body.surface.enabled = true;
    TimeBody("body with surface", &body, seed);
    return 0;
}
