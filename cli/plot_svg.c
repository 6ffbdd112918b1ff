// SPDX-License-Identifier: MIT
//
// plot_svg.c: draws a plot as SVG. Colours are classes, so that a page can change them with its paper.

#include "path.h"
#include "plot_data.h"

#include <math.h>
#include <string.h>

enum
{
    PANEL_WIDTH = 460,
    PLOT_HEIGHT = 250,  // of the area between the axes
    LEFT = 68,
    RIGHT = 16,
    BELOW = 52,
    TITLE_LINE = 22,
    LEGEND_LINE = 18,
    PLOT_TITLE = 30,
};

static const double letter = 6.1;  // mean width of a letter of the legend [px]

// light paper first; the media query changes ink and paper together. Of the seven colours the first is ink, the last grey.
static const char css[] =
    ".rsl-paper{fill:#fff}.rsl-frame{fill:none;stroke:#8a8f98;stroke-width:1}"
    ".rsl-grid{stroke:#e3e6ea;stroke-width:1;fill:none}"
    ".rsl-text{fill:#1d2430;font:12px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}"
    ".rsl-small{font-size:11px;fill:#4a5260}.rsl-title{font-weight:600;font-size:13px}.rsl-head{font-weight:600;font-"
    "size:15px}"
    ".rsl-line{fill:none;stroke-width:1.7;stroke-linejoin:round;stroke-linecap:round}.rsl-dashed{stroke-dasharray:6 4}"
    ".rsl-mark{stroke-width:1.4}.rsl-open{fill-opacity:0}.rsl-bar{stroke-width:1.1;fill:none;stroke-opacity:.75}"
    ".rsl-c0{stroke:#1d2430;fill:#1d2430}.rsl-c1{stroke:#1f6fb4;fill:#1f6fb4}.rsl-c2{stroke:#c8501e;fill:#c8501e}"
    ".rsl-c3{stroke:#2a8a4a;fill:#2a8a4a}.rsl-c4{stroke:#8e4ba8;fill:#8e4ba8}.rsl-c5{stroke:#a67c00;fill:#a67c00}"
    ".rsl-c6{stroke:#7a818c;fill:#7a818c}.rsl-line,.rsl-bar{fill:none}"
    "@media (prefers-color-scheme:dark){.rsl-paper{fill:#14181f}.rsl-frame{stroke:#6d7683}.rsl-grid{stroke:#2b323d}"
    ".rsl-text{fill:#e6e9ee}.rsl-small{fill:#b4bcc8}.rsl-c0{stroke:#e6e9ee;fill:#e6e9ee}.rsl-c1{stroke:#5aa9ee;fill:#"
    "5aa9ee}"
    ".rsl-c2{stroke:#f08a5a;fill:#f08a5a}.rsl-c3{stroke:#5cc483;fill:#5cc483}.rsl-c4{stroke:#c792e0;fill:#c792e0}"
    ".rsl-c5{stroke:#dbb445;fill:#dbb445}.rsl-c6{stroke:#9aa2ae;fill:#9aa2ae}.rsl-line,.rsl-bar{fill:none}}";

const char* cliPlot_Css(void)
{
    return css;
}

void cliXml_Text(FILE* file, const char* text)
{
    for (const char* c = text; *c != 0; ++c)
    {
        switch (*c)
        {
            case '&': fputs("&amp;", file); break;
            case '<': fputs("&lt;", file); break;
            case '>': fputs("&gt;", file); break;
            case '"': fputs("&quot;", file); break;
            default: fputc(*c, file);
        }
    }
}

static void Text(FILE* file, double x, double y, const char* anchor, const char* classes, const char* text)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"rsl-text %s\">", x, y, anchor, classes);
    cliXml_Text(file, text);
    fputs("</text>\n", file);
}

// The letters of a UTF-8 text.
static int Letters(const char* text)
{
    int count = 0;
    for (const char* c = text; *c != 0; ++c)
    {
        count += ((unsigned char)*c & 0xc0) != 0x80;
    }
    return count;
}

// ---- one panel ------------------------------------------------------------------------------------------------------

