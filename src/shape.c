// SPDX-License-Identifier: MIT
//
// shape.c: making a shape from its definition, and the questions to it.
//
// A union is the least of its parts' distances, an intersection the greatest, a difference the greatest of the first
// and the negative of the others. Neither ever exceeds the true distance, and the sign is exact.

#include "elementary.h"
#include "memory.h"
#include "shape_internal.h"

enum
{
    DEEPEST = 64,  // of combinations within combinations
};

static bool IsCombination(rslShapeType type)
{
    return type == rsl_unionShape || type == rsl_differenceShape || type == rsl_intersectionShape;
}

// ---- questions ------------------------------------------------------------------------------------------------------

static double CombinedDistance(const rslShape* shape, rslVec3 q)
{
    double distance = rslShape_Distance(shape->parts[0], q);
    for (int i = 1; i < shape->partCount; ++i)
    {
        double other = rslShape_Distance(shape->parts[i], q);
        other = shape->type == rsl_differenceShape ? -other : other;
        bool less = other < distance;
        distance = less == (shape->type == rsl_unionShape) ? other : distance;
    }
    return distance;
}

double rslShape_Distance(const rslShape* shape, rslVec3 point)
{
    rslVec3 q = rslShape_ToOwn(shape, point);
    double distance;
    switch (shape->type)
    {
        case rsl_meshShape: distance = rslMeshTree_Distance(shape->mesh, q); break;
        case rsl_rabbitShape: distance = shape->reach * rslRabbit_Distance(rslScale(1.0 / shape->reach, q)); break;
        case rsl_unionShape:
        case rsl_differenceShape:
        case rsl_intersectionShape: distance = CombinedDistance(shape, q); break;
        default: distance = rslPrimitive_Distance(shape, q); break;
    }
    return shape->scale * distance;
}

// A point within rounding of the bounds is not thrown out.
static bool OutOfBounds(const rslShape* shape, rslVec3 p)
{
    const rslBounds* b = &shape->bounds;
    double e = shape->tolerance;
    return p.x < b->lower.x - e || p.x > b->upper.x + e || p.y < b->lower.y - e || p.y > b->upper.y + e ||
           p.z < b->lower.z - e || p.z > b->upper.z + e;
}

// In a difference every part but the first takes away its inner points only: its surface stays. So what touches at a
// face in a union or a difference leaves no gap and no skin of rounding size. -1: the inner points only.
static bool ContainsWithin(const rslShape* shape, rslVec3 p, double side)
{
    if (OutOfBounds(shape, p))
    {
        return false;
    }
    rslVec3 q = rslShape_ToOwn(shape, p);
    switch (shape->type)
    {
        case rsl_meshShape: return rslMeshTree_Contains(shape->mesh, q);
        case rsl_unionShape:
            for (int i = 0; i < shape->partCount; ++i)
            {
                if (ContainsWithin(shape->parts[i], q, side))
                    return true;
            }
            return false;
        case rsl_intersectionShape:
            for (int i = 0; i < shape->partCount; ++i)
            {
                if (!ContainsWithin(shape->parts[i], q, side))
                    return false;
            }
            return true;
        case rsl_differenceShape:
            if (!ContainsWithin(shape->parts[0], q, side))
                return false;
            for (int i = 1; i < shape->partCount; ++i)
            {
                if (ContainsWithin(shape->parts[i], q, -side))
                    return false;
            }
            return true;
        case rsl_rabbitShape:
            return shape->reach * rslRabbit_Distance(rslScale(1.0 / shape->reach, q)) <= side * shape->tolerance;
        default: return rslPrimitive_Distance(shape, q) * shape->scale <= side * shape->tolerance;
    }
}

bool rslShape_Contains(const rslShape* shape, rslVec3 point)
{
    return ContainsWithin(shape, point, 1.0);
}

// ---- bounds ---------------------------------------------------------------------------------------------------------

static double MeshSupport(const rslMeshTree* mesh, rslVec3 d)
{
    double most = -INFINITY;
    for (int i = 0; i < mesh->vertexCount; ++i)
    {
        const double* x = mesh->vertices + 3 * (size_t)i;
        most = fmax(most, x[0] * d.x + x[1] * d.y + x[2] * d.z);
    }
    return most;
}

static double BoundsSupport(rslBounds b, rslVec3 d)
{
    return (d.x > 0.0 ? b.upper.x : b.lower.x) * d.x + (d.y > 0.0 ? b.upper.y : b.lower.y) * d.y +
           (d.z > 0.0 ? b.upper.z : b.lower.z) * d.z;
}

