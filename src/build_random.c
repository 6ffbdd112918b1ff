// SPDX-License-Identifier: MIT
//
// build_random.c: a shape filled with a random network (Kot, section 2.4).
//
// Nodes by random sequential addition, none closer than minL (random_points.c); a spring between all that are not farther
// apart than maxL. A node with fewer than three springs can move without cost, so it is taken out, and again, until all
// have three. The mass rho V is shared equally by the nodes that are left: they are equally dense everywhere, up to the
// surface.
//
// The constants. When all nodes move with a uniform strain e, a volume change costs W = 1/2 K V (tr e)^2, and every spring
// has dL = L tr e / 3, so
//
//     K = 1/(9 V) sum k L^2                       Kot eq. 2.23
//     E = 3/2 K                                   at nu = 1/4, which central forces on an isotropic network have
//     k = 6 V E / sum L^2                         uniform
//     k_i = c / L_i^2,  c = 6 V E / S             inverse square, of S springs
//
// This is an upper bound for the inside, because nodes relax, and it misses the springs that a surface cuts off. At 15 to
// 23 springs a node the two errors cancel to some percent; with fewer, relaxing wins (measured, uniform k, blocks about ten
// maxL wide: 0.11 of E at 6.2 springs, 0.57 at 8, 0.80 at 10, 0.90 at 12, 0.97 at 16). Six a node is the isostatic limit.

#include "build.h"
#include "elementary.h"
#include "random_points.h"
#include "shape_internal.h"

#include <string.h>

enum
{
    LEAST_SPRINGS = 3,  // of a node
};

#define BALL 0.52359877559829887 /* pi / 6 */

typedef struct RandomNetwork
{
    rslDraft draft;
    rslRandomPoints points;
    double volume;  // of the shape [m3]
    int removed;    // nodes with too few springs
} RandomNetwork;

// ---- nodes ----------------------------------------------------------------------------------------------------------

// Refused before any memory is taken.
static bool CheckGrid(rslBuild* build, const rslBodyDef* def, const rslShape* shape)
{
    double least = def->network.minLength, fitting = least, cells = rslRandomPoints_Cells(shape, least);
    if (cells <= RSL_GRID_MOST)
    {
        return true;
    }
    while (fitting < 1e9 * least && rslRandomPoints_Cells(shape, fitting) > RSL_GRID_MOST)
    {
        fitting *= 1.05;
    }
    rslReport_Add(
        build->report, rsl_error, def->network.place,
        "the random network of body '%s' would need a grid of %.3g cells, more than %.3g; a min_length of %.2g "
        "m would fit",
        def->name, cells, RSL_GRID_MOST, 1.05 * fitting);
    return false;
}

// How many nodes are asked for; 0 when it cannot be.
static int WantedNodes(rslBuild* build, const rslBodyDef* def, const rslShape* shape, double volume)
{
    const rslNetworkDef* network = &def->network;
    double least = network->minLength, ball = BALL * least * least * least;
    double wanted = network->count > 0 ? network->count : floor(network->filling * volume / ball + 0.5);
    if (wanted < 4.0)
    {
        rslReport_Add(
            build->report, rsl_error, network->place,
            "the random network of body '%s' would have %.0f nodes: its volume is %.3g m3, min_length %.3g m; "
            "a min_length of %.2g m gives about 1000",
            def->name, wanted, volume, least, rslCubeRoot(network->filling * volume / (1000.0 * BALL)));
        return 0;
    }
    // an upper bound for any packing of balls that may reach out of the shape by their radius
    if (wanted > rslRandomPoints_Cells(shape, least))
    {
        rslReport_Add(
            build->report, rsl_error, network->place,
            "%d nodes of body '%s' cannot be %.3g m apart: its volume has room for about %.0f; take fewer, or a "
            "min_length of %.2g m",
            network->count, def->name, least, 0.38 * volume / ball, rslCubeRoot(0.34 * volume / (wanted * BALL)));
        return 0;
    }
    return (int)wanted;
}

