// SPDX-License-Identifier: MIT
//
// hash.test.ts: a scene that the worker of a real browser steps ends in the bits of the native library.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { openStudio, stopServing } from './browser';

afterAll(stopServing);

const native = process.env['RSL_BUILD'];
const FILES = ['dropped_rabbit.yaml', 'beam.yaml'];
const STEPS = 1000;

test.skipIf(native === undefined)(
    `after ${STEPS} steps in the browser`,
    async () => {
        const scenes = new URL('../../../scenes/', import.meta.url);
        const { stdout } = await promisify(execFile)(`${native}/test/scene_hash`, [String(STEPS), ...FILES.map((f) => new URL(f, scenes).pathname)]);
        const expected = stdout.trim().split('\n').map((line) => line.split(' ')[1]);
        const studio = await openStudio('', { width: 600, height: 400, still: true });
        const { page } = studio;
        await page.waitForFunction(() => (window.studio?.pane.figure ?? null) !== null, undefined, { timeout: 60000 });
        const hashes: (string | undefined)[] = [];
        for (const file of FILES) {
            const yaml = readFileSync(new URL(file, scenes), 'utf8');
            await page.evaluate(async (t) => {
                window.studio?.play(false);
                await window.studio?.pane.open(t, {});
            }, yaml);
            hashes.push(await page.evaluate(async (n) => (await window.studio?.pane.simulation.run(n))?.hash, STEPS));
        }
        await studio.close();
        expect(hashes).toEqual(expected);
    },
    120000,
);
