// SPDX-License-Identifier: MIT
//
// compare_picture.c: frames for ParaView and a picture of a comparison. Both show the mesh of the reference, moved as each
// contender says.

#include "compare.h"
#include "draw.h"
#include "series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- frames ---------------------------------------------------------------------------------------------------------

enum
{
    FIELD_NAME = CLI_COMPARE_NAME + 8,
    MOST_FIELDS = 3 * CLI_COMPARE_MOST,
};

typedef struct Fields
{
    rslVtuField list[MOST_FIELDS];
    char names[MOST_FIELDS][FIELD_NAME];
    int count;
} Fields;

// u_fem_trilinear: what stands between the words of a model has no place in the name of an array.
static void AddField(Fields* fields, const char* what, const char* model, const double* values, int components)
{
    char* name = fields->names[fields->count];
    snprintf(name, FIELD_NAME, "%s_%s", what, model);
    for (char* c = name; *c != 0; ++c)
    {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        *c = plain ? *c : '_';
    }
    fields->list[fields->count++] = (rslVtuField){ name, values, components };
}

// The difference of a contender from the reference at every node, and its length.
static void Subtract(const cliContender* c, const cliContender* reference, double* difference, double* length)
{
    for (int i = 0; i < reference->loaded.model->nodeCount; ++i)
    {
        double squares = 0;
        for (size_t k = 3 * (size_t)i; k < 3 * (size_t)i + 3; ++k)
        {
            difference[k] = c->u[k] - reference->u[k];
            squares += difference[k] * difference[k];
        }
        length[i] = sqrt(squares);
    }
}

rslStatus cliCompare_WriteFrame(const cliCompare* compare, int frame, rslReport* report)
{
    const cliContender* reference = &compare->list[compare->reference];
    size_t nodes = (size_t)reference->loaded.model->nodeCount;
    double* room = malloc(4 * sizeof(double) * (nodes * (size_t)compare->count + 1));
    Fields fields = { .count = 0 };
    for (int i = 0; room != NULL && i < compare->count; ++i)
    {
        const cliContender* c = &compare->list[i];
        double *difference = room + 4 * nodes * (size_t)i, *length = difference + 3 * nodes;
        if (c->status != rsl_ok)
        {
            continue;
        }
        AddField(&fields, "u", c->name, c->u, 3);
        if (c != reference)
        {
            Subtract(c, reference, difference, length);
            AddField(&fields, "du", c->name, difference, 3);
            AddField(&fields, "error", c->name, length, 1);
        }
    }
    compare->snapshot->time = rslState_Time(reference->loaded.state);
    cliPath path = cliPath_Join(compare->directory.text, "compare_%06d.vtu", frame);
    rslStatus status = room != NULL
                           ? rslVtu_WriteFields(path.text, compare->snapshot, fields.list, fields.count, report)
                           : rsl_outOfMemory;
    free(room);
    return status;
}

rslStatus cliCompare_WriteSeries(const cliCompare* compare, rslReport* report)
{
    return cliSeries_Write(compare->directory.text, "compare", compare->times, compare->frames, report);
}

// ---- the picture ----------------------------------------------------------------------------------------------------

// Copies of the reference, one for each contender.
typedef struct Row
{
    rslSnapshot all;
    double* values;  // of every node: error over the largest |u| [%]
    rslPictureLabel labels[CLI_COMPARE_MOST];
    char texts[CLI_COMPARE_MOST][CLI_COMPARE_NAME + 40];
    int copies;
    double factor;  // that displacements are drawn larger by
    int axis;       // along which the copies stand
    double shift;   // of each from the one before [m]
} Row;

static double* XyzOf(double* xyz, size_t index)
{
    return xyz + 3 * index;
}

