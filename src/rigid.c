// SPDX-License-Identifier: MIT
//
// rigid.c: see rigid.h.
//
// Parts are nodes connected by springs and links. A rigid motion of a part with centre c is u = t + w x (x - c): six numbers
// m = (t, w L), L the size of the part. With the rows g of all nodes and axes, u_e = g.m,
//   M = sum over nodes of g g^T     its range: the motions that move anything (a straight line does not feel its spin)
//   C = sum over held axes of g g^T (and of the normals of colliders, as if every node touched them)
// A motion in the range of M with C m = 0 is not held. Those with w = 0 are shifts, the rest turns.
//
// Lattices can have motions without energy that are not rigid (mechanism.h). They are counted body by body, as if nodes with
// links were held: what is refused has no rest, what is accepted may still have none.

#include "rigid.h"

#include "collide_shape.h"
#include "mechanism.h"
#include "motions.h"
#include "parts.h"
#include "vec.h"

#include <stdio.h>
#include <string.h>

enum
{
    RIGID = 6  // numbers of a rigid motion
};

typedef struct Part
{
    rslVec3 centre;
    double size;
    int count, node;  // how many nodes, and the first
    rslForm moving, held;
} Part;

typedef struct Parts
{
    const rslModel* model;
    const rslHooks* hooks;
    int* part;  // of every node
    rslVec3* position;
    uint8_t* axes;
    Part* parts;
    int count;
} Parts;

static rslVec3 NormalTowards(const rslCollider* collider, rslVec3 x)
{
    rslPlaced placed = rslCollider_Place(collider, 0.0);
    return collider->solid != NULL ? rslPlaced_Nearest(&placed, x).normal : collider->normal;
}

static void Place(Parts* parts)
{
    const rslModel* model = parts->model;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslBody* body = &model->bodies[b];
        rslMat3 rotation = rslQuatMatrix(body->frame.rotation);
        int end = body->firstNode + body->nodeCount;
        rslBody_Rest(body, body->firstNode, end, &parts->position[body->firstNode].x);
        for (int i = body->firstNode; i < end; ++i)
        {
            parts->position[i] = rslAdd(body->frame.origin, rslMatVec(&rotation, parts->position[i]));
        }
    }
    for (int c = 0; c < model->constraintCount; ++c)
    {
        const rslConstraint* held = &model->constraints[c];
        int bits = (held->axes[0] ? 1 : 0) + (held->axes[1] ? 2 : 0) + (held->axes[2] ? 4 : 0);
        for (int n = 0; n < held->nodeCount; ++n)
        {
            parts->axes[held->nodes[n]] = (uint8_t)(parts->axes[held->nodes[n]] | bits);
        }
    }
}

// ---- motions --------------------------------------------------------------------------------------------------------

// e.(w x y) = w.(y x e)
static void AddRow(rslForm* matrix, const Part* part, rslVec3 position, rslVec3 e)
{
    rslVec3 turn = rslScale(1.0 / part->size, rslCross(rslSub(position, part->centre), e));
    const double g[RIGID] = { e.x, e.y, e.z, turn.x, turn.y, turn.z };
    for (int r = 0; r < RIGID; ++r)
    {
        for (int c = 0; c < RIGID; ++c)
        {
            matrix->at[r][c] += g[r] * g[c];
        }
    }
}

static void Measure(Parts* parts)
{
    static const rslVec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const rslModel* model = parts->model;
    for (int i = 0; i < model->nodeCount; ++i)
    {
        Part* part = &parts->parts[parts->part[i]];
        part->node = part->count == 0 ? i : part->node;
        part->centre = rslAdd(part->centre, parts->position[i]);
        part->count += 1;
    }
    for (int p = 0; p < parts->count; ++p)
    {
        parts->parts[p].centre = rslScale(1.0 / parts->parts[p].count, parts->parts[p].centre);
    }
    for (int i = 0; i < model->nodeCount; ++i)
    {
        Part* part = &parts->parts[parts->part[i]];
        double distance = rslLength(rslSub(parts->position[i], part->centre));
        part->size = distance > part->size ? distance : part->size;
    }
    for (int i = 0; i < model->nodeCount; ++i)
    {
        Part* part = &parts->parts[parts->part[i]];
        part->size = part->size > 0.0 ? part->size : 1.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            bool locked = model->plane == rsl_planeXY && axis == 2;
            AddRow(&part->moving, part, parts->position[i], unit[axis]);
            if (locked || (parts->axes[i] >> axis & 1))
            {
                AddRow(&part->held, part, parts->position[i], unit[axis]);
            }
        }
        for (int c = 0; c < model->colliderCount; ++c)
        {
            AddRow(&part->held, part, parts->position[i], NormalTowards(&model->colliders[c], parts->position[i]));
        }
    }
}

