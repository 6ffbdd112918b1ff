// SPDX-License-Identifier: MIT
//
// sweep.c: `resilin sweep`: run a scene again and again with other values.

#include "sweep.h"

#include "measure.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: resilin sweep SCENE --set KEY=VALUES [--set KEY=VALUES]... [OPTIONS]\n"
    "\n"
    "Measure the bodies of a scene as `resilin measure` does, or run it, once for every value of a parameter, and make "
    "a\n"
    "table and a plot of what comes out. A run gives the probes of the scene, the forces that hold its constraints,\n"
    "energies and the number of nodes, all at its end.\n"
    "\n"
    "  -s, --set KEY=VALUES     the values, of one or several keys:\n"
    "                             A..B:N         N values from A to B, as in body.material.young=1e3..1e6:7; by equal\n"
    "                                            factors when A and B are a factor of 100 or more apart\n"
    "                             A..B:N:log     by equal factors       A..B:N:linear   by equal differences\n"
    "                             a,b,c          these\n"
    "                             a              this one in all runs\n"
    "                           of several keys every value goes with every other; the plot has a curve for each value "
    "of\n"
    "                           the later ones, over the first\n"
    "      --zip                instead they go together: the first with the first, the second with the second\n"
    "      --log, --linear      for ranges that do not say\n"
    "  -c, --columns LIST       columns of the table and panels of the plot, as in 'E_x,tip z'; default: all. The "
    "scene is\n"
    "                           run for those of a run, measured for the others\n"
    "      --run                run the scene also, or only, when no column asks for it; with --tests both\n"
    "      --tests LIST         measure with these: tension,compression,shear,inflation,bending,ringing,ringdown; "
    "default: all\n"
    "  -o, --output DIR         where to write; default out/NAME-sweep for NAME.yaml\n"
    "  -t, --threads N          threads; 0: as many as the process may use; never changes a result\n"
    "  -p, --precision P        single or double\n"
    "  -u, --until T            end at the simulated time T [s] instead of time.duration\n"
    "      --json               print one record a run instead of the table\n"
    "      --progress           show progress also when stderr is not a terminal\n"
    "  -q, --quiet              no progress, no table\n"
    "  -h, --help               this text\n"
    "\n"
    "files in DIR:\n"
    "  sweep.csv                the values, the columns, the status and the seconds of every run; written after each\n"
    "  sweep.svg                the columns that change, over the first key\n"
    "\n"
    "exit status: 0 every run succeeded; 1 some failed: their rows say how, the others are there; 2 bad input or "
    "usage, or\n"
    "a file that cannot be read or written.\n";

enum
{
    OPTION_LOG = CLI_OPTION,
    OPTION_LINEAR,
    OPTION_ZIP,
    OPTION_RUN,
    OPTION_TESTS,
};

static const struct option options[] = {
    { "zip", no_argument, NULL, OPTION_ZIP },
    { "log", no_argument, NULL, OPTION_LOG },
    { "linear", no_argument, NULL, OPTION_LINEAR },
    { "columns", required_argument, NULL, 'c' },
    { "run", no_argument, NULL, OPTION_RUN },
    { "tests", required_argument, NULL, OPTION_TESTS },
    { NULL, 0, NULL, 0 },
};

typedef struct Request
{
    const char* scene;
    cliPath directory;
    cliWishes wishes;  // overrides: all of them, split, then those of a row
    cliSpacing spacing;
    char* columns;  // as given; NULL: all
    cliSweep sweep;
    cliChosen chosen;
    cliShow show;
} Request;

// ---- what is asked for ----------------------------------------------------------------------------------------------

static const char* ReadValue(void* context, int option, char* value)
{
    Request* request = context;
    switch (option)
    {
        case 'o': return cliPath_ReadFolder(&request->directory, value);
        case 'c': request->columns = value; return value[0] != 0 ? NULL : "names of columns";
        case OPTION_LOG: request->spacing = cli_logSpacing; return NULL;
        case OPTION_LINEAR: request->spacing = cli_linearSpacing; return NULL;
        case OPTION_RUN: request->sweep.run = true; return NULL;
        case OPTION_TESTS: return cliTests_Read(value, &request->sweep.tests);
        case OPTION_ZIP: request->sweep.zip = true; return NULL;
        default: return cliShow_Read(&request->show, option) ? NULL : cliWishes_Read(&request->wishes, option, value);
    }
}

static bool IsKnown(const cliSweep* sweep, int count, const char* key)
{
    bool known = false;
    for (int i = 0; i < count; ++i)
    {
        known = known || strcmp(sweep->swept[i].key, key) == 0;
    }
    return known;
}

