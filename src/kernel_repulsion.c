// SPDX-License-Identifier: MIT
//
// kernel_repulsion.c: see kernel_repulsion.h.

#include "kernel_repulsion.h"

#include "sort.h"

#include <limits.h>
#include <string.h>

static bool Repels(const rslRepulsion* repulsion)
{
    rslRepulsionType law = repulsion->law;
    return repulsion->count > 0 &&
           (law == rsl_clampedRepulsion || law == rsl_cooperRepulsion || law == rsl_stiffRepulsion);
}

// ---- limits ---------------------------------------------------------------------------------------------------------

// s: the largest Frobenius norm of C - 1 over all q_ij = +-1, which is not less than the largest spectral one. Half of the signs
// do; each differs from the one before in one sign (Gray's code).
static double LargestNorm(int edges, double (*part)[6])
{
    double sum[6] = { 0 }, largest = 0.0;
    int signs[6] = { 1, 1, 1, 1, 1, 1 };
    for (int e = 0; e < edges; ++e)
    {
        for (int c = 0; c < 6; ++c)
        {
            sum[c] += part[e][c];
        }
    }
    for (int n = 1; n <= 1 << (edges - 1); ++n)
    {
        double norm2 = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] +
                       2.0 * (sum[3] * sum[3] + sum[4] * sum[4] + sum[5] * sum[5]);
        largest = norm2 > largest ? norm2 : largest;
        int flipped = 0;
        while ((n >> flipped & 1) == 0)
        {
            flipped += 1;
        }
        signs[flipped] = -signs[flipped];
        for (int c = 0; c < 6; ++c)
        {
            sum[c] += 2.0 * signs[flipped] * part[flipped][c];
        }
    }
    return sqrt(largest);
}

// q* of a piece at rest, a little less for rounding.
static double Limit(rslPieceKind kind, const rslVec3* x)
{
    int corners = rslPiece_Corners(kind), edges = 0;
    rslVec3 g[RSL_PIECE_NODES];
    double part[6][6];
    for (int v = 0; v < corners; ++v)
    {
        rslHeight height;
        rslPiece_Height(kind, x, v, &height);
        g[v] = rslScale(1.0 / height.h, height.normal);
    }
    for (int i = 0; i < corners; ++i)
    {
        for (int j = i + 1; j < corners; ++j, ++edges)
        {
            rslVec3 d = rslSub(x[j], x[i]), a = g[i], b = rslScale(rslDot(d, d), g[j]);
            double* p = part[edges];
            p[0] = a.x * b.x;
            p[1] = a.y * b.y;
            p[2] = a.z * b.z;
            p[3] = 0.5 * (a.x * b.y + a.y * b.x);
            p[4] = 0.5 * (a.x * b.z + a.z * b.x);
            p[5] = 0.5 * (a.y * b.z + a.z * b.y);
        }
    }
    double limit = 0.75 / LargestNorm(edges, part) * (1.0 - 1e-3) - 1e-4;
    return limit > 0.0 ? limit : 0.0;  // of a sliver 0: it is always looked at
}

// ---- counting -------------------------------------------------------------------------------------------------------

typedef struct Maker
{
    Kernel* kernel;
    RepulsionKernel* r;
    const rslHooks* hooks;
    int chunk;        // the first of a body
    uint64_t* pairs;  // owner and holder of every piece of a network, or of rows of cells
    size_t pairCount, pairCapacity;
    size_t runCount, runCapacity, edgeCount, edgeCapacity;
} Maker;

// The chunk of a node of a body whose first chunk is given.
static int ChunkIndex(const Maker* m, int body, int node)
{
    return m->chunk + (node - m->kernel->model->bodies[body].firstNode) / CHUNK;
}

static bool AddPair(Maker* m, int owner, int holder)
{
    if (!rslGrow(m->hooks, (void**)&m->pairs, m->pairCount, &m->pairCapacity, sizeof(uint64_t)))
    {
        return false;
    }
    m->pairs[m->pairCount++] = (uint64_t)(unsigned)holder << 32 | (unsigned)owner;
    return true;
}

static void StartChunk(Maker* m, int body, int index)
{
    const rslRepulsion* repulsion = &m->kernel->model->bodies[body].repulsion;
    PieceChunk* chunk = &m->r->chunks[index];
    *chunk = (PieceChunk){ .kind = rslRepulsion_Kind(repulsion, m->kernel->model->plane), .law = repulsion->law };
    chunk->leastHeight = INFINITY;
}

