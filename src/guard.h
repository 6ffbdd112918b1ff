// SPDX-License-Identifier: MIT
//
// guard.h: no step leads to a state in which an element that resists collapse has collapsed.

#pragma once

#include "kernel_repulsion.h"

// What is known of the pieces of a chunk (kernel_repulsion.h), and what a check found.
typedef struct GuardBlock
{
    // no node has moved farther than that from the others, one move after the other, along every axis [m]
    double way[3];    // since the last look
    double tried[3];  // since the start of the step
    int vain;         // checks since the motion of edges has last spared a look;
    uint64_t easy;    // until this check it is not measured for them
    bool known;       // all were far at the last look: as long as the way is not too long, nothing has happened
    bool seen;        // nothing has moved since the last look
    bool fell, unsure, tested;
    double ratio;  // smallest measure over that at rest that was looked at
    int element;   // that has it
    double time;   // part of the ways on which nothing falls too far
} GuardBlock;

// Bounds of how far the nodes of a chunk have moved since the last check, by axis.
typedef struct GuardWay
{
    double low[3], high[3];
    // how far the ends of edges have moved from each other; INFINITY where that is not known
    double edge;        // of stored pieces
    double cell[3][3];  // of lattices, by direction and axis
    double held;        // and held nodes beside
    bool kept;          // before has where they were
} GuardWay;

// What the last drift found of the velocities of a chunk.
typedef struct GuardSpeed
{
    double low[3], high[3];
    double edge, cell[3][3];  // edge: NAN where these were not asked for
} GuardSpeed;

// Bounds of how far the nodes of a plane of a lattice have moved, by axis.
typedef struct PlaneWay
{
    double low[3], high[3];
} PlaneWay;

struct GuardKernel
{
    GuardBlock* blocks;  // of every chunk; those without pieces are not asked
    GuardWay* ways;      // of every chunk
    GuardSpeed* speeds;  // of every chunk
    bool sameSpeeds;     // velocities are what they were then
    PlaneWay* planes;    // of lattices that are swept, since they were folded (guard_planes.c)
    int drifts;          // so many ago
    double beside;       // and held nodes by so much more [m]
    int folded;          // drifts that ways of chunks have been folded of since the last check
    double spare;        // no chunk needs a look when its nodes go so far from there [m]
    rslVec3* turns;      // of every body: a rate of turning [1/s]
    int* expired;        // chunks to be looked at
    uint8_t* held;       // chunks with held nodes
    uint64_t* tense;     // of every chunk: until this check, displacements before drifts are kept
    uint64_t* tight;     // until this check, the motion of edges is measured
    uint64_t checks;
    bool follows,
        same;  // the next state that is looked at, the last one that was looked at, is the one that steps go on from
    double extent;    // of the largest body: what rounding is a part of
    Real* before[3];  // displacements before the drift, of chunks that are tense or of all when careful
    double* fastest;  // of every chunk: square of the frequency of a barrier near collapse
    int* fastestOf;   // and the piece that has it
    double* swing;    // of every chunk: what steps are off by near barriers, in energy [J]
    double* stored;   // and what barriers hold there [J]
    double step;      // of this try
    double stable;    // the longest that is stable without barriers; 0: not known
    bool* damped;     // of every body: what swings is soon at rest (impact_rule.h)
    bool careful;
    bool felt;            // some repulsion is felt at rest
    bool failed, tested;  // in this step; the exact test was needed
    double smallest;      // ratio in this step, 1 when all are above a half
    int body, element;    // the first that failed, and its ratio
    double ratio;
    int pressed, pressedElement;  // whose barrier asks for a shorter step; -1 none
};

// The part of itself to which a piece may fall in a drift below freePart of its rest.
static const double fallPart = 0.8;

// What rounding moves a node by, at most.
static inline double Rounding(const GuardKernel* guard)
{
    return (RSL_PRECISION == 32 ? 0x1p-22 : 0x1p-51) * guard->extent;
}

// Rigid bodies and hard volumes put nodes where no speed tells: their ways are measured.
static inline bool MovesOtherwise(const Kernel* kernel)
{
    return kernel->rigids != NULL || kernel->hardVolumes > 0;
}

static inline bool HasMoved(const GuardWay* way)
{
    bool moved = false;
    for (int axis = 0; axis < 3; ++axis)
    {
        moved = moved || !(way->low[axis] == 0.0 && way->high[axis] == 0.0);
    }
    return moved;
}

// False when out of memory. Without anything to guard there is no guard.
bool RSL_NAME(rslGuard_Make)(Kernel* kernel);

