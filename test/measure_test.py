# SPDX-License-Identifier: MIT
#
# measure_test.py: `resilin measure`: what it prints, and what it refuses.

import csv
import io
import json
import os

from cli_support import PROGRAM, ROOT, check, finish, run, scratch

BOX = """\
bodies:
  - name: bar
    shape: { type: box, size: [0.4, 0.1, 0.1] }
    network: { type: lattice, spacing: 0.025 }
    material: { young: 2.0e5, poisson: 0.25, density: 1200, stiffness_damping: 1.0e-4 }
"""
BALL = """\
  - name: ball
    shape: { type: sphere, radius: 0.1, translate: [0, 0, 1] }
    network: { type: lattice, spacing: 0.02 }
    model: springs
    material: { young: 3.0e4, poisson: 0.3, density: 1000 }
"""
KEYS = ["body", "specimen", "quantity", "unit", "target", "ours", "error"]
RINGING = {"f1", "f2", "f3", "zeta_1", "ring_f1", "ring_zeta_1"}
ALL = RINGING | {"E_x", "E_y", "E_z", "nu_x", "nu_y", "nu_z", "E_x_compression", "E_y_compression", "E_z_compression", "G_yz", "G_zx",
       "G_xy", "K", "zener", "E_worst", "worst_x", "worst_y", "worst_z", "bending"}
box, both = scratch("bar.yaml", BOX), scratch("both.yaml", BOX + BALL)


def said(result):
    return f"status {result.returncode}\nstdout: {result.stdout[:2000]}\nstderr: {result.stderr[:2000]}"


def measured(*arguments, **options):
    """The records, and the result that they came from."""
    result = run("measure", *arguments, "--json", **options)
    try:
        return json.loads(result.stdout), result
    except ValueError:
        return [], result


def test_records():
    records, r = measured(box)
    names = [x["quantity"] for x in records]
    check("every quantity once", r.returncode == 0 and set(names) == ALL and len(names) == len(ALL), said(r))
    check("records are complete", all(list(x) == KEYS for x in records), said(r))
    check("of the body itself", all(x["body"] == "bar" and x["specimen"] == "body" for x in records), said(r))
    good = True
    for x in records:
        if x["target"] is None:
            good = good and x["error"] is None
        else:
            good = good and abs(x["error"] - (x["ours"] / x["target"] - 1)) < 1e-9
    check("errors are ours / target - 1", good, said(r))
    facts = {x["quantity"]: x for x in records}
    exact = ["E_x", "E_y", "E_z", "nu_x", "nu_y", "nu_z", "G_yz", "G_zx", "G_xy", "K", "zener", "E_worst"]
    check("a corner lattice is exact", all(abs(facts[q]["error"]) < 1e-6 for q in exact), said(r))
    targets = {"E_x": 2e5, "nu_y": 0.25, "G_xy": 8e4, "K": 2e5 / 1.5, "zener": 1}
    check("targets follow from the material", all(abs(facts[q]["target"] / t - 1) < 1e-12 for q, t in targets.items()),
          said(r))
    again, _ = measured(box, "--threads", "1")
    check("threads change nothing", again == records)


def test_choices():
    records, r = measured(both, "--tests", "tension,inflation")
    check("a table for each body", [x["body"] for x in records] == 7 * ["bar"] + 7 * ["ball"], said(r))
    check("a ball is measured by a block", {x["specimen"] for x in records if x["body"] == "ball"} == {"block"}, said(r))
    nu = [x for x in records if x["body"] == "ball" and x["quantity"] == "nu_x"]
    check("what springs cannot do is shown", nu and abs(nu[0]["ours"] - 0.25) < 1e-6 and nu[0]["target"] == 0.3, said(r))
    records, r = measured(both, "--body", "bar", "--block", "--cells", "3", "--tests", "shear")
    check("one body, as a block", r.returncode == 0 and {x["specimen"] for x in records} == {"block"}, said(r))
    records, r = measured(both, "--body", "ball", "--body-itself")
    check("a ball itself only rings", r.returncode == 0 and {x["quantity"] for x in records} == RINGING
          and "not a box" in r.stderr, said(r))
    free, _ = measured(box, "--tests", "tension")
    clamped, r = measured(box, "--tests", "tension", "--grips", "clamped")
    check("clamped ends are stiffer", clamped and clamped[0]["ours"] > 1.001 * free[0]["ours"], said(r))
    _, r = measured("-", input=BOX)
    check("from standard input", r.returncode == 0, said(r))
    records, r = measured(box, "--set", "bodies.bar.material.young=5e5", "--tests", "tension")
    check("--set", records and abs(records[0]["ours"] / 5e5 - 1) < 1e-6, said(r))


