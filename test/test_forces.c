// SPDX-License-Identifier: MIT
//
// test_forces.c: the forces of all terms together on random states: momentum, both precisions against each other, against
// plain sums over the springs of the public model, matrices, energies, loads.

#include "term_bench.h"

// ---- both precisions, in the world ----------------------------------------------------------------------------------------

static double* WorldForces(const rslModel* model, const rslState* state)
{
    const rslBackend* backend = rslBackend_For(state->precision);
    rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
    void* kernel = backend->create(model, rsl_positionVerlet, NULL, team);
    double* forces = calloc(3 * (size_t)model->nodeCount, sizeof(double));
    assert_non_null(kernel);
    assert_non_null(forces);
    backend->forces(kernel, state, forces);
    backend->destroy(kernel);
    rslTeam_Free(team);
    return forces;
}

static rslVec3 At(const double* xyz, int i)
{
    return (rslVec3){ xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2] };
}

// |sum f| / sum |f| and |sum x f| / sum |x| |f|, x from the first node. Far away positions would be rounded more than forces are: the
// frames are put around the first.
static void Momenta(const rslModel* model, rslState* state, double* linear, double* angular)
{
    double* forces = WorldForces(model, state);
    double* positions = calloc(3 * (size_t)model->nodeCount, sizeof(double));
    assert_non_null(positions);
    for (int b = model->bodyCount - 1; b >= 0; --b)
    {
        state->frames[b].origin = rslSub(state->frames[b].origin, state->frames[0].origin);
    }
    rslState_Positions(model, state, 0, model->nodeCount, positions);
    rslVec3 sum = { 0 }, torque = { 0 };
    double size = 0.0, arm = 0.0;
    for (int i = 0; i < model->nodeCount; ++i)
    {
        rslVec3 f = At(forces, i), x = rslSub(At(positions, i), At(positions, 0));
        sum = rslAdd(sum, f);
        torque = rslAdd(torque, rslCross(x, f));
        size += rslLength(f);
        arm += rslLength(f) * rslLength(x);
    }
    assert_true(size > 1.0);
    *linear = rslLength(sum) / size;
    *angular = rslLength(torque) / arm;
    free(positions);
    free(forces);
}

static void Momentum(void** unused)
{
    (void)unused;
    double worst[2][2] = { { 0 } };
    for (int c = 0; c < CASES; ++c)
    {
        for (uint64_t seed = 1; cases[c].free && seed <= Seeds(); ++seed)
        {
            rslModel* model = cases[c].build();
            rslState* wide = RandomState(&cases[c], model, 0.18, seed);
            rslState* narrow = Narrowed(model, wide);
            rslState* states[2] = { wide, narrow };
            for (int p = 0; p < 2; ++p)
            {
                double linear, angular;
                Momenta(model, states[p], &linear, &angular);
                // links act between positions in the world, rounded to about 1e-16 of how far away they are
                double bar = p == 0 ? 1e-14 + (cases[c].together ? 1e-15 * cases[c].far : 0.0) : 1e-6;
                if (!(linear <= bar && angular <= bar))
                {
                    print_error("%s, seed %d: sum of forces %.2g, of torques %.2g\n", cases[c].name, (int)seed, linear,
                                angular);
                    fail();
                }
                worst[p][0] = Worse(worst[p][0], linear);
                worst[p][1] = Worse(worst[p][1], angular);
            }
            rslState_Free(narrow);
            rslState_Free(wide);
            rslModel_Free(model);
        }
    }
    assert_proved("sum of internal forces over sum of sizes, double", worst[0][0], 1e-12);
    assert_proved("sum of internal torques over sum of sizes, double", worst[0][1], 1e-12);
    assert_proved("sum of internal forces over sum of sizes, single", worst[1][0], 1e-6);
    assert_proved("sum of internal torques over sum of sizes, single", worst[1][1], 1e-6);
}

// ---- against the public model ---------------------------------------------------------------------------------------------

// Forces in the world from what the model tells: springs, links, masses, ground, surface; and positions and velocities.
typedef struct Plain
{
    const rslModel* model;
    double* x;
    double* v;
    double* f;
    double energy;  // of springs and links
} Plain;

