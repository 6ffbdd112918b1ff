// SPDX-License-Identifier: MIT
//
// joint_fixture.h: bars on joints.

#pragma once

#include "physics_fixture.h"

#include "top.h"

// Bars along x, 0.4 x 0.1 x 0.1 m and 4 kg each, side by side from x = 0 on.
typedef struct Chain
{
    rslShapeDef shapes[4];
    rslBodyDef bodies[4];
    rslJointDef joints[4];
    rslScene scene;
} Chain;

static const char* const barNames[4] = { "one", "two", "three", "four" };

static inline void MakeChain(Chain* chain, int count, rslJointType type, bool hung)
{
    for (int i = 0; i < count; ++i)
    {
        chain->shapes[i] = BoxShape(0.4, 0.1, 0.1);
        chain->shapes[i].translate.x = 0.2 + 0.4 * i;
        chain->bodies[i] = LatticeBody(barNames[i], &chain->shapes[i], 0.1);
        chain->bodies[i].model.type = rsl_rigidModel;
        chain->joints[i] = rslDefaultJointDef();
        chain->joints[i].type = type;
        chain->joints[i].a = barNames[i];
        chain->joints[i].b = i > 0 ? barNames[i - 1] : NULL;
        chain->joints[i].point = (rslVec3){ 0.4 * i, 0.0, 0.0 };
        chain->joints[i].axis = (rslVec3){ 0.0, 1.0, 0.0 };
    }
    chain->scene = SceneOf(chain->bodies, count);
    chain->scene.joints = hung ? chain->joints : chain->joints + 1;
    chain->scene.jointCount = hung ? count : count - 1;
}

// The largest gap of all joints, at the points that lie in both bodies.
static inline double Gap(const Run* run)
{
    double worst = 0.0;
    for (int j = 0; j < run->model->jointCount; ++j)
    {
        const rslJoint* joint = &run->model->joints[j];
        rslVec3 x[2];
        for (int s = 0; s < 2; ++s)
        {
            int r = joint->rigids[s];
            x[s] = joint->places[s];
            if (r >= 0)
            {
                const rslFrame* frame = &run->state->frames[run->model->rigids[r].body];
                rslMat3 rotation = rslQuatMatrix(frame->rotation);
                x[s] = rslAdd(frame->origin, rslMatVec(&rotation, x[s]));
            }
        }
        worst = Worse(worst, rslLength(rslSub(x[0], x[1])));
    }
    return worst;
}
