// SPDX-License-Identifier: MIT
//
// term_cases.h: a small model for every force term, and random states of it.

#pragma once

#include "support.h"

// Random configurations of every case.
static inline uint64_t Seeds(void)
{
    return Sanitized() ? 1 : 3;
}

// ---- scenes -----------------------------------------------------------------------------------------------------------

typedef struct Case
{
    const char* name;
    rslModel* (*build)(void);
    double far;     // how far away random frames are [m]
    bool free;      // internal forces only: momentum is kept
    bool together;  // bodies move as one, up to a little
} Case;

// Random states turn cells inside out: nothing may repel, unless a case asks for it.
static void LetCollapse(rslBodyDef* bodies, int count)
{
    for (int b = 0; b < count; ++b)
    {
        rslRepulsionType* type = &bodies[b].repulsion.type;
        *type = *type == rsl_autoRepulsion ? rsl_noRepulsion : *type;
    }
}

static rslModel* BuildScene(rslBodyDef* bodies, int count, void (*adorn)(rslScene*))
{
    LetCollapse(bodies, count);
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
    body.model.type = rsl_springModel;
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

static inline rslNodeSetDef NodesOf(const char* body)
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
    LetCollapse(bodies, 2);
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
    scene->touch.scheme = rsl_penaltyScheme;
}

// One of every shape, around corners of the block and through its middle; a tetrahedron with a dent in the place of one face.
static void AddSolids(rslScene* scene)
{
    static const double vertices[] = { -0.2, -0.2, -0.2, 0.2, -0.15, -0.2, 0.0,  0.25,
                                       -0.2, 0.0,  0.0,  0.2, 0.02,  0.01, -0.05 };
    static const int triangles[] = { 0, 1, 3, 1, 2, 3, 2, 0, 3, 1, 0, 4, 2, 1, 4, 0, 2, 4 };
    static const rslShapeType types[] = { rsl_sphereShape, rsl_boxShape, rsl_cylinderShape, rsl_capsuleShape,
                                          rsl_meshShape };
    static const rslVec3 places[] = {
        { 0.2, 0.15, 0.2 }, { -0.25, 0.1, 0.1 }, { 0.2, -0.15, 0.0 }, { -0.2, -0.15, 0.0 }, { 0.0, 0.0, 0.0 }
    };
    static rslShapeDef shapes[5];
    static rslColliderDef colliders[5];
    for (int i = 0; i < 5; ++i)
    {
        shapes[i] = rslDefaultShapeDef();
        shapes[i].type = types[i];
        shapes[i].radius = 0.11;
        shapes[i].height = 0.2;
        shapes[i].size = (rslVec3){ 0.15, 0.2, 0.25 };
        shapes[i].vertices = vertices;
        shapes[i].vertexCount = 5;
        shapes[i].triangles = triangles;
        shapes[i].triangleCount = 6;
        shapes[i].rotate = (rslRotationDef){ .axis = { 1.0, 0.4, -0.3 * i }, .angle = 20.0 + 15.0 * i };
        shapes[i].translate = places[i];
        colliders[i] = rslDefaultColliderDef();
        colliders[i].type = rsl_shapeCollider;
        colliders[i].shape = &shapes[i];
    }
    scene->touch.scheme = rsl_penaltyScheme;
    scene->colliders = colliders;
    scene->colliderCount = 5;
}

static rslModel* BuildAmongSolids(void)
{
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.3);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    return BuildScene(&body, 1, AddSolids);
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

