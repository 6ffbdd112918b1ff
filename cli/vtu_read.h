// SPDX-License-Identifier: MIT
//
// vtu_read.h: reads a frame that `resilin run` has written, to draw it.

#pragma once

#include "resilin/export.h"

// A nodes or a surface frame as a snapshot with only that part. Release with cliVtu_Free. Files of other programs are
// refused.
rslStatus cliVtu_Read(const char* path, rslSnapshot* snapshot, rslReport* report);
void cliVtu_Free(rslSnapshot* snapshot);
