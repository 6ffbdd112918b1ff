// SPDX-License-Identifier: MIT
//
// random_touch.h: scenes of things that touch, drawn at random: one to three bodies of every kind (random_scenes.h), of sheets, of
// rigid bodies and of spheres, thrown at each other and at colliders of every shape that stand, move and turn; every scheme of contact with the
// integrators that it goes with; friction 0 to 2, restitution 0 to 1, sizes of 1e-3 to 1e3 m, E of 1e2 to 1e9 Pa.
//
// What is drawn is meant to be allowed; what the builder still refuses is drawn anew. Every choice depends on the seed alone.

#pragma once

#include "random_scenes.h"

enum
{
    TOUCHING_BODIES = 3,
    TOUCHING_SOLIDS = 2
};

typedef struct TouchingScene
{
    DrawnScene drawn[TOUCHING_BODIES];  // where shapes live
    rslShapeDef shapes[TOUCHING_BODIES], solids[TOUCHING_SOLIDS], parts[TOUCHING_SOLIDS][2];
    rslBodyDef bodies[TOUCHING_BODIES];
    rslColliderDef colliders[TOUCHING_SOLIDS];
    rslScene scene;
    rslSolverDef def;
    double scale;     // of lengths: bodies are about a fifth of it [m]
    double wave;      // of the first body, sqrt(E / rho) [m/s]
    double speed;     // of what is thrown [m/s]
    double duration;  // [s]
    bool implicit;
    bool massDamped;
} TouchingScene;

static const char* const touchingNames[TOUCHING_BODIES] = { "a", "b", "c" };

// ---- bodies ---------------------------------------------------------------------------------------------------------

// As those of random_scenes.h, with what they are made of near to what all are made of.
static inline void DrawTouchingBody(Random* random, TouchingScene* t, int b, double young, double density)
{
    DrawnScene* drawn = &t->drawn[b];
    rslBodyDef* body = &t->bodies[b];
    *drawn = (DrawnScene){ .scene = rslDefaultScene(), .length = 0.2 };
    DrawBody(random, drawn);
    *body = drawn->bodies[0];
    body->name = touchingNames[b];
    t->shapes[b] = drawn->shape;
    t->shapes[b].scale = t->scale;
    t->shapes[b].translate = rslScale(t->scale, t->shapes[b].translate);
    body->shape = body->shape != NULL ? &t->shapes[b] : NULL;
    body->network.spacing *= (t->implicit ? 1.6 : 1.0) * t->scale;
    body->network.size[0] *= t->scale;
    body->network.size[1] *= t->scale;
    body->network.thickness *= t->scale;
    double wave = sqrt(body->material.young / body->material.density);
    body->material.young = young * NextFactor(random, 0.3, 3.0);
    body->material.density = density * NextFactor(random, 0.3, 3.0);
    double slower = t->scale * wave / sqrt(body->material.young / body->material.density);
    body->material.massDamping = Chance(random, 0.3) ? body->material.massDamping / slower : 0.0;
    body->material.stiffnessDamping *= slower;
    body->volume.stiffness = body->material.young;
    t->massDamped = t->massDamped || body->material.massDamping > 0.0;
    bool sheet = body->network.type == rsl_sheetNetwork;
    body->repulsion.type = Chance(random, 0.3) ? rsl_noRepulsion : body->repulsion.type;
    body->surface.enabled = body->surface.enabled || Chance(random, 0.5);
    if (!sheet && Chance(random, 0.15))
    {
        body->skin = rsl_sphereSkin;
    }
    if (!sheet && Chance(random, 0.15))
    {
        body->model = rslDefaultBodyDef().model;
        body->model.type = rsl_rigidModel;
        body->repulsion = rslDefaultBodyDef().repulsion;
        body->volume = rslDefaultBodyDef().volume;
        body->network.law = rsl_linearSpring;
        body->network.shells = rsl_shellsAB;
    }
}

