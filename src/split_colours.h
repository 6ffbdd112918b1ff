// SPDX-License-Identifier: MIT
//
// split_colours.h: which way hexahedra are split into five tetrahedra, so that neighbours agree on the faces between them.
//
// The tetrahedron in the middle has every other corner of its hexahedron. Where nodes can be given two colours, unlike along every
// edge, it takes those of one colour in all of them: its edges are then the same diagonals of a face from both sides. Grids
// can; meshes with an odd ring of edges cannot.

#pragma once

#include "resilin/base.h"

#include <stdbool.h>
#include <stdint.h>

// Colours 0 and 1 of the nodes [first, first + nodeCount) of hexahedra, eight corners each in the order of bits. *found: there are such
// colours. False when out of memory.
bool rslSplit_Colour(const rslHooks* hooks, const int* hexahedra, int count, int first, int nodeCount, uint8_t* colours,
                     bool* found);
