// SPDX-License-Identifier: MIT
//
// energy.h: the energy of a state as a kernel finds it.

#pragma once

#include "kernel.h"

rslEnergy RSL_NAME(rslKernel_Energy)(Kernel* kernel, const rslState* state);

// The same of a state straight after a step, with what becomes of frames (rebase.h): one pass over the nodes finds both.
rslEnergy RSL_NAME(rslKernel_Weigh)(Kernel* kernel, const rslState* state);
