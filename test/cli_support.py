# SPDX-License-Identifier: MIT
#
# cli_support.py: shared by the tests of the program: TAP output, running it, comparing what runs leave behind.

import json
import os
import subprocess
import sys

ROOT = os.environ.get("RSL_ROOT", os.getcwd())
BUILD = os.environ.get("RSL_BUILD", os.path.join(ROOT, "build/release"))
SCRATCH = os.environ.get("RSL_SCRATCH", "/tmp/resilin-scratch")
PROVE = os.environ.get("RSL_PROVE") == "1"
SANITIZE = os.environ.get("RSL_SANITIZE") == "1"
PROGRAM = os.path.join(BUILD, "resilin")

# A soft block that falls on the ground: every kind of output, some hundred nodes.
SCENE = """\
title: a falling block
ground: true
bodies:
  - name: block
    shape: { type: box, size: [0.1, 0.08, 0.06], translate: [0, 0, 0.05] }
    network: { type: lattice, spacing: 0.01 }
    material: { young: 5.0e4, poisson: 0.25, density: 1000, stiffness_damping: 1.0e-3 }
    spin: [0, 30, 45]
    model: springs
time: { duration: 0.5 }
output:
  frames: 50
  samples: 125
  checkpoint: 0.06
  probes:
    - { name: top, nodes: { type: plane, point: [0, 0, 0.079], normal: [0, 0, 1] } }
    - { name: corner, nodes: { type: nearest, point: [0.05, 0.04, 0.02] } }
"""

_count = 0
_failed = 0


def check(name, good, detail=""):
    """One TAP line; the detail is shown when it is not ok."""
    global _count, _failed
    _count += 1
    print(f"{'ok' if good else 'not ok'} {_count} - {name}", flush=True)
    if not good:
        _failed += 1
        for line in str(detail).splitlines()[:40]:
            print("# " + line)
    return good


def skip(name, why):
    global _count
    _count += 1
    print(f"ok {_count} - {name} # SKIP {why}", flush=True)


def prove(what, measured, bar, good):
    """One row of the table of proofs."""
    if PROVE:
        print(f"prove: {what} | {measured} | {bar} | {'pass' if good else 'FAIL'}", flush=True)


def finish():
    print(f"1..{_count}")
    sys.exit(1 if _failed else 0)


def run(*arguments, **options):
    """Run the program to its end. A sanitizer's report shows as status 99."""
    environment = dict(os.environ, ASAN_OPTIONS="exitcode=99", UBSAN_OPTIONS="exitcode=99")
    options.setdefault("cwd", SCRATCH)
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=600, env=environment, **options)


def scratch(name, text=None):
    """A path in the scratch folder, written when there is a text."""
    path = os.path.join(SCRATCH, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if text is not None:
        with open(path, "w") as file:
            file.write(text)
    return path


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def summary(directory):
    """summary.json without what may differ between two runs of the same scene."""
    facts = json.loads(read(directory, "summary.json"))
    for key in ("timing", "resumed", "directory", "messages"):
        facts.pop(key)
    return facts


def differences(a, b):
    """Names of the files in which two output folders differ."""
    names = sorted(set(os.listdir(a)) | set(os.listdir(b)))
    different = []
    for name in names:
        first, second = os.path.join(a, name), os.path.join(b, name)
        if not (os.path.exists(first) and os.path.exists(second)):
            different.append(name + " (only in one)")
        elif name == "summary.json":
            if summary(a) != summary(b):
                different.append(name)
        elif read(first) != read(second):
            different.append(name)
    return different
