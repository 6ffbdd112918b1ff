// SPDX-License-Identifier: MIT
//
// hands.c: forces of a person's hands.
//
// A hand holds the place p = sum w_i x_i of a patch of nodes, w_i as m_i (1 - (d_i / r)^2), so that a force on p, shared out as
// f_i = w_i F, speeds up nodes near the middle alike. p answers to F as a mass M = 1 / sum (w_i^2 / m_i). The energy of its spring is
//     U = 1/2 k |target - p|^2,  F = k (target - p) - c v_p
// F is found before a step h and holds until its end. How large k and c may be:
//
// Explicit steps are stable up to h^2 w^2 = 4; the body has 4 s^2 of it, s = h / stable step, and the hand adds h^2 k / M + 2 h c / M at most
// (Weyl), whatever the body is. With k = M / (2 T)^2, c = M / (2 T) and g = h / (2 T) that is g^2 + 2 g <= 4 (1 - s^2). T is such that this
// holds, and no shorter than a hand needs. With F found less often than every step, waves whose phase turns by more than half a turn
// meanwhile gain energy from it, in bodies without damping without end.
//
// Implicit steps balance what is in the middle of the step, about: X = (x_0 + x_1) / 2, V, A. With x_0 = X - h V / 2 and v_0 = V - h A / 2
//     F = k (target - X) - (c - k h / 2) V + c h / 2 A
// is a spring, a damper, and a mass -c h / 2 on p, which that of the nodes outweighs when c h / 2 < M (the same M: Cauchy and Schwarz),
// however stiff or soft what lies between nodes is. k h < 2 c and c h < 2 M, so k = 0.8 M / h^2 and c = 1.4 M / h. What hangs on the patch
// adds nothing to this bound, so that a larger M needs a larger patch: with a tenth of the body in it, weight stretches the hand by 34 mm
// at 1/60 s.
// (Rejected: k from all that elastic waves reach within a step. It swings with a period of two steps, where stiffness is of no help.)
//
// Hands on patches that overlap, or nearly do, share k, c and how much they may pull. A pull is no more than moves p by itself at the speed
// of waves in the body, which would stretch it by its length, or than twice its weight.

#include "hands_internal.h"

#include <stdlib.h>
#include <string.h>

enum
{
    FEWEST = 4,  // nodes of a patch, where the body has as many
};

const double webHands_shortest = 5e-4;
static const double mostWeights = 30.0;  // of a body on earth: more tears soft ones
static const double sheetWeights = 2.5;  // of a sheet, which crumples where it is pulled
static const double leastPart = 0.1;     // M of a patch over the mass of the body, with implicit steps
static const double quickest = 5.0;      // a hand [m/s]

// ---- making ---------------------------------------------------------------------------------------------------------

bool webHands_Make(webHands* hands, const rslSolver* solver)
{
    const rslModel* model = rslSolver_Model(solver);
    size_t size = 3 * (size_t)model->nodeCount + 1;
    *hands = (webHands){ .model = model, .solver = solver };
    hands->forces = calloc(size, sizeof(double));
    hands->places = calloc(size, sizeof(double));
    hands->speeds = calloc(size, sizeof(double));
    hands->pushes = calloc(size, sizeof(double));
    hands->near = calloc(size, sizeof(int));
    hands->spread.nodes = calloc((size_t)model->nodeCount + 1, sizeof(int));
    hands->spread.weights = calloc((size_t)model->nodeCount + 1, sizeof(double));
    return hands->forces && hands->places && hands->speeds && hands->pushes && hands->near && hands->spread.nodes &&
           hands->spread.weights;
}

bool webHands_Holds(const webHands* hands, int hand)
{
    return hand >= 0 && hand < WEB_HANDS && hands->list[hand].used;
}

bool webHands_Release(webHands* hands, int hand)
{
    if (!webHands_Holds(hands, hand))
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
    free(hands->pushes);
    free(hands->near);
    free(hands->spread.nodes);
    free(hands->spread.weights);
    *hands = (webHands){ 0 };
}

// ---- stiffness ------------------------------------------------------------------------------------------------------

bool webHands_IsImplicit(const webHands* hands)
{
    rslIntegrator i = rslSolver_Integrator(hands->solver);
    return i == rsl_implicitEuler || i == rsl_theta || i == rsl_trBdf2;
}

static double StepOf(const webHands* hands, const rslState* state)
{
    return state->step > 0.0 ? state->step : rslSolver_Stability(hands->solver).step;
}

