// SPDX-License-Identifier: MIT
//
// crush.h: bodies flattened between plates, or by their faces, and let go.

#pragma once

#include "physics_fixture.h"
#include "repulsion.h"

// ---- a cube of tetrahedra -------------------------------------------------------------------------------------------

enum
{
    MOST_CELLS = 3,
    MOST_NODES = (MOST_CELLS + 1) * (MOST_CELLS + 1) * (MOST_CELLS + 1),
    MOST_TETRAHEDRA = 6 * MOST_CELLS * MOST_CELLS * MOST_CELLS
};

// Kuhn's cube: n^3 cells of six tetrahedra each, around the diagonal from the lowest corner.
typedef struct Kuhn
{
    double nodes[3 * MOST_NODES];
    int tetrahedra[4 * MOST_TETRAHEDRA];
    int nodeCount, count;
} Kuhn;

static int KuhnNode(int n, int x, int y, int z)
{
    return (z * (n + 1) + y) * (n + 1) + x;
}

static void MakeKuhn(Kuhn* kuhn, int n)
{
    static const int order[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 } };
    kuhn->nodeCount = (n + 1) * (n + 1) * (n + 1);
    kuhn->count = 0;
    for (int i = 0; i < kuhn->nodeCount; ++i)
    {
        const int at[3] = { i % (n + 1), i / (n + 1) % (n + 1), i / ((n + 1) * (n + 1)) };
        for (int axis = 0; axis < 3; ++axis)
        {
            kuhn->nodes[3 * i + axis] = (double)at[axis] / n;
        }
        for (int k = 0; k < 6 && at[0] < n && at[1] < n && at[2] < n; ++k)
        {
            int corner[3] = { at[0], at[1], at[2] }, *out = &kuhn->tetrahedra[4 * kuhn->count++];
            for (int c = 0; c < 4; ++c)
            {
                out[k < 3 || c < 2 ? c : 5 - c] = KuhnNode(n, corner[0], corner[1], corner[2]);
                corner[order[k][c < 3 ? c : 0]] += 1;
            }
        }
    }
}

// ---- a body between plates ------------------------------------------------------------------------------------------

typedef struct Crush
{
    const char* what;
    rslBodyDef body;
    double low, high;  // where it begins and ends along z [m]
    double gap;        // what the plates leave of its height
    double time;       // to close [s]; the same to open
    double settle;     // after that [s]
    double hardness;   // of the plates; 0: the faces are held and moved instead
    double friction;   // of the plates
    bool slides;       // faces that are held are so along z only
    const Kuhn* kuhn;  // to look at beside the body's own repulsion; NULL: none
    rslIntegrator integrator;
    double step;
} Crush;

typedef struct Outcome
{
    rslStatus status;
    double flattest;     // least height over that at rest
    double leastVolume;  // of an element, over that at rest
    double inverted;     // what the plates left of the height when an element was first turned inside out; -1: never
    double back;         // farthest node from where it was, over the height, after a rigid motion
    double drift;        // energy missing, over the work of faces that are moved
} Outcome;

static rslVec3 NodeAt(const double* x, int node)
{
    return (rslVec3){ x[3 * (size_t)node], x[3 * (size_t)node + 1], x[3 * (size_t)node + 2] };
}

static double VolumeOf(const double* x, const int* nodes)
{
    rslVec3 a = NodeAt(x, nodes[0]);
    rslVec3 b = rslSub(NodeAt(x, nodes[1]), a), c = rslSub(NodeAt(x, nodes[2]), a), d = rslSub(NodeAt(x, nodes[3]), a);
    return rslDot(rslCross(b, c), d) / 6.0;
}

// The least volume of all tetrahedra over that at rest.
static double LeastVolume(const Crush* crush, const rslModel* model, const double* rest, const double* x)
{
    const rslRepulsion* repulsion = &model->bodies[0].repulsion;
    double least = INFINITY;
    for (int t = 0; crush->kuhn != NULL && t < crush->kuhn->count; ++t)
    {
        const int* nodes = &crush->kuhn->tetrahedra[4 * t];
        least = fmin(least, VolumeOf(x, nodes) / VolumeOf(rest, nodes));
    }
    for (int e = 0; e < repulsion->count; ++e)
    {
        int all[8], nodes[4];
        rslRepulsion_Nodes(repulsion, e, all);
        for (int p = 0; p < rslRepulsion_PieceCount(repulsion->corners); ++p)
        {
            for (int c = 0; c < 4; ++c)
            {
                nodes[c] = all[rslRepulsion_Corner(repulsion->corners, p, c)];
            }
            least = fmin(least, VolumeOf(x, nodes) / VolumeOf(rest, nodes));
        }
    }
    return least;
}

// Between the highest and the lowest vertex that plates can touch: nodes of cells that the surface goes through may be outside of it. Of
// faces that are moved, only their nodes count: what bulges out beside them may be higher.
static double HeightOf(const Crush* crush, const rslModel* model, const double* rest, const double* x)
{
    const rslSkin* skin = &model->bodies[0].skin;
    double low = INFINITY, high = -INFINITY;
    for (int v = 0; crush->hardness > 0.0 && v < skin->vertexCount; ++v)
    {
        double z = 0.0;
        for (int e = skin->stencilStart[v]; e < skin->stencilStart[v + 1]; ++e)
        {
            z += skin->stencilWeights[e] * x[3 * (size_t)model->contactNodes[skin->stencilNodes[e]] + 2];
        }
        low = fmin(low, z);
        high = fmax(high, z);
    }
    for (int i = 0; !(crush->hardness > 0.0) && i < model->nodeCount; ++i)
    {
        double z = x[3 * (size_t)i + 2], at = rest[3 * (size_t)i + 2];
        low = at < crush->low + 1e-6 ? fmin(low, z) : low;
        high = at > crush->high - 1e-6 ? fmax(high, z) : high;
    }
    return high - low;
}

