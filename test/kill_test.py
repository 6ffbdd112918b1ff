# SPDX-License-Identifier: MIT
#
# kill_test.py: kill -9 at random moments, resume, and compare every byte with an undisturbed run.
#
# Three kills in the quick form, ten in the full one. The moments are drawn with a fixed seed: when energy.csv has a
# given number of rows, and some milliseconds later. So they fall before the first checkpoint, between two, and while a
# file is written. Every third run is killed once more while it resumes.

import json
import os
import random
import shutil
import subprocess
import time

from cli_support import PROGRAM, PROVE, SANITIZE, SCENE, SCRATCH, check, differences, finish, prove, read, run, scratch

KILLS = 10 if PROVE else 3

# boxes that are thrown at each other and at the ground, one of them rigid, in implicit steps: barriers, friction that remembers, impacts, rebounds
TOUCHING = """
ground: {friction: 0.4}
contact: {bodies: all, friction: 0.4, restitution: 0.5}
time: {step: 0.0083333333333333333, integrator: tr_bdf2}
output: {frames: 30, samples: 120, checkpoint: 0.1}
bodies:
  - name: soft
    shape: {type: box, size: [0.2, 0.1, 0.1], translate: [0, 0, 0.12], rotate: {axis: [0, 1, 0], angle: 20}}
    network: {type: lattice, spacing: 0.05}
    material: {young: 1e5, poisson: 0.25, density: 1000, stiffness_damping: 1e-3}
    velocity: [0.5, 0, -1]
  - name: hard
    shape: {type: box, size: [0.1, 0.1, 0.1], translate: [0.05, 0.02, 0.32]}
    network: {type: lattice, spacing: 0.05}
    model: rigid
    material: {density: 1500}
    velocity: [0, 0, -1]
"""


def rows(directory):
    path = scratch(directory + "/energy.csv")
    return read(path).count(b"\n") - 1 if os.path.exists(path) else -1


def kill_at(scene, directory, row, delay, *options):
    """Start a run and kill it some seconds after it wrote a row. True when it was still running."""
    process = subprocess.Popen([PROGRAM, "run", scene, "-o", directory, *options], cwd=SCRATCH,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and rows(directory) < row:
        time.sleep(0.001)
    time.sleep(delay)
    alive = process.poll() is None
    process.kill()
    process.wait()
    return alive


def kill_some(name, text, until, kills):
    """Kill and resume runs of a scene; compare all of them with one that nothing has disturbed."""
    scene = scratch(name + ".yaml", text)
    whole = name + "_undisturbed"
    undisturbed = json.loads(run("run", scene, "-o", whole, "--json", *until).stdout)
    total = rows(whole)
    check(f"{name}: an undisturbed run", undisturbed.get("status") == "ok", undisturbed)
    chance = random.Random(20)
    same_hash, same_bytes, alive = 0, 0, 0
    for i in range(kills):
        directory = f"{name}_killed{i}"
        shutil.rmtree(scratch(directory), ignore_errors=True)
        # the first one before its first checkpoint
        row = 3 if i == 0 else chance.randrange(0, int(0.9 * total))
        delay = chance.uniform(0, 0.01)
        alive += kill_at(scene, directory, row, delay, *until)
        if i % 3 == 2:
            kill_at(scene, directory, chance.randrange(row, total), delay, *until, "--resume")
        result = run("run", scene, "-o", directory, "--json", "--resume", *until)
        facts = json.loads(result.stdout or "{}")
        different = differences(scratch(whole), scratch(directory)) if facts else ["no result"]
        same_hash += facts.get("state_hash") == undisturbed["state_hash"]
        same_bytes += different == []
        check(f"{name}: killed {1000 * delay:.1f} ms after row {row} of {total}: resumed to the same hash",
              facts.get("state_hash") == undisturbed["state_hash"], result.stderr)
        check("and to the same bytes in every file", different == [], different)
        shutil.rmtree(scratch(directory), ignore_errors=True)
    check(f"{name}: the kills found the runs going on", alive >= kills - 1, alive)
    good = same_hash == same_bytes == kills and alive >= kills - 1
    prove(f"kill -9 at random moments, {name}: resumed to the same hash and files",
          f"{same_hash} and {same_bytes} of {kills}", f"all of {kills}", good)


kill_some("explicit", SCENE, ["--until", "0.5" if SANITIZE else "2"], KILLS)
kill_some("implicit_contact", TOUCHING, ["--until", "0.6" if PROVE else "0.3"], KILLS if PROVE else 2)
finish()
