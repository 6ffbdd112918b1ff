// SPDX-License-Identifier: MIT
//
// bench_figure.c: what follows from the times of a run: rates, shares of ceilings, ratios of racers.
//
// Operations: 25 a spring (docs/performance.md lists them). Bytes a step, what has to go through memory when nothing of it is
// cached, in numbers of the racer's precision:
//   lattice    displacement and velocity are read and written, h / m is read: 13 a node
//   network    the same and the place at rest, 16 a node; at each end of a spring the number of the other node (4 bytes), its
//              stiffness and its length at rest
// Neighbours count once: they are still in the cache from the node before.

#include "bench.h"
#include "number.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool IsOurs(const cliBenchRow* row)
{
    return strcmp(row->who, "resilin") == 0;
}

static double StepBytes(const cliBenchRow* row)
{
    double real = row->precision, nodes = (double)row->nodes, springs = (double)row->springs;
    return cliBenchKind_Traits(row->scene->kind)->stored ? nodes * 16.0 * real + 2.0 * springs * (4.0 + real)
                                                         : nodes * 13.0 * real;
}

// Seconds of one pass over nodes and springs: a step, or a part of one that is divided.
static double PassOf(const cliBenchRow* row)
{
    return row->best / (row->parts > 1.0 ? row->parts : 1.0);
}

cliBenchFigures cliBenchRow_Figures(const cliBenchRow* row, const cliCeilings* ceilings)
{
    const cliCeiling* side = &ceilings->sides[row->threads > 1 ? CLI_CEILING_MANY : CLI_CEILING_ONE];
    bool counted = cliBenchKind_Traits(row->scene->kind)->springs && IsOurs(row);
    double pass = PassOf(row);
    cliBenchFigures f = { .nodeRate = (double)row->nodes / pass, .springRate = (double)row->springs / pass };
    f.bytes = counted ? StepBytes(row) / pass : NAN;
    f.operations = cliBenchKind_Traits(row->scene->kind)->springs ? 25.0 * f.springRate : NAN;
    f.bytesShare = 1e-9 * f.bytes / side->memory;
    f.operationsShare = 1e-9 * f.operations / (0.5 * side->fused[row->precision == rsl_single ? 0 : 1]);
    f.realtime = row->simulated > 0.0 ? row->simulated / row->best : NAN;
    return f;
}

// ---- the table ------------------------------------------------------------------------------------------------------

bool cliBench_Add(cliBench* bench, const cliBenchRow* row)
{
    if (bench->rowCount == bench->rowCapacity)
    {
        int capacity = 2 * bench->rowCapacity + 64;
        cliBenchRow* rows = realloc(bench->rows, sizeof(cliBenchRow) * (size_t)capacity);
        if (rows == NULL)
        {
            return false;
        }
        bench->rows = rows;
        bench->rowCapacity = capacity;
    }
    bench->rows[bench->rowCount++] = *row;
    return true;
}

void cliBench_Free(cliBench* bench)
{
    free(bench->rows);
    free(bench->ratios);
    cliCeilings_Free(&bench->ceilings);
    *bench = (cliBench){ 0 };
}

static void AddRatio(cliBench* bench, const char* scene, double value, const char* format, ...) RSL_PRINTF(4, 5);

static void AddRatio(cliBench* bench, const char* scene, double value, const char* format, ...)
{
    if (!isfinite(value))
    {
        return;
    }
    if (bench->ratioCount == bench->ratioCapacity)
    {
        int capacity = 2 * bench->ratioCapacity + 64;
        cliBenchRatio* ratios = realloc(bench->ratios, sizeof(cliBenchRatio) * (size_t)capacity);
        if (ratios == NULL)
        {
            return;
        }
        bench->ratios = ratios;
        bench->ratioCapacity = capacity;
    }
    cliBenchRatio* ratio = &bench->ratios[bench->ratioCount++];
    *ratio = (cliBenchRatio){ .scene = scene, .value = value };
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(ratio->what, sizeof ratio->what, format, arguments);
    va_end(arguments);
}

// ---- comparisons ----------------------------------------------------------------------------------------------------

// "1 thread", "2 threads"
static cliText ThreadText(int threads)
{
    cliText text;
    snprintf(text.text, sizeof text.text, threads == 1 ? "%d thread" : "%d threads", threads);
    return text;
}

static const char* PrecisionWord(rslPrecision precision)
{
    return precision == rsl_single ? "single" : "double";
}

static bool IsSame(const cliBenchRow* a, const cliBenchRow* b)
{
    return a->scene == b->scene && strcmp(a->variant, b->variant) == 0;
}

