// SPDX-License-Identifier: MIT

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BadText, LIST, MAP, readTree, SCALAR } from '../../src/tree';

function refusal(text: string): string {
    try {
        readTree(text);
    } catch (error) {
        if (error instanceof BadText) {
            const { line, column, text: message } = error.problem;
            return `${line}:${column}: ${message}`;
        }
        throw error;
    }
    return '';
}

test('a tree with places', () => {
    const nodes = readTree('# a comment\na: 1\nb:\n  - "x y"\n  - {c: null}\n');
    expect(nodes.map((n) => [n.parent, n.kind, n.text, n.quoted, n.line, n.column])).toEqual([
        [-1, MAP, '', false, 2, 1],
        [0, SCALAR, 'a', false, 2, 1],
        [0, SCALAR, '1', false, 2, 4],
        [0, SCALAR, 'b', false, 3, 1],
        [0, LIST, '', false, 4, 3],
        [4, SCALAR, 'x y', true, 4, 5],
        [4, MAP, '', false, 5, 5],
        [6, SCALAR, 'c', false, 5, 6],
        [6, SCALAR, '', false, 5, 9],
    ]);
});

test('aliases are copied and keep their places', () => {
    const nodes = readTree('a: &x [1, 2]\nb: *x\n');
    expect(nodes.map((n) => n.text)).toEqual(['', 'a', '', '1', '2', 'b', '', '1', '2']);
    expect(nodes[7].line).toBe(1);
});

test('what is refused', () => {
    expect(refusal('')).toBe('0:0: the file is empty, expected a scene');
    expect(refusal('  \n# nothing\n')).toMatch(/^1:1: the file holds no scene/);
    expect(refusal('a: 1\n---\nb: 2\n')).toMatch(/^3:1: found a second document/);
    expect(refusal('a: !!int 1\n')).toMatch(/^1:\d+: found the tag/);
    expect(refusal('a: !mine 1\n')).toMatch(/^1:\d+: found the tag/);
    expect(refusal('a: &x {b: 1}\nc: {<<: *x}\n')).toMatch(/^2:5: found the merge key/);
    expect(refusal('a: *x\n')).toMatch(/^1:4: .*alias/i);
    expect(refusal('a: [1, 2\nb: 3\n')).toMatch(/^\d+:\d+: not YAML: /);
    expect(refusal(`a: ${'['.repeat(40)}${']'.repeat(40)}\n`)).toMatch(/nested deeper than 32 levels/);
    const laughs = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 10; ++i) {
        laughs.push(`a${i}: &a${i} [${Array(10).fill(`*a${i - 1}`).join(', ')}]`);
    }
    expect(refusal(laughs.join('\n'))).toMatch(/more than 2 million values|alias/i);
});

test('every scene of the project is a tree', () => {
    const folder = new URL('../../../scenes/', import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
    expect(files.length).toBeGreaterThan(40);
    for (const name of files) {
        expect(readTree(readFileSync(new URL(name, folder), 'utf8')).length, name).toBeGreaterThan(5);
    }
});
