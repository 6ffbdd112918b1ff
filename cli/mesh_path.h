// SPDX-License-Identifier: MIT
//
// mesh_path.h: the mesh files that a scene names, so that a copy of the scene in another folder still finds them.

#pragma once

#include "resilin/scene.h"

// Texts that a scene points to.
typedef struct cliMeshPaths
{
    char** list;
    int count;
} cliMeshPaths;

// Make the mesh files of a scene that was read absolute, taken from the folder of the scene file.
void cliMeshPaths_Anchor(cliMeshPaths* paths, rslScene* scene, const char* sceneFile);
void cliMeshPaths_Free(cliMeshPaths* paths);
