// SPDX-License-Identifier: MIT
//
// bench.c: `resilin bench`: how fast it is, beside what the machine can do and what others do.

#include "bench.h"
#include "number.h"
#include "stop.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: resilin bench [SCENE...] [OPTIONS]\n"
    "\n"
    "Time steps of a table of scenes, in single and double precision, with one thread and with several: node-steps and "
    "spring\n"
    "updates a second, GB/s, GFLOP/s, and their share of what this machine can do, which is measured in the same run. "
    "Those who\n"
    "step a scene take turns, and the best turn of each counts. docs/performance.md says what every column means.\n"
    "\n"
    "SCENE is a name, also of another size, such as lattice-64 or rabbit-2e4, or a pattern such as 'lattice-*'; "
    "without "
    "any,\n"
    "all that are listed, the large ones only with --full.\n"
    "\n"
    "      --list               list the scenes\n"
    "      --against LIST       lammps, bullet: the same springs in the same run, after a look at their forces;\n"
    "                           petsc, cholmod: the linear system of static scenes, and a look at the solution\n"
    "      --turns N            turns of each; default 5\n"
    "      --quick              small scenes, few and short turns: a few seconds\n"
    "      --full               also 200^3 and 10^6 nodes: some GB and many minutes\n"
    "      --memory GB          take no more than this; default: three quarters of what is free\n"
    "      --name NAME          names of the files; default bench\n"
    "  -o, --output DIR         write files there; default: none\n"
    "  -t, --threads N          threads beside one; 0: as many as there are; default 2\n"
    "      --json               print one JSON object instead of the tables\n"
    "      --progress           show progress also when stderr is not a terminal\n"
    "  -q, --quiet              no progress, no tables\n"
    "  -h, --help               this text\n"
    "\n"
    "files in DIR:\n"
    "  NAME.csv                 a row for everybody who stepped a scene\n"
    "  NAME-ratios.csv          what follows from them: times as fast as others, as one thread, shares of ceilings\n"
    "  NAME-ceilings.csv        what the machine can do\n"
    "  NAME.md                  all of it as tables\n"
    "  NAME.svg                 a plot\n"
    "\n"
    "exit status: 0 every scene was timed; 1 some were not: their rows say why; 2 bad usage, or a file that cannot be "
    "written.\n"
    "Programs of --against that are not installed are told and change nothing.\n";

enum
{
    OPTION_LIST = CLI_OPTION,
    OPTION_AGAINST,
    OPTION_TURNS,
    OPTION_QUICK,
    OPTION_FULL,
    OPTION_MEMORY,
    OPTION_NAME,
};

static const struct option options[] = {
    { "list", no_argument, NULL, OPTION_LIST },         { "against", required_argument, NULL, OPTION_AGAINST },
    { "turns", required_argument, NULL, OPTION_TURNS }, { "quick", no_argument, NULL, OPTION_QUICK },
    { "full", no_argument, NULL, OPTION_FULL },         { "memory", required_argument, NULL, OPTION_MEMORY },
    { "name", required_argument, NULL, OPTION_NAME },   { NULL, 0, NULL, 0 },
};

typedef struct Request
{
    cliPath directory;  // empty: no files
    const char* name;
    bool list, quick, full;
    int turns;      // 0: by quick
    double memory;  // [GB]; 0: by what is free
    cliRaceDef race;
    cliShow show;
    const cliBenchScene** scenes;
    int count;
    cliBenchScene* sized;  // those that are not on the list
    int sizedCount;
} Request;

// ---- what is asked for ----------------------------------------------------------------------------------------------

