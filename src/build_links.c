// SPDX-License-Identifier: MIT
//
// build_links.c: springs and ties between bodies.
//
// A spring runs from each node of one set to the nearest node of the other: d = x_a - x_b.
// A tie binds each node of one set to the point of the other body where it lies, a mean of nearby nodes there:
// d = x_a - sum w_j x_j, zero at rest. By default it is as stiff as what it joins: the mean over both bodies of a third
// of the trace of K_ii.

#include "build.h"
#include "embed.h"
#include "host.h"
#include "vec.h"

#include <string.h>

// One definition while its links are made.
typedef struct Linking
{
    const rslLinkDef* def;
    int *from, *to;  // scratch: chosen nodes
    int fromCount, toCount;
    double* points;       // scratch: world positions of to
    rslNearest* nearest;  // scratch: over points
    double smallest;      // distance of all pairs [m]
    int made;
} Linking;

// A growing list of all links, and what their definitions share; scratch until the end.
typedef struct LinkList
{
    rslLink* links;
    size_t count, capacity;
    rslHost* hosts;  // of every body that a tie has reached so far; body NULL until then
} LinkList;

static rslVec3 WorldRest(rslBuild* build, int node)
{
    double x[3];
    rslBody_WorldRest(&build->bodies[rslModel_BodyOf(build->model, node)], node, node + 1, x);
    return (rslVec3){ x[0], x[1], x[2] };
}

// Both lists are sorted.
static rslStatus CheckApart(rslBuild* build, const Linking* linking)
{
    for (int i = 0, j = 0; i < linking->fromCount && j < linking->toCount;)
    {
        int a = linking->from[i], b = linking->to[j];
        if (a == b)
        {
            const rslBody* body = &build->bodies[rslModel_BodyOf(build->model, a)];
            rslReport_Add(build->report, rsl_error, linking->def->place,
                          "node %d of body '%s' is in both sets of this link; the sets must not share nodes",
                          a - body->firstNode, body->name);
            return rsl_badInput;
        }
        i += a < b ? 1 : 0;
        j += b < a ? 1 : 0;
    }
    return rsl_ok;
}

static rslStatus StartLinking(rslBuild* build, Linking* linking)
{
    const rslHooks* hooks = &build->model->hooks;
    const rslLinkDef* def = linking->def;
    rslStatus status = rslModel_Select(build->model, &def->from, &linking->from, &linking->fromCount, build->report);
    rslStatus second = rslModel_Select(build->model, &def->to, &linking->to, &linking->toCount, build->report);
    status = status == rsl_ok ? second : status;
    status = status == rsl_ok ? CheckApart(build, linking) : status;
    if (status != rsl_ok)
    {
        return status;
    }
    linking->points = rslAllocate(hooks, (size_t)linking->toCount, 3 * sizeof(double));
    if (linking->points == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int n = 0; n < linking->toCount; ++n)
    {
        rslVec3 x = WorldRest(build, linking->to[n]);
        memcpy(linking->points + 3 * (size_t)n, (double[3]){ x.x, x.y, x.z }, 3 * sizeof(double));
    }
    return rslNearest_Create(linking->points, linking->toCount, hooks, &linking->nearest);
}

static void EndLinking(rslBuild* build, Linking* linking)
{
    const rslHooks* hooks = &build->model->hooks;
    rslNearest_Free(linking->nearest);
    rslRelease(hooks, linking->points);
    rslRelease(hooks, linking->from);
    rslRelease(hooks, linking->to);
}

// ---- springs --------------------------------------------------------------------------------------------------------

static rslStatus MakeSpring(rslBuild* build, const Linking* linking, int a, int b, double distance, rslLink* link)
{
    const rslLinkDef* def = linking->def;
    *link = (rslLink){ .nodeCount = 2, .nodes = { a, b }, .weights = { 1.0, -1.0 } };
    link->restLength = isnan(def->restLength) ? distance : def->restLength;
    if (!(distance > 0.0) && link->restLength > 0.0)
    {
        rslReport_Add(
            build->report, rsl_error, def->place,
            "this link joins nodes %d and %d, which lie in the same place: with a rest length of %.4g m it has no "
            "direction; use a tie, or a rest length of 0",
            a, b, link->restLength);
        return rsl_badInput;
    }
    return rsl_ok;
}

