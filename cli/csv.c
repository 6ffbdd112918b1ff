// SPDX-License-Identifier: MIT
//
// csv.c: a table that grows during a run.

#include "csv.h"

#include "number.h"
#include "path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static rslStatus Fail(const char* path, const char* verb, rslReport* report)
{
    rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%s cannot be %s: %s", path, verb, strerror(errno));
    return rsl_ioError;
}

// The length of the table up to the last whole row of a step of at most keepStep, and its number of rows. 0 when the
// text does not start with the header.
static size_t KeptLength(const char* text, const char* header, int64_t keepStep, int* rows)
{
    size_t length = strlen(header);
    *rows = 0;
    if (strncmp(text, header, length) != 0 || text[length] != '\n')
    {
        return 0;
    }
    length += 1;
    for (const char* end = strchr(text + length, '\n'); end != NULL; end = strchr(text + length, '\n'))
    {
        if (strtoll(text + length, NULL, 10) > keepStep)
        {
            break;
        }
        length = (size_t)(end - text) + 1;
        *rows += 1;
    }
    return length;
}

static rslStatus OpenAnew(cliCsv* csv, const char* header, rslReport* report)
{
    csv->rows = 0;
    csv->file = fopen(csv->path, "wb");
    if (csv->file == NULL || fprintf(csv->file, "%s\n", header) < 0 || fflush(csv->file) != 0)
    {
        return Fail(csv->path, "written", report);
    }
    return rsl_ok;
}

rslStatus cliCsv_Open(cliCsv* csv, const char* path, const char* header, int64_t keepStep, rslReport* report)
{
    snprintf(csv->path, sizeof csv->path, "%s", path);
    size_t size = 0;
    char* text = keepStep != CLI_CSV_ANEW && cliPath_Exists(path) ? cliFile_Read(path, &size, report) : NULL;
    size_t kept = text != NULL ? KeptLength(text, header, keepStep, &csv->rows) : 0;
    free(text);
    if (kept == 0)
    {
        if (keepStep != CLI_CSV_ANEW)
        {
            rslReport_Add(report, rsl_note, (rslPlace){ 0 }, "%s is missing or has other columns: it starts anew",
                          path);
        }
        return OpenAnew(csv, header, report);
    }
    csv->file = fopen(path, "ab");
    if (csv->file == NULL || ftruncate(fileno(csv->file), (off_t)kept) != 0)
    {
        return Fail(path, "continued", report);
    }
    return rsl_ok;
}

bool cliCsv_LastRow(const cliCsv* csv, double* values, int count)
{
    size_t size = 0;
    rslReport ignored = { 0 };
    char* text = csv->rows > 0 ? cliFile_Read(csv->path, &size, &ignored) : NULL;
    if (text == NULL)
    {
        return false;
    }
    text[size - 1] = 0;  // the end of the last line
    const char* at = strrchr(text, '\n');
    int found = 0;
    for (at = at != NULL ? strchr(at, ',') : NULL; at != NULL && found < count; at = strchr(at + 1, ','))
    {
        values[found++] = strtod(at + 1, NULL);
    }
    free(text);
    return found == count && at == NULL;
}

rslStatus cliCsv_Append(cliCsv* csv, uint64_t step, const double* values, int count, rslReport* report)
{
    if (csv->file == NULL)
    {
        return rsl_ok;
    }
    fprintf(csv->file, "%llu", (unsigned long long)step);
    for (int i = 0; i < count; ++i)
    {
        fprintf(csv->file, ",%s", cliShortest(values[i]).text);
    }
    fputc('\n', csv->file);
    csv->rows += 1;
    return fflush(csv->file) == 0 && !ferror(csv->file) ? rsl_ok : Fail(csv->path, "written", report);
}

rslStatus cliCsv_Sync(cliCsv* csv, rslReport* report)
{
    if (csv->file == NULL)
    {
        return rsl_ok;
    }
    return fflush(csv->file) == 0 && fsync(fileno(csv->file)) == 0 ? rsl_ok : Fail(csv->path, "written", report);
}

void cliCsv_Close(cliCsv* csv)
{
    if (csv->file != NULL)
    {
        fclose(csv->file);
        csv->file = NULL;
    }
}

void cliCsv_PutText(FILE* file, const char* text)
{
    if (strpbrk(text, ",\"\n") == NULL)
    {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (const char* c = text; *c != 0; ++c)
    {
        fprintf(file, *c == '"' ? "\"\"" : "%c", *c);
    }
    fputc('"', file);
}
