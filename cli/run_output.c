// SPDX-License-Identifier: MIT
//
// run_output.c: the tables of a run and its checkpoints.

#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// the last column is the volume; in two dimensions the area
static const char energyHeader[] =
    "step,time [s],kinetic [J],springs [J],gravity [J],ground [J],links [J],total [J],"
    "work of loads [J],work of motion [J],work of drives [J],dissipated [J],drift [J],"
    "momentum x [kg m/s],momentum y [kg m/s],momentum z [kg m/s],"
    "angular momentum x [kg m2/s],angular momentum y [kg m2/s],angular momentum z [kg m2/s],"
    "centre x [m],centre y [m],centre z [m],";

enum
{
    ENERGY_COLUMNS = 22,
    PROBE_COLUMNS = 9
};

static int StoreVec3(double* to, rslVec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    return 3;
}

static rslStatus AppendEnergy(cliOutput* output, const cliLoaded* loaded, rslReport* report)
{
    const rslAccount* a = &loaded->state->account;
    rslEnergy e = rslSolver_Energy(loaded->solver, loaded->state);
    rslMotion m = rslSolver_Motion(loaded->solver, loaded->state, -1);
    double row[ENERGY_COLUMNS] = { rslState_Time(loaded->state),
                                   e.kinetic,
                                   e.springs,
                                   e.gravity,
                                   e.ground,
                                   e.links,
                                   e.total,
                                   a->loads,
                                   a->motion,
                                   a->drives,
                                   a->dissipated,
                                   e.drift };
    int n = 12;
    n += StoreVec3(row + n, m.momentum);
    n += StoreVec3(row + n, m.angularMomentum);
    n += StoreVec3(row + n, m.centre);
    row[n] = m.volume;
    return cliCsv_Append(&output->energy, loaded->state->stepCount, row, ENERGY_COLUMNS, report);
}

// ---- probes ---------------------------------------------------------------------------------------------------------

// Means over the nodes of a probe: position, velocity, force.
static void Measure(const cliOutput* output, const cliLoaded* loaded, const cliProbe* probe, double* nine)
{
    memset(nine, 0, PROBE_COLUMNS * sizeof(double));
    for (int i = 0; i < probe->nodeCount; ++i)
    {
        int node = probe->nodes[i];
        double position[3], velocity[3];
        rslState_Positions(loaded->model, loaded->state, node, node + 1, position);
        rslState_Velocities(loaded->model, loaded->state, node, node + 1, velocity);
        for (int axis = 0; axis < 3; ++axis)
        {
            nine[axis] += position[axis] / probe->nodeCount;
            nine[3 + axis] += velocity[axis] / probe->nodeCount;
            nine[6 + axis] += output->forces[3 * node + axis] / probe->nodeCount;
        }
    }
}

static rslStatus AppendProbes(cliOutput* output, const cliLoaded* loaded, rslReport* report)
{
    rslSolver_Fields(loaded->solver, loaded->state, output->forces, NULL, NULL);
    output->row[0] = rslState_Time(loaded->state);
    for (int i = 0; i < output->probeCount; ++i)
    {
        Measure(output, loaded, &output->probeList[i], output->row + 1 + PROBE_COLUMNS * i);
    }
    return cliCsv_Append(&output->probes, loaded->state->stepCount, output->row, 1 + PROBE_COLUMNS * output->probeCount,
                         report);
}

static char* ProbeHeader(const cliOutput* output)
{
    static const char* const columns[PROBE_COLUMNS] = { "x [m]",    "y [m]",  "z [m]",  "vx [m/s]", "vy [m/s]",
                                                        "vz [m/s]", "fx [N]", "fy [N]", "fz [N]" };
    char* text = NULL;
    size_t size = 0;
    FILE* file = open_memstream(&text, &size);
    if (file == NULL)
    {
        return NULL;
    }
    fputs("step,time [s]", file);
    for (int i = 0; i < PROBE_COLUMNS * output->probeCount; ++i)
    {
        fprintf(file, ",%s %s", output->probeList[i / PROBE_COLUMNS].name, columns[i % PROBE_COLUMNS]);
    }
    fclose(file);
    return text;
}

static rslStatus OpenProbes(cliOutput* output, const cliLoaded* loaded, int64_t keepStep, rslReport* report)
{
    const rslOutputDef* def = &loaded->scene.output;
    size_t count = (size_t)def->probeCount;
    output->probeList = calloc(count, sizeof(cliProbe));
    output->row = calloc(1 + PROBE_COLUMNS * count, sizeof(double));
    output->forces = calloc(3 * (size_t)loaded->model->nodeCount, sizeof(double));
    if (output->probeList == NULL || output->row == NULL || output->forces == NULL)
    {
        return rsl_outOfMemory;
    }
    rslStatus status = rsl_ok;
    for (int i = 0; i < def->probeCount && status == rsl_ok; ++i)
    {
        cliProbe* probe = &output->probeList[output->probeCount++];
        probe->name = def->probes[i].name;
        status = rslModel_Select(loaded->model, &def->probes[i].nodes, &probe->nodes, &probe->nodeCount, report);
    }
    char* header = status == rsl_ok ? ProbeHeader(output) : NULL;
    if (header != NULL)
    {
        cliPath path = cliPath_Join(output->directory, "probes.csv");
        status = cliCsv_Open(&output->probes, path.text, header, keepStep, report);
    }
    free(header);
    return status;
}