// How far the shape is from that at rest. Frames follow their bodies: what is left of displacements is deformation.
static double FarthestNode(const Run* run)
{
    double farthest = 0.0;
    for (int i = 0; i < run->model->nodeCount; ++i)
    {
        rslVec3 u = { ((double*)run->state->displacement[0])[i], ((double*)run->state->displacement[1])[i],
                      ((double*)run->state->displacement[2])[i] };
        farthest = Worse(farthest, rslLength(u));
    }
    return farthest;
}

// Closed after time, open again after twice that.
static const double* PlatePoints(const Crush* crush, double points[8])
{
    const double t = crush->time, at[8] = { 0.0, 0.0, t, 1.0, 1.1 * t, 1.0, 1.6 * t, 0.0 };
    memcpy(points, at, sizeof at);
    return points;
}

static void MakePlates(const Crush* crush, const double* points, rslScene* scene, rslColliderDef* planes,
                       rslConstraintDef* holds)
{
    double way = (1.0 - crush->gap) * (crush->high - crush->low);
    for (int s = 0; s < 2; ++s)
    {
        rslMovementDef* move = crush->hardness > 0.0 ? &planes[s].move : &holds[s].move;
        double up = s == 0 ? 1.0 : -1.0;
        planes[s] = rslDefaultColliderDef();
        planes[s].point = (rslVec3){ 0.0, 0.0, s == 0 ? crush->low : crush->high };
        planes[s].normal = (rslVec3){ 0.0, 0.0, up };
        planes[s].hardness = crush->hardness > 0.0 ? crush->hardness : 1.0;
        planes[s].friction = crush->friction;
        rslVec3 face = { 0.0, 0.0, planes[s].point.z + up * 1e-6 };
        holds[s] = MoveBy(SideOf(NULL, face, (rslVec3){ 0.0, 0.0, -up }), (rslVec3){ 0.0, 0.0, 0.0 });
        holds[s].axes[0] = holds[s].axes[1] = !crush->slides;
        move->translate = (rslVec3){ 0.0, 0.0, s == 0 ? 0.0 : -way };
        move->course.type = rsl_tableCourse;
        move->course.points = points;
        move->course.pointCount = 4;
    }
    scene->gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    scene->colliders = planes;
    scene->colliderCount = crush->hardness > 0.0 ? 2 : 0;
    scene->constraints = holds;
    scene->constraintCount = crush->hardness > 0.0 ? 0 : 2;
}

// What the plates leave of the height at a time.
static double GapAt(const Crush* crush, const double* points, double time)
{
    rslCourse course = { .type = rsl_tableCourse, .points = points, .pointCount = 4 };
    return 1.0 - (1.0 - crush->gap) * rslCourse_Value(&course, time);
}

// Steps between two looks: a fifth of the time that the plates stay closed.
static int64_t Stride(const Crush* crush, const Run* run)
{
    return run->state->step > 0.0 ? 1 + (int64_t)(0.02 * crush->time / run->state->step) : 1;
}

static Outcome RunCrush(const Crush* crush)
{
    double points[8];
    rslColliderDef planes[2];
    rslConstraintDef holds[2];
    rslScene scene = SceneOf(&crush->body, 1);
    MakePlates(crush, PlatePoints(crush, points), &scene, planes, holds);
    rslSolverDef def = SolverDef(crush->integrator, crush->step > 0.0 ? crush->step : RSL_AUTO);
    Run run = StartRun(&scene, def);
    size_t count = 3 * (size_t)run.model->nodeCount;
    double* rest = calloc(2 * count, sizeof(double));
    double *x = rest + count, height;
    rslState_Positions(run.model, run.state, 0, run.model->nodeCount, rest);
    height = HeightOf(crush, run.model, rest, rest);
    Outcome out = { .flattest = 1.0, .leastVolume = 1.0, .inverted = -1.0 };
    double work = 0.0;
    while (out.status == rsl_ok && TimeOf(&run) < 1.6 * crush->time + crush->settle)
    {
        out.status = rslSolver_Step(run.solver, run.state, Stride(crush, &run));
        rslState_Positions(run.model, run.state, 0, run.model->nodeCount, x);
        double least = LeastVolume(crush, run.model, rest, x);
        out.flattest = fmin(out.flattest, HeightOf(crush, run.model, rest, x) / height);
        out.leastVolume = fmin(out.leastVolume, least);
        work = fmax(work, run.state->account.motion);
        if (out.inverted < 0.0 && !(least > 0.0))
        {
            out.inverted = GapAt(crush, points, TimeOf(&run));
        }
    }
    out.back = FarthestNode(&run) / height;
    out.drift = fabs(rslSolver_Energy(run.solver, run.state).drift) / work;
    if (out.status == rsl_diverged)
    {
        rslDivergence d = rslSolver_Divergence(run.solver);
        print_message("%s: stopped at %g s, element %d at %g of its volume\n", crush->what, d.time, d.element, d.ratio);
    }
    free(rest);
    EndRun(&run);
    return out;
}
