// SPDX-License-Identifier: MIT
//
// tool.c: a ball or a rod pushes nodes that are within it out along the nearest way, each with a spring and a damper of its own mass, as stiff as
// hands.c says.

#include "hands_internal.h"

static const double follows = 0.03;  // a tool follows the pointer within about this time [s], smoothly

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
    double strongest =
        webHands_mostWeights * 9.81 * hands->model->bodies[rslModel_BodyOf(hands->model, hands->near[first])].mass;
    for (int n = first; n < last; ++n)
    {
        rslVec3 force = Scale(sum > strongest ? strongest / sum : 1.0, VectorAt(hands->pushes, hands->near[n]));
        AddForce(hands, hands->near[n], force);
        tool->force = Sub(tool->force, force);
    }
}

void webTool_Push(webHands* hands, const rslState* state, double step, webGrip grip)
{
    webTool* tool = &hands->tool;
    rslVec3 velocity = MoveTool(tool, step);
    tool->force = (rslVec3){ 0 };
    LookAround(hands, state, step);
    webHands_Read(hands, state, hands->near, hands->nearCount);
    for (int first = 0, last; first < hands->nearCount; first = last)
    {
        int body = rslModel_BodyOf(hands->model, hands->near[first]);
        int end = hands->model->bodies[body].firstNode + hands->model->bodies[body].nodeCount;
        for (last = first + 1; last < hands->nearCount && hands->near[last] < end; ++last)
        {
        }
        PushBody(hands, tool, velocity, first, last, grip);
    }
}
