// SPDX-License-Identifier: MIT
//
// raster.c: see raster.h.

#include "raster.h"

// ---- camera ---------------------------------------------------------------------------------------------------------

rslProjection rslCamera_Project(const rslCamera* camera, rslVec3 point)
{
    rslVec3 q = rslSub(point, camera->eye);
    double x = rslDot(q, camera->right), y = rslDot(q, camera->up), distance = -rslDot(q, camera->back);
    if (camera->orthographic)
    {
        return (rslProjection){ camera->centreX + camera->focal * x, camera->centreY - camera->focal * y, -distance,
                                1.0 };
    }
    double inverse = 1.0 / (distance > 1e-6 ? distance : 1e-6);
    double scale = camera->focal * inverse;
    return (rslProjection){ camera->centreX + scale * x, camera->centreY - scale * y, inverse, inverse };
}

rslVec3 rslCamera_ToViewer(const rslCamera* camera, rslVec3 point)
{
    return camera->orthographic ? camera->back : rslNormalize(rslSub(camera->eye, point));
}

void rslCamera_Aim(rslCamera* camera, rslVec3 back, rslVec3 up)
{
    camera->back = rslNormalize(back);
    rslVec3 right = rslCross(up, camera->back);
    if (rslLength(right) < 1e-6 * rslLength(up) || rslLength(right) == 0.0)
    {
        // looking along up: any other axis will do
        rslVec3 other = fabs(camera->back.y) < 0.9 ? (rslVec3){ 0, 1, 0 } : (rslVec3){ 1, 0, 0 };
        right = rslCross(other, camera->back);
    }
    camera->right = rslNormalize(right);
    camera->up = rslCross(camera->back, camera->right);
}

// ---- canvas ---------------------------------------------------------------------------------------------------------

void rslCanvas_Clear(rslCanvas* canvas)
{
    size_t count = (size_t)canvas->width * (size_t)canvas->height;
    for (size_t i = 0; i < count; ++i)
    {
        canvas->depth[i] = RSL_FAR;
    }
}

static uint8_t Byte(float x)
{
    float level = x > 0.0f ? (x < 1.0f ? 255.0f * x + 0.5f : 255.0f) : 0.0f;
    return (uint8_t)level;
}

void rslCanvas_SetColour(rslCanvas* canvas, size_t sample, rslColour colour)
{
    uint8_t* rgb = canvas->rgb + 3 * sample;
    rgb[0] = Byte(colour.r);
    rgb[1] = Byte(colour.g);
    rgb[2] = Byte(colour.b);
}

// The first sample whose centre is at x or beyond it, within [0, limit].
static int FirstSample(double x, int limit)
{
    double place = x - 0.5;
    if (!(place > 0.0))
    {
        return 0;
    }
    if (place >= limit)
    {
        return limit;
    }
    int sample = (int)place;
    return sample < place ? sample + 1 : sample;
}

// ---- triangles ------------------------------------------------------------------------------------------------------

// Weight of one corner, a x + b y + c: 1 there and 0 on the opposite edge.
typedef struct Edge
{
    double a, b, c;
} Edge;

static Edge MakeEdge(const rslProjection* p, const rslProjection* q, double scale)
{
    double a = (p->y - q->y) * scale, b = (q->x - p->x) * scale;
    return (Edge){ a, b, -(a * p->x + b * p->y) };
}

// Narrow [*lower, *upper) to the samples of a row where the weight is not negative.
static void Narrow(const Edge* edge, double y, int width, int* lower, int* upper)
{
    double rest = edge->b * y + edge->c;
    if (edge->a > 0.0)
    {
        int first = FirstSample(-rest / edge->a, width);
        *lower = first > *lower ? first : *lower;
    }
    else if (edge->a < 0.0)
    {
        int end = FirstSample(-rest / edge->a, width);
        *upper = end < *upper ? end : *upper;
    }
    else if (rest < 0.0)
    {
        *upper = *lower;
    }
}

static rslVec3 Mix(const double w[3], rslVec3 a, rslVec3 b, rslVec3 c)
{
    return rslMulAdd(rslMulAdd(rslScale(w[0], a), w[1], b), w[2], c);
}

static void ShadeSample(const rslPen* pen, const rslSurfacePoint c[3], const rslProjection p[3], const double weight[3],
                        size_t sample)
{
    double w[3], sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        w[i] = weight[i] * p[i].perspective;
        sum += w[i];
    }
    for (int i = 0; i < 3; ++i)
    {
        w[i] /= sum;
    }
    rslSurfacePoint point = {
        .position = Mix(w, c[0].position, c[1].position, c[2].position),
        .normal = rslNormalize(Mix(w, c[0].normal, c[1].normal, c[2].normal)),
        .value = w[0] * c[0].value + w[1] * c[1].value + w[2] * c[2].value,
    };
    rslCanvas_SetColour(pen->canvas, sample, pen->shade(pen->context, &point));
}

static void DrawRow(const rslPen* pen, const rslSurfacePoint corners[3], const rslProjection p[3], const Edge edges[3],
                    int row)
{
    rslCanvas* canvas = pen->canvas;
    double y = row + 0.5;
    int lower = 0, upper = canvas->width;
    for (int i = 0; i < 3; ++i)
    {
        Narrow(&edges[i], y, canvas->width, &lower, &upper);
    }
    for (int column = lower; column < upper; ++column)
    {
        double x = column + 0.5, w[3];
        for (int i = 0; i < 3; ++i)
        {
            w[i] = edges[i].a * x + edges[i].b * y + edges[i].c;
        }
        float key = (float)(w[0] * p[0].key + w[1] * p[1].key + w[2] * p[2].key);
        size_t sample = (size_t)row * (size_t)canvas->width + (size_t)column;
        if (key > canvas->depth[sample])
        {
            canvas->depth[sample] = key;
            if (canvas->rgb != NULL)
            {
                ShadeSample(pen, corners, p, w, sample);
            }
        }
    }
}

