// SPDX-License-Identifier: MIT
//
// export_pc2.h: reading a point cache back.

#pragma once

#include "resilin/export.h"

typedef struct rslPc2Info
{
    int descriptor;
    int vertexCount, frameCount;
} rslPc2Info;

// Open and check a cache. After success, end with rslPc2_CloseRead.
rslStatus rslPc2_OpenToRead(const char* path, rslPc2Info* info, rslReport* report);
bool rslPc2_ReadFrame(const rslPc2Info* info, int frame, float* vertices);  // 3 * vertexCount
void rslPc2_CloseRead(rslPc2Info* info);
