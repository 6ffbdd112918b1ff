#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run_fuzz.sh BUILD_DIR [SECONDS]: run every fuzz_* program, two at a time, 60 seconds each.
#
# Seeds come from test/corpus/NAME; what is found goes to BUILD_DIR/corpus/NAME, an input that fails to
# BUILD_DIR/crash/NAME-*. One that failed belongs into test/corpus/NAME once it is mended.

set -u
cd "$(dirname "$0")/.." || exit

fuzz_one()
{
    local build=$1 seconds=$2 program=$3 name
    name=$(basename "$program")
    name=${name#fuzz_}
    local found=$build/corpus/$name log=$build/$name.log
    mkdir -p "$found" "$build/crash" "test/corpus/$name"
    if "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$build/crash/$name-" "$found" "test/corpus/$name" >"$log" 2>&1; then
        echo "ok - $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $seconds s"
    else
        echo "not ok - $name"
        grep -v '^#[0-9]' "$log" | tail -n 60
        return 1
    fi
}

if [ "${1:-}" = --one ]; then
    fuzz_one "${@:2}"
    exit
fi

build=${1:?usage: run_fuzz.sh BUILD_DIR [SECONDS]}
seconds=${2:-60}
programs=("$build"/test/fuzz_*)
if [ ! -e "${programs[0]}" ]; then
    echo "no fuzz programs in $build" >&2
    exit 1
fi
printf '%s\0' "${programs[@]}" | xargs -0 -n 1 -P 2 bash scripts/run_fuzz.sh --one "$build" "$seconds"
