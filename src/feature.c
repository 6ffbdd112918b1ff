// SPDX-License-Identifier: MIT
//
// feature.c: see feature.h.

#include "feature.h"

#include "contact_gap.h"
#include "vec.h"

rslVec3 rslSkin_Vertex(const rslSkin* skin, const double* x, int vertex)
{
    rslVec3 sum = { 0 };
    for (int e = skin->stencilStart[vertex]; e < skin->stencilStart[vertex + 1]; ++e)
    {
        const double* at = &x[3 * (size_t)skin->stencilNodes[e]];
        sum = rslMulAdd(sum, skin->stencilWeights[e], (rslVec3){ at[0], at[1], at[2] });
    }
    return sum;
}

void rslSkin_Spread(const rslSkin* skin, int vertex, rslVec3 f, double* out)
{
    for (int e = skin->stencilStart[vertex]; e < skin->stencilStart[vertex + 1]; ++e)
    {
        double *at = &out[3 * (size_t)skin->stencilNodes[e]], w = skin->stencilWeights[e];
        at[0] += w * f.x;
        at[1] += w * f.y;
        at[2] += w * f.z;
    }
}

static rslFeaturePoint OnEdge(const rslSkin* skin, const double* x, const int* ends, rslVec3 point)
{
    rslVec3 a = rslSkin_Vertex(skin, x, ends[0]), b = rslSkin_Vertex(skin, x, ends[1]), along = rslSub(b, a);
    double squared = rslDot(along, along), t = squared > 0.0 ? rslDot(rslSub(point, a), along) / squared : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return (rslFeaturePoint){ 2, { ends[0], ends[1] }, { 1.0 - t, t } };
}

static rslFeaturePoint OnTriangle(const rslSkin* skin, const double* x, const int* corners, rslVec3 point)
{
    rslVec3 at[4] = { point };
    rslFeaturePoint found = { .count = 3 };
    for (int c = 0; c < 3; ++c)
    {
        found.vertex[c] = corners[c];
        at[1 + c] = rslSkin_Vertex(skin, x, corners[c]);
    }
    rslGap gap = rslGap_Find(at);
    for (int c = 0; c < 3; ++c)
    {
        found.weight[c] = gap.share[c];
    }
    return found;
}

bool rslFeature_Nearest(const rslSkin* skin, const double* x, uint32_t feature, rslVec3 point, rslFeaturePoint* found)
{
    uint32_t kind = feature & ~(uint32_t)RSL_KEY_INDEX;
    int index = (int)(feature & RSL_KEY_INDEX);
    if (kind == RSL_KEY_VERTEX && index < skin->vertexCount)
    {
        *found = (rslFeaturePoint){ 1, { index }, { 1.0 } };
        return true;
    }
    if (kind == RSL_KEY_EDGE && index < skin->edgeCount)
    {
        *found = OnEdge(skin, x, &skin->edges[2 * (size_t)index], point);
        return true;
    }
    if (kind == RSL_KEY_TRIANGLE && index < skin->triangleCount)
    {
        *found = OnTriangle(skin, x, &skin->triangles[3 * (size_t)index], point);
        return true;
    }
    return false;
}