// The motions that are not held, shifts first.
typedef struct Loose
{
    rslMotions shifts, turns;
} Loose;

static Loose FindLoose(const Part* part)
{
    static const rslForm turning = { { [3] = { [3] = 1 }, [4] = { [4] = 1 }, [5] = { [5] = 1 } } };
    rslMotions all = rslMotions_All(RIGID);
    // with motions scaled to M = 1, a single held axis counts for about 1 / count
    double bar = 1e-10 / part->count;
    rslMotions moving = rslMotions_Above(&all, &part->moving, 1e-12 * part->count);
    rslMotions loose = rslMotions_Below(&moving, &part->held, bar);
    return (Loose){ rslMotions_Below(&loose, &turning, bar), rslMotions_Above(&loose, &turning, bar) };
}

// ---- words ----------------------------------------------------------------------------------------------------------

typedef struct Words
{
    char text[256];
    size_t length;
} Words;

static void Say(Words* words, const char* what, const double v[3])
{
    rslVec3 n = rslNormalize((rslVec3){ v[0], v[1], v[2] });
    const double part[3] = { fabs(n.x), fabs(n.y), fabs(n.z) };
    const char* axis = part[0] > 0.9999 ? "x" : part[1] > 0.9999 ? "y" : part[2] > 0.9999 ? "z" : NULL;
    const char* comma = words->length > 0 ? ", " : "";
    size_t room = sizeof words->text - words->length;
    int added = axis != NULL ? snprintf(words->text + words->length, room, "%s%s %s", comma, what, axis)
                             : snprintf(words->text + words->length, room, "%s%s (%.2g, %.2g, %.2g)", comma, what, n.x,
                                        n.y, n.z);
    words->length += added > 0 && (size_t)added < room ? (size_t)added : 0;
}

static Words Describe(const Loose* loose)
{
    Words words = { { 0 }, 0 };
    if (loose->shifts.count == 3)
    {
        words.length = (size_t)snprintf(words.text, sizeof words.text, "shifts along x, y and z");
    }
    for (int s = 0; loose->shifts.count < 3 && s < loose->shifts.count; ++s)
    {
        Say(&words, "shift along", loose->shifts.m[s]);
    }
    if (loose->turns.count == 3)
    {
        words.length += (size_t)snprintf(words.text + words.length, sizeof words.text - words.length,
                                         "%sturns about x, y and z", words.length > 0 ? ", " : "");
    }
    for (int t = 0; loose->turns.count < 3 && t < loose->turns.count; ++t)
    {
        Say(&words, "turn about", &loose->turns.m[t][3]);
    }
    return words;
}

static void Report(const Parts* parts, const Part* part, const Loose* loose, rslPlace place, rslReport* report)
{
    const rslBody* body = &parts->model->bodies[rslModel_BodyOf(parts->model, part->node)];
    int shifts = loose->shifts.count, turns = loose->turns.count;
    Words words = Describe(loose);
    if (shifts > 0)
    {
        rslReport_Add(report, rsl_error, place,
                      "body '%s' is not held: %d motion%s of the part with node %d (%d nodes) cost%s nothing: %s; add "
                      "constraints (a pin of three nodes that are not in line holds everything), or tie it to a body "
                      "that is held",
                      body->name, shifts + turns, shifts + turns == 1 ? "" : "s", part->node - body->firstNode,
                      part->count, shifts + turns == 1 ? "s" : "", words.text);
        return;
    }
    rslReport_Add(
        report, rsl_warning, place,
        "body '%s' is held against shifts only: %d motion%s of the part with node %d (%d nodes) cost%s nothing: %s; "
        "it hangs like a pendulum; pin more nodes if it should not",
        body->name, turns, turns == 1 ? "" : "s", part->node - body->firstNode, part->count, turns == 1 ? "s" : "",
        words.text);
}

// ---- all together ---------------------------------------------------------------------------------------------------

static rslStatus Judge(Parts* parts, rslPlace place, rslReport* report)
{
    rslStatus status = rsl_ok;
    parts->parts = rslAllocate(parts->hooks, (size_t)parts->count, sizeof(Part));
    if (parts->parts == NULL)
    {
        return rsl_outOfMemory;
    }
    Measure(parts);
    for (int p = 0; p < parts->count; ++p)
    {
        Loose loose = FindLoose(&parts->parts[p]);
        status = loose.shifts.count > 0 ? rsl_badInput : status;
        if (loose.shifts.count + loose.turns.count > 0)
        {
            Report(parts, &parts->parts[p], &loose, place, report);
        }
    }
    return status;
}

