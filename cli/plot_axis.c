// SPDX-License-Identifier: MIT
//
// plot_axis.c: the range of an axis and round values on it.

#include "plot_data.h"

#include <math.h>
#include <string.h>

void cliPower_Text(int exponent, char* text, size_t capacity)
{
    static const char* const figures[] = { "\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                           "\u2075", "\u2076", "\u2077", "\u2078", "\u2079" };
    char digits[16];
    snprintf(digits, sizeof digits, "%d", exponent < 0 ? -exponent : exponent);
    snprintf(text, capacity, "10%s", exponent < 0 ? "\u207b" : "");
    for (const char* d = digits; *d != 0; ++d)
    {
        size_t used = strlen(text);
        snprintf(text + used, capacity - used, "%s", figures[*d - '0']);
    }
}

double cliScale_At(const cliScale* scale, double value)
{
    if (!scale->log)
    {
        return (value - scale->low) / (scale->high - scale->low);
    }
    return value > 0 ? (log10(value) - log10(scale->low)) / (log10(scale->high) - log10(scale->low)) : NAN;
}

// 1, 2 or 5 times a power of ten: the step that gives five or six ticks.
static double NiceStep(double span)
{
    double rough = span / 5.5;
    double power = pow(10, floor(log10(rough)));
    double digit = rough / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

// ---- linear ---------------------------------------------------------------------------------------------------------

static void AddTick(cliScale* scale, double value, const char* label)
{
    if (scale->count < CLI_TICKS)
    {
        scale->tick[scale->count] = value;
        snprintf(scale->label[scale->count], sizeof scale->label[0], "%s", label);
        scale->count += 1;
    }
}

static void MarkLinear(cliScale* scale)
{
    double step = NiceStep(scale->high - scale->low);
    double largest = fmax(fabs(scale->low), fabs(scale->high));
    int magnitude = (int)floor(log10(largest) + 1e-9);
    scale->exponent = magnitude >= 5 || magnitude <= -3 ? magnitude : 0;
    double unit = pow(10, scale->exponent);
    int decimals = (int)fmax(0, fmin(12, ceil(-log10(step / unit) - 1e-6)));
    double first = ceil(scale->low / step - 1e-6), last = floor(scale->high / step + 1e-6);
    for (double n = first; n <= last; n += 1)
    {
        char label[24];
        double value = n == 0 ? 0 : n * step;
        snprintf(label, sizeof label, "%.*f", decimals, value / unit);
        AddTick(scale, value, label);
    }
}

// Room around the values; a range of next to no width, whose labels would all be long and alike, gets one.
static void WidenLinear(cliScale* scale, const cliAxis* axis)
{
    double span = scale->high - scale->low;
    if (!(span > 1e-5 * fmax(fabs(scale->low), fabs(scale->high))))
    {
        span = scale->high != 0 ? 0.2 * fabs(scale->high) : 2;
        scale->low -= isfinite(axis->low) ? 0 : span / 2;
        scale->high += span / 2;
        return;
    }
    bool fromZero = scale->low >= 0 && scale->low < 0.1 * scale->high;  // an axis that nearly starts at zero does
    scale->low = isfinite(axis->low) ? scale->low : fromZero ? 0 : scale->low - 0.05 * span;
    scale->high += isfinite(axis->high) ? 0 : 0.05 * span;
}

// ---- logarithmic ----------------------------------------------------------------------------------------------------

static void MarkLog(cliScale* scale)
{
    double low = log10(scale->low), high = log10(scale->high);
    double decades = high - low;
    int every = (int)ceil(decades / 8);
    for (int e = (int)floor(low); e <= (int)ceil(high); ++e)
    {
        static const double digits[] = { 1, 2, 5 };
        for (int d = 0; d < (decades < 2.2 ? 3 : 1); ++d)
        {
            double value = digits[d] * pow(10, e);
            char label[64], power[40];
            cliPower_Text(e, power, sizeof power);
            bool plain = low > -2.5 && high < 4.1;  // all labels or none
            char digit[20];
            snprintf(digit, sizeof digit, "%g\u00b7", digits[d]);
            snprintf(label, sizeof label, "%s%s", d == 0 ? "" : digit, power);
            if (plain)
            {
                snprintf(label, sizeof label, "%g", value);
            }
            double place = log10(value);
            if (place >= low - 1e-9 && place <= high + 1e-9)
            {
                AddTick(scale, value, (e % every) == 0 ? label : "");
            }
        }
    }
}

static void WidenLog(cliScale* scale, const cliAxis* axis)
{
    double span = log10(scale->high / scale->low);
    double room = span > 1e-9 ? pow(10, 0.05 * span) : 2;
    scale->low /= isfinite(axis->low) ? 1 : room;
    scale->high *= isfinite(axis->high) ? 1 : room;
}

cliScale cliScale_Make(const cliAxis* axis, double low, double high)
{
    cliScale scale = { .log = axis->log };
    scale.low = isfinite(axis->low) ? axis->low : low;
    scale.high = isfinite(axis->high) ? axis->high : high;
    bool usable = isfinite(scale.low) && isfinite(scale.high) && scale.low <= scale.high;
    if (!usable || (scale.log && !(scale.low > 0)))
    {
        scale.low = scale.log ? 1 : 0;
        scale.high = scale.log ? 10 : 1;
    }
    if (scale.log)
    {
        WidenLog(&scale, axis);
        MarkLog(&scale);
    }
    else
    {
        WidenLinear(&scale, axis);
        MarkLinear(&scale);
    }
    return scale;
}
