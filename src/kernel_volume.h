// SPDX-License-Identifier: MIT
//
// kernel_volume.h: what force_volume.c and hard_volume.c know of a body whose volume is kept.

#pragma once

#include "kernel_surface.h"

// Vectors are x y z of every vertex of the surface unless said otherwise. Of support springs, vertex v is node v of the body.
struct VolumeKernel
{
    SurfaceKernel surface;
    const rslEnclosed* enclosed;
    double rest;    // V0, as the kernel's rest positions have it
    double volume;  // V
    double factor;  // pressure: force on a node over the doubled areas around it
    double slope;   // pressure: d(factor) along a vector

    // support springs
    double mean;             // dL
    double plain;            // explicit: the mean of dl_i
    double beyond;           // explicit: what dL is more than that, at the state that it is frozen at
    double* restLength;      // l_i at rest
    double* aim;             // u_i at rest
    double* length;          // l_i
    double* direction;       // u_i
    double* push;            // force on each vertex, without reactions
    double* response;        // the same of -d(force) along a vector
    double* lightness;       // of every centre: 1 / mass of its vertices
    rslVec3* centres;        // where they are
    rslVec3* reactions;      // sum of push over the vertices of each centre
    rslVec3* movedCentres;   // along a vector
    rslVec3* moreReactions;  // likewise
    rslVec3* groups;         // sums of every block of vertices and every centre

    // hard; in implicit steps kv and a pressure on top
    double firmness, pressure;
    int chunkBegin, chunkEnd;  // of the body
    double pending;            // time of the drift that is not settled yet [s]; 0: none
    double rate;               // dV/dx . v before what touches pushes
    double* way;               // of every node of the body: M^-1 dV/dx where the drift started, and free to go there
    double* nodes;             // the same where it is now
};