static const char* ReadAgainst(cliRaceDef* race, const char* value)
{
    static const char* const names[] = { "lammps", "bullet", "petsc", "cholmod" };
    bool* const flags[] = { &race->lammps, &race->bullet, &race->petsc, &race->cholmod };
    bool any = false;
    while (*value != 0)
    {
        size_t length = strcspn(value, ",");
        bool found = false;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        {
            bool same = length == strlen(names[i]) && strncmp(value, names[i], length) == 0;
            *flags[i] = *flags[i] || same;
            found = found || same;
        }
        any = any || found;
        if (!found)
        {
            return "a list of lammps, bullet, petsc and cholmod";
        }
        value += length + (value[length] == ',');
    }
    return any ? NULL : "a list of lammps, bullet, petsc and cholmod";
}

static const char* ReadValue(void* context, int option, char* value)
{
    Request* request = context;
    switch (option)
    {
        case 'o': return cliPath_ReadFolder(&request->directory, value);
        case 't':
            return cliParseInteger(value, 0, 256, &request->race.threads) ? NULL : "a number of threads, 0 to 256";
        case OPTION_LIST: request->list = true; return NULL;
        case OPTION_QUICK: request->quick = true; return NULL;
        case OPTION_FULL: request->full = true; return NULL;
        case OPTION_AGAINST: return ReadAgainst(&request->race, value);
        case OPTION_TURNS:
            return cliParseInteger(value, 1, 1000, &request->turns) ? NULL : "a number of turns, 1 to 1000";
        case OPTION_MEMORY:
            return cliParseNumber(value, &request->memory) && request->memory > 0.0 ? NULL : "gigabytes, more than 0";
        case OPTION_NAME:
            request->name = value;
            return value[0] != 0 && strchr(value, '/') == NULL && strlen(value) < 128 ? NULL : "a name of files";
        default: (void)cliShow_Read(&request->show, option); return NULL;
    }
}

static bool IsAtLevel(const Request* request, const cliBenchScene* scene)
{
    return scene->level <= (request->full ? cli_fullLevel : request->quick ? cli_quickLevel : cli_usualLevel);
}

// A name, which is always meant, or a pattern, which means what the level allows.
static bool Matches(const Request* request, const cliBenchScene* scene, const char* word)
{
    return strcmp(word, scene->name) == 0 || (IsAtLevel(request, scene) && fnmatch(word, scene->name, 0) == 0);
}

static int SceneCount(void)
{
    int count = 0;
    while (cliBenchScene_At(count) != NULL)
    {
        count += 1;
    }
    return count;
}

static int UnknownScene(const cliCommand* command, const char* word)
{
    const char** names = calloc((size_t)SceneCount() + 1, sizeof *names);
    for (int i = 0; names != NULL && cliBenchScene_At(i) != NULL; ++i)
    {
        names[i] = cliBenchScene_At(i)->name;
    }
    const char* nearest = names != NULL ? cliNearestWord(word, names) : NULL;
    int status = nearest != NULL ? cliBadUsage(command, "there is no scene %s; did you mean %s?", word, nearest)
                                 : cliBadUsage(command, "there is no scene %s; resilin bench --list has them", word);
    free(names);
    return status;
}

static bool IsListed(const Request* request, const char* word)
{
    bool found = false;
    for (int i = 0; cliBenchScene_At(i) != NULL; ++i)
    {
        found = found || Matches(request, cliBenchScene_At(i), word);
    }
    return found;
}

static bool IsAgain(char** words, int word)
{
    bool again = false;
    for (int w = 0; w < word && !again; ++w)
    {
        again = strcmp(words[w], words[word]) == 0;
    }
    return again;
}

