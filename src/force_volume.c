// SPDX-License-Identifier: MIT
//
// force_volume.c: the volume inside of a surface, kept by support springs or by a pressure (Vassilev & Spanlang 2002).
//
// Support springs go from a centre c to every vertex: l_i = |p_i - c|, u_i = (p_i - c) / l_i, dl_i = l_i - l_i(rest). With
// K C called R here,
//   explicit  f_i = -(K dL + R dl_i) u_i,        dL = (V - V0) / S                     eq. 2, 3; no energy
//   implicit  f_i = -c_i (K dL + R dl_i) u_i,    dL = sum c_i dl_i / 3                 eq. 4 to 6
// where c_i is the area of a vertex over the mean of triangles (thirds). The implicit form is minus the gradient of
//   E = 3/2 K dL^2 + R/2 sum c_i dl_i^2
// with c held still. The paper does not say what c is nor what reacts. Here c = sum m_i p_i / M over its vertices, so that dE has
// the part dE/dc.dc = sum_i f_i.dc, which is a force -(m_i / M) sum_j f_j on vertex i: the reaction of all springs at the centre,
// handed to its vertices by their masses. It makes the implicit force a gradient also with c moving. Both forms then keep
// momentum, and angular momentum too: sum_i p_i x (-(m_i / M) F) = -c x F.
//
// Along dp: q_i = dp_i - dc, dl_i' = u_i.q_i, and with s_i = K dL + R dl_i
//   -df_i = c_i ((K dL' + R u_i.q_i) u_i + s_i (q_i - u_i (u_i.q_i)) / l_i),   explicit: c_i = 1, dL' = dV / S
//
// Implicit steps need an energy. There the explicit form takes dL = m + b, m the mean of dl_i over its n vertices and b what dL is more than
// that, which is frozen over a stage (dynamics.h). That is minus the gradient of
//   E = K n (m^2 / 2 + b m) + R/2 sum dl_i^2
//
// Pressure: E = kv (V - V0)^2 / (2 V0), f = -kv (V - V0) / V0 dV/dp; with dV/dp = N/6 (kernel_surface.h)
//   -df = kv / V0 (dV N/6 + (V - V0) dN/6).
// A hard volume is one in implicit steps too, with a pressure p on top, E + p (V - V0): kv is ten thousand times as stiff as the
// nodes are, and p grows by kv (V - V0) / V0 until V is V0 (Hestenes 1969, Powell 1969).
// Beside a pressure or a hard volume, R alone makes springs with c_i = 1 and K = 0.

#include "kernel_volume.h"

#include "collapse.h"
#include "term.h"

static bool IsSupported(const VolumeKernel* volume)
{
    return volume->enclosed->centreCount > 0;
}

static bool IsPressed(const VolumeKernel* volume)
{
    return volume->enclosed->method == rsl_pressureVolume;
}

// Hard volumes in implicit steps.
static bool IsFirm(const Kernel* kernel, const VolumeKernel* volume)
{
    return kernel->frozen && volume->enclosed->method == rsl_hardVolume;
}

static bool HasPressure(const Kernel* kernel, const VolumeKernel* volume)
{
    return IsPressed(volume) || IsFirm(kernel, volume);
}

// kv
static double Firmness(const VolumeKernel* volume)
{
    return volume->enclosed->method == rsl_hardVolume ? volume->firmness : volume->enclosed->stiffness;
}

// K of support springs.
static double Support(const rslEnclosed* enclosed)
{
    bool has = enclosed->method == rsl_explicitVolume || enclosed->method == rsl_implicitVolume;
    return has ? enclosed->stiffness : 0.0;
}

static int OwnCount(const VolumeKernel* volume)
{
    return volume->surface.surface->vertexCount;
}

static double MassOf(const Kernel* kernel, const VolumeKernel* volume, int vertex)
{
    return (double)kernel->mass[kernel->model->bodies[volume->surface.body].firstNode + vertex];
}

