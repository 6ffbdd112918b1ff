// SPDX-License-Identifier: MIT
//
// scene_schema_body.c: the tables of a body: shape, material, regions, model (its network is in scene_schema_network.c). To add a key: a
// field in body.h, its default in scene.c, a row here.

#include "scene_table.h"

// one key is one sentence, not one line per field
// clang-format off

// ---- rotation ---------------------------------------------------------------------------------------------------

static const rslKey rotationKeys[] = {
    { "axis", rsl_vectorKey, AT(rslRotationDef, axis), .nonzero = true,
      .text = "The axis through the origin, of any length but zero." },
    { "angle", rsl_numberKey, AT(rslRotationDef, angle), .range = A_MILLION_TURNS, .unit = "deg",
      .text = "The angle, counter-clockwise when the axis points at the viewer." },
};

static void RotationDefaults(void* out)
{
    *(rslRotationDef*)out = (rslRotationDef){ .axis = { 0.0, 0.0, 1.0 } };
}

const rslStruct rslRotationStruct = {
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
      .needed = COMBINED, .of = &rslShapeStruct, .text = "The shapes that are combined." },
    { "scale", rsl_numberKey, AT(rslShapeDef, scale), .range = POSITIVE, .unit = "",
      .text = "A factor about the origin, applied first." },
    { "rotate", rsl_structKey, AT(rslShapeDef, rotate), .of = &rslRotationStruct, .text = "A turn, applied second." },
    { "translate", rsl_vectorKey, AT(rslShapeDef, translate), .unit = "m", .text = "A shift, applied last." },
};

static void ShapeDefaults(void* out)
{
    *(rslShapeDef*)out = rslDefaultShapeDef();
}

