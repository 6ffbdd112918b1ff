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

enum
{
    VTK_VERTEX = 1,
    VTK_LINE = 3,
    VTK_TRIANGLE = 5,
    MAX_BLOCKS = 16,
    CHUNK = 512,  // values converted at a time
};

// What is written: points with their node (for the fields) and cells of equal size.
typedef struct Grid
{
    const rslSnapshot* snapshot;
    const double* points;  // x y z
    const int* pointBody;
    const int* pointNode;  // NULL: point i is node i
    const int* cells;      // cellSize points each; NULL: cell i is point i
    int64_t pointCount, cellCount;
    int cellSize;
    unsigned char cellType;
} Grid;

typedef void PutBlock(rslFileStream* stream, const Grid* grid);

typedef struct Block
{
    PutBlock* put;
    uint64_t bytes;
} Block;

typedef struct Layout
{
    Block blocks[MAX_BLOCKS];
    int count;
    uint64_t offset;  // of the next block
} Layout;

// ---- the blocks -----------------------------------------------------------------------------------------------------

static int64_t NodeOf(const Grid* grid, int64_t point)
{
    return grid->pointNode ? grid->pointNode[point] : point;
}

static void PutTime(rslFileStream* stream, const Grid* grid)
{
    rslFileStream_Put(stream, &grid->snapshot->time, sizeof(double));
}

static void PutPoints(rslFileStream* stream, const Grid* grid)
{
    rslFileStream_Put(stream, grid->points, (size_t)grid->pointCount * 3 * sizeof(double));
}

// One field of the nodes at the points, as floats.
static void PutField(rslFileStream* stream, const Grid* grid, const double* values, int components)
{
    float chunk[CHUNK];
    int used = 0;
    for (int64_t i = 0; i < grid->pointCount; ++i)
    {
        const double* value = values + components * NodeOf(grid, i);
        for (int c = 0; c < components; ++c)
        {
            chunk[used++] = rslNarrow(value[c]);
        }
        if (used > CHUNK - 6)
        {
            rslFileStream_Put(stream, chunk, (size_t)used * sizeof(float));
            used = 0;
        }
    }
    rslFileStream_Put(stream, chunk, (size_t)used * sizeof(float));
}

static void PutVelocity(rslFileStream* stream, const Grid* grid)
{
    PutField(stream, grid, grid->snapshot->velocities, 3);
}

static void PutTension(rslFileStream* stream, const Grid* grid)
{
    PutField(stream, grid, grid->snapshot->tension, 1);
}

static void PutEnergyDensity(rslFileStream* stream, const Grid* grid)
{
    PutField(stream, grid, grid->snapshot->energyDensity, 1);
}

static void PutStress(rslFileStream* stream, const Grid* grid)
{
    PutField(stream, grid, grid->snapshot->stress, 6);
}

static void PutVonMises(rslFileStream* stream, const Grid* grid)
{
    PutField(stream, grid, grid->snapshot->vonMises, 1);
}

static void PutPrincipal(rslFileStream* stream, const Grid* grid)
{
    PutField(stream, grid, grid->snapshot->principal, 3);
}

static void PutStrain(rslFileStream* stream, const Grid* grid)
{
    PutField(stream, grid, grid->snapshot->strain, 6);
}

