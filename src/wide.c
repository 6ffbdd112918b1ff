// SPDX-License-Identifier: MIT
//
// wide.c: see wide.h.

#include "kernel.h"

// lattice_strip.c, lattice_push.c, network_rows.c
#define STRIP(name, width) RSL_WIDE_GLUE(rslStrip_##name, RSL_PRECISION, width)
#define STRIPS(name, width)                                                                                            \
    STRIP(name##FacesElastic, width), STRIP(name##FacesDamped, width), STRIP(name##BodiesElastic, width),              \
        STRIP(name##BodiesDamped, width), STRIP(name##BodiesGeneral, width)
#define PUSH(name, width) RSL_WIDE_GLUE(rslPush_##name, RSL_PRECISION, width)
#define ROWS(name, width) RSL_WIDE_GLUE(rslRows_##name, RSL_PRECISION, width)

#define STRIP_CALLS(width)                                                                                             \
    StripCall STRIPS(Add, width), STRIPS(Spread, width), STRIPS(Share, width);                                         \
    StripCall STRIPS(AddAbove, width), STRIPS(SpreadAbove, width), STRIPS(ShareAbove, width);                          \
    StripCall STRIPS(SpreadKept, width), STRIPS(ShareKept, width);                                                     \
    StripCall STRIPS(SpreadKeptAbove, width), STRIPS(ShareKeptAbove, width);                                           \
    LoadCall PUSH(Load, width);                                                                                        \
    KeepCall PUSH(Keep, width);                                                                                        \
    MoveCall PUSH(Move, width);                                                                                        \
    PushCall PUSH(Push, width);                                                                                        \
    BoundCall PUSH(Bound, width);
#define ROW_CALLS(width)                                                                                               \
    RowCall ROWS(Add, width);                                                                                          \
    RowEnergy ROWS(Energy, width);

#define TABLE(bits)                                                                                                    \
    {                                                                                                                  \
        .width = bits, .add = { { STRIPS(Add, bits) }, { STRIPS(AddAbove, bits) } },                                   \
        .spread = { { STRIPS(Spread, bits) }, { STRIPS(SpreadAbove, bits) } },                                         \
        .share = { { STRIPS(Share, bits) }, { STRIPS(ShareAbove, bits) } },                                            \
        .spreadKept = { { STRIPS(SpreadKept, bits) }, { STRIPS(SpreadKeptAbove, bits) } },                             \
        .shareKept = { { STRIPS(ShareKept, bits) }, { STRIPS(ShareKeptAbove, bits) } }, .load = PUSH(Load, bits),      \
        .keep = PUSH(Keep, bits), .move = PUSH(Move, bits), .push = PUSH(Push, bits), .bound = PUSH(Bound, bits),      \
        .addRows = ROWS(Add, bits), .energyOfRows = ROWS(Energy, bits)                                                 \
    }

STRIP_CALLS(128)
ROW_CALLS(128)
#ifdef RSL_WIDER
STRIP_CALLS(256)
STRIP_CALLS(512)
ROW_CALLS(256)
ROW_CALLS(512)
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
    (void)widest;
    return &narrow;
}

int RSL_NAME(rslKernel_Narrow)(Kernel* kernel, int widest)
{
    kernel->wide = RSL_NAME(rslWide_Choose)(widest);
    return kernel->wide->width;
}
