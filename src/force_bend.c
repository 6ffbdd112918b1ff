// SPDX-License-Identifier: MIT
//
// force_bend.c: sheets that resist bending (build_bend.c says by what).
//
// With the angles a_e of all hinges e (hinge.h), W = 1/2 a.Q a and moments m = Q a:
//   force      -sum_e m_e da_e/dx
//   stiffness  K p = sum_e (Q q)_e da_e/dx + m_e (d2a_e/dx2) p,   q_e = da_e/dx . p
// The first sum is never negative: where K has to be positive it stands alone. Dampers of alpha1 Q on the rates of the angles
// add alpha1 (Q q)_e to the moments, q from the velocities; gradients have neither a resultant nor a torque, so momentum and angular
// momentum are kept by both. Everything is in double: angles are small differences.
//
// A hinge is looked at once, together with those beside it in the list; then the moments of all; then every node sums up its own.

#include "hinge_lanes.h"
#include "lists.h"
#include "term.h"

#include <limits.h>
#include <string.h>

typedef struct Joint
{
    int nodes[4];
    int restBase;  // where places at rest are, from nodes
    int others[RSL_HINGE_ROW];
    double stiffness[RSL_HINGE_ROW];
    double damping;  // alpha1 [s]
    rslHinge hinge;
} Joint;

struct BendKernel
{
    Joint* joints;
    int count;
    int* placeStart;  // of every node, into places
    int* places;      // joint times four plus the node's place in it
    int* ownedStart;  // of every chunk, into owned
    int* owned;       // joints
    double* angle;
    double* rate;            // q
    double* moment;          // what the gradient counts with
    double* drag;            // of it, by dampers
    double* dissipated;      // [W]
    rslVec3 (*gradient)[4];  // da/dx
    rslVec3 (*second)[4];    // (d2a/dx2) p
    double* weight;          // what the second derivative counts with
    bool damped;
};

// ---- making ---------------------------------------------------------------------------------------------------------

static bool Allocate(Kernel* kernel, BendKernel* bend)
{
    size_t count = (size_t)bend->count;
    bend->joints = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(Joint));
    bend->places = RSL_NAME(rslKernel_Allocate)(kernel, 4 * count, sizeof(int));
    bend->placeStart = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->nodeCount + 1, sizeof(int));
    bend->owned = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(int));
    bend->ownedStart = RSL_NAME(rslKernel_Allocate)(kernel, (size_t)kernel->chunkCount + 1, sizeof(int));
    bend->gradient = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(rslVec3[4]));
    bend->second = RSL_NAME(rslKernel_Allocate)(kernel, count, sizeof(rslVec3[4]));
    bend->angle = RSL_NAME(rslKernel_Allocate)(kernel, 6 * count, sizeof(double));
    if (bend->angle != NULL)
    {
        bend->rate = bend->angle + count;
        bend->moment = bend->angle + 2 * count;
        bend->dissipated = bend->angle + 3 * count;
        bend->weight = bend->angle + 4 * count;
        bend->drag = bend->angle + 5 * count;
    }
    return bend->joints != NULL && bend->places != NULL && bend->placeStart != NULL && bend->owned != NULL &&
           bend->ownedStart != NULL && bend->gradient != NULL && bend->second != NULL && bend->angle != NULL;
}

static Joint MakeJoint(const Kernel* kernel, int body, int index, int base)
{
    const rslBending* bending = &kernel->model->bodies[body].bending;
    Joint joint = { .restBase = kernel->bodies[body].restBase,
                    .damping = (double)kernel->bodies[body].stiffnessDamping };
    RSL_ASSERT(kernel->model->bodies[body].kind == rsl_networkBody);  // sheets are
    rslVec3 x[4];
    for (size_t c = 0; c < 4; ++c)
    {
        joint.nodes[c] = bending->nodes[4 * (size_t)index + c];
        x[c] = RSL_NAME(rslKernel_RestOf)(kernel, body, joint.nodes[c]);
    }
    for (size_t r = 0; r < RSL_HINGE_ROW; ++r)
    {
        int other = bending->others[RSL_HINGE_ROW * (size_t)index + r];
        joint.others[r] = base + (other < 0 ? index : other);
        joint.stiffness[r] = other < 0 ? 0.0 : bending->stiffness[RSL_HINGE_ROW * (size_t)index + r];
    }
    joint.hinge = rslHinge_Make(x);
    return joint;
}

