#!/bin/bash
# SPDX-License-Identifier: MIT
#
# wasm_test.sh: the library as WebAssembly, run by node, has the golden hashes: as users get it, with SIMD128; in the full form also
# without vectors, and with threads.

. "$RSL_ROOT/test/tap.sh"
. "$RSL_ROOT/test/hashes.sh"

builds=$RSL_ROOT/build  # kept between runs, so that the second is quick

# A program of node, as same_hashes runs programs.
program()
{
    printf '#!/bin/sh\nexec node "%s" "$@"\n' "$builds/$1/test/wasm/determinism.js" >"$RSL_SCRATCH/$1"
    chmod +x "$RSL_SCRATCH/$1"
    echo "$RSL_SCRATCH/$1"
}

# check_wasm NAME THREADS OPTIONS...
check_wasm()
{
    export TARGETS=determinism
    check "$1: build" "$RSL_ROOT/scripts/build_wasm.sh" "$builds/$1" -DRSL_WERROR=ON "${@:3}" &&
        check "$1: hashes" same_hashes "$(program "$1")" $2
}

if ! command -v emcmake >/dev/null || ! command -v node >/dev/null; then
    skip "WebAssembly" "no emscripten or no node here"
else
    check_wasm wasm 1 --preset wasm
    if [ "${RSL_PROVE:-0}" = 1 ]; then
        check_wasm wasm-plain 1 -DCMAKE_BUILD_TYPE=Release
        check_wasm wasm-threads "1 4" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="-msimd128 -pthread"
    fi
fi
finish
