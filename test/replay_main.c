// SPDX-License-Identifier: MIT
//
// replay_main.c: feeds every file of a corpus to a fuzz target, without a fuzzer.

#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// exactly as many bytes as the file has, so that a read beyond them is seen
static uint8_t* ReadWhole(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    struct stat status;
    if (file == NULL || fstat(fileno(file), &status) != 0)
    {
        perror(path);
        exit(1);
    }
    *size = (size_t)status.st_size;
    uint8_t* data = malloc(*size);
    if (*size > 0 && (data == NULL || fread(data, 1, *size, file) != *size))
    {
        perror(path);
        exit(1);
    }
    fclose(file);
    return data;
}

static int IsVisible(const struct dirent* entry)
{
    return entry->d_name[0] != '.';
}

int main(int argumentCount, char** arguments)
{
    struct dirent** entries;
    int count = argumentCount == 2 ? scandir(arguments[1], &entries, IsVisible, alphasort) : -1;
    if (count <= 0)
    {
        fprintf(stderr, "usage: %s CORPUS, a folder with at least one file\n", arguments[0]);
        return 1;
    }
    for (int i = 0; i < count; ++i)
    {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", arguments[1], entries[i]->d_name);
        // the last name printed is the one that failed
        printf("# %s\n", path);
        fflush(stdout);
        size_t size;
        uint8_t* data = ReadWhole(path, &size);
        LLVMFuzzerTestOneInput(data, size);
        free(data);
        free(entries[i]);
    }
    free(entries);
    printf("ok 1 - %d files of %s\n", count,
           strrchr(arguments[1], '/') ? strrchr(arguments[1], '/') + 1 : arguments[1]);
    return 0;
}
