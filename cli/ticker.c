// SPDX-License-Identifier: MIT
//
// ticker.c: a line on stderr that says how far something long has come.

#include "ticker.h"

#include "number.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

cliTicker cliTicker_Begin(bool shown)
{
    return (cliTicker){ .last = cliClock(), .shown = shown, .terminal = isatty(STDERR_FILENO) != 0 };
}

void cliTicker_Show(cliTicker* ticker, const char* format, ...)
{
    double interval = !ticker->terminal ? 10.0 : ticker->printed ? 0.1 : 1.0;
    if (!ticker->shown || cliClock() - ticker->last < interval)
    {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    fputs(ticker->terminal ? "\r\033[K" : "", stderr);
    vfprintf(stderr, format, arguments);
    fputs(ticker->terminal ? "" : "\n", stderr);
    fflush(stderr);
    va_end(arguments);
    ticker->last = cliClock();
    ticker->printed = true;
}

void cliTicker_End(const cliTicker* ticker)
{
    if (ticker->printed && ticker->terminal)
    {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
