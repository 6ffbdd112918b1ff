// SPDX-License-Identifier: MIT
//
// static_buckle.h: equilibria that do not last.

#pragma once

#include "static_internal.h"
#include "static_search.h"

// Does a body leave an equilibrium at a touch? Then the direction in which it does is in space.p, and K times it in space.q.
bool rslStatic_IsUnstable(rslStatic* rest, const rslState* state);

// Leave it in that direction, if elements are near collapse there. False: the state is as it was.
bool rslStatic_Fall(rslStatic* rest, rslSearch* search);
