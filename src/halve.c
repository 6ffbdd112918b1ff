// SPDX-License-Identifier: MIT
//
// halve.c: quickselect. The order is strict (the item breaks ties), so equal keys do no harm.

#include "halve.h"

#include <stdbool.h>
#include <stddef.h>

static bool Before(const double* keys, int axis, int a, int b)
{
    double x = keys[3 * (size_t)a + (size_t)axis], y = keys[3 * (size_t)b + (size_t)axis];
    return x < y || (x == y && a < b);
}

static void Swap(int* a, int* b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

static void SortThree(int* a, int* b, int* c, const double* keys, int axis)
{
    if (Before(keys, axis, *b, *a))
        Swap(a, b);
    if (Before(keys, axis, *c, *a))
        Swap(a, c);
    if (Before(keys, axis, *c, *b))
        Swap(b, c);
}

void rslHalve(int* items, int count, const double* keys, int axis)
{
    int low = 0, high = count - 1, target = count / 2;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        SortThree(&items[low], &items[middle], &items[high], keys, axis);
        int pivot = items[middle], i = low, j = high;
        while (i <= j)
        {
            while (Before(keys, axis, items[i], pivot))
                ++i;
            while (Before(keys, axis, pivot, items[j]))
                --j;
            if (i <= j)
            {
                Swap(&items[i], &items[j]);
                ++i;
                --j;
            }
        }
        if (target <= j)
            high = j;
        else if (target >= i)
            low = i;
        else
            return;
    }
}
