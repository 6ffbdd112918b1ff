// SPDX-License-Identifier: MIT

import { expect, test } from 'vitest';
import { SceneText } from '../../src/sceneText';

const text = `# a scene
ground: true
bodies:
  - name: ball  # round
    material: rubber
    network: {spacing: 0.005}
`;

test('values are read', () => {
    const scene = new SceneText(text);
    expect(scene.bodies).toEqual(['ball']);
    expect(scene.number(['bodies', 0, 'network', 'spacing'])).toBe(0.005);
    expect(scene.word(['bodies', 0, 'material'], 'name')).toBe('rubber');
    expect(scene.number(['bodies', 0, 'material', 'young'])).toBeUndefined();
    expect(scene.numbers(['gravity'])).toBeUndefined();
});

test('values are changed, comments stay', () => {
    const scene = new SceneText(text);
    scene.set(['bodies', 0, 'network', 'spacing'], 0.01);
    scene.set(['bodies', 0, 'material', 'young'], 2e5);
    scene.set(['gravity'], [0, 0, -1.6]);
    scene.set(['ground', 'friction'], 0.5);
    expect(scene.text).toContain('# a scene');
    expect(scene.text).toContain('# round');
    expect(scene.text).toContain('{name: rubber, young: 200000}');
    expect(scene.text).toContain('gravity: [0, 0, -1.6]');
    expect(scene.text).toContain('{enabled: true, friction: 0.5}');
    expect(new SceneText(scene.text).number(['bodies', 0, 'network', 'spacing'])).toBe(0.01);
});

test('a value is taken away', () => {
    const scene = new SceneText(text);
    scene.set(['ground'], undefined);
    scene.set(['time', 'step'], undefined);
    expect(scene.text).not.toContain('ground');
});

test('a word beside its map', () => {
    const scene = new SceneText('bodies:\n  - {name: a, model: springs}\n');
    scene.set(['bodies', 0, 'model', 'variant'], 'cheap');
    expect(scene.word(['bodies', 0, 'model'], 'type')).toBe('springs');
    expect(scene.get(['bodies', 0, 'model', 'variant'])).toBe('cheap');
});
