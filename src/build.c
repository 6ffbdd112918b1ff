// SPDX-License-Identifier: MIT
//
// build.c: a scene becomes a model, stage by stage.

#include "build.h"
#include "calibrate.h"
#include "damping.h"
#include "hash.h"
#include "inertia.h"
#include "level.h"
#include "log.h"
#include "mechanism.h"
#include "vec.h"

#include "resilin/probe.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double Now(void)
{
    struct timespec now = { 0 };
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void rslBuild_CheckPoisson(rslBuild* build, const rslBodyDef* def, double poisson, double natural)
{
    if (fabs(poisson - natural) > 0.005 && def->model.type == rsl_springModel)
    {
        const rslNetworkDef* network = &def->network;
        bool cells = network->type == rsl_latticeNetwork && network->construction == rsl_cornerLattice &&
                     network->law == rsl_linearSpring;
        rslReport_Add(
            build->report, rsl_warning, def->material.place,
            "body '%s' asks for Poisson's ratio %.3g; springs alone give %s: Young's modulus is met, Poisson's "
            "ratio is not; 'model: %s' meets both, poisson: %s says that this is meant",
            def->name, poisson, natural < 0.3 ? "1/4" : "1/3 in the plane",
            natural >= 0.3 ? "angles"
            : cells        ? "brick"
                           : "dispersion",
            natural < 0.3 ? "0.25" : "0.3333");
    }
}

uint64_t rslBuild_Seed(const rslBuild* build, const char* name)
{
    uint64_t hash = rslHash_Word(RSL_HASH_START, build->scene->seed);
    for (; name != NULL && *name != 0; ++name)
    {
        hash = rslHash_Word(hash, (unsigned char)*name);
    }
    return hash;
}

// ---- bodies ---------------------------------------------------------------------------------------------------------

typedef rslStatus ShapeBuilder(rslBuild* build, const rslBodyDef* def, const rslShape* shape, rslBody* body);

static rslStatus FillShape(rslBuild* build, const rslBodyDef* def, ShapeBuilder* fill, rslBody* body)
{
    rslShape* shape = NULL;
    rslStatus status = rslShape_Create(def->shape, &build->model->hooks, &shape, build->report);
    status = status == rsl_ok ? fill(build, def, shape, body) : status;
    status = status == rsl_ok && def->surface.enabled ? rslBuild_Surface(build, def, shape, body) : status;
    status = status == rsl_ok ? rslBuild_ShapeSkin(build, def, shape, body) : status;
    rslShape_Free(shape);
    return status;
}

static rslStatus BuildNetwork(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    switch (def->network.type)
    {
        case rsl_sheetNetwork: return rslBuild_Sheet(build, def, body);
        case rsl_explicitNetwork: return rslBuild_Explicit(build, def, body);
        case rsl_tetrahedraNetwork: return rslBuild_Tetrahedra(build, def, body);
        case rsl_hexahedraNetwork: return rslBuild_Hexahedra(build, def, body);
        case rsl_randomNetwork: return FillShape(build, def, rslBuild_Random, body);
        default: return FillShape(build, def, rslBuild_Lattice, body);
    }
}

static void StartBody(const rslBodyDef* def, rslBody* body, int firstNode)
{
    const double radians = 3.14159265358979323846 / 180.0;
    if (def->name != NULL)
    {
        strncpy(body->name, def->name, sizeof body->name - 1);
    }
    body->model = def->model.type;
    body->repulsion.law = rsl_noRepulsion;
    body->firstNode = firstNode;
    body->frame.velocity = def->velocity;
    body->spin = rslScale(radians, def->spin);
    body->massDamping = isnan(def->material.massDamping) ? 0.0 : def->material.massDamping;
    body->materialDamping[0] = body->massDamping;
    body->materialDamping[1] = rslMaterial_Resolve(&def->material).stiffnessDamping;
}

// Parts that nothing holds together fall apart: worth saying, unless the user listed them one by one.
static rslStatus CheckParts(rslBuild* build, const rslBodyDef* def, int index)
{
    if (def->network.type == rsl_explicitNetwork)
    {
        return rsl_ok;
    }
    int parts = rslModel_Components(build->model, index, &build->model->hooks);
    if (parts > 1)
    {
        rslReport_Add(build->report, rsl_warning, def->network.place,
                      "body '%s' is in %d parts that no spring holds together; a %s may join them", def->name, parts,
                      def->network.type == rsl_randomNetwork ? "larger max_length" : "smaller spacing");
    }
    return parts < 0 ? rsl_outOfMemory : rsl_ok;
}

// Motions that cost nothing are worth saying even where something will hold them.
static rslStatus CheckFloppy(rslBuild* build, const rslBodyDef* def, const rslBody* body)
{
    rslMechanisms floppy = { 0 };
    rslStatus status = rslMechanisms_Count(body, NULL, (rslVec3){ 0.0, 0.0, 0.0 }, &build->model->hooks, &floppy);
    if (status == rsl_ok && floppy.modes > 0)
    {
        rslReport_Add(build->report, rsl_warning, def->network.place,
                      "body '%s' has %s%lld floppy mode%s besides its rigid motions: with '%s', columns of nodes "
                      "slide along each other at no cost; use '%s', or hold one whole face of the body",
                      def->name, floppy.exact ? "" : "at least ", (long long)floppy.modes, floppy.modes == 1 ? "" : "s",
                      rslBody_FloppyKey(body), rslBody_StiffKey(body));
    }
    return status;
}

// By a definition whose model is chosen and whose damping has constants.
static rslStatus BuildChosen(rslBuild* build, rslBodyDef* def, int index, int firstNode)
{
    bool rigid = def->model.type == rsl_rigidModel;
    if (rigid)
    {
        rslBuild_RigidDef(def);
    }
    StartBody(def, &build->bodies[index], firstNode);
    rslStatus status = rslBuild_LeaveRest(build, def);
    status = status == rsl_ok ? BuildNetwork(build, def, &build->bodies[index]) : status;
    status = rslBuild_Level(build, &build->scene->bodies[index], status, &build->bodies[index]);
    if (status == rsl_ok && rigid)
    {
        return rsl_ok;  // nothing in it moves
    }
    if (status == rsl_ok)
    {
        rslBuild_Dispersion(build, def, index);
    }
    status = status == rsl_ok ? CheckParts(build, def, index) : status;
    status = status == rsl_ok ? rslBuild_Repulsion(build, def, &build->bodies[index]) : status;
    status = status == rsl_ok ? rslBuild_Calibrate(build, def, &build->bodies[index]) : status;
    return status == rsl_ok ? CheckFloppy(build, def, &build->bodies[index]) : status;
}

static rslStatus BuildBody(rslBuild* build, int index, int firstNode)
{
    rslBodyDef chosen = build->scene->bodies[index];
    rslRegionDef* regions = NULL;
    double first = 0.0;
    chosen.model.type = rslScene_ChooseModel(build->scene, &chosen);
    rslStatus status = rslDamping_Settle(build->scene, &chosen, &build->model->hooks, &regions, &first, build->report);
    rslLevel_Take(&chosen);
    status = status == rsl_ok ? BuildChosen(build, &chosen, index, firstNode) : status;
    build->bodies[index].firstFrequency = first;
    rslRelease(&build->model->hooks, regions);
    return status;
}

static rslStatus BuildBodies(rslBuild* build)
{
    rslModel* model = build->model;
    int count = build->scene->bodyCount;
    build->bodies = rslArena_Allocate(build->arena, (size_t)count, sizeof(rslBody));
    build->masses = rslAllocate(&model->hooks, (size_t)count, sizeof(double*));
    build->inertias = rslAllocate(&model->hooks, (size_t)count, sizeof(rslInertia));
    rslStatus status =
        build->bodies != NULL && build->masses != NULL && build->inertias != NULL ? rsl_ok : rsl_outOfMemory;
    model->bodies = build->bodies;
    for (int i = 0; i < count && status != rsl_outOfMemory; ++i)
    {
        model->bodyCount = i + 1;
        rslStatus one = BuildBody(build, i, model->nodeCount);
        status = one != rsl_ok ? one : status;
        int room = INT32_MAX - model->nodeCount;
        if (build->bodies[i].nodeCount > room)
        {
            rslReport_Add(build->report, rsl_error, build->scene->bodies[i].place,
                          "the bodies have more than 2^31 nodes");
            return rsl_badInput;
        }
        model->nodeCount += build->bodies[i].nodeCount;
    }
    return status;
}

static int CompareNames(const void* a, const void* b)
{
    const rslBody *x = *(const rslBody*const*)a, *y = *(const rslBody*const*)b;
    return strcmp(x->name, y->name);
}

// For rslModel_Find. Names are distinct.
static rslStatus SortNames(rslBuild* build)
{
    rslModel* model = build->model;
    size_t count = (size_t)model->bodyCount;
    int* byName = rslArena_Allocate(build->arena, count, sizeof(int));
    const rslBody** sorted = rslAllocate(&model->hooks, count, sizeof(rslBody*));
    rslStatus status = byName != NULL && sorted != NULL ? rsl_ok : rsl_outOfMemory;
    for (size_t i = 0; status == rsl_ok && i < count; ++i)
    {
        sorted[i] = &build->bodies[i];
    }
    if (status == rsl_ok)
    {
        qsort(sorted, count, sizeof(rslBody*), CompareNames);
    }
    for (size_t i = 0; status == rsl_ok && i < count; ++i)
    {
        byName[i] = (int)(sorted[i] - build->bodies);
    }
    model->byName = byName;
    rslRelease(&model->hooks, sorted);
    return status;
}

// ---- masses and springs ---------------------------------------------------------------------------------------------

// The masses of all bodies in one array.
static rslStatus JoinMasses(rslBuild* build)
{
    rslModel* model = build->model;
    double* mass = rslArena_Allocate(build->arena, (size_t)model->nodeCount, sizeof(double));
    if (mass == NULL)
    {
        return rsl_outOfMemory;
    }
    model->mass = mass;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        rslBody* body = &build->bodies[b];
        for (int i = 0; i < body->nodeCount; ++i)
        {
            mass[body->firstNode + i] = build->masses[b][i];
            body->mass += build->masses[b][i];
        }
        rslRelease(&model->hooks, build->masses[b]);
        build->masses[b] = NULL;
    }
    return rsl_ok;
}

