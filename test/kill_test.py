# SPDX-License-Identifier: MIT
#
# kill_test.py: kill -9 at random moments, resume, and compare every byte with an undisturbed run.
#
# Three kills in the quick form, ten in the full one. The moments are drawn with a fixed seed, over the time that the
# undisturbed run took: before the first checkpoint, between two, while a file is written.

import json
import random
import shutil
import subprocess
import time

from cli_support import PROGRAM, PROVE, SANITIZE, SCENE, SCRATCH, check, differences, finish, prove, run, scratch

KILLS = 10 if PROVE else 3
scene = scratch("block.yaml", SCENE)
until = ["--until", "0.5" if SANITIZE else "2"]


def killed_after(directory, seconds, *options):
    """Start a run and kill it. True when it was still running."""
    process = subprocess.Popen([PROGRAM, "run", scene, "-o", directory, *until, *options], cwd=SCRATCH,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(timeout=seconds)
        return False
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True


begun = time.time()
undisturbed = json.loads(run("run", scene, "-o", "undisturbed", "--json", *until).stdout)
took = time.time() - begun
check("an undisturbed run", undisturbed.get("status") == "ok", undisturbed)

chance = random.Random(20)
same_hash, same_bytes, alive = 0, 0, 0
for i in range(KILLS):
    directory = f"killed{i}"
    shutil.rmtree(scratch(directory), ignore_errors=True)
    moment = chance.uniform(0.02, 0.95) * took
    alive += killed_after(directory, moment)
    if i % 3 == 2:
        # killed once more while it resumes
        killed_after(directory, 0.4 * took, "--resume")
    result = run("run", scene, "-o", directory, "--json", "--resume", *until)
    facts = json.loads(result.stdout or "{}")
    different = differences(scratch("undisturbed"), scratch(directory)) if facts else ["no result"]
    same_hash += facts.get("state_hash") == undisturbed["state_hash"]
    same_bytes += different == []
    check(f"killed after {moment:.2f} of {took:.2f} s: resumed to the same hash",
          facts.get("state_hash") == undisturbed["state_hash"], result.stderr)
    check("and to the same bytes in every file", different == [], different)
    shutil.rmtree(scratch(directory), ignore_errors=True)

check("most of the kills found the run going on", alive >= KILLS - 1, alive)
good = same_hash == same_bytes == KILLS
prove("kill -9 at random moments, resumed to the same hash and files", f"{same_hash} and {same_bytes} of {KILLS}",
      f"all of {KILLS}", good)
finish()
