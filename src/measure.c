// SPDX-License-Identifier: MIT
//
// measure.c: see measure.h. Chooses what is tested, runs the tests and lists what they find.

#include "resilin/measure.h"

#include "cantilever.h"
#include "free_box.h"
#include "moduli.h"
#include "tension.h"

#include "resilin/modes.h"

#include <stdio.h>
#include <string.h>

#define COOKIE 0x52534c4du  // "RSLM"

enum
{
    CAPACITY = 40,    // figures of one body
    FREQUENCIES = 3,  // of ringing
    ASPECT = 4        // of a block
};

typedef struct Machine
{
    const rslScene* scene;
    const rslBodyDef* source;  // as the scene has it
    const rslMeasureDef* def;
    rslReport* report;
    rslBodyDef body;  // that is tested
    rslShapeDef shape;
    rslModel* model;
    rslRig rig;
    rslSpecimen specimen;
    const char* whyNot;  // the specimen is no box
    bool hasRig;
    rslMaterialDef material;
    rslMeasurements* out;
    int done, count;  // tests
    rslStatus status;
} Machine;

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

// ---- the list -----------------------------------------------------------------------------------------------------------

static void Add(Machine* machine, const char* quantity, const char* unit, double target, double ours)
{
    rslMeasurements* out = machine->out;
    RSL_ASSERT(out->count < CAPACITY);
    rslMeasurement* row = &out->list[out->count++];
    *row = (rslMeasurement){ .unit = unit, .target = target, .ours = ours };
    snprintf(row->quantity, sizeof row->quantity, "%s", quantity);
    row->error = target != 0.0 ? ours / target - 1.0 : ours;
}