const rslStruct rslShapeStruct = {
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

const rslStruct rslOrthotropicStruct = {
    .name = "orthotropic", .title = "an orthotropic material", .size = sizeof(rslOrthotropicDef), .placed = true,
    .keys = orthotropicKeys, .keyCount = COUNT_OF(orthotropicKeys), .lead = -1, .brief = -1,
    .defaults = OrthotropicDefaults,
    .text = "Moduli that differ along the axes of a lattice, met exactly by the corner construction. Poisson's ratios follow: "
            "the stiffness has C_ij = G_ij off its diagonal and S is its inverse, E_i = 1 / S_ii and nu_ij = -S_ij / S_ii; "
            "`resilin check` prints them. A Young's modulus too small beside the shear moduli is refused.",
};

static const rslWord damperWords[] = {
    { "stiffness", rsl_stiffnessDamper, "by stiffness_damping: higher modes are damped more, free flight is not" },
    { "mass", rsl_massDamper, "by mass_damping: higher modes are damped less, and free flight is slowed" },
    { NULL, 0, NULL },
};

static const rslWord firstWord[] = {
    { "first", 0, "the first frequency of the body alone, held as its constraints hold it at the start" },
    { NULL, 0, NULL },
};

static const rslKey dampingKeys[] = {
    { "ratio", rsl_numberListKey, LIST_AT(rslDampingDef, ratio, ratioCount), .minCount = 1, .needed = ALWAYS,
      .range = NOT_NEGATIVE, .unit = "", .text = "zeta, of critical damping: one for each frequency, or one for all." },
    { "frequency", rsl_numberListKey, LIST_AT(rslDampingDef, frequency, frequencyCount), .minCount = 1, .words = firstWord,
      .range = POSITIVE, .unit = "Hz", .text = "Where the material has the ratios: one or two. first, the default, is the first frequency of the body alone, held as "
              "constraints hold it at the start." },
    { "by", rsl_enumKey, AT(rslDampingDef, by), .words = damperWords,
      .text = "With one frequency: what damps." },
};

static void DampingDefaults(void* out)
{
    *(rslDampingDef*)out = (rslDampingDef){ .by = rsl_stiffnessDamper };
}

const rslStruct rslDampingStruct = {
    .name = "damping", .title = "a damping", .size = sizeof(rslDampingDef), .placed = true, .keys = dampingKeys,
    .keyCount = COUNT_OF(dampingKeys), .lead = -1, .brief = 0, .defaults = DampingDefaults,
    .text = "Damping by its ratio at one or two frequencies: zeta(w) = alpha0 / (2 w) + alpha1 w / 2, w = 2 pi f. `resilin check` and "
            "the run print the constants. Two ratios whose constant would be negative are refused. A bare number is a ratio.",
};

static const rslKey materialKeys[] = {
    { "name", rsl_stringKey, AT(rslMaterialDef, name),
      .text = "A material of the table (`resilin materials`); numbers given beside it win." },
    { "young", rsl_numberKey, .optional = true, AT(rslMaterialDef, young), .range = POSITIVE, .unit = "Pa",
      .text = "Young's modulus; needed without a name or orthotropic." },
    { "poisson", rsl_numberKey, .optional = true, AT(rslMaterialDef, poisson), .range = { -1.0, 1.0, true, true }, .unit = "",
      .hint = "solids have less than 0.5, sheets in plane stress less than 1, and at -1 nothing resists a change of volume; take -0.99 to 0.49",
      .text = "Poisson's ratio; below 0.5, but for sheets. Needed without a name or orthotropic." },
    { "density", rsl_numberKey, .optional = true, AT(rslMaterialDef, density), .range = POSITIVE, .unit = "kg/m3",
      .text = "Mass per volume; needed without a name." },
    { "mass_damping", rsl_numberKey, AT(rslMaterialDef, massDamping), .range = NOT_NEGATIVE, .unit = "1/s",
      .text = "alpha0: a force -alpha0 m v on every node, which also slows free flight." },
    { "stiffness_damping", rsl_numberKey, .optional = true, AT(rslMaterialDef, stiffnessDamping), .range = NOT_NEGATIVE,
      .unit = "s", .text = "alpha1: a damper alpha1 k beside every spring of stiffness k; 0 without a name." },
    { "damping", rsl_structPointerKey, AT(rslMaterialDef, damping), .of = &rslDampingStruct,
      .text = "Instead of mass_damping and stiffness_damping, those of a name too: ratios at one or two frequencies." },
    { "orthotropic", rsl_structPointerKey, AT(rslMaterialDef, orthotropic), .of = &rslOrthotropicStruct,
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

const rslStruct rslMaterialStruct = {
    .name = "material", .title = "a material", .size = sizeof(rslMaterialDef), .placed = true, .keys = materialKeys,
    .keyCount = COUNT_OF(materialKeys), .lead = 0, .brief = 0, .defaults = MaterialDefaults, .refine = MaterialRefine,
    .text = "A linear elastic material, by name or by numbers. A bare word is a name.",
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

const rslStruct rslSurfaceStruct = {
    .name = "surface", .title = "a surface", .size = sizeof(rslSurfaceDef), .keys = surfaceKeys,
    .keyCount = COUNT_OF(surfaceKeys), .lead = -1, .brief = 0, .defaults = SurfaceDefaults,
    .text = "The surface that is drawn and that pressure acts on. A bare true or false switches it.",
};

static const rslKey regionKeys[] = {
    { "shape", rsl_structPointerKey, AT(rslRegionDef, shape), .needed = ALWAYS, .of = &rslShapeStruct,
      .text = "Where the material is; what lies outside of the body does not count." },
    { "material", rsl_structKey, AT(rslRegionDef, material), .needed = ALWAYS, .of = &rslMaterialStruct,
      .text = "What that part of the body is made of." },
};

static void RegionDefaults(void* out)
{
    *(rslRegionDef*)out = (rslRegionDef){ .material = rslDefaultMaterialDef() };
}

const rslStruct rslRegionStruct = {
    .name = "region", .title = "a region", .size = sizeof(rslRegionDef), .placed = true, .keys = regionKeys,
    .keyCount = COUNT_OF(regionKeys), .lead = -1, .brief = -1, .defaults = RegionDefaults,
    .text = "A part of a body that is made of another material. Cells of a lattice that a region cuts have the mean of the "
            "materials by volume, exact as the volumes of cells are (without antialias: the material at their centre); what a "
            "cell below the threshold hands over takes the material of the cell that takes it. In other networks, and between "
            "the cells of a centred lattice, a node is of the material where it lies, and a spring is two halves in series, "
            "each of the material of its end.",
};

static const rslWord modelTypes[] = {
    { "auto", rsl_autoModel,
      "what meets the material best: bricks on corner lattices with shells AB, fem on hexahedra; else, and beside what needs springs, "
      "springs where Poisson's ratio is theirs, dispersion (solids) or angles (sheets) where it is not" },
    { "springs", rsl_springModel, "the springs of the network" },
    { "fem", rsl_finiteModel, "finite elements between the nodes instead of springs" },
    { "brick", rsl_brickModel,
      "bricks in the cells of a lattice, exact for any Poisson's ratio, also in cells that the shape cuts" },
    { "dispersion", rsl_dispersionModel,
      "springs that share what they feel with the others at their ends: meets any Poisson's ratio" },
    { "box", rsl_boxModel,
      "Baudet's parallelepipeds: springs along the edges and diagonals of boxes, and a correction by the mean strains of their "
      "edges: meets any Poisson's ratio; for moderate strain" },
    { "angles", rsl_angleModel,
      "sheets: springs, angular springs between them and a spring of the area of every triangle: meets any Poisson's ratio" },
    { "rigid", rsl_rigidModel,
      "all nodes move as one, with the mass and inertia of the shape: bones, tools; of the material only the density counts" },
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

static const rslWord boxDiagonals[] = {
    { "body", rsl_bodyDiagonals, "four through the box, as in the paper: columns of nodes slide along each other at no cost unless "
                                 "they are held, and a box that is not a cube has three shear moduli" },
    { "face", rsl_faceDiagonals, "two on each face: no such motions, and all moduli exact for boxes of any proportions" },
    { NULL, 0, NULL },
};

static const rslWord edgeRules[] = {
    { "baudet", rsl_baudetEdges, "such that the correction acts across the axes only; lambda + mu on a cube with body diagonals" },
    { "force", rsl_forceEdges, "mu (1 + 4 nu)" },
    { "pressure", rsl_pressureEdges, "2 mu: on a cube with body diagonals the correction is a pressure" },
    { "tuned", rsl_tunedEdges, "E / 3: cubes with body diagonals bend right; stable for every box and Poisson's ratio" },
    { NULL, 0, NULL },
};

static const rslKey modelKeys[] = {
    { "type", rsl_enumKey, AT(rslModelDef, type), .words = modelTypes,
      .text = "Springs, springs with dispersion, or elements between the nodes." },
    { "law", rsl_enumKey, AT(rslModelDef, law), .types = BIT(rsl_finiteModel) | BIT(rsl_brickModel), .words = elementLaws,
      .text = "The law of the elements; for small strain all are the same." },
    { "element", rsl_enumKey, AT(rslModelDef, element), .types = BIT(rsl_finiteModel), .words = hexahedra,
      .text = "Which hexahedra there are; other networks have but one kind." },
    { "floor", rsl_numberKey, AT(rslModelDef, floor), .types = BIT(rsl_brickModel), .range = { 0.0, 1.0, false, false }, .unit = "",
      .text = "Corners of a cell that the shape cuts hold at least this much of what they would hold if it were spread "
              "evenly. Less is a little more exact and needs smaller steps: with 0, as small as the smallest cut cell asks for." },
    { "dipole", rsl_boolKey, AT(rslModelDef, dipole), .types = BIT(rsl_brickModel),
      .text = "Masses near the surface are moved inwards by a twelfth of a cell, so that rotary inertia is nearly right, and springs are "
              "tuned to be exact in twisting as well as in bending: better frequencies of free bodies and of torsion, slightly "
              "smaller steps." },
    { "variant", rsl_enumKey, AT(rslModelDef, variant), .types = BIT(rsl_dispersionModel), .words = dispersionVariants,
      .text = "How springs share what they feel. Those without an energy are for comparison: no modes." },
    { "lag", rsl_boolKey, AT(rslModelDef, lag), .types = BIT(rsl_dispersionModel),
      .text = "Springs answer what nodes felt a step before: half the time of a step, but energy is fed above a Poisson's ratio of "
              "1/4, where no step is stable without stiffness_damping, and taken away below. Rest and modes have no step before." },
    { "diagonals", rsl_enumKey, AT(rslModelDef, diagonals), .types = BIT(rsl_boxModel), .words = boxDiagonals,
      .text = "Which diagonals boxes have." },
    { "edges", rsl_enumKey, AT(rslModelDef, edges), .types = BIT(rsl_boxModel), .words = edgeRules,
      .text = "The modulus s = 4 k h^2 / V of the edges of a box. The moduli of the body are the same for all: the correction "
              "makes up for it. What it sets is how stiff the box is in bending." },
    { "edge_modulus", rsl_numberOrAutoKey, AT(rslModelDef, edgeModulus), .types = BIT(rsl_boxModel), .range = POSITIVE,
      .unit = "Pa", .text = "That modulus as a number; auto: by edges." },
};

const char* rslModelType_Word(rslModelType type)
{
    const rslWord* word = modelTypes;
    while (word->name != NULL && word->value != (int)type)
    {
        ++word;
    }
    return word->name;
}

static void ModelDefaults(void* out)
{
    *(rslModelDef*)out = rslDefaultModelDef();
}

const rslStruct rslModelStruct = {
    .name = "model", .title = "a model", .size = sizeof(rslModelDef), .placed = true, .keys = modelKeys,
    .keyCount = COUNT_OF(modelKeys), .lead = 0, .tagged = true, .brief = 0, .defaults = ModelDefaults,
    .text = "What gives a body its stiffness. A bare word is a type.",
};

static const rslWord repulsionTypes[] = {
    { "auto", rsl_autoRepulsion,
      "clamped on lattices (but for cells of bricks and finite elements that the shape fills to less than a quarter), "
      "tetrahedra and hexahedra, and on sheets in scenes with plane: xy; none on sheets in space, random and explicit networks and rigid bodies" },
    { "none", rsl_noRepulsion, "elements may collapse and turn inside out" },
    { "clamped", rsl_clampedRepulsion,
      "nothing while every height is above half of what it is at rest, then a barrier that no force overcomes: "
      "U = k h0^2 (1 - 2x)^3 / x^2; moduli, frequencies and steps at small strain are those without it" },
    { "cooper", rsl_cooperRepulsion,
      "Cooper and Maddock's, U = k h0^2 ((x^2 - 1)/2 - ln x): felt at all strains, with a stiffness of 2 k at rest" },
    { "stiff", rsl_stiffRepulsion,
      "U = k h0^2 (x - 1/x)^2 / 4: the same stiffness at rest, and a barrier that hard impacts do not come through" },
    { "centroid", rsl_centroidRepulsion,
      "springs from every vertex to the centroid of its element, as Cooper and Maddock compare; no barrier" },
    { NULL, 0, NULL },
};

#define FELT (BIT(rsl_cooperRepulsion) | BIT(rsl_stiffRepulsion) | BIT(rsl_centroidRepulsion))

static const rslKey repulsionKeys[] = {
    { "type", rsl_enumKey, AT(rslRepulsionDef, type), .words = repulsionTypes,
      .text = "How much a height h = x h0 costs, h0 at rest." },
    { "stiffness", rsl_numberOrAutoKey, AT(rslRepulsionDef, stiffness), .types = FELT | BIT(rsl_clampedRepulsion),
      .range = POSITIVE, .unit = "N/m",
      .text = "k; auto: from the material and the size of the element. Of cooper, stiff and centroid on a body with a material the mean "
              "of all. Needed by explicit networks." },
    { "share", rsl_numberOrAutoKey, AT(rslRepulsionDef, share), .types = FELT, .range = { 0.0, 1.0, true, true }, .unit = "",
      .text = "Of a body with a material: the part of its stiffness that repulsion brings; springs or elements bring the "
              "rest, so that its moduli stay. auto: 0.2, or what stiffness makes." },
};

static void RepulsionDefaults(void* out)
{
    *(rslRepulsionDef*)out = rslDefaultBodyDef().repulsion;
}

const rslStruct rslRepulsionStruct = {
    .name = "repulsion", .title = "repulsion", .size = sizeof(rslRepulsionDef), .placed = true, .keys = repulsionKeys,
    .keyCount = COUNT_OF(repulsionKeys), .lead = 0, .tagged = true, .brief = 0, .defaults = RepulsionDefaults,
    .text = "What keeps elements from collapsing: in triangles every vertex is pushed away from the opposite edge, in tetrahedra "
            "from the opposite face. Cells of lattices and hexahedra count as five tetrahedra each. A bare word is a type.",
};

// ---- volume -----------------------------------------------------------------------------------------------------

static const rslWord volumeMethods[] = {
    { "none", rsl_noVolume, "the volume is left to springs or elements" },
    { "explicit", rsl_explicitVolume,
      "springs from a centre to every vertex that answer the volume: a force -(K dL + radial dl_i) on each, dL = (V - V0) / S; "
      "without an energy, so not for static" },
    { "implicit", rsl_implicitVolume,
      "springs from a centre to every vertex that answer the mean of their lengths instead: energy 3/2 K dL^2 + radial/2 sum "
      "c_i dl_i^2, dL = sum c_i dl_i / 3" },
    { "pressure", rsl_pressureVolume, "energy kv (V - V0)^2 / (2 V0): a pressure inside" },
    { "hard", rsl_hardVolume, "a constraint, V = V0 to rounding; not for static" },
    { NULL, 0, NULL },
};

static const rslWord volumeBases[] = {
    { "none", rsl_noBase, "nothing: a surface with a border is refused" },
    { "fan", rsl_fanBase, "triangles between each loop of the border and the mean of its vertices; exact for flat loops" },
    { NULL, 0, NULL },
};

#define SUPPORTED (BIT(rsl_explicitVolume) | BIT(rsl_implicitVolume))

static const rslKey volumeKeys[] = {
    { "method", rsl_enumKey, AT(rslVolumeDef, method), .words = volumeMethods, .text = "How the volume is kept." },
    { "stiffness", rsl_numberKey, AT(rslVolumeDef, stiffness), .types = SUPPORTED | BIT(rsl_pressureVolume),
      .needed = SUPPORTED | BIT(rsl_pressureVolume), .range = POSITIVE, .unit = "",
      .text = "K of support springs in N/m, kv of pressure in Pa. `resilin check` prints the most that the step takes." },
    { "radial", rsl_numberKey, AT(rslVolumeDef, radial), .types = ~BIT(rsl_noVolume), .range = NOT_NEGATIVE, .unit = "N/m",
      .text = "What every support spring resists its own change of length with: K C of Vassilev and Spanlang, times c_i in the "
              "implicit method. Beside pressure and hard, above 0 gives a surface such springs." },
    { "centres", rsl_integerKey, AT(rslVolumeDef, centres), .types = ~BIT(rsl_noVolume), .range = BETWEEN(1, 64),
      .text = "How many centres support springs have. Each is the centre of mass of its vertices and has to see all of them; "
              "vertices are shared out by k-means, started from those that lie farthest apart." },
    { "base", rsl_enumKey, AT(rslVolumeDef, base), .types = ~BIT(rsl_noVolume), .words = volumeBases,
      .text = "What closes a surface that has a border, such as a dome on a table." },
};

static void VolumeDefaults(void* out)
{
    *(rslVolumeDef*)out = rslDefaultVolumeDef();
}

const rslStruct rslVolumeStruct = {
    .name = "volume", .title = "how a volume is kept", .size = sizeof(rslVolumeDef), .placed = true, .keys = volumeKeys,
    .keyCount = COUNT_OF(volumeKeys), .lead = 0, .tagged = true, .brief = 0, .defaults = VolumeDefaults,
    .text = "How the volume that the surface of a body encloses is kept (Vassilev & Spanlang 2002): support springs for sheets "
            "and explicit networks with triangles, pressure and hard for these and for all bodies that fill a shape. V is "
            "the volume, V0 and S volume and area at rest, l_i the distance of a vertex from its centre, c_i its area over the "
            "mean area of triangles. A bare word is a method.",
};

static const rslWord skins[] = {
    { "auto", rsl_autoSkin, "its surface where it has one or fills a shape, else spheres; spheres in 2D scenes" },
    { "surface", rsl_surfaceSkin, "triangles: those between its nodes, or of its shape at about the spacing of its nodes" },
    { "spheres", rsl_sphereSkin, "its border nodes, as spheres" },
    { "none", rsl_noSkin, "nothing: it passes through everything" },
    { NULL, 0, NULL },
};

static const rslKey bodyKeys[] = {
    { "name", rsl_nameKey, AT(rslBodyDef, name), .needed = ALWAYS,
      .text = "A name of its own: a letter, then letters, digits, - and _." },
    { "shape", rsl_structPointerKey, AT(rslBodyDef, shape), .of = &rslShapeStruct,
      .text = "The solid that a lattice or a random network fills, or whose surface a sheet is." },
    { "network", rsl_structKey, AT(rslBodyDef, network), .needed = ALWAYS, .of = &rslNetworkStruct,
      .text = "How the body becomes nodes and springs." },
    { "model", rsl_structKey, AT(rslBodyDef, model), .of = &rslModelStruct,
      .text = "What gives the body its stiffness." },
    { "repulsion", rsl_structKey, AT(rslBodyDef, repulsion), .of = &rslRepulsionStruct,
      .text = "What keeps its elements from collapsing." },
    { "volume", rsl_structKey, AT(rslBodyDef, volume), .of = &rslVolumeStruct,
      .text = "How the volume that its surface encloses is kept." },
    { "material", rsl_structKey, AT(rslBodyDef, material), .of = &rslMaterialStruct,
      .text = "What the body is made of; not used by explicit networks." },
    { "regions", rsl_structListKey, LIST_AT(rslBodyDef, regions, regionCount), .of = &rslRegionStruct,
      .text = "Parts of the body that are made of other materials; where they overlap, the later one counts. Not of explicit "
              "networks." },
    { "surface", rsl_structKey, AT(rslBodyDef, surface), .of = &rslSurfaceStruct,
      .text = "The surface that is drawn and that pressure acts on." },
    { "skin", rsl_enumKey, AT(rslBodyDef, skin), .words = skins,
      .text = "What touches of the body: other bodies, and colliders unless by penalty." },
    { "radius", rsl_numberOrAutoKey, AT(rslBodyDef, radius), .range = NOT_NEGATIVE, .unit = "m",
      .text = "Of the spheres of a skin; auto: the mean half length of the springs of each node." },
    { "lod", rsl_numberListKey, LIST_AT(rslBodyDef, lod, lodCount), .minCount = 1, .range = { 0.0, 1.0, true, false }, .unit = "",
      .text = "Levels of detail: the same body at several resolutions, from fine to coarse; 1 is the network as it is given, 0.5 has "
              "half as many nodes along each axis. All have the mass, the centre of mass and the drawn surface of the first.",
      .hint = "1 is as fine as the network says; for a finer level make the network finer" },
    { "level", rsl_integerKey, AT(rslBodyDef, level), .range = NOT_NEGATIVE,
      .text = "Which level of detail is built, counted from 0." },
    { "velocity", rsl_vectorKey, AT(rslBodyDef, velocity), .unit = "m/s",
      .text = "The velocity of the centre of mass at the start." },
    { "spin", rsl_vectorKey, AT(rslBodyDef, spin), .unit = "deg/s",
      .text = "The angular velocity about the centre of mass at the start." },
};

static void BodyDefaults(void* out)
{
    *(rslBodyDef*)out = rslDefaultBodyDef();
}

const rslStruct rslBodyStruct = {
    .name = "body", .title = "a body", .size = sizeof(rslBodyDef), .placed = true, .keys = bodyKeys,
    .keyCount = COUNT_OF(bodyKeys), .lead = -1, .brief = -1, .defaults = BodyDefaults,
    .text = "A soft body: a shape, a network and a material.",
};
