# SPDX-License-Identifier: MIT
#
# sweep_test.py: a scene over the values of a parameter: which values, what comes out, how failures show.

import csv
import json
import os
import xml.dom.minidom

from cli_support import SCRATCH, check, finish, read, run, scratch

BEAM = """\
gravity: [0, 0, -9.81]
bodies:
  - name: beam
    shape: { type: box, size: [0.4, 0.1, 0.1] }
    network: { type: lattice, spacing: 0.05 }
    material: { young: 1.0e7, poisson: 0.25, density: 100 }
constraints:
  - { type: pin, nodes: { type: plane, point: [-0.199, 0, 0], normal: [-1, 0, 0] } }
time: { integrator: static }
output:
  frames: 0
  probes:
    - { name: tip, nodes: { type: plane, point: [0.199, 0, 0], normal: [1, 0, 0] } }
"""
beam = scratch("beam.yaml", BEAM)
two = scratch("two.yaml", BEAM.replace("bodies:\n", """bodies:
  - name: other
    shape: { type: box, size: [0.1, 0.1, 0.1], translate: [0, 1, 0] }
    network: { type: lattice, spacing: 0.05 }
    material: { young: 1.0e7, poisson: 0.25, density: 100 }
"""))


def said(result):
    return f"status {result.returncode}\nstdout: {result.stdout[:2000]}\nstderr: {result.stderr[:2000]}"


def sweep(*arguments, scene=beam):
    """The result, and the rows of sweep.csv."""
    folder = os.path.join(SCRATCH, "sweep")
    if os.path.exists(os.path.join(folder, "sweep.csv")):
        os.unlink(os.path.join(folder, "sweep.csv"))
    r = run("sweep", scene, *arguments, "-o", "sweep")
    path = os.path.join(folder, "sweep.csv")
    return r, list(csv.DictReader(open(path))) if os.path.exists(path) else []


def near(a, b, tolerance):
    return abs(float(a) - b) <= tolerance * abs(b)


def values(text, *options):
    """What a key takes, read back from the table."""
    r, rows = sweep("--set", f"body.material.density={text}", "-c", "node count", *options)
    return [float(x["body.material.density"]) for x in rows]


def test_values():
    check("far apart: by factors", values("1e1..1e7:7") == [10.0 ** k for k in range(1, 8)], values("1e1..1e7:7"))
    check("near: by differences", values("10..30:5") == [10, 15, 20, 25, 30], values("10..30:5"))
    check("downwards", values("30..10:3") == [30, 20, 10], values("30..10:3"))
    check(":log", values("10..40:3:log") == [10, 20, 40], "")
    check(":linear", values("1..1001:3:linear") == [1, 501, 1001], "")
    check("--log", values("10..40:3", "--log") == [10, 20, 40], "")
    check("--linear", values("1..1001:3", "--linear") == [1, 501, 1001], "")
    check("what the range says wins", values("10..40:3:log", "--linear") == [10, 20, 40], "")
    check("a list", values("7,3,5") == [7, 3, 5], "")


def test_several():
    two_keys = ["--set", "body.material.density=10,20", "--set", "body.network.spacing=0.1,0.05,0.025", "-c", "node count"]
    r, rows = sweep(*two_keys)
    pairs = [(x["body.material.density"], x["body.network.spacing"]) for x in rows]
    expected = [(a, b) for a in ("10", "20") for b in ("0.1", "0.05", "0.025")]
    check("every value with every other", pairs == expected, said(r))
    counts = [int(float(x["node count"])) for x in rows]
    check("the values reach the scene", counts == 2 * [20, 81, 425], counts)
    r, rows = sweep("--set", "body.material.density=10,20", "--set", "body.network.spacing=0.1,0.05", "--zip",
                    "-c", "node count")
    check("--zip", [x["body.network.spacing"] for x in rows] == ["0.1", "0.05"], said(r))
    r, rows = sweep("--set", "gravity=[0,0,-9.81],[0,-9.81,0]", "-c", "tip z,tip y")
    good = len(rows) == 2 and near(rows[0]["tip z [m]"], float(rows[1]["tip y [m]"]), 1e-6)
    check("lists in brackets are values", good and float(rows[0]["tip z [m]"]) < 0, said(r))
    r, rows = sweep("--set", "body.network.construction=corner,centred", "--set", "body.material.young=1e6", "--tests", "tension",
                    "-c", "E_x")
    check("words", len(rows) == 2 and near(rows[0]["E_x [Pa]"], 1e6, 1e-6) and float(rows[1]["E_x [Pa]"]) < 0.9e6, said(r))


