// SPDX-License-Identifier: MIT
//
// build_tetrahedra.c: springs along the edges of tetrahedra.
//
// Every tetrahedron of volume V brings to each of its six edges, of length L,
//
//   kot     k = E V / L^2               of a regular one: sqrt(2)/12 E L, Kot eq. 2.33, right for a change of volume
//   lloyd   k = 0.96 E V / L^2          of a regular one: 2 sqrt(2)/25 E L, Lloyd et al. 2007, the least-squares fit of the
//                                       finite element's matrix at nu = 1/4
//   equal   k = 6 E V / sum L^2         the same for its six edges
//
// Both papers give their constant for regular tetrahedra as c E L. Used as it stands it is 20 to 28 % too stiff in a real
// mesh, because L^3 of an edge is more than what the volume has; with V in its place, K = 1/(9 V) sum k L^2 is 2/3 E (0.96
// of it for lloyd) in every mesh. Measured in jittered Delaunay meshes of a cube: E 1.04 to 1.005 for lloyd, 1.08 to
// 1.05 for kot, 0.90 to 0.89 for equal, the nearer the finer the mesh; nu 0.20 to 0.21, below 1/4, for all.
//
// A quarter of rho V goes to each corner. Faces that only one tetrahedron has are the surface. Tetrahedra made to fill a shape
// (tet_mesh.c) leave out a little at curved surfaces; each stands for its share of it, so that the mass is that of the
// shape.

#include "build.h"
#include "elementary.h"
#include "lists.h"
#include "shape_internal.h"
#include "tet_mesh.h"

#include <limits.h>

typedef struct Tetrahedra
{
    const rslBodyDef* def;
    rslDraft draft;
    const double* nodes;  // as listed, or made
    const int* corners;   // four each, into that list
    int listed, count;    // nodes of the list, tetrahedra
    bool made;            // from the shape of the body
    double share;  // volume that a tetrahedron stands for, over its own: what the shape has more than all of them
    int* number;   // scratch: of every listed node its number in the body, or -1
    double volume;
} Tetrahedra;

static const int edges[6][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } };
static const int faces[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };  // seen from outside

static rslVec3 At(const double* xyz, int node)
{
    xyz += 3 * (size_t)node;
    return (rslVec3){ xyz[0], xyz[1], xyz[2] };
}

// The corners of a tetrahedron in the body, such that its volume is positive.
static double Corners(const Tetrahedra* tets, int index, int corner[4])
{
    const int* listed = tets->corners + 4 * (size_t)index;
    for (int c = 0; c < 4; ++c)
    {
        corner[c] = tets->number[listed[c]];
    }
    const double* x = tets->draft.positions;
    rslVec3 origin = At(x, corner[0]), a = rslSub(At(x, corner[1]), origin), b = rslSub(At(x, corner[2]), origin);
    double volume = rslDot(rslCross(a, b), rslSub(At(x, corner[3]), origin)) / 6.0;
    if (volume < 0.0)
    {
        int kept = corner[2];
        corner[2] = corner[3];
        corner[3] = kept;
    }
    return fabs(volume);
}

// ---- nodes ----------------------------------------------------------------------------------------------------------

static rslStatus CheckCorners(rslBuild* build, const Tetrahedra* tets)
{
    for (int t = 0; t < tets->count; ++t)
    {
        for (int c = 0; c < 4; ++c)
        {
            int corner = tets->corners[4 * (size_t)t + (size_t)c];
            if (corner < 0 || corner >= tets->listed)
            {
                rslReport_Add(build->report, rsl_error, tets->def->network.place,
                              "tetrahedron %d of body '%s' has the corner %d; there are %d nodes, counted from 0", t,
                              tets->def->name, corner, tets->listed);
                return rsl_badInput;
            }
        }
    }
    return rsl_ok;
}

