// SPDX-License-Identifier: MIT
//
// check.c: `resilin check`: what a scene will do, before it runs.

#include "check.h"

#include "json.h"
#include "number.h"
#include "schedule.h"

#include <math.h>

static const char help[] =
    "usage: resilin check SCENE [OPTIONS]\n"
    "\n"
    "Build a scene without running it and print what it will do: nodes, springs, the moduli that the network will\n"
    "have beside those that were asked for, wave speed, memory, stable step, worst spring, time and disk space "
    "needed,\n"
    "and what other levels of detail would be and cost.\n"
    "Every problem is printed with file, line and column. SCENE may be - for standard input.\n"
    "\n"
    "  -t, --threads N          threads; 0: as many as the process may use\n"
    "  -p, --precision P        single or double\n"
    "  -u, --until T            end at the simulated time T [s] instead of time.duration\n"
    "  -s, --set KEY=VALUE      change a value of the scene; may be repeated\n"
    "      --lod N              build level of detail N, from 0, of bodies that have levels\n"
    "      --json               print one JSON object\n"
    "  -h, --help               this text\n"
    "\n"
    "exit status: 0 the scene can be run; 2 it has errors.\n";

// ---- facts ----------------------------------------------------------------------------------------------------------

typedef struct Search
{
    const double* mass;
    cliWorstSpring worst;
} Search;

// The highest frequency of a pair of masses on a spring is sqrt(k (1/ma + 1/mb)): the spring with the largest asks for
// the smallest step.
static bool VisitSpring(const rslSpring* spring, void* context)
{
    Search* search = context;
    double rate = spring->stiffness * (1 / search->mass[spring->a] + 1 / search->mass[spring->b]);
    if (search->worst.a < 0 || rate > search->worst.rate)
    {
        search->worst = (cliWorstSpring){ spring->a, spring->b, spring->stiffness, spring->restLength, rate };
    }
    return true;
}

static cliWorstSpring FindWorstSpring(const rslModel* model)
{
    Search search = { .mass = model->mass, .worst = { .a = -1, .b = -1 } };
    for (int i = 0; i < model->bodyCount; ++i)
    {
        if (model->bodies[i].elements.count == 0 && model->bodies[i].model != rsl_rigidModel)
        {
            rslModel_VisitSprings(model, i, VisitSpring, &search);
        }
    }
    return search.worst;
}

// Seconds a step, from a few steps of a copy of the state. The first burst warms up and is not counted.
double cliCheck_TimeSteps(const cliLoaded* loaded, double budget)
{
    rslState* copy = NULL;
    bool atRest =
        loaded->scene.time.integrator == rsl_static;  // an increment is the whole work, and none like the next
    if (atRest || rslState_Create(loaded->model, loaded->state->precision, NULL, &copy) != rsl_ok)
    {
        return 0;
    }
    double begun = cliClock(), counted = begun, now = begun;
    int64_t taken = 0;
    rslStatus status = rslSolver_Step(loaded->solver, copy, 1);
    now = cliClock();
    double first = now - begun;
    counted = now;
    for (int64_t burst = 1; status == rsl_ok && 2 * (now - counted) < budget && now - begun < budget; burst *= 2)
    {
        status = rslSolver_Step(loaded->solver, copy, burst);
        taken += burst;
        now = cliClock();
    }
    rslState_Free(copy);
    return taken > 0 ? (now - counted) / (double)taken : first;
}

// Sizes of our own formats: see export_vtu.c, export_pc2.c.
static double FrameBytes(const cliLoaded* loaded)
{
    const rslOutputDef* output = &loaded->scene.output;
    const rslModel* model = loaded->model;
    double vertices = 0, triangles = 0, bytes = 0;
    for (int i = 0; i < model->bodyCount; ++i)
    {
        vertices += rslBody_Drawn(&model->bodies[i])->vertexCount;
        triangles += rslBody_Drawn(&model->bodies[i])->triangleCount;
    }
    if (output->vtu)
    {
        const rslFieldSet* f = &output->fields;
        double point =
            48.0 + 24 * (f->stress + f->strain) + 4 * (f->vonMises + f->modulus) + 12 * f->principal + 24 * f->contact;
        bytes += 2000 + point * (model->nodeCount + vertices) + 17.0 * (double)model->springCount + 21 * triangles;
    }
    bytes += output->pc2 || output->glb ? 12 * vertices : 0;
    return bytes + (output->glb ? 24 * vertices : 0);
}

