// SPDX-License-Identifier: MIT
//
// picture_light.c: lamps, shadows and the shade of a surface.
//
// One lamp throws shadows, through a map of depths seen from it. A second one and the sky fill in. Near the ground the
// sky is covered: a map of heights seen from below, blurred, darkens the ground; the height itself darkens bodies.

#include "picture.h"

enum
{
    LAMP_SIZE = 1024,
    FLOOR_SIZE = 256,
};

static const double floorReach = 1.6;  // half the side of the floor map

// ---- maps -----------------------------------------------------------------------------------------------------------

static bool MakeMap(rslCanvas* map, rslCamera* camera, int size, double reach, rslVec3 back, rslArena* arena)
{
    *map = (rslCanvas){ .width = size, .height = size };
    map->depth = rslArena_Allocate(arena, (size_t)size * (size_t)size, sizeof(float));
    camera->orthographic = true;
    camera->focal = 0.5 * size / reach;
    camera->centreX = camera->centreY = 0.5 * size;
    camera->thinnest = 0.8;
    rslCamera_Aim(camera, back, (rslVec3){ 0, 0, 1 });
    camera->eye = rslScale(4.0, camera->back);
    return map->depth != NULL;
}

static void FillMap(const rslDrawing* drawing, rslCanvas* map, const rslCamera* camera)
{
    rslCanvas_Clear(map);
    rslPen pen = { .camera = camera, .canvas = map };
    rslDrawing_Draw(drawing, &pen, true);
}

// Moving average over a row or a column, in place of row.
static void BlurLine(float* values, size_t stride, int count, int reach, float* line)
{
    float sum = 0.0f;
    for (int i = -reach; i < count; ++i)
    {
        sum += i + reach < count ? values[(size_t)(i + reach) * stride] : 0.0f;
        sum -= i - reach - 1 >= 0 ? values[(size_t)(i - reach - 1) * stride] : 0.0f;
        if (i >= 0)
        {
            line[i] = sum / (float)(2 * reach + 1);
        }
    }
    for (int i = 0; i < count; ++i)
    {
        values[(size_t)i * stride] = line[i];
    }
}

static void Blur(float* values, int size, int reach)
{
    float line[FLOOR_SIZE];
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int i = 0; i < size; ++i)
        {
            BlurLine(values + (size_t)i * (size_t)size, 1, size, reach, line);
            BlurLine(values + i, (size_t)size, size, reach, line);
        }
    }
}

// How much of the sky a body at height h above the ground hides from the place below it.
static void FillContact(rslLight* light)
{
    const rslCamera* camera = &light->floorCamera;
    double ground = rslCamera_Project(camera, light->drawing->groundPoint).key;
    size_t count = (size_t)FLOOR_SIZE * FLOOR_SIZE;
    for (size_t i = 0; i < count; ++i)
    {
        double height = ground - (double)light->floorMap.depth[i];
        double h = (height > 0.0 ? height : 0.0) / 0.25;
        light->contact[i] = light->floorMap.depth[i] > RSL_FAR ? (float)(1.0 / (1.0 + h * h)) : 0.0f;
    }
    Blur(light->contact, FLOOR_SIZE, 9);
}

// ---- lamps ----------------------------------------------------------------------------------------------------------

bool rslLight_Make(rslLight* light, const rslDrawing* drawing, const rslCamera* camera, rslArena* arena)
{
    *light = (rslLight){ .drawing = drawing, .camera = camera };
    light->sky = drawing->hasGround ? drawing->groundNormal : camera->up;
    rslVec3 across = rslMulAdd(rslScale(0.62, camera->back), -0.55, camera->right);
    light->lamp = rslNormalize(rslMulAdd(across, 0.95, light->sky));
    light->fill = rslNormalize(rslMulAdd(rslScale(0.5, camera->back), 1.0, camera->right));
    if (drawing->flat)
    {
        light->lamp = rslNormalize(rslMulAdd(rslMulAdd(camera->back, -0.3, camera->right), 0.4, camera->up));
    }
    if (!MakeMap(&light->lampMap, &light->lampCamera, LAMP_SIZE, 1.05, light->lamp, arena))
    {
        return false;
    }
    FillMap(drawing, &light->lampMap, &light->lampCamera);
    if (!light->drawing->hasGround)
    {
        return true;
    }
    rslVec3 down = rslScale(-1.0, light->drawing->groundNormal);
    light->contact = rslArena_Allocate(arena, (size_t)FLOOR_SIZE * FLOOR_SIZE, sizeof(float));
    if (!MakeMap(&light->floorMap, &light->floorCamera, FLOOR_SIZE, floorReach, down, arena) || light->contact == NULL)
    {
        return false;
    }
    FillMap(drawing, &light->floorMap, &light->floorCamera);
    FillContact(light);
    return true;
}

// ---- shadows --------------------------------------------------------------------------------------------------------

// Whole part, towards minus infinity; far values are cut.
static int Floor(double x)
{
    x = x > -1e6 ? (x < 1e6 ? x : 1e6) : -1e6;
    int whole = (int)x;
    return whole > x ? whole - 1 : whole;
}

typedef struct Window
{
    int x, y;
    float key;
} Window;

static Window WindowAt(const rslLight* light, rslVec3 point)
{
    rslProjection p = rslCamera_Project(&light->lampCamera, point);
    return (Window){ Floor(p.x), Floor(p.y), (float)p.key };
}

