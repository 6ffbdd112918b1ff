# SPDX-License-Identifier: MIT
#
# calculix.py: the finite elements of a scene, given to CalculiX (ccx), and what it answers.
#
# Masses: the matrices of CalculiX are consistent, ours are lumped. So its material weighs next to nothing, and our masses
# are points.
#
# Triangles in plane stress: those of CalculiX (CPS3) are wedges inside, whose thickness is continuous from one to the next,
# which stiffens them where the strain is not uniform; and they take no points. So ours become wedges of a material whose
# thickness does not answer to what happens in the plane: then nothing but plane stress is left.

import copy
import math
import os
import re
import shutil
import subprocess

from cli_support import BUILD

CCX = shutil.which("ccx")
KINDS = {4: "C3D4", 6: "C3D6", 8: "C3D8"}
HEXAHEDRON = (0, 1, 3, 2, 4, 5, 7, 6)  # our corners count in binary, theirs go round
LIGHT = 1e-9  # of the density


class Elements:
    """What element_data prints."""

    def __init__(self, scene):
        program = os.path.join(BUILD, "test", "element_data")
        result = subprocess.run([program, scene], capture_output=True, text=True, timeout=60)
        if result.returncode != 0:
            raise RuntimeError(result.stderr)
        self.nodes, self.masses, self.held, self.forces, self.elements = [], [], [], [], []
        for line in result.stdout.splitlines():
            kind, *words = line.split()
            if kind == "n":
                values = [float(word) for word in words]
                self.nodes.append(values[:3])
                self.masses.append(values[3])
                self.held.append(int(words[4]))
                self.forces.append(values[5:])
            elif kind == "b":
                self.corners, self.incompatible = int(words[0]), words[1] == "1"
                self.young, self.poisson, self.thickness = (float(word) for word in words[2:])
            else:
                self.elements.append((float(words[0]), [int(word) for word in words[1:]]))
        self.isotropic = self.corners > 3  # else the thickness does not answer
        self.count = len(self.nodes)  # of ours; wedges add their upper side
        size = [max(x) - min(x) for x in zip(*self.nodes)]
        self.density = LIGHT * sum(self.masses) / math.prod(s or self.thickness for s in size)

    def wedges(self):
        """Triangles as wedges, of half the mass and the load at either side."""
        solid = copy.copy(self)
        solid.corners = 6
        solid.nodes = self.nodes + [[x, y, z + self.thickness] for x, y, z in self.nodes]
        solid.masses = [mass / 2 for mass in self.masses] * 2
        solid.held = [axes | 4 for axes in self.held] * 2
        solid.forces = [[f / 2 for f in force] for force in self.forces] * 2
        solid.elements = [(weight, nodes + [n + self.count for n in nodes]) for weight, nodes in self.elements]
        return solid


# ---- parts of an input deck

def row(*numbers):
    """Fields of an input deck have at most 20 characters."""
    return ", ".join(f"{n:.12e}" if isinstance(n, float) else str(n) for n in numbers)


def grouped(values):
    """Places of equal values, to 12 digits."""
    groups = {}
    for place, value in enumerate(values):
        groups.setdefault(float(f"{value:.12g}"), []).append(place)
    return groups.items()


def elastic(model, weight):
    young, nu = model.young * weight, model.poisson
    if not model.isotropic:
        shear = young / (2 * (1 + nu))
        constants = row(young, young, young, nu, 0.0, 0.0, shear, shear)
        return ["*ELASTIC, TYPE=ENGINEERING CONSTANTS", constants, row(shear, 293)]
    return ["*ELASTIC", row(young, nu)]


def mesh(model, kind=None):
    """Nodes, and elements with their materials: one of each stiffness."""
    kind = kind or KINDS[model.corners] + ("I" if model.corners == 8 and model.incompatible else "")
    deck = ["*NODE, NSET=ALL"] + [row(i + 1, *node) for i, node in enumerate(model.nodes)]
    for g, (weight, members) in enumerate(grouped(weight for weight, _ in model.elements)):
        deck.append(f"*ELEMENT, TYPE={kind}, ELSET=PART{g}")
        for e in members:
            nodes = model.elements[e][1]
            deck.append(row(e + 1, *(nodes[c] + 1 for c in (HEXAHEDRON if len(nodes) == 8 else range(len(nodes))))))
        deck += [f"*MATERIAL, NAME=STUFF{g}"] + elastic(model, weight) + ["*DENSITY", row(model.density)]
        deck += [f"*SOLID SECTION, ELSET=PART{g}, MATERIAL=STUFF{g}"] + ([row(model.thickness)] if kind == "CPS3" else [])
    return deck


