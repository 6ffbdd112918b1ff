#!/bin/bash
# SPDX-License-Identifier: MIT
#
# builds_test.sh: another way to build: inside another project without the optional libraries. determinism_test.sh builds
# with another compiler.

. "$RSL_ROOT/test/tap.sh"

# kept between runs, so that the second is quick
builds=$RSL_ROOT/build

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
END
check "inside another project: configure" cmake -S "$builds/guest" -B "$builds/guest/build" \
    -DCMAKE_BUILD_TYPE=Debug -DRSL_WERROR=ON -DRSL_YAML=OFF -DRSL_ASSIMP=OFF -DRSL_PNG=OFF -DRSL_TOOLS=ON &&
    check "inside another project, without the optional libraries: build" cmake --build "$builds/guest/build" &&
    check "inside another project: run" "$builds/guest/build/host"
finish
