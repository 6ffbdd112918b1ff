// SPDX-License-Identifier: MIT
//
// bench_race.c: one scene: everybody who steps it takes turns, because the machine may be shared, and the best turn of each counts.

#include "bench.h"

#include <math.h>
#include <string.h>

enum
{
    MOST_RACERS = 16,
    AUDIT = 32,  // steps between audits: turns are whole numbers of them
    FEW = 8,
    MOST_STEPS = 32000,
    PLAIN_SIDE = 100,   // the largest lattice that a plain loop is given
    CHOLMOD_SIDE = 60,  // and a direct solver
};

typedef struct Race
{
    const cliRaceDef* def;
    const cliBenchScene* scene;
    const cliBenchTraits* traits;
    rslModel* models[CLI_BENCH_VARIANTS];
    cliSystem system;  // static: for others
    cliRacer racers[MOST_RACERS];
    int count;
} Race;

static cliRacer* Enter(Race* race, const char* who, const char* variant, rslPrecision precision, int threads)
{
    cliRacer* racer = &race->racers[race->count++];
    *racer = (cliRacer){ .row = { .scene = race->scene,
                                  .who = who,
                                  .variant = variant,
                                  .precision = precision,
                                  .threads = threads,
                                  .best = NAN,
                                  .difference = NAN } };
    return racer;
}

// ---- who takes part -------------------------------------------------------------------------------------------------

// One of ours.
static void EnterOurs(Race* race, int variant, const char* name, rslSolverDef def)
{
    cliRacer* racer = Enter(race, "resilin", name, def.precision, def.threads);
    cliRacer_MakeOurs(racer, race->models[variant], &def, race->def->memory);
}

static void EnterVariant(Race* race, int variant, const char* name, rslSolverDef def)
{
    for (int p = 0; p < 2; ++p)
    {
        for (int t = 0; t < 2; ++t)
        {
            bool asked = (race->traits->who & (p == 0 ? CLI_BENCH_SINGLE : CLI_BENCH_DOUBLE)) != 0 &&
                         (race->traits->who & (t == 0 ? CLI_BENCH_ONE : CLI_BENCH_MANY)) != 0;
            // with one thread, one is as many as there are
            bool twice = t == 1 && race->def->threads == 1 && (race->traits->who & CLI_BENCH_ONE) != 0;
            if (asked && !twice)
            {
                def.precision = p == 0 ? rsl_single : rsl_double;
                def.threads = t == 0 ? 1 : race->def->threads;
                EnterOurs(race, variant, name, def);
            }
        }
    }
}

// How far forces may differ from ours: rounding of places in single precision is much of a small elongation.
static double Tolerance(const cliBenchRow* row)
{
    return row->precision == rsl_double ? 1e-6 : strcmp(row->who, "resilin") == 0 ? 1e-3 : 0.1;
}

static void CheckForces(cliRacer* racer)
{
    if (racer->row.note[0] == 0 && !(racer->row.difference <= Tolerance(&racer->row)))
    {
        cliRacer_Refuse(racer, "its forces differ by %.1e of the largest", racer->row.difference);
    }
}

// Others, on the springs of the first of ours in double.
static void EnterOthers(Race* race)
{
    cliSprings springs = { 0 };
    const cliRacer* exact = NULL;
    for (int i = 0; i < race->count && exact == NULL; ++i)
    {
        const cliRacer* racer = &race->racers[i];
        exact = racer->row.precision == rsl_double && racer->row.note[0] == 0 ? racer : NULL;
    }
    if (exact == NULL || !cliRacer_Springs(exact, race->models[0], race->def->memory, &springs))
    {
        return;
    }
    int ours = race->count;
    for (int i = 0; i < ours; ++i)
    {
        cliRacer_CompareOurs(&race->racers[i], &springs);
    }
    for (int p = 0; p < 2 && race->scene->size <= PLAIN_SIDE; ++p)
    {
        cliRacer_MakePlain(Enter(race, "plain C", "", p == 0 ? rsl_single : rsl_double, 1), &springs);
    }
    if (race->def->lammps)
    {
        cliTicker_Show(race->def->ticker, "%s: LAMMPS reads it", race->scene->name);
        cliRacer_MakeLammps(Enter(race, "LAMMPS", "", rsl_double, race->def->threads), &springs);
    }
    if (race->def->bullet)
    {
        cliRacer_MakeBullet(Enter(race, "Bullet", "", rsl_single, 1), &springs);
    }
    for (int i = 0; i < race->count; ++i)
    {
        CheckForces(&race->racers[i]);
    }
    cliSprings_Free(&springs);
}

// How far motions may differ from ours: residuals of 1e-8 leave more than that in what is soft.
static void CheckMotion(cliRacer* racer)
{
    if (racer->row.note[0] == 0 && !(racer->row.difference <= 1e-4))
    {
        cliRacer_Refuse(racer, "its motion differs by %.1e of the largest", racer->row.difference);
    }
}

// Others on the linear system of the first Newton step.
static void EnterSolvers(Race* race, rslSolverDef def)
{
    bool direct = race->def->cholmod && race->scene->size <= CHOLMOD_SIDE;
    const cliRacer* exact = &race->racers[race->count - 1];
    if ((!race->def->petsc && !direct) || exact->row.note[0] != 0)
    {
        return;
    }
    cliTicker_Show(race->def->ticker, "%s: others read it", race->scene->name);
    def.precision = rsl_double;
    def.threads = race->def->threads;
    bool made = cliSystem_Make(&race->system, race->models[0], &def, race->def->memory) &&
                cliRacer_Motion(exact, 0.1 * def.tolerance, race->system.motion);
    for (int k = 0; k < 2; ++k)
    {
        if (k == 0 ? race->def->petsc : direct)
        {
            cliRacer* racer = Enter(race, k == 0 ? "PETSc" : "CHOLMOD", "linear", rsl_double, race->def->threads);
            racer->row.nodes = exact->row.nodes;
            racer->row.springs = exact->row.springs;
            if (!made)
            {
                cliRacer_Refuse(racer, "its system does not fit into memory, or into a folder: set TMPDIR");
                continue;
            }
            (k == 0 ? cliRacer_MakePetsc : cliRacer_MakeCholmod)(racer, &race->system);
        }
    }
}

