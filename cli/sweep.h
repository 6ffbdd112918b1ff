// SPDX-License-Identifier: MIT
//
// sweep.h: the parts of `resilin sweep`: values of a parameter (sweep_range.c), one run (sweep_row.c), the table of
// what came out of all (sweep_table.c), and how it is written (sweep_write.c).

#pragma once

#include "loaded.h"
#include "path.h"

// ---- values ---------------------------------------------------------------------------------------------------------

typedef enum cliSpacing
{
    cli_autoSpacing,  // logarithmic when both ends are positive and a factor of 100 or more apart
    cli_linearSpacing,
    cli_logSpacing,
} cliSpacing;

enum
{
    CLI_SWEEP_VALUES = 10000,  // of one parameter, and rows of a sweep
};

// A key of the scene with the values that it takes.
typedef struct cliSwept
{
    const char* key;
    char** texts;     // as --set takes them
    double* numbers;  // the same; NaN where it is a word
    int count;
    bool log;      // spaced by factors
    bool numeric;  // all of them are numbers
} cliSwept;

// Read the text behind KEY=: A..B:N, A..B:N:log, A..B:N:linear, or a list a,b,c; anything else is one value. Returns what was
// expected when it is bad, NULL when it is good. Free it in any case.
const char* cliSwept_Read(cliSwept* swept, const char* key, const char* text, cliSpacing spacing);
void cliSwept_Free(cliSwept* swept);

// ---- the table ------------------------------------------------------------------------------------------------------

typedef struct cliSweepRow
{
    double* values;  // of the first columns; the others are not known
    int count;
    rslStatus status;
    char message[RSL_MESSAGE_CAPACITY];  // what went wrong
    double seconds;
} cliSweepRow;

typedef struct cliSweep
{
    cliSwept* swept;
    int sweptCount;
    bool run;        // the scene is run, and its end read off
    unsigned tests;  // of rslTest: every body is put into the testing machine
    bool zip;        // the values go together, one each; otherwise every one with every other, the last key fastest
    char** columns;  // names, in the order they came up
    int columnCount;
    cliSweepRow* rows;
    int rowCount, doneCount;
    bool failed;  // out of memory
} cliSweep;

// Number of rows the values make; -1: to be zipped, but of different counts; 0: too many.
int cliSweep_RowCount(const cliSweep* sweep);

// Which value of a key a row has.
int cliSweep_Choice(const cliSweep* sweep, int row, int swept);

void cliSweep_Put(cliSweep* sweep, int row, const char* column, double value);
double cliSweep_Get(const cliSweep* sweep, int row, int column);   // NaN when not known
int cliSweep_FindColumn(const cliSweep* sweep, const char* name);  // with or without its unit; -1
void cliSweep_Free(cliSweep* sweep);

// Run the scene, test its bodies and put what comes out into the row (sweep_row.c). What goes wrong stays in the row.
void cliSweep_RunRow(cliSweep* sweep, int row, const char* scene, const cliWishes* wishes);

// Whether a column of this name, with or without its unit, is one of a run; otherwise it is measured.
bool cliSweep_IsRunColumn(const rslScene* scene, const char* name);

// ---- writing --------------------------------------------------------------------------------------------------------

// Columns by index; count -1: all.
typedef struct cliChosen
{
    int* list;
    int count;
} cliChosen;

rslStatus cliSweep_WriteCsv(const cliSweep* sweep, const cliChosen* chosen, const char* path, rslReport* report);
rslStatus cliSweep_WritePlot(const cliSweep* sweep, const cliChosen* chosen, const char* title, const char* path,
                             rslReport* report);
void cliSweep_Json(const cliSweep* sweep, const cliChosen* chosen, FILE* file);
void cliSweep_Print(const cliSweep* sweep, const cliChosen* chosen);