// ---- networks -------------------------------------------------------------------------------------------------------

static double StiffnessOf(const rslRepulsion* repulsion, int element)
{
    return repulsion->stiffnesses != NULL ? repulsion->stiffnesses[element] : repulsion->stiffness;
}

static int Lowest(const int* nodes, int corners)
{
    int lowest = nodes[0];
    for (int c = 1; c < corners; ++c)
    {
        lowest = nodes[c] < lowest ? nodes[c] : lowest;
    }
    return lowest;
}

static StoredPiece MakePiece(const Kernel* kernel, int body, const int* nodes, double stiffness, rslPieceKind kind)
{
    rslVec3 x[RSL_PIECE_NODES];
    double heights[RSL_PIECE_NODES];
    StoredPiece piece = { .stiffness = (Real)stiffness };
    for (int c = 0; c < rslPiece_Corners(kind); ++c)
    {
        x[c] = RSL_NAME(rslKernel_RestOf)(kernel, body, nodes[c]);
        piece.nodes[c] = nodes[c];
    }
    rslPiece_Heights(kind, x, heights);
    for (int c = 0; c < rslPiece_Corners(kind); ++c)
    {
        piece.height[c] = heights[c];
    }
    piece.measure = (Real)rslPiece_Measure(kind, x);
    piece.limit = (Real)Limit(kind, x);
    return piece;
}

// Nodes of piece p of an element.
static void PieceNodes(const rslRepulsion* repulsion, int element, int p, int nodes[RSL_PIECE_NODES])
{
    int all[8];
    rslRepulsion_Nodes(repulsion, element, all);
    for (int c = 0; c < (repulsion->corners == 3 ? 3 : 4); ++c)
    {
        nodes[c] = all[rslRepulsion_Corner(repulsion->corners, p, c)];
    }
}

// Pieces of a body by chunk, in the order of its elements; *next: place of the next one of every chunk.
static bool StorePieces(Maker* m, int body)
{
    const rslRepulsion* repulsion = &m->kernel->model->bodies[body].repulsion;
    int split = rslRepulsion_PieceCount(repulsion->corners), corners = repulsion->corners == 3 ? 3 : 4;
    int chunks = (m->kernel->model->bodies[body].nodeCount + CHUNK - 1) / CHUNK;
    bool made = true;
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int e = 0; e < split * repulsion->count; ++e)
        {
            int nodes[RSL_PIECE_NODES];
            PieceNodes(repulsion, e / split, e % split, nodes);
            int owner = ChunkIndex(m, body, Lowest(nodes, corners));
            PieceChunk* chunk = &m->r->chunks[owner];
            if (pass == 1)
            {
                StoredPiece piece = MakePiece(m->kernel, body, nodes, StiffnessOf(repulsion, e / split), chunk->kind);
                m->r->stored[chunk->first + chunk->count] = piece;
                for (int c = 0; made && c < corners; ++c)
                {
                    double h = piece.height[c];
                    chunk->leastHeight = h < chunk->leastHeight ? h : chunk->leastHeight;
                    made = AddPair(m, owner, ChunkIndex(m, body, nodes[c]));
                }
            }
            chunk->count += 1;
        }
        for (int c = m->chunk; pass == 0 && c < m->chunk + chunks; ++c)
        {
            PieceChunk* chunk = &m->r->chunks[c];
            chunk->first = m->r->pieceCount;
            m->r->pieceCount += chunk->count;
            chunk->count = 0;
        }
    }
    return made;
}

// Those of a chunk by their limits; bits of positive floats are in their order.
static bool SortPieces(Maker* m, const PieceChunk* chunk)
{
    size_t count = (size_t)chunk->count;
    uint64_t* keys = rslAllocate(m->hooks, count, sizeof(uint64_t));
    int* order = rslAllocate(m->hooks, count, sizeof(int));
    StoredPiece* copy = rslAllocate(m->hooks, count, sizeof(StoredPiece));
    StoredPiece* pieces = &m->r->stored[chunk->first];
    bool made = keys != NULL && order != NULL && copy != NULL;
    for (size_t i = 0; made && i < count; ++i)
    {
        double limit = (double)pieces[i].limit;
        memcpy(&keys[i], &limit, sizeof limit);
        order[i] = (int)i;
        copy[i] = pieces[i];
    }
    made = made && rslSort(m->hooks, keys, order, count);
    for (size_t i = 0; made && i < count; ++i)
    {
        pieces[i] = copy[order[i]];
    }
    rslRelease(m->hooks, keys);
    rslRelease(m->hooks, order);
    rslRelease(m->hooks, copy);
    return made;
}

