// SPDX-License-Identifier: MIT
//
// table.h: rows in the order of time, width numbers each, the time first.

#pragma once

#include <stddef.h>

// Where a time lies in a table of at least one row: between row and next, at a share of the way. Before the first row and
// after the last one, row and next are that row.
typedef struct rslTablePlace
{
    const double* row;
    const double* next;
    double share;
} rslTablePlace;

static inline rslTablePlace rslTable_Find(const double* table, int width, int count, double time)
{
    int low = 0, high = count;
    // the last row that is not later than time
    while (high - low > 1)
    {
        int middle = low + (high - low) / 2;
        if (table[(size_t)width * (size_t)middle] <= time)
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    rslTablePlace place = { .row = table + (size_t)width * (size_t)low };
    place.next = time > place.row[0] && low + 1 < count ? place.row + width : place.row;
    place.share = place.next != place.row ? (time - place.row[0]) / (place.next[0] - place.row[0]) : 0.0;
    return place;
}

// One number of the row in between.
static inline double rslTable_Value(const rslTablePlace* place, int column)
{
    return place->row[column] + place->share * (place->next[column] - place->row[column]);
}
