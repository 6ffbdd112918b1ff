// SPDX-License-Identifier: MIT
//
// measure.h: what `resilin measure` shares with a sweep.

#pragma once

#include "cli.h"

// A list as in "tension,shear", as bits of rslTest. Returns what was expected when it is bad, else NULL.
const char* cliTests_Read(const char* list, unsigned* tests);
