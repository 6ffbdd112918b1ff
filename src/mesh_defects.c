// SPDX-License-Identifier: MIT
//
// mesh_defects.c: the defects of a mesh in words.

#include "resilin/shape.h"

typedef struct Kind
{
    int count;
    const char *one, *many;  // what follows the count
    rslVec3 at;
} Kind;

enum
{
    KINDS = 10,
};

static void ListKinds(const rslMeshDefects* d, Kind kinds[KINDS])
{
    const Kind all[KINDS] = {
        { d->duplicateVertices, "vertex at the place of another", "vertices at the place of another",
          d->duplicateVertexAt },
        { d->unusedVertices, "vertex in no triangle", "vertices in no triangle", d->unusedAt },
        { d->degenerateTriangles, "triangle without area", "triangles without area", d->degenerateAt },
        { d->duplicateTriangles, "triangle that is there twice", "triangles that are there twice",
          d->duplicateTriangleAt },
        { d->openEdges, "open edge (a hole)", "open edges (holes)", d->openAt },
        { d->nonManifoldEdges, "edge of more than two triangles", "edges of more than two triangles",
          d->nonManifoldAt },
        { d->flippedEdges, "edge whose two triangles face opposite ways",
          "edges whose two triangles face opposite ways", d->flippedAt },
        { d->nonManifoldVertices, "vertex where separate sheets touch", "vertices where separate sheets touch",
          d->nonManifoldVertexAt },
        { d->selfIntersections, "pair of triangles that cross", "pairs of triangles that cross", d->intersectionAt },
        { d->insideOutParts, "part that is inside out", "parts that are inside out", d->insideOutAt },
    };
    for (int i = 0; i < KINDS; ++i)
    {
        kinds[i] = all[i];
    }
}

int rslMeshDefects_Kinds(const rslMeshDefects* defects)
{
    Kind kinds[KINDS];
    ListKinds(defects, kinds);
    int count = (defects->badIndices != 0) + (defects->nonFinite != 0);
    for (int i = 0; i < KINDS; ++i)
    {
        count += kinds[i].count != 0;
    }
    return count;
}

void rslMeshDefects_Report(const rslMeshDefects* defects, rslSeverity severity, rslPlace place, rslReport* report)
{
    if (defects->badIndices != 0)
    {
        rslReport_Add(report, severity, place,
                      "the mesh has %d triangle%s with a vertex index out of range, the first is "
                      "triangle %d",
                      defects->badIndices, defects->badIndices == 1 ? "" : "s", defects->firstBad + 1);
    }
    if (defects->nonFinite != 0)
    {
        rslReport_Add(report, severity, place,
                      "the mesh has %d vert%s with a coordinate that is not finite, the first is "
                      "vertex %d",
                      defects->nonFinite, defects->nonFinite == 1 ? "ex" : "ices", defects->firstBad + 1);
    }
    Kind kinds[KINDS];
    ListKinds(defects, kinds);
    for (int i = 0; i < KINDS; ++i)
    {
        const Kind* k = &kinds[i];
        if (k->count != 0)
        {
            rslReport_Add(report, severity, place, "the mesh has %d %s, first at (%g, %g, %g)", k->count,
                          k->count == 1 ? k->one : k->many, k->at.x, k->at.y, k->at.z);
        }
    }
}
