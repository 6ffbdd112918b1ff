// SPDX-License-Identifier: MIT
//
// lattice_bound.c: see lattice_bound.h.

#include "lattice_bound.h"

#include "simd.h"

#ifdef VEC_CALL_
#define Less(a, b) ((Vec)VEC_CALL(min)(a, b))
#define More(a, b) ((Vec)VEC_CALL(max)(a, b))
#elif defined(__wasm_simd128__) && RSL_PRECISION == 32
#define Less(a, b) ((Vec)wasm_f32x4_pmin((v128_t)(b), (v128_t)(a)))
#define More(a, b) ((Vec)wasm_f32x4_pmax((v128_t)(b), (v128_t)(a)))
#elif defined(__wasm_simd128__)
#define Less(a, b) ((Vec)wasm_f64x2_pmin((v128_t)(b), (v128_t)(a)))
#define More(a, b) ((Vec)wasm_f64x2_pmax((v128_t)(b), (v128_t)(a)))
#else
RSL_INLINE Vec Less(Vec a, Vec b)
{
    for (int i = 0; i < VEC; ++i)
    {
        a[i] = a[i] < b[i] ? a[i] : b[i];
    }
    return a;
}

RSL_INLINE Vec More(Vec a, Vec b)
{
    for (int i = 0; i < VEC; ++i)
    {
        a[i] = a[i] > b[i] ? a[i] : b[i];
    }
    return a;
}
#endif

void RSL_WIDE(rslPush_Bound)(Real* const of[3], int count, SpeedLanes* speeds)
{
    Real* const w[3] = { of[0], of[1], of[2] };
    Vec low[3], high[3], sum = VecLoad(speeds->sum);
    for (int axis = 0; axis < 3; ++axis)
    {
        low[axis] = VecLoad(speeds->low[axis]);
        high[axis] = VecLoad(speeds->high[axis]);
    }
    for (int i = 0; i < count; i += VEC)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            Vec speed = VecLoadFirst(w[axis] + i, count - i, VecSame(w[axis] + i));
            low[axis] = Less(low[axis], speed);
            high[axis] = More(high[axis], speed);
            sum += speed;
        }
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        VecStore(speeds->low[axis], low[axis]);
        VecStore(speeds->high[axis], high[axis]);
    }
    VecStore(speeds->sum, sum);
}
