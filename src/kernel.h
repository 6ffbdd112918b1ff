// SPDX-License-Identifier: MIT
//
// kernel.h: a model prepared for one precision, and the view of a state that the terms see.
//
// Nodes are cut into chunks of a fixed size, independent of the number of threads. Every pass runs over chunks; every
// node sums its own forces in a fixed order; sums over chunks are taken in their order. Vectors of a body are in its
// frame's axes. Between re-basings the frame does not turn and moves uniformly: it is inertial.

#pragma once

#include "ascending.h"
#include "collide_shape.h"
#include "lattice.h"
#include "memory.h"
#include "movement.h"
#include "real.h"
#include "state_internal.h"
#include "team.h"
#include "vec.h"
#include "wide.h"

#include "resilin/observe.h"

enum
{
    CHUNK = 512,                          // nodes
    DIRECTIONS = RSL_LATTICE_DIRECTIONS,  // neighbours of a lattice node
};

// Numbers that are summed up over nodes, chunk by chunk.
enum
{
    RSL_SUMS = 18,
    RSL_REBASE_SUMS = 17,
};

enum
{
    RSL_FEW_CHUNKS = 16  // so few that waking others costs more than a light function of them
};

_Static_assert((int)LANES <= (int)RSL_STATE_PADDING, "a block may read past the last node");

// Nodes [begin, end) of one body.
typedef struct Chunk
{
    int index, body, begin, end;
    int runBegin, runEnd;  // lattice bodies
} Chunk;

// Consecutive lattice nodes: neighbour s of node n is n + offset[s] where the pattern has a constant, and nothing
// otherwise. Only runs whose nodes are all alike are longer than LANES.
typedef struct Run
{
    int begin, count;
    int pattern;       // of the constants
    int ratios;        // pattern of damper over spring constant [s]; general bodies only
    uint32_t present;  // bit s: some node of the run has bond s
    int offset[DIRECTIONS];
} Run;

// Numbers of the bonds of one vector block; 0 where a node lacks the bond.
typedef struct Pattern
{
    Real of[DIRECTIONS][LANES];
} Pattern;

// One spring of a network seen from one end.
typedef struct Entry
{
    int other;
    Real stiffness;   // k [N/m]
    Real damping;     // c [N s/m]
    Real restLength;  // L0, as the nodes lie at rest [m]
    Real preload;     // natural length minus L0 [m]
    Real inverse;     // 1 / L0^2 [1/m^2], of the nodes as the model has them
    uint32_t drives;  // bits of the drives that may act on this spring
} Entry;

#define PressureKernel RSL_NAME(rslPressureKernel)
typedef struct PressureKernel PressureKernel;

#define VolumeKernel RSL_NAME(rslVolumeKernel)
typedef struct VolumeKernel VolumeKernel;

#define DispersionKernel RSL_NAME(rslDispersionKernel)
typedef struct DispersionKernel DispersionKernel;
#define ElementKernel RSL_NAME(rslElementKernel)
typedef struct ElementKernel ElementKernel;
#define BendKernel RSL_NAME(rslBendKernel)
typedef struct BendKernel BendKernel;
#define RigidKernel RSL_NAME(rslRigidKernel)
typedef struct RigidKernel RigidKernel;
#define SweepKernel RSL_NAME(rslSweepKernel)
typedef struct SweepKernel SweepKernel;
#define SliceKernel RSL_NAME(rslSliceKernel)
typedef struct SliceKernel SliceKernel;
#define GuardKernel RSL_NAME(rslGuardKernel)
typedef struct GuardKernel GuardKernel;

#define RepulsionKernel RSL_NAME(rslRepulsionKernel)
typedef struct RepulsionKernel RepulsionKernel;
#define TouchKernel RSL_NAME(rslTouchKernel)
typedef struct TouchKernel TouchKernel;

#define BarrierKernel RSL_NAME(rslBarrierKernel)
typedef struct BarrierKernel BarrierKernel;

#define CentroidKernel RSL_NAME(rslCentroidKernel)
typedef struct CentroidKernel CentroidKernel;

