// SPDX-License-Identifier: MIT
//
// run_diverged.c: what to tell when a run has diverged: where, when, and what to change.

#include "number.h"
#include "run.h"

#include <math.h>

typedef struct Suspect
{
    const char* body;
    int local;  // index within the body
    rslVec3 position;
} Suspect;

// Where a node is, in the last state that was still sound.
static Suspect FindNode(const cliLoaded* loaded, int node)
{
    const rslState* good = rslSolver_LastGood(loaded->solver);
    const rslBody* body = &loaded->model->bodies[rslModel_BodyOf(loaded->model, node)];
    double xyz[3];
    rslState_Positions(loaded->model, good != NULL ? good : loaded->state, node, node + 1, xyz);
    return (Suspect){ .body = body->name, .local = node - body->firstNode, .position = { xyz[0], xyz[1], xyz[2] } };
}

// Pulled to about 1 + 1/nu of their length, corotational elements have no width left.
static const char* OtherLaw(const cliLoaded* loaded, int node)
{
    const rslElements* set = &loaded->model->bodies[node < 0 ? 0 : rslModel_BodyOf(loaded->model, node)].elements;
    bool chosen = set->kind != rsl_boxElements && set->kind != rsl_angleElements;
    return set->count > 0 && set->law == rsl_corotationalElement && chosen
               ? "; large strains need law: neo_hookean of its model"
               : "";
}

static void PrintRemedy(const cliLoaded* loaded, int node)
{
    rslStability stability = rslSolver_Stability(loaded->solver);
    double step = cliLoaded_Step(loaded);
    fputs("  what to change: ", stderr);
    if (!(stability.stableStep > 0))
    {
        fprintf(stderr, "%s has no stable step here: choose another time.integrator or give the material damping\n",
                cliIntegratorName(loaded->scene.time.integrator));
    }
    else if (!isfinite(stability.stableStep))
    {
        fprintf(stderr, "set time.step below %.2g, or look for a load, speed or stiffness that is too large\n",
                step / 2);
    }
    else if (step > stability.stableStep)
    {
        fprintf(stderr, "the step of %s is %.3g times the stable step of %s: set time.step to auto, or below %.3g\n",
                cliSi(step, "s").text, step / stability.stableStep, cliSi(stability.stableStep, "s").text,
                0.9 * stability.stableStep);
    }
    else
    {
        fprintf(stderr,
                "the step of %s is below the stable step of %s, which holds for small strains: "
                "set time.fraction to %.2g, or look for a load or speed that is too large%s\n",
                cliSi(step, "s").text, cliSi(stability.stableStep, "s").text, step / stability.stableStep / 2,
                OtherLaw(loaded, node));
    }
}

static void PrintCollapse(const cliLoaded* loaded, const rslDivergence* d)
{
    const char* name = loaded->model->bodies[d->collapsedBody].name;
    if (d->collapsedNode >= 0)
    {
        cliError("the run diverged at t = %s s (step %llu): the surface of body %s was squeezed through its own centre "
                 "at node %d",
                 cliShortest(d->time).text, (unsigned long long)d->stepCount, name, d->collapsedNode);
    }
    else
    {
        cliError("the run diverged at t = %s s (step %llu): the surface of body %s encloses %.4g m3, at rest %.4g m3",
                 cliShortest(d->time).text, (unsigned long long)d->stepCount, name, d->volume,
                 loaded->model->bodies[d->collapsedBody].enclosed.volume);
    }
}

static void PrintJoint(const cliLoaded* loaded, const rslDivergence* d)
{
    const rslJointDef* def = &loaded->scene.joints[d->joint];
    rslJointGap gap = rslState_JointGap(loaded->model, loaded->state, d->joint);
    cliError("the run stopped at t = %s s (step %llu): joint %d of %s and %s is not kept: its points are %s apart, its "
             "axes %.3g degrees",
             cliShortest(d->time).text, (unsigned long long)d->stepCount, d->joint, def->a,
             def->b != NULL ? def->b : "the world", cliSi(gap.distance, "m").text, gap.tilt);
    if (gap.turn > 0)
    {
        fprintf(stderr, "  its angle is %.4g degrees, %.4g off what its course asks for\n",
                rslState_JointAngle(loaded->model, loaded->state, d->joint), gap.turn);
    }
    fputs(
        "  what to change: joints and motions that ask for what cannot be had together, or a driven angle that changes "
        "by more than 45 degrees within a step: give it a longer or smooth course, or a smaller step\n",
        stderr);
}

// Of an element in the list that the user knows.
static int NumberOf(const rslRepulsion* set, int element)
{
    return set->numbers != NULL ? set->numbers[element] : element;
}

static void PrintCollapsing(const cliLoaded* loaded, const rslDivergence* d)
{
    const rslRepulsion* set = &loaded->model->bodies[d->elementBody].repulsion;
    const char* kind = set->corners == 3 ? "triangle" : set->corners == 4 ? "tetrahedron" : "cell";
    int nodes[8];
    rslRepulsion_Nodes(set, d->element, nodes);
    Suspect s = FindNode(loaded, nodes[0]);
    const char* step = loaded->scene.time.integrator == rsl_static ? "increment" : "step";
    cliError(
        "the run stopped at t = %s s (%s %llu): %s %d of body %s would collapse to %.2g of its %s at rest, with the "
        "%s divided by 2^%d",
        cliShortest(d->time).text, step, (unsigned long long)d->stepCount, kind, NumberOf(set, d->element), s.body,
        d->ratio, set->corners == 3 ? "area" : "volume", step, d->divided);
    fprintf(stderr, "  last seen at (%.4g, %.4g, %.4g) m; no accepted state has it inside out\n", s.position.x,
            s.position.y, s.position.z);
}

