// SPDX-License-Identifier: MIT
//
// run_summary.c: how a run went, as a table and as JSON.

#include "collider_frames.h"
#include "number.h"
#include "run.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>

static double StepsPerSecond(const cliRunFacts* facts)
{
    double steps = (double)(facts->loaded->state->stepCount - facts->firstStep);
    return facts->wall > 0 ? steps / facts->wall : 0;
}

static const char* StatusName(const cliRunFacts* facts)
{
    return rslStatus_Name(facts->status);
}

static double VolumeChange(const cliRunFacts* facts)
{
    return facts->startVolume != 0 ? facts->motion.volume / facts->startVolume - 1 : 0;
}

// ---- for people -----------------------------------------------------------------------------------------------------

static void PrintSolves(const cliRunFacts* facts)
{
    rslSolve solve = rslSolver_Solve(facts->loaded->solver);
    if (solve.preconditioner != NULL)
    {
        cliLine("solves", "%s Newton steps, %s iterations, %s", cliCount((uint64_t)solve.newtonSteps).text,
                cliCount((uint64_t)solve.iterations).text, solve.preconditioner);
    }
}

static void PrintHead(const cliRunFacts* facts)
{
    const cliLoaded* l = facts->loaded;
    const char* title = l->scene.title;
    printf("%s\n", title != NULL && title[0] != 0 ? title : facts->options->scene);
    cliLine("nodes", "%s", cliCount((uint64_t)l->model->nodeCount).text);
    if (l->model->elementCount > 0)
    {
        cliLine("elements", "%s", cliCount((uint64_t)l->model->elementCount).text);
    }
    cliLine(l->model->elementCount > 0 ? "springs, edges" : "springs", "%s",
            cliCount((uint64_t)l->model->springCount).text);
    cliLine("steps", "%s, to t = %s", cliCount(l->state->stepCount).text, cliSi(rslState_Time(l->state), "s").text);
    if (facts->resumed)
    {
        cliLine(NULL, "resumed at step %s", cliCount(facts->firstStep).text);
    }
    rslStability stability = rslSolver_Stability(l->solver);
    double step = cliLoaded_Step(l);
    if (stability.stableStep > 0 && isfinite(stability.stableStep))
    {
        cliLine("step", "%s, %.3g of the stable step %s", cliSi(step, "s").text, step / stability.stableStep,
                cliSi(stability.stableStep, "s").text);
    }
    else
    {
        cliLine("step", "%s, %s", cliSi(step, "s").text,
                stability.stableStep > 0 ? "any step is stable" : "no step is stable");
    }
    cliLine("integrator", "%s%s, %s precision", cliIntegratorName(l->scene.time.integrator),
            l->automatic ? " (auto)" : "", cliPrecisionName(l->scene.time.precision));
    cliLine("threads", "%d", rslSolver_Threads(l->solver));
    PrintSolves(facts);
    if (facts->pace != NULL)
    {
        cliPaceLog_Print(facts->pace);
    }
}

static void PrintSpeed(const cliRunFacts* facts)
{
    double speed = StepsPerSecond(facts);
    double step = cliLoaded_Step(facts->loaded);
    cliLine("wall time", "%s, with all output", cliDuration(facts->wall).text);
    cliLine("speed", "%s, %.3g x real time", cliSi(speed * facts->loaded->model->nodeCount, "node-steps/s").text,
            speed * step);
}

// Of a run that goes from rest to rest only the states are known, not how energy came in and was lost between them.
static void PrintRest(const cliRunFacts* facts)
{
    const rslEnergy* e = &facts->energy;
    cliLine("energy at rest", "%s", cliSi(e->total, "J").text);
    cliLine(NULL, "springs %.4g, gravity %.4g, ground %.4g, links %.4g", e->springs, e->gravity, e->ground, e->links);
    cliRest_Line(facts->loaded);
}

static void PrintAccount(const cliRunFacts* facts)
{
    const rslAccount* a = &facts->loaded->state->account;
    const rslEnergy* e = &facts->energy;
    const rslMotion* m = &facts->motion;
    cliLine("energy at start", "%s", cliSi(a->start, "J").text);
    cliLine("work done on it", "%s (loads %.4g, motion %.4g, drives %.4g)",
            cliSi(a->loads + a->motion + a->drives, "J").text, a->loads, a->motion, a->drives);
    cliLine("dissipated", "%s", cliSi(a->dissipated, "J").text);
    if (a->numerical != 0.0)
    {
        cliLine("lost by the scheme", "%s", cliSi(a->numerical, "J").text);
    }
    cliLine("energy at end", "%s", cliSi(e->total, "J").text);
    cliLine(NULL, "kinetic %.4g, springs %.4g, gravity %.4g, ground %.4g, links %.4g", e->kinetic, e->springs,
            e->gravity, e->ground, e->links);
    cliLine("drift", "%s, %+.2e relative", cliSi(e->drift, "J").text, cliRelativeDrift(e, a));
    cliLine("momentum", "%.4g %.4g %.4g kg m/s", m->momentum.x, m->momentum.y, m->momentum.z);
}

