// SPDX-License-Identifier: MIT
//
// protocol.ts: what the page and the worker of a pane say to each other.

import type { Problem, TreeNode } from './tree';

export const FIELDS = ['none', 'speed', 'displacement', 'vonMises', 'strain', 'contact'] as const;
export type Field = (typeof FIELDS)[number];

export const ALONE = 'alone'; // the name of a worker that is to have one thread

export interface Triangles {
    vertices: Float64Array; // x y z [m]
    triangles: Int32Array;
}

// What a scene names: meshes as triangles, files of tetrahedra as text.
export type SceneFiles = Record<string, Triangles | string>;

export type Vector = [number, number, number];

// A hand is known by a number of the page's own.
export type Request =
    | { type: 'open'; id: number; tree: TreeNode[]; files: SceneFiles; keep: boolean }
    | { type: 'play'; playing: boolean }
    | { type: 'pace'; factor: number } // simulated over real time
    | { type: 'share'; panes: number } // of how many it is one
    | { type: 'step' }
    | { type: 'reset' }
    | { type: 'field'; field: Field }
    | { type: 'want'; buffer: ArrayBuffer | null } // one more frame, into this
    | { type: 'grab'; hand: number; point: Vector; radius: number }
    | { type: 'pull'; hand: number; point: Vector }
    | { type: 'release'; hand: number }
    | { type: 'push'; ends: [Vector, Vector]; radius: number }
    | { type: 'putAway' }
    | { type: 'write'; id: number }
    | { type: 'glb'; id: number }
    | { type: 'measure'; id: number; body: number }
    | { type: 'run'; id: number; steps: number };

// What does not change until another scene is opened. Positions are relative to the origin.
export interface Opened {
    title: string;
    triangles: Int32Array;
    vertexBody: Int32Array;
    springs: Int32Array;
    rest: Float32Array;
    solids: Float32Array;
    solidTriangles: Int32Array;
    vertexCount: number;
    nodeCount: number;
    bodies: string[];
    bodyNodes: number[]; // the first node of each body; those of the next follow
    probes: string[];
    numbers: string[]; // names, in the order of those of a frame
    origin: Vector;
    lower: Vector;
    upper: Vector;
    floor: { point: Vector; normal: Vector } | null;
    duration: number;
    atRest: boolean; // the integrator is static
    vectors: string;
    kept: boolean; // the motion and what hands hold of the scene before
}

export interface HandForce {
    hand: number; // -1: the tool
    place: Vector;
    force: Vector;
}

// Where parts of a frame begin in its buffer, in floats.
export interface FrameLayout {
    vertices: number;
    normals: number;
    values: number;
    nodes: number;
    nodeValues: number;
    solids: number;
    end: number;
}

export function frameLayout(vertexCount: number, nodeCount: number, solidFloats: number): FrameLayout {
    const normals = 3 * vertexCount;
    const values = normals + 3 * vertexCount;
    const nodes = values + vertexCount;
    const nodeValues = nodes + 3 * nodeCount;
    const solids = nodeValues + nodeCount;
    return { vertices: 0, normals, values, nodes, nodeValues, solids, end: solids + solidFloats };
}

export interface Frame {
    buffer: ArrayBuffer;
    field: Field; // that its values are of
    numbers: Float64Array;
    probes: Float64Array;
    hands: HandForce[];
    factor: number; // simulated over real time that was reached lately; NaN: it stands still
    most: number; // what would have been possible
}

export interface Measured {
    quantity: string;
    unit: string;
    target: number;
    ours: number;
}

export interface Material {
    name: string;
    young: number;
    poisson: number;
    density: number;
}

export type Answer =
    | { type: 'ready'; version: string; materials: Material[]; most: number } // threads
    | { type: 'threads'; count: number; alone: string } // from now on; why there is one only
    | { type: 'opened'; id: number; opened: Opened | null; problems: Problem[]; dropped: number[] } // hands that could not take hold again
    | { type: 'frame'; frame: Frame }
    | { type: 'stopped'; problems: Problem[] } // the simulation cannot go on
    | { type: 'written'; id: number; text: string }
    | { type: 'glb'; id: number; bytes: Uint8Array | null; problems: Problem[] }
    | { type: 'measured'; id: number; list: Measured[]; problems: Problem[] }
    | { type: 'ran'; id: number; hash: string; seconds: number; simulated: number; problems: Problem[] }
    | { type: 'broken'; text: string };
