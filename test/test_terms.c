// SPDX-License-Identifier: MIT
//
// Every force term on random states: force against differences of its energy, stiffness and damping against differences
// of its force, symmetry, dissipation, momentum, and both precisions against each other.

#define RSL_PRECISION 64

#include "support.h"
#include "backend.h"
#include "term.h"

enum
{
    SEEDS = 3
};

// ---- scenes -----------------------------------------------------------------------------------------------------------

typedef struct Case
{
    const char* name;
    rslModel* (*build)(void);
    double far;     // how far away random frames are [m]
    bool free;      // internal forces only: momentum is kept
    bool together;  // bodies move as one, up to a little
} Case;

static rslModel* BuildScene(rslBodyDef* bodies, int count, void (*adorn)(rslScene*))
{
    rslScene scene = SceneOf(bodies, count);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    if (adorn != NULL)
    {
        adorn(&scene);
    }
    return Built(&scene, NULL);
}

// long enough for whole vectors of lanes and for what is left over
static rslModel* BuildCorner(void)
{
    rslShapeDef shape = BoxShape(2.1, 0.1, 0.2);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.material.stiffnessDamping = 0.002;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildElastic(void)
{
    rslShapeDef shape = BoxShape(1.9, 0.2, 0.1);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildBodyDiagonals(void)
{
    rslShapeDef shape = BoxShape(1.9, 0.2, 0.1);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.network.shells = rsl_shellsAC;
    body.network.orientation = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 25.0 };
    body.material.stiffnessDamping = 0.001;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildLawful(rslSpringLaw law, double damping)
{
    rslShapeDef shape = BoxShape(1.9, 0.2, 0.1);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.network.law = law;
    body.material.stiffnessDamping = damping;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildCarrierLattice(void)
{
    return BuildLawful(rsl_carrierSpring, 0.002);
}

static rslModel* BuildCooperLattice(void)
{
    return BuildLawful(rsl_cooperSpring, 0.0);
}

static rslModel* BuildRegions(rslConstruction construction)
{
    rslShapeDef shape = BoxShape(1.9, 0.2, 0.2), half = BoxShape(0.55, 1.0, 0.31);
    rslRegionDef region = { .shape = &half, .material = rslDefaultMaterialDef() };
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    region.material = body.material;
    region.material.young *= 7.0;
    region.material.stiffnessDamping = 0.003;
    region.material.massDamping = construction == rsl_cornerLattice ? 0.4 : 0.0;
    body.regions = &region;
    body.regionCount = 1;
    body.network.construction = construction;
    body.material.stiffnessDamping = 0.001;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildCornerRegions(void)
{
    return BuildRegions(rsl_cornerLattice);
}

static rslModel* BuildCentredRegions(void)
{
    return BuildRegions(rsl_centredLattice);
}

static rslModel* BuildTurned(void)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_ellipsoidShape;
    shape.radii = (rslVec3){ 0.28, 0.22, 0.17 };
    shape.translate = (rslVec3){ 30.0, -20.0, 10.0 };
    rslBodyDef body = LatticeBody("egg", &shape, 0.1);
    body.network.construction = rsl_centredLattice;
    body.network.orientation = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 40.0 };
    body.material.stiffnessDamping = 0.001;
    return BuildScene(&body, 1, NULL);
}

// Nodes in a box, springs between most of them, some stretched and some pressed at rest.
static rslBodyDef RandomNetwork(const char* name, double* nodes, double* masses, int* springs, double* values,
                                int count)
{
    Random random = MakeRandom(77);
    rslBodyDef body = rslDefaultBodyDef();
    int made = 0;
    for (int i = 0; i < count; ++i)
    {
        nodes[3 * i] = 0.2 * (i % 3) + NextBetween(&random, -0.05, 0.05);
        nodes[3 * i + 1] = 0.2 * (i / 3 % 2) + NextBetween(&random, -0.05, 0.05);
        nodes[3 * i + 2] = 0.2 * (i / 6) + NextBetween(&random, -0.05, 0.05);
        masses[i] = NextBetween(&random, 0.5, 2.0);
        for (int j = 0; j < i; ++j)
        {
            if (NextBetween(&random, 0.0, 1.0) < 0.6)
            {
                double dx = nodes[3 * i] - nodes[3 * j], dy = nodes[3 * i + 1] - nodes[3 * j + 1];
                double dz = nodes[3 * i + 2] - nodes[3 * j + 2];
                springs[2 * made] = i;
                springs[2 * made + 1] = j;
                values[3 * made] = NextBetween(&random, 500.0, 2000.0);
                values[3 * made + 1] = NextBetween(&random, 0.0, 5.0);
                values[3 * made + 2] = sqrt(dx * dx + dy * dy + dz * dz) * NextBetween(&random, 0.9, 1.1);
                made += 1;
            }
        }
    }
    body.name = name;
    body.network.type = rsl_explicitNetwork;
    body.network.nodes = nodes;
    body.network.nodeCount = count;
    body.network.masses = masses;
    body.network.massCount = count;
    body.network.springs = springs;
    body.network.springCount = made;
    return body;
}

static rslModel* BuildNetworkOf(rslSpringLaw law)
{
    enum
    {
        COUNT = 12,
        MOST = COUNT * (COUNT - 1) / 2
    };
    double nodes[3 * COUNT], masses[COUNT], values[3 * MOST];
    double stiffness[MOST], damping[MOST], lengths[MOST];
    int springs[2 * MOST];
    rslBodyDef body = RandomNetwork("net", nodes, masses, springs, values, COUNT);
    body.network.law = law;
    for (int s = 0; s < body.network.springCount; ++s)
    {
        stiffness[s] = values[3 * s];
        damping[s] = values[3 * s + 1];
        lengths[s] = values[3 * s + 2];
    }
    body.network.stiffness = stiffness;
    body.network.damping = damping;
    body.network.restLengths = lengths;
    body.network.stiffnessCount = body.network.dampingCount = body.network.restLengthCount = body.network.springCount;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildNetwork(void)
{
    return BuildNetworkOf(rsl_linearSpring);
}

static rslModel* BuildCarriers(void)
{
    return BuildNetworkOf(rsl_carrierSpring);
}

static rslModel* BuildCoopers(void)
{
    return BuildNetworkOf(rsl_cooperSpring);
}

static rslModel* BuildSheet(void)
{
    rslBodyDef body = GridBody("sheet", 0.5, 0.4, 5, 4);
    body.material.stiffnessDamping = 0.003;
    body.network.rotate = (rslRotationDef){ { 1.0, -1.0, 0.5 }, 70.0 };
    return BuildScene(&body, 1, NULL);
}

static void MakePlane(rslScene* scene)
{
    scene->plane = rsl_planeXY;
}

static rslModel* BuildFlat(void)
{
    rslBodyDef body = GridBody("sheet", 0.5, 0.4, 5, 4);
    body.material.stiffnessDamping = 0.003;
    return BuildScene(&body, 1, MakePlane);
}

static rslNodeSetDef NodesOf(const char* body)
{
    rslNodeSetDef set = rslDefaultNodeSetDef();
    set.body = body;
    return set;
}

// A block and a sheet above it: springs with dampers between them, and ties; each kind in its own scene.
static rslModel* BuildLinked(rslLinkType type, double damping)
{
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    rslBodyDef bodies[2] = { LatticeBody("block", &shape, 0.1), GridBody("sheet", 0.37, 0.19, 4, 2) };
    bodies[1].network.translate = (rslVec3){ 0.01, 0.0, type == rsl_tieLink ? 0.04 : 0.15 };
    rslLinkDef link = rslDefaultLinkDef();
    link.type = type;
    link.from = NodesOf("sheet");
    link.to = NodesOf("block");
    link.stiffness = type == rsl_tieLink ? RSL_AUTO : 700.0;
    link.damping = damping;
    rslScene scene = SceneOf(bodies, 2);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    scene.links = &link;
    scene.linkCount = 1;
    return Built(&scene, NULL);
}

static rslModel* BuildSpringLinks(void)
{
    return BuildLinked(rsl_springLink, 3.0);
}

static rslModel* BuildTies(void)
{
    return BuildLinked(rsl_tieLink, 0.0);
}

// A tie's damper acts on the vector between its points: while that is not zero, it can turn the bodies.
static rslModel* BuildDampedTies(void)
{
    return BuildLinked(rsl_tieLink, 3.0);
}

static void AddGravity(rslScene* scene)
{
    scene->gravity = (rslVec3){ 1.0, -2.0, -9.0 };
}

static rslModel* BuildHeavy(void)
{
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    body.material.massDamping = 4.0;
    return BuildScene(&body, 1, AddGravity);
}

static void AddPressure(rslScene* scene)
{
    static rslLoadDef load;
    load = rslDefaultLoadDef();
    load.type = rsl_pressureLoad;
    load.body = scene->bodies[0].name;
    load.pressure = 3000.0;
    scene->loads = &load;
    scene->loadCount = 1;
}

static rslModel* BuildPressed(void)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_sphereShape;
    shape.radius = 0.21;
    rslBodyDef body = LatticeBody("ball", &shape, 0.1);
    return BuildScene(&body, 1, AddPressure);
}

static rslModel* BuildBalloon(void)
{
    static const double vertices[] = { 0.3, 0, 0, -0.3, 0, 0, 0, 0.25, 0, 0, -0.25, 0, 0, 0, 0.2, 0, 0, -0.2 };
    static const int triangles[] = { 0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5 };
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_meshShape;
    shape.vertices = vertices;
    shape.vertexCount = 6;
    shape.triangles = triangles;
    shape.triangleCount = 8;
    rslBodyDef body = GridBody("balloon", 0.0, 0.0, 0, 0);
    body.shape = &shape;
    return BuildScene(&body, 1, AddPressure);
}

static void AddGround(rslScene* scene)
{
    scene->ground = rslDefaultGroundDef();
    scene->ground.point = (rslVec3){ 0.02, 0.01, 0.03 };
    scene->ground.normal = (rslVec3){ 0.3, -0.2, 1.0 };
}

static rslModel* BuildGrounded(void)
{
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.3);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    return BuildScene(&body, 1, AddGround);
}

static void AddDrives(rslScene* scene)
{
    static rslDriveDef drives[2];
    static rslNodeSetDef set;
    set = rslDefaultNodeSetDef();
    drives[0] = drives[1] = rslDefaultDriveDef();
    drives[0].nodes = set;
    drives[0].strain = 0.3;
    drives[0].course.type = rsl_rampCourse;
    drives[0].course.duration = 2.0;
    drives[1].nodes = set;
    drives[1].nodes.type = rsl_planeNodes;
    drives[1].nodes.normal = (rslVec3){ 1.0, 0.0, 0.0 };
    drives[1].strain = -0.2;
    drives[1].direction = (rslVec3){ 1.0, 0.2, 0.0 };
    drives[1].course.type = rsl_rampCourse;
    drives[1].course.duration = 1.0;
    scene->drives = drives;
    scene->driveCount = 2;
}

static rslModel* BuildDrivenLattice(void)
{
    rslShapeDef shape = BoxShape(1.7, 0.1, 0.1);
    rslBodyDef body = LatticeBody("muscle", &shape, 0.1);
    body.material.stiffnessDamping = 0.002;
    return BuildScene(&body, 1, AddDrives);
}

static rslModel* BuildDrivenCarrierLattice(void)
{
    rslShapeDef shape = BoxShape(1.7, 0.1, 0.1);
    rslBodyDef body = LatticeBody("muscle", &shape, 0.1);
    body.network.law = rsl_carrierSpring;
    body.network.shells = rsl_shellsAC;
    body.material.stiffnessDamping = 0.002;
    return BuildScene(&body, 1, AddDrives);
}

static rslModel* BuildDrivenSheet(void)
{
    rslBodyDef body = GridBody("sheet", 0.5, 0.4, 5, 4);
    body.material.stiffnessDamping = 0.003;
    return BuildScene(&body, 1, AddDrives);
}

static rslModel* BuildDrivenCarriers(void)
{
    rslBodyDef body = GridBody("sheet", 0.5, 0.4, 5, 4);
    body.material.stiffnessDamping = 0.003;
    body.network.law = rsl_carrierSpring;
    return BuildScene(&body, 1, AddDrives);
}

static const Case cases[] = {
    { "corner lattice", BuildCorner, 1e4, true, false },
    { "undamped lattice", BuildElastic, 1e5, true, false },
    { "lattice with body diagonals", BuildBodyDiagonals, 1e4, true, false },
    { "lattice of carrier springs", BuildCarrierLattice, 1e4, true, false },
    { "lattice of Cooper's springs", BuildCooperLattice, 1e4, true, false },
    { "lattice with regions", BuildCornerRegions, 1e4, false, false },
    { "centred lattice with regions", BuildCentredRegions, 1e4, true, false },
    { "centred, turned lattice", BuildTurned, 1e4, true, false },
    { "network with preload", BuildNetwork, 1e4, true, false },
    { "carrier springs with preload", BuildCarriers, 1e4, true, false },
    { "Cooper's springs with preload", BuildCoopers, 1e4, true, false },
    { "sheet", BuildSheet, 1e4, true, false },
    { "sheet in the plane", BuildFlat, 1e4, true, false },
    { "spring links", BuildSpringLinks, 1e3, true, true },
    { "ties", BuildTies, 1e3, true, true },
    { "damped ties", BuildDampedTies, 1e3, false, true },
    { "gravity and point damping", BuildHeavy, 10.0, false, false },
    { "pressure in a lattice", BuildPressed, 1e4, true, false },
    { "pressure in a sheet", BuildBalloon, 1e4, true, false },
    { "ground", BuildGrounded, 0.05, false, false },
    { "driven lattice", BuildDrivenLattice, 1e4, true, false },
    { "driven lattice of carrier springs", BuildDrivenCarrierLattice, 1e4, true, false },
    { "driven sheet", BuildDrivenSheet, 1e4, true, false },
    { "driven carrier springs", BuildDrivenCarriers, 1e4, true, false },
};
enum
{
    CASES = sizeof cases / sizeof *cases
};

// ---- random states ----------------------------------------------------------------------------------------------------

static rslQuat RandomTurn(Random* random, double size, bool planar)
{
    rslVec3 q = NextVec3(random, size);
    return rslQuatNormalize(planar ? (rslQuat){ 1.0, 0.0, 0.0, q.z } : (rslQuat){ 1.0, q.x, q.y, q.z });
}

static void RandomFrames(const Case* it, const rslModel* model, rslState* state, Random* random)
{
    bool planar = model->plane == rsl_planeXY;
    rslQuat common = RandomTurn(random, 3.0, planar);
    rslMat3 turn = rslQuatMatrix(common);
    rslVec3 shift = NextVec3(random, it->far), drift = NextVec3(random, 50.0);
    for (int b = 0; b < model->bodyCount; ++b)
    {
        rslFrame* frame = &state->frames[b];
        rslQuat own = RandomTurn(random, it->together ? 0.1 : 3.0, planar);
        frame->origin = rslAdd(rslMatVec(&turn, frame->origin), shift);
        frame->rotation = rslQuatNormalize(rslQuatMul(rslQuatMul(common, own), frame->rotation));
        frame->velocity = rslAdd(drift, NextVec3(random, 0.2));
        if (planar)
        {
            frame->origin.z = frame->velocity.z = 0.0;
        }
    }
}

// Displacements up to size spacings, velocities up to a few spacings a second.
static rslState* RandomState(const Case* it, const rslModel* model, double size, uint64_t seed)
{
    Random random = MakeRandom(seed);
    rslState* state = StateOf(model, rsl_double);
    RandomFrames(it, model, state, &random);
    for (int i = 0; i < model->nodeCount; ++i)
    {
        double spacing = model->bodies[rslModel_BodyOf(model, i)].spacing;
        for (int axis = 0; axis < 3; ++axis)
        {
            bool locked = axis == 2 && model->plane == rsl_planeXY;
            double u = NextBetween(&random, -size * spacing, size * spacing);
            double w = NextBetween(&random, -3.0 * spacing, 3.0 * spacing);
            ((double*)state->displacement[axis])[i] = locked ? 0.0 : u;
            ((double*)state->velocity[axis])[i] = locked ? 0.0 : w;
        }
    }
    state->step = 1e-3;
    state->stepCount = 400;
    return state;
}

static rslState* Narrowed(const rslModel* model, const rslState* from)
{
    rslState* state = StateOf(model, rsl_single);
    memcpy(state->frames, from->frames, (size_t)from->bodyCount * sizeof(rslFrame));
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < model->nodeCount; ++i)
        {
            ((float*)state->displacement[axis])[i] = (float)((const double*)from->displacement[axis])[i];
            ((float*)state->velocity[axis])[i] = (float)((const double*)from->velocity[axis])[i];
        }
    }
    state->step = from->step;
    state->stepCount = from->stepCount;
    return state;
}

