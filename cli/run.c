// SPDX-License-Identifier: MIT
//
// run.c: `resilin run`: simulate a scene and write what it asks for.

#include "run.h"

#include "number.h"
#include "stop.h"

#include <string.h>
#include <sys/stat.h>

// ---- signals --------------------------------------------------------------------------------------------------------

// Whose steps are being taken, while signals are asked for now and then within them.
static struct
{
    cliProgress* progress;
    const rslSolver* solver;
} walk;

static bool HasSignal(void* unused)
{
    (void)unused;
    if (walk.progress != NULL)
    {
        cliProgress_Wait(walk.progress, walk.solver);
    }
    return cliStop != 0;
}

// ---- the walk -------------------------------------------------------------------------------------------------------

static uint64_t Least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// Step from event to event until the last step, a signal or a failure.
static rslStatus Walk(const cliLoaded* loaded, cliOutput* output, uint64_t lastStep, cliProgress* progress,
                      rslReport* report)
{
    const rslState* state = loaded->state;
    uint64_t burst = 1;
    while (state->stepCount < lastStep)
    {
        if (cliStop != 0)
        {
            return rsl_stopped;
        }
        uint64_t next = Least(cliOutput_NextStep(output, state->stepCount), lastStep);
        uint64_t steps = Least(next - state->stepCount, burst);
        double begun = cliClock();
        cliProgress_BeginSteps(progress, loaded);
        rslStatus status = loaded->paced ? cliPaceLog_Step(&output->pace, loaded, next, report)
                                         : rslSolver_Step(loaded->solver, loaded->state, (int64_t)steps);
        burst = cliNextBurst(burst, steps, cliClock() - begun);
        if (status == rsl_ok && state->stepCount == next)
        {
            status = rslSolver_Check(loaded->solver, state);  // no frame of a state that has gone wrong
        }
        if (status == rsl_ok)
        {
            status = cliOutput_Write(output, loaded, report);
        }
        if (status != rsl_ok)
        {
            return status;
        }
        cliProgress_Update(progress, loaded);
    }
    return rsl_ok;
}

// What is left to write at the end of each kind.
static rslStatus Finish(const cliLoaded* loaded, cliOutput* output, rslStatus status, rslReport* report)
{
    if (cliHasFailed(status))
    {
        const rslState* good = rslSolver_LastGood(loaded->solver);
        cliFrames_Sync(&output->frames, report);
        rslStatus written = rsl_ok;
        if (good != NULL)
        {
            written = cliWriteState(cliPath_Join(output->directory, "last_good.rsl").text, good, report);
        }
        if (good != NULL && written == rsl_ok)
        {
            written = cliFrames_TakeAside(&output->frames, loaded, good, "last_good", report);
        }
        return written == rsl_ok ? status : written;
    }
    rslStatus written = cliOutput_Checkpoint(output, loaded, report);
    if (written == rsl_ok && status == rsl_ok)
    {
        written = cliFrames_Finish(&output->frames, report);
    }
    return written == rsl_ok ? status : written;
}

// ---- before and after -----------------------------------------------------------------------------------------------

// Writing scene.yaml must not overwrite the very scene that is run.
static bool IsSameFile(const char* a, const char* b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static rslStatus PrepareDirectory(cliLoaded* loaded, const cliRunOptions* run, bool* resumed, rslReport* report)
{
    const char* directory = run->directory.text;
    cliPath copy = cliPath_Join(directory, "scene.yaml");
    rslStatus status = cliPath_MakeDirectory(directory, report);
    if (status != rsl_ok)
    {
        return status;
    }
    if (!cliPath_Lock(directory))
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "another run is writing into %s", directory);
        return rsl_badInput;
    }
    if (IsSameFile(run->scene, copy.text))
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 },
                      "the run would overwrite its own scene %s: choose another folder with -o", copy.text);
        return rsl_badInput;
    }
    status = run->resume ? cliResume(loaded, directory, resumed, report) : rsl_ok;
    if (status == rsl_ok)
    {
        cliRemoveHalves(directory);
    }
    if (status == rsl_ok && !*resumed)
    {
        cliClean(directory);
    }
    return status == rsl_ok ? cliWriteScene(copy.text, &loaded->scene, report) : status;
}

static cliRunFacts Gather(const cliRunOptions* run, const cliLoaded* loaded, const cliOutput* output)
{
    return (cliRunFacts){
        .options = run,
        .loaded = loaded,
        .pace = loaded->paced ? &output->pace : NULL,
        .frames = output->frames.count,
        .rows = output->energy.file != NULL ? output->energy.rows : output->probes.rows,
        .hasSurface = output->frames.snapshot->triangleCount > 0,
        .hasVtu = output->frames.vtu && output->frames.rate > 0,
        .hasPc2 = output->frames.pc2,
        .hasGlb = output->frames.glb,
        .hasEnergy = output->energy.file != NULL,
        .hasProbes = output->probes.file != NULL,
        .energy = rslSolver_Energy(loaded->solver, loaded->state),
        .motion = rslSolver_Motion(loaded->solver, loaded->state, -1),
        .hash = rslState_Hash(loaded->state),
    };
}

static void Tell(const cliRunFacts* facts)
{
    const cliRunOptions* run = facts->options;
    if (facts->status == rsl_diverged)
    {
        cliDivergence_Print(facts->loaded, run->directory.text);
    }
    if (facts->status == rsl_notConverged)
    {
        cliRest_Print(facts->loaded, run->directory.text);
    }
    if (facts->status == rsl_stopped && !run->show.quiet)
    {
        cliNote("stopped at t = %s s (step %llu); the same command with --resume goes on from %s",
                cliShortest(rslState_Time(facts->loaded->state)).text,
                (unsigned long long)facts->loaded->state->stepCount,
                cliPath_Join(run->directory.text, "checkpoint.rsl").text);
    }
    if (run->show.json)
    {
        cliSummary_Json(facts, &facts->loaded->report, stdout);
    }
    else if (!run->show.quiet && !cliHasFailed(facts->status))
    {
        cliSummary_Print(facts);
    }
}

