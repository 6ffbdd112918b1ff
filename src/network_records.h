// SPDX-License-Identifier: MIT
//
// network_records.h: numbers that lie four together, for as many slots as a register has lanes: loaded whole, transposed in registers, and
// back. Gathers of hardware are slower, and what is written in pieces and read as a whole waits for memory.

#pragma once

#include "network_rows.h"
#include "simd.h"

#include <stddef.h>

// What a row sees of the slots at its ends, by axis.
typedef struct Places
{
    Vec rest[3], u[3];
} Places;

typedef Real Two __attribute__((vector_size(2 * sizeof(Real)), aligned(sizeof(Real)), may_alias));
typedef Real Four __attribute__((vector_size(4 * sizeof(Real)), aligned(sizeof(Real)), may_alias));
typedef Real Eight __attribute__((vector_size(8 * sizeof(Real)), aligned(sizeof(Real)), may_alias));

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

#define PICK __builtin_shufflevector
#define FOUR(lane) (*(const Four*)(from + apart * SlotOf(at, lane)))
#define EIGHT(lane) (*(const Eight*)(from + RECORD * SlotOf(at, lane)))
#define JOIN_FOURS(a, b) PICK(a, b, 0, 1, 2, 3, 4, 5, 6, 7)

// Halves as a register: an instruction that compilers do not find.
#if RSL_WIDTH == 512
#define JOIN_HALVES(a, b) ((Vec)_mm512_insertf64x4(_mm512_castpd256_pd512((__m256d)(a)), (__m256d)(b), 1))
#endif

#if RSL_PRECISION == 32

// Of every four of two registers: numbers 0 and 1, or 2 and 3, in turns; the first two of each, or the last two.
// Every other four of the one, then of the other.
#if RSL_WIDTH == 512
#define LOW(a, b) PICK(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define HIGH(a, b) PICK(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define FIRST(a, b) PICK(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define SECOND(a, b) PICK(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
#define EVEN(a, b) PICK(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
#define ODD(a, b) PICK(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)
#define FOURS(i) JOIN_HALVES(JOIN_FOURS(FOUR(i), FOUR((i) + 4)), JOIN_FOURS(FOUR((i) + 8), FOUR((i) + 12)))
#define RECORDS(i) JOIN_HALVES(EIGHT((i) % 4 + 2 * ((i) / 4) * 4), EIGHT((i) % 4 + 2 * ((i) / 4) * 4 + 4))
#elif RSL_WIDTH == 256
#define LOW(a, b) PICK(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(a, b) PICK(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define FIRST(a, b) PICK(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define SECOND(a, b) PICK(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define EVEN(a, b) PICK(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define ODD(a, b) PICK(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#define FOURS(i) JOIN_FOURS(FOUR(i), FOUR((i) + 4))
#define RECORDS(i) EIGHT(i)
#else
#define LOW(a, b) PICK(a, b, 0, 4, 1, 5)
#define HIGH(a, b) PICK(a, b, 2, 6, 3, 7)
#define FIRST(a, b) PICK(a, b, 0, 1, 4, 5)
#define SECOND(a, b) PICK(a, b, 2, 3, 6, 7)
#define FOURS(i) FOUR(i)
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

// Fours of slots that are so many numbers apart.
RSL_INLINE void LoadFours(const Real* from, SlotList at, int apart, Vec to[4])
{
    Vec rows[4] = { FOURS(0), FOURS(1), FOURS(2), FOURS(3) };
    Transpose(rows, to);
}

RSL_INLINE void LoadPlaces(const Real* from, SlotList at, Places* to)
{
#if RSL_WIDTH > 128
    Vec early[4] = { RECORDS(0), RECORDS(1), RECORDS(2), RECORDS(3) }, a[4];
    Vec late[4] = { RECORDS(4), RECORDS(5), RECORDS(6), RECORDS(7) }, b[4];
    Transpose(early, a);
    Transpose(late, b);
    for (int axis = 0; axis < 3; ++axis)
    {
        to->rest[axis] = EVEN(a[axis], b[axis]);
        to->u[axis] = ODD(a[axis], b[axis]);
    }
#else
    Vec rest[4], u[4];
    LoadFours(from, at, RECORD, rest);
    LoadFours(from + RECORD / 2, at, RECORD, u);
    for (int axis = 0; axis < 3; ++axis)
    {
        to->rest[axis] = rest[axis];
        to->u[axis] = u[axis];
    }
#endif
}

