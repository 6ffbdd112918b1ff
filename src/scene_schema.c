// SPDX-License-Identifier: MIT
//
// scene_schema.c: the tables of the scene language, but for those of a body (scene_schema_body.c). To add a key: a field in
// scene.h, its default in scene.c, a row here.

#include "scene_table.h"

static const rslStruct nodesStruct, courseStruct, loadStruct, constraintStruct, linkStruct, driveStruct, contactStruct;
static const rslStruct jointStruct, groundStruct, colliderStruct, timeStruct, probeStruct, outputStruct, sceneStruct;

// one key is one sentence, not one line per field
// clang-format off

// ---- chosen nodes -----------------------------------------------------------------------------------------------

static const rslWord nodesTypes[] = {
    { "all", rsl_allNodes, "every node" },
    { "box", rsl_boxNodes, "nodes between min and max" },
    { "sphere", rsl_sphereNodes, "nodes within radius of point" },
    { "plane", rsl_planeNodes, "nodes on the side of the plane through point that normal points to" },
    { "nearest", rsl_nearestNodes, "the count nodes nearest to point" },
    { "list", rsl_listNodes, "nodes by their numbers within the body, as in nodes_N.vtu; a mesh file need not keep its order" },
    { NULL, 0, NULL },
};

#define POINTED (BIT(rsl_sphereNodes) | BIT(rsl_planeNodes) | BIT(rsl_nearestNodes))

static const rslKey nodesKeys[] = {
    { "body", rsl_stringKey, AT(rslNodeSetDef, body), .text = "The name of a body; absent: every body." },
    { "type", rsl_enumKey, AT(rslNodeSetDef, type), .words = nodesTypes, .text = "How the nodes are chosen." },
    { "min", rsl_vectorKey, AT(rslNodeSetDef, min), .types = BIT(rsl_boxNodes), .needed = BIT(rsl_boxNodes),
      .unit = "m", .text = "The lower corner." },
    { "max", rsl_vectorKey, AT(rslNodeSetDef, max), .types = BIT(rsl_boxNodes), .needed = BIT(rsl_boxNodes),
      .unit = "m", .text = "The upper corner." },
    { "point", rsl_vectorKey, AT(rslNodeSetDef, point), .types = POINTED, .needed = POINTED, .unit = "m",
      .text = "The centre, a point of the plane, or where to look for the nearest." },
    { "radius", rsl_numberKey, AT(rslNodeSetDef, radius), .types = BIT(rsl_sphereNodes),
      .needed = BIT(rsl_sphereNodes), .range = POSITIVE, .unit = "m", .text = "The radius of the sphere." },
    { "normal", rsl_vectorKey, AT(rslNodeSetDef, normal), .types = BIT(rsl_planeNodes),
      .needed = BIT(rsl_planeNodes), .nonzero = true, .text = "The direction towards the chosen side." },
    { "count", rsl_integerKey, AT(rslNodeSetDef, count), .types = BIT(rsl_nearestNodes), .range = BETWEEN(1, 1e9),
      .text = "How many nodes." },
    { "indices", rsl_integerListKey, LIST_AT(rslNodeSetDef, indices, indexCount), .minCount = 1,
      .types = BIT(rsl_listNodes), .needed = BIT(rsl_listNodes), .range = NOT_NEGATIVE,
      .text = "Node numbers, counted from 0." },
};

static void NodesDefaults(void* out)
{
    *(rslNodeSetDef*)out = rslDefaultNodeSetDef();
}

static const rslStruct nodesStruct = {
    .name = "nodes", .title = "a set of nodes", .size = sizeof(rslNodeSetDef), .placed = true, .keys = nodesKeys,
    .keyCount = COUNT_OF(nodesKeys), .lead = 1, .tagged = true, .brief = 1, .defaults = NodesDefaults,
    .text = "Nodes chosen by where they are at rest. An empty set is an error. The bare word all is every node.",
};

// ---- course -----------------------------------------------------------------------------------------------------

static const rslWord courseTypes[] = {
    { "constant", rsl_constantCourse, "1 from start on" },
    { "ramp", rsl_rampCourse, "0 until start, then linearly to 1 at start + duration, then 1" },
    { "pulse", rsl_pulseCourse, "1 from start for duration, else 0" },
    { "table", rsl_tableCourse, "linear between points, constant outside" },
    { "sine", rsl_sineCourse, "sin(2 pi frequency (t - start) + phase) from start on" },
    { NULL, 0, NULL },
};

#define TIMED (BIT(rsl_rampCourse) | BIT(rsl_pulseCourse))

