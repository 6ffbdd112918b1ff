// SPDX-License-Identifier: MIT
//
// experiment_cooper_fig_9.c: a linear and a non-linear spring.

#include "reproduce.h"

#include <math.h>

// The push of both springs at a length [N].
static void Push(cliLoaded* loaded, double length, double push[2])
{
    double force[12];
    for (int spring = 0; spring < 2; ++spring)
    {
        rslState_SetPosition(loaded->model, loaded->state, 2 * spring + 1, (rslVec3){ spring, length, 0 });
    }
    rslSolver_Fields(loaded->solver, loaded->state, force, NULL, NULL);
    push[0] = force[4];
    push[1] = force[10];
}

static void Run(cliStudy* study)
{
    cliLoaded loaded;
    if (cliStudy_Open(study, "cooper-fig-9.yaml", &loaded))
    {
        cliPlot* plot = cliStudy_Plot(study, "Force of two springs, k = 1, rest length 1");
        cliPanel* panel = cliPlot_AddPanel(plot, "", "length [m]", "force, pushing [N]");
        cliCurve* linear = cliPanel_AddCurve(panel, "linear", (cliStyle){ .colour = 1, .line = true, .dashed = true });
        cliCurve* other = cliPanel_AddCurve(panel, "non-linear", cliStyle_OursLine(2));
        double worst[2] = { 0, 0 }, push[2];
        cliPanel_SetRangeY(panel, -2, 6);
        for (int i = 1; i <= 300; ++i)
        {
            double x = i / 100.0;
            Push(&loaded, x, push);
            worst[0] = fmax(worst[0], fabs(push[0] - (1 - x)));
            worst[1] = fmax(worst[1], fabs(push[1] - (1 / x - x)));
            cliCurve_Add(linear, x, push[0]);
            cliCurve_Add(other, x, push[1]);
        }
        for (int spring = 0; spring < 2; ++spring)
        {
            cliQuantity q =
                cliQuantity_Make(worst[spring], "N", "%s spring against eq. %d, largest error from 0.01 to 3 m",
                                 spring ? "non-linear" : "linear", spring ? 4 : 1);
            q.reference = 0;
            q.bar = 1e-10;
            cliStudy_Add(study, &q);
        }
        double near[2];
        Push(&loaded, 1 - 1e-5, push);
        Push(&loaded, 1 + 1e-5, near);
        cliQuantity q = cliQuantity_Make((push[1] - near[1]) / (push[0] - near[0]), "",
                                         "stiffness at rest, non-linear over linear");
        q.reference = 2;
        q.bar = 1e-6;
        cliQuantity_Note(
            &q, "The paper calls the same number k in both: with it, a mesh of non-linear springs is of another "
                "material, twice as stiff. In a scene the stiffness of a spring is that at rest for every law.");
        cliStudy_Add(study, &q);
    }
    cliLoaded_Free(&loaded);
}

const cliExperiment cliCooperFigure9 = {
    .name = "cooper-fig-9",
    .title = "A linear and a non-linear spring",
    .source = "Cooper & Maddock (1999), figure 9 and equations 1 and 4",
    .text = "The force of two springs of the simulation against their length. The non-linear one, k (x0^2 / x - x), "
            "cannot be "
            "pressed to nothing. Its energy is k ((x^2 - x0^2) / 2 - x0^2 ln (x / x0)): at rest it is 2 k stiff.",
    .run = Run,
};
