// SPDX-License-Identifier: MIT
//
// experiment_vassilev_fig_3.c: a soft ellipsoid and a hemisphere resting on a table.

#include "round.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Body
{
    const char* name;
    double tall;  // radius along y [m]
    bool dome;
    double lift;  // of its lowest vertex above the table at the start [m]
} Body;

static const Body bodies[2] = { { "ellipsoid", 1.5, false, 1.501 }, { "hemisphere", 1.0, true, 0.001 } };

typedef struct Rest
{
    double volume, height, width, speed, touching;
} Rest;

static Rest Look(const cliLoaded* loaded, double* x)
{
    int count = loaded->model->nodeCount;
    double low = INFINITY, high = -INFINITY;
    Rest rest = { .volume = rslSolver_Motion(loaded->solver, loaded->state, 0).volume };
    rslState_Velocities(loaded->model, loaded->state, 0, count, x);
    for (int i = 0; i < 3 * count; ++i)
    {
        rest.speed = fmax(rest.speed, fabs(x[i]));
    }
    rslState_Positions(loaded->model, loaded->state, 0, count, x);
    for (int i = 0; i < count; ++i)
    {
        low = fmin(low, x[3 * i + 1]);
        high = fmax(high, x[3 * i + 1]);
        rest.width = fmax(rest.width, 2.0 * hypot(x[3 * i], x[3 * i + 2]));
        rest.touching += x[3 * i + 1] <= 0.0 ? 1 : 0;
    }
    rest.height = high - low;
    return rest;
}

static void AddFigures(cliStudy* study, const Body* body, const char* method, const Rest* start, const Rest* end)
{
    cliQuantity q =
        cliQuantity_Make(end->volume / start->volume - 1.0, "", "(V - V0) / V0 at rest, %s, %s", body->name, method);
    q.lowest = -0.02;
    q.highest = 0.02;
    cliStudy_Add(study, &q);
    q = cliQuantity_Make(end->height / start->height, "", "height at rest, %s, %s", body->name, method);
    q.highest = 0.99;
    q.lowest = 0.5;
    cliQuantity_Note(
        &q,
        "The width is %.3f of that at the start; %.0f vertices touch the table, and the fastest one moves at %.1g m/s.",
        end->width / start->width, end->touching, end->speed);
    cliStudy_Add(study, &q);
}

static bool Write(cliStudy* study, const Body* body, const char* scene)
{
    char text[600];
    cliRound round = { .slices = cliStudy_IsQuick(study) ? 12 : 24,
                       .radii = { 1.0, body->tall, 1.0 },
                       .dome = body->dome };
    snprintf(text, sizeof text,
             "    volume: {method: explicit, stiffness: 100%s}\n"
             "title: A soft %s on a table\ngravity: [0, -3, 0]\n"
             "ground: {normal: [0, 1, 0], point: [0, %g, 0], stiffness: 100}\ncontact: {scheme: penalty}\n"
             "time: {duration: %d, step: 1e-3, integrator: symplectic_euler, threads: 1}\noutput: {frames: 15}\n",
             body->dome ? ", base: fan" : "", body->name, -body->lift, cliStudy_IsQuick(study) ? 4 : 12);
    return cliRound_WriteScene(&round, study, scene, text);
}

static bool Sit(cliStudy* study, const Body* body, const char* method, double stiffness)
{
    char scene[80];
    cliLoaded loaded;
    snprintf(scene, sizeof scene, "vassilev-fig-3-%s.yaml", body->name);
    cliStudy_Reset(study);
    bool good = Write(study, body, scene);
    cliStudy_Set(study, "body.volume.method", "%s", method);
    cliStudy_Set(study, "body.volume.stiffness", "%g", stiffness);
    if (strcmp(method, "pressure") != 0)
    {
        cliStudy_Set(study, "body.volume.radial", "%g", strcmp(method, "implicit") == 0 ? 0.0502 : 0.1);
    }
    good = cliStudy_Open(study, scene, &loaded) && good;
    double* x = good ? calloc(3 * (size_t)loaded.model->nodeCount, sizeof(double)) : NULL;
    good = good && cliStudy_Check(study, x != NULL ? rsl_ok : rsl_outOfMemory, NULL);
    if (good)
    {
        Rest start = Look(&loaded, x);
        good = cliStudy_Run(study, &loaded);
        Rest end = Look(&loaded, x);
        AddFigures(study, body, method, &start, &end);
        rslPictureDef def = rslDefaultPictureDef();
        def.width = 560;
        def.height = 420;
        def.view = (rslVec3){ 0.35, 0.3, 1 };
        def.up = (rslVec3){ 0, 1, 0 };
        good =
            good && cliStudy_Draw(study, &loaded, &def, cliNamed("%s on a table, %s volume", body->name, method).text);
    }
    free(x);
    cliLoaded_Free(&loaded);
    return good;
}

static void Run(cliStudy* study)
{
    static const struct
    {
        int body;
        const char* method;
        double stiffness;
    } rows[4] = { { 0, "implicit", 1 }, { 1, "explicit", 100 }, { 0, "explicit", 100 }, { 1, "pressure", 1000 } };
    for (int i = 0; i < (cliStudy_IsQuick(study) ? 2 : 4) && cliStudy_IsGood(study); ++i)
    {
        cliStudy_Progress(study, i / 4.0, "%s, %s", bodies[rows[i].body].name, rows[i].method);
        Sit(study, &bodies[rows[i].body], rows[i].method, rows[i].stiffness);
    }
}

const cliExperiment cliVassilevFigure3 = {
    .name = "vassilev-fig-3",
    .title = "A soft ellipsoid and a hemisphere on a table",
    .source = "Vassilev, Spanlang (2002), figure 3",
    .text = "An ellipsoid of 1152 triangles and a hemisphere, 1 kg each, sink onto a table under their weight (3 m/s2) "
            "and come to rest, "
            "their volume kept by support springs. The hemisphere is a surface with a border, which lies on the table: "
            "its volume is closed by a "
            "fan from the border to the mean of its vertices. The paper shows pictures and states no figures.",
    .run = Run,
};
