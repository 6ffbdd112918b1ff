#!/bin/bash
# SPDX-License-Identifier: MIT
#
# determinism_test.sh: one golden hash per scene and precision, whatever the compiler, its level, the vectors and the threads.
#
# `determinism PRECISION THREADS` prints lines `SCENE PRECISION HASH`; golden_hashes.txt holds the same lines, and
# comments. After a change of the arithmetic that is meant, `make golden` records them anew, by
# determinism_test.sh --record PROGRAM.

if [ "${1:-}" = --record ]; then
    cd "$(dirname "$0")" || exit
    {
        echo '# SPDX-License-Identifier: MIT'
        echo '#'
        echo '# The final states of the scenes in core_scenes.h: `make golden` writes this, determinism_test.sh compares.'
        "$2" single 1 && "$2" double 1
    } >golden_hashes.new && mv golden_hashes.new golden_hashes.txt
    exit
fi

. "$RSL_ROOT/test/tap.sh"

# kept between runs, so that the second is quick
builds=$RSL_ROOT/build/determinism

# threads: some with -O3, all of them everywhere in the full form
same_hashes()
{
    local program=$1 precision=$2 flags=${3:-} numbers=2
    if [ "${RSL_PROVE:-0}" = 1 ]; then
        numbers="1 1 2 3 4 7"
    elif [[ $flags = *-O3 ]]; then
        numbers="1 7"
    fi
    for threads in $numbers; do
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

run_variant()
{
    local compiler=$1 flags=$2
    local variant=$builds/$compiler${flags// /}
    check "$compiler $flags: build" build_variant "$variant" "$compiler" "$flags" || return
    for precision in single double; do
        check "$compiler $flags: $precision" same_hashes "$variant/test/determinism" $precision "$flags"
    done
}

# everything with clang, and its hashes; tests and benchmarks in the full form
build_all()
{
    local targets="all determinism"
    [ "${RSL_PROVE:-0}" != 1 ] || targets="all tests benches"
    cmake -S "$RSL_ROOT" -B "$1" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release -DRSL_WERROR=ON -DRSL_TESTS=ON &&
        cmake --build "$1" --target $targets
}

# the program as it is built, then other compilers, levels, and the narrowest vectors of the machine: every build takes a minute, so
# the quick form has two
for precision in single double; do
    check "as built: $precision" same_hashes "$RSL_BUILD/test/determinism" $precision -O3
done
if command -v clang >/dev/null; then
    if check "clang: everything, without a warning" build_all "$RSL_ROOT/build/clang"; then
        for precision in single double; do
            check "clang, as built: $precision" same_hashes "$RSL_ROOT/build/clang/test/determinism" $precision
        done
    fi
else
    skip "clang" "no clang here"
fi
narrow=-O1
if [ "${RSL_PROVE:-0}" = 1 ]; then
    narrow=-O3
    for compiler in gcc clang; do
        for level in -O1 -O2 -O3; do
            ! command -v $compiler >/dev/null || run_variant $compiler $level
        done
    done
fi
run_variant "${CC:-cc}" "$narrow -DRSL_NO_CLONES"
if [ "${RSL_PROVE:-0}" = 1 ]; then
    verdict=pass
    [ $tap_failed = 0 ] || verdict=FAIL
    echo "prove: golden hashes: two runs, 1 2 3 4 7 threads, gcc and clang, -O1 -O2 -O3 | $((tap_count - tap_failed)) of $tap_count | all | $verdict"
fi
finish
