// SPDX-License-Identifier: MIT
//
// bench_solve.c: other solvers as racers, on a linear system of ours: PETSc (bench/petsc_solve.c) with as many ranks as threads and CHOLMOD
// (bench/cholmod_solve.c) with a BLAS on as many. Every turn is a run of its own, so that their memory is that of one solve. Its time
// is set-up and solve, without reading and assembling the matrix.

#include "bench.h"
#include "child.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Solver
{
    cliRacer* racer;
    const cliSystem* system;
    char program[RSL_PATH_CAPACITY];
    bool ranks;
} Solver;

static void Release(void* data)
{
    free(data);
}

// Beside this program, in its folder bench, or wherever programs are.
static bool FindProgram(const char* name, char* path, size_t capacity)
{
    cliPath folder = cliPath_Program();
    return (folder.text[0] != 0 && (cliChild_Find(cliPath_Join(folder.text, "bench/%s", name).text, path, capacity) ||
                                    cliChild_Find(cliPath_Join(folder.text, "%s", name).text, path, capacity))) ||
           cliChild_Find(name, path, capacity);
}

// What it printed last: seconds of set-up and solve, iterations, residual, bytes.
static bool ReadLog(const char* path, double numbers[5])
{
    char line[512];
    double read[5];
    bool found = false;
    FILE* file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
    {
        char* at = line;
        int count = 0;
        for (char* end = NULL; count < 5; ++count, at = end)
        {
            read[count] = strtod(at, &end);
            if (end == at)
            {
                break;
            }
        }
        if (count == 5)
        {
            memcpy(numbers, read, sizeof read);
            found = true;
        }
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return found;
}

// The largest difference of the motion from ours, over the largest motion.
static double CompareMotion(const cliSystem* system, const char* path)
{
    double worst = 0.0, largest = 0.0, theirs;
    FILE* file = fopen(path, "rb");
    bool good = file != NULL;
    for (int64_t k = 0; k < 3 * system->nodes && good; ++k)
    {
        good = fread(&theirs, sizeof theirs, 1, file) == 1;
        good = good && isfinite(theirs);
        worst = fmax(worst, fabs(theirs - system->motion[k]));
        largest = fmax(largest, fabs(system->motion[k]));
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return good ? worst / largest : NAN;
}

static double Turn(void* data, int64_t steps)
{
    Solver* solver = data;
    const cliSystem* system = solver->system;
    cliBenchRow* row = &solver->racer->row;
    char ranks[16], tolerance[32], program[RSL_PATH_CAPACITY];
    snprintf(ranks, sizeof ranks, "%d", row->threads);
    snprintf(tolerance, sizeof tolerance, "%g", system->tolerance);
    snprintf(program, sizeof program, "%s", solver->program);
    char* arguments[] = {
        "mpirun", "--allow-run-as-root", "--oversubscribe", "-n", ranks, program, "system", tolerance, "motion", NULL
    };
    setenv("OMP_NUM_THREADS", solver->ranks ? "1" : ranks, 1);
    setenv("OPENBLAS_NUM_THREADS", solver->ranks ? "1" : ranks, 1);
    double numbers[5];
    (void)steps;
    if (cliChild_Run(arguments + (solver->ranks ? 0 : 5), system->folder, "log") != 0 ||
        !ReadLog(cliPath_Join(system->folder, "log").text, numbers))
    {
        cliRacer_Refuse(solver->racer, "%s ended badly", row->who);
        return NAN;
    }
    if (!(numbers[3] <= 2.0 * system->tolerance))
    {
        cliRacer_Refuse(solver->racer, "%s left a residual of %.1e", row->who, numbers[3]);
        return NAN;
    }
    double seconds = numbers[0] + numbers[1];
    row->setup = !isfinite(row->best) || seconds < row->best ? numbers[0] : row->setup;
    row->iterations = numbers[2];
    row->peakBytes = fmax(row->peakBytes, numbers[4]);
    row->difference = CompareMotion(system, cliPath_Join(system->folder, "motion").text);
    return seconds;
}

static void Make(cliRacer* racer, const cliSystem* system, const char* program, const char* package, bool ranks)
{
    Solver* solver = calloc(1, sizeof *solver);
    char path[RSL_PATH_CAPACITY];
    if (solver == NULL || !FindProgram(program, solver->program, sizeof solver->program) ||
        (ranks && !cliChild_Find("mpirun", path, sizeof path)))
    {
        cliRacer_Refuse(racer, "%s was not found: apt-get install %s, and make bench builds bench/%s", racer->row.who,
                        package, program);
        free(solver);
        return;
    }
    *racer = (cliRacer){ .row = racer->row, .data = solver, .turn = Turn, .release = Release };
    solver->racer = racer;
    solver->system = system;
    solver->ranks = ranks;
}

void cliRacer_MakePetsc(cliRacer* racer, const cliSystem* system)
{
    Make(racer, system, "petsc_solve", "petsc-dev", true);
}

void cliRacer_MakeCholmod(cliRacer* racer, const cliSystem* system)
{
    Make(racer, system, "cholmod_solve", "libsuitesparse-dev libopenblas-dev", false);
}
