// SPDX-License-Identifier: MIT
//
// impact_rule.h: explicit steps that are short enough for what hits something.

#pragma once

#include "respond.h"

typedef struct rslImpactRule
{
    const rslModel* model;
    double stable;      // step [s]; 0: nothing is asked for
    bool inert;         // rebounds need not be right
    double* durations;  // of every body: how long it is in touch with what it hits [s]; 0: rigid
    double* swings;     // the same where what an impact makes swing is not damped out by then, else 0
} rslImpactRule;

// How long a body that hits something is in touch with it [s]: a pressure wave goes there and back. INFINITY: not known.
double rslBody_TouchTime(const rslBody* body);

// Is a node of the body that was stopped at rest against its neighbours, by dampers, before the body leaves what it hit?
bool rslBody_DampsSwings(const rslBody* body);

// For how long steps have to be shorter than this one [s]: 0, it is short enough; INFINITY, until nothing has happened for a while. And for how
// long more steps that are short have to be, where they are, since something is hit in this one [s].
typedef struct rslImpactNeeds
{
    double asks, goesOn;
} rslImpactNeeds;

// Of all collisions, by velocities before the kick. Beside it the response is begun; respond NULL: it is not.
rslImpactNeeds rslImpactRule_Look(const rslImpactRule* rule, rslResponse* response, bool divided, rslRespond* respond,
                                  rslTeam* team);

// The first of them by what was met on ways: changes are those of the response to that.
double rslImpactRule_AsksOnWays(const rslImpactRule* rule, const rslResponse* response);

// Does anything touch that an impact makes swing?
bool rslImpactRule_Swings(const rslImpactRule* rule, const rslState* state);