static void Push(Plain* plain, int node, double factor, rslVec3 force)
{
    plain->f[3 * node] += factor * force.x;
    plain->f[3 * node + 1] += factor * force.y;
    plain->f[3 * node + 2] += factor * force.z;
}

// What a spring with a damper between two points, d apart and parting with the velocity rate, pulls with.
static rslVec3 PlainPull(Plain* plain, rslVec3 d, rslVec3 rate, double k, double c, double length)
{
    double distance = rslLength(d);
    plain->energy += 0.5 * k * (distance - length) * (distance - length);
    if (length == 0.0)
    {
        return rslMulAdd(rslScale(k, d), c, rate);
    }
    rslVec3 n = rslScale(1.0 / distance, d);
    return rslScale(k * (distance - length) + c * rslDot(n, rate), n);
}

// The other laws as their papers write them: Kot eq. 4.2 and 4.6, Cooper and Maddock eq. 4 with half the stiffness.
static rslVec3 PlainCurve(Plain* plain, rslVec3 d, rslVec3 rate, const rslSpring* spring, bool cooper)
{
    double x = rslLength(d), x0 = spring->restLength, k = spring->stiffness;
    double carrier = k * x0 * x0 * (1.0 / x0 - 1.0 / x), other = -k / 2.0 * (x0 * x0 / x - x);
    plain->energy += cooper ? k / 2.0 * ((x * x - x0 * x0) / 2.0 - x0 * x0 * log(x / x0))
                            : k * x0 * x0 * ((x - x0) / x0 - log(x / x0));
    rslVec3 n = rslScale(1.0 / x, d);
    return rslScale((cooper ? other : carrier) + spring->damping * rslDot(n, rate), n);
}

static bool AddPlainSpring(const rslSpring* spring, void* context)
{
    Plain* plain = context;
    rslVec3 d = rslSub(At(plain->x, spring->b), At(plain->x, spring->a));
    rslVec3 rate = rslSub(At(plain->v, spring->b), At(plain->v, spring->a));
    const rslBody* body = &plain->model->bodies[rslModel_BodyOf(plain->model, spring->a)];
    rslSpringLaw law = body->kind == rsl_latticeBody ? body->lattice.law : body->network.law;
    rslVec3 pull = law == rsl_linearSpring
                       ? PlainPull(plain, d, rate, spring->stiffness, spring->damping, spring->restLength)
                       : PlainCurve(plain, d, rate, spring, law == rsl_cooperSpring);
    Push(plain, spring->a, 1.0, pull);
    Push(plain, spring->b, -1.0, pull);
    return true;
}

static void AddPlainLinks(Plain* plain)
{
    for (int l = 0; l < plain->model->linkCount; ++l)
    {
        const rslLink* link = &plain->model->links[l];
        rslVec3 d = { 0 }, rate = { 0 };
        for (int j = 0; j < link->nodeCount; ++j)
        {
            d = rslMulAdd(d, link->weights[j], At(plain->x, link->nodes[j]));
            rate = rslMulAdd(rate, link->weights[j], At(plain->v, link->nodes[j]));
        }
        rslVec3 pull = PlainPull(plain, d, rate, link->stiffness, link->damping, link->restLength);
        for (int j = 0; j < link->nodeCount; ++j)
        {
            Push(plain, link->nodes[j], -link->weights[j], pull);
        }
    }
}

static void AddPlainNodes(Plain* plain)
{
    const rslModel* model = plain->model;
    for (int i = 0; i < model->nodeCount; ++i)
    {
        Push(plain, i, model->mass[i], model->gravity);
        const rslBody* body = &model->bodies[rslModel_BodyOf(model, i)];
        double alpha = body->nodeDamping != NULL ? body->nodeDamping[i - body->firstNode] : body->massDamping;
        Push(plain, i, -alpha * model->mass[i], At(plain->v, i));
        double depth = model->colliderCount > 0
                           ? rslDot(model->colliders[0].normal, rslSub(model->colliders[0].point, At(plain->x, i)))
                           : 0.0;
        if (depth > 0.0)
        {
            Push(plain, i, model->colliders[0].stiffness[i] * depth, model->colliders[0].normal);
        }
    }
}

