// SPDX-License-Identifier: MIT
//
// schema.c: `resilin schema`: the scene language for editors and readers.

#include "cli.h"

#include <stdlib.h>

static const char help[] = "usage: resilin schema [--markdown]\n"
                           "\n"
                           "Print the JSON Schema of scene files, by which editors complete and check them:\n"
                           "  resilin schema > scene.schema.json\n"
                           "and, as the first line of a scene: # yaml-language-server: $schema=scene.schema.json\n"
                           "\n"
                           "      --markdown           the reference of all keys as Markdown instead\n"
                           "  -h, --help               this text\n";

static const struct option options[] = {
    { "markdown", no_argument, NULL, CLI_OPTION },
    { NULL, 0, NULL, 0 },
};

static int Print(size_t (*write)(char* buffer, size_t capacity))
{
    size_t size = write(NULL, 0);
    char* text = malloc(size + 1);
    if (text == NULL)
    {
        cliError("out of memory");
        return cli_badInput;
    }
    write(text, size + 1);
    fwrite(text, 1, size, stdout);
    if (size > 0 && text[size - 1] != '\n')
    {
        putchar('\n');
    }
    free(text);
    return cli_success;
}

static int Schema(const cliCommand* command, int argc, char** argv)
{
    bool markdown = false;
    int status = cliReadOptions(command, argc, argv, cliTakeSwitch, &markdown);
    if (status >= 0)
    {
        return status;
    }
    if (optind != argc)
    {
        return cliBadUsage(command, "takes no argument, found \"%s\"", argv[optind]);
    }
    return Print(markdown ? rslSchema_Markdown : rslSchema_Json);
}

const cliCommand cliSchemaCommand = {
    .name = "schema",
    .brief = "the scene language as JSON Schema or Markdown",
    .help = help,
    .options = options,
    .run = Schema,
};