// Nodes that a tetrahedron has, in the order of the list; those of a list scaled, turned and moved.
static int PlaceNodes(Tetrahedra* tets)
{
    const rslNetworkDef* network = &tets->def->network;
    rslMat3 turn = rslQuatMatrix(rslQuatFromDegrees(network->rotate.axis, network->rotate.angle));
    int used = 0;
    for (int i = 0; i < tets->listed; ++i)
    {
        tets->number[i] = -1;
    }
    for (size_t i = 0; i < 4 * (size_t)tets->count; ++i)
    {
        tets->number[tets->corners[i]] = 0;
    }
    for (int i = 0; i < tets->listed; ++i)
    {
        if (tets->number[i] == 0)
        {
            rslVec3 x = At(tets->nodes, i);
            x = tets->made ? x : rslAdd(rslMatVec(&turn, rslScale(network->scale, x)), network->translate);
            double* out = tets->draft.positions + 3 * (size_t)used;
            out[0] = x.x;
            out[1] = x.y;
            out[2] = x.z;
            tets->number[i] = used++;
        }
    }
    return used;
}

static rslStatus MakeNodes(rslBuild* build, Tetrahedra* tets)
{
    const rslHooks* hooks = &build->model->hooks;
    size_t listed = (size_t)tets->listed;
    if (tets->count > INT_MAX / 6)
    {
        rslReport_Add(build->report, rsl_error, tets->def->network.place, "body '%s' has too many tetrahedra",
                      tets->def->name);
        return rsl_badInput;
    }
    rslStatus status = CheckCorners(build, tets);
    if (status != rsl_ok)
    {
        return status;
    }
    tets->number = rslAllocate(hooks, listed, sizeof(int));
    tets->draft.positions = rslAllocate(hooks, listed, 3 * sizeof(double));
    tets->draft.masses = rslAllocate(hooks, listed, sizeof(double));
    tets->draft.springs = rslAllocate(hooks, 6 * (size_t)tets->count, sizeof(rslSpring));
    if (tets->number == NULL || tets->draft.positions == NULL || tets->draft.masses == NULL ||
        tets->draft.springs == NULL)
    {
        return rsl_outOfMemory;
    }
    tets->draft.nodeCount = PlaceNodes(tets);
    int unused = (int)listed - tets->draft.nodeCount;
    if (unused > 0 && !tets->made)
    {
        rslReport_Add(build->report, rsl_note, tets->def->network.place,
                      "body '%s': %d nodes that no tetrahedron has were left out", tets->def->name, unused);
    }
    return rsl_ok;
}

// ---- springs and masses -----------------------------------------------------------------------------------------------

static double EdgeConstant(rslTetrahedronRule rule, double volume, double length2, double sum2)
{
    switch (rule)
    {
        case rsl_kotTetrahedron: return volume / length2;
        case rsl_equalTetrahedron: return 6.0 * volume / sum2;
        default: return 0.96 * volume / length2;
    }
}

static void AddTetrahedron(Tetrahedra* tets, const rslMaterialDef* material, const int corner[4], double own)
{
    const double* x = tets->draft.positions;
    double length2[6], sum2 = 0.0, volume = tets->share * own;
    for (int e = 0; e < 6; ++e)
    {
        rslVec3 d = rslSub(At(x, corner[edges[e][1]]), At(x, corner[edges[e][0]]));
        length2[e] = rslDot(d, d);
        sum2 += length2[e];
    }
    for (int e = 0; e < 6; ++e)
    {
        int a = corner[edges[e][0]], b = corner[edges[e][1]];
        double k = material->young * EdgeConstant(tets->def->network.tetrahedronRule, volume, length2[e], sum2);
        tets->draft.springs[tets->draft.springCount++] = (rslSpring){
            .a = a < b ? a : b,
            .b = a < b ? b : a,
            .stiffness = k,
            .damping = material->stiffnessDamping * k,
            .restLength = sqrt(length2[e]),
        };
    }
    for (int c = 0; c < 4; ++c)
    {
        tets->draft.masses[corner[c]] += 0.25 * material->density * volume;
    }
    tets->volume += volume;
}

// Flat to rounding: less than 1e-10 of the cube of its longest edge.
static bool IsFlat(const Tetrahedra* tets, const int corner[4], double volume)
{
    double longest = 0.0;
    for (int e = 0; e < 6; ++e)
    {
        rslVec3 d =
            rslSub(At(tets->draft.positions, corner[edges[e][1]]), At(tets->draft.positions, corner[edges[e][0]]));
        double length = rslLength(d);
        longest = length > longest ? length : longest;
    }
    return !(volume > 1e-10 * longest * longest * longest);
}

