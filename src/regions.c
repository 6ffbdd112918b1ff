// SPDX-License-Identifier: MIT
//
// regions.c: see regions.h.
//
// A cell of weight w that holds the shares s_r of materials r has the stiffness w sum s_r E_r / E_0 in units of the body's, the
// mass w a^3 sum s_r rho_r, and its springs the dampers sum s_r E_r alpha1_r / E_0. The shares are volumes: the part of the body
// in region r and in no later one is a shape of its own, whose volume in each cell is found as that of the body is
// (antialias.h). What a dropped cell hands over takes the materials of who takes it.

#include "regions.h"

#include "lattice.h"

#include <string.h>

typedef struct Regions
{
    const rslHooks* hooks;
    int count;                  // with the body's own material
    rslMaterialDef* materials;  // resolved
    rslShape** shapes;          // shapes[0] is NULL
    rslRegion* out;             // of the model
    double* q;                  // of dispersion; of bricks Poisson's ratio
    bool damped, dragged;       // alpha1, alpha0 differ among them
    bool spread;                // so does q
} Regions;

static void Free(Regions* regions)
{
    for (int r = 0; regions->shapes != NULL && r < regions->count; ++r)
    {
        rslShape_Free(regions->shapes[r]);
    }
    rslRelease(regions->hooks, regions->shapes);
    rslRelease(regions->hooks, regions->materials);
    rslRelease(regions->hooks, regions->q);
}

// The part of the body in a region and in none of the later ones; for networks, which ask point by point, the region.
static rslStatus MakeShape(rslBuild* build, const rslBodyDef* def, int index, bool exclusive, rslShape** shape)
{
    const rslHooks* hooks = &build->model->hooks;
    int later = def->regionCount - index - 1;
    if (!exclusive)
    {
        return rslShape_Create(def->regions[index].shape, hooks, shape, build->report);
    }
    rslShapeDef* parts = rslAllocate(hooks, (size_t)later + 1, sizeof(rslShapeDef));
    if (parts == NULL)
    {
        return rsl_outOfMemory;
    }
    const rslShapeDef both[2] = { *def->shape, *def->regions[index].shape };
    parts[0] = rslDefaultShapeDef();
    parts[0].type = rsl_intersectionShape;
    parts[0].parts = both;
    parts[0].partCount = 2;
    for (int n = 0; n < later; ++n)
    {
        parts[1 + n] = *def->regions[index + 1 + n].shape;
    }
    rslShapeDef difference = rslDefaultShapeDef();
    difference.type = rsl_differenceShape;
    difference.parts = parts;
    difference.partCount = 1 + later;
    rslStatus status = rslShape_Create(later > 0 ? &difference : &parts[0], hooks, shape, build->report);
    rslRelease(hooks, parts);
    return status;
}

// What a region is predicted to measure as: the ratios between moduli are those of the body.
static rslRegion Predict(const rslBody* body, const rslMaterialDef* base, const rslMaterialDef* material)
{
    double factor = material->young / base->young;
    return (rslRegion){ .young = factor * body->young,
                        .poisson = body->poisson,
                        .shear = factor * body->shear,
                        .bulk = factor * body->bulk,
                        .density = material->density,
                        .massDamping = isnan(material->massDamping) ? 0.0 : material->massDamping,
                        .stiffnessDamping = material->stiffnessDamping };
}

static rslStatus Make(rslBuild* build, const rslBodyDef* def, bool exclusive, rslBody* body, Regions* regions)
{
    *regions = (Regions){ .hooks = &build->model->hooks, .count = def->regionCount + 1 };
    size_t count = (size_t)regions->count;
    regions->materials = rslAllocate(regions->hooks, count, sizeof(rslMaterialDef));
    regions->shapes = rslAllocate(regions->hooks, count, sizeof(rslShape*));
    regions->q = rslAllocate(regions->hooks, count, sizeof(double));
    regions->out = rslArena_Allocate(build->arena, count, sizeof(rslRegion));
    if (regions->materials == NULL || regions->shapes == NULL || regions->q == NULL || regions->out == NULL)
    {
        return rsl_outOfMemory;
    }
    rslStatus status = rsl_ok;
    const rslMaterialDef* base = &regions->materials[0];
    for (int r = 0; r < regions->count && status == rsl_ok; ++r)
    {
        rslMaterialDef* material = &regions->materials[r];
        const rslMaterialDef* given = r == 0 ? &def->material : &def->regions[r - 1].material;
        *material = rslBuild_Material(def, given);
        double nu = rslMaterial_Resolve(given).poisson;
        bool bricks = def->model.type == rsl_brickModel, any = bricks || def->model.type == rsl_dispersionModel;
        regions->q[r] = bricks ? nu : rslDispersion_Q(nu);
        regions->spread = regions->spread || (any && regions->q[r] != regions->q[0]);
        material->massDamping = isnan(material->massDamping) ? 0.0 : material->massDamping;
        regions->damped = regions->damped || material->stiffnessDamping != base->stiffnessDamping;
        regions->dragged = regions->dragged || material->massDamping != base->massDamping;
        regions->out[r] = Predict(body, base, material);
        status = r == 0 ? rsl_ok : MakeShape(build, def, r - 1, exclusive, &regions->shapes[r]);
        if (r > 0)
        {
            rslBodyDef as = *def;
            as.material = def->regions[r - 1].material;
            rslBuild_CheckPoisson(build, &as, material->poisson, body->poisson);
        }
    }
    body->regions = regions->out;
    body->regionCount = regions->count;
    return status;
}