typedef struct BodyKernel
{
    Real bond[DIRECTIONS][3];      // rest vector of each lattice bond
    Real bondLength[DIRECTIONS];   // its length
    Real bondInverse[DIRECTIONS];  // 1 / its length squared
    uint32_t drives[DIRECTIONS];   // bits of the drives that may act on it
    Real massDamping, stiffnessDamping;
    const double* nodeDamping;  // instead of massDamping, of every node of the body; NULL: it is the same for all
    bool general;               // lattices: with a law that is not linear, or dampers that differ
    bool damped;                // lattices: with dampers beside their springs, or general
    Real carrier;               // share of the carrier in their law (spring_law.h)
    Real longestBond;           // at rest
    double spacing;             // of the lattice, as rounded to Real
    int restBase;               // node + restBase indexes the rest arrays and entryStart of networks
    rslVec3 restCentre;         // centre of mass at rest
    double mass;
    PressureKernel* pressures;  // on its surface, a list; NULL without
    VolumeKernel* volume;       // that is kept; NULL without
    bool rigid;
} BodyKernel;

// A body's frame at one moment, and what is constant in it.
typedef struct FrameView
{
    rslMat3 rotation;    // R
    rslVec3 origin;      // c
    rslVec3 velocity;    // V
    Real drift[3];       // R^T V
    Real gravity[3];     // R^T g
    double longestBond;  // no spring of the body is longer now; only while bond_walk.c asks for it
} FrameView;

// A collider in a body's frame. Heights above a plane are offset + normal.y, own axes of a solid q = turn y + shift.
typedef struct Height
{
    rslVec3 normal;  // R^T n
    double offset;   // n . (c - p)
    rslMat3 turn;
    rslVec3 shift;
} Height;

// A collider as a body sees it, at the time of the forces and at the ends of the span that they stand for.
typedef struct PlaneSide
{
    Height now, before, after;
    double friction;  // of the two
} PlaneSide;

// A collider at these times; all but the first if it moves.
typedef struct PlaneView
{
    rslPlaced here, begin, end;
    rslPlacement now, before, after;
    double span;    // [s]; 0: it does not move
    double* press;  // how strongly it pushes each node [N]; NULL without friction
} PlaneView;

// Work rates found while forces are computed [W].
typedef struct Powers
{
    double loads, drives, dissipated, motion;
} Powers;

// Of three arrays, one an axis.
static inline rslVec3 VectorAt(Real* const arrays[3], int node)
{
    return (rslVec3){ (double)arrays[0][node], (double)arrays[1][node], (double)arrays[2][node] };
}

// What the terms see of a state.
typedef struct View
{
    Real* u[3];
    Real* w[3];
    // the kick that the forces will give: from these velocities, for this long [s]. Work is counted along it
    Real* from[3];
    double kick;
    rslFrame* frames;  // of the state: where rigid bodies are
} View;

static inline View ViewOf(const rslState* state)
{
    View view = { .frames = state->frames };
    for (int axis = 0; axis < 3; ++axis)
    {
        view.u[axis] = state->displacement[axis];
        view.w[axis] = view.from[axis] = state->velocity[axis];
    }
    return view;
}

// A node of a constraint: where to look for it.
typedef struct HeldNode
{
    int body;
    rslVec3 rest;
} HeldNode;

// A link at one moment, in the world.
typedef struct LinkView
{
    rslVec3 d;     // [m]
    rslVec3 rate;  // d' [m/s]
    double length;
} LinkView;

// What re-basing does to the vectors of one body (rebase.c).
typedef struct Rebase
{
    rslMat3 turn;   // Q
    rslVec3 shift;  // mean displacement
    rslVec3 drift;  // mean velocity in the frame
    rslQuat rotation;
    double leastPlace, leastSpeed;  // what rounding leaves of nothing [m], [m/s]
    bool moves;                     // it is worth it
} Rebase;

// Memory of its own.
typedef struct ForceRoom
{
    void* memory;
    size_t bytes;
} ForceRoom;

#define Kernel RSL_NAME(rslKernel)