// Jammed a little early, as a small shape may be, is worth a word; far from what was asked for is an error.
static rslStatus CheckJamming(rslBuild* build, const rslBodyDef* def, const RandomNetwork* random, int wanted)
{
    int count = random->points.count;
    if (!random->points.jammed)
    {
        return rsl_ok;
    }
    double least = def->network.minLength, ball = BALL * least * least * least;
    bool far = count < 4 || count < 0.95 * wanted;
    rslReport_Add(
        build->report, far ? rsl_error : rsl_warning, def->network.place,
        "the random network of body '%s' is jammed at %d of %d nodes: they fill %.3f of its volume, and no point "
        "is left that is %.3g m from all; take fewer, or a min_length of %.2g m",
        def->name, count, wanted, count * ball / random->volume, least,
        rslCubeRoot(0.34 * random->volume / (wanted * BALL)));
    return far ? rsl_badInput : rsl_ok;
}

static rslStatus PlaceNodes(rslBuild* build, const rslBodyDef* def, const rslShape* shape, RandomNetwork* random)
{
    double least = def->network.minLength;
    if (!CheckGrid(build, def, shape))
    {
        return rsl_badInput;
    }
    random->volume = rslShape_Volume(shape, 0.5 * least);
    int wanted = WantedNodes(build, def, shape, random->volume);
    if (wanted == 0)
    {
        return rsl_badInput;
    }
    rslStatus status = rslRandomPoints_Place(shape, least, wanted, rslBuild_Seed(build, def->name),
                                             &build->model->hooks, &random->points);
    return status == rsl_ok ? CheckJamming(build, def, random, wanted) : status;
}

// ---- springs --------------------------------------------------------------------------------------------------------

static void CountPair(int a, int b, double distance, void* context)
{
    (void)a;
    (void)b;
    (void)distance;
    ++*(int64_t*)context;
}

static void AddPair(int a, int b, double distance, void* context)
{
    rslDraft* draft = context;
    draft->springs[draft->springCount++] = (rslSpring){ .a = a, .b = b, .restLength = distance };
}

static rslStatus JoinNodes(rslBuild* build, const rslBodyDef* def, RandomNetwork* random)
{
    const rslHooks* hooks = &build->model->hooks;
    rslDraft* draft = &random->draft;
    int64_t springs = 0;
    if (!rslRandomPoints_Pairs(&random->points, def->network.maxLength, CountPair, &springs))
    {
        return rsl_outOfMemory;
    }
    if (springs > INT32_MAX / 2)
    {
        rslReport_Add(
            build->report, rsl_error, def->network.place,
            "the random network of body '%s' would have %.3g springs, more than 2^30; take a smaller max_length",
            def->name, (double)springs);
        return rsl_badInput;
    }
    draft->springs = rslAllocate(hooks, (size_t)springs, sizeof(rslSpring));
    draft->masses = rslAllocate(hooks, (size_t)random->points.count, sizeof(double));
    if (draft->springs == NULL || draft->masses == NULL ||
        !rslRandomPoints_Pairs(&random->points, def->network.maxLength, AddPair, draft))
    {
        return rsl_outOfMemory;
    }
    draft->nodeCount = random->points.count;
    draft->positions = random->points.xyz;
    random->points.xyz = NULL;
    return rsl_ok;
}

// ---- loose nodes ----------------------------------------------------------------------------------------------------

// Take out springs with an end that is left out, then count those of every node.
static void CountDegrees(rslDraft* draft, int* degree)
{
    int kept = 0;
    for (int i = 0; i < draft->nodeCount; ++i)
    {
        degree[i] = degree[i] < LEAST_SPRINGS ? -1 : 0;
    }
    for (int i = 0; i < draft->springCount; ++i)
    {
        rslSpring spring = draft->springs[i];
        if (degree[spring.a] >= 0 && degree[spring.b] >= 0)
        {
            ++degree[spring.a];
            ++degree[spring.b];
            draft->springs[kept++] = spring;
        }
    }
    draft->springCount = kept;
}

