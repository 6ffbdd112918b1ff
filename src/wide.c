// SPDX-License-Identifier: MIT
//
// wide.c: see wide.h.

#include "wide.h"

#include <stddef.h>

// lattice_strip.c, network_rows.c
#define CALLS(width)                                                                                                   \
    void RSL_WIDE_GLUE(rslStrip_AddElastic, RSL_PRECISION, width)(const StripView* view);                              \
    void RSL_WIDE_GLUE(rslStrip_AddDamped, RSL_PRECISION, width)(const StripView* view);                               \
    void RSL_WIDE_GLUE(rslStrip_AddGeneral, RSL_PRECISION, width)(const StripView* view);                              \
    void RSL_WIDE_GLUE(rslRows_Add, RSL_PRECISION, width)(const RowView* view);                                        \
    double RSL_WIDE_GLUE(rslRows_Energy, RSL_PRECISION, width)(const RowView* view);

#define TABLE(bits)                                                                                                    \
    {                                                                                                                  \
        .width = bits, .addElastic = RSL_WIDE_GLUE(rslStrip_AddElastic, RSL_PRECISION, bits),                          \
        .addDamped = RSL_WIDE_GLUE(rslStrip_AddDamped, RSL_PRECISION, bits),                                           \
        .addGeneral = RSL_WIDE_GLUE(rslStrip_AddGeneral, RSL_PRECISION, bits),                                         \
        .addRows = RSL_WIDE_GLUE(rslRows_Add, RSL_PRECISION, bits),                                                    \
        .energyOfRows = RSL_WIDE_GLUE(rslRows_Energy, RSL_PRECISION, bits),                                            \
    }

CALLS(128)
#ifdef RSL_WIDER
CALLS(256)
CALLS(512)
#endif

const WideCalls* RSL_NAME(rslWide_Choose)(int widest)
{
    static const WideCalls narrow = TABLE(128);
#ifdef RSL_WIDER
    static const WideCalls middle = TABLE(256), wide = TABLE(512);
    __builtin_cpu_init();
    if (widest >= 512 && __builtin_cpu_supports("avx512f"))
    {
        return &wide;
    }
    if (widest >= 256 && __builtin_cpu_supports("avx2"))
    {
        return &middle;
    }
#endif
    return widest >= 128 ? &narrow : NULL;
}
