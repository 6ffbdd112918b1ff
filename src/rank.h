// SPDX-License-Identifier: MIT
//
// rank.h: the rank of a sparse matrix of integers, row by row, modulo the prime 2^31 - 1: no tolerance decides what is zero. (The
// rank could come out too small, but only by a coincidence that the rows give no reason for.)

#pragma once

#include "memory.h"

typedef struct rslRankEntry
{
    int column;
    uint32_t value;
} rslRankEntry;

typedef struct rslRankVector
{
    rslRankEntry* at;
    size_t count, capacity;
} rslRankVector;

typedef struct rslRank
{
    const rslHooks* hooks;
    int64_t rank, work;
    size_t* start;  // of the row whose first column this is, into pool; 0: none
    int* length;
    rslRankVector pool, row, sum;
    bool full, failed;
} rslRank;

enum
{
    RSL_CONDITION_MOST = 36
};

// One row while it is put together.
typedef struct rslCondition
{
    int count;
    int column[RSL_CONDITION_MOST];
    int64_t value[RSL_CONDITION_MOST];
} rslCondition;

// An empty matrix; false when out of memory. To be freed in any case.
bool rslRank_Make(rslRank* matrix, const rslHooks* hooks, int64_t columns);
void rslRank_Free(rslRank* matrix);

// Add to the coefficient of a column.
void rslCondition_Add(rslCondition* condition, int column, int64_t value);

// Take in a row; true when it is independent of those before. Once too much work has been done the matrix is full: no row
// is looked at any more.
bool rslRank_Take(rslRank* matrix, const rslCondition* condition);
