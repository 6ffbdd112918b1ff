// SPDX-License-Identifier: MIT
//
// random_scenes.h: scenes drawn at random to break bodies with: all shapes, networks, models, materials and laws of
// repulsion, thrown, crushed, twisted and pulled at speeds up to that of waves in them, at the longest stable step.
//
// What is drawn is meant to be allowed; what the builder still refuses is drawn anew. Every choice depends on the seed alone.
//
// What is asked of a body must be possible for it. Ends are not turned so far that cells between them would have to be inside out;
// Cooper's barrier is logarithmic, and what hits it with more than a few k h0^2 needs steps that are shorter by powers of e, so
// that such bodies are thrown less wildly and have no thin tetrahedra; and the energy of boxes has no lower bound at large strain
// (docs/theory.md 14), so that these are treated more gently, too.

#pragma once

#include "physics_fixture.h"

enum
{
    DRAWN_PARTS = 2,
    DRAWN_ENDS = 2
};

typedef enum DrawnLoad
{
    drawn_weight,    // stands on its end, as heavy as it can bear or more
    drawn_impact,    // hits the ground
    drawn_thrown,    // every node its own way
    drawn_pushed,    // forces on a few nodes
    drawn_plates,    // between planes that move
    drawn_crushed,   // its ends are moved together
    drawn_twisted,   // its ends are turned
    drawn_pulled,    // its ends are moved apart, and aside
    drawn_spun,      // flies and turns quickly
    drawn_collided,  // with another body like it
    drawn_loads
} DrawnLoad;

typedef struct DrawnScene
{
    rslShapeDef shape, parts[DRAWN_PARTS], other;
    double vertices[18];
    rslBodyDef bodies[2];
    rslLoadDef load;
    rslConstraintDef ends[DRAWN_ENDS];
    rslColliderDef plates[2];
    rslContactDef contact;
    rslScene scene;
    rslSolverDef def;
    double duration;  // [s]
    double length;    // of the body along z, about [m]
    double wave;      // sqrt(E / rho) [m/s]
    double gentle;    // factor of speeds
    double thrown;    // the speed of nodes at the start, each in a direction of its own [m/s]
    DrawnLoad kind;
} DrawnScene;

static inline bool Chance(Random* random, double part)
{
    return NextBetween(random, 0.0, 1.0) < part;
}

// In [low, high), every factor as often as any other.
static inline double NextFactor(Random* random, double low, double high)
{
    return exp(NextBetween(random, log(low), log(high)));
}

static inline int NextBelow(Random* random, int count)
{
    return (int)(NextBits(random) % (unsigned)count);
}

static inline rslVec3 NextDirection(Random* random)
{
    rslVec3 way = NextVec3(random, 1.0);
    double length = rslLength(way);
    return length > 0.1 ? rslScale(1.0 / length, way) : (rslVec3){ 0.6, 0.0, 0.8 };
}

// ---- shapes: about 0.2 m, the ends at both sides of z = 0 ---------------------------------------------------------------

static inline void DrawPart(Random* random, rslShapeType type, rslShapeDef* shape)
{
    *shape = rslDefaultShapeDef();
    shape->type = type;
    shape->size = (rslVec3){ NextBetween(random, 0.1, 0.3), NextBetween(random, 0.1, 0.3), 0.2 };
    shape->radius = type == rsl_torusShape ? 0.09 : NextBetween(random, 0.07, 0.12);
    shape->radii = (rslVec3){ NextBetween(random, 0.08, 0.15), NextBetween(random, 0.08, 0.15), 0.1 };
    shape->tubeRadius = NextBetween(random, 0.035, 0.05);
    shape->height = type == rsl_capsuleShape ? 0.1 : 0.2;
    if (type == rsl_torusShape)
    {
        shape->rotate = (rslRotationDef){ .axis = { 1, 0, 0 }, .angle = 90.0 };  // upright
    }
}

// Eight triangles between six points.
static inline void DrawMesh(Random* random, DrawnScene* drawn)
{
    static const int triangles[24] = { 0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5 };
    for (int v = 0; v < 6; ++v)
    {
        drawn->vertices[3 * v + v / 2] = (v % 2 ? -1.0 : 1.0) * (v < 4 ? NextBetween(random, 0.1, 0.2) : 0.13);
    }
    drawn->shape.vertices = drawn->vertices;
    drawn->shape.triangles = triangles;
    drawn->shape.vertexCount = 6;
    drawn->shape.triangleCount = 8;
}

