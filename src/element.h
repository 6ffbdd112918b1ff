// SPDX-License-Identifier: MIT
//
// element.h: one finite element: what it knows, and what every kind answers. Vectors u of its nodes are displacements in the
// axes of the body; nothing here knows of other elements.
//
// The energy is  W = V psi(F),  F = 1 + H the gradient of the deformation, V the volume times what fills it; hexahedra add
// the energy of what is not affine (element_hexahedron.c). psi is one of the laws of element_law.h. Damping is a stress alpha1
// C : dS/dt in the stretch S of F = R S, C the stiffness at rest: no rotation sees it. So C p below is K p at rest, it never
// feeds energy, keeps momentum and angular momentum, and is bounded: dS is a mean of dF in the axes of S. (In Green's strain, it
// would grow with the fourth power of the stretch, and no step would be stable for long.)

#pragma once

#include "real.h"

#include "resilin/model.h"

enum
{
    ELEMENT_NODES = 8,
    PATTERNS = 4,  // of eight nodes, beside what is affine
    MODES = 3 * PATTERNS
};

typedef Real Nodes[ELEMENT_NODES][3];

typedef struct Element
{
    int nodes[ELEMENT_NODES];
    int first;         // of its slots
    Real volume;       // times weight [m3]
    Real lambda, mu;   // [Pa]; triangles: lambda of plane stress
    Real damping;      // alpha1 [s]
    const Real* rest;  // constants by kind; elements of one shape may share them
} Element;

// What the elements of a body have in common.
typedef struct ElementKind
{
    int nodeCount;
    int restCount;  // numbers in rest
    // Constants and volume of an element with its corners at x, of the model's elements; element->volume is its weight before.
    void (*rest)(Element* element, Real* rest, double (*x)[3], const rslElements* set, int index);
    double (*energy)(const Element* element, rslElementLaw law, Real (*u)[3]);
    // f = -dW/du;  out = K p;  out = C p / alpha1
    void (*force)(const Element* element, rslElementLaw law, Real (*u)[3], Nodes f);
    void (*stiffness)(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out);
    void (*damping)(const Element* element, rslElementLaw law, Real (*u)[3], Real (*p)[3], Nodes out);
    // Cauchy's stress, mean over the element (xx yy zz yz zx xy) [Pa]
    void (*stress)(const Element* element, rslElementLaw law, Real (*u)[3], double stress[6]);
    // How it varies over a cell, as rslElementView has it; NULL: it does not
    void (*slope)(const Element* element, rslElementLaw law, Real (*u)[3], double slope[3][6]);
} ElementKind;

extern const ElementKind RSL_NAME(rslTriangleElement);
extern const ElementKind RSL_NAME(rslAngleElement);
extern const ElementKind RSL_NAME(rslTetrahedronElement);
extern const ElementKind RSL_NAME(rslHexahedronElement);
extern const ElementKind RSL_NAME(rslBrickElement);
extern const ElementKind RSL_NAME(rslBoxElement);
extern const ElementKind RSL_NAME(rslSolidElement);
