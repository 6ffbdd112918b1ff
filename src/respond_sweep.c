// SPDX-License-Identifier: MIT
//
// respond_sweep.c: sweeps over many touches (respond_cone.c).
//
// Rows are the touches in the order in which they are swept, with all that a sweep needs side by side. At nodes that nothing holds K is
// d I, and a row is solved in four lanes, three of which are the axes:
//
//   u = sum w_i v_i - v_collider,   l' as in respond_cone.c with 1/d,   v_i += (w_i / m_i) (l' - l)
//
// the even nodes and the odd ones summed up apart. Others are improved by rslSpot_Improve.
//
// Where there are many touches most have what they want after a few sweeps, and the rest is worked out between some. A row whose impulse
// changes by little when it is swept is quiet: it is swept again in every fourth sweep only. Little is a part of the largest impulse
// that a body of it got (of two bodies, the smaller one), and a smaller part where more sweeps are allowed. The end is a sweep
// over all rows in which all are quiet. What is swept follows from the impulses alone.

#include "respond_set.h"

#include "lanes.h"

#include <string.h>

#define SweepRows rslRespond_SweepRows
#define FindBefore rslRespond_FindBeforeRows
#define FindAfter rslRespond_FindAfterRows
#define SweepPlaces rslRespond_SweepPlaceRows

enum
{
    BLOCK = 128,      // rows of an item of work
    MANY = 512,       // of a colour: worth waking others for
    QUIET_FROM = 64,  // touches: fewer are swept until nothing changes
    OFTEN = 4         // sweeps of which one is over all rows
};

static const double settled = 1e-14;    // change of an impulse over what it is
static const double littlePart = 0.05;  // over the sweeps that are allowed

typedef struct Sweep
{
    rslRespond* respond;
    int begin, end;  // rows of the colour
    bool back;       // from the last to the first
    bool all;        // quiet ones, too
} Sweep;

// ---- one row --------------------------------------------------------------------------------------------------------

// sum w_i v_i
RSL_INLINE void SumOf(const rslConeRow* row, const rslSpotPart* part, const rslSpeed* v, rslFour* u)
{
    rslFour even = { 0 }, odd = { 0 };
    int i = 0;
    for (; i + 2 <= row->count; i += 2)
    {
        even += part[i].weight * *(const rslFour*)&v[part[i].node];
        odd += part[i + 1].weight * *(const rslFour*)&v[part[i + 1].node];
    }
    if (i < row->count)
    {
        even += part[i].weight * *(const rslFour*)&v[part[i].node];
    }
    *u = even + odd;
}

// Returns the square of what its impulse has changed by.
RSL_INLINE double Improve(rslConeRow* row, const rslSpotPart* part, rslSpeed* v)
{
    rslFour u, n = *(const rslFour*)row->n, rub = *(const rslFour*)row->rub;
    SumOf(row, part, v, &u);
    u -= *(const rslFour*)row->belt;
    double along = rslFour_Dot(&n, &u), press = row->press - (along - row->bound) * row->inverse;
    if (!(press > 0.0) && row->press == 0.0)
    {
        return 0.0;
    }
    press = press > 0.0 ? press : 0.0;
    double most = row->cone * press, more = press - row->press;
    rslFour next = { 0 };
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
    for (int i = 0; i < row->count; ++i)
    {
        *(rslFour*)&v[part[i].node] += part[i].give * change;
    }
    return rslFour_Dot(&change, &change);
}

// Is it quiet now? Two bodies have the smaller of their largest impulses.
RSL_INLINE bool Judge(const rslRespond* r, rslConeRow* row)
{
    double a = r->largest[row->bodies[0]], b = r->largest[row->bodies[1]], least = a < b ? a : b;
    double little = r->little * least, press = settled * row->press, square = row->square;
    row->quiet = square <= little * little;
    return !row->quiet && square > press * press;
}

