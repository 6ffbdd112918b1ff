// SPDX-License-Identifier: MIT
//
// respond_sweep.c: sweeps over the rows of touches (respond_cone.c, respond_place.c).
//
// At nodes that nothing holds K is d I, and a row is solved in four lanes:
//
//   u = sum w_i v_i - v_collider,   l' as in respond_cone.c with 1/d,   v_i += (w_i / m_i) (l' - l)
//
// Others are improved by rslSpot_Improve. Groups share nothing that moves: whoever is free takes one and sweeps it to its end. In a
// group of very many, touches of a colour are swept by all.
//
// In a group of many most touches have what they want after a few sweeps, and the rest is worked out between some. A row whose impulse
// changes by little when it is swept is quiet: it is swept again in every third sweep only, and in the last. Little is a part of the largest impulse
// of the group, and a smaller part where more sweeps are allowed. The end is a sweep over all rows in which all are quiet.

#include "respond_rows.h"

#define SweepRows rslRespond_SweepRows
#define SweepPlaces rslRespond_SweepPlaceRows

enum
{
    BLOCK = 128,  // rows of an item of work
    MANY = 512,   // of a colour: worth waking others for
};

typedef struct Sweep
{
    rslRespond* respond;
    int begin, end;  // rows
    bool back;       // from the last to the first
    bool all;        // quiet ones, too
    double little;   // the square of it
} Sweep;

// ---- one row --------------------------------------------------------------------------------------------------------

// Returns the square of what its impulse has changed by.
RSL_INLINE double Improve(rslRow* row, const rslSpotPart* part, rslSpeed* v)
{
    rslFour u, n = *(const rslFour*)row->n, rub = *(const rslFour*)row->rub, next = { 0 };
    rslRow_Sum(row, part, v, &u);
    u -= *(const rslFour*)row->belt;
    double along = rslFour_Dot(&n, &u), press = row->press - (along - row->bound) * row->inverse;
    if (!(press > 0.0) && row->press == 0.0)
    {
        return 0.0;
    }
    press = press > 0.0 ? press : 0.0;
    double most = row->cone * press, more = press - row->press;
    if (most > 0.0)
    {
        next = rub - row->inverse * (u - along * n);
    }
    double square = rslFour_Dot(&next, &next);
    if (square > most * most)
    {
        next *= most / sqrt(square);
    }
    rslFour change = (next - rub) + more * n;
    row->press = press;
    *(rslFour*)row->rub = next;
    rslRow_Push(row, part, &change, v);
    return rslFour_Dot(&change, &change);
}

RSL_CLONES static bool SweepRows(const Sweep* sweep, int begin, int end)
{
    rslRespond* r = sweep->respond;
    bool changed = false;
    for (int i = begin; i < end; ++i)
    {
        rslRow* row = &r->rows[sweep->back ? end - 1 - (i - begin) : i];
        if (row->skipped || (row->quiet && !sweep->all))
        {
            continue;
        }
        if (!row->plain)
        {
            changed = rslSpot_Improve(r, &r->touches[row->touch]) || changed;
            continue;
        }
        row->square = Improve(row, &r->rowParts[row->part], r->v);
        row->quiet = row->square <= sweep->little;
        changed = changed || (!row->quiet && row->square > rslSettled * rslSettled * row->press * row->press);
    }
    return changed;
}

// ---- a group --------------------------------------------------------------------------------------------------------

static void SweepBlock(int item, void* context)
{
    const Sweep* sweep = context;
    int begin = sweep->begin + item * BLOCK, end = sweep->end - begin < BLOCK ? sweep->end : begin + BLOCK;
    sweep->respond->moved[item] = SweepRows(sweep, begin, end);
}

// Rows of one colour.
static bool SweepColour(Sweep* sweep, int colour)
{
    rslRespond* r = sweep->respond;
    int count = sweep->end - sweep->begin, items = (count + BLOCK - 1) / BLOCK;
    if (colour == RSL_COLOURS || count < MANY)
    {
        return SweepRows(sweep, sweep->begin, sweep->end);
    }
    rslTeam_Run(r->team, SweepBlock, items, sweep);
    bool changed = false;
    for (int i = 0; i < items; ++i)
    {
        changed = changed || r->moved[i];
    }
    return changed;
}

static int ColourOf(const rslRespond* r, int row)
{
    return r->touches[r->rows[row].touch].colour;
}

// The rows of a range that have the colour of its first one, or of its last one.
static void NarrowToColour(const rslRespond* r, bool last, int* begin, int* end)
{
    int colour = ColourOf(r, last ? *end - 1 : *begin), row = last ? *end - 1 : *begin;
    while (row >= *begin && row < *end && ColourOf(r, row) == colour)
    {
        row += last ? -1 : 1;
    }
    *(last ? begin : end) = last ? row + 1 : row;
}

