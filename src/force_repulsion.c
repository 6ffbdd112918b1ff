// SPDX-License-Identifier: MIT
//
// force_repulsion.c: pieces that resist collapse, as a force term. Where nothing is near collapse, clamped laws cost nothing but a look
// now and then (guard.c). A near piece is evaluated by every chunk that has nodes of it, as springs are
// evaluated from both ends: no buffer of forces, and bits that do not depend on the number of threads.
//
// With the symbols of repulsion.h, the force is -U' dh/dx: on corner j  U' lambda_j n, lambda_p = -1. K: repulsion.c.

#include "guard.h"
#include "term.h"

static bool Present(const Kernel* kernel)
{
    return kernel->repulsion != NULL;
}

// What is asked of a piece.
typedef struct Question
{
    const Kernel* kernel;
    const View* view;
    const Chunk* chunk;  // that asks
    Real* const* p;
    Real* const* out;
    Block* blocks;
    double (*stiff)[6];  // D of every node of the chunk: xx yy zz xy xz yz
} Question;

typedef void PieceFunction(const Question* q, const PieceChunk* pieces, const Piece* piece);

// A piece at a view.
typedef struct Placed
{
    rslVec3 x[RSL_PIECE_NODES], u[RSL_PIECE_NODES];
} Placed;

static Placed Place(const PieceChunk* pieces, const Piece* piece, const View* view)
{
    Placed at;
    PlacePiece(view, piece, rslPiece_Corners(pieces->kind), at.x);
    MovePiece(view, piece, rslPiece_Corners(pieces->kind), at.u);
    return at;
}

// U, U' and U'' of a vertex with the height h.
static rslRepulsionResponse Respond(const PieceChunk* pieces, const Piece* piece, const Placed* at, int v, double h)
{
    double k = piece->stiffness[v], h0 = piece->height[v];
    if (pieces->law == rsl_clampedRepulsion)
    {
        return rslRepulsion_Evaluate(pieces->law, k, h0, h);
    }
    return rslRepulsion_Respond(pieces->law, k, h0, rslPiece_Stretch(pieces->kind, piece->rest, at->u, v));
}

// Near pieces of a chunk that have nodes of the one that asks.
static void VisitOwned(const Question* q, const Chunk* owner, PieceFunction* visit)
{
    const PieceChunk* pieces = &q->kernel->repulsion->chunks[owner->index];
    int corners = rslPiece_Corners(pieces->kind);
    for (int n = RSL_NAME(rslRepulsion_Next)(q->kernel, owner, pieces->first); n >= 0;
         n = RSL_NAME(rslRepulsion_Next)(q->kernel, owner, n + 1))
    {
        Piece piece;
        RSL_NAME(rslRepulsion_Piece)(q->kernel, owner, n, &piece);
        bool mine = false;
        for (int c = 0; c < corners; ++c)
        {
            mine = mine || (piece.nodes[c] >= q->chunk->begin && piece.nodes[c] < q->chunk->end);
        }
        if (mine)
        {
            visit(q, pieces, &piece);
        }
    }
}

static void Visit(const Question* q, PieceFunction* visit)
{
    const RepulsionKernel* r = q->kernel->repulsion;
    const PieceChunk* pieces = &r->chunks[q->chunk->index];
    for (int o = pieces->ownerBegin; o < pieces->ownerEnd; ++o)
    {
        VisitOwned(q, &q->kernel->chunks[r->owners[o]], visit);
    }
}

static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    const PieceChunk* pieces = &kernel->repulsion->chunks[chunk->index];
    int corners = rslPiece_Corners(pieces->kind);
    double sum = 0.0;
    for (int n = RSL_NAME(rslRepulsion_Next)(kernel, chunk, pieces->first); n >= 0;
         n = RSL_NAME(rslRepulsion_Next)(kernel, chunk, n + 1))
    {
        Piece piece;
        double heights[RSL_PIECE_NODES];
        RSL_NAME(rslRepulsion_Piece)(kernel, chunk, n, &piece);
        Placed at = Place(pieces, &piece, view);
        rslPiece_Heights(pieces->kind, at.x, heights);
        for (int c = 0; c < corners; ++c)
        {
            sum += Respond(pieces, &piece, &at, c, heights[c]).energy;
        }
    }
    return sum;
}

