// SPDX-License-Identifier: MIT
//
// motions.h: small spaces of motions, each given by a few numbers, and the parts of them on which a quadratic form is
// large or zero.

#pragma once

#include <stdbool.h>

enum
{
    RSL_MOTIONS = 9  // numbers a motion may have
};

// A symmetric form on motions.
typedef struct rslForm
{
    double at[RSL_MOTIONS][RSL_MOTIONS];
} rslForm;

// m[k] is the k-th motion.
typedef struct rslMotions
{
    int size, count;
    double m[RSL_MOTIONS][RSL_MOTIONS];
} rslMotions;

// All motions of so many numbers.
rslMotions rslMotions_All(int size);

// Combinations of some motions: eigenvectors of a form on them with values above the bar, scaled to 1, or not above it,
// as they are.
rslMotions rslMotions_Above(const rslMotions* from, const rslForm* form, double bar);
rslMotions rslMotions_Below(const rslMotions* from, const rslForm* form, double bar);
