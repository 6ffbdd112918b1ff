// SPDX-License-Identifier: MIT
//
// schedule.h: at which steps something happens that is asked for at a rate in simulated time.
//
// Event f takes place at the first step whose time is at least f / rate. The answer depends on the step count alone,
// so a resumed run and runs with other outputs have the same events.

#pragma once

#include "resilin/base.h"

typedef struct cliSchedule
{
    double rate;  // events per simulated second; 0: none
    double step;  // of the solver [s]
} cliSchedule;

// The step of event f.
uint64_t cliSchedule_StepOf(const cliSchedule* schedule, uint64_t f);

// The step of the first event after the given step; UINT64_MAX when there is none.
uint64_t cliSchedule_Next(const cliSchedule* schedule, uint64_t stepCount);

// Whether an event falls on the step.
bool cliSchedule_IsDue(const cliSchedule* schedule, uint64_t stepCount);

// How many steps have an event, from step 0 to the last one, both included.
uint64_t cliSchedule_Count(const cliSchedule* schedule, uint64_t lastStep);

// The first step whose time is at least the given one.
uint64_t cliStepAt(double time, double step);

// How many steps to take at once after a burst of which so many were taken in so many seconds; begin with 1.
uint64_t cliNextBurst(uint64_t burst, uint64_t taken, double seconds);
