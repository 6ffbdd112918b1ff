// SPDX-License-Identifier: MIT
//
// measure.c: `resilin measure`: what the bodies of a scene measure as, beside what their materials ask for.

#include "measure.h"

#include "json.h"
#include "loaded.h"
#include "number.h"
#include "table.h"
#include "ticker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: resilin measure SCENE [OPTIONS]\n"
    "\n"
    "Put every body of a scene into a testing machine and print its moduli, frequencies and damping beside those that\n"
    "its material asks for. A box (or the flat grid of a sheet) is tested itself, of other shapes a block of the same\n"
    "network, 4 N x N x N cells (max_lengths of a random network). SCENE may be - for standard input.\n"
    "\n"
    "      --body NAME          only this body; may be repeated\n"
    "      --block              test a block of the network, also of a box\n"
    "      --body-itself        test the body itself; other shapes than boxes can only ring\n"
    "      --tests LIST         of tension,compression,shear,inflation,bending,ringing,ringdown; default: all\n"
    "      --grips free|clamped what ends do across the pull; default: free\n"
    "      --cells N            N of a block, 1 to 1000; default: 6\n"
    "      --strain S           tension and compression go this far, 0 to 0.5, and give secants; without, tension "
    "gives\n"
    "                           tangents at rest and compression a secant at 1e-6\n"
    "  -t, --threads N          threads; 0: as many as the process may use\n"
    "  -s, --set KEY=VALUE      change a value of the scene; may be repeated\n"
    "      --lod N              only level of detail N, from 0; without, all levels of a body side by side\n"
    "      --json               a list of records: body, specimen, quantity, unit, target, ours, error (and level)\n"
    "      --csv                the same as comma-separated values\n"
    "  -h, --help               this text\n"
    "\n"
    "Errors are ours / target - 1. Axes are those of the box; worst_x, worst_y, worst_z is a direction of the world.\n"
    "\n"
    "exit status: 0 all was measured; 1 a solve did not converge; 2 bad input or usage.\n";

enum
{
    OPTION_BODY = CLI_OPTION,
    OPTION_BLOCK,
    OPTION_ITSELF,
    OPTION_TESTS,
    OPTION_GRIPS,
    OPTION_CELLS,
    OPTION_STRAIN,
    OPTION_CSV,
    BODIES_MOST = 64  // that can be named
};

static const struct option options[] = {
    { "body", required_argument, NULL, OPTION_BODY },
    { "block", no_argument, NULL, OPTION_BLOCK },
    { "body-itself", no_argument, NULL, OPTION_ITSELF },
    { "tests", required_argument, NULL, OPTION_TESTS },
    { "grips", required_argument, NULL, OPTION_GRIPS },
    { "cells", required_argument, NULL, OPTION_CELLS },
    { "strain", required_argument, NULL, OPTION_STRAIN },
    { "csv", no_argument, NULL, OPTION_CSV },
    { NULL, 0, NULL, 0 },
};

typedef struct Wanted
{
    cliWishes wishes;
    rslMeasureDef def;
    const char* bodies[BODIES_MOST];
    int bodyCount;
    bool json, csv;
    bool levels;  // some body has levels of detail
} Wanted;

// ---- progress -------------------------------------------------------------------------------------------------------

typedef struct Progress
{
    const char* body;
    cliTicker ticker;
} Progress;

static bool ShowTest(const char* test, int done, int count, void* user)
{
    Progress* progress = user;
    cliTicker_Show(&progress->ticker, "%s: %s, test %d of %d", progress->body, test, done + 1, count);
    return true;
}

// ---- printing -------------------------------------------------------------------------------------------------------

static const char* SpecimenName(const rslMeasurements* found)
{
    return found->block ? "block" : "body";
}

static void PrintJson(cliJson* json, const rslMeasurements* found, const rslBodyDef* body, int level)
{
    for (int i = 0; i < found->count; ++i)
    {
        const rslMeasurement* row = &found->list[i];
        cliJson_Begin(json, NULL);
        cliJson_Text(json, "body", found->body);
        cliJson_Text(json, "specimen", SpecimenName(found));
        cliJson_Text(json, "quantity", row->quantity);
        cliJson_Text(json, "unit", row->unit);
        cliJson_Number(json, "target", row->target);
        cliJson_Number(json, "ours", row->ours);
        cliJson_Number(json, "error", row->error);
        if (body->lodCount > 0)
        {
            cliJson_Number(json, "level", level);
        }
        cliJson_End(json);
    }
}