def test_forms():
    r = run("measure", box, "--tests", "tension,bending", "--csv")
    rows = list(csv.DictReader(io.StringIO(r.stdout)))
    check("--csv", r.returncode == 0 and len(rows) == 7 and list(rows[0]) == KEYS
          and abs(float(rows[0]["ours"]) / 2e5 - 1) < 1e-6, said(r))
    check("errors of --csv", all(abs(float(x["ours"]) / float(x["target"]) - 1 - float(x["error"])) < 1e-9 for x in rows)
          and abs(float(rows[-1]["error"])) > 0.01, rows)
    r = run("measure", box, "--tests", "tension")
    check("the table", r.returncode == 0 and "body 'bar'" in r.stdout and "E_x" in r.stdout and "0.000 %" in r.stdout,
          said(r))
    for name in ["chain", "sheet", "random_block", "tetrahedra"]:
        records, r = measured(os.path.join(ROOT, "scenes", name + ".yaml"))
        check(f"the scene {name}", r.returncode == 0 and "f1" in {x["quantity"] for x in records}, said(r))


def test_levels():
    levels = scratch("levels.yaml", BOX + "    lod: [1, 0.5]\n")
    records, r = measured(levels, "--tests", "tension")
    check("records of all levels", r.returncode == 0 and {x["level"] for x in records} == {0, 1}
          and all(abs(x["error"]) < 1e-6 for x in records), said(r))
    records, r = measured(levels, "--tests", "tension", "--lod", "1")
    check("records of one level", r.returncode == 0 and {x["level"] for x in records} == {1}, said(r))
    r = run("measure", levels, "--tests", "tension,ringing")
    rows = {line.split()[0]: line.split()[2:] for line in r.stdout.splitlines()[2:]}
    check("levels side by side", r.returncode == 0 and rows["nodes"][:2] == ["425", "81"] and rows["mass"][0] == rows["mass"][1]
          and rows["mass"][2] == "+0.000" and rows["E_x"][2] == "+0.000" and float(rows["f1"][1]) > 0, said(r))
    r = run("check", levels, "--set", "bodies.bar.lod=[1, 0.5, 0.001]", "--json")
    found = json.loads(r.stdout)["levels"]
    check("check has levels", [x.get("nodes") for x in found] == [425, 81, None] and "no cell" in found[2]["message"]
          and found[0]["bodies"][0]["mass"] == found[1]["bodies"][0]["mass"]
          and found[1]["stable_step"] > 1.5 * found[0]["stable_step"] and found[1]["seconds_per_second"] > 0, said(r))
    r = run("measure", levels, "--tests", "tension", "--csv")
    check("levels as --csv", [x["level"] for x in csv.DictReader(io.StringIO(r.stdout))] == ["0"] * 6 + ["1"] * 6, said(r))


def fails(name, arguments, text):
    r = run("measure", *arguments)
    check(name, r.returncode == 2 and text in r.stderr, said(r) + f"\nexpected 2, {text}")


def test_refused():
    fails("no scene", [], "the scene file is missing")
    fails("two scenes", [box, box], "more than one")
    fails("a missing scene", ["nowhere.yaml"], "cannot open")
    fails("an unknown test", [box, "--tests", "tension,torsion"], "ringing")
    fails("no test", [box, "--tests", ""], "ringing")
    fails("bad grips", [box, "--grips", "glued"], "free or clamped")
    fails("bad cells", [box, "--cells", "0"], "1 to 1000")
    fails("a bad strain", [box, "--strain", "2"], "a strain")
    fails("a misspelt option", [box, "--blocks"], "did you mean --block?")
    fails("both forms", [box, "--json", "--csv"], "choose one")
    fails("an unknown body", [both, "--body", "bal"], "did you mean 'ball'?")
    fails("a body that is nowhere near", [both, "--body", "zzzzzz"], "there is: bar, ball")
    fails("a ball that cannot be pulled", [both, "--body", "ball", "--body-itself", "--tests", "tension"], "not a box")
    r = run("measure", box, "--set", "bodies.bar.material.young=-1", "--json")
    check("a bad scene still gives JSON", r.returncode == 2 and json.loads(r.stdout) == [] and "young" in r.stderr, said(r))


assert os.path.exists(PROGRAM), PROGRAM
test_records()
test_choices()
test_forms()
test_levels()
test_refused()
finish()
