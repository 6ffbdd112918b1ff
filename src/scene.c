// SPDX-License-Identifier: MIT
//
// scene.c: the defaults of a scene, its end, and the meshes given to it.

#include "resilin/scene.h"

#include "memory.h"
#include "tet_file.h"

#include <math.h>
#include <string.h>

static const rslRotationDef noRotation = { .axis = { 0.0, 0.0, 1.0 } };

rslShapeDef rslDefaultShapeDef(void)
{
    return (rslShapeDef){ .type = rsl_boxShape, .scale = 1.0, .rotate = noRotation };
}

rslMaterialDef rslDefaultMaterialDef(void)
{
    return (
        rslMaterialDef){ .young = RSL_AUTO, .poisson = RSL_AUTO, .density = RSL_AUTO, .stiffnessDamping = RSL_AUTO };
}

rslNetworkDef rslDefaultNetworkDef(void)
{
    return (rslNetworkDef){
        .orientation = noRotation,
        .antialias = true,
        .threshold = 0.1,
        .rotate = noRotation,
        .filling = 0.34,
        .scale = 1.0,
        .jitter = 0.3,
    };
}

rslModelDef rslDefaultModelDef(void)
{
    return (rslModelDef){ .type = rsl_autoModel, .floor = 0.5, .edgeModulus = RSL_AUTO };
}

rslVolumeDef rslDefaultVolumeDef(void)
{
    return (rslVolumeDef){ .method = rsl_noVolume, .centres = 1 };
}

rslBodyDef rslDefaultBodyDef(void)
{
    return (rslBodyDef){
        .network = rslDefaultNetworkDef(),
        .model = rslDefaultModelDef(),
        .repulsion = { .stiffness = RSL_AUTO, .share = RSL_AUTO },
        .volume = rslDefaultVolumeDef(),
        .material = rslDefaultMaterialDef(),
        .surface = { .enabled = true, .resolution = RSL_AUTO },
        .radius = RSL_AUTO,
    };
}

rslNodeSetDef rslDefaultNodeSetDef(void)
{
    return (rslNodeSetDef){ .type = rsl_allNodes, .normal = { 0.0, 0.0, 1.0 }, .count = 1 };
}

rslCourseDef rslDefaultCourseDef(void)
{
    return (rslCourseDef){ .type = rsl_constantCourse };
}

rslLoadDef rslDefaultLoadDef(void)
{
    return (rslLoadDef){ .nodes = rslDefaultNodeSetDef(), .course = rslDefaultCourseDef() };
}

rslConstraintDef rslDefaultConstraintDef(void)
{
    return (rslConstraintDef){
        .nodes = rslDefaultNodeSetDef(),
        .axes = { true, true, true },
        .move = { .rotate = noRotation, .course = rslDefaultCourseDef() },
    };
}

rslLinkDef rslDefaultLinkDef(void)
{
    return (rslLinkDef){
        .from = rslDefaultNodeSetDef(),
        .to = rslDefaultNodeSetDef(),
        .stiffness = RSL_AUTO,
        .restLength = RSL_AUTO,
        .reach = RSL_AUTO,
    };
}

rslDriveDef rslDefaultDriveDef(void)
{
    return (rslDriveDef){ .nodes = rslDefaultNodeSetDef(), .spread = 30.0, .course = rslDefaultCourseDef() };
}

rslJointDef rslDefaultJointDef(void)
{
    return (rslJointDef){ .axis = { 0.0, 0.0, 1.0 }, .angle = RSL_AUTO, .course = rslDefaultCourseDef() };
}

rslContactDef rslDefaultContactDef(void)
{
    return (rslContactDef){ .friction = RSL_AUTO, .restitution = RSL_AUTO, .thickness = RSL_AUTO };
}

rslTouchDef rslDefaultTouchDef(void)
{
    return (rslTouchDef){ .restitution = 1.0, .sweeps = 20 };
}

