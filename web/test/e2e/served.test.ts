// SPDX-License-Identifier: MIT
//
// served.test.ts: `resilin studio SCENE`: the page as the program serves it, with a scene and a mesh beside it and one in another folder.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openStudio, stopServing } from './browser';

afterAll(stopServing);

const build = process.env['RSL_BUILD'];
const page = fileURLToPath(new URL('../../../build/web', import.meta.url));

const TETRAHEDRON = 'v 0 0 0\nv 0.2 0 0\nv 0 0.2 0\nv 0 0 0.2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n';
const SCENE = `title: served
bodies:
  - name: near
    shape: {type: mesh, file: near.obj}
    network: {spacing: 0.04}
    material: rubber
  - name: far
    shape: {type: mesh, file: ../other/far.obj, translate: [0.5, 0, 0]}
    network: {spacing: 0.04}
    material: rubber
`;

// The address that the program prints.
function addressOf(child: ChildProcess): Promise<string> {
    return new Promise((resolve, reject) => {
        let said = '';
        child.stdout?.on('data', (data: Buffer) => {
            said += data.toString();
            const found = /http:\/\/\S+/.exec(said);
            if (found !== null) {
                resolve(found[0]);
            }
        });
        child.on('exit', () => reject(new Error(`it ended: ${said}`)));
    });
}

test.skipIf(build === undefined)(
    'a scene with meshes that the program serves',
    async () => {
        const folder = mkdtempSync(join(tmpdir(), 'served-'));
        mkdirSync(join(folder, 'scenes'));
        mkdirSync(join(folder, 'other'));
        writeFileSync(join(folder, 'scenes', 'a scene.yaml'), SCENE);
        writeFileSync(join(folder, 'scenes', 'near.obj'), TETRAHEDRON);
        writeFileSync(join(folder, 'other', 'far.obj'), TETRAHEDRON);
        const child = spawn(`${build}/resilin`, ['studio', join(folder, 'scenes', 'a scene.yaml'), '--page', page, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
        try {
            const studio = await openStudio('', { width: 600, height: 400, still: true, at: await addressOf(child) });
            try {
                await studio.page.waitForFunction(() => (window.studio?.pane.figure ?? null) !== null || document.getElementById('messages')?.textContent !== '', undefined, { timeout: 60000 });
                expect(await studio.page.textContent('#messages')).toBe('');
                expect(await studio.page.evaluate(() => window.studio?.pane.figure?.opened.bodies)).toEqual(['near', 'far']);
                expect(await studio.page.evaluate(() => crossOriginIsolated)).toBe(true);
                // threads are started under the policy that the program sends
                await studio.page.fill('[data-control="spacing"]', '8 mm');
                await studio.page.press('[data-control="spacing"]', 'Enter');
                await studio.page.waitForFunction(() => (window.studio?.pane.simulation.threads ?? 0) >= Math.min(navigator.hardwareConcurrency, 2));
                expect(studio.complaints).toEqual([]);
            } finally {
                await studio.close();
            }
        } finally {
            const ended = new Promise((resolve) => child.once('exit', resolve));
            child.kill('SIGTERM');
            expect(await ended).toBe(0);
            rmSync(folder, { recursive: true, force: true });
        }
    },
    90000,
);
