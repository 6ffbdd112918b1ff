// SPDX-License-Identifier: MIT
//
// parts.h: which nodes hang together.

#pragma once

#include "resilin/model.h"

// Parts are nodes connected by springs and links that have a stiffness. Fills the part of every node, numbered in the
// order of their first nodes; returns how many there are.
int rslParts_Find(const rslModel* model, int* part);
