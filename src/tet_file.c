// SPDX-License-Identifier: MIT
//
// tet_file.c: tetrahedra or hexahedra from the text of .msh and .vtk files.
//
// A file is a row of words; a reader takes one after the other and complains with the line it has come to. Counts in a file
// are not believed: no more memory is taken than its bytes can fill, since every number takes at least two of them.

#include "tet_file.h"

#include "memory.h"
#include "sort.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum
{
    MSH_TETRAHEDRON = 4,
    MSH_HEXAHEDRON = 5,
    MSH_PYRAMID = 7,  // from the first to this one they fill space
    VTK_TETRAHEDRON = 10,
    VTK_VOXEL = 11,  // a hexahedron along the axes, its corners by bits
    VTK_HEXAHEDRON = 12,
    VTK_PYRAMID = 14,
    CORNERS_MOST = 8,
    WORD_MOST = 63,
};

typedef struct Words
{
    const char *at, *end;
    int line;
    char word[WORD_MOST + 1];  // the last one, cut when it is longer
    rslReport* report;
    const rslHooks* hooks;
    rslStatus status;  // the first failure; nothing is read after it
} Words;

static bool Fail(Words* words, rslStatus status, const char* format, ...) RSL_PRINTF(3, 4);
static bool Fail(Words* words, rslStatus status, const char* format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (words->status == rsl_ok)
    {
        rslReport_Add(words->report, rsl_error, (rslPlace){ 0, 0 }, "line %d: %s", words->line, text);
        words->status = status;
    }
    return false;
}

static bool IsSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// The next word; false at the end.
static bool Next(Words* words)
{
    size_t length = 0;
    while (words->at < words->end && IsSpace(*words->at))
    {
        words->line += *words->at++ == '\n';
    }
    for (; words->at < words->end && !IsSpace(*words->at); ++words->at)
    {
        if (length < WORD_MOST)
        {
            words->word[length++] = *words->at;
        }
    }
    words->word[length] = 0;
    rslUtf8_Clean(words->word);
    return length > 0 && words->status == rsl_ok;
}

static void SkipLine(Words* words)
{
    while (words->at < words->end && *words->at != '\n')
    {
        ++words->at;
    }
}

static bool Expect(Words* words, const char* wanted)
{
    bool found = Next(words) && strcmp(words->word, wanted) == 0;
    return found || Fail(words, rsl_badInput, "found '%s', expected %s", words->word, wanted);
}

static double Number(Words* words)
{
    double value = 0.0;
    bool read = Next(words);
    rslNumberResult result = read ? rslNumber_Parse(words->word, &value) : rsl_numberSyntax;
    if (result == rsl_numberUnderflow)
    {
        return 0.0;
    }
    if (result != rsl_numberOk)
    {
        Fail(words, rsl_badInput, read ? "found '%s', expected a number" : "the file ends%s, expected a number",
             words->word);
    }
    return value;
}

static int64_t Integer(Words* words)
{
    int64_t value = 0;
    bool read = Next(words);
    if (!read || !rslInteger_Parse(words->word, &value))
    {
        Fail(words, rsl_badInput, read ? "found '%s', expected an integer" : "the file ends%s, expected an integer",
             words->word);
    }
    return words->status == rsl_ok ? value : 0;
}

// A count of things that take at least some bytes each.
static int Count(Words* words, const char* things, int bytes)
{
    int64_t count = Integer(words);
    if (words->status == rsl_ok && (count < 0 || count > INT32_MAX || count > (words->end - words->at) / bytes + 1))
    {
        Fail(words, rsl_badInput, "promises %lld %s, more than the rest of the file can hold", (long long)count,
             things);
    }
    return words->status == rsl_ok ? (int)count : 0;
}

// ---- what is gathered -------------------------------------------------------------------------------------------------

typedef struct Mesh
{
    double* nodes;
    int64_t* tags;  // of every node, as the file names it; NULL: counted from 0
    int64_t* corners;
    int nodeCount;
    int width;  // corners of a cell: 4 or 8
    int count;  // cells
    size_t room;
    int passed;  // others that fill space
} Mesh;