static bool AllocateRow(Row* row, const rslSnapshot* s, bool withSprings, int copies)
{
    size_t n = (size_t)copies, nodes = n * (size_t)s->nodeCount, vertices = n * (size_t)s->vertexCount;
    rslSnapshot* all = &row->all;
    all->positions = malloc(3 * sizeof(double) * (nodes + 1));
    all->nodeBody = malloc(sizeof(int) * (nodes + 1));
    all->vertices = malloc(3 * sizeof(double) * (vertices + 1));
    all->triangles = malloc(3 * sizeof(int) * (n * (size_t)s->triangleCount + 1));
    all->vertexBody = malloc(sizeof(int) * (vertices + 1));
    all->vertexNode = malloc(sizeof(int) * (vertices + 1));
    all->springs = withSprings ? malloc(2 * sizeof(int) * (n * (size_t)s->springCount + 1)) : NULL;
    row->values = malloc(sizeof(double) * (nodes + 1));
    return all->positions != NULL && all->nodeBody != NULL && all->vertices != NULL && all->triangles != NULL &&
           all->vertexBody != NULL && all->vertexNode != NULL && (all->springs != NULL || !withSprings) &&
           row->values != NULL;
}

static void FreeRow(Row* row)
{
    rslSnapshot* all = &row->all;
    void* const arrays[] = { all->positions,  all->nodeBody,   all->vertices, all->triangles,
                             all->vertexBody, all->vertexNode, all->springs,  row->values };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
    {
        free(arrays[i]);
    }
}

// Indices of the reference, raised to those of the next copy.
static void Append(int* to, int64_t* used, const int* from, int64_t count, int raise)
{
    for (int64_t i = 0; i < count; ++i)
    {
        to[(*used)++] = from[i] + raise;
    }
}

static void PlaceVertices(Row* row, const rslModel* model, int firstNode)
{
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslSurface* surface = &model->bodies[b].surface;
        for (int v = 0; v < surface->vertexCount; ++v)
        {
            double* to = XyzOf(row->all.vertices, (size_t)row->all.vertexCount++);
            to[0] = to[1] = to[2] = 0;
            for (int e = 8 * v; e < 8 * (v + 1); ++e)
            {
                double weight = surface->stencilWeights[e];
                const double* node = XyzOf(row->all.positions, (size_t)(firstNode + surface->stencilNodes[e]));
                for (int axis = 0; weight != 0 && axis < 3; ++axis)
                {
                    to[axis] += weight * node[axis];
                }
            }
        }
    }
}

// One more copy, moved as the contender says.
static void AddCopy(Row* row, const cliCompare* compare, const cliContender* c)
{
    const cliContender* reference = &compare->list[compare->reference];
    const rslSnapshot* s = compare->snapshot;
    rslSnapshot* all = &row->all;
    int firstNode = all->nodeCount, firstVertex = all->vertexCount, firstBody = all->bodyCount;
    int64_t corners = 3 * (int64_t)all->triangleCount, ends = 2 * all->springCount, n = firstNode, v = firstVertex,
            w = firstVertex;
    for (int i = 0; i < s->nodeCount; ++i)
    {
        double *to = XyzOf(all->positions, (size_t)all->nodeCount), squares = 0;
        for (int axis = 0; axis < 3; ++axis)
        {
            size_t k = 3 * (size_t)i + (size_t)axis;
            to[axis] = reference->start[k] + row->factor * c->u[k] + (axis == row->axis ? row->copies * row->shift : 0);
            squares += (c->u[k] - reference->u[k]) * (c->u[k] - reference->u[k]);
        }
        row->values[all->nodeCount++] = compare->largest > 0 ? 100 * sqrt(squares) / compare->largest : 0;
    }
    Append(all->nodeBody, &n, s->nodeBody, s->nodeCount, firstBody);
    Append(all->vertexBody, &v, s->vertexBody, s->vertexCount, firstBody);
    Append(all->vertexNode, &w, s->vertexNode, s->vertexCount, firstNode);
    Append(all->triangles, &corners, s->triangles, 3 * (int64_t)s->triangleCount, firstVertex);
    if (all->springs != NULL)
    {
        Append(all->springs, &ends, s->springs, 2 * s->springCount, firstNode);
        all->springCount += s->springCount;
    }
    PlaceVertices(row, reference->loaded.model, firstNode);
    all->triangleCount += s->triangleCount;
    all->bodyCount += s->bodyCount;
    row->copies += 1;
}