// Take the overrides that name several values out of the list. Returns -1 to go on, or the exit status.
static int FindSwept(const cliCommand* command, Request* request)
{
    cliOverrides* overrides = &request->wishes.overrides;
    cliSweep* sweep = &request->sweep;
    sweep->swept = calloc((size_t)overrides->count + 1, sizeof(cliSwept));
    if (sweep->swept == NULL)
    {
        cliError("out of memory");
        return cli_badInput;
    }
    int kept = 0;
    for (int i = 0; i < overrides->count; ++i)
    {
        rslOverride o = overrides->list[i];
        cliSwept* swept = &sweep->swept[sweep->sweptCount];
        const char* expected = cliSwept_Read(swept, o.path, o.value, request->spacing);
        sweep->sweptCount += 1;
        if (IsKnown(sweep, sweep->sweptCount - 1, o.path))
        {
            return cliBadUsage(command, "--set %s was given twice: all values go into one list, a,b,c", o.path);
        }
        if (expected != NULL)
        {
            return cliBadUsage(command, "--set %s: expected %s, found \"%s\"", o.path, expected, o.value);
        }
        if (swept->count == 1)
        {
            overrides->list[kept++] = o;
            cliSwept_Free(swept);
            sweep->sweptCount -= 1;
        }
    }
    overrides->count = kept;
    if (sweep->sweptCount == 0)
    {
        return cliBadUsage(command,
                           "nothing to sweep over: --set body.material.young=1e3..1e6:7 would run seven values");
    }
    sweep->rowCount = cliSweep_RowCount(sweep);
    if (sweep->rowCount <= 0)
    {
        int count = sweep->rowCount;
        sweep->rowCount = 0;
        return cliBadUsage(command,
                           count < 0 ? "--zip needs the same number of values for every key" : "more than 10000 runs");
    }
    sweep->rows = calloc((size_t)sweep->rowCount, sizeof(cliSweepRow));
    return sweep->rows != NULL ? -1 : (cliError("out of memory"), cli_badInput);
}

static int ReadOptions(const cliCommand* command, int argc, char** argv, Request* request)
{
    int status = cliReadCommand(command, argc, argv, ReadValue, request, "scene file", &request->scene);
    if (status >= 0)
    {
        return status;
    }
    if (strcmp(request->scene, "-") == 0)
    {
        return cliBadUsage(command, "a sweep reads its scene several times: it must be a file");
    }
    if (request->directory.text[0] == 0)
    {
        request->directory = cliPath_Join("out", "%s-sweep", cliPath_Stem(request->scene).text);
    }
    cliShow_Settle(&request->show);
    return FindSwept(command, request);
}

// ---- one row --------------------------------------------------------------------------------------------------------

// The wishes of a row: those of all, and its values. The list has room for them.
static cliWishes RowWishes(const Request* request, int row)
{
    cliWishes wishes = request->wishes;
    for (int i = 0; i < request->sweep.sweptCount; ++i)
    {
        const cliSwept* swept = &request->sweep.swept[i];
        wishes.overrides.list[wishes.overrides.count++] =
            (rslOverride){ .path = swept->key, .value = swept->texts[cliSweep_Choice(&request->sweep, row, i)] };
    }
    return wishes;
}

static void RowName(const Request* request, int row, char* text, size_t capacity)
{
    text[0] = 0;
    for (int i = 0; i < request->sweep.sweptCount; ++i)
    {
        const cliSwept* swept = &request->sweep.swept[i];
        size_t used = strlen(text);
        snprintf(text + used, capacity - used, "%s%s=%s", i > 0 ? " " : "", swept->key,
                 swept->texts[cliSweep_Choice(&request->sweep, row, i)]);
    }
}

// ---- all of them ----------------------------------------------------------------------------------------------------

// What is not said follows from the columns; without any, bodies are measured.
static void ChooseWork(Request* request, const rslScene* scene)
{
    cliSweep* sweep = &request->sweep;
    if (sweep->run || sweep->tests != 0)
    {
        return;
    }
    bool measured = request->columns == NULL;
    for (const char* name = request->columns; name != NULL && *name != 0;)
    {
        char word[128];
        name += strspn(name, " ");
        snprintf(word, sizeof word, "%.*s", (int)strcspn(name, ","), name);
        bool run = cliSweep_IsRunColumn(scene, word);
        sweep->run = sweep->run || run;
        measured = measured || !run;
        name += strcspn(name, ",");
        name += *name == ',';
    }
    sweep->tests = measured ? rsl_allTests : 0;
}

// A slip in a key, or in the scene, is told before anything runs; a value that does not fit is a row of its own. So only a
// scene that can be read neither with the first values nor with the last is refused.
static bool ReadFirst(Request* request)
{
    rslReport first = { 0 }, last = { 0 };
    const int rows[2] = { 0, request->sweep.rowCount - 1 };
    for (int i = 0; i < 2; ++i)
    {
        cliWishes wishes = RowWishes(request, rows[i]);
        rslScene scene;
        if (rslScene_Read(request->scene, wishes.overrides.list, wishes.overrides.count, NULL, &scene,
                          i == 0 ? &first : &last) == rsl_ok)
        {
            ChooseWork(request, &scene);
            rslScene_Free(&scene);
            return true;
        }
    }
    cliReport_Print(&first);
    return false;
}

