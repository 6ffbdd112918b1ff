// SPDX-License-Identifier: MIT
//
// scene_probes.c: probes of a scene, against what they look at.

#include "scene_across.h"

#include <string.h>

static void CheckProbe(rslAcross* across, const rslProbeDef* probe)
{
    if (probe->type == rsl_nodeProbe)
    {
        rslAcross_CheckNodes(across, &probe->nodes, "nodes");
    }
    else if (probe->body != NULL && rslAcross_FindBody(across, probe->body) == NULL)
    {
        rslAcross_UnknownBody(across, rslAcross_Place(across, "probe", "body", probe, -1, probe->place), "body",
                              probe->body);
    }
    if (probe->type == rsl_flowProbe)
    {
        rslAcross_CheckFlat(across, "probe", "normal", probe, probe->normal, probe->place);
    }
    if (probe->type == rsl_reactionProbe && probe->constraint >= across->scene->constraintCount)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "probe", "constraint", probe, -1, probe->place),
                       "constraint", "found %d, expected one of the %d constraints of the scene, counted from 0",
                       probe->constraint, across->scene->constraintCount);
    }
    if (probe->type == rsl_jointProbe && probe->joint >= across->scene->jointCount)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "probe", "joint", probe, -1, probe->place), "joint",
                       "found %d, expected one of the %d joints of the scene, counted from 0", probe->joint,
                       across->scene->jointCount);
    }
    if (probe->type == rsl_colliderProbe && probe->collider != NULL)
    {
        rslAcross_CheckProbedCollider(across, probe);
    }
    bool touches = probe->type != rsl_contactProbe || probe->body == NULL || across->scene->touch.self ||
                   across->scene->touch.pairs == rsl_allPairs;
    for (int c = 0; !touches && c < across->scene->contactCount; ++c)
    {
        const rslContactDef* contact = &across->scene->contacts[c];
        touches = (contact->a != NULL && strcmp(contact->a, probe->body) == 0) ||
                  (contact->b != NULL && strcmp(contact->b, probe->body) == 0);
    }
    if (!touches)
    {
        rslTrail_Warn(across->trail, probe->place, NULL, "this probe measures contacts, and body '%s' is in none",
                      probe->body);
    }
    if (probe->type == rsl_groundProbe && !across->scene->ground.enabled)
    {
        rslTrail_Warn(across->trail, probe->place, NULL, "this probe measures a ground, and the scene has none");
    }
}

void rslAcross_CheckProbes(rslAcross* across)
{
    const rslOutputDef* output = &across->scene->output;
    for (int i = 0; i < output->probeCount; ++i)
    {
        const rslProbeDef* probe = &output->probes[i];
        size_t length = rslTrail_Push(across->trail, "output.probes", i);
        CheckProbe(across, probe);
        int earlier = i > 1000 ? i - 1000 : 0;  // enough to catch a slip
        for (int j = earlier; j < i && probe->name != NULL; ++j)
        {
            if (output->probes[j].name != NULL && strcmp(output->probes[j].name, probe->name) == 0)
            {
                rslPlace place = rslAcross_Place(across, "probe", "name", probe, -1, probe->place);
                rslTrail_Error(across->trail, place, "name", "found a second probe '%s', expected another name",
                               probe->name);
                break;
            }
        }
        rslTrail_Pop(across->trail, length);
    }
}
