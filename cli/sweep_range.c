// SPDX-License-Identifier: MIT
//
// sweep_range.c: the values that a parameter takes.

#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A part of a text as a number.
static bool ReadNumber(const char* text, size_t length, double* number)
{
    char copy[64];
    if (length == 0 || length >= sizeof copy)
    {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = 0;
    return cliParseNumber(copy, number);
}

static bool AddValue(cliSwept* swept, const char* text, size_t length)
{
    char** texts = realloc(swept->texts, sizeof(char*) * (size_t)(swept->count + 1));
    swept->texts = texts != NULL ? texts : swept->texts;
    double* numbers = realloc(swept->numbers, sizeof(double) * (size_t)(swept->count + 1));
    swept->numbers = numbers != NULL ? numbers : swept->numbers;
    char* copy = texts != NULL && numbers != NULL ? strndup(text, length) : NULL;
    if (copy == NULL)
    {
        return false;
    }
    double* number = &swept->numbers[swept->count];
    bool numeric = ReadNumber(text, length, number);
    *number = numeric ? *number : NAN;
    swept->numeric = swept->numeric && numeric;
    swept->texts[swept->count++] = copy;
    return true;
}

// ---- ranges ---------------------------------------------------------------------------------------------------------

// The i-th of N values from A to B. Twelve digits are kept, so that 1e3..1e6 passes through 1e4 and not 9999.999999999998.
static double Between(double a, double b, int i, int count, bool log)
{
    if (i == 0 || i == count - 1)
    {
        return i == 0 ? a : b;
    }
    double s = (double)i / (count - 1);
    return log ? a * pow(b / a, s) : a + s * (b - a);
}

static const char* AddRange(cliSwept* swept, double a, double b, int count)
{
    for (int i = 0; i < count; ++i)
    {
        char text[40];
        int length = snprintf(text, sizeof text, "%.12g", Between(a, b, i, count, swept->log));
        if (!AddValue(swept, text, (size_t)length))
        {
            return "less of them: out of memory";
        }
    }
    return NULL;
}

// "B:N", "B:N:log" or "B:N:linear", behind the dots.
static const char* ReadRange(cliSwept* swept, double a, const char* text, cliSpacing spacing)
{
    double b;
    const char* colon = strchr(text, ':');
    if (colon == NULL || !ReadNumber(text, (size_t)(colon - text), &b))
    {
        return "A..B:N, as in 1e3..1e6:7";
    }
    char* end;
    long count = strtol(colon + 1, &end, 10);
    if (end == colon + 1 || count < 2 || count > CLI_SWEEP_VALUES)
    {
        return "a number of values from 2 to 10000, as in 1e3..1e6:7";
    }
    if (*end != 0)
    {
        spacing = strcmp(end, ":log") == 0      ? cli_logSpacing
                  : strcmp(end, ":linear") == 0 ? cli_linearSpacing
                                                : cli_autoSpacing;
        if (spacing == cli_autoSpacing)
        {
            return ":log or :linear after the number of values";
        }
    }
    double ratio = b / a;
    bool possible = a != 0 && isfinite(ratio) && ratio > 0;
    if (spacing == cli_logSpacing && !possible)
    {
        return "two ends of the same sign for a logarithmic range, none of them 0";
    }
    swept->log =
        spacing == cli_logSpacing || (spacing == cli_autoSpacing && possible && (ratio >= 100 || ratio <= 0.01));
    return AddRange(swept, a, b, (int)count);
}

// ---- lists ----------------------------------------------------------------------------------------------------------

// The end of a value: a comma outside brackets and quotes, or the end of the text.
static const char* ValueEnd(const char* s)
{
    int depth = 0;
    char quote = 0;
    for (; *s != 0 && (*s != ',' || depth > 0 || quote != 0); ++s)
    {
        if (quote != 0 || *s == '"' || *s == '\'')
        {
            quote = quote == 0 ? *s : *s == quote ? 0 : quote;
            continue;
        }
        depth += *s == '[';
        depth -= *s == ']';
    }
    return s;
}

const char* cliSwept_Read(cliSwept* swept, const char* key, const char* text, cliSpacing spacing)
{
    *swept = (cliSwept){ .key = key, .numeric = true };
    const char* dots = strstr(text, "..");
    double a;
    if (dots != NULL && ReadNumber(text, (size_t)(dots - text), &a))
    {
        return ReadRange(swept, a, dots + 2, spacing);
    }
    for (const char* s = text;; ++s)
    {
        const char* end = ValueEnd(s);
        if (end == s)
        {
            return "a value between commas";
        }
        if (swept->count == CLI_SWEEP_VALUES || !AddValue(swept, s, (size_t)(end - s)))
        {
            return "fewer values";
        }
        s = end;
        if (*s == 0)
        {
            return NULL;
        }
    }
}

void cliSwept_Free(cliSwept* swept)
{
    for (int i = 0; i < swept->count; ++i)
    {
        free(swept->texts[i]);
    }
    free(swept->texts);
    free(swept->numbers);
    *swept = (cliSwept){ 0 };
}
