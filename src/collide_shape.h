// SPDX-License-Identifier: MIT
//
// collide_shape.h: where vertices, edges and triangles of bodies are near a collider, whatever its shape.
//
// Each place is a point of the body's vertex, edge or triangle, which must not come behind the collider along a normal:
//   gap = normal.(sum weights_i x_i - point) > 0.
// The weights belong to the corners that were asked about. A vertex, an edge and a triangle each tell what lies inside of them
// only: ask about the vertices, the edges and the triangles of a surface, and nothing is missed. The feature is which part of
// the collider it is. Which side of a body's surface is its outside is not known here: normals that come out of a body are for
// the caller to leave out.
//
// Double precision, world axes. A collider is constant, so any number of threads may ask.

#pragma once

#include "movement.h"
#include "resilin/shape.h"

// The solid of a collider that is not a plane. Boxes, spheres, cylinders and capsules are exact, all other shapes are meshes.
typedef struct rslSolid rslSolid;

// edge: of triangles, where the shape is neither of these nor a mesh [m]; NaN: a 64th of its size.
rslStatus rslSolid_Create(const rslShapeDef* def, double edge, const rslHooks* hooks, rslSolid** solid,
                          rslReport* report);
// A mesh that is known to be closed and to face outwards, as it is.
rslStatus rslSolid_FromMesh(const double* vertices, int vertexCount, const int* triangles, int triangleCount,
                            const rslHooks* hooks, rslSolid** solid);
void rslSolid_Free(rslSolid* solid);

// A point within a solid, in its own axes: the distance d < 0, its gradient n, and its second derivative, which is
// curvature (I - n n^T - a a^T). False for points outside.
typedef struct rslSunk
{
    double distance;
    rslVec3 normal, along;  // n, a
    double curvature;       // [1/m]
} rslSunk;

bool rslSolid_Sinks(const rslSolid* solid, rslVec3 q, rslSunk* sunk);

// A hash of all that physics depends on.
uint64_t rslSolid_Hash(uint64_t hash, const rslSolid* solid);

// A collider where it is at a time: x = origin + R q, q in its own axes.
typedef struct rslPlaced
{
    const rslCollider* collider;
    rslMat3 rotation;
    rslVec3 origin;
    rslPlane plane;  // where it is one
} rslPlaced;

rslPlaced rslCollider_Place(const rslCollider* collider, double time);

// What it takes up; a plane is endless.
rslBounds rslPlaced_Bounds(const rslPlaced* placed);

// How far a solid goes in a step from a time on [m]: as far as the corners of what it takes up, at least.
double rslCollider_Travel(const rslCollider* collider, double time, double step);

typedef struct rslPlacedTouch
{
    int feature;
    double gap;         // [m], negative where they overlap
    rslVec3 normal;     // unit, out of the collider
    rslVec3 point;      // of the collider [m]
    double weights[3];  // of the corners of what was asked about; they sum to 1
} rslPlacedTouch;

typedef void rslPlacedVisitor(const rslPlacedTouch* touch, void* context);

// Places of a vertex (count 1), an edge (2) or a triangle (3) with gaps up to reach, in an order that is always the same. whole:
// not only what lies inside of an edge or a triangle, and all features of a mesh that are near: the nearest points of each pair,
// with gaps that change without jumps. They are not negative then, but for vertices in boxes, spheres and the like.
void rslPlaced_Visit(const rslPlaced* placed, int count, const rslVec3* x, double reach, bool whole,
                     rslPlacedVisitor* visit, void* context);

// Signed distance of a point, the nearest point and the normal there, however far or deep.
rslPlacedTouch rslPlaced_Nearest(const rslPlaced* placed, rslVec3 x);

// Distance of a vertex, an edge or a triangle [m]: not more than 0 where they meet. INFINITY stands for what is not nearer than within,
// which is cheap to tell of a fine mesh, and for what lies deeper in one than that.
double rslPlaced_Distance(const rslPlaced* placed, int count, const rslVec3* x, double within);

// Corners move from x to y while the collider moves from begin to end, straight as it sees them. The share of the way, in
// [0, 1], on which they stay farther than keep >= 0 from it; 1 where it is all. 0 where they are not to begin with. Of a mesh it
// is the surface that counts.
double rslPlaced_Sweep(const rslPlaced* begin, const rslPlaced* end, int count, const rslVec3* x, const rslVec3* y,
                       double keep);
