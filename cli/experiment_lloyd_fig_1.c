// SPDX-License-Identifier: MIT
//
// experiment_lloyd_fig_1.c: a membrane of springs swings beside one of linear finite elements: pressed, stretched, struck, damped, irregular.

#include "membrane.h"

#include <math.h>

enum
{
    AMPLITUDES = 4,
    SEEDS = 2,
};

// Largest excursion of the elements' top over the height, and periods of springs over theirs as a program of its own had them.
static const double amplitudes[AMPLITUDES] = { 0.0375, 0.075, 0.1125, 0.15 };
static const double known[2][AMPLITUDES] = { { 1.0180, 1.0390, 1.0642, 1.1022 }, { 0.9854, 0.9736, 0.9633, 0.9543 } };

// Linear elements pushed by 1 m/s2: what they do under any push.
typedef struct Elements
{
    cliMembrane membrane;
    cliSwing swing;
} Elements;

static bool SwingElements(Elements* elements, cliStudy* study, const cliMembrane* like)
{
    elements->membrane = *like;
    elements->membrane.model = cli_linearMembrane;
    elements->membrane.push = 1;
    return cliMembrane_Swing(&elements->membrane, study, false, NULL, &elements->swing);
}

// The push that takes the top of the elements so far at most; negative: down.
static double PushOf(const Elements* elements, double amplitude)
{
    return amplitude / elements->swing.peak;
}

// Springs in the place of the elements. With a panel both are drawn. False: the study has failed.
static bool SwingSprings(const Elements* elements, cliStudy* study, cliMembraneModel model, double amplitude,
                         cliPanel* panel, cliSwing* swing)
{
    cliMembrane membrane = elements->membrane;
    membrane.model = model;
    membrane.push = PushOf(elements, amplitude);
    bool good = cliMembrane_Swing(&membrane, study, false, NULL, swing);
    if (good && panel != NULL)
    {
        cliSwing drawn = elements->swing;
        cliSwing_Scale(&drawn, membrane.push);
        cliSwing_Plot(&drawn, panel, "linear finite elements", cliStyle_Theory());
        cliSwing_Plot(swing, panel, "springs", cliStyle_OursLine(1));
        cliSwing_Scale(&drawn, 1 / membrane.push);  // the samples are shared
    }
    return good;
}

static double PeriodRatio(const Elements* elements, cliStudy* study, cliMembraneModel model, double amplitude,
                          cliPanel* panel)
{
    cliSwing swing;
    bool good = SwingSprings(elements, study, model, amplitude, panel, &swing);
    double ratio = good ? swing.period / elements->swing.period : NAN;
    cliSwing_Free(&swing);
    return ratio;
}

// Quick: five cycles of larger steps.
static cliMembrane MembraneFor(const cliStudy* study)
{
    cliMembrane membrane = cliMembrane_Default();
    membrane.coarse = cliStudy_IsQuick(study);
    membrane.duration = membrane.coarse ? 5.6 : membrane.duration;
    return membrane;
}

static cliPanel* AddPanel(cliPlot* plot, const char* title)
{
    return cliPlot_AddPanel(plot, title, "time [s]", "top, % of the height");
}

// ---- figures 1 and 2: a force that stays ------------------------------------------------------------------------------

// Where a curve through the figures takes a value.
static double AmplitudeAt(const double* x, const double* y, int count, double value)
{
    for (int i = 0; i + 1 < count; ++i)
    {
        if ((y[i] - value) * (y[i + 1] - value) <= 0)
        {
            return x[i] + (x[i + 1] - x[i]) * (value - y[i]) / (y[i + 1] - y[i]);
        }
    }
    return NAN;
}

static void AddPeriod(cliStudy* study, double ratio, int stretch, int index)
{
    cliQuantity q = cliQuantity_Make(ratio, "", "period over that of elements, %s by %g %%",
                                     stretch ? "stretched" : "pressed", 100 * amplitudes[index]);
    q.reference = known[stretch][index];
    q.absolute = true;
    q.bar = amplitudes[index] > 0.1 ? 0.015 : 0.01;
    if (amplitudes[index] == 0.15)
    {
        q.published = stretch ? 0.975 : 1.055;
        q.uncertainty = 0.005;
        cliQuantity_Note(
            &q, "The paper says \"up to 15 %%\" and neither E, rho, sizes nor how far the base is from the top.");
    }
    cliStudy_Add(study, &q);
}

