// SPDX-License-Identifier: MIT
//
// bench_peak.h: loops of nothing but x = x a + b in registers, for several vector widths. Included by one file that lets the
// compiler fuse the two operations and by one that does not. Twelve chains hide how long one operation takes, and fit into 16 registers.

#include "number.h"

#include <math.h>
#include <stdint.h>

#define PEAK_STEP(i) x##i = x##i * a + b;
#define PEAK_ALL(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)

enum
{
    PEAK_CHAINS = 12,
    PEAK_ROUNDS = 20000
};

// Operations a call of NAME, and NAME itself.
#define PEAK_LOOP(NAME, REAL, BYTES, TARGET)                                                                           \
    TARGET static double NAME(void)                                                                                    \
    {                                                                                                                  \
        typedef REAL Lanes __attribute__((vector_size(BYTES)));                                                        \
        volatile REAL factor = (REAL)0.999, summand = (REAL)0.001;                                                     \
        const Lanes one = (Lanes){ 0 } + (REAL)1, a = one * factor, b = one * summand;                                 \
        Lanes x0 = one, x1 = one * (REAL)1.01, x2 = one * (REAL)1.02, x3 = one * (REAL)1.03, x4 = one * (REAL)1.04,    \
              x5 = one * (REAL)1.05, x6 = one * (REAL)1.06, x7 = one * (REAL)1.07, x8 = one * (REAL)1.08,              \
              x9 = one * (REAL)1.09, x10 = one * (REAL)1.1, x11 = one * (REAL)1.11;                                    \
        for (int n = 0; n < PEAK_ROUNDS; ++n)                                                                          \
        {                                                                                                              \
            PEAK_ALL(PEAK_STEP)                                                                                        \
        }                                                                                                              \
        Lanes sum = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10 + x11;                                       \
        volatile REAL kept = sum[0]; /* so that nothing is left out */                                                 \
        (void)kept;                                                                                                    \
        return 2.0 * PEAK_CHAINS * PEAK_ROUNDS * (BYTES / sizeof(REAL));                                               \
    }

PEAK_LOOP(SinglePlain, float, 16, )
PEAK_LOOP(DoublePlain, double, 16, )
#if defined(__x86_64__) && defined(__GNUC__)
PEAK_LOOP(SingleWide, float, 32, __attribute__((target("avx2,fma"))))
PEAK_LOOP(DoubleWide, double, 32, __attribute__((target("avx2,fma"))))
PEAK_LOOP(SingleWidest, float, 64, __attribute__((target("avx512f"))))
PEAK_LOOP(DoubleWidest, double, 64, __attribute__((target("avx512f"))))
#define PEAK_WIDTHS 3
#else
#define PEAK_WIDTHS 1
#endif

typedef double PeakLoop(void);

static bool PeakSupports(int width)
{
#if PEAK_WIDTHS == 3
    return width == 0 || (width == 1 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) ||
           (width == 2 && __builtin_cpu_supports("avx512f"));
#else
    return width == 0;
#endif
}

// GFLOP/s of the best call of the best width in about so many seconds.
static double PeakOf(PeakLoop* const loops[PEAK_WIDTHS], double seconds)
{
    double best = 0.0, end = cliClock() + seconds;
    do
    {
        for (int width = 0; width < PEAK_WIDTHS; ++width)
        {
            if (PeakSupports(width))
            {
                double begin = cliClock(), operations = loops[width]();
                best = fmax(best, 1e-9 * operations / (cliClock() - begin));
            }
        }
    } while (cliClock() < end);
    return best;
}

#if PEAK_WIDTHS == 3
static PeakLoop* const peakSingle[] = { SinglePlain, SingleWide, SingleWidest };
static PeakLoop* const peakDouble[] = { DoublePlain, DoubleWide, DoubleWidest };
#else
static PeakLoop* const peakSingle[] = { SinglePlain };
static PeakLoop* const peakDouble[] = { DoublePlain };
#endif