typedef struct Kernel
{
    const rslModel* model;
    rslArena arena;
    rslTeam* team;

    int nodeCount, chunkCount;
    Chunk* chunks;
    BodyKernel* bodies;
    bool massDamped;  // any body
    Real* mass;
    Run* runs;
    int runCount;
    Pattern* patterns;
    SweepKernel* sweep;     // springs of lattices as strips (lattice_sweep.h); NULL without
    const WideCalls* wide;  // what vectors are asked for
    Real* rest[3];          // of network nodes
    int* entryStart;        // of network nodes, with one more at the end
    Entry* entries;         // in the order of their nodes
    int entryCount;
    SliceKernel* slices;        // the same, for forces (network_slices.h); NULL without
    int* linkStart;             // of every node, into nodeLinks; NULL without links
    int* nodeLinks;             // link index times RSL_LINK_NODES plus the node's place in it
    int* loadStart;             // of every node, into nodeLoads; NULL without loads on nodes
    int* nodeLoads;             // load indices
    uint8_t* held;              // of every node: bits of the world axes that constraints hold; NULL without any
    HeldNode** heldNodes;       // of every constraint
    bool pinned;                // sweeps know of all of them (lattice_pins.c)
    double* holdSquares;        // scratch of constrain.c
    PressureKernel* pressures;  // one a pressure load; NULL without
    int pressureCount;
    VolumeKernel* volumes;  // one a body whose volume is kept; NULL without
    int volumeCount, hardVolumes;
    DispersionKernel* dispersion;  // NULL without
    ElementKernel* elements;       // NULL without
    RepulsionKernel* repulsion;    // NULL without
    bool impulses;                 // keep apart what touches, instead of penalties
    TouchKernel* touch;            // then (kernel_touch.h); NULL where nothing can touch
    bool rubs;                     // some collider has friction
    double* pull;                  // of every node, x y z: loads on it now, in body axes; NULL where nothing rubs
    BendKernel* bend;              // NULL without
    RigidKernel* rigids;           // rigid bodies and what is welded to them; NULL without
    CentroidKernel* centroids;     // NULL without
    BarrierKernel* barrier;        // contact of implicit steps; NULL without
    GuardKernel* guard;            // of elements that must not collapse (guard.h); NULL without

    // scratch
    double time;  // of the last view [s]
    FrameView* frames;
    LinkView* links;                   // of every link; force_link.c prepares them
    PlaneView* planes;                 // of every collider
    PlaneSide* sides;                  // of every body, collider by collider
    double* loadFactors;               // of every load at the time of the forces
    Real driveStrain[RSL_MAX_DRIVES];  // likewise
    Real driveMean[RSL_MAX_DRIVES];    // mean of the strains at the ends of the span of time that the forces stand for
    Real driveRate[RSL_MAX_DRIVES];    // their difference over the span [1/s]
    Real* force[3];                    // NULL until rslForces_Make, where only whole steps are taken
    Real* drag[3];  // the part of dampers in it, where impulses change velocities (kernel_drag.c); NULL without
    bool keepsDrags;
    ForceRoom forceRoom, dragRoom;
    bool starved;                        // there was no memory for forces in a step
    Powers* powers;                      // of every chunk
    double* sums;                        // RSL_SUMS of every chunk
    Real* kept[3];                       // velocities set aside; NULL unless the integrator needs them
    Rebase* rebases;                     // of every body
    double (*motions)[RSL_REBASE_SUMS];  // of every chunk: what re-basing sums up
    Real* products;                      // a vector and its product with a matrix; NULL until one is asked for
    const double* hostForces;
    double dragStart;   // F.w of dampers before the kick [W]
    double* dragSums;   // of every chunk: F.w of dampers as it was last weighed
    bool speedsHold;    // no velocity has changed since bounds of them were found (kernel_touch_near.c)
    double motionWork;  // of the step so far [J]
    double
        shift;  // s [1/s2]: products and diagonals of K are those of K + s M + r C (statics.h); 0 but for eigen-solvers
    double rate;      // r [1/s]; 0 but for implicit steps (dynamics.h)
    double lead;      // what statics.h asks is about this long after the time of a state [s]
    Real* scaled[3];  // r p, for products; NULL but for implicit steps
    bool frozen;      // the part of forces that has no energy is that of an earlier state (dynamics.h)
    bool exact;       // pressed springs are told as they are (statics.h)
    bool relaxed;     // products and diagonals are those of a matrix near K that is positive: pressed springs are slack
                      // across, elements as in element_turn.h
} Kernel;

