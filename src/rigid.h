// SPDX-License-Identifier: MIT
//
// rigid.h: is every part of a model held, so that it can be at rest?

#pragma once

#include "memory.h"

#include "resilin/model.h"

// An error for every part that can be shifted at no cost (bad input); a warning for one that can only be turned, since
// loads may hold it as they hold a pendulum. loose: the error is one of a part that can be shifted.
rslStatus rslRigid_Check(const rslModel* model, const rslHooks* hooks, rslPlace place, bool* loose, rslReport* report);

// An error for a rigid body that is free: what was asked for solves for nodes alone.
rslStatus rslRigid_AllHeld(const rslModel* model, rslPlace place, const char* what, rslReport* report);
