// SPDX-License-Identifier: MIT
//
// cooper_element.h: scenes of Cooper & Maddock's triangle (cooper_table.h).

#pragma once

#include "cooper_table.h"
#include "reproduce.h"
#include "roots.h"

const char* cliCooperKind_Name(cliCooperKind kind);

// Make the first body of the scenes opened from here on such an element.
void cliCooper_Choose(cliStudy* study, cliCooperKind kind);

// The force on node 2 of a loaded triangle when it is put there. A cliField; the context is the cliLoaded.
cliPoint cliCooper_Force(cliPoint at, void* loaded);