static void AddForces(cliStudy* study, const Elements* elements)
{
    bool quick = cliStudy_IsQuick(study);
    cliPlot* plot = cliStudy_Plot(study, "A force that stays");
    cliPlot* over = quick ? NULL : cliStudy_Plot(study, "Periods over the amplitude");
    cliPanel* panel =
        quick ? NULL : cliPlot_AddPanel(over, "", "largest excursion of the elements [%]", "period over theirs");
    double ratios[2][AMPLITUDES];
    for (int stretch = 0; stretch < 2; ++stretch)
    {
        cliPanel* shown = AddPanel(plot, stretch ? "figure 2a: stretched by 7.5 %" : "figure 1: pressed by 7.5 %");
        cliCurve* curve =
            quick ? NULL : cliPanel_AddCurve(panel, stretch ? "stretched" : "pressed", cliStyle_Ours(1 + stretch));
        for (int i = 0; i < AMPLITUDES && cliStudy_IsGood(study); ++i)
        {
            bool judged = amplitudes[i] == 0.075 || amplitudes[i] == 0.15;
            if (quick && !judged)
            {
                continue;
            }
            ratios[stretch][i] = PeriodRatio(elements, study, cli_springMembrane, (stretch ? 1 : -1) * amplitudes[i],
                                             amplitudes[i] == 0.075 ? shown : NULL);
            AddPeriod(study, ratios[stretch][i], stretch, i);
            cliCurve_Add(curve, 100 * amplitudes[i], ratios[stretch][i]);
        }
    }
    if (!quick && cliStudy_IsGood(study))
    {
        cliPanel_AddLevel(panel, "the paper", 0, 15, 1.055);
        cliPanel_AddLevel(panel, NULL, 0, 15, 0.975);
        cliStudy_Say(study,
                     "The paper's 1.055 is what springs do at an excursion of %.3g %%, its 0.975 at %.3g %%: no one "
                     "excursion gives "
                     "both.",
                     100 * AmplitudeAt(amplitudes, ratios[0], AMPLITUDES, 1.055),
                     100 * AmplitudeAt(amplitudes, ratios[1], AMPLITUDES, 0.975));
    }
}

// ---- figures 2b, 3, 4: a pulse ------------------------------------------------------------------------------------------

static void AddRatio(cliStudy* study, double ratio, double bar, const char* what, const char* of)
{
    cliQuantity q = cliQuantity_Make(ratio, "", "%s over that of elements%s", what, of);
    q.reference = 1;
    q.bar = bar;
    cliStudy_Add(study, &q);
}

static void AddPulses(cliStudy* study, const Elements* still, cliMembraneModel model, double bar, const char* of,
                      cliPanel* panel)
{
    Elements elements;
    cliMembrane struck = still->membrane;
    struck.pulse = true;
    if (SwingElements(&elements, study, &struck))
    {
        // the same force as that which presses by 7.5 % when it stays, and by 15 %
        double down = -0.075 / still->swing.peak * elements.swing.peak;
        AddRatio(study, PeriodRatio(&elements, study, model, down, panel), bar,
                 cliNamed("period, struck (%.2g %%)", -100 * down).text, of);
        if (struck.seed == 0 && !cliStudy_IsQuick(study))
        {
            cliQuantity q = cliQuantity_Make(PeriodRatio(&elements, study, model, 2 * down, NULL), "",
                                             "period, struck (%.2g %%) over that of elements", -200 * down);
            q.reference = 1.0050;
            q.absolute = true;
            q.bar = 0.005;
            cliStudy_Add(study, &q);
        }
    }
    cliSwing_Free(&elements.swing);
}