// Those of the list in its order, then those of other sizes. Returns -1 to go on, or the exit status.
static int ChooseScenes(const cliCommand* command, Request* request, char** words, int wordCount)
{
    request->scenes = calloc((size_t)SceneCount() + (size_t)wordCount, sizeof *request->scenes);
    request->sized = calloc((size_t)wordCount + 1, sizeof *request->sized);
    if (request->scenes == NULL || request->sized == NULL)
    {
        cliError("out of memory");
        return cli_badInput;
    }
    for (int w = 0; w < wordCount; ++w)
    {
        bool listed = IsListed(request, words[w]) || IsAgain(words, w);
        const char* wrong = listed ? NULL : cliBenchScene_OfSize(words[w], &request->sized[request->sizedCount]);
        if (wrong != NULL)
        {
            return wrong[0] == 0 ? UnknownScene(command, words[w])
                                 : cliBadUsage(command, "there is no scene %s: %s", words[w], wrong);
        }
        request->sizedCount += !listed;
    }
    for (int i = 0; cliBenchScene_At(i) != NULL; ++i)
    {
        const cliBenchScene* scene = cliBenchScene_At(i);
        bool chosen = wordCount == 0 && IsAtLevel(request, scene);
        for (int w = 0; w < wordCount; ++w)
        {
            chosen = chosen || Matches(request, scene, words[w]);
        }
        request->scenes[request->count] = scene;
        request->count += chosen;
    }
    for (int s = 0; s < request->sizedCount; ++s)
    {
        request->scenes[request->count++] = &request->sized[s];
    }
    return -1;
}

static int ListScenes(void)
{
    static const char* const levels[] = { "quick", "", "full" };
    for (int i = 0; cliBenchScene_At(i) != NULL; ++i)
    {
        const cliBenchScene* scene = cliBenchScene_At(i);
        printf("  %-16s %-6s %s\n", scene->name, levels[scene->level], scene->brief);
    }
    return cli_success;
}

// ---- the machine ----------------------------------------------------------------------------------------------------

static void NameMachine(cliBench* bench)
{
    char line[512];
    FILE* file = fopen("/proc/cpuinfo", "r");
    snprintf(bench->machine, sizeof bench->machine, "unknown processor");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
    {
        const char* colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL)
        {
            line[strcspn(line, "\n")] = 0;
            snprintf(bench->machine, sizeof bench->machine, "%.100s, %ld cores", colon + 2,
                     sysconf(_SC_NPROCESSORS_ONLN));
            break;
        }
    }
    if (file != NULL)
    {
        fclose(file);
    }
#if defined(__clang__)
    snprintf(bench->compiler, sizeof bench->compiler, "clang %d.%d", __clang_major__, __clang_minor__);
#elif defined(__GNUC__)
    snprintf(bench->compiler, sizeof bench->compiler, "gcc %d.%d", __GNUC__, __GNUC_MINOR__);
#endif
}

// The vectors are those of any solver.
static void NameVectors(cliBench* bench, cliMemory* memory)
{
    rslModel* model = NULL;
    rslSolver* solver = NULL;
    rslSolverDef def;
    rslReport report = { 0 };
    const cliBenchScene tiny = { .name = "tiny", .kind = cli_latticeKind, .size = 3 };
    if (cliBenchScene_Build(&tiny, 0, memory, &model, &def, &report) == rsl_ok)
    {
        def.threads = 1;
        if (rslSolver_Create(model, &def, NULL, &solver, NULL) == rsl_ok)
        {
            snprintf(bench->vectors, sizeof bench->vectors, "%s", rslSolver_Vectors(solver));
        }
    }
    rslSolver_Free(solver);
    rslModel_Free(model);
}

// ---- all of it ------------------------------------------------------------------------------------------------------

// Rows of ours that are not there: others may be missing.
static bool IsFailure(const cliBenchRow* row)
{
    return !isfinite(row->best) && (strcmp(row->who, "resilin") == 0 || strcmp(row->who, "plain C") == 0);
}

// Again before every scene: the best counts.
static bool MeasureCeilings(const Request* request, cliBench* bench)
{
    return cliCeilings_Measure(&bench->ceilings, request->race.threads, request->quick ? 0.1 : 0.4);
}

