// SPDX-License-Identifier: MIT
//
// scene_schema.c: the tables of the scene language. To add a key: a field in scene.h, its default in scene.c, a row here.

#include "scene_schema.h"

#include <math.h>

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define BIT(type) ((uint32_t)1 << (type))
#define AT(Type, field) .offset = offsetof(Type, field)
#define LIST_AT(Type, field, count) .offset = offsetof(Type, field), .countOffset = offsetof(Type, count)
#define ALWAYS RSL_ALL_TYPES

// ranges
#define POSITIVE                                                                                                       \
    {                                                                                                                  \
        0.0, INFINITY, true, true                                                                                      \
    }
#define NOT_NEGATIVE                                                                                                   \
    {                                                                                                                  \
        0.0, INFINITY, false, true                                                                                     \
    }
#define BETWEEN(a, b)                                                                                                  \
    {                                                                                                                  \
        a, b, false, false                                                                                             \
    }

static const rslStruct shapeStruct, rotationStruct, orthotropicStruct, materialStruct, regionStruct, networkStruct,
    modelStruct;
static const rslStruct surfaceStruct, bodyStruct;
static const rslStruct nodesStruct, courseStruct, loadStruct, constraintStruct, linkStruct, driveStruct;
static const rslStruct groundStruct, timeStruct, probeStruct, outputStruct, sceneStruct;

// one key is one sentence, not one line per field
// clang-format off

// ---- rotation ---------------------------------------------------------------------------------------------------

static const rslKey rotationKeys[] = {
    { "axis", rsl_vectorKey, AT(rslRotationDef, axis), .nonzero = true,
      .text = "The axis through the origin, of any length but zero." },
    { "angle", rsl_numberKey, AT(rslRotationDef, angle), .unit = "deg",
      .text = "The angle, counter-clockwise when the axis points at the viewer." },
};

static void RotationDefaults(void* out)
{
    *(rslRotationDef*)out = (rslRotationDef){ .axis = { 0.0, 0.0, 1.0 } };
}

static const rslStruct rotationStruct = {
    .name = "rotation", .title = "a rotation", .size = sizeof(rslRotationDef), .keys = rotationKeys,
    .keyCount = COUNT_OF(rotationKeys), .lead = -1, .brief = 1, .defaults = RotationDefaults,
    .text = "A turn by an angle about an axis through the origin. A bare number is an angle about z.",
};

// ---- shape ------------------------------------------------------------------------------------------------------

static const rslWord shapeTypes[] = {
    { "box", rsl_boxShape, "a box of the given size, centred at the origin" },
    { "sphere", rsl_sphereShape, "a ball, centred at the origin" },
    { "ellipsoid", rsl_ellipsoidShape, "an ellipsoid with three radii, centred at the origin" },
    { "cylinder", rsl_cylinderShape, "a cylinder along z, centred at the origin" },
    { "capsule", rsl_capsuleShape, "a cylinder along z with round ends, centred at the origin" },
    { "torus", rsl_torusShape, "a ring about z, centred at the origin" },
    { "rabbit", rsl_rabbitShape, "a sitting rabbit, standing on z = 0 and looking along +x" },
    { "mesh", rsl_meshShape, "a closed triangle mesh from a file, or listed here" },
    { "union", rsl_unionShape, "all parts together" },
    { "difference", rsl_differenceShape, "the first part without the others" },
    { "intersection", rsl_intersectionShape, "what all parts have in common" },
    { NULL, 0, NULL },
};

static const rslWord repairWords[] = {
    { "refuse", rsl_refuse, "a mesh with any defect is an error" },
    { "repair", rsl_repair,
      "weld vertices, drop degenerate and double triangles, orient, fill holes; what remains is an error" },
    { NULL, 0, NULL },
};

#define ROUND (BIT(rsl_sphereShape) | BIT(rsl_cylinderShape) | BIT(rsl_capsuleShape) | BIT(rsl_torusShape))
#define TALL (BIT(rsl_cylinderShape) | BIT(rsl_capsuleShape) | BIT(rsl_rabbitShape))
#define COMBINED (BIT(rsl_unionShape) | BIT(rsl_differenceShape) | BIT(rsl_intersectionShape))

static const rslKey shapeKeys[] = {
    { "type", rsl_enumKey, AT(rslShapeDef, type), .needed = ALWAYS, .words = shapeTypes, .text = "The kind of shape." },
    { "size", rsl_vectorKey, AT(rslShapeDef, size), .types = BIT(rsl_boxShape), .needed = BIT(rsl_boxShape),
      .range = POSITIVE, .unit = "m", .text = "The three edges of the box." },
    { "radius", rsl_numberKey, AT(rslShapeDef, radius), .types = ROUND, .needed = ROUND, .range = POSITIVE,
      .unit = "m", .text = "The radius; of a torus, that of the ring's middle line." },
    { "tube_radius", rsl_numberKey, AT(rslShapeDef, tubeRadius), .types = BIT(rsl_torusShape),
      .needed = BIT(rsl_torusShape), .range = POSITIVE, .unit = "m",
      .text = "The radius of the tube, below the radius of the ring." },
    { "radii", rsl_vectorKey, AT(rslShapeDef, radii), .types = BIT(rsl_ellipsoidShape),
      .needed = BIT(rsl_ellipsoidShape), .range = POSITIVE, .unit = "m", .text = "The radii along x, y and z." },
    { "height", rsl_numberKey, AT(rslShapeDef, height), .types = TALL, .needed = TALL, .range = POSITIVE, .unit = "m",
      .text = "The height along z; of a capsule, that of its straight part." },
    { "file", rsl_stringKey, AT(rslShapeDef, file), .types = BIT(rsl_meshShape),
      .text = "An OBJ, STL, PLY or glTF file, its path relative to the scene file." },
    { "repair", rsl_enumKey, AT(rslShapeDef, repair), .types = BIT(rsl_meshShape), .words = repairWords,
      .text = "What to do with a mesh that has defects." },
    { "vertices", rsl_numberRowsKey, LIST_AT(rslShapeDef, vertices, vertexCount), .width = 3, .minCount = 4,
      .types = BIT(rsl_meshShape), .unit = "m", .text = "Instead of a file: the vertices, [x, y, z] each." },
    { "triangles", rsl_integerRowsKey, LIST_AT(rslShapeDef, triangles, triangleCount), .width = 3, .minCount = 1,
      .types = BIT(rsl_meshShape), .range = NOT_NEGATIVE,
      .text = "Beside vertices: three vertex numbers each, counted from 0, counter-clockwise seen from outside." },
    { "parts", rsl_structListKey, LIST_AT(rslShapeDef, parts, partCount), .minCount = 1, .types = COMBINED,
      .needed = COMBINED, .of = &shapeStruct, .text = "The shapes that are combined." },
    { "scale", rsl_numberKey, AT(rslShapeDef, scale), .range = POSITIVE, .unit = "",
      .text = "A factor about the origin, applied first." },
    { "rotate", rsl_structKey, AT(rslShapeDef, rotate), .of = &rotationStruct, .text = "A turn, applied second." },
    { "translate", rsl_vectorKey, AT(rslShapeDef, translate), .unit = "m", .text = "A shift, applied last." },
};

