// SPDX-License-Identifier: MIT
//
// floppy.c: see floppy.h. Nine generators a part:
//
//   0..2  shifts e                      3..5  turns e x (x - c) / L, c the centre of mass, L the size of the part
//   6..8  on lattices: e_x (-1)^(j+k), e_y (-1)^(k+i), e_z (-1)^(i+j). No spring along an edge or a space diagonal changes
//         its length by them: the three mechanisms of a lattice of shells A and C
//
// A motion is a combination g of them. With rows over all nodes of the part, it costs nothing when
//   g M g > 0,  nothing of it is held,  and |M^-1/2 K g| is as small as rounding leaves it.
// Other mechanisms are found by the search itself.

#include "floppy.h"

#include "parts.h"
#include "statics.h"
#include "vec.h"

#include <math.h>
#include <string.h>

enum
{
    TURNS = 3,
    MECHANISMS = 6,
    STRETCHES = RSL_MOTIONS,  // e_x (x - c)_x and so on: not rigid, for the scale
    ALL = STRETCHES + 3
};

// ---- generators -----------------------------------------------------------------------------------------------------

// Of a node, in the axes of its body; the first `count`.
static void Generate(const rslFloppy* f, int node, const rslMat3* rotation, int count, rslVec3* g)
{
    const rslFloppyPart* part = &f->parts[f->part[node]];
    rslVec3 d = rslScale(1.0 / part->size, rslSub(f->position[node], part->centre));
    const double along[3] = { d.x, d.y, d.z };
    static const rslVec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    static const int others[3] = { 6, 5, 3 };  // bits of the two other axes
    for (int axis = 0; axis < 3; ++axis)
    {
        g[axis] = rotation->row[axis];
        g[TURNS + axis] = rslMatTVec(rotation, rslCross(unit[axis], d));
    }
    for (int axis = 0; count > MECHANISMS && axis < 3; ++axis)
    {
        int bits = f->parity[node] & others[axis];
        double sign = bits == 0 || bits == others[axis] ? 1.0 : -1.0;
        g[MECHANISMS + axis] = rslScale(f->parity[node] & 8 ? sign : 0.0, unit[axis]);
    }
    for (int axis = 0; count > STRETCHES && axis < 3; ++axis)
    {
        g[STRETCHES + axis] = rslScale(along[axis], rotation->row[axis]);
    }
}

static rslVec3 At(const rslNodeVector* x, int node)
{
    return (rslVec3){ x->x[0][node], x->x[1][node], x->x[2][node] };
}

static void Put(const rslNodeVector* x, int node, rslVec3 value)
{
    x->x[0][node] = value.x;
    x->x[1][node] = value.y;
    x->x[2][node] = value.z;
}

// A function of every node and the frame of its body.
typedef void NodeFunction(const rslFloppy* floppy, int node, const rslMat3* rotation, void* context);

static void ForNodes(const rslFloppy* f, NodeFunction* function, void* context)
{
    for (int b = 0; b < f->model->bodyCount; ++b)
    {
        const rslBody* body = &f->model->bodies[b];
        rslMat3 rotation = rslQuatMatrix(f->state->frames[b].rotation);
        for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
        {
            function(f, i, &rotation, context);
        }
    }
}

// ---- parts ----------------------------------------------------------------------------------------------------------

static void MarkParity(rslFloppy* f)
{
    for (int b = 0; b < f->model->bodyCount; ++b)
    {
        const rslBody* body = &f->model->bodies[b];
        for (int r = 0; body->kind == rsl_latticeBody && r < body->lattice.rowCount; ++r)
        {
            const rslLatticeRow* row = &body->lattice.rows[r];
            for (int n = 0; n < row->count; ++n)
            {
                int bits = ((row->i + n) & 1) | (row->j & 1) << 1 | (row->k & 1) << 2 | 8;
                f->parity[body->firstNode + row->first + n] = (uint8_t)bits;
            }
        }
    }
}

static void Measure(rslFloppy* f, const double (*diagonal)[6])
{
    const double* mass = f->model->mass;
    int count = f->model->nodeCount;
    rslState_Positions(f->model, f->state, 0, count, &f->position[0].x);
    for (int i = 0; i < count; ++i)
    {
        rslFloppyPart* part = &f->parts[f->part[i]];
        double bound = 2.0 * (diagonal[i][0] + diagonal[i][1] + diagonal[i][2]) / mass[i];
        part->centre = rslMulAdd(part->centre, mass[i], f->position[i]);
        part->mass += mass[i];
        part->nodeCount += 1;
        part->stiffest = bound > part->stiffest ? bound : part->stiffest;
    }
    for (int p = 0; p < f->partCount; ++p)
    {
        f->parts[p].centre = rslScale(1.0 / f->parts[p].mass, f->parts[p].centre);
    }
    for (int i = 0; i < count; ++i)
    {
        rslFloppyPart* part = &f->parts[f->part[i]];
        double distance = rslLength(rslSub(f->position[i], part->centre));
        part->size = distance > part->size ? distance : part->size;
    }
    for (int p = 0; p < f->partCount; ++p)
    {
        f->parts[p].size = f->parts[p].size > 0.0 ? f->parts[p].size : 1.0;
    }
}

