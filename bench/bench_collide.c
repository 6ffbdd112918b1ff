// SPDX-License-Identifier: MIT
//
// bench_collide.c: what finding collisions costs in a step, for many cubes and for one with as many nodes on its skin: alone in the air,
// and a heap of cubes with a hundredth of a cell between them that move against each other and fast together, all touching each other
// and themselves.
// Time is that of the process with one thread, per contact node and per node of the bodies.
//
//   bench_collide [NODES [BODIES [STEPS]]]      100000, 100 and 200 unless given

#include "bench.h"
#include "collide_internal.h"

#include <math.h>
#include <string.h>

enum
{
    MOST = 4096
};

static const double spacing = 0.01;
static rslShapeDef shapes[MOST];
static rslBodyDef bodies[MOST];
static char names[MOST][16];

static double Noise(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 33) / 1073741824.0 - 1.0;
}

// Cubes of n cells a side in a block, side by side.
static rslScene MakeHeap(int count, int cells)
{
    int side = (int)ceil(cbrt(count));
    double size = cells * spacing, pitch = size + 0.01 * spacing;
    for (int b = 0; b < count; ++b)
    {
        shapes[b] = rslDefaultShapeDef();
        shapes[b].type = rsl_boxShape;
        shapes[b].size = (rslVec3){ size, size, size };
        shapes[b].translate = (rslVec3){ pitch * (b % side), pitch * (b / side % side), pitch * (b / side / side) };
        snprintf(names[b], sizeof names[b], "b%d", b);
        bodies[b] = rslDefaultBodyDef();
        bodies[b].name = names[b];
        bodies[b].shape = &shapes[b];
        bodies[b].model.type = rsl_springModel;
        bodies[b].repulsion.type = rsl_noRepulsion;
        bodies[b].network.type = rsl_latticeNetwork;
        bodies[b].network.spacing = spacing;
        bodies[b].material.young = 1e5;
        bodies[b].material.poisson = 0.25;
        bodies[b].material.density = 1000.0;
        bodies[b].surface.enabled = false;
    }
    rslScene scene = rslDefaultScene();
    scene.bodies = bodies;
    scene.bodyCount = count;
    scene.ground.enabled = true;
    scene.ground.point.z = -0.5 * size - 0.01 * spacing;
    scene.touch.pairs = rsl_allPairs;
    scene.touch.self = true;
    scene.touch.overlap = rsl_allowOverlap;
    return scene;
}

typedef struct Run
{
    double seconds;  // of a step
    double broad;    // of them, until it is known what may be near
    double touches;  // found in a step
    int nodes, contactNodes;
} Run;

// How fast nodes move on their own, with their body and all together [m/s].
static Run RunHeap(int count, int cells, int steps, double noise, double own, double together)
{
    rslScene scene = MakeHeap(count, cells);
    rslModel* model = Built(&scene);
    rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
    rslCollide* collide = rslCollide_Create(model, NULL, team);
    size_t nodes = (size_t)model->contactNodeCount;
    double *x = calloc(3 * nodes, sizeof(double)), *v = calloc(3 * nodes, sizeof(double));
    double* a = calloc(3 * nodes, sizeof(double));
    rslCollisions found = { .hooks = model->hooks };
    uint64_t seed = 1;
    rslVec3 drift = { 0 };
    for (size_t n = 0; n < nodes; ++n)
    {
        int node = model->contactNodes[n], body = rslModel_BodyOf(model, node);
        rslBody_Rest(&model->bodies[body], node, node + 1, x + 3 * n);
        x[3 * n] += model->bodies[body].frame.origin.x;
        x[3 * n + 1] += model->bodies[body].frame.origin.y;
        x[3 * n + 2] += model->bodies[body].frame.origin.z;
        if (node == model->bodies[body].firstNode)
        {
            drift = (rslVec3){ Noise(&seed), Noise(&seed), Noise(&seed) };
        }
        v[3 * n] = own * drift.x + noise * Noise(&seed);
        v[3 * n + 1] = own * drift.y + noise * Noise(&seed);
        v[3 * n + 2] = own * drift.z + noise * Noise(&seed) + together;
    }
    rslLook look = { .x = x, .v = v, .a = a, .step = 1e-4 };
    Check(rslCollide_Find(collide, &look, &found), "find");
    Run run = { .nodes = model->nodeCount, .contactNodes = model->contactNodeCount };
    collide->look = look;
    // what may be near is timed in steps of its own: what is found beside it takes the memory near the processor
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int step = 0; step < steps; ++step)
        {
            // there and back, so that the heap stays one
            double sign = step / 20 % 2 ? -1.0 : 1.0;
            for (size_t i = 0; i < 3 * nodes; ++i)
            {
                x[i] += sign * look.step * v[i];
            }
            double start = OwnSeconds();
            if (pass == 0)
            {
                rslCollide_Place(collide);
                Check(rslCollide_ListNear(collide), "lists");
                run.broad += (OwnSeconds() - start) / steps;
                continue;
            }
            Check(rslCollide_Find(collide, &look, &found), "find");
            run.seconds += (OwnSeconds() - start) / steps;
            run.touches += (double)found.count / steps;
        }
    }
    printf("%5d bodies  %7d nodes  %6d on skins  %7.0f touches  %7.3f ms a step, %7.3f to know what may be near: %6.1f "
           "ns a "
           "node on a skin, %5.1f a node\n",
           count, run.nodes, run.contactNodes, run.touches, 1e3 * run.seconds, 1e3 * run.broad,
           1e9 * run.broad / run.contactNodes, 1e9 * run.broad / run.nodes);
    rslCollisions_Free(&found);
    rslCollide_Free(collide);
    rslTeam_Free(team);
    rslModel_Free(model);
    free(x);
    free(v);
    free(a);
    return run;
}

int main(int argc, char** argv)
{
    int nodes = argc > 1 ? atoi(argv[1]) : 100000, count = argc > 2 ? atoi(argv[2]) : 100;
    int steps = argc > 3 ? atoi(argv[3]) : 200;
    count = count < MOST ? count : MOST;
    static const struct
    {
        const char* name;
        double noise, own, together;
    } motions[] = { { "rest", 0.0, 0.0, 0.0 },
                    { "falling", 0.01, 0.05, 1.0 },
                    { "settling", 0.1, 0.1, 0.0 },  // a thousandth of a cell a step, as in test_touch_heap
                    { "shaken", 1.0, 0.5, 0.0 } };
    for (int m = 0; m < 4; ++m)
    {
        printf("%s\n", motions[m].name);
        Run many = RunHeap(count, (int)lround(cbrt((double)nodes / count)) - 1, steps, motions[m].noise, motions[m].own,
                           motions[m].together);
        // 6 n^2 + 2 nodes are on the skin of a cube of n cells a side
        Run one = RunHeap(1, (int)lround(sqrt((many.contactNodes - 2) / 6.0)), steps, motions[m].noise, motions[m].own,
                          motions[m].together);
        printf("what may be near, per node on a skin, many over one: %.2f\n",
               many.broad / many.contactNodes / (one.broad / one.contactNodes));
    }
    return 0;
}
