// SPDX-License-Identifier: MIT
//
// halve.h: halving a list of points along an axis, for trees.

#pragma once

// Reorder items so that those before items[count / 2] come earlier and those after it later, in the order of
// keys[3 item + axis], then of the item itself. Takes time in proportion to count.
void rslHalve(int* items, int count, const double* keys, int axis);
