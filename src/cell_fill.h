// SPDX-License-Identifier: MIT
//
// cell_fill.h: how much of a cubic cell a shape fills, and where.

#pragma once

#include "resilin/shape.h"
#include "cell_moments.h"
#include "vec.h"

typedef struct rslCellFill
{
    rslMoments moments;  // of the part inside of the shape, in cells
    double bound;        // of the error of the volume, in cells; 0 where planes were cut exactly (see cell_fill.c)
} rslCellFill;

// The cell has its centre and its edge in world coordinates; the columns of turn are its axes.
rslCellFill rslCell_Fill(const rslShape* shape, rslVec3 centre, const rslMat3* turn, double edge);
