#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run_tests.sh [--prove] BUILD_DIR...: run every test of the build trees and count.
#
# Reads BUILD_DIR/test/tests.list: name, serial, parallel or proved, seconds allowed, command, separated by tabs. Every test
# prints TAP. Passed and failed are its `ok` and `not ok` lines; a skipped one is neither; a program that ends badly
# without a `not ok`, runs out of time, or leaves out what it planned counts as one failure. Two run at a time, those
# that are allowed most seconds first, so that no long one is left alone at the end; then the serial ones alone; proved
# ones with --prove only. The last line is `N passed, N failed`.
#
# --prove sets RSL_PROVE=1 (the full form of every bar) and collects the lines `prove: WHAT | MEASURED | BAR | pass`
# into build/prove.md.

set -u
cd "$(dirname "$0")/.." || exit
root=$PWD

# One test: its output, then its counts, into RESULTS/ID.*; one line on the terminal, and the output if it failed.
run_one()
{
    local results=$1 id=$2 build=$3 name mode seconds command line
    IFS=$'\t' read -r name mode seconds line <"$results/$id.job"
    IFS=$'\t' read -ra command <<<"$line"
    export RSL_ROOT=$root RSL_BUILD=$build RSL_SCRATCH=$build/test/scratch/$name CMOCKA_MESSAGE_OUTPUT=TAP
    export UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_stack_use_after_return=1
    if [ "$RSL_PROVE" = 1 ]; then
        seconds=7200
    fi
    if grep -q '^RSL_SANITIZE:BOOL=ON' "$build/CMakeCache.txt"; then
        # full forms are for the real thing
        export RSL_SANITIZE=1
        unset RSL_PROVE
    fi
    rm -rf "$RSL_SCRATCH" && mkdir -p "$RSL_SCRATCH"

    local start end status passed failed skipped planned note=
    start=$(date +%s%N)
    timeout -k 5 "$seconds" "${command[@]}" >"$results/$id.out" 2>&1 </dev/null
    status=$?
    end=$(date +%s%N)

    read -r passed failed skipped planned < <(awk '
        /^1\.\.[0-9]+/ { planned += substr($1, 4) }
        /^(not )?ok .*# *(SKIP|skip)/ { skipped++; next }  # cmocka writes `not ok` before it
        /^ok([ \t]|$)/ { passed++ }
        /^not ok([ \t]|$)/ { failed++ }
        END { print passed + 0, failed + 0, skipped + 0, planned + 0 }' "$results/$id.out")
    if [ $failed = 0 ]; then
        if [ $status = 124 ] || [ $status = 137 ]; then
            failed=1 note=" (stopped after $seconds s)"
        elif [ $status != 0 ]; then
            failed=1 note=" (exit status $status)"
        elif [ $planned -gt $((passed + skipped)) ]; then
            failed=1 note=" (planned $planned)"
        elif [ $((passed + skipped + planned)) = 0 ]; then
            failed=1 note=" (no test in it)"
        fi
    fi
    echo "$passed $failed" >"$results/$id.count"
    if [ "${RSL_PROVE:-0}" = 1 ]; then
        sed -nE 's/^(# *)?prove: *(.*[^ ]) *$/| \2 |/p' "$results/$id.out" >"$results/$id.prove"
    fi

    # one write, so that two tests do not mix their lines
    local report tenths=$(((end - start) / 100000000))
    report=$(
        printf '%-8s %-24s %4d passed' "$(basename "$build")" "$name" "$passed"
        [ $failed = 0 ] || printf ', %d failed%s' $failed "$note"
        [ $skipped = 0 ] || printf ', %d skipped' $skipped
        printf '  %d.%d s\n' $((tenths / 10)) $((tenths % 10))
        if [ $failed != 0 ]; then
            sed 's/^/    /' "$results/$id.out"
        fi
    )
    printf '%s\n' "$report"
}

if [ "${1:-}" = --one ]; then
    run_one "${@:2}"
    exit 0
fi

export RSL_PROVE=0
builds=()
for argument in "$@"; do
    case $argument in
        --prove) RSL_PROVE=1 ;;
        *) builds+=("$(cd "$argument" && pwd)") || exit 2 ;;
    esac
done

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

count=0
while IFS=$'\t' read -r build line; do
    mode=$(cut -f2 <<<"$line")
    if [ $mode = proved ]; then
        [ $RSL_PROVE = 1 ] || continue
        mode=parallel
    fi
    id=$(printf '%04d' $count)
    count=$((count + 1))
    printf '%s\n' "$line" >"$results/$id.job"
    printf '%s\0%s\0' "$id" "$build" >>"$results/$mode"
done < <(for build in "${builds[@]}"; do sed "s|^|$build\t|" "$build/test/tests.list"; done | sort -s -t $'\t' -k 4,4nr)

for mode in parallel serial; do
    jobs=2
    [ $mode = parallel ] || jobs=1
    if [ -e "$results/$mode" ]; then
        xargs -0 -n 2 -P $jobs bash scripts/run_tests.sh --one "$results" <"$results/$mode"
    fi
done

if [ $RSL_PROVE = 1 ]; then
    mkdir -p build
    {
        echo '| what | measured | bar | verdict |'
        echo '|---|---|---|---|'
        cat "$results"/*.prove 2>/dev/null
    } >build/prove.md
    echo
    cat build/prove.md
    echo
fi

# a test that left no count was lost, and that is a failure
passed=0 failed=0
for job in "$results"/*.job; do
    p=0 f=1
    [ ! -e "${job%.job}.count" ] || read -r p f <"${job%.job}.count"
    passed=$((passed + p)) failed=$((failed + f))
done
if [ $RSL_PROVE = 1 ] && grep -q '| FAIL |$' build/prove.md && [ $failed = 0 ]; then
    failed=1
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