// The greatest direction . x over the shape, or more; direction has length one.
static double Support(const rslShape* shape, rslVec3 direction)
{
    rslVec3 d = shape->turned ? rslMatTVec(&shape->rotation, direction) : direction;
    double most;
    switch (shape->type)
    {
        case rsl_meshShape: most = MeshSupport(shape->mesh, d); break;
        case rsl_rabbitShape: most = shape->reach * BoundsSupport(rslRabbit_Bounds(), d); break;
        case rsl_differenceShape: most = Support(shape->parts[0], d); break;
        case rsl_unionShape:
        case rsl_intersectionShape:
            most = Support(shape->parts[0], d);
            for (int i = 1; i < shape->partCount; ++i)
            {
                double other = Support(shape->parts[i], d);
                most = shape->type == rsl_unionShape ? fmax(most, other) : fmin(most, other);
            }
            break;
        default: most = rslPrimitive_Support(shape, d); break;
    }
    return rslDot(direction, shape->translation) + shape->scale * most;
}

static rslBounds BoundsAlong(const rslShape* shape, const rslMat3* axes)
{
    double lower[3], upper[3];
    for (int i = 0; i < 3; ++i)
    {
        rslVec3 unit = { i == 0, i == 1, i == 2 };
        rslVec3 d = rslMatVec(axes, unit);
        upper[i] = Support(shape, d);
        lower[i] = -Support(shape, rslScale(-1.0, d));
    }
    return (rslBounds){ { lower[0], lower[1], lower[2] }, { upper[0], upper[1], upper[2] } };
}

rslBounds rslShape_Bounds(const rslShape* shape)
{
    return shape->bounds;
}

rslBounds rslShape_BoundsIn(const rslShape* shape, rslQuat axes)
{
    rslMat3 m = rslQuatMatrix(axes);
    return BoundsAlong(shape, &m);
}

// ---- making ---------------------------------------------------------------------------------------------------------

static bool Positive(double value)
{
    return isfinite(value) && value > 0.0;
}

static rslStatus Refuse(rslReport* report, rslPlace place, const char* what, double found)
{
    rslReport_Add(report, rsl_error, place, "%s must be a finite number greater than 0, found %g", what, found);
    return rsl_badInput;
}

static rslStatus CheckSizes(const rslShapeDef* def, rslReport* report)
{
    const double* r = &def->radii.x;
    const double* s = &def->size.x;
    switch (def->type)
    {
        case rsl_boxShape:
            for (int i = 0; i < 3; ++i)
            {
                if (!Positive(s[i]))
                    return Refuse(report, def->place, "the size of a box", s[i]);
            }
            return rsl_ok;
        case rsl_ellipsoidShape:
            for (int i = 0; i < 3; ++i)
            {
                if (!Positive(r[i]))
                    return Refuse(report, def->place, "a radius of an ellipsoid", r[i]);
            }
            return rsl_ok;
        case rsl_sphereShape:
            return Positive(def->radius) ? rsl_ok : Refuse(report, def->place, "the radius of a sphere", def->radius);
        case rsl_cylinderShape:
        case rsl_capsuleShape:
            if (!Positive(def->radius))
                return Refuse(report, def->place, "the radius", def->radius);
            return Positive(def->height) ? rsl_ok : Refuse(report, def->place, "the height", def->height);
        case rsl_torusShape:
            if (!Positive(def->radius))
                return Refuse(report, def->place, "the radius of the ring", def->radius);
            if (!Positive(def->tubeRadius))
                return Refuse(report, def->place, "the radius of the tube", def->tubeRadius);
            if (def->tubeRadius < def->radius)
                return rsl_ok;
            rslReport_Add(report, rsl_error, def->place,
                          "the tube radius %g of a torus must be less than its ring radius %g", def->tubeRadius,
                          def->radius);
            return rsl_badInput;
        case rsl_rabbitShape:
            return Positive(def->height) ? rsl_ok : Refuse(report, def->place, "the height of a rabbit", def->height);
        default: return rsl_ok;
    }
}

