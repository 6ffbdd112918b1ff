// SPDX-License-Identifier: MIT
//
// draw.h: pictures into PNG files.

#pragma once

#include "loaded.h"

rslStatus cliDraw_Snapshot(const rslSnapshot* snapshot, const rslPictureDef* def, const char* path, rslReport* report);

// The state of a loaded scene, with its ground and, where there is no surface or they are asked for, its springs.
rslStatus cliDraw_Loaded(const cliLoaded* loaded, const rslPictureDef* def, const char* path, rslReport* report);
