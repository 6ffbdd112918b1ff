// SPDX-License-Identifier: MIT
//
// cell_mesh.c: see cell_mesh.h.
//
// Look from an apex c inside of the cube along a ray. It is in the solid or not at c, and changes sides at every triangle
// that it passes. So with [beyond T] = the points of the cube that T hides from c,
//     cube and solid = [c is inside] cube + sum over triangles T of +-[beyond T],
// + where the ray enters (T faces c), - where it leaves. What T hides is convex: inside of the three planes through c and
// the edges of T, and behind the plane of T. Triangles outside of the cube hide nothing in it, so only those near it are
// asked for. Neighbours share the planes through their edges to the last bit, and whatever lies in a face of the cube
// makes no difference, since only volumes are added.
//
// A triangle seen edge-on hides nothing. The apex is a little off the centre so that it is on no triangle of a mesh that
// is aligned with the cells; the side it is on is exact in any case (mesh_tree.h).

#include "cell_mesh.h"

#include "vec.h"

typedef struct Look
{
    rslMoments* moments;
    double sign;
    rslVec3 centre, apex;
    double edge;
    const rslMeshTree* mesh;
    rslVec3 base, axis[3];
    double scale;  // 1 / length of an axis, squared
} Look;

static rslVec3 FromMesh(const Look* look, const double* q)
{
    rslVec3 d = rslSub((rslVec3){ q[0], q[1], q[2] }, look->base);
    return (rslVec3){ look->scale * rslDot(look->axis[0], d), look->scale * rslDot(look->axis[1], d),
                      look->scale * rslDot(look->axis[2], d) };
}

static rslVec3 ToMesh(const Look* look, rslVec3 s)
{
    rslVec3 q = rslMulAdd(look->base, s.x, look->axis[0]);
    return rslMulAdd(rslMulAdd(q, s.y, look->axis[1]), s.z, look->axis[2]);
}

// Seen from the apex, the corners of a triangle at a, b, c.
static void AddHidden(const Look* look, rslVec3 a, rslVec3 b, rslVec3 c)
{
    rslVec3 n = rslCross(rslSub(b, a), rslSub(c, a));
    double away = rslDot(n, a);
    if (away == 0.0)
    {
        return;
    }
    // away > 0: n points away from the apex, the ray leaves the solid and a x b points into the cone
    double side = away > 0.0 ? 1.0 : -1.0;
    const rslVec3 normals[4] = { rslScale(-side, rslCross(a, b)), rslScale(-side, rslCross(b, c)),
                                 rslScale(-side, rslCross(c, a)), rslScale(-side, n) };
    rslHalfSpace cuts[4];
    for (int i = 0; i < 4; ++i)
    {
        cuts[i] = (rslHalfSpace){ normals[i], rslDot(normals[i], look->apex) - (i == 3 ? fabs(away) : 0.0) };
    }
    rslMoments_AddClippedCube(look->moments, -side * look->sign, look->centre, look->edge, cuts, 4);
}

static void AddTriangles(const Look* look, const rslMeshBox* leaf)
{
    for (int t = leaf->first; t < leaf->first + leaf->count; ++t)
    {
        const int* corner = look->mesh->triangles + 3 * (size_t)look->mesh->order[t];
        rslVec3 v[3];
        for (int i = 0; i < 3; ++i)
        {
            v[i] = rslSub(FromMesh(look, look->mesh->vertices + 3 * (size_t)corner[i]), look->apex);
        }
        AddHidden(look, v[0], v[1], v[2]);
    }
}

// The box around the cube in the axes of the mesh, and a little more.
static void BoxAround(const Look* look, double lower[3], double upper[3])
{
    rslVec3 middle = ToMesh(look, look->centre);
    for (int i = 0; i < 3; ++i)
    {
        double reach = fabs((&look->axis[0].x)[i]) + fabs((&look->axis[1].x)[i]) + fabs((&look->axis[2].x)[i]);
        reach *= 0.5 * look->edge * (1.0 + 1e-9);
        lower[i] = (&middle.x)[i] - reach;
        upper[i] = (&middle.x)[i] + reach;
    }
}

static bool Meet(const rslMeshBox* box, const double lower[3], const double upper[3])
{
    return box->lower[0] <= upper[0] && box->upper[0] >= lower[0] && box->lower[1] <= upper[1] &&
           box->upper[1] >= lower[1] && box->lower[2] <= upper[2] && box->upper[2] >= lower[2];
}

void rslMoments_AddMesh(rslMoments* moments, double sign, rslVec3 centre, double edge, const rslMeshTree* mesh,
                        rslVec3 base, const rslVec3 axis[3])
{
    Look look = { moments,
                  sign,
                  centre,
                  rslMulAdd(centre, edge, (rslVec3){ 0.0137, -0.0093, 0.0171 }),
                  edge,
                  mesh,
                  base,
                  { axis[0], axis[1], axis[2] },
                  1.0 / rslDot(axis[0], axis[0]) };
    double lower[3], upper[3];
    BoxAround(&look, lower, upper);
    if (rslMeshTree_Contains(mesh, ToMesh(&look, look.apex)))
    {
        rslMoments_AddCube(moments, sign, centre, edge);
    }
    int stack[RSL_MESH_TREE_DEPTH + 1], waiting = 1;
    stack[0] = 0;
    while (waiting > 0)
    {
        const rslMeshBox* box = &mesh->boxes[stack[--waiting]];
        if (!Meet(box, lower, upper))
        {
            continue;
        }
        if (box->count > 0)
        {
            AddTriangles(&look, box);
            continue;
        }
        RSL_ASSERT(waiting + 2 <= RSL_MESH_TREE_DEPTH + 1);
        stack[waiting++] = box->first;
        stack[waiting++] = box->first + 1;
    }
}
