// SPDX-License-Identifier: MIT
//
// stage.h: a scene that was built and moves.

#pragma once

#include "crew.h"
#include "hands.h"
#include "resilin/probe.h"

typedef struct webStage
{
    rslScene scene;
    rslModel* model;
    rslSolver* solver;
    rslState* state;
    rslProbes* probes;  // NULL: the scene has none
    webHands hands;
    double startVolume;  // [m3]
} webStage;

// Build a scene, which the stage takes over, whatever is returned. The crew outlives the stage; NULL: one thread for good.
rslStatus webStage_Make(webStage* stage, rslScene* scene, webCrew* crew, rslReport* report);
void webStage_Free(webStage* stage);

// Back to the start.
rslStatus webStage_Reset(webStage* stage);

// Take up the motion of another stage, and what hands hold of it, where it has the same bodies, be they of other materials or resolutions. False: it has not, and
// nothing was changed.
bool webStage_TakeUp(webStage* stage, const webStage* from);

// So many steps, with the forces of the hands.
rslStatus webStage_Step(webStage* stage, int64_t steps, rslReport* report);

// Of a scene at rest (static): its rest at the present time again, with the forces of the hands.
rslStatus webStage_Settle(webStage* stage, rslReport* report);
