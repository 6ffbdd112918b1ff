// SPDX-License-Identifier: MIT
//
// bench_build.c: the models that are timed, made through the public interface.

#include "bench.h"

#include <math.h>
#include <string.h>

enum
{
    MOST_BALLS = 64
};

static const double spacing = 0.01;
static const double frame = 1.0 / 60.0;

// What a scene is made of while it is built.
typedef struct Maker
{
    rslScene scene;
    rslBodyDef body;
    rslShapeDef shape;
    rslSolverDef def;
    cliMemory* memory;
    rslHooks hooks;
    rslReport* report;
    rslModel** model;
} Maker;

static Maker Begin(cliMemory* memory, rslModel** model, rslReport* report)
{
    Maker m = { .scene = rslDefaultScene(),
                .body = rslDefaultBodyDef(),
                .shape = rslDefaultShapeDef(),
                .def = rslDefaultSolverDef(),
                .memory = memory,
                .hooks = cliMemory_Hooks(memory),
                .report = report,
                .model = model };
    m.scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    m.body.name = "block";
    m.body.model.type = rsl_springModel;
    m.body.repulsion.type = rsl_noRepulsion;
    m.body.material.young = 1e5;
    m.body.material.poisson = 0.25;
    m.body.material.density = 1000.0;
    m.body.surface.enabled = false;
    return m;
}

static rslStatus End(Maker* m)
{
    m->scene.bodies = m->scene.bodies != NULL ? m->scene.bodies : &m->body;
    m->scene.bodyCount = m->scene.bodyCount > 0 ? m->scene.bodyCount : 1;
    return rslModel_Build(&m->scene, &m->hooks, m->model, m->report);
}

static void MakeBlock(Maker* m, int side)
{
    double size = spacing * (side - 1);
    m->shape.size = (rslVec3){ size, size, size };
    m->body.shape = &m->shape;
    m->body.network.type = rsl_latticeNetwork;
    m->body.network.spacing = spacing;
}

// ---- lattices -------------------------------------------------------------------------------------------------------

static rslStatus BuildLattice(Maker* m, int side, int variant)
{
    (void)variant;
    MakeBlock(m, side);
    return End(m);
}

static rslStatus BuildBricks(Maker* m, int side, int variant)
{
    (void)variant;
    MakeBlock(m, side);
    m->body.model.type = rsl_brickModel;
    return End(m);
}

static rslStatus BuildDispersion(Maker* m, int side, int variant)
{
    MakeBlock(m, side);
    m->body.model.type = variant == 0 ? rsl_springModel : rsl_dispersionModel;
    m->body.material.poisson = variant == 0 ? 0.25 : 0.35;
    return End(m);
}

static rslStatus BuildRepulsion(Maker* m, int side, int variant)
{
    MakeBlock(m, side);
    m->body.repulsion.type = variant == 0 ? rsl_noRepulsion : rsl_clampedRepulsion;
    return End(m);
}

// Held at one end, bent by its weight.
static rslStatus BuildStatic(Maker* m, int side, int variant)
{
    (void)variant;
    MakeBlock(m, side);
    m->scene.gravity.z = -9.81;
    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.nodes.type = rsl_planeNodes;
    pin.nodes.point = (rslVec3){ -0.5 * m->shape.size.x + 0.1 * spacing, 0.0, 0.0 };
    pin.nodes.normal = (rslVec3){ -1.0, 0.0, 0.0 };
    m->scene.constraints = &pin;
    m->scene.constraintCount = 1;
    m->body.material.young = 1e6;
    m->def.integrator = rsl_static;
    m->def.tolerance = 1e-8;
    return End(m);
}

// ---- lists of springs -----------------------------------------------------------------------------------------------

typedef struct List
{
    int* ends;
    double* stiffness;
    int count;
} List;

static bool AddSpring(const rslSpring* spring, void* context)
{
    List* list = context;
    list->ends[2 * (size_t)list->count] = spring->a;
    list->ends[2 * (size_t)list->count + 1] = spring->b;
    list->stiffness[list->count++] = spring->stiffness;
    return true;
}

