// SPDX-License-Identifier: MIT
//
// report.c: what came of the experiments as one page that needs nothing beside it: report.html.

#include "number.h"
#include "study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char css[] =
    ":root{color-scheme:light "
    "dark;--ink:#1d2430;--paper:#fff;--soft:#5a6270;--rule:#d9dde3;--band:#f5f7f9;--good:#1d7a40;"
    "--bad:#b3261e;--link:#1f6fb4}"
    "@media "
    "(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--paper:#14181f;--soft:#a4adba;--rule:#323a46;--band:#1b212a;"
    "--good:#5cc483;--bad:#ff8a7a;--link:#6fb3f2}}"
    "body{background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'Segoe UI','DejaVu "
    "Sans',sans-serif;"
    "max-width:1200px;margin:2rem auto;padding:0 1.2rem}"
    "h1{font-size:1.7rem;margin:0 0 .3rem}h2{font-size:1.3rem;margin:3rem 0 .2rem;padding-top:1rem;border-top:1px "
    "solid var(--rule)}"
    "p{max-width:75ch}a{color:var(--link)}.soft{color:var(--soft)}"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.88rem;margin:.8rem "
    "0;font-variant-numeric:tabular-nums}"
    "th,td{padding:.28rem .7rem;text-align:right;border-bottom:1px solid var(--rule);vertical-align:top;"
    "white-space:nowrap}"
    "th{font-weight:600;background:var(--band)}th.t,td.t{text-align:left}td.t{white-space:normal}"
    "table.full td.t:first-child{min-width:16rem}td.note{text-align:left;white-space:normal;color:var(--soft);"
    "min-width:14rem}.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}"
    "body>svg{max-width:100%;height:auto;display:block;margin:1rem 0}img{max-width:100%;height:auto}"
    "figure{display:inline-block;margin:.6rem .8rem .6rem "
    "0;max-width:500px;vertical-align:top}figcaption{font-size:.88rem;color:var(--soft)}"
    "pre{background:var(--band);padding:.6rem .9rem;overflow-x:auto;font-size:.82rem}details{margin:.6rem 0}";

typedef struct Page
{
    FILE* file;
    cliStudy* const* studies;
    int count;
} Page;

static void Put(Page* page, const char* text)
{
    fputs(text, page->file);
}

// <tag class="...">text</tag>, the text made safe
static void Element(Page* page, const char* tag, const char* classes, const char* text)
{
    fprintf(page->file, classes[0] != 0 ? "<%s class=\"%s\">" : "<%s>", tag, classes);
    cliXml_Text(page->file, text);
    fprintf(page->file, "</%s>", tag);
}

static void Cell(Page* page, const char* classes, const char* text)
{
    Element(page, "td", classes, text);
}

static void Verdict(Page* page, const cliQuantity* q)
{
    cliVerdict pass = cliQuantity_Pass(q);
    Cell(page,
         pass == cli_yes  ? "t good"
         : pass == cli_no ? "t bad"
                          : "t soft",
         pass == cli_yes  ? "pass"
         : pass == cli_no ? "missed"
                          : "no bar");
}

static void Published(Page* page, const cliQuantity* q)
{
    cliVerdict same = cliQuantity_MatchesPublished(q);
    Cell(page, same == cli_no ? "t bad" : "t", cliVerdict_Word(same, "not stated"));
}

static cliName WithUncertainty(const cliQuantity* q)
{
    return isnan(q->published) || isnan(q->uncertainty) ? cliNumberText(q->published)
                                                        : cliNamed("%.6g \u00b1 %.2g", q->published, q->uncertainty);
}

static cliName WithUnit(const cliQuantity* q)
{
    return q->unit[0] != 0 ? cliNamed("%s [%s]", q->name, q->unit) : cliNamed("%s", q->name);
}

static cliName Seconds(const cliStudy* study)
{
    return cliNamed(study->seconds < 10 ? "%.2f" : "%.0f", study->seconds);
}

// ---- the table of all -----------------------------------------------------------------------------------------------

