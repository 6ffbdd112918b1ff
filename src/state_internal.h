// SPDX-License-Identifier: MIT
//
// state_internal.h: what kernels may rely on about the arrays of a state.

#pragma once

enum
{
    RSL_STATE_PADDING = 16,  // zeroed numbers after the last node: whole vector blocks may be read
    RSL_MOST_DIVIDED = 20    // a guarded step is divided by at most 2 to this power
};
