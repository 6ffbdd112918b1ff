// SPDX-License-Identifier: MIT
//
// core_scenes.h: small scenes made in code that together use everything a step can meet: both lattices, sheets, networks,
// links, loads, pressure, drives, pins, motion, ground, dispersion, finite elements, rigid bodies, joints, contacts, planes that
// move, two dimensions, and every integrator.

#pragma once

#include "resilin/resilin.h"

typedef rslStatus CoreBuild(double fine, const rslHooks* hooks, rslModel** model, rslReport* report);

typedef struct CoreScene
{
    const char* name;
    rslIntegrator integrator;
    int steps;         // worth taking with fine 1
    CoreBuild* build;  // fine: 1 for tens of nodes, twice as many along each axis with 2
    double fine;       // for thousands of nodes: enough for several threads, also in the passes that are light
    int fineSteps;     // worth taking then
} CoreScene;

static inline rslBodyDef CoreLattice(const char* name, const rslShapeDef* shape, double spacing)
{
    rslBodyDef body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    body.name = name;
    body.shape = shape;
    body.network.type = rsl_latticeNetwork;
    body.network.spacing = spacing;
    body.material.young = 2e5;
    body.material.poisson = 0.25;
    body.material.density = 900.0;
    return body;
}

static inline rslShapeDef CoreBox(double x, double y, double z)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_boxShape;
    shape.size = (rslVec3){ x, y, z };
    return shape;
}

static inline rslBodyDef CoreSheet(const char* name, double x, double y, double spacing)
{
    rslBodyDef body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    body.name = name;
    body.network.type = rsl_sheetNetwork;
    body.network.size[0] = x;
    body.network.size[1] = y;
    body.network.spacing = spacing;
    body.network.thickness = 0.01;
    body.material.young = 1e5;
    body.material.poisson = 1.0 / 3.0;
    body.material.density = 1100.0;
    body.material.stiffnessDamping = 1e-4;
    return body;
}

static inline rslNodeSetDef CoreNodes(const char* body, rslNodeSetType type, rslVec3 point, rslVec3 normal)
{
    rslNodeSetDef set = rslDefaultNodeSetDef();
    set.body = body;
    set.type = type;
    set.point = point;
    set.normal = normal;
    return set;
}

static inline rslScene CoreScene_Of(const rslBodyDef* bodies, int count)
{
    rslScene scene = rslDefaultScene();
    scene.bodies = bodies;
    scene.bodyCount = count;
    return scene;
}

// An egg with border weights, turned lattice and every damping falls on a tilted ground.
static inline rslStatus CoreDrop(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_ellipsoidShape;
    shape.radii = (rslVec3){ 0.3, 0.25, 0.2 };
    shape.translate = (rslVec3){ 5.0, 0.0, 0.26 };
    rslBodyDef body = CoreLattice("egg", &shape, 0.12 / fine);
    body.network.orientation = (rslRotationDef){ { 1.0, 1.0, 0.0 }, 25.0 };
    body.material.stiffnessDamping = 2e-4;
    body.material.massDamping = 0.3;
    body.velocity = (rslVec3){ 0.5, 0.0, -3.0 };
    body.spin = (rslVec3){ 100.0, 400.0, -30.0 };
    body.repulsion.type = rsl_noRepulsion;  // cells of it are turned inside out, and come back
    rslScene scene = CoreScene_Of(&body, 1);
    scene.ground = rslDefaultGroundDef();
    scene.ground.point = (rslVec3){ 5.0, 0.0, 0.0 };
    scene.ground.normal = (rslVec3){ 0.1, 0.05, 1.0 };
    return rslModel_Build(&scene, hooks, model, report);
}

