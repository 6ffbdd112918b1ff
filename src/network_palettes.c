// SPDX-License-Identifier: MIT
//
// network_palettes.c: see network_palettes.h.

#include "network_palettes.h"

#include <string.h>

// Turns a way to one side of a plane that no way of a regular mesh is likely to lie in; both ends do that alike. Returns whether it is another
// one now.
static bool TurnWay(double way[3])
{
    bool turned = way[0] + 0.6180339887 * way[1] + 0.2360679775 * way[2] < 0.0;
    for (int axis = 0; turned && axis < 3; ++axis)
    {
        way[axis] = -way[axis];
    }
    return turned;
}

// The first way that is that of a spring but for rounding, or how many there are.
static int SearchWay(const Maker* m, const Spring* spring, const double way[3])
{
    double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    double slack = (RSL_PRECISION == 32 ? 0x1p-24 : 0x1p-42) * length;
    for (int i = 0; i < m->ways; ++i)
    {
        const double* of = m->wayOf[i];
        if (fabs(way[0] - of[0]) <= slack && fabs(way[1] - of[1]) <= slack && fabs(way[2] - of[2]) <= slack &&
            spring->of[OF_INVERSE] == m->inverseOf[i])
        {
            return i;
        }
    }
    return m->ways;
}

// The set of other constants of a spring, or how many there are.
static int SearchRest(const Maker* m, const Spring* spring)
{
    for (int tried = 0; tried < m->rests; ++tried)
    {
        int i = (m->restAt + tried) % m->rests;
        if (memcmp(spring->of + OF_STIFFNESS, m->restOf[i], sizeof m->restOf[i]) == 0)
        {
            return i;
        }
    }
    return m->rests;
}

Spring RSL_NAME(rslPalettes_Spring)(const Maker* m, int node, const Entry* entry, double way[3])
{
    const double* rest = m->body->network.rest;
    int other = entry->other - m->body->firstNode, slot = m->slotOf[node], at = OF_MORE;
    Spring spring = { .lane = slot % SLICE, .over = m->slotOf[other] - slot, .way = -1, .rest = -1, .sort = ROW_SORTS };
    for (int axis = 0; axis < 3; ++axis)
    {
        way[axis] = rest[3 * (size_t)other + (size_t)axis] - rest[3 * (size_t)node + (size_t)axis];
        spring.of[axis] = (Real)way[axis];
    }
    spring.of[OF_INVERSE] = entry->inverse;
    spring.of[OF_STIFFNESS] = entry->stiffness;
    if (m->out->damped)
    {
        spring.of[at++] = entry->damping;
    }
    if (m->out->general)
    {
        spring.of[at++] = entry->preload / entry->restLength;
    }
    return spring;
}

// Springs that a palette has, and those that it has no room for: then it is given up where they are more.
typedef struct Hits
{
    int64_t found, missed;
} Hits;

static void AddWay(Maker* m, const Spring* spring, double way[3], Hits* hits)
{
    TurnWay(way);
    int at = hits->missed <= hits->found ? SearchWay(m, spring, way) : MOST_WAYS;
    if (at == m->ways && at < MOST_WAYS)
    {
        m->ways += 1;
        memcpy(m->wayOf[at], way, sizeof m->wayOf[at]);
        m->inverseOf[at] = spring->of[OF_INVERSE];
    }
    hits->found += at < MOST_WAYS ? 1 : 0;
    hits->missed += at < MOST_WAYS ? 0 : 1;
}

static void AddRest(Maker* m, const Spring* spring, Hits* hits)
{
    int at = hits->missed <= hits->found ? SearchRest(m, spring) : MOST_RESTS;
    if (at == m->rests && at < MOST_RESTS)
    {
        m->rests += 1;
        memcpy(m->restOf[at], spring->of + OF_STIFFNESS, sizeof m->restOf[at]);
    }
    m->restAt = at < MOST_RESTS ? at : 0;
    hits->found += at < MOST_RESTS ? 1 : 0;
    hits->missed += at < MOST_RESTS ? 0 : 1;
}

// The first one of a way stands for all of them: of nodes in rows, ways differ by rounding alone.
void RSL_NAME(rslPalettes_Find)(Maker* m)
{
    Hits ways = { 0 }, rests = { 0 };
    for (int i = 0; i < m->body->nodeCount && (ways.missed <= ways.found || rests.missed <= rests.found); ++i)
    {
        for (int e = m->start[i]; e < m->start[i + 1]; ++e)
        {
            if (m->entries[e].other - m->body->firstNode > i)
            {
                double way[3];
                Spring spring = RSL_NAME(rslPalettes_Spring)(m, i, &m->entries[e], way);
                AddWay(m, &spring, way, &ways);
                AddRest(m, &spring, &rests);
            }
        }
    }
    m->ways = ways.missed <= ways.found ? m->ways : 0;
    m->rests = rests.missed <= rests.found ? m->rests : 0;
    m->restAt = 0;
}

void RSL_NAME(rslPalettes_LookUp)(Maker* m, Spring* spring, double way[3])
{
    bool turned = TurnWay(way);
    int at = SearchWay(m, spring, way), rest = SearchRest(m, spring);
    for (int axis = 0; at < m->ways && axis < 3; ++axis)
    {
        spring->of[axis] = (Real)(turned ? -m->wayOf[at][axis] : m->wayOf[at][axis]);
    }
    spring->way = at < m->ways ? at + (turned ? m->ways : 0) : -1;
    spring->rest = rest < m->rests ? rest : -1;
    m->restAt = rest < m->rests ? rest : 0;
}

void RSL_NAME(rslPalettes_Fill)(const Maker* m)
{
    int rests = ConstantsOf(m->out) - OF_STIFFNESS;
    for (int i = 0; i < 2 * m->ways; ++i)
    {
        Real* to = m->out->ways + OF_STIFFNESS * i;
        for (int axis = 0; axis < 3; ++axis)
        {
            to[axis] = (Real)(i < m->ways ? m->wayOf[i][axis] : -m->wayOf[i - m->ways][axis]);
        }
        to[OF_INVERSE] = m->inverseOf[i % m->ways];
    }
    for (int i = 0; i < m->rests; ++i)
    {
        memcpy(m->out->rests + rests * i, m->restOf[i], sizeof(Real) * (size_t)rests);
    }
}
