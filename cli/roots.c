// SPDX-License-Identifier: MIT
//
// roots.c: see roots.h.

#include "roots.h"

#include <math.h>

static double Norm(cliPoint f)
{
    return hypot(f.x, f.y);
}

// J d = -F with central differences. False where J is singular.
static bool NewtonStep(cliField* field, void* context, cliPoint at, cliPoint value, cliPoint* step)
{
    const double h = 1e-6;
    cliPoint right = field((cliPoint){ at.x + h, at.y }, context), left = field((cliPoint){ at.x - h, at.y }, context);
    cliPoint up = field((cliPoint){ at.x, at.y + h }, context), down = field((cliPoint){ at.x, at.y - h }, context);
    double xx = (right.x - left.x) / (2 * h), yx = (right.y - left.y) / (2 * h);
    double xy = (up.x - down.x) / (2 * h), yy = (up.y - down.y) / (2 * h), det = xx * yy - xy * yx;
    *step = (cliPoint){ (xy * value.y - yy * value.x) / det, (yx * value.x - xx * value.y) / det };
    return isfinite(step->x) && isfinite(step->y);
}

// Halved until it lowers the norm. False when the search ends elsewhere.
static bool Polish(cliField* field, void* context, cliPoint* at)
{
    cliPoint value = field(*at, context), step;
    for (int i = 0; i < 80 && Norm(value) > 1e-13; ++i)
    {
        if (!NewtonStep(field, context, *at, value, &step))
        {
            return false;
        }
        cliPoint next = { at->x + step.x, at->y + step.y }, there = field(next, context);
        for (int halvings = 0; halvings < 30 && !(Norm(there) < Norm(value)); ++halvings)
        {
            step = (cliPoint){ step.x / 2, step.y / 2 };
            next = (cliPoint){ at->x + step.x, at->y + step.y };
            there = field(next, context);
        }
        if (!(Norm(there) < Norm(value)))
        {
            break;
        }
        *at = next;
        value = there;
    }
    return Norm(value) <= 1e-11;
}

// Into its place by x, then y, unless it is there already. Returns the new count.
static int Insert(cliPoint root, cliPoint* roots, int count, int capacity)
{
    const double same = 1e-7;
    int place = count;
    for (int i = 0; i < count; ++i)
    {
        if (fabs(roots[i].x - root.x) < same && fabs(roots[i].y - root.y) < same)
        {
            return count;
        }
    }
    if (count == capacity)
    {
        return count;
    }
    for (; place > 0; --place)
    {
        cliPoint before = roots[place - 1];
        bool alike = fabs(before.x - root.x) < same;
        if (alike ? before.y < root.y : before.x < root.x)
        {
            break;
        }
        roots[place] = before;
    }
    roots[place] = root;
    return count + 1;
}

int cliRoots_Find(cliField* field, void* context, const cliWindow* window, int size, cliPoint* roots, int capacity)
{
    int count = 0;
    for (int i = 0; i < size * size; ++i)
    {
        double s = (i % size + 0.5) / size, t = ((double)(i / size) + 0.5) / size;
        cliPoint at = { window->low.x + s * (window->high.x - window->low.x),
                        window->low.y + t * (window->high.y - window->low.y) };
        if (Polish(field, context, &at) && at.y >= window->lowest && at.y <= window->highest)
        {
            count = Insert(at, roots, count, capacity);
        }
    }
    return count;
}
