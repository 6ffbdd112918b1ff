// SPDX-License-Identifier: MIT
//
// message.c: messages to the user.

#include "cli.h"

#include <stdarg.h>
#include <string.h>

int cliExit(rslStatus status)
{
    return status == rsl_ok                                       ? cli_success
           : status == rsl_diverged || status == rsl_notConverged ? cli_failed
                                                                  : cli_badInput;
}

static void Print(const char* severity, const char* format, va_list arguments)
{
    fflush(stdout);
    fprintf(stderr, "resilin: %s: ", severity);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void cliError(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    Print("error", format, arguments);
    va_end(arguments);
}

void cliNote(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    Print("note", format, arguments);
    va_end(arguments);
}

bool cliReport_IsRepeated(const rslReport* report, int index)
{
    const rslMessage* m = &report->messages[index];
    for (int i = 0; i < index; ++i)
    {
        const rslMessage* e = &report->messages[i];
        if (e->place.line == m->place.line && e->place.column == m->place.column && strcmp(e->text, m->text) == 0)
        {
            return true;
        }
    }
    return false;
}

const char* cliReport_FirstError(const rslReport* report)
{
    for (int i = 0; i < report->count; ++i)
    {
        if (report->messages[i].severity == rsl_error)
        {
            return report->messages[i].text;
        }
    }
    return NULL;
}

void cliReport_Print(const rslReport* report)
{
    cliReport_PrintDown(report, rsl_note);
}

void cliReport_PrintDown(const rslReport* report, rslSeverity least)
{
    fflush(stdout);
    for (int i = 0; i < report->count; ++i)
    {
        char line[RSL_MESSAGE_CAPACITY + RSL_PATH_CAPACITY + 64];
        if (report->messages[i].severity >= least && !cliReport_IsRepeated(report, i))
        {
            rslReport_Format(report, i, line, sizeof line);
            fprintf(stderr, "%s%s\n", report->file[0] == 0 ? "resilin: " : "", line);
        }
    }
    int further = report->errors + report->warnings + report->notes - report->count;
    if (further > 0 && least == rsl_note)
    {
        fprintf(stderr, "... and %d further message%s\n", further, further == 1 ? "" : "s");
    }
}
