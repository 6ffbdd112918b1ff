// SPDX-License-Identifier: MIT
//
// scene_files.h: the files that a scene consists of: itself, and the meshes and cells that it names.

#pragma once

#include "resilin/scene.h"

typedef struct cliSceneFile
{
    char* name;  // as the scene has it; of the scene itself without its folder
    char* path;  // where it is
} cliSceneFile;

typedef struct cliSceneFiles
{
    cliSceneFile* list;
    int count;
} cliSceneFiles;

// The files of a scene that was read. False: no memory.
bool cliSceneFiles_List(cliSceneFiles* files, const rslScene* scene, const char* scenePath);

// Make the names of files in a scene that was read absolute, so that a copy of it in another folder still finds them. The scene points
// into the list, which must outlive it; the scene itself is not in it. False: no memory; names that are left are as they were.
bool cliSceneFiles_Anchor(cliSceneFiles* files, rslScene* scene, const char* scenePath);

void cliSceneFiles_Free(cliSceneFiles* files);

// The path of what has this name, NULL when it is none of them. "./a/../b.obj" is also found as "b.obj", which browsers make of it;
// no path is ever made of a name that is not in the list.
const char* cliSceneFiles_Find(const cliSceneFiles* files, const char* name);
