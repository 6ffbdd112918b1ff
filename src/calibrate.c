// SPDX-License-Identifier: MIT
//
// calibrate.c: the constants of a network are set by what it measures as.
//
// The affine estimate lets no node relax and does not know of the springs that a surface cuts off. E is proportional to all
// constants together, so one measured E_m gives the factor E / E_m for all of them. What is measured:
//
//   a box with a side along the axis      itself, pulled along it with free sides (tension.h), whatever its network
//   a random network of another shape     a bar of the same network, as long as four times its width at least, and as wide
//                                         as gives it the volume over surface of the body, V / A = w / 4.5: what a surface
//                                         changes then is the same in both
//   tetrahedra made to fill a shape       a bar of the same spacing; they reach to the surface, so its size matters little
//   tetrahedra of a list or a file        themselves: see below
//
// A body of any shape whose border nodes move by u = e x while those inside relax has the mean stress
//   s = 1/V sum of f x over the border nodes, f the forces that hold them
// Six strains e give C, and E along an axis is 1 / (C^-1)_aa. It is the effective stiffness for this kind of loading, and no
// less than that of a body with free sides (Hill 1963): a coarse mesh is then a little softer than was asked for.
//
// A body with regions of other materials is measured as if it had none: the factor is one of the network.
//
// With dispersion nu can be met as well: what is measured for a nu that is asked for differs from it by little, and by little else
// for another nu nearby, so asking for nu + (nu - measured) is Newton's step but for a percent. The springs are those of the nu
// that is asked for in the end, k ~ 1 / (1 + nu).

#include "calibrate.h"

#include "log.h"
#include "repulsion.h"
#include "symmetric.h"
#include "tension.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum
{
    NARROWEST = 3,  // of a bar, in maxL or spacings
    WIDEST = 12,
    LONGEST = 40,
    ASPECT = 4,        // at least
    BAR_NODES = 4000,  // about; fewer would scatter more
    BAR_SPACINGS = 8,  // width of a bar of tetrahedra
    MOST_TURNS = 6,    // measurements until nu is met
};

#define TOLERANCE 1e-8
#define CLOSE 0.001 /* nu is met */
#define WORTH_SAYING 0.01
#define LEAST_PART 0.05 /* of Young's modulus, below which there is nothing to scale */
#define BALL 0.52359877559829887

typedef struct Calibration
{
    rslBuild* build;
    const rslBodyDef* def;
    const rslBody* body;
    const char* specimen;   // in words
    double young, poisson;  // measured
    int nodes, iterations;
    double residual;
} Calibration;

