// SPDX-License-Identifier: MIT
//
// build_rigid.c: bodies that move as one.
//
// Mass, centre and inertia are those of the shape and its density, with regions; of the triangles or cells of a body
// without a shape; of the masses as listed of an explicit network. Its nodes get the mass and the centre exactly, by
//   m_i' = (M / sum m) m_i (1 + b.(x_i - x_)),    b = S^-1 (X - x_),   S = mean of (x - x_)(x - x_)^T over the masses
// so that gravity and all sums over nodes are exact. Their inertia cannot always be right (that of a single cell with its
// mass at the corners is three times too large): what is missing is kept beside them, as `hidden`.
//
// Everything that is welded counts with its node masses. C is the common centre and
//   J = hidden + sum over own and welded nodes of m (|r|^2 - r r^T),   r = X - C

#include "build.h"
#include "elementary.h"
#include "inertia.h"

#include <string.h>

// ---- what it is built from ------------------------------------------------------------------------------------------

// Networks are built as always; what has no meaning for a rigid body gets a value of no consequence.
void rslBuild_RigidDef(rslBodyDef* def)
{
    rslMaterialDef material = rslMaterial_Resolve(&def->material);
    material.young = isnan(material.young) ? 1.0 : material.young;
    material.poisson = def->network.type == rsl_sheetNetwork ? 1.0 / 3.0 : 0.25;
    material.stiffnessDamping = 0.0;
    material.orthotropic = NULL;
    def->material = material;
    def->regionCount = 0;
    def->regions = NULL;
    def->network.calibrate = rsl_noCalibration;
    def->network.law = rsl_linearSpring;
}

// Edges only: they are drawn, and hold nothing. What is not known is 0, as for explicit networks.
static void Stiffen(const rslBodyDef* def, rslBody* body)
{
    rslSpring* springs = (rslSpring*)(uintptr_t)body->network.springs;  // of the arena, not yet shared
    for (int s = 0; s < body->network.springCount; ++s)
    {
        springs[s].stiffness = springs[s].damping = 0.0;
    }
    memset(body->lattice.stiffness, 0, sizeof body->lattice.stiffness);
    double young = def->network.type == rsl_explicitNetwork ? RSL_AUTO : rslMaterial_Resolve(&def->material).young;
    body->young = isnan(young) ? 0.0 : young;
    body->poisson = body->shear = body->bulk = body->waveSpeed = body->stiffnessDamping = 0.0;
}

// ---- its mass -------------------------------------------------------------------------------------------------------

static rslStatus AddShapeOf(rslBuild* build, const rslShapeDef* def, double density, rslVec3 about, rslInertia* inertia)
{
    rslShape* shape = NULL;
    rslStatus status = rslShape_Create(def, &build->model->hooks, &shape, build->report);
    status = status == rsl_ok ? rslInertia_AddShape(inertia, density, shape, about, &build->model->hooks) : status;
    rslShape_Free(shape);
    return status;
}

// What a region changes: in the body, and not in a later region.
static rslStatus AddRegion(rslBuild* build, const rslBodyDef* def, int index, double density, rslVec3 about,
                           rslInertia* inertia)
{
    int later = def->regionCount - index - 1;
    rslShapeDef within = rslDefaultShapeDef(), only = rslDefaultShapeDef();
    rslShapeDef* parts = rslAllocate(&build->model->hooks, 3 + (size_t)later, sizeof(rslShapeDef));
    if (parts == NULL)
    {
        return rsl_outOfMemory;
    }
    parts[0] = *def->shape;
    parts[1] = *def->regions[index].shape;
    within.type = rsl_intersectionShape;
    within.parts = parts;
    within.partCount = 2;
    parts[2] = within;
    for (int r = 0; r < later; ++r)
    {
        parts[3 + r] = *def->regions[index + 1 + r].shape;
    }
    only.type = rsl_differenceShape;
    only.parts = parts + 2;
    only.partCount = 1 + later;
    rslStatus status = AddShapeOf(build, later > 0 ? &only : &within, density, about, inertia);
    rslRelease(&build->model->hooks, parts);
    return status;
}

// In the frame of the body.
static rslStatus ExactInertia(rslBuild* build, const rslBodyDef* def, const rslBody* body, rslInertia* inertia)
{
    double density = rslMaterial_Resolve(&def->material).density;
    bool sheet = def->network.type == rsl_sheetNetwork;
    if (def->shape == NULL || sheet || def->network.type == rsl_explicitNetwork)
    {
        return rsl_ok;  // of its elements (rslBuild_AddRigid), or of its nodes
    }
    rslVec3 about = body->frame.origin;
    rslQuat q = body->frame.rotation;
    rslMat3 back = rslQuatMatrix((rslQuat){ q.w, -q.x, -q.y, -q.z });
    *inertia = (rslInertia){ 0 };
    rslStatus status = AddShapeOf(build, def->shape, density, about, inertia);
    for (int r = 0; r < def->regionCount && status == rsl_ok; ++r)
    {
        double other = rslMaterial_Resolve(&def->regions[r].material).density;
        status = other != density ? AddRegion(build, def, r, other - density, about, inertia) : rsl_ok;
    }
    inertia->first = rslMatVec(&back, inertia->first);
    inertia->second = rslSymmetric_Turn(&back, inertia->second);
    return status;
}