// Share of a vertex in the reaction at its centre.
static double Reacts(const Kernel* kernel, const VolumeKernel* volume, int vertex)
{
    return MassOf(kernel, volume, vertex) * volume->lightness[volume->enclosed->centreOf[vertex]];
}

// ---- passes over vertices -------------------------------------------------------------------------------------------

typedef struct VolumeContext
{
    const Kernel* kernel;
    VolumeKernel* volume;
    const double* of;
    bool weighted;  // sums of the masses times it
    double mean;    // dL, or its change
} VolumeContext;

static void SumGroupBlock(int item, void* context)
{
    const VolumeContext* c = context;
    const rslEnclosed* enclosed = c->volume->enclosed;
    rslVec3* sums = &c->volume->groups[(size_t)item * (size_t)enclosed->centreCount];
    for (int k = 0; k < enclosed->centreCount; ++k)
    {
        sums[k] = (rslVec3){ 0 };
    }
    for (int v = item * VERTEX_BLOCK; v < BlockEnd(item, OwnCount(c->volume)); ++v)
    {
        double weight = c->weighted ? MassOf(c->kernel, c->volume, v) : 1.0;
        rslVec3* sum = &sums[enclosed->centreOf[v]];
        *sum = rslMulAdd(*sum, weight, Load3(c->of, v));
    }
}

// Sums over the vertices of every centre.
static void SumGroups(Kernel* kernel, VolumeKernel* volume, const double* of, bool weighted, rslVec3* out)
{
    VolumeContext context = { .kernel = kernel, .volume = volume, .of = of, .weighted = weighted };
    int blocks = SurfaceBlocks(&volume->surface), centres = volume->enclosed->centreCount;
    rslTeam_Run(kernel->team, SumGroupBlock, blocks, &context);
    for (int k = 0; k < centres; ++k)
    {
        out[k] = (rslVec3){ 0 };
        for (int block = 0; block < blocks; ++block)
        {
            out[k] = rslAdd(out[k], volume->groups[(size_t)block * (size_t)centres + (size_t)k]);
        }
    }
}

static void FindCentres(Kernel* kernel, VolumeKernel* volume, const double* of, rslVec3* centres)
{
    SumGroups(kernel, volume, of, true, centres);
    for (int k = 0; k < volume->enclosed->centreCount; ++k)
    {
        centres[k] = rslScale(volume->lightness[k], centres[k]);
    }
}

static double SumBlocks(const VolumeKernel* volume)
{
    double sum = 0.0;
    for (int block = 0; block < SurfaceBlocks(&volume->surface); ++block)
    {
        sum += volume->surface.sums[block];
    }
    return sum;
}

static double ShareOf(const rslEnclosed* enclosed, int vertex)
{
    return enclosed->method == rsl_implicitVolume ? enclosed->share[vertex] : 1.0;
}

// l_i and u_i; sums of c_i dl_i.
static void MeasureBlock(int item, void* context)
{
    const VolumeContext* c = context;
    VolumeKernel* volume = c->volume;
    double sum = 0.0;
    for (int v = item * VERTEX_BLOCK; v < BlockEnd(item, OwnCount(volume)); ++v)
    {
        rslVec3 arm = rslSub(Load3(volume->surface.vertices, v), volume->centres[volume->enclosed->centreOf[v]]);
        double length = rslLength(arm);
        volume->length[v] = length;
        Store3(volume->direction, v, length > 0.0 ? rslScale(1.0 / length, arm) : (rslVec3){ 0 });
        sum += ShareOf(volume->enclosed, v) * (length - volume->restLength[v]);
    }
    volume->surface.sums[item] = sum;
}

static void PushBlock(int item, void* context)
{
    const VolumeContext* c = context;
    VolumeKernel* volume = c->volume;
    const rslEnclosed* enclosed = volume->enclosed;
    for (int v = item * VERTEX_BLOCK; v < BlockEnd(item, OwnCount(volume)); ++v)
    {
        double s = Support(enclosed) * c->mean + enclosed->radial * (volume->length[v] - volume->restLength[v]);
        Store3(volume->push, v, rslScale(-ShareOf(enclosed, v) * s, Load3(volume->direction, v)));
    }
}