// The box of all nodes as they are drawn, of all contenders.
static rslBounds BoundsOf(const cliCompare* compare, double factor)
{
    const cliContender* reference = &compare->list[compare->reference];
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (int i = 0; i < compare->count; ++i)
    {
        const cliContender* c = &compare->list[i];
        for (size_t k = 0; c->status == rsl_ok && k < 3 * (size_t)reference->loaded.model->nodeCount; ++k)
        {
            double x = reference->start[k] + factor * c->u[k];
            low[k % 3] = fmin(low[k % 3], x);
            high[k % 3] = fmax(high[k % 3], x);
        }
    }
    return (rslBounds){ { low[0], low[1], low[2] }, { high[0], high[1], high[2] } };
}

// Displacements too small to be seen are drawn larger, by 1, 2 or 5 times a power of ten.
static double FactorOf(const cliCompare* compare)
{
    rslBounds b = BoundsOf(compare, 0);
    double size = fmax(b.upper.x - b.lower.x, fmax(b.upper.y - b.lower.y, b.upper.z - b.lower.z));
    double room = compare->largest > 0 ? 0.1 * size / compare->largest : 1, power = 1;
    while (power * 10 <= room && power < 1e12)
    {
        power *= 10;
    }
    return room < 2 ? 1 : room >= 5 * power ? 5 * power : room >= 2 * power ? 2 * power : power;
}

// Side by side along x, long ones along y; on a ground never away from it.
static void Arrange(Row* row, const cliCompare* compare)
{
    rslPlane ground = rslModel_Floor(compare->list[compare->reference].loaded.model, 0.0);
    row->factor = FactorOf(compare);
    rslBounds b = BoundsOf(compare, row->factor);
    double x = b.upper.x - b.lower.x, y = b.upper.y - b.lower.y, z = b.upper.z - b.lower.z;
    bool alongX = (ground.enabled && fabs(ground.normal.y) > 0.7) || x < 1.5 * fmax(y, z);
    row->axis = alongX ? 0 : 1;
    row->shift = (alongX ? 1.1 * x : -1.1 * y) + (alongX ? 0.1 : -0.1) * fmax(x, fmax(y, z));
}

// Above a copy; of those one behind the other, beside the corner that the next one leaves free.
static void Label(Row* row, const cliCompare* compare, const cliContender* c)
{
    bool flat = compare->original.scene.plane == rsl_planeXY, beside = row->axis == 1;
    rslBounds b = BoundsOf(compare, row->factor);
    double x = 0.5 * (b.lower.x + b.upper.x), y = 0.5 * (b.lower.y + b.upper.y);
    rslVec3 point = { beside ? b.lower.x : x,
                      beside && !flat   ? b.lower.y
                      : flat && !beside ? b.upper.y
                                        : y,
                      b.upper.z };
    *(beside ? &point.y : &point.x) += row->copies * row->shift;
    char* text = row->texts[row->copies];
    snprintf(text, sizeof row->texts[0], "%s%s", c->name, beside ? "  " : "");
    row->labels[row->copies] = (rslPictureLabel){ point, beside ? 1.0 : 0.5, text };
}

rslStatus cliCompare_Draw(const cliCompare* compare, const char* path, rslReport* report)
{
    const rslModel* model = compare->list[compare->reference].loaded.model;
    Row row = { .copies = 0 };
    bool bare = false;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        bare = bare || model->bodies[b].surface.vertexCount == 0;
    }
    rslStatus status = rsl_outOfMemory;
    if (AllocateRow(&row, compare->snapshot, bare, compare->count))
    {
        Arrange(&row, compare);
        for (int i = 0; i < compare->count; ++i)
        {
            if (compare->list[i].status == rsl_ok)
            {
                Label(&row, compare, &compare->list[i]);
                AddCopy(&row, compare, &compare->list[i]);
            }
        }
        rslPictureDef def = rslDefaultPictureDef();
        def.width = 1280;
        def.height = 720;
        def.samples = 2;
        def.style = rsl_fieldPicture;
        def.field = rsl_givenField;
        def.values = row.values;
        char title[64] = "error [%]";
        if (row.factor > 1)
        {
            snprintf(title, sizeof title, "drawn %g times too far   error [%%]", row.factor);
        }
        def.title = title;
        def.ground = rslModel_Floor(model, compare->snapshot->time);
        def.labels = row.labels;
        def.labelCount = row.copies;
        row.all.time = compare->snapshot->time;
        status = cliDraw_Snapshot(&row.all, &def, path, report);
    }
    FreeRow(&row);
    return status;
}
