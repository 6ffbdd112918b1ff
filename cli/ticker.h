// SPDX-License-Identifier: MIT
//
// ticker.h: a line on stderr that says how far something long has come.

#pragma once

#include "resilin/base.h"

typedef struct cliTicker
{
    double last;  // when a line was printed, or the start [s]
    bool shown, terminal, printed;
} cliTicker;

cliTicker cliTicker_Begin(bool shown);

// Show the text if it is time: on a terminal after the first second, in place of the line before; elsewhere a line every
// ten seconds.
void cliTicker_Show(cliTicker* ticker, const char* format, ...) RSL_PRINTF(2, 3);

void cliTicker_End(const cliTicker* ticker);  // the line of a terminal is wiped out
