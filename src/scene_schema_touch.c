// SPDX-License-Identifier: MIT
//
// scene_schema_touch.c: the table of `contact:`, how things touch.

#include "scene_table.h"

// clang-format off

static const rslWord schemes[] = {
    { "auto", rsl_autoScheme, "predictive with position_verlet and symplectic_euler, barrier with implicit integrators, else penalty; static: penalty of colliders, a barrier between bodies" },
    { "predictive", rsl_predictiveScheme, "impulses before anything overlaps, remembered from step to step; explicit integrators" },
    { "plain", rsl_plainScheme, "Kot's first: an impulse where things overlap; explicit integrators" },
    { "overlap", rsl_overlapScheme, "Kot's second: half of each impulse a step later; explicit integrators" },
    { "overlap_unequal", rsl_unequalOverlapScheme, "the same with unequal shares; explicit integrators" },
    { "reflection", rsl_reflectionScheme, "impulses found all together, once now and once a step later; explicit integrators" },
    { "penalty", rsl_penaltyScheme, "colliders push out what overlaps them as springs do; all integrators" },
    { "barrier", rsl_barrierScheme, "nothing ever overlaps; implicit integrators" },
    { NULL, 0, NULL },
};

static const rslWord pairs[] = {
    { "listed", rsl_listedPairs, "those in 'contacts'" },
    { "all", rsl_allPairs, "every two, but for those that are welded or joined" },
    { NULL, 0, NULL },
};

static const rslWord overlaps[] = {
    { "refuse", rsl_refuseOverlap, "an error, with the depth and the place" },
    { "separate", rsl_separateOverlap, "bodies are moved apart before the start" },
    { "allow", rsl_allowOverlap, "they are pushed apart in the first steps" },
    { NULL, 0, NULL },
};

static const rslKey keys[] = {
    { "scheme", rsl_enumKey, AT(rslTouchDef, scheme), .words = schemes, .text = "How what touches is kept apart." },
    { "bodies", rsl_enumKey, AT(rslTouchDef, pairs), .words = pairs, .text = "Which bodies touch each other." },
    { "self", rsl_boolKey, AT(rslTouchDef, self), .text = "Whether every body with a surface touches itself." },
    { "friction", rsl_numberKey, AT(rslTouchDef, friction), .range = NOT_NEGATIVE, .unit = "",
      .text = "Coefficient of Coulomb's friction of pairs of bodies that say nothing." },
    { "restitution", rsl_numberKey, AT(rslTouchDef, restitution), .range = BETWEEN(0.0, 1.0), .unit = "",
      .text = "How much of its speed an impact of a node gives back at once, of all that say nothing; what a body loses is up to its damping. With a barrier it holds for rigid bodies, and soft ones jump by their own spring; penalties have none." },
    { "sweeps", rsl_integerKey, AT(rslTouchDef, sweeps), .range = BETWEEN(1.0, 1000.0),
      .text = "Passes over all touches in a step, of schemes with impulses." },
    { "overlap", rsl_enumKey, AT(rslTouchDef, overlap), .words = overlaps,
      .text = "What is done about things that overlap at the start." },
};

static void Defaults(void* out)
{
    *(rslTouchDef*)out = rslDefaultTouchDef();
}

const rslStruct rslTouchStruct = {
    .name = "touch", .title = "how things touch", .size = sizeof(rslTouchDef), .placed = true, .keys = keys,
    .keyCount = COUNT_OF(keys), .lead = -1, .brief = -1, .defaults = Defaults,
    .text = "How bodies touch colliders, each other and themselves.",
};