// ---- dispersion, as its energy reads ----------------------------------------------------------------------------------

// W = 1/2 sum_a q P_a^2 / S_a with P = sum k L dL and S = sum k L^2, or without L; rates and dampers likewise.
typedef struct PlainSpread
{
    Plain* plain;
    const rslBody* body;
    double *p, *s, *pRate, *sRate;  // of every node
    bool push;                      // second pass
} PlainSpread;

static double PlainQ(const rslBody* body, int node)
{
    double q = body->dispersion.nodeQ != NULL ? body->dispersion.nodeQ[node - body->firstNode] : body->dispersion.q;
    return body->dispersion.scale * q;
}

static bool SpreadPlainSpring(const rslSpring* spring, void* context)
{
    PlainSpread* c = context;
    int ends[2] = { spring->a, spring->b };
    rslVec3 d = rslSub(At(c->plain->x, spring->b), At(c->plain->x, spring->a));
    rslVec3 n = rslNormalize(d);
    double rate = rslDot(n, rslSub(At(c->plain->v, spring->b), At(c->plain->v, spring->a)));
    double weight = c->body->dispersion.variant == rsl_energyDispersion ? spring->restLength : 1.0, tension = 0.0;
    double stretch = rslLength(d) - spring->restLength, k = spring->stiffness * weight,
           damper = spring->damping * weight;
    for (int e = 0; e < 2; ++e)
    {
        int a = ends[e];
        c->p[a] += c->push ? 0.0 : k * stretch;
        c->s[a] += c->push ? 0.0 : k * weight;
        c->pRate[a] += c->push ? 0.0 : damper * rate;
        c->sRate[a] += c->push ? 0.0 : damper * weight;
        tension += PlainQ(c->body, a) * (k * c->p[a] / c->s[a]);
        tension += c->sRate[a] > 0.0 ? PlainQ(c->body, a) * (damper * c->pRate[a] / c->sRate[a]) : 0.0;
    }
    if (c->push)
    {
        Push(c->plain, spring->a, tension, n);
        Push(c->plain, spring->b, -tension, n);
    }
    return true;
}

static void AddPlainDispersion(Plain* plain, int index)
{
    const rslBody* body = &plain->model->bodies[index];
    size_t count = (size_t)plain->model->nodeCount;
    if (body->dispersion.q == 0.0)
    {
        return;
    }
    double* memory = calloc(4 * count, sizeof(double));
    assert_non_null(memory);
    PlainSpread spread = { plain, body, memory, memory + count, memory + 2 * count, memory + 3 * count, false };
    rslModel_VisitSprings(plain->model, index, SpreadPlainSpring, &spread);
    for (int a = body->firstNode; a < body->firstNode + body->nodeCount; ++a)
    {
        plain->energy += 0.5 * PlainQ(body, a) * spread.p[a] * spread.p[a] / spread.s[a];
    }
    spread.push = true;
    rslModel_VisitSprings(plain->model, index, SpreadPlainSpring, &spread);
    free(memory);
}

// A third of p times the area vector of a triangle goes to each of its corners, inwards, and from there to the nodes.
static void AddPlainPressure(Plain* plain, const rslLoad* load, const rslState* state)
{
    const rslSurface* surface = &plain->model->bodies[load->body].surface;
    double* xyz = calloc(3 * (size_t)surface->vertexCount, sizeof(double));
    assert_non_null(xyz);
    rslState_Surface(plain->model, state, load->body, xyz);
    for (int t = 0; t < 3 * surface->triangleCount; ++t)
    {
        const int* corner = &surface->triangles[t / 3 * 3];
        rslVec3 b = rslSub(At(xyz, corner[1]), At(xyz, corner[0])), c = rslSub(At(xyz, corner[2]), At(xyz, corner[0]));
        rslVec3 area = rslScale(0.5, rslCross(b, c));
        int vertex = surface->triangles[t];
        for (int e = 8 * vertex; e < 8 * vertex + 8; ++e)
        {
            Push(plain, surface->stencilNodes[e], -load->pressure / 3.0 * surface->stencilWeights[e], area);
        }
    }
    free(xyz);
}