static void PrintCsv(const rslMeasurements* found, bool levels, int level)
{
    for (int i = 0; i < found->count; ++i)
    {
        const rslMeasurement* row = &found->list[i];
        const double values[3] = { row->target, row->ours, row->error };
        printf("%s,%s,%s,%s", found->body, SpecimenName(found), row->quantity, row->unit);
        for (int k = 0; k < 3; ++k)
        {
            printf(",%s", isfinite(values[k]) ? cliShortest(values[k]).text : "");
        }
        if (levels)
        {
            printf(",%d", level);
        }
        putchar('\n');
    }
}

static void PrintTable(const rslMeasurements* found)
{
    static const char* const head[] = { "quantity", "unit", "target", "ours", "error" };
    printf("%s '%s': ", found->block ? "a block of the network of body" : "body", found->body);
    if (found->size.x > 0.0)
    {
        printf("%.4g x %.4g x %.4g m, ", found->size.x, found->size.y, found->size.z);
    }
    printf("%s nodes\n", cliCount((uint64_t)found->nodeCount).text);
    cliTable table = { .columns = 5 };
    for (int i = 0; i < 5; ++i)
    {
        cliTable_Add(&table, "%s", head[i]);
    }
    for (int i = 0; i < found->count; ++i)
    {
        const rslMeasurement* row = &found->list[i];
        bool known = isfinite(row->target);
        cliTable_Add(&table, "%s", row->quantity);
        cliTable_Add(&table, "%s", row->unit);
        char target[32] = "", error[32] = "";
        if (known)
        {
            snprintf(target, sizeof target, "%.6g", row->target);
            snprintf(error, sizeof error, "%+.3f %%", fabs(row->error) < 5e-6 ? 0.0 : 100.0 * row->error);
        }
        cliTable_Add(&table, "%s", target);
        cliTable_Add(&table, "%.6g", row->ours);
        cliTable_Add(&table, "%s", error);
    }
    cliTable_Print(&table);
    cliTable_Free(&table);
}

// ---- the command ----------------------------------------------------------------------------------------------------

static bool IsWanted(const Wanted* wanted, const char* name)
{
    bool found = wanted->bodyCount == 0;
    for (int i = 0; !found && i < wanted->bodyCount; ++i)
    {
        found = name != NULL && strcmp(wanted->bodies[i], name) == 0;
    }
    return found;
}

static void RefuseName(const char* name, const char* const* names, rslReport* report)
{
    const char* near = cliNearestWord(name, names);
    char list[160] = "";
    for (int b = 0; near == NULL && names[b] != NULL && strlen(list) < 80; ++b)
    {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", b > 0 ? ", " : "", names[b]);
    }
    rslReport_Add(report, rsl_error, (rslPlace){ 0 },
                  near != NULL ? "there is no body '%s'; did you mean '%s'?" : "there is no body '%s'; there is: %s",
                  name, near != NULL ? near : list);
}

static rslStatus CheckNames(const Wanted* wanted, const rslScene* scene, rslReport* report)
{
    const char** names = calloc((size_t)scene->bodyCount + 1, sizeof(char*));
    if (names == NULL)
    {
        return rsl_outOfMemory;
    }
    rslStatus status = rsl_ok;
    for (int b = 0; b < scene->bodyCount; ++b)
    {
        names[b] = scene->bodies[b].name;
    }
    for (int i = 0; status == rsl_ok && i < wanted->bodyCount; ++i)
    {
        if (cliFindWord(wanted->bodies[i], names) < 0)
        {
            RefuseName(wanted->bodies[i], names, report);
            status = rsl_badInput;
        }
    }
    free(names);
    return status;
}