static const rslKey courseKeys[] = {
    { "type", rsl_enumKey, AT(rslCourseDef, type), .words = courseTypes, .text = "The kind of course." },
    { "start", rsl_numberKey, AT(rslCourseDef, start), .types = ~BIT(rsl_tableCourse), .unit = "s",
      .text = "When it starts; before that the factor is 0." },
    { "duration", rsl_numberKey, AT(rslCourseDef, duration), .types = TIMED, .needed = TIMED, .range = POSITIVE,
      .unit = "s", .text = "How long it takes." },
    { "smooth", rsl_boolKey, AT(rslCourseDef, smooth), .types = TIMED,
      .text = "Without corners: a ramp 3s^2 - 2s^3, a pulse (4s(1-s))^2." },
    { "frequency", rsl_numberKey, AT(rslCourseDef, frequency), .types = BIT(rsl_sineCourse),
      .needed = BIT(rsl_sineCourse), .range = POSITIVE, .unit = "Hz", .text = "Oscillations per second." },
    { "phase", rsl_numberKey, AT(rslCourseDef, phase), .types = BIT(rsl_sineCourse), .unit = "deg",
      .text = "The phase at start." },
    { "points", rsl_numberRowsKey, LIST_AT(rslCourseDef, points, pointCount), .width = 2, .minCount = 1,
      .types = BIT(rsl_tableCourse), .needed = BIT(rsl_tableCourse),
      .text = "Pairs [time, factor], times increasing [s]." },
};

static void CourseDefaults(void* out)
{
    *(rslCourseDef*)out = rslDefaultCourseDef();
}

static const rslStruct courseStruct = {
    .name = "course", .title = "a course", .size = sizeof(rslCourseDef), .placed = true, .keys = courseKeys,
    .keyCount = COUNT_OF(courseKeys), .lead = 0, .tagged = true, .brief = 0, .defaults = CourseDefaults,
    .text = "A factor in time.",
};

// ---- loads, constraints, links, drives --------------------------------------------------------------------------

static const rslWord loadTypes[] = {
    { "force", rsl_forceLoad, "a force on the nodes" },
    { "pressure", rsl_pressureLoad, "a pressure on the surface of a body" },
    { "acceleration", rsl_accelerationLoad, "a body force: every chosen node's mass times an acceleration" },
    { NULL, 0, NULL },
};

#define ON_NODES (BIT(rsl_forceLoad) | BIT(rsl_accelerationLoad))

static const rslKey loadKeys[] = {
    { "type", rsl_enumKey, AT(rslLoadDef, type), .needed = ALWAYS, .words = loadTypes, .text = "The kind of load." },
    { "nodes", rsl_structKey, AT(rslLoadDef, nodes), .types = ON_NODES, .needed = ON_NODES, .of = &nodesStruct,
      .text = "The nodes it acts on." },
    { "body", rsl_stringKey, AT(rslLoadDef, body), .types = BIT(rsl_pressureLoad), .needed = BIT(rsl_pressureLoad),
      .text = "The name of the body whose surface it acts on." },
    { "force", rsl_vectorKey, AT(rslLoadDef, force), .types = BIT(rsl_forceLoad), .needed = BIT(rsl_forceLoad),
      .unit = "N", .text = "The force, shared equally among the nodes." },
    { "each", rsl_boolKey, AT(rslLoadDef, each), .types = BIT(rsl_forceLoad),
      .text = "The whole force on each node instead of a share." },
    { "pressure", rsl_numberKey, AT(rslLoadDef, pressure), .types = BIT(rsl_pressureLoad),
      .needed = BIT(rsl_pressureLoad), .unit = "Pa", .text = "The pressure; positive pushes inwards." },
    { "acceleration", rsl_vectorKey, AT(rslLoadDef, acceleration), .types = BIT(rsl_accelerationLoad),
      .needed = BIT(rsl_accelerationLoad), .unit = "m/s2", .text = "The acceleration." },
    { "course", rsl_structKey, AT(rslLoadDef, course), .of = &courseStruct, .text = "A factor in time." },
};

static void LoadDefaults(void* out)
{
    *(rslLoadDef*)out = rslDefaultLoadDef();
}

static const rslStruct loadStruct = {
    .name = "load", .title = "a load", .size = sizeof(rslLoadDef), .placed = true, .keys = loadKeys,
    .keyCount = COUNT_OF(loadKeys), .lead = 0, .tagged = true, .brief = -1, .defaults = LoadDefaults,
    .text = "What pushes or pulls.",
};

static const rslWord constraintTypes[] = {
    { "pin", rsl_pinConstraint, "nodes stay where they were" },
    { "motion", rsl_motionConstraint, "nodes follow a prescribed motion" },
    { NULL, 0, NULL },
};

static const rslWord axisWords[] = {
    { "x", offsetof(rslConstraintDef, axes), NULL },
    { "y", offsetof(rslConstraintDef, axes) + sizeof(bool), NULL },
    { "z", offsetof(rslConstraintDef, axes) + 2 * sizeof(bool), NULL },
    { NULL, 0, NULL },
};

