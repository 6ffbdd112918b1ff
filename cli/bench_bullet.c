// SPDX-License-Identifier: MIT
//
// bench_bullet.c: the soft body of Bullet as a racer, through a program that is built beside this one (bench/bullet_links.cpp):
// Bullet is C++. A step of it is one pass over the links, the least that Bullet can do, on one thread in single precision. Links
// move nodes and have no forces, so what is compared is how far each is from its rest length.

#include "bench.h"
#include "child.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char missing[] =
    "Bullet was not found: apt-get install libbullet-dev g++, and make bench builds bench/bullet_links";

typedef struct Bullet
{
    cliRacer* racer;
    cliChild child;
} Bullet;

static void Release(void* data)
{
    Bullet* bullet = data;
    cliChild_Close(&bullet->child);
    free(bullet);
}

// Ask for something and read the number that is answered.
static bool Ask(Bullet* bullet, int64_t steps, double* answer)
{
    bool asked = fwrite(&steps, sizeof steps, 1, bullet->child.to) == 1 && fflush(bullet->child.to) == 0;
    return asked && fread(answer, sizeof *answer, 1, bullet->child.from) == 1;
}

static double Turn(void* data, int64_t steps)
{
    Bullet* bullet = data;
    double seconds = NAN;
    if (!Ask(bullet, steps, &seconds))
    {
        cliRacer_Refuse(bullet->racer, "Bullet ended badly");
        return NAN;
    }
    return seconds;
}

// Beside this program, in its folder bench, or wherever programs are.
static bool FindHelper(char* path, size_t capacity)
{
    cliPath folder = cliPath_Program();
    return (folder.text[0] != 0 &&
            (cliChild_Find(cliPath_Join(folder.text, "bench/bullet_links").text, path, capacity) ||
             cliChild_Find(cliPath_Join(folder.text, "bullet_links").text, path, capacity))) ||
           cliChild_Find("bullet_links", path, capacity);
}

// Counts, x y z and mass of nodes, ends and rest lengths of links; then the elongation of each comes back.
static bool Send(Bullet* bullet, const cliSprings* springs)
{
    FILE* to = bullet->child.to;
    int64_t counts[2] = { springs->nodeCount, springs->springCount };
    bool good = fwrite(counts, sizeof counts, 1, to) == 1;
    for (size_t i = 0; i < (size_t)springs->nodeCount && good; ++i)
    {
        good = fwrite(&springs->positions[3 * i], sizeof(double), 3, to) == 3 &&
               fwrite(&springs->masses[i], sizeof(double), 1, to) == 1;
    }
    for (int64_t s = 0; s < springs->springCount && good; ++s)
    {
        const rslSpring* spring = &springs->springs[s];
        int32_t ends[2] = { spring->a, spring->b };
        good = fwrite(ends, sizeof ends, 1, to) == 1 && fwrite(&spring->restLength, sizeof(double), 1, to) == 1;
    }
    return good && fflush(to) == 0;
}

static double Elongation(const cliSprings* springs, const rslSpring* spring)
{
    const double *a = &springs->positions[3 * (size_t)spring->a], *b = &springs->positions[3 * (size_t)spring->b];
    double dx = b[0] - a[0], dy = b[1] - a[1], dz = b[2] - a[2];
    return sqrt(dx * dx + dy * dy + dz * dz) - spring->restLength;
}

static bool Compare(Bullet* bullet, const cliSprings* springs)
{
    double worst = 0.0, largest = 0.0;
    for (int64_t s = 0; s < springs->springCount; ++s)
    {
        double theirs, ours = Elongation(springs, &springs->springs[s]);
        if (fread(&theirs, sizeof theirs, 1, bullet->child.from) != 1)
        {
            return false;
        }
        worst = fmax(worst, fabs(theirs - ours));
        largest = fmax(largest, fabs(ours));
    }
    bullet->racer->row.difference = worst / largest;
    return true;
}

void cliRacer_MakeBullet(cliRacer* racer, const cliSprings* springs)
{
    char path[RSL_PATH_CAPACITY];
    racer->row.nodes = springs->nodeCount;
    racer->row.springs = springs->springCount;
    Bullet* bullet = FindHelper(path, sizeof path) ? calloc(1, sizeof *bullet) : NULL;
    if (bullet == NULL)
    {
        cliRacer_Refuse(racer, "%s", missing);
        return;
    }
    *racer = (cliRacer){ .row = racer->row, .data = bullet, .turn = Turn, .release = Release };
    bullet->racer = racer;
    double begin = cliClock();
    char* arguments[] = { path, NULL };
    if (!cliChild_Open(&bullet->child, arguments) || !Send(bullet, springs) || !Compare(bullet, springs))
    {
        cliRacer_Refuse(racer, "Bullet: %s could not be run", path);
    }
    racer->row.setup = cliClock() - begin;
}