// An error that force and energy share shows only here.
static void Reference(void** unused)
{
    (void)unused;
    double worst = 0.0;
    for (int c = 0; c < CASES; ++c)
    {
        rslModel* model = cases[c].build();
        // elements: test_elements.c; bending: test_bending.c; volumes: test_volume.c;
        // repulsion: test_repulsion.c; colliders that are not one plane: test_terms.c
        bool more = model->bodies[0].enclosed.method != rsl_noVolume || model->bodies[0].bending.count > 0 ||
                    model->bodies[0].repulsion.count > 0 || model->colliderCount > 1;
        if (model->driveCount > 0 || model->elementCount > 0 || more)
        {
            rslModel_Free(model);
            continue;
        }
        rslState* state = RandomState(&cases[c], model, 0.18, 12);
        size_t count = 3 * (size_t)model->nodeCount;
        double* memory = calloc(3 * count, sizeof(double));
        assert_non_null(memory);
        Plain plain = { model, memory, memory + count, memory + 2 * count, 0.0 };
        rslState_Positions(model, state, 0, model->nodeCount, plain.x);
        rslState_Velocities(model, state, 0, model->nodeCount, plain.v);
        for (int b = 0; b < model->bodyCount; ++b)
        {
            rslModel_VisitSprings(model, b, AddPlainSpring, &plain);
            AddPlainDispersion(&plain, b);
        }
        AddPlainLinks(&plain);
        AddPlainNodes(&plain);
        for (int l = 0; l < model->loadCount; ++l)
        {
            AddPlainPressure(&plain, &model->loads[l], state);
        }
        double* forces = WorldForces(model, state);
        double largest = 0.0, error = 0.0;
        for (size_t i = 0; i < count; ++i)
        {
            largest = Worse(largest, fabs(plain.f[i]));
            error = Worse(error, fabs(forces[i] - plain.f[i]));
        }
        if (!(error <= 1e-7 * largest))
        {
            print_error("%s: forces differ by %.2g from those of the public springs\n", cases[c].name, error / largest);
        }
        worst = Worse(worst, error / largest);
        Bench bench = MakeBench(&cases[c], 12);
        rslEnergy energy = rslBackend64.energy(bench.kernel, state);
        assert_close(energy.springs + energy.links, plain.energy, 1e-8 * plain.energy);
        FreeBench(&bench);
        free(forces);
        free(memory);
        rslState_Free(state);
        rslModel_Free(model);
    }
    assert_at_most(worst, 1e-7);
}

// Also at strains of a millionth, where an elongation from lengths would have no digit left.
static void Precisions(void** unused)
{
    (void)unused;
    static const double sizes[2] = { 0.18, 1e-6 };
    for (int s = 0; s < 2; ++s)
    {
        double worst = 0.0;
        for (int c = 0; c < CASES; ++c)
        {
            // drives and preloads make forces of their own that are large beside those of small displacements
            rslModel* model = cases[c].build();
            rslState* wide = RandomState(&cases[c], model, sizes[s], 9);
            for (int axis = 0; axis < 3; ++axis)
            {
                for (int i = 0; s == 1 && i < model->nodeCount; ++i)
                {
                    ((double*)wide->velocity[axis])[i] *= 1e-6;
                }
            }
            rslState* narrow = Narrowed(model, wide);
            double* a = WorldForces(model, wide);
            double* b = WorldForces(model, narrow);
            double largest = 0.0, error = 0.0;
            for (int i = 0; i < 3 * model->nodeCount; ++i)
            {
                largest = Worse(largest, fabs(a[i]));
                error = Worse(error, fabs(a[i] - b[i]));
            }
            if (!(error <= 2e-6 * largest))
            {
                print_error("%s: single precision is off by %.2g\n", cases[c].name, error / largest);
            }
            // links, ground and gravity work from positions in the world: no less than 1e-7 of a spacing
            bool relative = s == 0 || (!cases[c].together && cases[c].free);
            worst = relative ? fmax(worst, error / largest) : worst;
            free(a);
            free(b);
            rslState_Free(narrow);
            rslState_Free(wide);
            rslModel_Free(model);
        }
        assert_proved(s == 0 ? "forces in single against double, displacements of 0.18 spacing"
                             : "forces in single against double, displacements of 1e-6 spacing",
                      worst, 2e-6);
    }
}

