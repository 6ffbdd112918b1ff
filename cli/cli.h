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
    const struct option* options;  // its own, ended by zeros; NULL: none
    const char* shared;  // names of those that it has like others, with a space between; NULL: none but --help
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
extern const cliCommand cliBenchCommand;
extern const cliCommand cliStudioCommand;

// The exit status for a library status.
int cliExit(rslStatus status);

// ---- messages (message.c), all to stderr ----------------------------------------------------------------------------

void cliError(const char* format, ...) RSL_PRINTF(1, 2);
void cliNote(const char* format, ...) RSL_PRINTF(1, 2);

// Every message of a report as file:line:column: severity: text, each once, and how many further ones there are.
void cliReport_Print(const rslReport* report);
void cliReport_PrintDown(const rslReport* report, rslSeverity least);  // what is at least as severe

// Whether message i repeats an earlier one.
bool cliReport_IsRepeated(const rslReport* report, int index);

// The text of the first error; NULL without one.
const char* cliReport_FirstError(const rslReport* report);

// ---- options (option.c) ---------------------------------------------------------------------------------------------

// Values of getopt_long for options without a letter. Commands count their own from CLI_OPTION.
enum
{
    CLI_JSON = 1000,
    CLI_PROGRESS,
    CLI_LOD,
    CLI_OPTION,
};

// Take one option. Returns what was expected when its value is bad, NULL when it is good.
typedef const char* cliTakeOption(void* request, int option, char* value);

// For commands whose only option is a switch: the request is a bool, which it sets.
const char* cliTakeSwitch(void* request, int option, char* value);

// Walk through the options of a command; their values are letters where they have a short name. --help is taken care of.
// Returns -1 to go on with the arguments from optind, or the exit status.
int cliReadOptions(const cliCommand* command, int argc, char** argv, cliTakeOption* take, void* request);

// The same for a command that takes one argument and no more: what it is, and where it goes.
int cliReadCommand(const cliCommand* command, int argc, char** argv, cliTakeOption* take, void* request,
                   const char* what, const char** argument);

// What a command that may take long shows.
typedef struct cliShow
{
    bool json, quiet;
    bool progress;  // asked for, or stderr is a terminal
} cliShow;

bool cliShow_Read(cliShow* show, int option);  // false: it is no option of these
void cliShow_Settle(cliShow* show);            // after the options

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
