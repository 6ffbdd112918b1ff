// SPDX-License-Identifier: MIT
//
// eigen.h: modes by an eigen-solver of another library (rslEigen of modes.h) in place of rslLobpcg_Run.

#pragma once

#include "lobpcg.h"

#include "resilin/modes.h"

// Fills what Run fills. rsl_ok, rsl_notConverged, rsl_outOfMemory, rsl_badInput, which is reported, or rsl_unsupported as Run.
// The kernel has the shift of the search.
rslStatus rslEigen_Run(const rslEigen* library, rslLobpcg* search, const rslState* state, void* kernel,
                       rslReport* report);