static void EnterAll(Race* race)
{
    for (int variant = 0; variant < CLI_BENCH_VARIANTS && race->traits->variants[variant] != NULL; ++variant)
    {
        rslReport report = { 0 };
        rslSolverDef def;
        cliTicker_Show(race->def->ticker, "%s: building", race->scene->name);
        rslStatus status =
            cliBenchScene_Build(race->scene, variant, race->def->memory, &race->models[variant], &def, &report);
        if (status == rsl_ok)
        {
            EnterVariant(race, variant, race->traits->variants[variant], def);
            if (race->scene->kind == cli_staticKind)
            {
                EnterVariant(race, variant, "linear", def);
                EnterSolvers(race, def);
            }
            continue;
        }
        const char* error = cliReport_FirstError(&report);
        cliRacer* racer = Enter(race, "resilin", race->traits->variants[variant], rsl_double, race->def->threads);
        cliRacer_Refuse(racer, "%s",
                        status == rsl_outOfMemory ? "the model does not fit into the memory allowed"
                        : error != NULL           ? error
                                                  : rslStatus_Name(status));
    }
    if (race->traits->peers)
    {
        EnterOthers(race);
    }
}

// ---- turns ----------------------------------------------------------------------------------------------------------

static bool TakesPart(const cliRacer* racer)
{
    return racer->turn != NULL && racer->row.note[0] == 0;
}

// One turn is enough where it takes long: what disturbs it is little beside it.
static bool IsDone(const cliRacer* racer)
{
    static const double longTurn = 20.0;  // [s]
    return racer->row.turns > 0 && racer->row.best > longTurn;
}

static bool IsStopped(const Race* race)
{
    return *race->def->stop != 0;
}

// How many steps a turn has: what is asked for, as much simulated time for all variants, or by the time of a few.
static int64_t ChooseSteps(const Race* race, cliRacer* racer)
{
    const cliBenchTraits* traits = race->traits;
    if (traits->frames)
    {
        return (int64_t)ceil(traits->steps / 60.0 / racer->row.simulated - 1e-6);
    }
    if (traits->steps > 0)
    {
        return traits->steps;
    }
    // others have no audits that a turn would have to be a multiple of
    int64_t least = strcmp(racer->row.who, "resilin") == 0 ? AUDIT : FEW;
    double seconds = racer->turn(racer->data, least);
    int64_t parts = isfinite(seconds) && seconds > 1e-9 ? (int64_t)(race->def->seconds / seconds) : 1;
    return parts < 1 ? least : parts > MOST_STEPS / least ? MOST_STEPS : parts * least;
}

static void TakeTurn(cliRacer* racer)
{
    cliBenchRow* row = &racer->row;
    double trip = row->threads > 1 ? cliCeilings_Trip() : NAN;
    double seconds = racer->turn(racer->data, row->steps) / (double)row->steps;
    bool best = isfinite(seconds) && (row->turns == 0 || seconds < row->best);
    row->turns += isfinite(seconds);
    row->best = best ? seconds : row->best;
    row->trip = best ? trip : row->trip;
}

static void TakeTurns(Race* race)
{
    for (int i = 0; i < race->count && !IsStopped(race); ++i)
    {
        if (TakesPart(&race->racers[i]))
        {
            race->racers[i].row.steps = ChooseSteps(race, &race->racers[i]);
        }
    }
    for (int turn = 0; turn < race->def->turns && !IsStopped(race); ++turn)
    {
        for (int i = 0; i < race->count && !IsStopped(race); ++i)
        {
            if (TakesPart(&race->racers[i]) && !IsDone(&race->racers[i]))
            {
                cliTicker_Show(race->def->ticker, "%s: turn %d of %d, %s", race->scene->name, turn + 1,
                               race->def->turns, race->racers[i].row.who);
                TakeTurn(&race->racers[i]);
                if (race->scene->kind == cli_staticKind && strcmp(race->racers[i].row.who, "resilin") != 0)
                {
                    CheckMotion(&race->racers[i]);
                }
            }
        }
    }
}

static void Leave(Race* race)
{
    for (int i = 0; i < race->count; ++i)
    {
        if (race->racers[i].release != NULL)
        {
            race->racers[i].release(race->racers[i].data);
        }
    }
    cliSystem_Free(&race->system);
    for (int variant = 0; variant < CLI_BENCH_VARIANTS; ++variant)
    {
        rslModel_Free(race->models[variant]);
    }
}

rslStatus cliRace_Run(const cliRaceDef* def, const cliBenchScene* scene, cliBench* bench)
{
    Race race = { .def = def, .scene = scene, .traits = cliBenchKind_Traits(scene->kind) };
    bool kept = true;
    EnterAll(&race);
    TakeTurns(&race);
    for (int i = 0; i < race.count && kept; ++i)
    {
        cliBenchRow* row = &race.racers[i].row;
        if (row->turns == 0 && row->note[0] == 0)
        {
            cliRacer_Refuse(&race.racers[i], "stopped before its turn");
        }
        row->best = row->note[0] == 0 ? row->best : NAN;
        kept = cliBench_Add(bench, row);
    }
    Leave(&race);
    return kept ? rsl_ok : rsl_outOfMemory;
}
