// SPDX-License-Identifier: MIT
//
// lists.h: from "item to key" to "key to items", by counting.

#pragma once

// start gets keyCount + 1 positions, items the item numbers of each key in ascending order. Negative keys are left out.
static inline void rslInvert(const int* keys, int itemCount, int keyCount, int* start, int* items)
{
    for (int k = 0; k <= keyCount; ++k)
    {
        start[k] = 0;
    }
    for (int i = 0; i < itemCount; ++i)
    {
        start[keys[i] < 0 ? keyCount : keys[i]] += keys[i] < 0 ? 0 : 1;
    }
    for (int k = 1; k <= keyCount; ++k)
    {
        start[k] += start[k - 1];  // now the end of each list
    }
    for (int i = itemCount - 1; i >= 0; --i)
    {
        if (keys[i] >= 0)
        {
            items[--start[keys[i]]] = i;
        }
    }
}
