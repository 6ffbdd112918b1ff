// SPDX-License-Identifier: MIT
//
// lattice_sweep.h: springs of lattice bodies, each computed once and given to both of its ends, plane by plane.
//
// Nodes of a lattice are numbered along x, then y, then z. Springs lead from a node to later ones: in its own plane z = k, or in the next.
// So a sweep over the planes needs the places of two planes at a time, and a plane is done, and may be kicked and moved on, when its own
// springs have been asked. Springs of one direction whose ends lie a constant offset apart are a strip, a plain loop without branches.
//
// What acts on a node is the sum of three parts, each added up in the order of the strips:
//   next   by springs from the plane before      own    by its springs to later nodes
//   same   by springs from earlier nodes of its plane
//   f = (next + own) + same
// Apart, so that no number is read that was written a moment before as part of another vector. A body is cut into slabs of planes for the
// threads; the springs between two slabs are asked by both. Both ends get the same bits with opposite signs and every part has its order,
// so that nothing depends on how a body is cut.
//
// Where a body disperses (force_dispersion.c), a sweep before that finds the shares of all nodes, of the same three parts.

#pragma once

#include "kernel.h"
#include "lattice_strip.h"

typedef struct Plane
{
    int begin, end;          // nodes
    int firstStrip, strips;  // whose early ends are in it
} Plane;

// Planes [begin, end) of a body; those of the body around them.
typedef struct Slab
{
    int body;
    int begin, end, first, last;
    Real* room;     // of its sweep: arrays, each a stride behind the one before
    size_t stride;  // numbers
    // where the planes before and after it are while they move: u and w, three arrays each; NULL: there is none
    Real* halo[2];
} Slab;

struct SweepKernel
{
    bool* takes;  // bodies whose springs are strips
    Strip* strips;
    Plane* planes;
    int stripCount, planeCount, slabCount;
    Real* constants;
    size_t constantCount;
    Slab* slabs;
    // of every plane: what dampers take [W], and their part in D.w before and after a kick (kernel_drag.c)
    double* lost;
    bool damped;  // any of its bodies
};

// After chunks; false when out of memory. kernel->sweep is NULL where no body has strips.
bool RSL_NAME(rslSweep_Make)(Kernel* kernel);

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

// Is there nothing in this model but what a sweep knows, and no force from outside now? Then it takes whole steps of position Verlet, to the
// same bits as one pass after the other.
bool RSL_NAME(rslSweep_TakesSteps)(const Kernel* kernel);
void RSL_NAME(rslSweep_Step)(Kernel* kernel, const View* view, double step, rslAccount* account);