static rslVec3 MovedArm(const VolumeKernel* volume, int vertex)
{
    return rslSub(Load3(volume->surface.motion, vertex), volume->movedCentres[volume->enclosed->centreOf[vertex]]);
}

// Sums of c_i dl_i along a vector.
static void StretchBlock(int item, void* context)
{
    const VolumeContext* c = context;
    const VolumeKernel* volume = c->volume;
    double sum = 0.0;
    for (int v = item * VERTEX_BLOCK; v < BlockEnd(item, OwnCount(volume)); ++v)
    {
        sum += ShareOf(volume->enclosed, v) * rslDot(Load3(volume->direction, v), MovedArm(volume, v));
    }
    volume->surface.sums[item] = sum;
}

static void RespondBlock(int item, void* context)
{
    const VolumeContext* c = context;
    VolumeKernel* volume = c->volume;
    const rslEnclosed* enclosed = volume->enclosed;
    for (int v = item * VERTEX_BLOCK; v < BlockEnd(item, OwnCount(volume)); ++v)
    {
        rslVec3 u = Load3(volume->direction, v), q = MovedArm(volume, v);
        double along = rslDot(u, q), length = volume->length[v];
        double s = Support(enclosed) * volume->mean + enclosed->radial * (length - volume->restLength[v]);
        rslVec3 sum = rslScale(Support(enclosed) * c->mean + enclosed->radial * along, u);
        sum = rslMulAdd(sum, length > 0.0 ? s / length : 0.0, rslMulAdd(q, -along, u));
        Store3(volume->response, v, rslScale(ShareOf(enclosed, v), sum));
    }
}

// ---- as it is now ---------------------------------------------------------------------------------------------------

static void PrepareSupport(Kernel* kernel, VolumeKernel* volume)
{
    const rslEnclosed* enclosed = volume->enclosed;
    VolumeContext context = { .kernel = kernel, .volume = volume };
    int blocks = SurfaceBlocks(&volume->surface);
    FindCentres(kernel, volume, volume->surface.vertices, volume->centres);
    rslTeam_Run(kernel->team, MeasureBlock, blocks, &context);
    double sum = SumBlocks(volume);
    volume->plain = sum / OwnCount(volume);
    volume->mean =
        enclosed->method == rsl_implicitVolume ? sum / 3.0 : (volume->volume - volume->rest) / enclosed->area;
    if (enclosed->method == rsl_explicitVolume)
    {
        volume->beyond = kernel->frozen ? volume->beyond : volume->mean - volume->plain;
        volume->mean = kernel->frozen ? volume->plain + volume->beyond : volume->mean;
    }
    context.mean = volume->mean;
    rslTeam_Run(kernel->team, PushBlock, blocks, &context);
    SumGroups(kernel, volume, volume->push, false, volume->reactions);
}

static void Prepare(Kernel* kernel, const View* view)
{
    for (int i = 0; i < kernel->volumeCount; ++i)
    {
        VolumeKernel* volume = &kernel->volumes[i];
        const rslEnclosed* enclosed = volume->enclosed;
        bool hard = enclosed->method == rsl_hardVolume && !kernel->frozen;
        if (hard && !IsSupported(volume))
        {
            continue;
        }
        RSL_NAME(rslSurfaceKernel_Place)(kernel, view, &volume->surface);
        if (enclosed->method != rsl_implicitVolume && !hard)
        {
            volume->volume = RSL_NAME(rslSurfaceKernel_Volume)(kernel, &volume->surface);
            volume->factor = -Firmness(volume) * (volume->volume - volume->rest) / volume->rest / 6.0;
            volume->factor -= IsFirm(kernel, volume) ? volume->pressure / 6.0 : 0.0;
        }
        if (IsSupported(volume))
        {
            PrepareSupport(kernel, volume);
        }
    }
}

