// SPDX-License-Identifier: MIT
//
// scene_body.c: what the keys of a body mean together: shape, network, material.

#include "scene_across.h"

#include "memory.h"
#include "text.h"
#include "vec.h"

#include <math.h>
#include <string.h>

// ---- shapes -----------------------------------------------------------------------------------------------------

static void CheckTriangles(rslAcross* across, const rslShapeDef* shape)
{
    for (int i = 0; i < shape->triangleCount; ++i)
    {
        const int* t = &shape->triangles[3 * (size_t)i];
        int top = t[0] > t[1] ? t[0] : t[1];
        top = top > t[2] ? top : t[2];
        if (top >= shape->vertexCount)
        {
            rslPlace place = rslAcross_Place(across, "shape", "triangles", shape, i, shape->place);
            rslTrail_Error(across->trail, place, "triangles", "found vertex %d, but there are %d, counted from 0", top,
                           shape->vertexCount);
            return;
        }
    }
}

static void CheckMesh(rslAcross* across, const rslShapeDef* shape)
{
    bool listed = shape->vertexCount > 0 || shape->triangleCount > 0;
    bool fresh = across->origins != NULL;
    if (fresh && shape->file != NULL && listed)
    {
        rslTrail_Error(across->trail, shape->filePlace, "file",
                       "found beside vertices and triangles, expected one of the two");
    }
    else if (fresh && shape->file == NULL && !listed)
    {
        rslTrail_Error(across->trail, shape->place, NULL,
                       "missing key 'file' of a mesh, or 'vertices' and 'triangles'");
    }
    else if (fresh && shape->file != NULL && shape->file[0] == 0)
    {
        rslTrail_Error(across->trail, shape->filePlace, "file", "found an empty name, expected a mesh file");
    }
    else if (shape->file == NULL && (shape->vertexCount == 0 || shape->triangleCount == 0))
    {
        rslTrail_Error(across->trail, shape->place, NULL, "missing key '%s' of a mesh",
                       shape->vertexCount == 0 ? "vertices" : "triangles");
    }
    else if (!fresh && shape->triangleCount == 0)
    {
        rslTrail_Error(across->trail, shape->filePlace, "file", "the mesh file '%.200s' has not been loaded",
                       shape->file);
    }
    else
    {
        CheckTriangles(across, shape);
    }
}

static void CheckShape(rslAcross* across, const rslShapeDef* shape, int depth)
{
    if (shape->type == rsl_torusShape && shape->tubeRadius > 0.0 && shape->radius > 0.0 &&
        shape->tubeRadius >= shape->radius)
    {
        rslPlace place = rslAcross_Place(across, "shape", "tube_radius", shape, -1, shape->place);
        rslTrail_Error(across->trail, place, "tube_radius",
                       "found a tube as wide as the ring, expected less than 'radius'");
    }
    if (shape->type == rsl_meshShape)
    {
        CheckMesh(across, shape);
    }
    if (shape->type == rsl_differenceShape && shape->partCount == 1)
    {
        rslPlace place = rslAcross_Place(across, "shape", "parts", shape, -1, shape->place);
        rslTrail_Error(across->trail, place, "parts", "found one part, expected what is cut from it as well");
    }
    bool combined =
        shape->type == rsl_unionShape || shape->type == rsl_differenceShape || shape->type == rsl_intersectionShape;
    for (int i = 0; combined && i < shape->partCount && depth < RSL_TREE_DEPTH; ++i)
    {
        size_t length = rslTrail_Push(across->trail, "parts", i);
        CheckShape(across, &shape->parts[i], depth + 1);
        rslTrail_Pop(across->trail, length);
    }
}

// ---- bodies -----------------------------------------------------------------------------------------------------

