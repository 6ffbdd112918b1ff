// SPDX-License-Identifier: MIT
//
// picture.h: the parts of a picture.
//
// picture.c         the order of things: fit, shadows, ground, bodies, labels
// picture_scene.c   a snapshot scaled into the unit ball, with colours
// picture_light.c   lamps, shadows and the shade of a surface
// picture_ground.c  background and ground
// picture_legend.c  what is written on top
// picture_font.c    its letters

#pragma once

#include "memory.h"
#include "raster.h"
#include "resilin/export.h"

// ---- the finished image ---------------------------------------------------------------------------------------------

typedef struct rslImage
{
    int width, height;
    uint8_t* rgb;
} rslImage;

// Fill [x0, x1) x [y0, y1), cut to the image.
void rslImage_Fill(const rslImage* image, int x0, int y0, int x1, int y1, rslColour colour);

int rslFont_Width(const char* text, int scale);
void rslFont_Draw(const rslImage* image, const char* text, int x, int y, int scale, rslColour colour);

// ---- what is drawn --------------------------------------------------------------------------------------------------

// Values of a field, and how they become colours.
typedef struct rslValueScale
{
    bool used, diverging;
    double lower, upper;
    const char* title;  // with unit
} rslValueScale;

typedef struct rslDrawing
{
    const rslSnapshot* snapshot;
    const rslPictureDef* def;
    // point in the picture = (point in the world - centre) / radius
    rslVec3 centre;
    double radius;     // [m]
    bool empty, flat;  // flat: a 2D scene, seen along z
    bool hasGround;
    rslVec3 groundPoint;  // of the ground below the centre, in the picture
    rslVec3 groundNormal;
    float* nodes;  // x y z; NaN where it is not finite
    float* vertices;
    float* normals;                // of the corners of the triangles
    float *solids, *solidNormals;  // the same of the solids of the definition
    float* nodeValue;              // from 0 to 1 (-1 to 1 when diverging); NULL when the style has none
    float* vertexValue;
    bool* hasSurface;  // of every body
    double nodeRadius, springRadius;
    rslValueScale scale;
} rslDrawing;

// Arrays belong to the arena. False when out of memory.
bool rslDrawing_Make(rslDrawing* drawing, const rslSnapshot* snapshot, const rslPictureDef* def, rslArena* arena);

rslVec3 rslDrawing_Node(const rslDrawing* drawing, int64_t node);
rslVec3 rslDrawing_Vertex(const rslDrawing* drawing, int64_t vertex);

// Everything the style shows. As shadows, bodies that have a surface throw that of the surface.
void rslDrawing_Draw(const rslDrawing* drawing, rslPen* pen, bool asShadow);

// ---- light ----------------------------------------------------------------------------------------------------------

typedef struct rslLight
{
    const rslDrawing* drawing;
    const rslCamera* camera;
    rslVec3 lamp, fill;    // unit, towards them
    rslVec3 sky;           // unit, upwards
    rslCamera lampCamera;  // sees what is lit
    rslCanvas lampMap;
    rslCamera floorCamera;  // looks up from below the ground
    rslCanvas floorMap;
    float* contact;  // 0 open, 1 covered, as wide as floorMap
} rslLight;

// False when out of memory.
bool rslLight_Make(rslLight* light, const rslDrawing* drawing, const rslCamera* camera, rslArena* arena);

// The share of the lamp that reaches a point: through a small window, or one that widens with the distance of what is in
// the way.
double rslLight_Sharp(const rslLight* light, rslVec3 point);
double rslLight_Soft(const rslLight* light, rslVec3 point);
double rslLight_Contact(const rslLight* light, rslVec3 point);

// The colour of a surface point; the context of the pen while bodies are drawn.
typedef struct rslShading
{
    const rslLight* light;
    rslColour colour;  // of the body
    bool byValue, diverging;
    bool shadows;
} rslShading;

rslColour rslShade(const void* shading, const rslSurfacePoint* point);

// ---- around it ------------------------------------------------------------------------------------------------------

void rslGround_Draw(const rslLight* light, const rslCamera* camera, rslCanvas* canvas, int samples);
double rslGround_Spacing(const rslDrawing* drawing);  // side of a square [m]

// A round number (1, 2 or 5 times a power of ten) at or above x > 0.
double rslRoundUp(double x);

int rslLegend_Width(const rslDrawing* drawing);  // pixels to keep free on the right
void rslLegend_Draw(const rslDrawing* drawing, const rslImage* image);
void rslLabels_Draw(const rslDrawing* drawing, const rslImage* image);
void rslLabel_Draw(const rslImage* image, const rslPictureLabel* label, double x,
                   double y);  // its point is at the pixel
