// SPDX-License-Identifier: MIT
//
// http_file.c: see http_file.h.
//
// No path is put together and looked at: below the page folder every name is opened in the folder before it, and a name that could
// lead elsewhere (.., a symbolic link) is not there. Files of the scene are found in a list, and what is asked for never becomes
// a path at all.

#include "http_file.h"

#include "http_request.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* FindType(const char* path)
{
    static const char* const types[][2] = {
        { "html", "text/html; charset=utf-8" },
        { "js", "text/javascript; charset=utf-8" },
        { "mjs", "text/javascript; charset=utf-8" },
        { "css", "text/css; charset=utf-8" },
        { "json", "application/json" },
        { "map", "application/json" },
        { "wasm", "application/wasm" },
        { "webmanifest", "application/manifest+json" },
        { "svg", "image/svg+xml" },
        { "png", "image/png" },
        { "jpg", "image/jpeg" },
        { "webp", "image/webp" },
        { "ico", "image/x-icon" },
        { "woff2", "font/woff2" },
        { "yaml", "text/yaml; charset=utf-8" },
        { "yml", "text/yaml; charset=utf-8" },
        { "txt", "text/plain; charset=utf-8" },
        { "md", "text/plain; charset=utf-8" },
        { "obj", "model/obj" },
        { "stl", "model/stl" },
        { "glb", "model/gltf-binary" },
        { "gltf", "model/gltf+json" },
    };
    const char* point = strrchr(path, '.');
    for (size_t i = 0; point != NULL && i < sizeof types / sizeof types[0]; ++i)
    {
        if (strcasecmp(point + 1, types[i][0]) == 0)
        {
            return types[i][1];
        }
    }
    return "application/octet-stream";
}

static int StatusOf(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM ? cli_httpBusy : cli_httpNotFound;
}

// ---- below the page folder ------------------------------------------------------------------------------------------

// A name that begins with a point is hidden, or leads back or nowhere.
static bool IsName(const char* text, size_t length)
{
    for (size_t i = 0; i < length; ++i)
    {
        unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c == 0x7f || c == '\\')
        {
            return false;
        }
    }
    return length > 0 && text[0] != '.';
}

// Open the name at the beginning of the path in the folder, which is closed; *path goes on behind it. -1: errno says why.
static int Enter(int folder, const char** path)
{
    char name[256];
    size_t length = strcspn(*path, "/");
    bool last = (*path)[length] == 0;
    int entered = -1;
    errno = ENOENT;
    if (folder >= 0 && length < sizeof name && IsName(*path, length))
    {
        memcpy(name, *path, length);
        name[length] = 0;
        // not blocking: a pipe has no writer to wait for
        int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (last ? 0 : O_DIRECTORY);
        entered = openat(folder, name, flags);
    }
    int why = errno;
    close(folder);
    errno = why;
    *path += last ? length : length + 1;
    return entered;
}

static int OpenBelow(const char* folder, const char* path)
{
    int place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    path = path[0] == 0 ? "index.html" : path;
    bool further = true;
    while (place >= 0 && further)
    {
        // "folder/" asks for a name that is empty
        further = strchr(path, '/') != NULL;
        place = Enter(place, &path);
    }
    return place;
}

// ---- both -----------------------------------------------------------------------------------------------------------

int cliHttpFile_Open(cliHttpFile* file, const cliHttpSite* site, const char* path)
{
    static const char prefix[] = "/scene/";
    size_t length = sizeof prefix - 1;
    const char* found = path;
    int descriptor = -1;
    errno = ENOENT;
    if (strncmp(path, prefix, length) == 0)
    {
        found = cliSceneFiles_Find(site->scene, path + length);
        descriptor = found != NULL ? open(found, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
    }
    else
    {
        descriptor = OpenBelow(site->page, path + 1);
    }
    if (descriptor < 0)
    {
        return StatusOf(errno);
    }
    struct stat info;
    if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
    {
        close(descriptor);
        return cli_httpNotFound;
    }
    bool index = strcmp(path, "/") == 0;
    *file = (cliHttpFile){ descriptor, info.st_size, FindType(index ? "index.html" : found) };
    return cli_httpOk;
}
