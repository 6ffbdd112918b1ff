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
    int body;
    int count;
    int* nodes;        // ascending
    double* weights;   // of each in the place of the patch; they sum up to 1
    rslVec3 offset;    // from the place of the patch to the point that was grabbed [m]
    rslVec3 target;    // where that point is pulled to [m]
    double asked;      // radius that was asked for [m]
    double radius;     // of the patch, at first [m]
    double mass;       // M: what a force on the patch alone sets in motion [kg]
    double stiffness;  // [N/m]
    double damping;    // [N s/m]
    double strongest;  // [N]
    double quickest;   // that it moves the body by itself [m/s]
    rslVec3 place;     // of the point that was grabbed [m]
    rslVec3 force;     // on the body [N]
    rslVec3 pushed;    // at rest: the last change of the force [N]
    double seen[9];    // at rest: stiffness, row by row [N/m]
} webHand;

// A ball, or with two ends a rod that is round at both, which pushes what it gets into.
typedef struct webTool
{
    bool used;
    rslVec3 ends[2];   // [m]; of a ball the same
    rslVec3 goals[2];  // where they go [m]
    double radius;     // [m]
    rslVec3 force;     // of all nodes on it [N]
    int pressed;       // implicit: the body that it pressed last,
    double lasting;    // what it presses it with however deep it is [N],
    double gain;       // and how fast that grows
} webTool;

typedef struct webHands
{
    const rslModel* model;
    const rslSolver* solver;
    double* forces;  // of every node, x y z
    double* places;  // scratch: positions and velocities of nodes, and what the tool does to them
    double* speeds;
    double* pushes;
    int* near;  // nodes that the tool may reach before they are looked for again
    int nearCount;
    double rest;     // time until then [s]
    webHand spread;  // implicit: what the tool presses
    webHand list[WEB_HANDS];
    webTool tool;
} webHands;

// False: out of memory. The solver must outlive it.
bool webHands_Make(webHands* hands, const rslSolver* solver);
void webHands_Free(webHands* hands);

// Take hold of the nodes around a point within a radius, or within a larger one where that has too little, of the body of the nearest one. The
// number of the hand; -1: nothing is there, no hand is free, the point is not finite, or out of memory.
int webHands_Grab(webHands* hands, const rslState* state, rslVec3 point, double radius);

// False: there is no such hand. A target that is not finite is ignored.
bool webHands_Pull(webHands* hands, int hand, rslVec3 target);
bool webHands_Release(webHands* hands, int hand);
bool webHands_Holds(const webHands* hands, int hand);

// Hold with the same hands, by their numbers, what those of another stage hold, on the bodies of the same numbers; and its tool, unless the
// scene is at rest. A hand that finds nothing there holds nothing.
void webHands_TakeUp(webHands* hands, const rslState* state, const webHands* from);

// A scene that is at rest (static): every hand is where it is pulled to.
bool webHands_AtRest(const webHands* hands);

// Put a tool there, or, where there is one, send it there. Numbers that are not finite are ignored.
void webHands_Push(webHands* hands, rslVec3 a, rslVec3 b, double radius);
void webHands_PutAway(webHands* hands);

bool webHands_Busy(const webHands* hands);

// The forces for the next step, from a state.
void webHands_Update(webHands* hands, const rslState* state);