static rslStatus MakeSprings(rslBuild* build, Tetrahedra* tets, const rslMaterialDef* material)
{
    for (int t = 0; t < tets->count; ++t)
    {
        int corner[4];
        double volume = Corners(tets, t, corner);
        if (!tets->made && IsFlat(tets, corner, volume))
        {
            rslVec3 at = At(tets->draft.positions, corner[0]);
            rslReport_Add(build->report, rsl_error, tets->def->network.place,
                          "tetrahedron %d of body '%s' at [%.4g, %.4g, %.4g] has no volume; remove it, or mesh anew", t,
                          tets->def->name, at.x, at.y, at.z);
            return rsl_badInput;
        }
        AddTetrahedron(tets, material, corner, volume);
    }
    return rsl_ok;
}

// ---- surface ----------------------------------------------------------------------------------------------------------

typedef struct Face
{
    int corner[3];  // seen from outside
    int key[3];     // the same, sorted
} Face;

static Face MakeFace(const int corner[4], int face)
{
    Face made;
    for (int c = 0; c < 3; ++c)
    {
        made.corner[c] = made.key[c] = corner[faces[face][c]];
    }
    for (int i = 0; i < 3; ++i)
    {
        int j = i % 2;
        int low = made.key[j] < made.key[j + 1] ? made.key[j] : made.key[j + 1];
        made.key[j + 1] += made.key[j] - low;
        made.key[j] = low;
    }
    return made;
}

static bool SameFace(const Face* p, const Face* q)
{
    return p->key[0] == q->key[0] && p->key[1] == q->key[1] && p->key[2] == q->key[2];
}

// How many of the faces that begin with the same node are this one.
static int CountAlike(const Face* all, const int* list, int count, const Face* face)
{
    int alike = 0;
    for (int i = 0; i < count; ++i)
    {
        alike += SameFace(&all[list[i]], face) ? 1 : 0;
    }
    return alike;
}

typedef struct Border
{
    Face* all;   // four a tetrahedron
    int* first;  // node each begins with
    int *start, *list;
    int* vertex;  // of every node; -1: inside
} Border;

static bool AllocateBorder(const rslHooks* hooks, const Tetrahedra* tets, Border* border)
{
    size_t count = 4 * (size_t)tets->count, nodes = (size_t)tets->draft.nodeCount;
    border->all = rslAllocate(hooks, count, sizeof(Face));
    border->first = rslAllocate(hooks, count, sizeof(int));
    border->list = rslAllocate(hooks, count, sizeof(int));
    border->start = rslAllocate(hooks, nodes + 1, sizeof(int));
    border->vertex = rslAllocate(hooks, nodes, sizeof(int));
    return border->all != NULL && border->first != NULL && border->list != NULL && border->start != NULL &&
           border->vertex != NULL;
}

static void FreeBorder(const rslHooks* hooks, Border* border)
{
    rslRelease(hooks, border->all);
    rslRelease(hooks, border->first);
    rslRelease(hooks, border->list);
    rslRelease(hooks, border->start);
    rslRelease(hooks, border->vertex);
}

// Mark faces of one tetrahedron with first = 1, others with 0. Returns how many; -1 when three share one.
static int FindBorder(const Tetrahedra* tets, Border* border)
{
    int count = 4 * tets->count, open = 0;
    for (int t = 0; t < tets->count; ++t)
    {
        int corner[4];
        (void)Corners(tets, t, corner);
        for (int f = 0; f < 4; ++f)
        {
            border->all[4 * (size_t)t + (size_t)f] = MakeFace(corner, f);
            border->first[4 * (size_t)t + (size_t)f] = border->all[4 * (size_t)t + (size_t)f].key[0];
        }
    }
    rslInvert(border->first, count, tets->draft.nodeCount, border->start, border->list);
    for (int i = 0; i < count; ++i)
    {
        const Face* face = &border->all[i];
        const int* start = &border->start[face->key[0]];
        int alike = CountAlike(border->all, border->list + start[0], start[1] - start[0], face);
        if (alike > 2)
        {
            return -1;
        }
        border->first[i] = alike == 1;
        open += alike == 1;
    }
    return open;
}