RSL_CLONES static bool SweepRows(const Sweep* sweep, int begin, int end)
{
    rslRespond* r = sweep->respond;
    bool changed = false;
    for (int i = begin; i < end; ++i)
    {
        rslConeRow* row = &r->rows[sweep->back ? end - 1 - (i - begin) : i];
        if (row->skipped || (row->quiet && !sweep->all))
        {
            continue;
        }
        if (row->plain)
        {
            row->square = Improve(row, &r->rowParts[row->part], r->v);
            changed = Judge(r, row) || changed;
        }
        else
        {
            changed = rslSpot_Improve(r, &r->touches[row->touch]) || changed;
        }
    }
    return changed;
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static void Store(double to[4], rslVec3 a)
{
    memcpy(to, &(double[4]){ a.x, a.y, a.z, 0.0 }, sizeof(double[4]));
}

// sum w_i v_i of nodes that nothing holds; without the velocity of the collider.
RSL_INLINE rslVec3 SumOfRow(const rslRespond* r, const rslConeRow* row, const rslSpeed* v, bool belt)
{
    rslFour u;
    SumOf(row, &r->rowParts[row->part], v, &u);
    if (belt)
    {
        u -= *(const rslFour*)row->belt;
    }
    return (rslVec3){ u[0], u[1], u[2] };
}

RSL_CLONES static void FindBefore(rslRespond* r)
{
    for (int i = 0; i < r->count; ++i)
    {
        const rslConeRow* row = &r->rows[i];
        rslSpot* touch = &r->touches[row->touch];
        touch->before = row->plain ? SumOfRow(r, row, r->v, true) : rslSpot_SpeedBefore(r, touch);
        touch->kick = row->plain ? SumOfRow(r, row, r->kick, false) : rslSpot_SpeedOfKick(r, touch);
    }
}

RSL_CLONES static void FindAfter(rslRespond* r)
{
    for (int i = 0; i < r->count; ++i)
    {
        const rslConeRow* row = &r->rows[i];
        rslSpot* touch = &r->touches[row->touch];
        touch->after = row->plain ? SumOfRow(r, row, r->v, true) : rslSpot_Speed(r, touch);
    }
}

void rslRespond_FindAfter(rslRespond* r)
{
    FindAfter(r);
}

// In the order of colours.
void rslRespond_MakeRows(rslRespond* r)
{
    int bodies = r->model->bodyCount, parts = 0;
    for (int i = 0; i < r->count; ++i)
    {
        const rslSpot* touch = &r->touches[r->order[i]];
        const uint32_t* key = r->in->collisions->list[touch->collision].key;
        int other = rslKey_IsCollider(key) ? bodies : rslKey_Other(key);
        rslConeRow* row = &r->rows[i];
        *row = (rslConeRow){ .touch = r->order[i],
                             .part = parts,
                             .count = touch->partEnd - touch->partBegin,
                             .bodies = { (int)key[0], other },
                             .plain = touch->free,
                             .inverse = 1.0 / touch->d };
        Store(row->n, touch->n);
        Store(row->belt, touch->belt);
        memcpy(&r->rowParts[parts], &r->parts[touch->partBegin], (size_t)row->count * sizeof(rslSpotPart));
        parts += row->count;
    }
    FindBefore(r);
}

static void StartRows(rslRespond* r, bool closing)
{
    for (int i = 0; i < r->count; ++i)
    {
        rslConeRow* row = &r->rows[i];
        const rslSpot* touch = &r->touches[row->touch];
        row->skipped = closing && !touch->closing;
        row->quiet = false;
        row->press = touch->press;
        row->bound = touch->bound;
        row->cone = touch->cone;
        Store(row->rub, touch->rub);
    }
}

static void EndRows(rslRespond* r)
{
    for (int i = 0; i < r->count; ++i)
    {
        const rslConeRow* row = &r->rows[i];
        rslSpot* touch = &r->touches[row->touch];
        if (row->plain && !row->skipped)
        {
            touch->press = row->press;
            touch->rub = (rslVec3){ row->rub[0], row->rub[1], row->rub[2] };
        }
    }
}

// The largest impulse of every body; nothing of what is no body.
static void FindLargest(rslRespond* r)
{
    int bodies = r->model->bodyCount;
    memset(r->largest, 0, (size_t)bodies * sizeof(double));
    for (int i = 0; i < r->count; ++i)
    {
        const rslConeRow* row = &r->rows[i];
        double press = row->plain ? row->press : r->touches[row->touch].press;
        for (int k = 0; k < 2; ++k)
        {
            r->largest[row->bodies[k]] = rslMost(r->largest[row->bodies[k]], press);
        }
    }
    r->largest[bodies] = INFINITY;
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

static void SweepBlock(int item, void* context)
{
    const Sweep* sweep = context;
    int begin = sweep->begin + item * BLOCK, end = sweep->end - begin < BLOCK ? sweep->end : begin + BLOCK;
    sweep->respond->moved[item] = SweepRows(sweep, begin, end);
}

static bool SweepColour(rslRespond* r, int colour, bool back, bool all)
{
    Sweep sweep = { r, r->colourStart[colour], r->colourStart[colour + 1], back, all };
    int count = sweep.end - sweep.begin, items = (count + BLOCK - 1) / BLOCK;
    if (colour == RSL_COLOURS || count < MANY)
    {
        return SweepRows(&sweep, sweep.begin, sweep.end);
    }
    rslTeam_Run(r->team, SweepBlock, items, &sweep);
    bool changed = false;
    for (int i = 0; i < items; ++i)
    {
        changed = changed || r->moved[i];
    }
    return changed;
}

// Rows are in the order of colours: where none has many, all are swept in one go.
static bool SweepAll(rslRespond* r, bool back, bool all)
{
    if (r->count < MANY)
    {
        return SweepRows(&(Sweep){ r, 0, r->count, back, all }, 0, r->count);
    }
    bool changed = false;
    for (int c = 0; c < RSL_COLOUR_LISTS; ++c)
    {
        changed = SweepColour(r, back ? RSL_COLOURS - c : c, back, all) || changed;
    }
    return changed;
}

// After a sweep over all rows: what is little, and which are quiet.
static void Quieten(rslRespond* r)
{
    r->little = littlePart / r->sweeps;
    FindLargest(r);
    for (int i = 0; i < r->count; ++i)
    {
        if (r->rows[i].plain)
        {
            (void)Judge(r, &r->rows[i]);
        }
    }
}

void rslRespond_Cone(rslRespond* r, bool closing)
{
    bool changed = true, many = r->rough && r->count > QUIET_FROM;
    r->little = 0.0;
    StartRows(r, closing);
    FindLargest(r);
    for (int s = 0; changed && s < r->sweeps; ++s)
    {
        bool all = !many || s % OFTEN == 0;
        changed = SweepAll(r, s % 2 == 1, all) || !all;
        rslRespond_Join(r);
        if (many && s == 0)
        {
            Quieten(r);
        }
    }
    EndRows(r);
}

// ---- places ---------------------------------------------------------------------------------------------------------

RSL_INLINE void ImprovePlace(rslConeRow* row, const rslSpotPart* part, rslSpeed* dx)
{
    rslFour sum, n = *(const rslFour*)row->n;
    SumOf(row, part, dx, &sum);
    double push = row->push - (rslFour_Dot(&n, &sum) - row->wanted) * row->inverse;
    push = push > 0.0 ? push : 0.0;
    rslFour change = (push - row->push) * n;
    row->push = push;
    for (int i = 0; i < row->count; ++i)
    {
        *(rslFour*)&dx[part[i].node] += part[i].give * change;
    }
}

RSL_CLONES static void SweepPlaces(rslRespond* r, bool back)
{
    for (int i = 0; i < r->count; ++i)
    {
        rslConeRow* row = &r->rows[back ? r->count - 1 - i : i];
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

void rslRespond_SweepPlaces(rslRespond* r, int sweeps)
{
    for (int i = 0; sweeps > 0 && i < r->count; ++i)
    {
        r->rows[i].wanted = r->touches[r->rows[i].touch].wanted;
        r->rows[i].push = 0.0;
    }
    for (int s = 0; s < sweeps; ++s)
    {
        SweepPlaces(r, s % 2 == 1);
    }
    for (int i = 0; sweeps > 0 && i < r->count; ++i)
    {
        rslSpot* touch = &r->touches[r->rows[i].touch];
        touch->push = r->rows[i].plain ? r->rows[i].push : touch->push;
    }
}
