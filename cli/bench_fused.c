// SPDX-License-Identifier: MIT
//
// bench_fused.c: the peak of fused multiply-adds. The one file in which the compiler may fuse.

#include "bench.h"
#include "bench_peak.h"

double cliFused_Single(double seconds)
{
    return PeakOf(peakSingle, seconds);
}

double cliFused_Double(double seconds)
{
    return PeakOf(peakDouble, seconds);
}
