// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// shape.h: a solid as a function: negative inside, zero on the surface, positive outside; and triangle meshes.

#pragma once

#include "resilin/scene.h"

#ifdef __cplusplus
extern "C"
{
#endif

    // A shape ready to be asked. Constant after creation; any number of threads may ask it.
    typedef struct rslShape rslShape;

    // Make a shape from its definition (recursively). Meshes are checked here: open, non-manifold, inconsistently
    // oriented, degenerate or self-intersecting ones are reported with counts and places, and refused or repaired as
    // the definition says. The definition may be freed afterwards.
    RSL_API rslStatus rslShape_Create(const rslShapeDef* def, const rslHooks* hooks, rslShape** shape,
                                      rslReport* report);
    RSL_API void rslShape_Free(rslShape* shape);

    // A Lipschitz estimate of the signed distance [m]: its sign is exact, its size never more than the true distance.
    RSL_API double rslShape_Distance(const rslShape* shape, rslVec3 point);
    RSL_API bool rslShape_Contains(const rslShape* shape, rslVec3 point);  // faster than the sign of the distance
    RSL_API rslBounds rslShape_Bounds(const rslShape* shape);              // contains the shape; tight for primitives

    // Bounds in axes turned by the given rotation: the box in lattice axes.
    RSL_API rslBounds rslShape_BoundsIn(const rslShape* shape, rslQuat axes);

    // A triangle mesh that owns its arrays.
    typedef struct rslMesh
    {
        double* vertices;  // x y z [m]
        int* triangles;    // counter-clockwise from outside
        int vertexCount, triangleCount;
        rslHooks hooks;
    } rslMesh;

    RSL_API void rslMesh_Free(rslMesh* mesh);

    // The closed surface of the shape with edges of about the given length: primitives and meshes have their own exact
    // one, combinations are extracted from the function. Always closed, manifold and oriented outwards.
    RSL_API rslStatus rslShape_Surface(const rslShape* shape, double edge, const rslHooks* hooks, rslMesh* mesh,
                                       rslReport* report);

    // What is wrong with a mesh. Each count comes with the first place found (a midpoint of an edge, a centroid of a
    // triangle); without defects the place is 0 0 0.
    typedef struct rslMeshDefects
    {
        int badIndices, nonFinite;  // triangles, vertices; nothing else is counted when one of these is not 0
        int firstBad;               // that triangle or vertex, counted from 0; -1: none
        int duplicateVertices, unusedVertices;
        int degenerateTriangles, duplicateTriangles;
        int openEdges, nonManifoldEdges, flippedEdges, nonManifoldVertices;
        int selfIntersections;  // pairs of triangles that meet elsewhere than in shared corners; counted up to 1000000
        int components;         // connected parts
        int insideOutParts;  // closed parts that face inwards, or cavities that do not; 0 when there are other defects
        bool insideOut;      // the volume is negative
        double volume;       // [m3], meaningful when closed and oriented
        rslVec3 duplicateVertexAt, unusedAt, degenerateAt, duplicateTriangleAt;
        rslVec3 openAt, nonManifoldAt, flippedAt, nonManifoldVertexAt, intersectionAt, insideOutAt;
    } rslMeshDefects;

    // How many kinds of defects there are; 0 for a mesh that a shape takes as it is.
    RSL_API int rslMeshDefects_Kinds(const rslMeshDefects* defects);

    // One message for each kind of defect, with its count and first place.
    RSL_API void rslMeshDefects_Report(const rslMeshDefects* defects, rslSeverity severity, rslPlace place,
                                       rslReport* report);

    RSL_API rslStatus rslMesh_Check(const double* vertices, int vertexCount, const int* triangles, int triangleCount,
                                    const rslHooks* hooks, rslMeshDefects* defects);

    // Weld vertices, drop degenerate and double triangles and unused vertices, orient consistently and outwards, fill
    // holes of up to 64 edges with a fan. The result is a new mesh; the report notes what was done.
    RSL_API rslStatus rslMesh_Repair(const double* vertices, int vertexCount, const int* triangles, int triangleCount,
                                     const rslHooks* hooks, rslMesh* repaired, rslReport* report);

    RSL_API double rslMesh_Volume(const double* vertices, const int* triangles, int triangleCount);  // [m3], signed

#ifdef __cplusplus
}
#endif
