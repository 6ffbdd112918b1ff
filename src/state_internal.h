// SPDX-License-Identifier: MIT
//
// state_internal.h: what kernels may rely on about the arrays of a state, and how to read and write them.

#pragma once

#include "resilin/state.h"

enum
{
    RSL_STATE_PADDING = 16,  // zeroed numbers after the last node: whole vector blocks may be read
    RSL_RIGID_ENTRIES =
        3,  // after the nodes, of every rigid body: room within implicit steps (implicit_rigid.h), else zero
    RSL_MOST_DIVIDED = 20  // a guarded step is divided by at most 2 to this power
};

// What has become of steps that were to be taken at once.
typedef enum rslTaken
{
    rsl_noneTaken,
    rsl_taken,      // some
    rsl_ledTooFar,  // the state is to be taken back to where they began
} rslTaken;

// All but displacements and velocities, where there is room for what touches.
void rslState_CopyRest(rslState* to, const rslState* from);

// Numbers of one node in the arrays of a state, of either precision.
static inline double rslState_Get(const rslState* state, void* const* arrays, int axis, int node)
{
    return state->precision == rsl_single ? (double)((const float*)arrays[axis])[node]
                                          : ((const double*)arrays[axis])[node];
}

static inline rslVec3 rslState_Get3(const rslState* state, void* const arrays[3], int node)
{
    return (rslVec3){ rslState_Get(state, arrays, 0, node), rslState_Get(state, arrays, 1, node),
                      rslState_Get(state, arrays, 2, node) };
}

static inline void rslState_Put3(const rslState* state, void* const arrays[3], int node, rslVec3 value)
{
    double v[3] = { value.x, value.y, value.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        if (state->precision == rsl_single)
        {
            ((float*)arrays[axis])[node] = (float)v[axis];
        }
        else
        {
            ((double*)arrays[axis])[node] = v[axis];
        }
    }
}
