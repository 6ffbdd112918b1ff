// SPDX-License-Identifier: MIT
//
// rebase.h: let a body's frame follow it. What that takes is summed up chunk by chunk, beside what else an audit asks of nodes.

#pragma once

#include "kernel.h"

// Of the nodes of a chunk.
void RSL_NAME(rslRebase_SumChunk)(Kernel* kernel, const View* view, const Chunk* chunk);

// After all chunks: what becomes of every frame of the state. Returns the kinetic energy of its nodes [J].
double RSL_NAME(rslRebase_Find)(Kernel* kernel, const rslState* state);

// Do it, and copy displacements and velocities into another state, unless that is NULL. Returns whether any frame has moved.
bool RSL_NAME(rslRebase_Follow)(Kernel* kernel, rslState* state, rslState* copy);

// The copy alone.
void RSL_NAME(rslRebase_Copy)(Kernel* kernel, const rslState* state, rslState* copy);
