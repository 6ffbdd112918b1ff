// SPDX-License-Identifier: MIT
//
// contact_rub.c: friction between two bodies in contact, as impulses that follow a kick (friction.h).
//
// A touch slides with s = sum A_j^T v_j without its part along n (contact_grip.c): A_j P is what an impulse P at it gives to
// node j. All touches at once ask for impulses P_i across their normals, |P_i| <= mu J_i, that take as much of the kinetic
// energy as they can:
//   P.s + P.W P / 2 -> least,   W = A M^-1 A^T: then touches stick, or slide against their friction.
// They are found by sweeps over the touches, in a fixed order. Each takes the impulse that is best as the others stand: the one
// that stops it where that is within mu J, else a step with the larger eigenvalue of its own block of W, cut back to mu J. The
// sum falls with every one of them, from 0 on: the kinetic energy never grows, but for the work of moving constraints, however
// few the sweeps. They end when none moves by more than a part of what the first did.
//
// Nodes that constraints hold have been kicked with the others, and will be put back: until then they would seem to slide. What
// the kick gave them is taken away first.
//
// Heat: with the kick c = sum A_j^T h F_j / m_j before it, nodes move by the mean of their velocities before the kick and after
// friction, and so P does the work P.((s + s')/2 - c/2), s and s' before and after. Without c/2 the account would be off at
// first order, by what the kick does to what friction takes back. The part of c by loads is work that they have been credited
// with and do not do.

#include "contact_grip.h"
#include "friction.h"

enum
{
    SWEEPS = 30
};

static const double enough = 1e-5;  // of the largest move of the first sweep

// Two directions across a unit vector.
static void Across(rslVec3 n, rslVec3 t[2])
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    rslVec3 least = { x <= y && x <= z ? 1.0 : 0.0, y < x && y <= z ? 1.0 : 0.0, z < x && z < y ? 1.0 : 0.0 };
    t[0] = rslNormalize(rslCross(n, least));
    t[1] = rslCross(n, t[0]);
}

// Its block of W in the directions t, as rslRub has it.
static void FindBlock(const Kernel* kernel, const View* view, Grip* grip, const rslVec3 t[2], double block[3])
{
    rslVec3 a = RSL_NAME(rslGrip_Yield)(kernel, view, grip, t[0]),
            b = RSL_NAME(rslGrip_Yield)(kernel, view, grip, t[1]);
    block[0] = rslDot(a, t[0]);
    block[1] = rslDot(b, t[1]);
    block[2] = rslDot(a, t[1]);
}

static double LargerOf(const double block[3])
{
    double half = 0.5 * (block[0] - block[1]);
    return 0.5 * (block[0] + block[1]) + sqrt(half * half + block[2] * block[2]);
}

// Before the sweeps.
static void Begin(const Kernel* kernel, const View* view, const ContactKernel* contact, int s, int v, double time)
{
    Grip grip;
    rslVec3 t[2];
    const rslGap* gap = &contact->sides[s].touches[v].gap;
    TouchRub* rub = &contact->sides[s].rubs[v];
    RSL_NAME(rslGrip_Make)(kernel, contact, s, v, &grip);
    Across(gap->normal, t);
    double push = contact->contact->stiffness[s][v] * (contact->contact->thickness - gap->distance);
    *rub = (TouchRub){ .most = contact->contact->friction * push * time };
    rub->slip = rslFriction_Slip(RSL_NAME(rslGrip_Slide)(kernel, view, &grip, rsl_allOfIt), gap->normal);
    FindBlock(kernel, view, &grip, t, rub->block);
}

// The best impulse of a touch that slides by s, as the others stand.
static rslVec3 Best(const TouchRub* rub, const rslVec3 t[2], rslVec3 slip)
{
    const double *b = rub->block, x = rslDot(slip, t[0]), y = rslDot(slip, t[1]), larger = LargerOf(b);
    double det = b[0] * b[1] - b[2] * b[2];
    if (det > 1e-12 * larger * larger)
    {
        rslVec3 stops = rslMulAdd(rub->impulse, (b[2] * y - b[1] * x) / det, t[0]);
        stops = rslMulAdd(stops, (b[2] * x - b[0] * y) / det, t[1]);
        if (rslLength(stops) <= rub->most)
        {
            return stops;
        }
    }
    rslVec3 next = rslMulAdd(rslMulAdd(rub->impulse, -x / larger, t[0]), -y / larger, t[1]);
    double length = rslLength(next);
    return length <= rub->most ? next : rslScale(rub->most / length, next);
}

