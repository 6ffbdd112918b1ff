// SPDX-License-Identifier: MIT
//
// statics.h: what a solve for rest asks of the kernel in double precision: potential, forces, loads and products in body
// axes, without copies. Vectors are three arrays, padded as those of a state.

#pragma once

#include "resilin/state.h"

enum
{
    RSL_ROW_CAPACITY = 26  // bonds of a lattice node
};

// The bonds of one lattice node: K between the node and its neighbour is minus the block (xx yy zz xy xz yz).
typedef struct rslBondRow
{
    int count;
    int other[RSL_ROW_CAPACITY];
    double block[RSL_ROW_CAPACITY][6];
} rslBondRow;

// Energy of all terms that have one, less the work of loads that do not follow the body, up to a constant of the step [J].
double rslStatics_Potential(void* kernel, const rslState* state);

// Force of all terms; of gravity, loads and pressure alone [N].
void rslStatics_Forces(void* kernel, const rslState* state, double* const out[3]);
void rslStatics_Loads(void* kernel, const rslState* state, double* const out[3]);

// out = K p. Look comes first, once a state.
void rslStatics_Look(void* kernel, const rslState* state);
void rslStatics_Product(void* kernel, const rslState* state, double* const p[3], double* const out[3]);

// From now on products and diagonals are those of K + shift M [1/s2]: for what needs a K that is not singular.
void rslStatics_SetShift(void* kernel, double shift);

// The bonds of a node of a lattice body, in a fixed order; after Look. Any number of threads may ask.
void rslStatics_Row(const void* kernel, const rslState* state, int node, rslBondRow* row);

// Only the neighbours; returns their number, 0 for nodes of other bodies.
int rslStatics_Neighbours(const void* kernel, int node, int others[RSL_ROW_CAPACITY]);

// Springs of a node of a network body, 0 for others; one of them, as a linear spring that is not pressed.
int rslStatics_SpringCount(const void* kernel, int node);
int rslStatics_Spring(const void* kernel, const rslState* state, int node, int index,
                      double block[6]);  // returns the other end
