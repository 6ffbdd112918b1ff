// SPDX-License-Identifier: MIT
//
// scene_schema_touch.c: the tables of how things touch: `contact:`, `contacts:`, `ground:`, `colliders:`.

#include "scene_table.h"

// clang-format off

static const rslWord schemes[] = {
    { "auto", rsl_autoScheme, "predictive with position_verlet and symplectic_euler, barrier with implicit integrators, else penalty; static: penalty of colliders, a barrier between bodies" },
    { "predictive", rsl_predictiveScheme, "impulses before anything overlaps, remembered from step to step; explicit integrators" },
    { "plain", rsl_plainScheme, "Kot's first: an impulse where things overlap; explicit integrators" },
    { "overlap", rsl_overlapScheme, "Kot's second: half of each impulse a step later; explicit integrators" },
    { "overlap_unequal", rsl_unequalOverlapScheme, "the same with unequal shares; explicit integrators" },
    { "reflection", rsl_reflectionScheme, "impulses found all together, once now and once a step later; explicit integrators" },
    { "penalty", rsl_penaltyScheme, "colliders push out what overlaps them as springs do; all integrators" },
    { "barrier", rsl_barrierScheme, "nothing ever overlaps; implicit integrators" },
    { NULL, 0, NULL },
};

static const rslWord pairs[] = {
    { "listed", rsl_listedPairs, "those in 'contacts'" },
    { "all", rsl_allPairs, "every two, but for those that are welded or joined" },
    { NULL, 0, NULL },
};

static const rslWord overlaps[] = {
    { "refuse", rsl_refuseOverlap, "an error, with the depth and the place" },
    { "separate", rsl_separateOverlap, "bodies are moved apart before the start" },
    { "allow", rsl_allowOverlap, "they are pushed apart in the first steps" },
    { NULL, 0, NULL },
};

static const rslKey keys[] = {
    { "scheme", rsl_enumKey, AT(rslTouchDef, scheme), .words = schemes, .text = "How what touches is kept apart." },
    { "bodies", rsl_enumKey, AT(rslTouchDef, pairs), .words = pairs, .text = "Which bodies touch each other." },
    { "self", rsl_boolKey, AT(rslTouchDef, self), .text = "Whether every body with a surface touches itself." },
    { "friction", rsl_numberKey, AT(rslTouchDef, friction), .range = NOT_NEGATIVE, .unit = "",
      .text = "Coefficient of Coulomb's friction of pairs of bodies that say nothing." },
    { "restitution", rsl_numberKey, AT(rslTouchDef, restitution), .range = BETWEEN(0.0, 1.0), .unit = "",
      .text = "How much of its speed an impact of a node gives back at once, of all that say nothing; what a body loses is up to its damping. With a barrier it holds for rigid bodies, and soft ones jump by their own spring; penalties have none." },
    { "sweeps", rsl_integerKey, AT(rslTouchDef, sweeps), .range = BETWEEN(1.0, 1000.0),
      .text = "Passes over all touches in a step, of schemes with impulses." },
    { "overlap", rsl_enumKey, AT(rslTouchDef, overlap), .words = overlaps,
      .text = "What is done about things that overlap at the start." },
};

static void Defaults(void* out)
{
    *(rslTouchDef*)out = rslDefaultTouchDef();
}

const rslStruct rslTouchStruct = {
    .name = "touch", .title = "how things touch", .size = sizeof(rslTouchDef), .placed = true, .keys = keys,
    .keyCount = COUNT_OF(keys), .lead = -1, .brief = -1, .defaults = Defaults,
    .text = "How bodies touch colliders, each other and themselves.",
};

// ---- contacts, ground, colliders ------------------------------------------------------------------------------------

