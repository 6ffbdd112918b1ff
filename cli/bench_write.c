// SPDX-License-Identifier: MIT
//
// bench_write.c: what `resilin bench` found, as a table, CSV, Markdown, JSON and a plot.

#include "bench.h"
#include "csv.h"
#include "json.h"
#include "number.h"
#include "plot.h"

#include <math.h>
#include <string.h>

static const char* PrecisionWord(rslPrecision precision)
{
    return precision == rsl_single ? "single" : "double";
}

// "lattice-50", "drop, implicit"
static cliText SceneText(const cliBenchRow* row)
{
    cliText text;
    snprintf(text.text, sizeof text.text, "%s%s%s", row->scene->name, row->variant[0] != 0 ? ", " : "", row->variant);
    return text;
}

// Four digits of a value over a unit; "-" where there is none.
static cliText Figure(double value, double unit)
{
    return cliFigure(value / unit);
}

static cliText Percent(double share)
{
    cliText text = { "-" };
    if (isfinite(share))
    {
        snprintf(text.text, sizeof text.text, "%.1f %%", 100.0 * share);
    }
    return text;
}

static cliText StepTime(double seconds)
{
    return cliSi(seconds, "s");
}

// ---- for people -----------------------------------------------------------------------------------------------------

static const char rowFormat[] = "  %-21s %-8s %-6s %4s %10s %10s %10s %8s %8s %9s %8s %8s\n";

void cliBench_PrintHead(const cliBench* bench)
{
    printf("resilin %s, %s, %s, %s vectors; best of %d turns\n\n", rslVersion(), bench->machine, bench->compiler,
           bench->vectors, bench->turns);
    printf(rowFormat, "scene", "who", "real", "thr", "step", "Mnode/s", "Mspring/s", "GB/s", "of mem", "GFLOP/s",
           "of peak", "B/node");
}

void cliBench_PrintRow(const cliBench* bench, const cliBenchRow* row)
{
    char threads[16];
    snprintf(threads, sizeof threads, "%d", row->threads);
    if (!isfinite(row->best))
    {
        printf("  %-21s %-8s %-6s %4s %s\n", SceneText(row).text, row->who, PrecisionWord(row->precision), threads,
               row->note);
        return;
    }
    cliBenchFigures f = cliBenchRow_Figures(row, &bench->ceilings);
    printf(rowFormat, SceneText(row).text, row->who, PrecisionWord(row->precision), threads, StepTime(row->best).text,
           Figure(f.nodeRate, 1e6).text, Figure(f.springRate, 1e6).text, Figure(f.bytes, 1e9).text,
           Percent(f.bytesShare).text, Figure(f.operations, 1e9).text, Percent(f.operationsShare).text,
           row->solverBytes > 0.0 ? Figure(round(row->solverBytes), 1.0).text : "-");
    fflush(stdout);
}

// One line of the ceilings.
typedef struct Ceiling
{
    const char* key;
    const char* what;
    double one, many;
} Ceiling;

enum
{
    CEILINGS = 9
};

static void ListCeilings(const cliCeilings* c, Ceiling list[CEILINGS])
{
    const cliCeiling *a = &c->sides[CLI_CEILING_ONE], *b = &c->sides[CLI_CEILING_MANY];
    const Ceiling all[CEILINGS] = {
        { "memory", "memory, triad, GB/s", a->memory, b->memory },
        { "memory_ordinary", "memory, triad with ordinary stores, GB/s", a->ordinary, b->ordinary },
        { "memory_read", "memory, reading alone, GB/s", a->read, b->read },
        { "level_2", "level 2 cache, triad, GB/s", a->cache[0], b->cache[0] },
        { "level_3", "level 3 cache, triad, GB/s", a->cache[1], b->cache[1] },
        { "fused_single", "fused multiply-add, single, GFLOP/s", a->fused[0], b->fused[0] },
        { "fused_double", "fused multiply-add, double, GFLOP/s", a->fused[1], b->fused[1] },
        { "separate_single", "multiply and add apart, single, GFLOP/s", a->separate[0], b->separate[0] },
        { "separate_double", "multiply and add apart, double, GFLOP/s", a->separate[1], b->separate[1] },
    };
    memcpy(list, all, sizeof all);
}

void cliBench_PrintCeilings(const cliBench* bench)
{
    Ceiling list[CEILINGS];
    ListCeilings(&bench->ceilings, list);
    printf("\n  %-44s %10s %7d threads\n", "ceilings of this machine, in this run", "1 thread",
           bench->ceilings.threads);
    for (int i = 0; i < CEILINGS; ++i)
    {
        printf("  %-44s %10.1f %10.1f\n", list[i].what, list[i].one, list[i].many);
    }
}