static void CheckSheet(rslAcross* across, const rslBodyDef* body)
{
    const rslNetworkDef* network = &body->network;
    if (isnan(network->bending) && body->regionCount > 0)
    {
        rslPlace place = rslAcross_Place(across, "network", "bending", network, -1, network->place);
        rslTrail_Error(across->trail, place, "bending",
                       "found auto in a sheet of several materials, expected a number in N m, the same everywhere");
    }
    if (body->shape != NULL)
    {
        if (body->shape->type != rsl_meshShape && !(network->spacing > 0.0))
        {
            rslTrail_Error(across->trail, network->place, NULL,
                           "missing key 'spacing' of a sheet that is the surface of a shape");
        }
        if (network->tube)
        {
            rslPlace place = rslAcross_Place(across, "network", "tube", network, -1, network->place);
            rslTrail_Error(across->trail, place, "tube",
                           "grids are rolled up, and this sheet is the surface of a shape: leave it out");
        }
        return;
    }
    if (network->size[0] <= 0.0 || network->size[1] <= 0.0)
    {
        rslPlace place = rslAcross_Place(across, "network", "size", network, -1, network->place);
        rslTrail_Error(across->trail, place, NULL, "a sheet without a shape needs 'size', two edges > 0 in m");
    }
    if ((network->cells[0] == 0 || network->cells[1] == 0) && !(network->spacing > 0.0))
    {
        rslTrail_Error(across->trail, network->place, NULL, "a sheet without a shape needs 'cells' or 'spacing'");
    }
}

// Tetrahedra made to fill a shape. Those of Gmsh are in the list by the time of the build.
static void CheckFilling(rslAcross* across, const rslBodyDef* body, bool listed)
{
    const rslNetworkDef* network = &body->network;
    bool fresh = across->origins != NULL, gmsh = network->mesher == rsl_gmshMesher;
    if (network->file != NULL || ((fresh || !gmsh) && (network->nodeCount > 0 || network->tetrahedronCount > 0)))
    {
        rslPlace place = rslAcross_Place(across, "body", "shape", body, -1, body->place);
        rslTrail_Error(across->trail, place, "shape",
                       "found beside a file or a list of tetrahedra, expected one of them");
        return;
    }
    if (!(network->spacing > 0.0))
    {
        rslTrail_Error(across->trail, network->place, NULL, "missing key 'spacing' of tetrahedra that fill a shape");
    }
    if (network->scale != 1.0 || network->rotate.angle != 0.0 || network->translate.x != 0.0 ||
        network->translate.y != 0.0 || network->translate.z != 0.0)
    {
        rslTrail_Error(
            across->trail, network->place, NULL,
            "found 'scale', 'rotate' or 'translate' of tetrahedra that fill a shape, expected them in the shape");
    }
    if (!fresh && gmsh && !listed)
    {
        rslPlace place = rslAcross_Place(across, "network", "mesher", network, -1, network->place);
        rslTrail_Error(across->trail, place, "mesher",
                       "the shape has not been filled by Gmsh: load the scene with rslScene_Read, or take 'delaunay'");
    }
}

// A grid in a box, a file, or a list.
static void CheckHexahedra(rslAcross* across, const rslBodyDef* body)
{
    const rslNetworkDef* network = &body->network;
    const int* n = network->grid;
    bool some = network->nodeCount > 0 || network->hexahedronCount > 0, fresh = across->origins != NULL;
    bool listed = network->nodeCount > 0 && network->hexahedronCount > 0, grid = n[0] > 0 || n[1] > 0 || n[2] > 0;
    bool shaped = body->shape != NULL || rslAcross_WasGiven(across, "body", "shape", body);
    bool moved = network->scale != 1.0 || network->rotate.angle != 0.0 || rslLength(network->translate) != 0.0;
    const char* problem = NULL;
    if (grid || shaped)
    {
        problem = !grid && (some || network->file != NULL)
                      ? "found beside 'shape' a file or a list of hexahedra, expected one of them"
                  : !grid ? "missing key 'grid' of hexahedra that fill a box: [x, y, z], cells along its edges"
                  : !shaped || (body->shape != NULL && body->shape->type != rsl_boxShape)
                      ? "found 'grid', expected beside it of the body a 'shape' that is a box"
                  : n[0] < 1 || n[1] < 1 || n[2] < 1
                      ? "found no cells along an axis of 'grid', expected three numbers > 0"
                  : some || network->file != NULL ? "found 'grid' beside a file or a list, expected one of them"
                  : moved ? "found 'scale', 'rotate' or 'translate' of a grid, expected them in the shape"
                          : NULL;
    }
    else if (fresh && network->file != NULL && some)
    {
        problem = "found 'file' beside nodes or hexahedra, expected one of the two";
    }
    else if (network->file == NULL && !listed)
    {
        problem = "missing key 'file' of hexahedra, or 'nodes' and 'hexahedra', or 'grid' of a body with a box shape";
    }
    else if (!fresh && !listed)
    {
        problem = "the file of the hexahedra has not been loaded";
    }
    if (problem != NULL)
    {
        rslTrail_Error(across->trail, network->place, NULL, "%s", problem);
    }
    rslAcross_CheckCorners(across, network, "hexahedra", network->hexahedra, network->hexahedronCount, 8);
}

