// SPDX-License-Identifier: MIT
//
// repulsion_matrix.h: the stiffness of pieces near collapse as blocks between nodes, for many products at one state. In double
// precision only.

#pragma once

#include "kernel_repulsion.h"

// The blocks at a view that was looked at. Where there is no memory for them, there are none, and the term itself has to be asked.
void rslRepulsion_Assemble(Kernel* kernel, const View* view);
bool rslRepulsion_IsAssembled(const Kernel* kernel);

// K between a node and others, itself among them, as rslStatics_Links tells it.
void rslRepulsion_Row(const Kernel* kernel, int node, void (*visit)(void* context, int other, const double block[9]),
                      void* context);

// out += K p for the nodes of a chunk; relaxed: without what may be negative.
void rslRepulsion_Multiply(const Kernel* kernel, const Chunk* chunk, bool relaxed, double* const p[3],
                           double* const out[3]);