// The springs and masses of a lattice, told as if they were any.
static rslStatus BuildNetwork(Maker* m, int side, int variant)
{
    rslModel* lattice = NULL;
    Maker first = Begin(m->memory, &lattice, m->report);
    rslStatus status = BuildLattice(&first, side, variant);
    if (status != rsl_ok)
    {
        return status;
    }
    List list = { 0 };
    double* nodes = cliMemory_Take(m->memory, 3 * (size_t)lattice->nodeCount, sizeof(double));
    list.ends = cliMemory_Take(m->memory, 2 * (size_t)lattice->springCount, sizeof(int));
    list.stiffness = cliMemory_Take(m->memory, (size_t)lattice->springCount, sizeof(double));
    status = rsl_outOfMemory;
    if (nodes != NULL && list.ends != NULL && list.stiffness != NULL)
    {
        rslModel_VisitSprings(lattice, 0, AddSpring, &list);
        rslBody_Rest(&lattice->bodies[0], 0, lattice->nodeCount, nodes);
        rslNetworkDef* network = &m->body.network;
        network->type = rsl_explicitNetwork;
        network->nodes = nodes;
        network->masses = lattice->mass;
        network->springs = list.ends;
        network->stiffness = list.stiffness;
        network->nodeCount = network->massCount = lattice->nodeCount;
        network->springCount = network->stiffnessCount = list.count;
        status = End(m);
    }
    cliMemory_Release(m->memory, nodes);
    cliMemory_Release(m->memory, list.ends);
    cliMemory_Release(m->memory, list.stiffness);
    rslModel_Free(lattice);
    return status;
}

// N pi/6 d^3 = filling V
static rslStatus BuildRandom(Maker* m, int nodes, int variant)
{
    (void)variant;
    double least = cbrt(0.34 * 0.004 / (nodes * 0.52359877559829887));
    m->shape.size = (rslVec3){ 0.4, 0.1, 0.1 };
    m->body.shape = &m->shape;
    m->body.network.type = rsl_randomNetwork;
    m->body.network.minLength = least;
    m->body.network.maxLength = 1.85 * least;
    m->scene.seed = 7;
    return End(m);
}

static rslStatus BuildTetrahedra(Maker* m, int nodes, int variant)
{
    (void)variant;
    MakeBlock(m, (int)lround(cbrt(nodes)));
    m->body.network.type = rsl_tetrahedraNetwork;
    return End(m);
}

// ---- a sheet --------------------------------------------------------------------------------------------------------

// A tablecloth that is let go: its middle is held, the rest falls.
static rslStatus BuildCloth(Maker* m, int cells, int variant)
{
    (void)variant;
    const double side = 0.4;
    rslNetworkDef* network = &m->body.network;
    network->type = rsl_sheetNetwork;
    network->size[0] = network->size[1] = side;
    network->cells[0] = network->cells[1] = cells;
    network->thickness = 0.0008;
    network->bending = 2e-5;
    m->body.material.young = 2e5;
    m->body.material.poisson = 1.0 / 3.0;
    m->body.material.density = 300.0;
    m->body.material.stiffnessDamping = 2e-4;
    m->scene.gravity.z = -9.81;
    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.nodes.type = rsl_boxNodes;
    pin.nodes.min = (rslVec3){ -0.25 * side, -0.25 * side, -1.0 };
    pin.nodes.max = (rslVec3){ 0.25 * side, 0.25 * side, 1.0 };
    m->scene.constraints = &pin;
    m->scene.constraintCount = 1;
    return End(m);
}

// ---- a closed surface -----------------------------------------------------------------------------------------------

static void AddTriangle(int** next, int a, int b, int c)
{
    int* t = *next;
    t[0] = a;
    t[1] = b;
    t[2] = c;
    *next += 3;
}

