// SPDX-License-Identifier: MIT
//
// shape_internal.h: what the files of a shape share.
//
// A shape is a primitive in its own axes, or a combination of parts, then moved by x = t + R (s q) with the scale s,
// the rotation R and the translation t. Distances are found in the shape's own axes (the q) and multiplied by s.

#pragma once

#include "mesh_tree.h"
#include "resilin/shape.h"
#include "vec.h"

struct rslShape
{
    rslShapeType type;
    rslVec3 half;       // box: half the size
    rslVec3 radii;      // ellipsoid
    double radius;      // sphere, cylinder, capsule, ring of the torus
    double tube;        // torus
    double reach;       // cylinder, capsule: half the height; rabbit: the height
    rslMeshTree* mesh;  // mesh: owned
    rslShape** parts;   // combinations: owned
    int partCount;
    double scale;
    rslMat3 rotation;
    rslVec3 translation;
    bool turned;       // the rotation is not the identity
    rslBounds bounds;  // in the world
    double tolerance;  // this near to the surface counts as on it [m], of rounding size
    rslHooks hooks;
};

// x -> q and q -> x.
static inline rslVec3 rslShape_ToOwn(const rslShape* shape, rslVec3 x)
{
    rslVec3 d = rslSub(x, shape->translation);
    if (shape->turned)
    {
        d = rslMatTVec(&shape->rotation, d);
    }
    return shape->scale == 1.0 ? d : rslScale(1.0 / shape->scale, d);
}

static inline rslVec3 rslShape_ToWorld(const rslShape* shape, rslVec3 q)
{
    rslVec3 d = rslScale(shape->scale, q);
    return rslAdd(shape->translation, shape->turned ? rslMatVec(&shape->rotation, d) : d);
}

// Primitives in their own axes: the distance, and the support max over the shape of direction . q for a unit vector.
double rslPrimitive_Distance(const rslShape* shape, rslVec3 q);
double rslPrimitive_Support(const rslShape* shape, rslVec3 direction);

// Of boxes, spheres, cylinders and capsules: the gradient of the distance, one of length 1 also where there are several.
rslVec3 rslPrimitive_Gradient(const rslShape* shape, rslVec3 q);

// The rabbit of height 1.
double rslRabbit_Distance(rslVec3 q);
rslBounds rslRabbit_Bounds(void);

// The checked, perhaps repaired mesh of a definition.
rslStatus rslMeshShape_Create(const rslShapeDef* def, const rslHooks* hooks, rslMeshTree** tree, rslReport* report);

// Surfaces in the shape's own axes. The mesh starts as {0} with its hooks and is left to the caller on failure too.
rslStatus rslSurface_Primitive(const rslShape* shape, double edge, rslMesh* mesh, rslReport* report);
// The zero set of the moved shape, by marching tetrahedra.
rslStatus rslSurface_Extract(const rslShape* shape, double edge, rslMesh* mesh, rslReport* report);

// The volume [m3]. Combinations and the rabbit are measured by cells of the given side [m]; others exactly.
double rslShape_Volume(const rslShape* shape, double cell);