static void PutModulus(rslFileStream* stream, const Grid* grid)
{
    PutField(stream, grid, grid->snapshot->modulus, 1);
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

// ---- the text before them -------------------------------------------------------------------------------------------

// Names one array and remembers its block.
static void Declare(rslFileStream* stream, Layout* layout, const char* type, const char* name, const char* extra,
                    uint64_t bytes, PutBlock* put)
{
    char text[512];
    snprintf(text, sizeof text, "<DataArray type=\"%s\" Name=\"%s\"%s format=\"appended\" offset=\"%llu\"/>\n", type,
             name, extra, (unsigned long long)layout->offset);
    rslFileStream_Text(stream, text);
    layout->blocks[layout->count++] = (Block){ put, bytes };
    layout->offset += sizeof(uint64_t) + bytes;
}

static void DeclareFields(rslFileStream* stream, Layout* layout, const Grid* grid)
{
    static const char six[] =
        " NumberOfComponents=\"6\" ComponentName0=\"XX\" ComponentName1=\"YY\" ComponentName2=\"ZZ\""
        " ComponentName3=\"XY\" ComponentName4=\"YZ\" ComponentName5=\"XZ\"";
    static const char three[] = " NumberOfComponents=\"3\"";
    const rslSnapshot* s = grid->snapshot;
    const struct
    {
        const double* values;
        const char* name;
        const char* extra;
        uint64_t components;
        PutBlock* put;
    } fields[] = {
        { s->velocities, "velocity", three, 3, PutVelocity },
        { s->tension, "tension", "", 1, PutTension },
        { s->energyDensity, "energy_density", "", 1, PutEnergyDensity },
        { s->stress, "stress", six, 6, PutStress },
        { s->vonMises, "von_mises", "", 1, PutVonMises },
        { s->principal, "principal_stress", three, 3, PutPrincipal },
        { s->strain, "strain", six, 6, PutStrain },
        { s->modulus, "modulus", "", 1, PutModulus },
    };
    uint64_t n = (uint64_t)grid->pointCount;
    rslFileStream_Text(stream, "<PointData>\n");
    for (size_t f = 0; f < sizeof fields / sizeof *fields; ++f)
    {
        if (fields[f].values != NULL)
        {
            Declare(stream, layout, "Float32", fields[f].name, fields[f].extra, 4 * n * fields[f].components,
                    fields[f].put);
        }
    }
    if (grid->pointBody != NULL)
    {
        Declare(stream, layout, "Int32", "body", "", 4 * n, PutBody);
    }
    rslFileStream_Text(stream, "</PointData>\n");
}

static void DeclareCells(rslFileStream* stream, Layout* layout, const Grid* grid)
{
    uint64_t n = (uint64_t)grid->cellCount;
    rslFileStream_Text(stream, "<Cells>\n");
    Declare(stream, layout, "Int32", "connectivity", "", 4 * n * (uint64_t)grid->cellSize, PutConnectivity);
    Declare(stream, layout, "Int64", "offsets", "", 8 * n, PutOffsets);
    Declare(stream, layout, "UInt8", "types", "", n, PutTypes);
    rslFileStream_Text(stream, "</Cells>\n");
}

static const char* ByteOrder(void)
{
    const uint16_t one = 1;
    return *(const unsigned char*)&one == 1 ? "LittleEndian" : "BigEndian";
}

static void PutHeader(rslFileStream* stream, Layout* layout, const Grid* grid)
{
    char text[256];
    snprintf(text, sizeof text,
             "<?xml version=\"1.0\"?>\n"
             "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n"
             "<UnstructuredGrid>\n<FieldData>\n",
             ByteOrder());
    rslFileStream_Text(stream, text);
    Declare(stream, layout, "Float64", "TimeValue", " NumberOfTuples=\"1\"", sizeof(double), PutTime);
    snprintf(text, sizeof text, "</FieldData>\n<Piece NumberOfPoints=\"%lld\" NumberOfCells=\"%lld\">\n",
             (long long)grid->pointCount, (long long)grid->cellCount);
    rslFileStream_Text(stream, text);
    DeclareFields(stream, layout, grid);
    rslFileStream_Text(stream, "<Points>\n");
    Declare(stream, layout, "Float64", "Points", " NumberOfComponents=\"3\"", 24 * (uint64_t)grid->pointCount,
            PutPoints);
    rslFileStream_Text(stream, "</Points>\n");
    DeclareCells(stream, layout, grid);
    rslFileStream_Text(stream, "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
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
    Layout layout = { 0 };
    PutHeader(&stream, &layout, grid);
    for (int i = 0; i < layout.count; ++i)
    {
        rslFileStream_Put(&stream, &layout.blocks[i].bytes, sizeof(uint64_t));
        layout.blocks[i].put(&stream, grid);
    }
    rslFileStream_Text(&stream, "\n</AppendedData>\n</VTKFile>\n");
    return rslFileStream_Commit(&stream, report);
}

// ---- what a user calls ----------------------------------------------------------------------------------------------

rslStatus rslVtu_WriteNodes(const char* path, const rslSnapshot* snapshot, rslReport* report)
{
    bool withSprings = snapshot->springs != NULL && snapshot->springCount > 0;
    Grid grid = {
        .snapshot = snapshot,
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

rslStatus rslVtu_WriteSurface(const char* path, const rslSnapshot* snapshot, rslReport* report)
{
    Grid grid = {
        .snapshot = snapshot,
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
