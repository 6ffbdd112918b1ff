// SPDX-License-Identifier: MIT
//
// sweep_write.c: a sweep as CSV, plot, JSON and table.

#include "csv.h"
#include "json.h"
#include "number.h"
#include "plot.h"
#include "sweep.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ChosenCount(const cliSweep* sweep, const cliChosen* chosen)
{
    return chosen->count >= 0 ? chosen->count : sweep->columnCount;
}

static int ChosenAt(const cliChosen* chosen, int i)
{
    return chosen->count >= 0 ? chosen->list[i] : i;
}

static const char* ValueText(const cliSweep* sweep, int row, int swept)
{
    return sweep->swept[swept].texts[cliSweep_Choice(sweep, row, swept)];
}

// ---- CSV ------------------------------------------------------------------------------------------------------------

typedef struct Table
{
    const cliSweep* sweep;
    const cliChosen* chosen;
} Table;

static rslStatus PutCsv(FILE* file, const void* context, rslReport* report)
{
    const Table* table = context;
    const cliSweep* sweep = table->sweep;
    const cliChosen* chosen = table->chosen;
    (void)report;
    for (int i = 0; i < sweep->sweptCount; ++i)
    {
        cliCsv_PutText(file, sweep->swept[i].key);
        fputc(',', file);
    }
    for (int i = 0; i < ChosenCount(sweep, chosen); ++i)
    {
        cliCsv_PutText(file, sweep->columns[ChosenAt(chosen, i)]);
        fputc(',', file);
    }
    fputs("status,seconds\n", file);
    for (int row = 0; row < sweep->doneCount; ++row)
    {
        for (int i = 0; i < sweep->sweptCount; ++i)
        {
            cliCsv_PutText(file, ValueText(sweep, row, i));
            fputc(',', file);
        }
        for (int i = 0; i < ChosenCount(sweep, chosen); ++i)
        {
            double value = cliSweep_Get(sweep, row, ChosenAt(chosen, i));
            fprintf(file, "%s,", isnan(value) ? "" : cliShortest(value).text);
        }
        fprintf(file, "%s,%.3f\n", rslStatus_Name(sweep->rows[row].status), sweep->rows[row].seconds);
    }
    return rsl_ok;
}

rslStatus cliSweep_WriteCsv(const cliSweep* sweep, const cliChosen* chosen, const char* path, rslReport* report)
{
    return cliFile_Compose(path, PutCsv, &(Table){ sweep, chosen }, report);
}

// ---- plot -----------------------------------------------------------------------------------------------------------

enum
{
    MOST_PANELS = 8,
    COLOURS = 5,
};

// Lowest and highest value of a column; false when it has fewer than two or they are all the same.
static bool Varies(const cliSweep* sweep, int column, double* low, double* high)
{
    *low = INFINITY;
    *high = -INFINITY;
    int count = 0;
    for (int row = 0; row < sweep->doneCount; ++row)
    {
        double value = cliSweep_Get(sweep, row, column);
        *low = isfinite(value) ? fmin(*low, value) : *low;
        *high = isfinite(value) ? fmax(*high, value) : *high;
        count += isfinite(value);
    }
    return count > 1 && *high - *low > 1e-9 * fmax(fabs(*low), fabs(*high));
}

// The key, and what the numbers on the axis stand for when the values are words.
static void AxisLabel(const cliSwept* swept, char* label, size_t capacity)
{
    snprintf(label, capacity, "%s", swept->key);
    for (int i = 0; !swept->numeric && i < swept->count; ++i)
    {
        size_t used = strlen(label);
        snprintf(label + used, capacity - used, "%s %d %s", i == 0 ? ":" : ",", i, swept->texts[i]);
    }
}

static double AxisValue(const cliSwept* swept, int choice)
{
    return swept->numeric ? swept->numbers[choice] : choice;
}

// One curve for every choice of the other keys; the first one is the axis.
static void AddCurves(const cliSweep* sweep, cliPanel* panel, int column)
{
    int along = sweep->swept[0].count;
    int curves = sweep->zip ? 1 : sweep->rowCount / along;
    for (int c = 0; c < curves; ++c)
    {
        char name[160] = "";
        for (int i = 1; i < sweep->sweptCount && !sweep->zip; ++i)
        {
            const char* key = strrchr(sweep->swept[i].key, '.');
            size_t used = strlen(name);
            snprintf(name + used, sizeof name - used, "%s%s = %s", i > 1 ? ", " : "",
                     key != NULL ? key + 1 : sweep->swept[i].key, ValueText(sweep, c, i));
        }
        cliStyle style = cliStyle_Ours(1 + c % COLOURS);
        style.dashed = c >= COLOURS;
        cliCurve* curve = cliPanel_AddCurve(panel, name, style);
        for (int i = 0; i < along; ++i)
        {
            int row = sweep->zip ? i : i * curves + c;
            double value = row < sweep->doneCount ? cliSweep_Get(sweep, row, column) : NAN;
            cliCurve_Add(curve, AxisValue(&sweep->swept[0], i), value);
        }
    }
}

