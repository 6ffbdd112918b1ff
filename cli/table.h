// SPDX-License-Identifier: MIT
//
// table.h: aligned text for people.

#pragma once

#include "resilin/base.h"

// "  key                 value": one line of a summary on stdout. NULL key: a continued value.
void cliLine(const char* key, const char* format, ...) RSL_PRINTF(2, 3);

// Columns as wide as their widest cell; the first is aligned left, the others right. Texts are copied.
typedef struct cliTable
{
    int columns, count, capacity;
    char** cells;
} cliTable;

void cliTable_Add(cliTable* table, const char* format, ...) RSL_PRINTF(2, 3);  // the next cell, row by row
void cliTable_Print(const cliTable* table);                                    // to stdout
void cliTable_Free(cliTable* table);