// A cloth held at two corners in a gust.
static inline rslStatus CoreCloth(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    rslBodyDef body = CoreSheet("cloth", 1.0, 0.8, 0.17 / fine);
    rslConstraintDef pins[2] = { rslDefaultConstraintDef(), rslDefaultConstraintDef() };
    pins[0].nodes = CoreNodes("cloth", rsl_nearestNodes, (rslVec3){ -0.5, 0.4, 0.0 }, (rslVec3){ 0 });
    pins[1].nodes = CoreNodes("cloth", rsl_nearestNodes, (rslVec3){ 0.5, 0.4, 0.0 }, (rslVec3){ 0 });
    pins[1].axes[0] = false;
    rslLoadDef gust = rslDefaultLoadDef();
    gust.type = rsl_accelerationLoad;
    gust.nodes = rslDefaultNodeSetDef();
    gust.acceleration = (rslVec3){ 0.0, 20.0, 5.0 };
    gust.course.type = rsl_sineCourse;
    gust.course.frequency = 7.0;
    gust.course.phase = 30.0;
    rslScene scene = CoreScene_Of(&body, 1);
    scene.constraints = pins;
    scene.constraintCount = 2;
    scene.loads = &gust;
    scene.loadCount = 1;
    return rslModel_Build(&scene, hooks, model, report);
}

// Two blocks tied to each other, and a net hung from one by springs.
static inline rslStatus CoreJoined(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    static const double nodes[] = { 0.0, 0.0, -0.4, 0.1, 0.0, -0.45, 0.0, 0.1, -0.5, 0.1, 0.1, -0.42 };
    static const double masses[] = { 0.3, 0.4, 0.5, 0.6 };
    static const int springs[] = { 0, 1, 1, 2, 2, 3, 3, 0, 0, 2, 1, 3 };
    static const double stiffness[] = { 300.0, 350.0, 400.0, 450.0, 200.0, 250.0 };
    static const double damping[] = { 0.5, 0.1, 0.0, 0.2, 0.3, 0.4 };
    static const double lengths[] = { 0.12, 0.14, 0.12, 0.11, 0.15, 0.15 };
    rslShapeDef shapes[2] = { CoreBox(0.4, 0.3, 0.3), CoreBox(0.3, 0.3, 0.2) };
    shapes[1].translate = (rslVec3){ 0.0, 0.02, 0.2 };
    rslBodyDef bodies[3] = { CoreLattice("low", &shapes[0], 0.1 / fine), CoreLattice("high", &shapes[1], 0.09 / fine),
                             rslDefaultBodyDef() };
    bodies[1].network.construction = rsl_centredLattice;
    bodies[1].network.orientation = (rslRotationDef){ { 0.0, 0.0, 1.0 }, 20.0 };
    bodies[1].material.stiffnessDamping = 1e-4;
    bodies[1].velocity = (rslVec3){ 0.0, 0.3, 0.0 };
    bodies[2].name = "net";
    bodies[2].network.type = rsl_explicitNetwork;
    bodies[2].network.nodes = nodes;
    bodies[2].network.nodeCount = 4;
    bodies[2].network.masses = masses;
    bodies[2].network.massCount = 4;
    bodies[2].network.springs = springs;
    bodies[2].network.springCount = 6;
    bodies[2].network.stiffness = stiffness;
    bodies[2].network.damping = damping;
    bodies[2].network.restLengths = lengths;
    bodies[2].network.stiffnessCount = bodies[2].network.dampingCount = bodies[2].network.restLengthCount = 6;
    rslLinkDef links[2] = { rslDefaultLinkDef(), rslDefaultLinkDef() };
    links[0].type = rsl_tieLink;
    links[0].from = CoreNodes("high", rsl_planeNodes, (rslVec3){ 0.0, 0.0, 0.2 }, (rslVec3){ 0.0, 0.0, -1.0 });
    links[0].to = CoreNodes("low", rsl_allNodes, (rslVec3){ 0 }, (rslVec3){ 0 });
    links[0].damping = 0.5;
    links[1].type = rsl_springLink;
    links[1].from = CoreNodes("net", rsl_allNodes, (rslVec3){ 0 }, (rslVec3){ 0 });
    links[1].to = CoreNodes("low", rsl_allNodes, (rslVec3){ 0 }, (rslVec3){ 0 });
    links[1].stiffness = 250.0;
    links[1].damping = 0.2;
    rslScene scene = CoreScene_Of(bodies, 3);
    scene.links = links;
    scene.linkCount = 2;
    return rslModel_Build(&scene, hooks, model, report);
}

