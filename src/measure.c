// SPDX-License-Identifier: MIT
//
// measure.c: see measure.h. Chooses what is tested, runs the tests and lists what they find.

#include "damping.h"
#include "level.h"
#include "machine.h"
#include "tension.h"

#include <stdio.h>
#include <string.h>

#define COOKIE 0x52534c4du  // "RSLM"

enum
{
    ASPECT = 4  // of a block
};

rslMeasureDef rslDefaultMeasureDef(void)
{
    return (rslMeasureDef){ .cookie = COOKIE, .tests = rsl_allTests, .cells = 6, .tolerance = 1e-10 };
}

static rslStatus CheckDef(const rslMeasureDef* def, rslReport* report)
{
    const char* wrong = NULL;
    RSL_ASSERT(def->cookie == COOKIE);
    if (def->cookie != COOKIE)
    {
        wrong = "the definition of the measurement was not started from rslDefaultMeasureDef";
    }
    else if (def->tests == 0 || (def->tests & ~(unsigned)rsl_allTests) != 0)
    {
        wrong = "no test was chosen, or an unknown one";
    }
    else if ((int)def->specimen < 0 || def->specimen >= rsl_specimenChoiceCount)
    {
        wrong = "unknown specimen";
    }
    else if (def->cells < 1 || def->cells > 1000)
    {
        wrong = "a block has 1 to 1000 cells across";
    }
    else if (!(def->strain >= 0.0 && def->strain <= 0.5) || !(def->tolerance > 0.0 && def->tolerance < 1.0))
    {
        wrong = "the strain must be 0 to 0.5, the tolerance above 0 and below 1";
    }
    if (wrong != NULL)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%s", wrong);
    }
    return wrong == NULL ? rsl_ok : rsl_badInput;
}

const rslMeasurement* rslMeasurements_Find(const rslMeasurements* measurements, const char* quantity)
{
    for (int i = 0; i < measurements->count; ++i)
    {
        if (strcmp(measurements->list[i].quantity, quantity) == 0)
        {
            return &measurements->list[i];
        }
    }
    return NULL;
}

void rslMeasurements_Free(rslMeasurements* measurements)
{
    if (measurements != NULL)
    {
        rslHooks hooks = measurements->hooks;
        rslRelease(&hooks, measurements->list);
        rslRelease(&hooks, measurements);
    }
}

// ---- what is tested -----------------------------------------------------------------------------------------------------

// NULL, or why there is no block.
static const char* MakeBlock(rslMachine* machine)
{
    rslNetworkDef* network = &machine->body.network;
    double unit = network->type == rsl_randomNetwork ? network->maxLength : network->spacing;
    double across = machine->def->cells * unit;
    switch (network->type)
    {
        case rsl_latticeNetwork:
        case rsl_randomNetwork: break;
        case rsl_tetrahedraNetwork:
            if (machine->source->shape == NULL || network->mesher != rsl_delaunayMesher)
            {
                return "a block of tetrahedra is made with 'mesher: delaunay' alone";
            }
            break;
        case rsl_sheetNetwork: return "a sheet is tested as it is, when it is a flat grid";
        case rsl_hexahedraNetwork: return "hexahedra are tested as they are, when they fill a box";
        default: return "an explicit network has no material";
    }
    machine->shape = rslDefaultShapeDef();
    machine->shape.type = rsl_boxShape;
    machine->shape.size = (rslVec3){ ASPECT * across, across, across };
    if (network->type == rsl_latticeNetwork)
    {
        machine->shape.rotate = network->orientation;
    }
    machine->body.shape = &machine->shape;
    machine->body.regionCount = 0;  // a block of the body's own material
    return NULL;
}

// A number of nodes belongs to the body; a block gets as many for its volume.
static void FillBlock(rslMachine* machine)
{
    rslNetworkDef* network = &machine->body.network;
    if (network->type == rsl_randomNetwork && network->count > 0 && machine->model != NULL)
    {
        double least = network->minLength, ball = 0.52359877559829887 * least * least * least;
        network->filling = network->count * ball / machine->model->bodies[0].volume;
        network->filling = network->filling < 0.38 ? network->filling : 0.38;
        network->count = 0;
    }
}

// What the build of a block warns of would be said twice.
static rslStatus Build(rslMachine* machine, const rslHooks* hooks, bool quiet)
{
    rslBodyDef alone;
    rslScene single = rslScene_Alone(machine->scene, &machine->body, &alone);
    rslReport own = { 0 };
    rslModel_Free(machine->model);
    machine->model = NULL;
    rslStatus status = rslModel_Build(&single, hooks, &machine->model, &own);
    for (int i = 0; i < own.count; ++i)
    {
        const rslMessage* message = &own.messages[i];
        if (message->severity == rsl_error || (message->severity == rsl_warning && !quiet))
        {
            rslReport_Add(machine->report, message->severity, message->place, "%s", message->text);
        }
    }
    return status;
}

