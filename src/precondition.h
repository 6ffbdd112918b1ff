// SPDX-License-Identifier: MIT
//
// precondition.h: an approximate inverse of K for conjugate gradients.

#pragma once

#include "unknowns.h"

#include "resilin/solver.h"

typedef struct rslPreconditioner rslPreconditioner;

// NULL when out of memory. Chooses what fits the model. diagonal: room for a block for each of
// nodeCount + RSL_STATE_PADDING nodes, used within Update, its second half also within Apply. direct:
// factors K instead; NULL: none.
rslPreconditioner* rslPreconditioner_Create(const rslModel* model, const rslHooks* hooks, const rslUnknowns* unknowns,
                                            void* kernel, double (*diagonal)[6], const rslDirect* direct);

// The same for solves that are few for every model: lattices of springs alone keep no rows of their nodes, which take longer to make than
// they spare, and most of the memory.
rslPreconditioner* rslPreconditioner_CreateLean(const rslModel* model, const rslHooks* hooks,
                                                const rslUnknowns* unknowns, void* kernel, double (*diagonal)[6],
                                                const rslDirect* direct);
void rslPreconditioner_Free(rslPreconditioner* preconditioner);
size_t rslPreconditioner_Bytes(const rslPreconditioner* preconditioner);
const char* rslPreconditioner_Name(const rslPreconditioner* preconditioner);

// Take over K of a state; returns the largest number on its diagonal [N/m]. again: of a state near the one before, for which
// smoothers keep the eigenvalues they were made for. What comes out then depends on that one, too.
double rslPreconditioner_Update(rslPreconditioner* preconditioner, const rslState* state, bool again);

// The same with K of the model at rest, for a rate of implicit steps (K + rate^2 M + rate C): bodies turned as they are in a state, and what
// touches there. K at rest does not depend on the state, and is kept as long as the rate stays: that takes little time. again: of a state
// near the one before. False, and nothing has changed: bodies are too far from how they are at rest, or there is no way. Room for it comes
// first; false when out of memory.
bool rslPreconditioner_MakeRest(rslPreconditioner* preconditioner);
bool rslPreconditioner_TakeRest(rslPreconditioner* preconditioner, const rslState* state, double rate, bool again,
                                double* largest);

// After M turned out not to be positive: V cycles until the next update; then smoothers for larger eigenvalues, since power iteration
// may have found too small ones. False when that has been done often enough.
bool rslPreconditioner_Mend(rslPreconditioner* preconditioner);

// z = M r
void rslPreconditioner_Apply(rslPreconditioner* preconditioner, const rslNodeVector* r, const rslNodeVector* z);