static void ReportFloppy(const rslBody* body, const rslMechanisms* floppy, rslPlace place, rslReport* report)
{
    if (!floppy->exact)
    {
        rslReport_Add(report, rsl_warning, place,
                      "body '%s' is large and one cell thick with '%s': whether its columns of nodes are kept "
                      "from sliding along each other is not known; '%s' has no such motions",
                      body->name, rslBody_FloppyKey(body), rslBody_StiffKey(body));
        return;
    }
    rslReport_Add(report, rsl_error, place,
                  "body '%s' is not held: %lld motion%s cost%s nothing although it keeps its place: with '%s', "
                  "columns of nodes slide along each other; use '%s', or pin one whole face",
                  body->name, (long long)floppy->modes, floppy->modes == 1 ? "" : "s", floppy->modes == 1 ? "s" : "",
                  rslBody_FloppyKey(body), rslBody_StiffKey(body));
}

static rslStatus JudgeFloppy(const Parts* parts, rslPlace place, rslReport* report)
{
    const rslModel* model = parts->model;
    rslVec3 ground = model->colliderCount > 0 ? model->colliders[0].normal : (rslVec3){ 0.0, 0.0, 0.0 };
    for (int c = 0; c < model->colliderCount; ++c)
    {
        rslVec3 across = rslCross(ground, model->colliders[c].normal);
        if (model->colliders[c].solid != NULL || rslDot(across, across) > 1e-12)
        {
            return rsl_ok;  // what holds more than one direction is not looked at
        }
    }
    for (int l = 0; l < model->linkCount; ++l)
    {
        for (int n = 0; model->links[l].stiffness > 0.0 && n < model->links[l].nodeCount; ++n)
        {
            parts->axes[model->links[l].nodes[n]] = 7;
        }
    }
    rslStatus status = rsl_ok;
    for (int b = 0; b < model->bodyCount && status != rsl_outOfMemory; ++b)
    {
        const rslBody* body = &model->bodies[b];
        rslMechanisms floppy;
        rslStatus counted = rslMechanisms_Count(body, parts->axes + body->firstNode, ground, parts->hooks, &floppy);
        if (counted == rsl_ok && (floppy.modes > 0 || !floppy.exact))
        {
            ReportFloppy(body, &floppy, place, report);
            counted = floppy.modes > 0 ? rsl_badInput : rsl_ok;
        }
        status = counted != rsl_ok ? counted : status;
    }
    return status;
}

rslStatus rslRigid_AllHeld(const rslModel* model, rslPlace place, const char* what, rslReport* report)
{
    for (int r = 0; r < model->rigidCount; ++r)
    {
        if (model->rigids[r].constraint < 0)
        {
            rslReport_Add(
                report, rsl_error, place,
                "%s needs every rigid body to be held, and '%s' is free: hold it by a constraint {type: pin, nodes: "
                "{body: %s}} or move it by one of type 'motion', take another integrator (with 'mass_damping' "
                "it comes to rest), or make it soft",
                what, model->bodies[model->rigids[r].body].name, model->bodies[model->rigids[r].body].name);
            return rsl_badInput;
        }
    }
    return rsl_ok;
}

rslStatus rslRigid_Check(const rslModel* model, const rslHooks* hooks, rslPlace place, bool* loose, rslReport* report)
{
    size_t count = (size_t)model->nodeCount;
    rslStatus held = rslRigid_AllHeld(model, place,
                                      "the integrator 'static' has nothing here that bodies could lie on, and", report);
    *loose = false;
    if (held != rsl_ok)
    {
        return held;
    }
    Parts parts = { .model = model, .hooks = hooks };
    parts.part = rslAllocate(hooks, count, sizeof(int));
    parts.position = rslAllocate(hooks, count, sizeof(rslVec3));
    parts.axes = rslAllocate(hooks, count, sizeof(uint8_t));
    rslStatus status = rsl_outOfMemory;
    if (parts.part != NULL && parts.position != NULL && parts.axes != NULL)
    {
        parts.count = rslParts_Find(model, parts.part);
        Place(&parts);
        status = Judge(&parts, place, report);
        *loose = status == rsl_badInput;
        status = status == rsl_ok ? JudgeFloppy(&parts, place, report) : status;
    }
    rslRelease(hooks, parts.parts);
    rslRelease(hooks, parts.axes);
    rslRelease(hooks, parts.position);
    rslRelease(hooks, parts.part);
    return status;
}