// One above the other, thrown down, up and aside.
static inline void PlaceTouchingBody(Random* random, TouchingScene* t, int b)
{
    rslBodyDef* body = &t->bodies[b];
    bool flat = t->scene.plane == rsl_planeXY, turned = Chance(random, 0.4);
    double height = (turned ? 0.5 : 0.33) * (b + 1) * t->scale;
    rslVec3 up = flat ? (rslVec3){ 0, 1, 0 } : (rslVec3){ 0, 0, 1 };
    rslVec3 aside = { NextBetween(random, -0.08, 0.08) * t->scale,
                      flat ? 0.0 : NextBetween(random, -0.08, 0.08) * t->scale, 0 };
    rslVec3 place = rslMulAdd(aside, height, up);
    if (body->shape != NULL)
    {
        t->shapes[b].translate = rslAdd(t->shapes[b].translate, place);
        if (turned && t->shapes[b].type != rsl_torusShape)
        {
            t->shapes[b].rotate = (rslRotationDef){ NextDirection(random), NextBetween(random, 0.0, 180.0) };
        }
    }
    else
    {
        body->network.translate = place;
    }
    rslVec3 way = NextDirection(random);
    way = flat ? (rslVec3){ way.x, way.y, 0 } : way;
    double down = b == 0 ? -1.0 : -2.0;
    body->velocity = rslScale(t->speed, rslMulAdd(rslScale(0.4, way), down, up));
    double rate = NextBetween(random, -1.0, 1.0) * t->speed / (0.2 * t->scale) * (180.0 / PI);
    bool linear = body->model.law == rsl_linearElement;  // knows no rotations
    body->spin = !linear && Chance(random, 0.5) ? rslScale(rate, flat ? (rslVec3){ 0, 0, 1 } : NextDirection(random))
                                                : body->spin;
}

// ---- colliders ------------------------------------------------------------------------------------------------------

static inline void DrawSolid(Random* random, TouchingScene* t, int c, rslColliderDef* collider)
{
    static const rslShapeType types[] = { rsl_boxShape,  rsl_sphereShape,    rsl_capsuleShape, rsl_cylinderShape,
                                          rsl_meshShape, rsl_ellipsoidShape, rsl_torusShape,   rsl_differenceShape };
    rslShapeType type = types[NextBelow(random, 8)];
    rslShapeDef* shape = &t->solids[c];
    DrawPart(random, type, shape);
    if (type == rsl_meshShape)
    {
        static DrawnScene mesh[TOUCHING_SOLIDS];
        DrawMesh(random, &mesh[c]);
        shape->vertices = mesh[c].shape.vertices;
        shape->triangles = mesh[c].shape.triangles;
        shape->vertexCount = 6;
        shape->triangleCount = 8;
    }
    if (type == rsl_differenceShape)
    {
        DrawPart(random, rsl_boxShape, &t->parts[c][0]);
        DrawPart(random, rsl_sphereShape, &t->parts[c][1]);
        t->parts[c][1].translate.z = 0.1;
        shape->parts = t->parts[c];
        shape->partCount = 2;
    }
    double size = NextFactor(random, 0.5, 3.0);
    shape->scale = size * t->scale;
    shape->rotate = Chance(random, 0.5) && type != rsl_torusShape
                        ? (rslRotationDef){ NextDirection(random), NextBetween(random, 0.0, 180.0) }
                        : shape->rotate;
    shape->translate = (rslVec3){ NextBetween(random, -0.1, 0.1) * t->scale, 0.0, -0.21 * size * t->scale };
    collider->type = rsl_shapeCollider;
    collider->shape = shape;
    collider->resolution = 0.05 * shape->scale;
}