static bool HasLooseNode(const rslDraft* draft, const int* degree)
{
    bool loose = false;
    for (int i = 0; i < draft->nodeCount && !loose; ++i)
    {
        loose = degree[i] >= 0 && degree[i] < LEAST_SPRINGS;
    }
    return loose;
}

// Close the gaps; degree becomes the new number of every node.
static void Renumber(rslDraft* draft, int* degree)
{
    int kept = 0;
    for (int i = 0; i < draft->nodeCount; ++i)
    {
        if (degree[i] >= 0)
        {
            memmove(draft->positions + 3 * (size_t)kept, draft->positions + 3 * (size_t)i, 3 * sizeof(double));
            degree[i] = kept++;
        }
    }
    for (int i = 0; i < draft->springCount; ++i)
    {
        draft->springs[i].a = degree[draft->springs[i].a];
        draft->springs[i].b = degree[draft->springs[i].b];
    }
    draft->nodeCount = kept;
}

static rslStatus RemoveLoose(rslBuild* build, const rslBodyDef* def, RandomNetwork* random)
{
    rslDraft* draft = &random->draft;
    int before = draft->nodeCount;
    int* degree = rslAllocate(&build->model->hooks, (size_t)before, sizeof(int));
    if (degree == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int i = 0; i < before; ++i)
    {
        degree[i] = LEAST_SPRINGS;
    }
    do
    {
        CountDegrees(draft, degree);
    } while (HasLooseNode(draft, degree));
    Renumber(draft, degree);
    rslRelease(&build->model->hooks, degree);
    random->removed = before - draft->nodeCount;
    if (draft->nodeCount == 0)
    {
        double least = def->network.minLength, most = def->network.maxLength;
        bool sparse = most < 1.9 * least;  // else there are too few nodes
        rslReport_Add(build->report, rsl_error, def->network.place,
                      "no node of the random network of body '%s' has three springs; take a larger max_length, such as "
                      "%.3g m%s",
                      def->name, sparse ? 2.0 * least : 2.0 * most,
                      sparse ? "" : ", or a smaller min_length, for more nodes");
        return rsl_badInput;
    }
    return rsl_ok;
}

// ---- material -------------------------------------------------------------------------------------------------------

static void SetConstants(const rslBodyDef* def, const rslMaterialDef* material, RandomNetwork* random)
{
    rslDraft* draft = &random->draft;
    bool uniform = def->network.stiffnessRule == rsl_uniformStiffness;
    double sum = 0.0;
    for (int i = 0; i < draft->springCount; ++i)
    {
        double length = draft->springs[i].restLength;
        sum += uniform ? length * length : 1.0;
    }
    double constant = 6.0 * random->volume * material->young / sum;
    for (int i = 0; i < draft->springCount; ++i)
    {
        rslSpring* spring = &draft->springs[i];
        spring->stiffness = uniform ? constant : constant / (spring->restLength * spring->restLength);
        spring->damping = material->stiffnessDamping * spring->stiffness;
    }
    for (int i = 0; i < draft->nodeCount; ++i)
    {
        draft->masses[i] = material->density * random->volume / draft->nodeCount;
    }
}

// The affine estimate: nu = 1/4, so lam = mu = 2/5 E and K = 2/3 E.
static void SetMaterial(const rslMaterialDef* material, const RandomNetwork* random, rslBody* body)
{
    double sum = 0.0;
    for (int i = 0; i < random->draft.springCount; ++i)
    {
        const rslSpring* spring = &random->draft.springs[i];
        sum += spring->stiffness * spring->restLength * spring->restLength;
    }
    body->bulk = sum / (9.0 * random->volume);
    body->young = 1.5 * body->bulk;
    body->poisson = 0.25;
    body->shear = 0.4 * body->young;
    body->density = material->density;
    body->waveSpeed = sqrt(1.2 * body->young / material->density);
    body->stiffnessDamping = material->stiffnessDamping;
    body->volume = random->volume;
}

