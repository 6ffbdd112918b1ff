// SPDX-License-Identifier: MIT
//
// measure.h: what `resilin measure` shares with a sweep.

#pragma once

#include "cli.h"

// A list as in "tension,shear", as bits of rslTest. Returns what was expected when it is bad, else NULL.
const char* cliTests_Read(const char* list, unsigned* tests);

// The scene with one body at a level of detail; bodies are freed by the caller.
rslStatus cliLevels_Scene(const rslScene* scene, int body, int level, rslScene* out, rslBodyDef** bodies);

// Levels of a body side by side, each with its difference from the finest. Where blocks were tested, itself has what the body
// itself rings like; else NULLs.
void cliLevels_Print(const rslBodyDef* body, rslMeasurements* const* found, rslMeasurements* const* itself, int count);
