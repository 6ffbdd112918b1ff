#!/bin/bash
# SPDX-License-Identifier: MIT
#
# wasm_test.sh: the library as WebAssembly, run by node, has the golden hashes: with SIMD128, compiled as quickly as can be, or in the
# full form as users get it, without vectors, and with threads.

. "$RSL_ROOT/test/tap.sh"
. "$RSL_ROOT/test/hashes.sh"

builds=$RSL_ROOT/build  # kept between runs, so that the second is quick
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}  # where Debian has what its emcc needs

build_wasm()
{
    emcmake cmake -S "$RSL_ROOT" -B "$builds/$1" -DRSL_WERROR=ON "${@:2}" &&
        cmake --build "$builds/$1" --parallel 2 --target determinism
}

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
    check "$1: build" build_wasm "$1" "${@:3}" && check "$1: hashes" same_hashes "$(program "$1")" $2
}

if ! command -v emcmake >/dev/null || ! command -v node >/dev/null; then
    skip "WebAssembly" "no emscripten or no node here"
elif [ "${RSL_PROVE:-0}" = 1 ]; then
    check_wasm wasm 1 --preset wasm
    check_wasm wasm-plain 1 -DCMAKE_BUILD_TYPE=Release
    check_wasm wasm-threads "1 4" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="-msimd128 -pthread"
else
    check_wasm wasm-quick 1 -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-msimd128 -O1" -DRSL_PLAIN_FLAGS=-O0
fi
finish
