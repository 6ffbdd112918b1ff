// SPDX-License-Identifier: MIT
//
// reproduce.c: `resilin reproduce`: the papers' experiments, done again.

#include "number.h"
#include "study.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: resilin reproduce                     list the experiments\n"
    "       resilin reproduce NAME... [OPTIONS]   do them again\n"
    "       resilin reproduce all [OPTIONS]       do all\n"
    "\n"
    "Experiments of papers on masses and springs, each with the figures that were published, what theory says and "
    "what\n"
    "comes out here. A figure passes when it meets its own bar; whether it also agrees with the paper is told beside "
    "it.\n"
    "\n"
    "      --quick              smaller versions: all of them in two minutes\n"
    "      --finest             also the finest resolutions of the papers: gigabytes of memory, many minutes\n"
    "  -o, --output DIR         where to write; default out/reproduce\n"
    "  -t, --threads N          threads; 0: as many as the process may use; never changes a result\n"
    "      --json               print one record a quantity instead of the tables\n"
    "      --progress           show progress also when stderr is not a terminal\n"
    "  -q, --quiet              no progress, no tables\n"
    "  -h, --help               this text\n"
    "\n"
    "files in DIR:\n"
    "  report.html              one page with tables and plots, nothing beside it is needed\n"
    "  scenes/                  the scenes of the experiments, for resilin run; the page lists the commands\n"
    "\n"
    "exit status: 0 every bar is met; 1 a bar is missed or an experiment failed; 2 bad usage, or a file that cannot "
    "be\n"
    "written.\n";

enum
{
    OPTION_QUICK = CLI_OPTION,
    OPTION_FINEST,
};

static const struct option options[] = {
    { "quick", no_argument, NULL, OPTION_QUICK },
    { "finest", no_argument, NULL, OPTION_FINEST },
    { NULL, 0, NULL, 0 },
};

typedef struct Request
{
    const char* directory;
    int threads;
    bool quick, finest;
    cliShow show;
    cliStudy** studies;  // chosen
    int count;
} Request;

// ---- what is asked for ----------------------------------------------------------------------------------------------

static const char* ReadValue(void* context, int option, char* value)
{
    Request* request = context;
    switch (option)
    {
        case 'o':
            request->directory = value;
            return value[0] != 0 && strlen(value) < RSL_PATH_CAPACITY - 64 ? NULL : "a folder";
        case 't': return cliParseInteger(value, 0, 1024, &request->threads) ? NULL : "a number of threads, 0 to 1024";
        case OPTION_QUICK: request->quick = true; return NULL;
        case OPTION_FINEST: request->finest = true; return NULL;
        default: (void)cliShow_Read(&request->show, option); return NULL;
    }
}

static bool Choose(Request* request, const cliExperiment* experiment)
{
    for (int i = 0; i < request->count; ++i)
    {
        if (request->studies[i]->experiment == experiment)
        {
            return true;
        }
    }
    cliStudy** longer = realloc(request->studies, sizeof(cliStudy*) * (size_t)(request->count + 1));
    cliStudy* study = longer != NULL ? calloc(1, sizeof *study) : NULL;
    request->studies = longer != NULL ? longer : request->studies;
    if (study == NULL)
    {
        return false;
    }
    study->experiment = experiment;
    study->quick = request->quick;
    study->finest = request->finest;
    study->threads = request->threads;
    study->directory = request->directory;
    study->progress = request->show.progress;
    request->studies[request->count++] = study;
    return true;
}

static int UnknownName(const cliCommand* command, const char* name)
{
    int count;
    const cliExperiment* const* list = cliExperiment_List(&count);
    const char** names = calloc((size_t)count + 2, sizeof *names);
    for (int i = 0; names != NULL && i < count; ++i)
    {
        names[i] = list[i]->name;
    }
    if (names != NULL)
    {
        names[count] = "all";
    }
    const char* nearest = names != NULL ? cliNearestWord(name, names) : NULL;
    free(names);
    return nearest != NULL ? cliBadUsage(command, "unknown experiment %s; did you mean %s?", name, nearest)
                           : cliBadUsage(command, "unknown experiment %s; resilin reproduce lists them", name);
}

