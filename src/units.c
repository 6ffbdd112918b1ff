// SPDX-License-Identifier: MIT
//
// units.c: see units.h.

#include "units.h"

#include "text.h"

#include <string.h>

typedef struct UnitRow
{
    const char* suffix;  // without spaces, ^ and *; u for micro
    const char* unit;    // SI, as in the scene's table
    double multiply, divide;
} UnitRow;

static const UnitRow rows[] = {
    { "m", "m", 1, 1 },
    { "mm", "m", 1, 1e3 },
    { "cm", "m", 1, 100 },
    { "dm", "m", 1, 10 },
    { "km", "m", 1e3, 1 },
    { "um", "m", 1, 1e6 },
    { "nm", "m", 1, 1e9 },
    { "in", "m", 0.0254, 1 },
    { "inch", "m", 0.0254, 1 },
    { "ft", "m", 0.3048, 1 },
    { "kg", "kg", 1, 1 },
    { "g", "kg", 1, 1e3 },
    { "mg", "kg", 1, 1e6 },
    { "t", "kg", 1e3, 1 },
    { "lb", "kg", 0.45359237, 1 },
    { "Pa", "Pa", 1, 1 },
    { "kPa", "Pa", 1e3, 1 },
    { "MPa", "Pa", 1e6, 1 },
    { "GPa", "Pa", 1e9, 1 },
    { "hPa", "Pa", 100, 1 },
    { "mbar", "Pa", 100, 1 },
    { "bar", "Pa", 1e5, 1 },
    { "psi", "Pa", 6894.757293168, 1 },
    { "atm", "Pa", 101325, 1 },
    { "mmHg", "Pa", 133.322387415, 1 },
    { "N/m2", "Pa", 1, 1 },
    { "N/mm2", "Pa", 1e6, 1 },
    { "s", "s", 1, 1 },
    { "sec", "s", 1, 1 },
    { "ms", "s", 1, 1e3 },
    { "us", "s", 1, 1e6 },
    { "ns", "s", 1, 1e9 },
    { "min", "s", 60, 1 },
    { "h", "s", 3600, 1 },
    { "N", "N", 1, 1 },
    { "mN", "N", 1, 1e3 },
    { "kN", "N", 1e3, 1 },
    { "MN", "N", 1e6, 1 },
    { "kg/m3", "kg/m3", 1, 1 },
    { "g/cm3", "kg/m3", 1e3, 1 },
    { "g/ml", "kg/m3", 1e3, 1 },
    { "kg/l", "kg/m3", 1e3, 1 },
    { "g/l", "kg/m3", 1, 1 },
    { "t/m3", "kg/m3", 1e3, 1 },
    { "deg", "deg", 1, 1 },
    { "degrees", "deg", 1, 1 },
    { "\xc2\xb0", "deg", 1, 1 },
    { "rad", "deg", 57.29577951308232, 1 },
    { "turn", "deg", 360, 1 },
    { "m/s", "m/s", 1, 1 },
    { "cm/s", "m/s", 1, 100 },
    { "mm/s", "m/s", 1, 1e3 },
    { "km/h", "m/s", 1, 3.6 },
    { "kph", "m/s", 1, 3.6 },
    { "mph", "m/s", 0.44704, 1 },
    { "Hz", "Hz", 1, 1 },
    { "kHz", "Hz", 1e3, 1 },
    { "MHz", "Hz", 1e6, 1 },
    { "1/s", "1/s", 1, 1 },
    { "/s", "1/s", 1, 1 },
    { "Hz", "1/s", 1, 1 },
    { "fps", "1/s", 1, 1 },
    { "N/m", "N/m", 1, 1 },
    { "mN/m", "N/m", 1, 1e3 },
    { "N/mm", "N/m", 1e3, 1 },
    { "N/cm", "N/m", 100, 1 },
    { "kN/m", "N/m", 1e3, 1 },
    { "Ns/m", "N s/m", 1, 1 },
    { "kg/s", "N s/m", 1, 1 },
    { "m/s2", "m/s2", 1, 1 },
    { "m/s/s", "m/s2", 1, 1 },
    { "g", "m/s2", 9.80665, 1 },
    { "deg/s", "deg/s", 1, 1 },
    { "rad/s", "deg/s", 57.29577951308232, 1 },
    { "rpm", "deg/s", 6, 1 },
    { "%", "", 1, 100 },
};

static const struct
{
    const char *unit, *name;
} quantities[] = {
    { "m", "length" },
    { "kg", "mass" },
    { "Pa", "pressure or modulus" },
    { "s", "time" },
    { "N", "force" },
    { "kg/m3", "density" },
    { "deg", "angle" },
    { "m/s", "velocity" },
    { "Hz", "frequency" },
    { "1/s", "rate" },
    { "N/m", "stiffness" },
    { "N s/m", "damping" },
    { "m/s2", "acceleration" },
    { "deg/s", "angular velocity" },
    { "", "ratio" },
};

// Drop what people write in several ways: spaces, ^, *, the point of a product, the signs for micro, squared, cubed.
static void Normalize(const char* text, char* plain, size_t capacity)
{
    static const struct
    {
        const char *from, *to;
    } signs[] = {
        { "\xc2\xb5", "u" }, { "\xce\xbc", "u" }, { "\xc2\xb2", "2" }, { "\xc2\xb3", "3" }, { "\xc2\xb7", "" }
    };
    rslText out = rslText_Make(plain, capacity);
    while (*text != 0)
    {
        bool replaced = *text == ' ' || *text == '^' || *text == '*';
        size_t used = 1;
        for (size_t i = 0; !replaced && i < sizeof signs / sizeof signs[0]; ++i)
        {
            if (strncmp(text, signs[i].from, 2) == 0)
            {
                rslText_Append(&out, signs[i].to);
                used = 2;
                replaced = true;
            }
        }
        if (!replaced)
        {
            rslText_AppendBytes(&out, text, 1);
        }
        text += used;
    }
}

static const char* QuantityOf(const char* unit)
{
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; ++i)
    {
        if (strcmp(quantities[i].unit, unit) == 0)
        {
            return quantities[i].name;
        }
    }
    return "other quantity";
}

rslUnitResult rslUnit_Convert(const char* text, const char* unit, double* value, const char** quantity)
{
    size_t span = rslNumber_Span(text);
    char number[64], suffix[32];
    if (span == 0 || span >= sizeof number || text[span] == 0)
    {
        return rsl_unitNone;
    }
    memcpy(number, text, span);
    number[span] = 0;
    Normalize(text + span, suffix, sizeof suffix);
    double x;
    if (rslNumber_Parse(number, &x) != rsl_numberOk)
    {
        return rsl_unitUnknown;
    }
    *quantity = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
    {
        if (strcmp(rows[i].suffix, suffix) != 0)
        {
            continue;
        }
        if (strcmp(rows[i].unit, unit) == 0)
        {
            *value = x * rows[i].multiply / rows[i].divide;
            return rsl_unitKnown;
        }
        *quantity = QuantityOf(rows[i].unit);
    }
    return *quantity != NULL ? rsl_unitOther : rsl_unitUnknown;
}
