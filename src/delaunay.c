// SPDX-License-Identifier: MIT
//
// delaunay.c: tetrahedra between points, one point after the other.
//
// Bowyer and Watson: all tetrahedra whose sphere holds the new point go, and the hole is filled by the point and the faces
// around it. The outside is filled too, by tetrahedra of the faces of the hull and one corner at infinity; such a one
// holds the points beyond the plane of its face, and those in that plane which its neighbour within holds.
//
// Points on a common sphere: the heights |x|^2 of the lifted points are thought of as raised by e_1 << e_2 << ..., tiny, in
// the order of x, then y, then z (Devillers, Teillaud 2003, "Perturbations and vertex removal in a 3D Delaunay
// triangulation"). That is the lower hull of points in general position, so it is unique, and since no point is moved
// sideways there are no flat tetrahedra.
//
// Points come in the order of point_order.c; the next one is found by walking from the last.

#include "delaunay.h"

#include "memory.h"
#include "point_order.h"
#include "predicate.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum
{
    INFINITE = -1,
    UNUSED = -1,  // as mark: neighbour[0] is the next such
    GOES = -2,    // as mark: in the hole
};

typedef struct Tet
{
    int corner[4];     // positive volume; for one at infinity as if that were far outside the face
    int neighbour[4];  // across the face opposite to that corner
    int mark;          // 2 p + 1: holds the point p, 2 p: does not; or UNUSED, GOES
} Tet;

typedef struct Face
{
    int tet, side;  // of a tetrahedron that goes, towards one that stays
} Face;

typedef struct Mesh
{
    double* points;  // in the order they are put in, scaled
    int* origin;     // where each was in the list
    int count;
    Tet* tets;
    int used, unused;  // of tets; the first unused one, -1: none
    size_t room;
    int* hole;  // tetrahedra that go
    size_t holeRoom;
    int holeCount;
    Face* faces;  // around it
    size_t faceRoom;
    int faceCount;
    rslHooks hooks;
    rslReport* report;
} Mesh;

static const double* At(const Mesh* mesh, int point)
{
    return mesh->points + 3 * (size_t)point;
}

static rslStatus Refuse(const Mesh* mesh, const char* message, int a, int b)
{
    rslReport_Add(mesh->report, rsl_error, (rslPlace){ 0, 0 }, message, a, b);
    return rsl_badInput;
}

// The points along the curve, times a power of two that brings the largest coordinate into [1/2, 1].
static rslStatus Order(Mesh* mesh, const double* points)
{
    size_t count = (size_t)mesh->count;
    if (!rslPointOrder(points, mesh->count, &mesh->hooks, mesh->origin))
    {
        return rsl_outOfMemory;
    }
    double largest = 0.0;
    for (size_t i = 0; i < 3 * count; ++i)
    {
        largest = fmax(largest, fabs(points[i]));
    }
    int exponent;
    (void)frexp(largest, &exponent);
    double scale = ldexp(1.0, -exponent < 1000 ? -exponent : 1000);
    for (size_t i = 0; i < 3 * count; ++i)
    {
        double x = points[3 * (size_t)mesh->origin[i / 3] + i % 3] * scale;
        mesh->points[i] = fabs(x) < 0x1p-160 ? 0.0 : x;
    }
    return rsl_ok;
}

// ---- questions --------------------------------------------------------------------------------------------------------

// Sign of the volume.
static int Volume(const double* a, const double* b, const double* c, const double* d)
{
    return rslOrient3(a, c, b, d);
}

static bool Before(const double* a, const double* b)
{
    int axis = 0;
    while (axis < 2 && a[axis] == b[axis])
    {
        ++axis;
    }
    return a[axis] < b[axis];
}