// Over (2 reach + 1)^2 samples that lie stride apart: the share in shadow, and how far away what shades them is.
static double Shadowed(const rslLight* light, Window window, int reach, int stride, float margin, double* distance)
{
    int hits = 0;
    double sum = 0.0;
    for (int j = -reach; j <= reach; ++j)
    {
        for (int i = -reach; i <= reach; ++i)
        {
            int x = window.x + i * stride, y = window.y + j * stride;
            if (x < 0 || y < 0 || x >= LAMP_SIZE || y >= LAMP_SIZE)
            {
                continue;
            }
            float key = light->lampMap.depth[(size_t)y * LAMP_SIZE + (size_t)x];
            if (key > window.key + margin)
            {
                hits += 1;
                sum += (double)(key - window.key);
            }
        }
    }
    *distance = hits > 0 ? sum / hits : 0.0;
    int side = 2 * reach + 1;
    return hits / (double)(side * side);
}

double rslLight_Sharp(const rslLight* light, rslVec3 point)
{
    double distance;
    return 1.0 - Shadowed(light, WindowAt(light, point), 2, 1, 0.012f, &distance);
}

double rslLight_Soft(const rslLight* light, rslVec3 point)
{
    double distance;
    Window window = WindowAt(light, point);
    if (Shadowed(light, window, 4, 10, 0.004f, &distance) == 0.0)
    {
        return 1.0;
    }
    // a lamp of a tenth in width, as seen from the scene
    int stride = 1 + (int)(0.1 * (distance < 4.0 ? distance : 4.0) * light->lampCamera.focal / 12.0);
    return 1.0 - Shadowed(light, window, 6, stride, 0.004f, &distance);
}

// Between the four samples around a place of the contact map.
double rslLight_Contact(const rslLight* light, rslVec3 point)
{
    rslProjection p = rslCamera_Project(&light->floorCamera, point);
    int x = Floor(p.x - 0.5), y = Floor(p.y - 0.5);
    if (x < 0 || y < 0 || x >= FLOOR_SIZE - 1 || y >= FLOOR_SIZE - 1)
    {
        return 0.0;
    }
    double u = p.x - 0.5 - x, v = p.y - 0.5 - y;
    const float* c = light->contact + (size_t)y * FLOOR_SIZE + (size_t)x;
    double top = (1.0 - u) * (double)c[0] + u * (double)c[1];
    double bottom = (1.0 - u) * (double)c[FLOOR_SIZE] + u * (double)c[FLOOR_SIZE + 1];
    return (1.0 - v) * top + v * bottom;
}

// ---- shade ----------------------------------------------------------------------------------------------------------

static double Positive(double x)
{
    return x > 0.0 ? x : 0.0;
}

// How open the sky is above a point of a body: less close to the ground and on faces that look down at it.
static double Openness(const rslLight* light, const rslSurfacePoint* point, double strength)
{
    if (!light->drawing->hasGround)
    {
        return 1.0;
    }
    double height =
        Positive(rslDot(rslSub(point->position, light->drawing->groundPoint), light->drawing->groundNormal)) / 0.35;
    double down = 0.5 - 0.5 * rslDot(point->normal, light->drawing->groundNormal);
    return 1.0 - strength * down / (1.0 + height * height);
}

static float Screen(double light)
{
    return (float)sqrt(light < 1.0 ? light : 1.0);
}

rslColour rslShade(const void* context, const rslSurfacePoint* point)
{
    const rslShading* shading = context;
    const rslLight* light = shading->light;
    rslVec3 viewer = rslCamera_ToViewer(light->camera, point->position);
    rslVec3 normal = point->normal;

    rslColour colour = shading->colour;
    if (shading->byValue)
    {
        colour = shading->diverging ? rslColour_Diverging(point->value) : rslColour_Sequential(point->value);
    }
    colour = rslColour_ToLight(colour);

    double open = Openness(light, point, shading->byValue ? 0.35 : 0.75);
    double lamp = Positive(rslDot(normal, light->lamp));
    if (shading->shadows && lamp > 0.0)
    {
        lamp *= rslLight_Sharp(light, rslMulAdd(point->position, 0.012, normal));
    }
    double fill = Positive(rslDot(normal, light->fill));
    double sky = 0.5 + 0.5 * rslDot(normal, light->sky);
    // values are to be read from colours: flatter light
    double key = shading->byValue ? 0.40 : 0.66, ambient = shading->byValue ? 0.40 : 0.16;
    double glance = Positive(rslDot(normal, rslNormalize(rslAdd(light->lamp, viewer))));
    double shine = glance * glance;
    shine *= shine;
    shine *= shine;
    shine *= shine * shine * shine;
    shine *= shading->byValue ? 0.03 : 0.10 * (lamp > 0.0 ? 1.0 : 0.0);

    double warm = key * lamp, cold = (ambient + 0.26 * sky) * open + 0.14 * fill;
    return (rslColour){
        Screen((double)colour.r * (1.04 * warm + 0.97 * cold) + shine),
        Screen((double)colour.g * (1.00 * warm + 0.99 * cold) + shine),
        Screen((double)colour.b * (0.94 * warm + 1.06 * cold) + shine),
    };
}
