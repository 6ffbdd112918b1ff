// SPDX-License-Identifier: MIT
//
// collide_internal.h: what the files of collide.h share.
//
// A side is a body with a skin. Its vertices are placed at every look. Boxes around its triangles (of spheres: its vertices) and
// lists of what is near are made of a reference, where vertices were some looks before: they are supersets of what is near as
// long as the vertices of two sides have moved against each other by no more than margins. What sides move together does not count.
// What is told is cut from the lists by exact tests, so how old they are changes nothing.

#pragma once

#include "collide.h"
#include "collide_pair.h"
#include "collide_shape.h"
#include "contact_gap.h"
#include "memory.h"
#include "mesh_tree.h"
#include "surface_lists.h"
#include "vec.h"

enum
{
    RSL_COLLIDE_CHUNK = 256,  // features of an item of work
    RSL_MIX_NODES = 32,
};

// a vertex of a surface meets what it is turned to: n.N below minus this
#define RSL_FACING 0.3
// or what one of its triangles, with the normal N, is turned to
#define RSL_LOOKING 0.5
// of the size: what is in by no more has met nothing yet, and is not asked whether it is inside
#define RSL_SHALLOW 1e-3

typedef struct rslSideChunk
{
    int side, begin, end;           // vertices of the side
    double lower[3], upper[3];      // in a sweep also of where they go
    double slowest[3], fastest[3];  // of u
    double push;                    // largest sum |w||a|
    double bent, wild;              // largest squares of what is left of the move and of u without those of the side
    double strayed;                 // and of that since the last check of folds
    // of such a check: the square of the least height of triangles, and whether an edge is about to become sharp that is not listed
    double height;
    bool folded;
    bool quick;  // a vertex is, in a sweep
} rslSideChunk;

typedef struct rslSide
{
    int body;
    const rslSkin* skin;
    int first;                   // of its vertices among all
    int firstChunk, chunkCount;  // of its vertices
    double size;                 // spacing [m]
    double thick;                // thickness, or the largest radius [m]
    double more;                 // what rules of colliders add to it, at most
    bool repeats;                // a vertex hangs on a node twice
    rslLists corners;            // of triangles at vertices
    int* triangleEdges;          // three a triangle
    uint8_t* listed;             // of edges: may become sharp before there is a new reference
    double* rest;                // of vertices, x y z; NULL: it does not touch itself
    int* order;                  // of triangles or spheres in the tree
    rslLists held[2];            // vertices and edges that go with each of these: every one with one triangle
    rslMeshBox* boxes;           // of the reference
    rslMeshBox* swept;           // the same on the way of a sweep: the first one, and if looked through all of them
    bool quick, lookedThrough;   // a vertex of it is, in a sweep; others ask what is near them
    int boxCount;
    rslLists joined;  // of spheres: which others each is joined with
    // now
    double lower[3], upper[3];
    rslVec3 velocity, shift;  // of the middle of its box: now, and since the reference
    double speed;             // largest |u|
    double wild, bent;        // largest |u - velocity| and |move - shift|
    double push;              // largest sum |w||a|
    double centre[3];         // of its box, when the reference was taken
    double checkedCentre[3];  // and when folds were checked
    double strayed, slack;    // how far vertices are from where they were then, and may be; below 0: there was none
    uint64_t stamp;           // of the reference; 0: none
    bool old;                 // a new one is needed
    bool folded;              // and a new list of edges that may become sharp
    uint64_t folds;           // the stamp of that
} rslSide;

// A feature of one side that may be near one of the other.
typedef struct rslNearItem
{
    int own, other;
    float distance;  // of the references, not more than it is
} rslNearItem;

// Sorted by the first, then by the second.
typedef struct rslNearList
{
    rslNearItem* items;
    int count, capacity;  // a count beyond the capacity: as much is needed; there is twice the room, for sorting
} rslNearList;

// Of those that are nearest, the one that looks most at the vertex says on which side of a closed surface it is.
typedef struct rslSideVote
{
    double least, most, side;
} rslSideVote;

static inline void rslSideVote_Add(rslSideVote* vote, double squared, double along)
{
    bool nearer = squared < vote->least * (1.0 - 1e-9), as = squared <= vote->least * (1.0 + 1e-9);
    if (nearer || (as && fabs(along) > vote->most))
    {
        vote->most = fabs(along);
        vote->side = along < 0.0 ? -1.0 : 1.0;
    }
    vote->least = squared < vote->least ? squared : vote->least;
}

// Since when lists are good, for the references that sides have now.
typedef struct rslListAge
{
    uint64_t stamps[2];  // of these
    rslVec3 shift[2];    // how far sides were moved from the references of the lists to these,
    double bent[2];      // and what is left without that, added up
    double margin;       // how far sides may move
    double within;       // from how far on features are listed, and the margin more
    bool fresh;          // the lists need not be made
} rslListAge;

