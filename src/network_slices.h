// SPDX-License-Identifier: MIT
//
// network_slices.h: springs of network bodies, each computed once and given to both of its ends, a slice of nodes at a time.
//
// Nodes have slots, in an order in which neighbours are near each other (network_slots.c). SLICE slots are a slice: rows with one spring of
// every slot that leads to a later one, and as many of them as the slot with the most such springs has. Slots that have fewer are joined to
// themselves by springs that do nothing. network_rows.c adds up rows. Of regular networks all springs of a row are alike, and slices are
// like each other: then their constants are kept once.
//
// Springs lead to later slots, so a slot is done, and may be kicked and moved on, when its slice has been asked. What acts on it from
// earlier slots is summed up in its record of places to come, which nobody needs before: no other memory is gone through.
//
// Slices are cut into shares, one for each thread. The springs from earlier shares into a share are asked once more by it, as loose rows,
// before all others and in their order, and what leads out of it goes to records of its own that nobody reads: sums do not know where a body
// is cut. Driven bodies keep their walk (force_network.c), and so do all questions but that for forces.
//
// Steps of models that have nothing but sliced bodies and weight are taken in slots (network_steps.c): displacement and velocity are
// there from the first step of a call to the last, and a slice is kicked and moved on as soon as its forces are known. It is moved into
// other records than those which are read, so that nothing depends on who comes first.

#pragma once

#include "kernel.h"
#include "network_rows.h"

enum
{
    GROUP = 128 / SLICE,  // slices: what is added up together, and the least that a thread takes
};

#define SliceBody RSL_NAME(rslSliceBody)
typedef struct SliceBody
{
    int slices;                  // 0: the body keeps its walk
    int firstGroup, groupCount;  // of slices
    bool damped;
    bool general;     // with a law that is not linear, or preload
    Real carrier;     // share of the carrier in the law (spring_law.h)
    int* nodes;       // of every slot; -1: none
    int* rowStart;    // of every slice, with one more at the end
    uint16_t* near;   // of every spring of every row: other slot minus the first one of the slice
    int* far;         // the same, where any is so far away; one of them is NULL
    bool* alike;      // of every slice: are all springs of a row?
    size_t* place;    // of every slice: where its constants begin
    Real* constants;  // network_rows.h
    Real* places[2];  // records; those that are not read have sums
    Real* speeds[2];  // damped or for steps. Both are the same unless damped
} SliceBody;

// Slices [begin, end) of a body.
typedef struct SliceGroup
{
    int body, begin, end;
    int reach;  // behind the last slot that they lead to
} SliceGroup;

// Groups [begin, end), what leads into the first body of them, and what leads out of the last one.
#define SliceShare RSL_NAME(rslSliceShare)
typedef struct SliceShare
{
    int begin, end;
    LooseRows loose;
    int looseReach;         // behind the last slot that they lead to
    int tailGroup;          // from it on sums are apart; end: none
    int tailSlot;           // the first slot of it
    Real *tail, *tailDrag;  // records from there on
} SliceShare;

struct SliceKernel
{
    SliceBody* bodies;  // of every body
    SliceGroup* groups;
    int groupCount;
    int shareCount;  // threads find in their caches what they wrote a step before
    SliceShare* shares;
    bool steps;                  // is there room for whole steps?
    double (*lost)[ROW_LOSSES];  // of every group
    double* energies;            // of every group [J]
    bool weighed;                // they are those of the view that is asked for now
};

// After networks; false when out of memory. kernel->slices is NULL where no body has slices.
bool RSL_NAME(rslSlices_Make)(Kernel* kernel);

// Slots, rows and constants of a body, the entries of whose nodes begin at so many; false when out of memory.
bool RSL_NAME(rslSlices_MakeBody)(Kernel* kernel, int body, const int* start, SliceBody* out);

// Room for whole steps, if any can be taken; false when out of memory.
bool RSL_NAME(rslSlices_MakeSteps)(Kernel* kernel);

// The node of a body in every slot. The entries of node i are those from start[i] up to start[i + 1]. False when out of memory.
bool RSL_NAME(rslSlots_Order)(const rslBody* body, const int* start, const Entry* entries, const rslHooks* hooks,
                              int* order);

// Shares of groups, once these are made; false when out of memory.
bool RSL_NAME(rslShares_Make)(Kernel* kernel);

static inline bool IsSliced(const Kernel* kernel, int body)
{
    return kernel->slices != NULL && kernel->slices->bodies[body].slices > 0;
}

static inline int ConstantsOf(const SliceBody* body)
{
    return OF_MORE + (body->damped ? 1 : 0) + (body->general ? 1 : 0);
}

// Zeroed memory from the start of a line of the cache on; NULL when out of memory.
void* RSL_NAME(rslSlices_Allocate)(Kernel* kernel, size_t count, size_t size);

// What loops see of a group that reads records 0 or 1 and adds up in the others.
RowView RSL_NAME(rslSlices_View)(const Kernel* kernel, int group, int from);

// Asks the springs of all groups of a share, which read records 0 or 1. What becomes of forces is told by the function, for every view.
#define ShareFunction RSL_NAME(rslShareFunction)
typedef void ShareFunction(const Kernel* kernel, int body, RowView* view, const void* context);
void RSL_NAME(rslShares_Sweep)(const Kernel* kernel, int share, int from, ShareFunction* function, const void* context);

// Forces of the springs of all bodies that have slices, and drags of their dampers, into the kernel.
void RSL_NAME(rslSlices_Force)(Kernel* kernel, const View* view);

// Before the energy of a view is asked for chunk by chunk, and after: that of bodies whose energy is weighed in slices.
void RSL_NAME(rslSlices_StartEnergy)(Kernel* kernel, const View* view);
void RSL_NAME(rslSlices_EndEnergy)(Kernel* kernel);
double RSL_NAME(rslSlices_Energy)(const Kernel* kernel, int body);

static inline bool IsWeighed(const Kernel* kernel, int body)
{
    return IsSliced(kernel, body) && kernel->slices->weighed && !kernel->slices->bodies[body].general;
}

// Is there nothing in this model but sliced bodies and weight, and no force from outside now? Then whole steps of position Verlet are
// taken at once, to the same places and velocities, bit for bit, as one pass after the other. Returns whether they were.
bool RSL_NAME(rslSlices_Steps)(Kernel* kernel, rslState* state, int64_t steps);

// What dampers of a body took in that [W].
double RSL_NAME(rslSlices_Lost)(const Kernel* kernel, int body);
