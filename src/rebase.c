// SPDX-License-Identifier: MIT
//
// rebase.c: let a body's frame follow it, so that displacements stay small and single precision stays accurate.
//
//   x = c + R (X + u),  v = V + R w.  With y = X + u, means over mass y_, w_, X_ and a rotation Q that fits y - y_ to X - X_:
//   u' = Q^T (y - y_) - (X - X_),   c' = c + R (y_ - Q X_),   R' = R Q
//   w' = Q^T (w - w_),              V' = V + R w_
// Positions and velocities in the world are unchanged for any Q; Q only has to be near the body's rotation (fit_rotation.h, with
// A = sum m (y - y_)(X - X_)^T). Linear elements know no rotation: their frames keep theirs.
//
// Where nothing is deformed, rounding leaves some 1e-17 of a length and of a speed. Squares of that are numbers that single precision has no
// full digits for, and processors take many times as long over those: the step of a block in free fall took twice as long. So in single precision
// what is below 2^-48 of the root of the arms' mean square, or of the drift, is nothing.

#include "fit_rotation.h"
#include "kernel.h"
#include "rebase.h"
#include "real_lanes.h"

#define SumNodes RSL_NAME(rslRebase_Sum)
#define LatticeArms RSL_NAME(rslRebase_LatticeArms)
#define KeptArms RSL_NAME(rslRebase_KeptArms)
#define ApplyNodes RSL_NAME(rslRebase_Apply)

// What is summed over the nodes of a body, times their mass.
enum
{
    OF_PLACES = 0,    // y
    OF_SPEEDS = 3,    // w
    OF_TURNS = 6,     // y X^T
    OF_WAYS = 15,     // u.u
    OF_SQUARES = 16,  // w.w
};

// X - X_ of the nodes of a chunk, and 0 behind them.
typedef struct Arms
{
    double of[3][CHUNK + RSL_LANES];
} Arms;

// Rows of a lattice, and rest positions that are kept.
RSL_CLONES static void LatticeArms(const rslLattice* lattice, int begin, int end, const double centre[3], Arms* arms)
{
    const rslLatticeRow* row =
        &lattice->rows[RSL_LAST_UP_TO(lattice->rows, rslLatticeRow, first, 0, lattice->rowCount, begin)];
    for (int at = 0; at < end - begin; ++row)
    {
        const int from = begin + at - row->first, left = end - begin - at;
        const int count = row->count - from < left ? row->count - from : left;
        const double y = lattice->origin.y + lattice->spacing * row->j - centre[1];
        const double z = lattice->origin.z + lattice->spacing * row->k - centre[2];
        for (int i = 0; i < count; ++i)
        {
            arms->of[0][at + i] = lattice->origin.x + lattice->spacing * (row->i + from + i) - centre[0];
            arms->of[1][at + i] = y;
            arms->of[2][at + i] = z;
        }
        at += count;
    }
}

RSL_CLONES static void KeptArms(Real* const rest[3], int begin, int end, const double centre[3], Arms* arms)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < end - begin; ++i)
        {
            arms->of[axis][i] = (double)rest[axis][begin + i] - centre[axis];
        }
    }
}

static void FindArms(const Kernel* kernel, const Chunk* chunk, Arms* arms)
{
    const rslBody* body = &kernel->model->bodies[chunk->body];
    const BodyKernel* of = &kernel->bodies[chunk->body];
    const double centre[3] = { of->restCentre.x, of->restCentre.y, of->restCentre.z };
    if (body->kind == rsl_latticeBody)
    {
        rslLattice lattice = body->lattice;
        lattice.spacing = of->spacing;
        LatticeArms(&lattice, chunk->begin - body->firstNode, chunk->end - body->firstNode, centre, arms);
    }
    else
    {
        KeptArms(kernel->rest, chunk->begin + of->restBase, chunk->end + of->restBase, centre, arms);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        memset(arms->of[axis] + (chunk->end - chunk->begin), 0, RSL_LANES * sizeof(double));
    }
}

