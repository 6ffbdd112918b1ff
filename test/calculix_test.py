# SPDX-License-Identifier: MIT
#
# calculix_test.py: finite elements against CalculiX, on the same elements with the same masses: rest, modes, motion.
# Displacements are compared at every node, relative to the largest of them.
#
# The bar is 0.5 %. But CalculiX prints seven digits, and where both solve the same equations all of them but the last agree:
# SAME is what is asked for there.

import csv
import json
import math
import os

import calculix
from cli_support import PROGRAM, PROVE, check, finish, prove, run, scratch, skip
from read_vtu import Grid

BAR = 0.005
SAME = 1e-5
MODES = 8

SOLID = """\
time: {{integrator: static, duration: 1, increments: {increments}, tolerance: {tolerance}}}
output: {{frames: 1, formats: [vtu]}}
gravity: {gravity}
bodies:
  - name: body
    shape: {shape}
    network: {network}
    model: {model}
    material: {material}
{more}constraints:
  - {{type: pin, nodes: {held}}}
"""
END = "loads: [{{type: force, force: {force}, nodes: {{type: plane, point: [{at}, 0, 0], normal: [1, 0, 0]}}}}]\n"

SHEET = """\
plane: xy
gravity: [0, 0, 0]
time: {time}
output: {output}
bodies:
  - name: sheet
    network: {{type: sheet, size: [0.4, 0.2], thickness: 0.002, {network}}}
    model: {{type: fem, law: {law}}}
    material: {material}
loads: [{{type: force, force: {force}, nodes: {{type: plane, point: [0.1999, 0, 0], normal: [1, 0, 0]}}, course: {course}}}]
constraints: [{{type: pin, nodes: {{type: plane, point: [-0.1999, 0, 0], normal: [-1, 0, 0]}}}}]
"""
REST = {"time": "{integrator: static, duration: 1, tolerance: 1e-10}", "output": "{frames: 1, formats: [vtu]}",
        "course": "{type: constant}"}


def material(young, nu, density):
    return f"{{young: {young}, poisson: {nu}, density: {density}}}"


def solid(shape, held, **keys):
    keys = {"gravity": [0, 0, 0], "increments": 1, "tolerance": 1e-10, "more": ""} | keys
    return SOLID.format(shape=shape, held=held, **keys)


def beam(size, force, **keys):
    """A box that is held at its left end and loaded at its right one."""
    at = 0.4999 * size[0]
    return solid(f"{{type: box, size: {list(size)}}}", f"{{type: plane, point: [{-at}, 0, 0], normal: [-1, 0, 0]}}",
                 more=keys.pop("more", "") + END.format(force=list(force), at=at), **keys)


# ---- ours

def moved(scene, name):
    """Displacements at the end, or None and what was said."""
    folder = scratch(name + "_out/")
    result = run("run", scene, "-o", folder, "--quiet")
    if result.returncode != 0:
        return None, result.stderr
    first, last = (Grid(os.path.join(folder, f"nodes_{n:06}.vtu")).arrays["Points"] for n in (0, 1))
    return [[b - a for a, b in zip(x, y)] for x, y in zip(first, last)], ""


def ringing(scene):
    result = run("modes", scene, "--count", str(MODES), "--tolerance", "1e-5", "--json")
    return [mode["frequency"] for mode in json.loads(result.stdout).get("modes", [])]


def difference(ours, theirs):
    largest = max(math.hypot(*u) for u in theirs)
    return max(math.dist(a, b) for a, b in zip(ours, theirs, strict=True)) / largest


def compared(name, kind, error, bar=SAME):
    check(f"{name}: {kind}, {error:.1e}", error <= bar, f"{error} > {bar}")
    prove(f"against CalculiX: {name}: {kind}", f"{error:.1e}", f"{BAR}", error <= BAR)


# ---- rest and modes of solids

