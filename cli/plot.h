// SPDX-License-Identifier: MIT
//
// plot.h: plots of curves as SVG, for a file of its own or inside a page; legible on light and dark paper.
//
// A plot has panels, two in a row; a panel has two axes and curves. Texts and numbers are copied. All functions take the
// NULL that another one gave when out of memory, and do nothing; cliPlot_IsWhole tells in the end.

#pragma once

#include "resilin/base.h"

#include <stdio.h>

typedef struct cliPlot cliPlot;
typedef struct cliPanel cliPanel;
typedef struct cliCurve cliCurve;

typedef enum cliMark
{
    cli_noMark,
    cli_circleMark,
    cli_squareMark,
    cli_triangleMark,
    cli_diamondMark,
    cli_markCount
} cliMark;

// How a curve is drawn. Curves of the same colour number belong together; 0 is that of the theory: plain ink.
typedef struct cliStyle
{
    int colour;   // 0 to 6
    bool line;    // points joined in their order; a point that is not finite parts the line
    bool dashed;  // the line
    cliMark mark;
    bool open;  // mark without filling
} cliStyle;

// Looks that plots of papers share.
cliStyle cliStyle_Theory(void);          // a plain line in ink
cliStyle cliStyle_Published(void);       // open grey marks
cliStyle cliStyle_Ours(int colour);      // filled marks and a line; every colour has a mark of its own
cliStyle cliStyle_OursLine(int colour);  // a line alone, for dense curves

cliPlot* cliPlot_New(const char* title);
void cliPlot_Free(cliPlot* plot);
bool cliPlot_IsWhole(const cliPlot* plot);  // nothing was left out for want of memory

// Labels name quantity and unit, as in "stress [Pa]".
cliPanel* cliPlot_AddPanel(cliPlot* plot, const char* title, const char* xLabel, const char* yLabel);
void cliPanel_SetLog(cliPanel* panel, bool x, bool y);
void cliPanel_SetRangeX(cliPanel* panel, double low, double high);  // otherwise as the curves need
void cliPanel_SetRangeY(cliPanel* panel, double low, double high);
void cliPanel_SetEqual(cliPanel* panel);  // the same scale on both axes: shapes

// NULL name: not in the legend.
cliCurve* cliPanel_AddCurve(cliPanel* panel, const char* name, cliStyle style);
void cliPanel_AddLevel(cliPanel* panel, const char* name, double from, double to, double y);  // theory: a constant
void cliCurve_Add(cliCurve* curve, double x, double y);
void cliCurve_AddBar(cliCurve* curve, double x, double y, double bar);  // error bar from y - bar to y + bar

// The whole as an <svg> element. Alone: with its styles and paper, to be a file; else the page has cliPlot_Css.
void cliPlot_Write(const cliPlot* plot, bool alone, FILE* file);
rslStatus cliPlot_WriteFile(const cliPlot* plot, const char* path, rslReport* report);
const char* cliPlot_Css(void);

// A text with & < > " written so that XML and HTML read it.
void cliXml_Text(FILE* file, const char* text);
