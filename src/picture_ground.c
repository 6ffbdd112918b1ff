// SPDX-License-Identifier: MIT
//
// picture_ground.c: the background, and the ground as squares of a round size that fade into it.

#include "picture.h"

typedef struct Floor
{
    const rslLight* light;
    const rslCamera* camera;
    rslVec3 east, north;      // in the ground
    double originU, originV;  // of the picture's origin in the squares
    double square;            // side, in the picture
    bool edgeOn;              // seen along the ground: what lies below it is filled
} Floor;

// A place of the ground under one pixel.
typedef struct Spot
{
    double lamp, contact;
} Spot;

static rslColour Blend(rslColour a, rslColour b, double t)
{
    float s = (float)t;
    return (rslColour){ a.r + s * (b.r - a.r), a.g + s * (b.g - a.g), a.b + s * (b.b - a.b) };
}

static rslColour Background(double t)
{
    const rslColour top = { 0.86f, 0.90f, 0.945f }, bottom = { 0.965f, 0.97f, 0.975f };
    return Blend(top, bottom, t);
}

double rslRoundUp(double x)
{
    if (!(x > 0.0) || !isfinite(x))
    {
        return 1.0;
    }
    double power = 1.0;
    while (power > x)
    {
        power *= 0.1;
    }
    while (power * 10.0 <= x)
    {
        power *= 10.0;
    }
    double rest = x / power * (1.0 - 1e-9);
    return power * (rest <= 1.0 ? 1.0 : rest <= 2.0 ? 2.0 : rest <= 5.0 ? 5.0 : 10.0);
}

double rslGround_Spacing(const rslDrawing* drawing)
{
    return rslRoundUp(drawing->radius / 4.0);
}

static Floor MakeFloor(const rslLight* light, const rslCamera* camera)
{
    rslVec3 n = light->drawing->groundNormal, axis = fabs(n.x) < 0.9 ? (rslVec3){ 1, 0, 0 } : (rslVec3){ 0, 1, 0 };
    const rslDrawing* drawing = light->drawing;
    Floor floor = { .light = light, .camera = camera };
    floor.east = rslNormalize(rslMulAdd(axis, -rslDot(axis, n), n));
    floor.north = rslCross(n, floor.east);
    floor.square = rslGround_Spacing(drawing) / drawing->radius;
    rslVec3 centre = rslSub(drawing->centre, drawing->def->ground.point);
    floor.originU = rslDot(centre, floor.east) / drawing->radius;
    floor.originV = rslDot(centre, floor.north) / drawing->radius;
    floor.edgeOn = camera->orthographic && fabs(rslDot(camera->back, n)) < 0.02;
    return floor;
}

// The point of the ray through a sample where it meets the ground. False above the horizon or from below.
static bool MeetGround(const Floor* floor, double x, double y, rslVec3* point)
{
    const rslCamera* camera = floor->camera;
    double u = (x - camera->centreX) / camera->focal, v = (camera->centreY - y) / camera->focal;
    rslVec3 across = rslMulAdd(rslScale(u, camera->right), v, camera->up);
    rslVec3 start = camera->orthographic ? rslAdd(camera->eye, across) : camera->eye;
    rslVec3 ray = camera->orthographic ? rslScale(-1.0, camera->back) : rslSub(across, camera->back);
    double speed = rslDot(ray, floor->light->drawing->groundNormal);
    double height = rslDot(rslSub(start, floor->light->drawing->groundPoint), floor->light->drawing->groundNormal);
    if (speed >= 0.0 || height <= 0.0)
    {
        return false;
    }
    *point = rslMulAdd(start, -height / speed, ray);
    return true;
}

static bool IsOdd(double x)
{
    double half = 0.5 * x;
    int64_t whole = (int64_t)half;
    double rest = half - (double)whole;
    rest += rest < 0.0 ? 1.0 : 0.0;
    return rest >= 0.5;
}

