// SPDX-License-Identifier: MIT
//
// mechanism.c: see mechanism.h.
//
// Shells A and C, cubes of 8 nodes. Along a column of edges the displacement along the column is constant; four body
// diagonals add four conditions. What is left of the 24 displacements of one cube is the field, p = (i, j, k),
//   u = t + w x p + (c_x s_yz, c_y s_zx, c_z s_xy),   s_yz = (-1)^(j + k) ...
// nine numbers: six rigid motions, and columns that slide in a checkerboard along x, y or z. It is a global field, so
// pieces of a body that share enough nodes share their nine numbers. A block of 2 x 2 x 2 cubes has one field: a cluster
// grows from all blocks that have a cube in common. Where cubes meet in one face only, they can also be twisted against
// each other at no cost: bars and plates of one cell, and single cells that stick out, have modes of their own.
//
// Unknowns: nine a cluster, three a node that is in no cube (centred construction). Conditions: at a node of several
// clusters their fields agree; springs that are in no cube keep their length; held axes do not move. All coefficients
// are integers, and so the rank is exact (rank.h); axes held of a turned lattice are rounded to 2^-20.
//   modes = unknowns - rank - independent rigid motions that are not held
// Rigid motions of the parts: the rank of their rows at all nodes, less that at the held axes.

#include "mechanism.h"

#include "lattice.h"
#include "rank.h"
#include "vec.h"

enum
{
    FIELD = 9,
    RIGID = 6,
    UNKNOWN_LIMIT = 32 * 1024 * 1024
};

// ---- cubes, clusters, parts -----------------------------------------------------------------------------------------

typedef struct Piece
{
    int column;  // of its first unknown
    int cubes;
} Piece;

typedef struct Count
{
    const rslLattice* lattice;
    int nodeCount, cubeCount;
    int extent[3];    // in cubes
    int* cube;        // union-find over all places of cubes, -1 where there is none; later the piece of each
    int* part;        // of every node: union-find, later its number
    int* loneColumn;  // of every node: of its three unknowns when it is in no cube, else -1
    Piece* pieces;
    int pieceCount, partCount;
    int64_t unknowns;
    rslRank fields, moving, still;  // conditions on fields; rigid motions of parts at all nodes, and at held axes
    int* partRank;
    const rslHooks* hooks;
} Count;

static int Root(int* parent, int at)
{
    while (parent[at] != at)
    {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    return at;
}

static void Join(int* parent, int a, int b)
{
    int x = Root(parent, a), y = Root(parent, b);
    parent[x > y ? x : y] = x > y ? y : x;
}

static int CubeAt(const Count* count, int i, int j, int k)
{
    if ((unsigned)i >= (unsigned)count->extent[0] || (unsigned)j >= (unsigned)count->extent[1] ||
        (unsigned)k >= (unsigned)count->extent[2])
    {
        return -1;
    }
    int at = i + count->extent[0] * (j + count->extent[1] * k);
    return count->cube[at] < 0 ? -1 : at;
}

// All eight nodes of the cube above (i, j, k); with the corner construction a filled cell has them, and only it has the
// springs.
static bool HasCube(const Count* count, int i, int j, int k)
{
    const rslLattice* lattice = count->lattice;
    if (lattice->construction == rsl_cornerLattice)
    {
        return rslLattice_Weight(lattice, i, j, k) > 0.0;
    }
    bool all = true;
    for (int c = 0; all && c < 8; ++c)
    {
        all = rslLattice_Weight(lattice, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)) > 0.0;
    }
    return all;
}

typedef void PlaceFunction(Count* count, int i, int j, int k, int index);

static void ForCubes(Count* count, PlaceFunction* function)
{
    for (int k = 0, at = 0; k < count->extent[2]; ++k)
    {
        for (int j = 0; j < count->extent[1]; ++j)
        {
            for (int i = 0; i < count->extent[0]; ++i, ++at)
            {
                function(count, i, j, k, at);
            }
        }
    }
}

static void ForNodes(Count* count, PlaceFunction* function)
{
    for (int r = 0; r < count->lattice->rowCount; ++r)
    {
        const rslLatticeRow* row = &count->lattice->rows[r];
        for (int n = 0; n < row->count; ++n)
        {
            function(count, row->i + n, row->j, row->k, row->first + n);
        }
    }
}

static void FindCube(Count* count, int i, int j, int k, int index)
{
    count->cube[index] = HasCube(count, i, j, k) ? index : -1;
}

