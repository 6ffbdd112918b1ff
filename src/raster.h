// SPDX-License-Identifier: MIT
//
// raster.h: triangles, balls and rods into a depth buffer, seen by a camera.
//
// Lengths are those of a scene scaled into the unit ball about the origin. A canvas without colours takes depths alone,
// which is how shadows are made.

#pragma once

#include "colour.h"
#include "vec.h"

typedef struct rslCamera
{
    rslVec3 right, up, back;  // unit; back points to the viewer
    rslVec3 eye;
    bool orthographic;
    double focal;             // samples a unit at distance 1 (any distance when orthographic)
    double centreX, centreY;  // where the axis meets the canvas [samples]
    double thinnest;          // least radius of balls and rods [samples]
} rslCamera;

// Depths are keys: larger is nearer, RSL_FAR where nothing is.
#define RSL_FAR (-1e30f)

typedef struct rslCanvas
{
    int width, height;  // samples
    float* depth;
    uint8_t* rgb;  // NULL: depths alone
} rslCanvas;

// A point of a surface: what is interpolated and given to the shader.
typedef struct rslSurfacePoint
{
    rslVec3 position, normal;
    double value;
} rslSurfacePoint;

// The colour of a point, as on a screen. Not called for a canvas without colours.
typedef rslColour rslShadeFunction(const void* context, const rslSurfacePoint* point);

typedef struct rslPen
{
    const rslCamera* camera;
    rslCanvas* canvas;
    rslShadeFunction* shade;
    void* context;
} rslPen;

void rslCanvas_Clear(rslCanvas* canvas);  // the depths
void rslCanvas_SetColour(rslCanvas* canvas, size_t sample, rslColour colour);

// Where a point falls on the canvas, and its key.
typedef struct rslProjection
{
    double x, y, key;
    double perspective;  // 1 / distance; 1 when orthographic
} rslProjection;

rslProjection rslCamera_Project(const rslCamera* camera, rslVec3 point);
rslVec3 rslCamera_ToViewer(const rslCamera* camera, rslVec3 point);  // unit

// A camera at the origin's side given by back, with right and up chosen about the wanted up.
void rslCamera_Aim(rslCamera* camera, rslVec3 back, rslVec3 up);

void rslPen_Triangle(const rslPen* pen, const rslSurfacePoint corners[3]);
void rslPen_Ball(const rslPen* pen, rslVec3 centre, double radius, double value);
void rslPen_Rod(const rslPen* pen, rslVec3 a, rslVec3 b, double radius, double valueA, double valueB);
