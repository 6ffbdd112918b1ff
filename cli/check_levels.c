// SPDX-License-Identifier: MIT
//
// check_levels.c: the levels of detail of a scene, as `resilin check` tells them: each is built and timed as --lod N would be.

#include "check.h"
#include "json.h"
#include "number.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- finding --------------------------------------------------------------------------------------------------------

static const double seconds = 0.05;  // to time the steps of a level for

static void NoteBodies(const cliCheckFacts* facts, const rslModel* model, int level, cliLevelBody* rows)
{
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBodyDef* def = &facts->loaded->scene.bodies[b];
        const rslBody* body = &model->bodies[b];
        rows[b] = (cliLevelBody){ .name = def->name,
                                  .factor = level < def->lodCount ? def->lod[level] : NAN,
                                  .nodes = body->nodeCount,
                                  .mass = body->mass,
                                  .spacing = body->spacing,
                                  .young = body->young,
                                  .poisson = body->poisson };
    }
}

static void BuildLevel(const cliCheckFacts* facts, const cliWishes* wishes, rslBodyDef* bodies, int level,
                       cliLevelFacts* found, cliLevelBody* rows)
{
    cliLoaded loaded = { .scene = facts->loaded->scene };
    memcpy(bodies, loaded.scene.bodies, sizeof(rslBodyDef) * (size_t)loaded.scene.bodyCount);
    loaded.scene.bodies = bodies;
    loaded.scene.arena = NULL;  // it belongs to the original
    loaded.scene.time.integrator = facts->loaded->automatic ? rsl_autoIntegrator : loaded.scene.time.integrator;
    rslScene_SetLevel(&loaded.scene, level);
    found->status = cliLoaded_Build(&loaded, wishes);
    if (found->status == rsl_ok)
    {
        NoteBodies(facts, loaded.model, level, rows);
        found->nodes = loaded.model->nodeCount;
        found->stableStep = rslSolver_Stability(loaded.solver).stableStep;
        found->step = rslSolver_Stability(loaded.solver).step;
        found->integrator = loaded.scene.time.integrator;
        found->cost = cliCheck_TimeSteps(&loaded, seconds) / found->step;
    }
    else
    {
        const char* error = cliReport_FirstError(&loaded.report);
        snprintf(found->message, sizeof found->message, "%s", error != NULL ? error : rslStatus_Name(found->status));
    }
    loaded.scene = (rslScene){ 0 };
    cliLoaded_Free(&loaded);
}

bool cliCheckLevels_Find(cliCheckLevels* levels, const cliCheckFacts* facts, const cliWishes* wishes)
{
    const rslScene* scene = &facts->loaded->scene;
    size_t count = (size_t)rslScene_Levels(scene), bodyCount = (size_t)scene->bodyCount;
    *levels = (cliCheckLevels){ .bodyCount = (int)bodyCount };
    if (count < 2)
    {
        return true;
    }
    rslBodyDef* bodies = malloc(sizeof(rslBodyDef) * bodyCount);
    levels->list = calloc(count, sizeof(cliLevelFacts));
    levels->bodies = calloc(count * bodyCount, sizeof(cliLevelBody));
    bool good = bodies != NULL && levels->list != NULL && levels->bodies != NULL;
    for (size_t i = 0; good && i < count; ++i)
    {
        BuildLevel(facts, wishes, bodies, (int)i, &levels->list[i], levels->bodies + i * bodyCount);
        levels->count += 1;
    }
    free(bodies);
    return good;
}

void cliCheckLevels_Free(cliCheckLevels* levels)
{
    free(levels->list);
    free(levels->bodies);
    *levels = (cliCheckLevels){ 0 };
}

// ---- telling --------------------------------------------------------------------------------------------------------

static void AddTimes(cliTable* table, const cliLevelFacts* level, bool first)
{
    cliTable_Add(table, "%s", !first ? "" : isinf(level->stableStep) ? "any" : cliSi(level->stableStep, "s").text);
    cliTable_Add(table, "%s", first ? cliSi(level->step, "s").text : "");
    cliTable_Add(table, "%s", first && level->cost > 0 ? cliDuration(level->cost).text : "");
}

