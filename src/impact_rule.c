// SPDX-License-Identifier: MIT
//
// impact_rule.c: see impact_rule.h.
//
// Impulses are exact for the nodes that they act on. What follows is not: nodes that are stopped, or turned round, within a step swing
// against their neighbours at the highest frequency that there is, and at 0.7 of the stable step Verlet's steps keep K (1 - s) + V with
// s = 0.49 of those, not K + V; and a part of what approaches is taken for what the present acceleration explains (respond.h), which
// bounces no more. Both vanish with h^2 and more. So a touch that closes faster than the acceleration explains in 16 steps, which is
// one after a flight, is answered in steps of at most a tenth of the stable one; and one that closes by more than a fifth of a
// cell in a step, which crushes cells before their neighbours know, is answered in steps in which it does not, or of a 32nd.
// That lasts as long as the body is in touch (docs/theory.md 26): for the time that a wave needs there and back, which is longer in
// what is pressed flat, and as long as parts of steps find something that still bounces, for a quarter of that time more.
//
// A node of mass rho a^3 that is stopped swings against its neighbours, which are springs of 1.2 E a each: w^2 = 2 c^2 / a^2 with
// c^2 = 1.2 E/rho, a the spacing. Dampers of alpha1 and alpha0 take its energy at the rate d = alpha1 w^2 + alpha0, in steps of any length.
// Where that is e^-4 of it or less when the body leaves, after T = 2 L / c, there is nothing that short steps could keep: 0.45 of the
// stable one, at which the energy of the swing is a twentieth off while it lasts, is short enough, but where cells would be crushed.
//
// Where no rebound is asked for, steps of 0.75 of the stable one do, at which energy is off by a tenth on the way and a sixth of it
// is lost; longer ones would gain some. Of 0.87 where what swings is damped out. That cells are not crushed is asked for as ever.

#include "impact_rule.h"

#include "build.h"
#include "collision.h"
#include "vec.h"

static const double flight = 16.0;    // steps
static const double capture = 2.0;    // likewise: what closes no faster is pressed on (respond.c)
static const double briefPart = 0.1;  // of the stable step
static const double dampedPart = 0.45;
static const double wholePart = 0.75;  // without rebound
static const double dampedWholePart = 0.87;
static const double leastPart = 1.0 / 32.0;
static const double farPart = 0.2;     // of a cell
static const double againPart = 0.25;  // of the time in touch
static const double gone = 4.0;        // d T from which on swings are damped out

double rslBody_TouchTime(const rslBody* body)
{
    if (!(body->young > 0.0) || !(body->density > 0.0) || body->skin.vertexCount == 0)
    {
        return INFINITY;
    }
    return 2.0 * rslBody_Extents(body).shortest / sqrt(1.2 * body->young / body->density);
}

bool rslBody_DampsSwings(const rslBody* body)
{
    double time = rslBody_TouchTime(body), a = body->spacing;
    if (!(time < INFINITY) || !(a > 0.0) || !body->skin.closed || body->regionCount > 0)
    {
        return false;  // sheets swing across their springs, and regions have dampers of their own
    }
    double square = 2.0 * 1.2 * body->young / (body->density * a * a);
    return time * (body->materialDamping[1] * square + body->materialDamping[0]) >= gone;
}

static rslVec3 At(const double* array, int c)
{
    const double* at = &array[3 * (size_t)c];
    return (rslVec3){ at[0], at[1], at[2] };
}

static double SmallerCell(const rslModel* model, int a, int b)
{
    double cells[2] = { model->bodies[a].spacing, b >= 0 ? model->bodies[b].spacing : 0.0 };
    return cells[1] > 0.0 && !(cells[0] > 0.0 && cells[0] < cells[1]) ? cells[1] : cells[0];
}

// How fast something closes, in the middle of the kick, and what the kick changes of it.
typedef struct Approach
{
    double speed, kick;  // along the normal: away is positive
    bool closes;         // in this step
} Approach;

static Approach ApproachOf(const rslResponse* in, const rslCollision* one)
{
    const rslCollisions* list = in->collisions;
    rslVec3 u = rslScale(-1.0, one->velocity), change = { 0 };
    for (int e = one->begin; e < one->begin + one->count; ++e)
    {
        u = rslMulAdd(u, list->weights[e], At(in->v, list->nodes[e]));
        change = rslMulAdd(change, list->weights[e], At(in->kick, list->nodes[e]));
    }
    double kick = rslDot(change, one->normal), speed = rslDot(u, one->normal) + 0.5 * kick;
    return (Approach){ speed, kick, speed < 0.0 && one->gap + in->step * (speed + 0.5 * kick) <= 0.0 };
}

static bool IsFresh(const Approach* approach)
{
    return approach->closes && -approach->speed > flight * fabs(approach->kick);
}

static double Longer(const double* times, int a, int b)
{
    return b >= 0 && times[b] > times[a] ? times[b] : times[a];
}

static int OtherBody(const uint32_t key[4])
{
    return rslKey_IsCollider(key) ? -1 : rslKey_Other(key);
}

