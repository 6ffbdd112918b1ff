// SPDX-License-Identifier: MIT
//
// respond_set.h: the touches of a step, as the files of respond_*.c share them.

#pragma once

#include "respond.h"

#include <math.h>

enum
{
    RSL_COLOURS = 64,  // beyond that one after the other
    RSL_COLOUR_LISTS = RSL_COLOURS + 1,
    RSL_PLACE_SWEEPS = 4,
    RSL_VERY_MANY = 4096,   // touches of a group: worth its colours
    RSL_WORTH_WAKING = 96,  // of all: worth waking others for
    RSL_QUIET_FROM = 64,    // of a group: fewer are swept until nothing changes
    RSL_OFTEN = 3,          // sweeps of which one is over all rows: there and back by turns
    RSL_PUSHED = -2         // in last
};

static const double rslSettled = 1e-14;    // change of an impulse over what it is
static const double rslLittlePart = 0.05;  // over the sweeps that are allowed
static const double rslCapture = 2.0;      // kappa

// A node that moves by itself.
typedef struct rslSpotPart
{
    double weight;  // w
    double give;    // w / m, of free touches
    int node;
} rslSpotPart;

// A velocity, or a shift, in four lanes.
typedef struct rslSpeed
{
    rslVec3 v;
    double none;  // 0
} rslSpeed;

// A rigid body: it moves the touch by s V + W x p, s and p the sums of w and w r over its nodes, r from its centre of mass.
typedef struct rslSpotArm
{
    int rigid;
    double weight;  // s
    rslVec3 arm;    // p
} rslSpotArm;

// K = sum w^2 / m I - p J^-1 p is what an impulse changes of u. Of nodes that nothing holds it is d I.
typedef struct rslSpot
{
    int collision;
    int partBegin, partEnd, armBegin, armEnd;
    int colour;
    int group, root;        // of touches that share what moves: its number, and the first of them
    bool free;              // K = d I
    bool loose;             // and nothing holds any of its nodes
    bool flat;              // or it yields along one direction across n alone
    bool closing, bounces;  // in the impact phase
    rslVec3 n, belt;        // normal, velocity of the collider
    double gap, friction, restitution;
    double d;              // n.K n
    double across;         // largest eigenvalue of K across n
    rslVec3 tilt;          // K n - d n
    rslVec3 stop[3];       // rows of the inverse of K across n, if it is not d I
    double bound, cone;    // of the solve that is under way
    double press;          // l_n of it
    rslVec3 rub;           // l_t of it
    rslVec3 before, kick;  // u without the kick, and by it alone
    rslVec3 start;         // u before the solve
    rslVec3 after;         // u at the end
    rslVec3 impact;        // impulse of the impact phase; of published schemes, all of it
    rslVec3 later;         // of published schemes: what is left for the next step
    double wanted, push;   // of places
    const double* kept;    // impulse of the contact phase of the step before; NULL: none
} rslSpot;

// A touch as it is swept (respond_rows.c): vectors are x y z 0.
typedef struct rslRow
{
    double n[4], belt[4], rub[4];
    double press, bound, cone, inverse;  // 1 / d
    double square;                       // of the last change
    double wanted, push;                 // of places
    int part, count;                     // in rowParts
    int touch;
    bool plain;  // free
    bool skipped, quiet;
} rslRow;

// Touches that share what moves.
typedef struct rslGroup
{
    int begin, end;  // of rows, and of touches by key
    int moverBegin, moverEnd;
    bool huge;  // it has all threads
} rslGroup;

typedef void rslGroupTask(rslRespond* respond, const rslGroup* group);

struct rslRespond
{
    rslHooks hooks;
    const rslModel* model;
    rslTeam* team;
    rslTouchScheme scheme;  // never auto
    int nodeCount;
    const rslResponse* in;  // of this step
    int sweeps;             // at most, of a solve
    bool rough;             // what is quiet may be left alone

    // of contact nodes
    rslSpeed* v;     // as they are
    rslSpeed* kick;  // what the kick adds
    rslSpeed* dx;    // of places
    uint64_t* used;  // colours, then those of rigid bodies
    int* last;       // the last touch that it is part of, likewise
    int* nodes;      // that move in this step
    int movedCount;
    int* movers;  // these, and rigid bodies (nodeCount and more), by group; at the end those that no touch moves
    int* rootOf;  // of each: the root of its group; -1: none
    // of rigid bodies
    rslVec3 *velocity, *spin, *shift, *angle;

    rslSpot* touches;
    rslSpotPart *parts, *rowParts;
    rslRow* rows;     // by group and colour
    int* byKey;       // touches by group and key
    int* groupStart;  // rows of every group
    int* groupNext;   // scratch
    int* moverStart;  // movers of every group, and of none
    int groupCount;
    rslSpotArm* arms;
    int* order;  // touches by colour
    int* parent;
    double (*sums)[3];  // of groups
    bool* moved;        // of blocks of a colour
    int colourStart[RSL_COLOUR_LISTS + 1];
    int count, partCount, armCount;
    size_t touchCapacity, partCapacity, armCapacity;
    rslCollisions listed;  // with touches of the step before that something is left for
    struct rslLevel* level;
};

// ---- respond_set.c

// What moved in the step before.
void rslRespond_Forget(rslRespond* respond);

// Room for at least as many items; what they were is lost. False when out of memory.
bool rslRespond_Room(const rslHooks* hooks, void** items, size_t wanted, size_t capacity, size_t size);

// The touches that can close in this step, of its collisions. False when out of memory.
bool rslRespond_Gather(rslRespond* respond);

// Which touches have nothing that moves in common, in key order.
void rslRespond_Colour(rslRespond* respond);

