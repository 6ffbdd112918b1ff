// SPDX-License-Identifier: MIT
//
// system_file.h: a linear system K x = b in a file, as `resilin bench` writes it (cli/bench_system.c) for programs that solve it:
//
//   nodes, blocks               two int64_t
//   first block of every node   nodes + 1 of int64_t
//   column of every block       blocks of int32_t, ascending in a row, the diagonal among them
//   K                           blocks of 3x3 double, by rows
//   places of nodes             nodes of 3 double, for motions that a solver may want to know
//   b                           nodes of 3 double
//
// A program is called with the file, the residual |b - K x| / |b| that is asked for, and a file for x, nodes of 3 double. It prints
// seconds of set-up, seconds of the solve, iterations, the residual, and the most memory that it ever had, in bytes.

#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct SystemFile
{
    FILE* file;
    int64_t nodes, blocks;
    int64_t* start;      // of all nodes
    int64_t begin, end;  // nodes whose rows are here
    int32_t* column;
    double* block;
} SystemFile;

static inline double Seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline bool SystemFile_Open(SystemFile* system, const char* path)
{
    int64_t counts[2] = { 0, 0 };
    *system = (SystemFile){ .file = fopen(path, "rb") };
    if (system->file == NULL || fread(counts, sizeof counts, 1, system->file) != 1)
    {
        return false;
    }
    system->nodes = counts[0];
    system->blocks = counts[1];
    system->start = malloc(sizeof(int64_t) * (size_t)(system->nodes + 1));
    size_t count = (size_t)system->nodes + 1;
    return system->start != NULL && fread(system->start, sizeof(int64_t), count, system->file) == count;
}

static inline bool SystemFile_ReadAt(const SystemFile* system, int64_t at, void* to, size_t bytes)
{
    return fseeko(system->file, (off_t)at, SEEK_SET) == 0 && fread(to, 1, bytes, system->file) == bytes;
}

// The columns and blocks of a node; rows are read many at a time.
static inline bool SystemFile_Row(SystemFile* system, int64_t node, const int32_t** column, const double** block)
{
    enum
    {
        MANY = 1024
    };
    if (node < system->begin || node >= system->end)
    {
        system->begin = node;
        system->end = system->nodes - node < MANY ? system->nodes : node + MANY;
        int64_t columns = 16 + 8 * (system->nodes + 1), first = system->start[node];
        size_t count = (size_t)(system->start[system->end] - first);
        system->column = realloc(system->column, 4 * count + 1);
        system->block = realloc(system->block, 72 * count + 1);
        if (system->column == NULL || system->block == NULL ||
            !SystemFile_ReadAt(system, columns + 4 * first, system->column, 4 * count) ||
            !SystemFile_ReadAt(system, columns + 4 * system->blocks + 72 * first, system->block, 72 * count))
        {
            return false;
        }
    }
    int64_t at = system->start[node] - system->start[system->begin];
    *column = system->column + at;
    *block = system->block + 9 * at;
    return true;
}

// Places (which = 0) or b (1) of nodes begin to end - 1.
static inline bool SystemFile_ReadVector(const SystemFile* system, int which, int64_t begin, int64_t end, double* to)
{
    int64_t vectors = 16 + 8 * (system->nodes + 1) + 76 * system->blocks;
    return SystemFile_ReadAt(system, vectors + 24 * (system->nodes * which + begin), to, 24 * (size_t)(end - begin));
}

static inline void SystemFile_Close(SystemFile* system)
{
    free(system->start);
    free(system->column);
    free(system->block);
    if (system->file != NULL)
    {
        fclose(system->file);
    }
}

// The most memory that this process ever had [B].
static inline double PeakBytes(void)
{
    char line[256];
    double kilobytes = 0.0;
    FILE* file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
    {
        if (strncmp(line, "VmHWM:", 6) == 0)
        {
            kilobytes = strtod(line + 6, NULL);
        }
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return 1024.0 * kilobytes;
}
