// SPDX-License-Identifier: MIT
//
// term_cases.h: a small model for every force term, and random states of it.

#pragma once

#include "support.h"

// Random configurations of every case.
static inline uint64_t Seeds(void)
{
    return Sanitized() ? 1 : 3;
}

// ---- scenes -----------------------------------------------------------------------------------------------------------

typedef struct Case
{
    const char* name;
    rslModel* (*build)(void);
    double far;     // how far away random frames are [m]
    bool free;      // internal forces only: momentum is kept
    bool together;  // bodies move as one, up to a little
} Case;

// Random states turn cells inside out: nothing may repel, unless a case asks for it.
static void LetCollapse(rslBodyDef* bodies, int count)
{
    for (int b = 0; b < count; ++b)
    {
        rslRepulsionType* type = &bodies[b].repulsion.type;
        *type = *type == rsl_autoRepulsion ? rsl_noRepulsion : *type;
    }
}

static rslModel* BuildScene(rslBodyDef* bodies, int count, void (*adorn)(rslScene*))
{
    LetCollapse(bodies, count);
    rslScene scene = SceneOf(bodies, count);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    if (adorn != NULL)
    {
        adorn(&scene);
    }
    return Built(&scene, NULL);
}

#include "term_springs.h"
#include "term_loads.h"
#include "term_dispersion.h"
#include "term_elements.h"
#include "term_sheets.h"
#include "term_cells.h"
#include "term_volumes.h"
#include "term_repulsion.h"