// alpha0 m and alpha1 k: rates alpha0 / 2 and alpha1 w^2 / 2.
static void AddDecay(cliStudy* study, const Elements* still, cliMembraneModel model, int damper, double bar,
                     const char* of, cliPanel* panel)
{
    const double pi = 3.14159265358979323846;
    Elements elements;
    cliMembrane struck = still->membrane;
    struck.pulse = true;
    struck.damping[damper] = damper == 0 ? 1.0 : 0.01;
    const char* name = damper == 0 ? "alpha0 = 1" : "alpha1 = 0.01";
    cliSwing swing = { 0 };
    if (SwingElements(&elements, study, &struck))
    {
        double down = -0.075 / still->swing.peak * elements.swing.peak, w = 2 * pi / still->swing.period;
        double theory = damper == 0 ? 0.5 : 0.005 * w * w;
        if (SwingSprings(&elements, study, model, down, panel, &swing))
        {
            AddRatio(study, swing.decay / elements.swing.decay, bar, cliNamed("decay, %s,", name).text, of);
            cliQuantity q = cliQuantity_Make(swing.decay, "1/s", "decay, %s%s", name, of);
            q.reference = theory;
            cliQuantity_Note(&q,
                             "That of the first mode; the elements have %.4g. Turning points carry higher modes, too.",
                             elements.swing.decay);
            cliStudy_Add(study, &q);
        }
    }
    cliSwing_Free(&swing);
    cliSwing_Free(&elements.swing);
}

// ---- figure 5: irregular meshes -------------------------------------------------------------------------------------------

static void AddCollapse(cliStudy* study, const Elements* still, cliMembraneModel model, const char* of)
{
    cliMembrane pressed = still->membrane;
    cliSwing swing;
    pressed.model = model;
    pressed.push = PushOf(still, -0.15);
    pressed.duration = cliStudy_IsQuick(study) ? 2 : 4;
    for (int repels = 0; repels < 2 && cliStudy_IsGood(study); ++repels)
    {
        pressed.repels = repels;
        cliName caption = cliNamed("pressed by 15 %%%s: %s", of, repels ? "with repulsion" : "without repulsion");
        if (cliMembrane_Swing(&pressed, study, true, pressed.seed == 1 ? caption.text : NULL, &swing))
        {
            cliQuantity q = cliQuantity_Make(swing.least, "", "least area ratio, pressed by 15 %%%s%s", of,
                                             repels ? ", with repulsion" : "");
            q.highest = repels || model != cli_lloydMembrane ? NAN : 0;
            q.lowest = repels ? 1e-6 : NAN;
            if (swing.collapsed)
            {
                cliQuantity_Note(&q, "A triangle turned inside out at %.3g s.", swing.time[swing.count - 1]);
            }
            else
            {
                cliQuantity_Note(&q, "It goes on for %g s, the top down by %.3g %% at most.", pressed.duration,
                                 100 * swing.peak);
            }
            cliStudy_Add(study, &q);
        }
        cliSwing_Free(&swing);
    }
}

// Bars are those of Lloyd's springs, and of springs with angles, which are finite elements at rest; springs by area are softer.
static void AddIrregular(cliStudy* study, int seed, cliMembraneModel model, cliPlot* plot)
{
    static const char* const names[] = {
        [cli_springMembrane] = "springs by area",
        [cli_angleMembrane] = "springs and angles",
        [cli_lloydMembrane] = "Lloyd's springs",
    };
    bool judged = model != cli_springMembrane, quick = cliStudy_IsQuick(study);
    double swings = judged ? 0.03 : NAN, decays = judged ? 0.05 : NAN;
    Elements elements;
    cliMembrane membrane = MembraneFor(study);
    membrane.seed = seed;
    cliName of = cliNamed(", irregular %d, %s", seed, names[model]);
    if (SwingElements(&elements, study, &membrane))
    {
        if (!quick)
        {
            AddRatio(study, PeriodRatio(&elements, study, model, -0.001, NULL), swings, "period, small,", of.text);
            AddRatio(study, PeriodRatio(&elements, study, model, -0.075, NULL), NAN, "period, pressed by 7.5 %,",
                     of.text);
            AddRatio(study, PeriodRatio(&elements, study, model, 0.075, NULL), NAN, "period, stretched by 7.5 %,",
                     of.text);
            AddDecay(study, &elements, model, 0, decays, of.text,
                     plot != NULL ? AddPanel(plot, "figure 5a: alpha0 = 1") : NULL);
            AddDecay(study, &elements, model, 1, decays, of.text,
                     plot != NULL ? AddPanel(plot, "figure 5b: alpha1 = 0.01") : NULL);
        }
        AddPulses(study, &elements, model, swings, of.text, NULL);
        AddCollapse(study, &elements, model, of.text);
    }
    cliSwing_Free(&elements.swing);
}

// ---- other resolutions ----------------------------------------------------------------------------------------------------