static rslStatus KeepSurface(rslBuild* build, const Tetrahedra* tets, Border* border, int open, rslBody* body)
{
    int nodes = tets->draft.nodeCount, vertices = 0;
    int* triangles = rslArena_Allocate(build->arena, (size_t)open, 3 * sizeof(int));
    int* stencil = rslArena_Allocate(build->arena, 8 * (size_t)nodes, sizeof(int));
    double* weights = rslArena_Allocate(build->arena, 8 * (size_t)nodes, sizeof(double));
    if (triangles == NULL || stencil == NULL || weights == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int i = 0; i < nodes; ++i)
    {
        border->vertex[i] = -1;
    }
    for (int i = 0, t = 0; i < 4 * tets->count; ++i)
    {
        for (int c = 0; border->first[i] != 0 && c < 3; ++c)
        {
            int node = border->all[i].corner[c];
            if (border->vertex[node] < 0)
            {
                for (size_t s = 0; s < 8; ++s)
                {
                    stencil[8 * (size_t)vertices + s] = body->firstNode + node;
                }
                weights[8 * (size_t)vertices] = 1.0;
                border->vertex[node] = vertices++;
            }
            triangles[t++] = border->vertex[node];
        }
    }
    body->surface = (rslSurface){
        .vertexCount = vertices,
        .triangleCount = open,
        .triangles = triangles,
        .stencilNodes = stencil,
        .stencilWeights = weights,
        .closed = true,
    };
    return rsl_ok;
}

// Every edge of the faces that have one tetrahedron is met once in each direction: the surface is closed.
static rslStatus MakeSurface(rslBuild* build, const Tetrahedra* tets, rslBody* body)
{
    const rslHooks* hooks = &build->model->hooks;
    Border border = { 0 };
    rslStatus status = rsl_outOfMemory;
    if (AllocateBorder(hooks, tets, &border))
    {
        int open = FindBorder(tets, &border);
        status = open >= 0 ? rsl_ok : rsl_badInput;
        if (open < 0)
        {
            rslReport_Add(build->report, rsl_error, tets->def->network.place,
                          "the tetrahedra of body '%s' overlap: more than two share a face", tets->def->name);
        }
        else if (tets->def->surface.enabled)
        {
            status = KeepSurface(build, tets, &border, open, body);
        }
    }
    FreeBorder(hooks, &border);
    return status;
}

// ---- together ---------------------------------------------------------------------------------------------------------

// With the numbers that nodes have in the model.
static rslStatus KeepTetrahedra(rslBuild* build, const Tetrahedra* tets, rslBody* body)
{
    int* kept = rslArena_Allocate(build->arena, (size_t)tets->count, 4 * sizeof(int));
    if (kept == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int t = 0; t < tets->count; ++t)
    {
        int corner[4];
        (void)Corners(tets, t, corner);
        for (int c = 0; c < 4; ++c)
        {
            kept[4 * (size_t)t + (size_t)c] = body->firstNode + corner[c];
        }
    }
    body->network.tetrahedra = kept;
    body->network.tetrahedronCount = tets->count;
    return rsl_ok;
}

// What K = 1/(9 V) sum k L^2 says, with nu = 1/4.
static void SetMaterial(const rslMaterialDef* material, double volume, rslBody* body)
{
    body->young = material->young;
    body->poisson = 0.25;
    body->shear = 0.4 * material->young;
    body->bulk = 2.0 / 3.0 * material->young;
    body->density = material->density;
    body->waveSpeed = sqrt(1.2 * material->young / material->density);
    body->stiffnessDamping = material->stiffnessDamping;
    body->volume = volume;
}

// Every tetrahedron with its share of what the shape has more. That must not be much.
static rslStatus ShareVolume(rslBuild* build, Tetrahedra* tets, const rslShape* shape)
{
    const double worthSaying = 0.05, most = 0.25;
    const rslNetworkDef* network = &tets->def->network;
    double sum = 0.0, whole = rslShape_Volume(shape, 0.25 * network->spacing);
    int corner[4];
    for (int t = 0; t < tets->count; ++t)
    {
        sum += Corners(tets, t, corner);
    }
    double off = fabs(sum / whole - 1.0);
    tets->share = whole / sum;
    if (!(off <= most))
    {
        rslReport_Add(
            build->report, rsl_error, network->place,
            "body '%s': tetrahedra with a spacing of %.4g m fill %.3g of the volume of the shape, which is too "
            "thin or too curved for them: take a smaller spacing",
            tets->def->name, network->spacing, sum / whole);
        return rsl_badInput;
    }
    if (off > worthSaying)
    {
        rslReport_Add(build->report, rsl_warning, network->place,
                      "body '%s': tetrahedra with a spacing of %.4g m fill %.3g of the volume of the shape; a smaller "
                      "spacing follows it more closely",
                      tets->def->name, network->spacing, sum / whole);
    }
    return rsl_ok;
}

