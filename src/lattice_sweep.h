// SPDX-License-Identifier: MIT
//
// lattice_sweep.h: springs of lattice bodies, each computed once and given to both of its ends, plane by plane.
//
// Nodes of a lattice are numbered along x, then y, then z. Springs lead from a node to later ones: in its own plane z = k, or in the next.
// So a sweep over the planes needs the places of two planes at a time. It keeps them as grids (lattice_strip.h), which have room around them
// and places without a node, so that no spring has to be looked up; and with them what springs have done to their later ends. A strip of a
// plane is done when its own springs have been asked, and may be kicked and moved on at once:
//   f = own - sums,  own by its springs to later nodes and along its strip, sums by springs from earlier strips, rows and planes
// Of the next plane no more is loaded than a strip needs, so that memory is read while springs are asked.
// A body is cut into slabs of planes for the threads; the springs between two slabs are asked by both. Both ends get the same bits with
// opposite signs and every sum has its order, so that nothing depends on how a body is cut.
//
// Where a body disperses (force_dispersion.c), a sweep before that finds the shares of all nodes, of the same two parts.

#pragma once

#include "kernel.h"
#include "lattice.h"
#include "lattice_strip.h"

typedef struct Plane
{
    int begin, end;  // nodes
    int firstStrip, strips;
    int firstSegment, segments;  // of its strips
} Plane;

// Nodes in a row, and where they are.
typedef struct Segment
{
    int place, node, count;
} Segment;

// Bounds of the velocities of a plane's nodes, by axis; NAN where one of them is none.
typedef struct PlaneSpeed
{
    double low[3], high[3];
} PlaneSpeed;

// Planes [begin, end) of a body; those of the body around them.
typedef struct Slab
{
    int body;
    int begin, end, first, last;
    ptrdiff_t pitch, stride;  // numbers, from a row and from an array over places to the next
    bool fetches;             // its nodes are more than stays near the processor
    Real *fields, *sums;      // of the first of two planes by turns, at the first place; sums are 0 between sweeps
    ptrdiff_t turn;           // numbers, from the one to the other
    Real* room;               // of both
    size_t size;              // numbers
    Real* own;
    // where the planes before and after it are while they move, in this step and the next: u and w, three arrays each; NULL: there is none
    Real* halo[2][2];
} Slab;

// Where the grid of a plane begins, from that of the first.
static inline ptrdiff_t TurnOf(const Slab* slab, int plane)
{
    return (plane & 1) * slab->turn;
}

struct SweepKernel
{
    bool* takes;  // bodies whose springs are strips
    Strip* strips;
    Segment* segments;
    Plane* planes;
    int* chunks;  // of strips: where the constants of LANES places are
    Real* constants;
    int stripCount, segmentCount, planeCount, slabCount, chunkCount;
    size_t constantCount;
    Slab* slabs;
    double* lost;        // of every plane: what dampers take [W], in whole steps along the kick (kernel_drag.c)
    bool damped;         // any of its bodies
    PlaneSpeed* speeds;  // of every plane, after the last kick, where elements are guarded
};

// A step, from its middle on: a kick and half a drift.
typedef struct SweepStep
{
    double time;  // [s]
    bool begins;  // the half of a drift that leads to its middle is still to be made
    bool goesOn;  // another step follows: the half that leads to its middle is made as well
    int turn;     // 0 and 1 in turns
} SweepStep;

// After chunks; false when out of memory. kernel->sweep is NULL where no body has strips.
bool RSL_NAME(rslSweep_Make)(Kernel* kernel);

// Springs that places of a body have constants of: those of shell C where it has any.
static inline bool HasBodySprings(const Kernel* kernel, int body)
{
    const double* stiffness = kernel->model->bodies[body].lattice.stiffness;
    bool has = kernel->bodies[body].general;
    for (int s = RSL_LATTICE_BODY; s < RSL_LATTICE_HALF; ++s)
    {
        has = has || stiffness[s] != 0.0;
    }
    return has;
}

static inline bool IsSwept(const Kernel* kernel, int body)
{
    return kernel->sweep != NULL && kernel->sweep->takes[body];
}

// Does it know of the dispersion of a body too?
bool RSL_NAME(rslSweep_Disperses)(const Kernel* kernel, int body);

// Shares of the nodes of all bodies of which it knows the dispersion, into the kernel.
void RSL_NAME(rslSweep_Shares)(Kernel* kernel, const View* view);

// Forces of the springs of all bodies that it takes, with their dispersion where it knows it, and drags of their dampers, into the kernel.
void RSL_NAME(rslSweep_Force)(Kernel* kernel, const View* view);

// What dampers took in the last sweep [W].
double RSL_NAME(rslSweep_Lost)(const Kernel* kernel);

// Before steps that follow each other; and one of them. Returns what dampers take [W].
void RSL_NAME(rslSweep_Depart)(Kernel* kernel, const View* view, const SweepStep* step);
double RSL_NAME(rslSweep_TakeStep)(Kernel* kernel, const View* view, const SweepStep* step);

// Is there nothing in this model but what a sweep knows, and no force from outside now? Then whole steps of position Verlet are taken at
// once, to the same places and velocities, bit for bit, as one pass after the other (lattice_steps.c). Elements that resist collapse are
// looked at in between, until they push: the last step may be one that other passes finish.
bool RSL_NAME(rslSweep_TakesSteps)(const Kernel* kernel);
rslTaken RSL_NAME(rslSweep_Steps)(Kernel* kernel, rslState* state, int64_t steps);

// The step of a state that is in its middle, as its view has it, unless elements push then: false.
bool RSL_NAME(rslSweep_Finishes)(Kernel* kernel, rslState* state, const View* view, Powers* powers);