// ---- ties -----------------------------------------------------------------------------------------------------------

static rslStatus HostOf(rslBuild* build, LinkList* list, int body, rslHost** host)
{
    if (list->hosts == NULL)
    {
        list->hosts = rslAllocate(&build->model->hooks, (size_t)build->model->bodyCount, sizeof(rslHost));
    }
    if (list->hosts == NULL)
    {
        return rsl_outOfMemory;
    }
    *host = &list->hosts[body];
    return (*host)->body != NULL ? rsl_ok : rslHost_Make(*host, &build->bodies[body], &build->model->hooks);
}

static rslStatus MakeTie(rslBuild* build, LinkList* list, int a, int b, rslVec3 x, rslLink* link)
{
    int index = rslModel_BodyOf(build->model, b);
    const rslBody* body = &build->bodies[index];
    RSL_ASSERT(rslModel_BodyOf(build->model, a) != index);  // rslScene_Validate wants two bodies
    rslHost* host = NULL;
    rslStatus status = HostOf(build, list, index, &host);
    if (status != rsl_ok)
    {
        return status;
    }
    rslMat3 turn = rslQuatMatrix(body->frame.rotation);
    int nodes[RSL_STENCIL_MOST];
    double weights[RSL_STENCIL_MOST];
    status = rslHost_Embed(host, rslMatTVec(&turn, rslSub(x, body->frame.origin)), nodes, weights);
    *link = (rslLink){ .nodeCount = 1, .nodes = { a }, .weights = { 1.0 } };
    for (int s = 0; s < RSL_STENCIL_MOST; ++s)
    {
        if (weights[s] != 0.0)
        {
            link->nodes[link->nodeCount] = nodes[s];
            link->weights[link->nodeCount++] = -weights[s];
            x = rslMulAdd(x, -weights[s], WorldRest(build, nodes[s]));
        }
    }
    // a flat or straight body has no nodes off itself to hold a point there with: that point keeps its distance instead
    double offset = rslLength(x);
    link->restLength = offset > 1e-9 * body->spacing ? offset : 0.0;
    return status;
}

// (trace K_aa / 3 + sum |w_j| trace K_jj / 3 / sum |w_j|) / 2; to a rigid body, that of the soft one alone
static rslStatus ChooseStiffness(rslBuild* build, rslLink* link)
{
    const double* trace = rslBuild_Trace(build);
    if (trace == NULL)
    {
        return rsl_outOfMemory;
    }
    double sum = 0.0, weights = 0.0;
    for (int n = 1; n < link->nodeCount; ++n)
    {
        sum += fabs(link->weights[n]) * trace[link->nodes[n]];
        weights += fabs(link->weights[n]);
    }
    const rslBody* a = &build->bodies[rslModel_BodyOf(build->model, link->nodes[0])];
    const rslBody* b = &build->bodies[rslModel_BodyOf(build->model, link->nodes[1])];
    double from = trace[link->nodes[0]], to = sum / weights;
    bool alone = (a->model == rsl_rigidModel) != (b->model == rsl_rigidModel);
    link->stiffness = (alone ? (a->model == rsl_rigidModel ? to : from) : 0.5 * (from + to)) / 3.0;
    return rsl_ok;
}

// ---- together -------------------------------------------------------------------------------------------------------

// Distances are from node to node. Of two bodies that touch, the nodes of corner lattices and networks are within one
// spacing of each other, however they are shifted; those of centred lattices lie half a cell inside: within 1.23.
static double Reach(rslBuild* build, const rslLinkDef* def, int to)
{
    if (!isnan(def->reach))
    {
        return def->reach;
    }
    const rslBody* body = &build->bodies[rslModel_BodyOf(build->model, to)];
    bool centred = body->kind == rsl_latticeBody && body->lattice.construction == rsl_centredLattice;
    return def->type == rsl_tieLink ? (centred ? 1.5 : 1.0) * body->spacing : HUGE_VAL;
}

