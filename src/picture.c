// SPDX-License-Identifier: MIT
//
// picture.c: a picture of a snapshot: fit, shadows, ground, bodies, labels.

#include "picture.h"

rslPictureDef rslDefaultPictureDef(void)
{
    return (rslPictureDef){
        .width = 1200,
        .height = 900,
        .style = rsl_shadedPicture,
        .field = rsl_tensionField,
        .zoom = 1.0,
        .drawGround = true,
        .ground = { .normal = { 0, 0, 1 } },
        .drawLabels = true,
        .samples = 3,
    };
}

static bool IsInRange(const rslPictureDef* def)
{
    return def->width >= 16 && def->width <= 16384 && def->height >= 16 && def->height <= 16384 && def->samples >= 1 &&
           def->samples <= 4 && def->zoom > 0.0 && isfinite(def->zoom) && rslIsFinite3(def->view) &&
           rslIsFinite3(def->up);
}

// ---- camera ---------------------------------------------------------------------------------------------------------

// The largest value of x + slope z over everything, seen from the camera's axes: a plane that touches the scene.
typedef struct Support
{
    double left, right, top, bottom;
} Support;

static void Widen(Support* support, const rslCamera* camera, rslVec3 p, double margin, double slopeX, double slopeY)
{
    double x = rslDot(p, camera->right), y = rslDot(p, camera->up), z = rslDot(p, camera->back);
    double reach[4] = { -x + slopeX * z, x + slopeX * z, y + slopeY * z, -y + slopeY * z };
    double* sides[4] = { &support->left, &support->right, &support->top, &support->bottom };
    for (int i = 0; i < 4; ++i)
    {
        double side = reach[i] + margin;
        *sides[i] = side > *sides[i] ? side : *sides[i];
    }
}

static Support FindSupport(const rslDrawing* drawing, const rslCamera* camera, double slopeX, double slopeY)
{
    const rslSnapshot* s = drawing->snapshot;
    Support support = { -1e30, -1e30, -1e30, -1e30 };
    for (int i = 0; i < s->nodeCount; ++i)
    {
        rslVec3 p = rslDrawing_Node(drawing, i);
        if (rslIsFinite3(p))
        {
            Widen(&support, camera, p, drawing->nodeRadius, slopeX, slopeY);
        }
    }
    for (int i = 0; i < s->vertexCount; ++i)
    {
        rslVec3 p = rslDrawing_Vertex(drawing, i);
        if (rslIsFinite3(p))
        {
            Widen(&support, camera, p, 0.0, slopeX, slopeY);
        }
    }
    for (int i = 0; drawing->solids != NULL && i < drawing->def->solids->vertexCount; ++i)
    {
        const float* x = drawing->solids + 3 * (size_t)i;
        rslVec3 p = { (double)x[0], (double)x[1], (double)x[2] };
        if (rslLength(p) < 1.05)
        {
            Widen(&support, camera, p, 0.0, slopeX, slopeY);
        }
    }
    // the place on the ground that a body is above belongs to the picture
    if (drawing->hasGround && rslLength(drawing->groundPoint) < 2.5)
    {
        Widen(&support, camera, drawing->groundPoint, 0.0, slopeX, slopeY);
    }
    return drawing->empty ? (Support){ 1, 1, 1, 1 } : support;
}

// The nearest eye whose field of view holds the scene. A point is inside when x - ex <= slope (ez - z) and so on; with
// the supports A = max(x + slope z) and B = max(-x + slope z), both sides touch at ez = (A + B) / (2 slope) and
// ex = (A - B) / 2. The wider direction decides ez.
static void FitPerspective(rslCamera* camera, const rslDrawing* drawing, double slopeX, double slopeY)
{
    Support s = FindSupport(drawing, camera, slopeX, slopeY);
    double distanceX = (s.right + s.left) / (2.0 * slopeX), distanceY = (s.top + s.bottom) / (2.0 * slopeY);
    double distance = distanceX > distanceY ? distanceX : distanceY;
    rslVec3 eye = rslScale(distance > 0.5 ? distance : 0.5, camera->back);
    eye = rslMulAdd(eye, 0.5 * (s.right - s.left), camera->right);
    camera->eye = rslMulAdd(eye, 0.5 * (s.top - s.bottom), camera->up);
}

static double FitOrthographic(rslCamera* camera, const rslDrawing* drawing, double width, double height)
{
    Support s = FindSupport(drawing, camera, 0.0, 0.0);
    rslVec3 eye = rslMulAdd(rslScale(3.0, camera->back), 0.5 * (s.right - s.left), camera->right);
    camera->eye = rslMulAdd(eye, 0.5 * (s.top - s.bottom), camera->up);
    double scaleX = width / (s.right + s.left + 1e-3), scaleY = height / (s.top + s.bottom + 1e-3);
    return scaleX < scaleY ? scaleX : scaleY;
}