// A linear system solved by us and by others, whose time has their set-up in it; and our whole solve beside it.
static void CompareSolver(cliBench* bench, const cliBenchRow* ours, const cliBenchRow* other)
{
    const char *scene = ours->scene->name, *who = other->who;
    cliText threads = ThreadText(ours->threads);
    if (strcmp(ours->variant, "linear") != 0)
    {
        AddRatio(bench, scene, other->best / ours->best,
                 "times as fast, all Newton steps to rest, as %s solves the first: %s", who, threads.text);
        return;
    }
    AddRatio(bench, scene, other->best / ours->best, "times as fast as %s, its set-up in it: %s", who, threads.text);
    AddRatio(bench, scene, other->best / (ours->best + ours->setup),
             "times as fast as %s, the making of our solver in it, too: %s", who, threads.text);
    AddRatio(bench, scene, (other->best - other->setup) / ours->best, "times as fast as %s, without its set-up: %s",
             who, threads.text);
    AddRatio(bench, scene, other->peakBytes / ours->peakBytes, "times our memory that %s takes: %s", who, threads.text);
}

// One of our rows beside one of another racer.
static void CompareOther(cliBench* bench, const cliBenchRow* ours, const cliBenchRow* other)
{
    const char *scene = ours->scene->name, *precision = PrecisionWord(ours->precision);
    if (strcmp(other->who, "LAMMPS") == 0 && ours->threads == other->threads)
    {
        AddRatio(bench, scene, other->best / ours->best, "times as fast as LAMMPS (double, %d ranks): %s, %s",
                 other->threads, precision, ThreadText(ours->threads).text);
    }
    else if (strcmp(other->who, "plain C") == 0 && ours->threads == 1 && ours->precision == other->precision)
    {
        AddRatio(bench, scene, other->best / ours->best, "times as fast as plain scalar C: %s, 1 thread", precision);
    }
    else if (strcmp(other->who, "Bullet") == 0 && ours->threads == 1)
    {
        AddRatio(bench, scene, other->best / ours->best, "times the links a second of Bullet (single): %s, 1 thread",
                 precision);
    }
    else if (strcmp(other->variant, "linear") == 0 && ours->threads == other->threads)
    {
        CompareSolver(bench, ours, other);
    }
}

// Two of our own rows.
static void CompareOwn(cliBench* bench, const cliBenchRow* row, const cliBenchRow* other)
{
    const char *scene = row->scene->name, *precision = PrecisionWord(row->precision);
    if (IsSame(row, other) && row->precision == other->precision && row->threads > 1 && other->threads == 1)
    {
        AddRatio(bench, scene, other->best / row->best, "times as fast with %s as with 1: %s%s%s",
                 ThreadText(row->threads).text, precision, row->variant[0] != 0 ? ", " : "", row->variant);
    }
    if (strcmp(row->variant, "on") == 0 && strcmp(other->variant, "off") == 0 && row->precision == other->precision &&
        row->threads == other->threads)
    {
        AddRatio(bench, scene, row->best / other->best, "time of a step with it over that without: %s, %s", precision,
                 ThreadText(row->threads).text);
    }
}

// A row by itself, beside ceilings and what was published.
static void CompareAlone(cliBench* bench, const cliBenchRow* row)
{
    const char *scene = row->scene->name, *precision = PrecisionWord(row->precision);
    const cliBenchTraits* traits = cliBenchKind_Traits(row->scene->kind);
    cliBenchFigures f = cliBenchRow_Figures(row, &bench->ceilings);
    if (row->scene->published > 0.0)
    {
        AddRatio(bench, scene, row->scene->published / PassOf(row), "times as fast as was published, a pass: %s, %s",
                 precision, ThreadText(row->threads).text);
    }
    if (traits->frames)
    {
        AddRatio(bench, scene, f.realtime, "times as fast as real time: %s, %s, %s", row->variant, precision,
                 ThreadText(row->threads).text);
    }
    if (row->scene->kind == cli_staticKind)
    {
        AddRatio(bench, scene, row->best, "seconds %s: %s",
                 strcmp(row->variant, "linear") == 0 ? "of one linear solve" : "to rest",
                 ThreadText(row->threads).text);
    }
    if (traits->springs && !traits->stored)
    {
        AddRatio(bench, scene, f.operationsShare, "share of half of the fused multiply-add peak: %s, %s", precision,
                 ThreadText(row->threads).text);
    }
    if (traits->springs && traits->stored && StepBytes(row) > 2.0 * (double)bench->ceilings.level3)
    {
        AddRatio(bench, scene, f.bytesShare, "share of the memory bandwidth: %s, %s", precision,
                 ThreadText(row->threads).text);
    }
    if (row->scene->kind == cli_latticeKind && row->threads == 1)
    {
        AddRatio(bench, scene, row->solverBytes, "bytes a node of solver and state: %s", precision);
    }
}

void cliBench_Compare(cliBench* bench)
{
    bench->ratioCount = 0;
    for (int i = 0; i < bench->rowCount; ++i)
    {
        const cliBenchRow* row = &bench->rows[i];
        if (!IsOurs(row) || !isfinite(row->best))
        {
            continue;
        }
        for (int j = 0; j < bench->rowCount; ++j)
        {
            const cliBenchRow* other = &bench->rows[j];
            if (other->scene == row->scene && isfinite(other->best))
            {
                (IsOurs(other) ? CompareOwn : CompareOther)(bench, row, other);
            }
        }
        CompareAlone(bench, row);
    }
}
