// SPDX-License-Identifier: MIT
//
// plot.c: what a plot is made of: panels, curves, points.

#include "plot_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cliStyle cliStyle_Theory(void)
{
    return (cliStyle){ .colour = 0, .line = true };
}

cliStyle cliStyle_Published(void)
{
    return (cliStyle){ .colour = 6, .mark = cli_squareMark, .open = true };
}

cliStyle cliStyle_Ours(int colour)
{
    return (cliStyle){ .colour = colour, .line = true, .mark = (cliMark)(1 + (colour + 3) % (cli_markCount - 1)) };
}

cliStyle cliStyle_OursLine(int colour)
{
    return (cliStyle){ .colour = colour, .line = true };
}

static void* Fail(cliPlot* plot)
{
    if (plot != NULL)
    {
        plot->failed = true;
    }
    return NULL;
}

// A list of pointers with one more place. NULL: the list is as before.
static void* Longer(void* list, int count)
{
    return realloc(list, sizeof(void*) * (size_t)(count + 1));
}

cliPlot* cliPlot_New(const char* title)
{
    cliPlot* plot = calloc(1, sizeof *plot);
    if (plot != NULL)
    {
        snprintf(plot->title, sizeof plot->title, "%s", title);
    }
    return plot;
}

static void FreePanel(cliPanel* panel)
{
    for (int i = 0; i < panel->count; ++i)
    {
        free(panel->curves[i]->points);
        free(panel->curves[i]);
    }
    free(panel->curves);
    free(panel);
}

void cliPlot_Free(cliPlot* plot)
{
    for (int i = 0; plot != NULL && i < plot->count; ++i)
    {
        FreePanel(plot->panels[i]);
    }
    if (plot != NULL)
    {
        free(plot->panels);
    }
    free(plot);
}

bool cliPlot_IsWhole(const cliPlot* plot)
{
    return plot != NULL && !plot->failed;
}

cliPanel* cliPlot_AddPanel(cliPlot* plot, const char* title, const char* xLabel, const char* yLabel)
{
    cliPanel* panel = plot != NULL ? calloc(1, sizeof *panel) : NULL;
    cliPanel** panels = panel != NULL ? Longer(plot->panels, plot->count) : NULL;
    if (panels == NULL)
    {
        free(panel);
        return Fail(plot);
    }
    plot->panels = panels;
    plot->panels[plot->count++] = panel;
    panel->plot = plot;
    snprintf(panel->title, sizeof panel->title, "%s", title);
    snprintf(panel->x.label, sizeof panel->x.label, "%s", xLabel);
    snprintf(panel->y.label, sizeof panel->y.label, "%s", yLabel);
    panel->x.low = panel->x.high = panel->y.low = panel->y.high = NAN;
    return panel;
}

void cliPanel_SetLog(cliPanel* panel, bool x, bool y)
{
    if (panel != NULL)
    {
        panel->x.log = x;
        panel->y.log = y;
    }
}

void cliPanel_SetRangeX(cliPanel* panel, double low, double high)
{
    if (panel != NULL)
    {
        panel->x.low = low;
        panel->x.high = high;
    }
}

void cliPanel_SetRangeY(cliPanel* panel, double low, double high)
{
    if (panel != NULL)
    {
        panel->y.low = low;
        panel->y.high = high;
    }
}

void cliPanel_SetEqual(cliPanel* panel)
{
    if (panel != NULL)
    {
        panel->equal = true;
    }
}

cliCurve* cliPanel_AddCurve(cliPanel* panel, const char* name, cliStyle style)
{
    if (panel == NULL)
    {
        return NULL;
    }
    cliCurve* curve = calloc(1, sizeof *curve);
    cliCurve** curves = curve != NULL ? Longer(panel->curves, panel->count) : NULL;
    if (curves == NULL)
    {
        free(curve);
        return Fail(panel->plot);
    }
    panel->curves = curves;
    panel->curves[panel->count++] = curve;
    curve->plot = panel->plot;
    curve->style = style;
    snprintf(curve->name, sizeof curve->name, "%s", name != NULL ? name : "");
    return curve;
}

void cliCurve_AddBar(cliCurve* curve, double x, double y, double bar)
{
    if (curve == NULL)
    {
        return;
    }
    if (curve->count == curve->capacity)
    {
        int capacity = 2 * curve->capacity + 16;
        cliPoint* points = realloc(curve->points, sizeof(cliPoint) * (size_t)capacity);
        if (points == NULL)
        {
            Fail(curve->plot);
            return;
        }
        curve->points = points;
        curve->capacity = capacity;
    }
    curve->points[curve->count++] = (cliPoint){ .x = x, .y = y, .bar = bar };
}

void cliCurve_Add(cliCurve* curve, double x, double y)
{
    cliCurve_AddBar(curve, x, y, NAN);
}

void cliPanel_AddLevel(cliPanel* panel, const char* name, double from, double to, double y)
{
    cliCurve* line = cliPanel_AddCurve(panel, name, cliStyle_Theory());
    cliCurve_Add(line, from, y);
    cliCurve_Add(line, to, y);
}
