// SPDX-License-Identifier: MIT
//
// parts.c: see parts.h.

#include "parts.h"

static int Root(int* parent, int node)
{
    while (parent[node] != node)
    {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

static void Join(int* parent, int a, int b)
{
    int x = Root(parent, a), y = Root(parent, b);
    parent[x > y ? x : y] = x > y ? y : x;  // the smaller index leads
}

static bool JoinSpring(const rslSpring* spring, void* context)
{
    if (spring->stiffness > 0.0)
    {
        Join(context, spring->a, spring->b);
    }
    return true;
}

static bool JoinEdge(const rslSpring* spring, void* context)
{
    Join(context, spring->a, spring->b);
    return true;
}

int rslParts_Find(const rslModel* model, int* part)
{
    int count = 0;
    for (int i = 0; i < model->nodeCount; ++i)
    {
        part[i] = i;
    }
    for (int b = 0; b < model->bodyCount; ++b)
    {
        rslModel_VisitSprings(model, b, model->bodies[b].elements.count > 0 ? JoinEdge : JoinSpring, part);
    }
    for (int r = 0; r < model->rigidCount; ++r)
    {
        const rslRigid* rigid = &model->rigids[r];
        const rslBody* body = &model->bodies[rigid->body];
        for (int i = 1; i < body->nodeCount; ++i)
        {
            Join(part, body->firstNode, body->firstNode + i);
        }
        for (int w = 0; w < rigid->weldCount; ++w)
        {
            Join(part, body->firstNode, rigid->welded[w]);
        }
    }
    for (int l = 0; l < model->linkCount; ++l)
    {
        const rslLink* link = &model->links[l];
        for (int n = 1; link->stiffness > 0.0 && n < link->nodeCount; ++n)
        {
            Join(part, link->nodes[0], link->nodes[n]);
        }
    }
    // roots come before their nodes: make every node point at its root, then turn roots into numbers of parts
    for (int i = 0; i < model->nodeCount; ++i)
    {
        part[i] = Root(part, i);
    }
    for (int i = 0; i < model->nodeCount; ++i)
    {
        part[i] = part[i] == i ? count++ : part[part[i]];
    }
    return count;
}
