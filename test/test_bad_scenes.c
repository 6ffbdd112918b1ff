// SPDX-License-Identifier: MIT
//
// Every scene under test/bad/scenes says in its first lines what is wrong with it:
//     # expect: LINE:COLUMN: part of the message      or without LINE:COLUMN when there is no place
// Reading it must give exactly these messages, in this order, at these places.

#include "resilin/io.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    LINE_CAPACITY = 600,
    MOST_FILES = 1000,
};

static const char* Root(void)
{
    const char* root = getenv("RSL_ROOT");
    return root != NULL ? root : ".";
}

// "7:12: text": the place, when there is one, and where the text begins.
static const char* ParseExpectation(const char* line, rslPlace* place)
{
    int used = 0;
    *place = (rslPlace){ 0, 0 };
    if (sscanf(line, "%d:%d: %n", &place->line, &place->column, &used) == 2 && used > 0)
    {
        return line + used;
    }
    *place = (rslPlace){ 0, 0 };
    return line;
}

static int Complain(const char* path, const char* what, const char* text)
{
    print_error("%s: %s: %s\n", path, what, text);
    return 1;
}

static int CompareMessages(const char* path, const rslReport* report)
{
    static const char mark[] = "# expect: ";
    char line[LINE_CAPACITY], found[2 * RSL_MESSAGE_CAPACITY];
    FILE* file = fopen(path, "rb");
    int index = 0, wrong = 0;
    while (fgets(line, sizeof line, file) != NULL && strncmp(line, mark, sizeof mark - 1) == 0)
    {
        line[strcspn(line, "\n")] = 0;
        rslPlace place;
        const char* text = ParseExpectation(line + sizeof mark - 1, &place);
        if (index == report->count)
        {
            wrong += Complain(path, "not said", text);
            break;
        }
        const rslMessage* message = &report->messages[index];
        if (message->place.line != place.line || message->place.column != place.column ||
            strstr(message->text, text) == NULL)
        {
            rslReport_Format(report, index, found, sizeof found);
            wrong += Complain(path, "said instead", found);
        }
        index += 1;
    }
    fclose(file);
    for (; index < report->count; ++index)
    {
        rslReport_Format(report, index, found, sizeof found);
        wrong += Complain(path, "not expected", found);
    }
    return wrong;
}

static int CheckOne(const char* path)
{
    static rslReport report;
    report = (rslReport){ 0 };
    rslScene scene;
    rslStatus status = rslScene_Read(path, NULL, 0, NULL, &scene, &report);
    if (status == rsl_ok)
    {
        status = rslScene_Validate(&scene, &report);
    }
    int wrong = status == rsl_ok ? Complain(path, "accepted", "") : 0;
    wrong += report.errors == 0 ? Complain(path, "no error said", "") : 0;
    rslScene_Free(&scene);
    return wrong + CompareMessages(path, &report);
}

static void TestBadScenes(void** state)
{
    (void)state;
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%s/test/bad/scenes", Root());
    DIR* directory = opendir(folder);
    assert_non_null(directory);
    int files = 0, wrong = 0;
    for (struct dirent* entry = readdir(directory); entry != NULL; entry = readdir(directory))
    {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0)
        {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            wrong += CheckOne(path);
            files += 1;
        }
    }
    closedir(directory);
    assert_int_equal(wrong, 0);
    assert_true(files >= 70 && files < MOST_FILES);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestBadScenes) };
    return cmocka_run_group_tests_name("bad_scenes", tests, NULL, NULL);
}
