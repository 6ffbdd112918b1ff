// SPDX-License-Identifier: MIT
//
// respond_level_group.c: the phases of a group of touches on level ground (respond_level.h), as respond_impact.c, respond.c,
// respond_sweep.c and respond_place.c have them for any.

#include "respond_level.h"

#include "lanes.h"

#define Fill rslLevel_Fill
#define Sweep rslLevel_Sweep
#define Contact rslLevel_Contact
#define SweepPlaces rslLevel_SweepPlaces
#define PaidOf rslLevel_PaidOf

typedef struct Group
{
    const rslRespond* respond;
    rslLevel* level;
    int begin, end;  // rows
    int moverBegin, moverEnd;
} Group;

// ---- rows -----------------------------------------------------------------------------------------------------------

// v of four nodes.
RSL_INLINE void Get(const rslLevelFour* four, const double* v, rslFour* to)
{
    const int* m = four->mover;
    *to = (rslFour){ v[m[0]], v[m[1]], v[m[2]], v[m[3]] };
}

// sum w_i v_i, in four parts. Rows of eight keep what they have read.
RSL_INLINE double Sum(const rslLevelFour* four, int count, const double* v, rslFour eight[2])
{
    rslFour sum = { 0 };
    int i = 0;
    for (; i + 4 <= count; i += 4)
    {
        rslFour x;
        Get(&four[i / 4], v, &x);
        sum += *(const rslFour*)four[i / 4].weight * x;
        eight[i / 4 % 2] = x;
    }
    for (int k = 0; k < count - i; ++k)
    {
        sum[k] += four[i / 4].weight[k] * v[four[i / 4].mover[k]];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

RSL_INLINE void Put(const rslLevelFour* four, double impulse, const rslFour* x, double* v)
{
    rslFour next = *x + *(const rslFour*)four->give * impulse;
    const int* m = four->mover;
    v[m[0]] = next[0];
    v[m[1]] = next[1];
    v[m[2]] = next[2];
    v[m[3]] = next[3];
}

// v_i += (w_i / m_i) l
RSL_INLINE void Push(const rslLevelFour* four, int count, double impulse, double* v)
{
    int i = 0;
    for (; i + 4 <= count; i += 4)
    {
        rslFour x;
        Get(&four[i / 4], v, &x);
        Put(&four[i / 4], impulse, &x, v);
    }
    for (int k = 0; k < count - i; ++k)
    {
        v[four[i / 4].mover[k]] += four[i / 4].give[k] * impulse;
    }
}

RSL_INLINE double SpeedOf(const rslLevel* l, const rslLevelRow* row, const double* v)
{
    rslFour eight[2];
    return l->eights || row->count == 8 ? Sum(&l->fours[row->four], 8, v, eight)
                                        : Sum(&l->fours[row->four], row->count, v, eight);
}

RSL_INLINE void PushRow(const rslLevel* l, const rslLevelRow* row, double impulse)
{
    Push(&l->fours[row->four], row->count, impulse, l->v);
}

// As other impulses stand. Returns the change.
RSL_INLINE double Improve(const rslLevelFour* four, int count, double* value, double bound, double inverse, double* v)
{
    rslFour eight[2];
    double before = *value, next = before - (Sum(four, count, v, eight) - bound) * inverse;
    next = next > 0.0 ? next : 0.0;
    double change = next - before;  // mostly of those that press; who asks whether it is 0 guesses wrong too often
    *value = next;
    if (count == 8)
    {
        Put(&four[0], change, &eight[0], v);
        Put(&four[1], change, &eight[1], v);
    }
    else
    {
        Push(four, count, change, v);
    }
    return change;
}

// Where all rows have eight nodes, nothing else is to be ready for.
RSL_INLINE double ImproveRow(const rslLevel* l, const rslLevelRow* row, const bool eights, double* value, double bound,
                             double* v)
{
    const rslLevelFour* four = &l->fours[row->four];
    return eights || row->count == 8 ? Improve(four, 8, value, bound, row->inverse, v)
                                     : Improve(four, row->count, value, bound, row->inverse, v);
}

RSL_INLINE void FillPart(rslLevelFour* fours, int k, const rslLevelMover* mover, double weight)
{
    rslLevelFour* four = &fours[k / 4];
    four->weight[k % 4] = weight;
    four->give[k % 4] = weight * mover->yield;
    four->mover[k % 4] = mover->at;
}

// Weights that are 0 are left out.
RSL_INLINE void FillFours(const rslLevel* l, const rslLevelRow* row, const rslLevelTouch* touch, const double* weights,
                          int count)
{
    const int* part = &l->parts[touch->part];
    const rslLevelMover* movers = l->movers;
    rslLevelFour* fours = &l->fours[row->four];
    if (row->count == 8 && count == 8)
    {
        for (int k = 0; k < 8; ++k)
        {
            FillPart(fours, k, &movers[part[k]], weights[k]);
        }
        return;
    }
    for (int k = 0, i = 0; k < row->count; ++i)
    {
        if (weights[i] != 0.0)
        {
            FillPart(fours, k, &movers[part[k]], weights[i]);
            ++k;
        }
    }
}

// d = sum w_i^2 / m_i, one after the other.
RSL_INLINE double ShiftOf(const rslLevel* l, const rslLevelRow* row)
{
    double d = 0.0;
    for (int k = 0; k < row->count; ++k)
    {
        const rslLevelFour* four = &l->fours[row->four + k / 4];
        d += four->weight[k % 4] * four->give[k % 4];
    }
    return d;
}

// What moves, and all that is known of touches before anything happens.
RSL_CLONES static void Fill(const Group* g)
{
    rslLevel* l = g->level;
    const rslResponse* in = g->respond->in;
    for (int m = g->moverBegin; m < g->moverEnd; ++m)
    {
        size_t at = 3 * (size_t)l->nodes[m];
        l->v[m] = rslDot(l->n, rslVec3_Of(&in->v[at]));
        l->kick[m] = rslDot(l->n, rslVec3_Of(&in->kick[at]));
        l->lift[m] = in->lift != NULL ? rslDot(l->n, rslVec3_Of(&in->lift[at])) : l->kick[m] / in->step;
        l->dx[m] = 0.0;
    }
    for (int i = g->begin; i < g->end; ++i)
    {
        rslLevelRow* row = &l->rows[i];
        rslLevelSpot* spot = &l->spots[i];
        const rslLevelPlace* place = &l->places[i];
        const rslLevelTouch* touch = &l->touches[place->touch];
        const rslCollision* collision = &in->collisions->list[place->touch];
        if (!l->kept)
        {
            spot->touch = place->touch;
            row->four = place->four;
            row->count = (uint16_t)place->count;
            FillFours(l, row, touch, in->collisions->weights + collision->begin, collision->count);
            row->inverse = 1.0 / ShiftOf(l, row);
        }
        row->belt = rslDot(l->n, collision->velocity);
        row->press = row->bound = row->push = row->wanted = row->square = 0.0;
        spot->gap = collision->gap;
        spot->restitution = collision->restitution;
        spot->before = SpeedOf(l, row, l->v) - row->belt;
        spot->kick = SpeedOf(l, row, l->kick);
        spot->impact = 0.0;
    }
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

// Rows of a list, there or back. Those that are not quiet after it stay on the list, in order. Returns whether anything has changed by
// more than little.
RSL_INLINE bool SweepList(const rslLevel* l, int* list, int* begin, int* end, const bool back, const bool eights,
                          double little)
{
    rslLevelRow* const rows = l->rows;
    double* const v = l->v;
    const int step = back ? -1 : 1;
    const int *from = back ? list + *end - 1 : list + *begin, *const stop = from + step * (*end - *begin);
    int* to = back ? list + *end - 1 : list + *begin;
    bool changed = false;
    for (; from != stop; from += step)
    {
        const int i = *from;
        rslLevelRow* row = &rows[i];
        double change = ImproveRow(l, row, eights, &row->press, row->bound + row->belt, v), square = change * change;
        double least = rslSettled * row->press;
        bool busy = square > little;
        row->square = square;
        changed |= busy & (square > least * least);
        *to = i;
        to += busy ? step : 0;
    }
    *(back ? begin : end) = (int)(to - list) + back;
    return changed;
}

RSL_CLONES static bool Sweep(const Group* g, int* list, int* begin, int* end, bool back, double little)
{
    if (g->level->eights)
    {
        return back ? SweepList(g->level, list, begin, end, true, true, little)
                    : SweepList(g->level, list, begin, end, false, true, little);
    }
    return back ? SweepList(g->level, list, begin, end, true, false, little)
                : SweepList(g->level, list, begin, end, false, false, little);
}

// The square of what is little, after a sweep over all rows.
static double FindLittle(const Group* g)
{
    double largest = 0.0;
    for (int i = g->begin; i < g->end; ++i)
    {
        largest = rslMost(largest, g->level->rows[i].press);
    }
    double little = rslLittlePart / g->respond->sweeps * largest;
    return little * little;
}

// All rows, or those that close and are not quiet. Returns where the list ends.
static int ListRows(const Group* g, int* list, double quiet)
{
    int end = g->begin;
    for (int i = g->begin; i < g->end; ++i)
    {
        const rslLevelRow* row = &g->level->rows[i];
        list[end] = i;
        end += !row->skipped && row->square > quiet;
    }
    return end;
}

// All touches, or those that close.
static void Solve(const Group* g, bool closing)
{
    rslLevel* l = g->level;
    int *list = l->busy, begin = g->begin, end = g->end, sweeps = g->respond->sweeps;
    bool changed = true, many = g->end - g->begin > RSL_QUIET_FROM;
    double little = 0.0;
    for (int i = g->begin; i < g->end; ++i)
    {
        l->rows[i].skipped = closing && !l->spots[i].closing;
    }
    for (int s = 0; changed && s < sweeps; ++s)
    {
        bool all = !many || s % RSL_OFTEN == 0 || s == sweeps - 1;
        if (all)
        {
            begin = g->begin;
            end = ListRows(g, list, -1.0);
        }
        changed = Sweep(g, list, &begin, &end, s % 2 == 1, little) || !all;
        if (many && s == 0)
        {
            little = FindLittle(g);
            end = ListRows(g, list, little);
        }
    }
}

// ---- impact ---------------------------------------------------------------------------------------------------------

static void AddKick(const Group* g, double part)
{
    for (int m = g->moverBegin; m < g->moverEnd; ++m)
    {
        g->level->v[m] += part * g->level->kick[m];
    }
}

static bool FindBounces(const Group* g)
{
    bool any = false;
    for (int i = g->begin; i < g->end; ++i)
    {
        rslLevelSpot* spot = &g->level->spots[i];
        double speed = spot->before + 0.5 * spot->kick;
        spot->closing = spot->gap + g->respond->in->step * (speed + 0.5 * spot->kick) <= 0.0;
        spot->bounces =
            spot->closing && spot->restitution > 0.0 && speed < (spot->kick < 0.0 ? rslCapture * spot->kick : 0.0);
        any = any || spot->bounces;
    }
    return any;
}

static int Root(rslLevelSpot* spots, int i)
{
    while (spots[i].parent != i)
    {
        spots[i].parent = spots[spots[i].parent].parent;
        i = spots[i].parent;
    }
    return i;
}

// Those that close and share what moves have the same root.
static void GroupClosing(const Group* g)
{
    rslLevel* l = g->level;
    for (int m = g->moverBegin; m < g->moverEnd; ++m)
    {
        l->last[m] = -1;
    }
    for (int i = g->begin; i < g->end; ++i)
    {
        l->spots[i].parent = i;
        l->sums[i][0] = l->sums[i][1] = 0.0;
        for (int k = 0; l->spots[i].closing && k < l->rows[i].count; ++k)
        {
            int* last = &l->last[l->fours[l->rows[i].four + k / 4].mover[k % 4]];
            int a = *last >= 0 ? Root(l->spots, *last) : i, b = Root(l->spots, i);
            l->spots[a > b ? a : b].parent = a > b ? b : a;
            *last = i;
        }
    }
}

static double Again(const rslLevel* l, int i)
{
    return l->spots[i].bounces ? l->spots[i].restitution * l->rows[i].press : 0.0;
}

static void GiveBack(const Group* g)
{
    rslLevel* l = g->level;
    GroupClosing(g);
    for (int i = g->begin; i < g->end; ++i)
    {
        rslLevelSpot* spot = &l->spots[i];
        if (spot->closing)
        {
            double u = SpeedOf(l, &l->rows[i], l->v) - l->rows[i].belt;
            l->sums[Root(l->spots, i)][1] += l->rows[i].press * (u - spot->start);
            spot->start = u;
        }
    }
    for (int i = g->begin; i < g->end; ++i)
    {
        if (l->spots[i].bounces)
        {
            PushRow(l, &l->rows[i], Again(l, i));
        }
    }
    for (int i = g->begin; i < g->end; ++i)
    {
        if (l->spots[i].bounces)
        {
            double change = SpeedOf(l, &l->rows[i], l->v) - l->rows[i].belt - l->spots[i].start;
            l->sums[Root(l->spots, i)][0] += Again(l, i) * change;
        }
    }
    for (int i = g->begin; i < g->end; ++i)
    {
        if (l->spots[i].closing)
        {
            double s = rslRespond_ScaleOf(l->sums[Root(l->spots, i)]), again = Again(l, i);
            l->spots[i].impact = l->rows[i].press + s * again;
            if (s < 1.0 && again > 0.0)
            {
                PushRow(l, &l->rows[i], (s - 1.0) * again);
            }
        }
    }
}

static void Impact(const Group* g)
{
    if (!FindBounces(g))
    {
        AddKick(g, 1.0);
        return;
    }
    AddKick(g, 0.5);
    for (int i = g->begin; i < g->end; ++i)
    {
        g->level->spots[i].start = g->level->spots[i].before + 0.5 * g->level->spots[i].kick;
    }
    Solve(g, true);
    GiveBack(g);
    AddKick(g, 0.5);
}

// ---- contact --------------------------------------------------------------------------------------------------------

RSL_CLONES static void Contact(const Group* g)
{
    rslLevel* l = g->level;
    for (int i = g->begin; i < g->end; ++i)
    {
        rslLevelRow* row = &l->rows[i];
        const rslLevelSpot* spot = &l->spots[i];
        row->bound = spot->gap > 0.0 ? -spot->gap / g->respond->in->step : 0.0;
        row->press = l->past[i];
        if (row->press > 0.0)
        {
            PushRow(l, row, row->press);
        }
    }
    Solve(g, false);
    for (int i = g->begin; i < g->end; ++i)
    {
        l->spots[i].after = SpeedOf(l, &l->rows[i], l->v) - l->rows[i].belt;
    }
}

// ---- places ---------------------------------------------------------------------------------------------------------

RSL_INLINE void SweepWanted(const rslLevel* l, const int* list, int count, bool back, const bool eights)
{
    for (int i = 0; i < count; ++i)
    {
        rslLevelRow* row = &l->rows[list[back ? count - 1 - i : i]];
        (void)ImproveRow(l, row, eights, &row->push, row->wanted, l->dx);
    }
}

// Rows of a list.
RSL_CLONES static void SweepPlaces(const rslLevel* l, const int* list, int count, bool back)
{
    if (l->eights)
    {
        SweepWanted(l, list, count, back, true);
    }
    else
    {
        SweepWanted(l, list, count, back, false);
    }
}

// s of the group: shifts cost no more than impulses lose.
RSL_CLONES static double PaidOf(const Group* g)
{
    const rslLevel* l = g->level;
    double stable = g->respond->in->stable, rate = stable > 0.0 ? 2.0 / (stable * stable) : 0.0;
    double sums[3] = { 0 };
    for (int i = g->begin; i < g->end; ++i)
    {
        const rslLevelRow* row = &l->rows[i];
        const rslLevelSpot* spot = &l->spots[i];
        sums[0] -= row->push > 0.0 ? row->push * SpeedOf(l, row, l->lift) : 0.0;
        sums[2] -= 0.5 * (spot->impact + row->press) * (spot->before + spot->after);
    }
    for (int m = g->moverBegin; m < g->moverEnd; ++m)
    {
        sums[1] += rate * l->dx[m] * l->dx[m] / l->y[m];
    }
    return rslRespond_PaidOf(sums);
}

static void Pay(const Group* g)
{
    rslLevel* l = g->level;
    double paid = PaidOf(g);
    for (int m = g->moverBegin; paid != 1.0 && m < g->moverEnd; ++m)
    {
        l->dx[m] = 0.0;
    }
    for (int i = g->begin; paid != 1.0 && i < g->end; ++i)
    {
        rslLevelRow* row = &l->rows[i];
        row->push *= paid;
        if (row->push > 0.0)
        {
            Push(&l->fours[row->four], row->count, row->push, l->dx);
        }
    }
}

static void Place(const Group* g)
{
    const rslRespond* r = g->respond;
    double part = rslRespond_PlacePart(r->in);
    int *list = g->level->busy + g->begin, count = 0;
    for (int i = g->begin; i < g->end; ++i)
    {
        const rslLevelSpot* spot = &g->level->spots[i];
        rslLevelRow* row = &g->level->rows[i];
        double way = r->in->step * spot->after, gap = spot->gap + (way < 0.0 ? way : 0.0);
        row->wanted = gap < 0.0 ? rslRespond_Wanted(r, &r->in->collisions->list[spot->touch], way, part) : 0.0;
        list[count] = i;
        count += row->wanted > 0.0;
    }
    for (int s = 0; count > 0 && s < RSL_PLACE_SWEEPS; ++s)
    {
        SweepPlaces(g->level, list, count, s % 2 == 1);
    }
    if (count > 0 && !r->model->touch.parts)
    {
        Pay(g);
    }
}

// ---- what comes of it -----------------------------------------------------------------------------------------------

static void Store(double out[3], rslVec3 a)
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

// Movers that no impulse has pushed stay as the kick has left them, to the bit.
static void Hand(const Group* g)
{
    const rslLevel* l = g->level;
    const rslResponse* in = g->respond->in;
    for (int m = g->moverBegin; m < g->moverEnd; ++m)
    {
        l->last[m] = 0;
    }
    for (int i = g->begin; i < g->end; ++i)
    {
        const rslLevelRow* row = &l->rows[i];
        const rslLevelSpot* spot = &l->spots[i];
        double whole = spot->impact + row->press;
        bool pushes = whole != 0.0 || row->press != 0.0;
        l->ends[i] = (rslLevelEnd){ whole, row->press, spot->before + spot->after, row->belt };
        for (int k = 0; pushes && k < row->count; ++k)
        {
            l->last[l->fours[row->four + k / 4].mover[k % 4]] = RSL_PUSHED;
        }
    }
    for (int m = g->moverBegin; m < g->moverEnd; ++m)
    {
        size_t at = 3 * (size_t)l->nodes[m];
        double before = rslDot(l->n, rslVec3_Of(&in->v[at])) + l->kick[m];
        Store(&in->change[at], rslScale(l->last[m] == RSL_PUSHED ? l->v[m] - before : 0.0, l->n));
        Store(&in->shift[at], rslScale(l->dx[m], l->n));
    }
}

void rslLevel_AnswerGroup(const rslRespond* r, int group)
{
    rslLevel* l = r->level;
    const Group g = { r, l, l->start[group], l->start[group + 1], l->moverStart[group], l->moverStart[group + 1] };
    Fill(&g);
    Impact(&g);
    Contact(&g);
    Place(&g);
    Hand(&g);
}
