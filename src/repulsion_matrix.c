// SPDX-License-Identifier: MIT
//
// repulsion_matrix.c: see repulsion_matrix.h. A kernel file, compiled in double precision only.
//
// First the places of every node: the pieces that it is a corner of, in their order. From them its row: the nodes of
// these pieces, each once, and K between the node and each of them, summed up piece by piece. Row i of a piece comes
// from its products with the unit vectors at i, as K is symmetric. Every row is made by one thread in a fixed order.

#include "repulsion_matrix.h"

#include <string.h>

enum
{
    BLOCK = 256  // nodes that one item of work takes
};

typedef struct Place
{
    int chunk, number, corner;  // owner and number of a piece, and which of its corners
} Place;

// Rows of nodes. Arrays grow with what is near, and stay.
typedef struct Rows
{
    int* placeStart;  // of every node, and the end; NULL: nothing was ever near
    Place* places;
    int* start;   // of the row of every node
    int* column;  // room for all nodes of all its pieces while it is made, then each once
    size_t placeCapacity, columnCapacity;
} Rows;

typedef struct RepulsionMatrix
{
    Rows rows;
    double (*exact)[9];
    double (*relaxed)[9];
    int* scratch;  // counts of nodes
    size_t blockCapacity;
    bool any;
} RepulsionMatrix;

// ---- places -----------------------------------------------------------------------------------------------------------

typedef void PlaceFunction(Rows* rows, int* next, const Piece* piece, int corners, int chunk, int number);

static void CountPlaces(Rows* rows, int* next, const Piece* piece, int corners, int chunk, int number)
{
    (void)next;
    (void)chunk;
    (void)number;
    for (int c = 0; c < corners; ++c)
    {
        rows->placeStart[piece->nodes[c] + 1] += 1;
    }
}

static void FillPlaces(Rows* rows, int* next, const Piece* piece, int corners, int chunk, int number)
{
    for (int c = 0; c < corners; ++c)
    {
        rows->places[next[piece->nodes[c]]++] = (Place){ chunk, number, c };
    }
}

// All near pieces, in their order.
static void ForPieces(const Kernel* kernel, Rows* rows, int* next, PlaceFunction* function)
{
    const RepulsionKernel* r = kernel->repulsion;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        const Chunk* chunk = &kernel->chunks[c];
        const PieceChunk* pieces = &r->chunks[c];
        int corners = rslPiece_Corners(pieces->kind);
        for (int n = RSL_NAME(rslRepulsion_Next)(kernel, chunk, pieces->first); n >= 0;
             n = RSL_NAME(rslRepulsion_Next)(kernel, chunk, n + 1))
        {
            Piece piece;
            RSL_NAME(rslRepulsion_Piece)(kernel, chunk, n, &piece);
            function(rows, next, &piece, corners, c, n);
        }
    }
}

// At least a number of things; what was there before is lost. False: out of memory, and there are none.
static bool Room(Kernel* kernel, void** array, size_t* capacity, size_t count, size_t size)
{
    if (count > *capacity)
    {
        size_t most = count > 2 * *capacity ? count : 2 * *capacity;
        *array = RSL_NAME(rslKernel_Allocate)(kernel, most, size);
        *capacity = *array != NULL ? most : 0;
    }
    return *array != NULL || count == 0;
}

static bool FindPlaces(Kernel* kernel, Rows* rows, int* next)
{
    size_t nodes = (size_t)kernel->nodeCount;
    memset(rows->placeStart, 0, (nodes + 1) * sizeof(int));
    ForPieces(kernel, rows, next, CountPlaces);
    for (size_t i = 0; i < nodes; ++i)
    {
        rows->placeStart[i + 1] += rows->placeStart[i];
        next[i] = rows->placeStart[i];
    }
    size_t count = (size_t)rows->placeStart[nodes];
    if (!Room(kernel, (void**)&rows->places, &rows->placeCapacity, count, sizeof(Place)) ||
        !Room(kernel, (void**)&rows->column, &rows->columnCapacity, RSL_PIECE_NODES * count, sizeof(int)))
    {
        return false;
    }
    ForPieces(kernel, rows, next, FillPlaces);
    return true;
}

// ---- rows -------------------------------------------------------------------------------------------------------------

typedef struct Making
{
    Kernel* kernel;
    const View* view;
    Rows* rows;
    int* count;  // of the row of every node
} Making;

static int FindOrAdd(int* list, int* count, int node)
{
    int at = 0;
    while (at < *count && list[at] != node)
    {
        ++at;
    }
    if (at == *count)
    {
        list[(*count)++] = node;
    }
    return at;
}

