// SPDX-License-Identifier: MIT
//
// network_records.h: numbers that lie four together, for as many slots as a register has lanes: loaded whole and transposed in registers, and
// back. Gathers of hardware are slower.

#pragma once

#include "network_rows.h"
#include "simd.h"

#include <stddef.h>

typedef Real Four __attribute__((vector_size(4 * sizeof(Real)), aligned(sizeof(Real)), may_alias));

// Slots of lanes as rows list them, counted from that of the first record of an array. One of them is NULL, where it is compiled.
typedef struct SlotList
{
    const int16_t* near;
    const int* far;
} SlotList;

RSL_INLINE ptrdiff_t SlotOf(SlotList slots, int lane)
{
    return slots.near != NULL ? slots.near[lane] : slots.far[lane];
}

#define PICK __builtin_shufflevector
#define AT(lane) (records + RECORD * SlotOf(at, lane))

#if RSL_PRECISION == 32

// Of every four of two registers: numbers 0 and 1, or 2 and 3, in turns; the first two of each, or the last two. FOURS(i) has the records
// of lanes i, i + 4, ...
#if RSL_WIDTH == 512
#define LOW(a, b) PICK(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define HIGH(a, b) PICK(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define FIRST(a, b) PICK(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define SECOND(a, b) PICK(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
#define WITH(v, i, number) _mm512_insertf32x4(v, _mm_loadu_ps(AT((i) + 4 * (number))), number)
#define FOURS(i) ((Vec)WITH(WITH(WITH(_mm512_castps128_ps512(_mm_loadu_ps(AT(i))), i, 1), i, 2), i, 3))
#define FOUR_OF(v, number) ((Four)_mm512_extractf32x4_ps(v, number))
#elif RSL_WIDTH == 256
#define LOW(a, b) PICK(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(a, b) PICK(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define FIRST(a, b) PICK(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define SECOND(a, b) PICK(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define FOURS(i) ((Vec)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(AT(i))), _mm_loadu_ps(AT((i) + 4)), 1))
#define FOUR_OF(v, number) ((Four)_mm256_extractf128_ps(v, number))
#else
#define LOW(a, b) PICK(a, b, 0, 4, 1, 5)
#define HIGH(a, b) PICK(a, b, 2, 6, 3, 7)
#define FIRST(a, b) PICK(a, b, 0, 1, 4, 5)
#define SECOND(a, b) PICK(a, b, 2, 3, 6, 7)
#define FOURS(i) (*(const Four*)AT(i))
#define FOUR_OF(v, number) (v)
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

#else

// Of every two of two registers the first or the second; of every four the first two of each, or the last two.
#if RSL_WIDTH == 512
#define LOW(a, b) PICK(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define HIGH(a, b) PICK(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define EVEN(a, b) PICK(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define ODD(a, b) PICK(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define FOURS(i)                                                                                                       \
    ((Vec)_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(AT(i))), _mm256_loadu_pd(AT((i) + 4)), 1))
#define FOUR_OF(v, number) ((Four)_mm512_extractf64x4_pd(v, number))
#elif RSL_WIDTH == 256
#define LOW(a, b) PICK(a, b, 0, 4, 2, 6)
#define HIGH(a, b) PICK(a, b, 1, 5, 3, 7)
#define EVEN(a, b) PICK(a, b, 0, 1, 4, 5)
#define ODD(a, b) PICK(a, b, 2, 3, 6, 7)
#define FOURS(i) (*(const Four*)AT(i))
#define FOUR_OF(v, number) (v)
#else
#define LOW(a, b) PICK(a, b, 0, 2)
#define HIGH(a, b) PICK(a, b, 1, 3)
#endif

#if RSL_WIDTH > 128
RSL_INLINE void Transpose(const Vec from[4], Vec to[4])
{
    Vec low[2] = { LOW(from[0], from[1]), LOW(from[2], from[3]) };
    Vec high[2] = { HIGH(from[0], from[1]), HIGH(from[2], from[3]) };
    to[0] = EVEN(low[0], low[1]);
    to[1] = EVEN(high[0], high[1]);
    to[2] = ODD(low[0], low[1]);
    to[3] = ODD(high[0], high[1]);
}
#endif
#endif

// The first three numbers of records, by number.
RSL_INLINE void LoadRecords(const Real* records, SlotList at, Vec to[3])
{
#if RSL_WIDTH / RSL_PRECISION >= 4
    Vec fours[4] = { FOURS(0), FOURS(1), FOURS(2), FOURS(3) }, all[4];
    Transpose(fours, all);
    memcpy(to, all, 3 * sizeof(Vec));
#else
    Vec a = VecLoad(AT(0)), b = VecLoad(AT(1)), c = VecLoad(AT(0) + 2), d = VecLoad(AT(1) + 2);
    to[0] = LOW(a, b);
    to[1] = HIGH(a, b);
    to[2] = LOW(c, d);
#endif
}

// One after the other. The fourth number is the third.
RSL_INLINE void StoreRecords(const Vec from[3], Real* records)
{
#if RSL_WIDTH / RSL_PRECISION >= 4
    Vec all[4] = { from[0], from[1], from[2], from[2] }, fours[4];
    Transpose(all, fours);
    for (int i = 0; i < 4; ++i)
    {
        Four* to = (Four*)(records + RECORD * i);
        to[0] = FOUR_OF(fours[i], 0);
#if RSL_WIDTH / RSL_PRECISION > 4
        to[4] = FOUR_OF(fours[i], 1);
#endif
#if RSL_WIDTH / RSL_PRECISION > 8
        to[8] = FOUR_OF(fours[i], 2);
        to[12] = FOUR_OF(fours[i], 3);
#endif
    }
#else
    for (int i = 0; i < 4; i += 2)
    {
        VecStore(records + i, LOW(from[i], from[i == 0 ? 1 : 2]));
        VecStore(records + RECORD + i, HIGH(from[i], from[i == 0 ? 1 : 2]));
    }
#endif
}
