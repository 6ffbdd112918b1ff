// SPDX-License-Identifier: MIT
//
// element_hexahedron.h: the constants of a cube with eight nodes, as element_hexahedron.c keeps them.

#pragma once

#include "element.h"

// Constants; moduli in Pa.
enum
{
    EDGE,    // 1 / a
    BEND,    // A
    COUPLE,  // B
    TWIST,   // mu, mu'
    FLOOR,   // c of the patterns 1 to 3
    LAST,    // c of h4
    CUT,     // not 0: what follows is used instead
    WHOLE,
    MEAN = WHOLE,          // G, of every pattern x y z [1/m]
    DENSE = MEAN + MODES,  // M - c by rows
    NUMBERS = DENSE + MODES * MODES
};

// Which place of the transform a pattern has: yz, zx, xy, xyz.
static const int rslHexahedronPlaces[PATTERNS] = { 6, 5, 3, 7 };