static void CheckEmpty(rslBuild* build, const rslBodyDef* def, const Regions* regions)
{
    for (int r = 1; r < regions->count; ++r)
    {
        if (!(regions->out[r].mass > 0.0))
        {
            rslReport_Add(
                build->report, rsl_warning, def->regions[r - 1].place,
                "region %d of body '%s' holds nothing of it: it lies outside, below later regions, or is smaller "
                "than the network resolves",
                r - 1, def->name);
        }
    }
}

// ---- lattices -------------------------------------------------------------------------------------------------------

void rslCellMix_Free(rslCellMix* mix, const rslHooks* hooks)
{
    rslRelease(hooks, mix->drag);
    rslRelease(hooks, mix->spread);
    rslRelease(hooks, mix->density);
}

typedef struct Cells
{
    size_t count;
    double* own;   // of every cell: the volume that the body itself fills, before slivers are handed on
    double* left;  // of it, not yet of any region
    double* part;  // of it, of one region
    double* stiff;
    double* damp;
    rslCellMix* mix;
} Cells;

static bool MakeCells(rslBuild* build, const Regions* regions, const rslLattice* lattice, rslCellMix* mix, Cells* cells)
{
    *cells = (Cells){ .mix = mix };
    cells->count = (size_t)lattice->cells[0] * (size_t)lattice->cells[1] * (size_t)lattice->cells[2];
    cells->own = rslAllocate(regions->hooks, cells->count, sizeof(double));
    cells->left = rslAllocate(regions->hooks, cells->count, sizeof(double));
    cells->part = rslAllocate(regions->hooks, cells->count, sizeof(double));
    mix->density = rslAllocate(regions->hooks, cells->count, sizeof(double));
    mix->drag = regions->dragged ? rslAllocate(regions->hooks, cells->count, sizeof(double)) : NULL;
    mix->spread = regions->spread ? rslAllocate(regions->hooks, cells->count, sizeof(double)) : NULL;
    cells->stiff = rslArena_Allocate(build->arena, cells->count, sizeof(double));
    cells->damp = regions->damped ? rslArena_Allocate(build->arena, cells->count, sizeof(double)) : NULL;
    bool made = cells->own != NULL && cells->left != NULL && cells->part != NULL && mix->density != NULL &&
                cells->stiff != NULL && (mix->drag != NULL) == regions->dragged &&
                (mix->spread != NULL) == regions->spread && (cells->damp != NULL) == regions->damped;
    for (size_t c = 0; made && c < cells->count; ++c)
    {
        cells->own[c] = lattice->weight[c] > 0.0 ? 1.0 : 0.0;
    }
    for (int b = 0; made && b < lattice->borderCount; ++b)
    {
        int64_t cell = lattice->border[b].cell;
        cells->own[cell] = lattice->weight[cell] > 0.0 ? lattice->border[b].fraction : 0.0;
    }
    if (made)
    {
        memcpy(cells->left, cells->own, cells->count * sizeof(double));
    }
    return made;
}

// cells->part becomes what a region's own shape fills.
static rslStatus FillPart(const rslBodyDef* def, const rslGrid* grid, const rslShape* shape, const rslHooks* hooks,
                          Cells* cells, double* bound)
{
    if (def->network.antialias)
    {
        rslAntialias result;
        rslStatus status = rslAntialias_Make(grid, shape, 0.0, hooks, cells->part, &result);
        *bound += result.bound;
        rslRelease(hooks, result.border);
        return status;
    }
    double* part = cells->part;
    for (int k = 0; k < grid->cells[2]; ++k)
    {
        for (int j = 0; j < grid->cells[1]; ++j)
        {
            for (int i = 0; i < grid->cells[0]; ++i)
            {
                *part++ = rslShape_Contains(shape, rslGrid_Point(grid, i + 0.5, j + 0.5, k + 0.5)) ? 1.0 : 0.0;
            }
        }
    }
    return rsl_ok;
}

