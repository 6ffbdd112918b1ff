// SPDX-License-Identifier: MIT
//
// guard.h: no step leads to a state in which an element that resists collapse has collapsed.

#pragma once

#include "kernel.h"
#include "repulsion.h"

// Elements [begin, end) of the repulsion of one body, the chunks that their nodes lie in, and what a check found.
typedef struct GuardBlock
{
    int body, begin, end;
    int firstTouch, touchCount;  // into touches
    bool fell, unsure, tested;
    double ratio;  // smallest measure over that at rest that was looked at
    int element;   // that has it
    double time;   // of a move, at which it falls (rslGuard_FirstTime)
} GuardBlock;

// What a block knows of one of its chunks: as long as the path of the chunk is below this, nothing has happened.
typedef struct GuardTouch
{
    int chunk;
    double deadline;
} GuardTouch;

struct GuardKernel
{
    GuardBlock* blocks;
    int blockCount;
    GuardTouch* touches;
    int* expired;     // blocks to be looked at
    Real** rest;      // of every body but lattices: twice the area or six times the volume of each piece at rest
    double* path;     // of every chunk: no node has moved farther, one move after the other [m]
    double* moved;    // of every chunk, since the last check
    double* tried;    // of every chunk, since the start of the step
    uint8_t* held;    // chunks with held nodes
    double extent;    // of the largest body: what rounding is a part of
    Real* before[3];  // displacements before the drift; only when careful
    double* fastest;  // of every chunk: square of the frequency of a barrier near collapse
    int* fastestOf;   // and the piece that has it
    double step;      // of this try
    bool careful;
    bool felt;            // some repulsion is felt at rest
    bool failed, tested;  // in this step; the exact test was needed
    double smallest;      // ratio in this step, 1 when all are above a half
    int body, element;    // the first that failed, and its ratio
    double ratio;
    // the piece whose barrier asks for a shorter step: its body or -1, its first nodes
    int pressed, pressedNodes[RSL_PIECE_NODES];
};

// The part of its measure at rest down to which a piece may fall freely, and the part of itself to which it may fall below that.
static const double freePart = 0.5;
static const double fallPart = 0.8;

// Corners of an element at rest, as the model has them.
static inline void RestCorners(const rslBody* body, const int nodes[8], int corners, rslVec3* x)
{
    for (int c = 0; c < corners; ++c)
    {
        double at[3];
        rslBody_Rest(body, nodes[c], nodes[c] + 1, at);
        x[c] = (rslVec3){ at[0], at[1], at[2] };
    }
}

static inline rslPieceKind KindOf(const Kernel* kernel, int body)
{
    return rslRepulsion_Kind(&kernel->model->bodies[body].repulsion, kernel->model->plane);
}

// False when out of memory. Without anything to guard there is no guard.
bool RSL_NAME(rslGuard_Make)(Kernel* kernel);

// The next step starts from a state of which nothing is known. Careful: keep what checks may need to be exact; memory for
// that was made before.
void RSL_NAME(rslGuard_Begin)(Kernel* kernel, bool careful);

// At the start of a step that may be tried.
void RSL_NAME(rslGuard_Start)(Kernel* kernel, double step);

// The state is again as it was then.
void RSL_NAME(rslGuard_TakeBack)(Kernel* kernel);

// Is every element of a state the right way round?
bool RSL_NAME(rslGuard_Stands)(Kernel* kernel, const View* view);

// The part of the straight ways, from displacements before to those of a view, on which nothing falls too far; INFINITY: all of
// them. What would fall first is the body and the element of the guard. Any step that is under way is forgotten.
double RSL_NAME(rslGuard_FirstTime)(Kernel* kernel, const View* view, Real* const before[3]);

// The exact test of a block (guard_exact.c): did a piece fall to a part of itself and below freePart of its rest?
void RSL_NAME(rslGuard_TestBlock)(const Kernel* kernel, const View* view, GuardBlock* block, Real* const before[3],
                                  double part);

// How far the nodes of every chunk are from where they were before, into moved.
void RSL_NAME(rslGuard_MeasureWays)(Kernel* kernel, const View* view, Real* const before[3]);

// Before held nodes are moved without a drift: where from, when careful.
void RSL_NAME(rslGuard_Keep)(Kernel* kernel, const View* view);

// Before a chunk drifts for a time; after held nodes were put elsewhere, all of them by at most a distance; after nodes of any
// chunk were moved by an unknown one.
void RSL_NAME(rslGuard_Drift)(Kernel* kernel, const View* view, const Chunk* chunk, Real time);
void RSL_NAME(rslGuard_Held)(Kernel* kernel, double distance);
void RSL_NAME(rslGuard_Doubt)(Kernel* kernel);

// Did all that moved since the last check pass? Once not, never again in this step.
bool RSL_NAME(rslGuard_Passes)(Kernel* kernel, const View* view);

// After forces were computed: fails a step that is too long for the barriers (guard_rule.c).
void RSL_NAME(rslGuard_Rule)(Kernel* kernel, const View* view);

// The element of the piece whose barrier did; it is searched for.
int RSL_NAME(rslGuard_Pressed)(const Kernel* kernel);

// How far the nodes of a block may all move while its pieces stay above freePart; not positive where one is below (guard_slack.c).
double RSL_NAME(rslGuard_Slack)(const Kernel* kernel, const View* view, const GuardBlock* block);

// The same for one piece with the corners x, and twice the area or six times the volume that it has at rest.
double RSL_NAME(rslGuard_PieceSlack)(rslPieceKind kind, const rslVec3* x, double rest);
