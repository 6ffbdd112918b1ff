// SPDX-License-Identifier: MIT
//
// compare_write.c: what came out of a comparison as tables for people, CSV and JSON.

#include "compare.h"
#include "csv.h"
#include "json.h"
#include "number.h"
#include "table.h"

#include <math.h>

// ---- the figures ----------------------------------------------------------------------------------------------------

// Of one contender; not known: NaN. Errors are over the largest |u| of the reference.
enum
{
    ERROR_MEAN,
    ERROR_RMS,
    ERROR_MAX,
    WORST_MEAN,
    WORST_RMS,
    WORST_MAX,
    POINTS,
    INTERPOLATED,
    NODES,
    SPRINGS,
    ELEMENTS,
    BYTES,
    BUILD_SECONDS,
    STABLE_STEP,
    STEP_SECONDS,
    SOLVE_SECONDS,
    NEWTON_STEPS,
    ITERATIONS,
    FIGURES
};

static const char* const keys[FIGURES] = {
    "error_mean",    "error_rms",    "error_max",    "worst_mean",    "worst_rms",    "worst_max",
    "points",        "interpolated", "nodes",        "springs",       "elements",     "bytes",
    "build_seconds", "stable_step",  "step_seconds", "solve_seconds", "newton_steps", "iterations",
};

static void FillErrors(const cliCompare* compare, int index, double figures[FIGURES])
{
    double scale = compare->largest > 0 ? 1 / compare->largest : 0;
    cliErrors last = { NAN, NAN, NAN }, worst = { 0 };
    for (int f = 0; f < compare->frames; ++f)
    {
        last = compare->errors[(size_t)f * (size_t)compare->count + (size_t)index];
        worst = (cliErrors){ fmax(worst.mean, last.mean), fmax(worst.rms, last.rms), fmax(worst.max, last.max) };
    }
    bool known = !isnan(last.mean);
    figures[ERROR_MEAN] = scale * last.mean;
    figures[ERROR_RMS] = scale * last.rms;
    figures[ERROR_MAX] = scale * last.max;
    figures[WORST_MEAN] = known ? scale * worst.mean : NAN;
    figures[WORST_RMS] = known ? scale * worst.rms : NAN;
    figures[WORST_MAX] = known ? scale * worst.max : NAN;
}

static void Fill(const cliCompare* compare, int index, double figures[FIGURES])
{
    const cliContender* c = &compare->list[index];
    const rslModel* model = c->loaded.model;
    bool rest = cliCompare_IsStatic(compare);
    for (int i = 0; i < FIGURES; ++i)
    {
        figures[i] = NAN;
    }
    FillErrors(compare, index, figures);
    if (model != NULL && c->loaded.solver != NULL)
    {
        figures[NODES] = model->nodeCount;
        figures[SPRINGS] = (double)c->springs;
        figures[ELEMENTS] = (double)model->elementCount;
        figures[BYTES] = (double)model->bytes + (double)rslSolver_Bytes(c->loaded.solver);
        figures[BUILD_SECONDS] = model->buildSeconds;
        figures[STABLE_STEP] = c->stableStep > 0 ? c->stableStep : NAN;
        figures[STEP_SECONDS] = c->stepSeconds > 0 ? c->stepSeconds : NAN;
    }
    if (c->status == rsl_ok)
    {
        figures[POINTS] = c->points;
        figures[INTERPOLATED] = c->interpolated;
        figures[SOLVE_SECONDS] = rest ? c->solveSeconds : NAN;
        figures[NEWTON_STEPS] = rest ? (double)c->newtonSteps : (double)NAN;
        figures[ITERATIONS] = rest ? (double)c->iterations : (double)NAN;
    }
}

static double FrequencyOf(const cliContender* c, int mode)
{
    return mode < c->frequencyCount ? c->frequencies[mode] : NAN;
}

// ---- for people -----------------------------------------------------------------------------------------------------

static void AddPercent(cliTable* table, double part)
{
    if (isnan(part))
    {
        cliTable_Add(table, "-");
    }
    else
    {
        cliTable_Add(table, "%.3g %%", 100 * part);
    }
}

static void AddText(cliTable* table, bool known, cliText text)
{
    cliTable_Add(table, "%s", known ? text.text : "-");
}

static void AddCount(cliTable* table, double count, bool shown)
{
    cliTable_Add(table, "%s", shown ? cliCount((uint64_t)count).text : "-");
}

