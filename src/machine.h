// SPDX-License-Identifier: MIT
//
// machine.h: the tests of the testing machine, on a specimen that measure.c has chosen.

#pragma once

#include "rig.h"
#include "specimen.h"

#include "resilin/measure.h"

enum
{
    RSL_MEASUREMENTS_MOST = 40  // of one body
};

// What the scene asks for, along the axes of the specimen; NaN where it does not say.
typedef struct rslTargets
{
    double young[3], poisson[3], shear[3], bulk;
    bool isotropic;  // one material, alike in all directions: beams, free boxes and other directions have targets too
} rslTargets;

typedef struct rslMachine
{
    const rslScene* scene;
    const rslBodyDef* source;  // as the scene has it
    const rslMeasureDef* def;
    rslReport* report;
    rslBodyDef body;        // that is tested
    rslRegionDef* regions;  // of it, where they had to be changed
    rslShapeDef shape;
    rslModel* model;
    rslRig rig;
    rslSpecimen specimen;
    const char* whyNot;  // the specimen is no box
    bool hasRig;
    rslMaterialDef material;
    rslTargets targets;
    rslMeasurements* out;
    int done, count;  // tests
    rslStatus status;
} rslMachine;

// Run tests (of rslTest) that the specimen allows; what they find is in machine->out, how they ended in machine->status.
void rslMachine_Test(rslMachine* machine, unsigned tests);