// A driven block on a turning base, with a driven sheet beside it.
static inline rslStatus CoreMuscle(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    rslShapeDef shape = CoreBox(0.6, 0.2, 0.2);
    rslBodyDef bodies[2] = { CoreLattice("muscle", &shape, 0.1 / fine), CoreSheet("skin", 0.4, 0.4, 0.1 / fine) };
    bodies[1].network.translate = (rslVec3){ 0.0, 1.0, 0.0 };
    rslDriveDef drives[2] = { rslDefaultDriveDef(), rslDefaultDriveDef() };
    drives[0].nodes = CoreNodes("muscle", rsl_planeNodes, (rslVec3){ 0.0, 0.0, 0.0 }, (rslVec3){ 0.0, 0.0, 1.0 });
    drives[0].strain = -0.2;
    drives[0].direction = (rslVec3){ 1.0, 0.0, 0.0 };
    drives[0].course.type = rsl_sineCourse;
    drives[0].course.frequency = 5.0;
    drives[1].nodes = rslDefaultNodeSetDef();
    drives[1].strain = 0.1;
    drives[1].course.type = rsl_rampCourse;
    drives[1].course.duration = 0.02;
    drives[1].course.smooth = true;
    rslConstraintDef base = rslDefaultConstraintDef();
    base.type = rsl_motionConstraint;
    base.nodes = CoreNodes("muscle", rsl_planeNodes, (rslVec3){ -0.29, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 });
    base.move.rotate = (rslRotationDef){ { 1.0, 0.0, 0.2 }, 30.0 };
    base.move.translate = (rslVec3){ 0.02, 0.0, 0.03 };
    base.move.course.type = rsl_sineCourse;
    base.move.course.frequency = 3.0;
    rslScene scene = CoreScene_Of(bodies, 2);
    scene.drives = drives;
    scene.driveCount = 2;
    scene.constraints = &base;
    scene.constraintCount = 1;
    return rslModel_Build(&scene, hooks, model, report);
}

// Pressure on a ball, in a pulse.
static inline rslStatus CoreBall(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_sphereShape;
    shape.radius = 0.3;
    shape.translate = (rslVec3){ 100.0, 200.0, 300.0 };
    rslBodyDef body = CoreLattice("ball", &shape, 0.15 / fine);
    body.spin = (rslVec3){ 0.0, 0.0, 90.0 };
    rslLoadDef load = rslDefaultLoadDef();
    load.type = rsl_pressureLoad;
    load.body = "ball";
    load.pressure = 1e4;
    load.course.type = rsl_pulseCourse;
    load.course.duration = 0.05;
    load.course.smooth = true;
    rslScene scene = CoreScene_Of(&body, 1);
    scene.loads = &load;
    scene.loadCount = 1;
    return rslModel_Build(&scene, hooks, model, report);
}

// A sheet in the plane bounces on a line.
static inline rslStatus CoreFlat(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    rslBodyDef body = CoreSheet("plate", 0.5, 0.4, 0.1 / fine);
    body.network.rotate = (rslRotationDef){ { 0.0, 0.0, 1.0 }, 17.0 };
    body.network.translate = (rslVec3){ 0.0, 0.32, 0.0 };
    body.velocity = (rslVec3){ 0.4, -2.0, 0.0 };
    body.spin = (rslVec3){ 0.0, 0.0, 500.0 };
    rslScene scene = CoreScene_Of(&body, 1);
    scene.plane = rsl_planeXY;
    scene.gravity = (rslVec3){ 0.0, -9.81, 0.0 };
    scene.ground = rslDefaultGroundDef();
    scene.ground.normal = (rslVec3){ 0.1, 1.0, 0.0 };
    scene.touch.overlap = rsl_allowOverlap;  // its corner starts in the ground
    return rslModel_Build(&scene, hooks, model, report);
}