// How near to collapse it came.
static void PrintGuard(const cliRunFacts* facts)
{
    const rslGuardTally* g = &facts->loaded->state->guard;
    const char* what = facts->loaded->model->plane == rsl_planeXY ? "area" : "volume";
    if (g->divided > 0)
    {
        cliLine("elements", "%s %s %.2g of rest; %s steps divided, by up to %llu",
                g->smallest < 1.0 ? "smallest" : "all above", what, g->smallest < 1.0 ? g->smallest : 0.5,
                cliCount(g->divided).text, 1ull << g->deepest);
    }
    else if (g->smallest < 1.0)
    {
        cliLine("elements", "smallest %s %.2g of rest", what, g->smallest);
    }
}

static void PrintPhysics(const cliRunFacts* facts)
{
    PrintGuard(facts);
    (facts->loaded->scene.time.integrator == rsl_static ? PrintRest : PrintAccount)(facts);
    if (facts->startVolume != 0)
    {
        bool flat = facts->loaded->model->plane == rsl_planeXY;
        cliLine(flat ? "area" : "volume", "%.6g %s, %+.3g %%", facts->motion.volume, flat ? "m2" : "m3",
                100 * VolumeChange(facts));
    }
}

static void PrintFiles(const cliRunFacts* facts)
{
    const char* directory = facts->options->directory.text;
    cliLine("state hash", "%016llx", (unsigned long long)facts->hash);
    if (facts->hasVtu)
    {
        cliLine("ParaView", "%s%s%s", cliPath_Join(directory, "nodes.pvd").text,
                facts->hasSurface ? ", surface.pvd" : "",
                cliColliders_Any(facts->loaded->model) ? ", colliders.pvd" : "");
    }
    if (facts->hasGlb)
    {
        cliLine("Blender", "%s", cliPath_Join(directory, "surface.glb").text);
    }
    if (facts->hasPc2)
    {
        cliLine(facts->hasGlb ? "" : "Blender", "%s, moves surface.obj", cliPath_Join(directory, "surface.pc2").text);
    }
    if (facts->hasEnergy || facts->hasProbes)
    {
        cliLine("tables", "%s%s%s", cliPath_Join(directory, facts->hasEnergy ? "energy.csv" : "probes.csv").text,
                facts->hasEnergy && facts->hasProbes ? ", " : "",
                facts->hasEnergy && facts->hasProbes ? "probes.csv" : "");
    }
}

void cliSummary_Print(const cliRunFacts* facts)
{
    PrintHead(facts);
    PrintSpeed(facts);
    PrintPhysics(facts);
    PrintFiles(facts);
}

// ---- for programs ---------------------------------------------------------------------------------------------------

static void EnergyJson(const cliRunFacts* facts, cliJson* json)
{
    const rslAccount* a = &facts->loaded->state->account;
    const rslEnergy* e = &facts->energy;
    cliJson_Begin(json, "energy");
    cliJson_Number(json, "start", a->start);
    cliJson_Number(json, "loads", a->loads);
    cliJson_Number(json, "motion", a->motion);
    cliJson_Number(json, "drives", a->drives);
    cliJson_Number(json, "dissipated", a->dissipated);
    cliJson_Number(json, "numerical", a->numerical);
    cliJson_Number(json, "kinetic", e->kinetic);
    cliJson_Number(json, "springs", e->springs);
    cliJson_Number(json, "gravity", e->gravity);
    cliJson_Number(json, "ground", e->ground);
    cliJson_Number(json, "links", e->links);
    cliJson_Number(json, "final", e->total);
    cliJson_Number(json, "drift", e->drift);
    cliJson_Number(json, "drift_relative", cliRelativeDrift(e, a));
    cliJson_End(json);
}

static void FileJson(cliJson* json, const char* key, bool there, const char* name)
{
    cliJson_Text(json, key, there ? name : NULL);
}

static void FilesJson(const cliRunFacts* facts, cliJson* json)
{
    cliJson_Begin(json, "files");
    FileJson(json, "scene", true, "scene.yaml");
    FileJson(json, "nodes", facts->hasVtu, "nodes.pvd");
    FileJson(json, "surface", facts->hasVtu && facts->hasSurface, "surface.pvd");
    FileJson(json, "glb", facts->hasGlb, "surface.glb");
    FileJson(json, "pc2", facts->hasPc2, "surface.pc2");
    FileJson(json, "energy", facts->hasEnergy, "energy.csv");
    FileJson(json, "probes", facts->hasProbes, "probes.csv");
    FileJson(json, "checkpoint", !cliHasFailed(facts->status), "checkpoint.rsl");
    cliJson_End(json);
}

