// SPDX-License-Identifier: MIT
//
// specimen.h: what of a body a test needs to know: the box that it fills, and how deep its surface layer is.

#pragma once

#include "resilin/model.h"

typedef struct rslSpecimen
{
    rslVec3 size;    // of the box, along its own axes [m]; a sheet: z is the thickness
    rslQuat axes;    // of the box in the world
    rslVec3 middle;  // in the world [m]
    bool flat;       // a sheet: all nodes lie in the plane of x and y
    double grip[3];  // nodes nearer than this to an end are gripped, for each axis [m]
    // nodes nearer than this to a face do not have the surroundings of those inside [m]; 0: all nodes are alike, those on the
    // faces with their share
    double border;
} rslSpecimen;

// The only body of a model, made from a definition. NULL when it is a box; else why it is none.
const char* rslSpecimen_Find(const rslModel* model, const rslBodyDef* def, rslSpecimen* specimen);