rslStatus cliSweep_WritePlot(const cliSweep* sweep, const cliChosen* chosen, const char* title, const char* path,
                             rslReport* report)
{
    cliPlot* plot = cliPlot_New(title);
    char label[160];
    AxisLabel(&sweep->swept[0], label, sizeof label);
    int panels = 0;
    for (int i = 0; i < ChosenCount(sweep, chosen) && panels < MOST_PANELS; ++i)
    {
        double low, high;
        int column = ChosenAt(chosen, i);
        if (Varies(sweep, column, &low, &high) || chosen->count >= 0)
        {
            cliPanel* panel = cliPlot_AddPanel(plot, "", label, sweep->columns[column]);
            bool log = sweep->swept[0].log && sweep->swept[0].numeric && sweep->swept[0].numbers[0] > 0;
            cliPanel_SetLog(panel, log, log && low > 0 && high >= 20 * low);
            AddCurves(sweep, panel, column);
            panels += 1;
        }
    }
    rslStatus status = cliPlot_WriteFile(plot, path, report);
    cliPlot_Free(plot);
    return status;
}

// ---- JSON, table ----------------------------------------------------------------------------------------------------

void cliSweep_Json(const cliSweep* sweep, const cliChosen* chosen, FILE* file)
{
    cliJson json = { .file = file };
    cliJson_BeginList(&json, NULL);
    for (int row = 0; row < sweep->doneCount; ++row)
    {
        const cliSweepRow* r = &sweep->rows[row];
        cliJson_Begin(&json, NULL);
        cliJson_Begin(&json, "set");
        for (int i = 0; i < sweep->sweptCount; ++i)
        {
            cliJson_Text(&json, sweep->swept[i].key, ValueText(sweep, row, i));
        }
        cliJson_End(&json);
        cliJson_Begin(&json, "columns");
        for (int i = 0; i < ChosenCount(sweep, chosen); ++i)
        {
            cliJson_Number(&json, sweep->columns[ChosenAt(chosen, i)], cliSweep_Get(sweep, row, ChosenAt(chosen, i)));
        }
        cliJson_End(&json);
        cliJson_Text(&json, "status", rslStatus_Name(r->status));
        cliJson_Text(&json, "message", r->status != rsl_ok ? r->message : NULL);
        cliJson_Number(&json, "seconds", r->seconds);
        cliJson_End(&json);
    }
    cliJson_End(&json);
}

void cliSweep_Print(const cliSweep* sweep, const cliChosen* chosen)
{
    int shown = ChosenCount(sweep, chosen);
    shown = shown > MOST_PANELS && chosen->count < 0 ? MOST_PANELS : shown;  // the file has all of them
    cliTable table = { .columns = sweep->sweptCount + shown + 2 };
    for (int i = 0; i < sweep->sweptCount; ++i)
    {
        cliTable_Add(&table, "%s", sweep->swept[i].key);
    }
    for (int i = 0; i < shown; ++i)
    {
        cliTable_Add(&table, "%s", sweep->columns[ChosenAt(chosen, i)]);
    }
    cliTable_Add(&table, "status");
    cliTable_Add(&table, "seconds");
    for (int row = 0; row < sweep->doneCount; ++row)
    {
        for (int i = 0; i < sweep->sweptCount; ++i)
        {
            cliTable_Add(&table, "%s", ValueText(sweep, row, i));
        }
        for (int i = 0; i < shown; ++i)
        {
            double value = cliSweep_Get(sweep, row, ChosenAt(chosen, i));
            cliTable_Add(&table, isnan(value) ? "-" : "%.6g", value);
        }
        cliTable_Add(&table, "%s", rslStatus_Name(sweep->rows[row].status));
        cliTable_Add(&table, "%.2f", sweep->rows[row].seconds);
    }
    cliTable_Print(&table);
    cliTable_Free(&table);
}