// How much of the ground is seen at a place: all nearby, nothing far away.
static double Presence(const Floor* floor, rslVec3 point)
{
    rslVec3 away = rslSub(point, floor->light->drawing->groundPoint);
    double t = (rslLength(away) - 1.2) / 5.0;
    t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
    return (1.0 - t) * (1.0 - t);
}

static rslColour GroundColour(const Floor* floor, rslVec3 point, const Spot* spot, rslColour behind)
{
    double u = (rslDot(point, floor->east) + floor->originU) / floor->square;
    double v = (rslDot(point, floor->north) + floor->originV) / floor->square;
    bool small = fabs(u) < 1e15 && fabs(v) < 1e15;
    bool dark = small && IsOdd(u) != IsOdd(v);
    rslColour tile = dark ? (rslColour){ 0.845f, 0.85f, 0.86f } : (rslColour){ 0.885f, 0.89f, 0.895f };
    double light = (0.45 + 0.55 * spot->lamp) * (1.0 - 0.72 * spot->contact);
    float shade = (float)sqrt(light);
    tile = (rslColour){ tile.r * shade, tile.g * shade, tile.b * (shade + 0.03f * (1.0f - shade)) };
    return Blend(behind, tile, Presence(floor, point));
}

// Seen along the ground: a solid below a line.
static rslColour EdgeColour(const Floor* floor, double x, double y, rslColour behind, int samples)
{
    const rslCamera* camera = floor->camera;
    double u = (x - camera->centreX) / camera->focal, v = (camera->centreY - y) / camera->focal;
    rslVec3 point = rslAdd(camera->eye, rslMulAdd(rslScale(u, camera->right), v, camera->up));
    rslVec3 n = floor->light->drawing->groundNormal;
    double depth = -rslDot(rslSub(point, floor->light->drawing->groundPoint), n) * camera->focal / samples;
    if (depth < 0.0)
    {
        return behind;
    }
    const rslColour line = { 0.45f, 0.48f, 0.52f }, solid = { 0.80f, 0.815f, 0.83f };
    return depth < 2.0 ? line : solid;
}

static rslColour SampleColour(const Floor* floor, double x, double y, const Spot* spot, rslColour behind, int samples)
{
    if (floor->edgeOn)
    {
        return EdgeColour(floor, x, y, behind, samples);
    }
    rslVec3 point;
    return MeetGround(floor, x, y, &point) ? GroundColour(floor, point, spot, behind) : behind;
}

// Shadows are soft: once a pixel is enough.
static Spot SpotAt(const Floor* floor, double x, double y)
{
    rslVec3 point;
    if (floor->edgeOn || !MeetGround(floor, x, y, &point))
    {
        return (Spot){ 1.0, 0.0 };
    }
    return (Spot){ rslLight_Soft(floor->light, point), rslLight_Contact(floor->light, point) };
}

static void DrawPixel(const Floor* floor, rslCanvas* canvas, int column, int row, int samples)
{
    bool ground = floor->light->drawing->hasGround;
    double half = 0.5 * samples;
    Spot spot = ground ? SpotAt(floor, column + half, row + half) : (Spot){ 1.0, 0.0 };
    for (int y = row; y < row + samples; ++y)
    {
        rslColour behind = Background((y + 0.5) / canvas->height);
        for (int x = column; x < column + samples; ++x)
        {
            size_t sample = (size_t)y * (size_t)canvas->width + (size_t)x;
            rslColour colour = ground ? SampleColour(floor, x + 0.5, y + 0.5, &spot, behind, samples) : behind;
            rslCanvas_SetColour(canvas, sample, colour);
        }
    }
}

void rslGround_Draw(const rslLight* light, const rslCamera* camera, rslCanvas* canvas, int samples)
{
    Floor floor = MakeFloor(light, camera);
    for (int row = 0; row < canvas->height; row += samples)
    {
        for (int column = 0; column < canvas->width; column += samples)
        {
            DrawPixel(&floor, canvas, column, row, samples);
        }
    }
}
