// SPDX-License-Identifier: MIT
//
// element_group.h: batches of elements that keep what they have found, for implicit steps and rest. In double precision
// only.

#pragma once

#include "kernel_element.h"

// A group of every batch, where all elements can be in one; from now on they answer for them. False when out of memory.
bool rslElements_Group(Kernel* kernel);

// Of the elements of a chunk: forces, and products of K + r C or of C, added to sums, with what drag takes [W]; energy
// [J]; rotations, into turns.
double rslElements_GroupForces(Kernel* kernel, const View* view, const Chunk* chunk);
void rslElements_GroupProduct(Kernel* kernel, const View* view, const Chunk* chunk, bool damping, double* const p[3]);
double rslElements_GroupEnergy(const Kernel* kernel, const View* view, const Chunk* chunk);
void rslElements_GroupTurns(Kernel* kernel, const View* view, const Chunk* chunk);
