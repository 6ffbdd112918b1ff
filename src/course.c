// SPDX-License-Identifier: MIT
//
// course.c: the value of a factor in time.

#include "resilin/model.h"
#include "elementary.h"
#include "table.h"

// 0 before the start, 1 after the end, s or 3 s^2 - 2 s^3 between them.
static double Ramp(const rslCourse* course, double time)
{
    double s = (time - course->start) / course->duration;
    if (s <= 0.0)
    {
        return 0.0;
    }
    if (s >= 1.0)
    {
        return 1.0;
    }
    return course->smooth ? s * s * (3.0 - 2.0 * s) : s;
}

// 1 within [start, start + duration), or the bump (4 s (1 - s))^2 with the same ends.
static double Pulse(const rslCourse* course, double time)
{
    double s = (time - course->start) / course->duration;
    if (s < 0.0 || s >= 1.0)
    {
        return 0.0;
    }
    double bump = 4.0 * s * (1.0 - s);
    return course->smooth ? bump * bump : 1.0;
}

// Linear between the points, constant outside.
static double Table(const rslCourse* course, double time)
{
    if (course->pointCount < 1)
    {
        return 0.0;
    }
    rslTablePlace place = rslTable_Find(course->points, 2, course->pointCount, time);
    return rslTable_Value(&place, 1);
}

double rslCourse_Value(const rslCourse* course, double time)
{
    switch (course->type)
    {
        case rsl_rampCourse: return Ramp(course, time);
        case rsl_pulseCourse: return Pulse(course, time);
        case rsl_tableCourse: return Table(course, time);
        case rsl_sineCourse:
            if (time < course->start)
            {
                return 0.0;
            }
            return rslSinDegrees(360.0 * (course->frequency * (time - course->start)) + course->phase);
        default: return time >= course->start ? 1.0 : 0.0;
    }
}
