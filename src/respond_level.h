// SPDX-License-Identifier: MIT
//
// respond_level.h: touches that all push along one direction, without friction, as on level ground: everything that happens at them is a
// number along that direction n.
//
//   u = sum w_i n.v_i - n.v_collider,   l' = max(0, l - (u - b) / d),   n.v_i += (w_i / m_i) (l' - l)
//
// The phases are those of respond.h, the sweeps those of respond_sweep.c; only what is written down of a touch is less. Which way a step is
// answered follows from its collisions alone.

#pragma once

#include "respond_set.h"

// Four nodes that move, at a touch: w, w / m, which.
typedef struct rslLevelFour
{
    double weight[4], give[4];
    int mover[4];
} rslLevelFour;

// A node as touches are gathered.
typedef struct rslLevelMover
{
    uint64_t used;  // colours
    double yield;   // 1 / m
    int last;       // the last touch that it is part of, and one
    int at;         // its number by group
} rslLevelMover;

// What a row is of: which touch, where its nodes are, and how many. Rows, spots and fours are for who answers their group alone; this and
// the end of it are what else is read or written of them.
typedef struct rslLevelPlace
{
    int touch, four, count;
} rslLevelPlace;

// A touch as it is swept: a line of the cache.
typedef struct rslLevelRow
{
    double press, bound, inverse, belt;  // l, b, 1 / d, n.v_collider
    double square;                       // of the last change
    double push, wanted;                 // of places
    int four;
    uint16_t count;
    bool skipped;
} rslLevelRow;

_Static_assert(sizeof(rslLevelRow) == 64, "a row is a line of the cache");

// What else is known of it: u without the kick and by it alone, before a solve, at the end; impulse of the impact phase.
typedef struct rslLevelSpot
{
    double before, kick, start, after, impact;
    double gap, restitution;
    int touch;
    int parent;  // of those that close
    bool closing, bounces;
} rslLevelSpot;

// What comes of it: impulses of the step and of its contact phase, u before and at the end together, n.v_collider.
typedef struct rslLevelEnd
{
    double whole, press, twice, belt;
} rslLevelEnd;

// Touches in the order of keys.
typedef struct rslLevelTouch
{
    int part, count;
    int parent, group, colour;
    int row;
    int begin, listed;  // of its collision
} rslLevelTouch;

typedef struct rslLevel
{
    rslVec3 n;
    rslLevelTouch* touches;
    int* parts;           // movers of touches, in the order of keys
    int* partNodes;       // nodes of collisions and their weights, as they were listed
    double* partWeights;  // when touches were gathered;
    const int* lender;    // or the nodes of whom these were lent
    rslLevelFour* fours;
    rslLevelMover* movers;
    rslLevelPlace* places;  // by group, colour and key
    rslLevelRow* rows;      // likewise
    rslLevelSpot* spots;
    rslLevelEnd* ends;
    double* past;                      // impulses of the contact phase of the step before, to begin with
    double (*sums)[2];                 // of groups of those that close
    double *v, *kick, *lift, *dx, *y;  // of movers, by group: along n
    int* last;                         // likewise, scratch
    int *nodes, *start, *moverStart;   // contact nodes of movers; rows and movers of every group
    int* order;                        // touches by colour; then groups, as they are answered
    int *next, *busy;                  // scratch
    int count, partCount, moverCount, groupCount, listed;
    bool known;    // all that follows from these alone is, of the step before
    bool fits;     // all touches of this step are of this kind
    bool starved;  // there was no memory for them
    bool kept;     // and is the same in this one
    bool eights;   // all touches have eight nodes
    size_t touchCapacity, partCapacity, fourCapacity;
} rslLevel;

bool rslLevel_Make(rslLevel* level, const rslHooks* hooks, int nodeCount);
void rslLevel_Free(rslLevel* level, const rslHooks* hooks);
size_t rslLevel_Bytes(const rslLevel* level, int nodeCount);

// Room for so many touches with so many nodes. False when out of memory.
bool rslLevel_Reserve(rslLevel* level, const rslHooks* hooks, size_t touches, size_t parts);

// The touches of a step, in groups and rows: those of the step before if the same nodes touch with the same weights.
void rslLevel_Gather(rslRespond* respond);

// Which of them the state remembers; all phases; what comes of them.
void rslLevel_Answer(rslRespond* respond, rslResponse* out, rslState* state);

// The phases of a group.
void rslLevel_AnswerGroup(const rslRespond* respond, int group);