def solids():
    """Scenes by name: every element at three Poisson's ratios, no two of a size; then cut cells and two materials."""
    fine = 2 if PROVE else 1
    box = {"trilinear": ("lattice", 0.1), "incompatible": ("lattice", 0.05), "tetrahedra": ("tetrahedra", 0.06)}
    for n, (element, (network, spacing)) in enumerate(box.items()):
        for m, nu in enumerate((0, 0.25, 0.45)):
            model = "{type: fem}" if n == 2 else f"{{type: fem, law: linear, element: {element}}}"
            cells = (8 + 2 * m, 2 + (m + n) % 2, 2 + m % 2)
            yield f"{element}, nu {nu}", beam(
                [spacing * c for c in cells], [3e-5, 1e-4, -2e-4], network=f"{{type: {network}, spacing: {spacing / fine}}}",
                model=model, gravity=[0, 0, -0.001 * m], material=material(2e5 * 10**m, nu, 700 + 300 * n))
    yield "cut cells, nu -0.3", solid(
        "{type: sphere, radius: 0.3}", "{type: plane, point: [0, 0, -0.2], normal: [0, 0, -1]}", gravity=[1e-3, 0, -2e-3],
        network=f"{{type: lattice, spacing: {0.12 / fine}, orientation: {{axis: [1, 2, 3], angle: 33}}}}",
        model="{type: fem, law: linear}", material=material(1e5, -0.3, 1200))
    region = "    regions: [{shape: {type: sphere, radius: 0.1, translate: [0.1, 0, 0]}, material: " + \
        material(1e6, 0.3, 3000) + "}]\n"
    yield "two materials", beam([0.5, 0.2, 0.1], [0, 1e-4, 1e-4], network=f"{{type: lattice, spacing: {0.05 / fine}}}",
                                model="fem", material=material(1e5, 0.3, 1000), more=region)


def test_solids():
    for n, (name, text) in enumerate(solids()):
        path = scratch(f"solid_{n}")
        scene = scratch(f"solid_{n}.yaml", text)
        model = calculix.Elements(scene)
        ours, said = moved(scene, f"solid_{n}")
        if not check(f"{name}: runs", ours is not None, said):
            continue
        compared(name, "rest", difference(ours, calculix.static(path, model)))
        ours, theirs = ringing(scene), calculix.frequencies(path, model, MODES)
        compared(name, "frequencies", max(abs(a / b - 1) for a, b in zip(ours, theirs, strict=True)))
    # both notice a stiffness that is off by 1.5 %
    model.young *= 1.015
    error = difference(moved(scene, "again")[0], calculix.static(path, model))
    check("rest: another stiffness shows", error > BAR, error)
    error = max(abs(a / b - 1) for a, b in zip(ringing(scene), calculix.frequencies(path, model, MODES)))
    check("frequencies: another stiffness shows", error > BAR, error)


# ---- large rotations

def test_large(slenderness, network, law, push, bar):
    """A cantilever of 2 cells across whose end turns by a radian. CalculiX has Green's strain, ours the stretch, so the two
    differ by the square of the strain: the more slender, the less."""
    young, width, name = 1e6, 0.1, f"slenderness {slenderness}, {network}, {law}"
    length = slenderness * width
    force = push * young * width**4 / 12 / length**2
    scene = scratch("large.yaml", beam(
        [length, width, width], [0, 0.2 * force, -force], network=f"{{type: {network}, spacing: {width / 2}}}",
        model=f"{{type: fem, law: {law}}}", material=material(young, 0.3, 1000), increments=8, tolerance=1e-8))
    ours, said = moved(scene, "large")
    if check(f"{name}: runs", ours is not None, said):
        theirs = calculix.static(scratch("large"), calculix.Elements(scene), large=True)
        turned = max(math.hypot(*u) for u in theirs) / length
        check(f"{name}: the end moves by {turned:.2f} lengths", turned > 0.5)
        compared(name, "rest", difference(ours, theirs), bar)


# ---- membranes

SAMPLES = 50
COURSE = ((0, 0), (0.2, 1), (0.4, 0.2), (0.6, -0.5))  # in units of the duration


def sheet(law, young, nu, **keys):
    """Held at its left edge, pulled and pushed at its right one."""
    return SHEET.format(law=law, material=material(young, nu, 1000), force=[5e-11 * young, 1.5e-10 * young, 0], **keys)


def test_plane_stress(cells, nu):
    """Their own triangles: the same where the thickness does not answer, a little stiffer where it is continuous."""
    scene = scratch("plane.yaml", sheet("linear", 2e6, nu, network=f"pattern: alternating, cells: {cells}", **REST))
    model = calculix.Elements(scene)
    ours, said = moved(scene, "plane")
    if check(f"plane stress, nu {nu}: runs", ours is not None, said):
        compared(f"plane stress, CPS3, nu {nu}", "rest", difference(ours, calculix.static(scratch("plane"), model, "CPS3")))
        model.isotropic = True
        error = difference(ours, calculix.static(scratch("plane"), model, "CPS3"))
        compared(f"plane stress, CPS3 of continuous thickness, nu {nu}", "rest", error, BAR)


