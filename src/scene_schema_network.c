// SPDX-License-Identifier: MIT
//
// scene_schema_network.c: the table of `network:`, how a body becomes nodes and springs.

#include "scene_table.h"

// one key is one sentence, not one line per field
// clang-format off

static const rslWord networkTypes[] = {
    { "lattice", rsl_latticeNetwork, "a cubic lattice that fills the shape" },
    { "sheet", rsl_sheetNetwork, "a surface: a grid in the xy plane, the triangles of a mesh shape, or the surface of any other shape" },
    { "explicit", rsl_explicitNetwork, "nodes, springs and elements as listed" },
    { "random", rsl_randomNetwork, "nodes at random in the shape, springs between all that are near each other" },
    { "tetrahedra", rsl_tetrahedraNetwork, "springs on the edges of tetrahedra" },
    { "hexahedra", rsl_hexahedraNetwork, "hexahedra of any shape, for finite elements and boxes: they have no springs" },
    { NULL, 0, NULL },
};

static const rslWord constructionWords[] = {
    { "corner", rsl_cornerLattice, "nodes at the corners of cells, border springs weighted: exact moduli" },
    { "centred", rsl_centredLattice, "a node in the middle of each cell, uniform springs" },
    { NULL, 0, NULL },
};

static const rslWord patternWords[] = {
    { "crossed", rsl_crossedPattern, "squares with both diagonals" },
    { "alternating", rsl_alternatingPattern, "squares with one diagonal each, by turns" },
    { "hexagonal", rsl_hexagonalPattern,
      "equilateral triangles in rows along x, every other row half an edge in: the stiffness of the finite element at nu = 1/3; "
      "cells are edges along x and rows, and the height is a whole number of rows" },
    { NULL, 0, NULL },
};

static const rslWord shellWords[] = {
    { "AB", rsl_shellsAB, "along the edges of cells and the diagonals of their faces, 18 neighbours" },
    { "AC", rsl_shellsAC, "along the edges of cells and their body diagonals, 14 neighbours; columns of nodes slide along "
                          "each other at no cost unless they are held" },
    { NULL, 0, NULL },
};

static const rslWord identifyWords[] = {
    { "inside", rsl_identifyInside, "the lattice without a surface" },
    { "whole", rsl_identifyWhole, "all springs of the body: its bulk modulus under a uniform strain is that of the material" },
    { NULL, 0, NULL },
};

static const rslWord stiffnessWords[] = {
    { "uniform", rsl_uniformStiffness, "the same stiffness for all springs" },
    { "inverse_square", rsl_inverseSquareStiffness, "stiffness as 1 / length^2: softer long springs" },
    { NULL, 0, NULL },
};

static const rslWord tetrahedronWords[] = {
    { "lloyd", rsl_lloydTetrahedron, "0.96 E V / L^2: the best fit of the finite element's stiffness" },
    { "kot", rsl_kotTetrahedron, "E V / L^2: right for a change of volume" },
    { "equal", rsl_equalTetrahedron, "6 E V / sum of L^2: the same for its six edges" },
    { NULL, 0, NULL },
};

static const rslWord calibrationWords[] = {
    { "none", rsl_noCalibration, "no: the constants are estimates that let no node relax" },
    { "x", rsl_calibrateX, "pulled along x" },
    { "y", rsl_calibrateY, "pulled along y" },
    { "z", rsl_calibrateZ, "pulled along z" },
    { "mean", rsl_calibrateMean, "the mean of three pulls: those of a box along its sides" },
    { NULL, 0, NULL },
};

static const rslWord mesherWords[] = {
    { "delaunay", rsl_delaunayMesher, "a jittered grid and points on the surface, joined by Delaunay's rule" },
    { "gmsh", rsl_gmshMesher, "Gmsh, in programs that were built with it (RSL_GMSH)" },
    { NULL, 0, NULL },
};

static const rslWord lawWords[] = {
    { "linear", rsl_linearSpring, "T = k dL" },
    { "carrier", rsl_carrierSpring, "T = k L0 dL / L: without bound when pressed to nothing, at most k L0 when pulled" },
    { "cooper", rsl_cooperSpring, "T = k/2 (L - L0^2 / L): half linear, half carrier" },
    { NULL, 0, NULL },
};

