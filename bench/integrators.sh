#!/bin/bash
# SPDX-License-Identifier: MIT
#
# integrators.sh [PROGRAM]: rebound, sliding, ringing and energy of the implicit integrators at 1/60 s and half of it, as a table
# (docs/theory.md).
set -eu
program=${1:-build/release/resilin}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/drop.yaml" <<'S'
bodies:
  - name: box
    shape: {type: box, size: [0.1, 0.1, 0.1], translate: [0, 0, 0.15]}
    network: {spacing: 0.025}
    model: springs
    material: {young: 1e5, poisson: 0.25, density: 1000}
ground: {}
time: {duration: 0.4, threads: 1}
output: {formats: [], frames: 0, samples: 120}
S
cat >"$work/slide.yaml" <<'S'
bodies:
  - name: box
    shape: {type: box, size: [0.2, 0.1, 0.1], translate: [0, 0, 0.05]}
    network: {spacing: 0.05}
    model: springs
    material: {young: 1e5, poisson: 0.25, density: 1000, stiffness_damping: 0.005}
    velocity: [3, 0, 0]
ground: {friction: 0.3}
contact: {overlap: allow}
time: {duration: 1.3, threads: 1}
output: {formats: [], frames: 0, samples: 30}
S
cat >"$work/ring.yaml" <<'S'
gravity: [0, 0, 0]
bodies:
  - name: bar
    shape: {type: box, size: [0.4, 0.05, 0.05]}
    network: {spacing: 0.025}
    model: springs
    material: {young: 1e6, poisson: 0.25, density: 1000}
    spin: [0, 60, 0]
constraints:
  - {type: pin, nodes: {type: plane, point: [-0.199, 0, 0], normal: [-1, 0, 0]}}
time: {duration: 1, threads: 1}
output: {formats: [], frames: 0, samples: 120}
S

run() # SCENE INTEGRATOR STEP
{
    "$program" run "$work/$1.yaml" -q -o "$work/out" -s time.integrator="$2" -s time.step="$3" >/dev/null 2>"$work/said" ||
        { cat "$work/said" >&2; return 1; }
}

column() # NAME: its number in energy.csv
{
    head -1 "$work/out/energy.csv" | tr ',' '\n' | grep -n -F -x "$1" | cut -d: -f1
}

# lowest and then highest place of the centre; highest energy over the first
rebound()
{
    awk -F, -v z="$(column 'centre z [m]')" -v e="$(column 'total [J]')" 'NR == 2 { low = $z; start = $e; most = $e }
        NR > 2 { if ($e > most) most = $e; if ($z < low) { low = $z; high = $z } if ($z > high) high = $z }
        END { printf "%.3f %+.0e", (high - 0.05) / 0.1, most / start - 1 }' "$work/out/energy.csv"
}

distance()
{
    awk -F, -v x="$(column 'centre x [m]')" 'NR == 2 { first = $x } END { printf "%+.4f", ($x - first) / (9 / (2 * 0.3 * 9.80665)) - 1 }' \
        "$work/out/energy.csv"
}

left()
{
    awk -F, -v e="$(column 'total [J]')" 'NR == 2 { start = $e } END { printf "%.3f", $e / start }' "$work/out/energy.csv"
}

printf '| integrator | step | rebound / drop | energy that grows | sliding, error | ringing bar: energy left after 1 s |\n|---|---|---|---|---|---|\n'
for kind in implicit_euler theta tr_bdf2 position_verlet; do
    for step in 0.016666666666666666 0.008333333333333333; do
        label=$(awk -v h=$step 'BEGIN { printf "1/%.0f", 1 / h }')
        if [ $kind = position_verlet ]; then
            [ "$label" = 1/60 ] || continue
            step=1e-4 label="0.1 ms"
        fi
        run drop $kind $step && read -r high grown <<<"$(rebound)"
        run slide $kind $step && slid=$(distance)
        run ring $kind $step && rung=$(left)
        echo "| $kind | $label | $high | $grown | $slid | $rung |"
    done
done

