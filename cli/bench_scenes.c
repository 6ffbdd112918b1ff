// SPDX-License-Identifier: MIT
//
// bench_scenes.c: the table of what is timed.

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Kot: 0.9, 2.5 and 10 ms a step on 4 cores of 2.4 GHz. Vassilev and Spanlang: 46.9, 30.2, 20.0 and 14.9 frames a second at
// 700 MHz, drawing included.
static const cliBenchScene scenes[] = {
    { "lattice-10", cli_latticeKind, 10, cli_quickLevel, 0, "springs of a lattice of 10^3 nodes" },
    { "lattice-20", cli_latticeKind, 20, cli_usualLevel, 0, "of 20^3" },
    { "lattice-50", cli_latticeKind, 50, cli_usualLevel, 0, "of 50^3" },
    { "lattice-100", cli_latticeKind, 100, cli_usualLevel, 0, "of 100^3" },
    { "lattice-200", cli_latticeKind, 200, cli_fullLevel, 0, "of 200^3" },
    { "network-10", cli_networkKind, 10, cli_quickLevel, 0,
      "the same springs as a list, as any network has them: 10^3 nodes" },
    { "network-20", cli_networkKind, 20, cli_usualLevel, 0, "20^3" },
    { "network-50", cli_networkKind, 50, cli_usualLevel, 0, "50^3" },
    { "network-100", cli_networkKind, 100, cli_usualLevel, 0, "100^3" },
    { "random-1e3", cli_randomKind, 1000, cli_quickLevel, 0, "a random network of 10^3 nodes, 15 springs at each" },
    { "random-1e5", cli_randomKind, 100000, cli_usualLevel, 0, "of 10^5" },
    { "random-1e6", cli_randomKind, 1000000, cli_fullLevel, 0, "of 10^6" },
    { "tetrahedra-1e3", cli_tetrahedraKind, 1000, cli_quickLevel, 0,
      "springs along the edges of tetrahedra, 10^3 nodes" },
    { "tetrahedra-2e4", cli_tetrahedraKind, 20000, cli_usualLevel, 0, "2 10^4 nodes" },
    { "bricks-10", cli_bricksKind, 10, cli_quickLevel, 0, "a lattice of bricks, 10^3 nodes" },
    { "bricks-30", cli_bricksKind, 30, cli_usualLevel, 0, "30^3 nodes" },
    { "surface-1152", cli_surfaceKind, 1152, cli_quickLevel, 1 / 46.9,
      "a closed surface that keeps its volume, 1152 triangles" },
    { "surface-2592", cli_surfaceKind, 2592, cli_usualLevel, 1 / 30.2, "2592 triangles" },
    { "surface-4608", cli_surfaceKind, 4608, cli_usualLevel, 1 / 20.0, "4608 triangles" },
    { "surface-6728", cli_surfaceKind, 6728, cli_usualLevel, 1 / 14.9, "6728 triangles" },
    { "surface-1e5", cli_surfaceKind, 100352, cli_usualLevel, 0, "10^5 triangles" },
    { "surface-1e6", cli_surfaceKind, 999698, cli_fullLevel, 0, "10^6 triangles" },
    { "cloth-24", cli_clothKind, 24, cli_quickLevel, 0,
      "a sheet of 24 x 24 cells with springs and bending that falls, its middle held" },
    { "cloth-100", cli_clothKind, 100, cli_usualLevel, 0, "100 x 100 cells" },
    { "rabbit-1042", cli_rabbitKind, 1042, cli_quickLevel, 0.9e-3, "a rabbit of springs that lands, about 1042 nodes" },
    { "rabbit-3024", cli_rabbitKind, 3024, cli_usualLevel, 2.5e-3, "about 3024 nodes" },
    { "rabbit-12205", cli_rabbitKind, 12205, cli_usualLevel, 10e-3, "about 12205 nodes" },
    { "rabbit-1e6", cli_rabbitKind, 1000000, cli_fullLevel, 0, "about 10^6 nodes" },
    { "heap", cli_heapKind, 3, cli_usualLevel, 0, "27 balls that lie on each other" },
    { "dispersion-50", cli_dispersionKind, 50, cli_usualLevel, 0, "50^3 nodes without and with dispersion" },
    { "repulsion-50", cli_repulsionKind, 50, cli_usualLevel, 0,
      "50^3 nodes without and with repulsion, none near collapse" },
    { "swing-12205", cli_swingKind, 12205, cli_usualLevel, 0,
      "a bent rabbit of about 12205 nodes in the air, implicit steps of 1/60 s and explicit ones" },
    { "drop-1042", cli_dropKind, 1042, cli_usualLevel, 0,
      "a rabbit of about 1042 nodes that hits the ground, likewise, and with its rebound" },
    { "drop-12205", cli_dropKind, 12205, cli_fullLevel, 0, "of about 12205 nodes" },
    { "land-1042", cli_landKind, 1042, cli_usualLevel, 0,
      "a rabbit of about 1042 nodes that falls, hits the ground and comes to rest: a second of implicit steps, on "
      "smooth and on rough ground" },
    { "land-12205", cli_landKind, 12205, cli_fullLevel, 0, "of about 12205 nodes" },
    { "fall-1042", cli_fallKind, 1042, cli_fullLevel, 0,
      "likewise in explicit steps, with the same damping, a tenth of it and none" },
    { "fall-12205", cli_fallKind, 12205, cli_fullLevel, 0, "of about 12205 nodes" },
    { "static-20", cli_staticKind, 20, cli_quickLevel, 0, "rest of a block of 20^3 nodes, to 1e-8" },
    { "static-47", cli_staticKind, 47, cli_usualLevel, 0, "of 10^5 nodes" },
    { "static-100", cli_staticKind, 100, cli_fullLevel, 0, "of 10^6 nodes" },
};