enum
{
    RSL_VERTEX_LISTS,
    RSL_EDGE_LISTS,
    RSL_LIST_KINDS
};

typedef struct rslSidePair
{
    int sides[2];  // the first is not the later one
    rslContactPair rules;
    rslListAge ages[RSL_LIST_KINDS];
    uint64_t folds[2];  // of lists of edges that may become sharp
    bool whole;
    bool allowed;             // to touch
    uint64_t near;            // the look when it was last
    rslNearList vertices[2];  // of each side, and triangles or spheres of the other
    rslNearList edges;
} rslSidePair;

typedef enum rslWorkKind
{
    rsl_vertexWork,
    rsl_edgeWork,
    rsl_triangleWork,
} rslWorkKind;

// Features [begin, end) of a side, and what was found of them.
typedef struct rslWork
{
    int side, begin, end;
    rslWorkKind kind;
    bool done;
    const rslSidePair* pair;  // of ways: features of one side of a pair, NULL: and colliders
    int which;
    double time;          // until which ways are safe
    rslCollisions found;  // counts beyond the capacity: as much is needed
} rslWork;

// A contact node, or a vertex, as a look at few finds it, in lanes.
typedef struct rslFewLook
{
    rslVec3 x;
    double none;
    rslVec3 v;
    double push;  // |a|, or sum |w_i||a_i|; with one plane alone, of n.a instead of a
} rslFewLook;

_Static_assert(sizeof(rslFewLook) == 8 * sizeof(double), "a vertex is placed in eight lanes");

// Vertices that may meet planes soon, where nothing else can be met (collide_few.c), and the contact nodes that they hang on.
typedef struct rslFew
{
    int* vertices;  // of all sides, in order
    int* start;     // of every side
    int* nodes;
    int* slot;           // of all contact nodes: where they are listed
    rslFewLook* looks;   // of those that are
    rslFewLook* places;  // of the vertices
    // likewise, with one plane alone: gaps, what the way towards it adds to the reach, and what pushes add
    double *gaps, *towards, *pushed;
    double*
        most;  // of blocks of these: the square of the largest speed, the largest push, and how fast the fastest closes
    int vertexCount, nodeCount;
    // groups of vertices, of all sides: those of each, one group after the other, and the contact nodes that they hang on
    int groups;
    int *groupStart, *byGroup, *groupNodeStart, *groupNodes;
    int* groupListed;  // how many of them are listed
    bool* listed;      // of all vertices
    double spread;     // how much faster a vertex can be than all nodes: the largest sum of |w|
    bool possible;     // nothing touches itself, and no collider moves
    bool single;       // there is one collider alone, a plane
} rslFew;

struct rslCollide
{
    const rslModel* model;
    rslTeam* team;
    rslHooks hooks;
    rslArena arena;
    rslSide* sides;
    int sideCount;
    int* sideOf;  // of every body; -1: none
    rslSideChunk* chunks;
    int chunkCount;
    int vertexCount;
    double *x, *v, *push, *reference;  // of all vertices, x y z; of push one each
    double* checked;                   // where they were when folds were checked
    double* pushes;                    // of contact nodes: |a|
    double* end;                       // where a sweep leads
    bool* quick;                       // whether a node that it hangs on is quick
    rslPlaced* placedEnd;
    double keep;  // of a gap, on ways; NAN: what is met is told
    // pairs of sides that were ever near, sorted; those that are now, and by side
    rslSidePair** pairs;
    size_t pairCount, pairCapacity;
    rslSidePair** active;
    size_t activeCount, activeCapacity;
    int* activeStart;  // of every side
    rslSidePair** activeOf;
    size_t activeOfCapacity;
    int* byLower;  // sides, for a sweep along x
    rslWork* works;
    size_t workCount, workCapacity;
    rslPlaced* placed;  // colliders where they are
    rslBounds* bounds;
    double* colliderSpeed;  // of their points, at most [m/s]
    double largest;         // size of a side
    double given;           // thickness that rules say, at most [m]
    rslContactPair* rules;  // of every side, with every collider
    rslFew few;
    // of the look
    rslLook look;
    uint64_t looks;
};

static inline rslVec3 rslSide_Vertex(const rslCollide* c, const rslSide* side, int v)
{
    const double* x = c->x + 3 * (size_t)(side->first + v);
    return (rslVec3){ x[0], x[1], x[2] };
}

static inline const int* rslSide_Triangle(const rslSide* side, int t)
{
    return side->skin->triangles + 3 * (size_t)t;
}

