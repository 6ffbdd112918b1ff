// SPDX-License-Identifier: MIT
//
// clones.h: functions compiled for several vector widths.

#pragma once

// A hot function compiled for several vector widths and chosen at load time. Every lane does the same IEEE operations
// in the same order at any width, so the bits are the same. Sanitizers run before the choice can be made. Also a static
// one is named with a prefix of its own: clang 14 shows the function that chooses to the linker.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) &&        \
    !defined(__SANITIZE_THREAD__) && !defined(RSL_NO_CLONES)
#define RSL_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#define RSL_CLONES_CHOSEN
#else
#define RSL_CLONES
#endif

// A function that becomes part of whoever calls it, again for every choice of its constants. Sanitizers see more where it does not, and wide
// files (wide.h) take a hundredth of the time to compile with them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RSL_INLINE static inline
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RSL_INLINE static inline
#endif
#endif
#ifndef RSL_INLINE
#define RSL_INLINE static inline __attribute__((always_inline))
#endif

// Before loops whose every round is compiled apart.
#ifdef __clang__
#define RSL_UNROLL _Pragma("clang loop unroll(full)")
#else
#define RSL_UNROLL _Pragma("GCC unroll 64")
#endif

// Which of them this processor runs.
static inline const char* rslClones_Name(void)
{
#ifdef RSL_CLONES_CHOSEN
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") ? "AVX-512" : __builtin_cpu_supports("avx2") ? "AVX2" : "SSE2";
#elif defined(__AVX512F__)
    return "AVX-512";
#elif defined(__AVX2__)
    return "AVX2";
#elif defined(__SSE2__)
    return "SSE2";
#elif defined(__wasm_simd128__)
    return "SIMD128";
#else
    return "none";
#endif
}