// ---- a term at a state --------------------------------------------------------------------------------------------------

typedef struct Bench
{
    const Case* it;
    rslModel* model;
    rslState* state;
    rslTeam* team;
    Kernel* kernel;
    const Term* term;
    View view;
} Bench;

static Bench MakeBench(const Case* it, uint64_t seed)
{
    Bench bench = { .it = it, .model = it->build() };
    bench.state = RandomState(it, bench.model, 0.18, seed);
    bench.team = rslTeam_Create(NULL, 1, NULL, NULL);
    bench.kernel = rslKernel_Create64(bench.model, NULL, bench.team);
    assert_non_null(bench.kernel);
    bench.view = rslKernel_View64(bench.kernel, bench.state, 0.0);
    return bench;
}

static void FreeBench(Bench* bench)
{
    rslKernel_Free64(bench->kernel);
    rslTeam_Free(bench->team);
    rslState_Free(bench->state);
    rslModel_Free(bench->model);
}

// A vector over all degrees of freedom, axis by axis, padded as a state is.
typedef struct Vector
{
    double* at[3];
} Vector;

static Vector MakeVector(const Bench* bench)
{
    Vector v;
    for (int axis = 0; axis < 3; ++axis)
    {
        v.at[axis] = calloc((size_t)bench->model->nodeCount + RSL_STATE_PADDING, sizeof(double));
        assert_non_null(v.at[axis]);
    }
    return v;
}

