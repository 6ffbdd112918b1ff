// SPDX-License-Identifier: MIT
//
// run_pace.c: runs that keep time: frames within a budget (realtime.h), logged so that they can be taken again.
//
// realtime.csv has a row a frame, with its last step first. The limits in it are all that the clock has decided; what frames took stands
// beside them for those who read it.

#include "number.h"
#include "run.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    COLUMNS = 9
};

static const char header[] =
    "step,time [s],implicit,steps,newton limit,newton,iterations,left over,accuracy cut,seconds";

// ---- choosing -------------------------------------------------------------------------------------------------------

typedef struct Row
{
    double values[1 + COLUMNS];
} Row;

static bool ReadRow(const char* line, Row* row)
{
    char* end = NULL;
    for (int i = 0; i <= COLUMNS; ++i)
    {
        row->values[i] = strtod(line, &end);
        if (end == line || *end != (i < COLUMNS ? ',' : '\n'))
        {
            return false;
        }
        line = end + 1;
    }
    return true;
}

static bool KeepRow(cliLoaded* loaded, int* capacity, const Row* row)
{
    if (loaded->replayCount == *capacity)
    {
        *capacity = 2 * *capacity + 64;
        cliReplayed* larger = realloc(loaded->replay, sizeof(cliReplayed) * (size_t)*capacity);
        if (larger == NULL)
        {
            return false;
        }
        loaded->replay = larger;
    }
    const double* v = row->values;
    loaded->replay[loaded->replayCount++] = (cliReplayed){ (int)v[4], v[5], v[6], v[7] };
    return true;
}

// All frames of a log, one after the other; returns the line that is none, 0 when all are.
static int ReadLog(cliLoaded* loaded, const char* text, Row* first)
{
    size_t length = strlen(header);
    int number = 1, capacity = 0;
    if (strncmp(text, header, length) != 0 || text[length] != '\n')
    {
        return 1;
    }
    for (const char* line = text + length + 1; *line != 0; line = strchr(line, '\n') + 1)
    {
        Row row;
        number += 1;
        bool good = ReadRow(line, &row) && row.values[3] >= 1.0 && row.values[3] <= 1e6;
        good = good && row.values[4] >= 0.0 && row.values[4] <= 1e6;
        if (!good || !KeepRow(loaded, &capacity, &row))
        {
            return number;
        }
        *first = number == 2 ? row : *first;
    }
    return number == 1 ? 2 : 0;
}

static rslStatus TakeUp(cliLoaded* loaded, const cliWishes* wishes, const rslSolverDef* def)
{
    const char* path = wishes->replay;
    const rslRealtimeDef* realtime = &loaded->scene.time.realtime;
    size_t size = 0;
    char* text = cliFile_Read(path, &size, &loaded->report);
    if (text == NULL)
    {
        return rsl_ioError;
    }
    Row first = { { 0 } };
    int bad = ReadLog(loaded, text, &first);
    bad = bad == 0 && strlen(text) != size ? 1 : bad;
    free(text);
    if (bad > 0)
    {
        rslReport_Add(&loaded->report, rsl_error, (rslPlace){ 0 },
                      "%s is no log of frames, by line %d: expected the whole realtime.csv of a run that has kept time",
                      path, bad);
        return rsl_badInput;
    }
    double frames = first.values[1] * realtime->rate;
    if (!(frames > 1.0 - 1e-6 && frames < 1.0 + 1e-6))
    {
        rslReport_Add(&loaded->report, rsl_error, (rslPlace){ 0 },
                      "%s has frames of another length than the scene, whose rate is %g a second", path,
                      realtime->rate);
        return rsl_badInput;
    }
    double wanted = loaded->scene.time.duration * realtime->rate;
    if (!wishes->goesOn && wanted > loaded->replayCount + 1e-6)
    {
        rslReport_Add(&loaded->report, rsl_note, (rslPlace){ 0 },
                      "%s has %d frames, the run %.0f: those after it take what its last one was given", path,
                      loaded->replayCount, ceil(wanted - 1e-6));
    }
    rslEffort effort = { loaded->replay[0].limit, 3 };
    loaded->pace = rslPace_Make(def, realtime, first.values[2] != 0.0, (int)first.values[3], effort);
    return rsl_ok;
}

