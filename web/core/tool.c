// SPDX-License-Identifier: MIT
//
// tool.c: a ball or a rod pushes nodes that are within it out along the nearest way, each with a spring and a damper of its own mass, as stiff as
// hands.c says.
//
// In implicit steps that is soft: a few nodes weigh little. So there a tool presses the patch around them as a hand does, with k and c of a tenth
// of the body, by the depth d of the deepest nodes along their mean way out n,
//     F = max(M (k d - c v) + L, 0) n,    L += g M k d in every step, 0 <= L
// and L takes over what is pressed in the end, so that the depth goes to none. A patch that moves a mass of M / f is stable with it while
// g k / h < c k f, with c h = 1.4 and f = 0.1: g < 0.14. What does not get out, since something holds it, bears more: g grows until it does.

#include "hands_internal.h"

static const double follows = 0.03;   // a tool follows the pointer within about this time [s], smoothly
static const double takeOver = 0.03;  // g at first
static const double growth = 1.15;    // and what it grows by in a step in which nodes do not get out
static const double soon = 10.0;      // within so many steps
static const double skin = 0.1;  // of a tool, over its radius: nodes this much farther in or out count as the deepest

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

// Nodes that the tool may touch soon: looked for now and then, since there are many.
static void LookAround(webHands* hands, const rslState* state, double step)
{
    const webTool* tool = &hands->tool;
    hands->rest -= step;
    if (hands->rest > 0.0)
    {
        return;
    }
    hands->rest = webHands_shortest;
    hands->nearCount = 0;
    rslState_Positions(hands->model, state, 0, hands->model->nodeCount, hands->places);
    for (int i = 0; i < hands->model->nodeCount; ++i)
    {
        rslVec3 point = VectorAt(hands->places, i);
        if (Length(Sub(point, NearestOnAxis(tool, point))) < 1.5 * tool->radius)
        {
            hands->near[hands->nearCount++] = i;
        }
    }
}

// The force on a node out of the tool.
static rslVec3 PushOf(const webHands* hands, const webTool* tool, rslVec3 velocity, int node, webGrip grip)
{
    rslVec3 point = VectorAt(hands->places, node), out = InSpace(hands, Sub(point, NearestOnAxis(tool, point)));
    double distance = Length(out), depth = tool->radius - distance;
    if (depth <= 0.0 || distance <= 0.0)
    {
        return (rslVec3){ 0 };
    }
    rslVec3 normal = Scale(1.0 / distance, out);
    double speed = Dot(Sub(VectorAt(hands->speeds, node), velocity), normal);
    return Scale(hands->model->mass[node] * fmax(grip.stiffness * depth - grip.damping * speed, 0.0), normal);
}

// The nodes near[first] to near[last - 1] are of one body.
static void PushBody(webHands* hands, webTool* tool, rslVec3 velocity, int first, int last, webGrip grip)
{
    double sum = 0.0;
    for (int n = first; n < last; ++n)
    {
        double* push = hands->pushes + 3 * hands->near[n];
        rslVec3 force = PushOf(hands, tool, velocity, hands->near[n], grip);
        push[0] = force.x;
        push[1] = force.y;
        push[2] = force.z;
        sum += Length(force);
    }
    double strongest = webHands_Strength(&hands->model->bodies[rslModel_BodyOf(hands->model, hands->near[first])]);
    for (int n = first; n < last; ++n)
    {
        rslVec3 force = Scale(sum > strongest ? strongest / sum : 1.0, VectorAt(hands->pushes, hands->near[n]));
        AddForce(hands, hands->near[n], force);
        tool->force = Sub(tool->force, force);
    }
}

// Where the deepest of some nodes are, and the way out there.
typedef struct Dent
{
    double depth;  // [m]; negative beside the tool
    rslVec3 place, out;
} Dent;

