// SPDX-License-Identifier: MIT
//
// picture_scene.c: a snapshot scaled into the unit ball, and drawn with any pen.

#include "normals.h"
#include "picture.h"

#define LIMIT 1e150  // beyond it squares overflow; such points are left out like those that are not finite

static rslVec3 Load(const double* xyz, int64_t index)
{
    return (rslVec3){ xyz[3 * index], xyz[3 * index + 1], xyz[3 * index + 2] };
}

static bool IsUsable(rslVec3 p)
{
    return fabs(p.x) < LIMIT && fabs(p.y) < LIMIT && fabs(p.z) < LIMIT;
}

static rslVec3 LoadFloat(const float* xyz, int64_t index)
{
    return (rslVec3){ (double)xyz[3 * index], (double)xyz[3 * index + 1], (double)xyz[3 * index + 2] };
}

rslVec3 rslDrawing_Node(const rslDrawing* drawing, int64_t node)
{
    return LoadFloat(drawing->nodes, node);
}

rslVec3 rslDrawing_Vertex(const rslDrawing* drawing, int64_t vertex)
{
    return LoadFloat(drawing->vertices, vertex);
}

// ---- size -----------------------------------------------------------------------------------------------------------

static void Include(rslBounds* bounds, const double* xyz, int count, bool* any)
{
    for (int i = 0; i < count; ++i)
    {
        rslVec3 p = Load(xyz, i);
        if (!IsUsable(p))
        {
            continue;
        }
        if (!*any)
        {
            *bounds = (rslBounds){ p, p };
            *any = true;
        }
        bounds->lower.x = p.x < bounds->lower.x ? p.x : bounds->lower.x;
        bounds->lower.y = p.y < bounds->lower.y ? p.y : bounds->lower.y;
        bounds->lower.z = p.z < bounds->lower.z ? p.z : bounds->lower.z;
        bounds->upper.x = p.x > bounds->upper.x ? p.x : bounds->upper.x;
        bounds->upper.y = p.y > bounds->upper.y ? p.y : bounds->upper.y;
        bounds->upper.z = p.z > bounds->upper.z ? p.z : bounds->upper.z;
    }
}

// A flat scene on a ground that is not upright is a cloth in space rather than a 2D scene.
static bool IsFlat(const rslPictureDef* def, rslVec3 size)
{
    double width = size.x > size.y ? size.x : size.y;
    bool uprightGround = !def->ground.enabled || fabs(def->ground.normal.y) > 0.7;
    return width > 0.0 && size.z <= 1e-9 * width && uprightGround;
}