// A damped block pulled at one end along a table, held at the other on a path: for forward Euler.
static inline rslStatus CorePulled(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    static const double points[] = { 0.0, 0.0, 0.01, 1.0, 0.02, -1.0, 0.05, 0.5 };
    static const double path[] = { 0.0, 0.0, 0.0, 0.0, 0.01, 0.01, 0.0, 0.02, 0.03, 0.0, 0.01, 0.0 };
    rslShapeDef shape = CoreBox(0.6, 0.2, 0.2);
    rslBodyDef body = CoreLattice("block", &shape, 0.1 / fine);
    body.material.stiffnessDamping = 2e-3;
    rslLoadDef load = rslDefaultLoadDef();
    load.type = rsl_forceLoad;
    load.nodes = CoreNodes("block", rsl_planeNodes, (rslVec3){ 0.29, 0.0, 0.0 }, (rslVec3){ 1.0, 0.0, 0.0 });
    load.force = (rslVec3){ 40.0, 0.0, 15.0 };
    load.course.type = rsl_tableCourse;
    load.course.points = points;
    load.course.pointCount = 4;
    rslConstraintDef held = rslDefaultConstraintDef();
    held.type = rsl_motionConstraint;
    held.nodes = CoreNodes("block", rsl_planeNodes, (rslVec3){ -0.29, 0.0, 0.0 }, (rslVec3){ -1.0, 0.0, 0.0 });
    held.move.path = path;
    held.move.pathCount = 3;
    rslScene scene = CoreScene_Of(&body, 1);
    scene.loads = &load;
    scene.loadCount = 1;
    scene.constraints = &held;
    scene.constraintCount = 1;
    return rslModel_Build(&scene, hooks, model, report);
}

// A block without damping, far away, fast and spinning.
static inline rslStatus CoreThrown(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    rslShapeDef shape = CoreBox(2.0, 0.2, 0.1);
    shape.translate = (rslVec3){ 1000.0, -2000.0, 3000.0 };
    rslBodyDef body = CoreLattice("block", &shape, 0.1 / fine);
    body.velocity = (rslVec3){ 100.0, 20.0, 30.0 };
    body.spin = (rslVec3){ 500.0, 900.0, 200.0 };
    rslScene scene = CoreScene_Of(&body, 1);
    return rslModel_Build(&scene, hooks, model, report);
}

// A lattice of two materials and a random network, both with dispersion, fall on a table.
static inline rslStatus CoreSpread(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    rslShapeDef shapes[2] = { CoreBox(0.5, 0.3, 0.3), CoreBox(0.3, 0.3, 0.3) }, half = CoreBox(0.3, 1.0, 1.0);
    shapes[0].translate = (rslVec3){ 0.0, 0.0, 0.16 };
    shapes[1].translate = (rslVec3){ 1.0, 0.0, 0.16 };
    rslBodyDef bodies[2] = { CoreLattice("lattice", &shapes[0], 0.1 / fine), CoreLattice("net", &shapes[1], 0.1) };
    rslRegionDef region = { .shape = &half, .material = bodies[0].material };
    for (int b = 0; b < 2; ++b)
    {
        bodies[b].model.type = rsl_dispersionModel;
        bodies[b].material.poisson = b == 0 ? 0.45 : -0.3;
        bodies[b].material.stiffnessDamping = 2e-4;
        bodies[b].velocity = (rslVec3){ 0.2, 0.0, -2.0 };
        bodies[b].spin = (rslVec3){ 30.0, 100.0, 0.0 };
    }
    region.material.poisson = 0.0;
    region.material.stiffnessDamping = 1e-4;
    bodies[0].regions = &region;
    bodies[0].regionCount = 1;
    bodies[1].network.type = rsl_randomNetwork;
    bodies[1].network.minLength = 0.09 / fine;
    bodies[1].network.maxLength = 0.2 / fine;
    bodies[1].model.variant = rsl_cheapDispersion;
    rslScene scene = CoreScene_Of(bodies, 2);
    scene.ground = rslDefaultGroundDef();
    return rslModel_Build(&scene, hooks, model, report);
}

