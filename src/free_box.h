// SPDX-License-Identifier: MIT
//
// free_box.h: the natural frequencies of a free box of an isotropic material: what a body that rings should sound like.

#pragma once

#include "resilin/base.h"

// The lowest count frequencies above zero [Hz], ascending. Upper bounds that converge fast: within 0.1 % for the first few
// of boxes up to 1 : 8. rsl_outOfMemory, else rsl_ok.
rslStatus rslFreeBox_Frequencies(rslVec3 size, double young, double poisson, double density, const rslHooks* hooks,
                                 double* frequencies, int count);
