// SPDX-License-Identifier: MIT
//
// pulled.h: the drawn surface of a body pulled out of shape, to compare levels of detail that share it.

#pragma once

#include "loaded.h"

typedef struct cliPulled
{
    int nodes, vertices;
    double* surface;  // x y z now
    double* shift;    // x y z from the start
    double shifted;   // length of the mean shift near the middle of the first load
} cliPulled;

// Of the first body, whose first load acts in a sphere. False when out of memory. Free it in any case.
bool cliPulled_Take(const cliLoaded* loaded, cliPulled* pulled);
void cliPulled_Free(cliPulled* pulled);

// How far the surface is from that of the reference: rms over its vertices, relative to the largest shift. NaN when they
// are not the same vertices.
double cliPulled_Distance(const cliPulled* pulled, const cliPulled* reference);
