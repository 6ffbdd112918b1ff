// SPDX-License-Identifier: MIT
//
// build_elements.c: finite elements between the nodes of a body instead of its springs. What springs there were become the
// edges of the elements: they hold nothing, but say which nodes belong together, and are drawn.
//
// Lattices: a hexahedron a cell, with the weight that the springs of the cell have: what is filled, and regions. Tetrahedra and
// triangles of sheets as they are; tetrahedra that fill a shape stand for their share of it. Masses are those of the springs.

#include "build.h"
#include "lattice.h"
#include "solid.h"
#include "vec.h"

static void SetModuli(const rslBodyDef* def, const rslMaterialDef* material, rslBody* body)
{
    double nu = material->poisson, mu = material->young / (2.0 * (1.0 + nu));
    bool sheet = def->network.type == rsl_sheetNetwork;
    double stretch = sheet ? material->young / (1.0 - nu * nu) : 2.0 * mu * (1.0 - nu) / (1.0 - 2.0 * nu);
    body->young = material->young;
    body->poisson = nu;
    body->shear = mu;
    body->bulk = material->young / (sheet ? 2.0 * (1.0 - nu) : 3.0 * (1.0 - 2.0 * nu));
    body->waveSpeed = sqrt(stretch / material->density);
    body->elements.law = def->model.law;
    body->elements.incompatible = def->model.element != rsl_trilinearHexahedron;
    body->elements.young = material->young;
    body->elements.poisson = nu;
}

static rslStatus PredictRegions(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    size_t count = (size_t)body->regionCount;
    if (count == 0)
    {
        return rsl_ok;
    }
    rslRegion* regions = rslArena_Allocate(build->arena, count, sizeof(rslRegion));
    for (size_t r = 0; regions != NULL && r < count; ++r)
    {
        double nu = rslMaterial_Resolve(r == 0 ? &def->material : &def->regions[r - 1].material).poisson;
        regions[r] = body->regions[r];
        regions[r].poisson = nu;
        regions[r].shear = regions[r].young / (2.0 * (1.0 + nu));
        regions[r].bulk = regions[r].young / (3.0 * (1.0 - 2.0 * nu));
    }
    body->regions = regions;
    return regions != NULL ? rsl_ok : rsl_outOfMemory;
}

// ---- lattices -------------------------------------------------------------------------------------------------------

static bool AllocateCells(rslBuild* build, const rslLattice* lattice, int count, int** nodes, double** weight,
                          double** damping, double** ratio)
{
    *ratio = rslArena_Allocate(build->arena, (size_t)(lattice->ratio != NULL ? count : 0), sizeof(double));
    *nodes = rslArena_Allocate(build->arena, 8 * (size_t)count, sizeof(int));
    *weight = rslArena_Allocate(build->arena, (size_t)count, sizeof(double));
    *damping = rslArena_Allocate(build->arena, (size_t)(lattice->damp != NULL ? count : 0), sizeof(double));
    return *nodes != NULL && *weight != NULL && *damping != NULL && *ratio != NULL;
}

static rslStatus FillCells(rslBuild* build, const rslLattice* lattice, rslBody* body)
{
    size_t cells = (size_t)lattice->cells[0] * (size_t)lattice->cells[1] * (size_t)lattice->cells[2];
    int count = 0, *nodes;
    double *weight, *damping, *ratio;
    for (size_t c = 0; c < cells; ++c)
    {
        count += lattice->weight[c] > 0.0;
    }
    if (!AllocateCells(build, lattice, count, &nodes, &weight, &damping, &ratio))
    {
        return rsl_outOfMemory;
    }
    int at = 0;
    for (size_t c = 0; c < cells; ++c)
    {
        int i = (int)(c % (size_t)lattice->cells[0]),
            j = (int)(c / (size_t)lattice->cells[0] % (size_t)lattice->cells[1]);
        int k = (int)(c / (size_t)lattice->cells[0] / (size_t)lattice->cells[1]);
        for (int corner = 0; lattice->weight[c] > 0.0 && corner < 8; ++corner)
        {
            int node = rslLattice_Node(lattice, i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2));
            nodes[8 * (size_t)at + (size_t)corner] = body->firstNode + node;
        }
        if (lattice->weight[c] > 0.0)
        {
            weight[at] = lattice->stiff[c];
            if (lattice->damp != NULL)
            {
                damping[at] = lattice->damp[c] / lattice->stiff[c];
            }
            if (lattice->ratio != NULL)
            {
                ratio[at] = lattice->ratio[c];
            }
            at += 1;
        }
    }
    body->elements.kind = rsl_hexahedronElements;
    body->elements.count = count;
    body->elements.recordCount = 1;
    body->elements.nodes = nodes;
    body->elements.weight = weight;
    body->elements.damping = lattice->damp != NULL ? damping : NULL;
    body->elements.ratio = lattice->ratio != NULL ? ratio : NULL;
    for (int d = 0; d < RSL_LATTICE_BONDS; ++d)
    {
        body->lattice.stiffness[d] = 0.0;
    }
    return rsl_ok;
}

