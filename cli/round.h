// SPDX-License-Identifier: MIT
//
// round.h: tessellated spheres, ellipsoids and domes as Vassilev and Spanlang have them, written into scenes.
//
// n slices about the y axis and n rings between two poles make 2 n^2 triangles and n^2 + 2 vertices: 578 and 1152 at n = 24. A dome has
// n / 2 rings, the last one on the table, and one pole.

#pragma once

#include "reproduce.h"

typedef struct cliRound
{
    int slices;       // n
    double radii[3];  // [m]
    bool dome;
} cliRound;

int cliRound_Vertices(const cliRound* round);
int cliRound_Triangles(const cliRound* round);

// Body 'ball' as a scene: an explicit network of the total mass 1 kg with springs of 20 N/m and dampers of 0.05 N s/m along the
// edges, and mass damping 2 1/s; rest of the text: what comes after the body, lines of its own keys first. False: the study has failed.
bool cliRound_WriteScene(const cliRound* round, cliStudy* study, const char* name, const char* rest);

// Its triangles as an OBJ file beside the scenes.
bool cliRound_WriteMesh(const cliRound* round, cliStudy* study, const char* name);

// Loads on both caps |y| > 0.9 of the highest, towards the middle: the force on each [N], shared by the areas that vertices stand
// for or the same for all, for 6 s. YAML items.
void cliRound_AddLoads(const cliRound* round, double force, bool byArea, char* text, size_t capacity);
