// SPDX-License-Identifier: MIT
//
// bench.h: what the files of `resilin bench` share: scenes, racers that take turns on them, rows of the table, ceilings.
//
// A scene is a model, or two variants of one, that is timed. Everybody who steps it is a racer: this library in every precision
// and number of threads, a plain loop, other programs. Racers of a scene take turns, and the best turn of each counts.

#pragma once

#include "cli.h"
#include "path.h"
#include "ticker.h"

#include <signal.h>
#include <stdatomic.h>

// ---- memory (bench_memory.c) ----------------------------------------------------------------------------------------

// Hooks that count what is allocated, and refuse what would go over a limit.
typedef struct cliMemory
{
    _Atomic size_t live;  // [B]
    _Atomic size_t peak;  // the most of it, since it was set
    size_t limit;
} cliMemory;

rslHooks cliMemory_Hooks(cliMemory* memory);
size_t cliMemory_Available(void);  // of the machine and of what the process may have [B]

// Zeros; NULL beyond the limit. Release with cliMemory_Release.
void* cliMemory_Take(cliMemory* memory, size_t count, size_t size);
void cliMemory_Release(cliMemory* memory, void* block);

// ---- scenes (bench_scenes.c, bench_build.c) -------------------------------------------------------------------------

typedef enum cliBenchKind
{
    cli_latticeKind,     // size: nodes a side
    cli_networkKind,     // the springs of that lattice as a list; size: nodes a side
    cli_rabbitKind,      // that lands; size: nodes
    cli_randomKind,      // size: nodes
    cli_tetrahedraKind,  // springs along their edges; size: nodes
    cli_bricksKind,      // size: nodes a side
    cli_surfaceKind,     // a ball that keeps its volume; size: triangles
    cli_clothKind,       // a sheet that bends; size: cells a side
    cli_heapKind,        // size: balls a side
    cli_swingKind,       // a rabbit that swings in the air, in implicit and in explicit steps; size: nodes
    cli_dropKind,        // one that hits the ground, likewise, and with its rebound
    cli_landKind,        // one that falls, hits the ground and comes to rest, without and with friction
    cli_fallKind,        // likewise in explicit steps, with less and with more damping
    cli_staticKind,      // a block that is held at one end; size: nodes a side
    cli_dispersionKind,  // without and with; size: nodes a side
    cli_repulsionKind,   // without and with; size: nodes a side
    cli_benchKindCount
} cliBenchKind;

enum
{
    CLI_BENCH_VARIANTS = 3,
    CLI_BENCH_SINGLE = 1,  // which precisions and threads a kind is timed with
    CLI_BENCH_DOUBLE = 2,
    CLI_BENCH_ONE = 4,
    CLI_BENCH_MANY = 8,
};

// When a scene is run without being named: from the quick ones on, by default, only in full.
typedef enum cliBenchLevel
{
    cli_quickLevel,
    cli_usualLevel,
    cli_fullLevel,
} cliBenchLevel;

typedef struct cliBenchScene
{
    const char* name;
    cliBenchKind kind;
    int size;
    cliBenchLevel level;
    double published;  // seconds a step of the paper; 0: none
    const char* brief;
} cliBenchScene;

// What all scenes of a kind share.
typedef struct cliBenchTraits
{
    const char* variants[CLI_BENCH_VARIANTS];  // NULL: there is no such
    int who;                                   // CLI_BENCH_ flags
    bool peers;                                // others can step it: springs between nodes and nothing else
    bool displaced;                            // starts out of shape
    bool frames;                               // steps are frames of 1/60 s, or what explicit ones take for them
    bool springs;                              // operations and bytes are counted: springs and little else
    bool stored;                               // springs are stored, not enumerated
    double before;                             // simulated time that passes before turns start [s]
    int steps;                                 // of a turn; 0: by their time
} cliBenchTraits;

const cliBenchScene* cliBenchScene_At(int index);  // NULL after the last
const cliBenchTraits* cliBenchKind_Traits(cliBenchKind kind);

// A scene of a size that is not on the list, by a word like lattice-64 or random-2e5, which it keeps as its name. Returns NULL, or what is
// wrong with the size; "": no scenes are called so.
const char* cliBenchScene_OfSize(const char* word, cliBenchScene* scene);