// Of five points on a sphere: is the last one in the sphere of the others, when those that come later are raised more? That
// of highest order decides. Raised itself, it is outside. Otherwise the sphere swells on the side of the raised corner, and
// not at all in the plane of the other three, where the next one decides.
static bool HoldsRaised(const double* const corner[4], const double* point)
{
    const double* five[5] = { corner[0], corner[1], corner[2], corner[3], point };
    int order[5] = { 0, 1, 2, 3, 4 };
    for (int i = 1; i < 5; ++i)
    {
        for (int j = i; j > 0 && Before(five[order[j - 1]], five[order[j]]); --j)
        {
            int swapped = order[j];
            order[j] = order[j - 1];
            order[j - 1] = swapped;
        }
    }
    for (int i = 0; i < 5 && order[i] != 4; ++i)
    {
        const double* with[4] = { corner[0], corner[1], corner[2], corner[3] };
        with[order[i]] = point;
        int side = Volume(with[0], with[1], with[2], with[3]);
        if (side != 0)
        {
            return side > 0;
        }
    }
    return false;
}

static bool Holds(Mesh* mesh, int tet, int point)
{
    Tet* t = &mesh->tets[tet];
    if (t->mark == GOES || t->mark / 2 == point)
    {
        return t->mark == GOES || t->mark % 2 == 1;
    }
    const double *x = At(mesh, point), *corner[4];
    int infinite = -1;
    for (int c = 0; c < 4; ++c)
    {
        infinite = t->corner[c] == INFINITE ? c : infinite;
        corner[c] = t->corner[c] == INFINITE ? x : At(mesh, t->corner[c]);
    }
    bool holds;
    if (infinite < 0)
    {
        int inside = rslInSphere(corner[0], corner[2], corner[1], corner[3], x);
        holds = inside > 0 || (inside == 0 && HoldsRaised(corner, x));
    }
    else
    {
        int beyond = Volume(corner[0], corner[1], corner[2], corner[3]);
        holds = beyond > 0 || (beyond == 0 && Holds(mesh, t->neighbour[infinite], point));
    }
    t->mark = 2 * point + (holds ? 1 : 0);
    return holds;
}

// Walk over faces that have the point on their other side. Such a walk cannot go round in circles among Delaunay
// tetrahedra (Edelsbrunner 1989).
static int Walk(const Mesh* mesh, int tet, const double* x)
{
    for (int c = 0; c < 4; ++c)
    {
        if (mesh->tets[tet].corner[c] == INFINITE)
        {
            tet = mesh->tets[tet].neighbour[c];
        }
    }
    for (int c = 0; c < 4; ++c)
    {
        const Tet* t = &mesh->tets[tet];
        const double* corner[4];
        for (int k = 0; k < 4; ++k)
        {
            if (t->corner[k] == INFINITE)
            {
                return tet;  // over the hull: beyond that face
            }
            corner[k] = k == c ? x : At(mesh, t->corner[k]);
        }
        if (Volume(corner[0], corner[1], corner[2], corner[3]) < 0)
        {
            tet = t->neighbour[c];
            c = -1;
        }
    }
    return tet;
}

// ---- one point more ---------------------------------------------------------------------------------------------------

static int SideOf(const Tet* tet, int neighbour)
{
    int side = 0;
    while (side < 3 && tet->neighbour[side] != neighbour)
    {
        ++side;
    }
    return side;
}

static int CornerOf(const Tet* tet, int point)
{
    int corner = 0;
    while (corner < 3 && tet->corner[corner] != point)
    {
        ++corner;
    }
    return corner;
}

static bool PushHole(Mesh* mesh, int tet)
{
    void* hole = mesh->hole;
    bool room = rslGrow(&mesh->hooks, &hole, (size_t)mesh->holeCount, &mesh->holeRoom, sizeof(int));
    mesh->hole = hole;
    if (room)
    {
        mesh->hole[mesh->holeCount++] = tet;
    }
    return room;
}

static bool PushFace(Mesh* mesh, int tet, int side)
{
    void* faces = mesh->faces;
    bool room = rslGrow(&mesh->hooks, &faces, (size_t)mesh->faceCount, &mesh->faceRoom, sizeof(Face));
    mesh->faces = faces;
    if (room)
    {
        mesh->faces[mesh->faceCount++] = (Face){ tet, side };
    }
    return room;
}