enum
{
    ALL = CLI_BENCH_SINGLE | CLI_BENCH_DOUBLE | CLI_BENCH_ONE | CLI_BENCH_MANY,
    EXACT = CLI_BENCH_DOUBLE | CLI_BENCH_ONE | CLI_BENCH_MANY,
    FRAMES = CLI_BENCH_DOUBLE | CLI_BENCH_MANY,
};

static const cliBenchTraits traits[cli_benchKindCount] = {
    [cli_latticeKind] = { .variants = { "" }, .who = ALL, .peers = true, .displaced = true, .springs = true },
    [cli_networkKind] = { .variants = { "" },
                          .who = ALL,
                          .peers = true,
                          .displaced = true,
                          .springs = true,
                          .stored = true },
    [cli_rabbitKind] = { .variants = { "" }, .who = ALL, .springs = true, .before = 0.015, .steps = 32 },
    [cli_randomKind] = { .variants = { "" }, .who = ALL, .displaced = true, .springs = true, .stored = true },
    [cli_tetrahedraKind] = { .variants = { "" }, .who = ALL, .displaced = true, .springs = true, .stored = true },
    [cli_bricksKind] = { .variants = { "" }, .who = ALL, .displaced = true },
    [cli_surfaceKind] = { .variants = { "" }, .who = ALL },
    [cli_clothKind] = { .variants = { "" }, .who = ALL },
    [cli_heapKind] = { .variants = { "" }, .who = ALL, .before = 0.2, .steps = 32 },
    [cli_swingKind] = { .variants = { "implicit", "explicit" },
                        .who = FRAMES,
                        .displaced = true,
                        .frames = true,
                        .steps = 6 },
    [cli_dropKind] = { .variants = { "implicit", "explicit", "rebound" }, .who = FRAMES, .frames = true, .steps = 3 },
    [cli_landKind] = { .variants = { "smooth", "rough" }, .who = FRAMES, .frames = true, .steps = 60 },
    [cli_fallKind] = { .variants = { "damped", "a tenth", "undamped" },
                       .who = CLI_BENCH_SINGLE | CLI_BENCH_DOUBLE | CLI_BENCH_MANY,
                       .frames = true,
                       .steps = 60 },
    [cli_staticKind] = { .variants = { "" }, .who = EXACT, .steps = 1 },
    [cli_dispersionKind] = { .variants = { "off", "on" }, .who = ALL, .displaced = true },
    [cli_repulsionKind] = { .variants = { "off", "on" }, .who = ALL, .displaced = true },
};

const cliBenchScene* cliBenchScene_At(int index)
{
    return index < (int)(sizeof scenes / sizeof scenes[0]) ? &scenes[index] : NULL;
}

// What a scene of any size may be called, and how large it may be.
typedef struct Family
{
    const char* name;
    cliBenchKind kind;
    int least, most;
    const char* counts;
} Family;

static const Family families[] = {
    { "lattice", cli_latticeKind, 3, 600, "nodes a side" },
    { "network", cli_networkKind, 3, 400, "nodes a side" },
    { "bricks", cli_bricksKind, 3, 400, "nodes a side" },
    { "dispersion", cli_dispersionKind, 3, 400, "nodes a side" },
    { "repulsion", cli_repulsionKind, 3, 400, "nodes a side" },
    { "static", cli_staticKind, 4, 400, "nodes a side" },
    { "random", cli_randomKind, 100, 10000000, "nodes" },
    { "tetrahedra", cli_tetrahedraKind, 64, 10000000, "nodes" },
    { "surface", cli_surfaceKind, 50, 10000000, "triangles" },
    { "cloth", cli_clothKind, 4, 2000, "cells a side" },
    { "rabbit", cli_rabbitKind, 300, 10000000, "nodes" },
    { "swing", cli_swingKind, 300, 1000000, "nodes" },
    { "drop", cli_dropKind, 300, 1000000, "nodes" },
    { "land", cli_landKind, 300, 1000000, "nodes" },
    { "fall", cli_fallKind, 300, 1000000, "nodes" },
};

const char* cliBenchScene_OfSize(const char* word, cliBenchScene* scene)
{
    static char wrong[160];
    for (size_t f = 0; f < sizeof families / sizeof families[0]; ++f)
    {
        const Family* family = &families[f];
        const size_t length = strlen(family->name);
        double size = 0.0;
        if (strncmp(word, family->name, length) != 0 || word[length] != '-')
        {
            continue;
        }
        const char* number = word + length + 1;
        bool plain = strspn(number, "0123456789.eE+") == strlen(number) && strspn(number, "0+") == 0;
        bool fits = plain && cliParseNumber(number, &size) && size == floor(size) && size >= family->least &&
                    size <= family->most;
        if (fits)
        {
            *scene = (cliBenchScene){ .name = word, .kind = family->kind, .size = (int)size, .brief = family->counts };
            return NULL;
        }
        snprintf(wrong, sizeof wrong, "a scene %s-N has %d to %d %s", family->name, family->least, family->most,
                 family->counts);
        return wrong;
    }
    return "";
}

const cliBenchTraits* cliBenchKind_Traits(cliBenchKind kind)
{
    return &traits[kind];
}