static double Along(rslVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// ---- the tension test -----------------------------------------------------------------------------------------------------

// Pull along all axes that are marked; the mean of what they measure.
static rslStatus PullAlong(Calibration* calibration, const rslModel* model, const rslBodyDef* def, const bool axes[3],
                           rslReport* report)
{
    rslStatus status = rsl_ok;
    double young = 0.0, poisson = 0.0;
    int pulls = 0;
    for (int axis = 0; status == rsl_ok && axis < 3; ++axis)
    {
        if (!axes[axis])
        {
            continue;
        }
        rslTensionDef pull = rslDefaultTensionDef();
        rslTension found;
        pull.axis = axis;
        pull.tolerance = TOLERANCE;
        status = rslTension_PullModel(model, def, &pull, &calibration->build->model->hooks, &found, report);
        young += found.young;
        poisson += found.poisson;
        calibration->iterations += found.iterations;
        calibration->residual = found.residual;
        pulls += 1;
    }
    calibration->young = young / pulls;
    calibration->poisson = poisson / pulls;
    return status;
}

// Which axes of a box to pull along. False when none is along the axis of the world that is asked for.
static bool ChooseAxes(rslCalibration asked, rslQuat box, bool axes[3])
{
    rslMat3 turn = rslQuatMatrix(box);
    bool any = false;
    for (int axis = 0; axis < 3; ++axis)
    {
        double along = asked == rsl_calibrateMean ? 1.0 : fabs(Along(turn.row[asked - rsl_calibrateX], axis));
        axes[axis] = along > 1.0 - 1e-9;
        any = any || axes[axis];
    }
    return any;
}

// ---- a bar ----------------------------------------------------------------------------------------------------------------

// V / A of a shape, by triangles of an edge.
static rslStatus FindWidth(const Calibration* calibration, double edge, double* width)
{
    const rslHooks* hooks = &calibration->build->model->hooks;
    rslShape* shape = NULL;
    rslMesh mesh = { 0 };
    double area = 0.0;
    rslStatus status = rslShape_Create(calibration->def->shape, hooks, &shape, NULL);
    status = status == rsl_ok ? rslShape_Surface(shape, edge, hooks, &mesh, NULL) : status;
    for (int t = 0; status == rsl_ok && t < mesh.triangleCount; ++t)
    {
        const int* corner = mesh.triangles + 3 * (size_t)t;
        rslVec3 x[3];
        for (int c = 0; c < 3; ++c)
        {
            const double* p = mesh.vertices + 3 * (size_t)corner[c];
            x[c] = (rslVec3){ p[0], p[1], p[2] };
        }
        area += 0.5 * rslLength(rslCross(rslSub(x[1], x[0]), rslSub(x[2], x[0])));
    }
    *width = area > 0.0 ? 4.5 * calibration->body->volume / area : WIDEST * edge;
    rslMesh_Free(&mesh);
    rslShape_Free(shape);
    return status;
}

// The definition of the bar; its shape goes to *box.
static rslStatus MakeBar(const Calibration* calibration, rslBodyDef* def, rslShapeDef* box)
{
    rslNetworkDef* network = &def->network;
    double unit = network->spacing, width = BAR_SPACINGS, length = ASPECT * width;
    rslStatus status = rsl_ok;
    if (network->type == rsl_randomNetwork)
    {
        double least = network->minLength, ball = BALL * least * least * least;
        unit = network->maxLength;
        // as dense as the body
        double filling = network->count * ball / calibration->body->volume;
        network->filling = network->count == 0 ? network->filling : filling < 0.38 ? filling : 0.38;
        network->count = 0;
        status = FindWidth(calibration, unit, &width);
        width = width < NARROWEST * unit ? NARROWEST : width > WIDEST * unit ? WIDEST : width / unit;
        length = BAR_NODES * ball / (network->filling * unit * unit * unit * width * width);
        length = length > LONGEST ? LONGEST : length;
        length = length < ASPECT * width ? ASPECT * width : length;
    }
    *box = rslDefaultShapeDef();
    box->type = rsl_boxShape;
    box->size = (rslVec3){ length * unit, width * unit, width * unit };
    def->shape = box;
    return status;
}

// ---- a border that moves ----------------------------------------------------------------------------------------------------

// The strains of unit size in the order xx yy zz yz zx xy, those of shear with u_y = z / 2, u_z = y / 2 and so on.
static rslVec3 Strained(int strain, rslVec3 x)
{
    switch (strain)
    {
        case 0: return (rslVec3){ x.x, 0.0, 0.0 };
        case 1: return (rslVec3){ 0.0, x.y, 0.0 };
        case 2: return (rslVec3){ 0.0, 0.0, x.z };
        case 3: return (rslVec3){ 0.0, 0.5 * x.z, 0.5 * x.y };
        case 4: return (rslVec3){ 0.5 * x.z, 0.0, 0.5 * x.x };
        default: return (rslVec3){ 0.5 * x.y, 0.5 * x.x, 0.0 };
    }
}

static bool RespondToStrain(rslRig* rig, int strain, double column[6])
{
    rslRig_Clear(rig);
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        if (rig->held[i] != 0)
        {
            rslRig_Move(rig, i, Strained(strain, rig->rest[i]));
        }
    }
    bool good = rslRig_Respond(rig, TOLERANCE);
    memset(column, 0, 6 * sizeof(double));
    for (int i = 0; i < rig->model.nodeCount; ++i)
    {
        rslVec3 f = rig->held[i] != 0 ? rslRig_Force(rig, i) : (rslVec3){ 0 }, x = rig->rest[i];
        const double s[6] = { f.x * x.x,
                              f.y * x.y,
                              f.z * x.z,
                              0.5 * (f.y * x.z + f.z * x.y),
                              0.5 * (f.z * x.x + f.x * x.z),
                              0.5 * (f.x * x.y + f.y * x.x) };
        for (int c = 0; c < 6; ++c)
        {
            column[c] += s[c] / rig->body.volume;
        }
    }
    return good;
}