rslStatus rslBuild_Cells(rslBuild* build, const rslBodyDef* def, const rslLattice* cells, rslBody* body)
{
    rslMaterialDef material = rslMaterial_Resolve(&def->material);
    SetModuli(def, &material, body);
    rslStatus status = PredictRegions(build, def, body);
    status = status == rsl_ok ? FillCells(build, cells, body) : status;
    status = status == rsl_ok && def->model.type == rsl_boxModel ? rslBuild_Boxes(build, def, body) : status;
    return status == rsl_ok && def->model.type == rsl_brickModel ? rslBuild_Bricks(build, def, cells, body) : status;
}

// ---- networks -------------------------------------------------------------------------------------------------------

// The springs hold nothing from now on.
static rslStatus KeepEdges(rslBuild* build, rslBody* body)
{
    size_t count = (size_t)body->network.springCount;
    rslSpring* edges = rslArena_Allocate(build->arena, count, sizeof(rslSpring));
    for (size_t i = 0; edges != NULL && i < count; ++i)
    {
        edges[i] = body->network.springs[i];
        edges[i].stiffness = edges[i].damping = 0.0;
    }
    body->network.springs = edges;
    return edges != NULL ? rsl_ok : rsl_outOfMemory;
}

rslStatus rslBuild_Elements(rslBuild* build, const rslBodyDef* def, const rslElementList* list, rslBody* body)
{
    rslMaterialDef material = rslMaterial_Resolve(&def->material);
    if (def->model.type == rsl_rigidModel)
    {
        double thickness = list->corners == 3 ? def->network.thickness : 1.0;
        rslBuild_AddRigid(build, body, material.density * thickness * list->share, list);
        return rsl_ok;
    }
    size_t count = (size_t)list->count, corners = (size_t)list->corners;
    int* nodes = rslArena_Allocate(build->arena, corners * count, sizeof(int));
    double* weight = rslArena_Allocate(build->arena, count, sizeof(double));
    if (nodes == NULL || weight == NULL)
    {
        return rsl_outOfMemory;
    }
    for (size_t i = 0; i < corners * count; ++i)
    {
        nodes[i] = list->firstNode + list->nodes[i];
    }
    for (size_t i = 0; i < count; ++i)
    {
        weight[i] = list->share;
    }
    SetModuli(def, &material, body);
    rslElementKind flat = def->model.type == rsl_angleModel ? rsl_angleElements : rsl_triangleElements;
    body->elements.kind = corners == 3 ? flat : corners == 4 ? rsl_tetrahedronElements : rsl_solidElements;
    body->elements.count = list->count;
    body->elements.nodes = nodes;
    body->elements.weight = weight;
    body->elements.thickness = corners == 3 ? def->network.thickness : 0.0;
    rslStatus status = KeepEdges(build, body);
    return status == rsl_ok && def->model.type == rsl_boxModel ? rslBuild_Boxes(build, def, body) : status;
}

static rslVec3 RestOf(const rslBody* body, int node)
{
    const double* at = body->network.rest + 3 * (size_t)(node - body->firstNode);
    return (rslVec3){ at[0], at[1], at[2] };
}

void rslElements_Corner(const rslBody* body, int element, double x[8][3])
{
    const int* nodes = body->elements.nodes + 8 * (size_t)element;
    for (int c = 0; c < 8; ++c)
    {
        rslBody_Rest(body, nodes[c], nodes[c] + 1, x[c]);
    }
}

// Of a hexahedron in a network.
static rslSolid SolidOf(const rslBody* body, int element)
{
    double x[8][3];
    rslSolid solid;
    rslElements_Corner(body, element, x);
    (void)rslSolid_Make(x, &solid);  // checked when it was built
    return solid;
}

double rslElements_Volume(const rslBody* body, int element)
{
    const rslElements* set = &body->elements;
    const int* nodes = set->nodes + (size_t)rslElements_Corners(set) * (size_t)element;
    if (body->kind == rsl_latticeBody)
    {
        double a = body->lattice.spacing;
        return set->weight[element] * a * a * a;
    }
    if (rslElements_Corners(set) == 8)
    {
        return set->weight[element] * SolidOf(body, element).volume;
    }
    rslVec3 x = RestOf(body, nodes[0]);
    rslVec3 n = rslCross(rslSub(RestOf(body, nodes[1]), x), rslSub(RestOf(body, nodes[2]), x));
    double volume =
        set->thickness > 0.0 ? 0.5 * set->thickness * rslLength(n) : rslDot(n, rslSub(RestOf(body, nodes[3]), x)) / 6.0;
    return set->weight[element] * volume;
}