static const char* Names(const Mesh* mesh)
{
    return mesh->width == 4 ? "tetrahedra" : "hexahedra";
}

static bool MakeNodes(Words* words, Mesh* mesh, int count, bool tagged)
{
    if (mesh->nodes != NULL)
    {
        return Fail(words, rsl_badInput, "found a second list of nodes");
    }
    mesh->nodes = rslAllocate(words->hooks, (size_t)count + 1, 3 * sizeof(double));
    mesh->tags = tagged ? rslAllocate(words->hooks, (size_t)count + 1, sizeof(int64_t)) : NULL;
    bool made = mesh->nodes != NULL && (mesh->tags != NULL || !tagged);
    return (made && words->status == rsl_ok) || Fail(words, rsl_outOfMemory, "out of memory");
}

static void ReadPoint(Words* words, double* point)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        point[axis] = Number(words);
    }
}

static bool AddCell(Words* words, Mesh* mesh, const int64_t* corner)
{
    void* corners = mesh->corners;
    size_t width = (size_t)mesh->width;
    if (!rslGrow(words->hooks, &corners, (size_t)mesh->count, &mesh->room, width * sizeof(int64_t)))
    {
        return Fail(words, rsl_outOfMemory, "out of memory");
    }
    mesh->corners = corners;
    memcpy(mesh->corners + width * (size_t)mesh->count, corner, width * sizeof(int64_t));
    mesh->count += 1;
    return true;
}

// ---- .msh -------------------------------------------------------------------------------------------------------------

// Nodes of the elements that Gmsh makes; 0: not known.
static int MshNodes(int64_t type)
{
    static const int nodes[] = { 0, 2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13 };
    return type > 0 && type < (int64_t)(sizeof nodes / sizeof nodes[0]) ? nodes[type] : 0;
}

// Which of the elements of order 2 is meant by one of order 1.
static bool IsSecondOrder(const Mesh* mesh, int64_t type)
{
    return mesh->width == 4 ? type == 11 : type == 12 || type == 17;
}

static void ReadMshElement(Words* words, Mesh* mesh, int64_t type)
{
    int nodes = MshNodes(type), wanted = mesh->width == 4 ? MSH_TETRAHEDRON : MSH_HEXAHEDRON;
    int64_t corner[CORNERS_MOST] = { 0 };
    if (nodes == 0)
    {
        Fail(words, rsl_badInput, "found an element of type %lld, expected one of order 1 or 2", (long long)type);
    }
    if (IsSecondOrder(mesh, type))
    {
        Fail(words, rsl_badInput, "found %s with nodes on their edges, expected plain ones: mesh with order 1",
             Names(mesh));
    }
    for (int i = 0; i < nodes && words->status == rsl_ok; ++i)
    {
        int64_t node = Integer(words);
        if (i < CORNERS_MOST)
        {
            corner[i] = node;
        }
    }
    if (type == wanted && words->status == rsl_ok)
    {
        (void)AddCell(words, mesh, corner);
    }
    mesh->passed += type != wanted && type >= MSH_TETRAHEDRON && type <= MSH_PYRAMID;
}

static void ReadMsh2(Words* words, Mesh* mesh, bool elements)
{
    int count = Count(words, elements ? "elements" : "nodes", elements ? 6 : 8);
    if (!elements && !MakeNodes(words, mesh, count, true))
    {
        return;
    }
    for (int i = 0; i < count && words->status == rsl_ok; ++i)
    {
        int64_t tag = Integer(words);
        if (!elements)
        {
            mesh->tags[i] = tag;
            ReadPoint(words, mesh->nodes + 3 * (size_t)i);
            mesh->nodeCount = i + 1;
            continue;
        }
        int64_t type = Integer(words);
        for (int tags = Count(words, "tags", 2); tags > 0 && words->status == rsl_ok; --tags)
        {
            (void)Integer(words);
        }
        ReadMshElement(words, mesh, type);
    }
}

