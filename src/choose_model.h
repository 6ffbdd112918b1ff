// SPDX-License-Identifier: MIT
//
// choose_model.h: which models a body can have.

#pragma once

#include "resilin/scene.h"

// What of a body a model of elements cannot stand beside, and what to write instead; NULL: nothing.
const char* rslElements_Beside(const rslBodyDef* body, rslModelType model, const char** expected);
