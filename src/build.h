// SPDX-License-Identifier: MIT
//
// build.h: what the stages of rslModel_Build share.
//
// Every stage gets the rslBuild, adds its part to the model and returns a status. Memory that stays comes from the
// model's arena; scratch comes from the hooks and is released by who took it.

#pragma once

#include "resilin/model.h"
#include "resilin/shape.h"
#include "memory.h"

typedef struct rslBuild
{
    const rslScene* scene;
    rslModel* model;
    rslArena* arena;              // of the model
    rslReport* report;            // may be NULL
    rslBody* bodies;              // of the model, while they can still be written
    double** masses;              // scratch: of every body, until they are joined
    struct rslInertia* inertias;  // scratch: of every body; those of rigid bodies of elements are summed up in it
    rslRigid* rigids;             // of the model, while they can still be written
    double* trace;                // scratch: sum of the constants of every node's springs [N/m]; NULL until asked for
} rslBuild;

// Nodes and springs of a body before they are sorted and centred. Scratch, released by rslDraft_Free.
typedef struct rslDraft
{
    int nodeCount, springCount;
    double* positions;   // x y z in the world [m]
    double* masses;      // [kg]
    rslSpring* springs;  // node indices within the body
} rslDraft;

void rslDraft_Free(rslDraft* draft, const rslHooks* hooks);

// shape > network > material: each fills body and build->masses[index of body]
rslStatus rslBuild_Lattice(rslBuild* build, const rslBodyDef* def, const rslShape* shape, rslBody* body);
rslStatus rslBuild_Sheet(rslBuild* build, const rslBodyDef* def, rslBody* body);
rslStatus rslBuild_Random(rslBuild* build, const rslBodyDef* def, const rslShape* shape, rslBody* body);
rslStatus rslBuild_Tetrahedra(rslBuild* build, const rslBodyDef* def, rslBody* body);
rslStatus rslBuild_Hexahedra(rslBuild* build, const rslBodyDef* def, rslBody* body);
rslStatus rslBuild_Explicit(rslBuild* build, const rslBodyDef* def, rslBody* body);

// Triangles, tetrahedra or hexahedra of a network.
typedef struct rslElementList
{
    int count, corners;
    const int* nodes;
    int firstNode;  // added to them
    double share;   // volume that each stands for, over its own
} rslElementList;

// Finite elements instead of the springs of a body that is built, if its model says so; of a rigid body their inertia.
rslStatus rslBuild_Elements(rslBuild* build, const rslBodyDef* def, const rslElementList* list, rslBody* body);

// The same in the cells of a lattice body: its own, or those between its nodes.
rslStatus rslBuild_Cells(rslBuild* build, const rslBodyDef* def, const rslLattice* cells, rslBody* body);

// Bricks in the cells of a lattice whose elements are known; and before it has masses, the shares of the corners of cut cells.
rslStatus rslBuild_Bricks(rslBuild* build, const rslBodyDef* def, const rslLattice* cells, rslBody* body);
rslStatus rslBuild_BrickShares(rslBuild* build, const rslBodyDef* def, rslLattice* lattice);

// The cells between the nodes of a centred lattice as a lattice of their own, without rows.
struct rslGrid;
rslStatus rslBuild_DualCells(rslBuild* build, const rslBodyDef* def, const rslShape* shape, const struct rslGrid* grid,
                             const double* weight, rslBody* body, rslLattice* lattice);

// Move masses of bricks so that their rotary inertia is nearly right; cells times the factor are the masses of the cells.
rslStatus rslBuild_Dipole(rslBuild* build, const rslBodyDef* def, const rslLattice* lattice, const double* cells,
                          double factor, int nodeCount, double* mass);

// The constants of one brick (brick.h) from what is filled of its cell.
void rslBrick_Record(const rslBorderCell* cell, const rslModelDef* model, double nu, double* record);

// Gradient of the shape function of a corner of a brick, mean over what is filled [1/m]; trace of what its springs add to K_nn
// over mu times its volume [1/m2].
rslVec3 rslBrick_Gradient(const rslBody* body, int element, int corner);
double rslBrick_SpringTrace(const rslBody* body, int element, int corner);

// Make the elements of a body Baudet's boxes.
rslStatus rslBuild_Boxes(rslBuild* build, const rslBodyDef* def, rslBody* body);