static void FreeVector(Vector* v)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        free(v->at[axis]);
    }
}

static void Randomize(const Bench* bench, Vector* v, double size, Random* random)
{
    for (int i = 0; i < bench->model->nodeCount; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            v->at[axis][i] = NextBetween(random, -size, size);
        }
    }
}

static double Dot(const Bench* bench, const Vector* a, const Vector* b)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < bench->model->nodeCount; ++i)
        {
            sum += a->at[axis][i] * b->at[axis][i];
        }
    }
    return sum;
}

static double Largest(const Bench* bench, const Vector* a)
{
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < bench->model->nodeCount; ++i)
        {
            largest = fmax(largest, fabs(a->at[axis][i]));
        }
    }
    return largest;
}

// Largest component of a - b over the largest of b.
static double Difference(const Bench* bench, const Vector* a, const Vector* b)
{
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < bench->model->nodeCount; ++i)
        {
            double d = fabs(a->at[axis][i] - b->at[axis][i]);
            largest = d > largest || isnan(d) ? d : largest;
        }
    }
    double size = Largest(bench, b);
    return size > 0.0 ? largest / size : largest;
}

static void Prepare(Bench* bench)
{
    if (bench->term->prepare != NULL)
    {
        bench->term->prepare(bench->kernel, &bench->view);
    }
}

