// SPDX-License-Identifier: MIT
//
// modes.c: `resilin modes`: the lowest natural frequencies of a scene.

#include "loaded.h"

#include "json.h"
#include "number.h"
#include "path.h"
#include "table.h"

#include <math.h>
#include <string.h>

static const char help[] =
    "usage: resilin modes SCENE [OPTIONS]\n"
    "\n"
    "Print the lowest natural frequencies of a scene about its start or a later state, with damping ratios. Pins, "
    "links,\n"
    "ground and stretched springs count as they are; motions that cost nothing are counted and left out. SCENE may be\n"
    "- for standard input.\n"
    "\n"
    "  -n, --count N            how many, 1 to 100; default 10\n"
    "      --tolerance T        of the residual of each, 1e-9 to 0.1; default 1e-3: frequencies to about 6 digits\n"
    "      --solver NAME        lobpcg (default), or slepc where it is built in: a second opinion, slower\n"
    "      --at T               simulate the scene until the time T [s] first; with integrator: static, its rest\n"
    "  -o, --output DIR         write every mode for ParaView: mode_NN.vtu and surface_NN.vtu, whose velocity is the "
    "shape,\n"
    "                           as long as a tenth of the scene (filter Warp By Vector)\n"
    "  -t, --threads N          threads; 0: as many as the process may use\n"
    "  -s, --set KEY=VALUE      change a value of the scene; may be repeated\n"
    "      --lod N              build level of detail N, from 0, of bodies that have levels\n"
    "      --json               print one JSON object\n"
    "  -h, --help               this text\n"
    "\n"
    "A negative frequency belongs to a state that is about to buckle: minus the rate at which it leaves, over 2 pi.\n"
    "\n"
    "exit status: 0 all were found; 1 the search did not converge; 2 bad input or usage.\n";

enum
{
    OPTION_TOLERANCE = CLI_OPTION,
    OPTION_SOLVER,
    OPTION_AT,
};

static const struct option options[] = {
    { "count", required_argument, NULL, 'n' },
    { "tolerance", required_argument, NULL, OPTION_TOLERANCE },
    { "solver", required_argument, NULL, OPTION_SOLVER },
    { "at", required_argument, NULL, OPTION_AT },
    { NULL, 0, NULL, 0 },
};

typedef struct Request
{
    cliWishes wishes;
    rslModesDef def;
    double at;              // [s]; 0: the start
    const char* directory;  // NULL: nothing is written
    bool json;
} Request;

// ---- printing -------------------------------------------------------------------------------------------------------

static void PrintTable(const rslModes* modes, double seconds)
{
    static const char* const head[] = { "mode", "frequency [Hz]", "period", "damping ratio", "residual" };
    cliTable table = { .columns = 5 };
    for (int i = 0; i < 5; ++i)
    {
        cliTable_Add(&table, "%s", head[i]);
    }
    for (int c = 0; c < modes->count; ++c)
    {
        double f = modes->frequency[c];
        cliTable_Add(&table, "%d", c + 1);
        cliTable_Add(&table, "%.6g", f);
        cliTable_Add(&table, "%s", f > 0 ? cliSi(1 / f, "s").text : "-");
        cliTable_Add(&table, "%.4g", modes->dampingRatio[c]);
        cliTable_Add(&table, "%.1e", modes->residual[c]);
    }
    cliTable_Print(&table);
    cliTable_Free(&table);
    printf("\n%s nodes; %d motion%s cost%s nothing; %d iterations of %s in %s\n",
           cliCount((uint64_t)modes->nodeCount).text, modes->zeroCount, modes->zeroCount == 1 ? "" : "s",
           modes->zeroCount == 1 ? "s" : "", modes->iterations, modes->solver, cliDuration(seconds).text);
}

static void PrintJson(const char* path, rslStatus status, const rslModes* modes, const rslReport* report)
{
    cliJson json = { .file = stdout };
    cliJson_Begin(&json, NULL);
    cliJson_Text(&json, "status", rslStatus_Name(status));
    cliJson_Text(&json, "scene", path);
    if (modes != NULL)
    {
        cliJson_Count(&json, "nodes", (uint64_t)modes->nodeCount);
        cliJson_Count(&json, "zero_modes", (uint64_t)modes->zeroCount);
        cliJson_Text(&json, "solver", modes->solver);
        cliJson_Count(&json, "iterations", (uint64_t)modes->iterations);
        cliJson_BeginList(&json, "modes");
        for (int c = 0; c < modes->count; ++c)
        {
            cliJson_Begin(&json, NULL);
            cliJson_Number(&json, "frequency", modes->frequency[c]);
            cliJson_Number(&json, "damping_ratio", modes->dampingRatio[c]);
            cliJson_Number(&json, "residual", modes->residual[c]);
            cliJson_End(&json);
        }
        cliJson_End(&json);
    }
    cliJson_Messages(&json, "messages", report);
    cliJson_End(&json);
}

// ---- files ----------------------------------------------------------------------------------------------------------

// The longest side of the box around all nodes, and the longest vector of a shape.
static double SizeOf(const rslSnapshot* snapshot)
{
    double size = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < snapshot->nodeCount; ++i)
        {
            low = fmin(low, snapshot->positions[3 * (size_t)i + (size_t)axis]);
            high = fmax(high, snapshot->positions[3 * (size_t)i + (size_t)axis]);
        }
        size = fmax(size, high - low);
    }
    return size > 0 ? size : 1;
}