// The eight cubes of a complete 2 x 2 x 2 block are one cluster.
static void JoinBlock(Count* count, int i, int j, int k, int index)
{
    int cubes[8];
    for (int c = 0; c < 8; ++c)
    {
        cubes[c] = CubeAt(count, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
        if (cubes[c] < 0)
        {
            return;
        }
    }
    for (int c = 1; c < 8; ++c)
    {
        Join(count->cube, index, cubes[c]);
    }
}

// The distinct pieces that a node belongs to.
static int PiecesAt(const Count* count, int i, int j, int k, int pieces[8])
{
    int found = 0;
    for (int c = 0; c < 8; ++c)
    {
        int cube = CubeAt(count, i - (c & 1), j - (c >> 1 & 1), k - (c >> 2)), known = 0;
        while (cube >= 0 && known < found && pieces[known] != count->cube[cube])
        {
            ++known;
        }
        if (cube >= 0 && known == found)
        {
            pieces[found++] = count->cube[cube];
        }
    }
    return found;
}

static void JoinNodes(Count* count, int i, int j, int k, int index)
{
    for (int d = 0; d < RSL_LATTICE_HALF; ++d)
    {
        if (rslLattice_Stiffness(count->lattice, i, j, k, d) > 0.0)
        {
            const int* s = rslLatticeDirections[d];
            Join(count->part, index, rslLattice_Node(count->lattice, i + s[0], j + s[1], k + s[2]));
        }
    }
}

// Roots, which come before what they lead, become numbers.
static int NumberRoots(int* parent, int size)
{
    int count = 0;
    for (int at = 0; at < size; ++at)
    {
        parent[at] = parent[at] >= 0 ? Root(parent, at) : -1;
    }
    for (int at = 0; at < size; ++at)
    {
        int root = parent[at];
        parent[at] = root < 0 ? -1 : root == at ? count++ : parent[root];
    }
    return count;
}

static void FindLone(Count* count, int i, int j, int k, int index)
{
    int pieces[8];
    count->loneColumn[index] = -1;
    if (PiecesAt(count, i, j, k, pieces) == 0)
    {
        count->loneColumn[index] = (int)count->unknowns;
        count->unknowns += 3;
    }
}

// Small pieces come first, so that they are eliminated while they are small.
static void NumberPieces(Count* count)
{
    for (int at = 0; at < count->cubeCount; ++at)
    {
        if (count->cube[at] >= 0)
        {
            count->pieces[count->cube[at]].cubes += 1;
        }
    }
    for (int large = 0; large < 2; ++large)
    {
        for (int p = 0; p < count->pieceCount; ++p)
        {
            if ((count->pieces[p].cubes > 1) == (large == 1))
            {
                count->pieces[p].column = (int)count->unknowns;
                count->unknowns += FIELD;
            }
        }
    }
}

// ---- conditions -----------------------------------------------------------------------------------------------------

// factor * (w x p)_axis, with w at column.
static void AddTurn(rslCondition* condition, int column, int axis, const int p[3], int64_t factor)
{
    int next = (axis + 1) % 3, last = (axis + 2) % 3;
    rslCondition_Add(condition, column + next, factor * p[last]);
    rslCondition_Add(condition, column + last, -factor * p[next]);
}

static void AddField(rslCondition* condition, const Piece* piece, int axis, const int p[3], int64_t factor)
{
    int others = p[(axis + 1) % 3] + p[(axis + 2) % 3];
    rslCondition_Add(condition, piece->column + axis, factor);
    AddTurn(condition, piece->column + 3, axis, p, factor);
    rslCondition_Add(condition, piece->column + 6 + axis, others & 1 ? -factor : factor);
}

// factor * u_axis of a node, by the first piece it belongs to.
static void AddNode(const Count* count, rslCondition* condition, int index, int axis, const int p[3], int64_t factor)
{
    int pieces[8];
    if (count->loneColumn[index] >= 0)
    {
        rslCondition_Add(condition, count->loneColumn[index] + axis, factor);
        return;
    }
    PiecesAt(count, p[0], p[1], p[2], pieces);
    AddField(condition, &count->pieces[pieces[0]], axis, p, factor);
}

static void TieFields(Count* count, int i, int j, int k, int index)
{
    (void)index;
    int pieces[8], p[3] = { i, j, k }, found = PiecesAt(count, i, j, k, pieces);
    for (int n = 1; n < found; ++n)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            rslCondition condition = { 0 };
            AddField(&condition, &count->pieces[pieces[n]], axis, p, 1);
            AddField(&condition, &count->pieces[pieces[0]], axis, p, -1);
            rslRank_Take(&count->fields, &condition);
        }
    }
}