static void ReadMsh4Nodes(Words* words, Mesh* mesh)
{
    int blocks = Count(words, "blocks", 8), count = Count(words, "nodes", 8);
    (void)Integer(words);
    (void)Integer(words);
    if (!MakeNodes(words, mesh, count, true))
    {
        return;
    }
    for (int b = 0; b < blocks && words->status == rsl_ok; ++b)
    {
        (void)Integer(words);
        (void)Integer(words);
        if (Integer(words) != 0)
        {
            Fail(words, rsl_badInput, "found parametric nodes, expected plain ones");
        }
        int nodes = Count(words, "nodes", 8), first = mesh->nodeCount;
        if (nodes > count - first)
        {
            Fail(words, rsl_badInput, "found more than the %d nodes promised", count);
        }
        for (int i = 0; i < nodes && words->status == rsl_ok; ++i)
        {
            mesh->tags[first + i] = Integer(words);
        }
        for (int i = 0; i < nodes && words->status == rsl_ok; ++i)
        {
            ReadPoint(words, mesh->nodes + 3 * (size_t)(first + i));
            mesh->nodeCount = first + i + 1;
        }
    }
}

static void ReadMsh4Elements(Words* words, Mesh* mesh)
{
    int blocks = Count(words, "blocks", 8);
    for (int i = 0; i < 3; ++i)
    {
        (void)Integer(words);
    }
    for (int b = 0; b < blocks && words->status == rsl_ok; ++b)
    {
        (void)Integer(words);
        (void)Integer(words);
        int64_t type = Integer(words);
        int count = Count(words, "elements", 4);
        for (int i = 0; i < count && words->status == rsl_ok; ++i)
        {
            (void)Integer(words);
            ReadMshElement(words, mesh, type);
        }
    }
}

static void ReadMshFormat(Words* words, bool* four)
{
    double version = Number(words);
    *four = version == 4.1;
    if (words->status == rsl_ok && version != 2.2 && version != 4.1)
    {
        Fail(words, rsl_badInput, "found version %.4g, expected 2.2 or 4.1", version);
    }
    if (Integer(words) != 0)
    {
        Fail(words, rsl_badInput, "found a binary file, expected ASCII: save it as text");
    }
    (void)Integer(words);
}

static void SkipSection(Words* words, const char* name)
{
    char end[WORD_MOST + 8];
    snprintf(end, sizeof end, "$End%s", name + 1);
    while (Next(words))
    {
        if (strcmp(words->word, end) == 0)
        {
            return;
        }
    }
    Fail(words, rsl_badInput, "the file ends, expected %s", end);
}

static void ReadMsh(Words* words, Mesh* mesh)
{
    bool four = false;
    ReadMshFormat(words, &four);
    Expect(words, "$EndMeshFormat");
    while (Next(words))
    {
        char name[WORD_MOST + 1];
        memcpy(name, words->word, sizeof name);
        bool nodes = strcmp(name, "$Nodes") == 0, elements = strcmp(name, "$Elements") == 0;
        if (name[0] != '$')
        {
            Fail(words, rsl_badInput, "found '%s', expected a section that begins with $", name);
        }
        else if (!nodes && !elements)
        {
            SkipSection(words, name);
        }
        else
        {
            if (!four)
            {
                ReadMsh2(words, mesh, elements);
            }
            else if (nodes)
            {
                ReadMsh4Nodes(words, mesh);
            }
            else
            {
                ReadMsh4Elements(words, mesh);
            }
            Expect(words, nodes ? "$EndNodes" : "$EndElements");
        }
    }
}

// ---- .vtk -------------------------------------------------------------------------------------------------------------

typedef struct VtkCells
{
    int64_t* numbers;  // of every cell: how many nodes, then the nodes
    int count, size;
} VtkCells;