static inline void DrawCollider(Random* random, TouchingScene* t, int c)
{
    rslColliderDef* collider = &t->colliders[c];
    bool flat = t->scene.plane == rsl_planeXY;
    *collider = rslDefaultColliderDef();
    collider->name = c == 0 ? "first" : "second";
    collider->normal = flat ? (rslVec3){ 0, 1, 0 } : (rslVec3){ 0, 0, 1 };
    collider->point = rslScale(-0.05 * t->scale, collider->normal);
    if (c > 0)  // a wall aside
    {
        collider->normal = (rslVec3){ 1, 0, 0 };
        collider->point = (rslVec3){ -0.6 * t->scale, 0, 0 };
    }
    else if (!flat && Chance(random, 0.6))
    {
        DrawSolid(random, t, c, collider);
    }
    collider->friction = Chance(random, 0.3) ? 0.0 : NextBetween(random, 0.0, 2.0);
    collider->restitution = Chance(random, 0.3) ? RSL_AUTO : NextBetween(random, 0.0, 1.0);
    if (Chance(random, 0.4))
    {
        double way = NextBetween(random, 0.02, 0.3) * t->scale, time = way / (NextFactor(random, 0.1, 1.0) * t->speed);
        rslVec3 along = c > 0 || flat ? collider->normal : NextDirection(random);
        collider->move.translate = rslScale(way, along);
        if (!flat && Chance(random, 0.5))
        {
            collider->move.rotate = (rslRotationDef){ NextDirection(random), NextBetween(random, 5.0, 60.0) };
        }
        collider->move.course = RampOf(0.0, time, Chance(random, 0.5));
        if (Chance(random, 0.4))
        {
            collider->move.course.type = rsl_sineCourse;
            collider->move.course.frequency = 0.2 / time;
        }
    }
}

// ---- scheme and time ------------------------------------------------------------------------------------------------

static inline void DrawScheme(Random* random, TouchingScene* t)
{
    static const rslTouchScheme others[] = { rsl_plainScheme, rsl_overlapScheme, rsl_unequalOverlapScheme,
                                             rsl_reflectionScheme, rsl_penaltyScheme };
    static const rslIntegrator implicit[] = { rsl_implicitEuler, rsl_theta, rsl_trBdf2 };
    rslTouchDef* touch = &t->scene.touch;
    t->implicit = Chance(random, 0.3);
    bool other = !t->implicit && Chance(random, 0.35);
    touch->scheme = other ? others[NextBelow(random, 5)] : rsl_autoScheme;
    bool penalty = touch->scheme == rsl_penaltyScheme;
    touch->pairs = penalty ? rsl_listedPairs : rsl_allPairs;
    touch->self = !penalty && Chance(random, 0.4);
    touch->friction = Chance(random, 0.3) ? 0.0 : NextBetween(random, 0.0, 2.0);
    touch->restitution = Chance(random, 0.4) ? 1.0 : NextBetween(random, 0.0, 1.0);
    touch->overlap = rsl_separateOverlap;
    t->def = SolverDef(rsl_positionVerlet, RSL_AUTO);
    t->def.fraction = NextBetween(random, 0.2, 1.0);
    t->def.threads = Chance(random, 0.1) ? 2 : 1;
    t->def.precision = !t->implicit && Chance(random, 0.4) ? rsl_single : rsl_double;
    if (t->implicit)
    {
        t->def.integrator = implicit[NextBelow(random, 3)];
        t->def.step = NextFactor(random, 0.1, 1.0) * 0.2 * t->scale / t->speed;
    }
    else if (penalty ? Chance(random, 0.7) : Chance(random, 0.25))
    {
        t->def.integrator = penalty && Chance(random, 0.6) ? rsl_velocityVerlet : rsl_symplecticEuler;
    }
}