#define MOTION BIT(rsl_motionConstraint)

static const rslKey constraintKeys[] = {
    { "type", rsl_enumKey, AT(rslConstraintDef, type), .needed = ALWAYS, .words = constraintTypes,
      .text = "The kind of constraint." },
    { "nodes", rsl_structKey, AT(rslConstraintDef, nodes), .needed = ALWAYS, .of = &nodesStruct,
      .text = "The nodes that are held." },
    { "axes", rsl_flagsKey, AT(rslConstraintDef, axes), .minCount = 1, .words = axisWords,
      .text = "The world axes that are held; along the others the nodes are free." },
    { "translate", rsl_vectorKey, AT(rslConstraintDef, move.translate), .types = MOTION, .unit = "m",
      .text = "The shift when the course is 1." },
    { "rotate", rsl_structKey, AT(rslConstraintDef, move.rotate), .types = MOTION, .of = &rslRotationStruct,
      .text = "The turn when the course is 1, made before the shift." },
    { "centre", rsl_vectorKey, AT(rslConstraintDef, move.centre), .types = MOTION, .unit = "m",
      .text = "A point on the axis of the turn." },
    { "path", rsl_numberRowsKey, LIST_AT(rslConstraintDef, move.path, move.pathCount), .width = 4, .minCount = 1,
      .types = MOTION, .text = "Instead of translate: offsets [time, x, y, z], linear between, times increasing [s, m]." },
    { "offsets", rsl_numberRowsKey, LIST_AT(rslConstraintDef, offsets, offsetCount), .width = 3, .minCount = 1,
      .types = MOTION, .unit = "m",
      .text = "For nodes of type list: [x, y, z] for each of its indices, by which that node is shifted besides." },
    { "course", rsl_structKey, AT(rslConstraintDef, move.course), .types = MOTION, .of = &courseStruct,
      .text = "A factor in time on the shift, the turn and the offsets." },
};

static void ConstraintDefaults(void* out)
{
    *(rslConstraintDef*)out = rslDefaultConstraintDef();
}

static const rslStruct constraintStruct = {
    .name = "constraint", .title = "a constraint", .size = sizeof(rslConstraintDef), .placed = true,
    .keys = constraintKeys, .keyCount = COUNT_OF(constraintKeys), .lead = 0, .tagged = true, .brief = -1,
    .defaults = ConstraintDefaults, .text = "Nodes that do not move freely.",
};

static const rslWord linkTypes[] = {
    { "spring", rsl_springLink, "a spring from each node of one set to the nearest node of the other" },
    { "tie", rsl_tieLink, "each node of one set is bound to the point of the other body where it lies" },
    { "weld", rsl_weldLink, "each node of one set moves with a rigid body, as a part of it" },
    { NULL, 0, NULL },
};

static const rslKey linkKeys[] = {
    { "type", rsl_enumKey, AT(rslLinkDef, type), .needed = ALWAYS, .words = linkTypes, .text = "The kind of link." },
    { "from", rsl_structKey, AT(rslLinkDef, from), .needed = ALWAYS, .of = &nodesStruct,
      .text = "The nodes that are linked, each once." },
    { "to", rsl_structKey, AT(rslLinkDef, to), .needed = ALWAYS, .of = &nodesStruct,
      .text = "What they are linked to." },
    { "stiffness", rsl_numberOrAutoKey, AT(rslLinkDef, stiffness), .types = ~BIT(rsl_weldLink),
      .needed = BIT(rsl_springLink), .range = POSITIVE,
      .unit = "N/m", .text = "The stiffness of each; auto, for ties only: from the bodies." },
    { "damping", rsl_numberKey, AT(rslLinkDef, damping), .types = ~BIT(rsl_weldLink), .range = NOT_NEGATIVE, .unit = "N s/m",
      .text = "The damper beside each." },
    { "rest_length", rsl_numberOrAutoKey, AT(rslLinkDef, restLength), .types = BIT(rsl_springLink),
      .range = NOT_NEGATIVE, .unit = "m", .text = "The rest length; auto: the distance at rest." },
    { "reach", rsl_numberOrAutoKey, AT(rslLinkDef, reach), .range = POSITIVE, .unit = "m",
      .text = "Pairs farther apart are not linked; auto: no limit for springs and welds, one spacing for ties (1.5 to a centred lattice)." },
};

static void LinkDefaults(void* out)
{
    *(rslLinkDef*)out = rslDefaultLinkDef();
}

static const rslStruct linkStruct = {
    .name = "link", .title = "a link", .size = sizeof(rslLinkDef), .placed = true, .keys = linkKeys,
    .keyCount = COUNT_OF(linkKeys), .lead = 0, .tagged = true, .brief = -1, .defaults = LinkDefaults,
    .text = "What joins bodies.",
};