static void ShapeDefaults(void* out)
{
    *(rslShapeDef*)out = rslDefaultShapeDef();
}

static const rslStruct shapeStruct = {
    .name = "shape", .title = "a shape", .size = sizeof(rslShapeDef), .placed = true, .keys = shapeKeys,
    .keyCount = COUNT_OF(shapeKeys), .lead = 0, .tagged = true, .brief = -1, .defaults = ShapeDefaults,
    .text = "A solid, then scaled, rotated and translated, in this order.",
};

// ---- material ---------------------------------------------------------------------------------------------------

static const rslKey orthotropicKeys[] = {
    { "young", rsl_vectorKey, AT(rslOrthotropicDef, young), .needed = ALWAYS, .range = POSITIVE, .unit = "Pa",
      .text = "Young's moduli along the axes of the lattice: E_x, E_y, E_z." },
    { "shear", rsl_vectorKey, AT(rslOrthotropicDef, shear), .needed = ALWAYS, .range = POSITIVE, .unit = "Pa",
      .text = "The shear moduli G_yz, G_zx, G_xy." },
};

static void OrthotropicDefaults(void* out)
{
    *(rslOrthotropicDef*)out = (rslOrthotropicDef){ .young = { 0.0, 0.0, 0.0 } };
}

static const rslStruct orthotropicStruct = {
    .name = "orthotropic", .title = "an orthotropic material", .size = sizeof(rslOrthotropicDef), .placed = true,
    .keys = orthotropicKeys, .keyCount = COUNT_OF(orthotropicKeys), .lead = -1, .brief = -1,
    .defaults = OrthotropicDefaults,
    .text = "Moduli that differ along the axes of a lattice, met exactly by the corner construction. Poisson's ratios follow: "
            "the stiffness has C_ij = G_ij off its diagonal and S is its inverse, E_i = 1 / S_ii and nu_ij = -S_ij / S_ii; "
            "`resilin check` prints them. A Young's modulus too small beside the shear moduli is refused.",
};

static const rslKey materialKeys[] = {
    { "name", rsl_stringKey, AT(rslMaterialDef, name),
      .text = "A material of the table (`resilin materials`); numbers given beside it win." },
    { "young", rsl_numberKey, .optional = true, AT(rslMaterialDef, young), .range = POSITIVE, .unit = "Pa",
      .text = "Young's modulus; needed without a name or orthotropic." },
    { "poisson", rsl_numberKey, .optional = true, AT(rslMaterialDef, poisson), .range = { -1.0, 0.5, true, true }, .unit = "",
      .hint = "0.5 has no compressibility at all; take 0.45 to 0.49",
      .text = "Poisson's ratio; needed without a name or orthotropic." },
    { "density", rsl_numberKey, .optional = true, AT(rslMaterialDef, density), .range = POSITIVE, .unit = "kg/m3",
      .text = "Mass per volume; needed without a name." },
    { "mass_damping", rsl_numberKey, AT(rslMaterialDef, massDamping), .range = NOT_NEGATIVE, .unit = "1/s",
      .text = "alpha0: a force -alpha0 m v on every node, which also slows free flight." },
    { "stiffness_damping", rsl_numberKey, .optional = true, AT(rslMaterialDef, stiffnessDamping), .range = NOT_NEGATIVE,
      .unit = "s", .text = "alpha1: a damper alpha1 k beside every spring of stiffness k; 0 without a name." },
    { "orthotropic", rsl_structPointerKey, AT(rslMaterialDef, orthotropic), .of = &orthotropicStruct,
      .text = "Moduli along the axes of a lattice (shells AB), instead of young and poisson." },
};

static void MaterialDefaults(void* out)
{
    *(rslMaterialDef*)out = rslDefaultMaterialDef();
}

static void MaterialRefine(void* out, rslSpace plane)
{
    (void)plane;
    rslMaterialDef* material = out;
    *material = rslMaterial_Resolve(material);
}

static const rslStruct materialStruct = {
    .name = "material", .title = "a material", .size = sizeof(rslMaterialDef), .placed = true, .keys = materialKeys,
    .keyCount = COUNT_OF(materialKeys), .lead = 0, .brief = 0, .defaults = MaterialDefaults, .refine = MaterialRefine,
    .text = "A linear elastic material, by name or by numbers. A bare word is a name.",
};

// ---- network ----------------------------------------------------------------------------------------------------

