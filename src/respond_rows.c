// SPDX-License-Identifier: MIT
//
// respond_rows.c: touches in the order in which they are swept, with all that a sweep needs side by side: one group after the other
// (respond_group.c), groups in the order of their first touches, each by colours and keys.

#include "respond_rows.h"

#include <string.h>

#define FindBefore rslRespond_FindBeforeRows
#define FindAfter rslRespond_FindAfterRows

// ---- order ----------------------------------------------------------------------------------------------------------

// Groups of touches; joints make one of all.
static void FindGroups(rslRespond* r)
{
    rslRespond_Group(r);
    r->groupCount = 0;
    for (int t = 0; t < r->count; ++t)
    {
        rslSpot* touch = &r->touches[t];
        touch->root = rslRespond_Root(r, t);
        touch->group = touch->root == t ? r->groupCount++ : r->touches[touch->root].group;
    }
}

// Where every group begins, from how many each has: in scratch, too.
static void Start(const rslRespond* r, int* start, int groups)
{
    for (int g = 0; g < groups; ++g)
    {
        start[g + 1] += start[g];
    }
    memcpy(r->groupNext, start, (size_t)groups * sizeof(int));
}

static void OrderTouches(rslRespond* r)
{
    memset(r->groupStart, 0, ((size_t)r->groupCount + 1) * sizeof(int));
    for (int t = 0; t < r->count; ++t)
    {
        r->groupStart[r->touches[t].group + 1] += 1;
    }
    Start(r, r->groupStart, r->groupCount);
    for (int t = 0; t < r->count; ++t)
    {
        r->byKey[r->groupNext[r->touches[t].group]++] = t;
    }
    memcpy(r->groupNext, r->groupStart, (size_t)r->groupCount * sizeof(int));
    for (int i = 0; i < r->count; ++i)
    {
        r->rows[r->groupNext[r->touches[r->order[i]].group]++].touch = r->order[i];
    }
}

static int MoverAt(const rslRespond* r, int m)
{
    return m < r->movedCount ? r->nodes[m] : r->nodeCount + m - r->movedCount;
}

static int GroupOf(const rslRespond* r, int mover)
{
    return r->last[mover] > 0 ? r->touches[r->last[mover] - 1].group : r->groupCount;
}

static void OrderMovers(rslRespond* r)
{
    int count = r->movedCount + r->in->rigidCount;
    memset(r->moverStart, 0, ((size_t)r->groupCount + 2) * sizeof(int));
    for (int m = 0; m < count; ++m)
    {
        r->moverStart[GroupOf(r, MoverAt(r, m)) + 1] += 1;
    }
    Start(r, r->moverStart, r->groupCount + 1);
    for (int m = 0; m < count; ++m)
    {
        int mover = MoverAt(r, m), at = r->groupNext[GroupOf(r, mover)]++;
        r->movers[at] = mover;
        r->rootOf[at] = r->last[mover] > 0 ? r->touches[r->last[mover] - 1].root : -1;
    }
}

// Joints join groups.
static void MakeOne(rslRespond* r)
{
    rslGroup all = rslRespond_All(r);
    for (int t = 0; t < r->count; ++t)
    {
        r->byKey[t] = t;
    }
    r->groupCount = 1;
    r->groupStart[0] = r->moverStart[0] = 0;
    r->groupStart[1] = all.end;
    r->moverStart[1] = all.moverEnd;
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

RSL_CLONES static void FindBefore(rslRespond* r, int begin, int end)
{
    const double none[4] = { 0.0 };
    for (int i = begin; i < end; ++i)
    {
        const rslRow* row = &r->rows[i];
        rslSpot* touch = &r->touches[row->touch];
        touch->before = row->plain ? SpeedOf(r, row, r->v, row->belt) : rslSpot_SpeedBefore(r, touch);
        touch->kick = row->plain ? SpeedOf(r, row, r->kick, none) : rslSpot_SpeedOfKick(r, touch);
    }
}

RSL_CLONES static void FindAfter(rslRespond* r, int begin, int end)
{
    for (int i = begin; i < end; ++i)
    {
        const rslRow* row = &r->rows[i];
        rslSpot* touch = &r->touches[row->touch];
        touch->after = row->plain ? SpeedOf(r, row, r->v, row->belt) : rslSpot_Speed(r, touch);
    }
}

void rslRespond_FindAfter(rslRespond* r, const rslGroup* group)
{
    FindAfter(r, group->begin, group->end);
}

static void FillRow(rslRespond* r, rslRow* row)
{
    const rslSpot* touch = &r->touches[row->touch];
    memcpy(&r->rowParts[row->part], &r->parts[touch->partBegin], (size_t)row->count * sizeof(rslSpotPart));
    row->plain = touch->free;
    row->inverse = 1.0 / touch->d;
    row->wanted = row->push = row->square = 0.0;
    Store(row->n, touch->n);
    Store(row->belt, touch->belt);
}

void rslRespond_FillRows(rslRespond* r, const rslGroup* group)
{
    for (int i = group->begin; i < group->end; ++i)
    {
        FillRow(r, &r->rows[i]);
    }
    FindBefore(r, group->begin, group->end);
}

void rslRespond_MakeRows(rslRespond* r)
{
    FindGroups(r);
    OrderTouches(r);
    OrderMovers(r);
    for (int i = 0, parts = 0; i < r->count; ++i)
    {
        rslRow* row = &r->rows[i];
        const rslSpot* touch = &r->touches[row->touch];
        row->part = parts;
        row->count = touch->partEnd - touch->partBegin;
        parts += row->count;
    }
    if (r->in->join != NULL)
    {
        MakeOne(r);
    }
}

void rslRespond_StartRows(rslRespond* r, const rslGroup* group, bool closing)
{
    for (int i = group->begin; i < group->end; ++i)
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

void rslRespond_EndRows(rslRespond* r, const rslGroup* group)
{
    for (int i = group->begin; i < group->end; ++i)
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