// K p, C p and the diagonal blocks, as a backend tells them: three numbers and six a node.
static double* Matrices(const rslModel* model, const rslState* state)
{
    const rslBackend* backend = rslBackend_For(state->precision);
    rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
    void* kernel = backend->create(model, rsl_positionVerlet, NULL, team);
    size_t count = (size_t)model->nodeCount;
    double* out = calloc((3 + 3 + 3 + 6) * count, sizeof(double));
    assert_non_null(kernel);
    assert_non_null(out);
    Random random = MakeRandom(31);
    double* p = out + 6 * count;
    for (size_t i = 0; i < 3 * count; ++i)
    {
        p[i] = NextBetween(&random, -1.0, 1.0);
    }
    double* vector[3] = { p, p + count, p + 2 * count };
    for (size_t m = 0; m < 2; ++m)
    {
        double* product[3] = { out + 3 * m * count, out + (3 * m + 1) * count, out + (3 * m + 2) * count };
        assert_true(
            backend->product(kernel, state, m == 0 ? rsl_stiffnessProduct : rsl_dampingProduct, vector, product));
    }
    backend->diagonal(kernel, state, (double(*)[6])(out + 9 * count));
    backend->destroy(kernel);
    rslTeam_Free(team);
    return out;
}

static void MatricesAgree(void** unused)
{
    (void)unused;
    static const size_t parts[4] = { 0, 3, 9, 15 };  // K p, C p with p, diagonal
    double worst = 0.0;
    for (int c = 0; c < CASES; ++c)
    {
        rslModel* model = cases[c].build();
        rslState* wide = RandomState(&cases[c], model, 0.18, 6);
        rslState* narrow = Narrowed(model, wide);
        double* a = Matrices(model, wide);
        double* b = Matrices(model, narrow);
        for (int part = 0; part < 3; ++part)
        {
            double largest = 0.0, error = 0.0;
            for (size_t i = parts[part] * (size_t)model->nodeCount; i < parts[part + 1] * (size_t)model->nodeCount; ++i)
            {
                largest = Worse(largest, fabs(a[i]));
                error = Worse(error, fabs(a[i] - b[i]));
            }
            worst = Worse(worst, largest > 0.0 ? error / largest : error);
        }
        free(a);
        free(b);
        rslState_Free(narrow);
        rslState_Free(wide);
        rslModel_Free(model);
    }
    assert_at_most(worst, 2e-6);
}

typedef struct BondSums
{
    double energy;
    int64_t count;
} BondSums;

static void SumBonds(const rslBond* bond, int part, void* context)
{
    BondSums* sums = context;
    sums[part].energy += bond->energy;
    sums[part].count += 1;
}

// The energies that a backend tells are those of the terms, and those of the springs add up to them.
static void Energies(void** unused)
{
    (void)unused;
    for (int c = 0; c < CASES; ++c)
    {
        Bench bench = MakeBench(&cases[c], 3);
        double springs = 0.0, links = 0.0, ground = 0.0, gravity = 0.0, others = 0.0;
        for (const Term* const* term = rslTerms64; *term != NULL; ++term)
        {
            bench.term = *term;
            if (bench.term->present(bench.kernel) && bench.term->hasEnergy && bench.term != &rslPressureTerm64)
            {
                double energy = EnergyAt(&bench);
                bool inside = bench.term == &rslLatticeTerm64 || bench.term == &rslNetworkTerm64 ||
                              bench.term == &rslDispersionTerm64 || bench.term == &rslElementTerm64;
                bool other = bench.term == &rslVolumeTerm64 || bench.term == &rslBendTerm64 ||
                             bench.term == &rslRepulsionTerm64 || bench.term == &rslCentroidTerm64;
                springs += inside || other ? energy : 0.0;
                others += other ? energy : 0.0;
                links += bench.term == &rslLinkTerm64 ? energy : 0.0;
                ground += bench.term == &rslPlaneTerm64 ? energy : 0.0;
                gravity += bench.term == &rslGravityTerm64 ? energy : 0.0;
            }
        }
        rslEnergy told = rslBackend64.energy(bench.kernel, bench.state);
        assert_close(told.springs, springs, 1e-12 * springs);
        assert_close(told.links, links, 1e-12 * links);
        assert_close(told.ground, ground, 1e-12 * ground);
        assert_close(told.gravity, gravity, 1e-12 * fabs(gravity));
        assert_close(told.total, told.kinetic + springs + links + ground + gravity, 1e-12 * fabs(told.total));
        assert_true((links > 0.0) == (bench.model->linkCount > 0) &&
                    (ground > 0.0) == (bench.model->colliderCount > 0));

        BondSums sums[RSL_BOND_PARTS] = { 0 };
        rslBackend64.bonds(bench.kernel, bench.state, &(rslBondWalk){ .visit = SumBonds, .context = sums });
        for (int part = 1; part < RSL_BOND_PARTS; ++part)
        {
            sums[0].energy += sums[part].energy;
            sums[0].count += sums[part].count;
        }
        bool elements = bench.model->elementCount > 0;  // then springs are but edges
        assert_close(sums[0].energy, elements ? 0.0 : springs - others, 1e-12 * springs);
        assert_true(sums[0].count == (elements ? 0 : bench.model->springCount));
        FreeBench(&bench);
    }
}

