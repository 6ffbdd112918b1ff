// SPDX-License-Identifier: MIT
//
// integrate.h: the integrators, one file each, and the two moves they are made of.

#pragma once

#include "kernel.h"

// One step: advances displacements, velocities, frames and the step count, with constraints met at the end. Returns the
// powers during the step.
typedef Powers Integrator(Kernel* kernel, rslState* state);

Powers RSL_NAME(rslForwardEuler)(Kernel* kernel, rslState* state);
Powers RSL_NAME(rslSymplecticEuler)(Kernel* kernel, rslState* state);
Powers RSL_NAME(rslPositionVerlet)(Kernel* kernel, rslState* state);
Powers RSL_NAME(rslVelocityVerlet)(Kernel* kernel, rslState* state);

// The step of position Verlet from its middle on, where nodes are: what follows half a drift.
Powers RSL_NAME(rslPositionVerlet_Finish)(Kernel* kernel, rslState* state);

// u += time w
void RSL_NAME(rslDrift)(Kernel* kernel, const View* view, double time);

// w += time force / m
void RSL_NAME(rslKick)(Kernel* kernel, const View* view, double time);

// Friction, after every kick, for as long: of all that rubs. Heat and work go into the account, unless it is NULL.
void RSL_NAME(rslRub)(Kernel* kernel, const View* view, double time, rslAccount* account);

// Both; or the kick and impulses at collisions, where these are what keeps things apart. Places are those at a time, and the kick lasts
// as long as a step or as another one.
void RSL_NAME(rslKickAndTouch)(Kernel* kernel, const View* view, rslState* state, double time, double kick);

// The drift after that, with what dampers have taken by then.
void RSL_NAME(rslDriftAfter)(Kernel* kernel, const View* view, double time, double kick, rslAccount* account);

// Move the frames on by one step and count it.
void RSL_NAME(rslAdvance)(Kernel* kernel, rslState* state);
