// SPDX-License-Identifier: MIT
//
// look.h: what a page draws of a stage: arrays of single precision, and numbers.

#pragma once

#include "stage.h"

typedef enum webField
{
    web_noField,
    web_speed,         // [m/s]
    web_displacement,  // from the start [m]
    web_vonMises,      // [Pa]
    web_strain,        // equivalent, of Green's strain
    web_contact,       // [N]
    web_fieldCount
} webField;

// Read by their names and places (webNumber_Name), so the page has no list of its own.
typedef enum webNumber
{
    web_time,
    web_steps,
    web_step,
    web_stableStep,
    web_nodeCount,
    web_springCount,
    web_elementCount,
    web_kinetic,
    web_elastic,
    web_gravity,
    web_lost,
    web_total,
    web_volumeError,
    web_contactForce,
    web_smallestElement,
    web_fieldLow,
    web_fieldHigh,
    web_numberCount
} webNumber;

const char* webNumber_Name(int number);

// Positions are relative to the origin, so that single precision is enough anywhere. The page reads this struct as an array of 32 bit
// words, in this order.
typedef struct webArrays
{
    float* vertices;  // x y z, of all surfaces
    float* normals;
    float* values;  // of the field
    int* triangles;
    int* vertexBody;
    float* nodes;  // x y z
    float* nodeValues;
    int* springs;
    float* rest;    // vertices at the start
    float* solids;  // vertices of colliders, x y z
    int* solidTriangles;
    double* numbers;
    double* probes;  // a row, column by column
    int vertexCount, triangleCount, nodeCount, springCount, solidVertexCount, solidTriangleCount, probeCount;
    int bodyCount;
    int floor;  // 1: there is one
} webArrays;

typedef struct webLook
{
    webArrays arrays;
    double numbers[web_numberCount];
    rslVec3 origin;          // [m]
    rslBounds bounds;        // of all there is at the start [m], without the floor
    rslPlane floor;          // [m]
    rslSnapshot* snapshot;   // topology
    double* scratch;         // 3 values a node or vertex, whichever are more
    double* field;           // of every node
    double* start;           // positions of nodes at the start
    rslSymmetric* tensors;   // of every node
    rslTessellation** cuts;  // of every body, made when strain is looked at first; NULL: none
    bool* cutTried;
    int bodyCount;
} webLook;

// The stage must be at its start.
rslStatus webLook_Make(webLook* look, const webStage* stage, rslReport* report);
void webLook_Free(webLook* look);

// Fill the arrays from the present state.
void webLook_Take(webLook* look, const webStage* stage, webField field);

// The numbers alone.
void webLook_Count(webLook* look, const webStage* stage);
