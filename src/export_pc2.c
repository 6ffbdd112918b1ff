// SPDX-License-Identifier: MIT
//
// export_pc2.c: the point cache that Blender's Mesh Cache modifier reads.
//
// 32 bytes of header: "POINTCACHE2\0", int version 1, int points, float first frame, float frames a sample, int samples;
// then the samples, float x y z of every point. Little endian. A frame is appended and flushed to disk first and counted
// in the header afterwards, so that the file is whole whenever the program stops.

#include "export_pc2.h"

#include "file.h"
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
    HEADER = 32,
    COUNT_PLACE = 28,  // of the number of samples
};

struct rslPc2
{
    rslHooks hooks;
    int descriptor;
    int vertexCount, frameCount;
    unsigned char* frame;  // one sample as it lies in the file
    char path[RSL_PATH_CAPACITY];
};

static uint64_t FrameBytes(int vertexCount)
{
    return 12 * (uint64_t)vertexCount;
}

static uint64_t FrameOffset(int vertexCount, int frame)
{
    return HEADER + FrameBytes(vertexCount) * (uint64_t)frame;
}

static void MakeHeader(unsigned char header[HEADER], int vertexCount)
{
    memcpy(header, "POINTCACHE2", 12);
    rslStore32(header + 12, 1);
    rslStore32(header + 16, (uint32_t)vertexCount);
    rslStore32(header + 20, rslFloatBits(0.0f));
    rslStore32(header + 24, rslFloatBits(1.0f));
    rslStore32(header + COUNT_PLACE, 0);
}

// ---- reading --------------------------------------------------------------------------------------------------------

static rslStatus Refuse(rslReport* report, const char* path, const char* what)
{
    rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%.300s: %s", path, what);
    return rsl_mismatch;
}

static rslStatus CheckHeader(int descriptor, const char* path, rslPc2Info* info, rslReport* report)
{
    unsigned char header[HEADER];
    struct stat file;
    if (fstat(descriptor, &file) != 0 || !rslDescriptor_Read(descriptor, header, HEADER, 0) ||
        memcmp(header, "POINTCACHE2", 12) != 0 || rslLoad32(header + 12) != 1)
    {
        return Refuse(report, path, "not a point cache (.pc2, version 1)");
    }
    uint32_t vertices = rslLoad32(header + 16), frames = rslLoad32(header + COUNT_PLACE);
    if (vertices == 0 || vertices > INT_MAX / 12 || frames > INT_MAX)
    {
        return Refuse(report, path, "a point cache with a damaged header");
    }
    info->vertexCount = (int)vertices;
    info->frameCount = (int)frames;
    if ((uint64_t)file.st_size < FrameOffset(info->vertexCount, info->frameCount))
    {
        return Refuse(report, path, "a point cache that is shorter than its header says");
    }
    return rsl_ok;
}

rslStatus rslPc2_OpenToRead(const char* path, rslPc2Info* info, rslReport* report)
{
    info->descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (info->descriptor < 0)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "cannot read %.300s: %s", path,
                      errno == ENOENT ? "no such file" : "it cannot be opened");
        return rsl_ioError;
    }
    rslStatus status = CheckHeader(info->descriptor, path, info, report);
    if (status != rsl_ok)
    {
        close(info->descriptor);
    }
    return status;
}

bool rslPc2_ReadFrame(const rslPc2Info* info, int frame, float* vertices)
{
    size_t bytes = (size_t)FrameBytes(info->vertexCount);
    unsigned char* raw = (unsigned char*)vertices;
    if (!rslDescriptor_Read(info->descriptor, raw, bytes, FrameOffset(info->vertexCount, frame)))
    {
        return false;
    }
    for (size_t i = 0; i < bytes; i += 4)
    {
        vertices[i / 4] = rslFloatFromBits(rslLoad32(raw + i));
    }
    return true;
}

void rslPc2_CloseRead(rslPc2Info* info)
{
    close(info->descriptor);
}

// ---- opening --------------------------------------------------------------------------------------------------------

// The empty cache appears whole, then grows in its place.
static rslStatus StartAnew(rslPc2* cache, rslReport* report)
{
    unsigned char header[HEADER];
    MakeHeader(header, cache->vertexCount);
    rslStatus status = rslFile_Write(cache->path, header, HEADER, report);
    if (status != rsl_ok)
    {
        return status;
    }
    cache->descriptor = open(cache->path, O_RDWR | O_CLOEXEC);
    return cache->descriptor >= 0 ? rsl_ok : rslReport_WriteError(report, cache->path, errno);
}

static int WriteCount(const rslPc2* cache, int count)
{
    unsigned char bytes[4];
    rslStore32(bytes, (uint32_t)count);
    ssize_t written;
    do
    {
        written = pwrite(cache->descriptor, bytes, 4, COUNT_PLACE);
    } while (written < 0 && errno == EINTR);
    return written == 4 ? 0 : written < 0 ? errno : EIO;
}