def test_measured():
    r, rows = sweep("--set", "body.material.young=1..1e12:4", "--tests", "tension")
    good = all(near(x["E_x [Pa]"], float(x["body.material.young"]), 1e-6) and near(x["nu_x"], 0.25, 1e-6) for x in rows)
    check("bodies are measured", r.returncode == 0 and len(rows) == 4 and good, said(r))
    check("with their errors", rows and all(abs(float(x["E_x error"])) < 1e-6 for x in rows), rows[:1])
    svg = read(SCRATCH, "sweep", "sweep.svg").decode()
    check("the plot has a mark a value", svg.count('class="rsl-mark') >= 4 and "10\u00b9\u00b2" in svg, svg[:200])
    check("the plot is well formed", xml.dom.minidom.parseString(svg) is not None and "body.material.young" in svg, svg[:200])


def test_run():
    r, rows = sweep("--set", "body.material.young=1e7,1e8,1e9", "-c", "tip z, reaction 0 z,E_x")
    sag = [float(x["tip z [m]"]) for x in rows]
    check("sag goes with 1 / E", len(sag) == 3 and near(sag[1], sag[0] / 10, 1e-3) and near(sag[2], sag[1] / 10, 1e-3), said(r))
    weight = 0.4 * 0.1 * 0.1 * 100 * 9.81
    check("the pins hold the weight", all(near(x["reaction 0 z [N]"], weight, 1e-6) for x in rows), rows)
    check("runs and measurements side by side", all(near(x["E_x [Pa]"], float(x["body.material.young"]), 1e-6) for x in rows),
          rows)
    r, rows = sweep("--set", "body.material.young=1e7,1e8", "--run")
    check("--run gives all columns of a run", rows and {"tip vx [m/s]", "volume [m3]", "node count"} <= set(rows[0]) and
          "E_x [Pa]" not in rows[0], said(r))
    r, rows = sweep("--set", "body.material.young=1e7,1e8", "--json", "-c", "tip z")
    records = json.loads(r.stdout)
    same = [x["columns"]["tip z [m]"] for x in records] == [float(x["tip z [m]"]) for x in rows]
    check("--json says the same", same and records[0]["set"] == {"body.material.young": "1e7"}, said(r))


def test_failures():
    r, rows = sweep("--set", "body.material.young=1e7,-1,1e8", "-c", "tip z")
    check("a bad value is a row", r.returncode == 1 and [x["status"] for x in rows] == ["ok", "bad input", "ok"], said(r))
    check("and is told", "body.material.young=-1" in r.stderr, said(r))
    check("its cells are empty", rows and rows[1]["tip z [m]"] == "" and rows[2]["tip z [m]"] != "", rows)
    r, rows = sweep("--set", "body.material.young=-2,-1,1e8", "-c", "tip z")
    check("also the first", r.returncode == 1 and [x["status"] for x in rows][:2] == 2 * ["bad input"], said(r))
    r, rows = sweep("--set", "constraints.0.nodes.point.0=-0.199,-9", "--set", "time.tolerance=1e-6", "-c", "tip z")
    check("nothing held", r.returncode == 1 and [x["status"] for x in rows] == ["ok", "bad input"], said(r))

    for name, arguments, text in [
            ("nothing to sweep", ["--set", "body.material.young=1e5"], "nothing to sweep"),
            ("a range without a count", ["--set", "body.material.young=1..2"], "A..B:N"),
            ("one value", ["--set", "body.material.young=1..2:1"], "from 2 to 10000"),
            ("a bad spacing", ["--set", "body.material.young=1..2:3:cubic"], ":log or :linear"),
            ("a logarithm of 0", ["--set", "body.material.young=0..2:3:log"], "same sign"),
            ("an empty value", ["--set", "body.material.young=1,,2"], "between commas"),
            ("too many runs", ["--set", "body.material.young=1..2:200", "--set", "body.material.density=1..2:200"], "10000"),
            ("--zip of different counts", ["--set", "body.material.young=1,2", "--set", "body.material.density=1,2,3", "--zip"],
             "same number"),
            ("a key twice", ["--set", "body.material.young=1,2", "--set", "body.material.young=3,4"], "given twice"),
            ("a slip in the key", ["--set", "body.material.yuong=1,2"], "did you mean 'young'"),
            ("an unknown column", ["--set", "body.material.young=1e7,1e8", "-c", "tip zed,E_x"], "there is no column"),
            ("unknown tests", ["--set", "body.material.young=1e7,1e8", "--tests", "tensoin"], "tension"),
            ("a missing scene", ["--set", "body.material.young=1,2", "more"], "more than one"),
    ]:
        r, rows = sweep(*arguments)
        check(name, r.returncode == 2 and text in r.stderr, said(r))
    r, rows = sweep("--set", "body.material.young=1e7,1e8", scene=two)
    check("body of several", r.returncode == 2 and "there are several" in r.stderr, said(r))
    r, rows = sweep("--set", "bodies.beam.material.young=1e7,1e8", "--tests", "tension", scene=two)
    check("several bodies have columns of their own", r.returncode == 0 and near(rows[1]["beam E_x [Pa]"], 1e8, 1e-6) and
          near(rows[1]["other E_x [Pa]"], 1e7, 1e-6), said(r))


test_values()
test_several()
test_measured()
test_run()
test_failures()
finish()
