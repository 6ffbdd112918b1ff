// SPDX-License-Identifier: MIT
//
// export_pvd.c: the list of frames with their times that ParaView opens as one animation.

#include "file.h"
#include "resilin/export.h"
#include "text.h"

#include <math.h>

static const char* Escape(char c)
{
    switch (c)
    {
        case '&': return "&amp;";
        case '<': return "&lt;";
        case '>': return "&gt;";
        case '"': return "&quot;";
        case '\n': return "&#10;";
        case '\t': return "&#9;";
        case '\r': return "&#13;";
        default: return NULL;
    }
}

// An attribute's value. The other control characters have no place in XML, not even escaped.
static void PutEscaped(rslFileStream* stream, const char* text)
{
    for (; *text != 0; ++text)
    {
        const char* escape = Escape(*text);
        if (escape != NULL)
        {
            rslFileStream_Text(stream, escape);
        }
        else
        {
            bool control = (unsigned char)*text < 0x20;
            rslFileStream_Put(stream, control ? "?" : text, 1);
        }
    }
}

static void PutEntry(rslFileStream* stream, double time, const char* file)
{
    char number[RSL_NUMBER_CAPACITY];
    rslNumber_Print(time, number);
    rslFileStream_Text(stream, "<DataSet timestep=\"");
    rslFileStream_Text(stream, number);
    rslFileStream_Text(stream, "\" part=\"0\" file=\"");
    PutEscaped(stream, file);
    rslFileStream_Text(stream, "\"/>\n");
}

rslStatus rslPvd_Write(const char* path, const char* const* files, const double* times, int count, rslReport* report)
{
    for (int i = 0; i < count; ++i)
    {
        if (!isfinite(times[i]))
        {
            rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%.300s: the time of frame %d is not finite", path, i);
            return rsl_badInput;
        }
    }
    rslFileStream stream;
    rslStatus status = rslFileStream_Open(&stream, path, report);
    if (status != rsl_ok)
    {
        return status;
    }
    rslFileStream_Text(&stream,
                       "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
    for (int i = 0; i < count; ++i)
    {
        PutEntry(&stream, times[i], files[i]);
    }
    rslFileStream_Text(&stream, "</Collection>\n</VTKFile>\n");
    return rslFileStream_Commit(&stream, report);
}