RSL_INLINE void SumBlock(const Arms* arms, const Real* mass, const View* view, int node, int i, int left,
                         rslLanes sum[RSL_REBASE_SUMS])
{
    rslLanes m, arm[3], u, w;
    TakeLanes(mass + node + i, left, &m);
    for (int a = 0; a < 3; ++a)
    {
        rslLanes_Get(arms->of[a] + i, &arm[a]);
    }
    for (int a = 0; a < 3; ++a)
    {
        TakeLanes(view->u[a] + node + i, left, &u);
        TakeLanes(view->w[a] + node + i, left, &w);
        rslLanes way = m * u, speed = m * w, weight = m * (arm[a] + u);
        sum[OF_PLACES + a] += way;
        sum[OF_SPEEDS + a] += speed;
        sum[OF_WAYS] += way * u;
        sum[OF_SQUARES] += speed * w;
        for (int b = 0; b < 3; ++b)
        {
            sum[OF_TURNS + 3 * a + b] += weight * arm[b];
        }
    }
}

// Lanes are added up apart.
RSL_CLONES static void SumNodes(const Arms* arms, const Real* mass, const View* view, int node, int count,
                                double sums[RSL_REBASE_SUMS])
{
    rslLanes sum[RSL_REBASE_SUMS] = { { 0 } };
    int i = 0;
    for (; i + RSL_LANES <= count; i += RSL_LANES)
    {
        SumBlock(arms, mass, view, node, i, RSL_LANES, sum);
    }
    if (i < count)
    {
        SumBlock(arms, mass, view, node, i, count - i, sum);
    }
    for (int s = 0; s < RSL_REBASE_SUMS; ++s)
    {
        sums[s] = AddLanes(&sum[s]);
    }
}

void RSL_NAME(rslRebase_SumChunk)(Kernel* kernel, const View* view, const Chunk* chunk)
{
    Arms arms;
    FindArms(kernel, chunk, &arms);
    SumNodes(&arms, kernel->mass, view, chunk->begin, chunk->end - chunk->begin, kernel->motions[chunk->index]);
}

// ---- what becomes of frames -------------------------------------------------------------------------------------------

// The trace of y X^T, which is that of X X^T, nearly, where nothing has turned far.
static double ArmsOf(const double sum[RSL_REBASE_SUMS])
{
    return sum[OF_TURNS] + sum[OF_TURNS + 4] + sum[OF_TURNS + 8];
}

// A frame stays where it is as long as that adds little to what numbers of its body have to hold: a sixteenth of the mean squares of
// displacements and of velocities.
static bool IsNear(const Rebase* rebase, double mass, const double sum[RSL_REBASE_SUMS])
{
    const double part = 1.0 / 16.0, wide = 1.0 / 64.0;
    const rslQuat q = rebase->rotation;
    double angle2 = 4.0 * (q.x * q.x + q.y * q.y + q.z * q.z), arms2 = ArmsOf(sum);
    return angle2 <= wide && arms2 >= 0.0 &&
           mass * rslDot(rebase->shift, rebase->shift) + angle2 * arms2 <= part * sum[OF_WAYS] &&
           mass * rslDot(rebase->drift, rebase->drift) <= part * sum[OF_SQUARES];
}

static Rebase FindRebase(const Kernel* kernel, int body, const double sum[RSL_REBASE_SUMS])
{
    const BodyKernel* b = &kernel->bodies[body];
    Rebase rebase = { 0 };
    if (b->rigid)
    {
        return rebase;  // its frame follows at every step
    }
    rebase.shift = rslScale(1.0 / b->mass, (rslVec3){ sum[0], sum[1], sum[2] });
    rebase.drift = rslScale(1.0 / b->mass, (rslVec3){ sum[3], sum[4], sum[5] });
    // the mean of X - X_ over mass is zero, so that y_ drops out of y X^T
    const rslElements* elements = &kernel->model->bodies[body].elements;
    bool fixed = elements->count > 0 && elements->law == rsl_linearElement;
    rebase.rotation = (rslQuat){ 1.0, 0.0, 0.0, 0.0 };
    bool found = fixed || rslFindRotation(&sum[OF_TURNS], kernel->model->plane == rsl_planeXY, &rebase.rotation);
    rebase.turn = rslQuatMatrix(rebase.rotation);
    rebase.moves = !found || !IsNear(&rebase, b->mass, sum);
    double arms2 = ArmsOf(sum);
    rebase.leastPlace = RSL_PRECISION == 32 && arms2 > 0.0 ? 0x1p-48 * sqrt(arms2 / b->mass) : 0.0;
    rebase.leastSpeed = RSL_PRECISION == 32 ? 0x1p-48 * rslLength(rebase.drift) : 0.0;
    return rebase;
}

