// SPDX-License-Identifier: MIT
//
// compare.c: `resilin compare`: one scene with several models, and how far they are from one of them.

#include "compare.h"

#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: resilin compare SCENE --models A,B,... [OPTIONS]\n"
    "\n"
    "Run a scene with each of several models in its bodies and print how far each is from a reference: the difference\n"
    "of displacements over the largest one of the reference (mean, rms and max over its nodes, at the end and in the\n"
    "worst frame), natural frequencies, time and memory. All take the same step, so that what differs is the model.\n"
    "SCENE may be - for standard input.\n"
    "\n"
    "  -m, --models LIST        what to compare: words of the key `model` of a body (lattice stands for springs), "
    "with\n"
    "                           options behind colons: springs,dispersion:cheap,fem:trilinear:neo-hookean\n"
    "                           and levels of detail of bodies that have them: lod:0,lod:1,lod:2\n"
    "  -r, --reference M        what to compare with; default: the last of the list\n"
    "  -n, --modes N            natural frequencies about the start, 0 to 100; default 3\n"
    "  -o, --output DIR         where to write; default out/NAME-compare for NAME.yaml\n"
    "  -t, --threads N          threads; 0: as many as the process may use; never changes a displacement\n"
    "  -p, --precision P        single or double\n"
    "  -u, --until T            end at the simulated time T [s] instead of time.duration\n"
    "  -s, --set KEY=VALUE      change a value of the scene; may be repeated\n"
    "      --json               print one JSON object instead of the tables\n"
    "      --progress           show progress also when stderr is not a terminal\n"
    "  -q, --quiet              no progress, no tables\n"
    "  -h, --help               this text\n"
    "\n"
    "files in DIR:\n"
    "  compare.csv              a row for every model: errors, nodes, memory, seconds, frequencies\n"
    "  compare.json             what --json prints\n"
    "  errors.csv               the errors in every frame\n"
    "  compare.pvd              for ParaView, with compare_N.vtu: the nodes of the reference at rest, u_MODEL, its\n"
    "                           difference du_MODEL and the length of that, error_MODEL (filter Warp By Vector)\n"
    "  compare.png              all models side by side at the end, coloured by error\n"
    "\n"
    "A model that cannot be built, or that fails on the way, says so in its row; the others go on. Bodies of explicit\n"
    "networks keep their springs. What an earlier comparison left in DIR is removed.\n"
    "\n"
    "exit status: 0 success; 1 the reference or all others failed on the way; 2 bad input or usage, a reference that\n"
    "cannot be built, or a file that cannot be read or written.\n";

static const struct option options[] = {
    { "models", required_argument, NULL, 'm' },
    { "reference", required_argument, NULL, 'r' },
    { "modes", required_argument, NULL, 'n' },
    { NULL, 0, NULL, 0 },
};

typedef struct Request
{
    cliCompare compare;
    char* models;
    char* reference;  // NULL: the last
    cliShow show;
} Request;

// ---- what is asked for ----------------------------------------------------------------------------------------------

static const char* ReadValue(void* context, int option, char* value)
{
    Request* request = context;
    switch (option)
    {
        case 'm': request->models = value; return NULL;
        case 'r': request->reference = value; return NULL;
        case 'n':
            return cliParseInteger(value, 0, RSL_MODES_MOST, &request->compare.modes) ? NULL
                                                                                      : "a number of modes, 0 to 100";
        case 'o': return cliPath_ReadFolder(&request->compare.directory, value);
        default:
            return cliShow_Read(&request->show, option) ? NULL
                                                        : cliWishes_Read(&request->compare.wishes, option, value);
    }
}

// Names that differ only in what stands between their words are the same.
static bool IsSame(const char* a, const char* b)
{
    static const char between[] = ":-_=";
    while (*a != 0 && (*a == *b || (strchr(between, *a) != NULL && *b != 0 && strchr(between, *b) != NULL)))
    {
        a += 1;
        b += 1;
    }
    return *a == 0 && *b == 0;
}

