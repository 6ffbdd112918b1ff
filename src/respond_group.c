// SPDX-License-Identifier: MIT
//
// respond_group.c: groups of touches that share what moves. Energy that some of a group lose can be given to others of it.

#include "respond_set.h"

int rslRespond_Root(rslRespond* r, int t)
{
    int* parent = r->parent;
    while (parent[t] != t)
    {
        parent[t] = parent[parent[t]];
        t = parent[t];
    }
    return t;
}

// A touch with a root moves something as well. Returns the root that it has then.
static int Join(rslRespond* r, int mover, int t, int root)
{
    int other = r->last[mover] - 1;
    r->last[mover] = t + 1;
    if (other < 0 || other == t)
    {
        return root;
    }
    int a = rslRespond_Root(r, other), least = a < root ? a : root;
    r->parent[a > root ? a : root] = least;
    return least;
}

static void JoinMovers(rslRespond* r, int t)
{
    const rslSpot* touch = &r->touches[t];
    int root = t;
    for (int i = touch->partBegin; i < touch->partEnd; ++i)
    {
        if (touch->loose || rslRespond_Moves(r, r->parts[i].node))
        {
            root = Join(r, r->parts[i].node, t, root);
        }
    }
    for (int i = touch->armBegin; i < touch->armEnd; ++i)
    {
        if (rslRespond_Turns(r, r->arms[i].rigid))
        {
            root = Join(r, r->nodeCount + r->arms[i].rigid, t, root);
        }
    }
}

static void StandAlone(rslRespond* r, int t)
{
    r->parent[t] = t;
    r->sums[t][0] = r->sums[t][1] = r->sums[t][2] = 0.0;
}

void rslRespond_Group(rslRespond* r)
{
    for (int i = 0; i < r->movedCount; ++i)
    {
        r->last[r->nodes[i]] = -1;
    }
    for (int i = 0; i < r->in->rigidCount; ++i)
    {
        r->last[r->nodeCount + i] = -1;
    }
    for (int t = 0; t < r->count; ++t)
    {
        StandAlone(r, t);
        JoinMovers(r, t);
    }
}

void rslRespond_GroupClosing(rslRespond* r, const rslGroup* group)
{
    for (int m = group->moverBegin; m < group->moverEnd; ++m)
    {
        r->last[r->movers[m]] = -1;
    }
    for (int i = group->begin; i < group->end; ++i)
    {
        StandAlone(r, r->byKey[i]);
        if (r->touches[r->byKey[i]].closing)
        {
            JoinMovers(r, r->byKey[i]);
        }
    }
}

rslGroup rslRespond_All(const rslRespond* r)
{
    return (rslGroup){ 0, r->count, 0, r->movedCount + r->in->rigidCount, false };
}

rslGroup rslRespond_Others(const rslRespond* r)
{
    return (rslGroup){ r->count, r->count, r->moverStart[r->groupCount], r->movedCount + r->in->rigidCount, false };
}
