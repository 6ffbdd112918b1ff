// SPDX-License-Identifier: MIT
//
// run_frames.c: the frames of a run, for ParaView and Blender.

#include "collider_frames.h"
#include "number.h"
#include "run.h"
#include "series.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char header[] = "step,time [s],frame";

// an hour-long run must not write a list of thousands of frames thousands of times [s]
static const double listInterval = 2;

static bool HasSurface(const cliFrames* frames)
{
    return frames->snapshot->triangleCount > 0;
}

// Remove the frames of the series from the given one on.
static void RemoveFrom(const char* directory, int first)
{
    cliPath_RemoveNumbered(directory, "nodes_", ".vtu", first);
    cliPath_RemoveNumbered(directory, "surface_", ".vtu", first);
    cliPath_RemoveNumbered(directory, "colliders_", ".vtu", first);
}

void cliFrames_RemoveAll(const char* directory)
{
    static const char* const whole[] = { "nodes.pvd",           "surface.pvd",           "surface.pc2", "surface.glb",
                                         "nodes_last_good.vtu", "surface_last_good.vtu", "surface.obj", "frames.csv",
                                         "colliders.pvd",       "colliders.glb" };
    RemoveFrom(directory, 0);
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; ++i)
    {
        unlink(cliPath_Join(directory, "%s", whole[i]).text);
    }
}

static rslStatus AddTime(cliFrames* frames, double time)
{
    if (frames->count == frames->capacity)
    {
        int capacity = frames->capacity > 0 ? 2 * frames->capacity : 256;
        double* times = realloc(frames->times, sizeof(double) * (size_t)capacity);
        if (times == NULL)
        {
            return rsl_outOfMemory;
        }
        frames->times = times;
        frames->capacity = capacity;
    }
    frames->times[frames->count++] = time;
    return rsl_ok;
}

// The times of the frames that were kept, from the second column of the index.
static rslStatus ReadIndex(cliFrames* frames, rslReport* report)
{
    size_t size = 0;
    char* text = cliFile_Read(frames->index.path, &size, report);
    if (text == NULL)
    {
        return rsl_ioError;
    }
    rslStatus status = rsl_ok;
    for (char* line = strchr(text, '\n'); line != NULL && line[1] != 0 && status == rsl_ok;
         line = strchr(line + 1, '\n'))
    {
        char* comma = strchr(line + 1, ',');
        status = AddTime(frames, comma != NULL ? strtod(comma + 1, NULL) : 0);
    }
    free(text);
    return status;
}

// The point cache goes on after the kept frames; one that has fewer, because it was not asked for before, starts anew.
static rslStatus OpenCache(cliFrames* frames, rslReport* report)
{
    cliPath path = cliPath_Join(frames->directory, "surface.pc2");
    rslReport attempt = { 0 };
    rslStatus status =
        rslPc2_Open(path.text, frames->snapshot->vertexCount, frames->count, NULL, &frames->cache, &attempt);
    if (status == rsl_ok || frames->count == 0 || (status == rsl_ioError && cliPath_Exists(path.text)))
    {
        for (int i = 0; i < attempt.count; ++i)
        {
            rslReport_Add(report, attempt.messages[i].severity, (rslPlace){ 0 }, "%s", attempt.messages[i].text);
        }
        return status;
    }
    rslReport_Add(report, rsl_note, (rslPlace){ 0 }, "%s does not hold the frames before: it starts anew", path.text);
    return rslPc2_Open(path.text, frames->snapshot->vertexCount, 0, NULL, &frames->cache, report);
}