// Lists point into the scene itself: it must stay where it is.
static inline void DrawTouching(uint64_t seed, TouchingScene* t)
{
    Random random = MakeRandom(~seed * 77);
    random.bits = NextBits(&random);
    *t = (TouchingScene){ .scene = rslDefaultScene() };
    t->scene.seed = seed;
    t->scale = NextFactor(&random, 1e-3, 1e3) * 5.0;
    double young = NextFactor(&random, 1e2, 1e9), density = NextFactor(&random, 1e2, 1e4);
    t->wave = sqrt(young / density);
    t->speed = NextFactor(&random, 0.05, 0.8) * t->wave;
    t->scene.plane = Chance(&random, 0.1) ? rsl_planeXY : rsl_space3;
    DrawScheme(&random, t);
    int most = t->scene.plane == rsl_planeXY ? 1 : t->implicit ? 2 : TOUCHING_BODIES;
    t->scene.bodyCount = 1 + NextBelow(&random, most);
    for (int b = 0; b < t->scene.bodyCount; ++b)
    {
        do
        {
            DrawTouchingBody(&random, t, b, young, density);
        } while (t->scene.plane == rsl_planeXY && t->bodies[b].network.type != rsl_sheetNetwork);
        PlaceTouchingBody(&random, t, b);
    }
    t->scene.bodies = t->bodies;
    bool penalty = t->scene.touch.scheme == rsl_penaltyScheme;
    for (int b = 0; penalty && b < t->scene.bodyCount; ++b)
    {
        t->bodies[b].surface.enabled = true;
    }
    t->scene.colliderCount = 1 + (Chance(&random, 0.3) ? 1 : 0);
    for (int c = 0; c < t->scene.colliderCount; ++c)
    {
        DrawCollider(&random, t, c);
    }
    t->scene.colliders = t->colliders;
    double weight = t->wave * t->wave / (0.2 * t->scale);
    double g = Chance(&random, 0.2) ? 0.0 : NextFactor(&random, 1e-4, 0.1) * weight;
    t->scene.gravity = t->scene.plane == rsl_planeXY ? (rslVec3){ 0, -g, 0 } : (rslVec3){ 0, 0, -g };
    t->duration = 0.4 * t->scale / t->speed + 2.0 * 0.2 * t->scale / t->wave;
}

// One line of what it is, for messages.
static inline const char* DescribeTouching(const TouchingScene* t, char* text, size_t size)
{
    static const char* const shapes[] = { "box",    "sphere", "ellipsoid", "cylinder",   "capsule",     "torus",
                                          "rabbit", "mesh",   "union",     "difference", "intersection" };
    static const char* const networks[] = { "lattice", "sheet", "explicit", "random", "tetrahedra", "hexahedra" };
    static const char* const schemes[] = { "auto",    "predictive", "plain",   "overlap",
                                           "unequal", "reflection", "penalty", "barrier" };
    static const char* const integrators[] = { "forward", "symplectic",     "position", "velocity",
                                               "static",  "implicit_euler", "theta",    "tr_bdf2" };
    int at =
        snprintf(text, size, "%s %s %s%s x %.2f, size %.1e, wave %.1e, speed %.2f, g %.1e, mu %.2f e %.2f;",
                 integrators[t->def.integrator], t->def.precision == rsl_single ? "single" : "double",
                 schemes[t->scene.touch.scheme], t->scene.touch.self ? " self" : "", t->def.fraction, 0.2 * t->scale,
                 t->wave, t->speed / t->wave, rslLength(t->scene.gravity) * 0.2 * t->scale / (t->wave * t->wave),
                 t->scene.touch.friction, t->scene.touch.restitution);
    for (int c = 0; c < t->scene.colliderCount; ++c)
    {
        const rslColliderDef* collider = &t->colliders[c];
        bool solid = collider->type == rsl_shapeCollider;
        double way = rslLength(collider->move.translate);
        at += snprintf(text + at, size - (size_t)at, " on %s%s mu %.2f e %.2f;", way > 0.0 ? "moving " : "",
                       solid ? shapes[t->solids[c].type] : "plane", collider->friction, collider->restitution);
    }
    for (int b = 0; b < t->scene.bodyCount; ++b)
    {
        const rslBodyDef* body = &t->bodies[b];
        at += snprintf(text + at, size - (size_t)at, " %s %s %s%s r%d damped %.1e;",
                       body->shape != NULL ? shapes[t->shapes[b].type] : "plane", networks[body->network.type],
                       rslModelType_Word(body->model.type), body->skin == rsl_sphereSkin ? " of spheres" : "",
                       (int)body->repulsion.type, body->material.stiffnessDamping * t->wave / (0.05 * t->scale));
    }
    return text;
}
