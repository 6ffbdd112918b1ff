// SPDX-License-Identifier: MIT
//
// run_rest.c: how a solve for rest went, and what to do when it failed.

#include "number.h"
#include "table.h"
#include "run.h"

static const char* OutcomeText(rslRestOutcome outcome)
{
    switch (outcome)
    {
        case rsl_restNone: return "it was not asked for";
        case rsl_restFound: return "it was found";
        case rsl_restUnstable: return "the equilibrium found does not last: the body buckles";
        case rsl_restNoDescent: return "no step leads to less energy";
        case rsl_restNoEnd: return "the steps allowed were not enough";
        case rsl_restNotFinite: return "a number is not finite";
        case rsl_restEndless:
            return "the energy falls without end: nothing carries the body, or it does not carry its loads";
        case rsl_restStopped: return "it was stopped";
        case rsl_restCollapse: return "an element would collapse";
        case rsl_restBlocked: return "bodies are in each other's way";
    }
    return "unknown";
}

static const char* Remedy(const rslRest* rest, double tolerance)
{
    if (rest->outcome == rsl_restNoEnd && rest->residual < 100.0 * tolerance)
    {
        return "what is left over may be the rounding of stiff springs: accept a larger time.tolerance";
    }
    if (rest->outcome == rsl_restUnstable)
    {
        return "load it less, hold it more, or push it a little to the side so that it knows where to go";
    }
    if (rest->outcome == rsl_restEndless)
    {
        return "hold it, or give it something to lie on that it does not slide off (rest knows no friction); load it "
               "less; or look for a pressure beyond the one at which a body swells without limit";
    }
    if (rest->curved > 0)
    {
        return "something moves without a force against it: hold more nodes, give loads in more steps "
               "(time.increments), or "
               "look for springs that are pressed flat";
    }
    return "give loads and motions in more steps (time.increments), make them smaller, or accept a larger "
           "time.tolerance";
}

static void PrintNode(const cliLoaded* loaded, const char* what, int node)
{
    const rslBody* body = &loaded->model->bodies[rslModel_BodyOf(loaded->model, node)];
    double xyz[3];
    rslState_Positions(loaded->model, loaded->state, node, node + 1, xyz);
    fprintf(stderr, "  %s: node %d (number %d of body %s) at (%.4g, %.4g, %.4g) m\n", what, node,
            node - body->firstNode, body->name, xyz[0], xyz[1], xyz[2]);
}

// An implicit step that found no end.
static void PrintSolve(const cliLoaded* loaded, const rslSolve* solve, const char* directory)
{
    cliError("the implicit step at t = %s s (step %llu) found no end, however finely divided",
             cliShortest(rslState_Time(loaded->state)).text, (unsigned long long)loaded->state->stepCount);
    fprintf(stderr, "  forces left over: %.3g of loads and inertia\n", solve->residual);
    PrintNode(loaded, "largest force left over", solve->node);
    fprintf(stderr,
            "  what to change: a shorter time.step, a larger time.tolerance, repulsion where a body is crushed, or "
            "integrator: position_verlet\n");
    fprintf(stderr, "  the state before: %s\n", cliPath_Join(directory, "last_good.rsl").text);
}

void cliRest_Print(const cliLoaded* loaded, const char* directory)
{
    rslRest rest = rslSolver_Rest(loaded->solver);
    rslSolve solve = rslSolver_Solve(loaded->solver);
    if (solve.preconditioner != NULL)
    {
        PrintSolve(loaded, &solve, directory);
        return;
    }
    cliError("no state of rest at t = %s s (increment %llu): %s", cliShortest(rslState_Time(loaded->state)).text,
             (unsigned long long)loaded->state->stepCount, OutcomeText(rest.outcome));
    fprintf(stderr,
            "  forces left over: %.3g of loads and reactions (%.4g N), after %d Newton steps and %d iterations\n",
            rest.residual, rest.reference, rest.newtonSteps, rest.iterations);
    PrintNode(loaded, rest.outcome == rsl_restUnstable ? "would move most" : "moved most", rest.node);
    PrintNode(loaded, "largest force left over", rest.worstNode);
    fprintf(stderr, "  what to change: %s\n", Remedy(&rest, loaded->scene.time.tolerance));
    fprintf(stderr, "  the state before: %s\n", cliPath_Join(directory, "last_good.rsl").text);
}

void cliRest_Line(const cliLoaded* loaded)
{
    rslRest rest = rslSolver_Rest(loaded->solver);
    if (rest.outcome != rsl_restNone)
    {
        cliLine("last increment", "%d Newton steps, %d iterations (%s), %.2g of the loads left over", rest.newtonSteps,
                rest.iterations, rest.preconditioner, rest.residual);
    }
}

void cliRest_Json(const cliLoaded* loaded, cliJson* json)
{
    static const char* const words[] = { "none",       "found",   "unstable", "no_descent", "no_end",
                                         "not_finite", "endless", "stopped",  "collapse" };
    rslRest rest = rslSolver_Rest(loaded->solver);
    cliJson_Begin(json, "rest");
    cliJson_Text(json, "outcome", words[rest.outcome]);
    cliJson_Number(json, "residual", rest.residual);
    cliJson_Number(json, "reference", rest.reference);
    cliJson_Count(json, "newton_steps", (uint64_t)rest.newtonSteps);
    cliJson_Count(json, "iterations", (uint64_t)rest.iterations);
    cliJson_Count(json, "node", (uint64_t)rest.node);
    cliJson_Count(json, "worst_node", (uint64_t)rest.worstNode);
    cliJson_Text(json, "preconditioner", rest.preconditioner);
    cliJson_End(json);
}