// The surface at the start as OBJ: the mesh that a point cache moves in Blender.
static rslStatus WriteBase(const cliFrames* frames, rslReport* report)
{
    const rslSnapshot* s = frames->snapshot;
    char* text = NULL;
    size_t size = 0;
    FILE* file = open_memstream(&text, &size);
    if (file == NULL)
    {
        return rsl_outOfMemory;
    }
    fputs("# the mesh that surface.pc2 moves; import with Y forward and Z up, keeping the order of the vertices\n",
          file);
    for (int i = 0; i < s->vertexCount; ++i)
    {
        const double* v = s->vertices + 3 * i;
        fprintf(file, "v %.9g %.9g %.9g\n", v[0], v[1], v[2]);
    }
    for (int i = 0; i < s->triangleCount; ++i)
    {
        const int* t = s->triangles + 3 * i;
        fprintf(file, "f %d %d %d\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
    rslStatus status = rsl_outOfMemory;
    if (fclose(file) == 0)
    {
        status = rslFile_Write(cliPath_Join(frames->directory, "surface.obj").text, text, size, report);
    }
    free(text);
    return status;
}

static rslStatus OpenSeries(cliFrames* frames, int64_t keepStep, rslReport* report)
{
    cliPath path = cliPath_Join(frames->directory, "frames.csv");
    rslStatus status = cliCsv_Open(&frames->index, path.text, header, keepStep, report);
    if (status == rsl_ok && frames->index.rows > 0)
    {
        status = ReadIndex(frames, report);
    }
    if (status == rsl_ok)
    {
        RemoveFrom(frames->directory, frames->count);
    }
    if (status == rsl_ok && frames->pc2)
    {
        status = OpenCache(frames, report);
    }
    return status;
}

// Point caches have no times of their own: frames of two rates in one play unevenly.
static void NoteOtherRate(const cliFrames* frames, const cliLoaded* loaded, rslReport* report)
{
    cliSchedule schedule = { .rate = frames->rate, .step = cliLoaded_Step(loaded) };
    if (frames->pc2 && (uint64_t)frames->count != cliSchedule_Count(&schedule, loaded->state->stepCount))
    {
        rslReport_Add(report, rsl_note, (rslPlace){ 0 },
                      "the frames so far were taken at another rate: surface.pc2 and surface.glb play unevenly");
    }
}

rslStatus cliFrames_Open(cliFrames* frames, const cliLoaded* loaded, const char* directory, int64_t keepStep,
                         rslReport* report)
{
    const rslOutputDef* def = &loaded->scene.output;
    *frames = (cliFrames){ .directory = directory, .rate = def->frames, .vtu = def->vtu };
    frames->colliders = cliColliders_Any(loaded->model);
    rslStatus status = rslSnapshot_Create(loaded->model, def->vtu, NULL, &frames->snapshot);
    if (status == rsl_ok && def->vtu)
    {
        status = rslSnapshot_AddFields(frames->snapshot, loaded->model, def->fields, report);
    }
    if (status != rsl_ok || !(def->frames > 0))
    {
        return status;
    }
    frames->glb = def->glb && HasSurface(frames);
    frames->pc2 = (def->pc2 || def->glb) && HasSurface(frames);  // the .glb is made from the cache
    status = OpenSeries(frames, keepStep, report);
    if (keepStep != CLI_CSV_ANEW)
    {
        NoteOtherRate(frames, loaded, report);
    }
    if (status == rsl_ok && frames->pc2 && !cliPath_Exists(cliPath_Join(directory, "surface.obj").text))
    {
        rslSnapshot_Take(frames->snapshot, loaded->solver, loaded->state);
        status = WriteBase(frames, report);
    }
    return status;
}

static rslStatus WriteVtu(const cliFrames* frames, const char* name, rslReport* report)
{
    rslStatus status =
        rslVtu_WriteNodes(cliPath_Join(frames->directory, "nodes_%s.vtu", name).text, frames->snapshot, report);
    if (status == rsl_ok && HasSurface(frames))
    {
        status =
            rslVtu_WriteSurface(cliPath_Join(frames->directory, "surface_%s.vtu", name).text, frames->snapshot, report);
    }
    return status;
}

// Those that do not move in the first frame only.
static rslStatus WriteColliders(const cliFrames* frames, const cliLoaded* loaded, const char* name, rslReport* report)
{
    double time = rslState_Time(loaded->state);
    bool first = frames->count == 0;
    rslStatus status = rsl_ok;
    if (frames->vtu && frames->colliders && (first || rslModel_SolidsMove(loaded->model)))
    {
        cliPath path = cliPath_Join(frames->directory, "colliders_%s.vtu", name);
        status = cliColliders_Write(loaded->model, time, path.text, false, report);
    }
    if (status == rsl_ok && frames->glb && frames->colliders && first)
    {
        cliPath path = cliPath_Join(frames->directory, "colliders.glb");
        status = cliColliders_Write(loaded->model, time, path.text, true, report);
    }
    return status;
}

static rslStatus WriteLists(cliFrames* frames, rslReport* report)
{
    if (!frames->vtu || !(frames->rate > 0))
    {
        return rsl_ok;
    }
    frames->listed = cliClock();
    rslStatus status = cliSeries_Write(frames->directory, "nodes", frames->times, frames->count, report);
    if (status == rsl_ok && frames->colliders)
    {
        status = cliSeries_Write(frames->directory, "colliders", frames->times, frames->count, report);
    }
    return status == rsl_ok && HasSurface(frames)
               ? cliSeries_Write(frames->directory, "surface", frames->times, frames->count, report)
               : status;
}

rslStatus cliFrames_Take(cliFrames* frames, const cliLoaded* loaded, rslReport* report)
{
    char name[16];
    snprintf(name, sizeof name, "%06d", frames->count);
    double values[2] = { rslState_Time(loaded->state), frames->count };
    rslSnapshot_Take(frames->snapshot, loaded->solver, loaded->state);
    rslStatus status = frames->vtu ? WriteVtu(frames, name, report) : rsl_ok;
    status = status == rsl_ok ? WriteColliders(frames, loaded, name, report) : status;
    if (status == rsl_ok && frames->pc2)
    {
        status = rslPc2_Append(frames->cache, frames->snapshot->vertices, report);
    }
    if (status == rsl_ok)
    {
        status = AddTime(frames, values[0]);
    }
    if (status == rsl_ok)
    {
        status = cliCsv_Append(&frames->index, loaded->state->stepCount, values, 2, report);
    }
    if (status == rsl_ok && cliClock() - frames->listed > listInterval)
    {
        status = WriteLists(frames, report);
    }
    return status;
}

rslStatus cliFrames_TakeAside(cliFrames* frames, const cliLoaded* loaded, const rslState* state, const char* name,
                              rslReport* report)
{
    rslSnapshot_Take(frames->snapshot, loaded->solver, state);
    return WriteVtu(frames, name, report);
}

rslStatus cliFrames_Sync(cliFrames* frames, rslReport* report)
{
    rslStatus status = cliCsv_Sync(&frames->index, report);
    return status == rsl_ok ? WriteLists(frames, report) : status;
}

rslStatus cliFrames_Finish(cliFrames* frames, rslReport* report)
{
    if (!frames->glb || rslPc2_FrameCount(frames->cache) == 0)
    {
        return rsl_ok;
    }
    return rslGlb_FromPc2(cliPath_Join(frames->directory, "surface.glb").text,
                          cliPath_Join(frames->directory, "surface.pc2").text, frames->snapshot, frames->rate, NULL,
                          report);
}

void cliFrames_Close(cliFrames* frames)
{
    cliCsv_Close(&frames->index);
    if (frames->cache != NULL)
    {
        rslPc2_Close(frames->cache);
    }
    rslSnapshot_Free(frames->snapshot);
    free(frames->times);
    *frames = (cliFrames){ 0 };
}
