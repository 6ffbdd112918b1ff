# SPDX-License-Identifier: MIT
#
# compare_test.py: `resilin compare`: what it prints and writes, and what it refuses.

import csv
import json
import math
import os

from cli_support import PROGRAM, PROVE, check, finish, prove, read, run, scratch
from read_vtu import Grid

# A cantilever under its own weight, at rest.
BAR = """\
gravity: [0, 0, -0.5]
bodies:
  - name: bar
    shape: { type: box, size: [0.4, 0.1, 0.1], translate: [0.2, 0, 0] }
    network: { type: lattice, spacing: 0.05 }
    material: { young: 2.0e5, poisson: 0.25, density: 1200 }
constraints:
  - { type: pin, nodes: { type: plane, point: [0.001, 0, 0], normal: [-1, 0, 0] } }
time: { integrator: static }
output: { frames: 1 }
"""
SWING = BAR.replace("integrator: static", "duration: 0.2").replace("frames: 1", "frames: 20")
CHAIN = """\
bodies:
  - name: chain
    network: { type: explicit, nodes: [[0, 0, 0], [1, 0, 0]], masses: [1], springs: [[0, 1]], stiffness: [10] }
"""
bar, swing, chain = scratch("bar.yaml", BAR), scratch("swing.yaml", SWING), scratch("chain.yaml", CHAIN)
ERRORS = ["error_mean", "error_rms", "error_max", "worst_mean", "worst_rms", "worst_max"]


def said(result):
    return f"status {result.returncode}\nstdout: {result.stdout[:3000]}\nstderr: {result.stderr[:2000]}"


def compared(scene, models, *arguments, **options):
    """The models by their names, the whole record, and the result that it came from."""
    result = run("compare", scene, "--models", models, "--json", *arguments, **options)
    try:
        whole = json.loads(result.stdout)
    except ValueError:
        whole = {"models": []}
    return {x["model"]: x for x in whole["models"]}, whole, result


def test_identical():
    for name, scene in (("at rest", bar), ("in motion", swing)):
        models, whole, r = compared(scene, "lattice,springs", "-n", "2")
        a, b = models.get("lattice"), models.get("springs")
        check(f"a model and its synonym, {name}: no error at all",
              r.returncode == 0 and all(x[e] == 0 for x in (a, b) for e in ERRORS), said(r))
        check(f"the same frequencies, {name}", a["frequencies"] == b["frequencies"] and len(a["frequencies"]) == 2, said(r))
        check(f"the last one is the reference, {name}", whole["reference"] == "springs" and whole["largest"] > 0, said(r))


def test_bar():
    errors, frequencies = [], []
    for spacing in (0.05, 0.025) if not PROVE else (0.05, 0.025, 0.0125):
        models, _, r = compared(bar, "springs,fem", "--set", f"body.network.spacing={spacing}")
        errors.append(models["springs"]["error_max"])
        frequencies.append(models["springs"]["frequencies"][0] / models["fem"]["frequencies"][0] - 1)
    check("springs go to the elements at nu = 0.25", 0 < errors[1] < 0.4 * errors[0] < 0.1, (errors, said(r)))
    check("and their first frequency", 0 < frequencies[1] < 0.4 * frequencies[0], frequencies)
    prove("springs against elements, largest error at each half of the spacing",
          ", ".join(f"{e:.4f}" for e in errors), "to less than 0.4", all(b < 0.4 * a for a, b in zip(errors, errors[1:])))
    models, whole, r = compared(bar, "springs,dispersion,fem", "--set", "body.material.poisson=0.4", "--set",
                                "gravity=[0.5,0,0]")
    check("pulled, dispersion is nearer than springs at nu = 0.4",
          models["dispersion"]["error_rms"] < 0.8 * models["springs"]["error_rms"], said(r))
    good = all(0 <= x["error_mean"] <= x["error_rms"] <= x["error_max"] for x in models.values())
    check("mean, rms and max are in order", good and models["fem"]["error_max"] == 0, said(r))
    check("counts and costs", models["springs"]["springs"] == 444 and models["springs"]["elements"] == 0
          and models["fem"]["springs"] == 0
          and models["fem"]["elements"] == 32 and models["fem"]["nodes"] == 81 and models["fem"]["points"] == 81
          and all(x[k] > 0 for x in models.values() for k in ("bytes", "step_seconds", "stable_step", "solve_seconds",
                                                              "iterations", "newton_steps")), said(r))
    back, _, r = compared(bar, "springs,fem", "--reference", "springs")
    check("the reference can be chosen", back["springs"]["error_max"] == 0 and back["fem"]["error_max"] > 0, said(r))
    more, whole, r = compared(bar, "springs", "--reference", "fem:neo-hookean", "-n", "0")
    check("one that is not in the list is added", whole["reference"] == "fem:neo-hookean"
          and more["springs"]["error_max"] > 0 and more["springs"]["frequencies"] == [], said(r))


