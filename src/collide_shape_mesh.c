// SPDX-License-Identifier: MIT
//
// collide_shape_mesh.c: a closed mesh as a collider: its faces, edges and corners against vertices, edges and triangles.
//
// A place is where the distance between two parts is least as long as either slides along the surface of the mesh nearby:
//   a vertex and a face: it lies over the inside of the face; an edge or a corner: it is the nearest of all faces there;
//   an edge and a convex edge: d = a - b between their nearest inner points does not lean over the faces at b;
//   an edge or a triangle and a corner: d is along no edge that leaves the corner upwards, d.e <= 0.
// So in a notch a vertex touches both faces, on a flat it touches once. Inside, only the nearest part counts.

#include "collide_solid.h"

#include "contact_gap.h"
#include "elementary.h"
#include "lists.h"
#include "memory.h"

static const double flat = 1e-9;  // sine of the angle below which an edge is none

static rslVec3 NormalOf(const rslSolid* solid, int triangle)
{
    rslVec3 x[3];
    rslSolid_Triangle(solid, triangle, x);
    return rslNormalize(rslCross(rslSub(x[1], x[0]), rslSub(x[2], x[0])));
}

// An edge of a triangle, from corner k on, is the half 3 t + k. The half of the other triangle there.
static int MateOf(const rslSolid* solid, int half)
{
    int i = rslSolid_Corner(solid, half / 3, half % 3), j = rslSolid_Corner(solid, half / 3, half % 3 + 1);
    for (int f = solid->fanStart[i]; f < solid->fanStart[i + 1]; ++f)
    {
        int other = solid->fans[f] / 3, before = (solid->fans[f] + 2) % 3;
        if (other != half / 3 && rslSolid_Corner(solid, other, before) == j)
        {
            return 3 * other + before;
        }
    }
    RSL_ASSERT(false);  // the mesh is closed
    return half;
}

// ---- making ---------------------------------------------------------------------------------------------------------

static bool IsConvex(const rslSolid* solid, int half, int mate)
{
    rslVec3 x = rslSolid_Vertex(solid, rslSolid_Corner(solid, half / 3, half % 3));
    rslVec3 apart = rslSub(rslSolid_Vertex(solid, rslSolid_Corner(solid, mate / 3, mate % 3 + 2)), x);
    return rslDot(apart, NormalOf(solid, half / 3)) < -flat * rslLength(apart);
}

rslStatus rslSolid_FindFeatures(rslSolid* solid)
{
    size_t triangles = (size_t)solid->mesh->triangleCount, vertices = (size_t)solid->mesh->vertexCount;
    solid->fanStart = rslAllocate(&solid->hooks, vertices + 1, sizeof(int));
    solid->fans = rslAllocate(&solid->hooks, 3 * triangles, sizeof(int));
    solid->edges = rslAllocate(&solid->hooks, triangles, sizeof(uint8_t));
    solid->corners = rslAllocate(&solid->hooks, vertices, sizeof(uint8_t));
    if (solid->fanStart == NULL || solid->fans == NULL || solid->edges == NULL || solid->corners == NULL)
    {
        return rsl_outOfMemory;
    }
    rslInvert(solid->mesh->triangles, 3 * solid->mesh->triangleCount, solid->mesh->vertexCount, solid->fanStart,
              solid->fans);
    for (int half = 0; half < 3 * solid->mesh->triangleCount; ++half)
    {
        int mate = MateOf(solid, half), t = half / 3, k = half % 3;
        if (mate > half && IsConvex(solid, half, mate))
        {
            solid->edges[t] = (uint8_t)(solid->edges[t] | 1u << k);
            solid->corners[rslSolid_Corner(solid, t, k)] = solid->corners[rslSolid_Corner(solid, t, k + 1)] = 1;
        }
    }
    return rsl_ok;
}

// ---- walking the tree -----------------------------------------------------------------------------------------------

typedef struct Query
{
    const rslSolid* solid;
    int count;
    const rslVec3* q;
    const rslPlacedOut* out;
    rslBounds bounds;  // of q, wider by the reach
} Query;

static bool Meets(const rslMeshBox* box, const rslBounds* b)
{
    return box->lower[0] <= b->upper.x && box->upper[0] >= b->lower.x && box->lower[1] <= b->upper.y &&
           box->upper[1] >= b->lower.y && box->lower[2] <= b->upper.z && box->upper[2] >= b->lower.z;
}