static rslCamera MakeCamera(const rslDrawing* drawing, const rslCanvas* canvas)
{
    const rslPictureDef* def = drawing->def;
    rslCamera camera = { .orthographic = drawing->flat };
    bool given = rslLength(def->view) > 0.0;
    bool along = drawing->flat && !given;
    rslVec3 view = given ? def->view : along ? (rslVec3){ 0, 0, 1 } : (rslVec3){ 0.52, -0.78, 0.36 };
    rslVec3 up = rslLength(def->up) > 0.0 ? def->up : along ? (rslVec3){ 0, 1, 0 } : (rslVec3){ 0, 0, 1 };
    rslCamera_Aim(&camera, view, up);

    int legend = rslLegend_Width(drawing) * def->samples;
    double width = canvas->width - legend, height = canvas->height;
    camera.centreX = 0.5 * width;
    camera.centreY = 0.5 * height;
    camera.thinnest = 0.55 * def->samples;
    double room = 0.82;  // of the picture; the rest is a margin
    if (camera.orthographic)
    {
        camera.focal = FitOrthographic(&camera, drawing, room * width, room * height);
    }
    else
    {
        // half the larger field of view is 15 degrees
        camera.focal = 0.5 * (width > height ? width : height) / 0.268;
        FitPerspective(&camera, drawing, room * 0.5 * width / camera.focal, room * 0.5 * height / camera.focal);
    }
    camera.focal *= def->zoom;
    return camera;
}

// ---- samples to pixels ----------------------------------------------------------------------------------------------

static void Average(const rslCanvas* canvas, int samples, const rslImage* image)
{
    int area = samples * samples;
    for (int y = 0; y < image->height; ++y)
    {
        for (int x = 0; x < image->width; ++x)
        {
            int sum[3] = { area / 2, area / 2, area / 2 };
            for (int i = 0; i < area; ++i)
            {
                size_t row = (size_t)(y * samples + i / samples), column = (size_t)(x * samples + i % samples);
                const uint8_t* rgb = canvas->rgb + 3 * (row * (size_t)canvas->width + column);
                sum[0] += rgb[0];
                sum[1] += rgb[1];
                sum[2] += rgb[2];
            }
            uint8_t* out = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
            out[0] = (uint8_t)(sum[0] / area);
            out[1] = (uint8_t)(sum[1] / area);
            out[2] = (uint8_t)(sum[2] / area);
        }
    }
}

// Texts that belong to points.
static void DrawPointLabels(const rslDrawing* drawing, const rslCamera* camera, const rslImage* image)
{
    const rslPictureDef* def = drawing->def;
    for (int i = 0; i < def->labelCount; ++i)
    {
        rslVec3 point = rslScale(1.0 / drawing->radius, rslSub(def->labels[i].point, drawing->centre));
        rslProjection p = rslCamera_Project(camera, point);
        rslLabel_Draw(image, &def->labels[i], p.x / def->samples, p.y / def->samples);
    }
}

// ---- the picture ----------------------------------------------------------------------------------------------------

static bool MakeCanvas(rslCanvas* canvas, const rslPictureDef* def, rslArena* arena)
{
    canvas->width = def->width * def->samples;
    canvas->height = def->height * def->samples;
    size_t count = (size_t)canvas->width * (size_t)canvas->height;
    canvas->depth = rslArena_Allocate(arena, count, sizeof(float));
    canvas->rgb = rslArena_Allocate(arena, count, 3);
    return canvas->depth != NULL && canvas->rgb != NULL;
}

static bool Draw(const rslSnapshot* snapshot, const rslPictureDef* def, rslArena* arena, const rslImage* image)
{
    rslCanvas canvas;
    rslDrawing drawing;
    rslLight light;
    if (!MakeCanvas(&canvas, def, arena) || !rslDrawing_Make(&drawing, snapshot, def, arena))
    {
        return false;
    }
    rslCamera camera = MakeCamera(&drawing, &canvas);
    if (!rslLight_Make(&light, &drawing, &camera, arena))
    {
        return false;
    }
    rslShading shading = {
        .light = &light,
        .diverging = drawing.scale.diverging,
        .shadows = def->style != rsl_springPicture && !drawing.flat,
    };
    rslPen pen = { .camera = &camera, .canvas = &canvas, .shade = rslShade, .context = &shading };
    rslCanvas_Clear(&canvas);
    rslGround_Draw(&light, &camera, &canvas, def->samples);
    rslDrawing_Draw(&drawing, &pen, false);
    Average(&canvas, def->samples, image);
    DrawPointLabels(&drawing, &camera, image);
    rslLegend_Draw(&drawing, image);
    if (def->drawLabels)
    {
        rslLabels_Draw(&drawing, image);
    }
    return true;
}

rslStatus rslPicture_Draw(const rslSnapshot* snapshot, const rslPictureDef* def, const rslHooks* hooks, uint8_t* rgb)
{
    if (!IsInRange(def))
    {
        return rsl_badInput;
    }
    rslArena arena = rslArena_Make(hooks);
    rslImage image = { def->width, def->height, rgb };
    bool drawn = Draw(snapshot, def, &arena, &image);
    rslArena_Free(&arena);
    return drawn ? rsl_ok : rsl_outOfMemory;
}
