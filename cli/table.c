// SPDX-License-Identifier: MIT
//
// table.c: aligned text for people.

#include "table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cliLine(const char* key, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("  %-18s ", key != NULL ? key : "");
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

static bool Grow(cliTable* table)
{
    if (table->count < table->capacity)
    {
        return true;
    }
    int capacity = table->capacity > 0 ? 2 * table->capacity : 32;
    char** cells = realloc(table->cells, sizeof(char*) * (size_t)capacity);
    if (cells == NULL)
    {
        return false;
    }
    table->cells = cells;
    table->capacity = capacity;
    return true;
}

void cliTable_Add(cliTable* table, const char* format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char* copy = Grow(table) ? malloc(strlen(text) + 1) : NULL;
    if (copy != NULL)
    {
        strcpy(copy, text);
        table->cells[table->count++] = copy;
    }
}

static int Width(const cliTable* table, int column)
{
    size_t width = 0;
    for (int i = column; i < table->count; i += table->columns)
    {
        size_t length = strlen(table->cells[i]);
        width = length > width ? length : width;
    }
    return (int)width;
}

void cliTable_Print(const cliTable* table)
{
    for (int i = 0; i < table->count; ++i)
    {
        int column = i % table->columns;
        bool last = column == table->columns - 1;
        int width = Width(table, column);
        printf("  %*s%s", column == 0 ? -width : width, table->cells[i], last ? "\n" : "");
    }
}

void cliTable_Free(cliTable* table)
{
    for (int i = 0; i < table->count; ++i)
    {
        free(table->cells[i]);
    }
    free(table->cells);
    *table = (cliTable){ 0 };
}
