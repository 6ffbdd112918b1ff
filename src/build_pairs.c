// SPDX-License-Identifier: MIT
//
// build_pairs.c: how a body touches another, itself or a collider, said once for all who ask.

#include "ascending.h"
#include "build.h"
#include "collision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A body, or the number of bodies plus a collider; -1: neither.
static int FindOther(const rslModel* model, const char* name)
{
    int body = rslModel_Find(model, name), collider = rslModel_FindCollider(model, name);
    return body >= 0 ? body : collider >= 0 ? model->bodyCount + collider : -1;
}

static int ComparePairs(const void* a, const void* b)
{
    const rslContactPair *x = a, *y = b;
    return x->body != y->body ? (x->body < y->body ? -1 : 1) : (x->other > y->other) - (x->other < y->other);
}

// Is a node of the body welded to the rigid one?
static bool IsWelded(const rslRigid* rigid, const rslBody* body)
{
    int at = rslFirstFrom(rigid->welded, 0, rigid->weldCount, body->firstNode);
    return at < rigid->weldCount && rigid->welded[at] < body->firstNode + body->nodeCount;
}

static int BodyOf(const rslModel* model, int rigid)
{
    return rigid >= 0 ? model->rigids[rigid].body : -1;
}

// Welded to each other or joined: where they are beside each other, or in each other, is settled.
static bool AreJoined(const rslModel* model, int a, int b)
{
    bool joined = false;
    for (int r = 0; r < model->rigidCount && !joined; ++r)
    {
        const rslRigid* rigid = &model->rigids[r];
        joined = (rigid->body == a && IsWelded(rigid, &model->bodies[b])) ||
                 (rigid->body == b && IsWelded(rigid, &model->bodies[a]));
    }
    for (int j = 0; j < model->jointCount && !joined; ++j)
    {
        int c = BodyOf(model, model->joints[j].rigids[0]), d = BodyOf(model, model->joints[j].rigids[1]);
        joined = (c == a && d == b) || (c == b && d == a);
    }
    return joined;
}

// What is not listed.
static rslContactPair Unlisted(const rslModel* model, int body, int other)
{
    const rslTouchRules* rules = &model->touch;
    rslContactPair pair = { .body = body, .other = other, .thickness = RSL_AUTO };
    if (other >= model->bodyCount)
    {
        const rslCollider* collider = &model->colliders[other - model->bodyCount];
        pair.touches = true;
        pair.friction = collider->friction;
        pair.restitution = collider->restitution;
        return pair;
    }
    pair.touches = body == other ? rules->self : rules->pairs == rsl_allPairs && !AreJoined(model, body, other);
    pair.friction = rules->friction;
    pair.restitution = rules->restitution;
    return pair;
}

rslContactPair rslModel_PairOf(const rslModel* model, int body, int other)
{
    RSL_ASSERT(0 <= body && body < model->bodyCount && 0 <= other && other < model->bodyCount + model->colliderCount);
    rslContactPair key = { .body = body < other ? body : other, .other = body < other ? other : body };
    const rslContactPair* found = model->pairCount > 0 ? bsearch(&key, model->pairs, (size_t)model->pairCount,
                                                                 sizeof(rslContactPair), ComparePairs)
                                                       : NULL;
    return found != NULL ? *found : Unlisted(model, key.body, key.other);
}

rslStatus rslBuild_Pairs(rslBuild* build)
{
    rslModel* model = build->model;
    const rslTouchDef* touch = &build->scene->touch;
    model->touch = (rslTouchRules){ touch->scheme,   rslTouchScheme_For(touch->scheme, build->scene->time.integrator),
                                    touch->pairs,    touch->self,
                                    touch->friction, touch->restitution,
                                    touch->sweeps,   touch->overlap == rsl_allowOverlap };
    int count = build->scene->contactCount;
    rslContactPair* pairs = rslArena_Allocate(build->arena, (size_t)count, sizeof(rslContactPair));
    if (pairs == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int i = 0; i < count; ++i)
    {
        const rslContactDef* def = &build->scene->contacts[i];
        int a = rslModel_Find(model, def->a), b = FindOther(model, def->b);
        if (a < 0 || b < 0)
        {
            rslReport_Add(build->report, rsl_error, def->place, "there is no body%s '%s'",
                          a < 0 ? "" : " and no collider", a < 0 ? def->a : def->b);
            return rsl_badInput;
        }
        pairs[i] = Unlisted(model, a < b ? a : b, a < b ? b : a);
        pairs[i].touches = true;
        pairs[i].friction = isnan(def->friction) ? pairs[i].friction : def->friction;
        pairs[i].restitution = isnan(def->restitution) ? pairs[i].restitution : def->restitution;
        pairs[i].thickness = def->thickness;
    }
    qsort(pairs, (size_t)count, sizeof *pairs, ComparePairs);
    model->pairs = pairs;
    model->pairCount = count;
    return rsl_ok;
}