// Hinges of all bodies in their order; keys: the node of every place, then the chunk of every hinge.
static void Fill(Kernel* kernel, BendKernel* bend, int* keys)
{
    int at = 0;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        for (int i = 0, base = at; i < kernel->model->bodies[b].bending.count; ++i, ++at)
        {
            Joint* joint = &bend->joints[at];
            *joint = MakeJoint(kernel, b, i, base);
            bend->damped = bend->damped || joint->damping != 0.0;
            int lowest = joint->nodes[0];
            for (int c = 0; c < 4; ++c)
            {
                keys[4 * at + c] = joint->nodes[c];
                lowest = joint->nodes[c] < lowest ? joint->nodes[c] : lowest;
            }
            keys[4 * bend->count + at] = ChunkOf(kernel, lowest)->index;
        }
    }
    rslInvert(keys, 4 * bend->count, kernel->nodeCount, bend->placeStart, bend->places);
    rslInvert(keys + 4 * (size_t)bend->count, bend->count, kernel->chunkCount, bend->ownedStart, bend->owned);
}

bool RSL_NAME(rslBend_Make)(Kernel* kernel)
{
    int64_t count = 0;
    for (int b = 0; b < kernel->model->bodyCount; ++b)
    {
        count += kernel->model->bodies[b].bending.count;
    }
    if (count == 0 || count > INT_MAX / 5)
    {
        return count == 0;  // places are numbered by int: more is as if memory had run out
    }
    BendKernel* bend = RSL_NAME(rslKernel_Allocate)(kernel, 1, sizeof(BendKernel));
    int* keys = rslAllocate(&kernel->arena.hooks, 5 * (size_t)count, sizeof(int));
    bool made = bend != NULL && keys != NULL;
    if (made)
    {
        bend->count = (int)count;
        made = Allocate(kernel, bend);
    }
    if (made)
    {
        Fill(kernel, bend, keys);
        kernel->bend = bend;
    }
    rslRelease(&kernel->arena.hooks, keys);
    return made;
}

// ---- evaluating -----------------------------------------------------------------------------------------------------

static bool Present(const Kernel* kernel)
{
    return kernel->bend != NULL;
}

static void Place(const Kernel* kernel, const View* view, const Joint* joint, rslVec3 x[4])
{
    for (int c = 0; c < 4; ++c)
    {
        const int n = joint->nodes[c], rest = n + joint->restBase;
        x[c] = rslAdd(VectorAt(kernel->rest, rest), VectorAt(view->u, n));
    }
}

// What is asked of a pass: rates along p, and second derivatives along it if so.
typedef struct Asked
{
    Real* const* p;  // NULL: none
    bool second;
    bool damping;  // rates count, angles do not
    bool forces;   // both count
} Asked;

static void PutLane(const rslVec3 v[4], int lane, double to[4][3][RSL_LANES])
{
    for (int c = 0; c < 4; ++c)
    {
        to[c][0][lane] = v[c].x;
        to[c][1][lane] = v[c].y;
        to[c][2][lane] = v[c].z;
    }
}

// Some joints that follow each other, at most as many as there are lanes; the last one stands for those that are missing.
static void CollectJoints(const Kernel* kernel, const View* view, Real* const* p, int first, int count,
                          rslHinges* hinges)
{
    for (int i = 0; i < RSL_LANES; ++i)
    {
        const Joint* joint = &kernel->bend->joints[first + (i < count ? i : count - 1)];
        rslVec3 x[4];
        Place(kernel, view, joint, x);
        PutLane(x, i, hinges->x);
        hinges->sine[i] = joint->hinge.sine;
        hinges->cosine[i] = joint->hinge.cosine;
        hinges->fade[0][i] = joint->hinge.fade[0];
        hinges->fade[1][i] = joint->hinge.fade[1];
        if (p != NULL)
        {
            const int* n = joint->nodes;
            const rslVec3 m[4] = { VectorAt(p, n[0]), VectorAt(p, n[1]), VectorAt(p, n[2]), VectorAt(p, n[3]) };
            PutLane(m, i, hinges->m);
        }
    }
}

static rslVec3 InLane(double of[3][RSL_LANES], int i)
{
    return (rslVec3){ of[0][i], of[1][i], of[2][i] };
}

