// SPDX-License-Identifier: MIT
//
// collide_inside.c: how often a closed surface goes round a place, whatever it is folded to.
//
// A ray leaves the surface as often more than it enters it as the surface goes round its start: the winding number, which is 1 in a
// body and 0 outside, 2 where the body overlaps itself, and -1 where it is turned inside out. Beside such a part the nearest triangle
// to a place outside may be one that is seen from behind.
//
// The ray goes along an axis, the shortest way out of the box around the surface, but a little aslant: lattices have edges along axes. One
// that hits an edge tells nothing. What the line of it hits behind its start does not count, whether or not boxes, which may be old, have it.

#include "collide_internal.h"

static const double aslant[2] = { 0x1.1p-6, 0x1.9p-6 };  // along the two other axes

typedef struct Ray
{
    const rslCollide* c;
    const rslSide* side;
    double from[3];
    int axis;      // along which it goes
    double ahead;  // 1 or -1: which way
    int winding;
    bool doubtful;  // it hits an edge
} Ray;

static void Shortest(Ray* ray)
{
    double least = INFINITY;
    for (int i = 0; i < 6; ++i)
    {
        int axis = i / 2;
        double way = i % 2 == 0 ? ray->from[axis] - ray->side->lower[axis] : ray->side->upper[axis] - ray->from[axis];
        if (way < least)
        {
            least = way;
            ray->axis = axis;
            ray->ahead = i % 2 == 0 ? -1.0 : 1.0;
        }
    }
}

// Where a vertex is, seen from the start: how far ahead, and beside the ray.
static void See(const Ray* ray, int v, double seen[3])
{
    const double* x = ray->c->x + 3 * (size_t)(ray->side->first + v);
    int i = (ray->axis + 1) % 3, k = (ray->axis + 2) % 3;
    seen[0] = ray->ahead * (x[ray->axis] - ray->from[ray->axis]);
    seen[1] = x[i] - ray->from[i] - aslant[0] * seen[0];
    seen[2] = x[k] - ray->from[k] - aslant[1] * seen[0];
}

static void Cross(int t, void* context)
{
    Ray* ray = context;
    const int* corner = rslSide_Triangle(ray->side, t);
    double a[3], b[3], c[3];
    See(ray, corner[0], a);
    See(ray, corner[1], b);
    See(ray, corner[2], c);
    // twice the areas with the ray
    double u = b[1] * c[2] - b[2] * c[1], v = c[1] * a[2] - c[2] * a[1], w = a[1] * b[2] - a[2] * b[1];
    bool left = u > 0.0 || v > 0.0 || w > 0.0, right = u < 0.0 || v < 0.0 || w < 0.0;
    double ahead = u * a[0] + v * b[0] + w * c[0];  // times twice the area
    if (left == right || (left ? ahead < 0.0 : ahead > 0.0))
    {
        return;  // it goes by, or along: then it hits edges of others, too
    }
    ray->doubtful = ray->doubtful || u == 0.0 || v == 0.0 || w == 0.0 || ahead == 0.0;
    ray->winding += left == (ray->ahead > 0.0) ? 1 : -1;
}

bool rslSide_FindWinding(const rslCollide* c, const rslSide* side, rslVec3 x, int* winding)
{
    Ray ray = { .c = c, .side = side, .from = { x.x, x.y, x.z } };
    Shortest(&ray);
    // boxes are those of the reference
    const double shift[3] = { side->shift.x, side->shift.y, side->shift.z };
    double within = side->bent + 1e-9 * side->size;
    double way =
        ray.ahead > 0.0 ? side->upper[ray.axis] - ray.from[ray.axis] : ray.from[ray.axis] - side->lower[ray.axis];
    rslMeshBox around;
    for (int i = 0; i < 3; ++i)
    {
        double moved = i == ray.axis ? ray.ahead * way : aslant[(i - ray.axis + 2) % 3] * way,
               at = ray.from[i] - shift[i];
        around.lower[i] = at + (moved < 0.0 ? moved : 0.0) - within;
        around.upper[i] = at + (moved > 0.0 ? moved : 0.0) + within;
    }
    if (way > 0.0)
    {
        rslMeshBox_Walk(side->boxes, side->order, &around, Cross, &ray);
    }
    *winding = ray.winding;
    return !ray.doubtful;
}