// Does a push move a node, or a rigid body?
static inline bool rslRespond_Moves(const rslRespond* respond, int node)
{
    const double* y = &respond->in->yield[3 * (size_t)node];
    return y[0] > 0.0 || y[1] > 0.0 || y[2] > 0.0;
}

static inline bool rslRespond_Turns(const rslRespond* respond, int rigid)
{
    rslVec3 y = respond->in->rigids[rigid].yield;
    return y.x > 0.0 || y.y > 0.0 || y.z > 0.0;
}

// ---- respond_cone.c

// u of a touch: as things are, without the kick, and by the kick alone.
rslVec3 rslSpot_Speed(const rslRespond* respond, const rslSpot* touch);
rslVec3 rslSpot_SpeedBefore(const rslRespond* respond, const rslSpot* touch);
rslVec3 rslSpot_SpeedOfKick(const rslRespond* respond, const rslSpot* touch);

// Its part that moves as it is told to.
rslVec3 rslSpot_SpeedOfHeld(const rslRespond* respond, const rslSpot* touch);

// What its impulses of the step lose [J].
double rslSpot_Heat(const rslSpot* touch);

void rslSpot_Push(rslRespond* respond, const rslSpot* touch, rslVec3 impulse);

// A part of the kick more.
void rslRespond_AddKick(rslRespond* respond, const rslGroup* group, double part);

// Velocities as joints let them be, if there are any.
void rslRespond_Join(rslRespond* respond);

// The impulse of one of them alone, as the others stand. Returns whether it has changed.
bool rslSpot_Improve(rslRespond* respond, rslSpot* touch);

// ---- respond_rows.c

// After the colours: groups, and the order of their rows; then what is in them, and what touches do without the kick and by it.
// At the end: u.
void rslRespond_MakeRows(rslRespond* respond);
void rslRespond_FillRows(rslRespond* respond, const rslGroup* group);
void rslRespond_FindAfter(rslRespond* respond, const rslGroup* group);

// Before and after sweeps: the solve that is under way, of all touches or those that close.
void rslRespond_StartRows(rslRespond* respond, const rslGroup* group, bool closing);
void rslRespond_EndRows(rslRespond* respond, const rslGroup* group);

// ---- respond_sweep.c

// All groups beside each other; then the huge ones, one after the other.
void rslRespond_ForGroups(rslRespond* respond, rslGroupTask* task);

// All touches of a group, or those that close, until their impulses l answer their bounds and cones.
void rslRespond_Solve(rslRespond* respond, const rslGroup* group, bool closing);

// Sweeps over all places of a group that are to be moved (respond_place.c).
void rslRespond_SweepPlaces(rslRespond* respond, const rslGroup* group);

// ---- respond_group.c

// Touches that share what moves have the same root: the first of them. All of them; those of a group that close. Sums are 0 then.
void rslRespond_Group(rslRespond* respond);
void rslRespond_GroupClosing(rslRespond* respond, const rslGroup* group);
int rslRespond_Root(rslRespond* respond, int touch);

// Everything as one group; what no touch moves.
rslGroup rslRespond_All(const rslRespond* respond);
rslGroup rslRespond_Others(const rslRespond* respond);

// ---- respond_impact.c

// Velocities without the kick become those with all of it, and with what bounces; the same whether anything bounces or not.
void rslRespond_Impact(rslRespond* respond, const rslGroup* group);
void rslRespond_Reflect(rslRespond* respond, const rslGroup* group);

// ---- respond_count.c

// What is lost and pushed, and the touches of the state: those of this step, or more of them. What nodes and rigid bodies get.
void rslRespond_Remember(rslRespond* respond, rslResponse* out, rslState* state);
void rslRespond_Add(rslRespond* respond, rslResponse* out, rslState* state);
void rslRespond_Hand(const rslRespond* respond, rslResponse* out);

// An impulse on the first of two that touch, into the pushes of bodies; a touch as a state remembers it.
void rslRespond_CountPush(const rslRespond* respond, const rslCollision* collision, rslVec3 impulse, rslState* state);
rslTouched rslTouched_By(const rslCollision* collision, rslVec3 impulse, rslVec3 kept);

// ---- respond_published.c

// Impulses of a scheme of the literature, and the kick.
void rslRespond_Published(rslRespond* respond, const rslState* state);

// ---- respond_left.c

// List touches that are not found any more and get what the step before has left. False when out of memory.
bool rslRespond_ListLeft(rslRespond* respond, rslResponse* response, const rslState* state);

// ---- respond_place.c

// Move what overlaps apart; nothing, so far; a sweep improves the move of one touch alone.
void rslRespond_Place(rslRespond* respond, const rslGroup* group);
void rslRespond_Stay(rslRespond* respond, const rslGroup* group);
void rslSpot_ImprovePlace(rslRespond* respond, rslSpot* touch);

// The part of a whole, long step that this one is; how far two are to be moved in it that go so far apart by themselves, 0: not at all; what
// of the moves of a group is paid for, by W, Q and H.
double rslRespond_PlacePart(const rslResponse* in);
double rslRespond_Wanted(const rslRespond* respond, const rslCollision* collision, double way, double part);
double rslRespond_PaidOf(const double sums[3]);

// s of a group, what restitution gives and what was lost: rounding alone takes nothing (respond_impact.c).
static inline double rslRespond_ScaleOf(const double givenLost[2])
{
    double given = givenLost[0], lost = givenLost[1] > 0.0 ? givenLost[1] : 0.0;
    return given * (1.0 - 1e-12) <= lost ? 1.0 : sqrt(lost / given);
}