// A ball of n slices and n rings between two poles: n^2 + 2 vertices, 2 n^2 triangles.
static void MakeBall(int n, double* vertices, int* triangles)
{
    const double pi = 3.14159265358979323846;
    int count = n * n + 2;
    for (int v = 0; v < count; ++v)
    {
        int ring = (v + n - 1) / n;
        double theta = v == 0 ? 0.0 : v == count - 1 ? pi : pi * ring / (n + 1), phi = 2.0 * pi * ((v + n - 1) % n) / n;
        vertices[3 * (size_t)v] = sin(theta) * sin(phi);
        vertices[3 * (size_t)v + 1] = cos(theta);
        vertices[3 * (size_t)v + 2] = sin(theta) * cos(phi);
    }
    for (int j = 0; j < n; ++j)
    {
        int next = (j + 1) % n;
        AddTriangle(&triangles, 0, 1 + j, 1 + next);
        AddTriangle(&triangles, 1 + n * n, 1 + (n - 1) * n + next, 1 + (n - 1) * n + j);
        for (int a = 1 + j, b = 1 + next; a + n <= n * n; a += n, b += n)
        {
            AddTriangle(&triangles, a, a + n, b + n);
            AddTriangle(&triangles, a, b + n, b);
        }
    }
}

static rslStatus BuildSurface(Maker* m, int triangles, int variant)
{
    (void)variant;
    int n = (int)lround(sqrt(0.5 * triangles));
    const double mass = 1.0 / (n * n + 2), stiffness = 20.0, damping = 0.05;
    double* vertices = cliMemory_Take(m->memory, 3 * ((size_t)n * (size_t)n + 2), sizeof(double));
    int* corners = cliMemory_Take(m->memory, 6 * (size_t)n * (size_t)n, sizeof(int));
    rslStatus status = rsl_outOfMemory;
    if (vertices != NULL && corners != NULL)
    {
        MakeBall(n, vertices, corners);
        rslNetworkDef* network = &m->body.network;
        network->type = rsl_explicitNetwork;
        network->nodes = vertices;
        network->nodeCount = n * n + 2;
        network->triangles = corners;
        network->triangleCount = 2 * n * n;
        network->springsFrom = rsl_edgeSprings;
        network->masses = &mass;
        network->stiffness = &stiffness;
        network->damping = &damping;
        network->massCount = network->stiffnessCount = network->dampingCount = 1;
        m->body.surface.enabled = true;
        m->body.skin = rsl_noSkin;
        m->body.volume.method = rsl_implicitVolume;
        m->body.volume.stiffness = 1e-3;
        m->def.integrator = rsl_symplecticEuler;
        status = End(m);
    }
    cliMemory_Release(m->memory, vertices);
    cliMemory_Release(m->memory, corners);
    return status;
}

// ---- things that touch ----------------------------------------------------------------------------------------------

// Edges of cells over the height, as found for the nodes of Kot's rabbits; others by their volume.
static double RabbitSpacing(int nodes)
{
    return nodes == 1042 ? 0.055 : nodes == 3024 ? 0.0368 : 0.0215 * cbrt(12205.0 / nodes);
}

// Two millimetres above the ground, on its way down.
static void MakeRabbit(Maker* m, int nodes, double speed)
{
    const double height = 0.2;
    m->shape.type = rsl_rabbitShape;
    m->shape.height = height;
    m->shape.translate = (rslVec3){ 0.0, 0.0, 0.002 };
    m->body.name = "rabbit";
    m->body.shape = &m->shape;
    m->body.network.type = rsl_latticeNetwork;
    m->body.network.spacing = RabbitSpacing(nodes) * height;
    m->body.material.young = 2e5;
    m->body.material.stiffnessDamping = 1e-4;
    m->body.repulsion.type = rsl_autoRepulsion;
    m->body.surface.enabled = true;
    m->body.velocity.z = -speed;
    m->scene.gravity.z = -9.81;
    m->scene.ground = rslDefaultGroundDef();
}

static rslStatus BuildRabbit(Maker* m, int nodes, int variant)
{
    (void)variant;
    MakeRabbit(m, nodes, 0.5);
    return End(m);
}

static rslStatus BuildFrames(Maker* m, int variant)
{
    m->def.integrator = variant == 0 ? rsl_trBdf2 : rsl_positionVerlet;
    m->def.step = variant == 0 ? frame : RSL_AUTO;
    m->def.frame = frame;
    return End(m);
}

static rslStatus BuildSwing(Maker* m, int nodes, int variant)
{
    MakeRabbit(m, nodes, 0.0);
    m->scene.ground.enabled = false;
    return BuildFrames(m, variant);
}

// To a tenth of the weight; with its rebound, or without.
static rslStatus BuildDrop(Maker* m, int nodes, int variant)
{
    MakeRabbit(m, nodes, 1.0);
    m->body.material.young = 1e6;
    m->def.residual = 0.1;
    m->def.rebound = variant == 2;
    return BuildFrames(m, variant == 1 ? 1 : 0);
}

