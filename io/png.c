// SPDX-License-Identifier: MIT
//
// png.c: an RGB image as a PNG file.
//
// libpng leaves a function by longjmp when it fails, so it works on memory alone; the file is written afterwards, whole.

#include "resilin/export.h"
#include "resilin/io.h"

#if RSL_HAVE_PNG

#include <png.h>
#include <stdlib.h>
#include <string.h>

static rslStatus Fail(rslReport* report, rslStatus status, const char* path, const char* what)
{
    rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%.300s: %s", path, what);
    return status;
}

rslStatus rslPng_Write(const char* path, const uint8_t* rgb, int width, int height, rslReport* report)
{
    if (width <= 0 || height <= 0)
    {
        return Fail(report, rsl_badInput, path, "a picture needs at least one pixel");
    }
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)width;
    image.height = (png_uint_32)height;
    image.format = PNG_FORMAT_RGB;

    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    void* bytes = malloc(size);
    if (bytes == NULL)
    {
        return Fail(report, rsl_outOfMemory, path, "out of memory");
    }
    rslStatus status;
    if (png_image_write_to_memory(&image, bytes, &size, 0, rgb, 0, NULL))
    {
        status = rslFile_Write(path, bytes, size, report);
    }
    else
    {
        status = Fail(report, rsl_ioError, path, image.message);
    }
    png_image_free(&image);
    free(bytes);
    return status;
}

#else

rslStatus rslPng_Write(const char* path, const uint8_t* rgb, int width, int height, rslReport* report)
{
    (void)rgb, (void)width, (void)height;
    rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "cannot write %.300s: built without libpng", path);
    return rsl_unsupported;
}

#endif