static inline void DrawShape(Random* random, DrawnScene* drawn)
{
    static const rslShapeType types[] = { rsl_boxShape,       rsl_boxShape,        rsl_sphereShape,
                                          rsl_ellipsoidShape, rsl_cylinderShape,   rsl_capsuleShape,
                                          rsl_torusShape,     rsl_rabbitShape,     rsl_meshShape,
                                          rsl_unionShape,     rsl_differenceShape, rsl_intersectionShape };
    rslShapeType type = types[NextBelow(random, (int)(sizeof types / sizeof *types))];
    DrawPart(random, type, &drawn->shape);
    if (type == rsl_rabbitShape)
    {
        drawn->shape.height = 0.25;
        drawn->shape.translate.z = -0.11;
    }
    if (type == rsl_meshShape)
    {
        DrawMesh(random, drawn);
    }
    if (type >= rsl_unionShape)
    {
        DrawPart(random, rsl_boxShape, &drawn->parts[0]);
        DrawPart(random, type == rsl_differenceShape ? rsl_cylinderShape : rsl_ellipsoidShape, &drawn->parts[1]);
        drawn->parts[1].radius = 0.03;  // a bore
        drawn->parts[1].height = 0.3;
        drawn->parts[1].rotate = (rslRotationDef){ .axis = { 0, 1, 0 }, .angle = 90.0 };
        drawn->shape.parts = drawn->parts;
        drawn->shape.partCount = DRAWN_PARTS;
    }
}

// ---- networks and models ------------------------------------------------------------------------------------------------

static inline void DrawLattice(Random* random, rslBodyDef* body)
{
    bool centred = Chance(random, 0.2);
    body->network.type = rsl_latticeNetwork;
    body->network.construction = centred ? rsl_centredLattice : rsl_cornerLattice;
    body->network.antialias = Chance(random, 0.8);
    if (Chance(random, 0.3))
    {
        body->network.orientation = (rslRotationDef){ NextDirection(random), NextBetween(random, 0.0, 90.0) };
    }
    static const rslModelType corner[] = { rsl_springModel, rsl_springModel, rsl_dispersionModel, rsl_brickModel,
                                           rsl_brickModel,  rsl_boxModel,    rsl_finiteModel,     rsl_finiteModel };
    body->model.type =
        centred ? (Chance(random, 0.7) ? rsl_springModel : rsl_dispersionModel) : corner[NextBelow(random, 8)];
    body->network.shells = body->model.type == rsl_springModel && Chance(random, 0.15) ? rsl_shellsAC : rsl_shellsAB;
}

static inline void DrawHexahedra(Random* random, DrawnScene* drawn, rslBodyDef* body)
{
    DrawPart(random, rsl_boxShape, &drawn->shape);
    body->network.type = rsl_hexahedraNetwork;
    for (int axis = 0; axis < 3; ++axis)
    {
        body->network.grid[axis] = axis == 2 ? 5 : 2 + NextBelow(random, 4);
    }
    body->model.type = Chance(random, 0.8) ? rsl_finiteModel : rsl_boxModel;
}

static inline void DrawSheet(Random* random, rslBodyDef* body)
{
    static const rslModelType models[] = { rsl_springModel, rsl_angleModel, rsl_finiteModel };
    body->network.type = rsl_sheetNetwork;
    body->network.cells[0] = 3 + NextBelow(random, 4);
    body->network.cells[1] = 5 + NextBelow(random, 3);
    body->network.size[1] = 0.2;
    body->network.size[0] = NextBetween(random, 0.8, 1.2) * 0.2 * body->network.cells[0] / body->network.cells[1];
    body->network.thickness = 0.01;
    body->network.pattern = Chance(random, 0.5) ? rsl_alternatingPattern : rsl_hexagonalPattern;
    body->model.type = models[NextBelow(random, 3)];
    body->shape = NULL;
}

