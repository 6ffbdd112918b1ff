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

static void Join(rslRespond* r, int mover, int t)
{
    int other = r->last[mover] - 1;
    if (other >= 0)
    {
        int a = rslRespond_Root(r, other), b = rslRespond_Root(r, t);
        r->parent[a > b ? a : b] = a < b ? a : b;
    }
    r->last[mover] = t + 1;
}

void rslRespond_Group(rslRespond* r, bool closing)
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
        const rslSpot* touch = &r->touches[t];
        bool counts = touch->closing || !closing;
        r->parent[t] = t;
        r->sums[t][0] = r->sums[t][1] = r->sums[t][2] = 0.0;
        for (int i = touch->partBegin; counts && i < touch->partEnd; ++i)
        {
            if (rslRespond_Moves(r, r->parts[i].node))
            {
                Join(r, r->parts[i].node, t);
            }
        }
        for (int i = touch->armBegin; counts && i < touch->armEnd; ++i)
        {
            if (rslRespond_Turns(r, r->arms[i].rigid))
            {
                Join(r, r->nodeCount + r->arms[i].rigid, t);
            }
        }
    }
}