static const rslWord networkTypes[] = {
    { "lattice", rsl_latticeNetwork, "a cubic lattice that fills the shape" },
    { "sheet", rsl_sheetNetwork, "a surface: a grid in the xy plane, or the triangles of a mesh shape" },
    { "explicit", rsl_explicitNetwork, "nodes and springs as listed" },
    { "random", rsl_randomNetwork, "nodes at random in the shape, springs between all that are near each other" },
    { "tetrahedra", rsl_tetrahedraNetwork, "springs on the edges of tetrahedra" },
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

#define LATTICE BIT(rsl_latticeNetwork)
#define SHEET BIT(rsl_sheetNetwork)
#define EXPLICIT BIT(rsl_explicitNetwork)
#define RANDOM BIT(rsl_randomNetwork)
#define TETRAHEDRA BIT(rsl_tetrahedraNetwork)

static const rslKey networkKeys[] = {
    { "type", rsl_enumKey, AT(rslNetworkDef, type), .words = networkTypes, .text = "The kind of network." },
    { "construction", rsl_enumKey, AT(rslNetworkDef, construction), .types = LATTICE, .words = constructionWords,
      .text = "Where the nodes of a cell are." },
    { "identify", rsl_enumKey, AT(rslNetworkDef, identify), .types = LATTICE, .words = identifyWords,
      .text = "What the constants of a centred lattice are taken from. Its surface lacks springs: a beam of 2 cells across "
              "bends 2.6 times too far with inside, and right within 8 % with whole if its length is that between the "
              "nodes. On a corner lattice the two agree." },
    { "shells", rsl_enumKey, AT(rslNetworkDef, shells), .types = LATTICE, .words = shellWords,
      .text = "Which neighbours of a node have springs to it; the moduli are the same." },
    { "spacing", rsl_numberKey, AT(rslNetworkDef, spacing), .types = LATTICE | SHEET | TETRAHEDRA,
      .needed = LATTICE, .range = POSITIVE, .unit = "m",
      .text = "The edge of a cell; of a sheet, the edge to aim at when cells is absent; of tetrahedra that fill a shape, the "
              "distance of nodes." },
    { "orientation", rsl_structKey, AT(rslNetworkDef, orientation), .types = LATTICE, .of = &rotationStruct,
      .text = "A turn of the lattice axes." },
    { "antialias", rsl_boolKey, AT(rslNetworkDef, antialias), .types = LATTICE,
      .text = "Cells at the surface count as much as the shape fills them, in mass and stiffness. The mass is then that of "
              "the shape, and the stiffness hardly depends on how the lattice lies in it: over random turns of the lattice "
              "in a cube of 5 cells, Young's modulus scatters by 1.7 % with it and 6.4 % without (corner; centred 3.4 % and "
              "8.6 %). false: a cell is full when its centre is inside, else empty." },
    { "threshold", rsl_numberKey, AT(rslNetworkDef, threshold), .types = LATTICE,
      .range = { 0.0, 1.0, false, true },
      .text = "With antialias: cells filled less are dropped, and their nearest kept neighbours take over their mass and "
              "stiffness." },
    { "size", rsl_numbersKey, AT(rslNetworkDef, size), .width = 2, .types = SHEET, .range = NOT_NEGATIVE, .unit = "m",
      .text = "The edges of the grid along x and y; needed unless the body has a mesh shape." },
    { "cells", rsl_integersKey, AT(rslNetworkDef, cells), .width = 2, .types = SHEET, .range = BETWEEN(0, 1e6),
      .text = "Cells of the grid along x and y; 0: from spacing." },
    { "thickness", rsl_numberKey, AT(rslNetworkDef, thickness), .types = SHEET, .needed = SHEET, .range = POSITIVE,
      .unit = "m", .text = "The thickness of the sheet." },
    { "pattern", rsl_enumKey, AT(rslNetworkDef, pattern), .types = SHEET, .words = patternWords,
      .text = "The grid of a sheet without a mesh shape." },
    { "rotate", rsl_structKey, AT(rslNetworkDef, rotate), .types = SHEET | TETRAHEDRA, .of = &rotationStruct,
      .text = "A turn of the grid or the tetrahedra, applied before translate." },
    { "translate", rsl_vectorKey, AT(rslNetworkDef, translate), .types = SHEET | TETRAHEDRA, .unit = "m",
      .text = "A shift of the grid or the tetrahedra." },
    { "scale", rsl_numberKey, AT(rslNetworkDef, scale), .types = TETRAHEDRA, .range = POSITIVE, .unit = "",
      .text = "A factor about the origin, applied first: 0.001 for a mesh in millimetres." },
    { "file", rsl_stringKey, AT(rslNetworkDef, file), .types = TETRAHEDRA,
      .text = "A .msh file of Gmsh (ASCII, 2.2 or 4.1) or a legacy .vtk file (ASCII) with tetrahedra, its path relative to the "
              "scene file; or nodes and tetrahedra, listed here; or a body with a shape, and they are made to fill it." },
    { "mesher", rsl_enumKey, AT(rslNetworkDef, mesher), .types = TETRAHEDRA, .words = mesherWords,
      .text = "Who makes tetrahedra that fill a shape." },
    { "jitter", rsl_numberKey, AT(rslNetworkDef, jitter), .types = TETRAHEDRA, .range = BETWEEN(0, 0.45), .unit = "",
      .text = "With mesher delaunay: how far nodes are off their grid along each axis, at most, as a part of the "
              "spacing." },
    { "tetrahedra", rsl_integerRowsKey, LIST_AT(rslNetworkDef, tetrahedra, tetrahedronCount), .width = 4, .minCount = 1,
      .types = TETRAHEDRA, .range = NOT_NEGATIVE,
      .text = "Beside nodes: the tetrahedra, four node numbers each, counted from 0, in any order." },
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
      .types = EXPLICIT | TETRAHEDRA, .needed = EXPLICIT, .unit = "m",
      .text = "The nodes at the start, [x, y, z] each." },
    { "masses", rsl_numberListKey, LIST_AT(rslNetworkDef, masses, massCount), .minCount = 1, .types = EXPLICIT,
      .needed = EXPLICIT, .range = POSITIVE, .unit = "kg", .text = "The mass of each node, or one for all." },
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

static const rslStruct networkStruct = {
    .name = "network", .title = "a network", .size = sizeof(rslNetworkDef), .placed = true, .keys = networkKeys,
    .keyCount = COUNT_OF(networkKeys), .lead = 0, .tagged = true, .brief = -1, .defaults = NetworkDefaults,
    .text = "How a body becomes nodes and springs.",
};

// ---- body -------------------------------------------------------------------------------------------------------

static const rslKey surfaceKeys[] = {
    { "enabled", rsl_boolKey, AT(rslSurfaceDef, enabled), .text = "Whether the body has a surface." },
    { "resolution", rsl_numberOrAutoKey, AT(rslSurfaceDef, resolution), .range = POSITIVE, .unit = "m",
      .text = "The edge of its triangles; auto: from the spacing." },
};

static void SurfaceDefaults(void* out)
{
    *(rslSurfaceDef*)out = rslDefaultBodyDef().surface;
}

static const rslStruct surfaceStruct = {
    .name = "surface", .title = "a surface", .size = sizeof(rslSurfaceDef), .keys = surfaceKeys,
    .keyCount = COUNT_OF(surfaceKeys), .lead = -1, .brief = 0, .defaults = SurfaceDefaults,
    .text = "The surface that is drawn and that pressure acts on. A bare true or false switches it.",
};

static const rslKey regionKeys[] = {
    { "shape", rsl_structPointerKey, AT(rslRegionDef, shape), .needed = ALWAYS, .of = &shapeStruct,
      .text = "Where the material is; what lies outside of the body does not count." },
    { "material", rsl_structKey, AT(rslRegionDef, material), .needed = ALWAYS, .of = &materialStruct,
      .text = "What that part of the body is made of." },
};

static void RegionDefaults(void* out)
{
    *(rslRegionDef*)out = (rslRegionDef){ .material = rslDefaultMaterialDef() };
}

static const rslStruct regionStruct = {
    .name = "region", .title = "a region", .size = sizeof(rslRegionDef), .placed = true, .keys = regionKeys,
    .keyCount = COUNT_OF(regionKeys), .lead = -1, .brief = -1, .defaults = RegionDefaults,
    .text = "A part of a body that is made of another material. Cells of a lattice that a region cuts have the mean of the "
            "materials by volume, exact as the volumes of cells are (without antialias: the material at their centre); what a "
            "cell below the threshold hands over takes the material of the cell that takes it. In other networks, and between "
            "the cells of a centred lattice, a node is of the material where it lies, and a spring is two halves in series, "
            "each of the material of its end.",
};

static const rslWord modelTypes[] = {
    { "springs", rsl_springModel, "the springs of the network" },
    { "fem", rsl_finiteModel, "finite elements between the nodes instead of springs" },
    { "dispersion", rsl_dispersionModel,
      "springs that share what they feel with the others at their ends: meets any Poisson's ratio" },
    { NULL, 0, NULL },
};

static const rslWord elementLaws[] = {
    { "corotational", rsl_corotationalElement, "linear in the stretch, whatever the rotation" },
    { "linear", rsl_linearElement, "linear in the displacement: for small displacements without rotation" },
    { "neo_hookean", rsl_neoHookeanElement, "stable neo-Hookean, for large strain; elements recover from being turned inside out" },
    { NULL, 0, NULL },
};

static const rslWord hexahedra[] = {
    { "auto", rsl_autoHexahedron, "incompatible" },
    { "trilinear", rsl_trilinearHexahedron, "eight nodes, fully integrated; too stiff in bending" },
    { "incompatible", rsl_incompatibleHexahedron, "with Wilson's incompatible modes; exact in bending" },
    { NULL, 0, NULL },
};

static const rslWord dispersionVariants[] = {
    { "energy", rsl_energyDispersion, "from an energy; stable for every Poisson's ratio" },
    { "cheap", rsl_cheapDispersion, "from an energy, with all springs of a node alike" },
    { "published", rsl_publishedDispersion, "Kot eq. 4.18; no energy, may flutter" },
    { "transposed", rsl_transposedDispersion, "Kot eq. 4.21; no energy, may flutter" },
    { NULL, 0, NULL },
};

static const rslKey modelKeys[] = {
    { "type", rsl_enumKey, AT(rslModelDef, type), .words = modelTypes, .text = "Springs, finite elements, or springs with dispersion." },
    { "law", rsl_enumKey, AT(rslModelDef, law), .types = BIT(rsl_finiteModel), .words = elementLaws,
      .text = "The law of the elements; for small strain all are the same." },
    { "element", rsl_enumKey, AT(rslModelDef, element), .types = BIT(rsl_finiteModel), .words = hexahedra,
      .text = "Which hexahedra a lattice has; other networks have but one kind." },
    { "variant", rsl_enumKey, AT(rslModelDef, variant), .types = BIT(rsl_dispersionModel), .words = dispersionVariants,
      .text = "How springs share what they feel. Those without an energy are for comparison: no rest, no modes." },
};

static void ModelDefaults(void* out)
{
    *(rslModelDef*)out = rslDefaultModelDef();
}

static const rslStruct modelStruct = {
    .name = "model", .title = "a model", .size = sizeof(rslModelDef), .placed = true, .keys = modelKeys,
    .keyCount = COUNT_OF(modelKeys), .lead = 0, .tagged = true, .brief = 0, .defaults = ModelDefaults,
    .text = "What gives a body its stiffness. A bare word is a type.",
};

static const rslKey bodyKeys[] = {
    { "name", rsl_nameKey, AT(rslBodyDef, name), .needed = ALWAYS,
      .text = "A name of its own: a letter, then letters, digits, - and _." },
    { "shape", rsl_structPointerKey, AT(rslBodyDef, shape), .of = &shapeStruct,
      .text = "The solid that a lattice or a random network fills; a sheet may have a mesh shape." },
    { "network", rsl_structKey, AT(rslBodyDef, network), .needed = ALWAYS, .of = &networkStruct,
      .text = "How the body becomes nodes and springs." },
    { "model", rsl_structKey, AT(rslBodyDef, model), .of = &modelStruct,
      .text = "What gives the body its stiffness: springs, unless said otherwise." },
    { "material", rsl_structKey, AT(rslBodyDef, material), .of = &materialStruct,
      .text = "What the body is made of; not used by explicit networks." },
    { "regions", rsl_structListKey, LIST_AT(rslBodyDef, regions, regionCount), .of = &regionStruct,
      .text = "Parts of the body that are made of other materials; where they overlap, the later one counts. Not of explicit "
              "networks." },
    { "surface", rsl_structKey, AT(rslBodyDef, surface), .of = &surfaceStruct,
      .text = "The surface that is drawn and that pressure acts on." },
    { "velocity", rsl_vectorKey, AT(rslBodyDef, velocity), .unit = "m/s",
      .text = "The velocity of the centre of mass at the start." },
    { "spin", rsl_vectorKey, AT(rslBodyDef, spin), .unit = "deg/s",
      .text = "The angular velocity about the centre of mass at the start." },
};

static void BodyDefaults(void* out)
{
    *(rslBodyDef*)out = rslDefaultBodyDef();
}

static const rslStruct bodyStruct = {
    .name = "body", .title = "a body", .size = sizeof(rslBodyDef), .placed = true, .keys = bodyKeys,
    .keyCount = COUNT_OF(bodyKeys), .lead = -1, .brief = -1, .defaults = BodyDefaults,
    .text = "A soft body: a shape, a network and a material.",
};

// ---- chosen nodes -----------------------------------------------------------------------------------------------

static const rslWord nodesTypes[] = {
    { "all", rsl_allNodes, "every node" },
    { "box", rsl_boxNodes, "nodes between min and max" },
    { "sphere", rsl_sphereNodes, "nodes within radius of point" },
    { "plane", rsl_planeNodes, "nodes on the side of the plane through point that normal points to" },
    { "nearest", rsl_nearestNodes, "the count nodes nearest to point" },
    { "list", rsl_listNodes, "nodes by their numbers within the body, as in nodes_N.vtu; a mesh file need not keep its order" },
    { NULL, 0, NULL },
};

#define POINTED (BIT(rsl_sphereNodes) | BIT(rsl_planeNodes) | BIT(rsl_nearestNodes))

static const rslKey nodesKeys[] = {
    { "body", rsl_stringKey, AT(rslNodeSetDef, body), .text = "The name of a body; absent: every body." },
    { "type", rsl_enumKey, AT(rslNodeSetDef, type), .words = nodesTypes, .text = "How the nodes are chosen." },
    { "min", rsl_vectorKey, AT(rslNodeSetDef, min), .types = BIT(rsl_boxNodes), .needed = BIT(rsl_boxNodes),
      .unit = "m", .text = "The lower corner." },
    { "max", rsl_vectorKey, AT(rslNodeSetDef, max), .types = BIT(rsl_boxNodes), .needed = BIT(rsl_boxNodes),
      .unit = "m", .text = "The upper corner." },
    { "point", rsl_vectorKey, AT(rslNodeSetDef, point), .types = POINTED, .needed = POINTED, .unit = "m",
      .text = "The centre, a point of the plane, or where to look for the nearest." },
    { "radius", rsl_numberKey, AT(rslNodeSetDef, radius), .types = BIT(rsl_sphereNodes),
      .needed = BIT(rsl_sphereNodes), .range = POSITIVE, .unit = "m", .text = "The radius of the sphere." },
    { "normal", rsl_vectorKey, AT(rslNodeSetDef, normal), .types = BIT(rsl_planeNodes),
      .needed = BIT(rsl_planeNodes), .nonzero = true, .text = "The direction towards the chosen side." },
    { "count", rsl_integerKey, AT(rslNodeSetDef, count), .types = BIT(rsl_nearestNodes), .range = BETWEEN(1, 1e9),
      .text = "How many nodes." },
    { "indices", rsl_integerListKey, LIST_AT(rslNodeSetDef, indices, indexCount), .minCount = 1,
      .types = BIT(rsl_listNodes), .needed = BIT(rsl_listNodes), .range = NOT_NEGATIVE,
      .text = "Node numbers, counted from 0." },
};

static void NodesDefaults(void* out)
{
    *(rslNodeSetDef*)out = rslDefaultNodeSetDef();
}

static const rslStruct nodesStruct = {
    .name = "nodes", .title = "a set of nodes", .size = sizeof(rslNodeSetDef), .placed = true, .keys = nodesKeys,
    .keyCount = COUNT_OF(nodesKeys), .lead = 1, .tagged = true, .brief = 1, .defaults = NodesDefaults,
    .text = "Nodes chosen by where they are at rest. An empty set is an error. The bare word all is every node.",
};

// ---- course -----------------------------------------------------------------------------------------------------

static const rslWord courseTypes[] = {
    { "constant", rsl_constantCourse, "1 from start on" },
    { "ramp", rsl_rampCourse, "0 until start, then linearly to 1 at start + duration, then 1" },
    { "pulse", rsl_pulseCourse, "1 from start for duration, else 0" },
    { "table", rsl_tableCourse, "linear between points, constant outside" },
    { "sine", rsl_sineCourse, "sin(2 pi frequency (t - start) + phase) from start on" },
    { NULL, 0, NULL },
};

#define TIMED (BIT(rsl_rampCourse) | BIT(rsl_pulseCourse))

static const rslKey courseKeys[] = {
    { "type", rsl_enumKey, AT(rslCourseDef, type), .words = courseTypes, .text = "The kind of course." },
    { "start", rsl_numberKey, AT(rslCourseDef, start), .types = ~BIT(rsl_tableCourse), .unit = "s",
      .text = "When it starts; before that the factor is 0." },
    { "duration", rsl_numberKey, AT(rslCourseDef, duration), .types = TIMED, .needed = TIMED, .range = POSITIVE,
      .unit = "s", .text = "How long it takes." },
    { "smooth", rsl_boolKey, AT(rslCourseDef, smooth), .types = TIMED,
      .text = "Without corners: a ramp 3s^2 - 2s^3, a pulse (4s(1-s))^2." },
    { "frequency", rsl_numberKey, AT(rslCourseDef, frequency), .types = BIT(rsl_sineCourse),
      .needed = BIT(rsl_sineCourse), .range = POSITIVE, .unit = "Hz", .text = "Oscillations per second." },
    { "phase", rsl_numberKey, AT(rslCourseDef, phase), .types = BIT(rsl_sineCourse), .unit = "deg",
      .text = "The phase at start." },
    { "points", rsl_numberRowsKey, LIST_AT(rslCourseDef, points, pointCount), .width = 2, .minCount = 1,
      .types = BIT(rsl_tableCourse), .needed = BIT(rsl_tableCourse),
      .text = "Pairs [time, factor], times increasing [s]." },
};

static void CourseDefaults(void* out)
{
    *(rslCourseDef*)out = rslDefaultCourseDef();
}

static const rslStruct courseStruct = {
    .name = "course", .title = "a course", .size = sizeof(rslCourseDef), .placed = true, .keys = courseKeys,
    .keyCount = COUNT_OF(courseKeys), .lead = 0, .tagged = true, .brief = 0, .defaults = CourseDefaults,
    .text = "A factor in time.",
};

// ---- loads, constraints, links, drives --------------------------------------------------------------------------

static const rslWord loadTypes[] = {
    { "force", rsl_forceLoad, "a force on the nodes" },
    { "pressure", rsl_pressureLoad, "a pressure on the surface of a body" },
    { "acceleration", rsl_accelerationLoad, "a body force: every chosen node's mass times an acceleration" },
    { NULL, 0, NULL },
};

#define ON_NODES (BIT(rsl_forceLoad) | BIT(rsl_accelerationLoad))

static const rslKey loadKeys[] = {
    { "type", rsl_enumKey, AT(rslLoadDef, type), .needed = ALWAYS, .words = loadTypes, .text = "The kind of load." },
    { "nodes", rsl_structKey, AT(rslLoadDef, nodes), .types = ON_NODES, .needed = ON_NODES, .of = &nodesStruct,
      .text = "The nodes it acts on." },
    { "body", rsl_stringKey, AT(rslLoadDef, body), .types = BIT(rsl_pressureLoad), .needed = BIT(rsl_pressureLoad),
      .text = "The name of the body whose surface it acts on." },
    { "force", rsl_vectorKey, AT(rslLoadDef, force), .types = BIT(rsl_forceLoad), .needed = BIT(rsl_forceLoad),
      .unit = "N", .text = "The force, shared equally among the nodes." },
    { "each", rsl_boolKey, AT(rslLoadDef, each), .types = BIT(rsl_forceLoad),
      .text = "The whole force on each node instead of a share." },
    { "pressure", rsl_numberKey, AT(rslLoadDef, pressure), .types = BIT(rsl_pressureLoad),
      .needed = BIT(rsl_pressureLoad), .unit = "Pa", .text = "The pressure; positive pushes inwards." },
    { "acceleration", rsl_vectorKey, AT(rslLoadDef, acceleration), .types = BIT(rsl_accelerationLoad),
      .needed = BIT(rsl_accelerationLoad), .unit = "m/s2", .text = "The acceleration." },
    { "course", rsl_structKey, AT(rslLoadDef, course), .of = &courseStruct, .text = "A factor in time." },
};

static void LoadDefaults(void* out)
{
    *(rslLoadDef*)out = rslDefaultLoadDef();
}

static const rslStruct loadStruct = {
    .name = "load", .title = "a load", .size = sizeof(rslLoadDef), .placed = true, .keys = loadKeys,
    .keyCount = COUNT_OF(loadKeys), .lead = 0, .tagged = true, .brief = -1, .defaults = LoadDefaults,
    .text = "What pushes or pulls.",
};

static const rslWord constraintTypes[] = {
    { "pin", rsl_pinConstraint, "nodes stay where they were" },
    { "motion", rsl_motionConstraint, "nodes follow a prescribed motion" },
    { NULL, 0, NULL },
};

static const rslWord axisWords[] = {
    { "x", offsetof(rslConstraintDef, axes), NULL },
    { "y", offsetof(rslConstraintDef, axes) + sizeof(bool), NULL },
    { "z", offsetof(rslConstraintDef, axes) + 2 * sizeof(bool), NULL },
    { NULL, 0, NULL },
};

#define MOTION BIT(rsl_motionConstraint)

static const rslKey constraintKeys[] = {
    { "type", rsl_enumKey, AT(rslConstraintDef, type), .needed = ALWAYS, .words = constraintTypes,
      .text = "The kind of constraint." },
    { "nodes", rsl_structKey, AT(rslConstraintDef, nodes), .needed = ALWAYS, .of = &nodesStruct,
      .text = "The nodes that are held." },
    { "axes", rsl_flagsKey, AT(rslConstraintDef, axes), .minCount = 1, .words = axisWords,
      .text = "The world axes that are held; along the others the nodes are free." },
    { "translate", rsl_vectorKey, AT(rslConstraintDef, translate), .types = MOTION, .unit = "m",
      .text = "The shift when the course is 1." },
    { "rotate", rsl_structKey, AT(rslConstraintDef, rotate), .types = MOTION, .of = &rotationStruct,
      .text = "The turn when the course is 1, made before the shift." },
    { "centre", rsl_vectorKey, AT(rslConstraintDef, centre), .types = MOTION, .unit = "m",
      .text = "A point on the axis of the turn." },
    { "path", rsl_numberRowsKey, LIST_AT(rslConstraintDef, path, pathCount), .width = 4, .minCount = 1,
      .types = MOTION, .text = "Instead of translate: offsets [time, x, y, z], linear between, times increasing [s, m]." },
    { "offsets", rsl_numberRowsKey, LIST_AT(rslConstraintDef, offsets, offsetCount), .width = 3, .minCount = 1,
      .types = MOTION, .unit = "m",
      .text = "For nodes of type list: [x, y, z] for each of its indices, by which that node is shifted besides." },
    { "course", rsl_structKey, AT(rslConstraintDef, course), .types = MOTION, .of = &courseStruct,
      .text = "A factor in time on the shift, the turn and the offsets." },
};

static void ConstraintDefaults(void* out)
{
    *(rslConstraintDef*)out = rslDefaultConstraintDef();
}

static const rslStruct constraintStruct = {
    .name = "constraint", .title = "a constraint", .size = sizeof(rslConstraintDef), .placed = true,
    .keys = constraintKeys, .keyCount = COUNT_OF(constraintKeys), .lead = 0, .tagged = true, .brief = -1,
    .defaults = ConstraintDefaults, .text = "Nodes that do not move freely.",
};

static const rslWord linkTypes[] = {
    { "spring", rsl_springLink, "a spring from each node of one set to the nearest node of the other" },
    { "tie", rsl_tieLink, "each node of one set is bound to the point of the other body where it lies" },
    { NULL, 0, NULL },
};

static const rslKey linkKeys[] = {
    { "type", rsl_enumKey, AT(rslLinkDef, type), .needed = ALWAYS, .words = linkTypes, .text = "The kind of link." },
    { "from", rsl_structKey, AT(rslLinkDef, from), .needed = ALWAYS, .of = &nodesStruct,
      .text = "The nodes that are linked, each once." },
    { "to", rsl_structKey, AT(rslLinkDef, to), .needed = ALWAYS, .of = &nodesStruct,
      .text = "What they are linked to." },
    { "stiffness", rsl_numberOrAutoKey, AT(rslLinkDef, stiffness), .needed = BIT(rsl_springLink), .range = POSITIVE,
      .unit = "N/m", .text = "The stiffness of each; auto, for ties only: from the bodies." },
    { "damping", rsl_numberKey, AT(rslLinkDef, damping), .range = NOT_NEGATIVE, .unit = "N s/m",
      .text = "The damper beside each." },
    { "rest_length", rsl_numberOrAutoKey, AT(rslLinkDef, restLength), .types = BIT(rsl_springLink),
      .range = NOT_NEGATIVE, .unit = "m", .text = "The rest length; auto: the distance at rest." },
    { "reach", rsl_numberOrAutoKey, AT(rslLinkDef, reach), .range = POSITIVE, .unit = "m",
      .text = "Pairs farther apart are not linked; auto: no limit for springs, one spacing for ties (1.5 to a centred lattice)." },
};

static void LinkDefaults(void* out)
{
    *(rslLinkDef*)out = rslDefaultLinkDef();
}

static const rslStruct linkStruct = {
    .name = "link", .title = "a link", .size = sizeof(rslLinkDef), .placed = true, .keys = linkKeys,
    .keyCount = COUNT_OF(linkKeys), .lead = 0, .tagged = true, .brief = -1, .defaults = LinkDefaults,
    .text = "What joins bodies.",
};

static const rslKey driveKeys[] = {
    { "nodes", rsl_structKey, AT(rslDriveDef, nodes), .needed = ALWAYS, .of = &nodesStruct,
      .text = "Springs with both ends among these nodes are driven." },
    { "strain", rsl_numberKey, AT(rslDriveDef, strain), .needed = ALWAYS, .range = { -1.0, INFINITY, true, true },
      .unit = "", .text = "Rest lengths change by the factor 1 + strain * course; negative contracts." },
    { "direction", rsl_vectorKey, AT(rslDriveDef, direction),
      .text = "Only springs within spread of this direction at rest; [0, 0, 0]: all." },
    { "spread", rsl_numberKey, AT(rslDriveDef, spread), .range = { 0.0, 90.0, true, false }, .unit = "deg",
      .text = "The largest angle to the direction." },
    { "course", rsl_structKey, AT(rslDriveDef, course), .of = &courseStruct, .text = "A factor in time." },
};

static void DriveDefaults(void* out)
{
    *(rslDriveDef*)out = rslDefaultDriveDef();
}

static const rslStruct driveStruct = {
    .name = "drive", .title = "a drive", .size = sizeof(rslDriveDef), .placed = true, .keys = driveKeys,
    .keyCount = COUNT_OF(driveKeys), .lead = -1, .brief = -1, .defaults = DriveDefaults,
    .text = "Rest lengths driven in time: muscles, soft robots.",
};

// ---- ground, time, output ---------------------------------------------------------------------------------------

static const rslKey groundKeys[] = {
    { "enabled", rsl_boolKey, AT(rslGroundDef, enabled), .text = "Whether there is a ground." },
    { "point", rsl_vectorKey, AT(rslGroundDef, point), .unit = "m", .text = "A point of the plane." },
    { "normal", rsl_vectorKey, AT(rslGroundDef, normal), .nonzero = true,
      .text = "The direction out of the ground; in a plane scene [0, 1, 0] when absent." },
    { "stiffness", rsl_numberOrAutoKey, AT(rslGroundDef, stiffness), .range = POSITIVE, .unit = "N/m",
      .text = "Penalty per node; auto: a third of the trace of the node's own stiffness." },
};

static void GroundDefaults(void* out)
{
    *(rslGroundDef*)out = rslDefaultGroundDef();
}

static void GroundRefine(void* out, rslSpace plane)
{
    if (plane == rsl_planeXY)
    {
        ((rslGroundDef*)out)->normal = (rslVec3){ 0.0, 1.0, 0.0 };
    }
}

static const rslStruct groundStruct = {
    .name = "ground", .title = "the ground", .size = sizeof(rslGroundDef), .placed = true, .keys = groundKeys,
    .keyCount = COUNT_OF(groundKeys), .lead = -1, .brief = 0, .defaults = GroundDefaults, .refine = GroundRefine,
    .text = "A plane that nothing passes. A bare true or false switches it; absent: no ground.",
};

static const rslWord integratorWords[] = {
    { "forward_euler", rsl_forwardEuler, "first order; unstable without damping" },
    { "symplectic_euler", rsl_symplecticEuler, "first order" },
    { "position_verlet", rsl_positionVerlet, "second order, drift-kick-drift" },
    { "velocity_verlet", rsl_velocityVerlet, "second order, kick-drift-kick" },
    { "static", rsl_static, "no motion: the state of rest after every increment of the loads" },
    { NULL, 0, NULL },
};

static const rslWord precisionWords[] = {
    { "single", rsl_single, "faster" }, { "double", rsl_double, NULL }, { NULL, 0, NULL }
};

static const rslWord linearSolverWords[] = {
    { "cg", rsl_cgSolver, "conjugate gradients" },
    { "cholmod", rsl_cholmodSolver, "Cholesky factors by CHOLMOD" },
    { NULL, 0, NULL },
};

static const rslKey timeKeys[] = {
    { "duration", rsl_numberKey, AT(rslTimeDef, duration), .range = POSITIVE, .unit = "s",
      .text = "How long to simulate." },
    { "step", rsl_numberOrAutoKey, AT(rslTimeDef, step), .range = POSITIVE, .unit = "s",
      .text = "The time step; auto: a fraction of the stable one." },
    { "fraction", rsl_numberKey, AT(rslTimeDef, fraction), .range = { 0.0, 1.0, true, false }, .unit = "",
      .text = "The fraction of the stable step that auto takes." },
    { "integrator", rsl_enumKey, AT(rslTimeDef, integrator), .words = integratorWords,
      .text = "How a step is taken." },
    { "precision", rsl_enumKey, AT(rslTimeDef, precision), .words = precisionWords,
      .text = "The precision of displacements, velocities and forces." },
    { "threads", rsl_integerKey, AT(rslTimeDef, threads), .range = BETWEEN(0, 1024),
      .text = "How many threads; 0: as many as there are. The result does not depend on it." },
    { "increments", rsl_integerKey, AT(rslTimeDef, increments), .range = BETWEEN(1, 1000000000),
      .text = "static: how many states of rest, at equal times up to the duration. Loads, motions and drives act with their "
              "value at that time." },
    { "tolerance", rsl_numberKey, AT(rslTimeDef, tolerance), .range = { 0.0, 1.0, true, true }, .unit = "",
      .text = "static: the forces left over, relative to loads and reactions." },
    { "solver", rsl_enumKey, AT(rslTimeDef, solver), .words = linearSolverWords,
      .text = "static: what solves the linear problems. cholmod factors the matrix: for small models that cg finds hard, where "
              "CHOLMOD is built in; its last digits depend on the machine." },
};

static void TimeDefaults(void* out)
{
    *(rslTimeDef*)out = rslDefaultTimeDef();
}

static const rslStruct timeStruct = {
    .name = "time", .title = "the time settings", .size = sizeof(rslTimeDef), .placed = true, .keys = timeKeys,
    .keyCount = COUNT_OF(timeKeys), .lead = -1, .brief = -1, .defaults = TimeDefaults,
    .text = "How long, in what steps, and how.",
};

static const rslWord probeTypes[] = {
    { "nodes", rsl_nodeProbe, "the mean position, velocity and force of chosen nodes" },
    { "stress", rsl_stressProbe, "mean stress in a small sphere that follows a point of a body; dampers are left out" },
    { "strain", rsl_strainProbe, "displacement and strain (Green's, in world axes at rest) of a point of a body" },
    { "reaction", rsl_reactionProbe, "the force that holds the nodes of a constraint" },
    { "flow", rsl_flowProbe, "the force through a fixed plane, by springs and links; dampers are left out" },
    { "ground", rsl_groundProbe, "the force of the ground" },
    { NULL, 0, NULL },
};

static const rslWord hardyWords[] = {
    { "line", rsl_lineHardy, "a spring counts with the part of its length in the sphere" },
    { "sphere", rsl_sphereHardy, "with the part of the sphere over it as a diameter" },
    { NULL, 0, NULL },
};

#define STRESS BIT(rsl_stressProbe)
#define STRAIN BIT(rsl_strainProbe)
#define FLOW BIT(rsl_flowProbe)

static const rslKey probeKeys[] = {
    { "type", rsl_enumKey, AT(rslProbeDef, type), .words = probeTypes, .text = "What is measured." },
    { "name", rsl_nameKey, AT(rslProbeDef, name), .needed = ALWAYS,
      .text = "A name of its own, the prefix of its columns." },
    { "nodes", rsl_structKey, AT(rslProbeDef, nodes), .types = BIT(rsl_nodeProbe), .needed = BIT(rsl_nodeProbe),
      .of = &nodesStruct, .text = "The mean over these nodes is written." },
    { "point", rsl_vectorKey, AT(rslProbeDef, point), .types = STRESS | STRAIN | FLOW,
      .needed = STRESS | STRAIN | FLOW, .unit = "m", .text = "A point of a body at rest; of flow, one of the plane." },
    { "radius", rsl_numberOrAutoKey, AT(rslProbeDef, radius), .types = STRESS, .range = POSITIVE, .unit = "m",
      .text = "The radius of the sphere; auto: 1.3 spacings." },
    { "kind", rsl_enumKey, AT(rslProbeDef, kind), .types = STRESS, .words = hardyWords,
      .text = "How much of a spring belongs to the sphere." },
    { "distance", rsl_numberOrAutoKey, AT(rslProbeDef, distance), .types = STRAIN, .range = POSITIVE, .unit = "m",
      .text = "Differences are taken over this distance to both sides; auto: half of the spacing." },
    { "normal", rsl_vectorKey, AT(rslProbeDef, normal), .types = FLOW, .needed = FLOW, .nonzero = true,
      .text = "The force is that of the side where this points, on the other." },
    { "constraint", rsl_integerKey, AT(rslProbeDef, constraint), .types = BIT(rsl_reactionProbe),
      .needed = BIT(rsl_reactionProbe), .range = BETWEEN(0, 1000000000),
      .text = "The index of the constraint in the scene, counted from 0." },
    { "body", rsl_stringKey, AT(rslProbeDef, body), .types = STRESS | STRAIN | FLOW | BIT(rsl_groundProbe),
      .text = "The name of a body; absent: stress and strain: the first that holds the point; flow and ground: all." },
};

static void ProbeDefaults(void* out)
{
    *(rslProbeDef*)out = rslDefaultProbeDef();
}

static const rslStruct probeStruct = {
    .name = "probe", .title = "a probe", .size = sizeof(rslProbeDef), .placed = true, .keys = probeKeys,
    .keyCount = COUNT_OF(probeKeys), .lead = 0, .tagged = true, .brief = -1, .defaults = ProbeDefaults,
    .text = "Something measured over time, as columns of probes.csv.",
};

static const rslWord formatWords[] = {
    { "vtu", offsetof(rslOutputDef, vtu), "ParaView: .vtu and .pvd" },
    { "pc2", offsetof(rslOutputDef, pc2), "Blender: a point cache" },
    { "glb", offsetof(rslOutputDef, glb), "Blender and web pages: an animated mesh" },
    { NULL, 0, NULL },
};

static const rslWord fieldWords[] = {
    { "stress", offsetof(rslOutputDef, fields) + offsetof(rslFieldSet, stress), "the tensor, XX YY ZZ XY YZ XZ [Pa]" },
    { "von_mises", offsetof(rslOutputDef, fields) + offsetof(rslFieldSet, vonMises), "[Pa]" },
    { "principal", offsetof(rslOutputDef, fields) + offsetof(rslFieldSet, principal), "values of the stress, largest first [Pa]" },
    { "strain", offsetof(rslOutputDef, fields) + offsetof(rslFieldSet, strain), "Green's, in world axes at rest" },
    { "modulus", offsetof(rslOutputDef, fields) + offsetof(rslFieldSet, modulus), "the bulk modulus that a node stands for, at rest [Pa]" },
    { NULL, 0, NULL },
};

static const rslKey outputKeys[] = {
    { "frames", rsl_numberKey, AT(rslOutputDef, frames), .range = NOT_NEGATIVE, .unit = "1/s",
      .text = "Frames per second of simulated time; 0: none." },
    { "formats", rsl_flagsKey, AT(rslOutputDef, vtu), .words = formatWords, .text = "The formats of the frames." },
    { "fields", rsl_flagsKey, AT(rslOutputDef, fields), .words = fieldWords,
      .text = "Fields in .vtu frames beside velocity, tension and energy density." },
    { "samples", rsl_numberOrAutoKey, AT(rslOutputDef, samples), .range = NOT_NEGATIVE, .unit = "1/s",
      .text = "Rows per second of the CSV files; 0: none; auto: as frames." },
    { "energy", rsl_boolKey, AT(rslOutputDef, energy), .text = "Write energy, momentum and volume to energy.csv." },
    { "checkpoint", rsl_numberKey, AT(rslOutputDef, checkpoint), .range = NOT_NEGATIVE, .unit = "s",
      .text = "Simulated time between checkpoints; 0: only at the end and when stopped." },
    { "probes", rsl_structListKey, LIST_AT(rslOutputDef, probes, probeCount), .of = &probeStruct,
      .text = "What to measure." },
};

static void OutputDefaults(void* out)
{
    *(rslOutputDef*)out = rslDefaultOutputDef();
}

static const rslStruct outputStruct = {
    .name = "output", .title = "the output settings", .size = sizeof(rslOutputDef), .placed = true, .keys = outputKeys,
    .keyCount = COUNT_OF(outputKeys), .lead = -1, .brief = -1, .defaults = OutputDefaults,
    .text = "What is written to disk.",
};

// ---- the scene --------------------------------------------------------------------------------------------------

static const rslWord planeWords[] = {
    { "xyz", rsl_space3, "three dimensions" },
    { "xy", rsl_planeXY, "two dimensions: z is locked, areas are signed" },
    { NULL, 0, NULL },
};

static const rslKey sceneKeys[] = {
    { "title", rsl_stringKey, AT(rslScene, title), .text = "A title for people." },
    { "plane", rsl_enumKey, AT(rslScene, plane), .words = planeWords, .text = "Two dimensions or three." },
    { "gravity", rsl_vectorKey, AT(rslScene, gravity), .unit = "m/s2",
      .text = "The acceleration of free fall; in a plane scene [0, -9.81, 0] when absent." },
    { "seed", rsl_seedKey, AT(rslScene, seed), .text = "The seed of every random choice." },
    { "ground", rsl_structKey, AT(rslScene, ground), .of = &groundStruct, .text = "The ground; absent: none." },
    { "time", rsl_structKey, AT(rslScene, time), .of = &timeStruct, .text = "How long, in what steps, and how." },
    { "output", rsl_structKey, AT(rslScene, output), .of = &outputStruct, .text = "What is written to disk." },
    { "bodies", rsl_structListKey, LIST_AT(rslScene, bodies, bodyCount), .minCount = 1, .needed = ALWAYS,
      .of = &bodyStruct, .text = "The soft bodies." },
    { "loads", rsl_structListKey, LIST_AT(rslScene, loads, loadCount), .of = &loadStruct,
      .text = "Forces, pressures and body forces." },
    { "constraints", rsl_structListKey, LIST_AT(rslScene, constraints, constraintCount), .of = &constraintStruct,
      .text = "Pins and prescribed motions." },
    { "links", rsl_structListKey, LIST_AT(rslScene, links, linkCount), .of = &linkStruct,
      .text = "Springs and ties between bodies." },
    { "drives", rsl_structListKey, LIST_AT(rslScene, drives, driveCount), .of = &driveStruct,
      .text = "Rest lengths driven in time." },
};

static void SceneDefaults(void* out)
{
    *(rslScene*)out = rslDefaultScene();
}

static void SceneRefine(void* out, rslSpace plane)
{
    rslScene* scene = out;
    if (plane == rsl_planeXY)
    {
        scene->gravity = (rslVec3){ 0.0, -9.81, 0.0 };
        GroundRefine(&scene->ground, plane);
    }
}

static const rslStruct sceneStruct = {
    .name = "scene", .title = "a scene", .size = sizeof(rslScene), .keys = sceneKeys,
    .keyCount = COUNT_OF(sceneKeys), .lead = 1, .brief = -1, .defaults = SceneDefaults, .refine = SceneRefine,
    .text = "The keys at the top of a scene file.",
};

// clang-format on

static const rslStruct* const structs[] = {
    &sceneStruct,  &bodyStruct,    &shapeStruct,    &networkStruct, &modelStruct,  &materialStruct, &orthotropicStruct,
    &regionStruct, &surfaceStruct, &rotationStruct, &nodesStruct,   &courseStruct, &loadStruct,     &constraintStruct,
    &linkStruct,   &driveStruct,   &groundStruct,   &timeStruct,    &outputStruct, &probeStruct,
};

const rslStruct* rslSchema_Scene(void)
{
    return &sceneStruct;
}

const rslStruct* rslSchema_Struct(int index)
{
    return index < COUNT_OF(structs) ? structs[index] : NULL;
}
