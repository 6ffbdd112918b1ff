// SPDX-License-Identifier: MIT
//
// bench_lammps.c: LAMMPS as a racer: harmonic bonds between the same nodes, as many ranks as threads.
//
// It reads the springs once, and its forces at the start have to be ours. Every turn is a run of its own from a restart file, since
// ranks that wait for another turn would spin; the time of its loop counts, without reading and setting up.
//   - the energy of a bond is K (r - r0)^2, so K = k / 2
//   - without pair forces it needs no neighbours, and the lists of atoms that are three or four bonds apart are switched off:
//     they would take gigabytes
//   - "units lj" are no units at all: F = m a with the numbers as they are

#include "bench.h"
#include "child.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    MOST_KINDS = 256  // of springs, and of masses
};

typedef struct Kinds
{
    double values[MOST_KINDS][2];
    int count;
} Kinds;

typedef struct Lammps
{
    cliRacer* racer;
    char folder[RSL_PATH_CAPACITY];
    int ranks;
} Lammps;

static const char* const files[] = { "data", "first.in", "first.log", "turn.in", "turn.log", "forces", "start" };

// The kind of a pair of numbers, counted from 1; 0 when there are too many.
static int FindKind(Kinds* kinds, double a, double b)
{
    for (int i = 0; i < kinds->count; ++i)
    {
        const double* v = kinds->values[i];
        if (fabs(v[0] - a) <= 1e-12 * fabs(a) && fabs(v[1] - b) <= 1e-12 * fabs(b))
        {
            return i + 1;
        }
    }
    if (kinds->count == MOST_KINDS)
    {
        return 0;
    }
    kinds->values[kinds->count][0] = a;
    kinds->values[kinds->count][1] = b;
    return ++kinds->count;
}

// ---- its files ------------------------------------------------------------------------------------------------------

static bool FindKinds(const cliSprings* springs, Kinds* bonds, Kinds* masses)
{
    bool found = true;
    for (int64_t s = 0; s < springs->springCount && found; ++s)
    {
        found = FindKind(bonds, springs->springs[s].stiffness, springs->springs[s].restLength) > 0;
    }
    for (int i = 0; i < springs->nodeCount && found; ++i)
    {
        found = FindKind(masses, springs->masses[i], 0.0) > 0;
    }
    return found;
}

static void PutHead(FILE* file, const cliSprings* springs, const Kinds* bonds, const Kinds* masses)
{
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (size_t i = 0; i < 3 * (size_t)springs->nodeCount; ++i)
    {
        low[i % 3] = fmin(low[i % 3], springs->positions[i]);
        high[i % 3] = fmax(high[i % 3], springs->positions[i]);
    }
    fprintf(file, "springs\n\n%d atoms\n%lld bonds\n%d atom types\n%d bond types\n", springs->nodeCount,
            (long long)springs->springCount, masses->count, bonds->count);
    for (int axis = 0; axis < 3; ++axis)
    {
        fprintf(file, "%.17g %.17g %clo %chi\n", low[axis] - springs->longest, high[axis] + springs->longest,
                "xyz"[axis], "xyz"[axis]);
    }
    fprintf(file, "\nMasses\n\n");
    for (int i = 0; i < masses->count; ++i)
    {
        fprintf(file, "%d %.17g\n", i + 1, masses->values[i][0]);
    }
    fprintf(file, "\nBond Coeffs\n\n");
    for (int i = 0; i < bonds->count; ++i)
    {
        fprintf(file, "%d %.17g %.17g\n", i + 1, 0.5 * bonds->values[i][0], bonds->values[i][1]);
    }
}

static void PutData(FILE* file, const cliSprings* springs, Kinds* bonds, Kinds* masses)
{
    PutHead(file, springs, bonds, masses);
    fprintf(file, "\nAtoms\n\n");
    for (int i = 0; i < springs->nodeCount; ++i)
    {
        const double* x = &springs->positions[3 * (size_t)i];
        fprintf(file, "%d 1 %d %.17g %.17g %.17g\n", i + 1, FindKind(masses, springs->masses[i], 0.0), x[0], x[1],
                x[2]);
    }
    fprintf(file, "\nBonds\n\n");
    for (int64_t s = 0; s < springs->springCount; ++s)
    {
        const rslSpring* spring = &springs->springs[s];
        fprintf(file, "%lld %d %d %d\n", (long long)s + 1, FindKind(bonds, spring->stiffness, spring->restLength),
                spring->a + 1, spring->b + 1);
    }
}