// What frames are made of, before the first.
static void SayPace(cliLoaded* loaded)
{
    const rslPace* pace = &loaded->pace;
    if (rslPace_IsImplicit(pace))
    {
        rslReport_Add(
            &loaded->report, rsl_note, loaded->scene.time.place,
            "real time: frames of one implicit step (%s), of at most %d Newton steps at first; %s a frame and "
            "%s a Newton step measured, %s allowed",
            cliIntegratorName(pace->integrator), pace->effort.newton, cliSi(pace->base, "s").text,
            cliSi(pace->cost, "s").text, cliSi(pace->budget, "s").text);
    }
    else
    {
        rslReport_Add(&loaded->report, rsl_note, loaded->scene.time.place,
                      "real time: frames of %d explicit steps (%s), %s measured, %s allowed", pace->steps,
                      cliIntegratorName(pace->integrator), cliSi(pace->steps * pace->cost, "s").text,
                      cliSi(pace->budget, "s").text);
    }
}

rslStatus cliLoaded_Pace(cliLoaded* loaded, const cliWishes* wishes)
{
    rslTimeDef* time = &loaded->scene.time;
    if (!wishes->paced || !(wishes->realtime || wishes->replay != NULL || time->realtime.enabled))
    {
        return rsl_ok;
    }
    time->realtime.enabled = true;
    rslSolverDef def = rslSolverDef_FromScene(&loaded->scene);
    def.threads = cliWishes_Threads(wishes, &loaded->scene);
    rslStatus status = wishes->replay != NULL
                           ? TakeUp(loaded, wishes, &def)
                           : rslPace_Choose(&loaded->scene, &def, NULL, NULL, NULL, &loaded->pace, &loaded->report);
    if (status == rsl_ok)
    {
        const rslPace* pace = &loaded->pace;
        loaded->paced = true;
        if (wishes->replay == NULL)
        {
            SayPace(loaded);
        }
        time->integrator = pace->integrator;
        time->step = pace->step;
        time->newton = pace->effort.newton;
        time->iterations = pace->effort.iterations;
    }
    return status;
}

// ---- stepping -------------------------------------------------------------------------------------------------------

rslStatus cliPaceLog_Open(cliPaceLog* log, const cliLoaded* loaded, const char* directory, int64_t keepStep,
                          rslReport* report)
{
    bool resumed = keepStep != CLI_CSV_ANEW;
    *log = (cliPaceLog){ .pace = loaded->pace, .adapts = resumed || loaded->replay == NULL };
    if (loaded->replay != NULL)
    {
        log->pace.effort.newton = loaded->replay[loaded->replayCount - 1].limit;
    }
    return cliCsv_Open(&log->csv, cliPath_Join(directory, "realtime.csv").text, header, keepStep, report);
}

// The same scene takes the same on every machine: what does not is another scene, or another version of the program.
static void Compare(cliPaceLog* log, const cliReplayed* logged, const rslFrameCost* cost, int frame)
{
    bool same = (double)cost->newton == logged->newton && (double)cost->iterations == logged->iterations &&
                cost->left == logged->left;
    log->firstStray = !same && log->strays == 0 ? frame : log->firstStray;
    log->strays += !same;
}

static rslStatus EndFrame(cliPaceLog* log, const cliLoaded* loaded, rslEffort effort, bool given, rslReport* report)
{
    const rslState* state = loaded->state;
    rslSolve now = rslSolver_Solve(loaded->solver);
    bool implicit = rslPace_IsImplicit(&log->pace);
    rslFrameCost cost = { .newton = now.newtonSteps - log->before.newtonSteps,
                          .iterations = now.iterations - log->before.iterations,
                          .left = implicit ? now.left : 0.0 };
    cost.cut = cost.left > RSL_MOST_LEFT;
    const double row[COLUMNS] = {
        rslState_Time(state),    implicit,  log->pace.steps, effort.newton, (double)cost.newton,
        (double)cost.iterations, cost.left, cost.cut,        log->seconds
    };
    if (cost.left > log->worst)
    {
        log->worst = cost.left;
        log->worstFrame = (int)(state->stepCount / (uint64_t)log->pace.steps);
    }
    if (given)
    {
        int frame = (int)(state->stepCount / (uint64_t)log->pace.steps);
        Compare(log, &loaded->replay[frame - 1], &cost, frame);
    }
    log->frames += 1;
    log->total += log->seconds;
    log->cut += cost.cut;
    log->late += log->seconds > log->pace.budget;
    if (log->adapts && !given)
    {
        rslPace_Adapt(&log->pace, &cost, log->seconds);
    }
    return cliCsv_Append(&log->csv, state->stepCount, row, COLUMNS, report);
}

