// SPDX-License-Identifier: MIT
//
// kernel_element.h: the finite elements of a kernel, for the files that ask them.

#pragma once

#include "element_turn.h"
#include "term.h"

typedef struct Batch Batch;  // element_wide.h
typedef struct Group Group;  // element_group.c
#define AngleBatch RSL_NAME(rslAngleBatch)
typedef struct AngleBatch AngleBatch;  // element_angle_lanes.c

struct ElementKernel
{
    Element* elements;
    int count;
    Real* rests;         // records of all bodies
    size_t restNumbers;  // in them
    double* lost;        // of every chunk: what dampers take [W]
    // forces of elements by places: every chunk has one for each node that its elements have a corner at
    int* placeStart;  // of every chunk
    Real* sums[3];    // of every place
    Real* drags[3];   // of dampers likewise, with their sign turned; NULL: nobody asks
    int* nodeStart;   // of every node, into nodePlaces
    int* nodePlaces;
    int* spanStart;   // of every chunk, into spans
    int* spans;       // first nodes of spans: places of the next node are one further; nodeCount at the end
    int* slotStart;   // of every node, into nodeSlots
    int* nodeSlots;   // corners of elements, element by element
    int* slotOwner;   // element of every slot
    int* slotPlace;   // its place
    int* ownedStart;  // of every chunk, into owned
    int* owned;       // element indices
    int* batchStart;  // of every chunk, into batches
    Batch* batches;   // that are asked instead of elements
    int* angleStart;  // likewise of triangles with angular springs, whose forces are asked so; NULL: there are none
    AngleBatch* angles;
    bool singly;      // no, elements: the reference
    Turn* turns;      // rotation of every element when it was last looked at; NULL in single precision
    // double precision: K at rest of elements that are turned, each once (element_rows.c)
    int* matrixOf;  // of every element; NULL before the first look
    // of every matrix a row a corner: numbers of blocks by rows, each of all corners; NULL: none
    float (*rows)[9][ELEMENT_NODES];
    bool damped;
    Group* groups;  // what is kept of every batch (element_group.h); NULL: nothing
    bool settled;   // nodes are where they were at the last product
};

extern const ElementKind* const RSL_NAME(rslElementKinds)[rsl_elementKindCount];

static inline const rslElements* ElementsOf(const Kernel* kernel, int body)
{
    return &kernel->model->bodies[body].elements;
}

static inline const ElementKind* KindOf(const rslElements* set)
{
    return RSL_NAME(rslElementKinds)[set->kind];
}

static inline void Collect(const Element* element, int count, Real* const from[3], Nodes out)
{
    for (int c = 0; c < count; ++c)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            out[c][axis] = from[axis][element->nodes[c]];
        }
    }
}

// Triangles of any kind have nothing but their stress to hold them against motion out of their plane; linear elements
// do not turn.
static inline bool IsTurned(const rslElements* set)
{
    return set->thickness == 0.0 && set->law != rsl_linearElement;
}

// From now on elements are asked one at a time, or not: the reference of tests and benchmarks. Not with groups.
void RSL_NAME(rslElements_AskSingly)(void* kernel, bool singly);

void RSL_NAME(rslElements_Diagonal)(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks);