// A hinge with a triangle that fades, by itself.
static void LookAtOne(const rslHinge* hinge, rslHinges* hinges, bool second, int i, rslHingeViews* views)
{
    rslVec3 x[4], m[4], change[4];
    for (int c = 0; c < 4; ++c)
    {
        x[c] = InLane(hinges->x[c], i);
        m[c] = second ? InLane(hinges->m[c], i) : (rslVec3){ 0.0, 0.0, 0.0 };
    }
    rslHingeView look = rslHinge_Look(hinge, x);
    views->angle[i] = look.angle;
    PutLane(look.gradient, i, views->gradient);
    if (second)
    {
        rslHinge_Second(hinge, x, m, change);
        PutLane(change, i, views->second);
    }
}

static void LookAtJoints(Kernel* kernel, const View* view, const Asked* asked, int first, int count)
{
    BendKernel* bend = kernel->bend;
    rslHinges hinges;
    rslHingeViews views;
    CollectJoints(kernel, view, asked->p, first, count, &hinges);
    rslHinges_Look(&hinges, &views);
    if (asked->second)
    {
        rslHinges_Second(&hinges, &views);
    }
    for (int i = 0; i < count; ++i)
    {
        if (!(views.area[i] >= 1.0))
        {
            LookAtOne(&bend->joints[first + i].hinge, &hinges, asked->second, i, &views);
        }
    }
    if (asked->p != NULL)
    {
        rslHinges_Rates(&hinges, &views);
    }
    for (int i = 0; i < count; ++i)
    {
        const int j = first + i;
        bend->angle[j] = views.angle[i];
        bend->rate[j] = asked->p != NULL ? views.rate[i] : 0.0;
        for (int c = 0; c < 4; ++c)
        {
            bend->gradient[j][c] = InLane(views.gradient[c], i);
        }
        for (int c = 0; asked->second && c < 4; ++c)
        {
            bend->second[j][c] = InLane(views.second[c], i);
        }
    }
}

// A pass over all joints, in blocks that do not know of chunks: these are few where sheets are small.
typedef struct Pass
{
    Kernel* kernel;
    const View* view;
    const Asked* asked;
} Pass;

enum
{
    BLOCK = 8 * RSL_LANES  // joints
};

static int EndOfBlock(const BendKernel* bend, int item)
{
    return bend->count - item * BLOCK < BLOCK ? bend->count : (item + 1) * BLOCK;
}

static void LookAtBlock(int item, void* context)
{
    const Pass* pass = context;
    const int end = EndOfBlock(pass->kernel->bend, item);
    for (int j = item * BLOCK; j < end; j += RSL_LANES)
    {
        LookAtJoints(pass->kernel, pass->view, pass->asked, j, end - j < RSL_LANES ? end - j : RSL_LANES);
    }
}

// (Q v)_j
static double Row(const Joint* joint, const double* v)
{
    double sum = 0.0;
    for (int r = 0; r < RSL_HINGE_ROW; ++r)
    {
        sum += joint->stiffness[r] * v[joint->others[r]];
    }
    return sum;
}

// K + r C over K (kernel.h), but for second derivatives.
static double Damped(const Kernel* kernel, const Joint* joint)
{
    return 1.0 + kernel->rate * joint->damping;
}

static void FindMoments(int item, void* context)
{
    const Pass* pass = context;
    const Kernel* kernel = pass->kernel;
    const Asked* asked = pass->asked;
    BendKernel* bend = kernel->bend;
    for (int j = item * BLOCK; j < EndOfBlock(bend, item); ++j)
    {
        const Joint* joint = &bend->joints[j];
        double still = Row(joint, bend->angle), moving = asked->p != NULL ? Row(joint, bend->rate) : 0.0;
        double drag = joint->damping * moving, near = kernel->relaxed ? Damped(kernel, joint) : 1.0;
        bend->moment[j] = asked->forces ? still + drag : asked->damping ? drag : moving * near;
        bend->weight[j] = still;
        bend->dissipated[j] = drag * bend->rate[j];
        bend->drag[j] = drag;
    }
}

static void Evaluate(Kernel* kernel, const View* view, Asked asked)
{
    Pass pass = { kernel, view, &asked };
    const int blocks = (kernel->bend->count + BLOCK - 1) / BLOCK;
    rslTeam_Run(kernel->team, LookAtBlock, blocks, &pass);
    rslTeam_Run(kernel->team, FindMoments, blocks, &pass);
}