// Returns by how much it moved [m/s].
static double Sweep(const Kernel* kernel, const View* view, const ContactKernel* contact, int s, int v)
{
    TouchRub* rub = &contact->sides[s].rubs[v];
    const double larger = LargerOf(rub->block);
    Grip grip;
    rslVec3 t[2];
    if (!(larger > 0.0 && rub->most > 0.0))
    {
        return 0.0;
    }
    RSL_NAME(rslGrip_Make)(kernel, contact, s, v, &grip);
    Across(contact->sides[s].touches[v].gap.normal, t);
    rslVec3 next = Best(rub, t, RSL_NAME(rslGrip_Slide)(kernel, view, &grip, rsl_allOfIt));
    rslVec3 more = rslSub(next, rub->impulse);
    RSL_NAME(rslGrip_Push)(kernel, view, &grip, more);
    rub->impulse = next;
    return larger * rslLength(more);
}

typedef struct Rubbed
{
    double heat, work, undone;  // [J]; undone: work of loads that was counted with the kick
} Rubbed;

static void End(const Kernel* kernel, const View* view, const ContactKernel* contact, int s, int v, double time,
                Rubbed* sum)
{
    const TouchRub* rub = &contact->sides[s].rubs[v];
    Grip grip;
    RSL_NAME(rslGrip_Make)(kernel, contact, s, v, &grip);
    rslVec3 after = RSL_NAME(rslGrip_Slide)(kernel, view, &grip, rsl_allOfIt);
    rslVec3 held = RSL_NAME(rslGrip_Slide)(kernel, view, &grip, rsl_heldPart);
    rslVec3 kick = RSL_NAME(rslGrip_Kicked)(kernel, view, &grip, false, time);
    rslVec3 pull = RSL_NAME(rslGrip_Kicked)(kernel, view, &grip, true, time);
    sum->heat -= 0.5 * rslDot(rub->impulse, rslSub(rslAdd(rub->slip, after), kick));
    sum->work -= rslDot(rub->impulse, held);
    sum->undone += 0.5 * rslDot(rub->impulse, pull);
}

static void RubContact(Kernel* kernel, const View* view, ContactKernel* contact, double time, rslAccount* account)
{
    FOR_TOUCHES(contact, s, i)
    {
        Begin(kernel, view, contact, s, contact->sides[s].near[i], time);
    }
    double first = 0.0, most = 1.0;
    for (int sweep = 0; sweep < SWEEPS && most > enough * first; ++sweep)
    {
        most = 0.0;
        FOR_TOUCHES(contact, s, i)
        {
            most = rslMost(most, Sweep(kernel, view, contact, s, contact->sides[s].near[i]));
        }
        first = sweep == 0 ? most : first;
    }
    if (account == NULL)
    {
        return;
    }
    Rubbed sum = { 0.0, 0.0, 0.0 };
    FOR_TOUCHES(contact, s, i)
    {
        End(kernel, view, contact, s, contact->sides[s].near[i], time, &sum);
    }
    account->dissipated += sum.heat;
    account->loads += sum.undone;
    account->motion += sum.work;
    account->input += sum.work > 0.0 ? sum.work : 0.0;
}

static void UnkickChunk(Kernel* kernel, const View* view, const Chunk* chunk, void* context)
{
    double time = *(const double*)context;
    const rslMat3* rotation = &kernel->frames[chunk->body].rotation;
    for (int i = chunk->begin; !kernel->bodies[chunk->body].rigid && i < chunk->end; ++i)
    {
        int held = kernel->held[i];
        if (held != 0)
        {
            rslVec3 f = { (double)kernel->force[0][i], (double)kernel->force[1][i], (double)kernel->force[2][i] };
            f = rslMatVec(rotation, rslScale(time / (double)kernel->mass[i], f));
            f = (rslVec3){ held & 1 ? f.x : 0.0, held & 2 ? f.y : 0.0, held & 4 ? f.z : 0.0 };
            f = rslMatTVec(rotation, f);
            view->w[0][i] = (Real)((double)view->w[0][i] - f.x);
            view->w[1][i] = (Real)((double)view->w[1][i] - f.y);
            view->w[2][i] = (Real)((double)view->w[2][i] - f.z);
        }
    }
}

void RSL_NAME(rslContacts_Rub)(Kernel* kernel, const View* view, double time, rslAccount* account)
{
    bool ready = kernel->held == NULL;
    for (int c = 0; c < kernel->model->contactCount; ++c)
    {
        if (kernel->contacts[c].contact->friction > 0.0 && kernel->contacts[c].count > 0)
        {
            if (!ready)
            {
                RSL_NAME(rslKernel_ForChunksLight)(kernel, view, UnkickChunk, &time);
                ready = true;
            }
            RubContact(kernel, view, &kernel->contacts[c], time, account);
        }
    }
}