// One body as the scene has it. What was found is freed by the caller; NULL: nothing.
static rslStatus MeasureOne(const Wanted* wanted, const rslScene* scene, int body, const char* path,
                            rslMeasurements** found)
{
    Progress progress = { scene->bodies[body].name, cliTicker_Begin(true) };
    rslMeasureDef def = wanted->def;
    def.threads = cliWishes_Threads(&wanted->wishes, scene);
    rslReport report = { 0 };
    def.progress = ShowTest;
    def.user = &progress;
    snprintf(report.file, sizeof report.file, "%s", path);
    rslStatus status = rslMeasure_Run(scene, body, &def, NULL, found, &report);
    cliTicker_End(&progress.ticker);
    if (status == rsl_notConverged)
    {
        rslReport_Add(&report, rsl_error, scene->bodies[body].place,
                      "body '%s': a solve did not converge; its figures are not to be relied on", progress.body);
    }
    else if (status != rsl_ok && report.errors == 0)
    {
        rslReport_Add(&report, rsl_error, scene->bodies[body].place, "body '%s': %s", progress.body,
                      rslStatus_Name(status));
    }
    cliReport_Print(&report);
    return status;
}

static void Print(const Wanted* wanted, const rslBodyDef* body, int level, const rslMeasurements* found, cliJson* json)
{
    if (found != NULL && wanted->json)
    {
        PrintJson(json, found, body, level);
    }
    else if (found != NULL && wanted->csv)
    {
        PrintCsv(found, wanted->levels, level);
    }
    else if (found != NULL)
    {
        PrintTable(found);
    }
}

// The worst of two ends: bad input before not converged before ok.
static rslStatus Worse(rslStatus a, rslStatus b)
{
    return cliExit(b) > cliExit(a) ? b : a;
}

typedef struct Levels
{
    rslMeasurements* found[RSL_LEVELS_MOST];
    rslMeasurements* itself[RSL_LEVELS_MOST];  // rings, where a block was tested
} Levels;

static rslStatus MeasureLevel(const Wanted* wanted, const rslScene* scene, int body, int level, const char* path,
                              rslMeasurements** found, rslMeasurements** itself)
{
    rslScene one;
    rslBodyDef* bodies = NULL;
    rslStatus status = cliLevels_Scene(scene, body, level, &one, &bodies);
    status = status == rsl_ok ? MeasureOne(wanted, &one, body, path, found) : status;
    if (*found != NULL && (*found)->block && itself != NULL && (wanted->def.tests & rsl_ringingTest) != 0)
    {
        Wanted ringing = *wanted;
        ringing.def.tests = rsl_ringingTest;
        ringing.def.specimen = rsl_bodySpecimen;
        status = Worse(status, MeasureOne(&ringing, &one, body, path, itself));
    }
    free(bodies);
    return status;
}

// All levels of a body, finest first, unless one is asked for.
static rslStatus MeasureBody(const Wanted* wanted, const rslScene* scene, int body, cliJson* json, const char* path)
{
    Levels levels = { 0 };
    const rslBodyDef* def = &scene->bodies[body];
    bool all = def->lodCount > 1 && wanted->wishes.level < 0, table = all && !wanted->json && !wanted->csv;
    int count = all ? def->lodCount : 1;
    rslStatus status = rsl_ok;
    for (int i = 0; i < count; ++i)
    {
        int level = all ? i : def->level;
        status = Worse(
            status, MeasureLevel(wanted, scene, body, level, path, &levels.found[i], table ? &levels.itself[i] : NULL));
        if (!table)
        {
            Print(wanted, def, level, levels.found[i], json);
        }
    }
    if (table)
    {
        cliLevels_Print(def, levels.found, levels.itself, count);
    }
    for (int i = 0; i < count; ++i)
    {
        rslMeasurements_Free(levels.found[i]);
        rslMeasurements_Free(levels.itself[i]);
    }
    return status;
}

