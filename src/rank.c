// SPDX-License-Identifier: MIT
//
// rank.c: see rank.h. Gauss's elimination: every row kept starts at another column, with 1.

#include "rank.h"

#include <string.h>

#define PRIME 2147483647u

enum
{
    WORK_LIMIT = 1000 * 1000 * 1000  // multiplications
};

static uint32_t Times(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b % PRIME);
}

static uint32_t Inverse(uint32_t a)
{
    uint32_t out = 1;
    for (uint32_t e = PRIME - 2; e > 0; e >>= 1)
    {
        out = e & 1 ? Times(out, a) : out;
        a = Times(a, a);
    }
    return out;
}

static bool Push(rslRank* matrix, rslRankVector* vector, int column, uint32_t value)
{
    if (!rslGrow(matrix->hooks, (void**)&vector->at, vector->count, &vector->capacity, sizeof(rslRankEntry)))
    {
        matrix->failed = true;
        return false;
    }
    vector->at[vector->count++] = (rslRankEntry){ column, value };
    return true;
}

bool rslRank_Make(rslRank* matrix, const rslHooks* hooks, int64_t columns)
{
    *matrix = (rslRank){ .hooks = hooks };
    matrix->start = rslAllocate(hooks, (size_t)columns, sizeof(size_t));
    matrix->length = rslAllocate(hooks, (size_t)columns, sizeof(int));
    // the first entry is nobody's, so that 0 means none
    return matrix->start != NULL && matrix->length != NULL && Push(matrix, &matrix->pool, 0, 0);
}

void rslRank_Free(rslRank* matrix)
{
    rslRelease(matrix->hooks, matrix->sum.at);
    rslRelease(matrix->hooks, matrix->row.at);
    rslRelease(matrix->hooks, matrix->pool.at);
    rslRelease(matrix->hooks, matrix->length);
    rslRelease(matrix->hooks, matrix->start);
}

// row -= row[0] pivot; the first entries cancel.
static void Reduce(rslRank* matrix, const rslRankEntry* pivot, int length)
{
    const rslRankEntry* row = matrix->row.at;
    uint32_t factor = PRIME - row[0].value;
    size_t r = 1;
    int p = 1;
    matrix->sum.count = 0;
    while (r < matrix->row.count || p < length)
    {
        bool fromRow = r < matrix->row.count && (p == length || row[r].column <= pivot[p].column);
        bool fromPivot = p < length && (r == matrix->row.count || pivot[p].column <= row[r].column);
        int column = fromRow ? row[r].column : pivot[p].column;
        uint64_t value = fromRow ? row[r++].value : 0;
        value = (value + (fromPivot ? Times(factor, pivot[p++].value) : 0u)) % PRIME;
        if (value != 0 && !Push(matrix, &matrix->sum, column, (uint32_t)value))
        {
            return;
        }
    }
    rslRankVector swap = matrix->row;
    matrix->row = matrix->sum;
    matrix->sum = swap;
}

// Take in matrix->row, sorted by column; true when it says something new.
static bool Insert(rslRank* matrix)
{
    while (matrix->row.count > 0 && !matrix->failed && !matrix->full)
    {
        int first = matrix->row.at[0].column;
        if (matrix->start[first] == 0)
        {
            uint32_t inverse = Inverse(matrix->row.at[0].value);
            matrix->start[first] = matrix->pool.count;
            matrix->length[first] = (int)matrix->row.count;
            for (size_t e = 0; e < matrix->row.count; ++e)
            {
                Push(matrix, &matrix->pool, matrix->row.at[e].column, Times(inverse, matrix->row.at[e].value));
            }
            matrix->rank += 1;
            return true;
        }
        matrix->work += matrix->length[first];
        matrix->full = matrix->work > WORK_LIMIT;
        Reduce(matrix, &matrix->pool.at[matrix->start[first]], matrix->length[first]);
    }
    return false;
}

void rslCondition_Add(rslCondition* condition, int column, int64_t value)
{
    int at = condition->count;
    while (at > 0 && condition->column[at - 1] > column)
    {
        --at;
    }
    if (at > 0 && condition->column[at - 1] == column)
    {
        condition->value[at - 1] += value;
        return;
    }
    memmove(&condition->column[at + 1], &condition->column[at], (size_t)(condition->count - at) * sizeof(int));
    memmove(&condition->value[at + 1], &condition->value[at], (size_t)(condition->count - at) * sizeof(int64_t));
    condition->column[at] = column;
    condition->value[at] = value;
    condition->count += 1;
}

bool rslRank_Take(rslRank* matrix, const rslCondition* condition)
{
    matrix->row.count = 0;
    for (int e = 0; e < condition->count; ++e)
    {
        int64_t value = condition->value[e] % (int64_t)PRIME;
        if (value != 0)
        {
            Push(matrix, &matrix->row, condition->column[e], (uint32_t)(value < 0 ? value + (int64_t)PRIME : value));
        }
    }
    return Insert(matrix);
}
