// SPDX-License-Identifier: MIT
//
// units.h: what a number with a unit suffix would be in SI. Scene files hold plain SI numbers; this is for messages.

#pragma once

#include "resilin/base.h"

typedef enum rslUnitResult
{
    rsl_unitKnown,    // the SI value is given
    rsl_unitOther,    // a unit of another quantity; its name is given
    rsl_unitUnknown,  // a number followed by something
    rsl_unitNone,     // not a number followed by something
} rslUnitResult;

// Look at a text such as "10 kPa" for a value in the given SI unit ("" for a plain ratio).
rslUnitResult rslUnit_Convert(const char* text, const char* unit, double* value, const char** quantity);
