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
// Where a body disperses (force_dispersion.c), shares of nodes are found first, of the same two parts. Forces of a plane need those of the next
// one too. So whole steps ask every plane twice, for forces when the next one has its shares: places are loaded once, and what both need of the
// springs of two planes stays near the processor. Only the shares of planes beside other slabs are found by a sweep before that.

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

// Bounds of the velocities of a plane's nodes, by axis; NAN where one of them is none.
typedef struct PlaneSpeed
{
    double low[3], high[3];
} PlaneSpeed;

// A node that a constraint holds.
typedef struct Pin
{
    int constraint, number;
} Pin;

// Planes [begin, end) of a body; those of the body around them.
typedef struct Slab
{
    int body;
    int begin, end, first, last;
    ptrdiff_t pitch, stride;  // numbers, from a row and from an array over places to the next
    bool fetches;             // its nodes are more than stays near the processor
    bool keeps;               // forces and shares are found together
    Real *fields, *sums;      // of the first of some planes by turns, at the first place; sums are 0 between sweeps
    Real* shareSums;          // those of shares, where the body disperses
    int turns;                // planes: 2, or 3 if it keeps
    ptrdiff_t turn;           // numbers, from the one to the next
    Real* room;               // of all
    size_t size;              // numbers
    Real* own;
    Real* kept;          // if it keeps: of the springs of two planes by turns what shares are made of
    ptrdiff_t keptTurn;  // numbers
    // where the planes before and after it are while they move, in this step and the next: u and w, three arrays each; NULL: there is none
    Real* halo[2][2];
    // lattice_pins.c: of its nodes, one constraint after the other; nodes, each once, where they were in the middle of the step, three arrays,
    // and how fast after the kick; how far beside its velocities one of them has gone, at most
    Pin* pins;
    int* pinned;
    Real *places, *pushed;
    int pinCount, pinnedCount;
    double moved;
} Slab;

// Where the grid of a plane begins, from that of the first.
static inline ptrdiff_t TurnOf(const Slab* slab, int plane)
{
    return plane % slab->turns * slab->turn;
}

struct SweepKernel
{
    bool* takes;  // bodies whose springs are strips
    Strip* strips;
    Segment* segments;
    Plane* planes;
    StripRun* runs;  // of strips
    int* chunks;     // of runs: where the constants of LANES places are
    Real* constants;
    int stripCount, segmentCount, planeCount, slabCount, runCount, chunkCount;
    size_t constantCount;
    Slab* slabs;
    double* lost;        // of every plane: what dampers take [W],
    double* changed;     // and D.(w' - w) of the last kick, by which that is corrected (kernel_drag.c)
    bool damped;         // any of its bodies
    bool weighs;         // there are no other dampers, and kicks of forces find this too
    PlaneSpeed* speeds;  // of every plane, after the last kick, where elements are guarded
    Real* free;          // of every node: 0 where it is held, else 1; NULL without pins
    FrameView *ends,
        *middles;  // of every body, where nodes are held: at the end of a step, in the middle of the next one
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

static inline bool WeighsKicks(const Kernel* kernel)
{
    return kernel->sweep != NULL && kernel->sweep->weighs;
}

// Does it know of the dispersion of a body too?
bool RSL_NAME(rslSweep_Disperses)(const Kernel* kernel, int body);

// Shares of the nodes of all bodies of which it knows the dispersion, into the kernel.
void RSL_NAME(rslSweep_Shares)(Kernel* kernel, const View* view);

// Forces of the springs of all bodies that it takes, with their dispersion where it knows it, and drags of their dampers, into the kernel.
void RSL_NAME(rslSweep_Force)(Kernel* kernel, const View* view);

// What dampers took in the last sweep [W]; D.(w' - w) of the last kick [W].
double RSL_NAME(rslSweep_Lost)(const Kernel* kernel);
double RSL_NAME(rslSweep_Changed)(const Kernel* kernel);

// Are all dampers of a model springs that are swept? Then a kick by forces that were kept finds what it changes of what they take.
bool RSL_NAME(rslSweep_KnowsDampers)(const Kernel* kernel);
void RSL_NAME(rslSweep_Kick)(Kernel* kernel, const View* view, double time);

// Of numbers that were added up in lanes, those of all segments of a plane.
double RSL_NAME(rslSweep_SumOf)(const double lanes[LANES]);

// Bounds of velocities: none yet, and of all lanes; those of the nodes of every plane, as they are.
void RSL_NAME(rslSpeeds_Clear)(SpeedLanes* speeds);
PlaneSpeed RSL_NAME(rslSpeeds_Join)(const SpeedLanes* speeds);
void RSL_NAME(rslSweep_BoundSpeeds)(Kernel* kernel, const View* view);

// Before steps that follow each other; and one of them. Returns what dampers take along the velocities before it [W]; what the kick changes
// of that goes into the account.
void RSL_NAME(rslSweep_Depart)(Kernel* kernel, const View* view, const SweepStep* step);
double RSL_NAME(rslSweep_TakeStep)(Kernel* kernel, const View* view, const SweepStep* step, rslAccount* account);

// Pins (lattice_pins.c): made after constraints; false when out of memory. Before a step; places of a slab, in the middle of a step; its
// nodes after they have been pushed; how far beside their velocities any have gone in that [m].
bool RSL_NAME(rslPins_Make)(Kernel* kernel);
void RSL_NAME(rslPins_Aim)(Kernel* kernel, const rslState* state);
void RSL_NAME(rslPins_Keep)(const View* view, const Slab* slab);
void RSL_NAME(rslPins_Hold)(const Kernel* kernel, const View* view, Slab* slab, Real half, bool goesOn);
double RSL_NAME(rslPins_Moved)(const Kernel* kernel);

// Is there nothing in this model but what a sweep knows, and no force from outside now?
bool RSL_NAME(rslSweep_KnowsAll)(const Kernel* kernel);

// If so, and unless what can touch has to be looked at in every step, whole steps of position Verlet are taken at once, to the same places
// and velocities, bit for bit, as one pass after the other (lattice_steps.c). Elements that resist collapse are looked at in between, until
// they push: the last step may be one that other passes finish.
bool RSL_NAME(rslSweep_TakesSteps)(const Kernel* kernel);
rslTaken RSL_NAME(rslSweep_Steps)(Kernel* kernel, rslState* state, int64_t steps);

// The step of a state that is in its middle, as its view has it, unless elements push then: false.
bool RSL_NAME(rslSweep_Finishes)(Kernel* kernel, rslState* state, const View* view, Powers* powers);