// Trace of K_ii at rest of a corner of a box [N/m].
double rslBoxes_Trace(const rslBody* body, int element);

// Mean stress of a box at small displacements u of its corners: xx yy zz yz zx xy, in the axes that its edges are given in.
void rslBoxes_Stress(const rslElements* set, const rslVec3 edges[3], const rslVec3 u[8], double stress[6]);

// Corners of an element with eight of them at rest, in the body frame.
void rslElements_Corner(const rslBody* body, int element, double x[8][3]);

// Volume of an element at rest, times its weight [m3].
double rslElements_Volume(const rslBody* body, int element);

// What a corner has of it; these sum up to 1.
double rslElements_Share(const rslBody* body, int element, int corner);

// Gradients of the shape functions of its corners, mean over it, in the body frame at rest [1/m].
void rslElements_Gradients(const rslBody* body, int element, rslVec3 gradient[8]);

// Add the traces of K_ii at rest.
void rslElements_AddTrace(const rslBody* body, double* trace);

static inline int rslElements_Corners(const rslElements* elements)
{
    return elements->thickness > 0.0 ? 3 : elements->kind == rsl_tetrahedronElements ? 4 : 8;
}

// What becomes of springs between the same two nodes.
typedef enum rslParallel
{
    rsl_keepParallel,  // each stays
    rsl_addParallel,   // one, with the sum of their constants
    rsl_dropParallel,  // the first stays
} rslParallel;

// Sort the springs of a draft by their ends, put the frame at the centre of mass and keep the masses.
rslStatus rslBuild_Network(rslBuild* build, const rslBodyDef* def, const rslDraft* draft, rslParallel parallel,
                           rslBody* body);

// Keep triangles (corners 3) or tetrahedra (4) of a body as those of its network; nodes are counted within the body.
rslStatus rslBuild_KeepElements(rslBuild* build, const int* nodes, int count, int corners, rslBody* body);

// Triangles between the nodes of a body as its surface: every node is a vertex.
rslStatus rslBuild_OwnSurface(rslBuild* build, const int* corners, int count, bool closed, rslBody* body);

// The surface of a body that fills a shape, embedded in it.
rslStatus rslBuild_Surface(rslBuild* build, const rslBodyDef* def, const rslShape* shape, rslBody* body);

// Vertices of a mesh embedded in a body that is built: eight global nodes and weights each.
rslStatus rslBuild_Embed(rslBuild* build, const rslMesh* mesh, const rslBody* body, int* nodes, double* weights);

// What touches of a body that fills a shape; of all others, when everything else is known.
rslStatus rslBuild_ShapeSkin(rslBuild* build, const rslBodyDef* def, const rslShape* shape, rslBody* body);
rslStatus rslBuild_Skins(rslBuild* build);

// What a coarser level of detail takes from the finest. Gets and returns how its network was built, and says when it cannot be.
rslStatus rslBuild_Level(rslBuild* build, const rslBodyDef* def, rslStatus built, rslBody* body);

// A seed for a body: that of the scene, and different for every name, whatever the order of the bodies.
uint64_t rslBuild_Seed(const rslBuild* build, const char* name);

// The material that the springs of a body alone have: that of the scene, or what dispersion takes as its base.
rslMaterialDef rslBuild_Material(const rslBodyDef* def, const rslMaterialDef* material);

// How much springs share for a Poisson's ratio, on an isotropic network.
double rslDispersion_Q(double poisson);

// Let the springs of a body that is built share what they feel, if its model says so.
void rslBuild_Dispersion(rslBuild* build, const rslBodyDef* def, int index);

// What keeps the elements of a body that is built from collapsing.
rslStatus rslBuild_Repulsion(rslBuild* build, const rslBodyDef* def, rslBody* body);

// Its elements. One that cannot be kept from collapsing is an error where repulsion was asked for, else left out with a warning.
rslStatus rslBuild_RepulsionElements(rslBuild* build, const rslBodyDef* def, rslBody* body);

// The constants of repulsion that is felt at rest, whose elements are known, and what it leaves to the springs.
rslStatus rslBuild_Share(rslBuild* build, const rslBodyDef* def, rslBody* body);

