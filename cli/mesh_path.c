// SPDX-License-Identifier: MIT
//
// mesh_path.c: the mesh files that a scene names.

#include "mesh_path.h"

#include "path.h"

#include <stdlib.h>

// The absolute path of a file, kept in the list. NULL: it stays as it is.
static const char* Anchor(cliMeshPaths* paths, const char* directory, const char* file)
{
    cliPath beside = cliPath_Join(directory, "%s", file);
    char* absolute = realpath(file[0] == '/' ? file : beside.text, NULL);
    char** list = realloc(paths->list, sizeof(char*) * (size_t)(paths->count + 1));
    if (list != NULL)
    {
        paths->list = list;
    }
    if (list == NULL || absolute == NULL)
    {
        free(absolute);
        return NULL;
    }
    return list[paths->count++] = absolute;
}

static void AnchorShape(cliMeshPaths* paths, rslShapeDef* shape, const char* directory)
{
    const char* anchored = shape->file != NULL ? Anchor(paths, directory, shape->file) : NULL;
    shape->file = anchored != NULL ? anchored : shape->file;
    for (int i = 0; i < shape->partCount; ++i)
    {
        AnchorShape(paths, (rslShapeDef*)&shape->parts[i], directory);
    }
}

// The definitions of a scene that was read lie in its own memory, so they may be changed.
void cliMeshPaths_Anchor(cliMeshPaths* paths, rslScene* scene, const char* sceneFile)
{
    cliPath directory = cliPath_Directory(sceneFile);
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        if (scene->bodies[i].shape != NULL)
        {
            AnchorShape(paths, (rslShapeDef*)scene->bodies[i].shape, directory.text);
        }
    }
}

void cliMeshPaths_Free(cliMeshPaths* paths)
{
    for (int i = 0; i < paths->count; ++i)
    {
        free(paths->list[i]);
    }
    free(paths->list);
    *paths = (cliMeshPaths){ 0 };
}