// A variant of a scene, and how a solver steps it (without precision and threads).
rslStatus cliBenchScene_Build(const cliBenchScene* scene, int variant, cliMemory* memory, rslModel** model,
                              rslSolverDef* def, rslReport* report);

// ---- rows of the table ----------------------------------------------------------------------------------------------

typedef struct cliBenchRow
{
    const cliBenchScene* scene;
    const char* who;      // "resilin", "plain C", "LAMMPS", "Bullet", "PETSc", "CHOLMOD"
    const char* variant;  // "": there is only one
    rslPrecision precision;
    int threads;
    int64_t nodes, springs;
    int64_t steps;       // of a turn
    int turns;           // taken
    double best;         // seconds a step; NaN: none
    double simulated;    // time of a step [s]; 0: not a motion
    double setup;        // seconds to make it
    double difference;   // of forces from ours in double, over the largest; static: of the motion; NaN: not compared
    double solverBytes;  // of solver and state a node; 0: unknown
    double modelBytes;   // of the model a node
    double peakBytes;    // static: the most memory at any time, of ours model, solver and state; 0: unknown
    double iterations;   // of conjugate gradients a step; 0: none
    double parts;        // that a step was taken in, on average: more than 1 where something is hit
    int touches;         // at the end of a turn
    double
        trip;  // of a line of the cache from one thread to another and back, before the best turn [s]; NaN: one thread
    char note[200];  // why it is not there; empty: it is
} cliBenchRow;

// ---- racers ---------------------------------------------------------------------------------------------------------

// Steps that took seconds; not finite: it failed and the note of the row says why.
typedef double cliTakeTurn(void* racer, int64_t steps);

typedef struct cliRacer
{
    cliBenchRow row;
    void* data;
    cliTakeTurn* turn;
    void (*release)(void* data);
} cliRacer;

// The springs of a model where racers start, for those who are not this library.
typedef struct cliSprings
{
    int nodeCount;
    int64_t springCount;
    rslSpring* springs;
    double* positions;  // x y z
    double* masses;
    double* forces;  // ours, in double, x y z
    double longest;  // rest length
    double step;     // [s]
    const rslModel* model;
    cliMemory* memory;
} cliSprings;

// As the state has them; the solver is one in double precision. False: out of memory.
bool cliSprings_Make(cliSprings* springs, const rslModel* model, const rslState* state, rslSolver* solver,
                     cliMemory* memory);
void cliSprings_Free(cliSprings* springs);

// The largest difference of forces from ours, over the largest force; those of node i begin at forces[3 i].
double cliSprings_Compare(const cliSprings* springs, const double* forces);

// Make a racer; the note says why there is none. (bench_ours.c, bench_plain.c, bench_lammps.c, bench_bullet.c)
void cliRacer_MakeOurs(cliRacer* racer, const rslModel* model, const rslSolverDef* def, cliMemory* memory);
bool cliRacer_Springs(const cliRacer* ours, const rslModel* model, cliMemory* memory, cliSprings* springs);
void cliRacer_CompareOurs(cliRacer* ours, const cliSprings* springs);
void cliRacer_MakePlain(cliRacer* racer, const cliSprings* springs);
void cliRacer_MakeLammps(cliRacer* racer, const cliSprings* springs);
void cliRacer_MakeBullet(cliRacer* racer, const cliSprings* springs);

// The linear system of the first Newton step of a static scene, in a file (bench/system_file.h), and its solution by us. (bench_system.c)
typedef struct cliSystem
{
    char folder[RSL_PATH_CAPACITY];
    int64_t nodes, springs;
    double tolerance;
    double* motion;  // ours, x y z of nodes
    cliMemory* memory;
} cliSystem;

// False: there is none, because of memory, or of files that cannot be written.
bool cliSystem_Make(cliSystem* system, const rslModel* model, const rslSolverDef* def, cliMemory* memory);
void cliSystem_Free(cliSystem* system);
bool cliRacer_Motion(const cliRacer* ours, double tolerance, double* motion);

// Other programs that solve it. (bench_solve.c) The system outlives them.
void cliRacer_MakePetsc(cliRacer* racer, const cliSystem* system);
void cliRacer_MakeCholmod(cliRacer* racer, const cliSystem* system);