def membrane(network, law, young, nu, duration):
    """A scene of a sheet in motion, its elements, and probes all over it."""
    keys = {"network": network, "time": f"{{duration: {duration}, step: {duration / 4000}}}",
            "course": f"{{type: table, points: {[[t * duration, f] for t, f in COURSE]}}}"}
    output = f"{{frames: 0, samples: {SAMPLES / duration}, probes: [%s]}}"
    scene = scratch("sheet.yaml", sheet(law, young, nu, output=output % "", **keys))
    model = calculix.Elements(scene)
    probes = list(range(0, model.count, 7))
    listed = ", ".join(f"{{name: p{p}, nodes: {{type: list, indices: [{p}]}}}}" for p in probes)
    scratch("sheet.yaml", sheet(law, young, nu, output=output % listed, **keys))
    return scene, model, probes


def farthest(rows, theirs, model, probes):
    """The largest difference at any time, relative to the largest displacement."""
    worst = largest = 0
    for ours, (time, them) in zip(rows, theirs, strict=True):
        assert math.isclose(float(ours["time [s]"]), time, rel_tol=1e-6)
        for p in probes:
            u = [float(ours[f"p{p} {axis} [m]"]) - at for axis, at in zip("xy", model.nodes[p])]
            worst = max(worst, math.dist(u, them[p][:2]))
            largest = max(largest, math.hypot(*u))
    return worst / largest


def test_membrane(name, network, law, young, nu, duration, steps):
    scene, model, probes = membrane(network, law, young, nu, duration)
    folder, path = scratch("sheet_out/"), scratch("sheet")
    result = run("run", scene, "-o", folder, "--quiet")
    if not check(f"{name}: runs", result.returncode == 0, result.stderr):
        return
    with open(os.path.join(folder, "probes.csv")) as file:
        rows = list(csv.DictReader(file))[1:]
    wedges = model.wedges()
    course = [(t * duration, f) for t, f in COURSE]
    theirs = calculix.transient(path, wedges, course, duration, steps, SAMPLES, probes)
    compared(name, "motion", farthest(rows, theirs, model, probes), BAR / 5)
    wedges.young *= 0.98
    slower = calculix.transient(path, wedges, course, duration, steps, SAMPLES, probes)
    error = farthest(rows, slower, model, probes)
    check(f"{name}: another stiffness shows", error > BAR, error)
    wedges.young = model.young
    other = calculix.frequencies(path, wedges, MODES)
    compared(name, "frequencies", max(abs(a / b - 1) for a, b in zip(ringing(scene), other, strict=True)))


assert os.path.exists(PROGRAM), PROGRAM
if calculix.CCX is None:
    skip("finite elements against CalculiX", "no ccx here (Debian: calculix-ccx)")
else:
    test_solids()
    test_large(16, "lattice", "corotational", 5, BAR)
    test_plane_stress([16, 10], 0.4)
    test_membrane("hexagonal sheet, nu 0.4", "cells: [8, 5], pattern: hexagonal", "linear", 2e6, 0.4, 0.05, 250)
    if PROVE:
        for slenderness, bar in ((20, BAR), (40, BAR / 4)):
            for law in ("corotational", "neo_hookean"):
                test_large(slenderness, "lattice", law, 5, bar)
                test_large(slenderness, "tetrahedra", law, 8, bar)
        test_plane_stress([32, 20], 0.25)
        test_plane_stress([8, 6], 0)
        test_membrane("sheet of squares, nu 0", "cells: [10, 4], pattern: crossed", "linear", 1e5, 0, 0.2, 1000)
        test_membrane("alternating sheet, nu 0.25", "cells: [14, 9], pattern: alternating", "corotational", 1e5, 0.25, 0.3, 1000)
        test_membrane("hexagonal sheet, nu 0.45", "cells: [16, 8], pattern: hexagonal", "neo_hookean", 7e7, 0.45, 0.01, 2000)
finish()
