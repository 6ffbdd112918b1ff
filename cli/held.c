// SPDX-License-Identifier: MIT
//
// held.c: a scene whose outer nodes are put where a known solution has them.

#include "held.h"

#include "study.h"

#include <math.h>
#include <stdlib.h>

// A scene with its model and where its nodes are.
typedef struct Draft
{
    rslScene scene;
    rslModel* model;
    rslState* state;
    double* at;  // x y z
} Draft;

static void FreeDraft(Draft* draft)
{
    free(draft->at);
    rslState_Free(draft->state);
    rslModel_Free(draft->model);
    rslScene_Free(&draft->scene);
}

static bool MakeDraft(cliStudy* study, const char* scene, Draft* draft)
{
    rslReport report = { 0 };
    *draft = (Draft){ .scene = rslDefaultScene() };
    if (!cliStudy_IsGood(study))
    {
        return false;
    }
    rslStatus status = cliStudy_Read(study, scene, &draft->scene, &report);
    status = status == rsl_ok ? rslModel_Build(&draft->scene, NULL, &draft->model, &report) : status;
    status = status == rsl_ok ? rslState_Create(draft->model, rsl_double, NULL, &draft->state) : status;
    if (status == rsl_ok)
    {
        draft->at = malloc(3 * sizeof(double) * (size_t)draft->model->nodeCount);
        status = draft->at != NULL ? rsl_ok : rsl_outOfMemory;
    }
    if (status == rsl_ok)
    {
        rslState_Positions(draft->model, draft->state, 0, draft->model->nodeCount, draft->at);
    }
    return cliStudy_Check(study, status, &report);
}

static rslVec3 At(const Draft* draft, int node)
{
    return (rslVec3){ draft->at[3 * node], draft->at[3 * node + 1], draft->at[3 * node + 2] };
}

bool cliStudy_NearestNode(cliStudy* study, const char* scene, rslVec3 point, int* index, rslVec3* at)
{
    Draft draft;
    double least = INFINITY;
    bool good = MakeDraft(study, scene, &draft);
    for (int i = 0; good && i < draft.model->bodies[0].nodeCount; ++i)
    {
        rslVec3 x = At(&draft, i);
        double d = hypot(hypot(x.x - point.x, x.y - point.y), x.z - point.z);
        if (d < least)
        {
            least = d;
            *index = i;
            *at = x;
        }
    }
    FreeDraft(&draft);
    return good;
}

// The scene with one more constraint, as text.
static rslStatus WriteHeld(const cliStudy* study, const rslScene* scene, const rslConstraintDef* held, const char* name,
                           rslReport* report)
{
    size_t count = (size_t)scene->constraintCount;
    rslConstraintDef* all = malloc((count + 1) * sizeof(rslConstraintDef));
    rslStatus status = all != NULL ? rsl_ok : rsl_outOfMemory;
    char* text = NULL;
    size_t length = 0;
    if (status == rsl_ok)
    {
        for (size_t i = 0; i < count; ++i)
        {
            all[i] = scene->constraints[i];
        }
        all[count] = *held;
        rslScene whole = *scene;
        whole.constraints = all;
        whole.constraintCount += 1;
        length = rslScene_Write(&whole, NULL, 0);
        text = malloc(length + 1);
        status = text != NULL ? rsl_ok : rsl_outOfMemory;
        length = text != NULL ? rslScene_Write(&whole, text, length + 1) : 0;
    }
    if (status == rsl_ok)
    {
        cliPath path = cliPath_Join(study->directory, "scenes/%s", name);
        status = rslFile_Write(path.text, text, length, report);
    }
    free(text);
    free(all);
    return status;
}

static rslStatus HoldNodes(const cliStudy* study, const Draft* draft, const char* name, cliSolution* solution,
                           void* context, rslReport* report)
{
    int nodes = draft->model->bodies[0].nodeCount, count = 0;
    int* list = malloc(sizeof(int) * (size_t)nodes);
    double* offsets = malloc(3 * sizeof(double) * (size_t)nodes);
    rslStatus status = list != NULL && offsets != NULL ? rsl_ok : rsl_outOfMemory;
    for (int i = 0; status == rsl_ok && i < nodes; ++i)
    {
        rslVec3 u;
        if (solution(At(draft, i), context, &u))
        {
            offsets[3 * count] = u.x;
            offsets[3 * count + 1] = u.y;
            offsets[3 * count + 2] = u.z;
            list[count++] = i;
        }
    }
    if (status == rsl_ok)
    {
        rslConstraintDef held = rslDefaultConstraintDef();
        held.type = rsl_motionConstraint;
        held.nodes.type = rsl_listNodes;
        held.nodes.body = draft->scene.bodies[0].name;
        held.nodes.indices = list;
        held.nodes.indexCount = count;
        held.offsets = offsets;
        held.offsetCount = count;
        status = WriteHeld(study, &draft->scene, &held, name, report);
    }
    free(list);
    free(offsets);
    return status;
}

bool cliStudy_OpenHeld(cliStudy* study, const char* scene, const char* held, cliSolution* solution, void* context,
                       cliLoaded* loaded)
{
    *loaded = (cliLoaded){ 0 };
    Draft draft;
    rslReport report = { 0 };
    bool good = MakeDraft(study, scene, &draft);
    good = good && cliStudy_Check(study, HoldNodes(study, &draft, held, solution, context, &report), &report);
    FreeDraft(&draft);
    if (good)
    {
        // all changes are in the file now
        cliStudy_Reset(study);
        good = cliStudy_Open(study, held, loaded);
    }
    return good;
}
