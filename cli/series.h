// SPDX-License-Identifier: MIT
//
// series.h: the list of the frames of a series, for ParaView.

#pragma once

#include "resilin/base.h"

// KIND.pvd of the files KIND_000000.vtu, ... that are there; the frames have these times [s].
rslStatus cliSeries_Write(const char* directory, const char* kind, const double* times, int count, rslReport* report);
