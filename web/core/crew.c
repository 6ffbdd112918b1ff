// SPDX-License-Identifier: MIT
//
// crew.c: see crew.h.

#include "crew.h"

#include "team.h"

enum
{
    NODES = 1400  // of a thread: with fewer, calling others takes longer than they help
};

int webCrew_Set(webCrew* crew, int threads)
{
    rslTeam_Free(crew->team);
    crew->team = threads > 1 ? rslTeam_Create(NULL, threads, NULL, NULL) : NULL;
    return webCrew_Threads(crew);
}

int webCrew_Threads(const webCrew* crew)
{
    return crew->team != NULL ? rslTeam_Threads(crew->team) : 1;
}

int webCrew_Most(const rslModel* model)
{
    return model->nodeCount < 2 * NODES ? 1 : model->nodeCount / NODES;
}

void webCrew_Run(rslTask* task, int count, void* context, void* user)
{
    const webCrew* crew = user;
    if (crew->team != NULL)
    {
        rslTeam_Run(crew->team, task, count, context);
        return;
    }
    for (int item = 0; item < count; ++item)
    {
        task(item, context);
    }
}
