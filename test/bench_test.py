# SPDX-License-Identifier: MIT
#
# bench_test.py: `resilin bench` on tiny scenes: what it prints and writes, what it refuses. Not how fast anything is.

import csv
import json
import math
import os
import xml.dom.minidom

from cli_support import SCRATCH, check, finish, read, run, skip


def said(result):
    return f"status {result.returncode}\nstdout: {result.stdout[:2000]}\nstderr: {result.stderr[:2000]}"


def rows(name):
    with open(os.path.join(SCRATCH, "out", name)) as file:
        return list(csv.DictReader(file))


def test_files():
    r = run("bench", "--quick", "lattice-10", "surface-1152", "--turns", "1", "-o", "out", "--name", "tiny")
    check("it runs", r.returncode == 0, said(r))
    check("the table has a line for everybody", r.stdout.count("\n  lattice-10 ") >= 6 and "GFLOP/s" in r.stdout, said(r))
    check("ceilings are shown", "memory, triad" in r.stdout and "fused multiply-add" in r.stdout, said(r))
    table = rows("tiny.csv")
    ours = [x for x in table if x["who"] == "resilin" and x["scene"] == "lattice-10"]
    pairs = {(x["precision"], x["threads"]) for x in ours}
    check("both precisions", {p for p, t in pairs} == {"single", "double"} and len(ours) == len(pairs), pairs)
    check("a plain loop beside them", [x["precision"] for x in table if x["who"] == "plain C"] == ["single", "double"], table)
    columns = ["step [s]", "node-steps/s", "spring updates/s", "GB/s", "share of memory", "GFLOP/s", "share of half the peak",
               "bytes/node", "model bytes/node"]
    check("all columns are numbers", all(float(x[c]) > 0 for x in ours for c in columns), ours[:1])
    for x in ours:
        step, real = float(x["step [s]"]), 4 if x["precision"] == "single" else 8
        good = (x["nodes"] == "1000" and x["springs"] == "7560" and
                math.isclose(float(x["node-steps/s"]), 1000 / step, rel_tol=1e-9) and
                math.isclose(float(x["GFLOP/s"]), 25e-9 * 7560 / step, rel_tol=1e-9) and
                math.isclose(float(x["GB/s"]), 13e-9 * real * 1000 / step, rel_tol=1e-9))
        check(f"rates follow from the step, {x['precision']}, {x['threads']}", good, x)
    wrong = [x for x in table if x["force difference"] != "" and
             float(x["force difference"]) > {"double": 1e-9, "single": 1e-2}[x["precision"]]]
    check("forces agree", not wrong and all(x["force difference"] != "" for x in ours), wrong)
    check("steps are whole audits", all(int(x["steps"]) % 32 == 0 for x in ours), table[:1])
    ratios = rows("tiny-ratios.csv")
    check("ratios", any("plain scalar C" in x["what"] for x in ratios) and any("published" in x["what"] for x in ratios), ratios)
    ceilings = rows("tiny-ceilings.csv")
    check("ceilings", len(ceilings) == 9 and all(float(x["1 thread"]) > 0 for x in ceilings), ceilings)
    check("Markdown", b"| lattice-10 | resilin | single | 1 | 1000 |" in read(SCRATCH, "out", "tiny.md"), "")
    svg = read(SCRATCH, "out", "tiny.svg").decode()
    check("the plot is well formed", xml.dom.minidom.parseString(svg) is not None and "spring updates" in svg, svg[:200])


def test_json():
    r = run("bench", "--quick", "random-1e3", "random-1e3", "--turns", "1", "-t", "1", "--json")
    found = json.loads(r.stdout)
    check("--json", r.returncode == 0 and {x["scene"] for x in found["rows"]} == {"random-1e3"}, said(r))
    check("one thread, two precisions", [(x["precision"], x["threads"]) for x in found["rows"]] ==
          [("single", 1), ("double", 1)], found["rows"])
    check("ceilings of one thread", found["ceilings"]["threads"] == 1 and found["ceilings"]["memory"][0] > 0, found["ceilings"])
    check("what is not known is null", all(x["force_difference"] is None and x["note"] is None for x in found["rows"]),
          found["rows"])


