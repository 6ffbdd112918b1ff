// SPDX-License-Identifier: MIT
//
// band_order.h: an order of the nodes of a graph in which neighbours are near each other.

#pragma once

#include "resilin/base.h"

// The neighbours of node i are other[start[i]] ... other[start[i + 1] - 1], each a neighbour of theirs. order gets
// all nodes. False when out of memory.
bool rslBandOrder_Make(int count, const int* start, const int* other, const rslHooks* hooks, int* order);
