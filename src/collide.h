// SPDX-License-Identifier: MIT
//
// collide.h: find collisions. What is kept between calls saves work and never changes an answer.

#pragma once

#include "collision.h"
#include "team.h"

typedef struct rslCollide rslCollide;

// NULL when out of memory. Model and team must outlive it.
rslCollide* rslCollide_Create(const rslModel* model, const rslHooks* hooks, rslTeam* team);
void rslCollide_Free(rslCollide* collide);
size_t rslCollide_Bytes(const rslCollide* collide);

// Release its memory; it can be used again.
void rslCollisions_Free(rslCollisions* list);

// What is looked at: contact nodes, x y z each.
typedef struct rslLook
{
    const double* x;  // [m]
    const double* v;  // [m/s]; NULL: still
    const double* a;  // [m/s2]; NULL: none
    double step;      // h [s]
    double time;      // of x: where colliders are [s]
    double reach;     // collisions are found from this gap on, whatever moves [m]
    bool still;       // colliders stay where they are at time, however long the step is
    bool again;       // all is as at the last look but for the reach
    bool few;         // only what rslCollide_ListFew has listed can touch, and only the nodes of that were looked at
    bool told;        // and these were told already
    // of contact nodes, for ways: those that have none of these are not swept; NULL: all are
    const bool* quick;
    // every pair of features is told that is near, each with its least distance, and none is left out because another is nearer or
    // because of where it faces: what is told then changes without jumps as places do (barrier.h)
    bool whole;
} rslLook;

// All collisions that can close in a step: g <= reach + h (max(0, -u_n) + h sum |w_i| |n.a_i|), sorted by key. rsl_outOfMemory, or
// rsl_ok.
rslStatus rslCollide_Find(rslCollide* collide, const rslLook* look, rslCollisions* out);

// Groups of vertices, once: of each the number of its own. False when out of memory. Vertices move by no more than nodes do times a factor.
bool rslCollide_MakeGroups(rslCollide* collide, const int* group, int groups);
double rslCollide_Spread(const rslCollide* collide);

// After a look at all, with contact nodes at x: list what can touch planes before the vertices of a group have moved by its margin [m], and
// tell how far those are at least that are not listed. False: too much can, or something else can be met before any has moved by a margin.
bool rslCollide_ListFew(rslCollide* collide, double margin, const double* x, const double* margins, double* rooms);

// The same of one group anew, with its nodes at x; after all of these it is put together: false, they are too many.
const int* rslCollide_GroupNodes(const rslCollide* collide, int group, int* count);
int rslCollide_GroupListed(const rslCollide* collide, int group);
double rslCollide_ListGroup(rslCollide* collide, int group, const double* x, double margin);
bool rslCollide_GatherFew(rslCollide* collide);

// The square of the largest speed of its vertices, without a kick and with it, of contact nodes.
double rslCollide_GroupSpeed(const rslCollide* collide, int group, const double* v, const double* kick);

// Of all vertices (collide_gaps.c), once: those that hang on nodes of few numbers that follow each other are a group, of the first of these.
// Returns how many numbers that are at most; 0: weights do not say how fast vertices are.
int rslCollide_Vertices(const rslCollide* collide);
int rslCollide_Group(const rslCollide* collide, const int* numberOf, int* group);

// After a look at all: how far groups are from a plane, less what they are thick; and how far vertices may move until something else than planes
// can be met, where a list was made with a margin.
void rslCollide_FindGaps(const rslCollide* collide, int collider, const int* group, int groups, double* gaps);
double rslCollide_Room(const rslCollide* collide, double margin);

// After a look at few: likewise of what is listed, where that is nearer than what stands there.
void rslCollide_FindFewGaps(const rslCollide* collide, int collider, const int* group, double* gaps);

// With a look at few: how fast that closes the fastest of what it would find [m/s]; what is looked at next is that again. False: it
// does not tell.
bool rslCollide_FewCloseAt(rslCollide* collide, const rslLook* look, double* speed);
const int* rslCollide_FewNodes(const rslCollide* collide, int* count);

// Tell some of these nodes before a look at few: x, v and a of it, on any thread.
void rslCollide_LookAtFew(rslCollide* collide, const rslLook* look, int begin, int end);

// What is met on straight ways from x to x + step v, colliders moving on from time to time + step: collisions at the time they
// meet, sorted by key. A way that meets something is never missed; one that only comes very near may be told.
rslStatus rslCollide_Sweep(rslCollide* collide, const rslLook* look, rslCollisions* out);

// The largest part t of the straight ways from x to x + step v, at most 1, such that on all of it no gap falls below the
// part keep of what it is at x.
rslStatus rslCollide_FirstTime(rslCollide* collide, const rslLook* look, double keep, double* t);
