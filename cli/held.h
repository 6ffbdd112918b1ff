// SPDX-License-Identifier: MIT
//
// held.h: a scene whose outer nodes are put where a known solution has them: a piece of an infinite body.

#pragma once

#include "reproduce.h"

// Where the solution has the point x, u [m]; false: the node at x is free.
typedef bool cliSolution(rslVec3 x, void* context, rslVec3* u);

// Read a scene, hold the nodes of its first body by the solution, write the whole as a scene of its own (held, a name) beside
// the others, so that it can be run by hand, and open that. As cliStudy_Open.
bool cliStudy_OpenHeld(cliStudy* study, const char* scene, const char* held, cliSolution* solution, void* context,
                       cliLoaded* loaded);

// The node of the first body nearest to a point, where it is at the start: a point force has to act on a node.
bool cliStudy_NearestNode(cliStudy* study, const char* scene, rslVec3 point, int* index, rslVec3* at);
