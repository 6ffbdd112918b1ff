// SPDX-License-Identifier: MIT
//
// kernel_touch.h: impulses at collisions as part of a step: contact nodes are looked at in the world, in double, and get what
// respond.h finds.

#pragma once

#include "kernel.h"

#include "backend.h"
#include "collide.h"
#include "impact_rule.h"
#include "respond_fast.h"

// of the size of cells: what moves farther in a step may pass something
#define RSL_FAST_PART 0.25

enum
{
    TOUCH_BLOCK = 256  // contact nodes of an item of work
};

static inline int TouchBlocks(int count)
{
    return (count + TOUCH_BLOCK - 1) / TOUCH_BLOCK;
}

// Of an array of x y z.
static inline rslVec3 TouchAt(const double* array, int c)
{
    return rslVec3_Of(&array[3 * (size_t)c]);
}

#define TouchNear RSL_NAME(rslTouchNear)

// What can touch before nodes have moved by a margin (kernel_touch_near.c).
typedef struct TouchNear
{
    bool possible;  // in this model
    bool begun;     // it is told when states are new
    bool careful;   // every step may be taken back
    bool known;     // now
    bool quick;     // but in this step something may be fast, which is looked at as a whole
    int wait;       // looks at all until a list is made
    int reach;      // chunks that the nodes of a group of vertices are of, from that with its number on,
    bool whole;     // or groups are bodies
    int age;        // steps since what is listed was asked whether it still can touch
    // how far vertices may go before anything else than planes can be met, and have gone; of the last step: its length, how far they go in
    // it, and with the kick
    double others, moved, step, pace, way;
    double rounding;       // in a step, within frames [m]
    double* rooms;         // of groups: how far vertices that are not listed are from planes, at least [m]
    double *paces, *ways;  // how far they go in this step, and with the kick, at most;
    double* ends;          // with velocities as they are before it, and after it
    double* margins;       // to list them with
    // of chunks: velocities in their frames, as drifts find them, and what a kick of a second changes of them and leaves, as forces do
    double *speeds, *kicks, *after;
    double speed;  // no node is faster, as found before the drift of this step;
    bool found;    // it was
} TouchNear;

enum
{
    RSL_MOST_FLOORS = 8
};

// Bounds of velocities along a normal [m/s].
typedef struct FlightBound
{
    double low, high;
} FlightBound;

#define TouchFlight RSL_NAME(rslTouchFlight)

// Steps that nothing can touch in (kernel_touch_flight.c).
typedef struct TouchFlight
{
    bool possible;  // in this model
    bool mapped;    // gaps are known: in the middle of the last step,
    bool ahead;     // or of the next one
    bool fresh;     // bounds are those of velocities as they are
    int* group;     // of all vertices: the first plane of a lattice that nodes lie in which they hang on,
    int reach;      // and this number of planes
    int floors[RSL_MOST_FLOORS], floorCount;  // colliders that are planes
    double* gaps;                             // of each of those: of all groups [m]
    FlightBound* bounds;                      // likewise of the nodes of a group;
    FlightBound *before, *along;              // before the last kick; of single planes
    double others, moved;  // how far nodes may go before anything else can be met, and how far they have gone at most
    double speed;          // no vertex is faster, nor any node [m/s]
    double step, fall;     // [s]; what is guessed of weight [m/s]
    int wait;              // looks until gaps are found again
    rslFlights count;
} TouchFlight;

struct TouchKernel
{
    rslCollide* collide;
    rslRespond* respond;
    rslFast* fast;  // NULL with published schemes
    double size;    // of the smallest cells: motion by more than a part of it in a step is fast
    double spread;  // how much faster vertices of skins can be than nodes
    rslCollisions found;
    int count;       // of contact nodes
    int* body;       // of each
    int* rigid;      // that carries it, -1: none; NULL without rigid bodies
    rslVec3* rest;   // in the frame of its body, or of what carries it
    double* arrays;  // those of rslResponse, x y z of each contact node
    double *x, *v, *kick, *a, *lift, *yield, *change, *shift;
    double* fastest;       // of blocks of nodes: the square of the largest speed, without and with the kick
    double* skinSpeeds;    // of every body, of vertices of its skin, likewise
    double* noShift;       // zeros
    double* largestShift;  // of every body
    int divided;           // steps are 2^-divided of whole ones
    rslPushed* rigids;
    bool outOfMemory;  // in some step since it was asked last
    rslImpactRule rule;
    double asks;    // the last step was too long: for how long they have to be shorter [s]; 0: it was not
    double goesOn;  // it was not: for how long they have to be as short if it was a part of one [s]
    bool swings;    // likewise: something touches that an impact makes swing
    bool strayed;   // the last step was one that nothing was to touch in, and was too fast for that
    TouchNear near;
    TouchFlight flight;
};

// By dampers, in the frame of its body.
static inline rslVec3 TouchDrag(const Kernel* kernel, int node)
{
    return kernel->drag[0] == NULL ? (rslVec3){ 0 } : VectorAt(kernel->drag, node);
}

// May steps be divided, by what guards elements or by what touches?
static inline bool Divides(const Kernel* kernel)
{
    return kernel->guard != NULL || (kernel->touch != NULL && kernel->touch->rule.stable > 0.0);
}

