// SPDX-License-Identifier: MIT
//
// csv.h: a table that grows during a run. Its first column is the step, so that it can be cut back to a checkpoint.

#pragma once

#include "resilin/base.h"

#include <stdio.h>

typedef struct cliCsv
{
    FILE* file;
    char path[RSL_PATH_CAPACITY];
    int rows;
} cliCsv;

enum
{
    CLI_CSV_ANEW = -1
};

// Start the table anew, or go on with the one that is there, cut back to rows of a step of at most keepStep. One with
// another header, or none at all, is started anew with a note.
rslStatus cliCsv_Open(cliCsv* csv, const char* path, const char* header, int64_t keepStep, rslReport* report);

// The values of the last row that is kept, without the step. False: there is none, or it has another number of them.
bool cliCsv_LastRow(const cliCsv* csv, double* values, int count);

// Append "step,v0,v1,..." as one write.
rslStatus cliCsv_Append(cliCsv* csv, uint64_t step, const double* values, int count, rslReport* report);

// What has been appended is on the disk when this returns.
rslStatus cliCsv_Sync(cliCsv* csv, rslReport* report);

void cliCsv_Close(cliCsv* csv);

// One text of a table, quoted where it must be (RFC 4180).
void cliCsv_PutText(FILE* file, const char* text);
