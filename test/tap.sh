# SPDX-License-Identifier: MIT
#
# tap.sh: sourced by the script tests. check NAME COMMAND... prints `ok` or, with the output, `not ok`.

tap_count=0
tap_failed=0

check()
{
    local name=$1 output status
    shift
    tap_count=$((tap_count + 1))
    output=$("$@" 2>&1)
    status=$?
    if [ $status = 0 ]; then
        echo "ok $tap_count - $name"
    else
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_count - $name"
        printf '%s\n' "$output" "exit status $status" | sed 's/^/# /'
    fi
    return $status
}

skip()
{
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

finish()
{
    echo "1..$tap_count"
    [ $tap_failed = 0 ]
    exit
}