static const rslKey contactKeys[] = {
    { "a", rsl_stringKey, AT(rslContactDef, a), .needed = ALWAYS, .text = "The name of a body with a surface." },
    { "b", rsl_stringKey, AT(rslContactDef, b), .needed = ALWAYS,
      .text = "The name of another one; or of a collider, or the same again, for what differs with it or within the body." },
    { "friction", rsl_numberOrAutoKey, AT(rslContactDef, friction), .range = NOT_NEGATIVE, .unit = "",
      .text = "Friction is at most this times what they are pressed with; auto: that of 'contact', or of the collider." },
    { "restitution", rsl_numberOrAutoKey, AT(rslContactDef, restitution), .range = BETWEEN(0.0, 1.0), .unit = "",
      .text = "How much of its speed an impact gives back at once; auto: that of 'contact'." },
    { "thickness", rsl_numberOrAutoKey, AT(rslContactDef, thickness), .range = NOT_NEGATIVE, .unit = "m",
      .text = "They touch at this distance; auto: half the thickness of each sheet, at least a fortieth of its spacing; 0 of other bodies. Not of colliders that push by penalty." },
};

static void ContactDefaults(void* out)
{
    *(rslContactDef*)out = rslDefaultContactDef();
}

const rslStruct rslContactStruct = {
    .name = "contact", .title = "a contact", .size = sizeof(rslContactDef), .placed = true, .keys = contactKeys,
    .keyCount = COUNT_OF(contactKeys), .lead = -1, .brief = -1, .defaults = ContactDefaults,
    .text = "Two bodies that push on each other: vertices of the surface of each against the triangles of the other's; or a "
            "body and a collider, or a body and itself, where other figures hold for these.",
};

static const rslKey groundKeys[] = {
    { "enabled", rsl_boolKey, AT(rslGroundDef, enabled), .text = "Whether there is a ground." },
    { "point", rsl_vectorKey, AT(rslGroundDef, point), .unit = "m", .text = "A point of the plane." },
    { "normal", rsl_vectorKey, AT(rslGroundDef, normal), .nonzero = true,
      .text = "The direction out of the ground; in a plane scene [0, 1, 0] when absent." },
    { "stiffness", rsl_numberOrAutoKey, AT(rslGroundDef, stiffness), .range = POSITIVE, .unit = "N/m",
      .text = "Penalty per node; auto: a third of the trace of the node's own stiffness; of a rigid body, what stops a fall by its own size on one node within a twentieth of that size (faster if it starts faster)." },
    { "friction", rsl_numberKey, AT(rslGroundDef, friction), .range = NOT_NEGATIVE, .unit = "",
      .text = "Coefficient of Coulomb's friction, the same at rest and in motion." },
    { "restitution", rsl_numberOrAutoKey, AT(rslGroundDef, restitution), .range = BETWEEN(0.0, 1.0), .unit = "",
      .text = "How much of its speed an impact gives back at once; auto: that of 'contact'." },
};

static void GroundDefaults(void* out)
{
    *(rslGroundDef*)out = rslDefaultGroundDef();
}

static void GroundRefine(void* out, rslSpace plane)
{
    if (plane == rsl_planeXY)
    {
        ((rslGroundDef*)out)->normal = (rslVec3){ 0.0, 1.0, 0.0 };
    }
}

const rslStruct rslGroundStruct = {
    .name = "ground", .title = "the ground", .size = sizeof(rslGroundDef), .placed = true, .keys = groundKeys,
    .keyCount = COUNT_OF(groundKeys), .lead = -1, .brief = 0, .defaults = GroundDefaults, .refine = GroundRefine,
    .text = "A plane that nothing passes. A bare true or false switches it; absent: no ground.",
};

static const rslWord colliderTypes[] = {
    { "plane", rsl_planeCollider, "a plane that nothing passes, without borders" },
    { "shape", rsl_shapeCollider, "a solid" },
    { NULL, 0, NULL },
};

#define PLANE BIT(rsl_planeCollider)
#define SHAPE BIT(rsl_shapeCollider)