static rslStatus CheckDef(const rslShapeDef* def, rslReport* report)
{
    if ((int)def->type < 0 || def->type >= rsl_shapeTypeCount)
    {
        rslReport_Add(report, rsl_error, def->place, "unknown type of shape %d", (int)def->type);
        return rsl_badInput;
    }
    if (!Positive(def->scale))
    {
        return Refuse(report, def->place, "scale", def->scale);
    }
    if (!rslIsFinite3(def->translate) || !rslIsFinite3(def->rotate.axis) || !isfinite(def->rotate.angle))
    {
        rslReport_Add(report, rsl_error, def->place, "translate and rotate must be finite numbers");
        return rsl_badInput;
    }
    if (IsCombination(def->type) && (def->partCount < 1 || def->parts == NULL))
    {
        rslReport_Add(report, rsl_error, def->place, "a combination of shapes needs at least one part");
        return rsl_badInput;
    }
    return CheckSizes(def, report);
}

static rslStatus CreateAt(const rslShapeDef* def, const rslHooks* hooks, int depth, rslShape** out, rslReport* report);

static rslStatus CreateParts(rslShape* shape, const rslShapeDef* def, int depth, rslReport* report)
{
    if (depth >= DEEPEST)
    {
        rslReport_Add(report, rsl_error, def->place, "combinations of shapes are nested more than %d deep", DEEPEST);
        return rsl_badInput;
    }
    shape->parts = rslAllocate(&shape->hooks, (size_t)def->partCount, sizeof(rslShape*));
    if (shape->parts == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int i = 0; i < def->partCount; ++i)
    {
        rslStatus status = CreateAt(&def->parts[i], &shape->hooks, depth + 1, &shape->parts[i], report);
        if (status != rsl_ok)
        {
            return status;
        }
        shape->partCount = i + 1;
    }
    return rsl_ok;
}

static void SetSizes(rslShape* shape, const rslShapeDef* def)
{
    shape->type = def->type;
    shape->half = rslScale(0.5, def->size);
    shape->radii = def->radii;
    shape->radius = def->radius;
    shape->tube = def->tubeRadius;
    shape->reach = def->type == rsl_rabbitShape ? def->height : 0.5 * def->height;
    shape->scale = def->scale;
    shape->turned = def->rotate.angle != 0.0 && rslLength(def->rotate.axis) > 0.0;
    rslQuat q = shape->turned ? rslQuatFromDegrees(def->rotate.axis, def->rotate.angle) : (rslQuat){ 1.0, 0, 0, 0 };
    shape->rotation = rslQuatMatrix(q);
    shape->translation = def->translate;
}

static void SetBounds(rslShape* shape)
{
    rslMat3 world = { { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } } };
    shape->bounds = BoundsAlong(shape, &world);
    rslBounds b = shape->bounds;
    double extent = rslLength(rslSub(b.upper, b.lower));
    double away = fmax(fmax(fmax(fabs(b.lower.x), fabs(b.upper.x)), fmax(fabs(b.lower.y), fabs(b.upper.y))),
                       fmax(fabs(b.lower.z), fabs(b.upper.z)));
    // eight roundings of a coordinate
    shape->tolerance = 1e-15 * (extent + away);
}

static rslStatus CreateAt(const rslShapeDef* def, const rslHooks* hooks, int depth, rslShape** out, rslReport* report)
{
    rslStatus status = CheckDef(def, report);
    if (status != rsl_ok)
    {
        return status;
    }
    rslShape* shape = rslAllocate(hooks, 1, sizeof *shape);
    if (shape == NULL)
    {
        return rsl_outOfMemory;
    }
    shape->hooks = *hooks;
    SetSizes(shape, def);
    if (def->type == rsl_meshShape)
    {
        status = rslMeshShape_Create(def, hooks, &shape->mesh, report);
    }
    else if (IsCombination(def->type))
    {
        status = CreateParts(shape, def, depth, report);
    }
    if (status != rsl_ok)
    {
        rslShape_Free(shape);
        return status;
    }
    SetBounds(shape);
    *out = shape;
    return rsl_ok;
}

rslStatus rslShape_Create(const rslShapeDef* def, const rslHooks* hooks, rslShape** shape, rslReport* report)
{
    rslHooks complete = rslHooks_Complete(hooks);
    *shape = NULL;
    rslStatus status = CreateAt(def, &complete, 0, shape, report);
    if (status == rsl_outOfMemory)
    {
        rslReport_Add(report, rsl_error, def->place, "out of memory while making a shape");
    }
    return status;
}

void rslShape_Free(rslShape* shape)
{
    if (shape == NULL)
    {
        return;
    }
    rslHooks hooks = shape->hooks;
    for (int i = 0; i < shape->partCount; ++i)
    {
        rslShape_Free(shape->parts[i]);
    }
    rslRelease(&hooks, shape->parts);
    rslMeshTree_Free(shape->mesh);
    rslRelease(&hooks, shape);
}
