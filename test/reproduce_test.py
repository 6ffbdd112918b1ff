# SPDX-License-Identifier: MIT
#
# reproduce_test.py: the papers' experiments, quick versions: every bar is met, and the report holds what it says.

import json
import os
import re
import xml.dom.minidom

from cli_support import PROVE, SCRATCH, check, finish, prove, read, run, scratch

KEYS = ["experiment", "quantity", "unit", "published", "reference", "ours", "error", "bar", "pass", "matches_published"]


def said(result):
    return f"status {result.returncode}\nstdout: {result.stdout[:2000]}\nstderr: {result.stderr[:2000]}"


def listed():
    r = run("reproduce")
    names = [line.split()[0] for line in r.stdout.splitlines() if line and line[0] != " "]
    check("the list", r.returncode == 0 and "kot-table-3.1" in names, said(r))
    return names


def judged(record):
    """What pass should be, from the figures alone."""
    ours, bar = record["ours"], record["bar"]
    if bar is None:
        return None
    if ours is None:
        return False
    if isinstance(bar, list):
        return (bar[0] is None or ours >= bar[0]) and (bar[1] is None or ours <= bar[1])
    return record["error"] is not None and abs(record["error"]) <= bar


def test_usage():
    r = run("reproduce", "kot-table-3.11")
    check("a misspelt name", r.returncode == 2 and "did you mean kot-table-3.1?" in r.stderr, said(r))
    r = run("reproduce", "xyzzyxyzzyxyzzy")
    check("an unknown name", r.returncode == 2 and "lists them" in r.stderr, said(r))
    scratch("file", "")
    r = run("reproduce", "kot-table-3.1", "--quick", "-o", "file/below")
    check("a folder that cannot be made", r.returncode == 2 and "file/below" in r.stderr, said(r))


def test_all(names):
    r = run("reproduce", "all", *([] if PROVE else ["--quick"]), "--json", "-o", "all")
    try:
        records = json.loads(r.stdout)
    except ValueError:
        records = []
    missed = [f"{x['experiment']}: {x['quantity']} = {x['ours']}, bar {x['bar']} ({x.get('note')})"
              for x in records if x["pass"] is False]
    check("every bar is met", r.returncode == 0 and records and not missed, "\n".join(missed) + said(r))
    check("every experiment has figures", [n for n in names if n not in {x["experiment"] for x in records}] == [], said(r))
    check("records are complete", all(key in x for x in records for key in KEYS), records[:1])
    check("every figure has a name", all("(null)" not in x["quantity"] for x in records), "")
    check("pass judges ours against the bar", all(x["pass"] == judged(x) for x in records),
          [x for x in records if x["pass"] != judged(x)])
    check("what is not published is not stated",
          all((x["matches_published"] == "not stated") or x["published"] is not None for x in records), "")
    for x in records:
        if x["pass"] is not None:
            prove(f"{x['experiment']}: {x['quantity']}", f"{x['ours']:.6g}", x["bar"], x["pass"])
    return records


def test_page(names, records):
    page = read(SCRATCH, "all", "report.html").decode()
    check("the page has every experiment", all(f'<h2 id="{n}">' in page for n in names), "")
    check("the page has every quantity", all(x["quantity"].replace("<", "&lt;").replace(">", "&gt;") in page for x in records), "")
    check("the page needs nothing beside it", not re.search(r'(src|href)="(?!#|data:)', page), "")
    plots = re.findall(r"<svg xmlns.*?\n</svg>\n(?=<svg xmlns|<details|<h2|</body)", page, re.S)
    check("its plots are well formed", plots and all(xml.dom.minidom.parseString(p.encode()) for p in plots), len(plots))
    commands = re.findall(r"^resilin run (scenes/\S+)", page.replace("<pre>", "\n"), re.M)
    missing = [c for c in commands if not os.path.exists(os.path.join(SCRATCH, "all", c))]
    check("it names scenes that are there", commands and not missing, missing)
    return commands


def test_scenes(commands):
    for scene in sorted(set(commands)):
        r = run("check", scene, cwd=os.path.join(SCRATCH, "all"))
        check(f"{scene} is sound", r.returncode == 0, said(r))


names = listed()
test_usage()
records = test_all(names)
commands = test_page(names, records)
test_scenes(commands)
finish()