static void Prepare(Kernel* kernel, const View* view)
{
    Evaluate(kernel, view, (Asked){ .p = kernel->bend->damped ? view->w : NULL, .forces = true });
}

static void PrepareProduct(Kernel* kernel, const View* view, bool damping, Real* const p[3])
{
    Evaluate(kernel, view, (Asked){ .p = p, .second = !damping && !kernel->relaxed, .damping = damping });
}

// ---- what nodes get -------------------------------------------------------------------------------------------------

static void AddTo(Real* const out[3], int node, rslVec3 sum)
{
    out[0][node] += (Real)sum.x;
    out[1][node] += (Real)sum.y;
    out[2][node] += (Real)sum.z;
}

static void Gather(const Kernel* kernel, const Chunk* chunk, const double* moment, double sign, bool second,
                   Real* const out[3])
{
    const BendKernel* bend = kernel->bend;
    for (int node = chunk->begin; node < chunk->end; ++node)
    {
        rslVec3 sum = { 0.0, 0.0, 0.0 };
        for (int s = bend->placeStart[node]; s < bend->placeStart[node + 1]; ++s)
        {
            int j = bend->places[s] / 4, c = bend->places[s] % 4;
            sum = rslMulAdd(sum, sign * moment[j], bend->gradient[j][c]);
            sum = second ? rslMulAdd(sum, sign * bend->weight[j], bend->second[j][c]) : sum;
        }
        AddTo(out, node, sum);
    }
}

static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    (void)view;
    const BendKernel* bend = kernel->bend;
    double sum = 0.0;
    for (int o = bend->ownedStart[chunk->index]; o < bend->ownedStart[chunk->index + 1]; ++o)
    {
        int j = bend->owned[o];
        sum += 0.5 * bend->angle[j] * bend->weight[j];
    }
    return sum;
}

// Forces and drags together: gradients are read once.
static void GatherBoth(const Kernel* kernel, const Chunk* chunk)
{
    const BendKernel* bend = kernel->bend;
    for (int node = chunk->begin; node < chunk->end; ++node)
    {
        rslVec3 force = { 0.0, 0.0, 0.0 }, drag = force;
        for (int s = bend->placeStart[node]; s < bend->placeStart[node + 1]; ++s)
        {
            int j = bend->places[s] / 4, c = bend->places[s] % 4;
            force = rslMulAdd(force, -bend->moment[j], bend->gradient[j][c]);
            drag = rslMulAdd(drag, -bend->drag[j], bend->gradient[j][c]);
        }
        AddTo(kernel->force, node, force);
        AddTo(kernel->drag, node, drag);
    }
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    (void)view;
    const BendKernel* bend = kernel->bend;
    if (bend->damped && kernel->drag[0] != NULL)
    {
        GatherBoth(kernel, chunk);
    }
    else
    {
        Gather(kernel, chunk, bend->moment, -1.0, false, kernel->force);
    }
    for (int o = bend->ownedStart[chunk->index]; bend->damped && o < bend->ownedStart[chunk->index + 1]; ++o)
    {
        powers->dissipated += bend->dissipated[bend->owned[o]];
    }
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    (void)view;
    (void)p;
    Gather(kernel, chunk, kernel->bend->moment, 1.0, !kernel->relaxed, out);
}

static void Damping(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    (void)view;
    (void)p;
    if (kernel->bend->damped)
    {
        Gather(kernel, chunk, kernel->bend->moment, 1.0, false, out);
    }
}

// ---- rows of K ------------------------------------------------------------------------------------------------------

static void AddOuter(double factor, rslVec3 a, rslVec3 b, double out[9])
{
    const double p[3] = { a.x, a.y, a.z }, q[3] = { b.x, b.y, b.z };
    for (int c = 0; c < 9; ++c)
    {
        out[c] += factor * p[c / 3] * q[c % 3];
    }
}

// Blocks of the second derivative between place c of a hinge and all its places.
static void SecondBlocks(const Kernel* kernel, const View* view, const Joint* joint, int c, double weight,
                         double out[4][9])
{
    rslVec3 x[4];
    Place(kernel, view, joint, x);
    for (int axis = 0; axis < 3; ++axis)
    {
        rslVec3 m[4] = { 0 }, moved[4];
        m[c] = (rslVec3){ axis == 0, axis == 1, axis == 2 };
        rslHinge_Second(&joint->hinge, x, m, moved);
        for (int k = 0; k < 4; ++k)
        {
            out[k][3 * axis] += weight * moved[k].x;
            out[k][3 * axis + 1] += weight * moved[k].y;
            out[k][3 * axis + 2] += weight * moved[k].z;
        }
    }
}

