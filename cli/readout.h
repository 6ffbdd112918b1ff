// SPDX-License-Identifier: MIT
//
// readout.h: the numbers that tables hold: energies and probes of a state, with the names of their columns.

#pragma once

#include "loaded.h"

enum
{
    CLI_ENERGY_COLUMNS = 23,
};

// "kinetic [J]"; the last one is the volume, in two dimensions the area. NULL: of any scene in three dimensions.
const char* cliEnergy_Name(const cliLoaded* loaded, int column);
void cliEnergy_Row(const cliLoaded* loaded, double row[CLI_ENERGY_COLUMNS]);

typedef struct cliProbes
{
    rslProbes* list;  // NULL without any
} cliProbes;

// The probes of the scene. Close them in any case.
rslStatus cliProbes_Open(cliProbes* probes, const cliLoaded* loaded, rslReport* report);
void cliProbes_Close(cliProbes* probes);

int cliProbes_ColumnCount(const cliProbes* probes);
void cliProbes_Name(const cliProbes* probes, int column, char* text, size_t capacity);  // "tip x [m]"
void cliProbes_Recall(const cliProbes* probes, double time, const double* row);         // rslProbes_Recall
void cliProbes_Row(const cliProbes* probes, const cliLoaded* loaded, double* row);      // NaN when out of memory