static int Execute(const char* path, Wanted* wanted)
{
    const cliOverrides* overrides = &wanted->wishes.overrides;
    rslScene scene = { 0 };
    rslReport report = { 0 };
    snprintf(report.file, sizeof report.file, "%s", path);
    rslStatus status = rslScene_Read(path, overrides->list, overrides->count, NULL, &scene, &report);
    if (status == rsl_ok && wanted->wishes.level >= 0)
    {
        rslScene_SetLevel(&scene, wanted->wishes.level);
    }
    wanted->levels = rslScene_Levels(&scene) > 1;
    status = status == rsl_ok ? rslScene_Validate(&scene, &report) : status;
    status = status == rsl_ok ? CheckNames(wanted, &scene, &report) : status;
    cliReport_Print(&report);
    cliJson json = { .file = stdout };
    if (wanted->json)
    {
        cliJson_BeginList(&json, NULL);
    }
    else if (wanted->csv)
    {
        puts(wanted->levels ? "body,specimen,quantity,unit,target,ours,error,level"
                            : "body,specimen,quantity,unit,target,ours,error");
    }
    bool readable = status == rsl_ok;
    for (int b = 0; readable && b < scene.bodyCount; ++b)
    {
        if (IsWanted(wanted, scene.bodies[b].name))
        {
            status = Worse(status, MeasureBody(wanted, &scene, b, &json, path));
        }
    }
    if (wanted->json)
    {
        cliJson_End(&json);
    }
    rslScene_Free(&scene);
    return cliExit(status);
}

// ---- options ----------------------------------------------------------------------------------------------------------

const char* cliTests_Read(const char* list, unsigned* tests)
{
    static const char* const names[] = { "tension", "compression", "shear",    "inflation",
                                         "bending", "ringing",     "ringdown", NULL };
    *tests = 0;
    for (const char* at = list; at != NULL;)
    {
        char word[16] = { 0 };
        size_t length = strcspn(at, ",");
        memcpy(word, at, length < sizeof word ? length : sizeof word - 1);
        int index = cliFindWord(word, names);
        if (index < 0)
        {
            return "a list of tension, compression, shear, inflation, bending, ringing, ringdown";
        }
        *tests |= 1u << index;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return NULL;
}

static const char* ReadOption(void* context, int option, char* value)
{
    Wanted* wanted = context;
    rslMeasureDef* def = &wanted->def;
    switch (option)
    {
        case OPTION_BODY:
            if (wanted->bodyCount == BODIES_MOST)
            {
                return "no more than 64 bodies";
            }
            wanted->bodies[wanted->bodyCount++] = value;
            return NULL;
        case OPTION_BLOCK: def->specimen = rsl_blockSpecimen; return NULL;
        case OPTION_ITSELF: def->specimen = rsl_bodySpecimen; return NULL;
        case OPTION_TESTS: return cliTests_Read(value, &def->tests);
        case OPTION_GRIPS:
            def->clamped = strcmp(value, "clamped") == 0;
            return def->clamped || strcmp(value, "free") == 0 ? NULL : "free or clamped";
        case OPTION_CELLS: return cliParseInteger(value, 1, 1000, &def->cells) ? NULL : "a number of cells, 1 to 1000";
        case OPTION_STRAIN:
            return cliParseNumber(value, &def->strain) && def->strain >= 1e-9 && def->strain <= 0.5
                       ? NULL
                       : "a strain, 1e-9 to 0.5";
        case CLI_JSON: wanted->json = true; return NULL;
        case OPTION_CSV: wanted->csv = true; return NULL;
        default: return cliWishes_Read(&wanted->wishes, option, value);
    }
}

static int Measure(const cliCommand* command, int argc, char** argv)
{
    Wanted wanted = { .wishes = cliWishes_Default(), .def = rslDefaultMeasureDef() };
    const char* scene;
    int status = cliReadCommand(command, argc, argv, ReadOption, &wanted, "scene file", &scene);
    if (status < 0 && wanted.json && wanted.csv)
    {
        status = cliBadUsage(command, "choose one of --json and --csv");
    }
    if (status < 0)
    {
        status = Execute(scene, &wanted);
    }
    cliOverrides_Free(&wanted.wishes.overrides);
    return status;
}

const cliCommand cliMeasureCommand = {
    .name = "measure",
    .brief = "what bodies measure as, beside what their materials ask for",
    .help = help,
    .options = options,
    .shared = "threads set json lod",
    .run = Measure,
};
