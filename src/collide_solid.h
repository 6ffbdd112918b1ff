// SPDX-License-Identifier: MIT
//
// collide_solid.h: what the files of collide_shape.h share. Everything is in the own axes of a collider here.

#pragma once

#include "collide_shape.h"
#include "shape_internal.h"

struct rslSolid
{
    rslShapeType type;  // box, sphere, cylinder, capsule or mesh
    rslShape* shape;    // of scale 1; NULL where a mesh was made of it
    rslMeshTree* mesh;  // that of the shape, or its own
    rslMat3 rotation;   // own axes to the world before it moves: x = translation + rotation q
    rslVec3 translation;
    rslBounds bounds;  // in own axes
    // meshes: corners at each vertex, 3 times a triangle plus the corner; what can be hit by edges and triangles
    int *fanStart, *fans;
    uint8_t* edges;    // of every triangle: bit k where the edge from corner k on is convex and belongs to it
    uint8_t* corners;  // of every vertex: 1 where such an edge ends
    rslHooks hooks;
};

// Where found places go: they are told in the world.
typedef struct rslPlacedOut
{
    const rslPlaced* placed;
    rslPlacedVisitor* visit;
    void* context;
    double reach;
    bool whole;
} rslPlacedOut;

static inline bool rslSolid_IsMesh(const rslSolid* solid)
{
    return solid->type == rsl_meshShape;
}

static inline rslVec3 rslPlaced_ToOwn(const rslPlaced* placed, rslVec3 x)
{
    return rslMatTVec(&placed->rotation, rslSub(x, placed->origin));
}

static inline rslVec3 rslPlaced_ToWorld(const rslPlaced* placed, rslVec3 q)
{
    return rslAdd(placed->origin, rslMatVec(&placed->rotation, q));
}

static inline rslVec3 rslSolid_Vertex(const rslSolid* solid, int v)
{
    const double* x = solid->mesh->vertices + 3 * (size_t)v;
    return (rslVec3){ x[0], x[1], x[2] };
}

static inline int rslSolid_Corner(const rslSolid* solid, int triangle, int corner)
{
    return solid->mesh->triangles[3 * (size_t)triangle + (size_t)(corner % 3)];
}

static inline void rslSolid_Triangle(const rslSolid* solid, int triangle, rslVec3 x[3])
{
    for (int c = 0; c < 3; ++c)
    {
        x[c] = rslSolid_Vertex(solid, rslSolid_Corner(solid, triangle, c));
    }
}

static inline rslVec3 rslAlong(rslVec3 a, rslVec3 b, double t)
{
    return rslAdd(rslScale(1.0 - t, a), rslScale(t, b));
}

// How far corners are from what is convex: all of it lies behind the plane normal.(x - near) = -distance.
typedef struct rslApart
{
    double distance;  // not more than 0 where they meet; then the rest is of no use
    rslVec3 near;     // the nearest point between the corners
    rslVec3 normal;
} rslApart;

// Of corners, wider by a margin.
rslBounds rslCorners_Bounds(int count, const rslVec3* q, double margin);

// Tell a place: the touch has its normal and point in own axes.
void rslPlacedOut_Tell(const rslPlacedOut* out, rslPlacedTouch touch);

// Convex solids: collide_shape_convex.c. The distance is a convex function, so its least value on an edge is one place.
void rslConvex_Visit(const rslSolid* solid, int count, const rslVec3* q, const rslPlacedOut* out);
rslPlacedTouch rslConvex_Nearest(const rslSolid* solid, rslVec3 q);
// Whether corners that go from p to q are known to stay farther than keep.
bool rslConvex_IsFar(const rslSolid* solid, int count, const rslVec3* p, const rslVec3* q, double keep);
bool rslConvex_Sinks(const rslSolid* solid, rslVec3 q, rslSunk* sunk);
rslApart rslConvex_Apart(const rslSolid* solid, int count, const rslVec3* q);

// Meshes: collide_shape_mesh.c, collide_shape_sweep.c.
rslStatus rslSolid_FindFeatures(rslSolid* solid);
void rslSolidMesh_Visit(const rslSolid* solid, int count, const rslVec3* q, const rslPlacedOut* out);
bool rslSolidMesh_Sinks(const rslSolid* solid, rslVec3 q, rslSunk* sunk);
rslPlacedTouch rslSolidMesh_Nearest(const rslSolid* solid, rslVec3 q);
double rslSolidMesh_Distance(const rslSolid* solid, int count, const rslVec3* q, double within);

// As rslPlaced_Sweep, from p to q.
double rslSolidMesh_Sweep(const rslSolid* solid, int count, const rslVec3* p, const rslVec3* q, double keep);

// The same of something convex that apart asks; until is a time when it is of no interest any more.
typedef rslApart rslApartFunction(const void* context, int count, const rslVec3* q);
double rslConvex_Sweep(rslApartFunction* apart, const void* context, int count, const rslVec3* p, const rslVec3* q,
                       double keep, double until);

// The parts of two segments that are nearest to each other: at a0 + s (a1 - a0) and b0 + t (b1 - b0). Squared distance [m2].
double rslSegments_Nearest(rslVec3 a0, rslVec3 a1, rslVec3 b0, rslVec3 b1, double* s, double* t);

// Shares of the corners of a triangle at its point over p; false when p is not over its inside.
bool rslTriangle_Over(const rslVec3 x[3], rslVec3 p, double weights[3]);

// The point between corners that is nearest to p.
rslVec3 rslCorners_Nearest(int count, const rslVec3* q, rslVec3 p);

// Shares of corners at a point between them, which is taken to be one.
void rslCorners_Shares(int count, const rslVec3* q, rslVec3 near, double weights[3]);

// Of a triangle x[3] to a point, a segment or another triangle q.
rslApart rslTriangle_Apart(const void* x, int count, const rslVec3* q);