static void PutRules(FILE* file, const cliSprings* springs)
{
    fprintf(file,
            "neighbor 0.0 bin\n"
            "neigh_modify delay 0 every 1000000000 check no\n"
            "comm_modify cutoff %.17g\n"
            "pair_style none\n"
            "fix 1 all nve\n"
            "timestep %.17g\n"
            "thermo 1000000000\n",
            1.5 * springs->longest, springs->step);
}

static void PutFirst(FILE* file, const cliSprings* springs)
{
    fprintf(file, "units lj\n"
                  "atom_style bond\n"
                  "newton on\n"
                  "boundary s s s\n"
                  "special_bonds lj/coul 0 1 1\n"
                  "bond_style harmonic\n"
                  "read_data data\n");
    PutRules(file, springs);
    fprintf(file, "run 0\n"
                  "write_dump all custom forces id fx fy fz modify sort id format float %%.17g\n"
                  "write_restart start\n");
}

static void PutTurn(FILE* file, const cliSprings* springs)
{
    fprintf(file, "newton on\nread_restart start\n");
    PutRules(file, springs);
    fprintf(file, "run 2\nrun ${steps}\n");
}

static FILE* OpenFile(const Lammps* lammps, const char* name, const char* mode)
{
    return fopen(cliPath_Join(lammps->folder, "%s", name).text, mode);
}

static bool CloseWritten(FILE* file)
{
    bool good = file != NULL && !ferror(file);
    return file != NULL && fclose(file) == 0 && good;
}

static bool WriteFiles(const Lammps* lammps, const cliSprings* springs, Kinds* bonds, Kinds* masses)
{
    FILE* data = OpenFile(lammps, "data", "w");
    FILE* first = OpenFile(lammps, "first.in", "w");
    FILE* turn = OpenFile(lammps, "turn.in", "w");
    if (data != NULL && first != NULL && turn != NULL)
    {
        PutData(data, springs, bonds, masses);
        PutFirst(first, springs);
        PutTurn(turn, springs);
    }
    bool good = CloseWritten(data);
    good = CloseWritten(first) && good;
    return CloseWritten(turn) && good;
}

// ---- running it -----------------------------------------------------------------------------------------------------

static bool Run(const Lammps* lammps, char* input, char* log, int64_t steps)
{
    char ranks[16], count[24];
    snprintf(ranks, sizeof ranks, "%d", lammps->ranks);
    snprintf(count, sizeof count, "%lld", (long long)steps);
    char* bind = sysconf(_SC_NPROCESSORS_ONLN) >= lammps->ranks ? "core" : "none";
    char* arguments[] = { "mpirun",
                          "--allow-run-as-root",
                          "--oversubscribe",
                          "--bind-to",
                          bind,
                          "-np",
                          ranks,
                          "lmp",
                          "-log",
                          "none",
                          "-in",
                          input,
                          "-var",
                          "steps",
                          count,
                          NULL };
    // one rank needs no mpirun
    return cliChild_Run(lammps->ranks > 1 ? arguments : arguments + 7, lammps->folder, log) == 0;
}

// The last line of a log that begins with a word; false: there is none.
static bool FindLine(const Lammps* lammps, const char* log, const char* word, char* line, size_t capacity)
{
    char text[512];
    bool found = false;
    FILE* file = OpenFile(lammps, log, "r");
    while (file != NULL && fgets(text, sizeof text, file) != NULL)
    {
        if (strncmp(text, word, strlen(word)) == 0)
        {
            found = true;
            text[strcspn(text, "\n")] = 0;
            snprintf(line, capacity, "%s", text);
        }
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return found;
}

static void RefuseFailed(const Lammps* lammps, const char* log)
{
    char line[160] = "it ended badly (mpirun has to be that of Open MPI)";
    FindLine(lammps, log, "ERROR", line, sizeof line);
    cliRacer_Refuse(lammps->racer, "LAMMPS: %s", line);
}

static double Turn(void* data, int64_t steps)
{
    Lammps* lammps = data;
    char line[512];
    double seconds = NAN;
    if (!Run(lammps, "turn.in", "turn.log", steps) ||
        !FindLine(lammps, "turn.log", "Loop time of", line, sizeof line) ||
        sscanf(line, "Loop time of %lf", &seconds) != 1)
    {
        RefuseFailed(lammps, "turn.log");
        return NAN;
    }
    return seconds;
}

static void Release(void* data)
{
    Lammps* lammps = data;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i)
    {
        (void)remove(cliPath_Join(lammps->folder, "%s", files[i]).text);
    }
    (void)rmdir(lammps->folder);
    free(lammps);
}