def points(model):
    """The masses."""
    deck, number = [], len(model.elements)
    for g, (mass, nodes) in enumerate(grouped(model.masses)):
        deck.append(f"*ELEMENT, TYPE=MASS, ELSET=POINTS{g}")
        deck += [row(number + k + 1, node + 1) for k, node in enumerate(nodes)]
        deck += [f"*MASS, ELSET=POINTS{g}", row(mass)]
        number += len(nodes)
    return deck


def held(model):
    rows = [row(node + 1, axis + 1) for node, axes in enumerate(model.held) for axis in range(3) if axes >> axis & 1]
    return ["*BOUNDARY"] + rows if rows else []


def loads(model, option=""):
    return ["*CLOAD" + option] + [row(node + 1, axis + 1, f) for node, force in enumerate(model.forces)
                                  for axis, f in enumerate(force) if f != 0]


# ---- running it

def solve(path, deck):
    """Run a deck; the text of its .dat file."""
    with open(path + ".inp", "w") as file:
        file.write("\n".join(deck) + "\n")
    if os.path.exists(path + ".dat"):
        os.remove(path + ".dat")
    environment = dict(os.environ, OMP_NUM_THREADS="1", CCX_NPROC_STIFFNESS="1")
    result = subprocess.run([CCX, "-i", os.path.basename(path)], cwd=os.path.dirname(path), capture_output=True, text=True,
                            timeout=600, env=environment)
    if result.returncode != 0 or "*ERROR" in result.stdout or not os.path.exists(path + ".dat"):
        raise RuntimeError(f"ccx {path}: status {result.returncode}\n{result.stdout[-1500:]}{result.stderr}")
    with open(path + ".dat") as file:
        return file.read()


def displacements(text):
    """Of every time: (time, {node counted from 0: [x, y, z]})."""
    times = []
    for line in text.splitlines():
        words = line.split()
        if line.lstrip().startswith("displacements"):
            times.append((float(words[-1]), {}))
        elif times and len(words) == 4:
            times[-1][1][int(words[0]) - 1] = [float(word) for word in words[1:]]
    return times


def listed(text, model):
    """[(time, displacements of our nodes)]."""
    return [(time, [values[i] for i in range(model.count)]) for time, values in displacements(text)]


def static(path, model, kind=None, large=False):
    """At rest. Large: the load in steps that it chooses; kind: another than the usual element."""
    model = model.wedges() if model.corners == 3 and kind is None else model
    step = ["*STEP, NLGEOM, INC=500", "*STATIC", "0.1, 1"] if large else ["*STEP", "*STATIC"]
    deck = mesh(model, kind) + held(model) + step + loads(model) + ["*NODE PRINT, NSET=ALL", "U", "*END STEP"]
    return listed(solve(path, deck), model)[-1:]


def frequencies(path, model, count):
    """The lowest [Hz]."""
    model = model.wedges() if model.corners == 3 else model
    deck = mesh(model) + points(model) + held(model) + ["*STEP", "*FREQUENCY", str(count), "*END STEP"]
    table = solve(path, deck).split("P A R T I C")[0]
    return [float(line.split()[3]) for line in table.splitlines() if re.match(r"\s+\d+(\s+\S+){4}$", line)][:count]


def transient(path, model, course, duration, steps, samples):
    """At so many times. course: (time, factor) of the load, linear between. By the trapezoidal rule."""
    model = model.wedges() if model.corners == 3 else model
    deck = mesh(model) + points(model) + held(model) + ["*AMPLITUDE, NAME=COURSE"] + [row(t, f) for t, f in course]
    deck += ["*STEP, INC=1000000", "*DYNAMIC, ALPHA=0., DIRECT", row(duration / steps, duration)]
    deck += loads(model, ", AMPLITUDE=COURSE")
    deck += [f"*NODE PRINT, NSET=ALL, FREQUENCY={steps // samples}", "U", "*END STEP"]
    return listed(solve(path, deck), model)