rslProbeDef rslDefaultProbeDef(void)
{
    return (rslProbeDef){ .nodes = rslDefaultNodeSetDef(), .radius = RSL_AUTO, .distance = RSL_AUTO };
}

rslGroundDef rslDefaultGroundDef(void)
{
    return (
        rslGroundDef){ .enabled = true, .normal = { 0.0, 0.0, 1.0 }, .stiffness = RSL_AUTO, .restitution = RSL_AUTO };
}

rslColliderDef rslDefaultColliderDef(void)
{
    return (rslColliderDef){
        .normal = { 0.0, 0.0, 1.0 },
        .resolution = RSL_AUTO,
        .stiffness = RSL_AUTO,
        .hardness = 1.0,
        .restitution = RSL_AUTO,
        .move = { .rotate = noRotation, .course = rslDefaultCourseDef() },
    };
}

rslTimeDef rslDefaultTimeDef(void)
{
    return (rslTimeDef){
        .duration = 1.0,
        .step = RSL_AUTO,
        .fraction = 0.7,
        .integrator = rsl_positionVerlet,
        .precision = rsl_double,
        .increments = 1,
        .tolerance = RSL_AUTO,
        .rebound = true,
        .theta = 0.55,
        .realtime = { .rate = 60.0, .budget = RSL_AUTO },
    };
}

rslOutputDef rslDefaultOutputDef(void)
{
    return (rslOutputDef){ .frames = 30.0,
                           .vtu = true,
                           .pc2 = true,
                           .glb = true,
                           .fields = { .vonMises = true },
                           .samples = RSL_AUTO,
                           .energy = true };
}

rslScene rslDefaultScene(void)
{
    rslScene scene = {
        .gravity = { 0.0, 0.0, -9.81 },
        .seed = 1,
        .ground = rslDefaultGroundDef(),
        .touch = rslDefaultTouchDef(),
        .time = rslDefaultTimeDef(),
        .output = rslDefaultOutputDef(),
    };
    scene.ground.enabled = false;
    return scene;
}

void rslScene_Free(rslScene* scene)
{
    if (scene == NULL || scene->arena == NULL)
    {
        return;
    }
    rslArena* arena = scene->arena;
    rslHooks hooks = arena->hooks;
    rslArena_Free(arena);
    rslRelease(&hooks, arena);
    *scene = rslDefaultScene();
}

// ---- meshes -----------------------------------------------------------------------------------------------------

enum
{
    DEEPEST_SHAPE = 40,
};

static void CollectMeshes(const rslShapeDef* shape, int depth, const rslShapeDef** shapes, int capacity, int* count)
{
    if (shape->type == rsl_meshShape && shape->file != NULL && shape->triangles == NULL)
    {
        if (*count < capacity)
        {
            shapes[*count] = shape;
        }
        *count += 1;
    }
    for (int i = 0; i < shape->partCount && depth < DEEPEST_SHAPE; ++i)
    {
        CollectMeshes(&shape->parts[i], depth + 1, shapes, capacity, count);
    }
}

int rslScene_MeshShapes(const rslScene* scene, const rslShapeDef** shapes, int capacity)
{
    int count = 0;
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        if (scene->bodies[i].shape != NULL)
        {
            CollectMeshes(scene->bodies[i].shape, 0, shapes, capacity, &count);
        }
        for (int r = 0; r < scene->bodies[i].regionCount; ++r)
        {
            if (scene->bodies[i].regions[r].shape != NULL)
            {
                CollectMeshes(scene->bodies[i].regions[r].shape, 0, shapes, capacity, &count);
            }
        }
    }
    for (int i = 0; i < scene->colliderCount; ++i)
    {
        if (scene->colliders[i].shape != NULL)
        {
            CollectMeshes(scene->colliders[i].shape, 0, shapes, capacity, &count);
        }
    }
    return count;
}

