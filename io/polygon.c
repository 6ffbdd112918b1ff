// SPDX-License-Identifier: MIT
//
// polygon.c: ears are cut off one by one, in the plane across the polygon's mean normal: of the corners that turn the
// polygon's way and have no other corner in their triangle, the roundest first.

#include "polygon.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct Flat
{
    double u[RSL_POLYGON_MOST], v[RSL_POLYGON_MOST];
} Flat;

// Newell: the normal is the sum of cross products around the polygon. Its main axis is dropped; the sign keeps the turn.
static void Project(const float* points, const unsigned* corners, int count, Flat* flat)
{
    double n[3] = { 0.0, 0.0, 0.0 };
    const float* origin = points + 3 * (size_t)corners[0];
    for (int i = 1; i + 1 < count; ++i)
    {
        const float *a = points + 3 * (size_t)corners[i], *b = points + 3 * (size_t)corners[i + 1];
        double p[3], q[3];
        for (int k = 0; k < 3; ++k)
        {
            p[k] = (double)a[k] - (double)origin[k];
            q[k] = (double)b[k] - (double)origin[k];
        }
        n[0] += p[1] * q[2] - p[2] * q[1];
        n[1] += p[2] * q[0] - p[0] * q[2];
        n[2] += p[0] * q[1] - p[1] * q[0];
    }
    int axis = fabs(n[0]) >= fabs(n[1]) && fabs(n[0]) >= fabs(n[2]) ? 0 : fabs(n[1]) >= fabs(n[2]) ? 1 : 2;
    double sign = n[axis] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < count; ++i)
    {
        const float* x = points + 3 * (size_t)corners[i];
        flat->u[i] = x[(axis + 1) % 3];
        flat->v[i] = sign * (double)x[(axis + 2) % 3];
    }
}

static double Area(const Flat* f, int a, int b, int c)
{
    return (f->u[b] - f->u[a]) * (f->v[c] - f->v[a]) - (f->v[b] - f->v[a]) * (f->u[c] - f->u[a]);
}

static bool Inside(const Flat* f, int a, int b, int c, int p)
{
    bool corner = (f->u[p] == f->u[a] && f->v[p] == f->v[a]) || (f->u[p] == f->u[b] && f->v[p] == f->v[b]) ||
                  (f->u[p] == f->u[c] && f->v[p] == f->v[c]);
    return !corner && Area(f, a, b, p) >= 0.0 && Area(f, b, c, p) >= 0.0 && Area(f, c, a, p) >= 0.0;
}

static double Squared(const Flat* f, int a, int b)
{
    return (f->u[a] - f->u[b]) * (f->u[a] - f->u[b]) + (f->v[a] - f->v[b]) * (f->v[a] - f->v[b]);
}

// How good an ear the corner is: its area over the square of its longest side; negative when it is none.
static double Quality(const Flat* f, const int* ring, int count, int at)
{
    int a = ring[(at + count - 1) % count], b = ring[at], c = ring[(at + 1) % count];
    double area = Area(f, a, b, c);
    if (!(area > 0.0))
    {
        return -1.0;
    }
    for (int i = 0; i < count; ++i)
    {
        if (ring[i] != a && ring[i] != b && ring[i] != c && Inside(f, a, b, c, ring[i]))
        {
            return -1.0;
        }
    }
    return area / fmax(Squared(f, a, b), fmax(Squared(f, b, c), Squared(f, c, a)));
}

void rslPolygon_Cut(const float* points, const unsigned* corners, int count, int* triangles)
{
    int ring[RSL_POLYGON_MOST];
    Flat flat;
    for (int i = 0; i < count; ++i)
    {
        ring[i] = i;
    }
    if (count > 3)
    {
        Project(points, corners, count, &flat);
    }
    for (; count > 3; --count)
    {
        int best = 1;
        double most = -1.0;
        for (int i = 0; i < count; ++i)
        {
            double quality = Quality(&flat, ring, count, i);
            if (quality > most)
            {
                most = quality;
                best = i;
            }
        }
        *triangles++ = ring[(best + count - 1) % count];
        *triangles++ = ring[best];
        *triangles++ = ring[(best + 1) % count];
        for (int i = best; i + 1 < count; ++i)
        {
            ring[i] = ring[i + 1];
        }
    }
    triangles[0] = ring[0];
    triangles[1] = ring[1];
    triangles[2] = ring[2];
}
