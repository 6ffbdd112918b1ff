#!/bin/bash
# SPDX-License-Identifier: MIT
#
# headers_test.sh: every public header compiles alone, as C17 and, where there is a C++ compiler, as C++17.

. "$RSL_ROOT/test/tap.sh"

flags=(-fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I "$RSL_ROOT/include")

for header in "$RSL_ROOT"/include/resilin/*.h; do
    name=$(basename "$header")
    echo "#include \"resilin/$name\"" >"$RSL_SCRATCH/alone.c"
    check "$name is C" cc -std=c17 "${flags[@]}" "$RSL_SCRATCH/alone.c"
    if command -v c++ >/dev/null; then
        check "$name is C++" c++ -std=c++17 -x c++ "${flags[@]}" "$RSL_SCRATCH/alone.c"
    fi
done
finish
