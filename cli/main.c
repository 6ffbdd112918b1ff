// SPDX-License-Identifier: MIT
//
// main.c: the program resilin: finds the subcommand and runs it.

#include "cli.h"

#include <signal.h>
#include <string.h>

static const cliCommand* const commands[] = {
    // clang-format off
    &cliRunCommand,
    &cliCheckCommand,
    &cliMeasureCommand,
    &cliModesCommand,
    &cliCompareCommand,
    &cliSweepCommand,
    &cliReproduceCommand,
    &cliBenchCommand,
    &cliPictureCommand,
    &cliStudioCommand,
    &cliNewCommand,
    &cliMaterialsCommand,
    &cliSchemaCommand,
    // clang-format on
};

enum
{
    COMMAND_COUNT = sizeof commands / sizeof commands[0]
};

static void PrintHelp(FILE* file)
{
    fputs("resilin: soft bodies made of masses and springs\n"
          "\n"
          "usage: resilin COMMAND [OPTIONS]\n"
          "       resilin help COMMAND\n"
          "       resilin --version\n"
          "\n"
          "commands:\n",
          file);
    for (int i = 0; i < COMMAND_COUNT; ++i)
    {
        fprintf(file, "  %-10s %s\n", commands[i]->name, commands[i]->brief);
    }
    fputs("\n"
          "exit status: 0 success; 1 a simulation that failed; 2 bad input or usage;\n"
          "             128 + N a run that signal N stopped after it wrote its checkpoint\n"
          "\n"
          "to begin:    resilin new rabbit.yaml && resilin run rabbit.yaml\n",
          file);
}

static const cliCommand* FindCommand(const char* name)
{
    for (int i = 0; i < COMMAND_COUNT; ++i)
    {
        if (strcmp(name, commands[i]->name) == 0)
        {
            return commands[i];
        }
    }
    return NULL;
}

static int UnknownCommand(const char* name)
{
    const char* names[COMMAND_COUNT + 2] = { NULL };
    for (int i = 0; i < COMMAND_COUNT; ++i)
    {
        names[i] = commands[i]->name;
    }
    names[COMMAND_COUNT] = "help";
    const char* nearest = cliNearestWord(name, names);
    if (nearest != NULL)
    {
        cliError("unknown command %s; did you mean %s?", name, nearest);
    }
    else
    {
        cliError("unknown command %s; resilin --help lists them", name);
    }
    return cli_badInput;
}

static int Help(int argc, char** argv)
{
    if (argc < 3)
    {
        PrintHelp(stdout);
        return cli_success;
    }
    const cliCommand* command = FindCommand(argv[2]);
    return command != NULL ? cliShowHelp(command) : UnknownCommand(argv[2]);
}

static int Dispatch(int argc, char** argv)
{
    if (argc < 2)
    {
        PrintHelp(stderr);
        return cli_badInput;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
    {
        printf("resilin %s\n", rslVersion());
        return cli_success;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
    {
        return Help(argc, argv);
    }
    const cliCommand* command = FindCommand(argv[1]);
    if (command == NULL)
    {
        return UnknownCommand(argv[1]);
    }
    opterr = 0;  // the commands print their own messages
    return command->run(command, argc - 1, argv + 1);
}

int main(int argc, char** argv)
{
    signal(SIGXFSZ, SIG_IGN);  // a file over the limit of the shell is an error of the write, with a message
    int status = Dispatch(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout))
    {
        cliError("standard output could not be written");
        return status == cli_success ? cli_badInput : status;
    }
    return status;
}