// All tetrahedra that hold the point: they are connected.
static bool Dig(Mesh* mesh, int first, int point)
{
    mesh->holeCount = mesh->faceCount = 0;
    if (!PushHole(mesh, first))
    {
        return false;
    }
    mesh->tets[first].mark = GOES;
    for (int h = 0; h < mesh->holeCount; ++h)
    {
        int tet = mesh->hole[h];
        for (int side = 0; side < 4; ++side)
        {
            int next = mesh->tets[tet].neighbour[side];
            if (mesh->tets[next].mark == GOES)
            {
                continue;
            }
            bool holds = Holds(mesh, next, point);
            if (holds ? !PushHole(mesh, next) : !PushFace(mesh, tet, side))
            {
                return false;
            }
            mesh->tets[next].mark = holds ? GOES : mesh->tets[next].mark;
        }
    }
    return true;
}

// The number of an unused tetrahedron; -1 when out of memory.
static int NewTet(Mesh* mesh)
{
    int tet = mesh->unused;
    if (tet >= 0)
    {
        mesh->unused = mesh->tets[tet].neighbour[0];
        return tet;
    }
    void* tets = mesh->tets;
    if (mesh->used == INT_MAX / 4 || !rslGrow(&mesh->hooks, &tets, (size_t)mesh->used, &mesh->room, sizeof(Tet)))
    {
        return -1;
    }
    mesh->tets = tets;
    return mesh->used++;
}

// The new tetrahedron on the other side of one that was made from the corners of a tetrahedron in the hole with the new
// point in place of corner `side`: turn about the edge of the two corners left besides `over`, through the hole, until a
// face of the hole is met, whose new tetrahedron is already entered as the neighbour.
static int Across(const Mesh* mesh, int tet, int side, int over)
{
    int leave = mesh->tets[tet].corner[over], next = mesh->tets[tet].corner[side];
    for (;;)
    {
        const Tet* t = &mesh->tets[tet];
        int other = t->neighbour[CornerOf(t, leave)];
        if (mesh->tets[other].mark != GOES)
        {
            return other;
        }
        int far = mesh->tets[other].corner[SideOf(&mesh->tets[other], tet)];
        leave = next;
        next = far;
        tet = other;
    }
}

// Returns one of the new tetrahedra, -1 when out of memory.
static int Fill(Mesh* mesh, int point)
{
    for (int f = 0; f < mesh->faceCount; ++f)
    {
        int made = NewTet(mesh);
        if (made < 0)
        {
            return -1;
        }
        Face face = mesh->faces[f];
        Tet *old = &mesh->tets[face.tet], *t = &mesh->tets[made];
        int outside = old->neighbour[face.side];
        *t = *old;
        t->mark = 2 * point;
        t->corner[face.side] = point;
        mesh->tets[outside].neighbour[SideOf(&mesh->tets[outside], face.tet)] = made;
        old->neighbour[face.side] = made;
    }
    int made = -1;
    for (int f = 0; f < mesh->faceCount; ++f)
    {
        Face face = mesh->faces[f];
        made = mesh->tets[face.tet].neighbour[face.side];
        for (int side = 0; side < 4; ++side)
        {
            if (side != face.side)
            {
                mesh->tets[made].neighbour[side] = Across(mesh, face.tet, face.side, side);
            }
        }
    }
    for (int h = 0; h < mesh->holeCount; ++h)
    {
        mesh->tets[mesh->hole[h]].mark = UNUSED;
        mesh->tets[mesh->hole[h]].neighbour[0] = mesh->unused;
        mesh->unused = mesh->hole[h];
    }
    return made;
}

