// SPDX-License-Identifier: MIT
//
// compare.h: the parts of `resilin compare`: one scene with several models, each a contender. compare_build.c
// makes them, compare_run.c runs them side by side, compare_match.c finds what one says at the nodes of the reference,
// compare_write.c makes the tables, compare_picture.c the frames and the picture.

#pragma once

#include "loaded.h"
#include "path.h"
#include "ticker.h"

enum
{
    CLI_COMPARE_MOST = 16,  // contenders
    CLI_COMPARE_NAME = 64,
};

// How far a contender is from the reference over its nodes [m].
typedef struct cliErrors
{
    double mean, rms, max;
} cliErrors;

typedef struct cliContender
{
    char name[CLI_COMPARE_NAME];  // as it was asked for
    rslModelDef model;
    int level;           // of detail, with the models of the scene; -1: the model at the level of the scene
    rslBodyDef* bodies;  // those of the scene, with this model or level
    cliLoaded loaded;
    rslStatus status;  // of building and running it
    char message[RSL_MESSAGE_CAPACITY];

    // at the nodes of the reference
    double *start, *now;  // own nodes, x y z at the start and at the last frame [m]
    int* match;           // of every node of the reference: the own node at its place, -1: none
    rslTessellation**
        cuts;          // of every body: what nodes without a match are interpolated on; NULL: all have one, or nothing
    double* u;         // of every node of the reference at the last frame, x y z [m]; NaN: not in this body
    int points;        // of them that are in this body
    int interpolated;  // of those: between own nodes

    // what it costs
    int64_t springs;      // that have a stiffness: those of elements are but edges
    double stableStep;    // [s]
    double stepSeconds;   // of an explicit step
    double solveSeconds;  // static: of all increments
    int newtonSteps, iterations;

    double* frequencies;  // [Hz]
    int frequencyCount;
} cliContender;

typedef struct cliCompare
{
    const char* path;    // of the scene
    cliPath directory;   // where frames go
    cliLoaded original;  // only the scene
    cliWishes wishes;
    cliContender list[CLI_COMPARE_MOST];
    int count, reference;
    int modes;  // frequencies wanted
    cliTicker ticker;

    double* times;      // of the frames [s]
    cliErrors* errors;  // frame after frame, of every contender
    int frames, capacity;
    double largest;         // |u| of the reference in all frames [m]
    rslSnapshot* snapshot;  // the reference at the start, with springs
} cliCompare;

static inline bool cliCompare_IsStatic(const cliCompare* compare)
{
    return compare->original.scene.time.integrator == rsl_static;
}

static inline cliContender* cliCompare_Reference(cliCompare* compare)
{
    return &compare->list[compare->reference];
}

// ---- compare_build.c ------------------------------------------------------------------------------------------------

// Build the contenders. What is wrong with one is kept with it; rsl_ok: the reference and another one stand.
rslStatus cliCompare_Build(cliCompare* compare, rslReport* report);

// It goes no further, for the first error of the report.
void cliContender_Fail(cliContender* contender, rslStatus status, const rslReport* report);

void cliCompare_Free(cliCompare* compare);

// ---- compare_run.c --------------------------------------------------------------------------------------------------

// Run them side by side to the end of the scene, with a frame of all at the times of its frames, then find frequencies
// and costs. Fails when the reference does or files cannot be written.
rslStatus cliCompare_Run(cliCompare* compare, rslReport* report);

// ---- compare_match.c ------------------------------------------------------------------------------------------------

// Find the nodes of the reference in a contender.
rslStatus cliContender_Match(cliContender* contender, const cliContender* reference);

// Where the nodes of the reference are in it now, and how far that is from where the reference has them.
void cliContender_Displace(cliContender* contender, const cliContender* reference);
cliErrors cliContender_Compare(const cliContender* contender, const cliContender* reference);

double cliContender_Largest(const cliContender* reference);  // |u| over its nodes [m]

// ---- compare_picture.c ----------------------------------------------------------------------------------------------

// The frame with this number: the nodes of the reference at rest with u of every contender and its difference.
rslStatus cliCompare_WriteFrame(const cliCompare* compare, int frame, rslReport* report);

rslStatus cliCompare_WriteSeries(const cliCompare* compare, rslReport* report);  // compare.pvd

// All contenders as they are in the last frame, beside one another, coloured by their error.
rslStatus cliCompare_Draw(const cliCompare* compare, const char* path, rslReport* report);

// ---- compare_write.c ------------------------------------------------------------------------------------------------

void cliCompare_Print(const cliCompare* compare);
void cliCompare_Json(const cliCompare* compare, rslStatus status, const rslReport* report, FILE* file);
rslStatus cliCompare_WriteTables(const cliCompare* compare, rslReport* report);
