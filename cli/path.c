// SPDX-License-Identifier: MIT
//
// path.c: paths, folders and whole files.

#include "path.h"

#include "resilin/export.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

cliPath cliPath_Join(const char* directory, const char* format, ...)
{
    char name[RSL_PATH_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    cliPath path;
    size_t length = strlen(directory);
    const char* slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
    if (snprintf(path.text, sizeof path.text, "%s%s%s", directory, slash, name) >= (int)sizeof path.text)
    {
        path.text[sizeof path.text - 1] = 0;
    }
    return path;
}

cliPath cliPath_Stem(const char* path)
{
    const char* slash = strrchr(path, '/');
    const char* name = strcmp(path, "-") == 0 ? "stdin" : slash != NULL ? slash + 1 : path;
    const char* point = strrchr(name, '.');
    int length = point != NULL && point != name ? (int)(point - name) : (int)strlen(name);
    cliPath stem;
    snprintf(stem.text, sizeof stem.text, "%.*s", length, name);
    return stem;
}

cliPath cliPath_Directory(const char* path)
{
    const char* slash = strrchr(path, '/');
    cliPath directory = { "." };
    if (slash != NULL)
    {
        int length = slash == path ? 1 : (int)(slash - path);
        snprintf(directory.text, sizeof directory.text, "%.*s", length, path);
    }
    return directory;
}

cliPath cliPath_Program(void)
{
    cliPath self = { "" };
    ssize_t length = readlink("/proc/self/exe", self.text, sizeof self.text - 1);
    bool whole = length > 0 && length < (ssize_t)sizeof self.text - 1;  // a link that is longer is cut without a word
    self.text[whole ? length : 0] = 0;
    return whole ? cliPath_Directory(self.text) : self;
}

const char* cliPath_ReadFolder(cliPath* folder, const char* value)
{
    int length = snprintf(folder->text, sizeof folder->text, "%s", value);
    return length > 0 && length < (int)sizeof folder->text - 32 ? NULL : "a folder";  // with room for names in it
}

bool cliPath_HasExtension(const char* path, const char* extension)
{
    size_t length = strlen(path), tail = strlen(extension);
    return length > tail && strcmp(path + length - tail, extension) == 0;
}

bool cliPath_Exists(const char* path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static bool MakeOne(const char* path)
{
    struct stat info;
    if (mkdir(path, 0777) == 0)
    {
        return true;
    }
    if (errno != EEXIST || stat(path, &info) != 0)
    {
        return false;
    }
    errno = ENOTDIR;
    return S_ISDIR(info.st_mode);
}

static bool MakeAll(const char* path)
{
    char part[RSL_PATH_CAPACITY];
    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part)
    {
        errno = ENAMETOOLONG;
        return false;
    }
    for (char* c = part + 1; *c != 0; ++c)
    {
        if (*c == '/')
        {
            *c = 0;
            if (!MakeOne(part))
            {
                return false;
            }
            *c = '/';
        }
    }
    return MakeOne(part);
}

rslStatus cliPath_MakeDirectory(const char* path, rslReport* report)
{
    if (MakeAll(path))
    {
        return rsl_ok;
    }
    rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "the folder %s cannot be made: %s", path, strerror(errno));
    return rsl_ioError;
}

// Whether the name is prefix + digits + suffix, with a number of at least first.
static bool IsNumbered(const char* name, const char* prefix, const char* suffix, int first)
{
    size_t lead = strlen(prefix);
    if (strncmp(name, prefix, lead) != 0)
    {
        return false;
    }
    size_t digits = strspn(name + lead, "0123456789");
    return digits > 0 && strcmp(name + lead + digits, suffix) == 0 && strtol(name + lead, NULL, 10) >= first;
}

void cliPath_RemoveNumbered(const char* directory, const char* prefix, const char* suffix, int first)
{
    DIR* list = opendir(directory);
    for (struct dirent* entry = NULL; list != NULL && (entry = readdir(list)) != NULL;)
    {
        if (IsNumbered(entry->d_name, prefix, suffix, first))
        {
            unlink(cliPath_Join(directory, "%s", entry->d_name).text);
        }
    }
    if (list != NULL)
    {
        closedir(list);
    }
}

static bool IsLeftover(const char* name, const char* const* names)
{
    int known = 0;
    while (names[known] != NULL && strncmp(name, names[known], strlen(names[known])) != 0)
    {
        known += 1;
    }
    const char* tail = strstr(name, ".tmp-");
    return names[known] != NULL && tail != NULL && tail[5 + strspn(tail + 5, "0123456789-")] == 0;
}

void cliPath_RemoveLeftovers(const char* directory, const char* const* names)
{
    DIR* list = opendir(directory);
    for (struct dirent* entry = NULL; list != NULL && (entry = readdir(list)) != NULL;)
    {
        if (IsLeftover(entry->d_name, names))
        {
            unlink(cliPath_Join(directory, "%s", entry->d_name).text);
        }
    }
    if (list != NULL)
    {
        closedir(list);
    }
}

// The lock goes with the process, however it ends. A file system without locks has none.
bool cliPath_Lock(const char* directory)
{
    int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return folder < 0 || flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

static char* ReadAll(FILE* file, size_t* size)
{
    struct stat info;
    if (fstat(fileno(file), &info) != 0)
    {
        return NULL;
    }
    if (!S_ISREG(info.st_mode))
    {
        errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
        return NULL;
    }
    char* bytes = malloc((size_t)info.st_size + 1);
    if (bytes == NULL)
    {
        return NULL;
    }
    *size = fread(bytes, 1, (size_t)info.st_size, file);
    bytes[*size] = 0;
    if (ferror(file))
    {
        free(bytes);
        return NULL;
    }
    return bytes;
}

char* cliFile_Read(const char* path, size_t* size, rslReport* report)
{
    FILE* file = fopen(path, "rb");
    char* bytes = file != NULL ? ReadAll(file, size) : NULL;
    if (bytes == NULL)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%s cannot be read: %s", path, strerror(errno));
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return bytes;
}

rslStatus cliFile_Compose(const char* path, cliPutText* put, const void* context, rslReport* report)
{
    char* text = NULL;
    size_t size = 0;
    FILE* memory = open_memstream(&text, &size);
    rslStatus status = memory != NULL ? put(memory, context, report) : rsl_outOfMemory;
    bool whole = memory != NULL && fclose(memory) == 0;
    if (status == rsl_ok)
    {
        status = whole ? rslFile_Write(path, text, size, report) : rsl_outOfMemory;
    }
    free(text);
    return status;
}
