// SPDX-License-Identifier: MIT
//
// cg.c: see cg.h. Hestenes and Stiefel 1952 with a preconditioner M:
//   z = M r,  p = z + (r.z / r'.z') p',  a = r.z / p.Kp,  x += a p,  r -= a Kp
// b.p = r.z > 0 for every p: also a direction of negative curvature leads downhill from the start.

#include "cg.h"

#include <math.h>

rslCgResult rslCg_Solve(const rslSystem* system, rslCgSpace* space, const rslNodeVector* x, double tolerance, int limit)
{
    const rslUnknowns* u = system->unknowns;
    rslCgResult result = { .residual = 1.0 };
    rslUnknowns_Clear(u, x);
    double norm = sqrt(rslUnknowns_Dot(u, &space->r, &space->r)), before = 0.0;
    if (!(norm > 0.0))
    {
        result.residual = norm;  // zero, or not a number
        return result;
    }
    while (result.residual > tolerance && result.iterations < limit)
    {
        if (system->stop != NULL && system->stop(system->context))
        {
            result.stopped = true;
            return result;
        }
        if (system->renew != NULL && system->renew(system->context, result.iterations))
        {
            before = 0.0;  // as below
        }
        system->precondition(system->context, &space->r, &space->z);
        double now = rslUnknowns_Dot(u, &space->r, &space->z);
        if (!(now > 0.0) && system->mend != NULL && system->mend(system->context))
        {
            before = 0.0;  // p starts anew from what is left
            continue;
        }
        rslUnknowns_Combine(u, &space->p, before > 0.0 ? now / before : 0.0, 1.0, &space->z);
        system->multiply(system->context, &space->p, &space->q);
        double curvature = rslUnknowns_Dot(u, &space->p, &space->q);
        if (!(curvature > 1e-16 * system->stiffest * rslUnknowns_Dot(u, &space->p, &space->p)) || !(now > 0.0))
        {
            result.curved = true;
            return result;
        }
        double a = now / curvature;
        rslUnknowns_Combine(u, x, 1.0, a, &space->p);
        rslUnknowns_Combine(u, &space->r, 1.0, -a, &space->q);
        before = now;
        result.iterations += 1;
        result.residual = sqrt(rslUnknowns_Dot(u, &space->r, &space->r)) / norm;
    }
    return result;
}
