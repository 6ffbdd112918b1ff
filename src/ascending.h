// SPDX-License-Identifier: MIT
//
// ascending.h: where a number is among ascending ones, by halving.

#pragma once

#include <stddef.h>
#include <string.h>

// From begin on, the first place whose number is not below the one asked for; end: there is none.
static inline int rslFirstFrom(const int* numbers, int begin, int end, int number)
{
    while (begin < end)
    {
        int middle = begin + (end - begin) / 2;
        begin = numbers[middle] < number ? middle + 1 : begin;
        end = numbers[middle] < number ? end : middle;
    }
    return begin;
}

// Before end, the last place whose number is not above the one asked for; begin: there is none, or it is that one. Numbers are in
// items of a size, behind so many bytes of each.
static inline int rslLastUpTo(const void* items, size_t size, size_t behind, int begin, int end, int number)
{
    while (end - begin > 1)
    {
        int middle = begin + (end - begin) / 2, found;
        memcpy(&found, (const char*)items + (size_t)middle * size + behind, sizeof found);
        begin = found <= number ? middle : begin;
        end = found <= number ? end : middle;
    }
    return begin;
}

#define RSL_LAST_UP_TO(items, type, field, begin, end, number)                                                         \
    rslLastUpTo(items, sizeof(type), offsetof(type, field), begin, end, number)

// Puts a number into a list that has room for it.
static inline void rslPutInto(int* list, int* count, int place, int number)
{
    memmove(&list[place + 1], &list[place], (size_t)(*count - place) * sizeof(int));
    list[place] = number;
    *count += 1;
}