static int UnknownColumn(const cliSweep* sweep, const char* name)
{
    const char** names = calloc((size_t)sweep->columnCount + 1, sizeof *names);
    for (int i = 0; names != NULL && i < sweep->columnCount; ++i)
    {
        names[i] = sweep->columns[i];
    }
    const char* nearest = names != NULL ? cliNearestWord(name, names) : NULL;
    cliError(nearest != NULL ? "there is no column \"%s\"; did you mean \"%s\"?" : "there is no column \"%s\"", name,
             nearest);
    if (nearest == NULL)
    {
        fprintf(stderr, "  columns:");
        for (int i = 0; i < sweep->columnCount; ++i)
        {
            fprintf(stderr, "%s %s", i > 0 ? "," : "", sweep->columns[i]);
        }
        fputc('\n', stderr);
    }
    free(names);
    return cli_badInput;
}

// The names given, once there are columns. Returns -1 to go on, or the exit status.
static int ChooseColumns(Request* request)
{
    if (request->columns == NULL || request->chosen.list != NULL || request->sweep.columnCount == 0)
    {
        return -1;
    }
    request->chosen.list = calloc(strlen(request->columns) + 1, sizeof(int));
    request->chosen.count = 0;
    for (char* name = strtok(request->columns, ","); name != NULL && request->chosen.list != NULL;
         name = strtok(NULL, ","))
    {
        name += strspn(name, " ");
        int column = cliSweep_FindColumn(&request->sweep, name);
        if (column < 0)
        {
            return UnknownColumn(&request->sweep, name);
        }
        request->chosen.list[request->chosen.count++] = column;
    }
    return request->chosen.list != NULL ? -1 : (cliError("out of memory"), cli_badInput);
}

static int RunAll(Request* request, rslReport* report)
{
    cliSweep* sweep = &request->sweep;
    cliPath table = cliPath_Join(request->directory.text, "sweep.csv");
    int failed = 0;
    for (int row = 0; row < sweep->rowCount; ++row)
    {
        char name[256];
        RowName(request, row, name, sizeof name);
        if (request->show.progress)
        {
            fprintf(stderr, "%s%d of %d: %s%s", isatty(STDERR_FILENO) ? "\r" : "", row + 1, sweep->rowCount, name,
                    isatty(STDERR_FILENO) ? "\033[K" : "\n");
        }
        cliWishes wishes = RowWishes(request, row);
        cliSweep_RunRow(sweep, row, request->scene, &wishes);
        sweep->doneCount = row + 1;
        if (sweep->rows[row].status != rsl_ok)
        {
            failed += 1;
            cliError("%s: %s", name, sweep->rows[row].message);
        }
        int status = ChooseColumns(request);
        if (status >= 0)
        {
            return status;
        }
        if (sweep->failed || cliSweep_WriteCsv(sweep, &request->chosen, table.text, report) != rsl_ok)
        {
            return cli_badInput;
        }
    }
    if (request->show.progress && isatty(STDERR_FILENO))
    {
        fputs("\r\033[K", stderr);
    }
    return failed > 0 ? cli_failed : cli_success;
}

static int Execute(Request* request)
{
    if (!ReadFirst(request))
    {
        return cli_badInput;
    }
    rslReport report = { 0 };
    if (cliPath_MakeDirectory(request->directory.text, &report) != rsl_ok)
    {
        cliReport_Print(&report);
        return cli_badInput;
    }
    int status = RunAll(request, &report);
    cliPath plot = cliPath_Join(request->directory.text, "sweep.svg");
    char title[200];
    snprintf(title, sizeof title, "%.60s over %.100s", cliPath_Stem(request->scene).text, request->sweep.swept[0].key);
    if (status != cli_badInput &&
        cliSweep_WritePlot(&request->sweep, &request->chosen, title, plot.text, &report) != rsl_ok)
    {
        status = cli_badInput;
    }
    cliReport_Print(&report);
    if (request->show.json)
    {
        cliSweep_Json(&request->sweep, &request->chosen, stdout);
    }
    else if (!request->show.quiet && status != cli_badInput)
    {
        cliSweep_Print(&request->sweep, &request->chosen);
        printf("%s\n%s\n", cliPath_Join(request->directory.text, "sweep.csv").text, plot.text);
    }
    return status;
}

static int Sweep(const cliCommand* command, int argc, char** argv)
{
    Request request = { .wishes = cliWishes_Default(), .chosen = { .count = -1 } };
    int status = ReadOptions(command, argc, argv, &request);
    if (status < 0)
    {
        status = Execute(&request);
    }
    cliSweep_Free(&request.sweep);
    free(request.chosen.list);
    cliOverrides_Free(&request.wishes.overrides);
    return status;
}

const cliCommand cliSweepCommand = {
    .name = "sweep",
    .brief = "measure or run a scene over the values of a parameter",
    .help = help,
    .options = options,
    .shared = "output threads precision until set json progress quiet",
    .run = Sweep,
};
