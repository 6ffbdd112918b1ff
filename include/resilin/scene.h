// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// scene.h: what the user wrote: bodies, materials, environment, loads, time, output.
//
// A scene is a plain tree of definitions. Read it from a file (io.h), from a node tree (tree.h), or fill it in code:
// start every struct from its rslDefault...() so that new fields get their defaults. Lists are a pointer and a count;
// in code they belong to the caller and must outlive the build; a scene that was read owns them through its arena.
//
// SI units everywhere. Angles are degrees in these definitions, because they mirror the scene file; nowhere else.

#pragma once

#include "resilin/body.h"

#ifdef __cplusplus
extern "C"
{
#endif

    // ---- chosen nodes, courses in time --------------------------------------------------------------------------

    typedef enum rslNodeSetType
    {
        rsl_allNodes,      // of the body
        rsl_boxNodes,      // min, max
        rsl_sphereNodes,   // point, radius
        rsl_planeNodes,    // on the side of the plane through point that normal points to
        rsl_nearestNodes,  // the count nodes nearest to point
        rsl_listNodes,     // indices within the body
        rsl_nodeSetTypeCount
    } rslNodeSetType;

    // Nodes chosen at rest. An empty set is an error.
    typedef struct rslNodeSetDef
    {
        rslPlace place;
        const char* body;  // name; NULL: every body
        rslNodeSetType type;
        rslVec3 min, max;  // [m]
        rslVec3 point;     // [m]
        double radius;     // [m]
        rslVec3 normal;
        int count;  // nearest; default 1
        const int* indices;
        int indexCount;
    } rslNodeSetDef;

    typedef enum rslCourseType
    {
        rsl_constantCourse,  // 1 from start on
        rsl_rampCourse,      // 0 until start, then linearly to 1 at start + duration, then 1
        rsl_pulseCourse,     // 1 from start for duration, else 0
        rsl_tableCourse,     // linear between points, constant outside
        rsl_sineCourse,      // sin(2 pi frequency (t - start) + phase) from start on
        rsl_courseTypeCount
    } rslCourseType;

    // A factor in time.
    typedef struct rslCourseDef
    {
        rslPlace place;
        rslCourseType type;
        double start;          // [s]
        double duration;       // [s], > 0 for ramp and pulse
        bool smooth;           // ramp: 3s^2 - 2s^3 instead of s; pulse: sin-like bump (4s(1-s))^2
        double frequency;      // [Hz]
        double phase;          // [deg]
        const double* points;  // t f pairs, t strictly increasing
        int pointCount;        // pairs
    } rslCourseDef;

    // ---- loads, constraints, links, drives ----------------------------------------------------------------------

    typedef enum rslLoadType
    {
        rsl_forceLoad,         // force, on the nodes
        rsl_pressureLoad,      // pressure, on the surface of a body; positive pushes inwards
        rsl_accelerationLoad,  // acceleration of every chosen node's mass: a body force
        rsl_loadTypeCount
    } rslLoadType;

    typedef struct rslLoadDef
    {
        rslPlace place;
        rslLoadType type;
        rslNodeSetDef nodes;   // force, acceleration
        const char* body;      // pressure
        rslVec3 force;         // [N]
        bool each;             // force on each node instead of shared equally among them; default false
        double pressure;       // [Pa]
        rslVec3 acceleration;  // [m/s2]
        rslCourseDef course;
    } rslLoadDef;

    typedef enum rslConstraintType
    {
        rsl_pinConstraint,     // nodes stay where they were, in the chosen world axes
        rsl_motionConstraint,  // nodes follow a prescribed motion
        rsl_constraintTypeCount
    } rslConstraintType;

    // A motion that is prescribed: x(t) = T(f) x0, f the course, T(f) = rotation by f * angle about the axis through centre,
    // then translation by f * translate.
    typedef struct rslMovementDef
    {
        rslVec3 translate;  // [m]
        rslRotationDef rotate;
        rslVec3 centre;      // [m]
        const double* path;  // instead of translate: t x y z, an offset linear between the points
        int pathCount;       // points
        rslCourseDef course;
    } rslMovementDef;

    typedef struct rslConstraintDef
    {
        rslPlace place;
        rslConstraintType type;
        rslNodeSetDef nodes;
        bool axes[3];         // world axes held; default all
        rslMovementDef move;  // motion
        // motion, nodes chosen by a list only: x y z for each index, f times which a node is moved on besides [m]
        const double* offsets;
        int offsetCount;
    } rslConstraintDef;

    typedef enum rslLinkType
    {
        rsl_springLink,  // a spring from each node of one set to the nearest node of the other
        rsl_tieLink,     // each node of one set is bound to the point of the other body where it lies
        rsl_weldLink,    // each node of one set moves with a rigid body, as a part of it
        rsl_linkTypeCount
    } rslLinkType;

    typedef struct rslLinkDef
    {
        rslPlace place;
        rslLinkType type;
        rslNodeSetDef from, to;
        double stiffness;   // [N/m]; RSL_AUTO for ties: from the bodies
        double damping;     // [N s/m]
        double restLength;  // [m]; RSL_AUTO: the distance at rest
        // pairs farther apart than this are not linked [m]; RSL_AUTO: no limit for springs, one spacing for ties (1.5 to
        // a centred lattice)
        double reach;
    } rslLinkDef;

    typedef enum rslJointType
    {
        rsl_hingeJoint,  // turns about an axis
        rsl_ballJoint,   // turns about a point
        rsl_jointTypeCount
    } rslJointType;

    // What joins two rigid bodies, or one and the world.
    typedef struct rslJointDef
    {
        rslPlace place;
        rslJointType type;
        const char* a;        // a rigid body
        const char* b;        // another; NULL: the world
        rslVec3 point;        // at rest [m]
        rslVec3 axis;         // hinge, at rest
        double angle;         // hinge: of a against b, times the course [deg]; RSL_AUTO: free
        rslCourseDef course;  // hinge with an angle
    } rslJointDef;

    // Rest lengths driven in time: muscles, soft robots. Springs with both ends among the nodes change their
    // rest length by the factor 1 + strain * course.
    typedef struct rslDriveDef
    {
        rslPlace place;
        rslNodeSetDef nodes;
        double strain;      // > -1
        rslVec3 direction;  // only springs within spread of this direction at rest; 0 0 0: all springs
        double spread;      // [deg], default 30
        rslCourseDef course;
    } rslDriveDef;

    // The unilateral ground plane: short for a collider named ground that does not move.
    typedef struct rslGroundDef
    {
        rslPlace place;
        bool enabled;
        rslVec3 point;       // [m]
        rslVec3 normal;      // default +z (+y in a 2D scene)
        double stiffness;    // penalty per node [N/m]; RSL_AUTO: a third of the trace of the node's own stiffness
        double friction;     // coefficient mu of Coulomb's friction; default 0
        double restitution;  // e; RSL_AUTO, the default: that of rslTouchDef
    } rslGroundDef;

    // How things that touch answer (docs/theory.md).
    typedef enum rslTouchScheme
    {
        rsl_autoScheme,            // predictive, barrier or penalty, as the integrator needs it
        rsl_predictiveScheme,      // impulses before anything overlaps; explicit
        rsl_plainScheme,           // Kot's first: impulses where things overlap; explicit
        rsl_overlapScheme,         // Kot's second: half of each impulse a step later; explicit
        rsl_unequalOverlapScheme,  // the same with unequal shares; explicit
        rsl_reflectionScheme,      // impulses found all together, once now and once a step later; explicit
        rsl_penaltyScheme,         // colliders push out as springs do; all integrators
        rsl_barrierScheme,         // nothing ever overlaps; implicit
        rsl_touchSchemeCount
    } rslTouchScheme;

    typedef enum rslTouchPairs
    {
        rsl_listedPairs,  // the contacts of the scene
        rsl_allPairs,     // every two bodies
        rsl_touchPairsCount
    } rslTouchPairs;

    // What is done about things that overlap at the start.
    typedef enum rslOverlapRule
    {
        rsl_refuseOverlap,    // an error
        rsl_separateOverlap,  // bodies are moved apart
        rsl_allowOverlap,
        rsl_overlapRuleCount
    } rslOverlapRule;

    // How bodies touch colliders, each other and themselves.
    typedef struct rslTouchDef
    {
        rslPlace place;
        rslTouchScheme scheme;
        rslTouchPairs pairs;     // which bodies touch each other; default listed
        bool self;               // every body with a surface touches itself; default false
        double friction;         // mu of pairs of bodies that say nothing; default 0
        double restitution;      // e of every touch that says nothing, in [0, 1]; default 1
        int sweeps;              // over all touches, of impulse schemes; default 20
        rslOverlapRule overlap;  // default refuse
    } rslTouchDef;

    // Two bodies that cannot pass through each other: vertices of the surface of each against the triangles of the other's.
    typedef struct rslContactDef
    {
        rslPlace place;
        const char *a, *b;   // names of two different bodies with surfaces
        double friction;     // mu; RSL_AUTO, the default: that of rslTouchDef
        double restitution;  // e; likewise
        double
            thickness;  // they push from this distance on [m]; RSL_AUTO: from the thickness of sheets and the spacing
    } rslContactDef;

    typedef enum rslColliderType
    {
        rsl_planeCollider,  // point, normal: nothing passes it
        rsl_shapeCollider,  // shape: a solid
        rsl_colliderTypeCount
    } rslColliderType;

    // What bodies bump into: plates, walls, conveyor belts, solids of any shape.
    typedef struct rslColliderDef
    {
        rslPlace place;
        rslColliderType type;
        const char* name;          // for probes and contacts; unique; NULL: none
        rslVec3 point;             // of the plane, where it is before it moves [m]
        rslVec3 normal;            // out of the plane; default +z (+y in a 2D scene)
        const rslShapeDef* shape;  // where it is before it moves
        // of triangles on shapes other than boxes, spheres, cylinders, capsules and meshes [m]; RSL_AUTO: a 64th of its size
        double resolution;
        double stiffness;     // as that of the ground
        double hardness;      // times the automatic stiffness; default 1
        double friction;      // likewise
        double restitution;   // likewise
        rslMovementDef move;  // default none
    } rslColliderDef;

    // ---- time and output ------------------------------------------------------------------------------------------

    typedef enum rslIntegrator
    {
        rsl_forwardEuler,
        rsl_symplecticEuler,
        rsl_positionVerlet,
        rsl_velocityVerlet,
        rsl_static,  // a state of rest at the end of every increment of the loads
        rsl_implicitEuler,
        rsl_theta,
        rsl_trBdf2,
        rsl_autoIntegrator,  // explicit or implicit, by what a frame costs
        rsl_integratorCount
    } rslIntegrator;

    typedef enum rslPrecision
    {
        rsl_single = 4,  // the value is the size of a number in bytes
        rsl_double = 8,
    } rslPrecision;

    // What solves the linear problems of static.
    typedef enum rslLinearSolver
    {
        rsl_cgSolver,       // conjugate gradients
        rsl_cholmodSolver,  // a direct solver: CHOLMOD, where it is built in
        rsl_linearSolverCount
    } rslLinearSolver;

    // As fast as things happen: frames that take no longer than a time to compute (realtime.h).
    typedef struct rslRealtimeDef
    {
        bool enabled;   // default false
        double rate;    // frames a second; > 0, default 60
        double budget;  // seconds that one may take; RSL_AUTO: three quarters of a frame
    } rslRealtimeDef;

    typedef struct rslTimeDef
    {
        rslPlace place;
        double duration;           // [s], > 0, default 1
        double step;               // [s]; RSL_AUTO: fraction of the stable step
        double fraction;           // in (0, 1], default 0.7
        rslIntegrator integrator;  // default position Verlet
        rslPrecision precision;    // default double
        int threads;               // 0: as many as the process may use
        int increments;    // static: loads and motions are applied in this many equal parts of the duration; default 1
        double tolerance;  // of forces left over, in (0, 1); RSL_AUTO: static 1e-8, implicit 1e-4 (at impacts 1e-2)
        double
            residual;  // implicit: forces left over that are always little enough, over loads and weights; in [0, 1), default 0
        bool rebound;    // steps are divided at impacts until a rebound is right; default true
        double theta;    // of the integrator 'theta': in [0.5, 1], default 0.55
        int newton;      // implicit: the most steps of Newton's method in a step; 0, the default: as many as it takes
        int iterations;  // implicit: the most iterations of conjugate gradients in each of them; likewise
        rslLinearSolver solver;  // static and implicit; default conjugate gradients
        rslRealtimeDef realtime;
    } rslTimeDef;

    typedef enum rslProbeType
    {
        rsl_nodeProbe,      // nodes: the mean of their positions, velocities and forces
        rsl_stressProbe,    // point, radius, kind: mean stress in a sphere that follows the body (field.h)
        rsl_strainProbe,    // point, distance: displacement and strain of a point of the body (field.h)
        rsl_reactionProbe,  // constraint: the force that holds its nodes, and its torque about point
        rsl_flowProbe,      // point, normal, body: the force through a plane that does not move
        rsl_groundProbe,    // body: the force of the ground on it
        rsl_colliderProbe,  // collider, body: the force of that collider on it
        rsl_jointProbe,     // joint: the force and the torque in it, on body a, and its angle
        rsl_contactProbe,   // body: what all contacts of it do to it
        rsl_probeTypeCount
    } rslProbeType;

    // How much of a spring belongs to a probe (Hardy 1982; Kot).
    typedef enum rslHardyKind
    {
        rsl_lineHardy,    // the part of its length inside of the probe
        rsl_sphereHardy,  // the part of the sphere over it as a diameter
        rsl_hardyKindCount
    } rslHardyKind;

    typedef struct rslProbeDef
    {
        rslPlace place;
        const char* name;  // column prefix; unique
        rslProbeType type;
        rslNodeSetDef nodes;
        rslVec3 point;  // stress, strain: at rest; flow: of the plane [m]
        const char*
            body;  // name; NULL: stress, strain: the first that holds the point; flow, ground, collider: all; contact: needed
        double radius;         // stress [m]; RSL_AUTO: 1.3 spacings of the body
        rslHardyKind kind;     // stress
        double distance;       // strain: to both sides [m]; RSL_AUTO: half of the spacing
        rslVec3 normal;        // flow
        int constraint;        // reaction: its index
        int joint;             // joint: its index
        const char* collider;  // name; collider
    } rslProbeDef;

    // Fields of the nodes beside position, velocity, tension and energy density (field.h).
    typedef struct rslFieldSet
    {
        bool stress;     // the tensor at nodes [Pa]
        bool vonMises;   // [Pa]
        bool principal;  // values of the stress [Pa]
        bool strain;     // Green's
        bool modulus;    // bulk modulus that a node stands for [Pa]
        bool contact;    // forces of what touches, and the friction in them [N]
    } rslFieldSet;

    typedef struct rslOutputDef
    {
        rslPlace place;
        double frames;       // frames per second of simulated time; 0: none; default 30
        bool vtu, pc2, glb;  // formats of frames; default all
        rslFieldSet fields;  // of .vtu frames; default von Mises
        double samples;      // rows per second of the CSV files; 0: none; RSL_AUTO, the default: as frames
        bool energy;         // energy.csv: energy, momentum, volume; default true
        double checkpoint;   // simulated seconds between checkpoints; 0: only at the end and on signals
        const rslProbeDef* probes;
        int probeCount;
    } rslOutputDef;

    typedef enum rslSpace
    {
        rsl_space3,   // xyz
        rsl_planeXY,  // z is locked, areas are signed
    } rslSpace;

    typedef struct rslScene
    {
        const char* title;
        rslSpace plane;
        rslVec3 gravity;  // [m/s2], default 0 0 -9.81 (0 -9.81 0 in a 2D scene)
        uint64_t seed;    // of every random choice; default 1
        rslGroundDef ground;
        rslTouchDef touch;
        rslTimeDef time;
        rslOutputDef output;
        const rslBodyDef* bodies;
        const rslLoadDef* loads;
        const rslConstraintDef* constraints;
        const rslLinkDef* links;
        const rslDriveDef* drives;
        const rslContactDef* contacts;
        const rslColliderDef* colliders;
        int bodyCount, loadCount, constraintCount, linkCount, driveCount, contactCount, colliderCount, jointCount;
        const rslJointDef* joints;
        struct rslArena* arena;  // owns the lists of a scene that was read; NULL for one made in code
    } rslScene;

    RSL_API rslScene rslDefaultScene(void);
    RSL_API rslBodyDef rslDefaultBodyDef(void);
    RSL_API rslShapeDef rslDefaultShapeDef(void);
    RSL_API rslMaterialDef rslDefaultMaterialDef(void);
    RSL_API rslNetworkDef rslDefaultNetworkDef(void);
    RSL_API rslModelDef rslDefaultModelDef(void);
    RSL_API rslVolumeDef rslDefaultVolumeDef(void);
    RSL_API rslCourseDef rslDefaultCourseDef(void);
    RSL_API rslGroundDef rslDefaultGroundDef(void);  // enabled; that of rslDefaultScene is not
    RSL_API rslColliderDef rslDefaultColliderDef(void);
    RSL_API rslTouchDef rslDefaultTouchDef(void);
    RSL_API rslTimeDef rslDefaultTimeDef(void);
    RSL_API rslOutputDef rslDefaultOutputDef(void);
    RSL_API rslNodeSetDef rslDefaultNodeSetDef(void);
    RSL_API rslLoadDef rslDefaultLoadDef(void);
    RSL_API rslConstraintDef rslDefaultConstraintDef(void);
    RSL_API rslLinkDef rslDefaultLinkDef(void);
    RSL_API rslDriveDef rslDefaultDriveDef(void);
    RSL_API rslJointDef rslDefaultJointDef(void);
    RSL_API rslContactDef rslDefaultContactDef(void);
    RSL_API rslProbeDef rslDefaultProbeDef(void);

    // Release what a scene that was read owns. A scene made in code owns nothing.
    RSL_API void rslScene_Free(rslScene* scene);

    // The mesh shapes of a scene that name a file and have no triangles yet: up to capacity of them into shapes (NULL
    // with capacity 0 to count). Returns how many there are. The reader of scene files loads them; a host that has its
    // own files does it with rslScene_GiveMesh.
    RSL_API int rslScene_MeshShapes(const rslScene* scene, const rslShapeDef** shapes, int capacity);

    // Copy the arrays into a scene that was read, for one of its mesh shapes. rsl_outOfMemory leaves it unchanged.
    RSL_API rslStatus rslScene_GiveMesh(rslScene* scene, const rslShapeDef* shape, const double* vertices,
                                        int vertexCount, const int* triangles, int triangleCount);

    // The same for networks of tetrahedra or hexahedra that name a file and have none yet: those networks, and the text of
    // the file for one of them, .msh (Gmsh, ASCII, 2.2 or 4.1) or .vtk (legacy, ASCII). Messages name lines of the text.
    RSL_API int rslScene_TetrahedraNetworks(const rslScene* scene, const rslNetworkDef** networks, int capacity);
    RSL_API rslStatus rslScene_GiveTetrahedra(rslScene* scene, const rslNetworkDef* network, const char* text,
                                              size_t length, rslReport* report);

    // The same from arrays, which are copied: x y z of nodes, four nodes a tetrahedron.
    RSL_API rslStatus rslScene_GiveTetrahedronList(rslScene* scene, const rslNetworkDef* network, const double* nodes,
                                                   int nodeCount, const int* tetrahedra, int tetrahedronCount);

    // Every problem of the scene, as errors and warnings with their places: ranges, names, counts, contradictions.
    // Called by rslModel_Build. Returns rsl_ok when there is no error.
    RSL_API rslStatus rslScene_Validate(const rslScene* scene, rslReport* report);

    // The scene as YAML, such that reading it again gives the same model bit for bit. Returns the length of the whole
    // text as snprintf does; capacity 0 to ask.
    RSL_API size_t rslScene_Write(const rslScene* scene, char* buffer, size_t capacity);

    // ---- the table of named materials -----------------------------------------------------------------------------

    typedef struct rslNamedMaterial
    {
        const char* name;
        double young, poisson, density, stiffnessDamping;
        const char* source;  // where the figures come from
    } rslNamedMaterial;

    // The table, sorted by name; *count gets its length.
    RSL_API const rslNamedMaterial* rslMaterial_Table(int* count);
    RSL_API const rslNamedMaterial* rslMaterial_Find(const char* name);  // NULL when unknown

    // The material with every number: what is RSL_AUTO comes from the named material. Without a name, or with an unknown
    // one, stiffness damping becomes 0 and the others stay RSL_AUTO. Ratios become constants; those at the first frequency of a
    // body 0, since it takes a model to know it.
    RSL_API rslMaterialDef rslMaterial_Resolve(const rslMaterialDef* material);

    // The word for a type of model in scene files.
    RSL_API const char* rslModelType_Word(rslModelType type);

    // The model of a body of a scene; never auto.
    RSL_API rslModelType rslScene_ChooseModel(const rslScene* scene, const rslBodyDef* body);

#ifdef __cplusplus
}
#endif