// E along the axis, or its mean over the axes, from C; nu likewise. With C = sum l v v^T, (C^-1)_ab = sum v_a v_b / l.
static void ReadStiffness(Calibration* calibration, double c[RSL_SMALL][RSL_SMALL])
{
    rslCalibration asked = calibration->def->network.calibrate;
    double v[RSL_SMALL][RSL_SMALL], young = 0.0, poisson = 0.0, axes = asked == rsl_calibrateMean ? 3.0 : 1.0;
    rslSymmetric_Solve(c, v, 6);
    for (int a = 0; a < 3; ++a)
    {
        double s[3] = { 0.0, 0.0, 0.0 };
        for (int e = 0; e < 6; ++e)
        {
            for (int b = 0; b < 3; ++b)
            {
                s[b] += v[a][e] * v[b][e] / c[e][e];
            }
        }
        if (asked == rsl_calibrateMean || a == (int)asked - (int)rsl_calibrateX)
        {
            young += 1.0 / s[a] / axes;
            poisson -= 0.5 * (s[(a + 1) % 3] + s[(a + 2) % 3]) / s[a] / axes;
        }
    }
    calibration->young = young;
    calibration->poisson = poisson;
}

// The body needs a surface, whose vertices are nodes.
static rslStatus MoveBorder(Calibration* calibration, const rslModel* model, rslReport* report)
{
    rslRig rig;
    const rslBody* body = &model->bodies[0];
    rslStatus status = rslRig_Make(&rig, model, (rslQuat){ 1.0, 0.0, 0.0, 0.0 }, body->frame.origin,
                                   &calibration->build->model->hooks);
    for (int v = 0; status == rsl_ok && v < body->surface.vertexCount; ++v)
    {
        rig.held[body->surface.stencilNodes[8 * (size_t)v]] = 7;
    }
    status = status == rsl_ok ? rslRig_Close(&rig, 0, report) : status;
    double c[RSL_SMALL][RSL_SMALL];
    for (int strain = 0; status == rsl_ok && strain < 6; ++strain)
    {
        status = RespondToStrain(&rig, strain, c[strain]) ? rsl_ok : rsl_notConverged;
    }
    if (status == rsl_ok)
    {
        ReadStiffness(calibration, c);
    }
    calibration->iterations = rig.iterations;
    calibration->residual = rig.residual;
    calibration->nodes = model->nodeCount;
    rslRig_Free(&rig);
    return status;
}

// ---- together ---------------------------------------------------------------------------------------------------------------

// A model of one definition alone, without calibration.
static rslStatus BuildAlone(const Calibration* calibration, const rslBodyDef* def, rslBodyDef* alone, rslModel** model,
                            rslReport* report)
{
    rslScene single = rslScene_Alone(calibration->build->scene, def, alone);
    alone->network.calibrate = rsl_noCalibration;
    alone->regionCount = 0;
    alone->surface.enabled = def->network.type == rsl_tetrahedraNetwork;
    return rslModel_Build(&single, &calibration->build->model->hooks, model, report);
}

static rslStatus MeasureBar(Calibration* calibration, rslReport* report)
{
    rslBodyDef bar = *calibration->def, alone;
    rslShapeDef box;
    rslModel* model = NULL;
    rslStatus status = MakeBar(calibration, &bar, &box);
    status = status == rsl_ok ? BuildAlone(calibration, &bar, &alone, &model, report) : status;
    calibration->specimen = "a bar of its network";
    if (status == rsl_ok)
    {
        calibration->nodes = model->nodeCount;
        status = PullAlong(calibration, model, &alone, (const bool[3]){ true, false, false }, report);
    }
    rslModel_Free(model);
    return status;
}

