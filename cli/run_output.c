// SPDX-License-Identifier: MIT
//
// run_output.c: the tables of a run and its checkpoints.

#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- rows -----------------------------------------------------------------------------------------------------------

static rslStatus AppendEnergy(cliOutput* output, const cliLoaded* loaded, rslReport* report)
{
    double row[CLI_ENERGY_COLUMNS];
    cliEnergy_Row(loaded, row);
    return cliCsv_Append(&output->energy, loaded->state->stepCount, row, CLI_ENERGY_COLUMNS, report);
}

static rslStatus AppendProbes(cliOutput* output, const cliLoaded* loaded, rslReport* report)
{
    output->row[0] = rslState_Time(loaded->state);
    cliProbes_Row(&output->probeList, loaded, output->row + 1);
    int columns = 1 + cliProbes_ColumnCount(&output->probeList);
    return cliCsv_Append(&output->probes, loaded->state->stepCount, output->row, columns, report);
}

static rslStatus OpenEnergy(cliOutput* output, const cliLoaded* loaded, int64_t keepStep, rslReport* report)
{
    char header[40 * CLI_ENERGY_COLUMNS] = "step";
    for (int i = 0; i < CLI_ENERGY_COLUMNS; ++i)
    {
        size_t used = strlen(header);
        snprintf(header + used, sizeof header - used, ",%s", cliEnergy_Name(loaded, i));
    }
    cliPath path = cliPath_Join(output->directory, "energy.csv");
    return cliCsv_Open(&output->energy, path.text, header, keepStep, report);
}

static char* ProbeHeader(const cliProbes* probes)
{
    char* text = NULL;
    size_t size = 0;
    FILE* file = open_memstream(&text, &size);
    if (file == NULL)
    {
        return NULL;
    }
    fputs("step,time [s]", file);
    for (int i = 0; i < cliProbes_ColumnCount(probes); ++i)
    {
        char name[128];
        cliProbes_Name(probes, i, name, sizeof name);
        fprintf(file, ",%s", name);
    }
    fclose(file);
    return text;
}

static rslStatus OpenProbes(cliOutput* output, const cliLoaded* loaded, int64_t keepStep, rslReport* report)
{
    rslStatus status = cliProbes_Open(&output->probeList, loaded, report);
    if (status != rsl_ok)
    {
        return status;
    }
    output->row = calloc(1 + (size_t)cliProbes_ColumnCount(&output->probeList), sizeof(double));
    char* header = output->row != NULL ? ProbeHeader(&output->probeList) : NULL;
    if (header == NULL)
    {
        return rsl_outOfMemory;
    }
    cliPath path = cliPath_Join(output->directory, "probes.csv");
    status = cliCsv_Open(&output->probes, path.text, header, keepStep, report);
    free(header);
    if (status == rsl_ok && cliCsv_LastRow(&output->probes, output->row, 1 + cliProbes_ColumnCount(&output->probeList)))
    {
        cliProbes_Recall(&output->probeList, output->row[0], output->row + 1);
    }
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
        status = OpenEnergy(output, loaded, keepStep, report);
    }
    if (status == rsl_ok && rows && loaded->scene.output.probeCount > 0)
    {
        status = OpenProbes(output, loaded, keepStep, report);
    }
    if (status == rsl_ok && loaded->paced)
    {
        status = cliPaceLog_Open(&output->pace, loaded, directory, keepStep, report);
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
    if (status == rsl_ok && output->pace.csv.file != NULL)
    {
        status = cliCsv_Sync(&output->pace.csv, report);
    }
    return status == rsl_ok
               ? cliWriteState(cliPath_Join(output->directory, "checkpoint.rsl").text, loaded->state, report)
               : status;
}

void cliOutput_Close(cliOutput* output)
{
    cliFrames_Close(&output->frames);
    cliCsv_Close(&output->energy);
    cliCsv_Close(&output->probes);
    cliCsv_Close(&output->pace.csv);
    cliProbes_Close(&output->probeList);
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
