// SPDX-License-Identifier: MIT
//
// vtu_read.c: reads the frames of our own writer: raw appended blocks, each a UInt64 count of bytes and the bytes.

#include "vtu_read.h"

#include "path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_POINTS = 1 << 28
};

typedef struct Vtu
{
    const char* bytes;  // the whole file, zero-terminated
    size_t size;
    const char* blocks;  // after the underscore
    size_t blockBytes;
} Vtu;

// The text after name=" in an XML tag; NULL when the tag does not have it.
static const char* FindAttribute(const char* tag, const char* name)
{
    const char* end = strchr(tag, '>');
    size_t length = strlen(name);
    for (const char* at = strstr(tag, name); at != NULL && end != NULL && at < end; at = strstr(at + 1, name))
    {
        if (at[-1] == ' ' && at[length] == '=' && at[length + 1] == '"')
        {
            return at + length + 2;
        }
    }
    return NULL;
}

static long long Count(const char* tag, const char* name)
{
    const char* text = tag != NULL ? FindAttribute(tag, name) : NULL;
    long long count = text != NULL ? strtoll(text, NULL, 10) : -1;
    return count <= MOST_POINTS ? count : -1;
}

// The bytes of a block with the given size, which may start anywhere in the file. NULL when it is not there.
static const char* FindBlock(const Vtu* vtu, const char* name, const char* type, size_t expected)
{
    char label[64];
    snprintf(label, sizeof label, "type=\"%s\" Name=\"%s\"", type, name);
    const char* tag = strstr(vtu->bytes, label);
    const char* offsetText = tag != NULL && tag < vtu->blocks ? FindAttribute(tag, "offset") : NULL;
    if (offsetText == NULL)
    {
        return NULL;
    }
    unsigned long long offset = strtoull(offsetText, NULL, 10);
    uint64_t size = 0;
    if (vtu->blockBytes < sizeof size || offset > vtu->blockBytes - sizeof size)
    {
        return NULL;
    }
    memcpy(&size, vtu->blocks + offset, sizeof size);
    return size == expected && size <= vtu->blockBytes - sizeof size - offset ? vtu->blocks + offset + sizeof size
                                                                              : NULL;
}

static double* CopyDoubles(const Vtu* vtu, const char* name, size_t count)
{
    const char* block = FindBlock(vtu, name, "Float64", count * sizeof(double));
    double* copy = block != NULL ? malloc(count * sizeof(double) + 1) : NULL;
    if (copy != NULL)
    {
        memcpy(copy, block, count * sizeof(double));
    }
    return copy;
}

// A field that is not there is all zero.
static double* CopyField(const Vtu* vtu, const char* name, size_t count)
{
    const char* block = FindBlock(vtu, name, "Float32", count * sizeof(float));
    double* copy = calloc(count + 1, sizeof(double));
    for (size_t i = 0; block != NULL && copy != NULL && i < count; ++i)
    {
        float value;
        memcpy(&value, block + i * sizeof value, sizeof value);
        copy[i] = (double)value;
    }
    return copy;
}

static double* CopyOptional(const Vtu* vtu, const char* name, size_t count)
{
    return FindBlock(vtu, name, "Float32", count * sizeof(float)) != NULL ? CopyField(vtu, name, count) : NULL;
}

static int* CopyInts(const Vtu* vtu, const char* name, size_t count, long long limit)
{
    const char* block = FindBlock(vtu, name, "Int32", count * sizeof(int32_t));
    int* copy = block != NULL ? malloc(count * sizeof(int) + 1) : NULL;
    for (size_t i = 0; copy != NULL && i < count; ++i)
    {
        int32_t value;
        memcpy(&value, block + i * sizeof value, sizeof value);
        if (value < 0 || value >= limit)
        {
            free(copy);
            return NULL;
        }
        copy[i] = value;
    }
    return copy;
}

static int* CountUp(int count)
{
    int* list = malloc(sizeof(int) * (size_t)count + 1);
    for (int i = 0; list != NULL && i < count; ++i)
    {
        list[i] = i;
    }
    return list;
}