static webGrip GripOf(const webHands* hands, double step)
{
    if (webHands_IsImplicit(hands))
    {
        return (webGrip){ 0.8 / (step * step), 1.4 / step };
    }
    double s = step / rslSolver_Stability(hands->solver).stableStep;
    double g = sqrt(1.0 + 4.0 * fmax(1.0 - s * s, 0.0)) - 1.0;
    double rate = 1.0 / fmax(2.0 * webHands_shortest, step / fmin(fmax(g, 0.05), 0.5));  // 1 / 2 T
    return (webGrip){ rate * rate, rate };
}

// ---- taking hold ----------------------------------------------------------------------------------------------------

// Of a body, or, with -1, of all.
static int NearestNode(const webHands* hands, int body, rslVec3 point)
{
    const rslBody* only = body >= 0 ? &hands->model->bodies[body] : NULL;
    int begin = only != NULL ? only->firstNode : 0;
    int end = only != NULL ? begin + only->nodeCount : hands->model->nodeCount;
    int best = -1;
    double least = INFINITY;
    for (int i = begin; i < end; ++i)
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
static double Gather(const webHands* hands, const rslBody* body, rslVec3 middle, double radius, webHand* hand)
{
    double sum = 0.0;
    hand->count = 0;
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        double d = Length(Sub(VectorAt(hands->places, i), middle)) / radius;
        if (d < 1.0)
        {
            double weight = hands->model->mass[i] * (1.0 - d * d);
            hand->nodes[hand->count] = i;
            hand->weights[hand->count] = weight;
            hand->count += 1;
            sum += weight;
        }
    }
    return sum;
}

// M of the patch within a radius.
static double Weigh(const webHands* hands, const rslBody* body, rslVec3 middle, double radius, webHand* hand)
{
    double sum = Gather(hands, body, middle, radius, hand), inverse = 0.0;
    for (int i = 0; i < hand->count; ++i)
    {
        hand->weights[i] /= sum;
        inverse += hand->weights[i] * hand->weights[i] / hands->model->mass[hand->nodes[i]];
    }
    hand->radius = radius;
    return 1.0 / inverse;
}

void webHand_Spread(const webHands* hands, const rslBody* body, rslVec3 middle, double radius, webHand* hand)
{
    int fewest = body->nodeCount < FEWEST ? body->nodeCount : FEWEST;
    double least = webHands_IsImplicit(hands) ? leastPart * body->mass : 0.0;
    hand->mass = Weigh(hands, body, middle, radius, hand);
    for (int i = 0; (hand->count < fewest || hand->mass < least) && i < 200; ++i)
    {
        hand->mass = Weigh(hands, body, middle, hand->radius * 1.2, hand);
    }
}

double webHands_Strength(const rslBody* body)
{
    return (body->thickness > 0.0 ? sheetWeights : mostWeights) * 9.81 * body->mass;
}

static bool MakePatch(const webHands* hands, const rslBody* body, rslVec3 middle, double radius, webHand* hand)
{
    hand->nodes = calloc((size_t)body->nodeCount, sizeof(int));
    hand->weights = calloc((size_t)body->nodeCount, sizeof(double));
    if (hand->nodes == NULL || hand->weights == NULL)
    {
        return false;
    }
    webHand_Spread(hands, body, middle, radius, hand);
    bool soft = body->young > 0.0 && body->density > 0.0 && body->model != rsl_rigidModel;
    hand->quickest = soft ? fmin(sqrt(body->young / body->density), quickest) : quickest;
    hand->strongest = webHands_Strength(body);
    return true;
}

rslVec3 webHand_Mean(const webHand* hand, const double* xyz)
{
    rslVec3 mean = { 0 };
    for (int i = 0; i < hand->count; ++i)
    {
        mean = Add(mean, Scale(hand->weights[i], VectorAt(xyz, hand->nodes[i])));
    }
    return mean;
}

void webHands_Read(webHands* hands, const rslState* state, const int* nodes, int count)
{
    for (int i = 0, next; i < count; i = next)
    {
        for (next = i + 1; next < count && nodes[next] == nodes[next - 1] + 1; ++next)
        {
        }
        int begin = nodes[i], end = nodes[next - 1] + 1;
        rslState_Positions(hands->model, state, begin, end, hands->places + 3 * begin);
        rslState_Velocities(hands->model, state, begin, end, hands->speeds + 3 * begin);
    }
}