def test_options():
    models, _, r = compared(bar, "fem:trilinear,fem:element=incompatible:law=linear,fem:linear", "-n", "0")
    check("options by word and by key", models["fem:element=incompatible:law=linear"]["error_max"] == 0
          and models["fem:trilinear"]["error_max"] > 0.01, said(r))
    models, _, r = compared(bar, "springs,fem", "-n", "0", "--set", "body.network.law=carrier")
    check("a law of springs is not for elements", models["fem"]["status"] == "ok" and "note: fem: 'law'" in r.stderr, said(r))
    models, _, r = compared("-", "springs,fem", "-n", "0", "-o", scratch("piped"), input=BAR)
    check("from standard input", r.returncode == 0 and models["springs"]["error_max"] > 0, said(r))


def test_files():
    folder = scratch("files")
    models, whole, r = compared(swing, "springs,fem:trilinear,fem", "-o", folder)
    frames = whole["frames"]
    check("a frame a twentieth, and the start", frames == 5 and whole["time"] >= 0.2, said(r))
    names = sorted(os.listdir(folder))
    wanted = ["compare.csv", "compare.json", "compare.png", "compare.pvd", "errors.csv"]
    wanted += [f"compare_{i:06d}.vtu" for i in range(frames)]
    check("the files", names == sorted(wanted), names)
    with open(os.path.join(folder, "compare.csv")) as file:
        rows = list(csv.DictReader(file))
    check("compare.csv", [x["model"] for x in rows] == ["springs", "fem:trilinear", "fem"]
          and all(float(x["error_rms"]) == models[x["model"]]["error_rms"] for x in rows)
          and all(float(x["f3"]) == models[x["model"]]["frequencies"][2] for x in rows), rows)
    stored = json.loads(read(folder, "compare.json"))
    check("compare.json", stored == whole, stored)
    with open(os.path.join(folder, "errors.csv")) as file:
        series = list(csv.DictReader(file))
    check("errors.csv", len(series) == frames and float(series[0]["springs max"]) == 0
          and float(series[-1]["springs max"]) == models["springs"]["error_max"]
          and max(float(x["springs rms"]) for x in series) == models["springs"]["worst_rms"], series)
    check("the picture", read(folder, "compare.png")[:8] == b"\x89PNG\r\n\x1a\n")
    return folder, models, whole


def test_vtu(folder, models, whole):
    grid = Grid(os.path.join(folder, "compare_000004.vtu"))
    a = grid.arrays
    names = {"u_springs", "u_fem_trilinear", "u_fem", "du_springs", "du_fem_trilinear", "error_springs", "error_fem_trilinear"}
    check("arrays of the .vtu", names <= set(a) and "du_fem" not in a and grid.points == 81 and grid.cells > 0, set(a))
    check("points at rest", min(p[2] for p in a["Points"]) == -0.05 and max(p[2] for p in a["Points"]) == 0.05)
    held = [i for i, p in enumerate(a["Points"]) if abs(p[0]) < 1e-9]
    check("held nodes stay", len(held) == 9 and all(max(map(abs, a["u_springs"][i])) < 1e-12 for i in held))
    worst, largest = 0.0, 0.0
    for u, v, d, e in zip(a["u_springs"], a["u_fem"], a["du_springs"], a["error_springs"]):
        difference = [x - y for x, y in zip(u, v)]
        worst = max(worst, math.dist(difference, d), abs(math.dist(u, v) - e))
        largest = max(largest, e)
    check("differences", worst < 1e-6 * whole["largest"] + 1e-9, worst)
    check("the largest of them is the error", math.isclose(largest / whole["largest"], models["springs"]["error_max"],
                                                           rel_tol=1e-5), largest)


def test_failures():
    models, whole, r = compared(bar, "angles,springs,fem")
    row = models["angles"]
    check("what cannot be built has a row, and the others go on", r.returncode == 0 and row["status"] == "bad input"
          and "a sheet" in row["message"] and row["error_max"] is None and models["springs"]["error_max"] > 0, said(r))
    r = run("compare", bar, "--models", "angles,fem")
    check("only the reference is left", r.returncode == 2 and "nothing but the reference" in r.stderr, said(r))
    models, whole, r = compared(bar, "springs,angles")
    check("a reference that cannot be built", r.returncode == 2 and "--reference" in r.stderr
          and whole["status"] == "bad input", said(r))
    # a step that springs stand and trilinear elements of nearly no compressibility do not
    models, _, r = compared(swing, "fem,springs", "--set", "body.material.poisson=0.49", "--set", "time.step=0.0025", "-n", "0")
    check("one that diverges has a row", r.returncode == 1 and models["fem"]["status"] == "diverged"
          and "diverged at" in models["fem"]["message"] and models["springs"]["status"] == "ok", said(r))
    stored = json.loads(read(scratch("out/swing-compare"), "compare.json"))
    check("compare.json says so too", stored["status"] == "diverged" and stored["models"][0]["status"] == "diverged", stored)
    models, whole, r = compared(swing, "springs,fem", "--set", "body.material.poisson=0.49", "--set", "time.step=0.0025")
    check("a reference that diverges", r.returncode == 1 and whole["status"] == "diverged" and "--reference" in r.stderr
          and "diverged at" in r.stderr, said(r))
    check("and nothing old is left", not os.path.exists(scratch("out/swing-compare/compare.csv")))