// m v.v / 2 of all nodes, with v = V + R w
static double KineticEnergy(const BodyKernel* body, const rslFrame* frame, const double sum[RSL_REBASE_SUMS])
{
    const rslVec3 V = frame->velocity;
    rslMat3 rotation = rslQuatMatrix(frame->rotation);
    rslVec3 drift = rslMatVec(&rotation, (rslVec3){ sum[OF_SPEEDS], sum[OF_SPEEDS + 1], sum[OF_SPEEDS + 2] });
    return 0.5 * (body->mass * rslDot(V, V) + sum[OF_SQUARES]) + rslDot(V, drift);
}

// 0, or no number where any of them is none: a node without springs is in no energy but that of gravity.
static double NoneOf(const double sum[RSL_REBASE_SUMS])
{
    double none = 0.0;
    for (int s = 0; s < RSL_REBASE_SUMS; ++s)
    {
        none += 0.0 * sum[s];
    }
    return none;
}

double RSL_NAME(rslRebase_Find)(Kernel* kernel, const rslState* state)
{
    double kinetic = 0.0;
    for (int b = 0, chunk = 0; b < kernel->model->bodyCount; ++b)
    {
        double sum[RSL_REBASE_SUMS] = { 0 };
        for (; chunk < kernel->chunkCount && kernel->chunks[chunk].body == b; ++chunk)
        {
            for (int s = 0; s < RSL_REBASE_SUMS; ++s)
            {
                sum[s] += kernel->motions[chunk][s];
            }
        }
        kernel->rebases[b] = FindRebase(kernel, b, sum);
        kinetic += KineticEnergy(&kernel->bodies[b], &state->frames[b], sum) + NoneOf(sum);
    }
    return kinetic;
}

static void MoveFrame(const BodyKernel* body, const Rebase* rebase, rslFrame* frame)
{
    rslMat3 rotation = rslQuatMatrix(frame->rotation);
    rslVec3 mean = rslAdd(body->restCentre, rebase->shift);
    rslVec3 move = rslSub(mean, rslMatVec(&rebase->turn, body->restCentre));
    frame->origin = rslAdd(frame->origin, rslMatVec(&rotation, move));
    frame->velocity = rslAdd(frame->velocity, rslMatVec(&rotation, rebase->drift));
    frame->rotation = rslQuatNormalize(rslQuatMul(frame->rotation, rebase->rotation));
}

// ---- and of nodes -----------------------------------------------------------------------------------------------------

// Q^T v
RSL_INLINE void Turn(const rslMat3* transposed, const rslLanes v[3], rslLanes to[3])
{
    for (int a = 0; a < 3; ++a)
    {
        const rslVec3 row = transposed->row[a];
        to[a] = row.x * v[0] + row.y * v[1] + row.z * v[2];
    }
}

// 0 where it is less; what is not a number stays that.
RSL_INLINE void Settle(rslLanes* v, double least)
{
#if RSL_PRECISION == 32
    const float most = (float)least;
    rslNarrow numbers = __builtin_convertvector(*v, rslNarrow);
    rslNarrowMask small = (numbers < most) & (numbers > -most);
    numbers = (rslNarrow)((rslNarrowMask)numbers & ~small);
    *v = __builtin_convertvector(numbers, rslLanes);
#else
    (void)v;
    (void)least;
#endif
}