static inline void DrawModel(Random* random, rslBodyDef* body)
{
    rslModelDef* model = &body->model;
    bool springs = model->type == rsl_springModel;
    model->law = Chance(random, 0.45)  ? rsl_corotationalElement
                 : Chance(random, 0.8) ? rsl_neoHookeanElement
                                       : rsl_linearElement;
    model->law = model->type == rsl_finiteModel || model->type == rsl_brickModel ? model->law : rsl_corotationalElement;
    model->variant = Chance(random, 0.7) ? rsl_energyDispersion : rsl_cheapDispersion;
    model->edges = rsl_tunedEdges;
    model->diagonals = Chance(random, 0.5) ? rsl_bodyDiagonals : rsl_faceDiagonals;
    if (springs && Chance(random, 0.3))
    {
        body->network.law = Chance(random, 0.5) ? rsl_carrierSpring : rsl_cooperSpring;
    }
    double natural = body->network.type == rsl_sheetNetwork ? 1.0 / 3.0 : 0.25;
    bool box = model->type == rsl_boxModel;
    body->material.poisson = springs ? natural : NextBetween(random, box ? 0.15 : -0.3, box ? 0.35 : 0.45);
    bool centred = body->network.type == rsl_latticeNetwork && body->network.construction == rsl_centredLattice;
    bool felt = springs && !centred && body->network.shells == rsl_shellsAB && body->network.law == rsl_linearSpring;
    bool thin = body->network.type == rsl_tetrahedraNetwork;
    body->repulsion.type = Chance(random, 0.5) ? rsl_clampedRepulsion : rsl_autoRepulsion;
    if (felt && Chance(random, 0.4))
    {
        body->repulsion.type = !thin && Chance(random, 0.5) ? rsl_cooperRepulsion : rsl_stiffRepulsion;
    }
    if (!springs && body->network.type != rsl_sheetNetwork && Chance(random, 0.05))
    {
        body->surface.enabled = true;
        body->volume.method = Chance(random, 0.5) ? rsl_pressureVolume : rsl_hardVolume;
        body->volume.stiffness = body->material.young;
    }
}

static inline void DrawMaterial(Random* random, DrawnScene* drawn, rslBodyDef* body)
{
    body->material.young = NextFactor(random, 1e2, 1e9);
    body->material.density = NextFactor(random, 1e2, 1e4);
    drawn->wave = sqrt(body->material.young / body->material.density);
    if (Chance(random, 0.5))
    {
        body->material.massDamping = NextFactor(random, 0.01, 2.0) * drawn->wave / drawn->length;
    }
    if (Chance(random, 0.3))
    {
        body->material.stiffnessDamping = NextFactor(random, 0.001, 0.2) * body->network.spacing / drawn->wave;
    }
}

static inline void DrawBody(Random* random, DrawnScene* drawn)
{
    rslBodyDef* body = &drawn->bodies[0];
    *body = rslDefaultBodyDef();
    body->name = "a";
    body->shape = &drawn->shape;
    body->surface.enabled = false;
    body->network.spacing = NextBetween(random, 0.045, 0.06);
    DrawShape(random, drawn);
    int kind = NextBelow(random, 20);
    if (kind < 9)
    {
        DrawLattice(random, body);
    }
    else if (kind < 14)
    {
        body->network.type = rsl_tetrahedraNetwork;
        body->model.type = Chance(random, 0.5)   ? rsl_finiteModel
                           : Chance(random, 0.6) ? rsl_springModel
                                                 : rsl_dispersionModel;
    }
    else if (kind < 17)
    {
        DrawHexahedra(random, drawn, body);
    }
    else
    {
        DrawSheet(random, body);
        drawn->scene.plane = rsl_planeXY;
    }
    DrawMaterial(random, drawn, body);
    DrawModel(random, body);
    bool fragile = body->model.type == rsl_boxModel || body->repulsion.type == rsl_cooperRepulsion;
    drawn->gentle = fragile ? 0.4 : 1.0;
}

// ---- what is done to it -------------------------------------------------------------------------------------------------

// In the plane, y is what z is in space.
static inline rslVec3 Upwards(const DrawnScene* drawn, double z)
{
    return drawn->scene.plane == rsl_planeXY ? (rslVec3){ 0, z, 0 } : (rslVec3){ 0, 0, z };
}