void cliBench_PrintRatios(const cliBench* bench)
{
    printf(bench->ratioCount > 0 ? "\n  ratios within this run\n" : "");
    for (int i = 0; i < bench->ratioCount; ++i)
    {
        const cliBenchRatio* ratio = &bench->ratios[i];
        printf("  %-16s %10.4g  %s\n", ratio->scene, ratio->value, ratio->what);
    }
}

// ---- CSV ------------------------------------------------------------------------------------------------------------

static const char columns[] =
    "scene,variant,who,precision,threads,nodes,springs,steps,turns,step [s],node-steps/s,spring updates/s,GB/s,"
    "share of memory,GFLOP/s,share of half the peak,bytes/node,model bytes/node,peak [B],simulated [s],real "
    "time,iterations,parts,touches,"
    "setup [s],force difference,line trip [s],note\n";

static void PutNumber(FILE* file, double value)
{
    fprintf(file, ",%s", isfinite(value) ? cliShortest(value).text : "");
}

static void PutRow(FILE* file, const cliBench* bench, const cliBenchRow* row)
{
    cliBenchFigures f = cliBenchRow_Figures(row, &bench->ceilings);
    fprintf(file, "%s,%s,%s,%s,%d,%lld,%lld,%lld,%d", row->scene->name, row->variant, row->who,
            PrecisionWord(row->precision), row->threads, (long long)row->nodes, (long long)row->springs,
            (long long)row->steps, row->turns);
    const double numbers[] = {
        row->best,
        f.nodeRate,
        f.springRate,
        1e-9 * f.bytes,
        f.bytesShare,
        1e-9 * f.operations,
        f.operationsShare,
        row->solverBytes > 0.0 ? row->solverBytes : NAN,
        row->modelBytes > 0.0 ? row->modelBytes : NAN,
        row->peakBytes > 0.0 ? row->peakBytes : NAN,
        row->simulated > 0.0 ? row->simulated : NAN,
        f.realtime,
        row->iterations > 0.0 ? row->iterations : NAN,
        row->parts > 0.0 ? row->parts : NAN,
        row->touches,
        row->setup,
        row->difference,
        row->trip,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
    {
        PutNumber(file, numbers[i]);
    }
    fputc(',', file);
    cliCsv_PutText(file, row->note);
    fputc('\n', file);
}

static rslStatus PutCsv(FILE* file, const void* context, rslReport* report)
{
    const cliBench* bench = context;
    (void)report;
    fputs(columns, file);
    for (int i = 0; i < bench->rowCount; ++i)
    {
        PutRow(file, bench, &bench->rows[i]);
    }
    return rsl_ok;
}

static rslStatus PutRatios(FILE* file, const void* context, rslReport* report)
{
    const cliBench* bench = context;
    (void)report;
    fputs("scene,what,value\n", file);
    for (int i = 0; i < bench->ratioCount; ++i)
    {
        fprintf(file, "%s,", bench->ratios[i].scene);
        cliCsv_PutText(file, bench->ratios[i].what);
        fprintf(file, ",%s\n", cliShortest(bench->ratios[i].value).text);
    }
    return rsl_ok;
}

static rslStatus PutCeilings(FILE* file, const void* context, rslReport* report)
{
    const cliBench* bench = context;
    Ceiling list[CEILINGS];
    (void)report;
    ListCeilings(&bench->ceilings, list);
    fprintf(file, "what,1 thread,%d threads\n", bench->ceilings.threads);
    for (int i = 0; i < CEILINGS; ++i)
    {
        cliCsv_PutText(file, list[i].what);
        fprintf(file, ",%.1f,%.1f\n", list[i].one, list[i].many);
    }
    return rsl_ok;
}

// ---- Markdown -------------------------------------------------------------------------------------------------------

static void PutMarkdownRow(FILE* file, const cliBench* bench, const cliBenchRow* row)
{
    if (!isfinite(row->best))
    {
        return;
    }
    cliBenchFigures f = cliBenchRow_Figures(row, &bench->ceilings);
    fprintf(file, "| %s | %s | %s | %d | %lld | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", SceneText(row).text,
            row->who, PrecisionWord(row->precision), row->threads, (long long)row->nodes, StepTime(row->best).text,
            Figure(f.nodeRate, 1e6).text, Figure(f.springRate, 1e6).text, Figure(f.bytes, 1e9).text,
            Percent(f.bytesShare).text, Figure(f.operations, 1e9).text, Percent(f.operationsShare).text,
            row->solverBytes > 0.0 ? Figure(round(row->solverBytes), 1.0).text : "-",
            isfinite(row->trip) ? StepTime(row->trip).text : "-");
}

static rslStatus PutMarkdown(FILE* file, const void* context, rslReport* report)
{
    const cliBench* bench = context;
    Ceiling list[CEILINGS];
    (void)report;
    ListCeilings(&bench->ceilings, list);
    fprintf(file,
            "# %s\n\nresilin %s, %s, %s vectors; best of %d turns. What the columns mean: docs/performance.md.\n\n",
            bench->machine, rslVersion(), bench->compiler, bench->vectors, bench->turns);
    fprintf(file, "| ceiling | 1 thread | %d threads |\n|---|---|---|\n", bench->ceilings.threads);
    for (int i = 0; i < CEILINGS; ++i)
    {
        fprintf(file, "| %s | %.1f | %.1f |\n", list[i].what, list[i].one, list[i].many);
    }
    fputs("\n| scene | who | precision | threads | nodes | step | Mnode/s | Mspring/s | GB/s | of memory | GFLOP/s | "
          "of half "
          "the peak | bytes/node | trip |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
          file);
    for (int i = 0; i < bench->rowCount; ++i)
    {
        PutMarkdownRow(file, bench, &bench->rows[i]);
    }
    fputs("\n| scene | ratio | |\n|---|---|---|\n", file);
    for (int i = 0; i < bench->ratioCount; ++i)
    {
        fprintf(file, "| %s | %.4g | %s |\n", bench->ratios[i].scene, bench->ratios[i].value, bench->ratios[i].what);
    }
    return rsl_ok;
}

// ---- JSON -----------------------------------------------------------------------------------------------------------

static void PutJsonRow(cliJson* json, const cliBench* bench, const cliBenchRow* row)
{
    cliBenchFigures f = cliBenchRow_Figures(row, &bench->ceilings);
    cliJson_Begin(json, NULL);
    cliJson_Text(json, "scene", row->scene->name);
    cliJson_Text(json, "variant", row->variant);
    cliJson_Text(json, "who", row->who);
    cliJson_Text(json, "precision", PrecisionWord(row->precision));
    cliJson_Count(json, "threads", (uint64_t)row->threads);
    cliJson_Count(json, "nodes", (uint64_t)row->nodes);
    cliJson_Count(json, "springs", (uint64_t)row->springs);
    cliJson_Count(json, "steps", (uint64_t)row->steps);
    cliJson_Count(json, "turns", (uint64_t)row->turns);
    cliJson_Number(json, "step_seconds", row->best);
    cliJson_Number(json, "node_steps_per_second", f.nodeRate);
    cliJson_Number(json, "spring_updates_per_second", f.springRate);
    cliJson_Number(json, "bytes_per_second", f.bytes);
    cliJson_Number(json, "share_of_memory", f.bytesShare);
    cliJson_Number(json, "operations_per_second", f.operations);
    cliJson_Number(json, "share_of_half_peak", f.operationsShare);
    cliJson_Number(json, "bytes_per_node", row->solverBytes > 0.0 ? row->solverBytes : NAN);
    cliJson_Number(json, "model_bytes_per_node", row->modelBytes > 0.0 ? row->modelBytes : NAN);
    cliJson_Number(json, "peak_bytes", row->peakBytes > 0.0 ? row->peakBytes : NAN);
    cliJson_Number(json, "real_time", f.realtime);
    cliJson_Number(json, "iterations", row->iterations);
    cliJson_Number(json, "parts", row->parts > 0.0 ? row->parts : NAN);
    cliJson_Count(json, "touches", (uint64_t)row->touches);
    cliJson_Number(json, "setup_seconds", row->setup);
    cliJson_Number(json, "force_difference", row->difference);
    cliJson_Number(json, "line_trip_seconds", row->trip);
    cliJson_Text(json, "note", row->note[0] != 0 ? row->note : NULL);
    cliJson_End(json);
}

static void PutJsonCeilings(cliJson* json, const cliCeilings* ceilings)
{
    Ceiling list[CEILINGS];
    ListCeilings(ceilings, list);
    cliJson_Begin(json, "ceilings");
    cliJson_Count(json, "threads", (uint64_t)ceilings->threads);
    for (int i = 0; i < CEILINGS; ++i)
    {
        cliJson_BeginList(json, list[i].key);
        cliJson_Number(json, NULL, list[i].one);
        cliJson_Number(json, NULL, list[i].many);
        cliJson_End(json);
    }
    cliJson_End(json);
}

void cliBench_Json(const cliBench* bench, FILE* file)
{
    cliJson json = { .file = file };
    cliJson_Begin(&json, NULL);
    cliJson_Text(&json, "version", rslVersion());
    cliJson_Text(&json, "machine", bench->machine);
    cliJson_Text(&json, "compiler", bench->compiler);
    cliJson_Text(&json, "vectors", bench->vectors);
    cliJson_Count(&json, "turns", (uint64_t)bench->turns);
    cliJson_Number(&json, "seconds", bench->seconds);
    PutJsonCeilings(&json, &bench->ceilings);
    cliJson_BeginList(&json, "rows");
    for (int i = 0; i < bench->rowCount; ++i)
    {
        PutJsonRow(&json, bench, &bench->rows[i]);
    }
    cliJson_End(&json);
    cliJson_BeginList(&json, "ratios");
    for (int i = 0; i < bench->ratioCount; ++i)
    {
        cliJson_Begin(&json, NULL);
        cliJson_Text(&json, "scene", bench->ratios[i].scene);
        cliJson_Text(&json, "what", bench->ratios[i].what);
        cliJson_Number(&json, "value", bench->ratios[i].value);
        cliJson_End(&json);
    }
    cliJson_End(&json);
    cliJson_End(&json);
}

// ---- plot -----------------------------------------------------------------------------------------------------------

// The racers of a panel: which rows are a curve of it.
typedef struct Line
{
    const char* name;
    const char* who;
    cliBenchKind kind;
    rslPrecision precision;
    bool many;  // as many threads as asked for; else one
} Line;

static const Line lines[] = {
    { "lattice, single", "resilin", cli_latticeKind, rsl_single, true },
    { "lattice, double", "resilin", cli_latticeKind, rsl_double, true },
    { "network, single", "resilin", cli_networkKind, rsl_single, true },
    { "network, double", "resilin", cli_networkKind, rsl_double, true },
    { "LAMMPS", "LAMMPS", cli_networkKind, rsl_double, true },
    { "plain C, single", "plain C", cli_networkKind, rsl_single, false },
    { "Bullet, links alone", "Bullet", cli_networkKind, rsl_single, false },
};

static bool IsOf(const cliBench* bench, const cliBenchRow* row, const Line* line)
{
    int threads = line->many ? bench->ceilings.threads : 1;
    return row->scene->kind == line->kind && row->precision == line->precision && row->threads == threads &&
           strcmp(row->who, line->who) == 0 && isfinite(row->best);
}

static void AddSizes(const cliBench* bench, cliPlot* plot)
{
    cliPanel* panel = cliPlot_AddPanel(plot, "springs between nodes", "nodes", "spring updates a second");
    cliPanel_SetLog(panel, true, true);
    for (size_t l = 0; l < sizeof lines / sizeof lines[0]; ++l)
    {
        cliCurve* curve = NULL;
        for (int i = 0; i < bench->rowCount; ++i)
        {
            const cliBenchRow* row = &bench->rows[i];
            if (IsOf(bench, row, &lines[l]))
            {
                curve =
                    curve != NULL ? curve : cliPanel_AddCurve(panel, lines[l].name, cliStyle_Ours(1 + (int)(l % 6)));
                cliCurve_Add(curve, (double)row->nodes, (double)row->springs / row->best);
            }
        }
    }
}

// Every row of ours as a point, by precision.
static void AddScenes(const cliBench* bench, cliPlot* plot)
{
    cliPanel* panel = cliPlot_AddPanel(plot, "all scenes, all threads", "nodes", "node-steps a second");
    cliPanel_SetLog(panel, true, true);
    for (int side = 0; side < 2; ++side)
    {
        rslPrecision precision = side == 0 ? rsl_single : rsl_double;
        cliStyle style = { .colour = 1 + side, .mark = side == 0 ? cli_circleMark : cli_squareMark };
        cliCurve* curve = cliPanel_AddCurve(panel, PrecisionWord(precision), style);
        for (int i = 0; i < bench->rowCount; ++i)
        {
            const cliBenchRow* row = &bench->rows[i];
            if (strcmp(row->who, "resilin") == 0 && row->precision == precision &&
                row->threads == bench->ceilings.threads && isfinite(row->best))
            {
                cliCurve_Add(curve, (double)row->nodes, (double)row->nodes / row->best);
            }
        }
    }
}

static rslStatus WritePlot(const cliBench* bench, const char* path, rslReport* report)
{
    cliPlot* plot = cliPlot_New(bench->machine);
    AddSizes(bench, plot);
    AddScenes(bench, plot);
    rslStatus status = cliPlot_WriteFile(plot, path, report);
    cliPlot_Free(plot);
    return status;
}

rslStatus cliBench_Write(const cliBench* bench, const char* directory, const char* name, rslReport* report)
{
    static const struct
    {
        const char* suffix;
        cliPutText* put;
    } texts[] = {
        { ".csv", PutCsv }, { "-ratios.csv", PutRatios }, { "-ceilings.csv", PutCeilings }, { ".md", PutMarkdown }
    };
    rslStatus status = cliPath_MakeDirectory(directory, report);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && status == rsl_ok; ++i)
    {
        status =
            cliFile_Compose(cliPath_Join(directory, "%s%s", name, texts[i].suffix).text, texts[i].put, bench, report);
    }
    return status == rsl_ok ? WritePlot(bench, cliPath_Join(directory, "%s.svg", name).text, report) : status;
}