static const Case cases[] = {
    { "corner lattice", BuildCorner, 1e4, true, false },
    { "undamped lattice", BuildElastic, 1e5, true, false },
    { "lattice with body diagonals", BuildBodyDiagonals, 1e4, true, false },
    { "lattice of carrier springs", BuildCarrierLattice, 1e4, true, false },
    { "lattice of Cooper's springs", BuildCooperLattice, 1e4, true, false },
    { "lattice with regions", BuildCornerRegions, 1e4, false, false },
    { "centred lattice with regions", BuildCentredRegions, 1e4, true, false },
    { "centred, turned lattice", BuildTurned, 1e4, true, false },
    { "network with preload", BuildNetwork, 1e4, true, false },
    { "carrier springs with preload", BuildCarriers, 1e4, true, false },
    { "Cooper's springs with preload", BuildCoopers, 1e4, true, false },
    { "sheet", BuildSheet, 1e4, true, false },
    { "sheet in the plane", BuildFlat, 1e4, true, false },
    { "sheet that resists bending", BuildBentSheet, 1e4, true, false },
    { "elements that resist bending", BuildBentTriangles, 1e4, true, false },
    { "mesh that resists bending", BuildBentMesh, 1e4, true, false },
    { "spring links", BuildSpringLinks, 1e3, true, true },
    { "ties", BuildTies, 1e3, true, true },
    { "damped ties", BuildDampedTies, 1e3, false, true },
    { "gravity and point damping", BuildHeavy, 10.0, false, false },
    { "pressure in a lattice", BuildPressed, 1e4, true, false },
    { "pressure in a sheet", BuildBalloon, 1e4, true, false },
    { "pressure of a volume", BuildPressureVolume, 1e4, true, false },
    { "pressure of a volume in a lattice", BuildFullBall, 1e4, true, false },
    { "pressure of a dome's volume", BuildDome, 1e4, true, false },
    { "implicit volume", BuildImplicitVolume, 1e4, true, false },
    { "implicit volume about two centres", BuildTwoCentres, 1e4, true, false },
    { "ground", BuildGrounded, 0.05, false, false },
    { "colliders of every shape", BuildAmongSolids, 0.05, false, false },
    { "driven lattice", BuildDrivenLattice, 1e4, true, false },
    { "driven lattice of carrier springs", BuildDrivenCarrierLattice, 1e4, true, false },
    { "driven sheet", BuildDrivenSheet, 1e4, true, false },
    { "driven carrier springs", BuildDrivenCarriers, 1e4, true, false },
    { "dispersion", BuildDispersed, 1e4, true, false },
    { "dispersion with regions", BuildDispersedRegions, 1e4, true, false },
    { "cheap dispersion of carrier springs", BuildCheap, 1e4, true, false },
    { "dispersion in a random network", BuildDispersedNetwork, 1e4, true, false },
    { "driven dispersion", BuildDrivenDispersion, 1e4, true, false },
    { "linear hexahedra", BuildLinearHexahedra, 1e4, false, false },
    { "corotational hexahedra", BuildCorotatedHexahedra, 1e4, true, false },
    { "corotational trilinear hexahedra", BuildCorotatedTrilinear, 1e4, true, false },
    { "neo-Hookean hexahedra", BuildNeoHookeanHexahedra, 1e4, true, false },
    { "hexahedra with regions", BuildRegionHexahedra, 1e4, true, false },
    { "linear bricks", BuildLinearBricks, 1e4, false, false },
    { "corotational bricks", BuildCorotatedBricks, 1e4, true, false },
    { "neo-Hookean bricks", BuildNeoHookeanBricks, 1e4, true, false },
    { "bricks with regions", BuildRegionBricks, 1e4, true, false },
    { "linear tetrahedra", BuildLinearTetrahedra, 1e4, false, false },
    { "corotational tetrahedra", BuildCorotatedTetrahedra, 1e4, true, false },
    { "neo-Hookean tetrahedra", BuildNeoHookeanTetrahedra, 1e4, true, false },
    { "linear triangles", BuildLinearTriangles, 1e4, false, false },
    { "corotational triangles", BuildCorotatedTriangles, 1e4, true, false },
    { "neo-Hookean triangles", BuildNeoHookeanTriangles, 1e4, true, false },
    { "corotational triangles in the plane", BuildFlatTriangles, 1e4, true, false },
    { "Baudet's boxes", BuildBaudetBoxes, 1e4, true, false },
    { "tuned boxes with face diagonals", BuildFaceBoxes, 1e4, true, false },
    { "linear distorted hexahedra", BuildLinearSolids, 1e4, false, false },
    { "corotational distorted hexahedra", BuildCorotatedSolids, 1e4, true, false },
    { "neo-Hookean distorted hexahedra", BuildNeoHookeanSolids, 1e4, true, false },
    { "neo-Hookean distorted trilinear hexahedra", BuildTrilinearSolids, 1e4, true, false },
    { "turned boxes of three edges", BuildTurnedBoxes, 1e4, true, false },
    { "angles in a hexagonal sheet", BuildAuxeticAngles, 1e4, true, false },
    { "angles in a square sheet", BuildRightAngles, 1e4, true, false },
    { "angles in the plane", BuildFlatAngles, 1e4, true, false },
    { "angles in any triangles", BuildMixedAngles, 1e4, true, false },
    { "Cooper's repulsion in cells", BuildCooperCells, 1e4, true, false },
    { "stiff repulsion in cells", BuildStiffCells, 1e4, true, false },
    { "Cooper's repulsion in tetrahedra", BuildCooperTetrahedra, 1e4, true, false },
    { "stiff repulsion in tetrahedra", BuildStiffTetrahedra, 1e4, true, false },
    { "Cooper's repulsion in a sheet", BuildCooperTriangles, 1e4, true, false },
    { "stiff repulsion in a sheet", BuildStiffTriangles, 1e4, true, false },
    { "Cooper's repulsion in the plane", BuildFlatCooper, 1e4, true, false },
    { "stiff repulsion in the plane", BuildFlatStiff, 1e4, true, false },
    { "centroid springs in a sheet", BuildCentroidTriangles, 1e4, true, false },
    { "centroid springs in the plane", BuildFlatCentroids, 1e4, true, false },
    { "centroid springs in tetrahedra", BuildCentroidTetrahedra, 1e4, true, false },
};
enum
{
    CASES = sizeof cases / sizeof *cases
};

#include "term_states.h"