// A frequency, and how far it is from that of the reference.
static void AddFrequency(cliTable* table, double f, double wanted, bool reference)
{
    if (isnan(f))
    {
        cliTable_Add(table, "-");
    }
    else if (reference || !(wanted > 0))
    {
        cliTable_Add(table, "%.5g", f);
    }
    else
    {
        cliTable_Add(table, "%.5g (%+.2f %%)", f, 100 * (f / wanted - 1));
    }
}

static void PrintErrors(const cliCompare* compare)
{
    static const char* const head[] = { "mean", "rms", "max", "worst mean", "worst rms", "worst max" };
    int errors = cliCompare_IsStatic(compare) ? 3 : 6;
    cliTable table = { .columns = 1 + errors + compare->modes };
    cliTable_Add(&table, "model");
    for (int i = 0; i < errors; ++i)
    {
        cliTable_Add(&table, "%s", head[i]);
    }
    for (int m = 0; m < compare->modes; ++m)
    {
        cliTable_Add(&table, "f%d [Hz]", m + 1);
    }
    for (int i = 0; i < compare->count; ++i)
    {
        double figures[FIGURES];
        Fill(compare, i, figures);
        cliTable_Add(&table, "%s", compare->list[i].name);
        for (int e = 0; e < errors; ++e)
        {
            AddPercent(&table, figures[e]);
        }
        for (int m = 0; m < compare->modes; ++m)
        {
            AddFrequency(&table, FrequencyOf(&compare->list[i], m), FrequencyOf(&compare->list[compare->reference], m),
                         i == compare->reference);
        }
    }
    cliTable_Print(&table);
    cliTable_Free(&table);
}

static void PrintCosts(const cliCompare* compare)
{
    static const char* const head[] = { "model",       "nodes",       "springs",      "elements",  "memory",
                                        "stable step", "time a step", "time to rest", "iterations" };
    bool rest = cliCompare_IsStatic(compare);
    cliTable table = { .columns = rest ? 9 : 7 };
    for (int i = 0; i < table.columns; ++i)
    {
        cliTable_Add(&table, "%s", head[i]);
    }
    for (int i = 0; i < compare->count; ++i)
    {
        double f[FIGURES];
        Fill(compare, i, f);
        cliTable_Add(&table, "%s", compare->list[i].name);
        AddCount(&table, f[NODES], f[NODES] > 0);
        AddCount(&table, f[SPRINGS], f[SPRINGS] > 0);
        AddCount(&table, f[ELEMENTS], f[ELEMENTS] > 0);
        AddText(&table, f[BYTES] > 0, cliBytes(f[BYTES]));
        AddText(&table, f[STABLE_STEP] > 0, cliSi(f[STABLE_STEP], "s"));
        AddText(&table, f[STEP_SECONDS] > 0, cliSi(f[STEP_SECONDS], "s"));
        if (rest)
        {
            AddText(&table, f[SOLVE_SECONDS] > 0, cliSi(f[SOLVE_SECONDS], "s"));
            AddCount(&table, f[ITERATIONS], f[ITERATIONS] >= 0);
        }
    }
    cliTable_Print(&table);
    cliTable_Free(&table);
}

void cliCompare_Print(const cliCompare* compare)
{
    const cliContender* reference = &compare->list[compare->reference];
    double end = compare->frames > 0 ? compare->times[compare->frames - 1] : 0;
    printf("displacement at t = %s, compared with %s, over its largest, %s\n", cliSi(end, "s").text, reference->name,
           cliSi(compare->largest, "m").text);
    PrintErrors(compare);
    putchar('\n');
    PrintCosts(compare);
    for (int i = 0; i < compare->count; ++i)
    {
        const cliContender* c = &compare->list[i];
        if (c->status != rsl_ok)
        {
            printf("\n%s: %s: %s\n", c->name, rslStatus_Name(c->status), c->message);
        }
        else if (c->points < reference->points || c->interpolated > 0)
        {
            printf("\n%s: compared at %s of %s nodes, at %s of them between nodes of its own\n", c->name,
                   cliCount((uint64_t)c->points).text, cliCount((uint64_t)reference->points).text,
                   cliCount((uint64_t)c->interpolated).text);
        }
    }
}

// ---- JSON -----------------------------------------------------------------------------------------------------------

static bool IsCount(int figure)
{
    return (figure >= POINTS && figure <= BYTES) || figure == NEWTON_STEPS || figure == ITERATIONS;
}

