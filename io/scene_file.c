// SPDX-License-Identifier: MIT
//
// scene_file.c: a scene from a file, with its overrides and the mesh files it names.

#include "gmsh.h"
#include "resilin/io.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    LARGEST_FILE = 64 << 20,
};

static const rslPlace nowhere = { 0, 0 };

static rslStatus Refuse(rslReport* report, rslStatus status, const char* text, const char* reason)
{
    rslReport_Add(report, rsl_error, nowhere, "%s%s%s", text, reason[0] != 0 ? ": " : "", reason);
    return status;
}

// ---- the text ---------------------------------------------------------------------------------------------------

static rslStatus CheckFile(const char* path, size_t* size, rslReport* report)
{
    struct stat info;
    if (stat(path, &info) != 0)
    {
        return Refuse(report, rsl_ioError, "cannot open the scene file", strerror(errno));
    }
    if (S_ISDIR(info.st_mode))
    {
        return Refuse(report, rsl_ioError, "found a directory, expected a scene file", "");
    }
    if (info.st_size > LARGEST_FILE)
    {
        return Refuse(report, rsl_badInput, "found more than 64 MiB, expected a scene file", "");
    }
    *size = (size_t)info.st_size;
    return rsl_ok;
}

// Read what is there, also from a pipe, whose size is not known before. The text belongs to malloc.
static rslStatus ReadAll(FILE* file, size_t expected, char** text, size_t* length, rslReport* report)
{
    size_t capacity = expected + 4096;
    *text = malloc(capacity);
    *length = 0;
    while (*text != NULL)
    {
        size_t got = fread(*text + *length, 1, capacity - *length, file);
        *length += got;
        if (*length > LARGEST_FILE)
        {
            return Refuse(report, rsl_badInput, "found more than 64 MiB, expected a scene file", "");
        }
        if (ferror(file) != 0)
        {
            return Refuse(report, rsl_ioError, "cannot read the scene file", strerror(errno));
        }
        if (got == 0)
        {
            return rsl_ok;
        }
        if (*length == capacity)
        {
            capacity *= 2;
            char* larger = realloc(*text, capacity);
            if (larger == NULL)
            {
                break;
            }
            *text = larger;
        }
    }
    return rsl_outOfMemory;
}

static rslStatus CheckText(const char* text, size_t length, rslReport* report)
{
    if (length == 0)
    {
        return Refuse(report, rsl_badInput, "the file is empty, expected a scene", "");
    }
    bool wide = length >= 2 && ((unsigned char)text[0] | 1) == 0xff && ((unsigned char)text[1] | 1) == 0xff;
    if (wide)
    {
        return Refuse(report, rsl_badInput, "found UTF-16 text, expected UTF-8", "");
    }
    if (memchr(text, 0, length) != NULL)
    {
        return Refuse(report, rsl_badInput, "found a binary file, expected a scene as YAML text", "");
    }
    return rsl_ok;
}

static rslStatus ReadText(const char* path, char** text, size_t* length, rslReport* report)
{
    size_t size = 0;
    *text = NULL;
    bool standard = strcmp(path, "-") == 0;
    rslStatus status = standard ? rsl_ok : CheckFile(path, &size, report);
    if (status != rsl_ok)
    {
        return status;
    }
    FILE* file = standard ? stdin : fopen(path, "rb");
    if (file == NULL)
    {
        return Refuse(report, rsl_ioError, "cannot open the scene file", strerror(errno));
    }
    status = ReadAll(file, size, text, length, report);
    if (!standard)
    {
        fclose(file);
    }
    return status == rsl_ok ? CheckText(*text, *length, report) : status;
}

// ---- meshes -----------------------------------------------------------------------------------------------------

// The mesh file's path: as it is when absolute, else beside the scene file. Belongs to malloc.
static char* Beside(const char* scenePath, const char* file)
{
    const char* slash = file[0] == '/' ? NULL : strrchr(scenePath, '/');
    size_t folder = slash != NULL ? (size_t)(slash - scenePath) + 1 : 0;
    size_t name = strlen(file) + 1;
    char* path = malloc(folder + name);
    if (path != NULL)
    {
        memcpy(path, scenePath, folder);
        memcpy(path + folder, file, name);
    }
    return path;
}

// Hand on what the mesh reader said, with the place in the scene that named the file.
static void HandOn(const rslReport* said, const rslShapeDef* shape, rslReport* report)
{
    for (int i = 0; i < said->count; ++i)
    {
        rslReport_Add(report, said->messages[i].severity, shape->filePlace, "%s", said->messages[i].text);
    }
}

static rslStatus LoadMesh(rslScene* scene, const rslShapeDef* shape, const char* scenePath, const rslHooks* hooks,
                          rslReport* report)
{
    char* path = Beside(scenePath, shape->file);
    rslReport* said = calloc(1, sizeof *said);
    rslMeshFile mesh = { 0 };
    rslStatus status = path != NULL && said != NULL ? rslMeshFile_Read(path, hooks, &mesh, said) : rsl_outOfMemory;
    if (said != NULL)
    {
        HandOn(said, shape, report);
    }
    if (status == rsl_ok)
    {
        status = rslScene_GiveMesh(scene, shape, mesh.vertices, mesh.vertexCount, mesh.triangles, mesh.triangleCount);
        rslMeshFile_Free(&mesh, hooks);
    }
    free(said);
    free(path);
    return status;
}

