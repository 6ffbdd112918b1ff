// SPDX-License-Identifier: MIT
//
// collider_frames.h: colliders beside the frames of a run, for ParaView and Blender.

#pragma once

#include "resilin/model.h"

// Whether there are colliders that are no planes.
bool cliColliders_Any(const rslModel* model);

// They, where they are at a time, as a .vtu or .glb file.
rslStatus cliColliders_Write(const rslModel* model, double time, const char* path, bool glb, rslReport* report);
