// SPDX-License-Identifier: MIT
//
// round.c: see round.h. Vertices: the upper pole, then rings from above, slice by slice, then the lower pole.

#include "round.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static int Rings(const cliRound* round)
{
    return round->dome ? round->slices / 2 : round->slices;
}

int cliRound_Vertices(const cliRound* round)
{
    return Rings(round) * round->slices + (round->dome ? 1 : 2);
}

int cliRound_Triangles(const cliRound* round)
{
    return 2 * round->slices * Rings(round) - (round->dome ? round->slices : 0);
}

// Ring 0 is the upper pole, one beyond the last the lower one.
static rslVec3 VertexAt(const cliRound* round, int ring, int slice)
{
    double down = PI * ring / (round->dome ? 2.0 * Rings(round) : Rings(round) + 1.0);
    double about = 2.0 * PI * slice / round->slices, across = ring == 0 ? 0.0 : sin(down);
    double height = round->dome && ring == Rings(round) ? 0.0 : cos(down);
    return (rslVec3){ round->radii[0] * across * cos(about), round->radii[1] * height,
                      -round->radii[2] * across * sin(about) };
}

static int IndexOf(const cliRound* round, int ring, int slice)
{
    bool below = ring > Rings(round);
    return ring == 0 ? 0 : 1 + (ring - 1) * round->slices + (below ? 0 : slice % round->slices);
}

typedef void TriangleFunction(const int corner[3], void* context);

// Counter-clockwise seen from outside; cells are cut all alike.
static void ForTriangles(const cliRound* round, TriangleFunction* visit, void* context)
{
    for (int ring = 0; ring < Rings(round) + (round->dome ? 0 : 1); ++ring)
    {
        for (int s = 0; s < round->slices; ++s)
        {
            int a = IndexOf(round, ring, s), b = IndexOf(round, ring, s + 1);
            int c = IndexOf(round, ring + 1, s), d = IndexOf(round, ring + 1, s + 1);
            if (ring <= Rings(round) - 1)
            {
                visit((const int[3]){ a, c, d }, context);
            }
            if (ring > 0)
            {
                visit((const int[3]){ a, ring == Rings(round) ? c : d, b }, context);
            }
        }
    }
}

static void ForVertices(const cliRound* round, void (*visit)(rslVec3 x, void* context), void* context)
{
    visit(VertexAt(round, 0, 0), context);
    for (int i = 0; i < Rings(round) * round->slices; ++i)
    {
        visit(VertexAt(round, 1 + i / round->slices, i % round->slices), context);
    }
    if (!round->dome)
    {
        visit((rslVec3){ 0.0, -round->radii[1], 0.0 }, context);
    }
}

// ---- files ----------------------------------------------------------------------------------------------------------

static void ListVertex(rslVec3 x, void* file)
{
    fprintf(file, "        - [%.17g, %.17g, %.17g]\n", x.x, x.y, x.z);
}

static void ListTriangle(const int corner[3], void* file)
{
    fprintf(file, "        - [%d, %d, %d]\n", corner[0], corner[1], corner[2]);
}

static bool Close(cliStudy* study, FILE* file)
{
    bool good = file != NULL && ferror(file) == 0;
    good = file != NULL && fclose(file) == 0 && good;
    return cliStudy_Check(study, good ? rsl_ok : rsl_ioError, NULL);
}

bool cliRound_WriteScene(const cliRound* round, cliStudy* study, const char* name, const char* rest)
{
    FILE* file = cliStudy_CreateFile(study, name);
    if (file != NULL)
    {
        fprintf(file, "# %d vertices, %d triangles of a tessellated %s; made by `resilin reproduce`.\n",
                cliRound_Vertices(round), cliRound_Triangles(round), round->dome ? "hemisphere" : "ellipsoid");
        fprintf(file, "bodies:\n  - name: ball\n    material: {mass_damping: 2}\n    network:\n      type: explicit\n");
        fprintf(
            file,
            "      masses: %.17g\n      springs_from: edges\n      stiffness: 20\n      damping: 0.05\n      nodes:\n",
            1.0 / cliRound_Vertices(round));
        ForVertices(round, ListVertex, file);
        fprintf(file, "      triangles:\n");
        ForTriangles(round, ListTriangle, file);
        fprintf(file, "%s", rest);
    }
    return Close(study, file);
}

static void MeshVertex(rslVec3 x, void* file)
{
    fprintf(file, "v %.9g %.9g %.9g\n", x.x, x.y, x.z);
}

static void MeshTriangle(const int corner[3], void* file)
{
    fprintf(file, "f %d %d %d\n", corner[0] + 1, corner[1] + 1, corner[2] + 1);
}

bool cliRound_WriteMesh(const cliRound* round, cliStudy* study, const char* name)
{
    FILE* file = cliStudy_CreateFile(study, name);
    if (file != NULL)
    {
        ForVertices(round, MeshVertex, file);
        ForTriangles(round, MeshTriangle, file);
    }
    return Close(study, file);
}

// ---- loads ----------------------------------------------------------------------------------------------------------

// Area around a vertex of a ring: a third of its triangles. All vertices of a ring have the same.
static double ShareOf(const cliRound* round, int ring)
{
    rslVec3 at = VertexAt(round, ring, 0);
    double sum = 0.0;
    const int around[6][2] = { { 1, 0 }, { 1, 1 }, { 0, 1 }, { -1, 0 }, { -1, -1 }, { 0, -1 } };
    for (int k = 0; k < (ring == 0 ? round->slices : 6); ++k)
    {
        int other = (k + 1) % 6;
        rslVec3 a = ring == 0 ? VertexAt(round, 1, k) : VertexAt(round, ring + around[k][0], around[k][1]);
        rslVec3 b = ring == 0 ? VertexAt(round, 1, k + 1) : VertexAt(round, ring + around[other][0], around[other][1]);
        rslVec3 p = { a.x - at.x, a.y - at.y, a.z - at.z }, q = { b.x - at.x, b.y - at.y, b.z - at.z };
        double x = p.y * q.z - p.z * q.y, y = p.z * q.x - p.x * q.z, z = p.x * q.y - p.y * q.x;
        sum += sqrt(x * x + y * y + z * z) / 6.0;
    }
    return sum;
}

static void Append(char* text, size_t capacity, const char* format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, capacity - used, format, arguments);
    va_end(arguments);
}

void cliRound_AddLoads(const cliRound* round, double force, bool byArea, char* text, size_t capacity)
{
    double whole = 0.0;
    int rings = 0, last = cliRound_Vertices(round) - 1;
    while (VertexAt(round, rings, 0).y > 0.9 * round->radii[1])
    {
        whole += (rings == 0 ? 1 : round->slices) * (byArea ? ShareOf(round, rings) : 1.0);
        rings += 1;
    }
    for (int i = 0; i < 2 * rings; ++i)
    {
        int ring = i / 2, first = ring == 0 ? 0 : 1 + (ring - 1) * round->slices, count = ring == 0 ? 1 : round->slices;
        double ours = force * count * (byArea ? ShareOf(round, ring) : 1.0) / whole;  // of the ring
        Append(text, capacity, "  - type: force\n    nodes: {type: list, body: ball, indices: [");
        for (int k = 0; k < count; ++k)
        {
            // the cap below is the one above, turned about
            Append(text, capacity, "%s%d", k > 0 ? ", " : "", i % 2 == 0 ? first + k : last - first - k);
        }
        Append(text, capacity, "]}\n    force: [0, %.17g, 0]\n    course: {type: pulse, duration: 6}\n",
               i % 2 == 0 ? -ours : ours);
    }
}
