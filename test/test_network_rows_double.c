// SPDX-License-Identifier: MIT
//
// test_network_rows.c in double precision.

#define RSL_PRECISION 64
#include "test_network_rows.c"