def test_refusals():
    for name, arguments, text in [
            ("an unknown scene", ["latice-10"], "did you mean lattice-10"),
            ("a scene that is too small", ["lattice-2"], "lattice-N has 3 to 600 nodes a side"),
            ("a scene larger than models may be", ["lattice-601"], "lattice-N has 3 to 600 nodes a side"),
            ("a size that is not decimal", ["lattice-0x40"], "lattice-N has"),
            ("a size with a blank", ["lattice- 6"], "lattice-N has"),
            ("a size that is no number", ["rabbit-many"], "rabbit-N has 300 to"),
            ("a size that is none", ["surface-nan"], "surface-N has"),
            ("half a triangle", ["surface-1152.5"], "surface-N has"),
            ("an unknown pattern", ["cube-*"], "--list"),
            ("an unknown peer", ["--against", "gromacs"], "lammps, bullet, petsc and cholmod"),
            ("no turns", ["--turns", "0"], "1 to 1000"),
            ("no memory", ["--memory", "-1"], "more than 0"),
            ("a name with a folder", ["--name", "a/b"], "a name of files"),
            ("threads", ["-t", "many"], "number of threads"),
    ]:
        r = run("bench", *arguments)
        check(name, r.returncode == 2 and text in r.stderr, said(r))
    r = run("bench", "--quick", "lattice-7", "random-2e2", "--turns", "1", "-t", "1", "--json")
    found = {x["scene"]: x["nodes"] for x in json.loads(r.stdout)["rows"]}
    check("other sizes", r.returncode == 0 and found["lattice-7"] == 343 and 100 < found["random-2e2"] < 400, found)
    r = run("bench", "--list")
    check("--list", r.returncode == 0 and "lattice-200" in r.stdout and "rabbit-12205" in r.stdout, said(r))
    r = run("bench", "--quick", "lattice-20", "--turns", "1", "--memory", "0.001")
    check("what does not fit is told", r.returncode == 1 and "memory allowed" in r.stdout, said(r))


def test_others():
    path = os.environ["PATH"]
    os.environ["PATH"] = os.path.join(SCRATCH, "nothing")
    r = run("bench", "--quick", "lattice-10", "--turns", "1", "-t", "1", "--against", "lammps")
    os.environ["PATH"] = path
    check("LAMMPS that is not there", r.returncode == 0 and "apt-get install lammps" in r.stdout, said(r))
    r = run("bench", "--quick", "lattice-10", "--turns", "1", "--against", "lammps,bullet", "--json")
    found = {x["who"]: x for x in json.loads(r.stdout)["rows"]}
    for who, limit in (("LAMMPS", 1e-9), ("Bullet", 1e-2)):
        row = found[who]
        if row["note"] is not None and "not found" in row["note"]:
            skip(f"{who} computes the same", row["note"])
        else:
            check(f"{who} computes the same", row["note"] is None and row["force_difference"] < limit and
                  row["step_seconds"] > 0, row)


def test_solvers():
    r = run("bench", "--quick", "static-20", "--turns", "1", "--against", "petsc,cholmod", "--json")
    check("linear systems", r.returncode == 0, said(r))
    rows = json.loads(r.stdout)["rows"]
    ours = [x for x in rows if x["who"] == "resilin"]
    check("rest and one linear solve", {x["variant"] for x in ours} == {"", "linear"} and
          all(x["peak_bytes"] > x["bytes_per_node"] * x["nodes"] > 0 and x["iterations"] > 0 for x in ours), ours)
    for who in ("PETSc", "CHOLMOD"):
        row = [x for x in rows if x["who"] == who][0]
        if row["note"] is not None and "not found" in row["note"]:
            skip(f"{who} finds the same motion", row["note"])
        else:
            check(f"{who} finds the same motion", row["note"] is None and row["force_difference"] < 1e-5 and
                  row["step_seconds"] > row["setup_seconds"] > 0 and row["peak_bytes"] > 0, row)


test_files()
test_json()
test_refusals()
test_others()
test_solvers()
finish()
