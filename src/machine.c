// SPDX-License-Identifier: MIT
//
// machine.c: see machine.h.

#include "machine.h"

#include "cantilever.h"
#include "damping.h"
#include "free_box.h"
#include "moduli.h"
#include "ring.h"
#include "tension.h"
#include "vec.h"

#include "resilin/modes.h"

#include <stdio.h>
#include <string.h>

enum
{
    FREQUENCIES = 3,  // of ringing
    PERIODS = 6       // that are heard in time
};

// ---- the list -----------------------------------------------------------------------------------------------------------

static void Add(rslMachine* machine, const char* quantity, const char* unit, double target, double ours)
{
    rslMeasurements* out = machine->out;
    RSL_ASSERT(out->count < RSL_MEASUREMENTS_MOST);
    rslMeasurement* row = &out->list[out->count++];
    *row = (rslMeasurement){ .unit = unit, .target = target, .ours = ours };
    snprintf(row->quantity, sizeof row->quantity, "%s", quantity);
    row->error = target != 0.0 ? ours / target - 1.0 : ours;
}

static void AddAxis(rslMachine* machine, const char* before, int axis, const char* after, const char* unit,
                    double target, double ours)
{
    char name[24];
    snprintf(name, sizeof name, "%s%c%s", before, "xyz"[axis], after);
    Add(machine, name, unit, target, ours);
}

// ---- targets ------------------------------------------------------------------------------------------------------------

// The lattice axis along an axis of the specimen; -1: none.
static int LatticeAxis(const rslMachine* machine, int axis)
{
    for (int own = 0; own < 3; ++own)
    {
        if (fabs(rslAlong(machine->rig.turn.row[axis], own)) > 1.0 - 1e-9)
        {
            return own;
        }
    }
    return -1;
}

static void TargetAxes(rslMachine* machine, const rslBody* body)
{
    const rslAxisModuli* axes = &body->axes;
    rslTargets* targets = &machine->targets;
    targets->bulk = body->bulk;
    for (int axis = 0; axis < 3; ++axis)
    {
        int own = LatticeAxis(machine, axis);
        if (own >= 0)
        {
            targets->young[axis] = axes->young[own];
            targets->shear[axis] = axes->shear[own];
            targets->poisson[axis] = 0.5 * (axes->poisson[own] + axes->poisson[3 + (own + 2) % 3]);
        }
    }
}

static void FindTargets(rslMachine* machine)
{
    const rslBody* body = &machine->model->bodies[0];
    double young = machine->material.young, nu = machine->material.poisson;
    rslTargets* targets = &machine->targets;
    targets->isotropic = body->regionCount == 0 && !body->axes.given;
    targets->bulk = !targets->isotropic      ? NAN
                    : machine->specimen.flat ? 0.5 * young / (1.0 - nu)
                                             : young / (3.0 * (1.0 - 2.0 * nu));
    for (int axis = 0; axis < 3; ++axis)
    {
        targets->young[axis] = targets->isotropic ? young : NAN;
        targets->poisson[axis] = targets->isotropic ? nu : NAN;
        targets->shear[axis] = targets->isotropic ? 0.5 * young / (1.0 + nu) : NAN;
    }
    if (body->axes.given)
    {
        TargetAxes(machine, body);
    }
}

// ---- tests --------------------------------------------------------------------------------------------------------------

// False when the host wants to stop, or has been told of an error.
static bool Begin(rslMachine* machine, const char* name)
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

// A solve that did not converge leaves its figures and is remembered; a test that the specimen is not fit for is left out; other
// failures end the measurement. True when there are figures.
static bool Take(rslMachine* machine, const char* name, rslStatus status, const rslReport* said)
{
    for (int i = 0; i < said->count; ++i)
    {
        const rslMessage* message = &said->messages[i];
        bool error = message->severity == rsl_error;
        rslPlace place = message->place.line > 0 ? message->place : machine->source->place;
        rslReport_Add(machine->report, error ? rsl_warning : message->severity, place, "%s%s%s%s",
                      error ? "no figures of " : "", error ? name : "", error ? ": " : "", message->text);
    }
    if (status != rsl_badInput)
    {
        machine->status = status != rsl_ok ? status : machine->status;
    }
    return status == rsl_ok || status == rsl_notConverged;
}

