// SPDX-License-Identifier: MIT
//
// probe_touch.c: see probe_touch.h.

#include "probe_touch.h"

#include "vec.h"

#include <string.h>

const char* const rslTouchColumns[RSL_TOUCH_COLUMNS] = {
    "fx [N]",
    "fy [N]",
    "fz [N]",
    "friction x [N]",
    "friction y [N]",
    "friction z [N]",
    "impulse x [N s]",
    "impulse y [N s]",
    "impulse z [N s]",
    "impulse of friction x [N s]",
    "impulse of friction y [N s]",
    "impulse of friction z [N s]",
    "x [m]",
    "y [m]",
    "z [m]",
};

static rslPush PushOf(const rslModel* model, const rslState* state, int body, int collider)
{
    rslPush sum = { 0 };
    for (int b = body < 0 ? 0 : body; collider >= 0 && b < (body < 0 ? model->bodyCount : body + 1); ++b)
    {
        rslPush one = rslState_Push(model, state, b, collider);
        sum.normal = rslAdd(sum.normal, one.normal);
        sum.friction = rslAdd(sum.friction, one.friction);
    }
    return sum;
}

// What was pressed with is not in the row, and not needed: force and friction are.
void rslTouchMark_Read(rslTouchMark* mark, const rslModel* model, const rslState* state, int body, int collider,
                       double row[RSL_TOUCH_COLUMNS])
{
    rslTouchForce last = { .point = { NAN, NAN, NAN } };
    if (collider >= 0)
    {
        last = rslState_TouchForce(model, state, body, collider);
    }
    rslPush push = PushOf(model, state, body, collider);
    rslTouchMark now = { true, rslState_Time(state), rslAdd(push.normal, push.friction), push.friction };
    rslVec3 force = last.force, friction = last.friction;
    double span = now.time - mark->time;
    if (mark->made && span > 0.0)
    {
        force = rslScale(1.0 / span, rslSub(now.impulse, mark->impulse));
        friction = rslScale(1.0 / span, rslSub(now.friction, mark->friction));
    }
    const double values[RSL_TOUCH_COLUMNS] = {
        force.x,        force.y,        force.z,       friction.x,    friction.y,
        friction.z,     now.impulse.x,  now.impulse.y, now.impulse.z, now.friction.x,
        now.friction.y, now.friction.z, last.point.x,  last.point.y,  last.point.z,
    };
    memcpy(row, values, sizeof values);
    *mark = now;
}

void rslTouchMark_Recall(rslTouchMark* mark, double time, const double row[RSL_TOUCH_COLUMNS])
{
    *mark = (rslTouchMark){ true, time, { row[6], row[7], row[8] }, { row[9], row[10], row[11] } };
}