static void AddLevel(cliTable* table, const cliCheckLevels* levels, int index)
{
    const cliLevelFacts* level = &levels->list[index];
    bool first = true;
    for (int b = 0; b < levels->bodyCount; ++b)
    {
        const cliLevelBody* body = &levels->bodies[index * levels->bodyCount + b];
        if (level->status != rsl_ok || !isfinite(body->factor))
        {
            continue;
        }
        cliTable_Add(table, "%d", index);
        cliTable_Add(table, "%s", body->name);
        cliTable_Add(table, "%.4g", body->factor);
        cliTable_Add(table, "%s", cliCount((uint64_t)body->nodes).text);
        cliTable_Add(table, "%.7g", body->mass);
        cliTable_Add(table, "%s", cliFigure(body->spacing).text);
        cliTable_Add(table, "%s", cliFigure(body->young).text);
        cliTable_Add(table, "%s", body->poisson == 0 ? "0" : cliFigure(body->poisson).text);
        AddTimes(table, level, first);
        first = false;
    }
}

void cliCheckLevels_Print(const cliCheckLevels* levels)
{
    static const char* const head[] = { "--lod",  "body", "lod",         "nodes", "mass [kg]",       "spacing [m]",
                                        "E [Pa]", "nu",   "stable step", "step",  "1 s of motion in" };
    cliTable table = { .columns = sizeof head / sizeof head[0] };
    if (levels->count == 0)
    {
        return;
    }
    putchar('\n');
    for (int i = 0; i < table.columns; ++i)
    {
        cliTable_Add(&table, "%s", head[i]);
    }
    for (int i = 0; i < levels->count; ++i)
    {
        AddLevel(&table, levels, i);
    }
    cliTable_Print(&table);
    cliTable_Free(&table);
    for (int i = 0; i < levels->count; ++i)
    {
        if (levels->list[i].status != rsl_ok)
        {
            printf("  --lod %d CANNOT BE BUILT: %s\n", i, levels->list[i].message);
        }
    }
}

static void BodyJson(const cliLevelBody* body, cliJson* json)
{
    cliJson_Begin(json, NULL);
    cliJson_Text(json, "name", body->name);
    cliJson_Number(json, "lod", body->factor);
    cliJson_Count(json, "nodes", (uint64_t)body->nodes);
    cliJson_Number(json, "mass", body->mass);
    cliJson_Number(json, "spacing", body->spacing);
    cliJson_Number(json, "young", body->young);
    cliJson_Number(json, "poisson", body->poisson);
    cliJson_End(json);
}

void cliCheckLevels_Json(const cliCheckLevels* levels, cliJson* json)
{
    cliJson_BeginList(json, "levels");
    for (int i = 0; i < levels->count; ++i)
    {
        const cliLevelFacts* level = &levels->list[i];
        cliJson_Begin(json, NULL);
        cliJson_Count(json, "level", (uint64_t)i);
        cliJson_Text(json, "status", rslStatus_Name(level->status));
        if (level->status == rsl_ok)
        {
            cliJson_Count(json, "nodes", (uint64_t)level->nodes);
            cliJson_Text(json, "integrator", cliIntegratorWord(level->integrator));
            cliJson_Number(json, "stable_step", level->stableStep);
            cliJson_Number(json, "step", level->step);
            cliJson_Number(json, "seconds_per_second", level->cost > 0 ? level->cost : NAN);
            cliJson_BeginList(json, "bodies");
            for (int b = 0; b < levels->bodyCount; ++b)
            {
                BodyJson(&levels->bodies[i * levels->bodyCount + b], json);
            }
            cliJson_End(json);
        }
        else
        {
            cliJson_Text(json, "message", level->message);
        }
        cliJson_End(json);
    }
    cliJson_End(json);
}
