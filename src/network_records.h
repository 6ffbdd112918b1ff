// SPDX-License-Identifier: MIT
//
// network_records.h: numbers that lie four together, for as many slots as a register has lanes: loaded whole, transposed in registers, and
// back. Gathers of hardware are slower, and what is written in pieces and read as a whole waits for memory.

#pragma once

#include "network_rows.h"
#include "simd.h"

#include <stddef.h>

typedef Real Two __attribute__((vector_size(2 * sizeof(Real)), aligned(sizeof(Real)), may_alias));
typedef Real Four __attribute__((vector_size(4 * sizeof(Real)), aligned(sizeof(Real)), may_alias));

// Slots, counted from that of the first record of an array: one after the other, or as rows name them. Which of them is known where it is
// compiled.
typedef struct SlotList
{
    const uint16_t* near;
    const int* far;
    enum
    {
        IN_LINE,
        NEAR,
        FAR
    } told;
} SlotList;

RSL_INLINE ptrdiff_t SlotOf(SlotList slots, int lane)
{
    return slots.told == IN_LINE ? lane : slots.told == NEAR ? slots.near[lane] : slots.far[lane];
}

// Those of lanes from one on.
RSL_INLINE SlotList SlotsFrom(SlotList slots, int lane)
{
    return slots.told == NEAR  ? (SlotList){ .near = slots.near + lane, .told = NEAR }
           : slots.told == FAR ? (SlotList){ .far = slots.far + lane, .told = FAR }
                               : slots;
}

#define PICK __builtin_shufflevector
#define AT(lane) (records + RECORD * SlotOf(at, lane))

#if RSL_PRECISION == 32

// Of every four of two registers: numbers 0 and 1, or 2 and 3, in turns; the first two of each, or the last two.
#if RSL_WIDTH == 256
#define LOW(a, b) PICK(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(a, b) PICK(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define FIRST(a, b) PICK(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define SECOND(a, b) PICK(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define FOURS(i) ((Vec)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(AT(i))), _mm_loadu_ps(AT((i) + 4)), 1))
#define EARLY(v) ((Four)_mm256_castps256_ps128(v))
#define LATE(v) ((Four)_mm256_extractf128_ps(v, 1))
#else
#define LOW(a, b) PICK(a, b, 0, 4, 1, 5)
#define HIGH(a, b) PICK(a, b, 2, 6, 3, 7)
#define FIRST(a, b) PICK(a, b, 0, 1, 4, 5)
#define SECOND(a, b) PICK(a, b, 2, 3, 6, 7)
#define FOURS(i) (*(const Four*)AT(i))
#define EARLY(v) (v)
#endif

// Numbers 0, 1, 2 and 3 of the fours of four registers; and back.
RSL_INLINE void Transpose(const Vec from[4], Vec to[4])
{
    Vec low[2] = { LOW(from[0], from[1]), LOW(from[2], from[3]) };
    Vec high[2] = { HIGH(from[0], from[1]), HIGH(from[2], from[3]) };
    to[0] = FIRST(low[0], low[1]);
    to[1] = SECOND(low[0], low[1]);
    to[2] = FIRST(high[0], high[1]);
    to[3] = SECOND(high[0], high[1]);
}

// Records of slots, by number.
RSL_INLINE void LoadRecords(const Real* records, SlotList at, Vec to[RECORD])
{
    Vec fours[4] = { FOURS(0), FOURS(1), FOURS(2), FOURS(3) };
    Transpose(fours, to);
}

RSL_INLINE void StoreRecords(const Vec from[RECORD], SlotList at, Real* records)
{
    Vec fours[4];
    Transpose(from, fours);
    for (int i = 0; i < 4; ++i)
    {
        *(Four*)AT(i) = EARLY(fours[i]);
#if RSL_WIDTH == 256
        *(Four*)AT(i + 4) = LATE(fours[i]);
#endif
    }
}

