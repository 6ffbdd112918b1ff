// SPDX-License-Identifier: MIT
//
// scene_table.h: the words in which the tables of the scene language are written, and what one has of another.

#pragma once

#include "scene_schema.h"

#include <math.h>

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define BIT(type) ((uint32_t)1 << (type))
#define AT(Type, field) .offset = offsetof(Type, field)
#define LIST_AT(Type, field, count) .offset = offsetof(Type, field), .countOffset = offsetof(Type, count)
#define ALWAYS RSL_ALL_TYPES

// ranges
#define POSITIVE                                                                                                       \
    {                                                                                                                  \
        0.0, INFINITY, true, true                                                                                      \
    }
#define NOT_NEGATIVE                                                                                                   \
    {                                                                                                                  \
        0.0, INFINITY, false, true                                                                                     \
    }
#define BETWEEN(a, b)                                                                                                  \
    {                                                                                                                  \
        a, b, false, false                                                                                             \
    }

#define A_MILLION_TURNS BETWEEN(-3.6e8, 3.6e8)  // beyond, digits of the angle are lost

// a body and all that is in it (scene_schema_body.c, scene_schema_network.c)
extern const rslStruct rslRotationStruct, rslShapeStruct, rslOrthotropicStruct, rslDampingStruct, rslMaterialStruct;
extern const rslStruct rslNetworkStruct, rslSurfaceStruct, rslRegionStruct, rslModelStruct, rslRepulsionStruct;
extern const rslStruct rslVolumeStruct, rslBodyStruct;

// what acts on bodies (scene_schema_act.c)
extern const rslStruct rslNodesStruct, rslCourseStruct, rslLoadStruct, rslConstraintStruct, rslLinkStruct;
extern const rslStruct rslJointStruct, rslDriveStruct;

// how things touch (scene_schema_touch.c)
extern const rslStruct rslTouchStruct, rslContactStruct, rslGroundStruct, rslColliderStruct;
