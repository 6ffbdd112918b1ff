// SPDX-License-Identifier: MIT
//
// new.c: `resilin new`: a commented scene to start from.

#include "cli.h"
#include "path.h"
#include "template.h"

#include <string.h>

static const char help[] = "usage: resilin new [FILE] [OPTIONS]\n"
                           "\n"
                           "Write a commented scene to start from. FILE is scene.yaml unless given; - prints it.\n"
                           "\n"
                           "      --template NAME      rabbit (default), beam, sheet, chain or muscle\n"
                           "      --list               list the templates\n"
                           "  -f, --force              overwrite FILE\n"
                           "  -h, --help               this text\n";

enum
{
    OPTION_TEMPLATE = CLI_OPTION,
    OPTION_LIST,
};

static const struct option options[] = {
    { "template", required_argument, NULL, OPTION_TEMPLATE },
    { "list", no_argument, NULL, OPTION_LIST },
    { "force", no_argument, NULL, 'f' },
    { NULL, 0, NULL, 0 },
};

static int PrintList(void)
{
    const cliTemplate* t;
    for (int i = 0; (t = cliTemplate_At(i)) != NULL; ++i)
    {
        printf("  %-10s %s\n", t->name, t->brief);
    }
    return cli_success;
}

static const cliTemplate* FindTemplate(const char* name)
{
    const cliTemplate* t;
    for (int i = 0; (t = cliTemplate_At(i)) != NULL; ++i)
    {
        if (strcmp(name, t->name) == 0)
        {
            return t;
        }
    }
    return NULL;
}

static int Write(const char* path, const cliTemplate* template, bool force)
{
    if (strcmp(path, "-") == 0)
    {
        fputs(template->text, stdout);
        return cli_success;
    }
    if (!force && cliPath_Exists(path))
    {
        cliError("%s is there already; --force overwrites it", path);
        return cli_badInput;
    }
    rslReport report = { 0 };
    rslStatus status = rslFile_Write(path, template->text, strlen(template->text), &report);
    cliReport_Print(&report);
    if (status == rsl_ok)
    {
        printf("%s: %s\nresilin check %s tells what it will do, resilin run %s does it\n", path, template->brief, path,
               path);
    }
    return cliExit(status);
}

typedef struct Request
{
    const cliTemplate* template;
    bool list, force;
} Request;

static const char* ReadOption(void* context, int option, char* value)
{
    Request* request = context;
    switch (option)
    {
        case 'f': request->force = true; return NULL;
        case OPTION_LIST: request->list = true; return NULL;
        default:
            request->template = FindTemplate(value);
            return request->template != NULL ? NULL : "the name of a template, as --list has them";
    }
}

static int New(const cliCommand* command, int argc, char** argv)
{
    Request request = { .template = cliTemplate_At(0) };
    int status = cliReadOptions(command, argc, argv, ReadOption, &request);
    if (status >= 0 || request.list)
    {
        return status >= 0 ? status : PrintList();
    }
    if (optind < argc - 1)
    {
        return cliBadUsage(command, "more than one file");
    }
    return Write(optind < argc ? argv[optind] : "scene.yaml", request.template, request.force);
}

const cliCommand cliNewCommand = {
    .name = "new",
    .brief = "write a commented scene to start from",
    .help = help,
    .options = options,
    .run = New,
};
