// SPDX-License-Identifier: MIT
//
// scene_schema_act.c: the tables of what acts on bodies: chosen nodes, courses in time, loads, constraints, links, joints, drives.

#include "scene_table.h"

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

const rslStruct rslNodesStruct = {
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

const rslStruct rslCourseStruct = {
    .name = "course", .title = "a course", .size = sizeof(rslCourseDef), .placed = true, .keys = courseKeys,
    .keyCount = COUNT_OF(courseKeys), .lead = 0, .tagged = true, .brief = 0, .defaults = CourseDefaults,
    .text = "A factor in time.",
};

// ---- loads, constraints, links, joints, drives ----------------------------------------------------------------------

static const rslWord loadTypes[] = {
    { "force", rsl_forceLoad, "a force on the nodes" },
    { "pressure", rsl_pressureLoad, "a pressure on the surface of a body" },
    { "acceleration", rsl_accelerationLoad, "a body force: every chosen node's mass times an acceleration" },
    { NULL, 0, NULL },
};

#define ON_NODES (BIT(rsl_forceLoad) | BIT(rsl_accelerationLoad))

static const rslKey loadKeys[] = {
    { "type", rsl_enumKey, AT(rslLoadDef, type), .needed = ALWAYS, .words = loadTypes, .text = "The kind of load." },
    { "nodes", rsl_structKey, AT(rslLoadDef, nodes), .types = ON_NODES, .needed = ON_NODES, .of = &rslNodesStruct,
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
    { "course", rsl_structKey, AT(rslLoadDef, course), .of = &rslCourseStruct, .text = "A factor in time." },
};

static void LoadDefaults(void* out)
{
    *(rslLoadDef*)out = rslDefaultLoadDef();
}

const rslStruct rslLoadStruct = {
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
    { "nodes", rsl_structKey, AT(rslConstraintDef, nodes), .needed = ALWAYS, .of = &rslNodesStruct,
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
    { "course", rsl_structKey, AT(rslConstraintDef, move.course), .types = MOTION, .of = &rslCourseStruct,
      .text = "A factor in time on the shift, the turn and the offsets." },
};

static void ConstraintDefaults(void* out)
{
    *(rslConstraintDef*)out = rslDefaultConstraintDef();
}

const rslStruct rslConstraintStruct = {
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
    { "from", rsl_structKey, AT(rslLinkDef, from), .needed = ALWAYS, .of = &rslNodesStruct,
      .text = "The nodes that are linked, each once." },
    { "to", rsl_structKey, AT(rslLinkDef, to), .needed = ALWAYS, .of = &rslNodesStruct,
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

const rslStruct rslLinkStruct = {
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
    { "course", rsl_structKey, AT(rslJointDef, course), .types = HINGE, .of = &rslCourseStruct,
      .text = "A factor in time on the angle; smooth courses need no jerks." },
};

static void JointDefaults(void* out)
{
    *(rslJointDef*)out = rslDefaultJointDef();
}

const rslStruct rslJointStruct = {
    .name = "joint", .title = "a joint", .size = sizeof(rslJointDef), .placed = true, .keys = jointKeys,
    .keyCount = COUNT_OF(jointKeys), .lead = 0, .tagged = true, .brief = -1, .defaults = JointDefaults,
    .text = "What joins two rigid bodies, or one and the world.",
};

static const rslKey driveKeys[] = {
    { "nodes", rsl_structKey, AT(rslDriveDef, nodes), .needed = ALWAYS, .of = &rslNodesStruct,
      .text = "Springs with both ends among these nodes are driven." },
    { "strain", rsl_numberKey, AT(rslDriveDef, strain), .needed = ALWAYS, .range = { -1.0, INFINITY, true, true },
      .unit = "", .text = "Rest lengths change by the factor 1 + strain * course; negative contracts." },
    { "direction", rsl_vectorKey, AT(rslDriveDef, direction),
      .text = "Only springs within spread of this direction at rest; [0, 0, 0]: all." },
    { "spread", rsl_numberKey, AT(rslDriveDef, spread), .range = { 0.0, 90.0, true, false }, .unit = "deg",
      .text = "The largest angle to the direction." },
    { "course", rsl_structKey, AT(rslDriveDef, course), .of = &rslCourseStruct, .text = "A factor in time." },
};

static void DriveDefaults(void* out)
{
    *(rslDriveDef*)out = rslDefaultDriveDef();
}

const rslStruct rslDriveStruct = {
    .name = "drive", .title = "a drive", .size = sizeof(rslDriveDef), .placed = true, .keys = driveKeys,
    .keyCount = COUNT_OF(driveKeys), .lead = -1, .brief = -1, .defaults = DriveDefaults,
    .text = "Rest lengths driven in time: muscles, soft robots.",
};
