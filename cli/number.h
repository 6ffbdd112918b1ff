// SPDX-License-Identifier: MIT
//
// number.h: numbers as text, for files and for people.

#pragma once

#include <stddef.h>
#include <stdint.h>

// A short text by value, so that a call can stand inside a printf: cliSi(x, "s").text
typedef struct cliText
{
    char text[64];
} cliText;

// The shortest text that reads back as the same double.
cliText cliShortest(double value);

// Three or four digits with an SI prefix: "12.3 us", "250 kPa".
cliText cliSi(double value, const char* unit);

// Four digits; "-" when the value is not known (0 or not finite).
cliText cliFigure(double value);

// "1 234 567"
cliText cliCount(uint64_t value);

// "12.3 MB"
cliText cliBytes(double bytes);

// "0.31 s", "4 min 10 s", "3 h 20 min"
cliText cliDuration(double seconds);

// Seconds on a clock that only goes forward.
double cliClock(void);
