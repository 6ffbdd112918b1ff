// SPDX-License-Identifier: MIT
//
// http_file.h: which file answers a request: those below the page folder, and those of one scene.

#pragma once

#include "http_address.h"
#include "scene_files.h"

#include <stdint.h>

// All that may be asked for. It is only read.
typedef struct cliHttpSite
{
    const char* page;            // the folder
    const cliSceneFiles* scene;  // under /scene/; may be empty
    const cliAddress* address;   // that is listened at
} cliHttpSite;

// One that is open, at its beginning.
typedef struct cliHttpFile
{
    int descriptor;
    int64_t size;
    const char* type;  // Content-Type
} cliHttpFile;

// Open what a decoded path such as "/index.html" stands for. Returns the status of the answer; only with cli_httpOk there is a file,
// which the caller closes.
int cliHttpFile_Open(cliHttpFile* file, const cliHttpSite* site, const char* path);
