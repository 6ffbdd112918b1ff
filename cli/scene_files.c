// SPDX-License-Identifier: MIT
//
// scene_files.c: see scene_files.h.

#include "scene_files.h"

#include <stdlib.h>
#include <string.h>

// ---- names ----------------------------------------------------------------------------------------------------------

// Without empty parts and points, and without what .. takes back: "./a/../b" and "b" are one name. Room for the length and a zero.
static void Simplify(const char* name, char* simple)
{
    size_t used = 0, first = 0;  // parts before the first byte cannot be taken back
    if (name[0] == '/')
    {
        simple[used++] = '/';
        first = 1;
    }
    for (size_t length; *name != 0; name += length)
    {
        length = strcspn(name, "/");
        bool nothing = length == 0 || (length == 1 && name[0] == '.');
        bool back = length == 2 && name[0] == '.' && name[1] == '.';
        if (back && used > first)
        {
            for (used -= 1; used > first && simple[used - 1] != '/'; --used)
            {
            }
        }
        else if (!nothing)
        {
            memcpy(simple + used, name, length);
            used += length;
            first = back ? used + 1 : first;
            simple[used++] = '/';
        }
        length += name[length] == '/';
    }
    used -= used > 1 && simple[used - 1] == '/';
    simple[used] = 0;
}

static bool IsSame(const char* a, const char* b)
{
    char *first = malloc(strlen(a) + 2), *second = malloc(strlen(b) + 2);
    bool same = false;
    if (first != NULL && second != NULL)
    {
        Simplify(a, first);
        Simplify(b, second);
        same = strcmp(first, second) == 0;
    }
    free(first);
    free(second);
    return same;
}

const char* cliSceneFiles_Find(const cliSceneFiles* files, const char* name)
{
    for (int i = 0; i < files->count; ++i)
    {
        if (strcmp(files->list[i].name, name) == 0)
        {
            return files->list[i].path;
        }
    }
    for (int i = 0; i < files->count; ++i)
    {
        if (IsSame(files->list[i].name, name))
        {
            return files->list[i].path;
        }
    }
    return NULL;
}

// ---- the list -------------------------------------------------------------------------------------------------------

// As it is when absolute, else beside the scene file.
static char* Beside(const char* scenePath, const char* name)
{
    const char* slash = name[0] == '/' ? NULL : strrchr(scenePath, '/');
    size_t folder = slash != NULL ? (size_t)(slash - scenePath) + 1 : 0, length = strlen(name) + 1;
    char* path = malloc(folder + length);
    if (path != NULL)
    {
        memcpy(path, scenePath, folder);
        memcpy(path + folder, name, length);
    }
    return path;
}

static bool Add(cliSceneFiles* files, const char* name, const char* scenePath)
{
    cliSceneFile* list = realloc(files->list, sizeof *list * (size_t)(files->count + 1));
    if (list == NULL)
    {
        return false;
    }
    files->list = list;
    cliSceneFile file = { strdup(name), Beside(scenePath, name) };
    list[files->count++] = file;
    return file.name != NULL && file.path != NULL;
}

// Only what was read: a name that nothing has looked at may be that of any file.
static bool AddShape(cliSceneFiles* files, const rslShapeDef* shape, const char* scenePath)
{
    bool read = shape->type == rsl_meshShape && shape->file != NULL && shape->triangles != NULL;
    bool good = !read || Add(files, shape->file, scenePath);
    for (int i = 0; good && i < shape->partCount; ++i)
    {
        good = AddShape(files, &shape->parts[i], scenePath);
    }
    return good;
}

static bool AddBody(cliSceneFiles* files, const rslBodyDef* body, const char* scenePath)
{
    const rslNetworkDef* network = &body->network;
    bool cells = network->type == rsl_tetrahedraNetwork || network->type == rsl_hexahedraNetwork;
    bool read = cells && network->file != NULL && network->nodes != NULL;
    bool good = (body->shape == NULL || AddShape(files, body->shape, scenePath)) &&
                (!read || Add(files, network->file, scenePath));
    for (int i = 0; good && i < body->regionCount; ++i)
    {
        good = body->regions[i].shape == NULL || AddShape(files, body->regions[i].shape, scenePath);
    }
    return good;
}

bool cliSceneFiles_List(cliSceneFiles* files, const rslScene* scene, const char* scenePath)
{
    const char* slash = strrchr(scenePath, '/');
    *files = (cliSceneFiles){ 0 };
    bool good = Add(files, slash != NULL ? slash + 1 : scenePath, scenePath);
    for (int i = 0; good && i < scene->bodyCount; ++i)
    {
        good = AddBody(files, &scene->bodies[i], scenePath);
    }
    for (int i = 0; good && i < scene->colliderCount; ++i)
    {
        good = scene->colliders[i].shape == NULL || AddShape(files, scene->colliders[i].shape, scenePath);
    }
    return good;
}

void cliSceneFiles_Free(cliSceneFiles* files)
{
    for (int i = 0; i < files->count; ++i)
    {
        free(files->list[i].name);
        free(files->list[i].path);
    }
    free(files->list);
    *files = (cliSceneFiles){ 0 };
}