// Every triangle whose box comes near, in the order of the tree.
static void Walk(const Query* query, void (*visit)(const Query* query, int triangle))
{
    const rslMeshTree* tree = query->solid->mesh;
    int stack[RSL_MESH_TREE_DEPTH], depth = 0;
    stack[depth++] = 0;
    while (depth > 0)
    {
        const rslMeshBox* box = &tree->boxes[stack[--depth]];
        if (!Meets(box, &query->bounds))
        {
            continue;
        }
        for (int k = box->first; k < box->first + box->count; ++k)
        {
            visit(query, tree->order[k]);
        }
        if (box->count == 0)
        {
            stack[depth++] = box->first + 1;
            stack[depth++] = box->first;
        }
    }
}

// ---- vertices -------------------------------------------------------------------------------------------------------

// The nearest part of a triangle: which one, counted over faces, then halves of edges, then corners of the mesh.
typedef struct Part
{
    rslGap gap;
    int feature;
    int half;      // of an edge; -1: it is none
    int corner;    // a vertex of the mesh; -1: none
    rslVec3 near;  // its nearest point
} Part;

static Part PartOf(const rslSolid* solid, int triangle, rslVec3 q)
{
    static const int edgeOf[8] = { [3] = 0, [6] = 1, [5] = 2 }, cornerOf[8] = { [1] = 0, [2] = 1, [4] = 2 };
    rslVec3 x[4] = { q };
    rslSolid_Triangle(solid, triangle, x + 1);
    Part part = { .gap = rslGap_Find(x), .feature = triangle, .half = -1, .corner = -1 };
    int corners = part.gap.corners, triangles = solid->mesh->triangleCount;
    part.near = rslSub(q, part.gap.apart);
    if (corners == 3 || corners == 5 || corners == 6)
    {
        int half = 3 * triangle + edgeOf[corners], mate = MateOf(solid, half);
        part.half = half;
        part.feature = triangles + (half < mate ? half : mate);
    }
    else if (corners != 7)
    {
        part.corner = rslSolid_Corner(solid, triangle, cornerOf[corners]);
        part.feature = 4 * triangles + part.corner;
    }
    return part;
}

// A direction out of the mesh at a part, which tells outside from inside for all points that it is the nearest to: of an edge
// the sum of the normals of its faces, of a corner the sum weighted by their angles there (Baerentzen and Aanaes 2005).
static rslVec3 OutwardAt(const rslSolid* solid, int triangle, const Part* part)
{
    rslVec3 sum = NormalOf(solid, triangle);
    if (part->half >= 0)
    {
        return rslAdd(sum, NormalOf(solid, MateOf(solid, part->half) / 3));
    }
    int v = part->corner;
    for (int f = v >= 0 ? solid->fanStart[v] : 0; v >= 0 && f < solid->fanStart[v + 1]; ++f)
    {
        int t = solid->fans[f] / 3, c = solid->fans[f] % 3;
        rslVec3 x = rslSolid_Vertex(solid, v), a = rslSub(rslSolid_Vertex(solid, rslSolid_Corner(solid, t, c + 1)), x);
        rslVec3 b = rslSub(rslSolid_Vertex(solid, rslSolid_Corner(solid, t, c + 2)), x);
        sum = f == solid->fanStart[v] ? (rslVec3){ 0.0, 0.0, 0.0 } : sum;
        sum = rslMulAdd(sum, rslAngle(rslDot(a, b), rslLength(rslCross(a, b))), NormalOf(solid, t));
    }
    return sum;
}

static bool IsOutside(const rslSolid* solid, int triangle, const Part* part)
{
    return rslDot(OutwardAt(solid, triangle, part), part->gap.apart) >= 0.0;
}

static rslPlacedTouch TouchAt(const rslSolid* solid, int triangle, const Part* part, double side)
{
    rslPlacedTouch touch = { .feature = part->feature, .point = part->near, .weights = { 1.0, 0.0, 0.0 } };
    double length = sqrt(part->gap.squared);
    touch.gap = side * length;
    bool face = part->half < 0 && part->corner < 0;
    touch.normal = face || !(length > 0.0) ? rslNormalize(OutwardAt(solid, triangle, part))
                                           : rslScale(side / length, part->gap.apart);
    return touch;
}

// Whether no triangle at an edge or a corner is nearer than that; and this is the triangle to tell it.
static bool IsLeast(const rslSolid* solid, int triangle, const Part* part, rslVec3 q)
{
    if (part->half >= 0)
    {
        int mate = MateOf(solid, part->half);
        return part->half < mate && PartOf(solid, mate / 3, q).feature == part->feature;
    }
    bool least = true;
    int v = part->corner;
    for (int f = v >= 0 ? solid->fanStart[v] : 0; v >= 0 && least && f < solid->fanStart[v + 1]; ++f)
    {
        int other = solid->fans[f] / 3;
        least = triangle <= other && PartOf(solid, other, q).feature == part->feature;
    }
    return least;
}