static void ReadVtkCells(Words* words, VtkCells* cells)
{
    cells->count = Count(words, "cells", 4);
    cells->size = Count(words, "numbers of cells", 2);
    if (words->status != rsl_ok || cells->numbers != NULL)
    {
        Fail(words, rsl_badInput, "found a second list of cells");
        return;
    }
    cells->numbers = rslAllocate(words->hooks, (size_t)cells->size + 1, sizeof(int64_t));
    if (cells->numbers == NULL)
    {
        Fail(words, rsl_outOfMemory, "out of memory");
        return;
    }
    for (int i = 0; i < cells->size && words->status == rsl_ok; ++i)
    {
        cells->numbers[i] = Integer(words);
    }
}

// A cell of the type that is wanted; the upper corners of a voxel are turned.
static void AddVtkCell(Words* words, Mesh* mesh, int64_t type, const int64_t* corner)
{
    int64_t turned[CORNERS_MOST];
    for (int c = 0; c < mesh->width; ++c)
    {
        turned[c] = corner[type == VTK_VOXEL && (c & 2) != 0 ? c ^ 1 : c];
    }
    (void)AddCell(words, mesh, turned);
}

static void ReadVtkTypes(Words* words, const VtkCells* cells, Mesh* mesh)
{
    int count = Count(words, "cell types", 2);
    int64_t at = 0;
    if (words->status == rsl_ok && (cells->numbers == NULL || count != cells->count))
    {
        Fail(words, rsl_badInput, "found %d cell types for %d cells", count, cells->count);
    }
    for (int i = 0; i < count && words->status == rsl_ok; ++i)
    {
        int64_t type = Integer(words), nodes = at < cells->size ? cells->numbers[at] : -1;
        bool wanted = mesh->width == 4 ? type == VTK_TETRAHEDRON : type == VTK_VOXEL || type == VTK_HEXAHEDRON;
        if (nodes < 0 || nodes > cells->size - at - 1 || (wanted && nodes != mesh->width))
        {
            Fail(words, rsl_badInput, "cell %d does not fit into the list of cells", i);
        }
        else if (wanted)
        {
            AddVtkCell(words, mesh, type, cells->numbers + at + 1);
        }
        mesh->passed += !wanted && type >= VTK_TETRAHEDRON && type <= VTK_PYRAMID;
        at += nodes + 1;
    }
}

static void ReadVtkPoints(Words* words, Mesh* mesh)
{
    int count = Count(words, "points", 6);
    (void)Next(words);  // the type of the numbers does not matter in text
    if (MakeNodes(words, mesh, count, false))
    {
        for (int i = 0; i < count && words->status == rsl_ok; ++i)
        {
            ReadPoint(words, mesh->nodes + 3 * (size_t)i);
        }
        mesh->nodeCount = count;
    }
}

static void ReadVtk(Words* words, Mesh* mesh)
{
    VtkCells cells = { 0 };
    SkipLine(words);  // # vtk DataFile Version
    ++words->at;
    ++words->line;
    SkipLine(words);  // the title
    Expect(words, "ASCII");
    Expect(words, "DATASET");
    Expect(words, "UNSTRUCTURED_GRID");
    bool done = false;
    while (!done && Next(words))
    {
        if (strcmp(words->word, "POINTS") == 0)
        {
            ReadVtkPoints(words, mesh);
        }
        else if (strcmp(words->word, "CELLS") == 0)
        {
            ReadVtkCells(words, &cells);
        }
        else if (strcmp(words->word, "CELL_TYPES") == 0)
        {
            ReadVtkTypes(words, &cells, mesh);
            done = true;  // what follows are fields
        }
        else
        {
            Fail(words, rsl_badInput, "found '%s', expected POINTS, CELLS or CELL_TYPES", words->word);
        }
    }
    rslRelease(words->hooks, cells.numbers);
}

// ---- together ---------------------------------------------------------------------------------------------------------

// Tags may have gaps, in any order: sorted once, then looked up.
static int FindTag(const int64_t* sorted, const int* place, int count, int64_t tag)
{
    int low = 0, high = count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (sorted[middle] == tag)
        {
            return place[middle];
        }
        low = sorted[middle] < tag ? middle + 1 : low;
        high = sorted[middle] < tag ? high : middle;
    }
    return -1;
}

