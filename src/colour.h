// SPDX-License-Identifier: MIT
//
// colour.h: colours of bodies and of values. Components from 0 to 1.

#pragma once

#include "resilin/base.h"

typedef struct rslColour
{
    float r, g, b;
} rslColour;

// Distinct and repeated after eight bodies; as on a screen.
rslColour rslColour_OfBody(int body);

// The light that a screen value stands for, and back: the exponent of screens taken as 2.
static inline rslColour rslColour_ToLight(rslColour c)
{
    return (rslColour){ c.r * c.r, c.g * c.g, c.b * c.b };
}

// From dark blue over green to yellow, evenly brighter: reads without colour vision and in grey. t from 0 to 1.
rslColour rslColour_Sequential(double t);

// Blue for negative, light grey at zero, red for positive; evenly darker to both ends. t from -1 to 1.
rslColour rslColour_Diverging(double t);