static rslStatus PutPoint(Mesh* mesh, int point, int* last)
{
    const double* x = At(mesh, point);
    int tet = Walk(mesh, *last, x);
    for (int c = 0; c < 4; ++c)
    {
        int corner = mesh->tets[tet].corner[c];
        if (corner != INFINITE && memcmp(At(mesh, corner), x, 3 * sizeof(double)) == 0)
        {
            int a = mesh->origin[corner], b = mesh->origin[point];
            return Refuse(mesh, "points %d and %d are at the same place", a < b ? a : b, a < b ? b : a);
        }
    }
    *last = Dig(mesh, tet, point) ? Fill(mesh, point) : -1;
    return *last >= 0 ? rsl_ok : rsl_outOfMemory;
}

// ---- the first four -----------------------------------------------------------------------------------------------------

static void SwapPoints(Mesh* mesh, int a, int b)
{
    for (size_t k = 0; k < 3; ++k)
    {
        double* x = mesh->points + k;
        double kept = x[3 * (size_t)a];
        x[3 * (size_t)a] = x[3 * (size_t)b];
        x[3 * (size_t)b] = kept;
    }
    int kept = mesh->origin[a];
    mesh->origin[a] = mesh->origin[b];
    mesh->origin[b] = kept;
}

static bool Collinear(const double* a, const double* b, const double* c)
{
    return rslOrient2(a[0], a[1], b[0], b[1], c[0], c[1]) == 0 && rslOrient2(a[1], a[2], b[1], b[2], c[1], c[2]) == 0 &&
           rslOrient2(a[2], a[0], b[2], b[0], c[2], c[0]) == 0;
}

// Bring four that are not in one plane to the front.
static rslStatus ChooseFour(Mesh* mesh)
{
    int next = 1;
    const double *a = At(mesh, 0), *b = At(mesh, 1), *c = At(mesh, 2);
    for (int chosen = 1; chosen < 4; ++chosen, ++next)
    {
        for (; next < mesh->count; ++next)
        {
            const double* x = At(mesh, next);
            if (chosen == 1 ? memcmp(a, x, 3 * sizeof(double)) != 0
                            : (chosen == 2 ? !Collinear(a, b, x) : Volume(a, b, c, x) != 0))
            {
                break;
            }
        }
        if (next >= mesh->count)
        {
            static const char* const where[] = { "at one place", "on one line", "in one plane" };
            rslReport_Add(mesh->report, rsl_error, (rslPlace){ 0, 0 }, "all %d points are %s", mesh->count,
                          where[chosen - 1]);
            return rsl_badInput;
        }
        SwapPoints(mesh, chosen, next);
    }
    if (Volume(a, b, c, At(mesh, 3)) < 0)
    {
        SwapPoints(mesh, 0, 1);
    }
    return rsl_ok;
}

// The first tetrahedron and the four at infinity around it.
static rslStatus Begin(Mesh* mesh)
{
    for (int t = 0; t < 5; ++t)
    {
        int made = NewTet(mesh);
        if (made < 0)
        {
            return rsl_outOfMemory;
        }
        mesh->tets[t] = (Tet){ .corner = { 0, 1, 2, 3 }, .neighbour = { 1, 2, 3, 4 } };
    }
    for (int side = 0; side < 4; ++side)
    {
        // the corner goes over the face, which turns it inside out, so two others change places
        Tet* t = &mesh->tets[side + 1];
        int a = (side + 1) % 4, b = (side + 2) % 4;
        t->corner[side] = INFINITE;
        t->neighbour[side] = 0;
        t->corner[a] = b;
        t->corner[b] = a;
        t->neighbour[a] = b + 1;
        t->neighbour[b] = a + 1;
    }
    return rsl_ok;
}

// ---- together -----------------------------------------------------------------------------------------------------------

static bool IsFinite(const Tet* tet)
{
    bool finite = tet->mark != UNUSED;
    for (int c = 0; c < 4; ++c)
    {
        finite = finite && tet->corner[c] != INFINITE;
    }
    return finite;
}

