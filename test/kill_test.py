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
scene = scratch("block.yaml", SCENE)
until = ["--until", "0.5" if SANITIZE else "2"]


def rows(directory):
    path = scratch(directory + "/energy.csv")
    return read(path).count(b"\n") - 1 if os.path.exists(path) else -1


def kill_at(directory, row, delay, *options):
    """Start a run and kill it some seconds after it wrote a row. True when it was still running."""
    process = subprocess.Popen([PROGRAM, "run", scene, "-o", directory, *until, *options], cwd=SCRATCH,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and rows(directory) < row:
        time.sleep(0.001)
    time.sleep(delay)
    alive = process.poll() is None
    process.kill()
    process.wait()
    return alive


undisturbed = json.loads(run("run", scene, "-o", "undisturbed", "--json", *until).stdout)
total = rows("undisturbed")
check("an undisturbed run", undisturbed.get("status") == "ok", undisturbed)

chance = random.Random(20)
same_hash, same_bytes, alive = 0, 0, 0
for i in range(KILLS):
    directory = f"killed{i}"
    shutil.rmtree(scratch(directory), ignore_errors=True)
    # the first one before its first checkpoint
    row = 3 if i == 0 else chance.randrange(0, int(0.9 * total))
    delay = chance.uniform(0, 0.01)
    alive += kill_at(directory, row, delay)
    if i % 3 == 2:
        kill_at(directory, chance.randrange(row, total), delay, "--resume")
    result = run("run", scene, "-o", directory, "--json", "--resume", *until)
    facts = json.loads(result.stdout or "{}")
    different = differences(scratch("undisturbed"), scratch(directory)) if facts else ["no result"]
    same_hash += facts.get("state_hash") == undisturbed["state_hash"]
    same_bytes += different == []
    check(f"killed {1000 * delay:.1f} ms after row {row} of {total}: resumed to the same hash",
          facts.get("state_hash") == undisturbed["state_hash"], result.stderr)
    check("and to the same bytes in every file", different == [], different)
    shutil.rmtree(scratch(directory), ignore_errors=True)

check("the kills found the runs going on", alive >= KILLS - 1, alive)
good = same_hash == same_bytes == KILLS and alive >= KILLS - 1
prove("kill -9 at random moments, resumed to the same hash and files", f"{same_hash} and {same_bytes} of {KILLS}",
      f"all of {KILLS}", good)
finish()
