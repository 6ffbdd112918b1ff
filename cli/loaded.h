// SPDX-License-Identifier: MIT
//
// loaded.h: a scene file with all that is made from it.

#pragma once

#include "cli.h"
#include "scene_files.h"

// A frame of an earlier run that kept time: what it was given, and what it took.
typedef struct cliReplayed
{
    int limit;  // of Newton steps
    double newton, iterations, left;
} cliReplayed;

typedef struct cliLoaded
{
    rslScene scene;
    rslModel* model;
    rslState* state;  // at the start
    rslSolver* solver;
    rslReport report;
    cliSceneFiles files;
    bool automatic;       // the integrator of the scene was auto, and is now what was chosen
    bool paced;           // it keeps time
    rslPace pace;         // then
    cliReplayed* replay;  // frame by frame; NULL: none
    int replayCount;
} cliLoaded;

// What the options say over the scene. Start from {0}, with until = NaN.
typedef struct cliWishes
{
    cliOverrides overrides;
    rslPrecision precision;  // 0: as the scene says
    int threads;             // -1: as the scene says
    double until;            // [s]; not finite: as the scene says
    int level;               // of detail; -1: as the scene says
    bool paced;              // the command keeps time where the scene asks for it,
    bool realtime;           // or is asked to itself
    const char* replay;      // a log of paces to take; NULL: none
    bool goesOn;             // it is that of a run that goes on, and ends before it
    rslStop* stop;           // of a solve for rest; NULL: none
    bool still;              // no step will be taken: whether one could does not matter
} cliWishes;

cliWishes cliWishes_Default(void);

// Read the options t, p, u, s and lod (threads, precision, until, set). Returns what was expected when the value is bad.
const char* cliWishes_Read(cliWishes* wishes, int option, char* value);

// As many as are wished for, else as the scene says.
int cliWishes_Threads(const cliWishes* wishes, const rslScene* scene);

// Read, build, start. Messages are in the report, not printed. Free it in any case.
rslStatus cliLoaded_Open(cliLoaded* loaded, const char* path, const cliWishes* wishes);
void cliLoaded_Free(cliLoaded* loaded);

// The two halves of it: the scene alone; what is made from the scene that loaded has.
rslStatus cliLoaded_Read(cliLoaded* loaded, const char* path, const cliWishes* wishes);
rslStatus cliLoaded_Build(cliLoaded* loaded, const cliWishes* wishes);

// Choose the pace of a scene that is read, by measuring or from a log, and have it in the scene (run_pace.c). Nothing is done where no time is
// kept.
rslStatus cliLoaded_Pace(cliLoaded* loaded, const cliWishes* wishes);

// Put a checkpoint file in the place of the state; on failure the state stays as it was.
rslStatus cliLoaded_LoadState(cliLoaded* loaded, const char* path, rslReport* report);

// Take a number of steps, or step until the given time [s]; a failure is told in the report.
rslStatus cliLoaded_Take(cliLoaded* loaded, uint64_t steps, rslReport* report);
rslStatus cliLoaded_RunTo(cliLoaded* loaded, double time, rslReport* report);

// The step the solver takes [s]; a state that was loaded brings its own.
double cliLoaded_Step(const cliLoaded* loaded);

const char* cliIntegratorName(rslIntegrator integrator);  // for people: "position Verlet"
const char* cliIntegratorWord(rslIntegrator integrator);  // as in a scene: "position_verlet"
const char* cliPrecisionName(rslPrecision precision);
