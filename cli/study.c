// SPDX-License-Identifier: MIT
//
// study.c: one experiment being done: scenes with their changes, and what comes of them.

#include "study.h"

#include "draw.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cliStudy_IsQuick(const cliStudy* study)
{
    return study->quick;
}

bool cliStudy_IsFinest(const cliStudy* study)
{
    return study->finest;
}

bool cliStudy_IsGood(const cliStudy* study)
{
    return !study->failed;
}

static bool Fail(cliStudy* study, const char* reason)
{
    if (!study->failed)
    {
        study->failed = true;
        snprintf(study->failure, sizeof study->failure, "%s", reason);
    }
    return false;
}

bool cliStudy_Check(cliStudy* study, rslStatus status, const rslReport* report)
{
    if (status == rsl_ok)
    {
        return !study->failed;
    }
    const char* reason = rslStatus_Name(status);
    for (int i = 0; report != NULL && i < report->count; ++i)
    {
        if (report->messages[i].severity == rsl_error)
        {
            reason = report->messages[i].text;
            break;
        }
    }
    return Fail(study, reason);
}

// ---- scenes ---------------------------------------------------------------------------------------------------------

void cliStudy_Set(cliStudy* study, const char* key, const char* format, ...)
{
    int i = 0;
    while (i < study->setCount && strcmp(study->sets[i].key, key) != 0)
    {
        i += 1;
    }
    if (i == CLI_STUDY_SETS || strlen(key) >= sizeof study->sets[0].key)
    {
        Fail(study, "too many changes of a scene, or too long");
        return;
    }
    study->setCount = i == study->setCount ? i + 1 : study->setCount;
    snprintf(study->sets[i].key, sizeof study->sets[i].key, "%s", key);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(study->sets[i].value, sizeof study->sets[i].value, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof study->sets[i].value)
    {
        Fail(study, "the change of a scene is too long");
    }
}

void cliStudy_Reset(cliStudy* study)
{
    study->setCount = 0;
}

// A longer list with a copy of the text. False without memory.
static bool Keep(char*** list, int* count, const char* text)
{
    char** longer = realloc(*list, sizeof(char*) * (size_t)(*count + 1));
    char* copy = longer != NULL ? strdup(text) : NULL;
    *list = longer != NULL ? longer : *list;
    if (copy != NULL)
    {
        (*list)[(*count)++] = copy;
    }
    return copy != NULL;
}

// The command that does the same with the scene by hand, each once.
static void KeepCommand(cliStudy* study, const char* command, const char* scene)
{
    char line[1024];
    size_t used = (size_t)snprintf(line, sizeof line, "resilin %s scenes/%s", command, scene);
    for (int i = 0; i < study->setCount && used < sizeof line; ++i)
    {
        bool plain = strpbrk(study->sets[i].value, " []'\"") == NULL;
        const char* quote = plain ? "" : "'";
        used += (size_t)snprintf(line + used, sizeof line - used, " --set %s%s=%s%s", quote, study->sets[i].key,
                                 study->sets[i].value, quote);
    }
    for (int i = 0; i < study->commandCount; ++i)
    {
        if (strcmp(study->commands[i], line) == 0)
        {
            return;
        }
    }
    if (!Keep(&study->commands, &study->commandCount, line))
    {
        Fail(study, "out of memory");
    }
}

static void Override(const cliStudy* study, rslOverride overrides[CLI_STUDY_SETS])
{
    for (int i = 0; i < study->setCount; ++i)
    {
        overrides[i] = (rslOverride){ .path = study->sets[i].key, .value = study->sets[i].value };
    }
}

bool cliStudy_Open(cliStudy* study, const char* scene, cliLoaded* loaded)
{
    *loaded = (cliLoaded){ 0 };
    if (study->failed)
    {
        return false;
    }
    KeepCommand(study, "run", scene);
    rslOverride overrides[CLI_STUDY_SETS];
    Override(study, overrides);
    cliWishes wishes = cliWishes_Default();
    wishes.overrides = (cliOverrides){ .list = overrides, .count = study->setCount };
    wishes.threads = study->threads;
    rslStatus status = cliLoaded_Open(loaded, cliPath_Join(study->directory, "scenes/%s", scene).text, &wishes);
    return cliStudy_Check(study, status, &loaded->report);
}

FILE* cliStudy_CreateFile(cliStudy* study, const char* name)
{
    FILE* file = study->failed ? NULL : fopen(cliPath_Join(study->directory, "scenes/%s", name).text, "w");
    if (file == NULL)
    {
        Fail(study, "a scene cannot be written");
    }
    return file;
}

bool cliStudy_Run(cliStudy* study, cliLoaded* loaded)
{
    rslReport report = { 0 };
    return !study->failed &&
           cliStudy_Check(study, cliLoaded_RunTo(loaded, loaded->scene.time.duration, &report), &report);
}