static void VisitFace(const Query* query, int triangle)
{
    const rslSolid* solid = query->solid;
    Part part = PartOf(solid, triangle, query->q[0]);
    double reach = query->out->reach;
    if (query->out->whole)
    {
        part.feature = triangle;
        rslPlacedTouch touch = TouchAt(solid, triangle, &part, 1.0);
        touch.normal = part.gap.squared > 0.0 ? rslNormalize(part.gap.apart) : touch.normal;
        rslPlacedOut_Tell(query->out, touch);
        return;
    }
    if (part.gap.squared <= reach * reach && IsLeast(solid, triangle, &part, query->q[0]) &&
        IsOutside(solid, triangle, &part))
    {
        rslPlacedOut_Tell(query->out, TouchAt(solid, triangle, &part, 1.0));
    }
}

static void VisitVertex(const Query* query)
{
    if (query->out->whole)
    {
        Walk(query, VisitFace);
        return;
    }
    int triangle = rslMeshTree_NearestTriangle(query->solid->mesh, query->q[0], query->out->reach);
    if (triangle < 0)
    {
        return;
    }
    Part part = PartOf(query->solid, triangle, query->q[0]);
    if (IsOutside(query->solid, triangle, &part))
    {
        Walk(query, VisitFace);
    }
    else
    {
        rslPlacedOut_Tell(query->out, TouchAt(query->solid, triangle, &part, -1.0));
    }
}

rslPlacedTouch rslSolidMesh_Nearest(const rslSolid* solid, rslVec3 q)
{
    int triangle = rslMeshTree_NearestTriangle(solid->mesh, q, INFINITY);
    Part part = PartOf(solid, triangle, q);
    return TouchAt(solid, triangle, &part, IsOutside(solid, triangle, &part) ? 1.0 : -1.0);
}

bool rslSolidMesh_Sinks(const rslSolid* solid, rslVec3 q, rslSunk* sunk)
{
    rslBounds point = { q, q };
    if (!Meets(&solid->mesh->boxes[0], &point))
    {
        return false;
    }
    int triangle = rslMeshTree_NearestTriangle(solid->mesh, q, INFINITY);
    Part part = PartOf(solid, triangle, q);
    if (IsOutside(solid, triangle, &part))
    {
        return false;
    }
    rslPlacedTouch touch = TouchAt(solid, triangle, &part, -1.0);
    *sunk = (rslSunk){ .distance = touch.gap, .normal = touch.normal };
    if (part.half >= 0 || part.corner >= 0)
    {
        sunk->curvature = touch.gap < 0.0 ? 1.0 / touch.gap : 0.0;
    }
    if (part.half >= 0)
    {
        rslVec3 from = rslSolid_Vertex(solid, rslSolid_Corner(solid, part.half / 3, part.half % 3));
        rslVec3 to = rslSolid_Vertex(solid, rslSolid_Corner(solid, part.half / 3, part.half % 3 + 1));
        sunk->along = rslNormalize(rslSub(to, from));
    }
    return true;
}

// An edge or a triangle that is behind an edge or a corner may have come around it, or lie on the far side of something thin.
static void TellUnlessBeside(const Query* query, const rslPlacedTouch* touch)
{
    rslVec3 x = rslMulAdd(touch->point, touch->gap, touch->normal);
    if (touch->gap >= 0.0 || rslSolidMesh_Nearest(query->solid, x).gap <= 0.0)
    {
        rslPlacedOut_Tell(query->out, *touch);
    }
}

// ---- edges ----------------------------------------------------------------------------------------------------------

// Whether a normal at an edge leans over the face beside it.
static bool LeansOver(const rslSolid* solid, int half, rslVec3 n)
{
    int t = half / 3, k = half % 3;
    rslVec3 e = rslSub(rslSolid_Vertex(solid, rslSolid_Corner(solid, t, k + 1)),
                       rslSolid_Vertex(solid, rslSolid_Corner(solid, t, k)));
    return rslDot(n, rslCross(NormalOf(solid, t), e)) > 0.0;
}

