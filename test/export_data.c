// SPDX-License-Identifier: MIT
//
// export_data.c: writes files of every format into a folder, with plain text beside those that read_vtu.py reads back.

#include "hand_snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[256];

static const char* In(const char* name)
{
    static char paths[4][400];
    static int next;
    char* path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void Check(rslStatus status, const char* what)
{
    if (status != rsl_ok)
    {
        fprintf(stderr, "%s: %s\n", what, rslStatus_Name(status));
        exit(1);
    }
}

// ---- ParaView -------------------------------------------------------------------------------------------------------

static void DumpPoint(FILE* file, const rslSnapshot* s, const double* x, int node, int body)
{
    const double* v = s->velocities + 3 * node;
    fprintf(file, "p %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %d\n", x[0], x[1], x[2], v[0], v[1], v[2],
            s->tension[node], s->energyDensity[node], body);
}

static void DumpCells(FILE* file, const int* cells, int count, int size)
{
    for (int i = 0; i < count; ++i)
    {
        fprintf(file, "c");
        for (int k = 0; k < size; ++k)
        {
            fprintf(file, " %d", cells ? cells[size * i + k] : i);
        }
        fprintf(file, "\n");
    }
}

static void DumpNodes(const char* path, const rslSnapshot* s)
{
    FILE* file = fopen(path, "w");
    Check(file ? rsl_ok : rsl_ioError, path);
    fprintf(file, "t %.17g\n", s->time);
    for (int i = 0; i < s->nodeCount; ++i)
    {
        DumpPoint(file, s, s->positions + 3 * i, i, s->nodeBody[i]);
    }
    DumpCells(file, s->springs, s->springs ? (int)s->springCount : s->nodeCount, s->springs ? 2 : 1);
    fclose(file);
}

static void DumpSurface(const char* path, const rslSnapshot* s)
{
    FILE* file = fopen(path, "w");
    Check(file ? rsl_ok : rsl_ioError, path);
    fprintf(file, "t %.17g\n", s->time);
    for (int i = 0; i < s->vertexCount; ++i)
    {
        DumpPoint(file, s, s->vertices + 3 * i, s->vertexNode[i], s->vertexBody[i]);
    }
    DumpCells(file, s->triangles, s->triangleCount, 3);
    fclose(file);
}

static void WriteParaView(rslSnapshot* balls)
{
    rslSnapshot block = MakeBlock(6), empty = MakeHand(0, 0, 0, 0, 0);
    block.time = 0.1;
    block.velocities[0] = 1e300;
    balls->time = 1.0 / 3.0;
    Check(rslVtu_WriteNodes(In("springs.vtu"), &block, NULL), "springs.vtu");
    DumpNodes(In("springs.txt"), &block);
    Check(rslVtu_WriteNodes(In("points.vtu"), balls, NULL), "points.vtu");
    DumpNodes(In("points.txt"), balls);
    Check(rslVtu_WriteSurface(In("surface.vtu"), balls, NULL), "surface.vtu");
    DumpSurface(In("surface.txt"), balls);
    Check(rslVtu_WriteNodes(In("empty.vtu"), &empty, NULL), "empty.vtu");
    DumpNodes(In("empty.txt"), &empty);
    const char* files[] = { "springs.vtu", "a & <b>.vtu" };
    const double times[] = { 0.1, 1.0 / 3.0 };
    Check(rslPvd_Write(In("series.pvd"), files, times, 2, NULL), "series.pvd");
    FreeHand(&block);
    FreeHand(&empty);
}

// ---- glTF -----------------------------------------------------------------------------------------------------------

// Bodies bounce and lean; the last frame may hold a point that is not finite.
static void WriteMoving(const char* name, const rslSnapshot* s, int frames, bool spoilt)
{
    rslPc2* cache = NULL;
    char path[400];
    snprintf(path, sizeof path, "%s.pc2", In(name));
    double* moved = calloc(3 * (size_t)s->vertexCount, sizeof(double));
    Check(rslPc2_Open(path, s->vertexCount, 0, NULL, &cache, NULL), path);
    for (int f = 0; f < frames; ++f)
    {
        for (int i = 0; i < s->vertexCount; ++i)
        {
            double z = s->vertices[3 * i + 2];
            moved[3 * i] = s->vertices[3 * i] + 0.3 * z * sin(0.3 * f);
            moved[3 * i + 1] = s->vertices[3 * i + 1];
            moved[3 * i + 2] = z * (1.0 + 0.2 * sin(0.7 * f));
        }
        moved[1] = spoilt ? NAN : moved[1];
        Check(rslPc2_Append(cache, moved, NULL), path);
    }
    rslPc2_Close(cache);
    rslReport report = { 0 };
    Check(rslGlb_FromPc2(In(name), path, s, 25.0, NULL, &report), name);
    if (report.notes != (frames > RSL_GLB_FRAMES) || report.warnings != spoilt || report.errors != 0)
    {
        fprintf(stderr, "%s: an unexpected report\n", name);
        exit(1);
    }
    free(moved);
}

int main(int argc, char** argv)
{
    if (argc != 2)
    {
        fprintf(stderr, "usage: export_data FOLDER\n");
        return 2;
    }
    snprintf(folder, sizeof folder, "%s", argv[1]);
    const rslVec3 centres[3] = { { 0, 0, 1 }, { 3, 0, 1 }, { 0, 3, 0.5 } };
    const double radii[3] = { 1, 0.5, 0.25 };
    rslSnapshot balls = MakeBalls(centres, radii, 3, 6), sheet = MakeSheet(5);
    WriteParaView(&balls);
    Check(rslGlb_Write(In("still.glb"), &balls, NULL, NULL), "still.glb");
    Check(rslGlb_Write(In("sheet.glb"), &sheet, NULL, NULL), "sheet.glb");
    WriteMoving("moving.glb", &balls, 24, false);
    WriteMoving("long.glb", &balls, 601, false);
    WriteMoving("single.glb", &balls, 1, false);
    WriteMoving("spoilt.glb", &balls, 4, true);
    FreeHand(&balls);
    FreeHand(&sheet);
    return 0;
}
