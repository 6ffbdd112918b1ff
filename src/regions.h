// SPDX-License-Identifier: MIT
//
// regions.h: parts of a body that are made of other materials.
//
// Material 0 is that of the body, material r that of region r; where regions overlap, the later one counts.

#pragma once

#include "antialias.h"
#include "build.h"

// Cells of a lattice: what they are filled with beside how much. Scratch but for what the lattice keeps.
typedef struct rslCellMix
{
    double* density;  // of every cell: weight times density [kg/m3]
    double* spread;   // stiffness times the q of dispersion, or of bricks Poisson's ratio; NULL: that of the body
    double* drag;     // weight times density times alpha0; NULL: alpha0 is that of the body
} rslCellMix;

void rslCellMix_Free(rslCellMix* mix, const rslHooks* hooks);

// Fill the stiffness and damping of the cells of a lattice whose weights are known, and a mix for its masses. Cells that regions
// cut, with anti-aliasing, have the mean of the materials by volume; without, the material at their centre.
rslStatus rslRegions_FillCells(rslBuild* build, const rslBodyDef* def, const rslGrid* grid, rslBody* body,
                               rslCellMix* mix);

// Masses, volumes and damping of the nodes, once there are nodes.
rslStatus rslRegions_FillNodes(rslBuild* build, const rslCellMix* mix, rslBody* body, double* mass);

// Turn the springs and masses of a network made of the body's material into those of its regions: a node is of the material
// where it lies, a spring is two halves in series, each of the material of its end, with the mean of their damping.
rslStatus rslRegions_FillDraft(rslBuild* build, const rslBodyDef* def, const rslDraft* draft, rslBody* body);