static void OverviewRows(Page* page, const cliStudy* study)
{
    int rows = study->quantityCount + study->failed;
    for (int i = 0; i < rows || i == 0; ++i)
    {
        Put(page, "<tr>");
        if (i == 0)
        {
            fprintf(page->file, "<td class=\"t\" rowspan=\"%d\"><a href=\"#%s\">%s</a></td>", rows > 0 ? rows : 1,
                    study->experiment->name, study->experiment->name);
        }
        if (i < study->quantityCount)
        {
            const cliQuantity* q = &study->quantities[i];
            Cell(page, "t", WithUnit(q).text);
            Cell(page, "", WithUncertainty(q).text);
            Cell(page, "", cliNumberText(q->ours).text);
            Verdict(page, q);
            Published(page, q);
        }
        else
        {
            Cell(page, "t", "the experiment ran to its end");
            Put(page, "<td></td><td></td>");
            Cell(page, study->failed ? "t bad" : "t", study->failed ? "no" : "yes");
            Put(page, "<td></td>");
        }
        if (i == 0)
        {
            fprintf(page->file, "<td rowspan=\"%d\">%s</td>", rows > 0 ? rows : 1, Seconds(study).text);
        }
        Put(page, "</tr>\n");
    }
}

static void Overview(Page* page)
{
    Put(page, "<div class=\"wide\"><table><thead><tr><th class=\"t\">experiment</th><th class=\"t\">quantity</th>"
              "<th>published</th><th>ours</th><th class=\"t\">verdict</th><th class=\"t\">as published</th>"
              "<th>seconds</th></tr></thead><tbody>\n");
    for (int i = 0; i < page->count; ++i)
    {
        OverviewRows(page, page->studies[i]);
    }
    Put(page, "</tbody></table></div>\n");
}

// ---- one experiment -------------------------------------------------------------------------------------------------

static void Quantities(Page* page, const cliStudy* study)
{
    if (study->quantityCount == 0)
    {
        return;
    }
    bool remarks = false;
    for (int i = 0; i < study->quantityCount; ++i)
    {
        remarks = remarks || study->quantities[i].note[0] != '\0';
    }
    Put(page, "<div class=\"wide\"><table class=\"full\"><thead><tr><th "
              "class=\"t\">quantity</th><th>published</th><th>theory</th><th>ours</th>"
              "<th>error</th><th>bar</th><th class=\"t\">verdict</th><th class=\"t\">as published</th>");
    Put(page, remarks ? "<th class=\"t\">remarks</th></tr></thead><tbody>\n" : "</tr></thead><tbody>\n");
    for (int i = 0; i < study->quantityCount; ++i)
    {
        const cliQuantity* q = &study->quantities[i];
        Put(page, "<tr>");
        Cell(page, "t", WithUnit(q).text);
        Cell(page, "", WithUncertainty(q).text);
        Cell(page, "", cliNumberText(q->reference).text);
        Cell(page, "", cliNumberText(q->ours).text);
        double error = cliQuantity_Error(q);
        Cell(page, "", isnan(error) ? "-" : cliNamed("%.2g", error).text);
        Cell(page, "", cliQuantity_BarText(q).text);
        Verdict(page, q);
        Published(page, q);
        if (remarks)
        {
            Cell(page, "note", q->note);
        }
        Put(page, "</tr>\n");
    }
    Put(page, "</tbody></table></div>\n");
}

