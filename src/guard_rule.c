// SPDX-License-Identifier: MIT
//
// guard_rule.c: the step that a barrier near collapse allows.
//
// A height h with the barrier U(h) is a spring of stiffness U'' between the vertex and the foot of h: it swings with
//   w^2 = U'' sum_i |dh/dx_i|^2 / m_i = U'' (1/m_p + sum_i lambda_i^2 / m_i)
// and a node is pushed by several. All barriers together swing no faster than the W of force_repulsion.c: an explicit step t with
// t W <= 2 is stable while U'' stays what it is, and half of that is taken. A height that changes by much in a step meets another U'' at
// its end: where it changes by a fiftieth, t w sqrt(6) has to be a tenth of 2, or energy is not kept (docs/theory.md); where it hardly
// moves, stability alone will do. Heights below half of those at rest are asked: above, the step of the whole body is chosen with what
// the others have.
//
// What is stable beside the springs. With h0 the longest step that is stable without barriers, (t^2 K + 2 t C) / 4 is at most t/h0 of M for
// t <= h0: t^2 W^2 <= 4 (1 - t/h0) is stable, and four fifths of that are taken where they are more than 1.
//
// A few cells. What Verlet's steps keep is off the energy by t^2 U'' (dh/dt)^2 / 24 of every height: a vertex with the bound above has
// 6e-4 of its energy wrong. Where these together are no more than 1e-4 of what moves in the body and of what its barriers hold, or 1e-2
// where dampers take the motion of nodes against their neighbours before anything comes of it, they are not seen in it, and clamped
// barriers have to be stable only: corners that are crushed do not hold up a body of a thousand cells.
//
// Where repulsion is felt at rest (Cooper's and the stiff law) it is the material. At the limit of stability what Verlet's steps keep is
// not the energy: bodies thrown about lose a tenth of it in the first steps, whatever their forces. As long as they swing in one
// place that is all that happens; near barriers steps are divided, and what is lost then stays lost. So there, heights that change by
// more than a tenth in a step divide it too.

#include "guard.h"

static const double crowd = 6.0;
static const double quick = 0.1;
static const double little = 1e-4, littleDamped = 1e-2;
static const double safe = 0.8;

static double Softness(const Kernel* kernel, const Piece* piece, const rslHeight* height, int corners)
{
    double sum = 0.0;
    for (int c = 0; c < corners; ++c)
    {
        int node = piece->nodes[c];
        bool still = kernel->held != NULL && kernel->held[node] == 7;
        sum += still ? 0.0 : height->lambda[c] * height->lambda[c] / (double)kernel->mass[node];
    }
    return sum;
}

// dh/dt
static double Rate(const View* view, const Piece* piece, const rslHeight* height, int corners)
{
    double rate = 0.0;
    for (int c = 0; c < corners; ++c)
    {
        int node = piece->nodes[c];
        rslVec3 w = VectorAt(view->w, node);
        rate -= height->lambda[c] * rslDot(height->normal, w);
    }
    return rate;
}

// The square of the frequency that a step must resolve for a height, a little more for how it changes in the step.
static double Square(const Kernel* kernel, const Piece* piece, const rslHeight* height, double part, double slope,
                     int corners)
{
    double share = !(part < 0.02) ? 0.1 : part <= 0.0004 ? 5.0 : 0.002 / part;
    return slope * Softness(kernel, piece, height, corners) / (share * share);
}

typedef struct RuleContext
{
    double speed;  // no node is faster
} RuleContext;

static void FastestOfChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    const PieceChunk* pieces = &kernel->repulsion->chunks[chunk->index];
    const RuleContext* rule = context;
    int corners = rslPiece_Corners(pieces->kind), fastestOf = -1;
    double fastest = 0.0, swing = 0.0, stored = 0.0, step = kernel->guard->step;
    // from half of its height on; lambda is rarely above 1
    bool high = pieces->law != rsl_clampedRepulsion && 4.0 * rule->speed * step > quick * 0.5 * pieces->leastHeight;
    for (int n = RSL_NAME(rslRepulsion_Next)(kernel, chunk, pieces->first); n >= 0;
         n = RSL_NAME(rslRepulsion_Next)(kernel, chunk, n + 1))
    {
        Piece piece;
        rslVec3 x[RSL_PIECE_NODES];
        rslFeet feet;
        RSL_NAME(rslRepulsion_Piece)(kernel, chunk, n, &piece);
        PlacePiece(view, &piece, corners, x);
        rslPiece_Feet(pieces->kind, x, &feet);
        for (int v = 0; v < corners; ++v)
        {
            bool low = feet.h[v] < 0.5 * piece.height[v];
            if (!low && !high)
            {
                continue;
            }
            rslHeight height = { .h = feet.h[v], .normal = feet.normal[v] };
            for (int c = 0; c < corners; ++c)
            {
                height.lambda[c] = rslFeet_Lambda(&feet, v, c);
            }
            double change = fabs(Rate(view, &piece, &height, corners)) * step, part = change / height.h;
            rslRepulsionResponse u = rslRepulsion_Evaluate(pieces->law, piece.stiffness[v], piece.height[v], height.h);
            swing += u.slope * change * change / 24.0;
            stored += u.energy;
            double square = low             ? Square(kernel, &piece, &height, part, u.slope, corners)
                            : part <= quick ? 0.0
                                            : INFINITY;
            bool slower = square <= fastest || isnan(fastest);
            fastestOf = slower ? fastestOf : n;
            fastest = slower ? fastest : square;
        }
    }
    kernel->guard->fastest[chunk->index] = fastest;
    kernel->guard->fastestOf[chunk->index] = fastestOf;
    kernel->guard->swing[chunk->index] = pieces->law == rsl_clampedRepulsion ? swing : INFINITY;
    kernel->guard->stored[chunk->index] = stored;
}