void rslPen_Triangle(const rslPen* pen, const rslSurfacePoint corners[3])
{
    rslProjection p[3];
    double top = 1e30, bottom = -1e30;
    for (int i = 0; i < 3; ++i)
    {
        p[i] = rslCamera_Project(pen->camera, corners[i].position);
        top = p[i].y < top ? p[i].y : top;
        bottom = p[i].y > bottom ? p[i].y : bottom;
    }
    double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
    if (!(fabs(area) > 1e-12) || !isfinite(area))
    {
        return;
    }
    double scale = 1.0 / area;
    const Edge edges[3] = {
        MakeEdge(&p[1], &p[2], scale),
        MakeEdge(&p[2], &p[0], scale),
        MakeEdge(&p[0], &p[1], scale),
    };
    int end = FirstSample(bottom, pen->canvas->height);
    for (int row = FirstSample(top, pen->canvas->height); row < end; ++row)
    {
        DrawRow(pen, corners, p, edges, row);
    }
}

// ---- balls ----------------------------------------------------------------------------------------------------------

typedef struct Ball
{
    rslVec3 centre;
    double radius, value;
    double x, y, size;  // on the canvas [samples]
} Ball;

static void DrawBallSample(const rslPen* pen, const Ball* ball, int column, int row)
{
    const rslCamera* camera = pen->camera;
    double u = (column + 0.5 - ball->x) / ball->size, v = (ball->y - row - 0.5) / ball->size;
    double rest = 1.0 - u * u - v * v;
    if (rest < 0.0)
    {
        return;
    }
    rslVec3 flat = rslMulAdd(rslScale(u, camera->right), v, camera->up);
    rslSurfacePoint point = { .normal = rslMulAdd(flat, sqrt(rest), camera->back), .value = ball->value };
    point.position = rslMulAdd(ball->centre, ball->radius, point.normal);
    float key = (float)rslCamera_Project(camera, point.position).key;
    size_t sample = (size_t)row * (size_t)pen->canvas->width + (size_t)column;
    if (key > pen->canvas->depth[sample])
    {
        pen->canvas->depth[sample] = key;
        if (pen->canvas->rgb != NULL)
        {
            rslCanvas_SetColour(pen->canvas, sample, pen->shade(pen->context, &point));
        }
    }
}

void rslPen_Ball(const rslPen* pen, rslVec3 centre, double radius, double value)
{
    rslProjection p = rslCamera_Project(pen->camera, centre);
    double size = radius * pen->camera->focal * p.perspective;
    size = size > pen->camera->thinnest ? size : pen->camera->thinnest;
    Ball ball = { centre, size / (pen->camera->focal * p.perspective), value, p.x, p.y, size };
    int right = FirstSample(p.x + size, pen->canvas->width), bottom = FirstSample(p.y + size, pen->canvas->height);
    for (int row = FirstSample(p.y - size, pen->canvas->height); row < bottom; ++row)
    {
        for (int column = FirstSample(p.x - size, pen->canvas->width); column < right; ++column)
        {
            DrawBallSample(pen, &ball, column, row);
        }
    }
}

// ---- rods -----------------------------------------------------------------------------------------------------------

// Three columns along the rod: left rim, the line towards the viewer, right rim.
static void MakeEnd(const rslPen* pen, rslVec3 end, rslVec3 side, double radius, double value, rslSurfacePoint out[3])
{
    double perspective = rslCamera_Project(pen->camera, end).perspective;
    double least = pen->camera->thinnest / (pen->camera->focal * perspective);
    rslVec3 front = rslCamera_ToViewer(pen->camera, end);
    radius = radius > least ? radius : least;
    for (int i = 0; i < 3; ++i)
    {
        double s = i - 1;
        out[i].position = rslMulAdd(end, s * radius, side);
        out[i].normal = rslNormalize(rslMulAdd(rslScale(0.95 * s, side), i == 1 ? 1.0 : 0.32, front));
        out[i].value = value;
    }
    out[1].position = rslMulAdd(out[1].position, radius, front);
}

// No thicker than a line: a strip that faces the viewer.
static void DrawLine(const rslPen* pen, const rslSurfacePoint p[3], const rslSurfacePoint q[3])
{
    rslSurfacePoint corners[4] = { p[0], p[2], q[2], q[0] };
    for (int i = 0; i < 4; ++i)
    {
        corners[i].normal = p[1].normal;
    }
    const rslSurfacePoint other[3] = { corners[0], corners[2], corners[3] };
    rslPen_Triangle(pen, corners);
    rslPen_Triangle(pen, other);
}

void rslPen_Rod(const rslPen* pen, rslVec3 a, rslVec3 b, double radius, double valueA, double valueB)
{
    const rslCamera* camera = pen->camera;
    rslVec3 middle = rslScale(0.5, rslAdd(a, b));
    rslVec3 side = rslNormalize(rslCross(rslSub(b, a), rslCamera_ToViewer(camera, middle)));
    rslSurfacePoint p[3], q[3];
    MakeEnd(pen, a, side, radius, valueA, p);
    MakeEnd(pen, b, side, radius, valueB, q);
    if (radius * camera->focal * rslCamera_Project(camera, middle).perspective <= camera->thinnest)
    {
        DrawLine(pen, p, q);
        return;
    }
    for (int i = 0; i < 2; ++i)
    {
        const rslSurfacePoint first[3] = { p[i], p[i + 1], q[i] }, second[3] = { p[i + 1], q[i + 1], q[i] };
        rslPen_Triangle(pen, first);
        rslPen_Triangle(pen, second);
    }
}