static bool CountSpring(const rslSpring* spring, void* context)
{
    (void)spring;
    ++*(int64_t*)context;
    return true;
}

// A solver numbers both ends of all stored springs through.
static rslStatus CountSprings(rslBuild* build)
{
    int64_t stored = 0;
    for (int b = 0; b < build->model->bodyCount; ++b)
    {
        rslModel_VisitSprings(build->model, b, CountSpring, &build->model->springCount);
        stored += build->bodies[b].network.springCount;
        build->model->elementCount += build->bodies[b].elements.count;
        if (stored > INT32_MAX / 2 || build->model->elementCount > INT32_MAX / 8)
        {
            rslReport_Add(build->report, rsl_error, build->scene->bodies[b].place,
                          "the networks up to this body have more than 2^30 springs or 2^28 elements");
            return rsl_badInput;
        }
    }
    return rsl_ok;
}

// Probes are no part of the model, but what is wrong with them is told now.
static rslStatus CheckProbes(rslBuild* build)
{
    const rslOutputDef* output = &build->scene->output;
    rslProbes* probes = NULL;
    rslStatus status = output->probeCount == 0 ? rsl_ok
                                               : rslProbes_Create(build->model, output->probes, output->probeCount,
                                                                  &build->model->hooks, &probes, build->report);
    rslProbes_Free(probes);
    return status;
}

