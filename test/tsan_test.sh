#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tsan_test.sh: the tests of the team, with solvers in several threads, under the thread sanitizer.

. "$RSL_ROOT/test/tap.sh"

# kept between runs, so that the second is quick
build=$RSL_ROOT/build/tsan
# few steps are run: without a level, kernels are compiled in less than half the time
flags="-O0 -g1 -fsanitize=thread -DRSL_NO_CLONES"

# a compiler whose sanitizer also runs here: some kernels place memory where it does not expect it
usable()
{
    printf 'int main(void) { return 0; }\n' >"$RSL_SCRATCH/empty.c" &&
        $1 $flags "$RSL_SCRATCH/empty.c" -o "$RSL_SCRATCH/empty" && "$RSL_SCRATCH/empty"
}

compiler=
for candidate in clang "${CC:-cc}" gcc; do
    if usable "$candidate" >/dev/null 2>&1; then
        compiler=$candidate
        break
    fi
done
if [ -z "$compiler" ]; then
    skip "thread sanitizer" "no compiler here has one that works"
    finish
fi

build_tests()
{
    cmake -S "$RSL_ROOT" -B "$build" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" \
        -DRSL_TESTS=ON -DRSL_TOOLS=OFF -DRSL_YAML=OFF -DRSL_ASSIMP=OFF -DRSL_PNG=OFF &&
        cmake --build "$build" --target test_team
}

export TSAN_OPTIONS="halt_on_error=1 exitcode=66"
check "$compiler: build with the thread sanitizer" build_tests &&
    check "no races in the team and between solvers" "$build/test/test_team"
finish
