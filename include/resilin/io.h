// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// io.h: the modules that need another library (libresilin_io): YAML, mesh files, PNG, CHOLMOD, SLEPc.
//
// A module that was left out of the build answers rsl_unsupported and names itself.

#pragma once

#include "resilin/modes.h"
#include "resilin/tree.h"

#ifdef __cplusplus
extern "C"
{
#endif

    // Parse YAML text into a tree. Errors name line and column. Duplicate keys, several documents, anchors deeper than
    // RSL_TREE_DEPTH, non-UTF-8 and texts over 64 MiB are refused.
    RSL_API rslStatus rslYaml_Parse(const char* text, size_t length, const rslHooks* hooks, rslTree* tree,
                                    rslReport* report);

    // One override of a value, as --set gives it.
    typedef struct rslOverride
    {
        const char* path;
        const char* value;
    } rslOverride;

    // Read a scene file, or standard input for "-": parse, apply the overrides, give it its meaning, load the mesh files
    // it names (relative to the scene file). On success free with rslScene_Free.
    RSL_API rslStatus rslScene_Read(const char* path, const rslOverride* overrides, int overrideCount,
                                    const rslHooks* hooks, rslScene* scene, rslReport* report);

    // A triangle mesh from OBJ, STL, PLY or glTF; identical vertices joined. Arrays belong to the hooks' allocator:
    // release with rslMeshFile_Free.
    typedef struct rslMeshFile
    {
        double* vertices;  // x y z
        int* triangles;
        int vertexCount, triangleCount;
    } rslMeshFile;

    RSL_API rslStatus rslMeshFile_Read(const char* path, const rslHooks* hooks, rslMeshFile* mesh, rslReport* report);
    RSL_API void rslMeshFile_Free(rslMeshFile* mesh, const rslHooks* hooks);

    // Write an RGB image, 8 bits a channel, rows from the top. The file appears whole or not at all.
    RSL_API rslStatus rslPng_Write(const char* path, const uint8_t* rgb, int width, int height, rslReport* report);

    // CHOLMOD as the direct solver of rslSolverDef; NULL when it was left out of the build.
    RSL_API const rslDirect* rslCholmod_Direct(void);

    // SLEPc as the eigen-solver of rslModesDef, one thread at a time; NULL when it was left out of the build. The first search
    // starts PETSc and MPI, unless the host has, and they end with the process.
    RSL_API const rslEigen* rslSlepc_Eigen(void);

#ifdef __cplusplus
}
#endif