static double EnergyAt(Bench* bench)
{
    double sum = 0.0;
    Prepare(bench);
    for (int c = 0; c < bench->kernel->chunkCount; ++c)
    {
        sum += bench->term->energy(bench->kernel, &bench->view, &bench->kernel->chunks[c]);
    }
    return sum;
}

static Powers ForceAt(Bench* bench, Vector* out)
{
    Powers powers = { 0 };
    Prepare(bench);
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(bench->kernel->force[axis], 0, (size_t)bench->model->nodeCount * sizeof(double));
    }
    for (int c = 0; c < bench->kernel->chunkCount; ++c)
    {
        bench->term->force(bench->kernel, &bench->view, &bench->kernel->chunks[c], &powers);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(out->at[axis], bench->kernel->force[axis], (size_t)bench->model->nodeCount * sizeof(double));
    }
    return powers;
}

typedef void ProductFunction(const Kernel*, const View*, const Chunk*, Real* const p[3], Real* const out[3]);

static void ProductAt(Bench* bench, ProductFunction* product, const Vector* p, Vector* out)
{
    Prepare(bench);
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(out->at[axis], 0, (size_t)bench->model->nodeCount * sizeof(double));
    }
    for (int c = 0; product != NULL && c < bench->kernel->chunkCount; ++c)
    {
        product(bench->kernel, &bench->view, &bench->kernel->chunks[c], p->at, out->at);
    }
}

// A length of the scene to measure steps of differences with.
static double Spacing(const Bench* bench)
{
    return bench->model->bodies[bench->model->bodyCount - 1].spacing;
}

// ---- differences --------------------------------------------------------------------------------------------------------

// f'(0) = (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h + O(h^4)
static const double steps[4] = { 1.0, -1.0, 2.0, -2.0 };
static const double weights[4] = { 8.0 / 12.0, -8.0 / 12.0, -1.0 / 12.0, 1.0 / 12.0 };

static double ForceError(Bench* bench)
{
    Vector force = MakeVector(bench), slope = MakeVector(bench);
    double h = 1e-3 * Spacing(bench);
    ForceAt(bench, &force);
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < bench->model->nodeCount; ++i)
        {
            double* u = &bench->view.u[axis][i];
            double kept = *u;
            for (int s = 0; s < 4; ++s)
            {
                *u = kept + steps[s] * h;
                slope.at[axis][i] -= weights[s] * EnergyAt(bench) / h;
            }
            *u = kept;
        }
    }
    double error = Difference(bench, &slope, &force);
    FreeVector(&force);
    FreeVector(&slope);
    return error;
}

// out = -(derivative of the force along p), in displacements or velocities.
static void ForceSlope(Bench* bench, Real* const of[3], const Vector* p, double h, Vector* out)
{
    Vector force = MakeVector(bench), kept = MakeVector(bench);
    size_t bytes = (size_t)bench->model->nodeCount * sizeof(double);
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(kept.at[axis], of[axis], bytes);
        memset(out->at[axis], 0, bytes);
    }
    for (int s = 0; s < 4; ++s)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            for (int i = 0; i < bench->model->nodeCount; ++i)
            {
                of[axis][i] = kept.at[axis][i] + steps[s] * h * p->at[axis][i];
            }
        }
        ForceAt(bench, &force);
        for (int axis = 0; axis < 3; ++axis)
        {
            for (int i = 0; i < bench->model->nodeCount; ++i)
            {
                out->at[axis][i] -= weights[s] * force.at[axis][i] / h;
            }
        }
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(of[axis], kept.at[axis], bytes);
    }
    FreeVector(&force);
    FreeVector(&kept);
}

static double ProductError(Bench* bench, bool damping, Random* random)
{
    Vector p = MakeVector(bench), product = MakeVector(bench), slope = MakeVector(bench);
    Randomize(bench, &p, 1.0, random);
    ProductAt(bench, damping ? bench->term->damping : bench->term->stiffness, &p, &product);
    ForceSlope(bench, damping ? bench->view.w : bench->view.u, &p, damping ? 0.1 : 5e-4 * Spacing(bench), &slope);
    // compared with the slope, so that a product that is left out shows; where both vanish, rounding of the force is
    // what is left
    double size = Largest(bench, &slope);
    Vector force = MakeVector(bench);
    ForceAt(bench, &force);
    double noise = 1e-9 * Largest(bench, &force) / (damping ? 0.1 : Spacing(bench));
    double error = Difference(bench, &product, &slope);
    if (size <= noise)
    {
        error = Largest(bench, &product) <= noise ? 0.0 : 1.0;
    }
    FreeVector(&force);
    FreeVector(&p);
    FreeVector(&product);
    FreeVector(&slope);
    return error;
}

static double Asymmetry(Bench* bench, ProductFunction* matrix, Random* random)
{
    Vector p = MakeVector(bench), q = MakeVector(bench), out = MakeVector(bench);
    Randomize(bench, &p, 1.0, random);
    Randomize(bench, &q, 1.0, random);
    ProductAt(bench, matrix, &q, &out);
    double one = Dot(bench, &p, &out), size = sqrt(Dot(bench, &p, &p) * Dot(bench, &out, &out));
    ProductAt(bench, matrix, &p, &out);
    double error = size > 0.0 ? fabs(one - Dot(bench, &q, &out)) / size : 0.0;
    FreeVector(&p);
    FreeVector(&q);
    FreeVector(&out);
    return error;
}

static double DiagonalError(Bench* bench)
{
    static const int index[3][3] = { { 0, 3, 4 }, { 3, 1, 5 }, { 4, 5, 2 } };
    Vector e = MakeVector(bench), out = MakeVector(bench);
    Block* blocks = calloc((size_t)bench->model->nodeCount, sizeof(Block));
    assert_non_null(blocks);
    Prepare(bench);
    for (int c = 0; c < bench->kernel->chunkCount; ++c)
    {
        const Chunk* chunk = &bench->kernel->chunks[c];
        bench->term->diagonal(bench->kernel, &bench->view, chunk, blocks + chunk->begin);
    }
    double error = 0.0, size = 0.0;
    for (int i = 0; i < bench->model->nodeCount; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            e.at[axis][i] = 1.0;
            ProductAt(bench, bench->term->stiffness, &e, &out);
            e.at[axis][i] = 0.0;
            for (int other = 0; other < 3; ++other)
            {
                double entry = blocks[i][index[axis][other]];
                error = fmax(error, fabs(entry - out.at[other][i]));
                size = fmax(size, fabs(entry));
            }
        }
    }
    free(blocks);
    FreeVector(&e);
    FreeVector(&out);
    return size > 0.0 ? error / size : error;
}

