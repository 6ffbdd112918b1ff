// SPDX-License-Identifier: MIT
//
// run.h: the parts of `resilin run`.
//
// run.c walks: read the options (run_option.c), open the scene, take up a checkpoint (run_resume.c), step from event to
// event, write (run_output.c: tables and checkpoints, run_frames.c: frames), show progress (run_progress.c), and say
// how it went (run_summary.c, run_diverged.c).

#pragma once

#include "csv.h"
#include "json.h"
#include "loaded.h"
#include "path.h"
#include "readout.h"
#include "schedule.h"

#include <signal.h>

typedef struct cliRunOptions
{
    const char* scene;  // path
    cliPath directory;
    cliWishes wishes;
    bool resume;
    cliShow show;
} cliRunOptions;

// ---- options (run_option.c) -----------------------------------------------------------------------------------------

extern const char cliRunHelp[];
extern const struct option cliRunOwnOptions[];

// Returns -1 to go on, or the exit status.
int cliRunOptions_Read(const cliCommand* command, int argc, char** argv, cliRunOptions* run);

// ---- frames (run_frames.c) ------------------------------------------------------------------------------------------

// frames.csv is the index of the frames: frame k is row k. The other files follow from it.
typedef struct cliFrames
{
    const char* directory;
    bool vtu, pc2, glb;  // wanted and possible
    bool colliders;      // that are no planes
    double rate;         // [1/s]
    rslSnapshot* snapshot;
    cliCsv index;
    double* times;  // of the frames [s]
    int count, capacity;
    rslPc2* cache;
    double listed;  // when the .pvd files were last written, on cliClock
} cliFrames;

// Start anew with keepStep CLI_CSV_ANEW, or keep the frames up to that step.
rslStatus cliFrames_Open(cliFrames* frames, const cliLoaded* loaded, const char* directory, int64_t keepStep,
                         rslReport* report);
rslStatus cliFrames_Take(cliFrames* frames, const cliLoaded* loaded, rslReport* report);
rslStatus cliFrames_Sync(cliFrames* frames, rslReport* report);    // the index and the .pvd files are complete
rslStatus cliFrames_Finish(cliFrames* frames, rslReport* report);  // and the .glb
void cliFrames_Close(cliFrames* frames);

// One more frame outside the series: nodes_NAME.vtu and surface_NAME.vtu.
rslStatus cliFrames_TakeAside(cliFrames* frames, const cliLoaded* loaded, const rslState* state, const char* name,
                              rslReport* report);

// Remove the frames and what belongs to them.
void cliFrames_RemoveAll(const char* directory);

// ---- tables and checkpoints (run_output.c) --------------------------------------------------------------------------

// realtime.csv: what frames were given and took.
typedef struct cliPaceLog
{
    cliCsv csv;
    rslPace pace;           // of the next frame
    bool adapts;            // it follows the clock
    rslSolve before;        // when the frame began
    double seconds;         // of the frame so far
    int frames, cut, late;  // all; accuracy cut; over the budget
    int worstFrame;
    double worst;            // forces left over
    double total;            // seconds of all frames
    int strays, firstStray;  // frames that took something else than in the log that they were taken from
} cliPaceLog;

typedef struct cliOutput
{
    const char* directory;
    cliSchedule frameSchedule, rowSchedule, checkpointSchedule;
    cliFrames frames;
    cliCsv energy, probes;
    cliPaceLog pace;
    cliProbes probeList;
    double* row;  // of them
} cliOutput;

rslStatus cliOutput_Open(cliOutput* output, const cliLoaded* loaded, const char* directory, int64_t keepStep,
                         rslReport* report);
// Write what is due at the step of the state: a frame, rows, a checkpoint.
rslStatus cliOutput_Write(cliOutput* output, const cliLoaded* loaded, rslReport* report);
// The first step after this one at which something is due.
uint64_t cliOutput_NextStep(const cliOutput* output, uint64_t stepCount);
// Everything up to here, then the checkpoint.
rslStatus cliOutput_Checkpoint(cliOutput* output, const cliLoaded* loaded, rslReport* report);
void cliOutput_Close(cliOutput* output);

