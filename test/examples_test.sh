#!/bin/bash
# SPDX-License-Identifier: MIT
#
# examples_test.sh: every example runs and shows what it says; each is short enough to read at one sitting.

. "$RSL_ROOT/test/tap.sh"
cd "$RSL_SCRATCH" || exit 1
examples=$RSL_BUILD/examples

# every stretch within a thousandth of the weight below it
chain() { "$examples/hanging_chain" | awk 'NR > 1 { if ($2 < 0.999 * $3 || $2 > 1.001 * $3) bad = 1; n++ } END { exit bad || n != 10 }'; }

# it falls from 0.15 m, ends lower, has lost energy, and leaves a glTF file
rabbit() { "$examples/rabbit" | awk '/^ +0\.00/ { top = $2 } /^ +0\.50/ { low = $2; lost = $5 } END { exit !(low < 0.6 * top && lost > 0.1) }' &&
    [ "$(head -c 4 rabbit.glb)" = glTF ]; }

# the ball falls towards the magnet and holds the work that the magnet did
magnet() { "$examples/custom_force" | awk 'NR > 2 { if ($2 >= last || $4 < 0.95 * $5 || $4 > 1.05 * $5) bad = 1 } { last = $2 } END { exit bad || NR < 9 }'; }

short() { ! wc -l "$RSL_ROOT"/examples/*.c | awk '$2 != "total" && $1 >= 100 { print; long = 1 } END { exit !long }'; }

check "hanging chain" chain
check "rabbit" rabbit
check "custom force" magnet
check "under 100 lines each" short
finish
