// SPDX-License-Identifier: MIT
//
// meshFiles.ts: triangles from OBJ, STL, PLY and GLB files, by the loaders of three.js. Vertices at the same place become one, as in the
// native reader.

import * as THREE from 'three';
import type { Triangles } from './protocol';

const MOST_BYTES = 200e6;

export const MESH_FILES = /\.(obj|stl|ply|glb)$/i;

// Triangles of a soup of corners, with one vertex for each place.
export function join(corners: Float64Array): Triangles {
    const found = new Map<string, number>();
    const vertices: number[] = [];
    const triangles = new Int32Array(corners.length / 3);
    for (let c = 0; c < triangles.length; ++c) {
        const [x, y, z] = [corners[3 * c] + 0, corners[3 * c + 1] + 0, corners[3 * c + 2] + 0];
        if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z))) {
            throw new Error(`corner ${c % 3} of triangle ${Math.floor(c / 3)} is not finite`);
        }
        const key = `${x},${y},${z}`;
        let index = found.get(key);
        if (index === undefined) {
            index = found.size;
            found.set(key, index);
            vertices.push(x, y, z);
        }
        triangles[c] = index;
    }
    return { vertices: Float64Array.from(vertices), triangles };
}

function cornersOf(root: THREE.Object3D): Float64Array {
    const parts: number[] = [];
    root.updateMatrixWorld(true);
    root.traverse((object) => {
        if (object instanceof THREE.Mesh) {
            appendCorners(object.geometry as THREE.BufferGeometry, object.matrixWorld, parts);
        }
    });
    return Float64Array.from(parts);
}

function appendCorners(geometry: THREE.BufferGeometry, matrix: THREE.Matrix4, parts: number[]): void {
    const position = geometry.getAttribute('position');
    const index = geometry.getIndex();
    const point = new THREE.Vector3();
    const count = position === undefined ? 0 : (index?.count ?? position.count);
    for (let i = 0; i < 3 * Math.floor(count / 3); ++i) {
        const vertex = index?.getX(i) ?? i;
        if (vertex >= position.count) {
            throw new Error(`triangle ${Math.floor(i / 3)} names vertex ${vertex}, and there are ${position.count}`);
        }
        point.fromBufferAttribute(position, vertex).applyMatrix4(matrix);
        parts.push(point.x, point.y, point.z);
    }
}

async function parse(name: string, bytes: ArrayBuffer): Promise<Float64Array> {
    const plain = (geometry: THREE.BufferGeometry) => cornersOf(new THREE.Mesh(geometry));
    switch (name.split('.').pop()?.toLowerCase()) {
        case 'obj': {
            const { OBJLoader } = await import('three/addons/loaders/OBJLoader.js');
            return cornersOf(new OBJLoader().parse(new TextDecoder().decode(bytes)));
        }
        case 'stl': {
            const { STLLoader } = await import('three/addons/loaders/STLLoader.js');
            return plain(new STLLoader().parse(bytes));
        }
        case 'ply': {
            const { PLYLoader } = await import('three/addons/loaders/PLYLoader.js');
            return plain(new PLYLoader().parse(bytes));
        }
        default: {
            const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
            const read = await new GLTFLoader().parseAsync(bytes, '');
            return cornersOf(read.scene);
        }
    }
}

// Throws an Error that says what is wrong.
export async function readMesh(name: string, bytes: ArrayBuffer): Promise<Triangles> {
    if (bytes.byteLength === 0) {
        throw new Error(`${name} is empty, expected a mesh`);
    }
    if (bytes.byteLength > MOST_BYTES) {
        throw new Error(`${name} has ${Math.round(bytes.byteLength / 1e6)} MB, expected at most ${MOST_BYTES / 1e6}`);
    }
    let corners: Float64Array;
    try {
        corners = await parse(name, bytes);
    } catch (error) {
        throw new Error(`${name} cannot be read as a mesh: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (corners.length === 0) {
        throw new Error(`${name} holds no triangles`);
    }
    try {
        return join(corners);
    } catch (error) {
        throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
}

// A scene for a mesh that was dropped alone: a body of it on the ground, a tenth of a metre to a metre high. Lattice of a twentieth of it.
export function sceneOfMesh(name: string, mesh: Triangles): string {
    const lower = [Infinity, Infinity, Infinity];
    const upper = [-Infinity, -Infinity, -Infinity];
    mesh.vertices.forEach((x, i) => {
        lower[i % 3] = Math.min(lower[i % 3], x);
        upper[i % 3] = Math.max(upper[i % 3], x);
    });
    const size = Math.max(...upper.map((u, i) => u - lower[i]));
    let scale = 1;
    while (size * scale > 1.5) {
        scale /= 10;
    }
    while (size * scale < 0.05 && size > 0) {
        scale *= 10;
    }
    const short = (x: number) => String(Number(x.toPrecision(4)));
    const move = [-0.5 * (lower[0] + upper[0]), -0.5 * (lower[1] + upper[1]), -lower[2] + 0.3 * size].map((x) => short(x * scale));
    const title = name.replace(/\.[^.]*$/, '');
    return `# ${JSON.stringify(name)}, dropped on the ground${scale === 1 ? '' : `; scaled by ${scale}`}.
title: ${JSON.stringify(title)}
ground: {friction: 0.5}
time: {duration: 2}
bodies:
  - name: body
    shape:
      type: mesh
      file: ${JSON.stringify(name)}
      repair: repair
      scale: ${scale}
      translate: [${move.join(', ')}]
    network: {spacing: ${short((size * scale) / 20)}}
    model: springs
    material: {young: 5e4, poisson: 0.25, density: 1000, stiffness_damping: 1e-3}
`;
}