static void PrepareSupportProduct(Kernel* kernel, VolumeKernel* volume, double more)
{
    VolumeContext context = { .kernel = kernel, .volume = volume };
    int blocks = SurfaceBlocks(&volume->surface);
    FindCentres(kernel, volume, volume->surface.motion, volume->movedCentres);
    rslTeam_Run(kernel->team, StretchBlock, blocks, &context);
    bool implicit = volume->enclosed->method == rsl_implicitVolume;
    context.mean = implicit         ? SumBlocks(volume) / 3.0
                   : kernel->frozen ? SumBlocks(volume) / OwnCount(volume)
                                    : more / volume->enclosed->area;
    rslTeam_Run(kernel->team, RespondBlock, blocks, &context);
    SumGroups(kernel, volume, volume->response, false, volume->moreReactions);
}

static void PrepareProduct(Kernel* kernel, const View* view, bool damping, Real* const p[3])
{
    (void)view;
    for (int i = 0; !damping && i < kernel->volumeCount; ++i)
    {
        VolumeKernel* volume = &kernel->volumes[i];
        SurfaceKernel* surface = &volume->surface;
        double more = 0.0;
        if (volume->enclosed->method == rsl_hardVolume && !IsSupported(volume) && !kernel->frozen)
        {
            continue;
        }
        RSL_NAME(rslSurfaceKernel_Move)(kernel, p, surface);
        if (volume->enclosed->method == rsl_explicitVolume || HasPressure(kernel, volume))
        {
            more = RSL_NAME(rslSurfaceKernel_Dot)(kernel, surface, surface->area, surface->motion) / 6.0;
        }
        if (HasPressure(kernel, volume))
        {
            RSL_NAME(rslSurfaceKernel_FindChanges)(kernel, surface);
            volume->slope = -Firmness(volume) * more / volume->rest / 6.0;
        }
        if (IsSupported(volume))
        {
            PrepareSupportProduct(kernel, volume, more);
        }
    }
}

// ---- making ---------------------------------------------------------------------------------------------------------

static bool MakeSupport(Kernel* kernel, VolumeKernel* volume)
{
    size_t own = (size_t)OwnCount(volume), centres = (size_t)volume->enclosed->centreCount;
    size_t groups = centres * (size_t)SurfaceBlocks(&volume->surface);
    double** arrays[] = { &volume->restLength, &volume->length,   &volume->aim,      &volume->direction,
                          &volume->push,       &volume->response, &volume->lightness };
    size_t sizes[] = { own, own, 3 * own, 3 * own, 3 * own, 3 * own, centres };
    rslVec3** vectors[] = { &volume->centres, &volume->reactions, &volume->movedCentres, &volume->moreReactions,
                            &volume->groups };
    bool made = true;
    for (int a = 0; a < 7; ++a)
    {
        *arrays[a] = RSL_NAME(rslKernel_Allocate)(kernel, sizes[a], sizeof(double));
        made = made && *arrays[a] != NULL;
    }
    for (int a = 0; a < 5; ++a)
    {
        *vectors[a] = RSL_NAME(rslKernel_Allocate)(kernel, a < 4 ? centres : groups, sizeof(rslVec3));
        made = made && *vectors[a] != NULL;
    }
    for (int v = 0; made && v < (int)own; ++v)
    {
        volume->lightness[volume->enclosed->centreOf[v]] += MassOf(kernel, volume, v);
    }
    for (size_t k = 0; made && k < centres; ++k)
    {
        volume->lightness[k] = volume->lightness[k] > 0.0 ? 1.0 / volume->lightness[k] : 0.0;
    }
    return made;
}

static bool MakeHard(Kernel* kernel, VolumeKernel* volume)
{
    size_t nodes = (size_t)kernel->model->bodies[volume->surface.body].nodeCount;
    volume->way = RSL_NAME(rslKernel_Allocate)(kernel, 3 * nodes, sizeof(double));
    volume->nodes = RSL_NAME(rslKernel_Allocate)(kernel, 3 * nodes, sizeof(double));
    kernel->hardVolumes += 1;
    int body = volume->surface.body;
    while (kernel->chunks[volume->chunkBegin].body != body)
    {
        volume->chunkBegin += 1;
    }
    volume->chunkEnd = volume->chunkBegin;
    while (volume->chunkEnd < kernel->chunkCount && kernel->chunks[volume->chunkEnd].body == body)
    {
        volume->chunkEnd += 1;
    }
    return volume->way != NULL && volume->nodes != NULL;
}