// Hexahedra, tetrahedra and triangles, thrown and turning; the hexahedra are far out of shape.
static inline rslStatus CoreElements(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    rslShapeDef shapes[2] = { CoreBox(0.47, 0.3, 0.3), CoreBox(0.3, 0.2, 0.2) };
    shapes[0].translate = (rslVec3){ 0.0, 0.0, 0.16 };
    shapes[1].translate = (rslVec3){ 1.0, 0.0, 0.16 };
    rslBodyDef bodies[3] = { CoreLattice("cubes", &shapes[0], 0.1 / fine), CoreLattice("tets", &shapes[1], 0.1 / fine),
                             CoreSheet("sheet", 0.4, 0.3, 0.1 / fine) };
    bodies[1].network.type = rsl_tetrahedraNetwork;
    bodies[2].network.translate = (rslVec3){ -1.0, 0.0, 0.3 };
    for (int b = 0; b < 3; ++b)
    {
        bodies[b].model.type = rsl_finiteModel;
        bodies[b].model.law = b == 1 ? rsl_neoHookeanElement : rsl_corotationalElement;
        bodies[b].material.poisson = 0.4;
        bodies[b].material.stiffnessDamping = 2e-4;
        bodies[b].velocity = (rslVec3){ 0.2, 0.0, -6.0 };
        bodies[b].spin = (rslVec3){ 30.0, 300.0, 0.0 };
    }
    rslScene scene = CoreScene_Of(bodies, 3);
    scene.ground = rslDefaultGroundDef();
    return rslModel_Build(&scene, hooks, model, report);
}

// Dispersion that answers the step before: a lattice, one of carrier springs, a random network.
static inline rslStatus CoreLag(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    rslShapeDef shapes[3] = { CoreBox(0.4, 0.3, 0.3), CoreBox(0.3, 0.2, 0.2), CoreBox(0.3, 0.3, 0.3) };
    rslBodyDef bodies[3];
    for (int b = 0; b < 3; ++b)
    {
        shapes[b].translate = (rslVec3){ b, 0.0, 0.2 };
        bodies[b] = CoreLattice(b == 0 ? "block" : b == 1 ? "carriers" : "net", &shapes[b], 0.1 / fine);
        bodies[b].model.type = rsl_dispersionModel;
        bodies[b].model.lag = true;
        bodies[b].material.poisson = b == 0 ? 0.35 : 0.05;
        bodies[b].material.stiffnessDamping = 2e-3 / fine;
        bodies[b].velocity = (rslVec3){ 0.2, 0.0, -4.0 };
        bodies[b].spin = (rslVec3){ 30.0, 300.0, 0.0 };
    }
    bodies[1].network.law = rsl_carrierSpring;
    bodies[2].network.type = rsl_randomNetwork;
    bodies[2].network.minLength = 0.09 / fine;
    bodies[2].network.maxLength = 0.2 / fine;
    rslScene scene = CoreScene_Of(bodies, 3);
    scene.ground = rslDefaultGroundDef();
    return rslModel_Build(&scene, hooks, model, report);
}

// Sheets with angular springs and springs of the area: equilateral and right triangles.
static inline rslStatus CoreAngles(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    rslBodyDef bodies[2] = { CoreSheet("auxetic", 0.4, 0.35, 0.1 / fine), CoreSheet("thin", 0.4, 0.3, 0.1 / fine) };
    bodies[0].network.pattern = rsl_hexagonalPattern;
    bodies[0].material.poisson = -0.6;
    bodies[1].network.pattern = rsl_alternatingPattern;
    bodies[1].network.translate = (rslVec3){ 1.0, 0.0, 0.0 };
    bodies[1].material.poisson = 0.7;
    for (int b = 0; b < 2; ++b)
    {
        bodies[b].model.type = rsl_angleModel;
        bodies[b].velocity = (rslVec3){ 0.2, 0.0, -3.0 };
        bodies[b].spin = (rslVec3){ 30.0, 300.0, 0.0 };
    }
    rslScene scene = CoreScene_Of(bodies, 2);
    scene.ground = rslDefaultGroundDef();
    scene.ground.point = (rslVec3){ 0.0, 0.0, -0.3 };
    return rslModel_Build(&scene, hooks, model, report);
}

