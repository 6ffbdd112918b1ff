// SPDX-License-Identifier: MIT
//
// cli.h: what the subcommands share: the command table, exit statuses, messages and options.
//
// The command line owns printing and exiting; the library does neither.

#pragma once

#include "resilin/io.h"
#include "resilin/resilin.h"

#include <getopt.h>
#include <stdio.h>

// How the program ends. A run that a signal stopped ends with 128 + the signal's number, as a shell would report it.
enum
{
    cli_success = 0,
    cli_failed = 1,    // the simulation failed: it diverged or did not converge
    cli_badInput = 2,  // bad usage, a bad scene, or a file that cannot be read or written
};

// One subcommand. The help is the whole text of `resilin CMD --help`.
typedef struct cliCommand
{
    const char* name;
    const char* brief;
    const char* help;
    int (*run)(const struct cliCommand* command, int argc, char** argv);
} cliCommand;

extern const cliCommand cliRunCommand;
extern const cliCommand cliCheckCommand;
extern const cliCommand cliCompareCommand;
extern const cliCommand cliMeasureCommand;
extern const cliCommand cliModesCommand;
extern const cliCommand cliPictureCommand;
extern const cliCommand cliNewCommand;
extern const cliCommand cliMaterialsCommand;
extern const cliCommand cliSchemaCommand;
extern const cliCommand cliSweepCommand;
extern const cliCommand cliReproduceCommand;

// The exit status for a library status.
int cliExit(rslStatus status);

// ---- messages (message.c), all to stderr ----------------------------------------------------------------------------

void cliError(const char* format, ...) RSL_PRINTF(1, 2);
void cliNote(const char* format, ...) RSL_PRINTF(1, 2);

// Every message of a report as file:line:column: severity: text, each once, and how many further ones there are.
void cliReport_Print(const rslReport* report);

// Whether message i repeats an earlier one.
bool cliReport_IsRepeated(const rslReport* report, int index);

// The text of the first error; NULL without one.
const char* cliReport_FirstError(const rslReport* report);

// ---- options (option.c) ---------------------------------------------------------------------------------------------

enum
{
    CLI_HELP = 1000,  // getopt_long value of --help; the commands count their own long-only options from CLI_OPTION
    CLI_OPTION,
};

// Say what is wrong with the option that getopt_long has just answered with '?' or ':', with the nearest known one.
int cliBadOption(const cliCommand* command, int answer, char** argv, const struct option* options);

// Take one option. Returns what was expected when its value is bad, NULL when it is good.
typedef const char* cliTakeOption(void* request, int option, char* value);

// Walk through the options, those with a short name given in letters as getopt_long wants them; --help is taken care of. Returns
// -1 to go on with the arguments from optind, or the exit status.
int cliReadOptions(const cliCommand* command, int argc, char** argv, const char* letters, const struct option* options,
                   cliTakeOption* take, void* request);

// Print the message and how to get help. Returns cli_badInput.
int cliBadUsage(const cliCommand* command, const char* format, ...) RSL_PRINTF(2, 3);

int cliShowHelp(const cliCommand* command);

// Read a whole text as a number; false when it is anything else.
bool cliParseNumber(const char* text, double* value);
bool cliParseInteger(const char* text, int lowest, int highest, int* value);

// The index of the word in the NULL-terminated list, -1 when it is not there.
int cliFindWord(const char* word, const char* const* words);

// The nearest word of a NULL-terminated list, NULL when none is near.
const char* cliNearestWord(const char* word, const char* const* words);

// The --set options of a command. Texts belong to argv.
typedef struct cliOverrides
{
    rslOverride* list;
    int count;
} cliOverrides;

bool cliOverrides_Add(cliOverrides* overrides, char* keyValue);  // splits the text; false without '=' or memory
void cliOverrides_Free(cliOverrides* overrides);
