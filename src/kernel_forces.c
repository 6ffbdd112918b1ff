// SPDX-License-Identifier: MIT
//
// kernel_forces.c: room for the forces on all nodes, and for the part of dampers in them.
//
// Whole steps (lattice_steps.c, network_steps.c) kick nodes as soon as their forces are known, and keep none. So where nothing but whole
// steps is to be expected there is no room, until somebody asks for forces or gives some.

#include "kernel.h"
#include "lattice_sweep.h"
#include "network_slices.h"

#include <stdint.h>

enum
{
    LINE = 64,  // of the cache
    PAGE = 4096,
    APART = 5 * LINE
};

// Three arrays that are walked side by side: each begins some lines of the cache later in its page than the one before.
static size_t Stride(const Kernel* kernel)
{
    size_t bytes = ((size_t)kernel->nodeCount + LANES) * sizeof(Real);
    return (bytes < 16 * PAGE ? (bytes + LINE - 1) / LINE * LINE : (bytes + PAGE - 1) / PAGE * PAGE + APART) /
           sizeof(Real);
}

static bool MakeRoom(Kernel* kernel, ForceRoom* room, Real* arrays[3])
{
    if (room->memory != NULL)
    {
        return true;
    }
    const size_t stride = Stride(kernel), bytes = 3 * stride * sizeof(Real) + LINE;
    room->memory = rslAllocate(&kernel->arena.hooks, bytes, 1);
    if (room->memory == NULL)
    {
        return false;
    }
    room->bytes = bytes;
    char* first = (char*)room->memory + (LINE - (uintptr_t)room->memory % LINE) % LINE;
    for (size_t axis = 0; axis < 3; ++axis)
    {
        arrays[axis] = (Real*)(void*)first + axis * stride;
    }
    return true;
}

static void DropRoom(Kernel* kernel, ForceRoom* room, Real* arrays[3])
{
    rslRelease(&kernel->arena.hooks, room->memory);
    *room = (ForceRoom){ 0 };
    arrays[0] = arrays[1] = arrays[2] = NULL;
}

bool RSL_NAME(rslForces_Make)(Kernel* kernel)
{
    return MakeRoom(kernel, &kernel->forceRoom, kernel->force) &&
           (!kernel->keepsDrags || MakeRoom(kernel, &kernel->dragRoom, kernel->drag));
}

void RSL_NAME(rslForces_Drop)(Kernel* kernel)
{
    DropRoom(kernel, &kernel->forceRoom, kernel->force);
    DropRoom(kernel, &kernel->dragRoom, kernel->drag);
}

size_t RSL_NAME(rslForces_Bytes)(const Kernel* kernel)
{
    return kernel->forceRoom.bytes + kernel->dragRoom.bytes;
}

bool RSL_NAME(rslForces_AreKept)(const Kernel* kernel, rslIntegrator integrator)
{
    bool whole = RSL_NAME(rslSweep_TakesSteps)(kernel) || (kernel->slices != NULL && kernel->slices->steps);
    return integrator != rsl_positionVerlet || kernel->guard != NULL || kernel->touch != NULL || !whole;
}
