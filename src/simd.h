// SPDX-License-Identifier: MIT
//
// simd.h: as many numbers at once as one register holds. Wide files (wide.h) are compiled once for every width of registers, RSL_WIDTH
// bits, and precision, and every symbol they export is written RSL_WIDE(name). +, -, * and / of a Vec are those of its numbers; here is the rest.
// Every lane does the same IEEE operations in the same order at any width, so the bits are those of plain numbers.

#pragma once

#include "real.h"

#ifndef RSL_WIDTH
#error "wide files are compiled with RSL_WIDTH set to 128, 256 or 512"
#endif

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#define RSL_WIDE(name) RSL_WIDE_GLUE(name, RSL_PRECISION, RSL_WIDTH)

enum
{
    VEC = RSL_WIDTH / RSL_PRECISION  // numbers
};

typedef Real Vec __attribute__((vector_size(RSL_WIDTH / 8)));
typedef Real VecAnywhere __attribute__((vector_size(RSL_WIDTH / 8), aligned(sizeof(Real)), may_alias));

RSL_INLINE Vec VecOf(Real x)
{
    return x - (Vec){ 0 };  // -0, too
}

RSL_INLINE Vec VecLoad(const Real* from)
{
    return *(const VecAnywhere*)from;
}

RSL_INLINE void VecStore(Real* to, Vec v)
{
    *(VecAnywhere*)to = v;
}

// The first of its numbers, all of them if there are no more; others stand in the lanes behind the last one that is read.
RSL_INLINE Vec VecLoadFirst(const Real* from, int count, Vec others)
{
    if (count >= VEC)
    {
        return VecLoad(from);
    }
#if RSL_WIDTH == 512 && RSL_PRECISION == 32
    return (Vec)_mm512_mask_loadu_ps(others, (__mmask16)((1u << count) - 1u), from);
#elif RSL_WIDTH == 512
    return (Vec)_mm512_mask_loadu_pd(others, (__mmask8)((1u << count) - 1u), from);
#else
    for (int i = 0; i < count; ++i)
    {
        others[i] = from[i];
    }
    return others;
#endif
}

RSL_INLINE void VecStoreFirst(Real* to, Vec v, int count)
{
    if (count >= VEC)
    {
        VecStore(to, v);
        return;
    }
#if RSL_WIDTH == 512 && RSL_PRECISION == 32
    _mm512_mask_storeu_ps(to, (__mmask16)((1u << count) - 1u), v);
#elif RSL_WIDTH == 512
    _mm512_mask_storeu_pd(to, (__mmask8)((1u << count) - 1u), v);
#else
    for (int i = 0; i < count; ++i)
    {
        to[i] = v[i];
    }
#endif
}

// The first of its numbers, with those of others in the lanes behind them.
RSL_INLINE Vec VecFirst(Vec v, int count, Vec others)
{
#if RSL_WIDTH == 512 && RSL_PRECISION == 32
    return count >= VEC ? v : (Vec)_mm512_mask_mov_ps(others, (__mmask16)((1u << count) - 1u), v);
#elif RSL_WIDTH == 512
    return count >= VEC ? v : (Vec)_mm512_mask_mov_pd(others, (__mmask8)((1u << count) - 1u), v);
#else
    for (int i = 0; i < VEC; ++i)
    {
        others[i] = i < count ? v[i] : others[i];
    }
    return others;
#endif
}

// Its numbers are added to as many of double precision.
RSL_INLINE void VecAddTo(double* to, Vec v)
{
#if RSL_WIDTH == 512 && RSL_PRECISION == 32
    __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256((__m512)v));
    __m512d high = _mm512_cvtps_pd(_mm256_castpd_ps(_mm512_extractf64x4_pd((__m512d)v, 1)));
    _mm512_storeu_pd(to, _mm512_add_pd(_mm512_loadu_pd(to), low));
    _mm512_storeu_pd(to + 8, _mm512_add_pd(_mm512_loadu_pd(to + 8), high));
#else
    for (int i = 0; i < VEC; ++i)
    {
        to[i] += (double)v[i];
    }
#endif
}

// Names of what a processor has beyond operators.
#if RSL_WIDTH == 512
#define VEC_CALL_(name, type) _mm512_##name##_p##type
#elif RSL_WIDTH == 256
#define VEC_CALL_(name, type) _mm256_##name##_p##type
#elif defined(__SSE2__)
#define VEC_CALL_(name, type) _mm_##name##_p##type
#endif
#if RSL_PRECISION == 32
#define VEC_CALL(name) VEC_CALL_(name, s)
#else
#define VEC_CALL(name) VEC_CALL_(name, d)
#endif