static const rslKey colliderKeys[] = {
    { "type", rsl_enumKey, AT(rslColliderDef, type), .words = colliderTypes,
      .text = "The kind of collider. It may be absent: what has a shape is one." },
    { "name", rsl_nameKey, AT(rslColliderDef, name), .text = "A name of its own, for probes and contacts; 'ground' is that of the ground." },
    { "point", rsl_vectorKey, AT(rslColliderDef, point), .types = PLANE, .needed = PLANE, .unit = "m",
      .text = "A point of the plane, where it is while the course is 0." },
    { "normal", rsl_vectorKey, AT(rslColliderDef, normal), .types = PLANE, .needed = PLANE, .nonzero = true,
      .text = "The direction towards the side where bodies are." },
    { "shape", rsl_structPointerKey, AT(rslColliderDef, shape), .types = SHAPE, .needed = SHAPE, .of = &rslShapeStruct,
      .text = "The solid, where it is while the course is 0: its own rotate and translate put it there. Boxes, spheres, cylinders "
              "and capsules are exact, meshes are what they are, and all other shapes are made of triangles." },
    { "resolution", rsl_numberOrAutoKey, AT(rslColliderDef, resolution), .types = SHAPE, .range = POSITIVE, .unit = "m",
      .text = "The edge of these triangles; auto: a 64th of the size of the shape." },
    { "stiffness", rsl_numberOrAutoKey, AT(rslColliderDef, stiffness), .range = POSITIVE, .unit = "N/m",
      .text = "Penalty per node; auto: a third of the trace of the node's own stiffness; of a rigid body, what stops a fall by its own size on one node within a twentieth of that size (faster if it starts faster)." },
    { "hardness", rsl_numberKey, AT(rslColliderDef, hardness), .range = POSITIVE, .unit = "",
      .text = "Times the automatic stiffness: what presses hard sinks in less, and the stable step is shorter." },
    { "friction", rsl_numberKey, AT(rslColliderDef, friction), .range = NOT_NEGATIVE, .unit = "",
      .text = "Coefficient of Coulomb's friction, the same at rest and in motion." },
    { "restitution", rsl_numberOrAutoKey, AT(rslColliderDef, restitution), .range = BETWEEN(0.0, 1.0), .unit = "",
      .text = "How much of its speed an impact gives back at once; auto: that of 'contact'." },
    { "translate", rsl_vectorKey, AT(rslColliderDef, move.translate), .unit = "m",
      .text = "The shift when the course is 1. A shift within the plane drags what touches it, with friction." },
    { "rotate", rsl_structKey, AT(rslColliderDef, move.rotate), .of = &rslRotationStruct,
      .text = "The turn when the course is 1, made before the shift." },
    { "centre", rsl_vectorKey, AT(rslColliderDef, move.centre), .unit = "m", .text = "A point on the axis of the turn." },
    { "path", rsl_numberRowsKey, LIST_AT(rslColliderDef, move.path, move.pathCount), .width = 4, .minCount = 1,
      .text = "Instead of translate: offsets [time, x, y, z], linear between, times increasing [s, m]." },
    { "course", rsl_structKey, AT(rslColliderDef, move.course), .of = &rslCourseStruct,
      .text = "A factor in time on the shift and the turn." },
};

static void ColliderDefaults(void* out)
{
    *(rslColliderDef*)out = rslDefaultColliderDef();
}

static void ColliderRefine(void* out, rslSpace plane)
{
    if (plane == rsl_planeXY)
    {
        ((rslColliderDef*)out)->normal = (rslVec3){ 0.0, 1.0, 0.0 };
    }
}

const rslStruct rslColliderStruct = {
    .name = "collider", .title = "a collider", .size = sizeof(rslColliderDef), .placed = true, .keys = colliderKeys,
    .keyCount = COUNT_OF(colliderKeys), .lead = 0, .tagged = true, .guessed = true, .brief = -1, .defaults = ColliderDefaults,
    .refine = ColliderRefine, .text = "What bodies bump into: plates, walls, conveyor belts, solids of any shape.",
};
