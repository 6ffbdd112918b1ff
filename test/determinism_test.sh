#!/bin/bash
# SPDX-License-Identifier: MIT
#
# determinism_test.sh: one golden hash per scene and precision, whatever the compiler, its level, the vectors and the threads.
#
# `determinism PRECISION THREADS` prints lines `SCENE PRECISION HASH`; golden_hashes.txt holds the same lines, and
# comments. After a change of the arithmetic that is meant, `make golden` records them anew, by
# determinism_test.sh --record PROGRAM. The quick form runs the program as it is built; builds_test.sh compares one more.

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
. "$RSL_ROOT/test/hashes.sh"

if [ "${RSL_PROVE:-0}" != 1 ]; then
    check "as built" same_hashes "$RSL_BUILD/test/determinism" 7
    finish
fi

# kept between runs, so that the second is quick
builds=$RSL_ROOT/build/determinism
numbers="1 1 2 3 4 7"

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
    command -v $compiler >/dev/null || return
    check "$compiler $flags: build" build_variant "$variant" "$compiler" "$flags" &&
        check "$compiler $flags: hashes" same_hashes "$variant/test/determinism" $numbers
}

check "as built" same_hashes "$RSL_BUILD/test/determinism" $numbers
for compiler in gcc clang; do
    for level in -O1 -O2 -O3 "-O3 -DRSL_NO_CLONES"; do  # the last: the narrowest vectors of the machine
        run_variant $compiler "$level"
    done
done
verdict=pass
[ $tap_failed = 0 ] || verdict=FAIL
echo "prove: golden hashes: two runs, 1 2 3 4 7 threads, gcc and clang, -O1 -O2 -O3 | $((tap_count - tap_failed)) of $tap_count | all | $verdict"
finish