static bool ReadPoints(const Vtu* vtu, int count, rslSnapshot* s)
{
    size_t n = (size_t)count;
    s->nodeCount = count;
    s->positions = CopyDoubles(vtu, "Points", 3 * n);
    s->velocities = CopyField(vtu, "velocity", 3 * n);
    s->tension = CopyField(vtu, "tension", n);
    s->energyDensity = CopyField(vtu, "energy_density", n);
    s->vonMises = CopyOptional(vtu, "von_mises", n);
    s->principal = CopyOptional(vtu, "principal_stress", 3 * n);
    s->strain = CopyOptional(vtu, "strain", 6 * n);
    s->modulus = CopyOptional(vtu, "modulus", n);
    s->nodeBody = CopyInts(vtu, "body", n, MOST_POINTS);
    for (int i = 0; s->nodeBody != NULL && i < count; ++i)
    {
        s->bodyCount = s->nodeBody[i] >= s->bodyCount ? s->nodeBody[i] + 1 : s->bodyCount;
    }
    return s->positions != NULL && s->velocities != NULL && s->tension != NULL && s->energyDensity != NULL &&
           s->nodeBody != NULL;
}

// Points and triangles: every vertex is its own node, so that the fields are found.
static bool ReadTriangles(const Vtu* vtu, int count, rslSnapshot* s)
{
    size_t n = (size_t)s->nodeCount;
    s->vertexCount = s->nodeCount;
    s->triangleCount = count;
    s->vertices = CopyDoubles(vtu, "Points", 3 * n);
    s->vertexBody = CopyInts(vtu, "body", n, MOST_POINTS);
    s->vertexNode = CountUp(s->nodeCount);
    s->triangles = CopyInts(vtu, "connectivity", 3 * (size_t)count, s->nodeCount);
    return s->vertices != NULL && s->vertexBody != NULL && s->vertexNode != NULL && s->triangles != NULL;
}

static bool ReadCells(const Vtu* vtu, int count, rslSnapshot* s)
{
    const char* types = FindBlock(vtu, "types", "UInt8", (size_t)count);
    if (types == NULL)
    {
        return false;
    }
    if (count > 0 && types[0] == 5)
    {
        return ReadTriangles(vtu, count, s);
    }
    if (count > 0 && types[0] == 3)
    {
        s->springCount = count;
        s->springs = CopyInts(vtu, "connectivity", 2 * (size_t)count, s->nodeCount);
        return s->springs != NULL;
    }
    return true;
}

static bool ReadAll(const Vtu* vtu, rslSnapshot* s)
{
    const char* piece = strstr(vtu->bytes, "<Piece ");
    long long points = Count(piece, "NumberOfPoints"), cells = Count(piece, "NumberOfCells");
    const char* time = FindBlock(vtu, "TimeValue", "Float64", sizeof(double));
    if (points < 0 || cells < 0 || time == NULL)
    {
        return false;
    }
    memcpy(&s->time, time, sizeof(double));
    return ReadPoints(vtu, (int)points, s) && ReadCells(vtu, (int)cells, s);
}

rslStatus cliVtu_Read(const char* path, rslSnapshot* snapshot, rslReport* report)
{
    static const char mark[] = "<AppendedData encoding=\"raw\">\n_";
    *snapshot = (rslSnapshot){ 0 };
    Vtu vtu = { 0 };
    char* bytes = cliFile_Read(path, &vtu.size, report);
    if (bytes == NULL)
    {
        return rsl_ioError;
    }
    vtu.bytes = bytes;
    const char* at = strstr(bytes, mark);
    bool good = false;
    if (at != NULL)
    {
        vtu.blocks = at + sizeof mark - 1;
        vtu.blockBytes = vtu.size - (size_t)(vtu.blocks - bytes);
        good = ReadAll(&vtu, snapshot);
    }
    free(bytes);
    if (!good)
    {
        cliVtu_Free(snapshot);
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%s is not a frame written by resilin run, or is damaged",
                      path);
        return rsl_badInput;
    }
    return rsl_ok;
}

void cliVtu_Free(rslSnapshot* s)
{
    void* const arrays[] = { s->positions, s->velocities, s->tension,   s->energyDensity, s->nodeBody,
                             s->springs,   s->vertices,   s->triangles, s->vertexBody,    s->vertexNode,
                             s->vonMises,  s->principal,  s->strain,    s->modulus };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
    {
        free(arrays[i]);
    }
    *s = (rslSnapshot){ 0 };
}
