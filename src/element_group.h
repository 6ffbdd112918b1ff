// SPDX-License-Identifier: MIT
//
// element_group.h: hexahedra of lattices and tetrahedra, eight at a time, for implicit steps and rest. In double precision only.

#pragma once

#include "kernel_element.h"

// Groups of all elements, where all of them can be in one; from now on they answer for them. False when out of memory.
bool rslElements_Group(Kernel* kernel);

// Of the elements of a chunk: forces, and products of K + r C or of C, into slots; energy [J]; rotations, into turns.
void rslElements_GroupForces(Kernel* kernel, const View* view, const Chunk* chunk);
void rslElements_GroupProduct(Kernel* kernel, const View* view, const Chunk* chunk, bool damping, double* const p[3]);
double rslElements_GroupEnergy(const Kernel* kernel, const View* view, const Chunk* chunk);
void rslElements_GroupTurns(Kernel* kernel, const View* view, const Chunk* chunk);