// The next step starts from a state of which nothing is known, or, the same, from that of which the energy was found last. Careful:
// keep what checks may need to be exact; memory for that was made before.
void RSL_NAME(rslGuard_Begin)(Kernel* kernel, bool careful, bool same);

// The energy of the state that steps go on from is asked for next; it may have been moved and turned as a whole.
void RSL_NAME(rslGuard_Follow)(Kernel* kernel, bool moved);

// At the start of a step that may be tried.
void RSL_NAME(rslGuard_Start)(Kernel* kernel, double step);

// The state is again as it was then.
void RSL_NAME(rslGuard_TakeBack)(Kernel* kernel);

// Is every element of a state the right way round?
bool RSL_NAME(rslGuard_Stands)(Kernel* kernel, const View* view);

// The part of the straight ways, from displacements before to those of a view, on which nothing falls too far; INFINITY: all of
// them. What would fall first is the body and the element of the guard. Any step that is under way is forgotten.
double RSL_NAME(rslGuard_FirstTime)(Kernel* kernel, const View* view, Real* const before[3]);

// The exact test of the unsure pieces of a chunk (guard_exact.c): did one fall to a part of itself and below freePart of its rest?
void RSL_NAME(rslGuard_TestChunk)(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const before[3],
                                  double part);

// Unsure pieces of a lattice that are far from collapse on all of their way are so no longer (guard_sweep.c).
void RSL_NAME(rslGuard_SweepCells)(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const before[3]);

// How far the nodes of every chunk are from where they were before, as ways.
void RSL_NAME(rslGuard_MeasureWays)(Kernel* kernel, const View* view, Real* const before[3]);

// How far the nodes of the pieces of a chunk have moved since the last check, by axis, but for a move of all of
// them together; as ranges of all of their nodes tell it, whatever edges do.
void RSL_NAME(rslGuard_Moved)(const Kernel* kernel, int chunk, double moved[3], double ranges[3]);

// Before held nodes are moved without a drift: where from, when careful.
void RSL_NAME(rslGuard_Keep)(Kernel* kernel, const View* view);

// Velocities have changed.
static inline void GuardKick(Kernel* kernel)
{
    kernel->speedsHold = false;
    if (kernel->guard != NULL)
    {
        kernel->guard->sameSpeeds = false;
    }
}

// Before all chunks drift, and after it.
void RSL_NAME(rslGuard_Leave)(Kernel* kernel, const View* view);
void RSL_NAME(rslGuard_Left)(Kernel* kernel);

// Before a chunk drifts for a time; after held nodes were put elsewhere, all of them by at most a distance; after nodes of any
// chunk were moved by an unknown one.
void RSL_NAME(rslGuard_Drift)(Kernel* kernel, const View* view, const Chunk* chunk, Real time);
void RSL_NAME(rslGuard_Held)(Kernel* kernel, double distance);
void RSL_NAME(rslGuard_Doubt)(Kernel* kernel);

// Before some nodes are put elsewhere, none of them farther than a distance.
void RSL_NAME(rslGuard_Pushed)(Kernel* kernel, const View* view, double distance);

// The same of models in which all nodes are swept (lattice_sweep.h): some drifts, each for a time, with the velocities that the sweep has
// left; what planes have done becomes that of chunks; how far all of them may go from a state that has passed; have they gone less far?
void RSL_NAME(rslGuard_Swept)(Kernel* kernel, int drifts, double time);
void RSL_NAME(rslGuard_Fold)(Kernel* kernel, const View* view, double time);
void RSL_NAME(rslGuard_FindSpare)(Kernel* kernel);
bool RSL_NAME(rslGuard_IsSpare)(const Kernel* kernel);

// Has something come close to collapse lately, so that displacements are kept? Keep them before a drift.
bool RSL_NAME(rslGuard_IsTense)(const Kernel* kernel);
void RSL_NAME(rslGuard_KeepTense)(Kernel* kernel, const View* view);

// What the edges of a chunk have done in the last drifts, each for a time; without a view it is not known.
void RSL_NAME(rslGuard_DriftEdges)(Kernel* kernel, const View* view, const Chunk* chunk, int drifts, double time);

// Did all that moved since the last check pass? Once not, never again in this step.
bool RSL_NAME(rslGuard_Passes)(Kernel* kernel, const View* view);

// Find near pieces at a view where that is not known: where forces or energies are asked for.
void RSL_NAME(rslGuard_Prepare)(Kernel* kernel, const View* view);

// The longest stable step.
void RSL_NAME(rslGuard_SetStable)(Kernel* kernel, double stable);

// After forces were computed: fails a step that is too long for the barriers (guard_rule.c).
void RSL_NAME(rslGuard_Rule)(Kernel* kernel, const View* view);