// Add a material with the volumes in cells->part, or, for the body's own, what is left.
static void AddMaterial(const rslLattice* lattice, Regions* regions, int index, Cells* cells)
{
    const rslMaterialDef* material = &regions->materials[index];
    double factor = material->young / regions->materials[0].young, a = lattice->spacing, volume = 0.0;
    for (size_t c = 0; c < cells->count; ++c)
    {
        if (!(cells->own[c] > 0.0))
        {
            continue;
        }
        double taken = index == 0 || cells->part[c] > cells->left[c] ? cells->left[c] : cells->part[c];
        double amount = lattice->weight[c] * (taken / cells->own[c]);
        cells->left[c] -= taken;
        volume += amount;
        cells->stiff[c] += amount * factor;
        cells->mix->density[c] += amount * material->density;
        if (cells->damp != NULL)
        {
            cells->damp[c] += amount * factor * material->stiffnessDamping;
        }
        if (cells->mix->drag != NULL)
        {
            cells->mix->drag[c] += amount * material->density * material->massDamping;
        }
        if (cells->mix->spread != NULL)
        {
            cells->mix->spread[c] += amount * factor * regions->q[index];
        }
    }
    regions->out[index].volume = volume * a * a * a;
    regions->out[index].mass = regions->out[index].volume * material->density;
}

// The mean of Poisson's ratio by stiffness, of every cell.
static rslStatus FillRatios(rslBuild* build, const Cells* cells, rslLattice* lattice)
{
    if (cells->mix->spread == NULL)
    {
        return rsl_ok;
    }
    double* ratio = rslArena_Allocate(build->arena, cells->count, sizeof(double));
    for (size_t c = 0; ratio != NULL && c < cells->count; ++c)
    {
        ratio[c] = cells->stiff[c] > 0.0 ? cells->mix->spread[c] / cells->stiff[c] : 0.0;
    }
    lattice->ratio = ratio;
    return ratio != NULL ? rsl_ok : rsl_outOfMemory;
}

rslStatus rslRegions_FillCells(rslBuild* build, const rslBodyDef* def, const rslGrid* grid, rslBody* body,
                               rslCellMix* mix)
{
    *mix = (rslCellMix){ 0 };
    Regions regions;
    Cells cells = { 0 };
    double bound = 0.0, a = grid->spacing;
    rslStatus status = Make(build, def, true, body, &regions);
    if (status == rsl_ok)
    {
        status = MakeCells(build, &regions, &body->lattice, mix, &cells) ? rsl_ok : rsl_outOfMemory;
    }
    for (int r = regions.count - 1; r > 0 && status == rsl_ok; --r)
    {
        status = FillPart(def, grid, regions.shapes[r], regions.hooks, &cells, &bound);
        if (status == rsl_ok)
        {
            AddMaterial(&body->lattice, &regions, r, &cells);
        }
    }
    if (status == rsl_ok)
    {
        AddMaterial(&body->lattice, &regions, 0, &cells);
        CheckEmpty(build, def, &regions);
        body->lattice.stiff = cells.stiff;
        body->lattice.damp = cells.damp;
        status = def->model.type == rsl_brickModel ? FillRatios(build, &cells, &body->lattice) : rsl_ok;
        body->lattice.volumeBound += bound * a * a * a;
    }
    rslRelease(regions.hooks, cells.part);
    rslRelease(regions.hooks, cells.left);
    rslRelease(regions.hooks, cells.own);
    Free(&regions);
    return status;
}

// The mean of q by stiffness, at every node.
static rslStatus FillSpread(rslBuild* build, const rslCellMix* mix, rslBody* body)
{
    const rslHooks* hooks = &build->model->hooks;
    double* q = rslArena_Allocate(build->arena, (size_t)body->nodeCount, sizeof(double));
    double* stiff = rslAllocate(hooks, (size_t)body->nodeCount, sizeof(double));
    if (q != NULL && stiff != NULL)
    {
        rslLattice_Spread(&body->lattice, mix->spread, 1.0, q);
        rslLattice_Spread(&body->lattice, body->lattice.stiff, 1.0, stiff);
        for (int n = 0; n < body->nodeCount; ++n)
        {
            q[n] /= stiff[n];
        }
        body->dispersion.nodeQ = q;
    }
    rslRelease(hooks, stiff);
    return body->dispersion.nodeQ != NULL ? rsl_ok : rsl_outOfMemory;
}