// One slot after the other: they may be the same.
RSL_INLINE void TakeRecords(const Vec from[RECORD], SlotList at, Real* records)
{
    Vec fours[4];
    Transpose(from, fours);
    for (int i = 0; i < 4; ++i)
    {
        *(Four*)AT(i) -= EARLY(fours[i]);
    }
#if RSL_WIDTH == 256
    for (int i = 0; i < 4; ++i)
    {
        *(Four*)AT(i + 4) -= LATE(fours[i]);
    }
#endif
}

#else

// Of every two of two registers the first or the second; the first two of each, or the last two.
#if RSL_WIDTH == 256
#define LOW(a, b) PICK(a, b, 0, 4, 2, 6)
#define HIGH(a, b) PICK(a, b, 1, 5, 3, 7)
#define EVEN(a, b) PICK(a, b, 0, 1, 4, 5)
#define ODD(a, b) PICK(a, b, 2, 3, 6, 7)
#define TWOS(i)                                                                                                        \
    ((Vec)_mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(AT(0) + (i))), _mm_loadu_pd(AT(2) + (i)), 1))
#define NEXT_TWOS(i)                                                                                                   \
    ((Vec)_mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(AT(1) + (i))), _mm_loadu_pd(AT(3) + (i)), 1))
#else
#define LOW(a, b) PICK(a, b, 0, 2)
#define HIGH(a, b) PICK(a, b, 1, 3)
#define TWOS(i) VecLoad(AT(0) + (i))
#define NEXT_TWOS(i) VecLoad(AT(1) + (i))
#endif

// Halves of records, which come from memory without a shuffle.
RSL_INLINE void LoadRecords(const Real* records, SlotList at, Vec to[RECORD])
{
    Vec a = TWOS(0), b = NEXT_TWOS(0), c = TWOS(2), d = NEXT_TWOS(2);
    to[0] = LOW(a, b);
    to[1] = HIGH(a, b);
    to[2] = LOW(c, d);
    to[3] = HIGH(c, d);
}

#if RSL_WIDTH == 256
RSL_INLINE void Transpose(const Vec from[4], Vec to[4])
{
    Vec low[2] = { LOW(from[0], from[1]), LOW(from[2], from[3]) };
    Vec high[2] = { HIGH(from[0], from[1]), HIGH(from[2], from[3]) };
    to[0] = EVEN(low[0], low[1]);
    to[1] = EVEN(high[0], high[1]);
    to[2] = ODD(low[0], low[1]);
    to[3] = ODD(high[0], high[1]);
}

RSL_INLINE void StoreRecords(const Vec from[RECORD], SlotList at, Real* records)
{
    Vec fours[4];
    Transpose(from, fours);
    for (int i = 0; i < 4; ++i)
    {
        *(Four*)AT(i) = fours[i];
    }
}

RSL_INLINE void TakeRecords(const Vec from[RECORD], SlotList at, Real* records)
{
    Vec fours[4];
    Transpose(from, fours);
    for (int i = 0; i < 4; ++i)
    {
        *(Four*)AT(i) -= fours[i];
    }
}
#else
RSL_INLINE void StoreRecords(const Vec from[RECORD], SlotList at, Real* records)
{
    for (int i = 0; i < 4; i += 2)
    {
        *(Two*)(AT(0) + i) = LOW(from[i], from[i + 1]);
        *(Two*)(AT(1) + i) = HIGH(from[i], from[i + 1]);
    }
}

RSL_INLINE void TakeRecords(const Vec from[RECORD], SlotList at, Real* records)
{
    for (int i = 0; i < 4; i += 2)
    {
        *(Two*)(AT(0) + i) -= LOW(from[i], from[i + 1]);
    }
    for (int i = 0; i < 4; i += 2)
    {
        *(Two*)(AT(1) + i) -= HIGH(from[i], from[i + 1]);
    }
}
#endif
#endif
