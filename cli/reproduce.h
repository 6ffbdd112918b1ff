// SPDX-License-Identifier: MIT
//
// reproduce.h: experiments of papers, done again: `resilin reproduce`.
//
// An experiment is a file experiment_NAME.c with one cliExperiment, listed in reproduce_list.c, and its scenes in
// scenes/reproduce/NAME*.yaml, which the build puts into the program. All it simulates goes through these scenes, with
// --set-like changes, so that a user can do the same with `resilin run`:
//
//     static void Run(cliStudy* study)
//     {
//         cliLoaded loaded;
//         cliStudy_Set(study, "body.network.spacing", "%g", 0.5);
//         if (cliStudy_Open(study, "kot-table-3.1.yaml", &loaded) && cliStudy_Run(study, &loaded))
//         {
//             cliQuantity q = cliQuantity_Make(cliBlock_Measure(&loaded).young, "k0/a0", "E, a = %g", 0.5);
//             q.published = 1.012;
//             q.uncertainty = 0.04 * 1.012;  // as the paper states it
//             q.reference = 1;
//             q.bar = 1e-6;  // of the error
//             cliStudy_Add(study, &q);
//         }
//         cliLoaded_Free(&loaded);
//     }
//
// A failure (scene, memory, no rest) is told once and ends the study: every later call answers false.

#pragma once

#include "loaded.h"
#include "path.h"
#include "plot.h"

// One figure. What is not known is NaN, as Make leaves it.
typedef struct cliQuantity
{
    char name[96];
    char unit[24];       // "" when it has none
    char note[500];      // where figures come from, why they differ
    double published;    // by the paper
    double uncertainty;  // of it, absolute, as the paper states it; half of its last digit when it does not
    double reference;    // what theory says
    double ours;
    bool absolute;           // error = ours - reference; otherwise divided by |reference|, where that is not zero
    double bar;              // pass: |error| is at most this
    double lowest, highest;  // pass: ours is between these; either may stay NaN
} cliQuantity;

cliQuantity cliQuantity_Make(double ours, const char* unit, const char* nameFormat, ...) RSL_PRINTF(3, 4);
void cliQuantity_Note(cliQuantity* quantity, const char* format, ...) RSL_PRINTF(2, 3);
double cliQuantity_Error(const cliQuantity* quantity);  // NaN without a reference

typedef enum cliVerdict
{
    cli_unjudged,  // there is no bar, or nothing was published
    cli_yes,
    cli_no,
} cliVerdict;

cliVerdict cliQuantity_Pass(const cliQuantity* quantity);              // ours against the bar, nothing else
cliVerdict cliQuantity_MatchesPublished(const cliQuantity* quantity);  // within the uncertainty

enum
{
    CLI_CAPTION = 200,
};

typedef struct cliStudy cliStudy;

typedef struct cliExperiment
{
    const char* name;
    const char* title;
    const char* source;  // author, year, table or figure
    const char* text;    // what is done, in a few sentences; shown in the report
    void (*run)(cliStudy* study);
} cliExperiment;

// ---- what an experiment calls (study.c) -----------------------------------------------------------------------------

bool cliStudy_IsQuick(const cliStudy* study);   // a smaller version is asked for: ten seconds at most
bool cliStudy_IsFinest(const cliStudy* study);  // --finest: also what needs some gigabytes and many minutes
bool cliStudy_IsGood(const cliStudy* study);    // nothing has failed yet

// Change a value for the scenes opened from here on, until cliStudy_Reset.
void cliStudy_Set(cliStudy* study, const char* key, const char* format, ...) RSL_PRINTF(3, 4);
void cliStudy_Reset(cliStudy* study);

// Read, build, start. The loaded scene is to be freed in any case. The command line for the same is kept for the report.
bool cliStudy_Open(cliStudy* study, const char* scene, cliLoaded* loaded);

// A file among the scenes, for what is made by a rule: to be written and closed. NULL, and the end of the study, when it cannot be.
FILE* cliStudy_CreateFile(cliStudy* study, const char* name);

// All steps or increments of the scene.
bool cliStudy_Run(cliStudy* study, cliLoaded* loaded);

// Put the first body of a scene into the testing machine. To be freed; NULL when it failed.
rslMeasurements* cliStudy_Measure(cliStudy* study, const char* scene, const rslMeasureDef* def);
double cliMeasured(const rslMeasurements* measurements, const char* quantity);  // NaN when it was not measured

// Hand on a status of the library: false, and the end of the study, when it is not rsl_ok.
bool cliStudy_Check(cliStudy* study, rslStatus status, const rslReport* report);

// One more row of the table.
void cliStudy_Add(cliStudy* study, const cliQuantity* quantity);

// A paragraph of findings, after the text of the experiment.
void cliStudy_Say(cliStudy* study, const char* format, ...) RSL_PRINTF(2, 3);

// A new plot that belongs to the study.
cliPlot* cliStudy_Plot(cliStudy* study, const char* title);

// Draw the state into DIR/NAME-N.png and the report. Start the definition from rslDefaultPictureDef.
bool cliStudy_Draw(cliStudy* study, const cliLoaded* loaded, const rslPictureDef* def, const char* caption);

// Show what goes on: "kot-table-3.1: spacing 0.25, 40 %".
void cliStudy_Progress(cliStudy* study, double fraction, const char* format, ...) RSL_PRINTF(3, 4);

// A short text by value: cliNamed("E at %g", a).text
typedef struct cliName
{
    char text[120];
} cliName;

cliName cliNamed(const char* format, ...) RSL_PRINTF(1, 2);

// The experiments, in the order of the papers; *count gets their number (reproduce_list.c).
const cliExperiment* const* cliExperiment_List(int* count);
