// SPDX-License-Identifier: MIT
//
// hands.c: forces of a person's hands.
//
// A hand holds the place p = sum w_i x_i of a patch of nodes, w_i as m_i (1 - (d_i / r)^2), so that a force on p, shared out as
// f_i = w_i F, speeds up nodes near the middle alike. p answers to F as a mass M = 1 / sum (w_i^2 / m_i). The energy of its spring is
//     U = 1/2 k |target - p|^2,  F = k (target - p) - c v_p
// F is renewed every T only, which is one explicit step for this spring: it is stable for k T^2 < 4 M and c T < M, about. k = M / (2 T)^2
// and c = M / (2 T) are well below, and damped as much as is critical.
//
// A tool pushes nodes that are within it out along the nearest way, each with k_i = m_i / (2 T)^2 and c_i = m_i / (2 T) likewise.

#include "hands.h"

#include <math.h>
#include <stdlib.h>

static const double mostInterval = 5e-4;
// of the weight of its body on earth: what a hand may pull with, lest it tears soft bodies
static const double mostWeights = 30.0;
static const double follows = 0.03;  // a tool follows the pointer within about this time [s], smoothly

static rslVec3 Add(rslVec3 a, rslVec3 b)
{
    return (rslVec3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static rslVec3 Scale(double s, rslVec3 a)
{
    return (rslVec3){ s * a.x, s * a.y, s * a.z };
}

static rslVec3 Sub(rslVec3 a, rslVec3 b)
{
    return Add(a, Scale(-1.0, b));
}

static double Dot(rslVec3 a, rslVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double Length(rslVec3 a)
{
    return sqrt(Dot(a, a));
}

static rslVec3 VectorAt(const double* xyz, int node)
{
    return (rslVec3){ xyz[3 * node], xyz[3 * node + 1], xyz[3 * node + 2] };
}

static void AddForce(webHands* hands, int node, rslVec3 force)
{
    double* f = hands->forces + 3 * node;
    f[0] += force.x;
    f[1] += force.y;
    f[2] += force.z;
}

// ---- making ---------------------------------------------------------------------------------------------------------

bool webHands_Make(webHands* hands, const rslModel* model)
{
    size_t size = 3 * (size_t)model->nodeCount;
    *hands = (webHands){ .model = model, .interval = mostInterval };
    hands->forces = calloc(size, sizeof(double));
    hands->places = calloc(size, sizeof(double));
    hands->speeds = calloc(size, sizeof(double));
    return hands->forces != NULL && hands->places != NULL && hands->speeds != NULL;
}

bool webHands_Release(webHands* hands, int hand)
{
    if (hand < 0 || hand >= WEB_HANDS || !hands->list[hand].used)
    {
        return false;
    }
    free(hands->list[hand].nodes);
    free(hands->list[hand].weights);
    hands->list[hand] = (webHand){ 0 };
    return true;
}

void webHands_Free(webHands* hands)
{
    for (int h = 0; h < WEB_HANDS; ++h)
    {
        (void)webHands_Release(hands, h);
    }
    free(hands->forces);
    free(hands->places);
    free(hands->speeds);
    *hands = (webHands){ 0 };
}

int webHands_Pace(webHands* hands, double step)
{
    int steps = step < mostInterval ? (int)(mostInterval / step) : 1;
    hands->interval = steps * step;
    return steps;
}

// ---- taking hold ----------------------------------------------------------------------------------------------------

static int NearestNode(const webHands* hands, rslVec3 point)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < hands->model->nodeCount; ++i)
    {
        double d = Length(Sub(VectorAt(hands->places, i), point));
        best = d < least ? i : best;
        least = d < least ? d : least;
    }
    return best;
}

static int FreeHand(const webHands* hands)
{
    int hand = 0;
    while (hand < WEB_HANDS && hands->list[hand].used)
    {
        hand += 1;
    }
    return hand < WEB_HANDS ? hand : -1;
}

// Nodes of a body within a radius, with what they weigh in the patch.
static bool Gather(const webHands* hands, const rslBody* body, rslVec3 middle, double radius, webHand* hand)
{
    const rslModel* model = hands->model;
    hand->nodes = calloc((size_t)body->nodeCount, sizeof(int));
    hand->weights = calloc((size_t)body->nodeCount, sizeof(double));
    if (hand->nodes == NULL || hand->weights == NULL)
    {
        return false;
    }
    double sum = 0.0, inverse = 0.0;
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        double d = Length(Sub(VectorAt(hands->places, i), middle)) / radius;
        if (d < 1.0)
        {
            double weight = model->mass[i] * (1.0 - d * d);
            hand->nodes[hand->count] = i;
            hand->weights[hand->count] = weight;
            hand->count += 1;
            sum += weight;
        }
    }
    for (int i = 0; i < hand->count; ++i)
    {
        hand->weights[i] /= sum;
        inverse += hand->weights[i] * hand->weights[i] / model->mass[hand->nodes[i]];
    }
    double mass = 1.0 / inverse, twice = 2.0 * hands->interval;
    hand->stiffness = mass / (twice * twice);
    hand->damping = mass / twice;
    hand->strongest = mostWeights * 9.81 * body->mass;
    return true;
}

