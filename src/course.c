// SPDX-License-Identifier: MIT
//
// course.c: the value of a factor in time.

#include "resilin/model.h"
#include "elementary.h"

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
    const double* points = course->points;
    int last = course->pointCount - 1;
    if (last < 0)
    {
        return 0.0;
    }
    if (time <= points[0])
    {
        return points[1];
    }
    if (time >= points[2 * last])
    {
        return points[2 * last + 1];
    }
    int low = 0, high = last;
    while (high - low > 1)
    {
        int middle = low + (high - low) / 2;
        if (points[2 * middle] <= time)
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    double s = (time - points[2 * low]) / (points[2 * high] - points[2 * low]);
    return points[2 * low + 1] + s * (points[2 * high + 1] - points[2 * low + 1]);
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