static rslStatus BuildList(rslBuild* build, Tetrahedra* tets, const rslShape* shape, rslBody* body)
{
    const rslBodyDef* def = tets->def;
    rslMaterialDef material = rslBuild_Material(def, &def->material);
    rslStatus status = MakeNodes(build, tets);
    status = status == rsl_ok && shape != NULL ? ShareVolume(build, tets, shape) : status;
    status = status == rsl_ok ? MakeSprings(build, tets, &material) : status;
    SetMaterial(&material, tets->volume, body);
    status = status == rsl_ok ? rslBuild_Network(build, def, &tets->draft, true, body) : status;
    status = status == rsl_ok ? KeepTetrahedra(build, tets, body) : status;
    status = status == rsl_ok ? MakeSurface(build, tets, body) : status;
    if (status == rsl_ok)
    {
        bool elements = def->model.type == rsl_finiteModel;
        if (elements)
        {
            rslElementList list = { tets->count, 4, body->network.tetrahedra, 0, tets->share };
            status = rslBuild_Elements(build, def, &list, body);
        }
        rslBuild_CheckPoisson(build, def, material.poisson, 0.25);
        if (!elements && def->network.calibrate == rsl_noCalibration)
        {
            bool spread = def->model.type == rsl_dispersionModel;
            rslReport_Add(
                build->report, rsl_note, def->network.place,
                "body '%s': springs on tetrahedra measure within about 5 %% of Young's modulus, and a Poisson's "
                "ratio %s; calibrate: x meets %s",
                def->name, spread ? "about 0.04 too low" : "near 0.21", spread ? "both" : "Young's modulus");
        }
    }
    rslDraft_Free(&tets->draft, &build->model->hooks);
    rslRelease(&build->model->hooks, tets->number);
    return status;
}

// Fill the shape, unless another mesher has done so.
static rslStatus MakeMesh(rslBuild* build, Tetrahedra* tets, const rslShape* shape, rslTetMesh* mesh)
{
    const rslNetworkDef* network = &tets->def->network;
    rslMesherDef mesher = { .spacing = network->spacing,
                            .jitter = network->jitter,
                            .seed = rslBuild_Seed(build, tets->def->name) };
    rslReport said = { 0 };
    rslStatus status = rslTetMesh_Fill(shape, &mesher, &build->model->hooks, mesh, &said);
    for (int i = 0; i < said.count; ++i)
    {
        rslReport_Add(build->report, said.messages[i].severity, network->place, "body '%s': %s", tets->def->name,
                      said.messages[i].text);
    }
    tets->nodes = mesh->nodes;
    tets->listed = mesh->nodeCount;
    tets->corners = mesh->tetrahedra;
    tets->count = mesh->tetrahedronCount;
    return status;
}

rslStatus rslBuild_Tetrahedra(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    Tetrahedra tets = {
        .def = def,
        .nodes = def->network.nodes,
        .corners = def->network.tetrahedra,
        .listed = def->network.nodeCount,
        .count = def->network.tetrahedronCount,
        .made = def->shape != NULL,
        .share = 1.0,
    };
    rslShape* shape = NULL;
    rslTetMesh mesh = { .hooks = build->model->hooks };
    rslStatus status = rsl_ok;
    if (tets.made)
    {
        status = rslShape_Create(def->shape, &build->model->hooks, &shape, build->report);
        status = status == rsl_ok && tets.count == 0 ? MakeMesh(build, &tets, shape, &mesh) : status;
    }
    status = status == rsl_ok ? BuildList(build, &tets, shape, body) : status;
    rslTetMesh_Free(&mesh);
    rslShape_Free(shape);
    return status;
}
