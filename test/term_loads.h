// SPDX-License-Identifier: MIT
//
// term_loads.h: what acts from outside: gravity, pressure, colliders, drives. Part of term_cases.h.

#pragma once

static void AddGravity(rslScene* scene)
{
    scene->gravity = (rslVec3){ 1.0, -2.0, -9.0 };
}

static rslModel* BuildHeavy(void)
{
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    body.material.massDamping = 4.0;
    return BuildScene(&body, 1, AddGravity);
}

static void AddPressure(rslScene* scene)
{
    static rslLoadDef load;
    load = rslDefaultLoadDef();
    load.type = rsl_pressureLoad;
    load.body = scene->bodies[0].name;
    load.pressure = 3000.0;
    scene->loads = &load;
    scene->loadCount = 1;
}

static rslModel* BuildPressed(void)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_sphereShape;
    shape.radius = 0.21;
    rslBodyDef body = LatticeBody("ball", &shape, 0.1);
    return BuildScene(&body, 1, AddPressure);
}

static rslModel* BuildBalloon(void)
{
    static const double vertices[] = { 0.3, 0, 0, -0.3, 0, 0, 0, 0.25, 0, 0, -0.25, 0, 0, 0, 0.2, 0, 0, -0.2 };
    static const int triangles[] = { 0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5 };
    rslShapeDef shape = MeshShape(vertices, 6, triangles, 8);
    rslBodyDef body = GridBody("balloon", 0.0, 0.0, 0, 0);
    body.shape = &shape;
    return BuildScene(&body, 1, AddPressure);
}

static void AddGround(rslScene* scene)
{
    scene->ground = rslDefaultGroundDef();
    scene->ground.point = (rslVec3){ 0.02, 0.01, 0.03 };
    scene->ground.normal = (rslVec3){ 0.3, -0.2, 1.0 };
    scene->touch.scheme = rsl_penaltyScheme;
}

// One of every shape, around corners of the block and through its middle; a tetrahedron with a dent in the place of one face.
static void AddSolids(rslScene* scene)
{
    static const double vertices[] = { -0.2, -0.2, -0.2, 0.2, -0.15, -0.2, 0.0,  0.25,
                                       -0.2, 0.0,  0.0,  0.2, 0.02,  0.01, -0.05 };
    static const int triangles[] = { 0, 1, 3, 1, 2, 3, 2, 0, 3, 1, 0, 4, 2, 1, 4, 0, 2, 4 };
    static const rslShapeType types[] = { rsl_sphereShape, rsl_boxShape, rsl_cylinderShape, rsl_capsuleShape,
                                          rsl_meshShape };
    static const rslVec3 places[] = {
        { 0.2, 0.15, 0.2 }, { -0.25, 0.1, 0.1 }, { 0.2, -0.15, 0.0 }, { -0.2, -0.15, 0.0 }, { 0.0, 0.0, 0.0 }
    };
    static rslShapeDef shapes[5];
    static rslColliderDef colliders[5];
    for (int i = 0; i < 5; ++i)
    {
        shapes[i] = rslDefaultShapeDef();
        shapes[i].type = types[i];
        shapes[i].radius = 0.11;
        shapes[i].height = 0.2;
        shapes[i].size = (rslVec3){ 0.15, 0.2, 0.25 };
        shapes[i].vertices = vertices;
        shapes[i].vertexCount = 5;
        shapes[i].triangles = triangles;
        shapes[i].triangleCount = 6;
        shapes[i].rotate = (rslRotationDef){ .axis = { 1.0, 0.4, -0.3 * i }, .angle = 20.0 + 15.0 * i };
        shapes[i].translate = places[i];
        colliders[i] = rslDefaultColliderDef();
        colliders[i].type = rsl_shapeCollider;
        colliders[i].shape = &shapes[i];
    }
    scene->touch.scheme = rsl_penaltyScheme;
    scene->colliders = colliders;
    scene->colliderCount = 5;
}

static rslModel* BuildAmongSolids(void)
{
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.3);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    return BuildScene(&body, 1, AddSolids);
}

static rslModel* BuildGrounded(void)
{
    rslShapeDef shape = BoxShape(0.4, 0.3, 0.3);
    rslBodyDef body = LatticeBody("block", &shape, 0.1);
    return BuildScene(&body, 1, AddGround);
}

static void AddDrives(rslScene* scene)
{
    static rslDriveDef drives[2];
    static rslNodeSetDef set;
    set = rslDefaultNodeSetDef();
    drives[0] = drives[1] = rslDefaultDriveDef();
    drives[0].nodes = set;
    drives[0].strain = 0.3;
    drives[0].course.type = rsl_rampCourse;
    drives[0].course.duration = 2.0;
    drives[1].nodes = set;
    drives[1].nodes.type = rsl_planeNodes;
    drives[1].nodes.normal = (rslVec3){ 1.0, 0.0, 0.0 };
    drives[1].strain = -0.2;
    drives[1].direction = (rslVec3){ 1.0, 0.2, 0.0 };
    drives[1].course.type = rsl_rampCourse;
    drives[1].course.duration = 1.0;
    scene->drives = drives;
    scene->driveCount = 2;
}

static rslModel* BuildDrivenLattice(void)
{
    rslShapeDef shape = BoxShape(1.7, 0.1, 0.1);
    rslBodyDef body = LatticeBody("muscle", &shape, 0.1);
    body.material.stiffnessDamping = 0.002;
    return BuildScene(&body, 1, AddDrives);
}

static rslModel* BuildDrivenCarrierLattice(void)
{
    rslShapeDef shape = BoxShape(1.7, 0.1, 0.1);
    rslBodyDef body = LatticeBody("muscle", &shape, 0.1);
    body.network.law = rsl_carrierSpring;
    body.network.shells = rsl_shellsAC;
    body.material.stiffnessDamping = 0.002;
    return BuildScene(&body, 1, AddDrives);
}

static rslModel* BuildDrivenSheet(void)
{
    rslBodyDef body = GridBody("sheet", 0.5, 0.4, 5, 4);
    body.material.stiffnessDamping = 0.003;
    return BuildScene(&body, 1, AddDrives);
}

static rslModel* BuildDrivenCarriers(void)
{
    rslBodyDef body = GridBody("sheet", 0.5, 0.4, 5, 4);
    body.material.stiffnessDamping = 0.003;
    body.network.law = rsl_carrierSpring;
    return BuildScene(&body, 1, AddDrives);
}