// Where the area between the axes lies on the page [px], and its scales.
typedef struct Area
{
    FILE* file;
    double left, top, width, height;
    cliScale x, y;
} Area;

static double PageX(const Area* a, double value)
{
    return a->left + a->width * cliScale_At(&a->x, value);
}

static double PageY(const Area* a, double value)
{
    return a->top + a->height * (1 - cliScale_At(&a->y, value));
}

// Far outside is as good as just outside, and no renderer loses its way.
static double Bound(double page)
{
    return fmin(fmax(page, -5000), 5000);
}

static void Include(double value, bool log, double* low, double* high)
{
    if (isfinite(value) && (!log || value > 0))
    {
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
}

static void FindScales(const cliPanel* panel, Area* area)
{
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    for (int c = 0; c < panel->count; ++c)
    {
        for (int i = 0; i < panel->curves[c]->count; ++i)
        {
            cliPoint p = panel->curves[c]->points[i];
            double bar = isfinite(p.bar) ? p.bar : 0;
            Include(p.x, panel->x.log, &low[0], &high[0]);
            Include(p.y - bar, panel->y.log, &low[1], &high[1]);
            Include(p.y + bar, panel->y.log, &low[1], &high[1]);
        }
    }
    area->x = cliScale_Make(&panel->x, low[0], high[0]);
    area->y = cliScale_Make(&panel->y, low[1], high[1]);
    if (!panel->equal)
    {
        return;
    }
    // the axis with too much room is given more range, the same on both sides
    double perX = (area->x.high - area->x.low) / area->width, perY = (area->y.high - area->y.low) / area->height;
    cliScale* s = perX < perY ? &area->x : &area->y;
    double middle = (s->low + s->high) / 2, half = fmax(perX, perY) * (perX < perY ? area->width : area->height) / 2;
    *s = cliScale_Make(&(cliAxis){ .low = middle - half, .high = middle + half }, 0, 1);
}

static void DrawAxes(const Area* a, const cliPanel* panel)
{
    double right = a->left + a->width, bottom = a->top + a->height;
    fprintf(a->file, "<path class=\"rsl-grid\" d=\"");
    for (int i = 0; i < a->x.count; ++i)
    {
        double x = PageX(a, a->x.tick[i]);
        fprintf(a->file, "M%.1f %.1fV%.1f", x, a->top, bottom);
    }
    for (int i = 0; i < a->y.count; ++i)
    {
        double y = PageY(a, a->y.tick[i]);
        fprintf(a->file, "M%.1f %.1fH%.1f", a->left, y, right);
    }
    fprintf(a->file, "\"/>\n<rect class=\"rsl-frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
            a->left, a->top, a->width, a->height);
    for (int i = 0; i < a->x.count; ++i)
    {
        Text(a->file, PageX(a, a->x.tick[i]), bottom + 16, "middle", "rsl-small", a->x.label[i]);
    }
    for (int i = 0; i < a->y.count; ++i)
    {
        Text(a->file, a->left - 6, PageY(a, a->y.tick[i]) + 4, "end", "rsl-small", a->y.label[i]);
    }
    char label[CLI_PLOT_TEXT + 64], power[32];
    cliPower_Text(a->x.exponent, power, sizeof power);
    snprintf(label, sizeof label, a->x.exponent != 0 ? "%s  (\u00d7 %s)" : "%s", panel->x.label, power);
    Text(a->file, a->left + a->width / 2, bottom + 37, "middle", "", label);
    cliPower_Text(a->y.exponent, power, sizeof power);
    snprintf(label, sizeof label, a->y.exponent != 0 ? "%s  (\u00d7 %s)" : "%s", panel->y.label, power);
    double x = a->left - 52, y = a->top + a->height / 2;
    fprintf(a->file, "<g transform=\"rotate(-90 %.1f %.1f)\">", x, y);
    Text(a->file, x, y + 4, "middle", "", label);
    fputs("</g>\n", a->file);
}

static void DrawMark(FILE* file, cliStyle style, double x, double y)
{
    fprintf(file, "<path class=\"rsl-mark rsl-c%d%s\" d=\"", style.colour, style.open ? " rsl-open" : "");
    switch (style.mark)
    {
        case cli_circleMark: fprintf(file, "M%.1f %.1fa3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0z", x - 3.4, y); break;
        case cli_squareMark: fprintf(file, "M%.1f %.1fh6v6h-6z", x - 3, y - 3); break;
        case cli_triangleMark: fprintf(file, "M%.1f %.1fl4 7h-8z", x, y - 4.4); break;
        case cli_diamondMark: fprintf(file, "M%.1f %.1fl4.2 4.2l-4.2 4.2l-4.2 -4.2z", x, y - 4.2); break;
        case cli_noMark:
        case cli_markCount: break;
    }
    fputs("\"/>\n", file);
}

static void DrawLine(const Area* a, const cliCurve* curve)
{
    fprintf(a->file, "<path class=\"rsl-c%d rsl-line%s\" d=\"", curve->style.colour,
            curve->style.dashed ? " rsl-dashed" : "");
    bool pen = false;
    for (int i = 0; i < curve->count; ++i)
    {
        double x = PageX(a, curve->points[i].x), y = PageY(a, curve->points[i].y);
        if (isfinite(x) && isfinite(y))
        {
            fprintf(a->file, "%c%.2f %.2f", pen ? 'L' : 'M', Bound(x), Bound(y));
        }
        pen = isfinite(x) && isfinite(y);
    }
    fputs("\"/>\n", a->file);
}

static void DrawBars(const Area* a, const cliCurve* curve)
{
    for (int i = 0; i < curve->count; ++i)
    {
        cliPoint p = curve->points[i];
        double x = PageX(a, p.x), high = PageY(a, p.y + p.bar), low = PageY(a, p.y - p.bar);
        low = isfinite(low) ? low : a->top + a->height;  // on a log axis a bar may reach below zero
        if (isfinite(p.bar) && isfinite(x) && isfinite(high))
        {
            fprintf(a->file, "<path class=\"rsl-c%d rsl-bar\" d=\"M%.1f %.1fV%.1fM%.1f %.1fh6M%.1f %.1fh6\"/>\n",
                    curve->style.colour, Bound(x), Bound(low), Bound(high), Bound(x) - 3, Bound(low), Bound(x) - 3,
                    Bound(high));
        }
    }
}

static void DrawLines(const Area* a, const cliCurve* curve)
{
    DrawBars(a, curve);
    if (curve->style.line)
    {
        DrawLine(a, curve);
    }
}

static bool IsOn(const cliScale* scale, double value)
{
    double place = cliScale_At(scale, value);
    return place >= -1e-6 && place <= 1 + 1e-6;
}

static void DrawMarks(const Area* a, const cliCurve* curve)
{
    for (int i = 0; i < curve->count && curve->style.mark != cli_noMark; ++i)
    {
        cliPoint p = curve->points[i];
        if (IsOn(&a->x, p.x) && IsOn(&a->y, p.y))
        {
            DrawMark(a->file, curve->style, PageX(a, p.x), PageY(a, p.y));
        }
    }
}

// ---- the legend -----------------------------------------------------------------------------------------------------

static double EntryWidth(const cliCurve* curve)
{
    return 34 + letter * Letters(curve->name) + 14;
}

// Entries beside each other as far as the panel is wide. Draws when there is a file; returns the number of lines.
static int Legend(const cliPanel* panel, double left, double top, FILE* file)
{
    double x = 0;
    int line = 0;
    bool any = false;
    for (int c = 0; c < panel->count; ++c)
    {
        const cliCurve* curve = panel->curves[c];
        if (curve->name[0] == 0)
        {
            continue;
        }
        if (x > 0 && x + EntryWidth(curve) > PANEL_WIDTH - LEFT)
        {
            x = 0;
            line += 1;
        }
        if (file != NULL)
        {
            double px = left + x, py = top + LEGEND_LINE * line + 9;
            if (curve->style.line)
            {
                fprintf(file, "<path class=\"rsl-c%d rsl-line%s\" d=\"M%.1f %.1fh26\"/>\n", curve->style.colour,
                        curve->style.dashed ? " rsl-dashed" : "", px, py);
            }
            if (curve->style.mark != cli_noMark)
            {
                DrawMark(file, curve->style, px + 13, py);
            }
            Text(file, px + 32, py + 4, "start", "rsl-small", curve->name);
        }
        x += EntryWidth(curve);
        any = true;
    }
    return any ? line + 1 : 0;
}

// ---- the whole ------------------------------------------------------------------------------------------------------

// The height above the area: title and legend.
static double HeadHeight(const cliPanel* panel)
{
    return (panel->title[0] != 0 ? TITLE_LINE : 6) + LEGEND_LINE * Legend(panel, 0, 0, NULL) + 8;
}

static void DrawPanel(const cliPanel* panel, double left, double top, double head, FILE* file)
{
    Area area = {
        .file = file, .left = left + LEFT, .top = top + head, .width = PANEL_WIDTH - LEFT - RIGHT, .height = PLOT_HEIGHT
    };
    FindScales(panel, &area);
    double own = HeadHeight(panel);
    if (panel->title[0] != 0)
    {
        Text(file, area.left, top + head - own + 15, "start", "rsl-title", panel->title);
    }
    Legend(panel, area.left, top + head - own + (panel->title[0] != 0 ? TITLE_LINE : 6), file);
    DrawAxes(&area, panel);
    // an inner <svg> clips the lines; marks at the very edge stay whole
    fprintf(file, "<svg x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" viewBox=\"%.1f %.1f %.1f %.1f\">\n",
            area.left, area.top, area.width, area.height, area.left, area.top, area.width, area.height);
    for (int c = 0; c < panel->count; ++c)
    {
        DrawLines(&area, panel->curves[c]);
    }
    fputs("</svg>\n", file);
    for (int c = 0; c < panel->count; ++c)
    {
        DrawMarks(&area, panel->curves[c]);
    }
}

static double Larger(double a, double b)
{
    return a > b ? a : b;
}

void cliPlot_Write(const cliPlot* plot, bool alone, FILE* file)
{
    if (plot == NULL)
    {
        return;
    }
    int columns = plot->count > 1 ? 2 : 1;
    double top = plot->title[0] != 0 ? PLOT_TITLE : 4, height = top;
    for (int i = 0; i < plot->count; i += columns)
    {
        double head = HeadHeight(plot->panels[i]);
        head = i + 1 < plot->count && columns == 2 ? Larger(head, HeadHeight(plot->panels[i + 1])) : head;
        height += head + PLOT_HEIGHT + BELOW;
    }
    int width = columns * PANEL_WIDTH;
    fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\" role=\"img\">\n"
        "<title>",
        width, height, width, height);
    cliXml_Text(file, plot->title);
    fputs("</title>\n", file);
    if (alone)
    {
        fprintf(file, "<style>%s</style>\n<rect class=\"rsl-paper\" width=\"%d\" height=\"%.0f\"/>\n", css, width,
                height);
    }
    Text(file, LEFT, 20, "start", "rsl-head", plot->title);
    for (int i = 0; i < plot->count; i += columns)
    {
        double head = HeadHeight(plot->panels[i]);
        head = i + 1 < plot->count && columns == 2 ? Larger(head, HeadHeight(plot->panels[i + 1])) : head;
        for (int c = 0; c < columns && i + c < plot->count; ++c)
        {
            DrawPanel(plot->panels[i + c], c * PANEL_WIDTH, top, head, file);
        }
        top += head + PLOT_HEIGHT + BELOW;
    }
    fputs("</svg>\n", file);
}

static rslStatus PutAlone(FILE* file, const void* plot, rslReport* report)
{
    (void)report;
    cliPlot_Write(plot, true, file);
    return rsl_ok;
}

rslStatus cliPlot_WriteFile(const cliPlot* plot, const char* path, rslReport* report)
{
    return cliPlot_IsWhole(plot) ? cliFile_Compose(path, PutAlone, plot, report) : rsl_outOfMemory;
}
