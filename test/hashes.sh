# SPDX-License-Identifier: MIT
#
# hashes.sh: sourced by the script tests that compare hashes. same_hashes PROGRAM THREADS...: what a program `determinism` prints
# for both precisions, each with these numbers of threads, is in golden_hashes.txt.

same_hashes()
{
    local program=$1 precision threads
    shift
    for precision in single double; do
        for threads in "$@"; do
            "$program" $precision $threads | diff <(grep "^[^#]* $precision " "$RSL_ROOT/test/golden_hashes.txt") - ||
                { echo "$precision, with $threads threads"; return 1; }
        done
    done
}