// A racer that is not there, and why.
void cliRacer_Refuse(cliRacer* racer, const char* format, ...) RSL_PRINTF(2, 3);

// ---- ceilings (bench_ceiling.c, bench_fused.c) ----------------------------------------------------------------------

enum
{
    CLI_CEILING_ONE,   // thread
    CLI_CEILING_MANY,  // as many as asked for
    CLI_CEILING_SIDES,
};

// What the machine can do at best, found by loops that do nothing else.
typedef struct cliCeiling
{
    double memory;       // GB/s of a triad, the better of ordinary and streaming stores
    double ordinary;     // of ordinary stores
    double read;         // of a sum
    double cache[2];     // GB/s of a triad in level 2 and in level 3
    double fused[2];     // GFLOP/s of fused multiply-adds: single, double
    double separate[2];  // of multiplications and additions apart
} cliCeiling;

typedef struct cliCeilings
{
    int threads;
    bool small;             // arrays as large as the last cache only, for runs that have to be short
    size_t level2, level3;  // sizes of the caches, level 2 of one thread [B]
    double* block;  // numbers that go through memory, several times as many as the cache has; kept between measures
    size_t count;
    cliCeiling sides[CLI_CEILING_SIDES];
} cliCeilings;

// Measure once more, for about so many seconds; the best counts. False: out of memory.
bool cliCeilings_Measure(cliCeilings* ceilings, int threads, double seconds);
void cliCeilings_Free(cliCeilings* ceilings);

// Seconds of a line of the cache from this thread to another and back, in a fraction of a millisecond; NaN: no thread.
double cliCeilings_Trip(void);

// GFLOP/s of fused multiply-adds on this thread in about so many seconds.
double cliFused_Single(double seconds);
double cliFused_Double(double seconds);

// ---- figures (bench_figure.c) ---------------------------------------------------------------------------------------

// What follows from a row.
typedef struct cliBenchFigures
{
    double nodeRate, springRate;  // a second
    double bytes, operations;     // a second, as counted by docs/performance.md; NaN: not counted
    double bytesShare;            // of the memory ceiling with as many threads
    double operationsShare;       // of half of the fused multiply-add peak
    double realtime;              // simulated time over time; NaN: none
} cliBenchFigures;

cliBenchFigures cliBenchRow_Figures(const cliBenchRow* row, const cliCeilings* ceilings);

// A comparison within one scene.
typedef struct cliBenchRatio
{
    const char* scene;
    char what[160];
    double value;
} cliBenchRatio;

typedef struct cliBench
{
    cliBenchRow* rows;
    int rowCount, rowCapacity;
    cliBenchRatio* ratios;
    int ratioCount, ratioCapacity;
    cliCeilings ceilings;
    char machine[128], compiler[64], vectors[16];
    int turns;
    double seconds;  // of all
} cliBench;

bool cliBench_Add(cliBench* bench, const cliBenchRow* row);
void cliBench_Compare(cliBench* bench);  // all ratios anew
void cliBench_Free(cliBench* bench);

// ---- a race (bench_race.c) ------------------------------------------------------------------------------------------

typedef struct cliRaceDef
{
    int threads, turns;
    double seconds;  // about what a turn takes
    bool lammps, bullet, petsc, cholmod;
    const volatile sig_atomic_t* stop;  // not 0: no further turns
    cliMemory* memory;
    cliTicker* ticker;
} cliRaceDef;

// Time a scene and add its rows. rsl_outOfMemory: not even a row fits.
rslStatus cliRace_Run(const cliRaceDef* def, const cliBenchScene* scene, cliBench* bench);

// ---- output (bench_write.c) -----------------------------------------------------------------------------------------

void cliBench_PrintHead(const cliBench* bench);
void cliBench_PrintRow(const cliBench* bench, const cliBenchRow* row);
void cliBench_PrintCeilings(const cliBench* bench);
void cliBench_PrintRatios(const cliBench* bench);
void cliBench_Json(const cliBench* bench, FILE* file);

// NAME.csv, NAME-ratios.csv, NAME-ceilings.csv, NAME.md and NAME.svg in the folder.
rslStatus cliBench_Write(const cliBench* bench, const char* directory, const char* name, rslReport* report);
