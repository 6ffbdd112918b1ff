// SPDX-License-Identifier: MIT
//
// run_resume.c: taking up a run where its checkpoint left it, or clearing the place for a new one.
//
// The state checks that model, precision and version are those of the checkpoint. What the model does not hold, such as
// the integrator, is compared through scene.yaml, which every run leaves in its folder. Title, duration, threads and
// output may differ.

#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cliClean(const char* directory)
{
    static const char* const files[] = { "checkpoint.rsl", "last_good.rsl", "energy.csv",
                                         "probes.csv",     "realtime.csv",  "summary.json" };
    // the checkpoint goes first: without it the rest means nothing
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i)
    {
        unlink(cliPath_Join(directory, "%s", files[i]).text);
    }
    cliFrames_RemoveAll(directory);
}

void cliRemoveHalves(const char* directory)
{
    static const char* const names[] = { "nodes",        "surface", "checkpoint.rsl", "last_good.rsl", "scene.yaml",
                                         "summary.json", NULL };
    cliPath_RemoveLeftovers(directory, names);
}

// A scene as text, without what may change. A duration that is nobody's default keeps the time in the text.
static char* ComparedText(const rslScene* original)
{
    rslScene copy = *original;
    const rslScene* scene = &copy;
    copy.title = NULL;
    copy.output = rslDefaultOutputDef();
    copy.time.duration = 12345;
    copy.time.threads = 0;
    size_t size = rslScene_Write(scene, NULL, 0);
    char* text = malloc(size + 1);
    if (text != NULL)
    {
        rslScene_Write(scene, text, size + 1);
    }
    return text;
}

// Two lines of a scene say the same. Mesh files may have moved: the model knows when their triangles are others.
static bool IsSameLine(const char* a, const char* b)
{
    size_t length = strcspn(a, "\n");
    bool same = length == strcspn(b, "\n") && strncmp(a, b, length) == 0;
    const char* first = a + strspn(a, " -");
    const char* second = b + strspn(b, " -");
    return same || (strncmp(first, "file: ", 6) == 0 && strncmp(second, "file: ", 6) == 0);
}

static const char* NextLine(const char* text)
{
    text += strcspn(text, "\n");
    return text + (*text != 0);
}

// Whether a line comes up in a text.
static bool HasLine(const char* text, const char* line)
{
    while (*text != 0 && !IsSameLine(text, line))
    {
        text = NextLine(text);
    }
    return *text != 0;
}

static void ReportDifference(const char* was, const char* is, rslReport* report)
{
    bool added = *was == 0 || (*is != 0 && HasLine(is, was));
    bool removed = !added && (*is == 0 || HasLine(was, is));
    was += strspn(was, " ");
    is += strspn(is, " ");
    int wasLength = (int)strcspn(was, "\n"), isLength = (int)strcspn(is, "\n");
    const rslPlace none = { 0 };
    if (added)
    {
        rslReport_Add(report, rsl_error, none, "the scene has changed since the checkpoint: \"%.*s\" is new", isLength,
                      is);
    }
    else if (removed)
    {
        rslReport_Add(report, rsl_error, none, "the scene has changed since the checkpoint: \"%.*s\" is gone",
                      wasLength, was);
    }
    else
    {
        rslReport_Add(report, rsl_error, none, "the scene has changed since the checkpoint: was \"%.*s\", is \"%.*s\"",
                      wasLength, was, isLength, is);
    }
}

// Compare two scenes line by line and name the first difference.
static rslStatus CompareTexts(const char* was, const char* is, rslReport* report)
{
    while ((*was != 0 || *is != 0) && IsSameLine(was, is))
    {
        was = NextLine(was);
        is = NextLine(is);
    }
    if (*was == 0 && *is == 0)
    {
        return rsl_ok;
    }
    ReportDifference(was, is, report);
    return rsl_mismatch;
}

// Compare with the scene of the earlier run, leaving out what may change.
static rslStatus CompareScenes(const rslScene* scene, const char* directory, rslReport* report)
{
    cliPath path = cliPath_Join(directory, "scene.yaml");
    rslScene earlier;
    rslReport ignored = { 0 };
    if (rslScene_Read(path.text, NULL, 0, NULL, &earlier, &ignored) != rsl_ok)
    {
        rslReport_Add(report, rsl_note, (rslPlace){ 0 }, "%s cannot be read: only the model is compared", path.text);
        return rsl_ok;
    }
    char* was = ComparedText(&earlier);
    char* is = ComparedText(scene);
    rslStatus status = was != NULL && is != NULL ? CompareTexts(was, is, report) : rsl_outOfMemory;
    free(was);
    free(is);
    rslScene_Free(&earlier);
    return status;
}

rslStatus cliResume(cliLoaded* loaded, const char* directory, bool* resumed, rslReport* report)
{
    cliPath path = cliPath_Join(directory, "checkpoint.rsl");
    *resumed = cliPath_Exists(path.text);
    if (!*resumed)
    {
        rslReport_Add(report, rsl_note, (rslPlace){ 0 }, "there is no checkpoint in %s: starting from the beginning",
                      directory);
        return rsl_ok;
    }
    // first the scene: its message says more than that of the model
    rslStatus status = CompareScenes(&loaded->scene, directory, report);
    if (status == rsl_ok)
    {
        status = cliLoaded_LoadState(loaded, path.text, report);
    }
    if (status == rsl_mismatch || status == rsl_badInput)
    {
        rslReport_Add(report, rsl_note, (rslPlace){ 0 }, "without --resume the run starts anew and overwrites %s",
                      directory);
    }
    return status;
}