static rslStatus Measure(Calibration* calibration, rslReport* report)
{
    const rslBodyDef* def = calibration->def;
    rslBodyDef alone;
    rslModel* model = NULL;
    rslStatus status = BuildAlone(calibration, def, &alone, &model, report);
    if (status != rsl_ok)
    {
        return status;
    }
    rslSpecimen specimen;
    bool axes[3];
    bool listed =
        def->network.type == rsl_tetrahedraNetwork && (def->shape == NULL || def->network.tetrahedronCount > 0);
    calibration->specimen = "the body";
    calibration->nodes = model->nodeCount;
    if (rslSpecimen_Find(model, &alone, &specimen) == NULL && ChooseAxes(def->network.calibrate, specimen.axes, axes))
    {
        status = PullAlong(calibration, model, &alone, axes, report);
    }
    else if (listed)
    {
        status = MoveBorder(calibration, model, report);
    }
    rslModel_Free(model);
    bool done = calibration->young != 0.0 || listed || status != rsl_ok;
    return done ? status : MeasureBar(calibration, report);
}

static void ScaleSprings(const Calibration* calibration, double factor, double young, rslBody* body)
{
    double nu = calibration->poisson;
    rslSpring* springs = (rslSpring*)body->network.springs;  // of our arena
    for (int i = 0; i < body->network.springCount; ++i)
    {
        springs[i].stiffness *= factor;
        springs[i].damping *= factor;
    }
    // those of ours: explicit networks are not calibrated
    double* each = (double*)(uintptr_t)body->repulsion.stiffnesses;
    for (int e = 0; rslRepulsion_IsFelt(&body->repulsion) && e < body->repulsion.count; ++e)
    {
        each[e] *= factor;
    }
    nu = nu > -0.999 && nu < 0.4999 ? nu : 0.25;
    body->young = young;
    body->poisson = nu;
    body->shear = young / (2.0 * (1.0 + nu));
    body->bulk = young / (3.0 * (1.0 - 2.0 * nu));
    body->waveSpeed = sqrt((body->bulk + 4.0 / 3.0 * body->shear) / body->density);
    rslRegion* regions = (rslRegion*)body->regions;  // of our arena; the first is the body's own material
    // with a q each they are expected to meet their own nu
    for (int r = body->regionCount - 1; body->dispersion.nodeQ == NULL && r >= 0; --r)
    {
        double part = regions[r].young / regions[0].young;
        regions[r].young = part * body->young;
        regions[r].poisson = nu;
        regions[r].shear = part * body->shear;
        regions[r].bulk = part * body->bulk;
    }
}

// What keeps a network from being measured, and what the test said about it.
static void Explain(const Calibration* calibration, rslStatus status, const rslReport* said)
{
    const rslBodyDef* def = calibration->def;
    rslReport* report = calibration->build->report;
    const char* way = def->network.type == rsl_randomNetwork ? "take a larger max_length" : "mesh anew";
    char why[96] = "parts of it are not held together";
    if (status == rsl_notConverged)
    {
        snprintf(why, sizeof why, "%.1g of the forces were left after %d iterations", calibration->residual,
                 calibration->iterations);
    }
    rslReport_Add(
        report, rsl_error, def->network.place,
        "body '%s' cannot be calibrated: %s, when %s was pulled; it may have nodes that move without cost: %s, or "
        "calibrate: none",
        def->name, why, calibration->specimen, way);
    for (int i = 0; i < said->count; ++i)
    {
        if (said->messages[i].severity == rsl_error)
        {
            rslReport_Add(report, rsl_note, def->network.place, "the test: %s", said->messages[i].text);
        }
    }
}

