// SPDX-License-Identifier: MIT
//
// parts.test.ts: the pacer, the history, colours, meshes, links.

import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BODY_COLOURS, fromOklab, mapColour } from '../../src/colours';
import { History } from '../../src/history';
import { join, readMesh, sceneOfMesh } from '../../src/meshFiles';
import { Pacer } from '../../src/pacer';
import { fileName, packText, unpackText } from '../../src/takeHome';
import { readTree } from '../../src/tree';

// A clock that steps drive: a step takes cost seconds, and between turns idle seconds pass.
function race(pace: number, length: number, cost: number, idle: number, turns: number): { simulated: number; real: number; longest: number } {
    let now = 0;
    let simulated = 0;
    let longest = 0;
    const pacer = new Pacer(() => now);
    pacer.pace = pace;
    for (let t = 0; t < turns; ++t) {
        const begun = now;
        pacer.advance(length, Infinity, (count) => {
            now += count * cost;
            simulated += count * length;
            return true;
        });
        longest = Math.max(longest, now - begun);
        now += idle;
    }
    return { simulated, real: now, longest };
}

test('simulated time follows real time where the machine is quick enough', () => {
    for (const pace of [0.01, 0.2, 1, 2]) {
        const { simulated, real } = race(pace, 1e-4, 1e-5, 0.004, 2000);
        expect(simulated / real / pace, `pace ${pace}`).toBeCloseTo(1, 1);
    }
});

test('a turn is short, whatever it owes', () => {
    const { longest, simulated, real } = race(1, 1e-4, 1e-3, 0.001, 500);
    expect(longest).toBeLessThan(0.025);
    expect(simulated / real).toBeGreaterThan(0.08); // as fast as it can: a tenth of real time, less what passes between turns
});

test('long steps go on one by one', () => {
    const { simulated, real } = race(1, 1 / 60, 0.002, 0.004, 500);
    expect(simulated / real).toBeCloseTo(1, 1);
});

test('a failed step ends a turn', () => {
    let now = 0;
    let tried = 0;
    const pacer = new Pacer(() => now);
    pacer.advance(1e-3, Infinity, () => true);
    now += 1;
    pacer.advance(1e-3, Infinity, () => {
        tried += 1;
        return false;
    });
    expect(tried).toBe(1);
});

test('the history stays within its bounds, from the first row on', () => {
    const history = new History(['time', 'x, y'], 100);
    for (let i = 0; i < 10000; ++i) {
        history.add(Float64Array.from([i * 0.01, i]));
    }
    expect(history.rows.length).toBeLessThanOrEqual(100);
    expect(history.rows[0][0]).toBe(0);
    expect(history.rows[history.rows.length - 1][0]).toBeGreaterThan(97);
    const [head, first] = history.csv().split('\n');
    expect(head).toBe('time,"x, y"');
    expect(first).toBe('0,0');
    history.add(Float64Array.from([0, 7])); // time goes back: another run
    expect(history.rows.length).toBe(1);
});

test('lightness rises along the map, and bodies are apart', () => {
    const luminance = (c: number[]) => {
        const [r, g, b] = c.map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    for (let i = 0; i < 64; ++i) {
        expect(luminance(mapColour((i + 1) / 64))).toBeGreaterThan(luminance(mapColour(i / 64)));
    }
    expect(fromOklab(1, 0, 0).every((c) => Math.abs(c - 1) < 1e-3)).toBe(true);
    for (const a of BODY_COLOURS) {
        for (const b of BODY_COLOURS) {
            if (a !== b) {
                expect(Math.hypot(...a.map((x, i) => x - b[i]))).toBeGreaterThan(0.12);
            }
        }
    }
});

test('corners at one place become one vertex', () => {
    const mesh = join(Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, -0, 0, 0, 0, 1]));
    expect(mesh.vertices.length).toBe(12);
    expect([...mesh.triangles]).toEqual([0, 1, 2, 1, 0, 3]);
    expect(() => join(Float64Array.from([0, 0, 0, 1, 0, 0, 0, NaN, 0]))).toThrow(/corner 2 of triangle 0 is not finite/);
});

const bytes = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;
const FACES = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
const POINTS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];

function stl(): ArrayBuffer {
    const view = new DataView(new ArrayBuffer(84 + 50 * FACES.length));
    view.setUint32(80, FACES.length, true);
    FACES.forEach((face, f) => face.forEach((p, c) => POINTS[p].forEach((x, k) => view.setFloat32(84 + 50 * f + 12 + 12 * c + 4 * k, x, true))));
    return view.buffer;
}

test('meshes of every kind', async () => {
    const obj = [...POINTS.map((p) => `v ${p.join(' ')}`), ...FACES.map((f) => `f ${f.map((i) => i + 1).join(' ')}`)].join('\n');
    const ply = `ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n${POINTS.map((p) => p.join(' ')).join('\n')}\n${FACES.map((f) => `3 ${f.join(' ')}`).join('\n')}\n`;
    for (const [name, content] of [['a.obj', bytes(obj)], ['a.STL', stl()], ['a.ply', bytes(ply)]] as const) {
        const mesh = await readMesh(name, content);
        expect(mesh.vertices.length, name).toBe(12);
        expect(mesh.triangles.length, name).toBe(12);
    }
    await expect(readMesh('b.obj', bytes(''))).rejects.toThrow(/b\.obj is empty/);
    await expect(readMesh('b.obj', bytes('v 0 0 0\n'))).rejects.toThrow(/holds no triangles/);
    await expect(readMesh('b.stl', stl().slice(0, 90))).rejects.toThrow(/b\.stl/);
    await expect(readMesh('b.glb', bytes('glTF nonsense'))).rejects.toThrow(/b\.glb cannot be read as a mesh/);
});

test('a mesh alone is a scene', () => {
    for (const scale of [1e-3, 1, 250]) {
        const mesh = { vertices: Float64Array.from(POINTS.flat(), (x) => x * scale), triangles: Int32Array.from(FACES.flat()) };
        const nodes = readTree(sceneOfMesh('odd "name".obj', mesh));
        const value = (key: string) => Number(nodes[nodes.findIndex((n) => n.text === key) + 1].text);
        expect(value('spacing')).toBeGreaterThan(0.002);
        expect(value('spacing')).toBeLessThan(0.08);
        expect(value('scale') * scale).toBeGreaterThan(0.04);
    }
});

test('links hold a scene', async () => {
    const text = 'title: "ümlaut ☃"\nbodies: []\n'.repeat(50);
    const packed = await packText(text);
    expect(packed).toMatch(/^[\w-]+$/);
    expect(packed.length).toBeLessThan(text.length);
    expect(await unpackText(packed)).toBe(text);
    await expect(unpackText('AAAA')).rejects.toThrow();
    const bomb = deflateRawSync(Buffer.alloc(64 << 20)).toString('base64url'); // 64 kB of it
    await expect(unpackText(bomb)).rejects.toThrow(/more than 8 MiB/);
    expect(fileName('A soft rabbit, dropped!', 'yaml')).toBe('a_soft_rabbit_dropped.yaml');
    expect(fileName('☃', 'png')).toBe('scene.png');
});