static bool AddEdge(Maker* m, EdgeRun edge)
{
    if (!rslGrow(m->hooks, (void**)&m->r->edges, m->edgeCount, &m->edgeCapacity, sizeof(EdgeRun)))
    {
        return false;
    }
    m->r->edges[m->edgeCount++] = edge;
    return true;
}

// Every edge of the pieces of a chunk once.
static bool StoreEdges(Maker* m, int body, PieceChunk* chunk)
{
    int corners = rslPiece_Corners(chunk->kind), each = corners == 3 ? 3 : 6;
    size_t count = (size_t)each * (size_t)chunk->count, at = 0;
    uint64_t* keys = rslAllocate(m->hooks, count, sizeof(uint64_t));
    int* order = rslAllocate(m->hooks, count, sizeof(int));
    bool made = keys != NULL && order != NULL;
    for (int p = 0; made && p < chunk->count; ++p)
    {
        const int* nodes = m->r->stored[chunk->first + p].nodes;
        for (int i = 0; i < corners; ++i)
        {
            for (int j = i + 1; j < corners; ++j, ++at)
            {
                int a = nodes[i] < nodes[j] ? nodes[i] : nodes[j], b = nodes[i] < nodes[j] ? nodes[j] : nodes[i];
                keys[at] = (uint64_t)(unsigned)a << 32 | (unsigned)b;
                order[at] = 0;
            }
        }
    }
    made = made && rslSort(m->hooks, keys, order, count);
    chunk->edgeBegin = (int)m->edgeCount;
    for (size_t i = 0; made && i < count; ++i)
    {
        if (i == 0 || keys[i] != keys[i - 1])
        {
            int a = (int)(keys[i] >> 32), b = (int)(keys[i] & 0xffffffffu);
            rslVec3 d =
                rslSub(RSL_NAME(rslKernel_RestOf)(m->kernel, body, b), RSL_NAME(rslKernel_RestOf)(m->kernel, body, a));
            made = AddEdge(m, (EdgeRun){ .a = a, .b = b, .count = 1, .inverse2 = (Real)(1.0 / rslDot(d, d)) });
        }
    }
    chunk->edgeEnd = (int)m->edgeCount;
    rslRelease(m->hooks, keys);
    rslRelease(m->hooks, order);
    return made;
}

// ---- lattices -------------------------------------------------------------------------------------------------------

static bool AddRun(Maker* m, CellRun run)
{
    if (!rslGrow(m->hooks, (void**)&m->r->runs, m->runCount, &m->runCapacity, sizeof(CellRun)))
    {
        return false;
    }
    m->r->runs[m->runCount++] = run;
    return true;
}

// Runs of the model cut where chunks end.
static bool StoreRuns(Maker* m, int body)
{
    const rslRepulsion* repulsion = &m->kernel->model->bodies[body].repulsion;
    bool made = true;
    int last = -1;
    for (int r = 0; made && r < repulsion->runCount; ++r)
    {
        const rslCellRun* from = &repulsion->runs[r];
        for (int at = 0; made && at < from->count;)
        {
            int owner = ChunkIndex(m, body, from->first + at), room = m->kernel->chunks[owner].end - (from->first + at);
            int count = from->count - at < room ? from->count - at : room;
            CellRun run = { .first = from->first + at,
                            .count = count,
                            .number = m->r->pieceCount,
                            .element = from->before + at,
                            .odd = from->odd != (at % 2 == 1) };
            memcpy(run.offset, from->offset, sizeof run.offset);
            PieceChunk* chunk = &m->r->chunks[owner];
            if (owner != last)
            {
                chunk->first = m->r->pieceCount;
                chunk->runBegin = (int)m->runCount;
                last = owner;
            }
            made = AddRun(m, run);
            chunk->runEnd = (int)m->runCount;
            chunk->count += RSL_SPLIT * count;
            m->r->pieceCount += RSL_SPLIT * count;
            for (int row = 0; made && row < 4; ++row)
            {
                int first = ChunkIndex(m, body, run.first + run.offset[row]);
                int final = ChunkIndex(m, body, run.first + run.offset[row] + count);
                made = AddPair(m, owner, first) && (final == first || AddPair(m, owner, final));
            }
            at += count;
        }
    }
    return made;
}