static void Tell(const Calibration* calibration, double factor, double seconds)
{
    static const char* const axes[] = { "", "along x", "along y", "along z", "along its three axes" };
    const rslBodyDef* def = calibration->def;
    rslReport_Add(calibration->build->report, rsl_note, def->network.place,
                  "body '%s': %s of %d nodes pulled %s measures E = %.5g Pa, nu = %.3f; all spring constants were "
                  "multiplied by %.5g",
                  def->name, calibration->specimen, calibration->nodes, axes[def->network.calibrate],
                  calibration->young, calibration->poisson, factor);
    if (factor > 1.3)
    {
        rslReport_Add(calibration->build->report, rsl_warning, def->network.place,
                      "body '%s' has so few springs that their constants were raised by %.0f %%; other axes and shapes "
                      "will differ from its Young's modulus by some percent; %s",
                      def->name, 100.0 * (factor - 1.0),
                      def->network.type == rsl_randomNetwork ? "a larger max_length is better" : "mesh anew");
    }
    rslLog(&calibration->build->model->hooks, rsl_note, "calibration of body '%s': %d nodes, %d iterations, %.3g s",
           def->name, calibration->nodes, calibration->iterations, seconds);
}

static double Now(void)
{
    struct timespec now = { 0 };
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Measure, and with dispersion again with what is asked for changed until nu is met. A body with several q is left at one.
static rslStatus MeetPoisson(Calibration* calibration, rslBodyDef* trial, rslReport* report)
{
    double wanted = trial->material.poisson;
    bool turns = trial->model.type == rsl_dispersionModel && calibration->body->dispersion.nodeQ == NULL;
    rslStatus status = Measure(calibration, report);
    for (int t = 1; turns && t < MOST_TURNS && status == rsl_ok && fabs(calibration->poisson - wanted) > CLOSE; ++t)
    {
        double next = trial->material.poisson + (wanted - calibration->poisson);
        trial->material.poisson = next < -0.99 ? -0.99 : next > 0.499 ? 0.499 : next;
        calibration->young = 0.0;
        status = Measure(calibration, report);
    }
    return status;
}

rslStatus rslBuild_Calibrate(rslBuild* build, const rslBodyDef* def, rslBody* body)
{
    bool can = def->network.type == rsl_randomNetwork || def->network.type == rsl_tetrahedraNetwork;
    if (!can || def->network.calibrate == rsl_noCalibration)
    {
        return rsl_ok;
    }
    rslBodyDef trial = *def;
    rslMaterialDef material = rslMaterial_Resolve(&def->material);
    trial.material.poisson = material.poisson;
    Calibration calibration = { .build = build, .def = &trial, .body = body };
    double start = Now(), young = material.young;
    rslReport said = { 0 };
    rslStatus status = MeetPoisson(&calibration, &trial, &said);
    if (status == rsl_ok && !(calibration.young > LEAST_PART * young))
    {
        rslReport_Add(
            build->report, rsl_error, def->network.place,
            "body '%s' cannot be calibrated: %s measures %.2g of Young's modulus, next to nothing; it has %.1f "
            "springs a node, and stiffness begins at six: take more, or calibrate: none",
            def->name, calibration.specimen, calibration.young / young,
            2.0 * body->network.springCount / body->nodeCount);
        return rsl_badInput;
    }
    if (status == rsl_ok)
    {
        double factor = young / calibration.young;
        if (def->model.type == rsl_dispersionModel)
        {
            factor *= (1.0 + material.poisson) / (1.0 + trial.material.poisson);
            body->dispersion.q = rslDispersion_Q(trial.material.poisson);
        }
        ScaleSprings(&calibration, factor, young, body);
        Tell(&calibration, factor, Now() - start);
        if (def->model.type == rsl_dispersionModel && fabs(calibration.poisson - material.poisson) > WORTH_SAYING)
        {
            rslReport_Add(build->report, rsl_warning, def->network.place,
                          "body '%s' asks for Poisson's ratio %.4g and measures %.4g%s", def->name, material.poisson,
                          calibration.poisson,
                          body->dispersion.nodeQ != NULL ? ": it is not calibrated where regions have another" : "");
        }
    }
    else if (status != rsl_outOfMemory)
    {
        Explain(&calibration, status, &said);
        status = rsl_badInput;
    }
    return status;
}