static void EstimateOutput(cliCheckFacts* facts)
{
    const rslOutputDef* output = &facts->loaded->scene.output;
    cliSchedule frames = { .rate = output->frames, .step = facts->step };
    cliSchedule rows = { .rate = isnan(output->samples) ? output->frames : output->samples, .step = facts->step };
    facts->frames = cliSchedule_Count(&frames, facts->steps);
    facts->rows = output->energy || output->probeCount > 0 ? cliSchedule_Count(&rows, facts->steps) : 0;
    double rowBytes = (output->energy ? 22 : 0) * 20.0 + 10.0 * 20 * output->probeCount;
    facts->outputBytes =
        (double)facts->frames * FrameBytes(facts->loaded) + (double)facts->rows * rowBytes + (double)facts->stateBytes;
}

static cliCheckFacts FindFacts(const char* path, const cliLoaded* loaded)
{
    cliCheckFacts facts = { .path = path, .loaded = loaded };
    facts.stability = rslSolver_Stability(loaded->solver);
    facts.step = facts.stability.step;
    facts.steps = cliStepAt(loaded->scene.time.duration, facts.step);
    facts.worst = FindWorstSpring(loaded->model);
    facts.secondsPerStep = cliCheck_TimeSteps(loaded, 0.3);
    facts.estimate = facts.secondsPerStep * (double)facts.steps;
    facts.stateBytes = rslState_Save(loaded->state, NULL, 0);
    facts.solverBytes = rslSolver_Bytes(loaded->solver);
    EstimateOutput(&facts);
    return facts;
}

// ---- the command ----------------------------------------------------------------------------------------------------

static void PrintJsonFailure(const char* path, rslStatus status, const rslReport* report)
{
    cliJson json = { .file = stdout };
    cliJson_Begin(&json, NULL);
    cliJson_Text(&json, "status", rslStatus_Name(status));
    cliJson_Text(&json, "scene", path);
    cliJson_Messages(&json, "messages", report);
    cliJson_End(&json);
}

static int Execute(const char* path, const cliWishes* wishes, bool json)
{
    cliLoaded loaded;
    rslStatus status = cliLoaded_Open(&loaded, path, wishes);
    cliReport_Print(&loaded.report);
    if (status == rsl_ok)
    {
        cliCheckLevels levels;
        cliCheckFacts facts = FindFacts(path, &loaded);
        status = cliCheckLevels_Find(&levels, &facts, wishes) ? rsl_ok : rsl_outOfMemory;
        (json ? cliCheck_Json : cliCheck_Print)(&facts, &levels);
        cliCheckLevels_Free(&levels);
    }
    else if (json)
    {
        PrintJsonFailure(path, status, &loaded.report);
    }
    else
    {
        cliError("%s has %d error%s", path, loaded.report.errors, loaded.report.errors == 1 ? "" : "s");
    }
    cliLoaded_Free(&loaded);
    return cliExit(status);
}

typedef struct Request
{
    cliWishes wishes;
    bool json;
} Request;

static const char* ReadOption(void* context, int option, char* value)
{
    Request* request = context;
    request->json = request->json || option == CLI_JSON;
    return option == CLI_JSON ? NULL : cliWishes_Read(&request->wishes, option, value);
}

static int Check(const cliCommand* command, int argc, char** argv)
{
    Request request = { .wishes = cliWishes_Default() };
    request.wishes.paced = true;
    const char* scene;
    int status = cliReadCommand(command, argc, argv, ReadOption, &request, "scene file", &scene);
    if (status < 0)
    {
        status = Execute(scene, &request.wishes, request.json);
    }
    cliOverrides_Free(&request.wishes.overrides);
    return status;
}

const cliCommand cliCheckCommand = {
    .name = "check",
    .brief = "what a scene will do, before it runs",
    .help = help,
    .shared = "threads precision until set json lod",
    .run = Check,
};