static const rslWord jointTypes[] = {
    { "hinge", rsl_hingeJoint, "turns about an axis" },
    { "ball", rsl_ballJoint, "turns about a point" },
    { NULL, 0, NULL },
};

#define HINGE BIT(rsl_hingeJoint)

static const rslKey jointKeys[] = {
    { "type", rsl_enumKey, AT(rslJointDef, type), .needed = ALWAYS, .words = jointTypes, .text = "The kind of joint." },
    { "a", rsl_stringKey, AT(rslJointDef, a), .needed = ALWAYS, .text = "The name of a rigid body." },
    { "b", rsl_stringKey, AT(rslJointDef, b), .text = "The name of another rigid body; absent: the world." },
    { "point", rsl_vectorKey, AT(rslJointDef, point), .needed = ALWAYS, .unit = "m",
      .text = "Where they are joined, at rest; it need not lie in either." },
    { "axis", rsl_vectorKey, AT(rslJointDef, axis), .types = HINGE, .nonzero = true,
      .text = "The direction that a turns about, at rest." },
    { "angle", rsl_numberOrAutoKey, AT(rslJointDef, angle), .types = HINGE, .range = A_MILLION_TURNS, .unit = "deg",
      .text = "The turn of a against b when the course is 1, counter-clockwise when the axis points at the viewer; auto: it is free." },
    { "course", rsl_structKey, AT(rslJointDef, course), .types = HINGE, .of = &courseStruct,
      .text = "A factor in time on the angle; smooth courses need no jerks." },
};

static void JointDefaults(void* out)
{
    *(rslJointDef*)out = rslDefaultJointDef();
}

static const rslStruct jointStruct = {
    .name = "joint", .title = "a joint", .size = sizeof(rslJointDef), .placed = true, .keys = jointKeys,
    .keyCount = COUNT_OF(jointKeys), .lead = 0, .tagged = true, .brief = -1, .defaults = JointDefaults,
    .text = "What joins two rigid bodies, or one and the world.",
};

static const rslKey driveKeys[] = {
    { "nodes", rsl_structKey, AT(rslDriveDef, nodes), .needed = ALWAYS, .of = &nodesStruct,
      .text = "Springs with both ends among these nodes are driven." },
    { "strain", rsl_numberKey, AT(rslDriveDef, strain), .needed = ALWAYS, .range = { -1.0, INFINITY, true, true },
      .unit = "", .text = "Rest lengths change by the factor 1 + strain * course; negative contracts." },
    { "direction", rsl_vectorKey, AT(rslDriveDef, direction),
      .text = "Only springs within spread of this direction at rest; [0, 0, 0]: all." },
    { "spread", rsl_numberKey, AT(rslDriveDef, spread), .range = { 0.0, 90.0, true, false }, .unit = "deg",
      .text = "The largest angle to the direction." },
    { "course", rsl_structKey, AT(rslDriveDef, course), .of = &courseStruct, .text = "A factor in time." },
};

static void DriveDefaults(void* out)
{
    *(rslDriveDef*)out = rslDefaultDriveDef();
}

static const rslStruct driveStruct = {
    .name = "drive", .title = "a drive", .size = sizeof(rslDriveDef), .placed = true, .keys = driveKeys,
    .keyCount = COUNT_OF(driveKeys), .lead = -1, .brief = -1, .defaults = DriveDefaults,
    .text = "Rest lengths driven in time: muscles, soft robots.",
};

static const rslKey contactKeys[] = {
    { "a", rsl_stringKey, AT(rslContactDef, a), .needed = ALWAYS, .text = "The name of a body with a surface." },
    { "b", rsl_stringKey, AT(rslContactDef, b), .needed = ALWAYS,
      .text = "The name of another one; or of a collider, or the same again, for what differs with it or within the body." },
    { "friction", rsl_numberOrAutoKey, AT(rslContactDef, friction), .range = NOT_NEGATIVE, .unit = "",
      .text = "Friction is at most this times what they are pressed with; auto: that of 'contact', or of the collider." },
    { "restitution", rsl_numberOrAutoKey, AT(rslContactDef, restitution), .range = BETWEEN(0.0, 1.0), .unit = "",
      .text = "How much of its speed an impact gives back at once; auto: that of 'contact'." },
    { "thickness", rsl_numberOrAutoKey, AT(rslContactDef, thickness), .range = NOT_NEGATIVE, .unit = "m",
      .text = "They touch at this distance; auto: half the thickness of each sheet, at least a fortieth of its spacing; 0 of other bodies." },
};

static void ContactDefaults(void* out)
{
    *(rslContactDef*)out = rslDefaultContactDef();
}

static const rslStruct contactStruct = {
    .name = "contact", .title = "a contact", .size = sizeof(rslContactDef), .placed = true, .keys = contactKeys,
    .keyCount = COUNT_OF(contactKeys), .lead = -1, .brief = -1, .defaults = ContactDefaults,
    .text = "Two bodies that push on each other: vertices of the surface of each against the triangles of the other's; or a "
            "body and a collider, or a body and itself, where other figures hold for these.",
};

