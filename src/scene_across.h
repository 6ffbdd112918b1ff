// SPDX-License-Identifier: MIT
//
// scene_across.h: what the files share that check a scene across its keys.

#pragma once

#include "scene_check.h"

typedef struct rslNamed
{
    const char* name;
    int index;
} rslNamed;

typedef struct rslAcross
{
    const rslScene* scene;
    const rslOrigins* origins;  // NULL for a scene that was not just read
    rslTrail* trail;
    rslHooks hooks;
    rslNamed* names;  // of the bodies, sorted
    int nameCount;
} rslAcross;

rslPlace rslAcross_Place(const rslAcross* across, const char* structName, const char* key, const void* owner, int index,
                         rslPlace fallback);

// Whether the reader has seen the key, well or wrong; false for a scene that was not just read.
bool rslAcross_WasGiven(const rslAcross* across, const char* structName, const char* key, const void* owner);
const rslBodyDef* rslAcross_FindBody(const rslAcross* across, const char* name);
void rslAcross_UnknownBody(rslAcross* across, rslPlace place, const char* key, const char* name);
void rslAcross_CheckNodes(rslAcross* across, const rslNodeSetDef* set, const char* key);
void rslAcross_CheckTimes(rslAcross* across, const char* structName, const char* key, const void* owner,
                          rslPlace fallback, const double* rows, int count, int width);

void rslAcross_CheckCourse(rslAcross* across, const rslCourseDef* course);

// In a plane scene a vector has no part out of the plane.
void rslAcross_CheckFlat(rslAcross* across, const char* structName, const char* key, const void* owner, rslVec3 vector,
                         rslPlace fallback);

// The motion of an owner, a constraint or a collider.
void rslAcross_CheckMovement(rslAcross* across, const char* structName, const void* owner, rslPlace fallback,
                             const rslMovementDef* move);

void rslAcross_CheckLoad(rslAcross* across, const rslLoadDef* load);
void rslAcross_CheckConstraint(rslAcross* across, const rslConstraintDef* constraint);
void rslAcross_CheckDrive(rslAcross* across, const rslDriveDef* drive);
void rslAcross_CheckLink(rslAcross* across, const rslLinkDef* link);
void rslAcross_CheckJoint(rslAcross* across, const rslJointDef* joint);
void rslAcross_CheckContact(rslAcross* across, int index);
void rslAcross_CheckCollider(rslAcross* across, int index);

// A state of rest does not know how it was reached, and friction depends on that.
void rslAcross_CheckFriction(rslAcross* across);
void rslAcross_CheckProbes(rslAcross* across);
void rslAcross_CheckProbedCollider(rslAcross* across, const rslProbeDef* probe);

// Its levels of detail.
void rslAcross_CheckLevels(rslAcross* across, const rslBodyDef* body);

// Damping of a material of a body by ratios, if it is.
void rslAcross_CheckDamping(rslAcross* across, const rslMaterialDef* material, const rslBodyDef* body);

// A body with its shape, network and material. False when out of memory.
bool rslAcross_CheckBody(rslAcross* across, const rslBodyDef* body);

// The lists of an explicit network. False when out of memory.
bool rslAcross_CheckExplicit(rslAcross* across, const rslNetworkDef* network);

// Node indices of cells, width each; says the first that is wrong.
bool rslAcross_CheckCorners(rslAcross* across, const rslNetworkDef* network, const char* key, const int* cells,
                            int count, int width);

// Whether its network can have its volume kept.
void rslAcross_CheckVolume(rslAcross* across, const rslBodyDef* body);

// Whether its network and material can have its model.
void rslAcross_CheckModel(rslAcross* across, const rslBodyDef* body);