// Is there anything to ask for?
static bool IsLong(const rslImpactRule* rule, const rslResponse* in)
{
    return rule->stable > 0.0 && in->step > leastPart * rule->stable;
}

// Something fast was met on its way.
static bool IsStopped(const rslImpactRule* rule, const rslResponse* in, int c)
{
    rslVec3 v = At(in->v, c), change = At(in->change, c);
    double cell = rule->model->bodies[rslModel_BodyOf(rule->model, rule->model->contactNodes[c])].spacing;
    return rslDot(change, change) > 0.0 && in->step * rslLength(v) > farPart * cell;
}

enum
{
    PIECES = 8,   // of the list of collisions, for the threads
    FEWEST = 32,  // collisions of a piece
};

// A rule that looks, and what it finds in every piece.
typedef struct Looking
{
    const rslImpactRule* rule;
    rslResponse* in;
    rslRespond* respond;
    bool asks, goesOn;  // what for
    int size;           // of a piece
    rslImpactNeeds needs[PIECES];
} Looking;

// For how long one collision asks for shorter steps.
static double Asks(const Looking* l, const rslCollision* one, const Approach* approach)
{
    const rslImpactRule* rule = l->rule;
    int body = (int)one->key[0], other = OtherBody(one->key);
    double h = l->in->step, cell = SmallerCell(rule->model, body, other);
    bool far = approach->closes && -h * approach->speed > farPart * cell;
    const double* lasts = h > dampedPart * rule->stable ? rule->durations : rule->swings;
    double whole = Longer(rule->swings, body, other) > 0.0 ? wholePart : dampedWholePart;
    bool fresh = IsFresh(approach) && h > (rule->inert ? whole : briefPart) * rule->stable;
    return far && Longer(rule->durations, body, other) > 0.0 ? INFINITY : fresh ? Longer(lasts, body, other) : 0.0;
}

// For how long steps that are short have to go on since it bounces.
static double GoesOn(const Looking* l, const rslCollision* one, const Approach* approach)
{
    double lasts = againPart * Longer(l->rule->durations, (int)one->key[0], OtherBody(one->key));
    bool bounces = !l->rule->inert && approach->closes && -approach->speed > capture * fabs(approach->kick);
    return lasts < INFINITY && bounces ? lasts : 0.0;
}

// The first item is the longest.
static void LookAtPiece(int item, void* context)
{
    Looking* l = context;
    const rslCollisions* list = l->in->collisions;
    if (item == 0)
    {
        if (l->respond != NULL)
        {
            rslRespond_Begin(l->respond, l->in);
        }
        return;
    }
    const int begin = (item - 1) * l->size, end = begin + l->size < list->count ? begin + l->size : list->count;
    rslImpactNeeds needs = { 0 };
    for (int i = begin; i < end; ++i)
    {
        Approach approach = ApproachOf(l->in, &list->list[i]);
        needs.asks = l->asks ? rslMost(needs.asks, Asks(l, &list->list[i], &approach)) : 0.0;
        needs.goesOn = l->goesOn ? rslMost(needs.goesOn, GoesOn(l, &list->list[i], &approach)) : 0.0;
    }
    l->needs[item - 1] = needs;
}

rslImpactNeeds rslImpactRule_Look(const rslImpactRule* rule, rslResponse* in, bool divided, rslRespond* respond,
                                  rslTeam* team)
{
    const int count = in->collisions->count, size = (count + PIECES - 1) / PIECES;
    rslImpactNeeds needs = { 0 };
    Looking looking = { .rule = rule,
                        .in = in,
                        .respond = respond,
                        .asks = IsLong(rule, in),
                        .goesOn = divided && rule->stable > 0.0,
                        .size = size > FEWEST ? size : FEWEST };
    bool looks = looking.asks || looking.goesOn;
    rslTeam_Run(team, LookAtPiece, 1 + (looks ? (count + looking.size - 1) / looking.size : 0), &looking);
    for (int p = 0; p < PIECES; ++p)
    {
        needs.asks = rslMost(needs.asks, looking.needs[p].asks);
        needs.goesOn = rslMost(needs.goesOn, looking.needs[p].goesOn);
    }
    return needs;
}

double rslImpactRule_AsksOnWays(const rslImpactRule* rule, const rslResponse* in)
{
    double time = 0.0;
    for (int c = 0; IsLong(rule, in) && c < rule->model->contactNodeCount; ++c)
    {
        int body = rslModel_BodyOf(rule->model, rule->model->contactNodes[c]);
        time = rule->durations[body] > 0.0 && IsStopped(rule, in, c) ? INFINITY : time;
    }
    return time;
}

bool rslImpactRule_Swings(const rslImpactRule* rule, const rslState* state)
{
    bool swings = false;
    for (int t = 0; t < state->touchedCount && !swings && !rule->inert; ++t)
    {
        const uint32_t* key = state->touched[t].key;
        swings = Longer(rule->swings, (int)key[0], OtherBody(key)) > 0.0;
    }
    return swings;
}