// grad N of the corners, mean over the element.
void rslElements_Gradients(const rslBody* body, int element, rslVec3 gradient[8])
{
    const rslElements* set = &body->elements;
    int corners = rslElements_Corners(set);
    const int* nodes = set->nodes + (size_t)corners * (size_t)element;
    rslVec3 x[4];
    for (int c = 0; c < corners && body->kind == rsl_latticeBody; ++c)
    {
        double g = 0.25 / body->lattice.spacing;
        gradient[c] = set->kind == rsl_brickElements ? rslBrick_Gradient(body, element, c)
                                                     : (rslVec3){ c & 1 ? g : -g, c & 2 ? g : -g, c & 4 ? g : -g };
    }
    if (corners == 8 && body->kind != rsl_latticeBody)
    {
        rslSolid solid = SolidOf(body, element);
        for (int c = 0; c < 8; ++c)
        {
            gradient[c] = (rslVec3){ solid.gradient[c][0], solid.gradient[c][1], solid.gradient[c][2] };
        }
        return;
    }
    for (int c = 0; c < corners && body->kind != rsl_latticeBody; ++c)
    {
        for (int k = 0; k < corners; ++k)
        {
            x[k] = RestOf(body, nodes[(c + k) % corners]);
        }
        rslVec3 edge = rslSub(x[2], x[1]), to = rslSub(x[0], x[1]);
        // towards the corner: across the opposite edge in the plane, or the opposite face
        rslVec3 across = set->thickness > 0.0 ? rslCross(rslCross(edge, to), edge) : rslCross(edge, rslSub(x[3], x[1]));
        gradient[c] = rslScale(1.0 / rslDot(across, to), across);
    }
}

// Of a hexahedron anywhere: the affine part, and sum over patterns p and q of their values at the corner times tr K_pq.
static double SolidTrace(const rslBody* body, int element, int corner)
{
    const rslElements* set = &body->elements;
    double k[RSL_SOLID_MODES][RSL_SOLID_MODES], floor, nu = set->poisson, mu = 0.5 * set->young / (1.0 + nu);
    double lambda = 2.0 * mu * nu / (1.0 - 2.0 * nu);
    rslSolid solid = SolidOf(body, element);
    const double* g = solid.gradient[corner];
    double trace = solid.volume * (lambda + 4.0 * mu) * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    rslSolid_Stiffness(&solid, lambda, mu, set->incompatible, k, &floor);
    for (int i = 0; i < RSL_PATTERNS * RSL_SOLID_MODES; ++i)
    {
        int p = i / RSL_SOLID_MODES, q = i % RSL_SOLID_MODES / 3, axis = i % 3;
        trace += solid.pattern[p][corner] * solid.pattern[q][corner] * k[3 * p + axis][3 * q + axis];
    }
    return set->weight[element] * trace;
}

// Trace of K_ii of a corner at rest: V (lambda + 4 mu) |grad N|^2 in space, V (lambda + 3 mu) |grad N|^2 in a plane; a cube
// of edge a has besides W_h of element_hexahedron.c, over 64, and a brick its springs.
static double TraceShare(const rslBody* body, int element, int corner, rslVec3 gradient)
{
    const rslElements* set = &body->elements;
    if (set->kind == rsl_boxElements)
    {
        return rslBoxes_Trace(body, element);
    }
    if (set->kind == rsl_solidElements)
    {
        return SolidTrace(body, element, corner);
    }
    double nu = set->ratio != NULL ? set->ratio[element] : set->poisson, mu = 0.5 * set->young / (1.0 + nu),
           volume = rslElements_Volume(body, element);
    double lambda = set->young * nu / (1.0 + nu) / (set->thickness > 0.0 ? 1.0 - nu : 1.0 - 2.0 * nu);
    double affine = volume * (lambda + (set->thickness > 0.0 ? 3.0 : 4.0) * mu);
    affine *= rslDot(gradient, gradient);
    if (set->kind == rsl_brickElements)
    {
        return affine + mu * volume * rslBrick_SpringTrace(body, element, corner);
    }
    if (set->kind != rsl_hexahedronElements)
    {
        return affine;
    }
    double plane = 2.0 * lambda * mu / (lambda + 2.0 * mu), a = body->lattice.spacing;
    double bend = set->incompatible ? plane + 2.0 * mu : lambda + 3.0 * mu;
    double rest = 4.0 / 3.0 * (6.0 * bend + 6.0 * mu) + 4.0 / 9.0 * 3.0 * (lambda + 4.0 * mu);
    return affine + volume / (a * a) * rest / 64.0;
}

void rslElements_AddTrace(const rslBody* body, double* trace)
{
    const rslElements* set = &body->elements;
    int corners = rslElements_Corners(set);
    for (int e = 0; e < set->count; ++e)
    {
        rslVec3 gradient[8];
        rslElements_Gradients(body, e, gradient);
        for (int c = 0; c < corners; ++c)
        {
            trace[set->nodes[(size_t)corners * (size_t)e + (size_t)c]] += TraceShare(body, e, c, gradient[c]);
        }
    }
}
