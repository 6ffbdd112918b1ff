// SPDX-License-Identifier: MIT
//
// core.test.ts: the calls of the core, in node; and that every scene of the gallery ends in the same bits as natively.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import gallery from '../../gallery.json' with { type: 'json' };
import { type Core, Failed } from '../../src/core';
import { frameLayout } from '../../src/protocol';
import { readTree } from '../../src/tree';
import { loadCore } from './load';

const scenes = new URL('../../../scenes/', import.meta.url);
const text = (file: string) => readFileSync(new URL(file, scenes), 'utf8');

let core: Core;
beforeAll(async () => {
    core = await loadCore();
});

const BLOCK = `title: a block
gravity: [0, 0, 0]
bodies:
  - name: block
    shape: {type: box, size: [0.4, 0.1, 0.1]}
    network: {spacing: 0.05}
    model: springs
    material: {young: 1e5, poisson: 0.25, density: 1000, stiffness_damping: 5e-3}
`;

function open(yaml: string, keep = false): void {
    core.read(readTree(yaml));
    core.build(keep);
}

function number(name: string): number {
    const { numbers } = core.numbers();
    return numbers[core.opened().numbers.indexOf(name)];
}

test('a scene is built, moved and read', () => {
    open(BLOCK);
    const opened = core.opened();
    expect(opened.title).toBe('a block');
    expect(opened.bodies).toEqual(['block']);
    expect(opened.bodyNodes).toEqual([0]);
    expect(opened.nodeCount).toBe(9 * 3 * 3);
    expect(opened.floor).toBeNull();
    expect(number('springs')).toBeGreaterThan(81);
    core.step(10);
    expect(core.time).toBeCloseTo(10 * core.stepLength, 12);
    const layout = frameLayout(opened.vertexCount, opened.nodeCount, opened.solids.length);
    const frame = new Float32Array(layout.end);
    for (const field of ['none', 'speed', 'displacement', 'vonMises', 'strain', 'contact'] as const) {
        core.frame(field, frame);
        expect(frame.every(Number.isFinite), field).toBe(true);
    }
    // nothing acts on it
    expect(Math.max(...frame.subarray(0, 3 * opened.vertexCount).map((x, i) => Math.abs(x - opened.rest[i])))).toBeLessThan(1e-7);
    core.reset();
    expect(core.time).toBe(0);
});

test('what is wrong is told with its place, and the stage stays', () => {
    open(BLOCK);
    const hash = core.hash;
    expect(() => open(BLOCK.replace('young', 'yuong'))).toThrow(/yuong/);
    try {
        open(BLOCK.replace('poisson: 0.25', 'poisson: 0.5'));
        expect.unreachable();
    } catch (error) {
        expect(error).toBeInstanceOf(Failed);
        const [problem] = (error as Failed).problems;
        expect(problem.line).toBe(8);
        expect(problem.text).toMatch(/0\.5/);
    }
    expect(core.hash).toBe(hash);
});

test('a pull speeds the whole body up as its force says', () => {
    open(BLOCK);
    const hand = core.grab([0.2, 0, 0], 0.06);
    expect(hand).toBe(0);
    core.pull(hand, [0.2, 0, 0.01]);
    // an impulse, summed up over the steps that the force is renewed in
    let impulse = 0;
    const before = core.time;
    while (core.time < before + 0.02) {
        const from = core.time;
        core.step(1);
        impulse += core.force(hand).force[2] * (core.time - from);
    }
    const mass = 0.4 * 0.1 * 0.1 * 1000;
    const kinetic = number('kinetic');
    const height = momentumHeight();
    expect(impulse).toBeGreaterThan(0);
    // |P|^2 / 2 m is the least kinetic energy with that momentum
    expect(kinetic).toBeGreaterThan(0.9 * (impulse * impulse) / (2 * mass));
    expect(height).toBeGreaterThan(0);
    core.release(hand);
    const force = core.force(hand).force;
    expect(force).toEqual([0, 0, 0]);
});

