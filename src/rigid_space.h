// SPDX-License-Identifier: MIT
//
// rigid_space.h: vectors over nodes in which rigid bodies move as one. Three arrays, in body axes.

#pragma once

#include "resilin/state.h"

// Make the nodes of a rigid body, and those welded to it, move as one. Of a motion x, what is left is the rigid motion with
// the same momentum; of forces f, those of the motion that they cause. Nothing is left of a body that is held.
void rslRigid_Project(const rslModel* model, const rslState* state, int rigid, double* const v[3], bool motion);

// How such a body turns in a motion, or in what such forces cause; world axes.
rslVec3 rslRigid_TurnIn(const rslModel* model, const rslState* state, int rigid, double* const v[3], bool motion);
