// SPDX-License-Identifier: MIT
//
// snapshot_fields.c: tensors at the nodes for frames, on demand. Six numbers a tensor in the order of ParaView.

#include "resilin/field.h"

#include "memory.h"
#include "snapshot_fields.h"

#include <math.h>
#include <string.h>

struct rslSnapshotFields
{
    rslSymmetric* tensors;            // of every node: scratch
    rslTessellation** tessellations;  // of every body, for strain; NULL where a body has none
    int bodyCount;
};

void rslSnapshot_FreeFields(rslSnapshot* s)
{
    void* arrays[] = {
        s->stress, s->vonMises, s->principal, s->strain, s->modulus, s->contactForce, s->contactFriction
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
    {
        rslRelease(&s->hooks, arrays[i]);
    }
    if (s->fields != NULL)
    {
        for (int b = 0; s->fields->tessellations != NULL && b < s->fields->bodyCount; ++b)
        {
            rslTessellation_Free(s->fields->tessellations[b]);
        }
        rslRelease(&s->hooks, s->fields->tessellations);
        rslRelease(&s->hooks, s->fields->tensors);
        rslRelease(&s->hooks, s->fields);
    }
}

static bool Allocate(const rslSnapshot* s, bool wanted, size_t components, double** array)
{
    if (wanted && *array == NULL)
    {
        *array = rslAllocate(&s->hooks, components * (size_t)s->nodeCount, sizeof(double));
    }
    return *array != NULL || !wanted;
}

// A body that cannot be cut shows no strain.
static rslStatus MakeTessellations(rslSnapshot* s, const rslModel* model, rslReport* report)
{
    s->fields->bodyCount = model->bodyCount;
    s->fields->tessellations = rslAllocate(&s->hooks, (size_t)model->bodyCount, sizeof(rslTessellation*));
    rslStatus status = s->fields->tessellations != NULL ? rsl_ok : rsl_outOfMemory;
    for (int b = 0; b < model->bodyCount && status != rsl_outOfMemory; ++b)
    {
        rslReport told = { 0 };
        status = rslTessellation_Create(model, b, &s->hooks, &s->fields->tessellations[b], &told);
        if (status == rsl_badInput)
        {
            rslReport_Add(report, rsl_warning, (rslPlace){ 0, 0 }, "frames show no strain of body '%s': %s",
                          model->bodies[b].name, told.count > 0 ? told.messages[0].text : "it cannot be cut");
        }
    }
    return status == rsl_outOfMemory ? status : rsl_ok;
}

rslStatus rslSnapshot_AddFields(rslSnapshot* s, const rslModel* model, rslFieldSet set, rslReport* report)
{
    bool tensors = set.stress || set.vonMises || set.principal || set.strain;
    if (!Allocate(s, set.stress, 6, &s->stress) || !Allocate(s, set.vonMises, 1, &s->vonMises) ||
        !Allocate(s, set.principal, 3, &s->principal) || !Allocate(s, set.strain, 6, &s->strain) ||
        !Allocate(s, set.modulus, 1, &s->modulus) || !Allocate(s, set.contact, 3, &s->contactForce) ||
        !Allocate(s, set.contact, 3, &s->contactFriction))
    {
        return rsl_outOfMemory;
    }
    if (set.modulus)
    {
        rslModel_NodeModulus(model, s->modulus);
    }
    if (tensors && s->fields == NULL)
    {
        s->fields = rslAllocate(&s->hooks, 1, sizeof(struct rslSnapshotFields));
        if (s->fields != NULL)
        {
            s->fields->tensors = rslAllocate(&s->hooks, (size_t)s->nodeCount, sizeof(rslSymmetric));
        }
    }
    if (tensors && (s->fields == NULL || s->fields->tensors == NULL))
    {
        return rsl_outOfMemory;
    }
    return set.strain && s->fields->tessellations == NULL ? MakeTessellations(s, model, report) : rsl_ok;
}

static void Spread(rslSymmetric t, double* six)
{
    memcpy(six, (const double[6]){ t.xx, t.yy, t.zz, t.xy, t.yz, t.zx }, 6 * sizeof(double));
}

static void TakeStress(rslSnapshot* s, rslSolver* solver, const rslState* state)
{
    const rslSymmetric* stress = s->fields->tensors;
    rslSolver_NodeStress(solver, state, s->fields->tensors);
    for (int i = 0; i < s->nodeCount; ++i)
    {
        if (s->stress != NULL)
        {
            Spread(stress[i], s->stress + 6 * (size_t)i);
        }
        if (s->vonMises != NULL)
        {
            s->vonMises[i] = rslSymmetric_VonMises(stress[i]);
        }
        if (s->principal != NULL)
        {
            rslSymmetric_Principal(stress[i], s->principal + 3 * (size_t)i, NULL);
        }
    }
}

static void TakeStrain(rslSnapshot* s, const rslModel* model, const rslState* state)
{
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        rslSymmetric* strain = s->fields->tensors + body->firstNode;
        const rslTessellation* t = s->fields->tessellations[b];
        bool known = t != NULL && rslTessellation_NodeStrain(t, state, strain) == rsl_ok;
        for (int i = 0; i < body->nodeCount; ++i)
        {
            Spread(known ? strain[i] : (rslSymmetric){ 0 }, s->strain + 6 * (size_t)(body->firstNode + i));
        }
    }
}

static void TakeContact(rslSnapshot* s, const rslModel* model, const rslState* state)
{
    bool known = rslState_TouchForces(model, state, s->contactForce, s->contactFriction) == rsl_ok;
    for (int i = 0; !known && i < 3 * s->nodeCount; ++i)
    {
        s->contactForce[i] = s->contactFriction[i] = NAN;
    }
}

void rslSnapshot_TakeFields(rslSnapshot* s, rslSolver* solver, const rslState* state)
{
    if (s->stress != NULL || s->vonMises != NULL || s->principal != NULL)
    {
        TakeStress(s, solver, state);
    }
    if (s->strain != NULL)
    {
        TakeStrain(s, rslSolver_Model(solver), state);
    }
    if (s->contactForce != NULL)
    {
        TakeContact(s, rslSolver_Model(solver), state);
    }
}
