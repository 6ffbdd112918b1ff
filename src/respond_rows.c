// SPDX-License-Identifier: MIT
//
// respond_rows.c: touches in the order in which they are swept, with all that a sweep needs side by side: one group after the other
// (respond_group.c), groups in the order of their first touches, each by colours and keys.

#include "respond_rows.h"

#include <string.h>

#define FindBefore rslRespond_FindBeforeRows
#define FindAfter rslRespond_FindAfterRows

// ---- order ----------------------------------------------------------------------------------------------------------

// Groups of touches, and of nodes.
static void FindGroups(rslRespond* r)
{
    rslRespond_Group(r, false);
    r->groupCount = 0;
    for (int t = 0; t < r->count; ++t)
    {
        rslSpot* touch = &r->touches[t];
        touch->root = rslRespond_Root(r, t);
        touch->group = touch->root == t ? r->groupCount++ : r->touches[touch->root].group;
    }
    for (int i = 0; i < r->movedCount; ++i)
    {
        int last = r->last[r->nodes[i]] - 1;
        r->rootOf[i] = last >= 0 ? r->touches[last].root : -1;
    }
}

// Where the rows of every group begin.
static void CountGroups(rslRespond* r)
{
    memset(r->groupStart, 0, ((size_t)r->groupCount + 1) * sizeof(int));
    for (int t = 0; t < r->count; ++t)
    {
        r->groupStart[r->touches[t].group + 1] += 1;
    }
    for (int g = 0; g < r->groupCount; ++g)
    {
        r->groupStart[g + 1] += r->groupStart[g];
        r->groupNext[g] = r->groupStart[g];
    }
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static void Store(double to[4], rslVec3 a)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
    to[3] = 0.0;
}

// Without the velocity of the collider, or whatever else there is to take away.
RSL_INLINE rslVec3 SpeedOf(const rslRespond* r, const rslRow* row, const rslSpeed* v, const double less[4])
{
    rslFour u;
    rslRow_Sum(row, &r->rowParts[row->part], v, &u);
    u -= *(const rslFour*)less;
    return (rslVec3){ u[0], u[1], u[2] };
}

RSL_CLONES static void FindBefore(rslRespond* r)
{
    const double none[4] = { 0.0 };
    for (int i = 0; i < r->count; ++i)
    {
        const rslRow* row = &r->rows[i];
        rslSpot* touch = &r->touches[row->touch];
        touch->before = row->plain ? SpeedOf(r, row, r->v, row->belt) : rslSpot_SpeedBefore(r, touch);
        touch->kick = row->plain ? SpeedOf(r, row, r->kick, none) : rslSpot_SpeedOfKick(r, touch);
    }
}

RSL_CLONES static void FindAfter(rslRespond* r)
{
    for (int i = 0; i < r->count; ++i)
    {
        const rslRow* row = &r->rows[i];
        rslSpot* touch = &r->touches[row->touch];
        touch->after = row->plain ? SpeedOf(r, row, r->v, row->belt) : rslSpot_Speed(r, touch);
    }
}

void rslRespond_FindAfter(rslRespond* r)
{
    FindAfter(r);
}

static void MakeRow(rslRespond* r, int t, rslRow* row)
{
    const rslSpot* touch = &r->touches[t];
    row->touch = t;
    row->part = touch->partBegin;
    row->count = touch->partEnd - touch->partBegin;
    row->plain = touch->free;
    row->inverse = 1.0 / touch->d;
    row->wanted = row->push = row->square = 0.0;
    Store(row->n, touch->n);
    Store(row->belt, touch->belt);
}

void rslRespond_MakeRows(rslRespond* r)
{
    FindGroups(r);
    CountGroups(r);
    for (int i = 0; i < r->count; ++i)
    {
        int t = r->order[i];
        MakeRow(r, t, &r->rows[r->groupNext[r->touches[t].group]++]);
    }
    int parts = 0;
    for (int i = 0; i < r->count; ++i)
    {
        rslRow* row = &r->rows[i];
        memcpy(&r->rowParts[parts], &r->parts[row->part], (size_t)row->count * sizeof(rslSpotPart));
        row->part = parts;
        parts += row->count;
    }
    FindBefore(r);
}

void rslRespond_StartRows(rslRespond* r, bool closing)
{
    for (int i = 0; i < r->count; ++i)
    {
        rslRow* row = &r->rows[i];
        const rslSpot* touch = &r->touches[row->touch];
        row->skipped = closing && !touch->closing;
        row->quiet = false;
        row->press = touch->press;
        row->bound = touch->bound;
        row->cone = touch->cone;
        Store(row->rub, touch->rub);
    }
}

void rslRespond_EndRows(rslRespond* r)
{
    for (int i = 0; i < r->count; ++i)
    {
        const rslRow* row = &r->rows[i];
        rslSpot* touch = &r->touches[row->touch];
        if (row->plain && !row->skipped)
        {
            touch->press = row->press;
            touch->rub = (rslVec3){ row->rub[0], row->rub[1], row->rub[2] };
        }
    }
}
