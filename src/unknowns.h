// SPDX-License-Identifier: MIT
//
// unknowns.h: the free unknowns of a solve for rest, and the vectors over them.
//
// A vector has three numbers a node in the axes of its body. Held axes are directions of the world: a projector a held node
// takes them out. Nodes that rigid bodies carry are all held; what moves those may follow after the nodes (implicit_rigid.h). Sums run over fixed blocks of nodes and are added up in their order: the same bits for any number of
// threads.

#pragma once

#include "memory.h"
#include "team.h"

#include "resilin/state.h"

typedef struct rslNodeVector
{
    double* x[3];  // padded as the arrays of a state
} rslNodeVector;

typedef struct rslUnknowns
{
    const rslModel* model;
    rslTeam* team;
    int nodeCount, entryCount, blockCount;  // entries: nodes, and what follows them
    double* sums;                           // of every block
    uint8_t* axes;                          // of every node: bits of the world axes that are held
    int* heldNodes;                         // sorted
    double (*free)[6];                      // projector of every held node (xx yy zz xy xz yz)
    int heldCount;
} rslUnknowns;

// False when out of memory. The memory is the arena's.
bool rslUnknowns_Make(rslUnknowns* unknowns, const rslModel* model, rslTeam* team, rslArena* arena);
bool rslNodeVector_Make(rslNodeVector* vector, int entryCount, rslArena* arena);

// So many entries more after the nodes; false when out of memory.
bool rslUnknowns_Extend(rslUnknowns* unknowns, int entries, rslArena* arena);

// Turn the projectors with the frames of a state.
void rslUnknowns_Aim(rslUnknowns* unknowns, const rslState* state);

// The projector of a node; NULL for the identity.
const double* rslUnknowns_Projector(const rslUnknowns* unknowns, int node);

// Take out what is held.
void rslUnknowns_Project(const rslUnknowns* unknowns, const rslNodeVector* vector);

double rslUnknowns_Dot(const rslUnknowns* unknowns, const rslNodeVector* a, const rslNodeVector* b);
void rslUnknowns_Clear(const rslUnknowns* unknowns, const rslNodeVector* y);
void rslUnknowns_Copy(const rslUnknowns* unknowns, const rslNodeVector* y, const rslNodeVector* x);  // y = x
void rslUnknowns_Combine(const rslUnknowns* unknowns, const rslNodeVector* y, double b, double a,
                         const rslNodeVector* x);  // y = b y + a x

// a.M b and y += a M x, M a mass a node.
double rslUnknowns_DotMass(const rslUnknowns* unknowns, const double* mass, const rslNodeVector* a,
                           const rslNodeVector* b);
void rslUnknowns_AddMass(const rslUnknowns* unknowns, const rslNodeVector* y, double a, const double* mass,
                         const rslNodeVector* x);

// y = S x for a symmetric block a node; nodes only.
void rslUnknowns_Blocks(const rslUnknowns* unknowns, const rslNodeVector* y, const float (*blocks)[6],
                        const rslNodeVector* x);

// The node with the longest vector; of what follows the nodes, the first node of its rigid body.
int rslUnknowns_Largest(const rslUnknowns* unknowns, const rslNodeVector* x, double* length);

// A symmetric block times a vector.
static inline void rslBlock_Times(const double s[6], const double v[3], double out[3])
{
    out[0] = s[0] * v[0] + s[3] * v[1] + s[4] * v[2];
    out[1] = s[3] * v[0] + s[1] * v[1] + s[5] * v[2];
    out[2] = s[4] * v[0] + s[5] * v[1] + s[2] * v[2];
}

// factor F_i S F_j by rows; NULL: the identity.
void rslBlock_Between(const double s[6], double factor, const double* fi, const double* fj, double out[9]);
void rslBlock_Project(double a[9], const double* fi, const double* fj);  // F_i A F_j in place

// F S F + trace(S) (I - F): free directions keep their stiffness, held ones get some, so that there is an inverse. NULL:
// all are free.
void rslBlock_Free(double s[6], const double* projector);

// The inverse of a symmetric block that is not negative. A pivot below 1e-9 of the trace counts as the trace: also what has
// no stiffness is moved by a force on it. Zero for a block without a positive trace.
void rslBlock_Invert(const double s[6], double inverse[6]);

// The same in single precision, and positive there too: a block that is stiff in one direction and next to nothing in another
// gets as much more as rounding could take.
void rslBlock_InvertSingle(const double s[6], float inverse[6]);
