#!/bin/bash
# SPDX-License-Identifier: MIT
#
# builds_test.sh: other ways to build, without a warning: inside another project, without the optional libraries, by
# another compiler (clang, where there is one), at other levels, with the narrowest vectors; and what comes out of it has
# the golden hashes. Then what needs the libraries by clang, or in the full form everything.

. "$RSL_ROOT/test/tap.sh"
. "$RSL_ROOT/test/hashes.sh"

# kept between runs, so that the second is quick
builds=$RSL_ROOT/build
compiler=$(command -v clang || echo cc)

mkdir -p "$builds/guest"
cat >"$builds/guest/main.c" <<'END'
#include <resilin/base.h>

int main(void)
{
    return rslVersion()[0] == 0;
}
END
cat >"$builds/guest/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.21)
project(host C)
add_subdirectory($RSL_ROOT resilin)
add_executable(host main.c)
target_link_libraries(host PRIVATE resilin::resilin \$<TARGET_NAME_IF_EXISTS:resilin::io>)
add_executable(determinism $RSL_ROOT/test/determinism.c)
target_link_libraries(determinism PRIVATE resilin::resilin)
END
check "inside another project: configure" cmake -S "$builds/guest" -B "$builds/guest/build" \
    -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -ffp-contract=off -DRSL_NO_CLONES" \
    -DRSL_PLAIN_FLAGS=-O0 -DRSL_WERROR=ON -DRSL_YAML=OFF -DRSL_ASSIMP=OFF -DRSL_PNG=OFF -DRSL_TOOLS=ON &&
    check "inside another project, without the optional libraries: build" cmake --build "$builds/guest/build" &&
    check "inside another project: run" "$builds/guest/build/host" &&
    check "inside another project: hashes" same_hashes "$builds/guest/build/determinism" 1

build_clang()
{
    cmake -S "$RSL_ROOT" -B "$builds/clang" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release -DRSL_WERROR=ON \
        -DRSL_TESTS=ON && cmake --build "$builds/clang" --target "$@"
}

if ! command -v clang >/dev/null; then
    skip "clang" "no clang here"
elif [ "${RSL_PROVE:-0}" = 1 ]; then
    check "clang: everything" build_clang all tests benches &&
        check "clang: hashes" same_hashes "$builds/clang/test/determinism" 1 7
else
    check "clang: what needs the libraries" build_clang rsl_io
fi
finish
