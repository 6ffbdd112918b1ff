// SPDX-License-Identifier: MIT
//
// variant.h: the four lattices that chapter 5 of Kot's thesis compares.

#pragma once

#include "reproduce.h"

enum
{
    CLI_VARIANTS = 4,
};

typedef struct cliVariant
{
    const char* name;
    bool corner, antialias;
} cliVariant;

extern const cliVariant cliVariants[CLI_VARIANTS];

// Forget what was set, and choose the construction and whether cells are cut.
void cliVariant_Choose(const cliVariant* variant, cliStudy* study);
