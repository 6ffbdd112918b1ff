// SPDX-License-Identifier: MIT
//
// touch_scheme.h: which scheme keeps things apart that touch, and which integrators it goes with.

#pragma once

#include "collision.h"

// That of a model. One that was built for an integrator without impulses has no skins, and keeps its penalties.
rslTouchScheme rslModel_TouchScheme(const rslModel* model, rslIntegrator integrator);

// Can a body touch another one, or itself?
bool rslModel_BodiesTouch(const rslModel* model);

// What is said where they can and penalties are all there is.
extern const char rslPenaltyRefusal[];

// Impulses at collisions, once a step (respond.h), instead of forces.
bool rslTouchScheme_IsImpulse(rslTouchScheme scheme);

// What is wrong with a scheme that was asked for and an integrator, with a way out; NULL: nothing.
const char* rslTouchScheme_Refusal(rslTouchScheme asked, rslIntegrator integrator);

// Does what keeps things apart go with an integrator, and has it what it needs? False: what is wrong is in the report.
bool rslModel_CanTouch(const rslModel* model, rslIntegrator integrator, rslPlace place, rslReport* report);
