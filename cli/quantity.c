// SPDX-License-Identifier: MIT
//
// quantity.c: one figure of an experiment: its error, and what is thought of it.

#include "study.h"

#include <math.h>
#include <stdarg.h>

cliQuantity cliQuantity_Make(double ours, const char* unit, const char* nameFormat, ...)
{
    cliQuantity q = {
        .ours = ours,
        .published = NAN,
        .uncertainty = NAN,
        .reference = NAN,
        .bar = NAN,
        .lowest = NAN,
        .highest = NAN,
    };
    snprintf(q.unit, sizeof q.unit, "%s", unit);
    va_list arguments;
    va_start(arguments, nameFormat);
    vsnprintf(q.name, sizeof q.name, nameFormat, arguments);
    va_end(arguments);
    return q;
}

void cliQuantity_Note(cliQuantity* quantity, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(quantity->note, sizeof quantity->note, format, arguments);
    va_end(arguments);
}

double cliQuantity_Error(const cliQuantity* q)
{
    double difference = q->ours - q->reference;
    return q->absolute || q->reference == 0 ? difference : difference / fabs(q->reference);
}

// a comparison with NaN is false, so figures that are not known pass no bar
cliVerdict cliQuantity_Pass(const cliQuantity* q)
{
    bool judged = false, pass = true;
    if (!isnan(q->bar))
    {
        judged = true;
        pass = pass && fabs(cliQuantity_Error(q)) <= q->bar;
    }
    if (!isnan(q->lowest))
    {
        judged = true;
        pass = pass && q->ours >= q->lowest;
    }
    if (!isnan(q->highest))
    {
        judged = true;
        pass = pass && q->ours <= q->highest;
    }
    return !judged ? cli_unjudged : pass ? cli_yes : cli_no;
}

cliVerdict cliQuantity_MatchesPublished(const cliQuantity* q)
{
    if (isnan(q->published) || isnan(q->uncertainty))
    {
        return cli_unjudged;
    }
    return fabs(q->ours - q->published) <= q->uncertainty ? cli_yes : cli_no;
}

cliVerdict cliStudy_Verdict(const cliStudy* study)
{
    cliVerdict verdict = study->failed ? cli_no : cli_unjudged;
    for (int i = 0; i < study->quantityCount && verdict != cli_no; ++i)
    {
        cliVerdict pass = cliQuantity_Pass(&study->quantities[i]);
        verdict = pass != cli_unjudged ? pass : verdict;
    }
    return verdict;
}

const char* cliVerdict_Word(cliVerdict verdict, const char* unjudged)
{
    return verdict == cli_yes ? "yes" : verdict == cli_no ? "no" : unjudged;
}

cliName cliNamed(const char* format, ...)
{
    cliName name;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name.text, sizeof name.text, format, arguments);
    va_end(arguments);
    return name;
}

cliName cliNumberText(double value)
{
    return isnan(value) ? cliNamed("-") : cliNamed("%.6g", value);
}

cliName cliQuantity_BarText(const cliQuantity* q)
{
    if (!isnan(q->bar))
    {
        return cliNamed("within %.4g", q->bar);
    }
    if (!isnan(q->lowest) && !isnan(q->highest))
    {
        return cliNamed("%.6g to %.6g", q->lowest, q->highest);
    }
    if (!isnan(q->lowest) || !isnan(q->highest))
    {
        bool most = isnan(q->lowest);
        return cliNamed(most ? "at most %.6g" : "at least %.6g", most ? q->highest : q->lowest);
    }
    return cliNamed("-");
}
