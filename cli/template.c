// SPDX-License-Identifier: MIT
//
// template.c: the starter scenes of `resilin new`. Each shows a part of the scene language and says what to expect.

#include "template.h"

#include <stddef.h>

static const char rabbit[] =
    "# A soft rabbit dropped on the ground. Expect it to flatten, bounce once or twice and come to rest.\n"
    "#   resilin check FILE      what it will do\n"
    "#   resilin run FILE        do it\n"
    "#   resilin schema --markdown   every key, with unit, range and default\n"
    "# All numbers are SI units: metres, kilograms, seconds, pascals. Angles are degrees.\n"
    "\n"
    "title: a soft rabbit falls on the ground\n"
    "ground: true                    # the plane z = 0\n"
    "gravity: [0, 0, -9.81]          # [m/s2]\n"
    "\n"
    "bodies:\n"
    "  - name: rabbit\n"
    "    shape:\n"
    "      type: rabbit              # or box, sphere, ellipsoid, cylinder, capsule, torus, mesh, union, difference\n"
    "      height: 0.2               # [m]\n"
    "      translate: [0, 0, 0.1]    # drop height [m]\n"
    "    network:\n"
    "      type: lattice\n"
    "      spacing: 0.01             # edge of a cell [m]; half of it is 8 times the nodes and 16 times the work\n"
    "    material:                   # or a name: material: silicone (resilin materials lists them)\n"
    "      young: 5.0e4              # Young's modulus [Pa]\n"
    "      poisson: 0.25             # Poisson's ratio, below 0.5\n"
    "      density: 1000             # [kg/m3]\n"
    "      stiffness_damping: 2.0e-3 # [s]\n"
    "    spin: [0, 0, 45]            # about the centre of mass [deg/s]\n"
    "\n"
    "time:\n"
    "  duration: 1.0                 # [s]\n"
    "  step: auto                    # a fraction of the largest stable step\n"
    "\n"
    "output:\n"
    "  frames: 30                    # per second of simulated time\n"
    "  formats: [vtu, pc2, glb]      # ParaView, Blender point cache, Blender and web pages\n"
    "  checkpoint: 0.25              # simulated time between checkpoints [s]; resilin run FILE --resume goes on\n";

static const char beam[] =
    "# A cantilever: a beam held at one end bends under its own weight and swings.\n"
    "# Expect the tip to sink by about rho g L^4 / (8 E I) * A, here some centimetres, and to swing about that.\n"
    "\n"
    "title: a cantilever under its own weight\n"
    "\n"
    "bodies:\n"
    "  - name: beam\n"
    "    shape: { type: box, size: [0.3, 0.04, 0.04] }   # centred at the origin [m]\n"
    "    network: { type: lattice, spacing: 0.01 }\n"
    "    material: { young: 2.0e5, poisson: 0.25, density: 1000, stiffness_damping: 1.0e-3 }\n"
    "\n"
    "constraints:\n"
    "  - type: pin                   # nodes chosen at rest stay where they were\n"
    "    nodes: { type: plane, point: [-0.149, 0, 0], normal: [-1, 0, 0] }\n"
    "\n"
    "time: { duration: 1.0 }\n"
    "\n"
    "output:\n"
    "  frames: 60\n"
    "  probes:                       # columns of probes.csv\n"
    "    - { name: tip, nodes: { type: plane, point: [0.149, 0, 0], normal: [1, 0, 0] } }\n";

static const char sheet[] =
    "# A square of cloth, held at two corners, falls and swings.\n"
    "\n"
    "title: a cloth on two pegs\n"
    "\n"
    "bodies:\n"
    "  - name: cloth\n"
    "    network: { type: sheet, size: [0.5, 0.5], spacing: 0.02, thickness: 0.001 }   # a grid in the xy plane [m]\n"
    "    material: { young: 1.0e5, poisson: 0.33, density: 300, mass_damping: 0.5, stiffness_damping: 1.0e-3 }\n"
    "\n"
    "constraints:\n"
    "  - type: pin\n"
    "    nodes: { type: nearest, point: [-0.25, 0.25, 0] }\n"
    "  - type: pin\n"
    "    nodes: { type: nearest, point: [0.25, 0.25, 0] }\n"
    "\n"
    "time: { duration: 2.0 }\n"
    "\n"
    "output: { frames: 30 }\n";

static const char chain[] =
    "# A hanging chain of masses and springs, listed by hand, in two dimensions. Expect it to swing for ever: there "
    "is\n"
    "# no damping, and energy.csv shows that none is lost.\n"
    "\n"
    "title: a hanging chain\n"
    "plane: xy                       # z is locked; gravity is along -y\n"
    "\n"
    "bodies:\n"
    "  - name: chain\n"
    "    network:\n"
    "      type: explicit\n"
    "      nodes: [[0, 0, 0], [0.1, 0, 0], [0.2, 0, 0], [0.3, 0, 0], [0.4, 0, 0], [0.5, 0, 0]]   # [m]\n"
    "      masses: 0.01              # of each [kg]\n"
    "      springs: [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]]\n"
    "      stiffness: 100            # of each [N/m]\n"
    "\n"
    "constraints:\n"
    "  - { type: pin, nodes: { body: chain, type: list, indices: [0] } }\n"
    "\n"
    "time: { duration: 2.0, integrator: velocity_verlet, fraction: 0.1 }\n"
    "\n"
    "output:\n"
    "  frames: 60\n"
    "  samples: 200                  # rows per second of energy.csv and probes.csv\n"
    "  probes:\n"
    "    - { name: end, nodes: { body: chain, type: list, indices: [5] } }\n";

static const char muscle[] =
    "# A strip of muscle, held at one end, contracts along its length twice a second: its springs shorten.\n"
    "# Expect it to get shorter by up to a fifth and thicker at the same time.\n"
    "\n"
    "title: a strip of muscle contracts\n"
    "gravity: [0, 0, 0]\n"
    "\n"
    "bodies:\n"
    "  - name: muscle\n"
    "    shape: { type: box, size: [0.12, 0.03, 0.03] }\n"
    "    network: { type: lattice, spacing: 0.0075 }\n"
    "    material: { name: muscle, poisson: 0.25 }       # numbers given beside a name win\n"
    "\n"
    "constraints:\n"
    "  - type: pin\n"
    "    nodes: { type: plane, point: [-0.059, 0, 0], normal: [-1, 0, 0] }\n"
    "\n"
    "drives:\n"
    "  - nodes: all\n"
    "    strain: -0.2                # rest lengths change by the factor 1 + strain * course\n"
    "    direction: [1, 0, 0]        # only springs within 30 degrees of x\n"
    "    course: { type: sine, frequency: 2 }\n"
    "\n"
    "time: { duration: 1.0 }\n"
    "\n"
    "output:\n"
    "  frames: 60\n"
    "  probes:\n"
    "    - { name: end, nodes: { type: plane, point: [0.059, 0, 0], normal: [1, 0, 0] } }\n";

static const cliTemplate templates[] = {
    { "rabbit", "a soft rabbit falls on the ground", rabbit },
    { "beam", "a cantilever under its own weight", beam },
    { "sheet", "a cloth on two pegs", sheet },
    { "chain", "a hanging chain in two dimensions, listed by hand", chain },
    { "muscle", "a strip of muscle contracts", muscle },
};

const cliTemplate* cliTemplate_At(int index)
{
    return index < (int)(sizeof templates / sizeof templates[0]) ? &templates[index] : NULL;
}