// ---- the walk -------------------------------------------------------------------------------------------------------

static rslStatus RunStages(rslBuild* build)
{
    typedef rslStatus Stage(rslBuild * build);
    static Stage* const stages[] = {
        BuildBodies,           SortNames,         JoinMasses,          rslBuild_Rigids,
        CountSprings,          rslBuild_Volumes,  rslBuild_Loads,      rslBuild_Constraints,
        rslBuild_Links,        rslBuild_Drives,   rslBuild_Colliders,  rslBuild_Pairs,
        rslBuild_Skins,        rslBuild_Welds,    rslBuild_HoldRigids, rslBuild_Joints,
        rslBuild_CheckVolumes, rslBuild_Overlaps, CheckProbes,
    };
    rslStatus status = rslScene_Validate(build->scene, build->report);
    for (size_t i = 0; status == rsl_ok && i < sizeof stages / sizeof stages[0]; ++i)
    {
        status = stages[i](build);
    }
    return status;
}

static void FreeScratch(rslBuild* build)
{
    const rslHooks* hooks = &build->model->hooks;
    for (int b = 0; build->masses != NULL && b < build->scene->bodyCount; ++b)
    {
        rslRelease(hooks, build->masses[b]);
    }
    rslRelease(hooks, build->masses);
    rslRelease(hooks, build->inertias);
    rslRelease(hooks, build->trace);
}

// An empty model in an arena that holds also itself.
static rslModel* StartModel(const rslScene* scene, const rslHooks* hooks)
{
    rslArena arena = rslArena_Make(hooks);
    rslModel* model = rslArena_Allocate(&arena, 1, sizeof(rslModel));
    rslArena* kept = model == NULL ? NULL : rslArena_Allocate(&arena, 1, sizeof(rslArena));
    if (kept == NULL)
    {
        rslArena_Free(&arena);
        return NULL;
    }
    *kept = arena;
    *model = (rslModel){
        .plane = scene->plane,
        .gravity = scene->gravity,
        .hooks = arena.hooks,
        .arena = kept,
    };
    return model;
}

rslStatus rslModel_Build(const rslScene* scene, const rslHooks* hooks, rslModel** out, rslReport* report)
{
    double start = Now();
    *out = NULL;
    rslModel* model = StartModel(scene, hooks);
    if (model == NULL)
    {
        return rsl_outOfMemory;
    }
    rslBuild build = { .scene = scene, .model = model, .arena = model->arena, .report = report };
    rslStatus status = RunStages(&build);
    FreeScratch(&build);
    if (status != rsl_ok)
    {
        rslModel_Free(model);
        return status;
    }
    model->fingerprint = rslModel_Fingerprint(model);
    model->bytes = rslArena_Bytes(model->arena);
    model->buildSeconds = Now() - start;
    rslLog(&model->hooks, rsl_note, "model: %d bodies, %d nodes, %lld springs, %.3g s", model->bodyCount,
           model->nodeCount, (long long)model->springCount, model->buildSeconds);
    *out = model;
    return rsl_ok;
}