// ---- forms ----------------------------------------------------------------------------------------------------------

static void AddProducts(rslForm* form, const rslVec3* g, double factor)
{
    for (int a = 0; a < RSL_MOTIONS; ++a)
    {
        for (int b = 0; b < RSL_MOTIONS; ++b)
        {
            form->at[a][b] += factor * rslDot(g[a], g[b]);
        }
    }
}

static void AddMass(const rslFloppy* f, int node, const rslMat3* rotation, void* context)
{
    (void)context;
    rslVec3 g[ALL];
    Generate(f, node, rotation, RSL_MOTIONS, g);
    AddProducts(&f->parts[f->part[node]].form, g, f->model->mass[node]);
}

// What a projector takes out, g - F g, counted as if the node had its share of the mass.
static void AddHeld(const rslFloppy* f, int node, const rslMat3* rotation, void* context)
{
    (void)context;
    rslFloppyPart* part = &f->parts[f->part[node]];
    const double* projector = rslUnknowns_Projector(f->unknowns, node);
    rslVec3 g[ALL];
    if (projector == NULL)
    {
        return;
    }
    Generate(f, node, rotation, RSL_MOTIONS, g);
    for (int q = 0; q < RSL_MOTIONS; ++q)
    {
        double v[3] = { g[q].x, g[q].y, g[q].z }, left[3];
        rslBlock_Times(projector, v, left);
        g[q] = rslSub(g[q], (rslVec3){ left[0], left[1], left[2] });
    }
    AddProducts(&part->form, g, part->mass / part->nodeCount);
}

// K g are in the vectors lent.
static void AddStiffness(const rslFloppy* f, int node, const rslMat3* rotation, void* context)
{
    (void)rotation;
    const rslNodeVector* products = context;
    rslVec3 kg[RSL_MOTIONS];
    for (int q = 0; q < RSL_MOTIONS; ++q)
    {
        kg[q] = At(&products[q], node);
    }
    AddProducts(&f->parts[f->part[node]].form, kg, 1.0 / f->model->mass[node]);
}

static void ClearForms(rslFloppy* f)
{
    for (int p = 0; p < f->partCount; ++p)
    {
        f->parts[p].form = (rslForm){ 0 };
    }
}

// ---- products -------------------------------------------------------------------------------------------------------

typedef struct Fill
{
    int generator;
    const rslNodeVector* out;
} Fill;

static void FillNode(const rslFloppy* f, int node, const rslMat3* rotation, void* context)
{
    const Fill* fill = context;
    rslVec3 g[ALL];
    Generate(f, node, rotation, ALL, g);
    Put(fill->out, node, g[fill->generator]);
}

// The softest simple motion of each part. sums: two a part.
static void NoteQuotients(rslFloppy* f, const rslNodeVector* g, const rslNodeVector* kg)
{
    memset(f->sums, 0, 2 * (size_t)f->partCount * sizeof(double));
    for (int i = 0; i < f->model->nodeCount; ++i)
    {
        double* sums = &f->sums[2 * (size_t)f->part[i]];
        sums[0] += f->model->mass[i] * rslDot(At(g, i), At(g, i));
        sums[1] += rslDot(At(g, i), At(kg, i));
    }
    for (int p = 0; p < f->partCount; ++p)
    {
        rslFloppyPart* part = &f->parts[p];
        double top = f->sums[2 * (size_t)p + 1], below = f->sums[2 * (size_t)p];
        bool moves = below > 1e-12 * part->mass && top > 1e-13 * part->stiffest * below;
        if (moves && (part->reference == 0.0 || top / below < part->reference))
        {
            part->reference = top / below;
        }
    }
}

static void Multiply(rslFloppy* f, void* kernel, const rslNodeVector* lent)
{
    const rslNodeVector* g = &lent[RSL_MOTIONS];
    for (int q = ALL - 1; q >= 0; --q)
    {
        const rslNodeVector* kg = &lent[q < RSL_MOTIONS ? q : 0];
        ForNodes(f, FillNode, &(Fill){ q, g });
        rslUnknowns_Project(f->unknowns, g);
        rslStatics_Product(kernel, f->state, g->x, kg->x);
        rslUnknowns_Project(f->unknowns, kg);
        if (q < MECHANISMS || q >= STRETCHES)
        {
            NoteQuotients(f, g, kg);
        }
    }
}

// ---- all together ---------------------------------------------------------------------------------------------------