// The stable step, which steps at impacts are short beside. Published schemes are as they were published.
void RSL_NAME(rslTouch_SetStable)(Kernel* kernel, double stable, bool rebound);

// For models in which something can touch, and impulse schemes. False when out of memory.
bool RSL_NAME(rslTouch_Make)(Kernel* kernel);
void RSL_NAME(rslTouch_Free)(Kernel* kernel);
size_t RSL_NAME(rslTouch_Bytes)(const Kernel* kernel);

// Before the first drift of a step, for a time [s]: nothing fast passes anything on it. It is the half of a way that was swept in
// the step before, unless there was none, or a guard has changed the length of the steps.
void RSL_NAME(rslTouch_Leave)(Kernel* kernel, rslState* state, double time);

// A kick by the last forces, then impulses where the state touches something in the step. Places are those of the view, at a time.
void RSL_NAME(rslTouch_Kick)(Kernel* kernel, const View* view, rslState* state, double time, double kick);

// ---- looking --------------------------------------------------------------------------------------------------------

// Velocities, or with a step what the kick of a time has changed of them and how fast that was: of all contact nodes, or of those that are
// known to be all that can touch.
void RSL_NAME(rslTouch_LookAtAll)(const Kernel* kernel, const View* view, double step, double kick);
void RSL_NAME(rslTouch_LookAtNear)(const Kernel* kernel, const View* view, double step, double kick);

// Of some contact nodes, before the kick.
void RSL_NAME(rslTouch_LookAtNodes)(const Kernel* kernel, const View* view, const int* nodes, int count);

// After a kick of a time; 0: before it.
void RSL_NAME(rslTouch_LookAtRigids)(const Kernel* kernel, const View* view, double kick);

// Of all that was looked at. Published schemes are as they were published.
bool RSL_NAME(rslTouch_IsFast)(Kernel* kernel, double time, double step);

// Is nothing that fast, without a look at it?
bool RSL_NAME(rslTouch_IsSlow)(Kernel* kernel, const View* view, double time, double step);

// What two that are not quick move by, at most, in a step that is fast (respond_fast.h).
double RSL_NAME(rslTouch_Little)(const Kernel* kernel, double time, double step);

// ---- what can touch -------------------------------------------------------------------------------------------------

bool RSL_NAME(rslTouch_MakeNear)(Kernel* kernel);

// So many steps follow, or more, careful or not, of the same state as those before or of another one.
void RSL_NAME(rslTouch_Begin)(Kernel* kernel, bool careful, bool same, int64_t steps);

// Bounds of a chunk, with its drift and with its forces (kernel.h). No node is faster [m/s].
void RSL_NAME(rslTouch_BoundSpeed)(const Kernel* kernel, const View* view, const Chunk* chunk);
double RSL_NAME(rslTouch_BoundSpeeds)(Kernel* kernel, const View* view);

// Is it known, for a step with a kick of a time that is about to come? Places are those of its middle.
bool RSL_NAME(rslTouch_KnowsNear)(Kernel* kernel, const View* view, const rslState* state, double kick);

// If it is, is something fast all the same that is quick? After a look at all, before and after the kick.
bool RSL_NAME(rslTouch_IsQuickFast)(Kernel* kernel, double step);

// How far vertices are from planes that are not listed, of which the first node is one of these.
double RSL_NAME(rslTouch_RoomOf)(const Kernel* kernel, int begin, int end);

// After steps: what was moved beside velocities [m].
void RSL_NAME(rslTouch_Shifted)(Kernel* kernel, double moved);

// After a look at all.
void RSL_NAME(rslTouch_ListNear)(Kernel* kernel, double step);

// Nothing is known any more; nor ever will be: for tests.
void RSL_NAME(rslTouch_Forget)(Kernel* kernel);
void RSL_NAME(rslTouch_ListNone)(Kernel* kernel);

// ---- steps without a look -------------------------------------------------------------------------------------------

// How much nearer than its way a step may bring anything, by rounding [m].
double RSL_NAME(rslTouch_Rounded)(const Kernel* kernel);

// For models that a sweep knows all of (lattice_sweep.h), after all else is made. False when out of memory.
bool RSL_NAME(rslTouch_MakeFlight)(Kernel* kernel);

// After a look at all: how far everything is, and how far vertices may go before anything else than planes can be met.
void RSL_NAME(rslTouch_Map)(Kernel* kernel, double others);

// After one at few that has found nothing: what is listed, and the rest at least.
void RSL_NAME(rslTouch_MapFew)(Kernel* kernel, double others);

// Before a step that is looked at: how far things are is not known from then on.
void RSL_NAME(rslTouch_Land)(Kernel* kernel);

// May there be flights in this model? Where nothing can touch, all questions have the same answer: it may go on.
bool RSL_NAME(rslTouch_Flies)(const Kernel* kernel);

// Can nothing touch in the next steps, of a state between steps? Or in one that has come to its middle?
bool RSL_NAME(rslTouch_Departs)(Kernel* kernel, const rslState* state, bool one);

// Nor, as far as can be foreseen, in this step, at its middle; and in the one after it.
bool RSL_NAME(rslTouch_IsClear)(const Kernel* kernel);
bool RSL_NAME(rslTouch_FliesOn)(const Kernel* kernel);

// After a step that was swept: was that so? False: it is to be taken back.
bool RSL_NAME(rslTouch_Flew)(Kernel* kernel);
