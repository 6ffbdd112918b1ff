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
    { "help", no_argument, NULL, 'h' },
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

static int New(const cliCommand* command, int argc, char** argv)
{
    const cliTemplate* template = cliTemplate_At(0);
    bool force = false;
    for (int o = 0; (o = getopt_long(argc, argv, ":fh", options, NULL)) != -1;)
    {
        switch (o)
        {
            case 'h': return cliShowHelp(command);
            case 'f': force = true; break;
            case OPTION_LIST: return PrintList();
            case OPTION_TEMPLATE:
                template = FindTemplate(optarg);
                if (template == NULL)
                {
                    return cliBadUsage(command, "there is no template \"%s\"; --list names them", optarg);
                }
                break;
            default: return cliBadOption(command, o, argv, options);
        }
    }
    if (optind < argc - 1)
    {
        return cliBadUsage(command, "more than one file");
    }
    return Write(optind < argc ? argv[optind] : "scene.yaml", template, force);
}

const cliCommand cliNewCommand = {
    .name = "new",
    .brief = "write a commented scene to start from",
    .help = help,
    .run = New,
};