rslStatus cliWriteState(const char* path, const rslState* state, rslReport* report);
rslStatus cliWriteScene(const char* path, const rslScene* scene, rslReport* report);

// ---- real time (run_pace.c) -----------------------------------------------------------------------------------------

rslStatus cliPaceLog_Open(cliPaceLog* log, const cliLoaded* loaded, const char* directory, int64_t keepStep,
                          rslReport* report);

// Step on, at most to a step and to the end of the frame.
rslStatus cliPaceLog_Step(cliPaceLog* log, const cliLoaded* loaded, uint64_t most, rslReport* report);
void cliPaceLog_Print(const cliPaceLog* log);
void cliPaceLog_Json(const cliPaceLog* log, cliJson* json);

// ---- resuming (run_resume.c) ----------------------------------------------------------------------------------------

// Put the state of the checkpoint in the place of the start. *resumed is false, with a note, when there
// is none. A changed scene, precision or version is refused, and named.
rslStatus cliResume(cliLoaded* loaded, const char* directory, bool* resumed, rslReport* report);

// Remove what an earlier run left in the directory.
void cliClean(const char* directory);

// Remove the halves of files that a killed run was writing.
void cliRemoveHalves(const char* directory);

// ---- progress (run_progress.c) --------------------------------------------------------------------------------------

typedef struct cliProgress
{
    bool shown, terminal;
    double begun, last;  // on cliClock
    uint64_t firstStep, lastStep;
    double step;
    double drift;          // relative
    uint64_t stepCount;    // before the steps that are being taken,
    double stepBegun;      // when they began,
    int64_t newtonBefore;  // and Newton steps until then
} cliProgress;

cliProgress cliProgress_Begin(bool shown, uint64_t firstStep, uint64_t lastStep, double step);
void cliProgress_Update(cliProgress* progress, const cliLoaded* loaded);

// Before a few steps are taken; and now and then within them, if they are implicit or static: how long that has taken so far.
void cliProgress_BeginSteps(cliProgress* progress, const cliLoaded* loaded);
void cliProgress_Wait(cliProgress* progress, const rslSolver* solver);
void cliProgress_End(cliProgress* progress);

// Drift of the energy relative to the largest of all that was put in and all that is there.
double cliRelativeDrift(const rslEnergy* energy, const rslAccount* account);

// ---- how it went (run_summary.c, run_diverged.c) --------------------------------------------------------------------

typedef struct cliRunFacts
{
    const cliRunOptions* options;
    const cliLoaded* loaded;
    rslStatus status;  // rsl_ok, rsl_diverged, rsl_notConverged or rsl_stopped
    bool resumed;
    uint64_t firstStep, lastStep;  // of this process; asked for in all
    double wall;                   // [s]
    int frames, rows;
    const cliPaceLog* pace;  // NULL: no time is kept
    bool hasSurface, hasVtu, hasPc2, hasGlb, hasEnergy, hasProbes;
    double startVolume;
    rslEnergy energy;
    rslMotion motion;
    uint64_t hash;
} cliRunFacts;

void cliSummary_Print(const cliRunFacts* facts);
void cliSummary_Json(const cliRunFacts* facts, const rslReport* report, FILE* file);
rslStatus cliSummary_Write(const cliRunFacts* facts, rslReport* report);

// Tell what diverged and what to do about it.
void cliDivergence_Print(const cliLoaded* loaded, const char* directory);
void cliDivergence_Json(const cliLoaded* loaded, cliJson* json);

// How the last solve for rest went (run_rest.c); what to do when it failed.
void cliRest_Print(const cliLoaded* loaded, const char* directory);
void cliRest_Json(const cliLoaded* loaded, cliJson* json);
void cliRest_Line(const cliLoaded* loaded);  // of the summary: the last solve

// The simulation itself failed; the last good state is worth keeping.
static inline bool cliHasFailed(rslStatus status)
{
    return status == rsl_diverged || status == rsl_notConverged;
}
