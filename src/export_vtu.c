// SPDX-License-Identifier: MIT
//
// export_vtu.c: frames for ParaView: VTK XML, UnstructuredGrid, raw appended data.
//
// The file is a short XML text that names every array with its offset, then <AppendedData encoding="raw">, an
// underscore, and the blocks: a UInt64 count of bytes and the bytes, in the order of the host. All sizes follow from
// the counts, so the arrays are streamed without a copy.

#include "file.h"
#include "resilin/export.h"

#include <stdio.h>
#include <string.h>

enum
{
    VTK_VERTEX = 1,
    VTK_LINE = 3,
    VTK_TRIANGLE = 5,
    CHUNK = 512,  // values converted at a time
};

// What is written: points with their node (for the fields) and cells of equal size.
typedef struct Grid
{
    double time;
    const rslVtuField* fields;  // without values: left out
    int fieldCount;
    const double* points;  // x y z
    const int* pointBody;  // NULL: left out
    const int* pointNode;  // NULL: point i is node i
    const int* cells;      // cellSize points each; NULL: cell i is point i
    int64_t pointCount, cellCount;
    int cellSize;
    unsigned char cellType;
} Grid;

// ---- the blocks -----------------------------------------------------------------------------------------------------

static void PutTime(rslFileStream* stream, const Grid* grid)
{
    rslFileStream_Put(stream, &grid->time, sizeof(double));
}

static void PutPoints(rslFileStream* stream, const Grid* grid)
{
    rslFileStream_Put(stream, grid->points, (size_t)grid->pointCount * 3 * sizeof(double));
}

// One field of the nodes at the points, as floats.
static void PutField(rslFileStream* stream, const Grid* grid, const rslVtuField* field)
{
    float chunk[CHUNK];
    int used = 0;
    for (int64_t i = 0; i < grid->pointCount; ++i)
    {
        const double* value = field->values + field->components * (grid->pointNode ? grid->pointNode[i] : i);
        for (int c = 0; c < field->components; ++c)
        {
            if (used == CHUNK)
            {
                rslFileStream_Put(stream, chunk, sizeof chunk);
                used = 0;
            }
            chunk[used++] = rslNarrow(value[c]);
        }
    }
    rslFileStream_Put(stream, chunk, (size_t)used * sizeof(float));
}

static void PutBody(rslFileStream* stream, const Grid* grid)
{
    rslFileStream_Put(stream, grid->pointBody, (size_t)grid->pointCount * sizeof(int32_t));
}

static void PutConnectivity(rslFileStream* stream, const Grid* grid)
{
    if (grid->cells != NULL)
    {
        rslFileStream_Put(stream, grid->cells, (size_t)grid->cellCount * (size_t)grid->cellSize * sizeof(int32_t));
        return;
    }
    for (int64_t i = 0; i < grid->cellCount; ++i)
    {
        int32_t point = (int32_t)i;
        rslFileStream_Put(stream, &point, sizeof point);
    }
}

static void PutOffsets(rslFileStream* stream, const Grid* grid)
{
    for (int64_t i = 1; i <= grid->cellCount; ++i)
    {
        int64_t end = i * grid->cellSize;
        rslFileStream_Put(stream, &end, sizeof end);
    }
}

static void PutTypes(rslFileStream* stream, const Grid* grid)
{
    for (int64_t i = 0; i < grid->cellCount; ++i)
    {
        rslFileStream_Put(stream, &grid->cellType, 1);
    }
}

// ---- the file -------------------------------------------------------------------------------------------------------

// A file is written in two passes over the same arrays: their names and offsets, then their bytes.
typedef struct Writer
{
    rslFileStream* stream;
    const Grid* grid;
    bool naming;
    uint64_t offset;  // of the next block
} Writer;

static void PutText(const Writer* writer, const char* text)
{
    if (writer->naming)
    {
        rslFileStream_Text(writer->stream, text);
    }
}

// Names an array, or begins its block.
static bool Begin(Writer* writer, const char* type, const char* name, const char* extra, uint64_t bytes)
{
    if (writer->naming)
    {
        char text[512];
        snprintf(text, sizeof text, "<DataArray type=\"%s\" Name=\"%s\"%s format=\"appended\" offset=\"%llu\"/>\n",
                 type, name, extra, (unsigned long long)writer->offset);
        rslFileStream_Text(writer->stream, text);
        writer->offset += sizeof(uint64_t) + bytes;
        return false;
    }
    rslFileStream_Put(writer->stream, &bytes, sizeof bytes);
    return true;
}

typedef void PutBlock(rslFileStream* stream, const Grid* grid);

static void Put(Writer* writer, const char* type, const char* name, const char* extra, uint64_t bytes, PutBlock* put)
{
    if (Begin(writer, type, name, extra, bytes))
    {
        put(writer->stream, writer->grid);
    }
}

static const char* Components(int count)
{
    return count == 6   ? " NumberOfComponents=\"6\" ComponentName0=\"XX\" ComponentName1=\"YY\" ComponentName2=\"ZZ\""
                          " ComponentName3=\"XY\" ComponentName4=\"YZ\" ComponentName5=\"XZ\""
           : count == 3 ? " NumberOfComponents=\"3\""
                        : "";
}