// How much of E is left when nodes relax, by the number of springs a node; measured, see above.
static double RelaxedPart(double springs)
{
    static const double table[][2] = {
        { 5.8, 0.0 }, { 6.2, 0.11 }, { 8.0, 0.57 }, { 9.9, 0.80 }, { 12.0, 0.90 }, { 16.0, 0.97 },
    };
    const int last = (int)(sizeof table / sizeof table[0]) - 1;
    for (int i = 0; i < last; ++i)
    {
        if (springs < table[i + 1][0])
        {
            double share = (springs - table[i][0]) / (table[i + 1][0] - table[i][0]);
            return share > 0.0 ? table[i][1] + share * (table[i + 1][1] - table[i][1]) : 0.0;
        }
    }
    return 1.0;
}

static void Describe(rslBuild* build, const rslBodyDef* def, const RandomNetwork* random, const rslBody* body)
{
    double least = def->network.minLength;
    double filling = body->nodeCount * BALL * least * least * least / body->volume;
    double springs = 2.0 * body->network.springCount / body->nodeCount;
    rslPlace place = def->network.place;
    bool estimated = def->network.calibrate == rsl_noCalibration;
    rslReport_Add(build->report, rsl_note, place,
                  "random network of body '%s': %d nodes, filling %.3f (0.38 is jammed), %.1f springs a node%s",
                  def->name, body->nodeCount, filling, springs,
                  estimated ? "; its moduli are estimates that let no node relax (calibrate: x measures them)" : "");
    if (random->removed > 0)
    {
        rslReport_Add(build->report, rsl_warning, place,
                      "random network of body '%s': %d nodes with fewer than three springs were taken out; a larger "
                      "max_length keeps them",
                      def->name, random->removed);
    }
    if (estimated && RelaxedPart(springs) < 0.92)
    {
        rslReport_Add(build->report, rsl_warning, place,
                      "the random network of body '%s' has only %.1f springs a node: expect about %.0f %% of Young's "
                      "modulus; a larger max_length comes nearer (15 to 23 a node are good), or calibrate: x",
                      def->name, springs, 100.0 * RelaxedPart(springs));
    }
}

// A layer of half of maxL under the surface lacks springs. When that is all there is, the estimate means little.
static void CheckThickness(rslBuild* build, const rslBodyDef* def, const rslShape* shape, const rslBody* body)
{
    double most = def->network.maxLength, deepest = 0.0;
    for (int i = 0; i < body->nodeCount && deepest < 0.5 * most; ++i)
    {
        double x[3];
        rslBody_WorldRest(body, body->firstNode + i, body->firstNode + i + 1, x);
        deepest = fmax(deepest, -rslShape_Distance(shape, (rslVec3){ x[0], x[1], x[2] }));
    }
    if (deepest < 0.5 * most)
    {
        rslReport_Add(
            build->report, rsl_warning, def->network.place,
            "the shape of body '%s' is thinner than max_length (no node is deeper than %.3g m, and max_length is "
            "%.3g m): most springs are cut off, and its moduli will not be those asked for; take a min_length and "
            "a max_length some times smaller",
            def->name, deepest, most);
    }
}

rslStatus rslBuild_Random(rslBuild* build, const rslBodyDef* def, const rslShape* shape, rslBody* body)
{
    rslMaterialDef material = rslBuild_Material(def, &def->material);
    RandomNetwork random = { .points.hooks = build->model->hooks };
    rslStatus status = PlaceNodes(build, def, shape, &random);
    status = status == rsl_ok ? JoinNodes(build, def, &random) : status;
    rslRandomPoints_Free(&random.points);
    status = status == rsl_ok ? RemoveLoose(build, def, &random) : status;
    if (status == rsl_ok)
    {
        SetConstants(def, &material, &random);
        SetMaterial(&material, &random, body);
        status = rslBuild_Network(build, def, &random.draft, rsl_keepParallel, body);
    }
    if (status == rsl_ok)
    {
        body->spacing = rslCubeRoot(body->volume / body->nodeCount);
        Describe(build, def, &random, body);
        CheckThickness(build, def, shape, body);
        rslBuild_CheckPoisson(build, def, material.poisson, 0.25);
    }
    rslDraft_Free(&random.draft, &build->model->hooks);
    return status;
}