static bool SortTags(Words* words, Mesh* mesh, int* place)
{
    for (int i = 0; i < mesh->nodeCount; ++i)
    {
        place[i] = i;
        if (mesh->tags[i] < 0)
        {
            return Fail(words, rsl_badInput, "node %d has the negative number %lld", i, (long long)mesh->tags[i]);
        }
    }
    uint64_t* keys = (uint64_t*)mesh->tags;  // not negative, so the same order
    if (!rslSort(words->hooks, keys, place, (size_t)mesh->nodeCount))
    {
        return Fail(words, rsl_outOfMemory, "out of memory");
    }
    for (int i = 1; i < mesh->nodeCount; ++i)
    {
        if (mesh->tags[i] == mesh->tags[i - 1])
        {
            return Fail(words, rsl_badInput, "two nodes have the number %lld", (long long)mesh->tags[i]);
        }
    }
    return true;
}

static bool NumberCorners(Words* words, Mesh* mesh, rslTetMesh* file)
{
    size_t width = (size_t)mesh->width, corners = width * (size_t)mesh->count;
    int* place = rslAllocate(words->hooks, (size_t)mesh->nodeCount + 1, sizeof(int));
    file->tetrahedra = rslAllocate(words->hooks, corners, sizeof(int));
    bool good = (place != NULL && file->tetrahedra != NULL) || Fail(words, rsl_outOfMemory, "out of memory");
    good = good && (mesh->tags == NULL || SortTags(words, mesh, place));
    for (size_t i = 0; good && i < corners; ++i)
    {
        int64_t tag = mesh->corners[i];
        bool direct = mesh->tags == NULL && tag >= 0 && tag < mesh->nodeCount;
        int node = direct ? (int)tag : mesh->tags == NULL ? -1 : FindTag(mesh->tags, place, mesh->nodeCount, tag);
        good = node >= 0 || Fail(words, rsl_badInput, "%s %zu has the node %lld, which is not listed",
                                 width == 4 ? "tetrahedron" : "hexahedron", i / width, (long long)tag);
        file->tetrahedra[i] = node;
    }
    rslRelease(words->hooks, place);
    return good;
}

rslStatus rslCellFile_Parse(const char* text, size_t length, int corners, const rslHooks* hooks, rslTetMesh* file,
                            rslReport* report)
{
    *file = (rslTetMesh){ .hooks = rslHooks_Complete(hooks) };
    Words words = { .at = text, .end = text + length, .line = 1, .report = report, .hooks = &file->hooks };
    Mesh mesh = { .width = corners };
    bool vtk = length > 5 && strncmp(text, "# vtk", 5) == 0;
    if (vtk)
    {
        ReadVtk(&words, &mesh);
    }
    else if (Next(&words) && strcmp(words.word, "$MeshFormat") == 0)
    {
        ReadMsh(&words, &mesh);
    }
    else
    {
        Fail(&words, rsl_badInput, "expected $MeshFormat (.msh) or # vtk DataFile (.vtk) as text");
    }
    if (words.status == rsl_ok && mesh.count == 0)
    {
        Fail(&words, rsl_badInput, "the file ends and has no %s", Names(&mesh));
    }
    if (words.status == rsl_ok && mesh.passed > 0)
    {
        rslReport_Add(report, rsl_warning, (rslPlace){ 0, 0 }, "%d cells that fill space are no %s and are passed over",
                      mesh.passed, Names(&mesh));
    }
    if (words.status == rsl_ok && NumberCorners(&words, &mesh, file))
    {
        file->nodes = mesh.nodes;
        file->nodeCount = mesh.nodeCount;
        file->tetrahedronCount = mesh.count;
        mesh.nodes = NULL;
    }
    rslRelease(&file->hooks, mesh.nodes);
    rslRelease(&file->hooks, mesh.tags);
    rslRelease(&file->hooks, mesh.corners);
    if (words.status != rsl_ok)
    {
        rslTetMesh_Free(file);
    }
    return words.status;
}