static void CheckTetrahedra(rslAcross* across, const rslBodyDef* body)
{
    const rslNetworkDef* network = &body->network;
    bool listed = network->nodeCount > 0 && network->tetrahedronCount > 0, fresh = across->origins != NULL;
    if (body->shape != NULL)
    {
        CheckFilling(across, body, listed);
    }
    else if (fresh && network->file != NULL && (network->nodeCount > 0 || network->tetrahedronCount > 0))
    {
        rslTrail_Error(across->trail, network->filePlace, "file",
                       "found beside nodes or tetrahedra, expected one of the two");
    }
    else if (network->file == NULL && !listed && !rslAcross_WasGiven(across, "body", "shape", body))
    {
        rslTrail_Error(
            across->trail, network->place, NULL,
            "missing key 'file' of tetrahedra, or 'nodes' and 'tetrahedra', or of the body a 'shape' that they fill");
    }
    else if (!fresh && !listed)
    {
        rslTrail_Error(across->trail, network->filePlace, "file", "the file '%.200s' has not been loaded",
                       network->file);
    }
    rslAcross_CheckCorners(across, network, "tetrahedra", network->tetrahedra, network->tetrahedronCount, 4);
}

static void CheckRandom(rslAcross* across, const rslNetworkDef* network)
{
    if (network->minLength > 0.0 && network->maxLength > 0.0 && network->maxLength <= network->minLength)
    {
        rslPlace place = rslAcross_Place(across, "network", "max_length", network, -1, network->place);
        rslTrail_Error(
            across->trail, place, "max_length",
            "found %.4g m, expected more than 'min_length', %.4g m; 2 times it gives 15 to 20 springs a node",
            network->maxLength, network->minLength);
    }
}

// A sheet has a thickness to lose: in plane stress there is no limit at 0.5.
static void CheckRatio(rslAcross* across, const rslMaterialDef* material, bool sheet)
{
    double poisson = rslMaterial_Resolve(material).poisson;
    if (!sheet && poisson >= 0.5)
    {
        rslTrail_Error(
            across->trail, rslAcross_Place(across, "material", "poisson", material, -1, material->place), "poisson",
            "found %.6g, expected a number in (-1, 0.5): 0.5 has no compressibility at all; take 0.45 to 0.49",
            poisson);
    }
}