static rslStatus LoadMeshes(rslScene* scene, const char* scenePath, const rslHooks* hooks, rslReport* report)
{
    int count = rslScene_MeshShapes(scene, NULL, 0);
    if (count == 0)
    {
        return rsl_ok;
    }
    const rslShapeDef** shapes = malloc((size_t)count * sizeof *shapes);
    if (shapes == NULL)
    {
        return rsl_outOfMemory;
    }
    (void)rslScene_MeshShapes(scene, shapes, count);
    rslStatus status = rsl_ok;
    for (int i = 0; i < count; ++i)
    {
        rslStatus loaded = LoadMesh(scene, shapes[i], scenePath, hooks, report);
        status = status == rsl_ok ? loaded : status;
    }
    free(shapes);
    return status;
}

// ---- tetrahedra -------------------------------------------------------------------------------------------------

static rslStatus ReadTetrahedra(const char* path, char** text, size_t* length, rslReport* report)
{
    struct stat info;
    FILE* file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    if (file == NULL)
    {
        return Refuse(report, rsl_ioError, "cannot open the file", errno != 0 ? strerror(errno) : "it is not a file");
    }
    *length = (size_t)info.st_size;
    *text = malloc(*length + 1);
    bool read = *text != NULL && fread(*text, 1, *length, file) == *length;
    fclose(file);
    if (*text == NULL)
    {
        return rsl_outOfMemory;
    }
    return read ? rsl_ok : Refuse(report, rsl_ioError, "cannot read the file", "");
}

static rslStatus LoadTetrahedra(rslScene* scene, const rslNetworkDef* network, const char* scenePath, rslReport* report)
{
    char* path = Beside(scenePath, network->file);
    rslReport* said = calloc(1, sizeof *said);
    char* text = NULL;
    size_t length = 0;
    errno = 0;
    rslStatus status = path != NULL && said != NULL ? ReadTetrahedra(path, &text, &length, said) : rsl_outOfMemory;
    status = status == rsl_ok ? rslScene_GiveTetrahedra(scene, network, text, length, said) : status;
    for (int i = 0; said != NULL && i < said->count; ++i)
    {
        rslReport_Add(report, said->messages[i].severity, network->filePlace, "file '%.100s': %s", network->file,
                      said->messages[i].text);
    }
    free(text);
    free(said);
    free(path);
    return status;
}

static rslStatus LoadAllTetrahedra(rslScene* scene, const char* scenePath, const rslHooks* hooks, rslReport* report)
{
    const rslNetworkDef* network = NULL;
    rslStatus status = rsl_ok;
    while (status == rsl_ok && rslScene_TetrahedraNetworks(scene, &network, 1) > 0)
    {
        status = LoadTetrahedra(scene, network, scenePath, report);
    }
    for (int i = 0; status == rsl_ok && i < scene->bodyCount; ++i)
    {
        const rslBodyDef* body = &scene->bodies[i];
        bool gmsh = body->network.type == rsl_tetrahedraNetwork && body->network.mesher == rsl_gmshMesher;
        status = gmsh && body->shape != NULL ? rslGmsh_Fill(scene, body, hooks, report) : status;
    }
    return status;
}

// ---- the whole --------------------------------------------------------------------------------------------------

static rslStatus FromText(const char* text, size_t length, const rslOverride* overrides, int overrideCount,
                          const rslHooks* hooks, rslScene* scene, rslReport* report)
{
    rslTree tree;
    rslStatus status = rslYaml_Parse(text, length, hooks, &tree, report);
    for (int i = 0; i < overrideCount && status == rsl_ok; ++i)
    {
        status = rslTree_Set(&tree, overrides[i].path, overrides[i].value, report);
    }
    if (status == rsl_ok)
    {
        status = rslScene_FromTree(&tree, hooks, scene, report);
    }
    rslTree_Free(&tree);
    return status;
}

rslStatus rslScene_Read(const char* path, const rslOverride* overrides, int overrideCount, const rslHooks* hooks,
                        rslScene* scene, rslReport* report)
{
    *scene = rslDefaultScene();
    if (report != NULL)
    {
        snprintf(report->file, sizeof report->file, "%s", path);
    }
    char* text;
    size_t length = 0;
    rslStatus status = ReadText(path, &text, &length, report);
    if (status == rsl_ok)
    {
        status = FromText(text, length, overrides, overrideCount, hooks, scene, report);
    }
    free(text);
    if (status == rsl_ok)
    {
        status = LoadMeshes(scene, path, hooks, report);
        status = status == rsl_ok ? LoadAllTetrahedra(scene, path, hooks, report) : status;
        if (status != rsl_ok)
        {
            rslScene_Free(scene);
        }
    }
    return status;
}
