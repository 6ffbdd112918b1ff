// SPDX-License-Identifier: MIT
//
// sweep_table.c: what came out of a sweep, row by row. Columns are added as they come up.

#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int cliSweep_RowCount(const cliSweep* sweep)
{
    int64_t rows = 1;
    for (int i = 0; i < sweep->sweptCount; ++i)
    {
        int count = sweep->swept[i].count;
        if (sweep->zip && i > 0 && count != rows)
        {
            return -1;
        }
        rows = sweep->zip ? count : rows * count;
        if (rows > CLI_SWEEP_VALUES)
        {
            return 0;
        }
    }
    return (int)rows;
}

int cliSweep_Choice(const cliSweep* sweep, int row, int swept)
{
    if (sweep->zip)
    {
        return row;
    }
    for (int i = sweep->sweptCount - 1; i > swept; --i)
    {
        row /= sweep->swept[i].count;
    }
    return row % sweep->swept[swept].count;
}

static int AddColumn(cliSweep* sweep, const char* name)
{
    char** longer = realloc(sweep->columns, sizeof(char*) * (size_t)(sweep->columnCount + 1));
    sweep->columns = longer != NULL ? longer : sweep->columns;
    char* copy = longer != NULL ? strdup(name) : NULL;
    if (copy == NULL)
    {
        return -1;
    }
    sweep->columns[sweep->columnCount] = copy;
    return sweep->columnCount++;
}

void cliSweep_Put(cliSweep* sweep, int row, const char* column, double value)
{
    int index = 0;
    while (index < sweep->columnCount && strcmp(sweep->columns[index], column) != 0)
    {
        index += 1;
    }
    index = index == sweep->columnCount ? AddColumn(sweep, column) : index;
    cliSweepRow* r = &sweep->rows[row];
    if (index >= r->count)
    {
        double* longer = realloc(r->values, sizeof(double) * (size_t)(index + 1));
        for (int i = r->count; longer != NULL && i <= index; ++i)
        {
            longer[i] = NAN;
        }
        r->values = longer != NULL ? longer : r->values;
        r->count = longer != NULL ? index + 1 : r->count;
    }
    if (index < 0 || index >= r->count)
    {
        sweep->failed = true;
        return;
    }
    r->values[index] = value;
}

double cliSweep_Get(const cliSweep* sweep, int row, int column)
{
    const cliSweepRow* r = &sweep->rows[row];
    return column < r->count ? r->values[column] : NAN;
}

int cliSweep_FindColumn(const cliSweep* sweep, const char* name)
{
    size_t length = strlen(name);
    for (int i = 0; i < sweep->columnCount; ++i)
    {
        const char* column = sweep->columns[i];
        if (strncmp(column, name, length) == 0 && (column[length] == 0 || strncmp(column + length, " [", 2) == 0))
        {
            return i;
        }
    }
    return -1;
}

void cliSweep_Free(cliSweep* sweep)
{
    for (int i = 0; i < sweep->sweptCount; ++i)
    {
        cliSwept_Free(&sweep->swept[i]);
    }
    for (int i = 0; i < sweep->columnCount; ++i)
    {
        free(sweep->columns[i]);
    }
    for (int i = 0; sweep->rows != NULL && i < sweep->rowCount; ++i)
    {
        free(sweep->rows[i].values);
    }
    free(sweep->swept);
    free(sweep->columns);
    free(sweep->rows);
    *sweep = (cliSweep){ 0 };
}