static void AddAxis(Machine* machine, const char* before, int axis, const char* after, const char* unit, double target,
                    double ours)
{
    char name[24];
    snprintf(name, sizeof name, "%s%c%s", before, "xyz"[axis], after);
    Add(machine, name, unit, target, ours);
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
static const char* MakeBlock(Machine* machine)
{
    rslNetworkDef* network = &machine->body.network;
    double unit = network->type == rsl_randomNetwork ? network->maxLength : network->spacing;
    double across = machine->def->cells * unit;
    switch (network->type)
    {
        case rsl_latticeNetwork:
        case rsl_randomNetwork: break;
        case rsl_tetrahedraNetwork: return "a block of tetrahedra cannot be made from those of a body";
        case rsl_sheetNetwork: return "a sheet is tested as it is, when it is a flat grid";
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
    return NULL;
}

// A number of nodes belongs to the body; a block gets as many for its volume.
static void FillBlock(Machine* machine)
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
static rslStatus Build(Machine* machine, const rslHooks* hooks, bool quiet)
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

static rslStatus ChooseSpecimen(Machine* machine, const rslHooks* hooks)
{
    const rslMeasureDef* def = machine->def;
    machine->body = *machine->source;
    rslStatus status = Build(machine, hooks, false);
    if (status != rsl_ok)
    {
        return status;
    }
    machine->whyNot = rslSpecimen_Find(machine->model, &machine->body, &machine->specimen);
    bool wanted = def->specimen == rsl_blockSpecimen || (def->specimen == rsl_anySpecimen && machine->whyNot != NULL);
    if (!wanted)
    {
        return rsl_ok;
    }
    FillBlock(machine);
    const char* why = MakeBlock(machine);
    if (why != NULL)
    {
        machine->body = *machine->source;
        machine->whyNot = machine->whyNot != NULL && def->specimen == rsl_anySpecimen ? machine->whyNot : why;
        return rsl_ok;
    }
    status = Build(machine, hooks, true);
    machine->whyNot = status == rsl_ok ? rslSpecimen_Find(machine->model, &machine->body, &machine->specimen) : NULL;
    machine->out->block = true;
    return status;
}

// ---- tests --------------------------------------------------------------------------------------------------------------

// False when the host wants to stop, or has been told of an error.
static bool Begin(Machine* machine, const char* name)
{
    const rslMeasureDef* def = machine->def;
    if (machine->status != rsl_ok && machine->status != rsl_notConverged)
    {
        return false;
    }
    if (def->progress != NULL && !def->progress(name, machine->done, machine->count, def->user))
    {
        machine->status = rsl_stopped;
        return false;
    }
    machine->done += 1;
    return true;
}

// A solve that did not converge leaves its figures and is remembered; other failures end the measurement.
static bool Take(Machine* machine, rslStatus status)
{
    machine->status = status != rsl_ok ? status : machine->status;
    return status == rsl_ok || status == rsl_notConverged;
}

static void Pull(Machine* machine, bool compression)
{
    const rslMeasureDef* def = machine->def;
    rslTensionDef pull = rslDefaultTensionDef();
    pull.clamped = def->clamped;
    pull.tolerance = def->tolerance;
    pull.threads = def->threads;
    double strain = def->strain > 0.0 ? def->strain : 1e-6;
    pull.strain = compression ? -strain : def->strain;
    for (int axis = 0; axis < (machine->specimen.flat ? 2 : 3); ++axis)
    {
        rslTension found;
        pull.axis = axis;
        if (!Begin(machine, compression ? "compression" : "tension") ||
            !Take(machine, rslTension_Run(&machine->rig, &machine->specimen, &pull, &found, machine->report)))
        {
            return;
        }
        AddAxis(machine, "E_", axis, compression ? "_compression" : "", "Pa", machine->material.young, found.young);
        if (!compression)
        {
            AddAxis(machine, "nu_", axis, "", "-", machine->material.poisson, found.poisson);
        }
    }
}

static void AddWorst(Machine* machine, const rslModuli* moduli)
{
    double young = machine->material.young;
    rslVec3 worst = rslModuli_Worst(moduli, young);
    rslMat3 axes = rslQuatMatrix(machine->specimen.axes);
    rslVec3 world = rslMatVec(&axes, worst);
    Add(machine, "E_worst", "Pa", young, rslModuli_Young(moduli, worst));
    Add(machine, "worst_x", "-", NAN, world.x);
    Add(machine, "worst_y", "-", NAN, world.y);
    Add(machine, "worst_z", "-", NAN, world.z);
}

static void Strain(Machine* machine)
{
    static const char* const names[] = { "G_yz", "G_zx", "G_xy" };
    const rslMeasureDef* def = machine->def;
    double young = machine->material.young, nu = machine->material.poisson;
    bool flat = machine->specimen.flat;
    rslModuli moduli;
    if (!Begin(machine, "shear and inflation"))
    {
        return;
    }
    rslReport why = { 0 };
    rslStatus status =
        rslModuli_Measure(&machine->rig, &machine->specimen, def->tolerance, def->threads, &moduli, &why);
    if (status == rsl_badInput)
    {
        rslReport_Add(machine->report, rsl_warning, machine->source->place, "%s%s", why.messages[0].text,
                      machine->out->block ? "; take more cells" : "; a block of its network may do");
        return;
    }
    if (!Take(machine, status))
    {
        return;
    }
    for (int plane = flat ? 2 : 0; (def->tests & rsl_shearTest) && plane < 3; ++plane)
    {
        Add(machine, names[plane], "Pa", 0.5 * young / (1.0 + nu), rslModuli_Shear(&moduli, plane));
    }
    if (def->tests & rsl_inflationTest)
    {
        double bulk = flat ? 0.5 * young / (1.0 - nu) : young / (3.0 * (1.0 - 2.0 * nu));
        Add(machine, "K", "Pa", bulk, rslModuli_Bulk(&moduli));
    }
    if (def->tests & rsl_shearTest)
    {
        Add(machine, "zener", "-", 1.0, rslModuli_Zener(&moduli));
        AddWorst(machine, &moduli);
    }
}

static void Bend(Machine* machine)
{
    const rslMeasureDef* def = machine->def;
    rslCantilever beam;
    if (!Begin(machine, "bending") ||
        !Take(machine, rslCantilever_Bend(&machine->rig, &machine->specimen, def->tolerance, def->threads, &beam,
                                          machine->report)))
    {
        return;
    }
    bool slender = beam.length >= 2.0 * beam.depth;
    double theory = rslCantilever_Theory(&beam, machine->material.young, machine->material.poisson);
    Add(machine, "bending", "N/m", slender ? theory : NAN, beam.stiffness);
    if (!slender)
    {
        rslReport_Add(machine->report, rsl_note, machine->source->place,
                      "body '%s' is less than twice as long as thick: no beam to compare its bending with",
                      machine->out->body);
    }
}

// ---- ringing --------------------------------------------------------------------------------------------------------------

// Rayleigh: a mode of the angular frequency w is damped by zeta = alpha0 / (2 w) + alpha1 w / 2.
static void AddModes(Machine* machine, const rslModes* modes, const double* targets)
{
    for (int i = 0; i < modes->count && i < FREQUENCIES; ++i)
    {
        char name[24];
        snprintf(name, sizeof name, "f%d", i + 1);
        Add(machine, name, "Hz", targets[i], modes->frequency[i]);
    }
    if (modes->count > 0 && modes->frequency[0] > 0.0)
    {
        const rslBody* body = &machine->rig.body;
        double w = 2.0 * 3.14159265358979323846 * modes->frequency[0];
        bool known = machine->source->network.type != rsl_explicitNetwork;
        double rayleigh = 0.5 * (body->massDamping / w + body->stiffnessDamping * w);
        Add(machine, "zeta_1", "-", known ? rayleigh : NAN, modes->dampingRatio[0]);
    }
}

static rslStatus FindTargets(const Machine* machine, double* targets)
{
    const rslMaterialDef* material = &machine->material;
    for (int i = 0; i < FREQUENCIES; ++i)
    {
        targets[i] = NAN;
    }
    if (machine->whyNot != NULL || machine->specimen.flat)
    {
        return rsl_ok;
    }
    return rslFreeBox_Frequencies(machine->specimen.size, material->young, material->poisson, material->density,
                                  &machine->rig.hooks, targets, FREQUENCIES);
}

static void Ring(Machine* machine)
{
    rslRig* rig = &machine->rig;
    if (!Begin(machine, "ringing"))
    {
        return;
    }
    rslRig_Open(rig);
    memset(rig->held, machine->specimen.flat ? 4 : 0, (size_t)rig->model.nodeCount);
    rslModesDef def = rslDefaultModesDef();
    def.count = FREQUENCIES;
    def.threads = machine->def->threads;
    rslModes* modes = NULL;
    double targets[FREQUENCIES];
    rslStatus status = FindTargets(machine, targets);
    status = status == rsl_ok ? rslRig_Hold(rig) : status;
    status =
        status == rsl_ok ? rslModes_Find(&rig->model, rig->state, &def, &rig->hooks, &modes, machine->report) : status;
    if (Take(machine, status) && modes != NULL)
    {
        AddModes(machine, modes, targets);
    }
    rslModes_Free(modes);
}

// ---- all together ---------------------------------------------------------------------------------------------------------

// What is left of the tests when the specimen is no box.
static rslStatus LimitTests(Machine* machine, unsigned* tests)
{
    if (machine->whyNot == NULL)
    {
        return rsl_ok;
    }
    bool rings = (*tests & rsl_ringingTest) != 0;
    rslReport_Add(machine->report, rings ? rsl_note : rsl_error, machine->source->place,
                  "body '%s' cannot be pulled, sheared or bent: %s%s", machine->out->body, machine->whyNot,
                  machine->def->specimen == rsl_bodySpecimen && machine->source->network.type == rsl_latticeNetwork
                      ? "; a block of its network can"
                      : "");
    *tests &= rsl_ringingTest;
    return rings ? rsl_ok : rsl_badInput;
}

static void RunTests(Machine* machine, unsigned tests)
{
    int axes = machine->specimen.flat ? 2 : 3;
    machine->count = ((tests & rsl_tensionTest) ? axes : 0) + ((tests & rsl_compressionTest) ? axes : 0) +
                     ((tests & (rsl_shearTest | rsl_inflationTest)) ? 1 : 0) + ((tests & rsl_bendingTest) ? 1 : 0) +
                     ((tests & rsl_ringingTest) ? 1 : 0);
    if (tests & rsl_tensionTest)
    {
        Pull(machine, false);
    }
    if (tests & rsl_compressionTest)
    {
        Pull(machine, true);
    }
    if (tests & (rsl_shearTest | rsl_inflationTest))
    {
        Strain(machine);
    }
    if (tests & rsl_bendingTest)
    {
        Bend(machine);
    }
    if (tests & rsl_ringingTest)
    {
        Ring(machine);
    }
}

static rslStatus Measure(Machine* machine, const rslHooks* hooks)
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
    RunTests(machine, tests);
    machine->out->iterations = machine->rig.iterations;
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
    rslMeasurement* list = out != NULL ? rslAllocate(&complete, CAPACITY, sizeof(rslMeasurement)) : NULL;
    if (list == NULL)
    {
        rslRelease(&complete, out);
        return rsl_outOfMemory;
    }
    *out = (rslMeasurements){ .list = list, .hooks = complete };
    snprintf(out->body, sizeof out->body, "%s", scene->bodies[body].name != NULL ? scene->bodies[body].name : "");
    Machine machine = { .scene = scene, .source = &scene->bodies[body], .def = def, .report = report, .out = out };
    machine.material = rslMaterial_Resolve(&scene->bodies[body].material);
    status = Measure(&machine, &complete);
    if (machine.hasRig)
    {
        rslRig_Free(&machine.rig);
    }
    rslModel_Free(machine.model);
    if (status == rsl_ok || status == rsl_notConverged)
    {
        *measurements = out;
        return status;
    }
    rslMeasurements_Free(out);
    return status;
}
