// SPDX-License-Identifier: MIT
//
// static_buckle.c: see static_buckle.h. K is asked with a right side that has a part in every direction: where it is
// not positive, conjugate gradients meet a direction p of negative curvature, p.K p < 0.
//
// A body that is about to buckle as a whole is for the user to know. Elements that are pressed flat buckle by
// themselves, one against the other, long before: there, the nearest rest with less energy is looked for along p, on
// which it falls as a^2 p.K p / 2 at first.

#include "static_buckle.h"

#include "statics.h"

enum
{
    PROBE_LIMIT = 2000
};

// A right side with a part in every direction, the same on every machine (splitmix64).
static void FillProbe(const rslStatic* rest, const rslNodeVector* r)
{
    uint64_t bits = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int i = 0; i < rest->model->nodeCount; ++i)
        {
            uint64_t z = bits += 0x9e3779b97f4a7c15ull;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
            z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
            r->x[axis][i] = (double)((z ^ (z >> 31)) >> 11) * 0x1p-53 - 0.5;
        }
    }
    rslUnknowns_Project(&rest->unknowns, r);
}

// Curvature that is only as negative as rounding makes it belongs to motions that cost nothing, not to buckling.
bool rslStatic_IsUnstable(rslStatic* rest, const rslState* state)
{
    const rslUnknowns* u = &rest->unknowns;
    double length;
    rslStatic_LookAgain(rest, state, 1e-3);
    FillProbe(rest, &rest->space.r);
    rslCgResult found = rslStatic_Gradients(rest, 1e-3, PROBE_LIMIT);
    double along = rslUnknowns_Dot(u, &rest->space.p, &rest->space.q);
    double square = rslUnknowns_Dot(u, &rest->space.p, &rest->space.p);
    if (!found.curved || !(along < -1e-9 * rest->system.stiffest * square / rest->model->nodeCount))
    {
        return false;
    }
    rest->result.node = rslUnknowns_Largest(u, &rest->space.p, &length);
    return true;
}

bool rslStatic_Fall(rslStatic* rest, rslSearch* search)
{
    const rslUnknowns* u = &rest->unknowns;
    double curvature = rslUnknowns_Dot(u, &rest->space.p, &rest->space.q), length;
    if (!(rslStatics_Smallest(rest->kernel, search->state) < 1.0))
    {
        return false;
    }
    rslUnknowns_Largest(u, &rest->space.p, &length);
    rslUnknowns_Copy(u, &rest->direction, &rest->space.p);
    return rslSearch_Fall(search, curvature, rslStatics_Extent(rest->kernel) / length);
}
