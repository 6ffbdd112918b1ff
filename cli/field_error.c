// SPDX-License-Identifier: MIT
//
// field_error.c: displacements of the nodes of a scene against those of a finer one.

#include "field_error.h"

#include <math.h>

static double Distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static double LargestDisplacement(const cliDisplaced* d)
{
    double most = 0;
    for (int i = 0; i < d->count; ++i)
    {
        most = fmax(most, Distance(d->now + 3 * i, d->rest + 3 * i));
    }
    return most;
}

// The node at a place at rest; -1: none. Some thousand nodes, so that looking at all of them will do.
static int NodeAt(const cliDisplaced* d, const double place[3])
{
    for (int i = 0; i < d->count; ++i)
    {
        const double* rest = d->rest + 3 * i;
        if (fabs(rest[0] - place[0]) < 1e-6 && fabs(rest[1] - place[1]) < 1e-6 && fabs(rest[2] - place[2]) < 1e-6)
        {
            return i;
        }
    }
    return -1;
}

cliFieldError cliFieldError_Of(const cliDisplaced* coarse, const cliDisplaced* reference)
{
    double sum = 0, squares = 0, worst = 0, most = LargestDisplacement(reference);
    int count = 0;
    for (int i = 0; i < coarse->count; ++i)
    {
        int j = NodeAt(reference, coarse->rest + 3 * i);
        if (j >= 0 && Distance(reference->now + 3 * j, reference->rest + 3 * j) == 0)
        {
            continue;
        }
        double error = j < 0 ? NAN : Distance(coarse->now + 3 * i, reference->now + 3 * j) / most;
        sum += error;
        squares += error * error;
        worst = fmax(worst, error);
        count += 1;
    }
    double mean = sum / count;
    return (cliFieldError){ count, mean, sqrt(fmax(0, squares / count - mean * mean)), worst };
}