// The count goes down before the file does: a stop between the two leaves a whole cache.
static int Cut(const rslPc2* cache, int keepFrames)
{
    int error = WriteCount(cache, keepFrames);
    if (error != 0)
    {
        return error;
    }
    if (fsync(cache->descriptor) != 0 ||
        ftruncate(cache->descriptor, (off_t)FrameOffset(cache->vertexCount, keepFrames)) != 0)
    {
        return errno;
    }
    return 0;
}

static rslStatus Continue(rslPc2* cache, int keepFrames, rslReport* report)
{
    cache->descriptor = open(cache->path, O_RDWR | O_CLOEXEC);
    if (cache->descriptor < 0)
    {
        return rslReport_WriteError(report, cache->path, errno);
    }
    rslPc2Info info;
    rslStatus status = CheckHeader(cache->descriptor, cache->path, &info, report);
    if (status != rsl_ok)
    {
        return status;
    }
    if (info.vertexCount != cache->vertexCount || info.frameCount < keepFrames)
    {
        char text[160];
        snprintf(text, sizeof text, "holds %d frames of %d vertices; at least %d frames of %d vertices were expected",
                 info.frameCount, info.vertexCount, keepFrames, cache->vertexCount);
        return Refuse(report, cache->path, text);
    }
    int error = Cut(cache, keepFrames);
    cache->frameCount = keepFrames;
    return error == 0 ? rsl_ok : rslReport_WriteError(report, cache->path, error);
}

static rslStatus MakeCache(const char* path, int vertexCount, const rslHooks* hooks, rslPc2** result)
{
    rslHooks complete = rslHooks_Complete(hooks);
    rslPc2* cache = rslAllocate(&complete, 1, sizeof(rslPc2));
    if (cache == NULL)
    {
        return rsl_outOfMemory;
    }
    cache->hooks = complete;
    cache->descriptor = -1;
    cache->vertexCount = vertexCount;
    snprintf(cache->path, sizeof cache->path, "%s", path);
    cache->frame = rslAllocate(&complete, (size_t)vertexCount, 12);
    *result = cache;
    return cache->frame != NULL ? rsl_ok : rsl_outOfMemory;
}

rslStatus rslPc2_Open(const char* path, int vertexCount, int keepFrames, const rslHooks* hooks, rslPc2** cache,
                      rslReport* report)
{
    *cache = NULL;
    if (vertexCount <= 0 || vertexCount > INT_MAX / 12 || keepFrames < 0)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%.300s: a point cache cannot hold %d vertices", path,
                      vertexCount);
        return rsl_badInput;
    }
    if (strlen(path) >= RSL_PATH_CAPACITY)
    {
        return rslReport_WriteError(report, path, ENAMETOOLONG);
    }
    rslPc2* opened = NULL;
    rslStatus status = MakeCache(path, vertexCount, hooks, &opened);
    if (status == rsl_ok)
    {
        status = keepFrames == 0 ? StartAnew(opened, report) : Continue(opened, keepFrames, report);
    }
    if (status != rsl_ok)
    {
        rslPc2_Close(opened);
        return status;
    }
    *cache = opened;
    return rsl_ok;
}

// ---- growing --------------------------------------------------------------------------------------------------------

static int AppendFrame(rslPc2* cache)
{
    off_t place = (off_t)FrameOffset(cache->vertexCount, cache->frameCount);
    if (lseek(cache->descriptor, place, SEEK_SET) != place)
    {
        return errno;
    }
    int error = rslDescriptor_Write(cache->descriptor, cache->frame, (size_t)FrameBytes(cache->vertexCount));
    if (error != 0)
    {
        return error;
    }
    return fdatasync(cache->descriptor) == 0 ? WriteCount(cache, cache->frameCount + 1) : errno;
}

rslStatus rslPc2_Append(rslPc2* cache, const double* vertices, rslReport* report)
{
    for (size_t i = 0; i < 3 * (size_t)cache->vertexCount; ++i)
    {
        rslStore32(cache->frame + 4 * i, rslFloatBits(rslNarrow(vertices[i])));
    }
    int error = cache->frameCount < INT_MAX ? AppendFrame(cache) : EFBIG;
    if (error != 0)
    {
        // what was written of the frame is not counted; give its room back
        (void)!ftruncate(cache->descriptor, (off_t)FrameOffset(cache->vertexCount, cache->frameCount));
        return rslReport_WriteError(report, cache->path, error);
    }
    cache->frameCount += 1;
    return rsl_ok;
}

int rslPc2_FrameCount(const rslPc2* cache)
{
    return cache->frameCount;
}

void rslPc2_Close(rslPc2* cache)
{
    if (cache == NULL)
    {
        return;
    }
    if (cache->descriptor >= 0)
    {
        (void)fsync(cache->descriptor);
        close(cache->descriptor);
    }
    rslHooks hooks = cache->hooks;
    rslRelease(&hooks, cache->frame);
    rslRelease(&hooks, cache);
}
