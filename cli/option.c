// SPDX-License-Identifier: MIT
//
// option.c: reading options and guessing what a misspelt word meant.

#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    WORD_CAPACITY = 32  // longer words are not guessed; options of a command
};

int cliShowHelp(const cliCommand* command)
{
    fputs(command->help, stdout);
    return cli_success;
}

int cliBadUsage(const cliCommand* command, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "resilin %s: error: ", command->name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\nresilin %s --help tells more\n", command->name);
    va_end(arguments);
    return cli_badInput;
}

// The nearest long option to what was typed, NULL when none is near.
static const char* NearestOption(const char* typed, const struct option* options)
{
    const char* names[WORD_CAPACITY] = { NULL };
    for (int i = 0; options[i].name != NULL && i < WORD_CAPACITY - 1; ++i)
    {
        names[i] = options[i].name;
    }
    char word[WORD_CAPACITY];
    size_t length = strcspn(typed, "=");
    if (length >= sizeof word)
    {
        return NULL;
    }
    memcpy(word, typed, length);
    word[length] = 0;
    return cliNearestWord(word, names);
}

// Say what is wrong with the option that getopt_long has just answered with '?' or ':', with the nearest known one.
static int BadOption(const cliCommand* command, int answer, char** argv, const struct option* options)
{
    const char* typed = argv[optind - 1];
    if (answer == ':')
    {
        return cliBadUsage(command, "option %s needs a value", typed);
    }
    if (optopt != 0 && strncmp(typed, "--", 2) != 0)
    {
        return cliBadUsage(command, "unknown option -%c", optopt);
    }
    if (optopt != 0)
    {
        return cliBadUsage(command, "option %s takes no value", typed);
    }
    const char* nearest = NearestOption(typed + 2, options);
    return nearest != NULL ? cliBadUsage(command, "unknown option %s; did you mean --%s?", typed, nearest)
                           : cliBadUsage(command, "unknown option %s", typed);
}

// The short options as getopt_long wants them.
static void ListLetters(const struct option* options, char letters[2 * WORD_CAPACITY])
{
    size_t used = 0;
    letters[used++] = ':';
    for (; options->name != NULL && used < 2 * WORD_CAPACITY - 2; ++options)
    {
        if (options->val < CLI_JSON)
        {
            letters[used++] = (char)options->val;
            letters[used] = ':';
            used += options->has_arg == required_argument;
        }
    }
    letters[used] = 0;
}

// Whether a name stands in a list of names with spaces between.
static bool IsListed(const char* name, const char* list)
{
    size_t length = strlen(name);
    for (const char* at = list; at != NULL && *at != 0; at += strcspn(at, " "), at += strspn(at, " "))
    {
        if (strcspn(at, " ") == length && strncmp(at, name, length) == 0)
        {
            return true;
        }
    }
    return false;
}

// All options of a command.
static void ListOptions(const cliCommand* command, struct option options[WORD_CAPACITY])
{
    static const struct option shared[] = {
        { "output", required_argument, NULL, 'o' },      { "threads", required_argument, NULL, 't' },
        { "precision", required_argument, NULL, 'p' },   { "until", required_argument, NULL, 'u' },
        { "set", required_argument, NULL, 's' },         { "json", no_argument, NULL, CLI_JSON },
        { "progress", no_argument, NULL, CLI_PROGRESS }, { "quiet", no_argument, NULL, 'q' },
        { "lod", required_argument, NULL, CLI_LOD },
    };
    int count = 0;
    for (const struct option* own = command->options; own != NULL && own->name != NULL; ++own)
    {
        options[count++] = *own;
    }
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; ++i)
    {
        options[count] = shared[i];
        count += IsListed(shared[i].name, command->shared);
    }
    options[count++] = (struct option){ "help", no_argument, NULL, 'h' };
    options[count] = (struct option){ NULL, 0, NULL, 0 };
    RSL_ASSERT(count < WORD_CAPACITY);
}

int cliReadOptions(const cliCommand* command, int argc, char** argv, cliTakeOption* take, void* request)
{
    struct option options[WORD_CAPACITY];
    char letters[2 * WORD_CAPACITY];
    ListOptions(command, options);
    ListLetters(options, letters);
    for (int o = 0; (o = getopt_long(argc, argv, letters, options, NULL)) != -1;)
    {
        if (o == 'h')
        {
            return cliShowHelp(command);
        }
        if (o == '?' || o == ':')
        {
            return BadOption(command, o, argv, options);
        }
        const char* expected = take(request, o, optarg);
        if (expected != NULL)
        {
            return cliBadUsage(command, "expected %s, found \"%s\"", expected, optarg);
        }
    }
    return -1;
}