// What a vertex, or an edge or triangle (-1), of a side is thick: its radius, and the thickness of its surface or what rules say.
static inline double rslSide_ThickBy(const rslSide* side, int vertex, double surface, double given)
{
    double round = side->skin->radius != NULL && vertex >= 0 ? side->skin->radius[vertex] : 0.0;
    return round + (isnan(given) ? surface : given);
}

// Rules say it for both sides together: that of the first has all of it.
static inline double rslSide_Thick(const rslSide* side, int vertex, const rslContactPair* rules, bool first)
{
    double given = isnan(rules->thickness) || first ? rules->thickness : 0.0;
    return rslSide_ThickBy(side, vertex, side->skin->thickness, given);
}

// Towards a collider, whose inside is known.
static inline double rslSide_Half(const rslSide* side, int vertex, const rslContactPair* rules)
{
    return rslSide_ThickBy(side, vertex, side->skin->half, rules->thickness);
}

// What both are thick, at most.
static inline double rslSidePair_Thick(const rslCollide* c, const rslSidePair* pair)
{
    double given = pair->rules.thickness;
    return c->sides[pair->sides[0]].thick + c->sides[pair->sides[1]].thick + (given > 0.0 ? given : 0.0);
}

static inline const rslContactPair* rslCollide_Rules(const rslCollide* c, const rslSide* side, int collider)
{
    return &c->rules[(size_t)(side - c->sides) * (size_t)c->model->colliderCount + (size_t)collider];
}

// How far two sides have moved against each other since the references of lists of a kind, and how fast they do, at most.
static inline double rslSidePair_Moved(const rslCollide* c, const rslSidePair* pair, int kind)
{
    const rslSide *a = &c->sides[pair->sides[0]], *b = &c->sides[pair->sides[1]];
    const rslListAge* age = &pair->ages[kind];
    rslVec3 apart = rslSub(rslAdd(a->shift, age->shift[0]), rslAdd(b->shift, age->shift[1]));
    return (rslLength(apart) + a->bent + b->bent + age->bent[0] + age->bent[1]) * (1.0 + 1e-9);
}

static inline double rslSidePair_Speed(const rslCollide* c, const rslSidePair* pair)
{
    const rslSide *a = &c->sides[pair->sides[0]], *b = &c->sides[pair->sides[1]];
    return (rslLength(rslSub(a->velocity, b->velocity)) + a->wild + b->wild) * (1.0 + 1e-9);
}

// How deep inside of a side vertices are told, of itself less; and from how far at most because they move: beyond that, ways are
// swept.
static inline double rslSide_Deep(const rslSide* side, bool self)
{
    return (self ? 0.1 : 0.5) * side->size;
}

static inline double rslSide_Farthest(const rslSide* a, const rslSide* b)
{
    return a->size > b->size ? a->size : b->size;
}

// What a gap can be at most to close in this step, of two sides.
static inline double rslSidePair_Farthest(const rslCollide* c, const rslSidePair* pair)
{
    const rslSide *a = &c->sides[pair->sides[0]], *b = &c->sides[pair->sides[1]];
    double h = c->look.step, towards = h * rslSidePair_Speed(c, pair), size = rslSide_Farthest(a, b);
    return c->look.reach + (towards < size ? towards : size) + h * h * (a->push + b->push);
}

// collide_sides.c: sides, made once; place their vertices, and take new references where needed.
rslStatus rslCollide_MakeSides(rslCollide* collide);
void rslCollide_Place(rslCollide* collide);
void rslCollide_Refit(rslCollide* collide);

// Boxes of its tree around vertices at x and y.
void rslSide_Fit(const rslSide* side, rslMeshBox* boxes, const double* x, const double* y);

// collide_sharp.c: which edges are sharp now, and meet other edges, unless all are asked for. Lists are of those that may become it, by
// the reference; sides where another may are old.
bool rslSide_IsSharp(const rslCollide* collide, const rslSide* side, int edge);
bool rslSide_MakeListed(rslCollide* collide, rslSide* side);
void rslSide_ListSharp(const rslCollide* collide, rslSide* side);
void rslCollide_CheckFolds(rslCollide* collide);

// collide_beside.c: which sides are near each other, and pairs of them: known or new, NULL when out of memory.
rslStatus rslCollide_FindActive(rslCollide* collide);
rslSidePair* rslCollide_GetPair(rslCollide* collide, int a, int b);
void rslCollide_FreePairs(rslCollide* collide);

// Sides by the lower ends of boxes: nearly sorted since the last time.
typedef double rslSideLower(const rslCollide* collide, int side);
void rslCollide_SortSides(rslCollide* collide, rslSideLower* lower);

// Are all sides farther apart than that, whatever they are thick? After FindActive.
bool rslCollide_AreApart(const rslCollide* collide, double by);

// collide_fresh.c: which of their features, as long as lists last.
rslStatus rslCollide_ListNear(rslCollide* collide);