static void TimingJson(const cliRunFacts* facts, cliJson* json)
{
    double speed = StepsPerSecond(facts);
    cliJson_Begin(json, "timing");
    cliJson_Count(json, "threads", (uint64_t)rslSolver_Threads(facts->loaded->solver));
    cliJson_Count(json, "first_step", facts->firstStep);
    cliJson_Number(json, "build_seconds", facts->loaded->model->buildSeconds);
    cliJson_Number(json, "wall_seconds", facts->wall);
    cliJson_Number(json, "steps_per_second", speed);
    cliJson_Number(json, "node_steps_per_second", speed * facts->loaded->model->nodeCount);
    cliJson_Number(json, "real_time_factor", speed * cliLoaded_Step(facts->loaded));
    cliJson_End(json);
}

static void HeadJson(const cliRunFacts* facts, cliJson* json)
{
    const cliLoaded* l = facts->loaded;
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)facts->hash);
    cliJson_Text(json, "status", StatusName(facts));
    cliJson_Text(json, "state_hash", hash);
    cliJson_Text(json, "version", rslVersion());
    cliJson_Text(json, "scene", facts->options->scene);
    cliJson_Text(json, "title", l->scene.title);
    cliJson_Text(json, "directory", facts->options->directory.text);
    cliJson_Count(json, "bodies", (uint64_t)l->model->bodyCount);
    cliJson_Count(json, "nodes", (uint64_t)l->model->nodeCount);
    cliJson_Count(json, "springs", (uint64_t)l->model->springCount);
    cliJson_Count(json, "elements", (uint64_t)l->model->elementCount);
    cliJson_Text(json, "integrator", cliIntegratorWord(l->scene.time.integrator));
    cliJson_Text(json, "precision", cliPrecisionName(l->scene.time.precision));
    cliJson_Number(json, "step", cliLoaded_Step(l));
    cliJson_Number(json, "stable_step", rslSolver_Stability(l->solver).stableStep);
    cliJson_Count(json, "steps", l->state->stepCount);
    cliJson_Count(json, "steps_asked", facts->lastStep);
    cliJson_Number(json, "time", rslState_Time(l->state));
    cliJson_Bool(json, "resumed", facts->resumed);
    cliJson_Bool(json, "bit_reproducible", true);
}

void cliSummary_Json(const cliRunFacts* facts, const rslReport* report, FILE* file)
{
    cliJson json = { .file = file };
    cliJson_Begin(&json, NULL);
    HeadJson(facts, &json);
    EnergyJson(facts, &json);
    cliJson_Vec3(&json, "momentum", facts->motion.momentum);
    cliJson_Vec3(&json, "angular_momentum", facts->motion.angularMomentum);
    cliJson_Vec3(&json, "centre", facts->motion.centre);
    cliJson_Number(&json, "volume", facts->motion.volume);
    cliJson_Number(&json, "volume_change", VolumeChange(facts));
    cliJson_Number(&json, "smallest_measure", facts->loaded->state->guard.smallest);
    cliJson_Count(&json, "steps_divided", facts->loaded->state->guard.divided);
    cliJson_Count(&json, "substeps", facts->loaded->state->guard.substeps);
    if (facts->pace != NULL)
    {
        cliPaceLog_Json(facts->pace, &json);
    }
    cliJson_Count(&json, "frames", (uint64_t)facts->frames);
    cliJson_Count(&json, "rows", (uint64_t)facts->rows);
    if (facts->status == rsl_diverged)
    {
        cliDivergence_Json(facts->loaded, &json);
    }
    if (facts->loaded->scene.time.integrator == rsl_static)
    {
        cliRest_Json(facts->loaded, &json);
    }
    FilesJson(facts, &json);
    TimingJson(facts, &json);
    cliJson_Messages(&json, "messages", report);
    cliJson_End(&json);
}

rslStatus cliSummary_Write(const cliRunFacts* facts, rslReport* report)
{
    char* text = NULL;
    size_t size = 0;
    FILE* file = open_memstream(&text, &size);
    if (file == NULL)
    {
        return rsl_outOfMemory;
    }
    cliSummary_Json(facts, &facts->loaded->report, file);
    rslStatus status = rsl_outOfMemory;
    if (fclose(file) == 0)
    {
        status = rslFile_Write(cliPath_Join(facts->options->directory.text, "summary.json").text, text, size, report);
    }
    free(text);
    return status;
}