static void PutContender(const cliCompare* compare, int index, cliJson* json)
{
    const cliContender* c = &compare->list[index];
    double figures[FIGURES];
    Fill(compare, index, figures);
    cliJson_Begin(json, NULL);
    cliJson_Text(json, "model", c->name);
    cliJson_Text(json, "status", rslStatus_Name(c->status));
    cliJson_Text(json, "message", c->status != rsl_ok ? c->message : NULL);
    for (int i = 0; i < FIGURES; ++i)
    {
        if (IsCount(i) && figures[i] >= 0)
        {
            cliJson_Count(json, keys[i], (uint64_t)figures[i]);
        }
        else
        {
            cliJson_Number(json, keys[i], figures[i]);
        }
    }
    cliJson_BeginList(json, "frequencies");
    for (int m = 0; m < compare->modes; ++m)
    {
        cliJson_Number(json, NULL, FrequencyOf(c, m));
    }
    cliJson_End(json);
    cliJson_End(json);
}

void cliCompare_Json(const cliCompare* compare, rslStatus status, const rslReport* report, FILE* file)
{
    cliJson json = { .file = file };
    cliJson_Begin(&json, NULL);
    cliJson_Text(&json, "status", rslStatus_Name(status));
    cliJson_Text(&json, "scene", compare->path);
    cliJson_Text(&json, "reference", compare->count > 0 ? compare->list[compare->reference].name : NULL);
    cliJson_Number(&json, "time", compare->frames > 0 ? compare->times[compare->frames - 1] : NAN);
    cliJson_Number(&json, "largest", compare->largest);
    cliJson_Count(&json, "frames", (uint64_t)compare->frames);
    cliJson_BeginList(&json, "models");
    for (int i = 0; i < compare->count; ++i)
    {
        PutContender(compare, i, &json);
    }
    cliJson_End(&json);
    cliJson_Messages(&json, "messages", report);
    cliJson_End(&json);
}

// ---- files ----------------------------------------------------------------------------------------------------------

static void PutNumber(FILE* file, double value)
{
    fprintf(file, ",%s", isfinite(value) ? cliShortest(value).text : "");
}

static rslStatus PutModels(FILE* file, const void* context, rslReport* report)
{
    const cliCompare* compare = context;
    (void)report;
    fputs("model,status,message", file);
    for (int i = 0; i < FIGURES; ++i)
    {
        fprintf(file, ",%s", keys[i]);
    }
    for (int m = 0; m < compare->modes; ++m)
    {
        fprintf(file, ",f%d", m + 1);
    }
    for (int i = 0; i < compare->count; ++i)
    {
        const cliContender* c = &compare->list[i];
        double figures[FIGURES];
        Fill(compare, i, figures);
        fprintf(file, "\n%s,%s,", c->name, rslStatus_Name(c->status));
        cliCsv_PutText(file, c->message);
        for (int k = 0; k < FIGURES; ++k)
        {
            PutNumber(file, figures[k]);
        }
        for (int m = 0; m < compare->modes; ++m)
        {
            PutNumber(file, FrequencyOf(c, m));
        }
    }
    fputc('\n', file);
    return rsl_ok;
}

static rslStatus PutFrames(FILE* file, const void* context, rslReport* report)
{
    const cliCompare* compare = context;
    double scale = compare->largest > 0 ? 1 / compare->largest : 0;
    (void)report;
    fputs("frame,time [s]", file);
    for (int i = 0; i < compare->count; ++i)
    {
        const char* name = compare->list[i].name;
        fprintf(file, ",%s mean,%s rms,%s max", name, name, name);
    }
    for (int f = 0; f < compare->frames; ++f)
    {
        fprintf(file, "\n%d,%s", f, cliShortest(compare->times[f]).text);
        for (int i = 0; i < compare->count; ++i)
        {
            const cliErrors* e = &compare->errors[(size_t)f * (size_t)compare->count + (size_t)i];
            PutNumber(file, scale * e->mean);
            PutNumber(file, scale * e->rms);
            PutNumber(file, scale * e->max);
        }
    }
    fputc('\n', file);
    return rsl_ok;
}

rslStatus cliCompare_WriteTables(const cliCompare* compare, rslReport* report)
{
    const char* directory = compare->directory.text;
    rslStatus status = cliFile_Compose(cliPath_Join(directory, "compare.csv").text, PutModels, compare, report);
    return status == rsl_ok ? cliFile_Compose(cliPath_Join(directory, "errors.csv").text, PutFrames, compare, report)
                            : status;
}
