// SPDX-License-Identifier: MIT
//
// path.h: paths, folders and whole files.

#pragma once

#include "resilin/base.h"

#include <stdio.h>

typedef struct cliPath
{
    char text[RSL_PATH_CAPACITY];
} cliPath;

// "directory/name" made from a format. A path that is too long is cut, which no file system finds.
cliPath cliPath_Join(const char* directory, const char* format, ...) RSL_PRINTF(2, 3);

// "scenes/rabbit.yaml" gives "rabbit"
cliPath cliPath_Stem(const char* path);

// "out/rabbit/checkpoint.rsl" gives "out/rabbit"; "." when there is none
cliPath cliPath_Directory(const char* path);

// The folder of the running program, without symbolic links; "" where the system does not tell.
cliPath cliPath_Program(void);

// The value of an option that names a folder. Returns what was expected when it is none.
const char* cliPath_ReadFolder(cliPath* folder, const char* value);

// Whether the path ends with the given extension, such as ".yaml".
bool cliPath_HasExtension(const char* path, const char* extension);

bool cliPath_Exists(const char* path);

// Make the folder and those above it. rsl_ioError: the report says why.
rslStatus cliPath_MakeDirectory(const char* path, rslReport* report);

// Remove the files prefix + digits + suffix in the folder, with numbers of at least first.
void cliPath_RemoveNumbered(const char* directory, const char* prefix, const char* suffix, int first);

// Remove what a killed process left of files it was writing: NAME.tmp-PID-N, for names that begin with one of the
// NULL-terminated list.
void cliPath_RemoveLeftovers(const char* directory, const char* const* names);

// Hold the folder for this process alone until it ends. False: another process holds it.
bool cliPath_Lock(const char* directory);

// A file made of what put prints; it appears whole or not at all. Put returns what went wrong, after telling the report.
typedef rslStatus cliPutText(FILE* file, const void* context, rslReport* report);
rslStatus cliFile_Compose(const char* path, cliPutText* put, const void* context, rslReport* report);

// A whole file into memory with a final zero; release with free. NULL: the report says why.
char* cliFile_Read(const char* path, size_t* size, rslReport* report);