// The power that dampers take is v.Cv, v the velocity in the world, in the axes of the frames.
static double PowerError(Bench* bench)
{
    Vector v = MakeVector(bench), out = MakeVector(bench), force = MakeVector(bench);
    for (int b = 0; b < bench->model->bodyCount; ++b)
    {
        const rslBody* body = &bench->model->bodies[b];
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                v.at[axis][i] = bench->view.w[axis][i] + bench->kernel->frames[b].drift[axis];
            }
        }
    }
    Powers powers = ForceAt(bench, &force);
    ProductAt(bench, bench->term->damping, &v, &out);
    double expected = Dot(bench, &v, &out);
    assert_true(powers.dissipated >= 0.0);
    double error = fabs(powers.dissipated - expected) / (expected > 0.0 ? expected : 1.0);
    FreeVector(&v);
    FreeVector(&out);
    FreeVector(&force);
    return error;
}

// ---- tests ----------------------------------------------------------------------------------------------------------------

// The same places, nothing moving: dampers are silent, and forces are those of the energies.
static rslState* Calmed(const rslModel* model, const rslState* from)
{
    rslState* state = StateOf(model, rsl_double);
    rslState_Copy(state, from);
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(state->velocity[axis], 0, (size_t)model->nodeCount * sizeof(double));
    }
    for (int b = 0; b < model->bodyCount; ++b)
    {
        state->frames[b].velocity = (rslVec3){ 0.0, 0.0, 0.0 };
    }
    return state;
}

typedef struct Worst
{
    double force, stiffness, damping, diagonal, symmetry, power;
    int terms;
} Worst;

static void CheckTerm(Bench* bench, uint64_t seed, Worst* worst)
{
    Random random = MakeRandom(1000 + seed);
    Worst w = { 0 };
    const Term* term = bench->term;
    rslState* calm = Calmed(bench->model, bench->state);
    bench->view = rslKernel_View64(bench->kernel, calm, 0.0);
    w.force = term->hasEnergy ? ForceError(bench) : 0.0;
    w.stiffness = ProductError(bench, false, &random);
    rslState_Free(calm);
    bench->view = rslKernel_View64(bench->kernel, bench->state, 0.0);
    w.damping = ProductError(bench, true, &random);
    w.diagonal = term->diagonal != NULL ? DiagonalError(bench) : 0.0;
    w.symmetry = fmax(Asymmetry(bench, term->stiffness, &random), Asymmetry(bench, term->damping, &random));
    w.power = PowerError(bench);
    if (!(w.force <= 1e-6 && w.stiffness <= 1e-6 && w.damping <= 1e-6 && w.diagonal <= 1e-12 && w.symmetry <= 1e-10 &&
          w.power <= 1e-10))
    {
        print_error(
            "%s, %s, seed %d: force %.2g, stiffness %.2g, damping %.2g, diagonal %.2g, symmetry %.2g, power %.2g\n",
            bench->it->name, term->name, (int)seed, w.force, w.stiffness, w.damping, w.diagonal, w.symmetry, w.power);
    }
    worst->force = fmax(worst->force, w.force);
    worst->stiffness = fmax(worst->stiffness, w.stiffness);
    worst->damping = fmax(worst->damping, w.damping);
    worst->diagonal = fmax(worst->diagonal, w.diagonal);
    worst->symmetry = fmax(worst->symmetry, w.symmetry);
    worst->power = fmax(worst->power, w.power);
    worst->terms += 1;
}

static void Differences(void** unused)
{
    (void)unused;
    Worst worst = { 0 };
    for (int c = 0; c < CASES; ++c)
    {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed)
        {
            Bench bench = MakeBench(&cases[c], seed);
            for (const Term* const* term = rslTerms64; *term != NULL; ++term)
            {
                bench.term = *term;
                if (bench.term->present(bench.kernel))
                {
                    CheckTerm(&bench, seed, &worst);
                }
            }
            FreeBench(&bench);
        }
    }
    assert_proved("force of every term against differences of its energy", worst.force, 1e-6);
    assert_proved("stiffness of every term against differences of its force", worst.stiffness, 1e-6);
    assert_proved("damping of every term against differences of its force", worst.damping, 1e-6);
    assert_at_most(worst.diagonal, 1e-12);
    assert_at_most(worst.symmetry, 1e-10);
    assert_at_most(worst.power, 1e-10);
    // lattice 16, network 11, links 3, gravity, point damping 2, pressure 2, ground
    assert_int_equal(worst.terms, SEEDS * (16 + 11 + 3 + 1 + 2 + 2 + 1));
}

// The work rate of drives is the rate of the energy at rest positions.
static void DrivePower(void** unused)
{
    (void)unused;
    for (int c = 0; c < CASES; ++c)
    {
        if (strncmp(cases[c].name, "driven", 6) != 0)
        {
            continue;
        }
        Bench bench = MakeBench(&cases[c], 5);
        Vector force = MakeVector(&bench);
        bench.term = bench.model->bodies[0].kind == rsl_latticeBody ? &rslLatticeTerm64 : &rslNetworkTerm64;
        double power = ForceAt(&bench, &force).drives, h = 1e-3, slope = 0.0;
        for (int s = 0; s < 4; ++s)
        {
            bench.view = rslKernel_View64(bench.kernel, bench.state, steps[s] * h);
            slope += weights[s] * EnergyAt(&bench) / h;
        }
        assert_true(fabs(power) > 1.0);
        assert_close(power, slope, 1e-8 * fabs(slope));
        FreeVector(&force);
        FreeBench(&bench);
    }
}

// ---- both precisions, in the world ----------------------------------------------------------------------------------------

static double* WorldForces(const rslModel* model, const rslState* state)
{
    const rslBackend* backend = rslBackend_For(state->precision);
    rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
    void* kernel = backend->create(model, rsl_positionVerlet, NULL, team);
    double* forces = calloc(3 * (size_t)model->nodeCount, sizeof(double));
    assert_non_null(kernel);
    assert_non_null(forces);
    backend->forces(kernel, state, forces);
    backend->destroy(kernel);
    rslTeam_Free(team);
    return forces;
}