static int FindContender(const cliCompare* compare, const char* name)
{
    int found = compare->count - 1;
    while (found >= 0 && !IsSame(compare->list[found].name, name))
    {
        found -= 1;
    }
    return found;
}

// The lattice of springs is what others call a lattice.
static rslStatus ReadModel(const char* name, rslModelDef* model, rslReport* report)
{
    static const char synonym[] = "lattice";
    char text[CLI_COMPARE_NAME + 8];
    bool same = strncmp(name, synonym, sizeof synonym - 1) == 0 &&
                (name[sizeof synonym - 1] == 0 || name[sizeof synonym - 1] == ':');
    snprintf(text, sizeof text, "%s%s", same ? "springs" : "", same ? name + sizeof synonym - 1 : name);
    return rslModelDef_Read(text, NULL, model, report);
}

// "lod:2" is a level of detail. False: it is none; bad ones have a level that no scene has.
static bool ReadLevel(const char* name, int* level)
{
    bool is = strncmp(name, "lod:", 4) == 0;
    if (is && !cliParseInteger(name + 4, 0, RSL_LEVELS_MOST - 1, level))
    {
        *level = RSL_LEVELS_MOST;
    }
    return is;
}

// Returns -1 to go on, or the exit status.
static int AddContender(const cliCommand* command, cliCompare* compare, const char* name)
{
    name += strspn(name, " ");
    rslReport report = { 0 };
    if (compare->count == CLI_COMPARE_MOST || strlen(name) >= CLI_COMPARE_NAME)
    {
        return cliBadUsage(command, "at most %d models, each of at most %d letters", CLI_COMPARE_MOST,
                           CLI_COMPARE_NAME - 1);
    }
    if (FindContender(compare, name) >= 0)
    {
        return cliBadUsage(command, "the model %s is named twice", name);
    }
    cliContender* c = &compare->list[compare->count];
    c->level = -1;
    if (!ReadLevel(name, &c->level) && ReadModel(name, &c->model, &report) != rsl_ok)
    {
        const char* error = cliReport_FirstError(&report);
        return cliBadUsage(command, "%s", error != NULL ? error : "out of memory");
    }
    snprintf(c->name, sizeof c->name, "%s", name);
    compare->count += 1;
    return -1;
}

static int ListContenders(const cliCommand* command, Request* request)
{
    cliCompare* compare = &request->compare;
    int status = -1;
    char* name = request->models != NULL ? strtok(request->models, ",") : NULL;
    for (; status < 0 && name != NULL; name = strtok(NULL, ","))
    {
        status = AddContender(command, compare, name);
    }
    if (status < 0 && compare->count == 0)
    {
        return cliBadUsage(command, "there is nothing to compare: --models springs,fem would name two models");
    }
    compare->reference = compare->count - 1;
    if (status < 0 && request->reference != NULL)
    {
        compare->reference = FindContender(compare, request->reference);
        if (compare->reference < 0)
        {
            compare->reference = compare->count;
            status = AddContender(command, compare, request->reference);
        }
    }
    if (status < 0 && compare->count < 2)
    {
        return cliBadUsage(command, "only one model: name another in --models or --reference");
    }
    return status;
}

static int ReadOptions(const cliCommand* command, int argc, char** argv, Request* request)
{
    cliCompare* compare = &request->compare;
    int status = cliReadCommand(command, argc, argv, ReadValue, request, "scene file", &compare->path);
    if (status >= 0)
    {
        return status;
    }
    if (compare->directory.text[0] == 0)
    {
        compare->directory = cliPath_Join("out", "%.400s-compare", cliPath_Stem(compare->path).text);
    }
    cliShow_Settle(&request->show);
    return ListContenders(command, request);
}

// ---- the command ----------------------------------------------------------------------------------------------------

