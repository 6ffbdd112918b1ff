// SPDX-License-Identifier: MIT
//
// respond_fast.h: motion so fast that things could pass each other within a step.
//
// Gaps at the places of a step say nothing then of what is met on the way. After the response to what is near (respond.h), the straight
// ways x to x + h v' are swept, and what meets on them first gets an impulse: with restitution its normal speed turned round, else
// 0.9 of the way to where they meet. What is left over after some rounds moves on together, as one lump.
//
// Quick is what goes farther than a little, and what impulses of earlier rounds have changed. Two that are not have been answered as what
// is near, so every way that is swept is one of something quick.

#pragma once

#include "collide.h"
#include "respond.h"

typedef struct rslFast rslFast;

// NULL when out of memory. Model and team must outlive it.
rslFast* rslFast_Create(const rslModel* model, const rslHooks* hooks, rslTeam* team);
void rslFast_Free(rslFast* fast);
size_t rslFast_Bytes(const rslFast* fast);

// Go on with a response: changes of all contact nodes are zero or those of it, and what is nearer than twice a little [m] was answered;
// below 0: every way is swept.
// Places are those at a time. rsl_outOfMemory: the step is not to be gone on from.
rslStatus rslFast_Step(rslFast* fast, rslCollide* collide, rslResponse* response, double time, double little,
                       rslState* state);