rslStatus cliPaceLog_Step(cliPaceLog* log, const cliLoaded* loaded, uint64_t most, rslReport* report)
{
    const rslState* state = loaded->state;
    uint64_t steps = (uint64_t)log->pace.steps, frame = state->stepCount / steps, end = (frame + 1) * steps;
    bool given = frame < (uint64_t)loaded->replayCount;
    rslEffort effort = log->pace.effort;
    effort.newton = given ? loaded->replay[frame].limit : effort.newton;
    if (state->stepCount == frame * steps)
    {
        log->before = rslSolver_Solve(loaded->solver);
        log->seconds = 0.0;
    }
    double begun = cliClock();
    rslSolver_SetEffort(loaded->solver, effort);
    rslStatus status =
        rslSolver_Step(loaded->solver, loaded->state, (int64_t)((most < end ? most : end) - state->stepCount));
    log->seconds += cliClock() - begun;
    return status == rsl_ok && state->stepCount == end ? EndFrame(log, loaded, effort, given, report) : status;
}

// ---- how it went ----------------------------------------------------------------------------------------------------

void cliPaceLog_Print(const cliPaceLog* log)
{
    const rslPace* pace = &log->pace;
    if (rslPace_IsImplicit(pace))
    {
        cliLine("real time", "%g frames a second, %s each, of at most %d Newton steps in the end", pace->rate,
                cliSi(pace->budget, "s").text, pace->effort.newton);
        cliLine(NULL, "accuracy cut in %d of %d frames%s", log->cut, log->frames, log->cut > 0 ? ":" : "");
        if (log->cut > 0)
        {
            cliLine(NULL, "%.3g of loads and weights left over in frame %d", log->worst, log->worstFrame);
        }
    }
    else
    {
        cliLine("real time", "%g frames a second, %s each, of %d steps", pace->rate, cliSi(pace->budget, "s").text,
                pace->steps);
    }
    bool slow = !rslPace_IsImplicit(pace) && 10 * log->late > log->frames;
    if (log->frames > 0)
    {
        cliLine(NULL, "%s a frame on average, %d of %d frames took longer", cliSi(log->total / log->frames, "s").text,
                log->late, log->frames);
    }
    if (slow)
    {
        cliLine(NULL, "explicit steps are not cut short, and are divided where something is hit:");
        cliLine(NULL, "those of an implicit integrator (time.integrator: theta) can be cut");
    }
    if (log->strays > 0)
    {
        cliLine(NULL, "%d FRAMES ARE NOT THOSE OF THE LOG, the first is %d:", log->strays, log->firstStray);
        cliLine(NULL, "it is of another scene, or of another version of resilin");
    }
}

void cliPaceLog_Json(const cliPaceLog* log, cliJson* json)
{
    cliJson_Begin(json, "realtime");
    cliJson_Number(json, "rate", log->pace.rate);
    cliJson_Number(json, "budget", log->pace.budget);
    cliJson_Count(json, "steps", (uint64_t)log->pace.steps);
    cliJson_Count(json, "newton", (uint64_t)log->pace.effort.newton);
    cliJson_Count(json, "frames", (uint64_t)log->frames);
    cliJson_Count(json, "accuracy_cut", (uint64_t)log->cut);
    cliJson_Count(json, "late", (uint64_t)log->late);
    cliJson_Number(json, "seconds_per_frame", log->frames > 0 ? log->total / log->frames : NAN);
    cliJson_Count(json, "strays", (uint64_t)log->strays);
    cliJson_Number(json, "worst", log->worst);
    cliJson_Count(json, "worst_frame", (uint64_t)log->worstFrame);
    cliJson_End(json);
}
