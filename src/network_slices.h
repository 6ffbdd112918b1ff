// SPDX-License-Identifier: MIT
//
// network_slices.h: springs of network bodies, a slice of nodes at a time, each of which sums its own.
//
// Nodes have slots, in an order in which neighbours are near each other (network_slots.c). SLICE slots are a slice: rows with one spring of
// every slot, or of most. Where springs of a slice lead over as many slots, as in all networks whose nodes are numbered line by line, they
// are a straight row; others are listed. Rows whose springs have the same vector at rest, or all constants the same, have these in palettes of
// the body alone. network_slices_make.c finds rows, network_rows.c adds them up.
//
// Every spring is asked at both of its ends, so that a slot is written by nobody but its own slice: a slice may be kicked and moved on when
// it has been asked, and nothing depends on how many threads there are. Driven bodies keep their walk (force_network.c), and so do all
// questions but that for forces.
//
// Steps of models that have nothing but sliced bodies and weight are taken in slots (network_steps.c): displacement and velocity are
// there from the first step of a call to the last, and a slice is kicked and moved on as soon as its forces are known. It is moved to
// other places than those which are read, so that nothing depends on who comes first.

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
    bool general;                    // with a law that is not linear, or preload
    Real carrier;                    // share of the carrier in the law (spring_law.h)
    int* nodes;                      // of every slot; -1: none
    SliceRows* rows;                 // of every slice
    RowHead* heads;                  // of every row
    int16_t* near;                   // of every lane of every listed row: other slot minus the first one of the slice
    int* far;                        // the same, where any is so far away; both are NULL where no row is listed
    Real *ways, *rests, *constants;  // network_rows.h

    // By slot, with room for a slice on both sides. Velocities are there if damped or for steps, and both are the same unless damped; records
    // where rows are listed, those of velocities if damped.
    Real *u[2][3], *w[2][3], *mass;
    Real *places[2], *speeds[2];
} SliceBody;

// Slices [begin, end) of a body.
typedef struct SliceGroup
{
    int body, begin, end;
} SliceGroup;

// Groups [begin, end).
typedef struct SliceShare
{
    int begin, end;
} SliceShare;

struct SliceKernel
{
    SliceBody* bodies;  // of every body
    SliceGroup* groups;
    int groupCount;
    int shareCount;  // one for each thread, which finds in its cache what it wrote a step before
    SliceShare* shares;
    bool steps;                  // is there room for whole steps?
    double (*lost)[ROW_LOSSES];  // of every group
    double* energies;            // of every group [J]
    bool weighed;                // they are those of the view that is asked for now
    // whole steps have just left places of this state in slots 0 or 1: what steps in parts and energies forget
    const rslState* left;
    uint64_t leftAt;  // its step
    int leftIn;
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

static inline bool IsSliced(const Kernel* kernel, int body)
{
    return kernel->slices != NULL && kernel->slices->bodies[body].slices > 0;
}

static inline int ConstantsOf(const SliceBody* body)
{
    return OF_MORE + (body->damped ? 1 : 0) + (body->general ? 1 : 0);
}

// Room for displacements or velocities by slot, 0 or 1, and for their records where rows are listed; false when out of memory.
bool RSL_NAME(rslSlices_MakePlaces)(Kernel* kernel, SliceBody* body, int which);
bool RSL_NAME(rslSlices_MakeSpeeds)(Kernel* kernel, SliceBody* body, int which);

// What loops see of a group that reads displacements and velocities 0 or 1.
RowView RSL_NAME(rslSlices_View)(const Kernel* kernel, int group, int from);

// Places of a view into slots, after a drift of so many seconds: then velocities too. Else these are there if the body is damped.
void RSL_NAME(rslSlices_Pack)(const Kernel* kernel, int group, const View* view, Real drift);

// Forces of the springs of all bodies that have slices, and drags of their dampers, into the kernel.
void RSL_NAME(rslSlices_Force)(Kernel* kernel, const View* view);

// Before the energy of a view is asked for chunk by chunk, and after: that of bodies whose energy is weighed in slices. Of a state that comes
// straight from steps, places may be in slots still.
void RSL_NAME(rslSlices_StartEnergy)(Kernel* kernel, const View* view, const rslState* stepped);
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