// Do nodes go where kicks by terms lead them, with nothing in between, or nothing but what touches, and pins that sweeps know of?
static inline bool OnlyTermsAndTouchesAct(const Kernel* kernel)
{
    return kernel->rigids == NULL && (kernel->held == NULL || kernel->pinned) && kernel->hardVolumes == 0 &&
           kernel->model->plane != rsl_planeXY;
}

// Likewise, with nothing in between?
static inline bool OnlyTermsAct(const Kernel* kernel)
{
    return kernel->touch == NULL && kernel->held == NULL && OnlyTermsAndTouchesAct(kernel);
}

// Prepare a model for this precision, with impulses where it touches something or with penalties. NULL when out of memory. The
// team must outlive the kernel.
Kernel* RSL_NAME(rslKernel_Create)(const rslModel* model, bool impulses, const rslHooks* hooks, rslTeam* team);

// From now on with vector registers of at most so many bits, which changes no bit of a state; how many they are (wide.c).
int RSL_NAME(rslKernel_Narrow)(Kernel* kernel, int widest);
void RSL_NAME(rslKernel_Free)(Kernel* kernel);

// Its parts; false when out of memory.
bool RSL_NAME(rslKernel_MakeChunks)(Kernel* kernel);    // kernel_lattice.c: chunks, and runs of lattice bodies
bool RSL_NAME(rslKernel_MakeNetworks)(Kernel* kernel);  // kernel_network.c: springs of network bodies by node
bool RSL_NAME(rslPressure_Make)(Kernel* kernel);        // force_pressure.c
bool RSL_NAME(rslVolume_Make)(Kernel* kernel);          // force_volume.c; after scratch, at rest
bool RSL_NAME(rslDispersion_Make)(Kernel* kernel);      // force_dispersion.c; after all others, at rest
bool RSL_NAME(rslElements_Make)(Kernel* kernel);        // force_element.c
bool RSL_NAME(rslElements_MakeDrags)(Kernel* kernel);   // likewise: room for what dampers do
bool RSL_NAME(rslPlanes_Make)(Kernel* kernel);          // force_collider.c
bool RSL_NAME(rslBend_Make)(Kernel* kernel);            // force_bend.c
bool RSL_NAME(rslRigids_Make)(Kernel* kernel);          // kernel_rigid.c
bool RSL_NAME(rslRepulsion_Make)(Kernel* kernel);       // repulsion_make.c
bool RSL_NAME(rslCentroid_Make)(Kernel* kernel);        // force_centroid.c

// Before implicit steps: variants without an energy as one that has one, and what they differ by; false when out of memory.
bool RSL_NAME(rslDispersion_MakeDifference)(Kernel* kernel);

// Dispersion with a lag: forces from now on answer what this state carries (NULL: nothing), and the state keeps what the
// last ones found.
void RSL_NAME(rslDispersion_Lend)(Kernel* kernel, const rslState* state);
void RSL_NAME(rslDispersion_Carry)(Kernel* kernel, rslState* state);

// kernel_forces.c: room for forces, and for drags where they are kept, unless there is some: zeroed; false when out of memory. Without it until then;
// how much there is; and are forces kept by steps of this integrator, as far as is known when all else is made?
bool RSL_NAME(rslForces_Make)(Kernel* kernel);
void RSL_NAME(rslForces_Drop)(Kernel* kernel);
size_t RSL_NAME(rslForces_Bytes)(const Kernel* kernel);
bool RSL_NAME(rslForces_AreKept)(const Kernel* kernel, rslIntegrator integrator);

// Zeroed memory of the kernel; NULL when out of memory.
void* RSL_NAME(rslKernel_Allocate)(Kernel* kernel, size_t count, size_t size);

// Rest positions of the nodes of a chunk, x y z each, as the kernel uses them.
void RSL_NAME(rslKernel_Rest)(const Kernel* kernel, const Chunk* chunk, double (*rest)[3]);

rslVec3 RSL_NAME(rslKernel_RestOf)(const Kernel* kernel, int body, int node);  // of one node

// The bits of the drives that may act on a spring with this rest vector in body axes.
uint32_t RSL_NAME(rslKernel_DriveBits)(const Kernel* kernel, int body, rslVec3 bond);

// The chunk that holds a node.
static inline const Chunk* ChunkOf(const Kernel* kernel, int node)
{
    return &kernel->chunks[RSL_LAST_UP_TO(kernel->chunks, Chunk, begin, 0, kernel->chunkCount, node)];
}

