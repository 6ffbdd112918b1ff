// SPDX-License-Identifier: MIT
//
// sweep_row.c: one row of a sweep: the scene is run, its bodies are tested, or both.

#include "number.h"
#include "readout.h"
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

static rslStatus PutProbes(cliSweep* sweep, int row, const cliLoaded* loaded, rslReport* report)
{
    cliProbes probes;
    rslStatus status = cliProbes_Open(&probes, loaded, report);
    int count = status == rsl_ok ? cliProbes_ColumnCount(&probes) : 0;
    double* values = calloc((size_t)count + 1, sizeof(double));
    status = status == rsl_ok && values == NULL ? rsl_outOfMemory : status;
    if (status == rsl_ok)
    {
        cliProbes_Row(&probes, loaded, values);
        for (int i = 0; i < count; ++i)
        {
            char name[128];
            cliProbes_Name(&probes, i, name, sizeof name);
            cliSweep_Put(sweep, row, name, values[i]);
        }
    }
    free(values);
    cliProbes_Close(&probes);
    return status;
}

static void PutReactions(cliSweep* sweep, int row, const cliLoaded* loaded)
{
    for (int i = 0; i < loaded->model->constraintCount; ++i)
    {
        rslVec3 force = rslSolver_Reaction(loaded->solver, loaded->state, i);
        const double xyz[3] = { force.x, force.y, force.z };
        for (int axis = 0; axis < 3; ++axis)
        {
            char name[64];
            snprintf(name, sizeof name, "reaction %d %c [N]", i, "xyz"[axis]);
            cliSweep_Put(sweep, row, name, xyz[axis]);
        }
    }
}

static rslStatus PutAll(cliSweep* sweep, int row, const cliLoaded* loaded, rslReport* report)
{
    rslStatus status = PutProbes(sweep, row, loaded, report);
    PutReactions(sweep, row, loaded);
    double energy[CLI_ENERGY_COLUMNS];
    cliEnergy_Row(loaded, energy);
    for (int i = 0; i < CLI_ENERGY_COLUMNS; ++i)
    {
        cliSweep_Put(sweep, row, cliEnergy_Name(loaded, i), energy[i]);
    }
    cliSweep_Put(sweep, row, "node count", loaded->model->nodeCount);
    cliSweep_Put(sweep, row, "spring count", (double)loaded->model->springCount);
    return status;
}

// ---- the testing machine --------------------------------------------------------------------------------------------

static void PutMeasurements(cliSweep* sweep, int row, const rslMeasurements* found, bool several)
{
    for (int i = 0; i < 2 * found->count; ++i)
    {
        const rslMeasurement* m = &found->list[i % found->count];
        bool error = i >= found->count, plain = strcmp(m->unit, "-") == 0;
        char unit[40] = "", name[160];
        if (!error && !plain)
        {
            snprintf(unit, sizeof unit, " [%.20s]", m->unit);
        }
        snprintf(name, sizeof name, "%s%s%s%s%s", several ? found->body : "", several ? " " : "", m->quantity, unit,
                 error ? " error" : "");
        cliSweep_Put(sweep, row, name, error ? m->error : m->ours);
    }
}

static rslStatus MeasureScene(cliSweep* sweep, int row, const char* path, const cliWishes* wishes, rslReport* report)
{
    rslScene scene;
    rslStatus status = rslScene_Read(path, wishes->overrides.list, wishes->overrides.count, NULL, &scene, report);
    if (status != rsl_ok)
    {
        return status;
    }
    status = rslScene_Validate(&scene, report);
    for (int body = 0; body < scene.bodyCount && status == rsl_ok; ++body)
    {
        rslMeasureDef def = rslDefaultMeasureDef();
        def.tests = sweep->tests;
        def.threads = cliWishes_Threads(wishes, &scene);
        rslMeasurements* found = NULL;
        status = rslMeasure_Run(&scene, body, &def, NULL, &found, report);
        if (found != NULL && found->count > 0)
        {
            PutMeasurements(sweep, row, found, scene.bodyCount > 1);
        }
        rslMeasurements_Free(found);
    }
    rslScene_Free(&scene);
    return status;
}

// ---- the row --------------------------------------------------------------------------------------------------------

static rslStatus RunScene(cliSweep* sweep, int row, const char* path, const cliWishes* wishes, rslReport* report)
{
    cliLoaded loaded;
    rslStatus status = cliLoaded_Open(&loaded, path, wishes);
    *report = loaded.report;
    if (status == rsl_ok)
    {
        status = cliLoaded_RunTo(&loaded, loaded.scene.time.duration, report);
    }
    if (status == rsl_ok)
    {
        status = rslSolver_Check(loaded.solver, loaded.state);
    }
    if (status == rsl_ok)
    {
        status = PutAll(sweep, row, &loaded, report);
    }
    cliLoaded_Free(&loaded);
    return status;
}

void cliSweep_RunRow(cliSweep* sweep, int row, const char* scene, const cliWishes* wishes)
{
    cliSweepRow* r = &sweep->rows[row];
    rslReport report = { 0 };
    double begun = cliClock();
    r->status = sweep->run ? RunScene(sweep, row, scene, wishes, &report) : rsl_ok;
    if (r->status == rsl_ok && sweep->tests != 0)
    {
        r->status = MeasureScene(sweep, row, scene, wishes, &report);
    }
    r->status = r->status == rsl_ok && sweep->failed ? rsl_outOfMemory : r->status;
    const char* error = cliReport_FirstError(&report);
    snprintf(r->message, sizeof r->message, "%s", error != NULL ? error : rslStatus_Name(r->status));
    r->seconds = cliClock() - begun;
}

bool cliSweep_IsRunColumn(const rslScene* scene, const char* name)
{
    for (int i = 0; i < scene->output.probeCount; ++i)
    {
        size_t length = strlen(scene->output.probes[i].name);
        if (strncmp(name, scene->output.probes[i].name, length) == 0 && name[length] == ' ')
        {
            return true;
        }
    }
    static const char* const others[] = { "reaction ", "node count", "spring count", "area" };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
    {
        if (strncmp(name, others[i], strlen(others[i])) == 0)
        {
            return true;
        }
    }
    for (int i = 0; i < CLI_ENERGY_COLUMNS; ++i)
    {
        const char* column = cliEnergy_Name(NULL, i);
        size_t length = strcspn(column, "[") - 1;
        if (strncmp(name, column, length) == 0 && (name[length] == 0 || name[length] == ' '))
        {
            return true;
        }
    }
    return false;
}