static double Cut(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

// Solids belong to the picture as far as bodies are large.
static void IncludeSolids(rslBounds* bounds, const rslMesh* solids, bool* any)
{
    rslBounds b = *bounds;
    double reach = *any ? rslLength(rslSub(b.upper, b.lower)) : INFINITY;
    for (int i = 0; solids != NULL && i < solids->vertexCount; ++i)
    {
        rslVec3 p = Load(solids->vertices, i);
        double x[3] = { Cut(p.x, b.lower.x - reach, b.upper.x + reach), Cut(p.y, b.lower.y - reach, b.upper.y + reach),
                        Cut(p.z, b.lower.z - reach, b.upper.z + reach) };
        Include(bounds, x, 1, any);
    }
}

static void FindSize(rslDrawing* drawing)
{
    const rslSnapshot* s = drawing->snapshot;
    rslBounds bounds = { 0 };
    bool any = false;
    Include(&bounds, s->positions, s->nodeCount, &any);
    Include(&bounds, s->vertices, s->vertexCount, &any);
    IncludeSolids(&bounds, drawing->def->solids, &any);
    rslVec3 size = rslSub(bounds.upper, bounds.lower);
    drawing->empty = !any;
    drawing->flat = IsFlat(drawing->def, size);
    drawing->centre = rslMulAdd(bounds.lower, 0.5, size);
    drawing->radius = 0.5 * rslLength(size);
    if (!(drawing->radius > 1e-150))
    {
        drawing->radius = 1.0;
    }
}

static void PlaceGround(rslDrawing* drawing)
{
    const rslPlane* ground = &drawing->def->ground;
    rslVec3 normal = rslNormalize(ground->normal);
    normal = rslLength(normal) > 0.5 ? normal : (rslVec3){ 0, 0, 1 };
    // the foot of the centre, so that it stays near however far the given point is
    double height = rslDot(rslSub(drawing->centre, ground->point), normal) / drawing->radius;
    drawing->groundNormal = normal;
    drawing->groundPoint = rslScale(-height, normal);
    drawing->hasGround = drawing->def->drawGround && ground->enabled && fabs(height) < 1e6;
}

static void Scale(const rslDrawing* drawing, const double* from, int count, float* to)
{
    for (int i = 0; i < count; ++i)
    {
        rslVec3 p = Load(from, i);
        bool usable = IsUsable(p);
        p = rslScale(1.0 / drawing->radius, rslSub(p, drawing->centre));
        float* out = to + 3 * (size_t)i;
        out[0] = usable ? (float)p.x : NAN;
        out[1] = usable ? (float)p.y : NAN;
        out[2] = usable ? (float)p.z : NAN;
    }
}

// Thickness of springs and nodes: a share of the mean spring, or of the mean distance of nodes without springs.
static void FindThickness(rslDrawing* drawing)
{
    const rslSnapshot* s = drawing->snapshot;
    double sum = 0.0;
    int64_t count = 0;
    int64_t stride = s->springCount / 100000 + 1;
    for (int64_t i = 0; s->springs != NULL && i < s->springCount; i += stride)
    {
        double length = rslLength(
            rslSub(rslDrawing_Node(drawing, s->springs[2 * i]), rslDrawing_Node(drawing, s->springs[2 * i + 1])));
        if (isfinite(length))
        {
            sum += length;
            count += 1;
        }
    }
    // without springs: a cloud of n nodes in a cube of side 1.2; its cube root is not needed sharply
    double spacing = count > 0 ? sum / (double)count : 1.2;
    for (int64_t n = 8; count == 0 && n < s->nodeCount; n *= 8)
    {
        spacing *= 0.5;
    }
    drawing->nodeRadius = 0.10 * spacing < 0.04 ? 0.10 * spacing : 0.04;
    drawing->springRadius = 0.035 * spacing < 0.012 ? 0.035 * spacing : 0.012;
}

// ---- values ---------------------------------------------------------------------------------------------------------

static double Dilation(const double* strain)
{
    return strain[0] + strain[1] + strain[2];
}

rslFieldSet rslPictureField_Set(rslPictureField field)
{
    return (rslFieldSet){
        .vonMises = field == rsl_vonMisesField,
        .principal = field == rsl_principalField,
        .strain = field == rsl_dilationField,
        .modulus = field == rsl_modulusField,
    };
}

static double NodeValue(const rslSnapshot* s, const rslPictureDef* def, int64_t node)
{
    switch (def->field)
    {
        case rsl_speedField: return s->velocities ? rslLength(Load(s->velocities, node)) : NAN;
        case rsl_tensionField: return s->tension ? s->tension[node] : NAN;
        case rsl_energyDensityField: return s->energyDensity ? s->energyDensity[node] : NAN;
        case rsl_heightField: return s->positions[3 * node + 2];
        case rsl_vonMisesField: return s->vonMises ? s->vonMises[node] : NAN;
        case rsl_principalField: return s->principal ? s->principal[3 * node] : NAN;
        case rsl_dilationField: return s->strain ? Dilation(s->strain + 6 * node) : NAN;
        case rsl_modulusField: return s->modulus ? s->modulus[node] : NAN;
        case rsl_givenField: return def->values ? def->values[node] : NAN;
    }
    return NAN;
}

static const char* TitleOf(const rslPictureDef* def)
{
    switch (def->field)
    {
        case rsl_speedField: return "speed [m/s]";
        case rsl_tensionField: return "tension [N]";
        case rsl_energyDensityField: return "energy density [J/m^]";
        case rsl_heightField: return "height z [m]";
        case rsl_vonMisesField: return "von Mises [Pa]";
        case rsl_principalField: return "largest stress [Pa]";
        case rsl_dilationField: return "dilation";
        case rsl_modulusField: return "bulk modulus [Pa]";
        case rsl_givenField: return def->title ? def->title : "";
    }
    return "";
}

// Tension and its like have a sign: their range is even about zero. The others span what there is; a single value gets some room.
static void FindRange(rslDrawing* drawing)
{
    const rslSnapshot* s = drawing->snapshot;
    rslValueScale* scale = &drawing->scale;
    bool any = false;
    for (int i = 0; i < s->nodeCount; ++i)
    {
        double value = NodeValue(s, drawing->def, i);
        if (fabs(value) < LIMIT)
        {
            scale->lower = any && scale->lower < value ? scale->lower : value;
            scale->upper = any && scale->upper > value ? scale->upper : value;
            any = true;
        }
    }
    if (scale->diverging)
    {
        double most = -scale->lower > scale->upper ? -scale->lower : scale->upper;
        scale->upper = most > 0.0 ? most : 1.0;
        scale->lower = -scale->upper;
    }
    if (!(scale->upper - scale->lower > 1e-12 * (fabs(scale->lower) + fabs(scale->upper))))
    {
        double room = scale->upper != 0.0 ? 0.05 * fabs(scale->upper) : 1.0;
        scale->upper += room;
        scale->lower -= scale->lower == 0.0 ? 0.0 : room;
    }
}

// Values at the vertices are those of their node, evened out over neighbours, so that cells do not show.
static void SmoothVertices(rslDrawing* drawing, float* sums, int* counts)
{
    const rslSnapshot* s = drawing->snapshot;
    for (int i = 0; i < s->vertexCount; ++i)
    {
        sums[i] = 2.0f * drawing->vertexValue[i];
        counts[i] = 2;
    }
    for (int64_t i = 0; i < 3 * (int64_t)s->triangleCount; ++i)
    {
        int from = s->triangles[i], to = s->triangles[i % 3 == 2 ? i - 2 : i + 1];
        // both ways: an edge of the border belongs to one triangle only
        sums[to] += drawing->vertexValue[from];
        sums[from] += drawing->vertexValue[to];
        counts[to] += 1;
        counts[from] += 1;
    }
    for (int i = 0; i < s->vertexCount; ++i)
    {
        drawing->vertexValue[i] = sums[i] / (float)counts[i];
    }
}

static bool MakeValues(rslDrawing* drawing, rslArena* arena)
{
    const rslSnapshot* s = drawing->snapshot;
    rslValueScale* scale = &drawing->scale;
    scale->used = drawing->def->style != rsl_shadedPicture && !drawing->empty;
    if (!scale->used)
    {
        return true;
    }
    rslPictureField field = drawing->def->field;
    scale->diverging = field == rsl_tensionField || field == rsl_principalField || field == rsl_dilationField;
    scale->title = TitleOf(drawing->def);
    FindRange(drawing);
    drawing->nodeValue = rslArena_Allocate(arena, (size_t)s->nodeCount, sizeof(float));
    drawing->vertexValue = rslArena_Allocate(arena, (size_t)s->vertexCount, sizeof(float));
    float* sums = rslArena_Allocate(arena, (size_t)s->vertexCount, sizeof(float));
    int* counts = rslArena_Allocate(arena, (size_t)s->vertexCount, sizeof(int));
    if (!drawing->nodeValue || !drawing->vertexValue || !sums || !counts)
    {
        return false;
    }
    double zero = scale->diverging ? 0.0 : scale->lower, size = scale->upper - zero;
    for (int i = 0; i < s->nodeCount; ++i)
    {
        double value = (NodeValue(s, drawing->def, i) - zero) / size;
        drawing->nodeValue[i] = fabs(value) <= 1.0 ? (float)value : 0.0f;
    }
    for (int i = 0; i < s->vertexCount; ++i)
    {
        drawing->vertexValue[i] = drawing->nodeValue[s->vertexNode[i]];
    }
    for (int pass = 0; pass < 3; ++pass)
    {
        SmoothVertices(drawing, sums, counts);
    }
    return true;
}

static bool MakeSolids(rslDrawing* drawing, rslArena* arena)
{
    const rslMesh* m = drawing->def->solids;
    if (m == NULL || m->triangleCount == 0)
    {
        return true;
    }
    drawing->solids = rslArena_Allocate(arena, 3 * (size_t)m->vertexCount, sizeof(float));
    drawing->solidNormals = rslArena_Allocate(arena, 9 * (size_t)m->triangleCount, sizeof(float));
    int* first = rslArena_Allocate(arena, (size_t)m->vertexCount + 1, sizeof(int));
    int* around = rslArena_Allocate(arena, 3 * (size_t)m->triangleCount, sizeof(int));
    if (!drawing->solids || !drawing->solidNormals || !first || !around)
    {
        return false;
    }
    Scale(drawing, m->vertices, m->vertexCount, drawing->solids);
    rslNormals_ComputeCorners(m->triangles, m->triangleCount, drawing->solids, m->vertexCount, first, around,
                              drawing->solidNormals);
    return true;
}

bool rslDrawing_Make(rslDrawing* drawing, const rslSnapshot* snapshot, const rslPictureDef* def, rslArena* arena)
{
    const rslSnapshot* s = snapshot;
    *drawing = (rslDrawing){ .snapshot = s, .def = def };
    FindSize(drawing);
    PlaceGround(drawing);
    drawing->nodes = rslArena_Allocate(arena, 3 * (size_t)s->nodeCount, sizeof(float));
    drawing->vertices = rslArena_Allocate(arena, 3 * (size_t)s->vertexCount, sizeof(float));
    drawing->normals = rslArena_Allocate(arena, 9 * (size_t)s->triangleCount, sizeof(float));
    int* first = rslArena_Allocate(arena, (size_t)s->vertexCount + 1, sizeof(int));
    int* around = rslArena_Allocate(arena, 3 * (size_t)s->triangleCount, sizeof(int));
    drawing->hasSurface = rslArena_Allocate(arena, (size_t)s->bodyCount, sizeof(bool));
    if (!drawing->nodes || !drawing->vertices || !drawing->normals || !drawing->hasSurface || !first || !around)
    {
        return false;
    }
    Scale(drawing, s->positions, s->nodeCount, drawing->nodes);
    Scale(drawing, s->vertices, s->vertexCount, drawing->vertices);
    rslNormals_ComputeCorners(s->triangles, s->triangleCount, drawing->vertices, s->vertexCount, first, around,
                              drawing->normals);
    for (int i = 0; i < s->triangleCount; ++i)
    {
        drawing->hasSurface[s->vertexBody[s->triangles[3 * (size_t)i]]] = true;
    }
    FindThickness(drawing);
    return MakeSolids(drawing, arena) && MakeValues(drawing, arena);
}

// ---- drawing --------------------------------------------------------------------------------------------------------

static void SetBody(const rslDrawing* drawing, const rslPen* pen, int body)
{
    rslShading* shading = pen->context;
    if (shading != NULL)
    {
        shading->colour = rslColour_OfBody(body);
        shading->byValue = drawing->scale.used;
    }
}

// Corners among vertices, with a normal and, unless values is NULL, a value each.
static void DrawTriangle(const rslPen* pen, const int corner[3], const float* vertices, const float* normals,
                         const float* values)
{
    rslSurfacePoint p[3];
    for (int i = 0; i < 3; ++i)
    {
        p[i].position = LoadFloat(vertices, corner[i]);
        p[i].value = values ? (double)values[corner[i]] : 0.0;
    }
    rslVec3 face = rslCross(rslSub(p[1].position, p[0].position), rslSub(p[2].position, p[0].position));
    if (!rslIsFinite3(face))
    {
        return;
    }
    face = rslNormalize(face);
    double side = rslDot(face, rslCamera_ToViewer(pen->camera, p[0].position)) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; ++i)
    {
        const float* n = normals + 3 * (size_t)i;
        p[i].normal = rslScale(side, (rslVec3){ (double)n[0], (double)n[1], (double)n[2] });
    }
    rslPen_Triangle(pen, p);
}

