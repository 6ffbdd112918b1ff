// SPDX-License-Identifier: MIT
//
// template.h: the starter scenes of `resilin new`.

#pragma once

typedef struct cliTemplate
{
    const char* name;
    const char* brief;
    const char* text;  // the scene file
} cliTemplate;

// NULL after the last.
const cliTemplate* cliTemplate_At(int index);