// An element that would be turned inside out, or pushes so hard against it that no step is short enough.
static void PrintElement(const cliLoaded* loaded, const rslDivergence* d)
{
    if (d->element >= 0)
    {
        PrintCollapsing(loaded, d);
    }
    else
    {
        cliError("the run stopped at t = %s s (step %llu): elements so near to collapse push back too hard for the "
                 "step, also divided by 2^%d",
                 cliShortest(d->time).text, (unsigned long long)d->stepCount, d->divided);
    }
    if (loaded->scene.time.integrator == rsl_static)
    {
        fputs("  what to change: prescribed motion that leaves room for the body; one that jumps or turns far needs a "
              "course "
              "(ramp) and more time.increments\n",
              stderr);
        return;
    }
    fprintf(stderr,
            "  what to change: a smaller time.step (%.2g), less load, speed or prescribed motion, a stiffer barrier "
            "(repulsion.stiffness), or damping\n",
            0.1 * cliLoaded_Step(loaded));
}

static void PrintLastGood(const cliLoaded* loaded, const char* directory)
{
    const rslState* good = rslSolver_LastGood(loaded->solver);
    if (good != NULL)
    {
        fprintf(stderr, "  last good state: %s, t = %s s (step %llu); as a picture: resilin picture %s\n",
                cliPath_Join(directory, "last_good.rsl").text, cliShortest(rslState_Time(good)).text,
                (unsigned long long)good->stepCount, cliPath_Join(directory, "last_good.rsl").text);
    }
}

void cliDivergence_Print(const cliLoaded* loaded, const char* directory)
{
    rslDivergence d = rslSolver_Divergence(loaded->solver);
    if (d.element >= 0 || d.divided > 0)
    {
        PrintElement(loaded, &d);
        PrintLastGood(loaded, directory);
        return;
    }
    if (d.joint >= 0)
    {
        PrintJoint(loaded, &d);
        PrintLastGood(loaded, directory);
        return;
    }
    if (d.collapsedBody >= 0)
    {
        PrintCollapse(loaded, &d);
    }
    else if (d.unstable)
    {
        cliError(
            "the run diverged at t = %s s (step %llu): its step is not stable, %s steps had to be divided so that no "
            "element turns inside out",
            cliShortest(d.time).text, (unsigned long long)d.stepCount, cliCount(loaded->state->guard.divided).text);
    }
    else if (d.nonFinite)
    {
        cliError("the run diverged at t = %s s (step %llu): a number is not finite", cliShortest(d.time).text,
                 (unsigned long long)d.stepCount);
    }
    else
    {
        cliError("the run diverged at t = %s s (step %llu): its energy of %.4g J passed the limit of %.4g J",
                 cliShortest(d.time).text, (unsigned long long)d.stepCount, d.energy, d.limit);
    }
    if (d.node >= 0)
    {
        Suspect s = FindNode(loaded, d.node);
        fprintf(stderr, "  node %d (number %d of body %s), last seen at (%.4g, %.4g, %.4g) m\n", d.node, s.local,
                s.body, s.position.x, s.position.y, s.position.z);
    }
    if (d.springA >= 0)
    {
        fprintf(stderr, "  worst spring: nodes %d and %d of body %s, its length changed by %.3g %%\n", d.springA,
                d.springB, FindNode(loaded, d.springA).body, 100 * d.strain);
    }
    if (d.collapsedBody >= 0)
    {
        fputs("  what to change: less load or speed, more stiffness or radial stiffness of 'volume', or a smaller "
              "step\n",
              stderr);
    }
    else
    {
        PrintRemedy(loaded, d.node);
    }
    PrintLastGood(loaded, directory);
}

static void NodeJson(const cliLoaded* loaded, cliJson* json, const char* key, int node)
{
    if (node < 0)
    {
        cliJson_Null(json, key);
        return;
    }
    Suspect s = FindNode(loaded, node);
    cliJson_Begin(json, key);
    cliJson_Count(json, "index", (uint64_t)node);
    cliJson_Text(json, "body", s.body);
    cliJson_Vec3(json, "position", s.position);
    cliJson_End(json);
}

void cliDivergence_Json(const cliLoaded* loaded, cliJson* json)
{
    rslDivergence d = rslSolver_Divergence(loaded->solver);
    cliJson_Begin(json, "divergence");
    cliJson_Count(json, "step", d.stepCount);
    cliJson_Number(json, "time", d.time);
    cliJson_Bool(json, "non_finite", d.nonFinite);
    cliJson_Bool(json, "unstable", d.unstable);
    cliJson_Number(json, "energy", d.energy);
    cliJson_Number(json, "limit", d.limit);
    NodeJson(loaded, json, "node", d.node);
    NodeJson(loaded, json, "spring_a", d.springA);
    NodeJson(loaded, json, "spring_b", d.springB);
    cliJson_Number(json, "spring_strain", d.strain);
    if (d.element >= 0)
    {
        cliJson_Text(json, "element_body", loaded->model->bodies[d.elementBody].name);
        cliJson_Count(json, "element", (uint64_t)NumberOf(&loaded->model->bodies[d.elementBody].repulsion, d.element));
        cliJson_Number(json, "element_ratio", d.ratio);
        cliJson_Count(json, "divided", (uint64_t)d.divided);
    }
    if (d.joint >= 0)
    {
        cliJson_Count(json, "joint", (uint64_t)d.joint);
    }
    cliJson_Text(json, "collapsed_body", d.collapsedBody >= 0 ? loaded->model->bodies[d.collapsedBody].name : NULL);
    cliJson_Text(json, "last_good", rslSolver_LastGood(loaded->solver) != NULL ? "last_good.rsl" : NULL);
    cliJson_End(json);
}