// From five centimetres.
static rslStatus BuildLand(Maker* m, int nodes, int variant)
{
    MakeRabbit(m, nodes, 0.0);
    m->shape.translate.z = 0.05;
    m->body.material.young = 1e6;
    m->def.residual = 0.1;
    m->def.rebound = false;
    m->scene.ground.friction = variant == 0 ? 0.0 : 0.5;
    return BuildFrames(m, 0);
}

// From five centimetres, in explicit steps without rebound: with the damping of the others, a tenth of it, and none. Where there is some, steps
// may be longer (impact_rule.c).
static rslStatus BuildFall(Maker* m, int nodes, int variant)
{
    static const double dampings[CLI_BENCH_VARIANTS] = { 1e-4, 1e-5, 0.0 };
    MakeRabbit(m, nodes, 0.0);
    m->shape.translate.z = 0.05;
    m->body.material.young = 1e6;
    m->body.material.stiffnessDamping = dampings[variant];
    m->def.rebound = false;
    m->def.fraction = dampings[variant] > 0.0 ? 0.85 : m->def.fraction;
    return BuildFrames(m, 1);
}

// Balls in layers, each a little aside of the one below.
static rslStatus BuildHeap(Maker* m, int side, int variant)
{
    const double radius = 0.05, apart = 2.02 * radius;
    rslBodyDef bodies[MOST_BALLS];
    rslShapeDef shapes[MOST_BALLS];
    char names[MOST_BALLS][16];
    (void)variant;
    for (int b = 0; b < side * side * side && b < MOST_BALLS; ++b)
    {
        int i = b % side, j = b / side % side, k = b / side / side;
        snprintf(names[b], sizeof names[b], "ball-%d", b);
        shapes[b] = rslDefaultShapeDef();
        shapes[b].type = rsl_sphereShape;
        shapes[b].radius = radius;
        shapes[b].translate =
            (rslVec3){ apart * i + 0.01 * k, apart * j + 0.007 * (k % 2), 1.001 * radius + apart * k };
        bodies[b] = m->body;
        bodies[b].name = names[b];
        bodies[b].shape = &shapes[b];
        bodies[b].network.type = rsl_latticeNetwork;
        bodies[b].network.spacing = 0.02;
        bodies[b].material.stiffnessDamping = 1e-3;
        bodies[b].repulsion.type = rsl_autoRepulsion;
        bodies[b].surface.enabled = true;
        m->scene.bodyCount = b + 1;
    }
    m->scene.bodies = bodies;
    m->scene.gravity.z = -9.81;
    m->scene.ground = rslDefaultGroundDef();
    m->scene.ground.friction = m->scene.touch.friction = 0.4;
    m->scene.touch.pairs = rsl_allPairs;
    return End(m);
}

// ---- all of them ----------------------------------------------------------------------------------------------------

typedef rslStatus Build(Maker* maker, int size, int variant);

static Build* const builds[cli_benchKindCount] = {
    [cli_latticeKind] = BuildLattice,
    [cli_networkKind] = BuildNetwork,
    [cli_rabbitKind] = BuildRabbit,
    [cli_randomKind] = BuildRandom,
    [cli_tetrahedraKind] = BuildTetrahedra,
    [cli_bricksKind] = BuildBricks,
    [cli_surfaceKind] = BuildSurface,
    [cli_clothKind] = BuildCloth,
    [cli_heapKind] = BuildHeap,
    [cli_dropKind] = BuildDrop,
    [cli_landKind] = BuildLand,
    [cli_fallKind] = BuildFall,
    [cli_swingKind] = BuildSwing,
    [cli_staticKind] = BuildStatic,
    [cli_dispersionKind] = BuildDispersion,
    [cli_repulsionKind] = BuildRepulsion,
};

rslStatus cliBenchScene_Build(const cliBenchScene* scene, int variant, cliMemory* memory, rslModel** model,
                              rslSolverDef* def, rslReport* report)
{
    Maker maker = Begin(memory, model, report);
    rslStatus status = builds[scene->kind](&maker, scene->size, variant);
    *def = maker.def;
    return status;
}