// How deep vertices of a pair are looked for; edges half as deep.
double rslSidePair_Deep(const rslCollide* collide, const rslSidePair* pair);

// collide_near.c: lists of near features by the trees of references: of vertices of one side, of edges.
void rslSidePair_ListVertices(const rslCollide* collide, rslSidePair* pair, int which);
void rslSidePair_ListEdges(const rslCollide* collide, rslSidePair* pair);

// Features of one body that never touch: neighbours along its surface, which are near at rest; spheres that a spring joins.
bool rslSide_AreNeighbours(const rslSide* side, rslPairKind kind, const int vertices[4]);
bool rslSide_AreJoined(const rslSide* side, int v, int w);

// Contact nodes with their weights, each once.
typedef struct rslMix
{
    int count;
    int nodes[RSL_MIX_NODES];
    double weights[RSL_MIX_NODES];
} rslMix;

// collide.c: runs of features of a side are added to the work; all of it is done, again where there was no room; and what was found is
// put together.
typedef void rslWorkTask(const rslCollide* collide, rslWork* work);
bool rslCollide_AddWork(rslCollide* collide, int side, rslWorkKind kind, int begin, int end);
rslStatus rslCollide_Work(rslCollide* collide, rslWorkTask* task);
rslStatus rslCollide_Join(const rslCollide* collide, rslCollisions* out);

// Is a collider near to what a piece of work is about?
bool rslCollide_Meets(const rslCollide* collide, const rslWork* work, int collider);

// collide_few.c: is a side so far from all solids?
bool rslCollide_IsAlone(const rslCollide* c, const rslSide* side, double margin);

// collide_few.c: made once; place those that are listed, after colliders, which with one plane alone tells how fast that closes the fastest; and add them to the work, whose features are then places in the list.
bool rslCollide_MakeFew(rslCollide* collide);
double rslCollide_PlaceFew(rslCollide* collide);
rslStatus rslCollide_ListFewWork(rslCollide* collide);

// collide_touch.c: what touches of the features of a piece of work: kept is what can close in the step, no farther than told.
void rslWork_Find(const rslCollide* collide, rslWork* work);
void rslWork_Keep(const rslCollide* collide, rslWork* work, const rslMix* mix, rslCollision touch, double farthest);
int rslNearList_First(const rslNearList* list, int feature);
rslVec3 rslSide_AreaVector(const rslCollide* collide, const rslSide* side, int triangle);
rslVec3 rslSide_Normal(const rslCollide* collide, const rslSide* side, int vertex);  // N, weighted by area
bool rslSide_IsFacing(const rslSide* side, rslVec3 n, rslVec3 N);
bool rslSide_HasFacing(const rslCollide* collide, const rslSide* side, int vertex, rslVec3 n);
bool rslSide_LeadsAway(const rslCollide* collide, const rslSide* side, bool edge, int feature, rslVec3 n);

// collide_inside.c: how often a closed surface goes round a place: not positive is outside, however it is folded. False: it cannot be told.
bool rslSide_FindWinding(const rslCollide* collide, const rslSide* side, rslVec3 x, int* winding);

// collide_vertex.c, collide_edge.c: vertices of one side of a pair, edges of both.
void rslWork_MeetSide(const rslCollide* collide, rslWork* work, const rslSidePair* pair, int which);
void rslWork_MeetEdges(const rslCollide* collide, rslWork* work, const rslSidePair* pair);

// collide_collider.c: colliders, and from which gap on they are of interest.
void rslWork_MeetColliders(const rslCollide* collide, rslWork* work);

// collide_plane.c: those of a plane, of vertices that hang on every node once.
bool rslSide_Repeats(const rslSide* side);
void rslWork_MeetPlane(const rslCollide* collide, rslWork* work, int collider);

// How fast that closes the fastest of what MeetPlane would tell of some features [m/s]; of places in the list of few, gaps are found first.
double rslSide_ClosesAt(const rslCollide* collide, const rslSide* side, int collider, int begin, int end);
double rslSide_FewCloseAt(const rslCollide* collide, const rslSide* side, int begin, int end);
double rslSide_Reach(const rslCollide* collide, const rslSide* side, int collider);

// collide_list.c
void rslMix_Add(rslMix* mix, const rslSide* side, int vertex, double weight);

// Write a collision down where there is room; it is counted anyway.
void rslWork_Append(rslWork* work, const rslMix* mix, rslCollision touch);
void rslWork_AppendNodes(rslWork* work, const int* nodes, const double* weights, int count, const rslCollision* touch);
void rslCollisions_Sort(rslCollisions* list);

// collide_way.c: what features of a piece of work meet on their ways.
void rslWork_Sweep(const rslCollide* collide, rslWork* work);
