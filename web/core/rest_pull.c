// SPDX-License-Identifier: MIT
//
// rest_pull.c: a hand on a body that is at rest (static). It takes its patch to where it is pulled, by a force that is found from one rest to the
// next: with p the place of the patch, dp and dF what the last solve changed, B the stiffness that was seen (Broyden 1965)
//     B += (dF - B dp) dp^T / (dp . dp),    F += B (target - p)
// B begins as soft as a slender body is. A solve takes p a part of the size of the body at most, and where B would push away from the target it
// begins anew.

#include "hands_internal.h"

static const double softest = 1e-4;  // of B at first, over what a block of the material has under the patch
static const double stride = 0.05;   // of p in one solve, over the size of the body

static rslVec3 Times(const double matrix[9], rslVec3 a)
{
    return (rslVec3){ matrix[0] * a.x + matrix[1] * a.y + matrix[2] * a.z,
                      matrix[3] * a.x + matrix[4] * a.y + matrix[5] * a.z,
                      matrix[6] * a.x + matrix[7] * a.y + matrix[8] * a.z };
}

static double ModulusOf(const rslBody* body)
{
    return body->young > 0.0 ? body->young : 1e5;
}

static void Begin(webHand* hand, double stiffness)
{
    for (int i = 0; i < 9; ++i)
    {
        hand->seen[i] = i % 4 == 0 ? stiffness : 0.0;
    }
}

static void Learn(webHand* hand, rslVec3 moved)
{
    rslVec3 miss = Sub(hand->pushed, Times(hand->seen, moved));
    const double m[3] = { miss.x, miss.y, miss.z }, d[3] = { moved.x, moved.y, moved.z };
    for (int i = 0; i < 9; ++i)
    {
        hand->seen[i] += m[i / 3] * d[i % 3] / Dot(moved, moved);
    }
}

void webHand_PullAtRest(webHands* hands, const rslState* state, webHand* hand)
{
    const rslBody* body = &hands->model->bodies[hand->body];
    double soft = softest * ModulusOf(body) * hand->radius;
    double size = body->density > 0.0 ? cbrt(body->mass / body->density) : 10.0 * hand->radius;
    rslVec3 before = hand->place;
    webHands_Read(hands, state, hand->nodes, hand->count);
    hand->place = Add(webHand_Mean(hand, hands->places), hand->offset);
    rslVec3 moved = Sub(hand->place, before);
    if (Length(hand->pushed) == 0.0)
    {
        Begin(hand, soft);
    }
    else if (Length(moved) > 1e-9 * size)
    {
        Learn(hand, moved);
    }
    rslVec3 way = InSpace(hands, AtMost(Sub(hand->target, hand->place), stride * size));
    rslVec3 push = Times(hand->seen, way);
    if (!(Dot(push, way) > 0.0))
    {
        Begin(hand, soft);
        push = Times(hand->seen, way);
    }
    // no more than ten times what there was, since what is stiff here may be soft there
    push = AtMost(push, 9.0 * fmax(Length(hand->force), soft * stride * size));
    double strongest = fmax(hand->strongest, ModulusOf(body) * hand->radius * hand->radius);
    rslVec3 force = AtMost(Add(hand->force, push), strongest);
    hand->pushed = Sub(force, hand->force);
    hand->force = force;
}

bool webHands_AtRest(const webHands* hands)
{
    bool rest = true;
    for (int h = 0; h < WEB_HANDS; ++h)
    {
        const webHand* hand = &hands->list[h];
        bool there = Length(Sub(hand->target, hand->place)) < 1e-3 * hand->radius;
        bool spent = Length(hand->pushed) < 1e-3 * Length(hand->force);  // it pulls as hard as it may
        rest = rest && (!hand->used || there || spent);
    }
    return rest;
}
