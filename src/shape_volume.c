// SPDX-License-Identifier: MIT
//
// shape_volume.c: the volume of a shape: in closed form for primitives, of its own triangles for a mesh, by cells for
// combinations and the rabbit.
//
// A cell of side h that the surface does not reach is in or out. Others are cut into 3^3 of side s, and one whose middle
// is at the signed distance d counts 1/2 - d/s, between 0 and 1: exact for faces along the cells, and for others right
// in the mean, because the true part that a plane cuts off is odd about 1/2 in d as well. The error is of the order of
// the curvature times s^2 of the surface.

#include "shape_internal.h"

static double OwnVolume(const rslShape* shape)
{
    const double pi = 3.14159265358979323846;
    double r = shape->radius;
    switch (shape->type)
    {
        case rsl_boxShape: return 8.0 * shape->half.x * shape->half.y * shape->half.z;
        case rsl_sphereShape: return 4.0 / 3.0 * pi * r * r * r;
        case rsl_ellipsoidShape: return 4.0 / 3.0 * pi * shape->radii.x * shape->radii.y * shape->radii.z;
        case rsl_cylinderShape: return 2.0 * pi * r * r * shape->reach;
        case rsl_capsuleShape: return 2.0 * pi * r * r * shape->reach + 4.0 / 3.0 * pi * r * r * r;
        case rsl_torusShape: return 2.0 * pi * pi * r * shape->tube * shape->tube;
        default: return 0.0;
    }
}

// The part of a cell about a middle that is in the shape.
static double PartOf(const rslShape* shape, rslVec3 middle, double h)
{
    double s = h / 3.0, sum = 0.0;
    for (int i = 0; i < 27; ++i)
    {
        rslVec3 at = { middle.x + s * (i % 3 - 1), middle.y + s * (i / 3 % 3 - 1), middle.z + s * (i / 9 - 1) };
        double part = 0.5 - rslShape_Distance(shape, at) / s;
        sum += part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
    }
    return sum / 27.0;
}

// Cells of one line, from the middle of the first on. The size of the distance is never more than the true one, so that
// it tells about the next cells as well.
static double LineOfCells(const rslShape* shape, rslVec3 at, double h, double count)
{
    const double halfDiagonal = 0.87 * h, start = at.x;
    double sum = 0.0;
    for (double i = 0.0; i < count;)
    {
        at.x = start + i * h;
        double distance = rslShape_Distance(shape, at), sure = fabs(distance) - halfDiagonal;
        double alike = sure > 0.0 ? floor(sure / h) + 1.0 : 1.0;
        alike = alike < count - i ? alike : count - i;
        sum += sure <= 0.0 ? PartOf(shape, at, h) : distance < 0.0 ? alike : 0.0;
        i += alike;
    }
    return sum;
}

static double VolumeOfCells(const rslShape* shape, double h)
{
    rslBounds b = rslShape_Bounds(shape);
    double nx = ceil((b.upper.x - b.lower.x) / h), ny = ceil((b.upper.y - b.lower.y) / h);
    double nz = ceil((b.upper.z - b.lower.z) / h), sum = 0.0;
    for (double k = 0.0; k < nz; k += 1.0)
    {
        for (double j = 0.0; j < ny; j += 1.0)
        {
            rslVec3 at = { b.lower.x + 0.5 * h, b.lower.y + (j + 0.5) * h, b.lower.z + (k + 0.5) * h };
            sum += LineOfCells(shape, at, h, nx);
        }
    }
    return sum * h * h * h;
}

double rslShape_Volume(const rslShape* shape, double cell)
{
    double own = shape->type == rsl_meshShape
                     ? rslMesh_Volume(shape->mesh->vertices, shape->mesh->triangles, shape->mesh->triangleCount)
                     : OwnVolume(shape);
    return own > 0.0 ? own * shape->scale * shape->scale * shape->scale : VolumeOfCells(shape, cell);
}
