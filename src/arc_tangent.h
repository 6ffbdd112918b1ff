// SPDX-License-Identifier: MIT
//
// arc_tangent.h: the angle of (x, y) in pieces, for one at a time (elementary.c) and for lanes (hinge_lanes.c).
//
// Taylor's series for |t| <= tan(pi/8), t^41 the first term left out; beyond, atan t = pi/4 + atan((t - 1) / (t + 1)).

#pragma once

#include "clones.h"

#include <math.h>
#include <stdbool.h>

#define RSL_ARC_TERMS 19

// What the terms of the series are divided by, from t^3 on: atan t = t - t p, p = s (1/3 - s (1/5 - ...)), s = t^2.
static const double rslArcTerms[RSL_ARC_TERMS] = {
    1.0 / 3.0,  1.0 / 5.0,  1.0 / 7.0,  1.0 / 9.0,  1.0 / 11.0, 1.0 / 13.0, 1.0 / 15.0,
    1.0 / 17.0, 1.0 / 19.0, 1.0 / 21.0, 1.0 / 23.0, 1.0 / 25.0, 1.0 / 27.0, 1.0 / 29.0,
    1.0 / 31.0, 1.0 / 33.0, 1.0 / 35.0, 1.0 / 37.0, 1.0 / 39.0,
};

// The larger and the smaller of |x| and |y|: is the angle between them beyond pi/8?
typedef struct rslArc
{
    double large, small;
    bool far, steep;
} rslArc;

RSL_INLINE rslArc rslArc_Of(double y, double x)
{
    const double a = fabs(x), b = fabs(y), large = a > b ? a : b, small = a > b ? b : a;
    return (rslArc){ large, small, small > 0.41421356237309503 * large, b > a };
}

// t
RSL_INLINE double rslArc_Tangent(rslArc arc)
{
    return (arc.far ? arc.small - arc.large : arc.small) / (arc.far ? arc.small + arc.large : arc.large);
}

// The angle, with that of t.
RSL_INLINE double rslArc_Angle(rslArc arc, double y, double x, double ofTangent)
{
    double angle = ofTangent + (arc.far ? 0.78539816339744828 : 0.0);
    angle = arc.steep ? 1.5707963267948966 - angle : angle;
    angle = x < 0.0 ? 3.1415926535897931 - angle : angle;
    angle = y < 0.0 ? -angle : angle;
    return arc.large > 0.0 ? angle : 0.0;
}