static int Grab(webHands* hands, const rslState* state, int body, rslVec3 point, double radius)
{
    const rslModel* model = hands->model;
    if (!IsPlace(point))
    {
        return -1;
    }
    rslState_Positions(model, state, 0, model->nodeCount, hands->places);
    int number = FreeHand(hands), nearest = NearestNode(hands, body, point);
    if (number < 0 || nearest < 0)
    {
        return -1;
    }
    webHand hand = { .used = true, .target = point, .place = point, .asked = radius };
    hand.body = rslModel_BodyOf(model, nearest);
    if (!MakePatch(hands, &model->bodies[hand.body], VectorAt(hands->places, nearest), fmax(radius, 1e-9), &hand))
    {
        free(hand.nodes);
        free(hand.weights);
        return -1;
    }
    hand.offset = Sub(point, webHand_Mean(&hand, hands->places));
    hands->list[number] = hand;
    return number;
}

int webHands_Grab(webHands* hands, const rslState* state, rslVec3 point, double radius)
{
    return Grab(hands, state, -1, point, radius);
}

void webHands_TakeUp(webHands* hands, const rslState* state, const webHands* from)
{
    bool atRest = rslSolver_Integrator(hands->solver) == rsl_static;
    hands->tool = atRest ? (webTool){ 0 } : from->tool;
    hands->rest = 0.0;
    for (int h = 0; h < WEB_HANDS; ++h)
    {
        const webHand* old = &from->list[h];
        int number = old->used ? Grab(hands, state, old->body, old->place, old->asked) : -1;
        if (number >= 0 && number != h)
        {
            hands->list[h] = hands->list[number];
            hands->list[number] = (webHand){ 0 };
        }
        if (number >= 0)
        {
            hands->list[h].target = old->target;
        }
    }
}

bool webHands_Pull(webHands* hands, int hand, rslVec3 target)
{
    bool used = webHands_Holds(hands, hand);
    if (used && IsPlace(target))
    {
        hands->list[hand].target = target;
    }
    return used;
}

void webHands_Push(webHands* hands, rslVec3 a, rslVec3 b, double radius)
{
    webTool* tool = &hands->tool;
    if (!IsPlace(a) || !IsPlace(b) || !isfinite(radius) || rslSolver_Integrator(hands->solver) == rsl_static)
    {
        return;
    }
    if (!tool->used)
    {
        *tool = (webTool){ .used = true, .ends = { a, b } };
        hands->rest = 0.0;
    }
    tool->goals[0] = a;
    tool->goals[1] = b;
    tool->radius = radius;
}

void webHands_PutAway(webHands* hands)
{
    hands->tool = (webTool){ 0 };
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

// Hands that hold some of the same, this one too.
static int Sharers(const webHands* hands, const webHand* hand)
{
    int count = 0;
    for (int h = 0; h < WEB_HANDS; ++h)
    {
        const webHand* other = &hands->list[h];
        double apart = Length(Sub(Sub(other->place, other->offset), Sub(hand->place, hand->offset)));
        count += other->used && other->body == hand->body && apart < 2.0 * (other->radius + hand->radius);
    }
    return count;
}

void webHand_Apply(webHands* hands, const webHand* hand)
{
    for (int i = 0; i < hand->count; ++i)
    {
        AddForce(hands, hand->nodes[i], Scale(hand->weights[i], hand->force));
    }
}

static void PullPatch(webHands* hands, const rslState* state, webHand* hand, webGrip grip)
{
    webHands_Read(hands, state, hand->nodes, hand->count);
    hand->place = Add(webHand_Mean(hand, hands->places), hand->offset);
    int sharers = Sharers(hands, hand);
    double mass = hand->mass / sharers, strongest = hand->strongest / sharers;
    hand->stiffness = mass * grip.stiffness;
    hand->damping = mass * grip.damping;
    double most = fmax(hand->damping * hand->quickest, 2.0 * 9.81 * hands->model->bodies[hand->body].mass / sharers);
    rslVec3 pull = AtMost(Scale(hand->stiffness, Sub(hand->target, hand->place)), most);
    rslVec3 force = Sub(pull, Scale(hand->damping, webHand_Mean(hand, hands->speeds)));
    hand->force = AtMost(InSpace(hands, force), strongest);
}

void webHands_Update(webHands* hands, const rslState* state)
{
    memset(hands->forces, 0, 3 * (size_t)hands->model->nodeCount * sizeof(double));
    bool atRest = rslSolver_Integrator(hands->solver) == rsl_static;
    double step = StepOf(hands, state);
    webGrip grip = atRest ? (webGrip){ 0 } : GripOf(hands, step);
    for (int h = 0; h < WEB_HANDS; ++h)
    {
        webHand* hand = &hands->list[h];
        if (hand->used)
        {
            if (atRest)
            {
                webHand_PullAtRest(hands, state, hand);
            }
            else
            {
                PullPatch(hands, state, hand, grip);
            }
            webHand_Apply(hands, hand);
        }
    }
    if (hands->tool.used && !atRest)
    {
        webTool_Push(hands, state, step, grip);
    }
}
