// SPDX-License-Identifier: MIT
//
// static_held.h: held nodes go where they have to, and no element collapses on the way.

#pragma once

#include "static_internal.h"

// Move held nodes to where they have to be at the time of a state; the others follow. In parts: with Newton's method
// between them, else at once. False when elements would collapse: the state is as it was, or part of the way is done.
bool rslStatic_MoveHeld(rslStatic* rest, rslState* state, bool inParts);