static void RemoveOld(const char* directory)
{
    static const char* const names[] = { "compare.csv", "compare.json", "errors.csv", "compare.pvd", "compare.png" };
    cliPath_RemoveNumbered(directory, "compare_", ".vtu", 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        unlink(cliPath_Join(directory, "%s", names[i]).text);
    }
}

static rslStatus Prepare(cliCompare* compare, rslReport* report)
{
    const rslScene* scene = &compare->original.scene;
    int choices = 0;
    for (int b = 0; b < scene->bodyCount; ++b)
    {
        choices += scene->bodies[b].network.type != rsl_explicitNetwork;
    }
    for (int i = 0; i < compare->count; ++i)
    {
        int levels = rslScene_Levels(scene);
        if (compare->list[i].level >= levels)
        {
            rslReport_Add(report, rsl_error, (rslPlace){ 0 },
                          "there is no %s: the bodies have %d level%s of detail, counted from 0", compare->list[i].name,
                          levels, levels == 1 ? "" : "s");
            return rsl_badInput;
        }
    }
    if (choices == 0)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 },
                      "no body has a choice of models: explicit networks are what they list");
        return rsl_badInput;
    }
    rslStatus status = cliPath_MakeDirectory(compare->directory.text, report);
    if (status == rsl_ok)
    {
        RemoveOld(compare->directory.text);
    }
    return status;
}

// Whether a contender beside the reference came to the end.
static rslStatus Outcome(const cliCompare* compare)
{
    rslStatus status = rsl_diverged;
    for (int i = 0; i < compare->count && status != rsl_ok; ++i)
    {
        status = i != compare->reference ? compare->list[i].status : status;
    }
    return status;
}

static rslStatus PutJson(FILE* file, const void* context, rslReport* report)
{
    cliCompare_Json(context, Outcome(context), report, file);
    return rsl_ok;
}

static rslStatus Write(const cliCompare* compare, rslReport* report)
{
    const char* directory = compare->directory.text;
    rslStatus status = cliCompare_WriteTables(compare, report);
    status = status == rsl_ok ? cliCompare_WriteSeries(compare, report) : status;
    status = status == rsl_ok ? cliCompare_Draw(compare, cliPath_Join(directory, "compare.png").text, report) : status;
    return status == rsl_ok ? cliFile_Compose(cliPath_Join(directory, "compare.json").text, PutJson, compare, report)
                            : status;
}

static int Execute(Request* request)
{
    cliCompare* compare = &request->compare;
    compare->ticker = cliTicker_Begin(request->show.progress);
    rslStatus status = cliLoaded_Read(&compare->original, compare->path, &compare->wishes);
    rslReport report = compare->original.report;
    bool read = status == rsl_ok;
    status = read ? Prepare(compare, &report) : status;
    status = status == rsl_ok ? cliCompare_Build(compare, &report) : status;
    bool built = status == rsl_ok;
    status = built ? cliCompare_Run(compare, &report) : status;
    bool ran = built && (status == rsl_ok || cliExit(status) == cli_failed);
    if (status == rsl_ok)
    {
        status = Write(compare, &report);
        status = status == rsl_ok ? Outcome(compare) : status;
    }
    cliReport_Print(&report);
    if (request->show.json)
    {
        cliCompare_Json(compare, status, &report, stdout);
    }
    else if (ran && !request->show.quiet)
    {
        cliCompare_Print(compare);
    }
    return cliExit(status);
}

static int Compare(const cliCommand* command, int argc, char** argv)
{
    Request request = { .compare = { .modes = 3, .wishes = cliWishes_Default() } };
    int status = ReadOptions(command, argc, argv, &request);
    if (status < 0)
    {
        status = Execute(&request);
    }
    cliCompare_Free(&request.compare);
    return status;
}

const cliCommand cliCompareCommand = {
    .name = "compare",
    .brief = "one scene with several models, and how far they are from one another",
    .help = help,
    .options = options,
    .shared = "output threads precision until set json progress quiet",
    .run = Compare,
};