RSL_CLONES static void ApplyNodes(const Arms* arms, const Rebase* rebase, const View* view, int node, int count)
{
    const double shift[3] = { rebase->shift.x, rebase->shift.y, rebase->shift.z };
    const double drift[3] = { rebase->drift.x, rebase->drift.y, rebase->drift.z };
    const rslMat3 transposed = rslMat_Transpose(&rebase->turn);
    for (int i = 0; i < count; i += RSL_LANES)
    {
        const int left = count - i;
        rslLanes arm[3], u[3], w[3], places[3], speeds[3];
        for (int a = 0; a < 3; ++a)
        {
            rslLanes_Get(arms->of[a] + i, &arm[a]);
            TakeLanes(view->u[a] + node + i, left, &u[a]);
            TakeLanes(view->w[a] + node + i, left, &w[a]);
            u[a] = arm[a] + (u[a] - shift[a]);
            w[a] -= drift[a];
        }
        Turn(&transposed, u, places);
        Turn(&transposed, w, speeds);
        for (int a = 0; a < 3; ++a)
        {
            places[a] -= arm[a];
            Settle(&places[a], rebase->leastPlace);
            Settle(&speeds[a], rebase->leastSpeed);
            PutLanes(&places[a], left, view->u[a] + node + i);
            PutLanes(&speeds[a], left, view->w[a] + node + i);
        }
    }
}

static void CopyNodes(const View* view, rslState* to, const Chunk* chunk)
{
    const View copy = ViewOf(to);
    const size_t bytes = (size_t)(chunk->end - chunk->begin) * sizeof(Real);
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(copy.u[axis] + chunk->begin, view->u[axis] + chunk->begin, bytes);
        memcpy(copy.w[axis] + chunk->begin, view->w[axis] + chunk->begin, bytes);
    }
}

static void FollowChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    const Rebase* rebase = &kernel->rebases[chunk->body];
    if (rebase->moves)
    {
        Arms arms;
        FindArms(kernel, chunk, &arms);
        ApplyNodes(&arms, rebase, view, chunk->begin, chunk->end - chunk->begin);
    }
    if (context != NULL)
    {
        CopyNodes(view, context, chunk);
    }
}

typedef struct Copying
{
    View from, to;
    size_t bytes, pieces;  // of each array
} Copying;

enum
{
    PIECE = 1 << 17,         // bytes, as large as pays
    WORTH_SHARING = 1 << 13  // bytes of an array: among threads
};

static void CopyPiece(int item, void* context)
{
    const Copying* c = context;
    const size_t array = (size_t)item / c->pieces, begin = (size_t)item % c->pieces * PIECE;
    const size_t bytes = c->bytes - begin < PIECE ? c->bytes - begin : PIECE;
    const char* from = (const char*)(array < 3 ? c->from.u[array] : c->from.w[array - 3]);
    char* to = (char*)(array < 3 ? c->to.u[array] : c->to.w[array - 3]);
    memcpy(to + begin, from + begin, bytes);
}

void RSL_NAME(rslRebase_Copy)(Kernel* kernel, const rslState* state, rslState* copy)
{
    Copying c = { .from = ViewOf(state), .to = ViewOf(copy), .bytes = (size_t)kernel->nodeCount * sizeof(Real) };
    c.pieces = 1 + c.bytes / PIECE;  // the last one may be empty
    for (int array = 0; c.bytes < WORTH_SHARING && array < 6; ++array)
    {
        CopyPiece(array, &c);
    }
    if (c.bytes < WORTH_SHARING)
    {
        return;
    }
    rslTeam_Run(kernel->team, CopyPiece, (int)(6 * c.pieces), &c);
}

bool RSL_NAME(rslRebase_Follow)(Kernel* kernel, rslState* state, rslState* copy)
{
    bool moves = false;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        if (kernel->rebases[b].moves)
        {
            MoveFrame(&kernel->bodies[b], &kernel->rebases[b], &state->frames[b]);
            moves = true;
        }
    }
    View view = ViewOf(state);
    if (moves)
    {
        RSL_NAME(rslKernel_ForChunks)(kernel, &view, FollowChunk, copy);
    }
    else if (copy != NULL)
    {
        RSL_NAME(rslRebase_Copy)(kernel, state, copy);
    }
    return moves;
}

static void SumChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    (void)context;
    RSL_NAME(rslRebase_SumChunk)(kernel, view, chunk);
}

bool RSL_NAME(rslKernel_Rebase)(Kernel* kernel, rslState* state)
{
    View view = ViewOf(state);
    RSL_NAME(rslKernel_ForChunks)(kernel, &view, SumChunk, NULL);
    (void)RSL_NAME(rslRebase_Find)(kernel, state);
    return RSL_NAME(rslRebase_Follow)(kernel, state, NULL);
}
