// SPDX-License-Identifier: MIT
//
// network_slices.h: springs of network bodies, a slice of nodes at a time.
//
// Nodes have slots, in an order in which neighbours are near each other: their own, or that of band_order.h where
// their own is bad; within windows of it those with many springs come first. SLICE slots are a slice: rows with one
// spring of every slot, in the order of the lists of kernel_network.c, and as many of them as the slot with the most
// springs has. Slots that have fewer are joined to themselves by springs that do nothing. network_rows.c adds up rows.
//
// Every node sums its own springs in its own order: neither slots nor lanes change a bit of a force. Driven bodies keep their
// walk (force_network.c), and so do all questions but that for forces.
//
// Steps of models that have nothing but sliced bodies and weight are taken in slots (network_steps.c): displacement and velocity are
// there from the first step of a call to the last, and a slice is kicked and moved on as soon as its forces are known. It is moved into
// other records than those which are read, so that nothing depends on who comes first.

#pragma once

#include "kernel.h"
#include "network_rows.h"

enum
{
    WINDOW = 512,         // slots
    GROUP = 128 / SLICE,  // slices: what is added up together, and the least that a thread takes
};

#define SliceBody RSL_NAME(rslSliceBody)
typedef struct SliceBody
{
    int slices;                  // 0: the body keeps its walk
    int firstGroup, groupCount;  // of slices
    bool damped;
    bool general;  // with a law that is not linear, preload, or springs to slots that are far
    SliceConstants kept;
    Real carrier;     // share of the carrier in the law (spring_law.h)
    int* nodes;       // of every slot; -1: none
    int* rowStart;    // of every slice, with one more at the end
    int* base;        // of every slice: the first slot that its springs lead to
    uint16_t* near;   // other end minus base; of every spring of every row, as all that follows
    int* far;         // the same, where bases are so far away that these are general; one of them is NULL
    uint8_t* kind;    // few springs or constants: place in the palettes
    Real* inverse;    // [1/m^2]; few springs: the palette
    Real* stiffness;  // [N/m]; one or few: the palette
    Real* damping;    // [N s/m]; likewise; NULL: not damped
    Real* preload;    // natural length over that at rest, less 1; NULL: not general
    Real* places[2];  // RECORD numbers a slot; the second for steps
    Real* speeds[2];  // SPEED numbers a slot; damped or for steps. Both are the same unless damped
} SliceBody;

// Slices [begin, end) of a body.
typedef struct SliceGroup
{
    int body, begin, end;
} SliceGroup;

struct SliceKernel
{
    SliceBody* bodies;  // of every body
    SliceGroup* groups;
    int groupCount;
    int shareCount;  // whole steps: groups are shared out so that threads find in their caches what they wrote a step before
    int* shareStart;             // group, with one more at the end; NULL: there is no room for whole steps
    double (*lost)[ROW_LOSSES];  // of every group
    double* energies;            // of every group [J]
    bool weighed;                // they are those of the view that is asked for now
};

// After networks; false when out of memory. kernel->slices is NULL where no body has slices.
bool RSL_NAME(rslSlices_Make)(Kernel* kernel);

// Room for whole steps, if any can be taken; false when out of memory.
bool RSL_NAME(rslSlices_MakeSteps)(Kernel* kernel);

static inline bool IsSliced(const Kernel* kernel, int body)
{
    return kernel->slices != NULL && kernel->slices->bodies[body].slices > 0;
}

// Zeroed memory from the start of a line of the cache on; NULL when out of memory.
void* RSL_NAME(rslSlices_Allocate)(Kernel* kernel, size_t count, size_t size);

// What loops see of a group.
RowView RSL_NAME(rslSlices_View)(const Kernel* kernel, int group);

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