static rslVec3 At(const double* xyz, int i)
{
    return (rslVec3){ xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2] };
}

// |sum f| / sum |f| and |sum x f| / sum |x| |f|, x from the first node.
static void Momenta(const rslModel* model, const rslState* state, double* linear, double* angular)
{
    double* forces = WorldForces(model, state);
    double* positions = calloc(3 * (size_t)model->nodeCount, sizeof(double));
    assert_non_null(positions);
    rslState_Positions(model, state, 0, model->nodeCount, positions);
    rslVec3 sum = { 0 }, torque = { 0 };
    double size = 0.0, arm = 0.0;
    for (int i = 0; i < model->nodeCount; ++i)
    {
        rslVec3 f = At(forces, i), x = rslSub(At(positions, i), At(positions, 0));
        sum = rslAdd(sum, f);
        torque = rslAdd(torque, rslCross(x, f));
        size += rslLength(f);
        arm += rslLength(f) * rslLength(x);
    }
    assert_true(size > 1.0);
    *linear = rslLength(sum) / size;
    *angular = rslLength(torque) / arm;
    free(positions);
    free(forces);
}

static void Momentum(void** unused)
{
    (void)unused;
    double worst[2][2] = { { 0 } };
    for (int c = 0; c < CASES; ++c)
    {
        for (uint64_t seed = 1; cases[c].free && seed <= SEEDS; ++seed)
        {
            rslModel* model = cases[c].build();
            rslState* wide = RandomState(&cases[c], model, 0.18, seed);
            rslState* narrow = Narrowed(model, wide);
            const rslState* states[2] = { wide, narrow };
            for (int p = 0; p < 2; ++p)
            {
                double linear, angular;
                Momenta(model, states[p], &linear, &angular);
                // positions in the world are rounded: about 1e-16 of how far away they are
                double bar = p == 0 ? 1e-14 + 1e-15 * cases[c].far : 1e-6;
                if (!(linear <= bar && angular <= bar))
                {
                    print_error("%s, seed %d: sum of forces %.2g, of torques %.2g\n", cases[c].name, (int)seed, linear,
                                angular);
                    fail();
                }
                worst[p][0] = fmax(worst[p][0], linear);
                worst[p][1] = fmax(worst[p][1], angular);
            }
            rslState_Free(narrow);
            rslState_Free(wide);
            rslModel_Free(model);
        }
    }
    assert_proved("sum of internal forces over sum of sizes, double", worst[0][0], 1e-12);
    assert_proved("sum of internal torques over sum of sizes, double", worst[0][1], 1e-10);
    assert_proved("sum of internal forces over sum of sizes, single", worst[1][0], 1e-6);
    assert_proved("sum of internal torques over sum of sizes, single", worst[1][1], 1e-6);
}

// ---- against the public model ---------------------------------------------------------------------------------------------

// Forces in the world from what the model tells: springs, links, masses, ground, surface; and positions and velocities.
typedef struct Plain
{
    const rslModel* model;
    double* x;
    double* v;
    double* f;
    double energy;  // of springs and links
} Plain;

static void Push(Plain* plain, int node, double factor, rslVec3 force)
{
    plain->f[3 * node] += factor * force.x;
    plain->f[3 * node + 1] += factor * force.y;
    plain->f[3 * node + 2] += factor * force.z;
}

// What a spring with a damper between two points, d apart and parting with the velocity rate, pulls with.
static rslVec3 PlainPull(Plain* plain, rslVec3 d, rslVec3 rate, double k, double c, double length)
{
    double distance = rslLength(d);
    plain->energy += 0.5 * k * (distance - length) * (distance - length);
    if (length == 0.0)
    {
        return rslMulAdd(rslScale(k, d), c, rate);
    }
    rslVec3 n = rslScale(1.0 / distance, d);
    return rslScale(k * (distance - length) + c * rslDot(n, rate), n);
}

// The other laws as their papers write them: Kot eq. 4.2 and 4.6, Cooper and Maddock eq. 4 with half the stiffness.
static rslVec3 PlainCurve(Plain* plain, rslVec3 d, rslVec3 rate, const rslSpring* spring, bool cooper)
{
    double x = rslLength(d), x0 = spring->restLength, k = spring->stiffness;
    double carrier = k * x0 * x0 * (1.0 / x0 - 1.0 / x), other = -k / 2.0 * (x0 * x0 / x - x);
    plain->energy += cooper ? k / 2.0 * ((x * x - x0 * x0) / 2.0 - x0 * x0 * log(x / x0))
                            : k * x0 * x0 * ((x - x0) / x0 - log(x / x0));
    rslVec3 n = rslScale(1.0 / x, d);
    return rslScale((cooper ? other : carrier) + spring->damping * rslDot(n, rate), n);
}

static bool AddPlainSpring(const rslSpring* spring, void* context)
{
    Plain* plain = context;
    rslVec3 d = rslSub(At(plain->x, spring->b), At(plain->x, spring->a));
    rslVec3 rate = rslSub(At(plain->v, spring->b), At(plain->v, spring->a));
    const rslBody* body = &plain->model->bodies[rslModel_BodyOf(plain->model, spring->a)];
    rslSpringLaw law = body->kind == rsl_latticeBody ? body->lattice.law : body->network.law;
    rslVec3 pull = law == rsl_linearSpring
                       ? PlainPull(plain, d, rate, spring->stiffness, spring->damping, spring->restLength)
                       : PlainCurve(plain, d, rate, spring, law == rsl_cooperSpring);
    Push(plain, spring->a, 1.0, pull);
    Push(plain, spring->b, -1.0, pull);
    return true;
}

static void AddPlainLinks(Plain* plain)
{
    for (int l = 0; l < plain->model->linkCount; ++l)
    {
        const rslLink* link = &plain->model->links[l];
        rslVec3 d = { 0 }, rate = { 0 };
        for (int j = 0; j < link->nodeCount; ++j)
        {
            d = rslMulAdd(d, link->weights[j], At(plain->x, link->nodes[j]));
            rate = rslMulAdd(rate, link->weights[j], At(plain->v, link->nodes[j]));
        }
        rslVec3 pull = PlainPull(plain, d, rate, link->stiffness, link->damping, link->restLength);
        for (int j = 0; j < link->nodeCount; ++j)
        {
            Push(plain, link->nodes[j], -link->weights[j], pull);
        }
    }
}

