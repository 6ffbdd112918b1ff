// SPDX-License-Identifier: MIT
//
// plain_loop.h: what a good programmer writes in an hour: an array of springs, each computed once and given to both ends,
// then one pass over the nodes. Included once a precision, with PLAIN_REAL, PLAIN_SQRT and PLAIN(name) set.

typedef struct PLAIN(Spring)
{
    int a, b;
    PLAIN_REAL stiffness, restLength;
} PLAIN(Spring);

typedef struct PLAIN(Loop)
{
    int nodeCount, springCount;
    PLAIN(Spring) * springs;
    PLAIN_REAL (*position)[3];  // x y z together: a spring touches one cache line an end
    PLAIN_REAL (*velocity)[3];
    PLAIN_REAL (*force)[3];
    PLAIN_REAL* inverseMass;
} PLAIN(Loop);

static bool PLAIN(AddSpring)(const rslSpring* spring, void* context)
{
    PLAIN(Loop)* loop = context;
    loop->springs[loop->springCount++] =
        (PLAIN(Spring)){ spring->a, spring->b, (PLAIN_REAL)spring->stiffness, (PLAIN_REAL)spring->restLength };
    return true;
}

static PLAIN(Loop) PLAIN(Make)(const rslModel* model, const double* positions)
{
    size_t count = (size_t)model->nodeCount;
    PLAIN(Loop) loop = { .nodeCount = model->nodeCount };
    loop.springs = malloc((size_t)model->springCount * sizeof *loop.springs);
    loop.position = malloc(count * sizeof *loop.position);
    loop.velocity = calloc(count, sizeof *loop.velocity);
    loop.force = calloc(count, sizeof *loop.force);
    loop.inverseMass = malloc(count * sizeof *loop.inverseMass);
    if (!loop.springs || !loop.position || !loop.velocity || !loop.force || !loop.inverseMass)
    {
        abort();
    }
    rslModel_VisitSprings(model, 0, PLAIN(AddSpring), &loop);
    for (size_t i = 0; i < count; ++i)
    {
        loop.inverseMass[i] = (PLAIN_REAL)(1.0 / model->mass[i]);
        for (int axis = 0; axis < 3; ++axis)
        {
            loop.position[i][axis] = (PLAIN_REAL)positions[3 * i + (size_t)axis];
        }
    }
    return loop;
}

static void PLAIN(Free)(PLAIN(Loop) * loop)
{
    free(loop->springs);
    free(loop->position);
    free(loop->velocity);
    free(loop->force);
    free(loop->inverseMass);
}

static void PLAIN(Forces)(PLAIN(Loop) * loop)
{
    const PLAIN(Spring)* restrict springs = loop->springs;
    PLAIN_REAL(*restrict x)[3] = loop->position;
    PLAIN_REAL(*restrict f)[3] = loop->force;
    for (int s = 0; s < loop->springCount; ++s)
    {
        int a = springs[s].a, b = springs[s].b;
        PLAIN_REAL dx = x[b][0] - x[a][0], dy = x[b][1] - x[a][1], dz = x[b][2] - x[a][2];
        PLAIN_REAL length = PLAIN_SQRT(dx * dx + dy * dy + dz * dz);
        PLAIN_REAL g = springs[s].stiffness * (length - springs[s].restLength) / length;
        f[a][0] += g * dx;
        f[a][1] += g * dy;
        f[a][2] += g * dz;
        f[b][0] -= g * dx;
        f[b][1] -= g * dy;
        f[b][2] -= g * dz;
    }
}

// Leapfrog: v += h f / m, x += h v.
static void PLAIN(Step)(PLAIN(Loop) * loop, double step, int steps)
{
    PLAIN_REAL h = (PLAIN_REAL)step;
    for (int n = 0; n < steps; ++n)
    {
        PLAIN(Forces)(loop);
        for (int i = 0; i < loop->nodeCount; ++i)
        {
            PLAIN_REAL factor = h * loop->inverseMass[i];
            for (int axis = 0; axis < 3; ++axis)
            {
                loop->velocity[i][axis] += factor * loop->force[i][axis];
                loop->position[i][axis] += h * loop->velocity[i][axis];
                loop->force[i][axis] = 0;
            }
        }
    }
}

#undef PLAIN_REAL
#undef PLAIN_SQRT
#undef PLAIN
