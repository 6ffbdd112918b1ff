// SPDX-License-Identifier: MIT
//
// hands.h: what a person does to bodies with a pointer: pulls at a point, holds one where it is, pushes with a tool. All of it is forces
// that the host gives to the solver.

#pragma once

#include "resilin/observe.h"

enum
{
    WEB_HANDS = 32,  // at once
};

// A spring and a damper between a patch of nodes and a point.
typedef struct webHand
{
    bool used;
    int count;
    int* nodes;
    double* weights;   // of each in the place of the patch; they sum up to 1
    rslVec3 offset;    // from the place of the patch to the point that was grabbed [m]
    rslVec3 target;    // where that point is pulled to [m]
    double stiffness;  // [N/m]
    double damping;    // [N s/m]
    double strongest;  // [N]
    rslVec3 place;     // of the point that was grabbed [m]
    rslVec3 force;     // on the body [N]
} webHand;

// A ball, or with two ends a rod that is round at both, which pushes what it gets into.
typedef struct webTool
{
    bool used;
    rslVec3 ends[2];   // [m]; of a ball the same
    rslVec3 goals[2];  // where they go [m]
    double radius;     // [m]
    rslVec3 force;     // of all nodes on it [N]
} webTool;

typedef struct webHands
{
    const rslModel* model;
    double interval;  // between two updates of the forces [s]
    double* forces;   // of every node, x y z
    double* places;   // scratch: positions and velocities of all nodes
    double* speeds;
    webHand list[WEB_HANDS];
    webTool tool;
} webHands;

// False: out of memory. The model must outlive it.
bool webHands_Make(webHands* hands, const rslModel* model);
void webHands_Free(webHands* hands);

// Steps between two updates, for steps of a length: as many as fit into half a thousandth of a second, at least one. Forces are chosen so
// that they are stable with it.
int webHands_Pace(webHands* hands, double step);

// Take hold of the nodes around a point within a radius, of the body of the nearest one. The number of the hand; -1: nothing is
// there, no hand is free, or out of memory.
int webHands_Grab(webHands* hands, const rslState* state, rslVec3 point, double radius);

// False: there is no such hand.
bool webHands_Pull(webHands* hands, int hand, rslVec3 target);
bool webHands_Release(webHands* hands, int hand);

// Put a tool there, or, where there is one, send it there.
void webHands_Push(webHands* hands, rslVec3 a, rslVec3 b, double radius);
void webHands_PutAway(webHands* hands);

bool webHands_Busy(const webHands* hands);

// The forces for the next interval, from a state.
void webHands_Update(webHands* hands, const rslState* state);