static Dent FindDent(const webHands* hands, const webTool* tool, int first, int last)
{
    Dent dent = { .depth = -INFINITY };
    for (int n = first; n < last; ++n)
    {
        rslVec3 point = VectorAt(hands->places, hands->near[n]);
        dent.depth = fmax(dent.depth, tool->radius - Length(Sub(point, NearestOnAxis(tool, point))));
    }
    double sum = 0.0;
    for (int n = first; n < last; ++n)
    {
        rslVec3 point = VectorAt(hands->places, hands->near[n]),
                out = InSpace(hands, Sub(point, NearestOnAxis(tool, point)));
        double distance = Length(out), weight = fmax(tool->radius - distance - dent.depth + skin * tool->radius, 0.0);
        weight = distance > 0.0 ? weight : 0.0;
        dent.place = Add(dent.place, Scale(weight, point));
        dent.out = Add(dent.out, Scale(weight / fmax(distance, 1e-300), out));
        sum += weight;
    }
    double length = Length(dent.out);
    dent.depth = sum > 0.0 && length > 0.0 ? dent.depth : -INFINITY;
    dent.place = Scale(1.0 / fmax(sum, 1e-300), dent.place);
    dent.out = Scale(1.0 / fmax(length, 1e-300), dent.out);
    return dent;
}

// The same nodes, with implicit steps.
static void PressBody(webHands* hands, const rslState* state, rslVec3 velocity, double step, int first, int last,
                      webGrip grip)
{
    webTool* tool = &hands->tool;
    webHand* patch = &hands->spread;
    patch->body = rslModel_BodyOf(hands->model, hands->near[first]);
    const rslBody* body = &hands->model->bodies[patch->body];
    Dent dent = FindDent(hands, tool, first, last);
    if (dent.depth < -skin * tool->radius)
    {
        tool->lasting = tool->pressed == patch->body ? 0.0 : tool->lasting;
        return;
    }
    double lasting = tool->pressed == patch->body ? tool->lasting : 0.0;
    webHand_Spread(hands, body, dent.place, tool->radius, patch);
    webHands_Read(hands, state, patch->nodes, patch->count);
    double speed = Dot(Sub(webHand_Mean(patch, hands->speeds), velocity), dent.out);
    double strongest = webHands_Strength(body);
    double press = patch->mass * (grip.stiffness * dent.depth - grip.damping * speed) + lasting;
    patch->force = Scale(fmin(fmax(press, 0.0), strongest), dent.out);
    webHand_Apply(hands, patch);
    tool->force = Sub(tool->force, patch->force);
    bool stuck = dent.depth > 0.0 && speed * soon * step < dent.depth;
    tool->gain = stuck ? fmin(fmax(tool->gain, takeOver) * growth, 1.0) : takeOver;
    lasting += tool->gain * patch->mass * grip.stiffness * dent.depth;
    tool->lasting = fmin(fmax(lasting, 0.0), strongest);
    tool->pressed = patch->body;
}

void webTool_Push(webHands* hands, const rslState* state, double step, webGrip grip)
{
    webTool* tool = &hands->tool;
    rslVec3 velocity = MoveTool(tool, step);
    tool->force = (rslVec3){ 0 };
    LookAround(hands, state, step);
    webHands_Read(hands, state, hands->near, hands->nearCount);
    bool met = false;  // what it pressed last
    for (int first = 0, last; first < hands->nearCount; first = last)
    {
        int body = rslModel_BodyOf(hands->model, hands->near[first]);
        met = met || body == tool->pressed;
        int end = hands->model->bodies[body].firstNode + hands->model->bodies[body].nodeCount;
        for (last = first + 1; last < hands->nearCount && hands->near[last] < end; ++last)
        {
        }
        if (webHands_IsImplicit(hands))
        {
            PressBody(hands, state, velocity, step, first, last, grip);
        }
        else
        {
            PushBody(hands, tool, velocity, first, last, grip);
        }
    }
    tool->lasting = met ? tool->lasting : 0.0;
}