// The link of one node of from, unless its partner is out of reach.
static rslStatus LinkNode(rslBuild* build, Linking* linking, int a, LinkList* list)
{
    const rslLinkDef* def = linking->def;
    rslVec3 x = WorldRest(build, a);
    int found = 0;
    double squared = 0.0;
    rslNearest_Find(linking->nearest, x, 1, &found, &squared);
    int b = linking->to[found];
    double distance = sqrt(squared);
    linking->smallest = distance < linking->smallest ? distance : linking->smallest;
    if (distance > Reach(build, def, b) * (1.0 + 1e-9))
    {
        return rsl_ok;
    }
    if (!rslGrow(&build->model->hooks, (void**)&list->links, list->count, &list->capacity, sizeof(rslLink)))
    {
        return rsl_outOfMemory;
    }
    rslLink* link = &list->links[list->count];
    rslStatus status = def->type == rsl_tieLink ? MakeTie(build, list, a, b, x, link)
                                                : MakeSpring(build, linking, a, b, distance, link);
    if (status != rsl_ok)
    {
        return status;
    }
    link->damping = def->damping;
    link->stiffness = def->stiffness;
    status = isnan(def->stiffness) ? ChooseStiffness(build, link) : rsl_ok;
    if (status == rsl_ok && !(link->stiffness > 0.0))
    {
        rslReport_Add(build->report, rsl_error, def->place,
                      "the nodes of this link have no springs to take its stiffness from; give stiffness");
        status = rsl_badInput;
    }
    ++list->count;
    ++linking->made;
    return status;
}

static rslStatus BuildLink(rslBuild* build, const rslLinkDef* def, LinkList* list)
{
    Linking linking = { .def = def, .smallest = HUGE_VAL };
    rslStatus status = StartLinking(build, &linking);
    for (int n = 0; status == rsl_ok && n < linking.fromCount; ++n)
    {
        status = LinkNode(build, &linking, linking.from[n], list);
    }
    if (status == rsl_ok && linking.made == 0)
    {
        rslReport_Add(build->report, rsl_error, def->place,
                      "no nodes of this link are within its reach of %.4g m; the smallest distance is %.4g m",
                      Reach(build, def, linking.to[0]), linking.smallest);
        status = rsl_badInput;
    }
    EndLinking(build, &linking);
    return status;
}

static void FreeList(rslBuild* build, LinkList* list)
{
    for (int b = 0; list->hosts != NULL && b < build->model->bodyCount; ++b)
    {
        if (list->hosts[b].body != NULL)
        {
            rslHost_Free(&list->hosts[b]);
        }
    }
    rslRelease(&build->model->hooks, list->hosts);
    rslRelease(&build->model->hooks, list->links);
}

rslStatus rslBuild_Links(rslBuild* build)
{
    rslModel* model = build->model;
    LinkList list = { 0 };
    rslStatus status = rsl_ok;
    for (int i = 0; i < build->scene->linkCount && status != rsl_outOfMemory; ++i)
    {
        bool weld = build->scene->links[i].type == rsl_weldLink;  // build_joints.c
        rslStatus one = weld ? rsl_ok : BuildLink(build, &build->scene->links[i], &list);
        status = one != rsl_ok ? one : status;
    }
    if (status == rsl_ok && list.count > 0)
    {
        rslLink* links = rslArena_Allocate(build->arena, list.count, sizeof(rslLink));
        status = links != NULL ? rsl_ok : rsl_outOfMemory;
        if (links != NULL)
        {
            memcpy(links, list.links, list.count * sizeof(rslLink));
            model->links = links;
            model->linkCount = (int)list.count;
        }
    }
    FreeList(build, &list);
    return status;
}