// Edges along one direction from all nodes, cut at chunks and where neighbours are elsewhere.
static bool StoreDirection(Maker* m, int body, int direction)
{
    const rslBody* b = &m->kernel->model->bodies[body];
    const int* step = rslLatticeDirections[direction];
    double length = rslLattice_RestLength(&b->lattice, direction);
    EdgeRun run = { .direction = direction, .inverse2 = (Real)(1.0 / (length * length)) };
    bool made = true;
    for (int r = 0; made && r < b->lattice.rowCount; ++r)
    {
        const rslLatticeRow* row = &b->lattice.rows[r];
        for (int n = 0; made && n < row->count; ++n)
        {
            int a = b->firstNode + row->first + n;
            int other = rslLattice_Node(&b->lattice, row->i + n + step[0], row->j + step[1], row->k + step[2]);
            int to = b->firstNode + other;
            bool goesOn = other >= 0 && run.count > 0 && a == run.a + run.count && to - a == run.b - run.a &&
                          (a - b->firstNode) % CHUNK != 0;
            if (!goesOn && run.count > 0)
            {
                made = AddEdge(m, run);
                run.count = 0;
            }
            run.a = run.count > 0 ? run.a : a;
            run.b = run.count > 0 ? run.b : to;
            run.count += other >= 0 ? 1 : 0;
        }
    }
    return made && (run.count == 0 || AddEdge(m, run));
}

// Bonds along edges and face diagonals of cells from the nodes of every chunk. (Half of the diagonals are edges of no piece; in
// vectors, leaving them out would cost more.)
static bool StoreBonds(Maker* m, int body)
{
    bool made = true;
    size_t start = m->edgeCount;
    for (int d = 0; made && d < RSL_LATTICE_BODY; ++d)
    {
        made = StoreDirection(m, body, d);
    }
    // bring them into the order of chunks
    size_t count = m->edgeCount - start;
    uint64_t* keys = rslAllocate(m->hooks, count, sizeof(uint64_t));
    int* order = rslAllocate(m->hooks, count, sizeof(int));
    EdgeRun* copy = rslAllocate(m->hooks, count, sizeof(EdgeRun));
    made = made && keys != NULL && order != NULL && copy != NULL;
    for (size_t i = 0; made && i < count; ++i)
    {
        copy[i] = m->r->edges[start + i];
        keys[i] = (uint64_t)(unsigned)ChunkIndex(m, body, copy[i].a);
        order[i] = (int)i;
    }
    made = made && rslSort(m->hooks, keys, order, count);
    for (size_t i = 0; made && i < count; ++i)
    {
        PieceChunk* chunk = &m->r->chunks[keys[i]];
        m->r->edges[start + i] = copy[order[i]];
        chunk->edgeBegin = i == 0 || keys[i] != keys[i - 1] ? (int)(start + i) : chunk->edgeBegin;
        chunk->edgeEnd = (int)(start + i + 1);
    }
    rslRelease(m->hooks, keys);
    rslRelease(m->hooks, order);
    rslRelease(m->hooks, copy);
    return made;
}

static void MakeCells(RepulsionKernel* r)
{
    r->cellLimit = INFINITY;
    for (int p = 0; p < RSL_SPLIT; ++p)
    {
        rslVec3 x[RSL_PIECE_NODES];
        for (int c = 0; c < RSL_PIECE_NODES; ++c)
        {
            int corner = rslCellSplit[p][c];
            x[c] = (rslVec3){ corner & 1, corner >> 1 & 1, corner >> 2 };
        }
        double limit = Limit(rsl_tetrahedron, x);
        r->cellLimit = limit < r->cellLimit ? limit : r->cellLimit;
        rslPiece_Heights(rsl_tetrahedron, x, r->cellHeight[p]);
    }
}

// ---- together -------------------------------------------------------------------------------------------------------