static double LongestOf(const rslModes* modes, int mode)
{
    double longest = 0;
    for (int i = 0; i < modes->nodeCount; ++i)
    {
        rslVec3 x = rslModes_Shape(modes, mode, i);
        longest = fmax(longest, sqrt(x.x * x.x + x.y * x.y + x.z * x.z));
    }
    return longest;
}

static rslStatus WriteMode(const char* directory, const rslModes* modes, int mode, rslSnapshot* snapshot, double size,
                           rslReport* report)
{
    size_t count = 3 * (size_t)modes->nodeCount;
    double scale = 0.1 * size / LongestOf(modes, mode);
    for (size_t i = 0; i < count; ++i)
    {
        snapshot->velocities[i] = scale * modes->shapes[(size_t)mode * count + i];
    }
    cliPath path = cliPath_Join(directory, "mode_%02d.vtu", mode + 1);
    rslStatus status = rslVtu_WriteNodes(path.text, snapshot, report);
    if (status == rsl_ok && snapshot->triangleCount > 0)
    {
        path = cliPath_Join(directory, "surface_%02d.vtu", mode + 1);
        status = rslVtu_WriteSurface(path.text, snapshot, report);
    }
    return status;
}

static rslStatus WriteModes(const char* directory, const cliLoaded* loaded, const rslModes* modes, rslReport* report)
{
    rslSnapshot* snapshot = NULL;
    cliPath_RemoveNumbered(directory, "mode_", ".vtu", modes->count + 1);
    cliPath_RemoveNumbered(directory, "surface_", ".vtu", modes->count + 1);
    rslStatus status = rslSnapshot_Create(loaded->model, true, NULL, &snapshot);
    if (status != rsl_ok)
    {
        return status;
    }
    rslSnapshot_Take(snapshot, loaded->solver, loaded->state);
    for (int c = 0; status == rsl_ok && c < modes->count; ++c)
    {
        status = WriteMode(directory, modes, c, snapshot, SizeOf(snapshot), report);
    }
    rslSnapshot_Free(snapshot);
    return status;
}

// ---- the command ----------------------------------------------------------------------------------------------------

static rslStatus Find(cliLoaded* loaded, const Request* request, rslModes** modes)
{
    rslReport* report = &loaded->report;
    rslModesDef def = request->def;
    def.eigen = rslSlepc_Eigen();
    rslStatus status = request->directory != NULL ? cliPath_MakeDirectory(request->directory, report) : rsl_ok;
    status = status == rsl_ok && request->at > 0 ? cliLoaded_RunTo(loaded, request->at, report) : status;
    def.threads = cliWishes_Threads(&request->wishes, &loaded->scene);
    if (status == rsl_ok)
    {
        status = rslModes_Find(loaded->model, loaded->state, &def, NULL, modes, report);
    }
    if (*modes != NULL && request->directory != NULL)
    {
        rslStatus written = WriteModes(request->directory, loaded, *modes, report);
        status = written != rsl_ok ? written : status;
    }
    if (status != rsl_ok && status != rsl_notConverged && report->errors == 0)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%s", rslStatus_Name(status));
    }
    return status;
}

static int Execute(const char* path, Request* request)
{
    cliLoaded loaded;
    rslModes* modes = NULL;
    request->wishes.still = !(request->at > 0);
    rslStatus status = cliLoaded_Open(&loaded, path, &request->wishes);
    double begun = cliClock();
    status = status == rsl_ok ? Find(&loaded, request, &modes) : status;
    cliReport_Print(&loaded.report);
    if (request->json)
    {
        PrintJson(path, status, modes, &loaded.report);
    }
    else if (modes != NULL)
    {
        PrintTable(modes, cliClock() - begun);
    }
    rslModes_Free(modes);
    cliLoaded_Free(&loaded);
    return cliExit(status);
}

// NULL, or what was expected.
static const char* ReadOption(void* context, int option, char* value)
{
    Request* request = context;
    rslModesDef* def = &request->def;
    switch (option)
    {
        case 'n': return cliParseInteger(value, 1, RSL_MODES_MOST, &def->count) ? NULL : "a number of modes, 1 to 100";
        case OPTION_TOLERANCE:
            return cliParseNumber(value, &def->tolerance) && def->tolerance >= 1e-9 && def->tolerance <= 0.1
                       ? NULL
                       : "a tolerance, 1e-9 to 0.1";
        case OPTION_SOLVER:
            def->solver = strcmp(value, "slepc") == 0 ? rsl_slepcModes : rsl_lobpcgModes;
            return def->solver == rsl_slepcModes || strcmp(value, "lobpcg") == 0 ? NULL : "lobpcg or slepc";
        case OPTION_AT:
            return cliParseNumber(value, &request->at) && request->at >= 0 && isfinite(request->at)
                       ? NULL
                       : "a time in seconds, not negative";
        case 'o': request->directory = value; return NULL;
        case CLI_JSON: request->json = true; return NULL;
        default: return cliWishes_Read(&request->wishes, option, value);
    }
}

static int Modes(const cliCommand* command, int argc, char** argv)
{
    Request request = { .wishes = cliWishes_Default(), .def = rslDefaultModesDef() };
    const char* scene;
    int status = cliReadCommand(command, argc, argv, ReadOption, &request, "scene file", &scene);
    if (status < 0)
    {
        status = Execute(scene, &request);
    }
    cliOverrides_Free(&request.wishes.overrides);
    return status;
}

const cliCommand cliModesCommand = {
    .name = "modes",
    .brief = "the lowest natural frequencies and their shapes",
    .help = help,
    .options = options,
    .shared = "output threads set json lod",
    .run = Modes,
};
