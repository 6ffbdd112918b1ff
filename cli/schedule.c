// SPDX-License-Identifier: MIT
//
// schedule.c: at which steps something happens.

#include "schedule.h"

#include <math.h>

// a time within this fraction of a step counts as reached, so that 0.1 s is step 100 of 1 ms whatever the rounding
static const double slack = 1e-6;

uint64_t cliStepAt(double time, double step)
{
    double steps = ceil(time / step - slack);
    return steps <= 0 ? 0 : steps >= 9e18 ? UINT64_MAX : (uint64_t)steps;
}

uint64_t cliSchedule_StepOf(const cliSchedule* schedule, uint64_t f)
{
    return cliStepAt((double)f / schedule->rate, schedule->step);
}

uint64_t cliSchedule_Next(const cliSchedule* schedule, uint64_t stepCount)
{
    if (!(schedule->rate > 0))
    {
        return UINT64_MAX;
    }
    // start at an event that is surely not later, then walk
    double guess = floor((double)stepCount * schedule->step * schedule->rate) - 1;
    uint64_t f = guess > 0 ? (uint64_t)guess : 0;
    while (cliSchedule_StepOf(schedule, f) <= stepCount)
    {
        f += 1;
    }
    return cliSchedule_StepOf(schedule, f);
}

bool cliSchedule_IsDue(const cliSchedule* schedule, uint64_t stepCount)
{
    if (!(schedule->rate > 0))
    {
        return false;
    }
    return stepCount == 0 || cliSchedule_Next(schedule, stepCount - 1) == stepCount;
}

uint64_t cliSchedule_Count(const cliSchedule* schedule, uint64_t lastStep)
{
    if (!(schedule->rate > 0))
    {
        return 0;
    }
    double events = floor((double)lastStep * schedule->step * schedule->rate + slack) + 1;
    double steps = (double)lastStep + 1;
    return (uint64_t)(events < steps ? events : steps);
}

// bursts of steps this long [s] are long enough to cost nothing and short enough to stop at once
static const double burstSeconds = 0.03;

uint64_t cliNextBurst(uint64_t burst, uint64_t taken, double seconds)
{
    if (seconds > burstSeconds)
    {
        uint64_t fewer = (uint64_t)((double)taken * burstSeconds / seconds);
        return fewer > 0 ? fewer : 1;
    }
    return taken == burst && seconds < burstSeconds / 3 && burst < 1u << 20 ? 2 * burst : burst;
}