// The forces are zero yet, so they serve as displacements at rest.
static void LookAtRest(Kernel* kernel, VolumeKernel* volume)
{
    View rest = { .u = { kernel->force[0], kernel->force[1], kernel->force[2] } };
    RSL_NAME(rslSurfaceKernel_Place)(kernel, &rest, &volume->surface);
    volume->volume = RSL_NAME(rslSurfaceKernel_Volume)(kernel, &volume->surface);
    volume->rest = volume->volume;
    if (IsSupported(volume))
    {
        PrepareSupport(kernel, volume);
        for (size_t v = 0; v < (size_t)OwnCount(volume); ++v)
        {
            volume->restLength[v] = volume->length[v];
            Store3(volume->aim, (int)v, Load3(volume->direction, (int)v));
        }
    }
}

bool RSL_NAME(rslVolume_Make)(Kernel* kernel)
{
    const rslModel* model = kernel->model;
    int count = 0;
    for (int b = 0; b < model->bodyCount; ++b)
    {
        count += model->bodies[b].enclosed.method != rsl_noVolume ? 1 : 0;
    }
    kernel->volumes = count > 0 ? RSL_NAME(rslKernel_Allocate)(kernel, (size_t)count, sizeof(VolumeKernel)) : NULL;
    bool made = count == 0 || kernel->volumes != NULL;
    for (int b = 0; made && b < model->bodyCount; ++b)
    {
        const rslEnclosed* enclosed = &model->bodies[b].enclosed;
        if (enclosed->method == rsl_noVolume)
        {
            continue;
        }
        VolumeKernel* volume = &kernel->volumes[kernel->volumeCount++];
        kernel->bodies[b].volume = volume;
        volume->enclosed = enclosed;
        made = RSL_NAME(rslSurfaceKernel_Make)(kernel, b, enclosed, &volume->surface);
        made = made && (!IsSupported(volume) || MakeSupport(kernel, volume));
        made = made && (enclosed->method != rsl_hardVolume || MakeHard(kernel, volume));
        if (made)
        {
            LookAtRest(kernel, volume);
        }
    }
    return made;
}

// ---- answers --------------------------------------------------------------------------------------------------------

// What springs put on a vertex and its centre hands back, from forces or from their changes.
static rslVec3 Supported(const Kernel* kernel, const VolumeKernel* volume, const double* of, const rslVec3* sums,
                         int vertex)
{
    return rslMulAdd(Load3(of, vertex), -Reacts(kernel, volume, vertex), sums[volume->enclosed->centreOf[vertex]]);
}

static rslVec3 ForceOn(const Kernel* kernel, const VolumeKernel* volume, int local)
{
    rslVec3 f = { 0 };
    if (HasPressure(kernel, volume))
    {
        f = RSL_NAME(rslSurfaceKernel_Gather)(&volume->surface, volume->surface.area, local);
        f = rslScale(volume->factor, f);
    }
    return IsSupported(volume) ? rslAdd(f, Supported(kernel, volume, volume->push, volume->reactions, local)) : f;
}

static rslVec3 ResponseOf(const Kernel* kernel, const VolumeKernel* volume, int local)
{
    const SurfaceKernel* surface = &volume->surface;
    rslVec3 k = { 0 };
    if (HasPressure(kernel, volume))
    {
        k = rslScale(-volume->slope, RSL_NAME(rslSurfaceKernel_Gather)(surface, surface->area, local));
        k = rslMulAdd(k, -volume->factor, RSL_NAME(rslSurfaceKernel_Gather)(surface, surface->change, local));
    }
    return IsSupported(volume) ? rslAdd(k, Supported(kernel, volume, volume->response, volume->moreReactions, local))
                               : k;
}

