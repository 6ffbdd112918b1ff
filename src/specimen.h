// SPDX-License-Identifier: MIT
//
// specimen.h: what of a body a test needs to know: the box that it fills, and how deep its surface layer is.

#pragma once

#include "resilin/model.h"

static inline double rslAlong(rslVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static inline rslVec3 rslOnAxis(int axis, double length)
{
    return (rslVec3){ axis == 0 ? length : 0.0, axis == 1 ? length : 0.0, axis == 2 ? length : 0.0 };
}

typedef struct rslSpecimen
{
    rslVec3 size;     // of the box, along its own axes [m]; a sheet: z is the thickness
    rslQuat axes;     // of the box in the world
    rslVec3 middle;   // in the world [m]
    bool flat;        // a sheet: all nodes lie in the plane of x and y
    double area[3];   // of the section across each axis [m2]
    double grip[3];   // nodes nearer than this to an end are gripped, for each axis [m]
    bool shallow[3];  // too few cells to grip all corners of those at an end
    // nodes nearer than this to a face do not have the surroundings of those inside [m]; 0: all nodes are alike, those on the
    // faces with their share
    double border;
} rslSpecimen;

// The only body of a model, made from a definition. NULL when it is a box; else why it is none.
const char* rslSpecimen_Find(const rslModel* model, const rslBodyDef* def, rslSpecimen* specimen);