// How fast nodes are pushed back and forth. For any motion x of them, by Cauchy and Schwarz,
//
//   x K x = sum_h U'' (sum_i lambda_i n . x_i)^2 <= sum_h U'' L_h sum_i |lambda_i| sqrt(m_i) (n . x_i)^2,    L_h = sum_i |lambda_i| / sqrt(m_i)
//
// (the part with U', which is small where heights are, left out), so that no frequency is above W, W^2 the largest of |D_i| / sqrt(m_i)
// with D_i = sum_h U'' L_h |lambda_i| n n^T, |D| the root of the sum of its squares, which no eigenvalue is above. With these masses the
// bound of a height alone is hardly above its frequency where a light node meets heavy ones. Held nodes do not move. Heights above half
// of those at rest are left to the step of the whole body.
static void AddStiffness(const Question* q, const Piece* piece, const double* lambda, rslVec3 n, double slope)
{
    double sum = 0.0;
    for (int c = 0; c < RSL_PIECE_NODES; ++c)
    {
        sum += lambda[c] > 0.0 ? lambda[c] / sqrt((double)q->kernel->mass[piece->nodes[c]]) : 0.0;
    }
    for (int c = 0; c < RSL_PIECE_NODES; ++c)
    {
        int node = piece->nodes[c];
        if (lambda[c] > 0.0 && node >= q->chunk->begin && node < q->chunk->end)
        {
            double* d = q->stiff[node - q->chunk->begin];
            double k = slope * sum * lambda[c];
            d[0] += k * n.x * n.x;
            d[1] += k * n.y * n.y;
            d[2] += k * n.z * n.z;
            d[3] += k * n.x * n.y;
            d[4] += k * n.x * n.z;
            d[5] += k * n.y * n.z;
        }
    }
}

static double SizeOf(const double d[6])
{
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 2.0 * (d[3] * d[3] + d[4] * d[4] + d[5] * d[5]));
}

static void AddForce(const Question* q, const PieceChunk* pieces, const Piece* piece)
{
    int corners = rslPiece_Corners(pieces->kind);
    rslVec3 force[RSL_PIECE_NODES] = { 0 };
    bool any = false;
    rslFeet feet;
    Placed at = Place(pieces, piece, q->view);
    rslPiece_Feet(pieces->kind, at.x, &feet);
    for (int v = 0; v < corners; ++v)
    {
        rslRepulsionResponse u = Respond(pieces, piece, &at, v, feet.h[v]);
        double free[RSL_PIECE_NODES] = { 0.0 };
        any = any || u.force != 0.0;
        for (int c = 0; u.slope != 0.0 && c < corners; ++c)
        {
            double lambda = rslFeet_Lambda(&feet, v, c);
            bool held = q->kernel->held != NULL && q->kernel->held[piece->nodes[c]] == 7;
            force[c] = rslMulAdd(force[c], -u.force * lambda, feet.normal[v]);
            free[c] = held ? 0.0 : fabs(lambda);
        }
        if (feet.h[v] < 0.5 * piece->height[v])
        {
            AddStiffness(q, piece, free, feet.normal[v], u.slope);
        }
    }
    // adding 0 to -0 would show who was looked at
    for (int c = 0; any && c < corners; ++c)
    {
        int n = piece->nodes[c];
        if (n >= q->chunk->begin && n < q->chunk->end)
        {
            q->out[0][n] += (Real)force[c].x;
            q->out[1][n] += (Real)force[c].y;
            q->out[2][n] += (Real)force[c].z;
        }
    }
}

// Has a chunk nodes of pieces that may be near to collapse?
static bool IsPushed(const RepulsionKernel* r, const PieceChunk* pieces)
{
    bool pushed = false;
    for (int o = pieces->ownerBegin; o < pieces->ownerEnd; ++o)
    {
        pushed = pushed || r->chunks[r->owners[o]].nearCount > 0;
    }
    return pushed;
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    PieceChunk* pieces = &kernel->repulsion->chunks[chunk->index];
    (void)powers;
    pieces->quickest = 0.0;
    if (!IsPushed(kernel->repulsion, pieces))
    {
        return;
    }
    double stiff[CHUNK][6] = { 0 };
    Visit(&(Question){ .kernel = kernel, .view = view, .chunk = chunk, .out = kernel->force, .stiff = stiff },
          AddForce);
    for (int n = chunk->begin; n < chunk->end; ++n)
    {
        double square = SizeOf(stiff[n - chunk->begin]) / sqrt((double)kernel->mass[n]);
        pieces->quickest = square <= pieces->quickest ? pieces->quickest : square;
    }
}