static void VisitEdgePair(const Query* query, int half)
{
    const rslSolid* solid = query->solid;
    int mate = MateOf(solid, half);
    rslVec3 b0 = rslSolid_Vertex(solid, rslSolid_Corner(solid, half / 3, half % 3)), a0 = query->q[0], a1 = query->q[1];
    rslVec3 b1 = rslSolid_Vertex(solid, rslSolid_Corner(solid, half / 3, half % 3 + 1));
    double s, t, reach = query->out->reach, squared = rslSegments_Nearest(a0, a1, b0, b1, &s, &t);
    if (query->out->whole)
    {
        rslVec3 from = rslAlong(b0, b1, t), apart = rslSub(rslAlong(a0, a1, s), from);
        rslPlacedTouch touch = { .feature = half, .gap = sqrt(squared), .point = from, .weights = { 1.0 - s, s, 0.0 } };
        touch.normal = rslNormalize(apart);
        rslPlacedOut_Tell(query->out, touch);
        return;
    }
    rslVec3 n = rslCross(rslSub(a1, a0), rslSub(b1, b0));
    double across = rslLength(n), along = flat * rslLength(rslSub(a1, a0)) * rslLength(rslSub(b1, b0));
    // of edges along each other the ends tell
    if (squared > reach * reach || !(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) || across <= along)
    {
        return;
    }
    rslVec3 out = rslAdd(NormalOf(solid, half / 3), NormalOf(solid, mate / 3));
    n = rslScale(rslDot(n, out) < 0.0 ? -1.0 / across : 1.0 / across, n);
    if (!LeansOver(solid, half, n) && !LeansOver(solid, mate, n))
    {
        rslPlacedTouch touch = { .feature = half, .normal = n, .weights = { 1.0 - s, s, 0.0 } };
        touch.point = rslAlong(b0, b1, t);
        touch.gap = rslDot(n, rslSub(rslAlong(a0, a1, s), touch.point));
        TellUnlessBeside(query, &touch);
    }
}

static void VisitEdges(const Query* query, int triangle)
{
    for (int k = 0; k < 3; ++k)
    {
        if (query->solid->edges[triangle] >> k & 1)
        {
            VisitEdgePair(query, 3 * triangle + k);
        }
    }
}

// ---- corners --------------------------------------------------------------------------------------------------------

// Whether all edges at a vertex go down from it, against n.
static bool IsTop(const rslSolid* solid, int v, rslVec3 n)
{
    rslVec3 x = rslSolid_Vertex(solid, v);
    bool top = true;
    for (int f = solid->fanStart[v]; top && f < solid->fanStart[v + 1]; ++f)
    {
        rslVec3 e =
            rslSub(rslSolid_Vertex(solid, rslSolid_Corner(solid, solid->fans[f] / 3, solid->fans[f] % 3 + 1)), x);
        top = rslDot(n, e) <= flat * rslLength(e);
    }
    return top;
}

static void VisitCorner(const Query* query, int v)
{
    int count = query->count;
    rslVec3 x = rslSolid_Vertex(query->solid, v), near = rslCorners_Nearest(count, query->q, x),
            apart = rslSub(near, x);
    rslPlacedTouch touch = { .gap = rslLength(apart), .point = x };
    touch.feature = v + (count == 2 ? 3 * query->solid->mesh->triangleCount : 0);
    touch.normal = rslNormalize(apart);
    if (touch.gap > query->out->reach)
    {
        return;
    }
    rslCorners_Shares(count, query->q, near, touch.weights);
    if (query->out->whole)
    {
        rslPlacedOut_Tell(query->out, touch);
        return;
    }
    bool inside = touch.weights[0] > 0.0 && touch.weights[1] > 0.0 && (count == 2 || touch.weights[2] > 0.0);
    if (count == 3 && touch.gap <= flat * rslLength(rslSub(query->q[1], query->q[0])))
    {
        touch.normal = rslNormalize(rslCross(rslSub(query->q[1], query->q[0]), rslSub(query->q[2], query->q[0])));
    }
    for (int side = 1; inside && side >= -1; side -= 2)
    {
        rslPlacedTouch one = touch;
        one.gap *= side;
        one.normal = rslScale(side, touch.normal);
        if (IsTop(query->solid, v, one.normal))
        {
            TellUnlessBeside(query, &one);
        }
    }
}

static void VisitCorners(const Query* query, int triangle)
{
    for (int k = 0; k < 3; ++k)
    {
        int v = rslSolid_Corner(query->solid, triangle, k);
        if (query->solid->corners[v] && query->solid->fans[query->solid->fanStart[v]] / 3 == triangle)
        {
            VisitCorner(query, v);
        }
    }
}

static void VisitEdgesAndCorners(const Query* query, int triangle)
{
    VisitEdges(query, triangle);
    if (!query->out->whole)  // the ends of edges tell as well
    {
        VisitCorners(query, triangle);
    }
}

void rslSolidMesh_Visit(const rslSolid* solid, int count, const rslVec3* q, const rslPlacedOut* out)
{
    Query query = {
        .solid = solid, .count = count, .q = q, .out = out, .bounds = rslCorners_Bounds(count, q, out->reach)
    };
    switch (count)
    {
        case 1: VisitVertex(&query); break;
        case 2: Walk(&query, VisitEdgesAndCorners); break;
        default: Walk(&query, VisitCorners); break;
    }
}