static void Diagonal(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks)
{
    static const int at[6] = { 0, 4, 8, 1, 2, 5 };
    const BendKernel* bend = kernel->bend;
    for (int node = chunk->begin; node < chunk->end; ++node)
    {
        for (int s = bend->placeStart[node]; s < bend->placeStart[node + 1]; ++s)
        {
            int j = bend->places[s] / 4, place = bend->places[s] % 4;
            const Joint* joint = &bend->joints[j];
            double sum[4][9] = { 0 };
            for (int r = 0; r < RSL_HINGE_ROW; ++r)
            {
                int other = joint->others[r];
                for (int c = 0; c < 4; ++c)
                {
                    if (bend->joints[other].nodes[c] == node)
                    {
                        AddOuter(Damped(kernel, joint) * joint->stiffness[r], bend->gradient[j][place],
                                 bend->gradient[other][c], sum[place]);
                    }
                }
            }
            if (!kernel->relaxed)
            {
                SecondBlocks(kernel, view, joint, place, bend->weight[j], sum);
            }
            for (int c = 0; c < 6; ++c)
            {
                blocks[node - chunk->begin][c] += sum[place][at[c]];
            }
        }
    }
}

// The others of a node while they are found: told when there is no more room.
typedef struct Found
{
    int count;
    int node[48];
    double block[48][9];
    bool blocks;
    void (*visit)(void* context, int other, const double block[9]);
    void* context;
} Found;

static void Tell(Found* found)
{
    for (int f = 0; f < found->count; ++f)
    {
        found->visit(found->context, found->node[f], found->blocks ? found->block[f] : NULL);
    }
    found->count = 0;
}

static double* BlockOf(Found* found, int node)
{
    int f = 0;
    while (f < found->count && found->node[f] != node)
    {
        ++f;
    }
    if (f == (int)(sizeof found->node / sizeof found->node[0]))
    {
        Tell(found);
        f = 0;
    }
    if (f == found->count)
    {
        found->node[found->count++] = node;
        memset(found->block[f], 0, sizeof found->block[f]);
    }
    return found->block[f];
}

static void AddJoint(const Kernel* kernel, const View* view, int j, int place, Found* found)
{
    const BendKernel* bend = kernel->bend;
    const Joint* joint = &bend->joints[j];
    for (int r = 0; r < RSL_HINGE_ROW; ++r)
    {
        int other = joint->others[r];
        for (int c = 0; c < 4 && joint->stiffness[r] != 0.0; ++c)
        {
            double* block = BlockOf(found, bend->joints[other].nodes[c]);
            AddOuter(Damped(kernel, joint) * joint->stiffness[r], bend->gradient[j][place], bend->gradient[other][c],
                     block);
        }
    }
    if (view != NULL && kernel->exact)
    {
        double second[4][9] = { 0 };
        SecondBlocks(kernel, view, joint, place, bend->weight[j], second);
        for (int c = 0; c < 36; ++c)
        {
            BlockOf(found, joint->nodes[c / 9])[c % 9] += second[c / 9][c % 9];
        }
    }
}

void RSL_NAME(rslBend_Couplings)(const Kernel* kernel, const View* view, int node,
                                 void (*visit)(void* context, int other, const double block[9]), void* context)
{
    const BendKernel* bend = kernel->bend;
    Found found = { .count = 0, .blocks = view != NULL, .visit = visit, .context = context };
    for (int s = bend != NULL ? bend->placeStart[node] : 0; bend != NULL && s < bend->placeStart[node + 1]; ++s)
    {
        AddJoint(kernel, view, bend->places[s] / 4, bend->places[s] % 4, &found);
    }
    Tell(&found);
}

const Term RSL_NAME(rslBendTerm) = {
    .name = "bending",
    .hasEnergy = true,
    .symmetric = true,
    .present = Present,
    .prepare = Prepare,
    .prepareProduct = PrepareProduct,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
    .damping = Damping,
    .diagonal = Diagonal,
};