def fails(name, arguments, *texts):
    r = run("compare", *arguments)
    check(name, r.returncode == 2 and all(text in r.stderr for text in texts), said(r) + f"\nexpected 2, {texts}")


def test_levels():
    levels = scratch("levels.yaml", BAR.replace("density: 1200 }", "density: 1200 }\n    lod: [1, 0.5]"))
    models, whole, r = compared(levels, "lod:1,lod:0", "-n", "0")
    check("levels of detail", r.returncode == 0 and models["lod:0"]["error_max"] == 0 and models["lod:0"]["nodes"] == 81
          and models["lod:1"]["nodes"] == 20 and 0 < models["lod:1"]["error_max"] < 0.2, said(r))
    fails("a level that is not there", [levels, "-m", "lod:2,lod:0"], "there is no lod:2", "2 levels")
    fails("no level", [bar, "-m", "lod:1,lod:0"], "1 level of detail")


def test_refused():
    fails("the reason of the reference", [bar, "-m", "springs,fem", "--set", "body.network.construction=centred"],
          "fem cannot be built: ", "--reference")
    fails("no scene", ["-m", "springs,fem"], "the scene file is missing")
    fails("no models", [bar], "--models springs,fem")
    fails("empty models", [bar, "-m", ","], "nothing to compare")
    fails("one model", [bar, "-m", "fem"], "only one model")
    fails("a model twice in two spellings", [bar, "-m", "springs,fem:neo-hookean,fem:neo_hookean"], "named twice")
    fails("a model twice", [bar, "-m", "fem,springs,fem"], "named twice")
    fails("an unknown model", [bar, "-m", "springs,fme"], "springs, ", "did you mean 'fem'?")
    fails("an unknown reference", [bar, "-m", "springs", "-r", "truth"], "expected one of")
    fails("an unknown option", [bar, "-m", "springs,fem:hard"], "has no option 'hard'", "neo_hookean")
    fails("an option of another model", [bar, "-m", "springs,fem:cheap"], "has no option 'cheap'")
    fails("an unknown key", [bar, "-m", "springs,fem:lw=linear"], "did you mean 'law'?")
    fails("no option", [bar, "-m", "springs,fem:"], "has no option ''")
    fails("a long name", [bar, "-m", "springs," + 70 * "x"], "at most")
    fails("too many", [bar, "-m", ",".join(f"fem:law=linear:element={i}" for i in range(20))], "expected one of")
    fails("bad modes", [bar, "-m", "springs,fem", "-n", "-1"], "0 to 100")
    fails("a misspelt option", [bar, "--model", "springs,fem", "--referense", "fem"], "did you mean --reference?")
    fails("a missing scene", ["nowhere.yaml", "-m", "springs,fem"], "cannot open")
    fails("explicit networks", [chain, "-m", "springs,fem"], "explicit networks")
    fails("a folder that is a file", [bar, "-m", "springs,fem", "-o", bar], "cannot be made")
    r = run("compare", bar, "-m", "springs,fem", "--set", "body.material.young=-1", "--json")
    check("a bad scene still gives JSON", r.returncode == 2 and json.loads(r.stdout)["status"] == "bad input"
          and "young" in r.stderr, said(r))


def test_printed():
    soft = ["body.material.young=200", "body.material.poisson=0.3", "gravity=[0,0,0]", "time.step=0.02", "output.frames=100"]
    r = run("compare", swing, "--models", "springs,fem", "-n", "0", *(x for value in soft for x in ("--set", value)))
    check("a warning of one names it, a warning of all does not", "warning: springs: body 'bar' asks" in r.stderr
          and "warning: the step of" in r.stderr and r.stderr.count("warning") == 2, said(r))
    r = run("compare", bar, "--models", "springs,fem:trilinear,fem", "-n", "1")
    check("the tables", r.returncode == 0 and "compared with fem" in r.stdout and "f1 [Hz]" in r.stdout
          and r.stdout.count("fem:trilinear") == 2 and "iterations" in r.stdout, said(r))
    r = run("compare", swing, "--models", "springs,fem", "-q")
    check("--quiet", r.returncode == 0 and r.stdout == "" and r.stderr == "", said(r))
    one, _, r = compared(swing, "springs,fem", "-n", "0", "-t", "1")
    two, _, r = compared(swing, "springs,fem", "-n", "0", "-t", "2")
    check("threads change no error", all(one[m][e] == two[m][e] for m in one for e in ERRORS), said(r))


assert os.path.exists(PROGRAM), PROGRAM
test_identical()
test_bar()
test_options()
test_vtu(*test_files())
test_failures()
test_levels()
test_refused()
test_printed()
finish()
