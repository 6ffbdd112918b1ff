#!/bin/bash
# SPDX-License-Identifier: MIT
#
# install_test.sh: a program outside the tree, against the installed package, by CMake and by pkg-config.

. "$RSL_ROOT/test/tap.sh"

prefix=$RSL_SCRATCH/prefix
program=$RSL_SCRATCH/program
moved=$RSL_SCRATCH/moved
rm -rf "$prefix" "$program" "$moved"

check "install" cmake --install "$RSL_BUILD" --prefix "$prefix" || finish
# what is installed must not know where it was put
mv "$prefix" "$moved"
libdir=$(dirname "$(find "$moved" -name libresilin.a)")
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
have_io=$([ -e "$libdir/libresilin_io.a" ] && echo ON || echo OFF)

mkdir -p "$program"
cat >"$program/main.c" <<'END'
#include <resilin/base.h>
#include <stdio.h>
#include <string.h>
#if USE_IO
#include <resilin/io.h>
#endif

int main(void)
{
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", RSL_VERSION_MAJOR, RSL_VERSION_MINOR, RSL_VERSION_PATCH);
#if USE_IO
    // a library that was left out says so; one that is there misses the file
    rslMeshFile mesh = { 0 };
    rslStatus status = rslMeshFile_Read("no such file.obj", NULL, &mesh, NULL);
    if (status == rsl_ok)
    {
        return 1;
    }
#endif
    return strcmp(version, rslVersion()) != 0;
}
END
cat >"$program/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.21)
project(program C)
find_package(resilin 0.1 REQUIRED)
add_executable(core main.c)
target_link_libraries(core PRIVATE resilin::resilin)
if(USE_IO)
    find_package(resilin REQUIRED COMPONENTS io)
    add_executable(io main.c)
    target_compile_definitions(io PRIVATE USE_IO=1)
    target_link_libraries(io PRIVATE resilin::io)
endif()
END

needs() { readelf -d "$1" | grep -q 'NEEDED.*\[libresilin\.so'; }
needs_not() { ! needs "$1"; }

for shared in OFF ON; do
    kind=$([ $shared = ON ] && echo shared || echo static)
    build=$program/$kind
    check "find_package, $kind: configure" cmake -S "$program" -B "$build" -DBUILD_SHARED_LIBS=$shared \
        -DUSE_IO=$have_io -DCMAKE_PREFIX_PATH="$moved" || continue
    check "find_package, $kind: build" cmake --build "$build" || continue
    check "find_package, $kind: run" "$build/core"
    [ $shared = ON ] && check "find_package, shared: is shared" needs "$build/core"
    [ $shared = OFF ] && check "find_package, static: is static" needs_not "$build/core"
    [ $have_io = OFF ] || check "find_package, $kind: run with io" "$build/io"
done

cd "$program" || exit 1
check "pkg-config, shared: build" cc main.c -o pc_shared $(pkg-config --cflags --libs resilin)
check "pkg-config, shared: run" ./pc_shared
check "pkg-config, shared: is shared" needs pc_shared
check "pkg-config, static: build" cc -static main.c -o pc_static $(pkg-config --static --cflags --libs resilin)
check "pkg-config, static: run" ./pc_static
if [ $have_io = ON ]; then
    check "pkg-config, shared: build with io" cc -DUSE_IO main.c -o pc_io $(pkg-config --cflags --libs resilin-io)
    check "pkg-config, shared: run with io" ./pc_io
fi

if [ -e "$RSL_BUILD/../web/index.html" ]; then
    check "the page of the studio" test -e "$(find "$moved" -path '*/resilin/studio/index.html')"
fi

# everything public has the prefix, and nothing else is public
only_prefixed() { ! nm -D --defined-only "$1" | awk '{ print $3 }' | grep -v '^rsl'; }
for library in "$libdir"/libresilin*.so; do
    check "$(basename "$library") exports rsl... only" only_prefixed "$library"
done

# same input, same bits: of libm only functions whose result is exact, so that every libm gives the same
inexact='a?(sin|cos|tan)h?|atan2|sincos|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|hypot|cbrt|erfc?|[lt]gamma|fma'
only_exact() { ! nm -D --undefined-only "$1" | awk '{ print $2 }' | grep -E "^($inexact)[fl]?(@|$)"; }
check "libresilin.so takes nothing inexact from libm" only_exact "$libdir/libresilin.so"
finish