static void DrawSurfaces(const rslDrawing* drawing, const rslPen* pen)
{
    const rslSnapshot* s = drawing->snapshot;
    for (int t = 0; t < s->triangleCount; ++t)
    {
        const int* corner = s->triangles + 3 * (size_t)t;
        SetBody(drawing, pen, s->vertexBody[corner[0]]);
        DrawTriangle(pen, corner, drawing->vertices, drawing->normals + 9 * (size_t)t, drawing->vertexValue);
    }
}

static void DrawSolids(const rslDrawing* drawing, const rslPen* pen)
{
    const rslMesh* m = drawing->def->solids;
    rslShading* shading = pen->context;
    if (shading != NULL)
    {
        shading->colour = (rslColour){ 0.62f, 0.62f, 0.64f };
        shading->byValue = false;
    }
    for (int t = 0; drawing->solids != NULL && t < m->triangleCount; ++t)
    {
        DrawTriangle(pen, m->triangles + 3 * (size_t)t, drawing->solids, drawing->solidNormals + 9 * (size_t)t, NULL);
    }
}

// Whether nodes and springs of a body are shown.
static bool ShowsNetwork(const rslDrawing* drawing, int body, bool asShadow)
{
    bool springStyle = drawing->def->style == rsl_springPicture && !asShadow;
    return springStyle || !drawing->hasSurface[body];
}

