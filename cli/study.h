// SPDX-License-Identifier: MIT
//
// study.h: one experiment being done, and what came of it: for the command and the report. Experiments see reproduce.h.

#pragma once

#include "reproduce.h"

enum
{
    CLI_STUDY_SETS = 24,
};

typedef struct cliSet
{
    char key[96], value[160];
} cliSet;

typedef struct cliDrawing
{
    char path[RSL_PATH_CAPACITY];  // of the PNG file
    char caption[CLI_CAPTION];
} cliDrawing;

struct cliStudy
{
    const cliExperiment* experiment;
    const char* directory;
    bool quick, finest, progress;
    int threads;  // -1: as the scenes say
    bool failed;
    char failure[RSL_MESSAGE_CAPACITY];  // the first thing that went wrong
    double seconds;
    cliSet sets[CLI_STUDY_SETS];
    int setCount;
    cliQuantity* quantities;
    int quantityCount;
    cliPlot** plots;
    int plotCount;
    cliDrawing* drawings;
    int drawingCount;
    char** findings;  // paragraphs
    int findingCount;
    char** commands;  // that do the same by hand
    int commandCount;
};

void cliStudy_Free(cliStudy* study);

// A scene with the changes made so far, not built.
rslStatus cliStudy_Read(const cliStudy* study, const char* scene, rslScene* read, rslReport* report);

// No when it failed or a bar was missed.
cliVerdict cliStudy_Verdict(const cliStudy* study);

const char* cliVerdict_Word(cliVerdict verdict, const char* unjudged);  // "yes", "no" or the given word

// "within 1e-06", "0.93 to 1", "-"
cliName cliQuantity_BarText(const cliQuantity* quantity);

// Six digits; "-" when not known.
cliName cliNumberText(double value);

// The scenes that the build put into the program (made by cmake/embed.cmake).
typedef struct cliEmbedded
{
    const char* name;
    const unsigned char* text;
    size_t size;
} cliEmbedded;

extern const cliEmbedded cliScenes[];
extern const int cliSceneCount;

// report.html in the folder (report.c); the records as JSON, the table of one study (reproduce_print.c).
rslStatus cliPage_Write(cliStudy* const* studies, int count, const char* directory, rslReport* report);
void cliStudies_Json(cliStudy* const* studies, int count, FILE* file);
void cliStudy_Print(const cliStudy* study);