rslStatus cliStudy_Read(const cliStudy* study, const char* scene, rslScene* read, rslReport* report)
{
    rslOverride overrides[CLI_STUDY_SETS];
    Override(study, overrides);
    return rslScene_Read(cliPath_Join(study->directory, "scenes/%s", scene).text, overrides, study->setCount, NULL,
                         read, report);
}

rslMeasurements* cliStudy_Measure(cliStudy* study, const char* scene, const rslMeasureDef* def)
{
    if (study->failed)
    {
        return NULL;
    }
    KeepCommand(study, "measure", scene);
    rslReport report = { 0 };
    rslScene read = rslDefaultScene();
    rslMeasurements* measurements = NULL;
    rslMeasureDef own = *def;
    own.threads = study->threads < 0 ? 0 : study->threads;
    rslStatus status = cliStudy_Read(study, scene, &read, &report);
    status = status == rsl_ok ? rslMeasure_Run(&read, 0, &own, NULL, &measurements, &report) : status;
    rslScene_Free(&read);
    if (!cliStudy_Check(study, status, &report))
    {
        rslMeasurements_Free(measurements);
        return NULL;
    }
    return measurements;
}

double cliMeasured(const rslMeasurements* measurements, const char* quantity)
{
    const rslMeasurement* found = measurements == NULL ? NULL : rslMeasurements_Find(measurements, quantity);
    return found == NULL ? NAN : found->ours;
}

// ---- results --------------------------------------------------------------------------------------------------------

void cliStudy_Add(cliStudy* study, const cliQuantity* quantity)
{
    cliQuantity* longer = realloc(study->quantities, sizeof(cliQuantity) * (size_t)(study->quantityCount + 1));
    if (longer == NULL)
    {
        Fail(study, "out of memory");
        return;
    }
    study->quantities = longer;
    study->quantities[study->quantityCount++] = *quantity;
}

void cliStudy_Say(cliStudy* study, const char* format, ...)
{
    char text[2000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!Keep(&study->findings, &study->findingCount, text))
    {
        Fail(study, "out of memory");
    }
}

cliPlot* cliStudy_Plot(cliStudy* study, const char* title)
{
    cliPlot** longer = realloc(study->plots, sizeof(cliPlot*) * (size_t)(study->plotCount + 1));
    cliPlot* plot = longer != NULL ? cliPlot_New(title) : NULL;
    study->plots = longer != NULL ? longer : study->plots;
    if (plot == NULL)
    {
        Fail(study, "out of memory");
        return NULL;
    }
    return study->plots[study->plotCount++] = plot;
}

bool cliStudy_Draw(cliStudy* study, const cliLoaded* loaded, const rslPictureDef* def, const char* caption)
{
    cliDrawing* longer = realloc(study->drawings, sizeof(cliDrawing) * (size_t)(study->drawingCount + 1));
    if (longer == NULL)
    {
        return Fail(study, "out of memory");
    }
    study->drawings = longer;
    cliDrawing* drawing = &longer[study->drawingCount];
    cliPath path = cliPath_Join(study->directory, "%s-%d.png", study->experiment->name, study->drawingCount + 1);
    snprintf(drawing->path, sizeof drawing->path, "%s", path.text);
    snprintf(drawing->caption, sizeof drawing->caption, "%s", caption);
    rslReport report = { 0 };
    rslStatus status = cliDraw_Loaded(loaded, def, drawing->path, &report);
    if (status == rsl_unsupported)
    {
        cliStudy_Say(study, "The picture \"%s\" is missing: this program was built without PNG.", caption);
        return true;
    }
    study->drawingCount += status == rsl_ok;
    return cliStudy_Check(study, status, &report);
}

void cliStudy_Progress(cliStudy* study, double fraction, const char* format, ...)
{
    if (!study->progress)
    {
        return;
    }
    char text[120];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s%s: %3.0f %%  %s%s", isatty(STDERR_FILENO) ? "\r" : "", study->experiment->name, 100 * fraction,
            text, isatty(STDERR_FILENO) ? "\033[K" : "\n");
    fflush(stderr);
}

static void FreeTexts(char** list, int count)
{
    for (int i = 0; i < count; ++i)
    {
        free(list[i]);
    }
    free(list);
}

void cliStudy_Free(cliStudy* study)
{
    free(study->quantities);
    for (int i = 0; i < study->plotCount; ++i)
    {
        cliPlot_Free(study->plots[i]);
    }
    free(study->plots);
    free(study->drawings);
    FreeTexts(study->findings, study->findingCount);
    FreeTexts(study->commands, study->commandCount);
    *study = (cliStudy){ 0 };
}