// Those that are no more and those at infinity are left out.
static rslStatus Keep(Mesh* mesh, rslDelaunay* made)
{
    int count = 0;
    for (int t = 0; t < mesh->used; ++t)
    {
        mesh->tets[t].mark = IsFinite(&mesh->tets[t]) ? count++ : -1;
    }
    made->count = count;
    made->corners = rslAllocate(&mesh->hooks, (size_t)count, 4 * sizeof(int));
    made->neighbours = rslAllocate(&mesh->hooks, (size_t)count, 4 * sizeof(int));
    if (made->corners == NULL || made->neighbours == NULL)
    {
        return rsl_outOfMemory;
    }
    for (int t = 0, i = 0; t < mesh->used; ++t)
    {
        for (int c = 0; mesh->tets[t].mark >= 0 && c < 4; ++c, ++i)
        {
            made->corners[i] = mesh->origin[mesh->tets[t].corner[c]];
            made->neighbours[i] = mesh->tets[mesh->tets[t].neighbour[c]].mark;
        }
    }
    return rsl_ok;
}

static rslStatus Triangulate(Mesh* mesh, const double* points, rslDelaunay* made)
{
    mesh->points = rslAllocate(&mesh->hooks, (size_t)mesh->count, 3 * sizeof(double));
    mesh->origin = rslAllocate(&mesh->hooks, (size_t)mesh->count, sizeof(int));
    bool ready = mesh->points != NULL && mesh->origin != NULL;
    rslStatus status = ready ? Order(mesh, points) : rsl_outOfMemory;
    status = status == rsl_ok ? ChooseFour(mesh) : status;
    status = status == rsl_ok ? Begin(mesh) : status;
    for (int p = 4, last = 0; status == rsl_ok && p < mesh->count; ++p)
    {
        status = PutPoint(mesh, p, &last);
    }
    return status == rsl_ok ? Keep(mesh, made) : status;
}

rslStatus rslDelaunay_Make(const double* points, int count, const rslHooks* hooks, rslDelaunay* made, rslReport* report)
{
    *made = (rslDelaunay){ .hooks = rslHooks_Complete(hooks) };
    Mesh mesh = { .count = count, .unused = -1, .hooks = made->hooks, .report = report };
    for (int i = 0; i < count; ++i)
    {
        const double* x = points + 3 * (size_t)i;
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
        {
            return Refuse(&mesh, "point %d is not finite", i, 0);
        }
    }
    if (count < 4 || count > INT_MAX / 2 - 1)
    {
        return Refuse(&mesh, count < 4 ? "%d points, at least four are needed" : "%d points are too many", count, 0);
    }
    rslStatus status = Triangulate(&mesh, points, made);
    rslRelease(&mesh.hooks, mesh.points);
    rslRelease(&mesh.hooks, mesh.origin);
    rslRelease(&mesh.hooks, mesh.tets);
    rslRelease(&mesh.hooks, mesh.hole);
    rslRelease(&mesh.hooks, mesh.faces);
    if (status != rsl_ok)
    {
        rslDelaunay_Free(made);
    }
    return status;
}

void rslDelaunay_Free(rslDelaunay* made)
{
    rslRelease(&made->hooks, made->corners);
    rslRelease(&made->hooks, made->neighbours);
    made->corners = made->neighbours = NULL;
    made->count = 0;
}

int rslDelaunay_Locate(const rslDelaunay* made, const double* points, const double point[3], int start)
{
    int tet = start;
    for (int c = 0; tet >= 0 && c < 4; ++c)
    {
        const double* corner[4];
        for (int k = 0; k < 4; ++k)
        {
            corner[k] = k == c ? point : points + 3 * (size_t)made->corners[4 * (size_t)tet + (size_t)k];
        }
        if (Volume(corner[0], corner[1], corner[2], corner[3]) < 0)
        {
            tet = made->neighbours[4 * (size_t)tet + (size_t)c];
            c = -1;
        }
    }
    return tet;
}
