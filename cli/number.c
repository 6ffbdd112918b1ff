// SPDX-License-Identifier: MIT
//
// number.c: numbers as text, for files and for people.

#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// any text of up to 15 digits survives a double, so fewer digits need not be tried: %g strips the zeros
cliText cliShortest(double value)
{
    cliText result;
    for (int digits = 15; digits <= 17; ++digits)
    {
        snprintf(result.text, sizeof result.text, "%.*g", digits, value);
        if (strtod(result.text, NULL) == value)
        {
            break;
        }
    }
    return result;
}

cliText cliSi(double value, const char* unit)
{
    static const char* const prefixes[] = { "p", "n", "u", "m", "", "k", "M", "G", "T" };
    cliText result;
    int power = value != 0 && isfinite(value) ? (int)floor(log10(fabs(value)) / 3 + 1e-9) : 0;
    if (power < -4 || power > 4)
    {
        snprintf(result.text, sizeof result.text, "%.4g %s", value, unit);
        return result;
    }
    snprintf(result.text, sizeof result.text, "%.4g %s%s", value / pow(1000, power), prefixes[power + 4], unit);
    return result;
}

cliText cliFigure(double value)
{
    cliText result = { "-" };
    if (value != 0 && isfinite(value))
    {
        snprintf(result.text, sizeof result.text, "%.4g", value);
    }
    return result;
}

cliText cliCount(uint64_t value)
{
    char digits[32];
    cliText result;
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    size_t used = 0;
    for (int i = 0; i < length; ++i)
    {
        if (i > 0 && (length - i) % 3 == 0)
        {
            result.text[used++] = ' ';
        }
        result.text[used++] = digits[i];
    }
    result.text[used] = 0;
    return result;
}

cliText cliBytes(double bytes)
{
    cliText result;
    if (bytes < 1000)
    {
        snprintf(result.text, sizeof result.text, "%.0f B", bytes);
        return result;
    }
    return cliSi(bytes, "B");
}

cliText cliDuration(double seconds)
{
    cliText result;
    const double year = 365.25 * 24 * 3600;
    if (!isfinite(seconds))
    {
        snprintf(result.text, sizeof result.text, "unknown");
    }
    else if (seconds > year)
    {
        snprintf(result.text, sizeof result.text, "%.3g years", seconds / year);
    }
    else if (seconds < 60)
    {
        snprintf(result.text, sizeof result.text, seconds < 10 ? "%.2f s" : "%.1f s", seconds);
    }
    else if (seconds < 3600)
    {
        long whole = lround(seconds);
        snprintf(result.text, sizeof result.text, "%ld min %ld s", whole / 60, whole % 60);
    }
    else
    {
        long minutes = lround(seconds / 60);
        snprintf(result.text, sizeof result.text, "%ld h %ld min", minutes / 60, minutes % 60);
    }
    return result;
}

double cliClock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