// A volume that has forces.
static const VolumeKernel* SoftVolume(const Kernel* kernel, int body)
{
    const VolumeKernel* volume = kernel->bodies[body].volume;
    bool hard = volume != NULL && volume->enclosed->method == rsl_hardVolume && !kernel->frozen;
    return volume != NULL && (!hard || IsSupported(volume)) ? volume : NULL;
}

static void Force(Kernel* kernel, const View* view, const Chunk* chunk, Powers* powers)
{
    (void)view;
    (void)powers;
    const VolumeKernel* volume = SoftVolume(kernel, chunk->body);
    int first = kernel->model->bodies[chunk->body].firstNode;
    for (int i = chunk->begin; volume != NULL && i < chunk->end; ++i)
    {
        rslVec3 f = ForceOn(kernel, volume, i - first);
        kernel->force[0][i] += (Real)f.x;
        kernel->force[1][i] += (Real)f.y;
        kernel->force[2][i] += (Real)f.z;
    }
}

rslVec3 RSL_NAME(rslVolume_SkewForce)(const Kernel* kernel, int body, int node)
{
    return ForceOn(kernel, kernel->bodies[body].volume, node - kernel->model->bodies[body].firstNode);
}

// The whole surface's, told by the chunk with the body's first node.
static double Energy(const Kernel* kernel, const View* view, const Chunk* chunk)
{
    (void)view;
    const VolumeKernel* volume = SoftVolume(kernel, chunk->body);
    if (volume == NULL || chunk->begin != kernel->model->bodies[chunk->body].firstNode)
    {
        return 0.0;
    }
    const rslEnclosed* enclosed = volume->enclosed;
    double more = volume->volume - volume->rest, sum = 0.0;
    sum += HasPressure(kernel, volume) ? 0.5 * Firmness(volume) * more * more / volume->rest : 0.0;
    sum += IsFirm(kernel, volume) ? volume->pressure * more : 0.0;
    sum += enclosed->method == rsl_implicitVolume ? 1.5 * enclosed->stiffness * volume->mean * volume->mean : 0.0;
    bool skew = enclosed->method == rsl_explicitVolume, springs = IsSupported(volume) && (!skew || kernel->frozen);
    if (skew && kernel->frozen)
    {
        double m = volume->plain;
        sum += enclosed->stiffness * OwnCount(volume) * (0.5 * m * m + volume->beyond * m);
    }
    for (int v = 0; springs && v < OwnCount(volume); ++v)
    {
        double dl = volume->length[v] - volume->restLength[v];
        sum += 0.5 * enclosed->radial * ShareOf(enclosed, v) * dl * dl;
    }
    return sum;
}

static void Stiffness(const Kernel* kernel, const View* view, const Chunk* chunk, Real* const p[3], Real* const out[3])
{
    (void)view;
    (void)p;
    const VolumeKernel* volume = SoftVolume(kernel, chunk->body);
    int first = kernel->model->bodies[chunk->body].firstNode;
    for (int i = chunk->begin; volume != NULL && i < chunk->end; ++i)
    {
        rslVec3 k = ResponseOf(kernel, volume, i - first);
        out[0][i] += (Real)k.x;
        out[1][i] += (Real)k.y;
        out[2][i] += (Real)k.z;
    }
}

// ---- inside out -----------------------------------------------------------------------------------------------------

// A vertex that has passed its centre: its spring has turned round, but the surface around it has not. Dents and twists do only one
// of the two.
static int FindPassed(Kernel* kernel, VolumeKernel* volume)
{
    PrepareSupport(kernel, volume);
    for (int v = 0; v < OwnCount(volume); ++v)
    {
        rslVec3 u = Load3(volume->direction, v);
        if (!(rslDot(u, Load3(volume->aim, v)) > 0.0) && !(rslDot(u, Load3(volume->surface.area, v)) > 0.0))
        {
            return v;
        }
    }
    return -1;
}

