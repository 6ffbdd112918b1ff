// SPDX-License-Identifier: MIT
//
// scene_schema.c: the tables of the scene language: time, probes, output, and the scene with all tables. To add a key: a field in scene.h,
// its default in scene.c, a row here or in the file of its table (scene_table.h).

#include "scene_table.h"

static const rslStruct timeStruct, probeStruct, outputStruct, sceneStruct;

// one key is one sentence, not one line per field
// clang-format off

// ---- time, probes, output ----------------------------------------------------------------------------------------

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
    { "residual", rsl_numberKey, AT(rslTimeDef, residual), .range = { 0.0, 1.0, false, true }, .unit = "",
      .text = "Implicit: a step has ended, whatever its tolerance, when the forces left over are this part of loads and weights, both as "
              "roots of sums of squares over nodes. 0.1 is enough for the eye, and bodies that lie still cost next to nothing." },
    { "rebound", rsl_boolKey, AT(rslTimeDef, rebound),
      .text = "Whether steps are divided at impacts until a rebound is right. false: explicit steps are not, unless they would crush cells "
              "or gain energy (those of damped bodies with a fraction above 0.87, others above 0.75); implicit ones in which something touches are those of backward Euler, in which nothing bounces but rigid bodies. Many times "
              "faster where contact lasts." },
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
      .of = &rslNodesStruct, .text = "The mean over these nodes is written." },
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
    { "ground", rsl_structKey, AT(rslScene, ground), .of = &rslGroundStruct, .text = "The ground; absent: none." },
    { "contact", rsl_structKey, AT(rslScene, touch), .of = &rslTouchStruct, .text = "How bodies touch." },
    { "time", rsl_structKey, AT(rslScene, time), .of = &timeStruct, .text = "How long, in what steps, and how." },
    { "output", rsl_structKey, AT(rslScene, output), .of = &outputStruct, .text = "What is written to disk." },
    { "bodies", rsl_structListKey, LIST_AT(rslScene, bodies, bodyCount), .minCount = 1, .needed = ALWAYS,
      .of = &rslBodyStruct, .text = "The bodies, soft or rigid." },
    { "loads", rsl_structListKey, LIST_AT(rslScene, loads, loadCount), .of = &rslLoadStruct,
      .text = "Forces, pressures and body forces." },
    { "constraints", rsl_structListKey, LIST_AT(rslScene, constraints, constraintCount), .of = &rslConstraintStruct,
      .text = "Pins and prescribed motions." },
    { "links", rsl_structListKey, LIST_AT(rslScene, links, linkCount), .of = &rslLinkStruct,
      .text = "Springs and ties between bodies." },
    { "drives", rsl_structListKey, LIST_AT(rslScene, drives, driveCount), .of = &rslDriveStruct,
      .text = "Rest lengths driven in time." },
    { "joints", rsl_structListKey, LIST_AT(rslScene, joints, jointCount), .of = &rslJointStruct,
      .text = "Hinges and ball joints of rigid bodies." },
    { "contacts", rsl_structListKey, LIST_AT(rslScene, contacts, contactCount), .of = &rslContactStruct,
      .text = "Pairs of bodies that push on each other." },
    { "colliders", rsl_structListKey, LIST_AT(rslScene, colliders, colliderCount), .of = &rslColliderStruct,
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
        rslGroundStruct.refine(&scene->ground, plane);
    }
}

static const rslStruct sceneStruct = {
    .name = "scene", .title = "a scene", .size = sizeof(rslScene), .keys = sceneKeys,
    .keyCount = COUNT_OF(sceneKeys), .lead = 1, .brief = -1, .defaults = SceneDefaults, .refine = SceneRefine,
    .text = "The keys at the top of a scene file.",
};

// clang-format on

static const rslStruct* const structs[] = {
    &sceneStruct,        &rslBodyStruct,       &rslShapeStruct,    &rslNetworkStruct, &rslModelStruct,
    &rslRepulsionStruct, &rslVolumeStruct,     &rslMaterialStruct, &rslDampingStruct, &rslOrthotropicStruct,
    &rslRegionStruct,    &rslSurfaceStruct,    &rslRotationStruct, &rslNodesStruct,   &rslCourseStruct,
    &rslLoadStruct,      &rslConstraintStruct, &rslLinkStruct,     &rslDriveStruct,   &rslJointStruct,
    &rslContactStruct,   &rslGroundStruct,     &rslColliderStruct, &rslTouchStruct,   &timeStruct,
    &realtimeStruct,     &outputStruct,        &probeStruct,
};

const rslStruct* rslSchema_Scene(void)
{
    return &sceneStruct;
}

const rslStruct* rslSchema_Struct(int index)
{
    return index < COUNT_OF(structs) ? structs[index] : NULL;
}