static rslModel* BuildDispersed(void)
{
    rslShapeDef shape = BoxShape(2.1, 0.1, 0.2);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.model.type = rsl_dispersionModel;
    body.material.poisson = 0.42;
    body.material.stiffnessDamping = 0.002;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildDispersedRegions(void)
{
    rslShapeDef shape = BoxShape(1.9, 0.2, 0.2), half = BoxShape(0.55, 1.0, 0.31);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    rslRegionDef region = { .shape = &half, .material = body.material };
    body.model.type = rsl_dispersionModel;
    body.network.construction = rsl_centredLattice;
    body.material.poisson = -0.6;
    region.material.poisson = 0.45;
    region.material.stiffnessDamping = 0.003;
    body.regions = &region;
    body.regionCount = 1;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildCheap(void)
{
    rslShapeDef shape = BallShape(0.3);
    rslBodyDef body = LatticeBody("ball", &shape, 0.12);
    body.model.type = rsl_dispersionModel;
    body.model.variant = rsl_cheapDispersion;
    body.network.law = rsl_carrierSpring;
    body.network.orientation = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 25.0 };
    body.material.poisson = 0.05;
    body.material.stiffnessDamping = 0.001;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildDispersedNetwork(void)
{
    rslShapeDef shape = BoxShape(0.5, 0.4, 0.3);
    rslBodyDef body = LatticeBody("net", &shape, 0.1);
    body.network.type = rsl_randomNetwork;
    body.network.minLength = 0.1;
    body.network.maxLength = 0.2;
    body.model.type = rsl_dispersionModel;
    body.material.poisson = 0.4;
    body.material.stiffnessDamping = 0.002;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildDrivenDispersion(void)
{
    rslShapeDef shape = BoxShape(1.7, 0.1, 0.1);
    rslBodyDef body = LatticeBody("muscle", &shape, 0.1);
    body.model.type = rsl_dispersionModel;
    body.material.poisson = 0.4;
    body.material.stiffnessDamping = 0.002;
    return BuildScene(&body, 1, AddDrives);
}

// Finite elements: hexahedra of a lattice that the shape cuts, tetrahedra, triangles in space and in the plane.
static rslModel* BuildHexahedra(rslElementLaw law, rslHexahedron element, double poisson)
{
    rslShapeDef shape = BoxShape(0.37, 0.2, 0.2);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.material.poisson = poisson;
    body.material.stiffnessDamping = 0.002;
    body.model = (rslModelDef){ .type = rsl_finiteModel, .law = law, .element = element };
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildLinearHexahedra(void)
{
    return BuildHexahedra(rsl_linearElement, rsl_trilinearHexahedron, 0.3);
}

static rslModel* BuildCorotatedHexahedra(void)
{
    return BuildHexahedra(rsl_corotationalElement, rsl_incompatibleHexahedron, 0.45);
}

static rslModel* BuildCorotatedTrilinear(void)
{
    return BuildHexahedra(rsl_corotationalElement, rsl_trilinearHexahedron, -0.5);
}

static rslModel* BuildNeoHookeanHexahedra(void)
{
    return BuildHexahedra(rsl_neoHookeanElement, rsl_autoHexahedron, 0.4);
}

static rslModel* BuildRegionHexahedra(void)
{
    rslShapeDef shape = BoxShape(0.5, 0.2, 0.2), half = BoxShape(0.25, 1.0, 0.31);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    rslRegionDef region = { .shape = &half, .material = body.material };
    region.material.young *= 7.0;
    region.material.stiffnessDamping = 0.003;
    body.regions = &region;
    body.regionCount = 1;
    body.model.type = rsl_finiteModel;
    return BuildScene(&body, 1, NULL);
}

// Bricks in a lattice that is turned: nearly all cells are cut, each in its own way.
static rslModel* BuildBricks(rslElementLaw law, double poisson, double floor)
{
    rslShapeDef shape = BoxShape(0.31, 0.22, 0.24);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.network.orientation = (rslRotationDef){ { 0.4, -0.3, 0.7 }, 33.0 };
    body.material.poisson = poisson;
    body.material.stiffnessDamping = 0.002;
    body.model = (rslModelDef){ .type = rsl_brickModel, .law = law, .floor = floor };
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildLinearBricks(void)
{
    return BuildBricks(rsl_linearElement, 0.3, 0.25);
}

static rslModel* BuildCorotatedBricks(void)
{
    return BuildBricks(rsl_corotationalElement, 0.49, 0.5);
}

static rslModel* BuildNeoHookeanBricks(void)
{
    return BuildBricks(rsl_neoHookeanElement, -0.5, 0.5);
}

static rslModel* BuildRegionBricks(void)
{
    rslShapeDef shape = BoxShape(0.47, 0.2, 0.23), half = BoxShape(0.25, 1.0, 0.31);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    rslRegionDef region = { .shape = &half, .material = body.material };
    region.material.young *= 7.0;
    region.material.poisson = 0.45;
    region.material.stiffnessDamping = 0.003;
    body.regions = &region;
    body.regionCount = 1;
    body.model = (rslModelDef){ .type = rsl_brickModel, .floor = 0.5 };
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildTetrahedra(rslElementLaw law, double poisson)
{
    rslShapeDef shape = BoxShape(0.3, 0.2, 0.2);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.network.type = rsl_tetrahedraNetwork;
    body.material.poisson = poisson;
    body.material.stiffnessDamping = 0.002;
    body.model = (rslModelDef){ .type = rsl_finiteModel, .law = law };
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildLinearTetrahedra(void)
{
    return BuildTetrahedra(rsl_linearElement, 0.3);
}

static rslModel* BuildCorotatedTetrahedra(void)
{
    return BuildTetrahedra(rsl_corotationalElement, 0.2);
}

static rslModel* BuildNeoHookeanTetrahedra(void)
{
    return BuildTetrahedra(rsl_neoHookeanElement, -0.3);
}

#include "term_sheets.h"
#include "term_cells.h"
#include "term_volumes.h"
#include "term_repulsion.h"

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
    { "sheet that resists bending", BuildBentSheet, 1e4, true, false },
    { "elements that resist bending", BuildBentTriangles, 1e4, true, false },
    { "mesh that resists bending", BuildBentMesh, 1e4, true, false },
    { "spring links", BuildSpringLinks, 1e3, true, true },
    { "ties", BuildTies, 1e3, true, true },
    { "damped ties", BuildDampedTies, 1e3, false, true },
    { "gravity and point damping", BuildHeavy, 10.0, false, false },
    { "pressure in a lattice", BuildPressed, 1e4, true, false },
    { "pressure in a sheet", BuildBalloon, 1e4, true, false },
    { "pressure of a volume", BuildPressureVolume, 1e4, true, false },
    { "pressure of a volume in a lattice", BuildFullBall, 1e4, true, false },
    { "pressure of a dome's volume", BuildDome, 1e4, true, false },
    { "implicit volume", BuildImplicitVolume, 1e4, true, false },
    { "implicit volume about two centres", BuildTwoCentres, 1e4, true, false },
    { "ground", BuildGrounded, 0.05, false, false },
    { "colliders of every shape", BuildAmongSolids, 0.05, false, false },
    { "driven lattice", BuildDrivenLattice, 1e4, true, false },
    { "driven lattice of carrier springs", BuildDrivenCarrierLattice, 1e4, true, false },
    { "driven sheet", BuildDrivenSheet, 1e4, true, false },
    { "driven carrier springs", BuildDrivenCarriers, 1e4, true, false },
    { "dispersion", BuildDispersed, 1e4, true, false },
    { "dispersion with regions", BuildDispersedRegions, 1e4, true, false },
    { "cheap dispersion of carrier springs", BuildCheap, 1e4, true, false },
    { "dispersion in a random network", BuildDispersedNetwork, 1e4, true, false },
    { "driven dispersion", BuildDrivenDispersion, 1e4, true, false },
    { "linear hexahedra", BuildLinearHexahedra, 1e4, false, false },
    { "corotational hexahedra", BuildCorotatedHexahedra, 1e4, true, false },
    { "corotational trilinear hexahedra", BuildCorotatedTrilinear, 1e4, true, false },
    { "neo-Hookean hexahedra", BuildNeoHookeanHexahedra, 1e4, true, false },
    { "hexahedra with regions", BuildRegionHexahedra, 1e4, true, false },
    { "linear bricks", BuildLinearBricks, 1e4, false, false },
    { "corotational bricks", BuildCorotatedBricks, 1e4, true, false },
    { "neo-Hookean bricks", BuildNeoHookeanBricks, 1e4, true, false },
    { "bricks with regions", BuildRegionBricks, 1e4, true, false },
    { "linear tetrahedra", BuildLinearTetrahedra, 1e4, false, false },
    { "corotational tetrahedra", BuildCorotatedTetrahedra, 1e4, true, false },
    { "neo-Hookean tetrahedra", BuildNeoHookeanTetrahedra, 1e4, true, false },
    { "linear triangles", BuildLinearTriangles, 1e4, false, false },
    { "corotational triangles", BuildCorotatedTriangles, 1e4, true, false },
    { "neo-Hookean triangles", BuildNeoHookeanTriangles, 1e4, true, false },
    { "corotational triangles in the plane", BuildFlatTriangles, 1e4, true, false },
    { "Baudet's boxes", BuildBaudetBoxes, 1e4, true, false },
    { "tuned boxes with face diagonals", BuildFaceBoxes, 1e4, true, false },
    { "linear distorted hexahedra", BuildLinearSolids, 1e4, false, false },
    { "corotational distorted hexahedra", BuildCorotatedSolids, 1e4, true, false },
    { "neo-Hookean distorted hexahedra", BuildNeoHookeanSolids, 1e4, true, false },
    { "neo-Hookean distorted trilinear hexahedra", BuildTrilinearSolids, 1e4, true, false },
    { "turned boxes of three edges", BuildTurnedBoxes, 1e4, true, false },
    { "angles in a hexagonal sheet", BuildAuxeticAngles, 1e4, true, false },
    { "angles in a square sheet", BuildRightAngles, 1e4, true, false },
    { "angles in the plane", BuildFlatAngles, 1e4, true, false },
    { "angles in any triangles", BuildMixedAngles, 1e4, true, false },
    { "Cooper's repulsion in cells", BuildCooperCells, 1e4, true, false },
    { "stiff repulsion in cells", BuildStiffCells, 1e4, true, false },
    { "Cooper's repulsion in tetrahedra", BuildCooperTetrahedra, 1e4, true, false },
    { "stiff repulsion in tetrahedra", BuildStiffTetrahedra, 1e4, true, false },
    { "Cooper's repulsion in a sheet", BuildCooperTriangles, 1e4, true, false },
    { "stiff repulsion in a sheet", BuildStiffTriangles, 1e4, true, false },
    { "Cooper's repulsion in the plane", BuildFlatCooper, 1e4, true, false },
    { "stiff repulsion in the plane", BuildFlatStiff, 1e4, true, false },
    { "centroid springs in a sheet", BuildCentroidTriangles, 1e4, true, false },
    { "centroid springs in the plane", BuildFlatCentroids, 1e4, true, false },
    { "centroid springs in tetrahedra", BuildCentroidTetrahedra, 1e4, true, false },
};
enum
{
    CASES = sizeof cases / sizeof *cases
};

#include "term_states.h"