static void SpeedOfChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    double most = 0.0;
    (void)context;
    for (int i = chunk->begin; i < chunk->end; ++i)
    {
        rslVec3 w = VectorAt(view->w, i);
        most = rslDot(w, w) <= most ? most : rslDot(w, w);
    }
    kernel->guard->fastest[chunk->index] = most;
}

// W^2
static double Quickest(const Kernel* kernel)
{
    double quickest = 0.0;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        double square = kernel->repulsion->chunks[c].quickest;
        quickest = square <= quickest ? quickest : square;
    }
    return quickest;
}

// The chunk that found the largest; what is not a number is larger than any.
static int Fastest(const Kernel* kernel)
{
    const double* fastest = kernel->guard->fastest;
    int best = 0;
    for (int c = 1; c < kernel->chunkCount; ++c)
    {
        best = fastest[c] <= fastest[best] || isnan(fastest[best]) ? best : c;
    }
    return best;
}

// Is what the barriers of a body are off by little beside its energy, without the motion of its centre? From its first chunk on. What has
// collapsed holds no energy that could be told.
static bool IsLittle(const Kernel* kernel, const View* view, int first)
{
    double swing = 0.0, stored = 0.0, mass = 0.0, square = 0.0;
    rslVec3 momentum = { 0 };
    int body = kernel->chunks[first].body;
    for (int c = first; c < kernel->chunkCount && kernel->chunks[c].body == body; ++c)
    {
        const Chunk* chunk = &kernel->chunks[c];
        swing += kernel->guard->swing[c];
        stored += kernel->guard->stored[c];
        for (int i = chunk->begin; i < chunk->end; ++i)
        {
            rslVec3 w = VectorAt(view->w, i);
            double m = (double)kernel->mass[i];
            mass += m;
            momentum = rslMulAdd(momentum, m, w);
            square += m * rslDot(w, w);
        }
    }
    double moves = 0.5 * (square - rslDot(momentum, momentum) / mass);
    return stored < INFINITY && swing <= (kernel->guard->damped[body] ? littleDamped : little) * (moves + stored);
}

// Where what steps are off by is little, stability alone is asked for.
static void ForgetLittle(Kernel* kernel, const View* view, double limit)
{
    double* fastest = kernel->guard->fastest;
    int asked = -1, first = 0;
    bool isLittle = false;
    for (int c = 0; c < kernel->chunkCount; ++c)
    {
        int body = kernel->chunks[c].body;
        first = kernel->chunks[first].body == body ? first : c;
        if (fastest[c] <= limit || kernel->guard->fastestOf[c] < 0)
        {
            continue;
        }
        isLittle = body == asked ? isLittle : IsLittle(kernel, view, first);
        asked = body;
        fastest[c] = isLittle ? limit : fastest[c];
    }
}

static void Press(Kernel* kernel, const View* view, const Chunk* chunk)
{
    GuardKernel* guard = kernel->guard;
    rslPieceKind kind = kernel->repulsion->chunks[chunk->index].kind;
    Piece piece;
    rslVec3 x[RSL_PIECE_NODES];
    RSL_NAME(rslRepulsion_Piece)(kernel, chunk, guard->fastestOf[chunk->index], &piece);
    PlacePiece(view, &piece, rslPiece_Corners(kind), x);
    guard->pressed = chunk->body;
    guard->pressedElement = piece.element;
    guard->ratio = rslPiece_Measure(kind, x) / piece.measure;
}

void RSL_NAME(rslGuard_SetStable)(Kernel* kernel, double stable)
{
    if (kernel->guard != NULL)
    {
        kernel->guard->stable = stable < INFINITY ? stable : 0.0;
    }
}

void RSL_NAME(rslGuard_Rule)(Kernel* kernel, const View* view)
{
    GuardKernel* guard = kernel->guard;
    RuleContext context = { 0.0 };
    bool near = false;
    for (int c = 0; guard != NULL && c < kernel->chunkCount; ++c)
    {
        near = near || kernel->repulsion->chunks[c].nearCount > 0;
    }
    if (!near)
    {
        return;
    }
    if (guard->felt)
    {
        RSL_NAME(rslKernel_ForChunksLight)(kernel, view, SpeedOfChunk, NULL);
        context.speed = sqrt(guard->fastest[Fastest(kernel)]);
    }
    RSL_NAME(rslKernel_ForChunksLight)(kernel, view, FastestOfChunk, &context);
    double step2 = guard->step * guard->step, limit = 4.0 / (crowd * step2);
    ForgetLittle(kernel, view, limit);
    int most = Fastest(kernel);
    double stable = guard->stable > guard->step ? safe * 4.0 * (1.0 - guard->step / guard->stable) : 0.0;
    bool passes = guard->fastest[most] <= limit && step2 * Quickest(kernel) <= rslMost(1.0, stable);
    if (!passes && guard->fastestOf[most] >= 0)
    {
        guard->failed = guard->tested = true;
        Press(kernel, view, &kernel->chunks[most]);
    }
}