static void FindFree(rslFloppy* f, void* kernel, const rslNodeVector* lent)
{
    Multiply(f, kernel, lent);
    ClearForms(f);
    ForNodes(f, AddMass, NULL);
    for (int p = 0; p < f->partCount; ++p)
    {
        rslFloppyPart* part = &f->parts[p];
        rslMotions all = rslMotions_All(RSL_MOTIONS);
        part->free = rslMotions_Above(&all, &part->form, 1e-12 * part->mass);
    }
    ClearForms(f);
    ForNodes(f, AddHeld, NULL);
    for (int p = 0; p < f->partCount; ++p)
    {
        rslFloppyPart* part = &f->parts[p];
        part->free = rslMotions_Below(&part->free, &part->form, 1e-10 / part->nodeCount);
    }
    ClearForms(f);
    ForNodes(f, AddStiffness, (void*)lent);
    for (int p = 0; p < f->partCount; ++p)
    {
        rslFloppyPart* part = &f->parts[p];
        double soft = 1e-7 * part->reference, noise = 1e-12 * part->stiffest, bar = soft > noise ? soft : noise;
        part->free = rslMotions_Below(&part->free, &part->form, bar * bar);
        f->count += part->free.count;
        f->stiffest = part->stiffest > f->stiffest ? part->stiffest : f->stiffest;
        if (part->reference > 0.0 && (f->reference == 0.0 || part->reference < f->reference))
        {
            f->reference = part->reference;
        }
    }
}

bool rslFloppy_Make(rslFloppy* f, const rslUnknowns* unknowns, const rslState* state, void* kernel,
                    const double (*diagonal)[6], const rslNodeVector* lent, int columns, rslArena* arena)
{
    const rslModel* model = unknowns->model;
    size_t count = (size_t)model->nodeCount;
    *f = (rslFloppy){ .model = model, .unknowns = unknowns, .state = state };
    f->part = rslArena_Allocate(arena, count, sizeof(int));
    f->position = rslArena_Allocate(arena, count, sizeof(rslVec3));
    f->parity = rslArena_Allocate(arena, count, sizeof(uint8_t));
    if (f->part == NULL || f->position == NULL || f->parity == NULL)
    {
        return false;
    }
    f->partCount = rslParts_Find(model, f->part);
    f->parts = rslArena_Allocate(arena, (size_t)f->partCount, sizeof(rslFloppyPart));
    f->sums = rslArena_Allocate(arena, RSL_MOTIONS * (size_t)f->partCount * (size_t)columns, sizeof(double));
    if (f->parts == NULL || f->sums == NULL)
    {
        return false;
    }
    MarkParity(f);
    Measure(f, diagonal);
    FindFree(f, kernel, lent);
    return true;
}

// ---- removal --------------------------------------------------------------------------------------------------------

typedef struct Removal
{
    const rslFloppy* floppy;
    const rslNodeVector* const* fields;
    const rslNodeVector* x;
    double* sums;
} Removal;

static void AddShares(const rslFloppy* f, int node, const rslMat3* rotation, void* context)
{
    const Removal* removal = context;
    int part = f->part[node];
    rslVec3 g[ALL], mx = rslScale(f->model->mass[node], At(removal->x, node));
    if (f->parts[part].free.count > 0)
    {
        Generate(f, node, rotation, RSL_MOTIONS, g);
        for (int q = 0; q < RSL_MOTIONS; ++q)
        {
            removal->sums[RSL_MOTIONS * part + q] += rslDot(g[q], mx);
        }
    }
}

static void TakeShares(const rslFloppy* f, int node, const rslMat3* rotation, void* context)
{
    const Removal* removal = context;
    int part = f->part[node];
    rslVec3 g[ALL], x = At(removal->x, node);
    if (f->parts[part].free.count > 0)
    {
        Generate(f, node, rotation, RSL_MOTIONS, g);
        for (int q = 0; q < RSL_MOTIONS; ++q)
        {
            x = rslMulAdd(x, -removal->sums[RSL_MOTIONS * part + q], g[q]);
        }
        Put(removal->x, node, x);
    }
}

// sums = Z Z^T sums, Z the motions
static void Combine(const rslMotions* free, double* sums)
{
    double out[RSL_MOTIONS] = { 0 };
    for (int k = 0; k < free->count; ++k)
    {
        double share = 0.0;
        for (int q = 0; q < RSL_MOTIONS; ++q)
        {
            share += free->m[k][q] * sums[q];
        }
        for (int q = 0; q < RSL_MOTIONS; ++q)
        {
            out[q] += share * free->m[k][q];
        }
    }
    memcpy(sums, out, sizeof out);
}

// One vector an item: the order of its sums does not depend on threads.
static void RemoveFrom(int item, void* context)
{
    Removal removal = *(const Removal*)context;
    const rslFloppy* f = removal.floppy;
    size_t size = RSL_MOTIONS * (size_t)f->partCount;
    removal.x = removal.fields[item];
    removal.sums = &f->sums[size * (size_t)item];
    memset(removal.sums, 0, size * sizeof(double));
    ForNodes(f, AddShares, &removal);
    for (int p = 0; p < f->partCount; ++p)
    {
        Combine(&f->parts[p].free, &removal.sums[RSL_MOTIONS * p]);
    }
    ForNodes(f, TakeShares, &removal);
}

void rslFloppy_Remove(const rslFloppy* f, const rslNodeVector* const* fields, int count)
{
    Removal removal = { .floppy = f, .fields = fields };
    if (f->count > 0)
    {
        rslTeam_Run(f->unknowns->team, RemoveFrom, count, &removal);
    }
}