void rslBuild_AddRigid(rslBuild* build, const rslBody* body, double density, const rslElementList* list)
{
    rslInertia* inertia = &build->inertias[body - build->bodies];
    for (int e = 0; e < list->count; ++e)
    {
        rslVec3 p[8];
        for (int c = 0; c < list->corners; ++c)
        {
            double x[3];
            int node = list->firstNode + list->nodes[(size_t)list->corners * (size_t)e + (size_t)c];
            rslBody_Rest(body, node, node + 1, x);
            p[c] = (rslVec3){ x[0], x[1], x[2] };
        }
        switch (list->corners)
        {
            case 3: rslInertia_AddTriangle(inertia, density, p); break;
            case 4: rslInertia_AddTetrahedron(inertia, density, p); break;
            default: rslInertia_AddHexahedron(inertia, density, p); break;
        }
    }
}

static rslInertia NodeInertia(const rslModel* model, const rslBody* body)
{
    rslInertia sum = { 0 };
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        double x[3];
        rslBody_Rest(body, i, i + 1, x);
        rslInertia_AddPoint(&sum, model->mass[i], (rslVec3){ x[0], x[1], x[2] });
    }
    return sum;
}

// b above; directions in which the body has no extent need no correction.
static rslVec3 FindTilt(const rslInertia* nodes, rslVec3 centre, rslVec3 wanted)
{
    rslSymmetric s = rslSymmetric_Scale(1.0 / nodes->mass, nodes->second);
    s = rslSymmetric_MulAdd(s, -1.0, rslSymmetric_Square(centre));
    double a[RSL_SMALL][RSL_SMALL] = { { s.xx, s.xy, s.zx }, { s.xy, s.yy, s.yz }, { s.zx, s.yz, s.zz } };
    double v[RSL_SMALL][RSL_SMALL], trace = s.xx + s.yy + s.zz;
    rslVec3 tilt = { 0.0, 0.0, 0.0 }, d = rslSub(wanted, centre);
    rslSymmetric_Solve(a, v, 3);
    for (int i = 0; i < 3; ++i)
    {
        rslVec3 e = { v[0][i], v[1][i], v[2][i] };
        double part = a[i][i] > 1e-9 * trace ? rslDot(e, d) / a[i][i] : 0.0;
        tilt = rslMulAdd(tilt, part, e);
    }
    return tilt;
}

static rslStatus FitMasses(rslBuild* build, const rslBodyDef* def, rslBody* body, const rslInertia* exact)
{
    double* mass = (double*)(uintptr_t)build->model->mass;  // of the arena, not yet shared
    rslInertia nodes = NodeInertia(build->model, body);
    rslVec3 centre = rslScale(1.0 / nodes.mass, nodes.first), wanted = rslScale(1.0 / exact->mass, exact->first);
    rslVec3 tilt = FindTilt(&nodes, centre, wanted);
    double factor = exact->mass / nodes.mass;
    body->mass = 0.0;
    for (int i = body->firstNode; i < body->firstNode + body->nodeCount; ++i)
    {
        double x[3];
        rslBody_Rest(body, i, i + 1, x);
        double share = 1.0 + rslDot(tilt, rslSub((rslVec3){ x[0], x[1], x[2] }, centre));
        if (!(share > 0.0))
        {
            rslReport_Add(build->report, rsl_error, def->network.place,
                          "no masses at the nodes of rigid body '%s' have the centre of its shape: the network is too "
                          "coarse; try half the spacing",
                          def->name);
            return rsl_badInput;
        }
        mass[i] *= factor * share;
        body->mass += mass[i];
    }
    return rsl_ok;
}

static rslStatus FillRigid(rslBuild* build, int index, rslRigid* rigid)
{
    const rslBodyDef* def = &build->scene->bodies[index];
    rslBody* body = &build->bodies[index];
    rslInertia* exact = &build->inertias[index];
    *rigid = (rslRigid){ .body = index, .constraint = -1, .planar = build->model->plane == rsl_planeXY };
    Stiffen(def, body);
    rslStatus status = ExactInertia(build, def, body, exact);
    if (status == rsl_ok && exact->mass > 0.0)
    {
        status = FitMasses(build, def, body, exact);
        rslInertia nodes = NodeInertia(build->model, body);
        rslSymmetric missing = rslInertia_Tensor(&nodes);
        missing = rslSymmetric_MulAdd(rslInertia_Tensor(exact), -1.0, missing);
        memcpy(rigid->hidden, &missing, sizeof rigid->hidden);
        body->density = body->volume > 0.0 && def->regionCount > 0 ? exact->mass / body->volume : body->density;
    }
    return status;
}