static inline rslVec3 Sideways(const DrawnScene* drawn, Random* random, double size)
{
    double x = NextBetween(random, -size, size), y = NextBetween(random, -size, size);
    return (rslVec3){ x, drawn->scene.plane == rsl_planeXY ? 0.0 : y, 0.0 };
}

// The nodes of the upper end, side 1, or of the lower one, -1. Those of centred lattices are half a spacing inside.
static inline rslNodeSetDef EndOf(const DrawnScene* drawn, double side)
{
    const rslNetworkDef* network = &drawn->bodies[0].network;
    bool centred = network->type == rsl_latticeNetwork && network->construction == rsl_centredLattice;
    return SideOf("a", Upwards(drawn, side * (centred ? 0.2 : 0.35) * drawn->length), Upwards(drawn, side));
}

static inline double EndsApart(const DrawnScene* drawn)
{
    return 2.0 * rslLength(EndOf(drawn, 1.0).point);
}

// Something is moved along a way, as fast as a tenth of waves or as they; then there is some time left.
static inline rslCourseDef DrawCourse(Random* random, DrawnScene* drawn, double way)
{
    double time = way / (NextFactor(random, 0.1, 1.0) * drawn->wave);
    drawn->duration = time + NextBetween(random, 0.0, 2.0) * drawn->length / drawn->wave;
    return RampOf(0.0, time, Chance(random, 0.5));
}

// Both ends held, the upper one moves.
static inline void HoldEnds(Random* random, DrawnScene* drawn, double way)
{
    drawn->ends[0] = PinOf(EndOf(drawn, -1.0));
    drawn->ends[1] = MoveBy(EndOf(drawn, 1.0), (rslVec3){ 0, 0, 0 });
    drawn->ends[1].move.course = DrawCourse(random, drawn, way);
    drawn->scene.constraints = drawn->ends;
    drawn->scene.constraintCount = DRAWN_ENDS;
}

static inline void MoveEnd(Random* random, DrawnScene* drawn, double up, double aside)
{
    rslVec3 way = rslAdd(Upwards(drawn, up), Sideways(drawn, random, aside));
    HoldEnds(random, drawn, rslLength(way));
    drawn->ends[1].move.translate = way;
}

// In the plane about the middle of the upper end.
static inline void DrawTwist(Random* random, DrawnScene* drawn)
{
    bool flat = drawn->scene.plane == rsl_planeXY;
    double cells = EndsApart(drawn) / drawn->bodies[0].network.spacing;
    double angle = NextBetween(random, 15.0, flat ? 30.0 : 40.0) * cells;
    HoldEnds(random, drawn, angle * (PI / 180.0) * 0.1);
    drawn->ends[1].move.rotate = (rslRotationDef){ .axis = { 0, 0, 1 }, .angle = angle };
    drawn->ends[1].move.centre = Upwards(drawn, 0.5 * drawn->length);
}

static inline void DrawPlates(Random* random, DrawnScene* drawn)
{
    double way = NextBetween(random, 0.1, 0.35) * drawn->length + 0.25 * drawn->length;
    rslCourseDef course = DrawCourse(random, drawn, way);
    for (int p = 0; p < 2; ++p)
    {
        double side = p == 0 ? -1.0 : 1.0;
        rslColliderDef* plate = &drawn->plates[p];
        *plate = rslDefaultColliderDef();
        plate->name = p == 0 ? "below" : "above";
        plate->point = Upwards(drawn, side * 0.75 * drawn->length);
        plate->normal = Upwards(drawn, -side);
        plate->friction = Chance(random, 0.5) ? 0.0 : 0.5;
        plate->move.translate = Upwards(drawn, -side * way);
        plate->move.course = course;
    }
    drawn->scene.colliders = drawn->plates;
    drawn->scene.colliderCount = 2;
}

static inline void DrawImpact(Random* random, DrawnScene* drawn)
{
    drawn->scene.ground = rslDefaultGroundDef();
    drawn->scene.ground.point = Upwards(drawn, -0.75 * drawn->length);
    drawn->scene.ground.normal = Upwards(drawn, 1.0);
    drawn->scene.ground.friction = Chance(random, 0.5) ? 0.0 : NextBetween(random, 0.0, 1.0);
    drawn->bodies[0].velocity = rslAdd(Upwards(drawn, -NextFactor(random, 0.1, 1.5) * drawn->gentle * drawn->wave),
                                       Sideways(drawn, random, 0.2 * drawn->wave));
}

