// SPDX-License-Identifier: MIT
//
// respond_level_group.c: the phases of a group of touches on level ground (respond_level.h), as respond_impact.c, respond.c,
// respond_sweep.c and respond_place.c have them for any.

#include "respond_level.h"

enum
{
    QUIET_FROM = 64,  // touches: fewer are swept until nothing changes
    OFTEN = 3         // sweeps of which one is over all rows
};

static const double settled = 1e-14;    // change of an impulse over what it is
static const double littlePart = 0.05;  // over the sweeps that are allowed
static const double capture = 2.0;      // kappa

typedef struct Group
{
    const rslRespond* respond;
    rslLevel* level;
    int begin, end;  // rows
    int moverBegin, moverEnd;
} Group;

// ---- rows -----------------------------------------------------------------------------------------------------------

// sum w_i v_i, in four parts.
static inline double Sum(const rslLevelPart* part, int count, const double* v)
{
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
    int i = 0;
    for (; i + 4 <= count; i += 4)
    {
        a += part[i].weight * v[part[i].mover];
        b += part[i + 1].weight * v[part[i + 1].mover];
        c += part[i + 2].weight * v[part[i + 2].mover];
        d += part[i + 3].weight * v[part[i + 3].mover];
    }
    for (; i < count; ++i)
    {
        a += part[i].weight * v[part[i].mover];
    }
    return (a + b) + (c + d);
}

static inline void Push(const rslLevelPart* part, int count, double impulse, double* v)
{
    for (int i = 0; i < count; ++i)
    {
        v[part[i].mover] += part[i].give * impulse;
    }
}

static double SpeedOf(const rslLevel* l, const rslLevelRow* row, const double* v)
{
    return Sum(&l->rowParts[row->part], row->count, v);
}

static void PushRow(const rslLevel* l, const rslLevelRow* row, double impulse)
{
    Push(&l->rowParts[row->part], row->count, impulse, l->v);
}

// What moves, and all that is known of touches before anything happens.
static void Fill(const Group* g)
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
        const rslLevelTouch* touch = &l->touches[spot->touch];
        const rslCollision* collision = &in->collisions->list[spot->touch];
        for (int k = 0; k < row->count; ++k)
        {
            rslLevelPart part = l->parts[touch->part + k];
            part.mover = l->movers[part.mover].at;
            l->rowParts[row->part + k] = part;
        }
        row->belt = rslDot(l->n, collision->velocity);
        row->inverse = 1.0 / touch->d;
        row->press = row->bound = row->push = row->wanted = row->square = 0.0;
        spot->gap = collision->gap;
        spot->restitution = collision->restitution;
        spot->before = SpeedOf(l, row, l->v) - row->belt;
        spot->kick = SpeedOf(l, row, l->kick);
        spot->impact = 0.0;
    }
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

// Returns the square of what its impulse has changed by.
static inline double Improve(rslLevelRow* row, const rslLevelPart* part, double* v)
{
    double u = Sum(part, row->count, v) - row->belt, press = row->press - (u - row->bound) * row->inverse;
    if (!(press > 0.0) && row->press == 0.0)
    {
        return 0.0;
    }
    press = press > 0.0 ? press : 0.0;
    double change = press - row->press;
    row->press = press;
    Push(part, row->count, change, v);
    return change * change;
}

// There, or back; those that are quiet, too. Returns whether anything has changed by more than little.
static bool Sweep(const Group* g, bool back, bool all, double little)
{
    rslLevel* l = g->level;
    bool changed = false;
    for (int i = g->begin; i < g->end; ++i)
    {
        rslLevelRow* row = &l->rows[back ? g->end - 1 - (i - g->begin) : i];
        if (row->skipped || (row->quiet && !all))
        {
            continue;
        }
        row->square = Improve(row, &l->rowParts[row->part], l->v);
        row->quiet = row->square <= little;
        changed = changed || (!row->quiet && row->square > settled * settled * row->press * row->press);
    }
    return changed;
}