static void AddPlainNodes(Plain* plain)
{
    const rslModel* model = plain->model;
    for (int i = 0; i < model->nodeCount; ++i)
    {
        Push(plain, i, model->mass[i], model->gravity);
        const rslBody* body = &model->bodies[rslModel_BodyOf(model, i)];
        double alpha = body->nodeDamping != NULL ? body->nodeDamping[i - body->firstNode] : body->massDamping;
        Push(plain, i, -alpha * model->mass[i], At(plain->v, i));
        double depth =
            model->ground.enabled ? rslDot(model->ground.normal, rslSub(model->ground.point, At(plain->x, i))) : 0.0;
        if (depth > 0.0)
        {
            Push(plain, i, model->ground.stiffness[i] * depth, model->ground.normal);
        }
    }
}

// A third of p times the area vector of a triangle goes to each of its corners, inwards, and from there to the nodes.
static void AddPlainPressure(Plain* plain, const rslLoad* load, const rslState* state)
{
    const rslSurface* surface = &plain->model->bodies[load->body].surface;
    double* xyz = calloc(3 * (size_t)surface->vertexCount, sizeof(double));
    assert_non_null(xyz);
    rslState_Surface(plain->model, state, load->body, xyz);
    for (int t = 0; t < 3 * surface->triangleCount; ++t)
    {
        const int* corner = &surface->triangles[t / 3 * 3];
        rslVec3 b = rslSub(At(xyz, corner[1]), At(xyz, corner[0])), c = rslSub(At(xyz, corner[2]), At(xyz, corner[0]));
        rslVec3 area = rslScale(0.5, rslCross(b, c));
        int vertex = surface->triangles[t];
        for (int e = 8 * vertex; e < 8 * vertex + 8; ++e)
        {
            Push(plain, surface->stencilNodes[e], -load->pressure / 3.0 * surface->stencilWeights[e], area);
        }
    }
    free(xyz);
}

// An error that force and energy share shows only here.
static void Reference(void** unused)
{
    (void)unused;
    double worst = 0.0;
    for (int c = 0; c < CASES; ++c)
    {
        rslModel* model = cases[c].build();
        if (model->driveCount > 0)
        {
            rslModel_Free(model);
            continue;
        }
        rslState* state = RandomState(&cases[c], model, 0.18, 12);
        size_t count = 3 * (size_t)model->nodeCount;
        double* memory = calloc(3 * count, sizeof(double));
        assert_non_null(memory);
        Plain plain = { model, memory, memory + count, memory + 2 * count, 0.0 };
        rslState_Positions(model, state, 0, model->nodeCount, plain.x);
        rslState_Velocities(model, state, 0, model->nodeCount, plain.v);
        for (int b = 0; b < model->bodyCount; ++b)
        {
            rslModel_VisitSprings(model, b, AddPlainSpring, &plain);
        }
        AddPlainLinks(&plain);
        AddPlainNodes(&plain);
        for (int l = 0; l < model->loadCount; ++l)
        {
            AddPlainPressure(&plain, &model->loads[l], state);
        }
        double* forces = WorldForces(model, state);
        double largest = 0.0, error = 0.0;
        for (size_t i = 0; i < count; ++i)
        {
            largest = fmax(largest, fabs(plain.f[i]));
            error = fmax(error, fabs(forces[i] - plain.f[i]));
        }
        if (!(error <= 1e-7 * largest))
        {
            print_error("%s: forces differ by %.2g from those of the public springs\n", cases[c].name, error / largest);
        }
        worst = fmax(worst, error / largest);
        Bench bench = MakeBench(&cases[c], 12);
        rslEnergy energy = rslBackend64.energy(bench.kernel, state);
        assert_close(energy.springs + energy.links, plain.energy, 1e-8 * plain.energy);
        FreeBench(&bench);
        free(forces);
        free(memory);
        rslState_Free(state);
        rslModel_Free(model);
    }
    assert_at_most(worst, 1e-7);
}

// Also at strains of a millionth, where an elongation from lengths would have no digit left.
static void Precisions(void** unused)
{
    (void)unused;
    static const double sizes[2] = { 0.18, 1e-6 };
    for (int s = 0; s < 2; ++s)
    {
        double worst = 0.0;
        for (int c = 0; c < CASES; ++c)
        {
            // drives and preloads make forces of their own that are large beside those of small displacements
            rslModel* model = cases[c].build();
            rslState* wide = RandomState(&cases[c], model, sizes[s], 9);
            for (int axis = 0; axis < 3; ++axis)
            {
                for (int i = 0; s == 1 && i < model->nodeCount; ++i)
                {
                    ((double*)wide->velocity[axis])[i] *= 1e-6;
                }
            }
            rslState* narrow = Narrowed(model, wide);
            double* a = WorldForces(model, wide);
            double* b = WorldForces(model, narrow);
            double largest = 0.0, error = 0.0;
            for (int i = 0; i < 3 * model->nodeCount; ++i)
            {
                largest = fmax(largest, fabs(a[i]));
                error = fmax(error, fabs(a[i] - b[i]));
            }
            if (!(error <= 2e-6 * largest))
            {
                print_error("%s: single precision is off by %.2g\n", cases[c].name, error / largest);
            }
            // links, ground and gravity work from positions in the world: no less than 1e-7 of a spacing
            bool relative = s == 0 || (!cases[c].together && cases[c].free);
            worst = relative ? fmax(worst, error / largest) : worst;
            free(a);
            free(b);
            rslState_Free(narrow);
            rslState_Free(wide);
            rslModel_Free(model);
        }
        assert_proved(s == 0 ? "forces in single against double, displacements of 0.18 spacing"
                             : "forces in single against double, displacements of 1e-6 spacing",
                      worst, 2e-6);
    }
}

// K p, C p and the diagonal blocks, as a backend tells them: three numbers and six a node.
static double* Matrices(const rslModel* model, const rslState* state)
{
    const rslBackend* backend = rslBackend_For(state->precision);
    rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
    void* kernel = backend->create(model, rsl_positionVerlet, NULL, team);
    size_t count = (size_t)model->nodeCount;
    double* out = calloc((3 + 3 + 3 + 6) * count, sizeof(double));
    assert_non_null(kernel);
    assert_non_null(out);
    Random random = MakeRandom(31);
    double* p = out + 6 * count;
    for (size_t i = 0; i < 3 * count; ++i)
    {
        p[i] = NextBetween(&random, -1.0, 1.0);
    }
    double* vector[3] = { p, p + count, p + 2 * count };
    for (size_t m = 0; m < 2; ++m)
    {
        double* product[3] = { out + 3 * m * count, out + (3 * m + 1) * count, out + (3 * m + 2) * count };
        assert_true(
            backend->product(kernel, state, m == 0 ? rsl_stiffnessProduct : rsl_dampingProduct, vector, product));
    }
    backend->diagonal(kernel, state, (double(*)[6])(out + 9 * count));
    backend->destroy(kernel);
    rslTeam_Free(team);
    return out;
}

