#!/bin/bash
# SPDX-License-Identifier: MIT
#
# determinism_test.sh: one golden hash per scene and precision, whatever the compiler, its level and the threads.
#
# `determinism PRECISION THREADS` prints lines `SCENE PRECISION HASH`; golden_hashes.txt holds the same lines, and
# comments. After a change of the arithmetic that is meant: build/release/test/determinism single 1, then double 1.

. "$RSL_ROOT/test/tap.sh"

# kept between runs, so that the second is quick
builds=$RSL_ROOT/build/determinism

same_hashes()
{
    local program=$1 precision=$2
    for threads in 1 1 2 3 4 7; do
        "$program" "$precision" $threads | diff <(grep "^[^#]* $precision " "$RSL_ROOT/test/golden_hashes.txt") - ||
            { echo "with $threads threads"; return 1; }
    done
}

build_variant()
{
    cmake -S "$RSL_ROOT" -B "$1" -DCMAKE_C_COMPILER="$2" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$3" \
        -DRSL_WERROR=ON -DRSL_TESTS=ON -DRSL_TOOLS=OFF -DRSL_YAML=OFF -DRSL_ASSIMP=OFF -DRSL_PNG=OFF &&
        cmake --build "$1" --target determinism
}

for compiler in gcc clang; do
    if ! command -v $compiler >/dev/null; then
        skip "$compiler" "no $compiler here"
        continue
    fi
    for level in -O1 -O2 -O3; do
        variant=$builds/$compiler$level
        check "$compiler $level: build" build_variant "$variant" $compiler $level || continue
        for precision in single double; do
            check "$compiler $level: $precision, 1 2 3 4 7 threads" \
                same_hashes "$variant/test/determinism" $precision
        done
    done
done
finish