// Is the bond along one step in a cube?
static bool IsInCube(const Count* count, const int p[3], const int step[3])
{
    for (int c = 0; c < 8; ++c)
    {
        int low[3];
        bool holds = true;
        for (int axis = 0; axis < 3; ++axis)
        {
            low[axis] = p[axis] - (c >> axis & 1);
            holds = holds && p[axis] + step[axis] >= low[axis] && p[axis] + step[axis] <= low[axis] + 1;
        }
        if (holds && CubeAt(count, low[0], low[1], low[2]) >= 0)
        {
            return true;
        }
    }
    return false;
}

static void TieLoneSprings(Count* count, int i, int j, int k, int index)
{
    const int p[3] = { i, j, k };
    for (int d = 0; d < RSL_LATTICE_HALF; ++d)
    {
        const int* s = rslLatticeDirections[d];
        if (!(rslLattice_Stiffness(count->lattice, i, j, k, d) > 0.0) || IsInCube(count, p, s))
        {
            continue;
        }
        const int q[3] = { i + s[0], j + s[1], k + s[2] };
        int other = rslLattice_Node(count->lattice, q[0], q[1], q[2]);
        rslCondition condition = { 0 };
        for (int axis = 0; axis < 3; ++axis)
        {
            if (s[axis] != 0)
            {
                AddNode(count, &condition, index, axis, p, -s[axis]);
                AddNode(count, &condition, other, axis, q, s[axis]);
            }
        }
        rslRank_Take(&count->fields, &condition);
    }
}

// e . (t + w x p) of a part
static bool TakeRigid(rslRank* matrix, int part, const int p[3], const int64_t e[3])
{
    rslCondition condition = { 0 };
    for (int axis = 0; axis < 3; ++axis)
    {
        rslCondition_Add(&condition, RIGID * part + axis, e[axis]);
        AddTurn(&condition, RIGID * part + 3, axis, p, e[axis]);
    }
    return rslRank_Take(matrix, &condition);
}

static void TakeMoving(Count* count, int i, int j, int k, int index)
{
    const int p[3] = { i, j, k };
    int part = count->part[index];
    for (int axis = 0; axis < 3 && count->partRank[part] < RIGID; ++axis)
    {
        int64_t e[3] = { axis == 0, axis == 1, axis == 2 };
        count->partRank[part] += TakeRigid(&count->moving, part, p, e) ? 1 : 0;
    }
}

static void HoldNode(Count* count, const int p[3], int index, rslVec3 direction)
{
    const double scale = 1048576.0;
    const int64_t e[3] = { (int64_t)floor(scale * direction.x + 0.5), (int64_t)floor(scale * direction.y + 0.5),
                           (int64_t)floor(scale * direction.z + 0.5) };
    rslCondition condition = { 0 };
    for (int axis = 0; axis < 3; ++axis)
    {
        if (e[axis] != 0)
        {
            AddNode(count, &condition, index, axis, p, e[axis]);
        }
    }
    rslRank_Take(&count->fields, &condition);
    TakeRigid(&count->still, count->part[index], p, e);
}

static void HoldAll(Count* count, const rslBody* body, const uint8_t* held, rslVec3 heldForAll)
{
    rslMat3 turn = rslQuatMatrix(body->frame.rotation);
    bool all = rslDot(heldForAll, heldForAll) > 0.0;
    for (int r = 0; r < count->lattice->rowCount; ++r)
    {
        const rslLatticeRow* row = &count->lattice->rows[r];
        for (int n = 0; n < row->count; ++n)
        {
            const int p[3] = { row->i + n, row->j, row->k };
            int index = row->first + n, bits = held != NULL ? held[index] : 0;
            for (int axis = 0; axis < 3; ++axis)
            {
                rslVec3 e = { axis == 0, axis == 1, axis == 2 };
                if (bits >> axis & 1)
                {
                    // all axes held: those of the lattice are as good, and exact
                    HoldNode(count, p, index, bits == 7 ? e : rslMatTVec(&turn, e));
                }
            }
            if (all)
            {
                HoldNode(count, p, index, rslMatTVec(&turn, heldForAll));
            }
        }
    }
}

// ---- all together ---------------------------------------------------------------------------------------------------

static bool HasShell(const rslLattice* lattice, int first, int end)
{
    bool all = true;
    for (int d = first; d < end; ++d)
    {
        all = all && lattice->stiffness[d] > 0.0;
    }
    return all;
}