// Of a rigid body only the density counts.
static void CheckMaterial(rslAcross* across, const rslMaterialDef* material, const rslBodyDef* body)
{
    bool rigid = body->model.type == rsl_rigidModel;
    if (material->name != NULL && rslMaterial_Find(material->name) == NULL)
    {
        int count;
        const rslNamedMaterial* table = rslMaterial_Table(&count);
        rslNearest nearest = rslNearest_Make(material->name);
        char names[200];
        rslText text = rslText_Make(names, sizeof names);
        for (int i = 0; i < count; ++i)
        {
            rslNearest_Try(&nearest, table[i].name);
            rslText_Printf(&text, "%s%s", i > 0 ? ", " : "", table[i].name);
        }
        rslPlace place = rslAcross_Place(across, "material", "name", material, -1, material->place);
        bool near = nearest.best != NULL;
        rslTrail_Error(across->trail, place, "name", "there is no material '%.60s'%s%s%s", material->name,
                       near ? "; did you mean '" : "; there are ", near ? nearest.best : names, near ? "'?" : "");
        return;
    }
    static const char* const keys[] = { "young", "poisson", "density" };
    const double values[] = { material->young, material->poisson, material->density };
    rslMaterialDef resolved = rslMaterial_Resolve(material);
    const double final[] = { resolved.young, resolved.poisson, resolved.density };
    for (int i = rigid ? 2 : 0; i < 3; ++i)
    {
        bool said = rslAcross_WasGiven(across, "material", keys[i], material);  // given, but wrong by itself
        if (isnan(values[i]) && isnan(final[i]) && !said)
        {
            rslTrail_Error(across->trail, material->place, NULL, "missing key '%s' of a material without a name",
                           keys[i]);
        }
    }
    CheckRatio(across, material, body->network.type == rsl_sheetNetwork);
    rslAcross_CheckDamping(across, material, body);
}

static void CheckOrthotropic(rslAcross* across, const rslBodyDef* body)
{
    const rslOrthotropicDef* axes = body->material.orthotropic;
    if (axes == NULL || (body->network.type == rsl_latticeNetwork && body->network.shells == rsl_shellsAB))
    {
        return;
    }
    rslTrail_Error(across->trail, axes->place, "orthotropic", "found beside %s, expected a lattice with shells AB",
                   body->network.type == rsl_latticeNetwork ? "shells AC" : "a network that is not a lattice");
}

static bool FillsShape(rslNetworkType type)
{
    return type == rsl_latticeNetwork || type == rsl_randomNetwork;
}

static void CheckPlanar(rslAcross* across, const rslBodyDef* body)
{
    if (across->scene->plane != rsl_planeXY)
    {
        return;
    }
    if (body->velocity.z != 0.0)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "body", "velocity", body, -1, body->place), "velocity",
                       "found a z of its own in a scene with plane: xy, expected [x, y, 0]");
    }
    if (body->spin.x != 0.0 || body->spin.y != 0.0)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "body", "spin", body, -1, body->place), "spin",
                       "found a spin out of the plane in a scene with plane: xy, expected [0, 0, z]");
    }
    const rslNetworkDef* network = &body->network;
    bool turned = network->rotate.angle != 0.0 && (network->rotate.axis.x != 0.0 || network->rotate.axis.y != 0.0);
    if (network->type == rsl_sheetNetwork && (network->translate.z != 0.0 || turned))
    {
        rslTrail_Error(across->trail, network->place, "network",
                       "found a grid out of the plane in a scene with plane: xy, expected z = 0 and a turn about z");
    }
    if (network->type == rsl_sheetNetwork && network->bending != 0.0)
    {
        rslTrail_Error(across->trail, rslAcross_Place(across, "network", "bending", network, -1, network->place),
                       "bending",
                       "found bending in a scene with plane: xy, where no sheet leaves its plane: remove it");
    }
    bool lattice = network->type == rsl_latticeNetwork, tetrahedra = network->type == rsl_tetrahedraNetwork;
    bool hexahedra = network->type == rsl_hexahedraNetwork;
    if (tetrahedra || hexahedra || FillsShape(network->type))
    {
        rslTrail_Error(
            across->trail, network->place, "network",
            "found a %s, which is three-dimensional, in a scene with plane: xy, expected a sheet or explicit",
            lattice      ? "lattice"
            : tetrahedra ? "network of tetrahedra"
            : hexahedra  ? "network of hexahedra"
                         : "random network");
    }
}

