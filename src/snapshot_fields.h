// SPDX-License-Identifier: MIT
//
// snapshot_fields.h: the fields of a snapshot that are there on demand.

#pragma once

#include "resilin/observe.h"

void rslSnapshot_TakeFields(rslSnapshot* snapshot, rslSolver* solver, const rslState* state);
void rslSnapshot_FreeFields(rslSnapshot* snapshot);