static const rslWord sourceWords[] = {
    { "list", rsl_listedSprings, "the list of springs" },
    { "edges", rsl_edgeSprings, "one along every edge of the triangles or tetrahedra" },
    { "elements", rsl_elementSprings,
      "one along every edge of each triangle or tetrahedron, side by side where they share one: an edge of two triangles is twice "
      "as stiff as one at the border" },
    { NULL, 0, NULL },
};

#define LATTICE BIT(rsl_latticeNetwork)
#define SHEET BIT(rsl_sheetNetwork)
#define EXPLICIT BIT(rsl_explicitNetwork)
#define RANDOM BIT(rsl_randomNetwork)
#define TETRAHEDRA BIT(rsl_tetrahedraNetwork)
#define HEXAHEDRA BIT(rsl_hexahedraNetwork)

static const rslKey networkKeys[] = {
    { "type", rsl_enumKey, AT(rslNetworkDef, type), .words = networkTypes, .text = "The kind of network." },
    { "construction", rsl_enumKey, AT(rslNetworkDef, construction), .types = LATTICE, .words = constructionWords,
      .text = "Where the nodes of a cell are." },
    { "identify", rsl_enumKey, AT(rslNetworkDef, identify), .types = LATTICE, .words = identifyWords,
      .text = "What the constants of a centred lattice are taken from. Its surface lacks springs: a beam of 2 cells across "
              "bends 2.5 times too far with inside, and right within 8 % with whole if its length is that between the "
              "nodes. On a corner lattice the two agree." },
    { "shells", rsl_enumKey, AT(rslNetworkDef, shells), .types = LATTICE, .words = shellWords,
      .text = "Which neighbours of a node have springs to it; the moduli are the same." },
    { "spacing", rsl_numberKey, AT(rslNetworkDef, spacing), .types = LATTICE | SHEET | TETRAHEDRA,
      .needed = LATTICE, .range = POSITIVE, .unit = "m",
      .text = "The edge of a cell; of a sheet, the edge to aim at: of a grid when cells is absent, and on a shape that is no mesh; of tetrahedra that fill a shape, the "
              "distance of nodes." },
    { "orientation", rsl_structKey, AT(rslNetworkDef, orientation), .types = LATTICE, .of = &rslRotationStruct,
      .text = "A turn of the lattice axes." },
    { "antialias", rsl_boolKey, AT(rslNetworkDef, antialias), .types = LATTICE,
      .text = "Cells at the surface count as much as the shape fills them, in mass and stiffness. The mass is then that of "
              "the shape, and the stiffness hardly depends on how the lattice lies in it: over random turns of the lattice "
              "in a cube of 5 cells, Young's modulus of springs scatters by 1.7 % with it and 6.4 % without (corner; centred 3.4 % and "
              "8.6 %). false: a cell is full when its centre is inside, else empty." },
    { "threshold", rsl_numberKey, AT(rslNetworkDef, threshold), .types = LATTICE,
      .range = { 0.0, 1.0, false, true },
      .text = "With antialias: cells filled less are dropped, and their nearest kept neighbours take over their mass and "
              "stiffness. Bricks keep all cells." },
    { "size", rsl_numbersKey, AT(rslNetworkDef, size), .width = 2, .types = SHEET, .range = NOT_NEGATIVE, .unit = "m",
      .text = "The edges of the grid along x and y; needed unless the body has a shape." },
    { "cells", rsl_integersKey, AT(rslNetworkDef, cells), .width = 2, .types = SHEET, .range = BETWEEN(0, 1e6),
      .text = "Cells of the grid along x and y; 0: from spacing." },
    { "thickness", rsl_numberKey, AT(rslNetworkDef, thickness), .types = SHEET, .needed = SHEET, .range = POSITIVE,
      .unit = "m", .text = "The thickness of the sheet." },
    { "bending", rsl_numberOrAutoKey, AT(rslNetworkDef, bending), .types = SHEET, .range = NOT_NEGATIVE, .unit = "N m",
      .text = "The bending modulus B of the sheet: bent to the curvature 1/R, it holds B / (2 R^2) of energy a square metre. "
              "auto: that of a plate of its material, E h^3 / 12 (1 - nu^2); cloth has less. The shape at rest is the natural one." },
    { "pattern", rsl_enumKey, AT(rslNetworkDef, pattern), .types = SHEET, .words = patternWords,
      .text = "The grid of a sheet without a shape." },
    { "tube", rsl_boolKey, AT(rslNetworkDef, tube), .types = SHEET,
      .text = "The grid of squares is rolled up about the y axis before rotate, so that its edges along y meet: size is then "
              "the way around and the length of a tube, open at both ends." },
    { "rotate", rsl_structKey, AT(rslNetworkDef, rotate), .types = SHEET | TETRAHEDRA | HEXAHEDRA, .of = &rslRotationStruct,
      .text = "A turn of the grid or the cells, applied before translate." },
    { "translate", rsl_vectorKey, AT(rslNetworkDef, translate), .types = SHEET | TETRAHEDRA | HEXAHEDRA, .unit = "m",
      .text = "A shift of the grid or the cells." },
    { "scale", rsl_numberKey, AT(rslNetworkDef, scale), .types = TETRAHEDRA | HEXAHEDRA, .range = POSITIVE, .unit = "",
      .text = "A factor about the origin, applied first: 0.001 for a mesh in millimetres." },
    { "file", rsl_stringKey, AT(rslNetworkDef, file), .types = TETRAHEDRA | HEXAHEDRA,
      .text = "A .msh file of Gmsh (ASCII, 2.2 or 4.1) or a legacy .vtk file (ASCII) with the cells, its path relative to the "
              "scene file; or nodes and cells, listed here; or a body with a shape, and they are made to fill it." },
    { "mesher", rsl_enumKey, AT(rslNetworkDef, mesher), .types = TETRAHEDRA, .words = mesherWords,
      .text = "Who makes tetrahedra that fill a shape." },
    { "jitter", rsl_numberKey, AT(rslNetworkDef, jitter), .types = TETRAHEDRA, .range = BETWEEN(0, 0.45), .unit = "",
      .text = "With mesher delaunay: how far nodes are off their grid along each axis, at most, as a part of the "
              "spacing." },
    { "tetrahedra", rsl_integerRowsKey, LIST_AT(rslNetworkDef, tetrahedra, tetrahedronCount), .width = 4, .minCount = 1,
      .types = TETRAHEDRA | EXPLICIT, .range = NOT_NEGATIVE,
      .text = "Beside nodes: the tetrahedra, four node numbers each, counted from 0, in any order." },
    { "triangles", rsl_integerRowsKey, LIST_AT(rslNetworkDef, triangles, triangleCount), .width = 3, .minCount = 1,
      .types = EXPLICIT, .range = NOT_NEGATIVE,
      .text = "Beside nodes: triangles, three node numbers each, counted from 0; counter-clockwise in a scene with plane: xy. They "
              "are the surface of the body, and what repulsion acts in." },
    { "hexahedra", rsl_integerRowsKey, LIST_AT(rslNetworkDef, hexahedra, hexahedronCount), .width = 8, .minCount = 1,
      .types = HEXAHEDRA, .range = NOT_NEGATIVE,
      .text = "Beside nodes: the hexahedra, eight node numbers each, counted from 0: four counter-clockwise seen from above, then "
              "the four above them." },
    { "grid", rsl_integersKey, AT(rslNetworkDef, grid), .width = 3, .types = HEXAHEDRA, .range = BETWEEN(0, 1e4),
      .text = "Of a body whose shape is a box: hexahedra along its edges, [x, y, z], all of one size and of any proportions." },
    { "tetrahedron_rule", rsl_enumKey, AT(rslNetworkDef, tetrahedronRule), .types = TETRAHEDRA, .words = tetrahedronWords,
      .text = "What a tetrahedron of volume V brings to each of its edges, of length L." },
    { "law", rsl_enumKey, AT(rslNetworkDef, law), .words = lawWords,
      .text = "How the tension of a spring follows its elongation dL; the stiffness k at rest is the same for all laws, and "
              "so are the moduli for small strains." },
    { "calibrate", rsl_enumKey, AT(rslNetworkDef, calibrate), .types = RANDOM | TETRAHEDRA, .words = calibrationWords,
      .text = "Measure Young's modulus once, and scale all spring constants so that it is that of the material: of the body "
              "itself when it is a box, else of a bar of the same network; tetrahedra of a list or file that are not a box "
              "are strained by their surface. With dispersion Poisson's ratio is met as well. Takes a static solve at every start, or a few." },
    { "min_length", rsl_numberKey, AT(rslNetworkDef, minLength), .types = RANDOM, .needed = RANDOM, .range = POSITIVE,
      .unit = "m", .text = "No two nodes are closer than this." },
    { "max_length", rsl_numberKey, AT(rslNetworkDef, maxLength), .types = RANDOM, .needed = RANDOM, .range = POSITIVE,
      .unit = "m", .text = "Nodes that are not farther apart than this have a spring; 2 min_length gives 15 to 20 a node." },
    { "count", rsl_integerKey, AT(rslNetworkDef, count), .types = RANDOM, .range = BETWEEN(0, 1e9),
      .text = "How many nodes; 0: from filling." },
    { "filling", rsl_numberKey, AT(rslNetworkDef, filling), .types = RANDOM, .range = { 0.0, 0.38, true, false },
      .unit = "", .hint = "beyond 0.38 there is no room for more nodes, however often one tries",
      .text = "How densely nodes are packed: the part of the volume that balls of diameter min_length about them take." },
    { "stiffness_rule", rsl_enumKey, AT(rslNetworkDef, stiffnessRule), .types = RANDOM, .words = stiffnessWords,
      .text = "How the stiffness that the material needs is shared among the springs." },
    { "nodes", rsl_numberRowsKey, LIST_AT(rslNetworkDef, nodes, nodeCount), .width = 3, .minCount = 1,
      .types = EXPLICIT | TETRAHEDRA | HEXAHEDRA, .needed = EXPLICIT, .unit = "m",
      .text = "The nodes at the start, [x, y, z] each." },
    { "masses", rsl_numberListKey, LIST_AT(rslNetworkDef, masses, massCount), .minCount = 1, .types = EXPLICIT,
      .needed = EXPLICIT, .range = POSITIVE, .unit = "kg", .text = "The mass of each node, or one for all." },
    { "springs_from", rsl_enumKey, AT(rslNetworkDef, springsFrom), .types = EXPLICIT, .words = sourceWords,
      .text = "Where the springs come from. Of elements, stiffness and damping are one for all, or with elements one for each of them." },
    { "springs", rsl_integerRowsKey, LIST_AT(rslNetworkDef, springs, springCount), .width = 2, .types = EXPLICIT,
      .range = NOT_NEGATIVE, .text = "The springs, [i, j] each: two nodes, counted from 0." },
    { "stiffness", rsl_numberListKey, LIST_AT(rslNetworkDef, stiffness, stiffnessCount), .minCount = 1,
      .types = EXPLICIT, .range = NOT_NEGATIVE, .unit = "N/m",
      .text = "The stiffness of each spring, or one for all; needed when there are springs." },
    { "damping", rsl_numberListKey, LIST_AT(rslNetworkDef, damping, dampingCount), .minCount = 1, .types = EXPLICIT,
      .range = NOT_NEGATIVE, .unit = "N s/m",
      .text = "The damper beside each spring, or one for all; absent: none." },
    { "rest_lengths", rsl_numberListKey, LIST_AT(rslNetworkDef, restLengths, restLengthCount), .minCount = 1,
      .types = EXPLICIT, .range = POSITIVE, .unit = "m",
      .text = "The rest length of each spring, or one for all; absent: the distance of its nodes." },
};

static void NetworkDefaults(void* out)
{
    *(rslNetworkDef*)out = rslDefaultNetworkDef();
}

const rslStruct rslNetworkStruct = {
    .name = "network", .title = "a network", .size = sizeof(rslNetworkDef), .placed = true, .keys = networkKeys,
    .keyCount = COUNT_OF(networkKeys), .lead = 0, .tagged = true, .brief = -1, .defaults = NetworkDefaults,
    .text = "How a body becomes nodes and springs.",
};