// Volumes that are kept: of a sheet by support springs, of one with a border by a pressure, hard in two lattices, one of them held.
static inline rslStatus CoreVolumes(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    static const double vertices[] = { 0.3, 0, 0, -0.3, 0, 0, 0, 0.25, 0, 0, -0.25, 0, 0, 0, 0.2, 0, 0, -0.2 };
    static const int triangles[] = { 0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5 };
    rslShapeDef shapes[4];
    rslBodyDef bodies[4];
    for (int b = 0; b < 4; ++b)
    {
        static const char* const names[4] = { "balloon", "dome", "egg", "block" };
        shapes[b] = rslDefaultShapeDef();
        shapes[b].type = b < 2 ? rsl_meshShape : b == 2 ? rsl_ellipsoidShape : rsl_boxShape;
        shapes[b].vertices = vertices;
        shapes[b].triangles = triangles;
        shapes[b].vertexCount = b == 0 ? 6 : 5;
        shapes[b].triangleCount = b == 0 ? 8 : 4;
        shapes[b].radii = (rslVec3){ 0.2, 0.15, 0.25 };
        shapes[b].size = (rslVec3){ 0.2, 0.2, 0.3 };
        shapes[b].translate = (rslVec3){ b, 0.0, 0.3 };
        bodies[b] = b < 2 ? CoreSheet(names[b], 0.0, 0.0, 0.1) : CoreLattice(names[b], &shapes[b], 0.1 / fine);
        bodies[b].shape = &shapes[b];
        bodies[b].velocity = (rslVec3){ 0.2, 0.0, -2.0 };
        bodies[b].spin = (rslVec3){ 30.0, 100.0, 0.0 };
        bodies[b].volume.method = b == 0 ? rsl_explicitVolume : b == 1 ? rsl_pressureVolume : rsl_hardVolume;
        bodies[b].volume.stiffness = b == 0 ? 3000.0 : 3e4;
        bodies[b].volume.radial = b == 0 ? 100.0 : 0.0;
        bodies[b].volume.base = b == 1 ? rsl_fanBase : rsl_noBase;
        bodies[b].repulsion.type = rsl_noRepulsion;
    }
    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.nodes.body = "block";
    pin.nodes.type = rsl_planeNodes;
    pin.nodes.point = (rslVec3){ 0.0, 0.0, 0.4 };
    pin.nodes.normal = (rslVec3){ 0.0, 0.0, 1.0 };
    rslScene scene = CoreScene_Of(bodies, 4);
    scene.ground = rslDefaultGroundDef();
    scene.constraints = &pin;
    scene.constraintCount = 1;
    return rslModel_Build(&scene, hooks, model, report);
}

// Bones: a bar on a driven hinge of a ball joint's bar, flesh welded to it, and a brick that is thrown on the ground and rubs.
static inline rslStatus CoreBones(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    static const char* const names[4] = { "upper", "lower", "flesh", "brick" };
    static const double at[4] = { 0.0, 0.3, 0.6, 1.5 };
    rslShapeDef shapes[4];
    rslBodyDef bodies[4];
    for (int b = 0; b < 4; ++b)
    {
        shapes[b] = rslDefaultShapeDef();
        shapes[b].type = b == 3 ? rsl_ellipsoidShape : rsl_boxShape;
        shapes[b].size = (rslVec3){ 0.3, 0.1, 0.1 };
        shapes[b].radii = (rslVec3){ 0.2, 0.15, 0.1 };
        shapes[b].translate = (rslVec3){ at[b], 0.0, 0.11 };
        bodies[b] = CoreLattice(names[b], &shapes[b], 0.05 / fine);
        bodies[b].model.type = b == 2 ? bodies[b].model.type : rsl_rigidModel;
        bodies[b].spin = b == 3 ? (rslVec3){ 100.0, 300.0, 50.0 } : (rslVec3){ 0.0, 0.0, 20.0 };
    }
    bodies[3].velocity = (rslVec3){ 1.0, 0.5, -1.0 };
    rslJointDef joints[2] = { rslDefaultJointDef(), rslDefaultJointDef() };
    joints[0].type = rsl_ballJoint;
    joints[0].a = "upper";
    joints[0].point = (rslVec3){ -0.15, 0.0, 0.11 };
    joints[1].a = "lower";
    joints[1].b = "upper";
    joints[1].point = (rslVec3){ 0.15, 0.0, 0.11 };
    joints[1].axis = (rslVec3){ 0.1, 1.0, 0.0 };
    joints[1].angle = -20.0;
    joints[1].course = (rslCourseDef){ .type = rsl_rampCourse, .duration = 0.05, .smooth = true };
    rslLinkDef weld = rslDefaultLinkDef();
    weld.type = rsl_weldLink;
    weld.from.body = "flesh";
    weld.to.body = "lower";
    weld.reach = 0.03 / fine;
    rslScene scene = CoreScene_Of(bodies, 4);
    scene.ground = rslDefaultGroundDef();
    scene.ground.stiffness = 1000.0;
    scene.ground.friction = 0.4;
    scene.joints = joints;
    scene.jointCount = 2;
    scene.links = &weld;
    scene.linkCount = 1;
    return rslModel_Build(&scene, hooks, model, report);
}