// The square of what is little, after a sweep over all rows; and which are quiet.
static double FindLittle(const Group* g)
{
    rslLevel* l = g->level;
    double largest = 0.0;
    for (int i = g->begin; i < g->end; ++i)
    {
        largest = rslMost(largest, l->rows[i].press);
    }
    double little = littlePart / g->respond->sweeps * largest;
    for (int i = g->begin; i < g->end; ++i)
    {
        l->rows[i].quiet = l->rows[i].square <= little * little;
    }
    return little * little;
}

// All touches, or those that close.
static void Solve(const Group* g, bool closing)
{
    rslLevel* l = g->level;
    int sweeps = g->respond->sweeps;
    bool changed = true, many = g->end - g->begin > QUIET_FROM;
    double little = 0.0;
    for (int i = g->begin; i < g->end; ++i)
    {
        l->rows[i].skipped = closing && !l->spots[i].closing;
        l->rows[i].quiet = false;
    }
    for (int s = 0; changed && s < sweeps; ++s)
    {
        bool all = !many || s % OFTEN == 0 || s == sweeps - 1;
        changed = Sweep(g, s % 2 == 1, all, little) || !all;
        little = many && s == 0 ? FindLittle(g) : little;
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
            spot->closing && spot->restitution > 0.0 && speed < (spot->kick < 0.0 ? capture * spot->kick : 0.0);
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
        for (int k = l->rows[i].part; l->spots[i].closing && k < l->rows[i].part + l->rows[i].count; ++k)
        {
            int* last = &l->last[l->rowParts[k].mover];
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

// s of those with a root. Rounding alone takes nothing.
static double ScaleOf(const double sums[2])
{
    double given = sums[0], lost = sums[1] > 0.0 ? sums[1] : 0.0;
    return given * (1.0 - 1e-12) <= lost ? 1.0 : sqrt(lost / given);
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
            double s = ScaleOf(l->sums[Root(l->spots, i)]), again = Again(l, i);
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

static void Contact(const Group* g)
{
    rslLevel* l = g->level;
    for (int i = g->begin; i < g->end; ++i)
    {
        rslLevelRow* row = &l->rows[i];
        const rslLevelSpot* spot = &l->spots[i];
        row->bound = spot->gap > 0.0 ? -spot->gap / g->respond->in->step : 0.0;
        row->press = spot->kept != NULL ? rslMost(0.0, rslDot(l->n, rslVec3_Of(spot->kept))) : 0.0;
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

static void SweepPlaces(const Group* g, bool back)
{
    rslLevel* l = g->level;
    for (int i = g->begin; i < g->end; ++i)
    {
        rslLevelRow* row = &l->rows[back ? g->end - 1 - (i - g->begin) : i];
        if (row->wanted > 0.0)
        {
            const rslLevelPart* part = &l->rowParts[row->part];
            double push = row->push - (Sum(part, row->count, l->dx) - row->wanted) * row->inverse;
            push = push > 0.0 ? push : 0.0;
            Push(part, row->count, push - row->push, l->dx);
            row->push = push;
        }
    }
}

// s of the group: shifts cost no more than impulses lose.
static double PaidOf(const Group* g)
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
            Push(&l->rowParts[row->part], row->count, row->push, l->dx);
        }
    }
}

static void Place(const Group* g)
{
    const rslRespond* r = g->respond;
    double part = rslRespond_PlacePart(r->in);
    bool any = false;
    for (int i = g->begin; i < g->end; ++i)
    {
        const rslLevelSpot* spot = &g->level->spots[i];
        rslLevelRow* row = &g->level->rows[i];
        row->wanted = rslRespond_Wanted(r, &r->in->collisions->list[spot->touch], r->in->step * spot->after, part);
        any = any || row->wanted > 0.0;
    }
    for (int s = 0; any && s < RSL_PLACE_SWEEPS; ++s)
    {
        SweepPlaces(g, s % 2 == 1);
    }
    if (any && !r->model->touch.parts)
    {
        Pay(g);
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
}