static void AddResolutions(cliStudy* study)
{
    static const struct
    {
        int cells[2];
        double side, pressed, stretched;
    } others[] = {
        { { 5, 6 }, 0.2, 1.0347, NAN },
        { { 20, 24 }, 0.05, 1.0407, NAN },
        { { 5, 24 }, 0.1, 1.0419, 0.9721 },
        { { 20, 12 }, 0.1, 1.0368, 0.9730 },
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0] && cliStudy_IsGood(study); ++i)
    {
        Elements elements;
        cliMembrane membrane = MembraneFor(study);
        membrane.cells[0] = others[i].cells[0];
        membrane.cells[1] = others[i].cells[1];
        membrane.side = others[i].side;
        membrane.duration *= cliMembrane_Height(&membrane) / (12 * 0.1 * sqrt(0.75));
        bool good = SwingElements(&elements, study, &membrane);
        for (int stretch = 0; stretch < 2 && good; ++stretch)
        {
            double reference = stretch ? others[i].stretched : others[i].pressed;
            if (!isnan(reference))
            {
                double ratio = PeriodRatio(&elements, study, cli_springMembrane, stretch ? 0.075 : -0.075, NULL);
                cliQuantity q = cliQuantity_Make(ratio, "", "period over that of elements, %s by 7.5 %%, %d x %d of %g",
                                                 stretch ? "stretched" : "pressed", membrane.cells[0],
                                                 membrane.cells[1], membrane.side);
                q.reference = reference;
                q.absolute = true;
                q.bar = 0.01;
                cliStudy_Add(study, &q);
            }
        }
        cliSwing_Free(&elements.swing);
    }
}

static void Run(cliStudy* study)
{
    bool quick = cliStudy_IsQuick(study);
    cliMembrane membrane = MembraneFor(study);
    Elements elements;
    cliStudy_Progress(study, 0, "a force that stays");
    if (SwingElements(&elements, study, &membrane))
    {
        AddForces(study, &elements);
        if (!quick)
        {
            AddRatio(study, PeriodRatio(&elements, study, cli_springMembrane, -0.001, NULL), 0.005, "period, small,",
                     "");
        }
        cliStudy_Progress(study, 0.3, "pulses");
        cliPlot* plot = cliStudy_Plot(study, "A pulse of 0.2 s");
        AddPulses(study, &elements, cli_springMembrane, 0.005, "", AddPanel(plot, "figure 2b: not damped"));
        AddDecay(study, &elements, cli_springMembrane, 0, 0.01, "", AddPanel(plot, "figure 3: alpha0 = 1"));
        AddDecay(study, &elements, cli_springMembrane, 1, 0.01, "", AddPanel(plot, "figure 4: alpha1 = 0.01"));
    }
    cliSwing_Free(&elements.swing);
    cliStudy_Progress(study, 0.5, "irregular meshes");
    cliPlot* plot = quick ? NULL : cliStudy_Plot(study, "Irregular triangles");
    for (int seed = 1; seed <= (quick ? 1 : SEEDS) && cliStudy_IsGood(study); ++seed)
    {
        AddIrregular(study, seed, cli_lloydMembrane, seed == 1 ? plot : NULL);
        for (cliMembraneModel model = cli_springMembrane; !quick && model <= cli_angleMembrane; ++model)
        {
            AddIrregular(study, seed, model, NULL);
        }
    }
    if (!quick)
    {
        cliStudy_Progress(study, 0.8, "other resolutions");
        AddResolutions(study);
    }
}

const cliExperiment cliLloydFigure1 = {
    .name = "lloyd-fig-1-to-5",
    .title = "A membrane of springs swings beside one of linear finite elements",
    .source = "Lloyd, Kirac, Szekely, Harders (2008), figures 1 to 5",
    .text = "A membrane of 228 equilateral triangles, held at its bottom, is pushed by a body force that stays, or for "
            "0.2 s; masses, springs "
            "and dampers from E = 16, h = rho = 1, alpha0, alpha1; position Verlet, 0.5 ms. Beside it linear finite "
            "elements with the same "
            "masses and damping. Forces are those that take the top of the elements to a part of the height. Periods "
            "are means over all "
            "cycles of 9.7 s. Springs are softer when pressed and stiffer when stretched, so that they swing slower "
            "and faster about "
            "their new rest; after a pulse they swing about the old one, as the elements do. Irregular meshes have "
            "their inner nodes moved "
            "by up to a quarter of a side along both axes.",
    .run = Run,
};