// Which chunks own pieces with nodes of a chunk, and the other way round.
static bool StoreReach(Maker* m, bool turned, int** list)
{
    size_t count = m->pairCount, kept = 0;
    int* order = rslAllocate(m->hooks, count, sizeof(int));
    bool made = order != NULL;
    for (size_t i = 0; made && turned && i < count; ++i)
    {
        m->pairs[i] = m->pairs[i] << 32 | m->pairs[i] >> 32;
    }
    for (size_t i = 0; made && i < count; ++i)
    {
        order[i] = 0;
    }
    made = made && rslSort(m->hooks, m->pairs, order, count);
    for (size_t i = 0; made && i < count; ++i)
    {
        if (i == 0 || m->pairs[i] != m->pairs[kept - 1])
        {
            m->pairs[kept++] = m->pairs[i];
        }
    }
    rslRelease(m->hooks, order);
    m->pairCount = made ? kept : count;
    *list = RSL_NAME(rslKernel_Allocate)(m->kernel, kept, sizeof(int));
    made = made && *list != NULL;
    for (size_t i = 0; made && i < kept; ++i)
    {
        PieceChunk* chunk = &m->r->chunks[m->pairs[i] >> 32];
        int *begin = turned ? &chunk->holdBegin : &chunk->ownerBegin,
            *end = turned ? &chunk->holdEnd : &chunk->ownerEnd;
        *begin = i == 0 || m->pairs[i] >> 32 != m->pairs[i - 1] >> 32 ? (int)i : *begin;
        *end = (int)i + 1;
        (*list)[i] = (int)(m->pairs[i] & 0xffffffffu);
    }
    return made;
}

static bool StoreBody(Maker* m, int body)
{
    int chunks = (m->kernel->model->bodies[body].nodeCount + CHUNK - 1) / CHUNK;
    bool lattice = m->kernel->model->bodies[body].kind == rsl_latticeBody;
    double least = INFINITY;
    for (int c = m->chunk; c < m->chunk + chunks; ++c)
    {
        StartChunk(m, body, c);
    }
    for (int p = 0; p < RSL_SPLIT * RSL_PIECE_NODES; ++p)
    {
        double h = m->kernel->bodies[body].spacing * m->r->cellHeight[p / RSL_PIECE_NODES][p % RSL_PIECE_NODES];
        least = h < least ? h : least;
    }
    bool made = lattice ? StoreRuns(m, body) && StoreBonds(m, body) : StorePieces(m, body);
    for (int c = m->chunk; made && c < m->chunk + chunks; ++c)
    {
        PieceChunk* chunk = &m->r->chunks[c];
        chunk->leastHeight = lattice ? least : chunk->leastHeight;
        made = lattice || (SortPieces(m, chunk) && StoreEdges(m, body, chunk));
    }
    return made;
}

// Copies of what has grown into the memory of the kernel.
static bool Keep(Maker* m, void** list, size_t count, size_t size)
{
    void* grown = *list;
    *list = RSL_NAME(rslKernel_Allocate)(m->kernel, count, size);
    if (*list != NULL && count > 0)
    {
        memcpy(*list, grown, count * size);
    }
    rslRelease(m->hooks, grown);
    return *list != NULL;
}

// Networks first: their pieces have the low numbers.
static bool StoreBodies(Maker* m)
{
    bool made = true;
    for (int pass = 0; made && pass < 2; ++pass)
    {
        m->chunk = 0;
        for (int b = 0; made && b < m->kernel->model->bodyCount; ++b)
        {
            const rslBody* body = &m->kernel->model->bodies[b];
            bool lattice = body->kind == rsl_latticeBody;
            made = !Repels(&body->repulsion) || lattice != (pass == 1) || StoreBody(m, b);
            m->chunk += (body->nodeCount + CHUNK - 1) / CHUNK;
        }
    }
    return made;
}

static bool MakeNear(Maker* m)
{
    RepulsionKernel* r = m->r;
    r->near = RSL_NAME(rslKernel_Allocate)(m->kernel, (size_t)r->pieceCount, 1);
    for (int c = 0; r->near != NULL && c < m->kernel->chunkCount; ++c)
    {
        PieceChunk* chunk = &r->chunks[c];
        if (chunk->count > 0 && chunk->law != rsl_clampedRepulsion)
        {
            memset(r->near + chunk->first, 1, (size_t)chunk->count);
            chunk->nearCount = chunk->count;
        }
    }
    return r->near != NULL;
}