// A second one like it on the way of the first, a gap above it.
static inline void DrawCollision(Random* random, DrawnScene* drawn)
{
    drawn->bodies[0].surface.enabled = true;
    drawn->bodies[1] = drawn->bodies[0];
    drawn->bodies[1].name = "b";
    drawn->other = drawn->shape;
    drawn->other.translate = rslAdd(drawn->shape.translate, Upwards(drawn, 1.6 * drawn->length));
    drawn->bodies[1].shape = &drawn->other;
    drawn->bodies[0].velocity = Upwards(drawn, NextFactor(random, 0.05, 0.5) * drawn->wave);
    drawn->contact = rslDefaultContactDef();
    drawn->contact.a = "a";
    drawn->contact.b = "b";
    drawn->contact.friction = Chance(random, 0.5) ? 0.0 : 0.3;
    drawn->scene.bodyCount = 2;
    drawn->scene.contacts = &drawn->contact;
    drawn->scene.contactCount = 1;
}

static inline void DrawSpin(Random* random, DrawnScene* drawn)
{
    double rate = NextFactor(random, 0.3, 5.0) * drawn->wave / drawn->length * (180.0 / PI);
    bool linear = drawn->bodies[0].model.law == rsl_linearElement;
    rslVec3 axis = drawn->scene.plane == rsl_planeXY ? (rslVec3){ 0, 0, 1 } : NextDirection(random);
    drawn->bodies[0].spin = linear ? (rslVec3){ 0 } : rslScale(rate, axis);
    drawn->bodies[0].velocity = Upwards(drawn, drawn->wave);
}

static inline void DrawLoad(Random* random, DrawnScene* drawn)
{
    bool flat = drawn->scene.plane == rsl_planeXY;
    double length = drawn->length, young = drawn->bodies[0].material.young;
    double weight = drawn->wave * drawn->wave / length;
    drawn->scene.gravity = Upwards(drawn, -NextFactor(random, 0.001, 0.1) * weight);
    switch (drawn->kind)
    {
        case drawn_weight:
            drawn->ends[0] = PinOf(EndOf(drawn, Chance(random, 0.5) ? 1.0 : -1.0));
            drawn->scene.constraints = drawn->ends;
            drawn->scene.constraintCount = 1;
            drawn->scene.gravity = Upwards(drawn, -NextFactor(random, 0.1, 2.0) * weight);
            break;
        case drawn_impact: DrawImpact(random, drawn); break;
        case drawn_thrown: drawn->thrown = NextFactor(random, 0.1, 1.0) * drawn->gentle * drawn->wave; break;
        case drawn_pushed:
            drawn->ends[0] = PinOf(EndOf(drawn, -1.0));
            drawn->scene.constraints = drawn->ends;
            drawn->scene.constraintCount = 1;
            drawn->load = ForceOn(EndOf(drawn, 1.0), rslScale(1.0, NextDirection(random)));
            drawn->load.nodes.type = rsl_nearestNodes;
            drawn->load.nodes.count = 1 + NextBelow(random, 8);
            drawn->load.force =
                rslScale(NextFactor(random, 0.001, 0.1) * young * length * (flat ? 0.01 : length), drawn->load.force);
            drawn->load.force.z = flat ? 0.0 : drawn->load.force.z;
            drawn->scene.loads = &drawn->load;
            drawn->scene.loadCount = 1;
            break;
        case drawn_plates: DrawPlates(random, drawn); break;
        case drawn_crushed:
            MoveEnd(random, drawn, -EndsApart(drawn) * (1.0 - NextBetween(random, 0.05, 0.5)), 0.1 * length);
            break;
        case drawn_twisted: DrawTwist(random, drawn); break;
        case drawn_pulled: MoveEnd(random, drawn, length * NextBetween(random, 0.2, 2.0), length); break;
        case drawn_spun: DrawSpin(random, drawn); break;
        default: DrawCollision(random, drawn); break;
    }
}

