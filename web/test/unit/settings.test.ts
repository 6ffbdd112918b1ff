// SPDX-License-Identifier: MIT
//
// settings.test.ts: what a control writes is a scene that the core builds, and is read back as it was written.

import { beforeAll, expect, test } from 'vitest';
import { type Core, Failed } from '../../src/core';
import { SceneText } from '../../src/sceneText';
import { makeSettings, type Setting } from '../../src/settings';
import { readTree } from '../../src/tree';
import { loadCore } from './load';

let core: Core;
let settings: Setting[];
beforeAll(async () => {
    core = await loadCore();
    settings = makeSettings(core.materials());
});

const BOX = `title: a box
ground: true
bodies:
  - name: box  # stays
    shape: {type: box, size: [0.2, 0.1, 0.1], translate: [0, 0, 0.2]}
    network: {spacing: 0.025}
    material: rubber
`;

function problem(scene: SceneText): string {
    try {
        core.read(readTree(scene.text));
        core.build(false);
        return '';
    } catch (error) {
        if (error instanceof Failed) {
            return error.message;
        }
        throw error;
    }
}

test('every number', () => {
    for (const setting of settings) {
        if (setting.kind === 'number') {
            const { low, high } = setting;
            for (const value of setting.label === 'spacing' ? [0.02, 0.05] : [low === 0 ? 0 : low, setting.logarithmic ? Math.sqrt(low * high) : 0.5 * (low + high), high]) {
                const scene = new SceneText(BOX);
                setting.write(scene, 0, value);
                expect(setting.read(scene, 0), `${setting.label} ${value}`).toBeCloseTo(value, 9);
                expect(scene.text).toContain('# stays');
                expect(problem(scene), `${setting.label} ${value}`).toBe('');
            }
        }
    }
}, 60000);

test('every choice', () => {
    for (const setting of settings) {
        if (setting.kind === 'choice') {
            for (const { value } of setting.choices) {
                const scene = new SceneText(BOX);
                setting.write(scene, 0, value);
                if (value !== '') {
                    expect(setting.read(scene, 0), `${setting.label} ${value}`).toBe(value);
                }
                // some are for other bodies than lattices, and the core says so
                const others: Record<string, RegExp> = { centroid: /expected triangles or tetrahedra/, implicit: /beside a network/, explicit: /beside a network/ };
                expect(problem(scene), `${setting.label}: ${value}`).toMatch(others[value] ?? /^$/);
            }
        }
    }
}, 60000);

test('the volume of a sheet', () => {
    const volume = settings.find((s) => s.label === 'volume');
    const model = settings.find((s) => s.label === 'model');
    if (volume?.kind !== 'choice' || model?.kind !== 'choice') {
        throw new Error('there is no such setting');
    }
    for (const { value } of volume.choices) {
        const scene = new SceneText(BOX);
        model.write(scene, 0, 'sheet springs');
        volume.write(scene, 0, value);
        expect(problem(scene), value).toBe('');
    }
});

test('there and back between models', () => {
    const model = settings.find((s) => s.label === 'model');
    const spacing = settings.find((s) => s.label === 'spacing');
    if (model?.kind !== 'choice' || spacing?.kind !== 'number') {
        throw new Error('there is no such setting');
    }
    const scene = new SceneText(BOX);
    for (const value of ['random springs', 'tetrahedra fem', 'lattice brick', 'random springs', 'lattice springs']) {
        model.write(scene, 0, value);
        expect(problem(scene), value).toBe('');
        expect(spacing.read(scene, 0)).toBeCloseTo(0.025, 4);
    }
});

test('a named material fills the numbers', () => {
    const scene = new SceneText(BOX);
    const young = settings.find((s) => s.label === 'E');
    const material = settings.find((s) => s.label === 'material');
    if (young?.kind !== 'number' || material?.kind !== 'choice') {
        throw new Error('there is no such setting');
    }
    expect(young.read(scene, 0)).toBe(core.materials().find((m) => m.name === 'rubber')?.young);
    young.write(scene, 0, 1e4);
    expect(material.read(scene, 0)).toBe('');
    material.write(scene, 0, 'steel');
    expect(young.read(scene, 0)).toBeGreaterThan(1e11);
});