#if RSL_WIDTH == 512
#define PART(v, four) ((Four)_mm512_extractf32x4_ps(v, four))
#else
#define PART(v, four) PICK(v, v, 4 * (four), 4 * (four) + 1, 4 * (four) + 2, 4 * (four) + 3)
#endif
#define STORE_FOUR(i, four, v) *(Four*)(to + apart * ((i) + 4 * (four))) = PART(v, four)

// Fours of slots one after the other, so many numbers apart.
RSL_INLINE void StoreFours(const Vec from[4], Real* to, int apart)
{
    Vec rows[4];
    Transpose(from, rows);
    for (int i = 0; i < 4; ++i)
    {
        STORE_FOUR(i, 0, rows[i]);
#if RSL_WIDTH > 128
        STORE_FOUR(i, 1, rows[i]);
#endif
#if RSL_WIDTH > 256
        STORE_FOUR(i, 2, rows[i]);
        STORE_FOUR(i, 3, rows[i]);
#endif
    }
}

#else

// Of every two of two registers the first or the second; every other two of the one, then of the other.
#if RSL_WIDTH == 512
#define LOW(a, b) PICK(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define HIGH(a, b) PICK(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define EVEN(a, b) PICK(a, b, 0, 1, 4, 5, 8, 9, 12, 13)
#define ODD(a, b) PICK(a, b, 2, 3, 6, 7, 10, 11, 14, 15)
#define FOURS(i) JOIN_HALVES(FOUR((i) % 2 + 4 * ((i) / 2)), FOUR((i) % 2 + 4 * ((i) / 2) + 2))
#elif RSL_WIDTH == 256
#define LOW(a, b) PICK(a, b, 0, 4, 2, 6)
#define HIGH(a, b) PICK(a, b, 1, 5, 3, 7)
#define EVEN(a, b) PICK(a, b, 0, 1, 4, 5)
#define ODD(a, b) PICK(a, b, 2, 3, 6, 7)
#define FOURS(i) FOUR(i)
#else
#define LOW(a, b) PICK(a, b, 0, 2)
#define HIGH(a, b) PICK(a, b, 1, 3)
#endif

RSL_INLINE void LoadFours(const Real* from, SlotList at, int apart, Vec to[4])
{
#if RSL_WIDTH > 128
    Vec a = FOURS(0), b = FOURS(1), c = FOURS(2), d = FOURS(3);
    Vec lowAB = LOW(a, b), lowCD = LOW(c, d), highAB = HIGH(a, b), highCD = HIGH(c, d);
    to[0] = EVEN(lowAB, lowCD);
    to[1] = EVEN(highAB, highCD);
    to[2] = ODD(lowAB, lowCD);
    to[3] = ODD(highAB, highCD);
#else
    const Real *early = from + apart * SlotOf(at, 0), *late = from + apart * SlotOf(at, 1);
    Vec a = VecLoad(early), b = VecLoad(late), c = VecLoad(early + 2), d = VecLoad(late + 2);
    to[0] = LOW(a, b);
    to[1] = HIGH(a, b);
    to[2] = LOW(c, d);
    to[3] = HIGH(c, d);
#endif
}

RSL_INLINE void LoadPlaces(const Real* from, SlotList at, Places* to)
{
    Vec rest[4], u[4];
    LoadFours(from, at, RECORD, rest);
    LoadFours(from + RECORD / 2, at, RECORD, u);
    for (int axis = 0; axis < 3; ++axis)
    {
        to->rest[axis] = rest[axis];
        to->u[axis] = u[axis];
    }
}

#define STORE_TWO(slot, part, v)                                                                                       \
    *(Two*)(to + apart * (slot) + 2 * (part)) = PICK(v, v, (slot) / 2 * 2, (slot) / 2 * 2 + 1)

RSL_INLINE void StoreFours(const Vec from[4], Real* to, int apart)
{
    for (int part = 0; part < 2; ++part)
    {
        Vec low = LOW(from[2 * part], from[2 * part + 1]), high = HIGH(from[2 * part], from[2 * part + 1]);
        STORE_TWO(0, part, low);
        STORE_TWO(1, part, high);
#if RSL_WIDTH > 128
        STORE_TWO(2, part, low);
        STORE_TWO(3, part, high);
#endif
#if RSL_WIDTH > 256
        STORE_TWO(4, part, low);
        STORE_TWO(5, part, high);
        STORE_TWO(6, part, low);
        STORE_TWO(7, part, high);
#endif
    }
}
#endif
