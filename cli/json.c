// SPDX-License-Identifier: MIT
//
// json.c: writes JSON.

#include "json.h"

#include "cli.h"
#include "number.h"

#include <math.h>

static void Quote(FILE* file, const char* text)
{
    fputc('"', file);
    for (const unsigned char* c = (const unsigned char*)text; *c != 0; ++c)
    {
        if (*c == '"' || *c == '\\')
        {
            fprintf(file, "\\%c", *c);
        }
        else if (*c < 0x20)
        {
            fprintf(file, "\\u%04x", *c);
        }
        else
        {
            fputc(*c, file);
        }
    }
    fputc('"', file);
}

static void Indent(const cliJson* json)
{
    fputc('\n', json->file);
    for (int i = 0; i < json->depth; ++i)
    {
        fputs("  ", json->file);
    }
}

// Comma, line, indentation and key: all that stands before a value.
static void Lead(cliJson* json, const char* key)
{
    if (json->depth > 0)
    {
        if (json->filled[json->depth - 1])
        {
            fputc(',', json->file);
        }
        json->filled[json->depth - 1] = true;
        Indent(json);
    }
    if (key != NULL)
    {
        Quote(json->file, key);
        fputs(": ", json->file);
    }
}

static void Open(cliJson* json, const char* key, bool list)
{
    Lead(json, key);
    RSL_ASSERT(json->depth < CLI_JSON_DEPTH);
    json->filled[json->depth] = false;
    json->list[json->depth] = list;
    json->depth += 1;
    fputc(list ? '[' : '{', json->file);
}

void cliJson_Begin(cliJson* json, const char* key)
{
    Open(json, key, false);
}

void cliJson_BeginList(cliJson* json, const char* key)
{
    Open(json, key, true);
}

void cliJson_End(cliJson* json)
{
    json->depth -= 1;
    if (json->filled[json->depth])
    {
        Indent(json);
    }
    fputc(json->list[json->depth] ? ']' : '}', json->file);
    if (json->depth == 0)
    {
        fputc('\n', json->file);
    }
}

void cliJson_Text(cliJson* json, const char* key, const char* value)
{
    if (value == NULL)
    {
        cliJson_Null(json, key);
        return;
    }
    Lead(json, key);
    Quote(json->file, value);
}

void cliJson_Number(cliJson* json, const char* key, double value)
{
    Lead(json, key);
    fputs(isfinite(value) ? cliShortest(value).text : "null", json->file);
}

void cliJson_Count(cliJson* json, const char* key, uint64_t value)
{
    Lead(json, key);
    fprintf(json->file, "%llu", (unsigned long long)value);
}

void cliJson_Bool(cliJson* json, const char* key, bool value)
{
    Lead(json, key);
    fputs(value ? "true" : "false", json->file);
}

void cliJson_Null(cliJson* json, const char* key)
{
    Lead(json, key);
    fputs("null", json->file);
}

void cliJson_Vec3(cliJson* json, const char* key, rslVec3 value)
{
    const double xyz[3] = { value.x, value.y, value.z };
    Lead(json, key);
    fputc('[', json->file);
    for (int i = 0; i < 3; ++i)
    {
        fputs(isfinite(xyz[i]) ? cliShortest(xyz[i]).text : "null", json->file);
        fputs(i < 2 ? ", " : "]", json->file);
    }
}

void cliJson_Messages(cliJson* json, const char* key, const rslReport* report)
{
    static const char* const names[] = { "note", "warning", "error" };
    cliJson_BeginList(json, key);
    for (int i = 0; i < report->count; ++i)
    {
        const rslMessage* message = &report->messages[i];
        if (cliReport_IsRepeated(report, i))
        {
            continue;
        }
        cliJson_Begin(json, NULL);
        cliJson_Text(json, "severity", names[message->severity]);
        cliJson_Text(json, "file", report->file);
        cliJson_Count(json, "line", (uint64_t)message->place.line);
        cliJson_Count(json, "column", (uint64_t)message->place.column);
        cliJson_Text(json, "text", message->text);
        cliJson_End(json);
    }
    cliJson_End(json);
}