// The part of a vector in body axes that no constraint holds, in world axes.
static inline rslVec3 UnheldPart(const Kernel* kernel, int body, int node, rslVec3 a)
{
    int bits = kernel->held[node];
    a = rslMatVec(&kernel->frames[body].rotation, a);
    return (rslVec3){ bits & 1 ? 0.0 : a.x, bits & 2 ? 0.0 : a.y, bits & 4 ? 0.0 : a.z };
}

// Sum of the strains (or rates) of the drives in a set of bits.
static inline Real SumDrives(const Real* values, uint32_t bits)
{
    Real sum = 0;
    for (int d = 0; bits != 0; ++d, bits >>= 1)
    {
        if (bits & 1u)
        {
            sum += values[d];
        }
    }
    return sum;
}

// The view of a state; frames and everything that depends on time are set for the given time, with the frames moved on
// by lead seconds from where the state has them.
View RSL_NAME(rslKernel_View)(Kernel* kernel, const rslState* state, double lead);

// The span of time that the forces at a view stand for, in half steps from the state's time; by default one half step
// to either side. Spans of a step and of the next meet to the bit, so that a jump of a drive falls into exactly one. None
// begins before time 0.
void RSL_NAME(rslKernel_Span)(Kernel* kernel, const rslState* state, int first, int last);

// Where colliders are at a time, and at the ends of a span of time, which comes second (force_collider.c); then as a body sees
// them whose frame has moved since.
void RSL_NAME(rslPlanes_Place)(Kernel* kernel, double time);
void RSL_NAME(rslPlanes_Span)(Kernel* kernel, double begin, double end);
void RSL_NAME(rslPlanes_Aim)(Kernel* kernel, int body);

// Friction of colliders after a kick of a time [s]; its heat and work into the account, unless that is NULL.
void RSL_NAME(rslPlanes_Rub)(Kernel* kernel, const View* view, double time, rslAccount* account);

// Let the terms find first what their nodes have in common; and what forces need beside that.
void RSL_NAME(rslKernel_Prepare)(Kernel* kernel, const View* view);
void RSL_NAME(rslKernel_PrepareForces)(Kernel* kernel, const View* view);

// The same before products of K, or C, with a vector.
void RSL_NAME(rslKernel_PrepareProduct)(Kernel* kernel, const View* view, bool damping, Real* const p[3]);

// Rotations of all elements, for what follows until the next state (element_turn.h).
void RSL_NAME(rslElements_Look)(Kernel* kernel, const View* view);

// K between a node of a body of elements and its neighbours, as rslStatics_Springs tells it.
void RSL_NAME(rslElements_Couplings)(const Kernel* kernel, const View* view, int body, int node,
                                     void (*visit)(void* context, int other, const double block[9]), void* context);

// The same, where elements are turned: number c of the block of what is told n-th is added to sums[place[n] + c stride]. False, and
// nothing is done, where they are not.
bool RSL_NAME(rslElements_AddRow)(const Kernel* kernel, int body, int node, const uint16_t* place, double* sums,
                                  size_t stride);

// K of bending between a node and others, itself among them, as rslStatics_Links tells it; without a view only the others.
// A pair may come twice.
void RSL_NAME(rslBend_Couplings)(const Kernel* kernel, const View* view, int node,
                                 void (*visit)(void* context, int other, const double block[9]), void* context);

// The same of repulsion, for pieces that may be near collapse, and of centroid springs; whether there is any of the first.
void RSL_NAME(rslRepulsion_Couplings)(const Kernel* kernel, const View* view, int node,
                                      void (*visit)(void* context, int other, const double block[9]), void* context);
void RSL_NAME(rslCentroid_Couplings)(const Kernel* kernel, const View* view, int node,
                                     void (*visit)(void* context, int other, const double block[9]), void* context);
bool RSL_NAME(rslRepulsion_Acts)(const Kernel* kernel);