// By all, one colour after the other.
static bool SweepColours(const Sweep* sweep)
{
    bool changed = false;
    for (int from = sweep->begin, to = sweep->end; from < to;)
    {
        Sweep part = *sweep;
        part.begin = from;
        part.end = to;
        NarrowToColour(sweep->respond, sweep->back, &part.begin, &part.end);
        changed = SweepColour(&part, ColourOf(sweep->respond, part.begin)) || changed;
        from = sweep->back ? from : part.end;
        to = sweep->back ? part.begin : to;
    }
    return changed;
}

// The square of what is little, after a sweep over all rows; and which are quiet.
static double FindLittle(rslRespond* r, int begin, int end)
{
    double largest = 0.0;
    for (int i = begin; i < end; ++i)
    {
        const rslRow* row = &r->rows[i];
        largest = rslMost(largest, row->plain ? row->press : r->touches[row->touch].press);
    }
    double little = rslLittlePart / r->sweeps * largest;
    for (int i = begin; i < end; ++i)
    {
        r->rows[i].quiet = r->rows[i].plain && r->rows[i].square <= little * little;
    }
    return little * little;
}

void rslRespond_Solve(rslRespond* r, const rslGroup* group, bool closing)
{
    int begin = group->begin, end = group->end;
    bool changed = true, many = r->rough && end - begin > RSL_QUIET_FROM;
    Sweep sweep = { .respond = r, .begin = begin, .end = end };
    rslRespond_StartRows(r, group, closing);
    for (int s = 0; changed && s < r->sweeps; ++s)
    {
        sweep.all = !many || s % RSL_OFTEN == 0 || s == r->sweeps - 1;
        sweep.back = s % 2 == 1;
        changed = (group->huge ? SweepColours(&sweep) : SweepRows(&sweep, begin, end)) || !sweep.all;
        rslRespond_Join(r);
        sweep.little = many && s == 0 ? FindLittle(r, begin, end) : sweep.little;
    }
    rslRespond_EndRows(r, group);
}

// ---- places ---------------------------------------------------------------------------------------------------------

RSL_INLINE void ImprovePlace(rslRow* row, const rslSpotPart* part, rslSpeed* dx)
{
    rslFour sum, n = *(const rslFour*)row->n;
    rslRow_Sum(row, part, dx, &sum);
    double push = row->push - (rslFour_Dot(&n, &sum) - row->wanted) * row->inverse;
    push = push > 0.0 ? push : 0.0;
    rslFour change = (push - row->push) * n;
    row->push = push;
    rslRow_Push(row, part, &change, dx);
}

RSL_CLONES static void SweepPlaces(rslRespond* r, int begin, int end, bool back)
{
    for (int i = begin; i < end; ++i)
    {
        rslRow* row = &r->rows[back ? end - 1 - (i - begin) : i];
        if (row->wanted > 0.0 && row->plain)
        {
            ImprovePlace(row, &r->rowParts[row->part], r->dx);
        }
        else if (row->wanted > 0.0)
        {
            rslSpot_ImprovePlace(r, &r->touches[row->touch]);
        }
    }
}

void rslRespond_SweepPlaces(rslRespond* r, const rslGroup* group)
{
    for (int i = group->begin; i < group->end; ++i)
    {
        r->rows[i].wanted = r->touches[r->rows[i].touch].wanted;
        r->rows[i].push = 0.0;
    }
    for (int s = 0; s < RSL_PLACE_SWEEPS; ++s)
    {
        SweepPlaces(r, group->begin, group->end, s % 2 == 1);
    }
    for (int i = group->begin; i < group->end; ++i)
    {
        rslSpot* touch = &r->touches[r->rows[i].touch];
        touch->push = r->rows[i].plain ? r->rows[i].push : touch->push;
    }
}

// ---- all of them ----------------------------------------------------------------------------------------------------

typedef struct Answering
{
    rslRespond* respond;
    rslGroupTask* task;
} Answering;

static rslGroup GroupAt(const rslRespond* r, int g)
{
    rslGroup group = { r->groupStart[g], r->groupStart[g + 1], r->moverStart[g], r->moverStart[g + 1], false };
    group.huge = group.end - group.begin >= RSL_VERY_MANY && r->in->join == NULL;
    return group;
}

static void RunGroup(int item, void* context)
{
    const Answering* answering = context;
    rslGroup group = GroupAt(answering->respond, item);
    if (!group.huge)
    {
        answering->task(answering->respond, &group);
    }
}

void rslRespond_ForGroups(rslRespond* r, rslGroupTask* task)
{
    Answering answering = { r, task };
    for (int g = 0; r->count < RSL_WORTH_WAKING && g < r->groupCount; ++g)
    {
        RunGroup(g, &answering);
    }
    if (r->count >= RSL_WORTH_WAKING)
    {
        rslTeam_Run(r->team, RunGroup, r->groupCount, &answering);
    }
    for (int g = 0; g < r->groupCount; ++g)
    {
        rslGroup group = GroupAt(r, g);
        if (group.huge)
        {
            task(r, &group);
        }
    }
}
