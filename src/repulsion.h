// SPDX-License-Identifier: MIT
//
// repulsion.h: heights of triangles and tetrahedra, and what they cost.
//
// A piece is a triangle or a tetrahedron. The height h of a vertex is its distance from the line of the opposite edge or the
// plane of the opposite face: signed, positive as at rest, for tetrahedra and for triangles in the plane; triangles in space have no
// sign. With the unit normal n towards the vertex and the barycentric coordinates lambda_i of its foot,
//
//   dh = n . (dx_p - sum_i lambda_i dx_i)                  lambda_i sum up to 1 and may be negative
//
// so that forces -U'(h) dh/dx sum up to zero and, as the foot is on the line of n through the vertex, so do their moments.

#pragma once

#include "resilin/model.h"

enum
{
    RSL_SPLIT = 5,        // tetrahedra in a cell
    RSL_PIECE_NODES = 4,  // at most
};

extern const int rslCellSplit[RSL_SPLIT][4];

// Constants of heights of a cell over their mean, with which cells are isotropic (build_share.c).
extern const double rslCellPart[RSL_SPLIT][4];

// The corner of a cell in whose place corner c comes; odd cells are turned by a quarter about z.
static inline int rslCell_Turn(int c, bool odd)
{
    static const int turned[8] = { 1, 3, 0, 2, 5, 7, 4, 6 };
    return odd ? turned[c] : c;
}

// Whether it is stiff at rest.
static inline bool rslRepulsion_IsFelt(const rslRepulsion* repulsion)
{
    return repulsion->count > 0 && repulsion->law > rsl_clampedRepulsion;
}

// How heights of three corners are to be understood.
typedef enum rslPieceKind
{
    rsl_planeTriangle,  // in the plane z = const: signed
    rsl_spaceTriangle,  // anywhere: not negative
    rsl_tetrahedron,
} rslPieceKind;

static inline int rslPiece_Corners(rslPieceKind kind)
{
    return kind == rsl_tetrahedron ? 4 : 3;
}

// One height, with what its derivatives need.
typedef struct rslHeight
{
    double h;
    rslVec3 normal;                  // n
    double lambda[RSL_PIECE_NODES];  // of every corner; -1 of the vertex itself
    rslVec3 slope[RSL_PIECE_NODES];  // gradient of lambda_i along the edge or face; 0 of the vertex itself [1/m]
    rslVec3 binormal;                // of triangles in space, their normal; else 0
} rslHeight;

// Area or volume, signed but for triangles in space.
double rslPiece_Measure(rslPieceKind kind, const rslVec3* x);

// All heights; 3 measure over the area of the face, or 2 measure over the length of the edge.
void rslPiece_Heights(rslPieceKind kind, const rslVec3* x, double heights[RSL_PIECE_NODES]);

// Height of one vertex. Not for a piece without an opposite edge or face.
void rslPiece_Height(rslPieceKind kind, const rslVec3* x, int vertex, rslHeight* out);

// All heights at once, with where their feet are. With p twice the area or six times the volume and g_i its gradient by corner i,
// normal to the opposite edge or face and growing with it,
//
//   h_i = p / |g_i|,   n_i = g_i / |g_i|,   lambda_j of the foot of h_i = - n_i . n_j |g_j| / |g_i|
//
// since the barycentric coordinate of corner j has the gradient g_j / p, and is 0 at corner i. (lambda_i is -1, as above.)
typedef struct rslFeet
{
    double h[RSL_PIECE_NODES];
    double size[RSL_PIECE_NODES];     // |g_i|
    rslVec3 normal[RSL_PIECE_NODES];  // n_i
} rslFeet;

void rslPiece_Feet(rslPieceKind kind, const rslVec3* x, rslFeet* out);

static inline double rslFeet_Lambda(const rslFeet* feet, int i, int j)
{
    const rslVec3 *a = &feet->normal[i], *b = &feet->normal[j];
    return -(a->x * b->x + a->y * b->y + a->z * b->z) * feet->size[j] / feet->size[i];
}

// h / h0 - 1 of a vertex, from its corners at rest and how far each has moved: without cancellation, so that small strains keep all
// of their digits.
double rslPiece_Stretch(rslPieceKind kind, const rslVec3* rest, const rslVec3* u, int vertex);

// Pieces of elements with 3, 4 or 8 corners: how many, and the corners of one.
static inline int rslRepulsion_PieceCount(int corners)
{
    return corners == 8 ? RSL_SPLIT : 1;
}

static inline int rslRepulsion_Corner(int corners, int piece, int corner)
{
    return corners == 8 ? rslCellSplit[piece][corner] : corner;
}

static inline rslPieceKind rslRepulsion_Kind(const rslRepulsion* repulsion, rslSpace plane)
{
    return repulsion->corners != 3 ? rsl_tetrahedron : plane == rsl_planeXY ? rsl_planeTriangle : rsl_spaceTriangle;
}

// Corners at rest, as the model has them.
static inline void rslRepulsion_Rest(const rslBody* body, const int* nodes, int corners, rslVec3* x)
{
    for (int c = 0; c < corners; ++c)
    {
        double at[3];
        rslBody_Rest(body, nodes[c], nodes[c] + 1, at);
        x[c] = (rslVec3){ at[0], at[1], at[2] };
    }
}

// k of a vertex of a piece of an element [N/m].
double rslRepulsion_Stiffness(const rslRepulsion* repulsion, int element, int piece, int vertex);

// U, U' and U'' of one height. Infinite, and nothing, where the height is not positive: such a state is never to be kept.
typedef struct rslRepulsionResponse
{
    double energy;  // U [J]
    double force;   // -U' [N]
    double slope;   // U'' [N/m]
} rslRepulsionResponse;

rslRepulsionResponse rslRepulsion_Evaluate(rslRepulsionType law, double k, double h0, double h);

// The same of a law that is felt at rest by h / h0 - 1.
rslRepulsionResponse rslRepulsion_Respond(rslRepulsionType law, double k, double h0, double stretch);

// What the stiffness of a piece needs: its heights, and U' and U'' of each.
typedef struct rslPieceTangent
{
    int corners;
    rslHeight height[RSL_PIECE_NODES];
    rslRepulsionResponse response[RSL_PIECE_NODES];
} rslPieceTangent;

// out += K p; relaxed: only what is never negative.
void rslPiece_Product(const rslPieceTangent* tangent, bool relaxed, const rslVec3* p, rslVec3* out);