// Mean height of the nodes above the middle.
function momentumHeight(): number {
    const { nodeCount, vertexCount, solids } = core.opened();
    const layout = frameLayout(vertexCount, nodeCount, solids.length);
    const frame = new Float32Array(layout.end);
    core.frame('none', frame);
    let sum = 0;
    for (let i = 0; i < nodeCount; ++i) {
        sum += frame[layout.nodes + 3 * i + 2];
    }
    return sum / nodeCount;
}

test('a hand holds a body still against its weight', () => {
    open(BLOCK.replace('gravity: [0, 0, 0]', 'gravity: [0, 0, -9.81]').replace('density: 1000', 'density: 1000, mass_damping: 20'));
    const hand = core.grab([0, 0, 0.05], 0.08);
    core.step(Math.ceil(2 / core.stepLength));
    const weight = 0.4 * 0.1 * 0.1 * 1000 * 9.81;
    expect(core.force(hand).force[2] / weight).toBeCloseTo(1, 2);
    expect(Math.abs(core.force(hand).place[2] - 0.05)).toBeLessThan(0.01);
});

test('a tool pushes and is pushed back', () => {
    open(BLOCK);
    core.push([0, 0, 0.09], [0, 0, 0.09], 0.03);
    core.step(20);
    core.push([0, 0, 0.06], [0, 0, 0.06], 0.03);
    core.step(Math.ceil(0.02 / core.stepLength));
    expect(core.force(-1).force[2]).toBeGreaterThan(0);
    expect(momentumHeight()).toBeLessThan(0);
    core.putAway();
});

test('a change of material keeps the motion', () => {
    open(BLOCK);
    const hand = core.grab([0.2, 0, 0], 0.06);
    core.pull(hand, [0.2, 0, 0.03]);
    core.step(Math.ceil(0.1 / core.stepLength));
    const { time } = core;
    const height = momentumHeight();
    open(BLOCK.replace('1e5', '2e5'), true);
    expect(core.time).toBeCloseTo(time, 9);
    expect(momentumHeight()).toBeCloseTo(height, 6);
    open(BLOCK.replace('0.05}', '0.04}'), true); // another resolution of the same body
    expect(core.time).toBeCloseTo(time, 9);
    open(BLOCK.replace('name: block', 'name: other'), true); // another body: from the start
    expect(core.time).toBe(0);
});

test('what is written is the same scene', () => {
    open(text('dropped_rabbit.yaml'));
    const written = core.write();
    core.step(100);
    const { hash } = core;
    open(written);
    core.step(100);
    expect(core.hash).toBe(hash);
});

test('a mesh is given', () => {
    const cube = 'title: cube\nbodies:\n  - name: a\n    shape: {type: mesh, file: cube.obj}\n    network: {spacing: 0.25}\n    material: rubber\n';
    core.read(readTree(cube));
    expect(core.meshFile()).toEqual({ file: 'cube.obj', line: 4 });
    const vertices = Float64Array.from({ length: 24 }, (_, i) => (Math.floor(i / 3) >> (i % 3)) & 1);
    const triangles = Int32Array.from([0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5]);
    core.giveMesh({ vertices, triangles });
    expect(core.meshFile()).toBeNull();
    core.build(false);
    expect(core.opened().nodeCount).toBe(125);
});

const native = process.env['RSL_BUILD'];
const STEPS = 1000;

test.skipIf(native === undefined)(
    `after ${STEPS} steps every scene of the gallery has the bits of the native library`,
    async () => {
        const paths = gallery.map(({ file }) => new URL(file, scenes).pathname);
        const { stdout } = await promisify(execFile)(`${native}/test/scene_hash`, [String(STEPS), ...paths]);
        const expected = new Map(stdout.trim().split('\n').map((line) => line.split(' ') as [string, string, string]).map(([name, hash]) => [name, hash]));
        expect(expected.size).toBe(gallery.length);
        for (const { file } of gallery) {
            open(text(file));
            core.step(STEPS);
            expect(core.hash, file).toBe(expected.get(file));
        }
    },
    300000,
);