// Sheets that resist bending: springs on squares, and elements on a hexagonal grid, thrown onto the ground.
static inline rslStatus CoreBent(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)
{
    rslBodyDef bodies[2] = { CoreSheet("cloth", 0.4, 0.3, 0.1 / fine), CoreSheet("card", 0.4, 0.35, 0.1 / fine) };
    bodies[1].network.pattern = rsl_hexagonalPattern;
    bodies[1].network.translate = (rslVec3){ 1.0, 0.0, 0.0 };
    bodies[1].model = (rslModelDef){ .type = rsl_finiteModel, .law = rsl_corotationalElement };
    for (int b = 0; b < 2; ++b)
    {
        bodies[b].network.bending = b == 0 ? 0.05 : RSL_AUTO;
        bodies[b].velocity = (rslVec3){ 0.2, 0.0, -3.0 };
        bodies[b].spin = (rslVec3){ 30.0, 300.0, 0.0 };
    }
    rslScene scene = CoreScene_Of(bodies, 2);
    scene.ground = rslDefaultGroundDef();
    scene.ground.point = (rslVec3){ 0.0, 0.0, -0.3 };
    return rslModel_Build(&scene, hooks, model, report);
}

// Contacts: a block and a rigid ball that fall and spin on a pad, rub on it, and are swept along by a wall that moves.
static inline rslStatus CoreTouchingBy(rslTouchScheme scheme, double fine, const rslHooks* hooks, rslModel** model,
                                       rslReport* report)
{
    static const char* const names[3] = { "pad", "block", "ball" };
    rslShapeDef shapes[3] = { CoreBox(0.6, 0.4, 0.1), CoreBox(0.2, 0.2, 0.2), rslDefaultShapeDef() };
    rslBodyDef bodies[3];
    shapes[2].type = rsl_sphereShape;
    shapes[2].radius = 0.1;
    shapes[1].translate = (rslVec3){ -0.13, 0.02, 0.16 };
    shapes[2].translate = (rslVec3){ 0.13, -0.03, 0.17 };
    for (int b = 0; b < 3; ++b)
    {
        bodies[b] = CoreLattice(names[b], &shapes[b], 0.1 / fine);
        bodies[b].velocity = (rslVec3){ b == 1 ? 0.5 : 0.0, 0.0, b == 0 ? 0.0 : -1.0 };
        bodies[b].spin = b == 0 ? (rslVec3){ 0.0, 0.0, 0.0 } : (rslVec3){ 50.0, -80.0, 200.0 };
    }
    bodies[2].model.type = rsl_rigidModel;
    rslContactDef contacts[3];
    for (int c = 0; c < 3; ++c)
    {
        contacts[c] = rslDefaultContactDef();
        contacts[c].a = names[c < 2 ? 0 : 1];
        contacts[c].b = names[c < 2 ? c + 1 : 2];
        contacts[c].friction = 0.3 + 0.2 * c;
    }
    rslConstraintDef pin = rslDefaultConstraintDef();
    pin.nodes.body = "pad";
    pin.nodes.type = rsl_planeNodes;
    pin.nodes.point = (rslVec3){ 0.0, 0.0, -0.04 };
    pin.nodes.normal = (rslVec3){ 0.0, 0.0, -1.0 };
    rslColliderDef wall = rslDefaultColliderDef();
    wall.name = "wall";
    wall.point = (rslVec3){ -0.31, 0.0, 0.0 };
    wall.normal = (rslVec3){ 1.0, 0.0, 0.1 };
    wall.friction = 0.5;
    wall.move.translate = (rslVec3){ 0.15, 0.05, 0.0 };
    wall.move.rotate = (rslRotationDef){ { 0.0, 1.0, 0.0 }, 10.0 };
    wall.move.course = (rslCourseDef){ .type = rsl_rampCourse, .duration = 0.1, .smooth = true };
    rslScene scene = CoreScene_Of(bodies, 3);
    scene.contacts = contacts;
    scene.contactCount = scheme == rsl_penaltyScheme ? 0 : 3;  // which know colliders only
    scene.touch.scheme = scheme;
    scene.touch.self = scheme != rsl_penaltyScheme;
    scene.touch.restitution = 0.8;
    scene.constraints = &pin;
    scene.constraintCount = 1;
    scene.colliders = &wall;
    scene.colliderCount = scheme == rsl_barrierScheme ? 0 : 1;  // which comes too fast for a step of a frame
    return rslModel_Build(&scene, hooks, model, report);
}