rslStatus rslBuild_Rigids(rslBuild* build)
{
    rslModel* model = build->model;
    int count = 0;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        count += build->bodies[b].model == rsl_rigidModel ? 1 : 0;
    }
    build->rigids = rslArena_Allocate(build->arena, (size_t)count, sizeof(rslRigid));
    rslStatus status = build->rigids != NULL ? rsl_ok : rsl_outOfMemory;
    model->rigids = build->rigids;
    for (int b = 0; b < model->bodyCount && status != rsl_outOfMemory; ++b)
    {
        if (build->bodies[b].model == rsl_rigidModel)
        {
            rslStatus one = FillRigid(build, b, &build->rigids[model->rigidCount++]);
            status = one != rsl_ok ? one : status;
        }
    }
    return status;
}

// ---- what holds it, and what it carries -----------------------------------------------------------------------------

// How many of its nodes a constraint holds.
static int CountHeld(const rslConstraint* constraint, const rslBody* body)
{
    int held = 0;
    for (int n = 0; n < constraint->nodeCount; ++n)
    {
        held += constraint->nodes[n] >= body->firstNode && constraint->nodes[n] < body->firstNode + body->nodeCount;
    }
    return held;
}

// A rigid body is held as a whole or not at all.
static rslStatus FindHolder(rslBuild* build, rslRigid* rigid)
{
    const rslModel* model = build->model;
    const rslBody* body = &build->bodies[rigid->body];
    for (int c = 0; c < model->constraintCount; ++c)
    {
        const rslConstraint* constraint = &model->constraints[c];
        int held = CountHeld(constraint, body);
        bool all = constraint->axes[0] && constraint->axes[1] && (constraint->axes[2] || model->plane == rsl_planeXY);
        if (held == 0)
        {
            continue;
        }
        if (held < body->nodeCount || !all || constraint->offsets != NULL)
        {
            rslReport_Add(build->report, rsl_error, build->scene->constraints[c].place,
                          "this constraint holds %s rigid body '%s'; a rigid body is held or moved as a whole (nodes: "
                          "{body: %s, type: all}, all axes, no offsets), and at a point or about an axis by 'joints'",
                          held < body->nodeCount ? "some nodes of"
                          : !all                 ? "some axes of"
                                                 : "by offsets",
                          body->name, body->name);
            return rsl_badInput;
        }
        rigid->constraint = c;
    }
    return rsl_ok;
}

// Refuse what would spin at no cost.
static rslStatus CheckInertia(rslBuild* build, rslRigid* rigid)
{
    const rslBodyDef* def = &build->scene->bodies[rigid->body];
    double least = rigid->planar ? rigid->inertia[2] : rigid->inertia[0];
    for (int i = 0; rigid->constraint >= 0 && i < 3; ++i)
    {
        // what is held spins as it is told: any inertia will do to know how fast
        double some = 1e-6 * (rigid->inertia[2] > 0.0 ? rigid->inertia[2] : rigid->mass);
        rigid->inertia[i] = rigid->inertia[i] > some ? rigid->inertia[i] : some;
    }
    if (rigid->constraint >= 0 || (least > 0.0 && least > 1e-9 * rigid->inertia[2]))
    {
        return rsl_ok;
    }
    rslReport_Add(
        build->report, rsl_error, def->place,
        "rigid body '%s' has no inertia about %s: its nodes lie %s; give it nodes off that line, or hold all of "
        "it with a pin or a motion",
        def->name, rigid->inertia[2] > 0.0 ? "an axis" : "any axis",
        rigid->inertia[2] > 0.0 ? "on a line" : "at one point");
    return rsl_badInput;
}

static void AddNodes(const rslModel* model, rslRigid* rigid)
{
    const rslBody* body = &model->bodies[rigid->body];
    rslInertia all = NodeInertia(model, body);
    for (int w = 0; w < rigid->weldCount; ++w)
    {
        const double* x = &rigid->places[3 * (size_t)w];
        rslInertia_AddPoint(&all, model->mass[rigid->welded[w]], (rslVec3){ x[0], x[1], x[2] });
    }
    rslSymmetric hidden;
    memcpy(&hidden, rigid->hidden, sizeof hidden);
    rigid->mass = all.mass;
    rigid->centre = rslScale(1.0 / all.mass, all.first);
    rslInertia_Principal(rslSymmetric_MulAdd(rslInertia_Tensor(&all), 1.0, hidden), rigid->inertia, &rigid->axes);
}

rslStatus rslBuild_HoldRigids(rslBuild* build)
{
    rslStatus status = rsl_ok;
    for (int r = 0; r < build->model->rigidCount; ++r)
    {
        AddNodes(build->model, &build->rigids[r]);
        rslStatus one = FindHolder(build, &build->rigids[r]);
        one = one == rsl_ok ? CheckInertia(build, &build->rigids[r]) : one;
        status = one != rsl_ok ? one : status;
    }
    return status;
}
