// SPDX-License-Identifier: MIT
//
// network_slices.h: springs of network bodies, eight nodes at a time.
//
// Nodes have slots, in an order in which neighbours are near each other: their own, or that of band_order.h where
// their own is bad; within windows of it those with many springs come first. Eight slots are a slice: rows with one
// spring of every slot, in the order of the lists of kernel_network.c, and as many of them as the slot with the most
// springs has. Slots that have fewer are joined to themselves by springs of length 1 that do nothing.
//
// Every node sums its own springs in its own order, by the formulas of bond.h: neither slots nor lanes change a bit
// of a force. Driven bodies keep their walk (force_network.c), and so do all questions but that for forces.

#pragma once

#include "kernel.h"

enum
{
    SLICE = 8,               // slots; no bit depends on it
    WINDOW = 512,            // slots
    GROUP = WINDOW / SLICE,  // slices, for the threads
    RECORD = 8,              // numbers a slot: rest position, 0, displacement, 0
    SPEED = 4,               // velocity, 0
    PALETTE = 32,            // so many different constants are few
};

// How constants are kept.
typedef enum SliceConstants
{
    rsl_oneConstant,    // the same for all springs
    rsl_fewConstants,   // a byte a spring
    rsl_manyConstants,  // each its own
} SliceConstants;

#define SliceBody RSL_NAME(rslSliceBody)
typedef struct SliceBody
{
    int slices;                  // 0: the body keeps its walk
    int firstGroup, groupCount;  // of slices
    bool damped;
    bool general;  // with a law that is not linear, or preload
    SliceConstants constants;
    Real carrier;      // share of the carrier in the law (spring_law.h)
    int* nodes;        // of every slot; -1: none
    int* rowStart;     // of every slice, with one more at the end
    int* other;        // RECORD times a slot; of every spring of every row, as all that follows
    Real* restLength;  // [m]
    uint8_t* kind;     // few constants: place in the palette
    Real* stiffness;   // [N/m]; one or few constants: the palette
    Real* damping;     // [N s/m]; likewise
    Real* preload;     // [m]; general only
    Real* places;      // RECORD numbers a slot
    Real* speeds;      // SPEED numbers a slot; damped only
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
    double* lost;  // of every group: what dampers take [W]
};

// After networks; false when out of memory. kernel->slices is NULL where no body has slices.
bool RSL_NAME(rslSlices_Make)(Kernel* kernel);

static inline bool IsSliced(const Kernel* kernel, int body)
{
    return kernel->slices != NULL && kernel->slices->bodies[body].slices > 0;
}

// Forces of the springs of all bodies that have slices, and drags of their dampers, into the kernel.
void RSL_NAME(rslSlices_Force)(Kernel* kernel, const View* view);

// What dampers of a body took in that [W].
double RSL_NAME(rslSlices_Lost)(const Kernel* kernel, int body);