// Does a near piece of its own push?
static void AskChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    PieceChunk* pieces = &kernel->repulsion->chunks[chunk->index];
    (void)context;
    pieces->pushes = pieces->nearCount > 0 && pieces->law != rsl_clampedRepulsion;
    for (int n = RSL_NAME(rslRepulsion_Next)(kernel, chunk, pieces->first); n >= 0 && !pieces->pushes;
         n = RSL_NAME(rslRepulsion_Next)(kernel, chunk, n + 1))
    {
        Piece piece;
        rslFeet feet;
        RSL_NAME(rslRepulsion_Piece)(kernel, chunk, n, &piece);
        Placed at = Place(pieces, &piece, view);
        rslPiece_Feet(pieces->kind, at.x, &feet);
        for (int v = 0; v < rslPiece_Corners(pieces->kind); ++v)
        {
            pieces->pushes =
                pieces->pushes || Respond(pieces, &piece, &at, v, feet.h[v]).force != 0.0 || !(feet.h[v] > 0.0);
        }
    }
}

bool RSL_NAME(rslRepulsion_Pushes)(Kernel* kernel, const View* view)
{
    const RepulsionKernel* r = kernel->repulsion;
    bool near = false, pushes = false;
    for (int c = 0; r != NULL && c < kernel->chunkCount; ++c)
    {
        near = near || r->chunks[c].nearCount > 0;
    }
    if (near)
    {
        RSL_NAME(rslKernel_ForChunksLight)(kernel, view, AskChunk, NULL);
    }
    for (int c = 0; near && c < kernel->chunkCount; ++c)
    {
        pushes = pushes || r->chunks[c].pushes;
    }
    return pushes;
}

void RSL_NAME(rslRepulsion_Tangent)(const PieceChunk* pieces, const Piece* piece, const View* view,
                                    rslPieceTangent* out)
{
    Placed at = Place(pieces, piece, view);
    out->corners = rslPiece_Corners(pieces->kind);
    for (int v = 0; v < out->corners; ++v)
    {
        rslPiece_Height(pieces->kind, at.x, v, &out->height[v]);
        out->response[v] = Respond(pieces, piece, &at, v, out->height[v].h);
    }
}

static void AddProduct(const Question* q, const PieceChunk* pieces, const Piece* piece)
{
    int corners = rslPiece_Corners(pieces->kind);
    rslVec3 p[RSL_PIECE_NODES], out[RSL_PIECE_NODES] = { 0 };
    rslPieceTangent tangent;
    for (int c = 0; c < corners; ++c)
    {
        int n = piece->nodes[c];
        p[c] = VectorAt(q->p, n);
    }
    RSL_NAME(rslRepulsion_Tangent)(pieces, piece, q->view, &tangent);
    rslPiece_Product(&tangent, q->kernel->relaxed, p, out);
    for (int c = 0; c < corners; ++c)
    {
        int n = piece->nodes[c];
        if (n >= q->chunk->begin && n < q->chunk->end)
        {
            q->out[0][n] += (Real)out[c].x;
            q->out[1][n] += (Real)out[c].y;
            q->out[2][n] += (Real)out[c].z;
        }
    }
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    Visit(&(Question){ .kernel = kernel, .view = view, .chunk = chunk, .p = p, .out = out }, AddProduct);
}

static void AddDiagonal(const Question* q, const PieceChunk* pieces, const Piece* piece)
{
    int corners = rslPiece_Corners(pieces->kind);
    rslPieceTangent tangent;
    RSL_NAME(rslRepulsion_Tangent)(pieces, piece, q->view, &tangent);
    for (int c = 0; c < corners; ++c)
    {
        int n = piece->nodes[c];
        bool mine = n >= q->chunk->begin && n < q->chunk->end;
        for (int axis = 0; mine && axis < 3; ++axis)
        {
            double* block = q->blocks[n - q->chunk->begin];
            rslVec3 p[RSL_PIECE_NODES] = { 0 }, out[RSL_PIECE_NODES] = { 0 };
            p[c] = (rslVec3){ axis == 0, axis == 1, axis == 2 };
            rslPiece_Product(&tangent, q->kernel->relaxed, p, out);
            block[axis] += axis == 0 ? out[c].x : axis == 1 ? out[c].y : out[c].z;
            block[3] += axis == 0 ? out[c].y : 0.0;
            block[4] += axis == 0 ? out[c].z : 0.0;
            block[5] += axis == 1 ? out[c].z : 0.0;
        }
    }
}

static void Diagonal(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    Visit(&(Question){ .kernel = kernel, .view = view, .chunk = chunk, .blocks = blocks }, AddDiagonal);
}

const Term RSL_NAME(rslRepulsionTerm) = {
    .name = "repulsion",
    .hasEnergy = true,
    .symmetric = true,
    .present = Present,
    .prepare = RSL_NAME(rslGuard_Prepare),
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .diagonal = Diagonal,
};