#define CORE_TOUCHING(build, scheme)                                                                                   \
    static inline rslStatus build(double fine, const rslHooks* hooks, rslModel** model, rslReport* report)             \
    {                                                                                                                  \
        return CoreTouchingBy(scheme, fine, hooks, model, report);                                                     \
    }
CORE_TOUCHING(CoreTouching, rsl_penaltyScheme)
CORE_TOUCHING(CorePredictive, rsl_predictiveScheme)
CORE_TOUCHING(CorePlain, rsl_plainScheme)
CORE_TOUCHING(CoreOverlap, rsl_overlapScheme)
CORE_TOUCHING(CoreUnequal, rsl_unequalOverlapScheme)
CORE_TOUCHING(CoreReflection, rsl_reflectionScheme)
CORE_TOUCHING(CoreBarrier, rsl_barrierScheme)

// The scene of contacts with every other scheme.
static const CoreScene touchScenes[] = {
    { "predictive", rsl_positionVerlet, 100, CorePredictive, 1.5, 15 },
    { "predictive_euler", rsl_symplecticEuler, 100, CorePredictive, 1.0, 15 },
    { "plain", rsl_positionVerlet, 100, CorePlain, 1.0, 15 },
    { "overlap", rsl_positionVerlet, 100, CoreOverlap, 1.0, 15 },
    { "unequal", rsl_symplecticEuler, 100, CoreUnequal, 1.0, 15 },
    { "reflection", rsl_positionVerlet, 100, CoreReflection, 1.0, 15 },
    { "barrier_euler", rsl_implicitEuler, 4, CoreBarrier, 1.0, 1 },
    { "barrier_theta", rsl_theta, 4, CoreBarrier, 1.0, 1 },
    { "barrier_bdf2", rsl_trBdf2, 4, CoreBarrier, 1.0, 1 },
};

static const CoreScene coreScenes[] = {
    { "drop", rsl_positionVerlet, 300, CoreDrop, 3.5, 150 },
    { "cloth", rsl_symplecticEuler, 300, CoreCloth, 6.0, 150 },
    { "joined", rsl_velocityVerlet, 200, CoreJoined, 2.5, 100 },
    { "muscle", rsl_positionVerlet, 300, CoreMuscle, 3.0, 150 },
    { "ball", rsl_velocityVerlet, 150, CoreBall, 3.0, 100 },
    { "flat", rsl_symplecticEuler, 400, CoreFlat, 6.0, 36 },
    { "pulled", rsl_forwardEuler, 300, CorePulled, 3.0, 150 },
    { "thrown", rsl_positionVerlet, 300, CoreThrown, 7.0, 70 },
    { "spread", rsl_velocityVerlet, 200, CoreSpread, 2.5, 100 },
    { "elements", rsl_positionVerlet, 200, CoreElements, 3.0, 36 },
    { "lag", rsl_positionVerlet, 200, CoreLag, 2.5, 36 },
    { "angles", rsl_velocityVerlet, 200, CoreAngles, 5.0, 100 },
    { "volumes", rsl_velocityVerlet, 200, CoreVolumes, 3.0, 36 },
    { "bones", rsl_positionVerlet, 200, CoreBones, 3.0, 100 },
    { "bent", rsl_positionVerlet, 200, CoreBent, 4.0, 100 },
    { "touching", rsl_velocityVerlet, 100, CoreTouching, 2.5, 40 },
};

enum
{
    CORE_SCENES = sizeof coreScenes / sizeof *coreScenes,
    TOUCH_SCENES = sizeof touchScenes / sizeof *touchScenes
};