// ---- does it compute the same? --------------------------------------------------------------------------------------

static bool ReadForces(const Lammps* lammps, int nodes, double* forces)
{
    char line[512];
    int count = 0, id;
    FILE* file = OpenFile(lammps, "forces", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
    {
        double f[3];
        if (sscanf(line, "%d %lf %lf %lf", &id, &f[0], &f[1], &f[2]) == 4 && id >= 1 && id <= nodes)
        {
            memcpy(&forces[3 * ((size_t)id - 1)], f, sizeof f);
            count += 1;
        }
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return count == nodes;
}

static void Compare(Lammps* lammps, const cliSprings* springs)
{
    double* forces = cliMemory_Take(springs->memory, 3 * (size_t)springs->nodeCount, sizeof(double));
    if (forces == NULL || !ReadForces(lammps, springs->nodeCount, forces))
    {
        cliRacer_Refuse(lammps->racer, "the forces of LAMMPS could not be read");
    }
    else
    {
        lammps->racer->row.difference = cliSprings_Compare(springs, forces);
    }
    cliMemory_Release(springs->memory, forces);
}

// ---- making it ------------------------------------------------------------------------------------------------------

static bool IsThere(cliRacer* racer)
{
    char path[RSL_PATH_CAPACITY];
    if (!cliChild_Find("lmp", path, sizeof path))
    {
        cliRacer_Refuse(racer, "LAMMPS was not found: apt-get install lammps");
        return false;
    }
    if (racer->row.threads > 1 && !cliChild_Find("mpirun", path, sizeof path))
    {
        cliRacer_Refuse(racer, "mpirun was not found: apt-get install openmpi-bin");
        return false;
    }
    return true;
}

static bool MakeFolder(Lammps* lammps)
{
    const char* folder = getenv("TMPDIR");
    snprintf(lammps->folder, sizeof lammps->folder, "%s/resilin-bench-XXXXXX",
             folder != NULL && folder[0] != 0 ? folder : "/tmp");
    return mkdtemp(lammps->folder) != NULL;
}

void cliRacer_MakeLammps(cliRacer* racer, const cliSprings* springs)
{
    racer->row.nodes = springs->nodeCount;
    racer->row.springs = springs->springCount;
    racer->row.simulated = springs->step;
    Lammps* lammps = IsThere(racer) ? calloc(1, sizeof *lammps) : NULL;
    if (lammps == NULL)
    {
        return;
    }
    *lammps = (Lammps){ .racer = racer, .ranks = racer->row.threads };
    if (!MakeFolder(lammps))
    {
        cliRacer_Refuse(racer, "no folder for the files of LAMMPS: set TMPDIR");
        free(lammps);
        return;
    }
    *racer = (cliRacer){ .row = racer->row, .data = lammps, .turn = Turn, .release = Release };
    Kinds bonds = { .count = 0 }, masses = { .count = 0 };
    double begin = cliClock();
    if (!FindKinds(springs, &bonds, &masses))
    {
        cliRacer_Refuse(racer, "more than %d kinds of springs or masses", MOST_KINDS);
    }
    else if (!WriteFiles(lammps, springs, &bonds, &masses))
    {
        cliRacer_Refuse(racer, "the files of LAMMPS could not be written to %s", lammps->folder);
    }
    else if (!Run(lammps, "first.in", "first.log", 0))
    {
        RefuseFailed(lammps, "first.log");
    }
    else
    {
        Compare(lammps, springs);
    }
    racer->row.setup = cliClock() - begin;
}
