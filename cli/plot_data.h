// SPDX-License-Identifier: MIT
//
// plot_data.h: what a plot is made of, for the files that draw it.

#pragma once

#include "plot.h"

enum
{
    CLI_PLOT_TEXT = 160,
    CLI_TICKS = 40,
};

typedef struct cliPoint
{
    double x, y, bar;  // bar: NaN when there is none
} cliPoint;

struct cliCurve
{
    cliPlot* plot;
    char name[CLI_PLOT_TEXT];
    cliStyle style;
    cliPoint* points;
    int count, capacity;
};

typedef struct cliAxis
{
    char label[CLI_PLOT_TEXT];
    bool log;
    double low, high;  // NaN: from the curves
} cliAxis;

struct cliPanel
{
    cliPlot* plot;
    char title[CLI_PLOT_TEXT];
    cliAxis x, y;
    bool equal;
    cliCurve** curves;
    int count;
};

struct cliPlot
{
    char title[CLI_PLOT_TEXT];
    cliPanel** panels;
    int count;
    bool failed;
};

// An axis with its range and the values that are marked on it.
typedef struct cliScale
{
    bool log;
    double low, high;
    double tick[CLI_TICKS];
    char label[CLI_TICKS][64];
    int count;
    int exponent;  // linear: labels are to be multiplied by ten to this power
} cliScale;

// A range that holds [low, high] with a little room, and ticks on it (plot_axis.c). Fixed ends stay as they are.
cliScale cliScale_Make(const cliAxis* axis, double low, double high);

// Where a value lies, 0 at the low end and 1 at the high one. Not finite: not on the axis at all.
double cliScale_At(const cliScale* scale, double value);

// "10" with the power as superscript figures.
void cliPower_Text(int exponent, char* text, size_t capacity);