// What such repulsion leaves to models other than springs: the material of a definition becomes that of the rest, and when all is built
// the body gets the moduli of the whole again, by its own definition (build_rest.c).
bool rslBuild_HasRest(const rslBodyDef* def);
rslStatus rslBuild_LeaveRest(rslBuild* build, rslBodyDef* def);
void rslBuild_AddRest(const rslBodyDef* def, rslBody* body);

// False when forces inside of a body have no energy.
bool rslModel_HasEnergy(const rslModel* model);

// What a model is without an energy for, that is to say all of its forces, and what to do: "dispersion of this model has none: ...".
// NULL: it has one.
const char* rslModel_WithoutEnergy(const rslModel* model);

// Say so when a material asks for what springs alone cannot do.
void rslBuild_CheckPoisson(rslBuild* build, const rslBodyDef* def, double poisson, double natural);

// What is needed to keep the volumes of bodies, of which the masses are known.
rslStatus rslBuild_Volumes(rslBuild* build);

// What is welded to rigid bodies is known: whether hard volumes can stand it.
rslStatus rslBuild_CheckVolumes(rslBuild* build);

// Vertices of a surface at rest in the body frame, x y z.
void rslSurface_Rest(const rslBody* body, double* xyz);

// Share out the vertices of a surface, given at rest, among centres that see them. centreOf gets the centre of each; an
// error when some are not seen.
rslStatus rslBuild_Centres(rslBuild* build, const rslBodyDef* def, const rslBody* body, const double* vertices,
                           int* centreOf);

// Rigid bodies: what their network is built from; the inertia of their elements (density per area or volume); their
// masses; then, when constraints and links are known, what they carry and what holds them.
void rslBuild_RigidDef(rslBodyDef* def);
void rslBuild_AddRigid(rslBuild* build, const rslBody* body, double density, const rslElementList* list);
rslStatus rslBuild_Rigids(rslBuild* build);
rslStatus rslBuild_Welds(rslBuild* build);
rslStatus rslBuild_HoldRigids(rslBuild* build);
rslStatus rslBuild_Joints(rslBuild* build);

rslStatus rslBuild_Loads(rslBuild* build);
rslStatus rslBuild_Constraints(rslBuild* build);
rslStatus rslBuild_Links(rslBuild* build);
rslStatus rslBuild_Drives(rslBuild* build);
rslStatus rslBuild_Colliders(rslBuild* build);
rslStatus rslBuild_Pairs(rslBuild* build);

// What bodies overlap at the start, when all else is known; and whether colliders are among it.
rslStatus rslBuild_Overlaps(rslBuild* build);
bool rslBuild_SeesOverlap(const rslScene* scene);

// The course of a definition, with its points copied. False when out of memory.
bool rslBuild_Course(rslBuild* build, const rslCourseDef* def, rslCourse* course);

// Choose nodes into the arena.
rslStatus rslBuild_Select(rslBuild* build, const rslNodeSetDef* def, const int** nodes, int* count);

// A movement with its course and path copied. False when out of memory.
bool rslBuild_Movement(rslBuild* build, const rslMovementDef* def, rslMovement* move);

// Sum of the constants of the springs of every node: the trace of K_ii; of nodes of rigid bodies three times what stops them
// (build_stiffness.c). NULL when out of memory.
const double* rslBuild_Trace(rslBuild* build);

// What a rigid body may hit something with: kg, m, m/s; and the stiffness that stops it within a twentieth of its size.
typedef struct rslImpact
{
    double mass, size, speed;
} rslImpact;

rslImpact rslBuild_Impact(const rslBuild* build, int body);
double rslImpact_Stiffness(rslImpact impact);

// How many parts a body has that no spring holds together. -1 when out of memory.
int rslModel_Components(const rslModel* model, int body, const rslHooks* hooks);

// World position at rest of the nodes [begin, end) of one body, global indices.
void rslBody_WorldRest(const rslBody* body, int begin, int end, double* xyz);

// Bounds of the nodes of a body in the world at rest.
rslBounds rslBody_WorldBounds(const rslBody* body);

// The longest extent of the nodes of a body along the axes of its frame at rest, and the shortest that is not flat: 0, and
// infinite, of a single node.
typedef struct rslExtents
{
    double shortest, longest;
} rslExtents;

rslExtents rslBody_Extents(const rslBody* body);

// Hash of all that physics depends on.
uint64_t rslModel_Fingerprint(const rslModel* model);
