// SPDX-License-Identifier: MIT
//
// point_order.h: points in an order in which neighbours come soon after each other.

#pragma once

#include "resilin/base.h"

// order gets the numbers of the points (x y z, finite). False when out of memory.
bool rslPointOrder(const double* points, int count, const rslHooks* hooks, int* order);
