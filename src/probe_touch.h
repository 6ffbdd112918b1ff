// SPDX-License-Identifier: MIT
//
// probe_touch.h: what probes read where things touch with impulses or a barrier. Forces are means since the row before; impulses are
// those since the start, from which a resumed run takes up the means.

#pragma once

#include "resilin/observe.h"

enum
{
    RSL_TOUCH_COLUMNS = 15  // force, friction, impulse, impulse of friction, point: x y z each
};

// Names of the columns.
extern const char* const rslTouchColumns[RSL_TOUCH_COLUMNS];

// What a row of a probe told.
typedef struct rslTouchMark
{
    bool made;  // there was one
    double time;
    rslVec3 impulse, friction;  // since the start [N s]
} rslTouchMark;

// The row of a collider (model->colliderCount: of other bodies, -1: of one that is not there) on a body (-1: on all). The first
// one tells forces of the last step.
void rslTouchMark_Read(rslTouchMark* mark, const rslModel* model, const rslState* state, int body, int collider,
                       double row[RSL_TOUCH_COLUMNS]);

// Go on from a row.
void rslTouchMark_Recall(rslTouchMark* mark, double time, const double row[RSL_TOUCH_COLUMNS]);
