// SPDX-License-Identifier: MIT
//
// network_reference.h: the forces of the springs of a network, one after the other at every node, by the
// formulas of network_rows.c, and the sum of their sizes. Included once a precision, with REFERENCE_REAL, REFERENCE_SQRT, REFERENCE_PART and
// REFERENCE(name) set.

static void REFERENCE(Add)(const rslBody* body, const rslState* state, const rslSpring* spring, int node, int other,
                           double share, REFERENCE_REAL f[3], double* size)
{
    typedef REFERENCE_REAL Real;
    const double* rest = body->network.rest;
    Real *const *u = (Real*const*)state->displacement, *const *w = (Real*const*)state->velocity;
    Real d0[3], du[3], dw[3];
    double square = 0.0, distance = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double a = rest[3 * node + axis], b = rest[3 * other + axis];
        d0[axis] = (Real)(b - a);
        du[axis] = u[axis][other] - u[axis][node];
        dw[axis] = w[axis][other] - w[axis][node];
        square += (double)((Real)b - (Real)a) * (double)((Real)b - (Real)a);  // between places that are rounded
        distance += (b - a) * (b - a);
    }
    Real L0 = (Real)sqrt(square), k = (Real)spring->stiffness, c = (Real)spring->damping;
    distance = sqrt(distance);
    bool clean = fabs(spring->restLength - distance) <= 1e-12 * distance;
    Real extra = clean ? (Real)0 : (Real)(spring->restLength - sqrt(square));
    Real d[3] = { d0[0] + du[0], d0[1] + du[1], d0[2] + du[2] };
    Real s = du[0] * (d0[0] + d[0]) + du[1] * (d0[1] + d[1]) + du[2] * (d0[2] + d[2]);
    Real inverse = (Real)(1.0 / (distance * distance)), e = s * inverse, x = (Real)1 + e, least = (Real)REFERENCE_PART;
    x = x > least ? x : least;
    Real p = e / (x + REFERENCE_SQRT(x)), q = (Real)1 - p, t = extra / L0 * q;
    Real g = k * p;
    if (share != 0.0 || !clean)
    {
        g = k * (p - t) * ((Real)1 - (Real)share + (Real)share * (q + t));
    }
    g += c * (q * q * inverse) * (d[0] * dw[0] + d[1] * dw[1] + d[2] * dw[2]);
    for (int axis = 0; axis < 3; ++axis)
    {
        f[axis] += g * d[axis];
        *size += fabs((double)(g * d[axis]));
    }
}

// Springs of a node in their order, of the first body.
static double REFERENCE(Force)(const rslModel* model, const rslState* state, int node, double force[3])
{
    const rslBody* body = &model->bodies[0];
    rslSpringLaw law = body->network.law;
    double share = law == rsl_carrierSpring ? 1.0 : law == rsl_cooperSpring ? 0.5 : 0.0;
    REFERENCE_REAL f[3] = { 0 };
    double size = 0.0;
    for (int s = 0; s < body->network.springCount; ++s)
    {
        const rslSpring* spring = &body->network.springs[s];
        if (spring->a == node || spring->b == node)
        {
            REFERENCE(Add)(body, state, spring, node, spring->a == node ? spring->b : spring->a, share, f, &size);
        }
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        force[axis] = (double)f[axis];
    }
    return size;
}

#undef REFERENCE_REAL
#undef REFERENCE_SQRT
#undef REFERENCE_PART
#undef REFERENCE
