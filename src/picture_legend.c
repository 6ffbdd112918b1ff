// SPDX-License-Identifier: MIT
//
// picture_legend.c: the colour bar with its numbers, and the line at the bottom.

#include "picture.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

static const rslColour ink = { 0.16f, 0.18f, 0.22f };

enum
{
    LABEL_CAPACITY = 64,
    MAX_TICKS = 16,
};

static int FontScale(int height)
{
    int scale = (height + 100) / 350;
    return scale < 1 ? 1 : scale > 8 ? 8 : scale;
}

void rslImage_Fill(const rslImage* image, int x0, int y0, int x1, int y1, rslColour colour)
{
    x0 = x0 > 0 ? x0 : 0;
    y0 = y0 > 0 ? y0 : 0;
    x1 = x1 < image->width ? x1 : image->width;
    y1 = y1 < image->height ? y1 : image->height;
    rslCanvas row = { .rgb = image->rgb };
    for (int y = y0; y < y1; ++y)
    {
        for (int x = x0; x < x1; ++x)
        {
            rslCanvas_SetColour(&row, (size_t)y * (size_t)image->width + (size_t)x, colour);
        }
    }
}

// A number of at most three or four digits, whatever the locale.
static void PrintShort(double value, char label[LABEL_CAPACITY])
{
    char number[RSL_NUMBER_CAPACITY];
    snprintf(number, sizeof number, "%.4g", value);
    for (char* c = number; *c != 0; ++c)
    {
        *c = strchr("0123456789+-einfa", *c) ? *c : '.';
    }
    double rounded = value;
    if (rslNumber_Parse(number, &rounded) == rsl_numberOk)
    {
        rslNumber_Print(rounded, number);
    }
    snprintf(label, LABEL_CAPACITY, "%s", number);
}

// ---- ticks ----------------------------------------------------------------------------------------------------------

typedef struct Ticks
{
    double values[MAX_TICKS];
    int count;
} Ticks;

// Multiples of a round step inside the range: four to nine of them.
static Ticks MakeTicks(const rslValueScale* scale)
{
    Ticks ticks = { 0 };
    double step = rslRoundUp((scale->upper - scale->lower) / 8.0);
    double first = scale->lower / step;
    bool small = fabs(first) < 1e9;
    int64_t k = small ? (int64_t)first - 1 : 0;
    double slack = 1e-9 * (scale->upper - scale->lower);
    for (; small && ticks.count < MAX_TICKS && (double)k * step <= scale->upper + slack; ++k)
    {
        if ((double)k * step >= scale->lower - slack)
        {
            ticks.values[ticks.count++] = (double)k * step;
        }
    }
    if (ticks.count < 2)
    {
        ticks = (Ticks){ .values = { scale->lower, scale->upper }, .count = 2 };
    }
    return ticks;
}

// ---- the colour bar -------------------------------------------------------------------------------------------------

static int LabelWidth(const rslDrawing* drawing, int font)
{
    Ticks ticks = MakeTicks(&drawing->scale);
    int widest = 0;
    for (int i = 0; i < ticks.count; ++i)
    {
        char label[LABEL_CAPACITY];
        PrintShort(ticks.values[i], label);
        int width = rslFont_Width(label, font);
        widest = width > widest ? width : widest;
    }
    return widest;
}

// Bar, a tick and the widest number; the title stands above and may reach to the left.
static int BarAndNumbers(const rslDrawing* drawing, int font)
{
    return 10 * font + 6 * font + LabelWidth(drawing, font);
}

int rslLegend_Width(const rslDrawing* drawing)
{
    if (!drawing->scale.used)
    {
        return 0;
    }
    int font = FontScale(drawing->def->height);
    int width = BarAndNumbers(drawing, font) + 20 * font;
    return width < drawing->def->width / 2 ? width : drawing->def->width / 2;
}

static rslColour ColourAt(const rslValueScale* scale, double t)
{
    return scale->diverging ? rslColour_Diverging(2.0 * t - 1.0) : rslColour_Sequential(t);
}

void rslLegend_Draw(const rslDrawing* drawing, const rslImage* image)
{
    const rslValueScale* scale = &drawing->scale;
    if (!scale->used)
    {
        return;
    }
    int font = FontScale(image->height), margin = 10 * font;
    int x = image->width - margin - BarAndNumbers(drawing, font);
    int top = margin + 16 * font, bottom = image->height - 3 * margin, bar = 10 * font;
    if (bottom - top < 20 * font)
    {
        return;
    }
    int titleX = image->width - margin - rslFont_Width(scale->title, font);
    rslFont_Draw(image, scale->title, titleX < x ? titleX : x, margin, font, ink);
    rslImage_Fill(image, x - font, top - font, x + bar + font, bottom + font, ink);
    for (int y = top; y < bottom; ++y)
    {
        rslImage_Fill(image, x, y, x + bar, y + 1, ColourAt(scale, (bottom - y - 0.5) / (bottom - top)));
    }
    Ticks ticks = MakeTicks(scale);
    for (int i = 0; i < ticks.count; ++i)
    {
        char label[LABEL_CAPACITY];
        double t = (ticks.values[i] - scale->lower) / (scale->upper - scale->lower);
        int y = bottom - (int)(t * (bottom - top) + 0.5);
        PrintShort(ticks.values[i], label);
        rslImage_Fill(image, x + bar, y - font / 2, x + bar + 3 * font, y - font / 2 + font, ink);
        rslFont_Draw(image, label, x + bar + 6 * font, y - 3 * font - font / 2, font, ink);
    }
}

// ---- the line at the bottom -----------------------------------------------------------------------------------------

void rslLabels_Draw(const rslDrawing* drawing, const rslImage* image)
{
    char time[LABEL_CAPACITY], square[LABEL_CAPACITY], text[3 * LABEL_CAPACITY];
    int font = FontScale(image->height);
    PrintShort(drawing->snapshot->time, time);
    PrintShort(rslGround_Spacing(drawing), square);
    bool squares = drawing->hasGround && !drawing->flat && !drawing->empty;
    if (squares)
    {
        snprintf(text, sizeof text, "t = %s s   squares %s m", time, square);
    }
    else
    {
        snprintf(text, sizeof text, "t = %s s", time);
    }
    rslFont_Draw(image, text, 10 * font, image->height - 17 * font, font, ink);
}

// With a pale rim, since it may stand on anything.
void rslLabel_Draw(const rslImage* image, const rslPictureLabel* label, double x, double y)
{
    static const rslColour pale = { 0.93f, 0.95f, 0.97f };
    if (!(fabs(x) < 1e6 && fabs(y) < 1e6))
    {
        return;
    }
    int font = FontScale(image->height), height = 10 * font;
    int left = (int)(x - label->before * rslFont_Width(label->text, font)), top = (int)y - height;
    for (int i = 0; i < 9; ++i)
    {
        rslFont_Draw(image, label->text, left + (i % 3 - 1) * font, top + (i / 3 - 1) * font, font, pale);
    }
    rslFont_Draw(image, label->text, left, top, font, ink);
}
