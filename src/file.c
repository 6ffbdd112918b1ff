// SPDX-License-Identifier: MIT
//
// file.c: see file.h.

#define _XOPEN_SOURCE 700  // realpath

#include "file.h"

#include "resilin/export.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

rslStatus rslReport_WriteError(rslReport* report, const char* path, int error)
{
    char reason[128] = "unknown error";
    if (strerror_r(error, reason, sizeof reason) != 0)
    {
        snprintf(reason, sizeof reason, "error %d", error);
    }
    const char* hint = error == ENOENT ? " (make its directory first)" : "";
    rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "cannot write %.300s: %s%s", path, reason, hint);
    return rsl_ioError;
}

int rslDescriptor_Write(int descriptor, const void* bytes, size_t size)
{
    const unsigned char* next = bytes;
    while (size > 0)
    {
        size_t piece = size < ((size_t)1 << 30) ? size : (size_t)1 << 30;
        ssize_t written = write(descriptor, next, piece);
        if (written < 0)
        {
            if (errno != EINTR)
            {
                return errno;
            }
            continue;
        }
        next += written;
        size -= (size_t)written;
    }
    return 0;
}

bool rslDescriptor_Read(int descriptor, void* bytes, size_t size, uint64_t offset)
{
    unsigned char* next = bytes;
    while (size > 0)
    {
        ssize_t count = pread(descriptor, next, size, (off_t)offset);
        if (count < 0 && errno == EINTR)
        {
            continue;
        }
        if (count <= 0)
        {
            return false;
        }
        next += count;
        size -= (size_t)count;
        offset += (uint64_t)count;
    }
    return true;
}

// ---- opening --------------------------------------------------------------------------------------------------------

// The file that a path means: links are followed, so that they survive.
static int ResolveTarget(rslFileStream* stream, const char* path)
{
    struct stat information;
    if (lstat(path, &information) == 0 && S_ISLNK(information.st_mode))
    {
        char* target = realpath(path, NULL);
        // a link that leads nowhere is replaced itself
        if (target != NULL)
        {
            int length = snprintf(stream->target, sizeof stream->target, "%s", target);
            free(target);
            return length < (int)sizeof stream->target ? 0 : ENAMETOOLONG;
        }
    }
    int length = snprintf(stream->target, sizeof stream->target, "%s", path);
    return length < (int)sizeof stream->target ? 0 : ENAMETOOLONG;
}

static int OpenTemporary(rslFileStream* stream)
{
    for (int n = 0; n < 1000; ++n)
    {
        snprintf(stream->temporary, sizeof stream->temporary, "%s.tmp-%ld-%d", stream->target, (long)getpid(), n);
        stream->descriptor = open(stream->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (stream->descriptor >= 0)
        {
            return 0;
        }
        if (errno != EEXIST && errno != EINTR)
        {
            return errno;
        }
    }
    return EEXIST;
}

static int OpenTarget(rslFileStream* stream, const char* path)
{
    int error = ResolveTarget(stream, path);
    if (error != 0)
    {
        return error;
    }
    struct stat information;
    if (stat(stream->target, &information) != 0 || S_ISREG(information.st_mode))
    {
        return OpenTemporary(stream);
    }
    if (S_ISDIR(information.st_mode))
    {
        return EISDIR;
    }
    // renaming onto a device would replace it
    stream->inPlace = true;
    stream->descriptor = open(stream->target, O_WRONLY | O_CLOEXEC);
    return stream->descriptor >= 0 ? 0 : errno;
}

rslStatus rslFileStream_Open(rslFileStream* stream, const char* path, rslReport* report)
{
    stream->descriptor = -1;
    stream->error = 0;
    stream->inPlace = false;
    stream->used = 0;
    stream->count = 0;
    int error = path[0] != 0 ? OpenTarget(stream, path) : ENOENT;
    return error == 0 ? rsl_ok : rslReport_WriteError(report, path, error);
}

// ---- writing --------------------------------------------------------------------------------------------------------

static void Flush(rslFileStream* stream)
{
    if (stream->error == 0)
    {
        stream->error = rslDescriptor_Write(stream->descriptor, stream->buffer, stream->used);
    }
    stream->used = 0;
}

void rslFileStream_Put(rslFileStream* stream, const void* bytes, size_t size)
{
    stream->count += size;
    if (size > sizeof stream->buffer - stream->used)
    {
        Flush(stream);
    }
    if (size > sizeof stream->buffer)
    {
        if (stream->error == 0)
        {
            stream->error = rslDescriptor_Write(stream->descriptor, bytes, size);
        }
    }
    else if (size > 0)
    {
        memcpy(stream->buffer + stream->used, bytes, size);
        stream->used += size;
    }
}

void rslFileStream_Text(rslFileStream* stream, const char* text)
{
    rslFileStream_Put(stream, text, strlen(text));
}

// ---- closing --------------------------------------------------------------------------------------------------------

void rslFileStream_Abandon(rslFileStream* stream)
{
    if (stream->descriptor >= 0)
    {
        close(stream->descriptor);
    }
    if (!stream->inPlace)
    {
        unlink(stream->temporary);
    }
    stream->descriptor = -1;
}

// The name is on disk once the directory is. Some file systems cannot flush one; the file is whole all the same.
static void FlushDirectory(const char* file)
{
    char directory[RSL_STREAM_PATH];
    snprintf(directory, sizeof directory, "%s", file);
    char* slash = strrchr(directory, '/');
    const char* name = ".";
    if (slash != NULL)
    {
        slash[slash == directory] = 0;
        name = directory;
    }
    int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0)
    {
        (void)fsync(descriptor);
        close(descriptor);
    }
}

static int FlushToDisk(rslFileStream* stream)
{
    // a pipe or a device has no disk
    if (fsync(stream->descriptor) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
    {
        return errno;
    }
    return 0;
}

rslStatus rslFileStream_Commit(rslFileStream* stream, rslReport* report)
{
    Flush(stream);
    if (stream->error == 0)
    {
        stream->error = FlushToDisk(stream);
    }
    if (close(stream->descriptor) != 0 && stream->error == 0 && errno != EINTR)
    {
        stream->error = errno;
    }
    stream->descriptor = -1;
    if (stream->error == 0 && !stream->inPlace && rename(stream->temporary, stream->target) != 0)
    {
        stream->error = errno;
    }
    if (stream->error != 0)
    {
        rslFileStream_Abandon(stream);
        return rslReport_WriteError(report, stream->target, stream->error);
    }
    if (!stream->inPlace)
    {
        FlushDirectory(stream->target);
    }
    return rsl_ok;
}

rslStatus rslFile_Write(const char* path, const void* bytes, size_t size, rslReport* report)
{
    rslFileStream stream;
    rslStatus status = rslFileStream_Open(&stream, path, report);
    if (status != rsl_ok)
    {
        return status;
    }
    rslFileStream_Put(&stream, bytes, size);
    return rslFileStream_Commit(&stream, report);
}

// ---- numbers in files -----------------------------------------------------------------------------------------------

void rslStore32(unsigned char* bytes, uint32_t value)
{
    for (int i = 0; i < 4; ++i)
    {
        bytes[i] = (unsigned char)(value >> (8 * i));
    }
}

void rslStore64(unsigned char* bytes, uint64_t value)
{
    for (int i = 0; i < 8; ++i)
    {
        bytes[i] = (unsigned char)(value >> (8 * i));
    }
}

uint32_t rslLoad32(const unsigned char* bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

uint32_t rslFloatBits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

float rslFloatFromBits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float rslNarrow(double value)
{
    return value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : (float)value;
}
