// SPDX-License-Identifier: MIT
//
// compare_build.c: build the contenders, agree on a step, find the nodes of the reference in all of them.
//
// All take the same step, the least of those they would choose: their frames are then at the same times, and what differs
// is the model alone.

#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cliContender_Fail(cliContender* c, rslStatus status, const rslReport* report)
{
    const char* error = cliReport_FirstError(report);
    c->status = status;
    snprintf(c->message, sizeof c->message, "%s", error != NULL ? error : rslStatus_Name(status));
}

// The scene with this model in every body that has a choice: explicit networks are springs. Or at this level of detail.
static rslStatus GiveModel(cliContender* c, const rslScene* scene)
{
    c->bodies = malloc(sizeof(rslBodyDef) * ((size_t)scene->bodyCount + 1));
    if (c->bodies == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int b = 0; b < scene->bodyCount; ++b)
    {
        c->bodies[b] = scene->bodies[b];
        if (c->level < 0 && scene->bodies[b].network.type != rsl_explicitNetwork)
        {
            c->bodies[b].model = c->model;
            c->bodies[b].model.place = scene->bodies[b].place;
        }
    }
    c->loaded.scene = *scene;
    c->loaded.scene.bodies = c->bodies;
    if (c->level >= 0)
    {
        rslScene_SetLevel(&c->loaded.scene, c->level);
    }
    c->loaded.scene.arena = NULL;  // it belongs to the original
    return rsl_ok;
}

static bool HasSaid(const cliContender* c, const char* text)
{
    const rslReport* report = &c->loaded.report;
    int i = 0;
    while (i < report->count && strcmp(report->messages[i].text, text) != 0)
    {
        i += 1;
    }
    return i < report->count;
}

// A warning or note once, with the names of those it comes from unless it comes from all.
static void HandOver(const cliCompare* compare, int first, const rslMessage* message, rslReport* report)
{
    char names[128] = "";
    bool all = first == 0;
    for (int i = first; i < compare->count; ++i)
    {
        bool said = HasSaid(&compare->list[i], message->text);
        size_t used = strlen(names);
        if (said)
        {
            snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", compare->list[i].name);
        }
        all = all && (said || compare->list[i].status != rsl_ok);
    }
    rslReport_Add(report, message->severity, message->place, "%s%s%s", all ? "" : names, all ? "" : ": ",
                  message->text);
}

static void HandOverAll(const cliCompare* compare, rslReport* report)
{
    for (int i = 0; i < compare->count; ++i)
    {
        const rslReport* own = &compare->list[i].loaded.report;
        for (int m = 0; m < own->count; ++m)
        {
            bool heard = own->messages[m].severity == rsl_error;
            for (int k = 0; !heard && k < i; ++k)
            {
                heard = HasSaid(&compare->list[k], own->messages[m].text);
            }
            if (!heard)
            {
                HandOver(compare, i, &own->messages[m], report);
            }
        }
    }
}

// The law and the calibration of springs at their defaults: what models of other kinds cannot stand beside. False: they are.
static bool DropSpringKeys(cliContender* c)
{
    const rslNetworkDef defaults = rslDefaultNetworkDef();
    bool dropped = false;
    for (int b = 0; b < c->loaded.scene.bodyCount; ++b)
    {
        rslNetworkDef* network = &c->bodies[b].network;
        if (network->type != rsl_explicitNetwork)
        {
            dropped = dropped || network->law != defaults.law || network->calibrate != defaults.calibrate;
            network->law = defaults.law;
            network->calibrate = defaults.calibrate;
        }
    }
    return dropped;
}

// A scene of springs with a law or a calibration is compared with other models all the same.
static rslStatus BuildModel(const cliCompare* compare, cliContender* c)
{
    rslStatus status = cliLoaded_Build(&c->loaded, &compare->wishes);
    if (status != rsl_badInput || !DropSpringKeys(c))
    {
        return status;
    }
    cliLoaded first = c->loaded;
    c->loaded = (cliLoaded){ .scene = first.scene };
    status = cliLoaded_Build(&c->loaded, &compare->wishes);
    if (status == rsl_ok)
    {
        rslReport_Add(&c->loaded.report, rsl_note, (rslPlace){ 0 },
                      "'law' and 'calibrate' of the network are for springs, and left out");
    }
    else
    {
        c->loaded.report = first.report;
    }
    cliLoaded_Free(&first);
    return status;
}

static bool CountSpring(const rslSpring* spring, void* context)
{
    *(int64_t*)context += spring->stiffness != 0;
    return true;
}