rslStatus rslRegions_FillNodes(rslBuild* build, const rslCellMix* mix, rslBody* body, double* mass)
{
    const rslLattice* lattice = &body->lattice;
    double a3 = lattice->spacing * lattice->spacing * lattice->spacing;
    double* volume = rslArena_Allocate(build->arena, (size_t)body->nodeCount, sizeof(double));
    double* damping =
        rslArena_Allocate(build->arena, (size_t)(mix->drag != NULL ? body->nodeCount : 0), sizeof(double));
    if (volume == NULL || damping == NULL)
    {
        return rsl_outOfMemory;
    }
    rslLattice_Spread(lattice, lattice->weight, a3, volume);
    rslLattice_Spread(lattice, mix->density, a3, mass);
    body->nodeVolume = volume;
    if (mix->drag != NULL)
    {
        rslLattice_Spread(lattice, mix->drag, a3, damping);
        for (int n = 0; n < body->nodeCount; ++n)
        {
            damping[n] /= mass[n];
        }
        body->nodeDamping = damping;
    }
    return mix->spread != NULL && lattice->ratio == NULL ? FillSpread(build, mix, body) : rsl_ok;
}

// ---- networks -------------------------------------------------------------------------------------------------------

// The last region that holds a point.
static int MaterialAt(const Regions* regions, const double* x)
{
    int at = regions->count - 1;
    while (at > 0 && !rslShape_Contains(regions->shapes[at], (rslVec3){ x[0], x[1], x[2] }))
    {
        --at;
    }
    return at;
}

static void FillSprings(const Regions* regions, const rslDraft* draft, const int* of)
{
    double base = regions->materials[0].young;
    for (int s = 0; s < draft->springCount; ++s)
    {
        rslSpring* spring = &draft->springs[s];
        const rslMaterialDef *a = &regions->materials[of[spring->a]], *b = &regions->materials[of[spring->b]];
        if (of[spring->a] == 0 && of[spring->b] == 0)
        {
            continue;
        }
        spring->stiffness *= 2.0 / (base / a->young + base / b->young);
        spring->damping = spring->stiffness * (0.5 * (a->stiffnessDamping + b->stiffnessDamping));
    }
}

static void FillMasses(Regions* regions, const rslDraft* draft, const int* of, double* volume, double* damping)
{
    for (int n = 0; n < draft->nodeCount; ++n)
    {
        const rslMaterialDef* material = &regions->materials[of[n]];
        rslRegion* region = &regions->out[of[n]];
        volume[n] = draft->masses[n] / regions->materials[0].density;
        draft->masses[n] = of[n] == 0 ? draft->masses[n] : volume[n] * material->density;
        region->volume += volume[n];
        region->mass += draft->masses[n];
        if (damping != NULL)
        {
            damping[n] = material->massDamping;
        }
    }
}

rslStatus rslRegions_FillDraft(rslBuild* build, const rslBodyDef* def, const rslDraft* draft, rslBody* body)
{
    if (def->regionCount == 0)
    {
        return rsl_ok;
    }
    Regions regions;
    rslStatus status = Make(build, def, false, body, &regions);
    int* of = rslAllocate(regions.hooks, (size_t)draft->nodeCount, sizeof(int));
    double* volume = rslArena_Allocate(build->arena, (size_t)draft->nodeCount, sizeof(double));
    double* damping = rslArena_Allocate(build->arena, (size_t)(regions.dragged ? draft->nodeCount : 0), sizeof(double));
    double* q = rslArena_Allocate(build->arena, (size_t)(regions.spread ? draft->nodeCount : 0), sizeof(double));
    if (status == rsl_ok && (of == NULL || volume == NULL || damping == NULL || q == NULL))
    {
        status = rsl_outOfMemory;
    }
    if (status == rsl_ok)
    {
        for (int n = 0; n < draft->nodeCount; ++n)
        {
            of[n] = MaterialAt(&regions, draft->positions + 3 * (size_t)n);
        }
        for (int n = 0; regions.spread && n < draft->nodeCount; ++n)
        {
            q[n] = regions.q[of[n]];
        }
        FillSprings(&regions, draft, of);
        FillMasses(&regions, draft, of, volume, regions.dragged ? damping : NULL);
        CheckEmpty(build, def, &regions);
        body->nodeVolume = volume;
        body->nodeDamping = regions.dragged ? damping : NULL;
        body->dispersion.nodeQ = regions.spread ? q : NULL;
    }
    rslRelease(regions.hooks, of);
    Free(&regions);
    return status;
}
