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

// A walk over the files of a scene.
typedef struct Walk
{
    cliSceneFiles* files;
    const char* scenePath;
    bool anchor;  // the scene is to name where they are
} Walk;

static bool TakeFile(const Walk* walk, const char* const* name)
{
    cliSceneFiles* files = walk->files;
    bool good = Add(files, *name, walk->scenePath);
    char* absolute = good && walk->anchor ? realpath(files->list[files->count - 1].path, NULL) : NULL;
    if (absolute != NULL)
    {
        free(files->list[files->count - 1].path);
        files->list[files->count - 1].path = absolute;
        *(const char**)name = absolute;
    }
    return good;
}

// Only what was read: a name that nothing has looked at may be that of any file.
static bool TakeShape(const Walk* walk, const rslShapeDef* shape)
{
    bool read = shape->type == rsl_meshShape && shape->file != NULL && shape->triangles != NULL;
    bool good = !read || TakeFile(walk, &shape->file);
    for (int i = 0; good && i < shape->partCount; ++i)
    {
        good = TakeShape(walk, &shape->parts[i]);
    }
    return good;
}

static bool TakeBody(const Walk* walk, const rslBodyDef* body)
{
    const rslNetworkDef* network = &body->network;
    bool cells = network->type == rsl_tetrahedraNetwork || network->type == rsl_hexahedraNetwork;
    bool read = cells && network->file != NULL && network->nodes != NULL;
    bool good = (body->shape == NULL || TakeShape(walk, body->shape)) && (!read || TakeFile(walk, &network->file));
    for (int i = 0; good && i < body->regionCount; ++i)
    {
        good = body->regions[i].shape == NULL || TakeShape(walk, body->regions[i].shape);
    }
    return good;
}

static bool TakeAll(const Walk* walk, const rslScene* scene)
{
    bool good = true;
    for (int i = 0; good && i < scene->bodyCount; ++i)
    {
        good = TakeBody(walk, &scene->bodies[i]);
    }
    for (int i = 0; good && i < scene->colliderCount; ++i)
    {
        good = scene->colliders[i].shape == NULL || TakeShape(walk, scene->colliders[i].shape);
    }
    return good;
}

bool cliSceneFiles_List(cliSceneFiles* files, const rslScene* scene, const char* scenePath)
{
    const char* slash = strrchr(scenePath, '/');
    *files = (cliSceneFiles){ 0 };
    Walk walk = { files, scenePath, false };
    return Add(files, slash != NULL ? slash + 1 : scenePath, scenePath) && TakeAll(&walk, scene);
}

// The definitions of a scene that was read lie in its own memory, so they may be changed.
bool cliSceneFiles_Anchor(cliSceneFiles* files, rslScene* scene, const char* scenePath)
{
    *files = (cliSceneFiles){ 0 };
    Walk walk = { files, scenePath, true };
    return TakeAll(&walk, scene);
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
