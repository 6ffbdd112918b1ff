// SPDX-License-Identifier: MIT
//
// series.c: the list of the frames of a series, for ParaView.

#include "series.h"

#include "path.h"
#include "resilin/export.h"

#include <stdlib.h>

rslStatus cliSeries_Write(const char* directory, const char* kind, const double* frameTimes, int frames,
                          rslReport* report)
{
    typedef char fileName[32];
    size_t count = (size_t)frames;
    fileName* names = calloc(count + 1, sizeof(fileName));
    const char** files = calloc(count + 1, sizeof(char*));
    double* times = calloc(count + 1, sizeof(double));
    rslStatus status = rsl_outOfMemory;
    if (names != NULL && files != NULL && times != NULL)
    {
        int listed = 0;
        for (int i = 0; i < frames; ++i)
        {
            snprintf(names[i], sizeof names[i], "%s_%06d.vtu", kind, i);
            if (cliPath_Exists(cliPath_Join(directory, "%s", names[i]).text))
            {
                times[listed] = frameTimes[i];
                files[listed++] = names[i];
            }
        }
        status = rslPvd_Write(cliPath_Join(directory, "%s.pvd", kind).text, files, times, listed, report);
    }
    free(names);
    free(files);
    free(times);
    return status;
}