// ---- loads ----------------------------------------------------------------------------------------------------------------

static void Loads(void** unused)
{
    (void)unused;
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    rslLoadDef loads[2] = { rslDefaultLoadDef(), rslDefaultLoadDef() };
    loads[0].nodes = loads[1].nodes = NodesOf("block");
    loads[0].type = rsl_forceLoad;
    loads[0].force = (rslVec3){ 5.0, -3.0, 2.0 };
    loads[0].each = true;
    loads[0].course.type = rsl_rampCourse;
    loads[0].course.duration = 1.0;
    loads[1].type = rsl_accelerationLoad;
    loads[1].acceleration = (rslVec3){ 0.0, 7.0, 1.0 };
    rslScene scene = SceneOf(&body, 1);
    scene.gravity = (rslVec3){ 0 };
    scene.loads = loads;
    scene.loadCount = 2;
    rslModel* model = Built(&scene, NULL);
    Case it = { .name = "loads", .far = 100.0 };
    rslState* state = RandomState(&it, model, 0.1, 1);
    rslTeam* team = rslTeam_Create(NULL, 1, NULL, NULL);
    Bench bench = { .it = &it, .model = model, .state = state, .term = &rslLoadTerm64 };
    bench.kernel = rslKernel_Create64(model, false, NULL, team);
    bench.view = rslKernel_View64(bench.kernel, state, 0.0);
    double* host = calloc(3 * (size_t)model->nodeCount, sizeof(double));
    host[3 * 4 + 1] = 11.0;  // on node 4
    bench.kernel->hostForces = host;
    Vector force = MakeVector(&bench);
    double power = 0.0, told = rslKernel_Forces64(bench.kernel, &bench.view).loads;
    ForceAt(&bench, &force);
    for (int i = 0; i < model->nodeCount; ++i)
    {
        rslVec3 f =
            rslMatVec(&bench.kernel->frames[0].rotation, (rslVec3){ force.at[0][i], force.at[1][i], force.at[2][i] });
        double m = model->mass[i], v[3];
        assert_close(f.x, 0.4 * 5.0, 1e-12);  // the ramp is at 0.4 s of 1 s
        assert_close(f.y, 0.4 * -3.0 + 7.0 * m + (i == 4 ? 11.0 : 0.0), 1e-11);
        assert_close(f.z, 0.4 * 2.0 + 1.0 * m, 1e-12);
        rslState_Velocities(model, state, i, i + 1, v);
        power += f.x * v[0] + f.y * v[1] + f.z * v[2];
    }
    assert_close(told, power, 1e-10 * fabs(power));
    FreeVector(&force);
    free(host);
    rslKernel_Free64(bench.kernel);
    rslTeam_Free(team);
    rslState_Free(state);
    rslModel_Free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(Momentum), cmocka_unit_test(Precisions), cmocka_unit_test(MatricesAgree),
        cmocka_unit_test(Energies), cmocka_unit_test(Loads),      cmocka_unit_test(Reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