// The nodes of the pieces of every node, each once.
static void ColumnsOfBlock(int item, void* context)
{
    const Making* m = context;
    const Kernel* kernel = m->kernel;
    int begin = BLOCK * item, end = kernel->nodeCount - begin < BLOCK ? kernel->nodeCount : begin + BLOCK;
    for (int i = begin; i < end; ++i)
    {
        int* list = m->rows->column + (size_t)RSL_PIECE_NODES * (size_t)m->rows->placeStart[i];
        m->count[i] = 0;
        for (int s = m->rows->placeStart[i]; s < m->rows->placeStart[i + 1]; ++s)
        {
            const Place* place = &m->rows->places[s];
            Piece piece;
            RSL_NAME(rslRepulsion_Piece)(kernel, &kernel->chunks[place->chunk], place->number, &piece);
            for (int c = 0; c < rslPiece_Corners(kernel->repulsion->chunks[place->chunk].kind); ++c)
            {
                FindOrAdd(list, &m->count[i], piece.nodes[c]);
            }
        }
    }
}

// Rows one behind the other.
static void CloseRows(const Making* m)
{
    Rows* rows = m->rows;
    int at = 0;
    for (int i = 0; i < m->kernel->nodeCount; ++i)
    {
        const int* list = rows->column + (size_t)RSL_PIECE_NODES * (size_t)rows->placeStart[i];
        rows->start[i] = at;
        memmove(rows->column + at, list, (size_t)m->count[i] * sizeof(int));
        at += m->count[i];
    }
    rows->start[m->kernel->nodeCount] = at;
}

static bool MakeRows(Kernel* kernel, Rows* rows)
{
    size_t nodes = (size_t)kernel->nodeCount;
    RepulsionMatrix* matrix = kernel->repulsion->matrix;
    if (rows->placeStart == NULL)
    {
        rows->placeStart = RSL_NAME(rslKernel_Allocate)(kernel, nodes + 1, sizeof(int));
        rows->start = RSL_NAME(rslKernel_Allocate)(kernel, nodes + 1, sizeof(int));
    }
    matrix->scratch =
        matrix->scratch == NULL ? RSL_NAME(rslKernel_Allocate)(kernel, nodes, sizeof(int)) : matrix->scratch;
    bool room = rows->placeStart != NULL && rows->start != NULL && matrix->scratch != NULL;
    if (!room || !FindPlaces(kernel, rows, matrix->scratch))
    {
        return false;
    }
    Making making = { kernel, NULL, rows, matrix->scratch };
    rslTeam_Run(kernel->team, ColumnsOfBlock, (kernel->nodeCount + BLOCK - 1) / BLOCK, &making);
    CloseRows(&making);
    return true;
}

// ---- blocks -------------------------------------------------------------------------------------------------------------

static void AddPiece(const RepulsionMatrix* matrix, const rslPieceTangent* tangent, const Piece* piece, int corner,
                     bool relaxed, int node)
{
    double(*blocks)[9] = (relaxed ? matrix->relaxed : matrix->exact) + matrix->rows.start[node];
    int* list = matrix->rows.column + matrix->rows.start[node];
    int count = matrix->rows.start[node + 1] - matrix->rows.start[node];
    for (int axis = 0; axis < 3; ++axis)
    {
        rslVec3 p[RSL_PIECE_NODES] = { 0 }, out[RSL_PIECE_NODES] = { 0 };
        p[corner] = (rslVec3){ axis == 0, axis == 1, axis == 2 };
        rslPiece_Product(tangent, relaxed, p, out);
        for (int c = 0; c < tangent->corners; ++c)
        {
            double* row = blocks[FindOrAdd(list, &count, piece->nodes[c])] + 3 * axis;
            row[0] += out[c].x;
            row[1] += out[c].y;
            row[2] += out[c].z;
        }
    }
}