static void Pull(rslMachine* machine, bool compression)
{
    const rslMeasureDef* def = machine->def;
    rslTensionDef pull = rslDefaultTensionDef();
    pull.clamped = def->clamped;
    pull.tolerance = def->tolerance;
    pull.threads = def->threads;
    double strain = def->strain > 0.0 ? def->strain : 1e-6;
    pull.strain = compression ? -strain : def->strain;
    const char* name = compression ? "compression" : "tension";
    for (int axis = 0; axis < (machine->specimen.flat ? 2 : 3) && Begin(machine, name); ++axis)
    {
        rslTension found;
        rslReport said = { 0 };
        pull.axis = axis;
        rslStatus status = rslTension_Run(&machine->rig, &machine->specimen, &pull, &found, &said);
        if (!Take(machine, name, status, &said))
        {
            continue;
        }
        AddAxis(machine, "E_", axis, compression ? "_compression" : "", "Pa", machine->targets.young[axis],
                found.young);
        if (!compression)
        {
            AddAxis(machine, "nu_", axis, "", "-", machine->targets.poisson[axis], found.poisson);
        }
    }
}

static void AddWorst(rslMachine* machine, const rslModuli* moduli)
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

// What could not be pulled (a lattice of shells A and C, whose columns slide) has the moduli of its tensor.
static void AddMissing(rslMachine* machine, const rslModuli* moduli)
{
    const double(*s)[6] = moduli->compliance.m;
    if (rslMeasurements_Find(machine->out, "E_x") != NULL || machine->specimen.flat)
    {
        return;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        int b = (axis + 1) % 3, c = (axis + 2) % 3;
        AddAxis(machine, "E_", axis, "", "Pa", machine->targets.young[axis], 1.0 / s[axis][axis]);
        AddAxis(machine, "nu_", axis, "", "-", machine->targets.poisson[axis],
                -0.5 * (s[b][axis] + s[c][axis]) / s[axis][axis]);
    }
    rslReport_Add(machine->report, rsl_note, machine->source->place,
                  "body '%s' was not pulled: E and nu come from shear and inflation", machine->out->body);
}

static void Strain(rslMachine* machine)
{
    static const char* const names[] = { "G_yz", "G_zx", "G_xy" };
    const rslMeasureDef* def = machine->def;
    const rslTargets* targets = &machine->targets;
    rslModuli moduli;
    if (!Begin(machine, "shear and inflation"))
    {
        return;
    }
    rslReport said = { 0 };
    rslStatus status =
        rslModuli_Measure(&machine->rig, &machine->specimen, def->tolerance, def->threads, &moduli, &said);
    if (!Take(machine, "shear and inflation", status, &said))
    {
        return;
    }
    for (int plane = machine->specimen.flat ? 2 : 0; (def->tests & rsl_shearTest) && plane < 3; ++plane)
    {
        Add(machine, names[plane], "Pa", targets->shear[plane], rslModuli_Shear(&moduli, plane));
    }
    if (def->tests & rsl_inflationTest)
    {
        Add(machine, "K", "Pa", targets->bulk, rslModuli_Bulk(&moduli));
    }
    if (def->tests & rsl_shearTest)
    {
        Add(machine, "zener", "-", targets->isotropic ? 1.0 : NAN, rslModuli_Zener(&moduli));
    }
    if ((def->tests & rsl_shearTest) && targets->isotropic)
    {
        AddWorst(machine, &moduli);
    }
    if (def->tests & rsl_tensionTest)
    {
        AddMissing(machine, &moduli);
    }
}

static void Bend(rslMachine* machine)
{
    const rslMeasureDef* def = machine->def;
    rslCantilever beam;
    rslReport said = { 0 };
    if (!Begin(machine, "bending"))
    {
        return;
    }
    rslStatus status =
        rslCantilever_Bend(&machine->rig, &machine->specimen, def->tolerance, def->threads, &beam, &said);
    if (!Take(machine, "bending", status, &said))
    {
        return;
    }
    bool slender = beam.length >= 1.999 * beam.depth;
    double theory = rslCantilever_Theory(&beam, machine->material.young, machine->material.poisson);
    bool comparable = machine->targets.isotropic;
    Add(machine, "bending", "N/m", slender && comparable ? theory : NAN, beam.stiffness);
    if (!slender && comparable)
    {
        rslReport_Add(machine->report, rsl_note, machine->source->place,
                      "body '%s' is less than twice as long as thick: no beam to compare its bending with",
                      machine->out->body);
    }
}

// ---- ringing --------------------------------------------------------------------------------------------------------------