// The square root.
#if defined(VEC_CALL_)
#define VecRoot(a) ((Vec)VEC_CALL(sqrt)(a))
#elif defined(__wasm_simd128__) && RSL_PRECISION == 32
#define VecRoot(a) ((Vec)wasm_f32x4_sqrt((v128_t)(a)))
#elif defined(__wasm_simd128__)
#define VecRoot(a) ((Vec)wasm_f64x2_sqrt((v128_t)(a)))
#else
RSL_INLINE Vec VecRoot(Vec a)
{
    for (int i = 0; i < VEC; ++i)
    {
        a[i] = SquareRoot(a[i]);
    }
    return a;
}
#endif

// a, or the least where it is less; what is not a number becomes either. Positive numbers have the order of their bits, and comparing these
// takes nothing from the units that add.
#if RSL_WIDTH == 512 && RSL_PRECISION == 32
#define VecAtLeast(a, least) ((Vec)_mm512_max_epi32((__m512i)(a), (__m512i)(least)))
#elif RSL_WIDTH == 512
#define VecAtLeast(a, least) ((Vec)_mm512_max_epi64((__m512i)(a), (__m512i)(least)))
#elif RSL_WIDTH == 256 && RSL_PRECISION == 32
#define VecAtLeast(a, least) ((Vec)_mm256_max_epi32((__m256i)(a), (__m256i)(least)))
#elif defined(VEC_CALL_)
#define VecAtLeast(a, least) ((Vec)VEC_CALL(max)(a, least))
#elif defined(__wasm_simd128__) && RSL_PRECISION == 32
#define VecAtLeast(a, least) ((Vec)wasm_f32x4_pmax((v128_t)(a), (v128_t)(least)))
#elif defined(__wasm_simd128__)
#define VecAtLeast(a, least) ((Vec)wasm_f64x2_pmax((v128_t)(a), (v128_t)(least)))
#else
RSL_INLINE Vec VecAtLeast(Vec a, Vec least)
{
    for (int i = 0; i < VEC; ++i)
    {
        a[i] = a[i] > least[i] ? a[i] : least[i];
    }
    return a;
}
#endif

// The less and the larger of two; what is not a number may be lost.
#ifdef VEC_CALL_
#define VecLess(a, b) ((Vec)VEC_CALL(min)(a, b))
#define VecMore(a, b) ((Vec)VEC_CALL(max)(a, b))
#elif defined(__wasm_simd128__) && RSL_PRECISION == 32
#define VecLess(a, b) ((Vec)wasm_f32x4_pmin((v128_t)(b), (v128_t)(a)))
#define VecMore(a, b) ((Vec)wasm_f32x4_pmax((v128_t)(b), (v128_t)(a)))
#elif defined(__wasm_simd128__)
#define VecLess(a, b) ((Vec)wasm_f64x2_pmin((v128_t)(b), (v128_t)(a)))
#define VecMore(a, b) ((Vec)wasm_f64x2_pmax((v128_t)(b), (v128_t)(a)))
#else
RSL_INLINE Vec VecLess(Vec a, Vec b)
{
    for (int i = 0; i < VEC; ++i)
    {
        a[i] = a[i] < b[i] ? a[i] : b[i];
    }
    return a;
}

RSL_INLINE Vec VecMore(Vec a, Vec b)
{
    for (int i = 0; i < VEC; ++i)
    {
        a[i] = a[i] > b[i] ? a[i] : b[i];
    }
    return a;
}
#endif

// A number from memory, in all lanes.
#ifdef VEC_CALL_
#define VecSame(from) ((Vec)VEC_CALL(set1)(*(from)))
#else
#define VecSame(from) VecOf(*(from))
#endif

// Lanes whose bits are set, and a + b in them, a in others: a must not be -0.
#if RSL_WIDTH == 512
#if RSL_PRECISION == 32
typedef __mmask16 VecLanes;
#else
typedef __mmask8 VecLanes;
#endif
#define VecLanesOf(bits) ((VecLanes)(bits))
#define VecAddWhere(lanes, a, b) ((Vec)VEC_CALL(mask_add)(a, lanes, a, b))
#else
#if RSL_PRECISION == 32
typedef int32_t VecInteger;
#else
typedef int64_t VecInteger;
#endif
typedef VecInteger VecLanes __attribute__((vector_size(RSL_WIDTH / 8)));

RSL_INLINE VecLanes VecLanesOf(int bits)
{
    VecLanes own = { 0 };
    for (int i = 0; i < VEC; ++i)
    {
        own[i] = 1 << i;
    }
    return (own & (VecInteger)bits) == own;
}

RSL_INLINE Vec VecAddWhere(VecLanes lanes, Vec a, Vec b)
{
    return a + (Vec)((VecLanes)b & lanes);
}
#endif