bool RSL_NAME(rslRepulsion_Make)(Kernel* kernel)
{
    int64_t stored = 0, all = 0;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        const rslBody* body = &kernel->model->bodies[b];
        int64_t pieces = (int64_t)body->repulsion.count * rslRepulsion_PieceCount(body->repulsion.corners);
        all += Repels(&body->repulsion) ? pieces : 0;
        stored += Repels(&body->repulsion) && body->kind == rsl_networkBody ? pieces : 0;
    }
    if (all == 0)
    {
        return true;
    }
    RepulsionKernel* r = kernel->repulsion = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof(RepulsionKernel));
    if (r == NULL || all > INT_MAX)
    {
        return false;
    }
    Maker m = { .kernel = kernel, .r = r, .hooks = &kernel->arena.hooks };
    r->storedCount = (int)stored;
    r->chunks = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount, sizeof(PieceChunk));
    r->stored = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)stored, sizeof(StoredPiece));
    MakeCells(r);
    bool made = r->chunks != NULL && r->stored != NULL && StoreBodies(&m) && MakeNear(&m);
    made = Keep(&m, (void**)&r->runs, m.runCount, sizeof(CellRun)) && made;
    made = Keep(&m, (void**)&r->edges, m.edgeCount, sizeof(EdgeRun)) && made;
    made = made && StoreReach(&m, false, &r->owners) && StoreReach(&m, true, &r->holders);
    rslRelease(m.hooks, m.pairs);
    return made;
}

// ---- one piece ------------------------------------------------------------------------------------------------------

static const CellRun* RunOf(const RepulsionKernel* r, const PieceChunk* chunk, int number)
{
    int low = chunk->runBegin, high = chunk->runEnd - 1;
    while (low < high)
    {
        int middle = low + (high - low + 1) / 2;
        low = r->runs[middle].number <= number ? middle : low;
        high = r->runs[middle].number <= number ? high : middle - 1;
    }
    return &r->runs[low];
}

static void CellPiece(const Kernel* kernel, const Chunk* chunk, int number, Piece* piece)
{
    const RepulsionKernel* r = kernel->repulsion;
    const rslRepulsion* repulsion = &kernel->model->bodies[chunk->body].repulsion;
    const CellRun* run = RunOf(r, &r->chunks[chunk->index], number);
    int along = (number - run->number) / RSL_SPLIT, p = (number - run->number) % RSL_SPLIT;
    double a = kernel->bodies[chunk->body].spacing, volume = p == 0 ? 1.0 / 3.0 : 1.0 / 6.0;
    for (int c = 0; c < RSL_PIECE_NODES; ++c)
    {
        int corner = rslCell_Turn(rslCellSplit[p][c], run->odd != (along % 2 == 1));
        piece->nodes[c] = run->first + along + (corner & 1) + run->offset[corner >> 1];
        piece->rest[c] = (rslVec3){ corner & 1 ? a : 0.0, corner & 2 ? a : 0.0, corner & 4 ? a : 0.0 };
        piece->height[c] = a * r->cellHeight[p][c];
    }
    piece->measure = a * a * a * volume;
    piece->stiffness = StiffnessOf(repulsion, run->element + along);
}

void RSL_NAME(rslRepulsion_Piece)(const Kernel* kernel, const Chunk* chunk, int number, Piece* piece)
{
    const RepulsionKernel* r = kernel->repulsion;
    if (number >= r->storedCount)
    {
        CellPiece(kernel, chunk, number, piece);
        return;
    }
    const StoredPiece* from = &r->stored[number];
    for (int c = 0; c < rslPiece_Corners(r->chunks[chunk->index].kind); ++c)
    {
        piece->nodes[c] = from->nodes[c];
        piece->rest[c] = RSL_NAME(rslKernel_RestOf)(kernel, chunk->body, from->nodes[c]);
        piece->height[c] = from->height[c];
    }
    piece->measure = (double)from->measure;
    piece->stiffness = (double)from->stiffness;
}

int RSL_NAME(rslRepulsion_Next)(const Kernel* kernel, const Chunk* chunk, int number)
{
    const RepulsionKernel* r = kernel->repulsion;
    const PieceChunk* pieces = &r->chunks[chunk->index];
    int end = pieces->first + pieces->count;
    const uint8_t* found =
        pieces->nearCount == 0 || number >= end ? NULL : memchr(r->near + number, 1, (size_t)(end - number));
    return found == NULL ? -1 : (int)(found - r->near);
}