static void BlocksOfBlock(int item, void* context)
{
    const Making* m = context;
    const Kernel* kernel = m->kernel;
    const RepulsionMatrix* matrix = kernel->repulsion->matrix;
    int begin = BLOCK * item, end = kernel->nodeCount - begin < BLOCK ? kernel->nodeCount : begin + BLOCK;
    for (int i = begin; i < end; ++i)
    {
        size_t from = (size_t)m->rows->start[i], count = (size_t)(m->rows->start[i + 1] - m->rows->start[i]);
        memset(matrix->exact + from, 0, count * sizeof matrix->exact[0]);
        memset(matrix->relaxed + from, 0, count * sizeof matrix->relaxed[0]);
        for (int s = m->rows->placeStart[i]; s < m->rows->placeStart[i + 1]; ++s)
        {
            const Place* place = &m->rows->places[s];
            const PieceChunk* pieces = &kernel->repulsion->chunks[place->chunk];
            Piece piece;
            rslPieceTangent tangent;
            RSL_NAME(rslRepulsion_Piece)(kernel, &kernel->chunks[place->chunk], place->number, &piece);
            RSL_NAME(rslRepulsion_Tangent)(pieces, &piece, m->view, &tangent);
            AddPiece(matrix, &tangent, &piece, place->corner, false, i);
            AddPiece(matrix, &tangent, &piece, place->corner, true, i);
        }
    }
}

static bool RoomForBlocks(Kernel* kernel, RepulsionMatrix* matrix)
{
    size_t count = (size_t)matrix->rows.start[kernel->nodeCount], other = matrix->blockCapacity;
    bool made = Room(kernel, (void**)&matrix->exact, &matrix->blockCapacity, count, sizeof(double[9])) &&
                Room(kernel, (void**)&matrix->relaxed, &other, count, sizeof(double[9]));
    matrix->blockCapacity = made ? matrix->blockCapacity : 0;
    return made;
}

static bool Own(Kernel* kernel)
{
    RepulsionKernel* r = kernel->repulsion;
    r->matrix = r->matrix == NULL ? RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof(RepulsionMatrix)) : r->matrix;
    return r->matrix != NULL;
}

void rslRepulsion_Assemble(Kernel* kernel, const View* view)
{
    bool any = false;
    for (int c = 0; kernel->repulsion != NULL && c < kernel->chunkCount; ++c)
    {
        any = any || kernel->repulsion->chunks[c].nearCount > 0;
    }
    RepulsionKernel* r = kernel->repulsion;
    if (r == NULL)
    {
        return;
    }
    r->assembled = !any || (Own(kernel) && MakeRows(kernel, &r->matrix->rows) && RoomForBlocks(kernel, r->matrix));
    RepulsionMatrix* matrix = r->matrix;
    if (matrix != NULL)
    {
        matrix->any = any && r->assembled;
    }
    if (matrix != NULL && matrix->any)
    {
        Making making = { kernel, view, &matrix->rows, NULL };
        rslTeam_Run(kernel->team, BlocksOfBlock, (kernel->nodeCount + BLOCK - 1) / BLOCK, &making);
    }
}

bool rslRepulsion_IsAssembled(const Kernel* kernel)
{
    return kernel->repulsion != NULL && kernel->repulsion->assembled;
}

static bool IsNear(const Kernel* kernel)
{
    return kernel->repulsion != NULL && kernel->repulsion->matrix != NULL && kernel->repulsion->matrix->any;
}

void rslRepulsion_Row(const Kernel* kernel, int node, void (*visit)(void* context, int other, const double block[9]),
                      void* context)
{
    const RepulsionMatrix* matrix = kernel->repulsion->matrix;
    bool any = IsNear(kernel);
    for (int e = any ? matrix->rows.start[node] : 0; any && e < matrix->rows.start[node + 1]; ++e)
    {
        visit(context, matrix->rows.column[e], (kernel->exact ? matrix->exact : matrix->relaxed)[e]);
    }
}

void rslRepulsion_Multiply(const Kernel* kernel, const Chunk* chunk, bool relaxed, double* const p[3],
                           double* const out[3])
{
    if (!IsNear(kernel))
    {
        return;
    }
    const RepulsionMatrix* matrix = kernel->repulsion->matrix;
    double(*const blocks)[9] = relaxed ? matrix->relaxed : matrix->exact;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        double sum[3] = { 0.0, 0.0, 0.0 };
        for (int e = matrix->rows.start[i]; e < matrix->rows.start[i + 1]; ++e)
        {
            int j = matrix->rows.column[e];
            const double *k = blocks[e], x = p[0][j], y = p[1][j], z = p[2][j];
            sum[0] += k[0] * x + k[1] * y + k[2] * z;
            sum[1] += k[3] * x + k[4] * y + k[5] * z;
            sum[2] += k[6] * x + k[7] * y + k[8] * z;
        }
        for (int axis = 0; matrix->rows.start[i] < matrix->rows.start[i + 1] && axis < 3; ++axis)
        {
            out[axis][i] += sum[axis];
        }
    }
}
