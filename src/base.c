// SPDX-License-Identifier: MIT
//
// base.c: status names, reports, the log and the assert hook.

#include "resilin/base.h"

#include "log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(x) #x
#define VERSION_TEXT(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

const char* rslVersion(void)
{
    return VERSION_TEXT(RSL_VERSION_MAJOR, RSL_VERSION_MINOR, RSL_VERSION_PATCH);
}

const char* rslStatus_Name(rslStatus status)
{
    switch (status)
    {
        case rsl_ok: return "ok";
        case rsl_badInput: return "bad input";
        case rsl_outOfMemory: return "out of memory";
        case rsl_ioError: return "input or output error";
        case rsl_diverged: return "diverged";
        case rsl_unsupported: return "unsupported";
        case rsl_mismatch: return "mismatch";
        case rsl_stopped: return "stopped";
        case rsl_notConverged: return "not converged";
    }
    return "unknown status";
}

// A text that was cut to its capacity may end within a character of UTF-8: take that off.
static void DropCutCharacter(char* text)
{
    size_t end = strlen(text), begin = end;
    while (begin > 0 && ((unsigned char)text[begin - 1] & 0xc0) == 0x80)
    {
        begin -= 1;
    }
    unsigned lead = begin > 0 ? (unsigned char)text[begin - 1] : 0;
    size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (length > 1 && end - (begin - 1) < length)
    {
        text[begin - 1] = 0;
    }
}

void rslReport_Add(rslReport* report, rslSeverity severity, rslPlace place, const char* format, ...)
{
    if (report == NULL)
    {
        return;
    }
    int* counter = severity == rsl_error     ? &report->errors
                   : severity == rsl_warning ? &report->warnings
                                             : &report->notes;
    *counter += 1;
    if (report->count == RSL_REPORT_CAPACITY)
    {
        return;
    }
    rslMessage* message = &report->messages[report->count++];
    message->severity = severity;
    message->place = place;
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(message->text, sizeof message->text, format, arguments) >= (int)sizeof message->text)
    {
        DropCutCharacter(message->text);
    }
    va_end(arguments);
}

int rslReport_Format(const rslReport* report, int index, char* buffer, size_t capacity)
{
    if (report == NULL || index < 0 || index >= report->count)
    {
        return snprintf(buffer, capacity, "%s", "");
    }
    static const char* const names[] = { "note", "warning", "error" };
    const rslMessage* message = &report->messages[index];
    char place[RSL_PATH_CAPACITY + 32] = "";
    if (report->file[0] != 0 && message->place.line > 0)
    {
        snprintf(place, sizeof place, "%s:%d:%d: ", report->file, message->place.line, message->place.column);
    }
    else if (report->file[0] != 0)
    {
        snprintf(place, sizeof place, "%s: ", report->file);
    }
    return snprintf(buffer, capacity, "%s%s: %s", place, names[message->severity], message->text);
}

void rslLog(const rslHooks* hooks, rslSeverity severity, const char* format, ...)
{
    if (hooks->log == NULL)
    {
        return;
    }
    char text[RSL_MESSAGE_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hooks->log(severity, text, hooks->user);
}

static _Atomic(rslAssertHook*) assertHook;

void rslSetAssertHook(rslAssertHook* hook)
{
    atomic_store(&assertHook, hook);
}

void rslAssertFailed(const char* condition, const char* file, int line)
{
    rslAssertHook* hook = atomic_load(&assertHook);
    if (hook == NULL)
    {
        abort();
    }
    hook(condition, file, line);
}