// Rayleigh: a mode of the angular frequency w is damped by zeta = alpha0 / (2 w) + alpha1 w / 2. NaN: not known.
static double RatioOf(const rslMachine* machine, double frequency)
{
    const rslBody* body = &machine->rig.body;
    bool known = machine->source->network.type != rsl_explicitNetwork && body->regionCount == 0;
    rslRates rates = { body->massDamping, machine->material.stiffnessDamping };
    return known && frequency > 0.0 ? rslRates_Ratio(rates, frequency) : NAN;
}

static void AddModes(rslMachine* machine, const rslModes* modes, const double* targets)
{
    for (int i = 0; i < modes->count && i < FREQUENCIES; ++i)
    {
        char name[24];
        snprintf(name, sizeof name, "f%d", i + 1);
        Add(machine, name, "Hz", targets[i], modes->frequency[i]);
    }
    if (modes->count > 0 && modes->frequency[0] > 0.0)
    {
        Add(machine, "zeta_1", "-", RatioOf(machine, modes->frequency[0]), modes->dampingRatio[0]);
    }
}

// Beside the frequency of the mode that it was let go in, and what its constants say.
static rslStatus RingDown(rslMachine* machine, const rslModes* modes, rslReport* said)
{
    rslRig* rig = &machine->rig;
    const rslBody* body = &rig->body;
    rslRingDef def = { .periods = PERIODS, .threads = machine->def->threads };
    def.work = machine->def->tests == rsl_allTests ? 4e6 : 0.0;
    rslRing ring;
    rslStatus status = modes->count > 0 ? rslRing_Down(&rig->model, modes, &def, &rig->hooks, &ring, said) : rsl_ok;
    if (status == rsl_ok && modes->count > 0)
    {
        Add(machine, "ring_f1", "Hz", modes->frequency[0], ring.frequency);
        Add(machine, "ring_zeta_1", "-", RatioOf(machine, modes->frequency[0]), ring.ratio);
    }
    if (status == rsl_unsupported && ring.work > 0.0 && def.work > 0.0)
    {
        rslReport_Add(
            said, rsl_note, machine->source->place,
            "body '%s' was not let go to ring: that takes %.2g steps of nodes; ask for the test 'ringdown' alone",
            body->name, ring.work);
    }
    else if (status == rsl_unsupported)
    {
        rslReport_Add(said, rsl_note, machine->source->place,
                      "body '%s' does not ring: the damping ratio of its first mode is %.3g", body->name,
                      modes->dampingRatio[0]);
    }
    return status == rsl_unsupported ? rsl_ok : status;
}

static rslStatus FindFrequencies(const rslMachine* machine, double* targets)
{
    const rslMaterialDef* material = &machine->material;
    for (int i = 0; i < FREQUENCIES; ++i)
    {
        targets[i] = NAN;
    }
    if (machine->whyNot != NULL || machine->specimen.flat || !machine->targets.isotropic)
    {
        return rsl_ok;
    }
    return rslFreeBox_Frequencies(machine->specimen.size, material->young, material->poisson, material->density,
                                  &machine->rig.hooks, targets, FREQUENCIES);
}

static void Ring(rslMachine* machine, unsigned tests)
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
    rslReport said = { 0 };
    double targets[FREQUENCIES];
    rslStatus status = FindFrequencies(machine, targets);
    status = status == rsl_ok ? rslRig_Hold(rig) : status;
    status = status == rsl_ok ? rslModes_Find(&rig->model, rig->state, &def, &rig->hooks, &modes, &said) : status;
    if (Take(machine, "ringing", status, &said) && modes != NULL)
    {
        said = (rslReport){ 0 };
        if (tests & rsl_ringingTest)
        {
            AddModes(machine, modes, targets);
        }
        status = (tests & rsl_ringDownTest) ? RingDown(machine, modes, &said) : rsl_ok;
        (void)Take(machine, "ringing in time", status, &said);
    }
    rslModes_Free(modes);
}

// ---- all together --------------------------------------------------------------------------------------------------

void rslMachine_Test(rslMachine* machine, unsigned tests)
{
    int axes = machine->specimen.flat ? 2 : 3;
    FindTargets(machine);
    machine->count = ((tests & rsl_tensionTest) ? axes : 0) + ((tests & rsl_compressionTest) ? axes : 0) +
                     ((tests & (rsl_shearTest | rsl_inflationTest)) ? 1 : 0) + ((tests & rsl_bendingTest) ? 1 : 0) +
                     ((tests & (rsl_ringingTest | rsl_ringDownTest)) ? 1 : 0);
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
    if (tests & (rsl_ringingTest | rsl_ringDownTest))
    {
        Ring(machine, tests);
    }
}