static void CheckRegions(rslAcross* across, const rslBodyDef* body)
{
    rslTrail* trail = across->trail;
    if (body->regionCount > 0 && (body->network.type == rsl_explicitNetwork || body->material.orthotropic != NULL))
    {
        rslTrail_Error(trail, rslAcross_Place(across, "body", "regions", body, -1, body->place), "regions",
                       "found beside %s, expected a network with one isotropic material for the rest of the body",
                       body->network.type == rsl_explicitNetwork ? "an explicit network" : "an orthotropic material");
    }
    for (int r = 0; r < body->regionCount; ++r)
    {
        const rslRegionDef* region = &body->regions[r];
        size_t outer = rslTrail_Push(trail, "regions", r);
        if (region->shape != NULL)
        {
            size_t length = rslTrail_Push(trail, "shape", -1);
            CheckShape(across, region->shape, 0);
            rslTrail_Pop(trail, length);
        }
        else if (across->origins == NULL)
        {
            rslTrail_Error(trail, region->place, NULL, "missing key 'shape' of a region");
        }
        if (across->origins == NULL || rslAcross_WasGiven(across, "region", "material", region))
        {
            size_t length = rslTrail_Push(trail, "material", -1);
            CheckMaterial(across, &region->material, body);
            if (region->material.orthotropic != NULL)
            {
                rslTrail_Error(trail, region->material.orthotropic->place, "orthotropic",
                               "found in a region, expected an isotropic material");
            }
            rslTrail_Pop(trail, length);
        }
        rslTrail_Pop(trail, outer);
    }
}

bool rslAcross_CheckBody(rslAcross* across, const rslBodyDef* body)
{
    rslTrail* trail = across->trail;
    rslNetworkType type = body->network.type;
    if (body->name == NULL && rslAcross_WasGiven(across, "body", "name", body))
    {
        return true;  // not even a map
    }
    bool shapeGiven = body->shape != NULL;
    if (FillsShape(type) && !shapeGiven && !rslAcross_WasGiven(across, "body", "shape", body))
    {
        rslTrail_Error(trail, body->place, NULL, "missing key 'shape' of a body: a %s fills a shape",
                       type == rsl_latticeNetwork ? "lattice" : "random network");
    }
    if (type == rsl_explicitNetwork && shapeGiven)
    {
        rslTrail_Error(trail, rslAcross_Place(across, "body", "shape", body, -1, body->place), "shape",
                       "an explicit network lists its own nodes, expected no shape");
    }
    if (shapeGiven)
    {
        size_t length = rslTrail_Push(trail, "shape", -1);
        CheckShape(across, body->shape, 0);
        rslTrail_Pop(trail, length);
    }
    if (type != rsl_explicitNetwork)
    {
        bool given = across->origins == NULL || rslAcross_WasGiven(across, "body", "material", body);
        size_t length = rslTrail_Push(trail, "material", -1);
        if (given)
        {
            CheckMaterial(across, &body->material, body);
            CheckOrthotropic(across, body);
        }
        else
        {
            rslTrail_Error(trail, body->place, NULL, "missing key 'material' of a body");
        }
        rslTrail_Pop(trail, length);
    }
    else
    {
        rslAcross_CheckDamping(across, &body->material, body);
    }
    CheckRegions(across, body);
    CheckPlanar(across, body);
    rslAcross_CheckModel(across, body);
    rslAcross_CheckVolume(across, body);
    rslAcross_CheckLevels(across, body);
    size_t length = rslTrail_Push(trail, "network", -1);
    bool good = true;
    if (type == rsl_sheetNetwork)
    {
        CheckSheet(across, body);
    }
    else if (type == rsl_tetrahedraNetwork)
    {
        CheckTetrahedra(across, body);
    }
    else if (type == rsl_hexahedraNetwork)
    {
        CheckHexahedra(across, body);
    }
    else if (type == rsl_randomNetwork)
    {
        CheckRandom(across, &body->network);
    }
    else if (type == rsl_explicitNetwork)
    {
        good = rslAcross_CheckExplicit(across, &body->network);
    }
    rslTrail_Pop(trail, length);
    return good;
}
