#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# architecture_test.py: ARCHITECTURE.md names every source file, and none that is not there.

import fnmatch
import os
import re

root = os.environ["RSL_ROOT"]
count = failed = 0


def check(what, wrong):
    global count, failed
    count += 1
    failed += bool(wrong)
    print(f"{'not ok' if wrong else 'ok'} {count} - {what}")
    for name in wrong:
        print(f"# {name}")


with open(os.path.join(root, "ARCHITECTURE.md")) as file:
    quoted = re.findall(r"`([^`]+)`", file.read())
named = {os.path.basename(name) for text in quoted for name in re.findall(r"[\w/*.]+\.(?:c|h|py|cmake)\b", text)}
patterns = [name.replace("NAME", "*") for name in named if "*" in name or "NAME" in name]


def files(folder):
    return set(os.listdir(os.path.join(root, folder)))


def has_a_word(name):
    return name in named or any(name != p and fnmatch.fnmatch(name, p) for p in patterns if p not in ("*.c", "*.h"))


code = [name for folder in ("src", "io", "cli", "web/core") for name in sorted(files(folder)) if name.endswith(".c")]
check("every .c file has a word", [name for name in code if not has_a_word(name)])
# the interface of a .c file and what the files of an idea share need none
headers = [name for name in sorted(files("src")) if name.endswith(".h") and not name.endswith("_internal.h")]
check("every header of its own has a word", [name for name in headers if name[:-1] + "c" not in code and not has_a_word(name)])
there = set().union(*(files(folder) for folder in ("src", "io", "cli", "web/core", "include/resilin", "test", "bench", "cmake")))
check("every file named is there", sorted(name for name in named if "*" not in name and "NAME" not in name and name not in there))
print(f"1..{count}")
raise SystemExit(failed > 0)