static rslStatus BuildOne(cliCompare* compare, cliContender* c)
{
    rslStatus status = GiveModel(c, &compare->original.scene);
    status = status == rsl_ok ? BuildModel(compare, c) : status;
    if (status != rsl_ok)
    {
        return status;
    }
    for (int b = 0; b < c->loaded.model->bodyCount; ++b)
    {
        rslModel_VisitSprings(c->loaded.model, b, CountSpring, &c->springs);
    }
    int nodes = c->loaded.model->nodeCount;
    c->start = malloc(3 * sizeof(double) * ((size_t)nodes + 1));
    c->now = malloc(3 * sizeof(double) * ((size_t)nodes + 1));
    if (c->start == NULL || c->now == NULL)
    {
        return rsl_outOfMemory;
    }
    rslState_Positions(c->loaded.model, c->loaded.state, 0, nodes, c->start);
    return rsl_ok;
}

// The least step of all.
static void AgreeOnStep(cliCompare* compare)
{
    double step = INFINITY;
    for (int i = 0; i < compare->count; ++i)
    {
        const cliContender* c = &compare->list[i];
        step = c->status == rsl_ok ? fmin(step, rslSolver_Stability(c->loaded.solver).step) : step;
    }
    for (int i = 0; i < compare->count; ++i)
    {
        if (compare->list[i].status == rsl_ok)
        {
            compare->list[i].loaded.state->step = step;
        }
    }
}

static rslStatus MatchAll(cliCompare* compare, rslReport* report)
{
    const cliContender* reference = cliCompare_Reference(compare);
    rslStatus status = rslSnapshot_Create(reference->loaded.model, true, NULL, &compare->snapshot);
    if (status == rsl_ok)
    {
        size_t bytes = 3 * sizeof(double) * (size_t)reference->loaded.model->nodeCount;
        memcpy(compare->snapshot->positions, reference->start, bytes);
    }
    for (int i = 0; status == rsl_ok && i < compare->count; ++i)
    {
        cliContender* c = &compare->list[i];
        status = c->status == rsl_ok ? cliContender_Match(c, reference) : rsl_ok;
    }
    if (status != rsl_ok)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%s", rslStatus_Name(status));
    }
    return status;
}

static void RefuseAll(const cliCompare* compare, rslReport* report)
{
    const cliContender* reference = &compare->list[compare->reference];
    for (int i = 0; i < compare->count; ++i)
    {
        const cliContender* c = &compare->list[i];
        if (c->status != rsl_ok && (c == reference || reference->status == rsl_ok))
        {
            rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%s cannot be built: %s", c->name, c->message);
        }
    }
    rslReport_Add(report, rsl_error, (rslPlace){ 0 },
                  reference->status != rsl_ok ? "%s is the reference: choose another with --reference"
                                              : "nothing but the reference, %s, can be built",
                  reference->name);
}

rslStatus cliCompare_Build(cliCompare* compare, rslReport* report)
{
    int standing = 0;
    rslStatus last = rsl_badInput;
    for (int i = 0; i < compare->count; ++i)
    {
        cliContender* c = &compare->list[i];
        cliTicker_Show(&compare->ticker, "%s: building, model %d of %d", c->name, i + 1, compare->count);
        rslStatus status = BuildOne(compare, c);
        if (status != rsl_ok)
        {
            cliContender_Fail(c, status, &c->loaded.report);
            last = status;
        }
        standing += status == rsl_ok;
    }
    HandOverAll(compare, report);
    if (cliCompare_Reference(compare)->status != rsl_ok || standing < 2)
    {
        RefuseAll(compare, report);
        return cliCompare_Reference(compare)->status != rsl_ok ? cliCompare_Reference(compare)->status : last;
    }
    AgreeOnStep(compare);
    return MatchAll(compare, report);
}

void cliCompare_Free(cliCompare* compare)
{
    for (int i = 0; i < compare->count; ++i)
    {
        cliContender* c = &compare->list[i];
        for (int b = 0; c->cuts != NULL && b < c->loaded.model->bodyCount; ++b)
        {
            rslTessellation_Free(c->cuts[b]);
        }
        void* const arrays[] = { c->bodies, c->start, c->now, c->match, c->cuts, c->u, c->frequencies };
        for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; ++k)
        {
            free(arrays[k]);
        }
        cliLoaded_Free(&c->loaded);
    }
    rslSnapshot_Free(compare->snapshot);
    cliLoaded_Free(&compare->original);
    cliOverrides_Free(&compare->wishes.overrides);
    free(compare->times);
    free(compare->errors);
}