bool RSL_NAME(rslVolume_Collapse)(Kernel* kernel, const View* view, rslCollapse* collapse)
{
    for (int i = 0; i < kernel->volumeCount; ++i)
    {
        VolumeKernel* volume = &kernel->volumes[i];
        RSL_NAME(rslSurfaceKernel_Place)(kernel, view, &volume->surface);
        volume->volume = RSL_NAME(rslSurfaceKernel_Volume)(kernel, &volume->surface);
        int passed = IsSupported(volume) ? FindPassed(kernel, volume) : -1;
        bool lost =
            volume->enclosed->method == rsl_hardVolume && !(fabs(volume->volume - volume->rest) <= 1e-4 * volume->rest);
        if (passed >= 0 || lost || !(volume->volume > 0.0))
        {
            int first = kernel->model->bodies[volume->surface.body].firstNode;
            *collapse = (rslCollapse){ volume->surface.body, passed >= 0 ? first + passed : -1, volume->volume };
            return true;
        }
    }
    return false;
}

static bool Present(const Kernel* kernel)
{
    bool any = false;
    for (int i = 0; i < kernel->volumeCount && !any; ++i)
    {
        any = SoftVolume(kernel, kernel->volumes[i].surface.body) != NULL;
    }
    return any;
}

// Energy and symmetry are those of the methods that have them; rslModel_HasEnergy knows. The diagonal blocks are small beside
// those of springs and not told.
const Term RSL_NAME(rslVolumeTerm) = {
    .name = "volume",
    .hasEnergy = true,
    .symmetric = true,
    .farReaching = true,
    .present = Present,
    .prepare = Prepare,
    .prepareProduct = PrepareProduct,
    .energy = Energy,
    .force = Force,
    .stiffness = Stiffness,
};

// ---- hard volumes in implicit steps (dynamics.h) ----------------------------------------------------------------------

// Sum of |dV/dp|^2.
static double SquareOf(const VolumeKernel* volume)
{
    double sum = 0.0;
    for (int v = 0; v < OwnCount(volume); ++v)
    {
        rslVec3 g = rslScale(1.0 / 6.0, RSL_NAME(rslSurfaceKernel_Gather)(&volume->surface, volume->surface.area, v));
        sum += rslDot(g, g);
    }
    return sum;
}

void RSL_NAME(rslVolume_Firm)(Kernel* kernel, const View* view, double (*blocks)[6])
{
    for (int i = 0; i < kernel->volumeCount; ++i)
    {
        kernel->volumes[i].pressure = kernel->volumes[i].firmness = 0.0;
    }
    for (int i = 0; blocks != NULL && i < kernel->volumeCount; ++i)
    {
        VolumeKernel* volume = &kernel->volumes[i];
        const rslBody* body = &kernel->model->bodies[volume->surface.body];
        double stiffest = 0.0;
        for (int n = body->firstNode; n < body->firstNode + body->nodeCount; ++n)
        {
            stiffest = rslMost(stiffest, blocks[n][0] + blocks[n][1] + blocks[n][2]);
        }
        RSL_NAME(rslSurfaceKernel_Place)(kernel, view, &volume->surface);
        volume->volume = RSL_NAME(rslSurfaceKernel_Volume)(kernel, &volume->surface);
        volume->firmness = 1e4 * stiffest * volume->rest / SquareOf(volume);
    }
}

double RSL_NAME(rslVolume_Press)(Kernel* kernel, const View* view)
{
    double worst = 0.0;
    for (int i = 0; i < kernel->volumeCount; ++i)
    {
        VolumeKernel* volume = &kernel->volumes[i];
        if (volume->enclosed->method == rsl_hardVolume)
        {
            RSL_NAME(rslSurfaceKernel_Place)(kernel, view, &volume->surface);
            double off = RSL_NAME(rslSurfaceKernel_Volume)(kernel, &volume->surface) / volume->rest - 1.0;
            volume->pressure += volume->firmness * off;
            worst = rslMost(worst, fabs(off));
        }
    }
    return worst;
}