// Of very many springs, each thinner than a pixel, the nodes are not seen; and nodes alone throw the same shadow.
static bool IsDense(const rslSnapshot* s)
{
    return s->springs != NULL && s->springCount > 400000;
}

static void DrawNodes(const rslDrawing* drawing, const rslPen* pen, bool asShadow)
{
    const rslSnapshot* s = drawing->snapshot;
    if (IsDense(s) && !asShadow)
    {
        return;
    }
    // thick enough to leave no gaps
    double radius = IsDense(s) ? 4.0 * drawing->nodeRadius : drawing->nodeRadius;
    for (int i = 0; i < s->nodeCount; ++i)
    {
        rslVec3 p = rslDrawing_Node(drawing, i);
        if (ShowsNetwork(drawing, s->nodeBody[i], asShadow) && rslIsFinite3(p))
        {
            SetBody(drawing, pen, s->nodeBody[i]);
            rslPen_Ball(pen, p, radius, drawing->nodeValue ? (double)drawing->nodeValue[i] : 0.0);
        }
    }
}

static void DrawSprings(const rslDrawing* drawing, const rslPen* pen, bool asShadow)
{
    const rslSnapshot* s = drawing->snapshot;
    bool shown = s->springs != NULL && !(asShadow && IsDense(s));
    for (int64_t i = 0; shown && i < s->springCount; ++i)
    {
        int a = s->springs[2 * i], b = s->springs[2 * i + 1];
        rslVec3 p = rslDrawing_Node(drawing, a), q = rslDrawing_Node(drawing, b);
        if (ShowsNetwork(drawing, s->nodeBody[a], asShadow) && rslIsFinite3(p) && rslIsFinite3(q))
        {
            double valueA = drawing->nodeValue ? (double)drawing->nodeValue[a] : 0.0;
            double valueB = drawing->nodeValue ? (double)drawing->nodeValue[b] : 0.0;
            SetBody(drawing, pen, s->nodeBody[a]);
            rslPen_Rod(pen, p, q, drawing->springRadius, valueA, valueB);
        }
    }
}

void rslDrawing_Draw(const rslDrawing* drawing, rslPen* pen, bool asShadow)
{
    DrawSolids(drawing, pen);
    if (asShadow || drawing->def->style != rsl_springPicture)
    {
        DrawSurfaces(drawing, pen);
    }
    DrawNodes(drawing, pen, asShadow);
    DrawSprings(drawing, pen, asShadow);
}