// ---- all outputs ----------------------------------------------------------------------------------------------------

static void MakeSchedules(cliOutput* output, const cliLoaded* loaded)
{
    const rslOutputDef* def = &loaded->scene.output;
    double step = cliLoaded_Step(loaded);
    output->frameSchedule = (cliSchedule){ .rate = def->frames, .step = step };
    output->rowSchedule = (cliSchedule){ .rate = isnan(def->samples) ? def->frames : def->samples, .step = step };
    output->checkpointSchedule = (cliSchedule){ .rate = def->checkpoint > 0 ? 1 / def->checkpoint : 0, .step = step };
}

rslStatus cliOutput_Open(cliOutput* output, const cliLoaded* loaded, const char* directory, int64_t keepStep,
                         rslReport* report)
{
    *output = (cliOutput){ .directory = directory };
    MakeSchedules(output, loaded);
    rslStatus status = cliFrames_Open(&output->frames, loaded, directory, keepStep, report);
    bool rows = output->rowSchedule.rate > 0;
    if (status == rsl_ok && rows && loaded->scene.output.energy)
    {
        char header[sizeof energyHeader + 16];
        bool flat = loaded->model->plane == rsl_planeXY;
        snprintf(header, sizeof header, "%s%s", energyHeader, flat ? "area [m2]" : "volume [m3]");
        cliPath path = cliPath_Join(directory, "energy.csv");
        status = cliCsv_Open(&output->energy, path.text, header, keepStep, report);
    }
    if (status == rsl_ok && rows && loaded->scene.output.probeCount > 0)
    {
        status = OpenProbes(output, loaded, keepStep, report);
    }
    return status;
}

static rslStatus AppendRows(cliOutput* output, const cliLoaded* loaded, rslReport* report)
{
    rslStatus status = output->energy.file != NULL ? AppendEnergy(output, loaded, report) : rsl_ok;
    return status == rsl_ok && output->probes.file != NULL ? AppendProbes(output, loaded, report) : status;
}

rslStatus cliOutput_Write(cliOutput* output, const cliLoaded* loaded, rslReport* report)
{
    uint64_t now = loaded->state->stepCount;
    rslStatus status = rsl_ok;
    if (cliSchedule_IsDue(&output->frameSchedule, now))
    {
        status = cliFrames_Take(&output->frames, loaded, report);
    }
    if (status == rsl_ok && cliSchedule_IsDue(&output->rowSchedule, now))
    {
        status = AppendRows(output, loaded, report);
    }
    if (status == rsl_ok && now > 0 && cliSchedule_IsDue(&output->checkpointSchedule, now))
    {
        status = cliOutput_Checkpoint(output, loaded, report);
    }
    return status;
}

static uint64_t Least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t cliOutput_NextStep(const cliOutput* output, uint64_t stepCount)
{
    uint64_t next = cliSchedule_Next(&output->frameSchedule, stepCount);
    next = Least(next, cliSchedule_Next(&output->rowSchedule, stepCount));
    return Least(next, cliSchedule_Next(&output->checkpointSchedule, stepCount));
}

// The checkpoint comes last: all that belongs to the time before it is on the disk by then.
rslStatus cliOutput_Checkpoint(cliOutput* output, const cliLoaded* loaded, rslReport* report)
{
    rslStatus status = cliFrames_Sync(&output->frames, report);
    if (status == rsl_ok)
    {
        status = cliCsv_Sync(&output->energy, report);
    }
    if (status == rsl_ok)
    {
        status = cliCsv_Sync(&output->probes, report);
    }
    return status == rsl_ok
               ? cliWriteState(cliPath_Join(output->directory, "checkpoint.rsl").text, loaded->state, report)
               : status;
}

void cliOutput_Close(cliOutput* output, const cliLoaded* loaded)
{
    cliFrames_Close(&output->frames);
    cliCsv_Close(&output->energy);
    cliCsv_Close(&output->probes);
    for (int i = 0; i < output->probeCount; ++i)
    {
        rslModel_FreeNodes(loaded->model, output->probeList[i].nodes);
    }
    free(output->probeList);
    free(output->forces);
    free(output->row);
    *output = (cliOutput){ 0 };
}

rslStatus cliWriteState(const char* path, const rslState* state, rslReport* report)
{
    size_t size = rslState_Save(state, NULL, 0);
    void* bytes = malloc(size);
    if (bytes == NULL)
    {
        return rsl_outOfMemory;
    }
    rslState_Save(state, bytes, size);
    rslStatus status = rslFile_Write(path, bytes, size, report);
    free(bytes);
    return status;
}

rslStatus cliWriteScene(const char* path, const rslScene* scene, rslReport* report)
{
    size_t size = rslScene_Write(scene, NULL, 0);
    char* text = malloc(size + 1);
    if (text == NULL)
    {
        return rsl_outOfMemory;
    }
    rslScene_Write(scene, text, size + 1);
    rslStatus status = rslFile_Write(path, text, size, report);
    free(text);
    return status;
}
