// SPDX-License-Identifier: MIT
//
// paint.ts: what shaders of three.js are given besides: colours of bodies and fields, edges, the grid of a floor.

import * as THREE from 'three';
import { BODY_COLOURS, mapTexels } from './colours';

const MAP_TEXELS = 256;
const mapTexture = new THREE.DataTexture(mapTexels(MAP_TEXELS), MAP_TEXELS, 1);
mapTexture.colorSpace = THREE.SRGBColorSpace;
mapTexture.magFilter = THREE.LinearFilter;
mapTexture.minFilter = THREE.LinearFilter;
mapTexture.needsUpdate = true;

const bodyTexels = new Uint8Array(BODY_COLOURS.flatMap((colour) => [...colour.map((c) => Math.round(255 * c)), 255]));
const bodyTexture = new THREE.DataTexture(bodyTexels, BODY_COLOURS.length, 1);
bodyTexture.colorSpace = THREE.SRGBColorSpace;
bodyTexture.needsUpdate = true;

// Where the colour of a body is in that texture.
export function placeOf(body: number): number {
    return ((body % BODY_COLOURS.length) + 0.5) / BODY_COLOURS.length;
}

export interface FieldUniforms {
    fieldRange: { value: THREE.Vector2 };
    fieldOn: { value: number };
    fieldMap: { value: THREE.Texture };
    bodyMap: { value: THREE.Texture };
}

export function fieldUniforms(): FieldUniforms {
    return { fieldRange: { value: new THREE.Vector2(0, 1) }, fieldOn: { value: 0 }, fieldMap: { value: mapTexture }, bodyMap: { value: bodyTexture } };
}

// At edges the normals of vertices lie between those of faces: there a face has its own, and so it has where a body is folded sharply.
const CREASES = `#include <normal_fragment_begin>
vec3 facet = normalize(cross(dFdx(vViewPosition), dFdy(vViewPosition)));
facet *= sign(dot(facet, normal));
float smoothly = (1.0 - smoothstep(0.0, 0.04, vEdge)) * smoothstep(0.4, 0.7, dot(facet, normal));
normal = normalize(mix(facet, normal, smoothly));`;

const SHARP = 0.75; // cosine between the normals of a vertex and of a face, below which it is at an edge

// 1 for vertices at edges of the shape at rest.
export function edges(positions: Float32Array, triangles: Int32Array): Float32Array {
    const normals = new Float32Array(positions.length);
    const faces = new Float32Array(triangles.length);
    const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    for (let t = 0; t < triangles.length; t += 3) {
        a.fromArray(positions, 3 * triangles[t]);
        b.fromArray(positions, 3 * triangles[t + 1]).sub(a);
        c.fromArray(positions, 3 * triangles[t + 2]).sub(a);
        const face = b.cross(c);
        for (let k = 0; k < 3; ++k) {
            const v = 3 * triangles[t + k];
            normals[v] += face.x;
            normals[v + 1] += face.y;
            normals[v + 2] += face.z;
        }
        face.normalize().toArray(faces, t);
    }
    const found = new Float32Array(positions.length / 3);
    for (let i = 0; i < triangles.length; ++i) {
        a.fromArray(normals, 3 * triangles[i]).normalize();
        b.fromArray(faces, i - (i % 3));
        found[triangles[i]] = a.dot(b) < SHARP ? 1 : found[triangles[i]];
    }
    return found;
}

// Colour by the attribute fieldValue over a range, or by that of the body.
export function paint(material: THREE.Material, uniforms: FieldUniforms): void {
    material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, uniforms);
        shader.vertexShader = shader.vertexShader
            .replace('#include <common>', '#include <common>\nattribute float fieldValue;\nattribute float bodyPlace;\nattribute float edge;\nvarying float vField;\nvarying float vBody;\nvarying float vEdge;')
            .replace('#include <begin_vertex>', '#include <begin_vertex>\nvField = fieldValue;\nvBody = bodyPlace;\nvEdge = edge;');
        shader.fragmentShader = shader.fragmentShader
            .replace(
                '#include <common>',
                '#include <common>\nuniform vec2 fieldRange;\nuniform float fieldOn;\nuniform sampler2D fieldMap;\nuniform sampler2D bodyMap;\nvarying float vField;\nvarying float vBody;\nvarying float vEdge;',
            )
            .replace(
                '#include <color_fragment>',
                `#include <color_fragment>
                float along = clamp((vField - fieldRange.x) / max(fieldRange.y - fieldRange.x, 1e-30), 0.0, 1.0);
                vec3 mapped = texture2D(fieldMap, vec2((along * ${MAP_TEXELS - 1}.0 + 0.5) / ${MAP_TEXELS}.0, 0.5)).rgb;
                diffuseColor.rgb *= mix(texture2D(bodyMap, vec2(vBody, 0.5)).rgb, mapped, fieldOn);`,
            )
            .replace('#include <normal_fragment_begin>', CREASES);
    };
}

function glsl(value: number): string {
    return value.toExponential(); // 1e-1: a number with a fraction
}

// Lines of a grid on a floor, every tenth of them thicker, and a fade towards its border.
export function rule(material: THREE.Material, cell: number, radius: number, dark: boolean): void {
    material.onBeforeCompile = (shader) => {
        shader.vertexShader = shader.vertexShader
            .replace('#include <common>', '#include <common>\nvarying vec2 vFloor;')
            .replace('#include <begin_vertex>', '#include <begin_vertex>\nvFloor = position.xy;');
        shader.fragmentShader = shader.fragmentShader
            .replace(
                '#include <common>',
                `#include <common>
                varying vec2 vFloor;
                float ruled(float cell) {
                    vec2 at = vFloor / cell;
                    vec2 width = max(fwidth(at), vec2(1e-6));
                    vec2 near = abs(fract(at - 0.5) - 0.5) / width;
                    float line = 1.0 - min(min(near.x, near.y), 1.0);
                    return line * clamp(1.0 - 3.0 * max(width.x, width.y), 0.0, 1.0);
                }`,
            )
            .replace(
                '#include <color_fragment>',
                `#include <color_fragment>
                float line = max(0.5 * ruled(${glsl(cell)}), ruled(${glsl(10 * cell)}));
                diffuseColor.rgb = mix(diffuseColor.rgb, vec3(${dark ? '0.21, 0.24, 0.27' : '0.5, 0.54, 0.58'}), 0.5 * line);
                diffuseColor.a *= 1.0 - smoothstep(0.35, 1.0, length(vFloor) / ${glsl(radius)});`,
            );
    };
}
