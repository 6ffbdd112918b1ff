// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// body.h: what a body of a scene is made of: its shape, network, material and model. Part of scene.h, which says how such
// definitions are used.

#pragma once

#include "resilin/base.h"

#ifdef __cplusplus
extern "C"
{
#endif

// "let the library choose"; in a scene file, the word auto
#define RSL_AUTO (__builtin_nan(""))

    // ---- shapes -----------------------------------------------------------------------------------------------

    typedef enum rslShapeType
    {
        rsl_boxShape,         // size; centred at the origin
        rsl_sphereShape,      // radius
        rsl_ellipsoidShape,   // radii
        rsl_cylinderShape,    // radius, height; axis z, centred
        rsl_capsuleShape,     // radius, height of the straight part; axis z, centred
        rsl_torusShape,       // ring radius, tube radius; axis z
        rsl_rabbitShape,      // height; standing on z = 0, looking along +x
        rsl_meshShape,        // file, or vertices and triangles in code; a closed triangle mesh
        rsl_unionShape,       // of parts
        rsl_differenceShape,  // the first part without the others
        rsl_intersectionShape,
        rsl_shapeTypeCount
    } rslShapeType;

    // A turn by an angle about an axis through the origin.
    typedef struct rslRotationDef
    {
        rslVec3 axis;  // any length > 0; default z
        double angle;  // [deg]
    } rslRotationDef;

    typedef enum rslRepair
    {
        rsl_refuse,  // a mesh with any defect is an error
        rsl_repair,  // weld, drop degenerate and double triangles, orient, fill holes; what remains is an error
    } rslRepair;

    // A shape, then scaled, rotated and translated, in this order.
    typedef struct rslShapeDef
    {
        rslPlace place;
        rslShapeType type;
        rslVec3 size;        // box [m]
        double radius;       // sphere, cylinder, capsule; torus: of the ring [m]
        double tubeRadius;   // torus [m]
        rslVec3 radii;       // ellipsoid [m]
        double height;       // cylinder, capsule, rabbit [m]
        const char* file;    // mesh: path, relative to the scene file; or NULL and the arrays below
        rslPlace filePlace;  // of its name in the scene file
        rslRepair repair;    // mesh

        // mesh given in code, or put here by the reader of the file
        const double* vertices;  // x y z [m]
        const int* triangles;    // three vertex indices each, counter-clockwise from outside
        int vertexCount, triangleCount;

        const struct rslShapeDef* parts;  // union, difference, intersection
        int partCount;

        double scale;  // > 0, default 1
        rslRotationDef rotate;
        rslVec3 translate;  // [m]
    } rslShapeDef;

    // ---- materials and networks -------------------------------------------------------------------------------

    // Moduli along the axes of a lattice. Its Poisson's ratios follow: with C_ij = G_ij off the diagonal of the stiffness and
    // S its inverse, E_i = 1 / S_ii and nu_ij = -S_ij / S_ii.
    typedef struct rslOrthotropicDef
    {
        rslPlace place;
        rslVec3 young;  // E_x, E_y, E_z [Pa], > 0
        rslVec3 shear;  // G_yz, G_zx, G_xy [Pa], > 0
    } rslOrthotropicDef;

    // What takes up the loss of a material that is given at one frequency.
    typedef enum rslDamper
    {
        rsl_stiffnessDamper,  // alpha1: higher modes are damped more, free flight is not
        rsl_massDamper,       // alpha0: higher modes are damped less
        rsl_damperCount
    } rslDamper;

    // Damping by its ratio zeta, 1 being critical, instead of Rayleigh's constants: zeta(w) = alpha0 / (2 w) + alpha1 w / 2. One
    // frequency fixes the constant of the damper, two fix both constants.
    typedef struct rslDampingDef
    {
        rslPlace place;
        const double* ratio;  // zeta >= 0, one for each frequency or one for all
        const double*
            frequency;  // [Hz], > 0, at most two; none: the first frequency of the body, as it is held at the start
        int ratioCount, frequencyCount;
        rslDamper by;  // with one frequency
    } rslDampingDef;

    // A linear elastic material. Named ones are listed by rslMaterial_Table. Numbers that are RSL_AUTO, which is their
    // default, come from the named material; a scene that was read has them filled in. rslMaterial_Resolve does it.
    typedef struct rslMaterialDef
    {
        rslPlace place;
        const char* name;         // of a material of the table, or NULL; numbers given beside it win
        double young;             // E [Pa], > 0
        double poisson;           // nu, in (-1, 0.5)
        double density;           // rho [kg/m3], > 0
        double massDamping;       // alpha0 [1/s], >= 0: force -alpha0 m v on every node
        double stiffnessDamping;  // alpha1 [s], >= 0: a damper alpha1 k beside every spring; RSL_AUTO without a name: 0
        const rslDampingDef* damping;  // instead of both; NULL: as they are
        const rslOrthotropicDef*
            orthotropic;  // instead of young and poisson, lattices of shells AB only; NULL: isotropic
    } rslMaterialDef;

    typedef enum rslNetworkType
    {
        rsl_latticeNetwork,     // cubic lattice filling the shape
        rsl_sheetNetwork,       // a surface: a grid, the triangles of a mesh shape, or the surface of another shape
        rsl_explicitNetwork,    // nodes, springs and elements as listed
        rsl_randomNetwork,      // nodes at random in the shape, springs between near ones
        rsl_tetrahedraNetwork,  // springs on the edges of tetrahedra
        rsl_hexahedraNetwork,   // hexahedra between nodes, for finite elements and boxes; no springs
        rsl_networkTypeCount
    } rslNetworkType;

    typedef enum rslConstruction
    {
        rsl_cornerLattice,   // nodes at the corners of cells; border springs weighted; exact moduli
        rsl_centredLattice,  // a node in the middle of each cell; uniform springs
    } rslConstruction;

    // Which neighbours of a lattice node have springs to it.
    typedef enum rslShells
    {
        rsl_shellsAB,  // along edges and face diagonals, 18 neighbours
        rsl_shellsAC,  // along edges and body diagonals, 14 neighbours; has motions that cost nothing
        rsl_shellsCount
    } rslShells;

    // Where the constants of a centred lattice come from. Its surface lacks springs, so that with the first it measures
    // too soft, with the second too stiff, both by about the spacing over the width. On a corner lattice they agree.
    typedef enum rslIdentification
    {
        rsl_identifyInside,  // the lattice without a surface: E = 5/2 k / a
        rsl_identifyWhole,   // the body as built: K = 1/(9 V) sum k L^2
        rsl_identificationCount
    } rslIdentification;

    // How the stiffness of a random network is shared among its springs.
    typedef enum rslStiffnessRule
    {
        rsl_uniformStiffness,        // the same k for all
        rsl_inverseSquareStiffness,  // k = c / L^2
        rsl_stiffnessRuleCount
    } rslStiffnessRule;

    // Whether the constants of a network are set by what it measures as.
    typedef enum rslCalibration
    {
        rsl_noCalibration,
        rsl_calibrateX,  // pulled along an axis of the world
        rsl_calibrateY,
        rsl_calibrateZ,
        rsl_calibrateMean,  // the mean of three axes
        rsl_calibrationCount
    } rslCalibration;

    // What a tetrahedron of volume V brings to an edge of length L.
    typedef enum rslTetrahedronRule
    {
        rsl_lloydTetrahedron,  // 0.96 E V / L^2
        rsl_kotTetrahedron,    // E V / L^2
        rsl_equalTetrahedron,  // 6 E V / sum L^2
        rsl_tetrahedronRuleCount
    } rslTetrahedronRule;

    // Who fills a shape with tetrahedra.
    typedef enum rslMesher
    {
        rsl_delaunayMesher,  // ours
        rsl_gmshMesher,      // Gmsh, where it is built in; a scene must have been loaded with rslScene_Read
        rsl_mesherCount
    } rslMesher;

    // The grid of a sheet without a mesh.
    typedef enum rslSheetPattern
    {
        rsl_crossedPattern,      // squares with both diagonals
        rsl_alternatingPattern,  // squares with one diagonal each, by turns
        rsl_hexagonalPattern,    // equilateral triangles in rows along x
        rsl_sheetPatternCount
    } rslSheetPattern;

    // Tension over elongation. The stiffness at rest is the same for all, and so are the moduli for small strains.
    typedef enum rslSpringLaw
    {
        rsl_linearSpring,   // T = k dL
        rsl_carrierSpring,  // T = k L0 dL / L: infinitely stiff when pressed to nothing, pulls at most k L0
        rsl_cooperSpring,   // T = k/2 (L - L0^2 / L): half of each
        rsl_springLawCount
    } rslSpringLaw;

    // Where the springs of an explicit network come from.
    typedef enum rslSpringSource
    {
        rsl_listedSprings,   // the list
        rsl_edgeSprings,     // one along every edge of the triangles or tetrahedra
        rsl_elementSprings,  // one along every edge of each of them: an edge that two share is twice as stiff
        rsl_springSourceCount
    } rslSpringSource;

    // How a body becomes nodes and springs.
    typedef struct rslNetworkDef
    {
        rslPlace place;
        rslNetworkType type;

        // lattice
        rslConstruction construction;
        rslShells shells;
        rslIdentification identify;
        double spacing;              // a [m]; > 0. Also the target edge of a sheet grid when cells is 0
        rslRotationDef orientation;  // of the lattice axes
        bool antialias;    // default true: border cells count as much as they are filled; false: all or nothing
        double threshold;  // default 0.1, in [0, 1): cells filled less are dropped; neighbours take over their volume

        // sheet: a grid of size[0] x size[1] in the xy plane, centred, unless the body has a shape
        double size[2];           // [m]
        int cells[2];             // 0: from spacing
        double thickness;         // h [m], > 0
        double bending;           // B [N m], >= 0; default 0: none; RSL_AUTO: of a plate, E h^3 / 12 (1 - nu^2)
        rslSheetPattern pattern;  // of the grid
        bool tube;                // the grid is rolled up about the y axis: its edges along y meet; default false
        rslRotationDef rotate;    // of the grid
        rslVec3 translate;        // of the grid [m]

        rslSpringLaw law;          // of all springs
        rslCalibration calibrate;  // random, tetrahedra

        // tetrahedra: made to fill the shape with the spacing; or of a body without a shape, nodes as in explicit ones, then
        // scaled, rotated and translated, in this order
        const char* file;       // path, relative to the scene file; or NULL and nodes and tetrahedra
        rslPlace filePlace;     // of its name in the scene file
        const int* tetrahedra;  // four node indices each, counted from 0, in any order; of explicit networks too
        int tetrahedronCount;
        double scale;  // > 0, default 1
        rslMesher mesher;
        double
            jitter;  // delaunay: of those made to fill a shape: nodes off their grid, of the spacing, in [0, 0.45]; default 0.3
        rslTetrahedronRule tetrahedronRule;

        // hexahedra: a grid that fills the shape, which is a box; or of a body without a shape, from a file or nodes as above
        int grid[3];  // cells along x, y, z
        // eight node indices each: four counter-clockwise seen from above, then the four above them
        const int* hexahedra;
        int hexahedronCount;

        // random
        double minLength;  // no two nodes are closer [m]; > 0
        double maxLength;  // nodes not farther apart have a spring [m]; > minLength
        int count;         // of nodes; 0: from filling
        double filling;    // N (pi/6) minLength^3 / V, in (0, 0.38]; default 0.34
        rslStiffnessRule stiffnessRule;

        // explicit; elements are tetrahedra, as above, or triangles
        const double* nodes;   // x y z [m]
        const double* masses;  // [kg], one each; or one for all
        const int* triangles;  // three node indices each, counted from 0; counter-clockwise in a 2D scene
        rslSpringSource
            springsFrom;     // elements: stiffness and damping are one for all, or, of rsl_elementSprings, one each
        const int* springs;  // two node indices each, counted from 0
        const double* stiffness;    // [N/m], one each; or one for all
        const double* damping;      // [N s/m], one each; or one for all; none: 0
        const double* restLengths;  // [m], one each; or one for all; none: the distance of the nodes
        int nodeCount, massCount, springCount, stiffnessCount, dampingCount, restLengthCount, triangleCount;
    } rslNetworkDef;

    // What gives a body its stiffness.
    typedef enum rslModelType
    {
        rsl_autoModel,        // what meets the material best: rslScene_ChooseModel
        rsl_springModel,      // the springs of its network
        rsl_finiteModel,      // finite elements between its nodes instead
        rsl_dispersionModel,  // springs that share what they feel with their neighbours: any Poisson's ratio
        rsl_brickModel,       // bricks in the cells of a lattice, also in those that the shape cuts
        rsl_boxModel,         // Baudet's parallelepipeds: springs in boxes, and a correction for any Poisson's ratio
        rsl_angleModel,  // sheets: springs, angular springs and springs of the area of triangles: any Poisson's ratio
        rsl_rigidModel,  // none: all nodes move as one; bones, tools
        rsl_modelTypeCount
    } rslModelType;

    // The law of finite elements.
    typedef enum rslElementLaw
    {
        rsl_corotationalElement,  // linear in the stretch, whatever the rotation
        rsl_linearElement,        // linear in the displacement: no large rotations
        rsl_neoHookeanElement,    // large strain; withstands being turned inside out
        rsl_elementLawCount
    } rslElementLaw;

    // Which hexahedra a lattice has.
    typedef enum rslHexahedron
    {
        rsl_autoHexahedron,          // incompatible
        rsl_trilinearHexahedron,     // eight nodes, fully integrated; too stiff in bending
        rsl_incompatibleHexahedron,  // with the incompatible modes of Wilson; exact in bending
        rsl_hexahedronCount
    } rslHexahedron;

    // How springs share what they feel (docs/theory.md).
    typedef enum rslDispersionVariant
    {
        rsl_energyDispersion,      // from an energy; stable for every Poisson's ratio
        rsl_cheapDispersion,       // from an energy, with all springs of a node alike
        rsl_publishedDispersion,   // Kot eq. 4.18; no energy
        rsl_transposedDispersion,  // Kot eq. 4.21; no energy
        rsl_dispersionVariantCount
    } rslDispersionVariant;

    // Which diagonals the boxes of Baudet's model have.
    typedef enum rslDiagonals
    {
        rsl_bodyDiagonals,  // four through the box, as in the paper; columns of nodes slide at no cost unless they are held
        rsl_faceDiagonals,  // two on each face
        rsl_diagonalsCount
    } rslDiagonals;

    // The modulus s of the edges of a box, 4 k h^2 / V: it changes bending only, since the correction makes up for it.
    typedef enum rslEdgeRule
    {
        rsl_baudetEdges,    // the correction acts across the axes only: lambda + mu on a cube with body diagonals
        rsl_forceEdges,     // mu (1 + 4 nu)
        rsl_pressureEdges,  // 2 mu: on a cube with body diagonals, the correction is a pressure
        rsl_tunedEdges,     // E / 3: cubes with body diagonals bend right
        rsl_edgeRuleCount
    } rslEdgeRule;

    typedef struct rslModelDef
    {
        rslPlace place;
        rslModelType type;
        rslElementLaw law;             // finite elements, bricks
        rslHexahedron element;         // finite elements on lattices
        rslDispersionVariant variant;  // dispersion
        bool lag;                      // dispersion: springs answer what nodes felt a step before
        double floor;                  // bricks: the least share of a corner in its cell, in [0, 1]; default 0.5
        bool dipole;                   // bricks: masses moved so that rotary inertia is nearly right
        rslDiagonals diagonals;        // boxes
        rslEdgeRule edges;             // boxes
        double edgeModulus;            // boxes: s [Pa], > 0, instead of a rule; RSL_AUTO: by the rule
    } rslModelDef;

    // What keeps triangles, tetrahedra and cells from collapsing: every vertex is pushed away from the opposite edge or
    // face. With the height h of the vertex over it, h0 at rest, x = h / h0 and a stiffness k:
    typedef enum rslRepulsionType
    {
        rsl_autoRepulsion,     // clamped on lattices, tetrahedra, hexahedra, and on sheets in the plane; none else
        rsl_noRepulsion,       //
        rsl_clampedRepulsion,  // U = k h0^2 (1 - 2x)^3 / x^2 below x = 1/2, nothing above: small strains do not feel it
        rsl_cooperRepulsion,   // U = k h0^2 ((x^2 - 1)/2 - ln x), Cooper and Maddock 1999: stiffness 2 k at rest
        rsl_stiffRepulsion,    // U = k h0^2 (x - 1/x)^2 / 4: stiffness 2 k at rest, and a stronger barrier
        rsl_centroidRepulsion,  // springs of stiffness k from every vertex to the centroid; no barrier
        rsl_repulsionTypeCount
    } rslRepulsionType;

    typedef struct rslRepulsionDef
    {
        rslPlace place;
        rslRepulsionType type;
        double stiffness;  // k [N/m], > 0; RSL_AUTO: from the material
        // cooper, stiff, centroid on bodies with a material: the part of their stiffness that repulsion brings, in (0, 1);
        // springs or elements bring the rest. RSL_AUTO: 0.2, or what the given stiffness makes
        double share;
    } rslRepulsionDef;

    // The surface that is drawn, and that pressure acts on. It is embedded in the network and follows it.
    typedef struct rslSurfaceDef
    {
        bool enabled;       // default true
        double resolution;  // edge length of an extracted surface [m]; RSL_AUTO: from the spacing
    } rslSurfaceDef;

    // How the volume that a surface encloses is kept (Vassilev & Spanlang 2002). V is the volume now, V0 that at rest, S the
    // area at rest, l_i the distance of a vertex from its centre, c_i the area that it stands for over the mean of triangles.
    typedef enum rslVolumeMethod
    {
        rsl_noVolume,        // it is not
        rsl_explicitVolume,  // support springs, force -(K dL + radial dl_i), dL = (V - V0) / S; no energy
        rsl_implicitVolume,  // support springs, energy 3/2 K dL^2 + radial/2 sum c_i dl_i^2, dL = sum c_i dl_i / 3
        rsl_pressureVolume,  // energy kv (V - V0)^2 / (2 V0)
        rsl_hardVolume,      // a constraint: V = V0
        rsl_volumeMethodCount
    } rslVolumeMethod;

    // What closes a surface with a border.
    typedef enum rslVolumeBase
    {
        rsl_noBase,   // nothing: such a surface is refused
        rsl_fanBase,  // triangles between each loop of the border and the mean of its vertices
        rsl_volumeBaseCount
    } rslVolumeBase;

    typedef struct rslVolumeDef
    {
        rslPlace place;
        rslVolumeMethod method;
        double stiffness;  // K [N/m] of support springs, kv [Pa] of pressure; > 0
        // of support springs: what each resists its own change of length with, K C of the paper [N/m]; beside pressure and
        // hard, springs that do only this
        double radial;
        int centres;  // of support springs; default 1
        rslVolumeBase base;
    } rslVolumeDef;

    // A part of a body that is made of another material.
    typedef struct rslRegionDef
    {
        rslPlace place;
        const rslShapeDef* shape;  // where; what lies outside of the body does not count
        rslMaterialDef material;
    } rslRegionDef;

    // What touches of a body.
    typedef enum rslSkinType
    {
        rsl_autoSkin,     // its surface where it has one, else spheres
        rsl_surfaceSkin,  // triangles: its own, or those of its shape
        rsl_sphereSkin,   // its border nodes as spheres
        rsl_noSkin,       // nothing
        rsl_skinTypeCount
    } rslSkinType;

    enum
    {
        RSL_LEVELS_MOST = 16  // of detail
    };

    typedef struct rslBodyDef
    {
        rslPlace place;
        const char* name;          // unique; a letter, then letters, digits, - and _
        const rslShapeDef* shape;  // NULL for grids and explicit networks
        rslNetworkDef network;
        rslModelDef model;            // auto
        rslRepulsionDef repulsion;    // auto
        rslVolumeDef volume;          // none
        rslMaterialDef material;      // not used by explicit networks
        const rslRegionDef* regions;  // where they overlap, the later one counts; not of explicit networks
        int regionCount;
        rslSurfaceDef surface;
        rslSkinType skin;
        double radius;  // of spheres [m]; RSL_AUTO: the mean half length of the springs of each node
        // levels of detail (lod.h): resolutions over that of the network, in (0, 1], each less than the one before; NULL: none
        const double* lod;
        int lodCount;      // at most RSL_LEVELS_MOST
        int level;         // which of them is built; default 0, the finest
        rslVec3 velocity;  // of the centre of mass at the start [m/s]
        rslVec3 spin;      // about the centre of mass at the start [deg/s]
    } rslBodyDef;

#ifdef __cplusplus
}
#endif