static int RunScenes(Request* request, cliBench* bench, bool table)
{
    int failed = 0;
    for (int i = 0; i < request->count && cliStop == 0; ++i)
    {
        int first = bench->rowCount;
        if (!MeasureCeilings(request, bench) || cliRace_Run(&request->race, request->scenes[i], bench) != rsl_ok)
        {
            cliError("out of memory");
            return cli_badInput;
        }
        for (int r = first; r < bench->rowCount; ++r)
        {
            failed += IsFailure(&bench->rows[r]);
            if (table)
            {
                cliTicker_End(request->race.ticker);
                cliBench_PrintRow(bench, &bench->rows[r]);
            }
        }
    }
    return cliStop != 0 ? 128 + cliStop : failed > 0 ? cli_failed : cli_success;
}

static int Conclude(const Request* request, cliBench* bench, bool table, int status)
{
    rslReport report = { 0 };
    cliBench_Compare(bench);
    if (table)
    {
        cliBench_PrintCeilings(bench);
        cliBench_PrintRatios(bench);
        printf("\n  %d scenes in %s\n", request->count, cliDuration(bench->seconds).text);
    }
    if (request->show.json)
    {
        cliBench_Json(bench, stdout);
    }
    if (request->directory.text[0] != 0 &&
        cliBench_Write(bench, request->directory.text, request->name, &report) != rsl_ok)
    {
        cliReport_Print(&report);
        return cli_badInput;
    }
    if (table && request->directory.text[0] != 0)
    {
        printf("  %s\n", cliPath_Join(request->directory.text, "%s.md", request->name).text);
    }
    return status;
}

static int Execute(Request* request)
{
    cliTicker ticker = cliTicker_Begin(request->show.progress);
    cliMemory memory = { .limit =
                             request->memory > 0.0 ? (size_t)(1e9 * request->memory) : cliMemory_Available() / 4 * 3 };
    cliBench bench = { .turns = request->race.turns };
    bool table = !request->show.quiet && !request->show.json;
    double begin = cliClock();
    request->race.ticker = &ticker;
    request->race.memory = &memory;
    request->race.stop = &cliStop;
    bench.ceilings.small = request->quick;
    cliStop_Catch();
    NameMachine(&bench);
    NameVectors(&bench, &memory);
    cliTicker_Show(&ticker, "what the machine can do");
    bool measured = true;
    for (int round = 0; round < (request->quick ? 1 : 5) && measured; ++round)
    {
        measured = MeasureCeilings(request, &bench);
    }
    if (!measured)
    {
        cliError("out of memory");
        return cli_badInput;
    }
    if (table)
    {
        cliBench_PrintHead(&bench);
    }
    int status = RunScenes(request, &bench, table);
    cliTicker_End(&ticker);
    bench.seconds = cliClock() - begin;
    status = status != cli_badInput ? Conclude(request, &bench, table, status) : status;
    cliBench_Free(&bench);
    return status;
}

static int Bench(const cliCommand* command, int argc, char** argv)
{
    int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    Request request = { .name = "bench", .race = { .threads = cores < 2 ? 1 : 2 } };
    int status = cliReadOptions(command, argc, argv, ReadValue, &request);
    if (status >= 0)
    {
        return status;
    }
    if (request.list)
    {
        return ListScenes();
    }
    cliShow_Settle(&request.show);
    request.race.threads = request.race.threads > 0 ? request.race.threads : cores > 0 ? cores : 1;
    request.race.turns = request.turns > 0 ? request.turns : request.quick ? 2 : 5;
    request.race.seconds = request.quick ? 0.02 : 0.2;
    status = ChooseScenes(command, &request, argv + optind, argc - optind);
    status = status < 0 ? Execute(&request) : status;
    free(request.scenes);
    free(request.sized);
    return status;
}

const cliCommand cliBenchCommand = {
    .name = "bench",
    .brief = "time scenes, beside what the machine and others can do",
    .help = help,
    .options = options,
    .shared = "output threads json progress quiet",
    .run = Bench,
};