rslStatus rslScene_GiveMesh(rslScene* scene, const rslShapeDef* shape, const double* vertices, int vertexCount,
                            const int* triangles, int triangleCount)
{
    RSL_ASSERT(scene->arena != NULL && vertexCount >= 0 && triangleCount >= 0);
    size_t vertexNumbers = 3 * (size_t)vertexCount, triangleNumbers = 3 * (size_t)triangleCount;
    double* vertexCopy = rslArena_Allocate(scene->arena, vertexNumbers, sizeof(double));
    int* triangleCopy = rslArena_Allocate(scene->arena, triangleNumbers, sizeof(int));
    if (vertexCopy == NULL || triangleCopy == NULL)
    {
        return rsl_outOfMemory;
    }
    if (vertexNumbers > 0)
    {
        memcpy(vertexCopy, vertices, vertexNumbers * sizeof(double));
    }
    if (triangleNumbers > 0)
    {
        memcpy(triangleCopy, triangles, triangleNumbers * sizeof(int));
    }
    // a scene that was read lies in its arena, which is writable
    rslShapeDef* target = (rslShapeDef*)(uintptr_t)shape;
    target->vertices = vertexCopy;
    target->vertexCount = vertexCount;
    target->triangles = triangleCopy;
    target->triangleCount = triangleCount;
    return rsl_ok;
}

int rslScene_TetrahedraNetworks(const rslScene* scene, const rslNetworkDef** networks, int capacity)
{
    int count = 0;
    for (int i = 0; i < scene->bodyCount; ++i)
    {
        const rslNetworkDef* network = &scene->bodies[i].network;
        bool tetrahedra = network->type == rsl_tetrahedraNetwork && network->tetrahedra == NULL;
        bool hexahedra = network->type == rsl_hexahedraNetwork && network->hexahedra == NULL;
        if ((tetrahedra || hexahedra) && network->file != NULL)
        {
            if (count < capacity)
            {
                networks[count] = network;
            }
            count += 1;
        }
    }
    return count;
}

// Nodes and cells into the arena of a scene.
static rslStatus GiveCells(rslScene* scene, const rslNetworkDef* network, const double* nodes, int nodeCount,
                           const int* cells, int count, int width)
{
    RSL_ASSERT(scene->arena != NULL && nodeCount > 0 && count > 0);
    size_t numbers = 3 * (size_t)nodeCount, corners = (size_t)width * (size_t)count;
    double* nodeCopy = rslArena_Allocate(scene->arena, numbers, sizeof(double));
    int* cornerCopy = rslArena_Allocate(scene->arena, corners, sizeof(int));
    if (nodeCopy == NULL || cornerCopy == NULL)
    {
        return rsl_outOfMemory;
    }
    memcpy(nodeCopy, nodes, numbers * sizeof(double));
    memcpy(cornerCopy, cells, corners * sizeof(int));
    // as above
    rslNetworkDef* target = (rslNetworkDef*)(uintptr_t)network;
    target->nodes = nodeCopy;
    target->nodeCount = nodeCount;
    *(width == 4 ? &target->tetrahedra : &target->hexahedra) = cornerCopy;
    *(width == 4 ? &target->tetrahedronCount : &target->hexahedronCount) = count;
    return rsl_ok;
}

rslStatus rslScene_GiveTetrahedronList(rslScene* scene, const rslNetworkDef* network, const double* nodes,
                                       int nodeCount, const int* tetrahedra, int tetrahedronCount)
{
    return GiveCells(scene, network, nodes, nodeCount, tetrahedra, tetrahedronCount, 4);
}

rslStatus rslScene_GiveTetrahedra(rslScene* scene, const rslNetworkDef* network, const char* text, size_t length,
                                  rslReport* report)
{
    RSL_ASSERT(scene->arena != NULL);
    int corners = network->type == rsl_hexahedraNetwork ? 8 : 4;
    rslTetMesh file;
    rslStatus status = rslCellFile_Parse(text, length, corners, &scene->arena->hooks, &file, report);
    if (status == rsl_ok)
    {
        status = GiveCells(scene, network, file.nodes, file.nodeCount, file.tetrahedra, file.tetrahedronCount, corners);
        rslTetMesh_Free(&file);
    }
    return status;
}