static rslVec3 Mean(const webHand* hand, const double* xyz)
{
    rslVec3 mean = { 0 };
    for (int i = 0; i < hand->count; ++i)
    {
        mean = Add(mean, Scale(hand->weights[i], VectorAt(xyz, hand->nodes[i])));
    }
    return mean;
}

int webHands_Grab(webHands* hands, const rslState* state, rslVec3 point, double radius)
{
    const rslModel* model = hands->model;
    rslState_Positions(model, state, 0, model->nodeCount, hands->places);
    int number = FreeHand(hands), nearest = NearestNode(hands, point);
    if (number < 0 || nearest < 0)
    {
        return -1;
    }
    webHand hand = { .used = true, .target = point };
    rslVec3 middle = VectorAt(hands->places, nearest);
    double most = fmax(radius, 1e-9);
    if (!Gather(hands, &model->bodies[rslModel_BodyOf(model, nearest)], middle, most, &hand))
    {
        free(hand.nodes);
        free(hand.weights);
        return -1;
    }
    hand.offset = Sub(point, Mean(&hand, hands->places));
    hand.place = point;
    hands->list[number] = hand;
    return number;
}

bool webHands_Pull(webHands* hands, int hand, rslVec3 target)
{
    bool used = hand >= 0 && hand < WEB_HANDS && hands->list[hand].used;
    if (used)
    {
        hands->list[hand].target = target;
    }
    return used;
}

void webHands_Push(webHands* hands, rslVec3 a, rslVec3 b, double radius)
{
    webTool* tool = &hands->tool;
    if (!tool->used)
    {
        *tool = (webTool){ .used = true, .ends = { a, b } };
    }
    tool->goals[0] = a;
    tool->goals[1] = b;
    tool->radius = radius;
}

void webHands_PutAway(webHands* hands)
{
    hands->tool.used = false;
}

bool webHands_Busy(const webHands* hands)
{
    bool busy = hands->tool.used;
    for (int h = 0; h < WEB_HANDS; ++h)
    {
        busy = busy || hands->list[h].used;
    }
    return busy;
}

// ---- forces ---------------------------------------------------------------------------------------------------------

static void PullPatch(webHands* hands, webHand* hand)
{
    hand->place = Add(Mean(hand, hands->places), hand->offset);
    rslVec3 stretch = Sub(hand->target, hand->place), speed = Mean(hand, hands->speeds);
    rslVec3 force = Add(Scale(hand->stiffness, stretch), Scale(-hand->damping, speed));
    double size = Length(force);
    hand->force = size > hand->strongest ? Scale(hand->strongest / size, force) : force;
    for (int i = 0; i < hand->count; ++i)
    {
        AddForce(hands, hand->nodes[i], Scale(hand->weights[i], hand->force));
    }
}

static rslVec3 NearestOnAxis(const webTool* tool, rslVec3 point)
{
    rslVec3 along = Sub(tool->ends[1], tool->ends[0]);
    double length2 = Dot(along, along);
    double t = length2 > 0.0 ? Dot(Sub(point, tool->ends[0]), along) / length2 : 0.0;
    return Add(tool->ends[0], Scale(fmin(fmax(t, 0.0), 1.0), along));
}

// Its velocity on the way to where it goes.
static rslVec3 MoveTool(webTool* tool, double time)
{
    double part = fmin(time / follows, 1.0);
    rslVec3 moves[2];
    for (int e = 0; e < 2; ++e)
    {
        moves[e] = Scale(part, Sub(tool->goals[e], tool->ends[e]));
        tool->ends[e] = Add(tool->ends[e], moves[e]);
    }
    return Scale(0.5 / time, Add(moves[0], moves[1]));
}

static void PushNodes(webHands* hands, webTool* tool)
{
    double twice = 2.0 * hands->interval;
    rslVec3 velocity = MoveTool(tool, hands->interval);
    tool->force = (rslVec3){ 0 };
    for (int i = 0; i < hands->model->nodeCount; ++i)
    {
        rslVec3 point = VectorAt(hands->places, i), out = Sub(point, NearestOnAxis(tool, point));
        double distance = Length(out), depth = tool->radius - distance;
        if (depth <= 0.0 || distance <= 0.0)
        {
            continue;
        }
        rslVec3 normal = Scale(1.0 / distance, out);
        double speed = Dot(Sub(VectorAt(hands->speeds, i), velocity), normal);
        double mass = hands->model->mass[i];
        double push = mass / (twice * twice) * depth - mass / twice * speed;
        if (push > 0.0)
        {
            AddForce(hands, i, Scale(push, normal));
            tool->force = Sub(tool->force, Scale(push, normal));
        }
    }
}

void webHands_Update(webHands* hands, const rslState* state)
{
    const rslModel* model = hands->model;
    for (size_t i = 0; i < 3 * (size_t)model->nodeCount; ++i)
    {
        hands->forces[i] = 0.0;
    }
    if (!webHands_Busy(hands))
    {
        return;
    }
    rslState_Positions(model, state, 0, model->nodeCount, hands->places);
    rslState_Velocities(model, state, 0, model->nodeCount, hands->speeds);
    for (int h = 0; h < WEB_HANDS; ++h)
    {
        if (hands->list[h].used)
        {
            PullPatch(hands, &hands->list[h]);
        }
    }
    if (hands->tool.used)
    {
        PushNodes(hands, &hands->tool);
    }
}
