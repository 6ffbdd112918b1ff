// SPDX-License-Identifier: MIT
//
// run_progress.c: one line on the terminal while a run goes on.

#include "number.h"
#include "run.h"

#include <math.h>
#include <unistd.h>

// time between two lines [s]: on a terminal, and in a log
static const double terminalInterval = 0.25;
static const double logInterval = 2;

cliProgress cliProgress_Begin(bool shown, uint64_t firstStep, uint64_t lastStep, double step)
{
    double now = cliClock();
    return (cliProgress){ .shown = shown,
                          .terminal = isatty(STDERR_FILENO) != 0,
                          .begun = now,
                          .last = now,
                          .firstStep = firstStep,
                          .lastStep = lastStep,
                          .step = step };
}

double cliRelativeDrift(const rslEnergy* energy, const rslAccount* account)
{
    double scale = fmax(fabs(account->input), fmax(fabs(energy->total), fabs(account->start)));
    scale = fmax(scale, energy->kinetic + energy->springs);
    return scale > 0 ? energy->drift / scale : 0;
}

static void Print(const cliProgress* progress, uint64_t stepCount, double now)
{
    double done = (double)(stepCount - progress->firstStep);
    double speed = done / (now - progress->begun);
    double left = (double)(progress->lastStep - stepCount) / speed;
    double part = (double)stepCount / (double)progress->lastStep;
    cliText rate = speed < 10 ? cliFigure(speed) : cliCount((uint64_t)speed);
    fprintf(stderr, "%s%s of %s  %3.0f %%  %s steps/s  %.3g x real time  drift %+.1e  %s left%s",
            progress->terminal ? "\r\033[K" : "", cliSi((double)stepCount * progress->step, "s").text,
            cliSi((double)progress->lastStep * progress->step, "s").text, 100 * part, rate.text, speed * progress->step,
            progress->drift, cliDuration(left).text, progress->terminal ? "" : "\n");
    fflush(stderr);
}

void cliProgress_Update(cliProgress* progress, const cliLoaded* loaded)
{
    double now = cliClock();
    double interval = progress->terminal ? terminalInterval : logInterval;
    if (!progress->shown || now - progress->last < interval)
    {
        return;
    }
    rslEnergy energy = rslSolver_Energy(loaded->solver, loaded->state);
    progress->drift = cliRelativeDrift(&energy, &loaded->state->account);
    progress->last = now;
    Print(progress, loaded->state->stepCount, now);
}

// ---- within steps -----------------------------------------------------------------------------------------------------

void cliProgress_BeginSteps(cliProgress* progress, const cliLoaded* loaded)
{
    progress->stepCount = loaded->state->stepCount;
    progress->stepBegun = cliClock();
    progress->newtonBefore = rslSolver_Solve(loaded->solver).newtonSteps;
}

void cliProgress_Wait(cliProgress* progress, const rslSolver* solver)
{
    double now = cliClock();
    if (!progress->shown || now - progress->last < logInterval || now - progress->stepBegun < logInterval)
    {
        return;
    }
    progress->last = now;
    uint64_t newton = (uint64_t)(rslSolver_Solve(solver).newtonSteps - progress->newtonBefore);
    fprintf(stderr, "%s%s of %s  %3.0f %%  %s since step %s", progress->terminal ? "\r\033[K" : "",
            cliSi((double)progress->stepCount * progress->step, "s").text,
            cliSi((double)progress->lastStep * progress->step, "s").text,
            100 * (double)progress->stepCount / (double)progress->lastStep, cliDuration(now - progress->stepBegun).text,
            cliCount(progress->stepCount).text);
    if (newton > 0)
    {
        fprintf(stderr, ", %s Newton steps", cliCount(newton).text);
    }
    fputs(progress->terminal ? "" : "\n", stderr);
    fflush(stderr);
}

void cliProgress_End(cliProgress* progress)
{
    if (progress->shown && progress->terminal)
    {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