// The power of dampers counts along the velocities that a kick starts from. After it, and after impulses, for a time [s]: their work
// along what has changed of these, into the account (kernel_drag.c). Chunks are weighed where they are at hand: with the forces, and with
// the drift that follows.
bool RSL_NAME(rslDrag_Make)(Kernel* kernel);
double RSL_NAME(rslDrag_Weigh)(const Real* a, const Real* b, int count);  // sum a b
void RSL_NAME(rslDrag_WeighChunk)(const Kernel* kernel, const View* view, const Chunk* chunk);
void RSL_NAME(rslDrag_Start)(Kernel* kernel, const View* view);  // before the kick
void RSL_NAME(rslDrag_Count)(Kernel* kernel, const View* view, double time, rslAccount* account);

// Of the forces on a chunk: how fast its nodes can become, where that is asked for (kernel_touch_near.c).
void RSL_NAME(rslTouch_BoundKick)(const Kernel* kernel, const View* view, const Chunk* chunk);

// All forces at a view, into kernel->force; returns the powers. None where a guard says that the way to the view was wrong:
// the step will be taken back.
Powers RSL_NAME(rslKernel_Forces)(Kernel* kernel, const View* view);

// Before terms add theirs, after PrepareForces: the forces on a chunk are those that were found for whole bodies, or none.
void RSL_NAME(rslKernel_StartForce)(Kernel* kernel, const Chunk* chunk);

// Does any term act as a load? Then pull has what they do.
bool RSL_NAME(rslKernel_HasLoads)(const Kernel* kernel);

// Put held nodes where they have to be at a time, with the velocity they have there (rates over one step).
void RSL_NAME(rslKernel_Hold)(Kernel* kernel, const View* view, double time, double step);

// One node of a pin, in a frame. Returns the square of how far it was away.
double RSL_NAME(rslKernel_HoldPin)(const Kernel* kernel, const View* view, const FrameView* frame, int constraint,
                                   int number);

// Count the work of prescribed motion against the forces, for a time [s] with the velocities at step count + ahead.
void RSL_NAME(rslKernel_CountMotion)(Kernel* kernel, const rslState* state, double ahead, double time);

// The clock of a state, shift times finer: 2^shift of the new steps are one of the old. Held nodes get the velocities that
// belong to the new step, and the account what that costs.
void RSL_NAME(rslKernel_Grade)(Kernel* kernel, rslState* state, int shift);

// At the end of a step: hold, and put the work of prescribed motion into the state's account.
void RSL_NAME(rslKernel_Constrain)(Kernel* kernel, rslState* state);

// Hard volumes (hard_volume.c): where a drift of a time starts, and what has to be put right when it has come to its end.
void RSL_NAME(rslHardVolume_Leave)(Kernel* kernel, const View* view, double time);
void RSL_NAME(rslHardVolume_Settle)(Kernel* kernel, const View* view);

// Before and after touches push on what was kicked, or move nodes: what of it the volumes take, as heat.
double RSL_NAME(rslHardVolume_Touched)(Kernel* kernel, const View* view, bool pushed, bool moved);

// Hard volumes in implicit steps (force_volume.c): how stiff they are, from the diagonal blocks of all nodes (NULL: not at all), and no pressure
// yet; more pressure where volumes are not what they should be. Returns the largest difference over a volume.
void RSL_NAME(rslVolume_Firm)(Kernel* kernel, const View* view, double (*blocks)[6]);
double RSL_NAME(rslVolume_Press)(Kernel* kernel, const View* view);

// Force of a body's explicit volume on a node; it has no energy.
rslVec3 RSL_NAME(rslVolume_SkewForce)(const Kernel* kernel, int body, int node);

// A body whose volume is not positive, or that a vertex has passed the centre of, at a view.
struct rslCollapse;
bool RSL_NAME(rslVolume_Collapse)(Kernel* kernel, const View* view, struct rslCollapse* collapse);

// Let the frames of a state follow their bodies, those that have to; whether any has moved.
bool RSL_NAME(rslKernel_Rebase)(Kernel* kernel, rslState* state);

// Run a function over all chunks by the team; a light one, of a few operations a node, by the caller alone when there are
// so few chunks that waking the others would cost more.
typedef void ChunkFunction(Kernel* kernel, const View* view, const Chunk* chunk, void* context);
void RSL_NAME(rslKernel_ForChunks)(Kernel* kernel, const View* view, ChunkFunction* function, void* context);
void RSL_NAME(rslKernel_ForChunksLight)(Kernel* kernel, const View* view, ChunkFunction* function, void* context);