// ---- ground, time, output ---------------------------------------------------------------------------------------

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

static const rslStruct groundStruct = {
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
    { "course", rsl_structKey, AT(rslColliderDef, move.course), .of = &courseStruct,
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

static const rslStruct colliderStruct = {
    .name = "collider", .title = "a collider", .size = sizeof(rslColliderDef), .placed = true, .keys = colliderKeys,
    .keyCount = COUNT_OF(colliderKeys), .lead = 0, .tagged = true, .guessed = true, .brief = -1, .defaults = ColliderDefaults,
    .refine = ColliderRefine, .text = "What bodies bump into: plates, walls, conveyor belts, solids of any shape.",
};

static const rslWord integratorWords[] = {
    { "forward_euler", rsl_forwardEuler, "first order; unstable without damping" },
    { "symplectic_euler", rsl_symplecticEuler, "first order" },
    { "position_verlet", rsl_positionVerlet, "second order, drift-kick-drift" },
    { "velocity_verlet", rsl_velocityVerlet, "second order, kick-drift-kick" },
    { "static", rsl_static, "no motion: the state of rest after every increment of the loads" },
    { "implicit_euler", rsl_implicitEuler, "backward Euler: any step is stable; first order, and fast motion is lost" },
    { "theta", rsl_theta, "implicit, between backward Euler (theta 1) and the trapezium rule (0.5)" },
    { "tr_bdf2", rsl_trBdf2, "implicit, second order: two solves a step, and what is too fast for it dies out" },
    { "auto", rsl_autoIntegrator,
      "position_verlet, or tr_bdf2 where the explicit steps of a frame would cost more; a count of the model decides" },
    { NULL, 0, NULL },
};

static const rslWord precisionWords[] = {
    { "single", rsl_single, "faster" }, { "double", rsl_double, NULL }, { NULL, 0, NULL }
};

static const rslWord linearSolverWords[] = {
    { "cg", rsl_cgSolver, "conjugate gradients" },
    { "cholmod", rsl_cholmodSolver, "Cholesky factors by CHOLMOD" },
    { NULL, 0, NULL },
};

static const rslKey realtimeKeys[] = {
    { "enabled", rsl_boolKey, AT(rslRealtimeDef, enabled), .text = "Whether frames have a budget." },
    { "rate", rsl_numberKey, AT(rslRealtimeDef, rate), .range = POSITIVE, .unit = "Hz", .text = "Frames a second." },
    { "budget", rsl_numberOrAutoKey, AT(rslRealtimeDef, budget), .range = POSITIVE, .unit = "s",
      .text = "How long a frame may take to compute; auto: three quarters of a frame." },
};

static void RealtimeDefaults(void* out)
{
    rslRealtimeDef* realtime = out;
    *realtime = rslDefaultTimeDef().realtime;
    realtime->enabled = true;  // of a scene that speaks of it
}

static const rslStruct realtimeStruct = {
    .name = "realtime", .title = "real time", .size = sizeof(rslRealtimeDef), .keys = realtimeKeys,
    .keyCount = COUNT_OF(realtimeKeys), .lead = -1, .brief = 0, .defaults = RealtimeDefaults,
    .text = "Frames that take no longer than a budget to compute: explicit steps where they fit into it and no implicit integrator is asked for, else implicit ones that are cut "
            "short. The machine is measured when a run begins; realtime.csv logs what every frame was given, and resilin run --replay "
            "takes it up again, to the same bits on any machine. A bare true or false switches it; absent: none.",
};

static const rslKey timeKeys[] = {
    { "duration", rsl_numberKey, AT(rslTimeDef, duration), .range = POSITIVE, .unit = "s",
      .text = "How long to simulate." },
    { "step", rsl_numberOrAutoKey, AT(rslTimeDef, step), .range = POSITIVE, .unit = "s",
      .text = "The time step; auto: a fraction of the stable one, 1 ms at most where nothing swings, implicit 1/60 s." },
    { "fraction", rsl_numberKey, AT(rslTimeDef, fraction), .range = { 0.0, 1.0, true, false }, .unit = "",
      .text = "The fraction of the stable step that auto takes." },
    { "integrator", rsl_enumKey, AT(rslTimeDef, integrator), .words = integratorWords,
      .text = "How a step is taken." },
    { "precision", rsl_enumKey, AT(rslTimeDef, precision), .words = precisionWords,
      .text = "The precision of displacements, velocities and forces." },
    { "threads", rsl_integerKey, AT(rslTimeDef, threads), .range = BETWEEN(0, 1024),
      .text = "How many threads; 0: as many as there are. The result does not depend on it." },
    { "increments", rsl_integerKey, AT(rslTimeDef, increments), .range = BETWEEN(1, 1000000000),
      .text = "static: how many states of rest, at equal times up to the duration. Loads, motions and drives act with their "
              "value at that time." },
    { "tolerance", rsl_numberOrAutoKey, AT(rslTimeDef, tolerance), .range = { 0.0, 1.0, true, true }, .unit = "",
      .text = "static: the forces left over, relative to loads and reactions; auto: 1e-8. Implicit: relative to loads and "
              "inertia; auto: 1e-4, and 1e-2 while something is hit." },
    { "theta", rsl_numberKey, AT(rslTimeDef, theta), .range = BETWEEN(0.5, 1.0), .unit = "",
      .text = "theta: the part of the end of a step in its means; 1 is backward Euler, 0.5 the trapezium rule." },
    { "newton", rsl_integerKey, AT(rslTimeDef, newton), .range = NOT_NEGATIVE,
      .text = "Implicit: the most steps of Newton's method in a step, which is then cut short; 0: as many as it takes." },
    { "iterations", rsl_integerKey, AT(rslTimeDef, iterations), .range = NOT_NEGATIVE,
      .text = "Implicit: the most iterations of conjugate gradients in each of them; 0: as many as it takes." },
    { "realtime", rsl_structKey, AT(rslTimeDef, realtime), .of = &realtimeStruct, .text = "A time that frames may take." },
    { "solver", rsl_enumKey, AT(rslTimeDef, solver), .words = linearSolverWords,
      .text = "static and implicit: what solves the linear problems. cholmod factors the matrix: for small models that cg finds hard, where "
              "CHOLMOD is built in; its last digits depend on the machine." },
};

static void TimeDefaults(void* out)
{
    *(rslTimeDef*)out = rslDefaultTimeDef();
}

static const rslStruct timeStruct = {
    .name = "time", .title = "the time settings", .size = sizeof(rslTimeDef), .placed = true, .keys = timeKeys,
    .keyCount = COUNT_OF(timeKeys), .lead = -1, .brief = -1, .defaults = TimeDefaults,
    .text = "How long, in what steps, and how.",
};

static const rslWord probeTypes[] = {
    { "nodes", rsl_nodeProbe, "the mean position, velocity and force of chosen nodes" },
    { "stress", rsl_stressProbe, "mean stress in a small sphere that follows a point of a body; dampers are left out" },
    { "strain", rsl_strainProbe, "displacement and strain (Green's, in world axes at rest) of a point of a body" },
    { "reaction", rsl_reactionProbe, "the force that holds the nodes of a constraint, and its torque about point" },
    { "flow", rsl_flowProbe, "the force through a fixed plane, by springs, elements and links; dampers are left out" },
    { "ground", rsl_groundProbe, "the force of the ground, with its friction" },
    { "collider", rsl_colliderProbe, "the force of a collider, with its friction" },
    { "joint", rsl_jointProbe, "the force of a joint on its body a, its torque about the joint, and the angle of a hinge" },
    { "contact", rsl_contactProbe,
      "what other bodies do to a body where they touch" },
    { NULL, 0, NULL },
};

static const rslWord hardyWords[] = {
    { "line", rsl_lineHardy, "a spring counts with the part of its length in the sphere" },
    { "sphere", rsl_sphereHardy, "with the part of the sphere over it as a diameter" },
    { NULL, 0, NULL },
};

#define STRESS BIT(rsl_stressProbe)
#define STRAIN BIT(rsl_strainProbe)
#define FLOW BIT(rsl_flowProbe)
#define COLLIDER BIT(rsl_colliderProbe)
#define CONTACT BIT(rsl_contactProbe)

static const rslKey probeKeys[] = {
    { "type", rsl_enumKey, AT(rslProbeDef, type), .words = probeTypes, .text = "What is measured." },
    { "name", rsl_nameKey, AT(rslProbeDef, name), .needed = ALWAYS,
      .text = "A name of its own, the prefix of its columns." },
    { "nodes", rsl_structKey, AT(rslProbeDef, nodes), .types = BIT(rsl_nodeProbe), .needed = BIT(rsl_nodeProbe),
      .of = &nodesStruct, .text = "The mean over these nodes is written." },
    { "point", rsl_vectorKey, AT(rslProbeDef, point), .types = STRESS | STRAIN | FLOW | BIT(rsl_reactionProbe),
      .needed = STRESS | STRAIN | FLOW, .unit = "m",
      .text = "A point of a body at rest; of flow, one of the plane; of a reaction, where its torque is taken about." },
    { "radius", rsl_numberOrAutoKey, AT(rslProbeDef, radius), .types = STRESS, .range = POSITIVE, .unit = "m",
      .text = "The radius of the sphere; auto: 1.3 spacings." },
    { "kind", rsl_enumKey, AT(rslProbeDef, kind), .types = STRESS, .words = hardyWords,
      .text = "How much of a spring belongs to the sphere; of elements, what lies in it." },
    { "distance", rsl_numberOrAutoKey, AT(rslProbeDef, distance), .types = STRAIN, .range = POSITIVE, .unit = "m",
      .text = "Differences are taken over this distance to both sides; auto: half of the spacing." },
    { "normal", rsl_vectorKey, AT(rslProbeDef, normal), .types = FLOW, .needed = FLOW, .nonzero = true,
      .text = "The force is that of the side where this points, on the other." },
    { "constraint", rsl_integerKey, AT(rslProbeDef, constraint), .types = BIT(rsl_reactionProbe),
      .needed = BIT(rsl_reactionProbe), .range = BETWEEN(0, 1000000000),
      .text = "The index of the constraint in the scene, counted from 0." },
    { "joint", rsl_integerKey, AT(rslProbeDef, joint), .types = BIT(rsl_jointProbe), .needed = BIT(rsl_jointProbe),
      .range = BETWEEN(0, 1000000000), .text = "The index of the joint in the scene, counted from 0." },
    { "collider", rsl_stringKey, AT(rslProbeDef, collider), .types = COLLIDER, .needed = COLLIDER,
      .text = "The name of the collider." },
    { "body", rsl_stringKey, AT(rslProbeDef, body), .types = STRESS | STRAIN | FLOW | COLLIDER | CONTACT | BIT(rsl_groundProbe),
      .needed = CONTACT, .text = "The name of a body; absent: stress and strain: the first that holds the point; flow, ground and collider: all." },
};

static void ProbeDefaults(void* out)
{
    *(rslProbeDef*)out = rslDefaultProbeDef();
}

static const rslStruct probeStruct = {
    .name = "probe", .title = "a probe", .size = sizeof(rslProbeDef), .placed = true, .keys = probeKeys,
    .keyCount = COUNT_OF(probeKeys), .lead = 0, .tagged = true, .brief = -1, .defaults = ProbeDefaults,
    .text = "Something measured over time, as columns of probes.csv.",
};

static const rslWord formatWords[] = {
    { "vtu", offsetof(rslOutputDef, vtu), "ParaView: .vtu and .pvd" },
    { "pc2", offsetof(rslOutputDef, pc2), "Blender: a point cache" },
    { "glb", offsetof(rslOutputDef, glb), "Blender and web pages: an animated mesh" },
    { NULL, 0, NULL },
};

static const rslWord fieldWords[] = {
    { "stress", offsetof(rslOutputDef, fields) + offsetof(rslFieldSet, stress), "the tensor, XX YY ZZ XY YZ XZ [Pa]" },
    { "von_mises", offsetof(rslOutputDef, fields) + offsetof(rslFieldSet, vonMises), "[Pa]" },
    { "principal", offsetof(rslOutputDef, fields) + offsetof(rslFieldSet, principal), "values of the stress, largest first [Pa]" },
    { "strain", offsetof(rslOutputDef, fields) + offsetof(rslFieldSet, strain), "Green's, in world axes at rest" },
    { "modulus", offsetof(rslOutputDef, fields) + offsetof(rslFieldSet, modulus), "the bulk modulus that a node stands for, at rest [Pa]" },
    { "contact", offsetof(rslOutputDef, fields) + offsetof(rslFieldSet, contact), "forces of what touches, contact_force, and the friction in them, contact_friction: means of the last step, of schemes with impulses or a barrier [N]" },
    { NULL, 0, NULL },
};

static const rslKey outputKeys[] = {
    { "frames", rsl_numberKey, AT(rslOutputDef, frames), .range = NOT_NEGATIVE, .unit = "1/s",
      .text = "Frames per second of simulated time; 0: none." },
    { "formats", rsl_flagsKey, AT(rslOutputDef, vtu), .words = formatWords, .text = "The formats of the frames." },
    { "fields", rsl_flagsKey, AT(rslOutputDef, fields), .words = fieldWords,
      .text = "Fields in .vtu frames beside velocity, tension and energy density." },
    { "samples", rsl_numberOrAutoKey, AT(rslOutputDef, samples), .range = NOT_NEGATIVE, .unit = "1/s",
      .text = "Rows per second of the CSV files; 0: none; auto: as frames." },
    { "energy", rsl_boolKey, AT(rslOutputDef, energy), .text = "Write energy, momentum and volume to energy.csv." },
    { "checkpoint", rsl_numberKey, AT(rslOutputDef, checkpoint), .range = NOT_NEGATIVE, .unit = "s",
      .text = "Simulated time between checkpoints; 0: only at the end and when stopped." },
    { "probes", rsl_structListKey, LIST_AT(rslOutputDef, probes, probeCount), .of = &probeStruct,
      .text = "What to measure." },
};

static void OutputDefaults(void* out)
{
    *(rslOutputDef*)out = rslDefaultOutputDef();
}

static const rslStruct outputStruct = {
    .name = "output", .title = "the output settings", .size = sizeof(rslOutputDef), .placed = true, .keys = outputKeys,
    .keyCount = COUNT_OF(outputKeys), .lead = -1, .brief = -1, .defaults = OutputDefaults,
    .text = "What is written to disk.",
};

// ---- the scene --------------------------------------------------------------------------------------------------

static const rslWord planeWords[] = {
    { "xyz", rsl_space3, "three dimensions" },
    { "xy", rsl_planeXY, "two dimensions: z is locked, areas are signed" },
    { NULL, 0, NULL },
};

static const rslKey sceneKeys[] = {
    { "title", rsl_stringKey, AT(rslScene, title), .text = "A title for people." },
    { "plane", rsl_enumKey, AT(rslScene, plane), .words = planeWords, .text = "Two dimensions or three." },
    { "gravity", rsl_vectorKey, AT(rslScene, gravity), .unit = "m/s2",
      .text = "The acceleration of free fall; in a plane scene [0, -9.81, 0] when absent." },
    { "seed", rsl_seedKey, AT(rslScene, seed), .text = "The seed of every random choice." },
    { "ground", rsl_structKey, AT(rslScene, ground), .of = &groundStruct, .text = "The ground; absent: none." },
    { "contact", rsl_structKey, AT(rslScene, touch), .of = &rslTouchStruct, .text = "How bodies touch." },
    { "time", rsl_structKey, AT(rslScene, time), .of = &timeStruct, .text = "How long, in what steps, and how." },
    { "output", rsl_structKey, AT(rslScene, output), .of = &outputStruct, .text = "What is written to disk." },
    { "bodies", rsl_structListKey, LIST_AT(rslScene, bodies, bodyCount), .minCount = 1, .needed = ALWAYS,
      .of = &rslBodyStruct, .text = "The bodies, soft or rigid." },
    { "loads", rsl_structListKey, LIST_AT(rslScene, loads, loadCount), .of = &loadStruct,
      .text = "Forces, pressures and body forces." },
    { "constraints", rsl_structListKey, LIST_AT(rslScene, constraints, constraintCount), .of = &constraintStruct,
      .text = "Pins and prescribed motions." },
    { "links", rsl_structListKey, LIST_AT(rslScene, links, linkCount), .of = &linkStruct,
      .text = "Springs and ties between bodies." },
    { "drives", rsl_structListKey, LIST_AT(rslScene, drives, driveCount), .of = &driveStruct,
      .text = "Rest lengths driven in time." },
    { "joints", rsl_structListKey, LIST_AT(rslScene, joints, jointCount), .of = &jointStruct,
      .text = "Hinges and ball joints of rigid bodies." },
    { "contacts", rsl_structListKey, LIST_AT(rslScene, contacts, contactCount), .of = &contactStruct,
      .text = "Pairs of bodies that push on each other." },
    { "colliders", rsl_structListKey, LIST_AT(rslScene, colliders, colliderCount), .of = &colliderStruct,
      .text = "Plates, walls and conveyor belts." },
};

static void SceneDefaults(void* out)
{
    *(rslScene*)out = rslDefaultScene();
}

static void SceneRefine(void* out, rslSpace plane)
{
    rslScene* scene = out;
    if (plane == rsl_planeXY)
    {
        scene->gravity = (rslVec3){ 0.0, -9.81, 0.0 };
        GroundRefine(&scene->ground, plane);
    }
}

static const rslStruct sceneStruct = {
    .name = "scene", .title = "a scene", .size = sizeof(rslScene), .keys = sceneKeys,
    .keyCount = COUNT_OF(sceneKeys), .lead = 1, .brief = -1, .defaults = SceneDefaults, .refine = SceneRefine,
    .text = "The keys at the top of a scene file.",
};

// clang-format on

static const rslStruct* const structs[] = {
    &sceneStruct,        &rslBodyStruct,     &rslShapeStruct,    &rslNetworkStruct,     &rslModelStruct,
    &rslRepulsionStruct, &rslVolumeStruct,   &rslMaterialStruct, &rslDampingStruct, &rslOrthotropicStruct, &rslRegionStruct,
    &rslSurfaceStruct,   &rslRotationStruct, &nodesStruct,       &courseStruct,         &loadStruct,
    &constraintStruct,   &linkStruct,        &driveStruct,       &jointStruct,          &contactStruct,
    &groundStruct,       &colliderStruct,    &rslTouchStruct,    &timeStruct, &realtimeStruct,           &outputStruct,
    &probeStruct,
};

const rslStruct* rslSchema_Scene(void)
{
    return &sceneStruct;
}

const rslStruct* rslSchema_Struct(int index)
{
    return index < COUNT_OF(structs) ? structs[index] : NULL;
}
