// SPDX-License-Identifier: MIT
//
// membrane.h: the membrane of Lloyd et al., held at its bottom and pushed: how its top swings.

#pragma once

#include "reproduce.h"

// What holds it together.
typedef enum cliMembraneModel
{
    cli_springMembrane,  // as sheets have them: E h A / L^2 in each triangle
    cli_angleMembrane,   // springs and angular springs
    cli_linearMembrane,  // linear finite elements
    cli_lloydMembrane,   // springs with Lloyd's constants, whatever the triangles are
} cliMembraneModel;

typedef struct cliMembrane
{
    cliMembraneModel model;
    int cells[2];       // of equilateral triangles: along the base, rows
    double side;        // of them [m]
    int seed;           // 0: equilateral; else nodes inside are moved by up to a quarter of a side
    double push;        // body force over mass, up [m/s2]
    bool pulse;         // for 0.2 s; else for good
    double damping[2];  // alpha0 [1/s], alpha1 [s]
    bool repels;
    double duration;  // [s]
    bool coarse;      // steps of 2.5 ms instead of 0.5
} cliMembrane;

// The one of the paper's figures, as far as it is stated.
cliMembrane cliMembrane_Default(void);
double cliMembrane_Height(const cliMembrane* membrane);

typedef struct cliSwing
{
    int count;
    double *time, *tip;  // [s], of the top over the height; to be freed by cliSwing_Free
    double peak;         // of them, the largest size
    double period;       // over all cycles [s]
    double decay;        // rate of it [1/s]
    double least;        // area of a triangle over that at rest; NaN where it was not looked at
    bool collapsed;      // it ended there
} cliSwing;

// Run it. Looking at areas costs time, and ends the run where one vanishes. False: the study has failed.
bool cliMembrane_Swing(const cliMembrane* membrane, cliStudy* study, bool look, const char* caption, cliSwing* swing);
void cliSwing_Free(cliSwing* swing);

// What linear elements pushed harder do.
void cliSwing_Scale(cliSwing* swing, double factor);

void cliSwing_Plot(const cliSwing* swing, cliPanel* panel, const char* name, cliStyle style);
