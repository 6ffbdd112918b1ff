// SPDX-License-Identifier: MIT
//
// kernel_element.h: the finite elements of a kernel, for the files that ask them.

#pragma once

#include "element_turn.h"
#include "term.h"

typedef struct ElementGroups ElementGroups;

struct ElementKernel
{
    Element* elements;
    int count;
    Real* rests;         // records of all bodies
    size_t restNumbers;  // in them
    double* dissipated;  // of every element [W]
    Real (*slots)[3];
    Real (*drags)[3];  // of dampers in slots, with their sign turned; NULL: nobody asks
    int* slotStart;    // of every node, into nodeSlots
    int* nodeSlots;
    int* slotOwner;   // element of every slot
    int* ownedStart;  // of every chunk, into owned
    int* owned;       // element indices
    Turn* turns;      // rotation of every element when it was last looked at; NULL in single precision
    // double precision: K at rest of elements that are turned, each once (element_rows.c)
    int* matrixOf;  // of every element; NULL before the first look
    // of every matrix a row a corner: numbers of blocks by rows, each of all corners; NULL: none
    float (*rows)[9][ELEMENT_NODES];
    bool damped;
    ElementGroups* groups;  // that answer instead (element_group.h); NULL: none
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

// Triangles of any kind have nothing but their stress to hold them against motion out of their plane; linear elements do not turn.
static inline bool IsTurned(const rslElements* set)
{
    return set->thickness == 0.0 && set->law != rsl_linearElement;
}

void RSL_NAME(rslElements_Diagonal)(const Kernel* kernel, const View* view, const Chunk* chunk, Block* blocks);