const char* cliTakeSwitch(void* request, int option, char* value)
{
    (void)option;
    (void)value;
    *(bool*)request = true;
    return NULL;
}

int cliReadCommand(const cliCommand* command, int argc, char** argv, cliTakeOption* take, void* request,
                   const char* what, const char** argument)
{
    int status = cliReadOptions(command, argc, argv, take, request);
    if (status < 0 && optind != argc - 1)
    {
        return optind == argc ? cliBadUsage(command, "the %s is missing", what)
                              : cliBadUsage(command, "more than one %s", what);
    }
    *argument = status < 0 ? argv[optind] : NULL;
    return status;
}

bool cliShow_Read(cliShow* show, int option)
{
    show->json = show->json || option == CLI_JSON;
    show->quiet = show->quiet || option == 'q';
    show->progress = show->progress || option == CLI_PROGRESS;
    return option == CLI_JSON || option == 'q' || option == CLI_PROGRESS;
}

void cliShow_Settle(cliShow* show)
{
    show->progress = !show->quiet && (show->progress || isatty(STDERR_FILENO));
}

bool cliParseNumber(const char* text, double* value)
{
    char* end;
    errno = 0;
    double number = strtod(text, &end);
    if (end == text || *end != 0 || !isfinite(number) || errno == ERANGE)
    {
        return false;
    }
    *value = number;
    return true;
}

bool cliParseInteger(const char* text, int lowest, int highest, int* value)
{
    char* end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end != 0 || errno == ERANGE || number < lowest || number > highest)
    {
        return false;
    }
    *value = (int)number;
    return true;
}

int cliFindWord(const char* word, const char* const* words)
{
    for (int i = 0; words[i] != NULL; ++i)
    {
        if (strcmp(word, words[i]) == 0)
        {
            return i;
        }
    }
    return -1;
}

static int Least(int a, int b)
{
    return a < b ? a : b;
}

// The fewest insertions, deletions, replacements and swaps of neighbours that turn one word into the other:
// d[i][j] for the first i letters of a and the first j of b.
static int Distance(const char* a, const char* b)
{
    int d[WORD_CAPACITY][WORD_CAPACITY] = { { 0 } };
    int rows = (int)strlen(a), columns = (int)strlen(b);
    for (int i = 0; i <= rows; ++i)
    {
        for (int j = 0; j <= columns; ++j)
        {
            if (i == 0 || j == 0)
            {
                d[i][j] = i + j;
                continue;
            }
            int replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = Least(replaced, 1 + Least(d[i - 1][j], d[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            {
                d[i][j] = Least(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[rows][columns];
}

const char* cliNearestWord(const char* word, const char* const* words)
{
    size_t length = strlen(word);
    if (length == 0 || length >= WORD_CAPACITY)
    {
        return NULL;
    }
    const char* nearest = NULL;
    int least = 1 + (int)(length + 2) / 3;
    for (int i = 0; words[i] != NULL; ++i)
    {
        int distance = strlen(words[i]) < WORD_CAPACITY ? Distance(word, words[i]) : WORD_CAPACITY;
        if (strncmp(word, words[i], length) == 0)
        {
            distance = 0;
        }
        if (distance < least)
        {
            least = distance;
            nearest = words[i];
        }
    }
    return nearest;
}

bool cliOverrides_Add(cliOverrides* overrides, char* keyValue)
{
    char* equals = strchr(keyValue, '=');
    rslOverride* list = realloc(overrides->list, sizeof(rslOverride) * (size_t)(overrides->count + 1));
    if (list == NULL)
    {
        return false;
    }
    overrides->list = list;
    if (equals == NULL || equals == keyValue)
    {
        return false;
    }
    *equals = 0;
    list[overrides->count++] = (rslOverride){ .path = keyValue, .value = equals + 1 };
    return true;
}

void cliOverrides_Free(cliOverrides* overrides)
{
    free(overrides->list);
    *overrides = (cliOverrides){ 0 };
}