// A ratio at the first frequency is meant as the scene holds the body, which a specimen is not.
static rslStatus SettleDamping(rslMachine* machine, const rslHooks* hooks)
{
    double first;
    machine->body.model.type = rslScene_ChooseModel(machine->scene, &machine->body);
    rslStatus status =
        rslDamping_Settle(machine->scene, &machine->body, hooks, &machine->regions, &first, machine->report);
    machine->material = rslMaterial_Resolve(&machine->body.material);
    return status;
}

static rslStatus ChooseSpecimen(rslMachine* machine, const rslHooks* hooks)
{
    const rslMeasureDef* def = machine->def;
    machine->body = *machine->source;
    rslStatus status = SettleDamping(machine, hooks);
    status = status == rsl_ok ? Build(machine, hooks, false) : status;
    if (status != rsl_ok)
    {
        return status;
    }
    machine->out->mass = machine->model->bodies[0].mass;
    rslLevel_Take(&machine->body);
    machine->whyNot = rslSpecimen_Find(machine->model, &machine->body, &machine->specimen);
    bool wanted = def->specimen == rsl_blockSpecimen || (def->specimen == rsl_anySpecimen && machine->whyNot != NULL);
    if (!wanted)
    {
        return rsl_ok;
    }
    const rslBodyDef given = machine->body;
    FillBlock(machine);
    const char* why = MakeBlock(machine);
    if (why != NULL)
    {
        machine->body = given;
        machine->whyNot = machine->whyNot != NULL && def->specimen == rsl_anySpecimen ? machine->whyNot : why;
        return rsl_ok;
    }
    status = Build(machine, hooks, true);
    machine->whyNot = status == rsl_ok ? rslSpecimen_Find(machine->model, &machine->body, &machine->specimen) : NULL;
    machine->out->block = true;
    return status;
}

// ---- all together ---------------------------------------------------------------------------------------------------------

// What is left of the tests when the specimen is no box.
static rslStatus LimitTests(rslMachine* machine, unsigned* tests)
{
    if (machine->whyNot == NULL)
    {
        return rsl_ok;
    }
    const unsigned ringing = rsl_ringingTest | rsl_ringDownTest;
    bool rings = (*tests & ringing) != 0;
    rslReport_Add(machine->report, rings ? rsl_note : rsl_error, machine->source->place,
                  "body '%s' cannot be pulled, sheared or bent: %s%s", machine->out->body, machine->whyNot,
                  machine->def->specimen == rsl_bodySpecimen && machine->source->network.type == rsl_latticeNetwork
                      ? "; a block of its network can"
                      : "");
    *tests &= ringing;
    return rings ? rsl_ok : rsl_badInput;
}

static rslStatus Measure(rslMachine* machine, const rslHooks* hooks)
{
    unsigned tests = machine->def->tests;
    rslStatus status = ChooseSpecimen(machine, hooks);
    status = status == rsl_ok ? LimitTests(machine, &tests) : status;
    if (status == rsl_ok)
    {
        machine->hasRig = true;
        status = rslRig_Make(&machine->rig, machine->model, machine->specimen.axes, machine->specimen.middle, hooks);
    }
    if (status != rsl_ok)
    {
        return status;
    }
    machine->out->size = machine->whyNot == NULL ? machine->specimen.size : (rslVec3){ 0 };
    machine->out->nodeCount = machine->model->nodeCount;
    rslMachine_Test(machine, tests);
    machine->out->iterations = machine->rig.iterations;
    if (machine->out->count == 0 && machine->status == rsl_ok)
    {
        rslReport_Add(machine->report, rsl_error, machine->source->place, "nothing of body '%s' could be measured",
                      machine->out->body);
        return rsl_badInput;
    }
    return machine->status;
}

rslStatus rslMeasure_Run(const rslScene* scene, int body, const rslMeasureDef* def, const rslHooks* hooks,
                         rslMeasurements** measurements, rslReport* report)
{
    rslHooks complete = rslHooks_Complete(hooks);
    *measurements = NULL;
    rslStatus status = CheckDef(def, report);
    if (status != rsl_ok)
    {
        return status;
    }
    RSL_ASSERT(0 <= body && body < scene->bodyCount);
    rslMeasurements* out = rslAllocate(&complete, 1, sizeof(rslMeasurements));
    rslMeasurement* list = out != NULL ? rslAllocate(&complete, RSL_MEASUREMENTS_MOST, sizeof(rslMeasurement)) : NULL;
    if (list == NULL)
    {
        rslRelease(&complete, out);
        return rsl_outOfMemory;
    }
    *out = (rslMeasurements){ .list = list, .hooks = complete };
    snprintf(out->body, sizeof out->body, "%s", scene->bodies[body].name != NULL ? scene->bodies[body].name : "");
    rslMachine machine = { .scene = scene, .source = &scene->bodies[body], .def = def, .report = report, .out = out };
    status = Measure(&machine, &complete);
    if (machine.hasRig)
    {
        rslRig_Free(&machine.rig);
    }
    rslModel_Free(machine.model);
    rslRelease(&complete, machine.regions);
    if (status == rsl_ok || status == rsl_notConverged)
    {
        *measurements = out;
        return status;
    }
    rslMeasurements_Free(out);
    return status;
}
