// SPDX-License-Identifier: MIT
//
// touch_force.c: forces where things touch, read off what a state remembers of its last step. An impulse P on a of a step h is the
// force P/h; n n.P of it presses, the rest is friction. b gets -P.

#include "resilin/observe.h"

#include "feature.h"
#include "memory.h"
#include "vec.h"

static rslVec3 Load(const double v[3])
{
    return (rslVec3){ v[0], v[1], v[2] };
}

static rslVec3 FrictionOf(const rslTouched* touched, rslVec3 impulse)
{
    rslVec3 n = Load(touched->normal);
    return rslMulAdd(impulse, -rslDot(n, impulse), n);
}

// How often, and with which sign, a touch counts for a body and what it touches: 1 as a, -1 as b.
static double SignFor(const rslModel* model, const rslTouched* touched, int body, int collider)
{
    int other = rslKey_Other(touched->key);
    bool of = body < 0 || touched->key[0] == (uint32_t)body;
    if (rslKey_IsCollider(touched->key))
    {
        return of && other == collider ? 1.0 : 0.0;
    }
    // what bodies do to each other cancels out among all of them, and within one
    bool with = body >= 0 && other == body;
    return collider == model->colliderCount && body >= 0 ? (of ? 1.0 : 0.0) - (with ? 1.0 : 0.0) : 0.0;
}

rslTouchForce rslState_TouchForce(const rslModel* model, const rslState* state, int body, int collider)
{
    RSL_ASSERT(-1 <= body && body < model->bodyCount && 0 <= collider && collider <= model->colliderCount);
    rslTouchForce sum = { 0 };
    rslVec3 first = { 0 };
    for (int t = 0; t < state->touchedCount; ++t)
    {
        const rslTouched* touched = &state->touched[t];
        double sign = SignFor(model, touched, body, collider);
        if (sign != 0.0 && state->step > 0.0)
        {
            rslVec3 force = rslScale(sign / state->step, Load(touched->impulse)), at = Load(touched->point);
            double press = fabs(rslDot(Load(touched->normal), force));
            sum.force = rslAdd(sum.force, force);
            sum.friction = rslAdd(sum.friction, FrictionOf(touched, force));
            sum.torque = rslAdd(sum.torque, rslCross(at, force));
            first = sum.count == 0 ? at : first;
            sum.point = rslMulAdd(sum.point, press, rslSub(at, first));
            sum.press += press;
            sum.count += 1;
        }
    }
    rslVec3 nowhere = { NAN, NAN, NAN };
    sum.point = sum.press > 0.0 ? rslMulAdd(first, 1.0 / sum.press, sum.point) : nowhere;
    return sum;
}

// ---- at nodes -------------------------------------------------------------------------------------------------------

// A force at the point of a feature falls to the nodes that its vertices hang on.
static void Spread(const rslModel* model, const double* x, int body, uint32_t feature, rslVec3 point, rslVec3 force,
                   double* out)
{
    rslFeaturePoint at;
    const rslSkin* skin = &model->bodies[body].skin;
    if (!rslFeature_Nearest(skin, x, feature, point, &at))
    {
        return;
    }
    for (int i = 0; i < at.count; ++i)
    {
        for (int e = skin->stencilStart[at.vertex[i]]; e < skin->stencilStart[at.vertex[i] + 1]; ++e)
        {
            double* to = &out[3 * (size_t)model->contactNodes[skin->stencilNodes[e]]];
            double weight = at.weight[i] * skin->stencilWeights[e];
            to[0] += weight * force.x;
            to[1] += weight * force.y;
            to[2] += weight * force.z;
        }
    }
}

static void SpreadTouch(const rslModel* model, const double* x, const rslTouched* touched, rslVec3 force, double* out)
{
    if (touched->key[0] < (uint32_t)model->bodyCount)
    {
        Spread(model, x, (int)touched->key[0], touched->key[1], Load(touched->point), force, out);
    }
    if (touched->key[2] < (uint32_t)model->bodyCount)
    {
        Spread(model, x, (int)touched->key[2], touched->key[3], Load(touched->point), rslScale(-1.0, force), out);
    }
}

rslStatus rslState_TouchForces(const rslModel* model, const rslState* state, double* forces, double* friction)
{
    size_t numbers = 3 * (size_t)model->nodeCount;
    double* both[2] = { forces, friction };
    for (int k = 0; k < 2; ++k)
    {
        for (size_t i = 0; both[k] != NULL && i < numbers; ++i)
        {
            both[k][i] = 0.0;
        }
    }
    if (state->touchedCount == 0 || !(state->step > 0.0))
    {
        return rsl_ok;
    }
    double* x = rslAllocate(&state->hooks, 3 * (size_t)model->contactNodeCount, sizeof(double));
    if (x == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int c = 0; c < model->contactNodeCount; ++c)
    {
        rslState_Positions(model, state, model->contactNodes[c], model->contactNodes[c] + 1, &x[3 * (size_t)c]);
    }
    for (int t = 0; t < state->touchedCount; ++t)
    {
        const rslTouched* touched = &state->touched[t];
        rslVec3 force = rslScale(1.0 / state->step, Load(touched->impulse));
        if (forces != NULL)
        {
            SpreadTouch(model, x, touched, force, forces);
        }
        if (friction != NULL)
        {
            SpreadTouch(model, x, touched, FrictionOf(touched, force), friction);
        }
    }
    rslRelease(&state->hooks, x);
    return rsl_ok;
}
