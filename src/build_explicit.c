// SPDX-License-Identifier: MIT
//
// build_explicit.c: nodes and springs as they are listed.

#include "build.h"
#include "vec.h"

#include <string.h>

// One value each, one for all, or none.
static double Pick(const double* values, int count, int index, double otherwise)
{
    if (values == NULL || count <= 0)
    {
        return otherwise;
    }
    return values[count == 1 ? 0 : index];
}

static rslVec3 NodeAt(const double* xyz, int node)
{
    xyz += 3 * (size_t)node;
    return (rslVec3){ xyz[0], xyz[1], xyz[2] };
}

// One entry of the list, checked.
static rslStatus MakeSpring(rslBuild* build, const rslBodyDef* def, int index, rslSpring* spring)
{
    const rslNetworkDef* list = &def->network;
    int a = list->springs[2 * (size_t)index], b = list->springs[2 * (size_t)index + 1];
    if (a < 0 || b < 0 || a >= list->nodeCount || b >= list->nodeCount)
    {
        rslReport_Add(build->report, rsl_error, list->place,
                      "spring %d of body '%s' joins nodes %d and %d; there are %d", index, def->name, a, b,
                      list->nodeCount);
        return rsl_badInput;
    }
    double length = rslLength(rslSub(NodeAt(list->nodes, b), NodeAt(list->nodes, a)));
    if (!(length > 0.0))
    {
        rslReport_Add(build->report, rsl_error, list->place,
                      "spring %d of body '%s' joins nodes %d and %d, which lie in the same place: it has no direction; "
                      "move one of them",
                      index, def->name, a, b);
        return rsl_badInput;
    }
    *spring = (rslSpring){
        .a = a < b ? a : b,
        .b = a < b ? b : a,
        .stiffness = Pick(list->stiffness, list->stiffnessCount, index, 0.0),
        .damping = Pick(list->damping, list->dampingCount, index, 0.0),
        .restLength = Pick(list->restLengths, list->restLengthCount, index, length),
    };
    if (isnan(spring->restLength))
    {
        spring->restLength = length;
    }
    return rsl_ok;
}

static rslStatus FillDraft(rslBuild* build, const rslBodyDef* def, rslDraft* draft)
{
    const rslNetworkDef* list = &def->network;
    rslStatus status = rsl_ok;
    memcpy(draft->positions, list->nodes, 3 * (size_t)list->nodeCount * sizeof(double));
    for (int i = 0; i < list->nodeCount; ++i)
    {
        draft->masses[i] = Pick(list->masses, list->massCount, i, 0.0);
        if (!(draft->masses[i] > 0.0))
        {
            rslReport_Add(build->report, rsl_error, list->place, "node %d of body '%s' has no mass", i, def->name);
            status = rsl_badInput;
        }
    }
    for (int i = 0; i < list->springCount; ++i)
    {
        if (MakeSpring(build, def, i, &draft->springs[i]) != rsl_ok)
        {
            status = rsl_badInput;
        }
    }
    return status;
}

rslStatus rslBuild_Explicit(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    const rslHooks* hooks = &build->model->hooks;
    rslDraft draft = { .nodeCount = def->network.nodeCount, .springCount = def->network.springCount };
    if (draft.nodeCount < 1)
    {
        rslReport_Add(build->report, rsl_error, def->network.place, "body '%s' has no nodes", def->name);
        return rsl_badInput;
    }
    draft.positions = rslAllocate(hooks, (size_t)draft.nodeCount, 3 * sizeof(double));
    draft.masses = rslAllocate(hooks, (size_t)draft.nodeCount, sizeof(double));
    draft.springs = rslAllocate(hooks, (size_t)draft.springCount, sizeof(rslSpring));
    rslStatus status = rsl_outOfMemory;
    if (draft.positions != NULL && draft.masses != NULL && draft.springs != NULL)
    {
        status = FillDraft(build, def, &draft);
        // parallel springs stay apart: each is what the list says
        status = status == rsl_ok ? rslBuild_Network(build, def, &draft, false, body) : status;
    }
    rslDraft_Free(&draft, hooks);
    return status;
}