static void MatricesAgree(void** unused)
{
    (void)unused;
    static const size_t parts[4] = { 0, 3, 9, 15 };  // K p, C p with p, diagonal
    double worst = 0.0;
    for (int c = 0; c < CASES; ++c)
    {
        rslModel* model = cases[c].build();
        rslState* wide = RandomState(&cases[c], model, 0.18, 6);
        rslState* narrow = Narrowed(model, wide);
        double* a = Matrices(model, wide);
        double* b = Matrices(model, narrow);
        for (int part = 0; part < 3; ++part)
        {
            double largest = 0.0, error = 0.0;
            for (size_t i = parts[part] * (size_t)model->nodeCount; i < parts[part + 1] * (size_t)model->nodeCount; ++i)
            {
                largest = fmax(largest, fabs(a[i]));
                error = fmax(error, fabs(a[i] - b[i]));
            }
            worst = fmax(worst, largest > 0.0 ? error / largest : error);
        }
        free(a);
        free(b);
        rslState_Free(narrow);
        rslState_Free(wide);
        rslModel_Free(model);
    }
    assert_at_most(worst, 2e-6);
}

typedef struct BondSums
{
    double energy;
    int64_t count;
} BondSums;

static void SumBonds(const rslBond* bond, int part, void* context)
{
    BondSums* sums = context;
    sums[part].energy += bond->energy;
    sums[part].count += 1;
}

// The energies that a backend tells are those of the terms, and those of the springs add up to them.
static void Energies(void** unused)
{
    (void)unused;
    for (int c = 0; c < CASES; ++c)
    {
        Bench bench = MakeBench(&cases[c], 3);
        double springs = 0.0, links = 0.0, ground = 0.0, gravity = 0.0;
        for (const Term* const* term = rslTerms64; *term != NULL; ++term)
        {
            bench.term = *term;
            if (bench.term->present(bench.kernel) && bench.term->hasEnergy && bench.term != &rslPressureTerm64)
            {
                double energy = EnergyAt(&bench);
                springs += bench.term == &rslLatticeTerm64 || bench.term == &rslNetworkTerm64 ? energy : 0.0;
                links += bench.term == &rslLinkTerm64 ? energy : 0.0;
                ground += bench.term == &rslGroundTerm64 ? energy : 0.0;
                gravity += bench.term == &rslGravityTerm64 ? energy : 0.0;
            }
        }
        rslEnergy told = rslBackend64.energy(bench.kernel, bench.state);
        assert_close(told.springs, springs, 1e-12 * springs);
        assert_close(told.links, links, 1e-12 * links);
        assert_close(told.ground, ground, 1e-12 * ground);
        assert_close(told.gravity, gravity, 1e-12 * fabs(gravity));
        assert_close(told.total, told.kinetic + springs + links + ground + gravity, 1e-12 * fabs(told.total));
        assert_true((links > 0.0) == (bench.model->linkCount > 0) && (ground > 0.0) == bench.model->ground.enabled);

        BondSums sums[RSL_BOND_PARTS] = { 0 };
        rslBackend64.bonds(bench.kernel, bench.state, &(rslBondWalk){ .visit = SumBonds, .context = sums });
        for (int part = 1; part < RSL_BOND_PARTS; ++part)
        {
            sums[0].energy += sums[part].energy;
            sums[0].count += sums[part].count;
        }
        assert_close(sums[0].energy, springs, 1e-12 * springs);
        assert_true(sums[0].count == bench.model->springCount);
        FreeBench(&bench);
    }
}

// ---- loads ----------------------------------------------------------------------------------------------------------------

static void Loads(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    rslLoadDef loads[2] = { rslDefaultLoadDef(), rslDefaultLoadDef() };
    loads[0].nodes = loads[1].nodes = NodesOf("block");
    loads[0].type = rsl_forceLoad;
    loads[0].force = (rslVec3){ 5.0, -3.0, 2.0 };
    loads[0].each = true;
    loads[0].course.type = rsl_rampCourse;
    loads[0].course.duration = 1.0;
    loads[1].type = rsl_accelerationLoad;
    loads[1].acceleration = (rslVec3){ 0.0, 7.0, 1.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    scene.loads = loads;
    scene.loadCount = 2;
    rslModel* model = Built(&scene, NULL);
    Case it = { .name = "loads", .far = 100.0 };
    rslState* state = RandomState(&it, model, 0.1, 1);
    rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
    Bench bench = { .it = &it, .model = model, .state = state, .term = &rslLoadTerm64 };
    bench.kernel = rslKernel_Create64(model, NULL, team);
    bench.view = rslKernel_View64(bench.kernel, state, 0.0);
    double* host = calloc(3 * (size_t)model->nodeCount, sizeof(double));
    host[3 * 4 + 1] = 11.0;  // on node 4
    bench.kernel->hostForces = host;
    Vector force = MakeVector(&bench);
    double power = 0.0, told = rslKernel_Forces64(bench.kernel, &bench.view).loads;
    ForceAt(&bench, &force);
    for (int i = 0; i < model->nodeCount; ++i)
    {
        rslVec3 f =
            rslMatVec(&bench.kernel->frames[0].rotation, (rslVec3){ force.at[0][i], force.at[1][i], force.at[2][i] });
        double m = model->mass[i], v[3];
        assert_close(f.x, 0.4 * 5.0, 1e-12);  // the ramp is at 0.4 s of 1 s
        assert_close(f.y, 0.4 * -3.0 + 7.0 * m + (i == 4 ? 11.0 : 0.0), 1e-11);
        assert_close(f.z, 0.4 * 2.0 + 1.0 * m, 1e-12);
        rslState_Velocities(model, state, i, i + 1, v);
        power += f.x * v[0] + f.y * v[1] + f.z * v[2];
    }
    assert_close(told, power, 1e-10 * fabs(power));
    FreeVector(&force);
    free(host);
    rslKernel_Free64(bench.kernel);
    rslTeam_Free(team);
    rslState_Free(state);
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Differences), cmocka_unit_test(DrivePower),    cmocka_unit_test(Momentum),
        cmocka_unit_test(Precisions),  cmocka_unit_test(MatricesAgree), cmocka_unit_test(Energies),
        cmocka_unit_test(Loads),       cmocka_unit_test(Reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