// RFC 4648
static void Base64(FILE* file, const unsigned char* bytes, size_t size)
{
    static const char figures[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3)
    {
        uint32_t group = (uint32_t)bytes[i] << 16 | (i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (i + 2 < size ? bytes[i + 2] : 0);
        fputc(figures[group >> 18], file);
        fputc(figures[group >> 12 & 63], file);
        fputc(i + 1 < size ? figures[group >> 6 & 63] : '=', file);
        fputc(i + 2 < size ? figures[group & 63] : '=', file);
    }
}

static rslStatus Drawing(Page* page, const cliDrawing* drawing, rslReport* report)
{
    size_t size = 0;
    char* bytes = cliFile_Read(drawing->path, &size, report);
    if (bytes == NULL)
    {
        return rsl_ioError;
    }
    Put(page, "<figure><img alt=\"\" src=\"data:image/png;base64,");
    Base64(page->file, (const unsigned char*)bytes, size);
    Put(page, "\">");
    Element(page, "figcaption", "", drawing->caption);
    Put(page, "</figure>\n");
    free(bytes);
    return rsl_ok;
}

static void Commands(Page* page, const cliStudy* study)
{
    if (study->commandCount == 0)
    {
        return;
    }
    Put(page, "<details><summary>Do it by hand, in the folder of this page</summary><pre>");
    for (int i = 0; i < study->commandCount; ++i)
    {
        cliXml_Text(page->file, study->commands[i]);
        Put(page, "\n");
    }
    Put(page, "</pre></details>\n");
}

static rslStatus Chapter(Page* page, const cliStudy* study, rslReport* report)
{
    const cliExperiment* e = study->experiment;
    fprintf(page->file, "<h2 id=\"%s\">", e->name);
    cliXml_Text(page->file, e->title);
    Put(page, "</h2>\n");
    Element(page, "p", "soft", cliNamed("%s \u00b7 %s \u00b7 %s s", e->name, e->source, Seconds(study).text).text);
    Element(page, "p", "", e->text);
    if (study->failed)
    {
        Element(page, "p", "bad", study->failure);
    }
    for (int i = 0; i < study->findingCount; ++i)
    {
        Element(page, "p", "", study->findings[i]);
    }
    Quantities(page, study);
    rslStatus status = rsl_ok;
    for (int i = 0; i < study->drawingCount && status == rsl_ok; ++i)
    {
        status = Drawing(page, &study->drawings[i], report);
    }
    for (int i = 0; i < study->plotCount; ++i)
    {
        cliPlot_Write(study->plots[i], false, page->file);
    }
    Commands(page, study);
    return status;
}

// ---- the page -------------------------------------------------------------------------------------------------------

static rslStatus Write(FILE* file, const void* context, rslReport* report)
{
    Page here = *(const Page*)context, *page = &here;
    page->file = file;
    int passed = 0, missed = 0, failed = 0, quick = 0;
    double seconds = 0;
    for (int i = 0; i < page->count; ++i)
    {
        const cliStudy* study = page->studies[i];
        for (int q = 0; q < study->quantityCount; ++q)
        {
            cliVerdict pass = cliQuantity_Pass(&study->quantities[q]);
            passed += pass == cli_yes;
            missed += pass == cli_no;
        }
        failed += study->failed;
        quick += study->quick;
        seconds += study->seconds;
    }
    fprintf(page->file,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
            "<title>resilin: the papers' experiments</title>\n<style>%s%s</style></head><body>\n"
            "<h1>The papers' experiments, done again</h1>\n<p class=\"soft\">resilin %s%s \u00b7 %d bars met, %d "
            "missed%s \u00b7 %s</p>\n",
            css, cliPlot_Css(), rslVersion(), quick > 0 ? " \u00b7 quick versions" : "", passed, missed,
            failed > 0 ? cliNamed(", %d experiments failed", failed).text : "", cliDuration(seconds).text);
    Put(page, "<p>\u201cpass\u201d judges our figure against its bar and nothing else. \u201cas published\u201d says "
              "whether it lies within the "
              "uncertainty that the paper states; where it does not, the remarks say why.</p>\n");
    Overview(page);
    rslStatus status = rsl_ok;
    for (int i = 0; i < page->count && status == rsl_ok; ++i)
    {
        status = Chapter(page, page->studies[i], report);
    }
    Put(page, "</body></html>\n");
    return status;
}

rslStatus cliPage_Write(cliStudy* const* studies, int count, const char* directory, rslReport* report)
{
    Page page = { .studies = studies, .count = count };
    return cliFile_Compose(cliPath_Join(directory, "report.html").text, Write, &page, report);
}
