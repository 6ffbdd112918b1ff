// SPDX-License-Identifier: MIT
//
// statics.h: what a solve for rest asks of the kernel in double precision: potential, forces, loads and products in body
// axes, without copies. Vectors are three arrays, padded as those of a state.

#pragma once

#include "vec.h"

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
    uint8_t way[RSL_ROW_CAPACITY];  // which of rslLatticeDirections leads there
    double block[RSL_ROW_CAPACITY][6];
    double more[2];  // eight numbers can be read from every block
} rslBondRow;

// What a kernel needs that is asked many times about one state; it answers in another order of operations from now on. False when
// out of memory. It comes first.
bool rslStatics_Make(void* kernel);

// Energy of all terms that have one, less the work of loads that do not follow the body, up to a constant of the step [J].
double rslStatics_Potential(void* kernel, const rslState* state);

// The part of the straight ways, from displacements before to those of a state, on which no element falls too far (guard.h);
// INFINITY: all of them.
double rslStatics_FirstTime(void* kernel, const rslState* state, double* const before[3]);

// The smallest area or volume of the elements that are guarded, over that at rest; 1 when all are above a half.
double rslStatics_Smallest(void* kernel, const rslState* state);

// Of the order of the size of the largest body; 0 when nothing is guarded [m].
double rslStatics_Extent(const void* kernel);

// Force of all terms; of gravity, loads and pressure alone [N].
void rslStatics_Forces(void* kernel, const rslState* state, double* const out[3]);
void rslStatics_Loads(void* kernel, const rslState* state, double* const out[3]);

// out = K p. Look comes first, once a state; Glance does without what rows, diagonals and Near need. settled: elements are asked no more
// whether their nodes are where they were at the last product, until that is taken back.
void rslStatics_Look(void* kernel, const rslState* state);
void rslStatics_Glance(void* kernel, const rslState* state);
void rslStatics_Settle(void* kernel, bool settled);
void rslStatics_Product(void* kernel, const rslState* state, double* const p[3], double* const out[3]);

// From now on products and diagonals are those of K + shift M [1/s2]: for what needs a K that is not singular.
void rslStatics_SetShift(void* kernel, double shift);

// Whether springs and elements are told as they are (Springs, Bonds), also where that is negative. Returns what was before.
bool rslStatics_SetExact(void* kernel, bool exact);

// The same for what preconditioners know. Without dispersion, which reaches farther than bonds: K without it is at least
// 1 / (1 + 2 q) of K, q > 0, and at most K, or the other way round. Without pressure, and with pressed springs slack across:
// what is left is never negative. A body pressed from all sides turns for nothing, because pressed springs and the pressure
// balance; one without the other would make an operator that is not positive.
void rslStatics_Near(void* kernel, const rslState* state, double* const p[3], double* const out[3]);

// What touches, contacts with penalties and barriers: out += K p, and its diagonal blocks, in which nothing else is.
void rslStatics_Touch(void* kernel, const rslState* state, double* const p[3], double* const out[3]);
void rslStatics_TouchDiagonal(void* kernel, const rslState* state, double (*blocks)[6]);

// Near for all terms but springs of networks; false, and nothing is done, when there are none.
bool rslStatics_Others(void* kernel, const rslState* state, double* const p[3], double* const out[3]);

// Three arrays that forces and potential are computed in: free for anything in between.
void rslStatics_Scratch(void* kernel, double* out[3]);

// The diagonal blocks of Near (xx yy zz xy xz yz).
void rslStatics_Diagonal(void* kernel, const rslState* state, double (*blocks)[6]);

// The bonds of a node of a lattice body as Near has them, in a fixed order; after Look. Any number of threads may ask.
void rslStatics_Row(const void* kernel, const rslState* state, int node, rslBondRow* row);

// Only the neighbours; returns their number, 0 for nodes of other bodies.
int rslStatics_Neighbours(const void* kernel, int node, int others[RSL_ROW_CAPACITY]);

// K between a node and another, by rows: minus the stiffness of the spring between them.
typedef void rslCoupling(void* context, int other, const double block[9]);

// Springs and links of a node, in a fixed order; after Look. Pressed springs count as slack across: what is left is never
// negative. A link also tells its share in the node itself. Bending and repulsion are told with the links. Without a state only the others are told (block NULL), before any
// Look. A pair may come twice.
void rslStatics_Springs(const void* kernel, const rslState* state, int node, rslCoupling* visit, void* context);
void rslStatics_Bonds(const void* kernel, const rslState* state, int node, rslCoupling* visit,
                      void* context);  // of lattices and elements alone
void rslStatics_Elements(const void* kernel, const rslState* state, int node, rslCoupling* visit, void* context);

// The same as Bonds, where that is elements only and there is a short way: number c of the n-th block is added to
// sums[place[n] + c stride]. False, and nothing is done, where there is none.
bool rslStatics_AddBonds(const void* kernel, int node, const uint16_t* place, double* sums, size_t stride);
void rslStatics_Links(const void* kernel, const rslState* state, int node, rslCoupling* visit, void* context);
void rslStatics_Repulsion(const void* kernel, const rslState* state, int node, rslCoupling* visit,
                          void* context);  // alone, as links are told

// Whether nothing but springs between two nodes each is stiff; after Look.
bool rslStatics_Pairs(const void* kernel);

// Springs of a node of a network in the order of Springs: direction, and stiffness k - t and t of k n n^T + t (I - n n^T).
// k (n.d)^2 is never negative, however n is rounded.
void rslStatics_Store(const void* kernel, const rslState* state, int node, float (*springs)[5]);

// What belongs to a node alone, the ground and the shift (xx yy zz xy xz yz); after Look.
void rslStatics_Ground(const void* kernel, const rslState* state, int node, double block[6]);

// Where a node is in the world, and the axes of its body there; after Look.
rslVec3 rslStatics_Position(const void* kernel, const rslState* state, int node);
rslMat3 rslStatics_Axes(const void* kernel, int node);