static bool Start(Count* count, const rslBody* body)
{
    const rslLattice* lattice = count->lattice;
    int less = lattice->construction == rsl_cornerLattice ? 0 : 1;
    count->cubeCount = 1;
    for (int axis = 0; axis < 3; ++axis)
    {
        count->extent[axis] = lattice->cells[axis] - less;
        count->cubeCount *= count->extent[axis];  // fewer than cells, whose number is limited
    }
    count->nodeCount = body->nodeCount;
    count->cube = rslAllocate(count->hooks, (size_t)count->cubeCount, sizeof(int));
    count->part = rslAllocate(count->hooks, (size_t)count->nodeCount, sizeof(int));
    count->loneColumn = rslAllocate(count->hooks, (size_t)count->nodeCount, sizeof(int));
    return count->cube != NULL && count->part != NULL && count->loneColumn != NULL;
}

static bool MakePieces(Count* count)
{
    ForCubes(count, FindCube);
    ForCubes(count, JoinBlock);
    count->pieceCount = NumberRoots(count->cube, count->cubeCount);
    for (int n = 0; n < count->nodeCount; ++n)
    {
        count->part[n] = n;
    }
    ForNodes(count, JoinNodes);
    count->partCount = NumberRoots(count->part, count->nodeCount);
    ForNodes(count, FindLone);
    count->pieces = rslAllocate(count->hooks, (size_t)count->pieceCount, sizeof(Piece));
    count->partRank = rslAllocate(count->hooks, (size_t)count->partCount, sizeof(int));
    if (count->pieces == NULL || count->partRank == NULL)
    {
        return false;
    }
    int64_t turns = (int64_t)RIGID * count->partCount;
    if (FIELD * (int64_t)count->pieceCount + count->unknowns > UNKNOWN_LIMIT || turns > UNKNOWN_LIMIT)
    {
        count->fields.full = true;
        return true;
    }
    NumberPieces(count);
    bool made = rslRank_Make(&count->fields, count->hooks, count->unknowns);
    made = rslRank_Make(&count->moving, count->hooks, turns) && made;
    return rslRank_Make(&count->still, count->hooks, turns) && made;
}

static void Finish(Count* count)
{
    rslRank_Free(&count->still);
    rslRank_Free(&count->moving);
    rslRank_Free(&count->fields);
    rslRelease(count->hooks, count->partRank);
    rslRelease(count->hooks, count->pieces);
    rslRelease(count->hooks, count->loneColumn);
    rslRelease(count->hooks, count->part);
    rslRelease(count->hooks, count->cube);
}

rslStatus rslMechanisms_Count(const rslBody* body, const uint8_t* held, rslVec3 heldForAll, const rslHooks* hooks,
                              rslMechanisms* mechanisms)
{
    *mechanisms = (rslMechanisms){ .exact = true };
    bool elements = body->elements.count > 0, box = body->elements.kind == rsl_boxElements;
    bool stiff = elements ? !box || body->elements.faceDiagonals : HasShell(&body->lattice, 0, RSL_LATTICE_BODY);
    if (body->kind != rsl_latticeBody || stiff || body->model == rsl_rigidModel)
    {
        return rsl_ok;
    }
    rslLattice lattice = body->lattice;
    for (int d = 0; box && d < RSL_LATTICE_BONDS; ++d)
    {
        // where its springs are; what they are does not matter
        lattice.stiffness[d] = rslLattice_Shell(d) == 1 ? 0.0 : 1.0;
    }
    Count count = { .lattice = &lattice, .hooks = hooks };
    count.fields.hooks = count.moving.hooks = count.still.hooks = hooks;
    bool made = Start(&count, body) && MakePieces(&count);
    if (made && !count.fields.full)
    {
        ForNodes(&count, TieFields);
        ForNodes(&count, TieLoneSprings);
        ForNodes(&count, TakeMoving);
        HoldAll(&count, body, held, heldForAll);
        mechanisms->modes = count.unknowns - count.fields.rank - (count.moving.rank - count.still.rank);
        made = !count.fields.failed && !count.moving.failed && !count.still.failed;
    }
    if (count.fields.full)
    {
        // nothing held: three checkerboards at least
        bool free = held == NULL && rslDot(heldForAll, heldForAll) == 0.0;
        *mechanisms = (rslMechanisms){ .modes = free ? 3 : 0, .exact = false };
    }
    Finish(&count);
    return made ? rsl_ok : rsl_outOfMemory;
}
