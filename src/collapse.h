// SPDX-License-Identifier: MIT
//
// collapse.h: a body that is not the inside of its surface any more.

#pragma once

typedef struct rslCollapse
{
    int body;
    int node;  // that has passed the centre of its support spring; -1: none
    double volume;
} rslCollapse;
