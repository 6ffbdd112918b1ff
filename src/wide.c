// SPDX-License-Identifier: MIT
//
// wide.c: see wide.h.

#include "kernel.h"

// lattice_strip.c
#define NAME(name, width) RSL_WIDE_GLUE(rslStrip_##name, RSL_PRECISION, width)
#define KINDS(name, width) NAME(name##Elastic, width), NAME(name##Damped, width), NAME(name##General, width)
#define TABLE(bits)                                                                                                    \
    {                                                                                                                  \
        .width = bits, .add = { KINDS(Add, bits) }, .spread = { KINDS(Spread, bits) }, .share = { KINDS(Share, bits) } \
    }

StripCall KINDS(Add, 128), KINDS(Spread, 128), KINDS(Share, 128);
#ifdef RSL_WIDER
StripCall KINDS(Add, 256), KINDS(Spread, 256), KINDS(Share, 256);
StripCall KINDS(Add, 512), KINDS(Spread, 512), KINDS(Share, 512);
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