// Returns -1 to go on, or the exit status.
static int ChooseAll(const cliCommand* command, int count, char** names, Request* request)
{
    int experiments;
    const cliExperiment* const* list = cliExperiment_List(&experiments);
    for (int n = 0; n < count; ++n)
    {
        bool all = strcmp(names[n], "all") == 0, known = all, chosen = true;
        for (int i = 0; i < experiments; ++i)
        {
            bool meant = all || strcmp(names[n], list[i]->name) == 0;
            known = known || meant;
            chosen = chosen && (!meant || Choose(request, list[i]));
        }
        if (!known)
        {
            return UnknownName(command, names[n]);
        }
        if (!chosen)
        {
            cliError("out of memory");
            return cli_badInput;
        }
    }
    return -1;
}

static int ReadOptions(const cliCommand* command, int argc, char** argv, Request* request)
{
    int status = cliReadOptions(command, argc, argv, ReadValue, request);
    if (status >= 0)
    {
        return status;
    }
    cliShow_Settle(&request->show);
    return ChooseAll(command, argc - optind, argv + optind, request);
}

// ---- doing it -------------------------------------------------------------------------------------------------------

static int List(void)
{
    int count;
    const cliExperiment* const* list = cliExperiment_List(&count);
    for (int i = 0; i < count; ++i)
    {
        printf("%-20s %s\n%-20s %s\n", list[i]->name, list[i]->title, "", list[i]->source);
    }
    return cli_success;
}

static rslStatus WriteScenes(const char* directory, rslReport* report)
{
    cliPath folder = cliPath_Join(directory, "scenes");
    rslStatus status = cliPath_MakeDirectory(folder.text, report);
    for (int i = 0; i < cliSceneCount && status == rsl_ok; ++i)
    {
        status = rslFile_Write(cliPath_Join(folder.text, "%s", cliScenes[i].name).text, cliScenes[i].text,
                               cliScenes[i].size, report);
    }
    return status;
}

static void Do(cliStudy* study, bool quiet)
{
    double begun = cliClock();
    study->experiment->run(study);
    study->seconds = cliClock() - begun;
    bool whole = true;
    for (int i = 0; i < study->plotCount; ++i)
    {
        whole = whole && cliPlot_IsWhole(study->plots[i]);
    }
    cliStudy_Check(study, whole ? rsl_ok : rsl_outOfMemory, NULL);
    if (study->progress)
    {
        fprintf(stderr, "%s%s: %s, %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", study->experiment->name,
                cliStudy_Verdict(study) == cli_no ? "bars missed" : "done", cliDuration(study->seconds).text);
    }
    if (study->failed)
    {
        cliError("%s: %s", study->experiment->name, study->failure);
    }
    if (!quiet)
    {
        cliStudy_Print(study);
    }
}

static int Execute(const Request* request)
{
    rslReport report = { 0 };
    rslStatus status = WriteScenes(request->directory, &report);
    bool missed = false;
    for (int i = 0; i < request->count && status == rsl_ok; ++i)
    {
        Do(request->studies[i], request->show.quiet || request->show.json);
        missed = missed || cliStudy_Verdict(request->studies[i]) == cli_no;
    }
    if (status == rsl_ok)
    {
        status = cliPage_Write(request->studies, request->count, request->directory, &report);
    }
    if (request->show.json)
    {
        cliStudies_Json(request->studies, status == rsl_ok ? request->count : 0, stdout);
    }
    else if (!request->show.quiet && status == rsl_ok)
    {
        printf("%s\n", cliPath_Join(request->directory, "report.html").text);
    }
    if (status != rsl_ok && report.errors == 0)
    {
        cliError("%s", rslStatus_Name(status));
    }
    cliReport_Print(&report);
    return status != rsl_ok ? cli_badInput : missed ? cli_failed : cli_success;
}

static int Reproduce(const cliCommand* command, int argc, char** argv)
{
    Request request = { .directory = "out/reproduce", .threads = -1 };
    int status = ReadOptions(command, argc, argv, &request);
    if (status < 0)
    {
        status = request.count == 0 ? List() : Execute(&request);
    }
    for (int i = 0; i < request.count; ++i)
    {
        cliStudy_Free(request.studies[i]);
        free(request.studies[i]);
    }
    free(request.studies);
    return status;
}

const cliCommand cliReproduceCommand = {
    .name = "reproduce",
    .brief = "do the papers' experiments again and write a report",
    .help = help,
    .options = options,
    .shared = "output threads json progress quiet",
    .run = Reproduce,
};