static inline void DrawTime(Random* random, DrawnScene* drawn)
{
    double damping = drawn->bodies[0].material.stiffnessDamping;
    bool damped = damping * drawn->wave > 0.02 * drawn->bodies[0].network.spacing;
    rslIntegrator which = (rslIntegrator)(rsl_symplecticEuler + NextBelow(random, 3));
    which = damped && Chance(random, 0.5) ? rsl_forwardEuler : which;
    // what keeps bodies apart
    bool impulses = which == rsl_symplecticEuler || which == rsl_positionVerlet;
    drawn->def = SolverDef(drawn->scene.contactCount == 0 || impulses ? which : rsl_positionVerlet, RSL_AUTO);
    drawn->def.fraction = 1.0;
    drawn->def.precision = Chance(random, 0.5) ? rsl_single : rsl_double;
    drawn->def.threads = Chance(random, 0.1) ? 2 : 1;
}

// Lists point into the scene itself: it must stay where it is.
static inline void DrawScene(uint64_t seed, DrawnScene* drawn)
{
    Random random = MakeRandom(seed);
    random.bits = NextBits(&random);  // the numbers of one seed are not those of the next
    *drawn = (DrawnScene){ .scene = rslDefaultScene(), .length = 0.2 };
    drawn->scene.seed = seed;
    DrawBody(&random, drawn);
    drawn->scene.bodies = drawn->bodies;
    drawn->scene.bodyCount = 1;
    drawn->kind = (DrawnLoad)NextBelow(&random, drawn_loads);
    bool flat = drawn->scene.plane == rsl_planeXY;
    drawn->kind = flat && drawn->kind == drawn_collided ? drawn_impact : drawn->kind;
    drawn->duration = NextFactor(&random, 2.0, 5.0) * drawn->length / drawn->wave;
    DrawLoad(&random, drawn);
    DrawTime(&random, drawn);
}

static inline void ThrowNodes(const DrawnScene* drawn, const rslModel* model, rslState* state, uint64_t seed)
{
    Random random = MakeRandom(~seed);
    random.bits = NextBits(&random);
    for (int i = 0; drawn->thrown > 0.0 && i < model->nodeCount; ++i)
    {
        rslVec3 way = rslScale(drawn->thrown, NextDirection(&random));
        way.z = drawn->scene.plane == rsl_planeXY ? 0.0 : way.z;
        rslState_SetVelocity(model, state, i, way);
    }
}

// One line of what it is, for messages.
static inline const char* DescribeScene(const DrawnScene* drawn, char* text, size_t size)
{
    static const char* const shapes[] = { "box",    "sphere", "ellipsoid", "cylinder",   "capsule",     "torus",
                                          "rabbit", "mesh",   "union",     "difference", "intersection" };
    static const char* const networks[] = { "lattice", "sheet", "explicit", "random", "tetrahedra", "hexahedra" };
    static const char* const loads[] = { "weight",  "impact",  "thrown", "pushed", "plates",
                                         "crushed", "twisted", "pulled", "spun",   "collided" };
    static const char* const repulsions[] = { "auto", "none", "clamped", "cooper", "stiff", "centroid" };
    static const char* const integrators[] = { "forward", "symplectic", "position", "velocity", "static" };
    static const char* const laws[] = { "corotational", "linear", "neo-hookean" };
    static const char* const springs[] = { "", " carrier", " cooper" };
    const rslBodyDef* body = &drawn->bodies[0];
    bool centred = body->network.type == rsl_latticeNetwork && body->network.construction == rsl_centredLattice;
    snprintf(text, size, "%s%s %s %s %s%s, %s, %s; E %.1e rho %.1e nu %.2f damping %.1e %.1e; %s %s",
             centred ? "centred " : "", body->shape != NULL ? shapes[drawn->shape.type] : "plane",
             networks[body->network.type], rslModelType_Word(body->model.type),
             body->model.type == rsl_finiteModel || body->model.type == rsl_brickModel ? laws[body->model.law] : "",
             springs[body->network.law], repulsions[body->repulsion.type], loads[drawn->kind], body->material.young,
             body->material.density, body->material.poisson, body->material.massDamping,
             body->material.stiffnessDamping, integrators[drawn->def.integrator],
             drawn->def.precision == rsl_single ? "single" : "double");
    return text;
}
