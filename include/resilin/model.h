// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// model.h: a scene built into nodes, springs and terms. Constant from then on.
//
// Nodes are numbered through, body after body. All arrays are double precision in this public order; they belong to the
// model. A solver may permute and narrow them inside.

#pragma once

#include "resilin/scene.h"

#ifdef __cplusplus
extern "C"
{
#endif

    typedef enum rslBodyKind
    {
        rsl_latticeBody,  // springs are enumerated from the cells, never stored
        rsl_networkBody,  // springs are stored
    } rslBodyKind;

    // Consecutive nodes of a lattice along x: (i, j, k), (i + 1, j, k), ...
    typedef struct rslLatticeRow
    {
        int i, j, k;
        int count;
        int first;  // index of the first of them within the body
    } rslLatticeRow;

    // What a shape fills of a cell that its surface passes through. With the coordinates s in [-1/2, 1/2]^3 of the cell
    // and < > the mean over the filled part. A full cell has fraction 1, variance 1/12 and else 0; the share of a corner
    // with the signs g = (+-1/2)^3 in the filled part, < prod_i (1/2 + 2 g_i s_i) >, is
    //     1/8 + (g . c) / 2 + 2 (g_y g_z p_yz + g_z g_x p_zx + g_x g_y p_xy) + 8 g_x g_y g_z t
    typedef struct rslBorderCell
    {
        int64_t cell;        // i + cells[0] (j + cells[1] k)
        double fraction;     // x: filled volume over a^3, in (0, 1)
        double centroid[3];  // c_i = <s_i>
        double variance[3];  // D_i = <s_i^2> - c_i^2
        double product[3];   // p_yz = <s_y s_z>, p_zx, p_xy; not centred
        double triple;       // t = <s_x s_y s_z>
    } rslBorderCell;

    enum
    {
        RSL_LATTICE_BONDS =
            13  // directions of bonds: 3 of shell A (edges), 6 of B (face diagonals), 4 of C (body diagonals)
    };

    // Nodes on a cubic grid. Spring constants are those of inner bonds; a border bond has its share of the cells around it
    // (corner construction) or the mean weight of its ends (centred).
    typedef struct rslLattice
    {
        rslConstruction construction;
        double spacing;  // a [m]
        rslVec3 origin;  // of node (0, 0, 0) in the body frame [m]
        int cells[3];    // extent in cells
        int extent[3];   // extent in nodes: cells + 1 (corner) or cells (centred)
        // of every cell, x fastest: 0 empty, 1 full. With anti-aliasing the filled fraction, and beyond it what was taken
        // over from dropped neighbours, so it may exceed 1; the sum times a^3 is the volume of the shape.
        const double* weight;
        // of every cell: the weight times the stiffness of what fills it over that of the body's material; weight itself
        // without regions
        const double* stiff;
        const double* damp;           // of every cell: stiff times alpha1 [s]; NULL: alpha1 is that of the body
        const double* ratio;          // of every cell: Poisson's ratio, where regions of bricks differ; else NULL
        const rslBorderCell* border;  // with anti-aliasing: cells cut by the surface, also dropped ones, sorted by cell
        // of each border cell: the parts of its corners in what it holds, 8 that sum up to 1; NULL: 1/8 each
        const double* share;
        int borderCount;
        int droppedCount;                     // of them: filled less than the threshold, so without weight
        double volumeBound;                   // of the error of the volume [m3]; 0: planes only, but for rounding
        double stiffness[RSL_LATTICE_BONDS];  // by direction: A along x, y, z; B in xy, xy, zx, zx, yz, yz; C [N/m]
        rslSpringLaw law;                     // of all springs; their stiffness is that at rest
        const rslLatticeRow* rows;            // sorted by k, then j, then i; gaps in a line make several
        int rowCount;
        const int* lineStart;  // rows of the line (j, k): [lineStart[l], lineStart[l + 1]), l = j + extent[1] * k
    } rslLattice;

    // One spring. Node indices are global.
    typedef struct rslSpring
    {
        int a, b;
        double stiffness;   // [N/m]
        double damping;     // [N s/m]
        double restLength;  // [m]
    } rslSpring;

    // Any nodes and springs.
    typedef struct rslNetwork
    {
        const double* rest;        // x y z of every node in the body frame [m]
        const rslSpring* springs;  // sorted by (a, b), a < b
        int springCount;
        rslSpringLaw law;  // of all of them; their stiffness is that at rest
        // elements that springs lie between, whatever gives them their stiffness; a network has one kind or none
        const int*
            triangles;  // of sheets and explicit networks: three nodes each, in 2D scenes of positive area; or NULL
        const int* tetrahedra;  // of tetrahedra and explicit networks: four nodes each, of positive volume; or NULL
        int triangleCount, tetrahedronCount;
    } rslNetwork;

    typedef enum rslElementKind
    {
        rsl_noElements,
        rsl_triangleElements,  // of sheets, in plane stress
        rsl_tetrahedronElements,
        rsl_hexahedronElements,  // cells of a lattice; corner c is at x = c & 1, y = c >> 1 & 1, z = c >> 2
        rsl_brickElements,       // the same cells, also those that the surface cuts
        rsl_boxElements,         // Baudet's: springs along edges and diagonals, and a correction; corners as above
        rsl_angleElements,       // triangles of sheets: springs, angular springs and a spring of the area
        rsl_solidElements,       // hexahedra with corners anywhere, numbered as above
        rsl_elementKindCount
    } rslElementKind;

    // Finite elements between the nodes of a body, instead of springs: those of its network are then only edges, without
    // stiffness. Node indices are global.
    typedef struct rslElements
    {
        rslElementKind kind;
        rslElementLaw law;
        bool incompatible;  // hexahedra: with Wilson's modes
        int count;
        const int* nodes;       // 3, 4 or 8 each
        const double* weight;   // of each: its stiffness over that of an element that is full of the body's material
        const double* damping;  // alpha1 of each [s]; NULL: that of the body
        // constants of the shape at rest are kept in records, which elements of one shape may share
        int recordCount;          // 0: every element has its own
        const int* record;        // of each; NULL: all share the first
        const double* constants;  // bricks: 56 a record, of what is filled of the cell (src/brick.h); for others NULL
        const double* ratio;      // Poisson's ratio of each; NULL: poisson
        double young, poisson;    // of the body's material
        double thickness;         // of triangles [m]; 0 for solids
        double edgeModulus;       // of boxes: s [Pa]; RSL_AUTO: Baudet's own
        bool faceDiagonals;       // of boxes, instead of those through the body
    } rslElements;

    // Nodes [first, first + count) of a lattice that are the lowest corners of cells; global indices. Corner c of the cell of
    // node n is n + (c & 1) + offset[c >> 1], in the order of hexahedra.
    typedef struct rslCellRun
    {
        int first, count;
        int before;     // elements before those of this run
        int offset[4];  // offset[0] = 0
        bool odd;       // i + j + k of the first cell; it alternates along the run
    } rslCellRun;

    // Triangles, tetrahedra or cells that resist collapse.
    typedef struct rslRepulsion
    {
        rslRepulsionType law;  // rsl_noRepulsion when count is 0; never auto
        int corners;           // of an element: 3, 4 or 8
        int count;
        // global indices; of cells of lattices NULL, and runs instead: rslRepulsion_Nodes answers for both. Triangles in the
        // plane and tetrahedra are positive at rest
        const int* nodes;
        const int*
            numbers;  // of the elements in the list of the body, where some of it are left out; NULL: all are here
        const rslCellRun* runs;
        int runCount;
        double stiffness;           // k of all [N/m]
        const double* stiffnesses;  // of each, instead; NULL: the same for all
        // k of a height, or of a centroid spring, over that of its element: vertices of the pieces of all elements; of cells of
        // lattices, one after another, the same for all. NULL: 1
        const double* parts;
    } rslRepulsion;

    // Nodes of an element, as many as it has corners. Eight are split into five tetrahedra, by the corners
    // 0 5 3 6, 1 3 0 5, 2 0 3 6, 4 5 0 6 and 7 3 5 6 as they come here: odd cells of a lattice are turned by a quarter about z,
    // so that the splits of neighbours agree on the faces between them.
    RSL_API void rslRepulsion_Nodes(const rslRepulsion* repulsion, int element, int nodes[8]);

    // The embedded surface: vertex = sum of weight * node over 8 entries (unused ones have weight 0).
    typedef struct rslSurface
    {
        int vertexCount, triangleCount;
        const int* triangles;          // vertex indices, counter-clockwise from outside
        const int* stencilNodes;       // 8 a vertex, global node indices
        const double* stencilWeights;  // 8 a vertex
        bool closed;                   // so it has a volume
    } rslSurface;

    // What touches of a body: a surface over its nodes, about as fine as they are, or spheres around nodes (no triangles). Nodes are
    // contact nodes: indices into model->contactNodes.
    typedef struct rslSkin
    {
        int vertexCount, triangleCount, edgeCount;
        const int* triangles;      // vertices, counter-clockwise from outside
        const int* edges;          // two vertices each, the smaller one first
        const int* edgeTriangles;  // two each: on both sides of an edge; -1: none
        const int* stencilStart;   // of every vertex, into the next two; one more at the end
        const int* stencilNodes;
        const double* stencilWeights;  // sum to 1
        const double* radius;          // of every vertex of spheres [m]; NULL: a surface
        double thickness;              // of a surface: other skins touch it at this distance from it [m]
        double half;                   // the same for colliders, whose inside is known: half of a sheet, else 0 [m]
        bool closed;                   // it has an inside
    } rslSkin;

    // How the volume inside of a surface is kept. Vertices are those of the body's surface, then one a loop of its border:
    // the mean of the loop's vertices.
    typedef struct rslEnclosed
    {
        rslVolumeMethod method;
        double stiffness, radial;  // K [N/m] or kv [Pa]; K C [N/m]
        double volume;             // V0, at rest [m3]
        double area;               // S, at rest, without what closes a border [m2]
        double rate;               // what a unit of stiffness adds to the square of the highest frequency, at rest
        int vertexCount, triangleCount;
        const int* triangles;  // those of the surface, then those that close its border
        int loopCount;
        const int* loopStart;     // into loopVertices
        const int* loopVertices;  // each vertex in one loop at most
        // support springs
        int centreCount;
        const int* centreOf;  // of every vertex of the surface
        const double* share;  // c_i: its area over the mean area of triangles
    } rslEnclosed;

    // x = origin + R (X + u), v = V + R w: where a body's frame is and how it moves. Rigid bodies have u = 0, and V is the
    // velocity of their centre of mass.
    typedef struct rslFrame
    {
        rslVec3 origin;    // c [m]
        rslQuat rotation;  // R
        rslVec3 velocity;  // V [m/s]
        rslVec3
            momentum;  // L, of rigid bodies: angular momentum about their centre of mass, world axes [kg m2/s]; else 0
    } rslFrame;

    // A body that moves as one, together with all nodes that are welded to it.
    typedef struct rslRigid
    {
        int body;
        int constraint;        // that holds or moves all of it; -1: it is free
        bool planar;           // turns about z only
        double mass;           // with welded nodes [kg]
        rslVec3 centre;        // C: of mass, in the frame of the body [m]
        rslQuat axes;          // P: principal axes to axes of the frame
        double inertia[3];     // I: about them, smallest first [kg m2]
        double hidden[6];      // beyond that of its nodes, axes of the frame: xx yy zz yz zx xy [kg m2]
        const int* welded;     // nodes of other bodies, sorted
        const double* places;  // of each in the frame of the body, x y z [m]
        int weldCount;
    } rslRigid;

    // Moduli along the axes of a lattice.
    typedef struct rslAxisModuli
    {
        bool given;
        double young[3];    // E_x, E_y, E_z [Pa]
        double shear[3];    // G_yz, G_zx, G_xy [Pa]
        double poisson[6];  // nu_xy, nu_yz, nu_zx, nu_yx, nu_zy, nu_xz; nu_xy: contraction along y by a pull along x
    } rslAxisModuli;

    // A material of a body, and how much of it there is.
    typedef struct rslRegion
    {
        double volume, mass;                   // [m3], [kg]
        double young, poisson, shear, bulk;    // what it is predicted to measure as, as those of the body
        double density;                        // [kg/m3]
        double massDamping, stiffnessDamping;  // of its material: alpha0 [1/s], alpha1 [s]
    } rslRegion;

    // Springs that share what they feel with the others at their ends, for a Poisson's ratio other than 1/4.
    typedef struct rslDispersion
    {
        rslDispersionVariant variant;
        double q;             // how much: the bulk modulus is 1 + 2 q times that of the springs; -1/2 < q, 0: none
        double scale;         // q times this is what the formulas have: 1, but for the cheap variant
        const double* nodeQ;  // of every node of the body, where regions differ; NULL: q
        bool lag;             // springs answer what nodes felt a step before
        bool absolute;        // |q| instead of q: what bounds the steps of a lag
    } rslDispersion;

    enum
    {
        RSL_HINGE_ROW = 5  // a hinge and the four others of its two triangles
    };

    // Bending of a sheet: W = 1/2 sum over hinges e, f of Q_ef a_e a_f, a the angle of a hinge beyond that at rest [rad].
    typedef struct rslBending
    {
        int count;          // of hinges; 0: none
        const int* nodes;   // four a hinge, global: the ends of the edge, then the opposite corners
        const int* others;  // RSL_HINGE_ROW a hinge: which hinges the row of Q has, the hinge itself first; -1: none
        const double* stiffness;  // likewise: Q [N m]
        double modulus, poisson;  // B [N m], nu
    } rslBending;

    typedef struct rslBody
    {
        char name[65];
        rslBodyKind kind;
        rslModelType model;  // what was chosen when it was left open
        int firstNode, nodeCount;
        rslLattice lattice;  // lattice bodies
        rslNetwork network;  // network bodies
        rslDispersion dispersion;
        rslElements elements;     // count 0: springs
        rslRepulsion repulsion;   // count 0: none
        rslBending bending;       // of a sheet
        rslSurface surface;       // vertexCount 0 when there is none
        rslSkin skin;             // vertexCount 0: nothing touches it
        rslSurface drawn;         // levels of detail: that of the finest level; vertexCount 0: the surface is drawn
        rslEnclosed enclosed;     // how its volume is kept
        rslFrame frame;           // at the start
        rslVec3 spin;             // at the start [rad/s], world axes, about the centre of mass
        double massDamping;       // alpha0 [1/s]
        double stiffnessDamping;  // alpha1 [s]; lattice bodies: damper alpha1 k beside every spring
        // of its own material, where ratios have become constants: alpha0 [1/s], alpha1 [s]. Dampers may have other constants where
        // springs share the stiffness with what is not damped
        double materialDamping[2];
        double firstFrequency;  // [Hz] of the body alone, as it is held at the start, where a ratio asks for it; else 0
        double mass;            // [kg]
        double volume;          // of the material [m3]; 0 when unknown (explicit networks)
        // what the network is predicted to measure as; 0 when unknown. The bulk of a sheet is the modulus of its area,
        // E / (2 (1 - nu))
        double young, poisson, shear, bulk;  // [Pa], -, [Pa], [Pa]; orthotropic: means over the axes, but for bulk
        rslAxisModuli axes;                  // orthotropic lattices
        // bodies of several materials: that of the body where no region is, then those of the regions; else none. The figures
        // around are those of the body's own material
        const rslRegion* regions;
        int regionCount;
        const double* nodeVolume;   // of every node of the body [m3]; NULL: mass over density
        const double* nodeDamping;  // alpha0 of every node of the body [1/s]; NULL: massDamping
        double density;             // [kg/m3]
        double waveSpeed;           // of pressure waves [m/s]
        double spacing;             // typical spring length along an axis [m]
        double thickness;           // of a sheet [m]; 0: not a sheet
    } rslBody;

    // A factor in time, ready to be evaluated.
    typedef struct rslCourse
    {
        rslCourseType type;
        double start, duration, frequency, phase;  // [s], [s], [Hz], [deg]
        bool smooth;
        const double* points;
        int pointCount;
    } rslCourse;

    RSL_API double rslCourse_Value(const rslCourse* course, double time);

    // A prescribed motion, ready to be evaluated (movement.h).
    typedef struct rslMovement
    {
        rslVec3 translate;   // [m]
        rslVec3 axis;        // unit; zero when there is no rotation
        double angle;        // [deg]
        rslVec3 centre;      // [m]
        const double* path;  // t x y z
        int pathCount;
        rslCourse course;
    } rslMovement;

    // A hinge or ball joint. Axes are unit vectors: the last along the hinge, the others across.
    typedef struct rslJoint
    {
        rslJointType type;
        int rigids[2];       // indices of rigid bodies a and b; -1: the world
        rslVec3 places[2];   // of the joint in their frames, or in the world [m]
        rslVec3 axes[2][3];  // likewise
        bool driven;         // hinge: its angle is prescribed
        double angle;        // [deg]
        rslCourse course;    // times which it is
    } rslJoint;

    typedef struct rslLoad
    {
        rslLoadType type;
        int body;          // pressure
        const int* nodes;  // sorted, global
        int nodeCount;
        rslVec3 value;    // force on each node [N], or acceleration [m/s2]; world axes
        double pressure;  // [Pa]
        rslCourse course;
    } rslLoad;

    typedef struct rslConstraint
    {
        rslConstraintType type;
        const int* nodes;  // sorted, global; a node has at most one constraint an axis
        int nodeCount;
        const double* start;  // world position of each node at the start, x y z [m]
        bool axes[3];         // world axes held
        rslMovement move;
        const double* offsets;  // of each node, x y z [m]; NULL: none
    } rslConstraint;

    enum
    {
        RSL_LINK_NODES = 9
    };

    // A spring between points of bodies: d = sum of weight * x over the nodes, weights sum to zero;
    // energy 1/2 k (|d| - L)^2. A tie has L = 0 and d = 0 at rest; to a point beside a flat body, L = |d|.
    typedef struct rslLink
    {
        int nodeCount;
        int nodes[RSL_LINK_NODES];
        double weights[RSL_LINK_NODES];
        double stiffness, damping, restLength;  // [N/m], [N s/m], [m]
    } rslLink;

    enum
    {
        RSL_MAX_DRIVES = 32  // a bit each in driveMask
    };

    typedef struct rslDrive
    {
        double strain;
        rslVec3 direction;  // unit, in the world at rest; zero: all springs
        double cosine;      // of the spread
        rslCourse course;
    } rslDrive;

    // A plane or a solid that nothing sinks into. That of the ground comes first and is named so.
    typedef struct rslCollider
    {
        char name[65];  // empty: none
        rslColliderType type;
        rslVec3 point, normal;    // of a plane, before it moves [m], unit
        struct rslSolid* solid;   // what it is otherwise (collide_shape.h); owned by the model
        const double* stiffness;  // of every node [N/m]
        double friction;          // mu
        double restitution;       // e
        bool moves;
        rslMovement move;
    } rslCollider;

    typedef struct rslPlane
    {
        bool enabled;
        rslVec3 point, normal;  // [m], unit
    } rslPlane;

    // Where a plane is at a time; not enabled when the collider is none.
    RSL_API rslPlane rslCollider_At(const rslCollider* collider, double time);

    // How things touch.
    typedef struct rslTouchRules
    {
        rslTouchScheme scheme;
        rslTouchScheme foreseen;  // what it is with the integrator of the scene; never auto
        rslTouchPairs pairs;
        bool self;
        double friction, restitution;  // of pairs of bodies that are not listed
        int sweeps;
        bool parts;  // what overlaps is pushed apart, whatever that costs
    } rslTouchRules;

    // How a body touches another, itself or a collider.
    typedef struct rslContactPair
    {
        int body, other;               // body <= other; other: a body, or model->bodyCount plus a collider
        bool touches;                  // at all
        double friction, restitution;  // mu, e
        double thickness;              // they are touched at this distance [m]; NaN: that of the skins
    } rslContactPair;

    typedef struct rslModel
    {
        rslSpace plane;
        rslVec3 gravity;
        int nodeCount;
        int64_t springCount;  // with the edges of elements
        int64_t elementCount;
        int bodyCount, loadCount, constraintCount, linkCount, driveCount, colliderCount;
        const rslBody* bodies;
        const int* byName;   // body indices in the order of their names
        const double* mass;  // of every node [kg]
        const rslLoad* loads;
        const rslConstraint* constraints;
        const rslLink* links;
        const rslDrive* drives;
        const uint32_t* driveMask;  // of every node; NULL without drives
        const rslCollider* colliders;
        rslTouchRules touch;
        const rslContactPair* pairs;  // those that are listed, sorted; rslModel_PairOf has the others
        int pairCount;
        const int* contactNodes;  // nodes that skins hang on, ascending
        int contactNodeCount;
        const rslRigid* rigids;  // in the order of their bodies
        const rslJoint* joints;
        int rigidCount, jointCount;
        uint64_t fingerprint;  // of everything above: the same for the same physics
        size_t bytes;          // memory held by the model
        double buildSeconds;   // how long the build took
        rslHooks hooks;
        struct rslArena* arena;
    } rslModel;

    // Build a scene. Validates it first; all problems are reported. Free with rslModel_Free.
    RSL_API rslStatus rslModel_Build(const rslScene* scene, const rslHooks* hooks, rslModel** model, rslReport* report);
    RSL_API void rslModel_Free(rslModel* model);

    // Every spring of a body once, in a fixed order (a < b); stops early when visit returns false. Links are not springs
    // of a body. Of finite elements their edges, with stiffness and damping 0.
    typedef bool rslSpringVisitor(const rslSpring* spring, void* context);
    RSL_API void rslModel_VisitSprings(const rslModel* model, int body, rslSpringVisitor* visit, void* context);

    // The volume of material that a node stands for [m3]; 0 when unknown.
    RSL_API double rslModel_NodeVolume(const rslModel* model, const rslBody* body, int node);

    // Rest position in the body frame of the nodes [begin, end) of one body, global indices; x y z each.
    RSL_API void rslBody_Rest(const rslBody* body, int begin, int end, double* xyz);

    // The most stiffness of a body's volume that a step takes, for symplectic Euler and Verlet [N/m or Pa]: 4 / (step^2 rate);
    // infinite where there is no limit.
    RSL_API double rslBody_VolumeLimit(const rslBody* body, double step);

    // The rigid body that a body is; NULL for others.
    RSL_API const rslRigid* rslModel_Rigid(const rslModel* model, int body);

    // Index of the body that holds a node.
    RSL_API int rslModel_BodyOf(const rslModel* model, int node);

    // Index of a body by name, -1 when there is none.
    RSL_API int rslModel_Find(const rslModel* model, const char* name);

    // What a collider is: "plane", "box", "mesh of 12 triangles". Returns the length as snprintf does.
    RSL_API int rslCollider_Describe(const rslCollider* collider, char* buffer, size_t capacity);

    // Index of a collider by name, -1 when there is none.
    RSL_API int rslModel_FindCollider(const rslModel* model, const char* name);

    // How a body and another (or itself), or model->bodyCount plus a collider, touch.
    RSL_API rslContactPair rslModel_PairOf(const rslModel* model, int body, int other);

    // Nodes that a definition chooses, in world coordinates at rest, sorted. The array is released by the caller with
    // the model's hooks through rslModel_FreeNodes. An empty set is an error.
    RSL_API rslStatus rslModel_Select(const rslModel* model, const rslNodeSetDef* def, int** nodes, int* count,
                                      rslReport* report);
    RSL_API void rslModel_FreeNodes(const rslModel* model, int* nodes);

#ifdef __cplusplus
}
#endif
