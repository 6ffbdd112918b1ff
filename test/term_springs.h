// SPDX-License-Identifier: MIT
//
// term_springs.h: lattices, networks and sheets of springs, and links. Part of term_cases.h.

#pragma once

// long enough for whole vectors of lanes and for what is left over
static rslModel* BuildCorner(void)
{
    rslShapeDef shape = BoxShape(2.1, 0.1, 0.2);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.material.stiffnessDamping = 0.002;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildElastic(void)
{
    rslShapeDef shape = BoxShape(1.9, 0.2, 0.1);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildBodyDiagonals(void)
{
    rslShapeDef shape = BoxShape(1.9, 0.2, 0.1);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.network.shells = rsl_shellsAC;
    body.network.orientation = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 25.0 };
    body.material.stiffnessDamping = 0.001;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildLawful(rslSpringLaw law, double damping)
{
    rslShapeDef shape = BoxShape(1.9, 0.2, 0.1);
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    body.network.law = law;
    body.material.stiffnessDamping = damping;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildCarrierLattice(void)
{
    return BuildLawful(rsl_carrierSpring, 0.002);
}

static rslModel* BuildCooperLattice(void)
{
    return BuildLawful(rsl_cooperSpring, 0.0);
}

static rslModel* BuildRegions(rslConstruction construction)
{
    rslShapeDef shape = BoxShape(1.9, 0.2, 0.2), half = BoxShape(0.55, 1.0, 0.31);
    rslRegionDef region = { .shape = &half, .material = rslDefaultMaterialDef() };
    rslBodyDef body = LatticeBody("bar", &shape, 0.1);
    region.material = body.material;
    region.material.young *= 7.0;
    region.material.stiffnessDamping = 0.003;
    region.material.massDamping = construction == rsl_cornerLattice ? 0.4 : 0.0;
    body.regions = &region;
    body.regionCount = 1;
    body.network.construction = construction;
    body.material.stiffnessDamping = 0.001;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildCornerRegions(void)
{
    return BuildRegions(rsl_cornerLattice);
}

static rslModel* BuildCentredRegions(void)
{
    return BuildRegions(rsl_centredLattice);
}

static rslModel* BuildTurned(void)
{
    rslShapeDef shape = rslDefaultShapeDef();
    shape.type = rsl_ellipsoidShape;
    shape.radii = (rslVec3){ 0.28, 0.22, 0.17 };
    shape.translate = (rslVec3){ 30.0, -20.0, 10.0 };
    rslBodyDef body = LatticeBody("egg", &shape, 0.1);
    body.network.construction = rsl_centredLattice;
    body.network.orientation = (rslRotationDef){ { 1.0, 2.0, 3.0 }, 40.0 };
    body.material.stiffnessDamping = 0.001;
    return BuildScene(&body, 1, NULL);
}

// Nodes in a box, springs between most of them, some stretched and some pressed at rest.
static rslBodyDef RandomNetwork(const char* name, double* nodes, double* masses, int* springs, double* values,
                                int count)
{
    Random random = MakeRandom(77);
    rslBodyDef body = rslDefaultBodyDef();
    body.model.type = rsl_springModel;
    int made = 0;
    for (int i = 0; i < count; ++i)
    {
        nodes[3 * i] = 0.2 * (i % 3) + NextBetween(&random, -0.05, 0.05);
        nodes[3 * i + 1] = 0.2 * (i / 3 % 2) + NextBetween(&random, -0.05, 0.05);
        nodes[3 * i + 2] = 0.2 * (i / 6) + NextBetween(&random, -0.05, 0.05);
        masses[i] = NextBetween(&random, 0.5, 2.0);
        for (int j = 0; j < i; ++j)
        {
            if (NextBetween(&random, 0.0, 1.0) < 0.6)
            {
                double dx = nodes[3 * i] - nodes[3 * j], dy = nodes[3 * i + 1] - nodes[3 * j + 1];
                double dz = nodes[3 * i + 2] - nodes[3 * j + 2];
                springs[2 * made] = i;
                springs[2 * made + 1] = j;
                values[3 * made] = NextBetween(&random, 500.0, 2000.0);
                values[3 * made + 1] = NextBetween(&random, 0.0, 5.0);
                values[3 * made + 2] = sqrt(dx * dx + dy * dy + dz * dz) * NextBetween(&random, 0.9, 1.1);
                made += 1;
            }
        }
    }
    body.name = name;
    body.network.type = rsl_explicitNetwork;
    body.network.nodes = nodes;
    body.network.nodeCount = count;
    body.network.masses = masses;
    body.network.massCount = count;
    body.network.springs = springs;
    body.network.springCount = made;
    return body;
}

static rslModel* BuildNetworkOf(rslSpringLaw law)
{
    enum
    {
        COUNT = 12,
        MOST = COUNT * (COUNT - 1) / 2
    };
    double nodes[3 * COUNT], masses[COUNT], values[3 * MOST];
    double stiffness[MOST], damping[MOST], lengths[MOST];
    int springs[2 * MOST];
    rslBodyDef body = RandomNetwork("net", nodes, masses, springs, values, COUNT);
    body.network.law = law;
    for (int s = 0; s < body.network.springCount; ++s)
    {
        stiffness[s] = values[3 * s];
        damping[s] = values[3 * s + 1];
        lengths[s] = values[3 * s + 2];
    }
    body.network.stiffness = stiffness;
    body.network.damping = damping;
    body.network.restLengths = lengths;
    body.network.stiffnessCount = body.network.dampingCount = body.network.restLengthCount = body.network.springCount;
    return BuildScene(&body, 1, NULL);
}

static rslModel* BuildNetwork(void)
{
    return BuildNetworkOf(rsl_linearSpring);
}

static rslModel* BuildCarriers(void)
{
    return BuildNetworkOf(rsl_carrierSpring);
}

static rslModel* BuildCoopers(void)
{
    return BuildNetworkOf(rsl_cooperSpring);
}

static rslModel* BuildSheet(void)
{
    rslBodyDef body = GridBody("sheet", 0.5, 0.4, 5, 4);
    body.material.stiffnessDamping = 0.003;
    body.network.rotate = (rslRotationDef){ { 1.0, -1.0, 0.5 }, 70.0 };
    return BuildScene(&body, 1, NULL);
}

static void MakePlane(rslScene* scene)
{
    scene->plane = rsl_planeXY;
}

static rslModel* BuildFlat(void)
{
    rslBodyDef body = GridBody("sheet", 0.5, 0.4, 5, 4);
    body.material.stiffnessDamping = 0.003;
    return BuildScene(&body, 1, MakePlane);
}

static inline rslNodeSetDef NodesOf(const char* body)
{
    rslNodeSetDef set = rslDefaultNodeSetDef();
    set.body = body;
    return set;
}

// A block and a sheet above it: springs with dampers between them, and ties; each kind in its own scene.
static rslModel* BuildLinked(rslLinkType type, double damping)
{
    rslShapeDef shape = BoxShape(0.4, 0.2, 0.2);
    rslBodyDef bodies[2] = { LatticeBody("block", &shape, 0.1), GridBody("sheet", 0.37, 0.19, 4, 2) };
    bodies[1].network.translate = (rslVec3){ 0.01, 0.0, type == rsl_tieLink ? 0.04 : 0.15 };
    rslLinkDef link = rslDefaultLinkDef();
    link.type = type;
    link.from = NodesOf("sheet");
    link.to = NodesOf("block");
    link.stiffness = type == rsl_tieLink ? RSL_AUTO : 700.0;
    link.damping = damping;
    LetCollapse(bodies, 2);
    rslScene scene = SceneOf(bodies, 2);
    scene.gravity = (rslVec3){ 0.0, 0.0, 0.0 };
    scene.links = &link;
    scene.linkCount = 1;
    return Built(&scene, NULL);
}

static rslModel* BuildSpringLinks(void)
{
    return BuildLinked(rsl_springLink, 3.0);
}

static rslModel* BuildTies(void)
{
    return BuildLinked(rsl_tieLink, 0.0);
}

// A tie's damper acts on the vector between its points: while that is not zero, it can turn the bodies.
static rslModel* BuildDampedTies(void)
{
    return BuildLinked(rsl_tieLink, 3.0);
}