// The run itself, with its outputs open.
static rslStatus Simulate(const cliRunOptions* run, cliLoaded* loaded, cliOutput* output, bool resumed,
                          double startVolume, rslReport* report)
{
    uint64_t firstStep = loaded->state->stepCount;
    uint64_t lastStep = cliStepAt(loaded->scene.time.duration, cliLoaded_Step(loaded));
    if (firstStep > lastStep)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "the checkpoint at t = %g s is already after the end at %g s",
                      rslState_Time(loaded->state), loaded->scene.time.duration);
        return rsl_badInput;
    }
    double begun = cliClock();
    // the first row shows velocities that fit welds, joints and motions
    rslStatus status = resumed ? rsl_ok : rslSolver_Step(loaded->solver, loaded->state, 0);
    status = resumed || status != rsl_ok ? status : cliOutput_Write(output, loaded, report);
    cliProgress progress = cliProgress_Begin(run->show.progress, firstStep, lastStep, cliLoaded_Step(loaded));
    if (status == rsl_ok)
    {
        walk.progress = &progress;
        walk.solver = loaded->solver;
        status = Walk(loaded, output, lastStep, &progress, report);
        walk.progress = NULL;
    }
    cliProgress_End(&progress);
    // the last audit may lie some steps back
    status = status == rsl_ok ? rslSolver_Check(loaded->solver, loaded->state) : status;
    if (status != rsl_ok && !cliHasFailed(status) && status != rsl_stopped)
    {
        return status;
    }
    status = Finish(loaded, output, status, report);
    cliRunFacts facts = Gather(run, loaded, output);
    facts.status = status;
    facts.resumed = resumed;
    facts.firstStep = firstStep;
    facts.lastStep = lastStep;
    facts.startVolume = startVolume;
    facts.wall = cliClock() - begun;
    if (status == rsl_ok || cliHasFailed(status) || status == rsl_stopped)
    {
        rslStatus written = cliSummary_Write(&facts, report);
        Tell(&facts);
        return written == rsl_ok ? status : written;
    }
    return status;
}

static rslStatus RunLoaded(const cliRunOptions* run, cliLoaded* loaded, rslReport* report)
{
    double startVolume = rslSolver_Motion(loaded->solver, loaded->state, -1).volume;
    bool resumed = false;
    cliStop_Catch();  // what is written from here on is left so that --resume goes on from it
    rslStatus status = PrepareDirectory(loaded, run, &resumed, report);
    if (status != rsl_ok)
    {
        return status;
    }
    if (resumed && !run->show.quiet)
    {
        cliNote("going on at t = %s s (step %llu)", cliShortest(rslState_Time(loaded->state)).text,
                (unsigned long long)loaded->state->stepCount);
    }
    cliOutput output;
    int64_t keepStep = resumed ? (int64_t)loaded->state->stepCount : CLI_CSV_ANEW;
    status = cliOutput_Open(&output, loaded, run->directory.text, keepStep, report);
    if (status == rsl_ok)
    {
        status = Simulate(run, loaded, &output, resumed, startVolume, report);
    }
    cliOutput_Close(&output);
    return status;
}

static void PrintJsonFailure(rslStatus status, const rslReport* report)
{
    cliJson json = { .file = stdout };
    cliJson_Begin(&json, NULL);
    cliJson_Text(&json, "status", rslStatus_Name(status));
    cliJson_Messages(&json, "messages", report);
    cliJson_End(&json);
}

// Open, run, print every message once.
static int Execute(const cliRunOptions* run)
{
    cliLoaded loaded;
    rslReport report = { 0 };
    // a run that goes on keeps the pace that it had
    cliWishes wishes = run->wishes;
    cliPath log = cliPath_Join(run->directory.text, "realtime.csv");
    wishes.goesOn = run->resume && wishes.replay == NULL && cliPath_Exists(log.text);
    wishes.replay = wishes.goesOn ? log.text : wishes.replay;
    rslStatus status = cliLoaded_Open(&loaded, run->scene, &wishes);
    rslSeverity least = run->show.quiet ? rsl_warning : rsl_note;
    cliReport_PrintDown(&loaded.report, least);
    bool opened = status == rsl_ok;
    if (opened)
    {
        status = RunLoaded(run, &loaded, &report);
        if (status == rsl_outOfMemory)
        {
            rslReport_Add(&report, rsl_error, (rslPlace){ 0 }, "out of memory");
        }
        cliReport_PrintDown(&report, least);
    }
    if (run->show.json && status != rsl_ok && !cliHasFailed(status) && status != rsl_stopped)
    {
        PrintJsonFailure(status, opened ? &report : &loaded.report);
    }
    cliLoaded_Free(&loaded);
    return status == rsl_stopped ? 128 + (int)cliStop : cliExit(status);
}

static int Run(const cliCommand* command, int argc, char** argv)
{
    cliRunOptions run = { .wishes = cliWishes_Default() };
    run.wishes.stop = HasSignal;
    run.wishes.paced = true;
    int status = cliRunOptions_Read(command, argc, argv, &run);
    if (status < 0)
    {
        status = Execute(&run);
    }
    cliOverrides_Free(&run.wishes.overrides);
    return status;
}

const cliCommand cliRunCommand = {
    .name = "run",
    .brief = "simulate a scene and write what it asks for",
    .help = cliRunHelp,
    .options = cliRunOwnOptions,
    .shared = "output threads precision until set json progress quiet lod",
    .run = Run,
};