static void PutPointData(Writer* writer)
{
    const Grid* grid = writer->grid;
    uint64_t n = (uint64_t)grid->pointCount;
    PutText(writer, "<PointData>\n");
    for (int i = 0; i < grid->fieldCount; ++i)
    {
        const rslVtuField* field = &grid->fields[i];
        if (field->values != NULL &&
            Begin(writer, "Float32", field->name, Components(field->components), 4 * n * (uint64_t)field->components))
        {
            PutField(writer->stream, grid, field);
        }
    }
    if (grid->pointBody != NULL)
    {
        Put(writer, "Int32", "body", "", 4 * n, PutBody);
    }
    PutText(writer, "</PointData>\n");
}

static void PutArrays(Writer* writer)
{
    const Grid* grid = writer->grid;
    uint64_t points = (uint64_t)grid->pointCount, cells = (uint64_t)grid->cellCount;
    char piece[128];
    snprintf(piece, sizeof piece, "</FieldData>\n<Piece NumberOfPoints=\"%lld\" NumberOfCells=\"%lld\">\n",
             (long long)points, (long long)cells);
    PutText(writer, "<FieldData>\n");
    Put(writer, "Float64", "TimeValue", " NumberOfTuples=\"1\"", sizeof(double), PutTime);
    PutText(writer, piece);
    PutPointData(writer);
    PutText(writer, "<Points>\n");
    Put(writer, "Float64", "Points", Components(3), 24 * points, PutPoints);
    PutText(writer, "</Points>\n<Cells>\n");
    Put(writer, "Int32", "connectivity", "", 4 * cells * (uint64_t)grid->cellSize, PutConnectivity);
    Put(writer, "Int64", "offsets", "", 8 * cells, PutOffsets);
    Put(writer, "UInt8", "types", "", cells, PutTypes);
    PutText(writer, "</Cells>\n</Piece>\n");
}

static const char* ByteOrder(void)
{
    const uint16_t one = 1;
    return *(const unsigned char*)&one == 1 ? "LittleEndian" : "BigEndian";
}

static rslStatus WriteGrid(const char* path, const Grid* grid, rslReport* report)
{
    _Static_assert(sizeof(int) == sizeof(int32_t), "indices are written as they lie in memory");
    rslFileStream stream;
    rslStatus status = rslFileStream_Open(&stream, path, report);
    if (status != rsl_ok)
    {
        return status;
    }
    Writer writer = { .stream = &stream, .grid = grid, .naming = true };
    char head[192];
    snprintf(head, sizeof head,
             "<?xml version=\"1.0\"?>\n"
             "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n"
             "<UnstructuredGrid>\n",
             ByteOrder());
    PutText(&writer, head);
    PutArrays(&writer);
    PutText(&writer, "</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
    writer.naming = false;
    PutArrays(&writer);
    rslFileStream_Text(&stream, "\n</AppendedData>\n</VTKFile>\n");
    return rslFileStream_Commit(&stream, report);
}

// ---- what a user calls ----------------------------------------------------------------------------------------------

enum
{
    SNAPSHOT_FIELDS = 10
};

static void ListFields(const rslSnapshot* s, rslVtuField fields[SNAPSHOT_FIELDS])
{
    const rslVtuField list[SNAPSHOT_FIELDS] = {
        { "velocity", s->velocities, 3 },
        { "tension", s->tension, 1 },
        { "energy_density", s->energyDensity, 1 },
        { "stress", s->stress, 6 },
        { "von_mises", s->vonMises, 1 },
        { "principal_stress", s->principal, 3 },
        { "strain", s->strain, 6 },
        { "modulus", s->modulus, 1 },
        { "contact_force", s->contactForce, 3 },
        { "contact_friction", s->contactFriction, 3 },
    };
    memcpy(fields, list, sizeof list);
}

rslStatus rslVtu_WriteFields(const char* path, const rslSnapshot* snapshot, const rslVtuField* fields, int count,
                             rslReport* report)
{
    bool withSprings = snapshot->springs != NULL && snapshot->springCount > 0;
    Grid grid = {
        .time = snapshot->time,
        .fields = fields,
        .fieldCount = count,
        .points = snapshot->positions,
        .pointBody = snapshot->nodeBody,
        .cells = withSprings ? snapshot->springs : NULL,
        .pointCount = snapshot->nodeCount,
        .cellCount = withSprings ? snapshot->springCount : snapshot->nodeCount,
        .cellSize = withSprings ? 2 : 1,
        .cellType = withSprings ? VTK_LINE : VTK_VERTEX,
    };
    return WriteGrid(path, &grid, report);
}

rslStatus rslVtu_WriteNodes(const char* path, const rslSnapshot* snapshot, rslReport* report)
{
    rslVtuField fields[SNAPSHOT_FIELDS];
    ListFields(snapshot, fields);
    return rslVtu_WriteFields(path, snapshot, fields, SNAPSHOT_FIELDS, report);
}

rslStatus rslVtu_WriteSurface(const char* path, const rslSnapshot* snapshot, rslReport* report)
{
    rslVtuField fields[SNAPSHOT_FIELDS];
    ListFields(snapshot, fields);
    Grid grid = {
        .time = snapshot->time,
        .fields = fields,
        .fieldCount = SNAPSHOT_FIELDS,
        .points = snapshot->vertices,
        .pointBody = snapshot->vertexBody,
        .pointNode = snapshot->vertexNode,
        .cells = snapshot->triangles,
        .pointCount = snapshot->vertexCount,
        .cellCount = snapshot->triangleCount,
        .cellSize = 3,
        .cellType = VTK_TRIANGLE,
    };
    return WriteGrid(path, &grid, report);
}
